"""What this chapter says, in asserts for the tests alone."""

# %% after: title 5
assert jax.tree.map(jnp.shape, start.batch_stats) == {
    "BatchNorm_0": {"mean": (32,), "var": (32,)}
}
assert (start.batch_stats["BatchNorm_0"]["mean"] == 0).all()
assert (start.batch_stats["BatchNorm_0"]["var"] == 1).all()
# without BatchNorm the same kind of model learns
_plain = nn.Sequential([nn.Dense(32), nn.relu, nn.Dense(1)])
_p = _plain.init(init_key, x[0])
_slope = jax.jit(jax.grad(lambda p: mse(_plain.apply(p, x), y)))
for _ in range(200):
    _p = jax.tree.map(lambda leaf, g: leaf - 0.05 * g, _p, _slope(_p))
assert mse(_plain.apply(_p, x), y) < 0.2


# %% after: title
_state, _losses = train(forward)
assert abs(_losses[0] - 0.467) < 1e-3 and abs(_losses[-1] - 0.466) < 1e-3
assert jnp.allclose(_losses[-1], y.var(), rtol=1e-3)
# the same constant for every input, the mean of the targets
_given = {"params": _state.params, "batch_stats": _state.batch_stats}
_predicted, _ = forward(_given, x)
assert (_predicted == _predicted[0]).all()
assert jnp.allclose(_predicted[0], y.mean(), atol=1e-3)
# the first kernel never changes, nor does the scale
assert (
    _state.params["Dense_0"]["kernel"] == params["Dense_0"]["kernel"]
).all()
assert (_state.params["BatchNorm_0"]["scale"] == 1).all()
# of the five parameter arrays, the output's bias alone moved
_moved = [
    jax.tree_util.keystr(path)
    for (path, leaf), new in zip(
        jax.tree.leaves_with_path(params), jax.tree.leaves(_state.params)
    )
    if (leaf != new).any()
]
assert _moved == ["['Dense_1']['bias']"] and len(jax.tree.leaves(params)) == 5
# because relu returns 0 at 0 and has gradient 0 there, which leaves the last
# layer's kernel without a gradient, too
_slopes = jax.grad(
    lambda p: mse(forward({**variables, "params": p}, x)[0], y)
)(params)
assert (_slopes["Dense_1"]["kernel"] == 0).all()
assert (_slopes["Dense_1"]["bias"] != 0).all()
for _before_relu in ("Dense_0", "BatchNorm_0"):
    assert not any(s.any() for s in jax.tree.leaves(_slopes[_before_relu]))
assert (_state.params["BatchNorm_0"]["bias"] == 0).all()
assert nn.relu(0.0) == jax.grad(nn.relu)(0.0) == 0
# the running mean is right, and the running variance has shrunk to nothing
_hidden = x @ _state.params["Dense_0"]["kernel"]
_stats = _state.batch_stats["BatchNorm_0"]
assert jnp.allclose(_stats["mean"], _hidden.mean(0), atol=1e-3)
assert (_stats["var"] < 1e-6).all() and _hidden.var(0).max() > 5
# so eval mode divides by the square root of epsilon alone
assert 9e4 < eval_loss(_state) < 1e5
_wide = {"BatchNorm_0": {**_stats, "var": _hidden.var(0)}}
assert eval_loss(_state._replace(batch_stats=_wide)) < 2
# the learning rate makes no difference: each one ends at the variance, and
# moves the output's bias alone
for _rate in (0.01, 0.05, 0.5):
    _at_rate, _losses = train(forward, rate=_rate)
    assert jnp.allclose(_losses[-1], y.var(), rtol=1e-3)
    assert not any(
        (old != new).any()
        for name in ("Dense_0", "BatchNorm_0")
        for old, new in zip(
            jax.tree.leaves(params[name]),
            jax.tree.leaves(_at_rate.params[name]),
            strict=True,
        )
    )
# the first loss is that of a model which predicts 0
assert abs((y**2).mean() - _losses[0]) < 1e-4


