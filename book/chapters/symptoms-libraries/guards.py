"""What this chapter says, in asserts for the tests alone."""

# %% after: modify-scope-variable 1
assert _raised(
    "ModifyScopeVariableError",
    'Cannot update variable "mean" in "/" because collection "batch_stats" '
    "is immutable",
)


# %% after: modify-scope-variable
assert jnp.allclose(updated["batch_stats"]["mean"], 0.05)
assert list(updated) == ["batch_stats"]
nn.BatchNorm(use_running_average=True).apply(variables, x)


class _Own(nn.Module):
    @nn.compact
    def __call__(self, x):
        mean = self.variable("batch_stats", "mean", lambda: jnp.zeros(()))
        allowed = self.is_mutable_collection("batch_stats")
        if allowed:
            mean.value += x.mean()
        return allowed


_given = {"batch_stats": {"mean": jnp.zeros(())}}
assert _Own().init_with_output(jax.random.key(0), x)[0] is True
assert _Own().apply(_given, x) is False
assert _Own().apply(_given, x, mutable=[]) == (False, {})
_allowed, _new = _Own().apply(_given, x, mutable=["batch_stats"])
assert _allowed and _new["batch_stats"]["mean"] == 5


class _Net(nn.Module):
    @nn.compact
    def __call__(self, x):
        return nn.BatchNorm(use_running_average=False)(x)


_v = _Net().init(jax.random.key(0), x)
assert _raises(
    "ModifyScopeVariableError",
    'Cannot update variable "mean" in "/BatchNorm_0" because collection '
    '"batch_stats" is immutable',
    _Net().apply,
    _v,
    x,
)


# %% after: scope-collection-not-found 1
assert _raised(
    "ScopeCollectionNotFound",
    'Tried to access "mean" from collection "batch_stats" in "/" but the '
    "collection is empty",
)


# %% after: scope-collection-not-found
_trained = {"params": params, "batch_stats": {"mean": x[0], "var": x[1]}}
_, _after = model.apply(_trained, x, mutable=["batch_stats"])
assert _after["batch_stats"]["mean"] == 4
_, _after = model.apply({"params": params}, x, mutable=["batch_stats"])
assert _after["batch_stats"]["mean"] == 0
_net = nn.Sequential([nn.Dense(2)])
_v = _net.init(jax.random.key(0), x)
assert _raises(
    "ScopeCollectionNotFound",
    'Tried to access "kernel" from collection "params" in "/layers_0" but '
    "the collection is empty",
    _net.apply,
    _v["params"],
    x,
)
_v = nn.Dense(2).init(jax.random.key(0), x)
assert _raises(
    "ApplyScopeInvalidVariablesTypeError",
    "should be a dictionary of collections",
    nn.Dense(2).apply,
    _v["params"],
    x,
)


class _Scaled(nn.Module):  # an array beside a submodule
    @nn.compact
    def __call__(self, x):
        return nn.Dense(2)(x) * self.param("w", nn.initializers.ones, (1,))


assert _raises(
    "ApplyScopeInvalidVariablesTypeError",
    "should be a dictionary of collections",
    _Scaled().apply,
    _Scaled().init(jax.random.key(0), x)["params"],
    x,
)


# %% after: scope-param-not-found 1
assert _raised(
    "ScopeParamNotFoundError",
    'Could not find parameter named "kernel" in scope "/layers_1"',
)


# %% after: scope-param-not-found
_small = small.init(jax.random.key(0), x)
_shapes = jax.eval_shape(deep.init, jax.random.key(0), x)
assert jax.tree.structure(_shapes) != jax.tree.structure(_small)
assert jax.tree.structure(_shapes) == jax.tree.structure(variables)


# %% after: scope-param-shape 1
assert _raised(
    "ScopeParamShapeError",
    'For parameter "kernel" in "/", the given initializer is expected to '
    "generate shape (3, 2), but the existing parameter it received has shape "
    "(2, 2)",
)


# %% after: scope-param-shape
assert _raises(
    "ScopeParamShapeError",
    "is expected to generate shape (3, 4)",
    nn.Dense(4).apply,
    variables,
    jnp.ones((1, 3)),
)


class _CNN(nn.Module):  # the last axis of its input can be right
    @nn.compact
    def __call__(self, x):
        x = nn.Conv(4, (3, 3))(x)
        return nn.Dense(2)(x.reshape((x.shape[0], -1)))


_images = jnp.ones((1, 10, 10, 1))
assert _raises(
    "ScopeParamShapeError",
    'For parameter "kernel" in "/Dense_0"',
    _CNN().apply,
    _CNN().init(jax.random.key(0), _images[:, :8, :8]),
    _images,
)
_CNN().apply(_CNN().init(jax.random.key(0), _images), _images)


# %% after: invalid-rng 1
assert _raised("InvalidRngError", 'needs PRNG for "dropout"')


# %% after: invalid-rng
nn.Dropout(0.5, deterministic=True).apply({}, jnp.ones(8))
assert jnp.array_equal(y, model.apply({}, jnp.ones(8), rngs={"dropout": key}))


# %% after: invalid-rng
import equinox as _eqx
from jax.example_libraries import stax as _stax

for _kind, _words, _drop in (
    (
        "ValueError",
        "no `rngs` argument was provided to Dropout",
        nnx.Dropout(0.5),
    ),
    (
        "RuntimeError",
        "Dropout requires a key when running in non-deterministic mode",
        _eqx.nn.Dropout(0.5),
    ),
    (
        "ValueError",
        "Dropout layer requires apply_fun to be called with a PRNG key argument",
        lambda x: _stax.Dropout(0.5)[1]((), x),
    ),
):
    assert _raises(_kind, _words, _drop, jnp.ones(64))
