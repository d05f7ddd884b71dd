"""What this chapter says, in asserts for the tests alone."""

# %% after: train-a-line 4
assert losses.shape == (1000,) and losses[-1] < 1e-4
assert abs(one_key_params.weight - 2.5) < 0.01
assert abs(one_key_params.bias + 1) < 0.01
for seed in (1, 42):  # no accident of one seed
    held = jax.random.key(seed)
    found, values = train(zeros, noisy_line(held, held))
    assert values[-1] < 1e-4 and abs(found.weight - 2.5) < 0.01
once, value = update(zeros, batch)
assert jnp.allclose(value, loss(zeros, batch))  # the loss before the step
assert type(once) is Params
assert loss(once, batch) < value


# %% after: train-a-line 5
assert jnp.allclose(2 * noise, xs, atol=1e-5)
assert jnp.allclose(ys, 2.5 * xs - 1, atol=1e-5)


# %% after: train-a-line 6
assert 0.2 < losses[-1] < 0.3
assert abs(two_keys_params.weight - 2) < 0.1
assert abs(two_keys_params.bias + 1) < 0.1
xs, ys = batch
noise = ys - (2 * xs - 1)
assert abs(jnp.corrcoef(xs, noise)[0, 1]) < 0.25


# %% after: train-a-line
assert 0.48 < loss(one_key_params, fresh) < 0.52
assert 0.24 < loss(two_keys_params, fresh) < 0.27
assert (
    f"{loss(one_key_params, noisy_line(key, key)):.2f}" == "0.00"
)  # its own data


# %% after: random-keys
held = jax.random.key(3)
before = jax.random.key_data(held).tolist()
a = jax.random.normal(held)
b, c = jax.random.split(held)
assert jax.random.key_data(held).tolist() == before  # nothing moves it
assert jax.random.normal(held) == a
assert len({float(jax.random.normal(k)) for k in (held, b, c)}) == 3
again = jax.random.split(held)
assert jnp.array_equal(jax.random.key_data(again[0]), jax.random.key_data(b))
assert len({float(n) for n in scanned}) == 3
assert jnp.allclose(jnp.array(numbers), scanned)
assert jnp.isclose(jax.random.normal(held, (128,))[0], a)  # as it happens
assert held.shape == () and keys.shape == (3,)
assert len({float(jax.random.normal(k)) for k in keys}) == 3


# %% after: training-loop 2
assert abs(losses[0] - 7.653) < 0.01 and abs(losses[-1] - 0.254) < 0.01
assert abs(trained.weight - 1.938) < 0.01 and abs(trained.bias + 0.990) < 0.01
old, new = (jax.eval_shape(lambda p: p, p) for p in (params, trained))
assert old == new  # the state contract, with weak types
traces = 0


def counted(params, batch):
    global traces
    traces += 1
    return update(params, batch)


held, other = params, jax.jit(counted)
for _ in range(5):
    held, _ = other(held, batch)
assert traces == 1
for _ in range(5):  # dropping the state: the loss never moves
    _, value = jit_update(params, batch)
assert value == losses[0]
assert losses[400] < 1.05 * losses[-1]
walk, signs, biases = params, [], []
for _ in range(200):
    signs.append(bool(jax.jit(jax.grad(loss))(walk, batch).bias < 0))
    biases.append(float(walk.bias))
    walk, _ = jit_update(walk, batch)
assert signs[100] and not signs[140] and signs == sorted(signs, reverse=True)
assert signs.index(False) in (119, 120, 121)  # where the bias turns around
assert biases[0] < biases[120] > biases[-1]
design = np.stack([np.asarray(batch[0]), np.ones(128)], axis=1)
assert 0 < batch[0].mean() < 0.1  # why the bias rises at first
best = np.linalg.lstsq(design, np.asarray(batch[1]), rcond=None)[0]
assert np.allclose(best, trained, atol=1e-2)  # the least-squares solution


