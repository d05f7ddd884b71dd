"""What this chapter says, in asserts for the tests alone."""

# %% after: title 1
# the expected value stays
_x = jnp.full((100_000,), 3.0)
for _rate in (0.1, 0.5, 0.9):
    _d = dropout(jax.random.key(1), _x, _rate)
    assert abs(float(_d.mean()) - 3) < 0.1
    assert abs(float((_d == 0).mean()) - _rate) < 0.01
assert (dropout(jax.random.key(1), _x, 0.0) == _x).all()


# a layer with a key: the same mask, with and without jit
def _different(layer):
    return len({tuple(layer(jnp.ones(64)).tolist()) for _ in range(5)})


_layer = Dropout(jax.random.key(1))
assert _different(_layer) == _different(jax.jit(_layer)) == 1


# %% after: title 3
import warnings as _warnings

with _warnings.catch_warnings():
    _warnings.simplefilter("error")
    _again, _ = jax.lax.scan(lambda p, d: update(p, d, layer), start, batches)
assert (_again["out"] == stuck["out"]).all()
# the weights that moved are those of the units that the mask keeps; the others
# keep all three of their parameters
_mask = jax.random.bernoulli(dropout_key, 0.5, (64,))
assert int(_mask.sum()) == 29
for _name in ("w", "b", "out"):
    assert (stuck[_name][~_mask] == start[_name][~_mask]).all()
    assert (stuck[_name][_mask] != start[_name][_mask]).all()
_slopes = jax.grad(loss_fn)(
    start, jax.tree.map(lambda leaf: leaf[0], batches), layer
)
assert all((_g[~_mask] == 0).all() for _g in _slopes.values())
# worse than predicting 0; training without dropout; the kept units alone, still
# doubled, are good
_x = jnp.linspace(-2.0, 2.0, 201)
_test = _x, jnp.sin(2 * _x)
assert abs(float(loss_fn(stuck, _test)) - 0.56) < 0.01
assert abs(float(jnp.mean(_test[1] ** 2)) - 0.44) < 0.005
assert loss_fn(stuck, _test, layer) < 0.05
_plain, _ = jax.lax.scan(lambda p, d: update(p, d, None), start, batches)
assert abs(float(loss_fn(_plain, _test)) - 0.01) < 0.005


# half, up to chance, for any seed; with a key per step all units
def _both(seed):
    _init, _drop = jax.random.split(jax.random.key(seed))
    _start = init(_init)
    _few = jax.tree.map(lambda leaf: leaf[:300], batches)
    _same, _ = jax.lax.scan(
        lambda p, d: update(p, d, Dropout(_drop)), _start, _few
    )
    _keys = jax.random.split(_drop, 300)
    _own, _ = jax.lax.scan(
        lambda p, d: update(p, d[0], Dropout(d[1])), _start, (_few, _keys)
    )
    return [
        ((p["out"] != _start["out"]).sum(), loss_fn(p, _test))
        for p in (_same, _own)
    ]


(_same, _l1), (_own, _l2) = jax.jit(jax.vmap(_both))(jnp.arange(10, 18))
assert _l1.mean() > 2 * _l2.mean(), (_l1, _l2)
assert ((_same > 18) & (_same < 46)).all(), _same
assert (_own == 64).all()


# %% after: title 4
assert (mask == _mask).all() and not mask.all()


# %% after: title
# with a mask of its own in each step, a unit is kept in hundreds of them
_kept = jax.vmap(lambda k: dropout(k, jnp.ones(64)))(
    jax.random.split(dropout_key, 1000)
)
assert (_kept != 0).sum(axis=0).min() > 400
# a key made from a constant inside the layer is no better, nor one in a global
_seeded = lambda x: dropout(jax.random.key(7), x)
assert _different(_seeded) == _different(jax.jit(_seeded)) == 1
assert len(np.unique(masks, axis=0)) == 1
assert int((masks[0] != 0).sum()) == 29


# %% after: dropout-in-a-training-loop 1
_one = jax.tree.map(lambda leaf: leaf[0], batches)
assert (state.params["out"] != start["out"]).all()
# the Python loop and jit give the same keys
_state, _jit = State(start, dropout_key), jax.jit(train_step)
for _i in range(5):
    _state, _ = _jit(_state, jax.tree.map(lambda leaf: leaf[_i], batches))
