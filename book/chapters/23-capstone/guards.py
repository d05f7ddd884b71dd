"""What this chapter says, in asserts for the tests alone."""

# %% after: the-data
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


# %% after: the-data
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


# %% after: stop-and-resume 3
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


# %% after: stop-and-resume 4
assert (
    different(linear_stopped, linear_restored)
    == different(linear_full, linear_resumed)
    == ["ema_w"]
)
assert different(linear_full, linear_full) == [] and different(
    linear_full, linear_stopped
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
    and different(linear_stopped, linear_restored) == []
)
assert type(linear_restored) is LinearState
assert all(a == b for a, b in zip(losses[80:], more))


# %% after: the-training-state 2
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


# %% after: one-step
assert len(changed) == 21 and train_step._cache_size() == 1
assert jax.tree.map(jnp.shape, start) == jax.tree.map(jnp.shape, state)
assert jax.tree.map(
    lambda l: (l.dtype, l.weak_type if hasattr(l, "weak_type") else None),
    jax.eval_shape(train_step, start, data)[0],
) == jax.tree.map(
    lambda l: (l.dtype, l.weak_type if hasattr(l, "weak_type") else None),
    jax.eval_shape(lambda: start),
)
# pure: the same state and data give the same bits
assert different(train_step(state, data), train_step(state, data)) == []
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
try:
    TrainState(step=1)
except TypeError:
    pass
else:
    raise AssertionError


# %% after: stop-save-resume 1
for _params in full.params, full.ema_params:
    _, _logits = model(_params, full.batch_stats, test[0])
    assert jnp.mean(_logits.argmax(axis=1) == test[1]) > 0.965
assert full.step == full.position == 300 and len(losses) == 300
# in mid-training, statistics collected with the EMA serve it better
_s, _ = run(train_step, start, data, 50)
_h = data[0] @ _s.ema_params["hidden"]
_fit = {"mean": _h.mean(axis=0), "var": _h.var(axis=0)}
_fit, _old = (
    cross_entropy(model(_s.ema_params, _stats, test[0])[1], test[1])
    for _stats in (_fit, _s.batch_stats)
)
assert _fit < _old - 0.2
assert train_step._cache_size() == 1


# %% after: stop-save-resume 2
assert type(restored) is TrainState and restored.step == 100
assert different(stopped, restored) == []
assert divmod(100, 30) == (3, 10)
# the dtype comes from the template
_other = ocp.load(
    folder / "step-100", template._replace(position=jnp.float32(0))
)
assert _other.position.dtype == jnp.float32 and _other.position == 100
assert len(different(stopped, template)) == 21


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
    _twice = [run(train_step, stopped, data, 5)[0] for _ in range(2)]
    assert different(*_twice) == []
    # another compilation of the same step, as in a new process
    _again = jax.jit(lambda state, data: train_step.__wrapped__(state, data))
    _s, _ = run(_again, ocp.load(folder / "step-100", template), data, 20)
    assert different(_s, run(train_step, stopped, data, 20)[0]) == []
# stopping elsewhere, several times
_s = start
for _i, _n in enumerate((1, 28, 2, 69)):
    _s, _ = run(train_step, _s, data, _n)
    ocp.save(folder / f"h{_i}", _s)
    _s = ocp.load(folder / f"h{_i}", template)
assert different(_s, stopped) == []


# %% after: killed-between-checkpoints
assert equal == 37 and different(full, resumed) == []
# lost moments: the first loss is right, then it isn't
_lost = restored._replace(opt_state=start.opt_state)
_, _other = run(train_step, _lost, data, 37)
assert [bool(a == b) for a, b in zip(first_time, _other)] == [True] + [
    False
] * 36
# a key or a position that is 37 steps ahead
_ahead = run(train_step, stopped, data, 37)[0]
for _field in "key", "position":
    _lost = restored._replace(**{_field: getattr(_ahead, _field)})
    _, _other = run(train_step, _lost, data, 37)
    assert not any(bool(a == b) for a, b in zip(first_time, _other)), _field
