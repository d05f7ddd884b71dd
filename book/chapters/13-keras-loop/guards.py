"""What this chapter says, in asserts for the tests alone."""

# %% after: title
assert keras.backend.backend() == "jax"
os.environ["KERAS_BACKEND"] = "tensorflow"  # too late: read at import
assert keras.backend.backend() == "jax"
os.environ["KERAS_BACKEND"] = "jax"
assert callable(keras.config.set_backend)


# %% after: keras-model-under-jit 1
expected = np.zeros(2)
for _ in range(3):
    expected = 0.9 * expected + 0.1 * x.mean(0)
assert np.allclose(normalizer.non_trainable_variables[0].value, expected)
assert [v.name for v in normalizer.non_trainable_variables] == [
    "moving_mean",
    "moving_variance",
]
assert [v.name for v in normalizer.trainable_variables] == ["gamma", "beta"]


# %% after: keras-model-under-jit 2
assert len(traces) == 1
assert isinstance(x, np.ndarray)
assert isinstance(mean, jax.core.Tracer)
assert isinstance(
    jitted_normalizer.non_trainable_variables[1].value, jax.core.Tracer
)
# the output itself is right: batch statistics don't depend on the moving ones
assert np.allclose(
    normalize(x), make_normalizer()(x, training=True), atol=1e-5
)
# without training=True nothing leaks, but the values are read at trace time
frozen = make_normalizer()
infer = jax.jit(lambda x: frozen(x))
before = infer(x)
frozen.non_trainable_variables[0].assign([100.0, 100.0])
assert np.allclose(infer(x), before)  # compiled program: the old value
assert not np.allclose(frozen(x), before)  # the object: the new one
# in training mode too: the scale is a constant in the compiled program
before = normalize(x)
jitted_normalizer.trainable_variables[0].assign([2.0, 2.0])
assert np.allclose(normalize(x), before)
jitted_normalizer.trainable_variables[0].assign([1.0, 1.0])
# dropout's seed leaks too
dropper = keras.Sequential([keras.Input((2,)), keras.layers.Dropout(0.5)])
jax.jit(lambda x: dropper(x, training=True))(x)
assert isinstance(dropper.variables[0].value, jax.core.Tracer)


# %% after: keras-model-under-jit 3
message = ""
try:
    jitted_normalizer(x)
except jax.errors.UnexpectedTracerError as error:
    message = str(error)
assert "function being traced when the value leaked was normalize" in message
try:  # another shape: a new trace, which reads the tracer
    normalize(x[:2])
    raise SystemExit("accepted")
except jax.errors.UnexpectedTracerError:
    pass


# %% after: keras-model-under-jit
assert np.allclose(non_trainable[0], expected)
assert isinstance(model.non_trainable_variables[0].value, jax.Array)
assert not model.non_trainable_variables[0].value.any()
assert np.allclose(output, normalizer(x, training=True), atol=1e-5)
result = normalize_step(params, non_trainable, x)
assert isinstance(result, tuple) and len(result) == 2
assert isinstance(result[1], list) and len(result[1]) == 2
# the arguments decide, even in a trace after the object has changed
for variable in model.variables:
    variable.assign([7.0, 7.0])
retraced = jax.jit(lambda *a: model.stateless_call(*a, training=True))
pairs = zip(
    *map(jax.tree.leaves, (retraced(params, non_trainable, x), result))
)
assert all((a == b).all() for a, b in pairs)
for variable, array in zip(model.variables, (1.0, 0.0, 0.0, 1.0)):
    variable.assign([array, array])


# %% after: four-lists-of-variables
assert images.min() == 0 and images.max() == 1 and len(images) == 1797
assert not set(train) & set(validation) and not set(train) & set(test)
a, b = make_classifier(), make_classifier()
assert all(
    (u.value == v.value).all()
    for u, v in zip(a.trainable_variables, b.trainable_variables)
)
assert optimizer.variables[0] is optimizer.iterations
assert optimizer.variables[1].name == "learning_rate"
assert (
    len(keras.optimizers.SGD(0.1).variables) == 2
)  # before build: step, rate
assert len(classifier.variables) == len(classifier.trainable_variables) + len(
    classifier.non_trainable_variables
)
# the step number and the rate are there before build, the moments are not
assert len(keras.optimizers.Adam(1e-3).variables) == 2
assert [v.shape for v in classifier.non_trainable_variables] == [
    (64,),
    (64,),
    (2,),
]
assert str(classifier.non_trainable_variables[2].value.dtype) == "uint32"


# %% after: training-step
def contract(state):
    return jax.tree.map(lambda a: (a.shape, str(a.dtype), a.weak_type), state)