_inside = lambda x: _eqx.nn.Dropout(0.5)(x, key=jax.random.key(0))
assert (_inside(jnp.ones(64)) == _inside(jnp.ones(64))).all()
_outside = [
    _eqx.nn.Dropout(0.5)(jnp.ones(64), key=_key)
    for _key in jax.random.split(jax.random.key(0))
]
assert (_outside[0] != _outside[1]).any()


# %% after: set-attribute-frozen 1
assert _raised(
    "SetAttributeFrozenModuleError",
    "Can't set n=1 for Module of type Counter: Module instance is frozen "
    "outside of setup method",
)


# %% after: set-attribute-frozen
assert n == 2 == updated["state"]["n"]


class _Assigned(nn.Module):
    @nn.compact
    def __call__(self, x):
        self.dense = nn.Dense(2)
        return self.dense(x)


assert _raises(
    "SetAttributeFrozenModuleError",
    "Module instance is frozen outside of setup method",
    _Assigned().init,
    jax.random.key(0),
    jnp.ones((1, 3)),
)


# %% after: setup-attribute 1
assert _raised(
    "AttributeError",
    '"Model" object has no attribute "dense". If "dense" is defined in '
    "'.setup()', remember these fields are only accessible from inside "
    "'init' or 'apply'",
)


# %% after: setup-attribute
assert _raises(
    "AttributeError",
    "remember these fields are only accessible from inside",
    lambda: model.dense,
)
assert isinstance(model.bind(variables).dense, nn.Dense)
assert _raises(
    "CallCompactUnboundModuleError",
    "Can't call compact methods on unbound modules",
    nn.Dense(2),
    jnp.ones((1, 3)),
)
assert model.bind(variables)(jnp.ones((1, 3))).shape == (1, 2)


# %% after: tracer-bool-remat 1
_raised("TracerBoolConversionError", "for checkpoint / remat")


# %% after: tracer-bool-remat
_raises(
    "TracerBoolConversionError",
    "checkpoint / remat",
    nn.remat(Block, static_argnums=(1,))().init,
    key,
    x,
    True,
)
_raises(
    "ValueError",
    "can only take integer values greater than or equal to",
    block.init,
    key,
    x,
    train=True,
)
_raises(
    "TypeError", "static_argnames", nn.remat, Block, static_argnames="train"
)
jax.checkpoint(lambda x, train: x if train else 2 * x, static_argnums=(1,))(
    1.0, True
)


# in nnx.remat, self is argument 0, too
class _NNXSwitch(nnx.Module):
    def __call__(self, x, train):
        return 2 * x if train else x


_call = _NNXSwitch.__call__
_raises(
    "TracerBoolConversionError",
    "",
    lambda: nnx.remat(_call, static_argnums=1)(_NNXSwitch(), x, True),
)
_doubled = nnx.remat(_call, static_argnums=2)(_NNXSwitch(), x, True)
assert jnp.allclose(_doubled, 2 * x)


# %% after: older-flax-weights
_dict = {"params": {"w": jnp.ones(2)}}
_frozen = core.freeze(_dict)
assert _raises(
    "AttributeError", "no attribute 'unfreeze'", lambda: _dict.unfreeze()
)
for _tree in (_dict, _frozen):
    core.copy(_tree, {"a": 1}), core.pop(_tree, "params"), core.unfreeze(_tree)
_other = {"params": {"w": jnp.ones((5, 5))}}  # the shape isn't looked at
_got = serialization.from_bytes(_dict, serialization.to_bytes(_other))
assert _got["params"]["w"].shape == (5, 5)
assert _raises(
    "ValueError",
    "The field names of the state dict and the named tuple do not match",
    serialization.from_bytes,
    tx.init(_dict),
    serialization.to_bytes(optax.sgd(0.1, momentum=0.9).init(_dict)),
)
assert _raises(
    "ScopeParamShapeError",
    "expected to generate shape (4,)",
    nn.GroupNorm(num_groups=2).apply,
    {"params": {"scale": jnp.ones((1, 1, 1, 4)), "bias": jnp.ones(4)}},
    jnp.ones((1, 3, 3, 4)),
)


# %% after: from-haiku
# With dm-haiku 0.0.17: Conv2D, BatchNorm, LayerNorm, Linear and MLP converted by this table give the
# outputs of Linen in both modes, within 1e-6; after three steps hidden and average differ.
# A module with BatchNorm: hk.transform(lambda x: Net()(x)).init raises NonEmptyStateError with that message;
# hk.transform_with_state(Net).init(key) returns {}, {}, and its apply a Net; init(key, x) takes x for `name`.
# get_state and set_state outside raise ValueError with that message; `state` is {"~": {"n": …}, "net": {"n": …}},
# and `apply` reads a value that was put in.
assert nn.LayerNorm().epsilon == 1e-6 and nn.BatchNorm().epsilon == 1e-5
_embed = nn.Embed(5, 3).init(jax.random.key(0), jnp.arange(2))["params"]
assert list(_embed) == ["embedding"]


# %% after: trace-context 1
assert _raised(
    "TraceContextError", "Cannot mutate Variable from a different trace level"
)


# %% after: trace-context
assert _raised(
    "TraceContextError", "Cannot mutate BatchStat from a different trace level"
)


# %% after: trace-context
assert counter.n[...] == 3
assert _raises(
    "TraceContextError",
    "Cannot mutate BatchStat from a different trace level",
    lax.cond,
    True,
    lambda: model(batches[0]),
    lambda: batches[0],
)


