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
    hints = [
        (
            "an array is one leaf, and `None`?",
            "배열은 리프 하나입니다. `None`은 어떻습니까?",
        ),
        (
            "what is a tuple of numbers to `jax.tree`?",
            "숫자로 된 튜플을 `jax.tree`는 무엇으로 봅니까?",
        ),
        (
            "must a leaf be an array or a number?",
            "리프는 반드시 배열이나 수여야 합니까?",
        ),
        (
            "compare an array of numbers with a list of numbers",
            "수를 담은 배열과 수를 담은 리스트를 비교해 보세요",
        ),
        (
            "these are all nodes: what is inside them?",
            "모두 노드입니다. 그 안에 무엇이 들어 있습니까?",
        ),
    ]
    try:
        given = [] if isinstance(answer, (set, dict)) else list(answer)
        ints = [g for g in given if type(g) is int or hasattr(g, "__index__")]
        guesses = [int(g) for g in ints if int(g) == g]
    except (TypeError, ValueError):
        given = guesses = []
    assert len(guesses) == 5 == len(given), (
        "a tuple of five whole numbers is needed",
        "정수 다섯 개로 된 튜플을 넣으세요",
    )
    cases = enumerate(zip(guesses, truth_1(), hints), start=1)
    for number, (guess, real, (en, ko)) in cases:
        assert guess == real, (
            f"tree {number} doesn't have {guess}: {en}",
            f"{number}번 트리의 리프는 {guess}개가 아닙니다. {ko}",
        )


# %% solution 1
# 1: None is structure.  2: tuples are containers, so each number is a leaf.
# 3: a string is a leaf; jit refuses it, jax.tree doesn't.
# 4: an array is one leaf, a list has a leaf per number.  5: no leaves at all.
judge(1, check_1, (1, 3, 2, 3, 0))


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


# %% wrong 1: five whole numbers
answer_1 = 9
answer_1 = (1, [3], "two", 3, 0)
answer_1 = {1: 1, 2: 3, 3: 2, 4: 3, 5: 0}


# %% check 2
def check_2(answer) -> None:
    """Compare with lists made by hand, for flat and nested trees."""

    def nested(n: int) -> dict:
        train = {"loss": n / 2, "accuracy": -n / 4}
        return {"train": train, "test": [n, (-n,)]}

    flat = [{"loss": 3.0, "accuracy": 0.5}, {"loss": 1.0, "accuracy": 0.75}]
    cases = [
        flat,
        [nested(n) for n in (1, 5, 2, 5)],
        [nested(3)],
        [(n, {"loss": n * n}) for n in (4, -1, 0, 2)],
        [[n, -n, 2 * n] for n in (1, 2, 5, 7)],
        [{"per_class": jnp.array([n, 2.0 * n])} for n in (1, 3, 2)],
    ]
    assert callable(answer), ("a function is needed", "함수를 넣으세요")
    for trees in cases:
        treedef = jax.tree.structure(trees[0])
        columns = list(zip(*map(jax.tree.leaves, trees)))
        result = answer(jax.tree.map(lambda leaf: leaf, trees))
        assert result is not None, (
            "the function returns nothing: is there a `return`?",
            "함수가 아무것도 반환하지 않습니다. `return`이 있나요?",
        )
        kind = type(result).__name__
        assert type(result) is type(trees[0]), (
            f"one tree of type {type(trees[0]).__name__} is needed, not "
            f"{kind}: {result}",
            f"{type(trees[0]).__name__} 트리 하나가 필요한데 "
            f"{kind}입니다. {result}",
        )
        try:
            found = treedef.flatten_up_to(result)
        except ValueError:
            found = [None]
        for values, column in zip(found, columns):
            assert not hasattr(values, "ndim"), (
                "a leaf has become an array; Python lists are needed",
                "리프가 배열이 되었습니다. 파이썬 리스트여야 합니다",
            )
            assert not isinstance(values, tuple), (
                "the values of a leaf are in a tuple; a list is needed",
                "리프의 값들이 튜플에 들어 있습니다. 리스트여야 합니다",
            )
            assert isinstance(values, list), (
                f"for trees like {trees[0]} the lists aren't at the places "
                f"of the leaves: {result}",
                f"{trees[0]} 같은 트리에서 리스트가 리프의 위치에 있지 "
                f"않습니다. {result}",
            )
            assert len(values) == len(column), (
                f"number of trees: {len(column)}, but a list has length "
                f"{len(values)}: {values}",
                f"트리는 {len(column)}개인데 길이가 {len(values)}인 "
                f"리스트가 있습니다. {values}",
            )
            assert not any(isinstance(value, list) for value in values), (
                f"a list holds lists instead of leaves: {values}",
                f"리스트에 리프가 아니라 리스트가 들어 있습니다. {values}",
            )
            same = all(map(np.array_equal, values, column))
            assert same, (
                f"a list should hold {[*column]} but holds {values}",
                f"{[*column]}이어야 할 리스트가 {values}입니다",
            )


