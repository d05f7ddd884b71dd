"""Make the book to take along: a PDF per language and the whole site in one zip (`make pdf`).

They are made from the built site and lie in its folder `downloads`, and the first page and the covers,
which have left a place, get links to them. Building the site anew takes links and files away, so that
no page offers a file that is not there, or an old one.
"""

import argparse
import io
import re
import shutil
import sys
import zipfile
from functools import partial
from pathlib import Path

import pikepdf
from playwright.sync_api import Browser

from workshop.layout import LANGUAGES, ROOT, pages_of
from workshop.site.browser import NoBrowserError, started_browser
from workshop.take_along.print_edition import PrintError, compose, title_of
from workshop.words import words_in

FOLDER = "downloads"  # below the site
NAME = "state-in-jax"
ZIP = f"{NAME}.zip"
PLACE = re.compile(r'(<!-- downloads (\w\w) -->)(<p class="downloads">.*?</p>)?')
TEXT_WIDTH = 642  # CSS pixels: 170 mm, A4 between its margins
PAPER = {
    "format": "A4",
    "margin": {"top": "18mm", "bottom": "20mm", "left": "20mm", "right": "20mm"},
    "print_background": True,
    "outline": True,
    "tagged": True,
    "display_header_footer": True,
    "header_template": "<span></span>",
}
FOOTER = """<div lang="{language}" style="width: 100%; margin: 0 20mm; display: flex;
justify-content: space-between; font: 10px sans-serif; color: #48566b"><span>{title}</span>
<span class="pageNumber"></span></div>"""
LEAST = 7  # points, of a letter
FAULTS = """([width, least]) => [...document.querySelectorAll("article *")].flatMap(e => {
    const isWide = e.getBoundingClientRect().right > width + 1 && !e.closest("svg *");
    const says = [...e.childNodes].some(each => each.nodeType === 3 && each.data.trim());
    const isSmall = says && e.checkVisibility() && parseFloat(getComputedStyle(e).fontSize) * 0.75 < least - 0.01;
    const fault = isWide ? "wider than the paper, let it wrap" : isSmall && "too small to read";
    return fault ? [`${fault}: ${e.closest("[id]")?.id ?? ""}: ${e.outerHTML.slice(0, 80)}`] : [];
})"""


def pdf_name(language: str) -> str:
    """Return the file name of the PDF of a language."""
    return f"{NAME}-{language}.pdf"


def print_book(browser: Browser, site: Path, language: str) -> None:
    """Print the book of a language into the folder of downloads.

    Raises:
        PrintError: the site is not built, or something is wider than the paper or too small.
    """
    text = compose(site, language)
    # It stands beside the chapters, so that pictures and styles are found, but in no file.
    address = (site / pages_of(language)[0]).with_name("print.html").resolve().as_uri()
    page = browser.new_page(viewport={"width": TEXT_WIDTH, "height": 900}, color_scheme="light")
    page.route(address, lambda route: route.fulfill(body=text, content_type="text/html"))
    page.emulate_media(media="print")
    page.goto(address, wait_until="load")
    page.evaluate("document.fonts.ready.then(() => null)")
    if faults := page.evaluate(FAULTS, [TEXT_WIDTH, LEAST]):
        raise PrintError(f"{language}: {faults[0]}")
    footer = FOOTER.format(language=language, title=title_of(language))
    printed = page.pdf(footer_template=footer, **PAPER)
    page.close()
    with pikepdf.open(io.BytesIO(printed)) as pdf:  # packs the tags, which Chromium leaves loose
        packed = pikepdf.ObjectStreamMode.generate
        pdf.save(site / FOLDER / pdf_name(language), object_stream_mode=packed)


def write_zip(site: Path) -> None:
    """Pack the site, without what it offers to download, into a zip to be unpacked anywhere."""
    with zipfile.ZipFile(site / FOLDER / ZIP, "w", zipfile.ZIP_DEFLATED) as packed:
        for file in sorted(site.rglob("*")):
            inside = file.relative_to(site)
            if file.is_file() and inside.parts[0] != FOLDER:
                packed.write(file, Path(NAME, inside))


def offer(site: Path, page: str, place: re.Match) -> str:
    """Return the links to the files of a language, for its place on a page."""
    words, folder = words_in(place[2]), "../" * page.count("/") + FOLDER
    files = {pdf_name(place[2]): "PDF", ZIP: words("The site as a zip file")}
    links = [
        f'<a href="{folder}/{file}">{said} ({(site / FOLDER / file).stat().st_size / 1e6:.1f} MB)</a>'
        for file, said in files.items()
    ]
    return f'{place[1]}<p class="downloads">{" · ".join(links)}</p>'


def make_downloads(browser: Browser, site: Path) -> list[Path]:
    """Make every file from the built site, offer them on the first page and the covers, return them."""
    covers = {pages_of(language)[0]: {language} for language in LANGUAGES}
    texts = {}
    for page, languages in {"index": set(LANGUAGES), **covers}.items():
        file = site / f"{page}.html"
        if not file.is_file():
            raise PrintError(f"{file} is missing; build the site first: make book")
        texts[page] = PLACE.sub(r"\1", file.read_text("utf8"))
        if {place[2] for place in PLACE.finditer(texts[page])} != languages:
            raise PrintError(f"{page}.md: each language needs its line <!-- downloads LANGUAGE -->")
        file.write_text(texts[page], "utf8")
    shutil.rmtree(site / FOLDER, ignore_errors=True)
    (site / FOLDER).mkdir()
    for language in LANGUAGES:
        print_book(browser, site, language)
    write_zip(site)
    for page, text in texts.items():
        offered = PLACE.sub(partial(offer, site, page), text)
        (site / f"{page}.html").write_text(offered, "utf8")
    return sorted((site / FOLDER).iterdir())


def main() -> int:
    """Run from the command line; 0 when every file is made."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("site", nargs="?", type=Path, default=ROOT / "_build/html")
    site = parser.parse_args().site
    try:
        with started_browser() as browser:
            for file in make_downloads(browser, site):
                print(f"{file.stat().st_size / 1e6:5.1f} MB  {file}")
    except (NoBrowserError, PrintError) as error:
        print(f"error: {error}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
