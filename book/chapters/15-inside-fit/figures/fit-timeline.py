"""One epoch of fit with two batches: where the kernel's array is at each hook."""

from itertools import pairwise

from workshop.picture import Picture

MODEL = {"ko": "모델의\n변수", "en": "model's\nvariable"}
TUPLE = {"ko": "`fit`의\n상태 튜플", "en": "`fit`'s\nstate tuple"}
OUT = {"ko": "꺼냄", "en": "taken out"}
BACK = {"ko": "대입", "en": "assigned"}
BEGIN, END = "on_train_batch_begin", "on_train_batch_end"


def values() -> dict:
    """Fit a model with one weight; note at each hook what the variable holds, and what fit does."""
    import os

    os.environ["KERAS_BACKEND"] = "jax"
    import keras
    import numpy as np

    hooks = ["on_epoch_begin", BEGIN, END, "on_epoch_end"]

    def build():
        layer = keras.layers.Dense(
            1, use_bias=False, kernel_initializer="ones"
        )
        model = keras.Sequential([keras.Input((1,)), layer])
        model.compile(optimizer=keras.optimizers.SGD(0.1), loss="mse")
        return model

    def noted(sync: bool) -> list:
        """The kernel at each hook, by a name from outside or after a sync."""
        model, found = build(), []
        kernel = model.layers[0].kernel

        def note(hook):
            def noting(*_, **__):
                if sync:
                    model.jax_state_sync()
                full = "value=" in repr(kernel)
                found.append(
                    [hook, f"{kernel.numpy()[0, 0]:.2f}" if full else None]
                )

            return noting

        watch = keras.callbacks.LambdaCallback(
            **{hook: note(hook) for hook in hooks}
        )
        x = np.ones((2, 1), "float32")
        model.fit(x, 0 * x, batch_size=1, verbose=0, callbacks=[watch])
        return found

    outside, synced = noted(False), noted(True)
    rows = [
        {"hook": hook, "variable": there, "state": None if there else kept}
        for (hook, there), (_, kept) in zip(outside, synced, strict=True)
    ]
    return {"rows": rows}


def draw(picture: Picture, values: dict) -> None:
    """Time runs downwards; the variable and the tuple stand in two lanes."""
    label, wide, between = (152, 86, 26) if picture.narrow else (236, 132, 92)
    row, head = 52, 58
    rows = values["rows"]
    right = label + wide + between
    height = head + row * len(rows) + 4
    picture.lane(label, 0, wide, height)
    picture.lane(right, 0, wide, height, deep=True)
    for x, words in ((label, MODEL), (right, TUPLE)):
        picture.text(x + wide / 2, 22, words, "strong small", "middle")
    boxes = []
    for place, said in enumerate(rows):
        y = head + row * place
        picture.text(0, y + 23, said["hook"], "small")
        left = said["variable"] is not None
        x = label + wide / 2 - 31
        mine = picture.box(
            x, y, 62, 36, said["variable"] or "None", "state" if left else "plain",
            "strong" if left else "muted",
        )  # fmt: skip
        theirs = None
        if said["state"]:
            theirs = picture.box(
                right + wide / 2 - 31,
                y,
                62,
                36,
                said["state"],
                "data",
                "strong",
            )
        boxes.append((mine, theirs))
    steps(picture, boxes)
    first = next(n for n, (_, theirs) in enumerate(boxes) if theirs)
    last = max(n for n, (_, theirs) in enumerate(boxes) if theirs)
    cross(picture, boxes[first - 1][0].right, boxes[first][1], OUT, "data")
    cross(picture, boxes[last][1].left, boxes[last + 1][0], BACK, "back")


def steps(picture: Picture, boxes: list) -> None:
    """An arrow down wherever the next row of the tuple has another value or follows."""
    for (_, upper), (_, lower) in pairwise(boxes):
        if upper and lower:
            start, end = upper.bottom, lower.top
            picture.arrow(
                (start[0], start[1] + 1), (end[0], end[1] - 1), kind="data"
            )


def cross(picture: Picture, start: tuple, box, words: dict, kind: str) -> None:
    """An arrow from one lane to the other, and on a desk a word above it."""
    side = box.left if start[0] < box.x else box.right
    away = -2 if start[0] < box.x else 2
    begin = (start[0] - away, start[1])
    end = (side[0] + away, side[1])
    picture.arrow(begin, end, kind=kind)
    if not picture.narrow:
        middle = (begin[0] + end[0]) / 2
        picture.text(
            middle, min(begin[1], end[1]) - 2, words, f"{kind} strong small" if kind == "back" else "small",
            "middle",
        )  # fmt: skip