assert resumed.step == resumed.position == 300
# with a generator outside of the state it wouldn't
_rng = np.random.default_rng(0)


def _outside(state, data):
    return {"w": 0.9 * state["w"] + np.float32(_rng.normal())}, 0


_at, _ = run(_outside, {"w": jnp.float32(0)}, data, 10)
_one, _ = run(_outside, _at, data, 5)
_two, _ = run(_outside, _at, data, 5)
assert different(_one, _two) == ["w"]
assert stopped.step + len(first_time) == 137


# %% after: in-flax-nnx 5
assert equal == 200 and lost == []
assert jnp.mean(nnx_full.ema_model(test[0]).argmax(axis=1) == test[1]) > 0.95
assert nnx_full.position[...] == nnx_full.optimizer.step[...] == 300
assert nnx_full.model.dropout.rngs.count[...] == 300
# the clone's dropout is in evaluation mode and never draws
assert nnx_full.ema_model.dropout.rngs.count[...] == 0
assert nnx_losses[0] > 2 and nnx_losses[-1] < 0.2
# Optax's schedule has a count of its own, and the moments are in the optimizer
_in_optimizer = [
    jax.tree_util.keystr(p)
    for p, _ in jax.tree.leaves_with_path(nnx.state(nnx_full.optimizer))
]
assert sum("step" in p for p in _in_optimizer) == 1
assert sum("count" in p for p in _in_optimizer) == 2 and any(
    "mu" in p for p in _in_optimizer
)


# %% after: in-flax-nnx 5
# all moves but the dropout's key (its count does) and the clone's stream
_t = Training(0)
_old = jax.tree.map(jnp.copy, nnx.state(_t))
nnx_step(_t, data)
_moved = different(_old, nnx.state(_t))
_paths = [
    jax.tree_util.keystr(p, simple=True, separator="/")
    for p, _ in jax.tree.leaves_with_path(_old)
]
_still = [p.removesuffix("/value") for p in _paths if p not in _moved]
assert sorted(_still) == [
    "ema_model/dropout/rngs/count",
    "ema_model/dropout/rngs/key",
    "model/dropout/rngs/key",
], _still
# split copies nothing
_, _, _rest = nnx.split(_t.model, nnx.Param, ...)
assert _rest["norm"]["mean"] is _t.model.norm.mean
assert _rest["dropout"]["rngs"]["count"] is _t.model.dropout.rngs.count
# a state fetched before goes on with its object: nothing seems to move
_kept = nnx.state(_t)
nnx_step(_t, data)
assert different(_kept, nnx.state(_t)) == []


# %% after: in-flax-nnx
assert equal == 0
assert [p.removesuffix("/value") for p in lost] == ["model/dropout/rngs/count"]
assert bits(nnx_resumed.model.dropout.rngs.key[...]) == bits(
    nnx_stopped.model.dropout.rngs.key[...]
)
assert nnx_stopped.model.dropout.rngs.count[...] == 100
assert nnx_resumed.model.dropout.rngs.count[...] == 20
# a lost optimizer state: the first loss is right, then it isn't
_new = Training(0)
nnx.update(_new, nnx.state(nnx_stopped, nnx.Not(nnx.OptState)))
_more = run_in_place(_new, data, 20)
assert (
    sum(a == b for a, b in zip(nnx_losses[100:], _more)) == 1
    and _more[0] == nnx_losses[100]
)
assert nnx_stopped.position[...] + 1 == 101


# %% after: kv-cache 3
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
try:
    jax.lax.scan(lambda c, t: _growing_step(params, c, t), _begin, tokens.T)
except TypeError as _error:
    assert "carry" in str(_error)
else:
    raise AssertionError
# the template of a saved cache needs the length that was saved
_three, _ = decode(_growing_step, params, _begin, tokens[:, :3])
assert _three.keys.shape == (2, 3, 16)
ocp.save(folder / "growing", {"keys": _three.keys}, overwrite=True)
try:
    ocp.load(folder / "growing", {"keys": jnp.zeros((2, 6, 16))})
