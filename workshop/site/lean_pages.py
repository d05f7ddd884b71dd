"""Keep pages lean and free of inline scripts, so that they need no exception from a
Content-Security-Policy of `default-src 'self'`.

The theme loads 1.5 MB of icons as a script and sets its theme in inline scripts. Here each icon
becomes a small drawing in the page, buttons name what they do (`static/buttons.js`), scripts wait
until the page is read (`layout.html`), plots are saved with as many colours as eyes tell apart and
load when they come near, and what no page loads is left out of the site.
"""

import re
import shutil
from pathlib import Path

from PIL import Image
from sphinx.errors import ExtensionError
from sphinx.util.images import get_image_size

from workshop.layout import language_of
from workshop.site.line_breaks import keep_code_whole, keep_words_whole
from workshop.site.tables import SEAM

# Drawn for this book: strokes on a field of 24 by 24.
ICONS = {
    "angle-left": "M15 5l-7 7 7 7",
    "angle-right": "M9 5l7 7-7 7",
    "bars": "M4 6h16M4 12h16M4 18h16",
    "circle-half-stroke": "M12 3a9 9 0 1 0 0 18 9 9 0 0 0 0-18v18",
    "download": "M12 3v12m-5-5 5 5 5-5M4 20h16",
    "close": "M5 5l14 14M19 5 5 19",
    "file": "M6 3h8l5 5v13H6zM14 3v5h5",
    "file-pdf": "M7 8V3h10v5M7 17H4V8h16v9h-3M7 13h10v8H7z",
    "github": "M8 7l-5 5 5 5M16 7l5 5-5 5",
    "lightbulb": "M12 4v10M12 18v2",
    "list": "M9 6h11M9 12h11M9 18h11M4 6h.01M4 12h.01M4 18h.01",
    "magnifying-glass": "M10.5 4a6.5 6.5 0 1 0 0 13 6.5 6.5 0 0 0 0-13M15.5 15.5 21 21",
    "more": "M4 11h2v2H4zM11 11h2v2h-2zM18 11h2v2h-2z",
    "moon": "M20 14A8.5 8.5 0 0 1 10 4a8.5 8.5 0 1 0 10 10z",
    "pencil-alt": "M4 20l1-5L16 4l4 4L9 19zM13 7l4 4",
    "play": "M7 4v16l13-8z",
    "rocket": "M7 4v16l13-8z",
    "sun": "M12 8a4 4 0 1 0 0 8 4 4 0 0 0 0-8M12 2v2M12 20v2M2 12h2M20 12h2"
    "M5 5l1.4 1.4M17.6 17.6 19 19M5 19l1.4-1.4M17.6 6.4 19 5",
    "wrap": "M4 6h16M4 12h13a3 3 0 0 1 0 6h-4m2-2-2 2 2 2M4 18h5",
}
ICON = re.compile(r'<(i|span) class="([^"]*\bfa-[^"]*)"([^>]*)></\1>')
PLOT = re.compile(r'(?<=<img )(?=[^>]*src="[^"]*/([^"/]+\.png)")')
CONTENTS = re.compile(r'<nav id="pst-page-toc-nav".*?</nav>', re.DOTALL)
HUMP = re.compile("(?<=[a-z])(?=[A-Z])")
NAME = re.compile(r"[^\s<>]{16,}(?=[^<>]*<)")  # in the text, too long for one line in bold
WORD_OF_CODE = re.compile(r'<span class="pre">(.*?)</span>')
SOURCE_LINK = re.compile(r'(<a href="[^"]*_sources/[^"]*") target="_blank"')
# How the theme asks for tooltips of Bootstrap; the browser has its own, for titles.
TOOLTIP = re.compile(r' data-bs-(?:placement="\w+"|toggle="tooltip")')
SIZES = {"solid", "brands", "lg", "fw"}
ACTIONS = {
    "window.print()": "print",
    "toggleLines()": "lines",
}
# What the theme brings along and no page loads.
UNUSED = (
    "scripts/bootstrap.js",  # 24 KB, of which buttons.js has what is used: menus
    "scripts/bootstrap.js.LICENSE.txt",
    "scripts/fontawesome.js",
    "vendor/fontawesome",
    "locales",
    "images",
    "webpack-macros.html",
    "sbt-webpack-macros.html",
)
COLOURS = 64  # of a plot: few hues, the rest smooths edges; a third of the bytes


