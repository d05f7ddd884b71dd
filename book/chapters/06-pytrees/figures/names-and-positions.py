"""Three names and the vector of a fit: paired by position, and through unravel."""

from workshop.picture import Picture

WAYS = {
    "zip": {"ko": "적은 순서로 짝짓기", "en": "in the order written"},
    "unravel": {"ko": "트리 구조로 되돌리기", "en": "through the structure"},
}
CODE = {"zip": "dict(zip(start, vector))", "unravel": "unravel(vector)"}
RIGHT = {"ko": "맞음", "en": "right"}
WRONG = {"ko": "틀림", "en": "wrong"}


def values() -> dict:
    """Fit the curve of the chapter and pair names with entries both ways."""
    import jax
    import jax.numpy as jnp
    from jax.flatten_util import ravel_pytree
    from jax.scipy.optimize import minimize

    t = jnp.linspace(0, 4, 60)
    noise = 0.02 * jax.random.normal(jax.random.key(0), t.shape)
    y = 2 * jnp.exp(-1.5 * t) + 0.5 + noise

    def loss(vector):
        p = unravel(vector)
        curve = p["scale"] * jnp.exp(-p["rate"] * t) + p["offset"]
        return jnp.mean((curve - y) ** 2)

    start = {"scale": 1.0, "rate": 1.0, "offset": 0.0}
    vector, unravel = ravel_pytree(start)
    vector = minimize(loss, vector, method="BFGS").x
    places = unravel(jnp.arange(3.0))
    return {
        "names": list(start),
        "vector": [f"{entry:.2f}" for entry in vector],
        "zip": list(range(len(start))),
        "unravel": [int(places[name]) for name in start],
    }


def draw(picture: Picture, values: dict) -> None:
    """A group a way: names, arrows, the entries of the vector."""
    wide = picture.width if picture.narrow else 332
    row, high, head = 48, 34, 58
    group = head + row * 3 + 4
    for number, way in enumerate(WAYS):
        x, y = (
            (0, (group + 16) * number)
            if picture.narrow
            else ((picture.width - wide) * number, 0)
        )
        picture.lane(x, y, wide, group)
        picture.text(x + 14, y + 22, WAYS[way], "strong small")
        picture.text(x + 14, y + 42, CODE[way], "small muted")
        entries = [
            picture.box(
                x + wide - 142, y + head + row * place, 62, high, entry, "data"
            )
            for place, entry in enumerate(values["vector"])
        ]
        ends = [False] * len(entries)
        for place, name in enumerate(values["names"]):
            box = picture.box(
                x + 14, y + head + row * place, 76, high, name, "state"
            )
            found = values[way][place]
            ends[found] = found == values["unravel"][place]
            start = (box.right[0] + 3, box.right[1])
            stop = (entries[found].left[0] - 3, entries[found].left[1])
            picture.arrow(start, stop, kind="back" if ends[found] else "plain")
        for box, fits in zip(entries, ends, strict=True):
            said, look = (
                (RIGHT, "back small") if fits else (WRONG, "lost strong small")
            )
            picture.text(box.right[0] + 10, box.right[1] + 5, said, look)
