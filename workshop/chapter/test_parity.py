"""Both languages of a chapter hold the same numbers, code, formulas and links between two cells."""

import pytest

from workshop.chapter.parity import unequal


@pytest.mark.parametrize(
    ("korean", "english", "line"),
    [
        ("합은 6입니다.", "The sum is 6.", None),
        ("세 번 호출했습니다.", "Call it 3 times.", None),
        ("[4장](04.ipynb)을 보세요.", "See [chapter 4](04.ipynb).", None),
        ("10분의 1입니다.", "It is a tenth.", None),
        ("합은 6입니다.", "The sum is 7.", "'6' stands in Korean only"),
        ("합이 나옵니다.", "The sum is 7.", "'7' stands in English only"),
        ("10분의 17입니다.", "It is a tenth.", "'17' stands in Korean only"),
        ("40분쯤 걸립니다.", "About 45 minutes.", "'45' stands in English only"),
        ("[4장](04.ipynb)을 보세요.", "See [chapter 5](04.ipynb).", "'4' stands in Korean only"),
        ("`(2, 3)`입니다.", "It is `(3, 2)`.", "'(2, 3)' stands in Korean only"),
        ("`f(2)`입니다.", "It is `f(3)`.", "'f(3)' stands in English only"),
        ("$x^2$입니다.", "It is $x^3$.", "'x^2' stands in Korean only"),
        ("```python\nf(2)\n```", "```python\nf(3)\n```", "'f(2)\\n' stands in Korean only"),
        ("1입니다.\n\n2입니다.", "It is 2.\n\nIt is 1.", None),
        ("1입니다.\n\n2입니다.", "It is 1. It is 2, and 1 again.", None),
        ("`jit`을 씁니다.", "Use `jit`: `jit` compiles.", None),
        ("`jit`을 씁니다.", "Use `grad`.", "'jit' stands in Korean only"),
        ("[여기](a.ipynb)에 있습니다.", "It is [here](b.ipynb).", "'a.ipynb' stands in Korean"),
        ("항상 그렇습니다.", "So it is.", "'항상' is promised in Korean only"),
        ("항상 그렇습니다.", "So it always is.", None),
    ],
)
def test_what_one_language_alone_says_is_found(korean, english, line):
    found = unequal(korean, english)
    assert (not found) if line is None else any(line in each for each in found), found


@pytest.mark.parametrize(
    ("korean", "english", "lines"),
    [
        ("`count`가 3을 반환합니다.", "It returns.", 0),
        ("합은 3입니다.", "The sum is 4.", 2),  # both stand there, but they differ
        ("합은 5입니다.", "It returns.", 1),
        ("`counts`를 봅니다.", "It returns.", 1),
        ("0.5와 0.6, 다시 0.6입니다.", "It's 0.5 and 0.6.", 0),
        ("0.5와 0.6, 다시 0.6입니다.", "It's 0.5, 0.6, and 0.5 again.", 1),
    ],
)
def test_what_the_cells_around_show_needs_no_twin(korean, english, lines):
    assert len(unequal(korean, english, around="print(count(4))\n3")) == lines
