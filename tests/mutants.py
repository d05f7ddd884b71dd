"""Small faults planted by code in the committed chapters, and which layer of the checks sees each.

Every kind of fault is a function in `faults_of_notebooks.py` or `faults_of_chapters.py` that
changes a notebook or a chapter at a place drawn from a seeded generator. The checks are the ones of `make test`:

- static: the chapter is read, the notebooks are linted and compared with their chapter and with
  each other, prose, claims and exercises are looked at. No kernel is needed.
- run: the code is run and its outputs are compared with the documented ones, as in `runs/pytest_plugin.py`.
  A fault that leaves the code alone needs no run of its own: all of a chapter share one.

A fault in a notebook alone is always caught, since a notebook must be what its chapter says. So
faults also come "in both": planted in the chapter and in both languages with new cell ids, as if
`make notebooks` had written them; there an output stands only because the run proves it.

`make mutants` plants some 200 and prints the table; `test_mutants.py` plants a sample.
"""

import argparse
import asyncio
import copy
import json
import os
import re
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ProcessPoolExecutor
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from functools import cache
from multiprocessing import get_context
from pathlib import Path
from random import Random as Rng
from random import SystemRandom

import nbformat
from nbclient import NotebookClient
from nbclient.exceptions import CellTimeoutError, DeadKernelError
from nbformat import NotebookNode

from tests.faults_of_chapters import CODE_FAULTS, SOURCE_FAULTS, blocks_of
from tests.faults_of_notebooks import NOTEBOOK_FAULTS, OUTPUT_FAULTS, reason_to_pass
from tests.harmless_changes import HARMLESS_CODE, HARMLESS_PROSE, HARMLESS_RUNS, all_at_once
from workshop.chapter.checks import faults_of_exercises, faults_of_parity, faults_of_prose
from workshop.chapter.lint import faults_in
from workshop.chapter.model import ChapterError
from workshop.chapter.read import documented, read_chapter
from workshop.chapter.write import (
    assemble,
    committed_cells,
    is_documented,
    notebook_text,
    refuse_wrong_cards,
    write_chapter,
)
from workshop.layout import BOOK, LANGUAGES, ROOT, chapter_paths, notebook_path
from workshop.runs.alone import CELL_SECONDS, kernel_config, run_alone
from workshop.runs.compare import clean_outputs, differences

CHAPTERS = {path.stem: path for path in chapter_paths()}
SECONDS_OF_SILENCE = 20
ALL_FAULTS = OUTPUT_FAULTS | NOTEBOOK_FAULTS | CODE_FAULTS | SOURCE_FAULTS


@dataclass
class Mutant:
    """One planted fault: the chapter and its notebooks as they would lie in the repository."""

    kind: str
    chapter: str  # its stem
    way: str
    what: str
    text: str
    notebooks: dict[str, str]
    excuse: str = ""  # why a run may not see it, as the chapter says
    static: str = ""  # the layer that saw it and the first line of what it said
    run: str = ""
    no_effect: bool = False  # the changed code gives the same outputs, byte for byte

    @property
    def name(self) -> str:
        """Where and what, in one line."""
        return f"{self.kind}: {self.chapter}, {self.way}, {self.what}"

    @property
    def caught(self) -> bool:
        """Whether any layer saw it."""
        return bool(self.static or self.run)


# --- planting ---------------------------------------------------------------------------------------


@cache
def committed(chapter: str) -> tuple[str, dict[str, NotebookNode]]:
    """The text of a chapter and its notebooks, as they lie in the repository; not to be changed."""
    path = CHAPTERS[chapter]
    notebooks = {
        language: nbformat.read(notebook_path(path, language), as_version=4)
        for language in LANGUAGES
    }
    return path.read_text(encoding="utf8"), notebooks


def code_of(notebook: NotebookNode) -> list[NotebookNode]:
    """The code cells of a notebook."""
    return [cell for cell in notebook.cells if cell.cell_type == "code"]