# %% after: training-loop
left_over = ys - (2 * xs - 1)
assert abs(jnp.mean(left_over**2) - 0.25) > 1e-3  # not exactly 0.25
assert losses[-1] < jnp.mean(left_over**2)  # the line absorbs some noise
first = noisy_line(*jax.random.split(jax.random.key(0)))  # of two_keys_params
first_noise = first[1] - (2 * first[0] - 1)
assert first_noise.var() < 0.245
assert loss(two_keys_params, first) < jnp.mean(first_noise**2) < 0.25
assert trained.weight != 2 and trained.bias != -1 and losses[-1] != 0.25
assert params.weight < 0 < trained.weight and 7.6 < losses[0] < 7.8
assert xs.shape == ys.shape == (128,) and len(losses) == 1000
assert all(abs(value - 0.25) < 0.02 for value in losses[400:])
fewer = losses[0] - losses[400]
assert fewer > 0.95 * (losses[0] - losses[-1])
assert abs(loss(two_keys_params, first) - 0.2403) < 1e-4
assert abs(losses[0] - 7.7) < 0.1


# %% after: one-key-two-functions
for seed in (0, 1, 7, 42):
    held = jax.random.key(seed)
    held_xs, held_ys = make_data(held)
    assert jnp.isclose(init(held).weight, held_xs[0])
    held_noise = held_ys - (2 * held_xs - 1)
    assert jnp.isclose(2 * held_noise[0], init(held).bias, atol=1e-4)
    one, two = jax.random.split(held)
    assert not jnp.isclose(init(two).weight, make_data(one)[0][0])
assert abs(start.weight - 0.07592554) < 1e-6
masks = [jax.random.bernoulli(key, 0.5, (4, 5)) for _ in range(2)]
assert jnp.array_equal(*masks)  # two dropout masks of one shape and rate
layers = [jax.random.normal(key, (4, 5)) for _ in range(2)]
assert jnp.array_equal(*layers)
assert not jnp.array_equal(jax.random.uniform(key, (4, 5)), layers[0])
assert xs.size + ys.size == 256
sets = [make_data(key)[0] for _ in range(2)]
assert jnp.array_equal(*sets)
assert xs.shape == (128,)


# %% after: key-reuse-check
prepare(jax.random.key(42))  # the check is off by default


def reuses(program) -> bool:
    try:
        with jax.debug_key_reuse(True):
            program()
    except jax.errors.KeyReuseError:
        return True
    return False


fixed = jax.random.key(42)
jax.clear_caches()  # jax 0.7 skips calls that were compiled before
assert reuses(lambda: noisy_line(fixed, fixed))
assert reuses(lambda: prepare(jax.random.key(7)))
old = jax.random.PRNGKey(42)
assert not reuses(lambda: prepare(old))
assert jnp.isclose(init(old).weight, make_data(old)[0][0])  # reused
# each loop over an array of keys makes its key objects again
rows = jax.random.split(jax.random.key(7), 3)
twice = lambda rows: [jax.random.normal(k) for k in (*rows, *rows)]
assert not reuses(lambda: twice(rows))
assert reuses(lambda: jax.jit(twice)(rows))  # under jit it's found
assert reuses(lambda: [jax.random.normal(rows[0]) for _ in range(2)])
both = jax.random.key(8)  # one key as two arguments of a compiled function
assert not reuses(lambda: jax.jit(noisy_line)(both, both))
assert jnp.array_equal(*[jax.random.normal(both, (3,)) for _ in range(2)])
# a constant key made again in each function isn't the same key object
assert not reuses(
    lambda: (make_data(jax.random.key(42)), init(jax.random.key(42)))
)
assert jnp.isclose(
    init(jax.random.key(42)).weight, make_data(jax.random.key(42))[0][0]
)
assert isinstance(old, jax.Array) and old.dtype == np.uint32
drawn, parted = jax.random.key(5), jax.random.key(5)
jax.random.normal(drawn), jax.random.split(parted)
for used in (drawn, parted):
    assert jax.random.normal(used, (3,)).shape == (3,)  # off: nothing raised
    assert not reuses(lambda: jax.random.normal(used, (2,)))  # used before
