"""A picture in a notebook, for Colab, GitHub, JupyterLab and VS Code."""

import base64
import re
from html import escape
from pathlib import Path

from PIL import Image

from workshop.picture.images import SCALE, image_of
from workshop.words import keyed_words

BEGIN = re.compile(r"<!-- picture ([a-z0-9-]+) -->")
END = "<!-- end of picture -->"


def static_form(svg: Path, alt: str, caption: str, number: str, language: str) -> str:
    """The picture in a notebook: an image and its caption between the comments the site looks for."""
    image = image_of(svg, language)
    width = Image.open(image).width // SCALE
    data = base64.b64encode(image.read_bytes()).decode()
    shown = f'<img src="data:image/png;base64,{data}" alt="{escape(alt)}" width="{width}">'
    parts = [f"<!-- picture {svg.stem} -->", shown]
    if caption:
        parts.append(numbered(caption, number, language, svg.stem))
    return "\n\n".join([*parts, END])


def numbered(caption: str, number: str, language: str, name: str = "") -> str:
    """A caption behind its number, `**Figure 3.2.** …`, where links to the figure of a name lead."""
    anchor = f'<a id="figure-{name}"></a>' if name else ""
    return f"{anchor}**{keyed_words('picture', language)['figure']} {number}.** {caption}"
