# %% set up
from flax import nnx


class Layer(nnx.Module):
    def __init__(self):
        self.w = nnx.Param(jnp.ones(()))
        self.total = nnx.BatchStat(jnp.zeros(()))

    def __call__(self, x):
        y = self.w * x
        self.total[...] += y.sum()
        return y


layer = Layer()


def predict(layer, x):
    return layer(x)


# %% plain
for x in xs:
    predict(layer, x)
print(layer.total[...])

# %% plain: cond
for x in xs:
    if x > 2:
        predict(layer, x)
print(layer.total[...])

# %% jit
jitted = jax.jit(predict)
for x in xs:
    jitted(layer, x)
print(layer.total[...])


# %% grad
def loss(layer, x):
    return layer(x) ** 2


for x in xs:
    jax.grad(loss)(layer, x)
print(layer.total[...])

# %% vmap
jax.vmap(predict, in_axes=(None, 0))(layer, xs)
print(layer.total[...])


# %% scan
def body(layer, x):
    y = layer(x)
    return layer, y


_, ys = jax.lax.scan(body, layer, xs)
print(layer.total[...])


# %% scan: fix
def body(layer, x):
    y = layer(x)
    return layer, y


layer, ys = jax.lax.scan(body, layer, xs)
print(layer.total[...])


# %% while_loop
def body(carry):
    i, layer = carry
    layer(xs[i])
    return i + 1, layer


i, _ = jax.lax.while_loop(lambda carry: carry[0] < 4, body, (0, layer))
print(layer.total[...])


# %% while_loop: fix
def body(carry):
    i, layer = carry
    layer(xs[i])
    return i + 1, layer


i, layer = jax.lax.while_loop(lambda carry: carry[0] < 4, body, (0, layer))
print(layer.total[...])


# %% cond
def skip(layer, x):
    return x


for x in xs:
    jax.lax.cond(x > 2, predict, skip, layer, x)
print(layer.total[...])


# %% checkpoint
@jax.checkpoint
def loss(layer, x):
    return layer(x) ** 2


for x in xs:
    jax.grad(loss)(layer, x)
print(layer.total[...])

# %% shard_map
sharded = jax.shard_map(
    predict, mesh=mesh, in_specs=(P(), P("i")), out_specs=P("i")
)
sharded(layer, xs)
print(layer.total[...])


# %% custom_vjp
@jax.custom_vjp
def double(x, layer):
    return layer(x)


def forward(x, layer):
    return double(x, layer), layer.w[...]


double.defvjp(forward, lambda w, g: (w * g, None))
for x in xs:
    jax.grad(double)(x, layer)
print(layer.total[...])

# %% export
exported = export.export(jax.jit(predict))(layer, xs[0])
for x in xs:
    exported.call(layer, x)
print(layer.total[...])
