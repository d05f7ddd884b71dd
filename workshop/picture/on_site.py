"""Put the pictures into the page itself, so that they follow its theme and fonts.

In a notebook a picture is an image and its caption between the comments `<!-- picture NAME -->` and
`<!-- end of picture -->` (`plain_form.py`). Here it becomes a `<figure>` that holds the drawing as
`<svg role="img" aria-label="alt">`, whose colours are the theme's variables, and where there is one its
form for phones, of which `picture.css` shows one. In the page, the style rules and identifiers of a
picture meet those of others: a picture has a class of its own, which starts each of its rules and
identifiers (tests/test_site.py looks). The rules of all pictures are written to one file, each once,
`_static/pictures.css`: a page without inline styles needs no exception from a Content-Security-Policy.
"""

import re
from html import unescape
from pathlib import Path
from xml.etree import ElementTree

from docutils import nodes
from sphinx.errors import ExtensionError
from sphinx.transforms import SphinxTransform

from workshop.layout import figure_path, language_of
from workshop.picture.pictures import in_language, narrow_form
from workshop.picture.plain_form import BEGIN, END
from workshop.words import keyed_words

ALT = re.compile(r'<img [^>]*\balt="([^"]*)"')
SVG = "{http://www.w3.org/2000/svg}"


class picture(nodes.General, nodes.Element):
    """A picture whose markup stands in the page; its children are its caption."""


def inline_markup(root: ElementTree.Element, alt: str, form: str = "") -> tuple[str, str]:
    """Return the markup of a picture for a page, and its style rules.

    Args:
        root: its outermost element; changed.
        alt: what it shows.
        form: `wide` or `narrow` where it has both forms.

    Raises:
        ValueError: it has no size, or style attributes and no class to write them under.
    """
    if root.tag != SVG + "svg" or "viewBox" not in root.attrib:
        raise ValueError("the outermost element must be <svg xmlns=... viewBox=...>")
    rules = take_rules(root)
    for data in root.findall(f"{SVG}metadata"):
        root.remove(data)
    root.attrib.pop("height", None)
    root.attrib |= {
        "role": "img",
        "aria-label": alt,
        "class": " ".join(filter(None, ("picture", form, root.get("class")))),
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


class Pictures(SphinxTransform):
    """Put the drawing in the place of what stands between the comments of a picture."""

    default_priority = 55  # the anchors of sections are there, and links aren't yet resolved

    def apply(self, **kwargs):
        """Replace each picture of the page, or stop with the page and the reason."""
        for start in list(self.document.findall(nodes.raw)):
            begun = BEGIN.fullmatch(start.astext().strip())
            if not begun:
                continue
            inside = start.parent[start.parent.index(start) + 1 :]
            end = next((i for i, node in enumerate(inside) if node.astext().strip() == END), None)
            if end is None:
                raise ExtensionError(f"{self.env.docname}: picture {begun[1]} has no end comment")
            alt = next(filter(None, (ALT.search(node.astext()) for node in inside[:end])), None)
            made = self.made(begun[1], unescape(alt[1]) if alt else "")
            for node in inside[: end + 1]:
                start.parent.remove(node)
                if isinstance(node, nodes.paragraph) and not isinstance(node[0], nodes.image):
                    made += without_anchors(node)
            start.replace_self(made)
            self.register(made)

    def made(self, name: str, alt: str) -> picture:
        """The picture with its forms in the page's language, without its caption."""
        wide = figure_path(f"{name}.svg")
        forms = [path for path in (wide, narrow_form(wide)) if path.exists() or path == wide]
        markups = []
        for path, form in zip(forms, ("wide", "narrow") if len(forms) > 1 else ("",), strict=True):
            self.env.note_dependency(str(path))
            try:
                root = in_language(path, language_of(self.env.docname))
                markup, rules = inline_markup(root, alt, form)
            except (OSError, ValueError, ElementTree.ParseError) as reason:
                raise ExtensionError(
                    f"{self.env.docname}: picture {name} cannot be shown: {reason}"
                ) from reason
            markups.append(markup)
            self.env.metadata[self.env.docname].setdefault("picture_rules", []).append(rules)
        return picture("", markup="\n".join(markups), alt=alt, name=name)

    def register(self, made: picture) -> None:
        """Let links lead to the picture."""
        made["ids"] = [f"figure-{made['name']}"]
        slugs = self.env.metadata[self.env.docname]["myst_slugs"]
        slugs[made["ids"][0]] = (0, made["ids"][0], made.astext())
        self.document.ids[made["ids"][0]] = made


class Captions(SphinxTransform):
    """Mark the captions of plots and recorded figures, which stand below them as paragraphs."""

    default_priority = 56  # those of pictures stand in these by now

    def apply(self, **kwargs):
        """Look at what begins with the number of a figure."""
        language = language_of(self.env.docname)
        if not language:  # the choice of one
            return
        figure = keyed_words("picture", language)["figure"]
        for number in self.document.findall(nodes.strong):
            around = number.parent
            said = [each for each in around if each.astext() and not isinstance(each, nodes.raw)]
            if said[0] is number and re.fullmatch(rf"{figure} [\d.]+\.", number.astext()):
                around["classes"] += [] if isinstance(around.parent, picture) else ["caption"]


def without_anchors(caption: nodes.paragraph) -> nodes.paragraph:
    """The caption without the anchor that notebooks need."""
    for raw in list(caption.findall(nodes.raw)):
        raw.parent.remove(raw)
    return caption


def open_picture(translator, node) -> None:
    """Begin the figure, and its caption where there is one."""
    caption = "<figcaption>" if node.children else ""
    translator.body.append(
        f'<figure class="picture" id="{node["ids"][0]}">{node["markup"]}\n{caption}'
    )


def close_picture(translator, node) -> None:
    """End the figure."""
    translator.body.append(("</figcaption>" if node.children else "") + "</figure>\n")


def write_rules(app, env) -> None:
    """Write the rules of all pictures, each once, before pages refer to the file."""
    pages = [page.get("picture_rules", []) for page in env.metadata.values()]
    rules = sorted({picture for page in pages for picture in page})
    file = Path(app.outdir, "_static/pictures.css")
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text("\n".join(rules) + "\n", "utf8")


def setup(app):
    """Register the node and the transforms."""
    app.add_node(picture, html=(open_picture, close_picture))
    app.add_transform(Pictures)
    app.add_transform(Captions)
    app.connect("env-updated", write_rules)
    app.add_css_file("picture.css")
    app.add_css_file("pictures.css")
    return {"parallel_read_safe": True, "parallel_write_safe": True}
