"""The programs of the state map, read from `book/state_map`: a file per kind of state.

A file is in percent format. Its cell `set up` makes the state; `plain` is the loop that a reader has
in mind, without a transformation, and what it prints is right; each other cell is a program under the
transformation of its name. `plain: cond` is the loop for that transformation alone, `jit: fix` the
program of `jit` put right. Nothing but the standard library is needed here, since programs run on
sets of versions that lack the rest.
"""

import re
from pathlib import Path

SOURCE = Path(__file__).resolve().parents[2] / "book/state_map"
KINDS = (
    "attribute",
    "outer_list",
    "argument",
    "ref_closure",
    "ref_argument",
    "nnx_closure",
    "nnx_jax",
    "nnx",
    "linen_apply",
    "linen_jax",
    "linen",
    "keras_call",
    "keras_stateless",
    "equinox",
    "optimizer",
    "key_global",
    "key_argument",
    "rngs_jax",
    "rngs",
)
TRANSFORMATIONS = (
    "jit",
    "grad",
    "vmap",
    "scan",
    "while_loop",
    "cond",
    "checkpoint",
    "shard_map",
    "custom_vjp",
    "export",
)
SET_UP, PLAIN, FIX = "set up", "plain", "fix"


def header() -> str:
    """What all programs begin with."""
    return (SOURCE / "header.py").read_text("utf8")


def cells_of(kind: str, folder: Path = SOURCE) -> dict[str, str]:
    """The cells of a kind by name.

    Raises:
        ValueError: a name is there twice, or is none of the map's.
    """
    path = folder / f"{kind}.py"
    _, *parts = re.split(r"^# %% (.*)\n", path.read_text("utf8"), flags=re.MULTILINE)
    cells = {}
    for name, source in zip(parts[::2], parts[1::2], strict=True):
        if name in cells:
            raise ValueError(f"{path.name}: two cells are named {name!r}; rename one")
        if not _is_known(name):
            raise ValueError(f"{path.name}: no transformation of the map is named {name!r}")
        cells[name] = source.strip() + "\n"
    return cells


def plain_for(cells: dict[str, str], transformation: str) -> str:
    """The loop whose output is right under this transformation."""
    return cells.get(f"{PLAIN}: {transformation}") or cells[PLAIN]


def _is_known(name: str) -> bool:
    start, _, end = name.partition(": ")
    if not end:
        return start in (SET_UP, PLAIN, *TRANSFORMATIONS)
    return (start == PLAIN and end in TRANSFORMATIONS) or (start in TRANSFORMATIONS and end == FIX)
