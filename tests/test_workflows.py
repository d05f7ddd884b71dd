"""The workflows, the bot, the issue forms and the dev container do what they say."""

import itertools
import json
import re
import subprocess
import sys

import pytest
import yaml

from tests.built_site import ROOT

GITHUB = ROOT / ".github"
WORKFLOWS = sorted(GITHUB.glob("workflows/*.yml"))
FORMS = sorted(GITHUB.glob("ISSUE_TEMPLATE/*.yml"))
CONTAINER = json.loads((ROOT / ".devcontainer/devcontainer.json").read_text("utf8"))
SCHEMAS = {
    "vendor.github-workflows": WORKFLOWS,
    "vendor.github-issue-forms": FORMS,
    "vendor.dependabot": [GITHUB / "dependabot.yml"],
}


def jobs() -> list:
    """The steps of each job, for each choice of its matrix, with that choice filled in."""
    found = []
    for file in WORKFLOWS:
        text = file.read_text("utf8")
        for name, job in yaml.safe_load(text)["jobs"].items():
            matrix = job.get("strategy", {}).get("matrix", {})
            for values in itertools.product(*matrix.values()):
                filled = text
                for key, value in zip(matrix, values, strict=True):
                    filled = filled.replace(f"${{{{ matrix.{key} }}}}", value)
                steps = yaml.safe_load(filled)["jobs"][name]["steps"]
                found.append(pytest.param(steps, id="-".join([file.stem, name, *values])))
    return found


def make_targets(command: str) -> list[str]:
    """The targets that a command has made, itself or by a script of `.ci`."""
    scripts = [(ROOT / name).read_text("utf8") for name in re.findall(r"\.ci/\w+", command)]
    return re.findall(r"(?m)^ *(?:.* && )?make (\S+)", "\n".join([command, *scripts]))


@pytest.mark.parametrize("steps", [*jobs(), pytest.param([], id="dev container")])
def test_what_is_made_can_be_made_and_a_site_has_the_dates_of_its_pages(steps):
    commands = [step["run"] for step in steps if "run" in step] or [CONTAINER["onCreateCommand"]]
    targets = [target for command in commands for target in make_targets(command)]
    assert targets, "makes nothing"
    done = subprocess.run(
        ["make", "-n", *targets], cwd=ROOT, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    if "jupyter-book build" in done.stdout:
        (checkout,) = (step for step in steps if "actions/checkout@" in step.get("uses", ""))
        assert checkout["with"]["fetch-depth"] == 0, "the clone lacks the history"


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


def test_the_same_versions_of_python_are_named_everywhere():
    found = re.search(r"\(3, (\d+)\) <= .* < \(3, (\d+)\)", (ROOT / "Makefile").read_text("utf8"))
    least, most = f"3.{found[1]}", f"3.{int(found[2]) - 1}"
    for file, said in (
        ("README.md", f"Python {least}–{most}"),
        ("README.md", f"Python {least} to {most}"),
        ("Makefile", f"Python {least} to {most}"),
        ("requirements.txt", f"Python {least} to {most}"),
        (".github/workflows/pull-request.yml", f'python-version: "{least}"'),
        (".github/workflows/pull-request.yml", f'python-version: "{most}"'),
    ):
        assert said in (ROOT / file).read_text("utf8"), f"{file} should name {said}"
