"""The workflows, the bot, the issue forms and the dev container do what they say.

The commands of each job are run as they are written, in a clone made as its checkout makes it.
`make -n` reads every target, file and variable that they name and leaves out the work; gh, apt-get
and sudo are stand-ins that note what they are asked.
"""

import itertools
import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
import yaml

from tests.built_site import ROOT
from workshop.site.page_facts import dates_of_files

GITHUB = ROOT / ".github"
WORKFLOWS = sorted(GITHUB.glob("workflows/*.yml"))
FORMS = sorted(GITHUB.glob("ISSUE_TEMPLATE/*.yml"))
TOOLS = ("bash", "cat", "dirname", "env", "git", "id", "make", "mkdir", "python3", "sed", "sh")
ASKED = "asked.txt"
STAND_INS = {
    "apt-get": f'echo "apt-get $*" >> {ASKED}',
    "sudo": '"$@"',
    "gh": f'echo "gh $*" >> {ASKED}; if [ "$2" = list ]; then echo "$OPEN"; fi',
}
SCHEMAS = {
    "vendor.github-workflows": WORKFLOWS,
    "vendor.github-issue-forms": FORMS,
    "vendor.dependabot": [GITHUB / "dependabot.yml"],
}


def jobs() -> list:
    """Return the steps of each job, for each choice of its matrix, with that choice filled in."""
    found = []
    for file in WORKFLOWS:
        text = file.read_text("utf8")
        for name, job in yaml.safe_load(text)["jobs"].items():
            matrix = job.get("strategy", {}).get("matrix", {})
            for values in itertools.product(*matrix.values()):
                chosen = {f"matrix.{key}": value for key, value in zip(matrix, values, strict=True)}
                filled = re.sub(r"\$\{\{ (.*?) \}\}", lambda m: chosen.get(m[1], m[1]), text)  # noqa: B023
                steps = yaml.safe_load(filled)["jobs"][name]["steps"]
                found.append(pytest.param(steps, id="-".join([file.stem, *values])))
    return found


@pytest.fixture(scope="module")
def origin(tmp_path_factory) -> Path:
    """Return a repository of what git tracks here, whose last commit changes one file."""
    folder = tmp_path_factory.mktemp("origin")
    listed = ["git", "-C", ROOT, "ls-files", "-z", "--cached", "--others", "--exclude-standard"]
    names = subprocess.run(listed, capture_output=True, text=True, check=True).stdout
    for name in names.split("\0"):
        if (ROOT / name).is_file():
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(ROOT / name, folder / name)
    git = ["git", "-C", folder, "-c", "user.name=n", "-c", "user.email=e"]
    subprocess.run([*git, "init", "--quiet"], check=True)
    for day in ("2020-01-01", "2021-01-01"):
        (folder / "day.txt").write_text(day)
        subprocess.run([*git, "add", "--all"], check=True)
        dates = {f"GIT_{who}_DATE": f"{day}T12:00:00Z" for who in ("AUTHOR", "COMMITTER")}
        commit = [*git, "commit", "--quiet", "--no-verify", "-m", day]
        subprocess.run(commit, env=os.environ | dates, check=True)
    return folder


@pytest.fixture
def run(tmp_path):
    """Return a function that runs a command in a folder and returns what `make` would do."""
    path = tmp_path / "path"
    path.mkdir()
    for tool in TOOLS:
        (path / tool).symlink_to(shutil.which(tool))
    for name, script in STAND_INS.items():
        (path / name).write_text(f"#!/bin/sh\n{script}\n")
        (path / name).chmod(0o755)

    def run_in(folder: Path, command: str, **environment: str) -> str:
        done = subprocess.run(
            ["bash", "-e", "-c", command],
            cwd=folder,
            env={"PATH": str(path), "HOME": str(tmp_path), "MAKEFLAGS": "n", **environment},
            capture_output=True,
            text=True,
            check=False,
        )
        assert done.returncode == 0, f"{command}\n{done.stdout}{done.stderr}"
        return done.stdout

    return run_in


def checked_out(step: dict, origin: Path, folder: Path) -> Path:
    """Make the clone that a step of actions/checkout makes."""
    depth = step.get("with", {}).get("fetch-depth", 1)
    options = ["--depth", str(depth)] if depth else []
    subprocess.run(["git", "clone", "--quiet", *options, origin.as_uri(), folder], check=True)
    return folder


def asked_in(folder: Path) -> str:
    """Return what the stand-ins were asked, and forget it."""
    notes = folder / ASKED
    text = notes.read_text("utf8") if notes.exists() else ""
    notes.unlink(missing_ok=True)
    return text


@pytest.mark.parametrize("steps", jobs())
def test_each_command_of_a_job_runs_in_the_clone_that_the_job_makes(steps, origin, run, tmp_path):
    (checkout,) = (step for step in steps if step.get("uses", "").startswith("actions/checkout@"))
    clone = checked_out(checkout, origin, tmp_path / "clone")
    would = ""
    for step in steps:
        command = step.get("run", "")
        if "gh " in command:
            for number, does in (("7", "comment 7"), ("", "create --title")):
                run(clone, command, OPEN=number, **step["env"])
                assert f"gh issue {does}" in asked_in(clone)
        elif command:
            would += run(clone, command)
        elif built := step.get("with", {}).get("path"):
            assert f"Open {built}/index.html" in would, f"nothing was built in {built}"
    assert "/pytest" in would, "a job that runs no test"
    if "jupyter-book build" in would:  # a site whose pages say when they last changed
        assert "install --yes --quiet --no-install-recommends chromium" in asked_in(clone)
        dates = dates_of_files(origin)
        assert dates_of_files(clone) == dates, "the clone lacks the history: see fetch-depth"


def test_the_dev_container_is_set_up_in_a_clone(origin, run, tmp_path):
    clone = checked_out({}, origin, tmp_path / "clone")
    container = json.loads((ROOT / ".devcontainer/devcontainer.json").read_text("utf8"))
    assert "workshop/set_up.py .venv" in run(clone, container["onCreateCommand"])
    assert "chromium" in asked_in(clone)


def test_every_action_is_pinned():
    for file in WORKFLOWS:
        for used in re.findall(r"uses: (.*)", file.read_text("utf8")):
            assert re.fullmatch(r"[\w./-]+@[0-9a-f]{40} # v[\d.]+", used), f"{file.name}: {used}"


@pytest.mark.parametrize("schema", SCHEMAS)
def test_github_can_read_its_files(schema):
    check = [sys.executable, "-m", "check_jsonschema", "--builtin-schema", schema]
    done = subprocess.run([*check, *SCHEMAS[schema]], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout


def words_in(form: object) -> list[str]:
    """Return what a form says to the one who fills it in."""
    if isinstance(form, dict):
        shown = ("name", "description", "title", "label", "attributes", "body", "options")
        return [word for key in shown if key in form for word in words_in(form[key])]
    if isinstance(form, list):
        return [word for each in form for word in words_in(each)]
    return [form]


@pytest.mark.parametrize("form", FORMS, ids=lambda form: form.stem)
def test_a_form_asks_in_both_languages(form):
    for words in words_in(yaml.safe_load(form.read_text("utf8"))):
        same = words == "Colab" or words.startswith("`")
        both = re.search("[가-힣].* · .*[A-Za-z]{2}", words)
        assert same or both, f"{form.name}: {words!r} should stand in Korean and English"
