"""A KV cache of eight slots after each token: one more slot is filled, and the shape stays."""

from workshop.picture import Picture, fill

TOKENS = {"ko": "토큰", "en": "token"}
SLOTS = {"ko": "슬롯", "en": "slot"}
SAVE = {
    "ko": "저장하고 불러옴: `position` {n}",
    "en": "saved and loaded: `position` {n}",
}
SHAPE = {
    "ko": "`keys`의 shape은 내내 `{shape}`",
    "en": "the shape of `keys` is `{shape}` throughout",
}
KEYS = {"ko": "채운 슬롯", "en": "filled"}
NEW = {"ko": "이번 스텝에 씀", "en": "written now"}
EMPTY = {"ko": "빈 슬롯", "en": "empty"}


def values() -> dict:
    """Run the cache's step token by token; note which slots changed and which aren't zero."""
    import jax
    import jax.numpy as jnp
    import numpy as np

    tokens = [3, 1, 4, 1, 5, 9]
    vectors = jax.random.normal(jax.random.key(0), (16, 16))

    @jax.jit
    def step(keys, position, token):
        key = vectors[token] + vectors[position]
        return keys.at[:, position].set(key), position + 1

    keys, position, rows = jnp.zeros((2, 8, 16)), jnp.int32(0), []
    for token in tokens:
        new, position = step(keys, position, jnp.int32(token))
        written = np.flatnonzero(np.any(new != keys, axis=(0, 2)))
        filled = np.flatnonzero(np.any(new != 0, axis=(0, 2)))
        keys = new
        rows.append(
            {
                "token": token,
                "written": written.tolist(),
                "filled": filled.tolist(),
            }
        )
    return {"rows": rows, "shape": str(keys.shape), "stop": 3}


def draw(picture: Picture, values: dict) -> None:
    """A row a token, a column a slot; a line where the cache is saved and loaded."""
    narrow = picture.narrow
    label = 70 if narrow else 120
    size, gap = (32, 4) if narrow else (52, 8)
    pitch = size + gap
    picture.text(0, 18, SLOTS, "small strong")
    for slot in range(8):
        middle = label + slot * pitch + size / 2
        picture.text(middle, 18, str(slot), "small muted", "middle")
    y = 30
    for number, row in enumerate(values["rows"]):
        if number == values["stop"]:
            end = label + 8 * pitch - gap
            picture.arrow((0, y + 16), (end, y + 16), kind="trace", head=False)
            words = fill(SAVE, n=number)
            picture.text(
                label + (4 * pitch - gap / 2),
                y + 21,
                words,
                "small",
                "middle",
                ground="gap",
            )
            y += 40
        picture.text(0, y + 20, TOKENS, "small")
        picture.text(label - 12, y + 20, str(row["token"]), "strong", "end")
        for slot in range(8):
            now = slot in row["written"]
            kind = "back" if now else "state"
            kind = kind if slot in row["filled"] else "plain"
            text = str(row["token"]) if now else ""
            x = label + slot * pitch
            picture.box(x, y, size, 30, text, kind, "strong")
        y += 38
    y += 10
    x = 1
    for words, kind in ((KEYS, "state"), (NEW, "back"), (EMPTY, "plain")):
        text = str(values["rows"][0]["token"]) if kind == "back" else ""
        picture.box(x, y, 18, 18, text, kind, "small strong", round_by=3)
        picture.text(x + 26, y + 14, words, "small")
        x += 126 if narrow else 160
    words = fill(SHAPE, shape=values["shape"])
    picture.text(0, y + 42, words, "small muted")
