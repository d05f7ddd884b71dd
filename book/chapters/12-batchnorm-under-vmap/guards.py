"""What this chapter says, in asserts for the tests alone."""

# %% after: one-example 4
assert jnp.allclose(losses[-1], y.var(), rtol=1e-3)
# the same constant for every input, and the first kernel never changes
constant, _ = train_with(None)
assert (
    constant["Dense_0"]["kernel"]
    == MLP().init(init_key, x[0], train=False)["params"]["Dense_0"]["kernel"]
).all()
both = {**variables, "params": constant}
one = lambda x: MLP().apply(both, x, train=True, mutable=["batch_stats"])[0]
outputs = jax.vmap(one)(x)
assert (outputs == outputs[0]).all()
assert jnp.allclose(outputs[0], y.mean(), atol=1e-3)
# in train mode a bias before BatchNorm makes no difference, up to the rounding
# of E[x^2] - E[x]^2, which grows with the bias
rows = x @ variables["params"]["Dense_0"]["kernel"]
for bias, options in (
    (1.0, {}),
    (3.0, {"use_fast_variance": False}),
):
    of_rows, of_shifted = (
        nn.BatchNorm(False, **options).init_with_output(
            jax.random.key(0), value
        )[0]
        for value in (rows, rows + bias)
    )
    assert jnp.allclose(of_rows, of_shifted, atol=1e-2)


# %% after: one-example
assert (output == 0).all()
assert stats["mean"].shape == (128, 5)
# each row is 0.9 * 0 + 0.1 * that example
assert jnp.allclose(stats["mean"], 0.1 * batch, atol=1e-5)
# the variance of one value is 0, up to rounding of E[x^2] - E[x]^2
assert jnp.allclose(stats["var"], 0.9, atol=1e-5)
# passed to the next step, the statistics grow another axis
fed_back = {**five_features, "batch_stats": stats}
again, grown = jax.vmap(lambda x: normalize(fed_back, x))(batch)
assert grown["mean"].shape == (128, 128, 5) and (again == 0).all()
# averaged over the batch, they keep their shape, and the outputs stay zeros
averaged = jax.tree.map(lambda leaf: leaf.mean(0), stats)
fed_back = {**five_features, "batch_stats": averaged}
again, _ = jax.vmap(lambda x: normalize(fed_back, x))(batch)
assert averaged["mean"].shape == (5,) and (again == 0).all()


def carried(stats, _):
    """A step that hands the statistics on as they are."""
    given = {**five_features, "batch_stats": stats}
    normalized, new = jax.vmap(lambda x: normalize(given, x))(batch)
    return new, normalized.sum()


try:
    jax.lax.scan(carried, five_features["batch_stats"], None, length=3)
    raise RuntimeError("scan takes statistics that grow")
except TypeError as error:
    assert "[128,5]" in str(error)
# the same under jit, in other dtypes, and for one example without vmap
alone = jax.vmap(lambda x: normalize(five_features, x))
assert (jax.jit(alone)(batch)[0] == 0).all()
for dtype in ("float16", "bfloat16", "int32"):
    assert (alone(batch.astype(dtype))[0] == 0).all()
assert (normalize(five_features, batch[0])[0] == 0).all()
# with a learned bias the output is that bias for every input
learned = {"scale": jnp.full(5, 2.0), "bias": jnp.full(5, 7.0)}
given = {**five_features, "params": learned}
assert (jax.vmap(lambda x: normalize(given, x))(batch)[0] == 7).all()
# eval mode works without a name, since it doesn't look at the batch
one_eval = lambda x: norm.apply(five_features, x)
assert jnp.allclose(jax.vmap(one_eval)(batch), one_eval(batch), atol=1e-6)


