"""What this chapter says, in asserts for the tests alone."""

# %% after: prints-once 1
_seen = []
_keep = jax.jit(lambda x: _seen.append(str(x)))
_keep(1.0), _keep(2.0)
_old_jax = jax.__version_info__ < (0, 8)
assert _seen == [
    "JitTracer<~float32[]>" if _old_jax else "JitTracer(~float32[])"
]


# %% after: global-stays
_rates = [1.0]
_update = jax.jit(lambda w: w - _rates[0])
assert _update(1.0) == 0
_rates[0] = 0.5
assert _update(1.0) == 0


def _closure():
    rate = 1.0
    update = jax.jit(lambda w: w - rate)
    first = update(1.0)
    rate = 0.5
    return first, update(1.0)


assert _closure() == (0, 0)


# %% after: nnx-state-stays 1
lax.cond(True, count, lambda c: None, counter)
assert counter.n[...] == 0


def _count(counter, _):
    count(counter)
    return counter, None


assert lax.scan(_count, counter, None, 3)[0].n[...] == 3
assert counter.n[...] == 0
assert jax.jit(lambda c: _count(c, None)[0])(counter).n[...] == 1
count(Counter())  # without jit it works


# %% after: opt-state-stays
_momentum, _plain = optax.sgd(0.1, momentum=0.9), optax.sgd(0.1)
_g = {"w": jnp.float32(2)}
for _ in range(3):  # a dropped state: momentum has no effect
    _u, _ = _momentum.update(_g, _momentum.init(_g))
    assert _u == _plain.update(_g, _plain.init(_g))[0]
_tx = optax.adam(0.1)
for _size in (0.001, 1.0, 1000.0):
    _u, _ = _tx.update(
        {"w": jnp.float32(_size)}, _tx.init({"w": jnp.float32(0)})
    )
    assert abs(_u["w"] + 0.1) < 1e-4


# %% after: batch-stats-stay
assert jnp.allclose(variables["batch_stats"]["mean"], 5 * (1 - 0.99**3))


# %% after: keras-own-method
assert _raises(
    "AttributeError", "no attribute 'kernel'", lambda: Linear().penalty()
)


class _Penalized(keras.Model):
    def __init__(self):
        super().__init__()
        self.dense = keras.layers.Dense(1, kernel_initializer="ones")

    def call(self, x):
        return self.dense(x)

    def compute_loss(self, *arguments, **options):
        return keras.ops.sum(self.dense.kernel**2)


_model = _Penalized()
_model.compile(keras.optimizers.SGD(0.25), "mse")
_model.fit(np.ones((8, 2)), np.ones((8, 1)), verbose=0)
assert np.allclose(_model.get_weights()[0], 0.5)  # its gradient was 2


# %% after: keras-stateful-rnn 1
_listed = {id(v) for v in model.variables}
assert all(id(v) not in _listed for v in rnn.states)
rnn.reset_state()
model.compile("sgd", "mse")
model.fit(x, np.ones((4, 3), "float32"), batch_size=4, verbose=0)
assert not np.any(np.asarray(rnn.states[0].value))
assert not hasattr(model, "reset_states")
_lstm = keras.layers.LSTM(3, stateful=True)
_model = keras.Sequential([keras.Input(batch_shape=(4, 5, 2)), _lstm])
_twice = np.concatenate([x, x])
_y = _model.predict(_twice, batch_size=4, verbose=0)
assert np.allclose(_y[:4], _y[4:])
for _n in (1, 3):
    for _each in (_model, model):
        _words = "Expected batch size: 4"
        assert _raises("ValueError", _words, _each, x[:_n])
assert _raises(
    "ValueError",
    "the batch size must be static",
    keras.Sequential,
    [keras.Input((5, 2)), keras.layers.LSTM(3, stateful=True)],
)


# %% after: keras-stateful-rnn
assert len(other_state) == 1 and other_state[0].dtype == "uint32"  # a seed
assert float(jnp.abs(state).max()) > 0
_rnn = keras.layers.GRU(3, stateful=True)


def _first_batch(method):
    model = keras.Sequential([keras.Input(batch_shape=(4, 5, 2)), _rnn])
    model.compile("sgd", "mse")
    if method == "fit":
        weights = model.get_weights()
        loss = model.fit(x, np.ones((4, 3)), verbose=0).history["loss"]
        model.set_weights(weights)
        return loss
    return model.predict_on_batch(x)


for _method in ("fit", "predict"):
    _rnn.reset_state()
    _start = _first_batch(_method)
    _rnn(x)
    assert not np.allclose(_first_batch(_method), _start)
    _rnn.reset_state()
    assert np.allclose(_first_batch(_method), _start)


# %% after: same-key-other-weights
class _Wrapped(nn.Module):
    @nn.compact
    def __call__(self, x):
        return Compact()(x)


class _Two(nn.Module):
    first: bool

    @nn.compact
    def __call__(self, x):
        if self.first:
            x = nn.Dense(1)(x)
        return nn.Dense(1)(x)


class _Drop(nn.Module):
    layer_name: str

    @nn.compact
    def __call__(self, x):
        drop = nn.Dropout(0.5, deterministic=False, name=self.layer_name)
        return drop(x)


def _last_kernel(module):
    return jax.tree.leaves(module.init(jax.random.key(0), jnp.ones(1)))[-1]


assert _last_kernel(Compact()) != _last_kernel(_Wrapped())
assert _last_kernel(_Two(False)) == _last_kernel(Compact())
assert _last_kernel(_Two(True)) != _last_kernel(_Two(False))
_masks = [
    _Drop(name).apply({}, jnp.ones(8), rngs={"dropout": jax.random.key(0)})
    for name in ("a", "b")
]
assert (_masks[0] != _masks[1]).any()
_rngs = nnx.Rngs(0)
_earlier, _later = (nnx.Linear(1, 1, rngs=_rngs) for _ in range(2))
_alone = nnx.Linear(1, 1, rngs=nnx.Rngs(0))
assert _alone.kernel[...] == _earlier.kernel[...] != _later.kernel[...]


