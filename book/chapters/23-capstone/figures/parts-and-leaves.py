"""Which part of a step changes which field of the state, and how many leaves the field has."""

from workshop.picture import Picture, fill

WRITES = {
    "next_batch": ["position"],
    "split": ["key"],
    "model": ["batch_stats"],
    "adam": ["params", "opt_state"],
    "moving_average": ["ema_params"],
    "step + 1": ["step"],
}
HEADS = [
    {"ko": "스텝의 부분", "en": "part of the step"},
    {"ko": "바꾸는 필드", "en": "field it changes"},
]
COUNT = {"ko": "리프 {n}개", "en": "leaves: {n}"}
ALL = {"ko": "모두 리프 {n}개", "en": "{n} leaves in all"}


def values() -> dict:
    """Take one step with each part alone; count the leaves that it changed."""
    import jax
    import jax.numpy as jnp

    keys = jax.random.split(jax.random.key(0), 5)
    params = {
        "hidden": jax.random.normal(keys[0], (64, 64)) / 8,
        "scale": jnp.ones(64),
        "bias": jnp.zeros(64),
        "output": jax.random.normal(keys[1], (64, 10)) / 8,
    }
    zeros = jax.tree.map(jnp.zeros_like, params)
    old = {
        "step": jnp.int32(0),
        "params": params,
        "batch_stats": {"mean": jnp.zeros(64), "var": jnp.ones(64)},
        "opt_state": {"mu": zeros, "nu": zeros},
        "ema_params": params,
        "key": keys[2],
        "position": jnp.int32(0),
    }
    x = jax.random.normal(keys[3], (50, 64))
    y = jax.random.randint(keys[4], (50,), 0, 10)

    def average(old, new, decay):
        return jax.tree.map(lambda a, b: decay * a + (1 - decay) * b, old, new)

    def loss_fn(params, batch_stats):
        h = x @ params["hidden"]
        stats = {"mean": h.mean(axis=0), "var": h.var(axis=0)}
        h = (h - stats["mean"]) / jnp.sqrt(stats["var"] + 1e-5)
        h = jax.nn.relu(params["scale"] * h + params["bias"])
        log_p = jax.nn.log_softmax(h @ params["output"])
        loss = -jnp.take_along_axis(log_p, y[:, None], axis=1).mean()
        return loss, average(batch_stats, stats, 0.9)

    grad_fn = jax.grad(loss_fn, has_aux=True)
    grads, batch_stats = grad_fn(params, old["batch_stats"])
    mu = average(zeros, grads, 0.9)
    nu = average(zeros, jax.tree.map(jnp.square, grads), 0.999)
    moved = jax.tree.map(
        lambda p, m, v: p - 0.01 * m / (jnp.sqrt(v) + 1e-8), params, mu, nu
    )
    new = {
        "step": old["step"] + 1,
        "params": moved,
        "batch_stats": batch_stats,
        "opt_state": {"mu": mu, "nu": nu},
        "ema_params": average(params, moved, 0.99),
        "key": jax.random.split(old["key"])[0],
        "position": old["position"] + 1,
    }
    counts = {}
    for field, value in old.items():
        same = jax.tree.map(
            lambda a, b: bool((a == b).all()), value, new[field]
        )
        counts[field] = sum(not s for s in jax.tree.leaves(same))
    return {"counts": counts, "total": len(jax.tree.leaves(old))}  # fmt: skip


def draw(picture: Picture, values: dict) -> None:
    """A row a field; the part that changes it stands before its arrow."""
    narrow = picture.narrow
    part, field, between = (132, 108, 38) if narrow else (180, 180, 120)
    after = part + between + field
    left = 1 if narrow else 40
    row, y = 46, 30
    first, second = left + part / 2, left + part + between + field / 2
    picture.text(first, 16, HEADS[0], "strong small", "middle")
    picture.text(second, 16, HEADS[1], "strong small", "middle")
    for name, fields in WRITES.items():
        height = row * len(fields) - 12
        one = picture.box(left, y, part, height, name, "plain")
        for place, written in enumerate(fields):
            top = y + place * row
            other = picture.box(
                left + part + between, top, field, 34, written, "state"
            )
            picture.arrow(
                (one.x + part + 3, other.left[1]),
                (other.x - 3, other.left[1]),
                kind="state",
            )
            words = fill(COUNT, n=values["counts"][written])
            picture.text(left + after + 8, top + 22, words, "small muted")
        y += row * len(fields)
    picture.text(
        second, y + 12, fill(ALL, n=values["total"]), "strong small", "middle"
    )
