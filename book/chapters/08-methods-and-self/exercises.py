"""What judges the answers to the exercises of this chapter, and answers to try it with."""


# %% check 1
def truth_1() -> tuple:
    """Return the number of traces of each loop."""
    traces = []

    class Plain:
        def __init__(self, scale) -> None:
            self.scale = scale

        def loss(self, x):
            traces.append("loss")
            return self.scale * x

    @dataclasses.dataclass(frozen=True)
    class Frozen:
        scale: float

        def loss(self, x):
            traces.append("loss")
            return self.scale * x

    @jax.tree_util.register_dataclass
    @dataclasses.dataclass(frozen=True)
    class Registered:
        scale: jax.Array

        def loss(self, x):
            traces.append("loss")
            return self.scale * x

    def static(cls, scale):
        jax.jit(cls.loss, static_argnums=0)(cls(scale), 2.0)

    model, named = Registered(jnp.float32(2)), Registered(jnp.float32(2))
    loss = named.loss
    rows = (
        lambda scale: jax.jit(model.loss)(2.0),
        lambda scale: jax.jit(Registered.loss)(named, 2.0),
        lambda scale: jax.jit(loss)(2.0),
        lambda scale: static(Plain, 2.0),
        lambda scale: static(Frozen, scale),
    )

    def traces_of(call) -> int:
        traces.clear()
        for scale in (2.0, 3.0, 2.0):
            call(scale)
        return len(traces)

    return tuple(map(traces_of, rows))


def check_1(answer) -> None:
    """Compare five predictions with the traces that the loops cost."""
    given = read_numbers(answer, 5, "whole")
    assert not any(type(number) is float for number in answer), (
        "write 5 whole numbers without a decimal point · 정수 5개를 소수점 없이 적으세요"
    )
    hints = (
        "what does `model.loss` give at each pass? · "
        "`model.loss`는 반복할 때마다 무엇을 반환하나요?",
        "is `Registered.loss` a new function at each pass? · "
        "`Registered.loss`는 반복할 때마다 새 함수인가요?",
        "the name keeps one bound method · 변수에 대입한 바운드 메서드는 하나입니다",
        "when are two objects of an ordinary class equal? · 일반 클래스의 객체 두 개는 언제 같은가요?",
        "which of the three objects are equal? · 객체 세 개 가운데 서로 같은 것은 무엇인가요?",
    )
    said = lambda n, value: (
        f"row {n} doesn't cost {value}: · {n}번의 트레이싱 횟수는 {value}회가 아닙니다."
    )
    in_order(given, truth_1(), hints, said)


# %% solution 1
# 1: each pass makes a bound method and drops it, with its cache entry.
# 2: one function; self is a pytree of one leaf.  3: one bound method.
# 4: three unequal objects.  5: two of the three are equal.
judge(1, check_1, (3, 1, 1, 3, 2))


# %% right 1
answer_1 = [3, 1, 1, 3, 2]
answer_1 = iter((3, 1, 1, 3, 2))


# %% wrong 1: row 1 doesn't cost 1
answer_1 = (1, 1, 1, 3, 2)


# %% wrong 1: row 1 doesn't cost 0
answer_1 = (0, 1, 1, 3, 2)


# %% wrong 1: is `Registered.loss` a new function
answer_1 = (3, 3, 1, 3, 2)


# %% wrong 1: the name keeps one
answer_1 = (3, 1, 3, 3, 2)


# %% wrong 1: when are two objects of an ordinary
answer_1 = (3, 1, 1, 1, 2)


# %% wrong 1: which of the three objects are equal
answer_1 = (3, 1, 1, 3, 3)
answer_1 = (3, 1, 1, 3, 1)


# %% wrong 1: write 5 whole numbers
answer_1 = (3, 1, 1, 3)
answer_1 = "31132"
answer_1 = (3.0, 1.0, 1.0, 3.0, 2.0)
answer_1 = {1: 3, 2: 1, 3: 1, 4: 3, 5: 2}


