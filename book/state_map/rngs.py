# %% set up
from flax import nnx

rngs = nnx.Rngs(0)
draws = []


def noisy(rngs, x):
    return x + jax.random.normal(rngs.noise())


def different(draws):
    return len(set(jnp.ravel(jnp.array(draws)).tolist()))


# %% plain
draws = [noisy(rngs, x) for x in jnp.zeros(4)]
print(different(draws))

# %% plain: cond
draws = [noisy(rngs, 0.0) for x in xs if x > 2]
print(different(draws))

# %% jit
jitted = nnx.jit(noisy)
draws = [jitted(rngs, x) for x in jnp.zeros(4)]
print(different(draws))


# %% grad
def loss(w, rngs, x):
    draw = noisy(rngs, x)
    return (w + draw) ** 2, draw


for x in jnp.zeros(4):
    grads, draw = nnx.grad(loss, has_aux=True)(w, rngs, x)
    draws.append(draw)
print(different(draws))

# %% vmap
draws = nnx.vmap(noisy, in_axes=(None, 0))(rngs, jnp.zeros(4))
print(different(draws))


# %% vmap: fix
@nnx.split_rngs(splits=4)
@nnx.vmap
def mapped(rngs, x):
    return noisy(rngs, x)


draws = mapped(rngs, jnp.zeros(4))
print(different(draws))


# %% scan
@nnx.scan(in_axes=(nnx.Carry, 0), out_axes=(nnx.Carry, 0))
def body(rngs, x):
    return rngs, noisy(rngs, x)


rngs, draws = body(rngs, jnp.zeros(4))
print(different(draws))


# %% while_loop
def body(carry):
    i, rngs, draws = carry
    draw = noisy(rngs, 0.0)
    return i + 1, rngs, draws.at[i].set(draw)


i, rngs, draws = nnx.while_loop(
    lambda carry: carry[0] < 4, body, (0, rngs, jnp.zeros(4))
)
print(different(draws))


# %% cond
def skip(rngs, x):
    return x


for x in xs:
    draw = nnx.cond(x > 2, noisy, skip, rngs, 0.0)
    draws.append(draw)
print(different(draws[2:]))


# %% checkpoint
@nnx.remat
def loss(w, rngs, x):
    draw = noisy(rngs, x)
    return (w + draw) ** 2, draw


for x in jnp.zeros(4):
    grads, draw = nnx.grad(loss, has_aux=True)(w, rngs, x)
    draws.append(draw)
print(different(draws))

# %% shard_map
sharded = nnx.shard_map(
    noisy, mesh=mesh, in_specs=(P(), P("i")), out_specs=P("i")
)
draws = sharded(rngs, jnp.zeros(4))
print(different(draws))


# %% shard_map: fix
def noisy(rngs, x):
    key = jax.random.fold_in(rngs.noise(), jax.lax.axis_index("i"))
    return x + jax.random.normal(key)


sharded = nnx.shard_map(
    noisy, mesh=mesh, in_specs=(P(), P("i")), out_specs=P("i")
)
draws = sharded(rngs, jnp.zeros(4))
print(different(draws))

# %% export
exported = export.export(nnx.jit(noisy))(rngs, 0.0)
for x in jnp.zeros(4):
    draws.append(exported.call(rngs, x))
print(different(draws))

# %% export: fix
graph, state = nnx.split(rngs)


@jax.jit
def step(state, x):
    rngs = nnx.merge(graph, state)
    draw = noisy(rngs, x)
    return nnx.state(rngs), draw


exported = export.export(step)(state, 0.0)
for x in jnp.zeros(4):
    state, draw = exported.call(state, x)
    draws.append(draw)
print(different(draws))
