"""The forms of a picture: in one language, for phones, as an image, and in a notebook.

`NAME.svg` is the picture in all languages; `NAME-narrow.svg` beside it, where there is one, is for
phones. A notebook must work alone wherever it is read, and SVG in a data address does not: Colab shows
none (googlecolab/colabtools, issue 2092), nor does what reads Markdown by markdown-it's rules, as VS
Code does. So notebooks carry `NAME.ko.png` and `NAME.en.png`, which `make notebooks` draws in a
browser, in the light theme. In each stands the digest of the SVG it was drawn from, so that a test sees
without a browser whether it is the one of today.
"""

import base64
import hashlib
import io
import re
from collections.abc import Iterable
from html import escape
from pathlib import Path
from xml.etree import ElementTree

from PIL import Image
from PIL.PngImagePlugin import PngInfo

from workshop.layout import LANGUAGES, WORKSHOP
from workshop.site.browser import started_browser
from workshop.words import keyed_words

BEGIN = re.compile(r"<!-- picture ([a-z0-9-]+) -->")
END = "<!-- end of picture -->"
DIGEST = "drawn from"  # the name of the text in a PNG that says of which SVG
SCALE = 2  # pixels of an image for one on the page
COLOURS = 64
FONTS = (WORKSHOP / "site/static").as_uri()
PAGE = """<!doctype html><html lang="{language}"><meta charset="utf8"><style>{fonts}
html {{ --pst-font-family-base: "Book Hangul", system-ui, sans-serif; }}
body {{ margin: 0; }} svg {{ display: block; }}</style>{svg}"""
ElementTree.register_namespace("", "http://www.w3.org/2000/svg")


def narrow_form(svg: Path) -> Path:
    """Where the form of a picture for phones lies, if it has one."""
    return svg.with_name(f"{svg.stem}-narrow.svg")


def image_of(svg: Path, language: str) -> Path:
    """Where the image of a picture for the notebooks of a language lies."""
    return svg.with_name(f"{svg.stem}.{language}.png")


def in_language(svg: Path, language: str) -> ElementTree.Element:
    """The SVG without the elements whose `lang` is another language."""
    root = ElementTree.parse(svg).getroot()
    for parent in root.iter():
        for child in list(parent):
            if child.get("lang", language) != language:
                parent.remove(child)
    return root


def digest_of(svg: Path) -> str:
    """A short hash of an SVG."""
    return hashlib.sha256(svg.read_bytes()).hexdigest()[:12]


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
    with started_browser() as browser:
        fonts = (WORKSHOP / "site/static/fonts.css").read_text("utf8")
        fonts = fonts.replace('url("', f'url("{FONTS}/')
        window = browser.new_page(device_scale_factor=SCALE)
        for svg in pictures:
            for language in LANGUAGES:
                root = in_language(svg, language)
                root.set("width", root.attrib["viewBox"].split()[2])
                markup = ElementTree.tostring(root, encoding="unicode")
                page = svg.with_name(f"{svg.stem}.{language}.html")  # may read the fonts' files
                page.write_text(PAGE.format(language=language, fonts=fonts, svg=markup), "utf8")
                try:
                    window.goto(page.as_uri())
                    window.evaluate("document.fonts.ready")
                    taken = Image.open(io.BytesIO(window.locator("svg").screenshot()))
                finally:
                    page.unlink()
                info = PngInfo()
                info.add_text(DIGEST, digest_of(svg))
                small = taken.convert("RGB").quantize(COLOURS, dither=Image.Dither.NONE)
                small.save(image_of(svg, language), optimize=True, pnginfo=info)


def static_form(svg: Path, alt: str, caption: str, number: str, language: str) -> str:
    """The picture in a notebook: an image and its caption between the comments the site looks for."""
    image = image_of(svg, language)
    width = Image.open(image).width // SCALE
    data = base64.b64encode(image.read_bytes()).decode()
    shown = f'<img src="data:image/png;base64,{data}" alt="{escape(alt)}" width="{width}">'
    parts = [f"<!-- picture {svg.stem} -->", shown]
    if caption:
        parts.append(f'<a id="figure-{svg.stem}"></a>{numbered(caption, number, language)}')
    return "\n\n".join([*parts, END])


def numbered(caption: str, number: str, language: str) -> str:
    """A caption below its number: `**Figure 3.2.** …`."""
    return f"**{keyed_words('picture', language)['figure']} {number}.** {caption}"
