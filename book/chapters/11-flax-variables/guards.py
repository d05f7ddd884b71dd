"""What this chapter says, in asserts for the tests alone."""

# %% after: init-apply-mutable 3
# the module holds no array, before or after a call
assert not any(isinstance(leaf, jax.Array) for leaf in vars(model).values())
assert type(variables) is dict and set(variables) == {"params", "batch_stats"}
assert len(jax.tree.leaves(variables)) == 2
# one module serves any variables: what it computes depends on what it is given
other = jax.tree.map(lambda leaf: leaf + 1, variables)
assert (
    model.apply(other, jnp.ones((2, 5)), mutable=["batch_stats"])[0]
    != model.apply(variables, jnp.ones((2, 5)), mutable=["batch_stats"])[0]
).all()
# the same key and shape give the same variables again
again = model.init(jax.random.key(0), jnp.ones((10, 5)))
assert jax.tree.all(
    jax.tree.map(lambda a, b: (a == b).all(), variables, again)
)
# a parameter that was passed in is used as it is
given = jax.tree.map(lambda leaf: leaf + 1, variables)
assert (
    model.apply(given, jnp.ones((2, 5)), mutable=["params", "batch_stats"])[1][
        "params"
    ]["bias"]
    == 1
).all()
# a different batch size gives the same shapes
assert jax.tree.map(jnp.shape, variables) == jax.tree.map(
    jnp.shape, model.init(jax.random.key(0), jnp.ones((1, 5)))
)
# init leaves the mean at 0 although the input is ones
assert (variables["batch_stats"]["mean"] == 0).all()
from flax import errors


class SetsAttribute(nn.Module):
    calls: int = 0

    def __call__(self, x):
        self.calls += 1
        return x


try:
    SetsAttribute().init(jax.random.key(0), jnp.ones(2))
    raise RuntimeError("assigned")
except errors.SetAttributeFrozenModuleError as error:
    raised = type(error).__name__
assert raised == "SetAttributeFrozenModuleError"
try:
    SetsAttribute().apply({}, jnp.ones(2))
    raise RuntimeError("assigned in apply")
except errors.SetAttributeFrozenModuleError:
    pass
# called directly, a module without variables isn't frozen yet
assert SetsAttribute()(1.0) == 1.0


class NoCompact(nn.Module):
    def __call__(self, x):
        return x + self.param("bias", nn.initializers.zeros, x.shape[1:])


try:
    NoCompact().init(jax.random.key(0), jnp.ones((2, 3)))
    raise RuntimeError("no decorator needed")
except ValueError:
    pass


# %% after: init-apply-mutable 5
assert jnp.allclose(updated["batch_stats"]["mean"], 0.1)
assert (variables["batch_stats"]["mean"] == 0).all()
assert jnp.allclose(y, 0.9)
# the returned dict holds the opened collections and nothing else
assert set(updated) == {"batch_stats"}
assert set(
    model.apply(variables, x, mutable=["batch_stats", "params"])[1]
) == {"batch_stats", "params"}
assert set(model.apply(variables, x, mutable=True)[1]) == {
    "batch_stats",
    "params",
}
# with `mutable` the result is a pair even if nothing was written
dense = nn.Dense(2)
dense_variables = dense.init(jax.random.key(0), x)
assert len(dense.apply(dense_variables, x, mutable=["batch_stats"])) == 2
assert dense.apply(dense_variables, x).shape == (10, 2)  # reads only
# mutable=False is the default
try:
    model.apply(variables, x, mutable=False)
    raise RuntimeError("mutable=False passes")
except errors.ModifyScopeVariableError:
    pass
# opening another collection doesn't help
try:
    model.apply(variables, x, mutable=["params"])
    raise RuntimeError("params opened")
except errors.ModifyScopeVariableError:
    pass
# a string opens one collection as well
assert jnp.allclose(
    model.apply(variables, x, mutable="batch_stats")[1]["batch_stats"]["mean"],
    0.1,
)
# it holds under jit, too: the error comes at trace time
try:
    jax.jit(model.apply)(variables, x)
    raise RuntimeError("jit passes")
except errors.ModifyScopeVariableError:
    pass


