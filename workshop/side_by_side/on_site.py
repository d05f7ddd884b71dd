"""Let readers compare one program in several idioms, two of them side by side.

A cell with the metadata `idiom: Flax NNX` is the program in that idiom. Where a section has several,
each gets an element with all that stands from the paragraph that begins with its name in bold letters
to the next idiom or the end of the section, and `<side-by-side>` holds them. Its script, loaded on
pages with such a section alone, shows two; a cell that is alone in another section can be one of
them. Without the script, in print and in a PDF everything stands in its order.
"""

from html import escape

from docutils import nodes
from sphinx.errors import ExtensionError
from sphinx.transforms import SphinxTransform

from workshop.site import load_with


class wrapper(nodes.General, nodes.Element):
    """An element around others: one idiom by its name, or without a name those that are compared."""


class Idioms(SphinxTransform):
    """Give each idiom of the page an element, and those of one section another around them."""

    default_priority = 46  # live boxes stand below their cells by now

    def apply(self, **kwargs):
        """Look at each section."""
        for section in list(self.document.findall(nodes.section)):
            inside = section.children
            marked = [(n, n["cell_metadata"]["idiom"]) for n in inside if _is_marked(n)]
            for cell, _ in marked:
                cell["classes"].append("compared")
            if len(marked) == 1:
                [(cell, name)] = marked
                section[inside.index(cell)] = wrapper("", cell, idiom=name)
            elif marked:
                below = (i for i, n in enumerate(inside) if isinstance(n, nodes.section))
                ends = [*(self.begin(inside, *each) for each in marked), next(below, len(inside))]
                view = wrapper("")
                for (_, name), begin, end in zip(marked, ends, ends[1:], strict=False):
                    view += wrapper("", *inside[begin:end], idiom=name)
                section[ends[0] : ends[-1]] = [view]

    def begin(self, inside: list[nodes.Node], cell: nodes.Node, name: str) -> int:
        """Where the idiom of a cell begins, or stop with the page and the mend."""
        for place in range(inside.index(cell), -1, -1):
            first = next((part for part in inside[place].children if part.astext()), None)
            bold = first.astext().rstrip(".") if isinstance(first, nodes.strong) else None
            if bold and name.startswith(bold):  # Ref in Korean, Refs in English
                return place
        raise ExtensionError(
            f"{self.env.docname}: idiom {name!r}: begin the prose above its cell with **{name}**"
        )


def _is_marked(node: nodes.Node) -> bool:
    return "idiom" in node.get("cell_metadata", {})


def _is_view(node: nodes.Node) -> bool:
    return isinstance(node, wrapper) and "idiom" not in node


def open_wrapper(translator, node) -> None:
    """Begin the element."""
    tag = "side-by-side" if _is_view(node) else f'div data-idiom="{escape(node["idiom"])}"'
    translator.body.append(f"<{tag}>\n")


def close_wrapper(translator, node) -> None:
    """End the element."""
    translator.body.append(f"</{'side-by-side' if _is_view(node) else 'div'}>\n")


def setup(app):
    """Register the element and the transform."""
    app.add_node(wrapper, html=(open_wrapper, close_wrapper))
    app.add_transform(Idioms)
    load_with(app, _is_view, "side-by-side", priority=100)  # before scripts that look at code
    return {"parallel_read_safe": True, "parallel_write_safe": True}
