"""One call of apply: what goes in, what comes out, and where the new mean can go."""

from workshop.picture import Picture, fill

NEXT = {"ko": "다음 호출은 `{value}`에서", "en": "next call from `{value}`"}
DROP = {"ko": "밑줄 `_`", "en": "goes to `_`"}
UNCHANGED = {
    "ko": "`variables`의 `mean`은 호출 뒤에도 `{value}`",
    "en": "`mean` in `variables` after the call: `{value}`",
}


def values() -> dict:
    """Call the layer once with ones; go on without and with the result."""
    import jax
    import jax.numpy as jnp
    from flax import linen as nn

    class Center(nn.Module):
        @nn.compact
        def __call__(self, x):
            bias = self.param("bias", nn.initializers.zeros, x.shape[1:])
            mean = self.variable("batch_stats", "mean", jnp.zeros, x.shape[1:])
            if not self.is_initializing():
                mean.value = 0.9 * mean.value + 0.1 * x.mean(axis=0)
            return x - mean.value + bias

    def mean_of(variables) -> str:
        return f"{variables['batch_stats']['mean'][0]:.1f}"

    model, x = Center(), jnp.ones((10, 2))
    variables = model.init(jax.random.key(0), x)
    before = mean_of(variables)
    y, updated = model.apply(variables, x, mutable=["batch_stats"])
    return {
        "before": before,
        "y": f"{y[0, 0]:.1f}",
        "updated": mean_of(updated),
        "after": mean_of(variables),
        "dropped": mean_of(variables),
        "kept": mean_of(variables | updated),
    }


def draw(picture: Picture, values: dict) -> None:
    """From the arguments to the results, across on a desk, downwards on a phone."""
    (down if picture.narrow else across)(picture, values)


def across(picture: Picture, values: dict) -> None:
    """For a desk."""
    mean, new = f"mean {values['before']}", values["updated"]
    params = picture.box(1, 20, 140, 40, "params", "state")
    x = picture.box(1, 84, 140, 40, "x", "data")
    stats = picture.box(
        1, 148, 140, 48, f"batch_stats\n{mean}", "state", "small"
    )
    lane = picture.lane(196, 4, 200, 208, deep=True)
    picture.text(lane.middle[0], 30, "apply", "strong", "middle")
    picture.text(
        lane.middle[0], 52, 'mutable=["batch_stats"]', "small", "middle"
    )
    inside = picture.box(
        234, 148, 124, 48, f"mean.value\n{new}", "trace", "small"
    )
    for box, kind in ((params, "state"), (x, "data"), (stats, "state")):
        end = (inside.x - 2 if box is stats else 194, box.right[1])
        picture.arrow((box.right[0] + 2, box.right[1]), end, kind=kind)
    y = picture.box(458, 20, 110, 40, f"y {values['y']}", "data")
    picture.arrow((398, 40), (y.x - 2, 40), kind="data")
    drop = picture.box(458, 84, 110, 40, DROP, "lost")
    keep = picture.box(
        458, 158, 110, 48, f"updated\nmean {new}", "back", "small"
    )
    picture.arrow(
        (inside.right[0] + 2, 162),
        (426, 162),
        (426, 104),
        (drop.x - 2, 104),
        kind="lost",
    )
    picture.arrow((inside.right[0] + 2, 182), (keep.x - 2, 182), kind="back")
    for box, way in ((drop, "dropped"), (keep, "kept")):
        words = two_lines(NEXT, values[way])
        picture.text(582, box.middle[1] - 4, words, "small")
    picture.arrow(
        (keep.bottom[0], 208),
        (keep.bottom[0], 236),
        (stats.bottom[0], 236),
        (stats.bottom[0], 198),
        kind="back",
    )
    picture.text(296, 256, "variables | updated", "small back", "middle")
    after = fill(UNCHANGED, value=values["after"])
    picture.text(1, 286, after, "small muted")


def two_lines(words: dict, value: str) -> dict:
    """The words with their value on a second line."""
    return {
        code: text.replace(" `", "\n`")
        for code, text in fill(words, value=value).items()
    }


def down(picture: Picture, values: dict) -> None:
    """For a phone: the loop goes round the right edge."""
    mean, new = f"mean {values['before']}", values["updated"]
    params = picture.box(1, 1, 74, 40, "params", "state", "small")
    x = picture.box(93, 1, 60, 40, "x", "data", "small")
    stats = picture.box(
        175, 1, 140, 48, f"batch_stats\n{mean}", "state", "small"
    )
    picture.lane(0, 78, 326, 126, deep=True)
    picture.text(14, 102, "apply", "strong")
    picture.text(14, 124, 'mutable=["batch_stats"]', "small")
    inside = picture.box(
        175, 136, 140, 48, f"mean.value\n{new}", "trace", "small"
    )
    for box, kind in ((params, "state"), (stats, "state"), (x, "data")):
        end = inside.y - 2 if box is stats else 76
        picture.arrow(
            (box.bottom[0], box.bottom[1] + 2), (box.bottom[0], end), kind=kind
        )
    y = picture.box(1, 240, 74, 40, f"y {values['y']}", "data", "small")
    picture.arrow((y.top[0], 206), (y.top[0], 238), kind="data")
    drop = picture.box(93, 240, 76, 40, DROP, "lost", "small")
    keep = picture.box(
        190, 240, 110, 48, f"updated\nmean {new}", "back", "small"
    )
    picture.arrow(
        (205, 186), (205, 220), (drop.top[0], 220), (drop.top[0], 238),
        kind="lost",
    )  # fmt: skip
    picture.arrow((keep.top[0], 186), (keep.top[0], 238), kind="back")
    picture.arrow(
        (keep.bottom[0], 290),
        (keep.bottom[0], 314),
        (344, 314),
        (344, 25),
        (stats.right[0] + 2, 25),
        kind="back",
    )
    picture.text(357, 334, "variables | updated", "small back", "end")
    picture.text(
        drop.middle[0] - 12, 364, two_lines(NEXT, values["dropped"]),
        "small", "middle",
    )  # fmt: skip
    picture.text(
        keep.middle[0] + 12, 364, two_lines(NEXT, values["kept"]),
        "small", "middle",
    )  # fmt: skip
    picture.text(1, 410, fill(UNCHANGED, value=values["after"]), "small muted")
