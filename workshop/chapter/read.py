"""Read a chapter: a folder with its text, its exercises and its guards.

A chapter lies in `book/chapters/NN-subject/`, or in `subject/` if it is consulted and not read
through. `chapter.md` holds what readers see, code once and prose in every language: a MyST notebook
whose cells jupytext finds. Prose cells carry `{"lang": "ko"}` or `{"lang": "en"}` and come in pairs,
Korean first. `room.py` reads the Python files beside it. The cells that judge answers stand below the
heading `exercises` and below each exercise. Everything that is wrong with a chapter is a
`ChapterError`: one line that names the file, the place and the mend.
"""

import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import nbformat
from jupytext.myst import myst_to_notebook

from workshop.chapter.model import (
    ANCHOR,
    HEADING,
    Card,
    Chapter,
    ChapterError,
    Code,
    Figure,
    Guard,
    Place,
    Prose,
    Text,
)
from workshop.chapter.room import Judged, exercises_in, guards_in
from workshop.layout import LANGUAGES, notebook_path
from workshop.predict_card.card import CardError, card_in

LANGUAGE_NAMES = {"ko": "Korean", "en": "English"}  # in messages
TEXT, EXERCISES, GUARDS = "chapter.md", "exercises.py", "guards.py"
JUDGING = Path(__file__).parents[1] / "exercise/judging.py"
BELOW = "exercises"  # the heading below which the set-up of the checks stands
TITLE = "title"  # how guards name the part above the first anchor
NOTEBOOK_TAGS = {"raises-exception", "hide-input", "exercise", "check", "solution", "complete"}
TAGS = NOTEBOOK_TAGS - {"check", "solution"}  # those stand in `exercises.py`
CODE_METADATA = {"tags", "alt", "caption", "varies", "idiom"}
FENCE = re.compile(r"^ {0,3}(`{3,}|~{3,})")
IMAGE = re.compile(r"!\[(?P<alt>[^\]]*)\]\((?P<path>[^)\s]+)\)")
# A figure of this chapter that the text names, with a link to it or without.
NAMED_FIGURE = re.compile(
    r"\[?(?:Figure|그림) (?P<number>\d+(?:\.\d+)?)(?!\.?\d)(?:[^\]\n]*\]\(#figure-(?P<name>[a-z0-9-]+)\))?"
)


def read_chapter(path: Path) -> Chapter:
    """Parse and check the chapter in the folder `path`, each text of it once; not to be changed.

    Raises:
        ChapterError: the first thing that is wrong, with file, place and mend.
    """
    if not re.fullmatch(r"(\d\d-|[a-z])[a-z0-9-]+", path.name):
        raise ChapterError(
            f"{path.name}: no folder of a chapter; name it NN-subject, a page to consult subject "
            "(lower case, digits, hyphens)"
        )
    return _read_once(path, *texts_of(path))


def texts_of(path: Path) -> tuple[str, str, str]:
    """The texts of `chapter.md`, `exercises.py` and `guards.py`; empty where a chapter has none."""
    if not (path / TEXT).is_file():
        raise ChapterError(f"{path.name}: has no {TEXT}; write it, or delete the folder")
    files = [path / name for name in (TEXT, EXERCISES, GUARDS)]
    return tuple(file.read_text(encoding="utf8") if file.is_file() else "" for file in files)


def parse(path: Path, text: str, exercises: str = "", guards: str = "") -> Chapter:
    """Parse and check the texts of a chapter that lies, or is to lie, in the folder `path`."""
    judged = exercises_in(exercises, f"{path.name}/{EXERCISES}")
    cells: list[Prose | Code] = []
    waiting: list[tuple[Place, str, str]] = []  # place, language and text of prose without its twin
    number = 0
    for place, kind, source, metadata in cells_in(text, f"{path.name}/{TEXT}"):
        if kind == "markdown":
            _refuse_wrong_language(place, metadata.get("lang"), due=list(LANGUAGES)[len(waiting)])
            waiting.append((place, metadata["lang"], source))
            if len(waiting) == len(LANGUAGES):
                cells.append(prose := _pair(path, waiting))
                waiting = []
                if judged and any(f'id="{BELOW}"' in text for text in prose.texts.values()):
                    set_up = f"# @title Set up the checks · 채점 준비\n{JUDGING.read_text('utf8').strip()}"
                    cells.append(Code(place, set_up, {"tags": ["check"]}))
            continue
        _refuse_half_a_pair(waiting)
        code = Code(place, source, metadata)
        _check_code(code)
        if cells and isinstance(cells[-1], Prose):
            for node in cells[-1].nodes:
                if isinstance(node, Card):
                    node.answer = code
        cells.append(code)
        if "exercise" in code.tags:
            number += 1
            cells += _judging(path, number, judged.get(number, Judged()))
    _refuse_half_a_pair(waiting)
    for surplus in sorted(set(judged) - set(range(1, number + 1))):
        raise ChapterError(
            f"{path.name}/{EXERCISES}: exercise {surplus} is none of the {number} of {TEXT}"
        )
    chapter = Chapter(path, cells, {number: each.answers for number, each in judged.items()})
    chapter.guards += _guards(chapter, guards)
    _number_figures(chapter)
    for check in (_check_title, _check_anchors, _check_cards, _check_repeats, _check_numbers):
        check(chapter)
    return chapter


