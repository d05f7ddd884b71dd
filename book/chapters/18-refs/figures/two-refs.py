"""Who points to which Ref before and after a reset that makes a new one."""

from workshop.picture import Box, Picture

BEFORE = {"ko": "세 번 호출한 뒤", "en": "after three calls"}
AFTER = {
    "ko": "새 Ref를 대입하고 한 번 더 호출한 뒤",
    "en": "after a new Ref and one more call",
}
NAME = {"ko": "이름", "en": "the name"}
PROGRAM = {"ko": "컴파일된 프로그램", "en": "the compiled program"}
FIRST = {"ko": "처음 Ref", "en": "first Ref"}
NEW = {"ko": "새 Ref", "en": "new Ref"}


def values() -> dict:
    """Count three calls, assign a new Ref, call once more."""
    import jax
    import jax.numpy as jnp

    class Counter:
        def __init__(self):
            self.n = jax.new_ref(jnp.int32(0))

        def count(self):
            self.n[...] += 1
            return self.n[...]

    counter = Counter()
    first, count = counter.n, jax.jit(counter.count)
    for _ in range(3):
        count()
    before = {"same": counter.n is first, "first": int(first[...])}
    counter.n = jax.new_ref(jnp.int32(0))
    count()
    after = {"same": counter.n is first, "first": int(first[...])}
    return {"before": before, "after": after | {"new": int(counter.n[...])}}


def draw(picture: Picture, values: dict) -> None:
    """Two moments, side by side on a desk, one below the other on a phone."""
    for place, (moment, words) in enumerate(
        (("before", BEFORE), ("after", AFTER))
    ):
        x, y = (0, place * 226) if picture.narrow else (place * 352, 0)
        panel(picture, x, y, words, values[moment])


def panel(
    picture: Picture, x: float, y: float, words: dict, seen: dict
) -> None:
    """A moment: two holders at the left, the Refs at the right."""
    wide = 358 if picture.narrow else 336
    picture.lane(x, y, wide, 210)
    picture.text(x + 16, y + 27, words, "strong small")
    name = holder(picture, x + 16, y + 66, NAME, "counter.n", "plain")
    program = holder(picture, x + 16, y + 150, PROGRAM, "count", "static")
    right = x + wide - 90
    if seen["same"]:
        first = ref(picture, right, y + 104, FIRST, seen["first"])
        picture.arrow(
            name.right, (right - 40, name.right[1]), first.left, kind="data"
        )
        picture.arrow(
            program.right,
            (right - 40, program.right[1]),
            first.left,
            kind="state",
        )
    else:
        new = ref(picture, right, y + 66, NEW, seen["new"])
        first = ref(picture, right, y + 150, FIRST, seen["first"])
        picture.arrow(name.right, new.left, kind="data")
        picture.arrow(program.right, first.left, kind="state")


def holder(
    picture: Picture, x: float, y: float, words: dict, code: str, kind: str
) -> Box:
    """Who has a Ref: words above, its name in the box."""
    picture.text(x, y - 8, words, "small muted")
    return picture.box(x, y, 96, 36, code, kind)


def ref(picture: Picture, x: float, y: float, words: dict, value: int) -> Box:
    """A Ref with its value."""
    picture.text(x + 37, y - 8, words, "small muted", "middle")
    return picture.box(x, y, 74, 36, str(value), "state", "strong")
