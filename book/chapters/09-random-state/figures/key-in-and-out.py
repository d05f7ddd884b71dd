"""Three steps that draw a mask: with a key that stays, and with one that each step splits and returns."""

from workshop.picture import Picture

STAYS = {
    "ko": "스텝이 같은 `key`로 뽑음",
    "en": "each step draws with `key`",
}
SPLIT = {
    "ko": "스텝이 `key`를 분할해 하나를 반환",
    "en": "each step splits `key` and returns one half",
}
NARROW_STAYS = {"ko": "같은 `key`로\n뽑음", "en": "draws with\n`key`"}
NARROW_SPLIT = {
    "ko": "분할해\n하나를 반환",
    "en": "splits, and\nreturns one",
}
STEP = {"ko": "스텝 {number}", "en": "step {number}"}


def values() -> dict:
    """Draw masks of six units both ways; a key is shown by four digits of its data."""
    import jax

    short = lambda key: f"{int(jax.random.key_data(key)[-1]) & 0xFFFF:04x}"

    def mask(key):
        kept = jax.random.bernoulli(key, 0.5, (6,))
        return "".join("1" if each else "0" for each in kept)

    key = jax.random.key(3)
    key = jax.random.split(key, 3)[2]
    stays = {"key": short(key), "masks": [mask(key) for _ in range(3)]}
    keys, steps, masks = [short(key)], [], []
    for _ in range(3):
        key, step_key = jax.random.split(key)
        keys.append(short(key))
        steps.append(short(step_key))
        masks.append(mask(step_key))
    return {"stays": stays, "keys": keys, "step_keys": steps, "masks": masks}


def draw(picture: Picture, values: dict) -> None:
    """The two ways stand below each other on a desk, side by side on a phone."""
    (down if picture.narrow else across)(picture, values)


def across(picture: Picture, values: dict) -> None:
    """For a desk: time runs to the right; the key is a bar above the steps."""
    stays = values["stays"]
    picture.text(0, 18, STAYS, "strong")
    picture.box(1, 32, 682, 30, stays["key"], "state", "strong")
    for place, mask in enumerate(stays["masks"]):
        x = place * 232
        picture.lane(x, 76, 218, 106, deep=True)
        head(picture, x, 96, place)
        call = picture.box(x + 64, 106, 90, 26, "bernoulli", "plain", "small")
        out = picture.box(x + 69, 146, 80, 28, mask, "data")
        picture.arrow((x + 109, 63), call.top, kind="state")
        picture.arrow(call.bottom, out.top, kind="data")
    top = 222
    picture.text(0, top, SPLIT, "strong")
    bar, lane = top + 14, top + 64
    begin = 1.0
    for place, mask in enumerate(values["masks"]):
        x = place * 232
        end = x + 100
        picture.box(
            begin,
            bar,
            end - begin,
            30,
            values["keys"][place],
            "state",
            "strong",
        )
        begin = x + 112
        picture.lane(x, lane, 218, 146, deep=True)
        head(picture, x, lane + 20, place)
        call = picture.box(
            x + 72, lane + 22, 74, 26, "split", "plain", "small"
        )
        own = picture.box(
            x + 76,
            lane + 64,
            66,
            28,
            values["step_keys"][place],
            "trace",
            "strong",
        )
        out = picture.box(x + 69, lane + 110, 80, 28, mask, "data")
        picture.arrow((x + 88, bar + 31), (x + 88, lane + 21), kind="state")
        picture.arrow((x + 130, lane + 21), (x + 130, bar + 32), kind="back")
        picture.arrow(call.bottom, own.top, kind="trace")
        picture.arrow(own.bottom, out.top, kind="data")
    last = values["keys"][-1]
    picture.box(begin, bar, 684 - begin, 30, last, "state", "strong")


def head(picture: Picture, x: float, y: float, place: int) -> None:
    """Which step it is."""
    words = {code: text.format(number=place) for code, text in STEP.items()}
    picture.text(x + 10, y, words, "small muted")


def down(picture: Picture, values: dict) -> None:
    """For a phone: time runs downwards; the key is a bar beside the steps."""
    stays, row, top = values["stays"], 142, 52
    whole = 3 * row + 34
    picture.text(0, 16, NARROW_STAYS, "strong small")
    picture.text(178, 16, NARROW_SPLIT, "strong small")
    picture.box(1, top, 50, whole, stays["key"], "state", "strong small")
    begin = float(top)
    for place in range(3):
        y = top + place * row
        picture.lane(64, y + 6, 98, 128, deep=True)
        head(picture, 64, y + 24, place)
        call = picture.box(68, y + 34, 90, 26, "bernoulli", "plain", "small")
        mask = picture.box(
            76, y + 86, 74, 28, stays["masks"][place], "data", "small"
        )
        picture.arrow((52, y + 47), (67, y + 47), kind="state")
        picture.arrow(call.bottom, mask.top, kind="data")
        end = y + 44
        picture.box(
            179,
            begin,
            50,
            end - begin,
            values["keys"][place],
            "state",
            "strong small",
        )
        begin = y + 50
        picture.lane(250, y + 6, 106, 128, deep=True)
        head(picture, 250, y + 24, place)
        call = picture.box(268, y + 30, 70, 28, "split", "plain", "small")
        own = picture.box(
            272,
            y + 68,
            62,
            26,
            values["step_keys"][place],
            "trace",
            "strong small",
        )
        mask = picture.box(
            266, y + 104, 74, 26, values["masks"][place], "data", "small"
        )
        picture.arrow((230, y + 37), (267, y + 37), kind="state")
        picture.arrow((267, y + 53), (231, y + 53), kind="back")
        picture.arrow(call.bottom, own.top, kind="trace")
        picture.arrow(own.bottom, mask.top, kind="data")
    last = values["keys"][-1]
    picture.box(
        179, begin, 50, top + whole - begin, last, "state", "strong small"
    )
