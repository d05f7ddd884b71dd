"""What this chapter says, in asserts for the tests alone."""

# %% after: title
import warnings

# wrong, and nothing is said, in the loop and under jit
assert best == 0 and history.tolist() == [0] * 5
assert snapshots[best].tolist() == [1, 1]
assert min(float(val_loss(w)) for w in snapshots) == 0.5
_losses = [float(val_loss(w)) for w in snapshots]
assert _losses == [8.5, 2.5, 0.5, 2.5, 8.5]
with warnings.catch_warnings():
    warnings.simplefilter("error")
    history.at[2].set(0.5)
    assert not jax.jit(lambda v: (v.at[2].set(0.5), v)[1])(history).any()


# %% after: indexed-updates 1
assert history.tolist() == [0] * 5
assert new_history.tolist() == [0, 0, 0.5, 0, 0]
assert new_history.unsafe_buffer_pointer() != history.unsafe_buffer_pointer()
assert new_history.dtype == history.dtype


# %% after: indexed-updates 2
assert history.tolist() == _losses and best_weights.tolist() == [3, 3]


# %% after: indexed-updates 3
assert record(losses, 2, 0.5) is None
assert jax.jit(record)(losses, 2, 0.5) is None  # as silent under jit


# the name may be an attribute, or an element of a list or dict; whoever shares
# that object sees the write
def _recorded_in(log, loss):
    log["losses"] = log["losses"].at[2].set(loss)


_log = _shared = {"losses": jnp.zeros(5)}
_old = _log["losses"]
_recorded_in(_log, 0.5)
assert _shared["losses"][2] == 0.5 and _old[2] == 0


# += on a parameter rebinds the local name as well
def _adds(v):
    v += 1


_x, _n = jnp.zeros(2), np.zeros(2)
_adds(_x), _adds(_n)
assert _x.tolist() == [0, 0] and _n.tolist() == [1, 1]


# %% after: indexed-updates
# the failed assignment wrote nothing
assert losses.tolist() == [0, 0, 0.5, 0, 0]
import operator

for _wrong in (
    lambda: operator.setitem(losses.at, 2, 0.5),  # losses.at[2] = 0.5
    lambda: operator.iadd(losses.at[2], 0.5),
):
    assert _raises(TypeError, "", lambda: _wrong())
# a slice is a view in NumPy and an array of its own in JAX
_table = np.zeros((2, 2))
_row = _table[0]
_row[1] = 5
assert _table.sum() == 5
_table = jnp.zeros((2, 2))
_row = _table[0]
_row = _row.at[1].set(5)
assert _table.sum() == 0 and _row.sum() == 5
assert _table[0].at[1].set(5).shape == (2,)  # a row, where the table was meant
assert _table.at[0, 1].set(5).shape == (2, 2)

