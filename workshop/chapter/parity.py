"""What both languages of a chapter must hold alike between two code cells.

Numbers, inline code, formulas, blocks of code, links; `read.py` sees to headings, cards and pictures.
Paragraphs, sentences, list items, order and repetitions are free. So is what one language alone
repeats from the cells around: a name, and a number too unless the other language names another one.
"""

import re

from workshop.chapter.prose import HANGUL, MARKDOWN, Block, blocks

NUMBER = re.compile(r"(?<![\w.\-])[-−]?\d+(?:,\d{3})*(?:\.\d+)*(?:e[-+]?\d+)?(?: %)?(?!\w)")
WORDS = ["zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten"]
COUNTS = {word: number for number, word in enumerate(WORDS)} | {"once": 1, "twice": 2}
COUNTS |= {"eleven": 11, "twelve": 12, "hundred": 100}
FRACTIONS = {"half": 2, "tenth": 10, "fiftieth": 50}  # numbers where Korean writes them
KOREAN_COUNTS = {"하나|한 |첫": 1, "둘|두 ": 2, "셋|세 ": 3, "넷|네 ": 4, "다섯": 5, "여섯": 6}
KOREAN_COUNTS |= {"일곱": 7, "여덟": 8, "아홉": 9, "열": 10, "없": 0}
DIGIT = re.compile(r"\d")
PUNCTUATION = re.compile(r"[\s()\[\],;.]")
# Words that promise more than one run shows.
STRONG = re.compile(
    r"(?<!-)\b(?:always|never|only|every|must|cannot|exactly|identical|bit for bit|"
    r"no (?:error|warning|copy|effect|trace)|(?:fast|slow|cheap)er|at most|at least|"
    r"(?:more|less|fewer|larger|smaller|higher|lower|longer|shorter) than)\b",
    re.IGNORECASE,
)
STRONG_KOREAN = re.compile("항상|언제나|절대로|결코|반드시|더 빠[르른릅]|더 느[리린립]")


def unequal(korean: str, english: str, around: str = "") -> list[str]:
    """What the prose of one language holds and its twin does not, one line each.

    A number word stands for its digits in the other language. What stands `around`, in the code and
    outputs of the cells before and after, one language may repeat alone.
    """
    facts = {name: _facts(text) for name, text in (("Korean", korean), ("English", english))}
    (korean_facts, korean_words), (english_facts, english_words) = facts.values()
    alone = {
        "Korean": korean_facts - english_facts - english_words,
        "English": english_facts - korean_facts - korean_words,
    }
    of_numbers = [any(map(DIGIT.search, texts)) for texts in alone.values()]
    lines = [
        f"{text!r} stands in {name} only"
        for name, texts in alone.items()
        for text in sorted(texts)
        if (all(of_numbers) and DIGIT.search(text)) or not _stands_in(text, around)
    ]
    if (words := _strong_words(korean, STRONG_KOREAN)) and not _strong_words(english, STRONG):
        lines.append(f"{words[0]!r} is claimed in Korean only")
    return [f"{line}; write it in both" for line in lines]


def _stands_in(text: str, around: str) -> bool:
    """Whether the cells around show the text; brackets, commas and spaces may differ."""
    if NUMBER.fullmatch(text):
        return text in NUMBER.findall(around)
    return bool(bare := PUNCTUATION.sub("", text)) and bare in PUNCTUATION.sub("", around)


def _facts(markdown: str) -> tuple[set[str], set[str]]:
    """What is written in the text, and the numbers that its number words may stand for."""
    written, words = _displayed(markdown), set()
    for block in blocks(markdown):
        numbers, named = _numbers(block)
        written |= numbers | set(block.codes) | {target for _, _, target in block.links}
        words |= named
    return written, words


def _numbers(block: Block) -> tuple[set[str], set[str]]:
    """What is written in digits, and the numbers that number words may stand for."""
    prose = re.sub(r"(?<=\d)분의 1(?!\d)|(?<=\d)(?=[가-힣])", " ", block.text)
    digits = {m.group().replace("−", "-").rstrip(" %") for m in NUMBER.finditer(prose)}
    words = {
        str(value)
        for word, value in (KOREAN_COUNTS | COUNTS | FRACTIONS).items()
        if re.search(word if HANGUL.search(word) else rf"\b{word}s?\b", prose, re.IGNORECASE)
    }
    return {re.sub(r"(?<=\d),(?=\d{3})", "", number) for number in digits}, words


def _displayed(markdown: str) -> set[str]:
    """The code blocks and the formulas of a text."""
    tokens = [
        part for token in MARKDOWN.parse(markdown) for part in [token, *(token.children or [])]
    ]
    return {token.content for token in tokens if token.type.startswith(("fence", "math_"))}


def _strong_words(markdown: str, rule: re.Pattern) -> list[str]:
    """The strong words of a text; in Korean only those that are never anything else."""
    return [match.group() for block in blocks(markdown) for match in rule.finditer(block.text)]
