# %% set up
key = jax.random.key(0)
draws = []


def noise():
    global key
    key, subkey = jax.random.split(key)
    return jax.random.normal(subkey)


def different(draws):
    return len(set(jnp.ravel(jnp.array(draws)).tolist()))


# %% plain
draws = [noise() for x in xs]
print(different(draws))

# %% plain: cond
draws = [noise() for x in xs if x > 2]
print(different(draws))


# %% jit
@jax.jit
def predict(x):
    return w * x, noise()


for x in xs:
    y, draw = predict(x)
    draws.append(draw)
print(different(draws))


# %% grad
def loss(w, x):
    draw = noise()
    return (w * x + draw) ** 2, draw


for x in xs:
    grads, draw = jax.grad(loss, has_aux=True)(w, x)
    draws.append(draw)
print(different(draws))


# %% vmap
def predict(x):
    return w * x, noise()


ys, draws = jax.vmap(predict)(xs)
print(different(draws))


# %% scan
def body(carry, x):
    return carry, noise()


carry, draws = jax.lax.scan(body, None, xs)
print(different(draws))


# %% while_loop
def body(carry):
    i, draws = carry
    return i + 1, draws.at[i].set(noise())


i, draws = jax.lax.while_loop(
    lambda carry: carry[0] < 4, body, (0, jnp.zeros(4))
)
print(different(draws))


# %% cond
def skip():
    return jnp.zeros(())


for x in xs:
    draw = jax.lax.cond(x > 2, noise, skip)
    draws.append(draw)
print(different(draws[2:]))


# %% checkpoint
@jax.checkpoint
def loss(w, x):
    draw = noise()
    return (w * x + draw) ** 2, draw


for x in xs:
    grads, draw = jax.grad(loss, has_aux=True)(w, x)
    draws.append(draw)
print(different(draws))


# %% shard_map
def predict(x):
    return w * x + noise()


sharded = jax.shard_map(predict, mesh=mesh, in_specs=P("i"), out_specs=P("i"))
draws = sharded(jnp.zeros(4))
print(different(draws))

# %% export
exported = export.export(jax.jit(noise))()
for x in xs:
    draws.append(exported.call())
print(different(draws))