def plant(fault: Callable, chapter: str, rng: Rng) -> Mutant | None:
    """A mutant of a chapter with one fault of a kind; None where the kind finds no place."""
    text, originals = committed(chapter)
    notebooks = copy.deepcopy(originals)
    excuse = ""
    languages = list(LANGUAGES)
    if fault in OUTPUT_FAULTS:
        way = rng.choice(["in both", "in both", "in one notebook"])
        languages = languages if way == "in both" else [rng.choice(languages)]
        state = rng.getstate()
        for language in languages:
            rng.setstate(state)  # the same fault in each language
            place = fault(code_of(notebooks[language]), rng)
            if place is None or notebooks[language] == originals[language]:
                return None
        cell, changed = (code_of(book[languages[0]])[place] for book in (originals, notebooks))
        what = f"code cell {place + 1} ({cell.source.splitlines()[0][:40]!r})"
        excuse = reason_to_pass(cell, changed)
    elif fault in NOTEBOOK_FAULTS:
        way, languages = "in one notebook", [rng.choice(languages)]
        what = fault(notebooks[languages[0]], rng)
    else:
        way = rng.choice(["in both", "in both", "in the chapter"])
        if fault in CODE_FAULTS:
            way = rng.choice(["in both", "in both", way, "in one notebook"])
        blocks = blocks_of(text)
        what = fault(blocks, rng)
        changed = "".join(blocks)
        if what is None or changed == text:
            return None
        if way != "in the chapter":
            languages = languages if way == "in both" else [rng.choice(languages)]
            try:
                written = _written(CHAPTERS[chapter], changed, languages)
            except ChapterError:
                way = "in the chapter"  # such a chapter cannot be written
            else:
                notebooks |= written
        text = text if way == "in one notebook" else changed
    texts = {language: nbformat.writes(notebook) + "\n" for language, notebook in notebooks.items()}
    if fault in OUTPUT_FAULTS and way == "in both":
        texts = {language: notebook_text(notebook) for language, notebook in notebooks.items()}
    kind = fault.__name__.replace("_", " ")
    return Mutant(kind, chapter, way, what, text, texts, excuse)


def _written(path: Path, text: str, languages: list[str]) -> dict[str, NotebookNode]:
    """The notebooks of a changed chapter with the outputs that stood there before."""
    with a_book(path.stem, text, {}) as there:
        parsed = read_chapter(there)
        left = copy.deepcopy(committed_cells(path))
        runs = {}
        wanted = dict(enumerate(cell.source for cell in parsed.code))
        for number, source in wanted.items():  # outputs move with their code …
            if run := next((run for run in left if run.source == source), None):
                runs[number] = run
                if list(wanted.values()).count(source) == 1:
                    left = [other for other in left if other is not run]
        for number in wanted:  # … and stay where code was changed
            if number not in runs:
                runs[number] = left.pop(0) if left else nbformat.v4.new_code_cell()
        cells = [runs[number] for number in wanted]
        return {
            language: nbformat.reads(assemble(parsed, language, cells), as_version=4)
            for language in languages
        }


def draw(faults: dict[Callable, int], seed: int, share: float = 1.0) -> list[Mutant]:
    """Mutants of every kind in `faults`, as many as said there, spread over the chapters."""
    mutants = []
    for fault, number in faults.items():
        rng = Rng(f"{seed} {fault.__name__}")
        number = int(number * share) + (rng.random() < number * share % 1)
        stems = rng.sample(list(CHAPTERS), len(CHAPTERS)) * 6
        seen: set[str] = set()
        while stems and len(seen) < number:
            mutant = plant(fault, stems.pop(), rng)
            if mutant and mutant.name not in seen:
                seen.add(mutant.name)
                mutants.append(mutant)
    return mutants


# --- the two layers ---------------------------------------------------------------------------------


@contextmanager
def a_book(stem: str, text: str, notebooks: dict[str, str]):
    """Lay a chapter and its notebooks into an empty book beside its figures; yield its path."""
    (ROOT / "_build").mkdir(exist_ok=True)
    with tempfile.TemporaryDirectory(dir=ROOT / "_build", prefix="mutant-") as folder:
        book = Path(folder) / "book"
        for name in ("chapters", *LANGUAGES):
            (book / name).mkdir(parents=True)
        os.symlink(BOOK / "figures", book / "figures")
        path = book / "chapters" / f"{stem}.md"
        path.write_text(text, encoding="utf8")
        for language, notebook in notebooks.items():
            notebook_path(path, language).write_text(notebook, encoding="utf8")
        yield path


