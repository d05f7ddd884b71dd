"""The running mean in one training call: three Variables, and which of them gets the new value."""

from workshop.picture import Picture, fill

OWNERS = [
    {"ko": "원래 모델", "en": "yours"},
    {"ko": "스텝", "en": "the step's"},
    {"ko": "손실 함수", "en": "the loss's"},
]
LATER = {"ko": "200번 뒤 `{value}`", "en": "after 200: `{value}`"}


def values() -> dict:
    """Train with each transformation inside nnx.jit; note the first component of each mean."""
    import jax
    import jax.numpy as jnp
    import optax
    from flax import nnx

    x = 3 + jax.random.normal(jax.random.key(0), (64, 3))
    y = x @ jnp.array([2.0, -1.0, 0.5]) - 4

    class Regressor(nnx.Module):
        def __init__(self):
            self.mean = nnx.BatchStat(jnp.zeros(3))
            self.w = nnx.Param(jnp.ones(3))
            self.b = nnx.Param(jnp.zeros(()))

        def __call__(self, x):
            mean = x.mean(axis=0)
            self.mean[...] = 0.9 * self.mean + 0.1 * mean
            return (x - mean) @ self.w + self.b

    def loss_fn(model, x, y):
        loss = jnp.mean((model(x) - y) ** 2)
        return loss, model.mean[...]

    def means(transform) -> dict:
        @nnx.jit
        def step(model, optimizer, x, y):
            (_, inner), grads = transform(loss_fn, has_aux=True)(model, x, y)
            optimizer.update(model, nnx.state(grads, nnx.Param))
            return inner, model.mean[...]

        model = Regressor()
        optimizer = nnx.Optimizer(model, optax.adam(0.1), wrt=nnx.Param)
        before = float(model.mean[0])
        inner, outer = step(model, optimizer, x, y)
        after = [float(mean[0]) for mean in (model.mean[...], outer, inner)]
        for _ in range(199):
            step(model, optimizer, x, y)
        later = float(model.mean[0])
        return {
            "before": short(before),
            "after": [short(a) for a in after],
            "later": short(later),
        }

    ways = {
        "jax.value_and_grad": jax.value_and_grad,
        "nnx.value_and_grad": nnx.value_and_grad,
    }
    return {name: means(transform) for name, transform in ways.items()}


def short(number: float) -> str:
    """Two decimals, and a plain 0."""
    return f"{number:.2f}" if number else "0"


def draw(picture: Picture, values: dict) -> None:
    """Each way is a row on a desk, from outside to inside, and a column on a phone."""
    for place, (name, way) in enumerate(values.items()):
        (down if picture.narrow else across)(picture, place, name, way)


def across(picture: Picture, place: int, name: str, way: dict) -> None:
    """For a desk: the insides stand in each other, the innermost at the end of the row."""
    top = place * 156
    picture.lane(164, top, 524, 144)
    picture.lane(400, top + 34, 276, 98, deep=True)
    picture.text(180, top + 23, "nnx.jit", "strong small")
    picture.text(416, top + 55, name, "strong small")
    corners = [(14, top + 70), (220, top + 70), (482, top + 70)]
    boxes = three_means(picture, corners, way)
    for owner, box in zip(OWNERS[:2], boxes, strict=False):
        picture.text(box.middle[0], top + 58, owner, "small muted", "middle")
    picture.text(boxes[2].right[0] + 8, top + 92, OWNERS[2], "small muted")
    picture.text(
        boxes[0].middle[0],
        top + 130,
        fill(LATER, value=way["later"]),
        "small",
        "middle",
    )
    for outer, inner, wrote in pairs(boxes, way):
        picture.arrow(
            (outer.right[0] + 2, top + 80),
            (inner.x - 2, top + 80),
            kind="data",
        )
        if wrote:
            picture.arrow(
                (inner.x - 2, top + 96),
                (outer.right[0] + 2, top + 96),
                kind="back",
            )


def down(picture: Picture, place: int, name: str, way: dict) -> None:
    """For a phone: the insides stand below each other; no arrow crosses their names."""
    left = place * 182
    middle = left + 88
    picture.lane(left, 84, 176, 266)
    picture.lane(left + 8, 188, 160, 132, deep=True)
    corners = [(left + 42, 26), (left + 42, 130), (left + 42, 234)]
    boxes = three_means(picture, corners, way)
    for owner, box in zip(OWNERS, boxes, strict=True):
        picture.text(middle, box.y - 9, owner, "small muted", "middle")
    picture.text(middle, 310, name, "strong small", "middle")
    picture.text(middle, 340, "nnx.jit", "strong small", "middle")
    for outer, inner, wrote in pairs(boxes, way):
        top, bottom = outer.bottom[1] + 2, inner.y - 2
        picture.arrow((middle - 40, top), (middle - 40, bottom), kind="data")
        if wrote:
            picture.arrow(
                (middle + 40, bottom), (middle + 40, top), kind="back"
            )
    picture.text(
        middle, 372, fill(LATER, value=way["later"]), "small", "middle"
    )


def three_means(picture: Picture, corners: list, way: dict) -> list:
    """The Variables from outside to inside, with the mean before and after the call."""
    boxes = []
    for place, ((x, y), after) in enumerate(
        zip(corners, way["after"], strict=True)
    ):
        wrote = after != way["before"]
        text = f"{way['before']} → {after}" if wrote else after
        alone = wrote and place and way["after"][place - 1] == way["before"]
        kind = "lost" if alone else "trace" if place else "state"
        boxes.append(picture.box(x, y, 92, 36, text, kind, "strong"))
    return boxes


def pairs(boxes: list, way: dict) -> list:
    """Neighbors, and whether the outer one got the new value."""
    wrote = [after != way["before"] for after in way["after"]]
    return list(zip(boxes, boxes[1:], wrote, strict=False))
