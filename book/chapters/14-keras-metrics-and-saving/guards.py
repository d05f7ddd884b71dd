"""What this chapter says, in asserts for the tests alone."""

# %% after: validation-accuracy
truth = np.mean(correct)
assert abs(accuracy.stateless_result(evaluated.metrics) - truth) < 0.005
assert int(evaluated.metrics[1]) == 250
assert int(eval_step(state, (x_val, y_val)).metrics[1]) == 570
assert (
    truth - accuracy.stateless_result(eval_step(state, (x_val, y_val)).metrics)
    > 0.05
)
for name in ("params", "non_trainable", "opt_state"):
    for a, b in zip(getattr(evaluated, name), getattr(state, name)):
        assert (a == b).all()
assert int(state.metrics[1]) == 320  # the training total is still in state
assert [v.name for v in accuracy.variables] == ["total", "count"]
_before = [float(v.value) for v in accuracy.variables]
eval_step(state, (x_val, y_val))
assert [float(v.value) for v in accuracy.variables] == _before  # sees nothing
assert all(m.shape == () and m.dtype == "float32" for m in state.metrics)
nothing = accuracy.stateless_reset_state()
assert (
    float(accuracy.stateless_result(nothing)) == 0
)  # of no image: 0, not nan
# not every metric has two variables
assert len(keras.metrics.AUC().variables) > 2


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
    assert np.isclose(mix, (320 * training + 250 * val) / 570, atol=1e-4)
# the loop never touches the object
_before = [np.asarray(v.value) for v in model.trainable_variables]
train_epoch(state, np.random.default_rng(0))
for array, variable in zip(_before, model.trainable_variables):
    assert (array == np.asarray(variable.value)).all()


# %% after: training-below-validation
assert score(after) > score(after_one) + 0.05
assert np.isclose(score(after_one), first["training"])
assert int(after.metrics[1]) == 320
# the two sets differ by less than the standard error of the difference
gap = first["validation"] - score(after)
assert gap < np.sqrt(0.57 * 0.43 / 320 + 0.59 * 0.41 / 250), gap
assert abs(gap - 0.02) < 0.01


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


class Penalty(keras.layers.Layer):
    def __init__(self, reduce):
        super().__init__()
        self.reduce = reduce

    def call(self, inputs):
        self.add_loss(self.reduce(jnp.sum(inputs**2, axis=-1)))
        return inputs


def growth(reduce):
    """How much larger the loss is for 320 images than for 32."""
    layer = Penalty(reduce)
    layer(x_train[:1])  # builds
    small, large = (
        layer.stateless_call([], [], x_train[:n], return_losses=True)[2]
        for n in (32, 320)
    )
    assert len(small) == 1
    return large[0] / small[0]


assert 8 < growth(jnp.sum) < 12
assert 0.8 < growth(jnp.mean) < 1.2


# %% after: array-has-been-deleted
assert all(a.is_deleted() for a in copied.params)
assert not any(a.is_deleted() for a in jax.tree.leaves(state))
assert int(optimizer.iterations.value) == 400 == int(state.opt_state[0])
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
try:
    short = state._replace(metrics=state.metrics[:1])
    write_back(model, short, optimizer, accuracy)
    raise SystemExit("a missing array was skipped")
except ValueError as error:
    assert "zip" in str(error)
write_back(model, state, optimizer, accuracy)
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
assert int(loaded.optimizer.iterations.value) == 400
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
one, other = map(jax.tree.leaves, ways)
assert all((a == b).all() for a, b in zip(one, other, strict=True))
for a, b in zip(jax.tree.leaves(state), jax.tree.leaves(restored)):
    assert a.dtype == b.dtype and a.shape == b.shape and (a == b).all()
# another order of the data gives another state
third = jax.tree.leaves(train_epoch(state, np.random.default_rng(6)))
assert not all((a == b).all() for a, b in zip(one, third, strict=True))
# a generator goes on from its saved state
source, copy_ = np.random.default_rng(1), np.random.default_rng(2)
source.permutation(320)
copy_.bit_generator.state = source.bit_generator.state
assert (source.permutation(320) == copy_.permutation(320)).all()
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
# NumPy's file format doesn't bring bfloat16 back
with tempfile.TemporaryDirectory() as folder:
    np.savez(Path(folder) / "b.npz", jnp.ones(2, "bfloat16"))
    with np.load(Path(folder) / "b.npz") as file:
        try:
            jnp.asarray(file["arr_0"])
            raise SystemExit("bfloat16 came back")
        except TypeError:
            pass
    np.savez(Path(folder) / "b.npz", jnp.ones(2, "bfloat16").astype("float32"))
    with np.load(Path(folder) / "b.npz") as file:
        returned = jnp.asarray(file["arr_0"]).astype("bfloat16")
    assert returned.dtype == "bfloat16" and (returned == 1).all()
