# %% set up
import equinox as eqx


class Layer(eqx.Module):
    w: jax.Array
    total: eqx.nn.StateIndex

    def __init__(self):
        self.w = jnp.ones(())
        self.total = eqx.nn.StateIndex(jnp.zeros(()))

    def __call__(self, x, state):
        y = self.w * x
        total = state.get(self.total) + y.sum()
        return y, state.set(self.total, total)


layer, state = eqx.nn.make_with_state(Layer)()

# %% plain
for x in xs:
    y, state = layer(x, state)
print(state.get(layer.total))

# %% plain: cond
for x in xs:
    if x > 2:
        y, state = layer(x, state)
print(state.get(layer.total))


# %% jit
@eqx.filter_jit
def predict(layer, x, state):
    return layer(x, state)


for x in xs:
    y, state = predict(layer, x, state)
print(state.get(layer.total))


# %% grad
def loss(layer, x, state):
    y, state = layer(x, state)
    return y**2, state


for x in xs:
    grads, state = eqx.filter_grad(loss, has_aux=True)(layer, x, state)
print(state.get(layer.total))

# %% vmap
ys, state = jax.vmap(layer, in_axes=(0, None), out_axes=(0, None))(xs, state)
print(state.get(layer.total))


# %% vmap: fix
class Summed(Layer):
    def __call__(self, x, state):
        y = self.w * x
        total = state.get(self.total) + jax.lax.psum(y, "i")
        return y, state.set(self.total, total)


layer, state = eqx.nn.make_with_state(Summed)()
mapped = jax.vmap(layer, in_axes=(0, None), out_axes=(0, None), axis_name="i")
ys, state = mapped(xs, state)
print(state.get(layer.total))


# %% scan
def body(state, x):
    y, state = layer(x, state)
    return state, y


state, ys = jax.lax.scan(body, state, xs)
print(state.get(layer.total))


# %% while_loop
def body(carry):
    i, state = carry
    y, state = layer(xs[i], state)
    return i + 1, state


i, state = jax.lax.while_loop(lambda carry: carry[0] < 4, body, (0, state))
print(state.get(layer.total))


# %% cond
def step(x, state):
    return layer(x, state)


def skip(x, state):
    return x, state


for x in xs:
    y, state = jax.lax.cond(x > 2, step, skip, x, state)
print(state.get(layer.total))


# %% checkpoint
@eqx.filter_checkpoint
def loss(layer, x, state):
    y, state = layer(x, state)
    return y**2, state


for x in xs:
    grads, state = eqx.filter_grad(loss, has_aux=True)(layer, x, state)
print(state.get(layer.total))

# %% shard_map
sharded = jax.shard_map(
    layer, mesh=mesh, in_specs=(P("i"), P()), out_specs=(P("i"), P())
)
ys, state = sharded(xs, state)
print(state.get(layer.total))


# %% shard_map: fix
class Summed(Layer):
    def __call__(self, x, state):
        y = self.w * x
        total = state.get(self.total) + jax.lax.psum(y.sum(), "i")
        return y, state.set(self.total, total)


layer, state = eqx.nn.make_with_state(Summed)()
specs = (P("i"), P())
sharded = jax.shard_map(layer, mesh=mesh, in_specs=specs, out_specs=specs)
ys, state = sharded(xs, state)
print(state.get(layer.total))


# %% custom_vjp
@jax.custom_vjp
def predict(x, state):
    return layer(x, state)


def forward(x, state):
    return predict(x, state), None


predict.defvjp(forward, lambda saved, g: (layer.w * g[0], None))
for x in xs:
    grads, state = jax.grad(predict, has_aux=True)(x, state)
print(state.get(layer.total))

# %% export
step = jax.jit(lambda x, state: layer(x, state))
exported = export.export(step)(xs[0], state)
for x in xs:
    y, state = exported.call(x, state)
print(state.get(layer.total))
