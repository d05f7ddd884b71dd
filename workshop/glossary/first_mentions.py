"""On the site the first mention of a term in a chapter says what the term means.

The words become a quiet link to the term's entry in the glossary. Its meaning stands behind it in a
`<template>`, which `static/first-mentions.js` shows on hover, focus and tap. Only prose counts: no
headings, tables, figures, cards, folds or sources, no link and no code. Notebooks stay as they are.
"""

import re
from collections.abc import Iterator
from functools import cache
from html import escape
from pathlib import Path

from docutils import nodes
from sphinx.transforms import SphinxTransform

from workshop.chapter.prose import PARTICLE, short_of
from workshop.glossary.terms import Row, anchor_of, bare
from workshop.layout import GLOSSARY, chapter_path, glossary, language_of
from workshop.picture.on_site import picture
from workshop.recorded_figure.on_site import recorded_figure
from workshop.site import load_with

OTHER = "\ue000"  # stands for each letter of code, links and formulas
SEAM = "\ue001"  # stands between plain and emphasized words
ARTICLE = re.compile(r"\b(?:an?|the|its|one)\s+$", re.IGNORECASE)
BOUNDS = {
    "ko": ("(?<![가-힣A-Za-z0-9_.])", rf"(?=(?:들|이?란|{PARTICLE}){{0,2}}(?![가-힣A-Za-z0-9_]))"),
    "en": (r"(?<![\w.-])", r"(?![\w-])"),
}

Found = tuple[int, int, Row]  # the start and the end of the words in their line, and their term


def forms_of(row: Row, language: str) -> str:
    """The pattern of a term's words; English ones also in the plural and with a capital letter."""
    words = r"\s+".join(map(re.escape, bare(row[language]).split()))
    if language == "ko":
        return words
    if words[0].islower():
        words = f"[{words[0]}{words[0].upper()}]{words[1:]}"
    if re.search("[^aeiou]y$", words):
        return f"{words[:-1]}(?:y|ies)"
    return words + ("(?:es)?" if re.search("(?:s|x|ch|sh)$", words) else "s?")


@cache
def terms_and_pattern(language: str) -> tuple[list[Row], re.Pattern]:
    """All terms, long ones first, since `optimizer state` is no mention of `state`; their pattern."""
    rows = sorted(glossary(), key=lambda row: -len(row[language]))
    before, after = BOUNDS[language]
    forms = "|".join(f"({forms_of(row, language)})" for row in rows)
    return rows, re.compile(f"{before}(?:{forms}){after}")


def first_mentions(lines: list[str], language: str) -> Iterator[list[Found]]:
    """Find for each line of a page's prose the terms that are to be marked there.

    Args:
        lines: the paragraphs, with `OTHER` and `SEAM` where no term can stand.
        language: their language.
    """
    rows, pattern = terms_and_pattern(language)
    prose = "\n".join(lines).replace(SEAM, "")
    seen = set()

    def is_first(row: Row, line: str, start: int) -> bool:
        if not row["mark"] or row["en"] in seen:
            return False
        if language == "en":
            return row["mark"] != "noun" or bool(ARTICLE.search(line[:start]))
        glosses = short_of(row["gloss"]) if row["gloss"] else ()
        here = line[start:].replace(SEAM, "").startswith(glosses)
        return here or not any(gloss in prose for gloss in glosses)

    for line in lines:
        found = []
        for match in pattern.finditer(line):
            row = rows[match.lastindex - 1]
            if is_first(row, line, match.start()):
                seen.add(row["en"])
                found.append((*match.span(), row))
        yield found


def prose_of(node: nodes.Element) -> Iterator[nodes.paragraph]:
    """Yield the paragraphs of prose in a node."""
    opened = 0  # what stands between tags of HTML belongs to a card or a fold
    for child in node.children:
        if isinstance(child, nodes.raw):
            opened += child.astext().count("<d") - child.astext().count("</d")
        elif opened or isinstance(child, nodes.Text | nodes.table | recorded_figure | picture):
            continue
        elif isinstance(child, nodes.paragraph):
            yield child
        elif "sources" not in child["ids"]:
            yield from prose_of(child)


class mention(nodes.Inline, nodes.TextElement):
    """The words of a term where a chapter mentions it first; its attribute `term` is the row."""


class FirstMentions(SphinxTransform):
    """Mark the first mentions of a chapter."""

    default_priority = 60  # cards, figures and sections hold by now what is theirs

    def apply(self, **kwargs):
        """Look at the page, if it is a chapter."""
        page = Path(self.env.srcdir, f"{self.env.docname}.ipynb")
        if not chapter_path(page).is_dir():
            return
        self.env.note_dependency(str(GLOSSARY))
        paragraphs = list(prose_of(self.document))
        lines = [SEAM.join(map(_words, paragraph.findall(nodes.Text))) for paragraph in paragraphs]
        found = first_mentions(lines, language_of(self.env.docname))
        for paragraph, mentions in zip(paragraphs, found, strict=True):
            begin = 0
            for text in list(paragraph.findall(nodes.Text)):
                end = begin + len(text)
                here = [(s - begin, e - begin, row) for s, e, row in mentions if begin <= s < end]
                if here:
                    text.parent.replace(text, list(_marked(text, here)))
                begin = end + len(SEAM)


def _words(text: nodes.Text) -> str:
    """A piece of a paragraph, where it is prose."""
    around = text.parent
    if isinstance(around, nodes.strong | nodes.emphasis):
        around = around.parent
    return str(text) if isinstance(around, nodes.paragraph) else OTHER * len(text)


def _marked(text: nodes.Text, found: list[Found]) -> Iterator[nodes.Node]:
    """Yield a text in pieces, terms marked."""
    last = 0
    for start, end, row in found:
        words = text[start:end]
        yield nodes.Text(text[last:start])
        yield mention(words, words, term=row)
        last = end
    yield nodes.Text(text[last:])


def open_mention(translator, node) -> None:
    """Begin the link."""
    translator.body.append(f'<a class="term" href="glossary.html#{anchor_of(node["term"])}">')


def close_mention(translator, node) -> None:
    """End the link, behind it what is shown."""
    language = language_of(translator.builder.current_docname)
    pieces = node["term"][f"meaning_{language}"].split("`")
    pieces[::2] = [escape(words.replace("'", "’")) for words in pieces[::2]]
    pieces[1::2] = [f"<code>{escape(code)}</code>" for code in pieces[1::2]]
    translator.body.append(f"</a><template>{''.join(pieces)}</template>")


def setup(app):
    """Register the node and the transform."""
    app.add_node(mention, html=(open_mention, close_mention))
    app.add_transform(FirstMentions)
    load_with(app, mention, "first-mentions")
    return {"parallel_read_safe": True, "parallel_write_safe": True}
