"""What this chapter says, in asserts for the tests alone."""

# %% after: title 3
from flax.errors import InvalidRngError, ScopeCollectionNotFound

assert different(kernels) == 8 and different(same_masks) == 1
assert kernels.shape == (8, 32, 32) and same_masks.shape == (8, 32)


def _run(model, x):
    """Initialize and apply a model; return its kernels and masks."""
    keys = {"params": jax.random.key(1), "dropout": jax.random.key(2)}
    variables = model.init(keys, x, None)
    _rngs = {"dropout": jax.random.key(3)}
    _, masks = model.apply(variables, x, None, rngs=_rngs)
    _, kernels = jax.tree.leaves(variables["params"])  # bias, kernel
    return kernels, masks


# another key: another mask, and again one for all layers
_v = Deep().init(
    {"params": jax.random.key(1), "dropout": jax.random.key(2)}, x
)
_m = Deep().apply(_v, x, rngs={"dropout": jax.random.key(9)})[1]
assert different(_m) == 1 and not np.array_equal(_m, same_masks)


# a Python loop gets the masks right, even with a captured dropout
class _Loop(nn.Module):
    @nn.compact
    def __call__(self, x):
        dropout = nn.Dropout(0.5, deterministic=False)
        masks = []
        for _ in range(8):
            x = dropout(nn.Dense(32)(x))
            masks.append(x != 0)
        return jnp.stack(masks)


_rngs = {"params": jax.random.key(1), "dropout": jax.random.key(2)}
_v = _Loop().init(_rngs, x)
assert different(jax.jit(_Loop().apply)(_v, x, rngs=_rngs)) == 8
# only dropped units are 0
assert (nn.Dense(32).init_with_output(_rngs, x)[0] != 0).all()


# %% after: nn-scan 1
assert different(kernels) == different(masks) == 8
assert kernels.shape == (8, 32, 32) and masks.shape == (8, 32)
assert [different(a) for a in _run(Stack(), x)] == [8, 8]


def _over_layers(layer):
    split = {"params": True, "dropout": True}
    axes = {"params": 0}
    return nn.scan(layer, length=8, variable_axes=axes, split_rngs=split)


# passing self helps if the step goes through its argument, not through self
class _Through(nn.Module):
    passed: bool = True

    def setup(self):
        self.dense = nn.Dense(32)
        self.dropout = nn.Dropout(0.5, deterministic=False)

    def __call__(self, x, _=None):
        def layer(module, h, _):
            h = module.dense(h)
            h = (module if self.passed else self).dropout(h)
            return h, h != 0

        return _over_layers(layer)(self, x, None)


assert [different(a) for a in _run(_Through(), x)] == [8, 8]
assert [different(a) for a in _run(_Through(passed=False), x)] == [8, 1]


# a function is right as well if one module with both is passed
class _Both(nn.Module):
    @nn.compact
    def __call__(self, x, _=None):
        dropout = nn.Dropout(0.5, deterministic=False)

        def layer(block, h, _):
            h = block(h)
            return h, h != 0

        block = nn.Sequential([nn.Dense(32), dropout])
        return _over_layers(layer)(block, x, None)


assert [different(a) for a in _run(_Both(), x)] == [8, 8]


# the axis goes for all parameters of what is passed
class _Embeds(nn.Module):
    whole: bool

    def setup(self):
        self.embed = nn.Dense(32)
        self.layer = nn.Sequential(
            [nn.Dense(32), nn.Dropout(0.5, deterministic=False)]
        )

    def __call__(self, x, _=None):
        def layer(module, h, _):
            h = (module.layer if self.whole else module)(h)
            return h, h != 0

        module = self if self.whole else self.layer
        return _over_layers(layer)(module, self.embed(x), None)


_rngs = {"params": jax.random.key(1), "dropout": jax.random.key(2)}
assert _raises(
    "ValueError", "leading axis sizes", _Embeds(True).init, _rngs, x
)
(_, _masks), _ = _Embeds(False).init_with_output(_rngs, x)
assert different(_masks) == 8


