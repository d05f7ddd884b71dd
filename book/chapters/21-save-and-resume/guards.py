"""What this chapter says, in asserts for the tests alone."""

# %% after: resume-a-run 8
assert equal == 0 and np.isfinite(losses).all()
assert len(data[0]) == 96 and len(data[0]) // 16 == 6
assert [_key for _key in start] == [
    "step",
    "params",
    "opt_state",
    "batch_stats",
    "key",
    "position",
]
assert not np.isclose(losses[10:], resumed_losses, rtol=1e-4).any()


# %% after: resume-a-run 8
try:
    ocp.save(folder / "three", {"w": jnp.ones(2)})
except ValueError as _error:
    assert "already exists" in str(_error)
else:
    raise AssertionError
assert ocp.load(folder / "three", template)["step"] == 10


# %% after: resume-a-run 10
assert different(stopped, resumed) == ["batch_stats/mean", "key", "position"]
assert different(stopped, stopped) == []


# %% after: resume-a-run 10
_nan = {"a": jnp.float32(jnp.nan)}
assert different(_nan, _nan) == [] and _nan["a"] != _nan["a"]
assert different({"a": jnp.float32(0.0)}, {"a": jnp.float32(-0.0)}) == ["a"]
assert different({"a": jnp.int32(1)}, {"a": jnp.float32(1)}) == ["a"]
assert different({"a": jnp.ones(4)}, {"a": jnp.ones((2, 2))}) == ["a"]


# %% after: resume-a-run 10
assert resumed["position"] == 0 and stopped["position"] == 10
assert not different(resumed["key"], start["key"])


# %% after: resume-a-run
assert different(full, resumed) == []
assert (resumed_losses == losses[10:]).all()


# %% after: resume-a-run
_keys = {
    "a": jax.random.key(3, impl="rbg"),
    "b": jax.random.split(jax.random.key(1), 4),
}
ocp.save(folder / "keys", _keys)
_zero = {
    "a": jax.random.key(0, impl="rbg"),
    "b": jax.random.split(jax.random.key(0), 4),
}
assert different(_keys, ocp.load(folder / "keys", _zero)) == []


# %% after: resume-a-run
import json

_rng = np.random.default_rng(0)
_rng.random(3)
ocp.save(
    folder / "rng",
    {"state": stopped, "rng": json.dumps(_rng.bit_generator.state)},
)
_back = ocp.load(folder / "rng", {"state": initial_state(), "rng": ""})
assert different(_back["state"], stopped) == []
_new = np.random.default_rng(9)
_new.bit_generator.state = json.loads(_back["rng"])
assert (_new.random(5) == _rng.random(5)).all()
assert type(_rng.bit_generator) is np.random.PCG64
try:  # not so with every generator of NumPy
    json.dumps(np.random.Generator(np.random.MT19937(0)).bit_generator.state)
except TypeError:
    pass
else:
    raise AssertionError


# %% after: resume-a-run
import pickle

try:
    pickle.dumps(x for x in [1])
except TypeError:
    pass
else:
    raise AssertionError


# %% after: load-with-a-template 1
assert type(loaded["opt_state"]) is dict and type(loaded["pair"]) is list
from dataclasses import dataclass


@jax.tree_util.register_dataclass
@dataclass(frozen=True)
class _Point:
    x: jax.Array


ocp.save(folder / "point", {"p": _Point(jnp.ones(2))})
assert type(ocp.load(folder / "point")["p"]) is dict
assert (
    type(ocp.load(folder / "point", {"p": _Point(jnp.zeros(2))})["p"])
    is _Point
)


# %% after: load-with-a-template
assert different(stopped, loaded) == []
assert jax.tree.structure(loaded) == jax.tree.structure(full)
_t, _loss = train_step(loaded, data)
assert _loss == losses[10]


# %% after: load-with-a-template
ocp.save(folder / "number", {"w": jnp.ones(2), "n": 3})
assert ocp.load(folder / "number", {"w": jnp.zeros(2), "n": 0})["n"] == 3
try:
    ocp.load(
        folder / "number", jax.eval_shape(lambda: {"w": jnp.ones(2), "n": 3})
    )
except Exception as _error:
    assert type(_error) is ValueError