_five = jax.tree.map(lambda leaf: leaf[:5], batches)
_scan, _ = jax.lax.scan(train_step, State(start, dropout_key), _five)
assert _state.key == _scan.key
assert np.allclose(_state.params["out"], _scan.params["out"], atol=1e-5)


# forgetting to hand the key on is the first program again
def _forgets(state, data):
    _new, value = train_step(state, data)
    return State(_new.params, state.key), value


_forgot, _ = jax.lax.scan(
    _forgets,
    State(start, dropout_key),
    jax.tree.map(lambda leaf: leaf[:300], batches),
)
assert (_forgot.params["out"] != start["out"]).sum() < 46
# two transformations at once: several runs, each with keys of its own
_many = jax.vmap(lambda k: jax.lax.scan(train_step, State(start, k), _five)[0])
_keys = _many(jax.random.split(jax.random.key(1), 3)).key
assert len(np.unique(jax.random.key_data(_keys), axis=0)) == 3


# %% after: dropout-in-a-training-loop 2
# a NumPy generator draws anew at each call, but under a transformation only
# while JAX traces; with another seed it's the same
assert (params["out"] != start["out"]).sum() == 31
_layer = NumpyDropout(np.random.default_rng(1))
assert _different(_layer) == 5 and _different(jax.jit(_layer)) == 1
_few = jax.tree.map(lambda leaf: leaf[:300], batches)
for _seed in (1, 2, 3):
    _layer = NumpyDropout(np.random.default_rng(_seed))
    _p, _ = jax.lax.scan(lambda p, d: update(p, d, _layer), start, _few)
    assert 18 < (_p["out"] != start["out"]).sum() < 46
# nor can a generator be an argument
assert _raises(
    TypeError,
    "",
    lambda: jax.jit(lambda rng: rng.random(3))(np.random.default_rng(0)),
)
_key = jax.random.key(0)
assert jax.jit(lambda k: jax.random.normal(k))(_key) == jax.random.normal(_key)
_a, _b = jax.random.split(_key)
assert _a != _b and _key not in (_a, _b)
assert jax.random.split(_key)[1] == _b  # splitting doesn't change it either
# other distributions and shapes change nothing about that
for _draw in (jax.random.uniform, jax.random.bernoulli, jax.random.bits):
    assert (_draw(_key, shape=(3,)) == _draw(_key, shape=(3,))).all()


# %% after: find-reused-keys 1
assert complaint(lambda: jax.lax.scan(step, start, batches)) is not None
assert complaint(lambda: jax.lax.scan(forgets, begin, batches)) is not None
# the cell's run has consumed that key, and with another one it passes again
assert complaint(lambda: jax.lax.scan(train_step, begin, batches)) is not None
_begin = State(start, jax.random.key(6))
assert complaint(lambda: jax.lax.scan(train_step, _begin, batches)) is None


# %% after: find-reused-keys
def _found(program) -> bool:
    """Whether the check objects."""
    with jax.debug_key_reuse(True):
        try:
            program()
        except jax.errors.KeyReuseError:
            return True
    return False


def _loop(function, *arguments):
    jitted = jax.jit(lambda *a: function(*a))
    return lambda: [jitted(*arguments) for _ in range(2)]


_k = lambda: jax.random.key(11)
_n, _fold, _split = jax.random.normal, jax.random.fold_in, jax.random.split
# jit in a Python loop: the key as an argument, and captured
assert _found(_loop(_n, _k()))
_held = _k()
assert _found(_loop(lambda x: x + _n(_held), 1.0))
# without jit, and in other orders; 0.7 skips calls that were compiled before
_checks_all = jax.__version_info__ >= (0, 8)
for _twice in (
    lambda k=_k(): [_n(k), _n(k)],
    lambda k=_k(): [_n(k), _split(k)],
    lambda k=_k(): [_split(k), _split(k)],
    lambda ks=_split(_k(), 3): [_n(ks[0]), _n(ks[0])],
):
    assert _found(_twice) or not _checks_all
