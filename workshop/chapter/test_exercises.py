"""Every exercise judges rightly: its solution passes, each wrong answer is told what is wrong."""

import contextlib
import io
import math
import re

import jax
import jax.numpy as jnp
import numpy as np
import pytest

from workshop.chapter.read import read_chapter
from workshop.exercise import judging
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
    with contextlib.redirect_stdout(io.StringIO()) as printed:
        judging.judge(1, check, answer)
    return printed.getvalue().splitlines()


def check_1(answer):
    """A check; the asserts of a test file would put their messages into other words."""
    if answer(2) != 4:
        raise AssertionError("it does not square 2 · 2의 제곱이 아닙니다")


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


NOT_TWO_NUMBERS = [None, 2, "12", b"12", {1, 2}, {1: 1, 2: 2}, (1,), (1, 2, 1), (1, "1")]
NOT_TWO_NUMBERS += [
    [[1, 1]],
    (1, None),
    (1, math.inf),
    (1, math.nan),
    (1, 1j),
    np.array(["1", "1"]),
]


@pytest.mark.parametrize("kind", ["number", "whole", "flag"])
@pytest.mark.parametrize("answer", NOT_TWO_NUMBERS, ids=repr)
def test_what_are_no_two_numbers_is_refused_in_both_languages(answer, kind):
    english, korean = judged(answer, lambda given: judging.read_numbers(given, 2, kind))
    assert english.startswith("Exercise 1: write 2 ")
    assert korean.endswith(" 2개를 튜플로 적으세요")


@pytest.mark.parametrize("kind", ["number", "whole", "flag"])
@pytest.mark.parametrize(
    "answer",
    [(0, 1), [0.0, 1], np.array([0, 1]), jnp.array([0, 1]), (False, np.bool_(1))],
    ids=repr,
)
def test_two_numbers_are_read_from_whatever_holds_them_in_order(answer, kind):
    assert judging.read_numbers(answer, 2, kind) == [0, 1]


def test_a_value_that_holds_the_mark_between_the_languages_stays_in_both():
    assert judging.languages_of("not a · b · a · b가 아닙니다") == ["not a · b", "a · b가 아닙니다"]


def leaky(kept=[]):  # noqa: B006  as a reader may write it
    """A function under jit that uses what an earlier trace left."""
    return jax.jit(lambda x: (kept.append(x), kept[0].sum() + x)[1])


@pytest.mark.parametrize(
    ("answer", "said"),
    [
        (jax.jit(lambda x: x if x.sum() > 0 else -x), "needs the value of a tracer"),
        (jax.jit(lambda x: x * float(x[0])), "needs the value of a tracer"),
        (jax.jit(lambda x: x * np.asarray(x)), "needs the value of a tracer"),
        (jax.jit(lambda x: x[x > 0]), "needs the value of a tracer"),
        (jax.jit(lambda x: [1, 2][x[0].astype(int)]), "needs the value of a tracer"),
        (jax.jit(lambda x: x if x > 0 else -x), "has no single truth value"),
        (jax.jit(lambda x: x, static_argnums=0), "can't be a static argument"),
        (leaky(), "a tracer from an earlier trace"),
        (lambda x: None, "returns nothing: is there a return?"),
    ],
)
def test_an_error_of_an_answer_becomes_a_hint(answer, said):
    def check(given):
        for size in (2, 3):
            judging.call_answer(given, jnp.ones(size))

    english, korean = judged(answer, check)
    assert said in english
    assert re.search("[가-힣]", korean)


@pytest.mark.parametrize("name", CHAPTERS)
def test_no_cell_takes_a_name_of_judging(name):
    own = "|".join(each for each, value in vars(judging).items() if callable(value))
    taken = re.compile(
        rf"^ *(?:def |class |for )?(?:{own})\b(?:, \w+)*(?:\(.*:$| = | in )", re.MULTILINE
    )
    for cell in read_chapter(CHAPTERS[name]).code:
        if "set up the checks" not in cell.source.split("\n")[0].lower():
            assert not (found := taken.search(cell.source)), (
                f"{cell.place}: {found[0]!r}; rename it"
            )
