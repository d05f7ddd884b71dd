"""Three steps of one nn.scan: what each step gets of a state, in four ways."""

from itertools import pairwise

from workshop.picture import Picture

WAYS = {
    "mapped": (
        {"ko": "쌓기", "en": "mapped"},
        '`variable_axes={"params": 0}`',
    ),
    "shared": (
        {"ko": "공유", "en": "shared"},
        '`variable_broadcast="params"`',
    ),
    "carried": (
        {"ko": "이어받기", "en": "carried"},
        '`variable_carry="batch_stats"`',
    ),
    "split": (
        {"ko": "나누기", "en": "split"},
        '`split_rngs={"dropout": True}`',
    ),
}
WHAT = {
    "mapped": {"ko": "가중치", "en": "weight"},
    "shared": {"ko": "가중치", "en": "weight"},
    "carried": {"ko": "카운트", "en": "count"},
    "split": {"ko": "키", "en": "key"},
}


def values() -> dict:
    """Scan a module with one state of each kind; note what each step reads."""
    import jax
    import jax.numpy as jnp
    from flax import linen as nn

    class Step(nn.Module):
        @nn.compact
        def __call__(self, carry, _):
            w = self.param("w", jax.random.normal, ())
            n = self.variable("batch_stats", "n", lambda: jnp.int32(0))
            before = n.value
            if not self.is_initializing():
                n.value += 1
            key = self.make_rng("dropout")
            drawn = jax.random.randint(key, (), 0, 100)
            return carry, {
                "w": w,
                "before": before,
                "after": n.value,
                "drawn": drawn,
            }

    def run(**kinds):
        class Model(nn.Module):
            @nn.compact
            def __call__(self):
                step = Step(name="step")
                if self.is_initializing():
                    step(None, None)
                lifted = nn.scan(
                    lambda step, carry, _: step(carry, None), length=3, **kinds
                )
                return lifted(step, None, None)[1]

        keys = {"params": jax.random.key(1), "dropout": jax.random.key(2)}
        split = {"params": jax.random.split(keys["params"], 3)}
        init = lambda key: Step().init(keys | {"params": key}, None, None)
        if "variable_axes" in kinds:
            params = jax.vmap(init)(split["params"])["params"]
        else:
            params = init(keys["params"])["params"]
        variables = {
            "params": {"step": params},
            "batch_stats": {"step": {"n": jnp.int32(0)}},
        }
        rngs = {"dropout": keys["dropout"]}
        out, new = Model().apply(variables, rngs=rngs, mutable=["batch_stats"])
        return out, int(new["batch_stats"]["step"]["n"])

    rest = {"variable_carry": "batch_stats", "split_rngs": {"dropout": True}}
    own, count = run(variable_axes={"params": 0}, **rest)
    shared, _ = run(variable_broadcast="params", **rest)
    texts = lambda numbers: [f"{float(n):.1f}" for n in numbers]
    counts = [int(n) for n in own["before"]] + [count]
    return {
        "mapped": texts(own["w"]),
        "split": [str(int(n)) for n in own["drawn"]],
        "shared": texts(shared["w"]),
        "carried": [str(n) for n in counts],
    }


def draw(picture: Picture, values: dict) -> None:
    """Four panels: two and two on a desk, below each other on a phone."""
    for place, (way, numbers) in enumerate(values.items()):
        across = 1 if picture.narrow else 2
        left = 352 * (place % across)
        top = 196 * (place // across)
        panel(picture, left, top, way, numbers)


def panel(
    picture: Picture, left: float, top: float, way: str, numbers: list
) -> None:
    """The state outside, and the three steps in the lane of the scan."""
    name, option = WAYS[way]
    width = 336
    picture.text(left, top + 16, name, "strong")
    picture.text(
        left + width,
        top + 16,
        {"ko": option, "en": option},
        "muted small",
        "end",
    )
    picture.lane(left, top + 92, width, 72, deep=True)
    places = [left + 24 + 104 * n for n in range(3)]
    steps = [
        picture.box(
            x,
            top + 112,
            80,
            34,
            f"{numbers[n]} → {numbers[n + 1]}"
            if way == "carried"
            else numbers[n],
            "trace",
            "strong",
        )
        for n, x in enumerate(places)
    ]
    if way == "carried":
        first = picture.box(places[0], top + 34, 80, 32, numbers[0], "state")
        last = picture.box(places[2], top + 34, 80, 32, numbers[-1], "state")
        picture.arrow(
            (first.bottom[0], first.bottom[1] + 2),
            (steps[0].top[0], steps[0].y - 2),
            kind="state",
        )
        for one, next_one in pairwise(steps):
            picture.arrow(
                (one.right[0] + 1, one.right[1]),
                (next_one.x - 1, next_one.left[1]),
                kind="state",
            )
        picture.arrow(
            (steps[2].top[0], steps[2].y - 2),
            (last.bottom[0], last.bottom[1] + 2),
            kind="back",
        )
        picture.text(
            left + width / 2, top + 54, WHAT[way], "muted small", "middle"
        )
        return
    own = way == "mapped"
    for n, step in enumerate(steps):
        if own:
            box = picture.box(places[n], top + 34, 80, 32, numbers[n], "state")
            start = (box.bottom[0], box.bottom[1] + 2)
        elif n == 0:
            middle = left + width / 2
            text = numbers[0] if way == "shared" else WHAT[way]
            box = picture.box(middle - 46, top + 34, 92, 32, text, "state")
        if not own:
            spread = 26 if way == "split" else 0
            start = (left + width / 2 + (n - 1) * spread, box.bottom[1] + 2)
        picture.arrow(start, (step.top[0], step.y - 2), kind="state")
