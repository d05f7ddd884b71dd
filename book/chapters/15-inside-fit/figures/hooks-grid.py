"""A write of 7 in each hook of an epoch with two batches: kept or lost after fit."""

from workshop.picture import Picture

WAYS = ["model", "self.model"]
BATCHES = [
    {"ko": "배치 1", "en": "batch 1"},
    {"ko": "배치 2", "en": "batch 2"},
]
HOOKS = [
    ("on_epoch_begin", None),
    ("on_train_batch_begin", 0),
    ("on_train_batch_end", 0),
    ("on_train_batch_begin", 1),
    ("on_train_batch_end", 1),
    ("on_epoch_end", None),
]


def values() -> dict:
    """Write in each hook through each way at rate 0, which changes nothing else."""
    import os

    os.environ["KERAS_BACKEND"] = "jax"
    import keras
    import numpy as np

    def kept(hook: str, at: int | None, way: str) -> bool:
        layer = keras.layers.Dense(
            1, use_bias=False, kernel_initializer="ones"
        )
        model = keras.Sequential([keras.Input((1,)), layer])
        model.compile(optimizer=keras.optimizers.SGD(0.0), loss="mse")

        def write(callback, number, logs=None):
            if number == (at or 0):
                through = callback.model if way == "self.model" else model
                through.set_weights([np.full((1, 1), 7.0)])

        writer = type("Writer", (keras.callbacks.Callback,), {hook: write})()
        x = np.ones((2, 1), "float32")
        model.fit(x, x, batch_size=1, verbose=0, callbacks=[writer])
        return bool(model.get_weights()[0][0, 0] == 7)

    rows = [
        {
            "hook": hook,
            "batch": at,
            "kept": {way: kept(hook, at, way) for way in WAYS},
        }
        for hook, at in HOOKS
    ]
    return {"rows": rows}


def draw(picture: Picture, values: dict) -> None:
    """A row a hook, a column a way; time runs downwards."""
    label, wide = (166, 92) if picture.narrow else (300, 170)
    row, head = 58, 44
    for place, way in enumerate(WAYS):
        middle = label + wide * (place + 0.5)
        picture.text(middle, 20, way, "strong", "middle")
    for number, said in enumerate(values["rows"]):
        y = head + row * number
        picture.line((0, y - 10), (label + wide * 2, y - 10))
        picture.text(0, y + 15, said["hook"], "small")
        if said["batch"] is not None:
            picture.text(0, y + 33, BATCHES[said["batch"]], "small muted")
        for place, way in enumerate(WAYS):
            kind = "state" if said["kept"][way] else "lost"
            x = label + wide * (place + 0.5) - 26
            picture.box(x, y, 52, 26, "7", kind, "strong")
