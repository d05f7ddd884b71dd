"""What judges the answers to the exercises of this chapter, and answers to try it with."""


# %% check 1
def truth_1() -> tuple:
    """Return the number of leaves of each tree."""
    trees = (
        {"weight": jnp.ones((2, 3)), "bias": None},
        [(2, 3), (3,)],
        {"activation": "relu", "rate": 0.1},
        {"position": jnp.array([1, 2, 3]), "history": [1.0, 2.0]},
        [[], (), {}, None],
    )
    return tuple(len(jax.tree.leaves(tree)) for tree in trees)


def check_1(answer) -> None:
    """Compare five predictions with the leaves that JAX counts."""
    given = read_numbers(answer, 5, "whole")
    hints = (
        "an array is one leaf, and `None`? · 배열은 리프 하나입니다. `None`은 어떻습니까?",
        "what is a tuple of numbers to `jax.tree`? · "
        "숫자로 된 튜플을 `jax.tree`는 무엇으로 봅니까?",
        "must a leaf be an array or a number? · 리프는 반드시 배열이나 수여야 합니까?",
        "compare an array of numbers with a list of numbers · "
        "수를 담은 배열과 수를 담은 리스트를 비교해 보세요",
        "these are all nodes: what is inside them? · "
        "모두 노드입니다. 그 안에 무엇이 들어 있습니까?",
    )
    said = lambda n, value: (
        f"tree {n} doesn't have {value}: · {n}번 트리의 리프는 {value}개가 아닙니다."
    )
    in_order(given, truth_1(), hints, said)


# %% solution 1
# 1: None is structure.  2: tuples are containers, so each number is a leaf.
# 3: a string is a leaf; jit refuses it, jax.tree doesn't.
# 4: an array is one leaf, a list has a leaf per number.  5: no leaves at all.
judge(1, check_1, (1, 3, 2, 3, 0))


# %% right 1
answer_1 = [1, 3, 2, 3, 0]
answer_1 = (1.0, 3.0, 2.0, 3.0, 0.0)


# %% wrong 1: tree 1 doesn't have 2
answer_1 = (2, 3, 2, 3, 0)


# %% wrong 1: tree 1 doesn't have 6
answer_1 = (6, 3, 2, 3, 0)


# %% wrong 1: what is a tuple of numbers
answer_1 = (1, 2, 2, 3, 0)


# %% wrong 1: must a leaf be an array or a number
answer_1 = (1, 3, 1, 3, 0)


# %% wrong 1: tree 4 doesn't have 2
answer_1 = (1, 3, 2, 2, 0)


# %% wrong 1: tree 4 doesn't have 5
answer_1 = (1, 3, 2, 5, 0)


# %% wrong 1: these are all nodes
answer_1 = (1, 3, 2, 3, 4)


# %% wrong 1: write 5 whole numbers
answer_1 = 9
answer_1 = (1, [3], "two", 3, 0)
answer_1 = {1: 1, 2: 3, 3: 2, 4: 3, 5: 0}


# %% check 2
def cases_2() -> list:
    """Flat and nested trees, each case of one structure."""

    def nested(n: int) -> dict:
        train = {"loss": n / 2, "accuracy": -n / 4}
        return {"train": train, "test": [n, (-n,)]}

    return [
        [{"loss": 3.0, "accuracy": 0.5}, {"loss": 1.0, "accuracy": 0.75}],
        [nested(n) for n in (1, 5, 2, 5)],
        [nested(3)],
        [(n, {"loss": n * n}) for n in (4, -1, 0, 2)],
        [[n, -n, 2 * n] for n in (1, 2, 5, 7)],
        [{"per_class": jnp.array([n, 2.0 * n])} for n in (1, 3, 2)],
    ]


def lists_2(result, tree) -> list:
    """What stands at the places of the leaves of a tree, if there are lists."""
    try:
        found = jax.tree.structure(tree).flatten_up_to(result)
    except ValueError:
        found = [None]
    for values in found:
        assert not hasattr(values, "ndim"), (
            "a leaf has become an array; Python lists are needed · "
            "리프가 배열이 되었습니다. 파이썬 리스트여야 합니다"
        )
        assert not isinstance(values, tuple), (
            "the values of a leaf are in a tuple; a list is needed · "
            "리프의 값들이 튜플에 들어 있습니다. 리스트여야 합니다"
        )
        assert isinstance(values, list), (
            f"for trees like {tree} the lists aren't at the places of the leaves: {result} · "
            f"{tree} 같은 트리에서 리스트가 리프의 위치에 있지 않습니다. {result}"
        )
    return found


