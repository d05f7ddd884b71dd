"""An object of a registered dataclass, what flatten returns of it, and the object that is rebuilt."""

import itertools

from workshop.picture import Picture

HEADS = [
    {"ko": "본문이 반환한 객체", "en": "the body returns"},
    {"ko": "`flatten`의 결과", "en": "`flatten` returns"},
    {"ko": "호출한 쪽의 새 객체", "en": "the caller gets"},
]
SHORT = [
    {"ko": "본문의 객체", "en": "in the body"},
    {"ko": "`flatten`", "en": "`flatten`"},
    {"ko": "새 객체", "en": "new object"},
]
LEAF = {"ko": "리프", "en": "leaf"}
STRUCTURE = {"ko": "트리 구조", "en": "structure"}
DEFAULT = {"ko": "클래스의 기본값", "en": "class default"}


def values() -> dict:
    """Set the count of the chapter's first class, flatten the object and rebuild it."""
    import dataclasses

    import jax
    import jax.numpy as jnp

    @jax.tree_util.register_dataclass
    @dataclasses.dataclass
    class RunningMean:
        mean: jax.Array
        count = 0

    state = RunningMean(jnp.float32(8))
    state.count = 1
    leaves, structure = jax.tree.flatten(state)
    new = jax.tree.unflatten(structure, leaves)
    name = type(new).__name__
    return {
        "mean": str(state.mean),
        "count": str(state.count),
        "leaves": [str(leaf) for leaf in leaves],
        "class": name if name in str(structure) else "",
        "new_mean": str(new.mean),
        "new_count": str(new.count),
    }


def draw(picture: Picture, values: dict) -> None:
    """Three columns; the class and the mean go across, the count stops at the first."""
    narrow = picture.narrow
    wide, between, inset = (104, 20, 4) if narrow else (176, 78, 14)
    top, row, high = 32, 62, 34
    lefts = [1 + place * (wide + between) for place in range(3)]
    for place, left in enumerate(lefts):
        words = (SHORT if narrow else HEADS)[place]
        picture.text(left + wide / 2, 16, words, "strong small", "middle")
    for place in (0, 2):
        picture.lane(lefts[place], top, wide, 3 * row + 14)
    picture.lane(lefts[1], top, wide, 3 * row + 14, deep=True)
    look = "small" if narrow else "strong"
    first = top + 10
    rows = [first, first + row, first + 2 * row]

    def place_box(place: int, number: int, text: str, kind: str):
        at = lefts[place] + inset, rows[number]
        return picture.box(*at, wide - 2 * inset, high, text, kind, look)

    def note(box, words) -> None:
        at = box.middle[0], box.y + high + 16
        picture.text(*at, words, "small muted", "middle")

    lines = [
        [
            place_box(0, 0, values["class"], "static"),
            place_box(1, 0, values["class"], "static"),
            place_box(2, 0, values["class"], "static"),
        ],
        [
            place_box(0, 1, f"mean {values['mean']}", "state"),
            place_box(1, 1, " ".join(values["leaves"]), "data"),
            place_box(2, 1, f"mean {values['new_mean']}", "back"),
        ],
    ]
    note(lines[0][1], STRUCTURE)
    note(lines[1][1], LEAF)
    for number, kind in (0, "data"), (1, "back"):
        boxes = lines[number]
        for one, other in itertools.pairwise(boxes):
            picture.arrow(
                (one.right[0] + 2, one.right[1]),
                (other.x - 2, other.left[1]),
                kind=kind,
            )
    place_box(0, 2, f"count {values['count']}", "lost")
    note(place_box(2, 2, f"count {values['new_count']}", "plain"), DEFAULT)
