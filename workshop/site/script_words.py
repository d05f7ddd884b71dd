"""Give the scripts of the pages their words: `words-ko.js` and `words-en.js`, fetched once per visit.

`words-ko.js` sets `WORDS.ko`, which holds for each room below what its `words.yml` says by keys. A
page of a language loads its own file, before all scripts that ask for words; the first page, which
speaks both languages, loads both.
"""

import json
from pathlib import Path

from workshop.layout import LANGUAGES, language_of
from workshop.site.line_breaks import join_seams
from workshop.site.page_head import LANDING
from workshop.words import keyed_words

ROOMS = (
    "glossary",
    "live_box",
    "predict_card",
    "reading_progress",
    "recorded_figure",
    "side_by_side",
)
BEFORE_OTHERS = 50  # the first of this book's scripts that asks for words has 100


def load(app, page: str, template, context, doctree) -> None:
    """Load the words of the page's language."""
    language = language_of(page)
    for code in LANGUAGES if page == LANDING else [language] if language else []:
        app.add_js_file(f"words-{code}.js", defer="defer", priority=BEFORE_OTHERS)


def write(app, exception) -> None:
    """Write one file per language."""
    if exception or app.builder.format != "html":
        return
    for language in LANGUAGES:
        words = {room: keyed_words(room, language) for room in ROOMS}
        text = join_seams(json.dumps(words, ensure_ascii=False, separators=(",", ":")))
        script = f"(window.WORDS ??= {{}}).{language} = {text};\n"
        Path(app.outdir, f"_static/words-{language}.js").write_text(script, "utf8")


def setup(app):
    """Connect the steps."""
    app.connect("html-page-context", load)
    app.connect("build-finished", write)
    return {"parallel_read_safe": True, "parallel_write_safe": False}
