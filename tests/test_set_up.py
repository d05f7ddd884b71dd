"""`make` sets up on the right Python and from where the user's pip is set up to install from.

Stand-ins on the path play the machine: a Python that says it is of another version, an index of
two packages. Nothing is asked of the network.
"""

import os
import re
import shutil
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

from tests.built_site import ROOT

TOOLS = ("cat", "dirname", "mkdir", "sed", "sh", "touch")
REAL = Path(sys.executable).resolve()
UV = Path(sys.executable).with_name("uv")
STAND_IN = r"""#!/bin/sh
said=$({real} "$@")
code=$?
printf "%s\n" "$said" | sed -E 's/("[a-z_]*version": *")3\.[0-9.]+"/\1{version}"/g'
exit $code
"""


@pytest.fixture
def machine(tmp_path):
    """Return a function that adds a Python to a bare machine, and one that runs its `make`."""
    for folder in ("home", "tools", "book/workshop"):
        (tmp_path / folder).mkdir(parents=True)
    for tool in TOOLS:
        (tmp_path / "tools" / tool).symlink_to(shutil.which(tool))
    book = tmp_path / "book"
    shutil.copy(ROOT / "Makefile", book)
    shutil.copy(ROOT / "workshop/set_up.py", book / "workshop")
    (book / "requirements.txt").touch()
    (book / "constraints.txt").touch()
    path = []

    def add(name: str, version: str) -> None:
        """Add a folder to the path with one Python."""
        path.append(tmp_path / f"path-{len(path)}")
        path[-1].mkdir()
        (path[-1] / name).write_text(STAND_IN.format(real=REAL, version=version))
        (path[-1] / name).chmod(0o755)

    def make(*words: str, **environment) -> subprocess.CompletedProcess:
        """Run `make .venv/.ready`."""
        return subprocess.run(
            [shutil.which("make"), ".venv/.ready", *words],
            cwd=book,
            env={
                "HOME": str(tmp_path / "home"),
                "PATH": os.pathsep.join(map(str, [*path, tmp_path / "tools"])),
                "UV_OFFLINE": "1",
                "UV_PYTHON_DOWNLOADS": "never",
                **environment,
            },
            capture_output=True,
            text=True,
            check=False,
        )

    return add, make


def version_in(folder: Path) -> str:
    """Return the version of the Python that an environment was made with."""
    return re.search(r"version_info = (.*)", (folder / "pyvenv.cfg").read_text())[1]


@pytest.mark.parametrize(
    ("there", "asked", "chosen"),
    [
        ("3.11", [], "3.11.1"),
        ("3.14", [], "3.14.1"),
        ("3.14 3.11", [], "3.14.1"),  # the first on the path
        ("3.11 3.14", [], "3.11.1"),
        ("3.15 3.12", [], "3.12.1"),  # not the first that is called python3
        ("3.9 3.13", [], "3.13.1"),
        ("3.11 3.12", ["PYTHON=python3.12"], "3.12.1"),
    ],
)
def test_the_first_python_on_the_path_that_fits_is_taken(machine, tmp_path, there, asked, chosen):
    add, make = machine
    for place, version in enumerate(there.split()):
        add(f"python{version}" if place else "python3", f"{version}.1")
        if not place:
            name = f"python{version}"
            shutil.copy(tmp_path / "path-0/python3", tmp_path / "path-0" / name)
    run = make(*asked, UV=str(UV))
    assert run.returncode == 0, run.stderr
    assert version_in(tmp_path / "book/.venv") == chosen


@pytest.mark.parametrize("there", ["3.15", "3.10"])
def test_where_no_python_fits_one_line_says_which_to_install(machine, there):
    add, make = machine
    add(f"python{there}", f"{there}.1")
    run = make(UV=str(UV))
    assert run.returncode == 2
    said = "error: found no Python that is cpython>=3.11,<3.15, and could fetch none; install one"
    assert said in run.stderr.splitlines(), run.stderr


def test_where_there_is_no_python_one_line_says_what_to_install(machine):
    _, make = machine
    run = make()
    assert run.returncode == 2
    assert run.stdout == (
        "error: no Python with its venv was found; install Python 3.11 to 3.14 "
        "(on Debian and Ubuntu: apt install python3-venv)\n"
    )


def publish(index: Path, name: str, files: dict[str, str]) -> Path:
    """Put version 1.0 of a package into an index that is a folder, and return its place there."""
    wheel = index / name / f"{name}-1.0-py3-none-any.whl"
    wheel.parent.mkdir(parents=True)
    about = f"{name}-1.0.dist-info"
    files |= {
        f"{about}/METADATA": f"Metadata-Version: 2.1\nName: {name}\nVersion: 1.0\n",
        f"{about}/WHEEL": "Wheel-Version: 1.0\nRoot-Is-Purelib: true\nTag: py3-none-any\n",
    }
    files[f"{about}/RECORD"] = "".join(f"{file},,\n" for file in [*files, f"{about}/RECORD"])
    with zipfile.ZipFile(wheel, "w") as archive:
        for file, text in files.items():
            member = zipfile.ZipInfo(file)
            member.external_attr = 0o100755 << 16
            archive.writestr(member, text)
    (wheel.parent / "index.html").write_text(f'<a href="{wheel.name}">{wheel.name}</a>')
    return wheel.parent


def test_packages_come_from_where_pip_is_set_up_to_install_from(machine, tmp_path):
    add, make = machine
    add("python3", "3.13.1")
    first, second, third = (tmp_path / name for name in ("first", "second", "third"))
    publish(first, "uv", {"uv-1.0.data/scripts/uv": f'#!/bin/sh\nexec {UV} "$@"\n'})
    publish(second, "lesson", {"lesson.py": ""})
    folder = publish(third, "chapter", {"chapter.py": ""})
    (tmp_path / "book/requirements.txt").write_text("uv==1.0  # why\nlesson==1.0\nchapter==1.0\n")
    settings = tmp_path / "pip.conf"
    extra = f"{tmp_path.as_uri()}\n    {second.as_uri()}"
    settings.write_text(f"[global]\nindex-url = {first.as_uri()}\nextra-index-url =\n    {extra}\n")
    run = make(PIP_CONFIG_FILE=str(settings), PIP_FIND_LINKS=str(folder))
    assert run.returncode == 0, run.stderr
    installed = (tmp_path / "book/.venv").glob("lib/*/site-packages/*.py")
    assert {"chapter.py", "lesson.py"} <= {file.name for file in installed}


def test_the_same_versions_are_named_everywhere():
    found = re.search(r">=3\.(\d+),<3\.(\d+)", (ROOT / "Makefile").read_text("utf8"))
    least, most = f"3.{found[1]}", f"3.{int(found[2]) - 1}"
    for file, said in (
        ("README.md", f"Python {least}–{most}"),
        ("README.md", f"Python {least} to {most}"),
        ("Makefile", f"Python {least} to {most}"),
        ("requirements.txt", f"Python {least} to {most}"),
        (".github/workflows/pull-request.yml", f'["{least}", "{most}"]'),
    ):
        assert said in (ROOT / file).read_text("utf8"), f"{file} should name {said}"