else:
    raise AssertionError
ocp.save(folder / "numpy", {"w": np.ones(2, np.float32)})
assert (ocp.load(folder / "numpy", {"w": jnp.zeros(2)})["w"] == 1).all()
try:
    ocp.load(folder / "numpy", jax.eval_shape(lambda: {"w": jnp.ones(2)}))
except Exception as _error:
    assert type(_error) is ValueError
else:
    raise AssertionError


# %% after: load-with-a-template
# saved from a device that this process doesn't have
_saver = folder / "other_device.py"
_ = _saver.write_text("""
import sys, jax, jax.numpy as jnp
from orbax.checkpoint import v1 as ocp

array = jax.device_put(jnp.arange(8.0), jax.devices()[-1])
ocp.save(sys.argv[1], {"w": array})
""")
_env = os.environ | {
    "JAX_PLATFORMS": "cpu",
    "XLA_FLAGS": "--xla_force_host_platform_device_count=64",
}
subprocess.run(
    [sys.executable, str(_saver), str(folder / "far")], env=_env, check=True
)
_near = {"w": jnp.zeros(8)}
assert list(ocp.load(folder / "far", _near)["w"]) == list(range(8))
try:
    ocp.load(folder / "far", jax.eval_shape(lambda: _near))
except Exception as _error:
    assert type(_error) is ValueError
else:
    raise AssertionError


# %% after: resume-in-a-new-process
assert first.returncode == second.returncode == 0
assert resumed["step"] == 20
if jax.default_backend() == "cpu":
    assert different(full, resumed) == []
    assert different(stopped, ocp.load(folder / "ten", initial_state())) == []


# %% after: leave-one-part-out
_first, _tests = {}, {}
for _part in stopped:
    _s = stopped | {_part: initial_state()[_part]}
    _tests[_part] = eval_loss(_s) == eval_loss(stopped)
    _, _l = run(_s, data, 10)
    _w = np.flatnonzero(_l != losses[10:])
    _first[_part] = 11 + int(_w[0]) if len(_w) else None
assert _first == {
    "step": 12,
    "params": 11,
    "opt_state": 12,
    "batch_stats": None,
    "key": 11,
    "position": 11,
}
assert [p for p in _tests if not _tests[p]] == ["batch_stats", "params"]
# after ten more steps, the running mean has made up for about two thirds
_lost, _ = run(
    stopped | {"batch_stats": initial_state()["batch_stats"]}, data, 10
)
_gap = np.abs(_lost["batch_stats"]["mean"] - full["batch_stats"]["mean"]).max()
assert 0.3 < _gap / np.abs(stopped["batch_stats"]["mean"]).max() < 0.4
assert eval_loss(_lost) != eval_loss(full)


# %% after: leave-one-part-out
# not only at step 10
for _stop in (5, 7, 13):
    _at, _ = run(initial_state(), data, _stop)
    _, _true = run(_at, data, 5)
    for _part, _want in _first.items():
        _, _l = run(_at | {_part: initial_state()[_part]}, data, 5)
        _w = np.flatnonzero(_l != _true)
        assert (int(_w[0]) + 11 if len(_w) else None) == _want, (_stop, _part)


# %% after: leave-one-part-out
import os

os.environ["KERAS_BACKEND"] = "jax"
import keras


def sequential(**names):
    a, b = keras.layers.Dense(3), keras.layers.Dense(1)
    if names:
        a, b = keras.layers.Dense(3, name="a"), keras.layers.Dense(1, name="b")
    return keras.Sequential([keras.Input((8,)), a, b], **names)


def functional():
    inputs = keras.Input((8,))
    return keras.Model(
        inputs, keras.layers.Dense(1)(keras.layers.Dense(3)(inputs))
    )


def nested():
    inputs = keras.Input((8,))
    return keras.Model(inputs, sequential()(inputs))


def _loaded(network, name):
    network.compile(keras.optimizers.Adam(0.01), "mse")
    network.fit(
        *data,
        epochs=2,
        verbose=0,
        callbacks=[keras.callbacks.OrbaxCheckpoint(folder / name)],
    )
    other = keras.saving.load_model(folder / name)
    pairs = zip(network.get_weights(), other.get_weights())
    return other, [np.array_equal(a, b) for a, b in pairs]