assert old == new
assert contract(new_state) == contract(initial_state)
typed, weak = (
    jax.eval_shape(lambda s: s, initial_state._replace(params=[number]))
    for number in (jnp.float32(1), 1.0)
)
assert weak != typed  # equal in structure, shape and dtype
promised, _ = jax.eval_shape(step, initial_state, batch)
assert contract(promised) == contract(initial_state)
assert (
    int(new_state.non_trainable[2][1]) == 1
    and int(new_state.opt_state[0]) == 1
)
assert int(optimizer.iterations.value) == 0
again, again_loss = step(
    initial_state, batch
)  # same state, same data: same result
assert jax.tree.all(
    jax.tree.map(lambda a, b: bool((a == b).all()), again, new_state)
)
assert len(jax.tree.leaves(initial_state)) == 20
assert all(isinstance(a, jax.Array) for a in jax.tree.leaves(initial_state))
donor = make_classifier()
donor.compile(optimizer="sgd", loss=loss_fn)
shared = [variable.value for variable in donor.variables]
donor.predict(x_val, verbose=0)
assert all(array.is_deleted() for array in shared)
shared = [variable.value for variable in donor.trainable_variables]
donor.fit(x_val, y_val, verbose=0)
assert all(array.is_deleted() for array in shared)
two_aux = jax.value_and_grad(lambda p: (p.sum(), 1, 2), has_aux=True)
three_results = "accepted"
try:
    two_aux(jnp.ones(2))
except TypeError as error:
    three_results = "TypeError"
    assert "two-element tuple" in str(error)
assert three_results == "TypeError"
one, _ = step(initial_state, (x_train[:1], y_train[:1]))  # a batch of one
assert contract(one) == contract(initial_state)
assert not any(bool(jnp.isnan(a).any()) for a in one.params)


# %% after: training-loop 2
assert int(state.opt_state[0]) == 400 == int(state.non_trainable[2][1])
assert right > 0.93
assert losses[-1] < losses[0] / 5
assert (np.array(losses) > val_losses).all()
assert (np.diff(losses) < 0).all() and (np.diff(val_losses) < 0).all()
# computed in the same way, the two losses are close
of_train = float(loss_fn(y_train, logits_of(state, x_train)))
assert abs(of_train - val_losses[-1]) < (losses[-1] - val_losses[-1]) / 4
assert len(list(batches(x_train, y_train, 32, np.random.default_rng(0)))) == 40
assert (
    list(batches(x_train[:5], y_train[:5], 32, np.random.default_rng(0))) == []
)
assert step._cache_size() >= 1


# %% after: training-loop 4
assert right > 0.9


# %% after: training-loop
assert same
assert np.mean(of_object.argmax(-1) == y_val) < 0.3
for array, variable in zip(
    initial_state.params + initial_state.non_trainable,
    classifier.trainable_variables + classifier.non_trainable_variables,
    strict=True,
):
    assert (array == variable.value).all()
assert not any(a.is_deleted() for a in jax.tree.leaves((initial_state, state)))


# %% after: training-left-out
assert moved and int(draws) == 40
out_default, _ = classifier.stateless_call(
    initial_state.params, initial_state.non_trainable, x
)
out_false, kept = classifier.stateless_call(
    initial_state.params, initial_state.non_trainable, x, training=False
)
assert (out_default == out_false).all()
assert all((a == b).all() for a, b in zip(kept, initial_state.non_trainable))


class TrainsByDefault(keras.Model):
    def __init__(self):
        super().__init__()
        self.dropout = keras.layers.Dropout(0.5)

    def call(self, x, training=True):
        return self.dropout(x, training=training)


default_on = TrainsByDefault()
default_on(x)
start_seed = values(default_on.non_trainable_variables)
_, seed = default_on.stateless_call([], start_seed, x)
assert int(seed[0][1]) == int(start_seed[0][1]) + 1  # its own default counts


# without training=True the loss falls all the same, and dropout never draws
def silent_loss(params, non_trainable, x, y):
    logits, non_trainable = classifier.stateless_call(params, non_trainable, x)
    return loss_fn(y, logits), non_trainable


silent_grads = jax.jit(jax.value_and_grad(silent_loss, has_aux=True))
silent, silent_losses = initial_state, []
for data in batches(x_train, y_train, 32, np.random.default_rng(1)):
    (value, rest), grads = silent_grads(*silent[:2], *data)
    silent_params, opt_state = optimizer.stateless_apply(
        silent.opt_state, grads, silent.params
    )
    silent = TrainState(silent_params, rest, opt_state)
    silent_losses.append(float(value))
