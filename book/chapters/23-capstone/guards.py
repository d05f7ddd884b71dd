"""What this chapter says, in asserts for the tests alone."""

# %% after: title 2
_rows = []
for _i in range(31):
    _position, (_x, _y) = next_batch(jnp.int32(_i), data)
    assert _position == _i + 1 and _x.shape == (50, 64) and _y.shape == (50,)
    _rows.append(np.asarray(_x))
assert len(data[0]) // 50 == 30
# an epoch has every image once; the next has another order
_sort = lambda rows: rows[np.lexsort(rows.T)]
assert (_sort(np.concatenate(_rows[:30])) == _sort(np.asarray(data[0]))).all()
assert (_rows[30] != _rows[0]).any()


# %% after: title 2
assert (
    digits.data.shape == (1797, 64)
    and digits.data.min() == 0
    and digits.data.max() == 16
)
assert images.min() == 0 and images.max() == 1
assert len(data[0]) == 1500 and len(test[0]) == len(test[1]) == 297
_logits = jax.random.normal(jax.random.key(5), (7, 10))
_want = optax.softmax_cross_entropy_with_integer_labels(
    _logits, labels[:7]
).mean()
assert np.isclose(cross_entropy(_logits, labels[:7]), _want, rtol=1e-5)
assert np.isclose(
    cross_entropy(_logits[:1], labels[:1]),
    optax.softmax_cross_entropy_with_integer_labels(_logits[:1], labels[:1])[
        0
    ],
    rtol=1e-5,
)


# %% after: title 5
assert equal == 120 == len(more)
_losses = [
    float(cross_entropy(test[0] @ s.ema_w, test[1]))
    for s in (linear_full, linear_resumed)
]
assert abs(_losses[0] - 0.468) < 0.005 and abs(_losses[1] - 0.371) < 0.005
# the weights themselves agree to the bit: only the EMA tells
assert (linear_full.w == linear_resumed.w).all() and (
    linear_full.position == linear_resumed.position
)
# the part of the zeros: the initial ema_w weighs 0.99**200 at the end
assert 0.13 < 0.99**200 < 0.14
# without that part, most of the difference between the losses is gone
_debiased = linear_full.ema_w / (1 - 0.99**200)
assert abs(cross_entropy(test[0] @ _debiased, test[1]) - 0.383) < 0.005


# it isn't this stop: the log is silent wherever the run stops
for _n in (40, 150):
    _s, _ = run(linear_step, linear_start, data, _n)
    _s, _more = run(linear_step, _s._replace(ema_w=_s.w), data, 200 - _n)
    assert all(a == b for a, b in zip(losses[_n:], _more))
    assert cross_entropy(test[0] @ _s.ema_w, test[1]) < _losses[0] - 0.05
# as a picture shows: of w, one number; of ema_w, the same place
assert linear_full.w[20, 3] == linear_resumed.w[20, 3]
assert linear_full.ema_w[20, 3] != linear_resumed.ema_w[20, 3]


# %% after: stop-and-resume 1
assert (
    different(stopped, no_ema)
    == different(linear_full, linear_resumed)
    == ["ema_w"]
)
assert different(linear_full, linear_full) == [] and different(
    linear_full, stopped
) == ["w", "ema_w", "position"]
_nan = {"a": jnp.float32(jnp.nan)}
assert different(_nan, _nan) == []
assert different({"a": jnp.float32(0.0)}, {"a": jnp.float32(-0.0)}) == ["a"]
assert different({"a": jnp.int32(1)}, {"a": jnp.float32(1)}) == ["a"]
assert different({"k": jax.random.key(0)}, {"k": jax.random.key(1)}) == ["k"]
assert different(
    {"a": {"b": jnp.ones(2)}}, {"a": {"b": jnp.ones((2, 1))}}
) == ["a/b"]
assert different((), ()) == []
for _pair in (
    ({"a": jnp.ones(1)}, {"b": jnp.ones(1)}),
    ((jnp.ones(1),), (jnp.ones(1),) * 2),
):
    try:
        different(*_pair)
    except ValueError:
        continue
    raise AssertionError


# %% after: stop-and-resume
assert (
    different(linear_full, linear_resumed) == []
    and different(stopped, linear_restored) == []
)
assert type(linear_restored) is LinearState
assert all(a == b for a, b in zip(losses[80:], more))


