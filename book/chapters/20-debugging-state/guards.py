"""What this chapter says, in asserts for the tests alone."""

# %% after: title 1
from jax.experimental.compilation_cache import compilation_cache

# JAX's messages below are those of a reader, who keeps no compiled programs
jax.config.update("jax_enable_compilation_cache", False)
compilation_cache.reset_cache()


# %% after: title
# what the opening prints, and what the state was
assert state.step == 9 and len(exported) == 1
_right, _losses = init(), []
for _ in range(9):
    _right, _loss = train_step(_right, (x, y))
    _losses.append(_loss)
assert _losses[6] < _losses[5] / 1.5 and loss > 2 * _losses[8]
# fold gives the model that it should
_s = train_step(init(), (x, y))[0]
for _ in range(5):
    _s, _ = train_step(_s, (x, y))
assert np.allclose(loss_fn(fold(_s).params, x, y), evaluate(_s, x, y))
# a shuffle keeps rows and targets together; only the noise falls otherwise
_rows = shuffle((x, y), 6)
assert np.allclose(_rows[1], _rows[0] @ jnp.array([1.0, -2.0, 0.5]) + 3)
assert not np.array_equal(_rows[0], x)
assert np.isclose(train_step(_s, _rows)[1], _losses[6], rtol=0.02)
# evaluate subtracts the mean that fold sets to zero
assert not fold(_s).batch_stats["mean"].any() and _s.batch_stats["mean"].any()
# the next step from a folded state has a loss more than twice as high
assert train_step(fold(_s), (x, y))[1] > 3 * train_step(_s, (x, y))[1]


# %% after: first-difference 1
_nan = {"a": jnp.float32(jnp.nan), "b": jnp.arange(3)}
assert moved(_nan, _nan) == ([], ["['a']", "['b']"])
assert _nan["a"] != _nan["a"]


# %% after: first-difference 1
# Python numbers, NumPy, bfloat16, legacy keys, dtype and shape changes
assert moved({"n": 1, "x": 0.5}, {"n": 2, "x": 0.5}) == (["['n']"], ["['x']"])
assert moved((np.zeros(2),), (np.ones(2),))[0] == ["[0]"]
assert moved([jnp.bfloat16(1)], [jnp.bfloat16(2)])[0] == ["[0]"]
assert moved([jax.random.PRNGKey(0)], [jax.random.PRNGKey(0)])[1] == ["[0]"]
assert moved([jnp.int32(1)], [jnp.float32(1)])[0] == ["[0]"]
assert moved([jnp.zeros(1)], [jnp.zeros(())])[0] == ["[0]"]
assert moved((), ()) == ([], [])
# the bytes of a NaN have a sign
_nans = [jnp.float32(jnp.nan)], [jax.jit(jnp.negative)(jnp.float32(jnp.nan))]
assert jnp.isnan(_nans[1][0]) and moved(*_nans) == (["[0]"], [])
for _old, _new in (({"a": 1}, {"b": 1}), ((1, 2), [1, 2]), (1, (1,))):
    try:
        moved(_old, _new)
        raise SystemExit("two structures")
    except TypeError as error:
        assert "structure" in str(error)


# %% after: first-difference 1
try:
    TrainState({}, {}, jax.random.key(0))
    raise SystemExit("a field is missing")
except TypeError as error:
    assert "missing 1 required positional argument: 'step'" in str(error)
# a gradient of exactly 0 stands still, rightly
assert moved({"w": jnp.ones(2)}, {"w": jnp.ones(2) - 0.1 * jnp.zeros(2)})[1]


# %% after: first-difference 2
# the check names one step of nine, and two leaves of five
_flagged, _s = {}, init()
_returned = _s
for _i in range(1, 10):
    if _changed := moved(_returned, _s)[0]:
        _flagged[_i] = _changed
    _returned, _ = train_step(_s, (x, y))
    _s = fold(_returned) if _i % 6 == 0 else _returned
assert _flagged == {7: [".params['b']", ".batch_stats['mean']"]}
# a copy by tree.map, a round trip through NumPy: other objects, equal bits
_np = lambda v: v if v.dtype == _s.key.dtype else jnp.asarray(np.asarray(v))
assert moved(_s, jax.tree.map(_np, _s))[0] == []
# a line that changes nothing isn't found, and neither is a wrong step
_s = _returned = init()
for _ in range(9):
    assert moved(_returned, _s)[0] == []
    _returned, _ = train_step(_s, (x, 1000 * y))
    _s = _returned


