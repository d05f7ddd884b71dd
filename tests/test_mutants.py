"""The run notices faults planted in the chapters: a sample, the same in every run of the tests.

What is documented stands here for what a run produces (`book` runs it); only some changes of code
are run. `make mutants` draws anew, plants everything and runs every chapter.
"""

from tests.mutants import (
    CODE_FAULTS,
    OUTPUT_FAULTS,
    another_error,
    committed,
    draw,
    judge,
    missed,
    table,
)

SEED = 3
QUICK = "03-counter-pitfall"  # to run code in; its libraries are jax alone


def test_a_planted_output_is_noticed(measured):
    planted = draw(OUTPUT_FAULTS, SEED, 3)
    judged = [judge(mutant, committed(mutant.chapter)) for mutant in planted]
    measured(table(judged))
    assert {mutant.kind for mutant in judged} == {
        k.__name__.replace("_", " ") for k in OUTPUT_FAULTS
    }
    loose = [mutant.name for mutant in missed(judged) if not mutant.excuse]
    assert not loose, f"not noticed: {loose}"


def test_changed_code_with_its_old_outputs_is_noticed(measured):
    quick = [another_error, CODE_FAULTS[0]]
    judged = [judge(mutant, committed(QUICK)) for mutant in draw(quick, SEED, 1, QUICK)]
    measured(table(judged))
    assert judged[0].seen, judged[0].name
    assert not missed(judged), table(judged)