# %% after: masked-still-moves 1
assert updates["b"] == grads["b"] and updates["a"] < 0


# %% after: masked-still-moves
assert updates["b"] == 0 and updates["a"] < 0


# %% after: nnx-scan-carry 2
try:
    run(0)
    raise AssertionError("an axis 0 that isn't there")
except (IndexError, ValueError) as _error:
    assert "tuple index out of range" in str(_error) or "axis 0" in str(_error)


# %% after: same-noise
assert len({float(value) for value in noise}) == 3


# %% after: numpy-random-under-jit 1
import time as _time

_now = jax.jit(lambda x: x + _time.perf_counter())
assert _now(0.0) == _now(0.0)


# %% after: eval-mode 1
assert nnx.BatchNorm(1, rngs=nnx.Rngs(0)).use_running_average is False


# %% after: batchnorm-under-vmap 2
_whole = nn.BatchNorm(use_running_average=False)
_y, _ = _whole.apply(variables, x, mutable=["batch_stats"])
assert jnp.allclose(_y, y, atol=1e-4)
_params = {"scale": jnp.full(1, 3.0), "bias": jnp.full(1, 0.5)}
_trained = {**variables, "params": _params}
_one = lambda x: _whole.apply(_trained, x, mutable=["batch_stats"])[0]
assert jnp.allclose(jax.vmap(_one)(x), 0.5)


# %% after: nan-gradient-where
assert root(4.0) == 2 and jax.grad(root)(4.0) == 0.25
for _f in (jnp.log, lambda x: 1 / x):
    _bad = lambda x: jnp.where(x > 0, _f(x), 0.0)
    _good = lambda x: jnp.where(x > 0, _f(jnp.where(x > 0, x, 1.0)), 0.0)
    assert jnp.isnan(jax.grad(_bad)(0.0)) and jax.grad(_good)(0.0) == 0


# %% after: index-out-of-range
assert x.at[3].set(9.0).tolist() == [1, 2, 3] and x[3] == 3
assert x[-5] == 1
assert jnp.isnan(x.at[3].get(mode="fill")) and jnp.isnan(jnp.take(x, 3))
for _dtype in ("int8", "int32"):
    _i = jnp.arange(3, dtype=_dtype).at[3].get(mode="fill")
    assert _i == jnp.iinfo(_dtype).min
    assert _i == jnp.take(jnp.arange(3, dtype=_dtype), 3)


# %% after: dtype-after-restore
assert jnp.array_equal(loaded["w"], jnp.array([0.1, 1.7]))
_int = ocp.load(folder / "float32", {"w": jnp.zeros(2, "int32")})
assert _int["w"].tolist() == [0, 1]


# %% after: weights-stay 1
# Below 1.0, the next number is 0.0039 away.
assert (
    round(float(1.0 - jnp.nextafter(jnp.bfloat16(1), jnp.bfloat16(0))), 4)
    == 0.0039
)
assert optax.tree.norm(grads) > 0 and optax.tree.norm(updates) > 0
assert optax.tree.norm(optax.tree.sub(new_params, params)) == 0


# %% after: weights-stay
assert optax.tree.norm(optax.tree.sub(new_params, params)) > 0


# %% after: load-not-assigned
(folder / "empty").mkdir()
assert checkpoints.restore_checkpoint(folder / "empty", state) is state
assert checkpoints.latest_checkpoint(folder / "rum") is None


# %% after: load-not-assigned
class _Net(keras.Model):
    def __init__(self, use_first=True):
        super().__init__()
        self.first, self.second = keras.layers.Dense(2), keras.layers.Dense(2)
        self.use_first = use_first

    def call(self, x):
        return self.second(self.first(x) if self.use_first else x)


_x, _file = np.ones((1, 2), "float32"), folder / "net.weights.h5"
_saved = _Net()
_y = _saved(_x)
_saved.save_weights(_file)
for _make, _built in (
    (lambda net: net(_x), [True, True]),
    (lambda net: net.build((1, 2)), [False, False]),
):
    _net = _Net()
    _make(_net)
    assert [layer.built for layer in _net.layers] == _built
    _net.load_weights(_file)  # no error
    assert np.allclose(_net(_x), _y) == all(_built)
_net = _Net(use_first=False)
_net(_x)
assert [layer.built for layer in _net.layers] == [False, True]
assert not _net.first.variables
_net.load_weights(_file)
_net.use_first = True
assert not np.allclose(_net(_x), _y)
assert np.allclose(_net.second.kernel, _saved.second.kernel)


@keras.saving.register_keras_serializable()
class _Builds(keras.Model):
    inner = False

    def build(self, shape):
        self.dense = keras.layers.Dense(2)
        if self.inner:
            self.dense.build(shape)

    def call(self, x):
        return self.dense(x)


for _Builds.inner in (False, True):
    _net = _Builds()
    _net.build((1, 2))
    assert bool(_net.weights) == _Builds.inner
    _y = _net(_x)
    _net.save(folder / "net.keras")
    _loaded = keras.saving.load_model(folder / "net.keras")
    assert np.allclose(_loaded(_x), _y) == _Builds.inner
import warnings as _warnings

with _warnings.catch_warnings(record=True) as _caught:
    _warnings.simplefilter("always")
    _net = _Net()
    _net.build((1, 2))
assert not _net.weights and "unbuilt state" in str(_caught[0].message)


# %% after: all-rows-equal 1
assert len(jnp.unique(y, axis=0)) == 1


# %% after: all-rows-equal 2
import equinox as eqx

