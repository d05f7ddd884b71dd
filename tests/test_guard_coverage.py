"""How much of what the pages show would be missed if it were wrong; no kernel is needed.

Each digit of each documented output is changed, each output deleted, and the comparison asked. What
it lets pass must be allowed by a written reason.
"""

import copy
import tomllib
from functools import cache
from pathlib import Path
from typing import NamedTuple

import nbformat
import pytest

from tests.mutants import CHAPTERS, committed, places_of, reason_to_pass, visible_texts
from workshop.chapter.lint import faults_in
from workshop.layout import notebook_path
from workshop.runs.compare import differences

RELAXED = Path(__file__).with_name("relaxed_cells.toml")
LEAST = 0.9  # of the digits of each chapter, in the pinned mode
MODES = ("pinned", "tolerant")


class Coverage(NamedTuple):
    """Of one chapter: digits and outputs, how many of them each mode guards, and the rest."""

    digits: int
    guarded: dict[str, int]
    outputs: int
    missing_seen: dict[str, int]
    reasons: dict[str, int]  # for digits that the pinned mode lets pass; "" where there is none


@cache
def coverage_of(chapter: str) -> Coverage:
    """Change each visible digit by one and delete each output of a chapter, one at a time."""
    notebook = nbformat.read(notebook_path(CHAPTERS[chapter], "ko"), as_version=4)
    digits, outputs = 0, 0
    guarded, missing_seen = dict.fromkeys(MODES, 0), dict.fromkeys(MODES, 0)
    reasons: dict[str, int] = {}
    for cell in (cell for cell in notebook.cells if cell.cell_type == "code"):
        true = copy.deepcopy(cell)
        for box, key in visible_texts(cell):
            text = box[key]
            for at in places_of(text, r"\d"):
                digits += 1
                box[key] = f"{text[:at]}{(int(text[at]) + 1) % 10}{text[at + 1 :]}"
                seen = {mode: bool(differences(cell, true, mode)) for mode in MODES}
                if not seen["pinned"] and faults_in(notebook):
                    seen = dict.fromkeys(MODES, True)
                if not seen["pinned"]:
                    reason = reason_to_pass(true, cell)
                    reasons[reason] = reasons.get(reason, 0) + 1
                for mode in MODES:
                    guarded[mode] += seen[mode]
            box[key] = text
        for place in range(len(true.outputs)):
            outputs += 1
            output = cell.outputs.pop(place)
            for mode in MODES:
                missing_seen[mode] += bool(differences(cell, true, mode))
            cell.outputs.insert(place, output)
    return Coverage(digits, guarded, outputs, missing_seen, reasons)


@pytest.mark.parametrize("chapter", CHAPTERS)
def test_a_wrong_digit_is_noticed(chapter, measured):
    found = coverage_of(chapter)
    shares = ", ".join(
        f"{mode} {found.guarded[mode] / found.digits:.1%} of digits and "
        f"{found.missing_seen[mode]} of {found.outputs} deleted outputs"
        for mode in MODES
    )
    measured(
        "\n  ".join(
            [f"{chapter}: {found.digits} digits; noticed: {shares}"]
            + [f"{number} digits may differ: {reason}" for reason, number in found.reasons.items()]
        )
    )
    assert "" not in found.reasons, f"{chapter}: {found.reasons['']} digits may differ, no reason"
    assert found.missing_seen["pinned"] == found.outputs
    if chapter[:2] != "00":  # the introduction shows the version and little else
        assert found.guarded["pinned"] >= LEAST * found.digits


def test_no_cell_is_relaxed_unseen():
    counted = {}
    for chapter in CHAPTERS:
        if number := sum("varies" in cell.metadata for cell in committed(chapter)):
            counted[chapter] = number
    wanted = tomllib.loads(RELAXED.read_text(encoding="utf8"))
    assert counted == wanted, (
        f"{RELAXED.name} says {wanted}, the chapters hold {counted} cells with `varies`; print what "
        "is stable instead, or write the new number there and why in the reason of the cell"
    )
