"""What this chapter says, in asserts for the tests alone."""

# %% after: validation-accuracy
truth = np.mean(correct)
assert abs(accuracy.stateless_result(fixed.metrics) - truth) < 0.005
assert int(fixed.metrics[1]) == 250
assert int(eval_step(state, (x_val, y_val)).metrics[1]) == 1210
assert int(fixed.metrics[0]) == int(correct.sum())  # not only the share
assert truth - score(evaluated) > 0.15 and int(evaluated.metrics[1]) == 1210
for name in ("params", "non_trainable", "opt_state"):
    for a, b in zip(getattr(fixed, name), getattr(state, name)):
        assert (a == b).all()
assert int(state.metrics[1]) == 960  # the training total is still in state
assert [v.name for v in accuracy.variables] == ["total", "count"]
_before = [float(v.value) for v in accuracy.variables]
eval_step(state, (x_val, y_val))
assert [float(v.value) for v in accuracy.variables] == _before  # sees nothing
assert all(m.shape == () and m.dtype == "float32" for m in state.metrics)
nothing = accuracy.stateless_reset_state()
assert (
    float(accuracy.stateless_result(nothing)) == 0
)  # of no image: 0, not nan


# %% after: early-and-late-epochs
first, second, last = (
    dict(zip(("training", "mixed", "validation"), history[n]))
    for n in (1, 2, 40)
)
assert first["mixed"] < first["validation"] - 0.05
assert last["mixed"] > last["validation"] + 0.01
assert last["training"] > last["validation"]
assert first["training"] < first["validation"]
assert second["training"] < second["validation"]
for training, mix, val in history.values():
    assert np.isclose(mix, (960 * training + 250 * val) / 1210, atol=1e-4)
# the loop never touches the object
_before = [np.asarray(v.value) for v in model.trainable_variables]
train_epoch(state, np.random.default_rng(0))
for array, variable in zip(_before, model.trainable_variables):
    assert (array == np.asarray(variable.value)).all()


# the training images again, after the epoch: same images, other weights
assert np.isclose(score(epoch_1), first["training"])
assert int(epoch_1.metrics[1]) == 960 == int(again.metrics[1])
assert score(again) > score(epoch_1) + 0.05
# training mode alone also changes the number: same weights, same images
_out, _ = model.stateless_call(*epoch_1[:2], x_train, training=True)
assert abs(np.mean(_out.argmax(-1) == y_train) - score(again)) > 0.005
# the crossing: too low in the first epochs, too high later
assert all(history[n][1] < history[n][2] for n in (1, 2))
assert all(history[n][1] > history[n][2] for n in range(6, 41))


# %% after: where-a-metric-counts 1
assert not any(v.value.any() for v in accuracy.variables)
assert int(state.metrics[1]) == 960
# a scan carries the totals like any state
_x, _y = x_val.reshape(5, 50, 64), y_val.reshape(5, 50)
_end, _ = jax.lax.scan(
    lambda s, d: (eval_step(s, d), None),
    state._replace(metrics=accuracy.stateless_reset_state()),
    (_x, _y),
)
assert [int(m) for m in _end.metrics] == [int(m) for m in validation.metrics]
# under vmap each row has totals of its own: five pairs, to be summed
_zero = accuracy.stateless_reset_state()
_rows = jax.vmap(
    lambda x, y: accuracy.stateless_update_state(_zero, y, logits_of(state, x))
)(_x, _y)
assert _rows[1].shape == (5,) and int(_rows[1].sum()) == 250
assert int(_rows[0].sum()) == int(validation.metrics[0])
# NumPy arrays and a single example count as well
_out = np.asarray(logits_of(state, x_val))
_one = accuracy.stateless_update_state(_zero, y_val[:1], _out[:1])
assert int(_one[1]) == 1
# with sample_weight the second total is the sum of the weights
_heavy = accuracy.stateless_update_state(
    _zero, y_val[:4], _out[:4], sample_weight=np.array([1.0, 1.0, 0.5, 0.0])
)
assert float(_heavy[1]) == 2.5
# the totals are float32: at 2 ** 24 a single image isn't counted any more
_full = [jnp.float32(2**24), jnp.float32(2**24)]
_more = accuracy.stateless_update_state(_full, y_val[:1], _out[:1])
assert float(_more[1]) == 2**24
# an epoch that begins without a reset counts on
_on, _ = step(state, (x_train[:64], y_train[:64]))
assert int(_on.metrics[1]) == 1024
# the metrics don't change what is trained
_other = state._replace(metrics=[m + 7 for m in state.metrics])
for a, b in zip(
    step(state, (x_train[:64], y_train[:64]))[0].params,
    step(_other, (x_train[:64], y_train[:64]))[0].params,
):
    assert (a == b).all()


