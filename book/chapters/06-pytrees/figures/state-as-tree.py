"""The state of the chapter as a tree, and what flattening makes of it."""

from workshop.picture import Picture

LEAF = {"ko": "리프", "en": "leaf"}
NO_LEAF = {"ko": "리프 없음", "en": "no leaf"}
FLAT = {"ko": "평탄화한 결과", "en": "flattened"}
LEAVES = {"ko": "`leaves`, 순서대로", "en": "`leaves`, in order"}
STRUCTURE = {"ko": "`treedef`, 나머지 전부", "en": "`treedef`, all the rest"}


def values() -> dict:
    """Flatten a state with the fitted params, no momentum and a step."""
    import jax
    import jax.numpy as jnp

    params = {"scale": 2.02, "rate": 1.51, "offset": 0.50}
    params = jax.tree.map(jnp.float32, params)
    state = {"step": jnp.int32(7), "params": params, "momentum": None}
    pairs = jax.tree.leaves_with_path(state)
    return {
        "leaves": [
            [
                [key.key for key in path],
                f"{leaf:.2f}" if leaf.dtype == jnp.float32 else str(leaf),
            ]
            for path, leaf in pairs
        ],
        "structure": str(jax.tree.structure(state))[len("PyTreeDef(") : -1],
    }


def draw(picture: Picture, values: dict) -> None:
    """The tree in one lane, the list and the structure in another."""
    leaves, narrow = values["leaves"], picture.narrow
    wide, high = picture.width, 46
    box, gap = (100, 14) if narrow else (112, 30)
    third = [
        wide / 2 - box / 2 + (box + gap) * number for number in (-1, 0, 1)
    ]
    picture.lane(0, 0, wide, 290)
    root = picture.box(wide / 2 - 50, 16, 100, 34, "state: dict", look="small")
    nodes = {"momentum": "momentum\nNone", "params": "params\ndict"}
    middle = {}
    for x, key in zip(third, ("momentum", "params", "step"), strict=True):
        kind = "plain" if key in nodes else "state"
        text = nodes.get(key) or f"{key}\n{leaves[-1][1]}"
        middle[key] = picture.box(x, 94, box, high, text, kind, "small")
        picture.line(root.bottom, middle[key].top)
    picture.text(*_under(middle["momentum"]), NO_LEAF, "small muted", "middle")
    lowest = []
    for x, (path, value) in zip(third, leaves[:-1], strict=True):
        made = picture.box(
            x, 200, box, high, f"{path[-1]}\n{value}", "state", "small"
        )
        picture.line(middle["params"].bottom, made.top)
        lowest.append(made)
    for number, made in enumerate([*lowest, middle["step"]], start=1):
        said = {lang: f"{word} {number}" for lang, word in LEAF.items()}
        picture.text(*_under(made), said, "small state", "middle")
    top = 302
    picture.lane(0, top, wide, 246 if narrow else 152, deep=True)
    picture.text(14, top + 24, FLAT, "strong small")
    picture.text(14, top + 62, LEAVES, "small")
    left = 14 if narrow else 190
    at = top + (74 if narrow else 40)
    for number, (_, value) in enumerate(leaves):
        picture.box(left + 78 * number, at, 66, 34, value, "state", "small")
    at += 62 if narrow else 52
    picture.text(14, at + (0 if narrow else 22), STRUCTURE, "small")
    text = values["structure"]
    breaks = (" 'params'", " 'rate'", " 'step'") if narrow else (" 'params'",)
    for place in breaks:
        text = text.replace(place, f"\n{place}")
    picture.box(
        left, at + (12 if narrow else -2), wide - left - 14,
        86 if narrow else 46, text, "static", "small",
    )  # fmt: skip


def _under(box) -> tuple[float, float]:
    return box.bottom[0], box.bottom[1] + 17
