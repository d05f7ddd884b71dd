"""What every chapter keeps to, beyond what `read.py` refuses: one line for each place that does not.

Claims have a file of their own (`claims.py`), the rules of prose too (`prose.py`).
"""

import re
from collections.abc import Iterator

from workshop.chapter.claims import unequal
from workshop.chapter.model import Chapter, Code, Exercise, Prose
from workshop.chapter.prose import findings, missing_glosses

TITLES = {"check": "# @title Check {0} · 채점 {0}", "solution": "# @title Solution {0} · 풀이 {0}"}


def faults_of_prose(chapter: Chapter, language: str) -> Iterator[str]:
    """What breaks the rules of prose in the cells and alt texts of a language."""
    for cell in chapter.cells:
        if isinstance(cell, Code):
            place, text = cell.place, cell.metadata.get("alt", {}).get(language, "")
        else:
            place, text = cell.places[language], cell.texts[language]
        yield from (f"{place}: {line}" for line in findings(text, language))
    if language == "ko":
        for number, line in missing_glosses(chapter.texts(language)):
            yield f"{chapter.prose[number].places[language]}: {line}"


def faults_of_parity(chapter: Chapter) -> Iterator[str]:
    """What the prose or an alt text of one language holds and its twin does not."""
    for cell in chapter.cells:
        if isinstance(cell, Prose):
            place, texts = next(iter(cell.places.values())), cell.texts
        else:
            place, texts = cell.place, cell.metadata.get("alt")
        if texts:
            yield from (f"{place}: {line}" for line in unequal(texts["ko"], texts["en"]))


def faults_of_cards(chapter: Chapter) -> Iterator[str]:
    """What is wrong with the predict cards of a chapter as a whole."""
    if len(chapter.cards) < LEAST_CARDS:
        yield f"{chapter.path.name}: {LEAST_CARDS} cards or more are due"
    outlines = [next(iter(card.said.values())).outline() for card in chapter.cards]
    if len({[right for right, _ in outline].index(True) for outline in outlines}) == 1:
        yield f"{chapter.path.name}: the right choice always stands in the same place; move one"
    for card in chapter.cards:
        if re.search(r"^\s*assert\b", card.answer.source, re.MULTILINE):
            yield (
                f"{card.answer.place}: an assert below a card can tell its answer; print what it "
                "holds, or move it to a later cell"
            )


def faults_of_exercises(chapter: Chapter) -> Iterator[str]:
    """What an exercise lacks."""
    if not 2 <= len(chapter.exercises) <= 4:
        yield f"{chapter.path.name}: two to four exercises are due"
    for exercise in chapter.exercises:
        for line in _faults_of_exercise(exercise):
            yield f"{exercise.place}: exercise {exercise.number}: {line}"


def _faults_of_exercise(exercise: Exercise) -> Iterator[str]:
    number, cells = exercise.number, exercise.cells
    for tag in ("exercise", "check", "solution"):
        if len(cells.get(tag, [])) != 1:
            yield f"one cell tagged {tag} is due"
    if len(cells.get("wrong-answer", [])) < 3:
        yield "three wrong answers are due"
    if f"answer_{number} = ..." not in cells["exercise"][0].source:
        yield f"its cell has no line `answer_{number} = ...`"
    for tag, title in TITLES.items():
        for cell in cells.get(tag, []):
            if cell.source.splitlines()[0] != title.format(number):
                yield f"first line of its {tag}; write {title.format(number)!r}"
    for cell in cells.get("wrong-answer", []):
        if not re.search(rf"\banswer_{number}\b", cell.source):
            yield f"a wrong answer does not set answer_{number}"


LEAST_CARDS = 3
