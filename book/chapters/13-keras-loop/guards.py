"""What this chapter says, in asserts for the tests alone."""

# %% after: title
assert keras.backend.backend() == "jax"
os.environ["KERAS_BACKEND"] = "tensorflow"  # too late: read at import
assert keras.backend.backend() == "jax"
os.environ["KERAS_BACKEND"] = "jax"
assert images.min() == 0 and images.max() == 1 and len(images) == 1797
assert len(x_train) == 1280 == 40 * 32 and len(x_val) == 250
a, b = make_classifier(), make_classifier()  # equal initial weights
assert all((u.value == v.value).all() for u, v in zip(a.weights, b.weights))
assert loss < 0.3 and int(state.opt_state[0]) == 400
assert len(jax.tree.leaves(initial_state)) == 20
assert sum(moved(a, values(b)) for a, b in zip(initial_state, lists)) == 0
assert sum(moved(a, b) for a, b in zip(initial_state, state)) == 5 + 3 + 11


def state_of(model, optimizer):
    """The arrays that the two objects hold."""
    of_model = model.trainable_variables, model.non_trainable_variables
    return TrainState(*map(values, (*of_model, optimizer.variables)))


assert int(state.non_trainable[2][1]) == 400  # one draw a step
# nothing complained, and each variable holds what it held, bit for bit
for array, variable in zip(
    jax.tree.leaves(initial_state),
    classifier.trainable_variables
    + classifier.non_trainable_variables
    + optimizer.variables,
    strict=True,
):
    assert (array == variable.value).all()
assert accuracy(classifier.predict(x_val, verbose=0), y_val) < 0.2


# %% after: training-loop 1
assert accuracy(logits_of(state, x_val), y_val) > 0.95
# what the object computes is what the initial state computes
of_object = classifier.predict(x_val, verbose=0)
assert np.allclose(of_object, logits_of(initial_state, x_val), atol=1e-4)
assert np.allclose(of_object, classifier(x_val, training=False), atol=1e-4)
# predict donates the object's arrays; the state's are copies and survive
donor = make_classifier()
shared = [variable.value for variable in donor.variables]
donor.predict(x_val, verbose=0)
assert all(array.is_deleted() for array in shared)
assert not any(a.is_deleted() for a in jax.tree.leaves((initial_state, state)))
# evaluation mode returns the non-trainable list as it was
_, same_list = classifier.stateless_call(*state[:2], x_val, training=False)
assert all((a == b).all() for a, b in zip(same_list, state.non_trainable))
# nor does the object notice a step without jit, a scan, or a vmap of states
plain_step = make_step(classifier, optimizer, loss_fn)
begun, data = state_of(classifier, optimizer), (x_train[:32], y_train[:32])
plain_step(begun, data)
two = jax.tree.map(lambda a: jnp.stack([jnp.asarray(a)] * 2), data)
scanned, _ = jax.jit(lambda s: jax.lax.scan(plain_step, s, two))(begun)
assert int(scanned.opt_state[0]) == 2
pair = jax.tree.map(lambda a: jnp.stack([a, a]), begun)
both, _ = jax.vmap(plain_step, in_axes=(0, None))(pair, data)
assert both.non_trainable[0].shape == (2, 64)
for array, held in zip(
    jax.tree.leaves(begun),
    jax.tree.leaves(state_of(classifier, optimizer)),
    strict=True,
):
    assert (array == held).all()
# assigned with a copy, the state's values make predict right and survive it
assigned = make_classifier()
targets = assigned.trainable_variables + assigned.non_trainable_variables
learned = [*state.params, *state.non_trainable]
for variable, array in zip(targets, learned, strict=True):
    variable.assign(jnp.copy(array))
predicted = assigned.predict(x_val, verbose=0)
assert accuracy(predicted, y_val) > 0.95
assert np.allclose(predicted, logits_of(state, x_val), atol=1e-4)
assert not any(array.is_deleted() for array in learned)
# without the copy the variables share the arrays, and predict deletes them
lent = [jnp.copy(array) for array in learned]
for variable, array in zip(targets, lent, strict=True):
    variable.assign(array)
assigned.predict(x_val, verbose=0)
assert all(array.is_deleted() for array in lent)


# %% after: training-loop
# the third cell's model was assigned copies, and classifier is as it was
assert accuracy(trained.predict(x_val, verbose=0), y_val) > 0.95
assert not any(array.is_deleted() for array in jax.tree.leaves(state))
for array, held in zip(
    jax.tree.leaves(initial_state),
    jax.tree.leaves(state_of(classifier, optimizer)),
    strict=True,
):
    assert (array == held).all()