# %% check 2
def begin_2(answer):
    """The initial object of an answer, after a look at its leaves."""
    assert callable(answer), (
        "a class or a function is needed, not an object · 객체가 아니라 클래스나 함수를 넣으세요"
    )
    start = call_answer(answer)
    kind, leaves = type(start).__name__, jax.tree.leaves(start)
    assert hasattr(start, "update"), (
        f"answer_2() gives a {kind} without `update` · "
        f"answer_2()의 결과({kind})에 `update`가 없습니다"
    )
    assert not any(leaf is start for leaf in leaves), (
        "the object is a single leaf: is its class registered? · "
        "객체 전체가 리프 하나입니다. 클래스를 등록했나요?"
    )
    assert leaves, (
        "the object has no leaves: what changes has to be data · "
        "객체에 리프가 없습니다. 바뀌는 값은 데이터여야 합니다"
    )
    return start


def means_2(start, step, xs) -> list:
    """The means that a step gives from an initial object, number by number."""
    state, means = start, []
    for x in xs:
        state, mean = needs_results(
            call_answer(step, state, x),
            2,
            "the new object and the mean · 새 객체와 평균입니다",
        )
        kind = type(state).__name__
        assert type(state) is type(start), (
            f"the first result has to be the new object, its type is {kind} · "
            f"첫째 결과는 새 객체여야 하는데 타입이 {kind}입니다"
        )
        needs_shape(np.asarray(mean), (), "the mean · 평균")
        means.append(float(mean))
    return means


def check_2(answer) -> None:
    """Run the object's update as it is, under jit and in a scan."""
    start = begin_2(answer)
    before = [np.array(leaf) for leaf in jax.tree.leaves(start)]
    step = lambda state, x: state.update(x)
    hints = {
        "TypeError: ": "right in a loop, but scan stops: does the new object have the structure "
        "and the dtypes of the initial one? · 반복문에서는 맞지만 scan에서 멈춥니다. 새 객체의 구조와 dtype이 "
        "초기 객체와 같은가요?"
    }
    for numbers in ([2.5, -4.0, 0.75, 10.0], [-3.0], [1e3, 0.125, 7.0]):
        xs = jnp.array(numbers, jnp.float32)
        truth = np.cumsum(numbers) / np.arange(1, len(numbers) + 1)
        for way, en, ko in (
            (step, "Python", "파이썬"),
            (jax.jit(step), "jit", "jit"),
        ):
            means = means_2(answer(), way, xs)
            assert np.allclose(means, truth, rtol=1e-4), (
                f"in {en}, the means of {numbers} are {means} · "
                f"{ko}에서 {numbers}의 평균이 {means}입니다"
            )
        start.update(xs[0])
        assert arrays_agree(jax.tree.leaves(start), before, 0), (
            "`update` changed the object that it was called on · "
            "`update`가 호출된 객체를 바꿨습니다"
        )
        _, means = call_answer(jax.lax.scan, step, answer(), xs, hints=hints)
        assert np.allclose(means, truth, rtol=1e-4), (
            f"in scan, the means of {numbers} are {means} · "
            f"scan에서 {numbers}의 평균이 {means}입니다"
        )


# %% solution 2
@jax.tree_util.register_dataclass
@dataclasses.dataclass(frozen=True)
class Mean:
    """The sum and the number of the numbers so far."""

    total: jax.Array
    n: jax.Array

    @classmethod
    def create(cls) -> "Mean":
        """The state before the first number."""
        return cls(jnp.float32(0), jnp.int32(0))

    @jax.jit
    def update(self, x: jax.Array) -> tuple["Mean", jax.Array]:
        """Take in x; return the new state and the mean so far."""
        new_state = Mean(self.total + x, self.n + 1)
        return new_state, new_state.total / new_state.n


judge(2, check_2, Mean.create)


# %% right 2
@jax.tree_util.register_dataclass
@dataclasses.dataclass(frozen=True)
class answer_2:
    total: jax.Array = dataclasses.field(
        default_factory=lambda: jnp.float32(0)
    )
    n: jax.Array = dataclasses.field(default_factory=lambda: jnp.int32(0))

    def update(self, x):
        new = dataclasses.replace(self, total=self.total + x, n=self.n + 1)
        return [new, new.total / new.n]


by_replace = answer_2
answer_2 = lambda: by_replace()


# jitted, assigning to the copy and returning it
@jax.tree_util.register_dataclass
@dataclasses.dataclass
class answer_2:
    total: jax.Array = dataclasses.field(
        default_factory=lambda: jnp.float32(0)
    )
    n: jax.Array = dataclasses.field(default_factory=lambda: jnp.int32(0))

    @jax.jit
    def update(self, x):
        self.total, self.n = self.total + x, self.n + 1
        return self, self.total / self.n