key = jax.random.key(0)
assert len(jnp.unique(apply(dropout, x), axis=0)) == 3
_f = lambda k, x: (
    x + jax.random.normal(jax.random.fold_in(k, lax.axis_index("batch")))
)
assert (
    len(
        jnp.unique(
            jax.vmap(_f, in_axes=(None, 0), axis_name="batch")(
                key, jnp.zeros(3)
            )
        )
    )
    == 3
)
_d = eqx.nn.Dropout(0.5)
assert len(jnp.unique(jax.vmap(lambda x: _d(x, key=key))(x), axis=0)) == 1
assert (
    len(
        jnp.unique(
            jax.vmap(lambda x, k: _d(x, key=k))(x, jax.random.split(key, 3)),
            axis=0,
        )
    )
    == 3
)
_init = lambda k: jax.random.normal(k, (2,))
assert (
    len(jnp.unique(jax.vmap(_init, in_axes=None, axis_size=3)(key), axis=0))
    == 1
)
_V = nn.vmap(nn.Dropout, variable_axes={}, split_rngs={"dropout": True})
assert (
    len(
        jnp.unique(
            _V(0.5, deterministic=False).apply({}, x, rngs={"dropout": key}),
            axis=0,
        )
    )
    == 3
)


# %% after: all-rows-equal
assert not (a == b).all() and (c == d).all()
_n = nnx.Dropout(0.5, rngs=nnx.Rngs(0))
_x = jnp.ones(16)
assert (_n(_x, rngs=key) == _n(_x, rngs=key)).all()
assert not (_n(_x) == _n(_x)).all()


# %% after: batchnorm-under-vmap
def _means(names, **axes):
    norm = nn.BatchNorm(use_running_average=False, axis_name=names)
    update = lambda x: norm.apply(variables, x, mutable=["batch_stats"])
    inner = jax.vmap(update, axis_name="b", **axes)
    return jax.vmap(inner, axis_name="a", **axes)(x)[1]["batch_stats"]["mean"]


_none = {"out_axes": (0, None)}
assert _means(("a", "b"), **_none).shape == (1,)
assert _raises("ValueError", "vmap has mapped output", _means, "b", **_none)
assert _raises("NameError", "Found an unbound axis name: c", _means, "c")
_norm = nnx.BatchNorm(1, axis_name="b", rngs=nnx.Rngs(0))
_inner = nnx.vmap(lambda m, x: m(x), in_axes=(None, 0), axis_name="b")
_outer = nnx.vmap(_inner, in_axes=(None, 0), axis_name="a")
assert _raises("ValueError", "vmap has mapped output", _outer, _norm, x)


# %% after: cond-under-vmap 1
assert calls == ["positive"]
_text = str(jax.make_jaxpr(jax.vmap(f))(jnp.ones(2)))
assert "select_n" in _text and "cond[" not in _text
assert "cond[" in str(
    jax.make_jaxpr(
        jax.vmap(
            lambda p, x: lax.cond(p, lambda x: x, lambda x: -x, x),
            in_axes=(None, 0),
        )
    )(True, jnp.ones(2))
)
_n = jax.new_ref(jnp.int32(0))


def _write(x):
    _n[...] += 1
    return x


try:
    jax.vmap(lambda x: lax.cond(x > 0, _write, lambda x: x, x))(jnp.ones(2))
    raise AssertionError("no error")
except NotImplementedError as error:
    assert "not supported in vmap-of-cond" in str(error)


# %% after: cond-under-vmap 2
assert not calls


# %% after: nan-low-precision
assert jnp.finfo("float16").max == 65504
for _dtype, _nan in (
    ("float16", True),
    ("bfloat16", False),
    ("float32", False),
):
    _p = jnp.ones(2, _dtype)
    assert (
        bool(
            jnp.isnan(
                optax.adam(1e-3).update(0 * _p, optax.adam(1e-3).init(_p), _p)[
                    0
                ]
            ).any()
        )
        == _nan
    )
assert jnp.isinf(jnp.float16(300) ** 2)
assert jnp.isnan(jax.nn.softmax(jnp.full(2, -1e9, "float16"))).all()
assert jnp.isfinite(
    jax.nn.softmax(jnp.full(2, jnp.finfo("float16").min, "float16"))
).all()
assert jnp.isfinite(updates).all() and updates.dtype == "bfloat16"


def _run(tx):
    w = jnp.linspace(-1.0, 1.0, 8)
    opt_state = tx.init(w)
    for _ in range(10):
        grads = 6 * jnp.sin(3 * w) * jnp.cos(3 * w)
        updates, opt_state = tx.update(grads, opt_state, w)
        w = optax.apply_updates(w, updates)
    return w


_plain = _run(optax.adam(1e-2))
_injected = _run(optax.inject_hyperparams(optax.adam)(learning_rate=1e-2))
assert 0 < abs(_plain - _injected).max() < 1e-5
_make = optax.inject_hyperparams(optax.adam, static_args=static)
assert (_plain == _run(_make(learning_rate=1e-2))).all()


# %% after: resumed-differs 1
assert whole["w"] != run(fresh(half["w"]), 2)["w"]
_equal = jax.tree.map(
    lambda x, y: bool((x == y).all()), half, fresh(half["w"])
)
assert (
    _equal["w"]
    and not _equal["key"]
    and not all(jax.tree.leaves(_equal["opt"]))
)


# %% after: resumed-differs 2
assert whole["w"] == run(half, 2)["w"]


# %% after: nnx-spectral-norm 1
for _name in ("SpectralNorm", "WeightNorm"):
    if not hasattr(nnx, _name):  # Flax 0.11
        continue
    _layer = nnx.Linear(2, 2, rngs=nnx.Rngs(0))
    _normed = getattr(nnx, _name)(_layer, rngs=nnx.Rngs(0))
    _raw = _layer.kernel[...]
    _normed(jnp.ones((1, 2)))
    assert not jnp.array_equal(_raw, _layer.kernel[...]), _name