# not: a key made again, iterating twice, fold_in together with a draw or a split
assert not _found(_loop(lambda x: x + _n(jax.random.key(11)), 1.0))
assert not _found(lambda: [_n(_k()), _n(_k())])
assert not _found(lambda k=_split(_k(), 3): [_n(i) for _ in "ab" for i in k])
assert not _found(lambda k=_k(): [_fold(k, 0), _n(k)])
assert not _found(lambda k=_k(): [_split(k), _fold(k, 0)])
# and yet these drew the same
assert _n(_fold(_k(), 0)) == _n(_split(_k())[0])
# nor legacy keys, nor one number folded in twice, and these repeat as well
_old = jax.random.PRNGKey(0)
for _unseen in (
    lambda: [_n(_old), _n(_old)],
    lambda k=_k(): [_n(_fold(k, 7)), _n(_fold(k, 7))],
):
    assert not _found(_unseen)
    assert len({float(x) for x in _unseen()}) == 1
# what was done before the check was on doesn't count
_held = _k()
_n(_held)
assert not _found(lambda: _n(_held))
# jax 0.7 doesn't check what was compiled before
_warm, _held = jax.jit(lambda k: _n(k) + 1), jax.random.key(15)
_warm(jax.random.key(16))
_late = _found(lambda: [_warm(_held), _warm(_held)])
assert _late == _checks_all, jax.__version__
# a key that the body gets and returns unchanged is a key constant, too
try:
    with jax.debug_key_reuse(True):
        jax.lax.scan(forgets, State(start, jax.random.key(17)), _five)
except jax.errors.KeyReuseError as error:
    assert "key constants are repeatedly consumed" in str(error)
else:
    raise AssertionError
# the repaired step passes
with jax.debug_key_reuse(True):
    jax.lax.scan(
        lambda s, d: train_step(s, d), State(start, jax.random.key(12)), _five
    )
# a converted legacy key draws the same
_legacy, _typed = jax.random.PRNGKey(0), jax.random.key(0)
assert jax.random.wrap_key_data(_legacy) == _typed
assert jax.random.normal(_legacy) == jax.random.normal(_typed)


# %% after: dropout-under-vmap 1
# one call on the whole array draws a mask for each row, other ones than vmap
_key = jax.random.key(4)
_whole = dropout(_key, ones)
_each = jax.vmap(dropout)(jax.random.split(_key, 32), ones)
assert len(jnp.unique(_whole, axis=0)) == 32
assert not (_each == _whole).all()
with jax.debug_key_reuse(True):
    jax.vmap(dropout, in_axes=(None, 0))(jax.random.key(14), ones)
# closing over the key is the same as None
assert (jax.vmap(dropout, in_axes=(None, 0))(one_key, ones) == one).all()
# the example's number folded in, inside
_inside = lambda x: dropout(
    jax.random.fold_in(_key, jax.lax.axis_index("batch")), x
)
_inside = jax.vmap(_inside, axis_name="batch")(ones)
assert (_inside == _each).all()  # with the default settings
# a batch of keys can't be drawn from without vmap
assert _raises(
    ValueError, "vmap", lambda: jax.random.normal(jax.random.split(_key))
)


# %% after: dropout-under-vmap
# a mask for each example is what the loss says
_keys = jax.random.split(jax.random.key(5), 32)
_by_hand = [
    (predict(start, _x, partial(dropout, _k)) - _y) ** 2
    for _x, _y, _k in zip(*data, _keys)
]
assert np.isclose(
    with_each(start, data, jax.random.key(5)), jnp.stack(_by_hand).mean()
)


@partial(jax.jit, static_argnums=0)
def _out_grads(loss, params, data, keys):
    grads = jax.vmap(jax.grad(loss), (None, None, 0))(params, data, keys)
    return grads["out"]


# no bias: the same mean over many keys
_shared, _own = (
    _out_grads(l, start, data, keys) for l in (with_one, with_each)
)
_error = _shared.std(0) / np.sqrt(2000)
assert (abs(_shared.mean(0) - _own.mean(0)) < 6 * _error).all()
assert _shared.std(0).mean() / _own.std(0).mean() > 3


