"""Four examples of two features under vmap: whose mean each number gets, without and with a name."""

from workshop.picture import Picture

COLUMNS = [
    {"ko": "배치", "en": "batch"},
    {"ko": "평균", "en": "mean"},
    {"ko": "출력", "en": "output"},
]
WAYS = {"none": "axis_name=None", "batch": 'axis_name="batch"'}


def values() -> dict:
    """Normalize the batch both ways; momentum 0 keeps the statistics of the batch itself."""
    import jax
    import jax.numpy as jnp
    from flax import linen as nn

    batch = jnp.array([[1.0, 6.0], [3.0, 6.0], [5.0, 8.0], [7.0, 12.0]])
    variables = nn.BatchNorm(True).init(jax.random.key(0), batch[0])

    def one_way(name: str | None) -> dict:
        norm = nn.BatchNorm(False, momentum=0.0, axis_name=name)
        call = lambda x: norm.apply(variables, x, mutable=["batch_stats"])
        stats_axis = None if name else 0
        output, new = jax.vmap(call, out_axes=(0, stats_axis), axis_name=name)(
            batch
        )
        mean = jnp.atleast_2d(new["batch_stats"]["mean"])
        return {"mean": texts(mean, 1 if name else 0), "output": texts(output)}

    texts = lambda rows, digits=1: [
        [f"{number:z.{digits}f}" for number in row] for row in rows
    ]
    return {
        "batch": texts(batch, 0),
        "ways": {"none": one_way(None), "batch": one_way("batch")},
    }


def draw(picture: Picture, values: dict) -> None:
    """Each way is a panel: across on a desk, one below the other on a phone."""
    for place, (way, name) in enumerate(WAYS.items()):
        x, y = (8, place * 258) if picture.narrow else (place * 356, 0)
        panel(picture, x, y, name, values["batch"], values["ways"][way])


def panel(
    picture: Picture, x: float, y: float, name: str, batch: list, way: dict
) -> None:
    """The batch, its means and the outputs from left to right; what is averaged shares a ground."""
    cell, row, gap = 46, 40, 26
    lefts = [x + 6 + place * (2 * cell + gap) for place in range(3)]
    top = y + 62
    picture.text(x + 2, y + 16, name, "strong")
    for left, words in zip(lefts, COLUMNS, strict=True):
        picture.text(left + cell, y + 46, words, "small muted", "middle")
    whole = len(way["mean"]) == 1
    for column in range(2):
        for ground in range(1 if whole else 4):
            picture.lane(
                lefts[0] + column * cell,
                top + ground * row,
                cell - 4,
                (4 if whole else 1) * row - 4,
                deep=True,
            )
    for across, down, text in places(lefts[0], top, batch):
        picture.text(across + 21, down + 23, text, "", "middle")
    kind, middle = ("state", top + 1.5 * row) if whole else ("plain", top)
    for across, down, text in places(lefts[1], middle, way["mean"]):
        picture.box(across, down, 42, 36, text, kind, "small")
    for across, down, text in places(lefts[2], top, way["output"]):
        picture.box(across, down, 42, 36, text, "data", "small")
    for left in lefts[1:]:
        at = top + 2 * row - 2
        picture.arrow((left - gap + 2, at), (left - 6, at), kind="data")


def places(left: float, top: float, rows: list) -> list:
    """Where each number of a table stands, with it."""
    return [
        (left + column * 46, top + place * 40, text)
        for place, row in enumerate(rows)
        for column, text in enumerate(row)
    ]
