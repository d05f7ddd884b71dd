"""A search page per language: a question leads to the section that answers it.

The search page (and no other) loads the text of the book, the questions that readers ask of each
section, and MiniSearch, which ranks them; `search.js` says what a word is. So every result leads
to a section and shows its text, and no page has to be fetched, which `file://` forbids.
"""

import html
import json
import posixpath
import re
import unicodedata
from html import unescape
from pathlib import Path

import yaml
from docutils import nodes
from docutils.utils.math.latex2mathml import tex2mathml
from sphinx.search.en import js_porter_stemmer

from workshop.glossary.terms import also, bare
from workshop.layout import (
    CHAPTERS,
    LANGUAGES,
    glossary,
    is_lesson,
    is_of_symptoms,
    language_of,
    pages_of,
)
from workshop.picture.on_site import picture
from workshop.search.questions import questions_of
from workshop.site import load_with
from workshop.words import words_in

STEMMER = "search-stemmer.js"
MISSING_ERROR = "missing-error.yml"  # the form of .github/ISSUE_TEMPLATE
SYNONYMS = Path(__file__).with_name("synonyms.yml")
# Pages that name much and explain nothing.
LISTS = ("cover", "glossary", "sources", "status", "changes")


def text_of(node: nodes.Node) -> str:
    """Return the text of a block as the reader sees it: formulas and pictures put into words."""
    if isinstance(node, nodes.Text):
        return str(node)
    if isinstance(node, nodes.math | nodes.math_block):
        formula = unescape(re.sub("<[^>]+>", "", tex2mathml(node.astext())))
        return re.sub(r"[\s\u2061-\u2064]", "", formula)  # without invisible operators
    if isinstance(node, nodes.image):
        return node.get("alt", "")
    if isinstance(node, picture):
        return " ".join(filter(None, [node["alt"], *map(text_of, node.children)]))
    if isinstance(node, nodes.raw | nodes.Invisible):
        return ""
    between = " · " if isinstance(node, nodes.row) else ""
    return between.join(filter(None, map(text_of, node.children)))


def is_part(node: nodes.Node) -> bool:
    """Whether a node has an address of its own: a section, or an entry of the glossary."""
    is_entry = isinstance(node, nodes.definition_list_item) and node[0]["ids"]
    return isinstance(node, nodes.section) or bool(is_entry)


def blocks_of(node: nodes.Node):
    """Yield the blocks of a part, without its heading and the parts inside it."""
    for child in node.children:
        is_heading = (
            isinstance(child, nodes.title) or is_part(node) and isinstance(child, nodes.term)
        )
        if is_heading or is_part(child):
            continue
        if isinstance(child, nodes.TextElement | nodes.row | picture | nodes.image):
            yield child
        else:
            yield from blocks_of(child)


def normal(text: str) -> str:
    """Return a text with its Hangul composed, as the browser composes the query."""
    return unicodedata.normalize("NFC", text)


def sections_of(doctree: nodes.document, questions: dict[str, list[str]]) -> list[list]:
    """Return `[anchor, heading, prose, code, outputs, questions]` of each section and entry."""
    sections: list[list] = []
    for section in doctree.findall(is_part):
        prose, code, outputs = [], [], []
        for block in blocks_of(section):
            if isinstance(block, nodes.literal_block):
                kind = outputs if "output" in block["classes"] else code
                kind.append(re.sub(r"\n\s*\n", "\n", block.astext()))
            else:
                prose.append(" ".join(text_of(block).split()))
        heading = text_of(section[0]) if isinstance(section[0], nodes.title | nodes.term) else ""
        texts = (heading, "\n".join(filter(None, prose)), "\n".join(code), "\n".join(outputs))
        anchor = (section["ids"] or section[0]["ids"])[0]
        asked = questions.get(anchor if sections else "title", [])
        sections.append([anchor, *map(normal, texts), [normal(question) for question in asked]])
    return sections


