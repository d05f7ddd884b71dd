"""Seven calls with a static self: which entry of the cache each one finds."""

from workshop.picture import Picture

CALL = {"ko": "호출", "en": "call"}
ENTRY = {"ko": "캐시에 있는 항목", "en": "entries in the cache"}
NEW = {"ko": "새로", "en": "new"}
HIT = {"ko": "히트", "en": "hit"}
IS_NEW = {"ko": "트레이싱하고 컴파일", "en": "traces and compiles"}
IS_HIT = {"ko": "같은 키를 찾음", "en": "finds an equal key"}


def values() -> dict:
    """Make each call and look up which jaxpr it found, and whether Python ran."""
    import dataclasses
    from functools import partial

    import jax

    traces = []

    @partial(jax.jit, static_argnums=0)
    def power(self, x):
        traces.append(self.exponent)
        return x**self.exponent

    class Power:
        def __init__(self, exponent):
            self.exponent = exponent

    @dataclasses.dataclass(frozen=True)
    class FrozenPower:
        exponent: float

    objects = {
        "Power(2)": [Power(2), Power(2), Power(2)],
        "FrozenPower(2)": [FrozenPower(2), FrozenPower(2)],
        "FrozenPower(3)": [FrozenPower(3)],
        "FrozenPower(2.0)": [FrozenPower(2.0)],
    }
    jaxprs, calls = [], []
    for label, several in objects.items():
        for each in several:
            before = len(traces)
            power(each, 3.0)
            jaxpr = power.trace(each, 3.0).jaxpr
            traced = len(traces) > before
            if traced:
                jaxprs.append(jaxpr)
            place = next(n for n, known in enumerate(jaxprs) if known is jaxpr)
            calls.append({"call": label, "entry": place, "traced": traced})
    return {"calls": calls, "entries": len(jaxprs)}


def draw(picture: Picture, values: dict) -> None:
    """A row a call, a column an entry."""
    calls, entries = values["calls"], values["entries"]
    first, cell = (132, 41) if picture.narrow else (176, 64)
    size = "small" if picture.narrow else ""
    step = (picture.width - first - 8) / entries
    top, row = 62, 35
    picture.lane(
        first, 0, picture.width - first, top + row * len(calls) + 6, deep=True
    )
    picture.text(0, 23, CALL, "strong small")
    picture.text(first + 14, 23, ENTRY, "strong small")
    middles = [first + 4 + step * (place + 0.5) for place in range(entries)]
    for number, middle in enumerate(middles, start=1):
        picture.text(middle, 46, str(number), "small", "middle")
    for number, call in enumerate(calls):
        y, middle = top + row * number, middles[call["entry"]]
        picture.text(0, y + 19, call["call"], size)
        kind, words, look = (
            ("trace", NEW, " strong") if call["traced"] else ("data", HIT, "")
        )
        box = picture.box(
            middle - cell / 2, y, cell, 28, words, kind, "small" + look
        )
        if box.x > first + 24:
            picture.line((first + 10, box.left[1]), (box.x - 6, box.left[1]))
    y = top + row * len(calls) + 18
    for place, (kind, words, means) in enumerate(
        (("trace", NEW, IS_NEW), ("data", HIT, IS_HIT))
    ):
        x, below = (
            (first, y + 36 * place)
            if picture.narrow
            else (first + 230 * place, y)
        )
        box = picture.box(
            x, below, 44, 28, words, kind, "small" if place else "small strong"
        )
        picture.text(box.right[0] + 10, below + 19, means, "small muted")
