"""Every exercise judges rightly: its solution passes, each wrong answer is told what is wrong."""

import re

import pytest

from workshop.chapter.read import TEST_ONLY_TAG, read_chapter, tags, where, wrong_answers
from workshop.layout import chapter_paths, notebook_path
from workshop.runs.compare import error_in, text_of

CHAPTERS = {path.stem: path for path in chapter_paths()}


def exercises_in(chapter) -> dict[int, dict[str, list]]:
    """The code cells of each exercise by number, then by tag, in the order of the chapter."""
    found: dict[int, dict[str, list]] = {}
    for cell in chapter.cells:
        tag = next((t for t in tags(cell) if t in (*ORDER, TEST_ONLY_TAG)), None)
        if tag == "exercise":
            found[len(found) + 1] = {}
        if tag:
            assert found, f"{chapter.path.name}: {tag} before the first exercise"
            found[len(found)].setdefault(tag, []).append(cell)
    return found


ORDER = ("exercise", "check", "solution")


@pytest.mark.parametrize("name", [name for name in CHAPTERS if name[:2] != "00"])
def test_exercises_are_complete(name):
    chapter = read_chapter(CHAPTERS[name])
    exercises = exercises_in(chapter)
    assert 2 <= len(exercises) <= 5, f"{name}: two to four exercises are due"
    for number, cells in exercises.items():
        here = f"{name}, exercise {number}"
        for tag in ORDER:
            assert len(cells.get(tag, [])) == 1, f"{here}: one cell tagged {tag} is due"
        assert len(cells.get(TEST_ONLY_TAG, [])) >= 3, f"{here}: three wrong answers are due"
        assert f"answer_{number} = ..." in cells["exercise"][0].source, (
            f"{here}: its cell has no line `answer_{number} = ...`"
        )
        for tag, title in (
            ("check", "Check {0} · 채점 {0}"),
            ("solution", "Solution {0} · 풀이 {0}"),
        ):
            first = cells[tag][0].source.splitlines()[0]
            assert first == f"# @title {title.format(number)}", f"{here}: first line of its {tag}"
        for cell in cells[TEST_ONLY_TAG]:
            assert re.search(rf"\banswer_{number}\b", cell.source), (
                f"{here}: a wrong answer does not set answer_{number}"
            )


def test_what_a_reader_writes_is_called_alike_everywhere():
    """Notebooks import nothing from here, so each that needs `try_out` defines it anew."""
    definition = re.compile(r"^def try_out\(.*?(?=\n\n\n)", re.MULTILINE | re.DOTALL)
    found = {}
    for name, path in CHAPTERS.items():
        for cell in read_chapter(path).cells:
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
    tried = wrong_answers(chapter)
    for (number, answer, check), judged in zip(tried, run.checks, strict=True):
        here = where(chapter.path, number, answer)
        error = error_in(judged)
        assert error, f"{here}: a wrong answer passes its check"
        assert error.ename == "AssertionError", f"{here}: refused with {error.ename}"
        for _, other, other_check in tried:
            says = other.metadata["says"]
            if other is answer:
                assert says in error.evalue, f"{here}: told {error.evalue!r}, not {says!r}"
            elif other_check is check:
                assert says not in error.evalue, f"{here}: told {says!r}, like another mistake"
