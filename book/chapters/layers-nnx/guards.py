"""What this page says, in asserts for the tests alone."""

# %% after: title 5
import inspect
from functools import partial

assert different(masks) == 1 and dropout.rngs.count[...] == 0
# so the next call drew the same masks
assert np.array_equal(again, masks)
# the Linears are eight, and each array has their axis
assert different(layers.kernel[...]) == 8
assert {leaf.shape[0] for leaf in jax.tree.leaves(nnx.state(layers))} == {8}


# the units that stay as they were are those dropped everywhere
assert masks[0].sum() == 14


# a mask comes from the key and the count; a loop would count to 16
_d, _ones = nnx.Dropout(0.5, rngs=nnx.Rngs(1)), jnp.ones(32)
_drawn = jnp.stack([_d(_ones) for _ in range(16)])
assert _d.rngs.count[...] == 16 and different(_drawn) == 16
_twin = nnx.Dropout(0.5, rngs=nnx.Rngs(1))
assert np.array_equal(_twin(_ones), _drawn[0])


# each step counted from 0 to 1, and nothing of it was kept
def _counting(layer, dropout, h):
    before = dropout.rngs.count[...]
    h = dropout(layer(h))
    return h, (before, dropout.rngs.count[...])


_d = nnx.Dropout(0.5, rngs=nnx.Rngs(1))
_scan = nnx.scan(_counting, in_axes=axes, out_axes=(nnx.Carry, 0))
_before, _after = _scan(layers, _d, x)[1]
assert (_before == 0).all() and (_after == 1).all()
assert _d.rngs.count[...] == 0


# a compiled scan returns its carry and stacks: the count is in neither
def _returned(function, *arguments):
    graph, leaves = nnx.split(arguments)
    traced = jax.make_jaxpr(lambda s: function(*nnx.merge(graph, s))[1])
    todo = [traced(leaves).jaxpr]
    for jaxpr in todo:
        for eqn in jaxpr.eqns:
            if eqn.primitive.name == "scan":
                return {str(out.aval.dtype) for out in eqn.outvars}
            inner = [getattr(p, "jaxpr", None) for p in eqn.params.values()]
            todo += [each for each in inner if each is not None]
    raise AssertionError("no scan")


assert _returned(forward, layers, dropout, x) == {"float32", "bool"}


# %% after: state-axes 2
assert different(masks) == 8 and dropout.rngs.count[...] == 8
assert "uint32" in _returned(forward, layers, dropout, x)


# %% after: state-axes 3
assert different(masks) == 8 and dropout.rngs.count[...] == 8


# %% after: tree-mode 1
_batch = jax.random.normal(jax.random.key(4), (64, 32)) + 1


# in Linen, shared statistics can't be written in a scan
def _linen():
    from flax import linen as nn

    class Block(nn.Module):
        @nn.compact
        def __call__(self, h, _=None):
            return nn.BatchNorm(use_running_average=False)(h), None

    shared = ["params", "batch_stats"]
    scan = nn.scan(Block, length=3, variable_broadcast=shared)
    scan().apply(
        Block().init(jax.random.key(0), _batch),
        _batch,
        None,
        mutable=["batch_stats"],
    )


_raises(ValueError, "data dependency", _linen)


# a Variable in two places: graph mode keeps it, tree mode raises an error
class _Twice(nnx.Module):
    def __init__(self):
        self.a = self.b = nnx.Variable(jnp.array(0))


def _bump(twice):
    twice.a[...] += 1
    return twice.b[...]


assert nnx.jit(_bump)(_Twice()) == 1
if "graph" in inspect.signature(nnx.scan).parameters:
    _raises(ValueError, "", lambda: nnx.jit(_bump, graph=False)(_Twice()))
    # the next step and the next call get the new count, even with None
    assert different(masks) == 8 and dropout.rngs.count[...] == 8
    assert not np.array_equal(tree(layers, dropout, x)[1], masks)
    assert "uint32" in _returned(tree, layers, dropout, x)
    # a dropout in the carry works there as well, StateAxes doesn't
    with nnx.set_graph_mode(False):
        _d = nnx.Dropout(0.5, rngs=nnx.Rngs(1))
        assert different(forward(layers, _d, x)[1]) == 8
        assert _d.rngs.count[...] == 8
    _tree = partial(nnx.scan, step, out_axes=(nnx.Carry, 0), graph=False)
    _d = nnx.Dropout(0.5, rngs=nnx.Rngs(1))
    _raises(
        ValueError,
        "StateAxes",
        lambda: _tree(in_axes=(0, kinds, nnx.Carry))(layers, _d, x),
    )