def _body(m, x):
    return m, m(x)


_norm = nnx.BatchNorm(1, rngs=nnx.Rngs(0))
assert _raises(
    "TraceContextError",
    "Cannot mutate BatchStat from a different trace level",
    nnx.eval_shape,
    lambda x: _norm(x),
    batches[0],
)
_shape = nnx.eval_shape(lambda m, x: m(x), _norm, batches[0]).shape
assert _shape == (4, 1) and _norm.mean[...] == 0


class _Itself(nnx.Module):
    def __init__(self):
        self.norm = nnx.BatchNorm(1, rngs=nnx.Rngs(0))

    def __call__(self, x):
        return self.norm(x)


_words = "Cannot mutate BatchStat from a different trace level"
assert _raises("TraceContextError", _words, nnx.vmap(_Itself()), batches)
assert _raises("TraceContextError", _words, nnx.jit(_Itself()), batches)
_norm = nnx.BatchNorm(1, axis_name="b", rngs=nnx.Rngs(0))
_mapped = nnx.vmap(lambda m, x: m(x), in_axes=(None, 0), axis_name="b")
for _ in range(2):
    _mapped(_norm, batches)


for _transform in (jax.jit, jax.grad):
    assert _raises(
        "TraceContextError",
        "Cannot mutate BatchStat from a different trace level",
        _transform(lambda w: (w * model(batches[0])).sum()),
        1.0,
    )
_first = nnx.BatchNorm(1, rngs=nnx.Rngs(0))
_m, _ = lax.scan(_body, _first, batches)
assert jnp.allclose(_m.mean[...], 1 - 0.99**3) and _first.mean[...] == 0


def _mean_after(run):
    m = nnx.BatchNorm(1, rngs=nnx.Rngs(0))
    run(m, batches[0])
    return float(m.mean[0])


def _call(m, x):
    return m(x).sum()


def _skip(m, x):
    return x.sum()


for _run in (
    nnx.jit(_call),
    nnx.grad(_call),
    nnx.jit(lambda m, x: nnx.grad(_call)(m, x)),
    lambda m, x: nnx.cond(True, _call, _skip, m, x),
):
    assert abs(_mean_after(_run) - 0.01) < 1e-6
for _run in (
    jax.jit(_call),
    lambda m, x: lax.cond(True, _call, _skip, m, x),
):
    assert _mean_after(_run) == 0
assert _raises(
    "TraceContextError",
    "Cannot mutate BatchStat from a different trace level",
    nnx.jit(lambda m, x: lax.cond(True, lambda: _call(m, x), lambda: 0.0)),
    nnx.BatchNorm(1, rngs=nnx.Rngs(0)),
    batches[0],
)
assert _raises(
    "TraceContextError",
    "Cannot mutate 'Counter' from different trace level",
    nnx.jit(lambda: setattr(counter, "size", 1)),
)


# %% after: nnx-vmap-rngs 1
assert _raised(
    "ValueError",
    "vmap was requested to map its argument along axis 0",
    "rank should be at least 1",
)
_scan = nnx.scan(create, in_axes=0, out_axes=0, length=3)
_vmap = nnx.vmap(create, in_axes=None, axis_size=3)
_one_key = _vmap(nnx.Rngs(0)).kernel[...]
assert len(jnp.unique(_one_key, axis=0)) == 1
import flax as _flax

_old_flax = tuple(map(int, _flax.__version__.split(".")[:2])) < (0, 12)
if _old_flax:
    assert _raises("ValueError", "axis 0 is out of", _scan, nnx.Rngs(0))
    _vmap = nnx.vmap(create, axis_size=3)
    assert _raises("IndexError", "index out of range", _vmap, nnx.Rngs(0))
else:
    assert _raises("IndexError", "index out of range", _scan, nnx.Rngs(0))


# %% after: nnx-vmap-rngs
assert len(jnp.unique(layers.kernel[...], axis=0)) == 3
_scan = nnx.scan(lambda r: nnx.Linear(2, 2, rngs=r), in_axes=0, out_axes=0)
_scan = nnx.split_rngs(splits=3)(_scan)
assert len(jnp.unique(_scan(nnx.Rngs(0)).kernel[...], axis=0)) == 3


# %% after: nnx-keyword-only 1
assert _raised(
    "TypeError", "keyword arguments could not be resolved to positions"
)
_named = lambda norm, x, *, scale=1.0: (scale * norm(x)).sum()
for _change in (
    nnx.grad,
    nnx.remat,
    partial(nnx.scan, in_axes=(None, 0), out_axes=0),
    partial(nnx.vmap, in_axes=(None, 0)),
):
    assert _raises(
        "TypeError", "resolved to positions", _change(_named), norm, rows
    )
assert nnx.jit(_named)(norm, rows).shape == ()


# %% after: nnx-keyword-only
_norm = nnx.BatchNorm(4, rngs=nnx.Rngs(0))
assert _raises("TypeError", "resolved to positions", nnx.vmap(_norm), rows)
_learns = nnx.vmap(lambda norm, x: norm(x), in_axes=(None, 0))
assert _raises("ValueError", "None", _learns, _norm, jnp.ones((3, 2, 4)))


# %% after: sow-under-scan 1
_carry = nn.scan(
    Block,
    length=3,
    variable_axes={"params": 0},
    variable_carry="intermediates",
    split_rngs={"params": True},
)()
_params = {"params": _carry.init(jax.random.key(0), x, None)["params"]}
assert _raises(
    "TypeError",
    "carry input and carry output must have the same pytree structure",
    lambda: _carry.apply(_params, x, None, mutable=["intermediates"]),
)


