"""What has to be saved for 96 parameters, optimizer by optimizer, in bytes."""

from workshop.picture import Picture, fill

BYTES = {"ko": "`{value}`바이트", "en": "`{value}` bytes"}
FULL = 384  # bytes of the parameters, and of each bar


def values() -> dict:
    """Make each optimizer's state; list what is as large as the parameters, and all bytes."""
    import jax
    import jax.numpy as jnp
    import optax

    params = {"kernel": jnp.ones((5, 16)), "bias": jnp.zeros(16)}

    def size(tree) -> int:
        return sum(leaf.nbytes for leaf in jax.tree.leaves(tree))

    def bars(state) -> list:
        """The names of the fields that are as large as the parameters."""
        if isinstance(state, tuple) and hasattr(state, "_fields"):
            fields = zip(state._fields, state, strict=True)
        elif isinstance(state, tuple):
            fields = [("", part) for part in state]
        else:
            return []
        found = []
        for name, part in fields:
            if jax.tree.structure(part) == jax.tree.structure(params):
                found.append(name)
            else:
                found += bars(part)
        return found

    ways = {
        "sgd(0.1)": optax.sgd(0.1).init(params),
        "sgd(0.1, momentum=0.9)": optax.sgd(0.1, momentum=0.9).init(params),
        "adam(0.1)": optax.adam(0.1).init(params),
    }
    return {
        name: {
            "bars": ["params", *bars(state)],
            "bytes": size(params) + size(state),
        }
        for name, state in ways.items()
    }


def draw(picture: Picture, values: dict) -> None:
    """A row an optimizer, a bar for each thing as large as the parameters."""
    wide = (picture.width - 4) / 3
    for row, (name, way) in enumerate(values.items()):
        y = row * 70
        picture.text(0, y + 16, name, "strong small")
        total = fill(BYTES, value=way["bytes"])
        picture.text(picture.width - 8, y + 16, total, "small", "end")
        for place, bar in enumerate(way["bars"]):
            kind = "state" if place else "plain"
            picture.box(
                place * wide + 2, y + 26, wide - 4, 30, bar, kind, "small"
            )