# %% after: dropout-under-vmap
# noisier if the mask is shared, with other parameters, too
def _ratio(params, data):
    one, own = (
        _out_grads(l, params, data, keys[:500]).std(0)
        for l in (with_one, with_each)
    )
    return float(one.mean() / own.mean())


_ratios = [_ratio(p, data) for p in (start, stuck, state.params)]
assert min(_ratios) > 1.5, _ratios
# less noise, not more, if the examples pull in opposite directions
_apart = jnp.full(32, 1.2), jnp.tile(jnp.array([10.0, -10.0]), 16)
assert _ratio(start, _apart) < 0.9


# %% after: resume-with-keys 1
assert len(np.unique(jax.random.key_data(all_keys), axis=0)) == 10
assert (run(State(start, dropout_key), 0, 5)[1] == all_keys[:5]).all()


# %% after: resume-with-keys
# saved with its key, the run goes on with the keys that come next, and ends as
# the complete one; with the key from the seed it doesn't
import io as _io

_file = _io.BytesIO()
assert _raises(TypeError, "key_data", lambda: np.savez(_file, key=stopped.key))
np.savez(_file, **stopped.params, key=jax.random.key_data(stopped.key))
_file.seek(0)
_saved = dict(np.load(_file))
_key = jax.random.wrap_key_data(_saved.pop("key"))
_right, _keys = run(State(jax.tree.map(jnp.asarray, _saved), _key), 5, 10)
_wrong, _ = run(from_seed, 5, 10)
_complete, _ = run(State(start, dropout_key), 0, 10)
assert _key == stopped.key and (_keys == all_keys[5:]).all()
assert (_right.params["out"] == _complete.params["out"]).all()
assert (_wrong.params["out"] != _complete.params["out"]).any()


# %% after: fold-in 2
_jitted = jax.jit(lambda k, i: jax.random.normal(jax.random.fold_in(k, i)))
_k = jax.random.key(0)
for _i in range(3):
    assert np.isclose(
        _jitted(_k, _i), jax.random.normal(jax.random.fold_in(_k, _i))
    )
with jax.debug_key_reuse(True):
    _k = jax.random.key(13)
    _a = jax.random.normal(jax.random.fold_in(_k, 0))
    _b = jax.random.normal(jax.random.fold_in(_k, 1))
    _c = jax.random.normal(jax.random.fold_in(_k, 0))
assert _a != _b and _a == _c


# %% after: fold-in
assert counted.step == 1000 and counted.step.dtype == jnp.int32
assert (counted.params["out"] != start["out"]).all()
assert (counted.params["out"] != state.params["out"]).any()
# in each step other masks than with split, though not in all steps together
_, _chain = jax.lax.scan(
    lambda k, _: tuple(jax.random.split(k)), dropout_key, length=1000
)
_counts = jax.vmap(jax.random.fold_in, (None, 0))(
    dropout_key, jnp.arange(1000)
)
_draw = jax.vmap(lambda k: jax.random.bernoulli(k, 0.5, (64,)))
assert (_draw(_chain) != _draw(_counts)).any(axis=1).all()
assert _chain[0] == _counts[1]
assert _counts[700] == jax.random.fold_in(dropout_key, 700) != _chain[700]
# a count that isn't kept is a key that isn't kept
_stays = lambda s, d: (s._replace(params=counted_step(s, d)[0].params), 0)
_stays, _ = jax.lax.scan(_stays, CountedState(start, jnp.int32(0)), batches)
assert (_stays.params["out"] != start["out"]).sum() < 46


# with fold_in the parameters and the count are enough; a
# count that starts over repeats the masks
def _from(count, params, begin, end):
    part = jax.tree.map(lambda leaf: leaf[begin:end], batches)
    step = lambda s, d: (
        counted_step(s, d)[0],
        jax.random.fold_in(dropout_key, s.step),
    )
    return jax.lax.scan(step, CountedState(params, jnp.int32(count)), part)


_all, _keys = _from(0, start, 0, 10)
_half, _ = _from(0, start, 0, 5)
_right, _again = _from(5, _half.params, 5, 10)
assert (_right.params["out"] == _all.params["out"]).all()
assert (_again == _keys[5:]).all()
_wrong, _again = _from(0, _half.params, 5, 10)
assert (_again == _keys[:5]).all()
assert (_wrong.params["out"] != _all.params["out"]).any()


