"""Eight calls of a jitted function: which of them traced, and which share a cache entry."""

from workshop.picture import Picture

CALL = {"ko": "호출", "en": "call"}
ENTRY = {"ko": "캐시에 있는 항목", "en": "entries in the cache"}
NEW = {"ko": "새로", "en": "new"}
HIT = {"ko": "히트", "en": "hit"}
IS_NEW = {"ko": "트레이싱하고 컴파일", "en": "traces and compiles"}
IS_HIT = {"ko": "있는 프로그램을 실행", "en": "runs the cached program"}


def values() -> dict:
    """Make each call and look up which jaxpr it found, and whether Python ran."""
    import jax
    import jax.numpy as jnp
    import numpy as np

    traces = []

    @jax.jit
    def double(x):
        traces.append(x.aval)
        return 2 * x

    arguments = {
        "jnp.zeros(3)": jnp.zeros(3),
        "jnp.ones(3)": jnp.ones(3),
        "jnp.zeros(4)": jnp.zeros(4),
        "int32": jnp.zeros(3, "int32"),
        "NumPy": np.zeros(3, "float32"),
        "2.0": 2.0,
        "5.0": 5.0,
        "jnp.float32(2)": jnp.float32(2),
    }
    jaxprs, entries, calls = [], [], []
    for label, x in arguments.items():
        before = len(traces)
        double(x)
        jaxpr = double.trace(x).jaxpr
        traced = len(traces) > before
        if traced:
            aval = traces[-1]
            jaxprs.append(jaxpr)
            entries.append(
                aval.str_short(short_dtypes=True)
                + ("\nweak" if aval.weak_type else "")
            )
        place = next(n for n, known in enumerate(jaxprs) if known is jaxpr)
        calls.append({"argument": label, "entry": place, "traced": traced})
    return {"calls": calls, "entries": entries}


def draw(picture: Picture, values: dict) -> None:
    """A row a call, a column an entry."""
    calls, entries = values["calls"], values["entries"]
    first, cell, left = (108, 41, 0) if picture.narrow else (168, 64, 0)
    size = "small" if picture.narrow else ""
    step = (picture.width - first - 8) / len(entries)
    top, row = 76, 35
    picture.lane(
        first, 0, picture.width - first, top + row * len(calls) + 6, deep=True
    )
    picture.text(first + 14, 23, ENTRY, "strong small")
    middles = [
        first + 4 + step * (place + 0.5) for place in range(len(entries))
    ]
    for middle, entry in zip(middles, entries, strict=True):
        picture.text(middle, 46, entry, "small", "middle")
    for number, call in enumerate(calls):
        y, middle = top + row * number, middles[call["entry"]]
        picture.text(left, y + 19, call["argument"], size)
        kind, words, look = (
            ("trace", NEW, " strong") if call["traced"] else ("data", HIT, "")
        )
        box = picture.box(
            middle - cell / 2, y, cell, 28, words, kind, "small" + look
        )
        if box.x > first + 44:
            picture.line((first + 10, box.left[1]), (box.x - 6, box.left[1]))
    y = top + row * len(calls) + 18
    for place, (kind, words, means) in enumerate(
        (("trace", NEW, IS_NEW), ("data", HIT, IS_HIT))
    ):
        x, below = (
            (first, y + 36 * place)
            if picture.narrow
            else (first + 210 * place, y)
        )
        box = picture.box(
            x, below, 40, 28, words, kind, "small" if place else "small strong"
        )
        picture.text(box.right[0] + 10, below + 19, means, "small muted")
