"""A moving mean over three calls of three steps: training left out, the new list dropped, kept."""

from workshop.picture import Picture, said

WAYS = {
    "forgotten": {"ko": "`training`을\n빠뜨림", "en": "`training`\nleft out"},
    "dropped": {"ko": "새 리스트를\n버림", "en": "new list\ndropped"},
    "kept": {"ko": "새 리스트를\n넘김", "en": "new list\nkept"},
}


def values() -> dict:
    """Call a BatchNormalization three times on a batch of mean 2, in three ways."""
    import os

    os.environ["KERAS_BACKEND"] = "jax"
    import jax
    import keras
    import numpy as np

    model = keras.Sequential(
        [keras.Input((1,)), keras.layers.BatchNormalization(momentum=0.9)]
    )
    x = np.array([[0.0], [2.0], [4.0]], "float32")
    params = [v.value for v in model.trainable_variables]

    def calls(mode: dict, keep: bool) -> dict:
        pure = jax.jit(lambda p, n: model.stateless_call(p, n, x, **mode)[1])
        rest = [v.value for v in model.non_trainable_variables]
        states, made = [rest], []
        for _ in range(3):
            made.append(pure(params, rest))
            rest = made[-1] if keep else rest
            states.append(rest)
        shown = lambda lists: [f"{float(rest[0][0]):.2f}" for rest in lists]
        return {"states": shown(states), "made": shown(made)}

    train = {"training": True}
    return {
        "forgotten": calls({}, True),
        "dropped": calls(train, False),
        "kept": calls(train, True),
    }


def draw(picture: Picture, values: dict) -> None:
    """Time runs to the right on a desk, downwards on a phone."""
    (down if picture.narrow else across)(picture, values)


def across(picture: Picture, values: dict) -> None:
    """One row for each way; a call's lane spans the three rows."""
    first, pitch, lane, wide, high = 118, 167, 82, 62, 36
    tops = {"forgotten": 40, "dropped": 104, "kept": 214}
    for place in range(3):
        x = first + wide + 12 + pitch * place
        picture.lane(x, 0, lane, 262, deep=True)
        words = said("call", number=place + 1)
        picture.text(x + lane / 2, 22, words, "small strong", "middle")
    for way, run in values.items():
        y = tops[way]
        middle = y + high / 2
        picture.text(0, y + 14, WAYS[way], "small")
        for place, state in enumerate(run["states"]):
            x = first + pitch * place
            picture.box(x, y, wide, high, state, "state", "strong")
            if place:
                start, end = x - pitch + wide + 2, x - 2
                picture.arrow((start, middle), (end, middle), kind="state")
                made = run["made"][place - 1]
                if made != state:
                    center = (start + end) / 2
                    lost = (center - 31, y + 42, 62, 34)
                    picture.box(*lost, made, "lost", "strong")


def down(picture: Picture, values: dict) -> None:
    """One column for each way; a call's lane spans the three columns."""
    column, first, pitch, lane, wide, high = 119, 46, 146, 88, 58, 34
    for place in range(3):
        y = first + high + 12 + pitch * place
        picture.lane(0, y, 358, lane, deep=True)
    for number, (way, run) in enumerate(values.items()):
        x = number * column + 60
        picture.text(x, 16, WAYS[way], "small strong", "middle")
        left = x - 30 if way == "dropped" else x
        for place, state in enumerate(run["states"]):
            y = first + pitch * place
            picture.box(left - 29, y, wide, high, state, "state", "strong")
            if place:
                start, end = y - pitch + high + 2, y - 2
                picture.arrow((left, start), (left, end), kind="state")
                made = run["made"][place - 1]
                if made != state:
                    lost = (x + 8, (start + end) / 2 - 20, 50, 32)
                    picture.box(*lost, made, "lost", "strong")
    for place in range(3):
        y = first + high + 12 + pitch * place
        words = said("call", number=place + 1)
        picture.text(8, y + 20, words, "small muted")
