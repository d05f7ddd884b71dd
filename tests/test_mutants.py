"""Faults planted in the code of the chapters are noticed, and one that isn't needs a reason.

`make mutants` draws anew, plants everything and runs every chapter; here is a sample, the same in
every run.
"""

from pathlib import Path
from random import Random as Rng

import pytest
from nbformat.v4 import new_code_cell, new_output

from tests import mutants
from tests.altered_numbers import refusals
from tests.mutants import (
    FAULTS,
    another_error,
    committed,
    draw,
    exit_status,
    look_for,
    missed,
    plant,
    table,
)
from tests.small_chapter import HEADER, code, pair
from workshop.chapter.read import parse

SEED = 3
QUICK = "04-explicit-state"  # to run code in; its libraries are jax alone


def test_changed_code_with_its_old_outputs_is_noticed(measured):
    quick = [another_error, FAULTS[0]]
    found = [look_for(mutant, committed(QUICK)) for mutant in draw(quick, SEED, 1, QUICK)]
    measured(table(found))
    assert found[0].seen, found[0].name
    assert not missed(found), table(found)


@pytest.mark.parametrize(
    ("varies", "status", "said"),
    [(None, 1, "no reason is written"), ({"pattern": ".*", "reason": "a clock"}, 0, "a clock")],
)
def test_a_fault_that_nobody_sees_fails_without_a_reason(varies, status, said, monkeypatch):
    cell = new_code_cell("print(1)", metadata={"varies": varies} if varies else {})
    monkeypatch.setattr(mutants, "committed", lambda chapter: [cell])
    mutant = plant(FAULTS[0], "any", Rng(SEED))
    assert exit_status([mutant]) == status
    assert table([mutant]).endswith(f"MISSED {mutant.name}: {said}")
    mutant.seen = "documented '1', produced '2'"
    assert exit_status([mutant]) == 0


def test_numbers_are_altered_and_refused():
    """0.6 stands nowhere; 0.9 stands in the output, but not in the other language."""
    prose = pair("# 1. 가\n\n0.5, 0.8입니다.", "# 1. A\n\nIt's 0.5, then 0.8.")
    chapter = parse(Path("01-a"), HEADER + prose + code("print(x)"))
    chapter.code[0].outputs = [new_output("stream", text="0.5 0.8 0.9")]
    found = refusals(chapter)
    for language in ("ko", "en"):
        assert found[language, "altered"] == found[language, "by either"] == 2
        assert found[language, "by its section"] == 1
