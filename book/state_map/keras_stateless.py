# %% set up
import keras


class Layer(keras.layers.Layer):
    def build(self, shape):
        self.total = self.add_weight(
            shape=(), initializer="zeros", trainable=False
        )

    def call(self, x):
        y = w * x
        self.total.assign(self.total + keras.ops.sum(y))
        return y


layer = Layer()
layer.build(())
state = [v.value for v in layer.non_trainable_variables]


def step(state, x):
    y, state = layer.stateless_call([], state, x)
    return state, y


# %% plain
for x in xs:
    state, y = step(state, x)
print(state[0])

# %% plain: cond
for x in xs:
    if x > 2:
        state, y = step(state, x)
print(state[0])

# %% jit
jitted = jax.jit(step)
for x in xs:
    state, y = jitted(state, x)
print(state[0])


# %% grad
def loss(scale, state, x):
    state, y = step(state, scale * x)
    return y**2, state


for x in xs:
    grads, state = jax.grad(loss, has_aux=True)(1.0, state, x)
print(state[0])

# %% vmap
state, ys = jax.vmap(step, in_axes=(None, 0))(state, xs)
print(state[0])


# %% vmap: fix
class Summed(Layer):
    def call(self, x):
        y = w * x
        self.total.assign(self.total + jax.lax.psum(y, "i"))
        return y


layer, axes = Summed(), (None, 0)
layer.build(())
mapped = jax.vmap(step, in_axes=axes, out_axes=axes, axis_name="i")
state, ys = mapped(state, xs)
print(state[0])

# %% scan
state, ys = jax.lax.scan(step, state, xs)
print(state[0])


# %% while_loop
def body(carry):
    i, state = carry
    state, y = step(state, xs[i])
    return i + 1, state


i, state = jax.lax.while_loop(lambda carry: carry[0] < 4, body, (0, state))
print(state[0])


# %% cond
def skip(state, x):
    return state, x


for x in xs:
    state, y = jax.lax.cond(x > 2, step, skip, state, x)
print(state[0])


# %% checkpoint
@jax.checkpoint
def loss(scale, state, x):
    state, y = step(state, scale * x)
    return y**2, state


for x in xs:
    grads, state = jax.grad(loss, has_aux=True)(1.0, state, x)
print(state[0])

# %% shard_map
sharded = jax.shard_map(
    step, mesh=mesh, in_specs=(P(), P("i")), out_specs=(P(), P("i"))
)
state, ys = sharded(state, xs)
print(state[0])


# %% shard_map: fix
class Summed(Layer):
    def call(self, x):
        y = w * x
        self.total.assign(self.total + jax.lax.psum(y.sum(), "i"))
        return y


layer, specs = Summed(), (P(), P("i"))
layer.build(())
sharded = jax.shard_map(step, mesh=mesh, in_specs=specs, out_specs=specs)
state, ys = sharded(state, xs)
print(state[0])


# %% custom_vjp
@jax.custom_vjp
def predict(x, state):
    state, y = step(state, x)
    return y, state


def forward(x, state):
    return predict(x, state), None


predict.defvjp(forward, lambda saved, g: (w * g[0], None))
for x in xs:
    grads, state = jax.grad(predict, has_aux=True)(x, state)
print(state[0])

# %% export
exported = export.export(jax.jit(step))(state, xs[0])
for x in xs:
    state, y = exported.call(state, x)
print(state[0])
