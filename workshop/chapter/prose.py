"""The rules of prose that a program can decide, for Korean and English Markdown.

The terms stand in `book/glossary.csv`, the spellings that the book never uses in `spellings.csv`;
here are the rules of style. A rule is here only if it hardly ever flags a good sentence; what
needs a reader is in STYLE.md.
"""

import csv
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path

from markdown_it import MarkdownIt
from mdit_py_plugins.dollarmath import dollarmath_plugin

from workshop.layout import glossary

MARKDOWN = MarkdownIt("commonmark").enable("table")
MARKDOWN.use(dollarmath_plugin, allow_space=False, allow_digits=False)
MARKDOWN.validateLink = lambda url: True  # pictures are embedded as data:image/svg+xml

CODE = "\ue000"  # stands for inline code in the text of a block, MATH for a formula
MATH = "\ue001"
HANGUL = re.compile("[가-힣]")
PARTICLE = (
    "(?:을|를|은|는|이|가|의|와|과|로|으로|에|에서|에게|에는|에도|도|만|부터|까지|처럼|보다|마다"
    "|라는|이라는|라고|이라고|입니다|이며|이고|인)"
)
# What may stand right behind code: syllables that begin a particle or an ending.
GLUED = (
    "을를은는이가의와과로으도만에부까처보마라란든나며고인임입였하한할해합했"
    "된될됩돼들씩째밖조뿐대같랑여야일다"
)
# The polite formal ending is -ㅂ니다: any syllable that closes with ㅂ (the 17th of 28 finals).
CLOSED_WITH_B = "".join(chr(code) for code in range(ord("가") + 17, ord("힣") + 1, 28))
STOP = r"(?=[\s)”’\"']|$)"

KOREAN_RULES = [
    (rf"[가-힣A-Za-z0-9]{CODE}", "put a space before the code"),
    (rf"{CODE} {PARTICLE}(?=[\s,.?)]|$)", "join the particle to the code"),
    (rf"{CODE}(?![{GLUED}])[가-힣]+", "put a space between the code and the word"),
    (r"\S*[:：]$", "no colon at the end; write a whole sentence"),
    (r"[가-힣]*(?:다|까|[해어아예에네지세]요)[:：](?=\s)", "no colon after a sentence; end it"),
    (rf"[가-힣]*[하보]자\.{STOP}", "write -습니다 or -십시오"),
    (rf"[가-힣]*(?<![{CLOSED_WITH_B}]니)다[.?]{STOP}", "write -습니다"),
    (rf"[가-힣]*(?<![세까필중개수주소강동])요[.?]{STOP}", "write -습니다"),
    (r"(?<![가-힣])우리(?:는|가|의|를|도)(?![가-힣])", "drop it or name who acts"),
    (rf"[가-힣A-Za-z){CODE}]*에 의[해한]\S*", "name what acts as the subject, or write -로"),
    (r"(?<!상태)[을를] (?:가(?:지(?!치)|진|집|질)|갖)[가-힣]*", "write -이 있다 or -인"),
    (r"[가-힣]*되어[지집진졌][가-힣]*", "write 되다 in its plain passive"),
    (r"에 대한 것입니다", "say it with a verb"),
    (r"[!！]", "no exclamation mark"),
]
ENGLISH_RULES = [
    (r"\b(?i:note that)\b", "drop it"),
    (r"\b(?i:let)['’]s\b", "tell the reader what to do"),
    (r"!", "no exclamation mark"),
]
EVERYWHERE = [
    (r"\S*\*\*\S*", "the bold shows its asterisks; close it before the parenthesis or particle"),
    (r"\S*`\S*", "the code shows its backtick; close it"),
]
ENGLISH_WORDS = re.compile(r"\b(?:the|is|are|a|an|of|to|and|that|this|with|it|not|in|for)\b")
LANGUAGE_NAME = re.compile("한국어")


SPELLINGS = Path(__file__).with_name("spellings.csv")


@dataclass
class Block:
    """One heading, paragraph, table cell or picture text; inline code and formulas taken out."""

    kind: str
    text: str = ""
    codes: list[str] = field(default_factory=list)
    links: list[tuple[int, int, str]] = field(default_factory=list)  # start, end, target
    italics: list[tuple[int, int]] = field(default_factory=list)

    def without_links(self, target: str = "") -> str:
        """The text with links whose target starts with `target` blanked out."""
        text = self.text
        for start, end, address in self.links:
            if address.startswith(target):
                text = text[:start] + " " * (end - start) + text[end:]
        return text

    def excerpt(self, start: int, end: int) -> str:
        """The words from `start` to `end` with their code, as a person finds them."""
        codes = iter(self.codes[self.text.count(CODE, 0, start) :])
        words = re.sub(CODE, lambda _: f"`{next(codes)}`", self.text[start:end])
        return words.replace(MATH, "$…$").strip()


def findings(markdown: str, language: str | None = None) -> list[str]:
    """What is wrong with a piece of prose, one line each with the words and the mend.

    Args:
        markdown: the text of a cell or page.
        language: "ko" or "en"; None for a text in both, where each block is judged by its letters.
    """
    found = []
    for block in blocks(markdown):
        korean = bool(HANGUL.search(block.text)) if language is None else language == "ko"
        rules = EVERYWHERE + (KOREAN_RULES if korean else ENGLISH_RULES)
        found += _matches(block, rules)
        if korean:
            found += _refused(block)
            for start, end in block.italics:
                if HANGUL.search(block.text, start, end):
                    found.append(f"{block.excerpt(start, end)!r}: no italics in Hangul")
        if language is not None:
            found += _other_language(block, korean)
    return found


