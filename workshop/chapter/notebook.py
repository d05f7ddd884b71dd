"""The notebook of one language: plain Markdown, complete in itself, foldable wherever it is read.

The way of a figure goes in one direction, from its file into the notebook and from the notebook onto
the site; nothing is rebuilt from what was written for readers. A notebook must work alone, so a picture
stands in it as an image and a recorded figure as Markdown. Jupyter Book reads the notebooks and
nothing else. There `picture/on_site.py` and `recorded_figure/on_site.py` take from the comments around
a figure its name alone: the page gets the drawing, which follows its theme, and the player the record.
"""

import nbformat
from nbformat import NotebookNode

from workshop.chapter.model import Card, Chapter, ChapterError, Code, Figure, Prose
from workshop.picture import plain_form
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
            if cell.number:
                caption = plain_form.numbered(
                    cell.metadata["caption"][language], cell.number, language
                )
                cells.append(nbformat.v4.new_markdown_cell(caption))
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
    alt, caption = figure.alts[language], figure.captions[language]
    if not figure.is_recorded:
        return plain_form.static_form(figure.path, alt, caption, figure.number, language)
    shown = static_form(figure.path.with_suffix(".py"), alt, language)
    below = caption and plain_form.numbered(caption, figure.number, language, figure.path.stem)
    return "\n\n".join(filter(None, (shown, below)))


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