# a Dropout with a seed of its own reopens with that seed, count 0
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


# %% after: train-step-inside-fit
# fit and the loop give equal losses
fitted, adam = make_classifier(), keras.optimizers.Adam(3e-3)
adam.build(fitted.trainable_variables)
looped = initial_state(fitted, adam, accuracy)
loop_step = jax.jit(make_step(fitted, adam, accuracy))
fitted.compile(optimizer=adam, loss=loss_fn)
by_fit = fitted.fit(x_train, y_train, epochs=5, shuffle=False, verbose=0)
losses = []
for i in [*range(0, 320, 32)] * 5:
    data = x_train[i : i + 32], y_train[i : i + 32]
    looped, loss = loop_step(looped, data)
    losses.append(loss)
means = np.mean(np.reshape(losses, (5, 10)), axis=1)
assert np.allclose(by_fit.history["loss"], means, rtol=1e-4)
for array, variable in zip(looped.params, fitted.trainable_variables):
    assert np.allclose(array, variable.value, atol=1e-4)
assert (looped.non_trainable[2] == fitted.variables[5].value).all()  # seed
# batches of different sizes: the mean that fit reports is weighted
looped = initial_state(fitted, adam, accuracy)
by_fit = fitted.fit(
    x_train, y_train, batch_size=300, shuffle=False, verbose=0
).history["loss"]
losses = []
for rows in (slice(0, 300), slice(300, 320)):
    looped, loss = loop_step(looped, (x_train[rows], y_train[rows]))
    losses.append(float(loss))
assert np.isclose(by_fit[0], np.average(losses, weights=(300, 20)), rtol=1e-4)
assert not np.isclose(by_fit[0], np.mean(losses), rtol=1e-3)
assert sorted(record.history) == ["loss", "norm"]
assert int(clipped.optimizer.iterations.value) == 20
assert record.history["loss"][1] < record.history["loss"][0]


# a callback that reaches the optimizer through self.model is heard in the
# epoch (self.model writes fit's state back first), one with its own name not
class RateToZero(keras.callbacks.Callback):
    def __init__(self, model=None):
        super().__init__()
        self.held = model

    def on_train_batch_end(self, batch, logs=None):
        if batch == 0:
            (self.held or self.model).optimizer.learning_rate = 0.0


def change(rate, through):
    tried = make_classifier()
    tried.compile(optimizer=keras.optimizers.SGD(rate), loss=loss_fn)
    before = np.asarray(tried.trainable_variables[0].value)
    callbacks = {
        "self.model": [RateToZero()],
        "name": [RateToZero(tried)],
        "": [],
    }[through]
    tried.fit(
        x_train[:128],
        y_train[:128],
        batch_size=32,
        verbose=0,
        shuffle=False,
        callbacks=callbacks,
    )
    return np.asarray(tried.trainable_variables[0].value) - before


assert not change(0.0, "").any()
assert np.allclose(change(0.1, "name"), change(0.1, ""), atol=1e-6)
assert not np.allclose(change(0.1, "self.model"), change(0.1, ""), atol=1e-6)
assert change(0.1, "self.model").any()
# between two fit calls an assignment counts
clipped.optimizer.learning_rate = 0.0
kept = np.asarray(clipped.trainable_variables[0].value)
clipped.fit(x_train[:64], y_train[:64], batch_size=32, verbose=0)
assert (np.asarray(clipped.trainable_variables[0].value) == kept).all()


# what the history holds is the last batch; metrics of compile stay empty
class Norms(keras.callbacks.Callback):
    def on_train_batch_end(self, batch, logs=None):
        norms.append(float(logs["norm"]))


norms = []
once = ClippedModel(make_classifier().layers)
once.compile(optimizer="sgd", metrics=["accuracy"])
once = once.fit(x_train, y_train, verbose=0, callbacks=[Norms()]).history
assert len(norms) == 10 and sorted(once) == ["loss", "norm"]
assert once["norm"] == [norms[-1]] and abs(np.mean(norms) - norms[-1]) > 1e-3


# a step that returns loss alone: fit logs the model's own metric, still 0
class LossAlone(ClippedModel):
    def train_step(self, state, data):
        logs, new_state = super().train_step(state, data)
        return {"loss": logs["loss"]}, new_state


for arguments in ({}, {"loss": loss_fn}):
    alone = LossAlone(make_classifier().layers)
    alone.compile(optimizer="sgd", **arguments)
    alone = alone.fit(x_train[:64], y_train[:64], verbose=0).history
    assert alone["loss"] == [0], arguments


