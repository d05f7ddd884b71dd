"""Faults of a committed notebook that are seen without running it."""

import re

from nbformat import NotebookNode

from workshop.chapter.read import NOTEBOOK_TAGS
from workshop.runs.compare import ANSI, PLOT, error_in, tidy_paths

KNOWN_TAGS = NOTEBOOK_TAGS | {"hide-input", "hide-cell"}
WRITTEN_BY_RUNS = ("execution", "collapsed", "scrolled", "ExecuteTime")
# A frame of a traceback: the number of its cell, of its line, and the line that an arrow shows.
FRAME = re.compile(r"Cell In\s?\[(\d+)\], line (\d+).*\n(?:(?!Cell In|-+> ).*\n)*-+> \2 (.*)")


def faults_in(notebook: NotebookNode) -> list[str]:
    """One clear line per fault, an empty list for a notebook as `make notebooks` writes it."""
    kernel = notebook.metadata.get("kernelspec", {}).get("name")
    if kernel != "python3":
        return [f"is for the kernel {kernel!r}, not 'python3'"]
    found = []
    expected = 0
    run = (cell for cell in notebook.cells if cell.cell_type == "code")
    sources = {number: cell.source for number, cell in enumerate(run, start=1)}
    for number, cell in enumerate(notebook.cells, start=1):
        faults = [] if cell.get("id") else ["has no id"]
        faults += [f"keeps {name!r} of a run" for name in WRITTEN_BY_RUNS if name in cell.metadata]
        if cell.cell_type == "code":
            expected += 1
            faults += _code_faults(cell, expected, sources)
        found += [f"{name_of(number, cell)} {fault}" for fault in faults]
    return found


def name_of(number: int, cell: NotebookNode) -> str:
    """Name a cell so that a person finds it: number in the notebook and first line."""
    first = next((line for line in cell.source.splitlines() if line.strip()), "(empty)")
    return f"cell {number} ({first.strip()[:60]!r})"


def _code_faults(cell: NotebookNode, expected: int, sources: dict[int, str]) -> list[str]:
    if cell.execution_count is None:
        return ["was never run"]
    if cell.execution_count != expected:
        return [f"has execution count {cell.execution_count}, expected {expected}"]
    faults = [
        f"has the unknown tag {tag!r}"
        for tag in cell.metadata.get("tags", [])
        if tag not in KNOWN_TAGS
    ]
    for output in cell.outputs:
        if output.output_type == "execute_result" and output.execution_count != expected:
            faults.append(f"has a result numbered {output.execution_count}, expected {expected}")
        if "image/png" in output.get("data", {}) and PLOT not in output.metadata:
            faults.append("has a picture without the data that it shows")
    error = error_in(cell)
    traceback = ANSI.sub("", "\n".join(error.traceback)) if error else ""
    numbers = re.findall(r"Cell In\s?\[(\d+)\]", traceback)
    if numbers and numbers[0] != str(expected):
        faults.append(f"has a traceback of cell In[{numbers[0]}], expected In[{expected}]")
    for number, line, shown in FRAME.findall(traceback):
        lines = [line.strip() for line in sources.get(int(number), "").split("\n")]
        if shown.strip() not in lines:  # (JAX makes up frames whose number is not the line's)
            faults.append(f"has a traceback whose line {line} is no line of In[{number}]")
    if any(text != tidy_paths(text) for text in _texts(cell)):
        faults.append("documents a path of the machine that ran it")
    return faults


def _texts(cell: NotebookNode) -> list[str]:
    texts = []
    for output in cell.outputs:
        if output.output_type == "stream":
            texts.append(output.text)
        elif output.output_type == "error":
            texts += [output.evalue, "\n".join(output.traceback)]
        else:
            texts += [text for mime, text in output.data.items() if mime.startswith("text/")]
    return texts
