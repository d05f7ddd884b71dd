"""Make each line of code and output an element, so that a long one wraps with a hanging indent.

The newline stays inside: what is copied is what was written. `in-2` says that a line begins eight
letters in, two steps of indentation; `static/book.css` lets it hang further in than that. Names and
signs are no elements, so they have the colour of text: a fourth of a page with much code.
The switch in the page's header lets long lines scroll instead.
"""

import re
from collections.abc import Iterator

from docutils import nodes
from pygments.formatters import HtmlFormatter
from sphinx.highlighting import PygmentsBridge
from sphinx.locale import _

PLAIN = re.compile(r'<span class="[nopw]">([^<]*)</span>')  # a name, an operator, a sign, a space
TAG = re.compile(r"<[^>]*>")
# What a line must not break behind or in: its indentation, the arrow of a result, and where what a
# call returned is called: f(x)(y).
WHOLE = re.compile(r"^ +(?=\S)|-&gt;|[)\]]\(")
OPENED = re.compile(r"(?<=\w)[(\[](?![\s)\]])")  # where a line may break, rather than in a name
RULE = re.compile(r"-{20,}")  # above a traceback
STEP = 4  # letters
MOST_STEPS = 4  # the classes in book.css: deeper, a phone had no room for the rest of a line


class LineFormatter(HtmlFormatter):
    """Writes each line as an element."""

    def wrap(self, source: Iterator[tuple[int, str]]) -> Iterator[tuple[int, str]]:
        """Wrap the lines, then all of them."""
        return super().wrap((is_line, _element(line)) for is_line, line in source)


def _element(line: str) -> str:
    line = PLAIN.sub(r"\1", line)
    text = TAG.sub("", line)
    steps = min((len(text) - len(text.lstrip(" "))) // STEP, MOST_STEPS)
    line = OPENED.sub(r"\g<0><wbr>", WHOLE.sub(r'<span class="whole">\g<0></span>', line))
    kind = f" in-{steps}" if steps else " rule" if RULE.fullmatch(text.strip()) else ""
    return f'<span class="line{kind}">{line}</span>'


def offer_switch(app, page: str, template, context, doctree) -> None:
    """Give pages with code a button; lean_pages.py and buttons.js make it work."""
    if doctree is not None and next(doctree.findall(nodes.literal_block), None) is not None:
        context["header_buttons"].append(
            {
                "type": "javascript",
                "javascript": "toggleLines()",
                "tooltip": _("Wrap long lines of code"),
                "icon": "fas fa-wrap",
                "label": "lines-button",
                "classes": "pst-navbar-icon",
            }
        )


def setup(app):
    """Let Sphinx write lines so, and add the switch after the theme's own buttons."""
    PygmentsBridge.html_formatter = LineFormatter
    app.connect("html-page-context", offer_switch, priority=502)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