# generators: a key and a count
from flax import nnx as _nnx

_numbers = [jax.random.normal(fold_in(jax.random.key(0), i)) for i in range(3)]
# nnx.Rngs is a key and a count for each stream
_rngs = _nnx.Rngs(0)
for _i in range(5):
    assert _rngs() == fold_in(jax.random.key(0), _i)
# named streams differ, and a stream without a name of its own is the default one
_rngs = _nnx.Rngs(params=0, dropout=1)
assert _rngs.params() == fold_in(jax.random.key(0), 0)
assert _rngs.dropout() == fold_in(jax.random.key(1), 0)
_rngs = _nnx.Rngs(0)
assert _rngs.params() == fold_in(jax.random.key(0), 0)
assert _rngs.dropout() == fold_in(jax.random.key(0), 1)
try:
    from jax.experimental.random import stateful_rng as _stateful_rng
except ImportError:
    assert jax.__version_info__ < (0, 10)
else:
    _rng = _stateful_rng(0)
    _drawn = jax.jit(lambda rng: rng.normal())
    assert np.allclose([_drawn(_rng) for _ in range(3)], _numbers, atol=1e-6)
    _rng = _stateful_rng(7)
    for _i in range(5):
        assert _rng.key() == jax.random.fold_in(jax.random.key(7), _i)
    _rng = _stateful_rng(0)
    _closed = jax.jit(lambda: _rng.normal())
    assert np.allclose([_closed() for _ in range(3)], _numbers, atol=1e-6)
    _rng = _stateful_rng(0)
    _, _drawn = jax.lax.scan(lambda c, _: (c, _rng.normal()), 0, length=3)
    assert np.allclose(_drawn, _numbers, atol=1e-6)
    for _bad in (
        lambda: jax.jit(lambda rng: rng)(_stateful_rng(0)),
        lambda: jax.lax.scan(
            lambda rng, _: (rng, rng.normal()), _stateful_rng(0), length=3
        ),
    ):
        try:
            _bad()
        except ValueError:
            continue
        raise AssertionError
    # neither under grad nor shared under vmap; a key made before works
    _rng = _stateful_rng(0)
    _times = lambda x, rng: x * rng.normal()
    for _bad in (
        lambda: jax.grad(_times)(1.0, _rng),
        lambda: jax.grad(lambda x: x * _rng.normal())(1.0),
        lambda: jax.vmap(_times, in_axes=(0, None))(jnp.ones(3), _rng),
        lambda: jax.vmap(lambda x: x * _rng.normal())(jnp.ones(3)),
    ):
        assert _raises(Exception, "addupdate", lambda: _bad())
    _rng = _stateful_rng(0)
    _k = _rng.key()
    _slope = jax.grad(lambda x, key: x * jax.random.normal(key))(1.0, _k)
    assert np.isclose(_slope, _numbers[0])
    assert np.isclose(_rng.normal(), _numbers[1])


# %% after: split-and-fold-in
assert jax.config.jax_threefry_partitionable
for _seed in (0, 1, 12345):
    _k = jax.random.key(_seed)
    _folded = jax.vmap(jax.random.fold_in, (None, 0))(_k, jnp.arange(1000))
    assert (jax.random.split(_k, 1000) == _folded).all()
_k = jax.random.key(0)
assert (jax.random.split(_k, 5)[:2] == jax.random.split(_k, 2)).all()
with jax.threefry_partitionable(False):
    assert not (jax.random.split(_k, 5)[:2] == jax.random.split(_k, 2)).all()
    assert jax.random.fold_in(_k, 0) != jax.random.split(_k, 3)[0]
assert jax.random.normal(_k) != jax.random.normal(jax.random.fold_in(_k, 0))
# step 0 of a key that was split for the weights trains the negative ones, with
# other seeds, too, and with a key of its own it doesn't
_one = jax.tree.map(lambda leaf: leaf[0], batches)
for _seed in (0, 3, 12345):
    _k, _mine = jax.random.split(jax.random.key(_seed))
    _begun = init(_k)
    for _used, _same in ((_k, True), (_mine, False)):
        _next, _ = update(_begun, _one, partial(dropout, fold_in(_used, 0)))
        _moved = _next["out"] != _begun["out"]
        assert (_moved == (_begun["w"] < 0)).all() == _same
