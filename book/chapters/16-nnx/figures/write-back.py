"""One call of count, plain, under jax.jit and under nnx.jit: whose Variable is written."""

from workshop.picture import Picture, said

WORDS = {
    "outside": {"ko": "원래\nVariable", "en": "your\nVariable"},
    "trace": {"ko": "대역의\nVariable", "en": "the stand-in's\nVariable"},
}
SAME = {"ko": "같은 Variable", "en": "the same Variable"}


def values() -> dict:
    """Call count in each way and note which Variable it wrote to, and what is left."""
    import jax
    import jax.numpy as jnp
    from flax import nnx

    class Counter(nnx.Module):
        def __init__(self):
            self.n = nnx.Variable(jnp.int32(0))

    def one_call(transform):
        met = []

        def count(counter):
            met.append(counter.n)
            counter.n[...] += 1
            return counter.n[...]

        counter = Counter()
        before = int(counter.n[...])
        inside = int(transform(count)(counter))
        after = int(counter.n[...])
        return {
            "before": before,
            "inside": inside,
            "after": after,
            "same": met[0] is counter.n,
        }

    ways = {
        "count": lambda f: f,
        "jax.jit(count)": jax.jit,
        "nnx.jit(count)": nnx.jit,
    }
    return {name: one_call(transform) for name, transform in ways.items()}


def draw(picture: Picture, values: dict) -> None:
    """A row a way; what is outside and what exists in the trace stand in two lanes."""
    wide, between, left = (112, 134, 0) if picture.narrow else (150, 170, 218)
    row, head = (134 if picture.narrow else 104), 60
    right = left + wide + between
    picture.lane(left, 0, wide, head + row * len(values))
    picture.lane(right, 0, wide, head + row * len(values), deep=True)
    for x, key in ((left, "outside"), (right, "trace")):
        picture.text(x + wide / 2, 24, WORDS[key], "strong small", "middle")
    for place, (name, call) in enumerate(values.items()):
        y = head + row * place
        if picture.narrow:
            picture.text(
                left + wide + between / 2,
                y + 10,
                name,
                "strong small",
                "middle",
            )
        else:
            picture.text(0, y + 42, name, "strong")
        one_way(
            picture, left + wide / 2 - 44, right + wide / 2 - 44, y + 16, call
        )


def one_way(
    picture: Picture, left: float, right: float, y: float, call: dict
) -> None:
    """One call: the Variable outside, the one in the trace, and what goes between them."""
    before, inside, after = (
        str(call[key]) for key in ("before", "inside", "after")
    )
    wrote = call["before"] != call["after"]
    text = f"{before} → {after}" if wrote else after
    mine = picture.box(left, y, 88, 44, text, "state", "strong")
    middle = (mine.right[0] + right) / 2
    if call["same"]:
        picture.text(middle, y + 28, SAME, "small muted", "middle")
        return
    theirs = picture.box(
        right,
        y,
        88,
        44,
        f"{before} → {inside}",
        "trace" if wrote else "lost",
        "strong",
    )
    picture.arrow(
        (mine.right[0] + 2, y + 14), (theirs.x - 2, y + 14), kind="data"
    )
    picture.text(middle, y + 8, before, "small", "middle")
    if wrote:
        picture.arrow(
            (theirs.x - 2, y + 32), (mine.right[0] + 2, y + 32), kind="back"
        )
        picture.text(
            middle, y + 52, said("back"), "back strong small", "middle"
        )
