"""Draws a call with has_aux=True: which output goes through the backward pass."""

from workshop.picture import Picture

BACKWARD = {"ko": "역전파", "en": "backward pass"}
AS_IT_IS = {"ko": "미분하지 않고 그대로", "en": "as it is, not differentiated"}


def values() -> dict:
    """Run the chapter's loss with its metric, at the chapter's start."""
    import jax
    import jax.numpy as jnp
    import numpy as np

    rng = np.random.default_rng(0)
    km = rng.uniform(0, 2, size=64)
    minutes = 3 * km + 2 + rng.normal(scale=0.5, size=64)
    x, y = jnp.asarray(km), jnp.asarray(minutes)

    def loss_and_metrics(params):
        errors = params["weight"] * x + params["bias"] - y
        return jnp.mean(errors**2), {"worst": jnp.max(jnp.abs(errors))}

    start = {"weight": jnp.float32(1), "bias": jnp.float32(2)}
    grad_fn = jax.value_and_grad(loss_and_metrics, has_aux=True)
    (loss, metrics), grads = grad_fn(start)
    return {
        "loss": f"{loss:.1f}",
        "worst": f"{metrics['worst']:.1f}",
        "weight": f"{grads['weight']:.1f}",
        "bias": f"{grads['bias']:.1f}",
    }


def draw(picture: Picture, values: dict) -> None:
    """In a row on a desk, from top to bottom on a phone."""
    grads = f"weight {values['weight']}\nbias {values['bias']}"
    if picture.narrow:
        on_phone(picture, values, grads)
        return
    params = picture.box(0, 30, 84, 36, "params", "state")
    data = picture.box(0, 78, 84, 36, "data", "data")
    loss_fn = picture.box(124, 44, 88, 56, "loss_fn")
    picture.arrow(params.right, (loss_fn.x - 2, 60), kind="state")
    picture.arrow(data.right, (loss_fn.x - 2, 84), kind="data")
    loss = picture.box(256, 44, 80, 56, f"loss\n{values['loss']}", "data")
    picture.arrow(loss_fn.right, (loss.x - 2, 72))
    backward = picture.box(372, 44, 132, 56, BACKWARD)
    picture.arrow(loss.right, (backward.x - 2, 72))
    picture.text(616, 32, "grads", "strong", "middle")
    box = picture.box(544, 44, 144, 56, grads, "back")
    picture.arrow(backward.right, (box.x - 3, 72), kind="back")
    aux = picture.box(544, 158, 144, 44, f"worst {values['worst']}", "data")
    picture.text(616, 146, "aux", "strong", "middle")
    picture.arrow(
        loss_fn.bottom, (loss_fn.bottom[0], 180), (aux.x - 2, 180), kind="data"
    )
    picture.text(356, 170, AS_IT_IS, "muted small", "middle")


def on_phone(picture: Picture, values: dict, grads: str) -> None:
    """The way of the loss at one side, that of aux at the other."""
    params = picture.box(0, 2, 88, 36, "params", "state")
    data = picture.box(104, 2, 88, 36, "data", "data")
    loss_fn = picture.box(36, 80, 120, 40, "loss_fn")
    picture.arrow(params.bottom, (params.bottom[0] + 20, 78), kind="state")
    picture.arrow(data.bottom, (data.bottom[0] - 20, 78), kind="data")
    loss = picture.box(46, 160, 100, 52, f"loss\n{values['loss']}", "data")
    picture.arrow(loss_fn.bottom, (96, 158))
    backward = picture.box(28, 256, 136, 44, BACKWARD)
    picture.arrow(loss.bottom, (96, 254))
    picture.box(20, 364, 152, 56, grads, "back")
    picture.text(20, 354, "grads", "strong")
    picture.arrow(backward.bottom, (96, 361), kind="back")
    aux = picture.box(226, 364, 132, 56, f"worst {values['worst']}", "data")
    picture.text(226, 354, "aux", "strong")
    picture.arrow(
        loss_fn.right,
        (aux.right[0] - 20, 100),
        (aux.right[0] - 20, 362),
        kind="data",
    )
    words = {
        code: text.replace(", ", ",\n").replace("않고 ", "않고\n")
        for code, text in AS_IT_IS.items()
    }
    picture.text(328, 232, words, "muted small", "end")
