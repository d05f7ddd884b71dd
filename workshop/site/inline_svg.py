"""Put the embedded pictures into the page itself, so that they follow its theme and fonts.

A notebook carries its pictures as `![alt](data:image/svg+xml;base64,...)`, because Colab opens it
alone. As an `<img>` such a picture cannot see the page: it would stay light in the dark theme.
Here it becomes `<svg role="img" aria-label="alt">`, whose colours are the theme's variables.
In the page, the style rules and identifiers of a picture meet those of others: a picture has a
class of its own, which starts each of its rules and identifiers (tests/test_site.py looks). The
rules of all pictures are written to one file, `_static/pictures.css`: a page without inline styles needs no exception from a Content-Security-Policy.
"""

import base64
import binascii
import re
from pathlib import Path
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


def inline_markup(svg: str, alt: str) -> tuple[str, str]:
    """Return the markup of a picture for a page, and its style rules."""
    root = ElementTree.fromstring(svg)
    if root.tag != SVG + "svg" or "viewBox" not in root.attrib:
        raise ValueError("the outermost element must be <svg xmlns=... viewBox=...>")
    rules = take_rules(root)
    root.attrib.pop("height", None)
    root.attrib |= {
        "role": "img",
        "aria-label": alt,
        "class": f"picture {root.get('class', '')}".strip(),
        "width": root.attrib["viewBox"].split()[2],
    }
    return ElementTree.tostring(root, encoding="unicode"), rules


def take_rules(root: ElementTree.Element) -> str:
    """Remove the style rules and style attributes of a picture and return them as rules."""
    rules, own = [], root.get("class", "").split(" ")[0]
    for parent in list(root.iter()):
        for style in parent.findall(SVG + "style"):
            rules.append(" ".join(style.text.split()))
            parent.remove(style)
    styled = [element for element in root.iter() if "style" in element.attrib]
    if styled and not own:
        raise ValueError("it has style attributes, and no class of its own to write them under")
    for number, element in enumerate(styled):
        name = f"{own}-style-{number}"
        rules.append(f"svg.{own} .{name} {{ {element.attrib.pop('style')} }}")
        element.set("class", f"{element.get('class', '')} {name}".strip())
    return "\n".join(rules)


class InlineSvg(SphinxTransform):
    """Replace the images of a page that are embedded SVG."""

    default_priority = 60

    def apply(self, **kwargs):
        """Replace each image, or stop with the page and the reason."""
        pictures = [i for i in self.document.findall(nodes.image) if i["uri"].startswith(PREFIX)]
        for number, image in enumerate(pictures, start=1):
            alt = image.get("alt", "").strip()
            try:
                svg = base64.b64decode(image["uri"][len(PREFIX) :], validate=True).decode()
                markup, rules = inline_markup(svg, alt)
            except (ValueError, binascii.Error, ElementTree.ParseError) as reason:
                raise ExtensionError(
                    f"{self.env.docname}: picture {number} cannot be shown: {reason}"
                ) from reason
            image.replace_self(inline_svg(markup=markup, alt=alt))
            self.env.metadata[self.env.docname].setdefault("picture_rules", []).append(rules)


def write_svg(translator, node) -> None:
    """Write the picture into the page."""
    translator.body.append(node["markup"])
    raise nodes.SkipNode


def write_rules(app, env) -> None:
    """Write the rules of all pictures, each once, before pages refer to the file."""
    pages = [page.get("picture_rules", []) for page in env.metadata.values()]
    rules = sorted({picture for page in pages for picture in page})
    file = Path(app.outdir, "_static/pictures.css")
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text("\n".join(rules) + "\n", "utf8")


def setup(app):
    """Register the node and the transform."""
    app.add_node(inline_svg, html=(write_svg, None))
    app.add_transform(InlineSvg)
    app.connect("env-updated", write_rules)
    app.add_css_file("pictures.css")
    return {"parallel_read_safe": True, "parallel_write_safe": True}
