"""Records of full runs: when every notebook last ran in each environment, on what, with what result.

`pytest --record book` writes them (`make status`), the status page of the site shows them. Nothing
in them is typed.
"""

import datetime
import hashlib
import json
import platform
import subprocess
import sys
from importlib.metadata import version
from pathlib import Path

import nbformat

from workshop.layout import BOOK, LANGUAGES, RECORDS, chapter_paths, notebook_path

SHOWN_VERSIONS = ("jax", "flax", "optax", "keras", "numpy", "matplotlib")
DEVICE = "import jax; print(jax.devices()[0].device_kind)"


# Where notebooks are run, and how outputs are compared there; `run_status` says how they are called.
ENVIRONMENTS = {"pinned": "pinned", "colab": "tolerant", "latest": "tolerant", "gpu": "tolerant"}


def code_digest(notebook: Path) -> str:
    """A short hash of the code of a notebook; a record is stale where it no longer fits."""
    cells = nbformat.read(notebook, as_version=4).cells
    code = json.dumps([cell.source for cell in cells if cell.cell_type == "code"])
    return hashlib.sha256(code.encode()).hexdigest()[:12]


def write_record(environment: str, reports: list, folder: Path = RECORDS) -> Path:
    """Write the record of a run from pytest's reports of the notebooks, and return its path.

    Seconds are those of all languages of a chapter together. Of a chapter that didn't run, the last
    record is kept where it is of the same Python, device, versions and code; the date is
    then that of the older run.

    Raises:
        ValueError: a notebook of the book is missing among the reports and in the last record.
    """
    ran = {report.location[0]: report for report in reports}
    device = subprocess.run(
        [sys.executable, "-c", DEVICE], capture_output=True, text=True, check=True
    )
    about = {
        "python": platform.python_version(),
        "device": device.stdout.strip(),
        "versions": {name: version(name) for name in SHOWN_VERSIONS},
    }
    last = read_records(folder)[environment] or {}
    kept = last.get("chapters", {}) if about == {name: last.get(name) for name in about} else {}
    dates = {datetime.datetime.now(datetime.UTC).date().isoformat()}
    chapters = {}
    for chapter in chapter_paths():
        notebooks = [notebook_path(chapter, language) for language in LANGUAGES]
        names = [notebook.relative_to(BOOK.parent).as_posix() for notebook in notebooks]
        code = code_digest(notebooks[0])
        if missing := [name for name in names if name not in ran]:
            if kept.get(chapter.stem, {}).get("code") != code:
                raise ValueError(f"{missing[0]} did not run: a record needs every notebook")
            chapters[chapter.stem] = kept[chapter.stem]
            dates.add(last["date"])
            continue
        chapters[chapter.stem] = {
            "result": "passed" if all(ran[name].passed for name in names) else "failed",
            "seconds": round(sum(ran[name].duration for name in names), 1),
            "code": code,
        }
    record = {"date": min(dates), **about, "chapters": chapters}
    folder.mkdir(exist_ok=True)
    path = folder / f"{environment}.json"
    path.write_text(json.dumps(record, indent=1) + "\n", encoding="utf8")
    return path


def read_records(folder: Path = RECORDS) -> dict[str, dict | None]:
    """The last record of each environment, None where there was no run."""
    paths = {name: folder / f"{name}.json" for name in ENVIRONMENTS}
    return {
        name: json.loads(path.read_text("utf8")) if path.exists() else None
        for name, path in paths.items()
    }
