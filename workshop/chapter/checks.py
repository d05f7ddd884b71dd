"""What every chapter keeps to, beyond what `read.py` refuses: one line for each place that does not.

The rules of prose have a file of their own (`prose.py`), its numbers too (`numbers.py`).
"""

import ast
import re
import statistics
from collections.abc import Iterator

from workshop.chapter.model import Chapter, Code, Exercise, Prose, Text
from workshop.chapter.numbers import faults_of_numbers
from workshop.chapter.parity import unequal
from workshop.chapter.prose import HANGUL, findings, missing_glosses
from workshop.layout import LANGUAGES
from workshop.runs.compare import text_of

EXERCISES, WRONG_ANSWERS = 3, 3
LINES_OF_A_CELL, MEDIAN, COLUMNS, COLUMNS_FOLDED = 22, 12, 79, 110
LINES_OF_THE_COMPLETE_CELL = 36  # a whole program, imports included, to be copied as it is
CELLS_AROUND = 2
MARK = " · "  # between the languages of a message; a check of pairs, the form before, has none
FOLDED = ("check", "solution", "hide-input")
CLOSING = "symptom-cause-fix"
WORDS = 3_200  # English, before the exercises, tables, notes and alternative texts included


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
    """What one language holds between two code cells, or in an alt text, and its twin does not.

    Give it a chapter with its outputs: what the cells around show needs no twin. Sources are free.
    """
    between: list[Prose] = []
    for number, cell in enumerate([*chapter.cells, None]):
        if isinstance(cell, Prose):
            if not any('id="sources"' in text for text in cell.texts.values()):
                between.append(cell)
            continue
        if between:
            texts = ["\n\n".join(prose.texts[code] for prose in between) for code in LANGUAGES]
            place = between[0].places[next(iter(LANGUAGES))]
            around = _shown_around(chapter, number)
            yield from (f"{place}: {line}" for line in unequal(*texts, around))
            between = []
        if cell is not None and (alt := cell.metadata.get("alt")):
            yield from (f"{cell.place}: {line}" for line in unequal(alt["ko"], alt["en"]))


def _shown_around(chapter: Chapter, number: int) -> str:
    """Code and outputs of the cells in view before and after the one at `number`."""
    before, after = (
        [cell for cell in cells if isinstance(cell, Code)]
        for cells in (chapter.cells[:number], chapter.cells[number:])
    )
    near = before[-CELLS_AROUND:] + after[:CELLS_AROUND]
    return "\n".join(f"{cell.source}\n{text_of(cell.outputs)}" for cell in near)


def faults_of_sources(chapter: Chapter) -> Iterator[str]:
    """Where a chapter doesn't end with its sources."""
    if chapter.sections[-1].anchor != "sources":
        yield f'{chapter.path.name}: end it with ## Sources <a id="sources"></a>'


def faults_of_cards(chapter: Chapter) -> Iterator[str]:
    """What is wrong with the predict cards of a chapter as a whole."""
    outlines = [next(iter(card.said.values())).outline() for card in chapter.cards]
    places = [[right for right, _ in outline].index(True) for outline in outlines]
    if len(places) > 1 and len(set(places)) == 1:
        yield f"{chapter.path.name}: the right choice always stands in the same place; move one"
    for card in chapter.cards:
        if re.search(r"^\s*assert\b", card.answer.source, re.MULTILINE):
            yield (
                f"{card.answer.place}: an assert below a card can tell its answer; print what it "
                "holds, or move it to a later cell"
            )


def faults_of_exercises(chapter: Chapter) -> Iterator[str]:
    """What an exercise lacks."""
    for exercise in chapter.exercises:
        for line in _faults_of_exercise(exercise):
            yield f"{exercise.place}: exercise {exercise.number}: {line}"
    if len(chapter.exercises) < EXERCISES:
        yield f"{chapter.path.name}: {len(chapter.exercises)} exercises; write {EXERCISES} or more"