# %% after: first-difference 2
# a loop that drops the new state: found, and each epoch has the same losses
def _epoch(state, batches):
    _found = []
    for _data in batches:
        state, _loss = train_step(state, _data)
        _found.append(float(_loss))
    return state, _found


_batches = [(x[_i : _i + 4], y[_i : _i + 4]) for _i in (0, 4, 8, 12)]
_returned = _s = init()
_passed, _printed = [], []
for _ in range(2):
    _passed.append(moved(_returned, _s)[0])
    _returned, _losses = _epoch(_s, _batches)
    _printed.append(_losses)
assert not _passed[0] and len(_passed[1]) == 5 and _printed[0] == _printed[1]
_found = [_epoch(_returned, _batches)[1], _printed[0]]
assert _found[0] != _found[1]


# %% after: first-difference
assert len(exported) == 1 and int(exported[0].step) == 6
assert loss < 10 and state.batch_stats["mean"].any()


# %% after: a-statistic-that-stands-still 1
assert evaluate(state, x, y) < 0.1
assert np.allclose(state.batch_stats["mean"], x.mean(axis=0), rtol=0.01)
assert len(moved(old, state)[0]) == 5
_mean = train_step(old, (x, y))[0].batch_stats["mean"]
_gap = x.mean(axis=0) - old.batch_stats["mean"]
assert np.allclose(x.mean(axis=0) - _mean, 0.9 * _gap, atol=1e-5)
_b = _c = init()
for _ in range(50):
    assert moved(_c, _b)[0] == []  # nothing between the steps: inside one
    _b, _fitted = broken_step(_b, (x, y))
    _c = _b
assert _fitted < 1 < 10 < evaluate(_b, x, y)
assert not _b.batch_stats["mean"].any()
# noise that's new in each step can't be fitted, and the loss is higher
_new_noise = [
    train_step(state._replace(key=jax.random.key(i)), (x, y))[1]
    for i in range(200)
]
assert _fitted < np.mean(_new_noise)


# %% after: a-statistic-that-stands-still
assert changed == [".params['b']", ".params['w']", ".step"]
assert unchanged == [".batch_stats['mean']", ".key"]
# the noise of the broken step is the same at each step
_s, _ = broken_step(init(), (x, y))
assert (jax.random.key_data(_s.key) == jax.random.key_data(init().key)).all()


# %% after: a-step-that-recompiles 1
_handlers = logging.getLogger("jax").handlers
try:
    with jax_messages():
        raise KeyError
except KeyError:
    pass
assert logging.getLogger("jax").handlers is _handlers
# outside of the block nothing is logged
with jax_messages() as _lines:
    jax.jit(lambda v: v * 3)(2.0)
assert not _lines


# %% after: a-step-that-recompiles 2
assert isinstance(start.batch_stats["mean"], float)


# %% after: a-step-that-recompiles 3
assert state.batch_stats["mean"].shape == (3,)


# %% after: a-step-that-recompiles 4
_misses = [l for l in lines if "TRACING CACHE MISS" in l]
assert len(_misses) == 3 and all("train_step" in l for l in _misses)
assert "never seen function" in _misses[0] and "* at" not in _misses[0]
with jax_messages() as _lines, jax.explain_cache_misses():
    train_step(start, batches[0])
assert not _lines  # traced before: nothing to explain
# a total that starts at 0.0: another weak type, and the same shape
_calls = []


def _add(total, v):
    _calls.append(total.weak_type)
    return total + v.sum()


_step, _total = jax.jit(_add), 0.0
for _ in range(3):
    _total = _step(_total, jnp.ones(4))
    assert _total.shape == () and _total.dtype == jnp.float32
assert _calls == [True, False]
# its dtype gives way to an array's
_v = 0.0 + jnp.ones(1, jnp.bfloat16)
assert _v.dtype == jnp.bfloat16 and not _v.weak_type


# %% after: a-step-that-recompiles
# a start at arrays: one compilation for each shape of a batch
_calls = []


