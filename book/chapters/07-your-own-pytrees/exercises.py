"""What judges the answers to the exercises of this chapter, and answers to try it with."""


# %% check 1
def truth_1() -> tuple:
    """Return the number of traces of each row."""

    @jax.tree_util.register_dataclass
    @dataclasses.dataclass(frozen=True)
    class WithSetting:
        weight: jax.Array
        setting: object = dataclasses.field(metadata=dict(static=True))

    def traces(layers: list) -> int:
        seen = []

        @jax.jit
        def double(layer):
            seen.append("trace")
            return 2 * layer.weight

        for layer in layers:
            double(layer)
        return len(seen)

    one = jnp.float32(1)
    shapes = jnp.zeros(2), jnp.zeros(3), jnp.ones(2)
    rows = (
        [WithSetting(jnp.float32(w), 2) for w in (1, 2, 3)],
        [WithSetting(one, setting) for setting in (2, 3, 4, 2)],
        [WithSetting(one, setting) for setting in (2, 2.0, 3)],
        [WithSetting(weight, 2) for weight in shapes],
        [WithSetting(one, lambda v: v) for _ in range(3)],
    )
    return tuple(traces(layers) for layers in rows)


def check_1(answer) -> None:
    """Compare five predictions with the traces that jit makes."""
    given = read_numbers(answer, 5, "whole")
    hints = (
        "weights are data: which of their properties count? · "
        "weight는 데이터입니다. 데이터의 어떤 속성을 보나요?",
        "one trace per static value, and one of them comes back · "
        "정적 값마다 한 번씩 트레이싱하는데, 다시 나오는 값이 있습니다",
        "what does `==` say of 2 and 2.0? · 2와 2.0을 `==`로 비교하면 어떻게 되나요?",
        "compare the shapes · shape을 비교해 보세요",
        "what is a function equal to? · 함수는 어떤 함수와 같나요?",
    )
    said = lambda n, value: (
        f"row {n} doesn't cost {value}: · {n}번의 트레이싱 횟수는 {value}회가 아닙니다."
    )
    in_order(given, truth_1(), hints, said)


# %% solution 1
# 1: same shape and dtype.  2: three different settings.  3: 2 == 2.0.
# 4: two different shapes.  5: each lambda is equal to itself alone.
judge(1, check_1, (1, 3, 2, 2, 3))


# %% right 1
answer_1 = [1, 3, 2, 2, 3]
answer_1 = iter((1, 3, 2, 2, 3))


# %% wrong 1: row 1 doesn't cost 3
answer_1 = (3, 3, 2, 2, 3)


# %% wrong 1: row 2 doesn't cost 4
answer_1 = (1, 4, 2, 2, 3)


# %% wrong 1: row 2 doesn't cost 1
answer_1 = (1, 1, 2, 2, 3)


# %% wrong 1: what does `==` say
answer_1 = (1, 3, 3, 2, 3)


# %% wrong 1: compare the shapes
answer_1 = (1, 3, 2, 1, 3)
answer_1 = (1, 3, 2, 3, 3)


# %% wrong 1: what is a function equal to
answer_1 = (1, 3, 2, 2, 1)


# %% wrong 1: write 5 whole numbers
answer_1 = 11
answer_1 = "13223"
answer_1 = {1: 1, 2: 3, 3: 2, 4: 2, 5: 3}


# %% check 2
def cases_2() -> list:
    """States of several classes, to be stacked."""

    @jax.tree_util.register_dataclass
    @dataclasses.dataclass(frozen=True)
    class Counter:
        n: jax.Array
        step_size: int = dataclasses.field(metadata=dict(static=True))

    class Linear(NamedTuple):
        weight: jax.Array
        bias: jax.Array

    def line(i: int) -> dict:
        weight = jnp.arange(6.0).reshape(2, 3) - 2.5 * i
        return {"line": Linear(weight, jnp.float32(-i)), "step": jnp.int32(i)}

    def reverse(i: int) -> dict:
        return {"a": jnp.int32(i), "z": jnp.ones((2, 3)) * i}

    return [
        [Counter(jnp.int32(n), 10) for n in (7, -3, 5)],
        [line(i)["line"] for i in range(5)],
        [line(i) for i in range(4)],
        [line(3)],
        [Counter(jnp.float32(n / 3), 2) for n in range(2)],
        [reverse(i) for i in range(3)],
    ]