# %% after: init-apply-mutable
assert three_calls(keep=False) == 0.0
assert abs(three_calls(keep=True) - 0.271) < 1e-6
assert (variables["batch_stats"]["mean"] == 0).all()
_means, _carried = [], variables
for _ in range(3):
    _, _updated = model.apply(_carried, x, mutable=["batch_stats"])
    _carried = _carried | _updated
    _means.append(round(float(_carried["batch_stats"]["mean"][0]), 3))
assert _means == [0.1, 0.19, 0.271]


# %% after: separate-and-recombine 1
from flax.core import freeze, pop

rest, popped = pop(variables, "params")
assert set(rest) == {"batch_stats"} and set(popped) == {"bias"}
assert set(variables) == {"params", "batch_stats"}
assert len(freeze(variables).pop("params")) == 2
two = nn.Sequential([nn.Dense(3), nn.Dense(1)]).init(jax.random.key(0), x)
first, second = two.pop("params")
assert (first, second) == ("layers_0", "layers_1") and two == {}
try:
    first, second = dict(variables).pop("params")
    raise RuntimeError("one entry unpacks")
except ValueError:
    pass


# %% after: separate-and-recombine
for train in (True, False):
    try:
        model.apply({"params": params}, x, train=train)
        raise RuntimeError("closed passes")
    except errors.ScopeCollectionNotFound:
        pass
# with the statistics, evaluation runs without mutable and reads the mean
evaluated = model.apply({"params": params, **updated}, x, train=False)
assert jnp.allclose(evaluated, 0.9)
# and it leaves them alone even if the collection is mutable
_, unread = model.apply(
    {"params": params, **updated}, x, train=False, mutable=["batch_stats"]
)
assert (unread["batch_stats"]["mean"] == updated["batch_stats"]["mean"]).all()
# missing parameters raise with batch_stats open, too
try:
    model.apply({"batch_stats": batch_stats}, x, mutable=["batch_stats"])
    raise RuntimeError("no parameters needed")
except errors.ScopeCollectionNotFound as error:
    raised = type(error).__name__
assert raised == "ScopeCollectionNotFound"
# if the collection holds other variables, the error is another one
try:
    model.apply({"params": params, "batch_stats": {"other": x}}, x, False)
    raise RuntimeError("a missing variable passes")
except errors.ScopeVariableNotFoundError:
    pass
# restarting is silent at every call: never beyond 0.1
for _ in range(3):
    _, after = model.apply({"params": params}, x, mutable=["batch_stats"])
    assert jnp.allclose(after["batch_stats"]["mean"], 0.1)
# inside apply, is_initializing() is False even when the variable is created
seen = []


class Looks(nn.Module):
    @nn.compact
    def __call__(self, x):
        seen.append(self.is_initializing())
        return self.variable("batch_stats", "mean", jnp.zeros, ()).value + x


Looks().apply({}, 1.0, mutable=["batch_stats"])
Looks().init(jax.random.key(0), 1.0)
assert seen == [False, True]


# %% after: training-step 3
start = TrainingState(params, tx.init(params), batch_stats)
scanned, losses = jax.jit(
    lambda s, d: jax.lax.scan(make_step(model.apply, tx), s, d)
)(start, data)
assert jax.tree.all(
    jax.tree.map(lambda a, b: jnp.allclose(a, b, atol=1e-4), scanned, state)
)
assert losses[-1] < 0.03 and losses[0] > 1
assert (start.batch_stats["mean"] == 0).all()
once = []
counting = jax.jit(
    lambda s, d: (once.append(1), make_step(model.apply, tx)(s, d))[1]
)
for batch in data[:5]:
    start2, _ = counting(start if batch is data[0] else start, batch)
assert len(once) == 1  # one trace
assert jnp.allclose(state.batch_stats["mean"], 3, atol=0.15)
assert jnp.allclose(state.params["bias"], 1, atol=0.15)
# the statistics leave loss_fn as auxiliary output or not at all: without
# has_aux the value would be a pair, which value_and_grad refuses
try:
    jax.value_and_grad(lambda p: (jnp.sum(p), p))(jnp.ones(2))
    raise RuntimeError("a pair passes")
except TypeError:
    pass
# a bias can't stay below 0: it ends near 1, and it was negative on the way
path, outputs, now = [], [], start
for batch in data:
    given = {"params": now.params, "batch_stats": now.batch_stats}
    outputs.append(
        model.apply(given, batch, mutable=["batch_stats"])[0].mean()
    )
    now, _ = step(now, batch)
    path.append(now.params["bias"][0])
