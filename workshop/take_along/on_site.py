"""Let the cheat sheet fit on one sheet of paper: its pages load `static/one-sheet.css` for print.

Downloads of an earlier build are removed; `make pdf` makes them anew.
"""

import shutil
from pathlib import Path

from workshop.site import AFTER_THE_THEME
from workshop.take_along.downloads import FOLDER

ONE_SHEET = "cheat-sheet"  # the page's name in every language


def load(app, page: str, template, context, doctree) -> None:
    """Load the style for paper on the page that is one sheet."""
    if page.rsplit("/", 1)[-1] == ONE_SHEET:
        app.add_css_file("one-sheet.css", media="print", priority=AFTER_THE_THEME)


def remove_old_downloads(app) -> None:
    """Remove what was made from the site as it was."""
    shutil.rmtree(Path(app.outdir, FOLDER), ignore_errors=True)


def setup(app):
    """Connect the steps."""
    app.connect("builder-inited", remove_old_downloads)
    app.connect("html-page-context", load)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