# fold_in's numbers may collide: a sum of step and example
assert len({s + e for s in range(4) for e in range(8)}) == 11


# %% after: split-and-fold-in
# keys by place and by name
import zlib as _zlib


def _by_place(key, names):
    return dict(zip(names, jax.random.split(key, len(names))))


def _by_name(key, names):
    return {n: fold_in(key, _zlib.crc32(n.encode())) for n in names}


_few, _more = (
    "embed hidden output".split(),
    "embed extra hidden output".split(),
)
for _make, _changed in ((_by_place, ["hidden", "output"]), (_by_name, [])):
    _old, _new = _make(key, _few), _make(key, _more)
    assert [n for n in _few if _old[n] != _new[n]] == _changed
import subprocess as _subprocess
import sys as _sys

_codes = [
    _subprocess.run(
        [_sys.executable, "-c", "print(hash('embed'))"],
        env={"PYTHONHASHSEED": s},
        capture_output=True,
        text=True,
    ).stdout
    for s in ("1", "2")
]
assert _codes[0] != _codes[1] and _codes[0].strip()


# %% after: two-draws-from-one-key
for _seed in (0, 1, 12345):
    _k = jax.random.key(_seed)
    # the mask of a key that drew normal numbers keeps the negative ones
    _w = jax.random.normal(_k, (1000,))
    _keep = jax.random.bernoulli(_k, 0.5, (1000,))
    assert (_keep == (_w < 0)).all()
    # which is made of uniform numbers
    assert (_keep == (jax.random.uniform(_k, (1000,)) < 0.5)).all()
    assert jax.random.normal(_k) == _w[0]
    assert (jax.random.normal(_k, (8,)) == _w[:8]).all()
    _other = jax.random.bernoulli(jax.random.split(_k)[0], 0.5, (1000,))
    assert 0.4 < (_other == (_w < 0)).mean() < 0.6


# %% after: back-to-the-issue
# keys made once repeat each epoch's masks, though all units are trained
_once = jax.random.split(dropout_key, 100)
_params, _ = jax.lax.scan(keyed, start, (first, _once))
assert (_params["out"] != start["out"]).all()
_keys = [jax.random.split(fold_in(dropout_key, e), 100) for e in range(3)]
assert not (_keys[0] == _keys[1]).any() and not (_keys[1] == _keys[2]).any()
# the model, with Equinox: a key in an attribute, dropout under vmap
import equinox as _eqx


class _Kept(_eqx.Module):
    drop: _eqx.nn.Dropout
    key: jax.Array

    def __call__(self, x):
        return self.drop(x, key=self.key)


_model = _Kept(_eqx.nn.Dropout(0.5), jax.random.key(0))
_call = _eqx.filter_jit(lambda model, x: jax.vmap(model)(x))
_rows = np.concatenate([_call(_model, jnp.ones((4, 20))) for _ in range(3)])
assert len(np.unique(_rows, axis=0)) == 1
assert _raises(RuntimeError, "key", lambda: _eqx.nn.Dropout(0.5)(jnp.ones(3)))
# Flax Linen with an unchanged key does the same
from flax import linen as _nn

_drop, _k = _nn.Dropout(0.5, deterministic=False), jax.random.key(0)
_apply = jax.jit(lambda k: _drop.apply({}, jnp.ones(20), rngs={"dropout": k}))
assert (_apply(_k) == _apply(_k)).all()
assert (_apply(_k) != _apply(fold_in(_k, 1))).any()


# %% after: dropout-to-copy
assert moved == 64 and test_loss < 0.15 and int(state["step"]) == 1000
# a key for each step and example, and none of them twice
_used = jax.vmap(lambda i: jax.random.split(fold_in(state["key"], i), 32))(
    jnp.arange(1000)
)
_used = np.asarray(jax.random.key_data(_used)).reshape(-1, 2)
assert len(np.unique(_used, axis=0)) == 32_000


