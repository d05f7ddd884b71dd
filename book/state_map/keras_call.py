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

# %% plain
for x in xs:
    layer(x)
print(layer.total.value)

# %% plain: cond
for x in xs:
    if x > 2:
        layer(x)
print(layer.total.value)


# %% jit
@jax.jit
def predict(x):
    return layer(x)


for x in xs:
    predict(x)
print(layer.total.value)


# %% grad
def loss(scale, x):
    return layer(scale * x) ** 2


for x in xs:
    jax.grad(loss)(1.0, x)
print(layer.total.value)

# %% vmap
jax.vmap(layer)(xs)
print(layer.total.value)


# %% scan
def body(carry, x):
    return carry, layer(x)


jax.lax.scan(body, None, xs)
print(layer.total.value)


# %% while_loop
def body(i):
    layer(xs[i])
    return i + 1


jax.lax.while_loop(lambda i: i < 4, body, 0)
print(layer.total.value)

# %% cond
for x in xs:
    jax.lax.cond(x > 2, lambda x: layer(x), lambda x: x, x)
print(layer.total.value)


# %% checkpoint
@jax.checkpoint
def loss(scale, x):
    return layer(scale * x) ** 2


for x in xs:
    jax.grad(loss)(1.0, x)
print(layer.total.value)

# %% shard_map
sharded = jax.shard_map(layer, mesh=mesh, in_specs=P("i"), out_specs=P("i"))
sharded(xs)
print(layer.total.value)


# %% custom_vjp
@jax.custom_vjp
def predict(x):
    return layer(x)


def forward(x):
    return predict(x), None


predict.defvjp(forward, lambda saved, g: (w * g,))
for x in xs:
    jax.grad(predict)(x)
print(layer.total.value)

# %% export
exported = export.export(jax.jit(lambda x: layer(x)))(xs[0])
for x in xs:
    exported.call(x)
print(layer.total.value)
