"""Fold the causes of a symptom under their questions.

On a page of symptoms, an item of a list that begins with a question in bold is a cause: on the site
the question stands alone and unfolds what it says. In the notebook both are read one after the other.
"""

from pathlib import Path

from docutils import nodes
from sphinx.transforms import SphinxTransform

from workshop.layout import is_of_symptoms


class cause(nodes.General, nodes.Element):
    """A cause under its question."""


class question(nodes.General, nodes.TextElement):
    """What a reader asks of the own program to know whether it is this cause."""


class FoldedCauses(SphinxTransform):
    """Make a fold of every cause."""

    default_priority = 700

    def apply(self) -> None:
        """Fold the items of this page that begin with a question."""
        if not is_of_symptoms(Path(self.env.docname).name):
            return
        for item in self.document.findall(nodes.list_item):
            paragraph = item.next_node(nodes.paragraph)
            # MyST begins a paragraph with an empty text.
            asked = next((part for part in paragraph or () if part.astext()), None)
            if isinstance(asked, nodes.strong) and asked.astext().endswith("?"):
                paragraph.remove(asked)
                item[:] = [cause("", question("", "", *asked.children), *item.children)]


def open_cause(translator, node) -> None:
    """Begin a fold."""
    translator.body.append('<details class="cause">')


def close_cause(translator, node) -> None:
    """End a fold."""
    translator.body.append("</details>\n")


def open_question(translator, node) -> None:
    """Begin the line that stands on a fold."""
    translator.body.append("<summary>")


def close_question(translator, node) -> None:
    """End the line that stands on a fold."""
    translator.body.append("</summary>\n")


def setup(app):
    """Register the nodes and the transform."""
    app.add_node(cause, html=(open_cause, close_cause))
    app.add_node(question, html=(open_question, close_question))
    app.add_transform(FoldedCauses)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
