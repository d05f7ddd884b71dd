"""Five ways in which a state's type can change: traces of a jitted step, and what scan does."""

from workshop.picture import Picture

CHANGES = {
    "same": {"ko": "타입이 같음", "en": "equal types"},
    "weak": {"ko": "약한 타입에서 시작", "en": "a weakly typed start"},
    "dtype": {"ko": "dtype이 바뀜", "en": "another dtype"},
    "shape": {"ko": "shape이 바뀜", "en": "another shape"},
    "grows": {"ko": "매번 커짐", "en": "grows on each call"},
}
TYPES = {"ko": "들어간 타입 → 나온 타입", "en": "goes in → comes out"}
TRACES = {"ko": "트레이싱", "en": "traces"}
TRACES_WIDE = {
    "ko": "5회 호출의 트레이싱",
    "en": "traces in 5 calls",
}
RUNS = {"ko": "실행됨", "en": "runs"}


def values() -> dict:
    """Call each step five times under jit, and scan it."""
    import jax
    import jax.numpy as jnp

    steps = {
        "same": (jnp.float32(0), lambda s, x: s + x),
        "weak": (0.0, lambda s, x: s + x),
        "dtype": (jnp.int32(0), lambda s, x: s + x),
        "shape": (jnp.float32(0), lambda s, x: s + x[None]),
        "grows": (jnp.zeros(0), lambda s, x: jnp.append(s, x)),
    }
    xs = jnp.arange(5, dtype=jnp.float32)

    def shown(aval) -> str:
        kind = f"{aval.dtype}[{','.join(map(str, aval.shape))}]"
        return kind + (" weak" if aval.weak_type else "")

    rows = {}
    for name, (start, step) in steps.items():
        traces = []

        def counted(state, x, step=step, traces=traces):
            traces.append(x)
            return step(state, x)

        old = jax.eval_shape(lambda s: s, start)
        new = jax.eval_shape(step, start, xs[0])
        state, jitted = start, jax.jit(counted)
        for x in xs:
            state = jitted(state, x)
        try:
            jax.lax.scan(lambda s, x, step=step: (step(s, x), None), start, xs)
            scanned = "runs"
        except TypeError as error:
            scanned = type(error).__name__
        rows[name] = {"in": shown(old), "out": shown(new)}
        rows[name] |= {"traces": str(len(traces)), "scan": scanned}
    return rows


def draw(picture: Picture, values: dict) -> None:
    """A row a change; on a phone its name stands above it."""
    narrow = picture.narrow
    types, traces, scan = (0, 226, 310) if narrow else (176, 484, 620)
    wide, row = (44, 58) if narrow else (60, 42)
    height = 40 + row * len(values)
    for middle, width in (
        (traces, 56 if narrow else 150),
        (scan, 94 if narrow else 112),
    ):
        picture.lane(middle - width / 2, 0, width, height, deep=middle == scan)
    picture.text(types, 24, TYPES, "small muted")
    heading = TRACES if narrow else TRACES_WIDE
    picture.text(traces, 24, heading, "small strong", "middle")
    picture.text(scan, 24, "scan", "small strong", "middle")
    for place, (name, change) in enumerate(values.items()):
        y = 40 + row * place
        base = y + 20
        picture.text(0, base, CHANGES[name], "small" if narrow else "")
        picture.text(
            types,
            base + (20 if narrow else 0),
            f"{change['in']} → {change['out']}",
            "small",
        )
        box = y + (8 if narrow else 0)
        picture.box(
            traces - wide / 2, box, wide, 30, change["traces"],
            "data" if change["traces"] == "1" else "trace", "strong",
        )  # fmt: skip
        runs = change["scan"] == "runs"
        picture.box(
            scan - 42, box, 84, 30, RUNS if runs else change["scan"],
            "data" if runs else "plain", "small" if runs else "small strong",
        )  # fmt: skip
