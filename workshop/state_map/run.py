"""Run the programs of the state map, and say of each what became of the state.

`python -m workshop.state_map.run pinned` writes the record of the set of versions that this Python
has. One process runs all programs, each in names of its own.
"""

import datetime
import functools
import io
import json
import os
import platform
import re
import sys
from importlib.metadata import version
from pathlib import Path

from workshop.state_map.programs import (
    FIX,
    KINDS,
    SET_UP,
    SOURCE,
    TRANSFORMATIONS,
    cells_of,
    header,
    plain_for,
)

RECORDS = SOURCE.parent / "last_runs/state_map"
LIBRARIES = ("jax", "flax", "optax", "keras", "equinox")
KEPT, LOST, OTHER, ERROR = "kept", "lost", "other value", "error"
DEVICES = 4
TRACER = "a tracer"
# What differs between two runs of one program: addresses, numbers of objects.
VARYING = re.compile(r"0x[0-9a-f]+|\bid=\d+|#\s?\d+")


@functools.cache
def output_of(*sources: str) -> str:
    """What a program prints, its last line; a tracer in it is named, since each version shows others."""
    printed = io.StringIO()
    names = {"__name__": "program", "print": functools.partial(_print, printed)}
    for source in sources:
        exec(source, names)  # noqa: S102  programs of this book
    return VARYING.sub("…", printed.getvalue().strip())


def _print(file: io.StringIO, value: object) -> None:
    import jax

    leaves = jax.tree.leaves(value)
    tracers = [type(leaf).__name__ for leaf in leaves if isinstance(leaf, jax.core.Tracer)]
    print(f"{TRACER} ({tracers[0]})" if tracers else value, file=file)


def outcome(expected: str, before: str, *sources: str) -> dict[str, str]:
    """The verdict on a program, and its output or the first line of its error.

    Args:
        expected: the output of the plain loop.
        before: the output that the state would give if nothing had happened to it.
        sources: set-up and program.
    """
    try:
        output = output_of(*sources)
    except Exception as error:  # noqa: BLE001  whatever a library raises is the outcome
        message = VARYING.sub("…", str(error).strip().partition("\n")[0])[:200]
        return {"verdict": ERROR, "output": f"{type(error).__name__}: {message}".rstrip(": ")}
    verdict = KEPT if output == expected else LOST if output == before else OTHER
    return {"verdict": verdict, "output": output}


def run_kind(kind: str) -> dict[str, dict[str, str]]:
    """The outcomes of the programs of a kind of state, by transformation, and those of the fixes."""
    cells = cells_of(kind)
    start = header() + cells[SET_UP]
    found = {}
    for name, source in cells.items():
        transformation, _, part = name.partition(": ")
        if transformation not in TRANSFORMATIONS:
            continue
        expected = output_of(start, plain_for(cells, transformation))
        before = output_of(start, last_line(source))
        found[name] = outcome(expected, before, start, source)
        if part != FIX and found[name]["verdict"] != KEPT:
            found[name]["expected"] = expected
    return found


def last_line(source: str) -> str:
    """The line of a program that prints its state."""
    return source.strip().splitlines()[-1]


def run_map(kinds: tuple[str, ...] = KINDS) -> dict[str, dict]:
    """The outcomes of all programs, by kind and name of the cell."""
    os.environ["KERAS_BACKEND"] = "jax"
    import jax

    jax.config.update("jax_num_cpu_devices", DEVICES)
    return {kind: run_kind(kind) for kind in kinds}


def write_record(environment: str, folder: Path = RECORDS) -> Path:
    """Run the map on the versions that this Python has, and write down what it gave."""
    record = {
        "date": datetime.datetime.now(datetime.UTC).date().isoformat(),
        "python": platform.python_version(),
        "versions": {name: version(name) for name in LIBRARIES},
        "kinds": run_map(),
    }
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / f"{environment}.json"
    text = json.dumps(record, indent=1, ensure_ascii=False)
    path.write_text(text + "\n", encoding="utf8")
    return path


def changes(before: dict, now: dict, tolerant: bool) -> list[str]:
    """One line for each program that ends in another way than recorded.

    Args:
        before: the kinds of a record.
        now: those of a new one.
        tolerant: for versions that aren't pinned, take the name of an error for its message.
    """

    def said(outcome: dict | None) -> str:
        if outcome is None:
            return "missing"
        output = outcome["output"].replace("\n", " ")
        if tolerant and outcome["verdict"] == ERROR:
            output = output.partition(":")[0]
        return f"{outcome['verdict']} ({output})"

    pairs = [
        (kind, name, before.get(kind, {}).get(name), now.get(kind, {}).get(name))
        for kind in dict.fromkeys([*before, *now])
        for name in dict.fromkeys([*before.get(kind, {}), *now.get(kind, {})])
    ]
    return [
        f"{kind}, {name}: was {said(was)}, is {said(new)}"
        for kind, name, was, new in pairs
        if said(was) != said(new)
    ]


if __name__ == "__main__":
    print(write_record(*sys.argv[1:2], *map(Path, sys.argv[2:])))
