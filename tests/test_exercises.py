"""Every exercise judges rightly: its solution passes, each wrong answer is told what is wrong."""

import re

import nbformat
import pytest
from chapter_source import TEST_ONLY_TAG, chapter_paths, read_chapter, tags, where
from nbclient import NotebookClient
from run_alone import CELL_SECONDS, kernel_config, run_alone

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


@pytest.mark.parametrize("name", CHAPTERS)
def test_solution_passes_and_wrong_answers_fail(name):
    """Run the chapter; after each exercise try its wrong answers on its own check."""
    chapter = read_chapter(CHAPTERS[name])
    notebook = nbformat.v4.new_notebook()
    expected = []  # what the cell of each place must do
    answers = {
        id(cell): cells[TEST_ONLY_TAG]
        for cells in exercises_in(chapter).values()
        for cell in cells[TEST_ONLY_TAG]
    }  # the wrong answers to the same exercise
    check = None
    for number, cell in enumerate(chapter.cells, start=1):
        if cell.cell_type != "code":
            continue
        check = cell if "check" in tags(cell) else check
        sources = [(cell.source, "solution" if "solution" in tags(cell) else None)]
        if TEST_ONLY_TAG in tags(cell):
            sources.append((check.source, "wrong"))
        for source, role in sources:
            notebook.cells.append(nbformat.v4.new_code_cell(source))
            expected.append((number, cell, role))
    with run_alone() as folder:
        options = {"timeout": CELL_SECONDS, "allow_errors": True, "config": kernel_config(folder)}
        NotebookClient(notebook, **options).execute(cwd=folder)
    for run, (number, cell, role) in zip(notebook.cells, expected, strict=True):
        here = where(chapter.path, number, cell)
        errors = [output for output in run.outputs if output.output_type == "error"]
        printed = "".join(output.get("text", "") for output in run.outputs)
        if role == "wrong":
            assert errors, f"{here}: a wrong answer passes its check"
            assert errors[0].ename == "AssertionError", f"{here}: refused with {errors[0].ename}"
            said = errors[0].evalue
            for answer in answers[id(cell)]:
                says = answer.metadata["says"]
                if answer is cell:
                    assert says in said, f"{here}: should be told {says!r}, is told {said!r}"
                else:
                    assert says not in said, f"{here}: is told {said!r}, like another mistake"
        elif role == "solution":
            assert not errors, f"{here}: the solution fails: {errors[0].evalue}"
            assert re.search(r"Exercise \d: correct", printed), f"{here}: not judged as correct"
