"""What a chapter is: sections of prose in two languages, code, cards, figures and exercises.

`read.py` makes it once from the chapter's file. Writing notebooks, running, every check and the site
look at it and at no text of a chapter themselves; each node knows its place in the file.
"""

import re
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path

from nbformat import NotebookNode

from workshop.layout import number_of
from workshop.predict_card import card as predict_card

ANCHOR = re.compile(r'<a id="([^"]*)"></a>')
HEADING = re.compile(r"^(#{1,6}) +(.*)$")
IN_NO_NOTEBOOK = ("wrong-answer", "holds")  # for the tests alone
EXERCISE_TAGS = ("exercise", "check", "solution", "wrong-answer")


class ChapterError(Exception):
    """What is wrong with a chapter, in one line."""


@dataclass(frozen=True)
class Place:
    """Where something stands in the file of a chapter, as a person finds it."""

    file: str
    cell: int
    first: str  # the first line of the cell
    start: int  # the lines of the cell, counted from 0, `end` excluded
    end: int

    def __str__(self) -> str:
        """File, number of the cell and its first line."""
        return f"{self.file}, cell {self.cell} ({self.first[:50]!r})"


@dataclass
class Code:
    """A code cell. Its outputs are those of the committed notebook, where they were asked for."""

    place: Place
    source: str
    metadata: dict
    outputs: list[NotebookNode] = field(default_factory=list)

    @property
    def tags(self) -> list[str]:
        """The tags of the cell, an empty list where there are none."""
        return list(self.metadata.get("tags", []))

    @property
    def is_shown(self) -> bool:
        """Whether the cell stands in the notebooks."""
        return not set(IN_NO_NOTEBOOK) & set(self.tags)


@dataclass
class Text:
    """Markdown in each language: a piece of a pair of prose cells, a heading at most at its top."""

    place: Place
    texts: dict[str, str]

    @property
    def headings(self) -> dict[str, re.Match]:
        """The heading that each language begins with, if it does."""
        found = {code: HEADING.match(text.split("\n")[0]) for code, text in self.texts.items()}
        return {code: heading for code, heading in found.items() if heading}


@dataclass
class Figure:
    """A drawing (`.svg`) or a recorded figure (`.json`), alone on its line."""

    place: Place
    path: Path
    alts: dict[str, str]

    @property
    def is_recorded(self) -> bool:
        """Whether it plays a run."""
        return self.path.suffix == ".json"


@dataclass
class Card:
    """A predict card in each language, and the cell whose output answers it."""

    place: Place
    said: dict[str, predict_card.Card]
    answer: Code | None = None


@dataclass
class Prose:
    """A pair of prose cells, one for each language, and the nodes that they hold."""

    places: dict[str, Place]
    texts: dict[str, str]  # as they are written
    nodes: list[Text | Figure | Card]


@dataclass
class Exercise:
    """An exercise: its number, and its cells by tag in the order of the chapter."""

    number: int
    place: Place
    cells: dict[str, list[Code]] = field(default_factory=dict)


@dataclass
class Section:
    """What stands below a heading, up to the next one; the title of the chapter has no anchor."""

    anchor: str
    level: int
    titles: dict[str, str]
    place: Place
    nodes: list[Text | Figure | Card | Code | Exercise] = field(default_factory=list)

    @property
    def cells(self) -> list[Text | Figure | Card | Code]:
        """The nodes with the cells of the exercises in their places."""
        opened = [
            [cell for cells in node.cells.values() for cell in cells]
            if isinstance(node, Exercise)
            else [node]
            for node in self.nodes
        ]
        return [cell for cells in opened for cell in cells]


@dataclass
class Chapter:
    """A chapter that was read and found right."""

    path: Path
    cells: list[Prose | Code]

    @property
    def number(self) -> int | None:
        """The number of the chapter; the introduction has 0, a reference page none."""
        return number_of(self.path.stem)

    @cached_property
    def code(self) -> list[Code]:
        """The code cells that stand in the notebooks."""
        return [cell for cell in self.cells if isinstance(cell, Code) and cell.is_shown]

    @cached_property
    def prose(self) -> list[Prose]:
        """The pairs of prose cells."""
        return [cell for cell in self.cells if isinstance(cell, Prose)]

    @cached_property
    def cards(self) -> list[Card]:
        """The predict cards."""
        return [node for prose in self.prose for node in prose.nodes if isinstance(node, Card)]

    @cached_property
    def figures(self) -> list[Figure]:
        """The drawings and recorded figures."""
        return [node for prose in self.prose for node in prose.nodes if isinstance(node, Figure)]

    @cached_property
    def sections(self) -> list[Section]:
        """The sections, the title first; cells of an exercise are gathered in one node."""
        found: list[Section] = []
        for node in (node for cell in self.cells for node in getattr(cell, "nodes", [cell])):
            headings = node.headings if isinstance(node, Text) else {}
            if headings or not found:
                level = min((len(heading[1]) for heading in headings.values()), default=1)
                anchors = [ANCHOR.search(heading[2]) for heading in headings.values()]
                titles = {code: ANCHOR.sub("", h[2]).strip() for code, h in headings.items()}
                anchor = next((anchor[1] for anchor in anchors if anchor), "")
                found.append(Section(anchor, level, titles, node.place))
            nodes = found[-1].nodes
            tag = next((tag for tag in EXERCISE_TAGS if tag in getattr(node, "tags", ())), None)
            if tag == "exercise":
                number = 1 + sum(isinstance(n, Exercise) for s in found for n in s.nodes)
                nodes.append(Exercise(number, node.place))
            exercise = next((n for n in reversed(nodes) if isinstance(n, Exercise)), None)
            if tag and exercise:
                exercise.cells.setdefault(tag, []).append(node)
            else:
                nodes.append(node)
        return found

    @cached_property
    def exercises(self) -> list[Exercise]:
        """The exercises in order."""
        return [n for section in self.sections for n in section.nodes if isinstance(n, Exercise)]

    @property
    def wrong_answers(self) -> list[tuple[Code, Code]]:
        """The wrong answers to the exercises, each with the cell that must judge it."""
        return [
            (answer, exercise.cells["check"][0])
            for exercise in self.exercises
            if "check" in exercise.cells
            for answer in exercise.cells.get("wrong-answer", [])
        ]

    @property
    def holds(self) -> dict[int, list[Code]]:
        """The asserts for the tests alone, by the place in `code` of the cell that they follow."""
        found: dict[int, list[Code]] = {}
        shown = -1
        for cell in self.cells:
            if isinstance(cell, Code):
                shown += cell.is_shown
                if "holds" in cell.tags:
                    found.setdefault(shown, []).append(cell)
        return found

    def texts(self, language: str) -> list[str]:
        """The prose cells of a language as they are written."""
        return [prose.texts[language] for prose in self.prose]
