"""Small faults planted by code in the code of the chapters: does the run notice them?

A kind of fault changes the code of one cell under its old outputs, as if `make notebooks` had written
both notebooks so: then nothing but the run can tell. Each kind is the only one of its sort: what refuses
a chapter or a notebook without a run is tested rule by rule (`workshop/chapter`), and so are outputs and
figures that differ (`workshop/runs`).

`make mutants` plants with a new seed and runs every chapter; `test_mutants.py` plants a sample that
is the same in every run.
"""

import ast
import copy
import io
import json
import os
import re
import sys
import tokenize
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from functools import cache
from multiprocessing import get_context
from random import Random as Rng
from random import SystemRandom

import nbformat
from nbformat import NotebookNode

from workshop.chapter.write import committed_cells
from workshop.layout import chapter_paths
from workshop.runs.alone import StoppedError, run_code
from workshop.runs.compare import clean_outputs, differences, error_in

CHAPTERS = {path.stem: path for path in chapter_paths()}
OF_A_KIND = 8  # that `make mutants` plants
WORKERS = 2


@dataclass
class Mutant:
    """The code cells of a chapter with one planted fault."""

    kind: str
    chapter: str
    cell: str
    cells: list[NotebookNode]
    excuse: str = ""  # why a run may not see it, as the chapter says
    seen: str = ""  # the first difference between these cells and their run
    no_effect: bool = False  # the changed code gives the same outputs

    @property
    def name(self) -> str:
        """Where and what, in one line."""
        return f"{self.kind}: {self.chapter}, {self.cell}"


@cache
def committed(chapter: str) -> list[NotebookNode]:
    """The code cells of a chapter as they are documented; not to be changed."""
    return committed_cells(CHAPTERS[chapter])


# --- kinds: each changes a cell in place, or returns False where the cell has no place for it -------


def another_number_in_the_code(cell, rng):
    found = [*re.finditer(r"(?<![\w.\"'#])(?:\d+\.\d+|\d+)(?![\w.\"'])", cell.source)]
    if not found:
        return False
    match = rng.choice(found)
    other = str(int(match[0]) + 1) if match[0].isdigit() else str(float(match[0]) * 1.5)
    cell.source = cell.source[: match.start()] + other + cell.source[match.end() :]
    return True


def a_figure_drawn_otherwise(cell, rng):
    """Another colour, style or label in the code that draws."""
    if not any("image/png" in output.get("data", {}) for output in cell.outputs):
        return False
    other = {"--": "-", "-": ":", ":": "--", "o": "s", "o-": "s-", "s": "o", ".": "x", "C0": "C3"}
    found = [
        token
        for token in tokenize.generate_tokens(io.StringIO(cell.source).readline)
        if token.type == tokenize.STRING and token.string[0] in "\"'" and len(token.string) > 2
        if re.search(r"plot|label|bar|scatter|color|text", token.line)
        and "rcParams" not in token.line
    ]
    if not found:
        return False
    token = rng.choice(found)
    old = token.string[1:-1]
    lines = cell.source.split("\n")
    row, start, end = token.start[0] - 1, token.start[1], token.end[1]
    lines[row] = f"{lines[row][:start]}{other.get(old, old + 's')!r}{lines[row][end:]}"
    cell.source = "\n".join(lines)
    return True


def a_deleted_statement(cell, rng):
    """The last statement of a cell that has several."""
    try:
        body = ast.parse(cell.source).body
    except SyntaxError:
        return False
    if len(body) < 2:
        return False
    cell.source = "\n".join(cell.source.split("\n")[: body[-1].lineno - 1]).rstrip()
    return True


def another_error(cell, rng):
    """The cell that must fail fails with another error."""
    if not error_in(cell):
        return False
    cell.source = f'raise LookupError("other")\n{cell.source}'
    return True


def an_error_that_no_longer_happens(cell, rng):
    if not error_in(cell):
        return False
    body = "\n".join(f"    {line}" for line in cell.source.split("\n"))
    cell.source = f"try:\n{body}\nexcept Exception:\n    pass"
    return True


FAULTS = (
    another_number_in_the_code,
    a_figure_drawn_otherwise,
    a_deleted_statement,
    another_error,
    an_error_that_no_longer_happens,
)


# --- planting and running ---------------------------------------------------------------------------


def plant(fault: Callable, chapter: str, rng: Rng) -> Mutant | None:
    """A mutant of a chapter with one fault of a kind; None where no cell has a place for it."""
    cells = copy.deepcopy(committed(chapter))
    for place in rng.sample(range(len(cells)), len(cells)):
        if fault(cells[place], rng) and cells[place] != committed(chapter)[place]:
            before = committed(chapter)[place]
            return Mutant(
                kind=fault.__name__.replace("_", " "),
                chapter=chapter,
                cell=f"code cell {place + 1} ({before.source.splitlines()[0][:40]!r})",
                cells=cells,
                excuse=before.metadata.get("varies", {}).get("reason", ""),
            )
        cells[place] = copy.deepcopy(committed(chapter)[place])
    return None