def compare_2(state, truth, i: int, n: int) -> None:
    """Refuse a state that differs from the one that was stacked."""
    what = type(truth).__name__
    found, wanted = jax.tree.structure(state), jax.tree.structure(truth)
    assert found == wanted, (
        f"state {i} has another tree structure than the {what} that was stacked: {found} · "
        f"{i}번 상태의 트리 구조가 쌓기 전의 {what}와 다릅니다. {found}"
    )
    for a, b in zip(jax.tree.leaves(state), jax.tree.leaves(truth)):
        kind = type(a).__name__
        assert hasattr(a, "dtype"), (
            f"a leaf became a Python {kind} · 배열이던 리프가 파이썬 {kind}입니다"
        )
        needs_shape(a, b.shape, "a leaf · 리프")
        assert a.dtype == b.dtype, (
            f"a leaf of dtype {b.dtype} became {a.dtype} · "
            f"dtype이 {b.dtype}에서 {a.dtype}(으)로 바뀌었습니다"
        )
        assert np.array_equal(a, b), (
            f"state {i} of {n} has other values than before stacking · "
            f"상태 {n}개 가운데 {i}번의 값이 쌓기 전과 다릅니다"
        )


def check_2(answer) -> None:
    """Stack states of several classes, unstack them and compare."""
    needs_function(answer, "answer_2(stacked)")
    for states in cases_2():
        n, what = len(states), type(states[0]).__name__
        stacked = jax.tree.map(lambda *leaves: jnp.stack(leaves), *states)
        result = call_answer(answer, stacked)
        kind = type(result).__name__
        assert type(result) in (list, tuple), (
            f"a list of states is needed, not a {kind} · 상태의 리스트가 필요한데 {kind}입니다"
        )
        assert len(result) == n, (
            f"{n} states of type {what} were stacked, {len(result)} came back · "
            f"{what} 상태 {n}개를 쌓았는데 {len(result)}개가 나왔습니다"
        )
        for i, (state, truth) in enumerate(zip(result, states)):
            compare_2(state, truth, i, n)


# %% solution 2
def solution_2(stacked) -> list:
    """Take entry i of every leaf, for each i."""
    n = jax.tree.leaves(stacked)[0].shape[0]
    return [jax.tree.map(lambda leaf: leaf[i], stacked) for i in range(n)]


judge(2, check_2, solution_2)


# %% right 2
def answer_2(stacked):
    leaves, treedef = jax.tree.flatten(stacked)
    return [treedef.unflatten(parts) for parts in zip(*leaves)]


def answer_2(stacked):
    host = jax.tree.map(np.asarray, stacked)
    n = len(jax.tree.leaves(host)[0])
    return tuple(jax.tree.map(lambda leaf: leaf[i], host) for i in range(n))


def answer_2(stacked):
    lists = jax.tree.map(list, stacked)
    n = jax.tree.leaves(stacked)[0].shape[0]
    return jax.tree.transpose(
        jax.tree.structure(stacked), jax.tree.structure([0] * n), lists
    )


answer_2 = jax.jit(solution_2)


def answer_2(stacked):
    take = lambda i: jax.tree.map(
        lambda leaf: jnp.take(leaf, i, axis=0), stacked
    )
    return [
        take(i)
        for i in range(min(leaf.shape[0] for leaf in jax.tree.leaves(stacked)))
    ]


def answer_2(stacked):
    n = jax.tree.leaves(stacked)[0].shape[0]
    parts = jax.tree.map(lambda leaf: jnp.split(leaf, n), stacked)
    return [
        jax.tree.map(lambda leaf, p: p[i].squeeze(0), stacked, parts)
        for i in range(n)
    ]


# %% wrong 2: a leaf has shape (1,)
answer_2 = lambda s: [
    jax.tree.map(lambda leaf: leaf[i : i + 1], s)
    for i in range(len(jax.tree.leaves(s)[0]))
]


# %% wrong 2: were stacked, 3 came back
answer_2 = lambda stacked: [
    jax.tree.map(lambda leaf: leaf[i], stacked) for i in range(3)
]


# %% wrong 2: your answer raised TypeError
answer_2 = lambda stacked: [
    jax.tree.map(lambda leaf: leaf[i], stacked) for i in range(len(stacked))
]


# %% wrong 2: a list of states is needed
answer_2 = lambda stacked: jax.tree.map(list, stacked)