except ValueError as _error:
    assert "shape" in str(_error)
else:
    raise AssertionError
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


# %% after: kv-cache 3
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
# past the last slot, updates are dropped without an error
_two = jnp.zeros((2, 2, 16))
_pair = Cache(_two, _two, jnp.int32(0))
_short, _ = decode(fixed_step, params, _pair, tokens)
_two, _ = decode(fixed_step, params, _pair, tokens[:, :2])
assert (_short.keys == _two.keys).all() and _short.position == 6


# %% after: kv-cache
assert different(full_cache, cache) == [] and len(rest) == 3
assert bits(outputs[3:]) == bits(rest)
for _n in range(1, 6):  # wherever it stops
    _half, _ = decode(fixed_step, params, empty, tokens[:, :_n])
    ocp.save(folder / "cache", _half, overwrite=True)
    _half = ocp.load(folder / "cache", empty)
    _half, _ = decode(fixed_step, params, _half, tokens[:, _n:])
    assert different(full_cache, _half) == []


# %% after: complete-cell 1
assert lost_by_resume(toy_step, toy, 1.0, 5, only_w) == ["ema"]
assert lost_by_resume(toy_step, toy, 1.0, 5, lambda state: state) == []
# without the steps before the save, the test misses it
assert only_w(toy) == toy
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
assert lost_by_resume(toy_step, toy, 1.0, 2, _more) == []
for _bad in (
    lambda: lost_by_resume(toy_step, toy, 1.0, 2, lambda s: [s["w"]]),
    lambda: lost_by_resume(
        lambda s, d: (s, 0), {"w": 0.5}, 1.0, 2, lambda s: s
    ),
):
    try:
        _bad()
    except (TypeError, ValueError, AttributeError):
        continue
    raise AssertionError


# %% after: complete-cell 2
# a field that isn't saved makes it fail, and so does a generator outside
_rng = np.random.default_rng(0)


def _noisy(state, data):
    state, loss = train_step.__wrapped__(state, data)
    _n = np.float32(_rng.normal())
    return state._replace(step=state.step + jnp.int32(1e6 * _n)), loss


assert "step" in lost_by_resume(_noisy, start, data, 2, save_load)
# under jit the number is drawn once, and the fault goes unseen
assert lost_by_resume(jax.jit(_noisy), start, data, 2, save_load) == []
_lossy = lambda s: save_load(s)._replace(ema_params=start.ema_params)
_lost = lost_by_resume(train_step.__wrapped__, start, data, 2, _lossy)
assert {p.split("/")[0] for p in _lost} == {"ema_params"}
# the template's values can't pass for loaded ones
assert len(different(init(jax.random.key(7)), start)) >= 3


# %% after: complete-cell
def _save_load(state):
    ocp.save(folder / "nnx-test", state, overwrite=True)
    return ocp.load(folder / "nnx-test", nnx.state(Training(7)))


assert lost_by_resume(state_step, nnx_start, data, 5, _save_load) == []


# what isn't saved is found: here, the random state
def _without_rng(state):
    new = Training(0)
    nnx.update(new, nnx.filter_state(state, nnx.Not(nnx.RngState)))
    return nnx.state(new)


_lost = lost_by_resume(state_step, nnx_start, data, 2, _without_rng)
assert any("dropout/rngs/count" in p for p in _lost)
# the wrapped step computes what the step in place computes
_t, _s = Training(0), nnx_start
for _ in range(3):
    _loss = nnx_step(_t, data)
    _s, _other = state_step(_s, data)
    assert np.isclose(_loss, _other, rtol=1e-3)
assert _s["position"][...] == _t.position[...] == 3
# copy=True leaves the given state alone; without it, it changes
_given = nnx.state(Training(0))
_old = jax.tree.map(jnp.copy, _given)
state_step(_given, data)
assert different(_old, _given) == []
nnx_step(nnx.merge(graphdef, _given), data)
assert "position" in {p.split("/")[0] for p in different(_old, _given)}


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