# %% after: tolerance-or-bits
_lost, _bit = lost, bit
assert 0.6 < _lost[0] < 0.7 and _bit[0] < 1e-7  # one bit of one number
assert different(stopped, one_bit) == ["w"]
# what the fault left is multiplied by 0.99 a step
assert np.allclose(_lost[1:601], _lost[:600] * 0.99, rtol=1e-2)
_first = int(np.argmax(_lost < 1e-3))
assert 600 < _first < 680, _first
assert abs(_lost[0] * 0.99**_first - 1e-3) < 2e-5
assert _bit.max() < 1e-5
if jax.default_backend() == "cpu":
    assert 1000 < np.argmax(_lost < _bit) < 1799, np.argmax(_lost < _bit)
    # rounding grows: ten times what it was
    assert _bit[-1] > 5 * _bit[0]
    assert different(states[0], states[1]) == ["ema_w"]
    assert different(states[0], states[2]) == ["w", "ema_w"]
# NumPy's own tolerances: they pass the run that lost its EMA by now
assert not np.allclose(linear_full.ema_w, no_ema.ema_w)
assert np.allclose(states[0].ema_w, states[1].ema_w, atol=1e-6)
# after long enough the fault leaves no bit: the last states can't tell
_two = [run(linear_step, state, data, 1200)[0] for state in states[:2]]
if jax.default_backend() == "cpu":
    assert different(*_two) == []
# a NaN and the sign of zero: allclose and == against bits
assert not np.allclose(np.nan, np.nan) and np.allclose(0.0, -0.0)
assert bits(jnp.float32(np.nan)) == bits(jnp.float32(np.nan))
assert bits(jnp.float32(0.0)) != bits(jnp.float32(-0.0))
# two logs of one run can print alike and differ: four decimals hide a bit
_loss = losses[80]
_next = jnp.nextafter(_loss, 1)
assert _next != _loss and f"{_loss:.4f}" == f"{_next:.4f}"
# addition in another order gives other bits: why the program must be the same
_x = jnp.float32([1e8, 1.0, -1e8])
assert (_x[0] + _x[1]) + _x[2] == 0 and (_x[0] + _x[2]) + _x[1] == 1
# bits don't have the weak type, and a weak type changes the next result
_weak, _strong = jnp.asarray(2.0), jnp.float32(2)
assert different([_weak], [_strong]) == []
assert (_weak * jnp.bfloat16(1)).dtype != (_strong * jnp.bfloat16(1)).dtype
# NumPy arrays are compared as well, Python numbers aren't leaves with bytes
assert different([np.ones(2, "float32")], [jnp.ones(2)]) == []
assert _raises(AttributeError, "", lambda: different([1.0], [1.0]))


# %% after: the-training-state 1
assert len(jax.tree.leaves(init(jax.random.key(0)))) == 21
assert different(init(jax.random.key(0)), init(jax.random.key(0))) == []


# %% after: the-training-state
_s = init(jax.random.key(3))
_stats, _logits = model(_s.params, _s.batch_stats, images[:50])
assert different(_stats, _s.batch_stats) == [] and _logits.shape == (50, 10)
_stats, _logits = model(
    _s.params, _s.batch_stats, images[:50], jax.random.key(1)
)
_h = images[:50] @ _s.params["hidden"]
assert np.allclose(_stats["mean"], 0.1 * _h.mean(0), atol=1e-5)
assert np.allclose(_stats["var"], 0.9 + 0.1 * _h.var(0), atol=1e-5)
# a batch of one in evaluation mode equals its row
assert np.allclose(
    model(_s.params, _s.batch_stats, images[:1])[1],
    model(_s.params, _s.batch_stats, images[:50])[1][:1],
    atol=1e-4,
)


# %% after: one-step 1
_s = init(jax.random.key(2))
assert (
    different(adam(_s.params, _s.opt_state, _s.params, 300)[0], _s.params)
    == []
)
_tx = optax.adam(optax.cosine_decay_schedule(0.01, 300))
_p = _q = init(jax.random.key(2)).params
_o, _t = init(jax.random.key(2)).opt_state, _tx.init(_p)
for _i in range(5):
    _g = jax.tree.map(
        lambda p: jax.random.normal(jax.random.key(_i), p.shape), _p
    )
    _p, _o = adam(_p, _o, _g, jnp.int32(_i))
    _u, _t = _tx.update(_g, _t)
    _q = optax.apply_updates(_q, _u)
assert jax.tree.all(
    jax.tree.map(lambda a, b: np.allclose(a, b, atol=1e-5), _p, _q)
)


