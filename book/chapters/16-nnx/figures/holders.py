"""Who holds which Variable after nnx.split, nnx.merge and nnx.clone, and two more counts."""

from workshop.picture import Picture

KINDS = {
    "shared": {"ko": "Variable 하나", "en": "one Variable"},
    "own": {"ko": "다른 Variable", "en": "another Variable"},
    "array": {"ko": "배열", "en": "an array"},
}


def values() -> dict:
    """Run the chapter's program; gather the names by what they hold."""
    import jax
    import jax.numpy as jnp
    from flax import nnx

    class Counter(nnx.Module):
        def __init__(self):
            self.n = nnx.Variable(jnp.int32(0))

    counter = Counter()
    for _ in range(3):
        counter.n[...] += 1
    graphdef, state = nnx.split(counter)
    merged, clone = nnx.merge(graphdef, state), nnx.clone(counter)
    array = counter.n[...]
    for _ in range(2):
        counter.n[...] += 1
    held = {
        "counter": counter.n,
        "state": state["n"],
        "merged": merged.n,
        "clone": clone.n,
        "array": array,
    }
    groups = {}
    for name, what in held.items():
        groups.setdefault(id(what), []).append(name)
    kept = []
    for names in groups.values():
        what = held[names[0]]
        is_array = isinstance(what, jax.Array)
        value = int(what if is_array else what[...])
        kept.append({"names": names, "value": value, "array": is_array})
    return {"groups": kept}


def draw(picture: Picture, values: dict) -> None:
    """A row a name; an arrow goes from it to what it holds."""
    left, right = (0, 152) if picture.narrow else (120, 340)
    row, y = 46, 0
    for group in values["groups"]:
        names, is_array = group["names"], group["array"]
        bottom = y + row * len(names) - 12
        middle = (y + bottom) / 2
        kind = "array" if is_array else "shared" if len(names) > 1 else "own"
        box = picture.box(
            right, middle - 20, 72, 40, str(group["value"]), "data" if is_array else "state", "strong large"
        )  # fmt: skip
        picture.text(right + 88, middle + 5, KINDS[kind], "muted small")
        for place, name in enumerate(names):
            label = picture.box(left, y + place * row, 92, 34, name, "plain")
            spread = (place - (len(names) - 1) / 2) * 11
            picture.arrow(
                (label.right[0] + 2, label.middle[1]),
                (box.x - 2, middle + spread),
                kind="data",
            )
        y = bottom + 26
