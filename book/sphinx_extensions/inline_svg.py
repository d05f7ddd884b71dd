"""Put the embedded pictures into the page itself, so that they follow its theme and fonts.

A notebook carries its pictures as `![alt](data:image/svg+xml;base64,...)`, because Colab opens it
alone. As an `<img>` such a picture cannot see the page: it would stay light in the dark theme.
Here it becomes `<svg role="img" aria-label="alt">`, whose colours are the theme's variables.
In the page, the style rules and identifiers of a picture meet those of others: a picture has a
class of its own, which starts each of its rules and identifiers (tests/test_site.py looks).
"""

import base64
import binascii
import re
from xml.etree import ElementTree

from docutils import nodes
from markdown_it.common import normalize_url
from sphinx.errors import ExtensionError
from sphinx.transforms import SphinxTransform

PREFIX = "data:image/svg+xml;base64,"
SVG = "{http://www.w3.org/2000/svg}"
ElementTree.register_namespace("", SVG[1:-1])

# markdown-it refuses SVG in data addresses because strangers' pictures may hold scripts; these
# are the book's own.
normalize_url.GOOD_DATA_RE = re.compile(r"^data:image\/(gif|png|jpeg|webp|svg\+xml);")


class inline_svg(nodes.General, nodes.Inline, nodes.Element):
    """A picture whose markup stands in the page."""


def inline_markup(svg: str, alt: str) -> str:
    """Return the markup of a picture for a page."""
    root = ElementTree.fromstring(svg)
    if root.tag != SVG + "svg" or "viewBox" not in root.attrib:
        raise ValueError("the outermost element must be <svg xmlns=... viewBox=...>")
    for attribute in ("width", "height"):
        root.attrib.pop(attribute, None)
    width = float(root.attrib["viewBox"].split()[2])
    root.attrib |= {
        "role": "img",
        "aria-label": alt,
        "class": f"picture {root.get('class', '')}".strip(),
        "style": f"max-width: min(100%, {width:g}px)",
    }
    return ElementTree.tostring(root, encoding="unicode")


class InlineSvg(SphinxTransform):
    """Replace the images of a page that are embedded SVG."""

    default_priority = 60

    def apply(self, **kwargs):
        """Replace each image, or stop with the page and the reason."""
        pictures = [i for i in self.document.findall(nodes.image) if i["uri"].startswith(PREFIX)]
        for number, image in enumerate(pictures, start=1):
            alt = image.get("alt", "").strip()
            try:
                if not alt:
                    raise ValueError("it has no alt text: write ![what it shows](...)")
                svg = base64.b64decode(image["uri"][len(PREFIX) :], validate=True).decode()
                markup = inline_markup(svg, alt)
            except (ValueError, binascii.Error, ElementTree.ParseError) as reason:
                raise ExtensionError(
                    f"{self.env.docname}: picture {number} cannot be shown: {reason}"
                ) from reason
            image.replace_self(inline_svg(markup=markup, alt=alt))


def write_svg(translator, node) -> None:
    """Write the picture into the page."""
    translator.body.append(node["markup"])
    raise nodes.SkipNode


def setup(app):
    """Register the node and the transform."""
    app.add_node(inline_svg, html=(write_svg, None))
    app.add_transform(InlineSvg)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
