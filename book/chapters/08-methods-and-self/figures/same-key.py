"""A normalizer with a static self, fitted twice: its numbers, the key of each call, and the program."""

from workshop.picture import Picture

OBJECT = {"ko": "객체의\n`mean, std`", "en": "`mean, std`\nof the object"}
KEY = {"ko": "키의 `self`", "en": "`self` in the key"}
PROGRAM = {
    "ko": "컴파일한 코드의\n`mean, std`",
    "en": "`mean, std`\nin the program",
}
RETURNS = {"ko": "반환한 값", "en": "returned"}
SAME = {"ko": "같은 객체", "en": "same object"}


def values() -> dict:
    """Fit and call twice; note what the object holds and what the program was traced with."""
    from functools import partial

    import jax
    import jax.numpy as jnp

    read = []

    class StaticNormalizer:
        def fit(self, data):
            self.mean, self.std = data.mean(), data.std()

        @partial(jax.jit, static_argnums=0)
        def transform(self, x):
            read.append(f"{self.mean:.0f}, {self.std:.0f}")
            return (x - self.mean) / self.std

    normalizer, calls = StaticNormalizer(), []
    for data, x in (([1.0, 3.0], 5.0), ([10.0, 30.0], 25.0)):
        normalizer.fit(jnp.array(data))
        result = normalizer.transform(x)
        calls.append(
            {"call": f"transform({x})", "result": f"{result:.1f}"}
            | {"object": f"{normalizer.mean:.0f}, {normalizer.std:.0f}"}
            | {"program": read[-1]}
        )
    return {"calls": calls, "traces": len(read)}


def draw(picture: Picture, values: dict) -> None:
    """Rows of values; a column a call."""
    calls, narrow = values["calls"], picture.narrow
    first = 124 if narrow else 200
    wide = (picture.width - first) / len(calls)
    box = 96 if narrow else 150
    rows = {"object": 40, "key": 100, "program": 178, "result": 232}
    picture.lane(0, 26, picture.width, 120)
    picture.lane(0, 160, picture.width, 60, deep=True)
    for key, words in (
        ("object", OBJECT),
        ("key", KEY),
        ("program", PROGRAM),
        ("result", RETURNS),
    ):
        lower = 11 if "\n" in words["en"] else 20
        picture.text(10, rows[key] + lower, words, "small")
    middles = [first + wide * (number + 0.5) for number in range(len(calls))]
    for middle, call in zip(middles, calls, strict=True):
        picture.text(middle, 15, call["call"], "small muted", "middle")
        left = middle - box / 2
        picture.box(
            left, rows["object"], box, 30, call["object"], "state", "strong"
        )
        program = picture.box(
            left, rows["program"], box, 30, call["program"], "static"
        )
        picture.text(
            middle, rows["result"] + 20, call["result"], "strong", "middle"
        )
        picture.arrow((middle, rows["key"] + 32), program.top, kind="data")
    picture.box(
        middles[0] - box / 2,
        rows["key"],
        middles[-1] - middles[0] + box,
        30,
        SAME,
        "data",
        "small",
    )
