# %% set up
import optax

tx = optax.sgd(0.5, momentum=0.5)
params = jnp.zeros(())
opt_state = tx.init(params)


def loss(params, x):
    return jnp.mean((params - x) ** 2)


def step(params, opt_state, x):
    grads = jax.grad(loss)(params, x)
    updates, opt_state = tx.update(grads, opt_state)
    return optax.apply_updates(params, updates), opt_state


# %% plain
for x in xs:
    params, opt_state = step(params, opt_state, x)
print(opt_state[0].trace)

# %% plain: cond
for x in xs:
    if x > 2:
        params, opt_state = step(params, opt_state, x)
print(opt_state[0].trace)

# %% jit
jitted = jax.jit(step)
for x in xs:
    params, opt_state = jitted(params, opt_state, x)
print(opt_state[0].trace)

# %% plain: vmap
members = [step(params, opt_state, x) for x in xs]
print(jnp.array([opt_state[0].trace for _, opt_state in members]))

# %% vmap
ensemble = jax.vmap(step, in_axes=(0, None, 0))
params, opt_state = ensemble(jnp.zeros(4), opt_state, xs)
print(opt_state[0].trace)


# %% scan
def body(carry, x):
    params, opt_state = step(*carry, x)
    return (params, opt_state), loss(params, x)


(params, opt_state), losses = jax.lax.scan(body, (params, opt_state), xs)
print(opt_state[0].trace)


# %% while_loop
def body(carry):
    i, params, opt_state = carry
    return i + 1, *step(params, opt_state, xs[i])


start = (0, params, opt_state)
i, params, opt_state = jax.lax.while_loop(
    lambda carry: carry[0] < 4, body, start
)
print(opt_state[0].trace)


# %% cond
def skip(params, opt_state, x):
    return params, opt_state


for x in xs:
    params, opt_state = jax.lax.cond(x > 2, step, skip, params, opt_state, x)
print(opt_state[0].trace)

# %% plain: shard_map
params, opt_state = step(params, opt_state, xs)
print(opt_state[0].trace)

# %% shard_map
sharded = jax.shard_map(
    step, mesh=mesh, in_specs=(P(), P(), P("i")), out_specs=P()
)
params, opt_state = sharded(params, opt_state, xs)
print(opt_state[0].trace)


# %% shard_map: fix
def loss(params, x):
    return jax.lax.pmean(jnp.mean((params - x) ** 2), "i")


sharded = jax.shard_map(
    step, mesh=mesh, in_specs=(P(), P(), P("i")), out_specs=P()
)
params, opt_state = sharded(params, opt_state, xs)
print(opt_state[0].trace)

# %% export
exported = export.export(jax.jit(step))(params, opt_state, xs[0])
for x in xs:
    params, opt_state = exported.call(params, opt_state, x)
print(opt_state[0].trace)