# stopped after 500 batches and resumed: parameters, count, and the seed's key
def _part(params, count, begin, end):
    _x = jax.random.uniform(data_key, (1000, 32), minval=-2.0, maxval=2.0)
    _x = _x[begin:end]
    begun = {"params": params, "key": key, "step": jnp.int32(count)}
    return jax.lax.scan(step, begun, (_x, jnp.sin(2 * _x)))[0]


_half = _part(start, 0, 0, 500)
_rest = _part(_half["params"], _half["step"], 500, 1000)
assert np.allclose(_rest["params"]["out"], state["params"]["out"], atol=1e-5)
with jax.debug_key_reuse(True):
    jax.lax.scan(
        lambda s, d: step(s, d),
        {"params": start, "key": jax.random.key(21), "step": jnp.int32(0)},
        (jnp.ones((5, 1)), jnp.ones((5, 1))),  # one example
    )


# %% after: exercise-1
check_1([1, 4, 8, 32, 11])
check_1(np.array([1, 4, 8, 32, 11]))
check_1(jnp.array([1, 4, 8, 32, 11]))
check_1((1.0, np.int32(4), jnp.int32(8), 2**5, 11))


# %% after: exercise-1
check_1(map(int, (1, 4, 8, 32, 11)))


# %% after: exercise-2
check_2(jax.jit(solution_2))
_fold = jax.random.fold_in
_drop = lambda k, x: jnp.where(
    jax.random.uniform(k, x.shape) < 0.25, 0, x / 0.75
)
check_2(
    lambda key, step, ids, xs: jax.vmap(
        lambda i, x: _drop(_fold(_fold(key, i), step), x)
    )(ids, xs)
)
check_2(
    lambda key, step, ids, xs: jax.vmap(
        lambda i, x: dropout(_fold(key, step * 30_000 + i), x, 0.25)
    )(ids, xs)
)
check_2(
    lambda key, step, ids, xs: jax.vmap(dropout, (0, 0, None))(
        jax.vmap(_fold, (None, 0))(_fold(key, step), ids), xs, 0.25
    )
)


def _by_mask(key, step, ids, xs):
    keys = jax.vmap(lambda i: _fold(_fold(key, step), i))(ids)
    keep = jax.vmap(lambda k: jax.random.bernoulli(k, 0.75, xs.shape[1:]))(
        keys
    )
    return xs * keep / 0.75


check_2(_by_mask)


# %% after: exercise-3
_normal, _fold = jax.random.normal, jax.random.fold_in


def _by_split(state, xs):
    total, key = state.total, state.key
    for x in xs:
        key, sub = jax.random.split(key)
        total = total + x + _normal(sub, x.shape)
    return SumState(total, key, state.step), total


check_3(_by_split)


# %% after: exercise-3
def _by_offset(state, xs):
    total = state.total
    for i, x in enumerate(xs):
        total += x + _normal(_fold(state.key, state.step + i), x.shape)
    return state._replace(total=total, step=state.step + len(xs)), total


check_3(_by_offset)


# %% after: exercise-3
def _by_start(state, xs):
    total = np.asarray(state.total)
    for i, x in enumerate(np.asarray(xs), start=int(state.step)):
        total = total + x + np.asarray(_normal(_fold(state.key, i), x.shape))
    return [SumState(total, state.key, i + 1), total]


check_3(_by_start)


# %% after: exercise-3
def _by_scan(state, xs):
    def one(state, x):
        key, sub = jax.random.split(state.key)
        total = state.total + x + _normal(sub, x.shape)
        return SumState(total, key, state.step + 1), None

    state, _ = jax.lax.scan(one, state, xs)
    return state, state.total


check_3(_by_scan)


def _by_vmap(state, xs):
    keys = jax.vmap(_fold, (None, 0))(
        state.key, state.step + jnp.arange(len(xs))
    )
    noise = jax.vmap(lambda k, x: _normal(k, x.shape))(keys, xs)
    total = state.total + (xs + noise).sum(0)
    return SumState(total, state.key, state.step + len(xs)), total


check_3(_by_vmap)
