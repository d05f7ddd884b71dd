"""Each number that the prose of a chapter names is shown by what stands in the same section.

A number here is a decimal (`0.467`, `1e-7`) or has three digits or more (`1,797`); smaller ones are
mostly counts of what a reader sees on the page. It is looked for in both languages: in paragraphs,
tables, headings, inline code, formulas, cards with their choices, and alt texts. No numbers are texts
and addresses of links, years (`(2015)`, `in 2015,`) and dates, times, issues (`#1234`), versions (`0.10.2`,
`JAX 0.7 and 0.10`), digits of a name (`int32`), blocks of code, and what stands in the list of sources.

What shows a number is an output, the code or a guard of its section, or the record of a figure there;
comments show nothing. A section goes from its heading to the next one; what stands directly below a
heading counts for its subsections too. The opening, the summary and the closing table speak of the
whole chapter.

A number is shown where it stands with the same digits, its sign and separators of thousands aside:
`-0.50` shows `0.50`, and `1_797` shows `1,797`, but `1` doesn't show `1.0`, nor `0.467` the rounded
`0.47`: round that in a guard.
"""

import re
import tokenize
from collections.abc import Iterator
from decimal import Decimal

from workshop.chapter.model import Card, Chapter, Code, Figure, Place, Section, Text
from workshop.chapter.prose import MARKDOWN
from workshop.layout import LANGUAGES
from workshop.runs.compare import text_of

NUMBER = re.compile(
    r"(?<![\w.#])\d+(?:[,_]\d{3})*(?:\.\d*)?(?:e[-+]?\d+)?(?![A-Za-z\d_]|\.\d)", re.ASCII
)
VERSION = r"\d+(?:\.\d+)+"
NO_NUMBER = re.compile(
    r"\((?:19|20)\d\d\)|\b(?:from|in) 20\d\d(?=,)|\b\d{4}(?:-\d\d-\d\d|년)|\b\d+:\d\d|"
    r"(?:\bissues?|이슈) \d+|"
    rf"\b(?:JAX|NumPy|Python|Flax|Keras|Optax|Orbax|PyTorch|CUDA|Apache(?: License)?)[ -]{VERSION}"
    rf"(?:(?:,|,? and|과|와|이나|에서|부터|까지)? {VERSION})*",
    re.IGNORECASE,
)
WHOLE = ("", "summary", "symptom-cause-fix")  # what speaks of the whole chapter


def faults_of_numbers(chapter: Chapter) -> Iterator[str]:
    """The numbers that nothing shows in a chapter, which is read with its outputs."""
    for section, shown in sections_with_numbers(chapter):
        for place, language, text in texts_in(section):
            for number in numbers_in(text):
                if not is_shown(number, shown):
                    yield (
                        f"{place}: {number!r} ({LANGUAGES[language]}) stands in no output, code or "
                        f"guard of the section {section.anchor or 'title'!r}; fix it, or assert it "
                        "in guards.py"
                    )


def sections_with_numbers(chapter: Chapter) -> Iterator[tuple[Section, set[str]]]:
    """Each section whose numbers count, and the numbers that it shows."""
    own = _shown_by_section(chapter)
    above: dict[int, set[str]] = {}  # of the section and the headings above it, by their level
    for section, numbers in zip(chapter.sections, own, strict=True):
        above = {level: shown for level, shown in above.items() if 1 < level < section.level}
        above[section.level] = numbers
        if section.anchor != "sources":
            yield section, set().union(*(own if section.anchor in WHOLE else above.values()))


def texts_in(section: Section) -> Iterator[tuple[Place, str, str]]:
    """Each piece of Markdown that readers see in a section, with its place and its language."""
    for node in section.cells:
        for language in LANGUAGES:
            if isinstance(node, Text):
                yield node.place, language, node.texts[language]
            elif isinstance(node, Figure):
                yield node.place, language, node.alts[language]
            elif isinstance(node, Card):
                card = node.said[language]
                for text in (card.question, *(t for c in card.choices for t in (c.text, c.why))):
                    yield node.place, language, text
            elif alt := node.metadata.get("alt"):
                yield node.place, language, alt[language]


def numbers_in(markdown: str) -> list[str]:
    """The numbers of a text as they are written, in order."""
    return [
        number
        for words in _words(markdown)
        for number in (found.rstrip(".") for found in NUMBER.findall(NO_NUMBER.sub(" ", words)))
        if re.search(r"\.|e", number) or len(re.findall(r"\d", number)) > 2
    ]


def numbers_of_code(text: str) -> set[str]:
    """The numbers of code and outputs, where a comma stands between two numbers."""
    return set(map(plain, NUMBER.findall(text.replace(",", " "))))


def is_shown(number: str, shown: set[str]) -> bool:
    """Whether a number stands among those that a section shows."""
    return plain(number) in shown


def raised(number: str) -> str:
    """The number raised by one in its last place: 0.46 -> 0.47, 1,797 -> 1798, 1e-7 -> 2e-7."""
    mantissa, e, exponent = plain(number).partition("e")
    value = Decimal(mantissa)
    return f"{value + Decimal((0, (1,), value.as_tuple().exponent)):f}{e}{exponent}"


def plain(number: str) -> str:
    """A number as the others are compared: 1,797 -> 1797, 1e-07 -> 1e-7, and 1. -> 1.0 (NumPy's)."""
    number = re.sub(r"(e-?)\+?0*(?=\d)", r"\1", re.sub("[,_]", "", number))
    return f"{number}0" if number.endswith(".") else number


def _words(markdown: str) -> Iterator[str]:
    """What is read in a text, block by block: no blocks of code, no links."""
    for token in MARKDOWN.parse(markdown):
        if token.type in ("html_block", "math_block"):
            yield re.sub(r"<[^>]*>", " ", token.content)
        line, in_link = "", False
        for part in token.children or []:
            in_link = part.type == "link_open" or in_link and part.type != "link_close"
            if not in_link and part.type != "html_inline":
                line += part.content or " "
        yield line


def _shown_by_section(chapter: Chapter) -> list[set[str]]:
    """The numbers that the cells, guards and records of each section show.

    A guard of a section without cells stands after the last cell above it, or after the first one.
    """
    places = {id(cell): place for place, cell in enumerate(chapter.code)}
    found, last = [], -1
    for section in chapter.sections:
        cells = [cell for cell in section.cells if isinstance(cell, Code)]
        own = {places[id(cell)] for cell in cells} or {max(last, 0)}
        last = max(own)
        code = [*cells, *(guard for guard in chapter.guards if guard.after in own)]
        texts = [_without_comments(each.source) for each in code]
        texts += [text_of(cell.outputs) for cell in cells]
        records = [n.path for n in section.cells if isinstance(n, Figure) and n.is_recorded]
        texts += [path.read_text(encoding="utf8") for path in records]
        found.append(numbers_of_code("\n".join(texts)))
    return found


def _without_comments(source: str) -> str:
    lines = source.splitlines(keepends=True)
    try:
        for token in tokenize.generate_tokens(iter(lines).__next__):
            if token.type == tokenize.COMMENT:
                row, column = token.start
                lines[row - 1] = lines[row - 1][:column] + "\n"
    except (SyntaxError, tokenize.TokenError):  # a magic, or the syntax error that a cell shows
        pass
    return "".join(lines)