# a tuple of modules isn't accepted as the first argument
class _Tuple(nn.Module):
    @nn.compact
    def __call__(self, x, _=None):
        both = nn.Dense(32), nn.Dropout(0.5, deterministic=False)
        layer = lambda both, h, _: (both[1](both[0](h)), None)
        return nn.scan(layer, length=8, variable_axes={"params": 0})(
            both, x, 0
        )


_raises(AttributeError, "tuple", lambda: _run(_Tuple(), x))


# %% after: captured-layers 1
_rngs = {"dropout": jax.random.key(0)}
assert different(numbers["captured"]) == 1
assert different(numbers["passed"]) == 4


# each name alone, as a dropout would be called
class _Alone(nn.Module):
    captured: bool

    @nn.compact
    def __call__(self):
        draw = Draw()
        step = lambda module, c, _: (
            c,
            (draw if self.captured else module)(),
        )
        scan = nn.scan(step, length=4, split_rngs={"dropout": True})
        return scan(draw, None, None)[1]


assert different(_Alone(True).apply({}, rngs=_rngs)[:, None]) == 1
assert different(_Alone(False).apply({}, rngs=_rngs)[:, None]) == 4


class _Twice(nn.Module):  # in Python, the second draw has another key
    @nn.compact
    def __call__(self):
        draw = Draw()
        return jnp.stack([draw(), draw()])


assert different(_Twice().apply({}, rngs=_rngs)[:, None]) == 2


# the three forms of issue 4950
class _Foo(nn.Module):
    def __call__(self, carry, _=None):
        return carry, jax.random.key_data(self.make_rng("dropout"))


def _keys(form, split):
    class Scanning(nn.Module):
        @nn.compact
        def __call__(self, x):
            lifted = {"split_rngs": {"dropout": split}}
            if form == "class":
                return nn.scan(_Foo, **lifted)()((), x)[1]
            foo = _Foo()
            if form == "passed":
                return nn.scan(lambda foo, c, x: foo(c, x), **lifted)(
                    foo, (), x
                )[1]
            return nn.scan(lambda _, c, x: foo(c, x), **lifted)(self, (), x)[1]

    return different(Scanning().apply({}, jnp.zeros(5), rngs=_rngs))


assert [_keys(f, True) for f in ("class", "passed", "captured")] == [5, 5, 1]
assert [_keys(f, False) for f in ("class", "passed", "captured")] == [1, 1, 1]


# two draws in one body differ from each other, captured or not
class _Two(nn.Module):
    @nn.compact
    def __call__(self):
        foo = _Foo()
        step = lambda _, c, __: (c, jnp.stack([foo(c)[1], foo(c)[1]]))
        scan = nn.scan(step, length=3, split_rngs={"dropout": True})
        return scan(self, None, None)[1]


_two = _Two().apply({}, rngs=_rngs)
assert different(_two) == 1 and different(_two[0]) == 2


# where a second Dense is captured that was called before: one kernel for all
class _CapturedCalled(nn.Module):
    @nn.compact
    def __call__(self, x, _=None):
        dense = nn.Dense(32)
        dense(x)
        step = lambda first, h, _: (dense(first(h)), h != 0)
        axes, split = {"params": 0}, {"params": True}
        scan = nn.scan(step, length=8, variable_axes=axes, split_rngs=split)
        return scan(nn.Dense(32), x, None)


_v = _CapturedCalled().init(jax.random.key(1), x, None)
_shapes = {leaf.shape for leaf in jax.tree.leaves(_v) if leaf.size > 256}
assert _shapes == {(32, 32), (8, 32, 32)}
_CapturedCalled().apply(_v, x, None)


# a captured Dense that was never called before the scan doesn't train: an error
class _Captured(nn.Module):
    @nn.compact
    def __call__(self, x, _=None):
        dense = nn.Dense(32)
        step = lambda module, h, _: (dense(h), h != 0)
        axes, split = {"params": 0}, {"params": True}
        scan = nn.scan(step, length=8, variable_axes=axes, split_rngs=split)
        return scan(self, x, None)


