"""The checks see faults planted in the chapters, and flag nothing harmless: a sample of both.

The sample is drawn anew each time; pytest prints its seed, and MUTANTS_SEED repeats it. What is
documented stands here for what a run produces (`book` runs it); only some changes of code are run.
`make mutants` plants everything and runs every chapter.
"""

import os

import pytest

from tests.faults_of_chapters import CODE_FAULTS, SOURCE_FAULTS, another_error
from tests.faults_of_notebooks import NOTEBOOK_FAULTS, OUTPUT_FAULTS
from tests.harmless_changes import HARMLESS_PROSE
from tests.mutants import (
    CHAPTERS,
    Rng,
    code_of,
    committed,
    draw,
    faults,
    flagged_change,
    flagged_runs,
    judge,
    judge_statically,
    missed,
    plant,
    table,
)

SEED = int(os.environ["MUTANTS_SEED"])  # set in site_fixtures.py where it is not given
SHARE = 0.06
CHAPTER = Rng(SEED).choice(list(CHAPTERS)[1:])
QUICK = "03-counter-pitfall"  # to run code in; its libraries are jax alone


def documented(chapter):
    return code_of(committed(chapter)[1]["ko"])


def test_planted_faults_are_caught(measured):
    planted = draw(OUTPUT_FAULTS, SEED, SHARE * 2)
    planted += draw(NOTEBOOK_FAULTS | SOURCE_FAULTS, SEED, SHARE)
    judged = [judge(mutant, documented(mutant.chapter)) for mutant in planted]
    measured(table(judged))
    loose = [mutant.name for mutant in missed(judged) if not mutant.excuse]
    assert not loose, f"MUTANTS_SEED={SEED}: not caught: {loose}"


def test_code_changed_in_one_place_only_is_caught():
    planted = draw(CODE_FAULTS, SEED, SHARE)
    halfway = [mutant for mutant in planted if mutant.way != "in both"]
    for mutant in halfway:
        judge_statically(mutant)
    missed = [mutant.name for mutant in halfway if not mutant.static]
    assert not missed, f"MUTANTS_SEED={SEED}: not caught: {missed}"


def test_changed_code_with_its_old_outputs_is_caught_by_the_run(measured):
    rng = Rng(SEED)
    kinds = [another_error, *rng.sample([kind for kind in CODE_FAULTS if kind != another_error], 1)]
    judged = []
    for kind in kinds:
        drawn = (plant(kind, QUICK, rng) for _ in range(50))
        mutant = next((mutant for mutant in drawn if mutant and mutant.way == "in both"), None)
        if mutant:
            judged.append(judge(mutant, documented(QUICK)))
    measured(table(judged))
    assert judged[0].run, judged[0].name
    assert not missed(judged), f"MUTANTS_SEED={SEED}: {missed(judged)[0].name}"
    assert faults(judged)


def test_what_may_differ_between_runs_is_not_flagged():
    flagged = {name: line for name, line in flagged_runs(CHAPTER).items() if line}
    assert not flagged, f"MUTANTS_SEED={SEED}, {CHAPTER}: {flagged}"


@pytest.mark.parametrize("name", Rng(SEED).sample(list(HARMLESS_PROSE), 3))
def test_harmless_change_of_prose_is_not_flagged(name):
    change = HARMLESS_PROSE[name]
    flagged = flagged_change(CHAPTER, name, change, Rng(SEED))
    assert not flagged, f"MUTANTS_SEED={SEED}, {CHAPTER}, {name}: {flagged}"
