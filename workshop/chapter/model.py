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
EXERCISE_TAGS = ("exercise", "check", "solution")


class ChapterError(Exception):
    """What is wrong with a chapter, in one line."""


@dataclass(frozen=True)
class Place:
    """Where something stands in a file of a chapter, as a person finds it."""

    file: str
    at: str  # `cell 3` of Markdown, `line 40` of Python
    first: str  # the first line there

    def __str__(self) -> str:
        """File, cell or line, and the words it begins with."""
        return f"{self.file}, {self.at} ({self.first[:50]!r})"


@dataclass
class Code:
    """A code cell of the notebooks. Its outputs are those of the committed one, where asked for.

    A plot with a caption has a number among the figures.
    """

    place: Place
    source: str
    metadata: dict
    outputs: list[NotebookNode] = field(default_factory=list)
    number: str = ""

    @property
    def tags(self) -> list[str]:
        """The tags of the cell, an empty list where there are none."""
        return list(self.metadata.get("tags", []))


@dataclass
class Answer:
    """An answer to an exercise that its check must refuse with words that hold `says`, or accept."""

    place: Place
    source: str
    says: str = ""


@dataclass
class Guard:
    """Asserts for the tests alone: what the chapter says, run after a place in `Chapter.code`."""

    place: Place
    source: str
    after: int


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
    """A picture (`.svg`), its caption on the lines below it, or a recorded figure (`.json`) without one.

    What has a caption has a number, such as `3.2`.
    """

    place: Place
    path: Path
    alts: dict[str, str]
    captions: dict[str, str]
    number: str = ""

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
    """An exercise: its number, its cells by tag, and answers to try its check with."""

    number: int
    place: Place
    cells: dict[str, Code] = field(default_factory=dict)
    answers: list[Answer] = field(default_factory=list)


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
            list(node.cells.values()) if isinstance(node, Exercise) else [node]
            for node in self.nodes
        ]
        return [cell for cells in opened for cell in cells]


@dataclass
class Chapter:
    """A chapter that was read and found right; `path` is its folder."""

    path: Path
    cells: list[Prose | Code]
    answers: dict[int, list[Answer]] = field(default_factory=dict)  # by exercise
    guards: list[Guard] = field(default_factory=list)

    @property
    def number(self) -> int | None:
        """The number of the chapter; the introduction has 0, a reference page none."""
        return number_of(self.path.stem)

    @cached_property
    def code(self) -> list[Code]:
        """The code cells that stand in the notebooks."""
        return [cell for cell in self.cells if isinstance(cell, Code)]

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
        """The pictures and recorded figures."""
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
                nodes.append(Exercise(number, node.place, answers=self.answers.get(number, [])))
            exercise = next((n for n in reversed(nodes) if isinstance(n, Exercise)), None)
            if tag and exercise:
                exercise.cells[tag] = node
            else:
                nodes.append(node)
        return found

    @cached_property
    def exercises(self) -> list[Exercise]:
        """The exercises in order."""
        return [n for section in self.sections for n in section.nodes if isinstance(n, Exercise)]

    def guards_of(self, section: Section) -> list[Guard]:
        """The guards that stand after a code cell of a section."""
        places = {id(cell): place for place, cell in enumerate(self.code)}
        own = {places.get(id(cell)) for cell in section.cells}
        return [guard for guard in self.guards if guard.after in own]

    def texts(self, language: str) -> list[str]:
        """The prose cells of a language as they are written."""
        return [prose.texts[language] for prose in self.prose]