# %% after: sow-under-scan
_call = Recorder.__call__
assert _raises(
    "ValueError",
    "got axis spec None but output was batched",
    nnx.vmap(_call, in_axes=(None, 0)),
    Recorder(),
    x,
)


class _Weighs(Recorder):
    def __init__(self):
        self.w = nnx.Param(jnp.float32(1))


_kept = {}
for _name, _run in {
    "nnx.jit": nnx.jit(_call),
    "nnx.grad": nnx.grad(lambda m, x: m(x).sum() * m.w[...]),
    "jax.jit": jax.jit(_call),
}.items():
    _module = _Weighs()
    _run(_module, x)
    _kept[_name] = hasattr(_module, "h")
assert _kept == {"nnx.jit": True, "nnx.grad": True, "jax.jit": False}
assert _raises(
    "TraceContextError",
    "different trace level",
    lambda m: lax.scan(lambda c, row: (c, m(row)), 0, x),
    Recorder(),
)


# %% after: nnx-optimizer 1
assert _raised(
    "TypeError",
    "Missing required argument `wrt`. As of Flax 0.11.0 the `wrt` argument "
    "is required",
)


# %% after: nnx-optimizer 2
assert optimizer.step[...] == 1
_before = jnp.copy(model.kernel[...])
nnx.Optimizer(model, optax.adam(0.1), wrt=nnx.Param).update(
    jax.tree.map(jnp.copy, grads), model
)
assert jnp.array_equal(model.kernel[...], _before)
_both = nnx.ModelAndOptimizer(model, optax.adam(0.1))
_both.update(grads)
assert _both.step[...] == 1


# %% after: nnx-optimizer
assert _raised(
    "TypeError",
    "Missing required argument `grads`. As of Flax 0.11.0 update requires "
    "both (model, grads) arguments",
)


# %% after: nnx-split-and-merge
assert _raised(
    "ValueError", "Incorrect number of leaves, expected 4 leaves, but got 2"
)
_graphdef, _params, _rest = nnx.split(
    nnx.Linear(2, 1, rngs=nnx.Rngs(0)), nnx.Param, ...
)
assert not jax.tree.leaves(_rest)  # no error without an empty part
assert nnx.merge(_graphdef, _params).kernel.shape == (2, 1)


# %% after: nnx-list
assert len(jax.tree.leaves(nnx.state(model))) == 2
import flax as _flax

_new_flax = tuple(map(int, _flax.__version__.split(".")[:2])) >= (0, 12)
assert hasattr(nnx, "List") == _new_flax
if _new_flax:
    for _plain in ([jnp.ones(2)], (jnp.ones(2),), {"w": jnp.ones(2)}):
        assert _raises(
            "ValueError",
            "assigned to static attribute",
            setattr,
            nnx.Module(),
            "plain",
            _plain,
        )
    assert setattr(nnx.Module(), "plain", [1, 2]) is None
    assert _raises(  # a module without arrays
        "ValueError",
        "assigned to static attribute",
        setattr,
        nnx.Module(),
        "plain",
        [nnx.Dropout(0.5)],
    )
else:
    assert setattr(nnx.Module(), "plain", [jnp.ones(2)]) is None
if _new_flax:

    class _ListMLP(nnx.Module):
        def __init__(self, rngs):
            self.layers = nnx.List([nnx.Linear(2, 2, rngs=rngs)])

    assert len(jax.tree.leaves(nnx.state(_ListMLP(nnx.Rngs(0))))) == 2


class _Appended(nnx.Module):
    def __init__(self, layers):
        self.layers = layers
        self.layers.append(nnx.Linear(2, 2, rngs=nnx.Rngs(0)))


assert len(jax.tree.leaves(nnx.state(_Appended(nnx.data([]))))) == 2
if _new_flax:
    assert _raises(
        "ValueError",
        "Found unexpected data on value of type",
        _Appended,
        [],
    )
else:
    assert len(jax.tree.leaves(nnx.state(_Appended([])))) == 2


# %% after: ref-returned 1
_text = _raised(
    "ValueError",
    "returned a mutable array reference of type Ref{int32[]}",
    "but mutable array references cannot be returned",
)
_old_jax = jax.__version_info__ < (0, 8)
assert ("at output tree path result" in _text) == _old_jax
assert _raises(
    "ValueError",
    "at output tree path result",
    lax.scan,
    lambda r, x: (r, x),
    jax.new_ref(jnp.int32(0)),
    jnp.ones(3),
)
assert _raises(
    "ValueError",
    "but mutable array references cannot be returned",
    jax.jit(lambda: jax.new_ref(jnp.int32(0))),
)


# %% after: ref-returned
assert n[...] == 1
_total = jax.new_ref(jnp.float32(0))


def _add(carry, x):
    _total[...] += x
    return carry, None


lax.scan(_add, None, jnp.ones(3))
assert _total[...] == 3
assert _raises(
    "ValueError",
    "but mutable array references cannot be returned",
    lax.cond,
    True,
    lambda: n,
    lambda: n,
)
assert _raises(
    "ValueError",
    "but mutable array references cannot be returned",
    lax.scan,
    lambda r, x: (r, x),
    n,
    jnp.ones(3),
)


# %% after: ref-aliased 1
assert _raised(
    "ValueError",
    "only one reference to a mutable array may be passed as an argument to "
    "a function",
    "appeared at both total and x",
)


# %% after: ref-aliased 2
assert n[...] == 10 and m[...] == 5
assert jax.jit(lambda: n[...] + n[...])() == 20


