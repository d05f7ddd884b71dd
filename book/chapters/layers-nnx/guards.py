"""What this page says, in asserts for the tests alone."""

# %% after: title 4
import inspect

import flax

assert different(masks) == 1 and dropout.rngs.count[...] == 0
# so the next call drew the same masks
assert np.array_equal(again, masks)
# the Linears are eight, and each array has their axis
assert different(layers.kernel[...]) == 8
assert {leaf.shape[0] for leaf in jax.tree.leaves(nnx.state(layers))} == {8}


# statistics are lost in the same way
class _Norm(nnx.Module):
    def __init__(self):
        self.norm = nnx.BatchNorm(32, rngs=nnx.Rngs(0))


_batch = jax.random.normal(jax.random.key(4), (64, 32)) + 1


def _mean(axes):
    @nnx.scan(in_axes=(axes, nnx.Carry), out_axes=nnx.Carry, length=3)
    def step(module, h):
        return module.norm(h) + 1

    _n = _Norm()
    step(_n, _batch)
    return float(jnp.abs(_n.norm.mean[...]).max())


assert _mean(None) == 0
assert _mean(nnx.StateAxes({nnx.BatchStat: nnx.Carry, ...: None})) > 0.01


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


# a captured dropout raises
@nnx.scan(in_axes=(0, nnx.Carry), out_axes=(nnx.Carry, 0))
def _outside(layer, h):
    h = dropout(layer(h))
    return h, h != 0


_raises(flax.errors.TraceContextError, "mutate", lambda: _outside(layers, x))


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
# statistics can be carried next to h, too
_carry = nnx.scan(in_axes=nnx.Carry, out_axes=nnx.Carry, length=3)
_n, _ = _carry(lambda carry: (carry[0], carry[0].norm(carry[1]) + 1))(
    (_Norm(), _batch)
)
assert jnp.abs(_n.norm.mean[...]).max() > 0.01


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


# %% after: nnx-scan 2
assert kernels.shape == (8, 32, 32) and different(kernels[...]) == 1


# %% after: nnx-scan 3
assert kernels.shape == (8, 32, 32) and keys.shape == (8,)
assert different(kernels[...]) == 8
assert {leaf.shape[0] for leaf in jax.tree.leaves(nnx.state(stack))} == {8}
# without the split, an error
_raises(ValueError, "axis 0", lambda: nnx.vmap(Layer)(nnx.Rngs(0)))


# %% after: nnx-scan 4
assert different(masks) == 8 and different(again) == 8
assert not np.array_equal(again, masks)
assert (stack.dropout.rngs.count[...] == 2).all()
stack.dropout.eval()
assert forward(stack, x)[1].all()
stack.dropout.train()


# in nnx.remat, self is argument 0
class _NNXSwitch(nnx.Module):
    def __call__(self, x, train):
        return 2 * x if train else x


_call = _NNXSwitch.__call__
_raises(
    jax.errors.TracerBoolConversionError,
    "",
    lambda: nnx.remat(_call, static_argnums=1)(_NNXSwitch(), x, True),
)
_y = nnx.remat(_call, static_argnums=2)(_NNXSwitch(), x, True)
assert jnp.allclose(_y, 2 * x)


# %% after: nnx-vmap 2
assert different(masks) == 1 and count == 1


# %% after: nnx-vmap 3
assert different(masks) == 8
# the dropout's own count isn't touched
assert dropout.rngs.count[...] == 1
if "graph" in inspect.signature(nnx.vmap).parameters:
    _keyed = nnx.vmap(drop_with, in_axes=(None, 0, 0), graph=False)
    assert different(_keyed(dropout, keys, xs)) == 8


# %% after: nnx-vmap 4
assert different(masks) == 8 and dropout.rngs.key.shape == ()
assert different(nnx.vmap(drop, in_axes=(None, 0))(dropout, xs)) == 1
# split and axis 0 go together
_new = lambda: nnx.Dropout(0.5, rngs=nnx.Rngs(1))
_raises(ValueError, "", lambda: mapped(_new(), xs))
_unmapped = nnx.split_rngs(splits=8)(nnx.vmap(drop, in_axes=(None, 0)))
_raises(ValueError, "", lambda: _unmapped(_new(), xs))
# under nnx.vmap, the count of a shared dropout comes back
_d = _new()
assert different(nnx.vmap(drop, in_axes=(None, 0))(_d, xs)) == 1
assert _d.rngs.count[...] == 1
# statistics that differ by example can't be shared: loud under nnx.vmap
_raises(
    ValueError,
    "",
    lambda: nnx.vmap(lambda m, x: m.norm(x), in_axes=(None, 0))(_Norm(), xs),
)
# averaged over the axis, they're one value, which comes back
_n = nnx.BatchNorm(32, axis_name="batch", rngs=nnx.Rngs(0))
_named = partial(nnx.vmap, in_axes=(None, 0), axis_name="batch")
_named(lambda m, x: m(x))(_n, jax.random.normal(jax.random.key(6), (8, 32)))
assert jnp.abs(_n.mean[...]).max() > 0 and _n.mean.shape == (32,)


# %% after: equinox
_raises(
    ValueError,
    "",
    lambda: eqx.filter_vmap(norm, axis_name="batch")(batch, state),
)
# mapped again: another axis in front
_out = vmap(norm, out_axes=(0, 0))(
    batch, vmap(norm, out_axes=(0, 0))(batch, state)[1]
)[1]
assert {leaf.ndim for leaf in jax.tree.leaves(_out)} == {2, 3}
_drop = eqx.nn.Dropout(0.5)
_key = jax.random.key(0)
assert different(jax.vmap(lambda x: _drop(x, key=_key))(xs)) == 1
_keys8 = jax.random.split(_key, 8)
assert (
    different(eqx.filter_vmap(lambda x, k: _drop(x, key=k))(xs, _keys8)) == 8
)
