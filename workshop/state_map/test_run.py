"""A verdict comes from a run, and what the programs do is what is recorded."""

import json
import subprocess
import sys

import pytest

from workshop.layout import ROOT
from workshop.runs.records import ENVIRONMENTS
from workshop.state_map.cells import read_record
from workshop.state_map.run import ERROR, KEPT, LOST, OTHER, changes, outcome

SET_UP = "n = 0\n"
EXPECTED, BEFORE = "3", "0"


@pytest.mark.parametrize(
    ("program", "verdict", "output"),
    [
        ("n += 3\nprint(n)", KEPT, "3"),
        ("print(n)", LOST, "0"),
        ("n += 1\nprint(n)", OTHER, "1"),
        ("n.missing", ERROR, "AttributeError: 'int' object has no attribute 'missing'"),
        ("raise AssertionError", ERROR, "AssertionError"),
    ],
)
def test_verdict_comes_from_what_is_printed(program, verdict, output):
    found = outcome(EXPECTED, BEFORE, SET_UP, program)
    assert found == {"verdict": verdict, "output": output}


def test_change_is_one_line_that_says_was_and_is():
    before = {"attribute": {"jit": {"verdict": LOST, "output": "0"}}}
    now = {"attribute": {"jit": {"verdict": ERROR, "output": "TypeError: a: b"}}}
    assert changes(before, now, tolerant=False) == [
        "attribute, jit: was lost (0), is error (TypeError: a: b)"
    ]
    other = {"attribute": {"jit": {"verdict": ERROR, "output": "TypeError: c"}}}
    assert changes(now, other, tolerant=True) == []
    assert changes(now, {}, tolerant=True) == ["attribute, jit: was error (TypeError), is missing"]


def test_programs_do_what_is_recorded(request, tmp_path):
    environment = request.config.option.environment
    recorded = read_record(environment)
    if recorded is None:
        pytest.skip(f"the state map was never run on {environment} versions: make state-map")
    command = [sys.executable, "-m", "workshop.state_map.run", environment, str(tmp_path)]
    ran = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert ran.returncode == 0, ran.stderr[-2000:]
    now = json.loads((tmp_path / f"{environment}.json").read_text("utf8"))
    tolerant = ENVIRONMENTS[environment] == "tolerant"
    lines = changes(recorded["kinds"], now["kinds"], tolerant)
    told = "\n".join(f"state map on {environment} versions: {line}" for line in lines)
    assert not lines, (
        f"{told}\nmend: the program, or run `make state-map` and look at the difference"
    )