_x = jnp.ones((1, 2))
for _normed, _more in (
    (nn.SpectralNorm(nn.Dense(2)), {"update_stats": True}),
    (nn.WeightNorm(nn.Dense(2)), {}),
):
    _v = _normed.init(jax.random.key(0), _x, **_more)
    _, _new = _normed.apply(_v, _x, mutable=["batch_stats"], **_more)
    assert "params" not in _new


# %% after: opt-state-stays
_tx = optax.inject_hyperparams(optax.adam)(optax.linear_schedule(0.0, 1.0, 10))
_state = _tx.init(_g)
for _ in range(3):  # the new state dropped
    _, _dropped = _tx.update(_g, _state)
    assert _dropped.hyperparams["learning_rate"] == 0
for _rate in (0.0, 0.1, 0.2):
    _, _state = _tx.update(_g, _state)
    assert jnp.isclose(_state.hyperparams["learning_rate"], _rate)


# %% after: same-noise 3
assert w != next_w and (new_key != key)
_old = [float(lax.fori_loop(0, 3, update, (0.0, key))[0]) for _ in range(2)]
assert _old[0] == _old[1]


# %% after: same-first-state 1
_starts = starts(back_to_first)
_first = jax.vmap(reset)(jax.random.split(jax.random.key(0), 2))["x"]
assert (_starts == _first[:, None]).all() and _first[0] != _first[1]


# %% after: same-first-state
assert len(jnp.unique(starts(lambda state: reset(state["key"])))) == 6
_resets = []


def _reset(x):  # without a batch, only where an episode ends
    jax.debug.callback(lambda x: _resets.append(float(x)), x)
    return 0 * x


_step = lambda done, x: lax.cond(done, _reset, lambda x: x + 1, x)
_step(False, 1.0), jax.effects_barrier()
assert not _resets
jax.vmap(_step)(jnp.array([False, False]), jnp.ones(2)), jax.effects_barrier()
assert len(_resets) == 2


# %% after: cond-under-vmap
from jax.experimental import io_callback as _io

_effect_errors = set()
for _ordered in (False, True):

    def _note(x):
        _io(lambda x: calls.append(float(x)), None, x, ordered=_ordered)
        return x / 2

    _while = lambda x: lax.while_loop(lambda x: x > 1, _note, x)
    _cond = lambda x: lax.cond(x > 3, _note, lambda x: x, x)
    _xs = jnp.array([2.0, 8.0])
    for _f, _many in ((_note, 2), (_while, 4), (_cond, 1)):
        calls.clear()
        lax.map(_f, _xs), jax.effects_barrier()
        assert len(calls) == _many
        try:
            jax.vmap(_f)(_xs)
        except Exception as _error:
            _effect_errors.add(str(_error).rstrip("."))
for _words in (
    "Unordered IO effects not supported in while_loop",
    "IO effect not supported in vmap-of-cond",
    "Ordered IO effects not supported in vmap",
    "Cannot `vmap` ordered IO callback",
):
    assert any(_words in _e for _e in _effect_errors), _effect_errors
calls.clear()
jax.vmap(halve)(_xs), jax.effects_barrier()
assert len(calls) == 6 and calls.count(1.0) == 2  # finished: 2.0 -> 1.0


# %% after: shard-map-gradient
assert _printed_on(2, TWO_DEVICES + MEANS + FIXED).splitlines() == [
    "whole batch: 4.0",
    "mean of grad: 8.0, unchecked 4.0, pmap [4. 4.]",
    "grad of mean: 4.0, unchecked 2.0, pmap [2. 6.]",
    "pcast: 4.0, unchecked 4.0, pmap [4. 4.]",
]


# %% after: same-noise
def _used(key, _):
    key, draw = jax.random.split(key)
    again = jax.random.split(key)[1]  # key is used, and goes on as well
    return key, (jax.random.normal(draw), jax.random.normal(again))


def _once(key, _):
    key, *draws = jax.random.split(key, 3)
    return key, tuple(jax.random.normal(draw) for draw in draws)


def _python(step, key):
    numbers = []
    for _ in range(3):
        key, (first, second) = step(key, None)
        numbers += [float(first), float(second)]
    return numbers


_scan = lambda step, key: lax.scan(step, key, length=3)[1]
_jit = lambda step, key: _python(jax.jit(step), key)
for _step, _different in ((_used, 4), (_once, 6)):
    assert len(set(_python(_step, jax.random.key(0)))) == _different
_minor = ".".join(jax.__version__.split(".")[:2])
_checks = {"0.7": False, "0.10": False, "0.12": True}.get(_minor, True)
with jax.debug_key_reuse(True):
    for _run, _found in ((_python, True), (_jit, _checks), (_scan, _checks)):
        _run(_once, jax.random.key(0))
        if _found:
            assert _raises("KeyReuseError", "", _run, _used, jax.random.key(0))
        else:
            _run(_used, jax.random.key(0))


# %% after: all-rows-equal
_key, _draw = jax.random.key(0), jax.random.normal
_k1, _k2 = jax.random.split(_key)
assert _raises("TypeError", "add does not accept dtype key", lambda: _k1 + _k2)
assert _raises(ValueError, "key<fry>", lambda: jax.random.fold_in(_k1, _k2))
_rows, _columns = jax.random.split(_k1, 2), jax.random.split(_k2, 3)
_both = lambda f: jax.vmap(jax.vmap(f, (None, 0)), (0, None))
_inner = _both(lambda row, column: _draw(column))(_rows, _columns)
_block = jax.vmap(jax.vmap(_draw))(jax.random.split(_key, (2, 3)))
_fold = jax.random.fold_in
_index = lambda i, j: _draw(_fold(_fold(_key, i), j))
_folded = _both(_index)(jnp.arange(2), jnp.arange(3))
assert len(jnp.unique(_inner)) == 3
assert len(jnp.unique(_block)) == len(jnp.unique(_folded)) == 6


