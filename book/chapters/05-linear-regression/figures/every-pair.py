"""Squared residuals of four points of 128: a table of every prediction with every target."""

from workshop.picture import Picture, fill

TARGETS = {"ko": "정답 `y`", "en": "targets `y`"}
PREDICTIONS = {"ko": "예측값", "en": "predictions"}
SHORT = {"ko": "예측값", "en": "predicts"}
LINES = [
    ("good", {"ko": "잘 맞는 직선", "en": "the line that fits"}),
    ("flat", {"ko": "평평한 직선", "en": "the flat line"}),
]
OWN = {"ko": "자기 짝 128칸", "en": "128 own pairs"}
ALL = {"ko": "모든 16,384칸", "en": "all 16,384 pairs"}
MORE = {
    "ko": "제곱 잔차, 점 {count}개 중 네 개",
    "en": "squared residuals, 4 of {count} points",
}


def values() -> dict:
    """Fit the points with equal shapes, and compare with the flat line."""
    import jax
    import jax.numpy as jnp

    x_key, noise_key = jax.random.split(jax.random.key(0))
    x = jax.random.normal(x_key, (128, 1))
    y = 2 * x[:, 0] - 1 + 0.5 * jax.random.normal(noise_key, (128,))
    design = jnp.concatenate([x, jnp.ones_like(x)], axis=1)
    found = jnp.linalg.lstsq(design, y[:, None])[0]
    fits = {"good": design @ found, "flat": jnp.full((128, 1), y.mean())}
    means = {
        name: {
            "own": f"{jnp.mean((fit[:, 0] - y) ** 2):.2f}",
            "all": f"{jnp.mean((fit - y) ** 2):.2f}",
        }
        for name, fit in fits.items()
    }
    table = (fits["good"][:4] - y[:4]) ** 2
    one = lambda row: [f"{number:.1f}" for number in row]
    return {
        "predictions": one(fits["good"][:4, 0]),
        "targets": one(y[:4]),
        "table": [one(row) for row in table],
        "count": str((fits["good"] - y).shape[0]),
        "means": means,
    }


def draw(picture: Picture, values: dict) -> None:
    """The table, and the two means of each line beside it, or below it on a phone."""
    narrow = picture.narrow
    left, top = (62 if narrow else 84), 50
    across, down, wide, high = (62, 38, 56, 32) if narrow else (68, 42, 60, 34)
    picture.text(left, 16, TARGETS, "small strong")
    picture.text(1, 38, SHORT if narrow else PREDICTIONS, "small strong")
    for number, target in enumerate(values["targets"]):
        middle = left + number * across + wide / 2
        picture.text(middle, 38, target, "small", "middle")
    for row, numbers in enumerate(values["table"]):
        y = top + row * down
        picture.text(
            left - 12, y + 21, values["predictions"][row], "small", "end"
        )
        for column, number in enumerate(numbers):
            kind = "state" if row == column else "data"
            look = "strong" if row == column else "small"
            picture.box(
                left + column * across, y, wide, high, number, kind, look
            )
    below = top + 4 * down + 14
    picture.text(left, below, fill(MORE, count=values["count"]), "small muted")
    x, y = (1, below + 34) if narrow else (400, 62)
    for name, words in LINES:
        means = values["means"][name]
        picture.text(x, y, words, "strong")
        for line, (label, which) in enumerate(((OWN, "own"), (ALL, "all"))):
            at = y + 12 + line * 40
            kind = "state" if which == "own" else "data"
            picture.box(x, at, 70, 30, means[which], kind, "strong")
            picture.text(x + 82, at + 20, label, "small")
        y += 118
