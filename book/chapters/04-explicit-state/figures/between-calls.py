"""Three losses in a Python loop over a jitted step and in scan: where the states are."""

import itertools

from workshop.picture import Box, Picture, said

LOOP = {"ko": "파이썬 루프", "en": "Python loop"}
SCAN = {"ko": "`lax.scan`", "en": "`lax.scan`"}


def values() -> dict:
    """Note the state before, between and after the iterations, in Python and in the program."""
    import jax
    import jax.numpy as jnp

    def watch(state, loss):
        best, waited = state
        better = loss < best
        best = jnp.where(better, loss, best)
        waited = jnp.where(better, 0, waited + 1)
        return (best, waited), waited >= 3

    def watch_and_show(state, loss):
        new_state, _ = watch(state, loss)
        return new_state, new_state

    def shown(best, waited) -> str:
        return f"{float(best):.1f}, {int(waited)}"

    losses = jnp.array([0.3, 0.4, 0.6])
    start = (jnp.float32(jnp.inf), jnp.int32(0))
    state, in_python = start, [shown(*start)]
    for loss in losses:
        state, _ = jax.jit(watch)(state, loss)
        in_python.append(shown(*state))
    _, states = jax.lax.scan(watch_and_show, start, losses)
    in_program = [shown(*start)]
    in_program += [shown(*each) for each in zip(*states, strict=True)]
    return {"loop": in_python, "scan": in_program}


def draw(picture: Picture, values: dict) -> None:
    """A panel a loop: time runs to the right on a desk and downwards on a phone."""
    top = 0
    for name, states in values.items():
        panel = down if picture.narrow else across
        words = LOOP if name == "loop" else SCAN
        top = panel(picture, top, words, states, name == "scan") + 16


def across(
    picture: Picture, top: float, words: dict, states: list[str], scan: bool
) -> float:
    """For a desk: Python's lane, and below it the program's."""
    picture.lane(0, top, 688, 72)
    picture.lane(0, top + 78, 688, 66, deep=True)
    picture.text(16, top + 30, words, "strong")
    picture.text(16, top + 50, said("python"), "small muted")
    picture.text(16, top + 115, said("program"), "small muted")
    boxes = []
    for place, state in enumerate(states):
        inside = scan and 0 < place < len(states) - 1
        y = top + (93 if inside else 22)
        kind = "data" if inside else "state"
        boxes.append(
            picture.box(160 + 147 * place, y, 68, 34, state, kind, "small")
        )
    for before, after in itertools.pairwise(boxes):
        middle = (before.right[0] + after.x) / 2
        step = picture.box(
            middle - 24, top + 93, 48, 34, "step", "plain", "small"
        )
        into(picture, before, step)
        out_of(picture, step, after)
    return top + 144


def into(picture: Picture, state: Box, step: Box) -> None:
    """An arrow from a state to the step, straight or from the lane above."""
    if state.y == step.y:
        picture.arrow(state.right, step.left, kind="data")
        return
    x = step.x + 14
    picture.arrow(state.right, (x, state.right[1]), (x, step.y), kind="data")


def out_of(picture: Picture, step: Box, state: Box) -> None:
    """An arrow from the step to the new state; it returns to Python's lane or stays."""
    if state.y == step.y:
        picture.arrow(step.right, state.left, kind="data")
        return
    x = step.x + 34
    picture.arrow((x, step.y), (x, state.left[1]), state.left, kind="back")


def down(
    picture: Picture, top: float, words: dict, states: list[str], scan: bool
) -> float:
    """For a phone: Python's lane, and beside it the program's."""
    step, bottom = 78, 54 + 78 * (len(states) - 1) + 42
    picture.lane(0, top, 172, bottom)
    picture.lane(180, top, 178, bottom, deep=True)
    picture.text(12, top + 22, words, "strong small")
    picture.text(12, top + 42, said("python"), "small muted")
    picture.text(269, top + 22, said("program"), "small muted", "middle")
    boxes = []
    for place, state in enumerate(states):
        inside = scan and 0 < place < len(states) - 1
        x, kind = (232, "data") if inside else (49, "state")
        y = top + 54 + step * place
        boxes.append(picture.box(x, y, 74, 28, state, kind, "small"))
    for before, after in itertools.pairwise(boxes):
        middle = (before.bottom[1] + after.y) / 2
        box = picture.box(241, middle - 11, 56, 22, "step", "plain", "small")
        if before.x > 200:
            picture.arrow(before.bottom, box.top, kind="data")
        else:
            picture.arrow(
                (before.right[0], before.y + 20),
                (box.middle[0], before.y + 20),
                box.top,
                kind="data",
            )
        if after.x > 200:
            picture.arrow(box.bottom, after.top, kind="data")
        else:
            picture.arrow(
                box.bottom,
                (box.middle[0], after.y + 8),
                (after.right[0], after.y + 8),
                kind="back",
            )
    return top + bottom
