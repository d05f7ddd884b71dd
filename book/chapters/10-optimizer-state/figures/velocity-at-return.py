"""Three calls of the step: the velocity with tx.init inside it, and with opt_state in and out."""

from workshop.picture import Picture, fill, said

INSIDE = {
    "ko": "`tx.init`을 스텝 안에서 호출",
    "en": "`tx.init` inside the step",
}
CARRIED = {"ko": "`opt_state`를 받아 반환", "en": "`opt_state` in and out"}
NARROW_INSIDE = {
    "ko": "`tx.init`을\n스텝 안에서 호출",
    "en": "`tx.init`\ninside the step",
}
NARROW_CARRIED = {
    "ko": "`opt_state`를\n받아 반환",
    "en": "`opt_state`\nin and out",
}
GRADIENT = {"ko": "기울기 `{value}`", "en": "gradient `{value}`"}
UPDATE = {"ko": "변화량 `{value}`", "en": "update `{value}`"}


def values() -> dict:
    """Run the opening's step and the fixed one; note the first slope's numbers."""
    import jax
    import jax.numpy as jnp
    import optax

    x = jnp.array([[1.0, 7.0], [1.0, -7.0], [-1.0, 7.0], [-1.0, -7.0]])
    y = x @ jnp.array([3.0, -1.0])
    tx = optax.sgd(0.03, momentum=0.9)

    @jax.jit
    def step(params, opt_state):
        grads = jax.grad(lambda p: jnp.mean((x @ p - y) ** 2) / 2)(params)
        updates, opt_state = tx.update(grads, opt_state, params)
        params = optax.apply_updates(params, updates)
        return params, opt_state, grads, updates

    def calls(carried: bool) -> list:
        params = jnp.zeros(2)
        opt_state, found = tx.init(params), []
        for _ in range(3):
            given = opt_state if carried else tx.init(params)
            params, opt_state, grads, updates = step(params, given)
            start, end = given[0].trace[0], opt_state[0].trace[0]
            found.append(
                {
                    "start": f"{start:.2f}" if start else "0",
                    "gradient": f"{grads[0]:.2f}",
                    "end": f"{end:.2f}",
                    "update": f"{updates[0]:.3f}",
                }
            )
        return found

    return {"inside": calls(False), "carried": calls(True)}


def draw(picture: Picture, values: dict) -> None:
    """The two ways stand below each other on a desk, side by side on a phone."""
    (down if picture.narrow else across)(picture, values)


def across(picture: Picture, values: dict) -> None:
    """For a desk: time runs to the right; state stands between the calls."""
    picture.text(0, 18, INSIDE, "strong")
    for place, call in enumerate(values["inside"]):
        x = place * 232
        picture.lane(x, 32, 216, 138, deep=True)
        middle = x + 108
        heads(picture, middle, 54, place, call)
        first = picture.box(
            x + 16, 84, 62, 36, call["start"], "trace", "strong"
        )
        second = picture.box(
            x + 130, 84, 70, 36, call["end"], "lost", "strong"
        )
        picture.arrow(
            (first.right[0] + 2, 102), (second.x - 2, 102), kind="trace"
        )
        picture.text(
            middle, 160, fill(UPDATE, value=call["update"]), "small", "middle"
        )
    picture.text(0, 212, CARRIED, "strong")
    wide, gap, lane = 58, 12, 127
    state = picture.box(
        1, 268, wide, 40, values["carried"][0]["start"], "state", "strong"
    )
    for place, call in enumerate(values["carried"]):
        x = state.right[0] + gap
        picture.lane(x, 228, lane, 122, deep=True)
        middle = x + lane / 2
        heads(picture, middle, 250, place, call)
        words = fill(UPDATE, value=call["update"])
        picture.text(middle, 340, words, "small", "middle")
        change = picture.box(
            middle - 40, 274, 80, 28, "tx.update", "plain", "small"
        )
        after = x + lane + gap
        picture.arrow(
            (state.right[0] + 2, 288), (change.x - 2, 288), kind="state"
        )
        picture.arrow(
            (change.right[0] + 2, 288), (after - 2, 288), kind="back"
        )
        state = picture.box(
            after, 268, wide, 40, call["end"], "state", "strong"
        )


def down(picture: Picture, values: dict) -> None:
    """For a phone: time runs downwards."""
    wide, row, right = 172, 164, 186
    picture.text(wide / 2, 16, NARROW_INSIDE, "strong small", "middle")
    picture.text(
        right + wide / 2, 16, NARROW_CARRIED, "strong small", "middle"
    )
    top = 50
    middle = right + wide / 2
    state = picture.box(
        middle - 35,
        top,
        70,
        34,
        values["carried"][0]["start"],
        "state",
        "strong",
    )
    for place, (lost, kept) in enumerate(
        zip(values["inside"], values["carried"], strict=True)
    ):
        y = top + 54 + row * place
        picture.lane(0, y, wide, 132, deep=True)
        heads(picture, wide / 2, y + 20, place, lost)
        first = picture.box(
            8, y + 50, 50, 32, lost["start"], "trace", "strong"
        )
        second = picture.box(96, y + 50, 68, 32, lost["end"], "lost", "strong")
        picture.arrow(
            (first.right[0] + 2, y + 66), (second.x - 2, y + 66), kind="trace"
        )
        picture.text(
            wide / 2,
            y + 122,
            fill(UPDATE, value=lost["update"]),
            "small",
            "middle",
        )
        picture.lane(right, y, wide, 76, deep=True)
        heads(picture, middle, y + 20, place, kept)
        picture.text(
            middle,
            y + 64,
            fill(UPDATE, value=kept["update"]),
            "small",
            "middle",
        )
        picture.arrow(
            (middle, state.bottom[1] + 1), (middle, y - 1), kind="state"
        )
        after = y + 76 + 20
        picture.arrow((middle, y + 77), (middle, after - 1), kind="back")
        state = picture.box(
            middle - 35, after, 70, 34, kept["end"], "state", "strong"
        )


def heads(
    picture: Picture, middle: float, y: float, place: int, call: dict
) -> None:
    """Which call it is, and its gradient."""
    picture.text(
        middle, y, said("call", number=place + 1), "small strong", "middle"
    )
    picture.text(
        middle,
        y + 19,
        fill(GRADIENT, value=call["gradient"]),
        "small",
        "middle",
    )
