"""A write to an array with two names: in NumPy, in JAX without an assignment, and with one."""

from workshop.picture import Picture

TITLES = {
    "numpy": {"ko": "NumPy", "en": "NumPy"},
    "dropped": {"ko": "JAX, 대입하지 않음", "en": "JAX, not assigned"},
    "assigned": {"ko": "JAX, `x`에 다시 대입함", "en": "JAX, assigned to `x`"},
}
CODE = {
    "numpy": "x[1] = 5",
    "dropped": "x.at[1].set(5)",
    "assigned": "x = x.at[1].set(5)",
}


def values() -> dict:
    """Make each write; note the arrays there are, and which of them each name refers to."""
    import jax.numpy as jnp
    import numpy as np

    def shown(made: list, x, y) -> dict:
        arrays = []
        for array in made:
            if not any(array is known for known in arrays):
                arrays.append(array)
        place = lambda named: next(
            n for n, array in enumerate(arrays) if array is named
        )
        texts = [" ".join(f"{v:.0f}" for v in array) for array in arrays]
        return {"arrays": texts, "x": place(x), "y": place(y)}

    cases = {}
    x = y = np.zeros(3)
    x[1] = 5
    cases["numpy"] = shown([x, y], x, y)
    x = y = jnp.zeros(3)
    result = x.at[1].set(5)
    cases["dropped"] = shown([x, result], x, y)
    x = y = jnp.zeros(3)
    x = x.at[1].set(5)
    cases["assigned"] = shown([y, x], x, y)
    return cases


def draw(picture: Picture, values: dict) -> None:
    """A panel a case: across on a desk, one below the other on a phone."""
    width = picture.width if picture.narrow else 220
    for place, (case, found) in enumerate(values.items()):
        x, y = (0, 194 * place) if picture.narrow else (234 * place, 0)
        panel(picture, x, y, width, case, found)


def panel(
    picture: Picture, x: float, y: float, width: float, case: str, found: dict
) -> None:
    """The names on one side, the arrays that there are on the other."""
    picture.lane(x, y, width, 182)
    picture.text(x + 14, y + 25, TITLES[case], "strong")
    picture.text(x + 14, y + 48, CODE[case])
    boxes = []
    for place, array in enumerate(found["arrays"]):
        held = place in (found["x"], found["y"])
        kind = "state" if place == 0 else "back" if held else "lost"
        left, top = x + width - 104, y + 68 + 56 * place
        boxes.append(picture.box(left, top, 90, 32, array, kind, "strong"))
    apart = found["x"] != found["y"]
    for place, name in enumerate("yx"):
        box = picture.box(
            x + 14, y + 68 + 56 * place, 40, 32, name, "plain", round_by=16
        )
        aim = boxes[found[name]]
        shift = 0 if apart else (-6, 6)[place]
        begin = (box.right[0] + 2, box.right[1] + (0 if place else shift))
        end = (aim.x - 3, aim.left[1] + shift)
        kind = "back" if found[name] else "state"
        picture.arrow(begin, end, kind=kind)
