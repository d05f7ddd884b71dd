"""Each number of the prose raised by one in its last place: do the checks of a chapter refuse it?

First in one language, as when a slip changes it: its section (`numbers.py`) or the other language
(`parity.py`) must refuse it. Then in both alike, as when the author is wrong: the section alone can,
unless it shows the altered number too. `make mutants` prints both, and fails where too few are refused.
"""

import sys
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace

from workshop.chapter.checks import CELLS_AROUND, faults_of_parity
from workshop.chapter.model import Chapter, Code, Place, Prose
from workshop.chapter.numbers import (
    NUMBER,
    is_shown,
    numbers_in,
    raised,
    sections_with_numbers,
    texts_in,
)
from workshop.chapter.read import documented
from workshop.layout import LANGUAGES, chapter_paths

LEAST = 0.98  # of the numbers altered in one language
LEAST_IN_BOTH = 0.8


def alterations(text: str) -> Iterator[tuple[str, list[str]]]:
    """The text with one of its numbers raised, for each of them, and what numbers that adds."""
    before = Counter(numbers_in(text))
    for match in NUMBER.finditer(text):
        number = match[0].rstrip(".")
        end = match.start() + len(number)
        changed = f"{text[: match.start()]}{raised(number)}{text[end:]}"
        if added := Counter(numbers_in(changed)) - before:
            yield changed, list(added)


def refusals(chapter: Chapter) -> Counter:
    """How many numbers were altered and refused: keys are a language and who refused it."""
    found: Counter = Counter()
    for section, shown in sections_with_numbers(chapter):
        for place, language, text in texts_in(section):
            for changed, numbers in alterations(text):
                by_section = not all(is_shown(number, shown) for number in numbers)
                by_either = by_section or _differ(chapter, place, language, text, changed)
                found[language, "altered"] += 1
                found[language, "by its section"] += by_section
                found[language, "by either"] += by_either
    return found


def _differ(chapter: Chapter, place: Place, language: str, text: str, changed: str) -> bool:
    """Whether the languages differ once a text of one of them is changed.

    Looked at are the prose cells around it up to code, and that code.
    """
    cells = chapter.cells
    at = next(n for n, cell in enumerate(cells) if place in _places(cell))
    if isinstance(cells[at], Code):
        alt = {**cells[at].metadata["alt"], language: changed}
        around = [replace(cells[at], metadata={**cells[at].metadata, "alt": alt})]
        return any(faults_of_parity(Chapter(chapter.path, around)))
    code = [n for n, cell in enumerate(cells) if isinstance(cell, Code)]
    first = max((n for n in code if n < at), default=-1) + 1
    last = min((n for n in code if n > at), default=len(cells))
    texts = {**cells[at].texts, language: cells[at].texts[language].replace(text, changed, 1)}
    around = [cells[n] for n in code if n < at][-CELLS_AROUND:]
    around += [*cells[first:at], replace(cells[at], texts=texts), *cells[at + 1 : last]]
    around += [cells[n] for n in code if n > at][:CELLS_AROUND]
    return any(faults_of_parity(Chapter(chapter.path, around)))


def _places(cell: Prose | Code) -> list[Place]:
    return list(cell.places.values()) if isinstance(cell, Prose) else [cell.place]


def main() -> int:
    """Alter each number of the book and print the table; 1 where too few are refused."""
    found: Counter = Counter()
    for path in chapter_paths():
        found += refusals(documented(path))
    print(f"{'altered numbers':18}{'altered':>9}{'refused':>9}{'share':>9}{'in both alike':>15}")
    total: Counter = Counter()
    for code, name in [*LANGUAGES.items(), (None, "both")]:
        of_language = {
            what: found[code, what] for what in ("altered", "by either", "by its section")
        }
        altered, refused, both = (of_language if code else total).values()
        print(f"{name:18}{altered:9}{refused:9}{refused / altered:9.1%}{both / altered:15.1%}")
        total.update(of_language)
    return int(refused / altered < LEAST or both / altered < LEAST_IN_BOTH)


if __name__ == "__main__":
    sys.exit(main())
