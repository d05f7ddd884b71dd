"""A page of symptoms says that its first cell and an entry's own cells run without the others."""

import re
import subprocess
import sys

import nbformat

from workshop.layout import LANGUAGES, chapter_paths, is_of_symptoms, notebook_path

HEADING = re.compile(r'^(##|###) .*<a id="([^"]+)"></a>', re.MULTILINE)


def entries_of(cells):
    """The code of each entry by its name, behind the first cell and those that open its section."""
    imports, section, entries = [], [], {}
    for cell in cells:
        for level, name in HEADING.findall(cell.source):
            section = [] if level == "##" else section
            entries[name] = [*imports, *section]
        if cell.cell_type == "code" and not entries:
            imports.append(cell)
        elif cell.cell_type == "code":
            entries[name].append(cell)
            if level == "##":
                section.append(cell)
    return entries


def test_an_entry_of_symptoms_needs_no_name_of_another(tmp_path):
    language = next(iter(LANGUAGES))  # both have the same code
    for page in filter(lambda path: is_of_symptoms(path.name), chapter_paths()):
        notebook = nbformat.read(notebook_path(page, language), as_version=4)
        for name, cells in entries_of(notebook.cells).items():
            alone = nbformat.v4.new_notebook(cells=cells)
            nbformat.write(alone, tmp_path / f"{page.name}-{name}.ipynb")
    ruff = [sys.executable, "-m", "ruff", "check", "--isolated", "--select=F821"]
    found = subprocess.run(ruff, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert found.returncode == 0, f"an entry uses a name that only another defines: {found.stdout}"
