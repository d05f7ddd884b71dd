"""What this chapter says, in asserts for the tests alone."""

# %% after: title 2
_start = {"weight": jnp.float32(0), "bias": jnp.float32(0)}
assert params["weight"] == params["bias"] == 0
assert all(g == 0 for g in grads.values())
assert abs(loss - 28.4509) < 1e-3
# it isn't the learning rate, and jit prints the same
for _rate in (0.01, 1.0, 100.0):
    _p = jax.tree.map(lambda p, g: p - _rate * g, params, grads)
    assert all(v == 0 for v in _p.values())
_jitted, _zeros = jax.jit(jax.value_and_grad(loss_fn))(params, data)
assert _jitted == loss and all(g == 0 for g in _zeros.values())
# the value is right as long as the global holds what is passed
_x, _y = data
_real = jnp.mean((params["weight"] * _x + params["bias"] - _y) ** 2)
assert jnp.allclose(loss, _real)


# %% after: gradient-of-the-loss 1
_far = {"weight": jnp.float32(1e6), "bias": jnp.float32(-5)}
assert loss_fn(_far, data) == loss_fn(params, data)
assert loss_fn(None, data) == loss_fn(params, data)  # anything goes
_kept = params
del params  # without the global, the line that reads it raises
assert _raises(NameError, "params", loss_fn, other, data)
params = _kept
# both checkers find nothing: the gradient of this function is 0
from jax.test_util import check_grads as _check_grads

_check_grads(lambda p: loss_fn(p, data), (params,), order=1, modes="rev")
_up = params | {"weight": params["weight"] + 0.01}
assert loss_fn(_up, data) == loss_fn(params, data)
# NumPy and Python floats as parameters don't change that
for _kind in (float, np.float32, np.float64):
    _zero = {name: _kind(0) for name in params}
    assert all(g == 0 for g in jax.grad(loss_fn)(_zero, data).values())


# what counts is whether the value is computed from the argument
class _Line:
    def __init__(self):
        self.weight = jnp.float32(1)

    def loss(self, x):
        return jnp.sum(self.weight * x)

    def other(self, weight, x):
        return jnp.sum(self.weight * x)


_line = _Line()
assert jax.grad(_line.loss)(jnp.ones(3)).tolist() == [1, 1, 1]  # by x
assert jax.grad(_line.other)(jnp.float32(1), _x) == 0  # an attribute


def _default(weight, x=_x, read=jnp.float32(1)):
    return jnp.sum(read * x)


assert jax.grad(_default)(jnp.float32(1)) == 0  # a default argument


def _inner(p, data):
    x, y = data

    def predict(x):
        return p["weight"] * x + p["bias"]  # a closure over the argument

    return jnp.mean((predict(x) - y) ** 2)


_grads = jax.grad(_inner)(_start, data)
assert all(abs(g) > 1 for g in _grads.values())
# rebinding the global to the argument works, and leaves a tracer behind
_held = {}


def _stores(p, data):
    _held.update(p)
    x, y = data
    return jnp.mean((_held["weight"] * x + _held["bias"] - y) ** 2)


assert all(abs(g) > 1 for g in jax.grad(_stores)(_start, data).values())
assert isinstance(_held["weight"], jax.core.Tracer)
try:
    _held["weight"] + 1
except jax.errors.UnexpectedTracerError:
    pass
else:
    raise AssertionError
# one parameter read from the argument, the other from the global
_mixed = jax.grad(
    lambda p, d: jnp.mean((p["weight"] * d[0] + params["bias"] - d[1]) ** 2)
)(_start, data)
assert _mixed["bias"] == 0 and abs(_mixed["weight"]) > 1
# two gradients: what is constant for the inner one isn't for the outer
_twice = jax.grad(lambda a: jax.grad(lambda b: a * b**2)(a))
assert _twice(3.0) == 12.0  # of 2 a**2
assert jax.grad(lambda b: 3.0 * b**2)(3.0) == 18.0


# %% after: gradient-of-the-loss
assert loss_fn(params, data) == half_fixed(params, data)
_half = {"weight": jnp.float32(0), "bias": jnp.float32(0)}
for _ in range(3):
    _slopes = jax.grad(half_fixed)(_half, data)
    _half = jax.tree.map(lambda p, g: p - 0.1 * g, _half, _slopes)