if hasattr(keras.callbacks, "OrbaxCheckpoint"):
    for _n, _name in ((sequential(), "k1"), (sequential(name="m"), "k2")):
        _l, _equal = _loaded(_n, _name)
        assert not any(_equal) and _l.optimizer.iterations.value == 6
        assert all(
            a.path.endswith("/" + b.path)
            for a, b in zip(_n.weights, _l.weights)
        )
    _l, _equal = _loaded(functional(), "k3")
    assert all(_equal) and _l.optimizer.iterations.value == 6
    _n = nested()
    _start = _n.get_weights()
    _l, _equal = _loaded(_n, "k4")
    assert not any(_equal)
    _kernels = zip(_start[::2], _l.get_weights()[::2])
    assert not any(np.array_equal(a, b) for a, b in _kernels)


# %% after: leave-one-part-out
_n = sequential()
_n.compile("adam", "mse")
_n.fit(
    *map(np.asarray, data),
    epochs=1,
    verbose=0,
    callbacks=[keras.callbacks.ModelCheckpoint(folder / "m.keras")],
)
_l = keras.saving.load_model(folder / "m.keras")
assert all(
    np.array_equal(a, b) for a, b in zip(_n.get_weights(), _l.get_weights())
)


# %% after: another-dtype-or-shape 1
assert loaded["w"].dtype == jnp.int32 and list(loaded["w"]) == [0, 1]
ocp.save(folder / "negative", {"w": jnp.array([-0.5, -1.7])})
assert list(ocp.load(folder / "negative", loaded)["w"]) == [0, -1]
import io

_text = io.StringIO()
_handler = logging.StreamHandler(_text)
_handler.setLevel(logging.WARNING)
for _name in (None, "absl"):
    logging.getLogger(_name).addHandler(_handler)
with warnings.catch_warnings():
    warnings.simplefilter("error")
    ocp.load(folder / "float32", {"w": jnp.zeros(2, jnp.int32)})
assert not _text.getvalue()
logging.getLogger("absl").warning("seen")
assert "seen" in _text.getvalue()  # logs are on


# %% after: another-dtype-or-shape 2
_loaded = ocp.load(folder / "whole", start | {"params": bf16})
assert not different(start, initial_state())
_pairs = zip(*map(jax.tree.leaves, (stopped["params"], _loaded["params"])))
assert sum(int((a != b.astype(a.dtype)).sum()) for a, b in _pairs) > 100
template = start | {"params": bf16}
assert dtype_changes(folder / "whole", template) == [
    f"params/{k}: float32 -> bfloat16" for k in ("hidden", "output")
]
assert dtype_changes(folder / "whole", start) == []
assert dtype_changes(folder / "whole", jax.eval_shape(initial_state)) == []
assert different(stopped, ocp.load(folder / "whole", start)) == []
assert (
    str(by_path(ocp.metadata(folder / "whole").metadata)["key"].dtype)
    == "uint32"
)
try:
    dtype_changes(folder / "whole", start | {"average": jnp.zeros(2)})
except KeyError as _error:
    assert "average" in str(_error)
else:
    raise AssertionError


# %% after: another-dtype-or-shape
for _t in (
    start | {"params": start["params"] | {"output": jnp.zeros(15)}},
    start | {"params": start["params"] | {"hidden": jnp.zeros((16, 8))}},
    start | {"params": {"hidden": jnp.zeros((8, 16)), "out": jnp.zeros(16)}},
    fewer,
    more,
    wider,
):
    try:
        ocp.load(folder / "whole", _t)
    except ValueError:
        continue
    raise AssertionError
assert different(stopped, ocp.load(folder / "whole", start)) == []


# %% after: another-dtype-or-shape
try:
    ocp.load(folder / "whole", more)
except ValueError as _error:
    assert "Target: MISSING" in str(_error) and "average" in str(_error)
try:
    ocp.load(folder / "whole", fewer)
except ValueError as _error:
    assert "Source: MISSING" in str(_error) and "position" in str(_error)


