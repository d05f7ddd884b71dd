"""The directive `{chapter-sources}`: the sources of every chapter, on one page.

Each chapter ends with its own section `sources`; this page repeats them chapter by chapter, so
that the list of the whole book is complete by itself.
"""

import json
import re
from pathlib import Path

from docutils import nodes
from docutils.statemachine import StringList
from sphinx.util.docutils import SphinxDirective

from workshop.layout import language_of, pages_of

SECTION = re.compile(r'^## [^\n]*<a id="sources"></a>\n(.*?)(?=^## |\Z)', re.MULTILINE | re.DOTALL)


class ChapterSources(SphinxDirective):
    """The lists of sources of the chapters of the page's language, each under its chapter."""

    def run(self):
        """Return a paragraph that links to the chapter, and its list, for each chapter."""
        found = []
        for page in pages_of(language_of(self.env.docname), Path(self.env.srcdir)):
            notebook = Path(self.env.srcdir, f"{page}.ipynb")
            if not notebook.exists():
                continue
            self.env.note_dependency(str(notebook))
            cells = json.loads(notebook.read_text("utf8"))["cells"]
            texts = ["".join(cell["source"]) for cell in cells if cell["cell_type"] == "markdown"]
            if section := SECTION.search("\n\n".join(texts)):
                title = texts[0].splitlines()[0].removeprefix("# ")
                entries = re.findall(r"^- .*$", section[1], re.MULTILINE)
                lines = [f"**[{title}]({notebook.name})**", "", *entries]
                container = nodes.container()
                self.state.nested_parse(StringList(lines, str(notebook)), 0, container)
                found += container.children
        return found


def setup(app):
    """Register the directive."""
    app.add_directive("chapter-sources", ChapterSources)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
