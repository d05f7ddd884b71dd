"""What both languages of a chapter must hold alike between two code cells.

Numbers, inline code, formulas, blocks of code, links; `read.py` sees to headings, cards and pictures.
Paragraphs, sentences, list items, order and repetitions are free. So is what one language alone
repeats from the cells around: a name, and a number too unless the other language names another one,
which for decimals and numbers of three digits or more is counted.
"""

import re
from collections import Counter
from typing import NamedTuple

from workshop.chapter.numbers import numbers_in
from workshop.chapter.prose import HANGUL, MARKDOWN, Block, blocks

NUMBER = re.compile(r"(?<![\w.\-])[-−]?\d+(?:,\d{3})*(?:\.\d+)*(?:e[-+]?\d+)?(?: %)?(?!\w)")
WORDS = ["zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten"]
COUNTS = {word: number for number, word in enumerate(WORDS)} | {"once": 1, "twice": 2}
COUNTS |= {"eleven": 11, "twelve": 12, "hundred": 100}
COUNTS |= {"half": 2, "tenth": 10, "fiftieth": 50}  # numbers where Korean writes them
KOREAN_COUNTS = {"하나|한 |첫": 1, "둘|두 ": 2, "셋|세 ": 3, "넷|네 ": 4, "다섯": 5, "여섯": 6}
KOREAN_COUNTS |= {"일곱": 7, "여덟": 8, "아홉": 9, "열": 10, "없": 0}
DIGIT = re.compile(r"\d")
PUNCTUATION = re.compile(r"[\s()\[\],;.]")
# Words that promise more than one run shows; in Korean only those that are never anything else. The
# tail of a compound promises nothing: read-only.
STRONG = re.compile(
    r"(?<!-)\b(?:always|never|only|every|must|cannot|exactly|identical|bit for bit|"
    r"no (?:error|warning|copy|effect|trace)|(?:fast|slow|cheap)er|at most|at least|"
    r"(?:more|less|fewer|larger|smaller|higher|lower|longer|shorter) than)\b",
    re.IGNORECASE,
)
STRONG_KOREAN = re.compile("항상|언제나|절대로|결코|반드시|더 빠[르른릅]|더 느[리린립]")


class Facts(NamedTuple):
    """What a text holds, and the numbers that its number words may stand for."""

    written: set[str]
    in_words: set[str]


def unequal(korean: str, english: str, around: str = "") -> list[str]:
    """What the prose of one language holds and its twin does not, one line each.

    A number word stands for its digits in the other language. What stands `around`, in the code and
    outputs of the cells before and after, one language may repeat alone.
    """
    of_korean, of_english = _facts(korean), _facts(english)
    alone = [("Korean", text) for text in sorted(_missing(of_korean, of_english))]
    alone += [("English", text) for text in sorted(_missing(of_english, of_korean))]
    # Where each language has a number of its own, one of the two is wrong, whatever stands around.
    contradict = len({name for name, text in alone if DIGIT.search(text)}) > 1
    lines = [
        f"{text!r} stands in {name} only"
        for name, text in alone
        if (contradict and DIGIT.search(text)) or not _stands_in(text, around)
    ]
    often = Counter(numbers_in(korean)), Counter(numbers_in(english))
    if (more := sorted(often[0] - often[1])) and (less := sorted(often[1] - often[0])):
        lines.append(f"Korean names {more[0]!r} more often, English {less[0]!r}")
    if (promised := _promises(korean, STRONG_KOREAN)) and not _promises(english, STRONG):
        lines.append(f"{promised[0]!r} is promised in Korean only")
    return [f"{line}; write it in both" for line in lines]


def _missing(facts: Facts, other: Facts) -> set[str]:
    return facts.written - other.written - other.in_words


def _stands_in(text: str, around: str) -> bool:
    """Whether the cells around show the text; brackets, commas and spaces may differ."""
    if NUMBER.fullmatch(text):
        return text in NUMBER.findall(around)
    return bool(bare := PUNCTUATION.sub("", text)) and bare in PUNCTUATION.sub("", around)


def _facts(markdown: str) -> Facts:
    facts = Facts(_displayed(markdown), set())
    for block in blocks(markdown):
        written, in_words = _numbers(block)
        facts.written.update(written, block.codes, (target for _, _, target in block.links))
        facts.in_words.update(in_words)
    return facts


def _numbers(block: Block) -> Facts:
    prose = re.sub(r"(?<=\d)분의 1(?!\d)|(?<=\d)(?=[가-힣])", " ", block.text)
    digits = {m.group().replace("−", "-").rstrip(" %") for m in NUMBER.finditer(prose)}
    words = {
        str(value)
        for word, value in (KOREAN_COUNTS | COUNTS).items()
        if re.search(word if HANGUL.search(word) else rf"\b{word}s?\b", prose, re.IGNORECASE)
    }
    return Facts({re.sub(r"(?<=\d),(?=\d{3})", "", number) for number in digits}, words)


def _displayed(markdown: str) -> set[str]:
    """The code blocks and the formulas of a text."""
    tokens = [
        part for token in MARKDOWN.parse(markdown) for part in [token, *(token.children or [])]
    ]
    return {token.content for token in tokens if token.type.startswith(("fence", "math_"))}


def _promises(markdown: str, strong: re.Pattern) -> list[str]:
    """The strong words of a text, titles that it links to aside."""
    return [word for block in blocks(markdown) for word in strong.findall(block.without_links())]