assert _raises(Exception, "", lambda: _run(_Captured(), x))


# %% after: jax-in-a-module 1
assert isinstance(kernel, jax.core.Tracer)
assert _raises(
    jax.errors.UnexpectedTracerError, "", lambda: Plain().apply(variables, x)
)
# a module isn't an argument that lax.scan takes
_self = lambda module, _: (module, None)
assert _raises(
    TypeError, "Dense", lambda: jax.lax.scan(_self, nn.Dense(2), length=3)
)


# called once before the scan, the layer has its parameters
class _Warm(nn.Module):
    @nn.compact
    def __call__(self, x):
        dense = nn.Dense(32)
        dense(x)
        return jax.lax.scan(lambda h, _: (dense(h), None), x, length=8)[0]


_v = _Warm().init(jax.random.key(1), x)
assert _Warm().apply(_v, x).shape == (32,)


# statistics become tracers, and dropout has one mask
class _Stats(nn.Module):
    @nn.compact
    def __call__(self, h):
        norm = nn.BatchNorm(use_running_average=False)
        norm(h)
        return jax.lax.scan(lambda h, _: (norm(h), None), h, length=3)[0]


_batch = jnp.ones((4, 32))
_v = _Stats().init(jax.random.key(1), _batch)
_leaves = jax.tree.leaves(
    _Stats().apply(_v, _batch, mutable=["batch_stats"])[1]
)
assert all(isinstance(a, jax.core.Tracer) for a in _leaves)


class _Rows(nn.Module):
    scan: bool

    @nn.compact
    def __call__(self, xs):
        dropout = nn.Dropout(0.5, deterministic=False)
        if self.scan:
            return jax.lax.scan(lambda c, x: (c, dropout(x)), 0, xs)[1] != 0
        return jax.vmap(dropout)(xs) != 0


_xs = jnp.tile(x, (8, 1))
for _scan in (True, False):
    assert different(_Rows(_scan).apply({}, _xs, rngs=_rngs)) == 1


# %% after: jax-in-a-module 2
assert different(stacked["params"]["kernel"]) == 8


# %% after: variable-axes 1
assert different(kernels) == 1
assert [different(a) for a in _run(Same(), x)] == [1, 8]
# the gradients differ, so the layers part in training
_v = Same().init(
    {"params": jax.random.key(1), "dropout": jax.random.key(2)}, x, None
)
_g = jax.grad(lambda v: Same().apply(v, x, None, rngs=_rngs)[0].sum())(_v)
assert different(jax.tree.leaves(_g)[1]) == 8
# a stack is made of one layer's trees: index i is layer i
_layers = nn.scan(
    Layer,
    length=8,
    variable_axes={"params": 0},
    split_rngs={"params": True, "dropout": False},
)()
_v = _layers.init(
    {"params": jax.random.key(1), "dropout": jax.random.key(2)}, x, None
)
_h = x
for _n in range(8):
    _one = jax.tree.map(lambda a: a[_n], _v)
    _h = _one["params"]["Dense_0"]["kernel"].T @ _h
    _h = _h + _one["params"]["Dense_0"]["bias"]
    _mask = _layers.apply(_v, x, None, rngs=_rngs)[1][0]
    _h = jnp.where(_mask, _h * 2, 0)
assert jnp.allclose(_h, _layers.apply(_v, x, None, rngs=_rngs)[0], rtol=1e-3)
# nothing said: an error, both for variables and for keys
_raises(
    ScopeCollectionNotFound,
    "params",
    lambda: _run(
        nn.scan(
            Layer, length=8, split_rngs={"params": True, "dropout": True}
        )(),
        x,
    ),
)
_raises(
    InvalidRngError,
    "dropout",
    lambda: _run(
        nn.scan(
            Layer,
            length=8,
            variable_axes={"params": 0},
            split_rngs={"params": True},
        )(),
        x,
    ),
)


