# %% set up
class Layer:
    calls = 0

    def __call__(self, w, x):
        self.calls += 1
        return w * x


layer = Layer()

# %% plain
for x in xs:
    layer(w, x)
print(layer.calls)

# %% plain: cond
for x in xs:
    if x > 2:
        layer(w, x)
print(layer.calls)


# %% jit
@jax.jit
def predict(x):
    return layer(w, x)


for x in xs:
    predict(x)
print(layer.calls)


# %% grad
def loss(w, x):
    return layer(w, x) ** 2


for x in xs:
    jax.grad(loss)(w, x)
print(layer.calls)

# %% vmap
jax.vmap(layer, in_axes=(None, 0))(w, xs)
print(layer.calls)


# %% scan
def body(carry, x):
    return carry + layer(w, x), None


jax.lax.scan(body, 0.0, xs)
print(layer.calls)


# %% while_loop
def body(i):
    layer(w, xs[i])
    return i + 1


jax.lax.while_loop(lambda i: i < 4, body, 0)
print(layer.calls)

# %% cond
for x in xs:
    jax.lax.cond(x > 2, layer, jnp.multiply, w, x)
print(layer.calls)


# %% checkpoint
@jax.checkpoint
def loss(w, x):
    return layer(w, x) ** 2


for x in xs:
    jax.grad(loss)(w, x)
print(layer.calls)

# %% shard_map
predict = jax.shard_map(
    layer, mesh=mesh, in_specs=(P(), P("i")), out_specs=P("i")
)
predict(w, xs)
print(layer.calls)


# %% custom_vjp
@jax.custom_vjp
def predict(w, x):
    return layer(w, x)


def forward(w, x):
    return predict(w, x), (w, x)


predict.defvjp(forward, lambda saved, g: (saved[1] * g, saved[0] * g))
for x in xs:
    jax.grad(predict)(w, x)
print(layer.calls)

# %% export
exported = export.export(jax.jit(layer))(w, xs[0])
for x in xs:
    exported.call(w, x)
print(layer.calls)
