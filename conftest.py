"""Run each notebook under nbmake alone and compare what it produces with what it documents.

nbmake stays the runner. It clears the outputs before it runs and compares nothing, so the class
that it runs notebooks with is replaced here by one that reads the committed notebook first.
"""

import shutil
import warnings
from functools import partial
from pathlib import Path
from unittest.mock import patch

import nbformat
import nbmake.pytest_items
import pytest
from compare_outputs import differences, error_in
from figure_records import FIGURES, FigureError, differences_of_records, read_record, record
from lint_notebook import faults_in, name_of
from nbclient import NotebookClient
from nbclient.exceptions import DeadKernelError
from nbformat.warnings import DuplicateCellId, MissingIDFieldWarning
from nbmake.nb_result import NotebookError, NotebookResult
from nbmake.nb_run import NotebookRun
from run_alone import kernel_config, run_alone

ROOT = Path(__file__).parent
SHOWN_CELLS = 3
MEND = "run `make notebooks` and look at the difference, or mend the cell"


class DocumentedRun(NotebookRun):
    """A run of a notebook, alone in an empty folder, that must produce what is documented."""

    mode = "pinned"

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
        committed = self.filename
        try:
            with run_alone() as folder:
                self.filename = Path(shutil.copy(committed, folder))
                client = partial(NotebookClient, config=kernel_config(folder))
                with patch("nbmake.nb_run.NotebookClient", client):
                    result = super().execute()
        except DeadKernelError:
            result = None
        finally:
            self.filename = committed
        if result is None:
            return self._failed("kills its kernel; run it in JupyterLab to see where")
        if result.error is not None:
            return self._stopped(result)
        found = {}
        for number, before in enumerate(documented.cells, start=1):
            after = result.nb.cells[number - 1]
            if before.cell_type == "code" and (lines := differences(before, after, self.mode)):
                found[number] = [f"{name_of(number, before)} {line}" for line in lines]
        if not found:
            return result
        lines = [line for number in list(found)[:SHOWN_CELLS] for line in found[number]]
        if len(found) > SHOWN_CELLS:
            lines.append(f"… and {len(found) - SHOWN_CELLS} more cells")
        return self._failed(*lines, f"mend: {MEND}")

    def _stopped(self, result: NotebookResult) -> NotebookResult:
        """Say first which cell stopped the run, then what nbmake says."""
        number = result.error.failing_cell_index
        cell = result.nb.cells[number]
        here = name_of(number + 1, cell)
        if result.error.summary.startswith("A cell timed out"):
            return self._failed(f"{here} ran longer than {self.default_timeout} s; make it shorter")
        raised = error_in(cell)
        message = (raised.evalue.splitlines() or [""])[0]
        stopped = f"{here} stops with {raised.ename}: {message}, which is not documented"
        return self._failed(stopped, f"mend: {MEND}", "\n".join(raised.traceback))

    def _failed(self, *lines: str) -> NotebookResult:
        name = self.filename
        name = name.relative_to(ROOT) if name.is_relative_to(ROOT) else name
        trace = "\n".join(f"{name}: {line}" for line in lines)
        return NotebookResult(
            nb=nbformat.v4.new_notebook(), error=NotebookError(lines[0], trace, -1)
        )


nbmake.pytest_items.NotebookRun = DocumentedRun


class FigureScript(pytest.File):
    """The script of a recorded figure, which must still do what its record says."""

    def collect(self):
        """One item: run the script and compare."""
        yield RecordedFigure.from_parent(self, name="record")


class RecordedFigure(pytest.Item):
    """Records a figure anew and compares it with the committed record."""

    def runtest(self) -> None:
        """Fail with one line per difference: figure, step, field."""
        name = f"{self.path.relative_to(ROOT).with_suffix('.json')}"
        documented = read_record(self.path)
        if documented is None:
            raise FigureError(f"{name}: is missing; run `make notebooks`")
        tolerant = self.config.option.tolerant
        if lines := differences_of_records(documented, record(self.path), tolerant):
            shown = lines[:SHOWN_CELLS] + [f"… and {len(lines)} in all"] * (
                len(lines) > SHOWN_CELLS
            )
            raise FigureError("\n".join(f"{name}: {line}" for line in [*shown, f"mend: {MEND}"]))

    def repr_failure(self, excinfo, style=None) -> str:
        """The lines alone, without a traceback through this file."""
        if isinstance(excinfo.value, FigureError):
            return str(excinfo.value)
        return super().repr_failure(excinfo, style)

    def reportinfo(self):
        """Name the item by its file."""
        return self.path, None, str(self.path.relative_to(ROOT))


def pytest_collect_file(file_path: Path, parent: pytest.Collector) -> FigureScript | None:
    """Collect the scripts of recorded figures."""
    if file_path.suffix == ".py" and file_path.parent == FIGURES:
        return FigureScript.from_parent(parent, path=file_path)
    return None


def pytest_addoption(parser: pytest.Parser) -> None:
    """Offer the comparison for other versions than those that are pinned."""
    about = "let the last digits of decimals, wordings of errors and drawing of pictures differ"
    parser.addoption("--tolerant", action="store_true", help=about)


def pytest_configure(config: pytest.Config) -> None:
    """Take the mode of comparison, and refuse what would write outputs that nobody looked at."""
    DocumentedRun.mode = "tolerant" if config.option.tolerant else "pinned"
    if config.option.overwrite:
        raise pytest.UsageError("--overwrite is refused: notebooks are written by `make notebooks`")


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Keep the languages of a chapter on one worker under `pytest -n 2 --dist loadgroup`."""
    for item in items:
        if isinstance(item, nbmake.pytest_items.NotebookItem):
            item.add_marker(pytest.mark.xdist_group(item.path.name))
