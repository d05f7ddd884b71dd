"""One call of a step: state and data in, new state and output out, and the way back."""

from workshop.picture import Picture, said

CALLER = {
    "ko": "호출하는 쪽: 새 상태를 다음 호출에 넘김",
    "en": "the caller passes it to the next call",
}
CALLER_NARROW = {
    "ko": "호출하는 쪽이\n다음 호출에\n넘김",
    "en": "the caller\npasses it to\nthe next call",
}


def values() -> dict:
    """Run the second call of the chapter's step and note what goes in and comes out."""
    from typing import NamedTuple

    import jax
    import jax.numpy as jnp

    class MeanState(NamedTuple):
        total: jax.Array
        count: jax.Array

    @jax.jit
    def step(state, data):
        new_state = MeanState(state.total + data, state.count + 1)
        return new_state, new_state.total / new_state.count

    def shown(state):
        return {"total": float(state.total), "count": int(state.count)}

    state, _ = step(MeanState(jnp.float32(0), jnp.int32(0)), jnp.float32(4))
    new_state, output = step(state, jnp.float32(2))
    return {
        "state": shown(state),
        "data": 2.0,
        "new_state": shown(new_state),
        "output": float(output),
    }


def draw(picture: Picture, values: dict) -> None:
    """The step in the middle; state on one side of it, data on the other."""
    state, new_state = (
        f"total {values[name]['total']}\ncount {values[name]['count']}"
        for name in ("state", "new_state")
    )
    data, output = str(values["data"]), str(values["output"])
    (down if picture.narrow else across)(
        picture, state, new_state, data, output
    )


def across(
    picture: Picture, state: str, new_state: str, data: str, output: str
) -> None:
    """For a desk: from one side to the other, and the way back below."""
    picture.text(107, 18, "state", "state strong", "middle")
    before = picture.box(36, 28, 142, 56, state, "state")
    picture.text(107, 118, "data", "muted strong", "middle")
    given = picture.box(36, 128, 142, 38, data, "data")
    picture.lane(254, 28, 180, 138, deep=True)
    picture.box(284, 72, 120, 50, "step", "plain", "strong large")
    picture.text(344, 149, said("program"), "small muted", "middle")
    picture.text(581, 18, "new_state", "back strong", "middle")
    after = picture.box(510, 28, 142, 56, new_state, "back")
    picture.text(581, 118, "output", "muted strong", "middle")
    answer = picture.box(510, 128, 142, 38, output, "data")
    picture.arrow(before.right, (228, 56), (228, 88), (282, 88), kind="state")
    picture.arrow(given.right, (228, 147), (228, 106), (282, 106), kind="data")
    picture.arrow((405, 88), (468, 88), (468, 56), (508, 56), kind="back")
    picture.arrow(
        (405, 106), (468, 106), (468, 147), (answer.x - 2, 147), kind="data"
    )
    way = [(674, 56), (674, 196), (8, 196), (8, 56), (34, 56)]
    picture.arrow(after.right, *way, kind="back")
    picture.text(344, 220, CALLER, "back", "middle")


def down(
    picture: Picture, state: str, new_state: str, data: str, output: str
) -> None:
    """For a phone: from top to bottom, and the way back beside it."""
    picture.text(54, 16, "data", "muted strong", "middle")
    given = picture.box(4, 26, 100, 52, data, "data")
    picture.text(174, 16, "state", "state strong", "middle")
    before = picture.box(118, 26, 112, 52, state, "state")
    picture.lane(4, 108, 226, 106, deep=True)
    picture.box(24, 120, 186, 46, "step", "plain", "strong large")
    words = {k: w.replace(" ", "\n") for k, w in said("program").items()}
    picture.text(114, 185, words, "small muted", "middle")
    answer = picture.box(4, 244, 100, 52, output, "data")
    picture.text(54, 316, "output", "muted strong", "middle")
    after = picture.box(118, 244, 112, 52, new_state, "back")
    picture.text(174, 316, "new_state", "back strong", "middle")
    for box, kind in ((given, "data"), (before, "state")):
        x = box.bottom[0]
        picture.arrow((x, 79), (x, 118), kind=kind)
    for box, kind in ((answer, "data"), (after, "back")):
        x = box.top[0]
        picture.arrow((x, 167), (x, 242), kind=kind)
    way = [(258, 270), (258, 52), (232, 52)]
    picture.arrow(after.right, *way, kind="back")
    picture.text(312, 148, CALLER_NARROW, "back small", "middle")