path, outputs = jnp.array(path), jnp.array(outputs)
assert path.min() < -0.5 and path[-1] > 0.8
# the outputs fall from above 1 to 1 at step 5, then below, then return to 1
assert outputs[0] > 2.5 and abs(outputs[4] - 1) < 0.05
assert outputs[9] < 0.6 and abs(outputs[49] - 1) < 0.05
# plain SGD keeps no state, Adam does
assert not jax.tree.leaves(tx.init(params))
assert jax.tree.leaves(optax.adam(0.3).init(params))
# the run with Adam in the figure, its one feature repeated
adam = optax.adam(0.3)
swing = TrainingState(params, adam.init(params), batch_stats)
adam_step = jax.jit(make_step(model.apply, adam))
signs = []
for batch in 3.0 + 0.1 * jax.random.normal(jax.random.key(1), (51, 10, 1)):
    before, (swing, _) = swing, adam_step(swing, jnp.tile(batch, (1, 5)))
    mu = swing.opt_state[0].mu["bias"]
    moved = swing.params["bias"] - before.params["bias"]
    assert (jnp.sign(moved) == -jnp.sign(mu)).all()
    signs.append(int(jnp.sign(mu)[0]))
assert signs[:28] == [1] * 7 + [-1] * 20 + [1]  # steps 1 to 28


# %% after: training-step
losses = {}
for keep in (True, False):
    trained, loss = train(keep)
    both = {"params": trained.params, "batch_stats": trained.batch_stats}
    y = model.apply(both, test, train=False)
    losses[keep] = float(loss), float(jnp.mean((y - 1.0) ** 2))
assert abs(losses[True][0] - losses[False][0]) < 0.005
assert losses[False][1] > 8 * losses[True][1]
# the bias of the model that dropped its statistics fits inputs less 0.3
assert jnp.allclose(trained.params["bias"], 1 - (3 - 0.3), atol=0.05)
assert (trained.batch_stats["mean"] == 0).all()
assert abs(float(y.mean()) - 1.3) < 0.05
# the training loop is at fault: the test loss of the one that kept is small
assert losses[True][1] < 0.02


def loss_of(variables) -> jax.Array:
    """The loss as a function of every collection."""
    x = jnp.full((10, 5), 3.0)
    y, _ = model.apply(variables, x, mutable=["batch_stats"])
    return jnp.mean((y - 1.0) ** 2)


grads = jax.grad(loss_of)(variables)
assert jnp.allclose(grads["batch_stats"]["mean"], -0.612, atol=1e-5)
assert jnp.allclose(grads["params"]["bias"], 0.680, atol=1e-5)
assert jnp.allclose(
    grads["batch_stats"]["mean"], -0.9 * grads["params"]["bias"]
)
# the step differentiates params alone: the mean moves by the decay rule only
expected = 0.9 * 0 + 0.1 * data[0].mean(axis=0)
one, _ = make_step(model.apply, tx)(start, data[0])
assert jnp.allclose(one.batch_stats["mean"], expected, atol=1e-6)
# an optimizer that gets this gradient moves the mean and lowers the loss
updates, _ = tx.update(grads, tx.init(variables), variables)
moved = optax.apply_updates(variables, updates)
assert jnp.allclose(moved["batch_stats"]["mean"], 0.306, atol=1e-5)
assert loss_of(moved) < loss_of(variables)


# %% after: batchnorm
stats = updated["batch_stats"]["BatchNorm_0"]
assert jnp.allclose(stats["mean"], 0.3) and jnp.allclose(stats["var"], 1.25)
after = normalized.apply({**variables, **updated}, x, train=False)[:, 0]
assert [f"{v:.2f}" for v in after] == ["0.63", "1.52", "2.41", "5.10"]
# eval mode writes nothing, even if the collection is open
_, unchanged = normalized.apply(
    variables, x, train=False, mutable=["batch_stats"]
)
assert jax.tree.all(
    jax.tree.map(
        lambda a, b: (a == b).all(),
        unchanged["batch_stats"],
        variables["batch_stats"],
    )
)
# train mode without mutable raises the error of section 1
try:
    normalized.apply(variables, x, train=True)
    raise RuntimeError("train mode passes closed")
except errors.ModifyScopeVariableError as error:
    raised = type(error).__name__
