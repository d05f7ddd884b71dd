"""What the code of a chapter makes, for pictures that show values of the chapter's own run."""

import contextlib
import io
import re
import runpy
from itertools import takewhile
from pathlib import Path

from workshop.chapter.model import Code
from workshop.chapter.read import read_chapter
from workshop.layout import CHAPTERS


def run_up_to(anchor: str, room: str) -> tuple[dict, str]:
    """Run, as one program in the working folder, the code of a chapter that stands before a section.

    Args:
        anchor: the section that is not run, nor what follows it.
        room: the folder of the chapter.

    Returns:
        The names that the program left, and what it printed.

    Raises:
        ValueError: the chapter has no such section.
    """
    sections = read_chapter(CHAPTERS / room).sections
    before = list(takewhile(lambda section: section.anchor != anchor, sections))
    if len(before) == len(sections):
        raise ValueError(f"{room} has no section {anchor!r}; name one of its anchors")
    cells = [cell.source for section in before for cell in section.cells if isinstance(cell, Code)]
    program = Path("chapter.py")
    program.write_text(re.sub(r"(?m)^( *)%", r"\1pass  # %", "\n".join(cells)), "utf8")
    printed = io.StringIO()
    with contextlib.redirect_stdout(printed):
        names = runpy.run_path(str(program))
    return names, printed.getvalue()