def check_2(answer) -> None:
    """Compare with lists made by hand, for flat and nested trees."""
    needs_function(answer, "answer_2(trees)")
    for trees in cases_2():
        result = call_answer(answer, jax.tree.map(lambda leaf: leaf, trees))
        kinds = [type(tree).__name__ for tree in (trees[0], result)]
        assert type(result) is type(trees[0]), (
            f"one tree of type {kinds[0]} is needed, not {kinds[1]}: {result} · "
            f"{kinds[0]} 트리 하나가 필요한데 {kinds[1]}입니다. {result}"
        )
        columns = zip(*map(jax.tree.leaves, trees))
        for values, column in zip(lists_2(result, trees[0]), columns):
            assert len(values) == len(column), (
                f"number of trees: {len(column)}, but a list has length {len(values)}: {values} · "
                f"트리는 {len(column)}개인데 길이가 {len(values)}인 리스트가 있습니다. {values}"
            )
            assert not any(isinstance(value, list) for value in values), (
                f"a list holds lists instead of leaves: {values} · "
                f"리스트에 리프가 아니라 리스트가 들어 있습니다. {values}"
            )
            assert all(map(np.array_equal, values, column)), (
                f"a list should hold {[*column]} but holds {values} · "
                f"{[*column]}이어야 할 리스트가 {values}입니다"
            )


# %% solution 2
def solution_2(trees: list):
    """Collect the leaves at the same place in a list."""
    return jax.tree.map(lambda *leaves: list(leaves), *trees)


judge(2, check_2, solution_2)


# %% right 2
answer_2 = lambda trees: jax.tree.transpose(
    jax.tree.structure([0] * len(trees)),
    jax.tree.structure(trees[0]),
    trees,
)
answer_2 = lambda trees: jax.tree.unflatten(
    jax.tree.structure(trees[0]),
    [list(c) for c in zip(*map(jax.tree.leaves, trees))],
)
answer_2 = lambda trees: jax.tree.map(
    lambda *leaves: [jnp.float32(leaf) for leaf in leaves], *trees
)
answer_2 = lambda trees: jax.tree_util.tree_map(
    lambda first, *rest: [first, *rest], trees[0], *trees[1:]
)


def answer_2(trees):
    if isinstance(trees[0], dict):
        return {k: answer_2([t[k] for t in trees]) for k in trees[0]}
    if isinstance(trees[0], (list, tuple)):
        return type(trees[0])(answer_2(list(ts)) for ts in zip(*trees))
    return list(trees)


# %% wrong 2: a list holds lists
answer_2 = lambda trees: jax.tree.map(
    lambda *leaves: np.array(leaves).tolist(), *trees
)
answer_2 = lambda trees: jax.tree.map(
    lambda *leaves: jnp.stack(leaves).tolist(), *trees
)


# %% wrong 2: aren't at the places of the leaves
answer_2 = lambda trees: {
    name: [tree[name] for tree in trees] for name in trees[0]
}


# %% wrong 2: a leaf has become an array
answer_2 = lambda trees: jax.tree.map(
    lambda *leaves: jnp.stack(leaves), *trees
)
answer_2 = lambda trees: jax.tree.map(lambda *leaves: np.array(leaves), *trees)


# %% wrong 2: are in a tuple
answer_2 = lambda trees: jax.tree.map(lambda *leaves: leaves, *trees)


# %% wrong 2: one tree of type dict is needed
answer_2 = lambda trees: jax.tree.map(lambda leaf: [leaf], trees)


# %% wrong 2: raised TypeError
answer_2 = lambda trees: jax.tree.map(list, *trees)
answer_2 = lambda trees: jax.tree.map(lambda a, b: [a, b], *trees)


# %% wrong 2: number of trees
answer_2 = lambda trees: jax.tree.map(lambda a, b: [a, b], trees[0], trees[-1])


# %% wrong 2: a list should hold
answer_2 = lambda trees: jax.tree.map(lambda *leaves: sorted(leaves), *trees)


# %% wrong 2: returns nothing
def answer_2(trees):
    jax.tree.map(lambda *leaves: list(leaves), *trees)


# %% check 3
def layers_3(count: int) -> list:
    """Layers of which no two hold the same values."""
    return [
        {
            "weight": jnp.full((2, 2), 1.5 * n + 1, jnp.float32),
            "bias": jnp.array([-n - 1, n], jnp.float32),
        }
        for n in range(count)
    ]


