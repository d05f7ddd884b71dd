"""The keys of a training loop: from the seed to the purposes, the steps, the examples and their masks."""

from workshop.picture import Picture

SEED = {"ko": "시드", "en": "seed"}
PURPOSE = {"ko": "용도", "en": "purpose"}
STEP = {"ko": "스텝", "en": "step"}
EXAMPLE = {"ko": "예제", "en": "example"}
MASK = {"ko": "마스크", "en": "mask"}


def values() -> dict:
    """Make the keys; a key is shown by four digits of its data."""
    import jax

    short = lambda key: f"{int(jax.random.key_data(key)[-1]) & 0xFFFF:04x}"

    def mask(key):
        kept = jax.random.bernoulli(key, 0.5, (6,))
        return "".join("1" if each else "0" for each in kept)

    seed_key = jax.random.key(3)
    names = ("data", "init", "dropout")
    purposes = jax.random.split(seed_key, 3)
    steps = []
    for step in range(2):
        step_key = jax.random.fold_in(purposes[2], step)
        examples = [
            {"key": short(key), "mask": mask(key)}
            for key in jax.random.split(step_key, 2)
        ]
        steps.append({"key": short(step_key), "examples": examples})
    return {
        "seed": short(seed_key),
        "purposes": {
            n: short(k) for n, k in zip(names, purposes, strict=True)
        },
        "steps": steps,
    }


def draw(picture: Picture, values: dict) -> None:
    """A tree that grows to the right on a desk; indented lines on a phone."""
    (down if picture.narrow else across)(picture, values)


def across(picture: Picture, values: dict) -> None:
    """For a desk: a column a level, and between columns what makes the next one."""
    lefts, wide, high, row, top = (1, 152, 310, 444, 594), 66, 30, 48, 64
    heads = (SEED, PURPOSE, STEP, EXAMPLE, MASK)
    for left, words in zip(lefts, heads, strict=True):
        picture.text(left, 18, words, "strong")
    for x, call in (
        (73, "split"),
        (232, "fold_in"),
        (382, "split"),
        (514, "bernoulli"),
    ):
        picture.text(x, 40, call, "small muted")
    place = lambda line: top + line * row
    seed = picture.box(
        lefts[0], place(2.5), wide, high, values["seed"], "state"
    )
    for (name, key), line in zip(
        values["purposes"].items(), (0, 1.15, 3.5), strict=True
    ):
        picture.text(lefts[1], place(line) - 6, name, "small")
        kind = "state" if name == "dropout" else "plain"
        box = picture.box(lefts[1], place(line), wide, high, key, kind)
        picture.branch(seed, box, turn=16)
        if name != "dropout":
            continue
        for number, step in enumerate(values["steps"]):
            first = 2 + 2 * number
            own = picture.box(
                lefts[2],
                place(first + 0.5),
                wide,
                high,
                step["key"],
                "trace",
            )
            picture.branch(box, own, turn=16)
            picture.text(
                lefts[2] - 24,
                place(first + 0.5) + 20,
                str(number),
                "small",
                ground="paper",
            )
            for shift, example in enumerate(step["examples"]):
                y = place(first + shift)
                leaf = picture.box(
                    lefts[3], y, wide, high, example["key"], "trace"
                )
                picture.branch(own, leaf, turn=16)
                mask = picture.box(
                    lefts[4], y, 84, high, example["mask"], "data"
                )
                picture.arrow(
                    (leaf.right[0] + 2, leaf.right[1]),
                    (mask.x - 2, mask.left[1]),
                    kind="data",
                )


def down(picture: Picture, values: dict) -> None:
    """For a phone: a line a key, indented by its level."""
    row, wide, high, indent = 38, 60, 28, 34
    lines: list[tuple[int, str, str, str, str]] = [
        (0, values["seed"], "state", "key(3)", "")
    ]
    for name, key in values["purposes"].items():
        kind = "state" if name == "dropout" else "plain"
        lines.append((1, key, kind, f"split: {name}", ""))
    for number, step in enumerate(values["steps"]):
        lines.append((2, step["key"], "trace", f"fold_in {number}", ""))
        for shift, example in enumerate(step["examples"]):
            lines.append(
                (
                    3,
                    example["key"],
                    "trace",
                    f"split[{shift}]",
                    example["mask"],
                )
            )
    parents: dict[int, float] = {}
    for place, (level, key, kind, words, mask) in enumerate(lines):
        x, y = 1 + level * indent, 2 + place * row
        box = picture.box(x, y, wide, high, key, kind, "small")
        picture.text(x + wide + 8, y + 18, words, "small muted")
        if level:
            trunk = 1 + (level - 1) * indent + 16
            picture.line(
                (trunk, parents[level - 1]), (trunk, y + 14), (x - 1, y + 14)
            )
        parents[level] = y + high + 1
        if mask:
            picture.box(278, y, 74, high, mask, "data", "small")
            picture.arrow(
                (250, box.right[1]), (276, box.right[1]), kind="data"
            )