# %% after: axis-name 1
assert jnp.allclose(output, whole, atol=1e-4)
assert jax.tree.all(
    jax.tree.map(
        lambda a, b: jnp.allclose(a, b, atol=1e-4), stats, whole_stats
    )
)
# a model of layers that accept a batch axis needs neither vmap nor a name
of_model, _ = MLP().apply(variables, x, train=True, mutable=["batch_stats"])
one = lambda x: MLP("batch").apply(
    variables, x, train=True, mutable=["batch_stats"]
)
named, _ = jax.vmap(one, out_axes=(0, None), axis_name="batch")(x)
assert jnp.allclose(of_model, named, atol=1e-4)
# init skips the name: it works outside vmap, in both modes
for train in (False, True):
    made = MLP("batch").init(init_key, x[0], train=train)
    assert jax.tree.all(
        jax.tree.map(lambda a, b: (a == b).all(), made, variables)
    )
# eval mode never gets to the name
MLP("batch").apply(variables, x[0], train=False)
# outside vmap, apply in train mode with a name raises
try:
    normalize(five_features, batch[0], "batch")
    raise RuntimeError("apply with a name passes outside vmap")
except NameError:
    pass


# %% after: axis-name 2
assert losses[0] > 0.7 and losses[-1] < 0.08
# without the name, the untrained model predicts 0 for every input
one = lambda x: MLP().apply(variables, x, train=True, mutable=["batch_stats"])
assert (jax.vmap(one)(x)[0] == 0).all() and abs((y**2).mean() - 0.467) < 1e-3


class Skip(nn.Module):
    """A skip connection around BatchNorm, which has no name."""

    @nn.compact
    def __call__(self, x):
        x = nn.Dense(32)(x)
        return nn.Dense(1)(nn.relu(x + nn.BatchNorm(False)(x)))


def skip_loss(p):
    given = {**of_skip, "params": p}
    one = lambda x: Skip().apply(given, x, mutable=["batch_stats"])[0]
    return mse(jax.vmap(one)(x), y)


# the model with a skip connection learns without a name: no flat loss
of_skip = Skip().init(init_key, x[0])
p, slope = of_skip["params"], jax.jit(jax.grad(skip_loss))
for _ in range(200):
    p = jax.tree.map(lambda leaf, g: leaf - 0.05 * g, p, slope(p))
assert skip_loss(p) < 0.1 < 0.4 < y.var()


# %% after: axis-name
def ends(in_module, in_vmap, out_axes):
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


for in_vmap in (None, "batch"):
    assert ends(None, in_vmap, 0) == (True, (128, 5))
    assert ends(None, in_vmap, (0, None)) == "ValueError"
for out_axes in (0, (0, None)):
    for in_vmap in (None, "bach"):
        assert ends("batch", in_vmap, out_axes) == "NameError"
assert ends("batch", "batch", 0) == (False, (128, 5))
assert ends("batch", "batch", (0, None)) == (False, (5,))
# with out_axes=0 and the name the statistics are 128 equal rows
_, stacked = jax.vmap(
    lambda x: normalize(five_features, x, "batch"), axis_name="batch"
)(batch)
assert (stacked["mean"] == stacked["mean"][0]).all()
# so the shape doesn't tell whether there is a name, not even when it grows
unnamed = jax.vmap(lambda x: normalize(five_features, x))(batch)[1]
assert unnamed["mean"].shape == stacked["mean"].shape == (128, 5)
assert not (unnamed["mean"] == unnamed["mean"][0]).all()
fed_back = {**five_features, "batch_stats": stacked}
_, grown = jax.vmap(
    lambda x: normalize(fed_back, x, "batch"), axis_name="batch"
)(batch)
assert grown["mean"].shape == (128, 128, 5)


def carried_with_name(stats, _):
    """A step with the name in both places that stacks the statistics."""
    given = {**five_features, "batch_stats": stats}
    return jax.vmap(
        lambda x: normalize(given, x, "batch")[::-1], axis_name="batch"
    )(batch)


try:
    jax.lax.scan(carried_with_name, five_features["batch_stats"], None, 3)
    raise RuntimeError("scan takes stacked statistics")
except TypeError as error:
    assert "[128,5]" in str(error)