from typing import NamedTuple


class answer_2(NamedTuple):
    mean: jax.Array = jnp.float32(0)
    n: jax.Array = jnp.float32(0)

    def update(self, x):
        n = self.n + 1
        mean = self.mean + (x - self.mean) / n
        return answer_2(mean, n), mean


class Both(NamedTuple):
    both: np.ndarray

    def update(self, x):
        both = self.both + jnp.stack([x, jnp.ones_like(x)])
        return self._replace(both=both), both[0] / both[1]


answer_2 = lambda: Both(np.zeros(2, np.float32))


@jax.tree_util.register_pytree_node_class
class answer_2:
    def __init__(self, total=jnp.float32(0), n=jnp.int32(0)):
        self.total, self.n = total, n

    def tree_flatten(self):
        return (self.total, self.n), None

    @classmethod
    def tree_unflatten(cls, _, leaves):
        return cls(*leaves)

    def update(self, x):
        new = answer_2(self.total + x, self.n + 1)
        return new, new.total / new.n


# scan promotes a weakly typed initial state
@jax.tree_util.register_dataclass
@dataclasses.dataclass(frozen=True)
class answer_2:
    total: float = 0.0
    n: int = 0

    def update(self, x):
        new = answer_2(self.total + x, self.n + 1)
        return new, new.total / new.n


# %% wrong 2: is its class registered
answer_2 = RunningMean


# %% wrong 2: not an object
answer_2 = Mean.create()


# %% wrong 2: changed the object
@jax.tree_util.register_dataclass
@dataclasses.dataclass
class answer_2:
    total: jax.Array = dataclasses.field(
        default_factory=lambda: jnp.float32(0)
    )
    n: jax.Array = dataclasses.field(default_factory=lambda: jnp.int32(0))

    def update(self, x):
        self.total, self.n = self.total + x, self.n + 1
        return dataclasses.replace(self), self.total / self.n


# %% wrong 2: return 2 values
@jax.tree_util.register_dataclass
@dataclasses.dataclass(frozen=True)
class answer_2:
    total: jax.Array = dataclasses.field(
        default_factory=lambda: jnp.float32(0)
    )
    n: jax.Array = dataclasses.field(default_factory=lambda: jnp.int32(0))

    @jax.jit
    def update(self, x):
        return (self.total + x) / (self.n + 1)


# %% wrong 2: returns nothing
@jax.tree_util.register_dataclass
@dataclasses.dataclass(frozen=True)
class answer_2:
    total: jax.Array = dataclasses.field(
        default_factory=lambda: jnp.float32(0)
    )
    n: jax.Array = dataclasses.field(default_factory=lambda: jnp.int32(0))

    def update(self, x):
        answer_2(self.total + x, self.n + 1)


# %% wrong 2: first result has to be the new object
@jax.tree_util.register_dataclass
@dataclasses.dataclass(frozen=True)
class answer_2:
    total: jax.Array = dataclasses.field(
        default_factory=lambda: jnp.float32(0)
    )
    n: jax.Array = dataclasses.field(default_factory=lambda: jnp.int32(0))

    def update(self, x):
        new = answer_2(self.total + x, self.n + 1)
        return new.total / new.n, new


# %% wrong 2: in Python, the means of
@jax.tree_util.register_dataclass
@dataclasses.dataclass(frozen=True)
class answer_2:
    total: jax.Array = dataclasses.field(
        default_factory=lambda: jnp.float32(0)
    )
    n: jax.Array = dataclasses.field(default_factory=lambda: jnp.int32(0))

    def update(self, x):
        new = answer_2(self.total + x, self.n + 1)
        return self, new.total / new.n


@jax.tree_util.register_dataclass
@dataclasses.dataclass(frozen=True)
class answer_2:
    total: jax.Array = dataclasses.field(
        default_factory=lambda: jnp.float32(0)
    )
    n: jax.Array = dataclasses.field(default_factory=lambda: jnp.int32(0))

    def update(self, x):
        new = answer_2(self.total + x, self.n)
        return new, new.total / (new.n + 1)


# %% wrong 2: scan stops
@jax.tree_util.register_dataclass
@dataclasses.dataclass(frozen=True)
class answer_2:
    total: jax.Array = dataclasses.field(default_factory=lambda: jnp.int32(0))
    n: jax.Array = dataclasses.field(default_factory=lambda: jnp.int32(0))

    def update(self, x):
        new = answer_2(self.total + x, self.n + 1)
        return new, new.total / new.n