# %% after: resumed-differs 2
_x = np.random.RandomState(0).randn(20, 4).astype("float32")
_y = _x.sum(1, keepdims=True)
_model = keras.Sequential([keras.layers.Dense(1)])
_model.compile(keras.optimizers.SGD(0.1), "mse")
for _ in range(3):
    _model.train_on_batch(_x, _y)
_model.save(folder / "on_batch.keras")
_loaded = keras.models.load_model(folder / "on_batch.keras")
_losses = [m.test_on_batch(_x, _y) for m in (_model, _loaded)]
_mean_since_reset = keras.__version__.startswith("3.13.")  # 3.15: the batch's
assert np.isclose(*_losses) != _mean_since_reset
_model.reset_metrics(), _loaded.reset_metrics()
assert np.isclose(*[m.test_on_batch(_x, _y) for m in (_model, _loaded)])


# %% after: eval-mode
import equinox as eqx

for _mode, _equal in (("ema", False), ("batch", True)):
    _make = eqx.nn.make_with_state(eqx.nn.BatchNorm)
    _norm, _state = _make(1, axis_name="b", mode=_mode)
    _call = jax.vmap(
        _norm, axis_name="b", in_axes=(0, None), out_axes=(0, None)
    )
    _structure = jax.tree.structure(_state)
    _, _state = _call(jnp.array([[0.0], [1.0]]), _state)
    _batch, _outputs = jnp.array([[5.0], [9.0]]), []
    for _ in range(2):
        _y, _state = _call(_batch, _state)
        _outputs.append(_y)
    assert jnp.allclose(*_outputs) == _equal
    assert _norm.mode == _mode
    assert jax.tree.structure(_state) == _structure


# %% after: global-stays
_act = lambda x: x
_f = lambda x: _act(x)
_of_static = jax.jit(lambda x, act: act(x), static_argnames="act")
assert jax.jit(_f)(2.0) == _of_static(2.0, act=_act) == 2
_act = lambda x: -x
assert jax.jit(_f)(2.0) == 2  # the old program
assert _of_static(2.0, act=_act) == -2
assert jax.jit(jax.vmap(_f))(jnp.ones(2)).tolist() == [-1, -1]  # a new f
_f = lambda x: _act(x)
assert jax.jit(_f)(2.0) == -2


# %% after: all-rows-equal
def _narrow(width, key):  # a bias of 0.3 after the ReLU
    k1, k2 = jax.random.split(key)
    w1, w2 = _draw(k1, (2, width)), _draw(k2, (width, 1))
    hidden = jax.nn.relu(_inputs @ w1)
    return hidden, hidden @ w2 + 0.3


_inputs = jax.random.uniform(jax.random.key(0), (5, 2))
_dead = {}
for _width in (1, 32):
    _keys = jax.random.split(jax.random.key(1), 8)
    _hidden, _y = jax.vmap(lambda k: _narrow(_width, k))(_keys)
    _dead[_width] = 0
    for _h, _out in zip(_hidden, _y):
        if (_h == 0).all():
            _dead[_width] += 1
            assert jnp.allclose(_out, 0.3)
        else:
            assert len(jnp.unique(_out)) > 1
assert 0 < _dead[1] < 8 and _dead[32] == 0


# %% after: static-self-stays
from dataclasses import dataclass as _dataclass
from dataclasses import field as _field


class _Named:
    def __init__(self, name, factor):
        self.name, self.factor = name, factor

    @partial(jax.jit, static_argnums=0)
    def __call__(self, x):
        return self.factor * x


class _ByName(_Named):
    def __eq__(self, other):
        return self.name == other.name

    def __hash__(self):
        return hash(self.name)


class _ByAll(_ByName):
    def __eq__(self, other):
        return (self.name, self.factor) == (other.name, other.factor)

    __hash__ = _ByName.__hash__


def _fields(compare):
    @_dataclass(frozen=True)
    class Data:
        name: str
        factor: float = _field(compare=compare)
        __call__ = _Named.__call__

    return Data


for _class, _second in (
    (_Named, 3),
    (_ByName, 2),
    (_ByAll, 3),
    (_fields(False), 2),
    (_fields(True), 3),
):
    assert _class("a", 2.0)(1.0) == 2 and _class("a", 3.0)(1.0) == _second


class _InInit:
    def __init__(self, factor):
        self.factor = factor
        self.scale = jax.jit(lambda x: self.factor * x)


_one, _two = _InInit(2.0), _InInit(3.0)
assert (_one.scale(1.0), _two.scale(1.0)) == (2, 3)
_one.factor = 4.0
assert _one.scale(1.0) == 2


# %% after: same-noise
def _dropped(module, x):
    mask = module(x)
    return module, mask


_x, _call = jnp.ones(99), lambda module, x: module(x)
for _wrap, _same in ((jax.jit, True), (nnx.jit, False)):
    _dropout, _run = nnx.Dropout(0.5, rngs=nnx.Rngs(0)), _wrap(_call)
    assert (_run(_dropout, _x) == _run(_dropout, _x)).all() == _same
    assert _dropout.rngs.count[...] == (0 if _same else 2)
    _rngs, _run = nnx.Rngs(0), _wrap(lambda rngs: jax.random.normal(rngs()))
    assert (_run(_rngs) == _run(_rngs)) == _same
_dropout = nnx.Dropout(0.5, rngs=nnx.Rngs(0))
_dropout, _first = jax.jit(_dropped)(_dropout, _x)
_dropout, _second = jax.jit(_dropped)(_dropout, _x)
assert (_first != _second).any()


