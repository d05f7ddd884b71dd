"""A write after the first of two batches, through a name and through self.model: which is kept."""

from workshop.picture import Picture

MODEL = {"ko": "변수", "en": "variable"}
TUPLE = {"ko": "튜플", "en": "tuple"}
SYNC = {"ko": "동기화", "en": "sync"}
MOMENTS = [
    {"ko": "스텝이\n끝남", "en": "the step\nis done"},
    {"ko": "콜백이\n7을 씀", "en": "the callback\nwrites 7"},
    {"ko": "다음\n스텝의\n입력", "en": "the next\nstep takes"},
]
WAYS = {"name": "model.set_weights", "self": "self.model.set_weights"}


def values() -> dict:
    """Fit one weight at rate 0.1 over two batches; note what the second step starts from."""
    import os

    os.environ["KERAS_BACKEND"] = "jax"
    import keras
    import numpy as np

    def one(way: str) -> dict:
        layer = keras.layers.Dense(
            1, use_bias=False, kernel_initializer="ones"
        )
        model = keras.Sequential([keras.Input((1,)), layer])
        model.compile(optimizer=keras.optimizers.SGD(0.1), loss="mse")
        found = {}

        class Writes(keras.callbacks.Callback):
            def on_train_batch_end(self, batch, logs=None):
                if batch == 0:
                    through = self.model if way == "self" else model
                    found["before"] = "value=" in repr(layer.kernel)
                    through.set_weights([np.full((1, 1), 7.0)])
                    found["variable"] = float(layer.kernel.numpy()[0, 0])

        x = np.ones((2, 1), "float32")
        model.fit(x, 0 * x, batch_size=1, verbose=0, callbacks=[Writes()])
        end = float(model.get_weights()[0][0, 0])
        # one step multiplies the weight by 0.8, so the end tells its start
        return found | {"start": f"{end / 0.8:.1f}"}

    ways = {way: one(way) for way in WAYS}
    step = f"{1 * 0.8:.1f}"
    return {"step": step, "ways": ways}


def draw(picture: Picture, values: dict) -> None:
    """Each way is a panel: across on a desk, one below the other on a phone."""
    for place, (way, name) in enumerate(WAYS.items()):
        x, y = (0, place * 322) if picture.narrow else (place * 362, 0)
        panel(picture, x, y, name, values["step"], values["ways"][way])


def panel(
    picture: Picture, x: float, y: float, name: str, step: str, run: dict
) -> None:
    """Three moments downwards; the variable and the tuple stand in two lanes."""
    label, wide, between, row, head = 82, 76, 92, 76, 66
    first, second = x + label, x + label + wide + between
    picture.text(first, y + 16, name, "strong small")
    picture.lane(first, y + 28, wide, head + row * 3 - 30)
    picture.lane(second, y + 28, wide, head + row * 3 - 30, deep=True)
    for left, words in ((first, MODEL), (second, TUPLE)):
        picture.text(left + wide / 2, y + 50, words, "strong small", "middle")
    kept = run["start"] == f"{run['variable']:.1f}"
    written = f"{run['variable']:.0f}"
    for place, words in enumerate(MOMENTS):
        picture.text(x, y + head + row * place + 16, words, "small")
    at = lambda left, place: (
        left + wide / 2 - 28,
        y + head + row * place,
        56,
        36,
    )
    after = picture.box(*at(second, 0), step, "data", "strong")
    none = picture.box(*at(first, 0), "None", "plain", "muted")
    kind = "state" if kept else "lost"
    wrote = picture.box(*at(first, 1), written, kind, "strong")
    if kept:
        picture.arrow(
            (after.x - 2, after.left[1]),
            (none.right[0] + 2, none.right[1]),
            kind="back",
        )
        middle = (after.x + none.right[0]) / 2
        picture.text(middle, after.y + 8, SYNC, "back strong small", "middle")
    start = run["start"].removesuffix(".0")
    takes = picture.box(*at(second, 2), start, "data", "strong")
    if kept:
        picture.arrow(
            (wrote.right[0] + 2, wrote.right[1]),
            (takes.x - 2, takes.left[1]),
            kind="data",
        )
    else:
        picture.arrow(
            (after.bottom[0], after.bottom[1] + 2),
            (takes.top[0], takes.y - 2),
            kind="data",
        )
