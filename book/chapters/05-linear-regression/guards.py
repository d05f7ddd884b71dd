"""What this chapter says, in asserts for the tests alone."""

# %% after: title
# no warning, no error; the state keeps its structure, shapes and dtypes
import warnings

with warnings.catch_warnings():
    warnings.simplefilter("error")
    _flat, _losses = train(zeros, (x, y))
assert x.shape == (128, 1) and y.shape == (128,)
assert all(b <= a + 1e-5 for a, b in zip(_losses, _losses[1:]))
_old, _new = (jax.eval_shape(lambda p: p, p) for p in (zeros, _flat))
assert _old == _new
assert abs(_flat.weight[0, 0]) < 1e-4
assert jnp.allclose(_flat.bias, y.mean(), atol=1e-4)
assert jnp.allclose(_losses[-1], y.var(), atol=1e-3)
# other starts end at the same flat line
for _seed in (1, 2):
    _w = jax.random.normal(jax.random.key(_seed), (1, 1))
    _p, _ = train(Params(_w, jnp.ones(1)), (x, y))
    assert abs(_p.weight[0, 0]) < 1e-4


# %% after: shapes-in-the-loss
def _fits(one, other):
    try:
        return (jnp.ones(one) - jnp.ones(other)).shape
    except (TypeError, ValueError) as error:
        return type(error)


assert _fits((128, 1), (128,)) == (128, 128) == _fits((128,), (128, 1))
assert _fits((128, 1), (64,)) == (128, 64)  # not even equal counts are needed
assert _fits((3,), (4,)) is TypeError
assert _fits((128, 2), (128,)) is ValueError  # of other numbers of axes
# NumPy's arrays do the same
assert (np.ones((128, 1)) - np.ones(128)).shape == (128, 128)
# the initial loss is the same, since all predictions are 0
assert jnp.allclose(loss_fn(zeros, (x, y)), loss_fn(zeros, (x, column)))
# the least-squares solution, not exactly 2 and -1
_design = np.concatenate([x, np.ones((128, 1))], axis=1)
_best = np.linalg.lstsq(_design, np.asarray(y), rcond=None)[0]
_found = [good_params.weight[0, 0], good_params.bias[0]]
assert np.allclose(_best, _found, atol=1e-3)
assert abs(_found[0] - 1.9915) < 1e-3 and abs(_found[1] + 1.0926) < 1e-3
_noise = column - (2 * x - 1)
assert losses[-1] < jnp.mean(_noise**2) < 0.25  # the line follows some noise
# the other direction: predictions as (128,)
assert jnp.allclose(
    jnp.mean((predict(good_params, x)[:, 0] - y) ** 2), losses[-1], atol=1e-4
)
# the assert costs nothing in the program
_with = jax.make_jaxpr(checked_loss)(zeros, (x, column))
_without = jax.make_jaxpr(loss_fn)(zeros, (x, column))
assert len(_with.eqns) == len(_without.eqns)
# one example: the fault can't be seen
_one = [loss_fn(good_params, (x[:1], t)) for t in (y[:1], column[:1])]
assert jnp.allclose(*_one)
try:
    checked_loss(good_params, (x[:1], y[:1]))
    raise SystemError("no error")
except AssertionError:
    pass  # and the assert finds it there too
# a loss of one example under vmap: shapes (1,) and (), and the value is right
_each = jax.vmap(
    lambda p, x, y: jnp.mean((predict(p, x) - y) ** 2), (None, 0, 0)
)
assert jnp.allclose(_each(good_params, x, y).mean(), losses[-1], atol=1e-4)
# two transformations: jit of grad runs the assert at trace time too
try:
    jax.jit(jax.grad(checked_loss))(zeros, (x, y))
    raise SystemError("no error")
except AssertionError:
    pass
# python -O drops an assert; an if with raise stays
_said = _subprocess.run(
    [_sys.executable, "-O", "-c", "assert False; print(1)"],
    capture_output=True,
    text=True,
)
assert _said.stdout.strip() == "1"


# %% after: what-the-loss-compared 1
# over every pair, a row costs the variance of y and the square of how far its
# prediction is from the mean of y; so for any line
for _params in (first_params, good_params, zeros, Params(d[:1], d[0])):
    _p = predict(_params, x)
    _rows = jnp.mean((_p - y) ** 2, axis=1)
    _d = _p[:, 0] - y.mean()
    assert jnp.allclose(_rows, y.var() + _d**2, atol=1e-3)
    _loss = loss_fn(_params, (x, y))
    assert jnp.allclose(_loss, y.var() + jnp.mean(_d**2), atol=1e-3)
