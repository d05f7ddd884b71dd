# %% set up
history = []


def predict(w, x):
    y = w * x
    history.append(y)
    return y


# %% plain
for x in xs:
    predict(w, x)
print(history)

# %% plain: cond
for x in xs:
    if x > 2:
        predict(w, x)
print(history)

# %% jit
jitted = jax.jit(predict)
for x in xs:
    jitted(w, x)
print(history)

# %% jit: fix
jitted = jax.jit(lambda w, x: w * x)
for x in xs:
    history.append(jitted(w, x))
print(history)


# %% grad
def loss(w, x):
    return predict(w, x) ** 2


for x in xs:
    jax.grad(loss)(w, x)
print(history)


# %% grad: fix
def loss(w, x):
    y = w * x
    return y**2, y


for x in xs:
    grads, y = jax.grad(loss, has_aux=True)(w, x)
    history.append(y)
print(history)

# %% vmap
jax.vmap(predict, in_axes=(None, 0))(w, xs)
print(history)

# %% vmap: fix
ys = jax.vmap(lambda w, x: w * x, in_axes=(None, 0))(w, xs)
history.extend(ys)
print(history)


# %% scan
def body(total, x):
    return total + predict(w, x), None


jax.lax.scan(body, 0.0, xs)
print(history)


# %% scan: fix
def body(total, x):
    y = w * x
    return total + y, y


total, ys = jax.lax.scan(body, 0.0, xs)
history.extend(ys)
print(history)


# %% while_loop
def body(carry):
    i, total = carry
    return i + 1, total + predict(w, xs[i])


jax.lax.while_loop(lambda carry: carry[0] < 4, body, (0, 0.0))
print(history)


# %% while_loop: fix
def body(carry):
    i, ys = carry
    return i + 1, ys.at[i].set(w * xs[i])


i, ys = jax.lax.while_loop(lambda carry: carry[0] < 4, body, (0, xs * 0))
history.extend(ys)
print(history)

# %% cond
for x in xs:
    jax.lax.cond(x > 2, predict, jnp.multiply, w, x)
print(history)


# %% cond: fix
def predict(w, x):
    y = w * x
    jax.debug.callback(history.append, y, ordered=True)
    return y


for x in xs:
    jax.lax.cond(x > 2, predict, jnp.multiply, w, x)
jax.effects_barrier()
print(history)


# %% checkpoint
@jax.checkpoint
def loss(w, x):
    return predict(w, x) ** 2


for x in xs:
    jax.grad(loss)(w, x)
print(history)


# %% checkpoint: fix
@jax.checkpoint
def loss(w, x):
    y = w * x
    return y**2, y


for x in xs:
    grads, y = jax.grad(loss, has_aux=True)(w, x)
    history.append(y)
print(history)

# %% shard_map
sharded = jax.shard_map(
    predict, mesh=mesh, in_specs=(P(), P("i")), out_specs=P("i")
)
sharded(w, xs)
print(history)

# %% shard_map: fix
sharded = jax.shard_map(
    jnp.multiply, mesh=mesh, in_specs=(P(), P("i")), out_specs=P("i")
)
history.extend(jax.device_put(sharded(w, xs), jax.devices()[0]))
print(history)


# %% custom_vjp
@jax.custom_vjp
def double(w, x):
    return predict(w, x)


def forward(w, x):
    return double(w, x), (w, x)


double.defvjp(forward, lambda saved, g: (saved[1] * g, saved[0] * g))
for x in xs:
    jax.grad(double)(w, x)
print(history)

# %% export
exported = export.export(jax.jit(predict))(w, xs[0])
for x in xs:
    exported.call(w, x)
print(history)

# %% export: fix
exported = export.export(jax.jit(jnp.multiply))(w, xs[0])
for x in xs:
    history.append(exported.call(w, x))
print(history)
