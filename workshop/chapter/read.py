"""Read a chapter: one MyST notebook holding the code once and its prose in every language.

A chapter lies in `book/chapters/NN-subject.md` and jupytext reads it. Prose cells carry
`{"lang": "ko"}` or `{"lang": "en"}` and come in pairs, Korean first. Everything that is wrong with
a chapter is a `ChapterError`: one line that names the file, the cell and the mend.
"""

import base64
import re
from pathlib import Path
from typing import NamedTuple
from xml.etree import ElementTree

import jupytext
import nbformat
from nbformat import NotebookNode

from workshop.layout import LANGUAGES
from workshop.live_box.programs import LIVE_TAG
from workshop.predict_card.card import Card, CardError, card_in, unfolding
from workshop.recorded_figure.plain_form import static_form
from workshop.recorded_figure.records import FigureError

LANGUAGE_NAMES = {"ko": "Korean", "en": "English"}  # in messages
NOTEBOOK_TAGS = {"raises-exception", "hide-input", "exercise", "check", "solution", LIVE_TAG}
TEST_ONLY_TAG = "wrong-answer"
CODE_METADATA = {"tags", "alt", "varies", "says"}
VARIES = ("pattern", "reason")

# The words on the fold of a cell, per tag and language: (show, hide).
FOLDS = {
    "solution": {
        "ko": ("풀이 보기", "풀이 접기"),
        "en": ("Show the solution", "Hide the solution"),
    },
    "check": {
        "ko": ("채점 코드 보기", "채점 코드 접기"),
        "en": ("Show the checking code", "Hide the checking code"),
    },
    "hide-input": {
        "ko": ("코드 보기", "코드 접기"),
        "en": ("Show the code", "Hide the code"),
    },
}

ANCHOR = re.compile(r'<a id="([^"]*)"></a>')
HEADING = re.compile(r"^(#{1,6}) +(.*)$", re.MULTILINE)
CODE_BLOCK = re.compile(r"^(`{3,})[^`]*?^\1`*$", re.MULTILINE | re.DOTALL)
IMAGE = re.compile(r"!\[(?P<alt>[^\]]*)\]\((?P<path>[^)\s]+)\)")


class ChapterError(Exception):
    """What is wrong with a chapter, in one line."""


class Chapter(NamedTuple):
    """A chapter that was read and found right."""

    path: Path
    cells: list[NotebookNode]


def read_chapter(path: Path) -> Chapter:
    """Parse and check the chapter at `path`.

    Raises:
        ChapterError: the first thing that is wrong, with file, cell and mend.
    """
    if not re.fullmatch(r"\d\d-[a-z0-9-]+\.md", path.name):
        raise ChapterError(f"{path.name}: name it NN-subject.md (lower case, digits, hyphens)")
    try:
        text = path.read_text(encoding="utf8")
        notebook = jupytext.reads(text, fmt="md:myst")
    except Exception as error:  # jupytext raises many kinds for a broken file
        reason = str(error).splitlines()[0] if str(error) else type(error).__name__
        raise ChapterError(f"{path.name}: is no MyST notebook ({reason})") from error
    if "kernelspec" not in notebook.metadata:
        raise ChapterError(f"{path.name}: has no jupytext header; copy it from another chapter")
    chapter = Chapter(path, notebook.cells)
    for number, cell in enumerate(chapter.cells, start=1):
        _check_cell(path, number, cell)
    _check_title(chapter)
    _check_pairs(chapter)
    _check_anchors(chapter)
    _check_cards(chapter)
    _check_repeats(chapter)
    return chapter


def where(path: Path, number: int, cell: NotebookNode) -> str:
    """Name a cell so that a person finds it: file, number in the file, first line."""
    first = next((line for line in cell.source.splitlines() if line.strip()), "(empty)")
    return f"{path.name}, cell {number} ({first.strip()[:50]!r})"


def wrong_answers(chapter: Chapter) -> list[tuple[int, NotebookNode, NotebookNode]]:
    """The wrong answers that only tests run: cell number, cell, and the cell that must judge it."""
    found, check = [], None
    for number, cell in enumerate(chapter.cells, start=1):
        if "check" in tags(cell):
            check = cell
        elif TEST_ONLY_TAG in tags(cell):
            found.append((number, cell, check))
    return found


def code_cells(chapter: Chapter) -> dict[int, NotebookNode]:
    """The code cells that readers see, by cell number, without those that only tests run."""
    return {
        number: cell
        for number, cell in enumerate(chapter.cells, start=1)
        if cell.cell_type == "code" and TEST_ONLY_TAG not in tags(cell)
    }


