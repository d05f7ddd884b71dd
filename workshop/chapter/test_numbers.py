"""A number of the prose that its section doesn't show is refused; where it stands is all that counts."""

from pathlib import Path

import pytest
from nbformat.v4 import new_output

from tests.small_chapter import HEADER, code, pair
from workshop.chapter.model import Chapter
from workshop.chapter.numbers import faults_of_numbers, numbers_in, raised
from workshop.chapter.read import parse

ELSEWHERE = pair('## 저기 <a id="there"></a>', '## There <a id="there"></a>')


@pytest.mark.parametrize(
    ("text", "numbers"),
    [
        ("It's 0.5, 1,797 and 1e-7; then -3.25 or 12 of 100.", "0.5 1,797 1e-7 3.25 100"),
        ("`x` is `0.25`, $y$ is $0.75$, **0.125**.", "0.25 0.75 0.125"),
        ("| a | 0.5 |\n|---|---|\n| b | 250 |", "0.5 250"),
        ("0.467입니다. 손실은 0.25로, 128개입니다.", "0.467 0.25 128"),
        ("<summary>More on 0.5</summary>", "0.5"),
        ("![A line at 0.5](a.svg)", "0.5"),
        ("In 2.5% of 300 runs.", "2.5 300"),
        ("JAX 0.10.2, JAX 0.7 and 0.10, Python 3.11, 0.7.2", ""),
        ("In 2021, a report from 2024, and 2021 steps in 2000 of 2048.", "2021 2000 2048"),
        ("JAX 0.7과 0.10, Flax 0.12부터, 2026년, 이슈 13992", ""),
        ("issue 13992, #13992, Harris et al. (2020), 2026-11-28, at 12:30", ""),
        ("[0.5 of it](https://example.org/123/0.5)", ""),
        ("`int32`, `float32`, `x64`, v2, 12 and 99", ""),
        ("```python\nx = 0.5\n```", ""),
    ],
)
def test_what_is_a_number(text, numbers):
    assert numbers_in(text) == numbers.split()


@pytest.mark.parametrize(
    ("number", "more"),
    [("0.46", "0.47"), ("0.99", "1.00"), ("1,797", "1798"), ("1e-7", "2e-7"), ("128", "129")],
)
def test_a_number_is_raised_in_its_last_place(number, more):
    assert raised(number) == more


def a_chapter(
    prose: str, source: str, printed: str = "", below: str = "", guards: str = ""
) -> Chapter:
    """A chapter with one section of prose and code, and maybe another one below."""
    korean = prose.replace("**Predict.**", "**맞혀 보세요.**")
    section = f'## 여기 <a id="here"></a>\n\n{korean}', f'## Here <a id="here"></a>\n\n{prose}'
    text = HEADER + pair("# 7. 제목", "# 7. Title") + pair(*section) + code(source) + below
    chapter = parse(Path("07-here"), text, guards=guards)
    chapter.code[0].outputs = [new_output("stream", text=printed)]
    return chapter


def refused(chapter: Chapter) -> bool:
    """Whether both languages are refused; one alone is an error of the test."""
    lines = list(faults_of_numbers(chapter))
    assert len(lines) in (0, 2), lines
    return bool(lines)


@pytest.mark.parametrize(
    ("prose", "source", "printed"),
    [
        ("It's 0.467.", "x = 1", "loss 0.467"),
        ("It's 0.467.", "x = 0.467", ""),
        ("It's 0.467.", "x = -0.467", ""),
        ("It's 1,797.", "x = 1_797", ""),
        ("It's 128.", "x = 1", "f32[128,5]"),
        ("It's `[1.0, 2.5]`.", "x = 1", "[1.  2.5]"),
        ("It's 1e-7.", "x = 1", "1e-07"),
    ],
)
def test_a_number_that_its_section_shows(prose, source, printed):
    assert not refused(a_chapter(prose, source, printed))


@pytest.mark.parametrize(
    ("prose", "source", "printed"),
    [
        ("It's 0.467.", "x = 1", "loss 0.468"),
        ("It's 0.47.", "x = 1", "loss 0.467"),
        ("It's 0.467.", "x = 1  # 0.467", ""),
        ("It's 1.0.", "x = 1", ""),
        ("It's 128.", "x = 1", "1128 128.5 f128 1.128"),
    ],
)
def test_a_number_that_nothing_shows_is_refused(prose, source, printed):
    assert refused(a_chapter(prose, source, printed))


def test_a_guard_of_the_section_shows_a_number_and_one_of_another_section_does_not():
    below = ELSEWHERE + code("y = 1")
    guard = "# %% after: {}\nassert round(x, 2) == 0.47\n"
    assert not refused(a_chapter("It's 0.47.", "x = 1", "", below, guard.format("here")))
    assert refused(a_chapter("It's 0.47.", "x = 1", "", below, guard.format("there")))


def test_what_another_section_shows_counts_in_the_summary_alone():
    said = pair('## 끝 <a id="{0}"></a>\n\n0.5', '## End <a id="{0}"></a>\n\n0.5')
    assert refused(a_chapter("None.", "x = 0.5", "", said.replace("{0}", "end")))
    assert not refused(a_chapter("None.", "x = 0.5", "", said.replace("{0}", "summary")))
    deeper = said.replace("## ", "### ").replace("{0}", "deeper")
    assert not refused(a_chapter("None.", "x = 0.5", "", deeper))


@pytest.mark.parametrize(
    ("question", "choice", "why"), [("0.5?", "`2`", "2"), ("?", "`0.5`", "2"), ("?", "`2`", "0.5")]
)
def test_cards_are_read_too(question, choice, why):
    card = f"**Predict.** {question}\n\n- [x] `1`\n  1.\n- [ ] {choice}\n  {why}."
    assert refused(a_chapter(card, "x = 1", "1"))
    assert not refused(a_chapter(card, "x = 0.5", "1"))


def test_alt_texts_are_read_too():
    chapter = a_chapter("None.", "x = 1", "0.5")
    chapter.code[0].metadata["alt"] = {"ko": "0.6의 점", "en": "A dot at 0.6"}
    assert refused(chapter)