# a model with a skip connection around BatchNorm learns without a name
class _Skip(nn.Module):
    @nn.compact
    def __call__(self, x):
        x = nn.Dense(32)(x)
        return nn.Dense(1)(nn.relu(x + nn.BatchNorm(False)(x)))


def _skip_loss(p):
    given = {**_of_skip, "params": p}
    one = lambda x: _Skip().apply(given, x, mutable=["batch_stats"])[0]
    return mse(jax.vmap(one)(x), y)


_of_skip = _Skip().init(init_key, x[0])
_p, _slope = _of_skip["params"], jax.jit(jax.grad(_skip_loss))
for _ in range(200):
    _p = jax.tree.map(lambda leaf, g: leaf - 0.05 * g, _p, _slope(_p))
assert _skip_loss(_p) < 0.1 < 0.4 < y.var()


# %% after: axis-name
_state, _losses = train(named_forward)
assert _losses[0] > 0.7 and abs(_losses[-1] - 0.073) < 1e-3
# all five parameter arrays move
assert all(
    (old != new).any()
    for old, new in zip(
        jax.tree.leaves(params), jax.tree.leaves(_state.params), strict=True
    )
)
assert abs(eval_loss(_state) - 0.0722) < 1e-3
assert (
    round(float(_losses[-1]), 2) == round(float(eval_loss(_state)), 2) == 0.07
)
assert abs(mse(named_forward({"params": _state.params, "batch_stats": _state.batch_stats}, x)[0], y) - 0.072) < 2e-3  # fmt: skip
# the statistics are one set, of the shape they had
assert jax.tree.map(jnp.shape, _state.batch_stats) == jax.tree.map(
    jnp.shape, start.batch_stats
)
# a model of layers that accept a batch axis needs neither vmap nor a name
_whole, _new = MLP().apply(variables, x, train=True, mutable=["batch_stats"])
_named, _stats = named_forward(variables, x)
assert jnp.allclose(_whole, _named, atol=1e-4)
assert jax.tree.all(
    jax.tree.map(
        lambda a, b: jnp.allclose(a, b, atol=1e-4), _new["batch_stats"], _stats
    )
)
# init skips the name: it works outside vmap, in both modes
for _train in (False, True):
    _made = NamedMLP().init(init_key, x[0], train=_train)
    assert jax.tree.all(
        jax.tree.map(lambda a, b: (a == b).all(), _made, variables)
    )
# eval mode never gets to the name
NamedMLP().apply(variables, x[0], train=False)
# outside vmap, apply in train mode with a name raises
assert _raises(
    NameError,
    "batch",
    NamedMLP().apply,
    variables,
    x[0],
    train=True,
    mutable=["batch_stats"],
)
# eval mode gives the same with vmap, without, and with `mutable`
_given = {"params": _state.params, "batch_stats": _state.batch_stats}
_direct = MLP().apply(_given, x, train=False)
assert jnp.allclose(_direct, named_forward(_given, x, False)[0], atol=1e-4)
assert abs(mse(_direct, y) - eval_loss(_state)) < 1e-4


# %% after: one-example 2
assert (output == 0).all()
assert stats["mean"].shape == (128, 5)
assert round(float(jnp.abs(batch).max()), 2) == 5.68
# each row is 0.9 * 0 + 0.1 * that example, or 0.9 * 1 + 0.1 * 0
assert jnp.allclose(stats["mean"], 0.9 * 0 + 0.1 * batch, atol=1e-5)
assert jnp.allclose(stats["var"], 0.9, atol=1e-5)
# passed to the next step, the statistics grow another axis
_fed_back = {**five_features, "batch_stats": stats}
_again, _grown = jax.vmap(lambda x: normalize(_fed_back, x))(batch)
assert _grown["mean"].shape == (128, 128, 5) and (_again == 0).all()
# the same under jit, in other dtypes, and for one example without vmap
_alone = jax.vmap(lambda x: normalize(five_features, x))
assert (jax.jit(_alone)(batch)[0] == 0).all()
for _dtype in ("float16", "bfloat16", "int32"):
    assert (_alone(batch.astype(_dtype))[0] == 0).all()