# %% solution 2
def solution_2(trees: list):
    """Collect the leaves at the same place in a list."""
    return jax.tree.map(lambda *leaves: list(leaves), *trees)


judge(2, check_2, solution_2)


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
def check_3(answer) -> None:
    """Restore 12, 3 and 101 layers from dicts written in several orders."""
    assert callable(answer), ("a function is needed", "함수를 넣으세요")
    for count in (12, 3, 101):
        names = [str(n) for n in range(count)]
        for order in (names, sorted(names), names[::-1]):
            layers = [
                {
                    "weight": np.full((2, 2), 1.5 * n + 1, np.float32),
                    "bias": np.array([-n - 1, n], np.float32),
                }
                for n in range(count)
            ]
            layers = jax.tree.map(jnp.asarray, layers)
            template = jax.tree.map(lambda leaf: 0 * leaf - 7, layers)
            treedef = jax.tree.structure(template)
            saved = {name: layers[int(name)] for name in order}
            by_string = jax.tree.leaves(saved)
            result = answer(list(template), dict(saved))
            assert result is not None, (
                "the function returns nothing: is there a `return`?",
                "함수가 아무것도 반환하지 않습니다. `return`이 있나요?",
            )
            kind = type(result).__name__
            assert isinstance(result, list), (
                f"the template is a list, the result is of type {kind}",
                f"템플릿은 리스트인데 결과의 타입은 {kind}입니다",
            )
            assert jax.tree.structure(result) == treedef, (
                f"with {count} layers the result's structure isn't the "
                "template's",
                f"레이어가 {count}개일 때 결과의 구조가 템플릿의 "
                "구조와 다릅니다",
            )
            leaves = jax.tree.leaves(result)
            assert not all(np.all(np.equal(leaf, -7)) for leaf in leaves), (
                "all values are the template's",
                "값이 모두 템플릿의 값입니다",
            )
            sorted_strings = all(map(np.array_equal, leaves, by_string))
            no_hint = sorted(names) in (names, order)
            assert no_hint or not sorted_strings, (
                "the layers are in the order of strings: 0, 1, 10, 11, 2",
                "레이어가 문자열 순서로 놓였습니다. 0, 1, 10, 11, 2 순입니다",
            )
            pairs = jax.tree.leaves_with_path(layers)
            for (path, truth), leaf in zip(pairs, leaves):
                same = np.array_equal(leaf, truth)
                assert same and leaf.dtype == truth.dtype, (
                    f"{count} layers, written in the order {order[0]}, "
                    f"{order[1]}, {order[2]}, ...: wrong values or dtype "
                    f"at {keystr(path)}",
                    f"레이어 {count}개를 {order[0]}, {order[1]}, {order[2]}, "
                    f"... 순서로 저장하면 {keystr(path)}의 값이나 dtype이 "
                    "틀립니다",
                )


# %% solution 3
# As strings "10" and "11" come before "2": ask for each layer by its number.
def solution_3(template: list, restored: dict) -> list:
    """The restored layers in the order of the template."""
    return [restored[str(n)] for n in range(len(template))]


judge(3, check_3, solution_3)


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