# %% after: stop-save-resume
_state, _ = train_step(start, data)
assert len(changed) == 21
assert jax.tree.map(jnp.shape, start) == jax.tree.map(jnp.shape, _state)
assert jax.tree.map(
    lambda l: (l.dtype, l.weak_type if hasattr(l, "weak_type") else None),
    jax.eval_shape(train_step, start, data)[0],
) == jax.tree.map(
    lambda l: (l.dtype, l.weak_type if hasattr(l, "weak_type") else None),
    jax.eval_shape(lambda: start),
)
# pure: the same state and data give the same bits
assert different(train_step(_state, data), train_step(_state, data)) == []
# which leaves make 21
assert {f: len(jax.tree.leaves(getattr(start, f))) for f in start._fields} == {
    "step": 1,
    "params": 4,
    "batch_stats": 2,
    "opt_state": 8,
    "ema_params": 4,
    "key": 1,
    "position": 1,
}
assert _raises(TypeError, "", lambda: TrainState(step=1))


# %% after: stop-save-resume
for _params in full.params, full.ema_params:
    _, _logits = model(_params, full.batch_stats, test[0])
    assert jnp.mean(_logits.argmax(axis=1) == test[1]) > 0.965
assert full.step == full.position == 300 and len(full_losses) == 300


# %% after: stop-save-resume
assert type(restored) is TrainState and restored.step == 100
assert different(at_100, restored) == []
assert divmod(100, 30) == (3, 10)
# the dtype comes from the template
_other = ocp.load(
    folder / "step-100", template._replace(position=jnp.float32(0))
)
assert _other.position.dtype == jnp.float32 and _other.position == 100
assert len(different(at_100, template)) == 21


# %% after: stop-save-resume
assert equal == 200 and different(full, resumed) == []
assert (
    different(
        *(
            model(s.ema_params, s.batch_stats, test[0])[1]
            for s in (full, resumed)
        )
    )
    == []
)
if jax.default_backend() == "cpu":
    # the step itself is deterministic
    _twice = [run(train_step, at_100, data, 5)[0] for _ in range(2)]
    assert different(*_twice) == []
    # another compilation of the same step, as in a new process
    _again = jax.jit(lambda state, data: train_step.__wrapped__(state, data))
    _s, _ = run(_again, ocp.load(folder / "step-100", template), data, 20)
    assert different(_s, run(train_step, at_100, data, 20)[0]) == []
# killed 37 steps after the save: these are taken again, with equal losses
_, _first = run(train_step, at_100, data, 37)
assert len(_first) == 37 and all(bool(a == b) for a, b in zip(_first, more))
# lost moments: the first loss is right, then it isn't
_lost = restored._replace(opt_state=start.opt_state)
_, _other = run(train_step, _lost, data, 37)
assert [bool(a == b) for a, b in zip(_first, _other)] == [True] + [False] * 36


# %% after: counter-outside 1
# a generator outside of the state: equal states, other next steps
_rng = np.random.default_rng(0)


def _outside(state, data):
    return {"w": 0.9 * state["w"] + np.float32(_rng.normal())}, 0


_at, _ = run(_outside, {"w": jnp.float32(0)}, data, 10)
_one, _ = run(_outside, _at, data, 5)
_two, _ = run(_outside, _at, data, 5)
assert different(_one, _two) == ["w"]


# %% after: stop-save-resume
# in Flax NNX: dropout has a count, and the seed alone doesn't bring it back
from flax import nnx


class _Net(nnx.Module):
    def __init__(self, seed):
        rngs = nnx.Rngs(seed)
        self.hidden = nnx.Linear(64, 32, rngs=rngs)
        self.dropout = nnx.Dropout(0.2, rngs=rngs)
        self.output = nnx.Linear(32, 10, rngs=rngs)

    def __call__(self, x):
        return self.output(self.dropout(nnx.relu(self.hidden(x))))


_x, _y = data[0][:50], data[1][:50]


def _losses_of(net, n):
    return [float(cross_entropy(net(_x), _y)) for _ in range(n)]


