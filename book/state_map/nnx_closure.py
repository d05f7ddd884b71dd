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

# %% plain
for x in xs:
    layer(x)
print(layer.total[...])

# %% plain: cond
for x in xs:
    if x > 2:
        layer(x)
print(layer.total[...])


# %% jit
@jax.jit
def predict(x):
    return layer(x)


for x in xs:
    predict(x)
print(layer.total[...])


# %% grad
def loss(scale, x):
    return (scale * layer(x)) ** 2


for x in xs:
    jax.grad(loss)(1.0, x)
print(layer.total[...])

# %% vmap
jax.vmap(lambda x: layer(x))(xs)
print(layer.total[...])


# %% scan
def body(carry, x):
    return carry, layer(x)


jax.lax.scan(body, None, xs)
print(layer.total[...])


# %% while_loop
def body(i):
    layer(xs[i])
    return i + 1


jax.lax.while_loop(lambda i: i < 4, body, 0)
print(layer.total[...])

# %% cond
for x in xs:
    jax.lax.cond(x > 2, lambda x: layer(x), lambda x: x, x)
print(layer.total[...])


# %% checkpoint
@jax.checkpoint
def loss(scale, x):
    return (scale * layer(x)) ** 2


for x in xs:
    jax.grad(loss)(1.0, x)
print(layer.total[...])

# %% shard_map
sharded = jax.shard_map(
    lambda x: layer(x), mesh=mesh, in_specs=P("i"), out_specs=P("i")
)
sharded(xs)
print(layer.total[...])


# %% custom_vjp
@jax.custom_vjp
def predict(x):
    return layer(x)


def forward(x):
    return predict(x), None


predict.defvjp(forward, lambda saved, g: (layer.w * g,))
for x in xs:
    jax.grad(predict)(x)
print(layer.total[...])

# %% export
exported = export.export(jax.jit(lambda x: layer(x)))(xs[0])
for x in xs:
    exported.call(x)
print(layer.total[...])
