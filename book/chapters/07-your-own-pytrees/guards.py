"""What this chapter says, in asserts for the tests alone."""

# %% after: class-as-pytree 2
_value = lambda line, x=2.0: line.weight * x
for _call in (
    jax.grad(_value),
    jax.vmap(_value),
    lambda line: jax.eval_shape(_value, line),
    lambda line: jax.lax.scan(lambda c, _: (c, 0), line, length=2),
):
    try:
        _call(line)
    except TypeError:
        continue
    raise AssertionError
# an argument that isn't differentiated or mapped may be any object
assert jax.grad(_value, argnums=1)(line, 2.0) == 3
assert jax.vmap(_value, in_axes=(None, 0))(line, jnp.ones(2)).tolist() == [
    3,
    3,
]


# %% after: class-as-pytree 3
# as a static argument the object's arrays become constants
_n = []


def _static(line, x):
    _n.append(1)
    return line.weight * x + line.bias


_static_jit = jax.jit(_static, static_argnums=0)
_object = Linear(jnp.float32(3), jnp.float32(-1))
assert _static_jit(_object, 2.0) == 5 and len(_n) == 1
_object.weight = jnp.float32(100)
assert _static_jit(_object, 2.0) == 5 and len(_n) == 1
_static_jit(Linear(jnp.float32(3), jnp.float32(-1)), 2.0)
assert len(_n) == 2


# %% after: class-as-pytree 4
_paths = [jax.tree_util.keystr(p) for p, _ in jax.tree.leaves_with_path(line)]
assert _paths == [".weight", ".bias"]


# %% after: class-as-pytree 4
assert type(jax.grad(predict)(line, 2.0)) is Linear


# %% after: class-as-pytree 4
class _Order(NamedTuple):
    z: int
    a: int


assert jax.tree.leaves(_Order(1, 2)) == [1, 2]


# %% after: class-as-pytree
_is_tuple = lambda node: isinstance(node, tuple)
assert jax.tree.leaves(line, is_leaf=_is_tuple)[0] is line
assert len(jax.tree.leaves(line, is_leaf=lambda n: type(n) is tuple)) == 2


# %% after: class-as-pytree
class _Named(NamedTuple):
    weight: jax.Array
    activation: str


assert "relu" in jax.tree.leaves(_Named(jnp.ones(2), "relu"))
try:
    jax.jit(lambda layer: layer.weight)(_Named(jnp.ones(2), "relu"))
except TypeError:
    pass
else:
    raise AssertionError


# %% after: register-a-dataclass 1
assert [
    jax.tree_util.keystr(p) for p, _ in jax.tree.leaves_with_path(state)
] == [".n"]


# %% after: register-a-dataclass 2
try:
    dataclasses.replace(state, stepsize=10)
except TypeError as error:
    assert "stepsize" in str(error)
else:
    raise AssertionError


# %% after: register-a-dataclass 3
assert traces == [1, 10]
_back, _ = jitted_count(dataclasses.replace(state, step_size=1))
assert _back.n == 24 and traces == [1, 10]


# %% after: register-a-dataclass
_jaxpr = jax.make_jaxpr(count)(state)
assert len(_jaxpr.jaxpr.invars) == 1 and "10:i32[]" in str(_jaxpr)


# %% after: register-a-dataclass
try:
    state.n = jnp.int32(0)
except Exception as error:
    assert type(error) is dataclasses.FrozenInstanceError
else:
    raise AssertionError


# %% after: register-a-dataclass
@dataclasses.dataclass(frozen=True)
class _Shallow:
    history: list


_shallow = _Shallow([])
_shallow.history.append(1)
assert _shallow.history == [1]


# %% after: register-a-dataclass
@jax.tree_util.register_dataclass
@dataclasses.dataclass
class _Open:
    n: jax.Array


assert jax.jit(lambda s: s.n + 1)(_Open(jnp.int32(1))) == 2


# %% after: static-or-data
assert (traces_of(True), traces_of(False)) == (2, 1)
try:
    jax.jit(lambda size: jnp.zeros(size))(3)  # a size that is data
except TypeError as error:
    assert "Shapes must be 1D sequences of concrete" in str(error)
else:
    raise AssertionError


# %% after: static-or-data
def _apply(scale):
    return 2.0 * scale.factor if scale.training else scale.factor


