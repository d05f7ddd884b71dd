"""Three calls of a counter under jit: Python runs once, the compiled program three times."""

from workshop.picture import Picture, said

IDLE = {"ko": "실행 안 됨", "en": "doesn't run"}
PROGRAM = {"ko": "컴파일된\n프로그램", "en": "compiled\nprogram"}
PROGRAM_NARROW = {"ko": "프로그램", "en": "program"}


def values() -> dict:
    """Call the jitted counter three times and note who ran and what came back."""
    import jax

    runs: list[int] = []

    class Counter:
        n = 0

        def count(self):
            runs.append(self.n)
            self.n += 1
            return self.n

    count = jax.jit(Counter().count)
    calls = []
    for _ in range(3):
        before = len(runs)
        returned = int(count())
        calls.append({"ran": len(runs) - before, "returned": returned})
    literal = count.trace().jaxpr.jaxpr.outvars[0]
    return {"calls": calls, "literal": str(int(literal.val))}


def draw(picture: Picture, values: dict) -> None:
    """Two lanes: time runs to the right on a desk and downwards on a phone."""
    (down if picture.narrow else across)(
        picture, values["calls"], values["literal"]
    )


def across(picture: Picture, calls: list[dict], literal: str) -> None:
    """For a desk: a column a call."""
    first, step = 134, 184
    picture.lane(0, 28, 688, 66)
    picture.text(16, 66, said("python"), "strong")
    picture.lane(0, 118, 688, 70, deep=True)
    picture.text(16, 149, PROGRAM, "strong")
    picture.text(16, 232, said("returned"), "muted")
    for number, call in enumerate(calls, start=1):
        middle = first + step * (number - 0.5)
        words = said("call", number=number)
        picture.text(middle, 17, words, "small muted", "middle")
        program = picture.box(
            middle - 32, 135, 64, 36, literal, "static", "strong"
        )
        if call["ran"]:
            body = picture.box(
                middle - 64, 43, 128, 36, "self.n += 1", "trace"
            )
            picture.arrow(body.bottom, program.top, kind="trace")
        else:
            picture.text(middle, 66, IDLE, "muted", "middle")
        picture.arrow(program.bottom, (middle, 212), kind="data")
        picture.text(
            middle, 232, str(call["returned"]), "strong large", "middle"
        )


def down(picture: Picture, calls: list[dict], literal: str) -> None:
    """For a phone: a row a call."""
    first, step = 36, 60
    bottom = first + step * len(calls)
    picture.lane(56, 0, 132, bottom)
    picture.lane(206, 0, 94, bottom, deep=True)
    picture.text(122, 22, said("python"), "strong small", "middle")
    picture.text(253, 22, PROGRAM_NARROW, "strong small", "middle")
    for number, call in enumerate(calls, start=1):
        middle = first + step * (number - 0.5)
        picture.text(0, middle + 5, said("call", number=number), "small muted")
        program = picture.box(
            227, middle - 17, 52, 34, literal, "static", "strong"
        )
        if call["ran"]:
            body = picture.box(
                66, middle - 17, 112, 34, "self.n += 1", "trace", "small"
            )
            picture.arrow(body.right, program.left, kind="trace")
        else:
            picture.text(122, middle + 5, IDLE, "muted small", "middle")
        picture.arrow(program.right, (326, middle), kind="data")
        picture.text(
            342, middle + 6, str(call["returned"]), "strong large", "middle"
        )
