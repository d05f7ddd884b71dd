"""Three calls with a static self that's hashed by its fields: the object, the one in the key, the program."""

from workshop.picture import Picture

HEADS = {
    "ko": ["첫 호출", "고친 뒤", "새 객체"],
    "en": ["first call", "changed", "new object"],
}
OBJECT = {"ko": "객체의\n`mean, std`", "en": "`mean, std`\nof the object"}
KEY = {"ko": "키에 든\n`mean, std`", "en": "`mean, std`\nin the key"}
PROGRAM = {
    "ko": "컴파일한 코드의\n`mean, std`",
    "en": "`mean, std`\nin the program",
}
RETURNS = {"ko": "반환한 값", "en": "returned"}


def values() -> dict:
    """Call, change the object, call again, and call an equal one."""
    import dataclasses
    from functools import partial

    import jax

    read = []

    @dataclasses.dataclass(unsafe_hash=True)
    class HashedNormalizer:
        mean: float
        std: float

        @partial(jax.jit, static_argnums=0)
        def transform(self, x):
            read.append((self, shown(self)))
            return (x - self.mean) / self.std

    def shown(normalizer) -> str:
        return f"{normalizer.mean:.0f}, {normalizer.std:.0f}"

    hashed, calls = HashedNormalizer(2.0, 1.0), []
    for number in range(3):
        if number == 1:
            hashed.mean, hashed.std = 20.0, 10.0
        each = hashed if number < 2 else HashedNormalizer(20.0, 10.0)
        result = each.transform(25.0)
        in_key, program = read[-1]
        calls.append(
            {"object": shown(each), "key": shown(in_key)}
            | {"program": program, "result": f"{result:.1f}"}
        )
    return {"calls": calls, "traces": len(read)}


def draw(picture: Picture, values: dict) -> None:
    """Rows of values; a column a call."""
    calls, narrow = values["calls"], picture.narrow
    first = 124 if narrow else 200
    wide = (picture.width - first) / len(calls)
    box = 68 if narrow else 130
    rows = {"object": 40, "key": 116, "program": 184, "result": 238}
    picture.lane(0, 26, picture.width, 58)
    picture.lane(0, 102, picture.width, 124, deep=True)
    for key, words in (
        ("object", OBJECT),
        ("key", KEY),
        ("program", PROGRAM),
        ("result", RETURNS),
    ):
        lower = 11 if "\n" in words["en"] else 20
        picture.text(10, rows[key] + lower, words, "small")
    for number, call in enumerate(calls):
        middle = first + wide * (number + 0.5)
        head = {language: each[number] for language, each in HEADS.items()}
        picture.text(middle, 15, head, "small muted", "middle")
        left = middle - box / 2
        given = picture.box(
            left, rows["object"], box, 30, call["object"], "state", "strong"
        )
        key = picture.box(left, rows["key"], box, 30, call["key"], "data")
        program = picture.box(
            left, rows["program"], box, 30, call["program"], "static"
        )
        picture.arrow((middle, given.y + 32), key.top, kind="data")
        picture.arrow((middle, rows["key"] + 32), program.top, kind="data")
        picture.text(
            middle, rows["result"] + 20, call["result"], "strong", "middle"
        )
