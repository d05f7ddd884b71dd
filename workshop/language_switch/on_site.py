"""Give every page of the one build its own language.

Sphinx knows one language per build; this book has two. A page below `book/ko` or `book/en` gets
here its `<html lang>`, its switch to the same page in the other language, a sidebar and
previous/next links that stay inside the language, and the interface strings of its language.
The `words.yml` of the rooms hold what this book says, and what Sphinx and the theme lack or translate
badly; their own catalogues fill the rest.
"""

import gettext
import json
import posixpath
from pathlib import Path

import sphinx
import sphinx_book_theme
from bs4 import BeautifulSoup
from myst_nb.sphinx_ import HideCodeCellNode
from sphinx import locale
from sphinx.errors import ExtensionError

from workshop.layout import LANGUAGES, language_of, page_in, pages_of
from workshop.site import AFTER_THE_THEME
from workshop.words import korean_by_english, words_in

SPHINX_LOCALES = Path(sphinx.__file__).parent / "locale"
TOOLTIP = """data-tooltip="${messages[locale]['copy']}\""""  # of a copy button
THEME_LOCALES = sphinx_book_theme.get_html_theme_path() / "static/locales"


def check_that_both_languages_have_each_page(app) -> None:
    """Stop before anything is read when `_toc.yml` lists a page in one language alone."""
    ko, en = (pages_of(language, Path(app.srcdir)) for language in ("ko", "en"))
    for here, language, there in ((ko, "en", en), (en, "ko", ko)):
        for page in here:
            if page_in(language, page) not in there:
                raise ExtensionError(
                    f"_toc.yml lists {page} but not {page_in(language, page)}: "
                    "list the page in both languages (`make notebooks` writes both)"
                )
    if [page_in("en", page) for page in ko] != en:
        raise ExtensionError("_toc.yml lists the pages of the two languages in different orders")
    for page in ko + en:
        if not any(Path(app.srcdir, page + suffix).exists() for suffix in (".ipynb", ".md")):
            raise ExtensionError(
                f"_toc.yml lists {page}, but there is no {page}.ipynb or {page}.md: "
                "write it (`make notebooks`) or take it off the list"
            )


class KoreanWords(gettext.NullTranslations):
    """The Korean words of all rooms, and behind them those of a catalogue."""

    def gettext(self, message: str) -> str:
        """The Korean for an English text."""
        return korean_by_english().get(message) or super().gettext(message)


def load_catalogues(app) -> None:
    """Keep, for each language, the translators of Sphinx and of the theme."""
    names = {"sphinx": SPHINX_LOCALES, "booktheme": THEME_LOCALES}
    app.catalogues = {"en": {name: locale.get_translator(name) for name in names}, "ko": {}}
    for name, folder in names.items():
        ours = KoreanWords()
        ours.add_fallback(gettext.translation(name, folder, ["ko"]))
        app.catalogues["ko"][name] = ours


def speak(app, language: str | None) -> gettext.NullTranslations:
    """Let Sphinx, the theme and the templates speak a language from here on."""
    catalogues = app.catalogues[language or "en"]
    for name, catalogue in catalogues.items():
        locale.translators["general", name] = catalogue
    app.builder.templates.environment.install_gettext_translations(catalogues["sphinx"])
    return catalogues["sphinx"]


def translate_body(app, doctree, page: str) -> None:
    """Before the body of a page is written: its language, also for the prompts of folded cells."""
    catalogue = speak(app, language_of(page))
    for cell in doctree.findall(HideCodeCellNode):
        for prompt in ("prompt_show", "prompt_hide"):
            cell[prompt] = catalogue.gettext(cell[prompt])


def sidebar_of(page: str, language: str, toctree: str) -> str:
    """Keep the parts of the table of contents whose pages are of one language."""
    soup = BeautifulSoup(toctree, "html.parser")
    for chapters in soup.find_all("ul", recursive=False):
        first = chapters.a["href"]
        target = page if first == "#" else posixpath.join(posixpath.dirname(page), first)
        if language_of(posixpath.normpath(target)) != language:
            caption = chapters.find_previous_sibling(True)
            if caption and caption.name == "p":
                caption.decompose()
            chapters.decompose()
    return str(soup)


def set_page_language(app, page, template, context, doctree) -> None:
    """Fill the template's context before the theme reads it (its handlers have priority 500)."""
    language = language_of(page)
    catalogue = speak(app, language)
    context["language"] = language or "en"
    context["page_language"] = language
    context["theme_search_bar_text"] = catalogue.gettext("Search this book...")
    # The theme's label for folded cells hides their prompt from screen readers.
    context["body"] = context.get("body", "").replace(' aria-label="Toggle hidden content"', "")
    if not language:
        context["prev"] = context["next"] = None
        return
    titles = dict(zip(("en", "ko"), app.config.html_title.split(" · "), strict=True))
    context["docstitle"] = titles[language]
    context["root_doc"] = pages_of(language, Path(app.srcdir))[0]
    context["versions_of_page"] = [
        {"language": code, "name": name, "url": context["pathto"](page_in(code, page))}
        for code, name in LANGUAGES.items()
    ]
    _, before, after = app.builder.relations.get(page, (None, None, None))
    for key, neighbour in (("prev", before), ("next", after)):
        if not neighbour or language_of(neighbour) != language:
            context[key] = None
    whole_toctree, pathto = context["toctree"], context["pathto"]
    context["toctree"] = lambda **options: sidebar_of(page, language, whole_toctree(**options))
    context["pathto"] = lambda target, *rest, **more: pathto(
        f"search-{language}" if target == "search" else target, *rest, **more
    )


def translate_scripts(app, exception) -> None:
    """Give the copy button's script its Korean strings."""
    if exception or app.builder.format != "html":
        return
    english = {
        "copy": "Copy",
        "copy_to_clipboard": "Copy to clipboard",
        "copy_success": "Copied!",
        "copy_failure": "Failed to copy",
    }
    korean = {key: words_in("ko")(text) for key, text in english.items()}
    start = "const messages = {\n"
    script = Path(app.outdir, "_static/copybutton.js")
    text = script.read_text("utf8")
    if start not in text or TOOLTIP not in text:
        raise ExtensionError("sphinx-copybutton has changed: mend translate_scripts")
    entry = f"  'ko': {json.dumps(korean, ensure_ascii=False)},\n"
    named = f'{TOOLTIP} aria-label="${{messages[locale]["copy_to_clipboard"]}}"'
    script.write_text(text.replace(start, start + entry).replace(TOOLTIP, named), "utf8")


def setup(app):
    """Connect the steps."""
    app.connect("builder-inited", check_that_both_languages_have_each_page)
    app.connect("builder-inited", load_catalogues)
    app.connect("doctree-resolved", translate_body)
    app.connect("html-page-context", set_page_language, priority=400)
    app.add_css_file("fonts.css")
    app.add_js_file("language-switch.js", defer="defer", priority=AFTER_THE_THEME)
    app.connect("build-finished", translate_scripts)
    return {"parallel_read_safe": True, "parallel_write_safe": False}
