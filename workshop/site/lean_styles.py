"""Make one style sheet of all, without the rules of the theme and of Sphinx for what no page has.

No page is painted before its styles have come, and on a slow phone a dozen sheets take half a second
longer than one. The theme brings all of Bootstrap, of which this book needs a fifth: a rule of its
sheets stays where the pages and scripts of the site hold every class that it names. That is why this
file is here: with the rest, and with the icon font, each first visit would load 50 KB more before its
first line stands, 125 KB becoming 175 (`test_pages_are_lean` holds it below 150).
"""

import hashlib
import re
from pathlib import Path

from sphinx.errors import ExtensionError

ONE_SHEET = "styles.css"
# On a page; not the one for browsers without scripts, nor one for paper.
LINK = re.compile(
    r'(?<!<noscript>)<link (?=[^>]*rel="stylesheet")(?![^>]*media=)'
    r'[^>]*href="((?:\.\./)*_static/)([^"?]+\.css)[^>]*>\s*'
)
SHEETS = ("mystnb.*.css", "styles/*.css")
BLOCK = r"\{(?:[^{}]|\{(?:[^{}]|\{[^{}]*\})*\})*\}"  # with blocks of two more levels inside
RULE = re.compile(rf"([^{{}}]+)({BLOCK})")
COMMENT = re.compile(r"/\*.*?\*/", re.DOTALL)
NOTICE = re.compile(r"/\*!|copyright|licen[cs]e", re.IGNORECASE)  # in a comment that is kept
IMPORT = re.compile(r'@import "([^"]+)";')
COMMA = re.compile(r",(?![^(]*\))")
CONDITION = re.compile(r"\[[^]]*\]|\((?:[^()]|\([^()]*\))*\)")  # as in :not(.a): one of several
CLASS = re.compile(r"\.((?:[\w-]|\\.)+)")
# The rules of the icon font, from its first comment to its last.
ICON_FONT = re.compile(r"/\*!\s+\* Font Awesome Free.*(?=html\{--pst-header)", re.DOTALL)
PUT_TOGETHER = {"bs-tooltip-auto"}  # by a script, of several words


def names_in(site: Path) -> set[str]:
    """Return the classes of the pages of a site, and all words of its scripts."""
    pages = [page.read_text("utf8") for page in site.rglob("*.html")]
    scripts = [script.read_text("utf8") for script in (site / "_static").rglob("*.js")]
    classes = {
        name
        for page in pages
        for each in re.findall(r'class="([^"]*)"', page)
        for name in each.split()
    }
    return classes.union(PUT_TOGETHER, *(re.findall(r"[\w-]+", script) for script in scripts))


def needed(rules: str, names: set[str]) -> str:
    """Return the rules that may apply where there are no classes but these."""
    kept = ""
    for selectors, block in RULE.findall(rules):
        if selectors.lstrip().startswith(("@media", "@supports")):
            inside = needed(block[1:-1], names)
            kept += f"{selectors}{{{inside}}}" if inside else ""
        elif selectors.lstrip().startswith("@"):
            kept += selectors + block
        else:
            apply = [
                selector
                for selector in COMMA.split(selectors)
                if {name.replace("\\", "") for name in CLASS.findall(CONDITION.sub("", selector))}
                <= names
            ]
            kept += ",".join(apply) + block if apply else ""
    return kept


def lean(sheet: Path, names: set[str]) -> str:
    """Return what is needed of a style sheet, together with the sheets that it loads."""

    def loaded(found: re.Match) -> str:
        return (sheet.parent / found[1]).read_text("utf8")

    text = IMPORT.sub(loaded, ICON_FONT.sub("", sheet.read_text("utf8"), count=1))
    notices = filter(NOTICE.search, COMMENT.findall(text))
    return "\n".join([*notices, needed(COMMENT.sub("", text), names)])


def leave_out_rules(app, exception) -> None:
    """Write the sheets of the built site anew."""
    if exception or app.builder.format != "html":
        return
    names, static = names_in(Path(app.outdir)), Path(app.outdir, "_static")
    for sheet in (file for pattern in SHEETS for file in static.glob(pattern)):
        sheet.write_text(lean(sheet, names), "utf8")


def join_sheets(app, exception) -> None:
    """Let every page that was written load one sheet: those that it names, in their order.

    All pages must name the same ones, since a build that writes some pages anew has only theirs.
    """
    if exception or app.builder.format != "html":
        return
    static, named = Path(app.outdir, "_static"), None
    for page in sorted(Path(app.outdir).rglob("*.html")):
        html = page.read_text("utf8")
        links = LINK.findall(html)
        if not links or links[0][1] == ONE_SHEET:  # not of the theme, or from the build before
            continue
        names = [name for _, name in links]
        if named is None:
            named = names
            joined = "\n".join((static / name).read_text("utf8") for name in names)
            (static / ONE_SHEET).write_text(joined, "utf8")
            version = hashlib.sha256(joined.encode()).hexdigest()[:8]
        if names != named:
            raise ExtensionError(
                f"{page.name} has the style sheets {names}, other pages have {named}: give all "
                "pages the same ones, by app.add_css_file in a room's setup"
            )
        only = iter([f'<link rel="stylesheet" href="{links[0][0]}{ONE_SHEET}?v={version}">\n'])
        page.write_text(LINK.sub(lambda _, only=only: next(only, ""), html), "utf8")


def setup(app):
    """Connect the steps."""
    app.connect("build-finished", leave_out_rules)
    # After the theme, which writes the colours of code for light and dark when the build is finished.
    app.connect("build-finished", join_sheets, priority=900)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
