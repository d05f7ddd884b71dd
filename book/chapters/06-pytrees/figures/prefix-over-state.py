"""A prefix of axes laid over a state of three runs: what each entry applies to."""

from workshop.picture import Picture

AXES = {"ko": "접두사 `axes`", "en": "the prefix `axes`"}
STATES = {
    "ko": "`states`와 리프의 shape",
    "en": "`states`, shapes of the leaves",
}
EACH = {
    "ko": "세 리프 모두 0번 축으로 나눔",
    "en": "axis 0 of all three leaves",
}
SHARED = {"ko": "나누지 않고 공유", "en": "not mapped, shared"}


def values() -> dict:
    """Stack three params, expand the prefix to the leaves, and look up the shapes."""
    import jax
    import jax.numpy as jnp

    params = {name: jnp.ones(3) for name in ("scale", "rate", "offset")}
    states = {"step": jnp.int32(0), "params": params, "momentum": params}
    axes = {"step": None, "params": 0, "momentum": 0}
    is_none = lambda node: node is None
    whole = jax.tree.broadcast(axes, states, is_leaf=is_none)
    rows = []
    for key in sorted(axes):
        below = jax.tree.leaves_with_path(states[key])
        expanded = jax.tree.leaves(whole[key], is_leaf=is_none)
        rows.append(
            {
                "key": key,
                "axis": str(axes[key]),
                "leaves": [
                    [path[-1].key if path else "", str(leaf.shape), str(axis)]
                    for (path, leaf), axis in zip(below, expanded, strict=True)
                ],
            }
        )
    return {"rows": rows}


def draw(picture: Picture, values: dict) -> None:
    """A row a key: the prefix's entry, an arrow, the leaves that it applies to."""
    narrow = picture.narrow
    first, right, cell = (98, 138, 62) if narrow else (150, 250, 122)
    row, head = 104, 36
    picture.text(0, 20, AXES, "strong small")
    words = STATES if not narrow else {"ko": "`states`", "en": "`states`"}
    picture.text(right, 20, words, "strong small")
    for number, said in enumerate(values["rows"]):
        y = head + row * number
        mapped = said["axis"] != "None"
        entry = picture.box(
            1, y + 10, first, 46, f"{said['key']}\n{said['axis']}",
            "static" if mapped else "plain", "small",
        )  # fmt: skip
        lane = picture.lane(right, y, picture.width - right, 92)
        picture.arrow(
            (entry.right[0] + 4, entry.right[1]), (right - 4, entry.right[1])
        )
        for place, (name, shape, _) in enumerate(said["leaves"]):
            text = f"{name}\n{shape}" if name else f"{said['key']}\n{shape}"
            picture.box(
                right + 10 + (cell + 4 if narrow else cell + 16) * place, y + 10,
                cell, 46, text, "state" if mapped else "data", "small",
            )  # fmt: skip
        words = EACH if mapped else SHARED
        picture.text(lane.x + 10, y + 79, words, "small muted")
