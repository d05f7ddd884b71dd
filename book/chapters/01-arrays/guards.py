"""What this chapter says, in asserts for the tests alone."""

# %% after: keeping-the-best-weights 1
_losses = [float(((np.full(2, k) - 3.0) ** 2).sum()) for k in range(1, 6)]
assert _losses == [8.0, 2.0, 0.0, 2.0, 8.0]
assert lowest == 0.0
assert best.tolist() == [5.0, 5.0]


# %% after: keeping-the-best-weights 2
assert np.shares_memory(best, start)
assert start.tolist() == [5.0, 5.0]


# %% after: keeping-the-best-weights 3
assert lowest == 0.0
assert best.tolist() == [3.0, 3.0]
assert start.tolist() == [0.0, 0.0]


# the two fixes that stay in NumPy, named in the facts
def _train(weights, copy, rebind):
    lowest = np.inf
    for _ in range(5):
        if rebind:
            weights = weights + 1.0
        else:
            weights += 1.0
        loss = float(((weights - 3) ** 2).sum())
        if loss < lowest:
            best, lowest = weights.copy() if copy else weights, loss
    return best


_start = np.zeros(2)
assert _train(_start, copy=True, rebind=False).tolist() == [3.0, 3.0]
assert _start.tolist() == [5.0, 5.0]  # the copy rescues best, not the caller
_start = np.zeros(2)
assert _train(_start, copy=False, rebind=True).tolist() == [3.0, 3.0]
assert _start.tolist() == [0.0, 0.0]


# %% after: keeping-the-best-weights
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
_array = _alias = np.zeros(2)
_array += 1.0
assert _array is _alias
_array += jnp.ones(2)  # not in place: the text speaks of += 1.0
assert isinstance(_array, jax.Array) and _alias.tolist() == [1.0, 1.0]


# %% after: indexed-updates 1
assert changed is numbers
assert np.arange(5).sum() == 10 and numbers.sum() == 133


# %% after: indexed-updates 3
assert x.tolist() == [0, 1, 2, 3, 4]
assert new_x.tolist() == [123, 1, 2, 3, 4]
assert new_x.unsafe_buffer_pointer() != x.unsafe_buffer_pointer()
assert new_x.dtype == x.dtype


# %% after: indexed-updates 4
assert a.tolist() == [1, 2, 3, 4, 5]
assert b.tolist() == [0, 1, 2, 3, 4]
assert str(b.at[0].set(123) + 1) == "[124   2   3   4   5]"  # had it been kept


# %% after: indexed-updates
import warnings

assert x.tolist() == [0, 1, 2, 3, 4]
assert x.at[jnp.array([0, 1])].set(7).tolist() == [7, 7, 2, 3, 4]
assert x.at[...].add(1).tolist() == [1, 2, 3, 4, 5]
try:
    x.at[[0, 1]].set(7)
except TypeError:
    pass
else:
    raise AssertionError
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


# %% after: jnp-next-to-np 1
assert isinstance(x, jax.Array) and not isinstance(x, np.ndarray)
assert thirds.dtype == np.float64
assert np.allclose(thirds, jnp.asarray(thirds), rtol=1e-7, atol=0)
assert jnp.asarray(np.zeros(2)).dtype == jnp.float32
assert jnp.asarray(np.arange(2)).dtype == jnp.int32
assert jnp.zeros(2).dtype == jnp.asarray(1.5).dtype == jnp.float32
with warnings.catch_warnings(record=True) as _caught:
    warnings.simplefilter("always")
    assert jnp.zeros(2, dtype="float64").dtype == jnp.float32
assert any("not available" in str(w.message) for w in _caught)


# %% after: jnp-next-to-np
assert int(tokens + 500_000_000) == 2_500_000_000 - 2**32
assert jnp.iinfo(jnp.int32).max == 2_147_483_647
_array = np.array([2_000_000_000], "int32")
with warnings.catch_warnings():
    warnings.simplefilter("error")
    assert (_array + np.int32(500_000_000)).tolist() == [-1_794_967_296]
    assert int(tokens + 500_000_000) < 0


# %% after: repeated-indices
assert np.bincount(labels).tolist() == [3, 1, 2]
assert counts.at[labels].add(1).tolist() == [3, 1, 2]
_counts = np.zeros(3, dtype="int32")
np.add.at(_counts, labels, 1)
assert _counts.tolist() == [3, 1, 2]
assert counts.at[jnp.zeros(0, "int32")].add(1).tolist() == [0, 0, 0]


# %% after: boolean-masks 1
assert x.at[x > 2].set(0).tolist() == [0, 1, 2, 0, 0]
assert jnp.where(x > 2, 0, x).tolist() == [0, 1, 2, 0, 0]


# %% after: boolean-masks
def _refused(function, *arguments):
    try:
        function(*arguments)
    except jax.errors.NonConcreteBooleanIndexError:
        return True
    return False