@jax.tree_util.register_dataclass
@dataclasses.dataclass(frozen=True)
class _DataFlag:
    factor: jax.Array
    training: bool


@jax.tree_util.register_dataclass
@dataclasses.dataclass(frozen=True)
class _StaticFlag:
    factor: jax.Array
    training: bool = dataclasses.field(metadata=dict(static=True))


try:
    jax.jit(_apply)(_DataFlag(jnp.float32(2), True))
except Exception as error:
    assert type(error) is jax.errors.TracerBoolConversionError
else:
    raise AssertionError
assert jax.jit(_apply)(_StaticFlag(jnp.float32(2), True)) == 4
assert jax.jit(_apply)(_StaticFlag(jnp.float32(2), False)) == 2


@jax.tree_util.register_dataclass
@dataclasses.dataclass(frozen=True)
class _Scheduled:
    w: jax.Array
    rate: float = dataclasses.field(metadata=dict(static=True))


_traces = []
_scaled = jax.jit(lambda state: (_traces.append(1), state.rate * state.w)[1])
for _n in range(1000):
    jax.eval_shape(_scaled, _Scheduled(jnp.float32(1), 0.1 / (_n + 1)))
assert len(_traces) == 1000


# %% after: static-equality 2
assert widen(WithSetting(jnp.float32(3), config)) == 6
assert WithSetting(jnp.float32(3), config).setting.width == 5


# %% after: static-equality
# an equal config is a cache hit, whether it's the same object or not
_n = []


@jax.jit
def _widen(layer):
    _n.append(1)
    return layer.weight * layer.setting.width


for _ in range(3):
    _widen(WithSetting(jnp.float32(3), FrozenConfig(5)))
assert len(_n) == 1


# %% after: static-equality
# before any array is compared: where two hashes meet by chance, JAX may
# compare the static fields of two classes, and an array among them raises
@jax.tree_util.register_dataclass
@dataclasses.dataclass(frozen=True)
class _TupleTable:
    position: jax.Array
    table: tuple = dataclasses.field(metadata=dict(static=True))


_look_up = jax.jit(lambda state: jnp.asarray(state.table)[state.position])
for _ in range(2):
    assert _look_up(_TupleTable(jnp.int32(1), (5.0, 6.0))) == 6
    _rows = tuple(map(tuple, np.ones((2, 2))))
    assert _look_up(_TupleTable(jnp.int32(1), _rows)).tolist() == [1, 1]


# %% after: static-equality
# lists and dicts are accepted, compared with ==, and stale when changed
@jax.tree_util.register_dataclass
@dataclasses.dataclass(frozen=True)
class _Open:
    weight: jax.Array
    setting: object = dataclasses.field(metadata=dict(static=True))


for _setting, _new, _key in (([2], [2], 0), ({"w": 2}, {"w": 2}, "w")):
    _n = []
    _first = jax.jit(lambda s: (_n.append(1), s.weight * s.setting[_key])[1])
    assert _first(_Open(jnp.float32(3), _setting)) == 6
    assert _first(_Open(jnp.float32(3), _new)) == 6 and len(_n) == 1
    _setting[_key] = 5
    assert _first(_Open(jnp.float32(3), _setting)) == 6 and len(_n) == 1
    try:
        hash(_setting)
    except TypeError:
        continue
    raise AssertionError
assert {Config(): 1} and hash(FrozenConfig()) == hash(FrozenConfig(2))


# %% after: array-in-a-static-field
jax.clear_caches()  # of the arrays that look_up left there: see above


# a NumPy array changed in place is as stale as a config
@jax.tree_util.register_dataclass
@dataclasses.dataclass(frozen=True)
class _Table:
    i: jax.Array
    t: np.ndarray = dataclasses.field(metadata=dict(static=True))


_look = jax.jit(lambda s: jnp.asarray(s.t)[s.i])
_t = np.array([5.0, 6.0])
assert _look(_Table(jnp.int32(1), _t)) == 6
_t[1] = 60
assert _look(_Table(jnp.int32(1), _t)) == 6


# %% after: array-in-a-static-field
# a fresh function's first call can raise
@jax.tree_util.register_dataclass
@dataclasses.dataclass(frozen=True)
class _Seen:
    position: jax.Array
    table: np.ndarray = dataclasses.field(metadata=dict(static=True))


