"""Let the site play the recorded figures.

In a notebook a recorded figure is plain Markdown between the comments `<!-- figure NAME -->` and
`<!-- end of figure -->`. Here everything between them goes into `<recorded-figure>`, together with
the record and what is said of its steps in the page's language as JSON, which no browser executes. The script
`recorded-figure.js`, loaded on pages with a figure alone, plays the record. Without the script, in
print and in a PDF the plain form stands as it is.
"""

import json
import re
from pathlib import Path

import yaml
from docutils import nodes
from sphinx.errors import ExtensionError
from sphinx.transforms import SphinxTransform

from workshop.layout import LANGUAGES, ROOT, figure_path, language_of, pages_of
from workshop.site import load_with
from workshop.site.line_breaks import join_seams

BEGIN = re.compile(r"<!-- figure ([a-z0-9-]+) -->")
END = "<!-- end of figure -->"


class recorded_figure(nodes.General, nodes.Element):
    """The plain form of a figure, with what a script needs to play it."""


def in_language(words, language: str):
    """Take from nested words those of one language."""
    if isinstance(words, dict):
        if set(words) == set(LANGUAGES):
            return words[language]
        return {key: in_language(below, language) for key, below in words.items()}
    return [in_language(below, language) for below in words] if isinstance(words, list) else words


class RecordedFigures(SphinxTransform):
    """Gather what stands between the comments of a figure."""

    default_priority = 40

    def apply(self, **kwargs):
        """Wrap each figure of the page, or stop with the page and the reason."""
        for start in list(self.document.findall(nodes.raw)):
            begun = BEGIN.fullmatch(start.astext().strip())
            if not begun:
                continue
            inside = start.parent[start.parent.index(start) + 1 :]
            end = next((i for i, node in enumerate(inside) if node.astext().strip() == END), None)
            if end is None:
                raise ExtensionError(f"{self.env.docname}: figure {begun[1]} has no end comment")
            figure = recorded_figure("", *inside[:end], data=self.data_of(begun[1]), name=begun[1])
            for node in inside[: end + 1]:
                start.parent.remove(node)
            start.replace_self(figure)

    def data_of(self, name: str) -> str:
        """The record and the words of a figure as JSON."""
        files = [figure_path(f"{name}{suffix}") for suffix in (".json", ".yml")]
        try:
            record, words = (file.read_text(encoding="utf8") for file in files)
        except FileNotFoundError as error:
            missing = Path(error.filename).relative_to(ROOT)
            raise ExtensionError(f"{self.env.docname}: there is no {missing}") from error
        for file in files:
            self.env.note_dependency(str(file))
        language = language_of(self.env.docname)
        said = yaml.safe_load(words)
        data = {
            "record": json.loads(record),
            "steps": in_language(said.get("steps", {}), language),
        }
        text = json.dumps(data, ensure_ascii=False, separators=(",", ":")).replace("<", "\\u003c")
        return join_seams(text)


def open_figure(translator, node) -> None:
    """Begin the element."""
    translator.body.append(f'<recorded-figure class="figure-{node["name"]}"><div class="plain">\n')


def close_figure(translator, node) -> None:
    """End the element, the record last."""
    record = f'<script type="application/json">{node["data"]}</script>'
    translator.body.append(f"</div>{record}</recorded-figure>\n")


def fetch_ahead(app, page: str, template, context, doctree) -> None:
    """Let a language's first page fetch in its idle time what most of its chapters need."""
    if (language := language_of(page)) and page == pages_of(language, Path(app.srcdir))[0]:
        ahead = {"rel": "prefetch", "type": None, "as": "script"}
        app.add_css_file("recorded-figure.js", **ahead)


def setup(app):
    """Register the node and the transform."""
    app.add_node(recorded_figure, html=(open_figure, close_figure))
    app.add_transform(RecordedFigures)
    load_with(app, recorded_figure, "recorded-figure")
    app.connect("html-page-context", fetch_ahead)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
