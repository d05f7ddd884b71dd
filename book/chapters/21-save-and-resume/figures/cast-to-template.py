"""A value in the file, the template's dtype, and what the load returns."""

from workshop.picture import Picture, fill

HEADS = [
    {"ko": "파일의 값", "en": "in the file"},
    {"ko": "템플릿의 dtype", "en": "the template"},
    {"ko": "불러온 값", "en": "loaded"},
]
SHORT = {"ko": "템플릿", "en": "template"}
LOST = {"ko": "`{what}` 사라짐", "en": "`{what}` lost"}
CASES = [([0.5, 1.5], "float32", "int32"), ([3.14159], "float32", "bfloat16"), ([16777217], "int32", "float32")]  # fmt: skip


def values() -> dict:
    """Save each array and load it with a template of another dtype."""
    import tempfile
    from pathlib import Path

    import jax.numpy as jnp
    import numpy as np
    from orbax.checkpoint import v1 as ocp

    rows = []
    with tempfile.TemporaryDirectory() as place:
        for number, (numbers, stored, wanted) in enumerate(CASES):
            folder = Path(place).resolve() / str(number)
            array = jnp.array(numbers, stored)
            ocp.save(folder, {"w": array})
            loaded = ocp.load(folder, {"w": jnp.zeros(array.shape, wanted)})[
                "w"
            ]
            found = np.asarray(loaded).astype("float64")
            gone = np.abs(np.asarray(array).astype("float64") - found)
            rows.append(
                {
                    "stored": stored,
                    "before": " ".join(f"{n:g}" if n % 1 else str(int(n)) for n in numbers),
                    "template": str(loaded.dtype),
                    "after": " ".join(f"{n:.6f}".rstrip("0").rstrip(".") for n in found),
                    "lost": " ".join(f"{n:.1g}" for n in gone),
                }
            )  # fmt: skip
    return {"rows": rows}


def draw(picture: Picture, values: dict) -> None:
    """A row a case, from the file through the template to what is loaded."""
    narrow = picture.narrow
    wide, between = (98, 31) if narrow else (166, 94)
    row, y = 86, 34
    lefts = [1 + place * (wide + between) for place in range(3)]
    for place, left in enumerate(lefts):
        words = SHORT if narrow and place == 1 else HEADS[place]
        picture.text(left + wide / 2, 16, words, "strong small", "middle")
    for run in values["rows"]:
        stored = picture.box(
            lefts[0], y, wide, 36, run["before"], "data", "strong"
        )
        wanted = picture.box(
            lefts[1], y, wide, 36, run["template"], "static", "strong"
        )
        loaded = picture.box(
            lefts[2], y, wide, 36, run["after"], "state", "strong"
        )
        picture.text(
            stored.middle[0], y + 54, run["stored"], "small muted", "middle"
        )
        gone = fill(LOST, what=run["lost"])
        picture.text(
            loaded.middle[0], y + 54, gone, "lost strong small", "middle"
        )
        for one, other in (stored, wanted), (wanted, loaded):
            picture.arrow(
                (one.right[0] + 2, one.right[1]),
                (other.x - 2, other.left[1]),
                kind="data",
            )
        y += row