assert abs((y - y.mean()).mean()) < 1e-5  # the middle term vanishes
assert abs(jnp.mean(d**2) - 5.2671) < 1e-3
# the picture's numbers, and the card's
for _data, _flat_loss, _good_loss in (
    ((x, y), 5.51, 10.77),
    ((x, column), 5.51, 0.24),
):
    assert abs(loss_fn(first_params, _data) - _flat_loss) < 0.005
    assert abs(loss_fn(good_params, _data) - _good_loss) < 0.005
assert abs(loss_fn(good_params, (x, y)) - 10.774) < 1e-3
# nothing is lower than the flat line at the mean
for _seed in range(5):
    _keys = jax.random.split(jax.random.key(_seed))
    _other = Params(
        jax.random.normal(_keys[0], (1, 1)), jax.random.normal(_keys[1], (1,))
    )
    assert loss_fn(_other, (x, y)) > loss_fn(first_params, (x, y)) - 1e-4
assert 128 * 128 == 16384
assert 128 / 16384 < 0.008  # the share of the own pairs


# %% after: what-the-loss-compared
# equal shapes, wrong pairs: the assert passes
assert shuffled[:, None].shape == x.shape
assert checked_loss(params, (x, shuffled[:, None])) > 5
assert losses[-1] < y.var()  # two parameters follow the chance of a shuffle
assert 0.2 < abs(params.weight[0, 0]) < 0.4  # a slight trend, not a flat line
_order = jax.random.permutation(jax.random.key(5), 128)
_p, _l = train(zeros, (x[_order], y[_order][:, None]))  # both alike: right
assert jnp.allclose(_l[-1], 0.2403, atol=1e-3)
# each shuffle gives the flat line, for shape (128,)
for _seed in (1, 2, 3):
    _p, _l = train(
        zeros, (x, jax.random.permutation(jax.random.key(_seed), y))
    )
    assert abs(_p.weight[0, 0]) < 1e-4 and jnp.allclose(
        _l[-1], y.var(), atol=1e-3
    )


# %% after: random-keys 1
_held = jax.random.key(3)
_before = jax.random.key_data(_held).tolist()
_a = jax.random.normal(_held)
_b, _c = jax.random.split(_held)
assert jax.random.key_data(_held).tolist() == _before  # nothing moves it
assert jax.random.normal(_held) == _a
_again = jax.random.split(_held)
assert jnp.array_equal(jax.random.key_data(_again[0]), jax.random.key_data(_b))
assert len({float(jax.random.normal(k)) for k in (_held, _b, _c)}) == 3
assert _held.shape == () and keys.shape == (3,)
assert (
    jax.random.normal(jax.random.key(3)) == _a
)  # the same seed, the same key
# under jit a key is an argument like others
assert jnp.allclose(jax.jit(jax.random.normal)(_held), _a)


# %% after: random-keys
assert losses[-1] < 1e-6 and abs(one_key_params.weight[0, 0] - 2.5) < 1e-3
assert abs(one_key_params.bias[0] + 1) < 1e-3
_x, _y = one_key_data
assert jnp.allclose(_y, 2.5 * _x - 1, atol=1e-5)  # not a cloud: a line
assert jnp.allclose(_y - (2 * _x - 1), _x / 2, atol=1e-5)
for _seed in (1, 42):  # no accident of one seed
    _key = jax.random.key(_seed)
    _p, _l = train(zeros, noisy_line(_key, _key))
    assert _l[-1] < 1e-4 and abs(_p.weight[0, 0] - 2.5) < 0.01
# a line that fits follows some noise: a little below the variance is normal
assert abs(checked_loss(good_params, (x, column)) - 0.240) < 1e-3
# the shapes are equal, so the assert passes
assert checked_loss(one_key_params, one_key_data) < 1e-6
# another distribution doesn't help: uniform positions, normal noise
_u = jax.random.uniform(jax.random.key(0), (1000,))
_e = jax.random.normal(jax.random.key(0), (1000,))
assert jnp.corrcoef(_u, _e)[0, 1] > 0.95
_e = jax.random.normal(jax.random.split(jax.random.key(0))[1], (1000,))
assert abs(jnp.corrcoef(_u, _e)[0, 1]) < 0.1


