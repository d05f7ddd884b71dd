"""The directive `{glossary-terms}`: `book/glossary.csv` as a list of terms in the page's language.

Each term has an anchor made of its English word, equal in both languages, and a link to the
chapter that explains it.
"""

import unicodedata
from itertools import groupby
from pathlib import Path

from docutils import nodes
from sphinx import addnodes
from sphinx.errors import ExtensionError
from sphinx.util.docutils import SphinxDirective

from workshop.glossary.terms import also, anchor_of, faults
from workshop.layout import GLOSSARY, glossary, language_of, pages_of
from workshop.words import keyed_words

# The consonants that syllables begin with in Unicode, doubled ones with the others.
CONSONANTS = dict(
    zip(map(chr, range(0x1100, 0x1113)), "ㄱㄱㄴㄷㄷㄹㅁㅂㅂㅅㅅㅇㅈㅈㅊㅋㅌㅍㅎ", strict=True)
)


class GlossaryTerms(SphinxDirective):
    """A list of the terms, sorted for the language of the page."""

    def run(self):
        """Write the list, or stop the build with what is wrong in the table."""
        self.env.note_dependency(str(GLOSSARY))
        language = language_of(self.env.docname)
        chapters = {Path(page).name for page in pages_of(language, Path(self.env.srcdir))}
        if found := list(faults(glossary(), chapters)):
            raise ExtensionError("\n".join(found))
        rows = sorted(glossary(), key=lambda row: place_of(row[language], language))
        terms = nodes.definition_list("", *[self.item(row, language) for row in rows])
        terms["classes"].append("glossary-terms")
        return [nodes.raw("", letters(rows, language), format="html"), terms]

    def item(self, row: dict[str, str], language: str) -> nodes.definition_list_item:
        """Return one term with all that is said of it."""
        other = {"ko": "en", "en": "ko"}[language]
        term = nodes.term("", row[language], ids=[anchor_of(row)])
        if row["en"] != row["ko"]:
            # docutils writes such a class as the attribute `lang`
            twin = nodes.inline("", row[other], classes=["twin", f"language-{other}"])
            term += [nodes.Text(" "), twin]
        said, _ = self.parse_inline(row[f"meaning_{language}"])
        told = [nodes.paragraph("", "", *said)]
        if names := also(row, language):
            label = keyed_words("glossary", language)["also"]
            told.append(nodes.paragraph("", f"{label}: {', '.join(names)}", classes=["also"]))
        told.append(nodes.paragraph("", "", self.link(row["chapter"], language)))
        return nodes.definition_list_item("", term, nodes.definition("", *told))

    def link(self, chapter: str, language: str) -> addnodes.pending_xref:
        """Return a link to a chapter, which Sphinx gives the title of the chapter."""
        page = f"/book/{language}/{chapter}"
        link = addnodes.pending_xref(
            "", nodes.inline(), refdomain="std", reftype="doc", reftarget=page, refexplicit=False
        )
        link["refdoc"], link["refwarn"] = self.env.docname, True
        return link


def letters(rows: list[dict[str, str]], language: str) -> str:
    """Links to the first term of each letter, for sorted terms."""
    groups = groupby(rows, key=lambda row: letter_of(row[language]))
    links = [f'<a href="#{anchor_of(next(group))}">{letter}</a>' for letter, group in groups]
    label = keyed_words("glossary", language)["letters"]
    return f'<nav class="glossary-letters" aria-label="{label}">{" ".join(links)}</nav>'


def place_of(word: str, language: str) -> tuple[bool, str]:
    """What to sort by: in Korean Hangul goes before Latin, for a phone shows the first letters alone."""
    return language == "ko" and word[0].isascii(), word.lower()


def letter_of(word: str) -> str:
    """What a word begins with: a capital letter or, in Hangul, a consonant."""
    first = unicodedata.normalize("NFD", word)[0]
    return CONSONANTS.get(first, first.upper())


def setup(app):
    """Register the directive and its style."""
    app.add_css_file("glossary.css")
    app.add_directive("glossary-terms", GlossaryTerms)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
