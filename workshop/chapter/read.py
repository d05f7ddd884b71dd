"""Read a chapter: one MyST notebook holding the code once and its prose in every language.

A chapter lies in `book/chapters/NN-subject.md`, or in `subject.md` if it is consulted and not read
through, and jupytext finds its cells. Prose cells carry
`{"lang": "ko"}` or `{"lang": "en"}` and come in pairs, Korean first. Everything that is wrong with
a chapter is a `ChapterError`: one line that names the file, the cell and the mend.
"""

import re
from collections import Counter
from functools import cache
from pathlib import Path

import nbformat
from jupytext.myst import myst_to_notebook

from workshop.chapter.model import (
    ANCHOR,
    HEADING,
    IN_NO_NOTEBOOK,
    Card,
    Chapter,
    ChapterError,
    Code,
    Figure,
    Place,
    Prose,
    Text,
)
from workshop.layout import LANGUAGES, notebook_path
from workshop.predict_card.card import CardError, card_in

LANGUAGE_NAMES = {"ko": "Korean", "en": "English"}  # in messages
NOTEBOOK_TAGS = {"raises-exception", "hide-input", "exercise", "check", "solution", "complete"}
TAGS = NOTEBOOK_TAGS | set(IN_NO_NOTEBOOK)
CODE_METADATA = {"tags", "alt", "varies", "says", "idiom"}
VARIES = ("pattern", "reason")
FENCE = re.compile(r"^ {0,3}(`{3,}|~{3,})")
IMAGE = re.compile(r"!\[(?P<alt>[^\]]*)\]\((?P<path>[^)\s]+)\)")


def read_chapter(path: Path) -> Chapter:
    """Parse and check the chapter at `path`, each text of it once; not to be changed.

    Raises:
        ChapterError: the first thing that is wrong, with file, cell and mend.
    """
    if not re.fullmatch(r"(\d\d-|[a-z])[a-z0-9-]+\.md", path.name):
        raise ChapterError(
            f"{path.name}: name it NN-subject.md, a reference page subject.md (lower case, digits, "
            "hyphens)"
        )
    return _read_once(path.read_text(encoding="utf8"), path)


def parse(text: str, path: Path) -> Chapter:
    """Parse and check the text of a chapter that lies, or is to lie, at `path`."""
    cells: list[Prose | Code] = []
    waiting: list[tuple[Place, str, str]] = []  # place, language and text of prose without its twin
    for place, kind, source, metadata in cells_in(text, path.name):
        if kind == "markdown":
            language = metadata.get("lang")
            if language not in LANGUAGES:
                raise ChapterError(
                    f'{place}: no language; put +++ {{"lang": "ko"}} or "en" before it'
                )
            due = list(LANGUAGES)[len(waiting)]
            if language != due:
                raise ChapterError(
                    f"{place}: {LANGUAGE_NAMES[language]} prose where "
                    f"{LANGUAGE_NAMES[due]} is due; write the missing language"
                )
            waiting.append((place, language, source))
            if len(waiting) == len(LANGUAGES):
                cells.append(_pair(path, waiting))
                waiting = []
            continue
        _refuse_half_a_pair(waiting)
        cells.append(code := Code(place, source, metadata))
        _check_code(code)
        if len(cells) > 1 and isinstance(cells[-2], Prose) and code.is_shown:
            for node in cells[-2].nodes:
                if isinstance(node, Card):
                    node.answer = code
    _refuse_half_a_pair(waiting)
    chapter = Chapter(path, cells)
    _check_title(chapter)
    for check in (_check_anchors, _check_cards, _check_repeats, _check_holds):
        check(chapter)
    return chapter


def documented(path: Path) -> Chapter:
    """Read the chapter at `path` with the outputs of its committed notebook.

    Raises:
        ChapterError: it is wrong, or its notebook holds other code.
    """
    chapter = parse(path.read_text(encoding="utf8"), path)
    notebook = nbformat.read(notebook_path(path, next(iter(LANGUAGES))), as_version=4)
    run = [cell for cell in notebook.cells if cell.cell_type == "code"]
    if [cell.source for cell in run] != [cell.source for cell in chapter.code]:
        raise ChapterError(f"{path.name}: its notebook holds other code; run `make notebooks`")
    for cell, written in zip(chapter.code, run, strict=True):
        cell.outputs = written.outputs
    return chapter


