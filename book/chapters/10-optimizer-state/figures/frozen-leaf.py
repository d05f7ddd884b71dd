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
    """Take the chapter's step in each way, after ten steps; note the first slope's numbers."""
    import jax
    import jax.numpy as jnp
    import optax

    x = jnp.array([[1.0, 7.0], [1.0, -7.0], [-1.0, 7.0], [-1.0, -7.0]])
    y = x @ jnp.array([3.0, -1.0])

    def loss_fn(params):
        slopes = jnp.stack([params["first"], params["second"]])
        return jnp.mean((x @ slopes - y) ** 2) / 2

    adam, params = optax.adam(0.1), {"first": 0.0, "second": 0.0}
    params = jax.tree.map(jnp.float32, params)
    opt_state = adam.init(params)
    for _ in range(10):
        updates, opt_state = adam.update(jax.grad(loss_fn)(params), opt_state)
        params = optax.apply_updates(params, updates)

    def first_of(tx, opt_state, gradient=None) -> list:
        grads = jax.grad(loss_fn)(params)
        if gradient is not None:
            grads = grads | {"first": jnp.float32(gradient)}
        updates, _ = tx.update(grads, opt_state, params)
        after = optax.apply_updates(params, updates)
        trees = (grads, updates, params, after)
        return [f"{tree['first']:.2f}" for tree in trees]

    masked = optax.masked(adam, {"first": False, "second": True})
    labels = {"first": "freeze", "second": "train"}
    parts = {"train": adam, "freeze": optax.set_to_zero()}
    zero = optax.partition(parts, labels)
    return {
        "adam": first_of(adam, opt_state, gradient=0.0),
        "masked": first_of(masked, masked.init(params)),
        "zero": first_of(zero, zero.init(params)),
    }


def draw(picture: Picture, values: dict) -> None:
    """A row a way, from the gradient to the parameter."""
    widths = (56, 104, 52, 116) if picture.narrow else (84, 210, 84, 150)
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