@jax.tree_util.register_dataclass
@dataclasses.dataclass(frozen=True)
class answer_2:
    total: jax.Array = dataclasses.field(
        default_factory=lambda: jnp.float32(0)
    )
    n: int = dataclasses.field(default=0, metadata=dict(static=True))

    def update(self, x):
        new = answer_2(self.total + x, self.n + 1)
        return new, new.total / new.n


# %% wrong 2: without `update`
answer_2 = lambda: (jnp.float32(0), jnp.int32(0))


# %% wrong 2: your answer raised
@jax.tree_util.register_dataclass
@dataclasses.dataclass(frozen=True)
class answer_2:
    total: jax.Array = dataclasses.field(
        default_factory=lambda: jnp.float32(0)
    )
    n: jax.Array = dataclasses.field(default_factory=lambda: jnp.int32(0))

    def update(self, x):
        self.total = self.total + x
        return self, self.total


# %% check 3
def activations_3() -> tuple:
    """A list of the Python runs of two activations, and these two."""
    runs = []

    def bent(v):
        runs.append("bent")
        return jnp.abs(v) + 0.5 * v

    def lowered(v):
        runs.append("lowered")
        return v - 1

    return runs, bent, lowered


def compare_3(number: int, layer, weight, x, activation, runs: list) -> None:
    """Refuse another result than the activation of the product."""
    result = call_answer(layer.apply, jnp.float32(x))
    truth = activation(jnp.float32(weight * x))
    runs.pop()  # the truth's own
    assert np.allclose(result, truth, rtol=1e-5), (
        f"class {number}: weight {weight}, x {x} gives {result}, not {truth} · "
        f"{number}번 클래스: weight {weight}, x {x}의 결과가 {truth}이어야 하는데 {result}입니다"
    )


def costs_3(number: int, runs: list, right: int, weights: str) -> None:
    """Refuse another number of Python runs."""
    n, (en, ko) = len(runs), languages_of(weights)
    assert n == right, (
        f"class {number}: the results are right, but for {en} the number of Python runs of the "
        f"activation is {n} · {number}번 클래스: 결과는 맞지만 {ko}에 활성화 함수가 파이썬에서 {n}회 실행되었습니다"
    )


def is_registered_3(layer) -> bool:
    """Whether JAX looks into a layer."""
    return not any(leaf is layer for leaf in jax.tree.leaves(layer))


def takes_3(layer, name: str, value) -> bool:
    """Whether an attribute of a layer can be assigned."""
    try:
        setattr(layer, name, value)
    except Exception:
        return False
    return True


def look_at_first_3(cls) -> None:
    """Change the weight of a layer that isn't registered."""
    runs, bent, _ = activations_3()
    layer = cls(2.0, bent)
    assert not is_registered_3(layer), (
        "class 1 is registered: here a function takes the values instead · "
        "1번 클래스가 등록되어 있습니다. 여기서는 함수가 값을 받아야 합니다"
    )
    compare_3(1, layer, 2.0, 3.0, bent, runs)
    for weight in (5.0, -1.5):
        assert takes_3(layer, "weight", weight), (
            "class 1: `layer.weight = 5.0` has to stay possible · "
            "1번 클래스: `layer.weight = 5.0`이 가능해야 합니다"
        )
        compare_3(1, layer, weight, 3.0, bent, runs)
    costs_3(1, runs, 1, "three weights · weight 세 가지")


def look_at_second_3(cls) -> None:
    """Make equal and unequal layers that can't be changed."""
    runs, bent, lowered = activations_3()
    hints = {
        "TypeError: ": "class 2: its objects can't be hashed · 2번 클래스: 객체를 해시할 수 없습니다"
    }
    call_answer(hash, cls(2.0, bent), hints=hints)
    for weight in (2.0, 2.0, -5.0, 2.0):
        compare_3(2, cls(weight, bent), weight, -3.0, bent, runs)
    for name, value in (("weight", 5.0), ("activation", lowered)):
        assert not takes_3(cls(2.0, bent), name, value), (
            f"class 2: {name} can still be assigned · "
            f"2번 클래스: {name}에 아직 대입할 수 있습니다"
        )
    costs_3(2, runs, 2, "two different weights · 서로 다른 weight 두 가지")
    compare_3(2, cls(2.0, lowered), 2.0, -3.0, lowered, runs)