assert (normalize(five_features, batch[0])[0] == 0).all()
# a batch of one has the same output, without vmap and with a name
assert (normalize(five_features, batch[:1])[0] == 0).all()
assert (
    jax.vmap(lambda x: normalize(five_features, x, "b")[0], axis_name="b")(
        batch[:1]
    )
    == 0
).all()
# with a learned bias the output is that bias for every input
_learned = {"scale": jnp.full(5, 2.0), "bias": jnp.full(5, 7.0)}
_given = {**five_features, "params": _learned}
assert (jax.vmap(lambda x: normalize(_given, x))(batch)[0] == 7).all()
# the figure's batch
_four = jnp.array([[1.0, 6.0], [3.0, 6.0], [5.0, 8.0], [7.0, 12.0]])
_two = nn.BatchNorm(True).init(jax.random.key(0), _four[0])
_output, _stats = jax.vmap(
    lambda x: normalize(_two, x, "batch", momentum=0.0), axis_name="batch"
)(_four)
assert _stats["mean"][0].tolist() == [4.0, 8.0]
assert (jax.vmap(lambda x: normalize(_two, x))(_four)[0] == 0).all()
# with the initial running statistics the output would be the input
_as_is = nn.BatchNorm(True).apply(five_features, batch)
assert jnp.allclose(_as_is, batch, atol=1e-3)
# eval mode works without a name, since it doesn't look at the batch
_one_eval = lambda x: nn.BatchNorm(True).apply(five_features, x)
assert jnp.allclose(jax.vmap(_one_eval)(batch), _as_is, atol=1e-6)
# with a name, the result is that of the whole batch without vmap
_output, _stats = jax.vmap(
    lambda x: normalize(five_features, x, "batch"),
    out_axes=(0, None),
    axis_name="batch",
)(batch)
_whole, _whole_stats = normalize(five_features, batch)
assert jnp.allclose(_output, _whole, atol=1e-4)
for _name in ("mean", "var"):
    assert jnp.allclose(_stats[_name], _whole_stats[_name], atol=1e-4)
# the last axis is that of the features: with `axis` it's another one
_turned = nn.BatchNorm(False, axis=0).init_with_output(
    jax.random.key(0), batch.T
)[0]
assert jnp.allclose(_turned.T, _whole, atol=1e-4)


# %% after: one-example
assert jnp.allclose(stats["mean"], batch.mean(0), atol=1e-2)
assert (stats["var"] < 1e-4).all()
assert round(float(batch.mean(0)[0]), 2) == 3.07
assert round(float(batch.var(0)[0]), 2) == 1.17
# the initial statistics don't stay
assert five_features["batch_stats"]["mean"][0] == 0.00
assert five_features["batch_stats"]["var"][0] == 1.00 > stats["var"][0]
# with statistics of the whole batch the variance is right
_after = five_features
for _ in range(100):
    _after = {**_after, "batch_stats": normalize(_after, batch)[1]}
assert jnp.allclose(_after["batch_stats"]["var"], batch.var(0), atol=1e-2)
# eval mode with a variance of 0 blows the input up by 1 / sqrt(epsilon)
_eval = nn.BatchNorm(True).apply(after, batch)
assert _eval.std() > 100 and nn.BatchNorm().epsilon == 1e-5
# the mean of the variances lacks the variance between the examples; for groups
# of several examples, too: 128 = 4 groups of 32
_groups = batch.reshape(4, 32, 5) + jnp.arange(4.0)[:, None, None]
_within, _between = _groups.var(1).mean(0), _groups.mean(1).var(0)
assert jnp.allclose(_groups.var((0, 1)), _within + _between, atol=1e-3)
assert (_between > 1).all()
# BatchNorm averages the squares and subtracts the square of the mean
assert nn.BatchNorm(False).use_fast_variance


