"""Turn the anchor at the end of a heading into the identifier of its section.

Chapters write `## Heading <a id="slug"></a>`: plain HTML, which Colab, GitHub and JupyterLab do
not show. Sphinx would number Korean sections (`id1`, `id2`) and carry the HTML into the sidebar.
With this transform a section has the same identifier in both languages, so that the language
switch lands on the same section, and `[text](#slug)` and `[text](03-page.ipynb#slug)` resolve.
The title of a page takes its identifier from the file name: `03-counter-pitfall` gives
`counter-pitfall`. An anchor that stands twice is refused where chapters are read, and by tests of the
pages (`test_identifiers_stand_once`).
"""

import re

from docutils import nodes
from sphinx.transforms import SphinxTransform

ANCHOR = re.compile(r'<a id="([a-z][a-z0-9-]*)">|</a>')


class SectionAnchors(SphinxTransform):
    """Name each section after its anchor."""

    default_priority = 50  # before tables of contents and references are gathered

    def apply(self, **kwargs):
        """Rename the sections of one page and register them for MyST's links."""
        slugs = dict(getattr(self.document, "myst_slugs", {}))
        for section in self.document.findall(nodes.section):
            slug = self.take_slug(section[0])
            if slug is None and isinstance(section.parent, nodes.document):
                slug = re.sub(r"^[\d-]+", "", self.env.docname.rsplit("/", 1)[-1])
            if slug is None:
                continue
            self.rename(section, slug)
            slugs[slug] = (section.line or 0, slug, section[0].astext())
        for raw in self.document.findall(nodes.raw):  # in the text, such as a caption's
            if (anchor := ANCHOR.fullmatch(raw.astext().strip())) and anchor[1]:
                slugs.setdefault(anchor[1], (0, anchor[1], anchor[1]))
        self.document.myst_slugs = slugs
        self.env.metadata[self.env.docname]["myst_slugs"] = slugs

    def take_slug(self, title: nodes.title) -> str | None:
        """Remove the anchor from a title and return its name."""
        slug = None
        for raw in list(title.findall(nodes.raw)):
            if anchor := ANCHOR.fullmatch(raw.astext().strip()):
                slug = anchor[1] or slug
                raw.parent.remove(raw)
        if slug and isinstance(title[-1], nodes.Text):
            title[-1] = nodes.Text(title[-1].rstrip())
        return slug

    def rename(self, section: nodes.section, slug: str) -> None:
        """Replace the identifiers that docutils gave to a section."""
        for old in section["ids"]:
            self.document.ids.pop(old, None)
        for name, identifier in self.document.nameids.items():
            if identifier in section["ids"]:
                self.document.nameids[name] = slug
        section["ids"] = [slug]
        self.document.ids[slug] = section


def setup(app):
    """Register the transform."""
    app.add_transform(SectionAnchors)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
