"""The program that a live box offers: a cell with what it needs of the cells above it.

A live box opens alone, without the cells before its own. So the statements that bind the names
which the cell reads (imports, functions, classes, assignments) are put before it, and those that
these need, in the order of the chapter.
"""

import ast
import symtable
from collections.abc import Iterable

LIVE_TAG = "live"
IMPORTS = (ast.Import, ast.ImportFrom)


def programs(cells: Iterable[tuple[str, list[str]]]) -> dict[int, str]:
    """The program of each cell with the tag `live`, by the place of the cell.

    Args:
        cells: source and tags of the code cells of a chapter, in order.
    """
    above: list[tuple[ast.stmt, str]] = []
    found = {}
    for place, (source, tags) in enumerate(cells):
        tree = ast.parse(source)
        if LIVE_TAG in tags:
            found[place] = _with_needs(above, tree, source)
        above += [(statement, _text(source, statement)) for statement in tree.body]
    return found


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