_one, _two, _three = _Net(0), _Net(0), _Net(7)
_whole, _half = _losses_of(_one, 8), _losses_of(_two, 4)
assert _half == _whole[:4]
ocp.save(folder / "nnx", nnx.state(_two), overwrite=True)
nnx.update(_three, ocp.load(folder / "nnx", nnx.state(_three)))
assert _losses_of(_three, 4) == _whole[4:]
assert different(nnx.state(_one), nnx.state(_three)) == []
# all but the random state restored, with the seed of the stopped run
_three = _Net(0)
nnx.update(_three, nnx.state(_two, nnx.Not(nnx.RngState)))
_lost = different(nnx.state(_two), nnx.state(_three))
assert [p.removesuffix("/value") for p in _lost] == ["dropout/rngs/count"]
assert not any(a == b for a, b in zip(_losses_of(_three, 4), _whole[4:]))
# a state that was fetched before goes on with its object
_kept = nnx.state(_one)
_losses_of(_one, 1)
assert different(_kept, nnx.state(_one)) == []


# %% after: counter-outside 1
def _toy_step(state, data):
    w = (state["w"] + data) / 2
    return {"w": w, "ema": 0.9 * state["ema"] + 0.1 * w}, w


def _only_w(state):
    return {"w": state["w"], "ema": jnp.float32(0)}


_toy = {"w": jnp.float32(0), "ema": jnp.float32(0)}
assert lost_by_resume(_toy_step, _toy, 1.0, 5, _only_w) == ["ema"]
assert lost_by_resume(_toy_step, _toy, 1.0, 5, lambda state: state) == []
_start = init(jax.random.key(0))
for _field in TrainState._fields:
    _keep = lambda s: s._replace(**{_field: getattr(_start, _field)})
    _lost = lost_by_resume(train_step, _start, data, 3, _keep)
    assert any(p.split("/")[0] == _field for p in _lost), _field


def _orbax(state):
    ocp.save(folder / "lost", state, overwrite=True)
    return ocp.load(folder / "lost", _start)


assert lost_by_resume(train_step, start, data, 5, _orbax) == []
_n = [0]


def _counting(state, data):
    _n[0] += 1
    return {"w": state["w"] + _n[0]}, 0


_w = {"w": jnp.float32(0)}
assert lost_by_resume(_counting, _w, 0, 4, lambda s: s) == ["w"]
# under jit, what it read while it was traced is fixed: nothing differs
_jitted = jax.jit(_counting)
assert lost_by_resume(_jitted, _w, 0, 4, lambda s: s) == []
assert lost_by_resume(_jitted.__wrapped__, _w, 0, 4, lambda s: s) == ["w"]
# so it is in a jitted function that the step calls, unless jit is disabled
_inner = jax.jit(lambda w: w + _n[0])


def _calling(state, data):
    _n[0] += 1
    return {"w": _inner(state["w"])}, 0


assert lost_by_resume(_calling, _w, 0, 4, lambda s: s) == []
with jax.disable_jit():
    assert lost_by_resume(_calling, _w, 0, 4, lambda s: s) == ["w"]
# so it is in a function that every call passes to scan
_body = lambda w, _: (w + _n[0], None)


def _scanning(state, data):
    _n[0] += 1
    return {"w": jax.lax.scan(_body, state["w"], None, length=2)[0]}, 0


assert lost_by_resume(_scanning, _w, 0, 4, lambda s: s) == []
with jax.disable_jit():
    assert lost_by_resume(_scanning, _w, 0, 4, lambda s: s) == ["w"]


# a NumPy array that is changed in place is the other run's array too
def _in_place(state, data):
    state["v"] += 1
    return {"w": state["w"] + state["v"], "v": state["v"]}, 0


_v = lambda: {"w": jnp.float32(0), "v": np.zeros((), "float32")}
_copy = lambda s: jax.tree.map(lambda leaf: leaf.copy(), s)
assert "w" in lost_by_resume(_in_place, _v(), 0, 4, lambda s: s)
assert lost_by_resume(_in_place, _v(), 0, 4, _copy) == []


# a lost minimum that later steps lower leaves no trace
def _lowest(state, data):
    w = state["w"] / 2
    return {"w": w, "lowest": jnp.minimum(state["lowest"], w)}, w


_w = {"w": jnp.float32(1), "lowest": jnp.float32(jnp.inf)}
_no_lowest = lambda s: {**s, "lowest": jnp.float32(jnp.inf)}
assert lost_by_resume(_lowest, _w, 0, 4, _no_lowest) == []
_w = {"w": jnp.float32(0)}
_rng = np.random.default_rng(0)


def _drawing(state, data):
    return {"w": state["w"] + np.float32(_rng.normal())}, 0


