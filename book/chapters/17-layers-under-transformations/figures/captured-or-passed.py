"""Draws of four steps under nn.scan: one key for all, or a key for each."""

from workshop.picture import Picture

TITLES = {
    "captured": {"ko": "캡처한 레이어", "en": "captured layer"},
    "passed": {"ko": "인수로 넘긴 레이어", "en": "layer passed in"},
}
ONE = {"ko": "키 하나", "en": "one key"}
SPLIT = {"ko": "키를 나눔", "en": "split keys"}
STEP = {"ko": "스텝마다 뽑은 수", "en": "each step's draw"}


def values() -> dict:
    """Run the chapter's program; note what each name draws."""
    import jax
    from flax import linen as nn

    class Draw(nn.Module):
        def __call__(self):
            return jax.random.randint(self.make_rng("dropout"), (), 0, 100)

    class Draws(nn.Module):
        @nn.compact
        def __call__(self):
            draw = Draw()

            def step(module, carry, _):
                return carry, {"captured": draw(), "passed": module()}

            scan = nn.scan(step, length=4, split_rngs={"dropout": True})
            return scan(draw, None, None)[1]

    draws = Draws().apply({}, rngs={"dropout": jax.random.key(4)})
    return {
        name: [int(n) for n in draws[name]] for name in ("captured", "passed")
    }


def draw(picture: Picture, values: dict) -> None:
    """A panel a form: beside each other on a desk, below each other on a phone."""
    for place, (name, draws) in enumerate(values.items()):
        left = 0 if picture.narrow else 352 * place
        top = 246 * place if picture.narrow else 0
        panel(picture, left, top, name, draws)


def panel(
    picture: Picture, left: float, top: float, name: str, draws: list
) -> None:
    """The key outside, the scan's lane below it, and a box for each step."""
    width, split = 336, len(set(draws)) > 1
    middle = left + width / 2
    picture.text(left, top + 18, TITLES[name], "strong")
    key = picture.box(middle - 60, top + 30, 120, 36, "dropout key", "state")
    picture.lane(left, top + 92, width, 128, deep=True)
    picture.text(left + 14, top + 115, "nn.scan", "strong small")
    picture.text(
        left + width - 14,
        top + 18,
        SPLIT if split else ONE,
        "muted small",
        "end",
    )
    places = [left + 12 + 80 * n for n in range(len(draws))]
    for n, (x, number) in enumerate(zip(places, draws, strict=True)):
        box = picture.box(
            x,
            top + 146,
            72,
            38,
            str(number),
            "trace" if split else "static",
            "strong",
        )
        start = middle + (n - 1.5) * (26 if split else 0)
        picture.arrow(
            (start, key.bottom[1] + 2), (box.top[0], box.y - 2), kind="state"
        )
    picture.text(middle, top + 207, STEP, "muted small", "middle")
