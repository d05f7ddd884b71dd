# %% set up
key = jax.random.key(0)
draws = []


def step(key, x):
    key, subkey = jax.random.split(key)
    return key, x + jax.random.normal(subkey)


def different(draws):
    return len(set(jnp.ravel(jnp.array(draws)).tolist()))


# %% plain
for x in jnp.zeros(4):
    key, draw = step(key, x)
    draws.append(draw)
print(different(draws))

# %% plain: cond
for x in xs:
    if x > 2:
        key, draw = step(key, 0.0)
        draws.append(draw)
print(different(draws))

# %% jit
jitted = jax.jit(step)
for x in jnp.zeros(4):
    key, draw = jitted(key, x)
    draws.append(draw)
print(different(draws))


# %% grad
def loss(w, key, x):
    key, draw = step(key, x)
    return (w + draw) ** 2, (key, draw)


for x in jnp.zeros(4):
    grads, (key, draw) = jax.grad(loss, has_aux=True)(w, key, x)
    draws.append(draw)
print(different(draws))

# %% vmap
keys, draws = jax.vmap(step, in_axes=(None, 0))(key, jnp.zeros(4))
print(different(draws))

# %% vmap: fix
key, subkey = jax.random.split(key)
keys = jax.random.split(subkey, 4)
keys, draws = jax.vmap(step)(keys, jnp.zeros(4))
print(different(draws))

# %% scan
key, draws = jax.lax.scan(step, key, jnp.zeros(4))
print(different(draws))


# %% while_loop
def body(carry):
    i, key, draws = carry
    key, draw = step(key, 0.0)
    return i + 1, key, draws.at[i].set(draw)


i, key, draws = jax.lax.while_loop(
    lambda carry: carry[0] < 4, body, (0, key, jnp.zeros(4))
)
print(different(draws))


# %% cond
def skip(key, x):
    return key, x


for x in xs:
    key, draw = jax.lax.cond(x > 2, step, skip, key, 0.0)
    draws.append(draw)
print(different(draws[2:]))


# %% checkpoint
@jax.checkpoint
def loss(w, key, x):
    key, draw = step(key, x)
    return (w + draw) ** 2, (key, draw)


for x in jnp.zeros(4):
    grads, (key, draw) = jax.grad(loss, has_aux=True)(w, key, x)
    draws.append(draw)
print(different(draws))

# %% shard_map
specs = (P(), P("i"))
sharded = jax.shard_map(step, mesh=mesh, in_specs=specs, out_specs=specs)
key, draws = sharded(key, jnp.zeros(4))
print(different(draws))


# %% shard_map: fix
def step(key, x):
    key, subkey = jax.random.split(key)
    subkey = jax.random.fold_in(subkey, jax.lax.axis_index("i"))
    return key, x + jax.random.normal(subkey)


specs = (P(), P("i"))
sharded = jax.shard_map(step, mesh=mesh, in_specs=specs, out_specs=specs)
key, draws = sharded(key, jnp.zeros(4))
print(different(draws))

# %% export
exported = export.export(jax.jit(step))(key, 0.0)
for x in jnp.zeros(4):
    key, draw = exported.call(key, x)
    draws.append(draw)
print(different(draws))