assert lost_by_resume(_drawing, _w, 0, 4, lambda s: s) == ["w"]
assert lost_by_resume(jax.jit(_drawing), _w, 0, 4, lambda s: s) == []
assert callable(train_step.__wrapped__)
# a wrong structure stops the test only if the step or the comparison meets it
_more = lambda s: {**s, "unused": jnp.ones(2)}
assert lost_by_resume(_toy_step, _toy, 1.0, 2, _more) == []
for _bad in (
    lambda: lost_by_resume(_toy_step, _toy, 1.0, 2, lambda s: [s["w"]]),
    lambda: lost_by_resume(
        lambda s, d: (s, 0), {"w": 0.5}, 1.0, 2, lambda s: s
    ),
):
    try:
        _bad()
    except (TypeError, ValueError, AttributeError):
        continue
    raise AssertionError


# %% after: counter-outside 1
def _save_train(state):
    ocp.save(folder / "train-test", state, overwrite=True)
    return ocp.load(folder / "train-test", init(jax.random.key(7)))


# a field that isn't saved makes it fail, and so does a generator outside
_rng = np.random.default_rng(0)


def _noisy(state, data):
    state, loss = train_step(state, data)
    _n = np.float32(_rng.normal())
    return state._replace(step=state.step + jnp.int32(1e6 * _n)), loss


assert "step" in lost_by_resume(_noisy, start, data, 2, _save_train)
# under jit the number is drawn once, and the fault goes unseen
assert lost_by_resume(jax.jit(_noisy), start, data, 2, _save_train) == []
_lossy = lambda s: _save_train(s)._replace(ema_params=start.ema_params)
_lost = lost_by_resume(train_step, start, data, 2, _lossy)
assert {p.split("/")[0] for p in _lost} == {"ema_params"}
# the template's values can't pass for loaded ones
assert len(different(init(jax.random.key(7)), start)) >= 3


# %% after: counter-outside
assert lost_by_resume(counting_step, outside, one, 4, keep) == ["w"]
assert lost_by_resume(jax.jit(counting_step), outside, one, 4, keep) == []
with jax.disable_jit():
    _jitted = jax.jit(counting_step)
    assert lost_by_resume(_jitted, outside, one, 4, keep) == ["w"]
assert lost_by_resume(jax.jit(pure_step), inside, one, 4, keep) == []
# under jit the count of the trace is in the program
_before = count
_frozen = jax.jit(lambda state, data: counting_step(state, data))
_counts = [int(_frozen(outside, one)[1]) for _ in range(3)]
assert _counts == [_before + 1] * 3 and count == _before + 1
# two traces (another dtype) are two counts
_other = int(_frozen({"w": jnp.float16(1)}, one)[1])
assert _other == _before + 2


# %% after: kv-cache
# a step that appends a slot: a trace per token, and no scan
_traces = []


def _growing_step(params, cache, token):
    _traces.append("growing")
    query, key, value = project(params, token, cache.position)
    keys = jnp.concatenate([cache.keys, key[:, None]], axis=1)
    values = jnp.concatenate([cache.values, value[:, None]], axis=1)
    output = attend(query, keys, values, jnp.ones(keys.shape[1], bool))
    return Cache(keys, values, cache.position + 1), output


_none = jnp.zeros((2, 0, 16))
_begin = Cache(_none, _none, jnp.int32(0))
_, _outputs = decode(_growing_step, params, _begin, tokens)
assert len(_traces) == 6 and np.allclose(_outputs, expected, atol=1e-3)
decode(_growing_step, params, _begin, tokens)  # lengths it has seen
assert len(_traces) == 6
assert _raises(
    TypeError,
    "carry",
    lambda: jax.lax.scan(
        lambda c, t: _growing_step(params, c, t), _begin, tokens.T
    ),
)
# the template of a saved cache needs the length that was saved
_three, _ = decode(_growing_step, params, _begin, tokens[:, :3])
assert _three.keys.shape == (2, 3, 16)
ocp.save(folder / "growing", {"keys": _three.keys}, overwrite=True)
assert _raises(
    ValueError,
    "shape",
    lambda: ocp.load(folder / "growing", {"keys": jnp.zeros((2, 6, 16))}),
)
# without a cache: 1 + 2 + ... + n keys against n
assert sum(range(1, 7)) == 21
# `expected` is causal attention over the whole text
_q, _k, _v = project(params, tokens, jnp.arange(6))
for _t in range(6):
    _w = jax.nn.softmax(
        _q[:, _t : _t + 1] @ jnp.swapaxes(_k[:, : _t + 1], 1, 2) / 4
    )
    assert np.allclose((_w @ _v[:, : _t + 1])[:, 0], expected[_t], atol=1e-3)
