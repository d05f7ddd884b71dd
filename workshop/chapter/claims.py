"""What the prose of a chapter claims, and what holds each claim.

A claim is a number, an error, a dtype or a strong word ("only", "never", "faster"). Claims are found
in the English text; that the Korean one makes the same is a test of its own. What holds a claim:

- `output`: its value stands in the documented output of a cell of its section;
- `assert`: its value stands in an `assert` there;
- `check`: its value stands in the check of an exercise, which is run with right and wrong answers;
- `code`: it quotes the code of its section;
- else, and for each strong word but "no error", the entry of its sentence in the chapter's file in
  `claim_grounds`: which run shows that it is "always" so, no rule can tell.

A sentence stands in that file as it is read, so that whoever changes it looks at its claim again. An
entry is `assert: …`, `output: …`, `code: …` or `check: …` (text that stands there in the chapter,
cells tagged `holds` included; `assert in 03-counter-pitfall: …` in another one),
`test: room/file::function`, `source: address` (of the chapter's list of sources), or `no claim: …`
with the reason. For a strong word write the assert that would fail on the input that breaks the
sentence, and name it there.

The opening and the summary of a chapter speak of the whole chapter, all else of its own section.
Formulas, questions, titles and links, and the list of sources at the end are not looked at; recorded
figures and the choices of predict cards have tests of their own.
"""

import ast
import re
import tomllib
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from functools import cache
from pathlib import Path

from workshop.chapter.model import Card, Chapter, Code, Figure, Place, Prose, Text
from workshop.chapter.prose import CODE, MATH, blocks
from workshop.chapter.read import documented
from workshop.layout import BOOK, WORKSHOP
from workshop.runs.compare import text_of

GROUNDS = Path(__file__).with_name("claim_grounds")

# Words that promise more than one run shows. "Same", "all" and "nothing" flag too much to be read.
# The tail of a compound promises nothing: read-only.
STRONG = re.compile(
    r"(?<!-)\b(?:always|never|only|every|must|cannot|exactly|identical|bit for bit|"
    r"no (?:error|warning|copy|effect|trace)|(?:fast|slow|cheap)er|at most|at least|"
    r"(?:more|less|fewer|larger|smaller|higher|lower|longer|shorter) than)\b",
    re.IGNORECASE,
)
WORDS = ["zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten"]
COUNTS = {word: number for number, word in enumerate(WORDS)} | {"once": 1, "twice": 2}
COUNTS |= {"eleven": 11, "twelve": 12, "hundred": 100}
# "Once" is also "as soon as", "one" and "two" are mostly no counts: "the two functions".
COUNTED = re.compile(
    r"\b(?:once(?! (?:more|again|the|it|a|you)\b)|twice|"
    r"(?:one|two)(?= (?:traces?|times?|calls?|runs?|passes)\b)|"
    rf"(?:{'|'.join(word for word, number in COUNTS.items() if number > 2)}))\b(?!-)",
    re.IGNORECASE,
)
NUMBER = re.compile(r"(?<![\w.\-])[-−]?\d+(?:,\d{3})*(?:\.\d+)*(?:e[-+]?\d+)?(?: %)?(?!\w)")
NO_CLAIM = re.compile(
    r"\b(?:\d+(?: to \d+)? minutes|the whole chapter \d+|(?:Keras|Python|jax|[Cc]hapters?|[Ee]xercises?) \d[\d.]*"
    r"(?:(?:,| and|,? to) \d+)*)"
)
ERROR = re.compile(r"\b[A-Z]\w*(?:Error|Exception|Warning)\b")
DTYPE = re.compile(r"\b(?:bfloat|u?int|float|complex)\d+\b")
VALUE = re.compile(r"[-+]?[\d(\[][-+\d.,\s()\[\]e]*")
ENTRY = re.compile(
    r"(assert|output|check|code|test|source|no claim)(?: in (\S+))?: (.+)", re.DOTALL
)


class ClaimError(Exception):
    """What is wrong with an entry, in one line."""


@dataclass
class Grounds:
    """What a chapter does between two headings: the texts that its prose can stand on."""

    anchor: str
    outputs: list[tuple[int, str]] = field(default_factory=list)  # with the place in the notebook
    code: list[tuple[int, str]] = field(default_factory=list)
    asserts: list[str] = field(default_factory=list)
    checks: list[str] = field(default_factory=list)
    silent: bool = False  # whether a cell of it is documented without an error or a warning


@dataclass
class Claim:
    """One claim of a sentence; `held` says what kind of thing holds it, empty where nothing does."""

    place: Place
    section: Grounds
    sentence: str
    kind: str
    text: str
    held: str = ""


