"""Two runs of one training, with and without an export; their first difference, in losses and leaves."""

from workshop.picture import Picture

ALONE = {"ko": "내보내지 않은 실행", "en": "without an export"}
EXPORTS = {"ko": "여섯 스텝마다 내보낸 실행", "en": "with an export"}
STEP = {"ko": "스텝", "en": "step"}
FIRST = {"ko": "첫 차이", "en": "first difference"}
RETURNED = {"ko": "스텝 6이 반환", "en": "step 6 returned"}
GOT = {"ko": "스텝 7이 받음", "en": "step 7 got"}
LINE = {"ko": "사이의 줄", "en": "lines between"}


def values() -> dict:
    """Train twice, and compare what step 6 returned with what step 7 got."""
    from typing import NamedTuple

    import jax
    import jax.numpy as jnp
    import numpy as np

    class TrainState(NamedTuple):
        params: dict
        batch_stats: dict
        key: jax.Array
        step: jax.Array

    x = jnp.float32(np.random.default_rng(0).normal([5, -4, 3], 1, (16, 3)))
    y = x @ jnp.array([1.0, -2.0, 0.5]) + 3

    def loss_fn(params, x, y):
        return jnp.mean((x @ params["w"] + params["b"] - y) ** 2)

    @jax.jit
    def train_step(state, x, y):
        key, subkey = jax.random.split(state.key)
        mean = 0.9 * state.batch_stats["mean"] + 0.1 * x.mean(axis=0)
        noisy = x - x.mean(axis=0) + 0.1 * jax.random.normal(subkey, x.shape)
        loss, grads = jax.value_and_grad(loss_fn)(state.params, noisy, y)
        params = jax.tree.map(lambda p, g: p - 0.1 * g, state.params, grads)
        return TrainState(params, {"mean": mean}, key, state.step + 1), loss

    def fold(state):
        w, mean = state.params["w"], state.batch_stats["mean"]
        params = {"w": w, "b": state.params["b"] - w @ mean}
        return state._replace(params=params, batch_stats={"mean": 0 * mean})

    def leaves(state):
        state = state._replace(key=jax.random.key_data(state.key))
        return {
            jax.tree_util.keystr(path): np.asarray(leaf).tobytes()
            for path, leaf in jax.tree.leaves_with_path(state)
        }

    def run(exports):
        params = {"w": jnp.zeros(3), "b": jnp.float32(0)}
        stats, key = {"mean": jnp.zeros(3)}, jax.random.key(0)
        state = TrainState(params, stats, key, jnp.int32(0))
        losses, data = [], (x, y)
        for i in range(1, 10):
            state, loss = train_step(state, *data)
            losses.append(f"{loss:.1f}")
            if i == 6:
                returned = leaves(state)
            if exports and i % 6 == 0:
                state = fold(state)
            if i % 6 == 0:
                order = np.random.default_rng(i).permutation(len(x))
                data = x[order], y[order]
            if i == 6:
                got = leaves(state)
        return losses, {name: returned[name] == got[name] for name in got}

    (alone, _), (exports, same) = run(False), run(True)
    return {"alone": alone, "exports": exports, "same": same}


def draw(picture: Picture, values: dict) -> None:
    """Losses of steps 5 to 8, then the leaves on both sides of the line."""
    narrow, shown = picture.narrow, range(4, 8)
    left = 0 if narrow else 190
    step = (picture.width - left - 8) / len(shown)
    rows, top = (("alone", ALONE), ("exports", EXPORTS)), 34
    row = 70 if narrow else 46
    first = next(
        i
        for i, pair in enumerate(zip(values["alone"], values["exports"]))
        if pair[0] != pair[1]
    )
    high = top + row * len(rows) + 28
    picture.lane(left, 0, picture.width - left, high)
    for place, i in enumerate(shown):
        middle = left + 4 + step * (place + 0.5)
        numbered = {lang: f"{word} {i + 1}" for lang, word in STEP.items()}
        picture.text(middle, 22, numbered, "small muted", "middle")
        for number, (name, words) in enumerate(rows):
            y = top + row * number
            if place == 0:
                picture.text(
                    12 if narrow else 0,
                    y + (16 if narrow else 23),
                    words,
                    "small",
                )
            differs = number == 1 and i >= first
            picture.box(
                middle - step * 0.4, y + (26 if narrow else 4), step * 0.8, 32,
                values[name][i], "plain" if differs else "data",
                "strong" if differs else "",
            )  # fmt: skip
        if i == first:
            picture.text(middle, high - 10, FIRST, "small strong", "middle")
    y = high + 16
    across = 120 if narrow else 150
    returned, got = (1, 237) if narrow else (190, 537)
    picture.text(
        returned + across / 2, y + 14, RETURNED, "small strong", "middle"
    )
    picture.text(got + across / 2, y + 14, GOT, "small strong", "middle")
    between = returned + across, got
    middle = sum(between) / 2
    picture.text(middle, y + 14, LINE, "small muted", "middle")
    for place, (name, same) in enumerate(values["same"].items()):
        below = y + 26 + 40 * place
        short = name.rpartition("[")[2].strip("'].") or name
        box = picture.box(returned, below, across, 30, short, "state", "small")
        other = picture.box(
            got, below, across, 30, short, "state" if same else "plain",
            "small" if same else "small strong",
        )  # fmt: skip
        picture.arrow(box.right, other.left, kind="state" if same else "plain")
        picture.text(
            middle, below + 11, "=" if same else "≠",
            "" if same else "strong", "middle",
        )  # fmt: skip
