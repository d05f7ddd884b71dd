"""A trained weight written back to a variable without a copy and with one, and what predict leaves."""

from workshop.picture import Picture

WAYS = {"same": "assign(array)", "copy": "assign(jnp.copy(array))"}
HOLDERS = {
    "state": {"ko": "상태", "en": "state"},
    "variable": {"ko": "변수", "en": "variable"},
}
TIMES = [
    {"ko": "반영 전", "en": "before"},
    {"ko": "반영 후", "en": "written back"},
    {"ko": "`predict` 뒤", "en": "after `predict`"},
]
ARRAYS = {
    "same": {"ko": "배열 하나", "en": "one array"},
    "copy": {"ko": "배열 둘", "en": "two arrays"},
}


def values() -> dict:
    """Train one weight for a step outside the model, write it back in two ways, and predict."""
    import os

    os.environ["KERAS_BACKEND"] = "jax"
    import jax.numpy as jnp
    import keras
    import numpy as np

    def shown(array) -> str:
        return f"{float(array[0, 0]):.2f}"

    runs = {}
    for way in WAYS:
        dense = keras.layers.Dense(
            1, use_bias=False, kernel_initializer="ones"
        )
        model = keras.Sequential([keras.Input((1,)), dense])
        variable = model.trainable_variables[0]
        optimizer = keras.optimizers.SGD(0.1)
        optimizer.build(model.trainable_variables)
        (array,), _ = optimizer.stateless_apply(
            optimizer_variables=[
                jnp.copy(v.value) for v in optimizer.variables
            ],
            grads=[jnp.ones((1, 1))],
            trainable_variables=[jnp.copy(variable.value)],
        )
        states, variables = [shown(array)], [shown(variable.value)]
        variable.assign(array if way == "same" else jnp.copy(array))
        states.append(shown(array))
        variables.append(shown(variable.value))
        model.predict(np.ones((4, 1), "float32"), verbose=0)
        deleted = array.is_deleted()
        states.append(states[-1] if deleted else shown(array))
        variables.append(shown(variable.value))
        runs[way] = {
            "state": states,
            "variable": variables,
            "deleted": deleted,
        }
    return runs


def draw(picture: Picture, values: dict) -> None:
    """Time runs to the right on a desk, downwards on a phone."""
    (down if picture.narrow else across)(picture, values)


def across(picture: Picture, values: dict) -> None:
    """Time runs to the right; in each block the state's row and the variable's row."""
    wide, high, first, pitch = 92, 38, 130, 206
    for place, words in enumerate(TIMES):
        middle = first + pitch * place + wide / 2
        picture.text(middle, 16, words, "small strong", "middle")
    top = 44
    for way, run in values.items():
        picture.text(0, top, WAYS[way], "strong")
        rows = {"state": top + 14, "variable": top + 78}
        if way == "same":
            picture.lane(first + pitch - 8, top + 6, wide + 16, 118, deep=True)
        middle = first + pitch + wide / 2
        picture.text(middle, top + 69, ARRAYS[way], "small", "middle")
        for holder, y in rows.items():
            picture.text(16, y + 24, HOLDERS[holder], "small")
            for place, number in enumerate(run[holder]):
                gone = holder == "state" and place == 2 and run["deleted"]
                kind = "lost" if gone else "state"
                if holder == "variable":
                    kind = "back" if place else "plain"
                x = first + pitch * place
                picture.box(x, y, wide, high, number, kind, "strong")
        start = (first + wide + 2, rows["state"] + 26)
        end = (first + pitch - 3, rows["variable"] + 12)
        picture.arrow(start, end, kind="back")
        top += 154


def down(picture: Picture, values: dict) -> None:
    """Blocks below one another, the state and the variable as columns."""
    wide, high, top = 84, 36, 16
    columns = {"state": 130, "variable": 262}
    for way, run in values.items():
        picture.text(0, top, WAYS[way], "strong")
        for holder, x in columns.items():
            picture.text(
                x + wide / 2,
                top + 26,
                HOLDERS[holder],
                "small muted",
                "middle",
            )
        shared = top + 38 + 60
        if way == "same":
            picture.lane(124, shared - 6, 228, 64, deep=True)
        picture.text(238, shared + 52, ARRAYS[way], "small", "middle")
        for place, words in enumerate(TIMES):
            y = top + 38 + (0, 60, 140)[place]
            picture.text(0, y + 23, words, "small")
            for holder, x in columns.items():
                gone = holder == "state" and place == 2 and run["deleted"]
                kind = "lost" if gone else "state"
                if holder == "variable":
                    kind = "back" if place else "plain"
                picture.box(
                    x, y, wide, high, run[holder][place], kind, "strong"
                )
        y = top + 38
        end = (columns["variable"] - 3, y + 60 + 14)
        picture.arrow(
            (columns["state"] + wide - 6, y + high + 2), end, kind="back"
        )
        top += 270