def _judging(path: Path, number: int, judged: Judged) -> list[Code]:
    """The cells of an exercise that judge its answer and solve it."""
    for kind in ("check", "solution"):
        if not getattr(judged, kind):
            raise ChapterError(
                f"{path.name}/{EXERCISES}: exercise {number} has no {kind}; write '# %% {kind} {number}'"
            )
    (check_place, check), (solution_place, solution) = judged.check, judged.solution
    check = (
        f"# @title Check {number} · 채점 {number}\n{check}\n\n\n"
        f"judge({number}, check_{number}, answer_{number})"
    )
    solution = f"# @title Solution {number} · 풀이 {number}\n{solution}"
    return [
        Code(check_place, check, {"tags": ["check"]}),
        Code(solution_place, solution, {"tags": ["solution"]}),
    ]


def _guards(chapter: Chapter, text: str) -> list[Guard]:
    """The guards of a chapter with the places of the cells that they stand after."""
    places = {id(cell): place for place, cell in enumerate(chapter.code)}
    last, of_section = -1, {}
    for section in chapter.sections:
        own = [places[id(cell)] for cell in section.cells if isinstance(cell, Code)]
        last = own[-1] if own else last
        of_section[section.anchor or TITLE] = own, last
    found = []
    for place, anchor, count, source in guards_in(text, f"{chapter.path.name}/{GUARDS}"):
        if anchor not in of_section:
            raise ChapterError(f"{place}: {TEXT} has no section {anchor!r}; name the one it guards")
        own, last = of_section[anchor]
        if count and count > len(own) or not count and last < 0:
            raise ChapterError(f"{place}: {anchor!r} has {len(own)} code cells; name one of them")
        found.append(Guard(place, source, own[count - 1] if count else last))
    return sorted(found, key=lambda guard: guard.after)


def documented(path: Path) -> Chapter:
    """Read the chapter at `path` with the outputs of its committed notebook.

    Raises:
        ChapterError: it is wrong, or its notebook holds other code.
    """
    chapter = parse(path, *texts_of(path))
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
        notebook = myst_to_notebook(text)
    except Exception as error:  # jupytext raises many kinds for a broken file
        reason = str(error).splitlines()[0] if str(error) else type(error).__name__
        raise ChapterError(f"{file}: is no MyST notebook ({reason})") from error
    if "kernelspec" not in notebook.metadata:
        raise ChapterError(f"{file}: has no jupytext header; copy it from another chapter")
    found = []
    for number, cell in enumerate(notebook.cells, start=1):
        first = next((line for line in cell.source.splitlines() if line.strip()), "(empty)")
        place = Place(file, f"cell {number}", first.strip())
        found.append((place, cell.cell_type, cell.source, dict(cell.metadata)))
    return found


_read_once = cache(parse)


@dataclass
class Image:
    """A picture as it stands in the prose of one language."""

    alt: str
    path: str
    caption: str = ""


def _pair(path: Path, twins: list[tuple[Place, str, str]]) -> Prose:
    """The nodes of a pair of prose cells, which must be of the same kinds in the same order."""
    split = [_pieces(place, source, language) for place, language, source in twins]
    for (place, _, _), pieces in zip(twins, split, strict=True):
        for kind, piece in pieces:
            if kind == "figure":
                _check_picture(path, place, piece)
        if any(level > 1 and not anchor for level, anchor in _headings(pieces)):
            raise ChapterError(f'{place}: heading without an anchor; end it with <a id="…"></a>')
    here = f"{twins[0][0]} and {twins[1][0].at}"
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
    places = {language: place for place, language, _ in twins}
    nodes = []
    for kind, piece, twin in _aligned(here, *split):
        both = dict(zip(places, (piece, twin), strict=True))
        if kind == "text":
            nodes.append(Text(twins[0][0], both))
        elif kind == "figure":
            alts = {language: image.alt for language, image in both.items()}
            captions = {language: image.caption for language, image in both.items()}
            nodes.append(Figure(twins[0][0], path / piece.path, alts, captions))
        else:
            nodes.append(Card(twins[0][0], both))
    return Prose(places, {language: source for _, language, source in twins}, nodes)