_mask = np.array([False, False, False, True, True])
assert jax.jit(lambda v: v.at[_mask].set(0))(x).tolist() == [0, 1, 2, 0, 0]
assert _refused(jax.jit(lambda v: v[v > 2]), x)
assert _refused(jax.vmap(lambda v: v.at[v > 2].set(0)), x[None])
assert _refused(jax.vmap(lambda v: v[v > 2]), x[None])
assert _refused(jax.jit(lambda v, m: v.at[m].set(0)), x, _mask)
_holed = jnp.array([1.0, 2.0, jnp.nan])
assert jnp.isnan(_holed * jnp.array([1.0, 1.0, 0.0]))[2]  # 0 times NaN
_kept = jnp.array([True, True, False])
assert jnp.isnan((_holed * jnp.array([1.0, 1.0, 0.0])).sum())
assert jnp.where(_kept, _holed, 0).sum() == _holed.sum(where=_kept) == 3
assert jax.jit(lambda v: v.sum(where=v > 2))(x) == 7


# %% after: out-of-range 1
assert table[ids].tolist() == [[1.0, 1.0], [2.0, 2.0], [2.0, 2.0]]
assert table[jnp.asarray(ids)].tolist() == table[ids].tolist()
assert jnp.arange(5)[10] == 4
assert jax.jit(lambda v: v[10])(jnp.arange(5)) == 4
for _index in (0, jnp.array([0])):
    try:
        jnp.zeros(0)[_index]
    except (IndexError, TypeError):
        pass
    else:
        raise AssertionError
try:
    jnp.arange(5)[3_000_000_000]  # "usually": more than an int32 can hold
except OverflowError:
    pass
else:
    raise AssertionError


# %% after: out-of-range
assert counts.at[jnp.array([0, -1, 10])].add(1).tolist() == [1, 0, 1]
assert counts.at[3].set(9).tolist() == [0, 0, 0]


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


# %% after: devices
import os
import subprocess
import sys

assert (x + on_cpu).devices() == {cpu}
assert (x + on_cpu).committed and not (x + 1).committed
assert not jnp.asarray(numbers).committed
_program = """
import jax, jax.numpy as jnp
one, two = jax.devices("cpu")
free = jnp.arange(3)
assert free.devices() == {one}
assert (free + jax.device_put(free, two)).devices() == {two}
try:
    jax.device_put(free, one) + jax.device_put(free, two)
except ValueError:
    print("refused")
"""
_flags = "--xla_force_host_platform_device_count=2"
_environment = {**os.environ, "JAX_PLATFORMS": "cpu", "XLA_FLAGS": _flags}
_done = subprocess.run(
    [sys.executable, "-c", _program],
    env=_environment,
    capture_output=True,
    text=True,
)
assert _done.stdout.strip() == "refused", _done.stderr


# %% after: sharing-with-numpy 1
assert view.tolist() == [0, 1, 2, 3, 4]
if jax.default_backend() == "cpu":
    _x = jnp.arange(5)
    assert np.asarray(_x).ctypes.data == _x.unsafe_buffer_pointer()
    assert np.array(_x).ctypes.data != _x.unsafe_buffer_pointer()


# %% after: sharing-with-numpy
assert not view.flags.writeable
_leaky, _mended = jnp.arange(5), np.lib.NumpyVersion(np.__version__) >= "2.5.0"
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


def _aligned_zeros(size):
    memory = np.zeros(4 * size + 64, dtype="uint8")
    begin = -memory.ctypes.data % 64
    return memory[begin : begin + 4 * size].view("float32")


_lent = _aligned_zeros(5)
_borrowed = jax.device_put(_lent, cpu).block_until_ready()
_lent[0] = 123
assert _borrowed[0] == 123
for _ in range(20):
    _lent = _aligned_zeros(5)
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


# %% after: complete-cell
assert best.weights.tolist() == [3.0, 3.0] and best.loss == 0.0
_nan = (jnp.ones(2), jnp.float32(jnp.nan))
_kept, _improved = keep_best(best, _nan)
assert not _improved and _kept.weights.tolist() == [3.0, 3.0]
_first = Best(jnp.zeros(2), jnp.float32(jnp.inf))
_kept, _improved = keep_best(_first, _nan)
assert not _improved and _kept.weights.tolist() == [0.0, 0.0]
_kept, _improved = keep_best(_first, (jnp.ones(2), jnp.float32(1e30)))
assert _improved and _kept.weights.tolist() == [1.0, 1.0]
assert _first.weights.tolist() == [0.0, 0.0]
_weights = jnp.zeros(2)
_held = _weights
jax.jit(lambda w: w + 1, donate_argnums=0)(_weights)
assert _held.is_deleted()
_runs = []


@jax.jit
def _counted(best, data):
    _runs.append("run")
    return keep_best(best, data)


for _step in range(1, 6):
    _first, _ = _counted(_first, (_step * jnp.ones(2), jnp.float32(_step)))
assert len(_runs) == 1


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
