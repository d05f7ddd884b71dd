"""What this chapter says, in asserts for the tests alone."""

# %% after: gradient-by-hand 2
_path, _w = [], jnp.float32(4)
for _ in range(50):
    _path.append(float(loss_fn(_w, x, y)))
    _w = _w - 0.05 * hand_gradient(_w, x, y)
_path.append(float(loss_fn(_w, x, y)))
assert abs(_path[0] - 34.6667) < 1e-3 and abs(_path[-1] - 4) < 1e-4
assert all(later <= now + 1e-5 for now, later in zip(_path, _path[1:]))
assert abs(float(_w) - 2) < 1e-5


# %% after: gradient-by-hand
assert abs(measured - 4) < 0.01
assert w + 1e-7 == w and w - 1e-7 < w
_tiny = (loss_fn(w + 1e-7, x, y) - loss_fn(w - 1e-7, x, y)) / 2e-7
assert abs(_tiny - 4) > 1
_w = 4.0
for _ in range(50):
    _w = _w - 0.05 * hand_gradient(_w, x, y)
assert loss_fn(_w, x, y) - _w**2 < 1e-6


# %% after: gradient-of-the-loss 1
assert abs(float(w) - 28 / 17) < 1e-5
assert abs(jax.grad(loss_fn)(w, x, y)) < 1e-5
for _other in np.linspace(-5, 5, 101):
    assert loss_fn(float(_other), x, y) >= loss_fn(w, x, y) - 1e-5
for _point in (-1.5, 0.0, 0.3, 2.0):
    _formula = hand_gradient(_point, x, y) + 2 * _point
    assert abs(jax.grad(loss_fn)(_point, x, y) - _formula) < 1e-4
_kink = jax.grad(lambda v: jax.nn.relu(v) - jax.nn.relu(-v))(0.0)
assert _kink == 0  # the function is v, so its slope is 1: hence "smooth"


# %% after: gradient-of-the-loss
_runs = []


def _noted(x):
    _runs.append("run")
    return x**3


_gradient = jax.grad(_noted)
assert len(_runs) == 0
_gradient(4.0)
assert len(_runs) == 1
assert (first(4.0), second(4.0)) == (48.0, 24.0)
try:
    first(4)
except TypeError as _error:
    assert "int32" in str(_error)
else:
    raise AssertionError


# %% after: grad-and-argnums
assert jax.grad(squared_distance)(a, b).tolist() == [2.0, -4.0]
_one = jax.grad(squared_distance, argnums=(1,))(a, b)
assert isinstance(_one, tuple) and len(_one) == 1
assert jax.grad(squared_distance)(a, b=b).tolist() == [2.0, -4.0]
for _argnums, _positional in ((0, ()), (1, (a,)), (1, ())):
    _keywords = dict(zip("ba", (b, a)[: 2 - len(_positional)]))
    try:
        jax.grad(squared_distance, argnums=_argnums)(*_positional, **_keywords)
    except TypeError as _error:
        assert "positional" in str(_error)
    else:
        raise AssertionError
assert jax.grad(lambda m: jnp.sum(m**2))(jnp.ones((2, 3))).shape == (2, 3)


# %% after: value-and-grad
assert len(runs) == 1
runs.clear()
jax.grad(counted_distance, argnums=(0, 1))(a, b)
assert len(runs) == 1
assert value == squared_distance(a, b) == 5.0
assert (grads == jax.grad(squared_distance)(a, b)).all()


# %% after: training-loop 1
assert jax.tree.structure(grads) == jax.tree.structure(params)
assert xs.dtype == np.float64 and data[0].dtype == jnp.float32
try:
    params - grads
except TypeError:
    pass
else:
    raise AssertionError
_unused = jax.grad(lambda p: p["w"] ** 2)({"w": 1.0, "unused": 2.0})
assert _unused["unused"] == 0.0