def missing_glosses(cells: list[str]) -> list[tuple[int, str]]:
    """Terms of a Korean chapter that lack their gloss where prose mentions them first.

    The first cell announces what the chapter is about and need not explain its terms (where it
    does, they are explained); headings, links and pictures do not count either.

    Args:
        cells: the Markdown of the chapter's prose cells, in order.

    Returns:
        Number of the cell in `cells`, from 0, and what to write there.
    """
    glosses = [row["gloss"] for row in glossary() if row["gloss"]]
    glosses = [gloss for gloss in glosses if not any(each in cells[0] for each in short_of(gloss))]
    glosses = {gloss.split("(")[0]: gloss for gloss in glosses}
    # A longer term that ends with a shorter one is no mention of it: 옵티마이저 상태 and 상태.
    longer = {row["ko"] for row in glossary() if row["ko"].endswith(tuple(glosses))}
    heads = sorted(longer | set(glosses), key=lambda head: (-len(head), head))
    explanations = [gloss[len(head) :] for head, gloss in glosses.items()]
    found = []
    for number, cell in enumerate(cells[1:], start=1):
        for block in blocks(cell):
            if block.kind in ("heading", "picture"):
                continue
            original = text = block.without_links()
            for explanation in explanations:  # what explains one term is no mention of another
                text = text.replace(explanation, " " * len(explanation))
            for head in heads:
                mention = re.search(rf"(?<![가-힣A-Za-z]){re.escape(head)}(?![A-Za-z])", text)
                gloss = glosses.pop(head, None) if mention else None
                if gloss and not original.startswith(short_of(gloss), mention.start()):
                    found.append((number, f"{head!r} comes first here; write {gloss!r}"))
                text = text.replace(head, " " * len(head))
    return found


@cache
def spellings() -> list[dict[str, str]]:
    """The rows of `spellings.csv`; `ko`, what to write, comes from the glossary where it has it."""
    korean = {row["en"]: row["ko"] for row in glossary()}
    with SPELLINGS.open(encoding="utf8", newline="") as file:
        return [
            {**row, "ko": row["ko"] or korean.get(row["en"], "")} for row in csv.DictReader(file)
        ]


def short_of(gloss: str) -> tuple[str, str]:
    """How a gloss may begin where it is written: 기울기(gradient, 그레이디언트) or 기울기(gradient)."""
    first = gloss.rstrip(")").partition(",")[0]
    return f"{first},", f"{first})"


def blocks(markdown: str) -> Iterator[Block]:
    """The prose of a Markdown text, block by block; code blocks and HTML tags are left out."""
    kind = "paragraph"
    for token in MARKDOWN.parse(markdown):
        if token.type in ("paragraph_open", "heading_open", "th_open", "td_open"):
            kind = "heading" if token.type == "heading_open" else "paragraph"
            kind = "cell" if token.type in ("th_open", "td_open") else kind
        elif token.type == "html_block":
            codes = re.findall(r"<code>(.*?)</code>", token.content)
            text = re.sub(r"<code>.*?</code>", CODE, token.content)
            text = " ".join(re.sub(r"<[^>]*>", " ", text).split())
            if text:
                yield Block("html", text, codes)
        elif token.type == "inline":
            yield from _inline(kind, token.children or [])


def _inline(kind: str, tokens: list) -> Iterator[Block]:
    block = Block(kind)
    opened: list[tuple[int, str]] = []
    slanted: list[int] = []
    for token in tokens:
        if token.type == "text":
            block.text += token.content
        elif token.type in ("softbreak", "hardbreak"):
            block.text += " "
        elif token.type == "code_inline":
            block.text += CODE
            block.codes.append(token.content)
        elif token.type.startswith("math_"):
            block.text += MATH
        elif token.type == "link_open":
            opened.append((len(block.text), str(token.attrGet("href"))))
        elif token.type == "link_close":
            start, target = opened.pop()
            block.links.append((start, len(block.text), target))
        elif token.type == "em_open":
            slanted.append(len(block.text))
        elif token.type == "em_close":
            block.italics.append((slanted.pop(), len(block.text)))
        elif token.type == "image":
            yield Block("picture", token.content)
    block.text = block.text.rstrip()
    if block.text:
        yield block


def _matches(block: Block, rules: list[tuple[str, str]]) -> Iterator[str]:
    for pattern, mend in rules:
        for match in re.finditer(pattern, block.text):
            yield f"{block.excerpt(*match.span())!r}: {mend}"


def _refused(block: Block) -> Iterator[str]:
    """Refused spellings, but not in titles of sources nor where the word itself is quoted."""
    text = block.without_links("http")
    for row in spellings():
        if not row["refused"]:  # a note on usage
            continue
        for match in re.finditer(row["refused"], text):
            before, after = text[: match.start()][-1:], text[match.end() :][:1]
            if before and after and before in "'\"‘“「" and after in "'\"’”」":
                continue
            yield f"{match.group()!r}: write {row['ko']!r} ({row['en']})"


def _other_language(block: Block, korean: bool) -> Iterator[str]:
    text = block.without_links("http")  # titles of sources stay as they are
    if not korean:
        if match := re.search(r"[가-힣][가-힣 ]*", LANGUAGE_NAME.sub("", text)):
            yield f"{match.group()!r}: Korean in an English text"
        return
    for sentence in re.split(r"(?<=[.?!])\s+", text):
        long = len(re.findall(r"[A-Za-z]+", sentence)) >= 5
        if long and not HANGUL.search(sentence) and len(ENGLISH_WORDS.findall(sentence)) >= 2:
            yield f"{sentence!r}: an English sentence in a Korean text"
