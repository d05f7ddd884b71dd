"""Write the notebooks of both languages from the chapters: `make notebooks`.

Records and pictures whose script changed are written first, since chapters show them.
A chapter's code runs once, alone in an empty folder, and both languages get its outputs. Only
chapters whose code changed are run (`--all` runs every one). A notebook is replaced whole or not at
all; one that was edited by hand is never overwritten.
"""

import argparse
import hashlib
import json
import os
import sys
import time
from collections import Counter
from collections.abc import Callable
from pathlib import Path

import nbformat
from nbformat import NotebookNode

from workshop.chapter.lint import name_of
from workshop.chapter.model import Chapter, ChapterError
from workshop.chapter.notebook import notebook_in
from workshop.chapter.read import read_chapter
from workshop.layout import BOOK, LANGUAGES, chapter_path, chapter_paths, notebook_path
from workshop.live_box.programs import LIVE, mark_live
from workshop.picture.drawing import PictureError
from workshop.picture.images import draw_anew
from workshop.predict_card.card import CardError, refuse_wrong_answer
from workshop.recorded_figure.records import FigureError, figure_scripts, write_record
from workshop.runs.alone import CELL_SECONDS, StoppedError, run_code
from workshop.runs.compare import clean_outputs, differences, error_in


def notebook_text(notebook: NotebookNode) -> str:
    """The notebook as it is written: cell ids that are hashes of their cells, stable order."""
    seen: Counter[str] = Counter()
    for cell in notebook.cells:
        digest = cell_digest(cell)
        cell["id"] = f"{digest}-{seen[digest]}" if seen[digest] else digest
        seen[digest] += 1
    return nbformat.writes(notebook) + "\n"


def cell_digest(cell: NotebookNode) -> str:
    """A short hash of all that is in a cell but its id and its run number."""
    content = json.loads(json.dumps(cell))
    content.pop("id", None)
    content.pop("execution_count", None)
    for output in content.get("outputs", []):
        output.pop("execution_count", None)
    text = json.dumps(content, sort_keys=True, ensure_ascii=False)
    return hashlib.sha256(text.encode()).hexdigest()[:12]


def refuse_edits_by_hand(path: Path) -> None:
    """Raise `ChapterError` where a cell of the notebook is not what was written."""
    if not path.exists():
        return
    try:
        notebook = nbformat.read(path, as_version=4)
    except Exception as error:
        raise ChapterError(
            f"{_short(path)}: is no notebook; bring it back with git checkout -- {_short(path)}"
        ) from error
    for number, cell in enumerate(notebook.cells, start=1):
        if cell.get("id", "").split("-")[0] != cell_digest(cell):
            raise ChapterError(
                f"{_short(path)}, {name_of(number, cell)}: was edited by hand; make the "
                f"change in book/chapters/{path.stem}/, then git checkout -- {_short(path)}"
            )


def committed_cells(chapter: Path) -> list[NotebookNode]:
    """The code cells, with outputs, of the notebook that stands; empty where there is none."""
    path = notebook_path(chapter, next(iter(LANGUAGES)))
    if not path.exists():
        return []
    return [cell for cell in nbformat.read(path, as_version=4).cells if cell.cell_type == "code"]


def is_documented(chapter: Chapter, committed: list[NotebookNode]) -> bool:
    """Whether every code cell of the chapter stands, run, in the committed notebook."""
    return [(cell.source, "raises-exception" in cell.tags) for cell in chapter.code] == [
        (cell.source, "raises-exception" in cell.metadata.get("tags", []))
        for cell in committed
        if cell.execution_count
    ]


def execute(chapter: Chapter, on_cell: Callable[[int, int], None]) -> list[NotebookNode]:
    """Run the chapter's code alone in an empty folder and return its code cells with outputs.

    Args:
        on_cell: called before each cell with its number and the number of cells.

    Raises:
        ChapterError: a cell fails, hangs, kills the kernel, or does not raise what its tag promises.
    """
    notebook = notebook_in(chapter, next(iter(LANGUAGES)))
    cells = [cell for cell in notebook.cells if cell.cell_type == "code"]
    places = [cell.place for cell in chapter.code]
    try:
        run_code(cells, CELL_SECONDS, lambda place: on_cell(place + 1, len(places)))
    except StoppedError as error:
        raise ChapterError(f"{places[error.place]}: {error}") from error
    for place, cell in zip(places, cells, strict=True):
        failure = error_in(cell)
        promised = "raises-exception" in cell.metadata.get("tags", [])
        if failure and not promised:
            raise ChapterError(f"{place}: fails with {failure.ename}: {failure.evalue}; mend it")
        if promised and not failure:
            raise ChapterError(f"{place}: raises nothing; remove its tag raises-exception")
        cell.outputs = clean_outputs(cell.outputs)
    return cells


