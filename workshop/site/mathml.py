"""Write formulas as MathML, which every browser shows by itself.

Sphinx would load MathJax from another host on each page that has a formula. docutils translates
LaTeX to MathML at build time: no script, no request, and a screen reader reads the formula.
"""

from docutils import nodes
from docutils.utils.math import MathError
from docutils.utils.math.latex2mathml import tex2mathml
from sphinx.errors import ExtensionError


def write_formula(translator, node, as_block: bool) -> None:
    """Write one formula into the page."""
    formula = node.astext()
    try:
        translator.body.append(tex2mathml(formula, as_block=as_block))
    except MathError as error:
        page = translator.builder.current_docname
        raise ExtensionError(f"{page}: the formula {formula!r} cannot be read: {error}") from error
    raise nodes.SkipNode


def write_inline(translator, node) -> None:
    """Write `$...$`."""
    write_formula(translator, node, as_block=False)


def write_block(translator, node) -> None:
    """Write `$$...$$`."""
    write_formula(translator, node, as_block=True)


def setup(app):
    """Register the renderer and make it the one in use."""
    app.add_html_math_renderer("mathml", (write_inline, None), (write_block, None))
    app.config.html_math_renderer = "mathml"
    return {"parallel_read_safe": True, "parallel_write_safe": True}