assert _half["bias"] == 0 and _half["weight"] != 0  # half of it trains
_best = np.polyfit(km, minutes, 1)
assert abs(params["weight"] - _best[0]) < 2e-3
assert abs(params["bias"] - _best[1]) < 2e-3
_true = {"weight": jnp.float32(3), "bias": jnp.float32(2)}
assert loss < loss_fn(_true, data)  # the noise: 3 and 2 aren't the minimum
assert km.dtype == np.float64 and data[0].dtype == jnp.float32
assert jax.tree.structure(grads) == jax.tree.structure(params)
assert list(grads) == ["bias", "weight"]  # sorted keys
# grad takes a function and returns one, and runs nothing before the call
_runs = []


def _noted(x):
    _runs.append("run")
    return x**3


_gradient = jax.grad(_noted)
assert len(_runs) == 0 and callable(_gradient)
_gradient(4.0)
assert len(_runs) == 1
_cube = lambda x: x**3
assert jax.grad(_cube)(4.0) == 48 and jax.grad(jax.grad(_cube))(4.0) == 24
# a parameter that isn't used gets zeros, not None and no error
_unused = jax.grad(lambda p: p["w"] ** 2)({"w": 1.0, "rest": jnp.ones(3)})
assert _unused["rest"].tolist() == [0, 0, 0]


# %% after: gradient-by-hand 1
assert [round(float(jax.grad(by_weight)(w)), 2) for w in (1.0, 3.0, 4.5)] == [
    -5.4,
    -0.12,
    3.85,
]


# %% after: gradient-by-hand
for _name in start:
    _u = loss_fn(start | {_name: start[_name] + h}, data)
    _d = loss_fn(start | {_name: start[_name] - h}, data)
    assert abs((_u - _d) / (2 * h) - grads[_name]) < 0.01
assert round(float(grads["weight"]), 2) == -5.4  # as in the plot
_check_grads(lambda p: loss_fn(p, data), (start,), order=1, modes="rev")
# the rules are exact for smooth functions; at a kink JAX picks a value
_kink = jax.grad(lambda v: jax.nn.relu(v) - jax.nn.relu(-v))(0.0)
assert _kink == 0  # the function is v, so its slope is 1
# a step along the gradient raises the loss, against it lowers it
for _sign in (1, -1):
    _to = jax.tree.map(lambda p, g: p + _sign * 0.01 * g, start, grads)
    assert _sign * (loss_fn(_to, data) - loss_fn(start, data)) > 0


# %% after: grad-and-argnums 2
assert weight.shape == x.shape == (64,)
_right = jnp.float32(0.5)
for _ in range(200):
    _right = _right - 0.5 * jax.grad(trip_loss, argnums=2)(x, y, _right)
assert trip_loss(x, y, weight) < trip_loss(x, y, _right) / 5  # looks better
# why it falls: both factors of the error are positive on the whole way
_each = jnp.float32(0.5)
for _ in range(200):
    _each = _each - 0.5 * jax.grad(trip_loss)(x, y, _each)
    assert (_each > 0).all()
assert (x > 0).all() and jnp.allclose(_each, weight, atol=1e-3)
_squared = lambda x, y, w: (w * x + 2 - y) ** 2
_e = 1.5 * x[0] + 2 - y[0]
_by_x, _by_w = jax.grad(_squared, argnums=(0, 2))(x[0], y[0], 1.5)
assert jnp.allclose(_by_x, 2 * _e * 1.5) and jnp.allclose(_by_w, 2 * _e * x[0])
# a small multiple of either makes every trip's error smaller; all of it doesn't
_errors = 0.5 * x + 2 - y
for _slope in (2 * _errors * 0.5, 2 * _errors * x):
    _after = (0.5 - 0.1 * _slope) * x + 2 - y
    assert (jnp.abs(_after) < jnp.abs(_errors)).all()
assert (jnp.abs((0.5 - _slope) * x + 2 - y) > jnp.abs(_errors)).any()
# from zero the weights stay at zero: the gradient by x has the factor weight
_zero = jnp.float32(0)
for _ in range(10):
    _zero = _zero - 0.5 * jax.grad(trip_loss)(x, y, _zero)
assert _zero.shape == (64,) and not _zero.any()
# the weights don't fit other data: loud with another number of trips
assert _raises(TypeError, "", lambda: trip_loss(x[:4], y[:4], weight))
_shuffled = trip_loss(x[::-1], y[::-1], weight)
assert _shuffled > 1  # silent with as many trips, and wrong
# one trip at a time: the shapes agree, and nothing shows the mistake
_one = jnp.float32(0.5)
for _ in range(3):
    for _trip in zip(x, y):
        _one = _one - 0.1 * jax.grad(trip_loss)(*_trip, _one)