def names_of_terms(language: str) -> list[list[str]]:
    """Return `[name, term, page]` for each name of a term: who looks for the name means the term.

    The Korean text says 부수 효과 and never 부작용, and `기울기(gradient, 그레이디언트)` at first
    mention alone. The page is that of the chapter which explains the term.
    """
    names = set()
    for row in glossary():
        term = bare(row[language])
        others = also(row, language)
        if language == "ko":
            others += [bare(row["en"]), *re.findall(r"[^(,)]+", row["gloss"].partition("(")[2])]
        for name in {term, *map(str.strip, others)}:
            names.add((normal(name).lower(), normal(term).lower(), row["chapter"]))
    return [list(name) for name in sorted(names)]


def kind_of(name: str) -> str:
    """Return what the search makes of a page: the best place for a message, or a last resort."""
    if name in LISTS:
        return "list"
    if is_of_symptoms(name):
        return "symptoms"
    return "lesson" if is_lesson(name) else "page"


def write_index(app, language: str) -> str:
    """Write the text of a language's pages as a script and return its file name."""
    pages = []
    for page in pages_of(language, Path(app.srcdir)):
        name = Path(page).name
        questions = questions_of(CHAPTERS / name, language)
        # Resolved, for a link without a text takes that of its target.
        sections = sections_of(app.env.get_and_resolve_doctree(page, app.builder), questions)
        pages.append([app.builder.get_target_uri(page), kind_of(name), sections])
    index = {
        "names": names_of_terms(language),
        "synonyms": yaml.safe_load(SYNONYMS.read_text("utf8")),
        "pages": pages,
    }
    name = f"search-index-{language}.js"
    text = f"const bookIndex = {json.dumps(index, ensure_ascii=False)};\n"
    Path(app.outdir, "_static", name).write_text(text, "utf8")
    return name


def search_pages(app):
    """Add a search page per language, at the root, where the links to results start."""
    static = Path(app.outdir, "_static")
    (static / STEMMER).write_text(js_porter_stemmer, "utf8")
    for language in LANGUAGES:
        yield f"search-{language}", {"index_file": write_index(app, language)}, "search.html"


class paste_field(nodes.raw):
    """The field of a page of symptoms, to paste a message into: it asks the search."""


def put_paste_field(app, doctree, page: str) -> None:
    """Open the pages of symptoms with a field; what stands there besides is written for notebooks."""
    if not is_of_symptoms(Path(page).name):
        return
    language = language_of(page)
    say = words_in(language)
    address = posixpath.relpath(f"search-{language}.html", posixpath.dirname(page))
    field = (
        f'<form class="paste-field" action="{address}"><label>'
        f"{html.escape(say('Paste your error message, or say what goes wrong'))}"
        '<textarea name="q" rows="3" required spellcheck="false" autocapitalize="off"></textarea>'
        f'</label><button class="btn btn-primary" type="submit">{html.escape(say("Find it"))}'
        "</button></form>"
    )
    section = next(doctree.findall(nodes.section))
    section.insert(1, paste_field("", field, format="html"))


def set_up_page(app, page, template, context, doctree) -> None:
    """Load the search where it is used; offer none where the language is still to be chosen."""
    if index := context.get("index_file"):
        for script in (STEMMER, "minisearch.js", index, "search.js"):
            app.add_js_file(script, loading_method="defer")
        if app.known_repository:
            home = f"https://github.com/{app.known_repository}/issues/new"
            context["missing_error"] = f"{home}?template={MISSING_ERROR}"
    elif not language_of(page):
        context["theme_disable_search"] = True


def replace_the_search_of_sphinx(app) -> None:
    """Keep Sphinx from writing its own search page and index."""
    app.builder.search = False


def setup(app):
    """Connect the steps."""
    app.add_css_file("search.css")
    load_with(app, paste_field, "paste-field")
    app.connect("doctree-resolved", put_paste_field)
    app.connect("builder-inited", replace_the_search_of_sphinx)
    app.connect("html-collect-pages", search_pages)
    app.connect("html-page-context", set_up_page, priority=400)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
