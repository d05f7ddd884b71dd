"""`pytest --nbmake` on faulty notebooks goes red with a message that names file and cell."""

import os
import subprocess
import sys

import nbformat
import pytest

from tests.small_chapter import HEADER, code, pair
from workshop.layout import ROOT

pytestmark = pytest.mark.xdist_group("nbmake-hook")  # one run of the faulty notebooks, not two
RED = {
    "changed": ("documented '2', produced '3'", [("x = 1 + 2\nx", "2")]),
    "stops": ("stops with NameError: name 'y' is not defined", [("y", "2")]),
    "import_repository": ("ModuleNotFoundError", [("import workshop", None)]),
    "import_from_the_root": ("ModuleNotFoundError", [("import conftest", None)]),
    "neighbour": ("FileNotFoundError", [("open('neighbour.txt').close()", None)]),
    "unrun": ("was never run", [("1", "")]),
    "hangs": ("runs longer than 3 s", [("import time\ntime.sleep(60)", None)]),
    "dies": ("kills its kernel", [("import os\nos._exit(1)", None)]),
    "asks_the_network": (
        "works without the network; asked ('192.0.2.1', 80)",
        [("import urllib.request\nurllib.request.urlopen('http://192.0.2.1')", None)],
    ),
}


def write(path, cells, kernel="python3"):
    """Write a notebook of (source, documented result); result "" stands for a cell never run."""
    metadata = {"kernelspec": {"name": kernel, "display_name": kernel}}
    notebook = nbformat.v4.new_notebook(metadata=metadata)
    for count, (source, result) in enumerate(cells, start=1):
        cell = nbformat.v4.new_code_cell(source, execution_count=None if result == "" else count)
        if result:
            data = {"text/plain": result}
            output = nbformat.v4.new_output("execute_result", data, execution_count=count)
            cell.outputs.append(output)
        notebook.cells.append(cell)
    nbformat.write(notebook, path)


def run_pytest(*arguments):
    """Run the book's own pytest set-up, with the repository on PYTHONPATH as a trap."""
    environment = os.environ | {"PYTHONPATH": str(ROOT)}
    for name in [name for name in environment if name.startswith("PYTEST_")]:
        del environment[name]
    command = [
        sys.executable,
        "-m",
        "pytest",
        "-c",
        ROOT / "pytest.ini",
        "-p",
        "workshop.runs.pytest_plugin",
    ]
    command += ["-p", "no:cacheprovider", f"--rootdir={ROOT}", *arguments]
    options = {"cwd": ROOT, "env": environment, "capture_output": True, "text": True}
    return subprocess.run(command, check=False, timeout=300, **options)


@pytest.fixture(scope="module")
def report(tmp_path_factory):
    folder = tmp_path_factory.mktemp("notebooks")
    for name, (_, cells) in RED.items():
        write(folder / f"{name}.ipynb", cells)
    right = "import os\nsorted(os.listdir()), 'PYTHONPATH' in os.environ"
    name_error = nbformat.v4.new_output("error", ename="NameError", evalue="a", traceback=[])
    never_awaited = "async def load(): ...\nloading = load()\ndel loading"
    cells = [("1 + 1", "2"), (right, "([], False)"), (never_awaited, None)]
    write(folder / "right.ipynb", cells)
    write(folder / "other_kernel.ipynb", [("1", "1")], kernel="julia-1.10")
    write(folder / "no_error.ipynb", [("1", "1")])
    tagged = nbformat.read(folder / "no_error.ipynb", as_version=4)
    tagged.cells[0].metadata["tags"] = ["raises-exception"]
    tagged.cells[0].outputs = [name_error]
    nbformat.write(tagged, folder / "no_error.ipynb")
    no_id = (folder / "right.ipynb").read_text().replace('"id":', '"name":', 1)
    (folder / "no_id.ipynb").write_text(no_id)
    (folder / "corrupt.ipynb").write_text('{"cells": [')
    (folder / "neighbour.txt").write_text("here")
    done = run_pytest("--nbmake", "--nbmake-timeout=3", "-rA", folder)
    assert done.returncode == 1, done.stdout + done.stderr
    return done.stdout


