"""Five values of a state, and what a .keras file gives back, saved before and after the write-back."""

from workshop.picture import Picture

HEADS = [
    {"ko": "상태", "en": "state"},
    {"ko": "반영 전\n`save`", "en": "`save` before\nwriting back"},
    {"ko": "반영 후\n`save`", "en": "`save` after\nwriting back"},
]
SHORT = [
    HEADS[0],
    {"ko": "반영 전\n`save`", "en": "`save`\nbefore"},
    {"ko": "반영 후\n`save`", "en": "`save`\nafter"},
]
ROWS = {
    "kernel": "kernel",
    "mean": "moving_mean",
    "iteration": "iteration",
    "draws": {"ko": "드롭아웃이\n뽑은 횟수", "en": "draws of\nDropout"},
    "count": {"ko": "메트릭의 `count`", "en": "`count` of\nthe metric"},
}
ROWS["count"]["ko"] = "메트릭의\n`count`"


def values() -> dict:
    """One step outside the model; save and load it before the write-back and after it."""
    import os
    import tempfile
    from pathlib import Path

    os.environ["KERAS_BACKEND"] = "jax"
    import jax.numpy as jnp
    import keras
    import numpy as np

    layers = keras.layers
    model = keras.Sequential(
        [
            keras.Input((1,)),
            layers.BatchNormalization(momentum=0.9, center=False, scale=False),
            layers.Dropout(0.5, seed=7),
            layers.Dense(1, use_bias=False, kernel_initializer="ones"),
        ]
    )
    metric = keras.metrics.BinaryAccuracy()
    optimizer = keras.optimizers.SGD(0.1)
    optimizer.build(model.trainable_variables)
    model.compile(optimizer=optimizer)
    copies = lambda variables: [jnp.copy(v.value) for v in variables]
    x = np.array([[0.0], [2.0], [4.0], [2.0]], "float32")
    out, rest = model.stateless_call(
        copies(model.trainable_variables),
        copies(model.non_trainable_variables),
        x,
        training=True,
    )
    params, opt_state = optimizer.stateless_apply(
        optimizer_variables=copies(optimizer.variables),
        grads=[jnp.ones((1, 1))],
        trainable_variables=copies(model.trainable_variables),
    )
    metrics = metric.stateless_update_state(
        metric.stateless_reset_state(), np.ones((4, 1), "float32"), out
    )

    def shown(params: list, rest: list, opt_state: list) -> dict:
        mean = next(a for a in rest if a.dtype == "float32")
        seed = next(a for a in rest if a.dtype != "float32")
        return {
            "kernel": f"{float(params[0][0, 0]):.2f}",
            "mean": f"{float(mean[0]):.2f}",
            "iteration": str(int(opt_state[0])),
            "draws": str(int(seed[1])),
        }

    def through_a_file() -> dict:
        with tempfile.TemporaryDirectory() as folder:
            model.save(Path(folder) / "model.keras")
            loaded = keras.models.load_model(Path(folder) / "model.keras")
        lists = loaded.trainable_variables, loaded.non_trainable_variables
        return shown(*map(copies, lists), copies(loaded.optimizer.variables))

    state = shown(params, rest, opt_state) | {"count": str(int(metrics[1]))}
    before = through_a_file()
    lists = (
        model.trainable_variables,
        model.non_trainable_variables,
        optimizer.variables,
    )
    for variables, arrays in zip(
        lists, (params, rest, opt_state), strict=True
    ):
        for variable, array in zip(variables, arrays, strict=True):
            variable.assign(jnp.copy(array))
    return {"state": state, "before": before, "after": through_a_file()}


def draw(picture: Picture, values: dict) -> None:
    """A row a value; blue is the state, green what came back, a thin line what is initial."""
    narrow = picture.narrow
    wide, first, pitch = (74, 94, 90) if narrow else (110, 190, 176)
    for place, words in enumerate(SHORT if narrow else HEADS):
        picture.text(
            first + pitch * place + wide / 2,
            16,
            words,
            "small strong",
            "middle",
        )
    y = 52
    for row, words in ROWS.items():
        lines = 1 if isinstance(words, str) else 2
        look = "small strong" if isinstance(words, str) else "small"
        picture.text(0, y + 23 - (lines - 1) * 9, words, look)
        number = values["state"][row]
        picture.box(first, y, wide, 36, number, "state", "strong")
        for place, file in enumerate(("before", "after"), start=1):
            found = values[file].get(row)
            kind = (
                "lost"
                if found is None
                else "back"
                if found == number
                else "plain"
            )
            x = first + pitch * place
            picture.box(x, y, wide, 36, found or number, kind, "strong")
        y += 50
