# %% set up
total = jax.new_ref(jnp.zeros(()))


def predict(w, total, x):
    y = w * x
    total[...] += y.sum()
    return y


# %% plain
for x in xs:
    predict(w, total, x)
print(total[...])

# %% plain: cond
for x in xs:
    if x > 2:
        predict(w, total, x)
print(total[...])

# %% jit
jitted = jax.jit(predict)
for x in xs:
    jitted(w, total, x)
print(total[...])


# %% grad
def loss(w, total, x):
    return predict(w, total, x) ** 2


for x in xs:
    jax.grad(loss)(w, total, x)
print(total[...])


# %% grad: fix
def loss(w, total, x):
    y = w * x
    total[...] += jax.lax.stop_gradient(y)
    return y**2


for x in xs:
    jax.grad(loss)(w, total, x)
print(total[...])

# %% vmap
jax.vmap(predict, in_axes=(None, None, 0))(w, total, xs)
print(total[...])

# %% vmap: fix
totals = jax.new_ref(jnp.zeros(4))
jax.vmap(predict, in_axes=(None, 0, 0))(w, totals, xs)
total[...] += totals[...].sum()
print(total[...])


# %% scan
def body(total, x):
    return total, predict(w, total, x)


jax.lax.scan(body, total, xs)
print(total[...])


# %% while_loop
def body(carry):
    i, total = carry
    predict(w, total, xs[i])
    return i + 1, total


jax.lax.while_loop(lambda carry: carry[0] < 4, body, (0, total))
print(total[...])


# %% cond
def skip(w, total, x):
    return x


for x in xs:
    jax.lax.cond(x > 2, predict, skip, w, total, x)
print(total[...])


# %% checkpoint
@jax.checkpoint
def loss(w, total, x):
    y = w * x
    total[...] += jax.lax.stop_gradient(y)
    return y**2


for x in xs:
    jax.grad(loss)(w, total, x)
print(total[...])

# %% shard_map
sharded = jax.shard_map(
    predict, mesh=mesh, in_specs=(P(), P(), P("i")), out_specs=P("i")
)
sharded(w, total, xs)
print(total[...])


# %% shard_map: fix
def predict(w, total, x):
    y = w * x
    total[...] += jax.lax.psum(y.sum(), "i")
    return y


replicated = jax.NamedSharding(mesh, P())
total = jax.new_ref(jax.device_put(jnp.zeros(()), replicated))
sharded = jax.shard_map(
    predict, mesh=mesh, in_specs=(P(), P(), P("i")), out_specs=P("i")
)
jax.jit(sharded)(w, total, xs)
print(total[...])


# %% custom_vjp
@jax.custom_vjp
def double(w, total, x):
    return predict(w, total, x)


def forward(w, total, x):
    return double(w, total, x), (w, x)


def backward(saved, g):
    return saved[1] * g, None, saved[0] * g


double.defvjp(forward, backward)
for x in xs:
    jax.grad(double)(w, total, x)
print(total[...])

# %% export
exported = export.export(jax.jit(predict))(w, total, xs[0])
for x in xs:
    exported.call(w, total, x)
print(total[...])
