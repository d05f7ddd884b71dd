"""A neuron that is tuned with a static self: its bias, the key of each call, and the program."""

from workshop.picture import Picture, fill

OBJECT = {"ko": "객체의 `b`", "en": "`b` of the object"}
KEY = {"ko": "키의 `self`", "en": "`self` in the key"}
PROGRAM = {"ko": "프로그램의 `b`", "en": "`b` in the program"}
RETURNS = {"ko": "반환한 평균", "en": "mean returned"}
SAME = {"ko": "같은 객체", "en": "same object"}
STEP = {"ko": "스텝 {number}", "en": "step {number}"}


def values() -> dict:
    """Tune the neuron and note each of four steps; read the constant off the program."""
    from functools import partial

    import jax
    import jax.numpy as jnp

    x = jnp.linspace(-1.0, 2.0, 7)
    read = []

    class Neuron:
        def __init__(self):
            self.b = jnp.float32(0)

        @partial(jax.jit, static_argnums=0)
        def act(self, x):
            read.append(f"{self.b:.2f}")
            return jnp.tanh(x + self.b)

    neuron, steps = Neuron(), []
    for number in range(1, 201):
        before, mean = neuron.b, neuron.act(x).mean()
        neuron.b = neuron.b + 0.1 * (0.5 - mean)
        if number in (1, 2, 3, 200):
            steps.append(
                {"step": number, "b": f"{before:.2f}", "mean": f"{mean:.2f}"}
                | {"program": read[-1]}
            )
    return {"steps": steps, "traces": len(read)}


def draw(picture: Picture, values: dict) -> None:
    """Rows of values; a column a step."""
    steps, narrow = values["steps"], picture.narrow
    first = 124 if narrow else 168
    wide = (picture.width - first) / len(steps)
    size = "small" if narrow else ""
    rows = {"b": 40, "key": 100, "program": 178, "mean": 232}
    picture.lane(0, 26, picture.width, 120)
    picture.lane(0, 160, picture.width, 60, deep=True)
    for key, words in (
        ("b", OBJECT),
        ("key", KEY),
        ("program", PROGRAM),
        ("mean", RETURNS),
    ):
        picture.text(10, rows[key] + 20, words, "small")
    middles = []
    for number, step in enumerate(steps):
        middle = first + wide * (number + 0.5)
        middles.append(middle)
        picture.text(
            middle,
            15,
            fill(STEP, number=step["step"]),
            "small muted",
            "middle",
        )
        box = (wide - 10) if narrow else 78
        left = middle - box / 2
        picture.box(
            left, rows["b"], box, 30, step["b"], "state", size + " strong"
        )
        program = picture.box(
            left, rows["program"], box, 30, step["program"], "static", size
        )
        picture.text(
            middle, rows["mean"] + 20, step["mean"], "strong", "middle"
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
