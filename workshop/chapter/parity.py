"""What both languages of a chapter hold alike between two code cells: numbers, formulas, blocks of code.

Each language has an author of its own, so sentences, names in code, links and small numbers are free
(`numbers.py` says which numbers count). A number in one language alone is free too where the cells
around show it, unless the other language has a number that this one lacks: then one of them is wrong.
"""

from collections import Counter

from workshop.chapter.numbers import numbers_in, numbers_of_code, plain
from workshop.chapter.prose import MARKDOWN


def unequal(korean: str, english: str, around: str = "") -> list[str]:
    """What the prose of one language holds and its twin does not, one line each.

    What stands `around`, in the code and outputs of the cells before and after, needs no twin.
    """
    shown = numbers_of_code(around)
    of_korean, of_english = (Counter(map(plain, numbers_in(text))) for text in (korean, english))
    lines = []
    for name, one, other, text, twin in (
        ("Korean", of_korean, of_english, korean, english),
        ("English", of_english, of_korean, english, korean),
    ):
        alone = sorted(set(one) - set(other) - shown | _displayed(text) - _displayed(twin))
        lines += [f"{each!r} stands in {name} only; write it in both" for each in alone]
    more, less = sorted(of_korean - of_english), sorted(of_english - of_korean)
    if more and less and not lines:
        lines.append(f"Korean names {more[0]!r} more often, English {less[0]!r}; one is wrong")
    return lines


def _displayed(markdown: str) -> set[str]:
    """The code blocks and the formulas of a text."""
    tokens = [
        part for token in MARKDOWN.parse(markdown) for part in [token, *(token.children or [])]
    ]
    return {token.content for token in tokens if token.type.startswith(("fence", "math_"))}