assert np.mean(silent_losses[-5:]) < np.mean(silent_losses[:5]) - 0.3
assert (silent.non_trainable[0] == 0).all()  # the mean it normalizes with
assert (silent.non_trainable[1] == 1).all()  # and the variance


# %% after: training-in-call
assert int(new[0][1]) == 0
assert int(forgetful.non_trainable_variables[0].value[1]) == 1


class Careful(Forgetful):
    def call(self, x, training=False):
        return self.dense(self.dropout(x, training=training))


careful = Careful()
careful(x_train[:1])
_, new = careful.stateless_call(
    values(careful.trainable_variables),
    values(careful.non_trainable_variables),
    x_train,
    training=True,
)
assert int(new[0][1]) == 1


# a call without the argument isn't silent: stateless_call passes it on
class TakesNoTraining(Forgetful):
    def call(self, x):
        return self.dense(self.dropout(x))


takes_none = TakesNoTraining()
takes_none(x_train[:1], training=True)  # called as an object it's accepted
without_argument = "accepted"
try:
    takes_none.stateless_call(
        values(takes_none.trainable_variables),
        values(takes_none.non_trainable_variables),
        x_train,
        training=True,
    )
except TypeError as error:
    without_argument = "TypeError"
    assert "unexpected keyword argument 'training'" in str(error)
assert without_argument == "TypeError"


# fit behaves like stateless_call: the forgetful model draws nothing
fitted = Forgetful()
fitted.compile(loss=loss_fn, optimizer="sgd")
fitted.fit(x_train[:64], y_train[:64], batch_size=32, verbose=0)
assert int(fitted.non_trainable_variables[0].value[1]) == 0


# %% after: argument-order
assert 1.01 > jnp.min(exchanged[0]) > 0.99 and max(moves) > 0.9
assert all(
    jnp.abs(new - g).max() < 1.01e-3 for new, g in zip(exchanged, grads)
)
assert [a.shape for a in exchanged] == [a.shape for a in params]
assert len(grads) == len(params) == 5


def raises(kind, call, *arguments):
    try:
        call(*arguments)
    except kind:
        return True
    return False


# the largest move is from about 1 to the smallest weight
smallest = min(float(array.min()) for array in initial_state.params)
assert np.isclose(max(moves), 1 - smallest, atol=2e-3)
# the shapes of the params are checked, those of the gradients aren't
turned = [array.T for array in params]
assert raises(ValueError, optimizer.stateless_apply, opt_state, grads, turned)
optimizer.stateless_apply(opt_state, [jnp.ones(())] * 5, params)
# counts differ: loud
assert raises(ValueError, optimizer.stateless_apply, params, grads, opt_state)
three = jax.value_and_grad(lambda p: (p.sum(), 1, 2), has_aux=True)
assert raises(TypeError, three, params[1])


# %% after: labels-and-logits
right_values = list(cases.values())[:3]
assert np.allclose(right_values, right_values[0], atol=1e-4)
by_hand = -jax.nn.log_softmax(logits)[jnp.arange(len(y)), y].mean()
assert np.allclose(by_hand, right_values[0], atol=1e-4)
assert abs(cases["from_logits forgotten"] - by_hand) > 0.1
assert abs(cases["softmax applied twice"] - by_hand) > 0.1
for wrong in (lambda: dense(from_logits=True)(y, logits),):
    try:
        wrong()
        raise SystemExit("accepted")
    except ValueError:
        pass
assert np.allclose(
    sparse(from_logits=True)(y[:, None], logits), by_hand, atol=1e-4
)
ten_on = sparse(from_logits=True, reduction=None)(
    jnp.array([9, 10]), logits[:2]
)
assert ten_on[0] > 0 and ten_on[1] == 0  # class 10 of 0 to 9: no error
of_ten = lambda logits: sparse(from_logits=True)(jnp.array([10]), logits)
assert not jax.grad(of_ten)(logits[:1]).any()
assert loss_fn.reduction == "sum_over_batch_size"
per_image = sparse(from_logits=True, reduction=None)(y, logits)
assert per_image.shape == (250,) and np.allclose(
    per_image.mean(), by_hand, atol=1e-4
)
# a penalty: jnp.sum refuses a list and a generator, Python's sum takes both
penalty = [jnp.sum(array**2) for array in initial_state.params]
try:
    jnp.sum(penalty)
    raise SystemExit("accepted")
except TypeError as error:
    assert str(error).startswith(
        "sum requires ndarray or scalar arguments, got <class 'list'>"
    )
assert raises(TypeError, jnp.sum, (a for a in penalty))
assert isinstance(sum(a for a in penalty), jax.Array)
assert sum(penalty).shape == ()


