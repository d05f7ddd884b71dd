"""Calls of a jitted function and the entries of its cache: what runs them and what draws them."""

from collections.abc import Callable

from workshop.picture.drawing import Box, Picture
from workshop.picture.wording import said

ROW, CELL = 35, 28  # pixels from one call to the next, and the height of a call's box


def calls_and_entries(jitted: Callable, calls: dict[str, list[tuple]], traces: list) -> list[dict]:
    """Make each call and look up which jaxpr it found, and whether Python ran.

    Args:
        jitted: the function, whose body appends to `traces`.
        calls: by label, the arguments of each call.
        traces: what the body appends to.

    Returns:
        For each call its label, the number of its entry, and whether it traced.
    """
    jaxprs, made = [], []
    for label, several in calls.items():
        for arguments in several:
            before = len(traces)
            jitted(*arguments)
            traced = len(traces) > before
            jaxpr = jitted.trace(*arguments).jaxpr
            if traced:
                jaxprs.append(jaxpr)
            place = next(n for n, known in enumerate(jaxprs) if known is jaxpr)
            made.append({"call": label, "entry": place, "traced": traced})
    return made


def draw_entries(picture: Picture, calls: list[dict], heads: list[str], first: int) -> None:
    """Draw a row a call and a column an entry, and below what the boxes mean.

    Args:
        picture: to draw on.
        calls: as `calls_and_entries` returns them.
        heads: what stands above each entry.
        first: where the lane of entries begins, in pixels.
    """
    size, cell = ("small", 41) if picture.narrow else ("", 64)
    step = (picture.width - first - 8) / len(heads)
    top = 48 + 14 * max(head.count("\n") + 1 for head in heads)
    bottom = top + ROW * len(calls)
    picture.lane(first, 0, picture.width - first, bottom + 6, deep=True)
    picture.text(first + 14, 23, said("entries"), "strong small")
    middles = [first + 4 + step * (place + 0.5) for place in range(len(heads))]
    for middle, head in zip(middles, heads, strict=True):
        picture.text(middle, 46, head, "small", "middle")
    for number, call in enumerate(calls):
        y = top + ROW * number
        picture.text(0, y + 19, call["call"], size)
        box = _entry(picture, middles[call["entry"]] - cell / 2, y, cell, traced=call["traced"])
        if box.x > first + 44:
            picture.line((first + 10, box.left[1]), (box.x - 6, box.left[1]))
    for place, (traced, means) in enumerate(((True, "new_entry"), (False, "known_entry"))):
        right, down = (0, 36) if picture.narrow else (230, 0)
        x, y = first + right * place, bottom + 18 + down * place
        box = _entry(picture, x, y, 44, traced=traced)
        picture.text(box.right[0] + 10, y + 19, said(means), "small muted")


def _entry(picture: Picture, x: float, y: float, width: float, *, traced: bool) -> Box:
    kind, look = ("trace", "small strong") if traced else ("data", "small")
    return picture.box(x, y, width, CELL, said("new" if traced else "hit"), kind, look)
