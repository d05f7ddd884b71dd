"""Where a trained model's weights are after fit, evaluate or predict failed at a batch."""

from workshop.picture import Picture

CALLS = ["fit", "evaluate", "predict"]
AT = {
    "first": {"ko": "첫 배치에서 오류", "en": "error in batch 1"},
    "later": {"ko": "셋째 배치에서 오류", "en": "error in batch 3"},
}
WHERE = {
    "model": {"ko": "모델 안", "en": "in the model"},
    "sync": {
        "ko": "`jax_state_sync`\n뒤 모델 안",
        "en": "in the model after\n`jax_state_sync`",
    },
    "gone": "None",
}
KINDS = {"model": "state", "sync": "back", "gone": "lost"}


def values() -> dict:
    """Break each call of a trained model at its first batch and at its third."""
    import os

    os.environ["KERAS_BACKEND"] = "jax"
    import keras
    import numpy as np

    x, y = np.ones((8, 4), "float32"), np.ones((8, 1), "float32")

    def place_of(call: str, bad: int) -> str:
        layer = keras.layers.Dense(1)
        model = keras.Sequential([keras.Input((4,)), layer])
        model.compile(optimizer="sgd", loss="mse")
        model.fit(x, y, verbose=0)

        def batches():
            for number in range(4):
                yield x[:, : 3 if number == bad else 4], y

        try:
            getattr(model, call)(batches(), verbose=0)
        except ValueError:
            pass
        if "value=" in repr(layer.kernel):
            return "model"
        model.jax_state_sync()
        return "sync" if "value=" in repr(layer.kernel) else "gone"

    return {
        call: {"first": place_of(call, 0), "later": place_of(call, 2)}
        for call in CALLS
    }


def draw(picture: Picture, values: dict) -> None:
    """A row a call, a column a moment."""
    label, wide = (72, 143) if picture.narrow else (140, 230)
    box = wide - 12 if picture.narrow else 190
    row, head = 78, 44
    for place, words in enumerate(AT.values()):
        picture.text(
            label + wide * (place + 0.5), 20, words, "strong small", "middle"
        )
    for number, (call, found) in enumerate(values.items()):
        y = head + row * number
        picture.text(0, y + 28, call, "strong")
        for place, moment in enumerate(AT):
            where = found[moment]
            x = label + wide * (place + 0.5) - box / 2
            picture.box(x, y, box, 46, WHERE[where], KINDS[where], "small")