def cards(chapter: Chapter, language: str) -> dict[int, Card]:
    """The predict cards of one language, by the number of the code cell that answers them."""
    found, waiting = {}, None
    for number, cell in enumerate(chapter.cells, start=1):
        if cell.cell_type == "markdown" and cell.metadata["lang"] == language:
            waiting = card_in(cell.source, language)
        elif cell.cell_type == "code" and waiting:
            found[number], waiting = waiting, None
    return found


def tags(cell: NotebookNode) -> list[str]:
    """The tags of a cell, an empty list where there are none."""
    return list(cell.metadata.get("tags", []))


def anchors(markdown: str) -> list[tuple[int, str]]:
    """Level and anchor of each heading in `markdown`; the anchor of a title is empty."""
    prose = CODE_BLOCK.sub("", markdown)
    return [
        (len(level), (ANCHOR.findall(text) or [""])[0]) for level, text in HEADING.findall(prose)
    ]


def _check_cell(path: Path, number: int, cell: NotebookNode) -> None:
    here = where(path, number, cell)
    if cell.cell_type == "markdown":
        if cell.metadata.get("lang") not in LANGUAGES:
            raise ChapterError(f'{here}: no language; put +++ {{"lang": "ko"}} or "en" before it')
        for level, anchor in anchors(cell.source):
            if level > 1 and not anchor:
                raise ChapterError(f'{here}: heading without an anchor; end it with <a id="…"></a>')
        for image in IMAGE.finditer(cell.source):
            if not image["alt"].strip():
                raise ChapterError(f"{here}: picture without alt text; write ![what it shows](…)")
            if not (path.parent / image["path"]).is_file():
                raise ChapterError(f"{here}: no picture {image['path']}; mend the path")
        try:
            card_in(cell.source, cell.metadata["lang"])
        except CardError as error:
            raise ChapterError(f"{here}: {error}") from None
        return
    unknown = set(tags(cell)) - NOTEBOOK_TAGS - {TEST_ONLY_TAG}
    if unknown:
        known = ", ".join(sorted(NOTEBOOK_TAGS | {TEST_ONLY_TAG}))
        raise ChapterError(f"{here}: unknown tag {unknown.pop()!r}; known are {known}")
    if unknown := set(cell.metadata) - CODE_METADATA:
        known = ", ".join(sorted(CODE_METADATA))
        raise ChapterError(f"{here}: unknown metadata {unknown.pop()!r}; known are {known}")
    if (alt := cell.metadata.get("alt")) is not None and set(alt) != set(LANGUAGES):
        raise ChapterError(f"{here}: alt text is needed in {' and '.join(LANGUAGES)}")
    varies = cell.metadata.get("varies")
    if varies is not None and not all(str(varies.get(key, "")).strip() for key in VARIES):
        raise ChapterError(f"{here}: 'varies' needs a pattern and a reason")
    if ("says" in cell.metadata) != (TEST_ONLY_TAG in tags(cell)):
        raise ChapterError(
            f"{here}: 'says', the words that its check must answer with, belongs to each cell "
            f"tagged {TEST_ONLY_TAG} and to no other"
        )


def _check_title(chapter: Chapter) -> None:
    number = int(chapter.path.name[:2])
    for cell in chapter.cells[: len(LANGUAGES)]:
        if not re.match(rf"# {number}\. \S" if number else r"# \S", cell.source):
            title = f"# {number}. Title" if number else "# Title"
            raise ChapterError(f"{where(chapter.path, 1, cell)}: begin with the title, '{title}'")


def _check_pairs(chapter: Chapter) -> None:
    """Prose comes in pairs, first language first, with equal headings and pictures."""
    path, expected = chapter.path, list(LANGUAGES)
    waiting: list[tuple[int, NotebookNode]] = []
    for number, cell in [*enumerate(chapter.cells, start=1), (0, None)]:
        if cell is not None and cell.cell_type == "markdown":
            waiting.append((number, cell))
            language, due = cell.metadata["lang"], expected[len(waiting) - 1]
            if language != due:
                raise ChapterError(
                    f"{where(path, number, cell)}: {LANGUAGE_NAMES[language]} prose where "
                    f"{LANGUAGE_NAMES[due]} is due; write the missing language"
                )
            if len(waiting) == len(expected):
                _check_twins(path, *waiting)
                waiting = []
        elif waiting:
            number, cell = waiting[0]
            raise ChapterError(
                f"{where(path, number, cell)}: {LANGUAGE_NAMES[cell.metadata['lang']]} prose without "
                f"its {LANGUAGE_NAMES[expected[1]]} twin; write it directly below"
            )


def _check_anchors(chapter: Chapter) -> None:
    seen: set[str] = set()
    for number, cell in enumerate(chapter.cells, start=1):
        if cell.cell_type == "markdown" and cell.metadata["lang"] == next(iter(LANGUAGES)):
            for _, anchor in anchors(cell.source):
                if anchor and anchor in seen:
                    here = where(chapter.path, number, cell)
                    raise ChapterError(f"{here}: anchor {anchor!r} stands twice; rename one")
                seen.add(anchor)