# %% after: nan-gradient-where
import traceback as _traceback

import equinox as _eqx


def _length(y, probe):
    return jnp.sqrt(probe(jnp.sum(y**2)))


def _scaled(y, _, probe=lambda square: square):
    length = _length(y, probe)
    return y * jnp.where(length > 0.5, length, 1.0), None


_in_loops = {
    "scan": lambda y: lax.scan(_scaled, y, length=2)[0],
    "cond": lambda y: lax.cond(
        y.sum() < 1, lambda y: _scaled(y, 0)[0], lambda y: y, y
    ),
}
for _name, _loop in _in_loops.items():
    _gradient = jax.grad(lambda y: _loop(y).sum())
    for _f in (_gradient, jax.jit(_gradient)):
        for _off in (False, True):
            try:
                with jax.debug_nans(True), jax.disable_jit(_off):
                    _f(jnp.zeros(2))
                raise AssertionError("no NaN")
            except FloatingPointError as _error:
                _text = "".join(_traceback.format_exception(_error))
                assert f"encountered in {'mul' if _off else _name}" in _text
                assert ("in _length" in _text) == _off
_while = lambda y: lax.while_loop(lambda y: y > 0, lambda y: jnp.log(-y), y)
_words = {False: "encountered in while", True: "encountered in log"}
for _off, _word in _words.items():
    with jax.debug_nans(True), jax.disable_jit(_off):
        _raises("FloatingPointError", _word, _while, jnp.float32(1))
_hidden = jax.jit(lambda x: jnp.where(x > 0, jnp.sqrt(x), 0.0))
with jax.debug_nans(True):
    assert _hidden(-1.0) == 0
    with jax.disable_jit():
        _raises("FloatingPointError", "encountered in sqrt", _hidden, -1.0)
_probed = lambda y, _: _scaled(y, _, _eqx.debug.backward_nan)
_gradient = jax.jit(
    jax.grad(lambda y: lax.scan(_probed, y, length=2)[0].sum())
)
assert jnp.isfinite(_gradient(jnp.ones(2))).all()
_raises(Exception, "Encountered NaN", lambda: _gradient(jnp.zeros(2)) + 0)


# %% after: resumed-differs
_loaded = tx.init(params)
for _ in range(1000):
    _, _loaded = tx.update(params, _loaded)
_update = lambda s: float(tx.update(params, s)[0])
assert abs(_update(_loaded) + 0.001) < 1e-5
assert abs(_update(tx.init(params)) + 0.1) < 1e-5
_kept = optax.tree.set(_loaded, of_schedule, count=jnp.int32(0))
assert (_kept[0].count, _kept[1].count) == (1000, 0)
assert abs(_update(_kept) + 0.1) < 1e-5
_both = optax.tree.set(_loaded, count=jnp.int32(0))
assert abs(_update(_both) + 0.1) > 0.05
_injected = optax.inject_hyperparams(optax.adam)(
    optax.linear_schedule(0.1, 0.001, 100)
)
assert _raises(
    "KeyError",
    "Found no values matching",
    optax.tree.set,
    _injected.init(params),
    of_schedule,
    count=jnp.int32(0),
)


# %% after: load-not-assigned
from flax.serialization import from_bytes as _from
from flax.serialization import to_bytes as _to
from flax.training.train_state import TrainState as _TrainState

_rate = optax.linear_schedule(0.1, 0.0, 10)
_tx = optax.chain(optax.scale_by_adam(), optax.scale_by_learning_rate(_rate))
_new = lambda params: _TrainState.create(apply_fn=None, params=params, tx=_tx)


def _go(state, steps):
    for _ in range(steps):
        grads = jax.grad(lambda p: (p["w"] - 1) ** 2)(state.params)
        state = state.apply_gradients(grads=grads)
    return state


_params = {"w": jnp.float32(4)}
_half, _whole = _go(_new(_params), 3), _go(_new(_params), 6)
_weights = _from(_params, _to(_half.params))  # the script's file
_again = _new(_weights)
assert _again.step == 0 and _again.params["w"] == _half.params["w"]
assert _again.opt_state[1].count == 0 and _half.opt_state[1].count == 3
assert _go(_again, 3).params["w"] != _whole.params["w"]
_kept = _from(_new(_params), _to(_half))
assert _kept.step == 3 and _kept.opt_state[1].count == 3
assert _go(_kept, 3).params["w"] == _whole.params["w"]
assert _raises("TypeError", "encoded_bytes", _from, _to(_half))


# %% after: load-not-assigned
class _Stack(keras.layers.Layer):
    def __init__(self, where, wrap):
        super().__init__()
        layers = [keras.layers.Dense(3), keras.layers.Dense(3)]
        self.where = where
        setattr(self, where, wrap(layers))

    def call(self, x):
        for layer in keras.tree.flatten(getattr(self, self.where)):
            x = layer(x)
        return x


_version = lambda v: tuple(map(int, v.split(".")[:2]))
_nested = _version(keras.__version__) >= _version("3.15")
_file, _x = folder / "stack.weights.h5", np.ones((8, 4), "float32")
for _where, _wrap, _saved in (
    ("blocks", list, True),
    ("blocks", lambda layers: {"a": layers[0], "b": layers[1]}, True),
    ("blocks", lambda layers: [layers], _nested),
    ("blocks", lambda layers: {"a": layers}, _nested),
    ("_layers", list, False),
):
    _old, _new = (
        keras.Sequential([keras.Input((4,)), _Stack(_where, _wrap)])
        for _ in range(2)
    )
    _before = [np.asarray(v.value) for v in _old.trainable_variables]
    _old.compile("sgd", "mse")
    _old.fit(_x, np.ones((8, 3)), verbose=0)
    for _v, _value in zip(_old.trainable_variables, _before, strict=True):
        assert not np.allclose(_v.value, _value)  # they train
    _old.save_weights(_file)
    _new.load_weights(_file)  # no error
    assert np.allclose(_old(_x), _new(_x)) == _saved, (_where, _saved)