# %% after: ref-aliased
assert _raised(
    "ValueError",
    "a mutable array reference of type Ref{int32[]} was both closed over "
    "and passed as the argument m",
)


# %% after: ref-under-grad 1
assert _raised(
    "Exception",
    "performing a set/swap operation with a differentiated value on a "
    "non-differentiated array reference",
)


# %% after: ref-under-grad
def _loss_fn(w, ref):
    ref[...] = jnp.maximum(ref[...], w)
    return w**2


assert _raises(
    "Exception",
    "performing a set/swap operation with a differentiated value on a "
    "non-differentiated array reference",
    jax.grad(_loss_fn),
    3.0,
    jax.new_ref(jnp.float32(0)),
)


def _write(x):
    peak[...] += x
    return x


assert _raises(
    "Exception",
    "performing a set/swap operation with vmapped value on an unbatched "
    "array reference",
    jax.vmap(_write),
    jnp.ones(3),
)


# %% after: linen-jax-transform 1
kernel = variables["params"]["Dense_0"]["kernel"]
assert isinstance(kernel, jax.core.Tracer), "no error since Flax 0.11"
_raises(
    "UnexpectedTracerError", "unexpected tracer", Repeat().apply, variables, x
)


class _BN(nn.Module):
    @nn.compact
    def __call__(self, x):
        norm = nn.BatchNorm(use_running_average=False)
        norm(x[0])
        return lax.scan(lambda c, h: (c, norm(h)), 0, x)[1]


_v = _BN().init(key, jnp.ones((3, 4, 2)))
_u = _BN().apply(_v, jnp.ones((3, 4, 2)), mutable=["batch_stats"])[1]
assert isinstance(jax.tree.leaves(_u)[0], jax.core.Tracer)


class _Wrap(nn.Module):
    f: object

    @nn.compact
    def __call__(self, x):
        return self.f(nn.Dense(2))(x)


for _f in (
    jax.jit,
    jax.checkpoint,
    lambda d: lambda x: lax.cond(True, d, lambda x: x, x),
):
    _raises(
        "TypeError",
        "Can't call __hash__ on modules that hold variables",
        _Wrap(_f).init,
        key,
        x,
    )
_v = _Wrap(jax.vmap).init(key, jnp.ones((3, 2)))
assert not isinstance(_v["params"]["Dense_0"]["kernel"], jax.core.Tracer)
assert jnp.allclose(
    _Wrap(jax.vmap).apply(_v, jnp.ones((3, 2))),
    nn.Dense(2).apply({"params": _v["params"]["Dense_0"]}, jnp.ones((3, 2))),
)


# %% after: nn-scan-batchnorm 1
_raised(
    "TypeError",
    "scan body function carry input and carry output must have the same pytree structure",
    "batch_stats",
)


# %% after: nn-scan-batchnorm
_raises(
    "ModifyScopeVariableError", "batch_stats", Shared().apply, variables, x
)
_own = nn.scan(
    Block,
    variable_axes={"params": 0, "batch_stats": 0},
    split_rngs={"params": True},
    length=3,
)()
_v = _own.init(key, x, None)
assert _v["batch_stats"]["BatchNorm_0"]["mean"].shape == (3, 2)


# %% after: trace-context-causes 1
_raised(
    "TraceContextError", "Cannot mutate Param from a different trace level"
)
assert not hasattr(scene, "w")


# %% after: trace-context-causes 2
key = jax.random.key(0)
assert jnp.allclose(
    jax.vmap(Scene.render, in_axes=(None, 0))(Scene(), xs), 2 * xs
)
_raises(
    "TraceContextError", "Cannot mutate Param", jax.grad(Scene().render), 1.0
)
_raises(
    "TraceContextError",
    "Cannot mutate Param",
    lambda s: lax.scan(lambda c, x: (c, s.render(x)), 0, xs),
    Scene(),
)


class _Stack(nnx.Module):
    def __init__(self):
        self.blocks = nnx.vmap(
            lambda rngs: nnx.Linear(2, 2, rngs=rngs), in_axes=0
        )(nnx.Rngs(params=jax.random.split(key, 3)))

    def __call__(self, x):
        return nnx.scan(
            lambda x, m: m(x), in_axes=(nnx.Carry, 0), out_axes=nnx.Carry
        )(x, self.blocks)


_words = "Cannot extract graph node from different trace level"
_raises("ValueError", _words, lambda m: lax.map(m, jnp.ones((4, 2))), _Stack())
_raises(
    "ValueError",
    _words,
    lambda m: jax.grad(lambda x: m(x).sum())(jnp.ones(2)),
    _Stack(),
)
_raises(
    "ValueError", _words, lambda m: jax.eval_shape(m, jnp.ones(2)), _Stack()
)
assert nnx.grad(lambda m, x: m(x).sum(), argnums=1)(
    _Stack(), jnp.ones(2)
).shape == (2,)
assert nnx.vmap(_Stack.__call__, in_axes=(None, 0))(
    _Stack(), jnp.ones((4, 2))
).shape == (4, 2)
assert nnx.eval_shape(lambda m: m(jnp.ones(2)), _Stack()).shape == (2,)


# %% after: trace-context-causes
_g, _p, _r = nnx.split(model, nnx.Param, ...)
_raises(
    "TraceContextError",
    "Cannot mutate Rng",
    jax.grad(lambda p, r: nnx.merge(_g, p, r)(jnp.ones((1, 2))).sum()),
    _p,
    _r,
)


# %% after: nnx-mask 1
_raised("ValueError", "Param")


