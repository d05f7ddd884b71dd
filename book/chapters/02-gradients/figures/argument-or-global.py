"""Draws the opening's loss and the fixed one: from where a path leads to it."""

from workshop.picture import Picture

SOURCES = {
    "argument": {"ko": "인수\n`params`", "en": "argument\n`params`"},
    "global": {"ko": "전역 변수\n`params`", "en": "global\n`params`"},
}
UNUSED = {"ko": "쓰이지 않음", "en": "not used"}
GRADIENT = {"ko": "인수에 대한 기울기", "en": "gradient w.r.t. argument"}
LOSS = {"ko": "손실", "en": "loss"}


def values() -> dict:
    """Run the chapter's program in both forms; note loss and gradient."""
    import jax
    import jax.numpy as jnp
    import numpy as np

    rng = np.random.default_rng(0)
    km = rng.uniform(0, 2, size=64)
    minutes = 3 * km + 2 + rng.normal(scale=0.5, size=64)
    x, y = jnp.asarray(km), jnp.asarray(minutes)
    outer = {"weight": jnp.float32(0), "bias": jnp.float32(0)}

    def loss_of(reads_global):
        def loss_fn(params):
            read = outer if reads_global else params
            return jnp.mean((read["weight"] * x + read["bias"] - y) ** 2)

        loss, grads = jax.value_and_grad(loss_fn)(outer)
        return {"loss": f"{loss:.1f}"} | {k: f"{grads[k]:.1f}" for k in grads}

    return {"predict(x)": loss_of(True), "predict(params, x)": loss_of(False)}


def draw(picture: Picture, values: dict) -> None:
    """A panel a form: beside each other on a desk, below each other on a phone."""
    for place, (call, found) in enumerate(values.items()):
        left = 0 if picture.narrow else 352 * place
        top = 236 * place if picture.narrow else 0
        panel(picture, left, top, call, found, passed=place == 1)


def panel(
    picture: Picture,
    left: float,
    top: float,
    call: str,
    found: dict,
    passed: bool,
) -> None:
    """The argument above, the way to the loss below, and what comes back."""
    picture.text(left, top + 18, call, "strong")
    argument = picture.box(
        left, top + 34, 104, 56, SOURCES["argument"], "state"
    )
    predict = picture.box(left + 144, top + 148, 84, 52, "predict", "plain")
    words = {code: f"{text}\n`{found['loss']}`" for code, text in LOSS.items()}
    loss = picture.box(left + 264, top + 148, 72, 52, words, "data")
    picture.arrow(predict.right, (loss.x - 2, loss.left[1]))
    grads = f"weight {found['weight']}\nbias {found['bias']}"
    if passed:
        down = argument.bottom[0], predict.left[1]
        picture.arrow(
            argument.bottom,
            down,
            (predict.x - 2, predict.left[1]),
            kind="state",
        )
        up = loss.top[0], argument.right[1]
        picture.arrow(
            (loss.top[0], loss.y - 2),
            up,
            (argument.x + argument.width + 3, up[1]),
            kind="back",
        )
        picture.text(left + 120, top + 51, GRADIENT, "back small")
        picture.text(left + 120, top + 86, grads, "small")
    else:
        source = picture.box(
            left, top + 146, 104, 56, SOURCES["global"], "static"
        )
        picture.arrow(source.right, (predict.x - 2, predict.left[1]))
        picture.text(
            argument.bottom[0], top + 108, UNUSED, "lost small", "middle"
        )
        picture.text(left + 120, top + 51, GRADIENT, "muted small")
        picture.text(left + 120, top + 86, grads, "small")
