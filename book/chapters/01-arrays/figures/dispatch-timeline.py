"""Two calls on a CPU: how much of the computing time has passed when each returns."""

from workshop.picture import Picture, fill, said

NAMES = {
    "product": {"ko": "행렬곱", "en": "matrix product"},
    "update": {"ko": "인덱스 업데이트", "en": "indexed update"},
}
CODE = {"product": "m @ m", "update": "v.at[0].set(1.0)"}
CALL = {"ko": "호출", "en": "call"}
EARLY = {"ko": "반환 {bound}", "en": "returned at {bound}"}
LATE = {"ko": "호출, 반환 {bound}", "en": "call, returned at {bound}"}
WAIT = {"ko": "기다림", "en": "waits"}
WORK = {"ko": "계산", "en": "busy"}
READY = {"ko": "준비됨", "en": "ready"}
SHARES = {"< 10%": 0.08, "> 90%": 0.95}  # where calls of each kind are drawn


def values() -> dict:
    """Measure each share seven times and keep the bound that the median is within."""
    from statistics import median
    from time import perf_counter

    import jax
    import jax.numpy as jnp

    def share(function, argument) -> float:
        function(argument).block_until_ready()
        start = perf_counter()
        result = function(argument)
        returned = perf_counter()
        result.block_until_ready()
        return (returned - start) / (perf_counter() - start)

    def bound(function, argument) -> str:
        middle = median(share(function, argument) for _ in range(7))
        if middle < 0.1:
            return "< 10%"
        return "> 90%" if middle > 0.9 else "between"

    with jax.default_device(jax.devices("cpu")[0]):
        return {
            "product": bound(lambda m: m @ m, jnp.ones((1500, 1500))),
            "update": bound(lambda v: v.at[0].set(1.0), jnp.ones(5_000_000)),
        }


def draw(picture: Picture, values: dict) -> None:
    """Time runs to the right on a desk and downwards on a phone."""
    for place, (name, bound) in enumerate(values.items()):
        (down if picture.narrow else across)(picture, place, name, bound)


def across(picture: Picture, place: int, name: str, bound: str) -> None:
    """For a desk: Python's lane above the device's."""
    y, begin, end = 156 * place, 88, 600
    picture.text(0, y + 18, NAMES[name], "strong")
    picture.text(160, y + 18, CODE[name])
    picture.lane(0, y + 30, 688, 48)
    picture.lane(0, y + 82, 688, 48, deep=True)
    picture.text(14, y + 59, said("python"), "small strong")
    picture.text(14, y + 111, "CPU", "small strong")
    share = SHARES[bound]
    returned, early = begin + (end - begin) * share, share < 0.5
    words = fill(EARLY if early else LATE, bound=bound)
    picture.box(
        begin, y + 38, returned - begin, 32, CALL if early else words, "plain",
        "small strong",
    )  # fmt: skip
    if early:
        picture.text(returned + 8, y + 59, words, "small strong")
        waits = returned + 160
        picture.box(
            waits, y + 38, end - waits, 32, "block_until_ready", "plain",
            "small",
        )  # fmt: skip
    picture.box(begin, y + 90, end - begin, 32, WORK, "data", "small")
    picture.line((end + 4, y + 34), (end + 4, y + 126), kind="back")
    picture.text(end + 14, y + 59, READY, "small back strong")


def down(picture: Picture, place: int, name: str, bound: str) -> None:
    """For a phone: two columns a call, time downwards."""
    x, begin, end = 184 * place, 84, 330
    picture.text(x, 16, NAMES[name], "strong small")
    picture.text(x, 38, CODE[name], "small")
    picture.lane(x, 48, 116, end - 36)
    picture.lane(x + 120, 48, 54, end - 36, deep=True)
    picture.text(x + 58, 70, said("python"), "small strong", "middle")
    picture.text(x + 147, 70, "CPU", "small strong", "middle")
    share = SHARES[bound]
    returned, early = begin + (end - begin) * share, share < 0.5
    words = fill(EARLY if early else LATE, bound=f"\n{bound}")
    words = {
        code: text.replace(", ", "\n").replace("at ", "at")
        for code, text in words.items()
    }
    picture.box(
        x + 6, begin, 104, returned - begin, CALL if early else words, "plain",
        "small strong",
    )  # fmt: skip
    if early:
        picture.text(x + 58, returned + 17, words, "small strong", "middle")
        waits = returned + 44
        picture.box(x + 6, waits, 104, end - waits, WAIT, "plain", "small")
    picture.box(x + 125, begin, 44, end - begin, WORK, "data", "small")
    picture.line((x + 4, end + 4), (x + 170, end + 4), kind="back")
    picture.text(x, end + 32, READY, "small back strong")
