"""Three counters, the stacked one, and what a vmapped function returns."""

from workshop.picture import Picture

HEADS = [
    {"ko": "상태 세 개", "en": "three states"},
    {"ko": "쌓은 상태", "en": "stacked"},
    {"ko": "`vmap`의 결과", "en": "from `vmap`"},
]
LEAF = {"ko": "리프 `n`", "en": "leaf `n`"}
STATIC = {"ko": "정적 `step_size`", "en": "static `step_size`"}
ONE = {"ko": "정적", "en": "static"}


def values() -> dict:
    """Stack three counters and run the chapter's `count` on them."""
    import dataclasses

    import jax
    import jax.numpy as jnp

    @jax.tree_util.register_dataclass
    @dataclasses.dataclass(frozen=True)
    class CounterState:
        n: jax.Array
        step_size: int = dataclasses.field(
            default=1, metadata={"static": True}
        )

    def count(state: CounterState) -> CounterState:
        return dataclasses.replace(state, n=state.n + state.step_size)

    states = [CounterState(jnp.int32(n)) for n in (0, 10, 100)]
    stacked = jax.tree.map(lambda *leaves: jnp.stack(leaves), *states)
    new_states = jax.vmap(count)(stacked)

    def numbers(array) -> str:
        return " ".join(str(n) for n in array.tolist())

    return {
        "single": [[str(s.n), str(s.step_size)] for s in states],
        "stacked": [numbers(stacked.n), str(stacked.step_size)],
        "new": [numbers(new_states.n), str(new_states.step_size)],
    }


def draw(picture: Picture, values: dict) -> None:
    """Three small objects, then one with an array, then the next one."""
    narrow = picture.narrow
    wide, between, inset = (102, 24, 6) if narrow else (176, 78, 16)
    lefts = [1 + place * (wide + between) for place in range(3)]
    for left, words in zip(lefts, HEADS, strict=True):
        picture.text(left + wide / 2, 16, words, "strong small", "middle")
    look, high = ("small" if narrow else "strong"), 34
    singles = []
    for number, (n, static) in enumerate(values["single"]):
        y = 30 + number * 60
        singles.append(picture.lane(lefts[0], y, wide, high + 16))
        half = (wide - 3 * inset) / 2
        x = lefts[0] + inset
        picture.box(x, y + 8, half, high, n, "state", look)
        picture.box(
            x + half + inset, y + 8, half, high, static, "static", look
        )
    objects = []
    for place, part in (1, "stacked"), (2, "new"):
        whole = picture.lane(lefts[place], 30, wide, 170)
        n, static = values[part]
        x, room = lefts[place] + inset, wide - 2 * inset
        kind = "state" if part == "stacked" else "back"
        middle = lefts[place] + wide / 2
        picture.text(middle, 54, LEAF, "small muted", "middle")
        picture.box(x, 62, room, high, n, kind, look)
        words = ONE if narrow else STATIC
        picture.text(middle, 138, words, "small muted", "middle")
        picture.box(x, 146, room, high, static, "static", look)
        objects.append(whole)
    for single in singles:
        picture.arrow(
            (single.right[0] + 1, single.right[1]),
            (objects[0].x - 1, single.right[1]),
            kind="state",
        )
    picture.arrow(
        (objects[0].right[0] + 1, objects[0].right[1]),
        (objects[1].x - 1, objects[1].left[1]),
        kind="back",
    )
