"""Both languages of a chapter hold the same numbers, formulas and blocks of code between two cells."""

import pytest

from workshop.chapter.parity import unequal


@pytest.mark.parametrize(
    ("korean", "english", "line"),
    [
        ("합은 6.5입니다.", "The sum is 6.5.", None),
        ("합은 1,797입니다.", "The sum is 1797.", None),
        ("합은 6.5입니다.", "The sum is 6.6.", "'6.5' stands in Korean only"),
        ("합이 나옵니다.", "The sum is 6.6.", "'6.6' stands in English only"),
        ("합은 `6.5`입니다.", "It adds up.", "'6.5' stands in Korean only"),
        ("$x^2$입니다.", "It is $x^3$.", "'x^2' stands in Korean only"),
        ("```python\nf(2)\n```", "```python\nf(3)\n```", "'f(2)\\n' stands in Korean only"),
        ("6.5입니다.\n\n7.5입니다.", "It is 7.5. It is 6.5, and 7.5 again.", None),
        ("`jit`을 세 번 씁니다.", "Use `grad` twice: [here](b.ipynb).", None),
    ],
)
def test_what_one_language_alone_says_is_found(korean, english, line):
    found = unequal(korean, english)
    assert (not found) if line is None else any(line in each for each in found), found


@pytest.mark.parametrize(
    ("korean", "english", "lines"),
    [
        ("0.3을 반환합니다.", "It returns.", 0),
        ("0.5를 반환합니다.", "It returns.", 1),
        ("합은 0.3입니다.", "The sum is 0.4.", 1),  # the cells show both, but they differ
        ("0.3과 0.4, 다시 0.4입니다.", "It's 0.3 and 0.4.", 0),
        ("0.3과 0.4, 다시 0.4입니다.", "It's 0.3, 0.4, and 0.3 again.", 1),
    ],
)
def test_what_the_cells_around_show_needs_no_twin(korean, english, lines):
    assert len(unequal(korean, english, around="print(count(0.4))\n0.3")) == lines
