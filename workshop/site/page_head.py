"""What a page tells search engines and social networks about itself.

Each page gets a description taken from its own text, a canonical address, links to the same page
in the other language and a card. The first page sends readers to their language. A page that is
not found and, where the site's address is known, `sitemap.xml` and `robots.txt` are written too.

One rule for addresses: links inside the site are relative, so that it works below any path and
from a folder. Only what must be absolute is: canonical addresses, `hreflang`, cards and the
sitemap. The page for lost readers is served at any depth, so its links begin at the host's root,
with the path of the site where its address is known.
"""

import os
import re
from pathlib import Path
from urllib.parse import urljoin, urlsplit
from xml.sax.saxutils import escape

from docutils import nodes

from workshop.language_switch.on_site import speak
from workshop.layout import LANGUAGES, language_of, page_in, pages_of

LANDING = "index"
NOT_FOUND = "404"
LONGEST = 180  # characters of a description; search engines show about 160
LOCALES = {"ko": "ko_KR", "en": "en_US"}
SITEMAP = """<?xml version="1.0" encoding="UTF-8"?>
<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"
        xmlns:xhtml="http://www.w3.org/1999/xhtml">
{entries}
</urlset>
"""


def site_address(configured: str, environment) -> str:
    """Return where the site stands, with a slash at its end, or an empty string.

    `html.baseurl` of `_config.yml` says it; where that is empty, a build in GitHub Actions takes
    the address of GitHub Pages for its repository.
    """
    if configured:
        return configured.rstrip("/") + "/"
    repository = environment.get("GITHUB_REPOSITORY", "")
    if not repository:
        return ""
    owner, name = repository.split("/")
    host = f"{owner.lower()}.github.io"
    return f"https://{host}/" if name.lower() == host else f"https://{host}/{name}/"


def know_the_address(app, config) -> None:
    """Look once, before anything is read."""
    config.html_baseurl = site_address(config.html_baseurl, os.environ)


def plain_paragraphs(doctree) -> list[str]:
    """Return the paragraphs that stand in the page itself, without a bold label before them."""
    found = []
    for paragraph in doctree.findall(nodes.paragraph):
        if not isinstance(paragraph.parent, nodes.section | nodes.document):
            continue
        parts = [part for part in paragraph.children if part.astext()]
        if parts and isinstance(parts[0], nodes.strong):
            parts = parts[1:]
        if not parts or all(isinstance(part, nodes.reference) for part in parts):
            continue
        found.append(" ".join("".join(part.astext() for part in parts).split()))
    return found


def shortened(text: str) -> str:
    """Return the whole sentences that fit; where they would say little, the words that fit."""
    if len(text) <= LONGEST:
        return text
    sentences = re.match(rf".{{{LONGEST // 2},{LONGEST - 1}}}[.?!](?=\s)", text)
    return sentences[0] if sentences else text[:LONGEST].rsplit(" ", 1)[0] + "…"


def description_of(page: str, doctree) -> str:
    """Return what a page says about itself: its first paragraph, on the first page all of them."""
    paragraphs = plain_paragraphs(doctree) if doctree else []
    return shortened(" ".join(paragraphs if page == LANDING else paragraphs[:1]))


def describe_page(app, page: str, template, context, doctree) -> None:
    """Fill what `head.html` writes. The language and its page titles are set before this."""
    base, language = app.config.html_baseurl, language_of(page)
    context["description"] = description_of(page, doctree)
    context["locale"] = LOCALES[language or "en"]
    context["is_landing"] = page == LANDING
    context["card_url"] = base and urljoin(base, f"_static/card-{language or 'en'}.png")
    context["pageurl"] = base and absolute(app, page)
    if page == LANDING:
        context["start_pages"] = {code: start_of(app, code) for code in LANGUAGES}
    if language and page in app.env.found_docs:
        here = {"ko": page_in("ko", page), "en": page_in("en", page), "x-default": LANDING}
    elif page == LANDING:
        here = {
            **{code: pages_of(code, Path(app.srcdir))[0] for code in LANGUAGES},
            "x-default": LANDING,
        }
    else:
        here = {}
        context["pageurl"] = None
    # Search engines take absolute addresses alone.
    context["alternates"] = {code: absolute(app, target) for code, target in here.items() if base}
    if page == NOT_FOUND:
        context["base"] = urlsplit(base).path or "/"


def start_of(app, language: str) -> str:
    """Return the address of the first page of a language, seen from the root."""
    return app.builder.get_target_uri(pages_of(language, Path(app.srcdir))[0])


def absolute(app, page: str) -> str:
    """Return the address of a page; the first page is the folder itself."""
    target = "" if page == LANDING else app.builder.get_target_uri(page)
    return urljoin(app.config.html_baseurl, target)


def lost_readers_page(app):
    """Add the page that a server shows for an address that does not exist."""
    speak(app, None)
    starts = {code: start_of(app, code) for code in LANGUAGES}
    yield NOT_FOUND, {"start_pages": starts}, "404.html"


def write_sitemap(app, exception) -> None:
    """List all pages with their other language, where the address of the site is known."""
    if exception or app.builder.format != "html" or not app.config.html_baseurl:
        return
    entries = [f"<url><loc>{escape(absolute(app, LANDING))}</loc></url>"]
    for page in [page for code in LANGUAGES for page in pages_of(code, Path(app.srcdir))]:
        versions = "".join(
            f'<xhtml:link rel="alternate" hreflang="{code}" '
            f'href="{escape(absolute(app, page_in(code, page)))}"/>'
            for code in LANGUAGES
        )
        entries.append(f"<url><loc>{escape(absolute(app, page))}</loc>{versions}</url>")
    folder, base = Path(app.outdir), app.config.html_baseurl
    (folder / "sitemap.xml").write_text(SITEMAP.format(entries="\n".join(entries)), "utf8")
    robots = f"User-agent: *\nAllow: /\nSitemap: {urljoin(base, 'sitemap.xml')}\n"
    (folder / "robots.txt").write_text(robots, "utf8")


def setup(app):
    """Connect the steps."""
    app.connect("config-inited", know_the_address)
    app.connect("html-collect-pages", lost_readers_page)
    app.connect("html-page-context", describe_page, priority=450)
    app.connect("build-finished", write_sitemap)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
