"""Add a live box to each cell that has one by its metadata: edit and run the cell in the page.

The box holds, as JSON that no browser executes, the whole program (see `programs.py`) and what
judges it. `static/live-box/` beside this holds the rest: script and style, loaded on pages with a
box alone, and MicroPython and the model of JAX, loaded on a click. The cell itself stays as it is.

The site may be served with this policy and no weaker one is needed: `default-src 'self';
script-src 'self' 'wasm-unsafe-eval'; style-src 'self' 'unsafe-inline'; img-src 'self' data:`.
"""

import json
from pathlib import Path

from docutils import nodes
from sphinx.transforms import SphinxTransform

from workshop.chapter.read import read_chapter
from workshop.layout import CHAPTERS, language_of
from workshop.live_box.programs import LIVE, check_of, programs, with_truths
from workshop.site import load_with
from workshop.site.repository import cell_link

# How the line of a check begins that speaks the other language.
FOREIGN = {"ko": '    print(f"Exercise', "en": '    print(f"연습 문제'}


class live_box(nodes.General, nodes.Element):
    """A box below a cell: `program` is what it offers, `check` what judges that in an exercise."""


class LiveBoxes(SphinxTransform):
    """Put a box after each cell that has one."""

    default_priority = 45

    def apply(self, **kwargs):
        """Find the cells of the page and give each its program."""
        cells = [
            node
            for node in self.document.findall(nodes.container)
            if node.get("nb_element") == "cell_code"
        ]
        live = [
            place for place, node in enumerate(cells) if node.get("cell_metadata", {}).get(LIVE)
        ]
        if not live:
            return
        chapter = read_chapter(CHAPTERS / Path(self.env.docname).name)
        sources = with_truths([cell.source for cell in chapter.code])
        offered, foreign = programs(sources), FOREIGN[language_of(self.env.docname)]
        for place in live:
            cell, lines = cells[place], []
            if "exercise" in chapter.code[place].tags:
                lines = check_of(sources, place).split("\n")
            check = "\n".join(line for line in lines if not line.startswith(foreign))
            box = live_box(program=offered[place], check=check, source=chapter.code[place].source)
            cell.parent.insert(cell.parent.index(cell) + 1, box)


def write_box(translator, node) -> None:
    """Write the box, hidden until its script knows that it can run."""
    page = translator.builder.current_docname
    address, download = cell_link(translator.builder.app, page, node["source"])
    data = {"program": node["program"], "check": node["check"], "notebook": address}
    data |= {"download": True} if download else {}
    data = json.dumps(data, ensure_ascii=False).replace("<", "\\u003c")
    translator.body.append(
        f'<live-box hidden><script type="application/json">{data}</script></live-box>\n'
    )
    raise nodes.SkipNode


def setup(app):
    """Register the node and the transform."""
    app.add_node(live_box, html=(write_box, None))
    app.add_transform(LiveBoxes)
    load_with(app, live_box, "live-box/live-box")
    return {"parallel_read_safe": True, "parallel_write_safe": True}