# %% after: psum-and-pmean
assert (jax.vmap(centered, axis_name="batch")(numbers) == numbers - 1.5).all()
assert total(numbers) == 6 and total(numbers).shape == ()
# without a name in vmap
assert _raises(NameError, "batch", jax.vmap(centered), numbers)
# BatchNorm itself averages with pmean, which is a psum in the program
_traced = jax.make_jaxpr(
    lambda x: normalize(five_features, x, "batch"), axis_env=[("batch", 128)]
)(batch[0])
assert "psum" in str(_traced)
# the number of examples is a psum of ones
_count = jax.vmap(
    lambda x: jax.lax.psum(1, "batch"), axis_name="batch", out_axes=None
)
assert _count(numbers) == 4
# gradients flow through pmean
_square = lambda v: (jax.vmap(centered, axis_name="batch")(v) ** 2).sum()
assert jnp.allclose(jax.grad(_square)(numbers), 2 * (numbers - 1.5))
# two nested vmaps: the name belongs to the one that has it
_table = jnp.arange(6.0).reshape(2, 3)
_inner = jax.vmap(jax.vmap(centered, axis_name="batch"))
_outer = jax.vmap(jax.vmap(centered), axis_name="batch")
assert (_inner(_table) == _table - _table.mean(axis=1, keepdims=True)).all()
assert (_outer(_table) == _table - _table.mean(axis=0)).all()
# a batch in four parts: with both names one set of statistics, with the inner
# name one for each part, without an error unless out_axes is None
_parts = jnp.arange(0.0, 8.0, 2.0)[:, None, None]
_parts = _parts + jax.random.normal(jax.random.key(3), (4, 32, 1))
_one_feature = nn.BatchNorm(True).init(jax.random.key(1), _parts[0, 0])


def _of(name, inner_axes, outer_axes):
    """The outputs and the statistics of the parts, or the error."""
    one = lambda x: normalize(_one_feature, x, name, momentum=0.0)
    inner = jax.vmap(one, axis_name="example", out_axes=(0, inner_axes))
    both = jax.vmap(inner, axis_name="device", out_axes=(0, outer_axes))
    try:
        return both(_parts)
    except ValueError as error:
        return str(error)


for _names in (("device", "example"), ("example", "device")):
    _all, _stats = _of(_names, None, None)
    assert _stats["mean"].shape == (1,)
    assert jnp.allclose(_stats["mean"], _parts.mean(), atol=1e-4)
    assert jnp.allclose(_stats["var"], _parts.var(), atol=1e-2)
    assert _all[0].mean() < -1.2 and _all[-1].mean() > 1.2
_own, _stats = _of("example", None, 0)
assert jnp.allclose(_stats["mean"], _parts.mean(1), atol=1e-4)
assert jnp.allclose(_own.mean(1), 0, atol=1e-4)
assert "out_axes is None" in _of("example", None, None)


# %% after: missing-name
def _ends(in_module, in_vmap, out_axes):
    """What comes of the names: an error's name, or zeros, and the shape."""
    mapped = jax.vmap(
        lambda x: normalize(five_features, x, in_module),
        out_axes=out_axes,
        axis_name=in_vmap,
    )
    try:
        normalized, new = mapped(batch)
    except Exception as error:
        return type(error).__name__
    return bool((normalized == 0).all()), new["mean"].shape


for _in_vmap in (None, "batch"):
    assert _ends(None, _in_vmap, 0) == (True, (128, 5))
    assert _ends(None, _in_vmap, (0, None)) == "ValueError"
for _out_axes in (0, (0, None)):
    for _in_vmap in (None, "bach"):
        assert _ends("batch", _in_vmap, _out_axes) == "NameError"