def look_at_third_3(cls) -> None:
    """Make layers whose weight is their only leaf."""
    runs, bent, lowered = activations_3()
    for weight in (2.0, -5.0, 0.5):
        layer = cls(jnp.float32(weight), bent)
        assert is_registered_3(layer), (
            "class 3 isn't registered: the object is a single leaf · "
            "3번 클래스가 등록되지 않아 객체 전체가 리프 하나입니다"
        )
        leaves = jax.tree.leaves(layer)
        assert len(leaves) == 1 and not callable(leaves[0]), (
            f"class 3 has {len(leaves)} leaves: the weight has to be the only one · "
            f"3번 클래스의 리프가 {len(leaves)}개입니다. weight만 리프여야 합니다"
        )
        compare_3(3, layer, weight, 1.5, bent, runs)
    costs_3(3, runs, 1, "three weights · weight 세 가지")
    compare_3(3, cls(jnp.float32(2), lowered), 2.0, 1.5, lowered, runs)


def check_3(answer) -> None:
    """Change layers of the three classes and count their traces."""
    is_three = isinstance(answer, (tuple, list)) and len(answer) == 3
    assert is_three and all(isinstance(cls, type) for cls in answer), (
        "a tuple of three classes is needed · 클래스 세 개로 된 튜플을 넣으세요"
    )
    look_at_first_3(answer[0])
    look_at_second_3(answer[1])
    look_at_third_3(answer[2])


# %% solution 3
@partial(jax.jit, static_argnums=0)
def activate(activation: Callable, weight: float, x: jax.Array) -> jax.Array:
    return activation(weight * x)


class FunctionLayer:
    def __init__(self, weight: float, activation: Callable) -> None:
        self.weight, self.activation = weight, activation

    def apply(self, x: jax.Array) -> jax.Array:
        return activate(self.activation, self.weight, x)


@dataclasses.dataclass(frozen=True)
class StaticLayer:
    weight: float
    activation: Callable

    @partial(jax.jit, static_argnums=0)
    def apply(self, x: jax.Array) -> jax.Array:
        return self.activation(self.weight * x)


@jax.tree_util.register_dataclass
@dataclasses.dataclass(frozen=True)
class RegisteredLayer:
    weight: jax.Array
    activation: Callable = dataclasses.field(metadata=dict(static=True))

    @jax.jit
    def apply(self, x: jax.Array) -> jax.Array:
        return self.activation(self.weight * x)


judge(3, check_3, (FunctionLayer, StaticLayer, RegisteredLayer))


# %% right 3
# other right ways: a jitted closure, a NamedTuple, register by hand
class _One:
    def __init__(self, weight, activation):
        self.weight = weight
        self.run = jax.jit(lambda w, x: activation(w * x))

    def apply(self, x):
        return self.run(self.weight, x)


class _Two(NamedTuple):
    weight: float
    activation: Callable

    @partial(jax.jit, static_argnames="self")
    def apply(self, x):
        return self.activation(self.weight * x)


@jax.tree_util.register_pytree_node_class
class _Three:
    def __init__(self, weight, activation):
        self.weight, self.activation = weight, activation

    def tree_flatten(self):
        return (self.weight,), self.activation

    @classmethod
    def tree_unflatten(cls, activation, leaves):
        return cls(*leaves, activation)

    @jax.jit
    def apply(self, x):
        return self.activation(x * self.weight)


answer_3 = [_One, _Two, _Three]


# a dataclass that isn't frozen in the first place; others jitted outside
@dataclasses.dataclass
class _One:
    weight: float
    activation: Callable

    def apply(self, x):
        return _activate(self.weight, x, activation=self.activation)


@partial(jax.jit, static_argnames="activation")
def _activate(weight, x, *, activation):
    return activation(weight * x)


class _Two:
    def __init__(self, weight, activation):
        self.__dict__.update(weight=weight, activation=activation)

    def __setattr__(self, name, value):
        raise AttributeError(name)

    def __eq__(self, other):
        return isinstance(other, _Two) and vars(self) == vars(other)

    def __hash__(self):
        return hash((self.weight, self.activation))

    def apply(self, x):
        return _static_apply(self, x)