_raised = []
for _k in range(20):
    try:
        jax.jit(lambda state: state.position + _k)(
            _Seen(jnp.int32(1), np.array([5.0, 6.0]))
        )
    except ValueError:
        _raised.append(_k)
assert _raised
jax.clear_caches()  # or a later cell might meet an array by chance


# %% after: array-in-a-static-field
# as data, a table is an input: new numbers, one trace
@jax.tree_util.register_dataclass
@dataclasses.dataclass(frozen=True)
class _DataTable:
    position: jax.Array
    table: jax.Array


_n = []
_look_up = jax.jit(lambda s: (_n.append(1), s.table[s.position])[1])
for _numbers in ([5.0, 6.0], [5.0, 6.0], [7.0, 8.0]):
    _table = np.array(_numbers)
    assert _look_up(_DataTable(jnp.int32(1), _table)) == _numbers[1]
assert len(_n) == 1


# %% after: lambda-in-a-static-field
_before = len(traces)
_same = lambda w: 2 * w
for _ in range(3):
    activate(WithSetting(jnp.float32(3), _same))
assert len(traces) == _before + 1


# %% after: lambda-in-a-static-field
# partial objects are new each time as well
_before = len(traces)
for _ in range(2):
    activate(
        WithSetting(
            jnp.float32(3), __import__("functools").partial(jnp.add, 1)
        )
    )
assert len(traces) == _before + 2


# %% after: lambda-in-a-static-field
_f = jax.jit(lambda state: state.n + state.step_size)
_results = [_f(CounterState(jnp.int32(0), s)) for s in (1, 1.0, True)]
assert [r.dtype for r in _results] == [jnp.int32] * 3 and _f._cache_size() == 1


# %% after: lambda-in-a-static-field
_f = jax.jit(lambda state: state.n + state.step_size)
assert _f(CounterState(jnp.int32(0), 1.0)).dtype == jnp.float32


# %% after: lambda-in-a-static-field
# equal tuples of two classes share a program; dataclasses don't
class _Relu(NamedTuple):
    scale: int = 2


class _Tanh(NamedTuple):
    scale: int = 2


@dataclasses.dataclass(frozen=True)
class _FrozenRelu:
    scale: int = 2


@dataclasses.dataclass(frozen=True)
class _FrozenTanh:
    scale: int = 2


def _results(*settings):
    by_class = jax.jit(
        lambda layer: layer.weight + ("Relu" in type(layer.setting).__name__)
    )
    return [int(by_class(WithSetting(jnp.int32(0), s))) for s in settings]


assert _results(_Relu(), _Tanh()) == [1, 1]
assert _results(_FrozenRelu(), _FrozenTanh()) == [1, 0]
_kinds = []
_argument = jax.jit(lambda k: (_kinds.append(k), k)[1], static_argnums=0)
_argument(2), _argument(2.0)
assert len(_kinds) > 1  # a static argument's type counts
_kinds.clear()
assert [_argument((2,)), _argument((2.0,))] and len(_kinds) == 1


# %% after: stacked-states
try:
    stack([CounterState(jnp.int32(0), size) for size in (1, 10)])
except Exception as error:
    assert type(error) is ValueError
else:
    raise AssertionError


# %% after: stacked-states
assert counts.tolist() == [1, 11, 101] and new_states.step_size == 1


# %% after: integer-leaves
assert state.step.dtype == jnp.int32 and abs(weight - 2) < 5e-3
assert (y == 2 * x + 1).all() and len(x) == 3 and abs(bias - 1) < 5e-3


# %% after: integer-leaves
_grads = jax.grad(lambda s: loss_fn(s.params, x, y), allow_int=True)(state)
assert _grads.step.dtype == jax.dtypes.float0
try:
    jax.tree.map(lambda p, g: p - 0.2 * g, state, _grads)
except TypeError:
    pass
else:
    raise AssertionError


# %% after: integer-leaves
_float = state._replace(step=jnp.float32(3))
assert jax.grad(lambda s: loss_fn(s.params, x, y))(_float).step == 0
assert jnp.float32(2**24) + 1 == 2**24
assert 2**24 == 16777216


# %% after: unflatten-must-not-validate 1
_strict = StrictState(jnp.int32(3))
assert jax.jit(lambda state: state)(_strict).n == 3
for _call, _got in (
    (lambda s: jax.tree.map(jnp.shape, s), "tuple"),
    (lambda s: jax.eval_shape(lambda s: s, s), "ShapeDtypeStruct"),
):
    try:
        _call(_strict)
    except TypeError as error:
        assert str(error) == f"n must be an array, not {_got}"
    else:
        raise AssertionError