# %% wrong 2: another tree structure
answer_2 = lambda stacked: [
    CounterState(n) for n in jax.tree.leaves(stacked)[0]
]
answer_2 = lambda s: [
    [leaf[i] for leaf in jax.tree.leaves(s)]
    for i in range(len(jax.tree.leaves(s)[0]))
]


# %% wrong 2: other values
answer_2 = lambda s: [
    jax.tree.map(lambda leaf: leaf[0], s)
    for _ in range(len(jax.tree.leaves(s)[0]))
]
answer_2 = lambda s: [
    jax.tree.map(lambda leaf: leaf[-1 - i], s)
    for i in range(len(jax.tree.leaves(s)[0]))
]


# %% wrong 2: became float32
answer_2 = lambda s: [
    jax.tree.map(lambda leaf: jnp.float32(leaf[i]), s)
    for i in range(len(jax.tree.leaves(s)[0]))
]


# %% wrong 2: your answer raised AttributeError
answer_2 = lambda s: [
    jax.tree.map(lambda leaf: leaf[i], s) for i in range(s.n.shape[0])
]


# %% wrong 2: of type dict were stacked, 18 came back
answer_2 = lambda s: [
    jax.tree.map(lambda leaf: leaf[i], s)
    for i in range(jax.tree.leaves(s)[-1].size)
]


# %% wrong 2: a leaf became a Python int
answer_2 = lambda s: [
    jax.tree.map(lambda leaf: leaf[i].item(), s)
    for i in range(len(jax.tree.leaves(s)[0]))
]


# %% wrong 2: returns nothing
def answer_2(stacked):
    [jax.tree.map(lambda leaf: leaf[i], stacked) for i in range(3)]


# %% check 3
def make_3(cls, weight, bias: float, name: str):
    """A layer of the class; its string is equal to the name, but another object."""
    weight, bias = jnp.asarray(weight, jnp.float32), jnp.float32(bias)
    return cls(weight=weight, bias=bias, activation="".join(list(name)))


def look_at_leaves_3(layer) -> None:
    """Refuse a layer whose leaves aren't the weight and the bias."""
    leaves = jax.tree.leaves(layer)
    assert not any(leaf is layer for leaf in leaves), (
        "the whole object is one leaf: is the class registered? · "
        "객체 전체가 리프 하나입니다. 클래스를 등록했나요?"
    )
    assert not any(isinstance(leaf, str) for leaf in leaves), (
        "the string is still a leaf: how is a field marked as static? · "
        "문자열이 아직 리프입니다. 정적 필드는 어떻게 표시하나요?"
    )
    shapes = sorted(jnp.shape(leaf) for leaf in leaves)
    assert shapes == [(), (3,)], (
        f"the leaves have the shapes {shapes}: weight and bias are needed · "
        f"리프의 shape이 {shapes}입니다. 리프는 weight와 bias여야 합니다"
    )
    assert isinstance(getattr(layer, "activation", None), str), (
        "the activation has to stay a string · activation은 문자열로 두세요"
    )


def check_3(answer) -> None:
    """Look at the leaves, then at results and traces under jit."""
    assert isinstance(answer, type), (
        "a class is needed, not an instance or a function · "
        "인스턴스나 함수가 아니라 클래스를 넣으세요"
    )
    look_at_leaves_3(make_3(answer, [2.0, 3.0, 4.0], -1, "relu"))
    traces = []

    @jax.jit
    def traced(layer, x):
        traces.append("trace")
        function = getattr(jax.nn, layer.activation)
        return function(layer.weight * x + layer.bias)

    rows = [(2, -1, "relu"), (-2, 8, "relu"), (-2, 5, "tanh"), (5, 1, "relu")]
    for weight, bias, name in rows:
        result = traced(make_3(answer, weight, bias, name), 3.0)
        truth = getattr(jax.nn, name)(jnp.float32(weight * 3 + bias))
        assert np.allclose(result, truth), (
            f"weight {weight}, bias {bias}, {name}: the layer gives {result}, not {truth} · "
            f"weight {weight}, bias {bias}, {name}: 결과가 {truth}이어야 하는데 {result}입니다"
        )
    assert len(traces) == 2, (
        f"the results are right, but two activations cost {len(traces)} traces · "
        f"결과는 맞지만 활성화 함수 두 가지에 {len(traces)}회 트레이싱했습니다"
    )


