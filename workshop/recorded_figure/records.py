"""Recorded figures: keep their records, and show them in a notebook as plain Markdown.

A recorded figure is three files in its chapter's `figures/`: `NAME.py`, lesson code that runs by itself;
`NAME.yml`, what to note of the run and what to say about it in both languages; `NAME.json`, the
record, which `make notebooks` writes and the tests make anew. `words.yml` beside this holds the
words that all figures share. In a notebook a figure is code, lists and tables between two comments;
on the site `on_site.py` turns that into an element that plays the record.
"""

import hashlib
import json
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import yaml

from workshop.layout import CHAPTERS
from workshop.runs.alone import run_alone
from workshop.runs.compare import nearly_equal

RECORDER = Path(__file__).with_name("recorder.py")
RUN_SECONDS = 120


class FigureError(Exception):
    """What is wrong with a recorded figure, in one line."""


def figure_scripts(chapters: Path = CHAPTERS) -> list[Path]:
    """The scripts of all recorded figures; each has its words beside it."""
    return sorted(words.with_suffix(".py") for words in chapters.glob("*/figures/*.yml"))


def words_of(script: Path) -> dict:
    """What the figure says and what is noted of its run.

    Raises:
        FigureError: there is no such file, or it is not YAML.
    """
    path = script.with_suffix(".yml")
    try:
        words = yaml.safe_load(path.read_text(encoding="utf8"))
        return {"steps": {}, **words, "record": dict(words["record"])}
    except FileNotFoundError as error:
        raise FigureError(f"figures/{path.name}: is missing; write it as another figure") from error
    except (yaml.YAMLError, KeyError, TypeError, ValueError) as error:
        reason = " ".join(str(error).split())
        raise FigureError(f"figures/{path.name}: cannot be read ({reason}); mend it") from error


def source_digest(script: Path) -> str:
    """A short hash of all that decides the record: the script, its settings, the recorder."""
    settings = json.dumps(words_of(script)["record"], sort_keys=True)
    text = script.read_text("utf8") + settings + RECORDER.read_text("utf8")
    return hashlib.sha256(text.encode()).hexdigest()[:12]


def record(script: Path) -> dict:
    """Run the script alone in an empty folder and return what was noted.

    Raises:
        FigureError: it fails, or runs too long.
    """
    command = [sys.executable, RECORDER, script, json.dumps(words_of(script)["record"])]
    try:
        with run_alone() as folder:
            run = subprocess.run(
                command,
                cwd=folder,
                capture_output=True,
                text=True,
                timeout=RUN_SECONDS,
                check=False,
            )
    except subprocess.TimeoutExpired as error:
        raise FigureError(f"figures/{script.name}: runs longer than {RUN_SECONDS} s") from error
    if run.returncode or not run.stdout:
        reason = (run.stderr.strip().splitlines() or ["no reason given"])[-1]
        raise FigureError(f"figures/{script.name}: cannot be recorded ({reason}); mend it")
    return {"source": source_digest(script), **json.loads(run.stdout)}


def read_record(script: Path) -> dict | None:
    """The committed record of a script, None where there is none."""
    path = script.with_suffix(".json")
    return json.loads(path.read_text(encoding="utf8")) if path.exists() else None


def write_record(script: Path, run: bool) -> str:
    """Record the script anew where it changed (or `run` says so), and say what was done."""
    before = read_record(script)
    if before and before["source"] == source_digest(script) and not run:
        return "unchanged"
    after = record(script)
    if before and not differences_of_records(before, after):
        return "run, unchanged"
    text = json.dumps(after, ensure_ascii=False, separators=(",", ":"))
    # One step, leaf or node a line, so that a change can be read.
    text = re.sub(r'(?<=[\[,])(?=\{"(?:line|path|name|for)")', "\n", text)
    script.with_suffix(".json").write_text(text + "\n", encoding="utf8")
    return "run, written"


def differences_of_records(documented: dict, produced: dict, tolerant: bool = False) -> list[str]:
    """One line for each place where two records of a figure differ.

    Numbers may differ by one unit of the last digit that is kept and by one part in a thousand.
    `tolerant`, for other versions: so may decimals inside texts, and versions are not compared.
    """
    left_out = {"versions", "device", "source"} if tolerant else set()
    found = []
    for place, old, new in _pairs(documented, produced, ""):
        if place.partition(".")[0] in left_out or _same(old, new, tolerant):
            continue
        if place == "source":
            found.append("its script, its settings or the recorder changed since it was written")
        else:
            found.append(f"{place}: documented {_brief(old)}, produced {_brief(new)}")
    return found


def _pairs(old, new, place: str) -> Iterator[tuple]:
    """Walk two records side by side: (place, old, new) for each value."""
    if isinstance(old, dict) and isinstance(new, dict):
        for key in old | new:
            below = f"{place}.{key}" if place else str(key)
            yield from _pairs(old.get(key), new.get(key), below)
    elif isinstance(old, list) and isinstance(new, list) and len(old) == len(new):
        for number, (before, after) in enumerate(zip(old, new, strict=True), start=1):
            yield from _pairs(before, after, f"{place} {number}")
    else:
        yield place, old, new


def _same(old, new, tolerant: bool) -> bool:
    if isinstance(old, float) and isinstance(new, float):
        return nearly_equal(f"{old:.3e}", f"{new:.3e}")  # the digits that the recorder keeps
    if tolerant and isinstance(old, str) and isinstance(new, str):
        return nearly_equal(" ".join(old.split()), " ".join(new.split()))
    return old == new


def _brief(value) -> str:
    text = "nothing" if value is None else json.dumps(value, ensure_ascii=False)
    return text if len(text) <= 80 else text[:79] + "…"
