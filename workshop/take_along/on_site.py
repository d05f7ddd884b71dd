"""Let the cheat sheet fit on one sheet of paper: its pages load `static/one-sheet.css` for print."""

from workshop.site import AFTER_THE_THEME

ONE_SHEET = "cheat-sheet"  # the page's name in every language


def load(app, page: str, template, context, doctree) -> None:
    """Load the style for paper on the page that is one sheet."""
    if page.rsplit("/", 1)[-1] == ONE_SHEET:
        app.add_css_file("one-sheet.css", media="print", priority=AFTER_THE_THEME)


def setup(app):
    """Connect the step."""
    app.connect("html-page-context", load)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
