"""Four calls of watch, in a loop that drops the new state and in one that keeps it."""

from workshop.picture import Picture

LINES = {
    "dropped": "_, stop = watch(state, loss)",
    "kept": "state, stop = watch(state, loss)",
}
PASSED = {"ko": "넘긴 상태", "en": "state passed"}
RETURNED = {"ko": "새 상태", "en": "new state"}


def values() -> dict:
    """Run the opening's training both ways; note epochs 5 to 8, from the best one on."""
    import jax
    import jax.numpy as jnp

    def watch(state, loss):
        best, waited = state
        better = loss < best
        best = jnp.where(better, loss, best)
        waited = jnp.where(better, 0, waited + 1)
        return (best, waited), waited >= 3

    def shown(state) -> str:
        return f"{float(state[0]):.2f}, {int(state[1])}"

    def calls(kept: bool) -> list[dict]:
        w, state = jnp.float32(0), (jnp.float32(jnp.inf), jnp.int32(0))
        noted = []
        for _ in range(8):
            w = w - 0.1 * jax.grad(lambda w: (w - 3.0) ** 2)(w)
            loss = (w - 2.0) ** 2
            new_state, stop = watch(state, loss)
            noted.append(
                {"passed": shown(state), "returned": shown(new_state)}
                | {"loss": f"{float(loss):.2f}", "stop": str(bool(stop))}
            )
            state = new_state if kept else state
        return noted[4:]

    return {"dropped": calls(kept=False), "kept": calls(kept=True)}


def draw(picture: Picture, values: dict) -> None:
    """A panel a loop: a column a call on a desk, a row a call on a phone."""
    top = 0
    for name, calls in values.items():
        panel = down if picture.narrow else across
        top = panel(picture, top, LINES[name], calls, name == "kept") + 12


def across(
    picture: Picture, top: float, line: str, calls: list[dict], kept: bool
) -> float:
    """For a desk."""
    first, step, wide = 120, 142, 92
    picture.lane(0, top, 688, 196)
    picture.text(16, top + 26, line, "strong")
    for words, y in ((PASSED, 66), (RETURNED, 136)):
        picture.text(16, top + y, words, "small muted")
    picture.text(16, top + 100, "loss", "small muted")
    picture.text(16, top + 182, "stop", "small muted")
    before = None
    for place, call in enumerate(calls):
        x = first + step * place
        passed = picture.box(x, top + 44, wide, 32, call["passed"], "state")
        new = picture.box(
            x,
            top + 114,
            wide,
            32,
            call["returned"],
            "state" if kept else "lost",
        )
        picture.arrow(passed.bottom, new.top, kind="data")
        picture.text(new.middle[0] + 8, top + 100, call["loss"], "small")
        stop = "strong" if call["stop"] == "True" else ""
        picture.text(new.middle[0], top + 182, call["stop"], stop, "middle")
        if kept and before:
            between = (before.right[0] + passed.x) / 2
            picture.arrow(
                before.right,
                (between, before.right[1]),
                (between, passed.left[1]),
                passed.left,
                kind="back",
            )
        before = new
    return top + 196


def down(
    picture: Picture, top: float, line: str, calls: list[dict], kept: bool
) -> float:
    """For a phone."""
    step, wide = 66, 86
    picture.lane(0, top, 358, 60 + step * len(calls))
    picture.text(12, top + 24, line, "strong small")
    for words, x in ((PASSED, 54), (RETURNED, 208)):
        picture.text(x, top + 48, words, "small muted", "middle")
    picture.text(310, top + 48, "stop", "small muted", "middle")
    before = None
    for place, call in enumerate(calls):
        y = top + 60 + step * place
        passed = picture.box(12, y, wide, 32, call["passed"], "state", "small")
        new = picture.box(
            166,
            y,
            wide,
            32,
            call["returned"],
            "state" if kept else "lost",
            "small",
        )
        picture.arrow(passed.right, new.left, kind="data")
        middle = (passed.right[0] + new.x) / 2
        picture.text(middle, y + 10, call["loss"], "small", "middle")
        stop = "strong small" if call["stop"] == "True" else "small"
        picture.text(310, y + 21, call["stop"], stop, "middle")
        if kept and before:
            between = (before.bottom[1] + y) / 2
            picture.arrow(
                before.bottom,
                (before.bottom[0], between),
                (passed.top[0], between),
                passed.top,
                kind="back",
            )
        before = new
    return top + 60 + step * len(calls)
