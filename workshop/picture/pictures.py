"""Which pictures there are, what their runs gave, and their files.

`make notebooks` runs a script whose text changed, and draws where the drawing differs from its file;
the tests run all of them anew.
"""

import hashlib
import json
import runpy
import subprocess
import sys
from pathlib import Path
from xml.etree import ElementTree

from workshop.layout import CHAPTERS
from workshop.picture.drawing import SVG, Picture, PictureError
from workshop.recorded_figure.records import differences_of_records
from workshop.runs.alone import run_alone

RUNNER = Path(__file__).with_name("runner.py")
RUN_SECONDS = 120
ElementTree.register_namespace("", SVG)


def picture_scripts(chapters: Path = CHAPTERS) -> list[Path]:
    """The scripts of all pictures: those in a chapter's `figures` that no `.yml` makes a record of."""
    scripts = sorted(chapters.glob("*/figures/*.py"))
    return [script for script in scripts if not script.with_suffix(".yml").exists()]


def narrow_form(svg: Path) -> Path:
    """Where the form of a picture for phones lies, if it has one."""
    return svg.with_name(f"{svg.stem}-narrow.svg")


def in_language(svg: Path, language: str) -> ElementTree.Element:
    """The SVG without the elements whose `lang` is another language."""
    root = ElementTree.parse(svg).getroot()
    for parent in root.iter():
        for child in list(parent):
            if child.get("lang", language) != language:
                parent.remove(child)
    return root


def run(script: Path) -> dict:
    """Run the script alone in an empty folder and return its values with the versions.

    Raises:
        PictureError: it fails, runs too long, or returns what JSON doesn't know.
    """
    try:
        with run_alone() as folder:
            done = subprocess.run(
                [sys.executable, RUNNER, script.resolve()],
                cwd=folder,
                capture_output=True,
                text=True,
                timeout=RUN_SECONDS,
                check=False,
            )
    except subprocess.TimeoutExpired as error:
        raise PictureError(f"{script.name}: runs longer than {RUN_SECONDS} s") from error
    if done.returncode or not done.stdout:
        reason = (done.stderr.strip().splitlines() or ["no reason given"])[-1]
        raise PictureError(f"{script.name}: gives no values ({reason}); mend it")
    return {"source": source_digest(script), **json.loads(done.stdout.splitlines()[-1])}


def source_digest(script: Path) -> str:
    """A short hash of the script."""
    return hashlib.sha256(script.read_bytes()).hexdigest()[:12]


def kept(script: Path) -> dict | None:
    """What the committed picture of a script holds of its run, None where there is none."""
    svg = script.with_suffix(".svg")
    if not svg.exists():
        return None
    data = ElementTree.parse(svg).getroot().find(f"{{{SVG}}}metadata")
    return None if data is None else json.loads(data.text)


def drawn(script: Path, record: dict) -> dict[Path, str]:
    """The text of each file of a picture, drawn from what its run gave.

    Raises:
        PictureError: a text has too little room, or the script has no `draw`.
    """
    try:
        draw = runpy.run_path(str(script))["draw"]
    except KeyError as error:
        raise PictureError(f"{script.name}: defines no draw(picture, values)") from error
    files = {}
    for path, narrow in ((script.with_suffix(".svg"), False), (narrow_form(script), True)):
        picture = Picture(script.stem, narrow)
        draw(picture, record["values"])
        files[path] = picture.svg(None if narrow else record)
    return files


def write_picture(script: Path, run_again: bool) -> str:
    """Run a script that changed (or all, where `run_again` says so), draw, and say what was done."""
    before = kept(script)
    runs = run_again or before is None or before["source"] != source_digest(script)
    record = run(script) if runs else before
    if runs and before and not differences_of_records(before, record):
        record = before
    files = drawn(script, record)
    changed = [p for p, text in files.items() if not p.exists() or p.read_text("utf8") != text]
    for path in changed:
        path.write_text(files[path], encoding="utf8")
    return ("run, " if runs else "") + ("written" if changed else "unchanged")


def faults_of(script: Path, tolerant: bool = False) -> list[str]:
    """Run a script anew, draw from what is kept, and say in a line each what differs.

    On other versions, which `tolerant` tells, `values` may return None: they do nothing of the kind.
    """
    before = kept(script)
    if before is None:
        return ["was never drawn"]
    record = run(script)
    is_drawn = record["values"] is not None or not tolerant
    found = differences_of_records(before, record, tolerant) if is_drawn else []
    stale = [p.name for p, text in drawn(script, before).items() if not _holds(p, text)]
    return found + [f"{name} is not what the script draws from the kept values" for name in stale]


def _holds(path: Path, text: str) -> bool:
    return path.exists() and path.read_text("utf8") == text
