"""Let every page have the look of predict cards, which need no script."""

from workshop.site import AFTER_THE_THEME


def setup(app):
    """Add the style sheet."""
    app.add_css_file("predict-card.css", priority=AFTER_THE_THEME)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
