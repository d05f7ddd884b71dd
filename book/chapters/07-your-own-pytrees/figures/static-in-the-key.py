"""Five calls of a counter: the leaf's value and type, the static value, and whether JAX traced."""

from workshop.picture import Picture, fill

HEADS = [
    {"ko": "리프 `n`", "en": "leaf `n`"},
    {"ko": "리프의 형식", "en": "leaf's type"},
    {"ko": "정적 값", "en": "static"},
    {"ko": "프로그램", "en": "program"},
]
KEY = {"ko": "캐시 키", "en": "cache key"}
TRACED = {"ko": "트레이싱: {what}", "en": "traced: {what}"}
REUSED = {"ko": "재사용: {what}", "en": "reused: {what}"}


def values() -> dict:
    """Call a jitted counter three times, change its static field, and call it twice more."""
    import dataclasses

    import jax
    import jax.numpy as jnp

    @jax.tree_util.register_dataclass
    @dataclasses.dataclass(frozen=True)
    class CounterState:
        n: jax.Array
        step_size: int = dataclasses.field(metadata={"static": True})

    traces, calls = [], []

    @jax.jit
    def count(state: CounterState) -> CounterState:
        traces.append(state.step_size)
        return dataclasses.replace(state, n=state.n + state.step_size)

    state = CounterState(jnp.int32(0), 1)
    for number in range(5):
        if number == 3:
            state = dataclasses.replace(state, step_size=10)
        before = len(traces)
        new_state = count(state)
        calls.append(
            {
                "n": str(state.n),
                "type": state.n.aval.str_short().replace("i32", "int32"),
                "static": str(state.step_size),
                "traced": len(traces) > before,
            }
        )
        state = new_state
    return {"calls": calls}


def draw(picture: Picture, values: dict) -> None:
    """A row a call: two parts of the key, and the program that runs."""
    narrow = picture.narrow
    wides = (46, 70, 48, 130) if narrow else (110, 150, 110, 196)
    between = 20 if narrow else 38
    row, high, top = 52, 34, 62
    lefts = [1 + sum(wides[:n]) + n * between for n in range(4)]
    for left, wide, words in zip(lefts, wides, HEADS, strict=True):
        picture.text(left + wide / 2, 44, words, "strong small", "middle")
    across = lefts[2] + wides[2] - lefts[1] + 12
    middle = lefts[1] - 6 + across / 2
    picture.text(middle, 16, KEY, "small", "middle")
    picture.line((lefts[1] - 6, 24), (lefts[1] - 6 + across, 24))
    for number, call in enumerate(values["calls"]):
        y = top + number * row
        look = "small" if narrow else "strong"
        key = picture.lane(lefts[1] - 6, y - 5, across, high + 10, deep=True)
        boxes = [
            picture.box(lefts[0], y, wides[0], high, call["n"], "state", look),
            picture.box(
                lefts[1], y, wides[1], high, call["type"], "data", look
            ),
            picture.box(
                lefts[2], y, wides[2], high, call["static"], "static", look
            ),
        ]
        words = TRACED if call["traced"] else REUSED
        kind = "trace" if call["traced"] else "plain"
        program = f"n + {call['static']}"
        text = fill(words, what=f"`{program}`")
        boxes.append(
            picture.box(lefts[3], y, wides[3], high, text, kind, "small")
        )
        other = boxes[3]
        picture.arrow(
            (key.right[0] + 1, key.right[1]), (other.x - 1, other.left[1])
        )