def cells_in(text: str, file: str) -> list[tuple[Place, str, str, dict]]:
    """Place, kind, source and metadata of each cell in the text of a chapter; nothing is checked.

    Raises:
        ChapterError: the text is no notebook.
    """
    try:
        notebook = myst_to_notebook(text, add_source_map=True)
    except Exception as error:  # jupytext raises many kinds for a broken file
        reason = str(error).splitlines()[0] if str(error) else type(error).__name__
        raise ChapterError(f"{file}: is no MyST notebook ({reason})") from error
    if "kernelspec" not in notebook.metadata:
        raise ChapterError(f"{file}: has no jupytext header; copy it from another chapter")
    # jupytext counts from the line below the one that opens a cell.
    starts = [line - 1 for line in notebook.metadata["source_map"]]
    ends = [*starts[1:], text.count("\n") + 1]
    found = []
    for number, (cell, start, end) in enumerate(
        zip(notebook.cells, starts, ends, strict=True), start=1
    ):
        first = next((line for line in cell.source.splitlines() if line.strip()), "(empty)")
        place = Place(file, number, first.strip(), start, end)
        found.append((place, cell.cell_type, cell.source, dict(cell.metadata)))
    return found


_read_once = cache(parse)


def _pair(path: Path, twins: list[tuple[Place, str, str]]) -> Prose:
    """The nodes of a pair of prose cells, which must be of the same kinds in the same order."""
    split = [_pieces(place, source, language) for place, language, source in twins]
    for (place, _, _), pieces in zip(twins, split, strict=True):
        for kind, piece in pieces:
            if kind == "figure":
                _check_picture(path, place, piece)
        if any(level > 1 and not anchor for level, anchor in _headings(pieces)):
            raise ChapterError(f'{place}: heading without an anchor; end it with <a id="…"></a>')
    here = f"{twins[0][0]} and cell {twins[1][0].cell}"
    for what, outline in (
        ("have different headings or anchors", _headings),
        ("show different pictures", _pictures),
    ):
        if outline(split[0]) != outline(split[1]):
            raise ChapterError(f"{here}: the two languages {what}")
    cards = [[piece.outline() for kind, piece in pieces if kind == "card"] for pieces in split]
    if cards[0] != cards[1]:
        raise ChapterError(
            f"{here}: the cards of the two languages differ; give them the same values in the "
            "same order, and mark the same one"
        )
    if [kind for kind, _ in split[0]] != [kind for kind, _ in split[1]]:
        raise ChapterError(f"{here}: the two languages hold headings and pictures in other orders")
    places = {language: place for place, language, _ in twins}
    nodes = []
    for (kind, piece), (_, twin) in zip(*split, strict=True):
        both = dict(zip(places, (piece, twin), strict=True))
        if kind == "text":
            nodes.append(Text(twins[0][0], both))
        elif kind == "figure":
            alts = {language: image["alt"] for language, image in both.items()}
            nodes.append(Figure(twins[0][0], path.parent / piece["path"], alts))
        else:
            nodes.append(Card(twins[0][0], both))
    return Prose(places, {language: source for _, language, source in twins}, nodes)


def _pieces(place: Place, markdown: str, language: str) -> list[tuple]:
    """The text of a prose cell cut before headings and around pictures, its card last."""
    try:
        card = card_in(markdown, language)
    except CardError as error:
        raise ChapterError(f"{place}: {error}") from None
    pieces: list[tuple] = []
    lines, fence = [], ""

    def close() -> None:
        if lines:
            pieces.append(("text", "\n".join(lines)))
            lines.clear()

    for line in (card.above if card else markdown).split("\n"):
        opened = FENCE.match(line)
        if fence:
            fence = "" if opened and line.strip().startswith(fence) else fence
        elif opened:
            fence = opened[1]
        elif HEADING.match(line):
            close()
        elif image := IMAGE.fullmatch(line.strip()):
            close()
            pieces.append(("figure", image))
            continue
        elif IMAGE.search(line):
            raise ChapterError(f"{place}: picture inside a line; give it a line of its own")
        lines.append(line)
    close()
    return [*pieces, ("card", card)] if card else pieces


