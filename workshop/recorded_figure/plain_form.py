"""A recorded figure as plain Markdown, for Colab, GitHub, JupyterLab and a site without scripts."""

import json
from pathlib import Path

from workshop.recorded_figure.records import FigureError, read_record, words_of
from workshop.words import keyed_words

STEPS_SHOWN = 5  # columns of a table of training


def static_form(script: Path, alt: str, language: str) -> str:
    """The figure of `script` in one language, between the comments that the site looks for.

    Raises:
        FigureError: it has no record, or its words do not fit the record.
    """
    record, words = read_record(script), words_of(script)
    if record is None:
        raise FigureError(f"figures/{script.stem}.json: is missing; run `make notebooks`")
    check_words(script, record, words)
    say = keyed_words("recorded_figure", language)
    forms = {"steps": _steps, "tree": _tree, "training": _training}
    body = forms[record["kind"]](record, words, language, say)
    versions = ", ".join(f"{name} {version}" for name, version in record["versions"].items())
    parts = [
        f"<!-- figure {script.stem} -->",
        alt,
        *body,
        f"**{say['recorded']}.** {versions}, {record['device']}",
        "<!-- end of figure -->",
    ]
    return "\n\n".join(parts)


def check_words(script: Path, record: dict, words: dict) -> None:
    """Refuse words about steps that are not there, and questions without one right answer.

    Raises:
        FigureError: with the file, the step and the mend.
    """
    here = f"figures/{script.stem}.yml"
    steps = {step["label"]: step for step in record.get("steps", []) if "label" in step}
    for label, said in words["steps"].items():
        if label not in steps:
            raise FigureError(f"{here}: no step {label!r}; known are {', '.join(steps)}")
        if "ask" in said:
            truth = truth_of(said["ask"], steps)
            right = [choice for choice in said["ask"]["choices"] if choice["is"] == truth]
            if len(right) != 1:
                raise FigureError(
                    f"{here}: step {label!r} asks about {said['ask']['about']}, which is {truth!r}; "
                    f"{len(right)} choices say so, write one"
                )


def truth_of(ask: dict, steps: dict[str, dict]) -> str | None:
    """What the record says about what a question asks: `STEP.FIELD`, or `STEP.state.NAME`."""
    label, _, field = ask["about"].partition(".")
    value = steps.get(label, {})
    for key in field.split(".", 1):
        value = value.get(key) if isinstance(value, dict) else None
    return value if value is None or isinstance(value, str) else json.dumps(value)


def _steps(record: dict, words: dict, language: str, say: dict) -> list[str]:
    """The code, an ordered list of what happened, and the traces."""
    lines = record["code"].splitlines()
    labelled = {step["label"]: step for step in record["steps"] if "label" in step}
    items, before, runs = [], {}, 0
    for number, step in enumerate(record["steps"], start=1):
        code = f"`{lines[step['line'] - 1].strip()}`"
        facts = [f"`{lines[step['called'] - 1].strip()}` ↳ {code}" if "called" in step else code]
        local = {f"{record['enter']}: {key}": value for key, value in step.get("local", {}).items()}
        state = step["state"] | local
        facts += [
            f"`{name}`: {value}" for name, value in state.items() if value != before.get(name)
        ]
        before |= state
        if "trace" in step:
            facts.append(f"jaxpr {step['trace'] + 1} {say['made' if step['made'] else 'hit']}")
        for field in ("output", "returned"):
            if field in step:
                facts.append(f"{say[field]}: `{' '.join(step[field].split())}`")
        if step["runs"] != runs:
            runs = step["runs"]
            facts.append(f"{say['runs']}: {runs}")
        item = f"{number}. {' · '.join(facts)}"
        said = words["steps"].get(step.get("label"), {})
        if note := said.get("note") or _reason(said.get("ask"), labelled):
            item += f"  \n    {note[language]}"
        items.append(item)
    traces = []
    for number, trace in enumerate(record["traces"], start=1):
        inside = f" ({', '.join(trace['for'])})" if trace["for"] else ""
        traces.append(f"jaxpr {number}{inside}\n\n```text\n{trace['jaxpr']}\n```")
    return [f"```python\n{record['code']}\n```", "\n".join(items), *traces]


def _reason(ask: dict | None, steps: dict[str, dict]) -> dict | None:
    """Why the right answer of a question is right."""
    if ask is None:
        return None
    truth = truth_of(ask, steps)
    return next(choice["why"] for choice in ask["choices"] if choice["is"] == truth)


def _table(head: list[str], rows: list[list[str]]) -> str:
    lines = [head, ["---"] * len(head), *rows]
    return "\n".join("| " + " | ".join(line) + " |" for line in lines)


def _tree(record: dict, words: dict, language: str, say: dict) -> list[str]:
    """Every node of the tree in a row, leaves with their numbers."""
    rows = []
    for node in record["nodes"]:
        kind = f"{say['leaf']} {node['leaf'] + 1}" if "leaf" in node else node["type"]
        about = f"`{node['dtype']}{node['shape']}`" if "leaf" in node else ""
        if node.get("empty"):
            about = say["empty"]
        static = node.get("static", {})
        about += ", ".join(f"{say['static']}: `{name}` = `{text}`" for name, text in static.items())
        rows.append([f"`{node['path']}`", kind, about])
    return [_table([say["path"], say["node"], ""], rows)]


def _training(record: dict, words: dict, language: str, say: dict) -> list[str]:
    """The loss and the first number of every leaf at some of the steps."""
    last = len(record["at"]) - 1
    chosen = sorted({round(last * part / (STEPS_SHOWN - 1)) for part in range(STEPS_SHOWN)})
    head = [say["leaf"], *(f"{say['step']} {record['at'][place]}" for place in chosen)]
    rows = [
        [f"{say['loss']} {name}".strip(), *(_number(curve[place]) for place in chosen)]
        for name, curve in record["losses"].items()
    ]
    for leaf in record["leaves"]:
        numbers = [leaf["steps"][place][0] for place in chosen]
        rows.append([f"`{leaf['path']}`", *map(_number, numbers)])
    return [_table(head, rows)]


def _number(value: float) -> str:
    return f"{value:.4g}".replace("-", "−")