# %% after: training-loop 2
_before = {"weight": jnp.float32(1), "bias": jnp.float32(1)}
_new, _loss = update(_before, data)
assert _before["weight"] == 1 and _before["bias"] == 1
assert _loss == line_loss(_before, data)
assert line_loss(_new, data) < _loss
for _ in range(3):
    _, _loss = update(_before, data)
assert _before["weight"] == 1 and abs(_loss - 7.1285) < 1e-4
assert abs(params["weight"] - 3.0055) < 1e-4
assert abs(params["bias"] + 1.0055) < 1e-4


# %% after: training-loop 3
_best = np.polyfit(xs, ys, 1)
assert abs(params["weight"] - _best[0]) < 1e-4
assert abs(params["bias"] - _best[1]) < 1e-4
assert line_loss(params, data) < line_loss(truth, data)
_params = {"weight": jnp.float32(1), "bias": jnp.float32(1)}
for _ in range(70):
    _params, _ = update(_params, data)
for _name in params:
    assert abs(_params[_name] - params[_name]) < 1e-4
_params, _step = (
    {"weight": jnp.float32(1), "bias": jnp.float32(1)},
    jax.jit(update),
)
for _ in range(500):
    _params, _ = _step(_params, data)
for _name in params:
    assert abs(_params[_name] - params[_name]) < 1e-4
assert [f"{value:.4f}" for value in truth.values()] == ["3.0000", "-1.0000"]


# %% after: what-grad-accepts 2
assert abs(of_sum / of_mean - 100) < 0.01
assert jax.jacobian(squared_errors)(start, data)["weight"].shape == (100,)
try:
    jax.grad(lambda x: jnp.sum(x**2, keepdims=True))(jnp.ones(3))
except TypeError as _error:
    assert "(1,)" in str(_error)
else:
    raise AssertionError


# %% after: what-grad-accepts
_float = jax.grad(line_loss)({"weight": 1.0, "bias": 0.0}, data)
assert set(_float) == {"weight", "bias"}
_mixed = {"weight": 1.0, "bias": 0}
_allowed = jax.grad(line_loss, allow_int=True)(_mixed, data)
assert _allowed["bias"].dtype == jax.dtypes.float0
_, _pull = jax.vjp(lambda p: line_loss(p, data), _mixed)
assert _pull(jnp.float32(1))[0]["bias"].dtype == jax.dtypes.float0
_labels = jnp.array([0, 1, 1])
assert jax.grad(lambda w: jnp.mean((w - _labels) ** 2))(0.5).shape == ()
assert jax.grad(squared_distance)(a, jnp.array([0, 4])).tolist() == [2.0, -4.0]


# %% after: when-the-gradient-is-zero
assert accuracy(guess) == 0.75
_right = (guess["weight"] * hours + guess["bias"] > 0) == passed
assert _right.tolist() == [True, False, True, True]
assert accuracy({"weight": 1.01, "bias": -1.0}) == 0.75
assert accuracy({"weight": 0.6, "bias": -1.0}) == 1.0
for _weight in (-1.0, 0.3, 2.0, 2 / 3):
    _jump = jax.grad(accuracy)({"weight": _weight, "bias": -1.0})
    assert _jump["weight"] == _jump["bias"] == 0
_rounded = jax.grad(lambda v: jnp.sum(jnp.round(v)))(jnp.ones(3))
assert _rounded.tolist() == [0, 0, 0]
_beside = jax.grad(lambda w: (jnp.round(w) - 1) ** 2 + w**2)(2.2)
assert abs(_beside - 4.4) < 1e-5
_through = jax.grad(lambda w: (jnp.round(w) - 1) ** 2)(2.2)
assert _through == 0
_cast = jax.grad(lambda v: jnp.argmax(v).astype(jnp.float32))(jnp.ones(3))
assert _cast.tolist() == [0, 0, 0]
for _function in (jnp.argmax, lambda v: jnp.sum(v > 0)):
    try:
        jax.grad(_function)(jnp.ones(3))
    except TypeError:
        pass
    else:
        raise AssertionError
