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
jitted = jax.jit(noisy)
draws = [jitted(rngs, x) for x in jnp.zeros(4)]
print(different(draws))


# %% grad
def loss(w, rngs, x):
    draw = noisy(rngs, x)
    return (w + draw) ** 2, draw


for x in jnp.zeros(4):
    grads, draw = jax.grad(loss, has_aux=True)(w, rngs, x)
    draws.append(draw)
print(different(draws))

# %% vmap
draws = jax.vmap(noisy, in_axes=(None, 0))(rngs, jnp.zeros(4))
print(different(draws))


# %% scan
def body(rngs, x):
    draw = noisy(rngs, x)
    return rngs, draw


rngs, draws = jax.lax.scan(body, rngs, jnp.zeros(4))
print(different(draws))


# %% while_loop
def body(carry):
    i, rngs, draws = carry
    draw = noisy(rngs, 0.0)
    return i + 1, rngs, draws.at[i].set(draw)


i, rngs, draws = jax.lax.while_loop(
    lambda carry: carry[0] < 4, body, (0, rngs, jnp.zeros(4))
)
print(different(draws))


# %% cond
def skip(rngs, x):
    return x


for x in xs:
    draw = jax.lax.cond(x > 2, noisy, skip, rngs, 0.0)
    draws.append(draw)
print(different(draws[2:]))


# %% checkpoint
@jax.checkpoint
def loss(w, rngs, x):
    draw = noisy(rngs, x)
    return (w + draw) ** 2, draw


for x in jnp.zeros(4):
    grads, draw = jax.grad(loss, has_aux=True)(w, rngs, x)
    draws.append(draw)
print(different(draws))

# %% shard_map
sharded = jax.shard_map(
    noisy, mesh=mesh, in_specs=(P(), P("i")), out_specs=P("i")
)
draws = sharded(rngs, jnp.zeros(4))
print(different(draws))

# %% export
exported = export.export(jax.jit(noisy))(rngs, 0.0)
for x in jnp.zeros(4):
    draws.append(exported.call(rngs, x))
print(different(draws))
