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
jitted = nnx.jit(predict)
for x in xs:
    jitted(layer, x)
print(layer.total[...])


# %% grad
def loss(layer, x):
    return layer(x) ** 2


for x in xs:
    nnx.grad(loss)(layer, x)
print(layer.total[...])

# %% vmap
nnx.vmap(predict, in_axes=(None, 0))(layer, xs)
print(layer.total[...])


# %% vmap: fix
def predict(layer, x):
    y = layer.w * x
    layer.total[...] += jax.lax.psum(y, "i")
    return y


nnx.vmap(predict, in_axes=(None, 0), axis_name="i")(layer, xs)
print(layer.total[...])


# %% scan
@nnx.scan(in_axes=(nnx.Carry, 0), out_axes=(nnx.Carry, 0))
def body(layer, x):
    y = layer(x)
    return layer, y


body(layer, xs)
print(layer.total[...])


# %% while_loop
def body(carry):
    i, layer = carry
    layer(xs[i])
    return i + 1, layer


nnx.while_loop(lambda carry: carry[0] < 4, body, (0, layer))
print(layer.total[...])


# %% cond
def skip(layer, x):
    return x


for x in xs:
    nnx.cond(x > 2, predict, skip, layer, x)
print(layer.total[...])


# %% checkpoint
@nnx.remat
def loss(layer, x):
    return layer(x) ** 2


for x in xs:
    nnx.grad(loss)(layer, x)
print(layer.total[...])

# %% shard_map
sharded = nnx.shard_map(
    predict, mesh=mesh, in_specs=(P(), P("i")), out_specs=P("i")
)
sharded(layer, xs)
print(layer.total[...])


# %% shard_map: fix
def predict(layer, x):
    y = layer.w * x
    layer.total[...] += jax.lax.psum(y.sum(), "i")
    return y


sharded = nnx.shard_map(
    predict, mesh=mesh, in_specs=(P(), P("i")), out_specs=P("i")
)
sharded(layer, xs)
print(layer.total[...])


# %% custom_vjp
@nnx.custom_vjp
def double(x, layer):
    return layer(x)


def forward(x, layer):
    return double(x, layer), layer.w[...]


def backward(w, g):
    (x_grads, layer_grads), y_grads = g
    return w * y_grads, layer_grads


double.defvjp(forward, backward)
for x in xs:
    nnx.grad(double)(x, layer)
print(layer.total[...])

# %% export
exported = export.export(nnx.jit(predict))(layer, xs[0])
for x in xs:
    exported.call(layer, x)
print(layer.total[...])


# %% export: fix
graph, state = nnx.split(layer)


@jax.jit
def step(state, x):
    layer = nnx.merge(graph, state)
    y = layer(x)
    return nnx.state(layer), y


exported = export.export(step)(state, xs[0])
for x in xs:
    state, y = exported.call(state, x)
nnx.update(layer, state)
print(layer.total[...])
