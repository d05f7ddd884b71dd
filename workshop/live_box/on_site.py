"""Add a live box to each cell with the tag `live`: edit and run the cell in the page.

The box holds, as JSON that no browser executes, the whole program (see `programs.py`) and the
words of the interface. `static/live-box/` beside this holds the rest: script and style, loaded on pages with a
box alone, and MicroPython and the model of JAX, loaded on a click. The cell itself stays as it is.

The site may be served with this policy and no weaker one is needed: `default-src 'self';
script-src 'self' 'wasm-unsafe-eval'; style-src 'self' 'unsafe-inline'; img-src 'self' data:`.
"""

import json
from pathlib import Path

from docutils import nodes
from sphinx.locale import _
from sphinx.transforms import SphinxTransform

from workshop.live_box.programs import LIVE_TAG, programs

FOLDER = "live-box"


def words() -> dict[str, str]:
    """What the box says, in the language of the page that is being written."""
    return {
        "Edit and run here": _("Edit and run here"),
        "A model of JAX, not JAX itself": _("A model of JAX, not JAX itself"),
        "about": _(
            "A small Python in this page runs the cell on a model of JAX that knows jit, jaxprs, "
            "pytrees, scan and short vectors. Where the model does not reach, it says so; its error "
            "messages are shorter than those of JAX. Everything else runs in Colab."
        ),
        "Program": _("Program"),
        "Output": _("Output"),
        "keys": _(
            "Ctrl+Enter runs the program. Tab indents; to leave the editor press Esc, then Tab."
        ),
        "Run": _("Run"),
        "Reset": _("Reset"),
        "Close": _("Close"),
        "Loading": _("Loading the small Python (once, about 250 kB)"),
        "Running": _("Running"),
        "Done": _("Done."),
        "error": _("The program stopped in line {line} with an error."),
        "assert": _(
            "The assert in line {line} does not hold. One that came with the cell states what the "
            "unchanged program does."
        ),
        "near": _("Did you mean {near}?"),
        "syntax": _(
            "Line {line} cannot be read: a slip of the pen, or a form that the small Python "
            "does not know."
        ),
        "reach": _(
            "The model does not reach this (line {line}): {what}. Run the cell in Colab, where "
            "JAX itself answers."
        ),
        "time": _(
            "Stopped: the program ran longer than {seconds} seconds. Is there a loop without end?"
        ),
        "flood": _("Stopped: the program prints more than this box can hold."),
        "broken": _("The small Python could not be loaded or broke down. Try again or use Colab."),
    }


class live_box(nodes.General, nodes.Element):
    """A box below a cell; its attribute `program` is what it offers."""


class LiveBoxes(SphinxTransform):
    """Put a box after each cell with the tag."""

    default_priority = 45

    def apply(self, **kwargs):
        """Find the cells of the page and give each its program."""
        cells = [
            node
            for node in self.document.findall(nodes.container)
            if node.get("nb_element") == "cell_code"
        ]
        if not any(LIVE_TAG in node.get("cell_metadata", {}).get("tags", []) for node in cells):
            return
        notebook = Path(self.env.doc2path(self.env.docname))
        written = json.loads(notebook.read_text("utf8"))["cells"]
        written = [cell for cell in written if cell["cell_type"] == "code"]
        offered = programs(
            ("".join(cell["source"]), cell["metadata"].get("tags", [])) for cell in written
        )
        for place, program in offered.items():
            cell = cells[place]
            cell.parent.insert(cell.parent.index(cell) + 1, live_box(program=program))


def write_box(translator, node) -> None:
    """Write the box, hidden until its script knows that it can run."""
    data = json.dumps({"program": node["program"], "say": words()}, ensure_ascii=False)
    data = data.replace("<", "\\u003c")
    translator.body.append(
        f'<live-box hidden><script type="application/json">{data}</script></live-box>\n'
    )
    raise nodes.SkipNode


def skip(translator, node) -> None:
    """Elsewhere than on the site there is no box."""
    raise nodes.SkipNode


def load_script(app, page, template, context, doctree) -> None:
    """Load script and style on pages that have a box."""
    if doctree is not None and next(doctree.findall(live_box), None) is not None:
        app.add_js_file(f"{FOLDER}/live-box.js", defer="defer")
        app.add_css_file(f"{FOLDER}/live-box.css")


def setup(app):
    """Register the node and the transform."""
    app.add_node(
        live_box,
        html=(write_box, None),
        latex=(skip, None),
        text=(skip, None),
        man=(skip, None),
        texinfo=(skip, None),
    )
    app.add_transform(LiveBoxes)
    app.connect("html-page-context", load_script)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