def compare_3(result, layers, saved: dict) -> None:
    """Compare restored layers with those that were saved."""
    written, count = list(saved), len(layers)
    leaves, by_string = jax.tree.leaves(result), jax.tree.leaves(saved)
    assert not all(np.all(np.equal(leaf, -7)) for leaf in leaves), (
        "all values are the template's · 값이 모두 템플릿의 값입니다"
    )
    known = sorted(written) in ([str(n) for n in range(count)], written)
    assert known or not all(map(np.array_equal, leaves, by_string)), (
        "the layers are in the order of strings: 0, 1, 10, 11, 2 · "
        "레이어가 문자열 순서로 놓였습니다. 0, 1, 10, 11, 2 순입니다"
    )
    pairs = jax.tree.leaves_with_path(layers)
    for (path, truth), leaf in zip(pairs, leaves):
        order, place = ", ".join(written[:3]), keystr(path)
        assert np.array_equal(leaf, truth) and leaf.dtype == truth.dtype, (
            f"{count} layers, written in the order {order}, ...: wrong values or dtype at {place} "
            f"· 레이어 {count}개를 {order}, ... 순서로 저장하면 {place}의 값이나 dtype이 틀립니다"
        )


def check_3(answer) -> None:
    """Restore 12, 3 and 101 layers from dicts written in several orders."""
    needs_function(answer, "answer_3(template, restored)")
    for count, order in [
        (count, order)
        for count in (12, 3, 101)
        for order in (list, sorted, lambda names: names[::-1])
    ]:
        layers = layers_3(count)
        template = jax.tree.map(lambda leaf: 0 * leaf - 7, layers)
        names = order([str(n) for n in range(count)])
        saved = {name: layers[int(name)] for name in names}
        result = call_answer(answer, list(template), dict(saved))
        kind = type(result).__name__
        assert isinstance(result, list), (
            f"the template is a list, the result is of type {kind} · "
            f"템플릿은 리스트인데 결과의 타입은 {kind}입니다"
        )
        same = jax.tree.structure(result) == jax.tree.structure(template)
        assert same, (
            f"with {count} layers the result's structure isn't the template's · "
            f"레이어가 {count}개일 때 결과의 구조가 템플릿의 구조와 다릅니다"
        )
        compare_3(result, layers, saved)


# %% solution 3
# As strings "10" and "11" come before "2": ask for each layer by its number.
def solution_3(template: list, restored: dict) -> list:
    """The restored layers in the order of the template."""
    return [restored[str(n)] for n in range(len(template))]


judge(3, check_3, solution_3)


# %% right 3
answer_3 = lambda t, r: [r.pop(str(i)) for i in range(len(t))]
answer_3 = lambda t, r: [r[name] for name in sorted(r, key=int)]
answer_3 = lambda template, restored: jax.tree.map(
    lambda _, leaf: leaf,
    template,
    [restored[str(i)] for i, _ in enumerate(template)],
)
answer_3 = lambda t, r: jax.tree.map_with_path(
    lambda path, _: r[str(path[0].idx)][path[1].key], t
)
answer_3 = lambda t, r: jax.tree.unflatten(
    jax.tree.structure(t),
    jax.tree.leaves({int(k): v for k, v in r.items()}),
)
answer_3 = lambda t, r: list(
    dict(sorted((int(k), v) for k, v in r.items())).values()
)
answer_3 = jax.jit(lambda t, r: [r[str(n)] for n in range(len(t))])
answer_3 = lambda t, r: [
    jax.tree.map(np.asarray, r[f"{n}"]) for n in range(len(t))
]


# %% wrong 3: in the order of strings
answer_3 = restore
answer_3 = lambda template, restored: [
    restored[name] for name in sorted(restored)
]
answer_3 = lambda t, r: list(jax.tree.map(jnp.asarray, r).values())


# %% wrong 3: wrong values or dtype at
answer_3 = lambda template, restored: list(restored.values())
answer_3 = lambda t, r: [
    r[name] for name in sorted(r, key=lambda s: s.zfill(2))
]
answer_3 = lambda template, restored: [restored["0"] for _ in template]


# %% wrong 3: all values are the template's
answer_3 = lambda template, restored: template


# %% wrong 3: the result is of type dict
answer_3 = lambda template, restored: restored


# %% wrong 3: raised KeyError
answer_3 = lambda template, restored: [
    restored[n] for n in range(len(template))
]


# %% wrong 3: structure isn't the template's
answer_3 = lambda template, restored: [restored[str(n)] for n in range(10)]


# %% wrong 3: returns nothing
def answer_3(template, restored):
    [restored[str(n)] for n in range(len(template))]
