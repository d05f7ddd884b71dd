"""One key for two functions, and a key for each: the keys and the first numbers drawn with them."""

from workshop.picture import Picture

HEADS = [
    {"ko": "키 하나를 두 함수에", "en": "One key for both"},
    {"ko": "함수마다 키 하나", "en": "A key for each"},
]
SAME = ["= x[0]", {"ko": "= 2×잡음", "en": "= 2×noise"}]
NOISE = {"ko": "2×잡음", "en": "2×noise"}


def values() -> dict:
    """Split the keys as the chapter's functions do; a key is shown by its last digits."""
    import jax

    short = lambda key: f"{int(jax.random.key_data(key)[-1]) & 0xFFFF:04x}"

    def uses(key):
        return {
            "key": short(key),
            "drawn": [
                {
                    "key": short(new),
                    "number": f"{jax.random.normal(new):.2f}",
                }
                for new in jax.random.split(key)
            ],
        }

    root = jax.random.key(42)
    data_key, init_key = jax.random.split(root)
    return {
        "root": short(root),
        "trees": [
            [uses(root), uses(root)],
            [uses(data_key), uses(init_key)],
        ],
    }


def draw(picture: Picture, values: dict) -> None:
    """Two trees that grow to the right, one below the other."""
    narrow = picture.narrow
    wide, high, row = (56, 28, 40) if narrow else (66, 30, 42)
    lefts = (1, 72, 158, 226) if narrow else (1, 150, 300, 430)
    top = 40
    for number, tree in enumerate(values["trees"]):
        picture.text(1, top - 22, HEADS[number], "strong")
        first = top + 10
        root = picture.box(
            lefts[0], first + 1.75 * row, wide, high, values["root"], "state"
        )
        for place, (name, uses) in enumerate(
            zip(("make_data", "init"), tree, strict=True)
        ):
            y = first + 2.25 * row * place
            own = picture.box(
                lefts[1], y + row / 2, wide, high, uses["key"], "state"
            )
            picture.text(lefts[1], y + row / 2 - 8, name, "small")
            picture.branch(root, own)
            for line, drawn in enumerate(uses["drawn"]):
                new = picture.box(
                    lefts[2], y + line * row, wide, high, drawn["key"]
                )
                picture.branch(own, new)
                leaf(picture, lefts[3], new, drawn, place, line, number == 0)
        top = first + 4.25 * row + 44


def leaf(picture, x, new, drawn, place, line, reused) -> None:
    """What is drawn with a key, what it's for, and whether it was drawn before."""
    wide = 52 if picture.narrow else 62
    box = picture.box(x, new.y, wide, new.height, drawn["number"], "data")
    picture.arrow(
        (new.right[0] + 2, new.right[1]), (box.x - 2, box.left[1]), kind="data"
    )
    label = (("x[0]", NOISE), ("weight", "bias"))[place][line]
    after = x + wide + 7
    twice = reused and place == 1
    if picture.narrow:
        up = box.middle[1] - 3 if twice else box.middle[1] + 5
        picture.text(after, up, label, "small")
        if twice:
            picture.text(after, up + 16, SAME[line], "small lost")
        return
    picture.text(after, box.middle[1] + 5, label, "small")
    if twice:
        picture.text(after + 62, box.middle[1] + 5, SAME[line], "strong lost")