# %% after: nnx-scan 1
assert layers.dense.kernel.shape == (8, 32, 32)
assert layers.dropout.rngs.key.shape == (8,)
assert {leaf.shape[0] for leaf in jax.tree.leaves(nnx.state(layers))} == {8}
# without the split, an error
_raises(ValueError, "axis 0", lambda: nnx.vmap(Layer)(nnx.Rngs(0)))


# %% after: nnx-scan 2
assert different(masks) == 8 and different(again) == 8
assert not np.array_equal(again, masks)
assert (layers.dropout.rngs.count[...] == 2).all()
# the same in tree mode
if "graph" in inspect.signature(nnx.scan).parameters:
    _tree = {"graph": False}
    _make = nnx.split_rngs(splits=8, **_tree)(nnx.vmap(Layer, **_tree))
    _new = _make(nnx.Rngs(0))
    _scan = nnx.scan(
        lambda layer, h: (layer(h), None),
        in_axes=(0, nnx.Carry),
        out_axes=(nnx.Carry, 0),
        **_tree,
    )
    _scan(_new, x)
    assert different(_new.dense.kernel[...]) == 8
    assert (_new.dropout.rngs.count[...] == 1).all()


# %% after: nnx-vmap 2
assert different(masks) == 1 and count == 1
# each mask comes from the key and the count alone
_d = nnx.Dropout(0.5, rngs=nnx.Rngs(1))
assert np.array_equal(_d(x + 1) != 0, masks[0])


# %% after: nnx-vmap 3
assert different(masks) == 8
# the dropout's own count isn't touched
assert dropout.rngs.count[...] == 1
if "graph" in inspect.signature(nnx.vmap).parameters:
    _keyed = nnx.vmap(drop_with, in_axes=(None, 0, 0), graph=False)
    assert different(_keyed(dropout, keys, xs)) == 8
# its key can be split: split and axis 0 go together
_new = lambda: nnx.Dropout(0.5, rngs=nnx.Rngs(1))
_kinds = nnx.StateAxes({nnx.RngState: 0, ...: None})
_mapped = nnx.vmap(drop, in_axes=(_kinds, 0))
_d = _new()
assert different(nnx.split_rngs(splits=8)(_mapped)(_d, xs)) == 8
assert _d.rngs.key.shape == ()
_raises(ValueError, "", lambda: _mapped(_new(), xs))
_unmapped = nnx.split_rngs(splits=8)(nnx.vmap(drop, in_axes=(None, 0)))
_raises(ValueError, "", lambda: _unmapped(_new(), xs))


# %% after: nnx-vmap 4
assert different(shared.dense.kernel[...]) == 1
assert different(layers.dense.kernel[...]) == 8
assert shared.dense.kernel.shape == (8, 32, 32)


# %% after: batch-norm 2
# identical examples raise the error, too, and tree mode does as well
_new = lambda: nnx.BatchNorm(32, momentum=0.9, rngs=nnx.Rngs(0))
_said = "got axis spec None but output was batched"
_shared = partial(nnx.vmap, normalize, in_axes=(None, 0))
_raises(ValueError, _said, lambda: _shared()(_new(), xs))
if "graph" in inspect.signature(nnx.vmap).parameters:
    _raises(
        ValueError, _said, lambda: _shared(graph=False)(_new(), batches[0])
    )

# the figure's three examples
_xs = jnp.array([[1.0], [2.0], [3.0]])


def _new_mean(x):
    norm = nnx.BatchNorm(1, momentum=0.9, rngs=nnx.Rngs(0))
    norm(x)
    return norm.mean[...][0]


assert np.allclose(jax.vmap(_new_mean)(_xs), [0.1, 0.2, 0.3])
_n = nnx.BatchNorm(1, momentum=0.9, axis_name="batch", rngs=nnx.Rngs(0))
_shared(axis_name="batch")(_n, _xs)
assert np.allclose(_n.mean[...], 0.2)
# axis_name works in tree mode as well
if "graph" in inspect.signature(nnx.vmap).parameters:
    _n = nnx.BatchNorm(1, momentum=0.9, axis_name="batch", rngs=nnx.Rngs(0))
    _shared(axis_name="batch", graph=False)(_n, _xs)
    assert np.allclose(_n.mean[...], 0.2)


# %% after: batch-norm 3
# new_mean is what one example does to a BatchNorm
_n = nnx.BatchNorm(32, momentum=0.9, rngs=nnx.Rngs(0))
_n(batches[0, 0])
assert jnp.allclose(_n.mean[...], new_mean(mean, batches[0, 0]), atol=1e-6)