# other operations over the named axis combine the examples as well
biggest = lambda x: jax.lax.pmax(x, "batch")
assert (
    jax.vmap(biggest, axis_name="batch", out_axes=None)(batch) == batch.max(0)
).all()
# None is accepted for what doesn't depend on the mapped argument
assert (
    jax.vmap(lambda x: (x, jnp.float32(1)), out_axes=(0, None))(batch)[1] == 1
)
# the check is on dependence, not on values: equal rows are refused, too
try:
    jax.vmap(lambda x: (x, x * 0), out_axes=(0, None))(batch)
    raise RuntimeError("equal rows pass")
except ValueError:
    pass
# a batch of one has the same output, without vmap and with a name
assert (normalize(five_features, batch[:1])[0] == 0).all()
assert (over_batch(batch[:1])[0] == 0).all()
assert jnp.allclose(unnamed["mean"], 0.9 * 0 + 0.1 * batch, atol=1e-6)


# %% after: psum-and-pmean 1
assert (jax.vmap(centered, axis_name="batch")(numbers) == numbers - 1.5).all()
assert total(numbers) == 6
# BatchNorm itself averages with pmean, which is a psum in the program
traced = jax.make_jaxpr(
    lambda x: normalize(five_features, x, "batch"), axis_env=[("batch", 128)]
)(batch[0])
assert "psum" in str(traced)
# the number of examples is a psum of ones
count = jax.vmap(
    lambda x: jax.lax.psum(1, "batch"), axis_name="batch", out_axes=None
)
assert count(numbers) == 4
# gradients flow through pmean
square = lambda v: (jax.vmap(centered, axis_name="batch")(v) ** 2).sum()
assert jnp.allclose(jax.grad(square)(numbers), 2 * (numbers - 1.5))
# two nested vmaps: the name belongs to the one that has it
table = jnp.arange(6.0).reshape(2, 3)
inner = jax.vmap(jax.vmap(centered, axis_name="batch"))
outer = jax.vmap(jax.vmap(centered), axis_name="batch")
assert (inner(table) == table - table.mean(axis=1, keepdims=True)).all()
assert (outer(table) == table - table.mean(axis=0)).all()


# %% after: frozen-statistics 1
assert losses[-1] < 0.1 and 4.05 < in_eval < 4.09
assert (variables["batch_stats"]["BatchNorm_0"]["mean"] == 0).all()
assert (variables["batch_stats"]["BatchNorm_0"]["var"] == 1).all()
# a constant would be better
assert in_eval > y.var()
# in train mode, the same parameters have the loss of the training
given = {**variables, "params": params}
direct, _ = MLP().apply(given, x, train=True, mutable=["batch_stats"])
assert abs(mse(direct, y) - 0.072) < 2e-3
assert abs(losses[-1] - 0.073) < 1e-3
assert abs(y.var() - 0.466) < 1e-3


# %% after: frozen-statistics 2
initial = predict(params, variables["batch_stats"], x)
assert jnp.allclose(filled_in, initial, atol=1e-5)
assert 4.05 < mse(initial, y) < 4.09


def raised(train, mutable, stats):
    """The name of the error that `apply` raises under vmap; "" for none."""
    given = {"params": params, **stats}
    one = lambda x: model.apply(given, x, train=train, mutable=mutable)
    try:
        jax.vmap(one, axis_name="batch")(x)
    except Exception as error:
        return type(error).__name__
    return ""


there = {"batch_stats": variables["batch_stats"]}
assert raised(True, False, there) == "ModifyScopeVariableError"
assert raised(True, ["batch_stats"], there) == ""
assert raised(True, False, {}) == "ScopeCollectionNotFound"
assert raised(False, False, there) == ""
# an empty collection, or another one made mutable, is refused just the same
for mutable in (False, ["intermediates"]):
    for stats in ({}, {"batch_stats": {}}):
        assert raised(False, mutable, stats) == "ScopeCollectionNotFound"
assert raised(False, ["batch_stats"], {}) == raised(False, True, {}) == ""


