"""What this chapter says, in asserts for the tests alone."""

# %% after: jit-on-a-method 2
for _call in (
    lambda: Normalizer(old_data).transform(5.0),
    lambda: Normalizer.transform(Normalizer(old_data), 5.0),
):
    try:
        _call()
    except TypeError as error:
        assert "at path self" in str(error)
    else:
        raise AssertionError


# %% after: jit-on-a-method 3
# static_argnames="self" is stale in the same way
class _Named(Normalizer):
    @partial(jax.jit, static_argnames="self")
    def transform(self, x):
        return (x - self.mean) / self.std


_n = _Named(old_data)
assert _n.transform(5.0) == 3
_n.fit(new_data)
assert _n.transform(25.0) == 23


# %% after: jit-on-a-method 3
# and so is jax.jit(self.transform), built once in __init__
class _Init(Normalizer):
    def __init__(self, data):
        self.fit(data)
        self.fast = jax.jit(self.plain)

    def plain(self, x):
        return (x - self.mean) / self.std


_n = _Init(old_data)
assert _n.fast(5.0) == 3
_n.fit(new_data)
assert _n.fast(25.0) == 23 and _n.plain(25.0) == 0.5


# %% after: jit-on-a-method
assert normalizer.transform(25.0) == 0.5 and len(traces) == 1


# %% after: three-ways 2
assert len(jax.tree.leaves(normalizer)) == 2 and len(traces) == 1
assert RegisteredNormalizer.transform(normalizer, 25.0) == 0.5
assert len(traces) == 1


# %% after: three-ways
# a static object in scan's carry or under grad: the class isn't a pytree
_object = StaticNormalizer(old_data)
for _call in (
    lambda: jax.lax.scan(lambda c, _: (c, 0.0), _object, length=2),
    lambda: jax.grad(lambda n: n.mean)(_object),
    lambda: jax.vmap(lambda n: n.mean)(_object),
):
    try:
        _call()
    except TypeError:
        continue
    raise AssertionError
# other arguments of grad and vmap may be such objects
_grad = jax.grad(lambda n, x: (x - n.mean) / n.std, argnums=1)
assert _grad(_object, 5.0) == 1


# %% after: three-ways
# with a new object for each data set, all three are right
for _make in ways.values():
    assert _make(old_data).transform(5.0) == 3
    assert _make(new_data).transform(25.0) == 0.5
_object = RegisteredNormalizer.fit(old_data)
_grads = jax.grad(RegisteredNormalizer.transform)(_object, 5.0)
assert type(_grads) is RegisteredNormalizer and _grads.mean == -1
_, _out = jax.lax.scan(
    lambda n, x: (n, n.transform(x)), _object, jnp.array([5.0, 2.0])
)
assert list(_out) == [3, 0]


# %% after: three-ways
# grad wants float leaves; vmap and scan take others too
@jax.tree_util.register_dataclass
@dataclasses.dataclass(frozen=True)
class _Mixed:
    weight: jax.Array
    n: jax.Array

    def loss(self, x):
        return self.weight * x


_object = _Mixed(jnp.ones(2), jnp.arange(2))
assert list(jax.vmap(_Mixed.loss, in_axes=(0, None))(_object, 3.0)) == [3, 3]
_last, _ = jax.lax.scan(lambda m, _: (m, m.loss(3.0)), _object, length=2)
assert list(_last.n) == [0, 1]
# a pytree isn't enough for jit: its leaves must be arrays or numbers
for _call in (
    lambda: jax.grad(_Mixed.loss)(_Mixed(jnp.float32(1), jnp.int32(0)), 3.0),
    lambda: jax.jit(_Mixed.loss)(_Mixed(jnp.float32(1), "name"), 3.0),
):
    try:
        _call()
    except TypeError:
        continue
    raise AssertionError


# %% after: self-assignment 1
assert not isinstance(counter.n, jax.core.Tracer) and counter.n == 0


# %% after: self-assignment 1
# each call flattens the caller's object, a trace rebuilds one
@jax.tree_util.register_pytree_node_class
class _Pair:
    steps = []

    def __init__(self, n):
        self.n = n

    def tree_flatten(self):
        self.steps.append("flatten")
        return (self.n,), None

    @classmethod
    def tree_unflatten(cls, _, leaves):
        cls.steps.append("unflatten")
        return cls(*leaves)

    @jax.jit
    def count(self):
        return self.n + 1


_pair = _Pair(jnp.int32(0))
_pair.count()
assert {"flatten", "unflatten"} <= set(_Pair.steps)
_Pair.steps.clear()
_pair.count()
assert set(_Pair.steps) == {"flatten"}


# %% after: self-assignment 1
# assigning from outside is seen: n is an input
counter.n = jnp.int32(41)
assert counter.count() == 42 and counter.n == 41
counter.n = jnp.int32(0)


# %% after: self-assignment 1
# in a class that's frozen the assignment raises, at the trace
@jax.tree_util.register_dataclass
@dataclasses.dataclass(frozen=True)
class _Frozen:
    n: jax.Array

    @jax.jit
    def count(self):
        self.n = self.n + 1
        return self.n