def _counted(state, data):
    _calls.append(1)
    return train_step(state, data)


_step, _state = jax.jit(_counted), init()
for _ in range(3):
    for _data in batches:
        _state, _ = _step(_state, _data)
assert len(_calls) == 2
_step, _state = jax.jit(_counted), init()
for _ in range(3):
    for _i in (0, 4, 8, 12):
        _data = x[_i : _i + 4], y[_i : _i + 4]
        _state, _ = _step(_state, _data)
assert len(_calls) == 3


# %% after: a-step-that-recompiles
_state = init()
with jax_messages() as _lines, jax.explain_cache_misses():
    for _data in batches[:3]:
        _state, _ = jax.jit(lambda s, d: train_step(s, d))(_state, _data)
_misses = [l for l in _lines if "never seen function" in l]
assert len([l for l in _misses if "lambda" in l]) == 3


class _Layer:
    def step(self, v):
        return 2.0 * v


# methods that are equal, and not one object, are two functions
_layer = _Layer()
assert _layer.step == _layer.step
with jax_messages() as _lines, jax.explain_cache_misses():
    jax.jit(_layer.step)(1.0), jax.jit(_layer.step)(1.0)
assert len(_lines) == 2


# on a device: compiled again, and not traced
_f, _v = jax.jit(lambda v: v + 5.0), jnp.ones(2)
_f(_v)
with jax_messages() as _lines, jax.log_compiles():
    with jax.explain_cache_misses():
        _f(jax.device_put(_v, jax.devices()[0]))
assert any("Compiling jit(<lambda>)" in l for l in _lines)
assert not any("TRACING CACHE MISS" in l for l in _lines)
# another structure: the message doesn't compare the types
_f = jax.jit(lambda d, v: v + sum(jax.tree.leaves(d)))
_f({"a": 1.0}, jnp.ones(2))
with jax_messages() as _lines, jax.explain_cache_misses():
    _f({"a": 1.0, "b": 2.0}, jnp.ones(3))
assert len(_lines) == 1 and "different input pytree" in _lines[0]
assert "f32[3]" not in _lines[0]
# traced, but not for jit: no message
with jax_messages() as _lines, jax.explain_cache_misses():
    jax.grad(lambda v: v * v)(1.0), jax.vmap(lambda v: v * v)(jnp.ones(2))
assert not _lines


# %% after: a-carry-that-changes 1
_step, _s = jax.jit(decay), state
for _ in range(3):
    _s, _ = _step(_s, jnp.float32(0.5))
assert _step._cache_size() == 2
assert decay(state, rates[0])[0].params["w"].dtype == jnp.float32
try:
    jax.lax.scan(decay, state, rates)
    raise SystemExit("scan took it")
except TypeError as error:
    assert "component state.params['w'] has" in str(error)
    assert "component state.step has type int32[]" in str(error)
    assert "state.params['b']" not in str(error)
# a weakly typed start is promoted by scan and no error
jax.lax.scan(lambda s, v: (s + v, v), 0.0, jnp.ones(2))


# %% after: a-carry-that-changes 2
def _refused(step, state, data) -> bool:
    try:
        check_contract(step, state, data)
    except TypeError:
        return True
    return False


assert _refused(decay, state, jnp.float32(0.5))
assert _refused(decay, state, 0.5)  # step still becomes a float
assert not _refused(train_step, init(), (x, y))
_sum = lambda s, d: (s + d.sum(), None)
assert _refused(_sum, 0.0, jnp.ones(3))
assert not _refused(_sum, jnp.float32(0), jnp.ones(3))
assert _refused(lambda s, d: (tuple(s), d), init(), None)
assert _refused(lambda s, d: (s[:1], d), (1.0, 2.0), None)
assert _refused(lambda s, d: (s.reshape(3, 1), d), jnp.zeros(3), None)
assert not _refused(lambda s, d: (s, d), (), None)
jax.lax.scan(_sum, 0.0, jnp.ones((2, 3)))  # accepted
# blind to meaning
assert not _refused(
    lambda s, d: (s[::-1], d), (jnp.zeros(2), jnp.ones(2)), None
)
assert not _refused(broken_step, init(), (x, y))


