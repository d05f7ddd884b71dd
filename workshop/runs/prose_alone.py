"""Tell whether a pull request changes prose alone: `python3 -m workshop.runs.prose_alone BASE`.

It prints true where nothing but Markdown, and notebooks with the code that they had, differs from
the commit BASE; `make check` sees to it that the notebooks are those of their chapters. It needs
nothing but Python and git.
"""

import json
import subprocess
import sys
from pathlib import Path


def is_prose_alone(base: str, folder: Path) -> bool:
    """Whether the clone in a folder differs from a commit in prose alone."""
    names = _git(folder, "diff", "--name-only", base).splitlines()
    return all(
        name.endswith(".md") or (name.endswith(".ipynb") and _same_code(base, folder, name))
        for name in names
    )


def _same_code(base: str, folder: Path, name: str) -> bool:
    try:
        texts = _git(folder, "show", f"{base}:{name}"), (folder / name).read_text("utf8")
    except (subprocess.CalledProcessError, FileNotFoundError):  # a new notebook, or one less
        return False
    before, now = (
        [
            (cell["source"], cell["outputs"])
            for cell in json.loads(text)["cells"]
            if "outputs" in cell
        ]
        for text in texts
    )
    return before == now


def _git(folder: Path, *command: str) -> str:
    done = ["git", "-C", str(folder), *command]
    return subprocess.run(done, capture_output=True, text=True, check=True).stdout


if __name__ == "__main__":
    print(str(is_prose_alone(sys.argv[1], Path.cwd())).lower())
