"""A batch in four parts, under two named axes: what is normalized with whose mean and variance."""

from workshop.picture import Picture

PARTS = {"ko": "부분", "en": "part"}
OWN = 'axis_name="example"'
BOTH = 'axis_name=("device", "example")'


def values() -> dict:
    """Normalize under two vmaps; momentum 0 keeps the statistics of the batch itself."""
    import jax
    import jax.numpy as jnp
    from flax import linen as nn

    offsets = jnp.array([0.0, 2.0, 4.0, 6.0])[:, None, None]
    parts = offsets + jax.random.normal(jax.random.key(3), (4, 32, 1))
    variables = nn.BatchNorm(True).init(jax.random.key(1), parts[0, 0])

    def statistics(name) -> list:
        norm = nn.BatchNorm(False, momentum=0.0, axis_name=name)
        call = lambda x: norm.apply(variables, x, mutable=["batch_stats"])[1]
        inner = jax.vmap(call, axis_name="example")
        new = jax.vmap(inner, axis_name="device")(parts)["batch_stats"]
        pairs = zip(new["mean"][:, 0, 0], new["var"][:, 0, 0], strict=True)
        return [[f"{mean:.1f}", f"{var:.1f}"] for mean, var in pairs]

    return {
        "example": statistics("example"),
        "both": statistics(("device", "example")),
    }


def draw(picture: Picture, values: dict) -> None:
    """The parts stand side by side; a shared statistic spans them."""
    left, wide = (0, 89) if picture.narrow else (60, 150)
    lane = wide - 12
    for place in range(4):
        middle = left + wide * (place + 0.5)
        words = {
            language: f"{word} {place + 1}" for language, word in PARTS.items()
        }
        picture.text(middle, 16, words, "small muted", "middle")
        picture.box(middle - lane / 2, 26, lane, 34, "32 × 1", "data", "small")
    for number, name in enumerate((OWN, BOTH)):
        y = 92 + number * 108
        picture.text(left + 6, y, name, "strong small")
    for place, (mean, var) in enumerate(values["example"]):
        middle = left + wide * (place + 0.5)
        text = f"mean {mean}\nvar {var}"
        picture.box(middle - lane / 2, 104, lane, 58, text, "plain", "small")
    same = {tuple(pair) for pair in values["both"]}
    mean, var = same.pop() if len(same) == 1 else ("?", "?")
    whole = wide * 4 - 12
    picture.box(
        left + 6, 212, whole, 42, f"mean {mean}   var {var}", "state", "small"
    )