# three losses of the same run: training, validation from state and object
again, rng, curves = initial_state, np.random.default_rng(1), []
for _ in range(10):
    again, loss = train_epoch(step, again, rng)
    of_state = loss_fn(y_val, logits_of(again, x_val))
    of_object = loss_fn(y_val, classifier.predict(x_val, verbose=0))
    curves.append([loss, float(of_state), float(of_object)])
assert 8.5 < curves[0][0] / curves[-1][0] < 9.5
curves = np.array(curves)
assert (np.diff(curves[:, 0]) < 0).all()
assert (np.diff(curves[:, 1]) < 0.01).all() and curves[-1, 1] < 0.2
assert np.ptp(curves[:, 2]) < 1e-5 and 2.3 < curves[0, 2] < 2.6
assert (curves[:, 0] > curves[:, 1]).all()  # dropout, and an epoch's mean


# %% after: keras-model-under-jit 1
assert held == [
    "moving_mean",
    "moving_variance",
    "seed_generator_state",
]
tracer_error = jax.errors.UnexpectedTracerError
assert _raises(tracer_error, "Encountered an unexpected tracer", leaky, x_val)
# a batch of another shape: a new trace, which reads the tracer
assert _raises(tracer_error, "", train_mode, x_train[:16])
train_mode(x_train[:32])  # the compiled program goes on without an error
# arrays assigned to the variables that hold tracers rescue the model
for variable, array in zip(
    leaky.non_trainable_variables, initial_state.non_trainable, strict=True
):
    assert isinstance(variable.value, jax.core.Tracer)
    variable.assign(jnp.copy(array))
assert not any(isinstance(v.value, jax.core.Tracer) for v in leaky.variables)
leaky(x_train[:32], training=True)
for variable, array in zip(
    leaky.non_trainable_variables, initial_state.non_trainable, strict=True
):
    variable.assign(jnp.copy(array))
rescued = logits_of(initial_state, x_val)
assert np.allclose(leaky(x_val), rescued, atol=1e-4)
assert np.allclose(leaky.predict(x_val, verbose=0), rescued, atol=1e-4)
# with BatchNormalization alone the output is right all the same
only = keras.Sequential([keras.Input((2,)), keras.layers.BatchNormalization()])
twin = keras.Sequential([keras.Input((2,)), keras.layers.BatchNormalization()])
x = np.array([[0.0, 10.0], [2.0, 30.0], [4.0, 50.0]], "float32")
jitted = jax.jit(lambda x: only(x, training=True))
assert np.allclose(jitted(x), twin(x, training=True), atol=1e-5)
# and without jit the object does move: nothing is stateless there
assert twin.non_trainable_variables[0].value.any()


# %% after: keras-model-under-jit
# evaluation mode leaks nothing, but the values are constants of the trace
assert not any(isinstance(v.value, jax.core.Tracer) for v in calm.variables)
assert accuracy(calm(x_val), y_val) > 0.95 and len(calm.get_weights()) == 7
untrained = logits_of(initial_state, x_val)
assert np.allclose(infer(x_val), untrained, atol=1e-4)  # the old weights
# until another trace, which reads the new ones
assert np.allclose(infer(x_val[:16]), calm(x_val[:16]), atol=1e-4)
# optimizer.apply inside jit leaks too, into weights and moments
gone = make_classifier()
adam = keras.optimizers.Adam(1e-3)
adam.build(gone.trainable_variables)
jax.jit(
    lambda: adam.apply([jnp.ones(v.shape) for v in gone.trainable_variables])
)()
assert isinstance(gone.trainable_variables[0].value, jax.core.Tracer)
assert isinstance(adam.iterations.value, jax.core.Tracer)
# stateless_call needs the variables' arrays, not their values in the object
for variable in calm.variables:
    if "float" in str(variable.dtype):
        variable.assign(jnp.full(variable.shape, 7.0))
told = calm.stateless_call(*initial_state[:2], x_val, training=False)[0]
assert np.allclose(told, logits_of(initial_state, x_val), atol=1e-4)


# Keras variables themselves as arguments: refused since jax 0.8
def with_variables():
    passed = initial_state._replace(params=classifier.trainable_variables)
    return jax.jit(make_step(classifier, optimizer, loss_fn))(passed, data)