# %% after: recurrent-reset 1
assert run(lambda done, next_done: False).tolist() == [1, 2, 3, 4, 5, 6, 7]
_early = run(lambda done, next_done: next_done).tolist()
assert _early == [1, 2, 1, 2, 3, 1, 2]


# %% after: recurrent-reset
assert run(lambda done, next_done: done).tolist() == [1, 2, 3, 1, 2, 3, 1]


def _next_step(
    later,
):  # done with the last observation, reset by a step of its own
    def step(state, _):
        obs, done, before, hidden = state
        new = jnp.where(done, 0, obs + 1), (obs == 1) & ~done
        hidden = jnp.where(before if later else done, 0, hidden) + 1
        return (*new, done, hidden), hidden

    start = jnp.int32(0), jnp.bool_(False), jnp.bool_(False), jnp.int32(0)
    return lax.scan(step, start, length=7)[1].tolist()


assert _next_step(True) == [1, 2, 3, 1, 2, 3, 1]
assert _next_step(False) == [1, 2, 1, 2, 3, 1, 2]


def _returns(dones):
    back = lambda later, done: (1 + (1 - done) * later,) * 2
    return lax.scan(back, 0, dones, reverse=True)[1].tolist()


_dones = jnp.array([0, 0, 1, 0, 0, 1])  # after the action
assert _returns(_dones) == [3, 2, 1, 3, 2, 1]
assert _returns(jnp.roll(_dones, 1).at[0].set(0)) != [3, 2, 1, 3, 2, 1]
_hidden, _done = jnp.ones((2, 2)), jnp.array([True, False])
assert jnp.where(_done[:, None], 0, _hidden).tolist() == [[0, 0], [1, 1]]
assert jnp.where(_done, 0, _hidden).tolist() == [[0, 1], [0, 1]]
assert _raises("ValueError", "", jnp.where, _done, 0, jnp.ones((2, 3)))


# %% after: nnx-scan-carry
import inspect as _inspect

assert "in_axes" not in _inspect.signature(jax.lax.scan).parameters
for _own, _run in (
    (0, lambda carry, xs: jax.lax.scan(step, carry, xs)),
    (4, lambda carry, xs: nnx.scan(step)(carry, xs)),
):
    _cell = Cell(nnx.Rngs(0))
    (_returned, _), _ = _run((_cell, jnp.zeros(2)), jnp.ones((4, 2)))
    assert int(_cell.count[...]) == _own and int(_returned.count[...]) == 4
    assert (_returned is _cell) == (_own == 4)
# in tree mode, what is written to a module with None comes back
if "graph" in _inspect.signature(nnx.scan).parameters:
    _axes = {"in_axes": (None, nnx.Carry, 0), "out_axes": (nnx.Carry, 0)}
    for _graph, _count in ((True, 0), (False, 4)):
        _cell = Cell(nnx.Rngs(0))
        nnx.scan(Cell.__call__, **_axes, graph=_graph)(
            _cell, jnp.zeros(2), jnp.ones((4, 2))
        )
        assert _cell.count[...] == _count


# %% after: resumed-differs
def _dense():
    return keras.Sequential([keras.Input((2,)), keras.layers.Dense(1)])


def _compiled(net):
    rate = keras.optimizers.schedules.PolynomialDecay(0.5, 20, 0.0)
    net.compile(keras.optimizers.Adam(rate), "mse")
    return net


def _loaded(net, path):  # its count of updates, what Keras warns of
    with _warnings.catch_warnings(record=True) as caught:
        _warnings.simplefilter("always")
        net.load_weights(path)
    skipped = "Skipping variable loading for optimizer"
    said = any(skipped in str(one.message) for one in caught)
    optimizer = getattr(net, "optimizer", None)
    count = int(optimizer.iterations) if optimizer else None
    return count, said


_x, _y = np.ones((4, 2), "float32"), np.ones((4, 1), "float32")
_net, _path = _compiled(_dense()), folder / "scheduled.weights.h5"
_net.fit(_x, _y, batch_size=1, verbose=0)
_net.save_weights(_path)
_net.save(folder / "scheduled.keras")
assert int(_net.optimizer.iterations) == 4
_again = _compiled(_dense())
_again.fit(_x, _y, batch_size=1, initial_epoch=1, epochs=2, verbose=0)
assert int(_again.optimizer.iterations) == 4  # not 8
assert _loaded(_compiled(_dense()), _path) == (0, True)
_late = _dense()
assert _loaded(_late, _path) == (None, False)
assert int(_compiled(_late).optimizer.iterations) == 0
_late.optimizer.iterations.assign(4)
_late.fit(_x, _y, batch_size=1, initial_epoch=1, epochs=2, verbose=0)
assert int(_late.optimizer.iterations) == 8
_built = _compiled(_dense())
_built.optimizer.build(_built.trainable_variables)
assert _loaded(_built, _path) == (4, False)
_whole_file = keras.models.load_model(folder / "scheduled.keras")
assert int(_whole_file.optimizer.iterations) == 4


# %% after: resumed-differs
for _impl in ("threefry2x32", "rbg", "unsafe_rbg"):
    _keys = jax.random.split(jax.random.key(0, impl=_impl), 8)
    assert str(jax.random.key_impl(_keys)) == _impl
    for _draw in (
        jax.vmap(jax.random.normal),
        jax.jit(jax.vmap(jax.random.normal)),
    ):
        _rows = _draw(_keys)
        _loop = jnp.stack([jax.random.normal(k) for k in _keys])
        _first = jax.random.normal(_keys[0], (8,))
        assert (_rows == _loop).all() == (_impl == "threefry2x32")
        assert (_rows == _first).all() == (_impl != "threefry2x32")
        assert len(jnp.unique(_rows)) == 8