def static_faults(path: Path) -> Iterator[str]:
    """What the checks that need no kernel say of a chapter and its notebooks, layer by layer."""
    texts = {code: notebook_path(path, code).read_text("utf8") for code in LANGUAGES}
    notebooks = {code: nbformat.reads(text, as_version=4) for code, text in texts.items()}
    for notebook in notebooks.values():
        yield from (f"lint: {line}" for line in faults_in(notebook))
    try:
        chapter = read_chapter(path)
        committed = committed_cells(path)
        if not is_documented(chapter, committed):
            yield "written: code changed"
        refuse_wrong_cards(chapter, committed)
        for code, text in texts.items():
            if assemble(chapter, code, committed) != text:
                yield f"written: {code} is not what the chapter says"
    except (ChapterError, ValueError) as error:
        yield f"read: {error}"
        return
    for code in LANGUAGES:
        yield from (f"prose: {line}" for line in faults_of_prose(chapter, code))
    yield from (f"parity: {line}" for line in faults_of_parity(documented(path)))
    if chapter.number:
        yield from (f"exercises: {line}" for line in faults_of_exercises(chapter))


def judge_statically(mutant: Mutant) -> None:
    """Note the first thing that the checks without a kernel say."""
    with a_book(mutant.chapter, mutant.text, mutant.notebooks) as path:
        mutant.static = next(static_faults(path), "").split("\n")[0]


class SeenError(Exception):
    """A difference was seen: the rest of the run tells no more."""


def run_code(code: list[NotebookNode], stop: bool) -> tuple[list[NotebookNode], str]:
    """Run documented cells alone; return the cells as run, and the first difference.

    Args:
        stop: end at the first difference.
    """
    cells = [
        nbformat.v4.new_code_cell(
            cell.source,
            metadata={key: value for key, value in cell.metadata.items() if key == "varies"},
        )
        for cell in code
    ]
    notebook = nbformat.v4.new_notebook(cells=cells)
    found = []

    def ended(cell: NotebookNode, cell_index: int, execute_reply: dict) -> None:
        lines = differences(code[cell_index], cell)
        found.extend(f"cell {cell_index + 1} {line}" for line in lines)
        if lines and stop:
            raise SeenError

    try:
        with run_alone() as folder:
            client = NotebookClient(
                notebook,
                timeout=CELL_SECONDS,
                allow_errors=True,
                record_timing=False,
                config=kernel_config(folder),
            )
            client.on_cell_executed = ended
            client.execute(cwd=folder)
    except SeenError:
        pass
    except CellTimeoutError:
        found.append("a cell runs too long")
    except (DeadKernelError, asyncio.CancelledError):
        found.append("the kernel died")
    return cells, (found or [""])[0]


def fresh_run(chapter: str) -> list[NotebookNode]:
    """The code cells of a chapter as a run of the committed notebook leaves them."""
    notebook = committed(chapter)[1][next(iter(LANGUAGES))]
    return run_code(code_of(notebook), stop=False)[0]


def _changed_notebooks(mutant: Mutant) -> list[list[NotebookNode]]:
    """The code cells of the notebooks in which the fault lies; equal ones once."""
    found: dict[str, list[NotebookNode]] = {}
    for language, text in mutant.notebooks.items():
        notebook = nbformat.reads(text, as_version=4)
        if notebook != committed(mutant.chapter)[1][language]:
            code = code_of(notebook)
            key = json.dumps([(c.source, c.metadata.get("tags"), c.outputs) for c in code])
            found.setdefault(key, code)
    return list(found.values())


def needs_a_run(mutant: Mutant) -> bool:
    """Whether the code of a notebook was changed."""
    before = [cell.source for cell in code_of(committed(mutant.chapter)[1]["ko"])]
    return any([c.source for c in code] != before for code in _changed_notebooks(mutant))