def _check_cards(chapter: Chapter) -> None:
    """The code cell that answers a card stands directly below it and its twin."""
    last, shown = next(reversed(LANGUAGES)), code_cells(chapter)
    for number, cell in enumerate(chapter.cells, start=1):
        if cell.metadata.get("lang") != last or number + 1 in shown:
            continue
        if card_in(cell.source, last):
            here = where(chapter.path, number, cell)
            raise ChapterError(f"{here}: card without an answer; end it above a code cell")


def _check_repeats(chapter: Chapter) -> None:
    first: dict[str, int] = {}
    for number, cell in code_cells(chapter).items():
        if (earlier := first.setdefault(cell.source, number)) != number:
            here = where(chapter.path, number, cell)
            raise ChapterError(f"{here}: repeats the code of cell {earlier}; remove one")


def _check_twins(path: Path, one: tuple, other: tuple) -> None:
    here = f"{where(path, *one)} and cell {other[0]}"
    cells = one[1].source, other[1].source
    if anchors(cells[0]) != anchors(cells[1]):
        raise ChapterError(f"{here}: the two languages have different headings or anchors")
    pictures = [[image["path"] for image in IMAGE.finditer(source)] for source in cells]
    if pictures[0] != pictures[1]:
        raise ChapterError(f"{here}: the two languages show different pictures")
    cards = [card_in(cell.source, cell.metadata["lang"]) for cell in (one[1], other[1])]
    first, second = (card and card.outline() for card in cards)
    if first != second:
        raise ChapterError(
            f"{here}: the cards of the two languages differ; give them the same values in the "
            "same order, and mark the same one"
        )


def notebook_in(chapter: Chapter, language: str) -> NotebookNode:
    """The notebook of one language, without outputs: plain Markdown, self-contained, foldable."""
    cells = []
    for cell in chapter.cells:
        if cell.cell_type == "code":
            if TEST_ONLY_TAG not in tags(cell):
                written = nbformat.v4.new_code_cell(cell.source)
                written.metadata = nbformat.from_dict(_code_metadata(cell, language))
                cells.append(written)
        elif cell.metadata["lang"] == language:
            try:
                text = unfolding(cell.source, language)
                text = _embed_pictures(text, chapter.path.parent, language)
            except FigureError as error:
                raise ChapterError(f"{chapter.path.name}: {error}") from error
            cells.append(nbformat.v4.new_markdown_cell(text))
    header = {
        "kernelspec": {"display_name": "Python 3", "language": "python", "name": "python3"},
        "language_info": {"name": "python"},
        "colab": {"provenance": [], "toc_visible": True},
    }
    return nbformat.v4.new_notebook(cells=cells, metadata=header)


def _code_metadata(cell: NotebookNode, language: str) -> dict:
    """Tags and, where a cell is folded, what the site, JupyterLab and Colab need to fold it."""
    metadata: dict = {}
    cell_tags = tags(cell)
    mystnb: dict = {}
    fold = next((tag for tag in FOLDS if tag in cell_tags), None)
    if fold:
        show, hide = FOLDS[fold][language]
        mystnb |= {"code_prompt_show": show, "code_prompt_hide": hide}
        metadata |= {"cellView": "form", "jupyter": {"source_hidden": True}}
        folded = "hide-cell" if fold == "solution" else "hide-input"
        cell_tags = list(dict.fromkeys([*cell_tags, folded]))
    if "alt" in cell.metadata:
        mystnb["image"] = {"alt": cell.metadata["alt"][language].strip()}
    if "varies" in cell.metadata:
        metadata["varies"] = dict(cell.metadata["varies"])
    if cell_tags:
        metadata["tags"] = cell_tags
    if mystnb:
        metadata["mystnb"] = mystnb
    return metadata


def _embed_pictures(markdown: str, folder: Path, language: str) -> str:
    """Put each picture and recorded figure into the text itself, which Colab opens alone."""

    def embed(image: re.Match) -> str:
        if image["path"].endswith(".json"):
            return static_form((folder / image["path"]).with_suffix(".py"), image["alt"], language)
        data = base64.b64encode(_picture_in(folder / image["path"], language)).decode()
        return f"![{image['alt']}](data:image/svg+xml;base64,{data})"

    return IMAGE.sub(embed, markdown)


def _picture_in(path: Path, language: str) -> bytes:
    """The SVG at `path` without the elements whose `lang` is another language."""
    ElementTree.register_namespace("", "http://www.w3.org/2000/svg")
    svg = ElementTree.parse(path).getroot()
    for parent in svg.iter():
        for child in list(parent):
            if child.get("lang", language) != language:
                parent.remove(child)
    return ElementTree.tostring(svg)