assert raised == "ModifyScopeVariableError"
# init in train mode leaves the initial statistics, too
trained_init = normalized.init(jax.random.key(0), x, train=True)
assert jax.tree.all(
    jax.tree.map(lambda a, b: (a == b).all(), trained_init, variables)
)
# the default momentum is 0.99
assert nn.BatchNorm().momentum == 0.99
assert nn.BatchNorm().epsilon == 1e-5
# eval mode: one example's output doesn't depend on the others; train mode:
# it does
assert (
    normalized.apply(variables, x[:1], train=False)
    == normalized.apply(variables, x, train=False)[:1]
).all()
alone, _ = normalized.apply(
    variables, x[:1], train=True, mutable=["batch_stats"]
)
assert (alone == 0).all()
# four equal examples have the standard deviation 0 in train mode, too
alike, _ = normalized.apply(
    variables, jnp.full((4, 1), 3.0), train=True, mutable=["batch_stats"]
)
assert (alike == 0).all()
# scale and bias set the standard deviation and the mean in train mode
assert (variables["params"]["BatchNorm_0"]["scale"] == 1).all()
assert (variables["params"]["BatchNorm_0"]["bias"] == 0).all()
learned = {
    "BatchNorm_0": {"scale": jnp.full(1, 2.0), "bias": jnp.full(1, 5.0)}
}
for p, std, mean in ((variables["params"], 1, 0), (learned, 2, 5)):
    y, stats = normalized.apply(
        {**variables, "params": p}, x, train=True, mutable=["batch_stats"]
    )
    assert jnp.allclose(y.std(), std, atol=1e-4)
    assert jnp.allclose(y.mean(), mean, atol=1e-4)
    # the statistics don't depend on scale and bias
    assert jax.tree.all(
        jax.tree.map(lambda a, b: (a == b).all(), stats, updated)
    )
assert x.mean() == 3 and x.var() == 3.5
first = updated["batch_stats"]["BatchNorm_0"]
assert jnp.allclose(first["mean"], 0.9 * 0 + 0.1 * 3)
assert jnp.allclose(first["var"], 0.9 * 1 + 0.1 * 3.5)


# %% after: train-state 1
assert len(jax.tree.leaves(create_state())) == 10
paths = [
    jax.tree_util.keystr(p)
    for p, _ in jax.tree.leaves_with_path(create_state())
]
assert not any("tx" in p or "apply_fn" in p for p in paths)
assert sum(".opt_state" in p for p in paths) == 5
assert create_state().step == 0


# %% after: train-state
# leaving batch_stats out of apply_gradients is silent: the field keeps its
# value
grads = jax.tree.map(jnp.ones_like, state.params)
silent = state.apply_gradients(grads=grads)
assert silent.batch_stats is state.batch_stats and silent.step == 1
assert int(state.step) == 0
# a misspelled field is an error, not silence
try:
    state.apply_gradients(grads=grads, statistics=1)
    raise RuntimeError("unknown field passes")
except TypeError as error:
    raised = type(error).__name__
assert raised == "TypeError"
# so is a field that apply_gradients computes itself
for field in ("step", "params", "opt_state"):
    try:
        state.apply_gradients(grads=grads, **{field: getattr(state, field)})
        raise RuntimeError(f"{field} passes")
    except TypeError:
        pass


# %% after: static-arguments
assert len(traces) == 2
# another instance of the model retraces, too
compiled(tx, BiasAdderWithRunningMean().apply, state, data[0])
assert len(traces) == 3
try:
    jax.jit(update)(tx, model.apply, state, data[0])
    raise RuntimeError("functions pass")
except TypeError as error:
    raised, message = type(error).__name__, " ".join(str(error).split())
assert raised == "TypeError" and "path tx.init" in message
assert "a non-array argument, and this argument was not marked as" in message
# a bound method is a new object at each access, but equal for one and the
# same model
assert model.apply is not model.apply and model.apply == model.apply
# equal modules have unequal bound methods; equal settings give unequal
# optimizers
assert BiasAdderWithRunningMean() == model
assert BiasAdderWithRunningMean().apply != model.apply
assert optax.sgd(0.5) != optax.sgd(0.5)
# the module itself as static argument hits the cache for an equal module
count = []


def by_module(module, v, x):
    count.append(1)
    return module.apply(v, x, mutable=["batch_stats"])