# %% after: another-dtype-or-shape
_pair = {"pair": [jnp.ones(2), jnp.ones(3)], "opt_state": stopped["opt_state"]}
assert type(ocp.load(folder / "containers", _pair)["pair"]) is list
_adam = {"opt_state": stopped["opt_state"]._asdict(), "pair": _pair["pair"]}
assert type(ocp.load(folder / "containers", _adam)["opt_state"]) is dict
ocp.save(folder / "none", {"a": None, "b": jnp.ones(2)})
for _t in (
    {"a": jnp.ones(2), "b": jnp.ones(2)},
    {"a": None, "b": None},
):
    _got = ocp.load(folder / "none", _t)
    assert _got["a"] is None and (_got["b"] is None) == (_t["b"] is None)
assert ocp.load(folder / "float32", {"w": np.zeros((3, 5))})["w"].shape == (2,)
for _bad in (
    {"a": jnp.ones(2), "b": jnp.ones(3)},
    (jnp.ones(2),),
    (jnp.ones(2),) * 3,
):
    try:
        ocp.load(folder / "containers", _pair | {"pair": _bad})
    except ValueError:
        continue
    raise AssertionError


# %% after: another-dtype-or-shape
_skip = jax.tree.map(lambda leaf: ocp.PLACEHOLDER, start) | {
    "params": start["params"]
}
_part = ocp.load(folder / "whole", _skip)
assert different(_part["params"], stopped["params"]) == []
assert _part["step"] is ...


# %% after: keep-several-checkpoints 1
with ocp.training.Checkpointer(runs) as _c:
    _state = _c.load(_c.latest.step, initial_state())
    assert different(_state, state) == [] and _state["step"] == 9
    for _call, _name in (
        (lambda: _c.load(7, _state), "StepNotFoundError"),
        (lambda: _c.save(9, _state), "StepAlreadyExistsError"),
    ):
        try:
            _call()
        except Exception as _error:
            assert type(_error).__name__ == _name
        else:
            raise AssertionError


# %% after: keep-several-checkpoints 1
import orbax.checkpoint as _v0

with _v0.CheckpointManager(folder / "v0") as _manager:
    _manager.save(3, args=_v0.args.StandardSave(stopped))
    _manager.wait_until_finished()
assert different(ocp.load(folder / "v0" / "3", initial_state()), stopped) == []


# %% after: keep-several-checkpoints
with ocp.training.Checkpointer(runs) as _c:
    assert _c.save(3, resumed) is False
    for _n in (6, 9):
        try:
            _c.save(_n, resumed)
        except Exception as _error:
            assert type(_error).__name__ == "StepAlreadyExistsError"
        else:
            raise AssertionError
    assert _c.save(8, resumed) is False and _c.save(4, resumed) is False
_text.seek(0), _text.truncate()
with warnings.catch_warnings():
    warnings.simplefilter("error")
    with ocp.training.Checkpointer(folder / "low") as _c:
        assert _c.save(5, {"w": jnp.ones(2)}) is True
        assert _c.save(4, {"w": jnp.ones(2)}) is False
        assert _c.save(6, {"w": jnp.ones(2)}) is True
        assert [c.step for c in _c.checkpoints] == [5, 6]
assert not _text.getvalue()
with ocp.training.Checkpointer(
    folder / "low2", preservation_policy=latest_two
) as _c:
    assert [_c.save(n, {"w": jnp.ones(2)}) for n in (3, 6, 9, 3)] == [
        True,
        True,
        True,
        False,
    ]
for _name in (None, "absl"):
    logging.getLogger(_name).removeHandler(_handler)
# a loop variable counts from 0 and falls behind by 1
_step = range(101)[-1]
assert _step == 100


# %% after: damaged-checkpoints 1
try:
    ocp.save("relative-folder", {"w": jnp.ones(2)})
except ValueError as _error:
    assert "absolute" in str(_error)
else:
    raise AssertionError
import shutil

for _p in Path().glob("relative-folder*"):
    shutil.rmtree(_p, ignore_errors=True)  # Orbax may still be writing


# %% after: damaged-checkpoints 1
import shutil


