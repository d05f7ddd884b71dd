"""Eight ways to hold a Ref: which of them a plain call and jit allow."""

from workshop.picture import Picture

ROWS = {
    "argument": {"ko": "인수", "en": "an argument"},
    "closure": {"ko": "클로저", "en": "a closure"},
    "leaf": {"ko": "딕셔너리의 리프", "en": "a leaf of a dict"},
    "xs": {"ko": "`scan`의 `xs`", "en": "`xs` of a `scan`"},
    "twice": {"ko": "인수 둘", "en": "two arguments"},
    "both": {"ko": "인수와 클로저", "en": "argument and closure"},
    "result": {"ko": "반환값", "en": "a result"},
    "carry": {"ko": "`scan`의 캐리", "en": "carry of a `scan`"},
}
PLAIN = {"ko": "그냥 호출", "en": "a plain call"}
JIT = {"ko": "`jit`", "en": "`jit`"}
YES = {"ko": "허용", "en": "allowed"}
NO = {"ko": "오류", "en": "error"}


def values() -> dict:
    """Try each holder, called plainly and under jit."""
    import jax
    import jax.numpy as jnp

    def add(n):
        n[...] += 1

    def add_both(n, m):
        add(n)
        add(m)

    def of_scan(ns):
        jax.lax.scan(lambda _, n: (None, add(n)), None, ns)

    def carried(n):
        jax.lax.scan(lambda m, x: (m, x), n, jnp.arange(3))

    def worked(hold: str, wrap) -> bool:
        one, many = (
            jax.new_ref(jnp.int32(0)),
            jax.new_ref(jnp.zeros(3, jnp.int32)),
        )
        calls = {
            "argument": (add, one),
            "closure": (lambda: add(one),),
            "leaf": (lambda tree: add(tree["n"]), {"n": one}),
            "xs": (of_scan, many),
            "twice": (add_both, one, one),
            "both": (lambda n: add_both(n, one), one),
            "result": (lambda n: n, one),
            "carry": (carried, one),
        }
        function, *arguments = calls[hold]
        try:
            wrap(function)(*arguments)
        except (ValueError, TypeError, AssertionError):
            return False
        return True

    return {
        hold: {
            "plain": worked(hold, lambda f: f),
            "jit": worked(hold, jax.jit),
        }
        for hold in ROWS
    }


def draw(picture: Picture, values: dict) -> None:
    """A row a holder, a column a way to call."""
    label, column, row = (162, 96, 40) if picture.narrow else (250, 150, 40)
    for place, words in enumerate((PLAIN, JIT)):
        picture.text(
            label + column * (place + 0.5), 20, words, "strong", "middle"
        )
    for number, (hold, seen) in enumerate(values.items()):
        y = 36 + row * number
        picture.line((0, y - 4), (label + 2 * column, y - 4))
        picture.text(0, y + 22, ROWS[hold], "small")
        for place, way in enumerate(("plain", "jit")):
            kind, words = ("state", YES) if seen[way] else ("plain", NO)
            look = "strong" if seen[way] else "lost"
            x = label + column * (place + 0.5) - 38
            picture.box(x, y + 3, 76, 27, words, kind, f"small {look}")
