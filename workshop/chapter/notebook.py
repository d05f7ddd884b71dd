"""The notebook of one language: plain Markdown, complete in itself, foldable wherever it is read.

The way of a figure goes in one direction, from its file into the notebook and from the notebook onto
the site; nothing is rebuilt from what was written for readers. A notebook must work alone, so a drawing
stands in it as a data address and a recorded figure as Markdown. Jupyter Book reads the notebooks and
nothing else. There `site/inline_svg.py` takes the same SVG out of its address, since an `<img>` does not
follow the theme, and `recorded_figure/on_site.py` takes from the comments the name of a figure alone:
its player gets the record's own file, and the Markdown stays for print and for readers without scripts.
To take both from the chapter instead, the site would have to count pictures to find out which is which
and choose the words of a language a second time, to spare one call of base64.
"""

import base64
from pathlib import Path
from xml.etree import ElementTree

import nbformat
from nbformat import NotebookNode

from workshop.chapter.model import Card, Chapter, ChapterError, Code, Figure, Prose
from workshop.predict_card.card import unfolding
from workshop.recorded_figure.plain_form import static_form
from workshop.recorded_figure.records import FigureError
from workshop.words import words_in

# The words on the fold of a cell, by its tag: to open it and to close it.
FOLDS = {
    "solution": ("Show the solution", "Hide the solution"),
    "check": ("Show the checking code", "Hide the checking code"),
    "hide-input": ("Show the code", "Hide the code"),
}
ElementTree.register_namespace("", "http://www.w3.org/2000/svg")


def notebook_in(chapter: Chapter, language: str) -> NotebookNode:
    """The notebook of one language, without outputs."""
    cells = []
    for cell in chapter.cells:
        if isinstance(cell, Prose):
            cells.append(nbformat.v4.new_markdown_cell(_markdown(chapter, cell, language)))
        else:
            written = nbformat.v4.new_code_cell(cell.source)
            written.metadata = nbformat.from_dict(_code_metadata(cell, language))
            cells.append(written)
    header = {
        "kernelspec": {"display_name": "Python 3", "language": "python", "name": "python3"},
        "language_info": {"name": "python"},
        "colab": {"provenance": [], "toc_visible": True},
    }
    return nbformat.v4.new_notebook(cells=cells, metadata=header)


def _markdown(chapter: Chapter, prose: Prose, language: str) -> str:
    """The text of a prose cell, pictures, figures and card included: Colab opens it alone."""
    lines, card = [], ""
    for node in prose.nodes:
        if isinstance(node, Card):
            card = unfolding(node.said[language], language)
        elif isinstance(node, Figure):
            try:
                lines.append(_figure(node, language))
            except FigureError as error:
                raise ChapterError(f"{chapter.path.name}: {error}") from error
        else:
            lines.append(node.texts[language])
    return "\n\n".join(filter(None, ("\n".join(lines), card)))


def _figure(figure: Figure, language: str) -> str:
    alt = figure.alts[language]
    if figure.is_recorded:
        return static_form(figure.path.with_suffix(".py"), alt, language)
    data = base64.b64encode(_picture_in(figure.path, language)).decode()
    return f"![{alt}](data:image/svg+xml;base64,{data})"


def _picture_in(path: Path, language: str) -> bytes:
    """The SVG at `path` without the elements whose `lang` is another language."""
    svg = ElementTree.parse(path).getroot()
    for parent in svg.iter():
        for child in list(parent):
            if child.get("lang", language) != language:
                parent.remove(child)
    return ElementTree.tostring(svg)


def _code_metadata(cell: Code, language: str) -> dict:
    """Tags and, where a cell is folded, what the site, JupyterLab and Colab need to fold it."""
    metadata: dict = {}
    tags = cell.tags
    mystnb: dict = {}
    fold = next((tag for tag in FOLDS if tag in tags), None)
    if fold:
        show, hide = map(words_in(language), FOLDS[fold])
        mystnb |= {"code_prompt_show": show, "code_prompt_hide": hide}
        metadata |= {"cellView": "form", "jupyter": {"source_hidden": True}}
        folded = "hide-cell" if fold == "solution" else "hide-input"
        tags = list(dict.fromkeys([*tags, folded]))
    if "alt" in cell.metadata:
        mystnb["image"] = {"alt": cell.metadata["alt"][language].strip()}
    if "varies" in cell.metadata:
        metadata["varies"] = dict(cell.metadata["varies"])
    if "idiom" in cell.metadata:
        metadata["idiom"] = cell.metadata["idiom"]
    if tags:
        metadata["tags"] = tags
    if mystnb:
        metadata["mystnb"] = mystnb
    return metadata