# %% after: update-state-under-jit
# calling the object eagerly works, and updates the object only
accuracy.reset_state()
before = [float(v) for v in state.metrics]
accuracy.update_state(y_val, logits)
assert float(accuracy.variables[1].value) == 250
assert [float(v) for v in state.metrics] == before
# and resetting it again leaves the state alone
accuracy.reset_state()
assert [float(v) for v in state.metrics] == before
assert not any(v.value.any() for v in accuracy.variables)
# after a reset the compiled function runs without counting
counted = keras.metrics.SparseCategoricalAccuracy()
compiled = jax.jit(counted.update_state)
compiled(y_val, logits)
counted.reset_state()
compiled(y_val, logits)
assert float(counted.variables[1].value) == 0 == float(counted.result())
# arrays of other shapes are traced, and leak again
compiled(y_val[:50], logits[:50])
assert all(isinstance(v.value, jax.core.Tracer) for v in counted.variables)
# the totals in the state can be read all the same
assert float(counted.stateless_result(state.metrics)) == score(state)
try:
    counted.result()
    raise SystemExit("no tracer leaked")
except jax.errors.UnexpectedTracerError:
    pass


# %% after: average-loss
whole = loss_fn(y_val, logits)
assert np.isclose(mean.stateless_result(sized), whole, atol=1e-4)
assert abs(mean.stateless_result(plain) - whole) > 1e-3
assert float(sized[1]) == 250 and float(plain[1]) == 2


# %% after: extra-losses
m = regularized
assert len(m.stateless_call(params, [], x_train[:4])) == 2
out = m.stateless_call(params, [], x_train[:4], return_losses=True)
assert len(out) == 3 and len(out[2]) == 1
assert np.isclose(out[2][0], 0.01 * (params[0] ** 2).sum(), rtol=1e-4)
# the penalty is that of the arrays passed in, not of the object's variables
doubled = m.stateless_call(
    [2 * p for p in params], [], x_train[:4], return_losses=True
)[2]
assert np.isclose(doubled[0], 4 * out[2][0], rtol=1e-4)
# a model without extra losses gives an empty list
none = model.stateless_call(
    start.params, start.non_trainable, x_train[:4], return_losses=True
)
assert none[2] == [] and sum([]) == 0


# fit adds the losses by itself
def fitted_loss(m):
    m.compile(optimizer=keras.optimizers.SGD(0.0), loss=loss_fn)
    return m.fit(*batch, batch_size=32, verbose=0).history["loss"][0]


logits_, _ = m.stateless_call(params, [], batch[0])
assert np.isclose(
    fitted_loss(m), loss_fn(batch[1], logits_) + out[2][0], atol=1e-3
)
assert out[2][0] > 0.01


# a layer that is called twice counts once, two layers each
class _Penalty(keras.layers.Layer):
    def call(self, x):
        self.add_loss(keras.ops.mean(x**2))
        return x


def _penalties(first, second):
    """What `stateless_call` and `fit` count of two calls, of 1 and of 4."""
    a, b = keras.Input((2,)), keras.Input((2,))
    twice = keras.Model([a, b], first(a) + second(b))
    twice.compile("sgd", lambda y, y_pred: 0 * keras.ops.sum(y_pred))
    x = [np.ones((4, 2), "float32"), np.full((4, 2), 2, "float32")]
    losses = twice.stateless_call([], [], x, return_losses=True)[2]
    fitted = twice.fit(x, x[0], verbose=0).history["loss"][0]
    return float(sum(losses)), fitted


assert _penalties(_Penalty(), _Penalty()) == (5, 5)
_version = tuple(map(int, keras.__version__.split(".")[:2]))
_shared = _Penalty()
if _version >= (3, 14):
    assert _penalties(_shared, _shared) == (4, 4)


# %% after: array-has-been-deleted
assert all(a.is_deleted() for a in copied.params)
assert not any(a.is_deleted() for a in jax.tree.leaves(state))
assert int(optimizer.iterations.value) == 600 == int(state.opt_state[0])
right = model.predict(x_val, verbose=0).argmax(-1) == y_val
assert np.isclose(right.mean(), last["validation"], atol=0.01)
for use in (
    lambda: np.asarray(copied.params[0]),
    lambda: step(copied, (x_train[:32], y_train[:32])),
):
    try:
        use()
        raise SystemExit("a deleted array was read")
    except (RuntimeError, ValueError) as error:
        said = type(error), str(error)
        assert "deleted" in said[1]