# %% solution 3
@jax.tree_util.register_dataclass
@dataclasses.dataclass(frozen=True)
class StaticLayer:
    """A layer whose activation is part of the tree structure."""

    weight: jax.Array
    bias: jax.Array
    activation: str = dataclasses.field(metadata=dict(static=True))


judge(3, check_3, StaticLayer)


# %% right 3
@jax.tree_util.register_pytree_node_class
class answer_3:
    def __init__(self, weight, bias, activation):
        self.weight, self.bias, self.activation = weight, bias, activation

    def tree_flatten(self):
        return (self.weight, self.bias), self.activation

    @classmethod
    def tree_unflatten(cls, aux, children):
        return cls(*children, aux)


@dataclasses.dataclass
class ByHand:
    weight: jax.Array
    bias: jax.Array
    activation: str


jax.tree_util.register_dataclass(
    ByHand, data_fields=["weight", "bias"], meta_fields=["activation"]
)
answer_3 = ByHand


from functools import partial


@partial(
    jax.tree_util.register_dataclass,
    data_fields=("bias", "weight"),
    meta_fields=("activation",),
)
@dataclasses.dataclass(frozen=True, eq=False)
class answer_3:
    activation: str
    weight: jax.Array
    bias: jax.Array


@jax.tree_util.register_pytree_with_keys_class
class answer_3:
    def __init__(self, weight, bias, activation):
        self.weight, self.bias, self.activation = weight, bias, activation

    def tree_flatten_with_keys(self):
        key = jax.tree_util.GetAttrKey
        return (
            ((key("weight"), self.weight), (key("bias"), self.bias)),
            (self.activation,),
        )

    @classmethod
    def tree_unflatten(cls, aux, children):
        return cls(*children, *aux)


class Plain:
    def __init__(self, weight, bias, activation="relu"):
        self.weight, self.bias, self.activation = weight, bias, activation


jax.tree_util.register_pytree_node(
    Plain,
    lambda s: ((s.weight, s.bias), s.activation),
    lambda aux, children: Plain(*children, aux),
)
answer_3 = Plain


# %% wrong 3: the string is still a leaf
answer_3 = NamedLayer


class answer_3(NamedTuple):
    weight: jax.Array
    bias: jax.Array
    activation: str


# %% wrong 3: weight and bias are needed
@jax.tree_util.register_dataclass
@dataclasses.dataclass(frozen=True)
class answer_3:
    weight: jax.Array
    bias: jax.Array = dataclasses.field(metadata=dict(static=True))
    activation: str = dataclasses.field(metadata=dict(static=True))


# %% wrong 3: is the class registered
@dataclasses.dataclass(frozen=True)
class answer_3:
    weight: jax.Array
    bias: jax.Array
    activation: str


# %% wrong 3: weight -2, bias 5, tanh
@jax.tree_util.register_pytree_node_class
class answer_3:
    def __init__(self, weight, bias, activation="relu"):
        self.weight, self.bias, self.activation = weight, bias, activation

    def tree_flatten(self):
        return (self.weight, self.bias), None

    @classmethod
    def tree_unflatten(cls, aux, children):
        return cls(*children)


# %% wrong 3: two activations cost
@jax.tree_util.register_pytree_node_class
class answer_3:
    def __init__(self, weight, bias, activation):
        self.weight, self.bias, self.activation = weight, bias, activation

    def tree_flatten(self):
        return (self.weight, self.bias), (self.activation, lambda: None)

    @classmethod
    def tree_unflatten(cls, aux, children):
        return cls(*children, aux[0])


@jax.tree_util.register_pytree_node_class
class answer_3:
    def __init__(self, weight, bias, activation):
        self.weight, self.bias, self.activation = weight, bias, activation

    def tree_flatten(self):
        return (self.weight, self.bias), (self.activation, self.bias)

    @classmethod
    def tree_unflatten(cls, aux, children):
        return cls(*children, aux[0])


# %% wrong 3: unexpected keyword argument
@jax.tree_util.register_dataclass
@dataclasses.dataclass(frozen=True)
class answer_3:
    w: jax.Array
    b: jax.Array
    activation: str = dataclasses.field(metadata=dict(static=True))


# %% wrong 3: a class is needed
answer_3 = StaticLayer(jnp.float32(2), jnp.float32(-1), "relu")


# %% wrong 3: has to stay a string
@jax.tree_util.register_dataclass
@dataclasses.dataclass(frozen=True)
class answer_3:
    weight: jax.Array
    bias: jax.Array
    activation: dataclasses.InitVar[str]