_raised = None
try:
    _Frozen(jnp.int32(0)).count()
except Exception as error:
    _raised = error
assert type(_raised) is dataclasses.FrozenInstanceError


# %% after: self-assignment
assert state.n == 3 and len(traces) == 1
_last, _counts = jax.lax.scan(
    lambda state, _: state.count(), CounterState(jnp.int32(0)), length=3
)
assert list(_counts) == [1, 2, 3] and _last.n == 3


# %% after: self-assignment
@jax.tree_util.register_dataclass
@dataclasses.dataclass
class _Open:
    n: jax.Array

    @jax.jit
    def count(self):
        self.n = self.n + 1
        return self, self.n


_first = _Open(jnp.int32(0))
_second, _n = _first.count()
assert (_second.n, _n, _first.n) == (1, 1, 0) and _second is not _first
# without jit, the same method changes the caller's object
with jax.disable_jit():
    _third, _n = _first.count()
assert _third is _first and _first.n == 1


# %% after: self-assignment
# with a static self, the assignment runs only during a trace
class _Static:
    def __init__(self):
        self.n = 0

    @partial(jax.jit, static_argnums=0)
    def count(self):
        self.n = self.n + 1
        return self.n


_static = _Static()
assert [int(_static.count()) for _ in range(3)] == [1, 1, 1]
assert _static.n == 1


# %% after: hash-and-equality 2
assert Power(2) != Power(2) and FrozenPower(2) == FrozenPower(2)
assert hash(FrozenPower(2)) == hash(FrozenPower(2))
traces = []
assert [FrozenPower(n)(2.0) for n in (5, 6, 5)] == [32, 64, 32]
assert traces == [5, 6]


# %% after: hash-and-equality 2
# fields are compared with ==, and 2 == 2.0
traces = []
_power = FrozenPower(7)(2)
assert FrozenPower(7) == FrozenPower(7.0)
assert FrozenPower(7.0)(2).dtype == _power.dtype == jnp.int32
assert len(traces) == 1


# %% after: hash-and-equality
assert OpenPower.__hash__ is None
assert StaticNormalizer.__hash__ is Power.__hash__ is object.__hash__
assert StaticNormalizer.__eq__ is Power.__eq__ is object.__eq__
for _exponent in (jnp.int32(2), np.array([2]), [2]):
    try:
        FrozenPower(_exponent)(3.0)
    except ValueError as error:
        assert "Non-hashable static arguments" in str(error)
    else:
        raise AssertionError
assert FrozenPower(2) == FrozenPower(2.0)


# %% after: mutated-static-self
_refused = None
try:
    square.exponent = 3
except Exception as error:
    _refused = error
assert type(_refused) is dataclasses.FrozenInstanceError


# %% after: mutated-static-self
# compared by identity, a changed object is stale on every version
_power = Power(2)
assert _power(3.0) == 9
_power.exponent = 3
assert _power(3.0) == 9
assert Power(3)(3.0) == 27


# %% after: mutated-static-self
class _Alike:
    """Equal to each other one; its hash is its number."""

    def __init__(self, number):
        self.number = number

    def __hash__(self):
        return self.number

    def __eq__(self, other):
        return isinstance(other, _Alike)


_traced = []
_trace = jax.jit(lambda alike: _traced.append(alike.number), static_argnums=0)
_trace(_Alike(1)), _trace(_Alike(2))
assert _traced == ([1] if jax.__version__.startswith("0.10.") else [1, 2])


# %% after: bound-methods 2
def _count(call):
    global traces
    traces = []
    for _ in range(3):
        call()
    return len(traces)


_object = Model(4.0)
assert _count(lambda: jax.jit(Model.loss, static_argnums=0)(_object, 2.0)) == 1
assert _count(lambda: jax.jit(lambda x: _object.loss(x))(2.0)) == 3
assert _count(lambda: jax.jit(partial(_object.loss))(2.0)) == 3
assert _count(lambda: jax.jit(jax.grad(_object.loss))(2.0)) == 3
assert _count(lambda: jax.jit(_object.loss)(2.0)) == 3
# a gradient function is new each time, even of a kept or a class's function
_kept = _object.loss
assert _count(lambda: jax.jit(jax.grad(_kept))(2.0)) == 3
_grad = jax.grad(Model.loss, argnums=1)
assert _count(lambda: jax.jit(_grad, static_argnums=0)(_object, 2.0)) == 1
_grads, _lambda = jax.jit(jax.grad(_kept)), jax.jit(lambda x: _object.loss(x))
assert _count(lambda: _grads(2.0)) == _count(lambda: _lambda(2.0)) == 1
del _kept
# not every new function costs a trace: a new jit of a jitted one doesn't
_once = jax.jit(_object.loss)
assert _count(lambda: jax.jit(jax.jit(_once))(2.0)) <= 1
assert _count(lambda: jax.jit(jax.grad(_once))(2.0)) <= 1


