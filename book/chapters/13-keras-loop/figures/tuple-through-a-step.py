"""The state tuple through one training step, and the variables of the objects beside it."""

from workshop.picture import Picture

MADE_BY = {
    "params": "stateless_apply",
    "non_trainable": "stateless_call",
    "opt_state": "stateless_apply",
}
UNCHANGED = {"ko": "그대로", "en": "unchanged"}
OBJECTS = {"ko": "객체의\n변수", "en": "objects'\nvariables"}


def values() -> dict:
    """One step of a small model; a value or two of each list, before, after, and in the objects."""
    import os

    os.environ["KERAS_BACKEND"] = "jax"
    import jax
    import jax.numpy as jnp
    import keras
    import numpy as np

    layers = keras.layers
    model = keras.Sequential(
        [
            keras.Input((1,)),
            layers.BatchNormalization(momentum=0.9),
            layers.Dropout(0.2, seed=1),
            layers.Dense(1, use_bias=False, kernel_initializer="ones"),
        ]
    )
    optimizer = keras.optimizers.Adam(0.1)
    optimizer.build(model.trainable_variables)
    x = np.array([[0.0], [2.0], [4.0]], "float32")

    @jax.jit
    def step(params, rest, opt_state):
        def compute_loss(params, rest):
            out, rest = model.stateless_call(params, rest, x, training=True)
            return jnp.mean(out**2), rest

        grad = jax.value_and_grad(compute_loss, has_aux=True)
        (_, rest), grads = grad(params, rest)
        params, opt_state = optimizer.stateless_apply(opt_state, grads, params)
        return params, rest, opt_state

    def shown(state) -> dict:
        params, rest, opt_state = state
        return {
            "kernel": f"{float(params[2][0, 0]):.2f}",
            "moving_mean": f"{float(rest[0][0]):.2f}",
            "seed[1]": f"{int(rest[2][1])}",
            "iteration": f"{int(opt_state[0])}",
        }

    def of_objects() -> tuple:
        lists = (
            model.trainable_variables,
            model.non_trainable_variables,
            optimizer.variables,
        )
        return tuple([jnp.copy(v.value) for v in vs] for vs in lists)

    state = of_objects()
    after = step(*state)
    rows = [shown(state), shown(after), shown(of_objects())]
    places = {
        "params": ["kernel"],
        "non_trainable": ["moving_mean", "seed[1]"],
        "opt_state": ["iteration"],
    }
    return {"places": places, "rows": rows}


def draw(picture: Picture, values: dict) -> None:
    """Each list is a block of rows: the tuple before, the step, the tuple after, the objects."""
    narrow = picture.narrow
    old_x, new_x, object_x = (98, 212, 290) if narrow else (150, 470, 616)
    lane_x, lane_wide = (162, 42) if narrow else (232, 212)
    wide, high, row, head = (58, 34, 44, 58) if narrow else (70, 36, 48, 58)
    before, after, objects = values["rows"]
    blocks = {}
    y = head
    for name, shown in values["places"].items():
        blocks[name] = y
        y += 30 + row * len(shown)
    picture.lane(lane_x, 30, lane_wide, y - 30, deep=True)
    for x, text in ((old_x, "state"), (new_x, "new_state")):
        picture.text(x + wide / 2, 20, text, "strong small", "middle")
    picture.text(lane_x + lane_wide / 2, 20, "step", "strong small", "middle")
    picture.text(object_x + wide / 2, 20, OBJECTS, "strong small", "middle")
    if objects == before:
        middle = object_x + wide / 2
        picture.text(middle, y + 8, UNCHANGED, "small", "middle")
    for name, top in blocks.items():
        picture.text(0, top + 12, name, "strong small")
        for place, value in enumerate(values["places"][name]):
            at = top + 20 + row * place
            middle = at + high / 2
            picture.text(0, middle + 5, value, "small")
            old = picture.box(old_x, at, wide, high, before[value], "state")
            new = picture.box(
                new_x, at, wide, high, after[value], "state", "strong"
            )
            kept = objects[value] == before[value]
            kind = "plain" if kept else "back"
            picture.box(
                object_x, at, wide, high, objects[value], kind, "muted"
            )
            start, end = (old.right[0] + 2, middle), (new.x - 2, middle)
            if narrow:
                picture.arrow(start, end, kind="state")
                continue
            by = lane_x + lane_wide / 2
            box = picture.box(
                by - 76, at + 3, 152, high - 6, MADE_BY[name], look="small"
            )
            picture.arrow(start, (box.x - 2, middle), kind="state")
            picture.arrow((box.right[0] + 2, middle), end, kind="state")