def claims_in(chapter: Chapter) -> list[Claim]:
    """Every claim of a chapter with its outputs, each with what holds it in its own section."""
    sections, sentences = _read(chapter)
    found = []
    for node, section, places, sentence, codes in sentences:
        if section.anchor == "sources" or sentence.endswith("?"):
            continue
        scope = _whole(sections) if section.anchor in ("", "summary") else _near(section, places)
        shown = _shown(sentence, codes)
        for kind, text in _candidates(sentence, codes):
            holder = _holder(kind, text, scope)
            found.append(Claim(node.place, section, shown, kind, text, holder))
    return found


def _read(chapter: Chapter) -> tuple[list[Grounds], list[tuple]]:
    """The grounds of each section, and its sentences: node, grounds, places, text, inline code.

    Each prose cell opens a place, to which the code below it belongs. A sentence may stand on the
    place before it and on its own, the alt text of a picture of a cell on its own alone.
    """
    grounds, sentences = [], []
    cells = [cell for cell in chapter.cells if not isinstance(cell, Code) or cell.is_shown]
    opened = {
        node.place: sum(isinstance(c, Prose) for c in cells[: number + 1])
        for number, cell in enumerate(cells)
        for node in getattr(cell, "nodes", [cell])
    }
    for section in chapter.sections:
        grounds.append(here := Grounds(section.anchor))
        for node in section.cells:
            if isinstance(node, Code):
                if not node.is_shown:
                    here.asserts += _asserts_in(node) if "holds" in node.tags else []
                    continue
                place = opened[node.place]
                _add_code(here, place, node)
                text, near = node.metadata.get("alt", {}).get("en", ""), {place}
            else:
                place = opened[node.place]
                text, near = _prose_of(node), {place - 1, place}
            sentences += [(node, here, near, *piece) for piece in sentences_in(text)]
    return grounds, sentences


def _prose_of(node: Text | Figure | Card) -> str:
    """What is to be judged of it; recorded figures and choices of cards have tests of their own."""
    if isinstance(node, Text):
        return re.sub(r"\A# .*", "", node.texts["en"])  # no title
    if isinstance(node, Card):
        return node.said["en"].question
    return "" if node.is_recorded else f"![{node.alts['en']}](x)"


def _add_code(section: Grounds, place: int, cell: Code) -> None:
    section.outputs.append((place, text_of(cell.outputs)))
    noisy = any(o.output_type == "error" or o.get("name") == "stderr" for o in cell.outputs)
    section.silent = section.silent or not noisy
    if "check" in cell.tags:  # judges the reader, holds nothing of the chapter
        section.checks.append(cell.source)
        return
    section.code.append((place, cell.source))
    section.asserts += _asserts_in(cell)


def _asserts_in(cell: Code) -> list[str]:
    try:
        tree = ast.parse(cell.source)
    except SyntaxError:  # a magic, or the syntax error that a cell shows
        return []
    return [
        ast.get_source_segment(cell.source, node)
        for node in ast.walk(tree)
        if isinstance(node, ast.Assert)
    ]


def _near(section: Grounds, places: set[int]) -> Grounds:
    """The section with only those outputs and that code which stand next to a sentence."""
    outputs = [(place, text) for place, text in section.outputs if place in places]
    code = [(place, text) for place, text in section.code if place in places]
    return replace(section, outputs=outputs, code=code)


def _whole(sections: list[Grounds]) -> Grounds:
    texts = {name: [] for name in ("outputs", "asserts", "code", "checks")}
    for section in sections:
        for name, gathered in texts.items():
            gathered += getattr(section, name)
    return Grounds("", **texts, silent=True)


def sentences_in(markdown: str) -> Iterator[tuple[str, list[str]]]:
    """Each sentence of a Markdown text, its links left out, with the inline code in it."""
    for block in blocks(markdown):
        codes = iter(block.codes)
        text = block.text
        for start, end, _ in block.links:  # a title of a chapter or of a source is no claim
            inside = "".join(CODE if letter == CODE else " " for letter in text[start:end])
            text = text[:start] + inside + text[end:]
        for sentence in re.split(r"(?<=[.?:;])\s+", text):
            yield sentence, [next(codes) for _ in range(sentence.count(CODE))]


def _shown(sentence: str, codes: list[str]) -> str:
    pieces = iter(codes)
    text = re.sub(CODE, lambda _: f"`{next(pieces)}`", sentence)
    return " ".join(text.replace(MATH, "$…$").split())


