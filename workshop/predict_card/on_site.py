"""Let every page have the look of predict cards, which need no script."""

from workshop.layout import LANGUAGES
from workshop.site import AFTER_THE_THEME
from workshop.words import keyed_words


def offer_words(app, config) -> None:
    """Let the style sheet write the words on the cover of an answer."""
    covers = {code: keyed_words("predict_card", code)["cover"] for code in LANGUAGES}
    config.html_context["card_cover"] = covers


def setup(app):
    """Add the style sheet."""
    app.connect("config-inited", offer_words)
    app.add_css_file("predict-card.css", priority=AFTER_THE_THEME)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