assert _ends("batch", "batch", 0) == (False, (128, 5))
assert _ends("batch", "batch", (0, None)) == (False, (5,))
# with out_axes=0 and the name the statistics are 128 equal rows
_, _stacked = jax.vmap(
    lambda x: normalize(five_features, x, "batch"), axis_name="batch"
)(batch)
assert (_stacked["mean"] == _stacked["mean"][0]).all()
# so the shape doesn't tell whether there is a name, not even when it grows
_unnamed = jax.vmap(lambda x: normalize(five_features, x))(batch)[1]
assert _unnamed["mean"].shape == _stacked["mean"].shape == (128, 5)
assert not (_unnamed["mean"] == _unnamed["mean"][0]).all()
_fed_back = {**five_features, "batch_stats": _stacked}
_, _grown = jax.vmap(
    lambda x: normalize(_fed_back, x, "batch"), axis_name="batch"
)(batch)
assert _grown["mean"].shape == (128, 128, 5)


# a scan refuses statistics that grow, with a name and without
def _carried(name):
    def step(stats, _):
        given = {**five_features, "batch_stats": stats}
        call = lambda x: normalize(given, x, name)[::-1]
        return jax.vmap(call, axis_name=name)(batch)

    return step


for _name in (None, "batch"):
    assert _raises(
        TypeError,
        "[128,5]",
        jax.lax.scan,
        _carried(_name),
        five_features["batch_stats"],
        None,
        3,
    )
# other operations over the named axis combine the examples as well
_biggest = lambda x: jax.lax.pmax(x, "batch")
assert (
    jax.vmap(_biggest, axis_name="batch", out_axes=None)(batch) == batch.max(0)
).all()
# None is accepted for what doesn't depend on the mapped argument
assert (
    jax.vmap(lambda x: (x, jnp.float32(1)), out_axes=(0, None))(batch)[1] == 1
)
# the check is on dependence, not on values: equal rows are refused, too
assert _raises(
    ValueError,
    "got axis spec None but output was batched on axis 0",
    jax.vmap(lambda x: (x, x * 0), out_axes=(0, None)),
    batch,
)


# %% after: images
_whole_images, _ = normalize(two_channels, images)
_separate, _separate_stats = over_images(None, 0)
assert _separate_stats["mean"].shape == (8, 2)
assert jnp.abs(_separate).max() > 1
assert jnp.abs(_separate - _whole_images).max() > 1
assert jnp.allclose(_separate.mean((1, 2)), 0, atol=1e-4)
# it's what the layer of that name computes
_instance = nn.InstanceNorm(epsilon=1e-5)
_of_layer = _instance.apply(_instance.init(jax.random.key(0), images), images)
assert jnp.allclose(_of_layer, _separate, atol=1e-4)
_named, _named_stats = over_images("batch", (0, None))
assert jnp.allclose(_named, _whole_images, atol=1e-3)
assert _named_stats["mean"].shape == (2,)
assert _raises(ValueError, "got axis spec None", over_images, None, (0, None))


# %% after: issue-1247
# averaging the statistics stops the growth; the outputs stay 0
_given = three_features
for _ in range(3):
    _output, _stats = jax.vmap(lambda x: normalize(_given, x))(six)
    _mean = jax.tree.map(lambda s: s.mean(0), _stats)
    _given = {**_given, "batch_stats": _mean}
assert _mean["mean"].shape == (3,) and (_output == 0).all()
# an axis for the state in `in_axes` as well: six models, each of one example
_stats = jax.tree.map(
    lambda s: jnp.stack([s] * 6), three_features["batch_stats"]
)
_call = lambda x, s: normalize({**three_features, "batch_stats": s}, x)
for _ in range(3):
    _output, _stats = jax.vmap(_call)(six, _stats)
assert _stats["mean"].shape == (6, 3) and (_output == 0).all()


# %% after: frozen-statistics 1
_state, _losses = train(dropping)
_kept, _kept_losses = train(named_forward)
# dropping the statistics changes nothing in the losses and the parameters
assert jnp.allclose(_losses, _kept_losses, rtol=1e-3)
for _leaf, _other in zip(
    jax.tree.leaves(_state.params), jax.tree.leaves(_kept.params)
):
    assert jnp.allclose(_leaf, _other, atol=1e-3)
