"""What this page says, in asserts for the tests alone."""

# %% after: title 4
import inspect

assert different(masks) == 1 and dropout.rngs.count[...] == 0
# so the next call drew the same masks
assert np.array_equal(again, masks)
# the Linears are eight, and each array has their axis
assert different(layers.kernel[...]) == 8
assert {leaf.shape[0] for leaf in jax.tree.leaves(nnx.state(layers))} == {8}


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
# in tree mode, the next step gets the new count even with None
if "graph" in inspect.signature(nnx.scan).parameters:
    _tree = nnx.scan(step, in_axes=axes, out_axes=(nnx.Carry, 0), graph=False)
    _d = nnx.Dropout(0.5, rngs=nnx.Rngs(1))
    assert different(_tree(layers, _d, x)[1]) == 8
    assert _d.rngs.count[...] == 8


# %% after: state-axes 1
assert different(masks) == 8 and dropout.rngs.count[...] == 8


# %% after: state-axes 2
assert different(masks) == 8 and dropout.rngs.count[...] == 16
# tree mode has no StateAxes, but a dropout next to h works there as well
if "graph" in inspect.signature(nnx.scan).parameters:

    def _tree(in_axes):
        decorate = nnx.scan(
            in_axes=in_axes, out_axes=(nnx.Carry, 0), graph=False
        )

        @decorate
        def _scan(layer, carry):
            dropout, h = carry
            h = dropout(layer(h))
            return (dropout, h), h != 0

        return _scan

    _d = nnx.Dropout(0.5, rngs=nnx.Rngs(1))
    (_d, _), _m = _tree((0, nnx.Carry))(layers, (_d, x))
    assert different(_m) == 8 and _d.rngs.count[...] == 8
    _raises(
        ValueError,
        "StateAxes",
        lambda: _tree((kinds, nnx.Carry))(layers, (_d, x)),
    )


# %% after: where-a-write-goes 2
_seen = {n: [after(t, e, w) for t, w in columns] for n, e in entries.items()}
assert _seen == {
    "0": ["[1 1 1]", "[1 2 3]", "[1 1 1]", "[1 2 3]"],
    "None": ["0", "0", "1", "ValueError"],
    "nnx.Carry": ["3", "6", "TypeError", "TypeError"],
}


# the entry does the same without StateAxes, and x needn't differ
def _plain(transform, entry, write, x=(1, 2, 3), **mode):
    total = Total(jnp.zeros(3, int) if entry == 0 else jnp.array(0))

    def wrote(total, x):
        write(total, x)
        return x

    mapped = transform(wrote, in_axes=(entry, 0), out_axes=0, **mode)
    mapped(total, jnp.array(x))
    return str(total.value[...])


for _entry in (0, None):
    for (_t, _w), _after in zip(columns, _seen[str(_entry)], strict=True):
        if _after == "ValueError":
            _raises(ValueError, "", lambda: _plain(nnx.vmap, None, add_x))
        else:
            assert _plain(_t, _entry, _w) == _after
_raises(ValueError, "", lambda: _plain(nnx.vmap, None, add_x, (1, 1, 1)))
# nnx.vmap calls the function once; nnx.Carry without StateAxes is an error
_calls = []
_plain(nnx.vmap, None, lambda total, x: _calls.append(x.shape))
assert set(_calls) == {()} and len(_calls) == 1
_raises(TypeError, "", lambda: _plain(nnx.vmap, nnx.Carry, add_one))
# in tree mode, the row None starts with 3 and 6; all else is the same
if "graph" in inspect.signature(nnx.scan).parameters:
    _tree = partial(_plain, graph=False)
    assert [_tree(nnx.scan, None, w) for w in (add_one, add_x)] == ["3", "6"]
    assert _tree(nnx.vmap, None, add_one) == "1"
    _raises(ValueError, "", lambda: _tree(nnx.vmap, None, add_x))
    assert [_tree(t, 0, w) for t, w in columns] == _seen["0"]


# %% after: nnx-vmap 1
assert different(masks) == 1 and count == 1
# each mask comes from the key and the count alone
_d = nnx.Dropout(0.5, rngs=nnx.Rngs(1))
assert np.array_equal(_d(x + 1) != 0, masks[0])


# %% after: nnx-vmap 2
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


# %% after: batch-norm 1
assert 0.2 < norm.mean[...].mean() < 0.3
_n = nnx.BatchNorm(32, momentum=0.9, rngs=nnx.Rngs(0))
nnx.scan(normalize, in_axes=(None, 0), out_axes=0)(_n, batches)
assert not _n.mean[...].any()
# a BatchNorm can be carried next to h, too
_carry = nnx.scan(in_axes=nnx.Carry, out_axes=nnx.Carry, length=3)
_n, _ = _carry(lambda carry: (carry[0], carry[0](carry[1]) + 1))(
    (_n, batches[0])
)
assert jnp.abs(_n.mean[...]).max() > 0.01


# %% after: batch-norm 3
# averaged over the axis, the statistics are one value: that of the batch
_n = nnx.BatchNorm(32, momentum=0.9, rngs=nnx.Rngs(0))
_n(batches[0])
assert norm.mean.shape == (32,)
assert jnp.allclose(norm.mean[...], _n.mean[...], atol=1e-5)


# %% after: nnx-scan 1
assert different(shared.dense.kernel[...]) == 1
assert different(stack.dense.kernel[...]) == 8
assert stack.dense.kernel.shape == shared.dense.kernel.shape == (8, 32, 32)
assert stack.dropout.rngs.key.shape == (8,)
assert {leaf.shape[0] for leaf in jax.tree.leaves(nnx.state(stack))} == {8}
# without the split, an error
_raises(ValueError, "axis 0", lambda: nnx.vmap(Layer)(nnx.Rngs(0)))


# %% after: nnx-scan 2
assert different(masks) == 8 and different(again) == 8
assert not np.array_equal(again, masks)
assert (stack.dropout.rngs.count[...] == 2).all()


# %% after: equinox
_raises(
    ValueError,
    "",
    lambda: eqx.filter_vmap(norm, axis_name="batch")(batch, state),
)
# one key for all examples is one mask; the table splits it
_drop = eqx.nn.Dropout(0.5)
_key = jax.random.key(0)
assert different(jax.vmap(lambda x: _drop(x, key=_key))(xs)) == 1
_keys8 = jax.random.split(_key, 8)
assert (
    different(eqx.filter_vmap(lambda x, k: _drop(x, key=k))(xs, _keys8)) == 8
)
