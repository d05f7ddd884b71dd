"""Three passes of jax.jit with bound methods of one object: made anew, and kept in a variable."""

from workshop.picture import Picture, said

ANEW = {"ko": "매번 새로", "en": "anew in each pass"}
KEPT = {"ko": "변수에 한 번", "en": "kept in a variable"}
METHOD = {"ko": "메서드", "en": "method"}
ENTRY = {"ko": "항목", "en": "entry"}
NEW = {"ko": "새로", "en": "new"}
HIT = {"ko": "히트", "en": "hit"}


def values() -> dict:
    """Count the traces of each pass, and look whether the method exists after it."""
    import gc
    import weakref

    import jax

    traces = []

    class Normalizer:
        mean, std = 2.0, 1.0

        def transform(self, x):
            traces.append("plain")
            return (x - self.mean) / self.std

    normalizer = Normalizer()
    anew, kept = [], []
    for _ in range(3):
        before = len(traces)
        method = normalizer.transform
        reference = weakref.ref(method)
        jax.jit(method)(5.0)
        del method
        gc.collect()
        anew.append(
            {"traces": len(traces) - before}
            | {"remains": reference() is not None}
        )
    transform = normalizer.transform
    for _ in range(3):
        before = len(traces)
        jax.jit(transform)(5.0)
        kept.append({"traces": len(traces) - before, "remains": True})
    return {"anew": anew, "kept": kept}


def draw(picture: Picture, values: dict) -> None:
    """Two panels: side by side on a desk, one below the other on a phone."""
    wide = 358 if picture.narrow else 336
    for place, (name, passes, words, code) in enumerate(
        (
            ("anew", values["anew"], ANEW, "jax.jit(normalizer.transform)"),
            ("kept", values["kept"], KEPT, "jax.jit(transform)"),
        )
    ):
        x, y = (0, place * 246) if picture.narrow else (place * 352, 0)
        picture.lane(x, y, wide, 236, deep=False)
        picture.text(x + 14, y + 24, code, "strong")
        picture.text(x + 14, y + 46, words, "small muted")
        panel(picture, x, y + 62, passes, name)


def panel(
    picture: Picture, x: float, y: float, passes: list[dict], name: str
) -> None:
    """A column a pass: the bound method, and the entry that the call found."""
    picture.text(x + 14, y + 41, METHOD, "small")
    picture.text(x + 14, y + 128, ENTRY, "small")
    for number, each in enumerate(passes, start=1):
        middle = x + 76 + 84 * (number - 0.5)
        picture.text(
            middle, y + 8, said("call", number=number), "small muted", "middle"
        )
        if name == "anew" or number == 1:
            kind = "state" if each["remains"] else "lost"
            width = 76 if name == "anew" else 244
            picture.box(
                middle - 38, y + 20, width, 34, "transform", kind, "small"
            )
        top = y + 106
        bottom = y + 54 + (24 if not each["remains"] else 0)
        words = NEW if each["traces"] else HIT
        if name == "anew" or number == 1:
            kind = "trace" if each["remains"] else "lost"
            picture.box(middle - 38, top, width, 34, "", kind)
        picture.text(
            middle,
            top + 22,
            words,
            "small",
            "middle",
            ground="paper" if each["remains"] else "lost",
        )
        picture.arrow((middle, bottom), (middle, top), kind="trace")