if jax.__version_info__ >= (0, 10):
    refused = ""
    try:
        with_variables()
    except ValueError as error:
        refused = str(error)
    assert refused.startswith("Triggering __jax_array__() during abstractif")


# %% after: four-lists-of-variables 1
assert [len(variables) for variables in lists] == [5, 3, 12]
assert [v.name for v in classifier.non_trainable_variables] == [
    "moving_mean",
    "moving_variance",
    "seed_generator_state",
]
assert optimizer.variables[0] is optimizer.iterations
assert optimizer.variables[1].name == "learning_rate"
assert len(classifier.variables) == 5 + 3
assert all(isinstance(a, jax.Array) for a in jax.tree.leaves(initial_state))


# %% after: four-lists-of-variables
assert moved(initial_state.opt_state, new_state.opt_state) == 11
assert (initial_state.opt_state[1] == new_state.opt_state[1]).all()  # the rate
assert jax.tree.all(
    jax.tree.map(lambda a, b: bool((a == b).all()), again, new_state)
)
counts = []


@jax.jit
def counting_step(state):
    counts.append(1)
    return make_step(classifier, optimizer, loss_fn)(state, batch)


counting_step(initial_state)
counting_step(jax.tree.map(np.asarray, initial_state))  # NumPy arrays fit
assert len(counts) == 1


# what a call assigns to a variable comes back in one list only
class Counting(keras.layers.Layer):
    """Three ways to count the calls."""

    def __init__(self):
        super().__init__()
        of_weight = {"shape": (), "initializer": "zeros"}
        self.in_params = self.add_weight(**of_weight)
        self.in_rest = self.add_weight(**of_weight, trainable=False)
        self.attribute = 0

    def call(self, x):
        self.attribute += 1
        self.in_params.assign_add(1.0)
        self.in_rest.assign_add(1.0)
        return x + self.in_rest


counting = keras.Sequential([keras.Input((1,)), Counting()])
layer = counting.layers[0]
layer.attribute = 0
params, rest = (
    values(counting.trainable_variables),
    values(counting.non_trainable_variables),
)
pure = jax.jit(lambda *a: counting.stateless_call(*a, training=True))
for _ in range(3):
    result = pure(params, rest, jnp.zeros((1, 1)))
    out, rest = result
assert len(result) == 2 and float(rest[0]) == 3
assert float(params[0]) == float(layer.in_params.value) == 0  # lost
assert layer.attribute == 1  # once per trace
assert float(layer.in_rest.value) == 0


# a variable that no layer tracks is in none of the lists: its value is lost
class Untracked(keras.layers.Layer):
    def __init__(self):
        super().__init__()
        hidden = keras.Variable(0.0, trainable=False)
        self.get = lambda: hidden

    def call(self, x):
        self.get().assign_add(1.0)
        return x + self.get()


untracked = keras.Sequential([keras.Input((1,)), Untracked()])
assert untracked.variables == []
pure = jax.jit(lambda x: untracked.stateless_call([], [], x)[0])
assert [float(pure(jnp.zeros((1, 1)))[0, 0]) for _ in range(2)] == [1.0, 1.0]
assert float(untracked.layers[0].get().value) == 0


# random numbers: a generator in no list repeats, one of a layer moves
generator = keras.random.SeedGenerator(0)
noisy = jax.jit(lambda x: x + keras.random.normal(x.shape, seed=generator))
assert (noisy(jnp.zeros(2)) == noisy(jnp.zeros(2))).all()
assert isinstance(generator.state.value, jax.core.Tracer)
unseeded = ""
try:
    jax.jit(lambda x: x + keras.random.normal(x.shape))(jnp.zeros(2))
except ValueError as error:
    unseeded = str(error)
assert unseeded.startswith("[JAX RNG] When tracing a JAX function")


# the picture's model: what one step makes of a value in each list
pictured = keras.Sequential(
    [
        keras.Input((1,)),
        keras.layers.BatchNormalization(momentum=0.9),
        keras.layers.Dropout(0.2),
        keras.layers.Dense(1, use_bias=False, kernel_initializer="ones"),
    ]
)
adam, three = keras.optimizers.Adam(0.1), jnp.array([[0.0], [2.0], [4.0]])
adam.build(pictured.trainable_variables)
squared = keras.losses.MeanSquaredError()
begun = state_of(pictured, adam)
after, _ = make_step(pictured, adam, squared)(begun, (three, 0 * three))
shown = [
    [f"{float(s.params[2][0, 0]):.2f}", f"{float(s.non_trainable[0][0]):.2f}"]
    for s in (begun, after)
]
assert shown == [["1.00", "0.00"], ["0.90", "0.20"]]