assert reuses(lambda: [jax.random.split(fixed) for _ in range(2)])
# the check follows key objects: what is equal but made anew passes
data = jax.random.key_data(jax.random.key(5))
assert not reuses(
    lambda: [
        jax.random.normal(jax.random.wrap_key_data(data)) for _ in range(2)
    ]
)
fold = jax.random.key(5)
assert not reuses(
    lambda: [jax.random.normal(jax.random.fold_in(fold, i)) for i in range(2)]
)


# %% after: shapes-in-the-loss 2
def fits(*shapes) -> bool:
    try:
        jnp.ones(shapes[0]) - jnp.ones(shapes[1])
    except TypeError:
        return False
    return True


assert not fits((128, 1), (64, 2)) and not fits((3,), (4,))
assert column.shape == (128, 1) and ys.shape == (128,)
assert column[:, 0].shape == ys[:, None][:, 0].shape == (128,)
assert loss(params, (column[:, 0], ys)) == loss(params, batch)
both_columns = loss(params, (column, ys[:, None]))
assert jnp.allclose(both_columns, loss(params, batch))
assert losses[-1] < losses[0]
assert abs(flat.weight) < 0.01 and abs(flat.bias - ys.mean()) < 0.01
assert abs(losses[-1] - ys.var()) < 0.05
new_state, _ = jax.eval_shape(update, params, column_batch)
assert new_state == jax.eval_shape(lambda p: p, params)  # contract kept
both, _ = train(params, (xs[:, None], ys[:, None]))
assert abs(both.weight - 1.938) < 0.01  # equal shapes are fine
assert losses[0].round(3) == 4.719 or abs(losses[0] - 4.719) < 0.002
assert abs(loss(params, batch) - 7.653) < 0.01  # still those of the loop


# %% after: shapes-in-the-loss
assert jnp.allclose(checked_loss(params, batch), loss(params, batch))
program = jax.make_jaxpr(checked_loss)(params, batch)
plain = jax.make_jaxpr(loss)(params, batch)
assert len(program.eqns) == len(plain.eqns)  # nothing left of the assert


# %% after: loop-speed 2
assert eager > 3 and jitted > 1
if jax.default_backend() == "cpu":
    assert jitted > 2  # most of the jitted loop isn't what scan does too
looped = loop(jit_update, params, batch, 1000)
whole, _ = train(params, batch)
assert np.allclose(looped, whole, atol=1e-4)
short = loop(update, params, batch, 20)
assert np.allclose(short, loop(jit_update, params, batch, 20), atol=1e-4)
runs = 0


def counted(params, batch):
    global runs
    runs += 1
    return update(params, batch)


loop(counted, params, batch, 10)
assert runs == 10  # eagerly, Python runs each time
traced = []


def watched(params, batch):
    traced.append(isinstance(params.weight, jax.core.Tracer))
    return loss(params, batch)


only_grad = lambda params, batch: (jax.grad(watched)(params, batch), None)
loop(only_grad, params, batch, 10)
assert traced == [True] * 10  # and so does the trace of grad
traced.clear()
loop(jax.jit(only_grad), params, batch, 10)
assert traced == [True]


# %% after: loop-speed
assert np.allclose(numpy_loop(params, batch, 1000), whole, atol=1e-3)
assert by_numpy > 0.05
assert batch[0].shape == (128,) and update.__defaults__ == (0.005,)
assert 2 * 0.005 == 0.01


# %% after: regression-to-copy
assert abs(params.weight - 2) < 0.15 and abs(params.bias + 1) < 0.15
assert xs.size > 100 * 128
assert losses.shape == (500,) and abs(losses[-100:].mean() - 0.251) < 0.003
assert losses[50:150].mean() < 0.27  # converged, and not so at 0.005


def slow_step(params, batch):
    value, grads = jax.value_and_grad(loss)(params, batch)
    return jax.tree.map(lambda p, g: p - 0.005 * g, params, grads), value


start = Params(jax.random.normal(keys[2]), jax.random.normal(keys[3]))
_, slow = jax.lax.scan(slow_step, start, (xs, ys))
assert slow[50:150].mean() > 1.2 * losses[50:150].mean()