variable, mine = make_classifier().trainable_variables[0], jnp.ones((64, 64))
variable.assign(mine)
assert variable.value is mine  # assign keeps the array
# predict and evaluate and fit donate
for way in ("predict", "evaluate", "fit"):
    tried = make_classifier()
    tried.compile(optimizer="sgd", loss=loss_fn)
    held = [v.value for v in tried.variables]
    arguments = (x_val[:32],) if way == "predict" else (x_val[:32], y_val[:32])
    getattr(tried, way)(*arguments, verbose=0)
    assert all(a.is_deleted() for a in held), way
    assert not any(v.value.is_deleted() for v in tried.variables)
# model.variables is in the order of the layers, not trainable first
assert [v.name for v in model.variables][-2:] == ["kernel", "bias"]
assert len(model.variables) == 8


# %% after: save-and-reload
different = [
    old.name
    for old, new in zip(model.variables, loaded.variables)
    if (np.asarray(old.value) != np.asarray(new.value)).any()
]
assert different == ["seed_generator_state"]
_draws = [v for v in loaded.variables if v.name in different][0].value[1]
assert int(_draws) == 0  # a new seed, of which nothing has been drawn
assert int(loaded.optimizer.iterations.value) == 600
for old, new in zip(
    optimizer.variables, loaded.optimizer.variables, strict=True
):
    assert (np.asarray(old.value) == np.asarray(new.value)).all()


# a class of your own has to be there when the file is opened
class Own(keras.Model):
    def call(self, x):
        return x


with tempfile.TemporaryDirectory() as folder:
    own = Own()
    own(x_train[:1])
    own.save(Path(folder) / "own.keras")
    try:
        keras.models.load_model(Path(folder) / "own.keras")
        raise SystemExit("a class of one's own was restored")
    except TypeError as error:
        assert "Could not locate class 'Own'" in str(error)
    keras.models.load_model(
        Path(folder) / "own.keras", custom_objects={"Own": Own}
    )
# without writing back, the file holds the first weights
with tempfile.TemporaryDirectory() as folder:
    untrained = make_classifier()
    untrained.save(Path(folder) / "m.keras")
    opened = keras.models.load_model(Path(folder) / "m.keras")
assert all(
    (a == b.value).all()
    for a, b in zip(start.params, opened.trainable_variables)
)
assert getattr(opened, "optimizer", None) is None  # none in the file
# a Dropout with a seed of its own reopens with that seed, count of draws 0
with tempfile.TemporaryDirectory() as folder:
    seeded = keras.Sequential(
        [keras.Input((3,)), keras.layers.Dropout(0.5, seed=7)]
    )
    seeded(x_train[:2, :3], training=True)
    seeded.save(Path(folder) / "s.keras")
    seeded_again = keras.models.load_model(Path(folder) / "s.keras")
assert seeded.variables[0].value[0] == seeded_again.variables[0].value[0] == 7
assert (
    int(seeded.variables[0].value[1]) == 1
    and int(seeded_again.variables[0].value[1]) == 0
)
# a metric given to compile isn't in the file either
with tempfile.TemporaryDirectory() as folder:
    measured = make_classifier()
    measured.compile("sgd", loss=loss_fn, metrics=["accuracy"])
    measured.evaluate(x_val, y_val, verbose=0)
    assert any(float(v.value) > 0 for v in measured.metrics_variables)
    measured.save(Path(folder) / "m.keras")
    opened = keras.models.load_model(Path(folder) / "m.keras")
assert not any(float(v.value) for v in opened.metrics_variables)


# %% after: back-to-the-issue
# what Keras itself returned until the repair, and returns since
_one = keras.Sequential(
    [
        keras.Input((1,)),
        keras.layers.Dense(1, kernel_initializer="ones", use_bias=False),
    ]
)
_one.compile(optimizer=keras.optimizers.SGD(0.0), loss="mse")


def _batch(value):
    return np.full((4, 1), value, "float32"), np.zeros((4, 1), "float32")


_read = {
    way: [
        round(float(np.ravel(getattr(_one, way)(*_batch(v)))[0]), 1)
        for v in (10.0, 1.0, 1.0)
    ]
    for way in ("train_on_batch", "test_on_batch")
}
if _version <= (3, 13):  # test_on_batch goes on from the training batches
    assert _read["train_on_batch"] == [100.0, 50.5, 34.0], _read
    assert _read["test_on_batch"] == [50.5, 40.6, 34.0], _read
if _version >= (3, 15):
    assert list(_read.values()) == [[100.0, 1.0, 1.0]] * 2, _read
assert float(mean.stateless_result(tested)) == (100 + 1 + 1 + 100) / 4


# %% after: complete-loop
assert right > 0.8 and int(evaluated[3][1]) == len(x) - 1280
assert int(state[3][1]) == 1280
assert abs(right - float(metric.stateless_result(evaluated[3]))) < 0.005
assert not any(a.is_deleted() for a in jax.tree.leaves(state))
assert int(optimizer.iterations.value) == 400