def _candidates(sentence: str, codes: list[str]) -> Iterator[tuple[str, str]]:
    prose = NO_CLAIM.sub("", sentence)
    yield from (("number", match.group()) for match in NUMBER.finditer(prose))
    yield from (("count", match.group()) for match in COUNTED.finditer(prose))
    yield from (("word", match.group()) for match in STRONG.finditer(prose))
    for code in codes:
        if VALUE.fullmatch(code) and re.search(r"\d", code):
            yield "value", code
        yield from (("error", match.group()) for match in ERROR.finditer(code))
        yield from (("dtype", match.group()) for match in DTYPE.finditer(code))


def _holder(kind: str, text: str, scope: Grounds) -> str:
    """Where a claim stands in its section: what holds most comes first."""
    if kind == "word" and re.fullmatch("no (?:error|warning)", text, re.IGNORECASE):
        return "output" if scope.silent else ""
    if kind == "word":
        return ""
    stands = _value_stands if kind in ("number", "count") else _text_stands
    for place, texts in (
        ("output", [text for _, text in scope.outputs]),
        ("assert", scope.asserts),
        ("check", scope.checks if scope.anchor else []),
        ("code", [text for _, text in scope.code]),
    ):
        if any(stands(text, there) for there in texts):
            return place
    return ""


def _value_stands(text: str, there: str) -> bool:
    """Whether the number that `text` names is one of the numbers of `there`."""
    wanted = COUNTS.get(text.lower())
    percent = text.endswith("%")
    if text.count(".") > 1:  # a version
        return _text_stands(text, there)
    if wanted is None:
        wanted = float(text.rstrip(" %").replace(",", "").replace("−", "-"))
    numbers = re.findall(r"(?<![A-Za-z_\d.])-?\d[\d_]*\.?\d*(?:e[-+]?\d+)?", there)
    values = {float(number.replace("_", "")) for number in numbers}
    return wanted in values or (percent and wanted / 100 in values)


def _text_stands(text: str, there: str) -> bool:
    """Whether `text` stands in `there` as whole words, spaces aside."""
    words = r"\s*".join(map(re.escape, re.findall(r"\w+|\S", text)))
    before = r"(?<!\w)" if text[:1].isalpha() else r"(?<![\w.])"  # `int32` stands in `jnp.int32`
    after = r"(?!\w|\.\d)"
    if re.fullmatch(r"[-\d.]+(?: [-\d.]+)+", text):  # a row of numbers is the whole row
        before, after = r"(?<![\w.])(?<!\d )", r"(?!\w|\.\d| +\d)"
    return bool(re.search(before + words + after, there))


def claims_of(chapter: str, entries: dict[str, str] | None = None) -> list[Claim]:
    """The claims of a chapter, those that its own section does not hold looked up in its entries.

    Raises:
        ClaimError: an entry is wrong, in one line with its mend.
    """
    file = GROUNDS / f"{chapter}.toml"
    if entries is None:
        entries = tomllib.loads(file.read_text(encoding="utf8")) if file.is_file() else {}
    claims = claims_in(with_outputs(chapter))
    for sentence, entry in entries.items():
        here = f"{file.name}, {sentence[:60]!r}:"
        free = [claim for claim in claims if claim.sentence == sentence and not claim.held]
        if not any(claim.sentence == sentence for claim in claims):
            raise ClaimError(f"{here} no such sentence; look at the new one, then mend the entry")
        if not free:
            raise ClaimError(f"{here} its section holds it by itself; take the entry out")
        kind = _follow(entry, chapter, here)
        for claim in free:
            claim.held = kind
    return claims


def _follow(entry: str, chapter: str, here: str) -> str:
    """The kind of thing that an entry names, when that thing is really there."""
    if not (parts := ENTRY.fullmatch(entry)):
        raise ClaimError(f"{here} {entry!r} is not 'assert: …', 'output: …', 'test: …' and so on")
    kind, other, text = parts.groups()
    if kind == "no claim":
        return kind
    if kind == "test":
        file, _, name = text.partition("::")
        path = WORKSHOP / file
        if not path.is_file() or f"def {name}(" not in path.read_text(encoding="utf8"):
            raise ClaimError(f"{here} there is no test {text}; name one that exists")
        return kind
    there = with_outputs(other or chapter)
    if kind == "source":
        if f"]({text})" not in there.prose[-1].texts["en"]:
            raise ClaimError(f"{here} {text} is no source of the chapter; list it there")
        return kind
    whole = _whole(_read(there)[0])
    texts = {"assert": whole.asserts, "check": whole.checks}
    texts |= {"output": [t for _, t in whole.outputs], "code": [t for _, t in whole.code]}
    if not any(_text_stands(text, there) for there in texts[kind]):
        raise ClaimError(f"{here} no {kind} of {other or chapter} holds {text!r}; mend one of them")
    return kind


@cache
def with_outputs(name: str) -> Chapter:
    """A chapter of the book, its documented outputs included."""
    return documented(BOOK / "chapters" / f"{name}.md")
