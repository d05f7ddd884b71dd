"""Run each notebook under nbmake alone and compare what it produces with what it documents.

nbmake stays the runner. It clears the outputs before it runs and compares nothing, so the class
that it runs notebooks with is replaced here by one that reads the committed notebook first. The
languages of a chapter run the same code: within one test run it runs once, and what it produces is
compared with each of them.
"""

import functools
import json
import warnings
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import ClassVar, NamedTuple

import nbformat
import nbmake.pytest_items
import pytest
from nbformat import NotebookNode
from nbformat.warnings import DuplicateCellId, MissingIDFieldWarning
from nbmake.nb_result import NotebookError, NotebookResult
from nbmake.nb_run import NotebookRun

from workshop.chapter.lint import faults_in, name_of
from workshop.chapter.model import Chapter, Guard
from workshop.chapter.read import read_chapter
from workshop.layout import ROOT, chapter_path
from workshop.picture.drawing import PictureError
from workshop.picture.pictures import faults_of, picture_scripts
from workshop.recorded_figure.records import (
    FigureError,
    differences_of_records,
    figure_scripts,
    read_record,
    record,
)
from workshop.runs.alone import CELL_SECONDS, StoppedError, run_code
from workshop.runs.compare import differences, error_in
from workshop.runs.records import ENVIRONMENTS, write_record

GUARDING = Path(__file__).with_name("guarding.py")
SHOWN_CELLS = 3
MEND = "run `make notebooks` and look at the difference, or mend the cell"
MEND_RECORD = "run `make notebooks` and look at the difference, or mend the figure's script"


class Run(NamedTuple):
    """What a run of a notebook left: its code cells and, where it stopped, why and at which."""

    cells: list[NotebookNode]
    judged: Sequence[NotebookNode] = ()  # the checks, run after an answer each, by exercise
    broken: tuple[str, ...] = ()  # guards that do not hold
    stopped_at: int | None = None  # a place in `cells`
    why: tuple[str, ...] = ()


class DocumentedRun(NotebookRun):
    """A run of a notebook, alone in an empty folder, that must produce what is documented.

    A run of its own follows, in which the guards of the chapter stand between its cells; a guard that
    changes what a later cell prints is refused. There the answers to the exercises are tried too, if
    there is a test to judge what the checks say.
    """

    environment = "pinned"
    tries_answers = False
    runs: ClassVar[dict[str, Run]] = {}  # by the code that ran

    def execute(self) -> NotebookResult:
        """Run the notebook as nbmake does, then compare each cell with the committed one."""
        try:
            with warnings.catch_warnings():
                for mended_silently in (MissingIDFieldWarning, DuplicateCellId):
                    warnings.simplefilter("error", mended_silently)
                documented = nbformat.read(self.filename, as_version=4)
                nbformat.validate(documented)
        except Exception as error:  # noqa: BLE001  a corrupt file makes readers raise anything
            reason = str(error).splitlines()[0]
            return self._failed(f"is no notebook ({reason}); run `make notebooks`")
        if faults := faults_in(documented):
            return self._failed(*faults, f"mend: {MEND}")
        code = [
            (number, cell)
            for number, cell in enumerate(documented.cells, start=1)
            if cell.cell_type == "code"
        ]
        run = self.run_once([cell for _, cell in code])
        if run.stopped_at is not None:
            here = name_of(*code[run.stopped_at])
            return self._failed(f"{here} {run.why[0]}", *run.why[1:])
        mode = ENVIRONMENTS[self.environment]
        found = {}
        for (number, before), after in zip(code, run.cells, strict=True):
            if lines := differences(before, after, mode):
                found[number] = [f"{name_of(number, before)} {line}" for line in lines]
        if not found and not run.broken:
            return NotebookResult(nb=documented, error=None)
        lines = [line for number in list(found)[:SHOWN_CELLS] for line in found[number]]
        if len(found) > SHOWN_CELLS:
            lines.append(f"… and {len(found) - SHOWN_CELLS} more cells")
        lines += [f"mend: {MEND}"] * bool(found)
        lines += [*run.broken, "mend: what the book says, or the code"] * bool(run.broken)
        return self._failed(*lines)

    def run_once(self, code: list[NotebookNode]) -> Run:
        """Run the notebook that holds this code, unless such code was run before."""
        key = json.dumps([(cell.source, cell.metadata.get("tags")) for cell in code])
        self.runs[key] = self.runs.get(key) or self._run(code)
        return self.runs[key]

    def _run(self, code: list[NotebookNode]) -> Run:
        """Run the code as a reader does; then once more, with what its chapter keeps for the tests."""
        cells = _fresh(code)
        try:
            run_code(cells, self.default_timeout, on_end=lambda place: _refuse_error(cells, place))
        except StoppedError as error:
            if not (raised := error_in(cells[error.place])):
                return Run(cells, stopped_at=error.place, why=(str(error),))
            why = f"{error}, which is not documented", f"mend: {MEND}", "\n".join(raised.traceback)
            return Run(cells, stopped_at=error.place, why=why)
        chapter = chapter_path(self.filename)
        return self._guarded(cells, read_chapter(chapter)) if chapter.is_dir() else Run(cells)

    def _guarded(self, cells: list[NotebookNode], chapter: Chapter) -> Run:
        """Run the cells again, each guard after its cell, and try the answers to the exercises."""
        again = _fresh(cells)
        asked: list[tuple[NotebookNode, Guard | None]] = [
            (_code_cell(GUARDING.read_text("utf8")), None)
        ]
        for place, cell in enumerate(again):
            here = [guard for guard in chapter.guards if guard.after == place]
            asked += [(cell, None), *((_code_cell(guard.source), guard) for guard in here)]
        judged = [
            _code_cell(source)
            for exercise in chapter.exercises
            for answer in exercise.answers
            for source in (answer.source, exercise.cells["check"].source)
            if self.tries_answers
        ]
        run = [*(cell for cell, _ in asked), *judged]

        def refuse_broken(place: int) -> None:
            if place < len(asked) and asked[place][1] and (raised := error_in(run[place])):
                raise StoppedError(place, f"does not hold ({raised.ename}: {raised.evalue})")

        try:
            run_code(run, self.default_timeout, on_end=refuse_broken)
        except StoppedError as error:
            _, guard = asked[min(error.place, len(asked) - 1)]
            return Run(cells, broken=(f"{guard.place if guard else chapter.path.name}: {error}",))
        mode = ENVIRONMENTS[self.environment]
        changed = [
            f"{chapter.path.name}/guards.py: a guard changes what a later cell prints: {line}"
            for before, after in zip(cells, again, strict=True)
            for line in differences(before, after, mode)[:1]
        ]
        return Run(cells, judged[1::2], tuple(changed[:SHOWN_CELLS]))

    def _failed(self, *lines: str) -> NotebookResult:
        name = self.filename
        name = name.relative_to(ROOT) if name.is_relative_to(ROOT) else name
        trace = "\n".join(f"{name}: {line}" for line in lines)
        return NotebookResult(
            nb=nbformat.v4.new_notebook(), error=NotebookError(lines[0], trace, -1)
        )