# %% after: frozen-statistics 5
assert losses[-1] < 0.1 and in_eval < 0.1
# dropping the statistics changed nothing in the parameters
dropped, dropped_losses = train_with("batch")
assert jnp.allclose(losses, dropped_losses, rtol=1e-3)
for leaf, other in zip(
    jax.tree.leaves(dropped), jax.tree.leaves(trained.params)
):
    assert jnp.allclose(leaf, other, atol=1e-3)
# eval mode gives the same with `mutable` and without, with vmap and without
given = {"params": trained.params, "batch_stats": trained.batch_stats}
direct = MLP().apply(given, x, train=False)
for made in (
    direct,
    forward(trained.params, trained.batch_stats, x, False)[0],
):
    assert jnp.allclose(
        made, predict(trained.params, trained.batch_stats, x), atol=1e-4
    )


# %% after: frozen-statistics 6
# two states of different structure aren't compared in part
try:
    changed(start.batch_stats, {})
    raise RuntimeError("missing leaves pass")
except ValueError:
    pass
# under jit it raises
try:
    jax.jit(lambda s: changed(s, s)["['BatchNorm_0']['mean']"])(batch_stats)
    raise RuntimeError("changed passes under jit")
except jax.errors.TracerBoolConversionError:
    pass
# it can't tell a missing update from one that arrives at the same value
arrived, _ = run(train_step, epochs=1, data=(0 * x, y))
assert changed(start.batch_stats, arrived.batch_stats) == {
    "['BatchNorm_0']['mean']": False,
    "['BatchNorm_0']['var']": True,
}


# %% after: frozen-statistics 7
assert all(changed(start.params, state.params).values())
assert not any(changed(start.batch_stats, state.batch_stats).values())
assert (state.batch_stats["BatchNorm_0"]["mean"] == 0).all()
assert (state.batch_stats["BatchNorm_0"]["var"] == 1).all()
assert (jnp.diff(losses) < 0).all()
assert abs(losses[0] - 1.47) < 0.02 and abs(losses[-1] - 0.51) < 0.02


def psums(train):
    """How often psum stands in the jaxpr of the forward pass."""
    made = jax.make_jaxpr(lambda x: forward(params, batch_stats, x, train))(x)
    return str(made).count("psum")


assert psums(False) == 0 < psums(True)


# %% after: frozen-statistics
finals = {
    (scale, train): run(make_step(tx, train), 200, data=(scale * x, y))[1]
    for scale in (1, 50)
    for train in (False, True)
}
assert jnp.isnan(finals[50, False][-1]) and finals[50, False][0] > 2000
assert finals[50, True][-1] < 0.1
assert all(finals[1, train][-1] < 0.1 for train in (False, True))
# the 0 and the 1 of the figure: nothing changes in 40 epochs
assert not any(
    changed(start.batch_stats, run(eval_mode_step, 40)[0].batch_stats).values()
)


# %% after: complete
assert now["batch_stats"]["BatchNorm_0"]["mean"].shape == (32,)
assert loss < 0.5 * targets.var() and abs(in_eval - loss) < 0.2 * loss
# evaluation refuses parameters without statistics
try:
    evaluate({"params": now["params"]}, inputs)
    raise RuntimeError("lost statistics pass")
except Exception as error:
    assert type(error).__name__ == "ScopeCollectionNotFound"
# a name that's missing in the module, or in vmap
normal = lambda name: lambda x: normalize(five_features, x, name)
for in_module, in_vmap, said in (
    (None, "batch", "ValueError"),
    ("batch", None, "NameError"),
):
    try:
        jax.vmap(normal(in_module), out_axes=(0, None), axis_name=in_vmap)(
            batch
        )
        raise RuntimeError("a missing name passes")
    except (ValueError, NameError) as error:
        assert type(error).__name__ == said