def _headings(pieces: list[tuple]) -> list[tuple[int, str]]:
    """Level and anchor of each heading; the anchor of a title is empty."""
    found = [HEADING.match(piece.split("\n")[0]) for kind, piece in pieces if kind == "text"]
    return [
        (len(heading[1]), (ANCHOR.findall(heading[2]) or [""])[0]) for heading in found if heading
    ]


def _pictures(pieces: list[tuple]) -> list[str]:
    return [piece["path"] for kind, piece in pieces if kind == "figure"]


def _check_picture(path: Path, place: Place, image: re.Match) -> None:
    if not image["alt"].strip():
        raise ChapterError(f"{place}: picture without alt text; write ![what it shows](…)")
    if not (path.parent / image["path"]).is_file():
        raise ChapterError(f"{place}: no picture {image['path']}; mend the path")


def _refuse_half_a_pair(waiting: list[tuple[Place, str, str]]) -> None:
    for place, language, _ in waiting:
        other = next(name for code, name in LANGUAGE_NAMES.items() if code != language)
        raise ChapterError(
            f"{place}: {LANGUAGE_NAMES[language]} prose without its {other} twin; write it "
            "directly below"
        )


def _check_code(cell: Code) -> None:
    here = cell.place
    if unknown := set(cell.tags) - TAGS:
        raise ChapterError(f"{here}: unknown tag {unknown.pop()!r}; known are {_listed(TAGS)}")
    if unknown := set(cell.metadata) - CODE_METADATA:
        known = _listed(CODE_METADATA)
        raise ChapterError(f"{here}: unknown metadata {unknown.pop()!r}; known are {known}")
    if (alt := cell.metadata.get("alt")) is not None and set(alt) != set(LANGUAGES):
        raise ChapterError(f"{here}: alt text is needed in {' and '.join(LANGUAGES)}")
    varies = cell.metadata.get("varies")
    if varies is not None and not all(str(varies.get(key, "")).strip() for key in VARIES):
        raise ChapterError(f"{here}: 'varies' needs a pattern and a reason")
    if ("says" in cell.metadata) != ("wrong-answer" in cell.tags):
        raise ChapterError(
            f"{here}: 'says', the words that its check must answer with, belongs to each cell "
            "tagged wrong-answer and to no other"
        )


def _listed(names: set[str]) -> str:
    return ", ".join(sorted(names))


def _check_title(chapter: Chapter) -> None:
    title = f"# {chapter.number}. Title" if chapter.number else "# Title"
    first = chapter.cells[0] if chapter.cells else None
    texts = [first.source] if isinstance(first, Code) else first.texts.values() if first else [""]
    for text in texts:
        if not re.match(rf"# {chapter.number}\. \S" if chapter.number else r"# \S", text):
            place = getattr(first, "place", None) or (first and next(iter(first.places.values())))
            raise ChapterError(f"{place or chapter.path.name}: begin with the title, '{title}'")


def _check_anchors(chapter: Chapter) -> None:
    anchors = Counter(section.anchor for section in chapter.sections if section.anchor)
    for section in reversed(chapter.sections):
        if anchors[section.anchor] > 1:
            raise ChapterError(
                f"{section.place}: anchor {section.anchor!r} stands twice; rename one"
            )


def _check_cards(chapter: Chapter) -> None:
    for card in chapter.cards:
        if card.answer is None:
            raise ChapterError(f"{card.place}: card without an answer; end it above a code cell")


def _check_repeats(chapter: Chapter) -> None:
    first: dict[str, int] = {}
    for cell in chapter.code:
        if (earlier := first.setdefault(cell.source, cell.place.cell)) != cell.place.cell:
            raise ChapterError(f"{cell.place}: repeats the code of cell {earlier}; remove one")


def _check_holds(chapter: Chapter) -> None:
    for cell in chapter.holds.get(-1, []):
        raise ChapterError(f"{cell.place}: holds what no cell above it shows; put it below a cell")