def _code_cell(source: str) -> NotebookNode:
    return nbformat.v4.new_code_cell(source, metadata={"tags": []})


def _fresh(cells: list[NotebookNode]) -> list[NotebookNode]:
    """The same code without outputs; `varies` stays, since comparisons ask for it."""
    kept = [{k: v for k, v in cell.metadata.items() if k in ("tags", "varies")} for cell in cells]
    return [
        nbformat.v4.new_code_cell(cell.source, metadata={"tags": [], **metadata})
        for cell, metadata in zip(cells, kept, strict=True)
    ]


def _refuse_error(cells: list[NotebookNode], place: int) -> None:
    """Stop a run at a cell that raises what it doesn't promise."""
    if "raises-exception" not in cells[place].metadata.tags and (raised := error_in(cells[place])):
        message = (raised.evalue.splitlines() or [""])[0]
        raise StoppedError(place, f"stops with {raised.ename}: {message}")


nbmake.pytest_items.NotebookRun = DocumentedRun


@pytest.fixture
def run_of() -> Callable[[Path], Run]:
    """Return a function that runs a notebook, or gives the run that its comparison made."""

    def run(path: Path) -> Run:
        code = [c for c in nbformat.read(path, as_version=4).cells if c.cell_type == "code"]
        return DocumentedRun(path, default_timeout=CELL_SECONDS).run_once(code)

    return run


class FigureScript(pytest.File):
    """The script of a recorded figure or a picture, which must still give what is committed."""

    def collect(self):
        """One item: run the script and compare."""
        kind = Picture if self.path in picture_scripts() else RecordedFigure
        yield kind.from_parent(self, name=kind.__name__.lower())