assert 4.05 < eval_loss(_state) < 4.09
# a constant would be better
assert eval_loss(_state) > y.var()
assert (_state.batch_stats["BatchNorm_0"]["mean"] == 0).all()
assert (_state.batch_stats["BatchNorm_0"]["var"] == 1).all()
# it's the variance: with the batch variance and the mean still 0 it's fine
_hidden = x @ _state.params["Dense_0"]["kernel"]
for _mean, _var, _bad in (
    (jnp.zeros(32), _hidden.var(0), False),
    (_hidden.mean(0), jnp.ones(32), True),
):
    _stats = {"BatchNorm_0": {"mean": _mean, "var": _var}}
    _loss = eval_loss(_state._replace(batch_stats=_stats))
    assert bool(_loss > 1) is _bad
    assert _bad or round(float(_loss), 2) == 0.09
# evaluation with parameters alone: `mutable` fills in the initial statistics
_model, _given = NamedMLP(), {"params": _state.params}
_filled_in, _ = _model.apply(_given, x, train=False, mutable=["batch_stats"])
assert 4.05 < mse(_filled_in, y) < 4.09


def _error(train, mutable, stats):
    """The name of the error that `apply` raises under vmap; "" for none."""
    given = {**_given, **stats}
    one = lambda x: _model.apply(given, x, train=train, mutable=mutable)
    try:
        jax.vmap(one, axis_name="batch")(x)
    except Exception as error:
        return type(error).__name__
    return ""


_there = {"batch_stats": variables["batch_stats"]}
assert _error(True, False, _there) == "ModifyScopeVariableError"
assert _error(True, ["batch_stats"], _there) == ""
assert _error(True, False, {}) == "ScopeCollectionNotFound"
assert _error(False, False, _there) == ""
# an empty collection, or another one made mutable, is refused just the same
for _mutable in (False, ["intermediates"]):
    for _stats in ({}, {"batch_stats": {}}):
        assert _error(False, _mutable, _stats) == "ScopeCollectionNotFound"
assert _error(False, ["batch_stats"], {}) == _error(False, True, {}) == ""


# %% after: frozen-statistics 2
assert all(changed(start.batch_stats, after_one.batch_stats).values())
# two states of different structure aren't compared in part
assert _raises(ValueError, "", changed, start.batch_stats, {})
# under jit it raises
assert _raises(
    jax.errors.TracerBoolConversionError,
    "",
    jax.jit(lambda s: changed(s, s)["['BatchNorm_0']['mean']"]),
    start.batch_stats,
)
# it can't tell a missing update from one that arrives at the same value
_arrived, _ = train(named_forward, epochs=1, data=(0 * x, y))
assert changed(start.batch_stats, _arrived.batch_stats) == {
    "['BatchNorm_0']['mean']": False,
    "['BatchNorm_0']['var']": True,
}
# averaging the statistics of each example changes them all: it finds nothing
_averaged, _ = train(forward, epochs=1)
assert all(changed(start.batch_stats, _averaged.batch_stats).values())


# %% after: frozen-statistics
assert all(changed(start.params, state.params).values())
assert not any(changed(start.batch_stats, state.batch_stats).values())
assert (jnp.diff(losses) < 0).all()
assert abs(losses[0] - 1.47) < 0.02 and abs(losses[-1] - 0.51) < 0.02


def _psums(train):
    """How often psum stands in the jaxpr of the forward pass."""
    made = jax.make_jaxpr(
        lambda x: NamedMLP().apply(
            variables, x, train, mutable=["batch_stats"]
        ),
        axis_env=[("batch", 128)],
    )(x[0])
    return str(made).count("psum")