assert _one.shape == () and abs(_one - 2.728) < 0.01
assert 0.35 < trip_loss(x, y, _one) < 0.4 and trip_loss(x, y, _right) < 0.25
# one example with as many features as weights: the weights only scale
_vector = lambda x, y, w: (w @ x - y) ** 2
_w = jnp.array([1.0, 2.0])
for _ in range(200):
    _w = _w - 0.05 * jax.grad(_vector)(jnp.ones(2), 1.0, _w)
assert abs(_w.sum() - 1) < 0.01 and abs(_w[1] / _w[0] - 2) < 1e-3
# a dict of parameters makes it loud
_data_first = lambda data, params: loss_fn(params, data)
_wrong = jax.grad(_data_first)(data, start)
assert isinstance(_wrong, tuple) and _wrong[0].shape == (64,)
assert _raises(
    ValueError,
    "",
    lambda: jax.tree.map(lambda p, g: p - 0.1 * g, start, _wrong),
)
import optax as _optax

_tx = _optax.adam(0.1)
try:
    _tx.update(_wrong[0], _tx.init(start), start)
except TypeError as _error:  # optax 366, 808
    assert "'float' and 'dict'" in str(_error)
else:
    raise AssertionError
# integer data first is loud as well
assert _raises(
    TypeError,
    "int32",
    lambda: jax.grad(trip_loss)(jnp.arange(3), y[:3], jnp.float32(1)),
)


# %% after: grad-and-argnums
assert weight.shape == () and abs(weight - 3.0437) < 1e-3
assert isinstance(both, tuple) and both[0].shape == (64,)
_single = jax.grad(trip_loss, argnums=(2,))(x, y, weight)
assert isinstance(_single, tuple) and len(_single) == 1
_last = jax.grad(trip_loss, argnums=-1)(x, y, weight)
assert jnp.allclose(_last, _single[0])
jax.grad(trip_loss)(x, y=y, weight=weight)  # the others may be named
# positions of a bound method are counted without self
assert jax.grad(_line.other, argnums=1)(weight, x).shape == (64,)
# partial: positions are those of what is left
import functools as _functools

_left = _functools.partial(trip_loss, x, y)
assert jnp.allclose(jax.grad(_left)(weight), _last)
# what another argument brings is a constant, wherever it was computed
_target = 2.0 * weight + 1  # from the same weight, outside the loss
_td = lambda w, target: (2.0 * w - target) ** 2
assert jnp.allclose(jax.grad(_td)(weight, _target), 4 * (2 * weight - _target))
_joined = jax.grad(lambda w: _td(w, 2.0 * w + 1))(weight)
assert _joined == 0  # inside, the target moves along
# axes are mapped first, then positions: gradients per trip
_each = jax.vmap(jax.grad(trip_loss, argnums=2), in_axes=(0, 0, None))
assert _each(x, y, weight).shape == (64,)
assert jnp.allclose(_each(x, y, weight).mean(), _last, atol=1e-4)


# %% after: value-and-grad
assert loss == loss_fn(start, data) and loss_fn(new_params, data) < loss
assert start["weight"] == 1 and start["bias"] == 2  # not changed
_runs.clear()


def _counted(params, data):
    _runs.append("run")
    return loss_fn(params, data)


jax.value_and_grad(_counted)(start, data)
assert len(_runs) == 1  # value and gradient from one run
_counted(start, data), jax.grad(_counted)(start, data)
assert len(_runs) == 3  # one each
try:
    start - jax.grad(loss_fn)(start, data)
except TypeError:
    pass
else:
    raise AssertionError
for _ in range(3):
    _, _loss = update(start, data)
assert _loss == loss  # a result that isn't assigned
for _dtype in (jnp.float16, jnp.bfloat16, jnp.float32):
    _p = {k: jnp.asarray(v, _dtype) for k, v in start.items()}
    assert all(g.dtype == _dtype for g in jax.grad(loss_fn)(_p, data).values())
_pair = jax.value_and_grad(loss_fn)(start, data)
assert isinstance(_pair, tuple) and len(_pair) == 2


# %% after: training-loop 1
assert len(path) - 1 == 160 and loss_fn(params, data) < 0.35
_parts = [jax.grad(loss_fn)(start, (x[k::2], y[k::2])) for k in (0, 1)]
_whole = jax.grad(loss_fn)(start, data)
for _name in _whole:  # equal parts: the mean of their gradients
    _mean = (_parts[0][_name] + _parts[1][_name]) / 2
    assert jnp.allclose(_mean, _whole[_name], atol=1e-3)
