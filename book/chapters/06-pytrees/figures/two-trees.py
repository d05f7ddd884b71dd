"""The trees of two layers and of their gradients, which lack a leaf."""

from workshop.picture import Picture

PARAMS = {"ko": "파라미터", "en": "params"}
GRADS = {"ko": "기울기", "en": "gradients"}
MISSING = {"ko": "없음", "en": "missing"}


def values() -> dict:
    """List the leaves of both by their paths; None where a tree has no leaf."""
    import jax

    layers = [{"weight": 1.0, "bias": 2.0}, {"weight": 3.0, "bias": 4.0}]
    grads = [{"weight": 0.1, "bias": 0.2}, {"weight": 0.3}]
    a, b = (
        {
            (path[0].idx, path[1].key): str(leaf)
            for path, leaf in jax.tree.leaves_with_path(tree)
        }
        for tree in (layers, grads)
    )
    return {"rows": [[*key, a.get(key), b.get(key)] for key in sorted(a | b)]}


def draw(picture: Picture, values: dict) -> None:
    """A tree a lane: the list, its dicts, their leaves."""
    wide = picture.width if picture.narrow else 336
    high = 246
    for number, title in enumerate((PARAMS, GRADS)):
        x, y = (
            (0, (high + 14) * number)
            if picture.narrow
            else ((picture.width - wide) * number, 0)
        )
        picture.lane(x, y, wide, high)
        picture.text(x + 14, y + 24, title, "strong small")
        root = picture.box(
            x + wide / 2 - 32, y + 14, 64, 34, "list", look="small"
        )
        step, box = (wide - 20) / 4, 70
        nodes = [
            picture.box(
                x + 10 + step * (2 * place + 1) - 40, y + 84, 80, 34,
                f"[{place}] dict", look="small",
            )
            for place in range(2)
        ]  # fmt: skip
        for node in nodes:
            picture.line(root.bottom, node.top)
        for place, (layer, name, *leaves) in enumerate(values["rows"]):
            leaf, there = leaves[number], all(leaves)
            left = x + 10 + step * (place + 0.5) - box / 2
            kind = "state" if leaf else "lost"
            made = picture.box(
                left, y + 156, box, 46, f"{name}\n{leaf}" if leaf else MISSING,
                kind if leaf else "plain", "small" if leaf else "lost strong small",
            )  # fmt: skip
            picture.line(nodes[layer].bottom, made.top)
            if not there:
                picture.text(
                    made.bottom[0], made.bottom[1] + 20, f"[{layer}]['{name}']",
                    "small lost", "middle",
                )  # fmt: skip
