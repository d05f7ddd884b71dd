"""A Ref that starts at 0 and the gradient, with grad alone, with checkpoint, and written outside."""

from workshop.picture import Picture

ROWS = {
    "plain": {"ko": "`grad`만", "en": "`grad` alone"},
    "remat": {"ko": "`checkpoint`", "en": "`checkpoint`"},
    "outside": {
        "ko": "`checkpoint`, 바깥에서 쓰기",
        "en": "`checkpoint`, written outside",
    },
}
FORWARD = {"ko": "순전파", "en": "forward"}
BACKWARD = {"ko": "역전파", "en": "backward"}
GRADIENT = {"ko": "기울기", "en": "gradient"}
AGAIN = {"ko": "다시 실행", "en": "runs again"}
WRONG = {"ko": "틀림", "en": "wrong"}
STORED = {"ko": "저장한 값", "en": "stored value"}


def values() -> dict | None:
    """Differentiate each way; the counts that the runs compute come from a callback."""
    import jax
    import jax.numpy as jnp

    seen = []

    def note(count):
        jax.debug.callback(lambda c: seen.append(int(c)), count)

    def scaled_sine(x, n):
        n[...] += 1
        note(n[...])
        return n[...] * jnp.sin(x)

    def pure_sine(x, n):
        note(n + 1)
        return (n + 1) * jnp.sin(x), n + 1

    found = {}
    for name, function in (
        ("plain", scaled_sine),
        ("remat", jax.checkpoint(scaled_sine)),
    ):
        seen.clear()
        n = jax.new_ref(jnp.int32(0))
        try:
            gradient = float(jax.grad(function)(0.0, n))
        except NotImplementedError:  # an older JAX: no outside Ref here
            return None
        jax.effects_barrier()
        found[name] = {"counts": list(seen), "gradient": gradient}
        found[name]["ref"] = int(n[...])
    seen.clear()
    n = jax.new_ref(jnp.int32(0))
    pure = jax.grad(jax.checkpoint(pure_sine), has_aux=True)
    gradient, count = pure(0.0, n[...])
    n[...] = count
    jax.effects_barrier()
    found["outside"] = {"counts": list(seen), "gradient": float(gradient)}
    found["outside"]["ref"] = int(n[...])
    return found


def draw(picture: Picture, values: dict) -> None:
    """A row a way; the forward pass, the backward pass, the Ref and the gradient."""
    columns = (4, 92, 196, 280) if picture.narrow else (40, 220, 400, 550)
    wide = 70 if picture.narrow else 110
    for x, words in zip(
        columns,
        (FORWARD, BACKWARD, "Ref", GRADIENT),
        strict=True,
    ):
        picture.text(x + wide / 2, 18, words, "small muted", "middle")
    for number, (way, seen) in enumerate(values.items()):
        y = 32 + 128 * number
        picture.lane(0, y, picture.width, 116, deep=True)
        picture.text(14, y + 25, ROWS[way], "strong small")
        again = len(seen["counts"]) > 1
        wrote = way != "outside"
        kinds = ("state" if wrote else "data",)
        kinds += ("state" if wrote and again else "data",)
        shown = seen["counts"] if again else seen["counts"] * 2
        boxes = [
            picture.box(x, y + 42, wide, 34, str(count), kind, "strong")
            for x, count, kind in zip(columns, shown, kinds, strict=False)
        ]
        picture.arrow(boxes[0].right, boxes[1].left, kind="data")
        said = AGAIN if again else STORED
        picture.text(boxes[1].bottom[0], y + 98, said, "small muted", "middle")
        picture.box(
            columns[2], y + 42, wide, 34, str(seen["ref"]), "state", "strong"
        )
        look = (
            "strong"
            if seen["gradient"] == values["plain"]["gradient"]
            else "lost strong"
        )
        box = picture.box(
            columns[3], y + 42, wide, 34, str(seen["gradient"]), "plain", look
        )
        if seen["gradient"] != values["plain"]["gradient"]:
            picture.text(box.bottom[0], y + 98, WRONG, "small lost", "middle")