# the metric's variables are a fourth list
metric = keras.metrics.SparseCategoricalAccuracy()
assert len(metric.variables) == 2
# losses that layers add need no list: a third result, from the values passed
penalized = keras.Sequential(
    [
        keras.Input((2,)),
        keras.layers.Dense(
            1, use_bias=False, kernel_regularizer=keras.regularizers.L2(0.1)
        ),
    ]
)
twos = [jnp.full((2, 1), 2.0)]
assert len(penalized.stateless_call(twos, [], jnp.ones((1, 2)))) == 2
_, _, penalties = penalized.stateless_call(
    twos, [], jnp.ones((1, 2)), return_losses=True
)
assert np.allclose(penalties, [0.1 * (4 + 4)])


# %% after: learning-rate-and-schedules
assert moved(state.params, step(state, batch)[0].params) == 5
counts.clear()


def with_rate(rate):
    opt_state = list(initial_state.opt_state)
    opt_state[1] = rate
    return initial_state._replace(opt_state=opt_state)


counting_step(initial_state)
counting_step(with_rate(jnp.zeros_like(initial_state.opt_state[1])))
assert len(counts) == 0  # traced before, in another section's guard
counting_step(with_rate(0.0))
assert len(counts) == 1  # a Python number is weakly typed


# fit reads the object's rate when an epoch starts
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


# %% after: learning-rate-and-schedules
# with a schedule the rate is in no list; the step number is
schedule = keras.optimizers.schedules.CosineDecay(1e-3, decay_steps=80)
scheduled = keras.optimizers.Adam(schedule)
scheduled.build(classifier.trainable_variables)
scheduled_step = jax.jit(make_step(classifier, scheduled, loss_fn))
run = state_of(classifier, scheduled)
run, _ = train_epoch(scheduled_step, run, np.random.default_rng(2))
assert "learning_rate" not in [v.name for v in scheduled.variables]
assert scheduled.variables[0] is scheduled.iterations
assert int(run.opt_state[0]) == 40 and int(scheduled.iterations.value) == 0
assert np.isclose(schedule(run.opt_state[0]), 0.5e-3, atol=1e-6)
assert np.isclose(scheduled.learning_rate, 1e-3)  # the object is at step 0
assert _raises(TypeError, "", setattr, scheduled, "learning_rate", 0.0)
late = list(run.opt_state)
late[0] = jnp.full_like(late[0], 80)  # the step reads the tuple's number
late = run._replace(opt_state=late)
assert moved(late.params, scheduled_step(late, batch)[0].params) == 0


# %% after: frozen-layers
assert moved(state.params, new_state.params) == 5
assert len(classifier.trainable_variables) == 5
# a layer frozen after the first step goes on training, until another trace
partly = make_classifier()
own = keras.optimizers.Adam(1e-3)
own.build(partly.trainable_variables)
partly_step = jax.jit(make_step(partly, own, loss_fn))
first, _ = partly_step(state_of(partly, own), batch)
partly.layers[1].trainable = False
second, _ = partly_step(first, batch)
assert (second.params[1] != first.params[1]).any()  # gamma
assert _raises(
    ValueError,
    "Received list with length 5, but expected 3 variables",
    partly_step,
    second,
    (x_train[:16], y_train[:16]),
)
# frozen first: state, optimizer and step made from the same lists fit
early = make_classifier()
early.layers[1].trainable = False
own = keras.optimizers.Adam(1e-3)
own.build(early.trainable_variables)
begun = state_of(early, own)
assert [len(a) for a in begun] == [3, 5, 2 + 2 * 3]
after, _ = jax.jit(make_step(early, own, loss_fn))(begun, batch)
assert (after.non_trainable[0] == begun.non_trainable[0]).all()  # gamma
# a step is traced once for every size of a batch
traces = []


@jax.jit
def counted_step(state, data):
    traces.append(len(data[0]))
    return make_step(classifier, optimizer, loss_fn)(state, data)


counted = initial_state
for start in range(0, 200, 64):
    rows = slice(start, min(start + 64, 200))
    counted, _ = counted_step(counted, (x_train[rows], y_train[rows]))
assert traces == [64, 8] and int(counted.opt_state[0]) == 4


