"""The run notices faults planted in the code of the chapters: a sample, the same in every run.

`make mutants` draws anew, plants everything and runs every chapter.
"""

from tests.mutants import FAULTS, another_error, committed, draw, judge, missed, table

SEED = 3
QUICK = "03-counter-pitfall"  # to run code in; its libraries are jax alone


def test_changed_code_with_its_old_outputs_is_noticed(measured):
    quick = [another_error, FAULTS[0]]
    judged = [judge(mutant, committed(QUICK)) for mutant in draw(quick, SEED, 1, QUICK)]
    measured(table(judged))
    assert judged[0].seen, judged[0].name
    assert not missed(judged), table(judged)
