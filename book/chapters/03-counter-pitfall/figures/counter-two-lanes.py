"""Five calls of a jitted step: when Python runs the body, and which number the program returns."""

from workshop.picture import Picture, fill, said

NOT_RUN = {
    "ko": "파이썬이 본문을\n다시 실행하지 않습니다",
    "en": "Python doesn't run\nthe body again",
}
LITERAL = {"ko": "리터럴 `{value}`", "en": "the literal `{value}`"}
PROGRAM = {"ko": "컴파일된\n프로그램", "en": "compiled\nprogram"}


def values() -> dict:
    """Call the jitted step of the trainer five times and note each call."""
    import jax
    import jax.numpy as jnp

    def loss_fn(params, data):
        x, y = data
        return jnp.mean((params * x - y) ** 2)

    def batch(size):
        x = jnp.tile(jnp.array([1.0, 2.0]), size // 2)
        return x, 2 * x

    class Trainer:
        def __init__(self):
            self.n = 0

        def step(self, params, data):
            runs.append(self.n)
            self.n += 1
            loss, grads = jax.value_and_grad(loss_fn)(params, data)
            return params - 0.1 * grads, (self.n, loss)

    runs: list[int] = []
    trainer, params = Trainer(), jnp.float32(0)
    step = jax.jit(trainer.step)
    calls = []
    for _ in range(5):
        ran, before = len(runs), trainer.n
        params, (n, _) = step(params, batch(4))
        calls.append(
            {"ran": len(runs) - ran, "before": before, "after": trainer.n}
            | {"returned": int(n)}
        )
    literal = step.trace(params, batch(4)).jaxpr.jaxpr.outvars[1]
    return {"calls": calls, "literal": str(int(literal.val))}


def draw(picture: Picture, values: dict) -> None:
    """Two lanes: time runs to the right on a desk and downwards on a phone."""
    (down if picture.narrow else across)(
        picture, values["calls"], values["literal"]
    )


def across(picture: Picture, calls: list[dict], literal: str) -> None:
    """For a desk: a column a call."""
    first, step = 152, 106
    middles = [first + step * place + step / 2 for place in range(len(calls))]
    picture.lane(0, 28, 688, 146)
    picture.lane(0, 182, 688, 74, deep=True)
    picture.text(16, 55, said("python"), "strong")
    picture.text(16, 87, "trainer.n", "state")
    picture.text(16, 145, said("trace"), "muted")
    picture.text(16, 216, said("program"), "strong")
    picture.text(16, 236, fill(LITERAL, value=literal), "muted small")
    picture.text(16, 292, said("returned"), "muted")
    begin = first - 12
    for number, (middle, call) in enumerate(
        zip(middles, calls, strict=True), start=1
    ):
        picture.text(
            middle, 17, said("call", number=number), "small muted", "middle"
        )
        if call["before"] != call["after"]:
            picture.box(
                begin, 67, middle - begin - 2, 30, str(call["before"]), "state"
            )
            begin = middle + 2
        if call["ran"]:
            body = picture.box(
                middle - 60, 122, 120, 36, "self.n += 1", "trace"
            )
            picture.arrow(body.top, (middle, 98), kind="state")
            picture.arrow(body.bottom, (middle, 201), kind="trace")
        program = picture.box(
            middle - 28, 202, 56, 34, literal, "static", "strong"
        )
        picture.arrow(program.bottom, (middle, 272), kind="data")
        picture.text(middle, 292, str(call["returned"]), "strong", "middle")
    picture.box(
        begin, 67, 674 - begin, 30, str(calls[-1]["after"]), "state", "strong"
    )
    rest = [
        m for m, call in zip(middles, calls, strict=True) if not call["ran"]
    ]
    picture.text(
        (rest[0] + rest[-1]) / 2, 136, NOT_RUN, "muted small", "middle"
    )


def down(picture: Picture, calls: list[dict], literal: str) -> None:
    """For a phone: a row a call."""
    first, step = 66, 58
    middles = [first + step * place + step / 2 for place in range(len(calls))]
    bottom = first + step * len(calls)
    picture.lane(50, 0, 186, bottom)
    picture.lane(242, 0, 76, bottom, deep=True)
    picture.text(62, 22, said("python"), "strong small")
    picture.text(62, 46, "trainer.n", "state small")
    picture.text(280, 22, PROGRAM, "strong small", "middle")
    begin = first - 10
    for number, (middle, call) in enumerate(
        zip(middles, calls, strict=True), start=1
    ):
        picture.text(0, middle + 5, said("call", number=number), "small muted")
        if call["before"] != call["after"]:
            picture.box(
                62, begin, 32, middle - begin - 2, str(call["before"]), "state"
            )
            begin = middle + 2
        if call["ran"]:
            body = picture.box(
                120, middle - 17, 104, 34, "self.n += 1", "trace", "small"
            )
            picture.arrow(body.left, (95, middle), kind="state")
            picture.arrow(body.right, (259, middle), kind="trace")
        program = picture.box(
            260, middle - 15, 40, 30, literal, "static", "strong"
        )
        picture.arrow(program.right, (336, middle), kind="data")
        picture.text(
            346, middle + 5, str(call["returned"]), "strong", "middle"
        )
    picture.box(
        62,
        begin,
        32,
        bottom - 10 - begin,
        str(calls[-1]["after"]),
        "state",
        "strong",
    )
    rest = [
        m for m, call in zip(middles, calls, strict=True) if not call["ran"]
    ]
    picture.text(
        168, (rest[0] + rest[-1]) / 2, NOT_RUN, "muted small", "middle"
    )