# %% after: running-variance 1
# train mode itself gives the same loss as both batch statistics
predicted, _ = forward(after_one.params, after_one.batch_stats, x, train=True)
assert abs(mse(predicted, y) - eval_loss(batch_mean, batch_var)) < 1e-3
assert abs(eval_loss(batch_mean, batch_var) - 0.456) < 0.01
assert abs(eval_loss(mean, var) - 0.8836) < 0.01


# %% after: running-variance 2
assert (
    abs(eval_loss(mean, batch_var) - eval_loss(batch_mean, batch_var)) < 0.01
)
assert eval_loss(batch_mean, var) > eval_loss(mean, var)
assert jnp.abs(batch_mean).max() < 0.3
assert batch_var.min() < 0.01 and batch_var.max() > 5
assert round((0.46 + 0.88) / 2, 2) == 0.67  # had the two been mixed evenly


# %% after: running-variance
assert abs(mse(in_train, y) - mse(in_eval, y)) < 2e-3
assert abs(0.9**20 - 0.1216) < 1e-4
# with the initial statistics the loss is 4.07, and that's the variance, too:
# the initial mean with the batch variance is fine
hidden = x @ state.params["Dense_0"]["kernel"]
for mean, var, bad in (
    (jnp.zeros(32), hidden.var(0), False),
    (hidden.mean(0), jnp.ones(32), True),
):
    stats = {"BatchNorm_0": {"mean": mean, "var": var}}
    assert bool(mse(predict(state.params, stats, x), y) > 1) is bad
    assert bad or abs(mse(predict(state.params, stats, x), y) - 0.085) < 4e-3
assert round(0.9**20, 2) == 0.12
fine = {"BatchNorm_0": {"mean": jnp.zeros(32), "var": hidden.var(0)}}
assert abs(mse(predict(state.params, fine, x), y) - 0.09) < 0.01
first = {"BatchNorm_0": {"mean": jnp.zeros(32), "var": jnp.ones(32)}}
assert abs(mse(predict(state.params, first, x), y) - 4.07) < 0.02


# %% after: momentum
assert nn.BatchNorm().momentum == 0.99
norm = nn.BatchNorm(use_running_average=False, momentum=0.9)
_, new = norm.apply(
    norm.init(jax.random.key(0), column), column, mutable=["batch_stats"]
)
assert jnp.allclose(new["batch_stats"]["mean"], 0.3)
assert jnp.allclose(new["batch_stats"]["var"], 0.9 + 0.1 * column.var())
assert not jnp.allclose(
    new["batch_stats"]["var"], 0.9 + 0.1 * column.var(ddof=1)
)
assert abs(1 - 0.99**100 - 0.634) < 1e-3 and abs(0.99**100 - 0.366) < 1e-3
assert abs(0.9**20 - 0.1216) < 1e-4
assert round(0.99**100, 2) == 0.37


# %% after: images
whole_images, _ = normalize(two_channels, images)
separate, separate_stats = over_images(None, 0)
assert separate_stats["mean"].shape == (8, 2)
assert jnp.abs(separate).max() > 1
assert jnp.abs(separate - whole_images).max() > 1
assert jnp.allclose(separate.mean((1, 2)), 0, atol=1e-4)
# it's what the layer of that name computes
instance = nn.InstanceNorm(epsilon=1e-5)
of_layer = instance.apply(instance.init(jax.random.key(0), images), images)
assert jnp.allclose(of_layer, separate, atol=1e-4)
named, named_stats = over_images("batch", (0, None))
assert jnp.allclose(named, whole_images, atol=1e-3)
assert named_stats["mean"].shape == (2,)
try:
    over_images(None, (0, None))
    raise RuntimeError("None passes for images")
except ValueError:
    pass


# %% after: dropout
assert len(jnp.unique(shared, axis=0)) == 1
assert len(jnp.unique(own, axis=0)) == 16
# on the whole batch without vmap one key gives a mask per example
assert len(jnp.unique(drop(ones, key), axis=0)) == 16
# an axis name doesn't change it
named = jax.vmap(drop, in_axes=(0, None), axis_name="batch")(ones, key)
assert (named == shared).all()


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
