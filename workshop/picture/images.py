"""The images of pictures for notebooks.

A notebook must work alone wherever it is read, and SVG in a data address does not: Colab shows
none (googlecolab/colabtools, issue 2092), nor does what reads Markdown by markdown-it's rules, as VS
Code does. So notebooks carry `NAME.ko.png` and `NAME.en.png`, which `make notebooks` draws in a
browser, in the light theme. In each stands the digest of the SVG it was drawn from, so that a test sees
without a browser whether it is the one of today.
"""

import hashlib
import io
import re
import tempfile
from collections.abc import Iterable, Iterator
from pathlib import Path
from xml.etree import ElementTree

from PIL import Image
from PIL.PngImagePlugin import PngInfo

from workshop.layout import CHAPTERS, LANGUAGES, WORKSHOP
from workshop.picture.drawing import PictureError
from workshop.picture.pictures import in_language, narrow_form, picture_scripts, write_picture
from workshop.site.browser import NoBrowserError, started_browser

DIGEST = "drawn from"  # the name of the text in a PNG that says of which SVG
SCALE = 2  # pixels of an image for one on the page
COLOURS = 64
FONTS = (WORKSHOP / "site/static").as_uri()
PAGE = """<!doctype html><html lang="{language}"><meta charset="utf8"><style>{fonts}
html {{ --pst-font-family-base: "Book Hangul", system-ui, sans-serif; }}
body {{ margin: 0; }} svg {{ display: block; }}</style>{svg}"""


def image_of(svg: Path, language: str) -> Path:
    """Where the image of a picture for the notebooks of a language lies."""
    return svg.with_name(f"{svg.stem}.{language}.png")


def digest_of(svg: Path) -> str:
    """A short hash of what an SVG shows."""
    shown = re.sub("<metadata>.*?</metadata>", "", svg.read_text("utf8"), flags=re.DOTALL)
    return hashlib.sha256(shown.encode()).hexdigest()[:12]


def is_drawn(svg: Path) -> bool:
    """Whether the images of a picture were drawn from its SVG of today."""
    images = [image_of(svg, language) for language in LANGUAGES]
    return all(
        image.exists() and Image.open(image).info.get(DIGEST) == digest_of(svg) for image in images
    )


def write_images(pictures: Iterable[Path]) -> None:
    """Draw the images of pictures in a browser, in each language.

    Raises:
        NoBrowserError: there is none.
    """
    with started_browser() as browser, tempfile.TemporaryDirectory() as folder:
        page = Path(folder, "picture.html")
        fonts = (WORKSHOP / "site/static/fonts.css").read_text("utf8")
        fonts = fonts.replace('url("', f'url("{FONTS}/')
        window = browser.new_page(device_scale_factor=SCALE)
        for svg in pictures:
            for language in LANGUAGES:
                root = in_language(svg, language)
                root.set("width", root.attrib["viewBox"].split()[2])
                markup = ElementTree.tostring(root, encoding="unicode")
                page.write_text(PAGE.format(language=language, fonts=fonts, svg=markup), "utf8")
                window.goto(page.as_uri())
                window.evaluate("document.fonts.ready")
                taken = Image.open(io.BytesIO(window.locator("svg").screenshot()))
                info = PngInfo()
                info.add_text(DIGEST, digest_of(svg))
                small = taken.convert("RGB").quantize(COLOURS, dither=Image.Dither.NONE)
                small.save(image_of(svg, language), optimize=True, pnginfo=info)


def drawings(chapters: Path = CHAPTERS) -> list[Path]:
    """The SVG of every picture, those without a script too, not their forms for phones."""
    found = sorted(chapters.glob("*/figures/*.svg"))
    narrow = {narrow_form(path) for path in found}
    return [path for path in found if path not in narrow]


def draw_anew(run_again: bool, chapters: Path = CHAPTERS) -> Iterator[str]:
    """Write what isn't drawn as it would be today, and yield a line for each thing done.

    Raises:
        PictureError: a script is wrong, or there is no browser to draw images with.
    """
    for script in picture_scripts(chapters):
        if not (done := write_picture(script, run_again)).endswith("unchanged"):
            yield f"{script.name}: {done}"
    if stale := [svg for svg in drawings(chapters) if not is_drawn(svg)]:
        try:
            write_images(stale)
        except NoBrowserError as error:
            raise PictureError(
                f"{stale[0].name}: needs an image for notebooks, but {error}"
            ) from None
        yield f"images for notebooks: {', '.join(svg.stem for svg in stale)}"
