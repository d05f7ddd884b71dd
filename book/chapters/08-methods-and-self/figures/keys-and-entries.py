"""Six calls with a static self: which entry of the cache each one finds."""

from workshop.picture import Picture
from workshop.picture.cache import calls_and_entries, draw_entries

CALL = {"ko": "호출", "en": "call"}


def values() -> dict:
    """Make each call and look up which jaxpr it found, and whether Python ran."""
    import dataclasses
    from functools import partial

    import jax

    traces = []

    @partial(jax.jit, static_argnums=0)
    def power(self, x):
        traces.append(self.exponent)
        return x**self.exponent

    class Power:
        def __init__(self, exponent):
            self.exponent = exponent

    @dataclasses.dataclass(frozen=True)
    class FrozenPower:
        exponent: int

    objects = {
        "Power(2)": [Power(2), Power(2)],
        "Power(3)": [Power(3)],
        "FrozenPower(2)": [FrozenPower(2), FrozenPower(2)],
        "FrozenPower(3)": [FrozenPower(3)],
    }
    asked = {
        label: [(each, 3.0) for each in several]
        for label, several in objects.items()
    }
    calls = calls_and_entries(power, asked, traces)
    return {"calls": calls, "entries": len(traces)}


def draw(picture: Picture, values: dict) -> None:
    """A row a call, a column an entry."""
    first = 132 if picture.narrow else 176
    heads = [str(number + 1) for number in range(values["entries"])]
    draw_entries(picture, values["calls"], heads, first)
    picture.text(0, 23, CALL, "strong small")