# %% after: nnx-none-attribute
assert len(jax.tree.leaves(nnx.state(model))) == 2


class _Wrapped(nnx.Module):
    def __init__(self, rngs):
        self.decoder = None
        self.decoder = nnx.data(nnx.Linear(2, 2, rngs=rngs))


assert len(jax.tree.leaves(nnx.state(_Wrapped(nnx.Rngs(0))))) == 2


# %% after: ref-custom-jvp 1
_raised(
    "NotImplementedError",
    "No state discharge rule implemented for primitive: custom_jvp_call",
)
assert identity(1.0) == 1.0  # without jit
calls[...] = jnp.int32(0)


# %% after: ref-custom-jvp
assert calls[...] == 1
_before = int(calls[...])
jax.jit(jax.grad(identity))(1.0)
assert calls[...] == _before


# %% after: nnx-mask
class _Two(nnx.Module):
    def __init__(self, rngs):
        self.a = nnx.Linear(2, 2, rngs=rngs)
        self.b = nnx.Linear(2, 1, rngs=rngs)


def _updated(labels):
    model = _Two(nnx.Rngs(0))
    both = {"a": optax.sgd(0.1), "b": optax.adam(0.1)}
    tx = optax.partition(both, labels)
    optimizer = nnx.Optimizer(model, tx, wrt=nnx.Param)
    grads = nnx.grad(lambda m: m.b(m.a(jnp.ones((1, 2)))).sum())(model)
    optimizer.update(model, grads)
    return optimizer.step[...]


assert _raises("ValueError", "", _updated, {"a": "a", "b": "b"})
assert _updated(lambda tree: nnx.State({"a": "a", "b": "b"})) == 1
_seen = []


def _of_path(tree):
    paths = [path for path, _ in jax.tree.leaves_with_path(tree)]
    _seen.append(jax.tree_util.keystr(paths[0]).endswith(".value"))
    return jax.tree.map_with_path(lambda path, _: path[0].key, tree)


import flax as _flax

if _flax.__version__.startswith("0.11"):
    assert _raises("TypeError", "tuple indices", _updated, _of_path)
else:
    assert _updated(_of_path) == 1 and _seen == [True, False]


# %% after: decode-cache 1
_raised(
    "ValueError",
    "Autoregressive cache shape error, expected query shape (1, 1, 2, 4) "
    "instead got (1, 4, 2, 4)",
)
_empty = variables["cache"]


# %% after: decode-cache
_params, _token = variables["params"], x[:, :1]
_whole = nn.MultiHeadDotProductAttention(num_heads=2)
_mask = nn.make_causal_mask(x[..., 0])
_last = _whole.apply({"params": _params}, x, mask=_mask)[:, -1:]
assert jnp.allclose(y, _last, atol=1e-3)
assert _empty["cached_key"].shape == (1, 4, 2, 4)
assert _raises(
    "ModifyScopeVariableError",
    'collection "cache" is immutable',
    attention.apply,
    variables,
    _token,
)
# without a cache: the last token sees itself alone, as if it were the only one
_alone, _ = attention.apply({"params": _params}, x[:, 3:], mutable=["cache"])
assert jnp.allclose(
    _alone, _whole.apply({"params": _params}, x[:, 3:]), atol=1e-3
)
assert not jnp.allclose(_alone, _last, atol=1e-3)
# a fifth token: the last of four slots is overwritten
_, _past = attention.apply(variables, _token, mutable=["cache"])
_changed = _past["cache"]["cached_key"] != variables["cache"]["cached_key"]
assert [bool(_changed[0, _i].any()) for _i in range(4)] == [False] * 3 + [True]
_own = nnx.MultiHeadAttention(
    num_heads=2, in_features=8, decode=True, rngs=nnx.Rngs(0)
)
assert _raises(
    "ValueError", "Autoregressive cache not initialized", _own, _token
)
_own.init_cache(x.shape)
assert _own(_token).shape == (1, 1, 8) and _own.cache_index[...] == 1
assert _raises("ValueError", "Autoregressive cache shape error", _own, x)


# %% after: nnx-mask
import flax as _flax

_ones = lambda: nnx.Linear(2, 1, kernel_init=nnx.initializers.ones, rngs=_rngs)
_rngs = nnx.Rngs(0)
_fit = lambda m: (m(jnp.ones((1, 2))) ** 2).sum()
for _tx in (
    optax.contrib.muon(0.1),
    optax.masked(optax.adam(0.1), kernels),
):
    if _flax.__version__.startswith("0.11."):
        assert _raises(
            TypeError,
            "tuple indices must be integers or slices, not ellipsis",
            nnx.Optimizer,
            _ones(),
            _tx,
            wrt=nnx.Param,
        )
    else:
        _model = _ones()
        _optimizer = nnx.Optimizer(_model, _tx, wrt=nnx.Param)
        _optimizer.update(_model, nnx.grad(_fit)(_model))
        assert (_model.kernel[...] != 1).all()
    _model = _ones()
    _params = nnx.to_pure_dict(nnx.state(_model, nnx.Param))
    _opt_state = _tx.init(_params)
    _grads = nnx.grad(_fit)(_model)
    assert _raises("ValueError", "", _tx.update, _grads, _opt_state, _params)
    _grads = nnx.to_pure_dict(_grads)
    _updates, _opt_state = _tx.update(_grads, _opt_state, _params)
    nnx.update(_model, optax.apply_updates(_params, _updates))
    assert (_model.kernel[...] != 1).all()


