"""The leaves of three starting points, one of which lacks an offset."""

from workshop.picture import Picture

MISSING = {"ko": "없음", "en": "missing"}


def values() -> dict:
    """List the leaves of each tree by name; None where a tree has no leaf."""
    import jax

    starts = [
        {"scale": 1.0, "rate": 0.5, "offset": 0.0},
        {"scale": 1.0, "rate": 1.0, "offset": 0.0},
        {"scale": 1.0, "rate": 20.0},
    ]
    names = [path[-1].key for path, _ in jax.tree.leaves_with_path(starts[0])]
    rows = []
    for start in starts:
        found = {
            path[-1].key: str(leaf)
            for path, leaf in jax.tree.leaves_with_path(start)
        }
        rows.append([[name, found.get(name)] for name in names])
    return {"rows": rows}


def draw(picture: Picture, values: dict) -> None:
    """A lane a tree, its leaves side by side, equal names below each other."""
    narrow = picture.narrow
    high, left, top = (104, 8, 36) if narrow else (74, 168, 13)
    step = (picture.width - left - 8) / 3
    for number, leaves in enumerate(values["rows"]):
        y = (high + 12) * number
        picture.lane(0, y, picture.width, high)
        words = f"starts[{number}]"
        picture.text(
            14, y + (24 if narrow else high / 2 + 5), words, "strong small"
        )
        for place, (name, leaf) in enumerate(leaves):
            wide = min(step - 12, 130)
            picture.box(
                left + step * place + (step - wide) / 2, y + top, wide, 48,
                f"{name}\n{leaf}" if leaf else MISSING,
                "state" if leaf else "plain", "small" if leaf else "lost strong small",
            )  # fmt: skip