def _aligned(here: str, korean: list[tuple], english: list[tuple]) -> Iterator[tuple]:
    """The pieces of both languages side by side; one may have text where the other has none."""
    while korean or english:
        kinds = [_kind(pieces[0]) if pieces else "" for pieces in (korean, english)]
        if kinds[0] == kinds[1]:
            (kind, piece), (_, twin) = korean.pop(0), english.pop(0)
            yield kind, piece, twin
        elif "text" in kinds:
            with_text = (korean, english)[kinds.index("text")]
            text = with_text.pop(0)[1]
            yield "text", *((text, "") if with_text is korean else ("", text))
        else:
            raise ChapterError(
                f"{here}: the two languages hold headings and pictures in other orders"
            )


def _kind(piece: tuple) -> str:
    kind, text = piece
    return "heading" if kind == "text" and HEADING.match(text.split("\n")[0]) else kind


def _pieces(place: Place, markdown: str, language: str) -> list[tuple]:
    """The text of a prose cell cut before headings and around pictures, its card last."""
    try:
        card = card_in(markdown, language)
    except CardError as error:
        raise ChapterError(f"{place}: {error}") from None
    pieces: list[tuple] = []
    lines, fence, captioned = [], "", False

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
            pieces.append(("figure", Image(**image.groupdict())))
            captioned = True
            continue
        elif IMAGE.search(line):
            raise ChapterError(f"{place}: picture inside a line; give it a line of its own")
        captioned = captioned and bool(line.strip())
        if captioned:
            pieces[-1][1].caption = f"{pieces[-1][1].caption}\n{line}".strip()
        else:
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
    return [piece.path for kind, piece in pieces if kind == "figure"]


def _check_picture(path: Path, place: Place, image: Image) -> None:
    if not image.alt.strip():
        raise ChapterError(f"{place}: picture without alt text; write ![what it shows](…)")
    if not (path / image.path).is_file():
        raise ChapterError(f"{place}: no picture {image.path}; mend the path")


def _refuse_wrong_language(place: Place, language: str | None, due: str) -> None:
    if language not in LANGUAGES:
        raise ChapterError(f'{place}: no language; put +++ {{"lang": "ko"}} or "en" before it')
    if language != due:
        raise ChapterError(
            f"{place}: {LANGUAGE_NAMES[language]} prose where {LANGUAGE_NAMES[due]} is due; "
            "write the missing language"
        )


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
    for kind, name in (("alt", "alt text"), ("caption", "a caption")):
        if kind in cell.metadata and set(cell.metadata[kind]) != set(LANGUAGES):
            raise ChapterError(f"{here}: {name} is needed in {' and '.join(LANGUAGES)}")
    varies = cell.metadata.get("varies")
    needed = {"reason"} if "alt" in cell.metadata else {"reason", "pattern"}  # a plot has no text
    if varies is not None and not all(str(varies.get(key, "")).strip() for key in needed):
        raise ChapterError(f"{here}: 'varies' needs {' and '.join(sorted(needed))}")


def _listed(names: set[str]) -> str:
    return ", ".join(sorted(names))


def _number_figures(chapter: Chapter) -> None:
    """Count the figures and plots that have a caption: 3.1, 3.2, …; 1, 2, … without a chapter's number."""
    count = 0
    for node in (node for cell in chapter.cells for node in getattr(cell, "nodes", [cell])):
        captions = set(map(bool, node.captions.values())) if isinstance(node, Figure) else set()
        if len(captions) > 1:
            raise ChapterError(f"{node.place}: a caption in one language only; write its twin")
        if True in captions or (isinstance(node, Code) and "caption" in node.metadata):
            count += 1
            node.number = f"{chapter.number}.{count}" if chapter.number else f"{count}"


def _check_numbers(chapter: Chapter) -> None:
    """Refuse a figure that the text calls by another number than its own."""
    names = {figure.path.stem: figure.number for figure in chapter.figures if figure.number}
    numbers = {code.number for code in chapter.code if code.number} | set(names.values())
    for prose in chapter.prose:
        for language, text in prose.texts.items():
            for named in NAMED_FIGURE.finditer(text):
                number, name = named["number"], named["name"]
                if name and name not in names:
                    raise ChapterError(
                        f"{prose.places[language]}: no figure {name!r} with a caption; "
                        f"known are {_listed(set(names))}"
                    )
                if number != names[name] if name else number not in numbers:
                    mend = (
                        f"{name} is {names[name]}"
                        if name
                        else "link it: [Figure 1.1](#figure-name)"
                    )
                    raise ChapterError(
                        f"{prose.places[language]}: there is no such figure {number}; {mend}"
                    )


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
    first: dict[str, str] = {}
    for cell in chapter.code:
        if (earlier := first.setdefault(cell.source, cell.place.at)) != cell.place.at:
            raise ChapterError(f"{cell.place}: repeats the code of {earlier}; remove one")
