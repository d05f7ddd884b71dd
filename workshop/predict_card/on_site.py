"""On the site a predict card covers its answer: what its cell shows, and the prose that explains it.

The answer goes into a fold below the cell. The right choice uncovers it, by the style sheet alone;
a wrong one says why it is wrong and leaves the answer covered. Whoever doesn't want to guess opens
the fold. A browser opens it too where it finds a searched word or the target of a link inside, and
on paper it stands open. It needs no script.
"""

from itertools import pairwise, takewhile

from docutils import nodes
from sphinx.transforms import SphinxTransform

from workshop.layout import language_of
from workshop.site import AFTER_THE_THEME
from workshop.words import keyed_words

BEGIN, END = '<div class="predict">', "</div>"  # as card.py writes them


class answer(nodes.General, nodes.Element):
    """What answers a card."""


class CoveredAnswers(SphinxTransform):
    """Gather what answers each card of the page in a fold below the card's cell."""

    default_priority = 47  # figures, live boxes and idioms stand in their places by now

    def apply(self, **kwargs):
        """Look at each card."""
        for begin in [raw for raw in self.document.findall(nodes.raw) if _says(raw, BEGIN)]:
            around = begin.parent
            inside = around[around.index(begin) :]
            cell = next(after for end, after in pairwise(inside) if _says(end, END))
            shown = cell.children.pop()
            place = around.index(cell) + 1
            explained = list(takewhile(_explains, around[place:]))
            fold = answer("", nodes.container("", shown, classes=["cell"]), *explained)
            around[place : place + len(explained)] = [fold]


def _says(node: nodes.Node, markup: str) -> bool:
    return isinstance(node, nodes.raw) and node.astext().strip() == markup


def _explains(node: nodes.Node) -> bool:
    """Whether a node belongs to the explanation: a section, another cell, card or fold and a place
    to stop don't. A figure and a cell that only draws do; a picture is still comments and an image
    here."""
    if isinstance(node, nodes.raw):
        return node.astext().lstrip().startswith(("<!-- picture ", "<!-- end of picture", "<img "))
    return not isinstance(node, nodes.section | nodes.block_quote) and (
        node.get("nb_element") != "cell_code" or "tag_hide-input" in node["classes"]
    )


def open_answer(translator, node) -> None:
    """Begin the fold with what stands on it while it is covered and while it is open."""
    say = keyed_words("predict_card", language_of(translator.builder.current_docname))
    translator.body.append(
        f'<details class="answer"><summary><span class="covered">{say["cover"]} '
        f'<b>{say["show"]}</b></span><b class="shown">{say["hide"]}</b></summary>\n'
    )


def close_answer(translator, node) -> None:
    """End the fold."""
    translator.body.append("</details>\n")


def setup(app):
    """Register the node and the transform, and add the style sheet to every page."""
    app.add_node(answer, html=(open_answer, close_answer))
    app.add_transform(CoveredAnswers)
    app.add_css_file("predict-card.css", priority=AFTER_THE_THEME)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
