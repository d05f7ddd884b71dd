"""The site: what all its pages have, and the Sphinx extension that lets every room add to it.

A room with an `on_site.py` adds to the site: that is its Sphinx extension, what lies in its
`static/` is copied to `_static`, and its `*.html` are templates.
"""

from workshop.layout import WORKSHOP

EXTENSIONS = (  # in this order, since some look at what others made
    "language_switch.on_site",
    "search.on_site",
    "site.anchors",
    "glossary.on_site",
    "glossary.first_mentions",
    "run_status.on_site",
    "state_map.on_site",
    "chapter.sources_page",
    "predict_card.on_site",
    "picture.on_site",
    "site.code_lines",
    "recorded_figure.on_site",
    "live_box.on_site",
    "exercise.on_site",
    "side_by_side.on_site",
    "site.mathml",
    "site.repository",
    "site.page_head",
    "site.script_words",
    "site.page_facts",
    "site.opening",
    "site.tables",
    "site.causes",
    "cover.on_site",
    "reading_progress.on_site",
    "take_along.on_site",
    "site.lean_pages",
    "site.lean_styles",
)
AFTER_THE_THEME = 800  # the priority of a style sheet that changes what the theme says


def open_rooms(app, config) -> None:
    """Let Sphinx find the files and the templates of every room."""
    config.html_static_path += [str(folder) for folder in sorted(WORKSHOP.glob("*/static"))]
    config.templates_path += sorted({str(page.parent) for page in WORKSHOP.glob("*/*.html")})


def load_with(app, wanted, name: str, **attributes) -> None:
    """Load `name.js` on pages that hold a wanted node, and on no other page.

    Its style, `name.css`, becomes a part of the one sheet of all pages (`lean_styles.py`).

    Args:
        app: Sphinx's application.
        wanted: the class of the node, or a function that says of a node whether it is one.
        name: the path of both files in `_static`, without its ending.
        attributes: what `add_js_file` takes besides, such as `priority`.
    """

    def load(app, page, template, context, doctree):
        if doctree is not None and next(doctree.findall(wanted), None) is not None:
            app.add_js_file(f"{name}.js", defer="defer", **attributes)

    app.add_css_file(f"{name}.css")
    app.connect("html-page-context", load)


def setup(app):
    """Load the extensions of all rooms, and what every page loads."""
    app.connect("config-inited", open_rooms)
    for name in EXTENSIONS:
        app.setup_extension(f"workshop.{name}")
    app.add_css_file("book.css", priority=AFTER_THE_THEME)
    app.add_js_file("buttons.js", defer="defer", priority=AFTER_THE_THEME)
    return {"parallel_read_safe": True, "parallel_write_safe": False}