_uneven = [jax.grad(loss_fn)(start, (x[s], y[s])) for s in np.s_[:4, 4:]]
_mean = (_uneven[0]["weight"] + _uneven[1]["weight"]) / 2
assert abs(_mean - _whole["weight"]) > 1e-2  # not for parts of other sizes


# %% after: training-loop
assert len(whole) == len(path)
_losses = [float(loss_fn(p, data)) for p in whole]
assert all(b <= a + 1e-5 for a, b in zip(_losses, _losses[1:]))
_noisy = [float(loss_fn(p, data)) for p in path]
assert sum(b > a for a, b in zip(_noisy, _noisy[1:])) > 20  # it wanders
assert loss_fn(whole[-1], data) < loss_fn(path[-1], data)


# %% after: what-grad-accepts
def _message(function, *args, **options):
    try:
        jax.grad(function, **options)(*args)
    except TypeError as error:
        return str(error)
    raise AssertionError


assert "(64,)" in _message(squared_errors, start, data)
assert "(1,)" in _message(lambda v: v[:1] ** 2, jnp.ones(3))
assert "int32" in _message(loss_fn, {"weight": 1, "bias": 0.0}, data)
assert "bool" in _message(lambda v: v * 1.0, jnp.array(True))
_sum = jax.grad(lambda p: jnp.sum(squared_errors(p, data)))(start)
_mean = jax.grad(loss_fn)(start, data)
assert abs(_sum["weight"] / _mean["weight"] - 64) < 0.01
_int = {"weight": 1.0, "bias": 0}
_allowed = jax.grad(loss_fn, allow_int=True)(_int, data)
assert _allowed["bias"].dtype == jax.dtypes.float0
_, _pull = jax.vjp(lambda p: loss_fn(p, data), _int)
assert _pull(jnp.float32(1))[0]["bias"].dtype == jax.dtypes.float0
assert jax.grad(loss_fn)(_int | {"bias": 0.0}, data)["bias"] != 0
# integers in an argument that isn't differentiated are fine
_labels = jnp.array([0, 1, 1])
assert jax.grad(lambda w, t: jnp.mean((w - t) ** 2))(0.5, _labels).shape == ()
assert jax.grad(lambda v: v * 2.0)(np.float64(1)) == 2


# %% after: when-the-gradient-is-zero
assert accuracy(guess) == 0.75
_right = (guess["weight"] * hours + guess["bias"] > 0) == passed
assert _right.tolist() == [True, False, True, True]
assert accuracy({"weight": 1.01, "bias": -1.0}) == 0.75
assert accuracy({"weight": 0.6, "bias": -1.0}) == 1.0
# the height of a step: one student of four
assert accuracy({"weight": 0.6, "bias": -1.0}) - accuracy(guess) == 0.25
for _weight in (-1.0, 0.3, 2.0, 2 / 3):
    _jump = jax.grad(accuracy)({"weight": _weight, "bias": -1.0})
    assert _jump["weight"] == _jump["bias"] == 0
_rounded = jax.grad(lambda v: jnp.sum(jnp.round(v)))(jnp.ones(3))
assert _rounded.tolist() == [0, 0, 0]
_beside = jax.grad(lambda w: (jnp.round(w) - 1) ** 2 + w**2)(2.2)
assert abs(_beside - 4.4) < 1e-5  # another path stays
assert jax.grad(lambda w: (jnp.round(w) - 1) ** 2)(2.2) == 0
_cast = jax.grad(lambda v: jnp.argmax(v).astype(jnp.float32))(jnp.ones(3))
assert _cast.tolist() == [0, 0, 0]
for _function in (jnp.argmax, lambda v: jnp.sum(v > 0)):
    _message(_function, jnp.ones(3))
assert jax.grad(lambda w: jax.lax.stop_gradient(w) * 2.0)(1.0) == 0
# jax 2097: the labels stand where the prediction belongs
_t = jnp.array([0.1, 0.9])


def _labels_twice(w):
    p = jax.nn.sigmoid(w * _t)
    return -jnp.sum(_t * jnp.log(_t) + (1 - _t) * jnp.log(1 - _t))


assert jax.grad(_labels_twice)(0.3) == 0
# a zero isn't always a mistake: at a minimum, behind a dead ReLU, and
# for the first of two layers while the second is still zero
assert jax.grad(lambda w: (w - 2) ** 2)(2.0) == 0
assert jax.grad(lambda w: jax.nn.relu(w * 3.0))(-1.0) == 0
_two = {"first": jnp.ones(2), "second": jnp.zeros(2)}
_net = lambda p: (p["second"] @ jnp.tanh(p["first"]) - 1) ** 2
_grads = jax.grad(_net)(_two)
assert not _grads["first"].any() and _grads["second"].any()
_rows = jax.grad(lambda t: jnp.sum(t[jnp.array([0, 2])] ** 2))(jnp.ones(4))
assert _rows.tolist() == [2, 0, 2, 0]  # rows that the batch didn't use


