"""The model of JAX in the live boxes answers as jax does, or says that it does not know.

A cell has its box where the model prints what the cell documents. Every variation in
`live_programs` runs under jax and under the model: here in CPython, in `test_live_box_in_browser` in
MicroPython as the reader runs it.
"""

import contextlib
import copy
import gzip
import hashlib
import io
import re
import sys
import tomllib
from functools import cache
from pathlib import Path
from typing import NamedTuple
from unittest.mock import patch

import jax
import nbformat
import pytest

from workshop.chapter.model import Answer, Place
from workshop.chapter.read import read_chapter
from workshop.chapter.write import committed_cells
from workshop.layout import ROOT, chapter_paths
from workshop.live_box.live_programs import variations
from workshop.live_box.programs import LIVE, mark_live

pytestmark = pytest.mark.xdist_group("live box")  # what jax answers is found out once
BOX = Path(__file__).parent / "static/live-box"
sys.path.insert(0, str(BOX))
import small_python
import tiny_jax

CLICK_BYTES = 300_000  # gzipped: what a click on a box may load
REACHED = 0.75  # of the variations at least are answered and not refused
# The variations that must be answered: with the two classic errors, and what a reader tries first.
CLASSIC = ("'if x > 0", "'kept.append", "method after", "method under", "a leak mended", "one dict")
FIRST_WORDS = 6  # of an error are compared


class Ending(NamedTuple):
    """What a program did: its output, and the type and first words of the error that ended it."""

    output: str
    error: str = ""


def error_text(name: str, message: str) -> str:
    """The type and the first words of an error."""
    return " ".join([name, *re.sub(r" at (0x\w+|\S+:\d+)", "", message).split()[:FIRST_WORDS]])


def run(program: str, names: dict) -> Ending:
    """Run a program with the modules that stand in `sys.modules` under the name of jax.

    Args:
        program: the program.
        names: where it keeps its names.

    Raises:
        tiny_jax.OutOfReach: the model does not know something in it.
    """
    printed, error = io.StringIO(), ""
    with contextlib.redirect_stdout(printed):
        try:
            exec(compile(program, "cell", "exec"), names)  # noqa: S102
        except Exception as raised:  # noqa: BLE001  whatever it is, both must raise it
            error = error_text(type(raised).__name__, str(raised))
    return Ending(printed.getvalue(), error)


@cache
def under_jax(program: str) -> Ending:
    """Run a program under jax itself."""
    jax.config.update("jax_pprint_use_color", False)
    return run(program, {"__name__": "__main__"})


def under_model(program: str) -> Ending | None:
    """Run a program under the model; None where the model says that it does not know."""
    tiny_jax.clear_caches()
    with patch.dict(sys.modules, tiny_jax.install({})):
        try:
            return run(small_python.with_methods(program), tiny_jax.NAMES)
        except tiny_jax.OutOfReach:
            return None
        finally:
            tiny_jax.disable_jit.active = 0
            tiny_jax.NAMES.clear()


@pytest.mark.parametrize("path", chapter_paths(), ids=lambda path: path.stem)
def test_a_cell_has_its_box_where_the_model_answers(path):
    cells = committed_cells(path)
    written = copy.deepcopy(cells)
    mark_live(written, read_chapter(path).answers)
    for number, (cell, wanted) in enumerate(zip(cells, written, strict=True), start=1):
        assert (LIVE in cell.metadata) == (LIVE in wanted.metadata), (
            f"{path.stem}.ipynb, code cell {number} ({cell.source.splitlines()[0]!r}): the model "
            f"{'answers' if LIVE in wanted.metadata else 'does not answer'} it; run `make notebooks`"
        )


ANSWERED = "print(jax.jit(lambda x: x + 1)(2))"