x = jnp.arange(5)
assert x.at[jnp.array([0, 1])].set(7).tolist() == [7, 7, 2, 3, 4]
assert x.at[...].add(1).tolist() == [1, 2, 3, 4, 5]
assert _raises(TypeError, "", lambda: x.at[[0, 1]].set(7))
assert jnp.zeros((2, 2)).at[[0, 1], 0].set(7).sum() == 14  # in a tuple
assert x.at[1:3].apply(lambda v: v // 2).tolist() == [0, 0, 1, 3, 4]
_twice = x.at[jnp.array([0, 0])].apply(lambda v: v + 1)
assert _twice.tolist() == [2, 1, 2, 3, 4]
with warnings.catch_warnings(record=True) as _caught:
    warnings.simplefilter("always")
    _set = x.at[1].set(0.5)
    for _method in ("set", "add", "multiply", "max"):
        assert getattr(x.at[0], _method)(0.5).dtype == x.dtype
assert _set.tolist() == [0, 0, 2, 3, 4] and _set.dtype == jnp.int32
assert any(issubclass(w.category, FutureWarning) for w in _caught)
_columns = {
    "set": lambda old, y: y,
    "add": np.add,
    "multiply": np.multiply,
    "max": np.maximum,
}
for _dtype in ("int32", "uint8", "float32", "complex64"):
    _before = np.array([3, 1, 4, 1, 5], _dtype)
    for _i in (2, -1, slice(1, 4), np.array([0, 3]), _before == 1):
        for _y in (_before[0], _before[_i] * _before[0]):
            for _method, _old in _columns.items():
                _after = _before.copy()
                _after[_i] = _old(_after[_i], _y)
                _new = getattr(jnp.asarray(_before).at[_i], _method)(_y)
                assert _new.tolist() == _after.tolist()


# %% after: keeping-the-best-weights
assert history.tolist() == _losses and best_weights.tolist() == [5, 5]
assert best_weights is start and start.tolist() == [5, 5]


# the two fixes that stay in NumPy
def _train(weights, copy, rebind):
    lowest = np.inf
    for _ in range(5):
        if rebind:
            weights = weights + 1.0
        else:
            weights += 1.0
        loss = float(val_loss(weights))
        if loss < lowest:
            best, lowest = weights.copy() if copy else weights, loss
    return best


_start = np.zeros(2)
assert _train(_start, copy=True, rebind=False).tolist() == [3.0, 3.0]
assert _start.tolist() == [5.0, 5.0]  # the copy rescues best, not the caller
_start = np.zeros(2)
assert _train(_start, copy=False, rebind=True).tolist() == [3.0, 3.0]
assert _start.tolist() == [0.0, 0.0]
_start = jnp.zeros(2)
assert train(_start)[1].tolist() == [3, 3] and _start.tolist() == [0, 0]
for _op in (
    "add",
    "sub",
    "mul",
    "truediv",
    "floordiv",
    "mod",
    "pow",
    "matmul",
    "and",
    "or",
    "xor",
    "lshift",
    "rshift",
):
    assert not hasattr(jnp.zeros(2), f"__i{_op}__"), _op
    assert hasattr(np.zeros(2), f"__i{_op}__"), _op
# a snapshot of a JAX array needs no copy, unless the array is donated
_weights = _snapshot = jnp.zeros(2)
_weights = jax.jit(lambda w: w + 1)(_weights)
assert _snapshot.tolist() == [0, 0] and _weights.tolist() == [1, 1]
jax.jit(lambda w: w + 1, donate_argnums=0)(_snapshot)
assert _snapshot.is_deleted()
_array = _alias = np.zeros(2)
_array += 1.0
assert _array is _alias
_array += jnp.ones(2)  # not in place: the text speaks of += 1.0
assert isinstance(_array, jax.Array) and _alias.tolist() == [1.0, 1.0]


# %% after: out-of-range
assert history.tolist() == [np.inf, 8.5, 2.5, 0.5, 2.5]
assert history[5] == history[-1] == 2.5 != float(val_loss(5 * jnp.ones(2)))
_x = jnp.array([1.0, 2.0, 3.0])
_read, _write = lambda v, i: v[i], lambda v, i: v.at[i].set(9.0)
for _i in range(-6, 7):  # a Python integer, an array, a traced index
    _near = min(max(_i if _i >= 0 else _i + 3, 0), 2)
    for _r, _w, _k in (
        (_read, _write, _i),
        (_read, _write, jnp.int32(_i)),
        (jax.jit(_read), jax.jit(_write), _i),
    ):
        assert _r(_x, _k) == _x[_near], _i
        assert int((_w(_x, _k) == 9).sum()) == (-3 <= _i < 3), _i
    assert bool(jnp.isnan(_x.at[_i].get(mode="fill"))) == (not -3 <= _i < 3)
assert _x.at[5].set(9.0, mode="clip").tolist() == [1, 2, 9]
assert _x[2:9].tolist() == [3] and _x[5:9].size == 0  # slices, as in NumPy
assert _x.at[2:9].set(0.0).tolist() == [1, 2, 0]
assert _x.at[5:9].set(0.0).tolist() == _x.tolist()
# other functions have rules of their own: take fills, dynamic_update_slice moves
assert jnp.isnan(jnp.take(_x, 5)) and jnp.take(_x, -1) == 3
_lowest = jnp.iinfo("int32").min
assert jnp.take(jnp.arange(3), 5) == _lowest
assert jnp.arange(3).at[5].get(mode="fill") == _lowest
assert jnp.arange(3).at[5].get(mode="fill", fill_value=-1) == -1
_moved = jax.lax.dynamic_update_slice(_x, jnp.array([8.0, 9.0]), (2,))
assert _moved.tolist() == [1, 8, 9]
# the gradient of a read is a write: the clamped reads add nothing to it
_ids = jnp.array([2, 3, 5])
assert jax.grad(lambda v: v[_ids].sum())(_x).tolist() == [0, 0, 1]
assert float(_x.at[2].add(1)[_ids].sum() - _x[_ids].sum()) == 3
for _index in (0, jnp.array([0])):
    try:
        jnp.zeros(0)[_index]
    except (IndexError, TypeError):
        pass
    else:
        raise AssertionError
try:
    jnp.arange(5)[3_000_000_000]  # more than an int32 can hold
except OverflowError:
    pass
else:
    raise AssertionError
for _bad in (5, -6):
    try:
        np.zeros(5)[_bad] = 1
    except IndexError:
        pass
    else:
        raise AssertionError


# %% after: repeated-indices
assert np.bincount(labels).tolist() == [3, 1, 2]
assert counts.at[labels].add(1).tolist() == [3, 1, 2]
_counts = np.zeros(3, dtype="int32")
np.add.at(_counts, labels, 1)
assert _counts.tolist() == [3, 1, 2]
assert counts.at[jnp.zeros(0, "int32")].add(1).tolist() == [0, 0, 0]
assert counts.at[jnp.array([0, -1, 10])].add(1).tolist() == [1, 0, 1]


# %% after: boolean-masks
def _refused(function, *arguments):
    try:
        function(*arguments)
    except jax.errors.NonConcreteBooleanIndexError:
        return True
    return False


assert spoiled.argmin() == np.asarray(spoiled).argmin() == 3
assert jnp.nanargmin(spoiled) == 2
assert jax.jit(nan_to_inf)(spoiled).argmin() == 2
x = jnp.arange(5)
_mask = np.array([False, False, False, True, True])
assert jax.jit(lambda v: v.at[_mask].set(0))(x).tolist() == [0, 1, 2, 0, 0]
assert _refused(jax.jit(lambda v: v[v > 2]), x)
assert _refused(jax.vmap(lambda v: v.at[v > 2].set(0)), x[None])
assert _refused(jax.vmap(lambda v: v[v > 2]), x[None])
assert _refused(jax.jit(lambda v, m: v.at[m].set(0)), x, _mask)
_holed = jnp.array([1.0, 2.0, jnp.nan])
_kept = jnp.array([True, True, False])
assert jnp.isnan((_holed * jnp.array([1.0, 1.0, 0.0])).sum())  # 0 times NaN
assert jnp.where(_kept, _holed, 0).sum() == _holed.sum(where=_kept) == 3
assert jax.jit(lambda v: v.sum(where=v > 2))(x) == 7


# %% after: jnp-next-to-np
assert isinstance(x, jax.Array) and not isinstance(x, np.ndarray)
assert thirds.dtype == np.float64
assert np.allclose(thirds, jnp.asarray(thirds), rtol=1e-7, atol=0)
assert jnp.asarray(np.zeros(2)).dtype == jnp.float32
assert jnp.asarray(np.arange(2)).dtype == jnp.int32
assert jnp.zeros(2).dtype == jnp.asarray(1.5).dtype == jnp.float32
assert tokens.dtype == jnp.int32
assert int(tokens.at[0].add(500_000_000)[0]) == 2_500_000_000 - 2**32
assert jnp.iinfo(jnp.int32).max == 2_147_483_647
_array = np.array([2_000_000_000], "int32")
with warnings.catch_warnings():
    warnings.simplefilter("error")
    assert (_array + np.int32(500_000_000)).tolist() == [-1_794_967_296]
    assert int((tokens + 500_000_000)[0]) < 0

_program = """
import jax
jax.config.update("jax_enable_x64", True)
import jax.numpy as jnp
tokens = jnp.array([2_000_000_000]).at[0].add(500_000_000)
print(jnp.zeros(2).dtype, tokens.dtype, tokens[0])
"""
assert _printed_on(1, _program) == "float64 int64 2500000000"


# %% after: timing
if jax.default_backend() == "cpu":
    _m, _v = jnp.ones((1500, 1500)), jnp.ones(5_000_000)
    _square = [share_in_call(lambda m: m @ m, _m) for _ in range(5)]
    assert min(_square) < 0.5
    _update = [share_in_call(lambda v: v.at[0].set(1.0), _v) for _ in range(5)]
    assert max(_update) > 0.5
_pair = (jnp.ones(2), jnp.zeros(2))
assert not hasattr(_pair, "block_until_ready")
assert jax.block_until_ready(_pair) is not None


# %% after: sharing-with-numpy 1
assert view.tolist() == [0, 1, 2, 3, 4]
assert not view.flags.writeable
if jax.default_backend() == "cpu":
    _x = jnp.arange(5)
    assert np.asarray(_x).ctypes.data == _x.unsafe_buffer_pointer()
    assert np.array(_x).ctypes.data != _x.unsafe_buffer_pointer()
_leaky, _mended = (
    jnp.arange(5),
    np.lib.NumpyVersion(np.__version__) >= "2.5.0",
)
try:
    np.add.at(np.asarray(_leaky), 0, 7)
except ValueError:
    assert _mended
else:
    assert not _mended
    assert _leaky[0] == 7 or jax.default_backend() != "cpu"
_copy = np.array(x)
_copy[0] = 7
assert x[0] == 123 and _copy[0] == 7


# %% after: sharing-with-numpy
def _zeros_at(offset, size=5):
    memory = np.zeros(4 * size + 128, dtype="uint8")
    begin = -memory.ctypes.data % 64 + offset
    return memory[begin : begin + 4 * size].view("float32")


# where the memory starts decides: shared at a multiple of 64 bytes, else copied
for _offset, _seen in ((0, 123), (4, 0), (32, 0)):
    _lent = _zeros_at(_offset)
    _borrowed = jax.device_put(_lent, cpu).block_until_ready()
    _lent[0] = 123
    assert _borrowed[0] == _seen
for _ in range(20):
    _lent = _zeros_at(0)
    _copied = jnp.array(_lent).block_until_ready()
    _lent[0] = 123
    assert _copied[0] == 0
_buffer = np.zeros(10_000_000, dtype="float32")
for _ in range(10):  # without waiting: refilled at once, as a loader does
    _buffer[:] = 0
    _batch = jnp.array(_buffer.copy())
    _buffer[-1] = 7
    assert _batch[-1] == 0
_wide = np.zeros(64)
assert jax.device_put(_wide, cpu).dtype == jnp.float32

assert buffer.ctypes.data % 64 == 0  # where a page of memory starts


# %% after: complete-cell
assert best == 2 and snapshots[best].tolist() == [3, 3] and loss == 8.5
assert state.history.tolist() == [8.5, 2.5, 0.5, 2.5, 8.5]
_traces = []


@jax.jit
def _counted(state, epoch):
    _traces.append(epoch)
    return step(state, epoch)


def _run(numbers, history):
    state = State(jnp.zeros(2), history)
    for number in numbers:
        state, _ = _counted(state, number)
    return state


_unwritten = jnp.full(5, jnp.inf, dtype="float32")
assert _run(range(5), _unwritten).history.argmin() == 2
assert len(_traces) == 1
# numbered from 1, the program is wrong again: the snapshot after the best
_off = _run(range(1, 6), _unwritten).history
assert _off.tolist() == [np.inf, 8.5, 2.5, 0.5, 2.5] and _off.argmin() == 3
# a loss of NaN is what argmin finds; keeping the best in the state leaves it out
assert jnp.array([8.5, jnp.nan, 0.5]).argmin() == 1
assert jnp.nanargmin(jnp.array([8.5, jnp.nan, 0.5])) == 2
assert jnp.nanargmin(jnp.full(3, jnp.nan)) == -1
_log = []
_impure = jax.jit(lambda v: (_log.append(1), v + 1)[1])
assert (_impure(1.0), _impure(2.0), len(_log)) == (2, 3, 1)


@jax.jit
def _keep_best(best, candidate):
    (old, lowest), (weights, loss) = best, candidate
    better = loss < lowest
    return jnp.where(better, weights, old), jnp.where(better, loss, lowest)


_best = (jnp.zeros(2), jnp.float32(jnp.inf))
for _k in (1.0, 2.0, jnp.nan, 3.0, 4.0, jnp.nan):
    _w = jnp.full(2, _k)
    _best = _keep_best(_best, (_w, val_loss(_w)))
assert _best[0].tolist() == [3, 3] and _best[1] == 0.5


# %% after: back-to-the-issue
assert not table.any() and angle < 1
for _i in range(4):
    table = table.at[_i].set(jnp.stack([angle, speed]))
assert (table == jnp.stack([angle, speed])).all()
assert logged == 1 and params["c"] == 2.5


# %% after: exercise-1
import pytest

_right = np.array([[5, 6, 7], [2, 3, 4], [1, 2, 3], [11, 2, 8]])
for _style in (
    _right,
    jnp.array(_right),
    tuple(_right),
    [jnp.array(part, float) for part in _right],
):  # the page runs none of these
    check_1(_style)
with pytest.raises(AssertionError, match="b is a list of three"):
    check_1(({5, 6, 7}, {2, 3, 4}, {1, 2, 3}, {2, 8, 11}))


# %% after: exercise-2
assert add_at(
    jnp.array([10.0, 20.0, 30.0]),
    jnp.array([2, 0, -1, 2]),
    jnp.array([1.0, 2.0, 4.0, 8.0]),
).tolist() == [12.0, 20.0, 39.0]
