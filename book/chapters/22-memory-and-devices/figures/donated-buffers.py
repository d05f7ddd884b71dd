"""Which name has which buffer: before a donating call, after it, and with a copy."""

from workshop.picture import Box, Picture, fill

HEADS = {
    "before": {"ko": "호출하기 전", "en": "before the call"},
    "after": {"ko": "호출한 뒤", "en": "after the call"},
    "copied": {
        "ko": "`jnp.copy`로 복사했다면",
        "en": "had `best` been a copy",
    },
}
BUFFER = {"ko": "버퍼 {name}", "en": "buffer {name}"}


def values() -> dict:
    """Donate a small array that has a second name; then one that has a copy."""
    import jax
    import jax.numpy as jnp

    step = jax.jit(lambda params: params - 0.5, donate_argnums=0)
    params = jnp.full(1000, 2.0)
    best, place = params, params.unsafe_buffer_pointer()
    before = f"{params[0]:.1f}"
    params = step(params)
    after = {
        "value": f"{params[0]:.1f}",
        "same": params.unsafe_buffer_pointer() == place,
        "deleted": best.is_deleted(),
    }
    params = jnp.full(1000, 2.0)
    best = jnp.copy(params)
    params = step(params)
    copied = {"value": f"{params[0]:.1f}", "best": f"{best[0]:.1f}"}
    return {"before": before, "after": after, "copied": copied}


def draw(picture: Picture, values: dict) -> None:
    """Three moments, side by side on a desk, one below the other on a phone."""
    for place, moment in enumerate(HEADS):
        x, y = (0, place * 192) if picture.narrow else (place * 234, 0)
        panel(picture, x, y, moment, values)


def panel(picture: Picture, x: float, y: float, moment: str, seen: dict):
    """A moment: the names, and to which buffer each leads."""
    wide = 358 if picture.narrow else 220
    picture.lane(x, y, wide, 178)
    picture.text(x + 12, y + 25, HEADS[moment], "strong small")
    left, right = x + 12, x + wide - (140 if picture.narrow else 80)
    upper, lower = y + 48, y + 114
    state = name(picture, left, upper, "params")
    best = name(picture, left, lower, "best")
    if moment == "before":
        one = buffer(picture, right, y + 80, seen["before"], "state")
        label(picture, one, "A")
        for holder in (state, best):
            leads(picture, holder, one, "state")
        return
    new = buffer(picture, right, upper, seen[moment]["value"], "back")
    label(picture, new, "A" if seen["after"]["same"] else "?")
    leads(picture, state, new, "back")
    if moment == "after":
        lost = buffer(picture, right, lower, "2.0", "lost")
        leads(picture, best, lost, "lost")
    else:
        own = buffer(picture, right, lower, seen["copied"]["best"], "state")
        label(picture, own, "B")
        leads(picture, best, own, "state")


def name(picture: Picture, x: float, y: float, code: str) -> Box:
    """A name in Python."""
    return picture.box(x, y, 76, 34, code, "plain", "strong small")


def buffer(picture: Picture, x: float, y: float, text: str, kind: str) -> Box:
    """A buffer with the value that's in it."""
    return picture.box(x, y, 66, 34, text, kind, "strong")


def label(picture: Picture, box: Box, name: str) -> None:
    """Which buffer it is, below its box."""
    words = fill(BUFFER, name=name)
    picture.text(
        box.bottom[0], box.bottom[1] + 18, words, "small muted", "middle"
    )


def leads(picture: Picture, one: Box, other: Box, kind: str) -> None:
    """An arrow from a name to a buffer, level where they're level."""
    start, end = (one.right[0] + 2, one.right[1]), (other.x - 3, other.left[1])
    bend = (end[0] - 24, start[1])
    points = (start, end) if start[1] == end[1] else (start, bend, end)
    picture.arrow(*points, kind=kind)