# %% after: variable-axes 2
assert kernel.shape == (32, 32) and different(masks) == 8
# shared parameters can't be made from split keys
_raises(
    ValueError,
    "data dependency",
    lambda: _run(
        nn.scan(
            Layer,
            length=8,
            variable_broadcast="params",
            split_rngs={"params": True, "dropout": True},
        )(),
        x,
    ),
)


# %% after: batch-norm-in-scan 2
assert means.shape == (8, 32) and different(means) == 8
# evaluation needs no other options
_out = BlockStack(train=False).apply({**variables, **updates}, batch, None)[0]
assert _out.shape == batch.shape
# shared statistics can't be written in a scan, in training
_frozen = nn.scan(
    Block,
    length=8,
    variable_axes={"params": 0},
    variable_broadcast="batch_stats",
    split_rngs={"params": True},
)
_both = nn.scan(
    Block,
    length=8,
    variable_broadcast=["params", "batch_stats"],
    split_rngs={"params": False},
)
_v = _both().init(rngs, batch, None)
_raises(
    ValueError,
    "data dependency",
    lambda: _both().apply(_v, batch, None, mutable=["batch_stats"]),
)
_v = _frozen().init(rngs, batch, None)  # BatchNorm writes nothing in init
_raises(
    ValueError,
    "data dependency",
    lambda: _frozen().apply(_v, batch, None, mutable=["batch_stats"]),
)


# %% after: batch-norm-in-scan
assert new.shape == (32,)
assert jnp.allclose(loop[-1], new.mean(), rtol=1e-3)
assert f"{new.mean():.2f}" == f"{loop[-1]:.2f}" != f"{loop[0]:.2f}"
assert jnp.allclose(batch_stats["BatchNorm_0"]["var"], new, rtol=1e-4)
# it starts at 1, and later calls get normalized data
assert (variables["batch_stats"]["BatchNorm_0"]["var"] == 1).all()
assert loop[0] > 1 and all(a > b > 1 for a, b in zip(loop, loop[1:]))
# the scanned class makes no statistics in init
_same = "same pytree structure"
_raises(TypeError, _same, lambda: Repeated().init(rngs, batch, None))
# evaluation with variable_carry
_new = {"params": variables["params"], "batch_stats": batch_stats}
_evaluate = Repeated(train=False).apply
_out = _evaluate(_new, batch, None, mutable=["batch_stats"])[0][0]
# shared, it needs no mutable
_shared = nn.scan(
    Block,
    length=8,
    variable_broadcast=["params", "batch_stats"],
    split_rngs={"params": False},
)(train=False)
_h = _shared.apply(_new, batch, None)[0]
assert jnp.allclose(_h, _out, rtol=1e-4)
_b = batch
for _ in range(8):
    _b, _none = Block(train=False).apply(_new, _b)
assert jnp.allclose(_h, _b, rtol=1e-3, atol=1e-4)


# in a larger model: one call in init, without the scan
class _Tied(nn.Module):
    train: bool = True

    @nn.compact
    def __call__(self, h):
        block = Block(self.train, name="block")
        if self.is_initializing():
            return block(h)[0]
        carried = ["batch_stats"] if self.train else []
        shared = ["params"] if self.train else ["params", "batch_stats"]
        steps = nn.scan(
            lambda block, h, _: block(h),
            length=8,
            variable_broadcast=shared,
            variable_carry=carried,
        )
        return steps(block, h, None)[0]


_v = _Tied().init(rngs, batch)
_, _new = _Tied().apply(_v, batch, mutable=["batch_stats"])
_one, _h = {name: kind["block"] for name, kind in _v.items()}, batch
for _ in range(8):
    (_h, _none), _up = Block().apply(_one, _h, mutable=["batch_stats"])
    _one = {**_one, **_up}
_var = lambda stats: stats["BatchNorm_0"]["var"]
assert jnp.allclose(
    _var(_new["batch_stats"]["block"]), _var(_one["batch_stats"]), rtol=1e-4
)
assert _Tied(train=False).apply({**_v, **_new}, batch).shape == batch.shape


