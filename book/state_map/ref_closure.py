# %% set up
total = jax.new_ref(jnp.zeros(()))


def predict(w, x):
    y = w * x
    total[...] += y.sum()
    return y


# %% plain
for x in xs:
    predict(w, x)
print(total[...])

# %% plain: cond
for x in xs:
    if x > 2:
        predict(w, x)
print(total[...])

# %% jit
jitted = jax.jit(predict)
for x in xs:
    jitted(w, x)
print(total[...])


# %% grad
def loss(w, x):
    return predict(w, x) ** 2


for x in xs:
    jax.grad(loss)(w, x)
print(total[...])


# %% grad: fix
def loss(w, x):
    y = w * x
    total[...] += jax.lax.stop_gradient(y)
    return y**2


for x in xs:
    jax.grad(loss)(w, x)
print(total[...])

# %% vmap
jax.vmap(predict, in_axes=(None, 0))(w, xs)
print(total[...])

# %% vmap: fix
ys = jax.vmap(lambda w, x: w * x, in_axes=(None, 0))(w, xs)
total[...] += ys.sum()
print(total[...])


# %% scan
def body(carry, x):
    return carry, predict(w, x)


jax.lax.scan(body, None, xs)
print(total[...])


# %% while_loop
def body(i):
    predict(w, xs[i])
    return i + 1


jax.lax.while_loop(lambda i: i < 4, body, 0)
print(total[...])

# %% cond
for x in xs:
    jax.lax.cond(x > 2, predict, jnp.multiply, w, x)
print(total[...])


# %% checkpoint
@jax.checkpoint
def loss(w, x):
    y = w * x
    total[...] += jax.lax.stop_gradient(y)
    return y**2


for x in xs:
    jax.grad(loss)(w, x)
print(total[...])


# %% checkpoint: fix
@jax.checkpoint
def loss(w, x):
    y = w * x
    return y**2, y


for x in xs:
    grads, y = jax.grad(loss, has_aux=True)(w, x)
    total[...] += y
print(total[...])

# %% shard_map
sharded = jax.shard_map(
    predict, mesh=mesh, in_specs=(P(), P("i")), out_specs=P("i")
)
sharded(w, xs)
print(total[...])


# %% shard_map: fix
def predict(w, x):
    y = w * x
    return y, jax.lax.psum(y.sum(), "i")


sharded = jax.shard_map(
    predict, mesh=mesh, in_specs=(P(), P("i")), out_specs=(P("i"), P())
)
ys, added = sharded(w, xs)
total[...] += jax.device_put(added, jax.devices()[0])
print(total[...])


# %% custom_vjp
@jax.custom_vjp
def double(w, x):
    return predict(w, x)


def forward(w, x):
    return double(w, x), (w, x)


double.defvjp(forward, lambda saved, g: (saved[1] * g, saved[0] * g))
for x in xs:
    jax.grad(double)(w, x)
print(total[...])

# %% export
exported = export.export(jax.jit(predict))(w, xs[0])
for x in xs:
    exported.call(w, x)
print(total[...])
