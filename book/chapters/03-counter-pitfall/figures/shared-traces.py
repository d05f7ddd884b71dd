"""Seven calls of a jitted function: which of them traced, and which share a cache entry."""

from workshop.picture import Picture
from workshop.picture.cache import calls_and_entries, draw_entries


def values() -> dict:
    """Make each call and look up which jaxpr it found, and whether Python ran."""
    import jax
    import jax.numpy as jnp
    import numpy as np

    traces = []

    @jax.jit
    def double(x):
        traces.append(x.aval)
        return 2 * x

    arguments = {
        "jnp.zeros(3)": jnp.zeros(3),
        "jnp.zeros(4)": jnp.zeros(4),
        "int32": jnp.zeros(3, "int32"),
        "jnp.ones(3)": jnp.ones(3),
        "NumPy": np.zeros(3, "float32"),
        "2.0": 2.0,
        "5.0": 5.0,
    }
    asked = {label: [(x,)] for label, x in arguments.items()}
    calls = calls_and_entries(double, asked, traces)
    entries = [aval.str_short(short_dtypes=True) for aval in traces]
    return {"calls": calls, "entries": entries}


def draw(picture: Picture, values: dict) -> None:
    """A row a call, a column an entry."""
    first = 108 if picture.narrow else 168
    draw_entries(picture, values["calls"], values["entries"], first)