@pytest.mark.parametrize(
    ("source", "shown", "tags", "live"),
    [
        (ANSWERED, "3\n", [], True),
        (ANSWERED, "3\n", ["complete"], True),
        (ANSWERED, "4\n", [], False),
        (ANSWERED, "", [], False),
        (ANSWERED, "3\n", ["check"], False),
        ("print(two)", "2\n", [], True),  # what it needs of the cells above runs before it
        ("print(three)", "3\n", [], False),
        ("import numpy as np\nprint(np.ones(1))", "[1.]\n", [], False),
        ("import dataclasses\nprint(3)", "3\n", [], False),
        ("print(jax.grad(lambda x: x * x)(3.0))", "6.0\n", [], False),
        ("print(3)\nwhile True: pass", "3\n", [], False),
        ("print(3)\nraise SystemExit", "3\n", [], False),
        ("%time print(3)", "3\n", [], False),
    ],
)
def test_no_box_where_the_model_does_not_answer(source, shown, tags, live):
    above = nbformat.v4.new_code_cell("import jax\ntwo = 2\nfor three in range(4): pass")
    cell = nbformat.v4.new_code_cell(source, metadata={"tags": tags, LIVE: True})
    cell.outputs = [nbformat.v4.new_output("stream", text=shown)] if shown else []
    mark_live([above, cell], [])
    assert (LIVE in cell.metadata) == live


JUDGE = """def truth_1() -> int:
    # the page cannot run this

    return jax.grad(2)


def check_1(answer):
    if answer != {truth}:
        raise ValueError("no two")
def judge(answer):
    try:
        check_1(answer)
        print("none" if answer is ... else "correct")
    except ValueError as error:
        print("none" if answer is ... else error)
"""


@pytest.mark.parametrize(
    ("truth", "wrong", "says", "live"),
    [
        ("2", "answer_1 = 3", "no two", True),
        ("2", "answer_1 = 3", "no three", False),  # the page gives another hint
        ("2", "answer_1 = jax.grad", "no two", False),  # and none where the model does not reach
        ("4", "answer_1 = 3", "no two", False),  # the solution fails
        ("jax.grad(2)", "answer_1 = 3", "no two", False),
        ("truth_1()", "answer_1 = 3", "no two", True),  # the page takes the solution's answer
    ],
)
def test_an_exercise_has_its_box_where_the_page_judges_as_the_chapter(truth, wrong, says, live):
    sources = ("import jax", "answer_1 = ...", JUDGE.format(truth=truth) + "judge(answer_1)")
    cells = [nbformat.v4.new_code_cell(source) for source in (*sources, "judge(2)")]
    for cell, tag, shown in zip(
        cells[1:], ("exercise", "check", "solution"), ("", "none", "correct"), strict=True
    ):
        cell.metadata.tags = [tag]
        cell.outputs = [nbformat.v4.new_output("stream", text=shown)] if shown else []
    place = Place("", "", "")
    answers = {1: [Answer(place, wrong, says)]}
    mark_live(cells, answers)
    assert [LIVE in cell.metadata for cell in cells] == [False, live, False, False]


def test_variations_run_the_same_or_are_refused(measured):
    different, refused = [], []
    for name, program in variations().items():
        answer = under_model(program)
        if answer is None:
            refused.append(name)
        elif answer != (truth := under_jax(program)):
            different.append(f"{name}\n{program}\njax: {truth}\nmodel: {answer}")
    count = len(variations())
    answered = f"live box: {count - len(refused)} of {count} variations answered, refused are:"
    measured("\n  ".join([answered, *refused]))
    assert not different, "\n\n".join(different)
    classic = [name for name in refused if name.startswith(CLASSIC)]
    assert not classic, f"the model must answer these, not refuse them: {classic}"
    assert len(refused) <= (1 - REACHED) * count
    assert count >= 60


def test_micropython_is_the_documented_one():
    source = tomllib.loads((BOX / "micropython.toml").read_text("utf8"))
    for name, digest in source["sha256"].items():
        assert hashlib.sha256((BOX / name).read_bytes()).hexdigest() == digest, (
            f"{name} is not that of {source['package']} {source['version']}: see micropython.toml"
        )
    assert {path.name for path in BOX.glob("micropython.*")} == {
        *source["sha256"],
        "micropython.toml",
    }
    notice = (ROOT / "NOTICE").read_text("utf8")
    for fact in ("MicroPython", source["version"], source["integrity"], "MIT"):
        assert fact in notice, f"NOTICE does not say {fact}"


def test_a_click_loads_little(measured):
    names = ("worker.mjs", "tiny_jax.py", "small_python.py", "micropython.mjs", "micropython.wasm")
    sizes = {name: len(gzip.compress((BOX / name).read_bytes())) for name in names}
    measured(f"live box: a click loads {sum(sizes.values())} bytes gzipped: {sizes}")
    assert sum(sizes.values()) <= CLICK_BYTES