def _raises(how):
    for _i, _ in enumerate(sorted((folder / "whole").rglob("d/*"))):
        _copy = folder / "copy"
        shutil.rmtree(_copy, ignore_errors=True)
        shutil.copytree(folder / "whole", _copy)
        how(sorted(_copy.rglob("d/*"))[_i])
        try:
            _back = ocp.load(_copy, initial_state())
        except ValueError:
            yield True
        else:
            assert different(stopped, _back) == []
            yield False


def _cut(file):
    file.write_bytes(file.read_bytes()[: file.stat().st_size // 2])


assert any(_raises(_cut)) and any(_raises(Path.unlink))
try:
    ocp.load(runs / "9", initial_state())
except ValueError as _error:
    assert "checksum verification failed" in str(_error)
else:
    raise AssertionError
with ocp.training.Checkpointer(runs) as _c:
    try:
        _c.load(6, wider)
    except KeyError as _error:
        assert "Requested shape" in str(_error.__cause__)
    else:
        raise AssertionError


# %% after: damaged-checkpoints 1
def _flip(at):
    def how(file):
        content = bytearray(file.read_bytes())
        content[int(at * (len(content) - 1))] ^= 1
        file.write_bytes(content)

    return how


assert all(any(_raises(_flip(at))) for at in (0.0, 0.3, 0.7, 1.0))

_numbers = np.random.default_rng(0).normal(size=3000).astype("float32")
_large = {"w": jnp.asarray(_numbers)}
ocp.save(folder / "large", _large)
_file = max((folder / "large").rglob("d/*"), key=lambda p: p.stat().st_size)
_flip(0.5)(_file)
assert different(_large, ocp.load(folder / "large", _large)) == ["w"]
for _how in (_cut, Path.unlink):
    _how(_file)
    try:
        ocp.load(folder / "large", _large)
    except Exception as _error:
        assert type(_error) is Exception  # no ValueError
    else:
        raise AssertionError


# %% after: damaged-checkpoints
_half = killed / "12.orbax-checkpoint-tmp"
try:
    ocp.load(_half, initial_state())
except Exception as _error:
    assert type(_error).__name__ == "InvalidLayoutError"
else:
    raise AssertionError
with ocp.training.Checkpointer(killed) as _c:
    assert _c.save(12, stopped) is True
    assert different(_c.load(12, initial_state()), stopped) == []
assert not _half.exists()


# %% after: complete-cell
updates = []
with tempfile.TemporaryDirectory() as _where:
    for _n in (0, 3, 3, 7, 5, 11):
        _s = train(_where, toy_step, initial, 2.0, _n, save_every=4)
    assert updates == list(range(1, 12)) and _s["step"] == 11
    with ocp.training.Checkpointer(_where) as _c:
        assert [c.step for c in _c.checkpoints] == [3, 4, 7, 8, 11]
        assert all(
            _c.load(c.step, initial)["step"] == c.step for c in _c.checkpoints
        )
_t = initial
for _ in range(11):
    _t, _ = toy_step(_t, 2.0)
assert different(_s, _t) == []
with tempfile.TemporaryDirectory() as _where:
    for _n in (4, 20):
        _s = train(_where, train_step, initial_state(), data, _n)
assert different(_s, full) == []
with tempfile.TemporaryDirectory() as _where:
    try:
        train(
            _where,
            lambda s, d: (s | {"step": s["step"] - 1}, 0),
            initial,
            2.0,
            4,
            2,
        )
    except Exception as _error:
        assert isinstance(_error, (RuntimeError, ValueError))
    else:
        raise AssertionError


# %% after: complete-cell
try:
    train("relative-runs", toy_step, initial, 2.0, 1)
except ValueError as _error:
    assert "should be absolute" in str(_error)
else:
    raise AssertionError
for _p in Path().glob("relative-runs*"):
    shutil.rmtree(_p, ignore_errors=True)  # Orbax may still be writing


# %% after: exercise-1 1
_s = slow_state
for _ in range(4):
    _s, _ = slow_step(_s)
assert all(_s[k] != slow_state[k] for k in _s)


# %% after: exercise-1
_right = dict(count=5, average=5, w=6, velocity=7, lowest=None)
for _f in (np.int32, np.int64, jnp.int32, float, jnp.float32, np.array):
    check_1({k: None if v is None else _f(v) for k, v in _right.items()})