# %% after: from-haiku
class _Counts(nn.Module):
    @nn.compact
    def __call__(self):
        n = self.variable("counts", "n", lambda: jnp.int32(0))
        n.value += 1
        return n.value


_v = _Counts().init(jax.random.key(0))
assert _v["counts"]["n"] == 1
_v = _v | {"counts": {"n": jnp.int32(10)}}
_n, _v = _Counts().apply(_v, mutable=["counts"])
assert _n == 11 and _v["counts"]["n"] == 11
_words = "Can't access variables on unbound modules"
_of = _Counts().get_variable
assert _raises("ValueError", _words, _of, "counts", "n")


# %% after: nnx-optimizer
_model = nnx.BatchNorm(2, rngs=nnx.Rngs(0))
_optimizer = nnx.Optimizer(_model, optax.adam(0.1), wrt=nnx.Param)
_graphdef, _state = nnx.split((_model, _optimizer))


@jax.jit
def _step(state, x):
    model, optimizer = nnx.merge(_graphdef, state)
    grads = nnx.grad(lambda m: ((m(x) - 1) ** 2).mean())(model)
    optimizer.update(model, grads)
    return nnx.state((model, optimizer))


for _ in range(3):
    _state = _step(_state, jnp.ones((4, 2)))
_model, _optimizer = nnx.merge(_graphdef, _state)
assert _optimizer.step[...] == 3
assert jnp.allclose(_model.mean[...], 1 - 0.99**3)
assert jnp.allclose(_model.bias[...], 0.3, atol=0.01)
_graphdef, _params, _stats = nnx.split(_model, nnx.Param, ...)
_nnx_state = nnx.TrainState.create(
    _graphdef, params=_params, tx=optax.adam(0.1)
)
assert set(vars(_nnx_state)) == {
    "graphdef",
    "params",
    "opt_state",
    "step",
    "tx",
}
from flax.training.train_state import TrainState as _TrainState

_linen_state = _TrainState.create(
    apply_fn=None, params=_params, tx=optax.adam(0.1)
)
for _each in (_nnx_state, _linen_state):
    _each = _each.apply_gradients(grads=jax.tree.map(jnp.ones_like, _params))
    assert _each.step == 1
    assert _raises("ValueError", "", nnx.merge, _graphdef, _each.params)
    _merged = nnx.merge(_graphdef, _each.params, _stats)
    assert jnp.allclose(_merged.bias[...], _model.bias[...] - 0.1)


# %% after: decode-cache
import flax as _flax


def _one_by_one(**options):
    attention = nnx.MultiHeadAttention(
        num_heads=2, in_features=8, decode=False, rngs=nnx.Rngs(0)
    )
    whole = attention(x, mask=nnx.make_causal_mask(x[..., 0]))
    attention.init_cache(x.shape)
    step = lambda token: attention(token, decode=True, **options)
    tokens = jnp.concatenate([step(x[:, i : i + 1]) for i in range(4)], 1)
    return whole, tokens


assert jnp.allclose(*_one_by_one(), atol=1e-3)
_flax_now = tuple(map(int, _flax.__version__.split(".")[:3]))
if _flax_now < (0, 12):
    assert _raises("TypeError", "is_causal", _one_by_one, is_causal=True)
else:
    _whole, _tokens = _one_by_one(is_causal=True)
    _same = jnp.allclose(_tokens, _tokens[:, :1], atol=1e-3)
    assert _same == (_flax_now <= (0, 12, 8))
    assert jnp.allclose(_whole, _tokens, atol=1e-3) == (not _same)


# %% after: linen-jax-transform
def _solver(f, x):  # as in another library
    step = jax.jit(lambda h, _: (h + f(h), None))
    return lax.scan(step, x, length=3)[0]


class _Solved(nn.Module):
    outside: bool

    @nn.compact
    def __call__(self, x):
        dense = nn.Dense(2)
        if not self.outside:
            return _solver(dense, x)
        dense(x)
        module, variables = dense.unbind()
        return _solver(lambda h: module.apply(variables, h), x)


_v = _Solved(False).init(key, x)
assert isinstance(jax.tree.leaves(_v)[0], jax.core.Tracer)
_v = _Solved(True).init(key, x)
_by_hand = lambda v: _solver(
    lambda h: nn.Dense(2).apply({"params": v["params"]["Dense_0"]}, h), x
)
for _of in (lambda f: f(_v), lambda f: jax.grad(lambda v: f(v).sum())(_v)):
    _a, _b = _of(lambda v: _Solved(True).apply(v, x)), _of(_by_hand)
    assert jax.tree.all(jax.tree.map(jnp.allclose, _a, _b))
assert any(leaf.any() for leaf in jax.tree.leaves(_a))


# with a gradient rule that takes no closures: the variables as an argument
def _ruled(passed):
    rule = jax.custom_vjp(lambda f, *args: f(*args), nondiff_argnums=(0,))
    rule.defvjp(
        lambda f, *args: (f(*args), args),
        lambda f, args, g: jax.vjp(f, *args)[1](g),
    )

    class Ruled(nn.Module):
        @nn.compact
        def __call__(self, x):
            dense = nn.Dense(2)
            dense(x)
            module, variables = dense.unbind()
            if passed:
                return rule(module.apply, variables, x)
            return rule(lambda h: module.apply(variables, h), x)

    _v = Ruled().init(key, x)
    return jax.grad(lambda v: Ruled().apply(v, x).sum())(_v)


_raises("UnexpectedTracerError", "", _ruled, False)
assert any(leaf.any() for leaf in jax.tree.leaves(_ruled(True)))


