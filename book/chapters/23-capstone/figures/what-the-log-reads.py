"""Two runs at step 200: what the training log is computed from agrees, the EMA doesn't."""

from workshop.picture import Picture

RUNS = {
    "full": {"ko": "중단하지 않음", "en": "uninterrupted"},
    "resumed": {"ko": "EMA 없이 재개", "en": "resumed without EMA"},
}
HEADS = {
    "loss": {"ko": "학습 손실", "en": "training loss"},
    "test": {"ko": "테스트 손실", "en": "test loss"},
}
SAME = {"ko": "같음", "en": "equal"}
DIFFERENT = {"ko": "다름", "en": "differs"}


def values() -> dict:
    """Train as in the chapter, with and without the stop at step 80."""
    import jax
    import jax.numpy as jnp
    import numpy as np
    from sklearn.datasets import load_digits

    digits = load_digits()
    order = np.random.default_rng(0).permutation(len(digits.target))
    images = jnp.float32(digits.data[order] / 16)
    labels = jnp.int32(digits.target[order])

    def cross_entropy(w, x, y):
        log_p = jax.nn.log_softmax(x @ w)
        return -jnp.take_along_axis(log_p, y[:, None], axis=1).mean()

    @jax.jit
    def step(w, ema_w, position):
        epoch, index = jnp.divmod(position, 30)
        key = jax.random.fold_in(jax.random.key(1), epoch)
        rows = jax.random.permutation(key, 1500).reshape(-1, 50)[index]
        loss, grads = jax.value_and_grad(cross_entropy)(
            w, images[rows], labels[rows]
        )
        w = w - 0.5 * grads
        return (w, 0.99 * ema_w + 0.01 * w), loss

    ends = {}
    for name in RUNS:
        state = (jnp.zeros((64, 10)),) * 2
        for position in range(200):
            if name == "resumed" and position == 80:
                state = (state[0], state[0])
            state, loss = step(*state, jnp.int32(position))
        test = cross_entropy(state[1], images[1500:], labels[1500:])
        ends[name] = {
            "w": f"{float(state[0][20, 3]):.3f}",
            "ema_w": f"{float(state[1][20, 3]):.3f}",
            "loss": f"{float(loss):.3f}",
            "test": f"{float(test):.2f}",
        }
    return ends


def draw(picture: Picture, values: dict) -> None:
    """A lane a run; in each, w gives the training loss and ema_w the test loss."""
    narrow = picture.narrow
    wide = picture.width if narrow else 324
    box = 110
    for place, (name, run) in enumerate(values.items()):
        left, top = (
            (0, place * 224) if narrow else (place * (picture.width - wide), 0)
        )
        picture.lane(left, top, wide, 212)
        picture.text(left + wide / 2, top + 24, RUNS[name], "strong", "middle")
        rows = (("w", "loss", "w[20, 3]"), ("ema_w", "test", "ema_w[20, 3]"))
        for row, (leaf, output, label) in enumerate(rows):
            y = top + 62 + 82 * row
            same = values["full"][leaf] == values["resumed"][leaf]
            kind = "state" if name == "full" or same else "plain"
            first, last = left + 18, left + wide - 18 - box
            picture.text(first + box / 2, y - 8, label, "small", "middle")
            picture.text(
                last + box / 2, y - 8, HEADS[output], "small", "middle"
            )
            one = picture.box(first, y, box, 36, run[leaf], kind, "strong")
            other = picture.box(
                last, y, box, 36, run[output], "data", "strong"
            )
            picture.arrow(
                (one.right[0] + 3, one.right[1]),
                (other.x - 3, other.left[1]),
                kind="data",
            )
            if name == "resumed":
                words, look = (SAME, "back") if same else (DIFFERENT, "lost")
                picture.text(
                    left + wide / 2,
                    y + 56,
                    words,
                    f"{look} strong small",
                    "middle",
                )