# %% after: learning-rate-and-schedules
optimizer.learning_rate = 1e-3
counts = []


@jax.jit
def counting(state):
    counts.append(1)
    return make_step(classifier, optimizer, loss_fn)(state, batch)


def with_rate(rate):
    opt_state = list(initial_state.opt_state)
    opt_state[1] = rate
    return initial_state._replace(opt_state=opt_state)


counting(initial_state)
counting(with_rate(jnp.zeros_like(initial_state.opt_state[1])))
assert len(counts) == 1
counting(with_rate(0.0))
assert len(counts) == 2  # a Python number is weakly typed


class Stop(keras.callbacks.Callback):
    def on_epoch_begin(self, epoch, logs=None):
        if epoch == 1:
            self.model.optimizer.learning_rate = 0.0

    def on_epoch_end(self, epoch, logs=None):
        kernels.append(np.array(self.model.trainable_variables[0].value))


kernels, fitted = [], make_classifier()
fitted.compile(optimizer=keras.optimizers.SGD(0.1), loss=loss_fn)
fitted.fit(x_val, y_val, epochs=3, verbose=0, callbacks=[Stop()])
assert (kernels[0] == kernels[2]).all()
fitted.optimizer.learning_rate = 0.1
fitted.fit(x_val, y_val, verbose=0)
assert (kernels[2] != np.array(fitted.trainable_variables[0].value)).any()


def movement(old, new):
    return max(float(abs(a - b).max()) for a, b in zip(old.params, new.params))


assert movement(state, new_state) > 0 and movement(state, stopped) == 0
assert int(run.opt_state[0]) == 40
assert np.isclose(schedule(run.opt_state[0]), 0.05, atol=1e-4)
assert (
    len(scheduled.variables) == 1
)  # plain SGD with a schedule: the step number only
assert raises(TypeError, setattr, scheduled, "learning_rate", 0.0)
# the schedule follows the state's step number
late = run._replace(opt_state=[jnp.full_like(run.opt_state[0], 80)])
after, _ = scheduled_step(late, batch)
assert movement(late, after) == 0


# %% after: must-be-built
unbuilt = Forgetful()
assert len(unbuilt.trainable_variables) == 0
assert len(unbuilt.variables) == 1  # dropout's seed is there before build
unbuilt(x_train[:1])
assert (
    len(unbuilt.trainable_variables) == 2
    and len(unbuilt.non_trainable_variables) == 1
)
bare = keras.Sequential([keras.layers.Dense(2)])
assert raises(ValueError, bare.stateless_call, [], [], x_train[:1])
bare(x_train[:1])
assert len(bare.trainable_variables) == 2
try:  # an unbuilt optimizer
    keras.optimizers.Adam(1e-3).stateless_apply(
        [], grads, initial_state.params
    )
    raise SystemExit("accepted")
except ValueError as error:
    assert "built" in str(error)


# %% after: frozen-layers
assert changed == ["seed_generator_state"]
assert (len(params), len(old)) == (3, 5)
try:  # a state taken out before freezing no longer fits
    frozen.stateless_call(
        initial_state.params, initial_state.non_trainable, x_train
    )
    raise SystemExit("accepted")
except ValueError as error:
    assert "Received list with length 5, but expected 3" in str(error)
frozen.layers[1].trainable = True
assert len(frozen.trainable_variables) == 5
# a compiled step doesn't see a freeze: it goes on training the layer
late = jax.jit(make_step(frozen, optimizer, loss_fn))
run, _ = late(initial_state, batch)
frozen.layers[1].trainable = False
after, _ = late(run, batch)
assert (after.params[1] != run.params[1]).any()  # gamma
assert (after.non_trainable[0] != run.non_trainable[0]).any()
assert raises(ValueError, late, run, (x_train[:5], y_train[:5]))  # a trace


# %% after: batches-for-the-step
assert len(dataset) == 21 and traces[:2] == [64, 17]


class NoArray:
    shape, dtype = (64, 64), np.dtype("float32")


# objects that only look like arrays are refused
data = NoArray(), y_train[:64]
assert raises(TypeError, counted_step, initial_state, data)
more = len(traces)
counted_step(
    initial_state, (jnp.asarray(x_train[:64]), jnp.asarray(y_train[:64]))
)
assert len(traces) == more  # NumPy and JAX arrays share a cache entry
counted_step(initial_state, (x_train[:64].astype("float64"), y_train[:64]))
assert len(traces) == more  # float64 becomes float32 before the look-up
counted_step(initial_state, (x_train[:64].astype("float16"), y_train[:64]))
assert len(traces) == more + 1
assert len(x_train) == 1297 == 20 * 64 + 17