# %% after: linen-shared
class _Dense(nn.Module):
    layers: int

    @nn.compact
    def __call__(self, x):
        layers = [nn.Dense(1) for _ in range(self.layers)]
        return layers[0](x) + layers[-1](2 * x)


for _layers in (1, 2):
    _own = _Dense(_layers).init(jax.random.key(0), jnp.ones((1, 2)))
    assert len(_own["params"]) == _layers


class _Argument(nn.Module):
    def setup(self, w):
        self.w = w


assert _raises(
    "TypeError",
    "__init__() got an unexpected keyword argument",
    lambda: _Argument(w=1.0),
)


# %% after: scope-collection-not-found
class _Mapped(nn.Module):
    how: str

    @nn.compact
    def __call__(self, x):
        init = {
            "always": True,
            "never": False,
            "mutable": self.is_mutable_collection("params"),
        }[self.how]
        sign = partial(jax.tree.map, jnp.sign)
        x = nn.map_variables(nn.Dense, "params", sign, init=init)(3)(x)
        return nn.BatchNorm(use_running_average=not self.is_mutable())(x)

    def is_mutable(self):
        return self.is_mutable_collection("batch_stats")


_not_found = partial(_raises, "ScopeCollectionNotFound")
_in_map = (
    'Tried to access "kernel" from collection "params" in "/map_variables'
)
_x, _key = jnp.ones((4, 2)), jax.random.key(0)
_always, _given = _Mapped("always"), _Mapped("mutable")
_v = _given.init(_key, _x)
assert jax.tree.structure(_always.init(_key, _x)) == jax.tree.structure(_v)
for _columns in (["batch_stats"], ["intermediates"]):
    assert _not_found(_in_map, _always.apply, _v, _x, mutable=_columns)
    assert _given.apply(_v, _x, mutable=_columns)[0].shape == (4, 3)
for _how in ("always", "mutable"):  # no mutable, or params among it
    assert _Mapped(_how).apply(_v, _x).shape == (4, 3)
    assert _Mapped(_how).apply(_v, _x, mutable=True)[0].shape == (4, 3)
assert _not_found(_in_map, _Mapped("never").init, _key, _x)
assert _not_found(
    'Tried to access "kernel" from collection "params" in "/"',
    nn.Dense(3).init,
    _key,
    _x,
    mutable=["batch_stats"],
)


# %% after: older-flax-weights
import tempfile as _tempfile
from pathlib import Path as _Path

from orbax.checkpoint import v1 as _ocp

_params, _ema = {"w": jnp.ones(2)}, optax.ema(0.9)
_none = {"params": _params, "ema": None}
for _made, _error in (
    (_ema.init(_params), "'NoneType' object has no attribute 'keys'"),
    (core.freeze(_params), "'NoneType' object has no attribute 'keys'"),
    (dict(_params), "'NoneType' object has no attribute 'keys'"),
    ((jnp.ones(2),), "object of type 'NoneType' has no len()"),
    ([jnp.ones(2)], "object of type 'NoneType' has no len()"),
):
    _full = {"params": _params, "ema": _made}
    _file = serialization.to_bytes(_full)
    assert type(serialization.from_bytes(_none, _file)["ema"]) is dict
    assert type(serialization.from_bytes(_full, _file)["ema"]) is type(_made)
    _before = serialization.to_bytes(_none)
    _kind = "TypeError" if "len" in _error else "AttributeError"
    assert _raises(_kind, _error, serialization.from_bytes, _full, _before)
    assert serialization.from_bytes(_none, _before)["ema"] is None
    if type(_made) is dict:
        with _tempfile.TemporaryDirectory() as _name:
            for _saved, _template in ((_full, _none), (_none, _full)):
                _path = _Path(_name).resolve() / str(_saved is _none)
                _ocp.save(_path, _saved)
                assert _raises(
                    "ValueError",
                    "tree structures do not match",
                    _ocp.load,
                    _path,
                    _template,
                )
_array = {"params": _params, "ema": jnp.ones(2)}
assert serialization.from_bytes(_array, _before)["ema"] is None


# %% after: nnx-split-and-merge
_order = "'<' not supported between instances of 'Param'"
_truth = "The truth value of an array with more than one element is ambiguous"
for _shape, _kind, _error in (
    ((1, 1), "TypeError", _order),
    ((2, 3), "TypeError", _order)
    if _old_flax
    else ((2, 3), "ValueError", _truth),
):
    _linear = nnx.Linear(*_shape, rngs=nnx.Rngs(0))
    _graphdef, _state = nnx.split(_linear)
    assert _raises(
        "ValueError",
        "Incorrect number of leaves, expected 2 leaves, but got 4",
        nnx.merge,
        _graphdef,
        _state,
        nnx.state(_linear),
    )
    _other = jax.tree.map(lambda a: a + 1, nnx.state(_linear, nnx.Param))
    assert _raises(_kind, _error, nnx.merge, _graphdef, _state, _other)
    for _first, _second, _bias in ((_state, _other, 1), (_other, _state, 0)):
        _merged = nnx.merge_state(_first, _second)
        assert (nnx.merge(_graphdef, _merged).bias[...] == _bias).all()
    _part = nnx.State({"bias": _other["bias"]})  # some of the values
    assert _raises(_kind, _error, nnx.merge, _graphdef, _state, _part)
    _merged = nnx.merge(_graphdef, nnx.merge_state(_state, _part))
    assert (_merged.bias[...] == 1).all()
    assert (_merged.kernel[...] == _linear.kernel[...]).all()
    nnx.update(_linear, _part)
    assert (_linear.bias[...] == 1).all()
