"""The directive `{chapter-sources}`: the sources of every chapter, on one page.

Each chapter ends with its own section `sources`; this page repeats them chapter by chapter, so
that the list of the whole book is complete by itself.
"""

import re

from docutils import nodes
from docutils.statemachine import StringList
from sphinx.util.docutils import SphinxDirective

from workshop.chapter.model import Text
from workshop.chapter.read import read_chapter
from workshop.layout import chapter_paths, language_of


class ChapterSources(SphinxDirective):
    """The lists of sources of the chapters of the page's language, each under its chapter."""

    def run(self):
        """Return a paragraph that links to the chapter, and its list, for each chapter."""
        found = []
        language = language_of(self.env.docname)
        for path in chapter_paths():
            chapter = read_chapter(path)
            self.env.note_dependency(str(path))
            for section in (each for each in chapter.sections if each.anchor == "sources"):
                texts = [node.texts[language] for node in section.nodes if isinstance(node, Text)]
                title = chapter.sections[0].titles[language]
                entries = re.findall(r"^- .*$", "\n".join(texts), re.MULTILINE)
                lines = [f"**[{title}]({path.stem}.ipynb)**", "", *entries]
                container = nodes.container()
                self.state.nested_parse(StringList(lines, str(path)), 0, container)
                found += container.children
        return found


def setup(app):
    """Register the directive."""
    app.add_directive("chapter-sources", ChapterSources)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