def judge_by_run(mutant: Mutant, fresh: list[NotebookNode]) -> Mutant:
    """Note the first difference between what is documented and what the code produces.

    Args:
        fresh: the chapter's cells as run; stands for the run of a mutant whose code is unchanged.
    """
    runs = needs_a_run(mutant)
    for code in _changed_notebooks(mutant):
        if not runs:
            lines = [
                f"cell {number} {line}"
                for number, pair in enumerate(zip(code, fresh, strict=True), start=1)
                for line in differences(*pair)
            ]
            mutant.run = (lines or [""])[0]
        else:
            produced, mutant.run = run_code(code, stop=True)
            mutant.no_effect = not mutant.run and _bytes(produced) == _bytes(fresh)
        if mutant.run:
            break
    return mutant


def _bytes(cells: list[NotebookNode]) -> list[str]:
    """All that cells put out, but for tracebacks (they show the code), addresses and `varies`."""
    shown = []
    for cell in cells:
        outputs = [] if "varies" in cell.metadata else clean_outputs(cell.outputs)
        for output in outputs:
            output.pop("traceback", None)
            output.pop("execution_count", None)
        if outputs:
            shown.append(re.sub("0x[0-9a-f]+", "0x", json.dumps(outputs, sort_keys=True)))
    return sorted(shown)


def judge(mutant: Mutant, fresh: list[NotebookNode]) -> Mutant:
    """Let both layers judge a mutant; arguments as of `judge_by_run`."""
    judge_statically(mutant)
    return judge_by_run(mutant, fresh)


# --- harmless changes -------------------------------------------------------------------------------


def flagged_runs(chapter: str) -> dict[str, str]:
    """The first difference that each of HARMLESS_RUNS brings, empty as it should be."""
    code = code_of(committed(chapter)[1]["ko"])
    flagged = {}
    for name, change in HARMLESS_RUNS.items():
        run = copy.deepcopy(code)
        change(run)
        lines = [line for pair in zip(code, run, strict=True) for line in differences(*pair)]
        flagged[name] = (lines or [""])[0]
    return flagged


def flagged_change(chapter: str, name: str, change: Callable, rng: Rng) -> str:
    """Make a harmless change in a chapter, write its notebooks and say what a check flags.

    Raises:
        IndexError: the chapter has no place for this change.
    """
    text, notebooks = committed(chapter)
    blocks = blocks_of(text)
    change(blocks, rng)
    texts = {language: notebook_text(notebook) for language, notebook in notebooks.items()}
    with a_book(chapter, "".join(blocks), texts) as path:
        try:
            write_chapter(path, run=False, on_cell=lambda cell, cells: None)
        except ChapterError as error:
            return str(error)
        written = {
            language: notebook_path(path, language).read_text("utf8") for language in LANGUAGES
        }
    mutant = Mutant(name, chapter, "in both", "", "".join(blocks), written)
    judge_statically(mutant)
    return mutant.static or (needs_a_run(mutant) and judge_by_run(mutant, []).run) or ""


# --- the table --------------------------------------------------------------------------------------


def table(mutants: list[Mutant]) -> str:
    """Kinds and what was caught by each layer alone and by both, then every miss."""
    kinds = list(dict.fromkeys(mutant.kind for mutant in mutants))
    lines = [
        f"{'kind':40}{'made':>5}{'static':>8}{'run':>6}{'both':>6}{'missed':>8}{'no effect':>11}"
    ]
    for kind in [*kinds, None]:
        ours = [mutant for mutant in mutants if kind in (None, mutant.kind)]
        real = faults(ours)
        counts = [
            sum(map(bool, seen)) for seen in zip(*((m.static, m.run, m.caught) for m in real))
        ]
        static, run, both = counts or (0, 0, 0)
        name = (kind or "all").ljust(40)
        lines.append(
            f"{name}{len(real):5}{static:8}{run:6}{both:6}{len(real) - both:8}{len(ours) - len(real):11}"
        )
    hard = [m for m in faults(mutants) if m.way == "in both"]
    for name, group in (("all", faults(mutants)), ("in both notebooks, as if written", hard)):
        shares = [
            100 * sum(bool(seen(m)) for m in group) / len(group)
            for seen in (lambda m: m.static, lambda m: m.run, lambda m: m.caught)
        ]
        lines.append(
            "{} ({}): static alone {:.1f} %, run with comparison alone {:.1f} %, "
            "together {:.1f} %".format(name, len(group), *shares)
        )
    layers = Counter(m.static.split(":")[0] for m in mutants if m.static)
    lines.append("static, first seen by: " + ", ".join(f"{k} {n}" for k, n in layers.most_common()))
    lines += [f"MISSED {m.name}: {m.excuse or 'no reason is written'}" for m in missed(mutants)]
    lines += [f"no effect {m.name}" for m in mutants if m not in faults(mutants)]
    return "\n".join(lines)


