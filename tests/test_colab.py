"""What can be proved of Colab offline: a notebook installs what Colab lacks, folds, reads plain.

`make test-colab` runs the notebooks on Colab's published versions; the test of the site checks the
link of each page. The status page says what neither can show.
"""

import ast
import re
import sys
from functools import cache
from importlib.metadata import packages_distributions
from pathlib import Path

import nbformat
import pytest
from nbformat import NotebookNode

from workshop.layout import BOOK, LANGUAGES, chapter_paths, notebook_path

NOTEBOOKS = [notebook_path(path, language) for path in chapter_paths() for language in LANGUAGES]
# What of Colab's published list this book uses.
ON_COLAB = {
    line.partition("==")[0].strip()
    for line in (BOOK.parent / "requirements-colab.txt").read_text("utf8").splitlines()
    if "==" in line and "# not on Colab" not in line
}
INSTALL = re.compile(
    r"^\s*[%!]?(?:(?:uv\s+)?pip|conda|mamba|apt(?:-get)?)\s+install\b(.*)$", re.MULTILINE
)
MYST = {
    "a directive": re.compile(r"^\s*(?:```|:::+)\s*\{", re.MULTILINE),
    "a role": re.compile(r"\{[a-z][\w:-]*\}`"),
    "a target": re.compile(r"^\([\w-]+\)=\s*$", re.MULTILINE),
    "a comment": re.compile(r"^% ", re.MULTILINE),
    "a block break": re.compile(r"^\+\+\+", re.MULTILINE),
    "attributes": re.compile(r"\)\{[.#\w]"),
    "a figure of another file": re.compile(r"!\[[^\]]*\]\((?!data:)"),
}


@pytest.fixture(params=NOTEBOOKS, ids=lambda path: f"{path.parent.name}/{path.stem}")
def notebook(request):
    """Each committed notebook; not to be changed."""
    return read_once(request.param)


@cache
def read_once(path: Path) -> NotebookNode:
    """A notebook."""
    return nbformat.read(path, as_version=4)


def code_of(notebook) -> list[str]:
    """The code cells, with what only IPython understands taken out."""
    cells = [cell.source for cell in notebook.cells if cell.cell_type == "code"]
    return [re.sub(r"^(\s*)[%!].*$", r"\1pass", source, flags=re.MULTILINE) for source in cells]


def imported_in(source: str) -> set[str]:
    """The top-level packages that a cell imports."""
    found = set()
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Import):
            found |= {alias.name.partition(".")[0] for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"a relative import: {ast.unparse(node)}"
            found.add(node.module.partition(".")[0])
    return found - set(sys.stdlib_module_names)


def missing_on_colab(sources: list[str]) -> set[str]:
    """The packages that the code imports and that Colab does not have."""
    distributions = packages_distributions()
    imported = set().union(*map(imported_in, sources))
    return {name for name in imported if not set(distributions.get(name, [])) & ON_COLAB}


def installed_by(sources: list[str]) -> set[str]:
    """The packages that the code installs."""
    words = " ".join(INSTALL.findall("\n".join(sources))).split()
    return {word for word in words if not word.startswith("-")}


def test_what_colab_lacks_and_nothing_else_is_installed(notebook):
    sources = [cell.source for cell in notebook.cells if cell.cell_type == "code"]
    assert missing_on_colab(code_of(notebook)) == installed_by(sources)


def test_prose_is_plain_markdown(notebook):
    for cell in notebook.cells:
        if cell.cell_type == "markdown":
            prose = re.sub(r"(`{3,})[^{].*?\1|`[^`{}]*`", "", cell.source, flags=re.DOTALL)
            found = [name for name, pattern in MYST.items() if pattern.search(prose)]
            assert not found, f"Colab shows {found[0]} as it is typed: {cell.source[:200]}"


def test_solutions_and_checks_are_folded(notebook):
    for cell in notebook.cells:
        cell_tags = set(cell.metadata.get("tags", []))
        if cell_tags & {"solution", "check", "hide-input"}:
            assert cell.metadata.get("cellView") == "form", f"Colab shows {cell.source[:80]}"
            assert cell.metadata.jupyter.source_hidden, f"JupyterLab shows {cell.source[:80]}"
        else:
            assert "cellView" not in cell.metadata, f"Colab folds {cell.source[:80]}"


def test_colab_is_quick_with_it(notebook):
    assert len(nbformat.writes(notebook)) < 3_000_000, "Colab is slow with larger notebooks"