# %% after: unflatten-must-not-validate 1
_n = []


@jax.tree_util.register_dataclass
@dataclasses.dataclass(frozen=True)
class _Noted:
    n: jax.Array

    def __post_init__(self):
        _n.append(1)


_noted = _Noted(jnp.ones(2))
_before = len(_n)
jax.tree.map(lambda leaf: leaf, _noted)
assert len(_n) > _before


# %% after: unflatten-must-not-validate 1
# under jit: a tracer, and in recent versions an abstract value, which fails
# the check without an error
_passed = []


@jax.tree_util.register_dataclass
@dataclasses.dataclass(frozen=True)
class _Watched:
    n: jax.Array

    def __post_init__(self):
        _passed.append((type(self.n).__name__, isinstance(self.n, jax.Array)))
        if not isinstance(self.n, jax.Array):
            raise TypeError


_watched = _Watched(jnp.ones(2))
_passed.clear()
_inside = []
jax.jit(lambda s: (_inside.append(isinstance(s.n, jax.core.Tracer)), s)[1])(
    _watched
)
assert _inside == [True] and _passed[0][1]
_refused = [name for name, passed in _passed if not passed]
assert _refused == ["ShapedArray"] * (jax.__version_info__ >= (0, 10))

# on a CPU the NumPy array of device_get is no copy
_x = jnp.arange(4.0)
if jax.default_backend() == "cpu":
    assert jax.device_get(_x).ctypes.data == _x.unsafe_buffer_pointer()


# %% after: unflatten-must-not-validate
try:
    new_counter("three")
except TypeError as error:
    assert str(error) == "n must be an array, not str"
else:
    raise AssertionError


# %% after: complete-cell 1
assert grads.activation is jax.nn.relu and len(jax.tree.leaves(grads)) == 4
assert jax.jit(MLP.__call__)(params, jnp.ones((4, 2))).shape == (4, 2)
try:
    jax.jit(params)(jnp.ones((4, 2)))
except TypeError as error:
    assert "unhashable type" in str(error)
else:
    raise AssertionError


class _Sub(MLP):
    pass


assert len(jax.tree.leaves(_Sub((layer,), jax.nn.relu))) == 1
assert jax.tree.structure(grads) == jax.tree.structure(params)


# %% after: complete-cell
_paths = [
    jax.tree_util.keystr(path) for path, _ in jax.tree.leaves_with_path(params)
]
assert _paths == [
    f".layers[{i}].{name}" for i in range(3) for name in ("weight", "bias")
]


# %% after: train-the-mlp 1
assert jax.tree.structure(new_params) == jax.tree.structure(params)
assert jnp.isnan(train(init(init_key, (1, 64, 1)), x, y)[1][-1])


# %% after: train-the-mlp 1
assert mean_square(new_params, x, y) < jnp.mean((y - curve) ** 2)
assert jnp.mean((new_params(x) - curve)[:6]) < -0.05
_off = jnp.abs(new_params(x) - curve)
assert _off[:3].min() > 0.1 > 0.08 > _off[7:].max()
assert jnp.mean((y - curve)[:6]) < -0.05
assert isinstance(jax.grad(mean_square)(params, x, y), MLP)


# %% after: train-the-mlp 1
# new noise on the same points: the loss is above that of the training points
_new = curve + 0.1 * jax.random.normal(jax.random.key(7), x.shape)
assert mean_square(new_params, x, _new) > mean_square(new_params, x, y)


# %% after: train-the-mlp 1
# without the noise, the same training stays closer at the left end
_clean, _ = train(params, x, curve)
assert jnp.mean((_clean(x) - curve)[:6]) > -0.05
# and more steps don't make it worse: the fit to the curve still improves
_later, _ = train(new_params, x, y)
assert mean_square(_later, x, curve) < mean_square(new_params, x, curve)


# %% after: exercise-1
# arrays and their scalars are read as well
for _given in (
    np.array([1, 3, 2, 2, 3]),
    jnp.array([1, 3, 2, 2, 3]),
    (np.int64(1), 3, jnp.int32(2), 2, 3),
):
    check_1(_given)
