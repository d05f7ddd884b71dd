"""The first page of each language is a cover: a counter that asks, and three doors.

`cover.md` leaves a place for both, which `cover.html` fills. The reader's answer lets the picture of the
three calls run, by the style sheet alone.
"""

import jinja2

from workshop.layout import WORKSHOP, language_of
from workshop.site.opening import EMBLEM
from workshop.words import keyed_words

PLACE = "<!-- cover -->"
TEMPLATE = jinja2.Template(
    (WORKSHOP / "cover/cover.html").read_text("utf8"), trim_blocks=True, lstrip_blocks=True
)


def fill_the_place(app, page: str, template, context, doctree) -> None:
    """Write the emblem, the counter and the doors of a cover."""
    if PLACE not in context.get("body", ""):
        return
    shown = TEMPLATE.render(say=keyed_words("cover", language_of(page)), emblem=EMBLEM)
    context["body"] = context["body"].replace(PLACE, shown)


def setup(app):
    """Connect the step, and add the style sheet to every page."""
    app.connect("html-page-context", fill_the_place)
    app.add_css_file("cover.css")
    return {"parallel_read_safe": True, "parallel_write_safe": True}
