"""The jaxprs of a counter and of next_count as graphs: a literal in one, an addition in the other."""

from workshop.picture import Picture

NONE = {"ko": "없음", "en": "none"}
INPUT = {"ko": "입력", "en": "input"}
OPERATION = {"ko": "연산", "en": "operation"}
OUTPUT = {"ko": "결과", "en": "result"}


def values() -> dict:
    """Trace both functions and note inputs, operations and results of their jaxprs."""
    import jax
    import jax.numpy as jnp
    from jax.extend.core import Literal

    class Counter:
        def __init__(self):
            self.n = 0

        def count(self):
            self.n += 1
            return self.n

    def next_count(n):
        return n + 1

    def graph(jaxpr):
        names: dict = {}

        def shown(atom):
            if isinstance(atom, Literal):
                return {"literal": str(int(atom.val))}
            return {"name": names.setdefault(atom, "abcdef"[len(names)])}

        inputs = [shown(atom) for atom in jaxpr.jaxpr.invars]
        operations = [
            {"name": e.primitive.name, "takes": [shown(a) for a in e.invars]}
            | {"gives": [shown(a) for a in e.outvars]}
            for e in jaxpr.jaxpr.eqns
        ]
        results = [shown(atom) for atom in jaxpr.jaxpr.outvars]
        text = jaxpr.pretty_print(use_color=False)
        return {
            "inputs": inputs,
            "operations": operations,
            "results": results,
            "text": text,
        }

    return {
        "Counter().count": graph(jax.make_jaxpr(Counter().count)()),
        "next_count": graph(jax.make_jaxpr(next_count)(jnp.int32(0))),
    }


def draw(picture: Picture, values: dict) -> None:
    """Two panels, side by side on a desk, one below the other on a phone."""
    for place, (name, graph) in enumerate(values.items()):
        x, y = (0, place * 266) if picture.narrow else (place * 352, 0)
        panel(picture, x, y, 358 if picture.narrow else 336, name, graph)


def panel(
    picture: Picture, x: float, y: float, width: float, name: str, graph: dict
) -> None:
    """One jaxpr: its graph, and below it as JAX prints it."""
    picture.lane(x, y, width, 254, deep=True)
    picture.text(x + 16, y + 29, name, "strong")
    rows = {"inputs": y + 52, "operations": y + 100, "results": y + 148}
    left, wide, high = x + 122, 64, 28
    for key, words in (
        ("inputs", INPUT),
        ("operations", OPERATION),
        ("results", OUTPUT),
    ):
        picture.text(x + 16, rows[key] + 19, words, "small muted")
        if not graph[key]:
            picture.text(
                left + wide / 2, rows[key] + 19, NONE, "small muted", "middle"
            )
    boxes = {
        each["name"]: picture.box(
            left, rows["inputs"], wide, high, each["name"], "data"
        )
        for each in graph["inputs"]
    }
    for operation in graph["operations"]:
        box = picture.box(
            left,
            rows["operations"],
            wide,
            high,
            operation["name"],
            round_by=14,
        )
        for each in operation["takes"]:
            if "literal" in each:
                beside = left + wide + 44, rows["operations"]
                literal = picture.box(
                    *beside, 44, high, each["literal"], "static", "strong"
                )
                picture.arrow(literal.left, box.right)
            else:
                picture.arrow(boxes[each["name"]].bottom, box.top, kind="data")
        boxes |= {each["name"]: box for each in operation["gives"]}
    for each in graph["results"]:
        place = left, rows["results"], wide, high
        if "literal" in each:
            picture.box(*place, each["literal"], "static", "strong")
        else:
            result = picture.box(*place, each["name"], "data")
            picture.arrow(boxes[each["name"]].bottom, result.top, kind="data")
    picture.line((x + 16, y + 196), (x + width - 16, y + 196))
    text = (
        graph["text"]
        if len(graph["text"]) < 40
        else graph["text"].replace(" let ", "\n  let ")
    )
    picture.text(x + 16, y + 220, text, "small")
