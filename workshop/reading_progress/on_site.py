"""Let the site remember, in the reader's browser alone, what was read and answered.

`static/reading-progress.js` runs on every page of a language and on the one that asks for it. It
makes itself what it shows, so a page without script or storage has no button that does nothing.
"""

from workshop.layout import language_of
from workshop.site import AFTER_THE_THEME
from workshop.site.page_head import LANDING


def load(app, page: str, template, context, doctree) -> None:
    """Load the script."""
    if language_of(page) or page == LANDING:
        app.add_js_file("reading-progress.js", defer="defer", priority=AFTER_THE_THEME)


def setup(app):
    """Connect the step, and add the style."""
    app.add_css_file("reading-progress.css", priority=AFTER_THE_THEME)
    app.connect("html-page-context", load)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
