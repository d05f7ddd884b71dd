"""The cells of the state map: programs, words and what the runs gave, put together."""

import json
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path

import yaml

from workshop.state_map.programs import FIX, KINDS, SET_UP, SOURCE, TRANSFORMATIONS, cells_of
from workshop.state_map.run import KEPT, RECORDS

ENVIRONMENTS = ("pinned", "colab", "latest")
WORDS = SOURCE / "words.yml"


@dataclass(frozen=True)
class Cell:
    """One kind of state under one transformation.

    `none` says, by language, why there is no program; `why` and `mend` say why it ends as it does
    and how to put it right. `take` names the kind of state to take instead, `see` a chapter and an
    anchor, `issues` what is known upstream. Outcomes are by set of versions, as `run.py` writes them.
    """

    kind: str
    transformation: str
    program: str = ""
    fix: str = ""
    outcomes: dict[str, dict[str, str]] = field(default_factory=dict)
    fix_outcomes: dict[str, dict[str, str]] = field(default_factory=dict)
    none: dict[str, str] | None = None
    why: dict[str, str] | None = None
    mend: dict[str, str] | None = None
    take: str = ""
    see: str = ""
    issues: tuple[str, ...] = ()

    @property
    def anchor(self) -> str:
        """Where the page shows it."""
        return f"{self.kind}-{self.transformation}".replace("_", "-")

    @property
    def verdict(self) -> str:
        """The verdict on the pinned versions, empty where there is no program."""
        return self.outcomes["pinned"]["verdict"] if self.outcomes else ""

    @property
    def differs(self) -> bool:
        """Whether the sets of versions differ in the verdict."""
        return len({outcome["verdict"] for outcome in self.outcomes.values()}) > 1

    @property
    def goes_wrong(self) -> bool:
        """Whether any set of versions doesn't keep the state."""
        return any(outcome["verdict"] != KEPT for outcome in self.outcomes.values())


@cache
def words() -> dict[str, dict]:
    """What `words.yml` says, by kind."""
    return yaml.safe_load(WORDS.read_text("utf8"))


@cache
def set_up_of(kind: str) -> str:
    """The set-up of the programs of a kind."""
    return cells_of(kind)[SET_UP]


def read_record(environment: str, folder: Path = RECORDS) -> dict | None:
    """What the last run on a set of versions gave, None where there was none."""
    path = folder / f"{environment}.json"
    return json.loads(path.read_text("utf8")) if path.exists() else None


def cells() -> dict[tuple[str, str], Cell]:
    """The map.

    Raises:
        ValueError: a cell has no words or twice, or has neither a program nor a word why.
    """
    read = {name: read_record(name) for name in ENVIRONMENTS}
    records = {name: record["kinds"] for name, record in read.items() if record}
    return {
        (kind, transformation): _cell(kind, transformation, records)
        for kind in KINDS
        for transformation in TRANSFORMATIONS
    }


def _cell(kind: str, transformation: str, records: dict[str, dict]) -> Cell:
    here = f"words.yml: {kind} under {transformation}"
    entries = [entry for entry in words()[kind]["cells"] if transformation in entry["of"]]
    if len(entries) != 1:
        raise ValueError(f"{here} has {len(entries)} entries; keep one")
    said = {name: value for name, value in entries[0].items() if name != "of"}
    said["issues"] = tuple(said.get("issues", ()))
    programs = cells_of(kind)
    program, fix = programs.get(transformation, ""), f"{transformation}: {FIX}"
    if bool(program) == ("none" in said):
        raise ValueError(f"{here} needs a program or a word `none`, and not both")
    return Cell(
        kind,
        transformation,
        program,
        programs.get(fix, ""),
        _outcomes(records, kind, transformation),
        _outcomes(records, kind, fix),
        **said,
    )


def _outcomes(records: dict[str, dict], kind: str, name: str) -> dict[str, dict[str, str]]:
    found = {environment: record[kind].get(name) for environment, record in records.items()}
    return {environment: outcome for environment, outcome in found.items() if outcome}
