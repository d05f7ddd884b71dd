"""Five calls with batches of two sizes: two traces, and which program returns which number."""

from workshop.picture import Picture, fill, said

FOR = {"ko": "예제 {size}개용\n프로그램", "en": "program for\n{size} examples"}
PROGRAMS = {"ko": "프로그램", "en": "programs"}
FOR_NARROW = {"ko": "{size}개용", "en": "for {size}"}


def values() -> dict:
    """Call the jitted step of the trainer with both sizes and note each call."""
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
    for size in (4, 4, 2, 4, 2):
        ran, before = len(runs), trainer.n
        params, (n, _) = step(params, batch(size))
        calls.append(
            {"size": size, "ran": len(runs) - ran, "before": before}
            | {"after": trainer.n, "returned": int(n)}
        )
    programs = {}
    for size in (4, 2):
        number = step.trace(params, batch(size)).jaxpr.jaxpr.outvars[1]
        programs[str(size)] = str(int(number.val))
    return {"calls": calls, "literals": programs}


def draw(picture: Picture, values: dict) -> None:
    """Three lanes: time runs to the right on a desk and downwards on a phone."""
    (down if picture.narrow else across)(
        picture, values["calls"], values["literals"]
    )


def across(picture: Picture, calls: list[dict], literals: dict) -> None:
    """For a desk: a column a call."""
    first, step = 152, 106
    middles = [first + step * place + step / 2 for place in range(len(calls))]
    picture.lane(0, 46, 688, 138)
    picture.text(16, 73, said("python"), "strong")
    picture.text(16, 105, "trainer.n", "state")
    picture.text(16, 158, said("trace"), "muted")
    tops = {}
    for place, size in enumerate(literals):
        tops[size] = 194 + 78 * place
        picture.lane(0, tops[size], 688, 70, deep=True)
        picture.text(16, tops[size] + 31, fill(FOR, size=size), "strong")
    picture.text(16, 382, said("returned"), "muted")
    begin = first - 12
    for number, (middle, call) in enumerate(
        zip(middles, calls, strict=True), start=1
    ):
        size = str(call["size"])
        picture.text(
            middle, 15, said("call", number=number), "small muted", "middle"
        )
        picture.text(middle, 34, f"batch({size})", "small", "middle")
        program = picture.box(
            middle - 28,
            tops[size] + 18,
            56,
            34,
            literals[size],
            "static",
            "strong",
        )
        if call["ran"]:
            end = middle - begin - 2
            picture.box(begin, 85, end, 30, str(call["before"]), "state")
            begin = middle + 2
            body = picture.box(
                middle - 60, 135, 120, 36, "self.n += 1", "trace"
            )
            picture.arrow(body.top, (middle, 116), kind="state")
            picture.arrow(body.bottom, program.top, kind="trace")
        picture.arrow(program.bottom, (middle, 364), kind="data")
        picture.text(middle, 382, str(call["returned"]), "strong", "middle")
    last = str(calls[-1]["after"])
    picture.box(begin, 85, 674 - begin, 30, last, "state", "strong")


def down(picture: Picture, calls: list[dict], literals: dict) -> None:
    """For a phone: a row a call."""
    first, step = 58, 58
    middles = [first + step * place + step / 2 for place in range(len(calls))]
    bottom = first + step * len(calls)
    picture.lane(64, 0, 142, bottom)
    picture.text(76, 22, said("python"), "strong small")
    picture.text(76, 44, "trainer.n", "state small")
    picture.lane(210, 0, 116, bottom, deep=True)
    picture.text(268, 22, PROGRAMS, "strong small", "middle")
    across = {}
    for place, size in enumerate(literals):
        across[size] = 238 + 60 * place
        picture.text(
            across[size], 44, fill(FOR_NARROW, size=size), "small", "middle"
        )
    picture.line((268, 34), (268, bottom))
    begin = first
    for number, (middle, call) in enumerate(
        zip(middles, calls, strict=True), start=1
    ):
        size = str(call["size"])
        picture.text(0, middle - 3, said("call", number=number), "small muted")
        picture.text(0, middle + 15, f"batch({size})", "small")
        program = picture.box(
            across[size] - 20,
            middle - 15,
            40,
            30,
            literals[size],
            "static",
            "strong",
        )
        if call["ran"]:
            end = middle - begin - 2
            picture.box(72, begin, 26, end, str(call["before"]), "state")
            begin = middle + 2
            body = picture.box(
                111, middle - 17, 92, 34, "self.n += 1", "trace", "small"
            )
            picture.arrow(body.left, (99, middle), kind="state")
            picture.arrow(body.right, program.left, kind="trace")
        picture.arrow(program.right, (338, middle), kind="data")
        picture.text(
            348, middle + 5, str(call["returned"]), "strong", "middle"
        )
    last = str(calls[-1]["after"])
    picture.box(72, begin, 26, bottom - 8 - begin, last, "state", "strong")
