"""The Python files of a chapter's folder: its exercises and its guards, in percent format.

Nothing of a cell but its header is read here; what it says runs with the chapter.

`exercises.py` holds, for each exercise of `chapter.md` by its number,
    # %% check 2              a function `check_2`, which the writer puts below the exercise
    # %% solution 2           the solution that a reader may unfold
    # %% right 2              other answers that the check must accept
    # %% wrong 2: the count   answers that it must refuse with words that hold these
where each statement that binds `answer_2` ends one answer.

`guards.py` holds what the chapter says, in asserts for the tests alone:
    # %% after: some-anchor 3     run after the section's third code cell, in a run of their own
without a number after its last one; `title` is the part above the first anchor. The names of
`runs/guarding.py` are there.
"""

import ast
import re
from dataclasses import dataclass, field

from workshop.chapter.model import Answer, ChapterError, Place

HEADER = re.compile(r"^# %%(?: (.*))?$", re.MULTILINE)
OF_EXERCISE = re.compile(r"(?P<kind>check|solution|right|wrong) (?P<number>\d)(?:: (?P<says>.+))?")
OF_GUARD = re.compile(r"after: (?P<anchor>[\w-]+)(?: (?P<count>\d+))?")


@dataclass
class Judged:
    """What `exercises.py` holds for one exercise."""

    check: tuple[Place, str] | None = None
    solution: tuple[Place, str] | None = None
    answers: list[Answer] = field(default_factory=list)


def exercises_in(text: str, file: str) -> dict[int, Judged]:
    """What a file of exercises holds, by number.

    Raises:
        ChapterError: a cell is of no known kind, or an answer is none; with file, line and mend.
    """
    found: dict[int, Judged] = {}
    for place, header, source in cells_in(text, file):
        of = OF_EXERCISE.fullmatch(header)
        if not of or bool(of["says"]) != (of["kind"] == "wrong"):
            raise ChapterError(
                f"{place}: write '# %% check N', '# %% solution N', '# %% right N' or "
                "'# %% wrong N: words of the check's message'"
            )
        number = int(of["number"])
        judged = found.setdefault(number, Judged())
        if of["kind"] in ("right", "wrong"):
            judged.answers += _answers(place, source, number, of["says"] or "")
        elif getattr(judged, of["kind"]):
            raise ChapterError(f"{place}: a second {of['kind']} {number}; remove one")
        else:
            setattr(judged, of["kind"], (place, source))
    return found


def guards_in(text: str, file: str) -> list[tuple[Place, str, int | None, str]]:
    """Place, anchor, number of the code cell and source of each guard, in the order of the file."""
    found = []
    for place, header, source in cells_in(text, file):
        if not (of := OF_GUARD.fullmatch(header)):
            raise ChapterError(f"{place}: write '# %% after: anchor' or '# %% after: anchor 2'")
        found.append((place, of["anchor"], of["count"] and int(of["count"]), source))
    return found


def cells_in(text: str, file: str) -> list[tuple[Place, str, str]]:
    """Place, header and source of each cell of a Python file in percent format."""
    try:
        ast.parse(text)
    except SyntaxError as error:
        raise ChapterError(f"{file}, line {error.lineno}: is no Python ({error.msg})") from None
    headers = list(HEADER.finditer(text))
    ends = [header.start() for header in headers[1:]] + [len(text)] * bool(headers)
    return [
        (
            Place(file, f"line {text.count(chr(10), 0, header.start()) + 1}", header[0]),
            header[1] or "",
            text[header.end() : end].strip(),
        )
        for header, end in zip(headers, ends, strict=True)
    ]


def _answers(place: Place, source: str, number: int, says: str) -> list[Answer]:
    """The answers of a cell: each ends with the statement that binds its name."""
    lines, found, start = source.splitlines(), [], 0
    for statement in ast.parse(source).body:
        if f"answer_{number}" in _bound(statement):
            text = "\n".join(lines[start : statement.end_lineno]).strip()
            found.append(Answer(place, text, says))
            start = statement.end_lineno
    if not found or any(line.strip() for line in lines[start:]):
        raise ChapterError(f"{place}: end each answer with what binds answer_{number}")
    return found


def _bound(statement: ast.stmt) -> set[str]:
    if isinstance(statement, ast.FunctionDef | ast.ClassDef):
        return {statement.name}
    targets = statement.targets if isinstance(statement, ast.Assign) else []
    return {
        node.id for target in targets for node in ast.walk(target) if isinstance(node, ast.Name)
    }