# %% after: training-step
assert len(keras.optimizers.SGD(0.1).variables) == 2
assert len(optimizer.variables) == 2 + 2 * 5
# the list that is dropped was new, and all else is what the right step makes
kept_state, kept_loss = make_step(classifier, optimizer, loss_fn)(
    initial_state, batch
)
dropped_state, dropped_loss = dropping_step(initial_state, batch)
assert np.isclose(kept_loss, dropped_loss, atol=1e-5)
assert moved(dropped_state.non_trainable, kept_state.non_trainable) == 3
assert moved(initial_state.non_trainable, dropped_state.non_trainable) == 0
for a, b in zip(kept_state.params, dropped_state.params):
    assert np.allclose(a, b, atol=1e-5)
assert [v.name for v in unbuilt.variables] == ["iteration", "learning_rate"]
# has_aux wants two results
three_results = jax.value_and_grad(lambda p: (p.sum(), 1, 2), has_aux=True)
assert _raises(TypeError, "two-element tuple", three_results, jnp.ones(2))
# integers among the params are refused: which list comes first matters
swapped_lists = lambda rest, params: classifier.stateless_call(
    params, rest, x_train[:1]
)[0].sum()
assert _raises(
    TypeError,
    "grad requires real- or complex-valued inputs",
    jax.grad(swapped_lists),
    initial_state.non_trainable,
    initial_state.params,
)
# an optimizer that wasn't built
ones = [jnp.ones_like(a) for a in initial_state.params]
unbuilt_adam = keras.optimizers.Adam(1e-3).stateless_apply
assert _raises(
    ValueError, "built", unbuilt_adam, [], ones, initial_state.params
)


# %% after: argument-order
assert 1.01 > jnp.min(swapped[0]) > 0.99 and max(moves) > 0.9
assert all(jnp.abs(new - g).max() < 1.01e-3 for new, g in zip(swapped, grads))
assert len(grads) == len(params) == 5
smallest = min(float(array.min()) for array in initial_state.params)
assert np.isclose(max(moves), 1 - smallest, atol=2e-3)


apply = optimizer.stateless_apply
turned = [array.T for array in params]  # the shapes of params are checked
assert _raises(ValueError, "", apply, opt_state, grads, turned)
apply(opt_state, [jnp.ones(())] * 5, params)  # those of gradients aren't
assert _raises(
    ValueError, "", apply, params, grads, opt_state
)  # counts differ
assert _raises(
    ValueError, "", apply, grads, opt_state, params
)  # as in the example
# plain SGD, real gradients: silent as well
sgd = keras.optimizers.SGD(0.1)
sgd.build(classifier.trainable_variables)
assert _raises(
    ValueError, "", sgd.stateless_apply, grads, values(sgd.variables), params
)
silent, _ = sgd.stateless_apply(values(sgd.variables), params, grads)
assert jnp.abs(silent[0] - params[0]).max() > 0.9
# stateless_call: the two lists exchanged are refused, their lengths differ
call = lambda *a: classifier.stateless_call(*a, x_val)
assert _raises(ValueError, "", call, initial_state[1], initial_state[0])


# %% after: labels-and-logits
sparse = keras.losses.SparseCategoricalCrossentropy
logits = logits_of(initial_state, x_val)
probabilities = jax.nn.softmax(logits)
twice = sparse(from_logits=True)(y_val, probabilities)
by_hand = -jax.nn.log_softmax(logits)[jnp.arange(250), y_val].mean()
assert np.allclose(by_hand, sparse(from_logits=True)(y_val, logits), atol=1e-4)
assert np.allclose(by_hand, sparse()(y_val, probabilities), atol=1e-4)
assert abs(sparse()(y_val, logits) - by_hand) > 0.1
assert abs(twice - by_hand) > 0.1
# all arrays move with the wrong loss, too
off, _ = make_step(classifier, optimizer, sparse())(initial_state, batch)
assert [moved(a, b) for a, b in zip(initial_state, off)] == [5, 3, 11]


# %% after: training-left-out
out_default, _ = classifier.stateless_call(*initial_state[:2], x_val)
out_false, kept = classifier.stateless_call(
    *initial_state[:2], x_val, training=False
)
assert (out_default == out_false).all()
assert all((a == b).all() for a, b in zip(kept, initial_state.non_trainable))
assert moved(initial_state.non_trainable, new_state.non_trainable) == 0
assert moved(initial_state.params, new_state.params) == 5
_, trained = classifier.stateless_call(
    *initial_state[:2], x_train[:32], training=True
)
assert moved(initial_state.non_trainable, trained) == 3