# %% after: fresh-data
assert 0.48 < checked_loss(one_key_params, fresh) < 0.52
assert 0.24 < checked_loss(good_params, fresh) < 0.27
assert abs(checked_loss(first_params, fresh) - fresh[1].var()) < 0.05
assert fresh[0].shape == fresh[1].shape == (10_000, 1)
# fresh points don't show the fault of shapes by themselves: the loss needs
# equal shapes, and something to compare with
assert abs(loss_fn(first_params, (fresh[0], fresh[1][:, 0])) - 4.37) < 0.01
assert loss_fn(good_params, (fresh[0], fresh[1][:, 0])) > 8
assert checked_loss(one_key_params, same_fault) < 1e-4
# what the sum is made of: 0.25 of the noise, 0.25 of the slope's error of 0.5
_x2 = jnp.mean(fresh[0] ** 2)
assert abs(_x2 - 1) < 0.05
_parts = 0.25 + 0.5**2 * _x2
assert abs(checked_loss(one_key_params, fresh) - _parts) < 0.02
assert f"{checked_loss(one_key_params, one_key_data):.4f}" == "0.0000"
assert x.shape == (128, 1)


# %% after: one-key-two-functions
for _seed in (0, 1, 7, 42):
    _key = jax.random.key(_seed)
    _x, _y = make_data(_key)
    assert jnp.isclose(init(_key).weight[0, 0], _x[0, 0])
    _noise = _y - (2 * _x - 1)
    assert jnp.isclose(2 * _noise[0, 0], init(_key).bias[0], atol=1e-4)
    _one, _two = jax.random.split(_key)
    assert not jnp.isclose(init(_two).weight[0, 0], make_data(_one)[0][0, 0])
_key = jax.random.key(42)
_masks = [jax.random.bernoulli(_key, 0.5, (4, 5)) for _ in range(2)]
assert jnp.array_equal(*_masks)  # two dropout masks of one shape and rate
_layers = [jax.random.normal(_key, (4, 5)) for _ in range(2)]
assert jnp.array_equal(*_layers)
assert not jnp.array_equal(jax.random.uniform(_key, (4, 5)), _layers[0])
# training forgets the start: here the shared numbers do no harm
_p, _l = train(init(_key), make_data(_key))
_q, _m = train(zeros, make_data(_key))
assert jnp.allclose(_p.weight, _q.weight, atol=1e-3)


# a step that hands its key on: a loop and scan agree
def _draw(key, _):
    key, subkey = jax.random.split(key)
    return key, jax.random.normal(subkey)


_k, _numbers = jax.random.key(4), []
for _ in range(3):
    _k, _n = _draw(_k, None)
    _numbers.append(_n)
_, _scanned = jax.lax.scan(_draw, jax.random.key(4), length=3)
assert jnp.allclose(jnp.array(_numbers), _scanned)
assert len({float(n) for n in _numbers}) == 3
# and the loop passes the check
with jax.debug_key_reuse(True):
    _k = jax.random.key(4)
    for _ in range(3):
        _k, _s = jax.random.split(_k)
        jax.random.normal(_s)


# %% after: key-reuse-check
one_for_both(jax.random.key(42))  # the check is off by default


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
assert reuses(lambda: one_for_both(jax.random.key(7)))
old = jax.random.PRNGKey(42)
assert not reuses(lambda: one_for_both(old))
assert jnp.isclose(init(old).weight[0, 0], make_data(old)[0][0, 0])  # reused
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


# %% after: back-to-the-issue 1
assert jnp.allclose(labels.mean(), 0.5) and jnp.allclose(labels.var(), 0.25)
assert losses[-1] < 0.1 and jnp.issubdtype(labels.dtype, jnp.integer)
_p, _l = train(start, (points, labels))
assert jnp.allclose(_p.weight, 0, atol=1e-4) and abs(_l[-1] - 0.25) < 1e-4
_p, _l = train(start, (points, labels[:, None]))
assert ((predict(_p, points)[:, 0] > 0.5) == labels).mean() >= 0.88


# %% after: back-to-the-issue
try:
    optax.l2_loss(predictions, labels)
    raise SystemError("no error")
except ValueError as error:
    assert "Shape mismatch" in str(error)
# the bias of shape (1,) is what it refuses, with the right shapes as well;
# with (1, 1) those pass
for _targets in (labels, labels[:, None]):
    try:
        with jax.numpy_rank_promotion("raise"):
            loss_fn(params, (points, _targets))
        raise SystemError("no error")
    except ValueError as error:
        assert "shapes (100, 1) (1,)" in str(error)
_p = Params(params.weight, params.bias[None])
with jax.numpy_rank_promotion("raise"):
    loss_fn(_p, (points, labels[:, None]))
    try:
        loss_fn(_p, (points, labels))
        raise SystemError("no error")
    except ValueError:
        pass


# %% after: regression-to-copy
assert abs(params.weight[0, 0] - 2) < 0.15 and abs(params.bias[0] + 1) < 0.15
assert 0.2 < loss < 0.3 and 0.24 < loss_fn(params, fresh) < 0.28
try:
    loss_fn(params, (data[0], data[1][:, 0]))
    raise SystemError("no error")
except AssertionError:
    pass