@pytest.mark.parametrize("name", RED)
def test_faulty_notebook_goes_red_and_names_its_cell(report, name):
    message, cells = RED[name]
    first_line = cells[0][0].splitlines()[0]
    where = f"{name}.ipynb: cell 1 ({first_line!r})"
    assert any(where in line and message in line for line in report.splitlines()), report


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("other_kernel", "is for the kernel 'julia-1.10', not 'python3'"),
        ("corrupt", "is no notebook"),
        ("no_id", "is no notebook"),
        ("no_error", "cell 1 ('1') documented NameError, produced no error"),
    ],
)
def test_faulty_file_gets_one_clear_line(report, name, message):
    assert f"{name}.ipynb: {message}" in report
    assert "INTERNAL ERROR" not in report


def test_right_notebook_is_green_and_the_others_are_not(report):
    passed = [line for line in report.splitlines() if line.startswith("PASSED")]
    assert len(passed) == 1 and "right.ipynb" in passed[0]


@pytest.mark.parametrize(("english", "runs"), [("1 + 1", 1), ("1 + 1  # anew", 2)])
def test_languages_share_a_run_where_their_code_is_equal(tmp_path, english, runs):
    for language, cell in (("ko", ("1 + 1", "2")), ("en", (english, "3"))):
        (tmp_path / language).mkdir()
        write(tmp_path / language / "sum.ipynb", [cell])
    done = run_pytest("--nbmake", "-n", "2", "--dist", "loadgroup", "-rA", tmp_path).stdout
    assert f"2 notebooks compared with {runs} runs on pinned versions" in done, done
    said = f"en/sum.ipynb: cell 1 ({english!r}) execute_result: documented '3', produced '2'"
    assert said in done
    assert "1 failed, 1 passed" in done


SUM = "x, log = 1 + 1, []\n\n\ndef traced():\n    log.append(x)\n    return x"
CHANGES = "07-sum/guards.py: a guard changes what a later cell prints: "
GUARDS = {  # with what the test run says of them
    "names as at its place": ("assert x == 2 and 'y' not in globals()", ""),
    "names of the guard before": ("assert z == 1", ""),
    "a sentence that does not hold": (
        "assert x == 2\nassert x == 3, 'x is 2'",
        "07-sum/guards.py, line 3 ('# %% after: title 1'): does not hold (AssertionError: x is 2)",
    ),
    "binds a name": ("x = 7", f"{CHANGES}execute_result: documented '(2, [2], 1)', produced '(7,"),
    "clears what is kept": ("traced = lambda: 0", f"{CHANGES}execute_result: documented '(2, [2],"),
    "changes an object": ("log.append('guard')", f"{CHANGES}execute_result: documented '(2, [2],"),
}


@pytest.mark.parametrize("guard", GUARDS)
def test_guards_have_a_run_of_their_own_and_change_nothing(tmp_path, guard):
    asserted, said = GUARDS[guard]
    chapter = tmp_path / "chapters/07-sum"
    chapter.mkdir(parents=True)
    second = "y = 1\ntraced(), log, y"
    cells = [code(SUM), code(second)]
    (chapter / "chapter.md").write_text("".join([HEADER, pair("# 7. Sum"), *cells]))
    (chapter / "guards.py").write_text(
        f"# %% after: title 1\nz = 1\n# %% after: title 1\n{asserted}\n"
    )
    notebook = tmp_path / "ko/07-sum.ipynb"
    notebook.parent.mkdir()
    write(notebook, [(SUM, None), (second, "(2, [2], 1)")])
    done = run_pytest("--nbmake", notebook)
    assert done.returncode == int(bool(said)), done.stdout
    assert said in done.stdout, done.stdout


def test_overwrite_is_refused(tmp_path):
    write(tmp_path / "right.ipynb", [("1", "1")])
    done = run_pytest("--nbmake", "--overwrite", tmp_path)
    assert done.returncode != 0
    assert "--overwrite is refused" in done.stderr
