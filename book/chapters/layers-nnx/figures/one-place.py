"""What nnx.vmap writes with None: one value for all examples, or one each."""

from workshop.picture import Picture

COUNT = {"ko": "바깥의 count", "en": "your count"}
MEAN = {"ko": "바깥의 평균", "en": "your mean"}
ROWS = {
    "dropout": ("Dropout: None", COUNT),
    "norm": ("BatchNorm: None", MEAN),
    "averaged": ('BatchNorm: None, axis_name="batch"', MEAN),
}
ONE = {"ko": "모든 예제에 새 값 하나", "en": "one new value for all examples"}
EACH = {"ko": "예제마다 새 값 하나", "en": "a new value per example"}


def values() -> dict:
    """Map three examples; note the new values inside and what comes back."""
    import jax
    import jax.numpy as jnp
    from flax import nnx

    xs = jnp.array([[1.0], [2.0], [3.0]])

    def mapped(layer, **named):
        def call(layer, x):
            return layer(x)

        nnx.vmap(call, in_axes=(None, 0), **named)(layer, xs)

    def new_norm(**named):
        return nnx.BatchNorm(1, momentum=0.9, rngs=nnx.Rngs(0), **named)

    def new_mean(x):
        norm = new_norm()
        norm(x)
        return norm.mean[...][0]

    def short(number):
        return f"{float(number):.1f}".removesuffix(".0")

    dropout = nnx.Dropout(0.5, rngs=nnx.Rngs(1))
    mapped(dropout)
    norm = new_norm()
    try:
        mapped(norm)
        error = ""
    except ValueError as raised:
        error = type(raised).__name__
    averaged = new_norm(axis_name="batch")
    mapped(averaged, axis_name="batch")
    count = short(dropout.rngs.count[...])
    mean = short(averaged.mean[...][0])
    each = [short(value) for value in jax.vmap(new_mean)(xs)]
    return {
        "dropout": {"new": [count], "end": count},
        "norm": {"new": each, "end": error},
        "averaged": {"new": [mean], "end": mean},
    }


def draw(picture: Picture, values: dict) -> None:
    """A row for each layer: what you have, and what nnx.vmap computes."""
    narrow = picture.narrow
    mine_wide, lane_x = (92, 122) if narrow else (116, 190)
    lane_wide = picture.width - lane_x
    for place, (name, way) in enumerate(values.items()):
        top = 140 * place
        title, label = ROWS[name]
        came_back = way["end"] in way["new"]
        picture.text(0, top + 18, title, "strong small")
        picture.text(
            2 + mine_wide / 2, top + 52, label, "small muted", "middle"
        )
        lane = picture.lane(lane_x, top + 28, lane_wide, 98, deep=True)
        text = f"0 → {way['end']}" if came_back else "0"
        mine = picture.box(2, top + 64, mine_wide, 36, text, "state", "strong")
        said = ONE if len(way["new"]) == 1 else EACH
        picture.text(lane.middle[0], top + 52, said, "small muted", "middle")
        each = 56 if narrow else 100
        gap = (lane_wide - 36 - 3 * each) / 2
        whole = 3 * each + 2 * gap
        if came_back:
            box = picture.box(
                lane_x + 18,
                top + 64,
                whole,
                36,
                way["new"][0],
                "trace",
                "strong",
            )
            picture.arrow(
                (box.bottom[0], box.bottom[1] + 2),
                (box.bottom[0], top + 115),
                (mine.bottom[0], top + 115),
                (mine.bottom[0], mine.bottom[1] + 2),
                kind="back",
            )
        else:
            for n, new in enumerate(way["new"]):
                picture.box(
                    lane_x + 18 + n * (each + gap),
                    top + 64,
                    each,
                    36,
                    new,
                    "trace",
                    "strong",
                )
            picture.text(
                mine.middle[0], top + 119, way["end"], "strong small", "middle"
            )
