"""A parameter that should stay: its gradient, what the optimizer makes of it, and where it ends."""

from itertools import pairwise

from workshop.picture import Picture

HEADS = [
    {"ko": "기울기", "en": "gradient"},
    {"ko": "변환", "en": "transformation"},
    {"ko": "변화량", "en": "update"},
    {"ko": "파라미터", "en": "parameter"},
]
NAMES = {
    "adam": {"ko": "`adam`\n`mu`가 0이 아님", "en": "`adam`\n`mu` isn't 0"},
    "masked": {
        "ko": "`masked`\n`False`인 리프",
        "en": "`masked`\nwhere `False`",
    },
    "zero": "set_to_zero",
}


def values() -> dict:
    """Take the chapter's step in each way; note the kernel's numbers."""
    import jax.numpy as jnp
    import optax

    def kernel_of(tx, gradients) -> dict:
        params = {"kernel": jnp.float32(1), "bias": jnp.float32(1)}
        opt_state = tx.init(params)
        for g in gradients:
            grads = {"kernel": jnp.float32(g), "bias": jnp.float32(2)}
            before = params["kernel"]
            updates, opt_state = tx.update(grads, opt_state, params)
            params = optax.apply_updates(params, updates)
        numbers = (g, updates["kernel"], before, params["kernel"])
        return [f"{number:.2f}" for number in map(float, numbers)]

    mask = {"kernel": False, "bias": True}
    labels = {"kernel": "freeze", "bias": "train"}
    parts = {"train": optax.sgd(0.1), "freeze": optax.set_to_zero()}
    return {
        "adam": kernel_of(optax.adam(0.1), (2.0, 2.0, 0.0)),
        "masked": kernel_of(optax.masked(optax.sgd(0.1), mask), (2.0,)),
        "zero": kernel_of(optax.partition(parts, labels), (2.0,)),
    }


def draw(picture: Picture, values: dict) -> None:
    """A row a way, from the gradient to the parameter."""
    widths = (60, 104, 52, 108) if picture.narrow else (84, 210, 84, 150)
    gap = (picture.width - 2 - sum(widths)) / 3
    corners = [1.0]
    for wide in widths[:-1]:
        corners.append(corners[-1] + wide + gap)
    for x, wide, words in zip(corners, widths, HEADS, strict=True):
        picture.text(x + wide / 2, 16, words, "small muted", "middle")
    for row, (name, numbers) in enumerate(values.items()):
        gradient, update, before, after = numbers
        y = 30 + row * 66
        texts = (gradient, NAMES[name], update, f"{before} → {after}")
        kinds = ("data", "plain", "data", "state")
        looks = ("strong", "small", "strong", "strong")
        boxes = [
            picture.box(x, y, wide, 48, text, kind, look)
            for x, wide, text, kind, look in zip(
                corners, widths, texts, kinds, looks, strict=True
            )
        ]
        for one, other in pairwise(boxes):
            picture.arrow(
                (one.right[0] + 2, y + 24), (other.x - 2, y + 24), kind="data"
            )
