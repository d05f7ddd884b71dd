"""Which cells get a live box, and the program that it offers: the cell with what it needs.

A live box opens alone, without the cells before its own. So the statements that bind the names
which the cell reads (imports, functions, classes, assignments) are put before it, and those that
these need, in the order of the chapter. A cell gets its box where this program, run as the page
runs it (`in_page.py`), prints what the cell documents; any other cell stands as it is.
"""

import ast
import json
import subprocess
import symtable
import sys
from pathlib import Path

from nbformat import NotebookNode

LIVE = "live"  # in the metadata of a cell: it has a box
WITHOUT_BOX = {"exercise", "check", "solution", "hide-input", "raises-exception"}
SECONDS = 60  # for the programs of a chapter, each of which counts its steps
IMPORTS = (ast.Import, ast.ImportFrom)


def programs(sources: list[str]) -> list[str]:
    """The program of each code cell of a chapter; empty where there is none."""
    above: list[tuple[ast.stmt, str]] = []
    found = []
    for source in sources:
        try:
            tree = ast.parse(source)
            found.append(_with_needs(above, tree, source))
        except SyntaxError:  # a magic, or what the cell shows
            found.append("")
            continue
        above += [(statement, _text(source, statement)) for statement in tree.body]
    return found


def mark_live(cells: list[NotebookNode]) -> None:
    """Note at each code cell of a chapter, run, whether it gets a box."""
    offered = programs([cell.source for cell in cells])
    asked = [place for place, cell in enumerate(cells) if offered[place] and printed(cell)]
    answers = in_page([offered[place] for place in asked])
    answered = dict(zip(asked, answers, strict=True))
    for place, cell in enumerate(cells):
        cell.metadata.pop(LIVE, None)
        answer = answered.get(place)
        if answer is not None and answer.split() == printed(cell).split():
            cell.metadata[LIVE] = True


def in_page(asked: list[str]) -> list[str | None]:
    """What each program prints in the page; None where it prints nothing to be compared."""
    command = [sys.executable, "-I", Path(__file__).with_name("in_page.py")]
    try:
        run = subprocess.run(
            command,
            input=json.dumps(asked).encode(),
            stdout=subprocess.PIPE,
            check=True,
            timeout=SECONDS,
        )
    except subprocess.TimeoutExpired:  # one step without end
        return [None] * len(asked)
    return json.loads(run.stdout)


def printed(cell: NotebookNode) -> str:
    """What a cell prints that may have a box; empty where it shows anything else."""
    shown = all(o.output_type == "stream" and o.name == "stdout" for o in cell.outputs)
    out = not shown or "varies" in cell.metadata or WITHOUT_BOX & {*cell.metadata.get("tags", [])}
    return "" if out else "".join(output.text for output in cell.outputs).strip()


def _with_needs(above: list[tuple[ast.stmt, str]], tree: ast.Module, source: str) -> str:
    """Put what the cell needs before it: imports first, a blank line between blocks."""
    own = set().union(*map(_bound, tree.body))
    wanted, needed = _read(source) - own, []
    for statement, text in reversed(above):
        if bound := _bound(statement) & wanted:
            wanted = wanted - bound | _read(text)
            needed.insert(0, (statement, text))
    imports = [text for node, text in needed if isinstance(node, IMPORTS)]
    rest = [text for node, text in needed if not isinstance(node, IMPORTS)]
    blocks = ["\n".join(imports), *rest, source.strip()]
    return "\n\n".join(block for block in blocks if block)


def _text(source: str, statement: ast.stmt) -> str:
    """The lines of a statement, decorators included."""
    first = min([statement.lineno, *[d.lineno for d in getattr(statement, "decorator_list", [])]])
    return "\n".join(source.splitlines()[first - 1 : statement.end_lineno])


def _bound(statement: ast.stmt) -> set[str]:
    """The names that a statement binds for later cells."""
    if isinstance(statement, IMPORTS):
        return {(alias.asname or alias.name).split(".")[0] for alias in statement.names}
    if isinstance(statement, ast.FunctionDef | ast.ClassDef):
        return {statement.name}
    if isinstance(statement, ast.Assign):
        targets = [node for target in statement.targets for node in ast.walk(target)]
        return {
            node.id
            for node in targets
            if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)
        }
    return set()


def _read(source: str) -> set[str]:
    """The names that a piece of code looks up among the names of its module."""
    found, tables = set(), [symtable.symtable(source, "cell", "exec")]
    while tables:
        table = tables.pop()
        tables += table.get_children()
        inside = table.get_type() != "module"
        found |= {
            symbol.get_name()
            for symbol in table.get_symbols()
            if symbol.is_referenced() and (symbol.is_global() or not inside)
        }
    return found
