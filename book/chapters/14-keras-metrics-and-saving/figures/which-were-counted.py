"""A metric after training, and two evaluations of four images: without a reset, and with one."""

from workshop.picture import Picture

WAYS = {
    "kept": {"ko": "비우지 않음", "en": "no reset"},
    "fresh": {"ko": "비움", "en": "reset"},
}
HEADS = [
    {"ko": "학습 뒤", "en": "after training"},
    {"ko": "평가의 시작", "en": "evaluation starts"},
    {"ko": "평가 뒤", "en": "after evaluation"},
]
TRAINING = {"ko": "학습 이미지 8장", "en": "8 training images"}
EVALUATION = {"ko": "검증 이미지\n4장", "en": "4 validation\nimages"}
SHORT = {"ko": "검증 이미지 4장", "en": "4 validation images"}


def values() -> dict:
    """Count 8 training images, 3 of them right, then 4 validation images, 3 of them right."""
    import os

    os.environ["KERAS_BACKEND"] = "jax"
    import jax
    import keras
    import numpy as np

    metric = keras.metrics.SparseCategoricalAccuracy()
    update = jax.jit(metric.stateless_update_state)

    def counted(metrics: list, right: list[int]) -> list:
        """Update with images that are right (1) or wrong (0)."""
        return update(
            metrics,
            np.zeros(len(right), "int32"),
            np.eye(2)[1 - np.array(right)],
        )

    def shown(metrics: list) -> str:
        return "{:.0f}/{:.0f}".format(*map(float, metrics))

    def result(metrics: list) -> str:
        return f"{float(metric.stateless_result(metrics)):.2f}"

    trained = metric.stateless_reset_state()
    for batch in ([1, 0, 0, 0], [0, 1, 0, 1]):
        trained = counted(trained, batch)
    runs = {}
    for way, begin in {
        "kept": trained,
        "fresh": metric.stateless_reset_state(),
    }.items():
        end = counted(begin, [1, 1, 0, 1])
        runs[way] = {
            "trained": shown(trained),
            "begin": shown(begin),
            "end": shown(end),
            "accuracy": result(end),
        }
    return runs


def draw(picture: Picture, values: dict) -> None:
    """Time runs to the right on a desk, downwards on a phone."""
    (down if picture.narrow else across)(picture, values)


def across(picture: Picture, values: dict) -> None:
    """One row for each way; the evaluation's lane spans both."""
    wide, high = 96, 40
    first, second, lane, third = 96, 256, 380, 516
    picture.lane(lane, 0, 106, 166, deep=True)
    picture.text(lane + 53, 22, EVALUATION, "small strong", "middle")
    for x, words in zip((first, second, third), HEADS, strict=True):
        picture.text(x + wide / 2, 22, words, "small strong", "middle")
    for y, (way, run) in zip((54, 116), values.items(), strict=True):
        middle = y + high / 2
        picture.text(0, middle + 5, WAYS[way], "small strong")
        picture.box(first, y, wide, high, run["trained"], "state", "strong")
        picture.box(second, y, wide, high, run["begin"], "state", "strong")
        if way == "kept":
            picture.arrow(
                (first + wide + 2, middle), (second - 2, middle), kind="state"
            )
        picture.arrow(
            (second + wide + 2, middle), (third - 2, middle), kind="state"
        )
        picture.box(third, y, wide, high, run["end"], "state", "strong")
        picture.text(
            third + wide + 12, middle + 5, "= " + run["accuracy"], "strong"
        )


def down(picture: Picture, values: dict) -> None:
    """One column for each way; the evaluation's lane spans both."""
    wide, high, column = 96, 38, 179
    tops = (34, 118, 260)
    picture.lane(0, 166, 358, 84, deep=True)
    picture.text(179, 192, SHORT, "small strong", "middle")
    for y, words in zip(tops, HEADS, strict=True):
        in_two = {
            code: text.replace(" ", "\n") for code, text in words.items()
        }
        picture.text(179, y + 15, in_two, "small muted", "middle")
    for place, (way, run) in enumerate(values.items()):
        center = column * place + 90
        left = center - wide / 2
        picture.text(center, 16, WAYS[way], "strong", "middle")
        boxes = [
            picture.box(left, y, wide, high, run[what], "state", "strong")
            for y, what in zip(tops, ("trained", "begin", "end"), strict=True)
        ]
        if way == "kept":
            picture.arrow(
                (center, boxes[0].bottom[1] + 2),
                (center, boxes[1].y - 2),
                kind="state",
            )
        picture.arrow(
            (center, boxes[1].bottom[1] + 2),
            (center, boxes[2].y - 2),
            kind="state",
        )
        picture.text(center, 322, "= " + run["accuracy"], "strong", "middle")