def drawn(icon: re.Match) -> str:
    """Return the drawing that stands for an icon of the theme."""
    tag, classes, rest = icon.groups()
    words = classes.split()
    names = [word[3:] for word in words if word.startswith("fa-") and word[3:] not in SIZES]
    if len(names) != 1 or names[0] not in ICONS:
        raise ExtensionError(f"lean_pages.py has no icon for {icon[0]}: draw one in ICONS")
    kept = " ".join([*(word for word in words if not word.startswith("fa")), "icon"])
    drawing = f'<svg viewBox="0 0 24 24" aria-hidden="true"><path d="{ICONS[names[0]]}"/></svg>'
    return f'<{tag} class="{kept}"{rest}>{drawing}</{tag}>'


def lean(html: str) -> str:
    """Replace icons and inline actions around the text of a page; let its file be downloaded.

    Contents, which stand there twice, name code without a mark around each of its words; beside the
    text they are narrow, so that a name such as TracerBoolConversionError breaks before a capital, and
    one such as use_running_average after a mark.
    """
    for script, action in ACTIONS.items():
        html = html.replace(f'onclick="{script}"', f'data-press="{action}"')
    html = TOOLTIP.sub("", html.replace("data-bs-title=", "title="))
    html = CONTENTS.sub(with_breaks, keep_code_whole(WORD_OF_CODE.sub(r"\1", html)))
    return ICON.sub(drawn, SOURCE_LINK.sub(r"\1 download", html))


def with_breaks(contents: re.Match) -> str:
    """Return contents whose long names, code or not, may break between their words."""
    return NAME.sub(lambda name: HUMP.sub("<wbr>", SEAM.sub(r"\g<0><wbr>", name[0])), contents[0])


def offer_lean(app, page: str, template, context, doctree) -> None:
    """Let `layout.html` make lean what the theme writes and keep Korean words whole."""
    korean = language_of(page) == "ko"
    context["lean"] = lambda html: keep_words_whole(lean(html)) if korean else lean(html)


def load_plots_late(app, page: str, template, context, doctree) -> None:
    """Let a plot wait until a reader comes near; its place is kept, so that nothing moves.

    Each piece of code in a sentence loses the two classes that no style needs: 3 KB of a long page.
    """
    sources = {name: uri for uri, name in app.builder.images.items()}

    def late(plot: re.Match) -> str:
        width, height = get_image_size(Path(app.srcdir, sources[plot[1]]))
        return f'loading="lazy" width="{width}" height="{height}" '

    body = context.get("body", "").replace("docutils literal notranslate", "notranslate")
    context["body"] = PLOT.sub(late, body)


def leave_out_what_no_page_loads(app, exception) -> None:
    """Remove the theme's unused files from the built site."""
    if exception or app.builder.format != "html":
        return
    static = Path(app.outdir, "_static")
    for name in UNUSED:
        unused = static / name
        shutil.rmtree(unused) if unused.is_dir() else unused.unlink(missing_ok=True)
    for source_map in static.rglob("*.map"):
        source_map.unlink()


def save_plots_with_fewer_colours(app, exception) -> None:
    """Save each plot of the built site with a palette; the notebooks keep theirs as it was."""
    if exception or app.builder.format != "html":
        return
    for file in Path(app.outdir, app.builder.imagedir).glob("*.png"):
        with Image.open(file) as plot:
            if plot.mode != "P":
                lean_plot = plot.convert("RGB").quantize(COLOURS, dither=Image.Dither.NONE)
                lean_plot.save(file, optimize=True)


def setup(app):
    """Connect the steps."""
    app.connect("html-page-context", offer_lean)
    app.connect("html-page-context", load_plots_late)
    app.connect("build-finished", save_plots_with_fewer_colours)
    app.connect("build-finished", leave_out_what_no_page_loads)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
