"""A pull request is told from one that needs a run by what it changes."""

import json
import subprocess

import pytest

from workshop.runs.prose_alone import is_prose_alone


@pytest.mark.parametrize(
    ("changed", "alone"),
    [
        ({"chapter.md": "Better prose."}, True),
        ({"chapter.md": "Better prose.", "a.ipynb": ("Better prose.", "x = 1", "1")}, True),
        ({"a.ipynb": ("Prose.", "x = 2", "1")}, False),
        ({"a.ipynb": ("Prose.", "x = 1", "2")}, False),
        ({"b.ipynb": ("Prose.", "x = 1", "1")}, False),
        ({"guards.py": "assert x == 2"}, False),
        ({}, True),
    ],
)
def test_prose_alone(tmp_path, changed, alone):
    def write(files):
        for name, text in files.items():
            (tmp_path / name).write_text(text if isinstance(text, str) else notebook(*text))
        git("add", ".")

    def git(*command):
        name = ["-c", "user.name=a", "-c", "user.email=a@example.org"]
        subprocess.run(["git", *name, *command], cwd=tmp_path, check=True, capture_output=True)

    git("init")
    write({"chapter.md": "Prose.", "a.ipynb": ("Prose.", "x = 1", "1"), "guards.py": "assert x"})
    git("commit", "-m", "before")
    write(changed)
    assert is_prose_alone("HEAD", tmp_path) == alone


def notebook(prose: str, code: str, output: str) -> str:
    """A notebook of one cell of each kind."""
    cells = [{"source": prose}, {"source": code, "outputs": [{"text": output}]}]
    return json.dumps({"cells": cells})