assert str(jax.random.key_impl(jax.random.key(0))) == "threefry2x32"
with jax.default_prng_impl("rbg"):
    assert str(jax.random.key_impl(jax.random.key(0))) == "rbg"


# %% after: all-rows-equal
_FOUR_DEVICES = """
import jax
import jax.numpy as jnp
from jax import lax
from jax.sharding import NamedSharding, PartitionSpec as P

mesh = jax.make_mesh((4,), ("data",))
x = jax.device_put(jnp.ones((4, 8)), NamedSharding(mesh, P("data")))
key = jax.random.key(0)


def drop(key, x):
    return x * jax.random.bernoulli(key, 0.5, x.shape)


def fold(key, x):
    return drop(jax.random.fold_in(key, lax.axis_index("data")), x)


def rows(y):
    return len(jnp.unique(jax.device_get(y), axis=0))


def on_each(f):
    specs = {"in_specs": (P(), P("data")), "out_specs": P("data")}
    return jax.shard_map(f, mesh=mesh, **specs)


print(rows(jax.jit(drop)(key, x)), rows(on_each(drop)(key, x)))
print(rows(on_each(fold)(key, x)))
print(rows(jax.pmap(drop, in_axes=(None, 0))(key, jnp.ones((4, 8)))))
"""
assert _printed_on(4, _FOUR_DEVICES).split() == ["4", "1", "4", "1"]


# %% after: global-stays
def _two_outputs(weights, **attributes):
    inputs = keras.Input((1,))
    outputs = [
        keras.layers.Dense(1, kernel_initializer=kernel)(inputs)
        for kernel in ("zeros", "ones")
    ]
    model = keras.Model(inputs, outputs)
    for name, value in attributes.items():
        setattr(model, name, value)
    optimizer = keras.optimizers.SGD(0.0, momentum=0.9)
    model.compile(optimizer, ["mse", "mse"], loss_weights=weights)
    return model


def _losses(model, epochs=2, **hooks):
    x = np.ones((8, 1))
    callback = keras.callbacks.LambdaCallback(**hooks)
    options = {"epochs": epochs, "verbose": 0, "callbacks": [callback]}
    return model.fit(x, [x, x + 2], **options).history["loss"]


def _set_list(epoch, logs=None):
    _weights[:] = [1.0 - epoch, 1.0 * epoch]


def _assign(epoch, logs=None):
    for variable, new in zip(_weights, (1.0 - epoch, epoch)):
        variable.assign(new)


_weights = [1.0, 0.0]
_model = _two_outputs(_weights)
assert _losses(_model, on_epoch_begin=_set_list) == [1, 1]
assert _weights == [0, 1] and _losses(_model, 1) == [1]
_variables = lambda: [
    keras.Variable(value, trainable=False) for value in (1.0, 0.0)
]
_weights = _variables()
_model = _two_outputs(_weights)
assert _losses(_model, on_epoch_begin=_assign) == [1, 1]
assert _losses(_model, 1) == [1]  # nor in the next fit
_weights = _variables()
_model = _two_outputs(_weights, my_weights=_weights)
assert _losses(_model, on_epoch_begin=_assign) == [1, 4]
_cannot = "Cannot serialize object"
assert _raises("TypeError", _cannot, _model.save, folder / "weighted.keras")
_model.save_weights(folder / "weighted.weights.h5")
_weights = _variables()
_second = _two_outputs(_weights, my_weights=_weights)
_second.load_weights(folder / "weighted.weights.h5")
for _w, _loaded in zip(_model.get_weights(), _second.get_weights()):
    assert (_w == _loaded).all()
_optimizer = _model.optimizer
_before = [np.asarray(v.value) for v in _optimizer.variables]
_model.compile(_optimizer, ["mse", "mse"], loss_weights=[1.0, 0.0])
for _old, _new in zip(_before, _optimizer.variables, strict=True):
    assert (_old == np.asarray(_new.value)).all()
assert _losses(_model, 1) == [1] and int(_optimizer.iterations) == 3
for _hook in ("on_epoch_begin", "on_epoch_end"):
    _model = _two_outputs([1.0, 0.0])
    _again = lambda epoch, logs=None: _model.compile(
        _model.optimizer, ["mse", "mse"], loss_weights=[0.0, 1.0]
    )
    assert _raises(
        "TypeError",
        "'NoneType' object is not callable",
        lambda: _losses(_model, 3, **{_hook: _again}),
    )


class _Scaled(keras.losses.Loss):
    def __init__(self, scale):
        super().__init__()
        self.scale = scale

    def call(self, y, y_pred):
        return self.scale * keras.ops.mean((y - y_pred) ** 2, -1)


_number, _variable = _Scaled(1.0), keras.Variable(1.0, trainable=False)
for _loss, _set, _after in (
    (_number, lambda e, logs=None: setattr(_number, "scale", 1.0 + e), 1),
    (_Scaled(_variable), lambda e, logs=None: _variable.assign(1.0 + e), 2),
):
    _layer = keras.layers.Dense(1, kernel_initializer="zeros")
    _model = keras.Sequential([keras.Input((1,)), _layer])
    if _after == 2:
        _model.scale = _variable
    _model.compile(keras.optimizers.SGD(0.0), _loss)
    _hook = keras.callbacks.LambdaCallback(on_epoch_begin=_set)
    _x = np.ones((8, 1))
    _run = _model.fit(_x, _x, epochs=2, verbose=0, callbacks=[_hook])
    assert _run.history["loss"] == [1, _after]
