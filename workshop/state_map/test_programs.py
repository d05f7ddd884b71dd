"""The state map is whole: each cell is short, explained in both languages, and can be put right."""

import re

import pytest

from workshop.layout import CHAPTERS, LANGUAGES
from workshop.state_map.cells import ENVIRONMENTS, cells, read_record, words
from workshop.state_map.programs import KINDS, PLAIN, SET_UP, SOURCE, cells_of
from workshop.state_map.run import KEPT

MAP = cells()
LONGEST = 15


@pytest.mark.parametrize("kind", KINDS)
def test_programs_are_short_and_print_their_state(kind):
    for name, source in cells_of(kind).items():
        lines = [line for line in source.splitlines() if line.strip()]
        if name != SET_UP:
            assert lines[-1].startswith("print("), f"{kind}.py, {name}: the last line must print"
            assert len(lines) <= LONGEST, f"{kind}.py, {name}: {len(lines)} lines, not {LONGEST}"
    assert PLAIN in cells_of(kind), f"{kind}.py: has no cell `plain`"


def test_every_file_is_a_kind_of_the_map():
    files = {path.stem for path in SOURCE.glob("*.py")} - {"header"}
    assert files == set(KINDS) == set(words())


def test_cells_of_refuses_names_that_the_map_lacks(tmp_path):
    (tmp_path / "kind.py").write_text("# %% jitt\nprint(1)\n")
    with pytest.raises(ValueError, match=r"kind\.py: no transformation of the map is named 'jitt'"):
        cells_of("kind", tmp_path)
    (tmp_path / "kind.py").write_text("# %% jit\nprint(1)\n# %% jit\nprint(2)\n")
    with pytest.raises(ValueError, match="two cells are named 'jit'"):
        cells_of("kind", tmp_path)


@pytest.mark.parametrize("cell", MAP.values(), ids=lambda cell: cell.anchor)
def test_cell_is_explained_and_can_be_put_right(cell):
    for said in (cell.why, cell.mend, cell.none):
        for language in LANGUAGES:
            assert said is None or said[language].endswith("."), f"{cell.anchor}: {said}"
    if not cell.program:
        return
    assert cell.why, f"{cell.anchor}: words.yml doesn't say why"
    chapter, _, anchor = cell.see.partition("#")
    text = (CHAPTERS / chapter / "chapter.md").read_text("utf8")
    assert f'<a id="{anchor}"></a>' in text, f"{cell.anchor}: no anchor {cell.see}"
    if cell.goes_wrong:
        assert cell.mend, f"{cell.anchor}: words.yml doesn't say how to put it right"
        instead = MAP[cell.take or cell.kind, cell.transformation]
        assert instead.program, f"{cell.anchor}: takes {cell.take}, which has no program there"
        ends = instead.fix_outcomes if instead.fix else instead.outcomes
        assert cell.fix or instead is not cell, f"{cell.anchor}: has no cell `fix` and no `take`"
        for fixed in (cell.fix_outcomes, ends) if cell.fix else (ends,):
            for environment, outcome in fixed.items():
                assert outcome["verdict"] == KEPT, f"{cell.anchor} on {environment}: {outcome}"
    else:
        assert not cell.fix, f"{cell.anchor}: is kept, and has a cell `fix`"


@pytest.mark.parametrize("environment", ENVIRONMENTS)
def test_record_has_the_programs_of_the_map(environment):
    recorded = {kind: set(found) for kind, found in read_record(environment)["kinds"].items()}
    for kind in KINDS:
        names = {name for name in cells_of(kind) if not re.match(f"{SET_UP}|{PLAIN}", name)}
        assert recorded[kind] == names, f"{kind}.py changed; run `make state-map`"
