"""Every exercise judges rightly: its solution passes, each wrong answer is told what is wrong."""

import re

import pytest

from workshop.chapter.checks import faults_of_exercises
from workshop.chapter.read import read_chapter
from workshop.layout import chapter_paths, notebook_path
from workshop.runs.compare import error_in, text_of

CHAPTERS = {path.stem: path for path in chapter_paths()}


@pytest.mark.parametrize("name", [name for name in CHAPTERS if name[:2] != "00"])
def test_exercises_are_complete(name):
    found = list(faults_of_exercises(read_chapter(CHAPTERS[name])))
    assert not found, "\n".join(found)


def test_what_a_reader_writes_is_called_alike_everywhere():
    """Notebooks import nothing from here, so each that needs `try_out` defines it anew."""
    definition = re.compile(r"^def try_out\(.*?(?=\n\n\n)", re.MULTILINE | re.DOTALL)
    found = {}
    for name, path in CHAPTERS.items():
        for cell in read_chapter(path).code:
            if helper := definition.search(cell.source):
                found.setdefault(helper[0], []).append(name)
    assert len(found) == 1, f"try_out differs: {sorted(found.values())}"


@pytest.mark.parametrize(
    "name", [pytest.param(name, marks=pytest.mark.xdist_group(name)) for name in CHAPTERS]
)
def test_solution_passes_and_wrong_answers_fail(name, run_of):
    """Look at the chapter's solutions, and at what each check says of the wrong answers."""
    chapter = read_chapter(CHAPTERS[name])
    run = run_of(notebook_path(CHAPTERS[name], "ko"))
    assert run.stopped_at is None, f"{name}: {run.why[0]}"
    for cell in run.cells:
        if "solution" in cell.metadata.get("tags", []):
            here = f"{name}, {cell.source.splitlines()[0]}"
            assert not error_in(cell), f"{here}: the solution fails: {error_in(cell).evalue}"
            judged = re.search(r"Exercise \d: correct", text_of(cell.outputs))
            assert judged, f"{here}: not judged as correct"
    tried = chapter.wrong_answers
    for (answer, check), judged in zip(tried, run.checks, strict=True):
        here = answer.place
        error = error_in(judged)
        assert error, f"{here}: a wrong answer passes its check"
        assert error.ename == "AssertionError", f"{here}: refused with {error.ename}"
        for other, other_check in tried:
            says = other.metadata["says"]
            if other is answer:
                assert says in error.evalue, f"{here}: told {error.evalue!r}, not {says!r}"
            elif other_check is check:
                assert says not in error.evalue, f"{here}: told {says!r}, like another mistake"