def write_chapter(path: Path, run: bool, on_cell: Callable[[int, int], None]) -> str:
    """Write the notebooks of one chapter and say what was done."""
    chapter = read_chapter(path)
    targets = {language: notebook_path(path, language) for language in LANGUAGES}
    for target in targets.values():
        refuse_edits_by_hand(target)
    committed = committed_cells(path)
    ran = run or not is_documented(chapter, committed)
    cells = execute(chapter, on_cell) if ran else committed
    if ran:
        keep_documented_outputs(cells, committed)
    refuse_wrong_cards(chapter, cells)
    mark_live(cells, chapter.answers)
    texts = {target: assemble(chapter, lang, cells) for lang, target in targets.items()}
    changed = [t for t, text in texts.items() if not t.exists() or t.read_text("utf8") != text]
    for target in changed:
        target.parent.mkdir(exist_ok=True)
        unfinished = target.with_suffix(".unfinished")
        unfinished.write_text(texts[target], encoding="utf8")
        os.replace(unfinished, target)
    return f"{'run, ' if ran else ''}{'written' if changed else 'unchanged'}"


def keep_documented_outputs(produced: list[NotebookNode], committed: list[NotebookNode]) -> None:
    """Where a new run agrees with what is documented, keep the documented bytes."""
    documented = {(cell.source, cell.execution_count): cell for cell in committed}
    for count, cell in enumerate(produced, start=1):
        before = documented.get((cell.source, count))
        if before is not None and not differences(before, cell):
            cell.outputs = clean_outputs(before.outputs)  # by the rules of today


def refuse_wrong_cards(chapter: Chapter, cells: list[NotebookNode]) -> None:
    """Raise `ChapterError` where an output is not what a predict card calls right."""
    runs = {cell.place: run for cell, run in zip(chapter.code, cells, strict=True)}
    for card in chapter.cards:
        try:
            refuse_wrong_answer(next(iter(card.said.values())), runs[card.answer.place])
        except CardError as error:
            raise ChapterError(
                f"{card.answer.place}: the card above it is wrong: {error}; mend it"
            ) from None


def assemble(chapter: Chapter, language: str, cells: list[NotebookNode]) -> str:
    """The text of the notebook of one language, with the outputs of `cells` and their live boxes."""
    notebook = notebook_in(chapter, language)
    code = [cell for cell in notebook.cells if cell.cell_type == "code"]
    for count, (cell, run) in enumerate(zip(code, cells, strict=True), start=1):
        cell.execution_count = count
        if LIVE in run.metadata:
            cell.metadata[LIVE] = run.metadata[LIVE]
        cell.outputs = [nbformat.from_dict(output) for output in run.outputs]
        for output in cell.outputs:
            if output.output_type == "execute_result":
                output.execution_count = count
    return notebook_text(notebook)


def refuse_orphans(book: Path = BOOK) -> None:
    """Raise `ChapterError` for a notebook that no chapter writes."""
    for language in LANGUAGES:
        for notebook in sorted((book / language).glob("*.ipynb")):
            if not chapter_path(notebook).is_dir():
                raise ChapterError(
                    f"{_short(notebook)}: has no chapter; write book/chapters/{notebook.stem}/ "
                    "or delete the notebook"
                )


def _short(path: Path) -> str:
    return str(path.relative_to(BOOK.parent)) if path.is_relative_to(BOOK.parent) else str(path)


def main() -> int:
    """Run from the command line; 0 when every notebook is what its chapter says."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--all", action="store_true", help="run every chapter, changed or not")
    parser.add_argument("chapters", nargs="*", type=Path, help="only these (default: every one)")
    options = parser.parse_args()
    failed = 0
    try:
        for script in figure_scripts():
            if (done := write_record(script, options.all)) != "unchanged":
                print(f"{script.name}: {done}", flush=True)
        for done in draw_anew(options.all):
            print(done, flush=True)
        for path in options.chapters or chapter_paths():
            path = path.resolve()
            begun = time.perf_counter()

            def progress(cell: int, cells: int, name: str = path.stem) -> None:
                if sys.stdout.isatty():
                    print(f"\r{name}: cell {cell} of {cells} ", end="", flush=True)

            try:
                done = write_chapter(path, options.all, progress)
            except ChapterError as error:
                failed = 1
                print(f"\nerror: {error}", file=sys.stderr)
            else:
                seconds = time.perf_counter() - begun
                start = "\r" if sys.stdout.isatty() else ""
                print(f"{start}{path.stem}: {done} ({seconds:.1f} s)   ", flush=True)
        refuse_orphans()
    except (ChapterError, FigureError, PictureError) as error:
        failed = 1
        print(f"error: {error}", file=sys.stderr)
    except KeyboardInterrupt:
        print("\nstopped; the chapter that was running is as it was before", file=sys.stderr)
        return 130
    return failed


if __name__ == "__main__":
    sys.exit(main())