_static_apply = jax.jit(
    lambda self, x: self.activation(self.weight * x), static_argnums=0
)
_open = dataclasses.make_dataclass(
    "_open",
    [
        ("weight", jax.Array),
        (
            "activation",
            Callable,
            dataclasses.field(metadata=dict(static=True)),
        ),
    ],
    namespace=dict(
        apply=jax.jit(lambda self, x: self.activation(self.weight * x))
    ),
)
answer_3 = (_One, _Two, jax.tree_util.register_dataclass(_open))


# %% wrong 3: tuple of three classes
answer_3 = RegisteredLayer
answer_3 = (FunctionLayer(2.0, jnp.abs), StaticLayer, RegisteredLayer)


# %% wrong 3: class 1: weight 5.0
answer_3 = (Layer, StaticLayer, RegisteredLayer)


# %% wrong 3: `layer.weight = 5.0` has to stay possible
answer_3 = (StaticLayer, StaticLayer, RegisteredLayer)


# %% wrong 3: class 1 is registered
answer_3 = (RegisteredLayer, StaticLayer, RegisteredLayer)


# %% wrong 3: class 1: the results are right
class Unjitted(Layer):
    def apply(self, x):
        return self.activation(self.weight * x)


answer_3 = (Unjitted, StaticLayer, RegisteredLayer)


class Rebuilt(Layer):
    def apply(self, x):
        return jax.jit(lambda w, x: self.activation(w * x))(self.weight, x)


answer_3 = (Rebuilt, StaticLayer, RegisteredLayer)


class StaticWeight(Layer):
    def apply(self, x):
        return jax.jit(lambda w, x: self.activation(w * x), static_argnums=0)(
            self.weight, x
        )


answer_3 = (StaticWeight, StaticLayer, RegisteredLayer)


# %% wrong 3: class 2: weight can still be assigned
answer_3 = (FunctionLayer, Layer, RegisteredLayer)


@dataclasses.dataclass(unsafe_hash=True)
class Hashed:
    weight: float
    activation: Callable

    @partial(jax.jit, static_argnums=0)
    def apply(self, x):
        return self.activation(self.weight * x)


answer_3 = (FunctionLayer, Hashed, RegisteredLayer)


# %% wrong 3: class 2: activation can still be assigned
class HalfOpen:
    def __init__(self, weight, activation):
        self._weight, self.activation = weight, activation

    @property
    def weight(self):
        return self._weight

    def __eq__(self, other):
        return vars(self) == vars(other)

    def __hash__(self):
        return hash((self._weight, self.activation))

    @partial(jax.jit, static_argnums=0)
    def apply(self, x):
        return self.activation(self.weight * x)


answer_3 = (FunctionLayer, HalfOpen, RegisteredLayer)


# %% wrong 3: class 2: the results are right
@dataclasses.dataclass(frozen=True, eq=False)
class NoEq:
    weight: float
    activation: Callable

    @partial(jax.jit, static_argnums=0)
    def apply(self, x):
        return self.activation(self.weight * x)


answer_3 = (FunctionLayer, NoEq, RegisteredLayer)
answer_3 = (FunctionLayer, RegisteredLayer, RegisteredLayer)


# %% wrong 3: can't be hashed
@dataclasses.dataclass
class Unhashable:
    weight: float
    activation: Callable

    @partial(jax.jit, static_argnums=0)
    def apply(self, x):
        return self.activation(self.weight * x)


answer_3 = (FunctionLayer, Unhashable, RegisteredLayer)


# %% wrong 3: class 3 isn't registered
answer_3 = (FunctionLayer, StaticLayer, FunctionLayer)


# %% wrong 3: class 3 has 2 leaves
@jax.tree_util.register_dataclass
@dataclasses.dataclass(frozen=True)
class TwoLeaves:
    weight: jax.Array
    activation: Callable

    @jax.jit
    def apply(self, x):
        return self.activation(self.weight * x)


answer_3 = (FunctionLayer, StaticLayer, TwoLeaves)


# %% wrong 3: class 3: the results are right
@jax.tree_util.register_dataclass
@dataclasses.dataclass(frozen=True)
class NotJitted:
    weight: jax.Array
    activation: Callable = dataclasses.field(metadata=dict(static=True))

    def apply(self, x):
        return self.activation(self.weight * x)


answer_3 = (FunctionLayer, StaticLayer, NotJitted)