# names equal to those of the metrics of compile: both are logged as 0
class SameNames(ClippedModel):
    def train_step(self, state, data):
        logs, new_state = super().train_step(state, data)
        return {"loss": logs["loss"], "accuracy": logs["norm"]}, new_state


same = SameNames(make_classifier().layers)
same.compile(optimizer="sgd", loss=loss_fn, metrics=["accuracy"])
same = same.fit(x_train[:64], y_train[:64], verbose=0).history
assert same == {"loss": [0], "accuracy": [0]}


# metrics of compile are logged for validation data only
both = ClippedModel(make_classifier().layers)
both.compile(optimizer="sgd", loss=loss_fn, metrics=["accuracy"])
both = both.fit(
    x_train, y_train, verbose=0, validation_data=(x_val, y_val)
).history
assert sorted(both) == ["loss", "norm", "val_accuracy", "val_loss"]


# at the ends of an epoch the variables are up to date: another name is heard
class RateAtEnds(keras.callbacks.Callback):
    def __init__(self, held, at_begin):
        super().__init__()
        self.held, self.at_begin = held, at_begin

    def on_epoch_begin(self, epoch, logs=None):
        if self.at_begin and epoch == 1:
            self.held.optimizer.learning_rate = 0.5

    def on_epoch_end(self, epoch, logs=None):
        if not self.at_begin and epoch == 0:
            self.held.optimizer.learning_rate = 0.5


for at_begin in (True, False):
    heard = make_classifier()
    heard.compile(optimizer="sgd", loss=loss_fn)
    heard.fit(
        x_train[:64],
        y_train[:64],
        epochs=2,
        verbose=0,
        callbacks=[RateAtEnds(heard, at_begin)],
    )
    assert float(heard.optimizer.learning_rate.value) == 0.5


# sample weights make a third entry
class Entries(ClippedModel):
    def train_step(self, state, data):
        assert len(data) == 3
        return super().train_step(state, data)


weighted_model = Entries(make_classifier().layers)
weighted_model.compile(optimizer="sgd")
weighted_model.fit(x_val, y_val, sample_weight=np.ones(250), verbose=0)


# %% after: optax-with-keras
losses = []
for i in [*range(0, 320, 32)] * 5:
    run, loss = optax_step(run, (x_train[i : i + 32], y_train[i : i + 32]))
    losses.append(float(loss))
assert losses[-1] < losses[0] / 2
# a kernel_constraint is applied by Keras's optimizers only
limited = keras.Sequential(
    [keras.Input((4,)), keras.layers.Dense(3, kernel_constraint="non_neg")]
)
sgd = keras.optimizers.SGD(1.0)
sgd.build(limited.trainable_variables)
ones = [5 * jnp.ones(v.shape) for v in limited.trainable_variables]
pk = values(limited.trainable_variables)
of_keras, _ = sgd.stateless_apply(values(sgd.variables), ones, pk)
of_optax, _ = OptaxOptimizer(optax.sgd(1.0)).stateless_apply(
    optax.sgd(1.0).init(pk), ones, pk
)
assert of_keras[0].min() == 0 and of_optax[0].min() < 0
# the leaves of run fit the structure of run, and not that of start
assert jax.tree.structure(run) != jax.tree.structure(start)
back = jax.tree.unflatten(jax.tree.structure(run), jax.tree.leaves(run))
assert all(
    (a == b).all() for a, b in zip(jax.tree.leaves(back), jax.tree.leaves(run))
)
assert hasattr(optax, "yogi") and not hasattr(keras.optimizers, "Yogi")
# Yogi fits the class, L-BFGS needs more arguments
for other in (optax.yogi(1e-3), optax.adamw(1e-3), optax.sgd(0.1)):
    other = OptaxOptimizer(optax.chain(optax.clip_by_global_norm(1.0), other))
    other.stateless_apply(other.tx.init(pk), ones, pk)
try:
    OptaxOptimizer(optax.lbfgs()).stateless_apply(
        optax.lbfgs().init(pk), ones, pk
    )
    raise SystemExit("L-BFGS fits too")
except TypeError as error:
    assert "'value'" in str(error), error


# %% after: complete-loop
saw = np.mean(np.asarray(out).argmax(-1) == y[512:])
assert abs(saw - float(metric.stateless_result(evaluated[3]))) < 0.005
assert saw > 0.9 and int(evaluated[3][1]) == 128 and int(state[3][1]) == 512
model.compile(optimizer=optimizer)
with tempfile.TemporaryDirectory() as folder:
    model.save(Path(folder) / "model.keras")
    loaded = keras.models.load_model(Path(folder) / "model.keras")
assert int(loaded.optimizer.iterations.value) == 128
assert np.allclose(loaded.predict(x[512:], verbose=0), out, atol=1e-5)
