"""Compose one printable page per language from the built pages of the site.

Chapters follow one another in the order of `_toc.yml`, after a title page and a list of chapters.
Solutions move to a closing part, with links there and back. Everything else that is folded on the
site stands open; the code that checks an answer and what needs a script are left out.
"""

import html
import posixpath
import re
from collections.abc import Callable
from pathlib import Path
from urllib.parse import unquote, urlsplit

import yaml
from bs4 import BeautifulSoup, Tag

from workshop.layout import ROOT, pages_of, parts_of
from workshop.site.line_breaks import WORD_JOINER
from workshop.site.opening import EMBLEM
from workshop.site.repository import git
from workshop.words import words_in

STYLE = Path(__file__).with_name("print.css")
RUNS_ON = ("jax", "flax", "optax", "keras")
UNPRINTED = (
    "script, template, button, nav, a.headerlink, a.launch, live-box, .exercise-link, .on-paper"
)
SITE_STYLE = "head > link[rel=stylesheet]:not([media=print])"
SOLUTIONS = "solutions"  # the anchor of the closing part


class PrintError(Exception):
    """Why the book cannot be printed, in one line."""


def title_of(language: str) -> str:
    """Return the title of the book, of which `_config.yml` holds both halves."""
    title = yaml.safe_load((ROOT / "_config.yml").read_text("utf8"))["title"]
    return dict(zip(("en", "ko"), title.split(" · "), strict=True))[language]


def edition() -> str:
    """Return the date and the commit of the last change, or the release where git knows none."""
    cited = yaml.safe_load((ROOT / "CITATION.cff").read_text("utf8"))
    last_change = git(ROOT, "log", "-1", "--format=%cs · %h")
    return last_change or f"{cited['date-released']} · {cited['version']}"


def versions() -> str:
    """Return what the outputs were made with, as `requirements.txt` pins it."""
    pinned = re.findall(r"(?m)^([\w-]+)==(\S+)", (ROOT / "requirements.txt").read_text("utf8"))
    return ", ".join(f"{name} {version}" for name, version in pinned if name in RUNS_ON)


def anchor_of(page: str, anchor: str = "") -> str:
    """Return what an anchor of a page is called here, where all pages are one."""
    return "--".join(filter(None, (page.rsplit("/", 1)[-1], anchor)))


def heading_of(section: Tag) -> str:
    """Return the markup inside the heading of a section."""
    return section.find(["h1", "h2", "h3"]).decode_contents().strip()


def lead(link: Tag, page: str, pages: list[str]) -> None:
    """Let a link of a page lead to its place in this book; outside it only the web remains."""
    target = urlsplit(link["href"])
    if target.scheme:
        return
    path = posixpath.normpath(posixpath.join(posixpath.dirname(page), unquote(target.path)))
    aim = path.removesuffix(".html") if target.path else page
    if aim in pages:
        link["href"] = "#" + anchor_of(aim, unquote(target.fragment))
    else:
        link.unwrap()


def unfold(fold: Tag) -> None:
    """Open a fold; that of a cell or of an answer goes, together with its button."""
    if {"hide", "answer"} & set(fold.get("class", [])):
        fold.summary.decompose()
        fold.unwrap()
    else:
        fold["open"] = ""


def built(site: Path, page: str) -> BeautifulSoup:
    """Return a page of the site."""
    file = site / f"{page}.html"
    if not file.is_file():
        raise PrintError(f"{file} is missing; build the site first: make book")
    return BeautifulSoup(file.read_text("utf8"), "html.parser")


def chapter(text: Tag, page: str, pages: list[str], words: Callable[[str], str]) -> str:
    """Make the text of a page printable and return the markup of its solutions, taken out."""
    for tag in text.select(UNPRINTED):
        tag.decompose()
    for tag in text.select("[id]"):
        if tag.name != "svg" and not tag.find_parent("svg"):  # a picture uses its own
            tag["id"] = anchor_of(page, tag["id"])
    for link in text.select("a[href]"):
        lead(link, page, pages)
    for fold in text.select("details"):
        unfold(fold)
    for plot in text.select("img[loading]"):  # on paper nobody comes near
        del plot["loading"]
    for heading in text.select("h1, h2, h3"):
        for string in heading.find_all(string=True):
            string.replace_with(string.replace(WORD_JOINER, ""))  # the outline would show it
    text["id"], text["class"] = anchor_of(page), "chapter"
    solutions = ""
    for cell in text.select(".tag_solution"):
        exercise = cell.find_parent("section")
        here = f"{exercise['id']}--solution"
        solutions += (
            f'<section id="{here}"><h3>{heading_of(exercise)}</h3>{cell}<p class="there">'
            f'<a href="#{exercise["id"]}">{words("Back to the exercise")}</a></p></section>'
        )
        way = f'<p class="there"><a href="#{here}">{words("To the solution")}</a></p>'
        cell.replace_with(BeautifulSoup(way, "html.parser"))
    if solutions:
        solutions = f"<section><h2>{heading_of(text)}</h2>{solutions}</section>"
    return solutions


def compose(site: Path, language: str) -> str:
    """Return the book of a language as one page; it belongs beside the pages of the language.

    Raises:
        PrintError: a page is not built.
    """
    words = words_in(language)
    _cover, *pages = pages_of(language)
    texts, solutions = {}, ""
    for page in pages:
        soup = built(site, page)
        texts[page] = soup.select_one("article > section")
        solutions += chapter(texts[page], page, pages, words)
    style = soup.select_one(SITE_STYLE)  # the same one on every page
    ran = words("Every output in this book was made and checked with {}.").format(versions())
    contents = ""
    for caption, chapters in parts_of(language):
        contents += f'<p class="part">{html.escape(caption)}</p>' if caption else ""
        for page in filter(texts.get, chapters):
            contents += f'<p><a href="#{anchor_of(page)}">{heading_of(texts[page])}</a></p>'
    title = title_of(language)
    return f"""<!DOCTYPE html>
<html lang="{language}" data-theme="light" data-mode="light">
<head><meta charset="utf-8"><title>{title}</title>{style}<style>{STYLE.read_text("utf8")}</style>
</head><body><article class="bd-article bd-content">
<section class="title-page">{EMBLEM}<p class="title">{title}</p>
<p class="motto"><code>new_state, output = step(state, data)</code></p>
<p>{edition()}</p><p>{ran}</p>
<p>{words("The solutions stand at the end; the code that checks an answer is in the notebooks.")}</p>
<p>Apache-2.0</p></section>
<section class="contents"><h1>{words("Table of contents")}</h1>{contents}
<p class="part"><a href="#{SOLUTIONS}">{words("Solutions")}</a></p></section>
{"".join(map(str, texts.values()))}
<section class="chapter" id="{SOLUTIONS}"><h1>{words("Solutions")}</h1>{solutions}</section>
</article></body></html>"""