# a key doesn't depend on later tokens
_other = tokens.at[:, 5].set(0)
assert (project(params, _other, jnp.arange(6))[1][:, :5] == _k[:, :5]).all()


# %% after: kv-cache
_slots = jax.random.normal(
    jax.random.key(1), (2, 8, 16)
)  # what an earlier text left
_begin = Cache(_slots, _slots, jnp.int32(0))
_traces = []


def _counted(c, t):
    _traces.append("fixed")
    return fixed_step(params, c, t)


_cache, _outputs = jax.lax.scan(_counted, _begin, tokens.T)
assert np.allclose(_outputs, expected, atol=1e-3)
assert _cache.position == 6 and _cache.keys.shape == (2, 8, 16)
_jitted, _c = jax.jit(_counted), _begin
_traces.clear()
for _t in range(6):
    _c, _ = _jitted(_c, tokens[:, _t])
assert len(_traces) == 1
# zeros in an unfilled slot aren't neutral: their score 0 takes part
_q = jnp.ones((1, 2))
_k = jnp.array([[[1.0, 1.0], [0.0, 0.0]]])
_all = attend(_q, _k, _k, jnp.array([True, True]))
assert not np.allclose(_all, attend(_q, _k, _k, jnp.array([True, False])))


# %% after: kv-cache
assert different(full_cache, cache) == [] and len(rest) == 3
assert bits(outputs[3:]) == bits(rest)
for _n in range(1, 6):  # wherever it stops
    _half, _ = decode(fixed_step, params, empty, tokens[:, :_n])
    ocp.save(folder / "cache", _half, overwrite=True)
    _half = ocp.load(folder / "cache", empty)
    _half, _ = decode(fixed_step, params, _half, tokens[:, _n:])
    assert different(full_cache, _half) == []


# %% after: back-to-the-issue
_kinds = {
    "both": (stopped, 120, []),
    "EMA from the weights": (no_ema, 120, ["ema_w"]),
    "EMA from zeros": (stopped._replace(ema_w=zeros), 120, ["ema_w"]),
    "weights from the EMA": (
        stopped._replace(w=stopped.ema_w),
        0,
        ["w", "ema_w"],
    ),
}
for _name, (_s, _equal, _paths) in _kinds.items():
    _end, _more = run(linear_step, _s, data, 120)
    assert sum(bool(a == b) for a, b in zip(losses[80:], _more)) == _equal
    assert different(linear_full, _end) == _paths, _name
# the weights from the EMA: training goes back, the first loss is higher
_, _more = run(linear_step, stopped._replace(w=stopped.ema_w), data, 1)
assert _more[0] > losses[80] + 0.2


# %% after: complete-cell
assert jax.tree.all(
    jax.tree.map(lambda a, b: a.tobytes() == b.tobytes(), full, resumed)
)
assert type(resumed) is State and resumed.position == 200
# without the EMA it fails at that leaf
_lost = ocp.load(path, start)
_lost = _lost._replace(ema_w=_lost.w)
while _lost.position < 200:
    _lost, _ = step(_lost, data)
assert jax.tree.map(
    lambda a, b: a.tobytes() == b.tobytes(), full, _lost
) == State(True, False, True)


# %% after: exercise-2 2
_xs = jax.random.normal(jax.random.key(3), (5, 3, 4))
batches = _xs, _xs[:, :, 0]
_w = jnp.zeros(4)
leaky = NoisyState(_w, _w, _w, jax.random.key(0), jnp.int32(0))
assert lost_by_resume(leaky_step, leaky, batches, 3, lambda state: state) == [
    "params",
    "velocity",
    "ema_params",
]
_new, _ = leaky_step(leaky, batches)
assert different(leaky, _new) == ["params", "velocity", "ema_params"]
# under jit the batch is fixed when the step is traced: nothing differs
assert (
    lost_by_resume(jax.jit(leaky_step), leaky, batches, 3, lambda state: state)
    == []
)
drawn.clear()


# %% after: exercise-2
assert (
    lost_by_resume(momentum_step, leaky, batches, 3, lambda state: state) == []
)
assert different(leaky, momentum_step(leaky, batches)[0]) == list(
    NoisyState._fields
)


# %% after: exercise-3
_full = jnp.arange(3.0)
assert (_full.at[jnp.int32(3)].set(9) == _full).all()
assert (
    jax.lax.dynamic_update_slice(_full, jnp.array([9.0]), (3,))
    == jnp.array([0.0, 1.0, 9.0])
).all()