# %% after: a-carry-that-changes
def _decay(state, rate):
    shrink = lambda p: p - (rate * p).astype(p.dtype)
    params = jax.tree.map(shrink, state.params)
    return state._replace(params=params, step=state.step + 1), None


check_contract(_decay, state, rates[0])
_state, _ = jax.lax.scan(_decay, state, rates)
assert _state.step == 3 and _state.params["w"].dtype == jnp.bfloat16
assert _state.params["b"] == 0.5 * 0.5 * 0.75
# moved takes a leaf of another dtype for a changed one, and says no more
assert moved(state.params, decay(state, rates[0])[0].params)[1] == []


# %% after: a-silent-broadcast 1
assert np.isclose(loss, y.var(), rtol=1e-3)
_p = init()
_p.params["w"] = jnp.zeros((3, 1))
_q, _ = train_step(_p, (x, y))
assert moved(_p, _q)[1] == []
check_contract(train_step, _p, (x, y))
assert np.allclose(state.params["w"], 0, atol=1e-3)
_predicted = (x - x.mean(axis=0)) @ state.params["w"] + state.params["b"]
assert np.allclose(_predicted, y.mean(), atol=1e-2)


# %% after: a-silent-broadcast
# the fix: a second axis for the target
_s = state
for _ in range(300):
    _s, _loss = train_step(_s, (x, y[:, None]))
assert _loss < 0.1
assert np.allclose(_s.params["w"][:, 0], [1, -2, 0.5], atol=0.1)
assert type(error) is jax.ShapeDtypeStruct


# %% after: values-at-run-time
assert np.array_equal(roots, [1, 2, np.nan, 1], equal_nan=True) and total == 1


# %% after: values-at-run-time
assert kept == [1, 4, -2, 1]
run(jnp.array([1.0, 3.0, -6.0, 3.0]))
jax.effects_barrier()
assert kept == 2 * [1, 4, -2, 1] and run._cache_size() == 1
del kept[4:]


def _only_bad(t, v):
    t = t + v
    jax.lax.cond(
        t < 0, lambda: jax.debug.callback(_bad.append, t), lambda: None
    )
    return t, None


_bad = []
jax.lax.scan(_only_bad, jnp.float32(0), jnp.array([1.0, 3.0, -6.0, 3.0]))
jax.effects_barrier()
assert len(_bad) == 1 and _bad[0] == -2
with jax.debug_nans(True):
    try:
        jax.jit(jnp.sqrt)(-1.0)
        raise SystemExit("no error for NaN")
    except FloatingPointError as error:
        assert "invalid value (nan) encountered" in str(error)
# a condition that vmap maps: both branches run
_bad = []
jax.vmap(lambda v: _only_bad(v, 0.0)[0])(jnp.array([-1.0, 2.0, 3.0]))
jax.effects_barrier()
assert len(_bad) == 3
# a NaN inside of a jitted function, and none in its result
_hide = lambda v: jnp.where(jnp.isnan(jnp.sqrt(v)), 0.0, 1.0)
with jax.debug_nans(True):
    assert jax.jit(_hide)(-1.0) == 0
    try:
        _hide(-1.0)
        raise SystemExit("no error for NaN")
    except FloatingPointError:
        pass


# %% after: values-at-run-time
# debug_nans names the scan, not the step in it
def _root_step(total, x):
    return total + x, jnp.sqrt(total + x)


try:
    with jax.debug_nans(True):
        jax.lax.scan(_root_step, jnp.float32(0), numbers)
    raise SystemExit("no error for NaN")
except FloatingPointError as error:
    assert "scan" in str(error)


# %% after: values-at-run-time
# what a jitted step leaves in a list outside is a tracer
_history = []


def _add(v):
    _history.append(v + 1)
    return v + 1


jax.jit(_add)(jnp.int32(0)), jax.jit(_add)(jnp.int32(1))
assert len(_history) == 1 and isinstance(_history[0], jax.core.Tracer)
try:
    sum(_history)
    raise SystemExit("a tracer was used")
except jax.errors.UnexpectedTracerError:
    pass
_history.clear()
jax.clear_caches()
try:
    with jax.checking_leaks():
        jax.jit(_add)(jnp.int32(0))
    raise SystemExit("no leak found")