# %% after: nn-vmap 1
assert kernel.shape == (32, 32) and different(masks) == 8
_raises(
    ValueError,
    "None",
    lambda: _run(
        nn.vmap(
            Layer,
            in_axes=(0, None),
            variable_axes={"params": None},
            split_rngs={"params": True, "dropout": True},
        )(),
        xs,
    ),
)
# params on axis 0 and split keys: an ensemble
_ensemble = nn.vmap(
    Layer,
    in_axes=(0, None),
    variable_axes={"params": 0},
    split_rngs={"params": True, "dropout": True},
)
assert [different(a) for a in _run(_ensemble(), xs)] == [8, 8]


# %% after: nn-vmap 2
# a bare key is the stream "params", on which dropout falls back
assert different(masks) == 1
_, _m = Batched().apply(variables, xs, None, rngs={"params": key})
assert np.array_equal(_m, masks)
_, _m = Batched().apply(variables, xs, None, rngs={"dropout": key})
assert different(_m) == 8
# in nn.scan as well, if the key for the params isn't split
_v = Shared().init(
    {"params": jax.random.key(1), "dropout": jax.random.key(2)}, x, None
)
assert different(Shared().apply(_v, x, None, rngs=key)[1]) == 1
_named = {"dropout": key}
assert different(Shared().apply(_v, x, None, rngs=_named)[1]) == 8
# the same fallback if the options leave the stream out
_out = nn.scan(
    Layer,
    length=8,
    variable_broadcast="params",
    split_rngs={"params": False},
)()
_v = _out.init(rngs, x, None)
assert different(_out.apply(_v, x, None, rngs=rngs)[1]) == 1
assert _raises(
    InvalidRngError, "", lambda: _out.apply(_v, x, None, rngs=_named)
)
_v = _ensemble().init(key, xs, None)  # its "params" are split
assert different(_ensemble().apply(_v, xs, None, rngs=key)[1]) == 8


# %% after: complete-cell
assert different(masks) == 8
assert all(different(a) == 8 for a in jax.tree.leaves((params, rest)))


# %% after: complete-cell
# the second run of nn.remat draws the same masks: equal gradients
class _Switch(nn.Module):
    @nn.compact
    def __call__(self, x, train):
        return nn.Dropout(0.5, deterministic=not train)(nn.Dense(32)(x))


_rngs = {"params": jax.random.key(1), "dropout": jax.random.key(2)}
_saving = nn.remat(_Switch, static_argnums=2)  # self 0, x 1, train 2
_v = _saving().init(_rngs, x, True)
_grads = [
    jax.grad(lambda v: M().apply(v, x, True, rngs=_rngs).sum())(_v)
    for M in (_Switch, _saving)
]
assert all(jax.tree.leaves(jax.tree.map(jnp.allclose, *_grads)))
assert _raises(
    jax.errors.TracerBoolConversionError,
    "",
    lambda: nn.remat(_Switch)().init(_rngs, x, True),
)


# in the scan it saves memory, around the scan it doesn't
class _Wide(nn.Module):
    @nn.compact
    def __call__(self, h, _):
        for _ in range(4):
            h = nn.tanh(nn.Dense(64)(h))
        return h, None


def _bytes(inner, outer):
    axes, split = {"params": 0}, {"params": True}
    scan = nn.scan(
        inner(_Wide), length=16, variable_axes=axes, split_rngs=split
    )
    model, h = outer(scan)(), jnp.ones((1024, 64))
    v = model.init(jax.random.key(0), h, None)
    grad = jax.jit(jax.grad(lambda v: model.apply(v, h, None)[0].sum()))
    return grad.lower(v).compile().memory_analysis().temp_size_in_bytes


_plain = _bytes(lambda m: m, lambda m: m)
assert _bytes(nn.remat, lambda m: m) < 0.5 * _plain
assert _bytes(lambda m: m, nn.remat) > 0.9 * _plain