by_module_jit = jax.jit(by_module, static_argnums=0)
# a list among its fields makes a module unhashable, its bound method isn't
for layers, hashable in (((nn.Dense(2),), True), ([nn.Dense(2)], False)):
    stack = nn.Sequential(layers)
    v = stack.init(jax.random.key(0), data[0])
    jax.jit(lambda f, v, x: f(v, x), static_argnums=0)(stack.apply, v, data[0])
    try:
        by_module_jit(stack, v, data[0])
        assert hashable
    except ValueError:
        assert not hashable
count.clear()
first_variables = {"params": params, "batch_stats": batch_stats}
for module in (
    model,
    BiasAdderWithRunningMean(),
    BiasAdderWithRunningMean(0.5),
):
    by_module_jit(module, first_variables, data[0])
assert len(count) == 2
# as TrainState's static field, a new tx retraces too
once = []
counted = jax.jit(lambda s, x: (once.append(1), train_step(s, x))[1])
one_state = create_state()
now = one_state
for _ in range(3):
    now, _ = counted(now, x)
assert len(once) == 1  # step, a Python int, stays weakly typed
before = len(once)
counted(create_state(), x)
assert len(once) == before + 1
# the same result as the closure
a = compiled(tx, model.apply, state, data[0])[0]
b = jax.jit(make_step(model.apply, tx))(state, data[0])[0]
assert jax.tree.all(jax.tree.map(jnp.allclose, a, b))
# a jitted step that reads a global keeps the optimizer it was traced with
chosen = tx
reads_global = jax.jit(lambda s, x: make_step(model.apply, chosen)(s, x))
moved_bias = reads_global(state, data[0])[0].params["bias"]
assert (moved_bias < 0).all()
chosen = optax.sgd(0.0)
again = reads_global(state, data[0])[0].params["bias"]
assert jnp.array_equal(again, moved_bias)


# %% after: shape-and-initial-value
# broadcasting keeps the numbers right
zeros = KeepsDims().init(jax.random.key(0), data[0])
wide, _ = step(zeros, data[0])
# under jit: one extra trace, and only one
for bad, expected in ((KeepsDims(), 2), (BiasAdderWithRunningMean(), 1)):
    times = []

    @jax.jit
    def jitted(variables, x):
        times.append("trace")
        y, updated = bad.apply(variables, x, mutable=["batch_stats"])
        return variables | updated, y

    carried = bad.init(jax.random.key(0), data[0])
    for batch in data[:5]:
        carried, _ = jitted(carried, batch)
    assert len(times) == expected
good = {"params": {"bias": jnp.zeros(5)}, **zeros}
y_good, kept = model.apply(good, data[0], mutable=["batch_stats"])
assert jnp.allclose(
    wide["batch_stats"]["mean"][0], kept["batch_stats"]["mean"]
)
assert jnp.allclose(step(zeros, data[0])[1], y_good)
assert zeros["batch_stats"]["mean"].shape == (5,)
assert wide["batch_stats"]["mean"].shape == (1, 5)
try:
    jax.lax.scan(step, zeros, data)
    raise RuntimeError("scan passes")
except TypeError as error:
    assert "mean" in str(error)
# the dtype from init stays for inputs of any real dtype, another one needn't
for dtype in ("float16", "bfloat16", "int32", "bool"):
    _, kept = model.apply(good, data[0].astype(dtype), mutable=["batch_stats"])
    assert kept["batch_stats"]["mean"].dtype == "float32"
halved = jax.tree.map(lambda leaf: leaf.astype("bfloat16"), good)
_, kept = model.apply(halved, data[0], mutable=["batch_stats"])
assert kept["batch_stats"]["mean"].dtype == "float32"
# after the first step the shape is stable: scan takes it from there
jax.lax.scan(step, wide, data)


class AsksHasVariable(nn.Module):
    @nn.compact
    def __call__(self, x):
        existed = self.has_variable("batch_stats", "mean")
        mean = self.variable("batch_stats", "mean", jnp.zeros, x.shape[1:])
        if existed:
            mean.value = 0.9 * mean.value + 0.1 * x.mean(axis=0)
        return x - mean.value


class Twice(nn.Module):
    layer: nn.Module

    def __call__(self, x):
        return self.layer(self.layer(x))