# %% after: batch-norm 4
# averaged over the axis, the statistics are one value: that of the batch
_n = nnx.BatchNorm(32, momentum=0.9, rngs=nnx.Rngs(0))
_n(batches[0])
assert norm.mean.shape == (32,)
assert jnp.allclose(norm.mean[...], _n.mean[...], atol=1e-5)


# %% after: batch-norm 5
# each batch moves it a tenth of the way that's left to 1
assert abs(norm.mean[...].mean() - (1 - 0.9**3)) < 0.01
_n = nnx.BatchNorm(32, momentum=0.9, rngs=nnx.Rngs(0))
nnx.scan(normalize, in_axes=(None, 0), out_axes=0)(_n, batches)
assert not _n.mean[...].any()
# StateAxes carries its BatchStat
_kinds = nnx.StateAxes({nnx.BatchStat: nnx.Carry, ...: None})
nnx.scan(normalize, in_axes=(_kinds, 0), out_axes=0)(_n, batches)
assert jnp.allclose(norm.mean[...], _n.mean[...], atol=1e-5)
# a loop over the batches has the same mean
_n = nnx.BatchNorm(32, momentum=0.9, rngs=nnx.Rngs(0))
for _x in batches:
    _n(_x)
assert jnp.allclose(norm.mean[...], _n.mean[...], atol=1e-5)
# a BatchNorm can be carried next to h, too
_carry = nnx.scan(in_axes=nnx.Carry, out_axes=nnx.Carry, length=3)
_n, _ = _carry(lambda carry: (carry[0], carry[0](carry[1]) + 1))(
    (_n, batches[0])
)
assert jnp.abs(_n.mean[...]).max() > 0.01


# the table where a write goes: add_one writes what no example decides,
# add_x what the example decides
class _Total(nnx.Module):
    def __init__(self, start):
        self.value = nnx.Variable(start)


def _add_one(total, x):
    total.value[...] += 1


def _add_x(total, x):
    total.value[...] += x


def _plain(transform, entry, write, x=(1, 2, 3), **mode):
    total = _Total(jnp.zeros(3, int) if entry == 0 else jnp.array(0))
    out_axes = 0

    def wrote(total, x):
        write(total, x)
        return (total, x) if entry is nnx.Carry else x

    if entry is nnx.Carry and transform is nnx.scan:
        out_axes = (nnx.Carry, 0)
    mapped = transform(wrote, in_axes=(entry, 0), out_axes=out_axes, **mode)
    out = mapped(total, jnp.array(x))
    total = out[0] if entry is nnx.Carry else total
    return str(total.value[...])


_modes = [{}]
if "graph" in inspect.signature(nnx.scan).parameters:
    _modes.append({"graph": False})
for _mode in _modes:
    _after = partial(_plain, **_mode)
    for _t in (nnx.scan, nnx.vmap):
        assert _after(_t, 0, _add_one) == "[1 1 1]"
        assert _after(_t, 0, _add_x) == "[1 2 3]"
    # one cell is different in tree mode
    _scanned = [_after(nnx.scan, None, _w) for _w in (_add_one, _add_x)]
    assert _scanned == (["3", "6"] if _mode else ["0", "0"])
    _scanned = [_after(nnx.scan, nnx.Carry, _w) for _w in (_add_one, _add_x)]
    assert _scanned == ["3", "6"]
    assert _after(nnx.vmap, None, _add_one) == "1"
    for _x in ((1, 2, 3), (1, 1, 1)):
        _raises(ValueError, "", lambda: _after(nnx.vmap, None, _add_x, _x))
    _raises(TypeError, "", lambda: _after(nnx.vmap, nnx.Carry, _add_one))
# nnx.vmap calls the function once
_calls = []
_plain(nnx.vmap, None, lambda total, x: _calls.append(x.shape))
assert set(_calls) == {()} and len(_calls) == 1


# %% after: equinox
_raises(
    ValueError,
    "",
    lambda: eqx.filter_vmap(norm, axis_name="batch")(batches[0], state),
)
# a 0 in out_axes adds an axis each time
_stacking = eqx.filter_vmap(
    norm, in_axes=(0, None), out_axes=(0, 0), axis_name="batch"
)
_s = _stacking(batches[0], state)[1]
assert shapes(_stacking(batches[0], _s)[1]) == [(64, 64), (64, 64, 32)]
# one key for all examples is one mask; the table splits it
_drop = eqx.nn.Dropout(0.5)
_key = jax.random.key(0)
assert different(jax.vmap(lambda x: _drop(x, key=_key))(xs)) == 1
_keys8 = jax.random.split(_key, 8)
assert (
    different(eqx.filter_vmap(lambda x, k: _drop(x, key=k))(xs, _keys8)) == 8
)
