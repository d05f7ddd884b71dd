"""Every exercise judges rightly: its solution passes, each wrong answer is told what is wrong."""

import contextlib
import io
import re

import pytest

from workshop.chapter.read import SET_UP_CELL, read_chapter
from workshop.layout import chapter_paths, notebook_path
from workshop.runs.compare import error_in, text_of

CHAPTERS = {path.stem: path for path in chapter_paths()}


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
    tried = [(answer, exercise) for exercise in chapter.exercises for answer in exercise.answers]
    for (answer, exercise), cell in zip(tried, run.judged, strict=True):
        here = f"{answer.place}, {answer.source.splitlines()[0]!r}"
        english, korean = judgement(cell)
        assert english and korean, f"{here}: is not judged in both languages"
        if not answer.says:
            assert english == "correct", f"{here}: a right answer is told {english!r}"
            continue
        assert answer.says in english, f"{here}: told {english!r}, not {answer.says!r}"
        for other in {each.says for each in exercise.answers} - {answer.says, ""}:
            assert other not in english, f"{here}: told {other!r}, like another mistake"


def judgement(cell) -> tuple[str, str]:
    """What a check says of an answer in English and in Korean; empty where it does not."""
    said = re.search(
        r"^Exercise \d: (.+)\n연습 문제 \d: (.*[가-힣].*)$", text_of(cell.outputs), re.MULTILINE
    )
    return said.groups() if said else ("", "")


def judged(answer, check):
    """What the cell that judges prints of an answer."""
    names: dict = {}
    exec(SET_UP_CELL.read_text("utf8"), names)  # noqa: S102  as a notebook does
    with contextlib.redirect_stdout(io.StringIO()) as printed:
        names["judge"](1, check, answer)
    return printed.getvalue().splitlines()


def check_1(answer):
    """A check; the asserts of a test file would put their messages into other words."""
    if answer(2) != 4:
        raise AssertionError(("it does not square 2", "2의 제곱이 아닙니다"))


@pytest.mark.parametrize(
    ("answer", "english", "korean"),
    [
        (lambda x: x * x, "correct", "정답입니다"),
        (lambda x: x, "it does not square 2", "2의 제곱이 아닙니다"),
        (..., "no answer yet", "아직 답이 없습니다"),
        (
            lambda: 4,
            "your answer raised TypeError: ",
            "답을 실행하다 오류가 났습니다. TypeError",
        ),
    ],
)
def test_an_answer_is_judged_in_both_languages_and_never_raises(answer, english, korean):
    first, second = judged(answer, check_1)
    assert first.startswith(f"Exercise 1: {english}")
    assert second.startswith(f"연습 문제 1: {korean}")