def faults(mutants: list[Mutant]) -> list[Mutant]:
    """Without changes of code that change no output: those document nothing wrong."""
    return [mutant for mutant in mutants if mutant.caught or not mutant.no_effect]


def missed(mutants: list[Mutant]) -> list[Mutant]:
    """The faults that no layer saw."""
    return [mutant for mutant in faults(mutants) if not mutant.caught]


def new_seed() -> int:
    """The seed named by MUTANTS_SEED, else a new one."""
    return int(os.environ.get("MUTANTS_SEED") or SystemRandom().randrange(10**6))


def told(what: str, results: Iterable) -> list:
    """Collect results, and say on standard error now and then how many there are."""
    collected, start, last = [], time.monotonic(), time.monotonic()
    for result in results:
        collected.append(result)
        if time.monotonic() - last > SECONDS_OF_SILENCE:
            last = time.monotonic()
            print(f"{what}: {len(collected)} after {last - start:.0f} s", file=sys.stderr)
    print(f"{what}: {len(collected)}, {time.monotonic() - start:.0f} s", file=sys.stderr)
    return collected


def main() -> int:
    """Plant everything, print the table; 0 when at most 2 % are missed, each with its reason."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--workers", type=int, default=2)
    options = parser.parse_args()
    seed = new_seed()
    print(f"MUTANTS_SEED={seed}", flush=True)
    mutants = draw(ALL_FAULTS, seed)
    with ProcessPoolExecutor(options.workers, get_context("spawn")) as pool:
        fresh = dict(
            zip(CHAPTERS, told("chapters run", pool.map(fresh_run, CHAPTERS)), strict=True)
        )
        runs = [fresh[mutant.chapter] for mutant in mutants]
        judged = told("faults judged", pool.map(judge, mutants, runs))
        seeds = [seed] * len(CHAPTERS)
        quiet = told("chapters changed harmlessly", pool.map(flagged_harmless, CHAPTERS, seeds))
    print(table(judged))
    done = Counter(name for chapter in quiet for name in chapter)
    flagged = [f"FLAGGED {k}: {line}" for found in quiet for k, line in found.items() if line]
    print(
        f"harmless: {len(done)} kinds, {done.total()} made, {len(flagged)} flagged",
        *flagged,
        sep="\n",
    )
    real = faults(judged)
    loose = [mutant for mutant in missed(judged) if not mutant.excuse]
    return int(bool(flagged or loose) or len(missed(judged)) > 0.02 * len(real))


def flagged_harmless(chapter: str, seed: int) -> dict[str, str]:
    """What the checks say of the harmless changes of one chapter, by name; empty as it should be."""
    rng = Rng(f"{seed} {chapter}")
    flagged = flagged_runs(chapter)
    for name, change in HARMLESS_PROSE.items():
        with suppress(IndexError):
            flagged[name] = flagged_change(chapter, name, change, rng)
    if chapter in RUN_HARMLESS:
        line = flagged_change(chapter, "code", all_at_once(HARMLESS_CODE), rng)
        flagged |= dict.fromkeys(HARMLESS_CODE, line)
    return flagged


# Harmless changes of code are run in two chapters, the quickest of those with much code.
RUN_HARMLESS = ("01-arrays", "03-counter-pitfall")

if __name__ == "__main__":
    sys.exit(main())
