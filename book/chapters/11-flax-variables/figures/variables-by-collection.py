"""The variables of the opening's model, by collection, and who writes to each."""

from workshop.picture import Picture

WRITERS = {
    "params": {"ko": "옵티마이저가 씀", "en": "written by the optimizer"},
    "batch_stats": {
        "ko": "`mutable`에 적으면\n레이어가 씀",
        "en": "written by the layer\nif `mutable` names it",
    },
}
NARROW = {
    "params": {"ko": "옵티마이저가 씀", "en": "written by the optimizer"},
    "batch_stats": {
        "ko": "`mutable`에 적으면 레이어가 씀",
        "en": "by the layer, if `mutable` names it",
    },
}
KINDS = {"params": "state", "batch_stats": "back"}


def values() -> dict:
    """Initialize the model; list each collection's modules and arrays."""
    import jax
    import jax.numpy as jnp
    from flax import linen as nn

    class Net(nn.Module):
        @nn.compact
        def __call__(self, x, train):
            x = nn.Dense(32, use_bias=False)(x)
            x = nn.BatchNorm(not train, momentum=0.9)(x)
            return nn.Dense(1)(nn.relu(x))[:, 0]

    made = Net().init(jax.random.key(1), jnp.ones((2, 3)), train=False)
    modules = sorted(made["params"], key=["Dense_0", "BatchNorm_0", "Dense_1"].index)  # fmt: skip
    return {
        collection: {
            module: sorted(made[collection][module], reverse=True)
            if collection == "params"
            else sorted(made[collection][module])
            for module in modules
            if module in made[collection]
        }
        for collection in made
    }


def draw(picture: Picture, values: dict) -> None:
    """Collections beside each other on a desk, below each other on a phone."""
    (down if picture.narrow else across)(picture, values)


def across(picture: Picture, values: dict) -> None:
    """A lane a collection, a column a module, below the dict that holds both."""
    root = picture.box(264, 1, 160, 34, "variables", "plain", "strong")
    x = 0
    for collection, modules in values.items():
        wide = 136 * len(modules) + 26
        wide = max(wide, 238)
        lane = picture.lane(x, 70, wide, 218, deep=collection != "params")
        middle = lane.middle[0]
        picture.arrow(
            (root.bottom[0], 37), (root.bottom[0], 52), (middle, 52), (middle, 68)
        )  # fmt: skip
        picture.text(middle, 94, collection, "strong", "middle")
        left = middle - (136 * len(modules) - 10) / 2
        for place, (module, names) in enumerate(modules.items()):
            column = left + place * 136
            picture.text(column + 63, 124, module, "small muted", "middle")
            for row, name in enumerate(names):
                picture.box(
                    column, 134 + row * 46, 126, 36, name, KINDS[collection], "small"
                )  # fmt: skip
        picture.text(middle, 252, WRITERS[collection], "small", "middle")
        x += wide + 16


def down(picture: Picture, values: dict) -> None:
    """A lane a collection, a row a module."""
    y = 0
    for collection, modules in values.items():
        tall = 66 + 64 * len(modules)
        picture.lane(0, y, 358, tall, deep=collection != "params")
        picture.text(12, y + 24, collection, "strong")
        for row, (module, names) in enumerate(modules.items()):
            top = y + 38 + row * 64
            picture.text(12, top + 12, module, "small muted")
            for place, name in enumerate(names):
                picture.box(
                    12 + place * 170, top + 20, 160, 32, name, KINDS[collection], "small"
                )  # fmt: skip
        picture.text(12, y + tall - 12, NARROW[collection], "small")
        y += tall + 12