assert jnp.isnan(jax.grad(lambda v: jnp.where(v > 0, jnp.sqrt(v), 0.0))(0.0))


def _safe(v):
    inner = jnp.where(v > 0, v, 1.0)
    return jnp.where(v > 0, jnp.sqrt(inner), 0.0)


assert _safe(0.0) == 0 and jax.grad(_safe)(0.0) == 0
_unsafe = jax.grad(lambda v: jnp.where(v > 0, jnp.sqrt(v), 0.0))(4.0)
assert abs(_unsafe - 0.25) < 1e-6
assert abs(jax.grad(_safe)(4.0) - 0.25) < 1e-6


# %% after: has-aux
def _raises(function, **options):
    try:
        jax.grad(function, **options)(start, data)
    except TypeError:
        return True
    return False


assert _raises(loss_and_metrics)
assert _raises(lambda p, d: (*loss_and_metrics(p, d), 0.0), has_aux=True)
assert _raises(line_loss, has_aux=True)
assert not _raises(lambda p, d: (line_loss(p, d), (1, 2, 3)), has_aux=True)
_grads, _metrics = jax.grad(loss_and_metrics, has_aux=True)(start, data)
assert set(_grads) == set(start) and set(_metrics) == {"worst"}
assert jnp.allclose(_grads["bias"], plain["bias"])
_outer = []


def _leaking(p, d):
    errors = squared_errors(p, d)
    _outer.append(jnp.max(errors))
    return jnp.mean(errors)


jax.grad(_leaking)(start, data)
assert isinstance(_outer[0], jax.core.Tracer)
try:
    _outer[0] + 1
except jax.errors.UnexpectedTracerError:
    pass
else:
    raise AssertionError


# %% after: no-backward
assert once == twice
_halves = [tuple(part[k::2] for part in data) for k in (0, 1)]
_parts = [jax.grad(line_loss)(start, half) for half in _halves]
_sum = jax.tree.map(jnp.add, *_parts)
_whole = jax.grad(line_loss)(start, data)
for _name in _whole:
    assert jnp.allclose(_sum[_name] / 2, _whole[_name], atol=1e-4)


# %% after: jit-the-update
assert ratio > 3
_new, _loss = update(start, data)
_fast_new, _fast_loss = fast_update(start, data)
for _name in _new:
    assert jnp.allclose(_new[_name], _fast_new[_name], atol=1e-5)
assert jnp.allclose(_loss, _fast_loss, atol=1e-4)


def _python_runs(transform, first):
    runs = []

    def counted_update(params, data):
        runs.append("run")
        return update(params, data)

    step, params = transform(counted_update), first
    for _ in range(5):
        params, _ = step(params, data)
    return len(runs)


assert _python_runs(lambda function: function, start) == 5
assert _python_runs(jax.jit, start) == 1
assert _python_runs(jax.jit, {"weight": 1.0, "bias": np.float64(1)}) <= 2
_traces = []
_weak = jax.jit(lambda v: (_traces.append("trace"), v)[1])
for _value in (jnp.float32(1), jnp.float32(2), 1.0):
    _weak(_value)
assert len(_traces) == 2  # a weak type: same shape and dtype, another trace
assert xs.shape == ys.shape == (100,)


# %% after: complete-cell
assert abs(params["weight"] - 3) < 1e-4 and abs(params["bias"] + 1) < 1e-4
for _dtype in (jnp.float16, jnp.bfloat16, jnp.float32):
    _first = {"weight": _dtype(0), "bias": _dtype(0)}
    _second, _ = update(_first, (x, 3 * x - 1))
    assert all(_leaf.dtype == _dtype for _leaf in jax.tree.leaves(_second))
_far = {"weight": jnp.float32(0), "bias": jnp.float32(0)}
for _ in range(300):
    _far, _ = update(_far, (10 * x, 30 * x - 1))
assert jnp.isnan(_far["weight"])  # 0.1 is too much for x up to 10


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
