"""A chapter keeps to what its readers were promised; each limit is seen to refuse one."""

import subprocess
import sys
from pathlib import Path

import nbformat
import pytest
from nbformat import NotebookNode
from nbformat.v4 import new_code_cell

from tests.mutants import run_documented
from tests.small_chapter import HEADER, code, pair
from workshop.chapter.checks import OF_EACH, OF_LESSONS, faults_of_exercises
from workshop.chapter.model import Chapter, Code
from workshop.chapter.read import documented, parse, read_chapter
from workshop.layout import chapter_paths, is_lesson, is_of_symptoms
from workshop.runs.compare import differences

FORGET = "%reset -f\nimport jax\njax.clear_caches()\ndel jax"


def test_complete_cells_run_alone():
    """One kernel runs them all; in between it forgets what the cells before bound and compiled."""
    cells = [cell for path in chapter_paths() for cell in documented(path).code]
    complete = [cell for cell in cells if "complete" in cell.tags]
    code = [each for cell in complete for each in (new_code_cell(FORGET), node_of(cell))]
    run, _ = run_documented(code, stop=False)
    for cell, before, after in zip(complete, code[1::2], run[1::2], strict=True):
        lines = differences(before, after)
        assert not lines, f"{cell.place} alone: {lines[0]}"


def test_an_entry_of_symptoms_needs_no_name_of_another(tmp_path):
    """An entry runs after the cells of the title and those that open its section, so says its page."""
    for path in filter(lambda path: is_of_symptoms(path.name), chapter_paths()):
        opening = {}  # cells by the level of their heading
        for section in read_chapter(path).sections:
            own = [new_code_cell(cell.source) for cell in section.cells if isinstance(cell, Code)]
            before = [cell for level in range(section.level) for cell in opening.get(level, [])]
            opening[section.level] = own
            alone = nbformat.v4.new_notebook(cells=before + own)
            nbformat.write(alone, tmp_path / f"{path.name}-{section.anchor}.ipynb")
    ruff = [sys.executable, "-m", "ruff", "check", "--isolated", "--select=F821"]
    found = subprocess.run(ruff, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert found.returncode == 0, f"an entry uses a name that only another defines: {found.stdout}"


def node_of(cell: Code) -> NotebookNode:
    """A cell as its notebook holds it."""
    metadata = nbformat.from_dict(cell.metadata)
    return new_code_cell(cell.source, outputs=cell.outputs, metadata=metadata)


def exercise(number: int) -> str:
    """An exercise that keeps to the rules."""
    asked = code(f"answer_{number} = ...", "tags: [exercise]")
    return pair(f'### {number} <a id="exercise-{number}"></a>') + asked


def judging(number: int) -> str:
    """What judges that exercise."""
    wrong = "\n".join(f"answer_{number} = {n}" for n in (0, 1, 3))
    return (
        f"# %% check {number}\ndef check_{number}(answer):\n"
        f'    assert answer == 2, "it is not 2 · 2가 아닙니다"\n'
        f"# %% solution {number}\njudge({number}, check_{number}, 2)\n"
        f"# %% wrong {number}: not 2\n{wrong}\n"
    )


def card(value: str) -> str:
    """A pair of prose cells with a card, and the cell that answers it."""
    choices = f"- [x] `{value}`\n  A.\n- [ ] `0`\n  B."
    said = pair(
        f"**맞혀 보세요.** 무엇이 나올까요?\n\n{choices}", f"**Predict.** What?\n\n{choices}"
    )
    return said + code(f"print({value})")


OPENING = pair("# 7. 보기\n\n문단입니다.", "# 7. Example\n\nA paragraph.")
COMPLETE = code("x = 3\nprint(x)", "tags: [complete]")
SECTION = pair('## 가 <a id="a"></a>', '## A <a id="a"></a>')
SOURCES = pair('## 출처 <a id="sources"></a>', '## Sources <a id="sources"></a>')
EXERCISES = "".join(map(exercise, (1, 2, 3)))
JUDGING = "".join(map(judging, (1, 2, 3)))
TABLE = pair('## 표 <a id="symptom-cause-fix"></a>\n\n| a | b | c |\n|---|---|---|\n| 1 | 2 | 3 |')
PARTS = [OPENING, card("1"), card("11"), COMPLETE, SECTION, TABLE, EXERCISES, SOURCES]


def a_chapter(before: str = "", after: str = "") -> Chapter:
    """A chapter that keeps to every rule, with some text replaced."""
    texts = HEADER + "".join(PARTS), JUDGING
    assert any(before in text for text in texts), before
    text, exercises = (text.replace(before, after, 1) if before else text for text in texts)
    if before == EXERCISE_3:
        exercises = exercises.replace(judging(3), "")
    return parse(Path("07-example"), text, exercises)


def faults_of(chapter: Chapter) -> list[str]:
    """What the checks of chapters say."""
    return [line for check in (*OF_EACH, *OF_LESSONS) for line in check(chapter)]


def test_a_chapter_that_keeps_to_every_rule():
    assert not [line for line in faults_of(a_chapter()) if "same place" not in line]


def cells(number: int, lines: int) -> str:
    """So many code cells of so many lines, below the complete one."""
    made = [code("\n".join([f"x = {n}"] * lines)) for n in range(number)]
    return COMPLETE + "".join(made)


WRONG = "answer_2 = 0\n"
EXERCISE_3 = exercise(3)
MESSAGE = '"it is not 2 · 2가 아닙니다"'
FAULTS = {
    "a long cell": (COMPLETE, cells(1, 23), "23 lines in view; at most 22"),
    "long cells": (COMPLETE, cells(9, 13), "13 lines in the median cell; at most 12"),
    "a wide cell": ("x = 3", f"x = {'3' * 76}", "80 columns; at most 79"),
    "an exercise less": (EXERCISE_3, "", "2 exercises; write 3 or more"),
    "a wrong answer less": (
        WRONG,
        "",
        "exercise 2: 3 wrong answers are due in exercises.py, below",
    ),
    "no closing table": (TABLE, "", "close in ko with a section"),
    "a table of two columns": ("|---|---|---|", "|---|---|", "close in ko with a section"),
    "no sources": (SOURCES, "", 'end it with ## Sources <a id="sources"></a>'),
    "a wide check": (MESSAGE, f'"{"2" * 90} · 둘"', "columns; at most 110"),
    "an assert without a message": (f", {MESSAGE}", "", "no message in both languages"),
    "a message in English alone": (MESSAGE, '"it is not 2"', "no message in both languages"),
    "a message twice in English": ("2가 아닙니다", "not 2", "has no message in both"),
    "a message in another order": (MESSAGE, '"2가 아닙니다 · not 2"', "has no message in both"),
    "a hint in Korean alone": (
        f", {MESSAGE}",
        f", {MESSAGE}\n    hint = f'2가 {{answer}}'",
        "its check says f'2가 {answer}' in one language",
    ),
    "a number of one language": (
        "문단입니다.",
        "문단이 333개입니다.",
        "'333' stands in Korean only",
    ),
    "a long lesson": ("A paragraph.", "word " * 3_201, "words before the exercises; at most 3,200"),
    "a number that nothing shows": ("A paragraph.", "It's 0.25.", "'0.25' (English) stands in no"),
}


@pytest.mark.parametrize("fault", FAULTS)
def test_a_chapter_that_breaks_a_rule_is_refused(fault):
    before, after, said = FAULTS[fault]
    assert any(said in line for line in faults_of(a_chapter(before, after)))


def test_what_is_asked_of_lessons_is_not_asked_of_a_reference_page():
    page = HEADER + pair("# 증상", "# Symptoms") + "".join([SECTION, code("x = 1"), SOURCES])
    chapter = parse(Path("symptoms"), page)
    assert not is_lesson(chapter.path.stem)
    assert not [line for check in OF_EACH for line in check(chapter)]
    assert any(list(check(chapter)) for check in OF_LESSONS)


def test_a_check_may_choose_its_message():
    chosen = f"    hint = {MESSAGE}\n    assert answer == 2, hint"
    looped = f"    for slip, hint in [(3, {MESSAGE})]:\n        assert answer == 2, hint"
    for before in (chosen, looped):
        chapter = a_chapter(f"    assert answer == 2, {MESSAGE}", before)
        assert not [line for line in faults_of(chapter) if "language" in line]


def test_a_chapter_may_have_a_fourth_exercise():
    text, judged = HEADER + "".join([*PARTS[:-1], exercise(4), SOURCES]), JUDGING + judging(4)
    assert not list(faults_of_exercises(parse(Path("07-example"), text, judged)))


def test_a_guard_runs_after_the_cell_that_its_header_names():
    text = HEADER + "".join([OPENING, card("1"), SECTION, code("x = 3"), code("x = 4"), SOURCES])
    guards = ("title", "print(1)"), ("a 1", "x = 3"), ("a", "x = 4"), ("sources", "x = 4")
    headers = "".join(f"# %% after: {place}\nassert True\n" for place, _ in guards)
    chapter = parse(Path("07-example"), text, guards=headers)
    after = [chapter.code[guard.after].source for guard in chapter.guards]
    assert after == [source for _, source in guards]
    assert [len(chapter.guards_of(section)) for section in chapter.sections] == [1, 3, 0]
