# %% set up
total = jnp.zeros(())


def step(total, x):
    y = w * x
    return total + y.sum(), y


# %% plain
for x in xs:
    total, y = step(total, x)
print(total)

# %% plain: cond
for x in xs:
    if x > 2:
        total, y = step(total, x)
print(total)

# %% jit
jitted = jax.jit(step)
for x in xs:
    total, y = jitted(total, x)
print(total)


# %% grad
def loss(w, total, x):
    y = w * x
    return y**2, total + y


for x in xs:
    grads, total = jax.grad(loss, has_aux=True)(w, total, x)
print(total)

# %% vmap
total, ys = jax.vmap(step, in_axes=(None, 0))(total, xs)
print(total)


# %% vmap: fix
def step(total, x):
    y = w * x
    return total + jax.lax.psum(y, "i"), y


mapped = jax.vmap(step, in_axes=(None, 0), out_axes=(None, 0), axis_name="i")
total, ys = mapped(total, xs)
print(total)

# %% scan
total, ys = jax.lax.scan(step, total, xs)
print(total)


# %% while_loop
def body(carry):
    i, total = carry
    total, y = step(total, xs[i])
    return i + 1, total


i, total = jax.lax.while_loop(lambda carry: carry[0] < 4, body, (0, total))
print(total)


# %% cond
def skip(total, x):
    return total, x


for x in xs:
    total, y = jax.lax.cond(x > 2, step, skip, total, x)
print(total)


# %% checkpoint
@jax.checkpoint
def loss(w, total, x):
    y = w * x
    return y**2, total + y


for x in xs:
    grads, total = jax.grad(loss, has_aux=True)(w, total, x)
print(total)

# %% shard_map
sharded = jax.shard_map(
    step, mesh=mesh, in_specs=(P(), P("i")), out_specs=(P(), P("i"))
)
total, ys = sharded(total, xs)
print(total)


# %% shard_map: fix
def step(total, x):
    y = w * x
    return total + jax.lax.psum(y.sum(), "i"), y


sharded = jax.shard_map(
    step, mesh=mesh, in_specs=(P(), P("i")), out_specs=(P(), P("i"))
)
total, ys = sharded(total, xs)
print(total)


# %% custom_vjp
@jax.custom_vjp
def predict(w, total, x):
    return w * x, total + w * x


def forward(w, total, x):
    return predict(w, total, x), x


predict.defvjp(forward, lambda x, g: (x * g[0], None, None))
for x in xs:
    grads, total = jax.grad(predict, has_aux=True)(w, total, x)
print(total)

# %% export
exported = export.export(jax.jit(step))(total, xs[0])
for x in xs:
    total, y = exported.call(total, x)
print(total)