# %% after: has-aux
_message(loss_and_metrics, start, data)  # a pair without has_aux
_three = lambda p, d: (*loss_and_metrics(p, d), 0.0)
_message(_three, start, data, has_aux=True)
_message(loss_fn, start, data, has_aux=True)
jax.grad(lambda p, d: (loss_fn(p, d), (1, 2, "x")), has_aux=True)(start, data)
_grads, _metrics = jax.grad(loss_and_metrics, has_aux=True)(start, data)
assert set(_grads) == set(start) and set(_metrics) == {"worst"}
assert not isinstance(_metrics["worst"], jax.core.Tracer)
assert jnp.allclose(_grads["bias"], plain["bias"])
# swapped, the metric is differentiated: silent if it is a scalar
_swapped = lambda p, d: (jnp.max(jnp.abs(d[1] - p["weight"])), loss_fn(p, d))
_grads, _aux = jax.grad(_swapped, has_aux=True)(start, data)
_message(lambda p, d: loss_and_metrics(p, d)[::-1], start, data, has_aux=True)
assert _aux == loss_fn(start, data) and _grads["bias"] == 0
# aux isn't differentiated by this grad; by an outer one it is
_outer = jax.grad(
    lambda w: jax.grad(lambda v: (v**2, w * v), has_aux=True)(w)[1]
)
assert _outer(3.0) == 6.0  # of w * w
# a list in place of aux holds tracers, and one entry under jit
_seen = []


def _leaking(p, d):
    x, y = d
    _seen.append(jnp.max(jnp.abs(predict(p, x) - y)))
    return loss_fn(p, d)


jax.grad(_leaking)(start, data)
assert isinstance(_seen[0], jax.core.Tracer)
for _read in (lambda v: v + 1, float):
    assert _raises(
        (
            jax.errors.UnexpectedTracerError,
            jax.errors.ConcretizationTypeError,
        ),
        "",
        lambda: _read(_seen[0]),
    )
_seen.clear()
_step = jax.jit(jax.grad(_leaking))
for _ in range(3):
    _step(start, data)
assert len(_seen) == 1
# no-backward: nothing accumulates, and nothing is stored
_once, _again = (jax.grad(loss_fn)(start, data) for _ in range(2))
assert _once["weight"] == _again["weight"]
assert not hasattr(start["weight"], "grad")


# %% after: complete-cell
assert abs(loss - 0.2419) < 1e-3
for _dtype in (jnp.float16, jnp.bfloat16, jnp.float32):
    _first = {"weight": _dtype(0), "bias": _dtype(0)}
    _second, _ = update(_first, data)
    assert all(_leaf.dtype == _dtype for _leaf in jax.tree.leaves(_second))
_runs.clear()


@jax.jit
def _counted_update(params, data):
    _runs.append("run")
    return update(params, data)


_p = {"weight": jnp.float32(0), "bias": jnp.float32(0)}
for _ in range(5):
    _p, _ = _counted_update(_p, data)
assert len(_runs) == 1  # Python runs the body once


# %% after: back-to-the-issue
_slopes = [jax.grad(loss_of)(model)["rate"] for loss_of in losses.values()]
_by_hand = -jnp.sum(times * jnp.exp(-0.5 * times))
assert _slopes[0] == _slopes[1] == 0 and jnp.allclose(_slopes[2], _by_hand)
# in_axes passes one model to all calls
_both = jax.vmap(jax.vmap(decay, in_axes=(None, 0)), in_axes=(None, 0))
_passed = jax.grad(lambda m: _both(m, times).sum())(model)["rate"]
assert jnp.allclose(_passed, _by_hand)


# %% after: exercise-1
for _style in (
    iter((11.0, 12.0, 25.0, 30.0)),
    (jax.grad(cubic)(2.0), 12, jax.grad(product)(3.0, 5.0), 3 * 2 * 5),
    np.array([11, 12, 25, 30]),
    jnp.array([11.0, 12.0, 25.0, 30.0]),
    (np.float64(11), jnp.float32(12), np.int32(25), 30.0),
    (jnp.array(11), 12, jnp.int32(25), 30),
):  # the page runs none of these
    check_1(_style)