# %% after: bound-methods 2
# an equal bound method that's alive is found; another object's isn't
_object, _other = Model(5.0), Model(5.0)
_kept = _object.loss
assert _count(lambda: jax.jit(_kept)(2.0)) == 1
assert _count(lambda: jax.jit(_object.loss)(2.0)) == 0
assert _count(lambda: jax.jit(_other.loss)(2.0)) == 3
# the cache refers to a function only weakly
_jitted = jax.jit(_kept)
_jitted(2.0)
_gone = weakref.ref(_kept)
del _kept, _jitted
gc.collect()
assert _gone() is None


# %% after: bound-methods 2
# the named bound method and the static self are stale after a change
_object = Model(6.0)
_named = _object.loss
assert jax.jit(_named)(2.0) == (6 * 2 - 1) ** 2
assert jax.jit(Model.loss, static_argnums=0)(_object, 2.0) == 121
_object.weight = 1.0
assert jax.jit(_named)(2.0) == 121
assert jax.jit(Model.loss, static_argnums=0)(_object, 2.0) == 121
assert _object.loss(2.0) == 1
# a new object is right, and costs a trace
assert jax.jit(Model.loss, static_argnums=0)(Model(1.0), 2.0) == 1
assert (
    _count(lambda: jax.jit(Model.loss, static_argnums=0)(Model(1.0), 2.0)) == 3
)


# %% after: bound-methods 2
@jax.tree_util.register_dataclass
@dataclasses.dataclass
class _Registered:
    weight: jax.Array

    def loss(self, x):
        traces.append("loss")
        return self.weight * x


_object = _Registered(jnp.float32(2))
assert _count(lambda: jax.jit(_Registered.loss)(_object, 2.0)) == 1
assert _count(lambda: jax.jit(_object.loss)(2.0)) == 3
# of the three remedies, only this one sees a new weight
_named = _object.loss
assert jax.jit(_named)(2.0) == 4
_object.weight = jnp.float32(5)
assert jax.jit(_named)(2.0) == 4
assert _count(lambda: jax.jit(_Registered.loss)(_object, 2.0)) == 0
assert jax.jit(_Registered.loss)(_object, 2.0) == 10


# %% after: bound-methods
# a second Trainer shares the trace: jax.jit on the same function
_trainer = Trainer()
_before = len(traces)
_trainer.step(1.0)
assert len(traces) == _before


# %% after: methods-under-grad-and-vmap 2
class _Counted:
    def repeat(self, n, x):
        return jnp.full(n, x)


assert jax.jit(_Counted().repeat, static_argnums=0)(3, 2.0).shape == (3,)
assert jax.jit(_Counted.repeat, static_argnums=(0, 1))(
    _Counted(), 3, 2.0
).shape == (3,)


# %% after: methods-under-grad-and-vmap 2
@jax.tree_util.register_dataclass
@dataclasses.dataclass(frozen=True)
class _Decorated:
    n: jax.Array

    @staticmethod
    @jax.jit
    def double(x):
        return 2 * x

    @property
    @jax.jit
    def twice(self):
        return 2 * self.n

    @classmethod
    @jax.jit
    def unmarked(cls, x):
        return 2 * x

    @classmethod
    @partial(jax.jit, static_argnums=0)
    def marked(cls, x):
        return 2 * x


try:
    _Decorated.unmarked(3)
except TypeError as error:
    assert "at path cls" in str(error)
else:
    raise AssertionError
assert _Decorated.marked(3) == 6
assert _Decorated(jnp.int32(4)).twice == 8
assert _Decorated(jnp.int32(4)).double(3) == 6 and _Decorated.double(3) == 6


# %% after: methods-under-grad-and-vmap
assert line.predict(2.0) == 5
_alone = [line.predict(x) for x in xs]
assert list(jax.vmap(line.predict)(xs)) == _alone
_twice = jax.vmap(Line.predict, in_axes=(None, 0))(line, xs)
assert list(_twice) == _alone


# %% after: complete-cell
assert model.rate == 0.2 and len(jax.tree.leaves(model)) == 2


# %% after: exercise-1
# arrays and their scalars are read as well
for _given in (
    np.array([3, 1, 1, 3, 2]),
    jnp.array([3, 1, 1, 3, 2]),
    (np.int64(3), 1, jnp.int32(1), 3, 2),
):
    check_1(_given)


# %% after: exercise-2 1
# jitted, it raises, or counts once and keeps a tracer
_mean = RunningMean()
_update = jax.jit(_mean.update)
assert [float(_update(x)) for x in (1.0, 2.0, 3.0)] == [1, 2, 3]
assert _mean.n == 1 and isinstance(_mean.total, jax.core.Tracer)
try:
    jax.jit(RunningMean.update)(RunningMean(), 1.0)
except TypeError:
    pass
else:
    raise AssertionError


# %% after: exercise-3 1
assert layer.apply(3.0) == 6 and layer.weight == 5