# a call that takes the argument and doesn't pass it on
class Forgetful(keras.Model):
    def __init__(self):
        super().__init__()
        self.dropout = keras.layers.Dropout(0.5)
        self.dense = keras.layers.Dense(10)

    def call(self, x, training=False):
        return self.dense(self.dropout(x))


def draws_of(model) -> int:
    """How often dropout draws in one stateless call in training mode."""
    start = values(model.non_trainable_variables)
    params = values(model.trainable_variables)
    _, new = model.stateless_call(params, start, x_val, training=True)
    return int(new[0][1]) - int(start[0][1])


forgetful = Forgetful()
forgetful(x_val[:1])
assert draws_of(forgetful) == 0
forgetful(x_val, training=True)  # called as an object, Keras passes it on
assert int(forgetful.non_trainable_variables[0].value[1]) == 1


class Careful(Forgetful):
    def call(self, x, training=False):
        return self.dense(self.dropout(x, training=training))


careful = Careful()
careful(x_val[:1])
assert draws_of(careful) == 1


class TakesNoTraining(Forgetful):
    def call(self, x):
        return self.dense(self.dropout(x))


takes_none = TakesNoTraining()
takes_none(x_val[:1], training=True)  # called as an object it's accepted
assert _raises(
    TypeError, "unexpected keyword argument 'training'", draws_of, takes_none
)


# %% after: back-to-the-issue
assert found["dropped"] > 3 * found["kept"] and found["dropped"] > 0.5
assert found["forgotten"] < found["dropped"]
assert found["kept"] < found["forgotten"]
assert (end.non_trainable[0] != 0).any()
# the picture's three ways
norm = keras.Sequential(
    [keras.Input((1,)), keras.layers.BatchNormalization(momentum=0.9)]
)
three, rows = jnp.array([[0.0], [2.0], [4.0]]), {}
for mode in ({}, {"training": True}):
    rest = values(norm.non_trainable_variables)
    rows[len(mode)] = []
    for _ in range(3):
        scale = values(norm.trainable_variables)
        _, rest = norm.stateless_call(scale, rest, three, **mode)
        rows[len(mode)].append(f"{float(rest[0][0]):.2f}")
assert rows == {0: ["0.00"] * 3, 1: ["0.20", "0.38", "0.54"]}
# with the list dropped, one and the same dropout mask is used in every step
first_try, _ = classifier.stateless_call(
    *initial_state[:2], x_train[:32], training=True
)
next_try, _ = classifier.stateless_call(
    *initial_state[:2], x_train[:32], training=True
)
assert (first_try == next_try).all()
# the case's own program: the training loss with the list dropped flatters
normal = np.random.default_rng(0).normal(5, 3, (256, 4)).astype("float32")
target = np.sin(normal[:, :1])


def losses_of(mode: dict, keep: bool) -> tuple:
    """Training and evaluation loss after 300 steps on one batch."""
    keras.utils.set_random_seed(0)
    small = keras.Sequential(
        [
            keras.Input((4,)),
            keras.layers.Dense(16),
            keras.layers.BatchNormalization(),
            keras.layers.Dropout(0.5),
            keras.layers.Dense(1),
        ]
    )
    adam = keras.optimizers.Adam(1e-2)
    adam.build(small.trainable_variables)

    def compute_loss(params, rest):
        out, rest = small.stateless_call(params, rest, normal, **mode)
        return jnp.mean((out - target) ** 2), rest

    @jax.jit
    def small_step(now):
        grad = jax.value_and_grad(compute_loss, has_aux=True)
        (value, rest), grads = grad(now.params, now.non_trainable)
        params, opt_state = adam.stateless_apply(
            now.opt_state, grads, now.params
        )
        rest = rest if keep else now.non_trainable
        return TrainState(params, rest, opt_state), value

    now = state_of(small, adam)
    for _ in range(300):
        now, value = small_step(now)
    out, _ = small.stateless_call(*now[:2], normal, training=False)
    return float(value), float(jnp.mean((out - target) ** 2))


in_training = {"training": True}
dropped, kept = losses_of(in_training, False), losses_of(in_training, True)
assert dropped[0] < kept[0] - 0.05 and dropped[1] > kept[1] + 0.3
forgotten = losses_of({}, True)
assert abs(forgotten[0] - forgotten[1]) < 0.01


# %% after: loop-to-copy
# the objects hold what they held before the first step
assert not model.non_trainable_variables[0].value.any()  # the moving mean
assert int(optimizer.iterations.value) == 0 and int(state[2][0]) == 400