except Exception as error:
    assert "Leaked trace" in str(error) and "_history" in str(error)
_history.clear()
jax.clear_caches()


# %% after: back-to-the-issue 2
assert jnp.isnan(w).all() and loss == 2.0
# the forward value of the batch with zeros is finite, its gradient isn't
_l, _g = jax.value_and_grad(length_loss)(jnp.ones(2), rows)
assert jnp.isfinite(_l) and jnp.isnan(_g).all()
# without that batch
_w = jnp.ones(2)
for _ in range(3):
    _l, _g = jax.value_and_grad(length_loss)(_w, rows[:2])
    _w = _w - 0.01 * _g
assert jnp.isfinite(_w).all() and f"{_l:.3f}" == "6.641"
# moved finds no NaN: the leaf changes, then stands still
assert moved(jnp.ones(2), w)[0] == [""] and moved(w, w)[1] == [""]
# a row of zeros in memory of momentum, too: it stays NaN
_v, _w = jnp.zeros(2), jnp.ones(2)
for _x in (rows, rows[:2]):
    _v = 0.9 * _v + jax.grad(length_loss)(_w, _x)
    _w = _w - 0.01 * _v
assert jnp.isnan(_v).all()


# %% after: back-to-the-issue
_x = rows[:2]
assert safe_loss(jnp.ones(2), rows) == length_loss(jnp.ones(2), rows)
_a, _b = (jax.grad(f)(jnp.ones(2), _x) for f in (safe_loss, length_loss))
assert np.allclose(_a, _b)
with jax.debug_nans(True):
    assert jnp.isfinite(jax.grad(safe_loss)(jnp.ones(2), rows)).all()
    # under jit, too
    try:
        jax.jit(jax.grad(length_loss))(jnp.ones(2), rows)
        raise SystemExit("no error for NaN")
    except FloatingPointError as error:
        assert "mul" in str(error)
# the loss of a NaN parameter is finite: under jit, no error
_nan, _jitted = jnp.full(2, jnp.nan), jax.jit(length_loss)
with jax.debug_nans(True):
    assert _jitted(_nan, rows[:2]) == 2


# %% after: the-run-again
assert moved(alone, state)[0] == []
assert [int(s.step) for s in exported] == [6, 12]
# exported models are those of the running mean
assert np.allclose(
    loss_fn(exported[1].params, x, y), evaluate(state, x, y), rtol=1e-3
)


# %% after: complete-cell
assert moved(state, new_state) == (["['mean']", "['n']"], [])
assert moved(state, new_state)[1] == []  # every leaf changed
_lost = lambda s, x: (s | {"mean": s["mean"] + x}, x)
check_contract(_lost, state, data)
assert moved(state, _lost(state, data)[0])[1] == ["['n']"]
for _broken in (
    lambda s, x: (s | {"n": s["n"] + 1.0}, x),
    lambda s, x: (s | {"mean": x}, x),
    lambda s, x: ({"mean": s["mean"]}, x),
    lambda s, x: (tuple(s.values()), x),
):
    try:
        check_contract(_broken, state, jnp.ones(4))
        raise SystemExit("passed")
    except TypeError:
        pass
_k = {"key": jax.random.key(0)}
assert moved(_k, {"key": jax.random.split(_k["key"])[0]})[0] == ["['key']"]


# %% after: exercise-3
# the four symptoms of the broken program
losses.clear()
_x = jnp.array(np.random.default_rng(1).normal(size=(8, 2)), jnp.float32)
_y = _x @ jnp.array([2.0, -1.0])
_fit = Fit(jnp.ones((2, 1)), jnp.float32(jnp.inf), jnp.int32(0))
_one = jax.jit(broken_fit)
_new, _ = _one(_fit, (_x, _y))
assert moved(_fit, _new)[1] == [".best"]
for _ in range(500):
    _new, _loss = _one(_new, (_x, _y))
assert np.isclose(_loss, (_y**2).mean(), rtol=0.3) and _loss > 0.1
assert _one._cache_size() == 2
assert isinstance(losses[0], jax.core.Tracer)
assert jax.eval_shape(broken_fit, _fit, (_x, _y))[0].rows.dtype == jnp.float32
losses.clear()