def draw(kinds: tuple[Callable, ...], seed: int, number: int, *chapters: str) -> list[Mutant]:
    """So many mutants of each kind, spread over these chapters, over all without them."""
    mutants: dict[str, Mutant] = {}
    for kind in kinds:
        rng, count = Rng(f"{seed} {kind.__name__}"), 0
        stems = rng.sample(chapters or list(CHAPTERS), len(chapters or CHAPTERS)) * 3
        while stems and count < number:
            mutant = plant(kind, stems.pop(), rng)
            if mutant and mutant.name not in mutants:
                mutants[mutant.name] = mutant
                count += 1
    return list(mutants.values())


class SeenError(Exception):
    """A difference was seen: the rest of the run tells no more."""


def run_documented(code: list[NotebookNode], stop: bool) -> tuple[list[NotebookNode], str]:
    """Run documented cells alone; return the cells as run, and the first difference.

    Args:
        code: the documented cells.
        stop: end at the first difference.
    """
    cells = [
        nbformat.v4.new_code_cell(
            cell.source,
            metadata={key: value for key, value in cell.metadata.items() if key == "varies"},
        )
        for cell in code
    ]
    found = []

    def compare(place: int) -> None:
        found.extend(differences(code[place], cells[place]))
        if found and stop:
            raise SeenError

    try:
        run_code(cells, on_end=compare)
    except SeenError:
        pass
    except StoppedError as error:
        found.append(str(error))
    return cells, (found or [""])[0]


def fresh_run(chapter: str) -> list[NotebookNode]:
    """The code cells of a chapter as a run leaves them."""
    return run_documented(committed(chapter), stop=False)[0]


def look_for(mutant: Mutant, fresh: list[NotebookNode]) -> Mutant:
    """Run a mutant and note the first difference between what it documents and what it produces.

    Args:
        mutant: the cells with the fault.
        fresh: the chapter's cells as run.
    """
    produced, mutant.seen = run_documented(mutant.cells, stop=True)
    mutant.no_effect = not mutant.seen and _bytes(produced) == _bytes(fresh)
    return mutant


def _bytes(cells: list[NotebookNode]) -> list[str]:
    """All that cells put out, but for tracebacks (they show the code), addresses and `varies`."""
    shown = []
    for cell in cells:
        for output in [] if "varies" in cell.metadata else clean_outputs(cell.outputs):
            for name in ("traceback", "execution_count"):
                output.pop(name, None)
            shown.append(re.sub("0x[0-9a-f]+", "0x", json.dumps(output, sort_keys=True)))
    return shown


def missed(mutants: list[Mutant]) -> list[Mutant]:
    """The faults that were not seen; changes of code that change no output are none."""
    return [mutant for mutant in mutants if not mutant.seen and not mutant.no_effect]


def table(mutants: list[Mutant]) -> str:
    """How many of each kind were seen, then every miss."""
    lines = [f"{'kind':36}{'planted':>8}{'seen':>6}{'missed':>8}{'no effect':>11}"]
    for kind in [*dict.fromkeys(mutant.kind for mutant in mutants), "all"]:
        ours = [mutant for mutant in mutants if kind in ("all", mutant.kind)]
        counts = (len(ours), sum(bool(m.seen) for m in ours), len(missed(ours)))
        lines.append("{:36}{:8}{:6}{:8}{:11}".format(kind, *counts, sum(m.no_effect for m in ours)))
    lines += [f"MISSED {m.name}: {m.excuse or 'no reason is written'}" for m in missed(mutants)]
    return "\n".join(lines)


def exit_status(mutants: list[Mutant]) -> int:
    """0 when the chapter gives a reason for each fault that was not seen, 1 otherwise."""
    return int(any(not mutant.excuse for mutant in missed(mutants)))


def main() -> int:
    """Plant everything, run it and print the table."""
    seed = int(os.environ.get("MUTANTS_SEED") or SystemRandom().randrange(10**6))
    print(f"MUTANTS_SEED={seed}", flush=True)
    mutants = draw(FAULTS, seed, OF_A_KIND)
    done = []
    with ProcessPoolExecutor(WORKERS, get_context("spawn")) as pool:
        fresh = dict(zip(CHAPTERS, pool.map(fresh_run, CHAPTERS), strict=True))
        for mutant in pool.map(look_for, mutants, [fresh[mutant.chapter] for mutant in mutants]):
            done.append(mutant)
            print(f"\r{len(done)} of {len(mutants)} run", end="", file=sys.stderr, flush=True)
    print(f"\n{table(done)}")
    return exit_status(done)


if __name__ == "__main__":
    sys.exit(main())
