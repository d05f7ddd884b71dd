"""Twelve calls of a training step in four programs: which of them compile."""

from workshop.picture import Picture

CALLS = {"ko": "호출 12번(에폭 3번)", "en": "twelve calls, three epochs"}
NAMES = {
    "weak": {"ko": "평균이 `0.0`에서 시작", "en": "mean starts at `0.0`"},
    "typed": {
        "ko": "`jnp.zeros(3)`에서 시작",
        "en": "starts at `jnp.zeros(3)`",
    },
    "even": {"ko": "네 행씩 나눔", "en": "four rows in each"},
    "lambda": {"ko": "호출마다 새 `lambda`", "en": "a new `lambda` each"},
}
COMPILES = {"ko": "컴파일", "en": "compiles"}
CACHED = {"ko": "캐시 히트", "en": "cache hit"}


def values() -> dict:
    """Count the traces of each call."""
    import jax
    import jax.numpy as jnp
    import numpy as np

    x = jnp.float32(np.random.default_rng(0).normal(size=(16, 3)))
    five = [x[i : i + 5] for i in (0, 5, 10, 15)] * 3
    four = [x[i : i + 4] for i in (0, 4, 8, 12)] * 3
    programs = {
        "weak": (0.0, five, False),
        "typed": (jnp.zeros(3), five, False),
        "even": (jnp.zeros(3), four, False),
        "lambda": (jnp.zeros(3), four, True),
    }
    rows = {}
    for name, (state, batches, anew) in programs.items():
        traces = []

        def train_step(state, x, traces=traces):
            traces.append(x)
            return 0.9 * state + 0.1 * x.mean(axis=0), None

        step, compiled = jax.jit(train_step), []
        for call, x in enumerate(batches, 1):
            before = len(traces)
            if anew:
                step = jax.jit(lambda s, x, made=train_step: made(s, x))
            state, _ = step(state, x)
            if len(traces) > before:
                compiled.append(call)
        rows[name] = {"compiled": compiled, "sizes": [len(x) for x in batches]}
    return rows


def draw(picture: Picture, values: dict) -> None:
    """A row a program, a cell a call with the size of its batch."""
    narrow = picture.narrow
    first, top, row = (0, 40, 64) if narrow else (218, 40, 46)
    calls = len(values["weak"]["sizes"])
    step = (picture.width - first - 8) / calls
    cell = step - (5 if narrow else 6)
    picture.lane(
        first, 0, picture.width - first, top + row * len(values) + 2, deep=True
    )
    picture.text(first + 12, 24, CALLS, "strong small")
    for place, (name, run) in enumerate(values.items()):
        y = top + row * place
        if narrow:
            picture.text(12, y + 15, NAMES[name], "small")
        else:
            picture.text(0, y + 23, NAMES[name], "small")
        for call, size in enumerate(run["sizes"]):
            new = call + 1 in run["compiled"]
            gap = 3 * (call // 4) - 4
            picture.box(
                first + 8 + step * call + gap, y + (24 if narrow else 4), cell,
                30, str(size), "trace" if new else "data",
                "small strong" if new else "small muted",
            )  # fmt: skip
    y = top + row * len(values) + 18
    for place, (kind, words) in enumerate(
        (("trace", COMPILES), ("data", CACHED))
    ):
        x = first + (8 if narrow else 12) + 160 * place
        look = "small muted" if place else "small strong"
        box = picture.box(x, y, 28, 28, "5", kind, look)
        picture.text(box.right[0] + 10, y + 19, words, "small muted")