def _faults_of_exercise(exercise: Exercise) -> Iterator[str]:
    number, cells = exercise.number, exercise.cells
    if sum(bool(answer.says) for answer in exercise.answers) < WRONG_ANSWERS:
        yield (
            f"{WRONG_ANSWERS} wrong answers are due in exercises.py, below "
            f"'# %% wrong {number}: words of the message'"
        )
    if f"answer_{number} = ..." not in cells["exercise"].source:
        yield f"its cell has no line `answer_{number} = ...`"
    tree = ast.parse(cells["check"].source)
    for node in ast.walk(tree):
        if isinstance(node, ast.Assert) and not _may_speak_both(node.msg):
            yield (
                f"the assert {ast.unparse(node.test)!r} of its check has no message in both "
                'languages; write "English · 한국어"'
            )
    texts = list(_texts_in(tree))
    for text in texts if any(MARK in text for text in texts) else ():
        if HANGUL.search(text) and " " in text.strip("'\"") and not _speaks_both(text):
            yield f"its check says {text[:40]} in one language; write 'English · 한국어'"


def _may_speak_both(message: ast.expr | None) -> bool:
    """Whether an assert has a message; where it is a text, in both languages."""
    if message is None or not _is_text(message):
        return message is not None
    return _speaks_both(ast.unparse(message))


def _texts_in(node: ast.AST) -> Iterator[str]:
    """The texts of a piece of code, each f-string whole."""
    if isinstance(node, ast.expr) and _is_text(node):
        yield ast.unparse(node)
        return
    for child in ast.iter_child_nodes(node):
        yield from _texts_in(child)


def _speaks_both(text: str) -> bool:
    """Whether a text is English and then, behind a middle dot, Korean."""
    english, _, korean = text.partition(MARK)
    return not HANGUL.search(english) and bool(HANGUL.search(korean))


def _is_text(node: ast.expr) -> bool:
    return isinstance(node, ast.JoinedStr) or isinstance(getattr(node, "value", None), str)


def _in_view(chapter: Chapter) -> list[tuple[Code, int]]:
    """The cells that nothing folds, each with the number of its lines."""
    return [
        (cell, cell.source.count("\n") + 1)
        for cell in chapter.code
        if not set(FOLDED) & set(cell.tags)
    ]


def faults_of_cells(chapter: Chapter) -> Iterator[str]:
    """Where the cells of any chapter are longer or wider than a page shows well."""
    in_view = _in_view(chapter)
    median = statistics.median([length for _, length in in_view] or [0])
    if median > MEDIAN:
        yield (
            f"{chapter.path.name}: {median:g} lines in the median cell; at most {MEDIAN}, part some"
        )
    for cell, length in in_view:
        most = LINES_OF_THE_COMPLETE_CELL if "complete" in cell.tags else LINES_OF_A_CELL
        if length > most:
            yield f"{cell.place}: {length} lines in view; at most {most}, part it"
    for cell in chapter.code:
        most = COLUMNS_FOLDED if set(FOLDED) & set(cell.tags) else COLUMNS
        for line in cell.source.split("\n"):
            if len(line) > most:
                yield f"{cell.place}: {len(line)} columns; at most {most}, wrap {line[:30]!r}"


def faults_of_lesson(chapter: Chapter) -> Iterator[str]:
    """Where a lesson lacks the table that a hurried reader looks for; a summary stands for it."""
    by_anchor = {section.anchor: section for section in chapter.sections}
    if "summary" in by_anchor:
        return
    table = by_anchor.get(CLOSING)
    for language in LANGUAGES:
        texts = [
            node.texts[language] for node in getattr(table, "nodes", []) if isinstance(node, Text)
        ]
        if not re.search(r"(?m)^\|(?: ?-+ ?\|){3}$", "\n".join(texts)):
            yield (
                f'{chapter.path.name}: close in {language} with a section <a id="{CLOSING}"></a> that '
                "holds a table of three columns: symptom, cause, fix"
            )


def faults_of_length(chapter: Chapter) -> Iterator[str]:
    """Where a lesson has more words before its exercises, pictures' too, than a reader has patience."""
    words = 0
    for text in chapter.texts("en"):
        before, anchor, _ = text.partition('<a id="exercises">')
        words += len(before.split())
        if anchor:
            break
    if words > WORDS:
        yield (
            f"{chapter.path.name}: {words:,} English words before the exercises; "
            f"at most {WORDS:,}, cut a thought in both languages"
        )


# What any chapter keeps to, and a lesson besides.
OF_EACH = (faults_of_cells, faults_of_numbers, faults_of_parity, faults_of_sources)
OF_LESSONS = (faults_of_lesson, faults_of_length, faults_of_cards, faults_of_exercises)