assert _psums(False) == 0 < _psums(True)
# with a learning rate of 0 the statistics move all the same
_still = make_step(named_forward, optax.sgd(0.0))
_after, _ = _still(start, (x, y))
assert not any(changed(start.params, _after.params).values())
assert all(changed(start.batch_stats, _after.batch_stats).values())
assert abs(eval_loss(_after) - eval_loss(start)) > 0.1
# on the original inputs both modes end below 0.1; on inputs 50 times as large
# eval mode ends in nan, and train mode doesn't notice
_finals = {
    (scale, function.__name__): train(function, data=(scale * x, y))[1]
    for scale in (1, 50)
    for function in (in_eval_mode, named_forward)
}
assert jnp.isnan(_finals[50, "in_eval_mode"][-1])
assert _finals[50, "in_eval_mode"][0] > 2000
# five epochs are enough for that
assert jnp.isnan(train(in_eval_mode, 5, (50 * x, y))[1][-1])
for _which in (
    (50, "named_forward"),
    (1, "named_forward"),
    (1, "in_eval_mode"),
):
    assert _finals[_which][-1] < 0.1
# nothing changes in 40 epochs
assert not any(
    changed(start.batch_stats, train(in_eval_mode, 40)[0].batch_stats).values()
)


# %% after: momentum
# in the first epochs, the kept statistics are late: eval mode looks bad
for _epochs, _late in ((1, True), (20, False)):
    _after, _ = train(named_forward, epochs=_epochs)
    _given = {"params": _after.params, "batch_stats": _after.batch_stats}
    _in_train_mode = mse(named_forward(_given, x)[0], y)
    assert bool(eval_loss(_after) > 1.5 * _in_train_mode) is _late
assert nn.BatchNorm().momentum == 0.99
# one batch moves the mean from 0 to 0.1 of it, or to 0.9 of it
_column = jnp.array([[0.0], [3.0], [4.0], [5.0]])
for _momentum, _share in ((0.9, 0.1), (0.1, 0.9)):
    _, _stats = normalize(one_feature, _column, momentum=_momentum)
    assert jnp.allclose(_stats["mean"], _share * 3.0, atol=1e-5)
    # the variance that goes in is the biased one, 3.50, not 4.67
    assert jnp.allclose(
        _stats["var"], _momentum + _share * _column.var(), atol=1e-5
    )
    assert not jnp.allclose(
        _stats["var"], _momentum + _share * _column.var(ddof=1), atol=1e-2
    )
assert round(float(_column.var()), 2) == 3.50
assert round(float(_column.var(ddof=1)), 2) == 4.67
# with 0.1 the running mean is nine tenths the mean of the last batch
_, _stats = normalize(
    {**one_feature, "batch_stats": {"mean": means[-2:-1], "var": jnp.ones(1)}},
    batches[-1],
    momentum=0.1,
)
assert jnp.allclose(_stats["mean"], 0.1 * means[-2] + 0.9 * batches[-1].mean())
assert (jnp.abs(means[1:] - batches[1:].mean((1, 2))).max()) < 1


# %% after: complete
assert now["batch_stats"]["BatchNorm_0"]["mean"].shape == (32,)
assert loss < 0.25 * y.var() and abs(in_eval - loss) < 0.2 * loss
assert not any(
    jax.tree.leaves(
        jax.tree.map(
            lambda a, b: (a == b).all(), first["batch_stats"], batch_stats
        )
    )
)
# evaluation refuses parameters without statistics
assert _raises(
    "ScopeCollectionNotFound",
    "",
    MLP().apply,
    {"params": params},
    x[0],
    train=False,
)


# %% after: exercise-1
import numpy as np
import pytest

check_1(((np.int64(8), np.int32(3)), np.False_, jnp.array(True)))
for _wrong, _says in (
    (({8, 3}, False, True), "a tuple of whole numbers"),
    (((8, jnp.array([3])), False, True), "a tuple of whole numbers"),
    (((8, 3), jnp.array([False, True]), True), "True or False"),
):
    with pytest.raises(AssertionError, match=_says):
        check_1(_wrong)
