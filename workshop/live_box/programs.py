"""Which cells get a live box, and the program that it offers: the cell with what it needs.

A live box opens alone, without the cells before its own. So the statements that bind the names
which the cell reads (imports, functions, classes, assignments) are put before it, and those that
these need, in the order of the chapter. A cell gets its box where this program, run as the page
runs it (`in_page.py`), prints what the cell documents; any other cell stands as it is. An exercise gets
one where its check, run so after an answer, says of the solution, of none and of each wrong answer what
it must. A check that runs JAX to know what is right does so in a function `truth_1`; in the page this
returns the answer of the solution, which the run of the chapter found right.
"""

import ast
import json
import re
import subprocess
import symtable
import sys
from pathlib import Path

from nbformat import NotebookNode

from workshop.chapter.model import Answer

LIVE = "live"  # in the metadata of a cell: it has a box
WITHOUT_BOX = {"exercise", "check", "solution", "hide-input", "raises-exception"}
SECONDS = 60  # for the programs of a chapter, each of which counts its steps
IMPORTS = (ast.Import, ast.ImportFrom)
TRUTH = re.compile(r"^(def truth_\d\(.*\n)(?:(?: .*)?\n)+?(?=\S)", re.MULTILINE)


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


def check_of(sources: list[str], exercise: int) -> str:
    """What judges an answer, with all that it needs but the answer; an exercise's check is next."""
    return programs([*sources[:exercise], sources[exercise + 1]])[-1]


def with_truths(sources: list[str]) -> list[str]:
    """The cells, where each function that finds the truth returns the next cell's answer instead."""
    return [
        TRUTH.sub(lambda found, after=after: f"{found[1]}    return {_judged(after)}\n", source)
        for source, after in zip(sources, [*sources[1:], ""], strict=True)
    ]


def _judged(solution: str) -> str:
    """The answer that a solution hands to its check, as it is written there."""
    judged = ast.parse(solution).body[-1].value
    return ast.get_source_segment(solution, judged.args[-1])


def mark_live(cells: list[NotebookNode], tried: dict[int, list[Answer]]) -> None:
    """Note at each code cell of a chapter, run, whether it gets a box.

    `tried` holds, by the number of an exercise, the answers that its check must know.
    """
    sources = with_truths([cell.source for cell in cells])
    offered, solutions = programs(sources), _tagged(cells, "solution")
    asked = [n for n, cell in enumerate(cells) if offered[n] and (printed(cell) or n in solutions)]
    answers = in_page([offered[place] for place in asked])
    same = {
        place
        for place, answer in zip(asked, answers, strict=True)
        if answer is not None and answer.split() == _text_below(cells[place]).split()
    }
    live = same - solutions
    for number, place in enumerate(sorted(_tagged(cells, "exercise")), start=1):
        answers = tried.get(number, [])
        check = place + 2 in same and check_of(sources, place)
        if check and _is_judged(cells[place : place + 2], answers, check):
            live.add(place)
    for place, cell in enumerate(cells):
        cell.metadata.pop(LIVE, None)
        if place in live:
            cell.metadata[LIVE] = True


def _tagged(cells: list[NotebookNode], tag: str) -> set[int]:
    return {n for n, cell in enumerate(cells) if tag in cell.metadata.get("tags", [])}


def _is_judged(cells: list[NotebookNode], answers: list[Answer], check: str) -> bool:
    """Whether the check of an exercise says what it must of the place to answer and of answers."""
    exercise, judge = cells
    wanted = [_text_below(judge), *(answer.says or ": correct" for answer in answers)]
    tried = [exercise.source, *(answer.source for answer in answers)]
    said = in_page([f"{answer}\n\n{check}" for answer in tried])
    return all(told is not None and words in told for words, told in zip(wanted, said, strict=True))


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
    return "" if out else _text_below(cell).strip()


def _text_below(cell: NotebookNode) -> str:
    return "".join(output.get("text", "") for output in cell.outputs)


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