class RecordedFigure(pytest.Item):
    """Records a figure anew and compares it with the committed record."""

    made = ".json"

    def lines(self, tolerant: bool) -> list[str]:
        """One line per difference: step, field."""
        documented = read_record(self.path)
        if documented is None:
            return ["is missing"]
        return differences_of_records(documented, record(self.path), tolerant)

    def runtest(self) -> None:
        """Fail with one line per difference, each with the name of the figure."""
        name = f"{self.path.relative_to(ROOT).with_suffix(self.made)}"
        if lines := self.lines(ENVIRONMENTS[self.config.option.environment] == "tolerant"):
            shown = lines[:SHOWN_CELLS] + [f"… and {len(lines)} in all"] * (
                len(lines) > SHOWN_CELLS
            )
            raise FigureError(
                "\n".join(f"{name}: {line}" for line in [*shown, f"mend: {MEND_RECORD}"])
            )

    def repr_failure(self, excinfo, style=None) -> str:
        """The lines alone, without a traceback through this file."""
        if isinstance(excinfo.value, FigureError | PictureError):
            return str(excinfo.value)
        return super().repr_failure(excinfo, style)

    def reportinfo(self):
        """Name the item by its file."""
        return self.path, None, str(self.path.relative_to(ROOT))


class Picture(RecordedFigure):
    """Runs what a picture shows anew and compares, and draws it anew from what was kept."""

    made = ".svg"

    def lines(self, tolerant: bool) -> list[str]:
        """One line per value or drawing that differs."""
        return faults_of(self.path, tolerant)


def pytest_collect_file(file_path: Path, parent: pytest.Collector) -> FigureScript | None:
    """Collect the scripts of recorded figures and of pictures."""
    scripts = (*figure_scripts(), *picture_scripts()) if file_path.suffix == ".py" else ()
    if file_path.parent.name == "figures" and file_path in scripts:
        return FigureScript.from_parent(parent, path=file_path)
    return None


def pytest_addoption(parser: pytest.Parser) -> None:
    """Offer the environments that the notebooks are run in, and to record the run."""
    about = "what the notebooks run on: exact for pinned versions, tolerant for others"
    parser.addoption("--environment", choices=list(ENVIRONMENTS), default="pinned", help=about)
    parser.addoption("--record", action="store_true", help="keep the run for the status page")


def pytest_configure(config: pytest.Config) -> None:
    """Take the environment, and refuse what would write outputs that nobody looked at."""
    DocumentedRun.environment = config.option.environment
    if config.option.overwrite:
        raise pytest.UsageError("--overwrite is refused: notebooks are written by `make notebooks`")


@pytest.hookimpl(tryfirst=True)  # before xdist reads the groups
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Keep on one worker, under `pytest -n 2 --dist loadgroup`, the notebooks that share a run."""
    # Notebooks first: their time is that of the run, which others look at later.
    items.sort(key=lambda item: not isinstance(item, nbmake.pytest_items.NotebookItem))
    for item in items:
        if "run_of" in getattr(item, "fixturenames", ()):
            DocumentedRun.tries_answers = True
        if isinstance(item, nbmake.pytest_items.NotebookItem):
            item.add_marker(pytest.mark.xdist_group(item.path.stem))


@pytest.hookimpl(wrapper=True)
def pytest_runtest_call(item: pytest.Item):
    """Let the report of a notebook tell whether its code ran or had run for its twin."""
    before = len(DocumentedRun.runs)
    try:
        return (yield)
    finally:
        item.user_properties.append(("runs", len(DocumentedRun.runs) - before))


@pytest.fixture
def measured(record_property: Callable[[str, str], None]) -> Callable[[str], None]:
    """Return a function that keeps a text, or a table, to be shown at the end of the test run."""
    return functools.partial(record_property, "measured")


def pytest_terminal_summary(terminalreporter, config: pytest.Config) -> None:
    """Show what was measured, say what the notebooks took and, where asked for, record it."""
    calls = [
        report
        for reports in terminalreporter.stats.values()
        for report in reports
        if getattr(report, "when", "") == "call"
    ]
    for report in sorted(calls, key=lambda report: report.location):
        for name, text in report.user_properties:
            if name == "measured":
                terminalreporter.write_line(text)
    reports = [report for report in calls if report.location[0].endswith(".ipynb")]
    if not reports:
        return
    runs = sum(dict(report.user_properties)["runs"] for report in reports)
    seconds = sum(report.duration for report in reports)
    environment = config.option.environment
    terminalreporter.write_line(
        f"{len(reports)} notebooks compared with {runs} runs on {environment} versions, "
        f"{seconds:.0f} s of work"
    )
    if config.option.record:
        try:
            path = write_record(environment, reports)
        except ValueError as error:
            terminalreporter.write_line(f"error: {error}", red=True)
        else:
            terminalreporter.write_line(f"recorded in {path.relative_to(ROOT)}")