ones = jnp.ones((10, 5))
once = AsksHasVariable().init(jax.random.key(0), ones)
assert (once["batch_stats"]["mean"] == 0).all()
_, once = AsksHasVariable().apply(once, ones, mutable=["batch_stats"])
assert jnp.allclose(once["batch_stats"]["mean"], 0.1)
asked = Twice(AsksHasVariable()).init(jax.random.key(0), ones)
assert jnp.allclose(asked["batch_stats"]["layer"]["mean"], 0.1)
twice = Twice(BiasAdderWithRunningMean())
initial = twice.init(jax.random.key(0), ones)
assert (initial["batch_stats"]["layer"]["mean"] == 0).all()
assert set(initial["params"]) == {"layer"}  # one layer, one set of variables
_, updated_twice = twice.apply(initial, ones, mutable=["batch_stats"])
# two passes, two updates: 0.1, then 0.9 * 0.1 + 0.1 * 0.9 = 0.18
assert jnp.allclose(updated_twice["batch_stats"]["layer"]["mean"], 0.18)


# %% after: sow
assert isinstance(Sows().apply({}, jnp.ones(2)), jax.Array)
for feed_back, grown in ((False, 1), (True, 4)):
    traces, collections = [], {}

    @jax.jit
    def step(collections, x):
        traces.append("trace")
        return Sows().apply(collections, x, mutable=["intermediates"])[1]

    for _ in range(4):
        recorded = step(collections, jnp.ones(2))
        collections = recorded if feed_back else {}
    assert len(jax.tree.leaves(recorded)) == len(traces) == grown
assert Sows().init(jax.random.key(0), jnp.ones(2)) == {}


class SowsElsewhere(nn.Module):
    @nn.compact
    def __call__(self, x):
        self.sow("seen", "mean", x.mean())
        return x


assert "seen" in SowsElsewhere().init(jax.random.key(0), jnp.ones(2))
# with every collection mutable the state grows at each step
growing = SowsElsewhere().init(jax.random.key(0), jnp.ones(2))
for length in (2, 3):
    _, growing = SowsElsewhere().apply(
        growing, jnp.ones(2), mutable=list(growing)
    )
    assert len(growing["seen"]["mean"]) == length


# %% after: complete
def evaluate(state, x):
    """The loss in eval mode."""
    both = {"params": state.params, "batch_stats": state.batch_stats}
    y = state.apply_fn(both, x, False)
    return ((y - x[:, :1] ** 2) ** 2).mean()


test = x[192:]
assert jnp.allclose(evaluate(state, test), (error**2).mean())
assert int(state.step) == 100 and loss < 0.3
assert evaluate(state, test) < 0.5
# with the initial statistics the same parameters are useless in eval mode
initial = state.replace(batch_stats=variables["batch_stats"])
assert evaluate(initial, test) > 50 * evaluate(state, test)


def test_loss_with(momentum):
    """The test loss of the same training with another momentum."""

    class Other(nn.Module):
        @nn.compact
        def __call__(self, x, train):
            norm = nn.BatchNorm(not train, momentum=momentum)
            return nn.Dense(1)(nn.relu(norm(nn.Dense(32, use_bias=False)(x))))

    state = State.create(
        apply_fn=Other().apply, tx=optax.adam(0.03), **variables
    )
    for _ in range(100):
        state, _ = step(state, x[:192])
    return float(evaluate(state, test))


assert abs(test_loss_with(0.9) - float(evaluate(state, test))) < 1e-3
assert test_loss_with(0.99) > 20 * test_loss_with(0.9)
assert round(0.99**100, 2) == 0.37


# %% after: exercise-1
# arrays and their scalars are read as well
check_1(jnp.float32(0.561)), check_1(jnp.array([0.561]))


# %% after: exercise-3 1
# its loss falls, and its statistics stay as they were
v = Normalized().init(jax.random.key(0), x[:, :1], train=False)
forgets = State.create(apply_fn=Normalized().apply, tx=optax.adam(0.01), **v)
forgotten = []
for _ in range(5):
    forgets, loss = forgetful_step(forgets, x[:, :1])
    forgotten.append(float(loss))
assert forgotten == sorted(forgotten, reverse=True)
assert (forgets.batch_stats["BatchNorm_0"]["mean"] == 0).all()
assert (forgets.batch_stats["BatchNorm_0"]["var"] == 1).all()
