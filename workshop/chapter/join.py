"""Join what two authors wrote apart, one in each language, to a chapter.

    python -m workshop.chapter.join drafts/14-keras-metrics-and-saving

`drafts/NAME.cells.md` is a MyST notebook: code cells, each one that readers see with a `name` of its
own, and notes to the authors as Markdown. `drafts/NAME.ko.md` and `NAME.en.md` are plain Markdown, in
which a line `[[name]]` stands for each cell, in the order of the cells, and a line
`[[name alt: …]]` behind it tells what a plot shows. The cell `judge`, with which the exercises begin,
may be left empty.
"""

import re
import subprocess
import sys
from pathlib import Path

import jupytext
import nbformat
from nbformat import NotebookNode

from workshop.chapter.checks import SET_UP_CELL
from workshop.chapter.model import IN_NO_NOTEBOOK, ChapterError
from workshop.layout import BOOK, LANGUAGES

SLOT = re.compile(r"^\[\[([a-z0-9-]+)\]\]$", re.MULTILINE)
ALT = re.compile(r"^\[\[([a-z0-9-]+) alt: (.+)\]\]\n?", re.MULTILINE)


RUFF = [sys.executable, "-m", "ruff", "--config", BOOK / "ruff.toml"]


def cells_by_name(notebook: NotebookNode) -> dict[str, list[NotebookNode]]:
    """Each cell that readers see, by name, with the cells for the tests alone that follow it."""
    found: dict[str, list[NotebookNode]] = {}
    for cell in (cell for cell in notebook.cells if cell.cell_type == "code"):
        if set(IN_NO_NOTEBOOK) & set(cell.metadata.get("tags", [])):
            found[next(reversed(found))].append(cell)
            continue
        name = cell.metadata.pop("name", "")
        if not name or name in found:
            raise ChapterError(f"cell {cell.source[:40]!r}: give it a name of its own")
        found[name] = [cell]
        if name == "judge":
            cell.source = SET_UP_CELL.read_text("utf8").strip()
    return found


def format_code(cells: list[NotebookNode]) -> None:
    """Format code cells in place, as the tests ask of a notebook.

    Raises:
        ChapterError: a cell that is no Python, in the formatter's words.
    """
    notebook = nbformat.v4.new_notebook(
        cells=[nbformat.v4.new_code_cell(cell.source) for cell in cells]
    )
    done = subprocess.run(
        [*RUFF, "format", "--stdin-filename", "cells.ipynb", "-"],
        input=nbformat.writes(notebook),
        capture_output=True,
        text=True,
        check=False,
    )
    if done.returncode:
        raise ChapterError(done.stderr.strip())
    for cell, formatted in zip(cells, nbformat.reads(done.stdout, as_version=4).cells, strict=True):
        cell.source = formatted.source


def joined(draft: Path) -> str:
    """The text of the chapter.

    Raises:
        ChapterError: a cell without a name, or a language that leaves out, adds or moves a cell.
    """
    cells_file = draft.with_name(f"{draft.name}.cells.md")
    notebook = jupytext.read(cells_file, fmt="md:myst")
    cells = cells_by_name(notebook)
    prose = {}
    for code in LANGUAGES:
        path = draft.with_name(f"{draft.name}.{code}.md")
        text = path.read_text("utf8")
        for name, alt in ALT.findall(text):
            cells[name][0].metadata.setdefault("alt", {})[code] = alt
        prose[code] = SLOT.split(ALT.sub("", text))
        if prose[code][1::2] != list(cells):
            wrong = next(
                (
                    pair
                    for pair in zip(prose[code][1::2], cells, strict=False)
                    if len(set(pair)) > 1
                ),
                ("the end", "another cell"),
            )
            raise ChapterError(f"{path.name}: {wrong[0]} where {wrong[1]} is due")
    parts = []
    for texts in zip(*prose.values(), strict=True):
        if texts[0] in cells:
            parts += cells[texts[0]]
        elif any(text.strip() for text in texts):
            parts += [
                nbformat.v4.new_markdown_cell(text.strip(), metadata={"lang": code})
                for code, text in zip(prose, texts, strict=True)
            ]
    format_code([cell for cell in parts if cell.cell_type == "code"])
    notebook.cells = parts
    return jupytext.writes(notebook, fmt="md:myst")


def main(draft: str) -> None:
    """Write the chapter; `make notebooks` then runs it."""
    path = BOOK / "chapters" / f"{Path(draft).name}.md"
    path.write_text(joined(Path(draft)), "utf8")
    print(f"{path.name}: written; now run: make notebooks")


if __name__ == "__main__":
    try:
        main(*sys.argv[1:])
    except (ChapterError, OSError) as error:
        sys.exit(f"error: {error}")
