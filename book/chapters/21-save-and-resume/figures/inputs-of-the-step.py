"""The six parts of the state at the stop, and what step 21 gets when three of them are saved."""

from workshop.picture import Picture

SAVED = "step", "params", "opt_state"
HEADS = [
    {"ko": "20스텝 뒤", "en": "after step 20"},
    {"ko": "파일", "en": "the file"},
    {"ko": "21번째 스텝의 입력", "en": "step 21 gets"},
]
SHORT = {"ko": "21번째의 입력", "en": "step 21 gets"}
NEW = {"ko": "초깃값", "en": "initial"}
PLACES = {"params": "w[0]", "opt_state": "[0].count", "batch_stats": "mean[0]"}


def values() -> dict:
    """Train for 20 steps as in the chapter; note one number of each part, and its initial value."""
    import jax
    import jax.numpy as jnp
    import optax

    tx = optax.adam(optax.exponential_decay(0.1, 10, 0.7))

    def new_state() -> dict:
        params = {"w": jnp.zeros(64), "b": jnp.zeros(())}
        return {
            "step": 0,
            "params": params,
            "opt_state": tx.init(params),
            "batch_stats": jnp.zeros(64),
            "key": jax.random.key(0),
            "position": 0,
        }

    def error(params, xs, ys):
        return jnp.mean((xs @ params["w"] + params["b"] - ys) ** 2)

    x_key, noise_key = jax.random.split(jax.random.key(1))
    xs = 1 + jax.random.normal(x_key, (640, 64))
    w = 0.05 + 0.3 * jnp.cos(jnp.arange(64.0))
    ys = (xs - 1) @ w + 2 * jax.random.normal(noise_key, (640,))

    state = new_state()
    for _ in range(20):
        rows = slice(16 * state["position"], 16 * state["position"] + 16)
        key, mask_key = jax.random.split(state["key"])
        keep = jax.random.bernoulli(mask_key, 0.9, (16, 64))
        mean = xs[rows].mean(axis=0)
        inputs = jnp.where(keep, (xs[rows] - mean) / 0.9, 0)
        grads = jax.grad(error)(state["params"], inputs, ys[rows])
        updates, opt_state = tx.update(grads, state["opt_state"])
        state = {
            "step": state["step"] + 1,
            "params": optax.apply_updates(state["params"], updates),
            "opt_state": opt_state,
            "batch_stats": 0.8 * state["batch_stats"] + 0.2 * mean,
            "key": key,
            "position": state["position"] + 1,
        }

    def shown(state: dict) -> dict:
        return {
            "step": str(state["step"]),
            "params": f"{float(state['params']['w'][0]):.2f}",
            "opt_state": str(int(state["opt_state"][0].count)),
            "batch_stats": f"{float(state['batch_stats'][0]):.2f}",
            "key": f"{int(jax.random.key_data(state['key'])[1]) % 65536:04x}",
            "position": str(state["position"]),
        }

    return {"stopped": shown(state), "new": shown(new_state())}


def draw(picture: Picture, values: dict) -> None:
    """A row a part: its value at the stop, in the file if it was saved, and at step 21."""
    narrow = picture.narrow
    label, wide, between = (96, 68, 20) if narrow else (150, 120, 70)
    row, head, y = 52, 40, 40
    lefts = [label + place * (wide + between) for place in range(3)]
    picture.lane(lefts[1] - 8, 28, wide + 16, head + row * 3 - 28)
    for place, left in enumerate(lefts):
        words = SHORT if narrow and place == 2 else HEADS[place]
        middle = left + wide / 2
        picture.text(middle, 18, words, "strong small", "middle")
    for part, value in values["stopped"].items():
        saved = part in SAVED
        named = part in PLACES
        picture.text(0, y + (15 if named else 22), part, "small")
        if named:
            picture.text(0, y + 33, PLACES[part], "small muted")
        kind = "state" if saved else "lost"
        before = picture.box(lefts[0], y, wide, 34, value, kind, "strong")
        if saved:
            kept = picture.box(lefts[1], y, wide, 34, value, "state", "strong")
            after = picture.box(lefts[2], y, wide, 34, value, "back", "strong")
            for one, other, kind in (
                (before, kept, "state"),
                (kept, after, "back"),
            ):
                picture.arrow(
                    (one.right[0] + 2, one.right[1]),
                    (other.x - 2, other.left[1]),
                    kind=kind,
                )
        else:
            picture.box(lefts[2], y, wide, 34, values["new"][part], "plain")
            x = lefts[2] + wide / 2
            picture.text(x, y + 51, NEW, "small muted", "middle")
        y += row if saved else row + 12
