"""A dropout's count in three steps of nnx.scan: shared, and carried."""

from itertools import pairwise

from workshop.picture import Picture, fill

YOURS = {"ko": "바깥의 count", "en": "your count"}
STEP = {"ko": "{number}번째 스텝", "en": "step {number}"}
ROWS = {"shared": "dropout: None", "carried": "dropout: nnx.Carry"}


def values() -> dict:
    """Scan three steps in both ways; note the count before, inside and after."""
    import jax.numpy as jnp
    from flax import nnx

    def step(dropout, h):
        before = dropout.rngs.count[...]
        h = h + dropout(jnp.ones(()))
        return h, (before, dropout.rngs.count[...])

    def shared(dropout, h):
        axes = {"in_axes": (None, nnx.Carry), "out_axes": (nnx.Carry, 0)}
        return nnx.scan(step, length=3, **axes)(dropout, h)[1]

    def carried(dropout, h):
        @nnx.scan(in_axes=nnx.Carry, out_axes=(nnx.Carry, 0), length=3)
        def both(carry):
            dropout, h = carry
            h, counts = step(dropout, h)
            return (dropout, h), counts

        return both((dropout, h))[1]

    def run(way):
        dropout = nnx.Dropout(0.5, rngs=nnx.Rngs(1))
        start = int(dropout.rngs.count[...])
        before, after = way(dropout, jnp.float32(0))
        return {
            "start": start,
            "steps": [[int(a), int(b)] for a, b in zip(before, after)],
            "end": int(dropout.rngs.count[...]),
        }

    return {"shared": run(shared), "carried": run(carried)}


def draw(picture: Picture, values: dict) -> None:
    """A row a way on a desk, a column a way on a phone."""
    for place, (name, way) in enumerate(values.items()):
        (down if picture.narrow else across)(picture, place, name, way)


def across(picture: Picture, place: int, name: str, way: dict) -> None:
    """Your count, then the steps to the right of it."""
    top = 142 * place
    picture.text(0, top + 18, ROWS[name], "strong small")
    picture.text(60, top + 52, YOURS, "small muted", "middle")
    picture.lane(150, top + 28, 538, 100, deep=True)
    kept = way["end"] != way["start"]
    text = f"{way['start']} → {way['end']}" if kept else str(way["start"])
    mine = picture.box(2, top + 64, 116, 36, text, "state", "strong")
    boxes = []
    for n, (before, after) in enumerate(way["steps"]):
        x = 194 + 170 * n
        picture.text(
            x + 50, top + 52, fill(STEP, number=n + 1), "small muted", "middle"
        )
        boxes.append(
            picture.box(
                x,
                top + 64,
                100,
                36,
                f"{before} → {after}",
                "trace" if kept else "lost",
                "strong",
            )
        )
    picture.arrow((mine.right[0] + 2, top + 76), (192, top + 76), kind="data")
    if kept:
        for one, two in pairwise(boxes):
            picture.arrow(
                (one.right[0] + 2, top + 82),
                (two.x - 2, top + 82),
                kind="state",
            )
        last = boxes[-1]
        picture.arrow(
            (last.bottom[0], last.bottom[1] + 2),
            (last.bottom[0], top + 116),
            (60, top + 116),
            (60, mine.bottom[1] + 2),
            kind="back",
        )


def down(picture: Picture, place: int, name: str, way: dict) -> None:
    """Your count on top, and the steps below it."""
    left = 186 * place
    middle = left + 86
    picture.text(middle, 16, ROWS[name], "strong small", "middle")
    picture.text(middle, 38, YOURS, "small muted", "middle")
    picture.lane(left, 100, 172, 268, deep=True)
    kept = way["end"] != way["start"]
    text = f"{way['start']} → {way['end']}" if kept else str(way["start"])
    mine = picture.box(middle - 50, 48, 100, 34, text, "state", "strong")
    boxes = []
    for n, (before, after) in enumerate(way["steps"]):
        y = 138 + 80 * n
        picture.text(
            middle, y - 8, fill(STEP, number=n + 1), "small muted", "middle"
        )
        boxes.append(
            picture.box(
                middle - 50,
                y,
                100,
                34,
                f"{before} → {after}",
                "trace" if kept else "lost",
                "strong",
            )
        )
    picture.arrow(
        (middle - 42, mine.bottom[1] + 2), (middle - 42, 136), kind="data"
    )
    if kept:
        for one, two in pairwise(boxes):
            picture.arrow(
                (middle - 42, one.bottom[1] + 2),
                (middle - 42, two.y - 2),
                kind="state",
            )
        last, edge = boxes[-1], left + 156
        picture.arrow(
            (last.right[0] + 2, last.middle[1]),
            (edge, last.middle[1]),
            (edge, mine.middle[1]),
            (mine.right[0] + 2, mine.middle[1]),
            kind="back",
        )
