"""Small faults planted by code in the committed chapters, and which layer of the checks sees each.

Every kind of fault is a function that changes the outputs of a notebook, a notebook file or a
chapter at a place drawn from a seeded generator. The checks are the ones of `make test`:

- static: the chapter is read, the notebooks are linted and compared with their chapter and with
  each other, prose, claims and exercises are looked at. No kernel is needed.
- run: the code is run and its outputs are compared with the documented ones, as in `conftest.py`.
  A fault that leaves the code alone needs no run of its own: all of a chapter share one.

A fault in a notebook alone is always caught, since a notebook must be what its chapter says. So
faults also come "in both": planted in the chapter and in both languages with new cell ids, as if
`make notebooks` had written them; there an output stands only because the run proves it.

`make mutants` plants some 200 and prints the table; `test_mutants.py` plants a sample.
"""

import argparse
import ast
import asyncio
import base64
import copy
import io
import json
import os
import random
import re
import sys
import tempfile
import tokenize
from collections import Counter
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass
from functools import cache
from multiprocessing import get_context
from pathlib import Path
from unittest.mock import patch

import nbformat
import numpy as np
import test_claims
import test_exercises
import test_prose
import test_sources
from chapter_source import (
    BOOK,
    LANGUAGES,
    ChapterError,
    chapter_paths,
    code_cells,
    notebook_path,
    read_chapter,
)
from compare_outputs import ANSI, FIGURE, clean_outputs, differences, error_in, text_of
from lint_notebook import faults_in
from nbclient import NotebookClient
from nbclient.exceptions import CellTimeoutError, DeadKernelError
from nbformat import NotebookNode
from PIL import Image
from run_alone import CELL_SECONDS, kernel_config, run_alone
from write_notebooks import assemble, committed_cells, notebook_text, write_chapter

ROOT = BOOK.parent
CHAPTERS = {path.stem: path for path in chapter_paths()}
Rng = random.Random

BLOCK = re.compile(
    r"(?ms)^(?P<fence>`{3,})\{code-cell\} ipython3\n.*?^(?P=fence)\n"
    r'|^\+\+\+ \{"lang": "(?P<lang>ko|en)"\}\n.*?(?=^\+\+\+ \{|^`{3,}\{code-cell\}|\Z)'
)
YAML = re.compile(
    r"(?s)\A(`+\{code-cell\} ipython3\n)(---\n.*?\n---\n)?(.*)(^`+\n)\Z", re.MULTILINE
)


@dataclass
class Mutant:
    """One planted fault: the chapter and its notebooks as they would lie in the repository."""

    kind: str
    chapter: str  # its stem
    way: str
    what: str
    text: str
    notebooks: dict[str, str]
    excuse: str = ""  # why a run may not see it, as the chapter says
    static: str = ""  # the layer that saw it and the first line of what it said
    run: str = ""
    no_effect: bool = False  # the changed code gives the same outputs, byte for byte

    @property
    def name(self) -> str:
        """Where and what, in one line."""
        return f"{self.kind}: {self.chapter}, {self.way}, {self.what}"

    @property
    def caught(self) -> bool:
        """Whether any layer saw it."""
        return bool(self.static or self.run)


# --- kinds of faults in documented outputs: (code cells of a notebook, rng) -> place or None -------


def _with(cells: list[NotebookNode], rng: Rng, wanted: Callable) -> int | None:
    """The place of a random cell that `wanted` accepts."""
    places = [place for place, cell in enumerate(cells) if wanted(cell)]
    return rng.choice(places) if places else None


def visible_texts(cell: NotebookNode) -> list[tuple[dict | list, str | int]]:
    """The texts that a reader sees below a cell: each a container and the key that holds it.

    The text beside a picture is not shown.
    """
    found: list[tuple[dict | list, str | int]] = []
    for output in cell.outputs:
        if output.output_type == "stream":
            found.append((output, "text"))
        elif output.output_type == "error":
            found += [(output.traceback, number) for number in range(len(output.traceback))]
        elif "image/png" not in output.data:
            found += [(output.data, mime) for mime in output.data if mime.startswith("text/")]
    return found


def _is_text(cell: NotebookNode) -> bool:
    return any(box[key].strip() for box, key in visible_texts(cell))


def _lines(cell: NotebookNode) -> int:
    return max((box[key].strip().count("\n") + 1 for box, key in visible_texts(cell)), default=0)


def _picture(cell: NotebookNode) -> NotebookNode | None:
    return next((o for o in cell.outputs if "image/png" in o.get("data", {})), None)


def digits_in(text: str) -> list[int]:
    """Where the digits of a text stand that a reader sees: colours of a terminal are none."""
    colours = [match.span() for match in ANSI.finditer(text)]
    places = [match.start() for match in re.finditer(r"\d", text)]
    return [at for at in places if not any(start <= at < end for start, end in colours)]


def next_digit(text: str, at: int) -> str:
    """The text with the digit at a place one higher, 9 becoming 0."""
    return f"{text[:at]}{(int(text[at]) + 1) % 10}{text[at + 1 :]}"


def a_changed_digit(cells, rng):
    place = _with(cells, rng, lambda c: any(digits_in(b[k]) for b, k in visible_texts(c)))
    if place is None:
        return None
    box, key = rng.choice([(b, k) for b, k in visible_texts(cells[place]) if digits_in(b[k])])
    box[key] = next_digit(box[key], rng.choice(digits_in(box[key])))
    return place


def a_changed_letter(cells, rng):
    if (place := _with(cells, rng, _is_text)) is None:
        return None
    box, key = rng.choice([(b, k) for b, k in visible_texts(cells[place]) if b[k].strip()])
    colours = [match.span() for match in ANSI.finditer(box[key])]
    letters = [
        match.start()
        for match in re.finditer(r"[a-zA-Z]", box[key])
        if not any(start <= match.start() < end for start, end in colours)
    ]
    if not letters:
        return None
    at = rng.choice(letters)
    box[key] = box[key][:at] + chr(ord(box[key][at]) ^ 1) + box[key][at + 1 :]
    return place


def a_deleted_output(cells, rng):
    if (place := _with(cells, rng, lambda c: c.outputs)) is not None:
        cells[place].outputs.pop(rng.randrange(len(cells[place].outputs)))
    return place


def a_stale_output(cells, rng):
    """The output of another cell."""
    place = _with(cells, rng, lambda c: c.outputs and not error_in(c))
    other = _with(cells, rng, lambda c: c.outputs and not error_in(c))
    if place is None or text_of(cells[place].outputs) == text_of(cells[other].outputs):
        return None
    cells[place].outputs = copy.deepcopy(cells[other].outputs)
    for output in cells[place].outputs:
        if output.output_type == "execute_result":
            output.execution_count = cells[place].execution_count
    return place


def swapped_outputs(cells, rng):
    one = _with(cells, rng, lambda c: c.outputs and c.outputs[0].output_type == "stream")
    other = _with(cells, rng, lambda c: c.outputs and c.outputs[0].output_type == "stream")
    if one is None or text_of(cells[one].outputs) == text_of(cells[other].outputs):
        return None
    pair = cells[one].outputs, cells[other].outputs
    cells[other].outputs, cells[one].outputs = pair
    return one


def a_truncated_output(cells, rng):
    if (place := _with(cells, rng, lambda c: _lines(c) > 1)) is None:
        return None
    box, key = max(visible_texts(cells[place]), key=lambda at: at[0][at[1]].count("\n"))
    lines = box[key].rstrip("\n").split("\n")
    box[key] = "\n".join(lines[: rng.randrange(1, len(lines))]) + "\n"
    return place


def a_removed_line(cells, rng):
    """A line inside the output, a warning for example."""
    if (place := _with(cells, rng, lambda c: _lines(c) > 2)) is None:
        return None
    box, key = max(visible_texts(cells[place]), key=lambda at: at[0][at[1]].count("\n"))
    lines = box[key].split("\n")
    del lines[rng.randrange(1, len(lines) - 1)]
    box[key] = "\n".join(lines)
    return place


def a_line_twice(cells, rng):
    if (place := _with(cells, rng, _is_text)) is None:
        return None
    box, key = rng.choice([(b, k) for b, k in visible_texts(cells[place]) if b[k].strip()])
    lines = box[key].split("\n")
    at = rng.choice([number for number, line in enumerate(lines) if line.strip()])
    box[key] = "\n".join(lines[: at + 1] + lines[at:])
    return place


def a_printed_warning(cells, rng):
    """A warning is documented where none is given."""
    if (place := _with(cells, rng, lambda c: True)) is not None:
        warning = nbformat.v4.new_output("stream", name="stderr", text="cell.py:1: UserWarning\n")
        cells[place].outputs.insert(0, warning)
    return place


def a_documented_error_type(cells, rng):
    if (place := _with(cells, rng, error_in)) is None:
        return None
    error = error_in(cells[place])
    other = rng.choice([n for n in ("TypeError", "ValueError", "KeyError") if n != error.ename])
    error.traceback = [part.replace(error.ename, other) for part in error.traceback]
    error.ename = other
    return place


def a_changed_traceback(cells, rng):
    """A digit of the code or of a line number that a traceback shows."""
    if (place := _with(cells, rng, error_in)) is None:
        return None
    frames = error_in(cells[place]).traceback
    number = rng.choice([number for number, frame in enumerate(frames) if digits_in(frame)])
    frames[number] = next_digit(frames[number], rng.choice(digits_in(frames[number])))
    return place


def an_error_that_never_was(cells, rng):
    """Tag and error are documented where the cell raises nothing."""
    if (place := _with(cells, rng, lambda c: not error_in(c))) is None:
        return None
    line = f"Cell In[{cells[place].execution_count}], line 1"
    error = nbformat.v4.new_output("error", ename="TypeError", evalue="no", traceback=[line])
    cells[place].metadata.setdefault("tags", []).append("raises-exception")
    cells[place].outputs.append(error)
    return place


def an_error_left_out(cells, rng):
    """Neither tag nor error is documented where the cell raises."""
    if (place := _with(cells, rng, error_in)) is None:
        return None
    cells[place].outputs.remove(error_in(cells[place]))
    cells[place].metadata["tags"].remove("raises-exception")
    return place


def a_changed_picture(cells, rng):
    """Another curve, colour or label is drawn than the run draws."""
    if (place := _with(cells, rng, _picture)) is None:
        return None
    data = _picture(cells[place]).data
    with Image.open(io.BytesIO(base64.b64decode(data["image/png"]))) as image:
        pixels = np.array(image.convert("RGB"))
    height, width = pixels.shape[:2]
    how = rng.choice(["colours", "moved", "label", "stretched"])
    if how == "colours":
        pixels = pixels[:, :, ::-1]
    elif how == "moved":
        pixels = np.roll(pixels, rng.choice([-2, 2, 3]), axis=0)
    elif how == "label":  # the place of the label of the x axis
        pixels[int(height * 0.92) :, int(width * 0.3) : int(width * 0.7)] = 255
    else:
        middle = pixels[height // 3 : height // 3 * 2]
        pixels[height // 3 : height // 3 * 2] = np.roll(middle, 4, axis=1)
    stream = io.BytesIO()
    Image.fromarray(pixels).save(stream, format="png")
    data["image/png"] = base64.b64encode(stream.getvalue()).decode()
    return place


def changed_figure_data(cells, rng):
    """The data beside the picture: one value of a curve, a colour, a label."""
    if (place := _with(cells, rng, _picture)) is None:
        return None
    metadata = _picture(cells[place]).metadata
    leaves: list[tuple] = []

    def walk(node):
        for key, value in node.items() if isinstance(node, dict) else enumerate(node):
            if isinstance(value, dict | list):
                walk(value)
            elif value:
                leaves.append((node, key))

    data = json.loads(metadata[FIGURE])
    walk(data)
    node, key = rng.choice(leaves)
    old = node[key]
    node[key] = f"{old}s" if isinstance(old, str) else old * 1.5
    metadata[FIGURE] = json.dumps(data)
    return place


def a_stale_picture(cells, rng):
    """The picture of another cell, its data with it."""
    place = _with(cells, rng, _picture)
    other = _with(cells, rng, _picture)
    if place is None or place == other:
        return None
    for part in ("data", "metadata"):
        setattr(_picture(cells[place]), part, copy.deepcopy(getattr(_picture(cells[other]), part)))
    return place


def picture_without_data(cells, rng):
    if (place := _with(cells, rng, _picture)) is not None:
        del _picture(cells[place]).metadata[FIGURE]
    return place


def a_cell_never_run(cells, rng):
    place = rng.randrange(len(cells))
    cells[place].outputs, cells[place].execution_count = [], None
    return place


def a_wrong_execution_count(cells, rng):
    place = rng.randrange(len(cells))
    cells[place].execution_count += rng.choice([1, 2, 10])
    return place


def a_changed_tag(cells, rng):
    place = rng.randrange(len(cells))
    tags = cells[place].metadata.setdefault("tags", [])
    if tags and rng.random() < 0.5:
        tags.pop(rng.randrange(len(tags)))
    else:
        new = ["raises-exception", "skip-execution", "hide-input", "solution", "remove-output"]
        tags.append(rng.choice([tag for tag in new if tag not in tags]))
    return place


def a_missing_alt_text(cells, rng):
    if (place := _with(cells, rng, _picture)) is not None:
        del cells[place].metadata["mystnb"]["image"]
    return place


def a_changed_pattern(cells, rng):
    """A `varies` pattern that no longer fits, or fits anything, or has lost its reason."""
    if (place := _with(cells, rng, lambda c: "varies" in c.metadata)) is None:
        return None
    varies = cells[place].metadata["varies"]
    how = rng.choice(["narrow", "any", "broken", "reason"])
    change = {"narrow": "never", "any": r"(?s).*", "broken": "("}
    if how == "reason":
        varies["reason"] = ""
    else:
        varies["pattern"] = change[how]
    return place


OUTPUT_FAULTS = {
    a_changed_digit: 14,
    a_changed_letter: 6,
    a_deleted_output: 10,
    a_stale_output: 8,
    swapped_outputs: 6,
    a_truncated_output: 6,
    a_removed_line: 5,
    a_line_twice: 4,
    a_printed_warning: 4,
    a_documented_error_type: 5,
    a_changed_traceback: 5,
    an_error_that_never_was: 4,
    an_error_left_out: 5,
    a_changed_picture: 8,
    changed_figure_data: 7,
    a_stale_picture: 3,
    picture_without_data: 3,
    a_cell_never_run: 4,
    a_wrong_execution_count: 4,
    a_changed_tag: 6,
    a_missing_alt_text: 4,
    a_changed_pattern: 5,
}


# --- kinds of faults in one notebook file, as a hand or a merge leaves them ------------------------


def _name(notebook: NotebookNode, place: int) -> str:
    return f"cell {place + 1}"


def cells_swapped_in_one_notebook(notebook, rng):
    place = rng.randrange(len(notebook.cells) - 1)
    cells = notebook.cells
    cells[place], cells[place + 1] = cells[place + 1], cells[place]
    return _name(notebook, place)


def a_cell_twice_in_one_notebook(notebook, rng):
    place = rng.randrange(len(notebook.cells))
    twin = copy.deepcopy(notebook.cells[place])
    twin["id"] = f"{twin['id']}-1"
    notebook.cells.insert(place, twin)
    return _name(notebook, place)


def a_cell_deleted_in_one_notebook(notebook, rng):
    place = rng.randrange(len(notebook.cells))
    del notebook.cells[place]
    return _name(notebook, place)


def code_changed_in_one_notebook(notebook, rng):
    places = [place for place, cell in enumerate(notebook.cells) if cell.cell_type == "code"]
    place = rng.choice(places)
    notebook.cells[place].source += "\n1"
    return _name(notebook, place)


def prose_changed_in_one_notebook(notebook, rng):
    places = [place for place, cell in enumerate(notebook.cells) if cell.cell_type == "markdown"]
    place = rng.choice(places)
    source = notebook.cells[place].source
    at = rng.choice([match.start() for match in re.finditer(r"[가-힣a-z]", source)])
    notebook.cells[place].source = source[:at] + source[at + 1 :]
    return _name(notebook, place)


def a_changed_id(notebook, rng):
    place = rng.randrange(len(notebook.cells))
    notebook.cells[place]["id"] = f"{rng.randrange(16**12):012x}"
    return _name(notebook, place)


def traces_of_a_run(notebook, rng):
    place = rng.randrange(len(notebook.cells))
    name = rng.choice(["execution", "ExecuteTime", "scrolled"])
    notebook.cells[place].metadata[name] = {"shell.execute_reply": "2026-01-01T00:00:00Z"}
    return _name(notebook, place)


def another_kernel(notebook, rng):
    notebook.metadata.kernelspec.name = rng.choice(["python", "julia-1.10", "ir"])
    return "its header"


NOTEBOOK_FAULTS = {
    cells_swapped_in_one_notebook: 4,
    a_cell_twice_in_one_notebook: 3,
    a_cell_deleted_in_one_notebook: 4,
    code_changed_in_one_notebook: 4,
    prose_changed_in_one_notebook: 4,
    a_changed_id: 3,
    traces_of_a_run: 3,
    another_kernel: 2,
}


# --- kinds of faults in a chapter: (its blocks, cells with outputs, rng) -> what or None -----------


def blocks_of(text: str) -> list[str]:
    """The text of a chapter in pieces: code cells, prose cells of one language, the rest."""
    pieces, end = [], 0
    for match in BLOCK.finditer(text):
        pieces += [text[end : match.start()], match.group()]
        end = match.end()
    return [*pieces, text[end:]]


def _language(block: str) -> str | None:
    match = BLOCK.match(block)
    return match and match["lang"]


def _code_places(blocks: list[str], wanted: Callable[[str], object] = bool) -> list[int]:
    """Where code cells that readers see stand and what they run is accepted by `wanted`."""
    return [
        place
        for place, block in enumerate(blocks)
        if (match := YAML.match(block)) and "wrong-answer" not in (match[2] or "")
        if wanted(match[3])
    ]


def _source(block: str) -> str:
    return YAML.match(block)[3]


def _put(blocks: list[str], place: int, source: str) -> None:
    head, metadata, _, fence = YAML.match(blocks[place]).groups()
    blocks[place] = f"{head}{metadata or ''}{source.rstrip()}\n{fence}"


def _tokens(source: str) -> list[tokenize.TokenInfo]:
    try:
        return list(tokenize.generate_tokens(io.StringIO(source).readline))
    except (tokenize.TokenError, SyntaxError):
        return []


def _replace_match(blocks, rng, pattern: str, change: Callable[[str], str]) -> str | None:
    """Change the group "x" of a random match of `pattern` in the code of a random cell."""
    found = [
        (place, match)
        for place in _code_places(blocks)
        for match in re.finditer(pattern, _source(blocks[place]))
    ]
    if not found:
        return None
    place, match = rng.choice(found)
    source = _source(blocks[place])
    start, end = match.span("x")
    _put(blocks, place, source[:start] + change(match["x"]) + source[end:])
    return f"{match.group()!r} -> {change(match['x'])!r}"


def another_seed(blocks, rng):
    calls = r"(?:random\.key|default_rng|PRNGKey|Rngs|SeedGenerator|set_random_seed)"
    return _replace_match(blocks, rng, rf"{calls}\((?P<x>\d+)", lambda x: str(int(x) + 1))


def another_learning_rate(blocks, rng):
    names = r"(?:\blr|_?rate|sgd|adam\w*|SGD|Adam)"
    return _replace_match(
        blocks, rng, rf"{names}\s*[=(]\s*(?P<x>\d*\.\d+)", lambda x: str(float(x) * 2)
    )


def another_dtype(blocks, rng):
    other = {"float32": "float16", "bfloat16": "float32", "int32": "int8", "float16": "float32"}
    pattern = r"\bj?np\.(?P<x>float32|bfloat16|int32|float16)\b"
    return _replace_match(blocks, rng, pattern, other.__getitem__)


def another_number_in_the_code(blocks, rng):
    return _replace_match(
        blocks, rng, r"(?<![\w.\"'#])(?P<x>\d+\.\d+|\d+)(?![\w.\"'])", _other_number
    )


def _other_number(text: str) -> str:
    return str(int(text) + 1) if text.isdigit() else str(float(text) * 1.5)


def another_operator(blocks, rng):
    other = {"+": "-", "-": "+", "*": "+", "/": "*"}
    return _replace_match(blocks, rng, r"(?<=\w|\)) (?P<x>[-+*/]) (?=\w|\()", other.__getitem__)


def a_figure_drawn_otherwise(blocks, rng):
    """Another colour, style or label in the code that draws."""
    other = {"--": "-", "-": ":", ":": "--", "o": "s", "o-": "s-", "s": "o", ".": "x", "C0": "C3"}
    drawing = _code_places(blocks, re.compile(r"\bplt\.|\baxe?s?\w*\.(?:plot|bar|set)").search)
    found = [
        (place, token)
        for place in drawing
        for token in _tokens(_source(blocks[place]))
        if token.type == tokenize.STRING and token.string[0] in "\"'" and len(token.string) > 2
        if re.search(r"plot|label|bar|scatter|color|text", token.line)
        and "rcParams" not in token.line
    ]
    if not found:
        return None
    place, token = rng.choice(found)
    old = token.string[1:-1]
    lines = _source(blocks[place]).split("\n")
    row, start, end = token.start[0] - 1, token.start[1], token.end[1]
    lines[row] = f"{lines[row][:start]}{other.get(old, old + 's')!r}{lines[row][end:]}"
    _put(blocks, place, "\n".join(lines))
    return f"{old!r} -> {other.get(old, old + 's')!r}"


def a_deleted_statement(blocks, rng):
    """The last statement of a cell that has several."""

    def several(source: str) -> bool:
        try:
            return len(ast.parse(source).body) > 1
        except SyntaxError:
            return False

    if not (places := _code_places(blocks, several)):
        return None
    place = rng.choice(places)
    last = ast.parse(_source(blocks[place])).body[-1]
    lines = _source(blocks[place]).split("\n")
    _put(blocks, place, "\n".join(lines[: last.lineno - 1]))
    return f"without {lines[last.lineno - 1]!r}"


def _raising(blocks: list[str]) -> list[int]:
    return [
        p for p in _code_places(blocks) if "raises-exception" in (YAML.match(blocks[p])[2] or "")
    ]


def another_error(blocks, rng):
    """The cell that must fail fails with another error."""
    if not (places := _raising(blocks)):
        return None
    place = rng.choice(places)
    _put(blocks, place, f'raise LookupError("other")\n{_source(blocks[place])}')
    return _source(blocks[place]).split("\n")[1]


def an_error_that_no_longer_happens(blocks, rng):
    if not (places := _raising(blocks)):
        return None
    place = rng.choice(places)
    body = "\n".join(f"    {line}" for line in _source(blocks[place]).rstrip().split("\n"))
    _put(blocks, place, f"try:\n{body}\nexcept Exception:\n    pass")
    return body.split("\n")[0].strip()


def a_deleted_code_cell(blocks, rng):
    place = rng.choice(_code_places(blocks))
    what = _source(blocks[place]).split("\n")[0]
    blocks[place] = ""
    return what


def a_code_cell_twice(blocks, rng):
    place = rng.choice(_code_places(blocks))
    blocks[place] = f"{blocks[place]}\n{blocks[place]}"
    return _source(blocks[place]).split("\n")[0]


def swapped_code_cells(blocks, rng):
    places = _code_places(blocks)
    number = rng.randrange(len(places) - 1)
    one, other = places[number], places[number + 1]
    blocks[one], blocks[other] = blocks[other], blocks[one]
    return _source(blocks[one]).split("\n")[0]


CODE_FAULTS = {
    another_seed: 6,
    another_learning_rate: 6,
    another_dtype: 5,
    another_number_in_the_code: 9,
    another_operator: 5,
    a_figure_drawn_otherwise: 7,
    a_deleted_statement: 5,
    another_error: 4,
    an_error_that_no_longer_happens: 4,
    a_deleted_code_cell: 4,
    a_code_cell_twice: 4,
    swapped_code_cells: 4,
}


def _in_prose(blocks, rng, pattern: str, replacement: str, kind: str | None = None) -> str | None:
    """Replace a random match of `pattern` in a random prose block (of one language)."""
    found = [
        (place, match)
        for place, block in enumerate(blocks)
        if _language(block) and kind in (None, _language(block))
        for match in re.finditer(pattern, block)
    ]
    if not found:
        return None
    place, match = rng.choice(found)
    block = blocks[place]
    blocks[place] = block[: match.start()] + match.expand(replacement) + block[match.end() :]
    return f"{_language(block)} {match.group()[:40]!r}"


def an_untranslated_paragraph(blocks, rng):
    place = rng.choice([place for place, block in enumerate(blocks) if _language(block)])
    language = _language(blocks[place])
    blocks[place] = ""
    return f"{language} prose deleted"


def prose_in_the_wrong_order(blocks, rng):
    places = [place for place, block in enumerate(blocks) if _language(block) == "en"]
    place = rng.choice(places)
    before = max(p for p in range(place) if _language(blocks[p]) == "ko")
    blocks[place], blocks[before] = blocks[before], blocks[place]
    return "English before Korean"


def prose_of_no_language(blocks, rng):
    return _in_prose(blocks, rng, r'\+\+\+ \{"lang": "(?:ko|en)"\}', "+++")


def an_anchor_of_one_language(blocks, rng):
    return _in_prose(blocks, rng, r'<a id="([^"]+)">', r'<a id="\1-2">')


def a_missing_anchor(blocks, rng):
    return _in_prose(blocks, rng, r' <a id="[^"]+"></a>', "")


def a_picture_without_alt(blocks, rng):
    return _in_prose(blocks, rng, r"!\[[^\]]+\]\(", "![](")


def a_missing_picture(blocks, rng):
    return _in_prose(blocks, rng, r"(!\[[^\]]+\]\([^)]+)\.(svg|json)\)", r"\1-2.\2)")


def a_number_of_one_language(blocks, rng):
    number = r"(?<=[\s(`])(\d+)(\.\d+)?(?=[`\s,)]|\. |[가-힣])(?![^\n]*<a id)(?<!\n\d)"
    return _in_prose(blocks, rng, number, r"\g<1>7\2")


def a_marked_choice_of_one_language(blocks, rng):
    return _in_prose(blocks, rng, r"(?m)^- \[x\]", "- [ ]")


def a_refused_spelling(blocks, rng):
    return _in_prose(blocks, rng, "인수", "인자", "ko")


def an_unknown_tag(blocks, rng):
    found = [p for p, block in enumerate(blocks) if re.search(r"(?m)^tags: \[[\w-]+\]", block)]
    if not found:
        return None
    place = rng.choice(found)
    tag = re.search(r"(?m)^tags: \[([\w-]+)\]", blocks[place])[1]
    blocks[place] = blocks[place].replace(f"tags: [{tag}]", f"tags: [{tag}s]", 1)
    return f"{tag}s"


def another_tag_in_the_chapter(blocks, rng):
    found = [p for p, block in enumerate(blocks) if re.search(r"(?m)^tags: \[[\w-]+\]", block)]
    if not found:
        return None
    place = rng.choice(found)
    tag = re.search(r"(?m)^tags: \[([\w-]+)\]", blocks[place])[1]
    known = ["raises-exception", "exercise", "check", "solution", "wrong-answer"]
    other = rng.choice([name for name in known if name != tag])
    blocks[place] = blocks[place].replace(f"tags: [{tag}]", f"tags: [{other}]", 1)
    return f"{tag} -> {other}"


def alt_text_of_one_language(blocks, rng):
    found = [place for place, block in enumerate(blocks) if re.search(r"(?m)^alt:$", block)]
    if not found:
        return None
    place = rng.choice(found)
    language = rng.choice(list(LANGUAGES))
    blocks[place] = re.sub(rf"(?m)^  {language}: .*\n(?:    .*\n)*", "", blocks[place], count=1)
    return f"without {language}"


def a_pattern_without_reason(blocks, rng):
    found = [place for place, block in enumerate(blocks) if re.search(r"(?m)^  reason:", block)]
    if not found:
        return None
    place = rng.choice(found)
    blocks[place] = re.sub(r"(?m)^  reason:.*\n", "", blocks[place], count=1)
    return "varies"


SOURCE_FAULTS = {
    an_untranslated_paragraph: 4,
    prose_in_the_wrong_order: 3,
    prose_of_no_language: 2,
    an_anchor_of_one_language: 3,
    a_missing_anchor: 3,
    a_picture_without_alt: 3,
    a_missing_picture: 3,
    a_number_of_one_language: 6,
    a_marked_choice_of_one_language: 3,
    a_refused_spelling: 2,
    an_unknown_tag: 3,
    another_tag_in_the_chapter: 5,
    alt_text_of_one_language: 3,
    a_pattern_without_reason: 3,
}

ALL_FAULTS = OUTPUT_FAULTS | NOTEBOOK_FAULTS | CODE_FAULTS | SOURCE_FAULTS


# --- planting ---------------------------------------------------------------------------------------


@cache
def committed(chapter: str) -> tuple[str, dict[str, NotebookNode]]:
    """The text of a chapter and its notebooks, as they lie in the repository; not to be changed."""
    path = CHAPTERS[chapter]
    notebooks = {
        language: nbformat.read(notebook_path(path, language), as_version=4)
        for language in LANGUAGES
    }
    return path.read_text(encoding="utf8"), notebooks


def code_of(notebook: NotebookNode) -> list[NotebookNode]:
    """The code cells of a notebook."""
    return [cell for cell in notebook.cells if cell.cell_type == "code"]


def plant(fault: Callable, chapter: str, rng: Rng) -> Mutant | None:
    """A mutant of a chapter with one fault of a kind; None where the kind finds no place."""
    text, originals = committed(chapter)
    notebooks = copy.deepcopy(originals)
    excuse = ""
    languages = list(LANGUAGES)
    if fault in OUTPUT_FAULTS:
        way = rng.choice(["in both", "in both", "in one notebook"])
        languages = languages if way == "in both" else [rng.choice(languages)]
        state = rng.getstate()
        for language in languages:
            rng.setstate(state)  # the same fault in each language
            place = fault(code_of(notebooks[language]), rng)
            if place is None or notebooks[language] == originals[language]:
                return None
        cell = code_of(originals[languages[0]])[place]
        what = f"code cell {place + 1}"
        excuse = cell.metadata.get("varies", {}).get("reason", "")
        what += f" ({cell.source.splitlines()[0][:40]!r})"
    elif fault in NOTEBOOK_FAULTS:
        way, languages = "in one notebook", [rng.choice(languages)]
        what = fault(notebooks[languages[0]], rng)
    else:
        way = rng.choice(["in both", "in both", "in the chapter"])
        if fault in CODE_FAULTS:
            way = rng.choice(["in both", "in both", way, "in one notebook"])
        blocks = blocks_of(text)
        what = fault(blocks, rng)
        changed = "".join(blocks)
        if what is None or changed == text:
            return None
        if way != "in the chapter":
            languages = languages if way == "in both" else [rng.choice(languages)]
            try:
                written = _written(CHAPTERS[chapter], changed, languages)
            except ChapterError:
                way = "in the chapter"  # such a chapter cannot be written
            else:
                notebooks |= written
        text = text if way == "in one notebook" else changed
    texts = {language: nbformat.writes(notebook) + "\n" for language, notebook in notebooks.items()}
    if fault in OUTPUT_FAULTS and way == "in both":
        texts = {language: notebook_text(notebook) for language, notebook in notebooks.items()}
    kind = fault.__name__.replace("_", " ")
    return Mutant(kind, chapter, way, what, text, texts, excuse)


def _written(path: Path, text: str, languages: list[str]) -> dict[str, NotebookNode]:
    """The notebooks of a changed chapter with the outputs that stood there before."""
    with a_book(path.stem, text, {}) as there:
        parsed = read_chapter(there)
        left = copy.deepcopy(committed_cells(path))
        runs = {}
        wanted = code_cells(parsed)
        for number, cell in wanted.items():  # outputs move with their code …
            if run := next((run for run in left if run.source == cell.source), None):
                runs[number] = run
                if sum(c.source == cell.source for c in wanted.values()) == 1:
                    left = [other for other in left if other is not run]
        for number in wanted:  # … and stay where code was changed
            if number not in runs:
                runs[number] = left.pop(0) if left else nbformat.v4.new_code_cell()
        with patch("write_notebooks.cards", return_value={}):  # judged later
            return {
                language: nbformat.reads(
                    assemble(parsed, language, [runs[number] for number in wanted]), as_version=4
                )
                for language in languages
            }


def draw(faults: dict[Callable, int], seed: int, share: float = 1.0) -> list[Mutant]:
    """Mutants of every kind in `faults`, as many as said there, spread over the chapters."""
    mutants = []
    for fault, number in faults.items():
        rng = Rng(f"{seed} {fault.__name__}")
        number = int(number * share) + (rng.random() < number * share % 1)
        stems = rng.sample(list(CHAPTERS), len(CHAPTERS)) * 6
        seen: set[str] = set()
        while stems and len(seen) < number:
            mutant = plant(fault, stems.pop(), rng)
            if mutant and mutant.name not in seen:
                seen.add(mutant.name)
                mutants.append(mutant)
    return mutants


# --- the two layers ---------------------------------------------------------------------------------


@contextmanager
def a_book(stem: str, text: str, notebooks: dict[str, str]):
    """Lay a chapter and its notebooks into an empty book beside its figures; yield its path."""
    (ROOT / "_build").mkdir(exist_ok=True)
    with tempfile.TemporaryDirectory(dir=ROOT / "_build", prefix="mutant-") as folder:
        book = Path(folder) / "book"
        for name in ("chapters", *LANGUAGES):
            (book / name).mkdir(parents=True)
        os.symlink(BOOK / "figures", book / "figures")
        path = book / "chapters" / f"{stem}.md"
        path.write_text(text, encoding="utf8")
        for language, notebook in notebooks.items():
            notebook_path(path, language).write_text(notebook, encoding="utf8")
        yield path


def judge_statically(mutant: Mutant) -> None:
    """Note the first of the tests that need no kernel that goes red, and what it says."""
    with a_book(mutant.chapter, mutant.text, mutant.notebooks) as path:
        here = {mutant.chapter: path}

        def lint(language: str) -> None:
            notebook = nbformat.read(notebook_path(path, language), as_version=4)
            faults = faults_in(notebook)
            assert not faults, faults[0]

        checks = [("lint", lint, language) for language in LANGUAGES]
        same = test_sources.test_notebook_is_what_its_chapter_says
        checks += [("written", lambda lang: same(path, lang), language) for language in LANGUAGES]
        parity = test_sources.test_both_languages_run_the_same_cells_to_the_same_outputs
        checks.append(("parity", parity, path))
        prose = test_prose.test_prose_of_notebook
        checks += [("prose", prose, notebook_path(path, language)) for language in LANGUAGES]
        checks.append(
            ("claims", test_claims.test_both_languages_make_the_same_claims, mutant.chapter)
        )
        if mutant.chapter[:2] != "00":
            complete = test_exercises.test_exercises_are_complete
            checks.append(("exercises", complete, mutant.chapter))
        with ExitStack() as stack:
            read_once = cache(read_chapter)
            for test in (test_sources, test_claims, test_exercises):
                stack.enter_context(patch.object(test, "read_chapter", read_once))
            for test in (test_claims, test_exercises):
                stack.enter_context(patch.dict(test.CHAPTERS, here))
            for layer, check, argument in checks:
                try:
                    check(argument)
                except (AssertionError, ChapterError) as error:
                    mutant.static = f"{layer}: {str(error).splitlines()[0]}"
                    return


class SeenError(Exception):
    """A difference was seen: the rest of the run tells no more."""


def run_code(code: list[NotebookNode], stop: bool) -> tuple[list[NotebookNode], str]:
    """Run documented cells alone; return the cells as run, and the first difference.

    Args:
        stop: end at the first difference.
    """
    cells = [nbformat.v4.new_code_cell(cell.source) for cell in code]
    notebook = nbformat.v4.new_notebook(cells=cells)
    found = []

    def ended(cell: NotebookNode, cell_index: int, execute_reply: dict) -> None:
        lines = differences(code[cell_index], cell)
        found.extend(f"cell {cell_index + 1} {line}" for line in lines)
        if lines and stop:
            raise SeenError

    try:
        with run_alone() as folder:
            client = NotebookClient(
                notebook,
                timeout=CELL_SECONDS,
                allow_errors=True,
                record_timing=False,
                config=kernel_config(folder),
            )
            client.on_cell_executed = ended
            client.execute(cwd=folder)
    except SeenError:
        pass
    except CellTimeoutError:
        found.append("a cell runs too long")
    except (DeadKernelError, asyncio.CancelledError):
        found.append("the kernel died")
    return cells, (found or [""])[0]


def fresh_run(chapter: str) -> list[NotebookNode]:
    """The code cells of a chapter as a run of the committed notebook leaves them."""
    notebook = committed(chapter)[1][next(iter(LANGUAGES))]
    return run_code(code_of(notebook), stop=False)[0]


def _changed_notebooks(mutant: Mutant) -> list[list[NotebookNode]]:
    """The code cells of the notebooks in which the fault lies; equal ones once."""
    found: dict[str, list[NotebookNode]] = {}
    for language, text in mutant.notebooks.items():
        notebook = nbformat.reads(text, as_version=4)
        if notebook != committed(mutant.chapter)[1][language]:
            code = code_of(notebook)
            key = json.dumps([(c.source, c.metadata.get("tags"), c.outputs) for c in code])
            found.setdefault(key, code)
    return list(found.values())


def needs_a_run(mutant: Mutant) -> bool:
    """Whether the code of a notebook was changed."""
    before = [cell.source for cell in code_of(committed(mutant.chapter)[1]["ko"])]
    return any([c.source for c in code] != before for code in _changed_notebooks(mutant))


def judge_by_run(mutant: Mutant, fresh: list[NotebookNode]) -> Mutant:
    """Note the first difference between what is documented and what the code produces.

    Args:
        fresh: the chapter's cells as run; stands for the run of a mutant whose code is unchanged.
    """
    runs = needs_a_run(mutant)
    for code in _changed_notebooks(mutant):
        if not runs:
            lines = [
                f"cell {number} {line}"
                for number, pair in enumerate(zip(code, fresh, strict=True), start=1)
                for line in differences(*pair)
            ]
            mutant.run = (lines or [""])[0]
        else:
            produced, mutant.run = run_code(code, stop=True)
            mutant.no_effect = not mutant.run and _bytes(produced) == _bytes(fresh)
        if mutant.run:
            break
    return mutant


def _bytes(cells: list[NotebookNode]) -> list[str]:
    """All that cells put out, but for tracebacks (they show the code), addresses and `varies`."""
    shown = []
    for cell in cells:
        outputs = clean_outputs(cell.outputs)
        for output in outputs:
            output.pop("traceback", None)
            output.pop("execution_count", None)
        if outputs:
            shown.append(re.sub("0x[0-9a-f]+", "0x", json.dumps(outputs, sort_keys=True)))
    return sorted(shown)


def judge(mutant: Mutant, fresh: list[NotebookNode]) -> Mutant:
    """Let both layers judge a mutant; arguments as of `judge_by_run`."""
    judge_statically(mutant)
    return judge_by_run(mutant, fresh)


# --- harmless changes -------------------------------------------------------------------------------


def _add_line(line: str, at_the_end: bool = False) -> Callable:
    """Add a line to a cell that neither raises nor belongs to an exercise."""

    def change(blocks: list[str], rng: Rng) -> None:
        place = rng.choice(_plain_cells(blocks))
        source = _source(blocks[place]).rstrip()
        parts = (source, line) if at_the_end else (line, source)
        _put(blocks, place, "\n".join(parts))

    return change


def _plain_cells(blocks: list[str], wanted: Callable[[str], object] = bool) -> list[int]:
    places = _code_places(blocks, wanted)
    return [place for place in places if "tags:" not in (YAML.match(blocks[place])[2] or "")]


def _code_match(pattern: str, replacement: str) -> Callable:
    def change(blocks: list[str], rng: Rng) -> None:
        place = rng.choice(_plain_cells(blocks, re.compile(pattern).search))
        _put(blocks, place, re.sub(pattern, replacement, _source(blocks[place]), count=1))

    return change


def rename_a_local(blocks: list[str], rng: Rng) -> None:
    """Rename a name that is assigned within one function only."""
    found = []
    for place in _plain_cells(blocks, re.compile(r"\bdef ").search):
        source = _source(blocks[place])
        for function in ast.walk(ast.parse(source)):
            if not isinstance(function, ast.FunctionDef):
                continue
            for node in ast.walk(function):
                if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
                    uses = len(re.findall(rf"\b{node.id}\b", source))
                    inside = len(
                        re.findall(rf"\b{node.id}\b", ast.get_source_segment(source, function))
                    )
                    if uses == inside:
                        found.append((place, node.id))
    place, name = rng.choice(found)
    _put(blocks, place, re.sub(rf"\b{name}\b", f"{name}_here", _source(blocks[place])))


def _prose(korean: str, english: str, before: str = r"\Z") -> Callable:
    """Add a text to both languages of a random pair, before what matches."""

    def change(blocks: list[str], rng: Rng) -> None:
        pairs = _pairs(blocks)
        for place, text in zip(rng.choice(pairs[2:-2]), (korean, english), strict=True):
            head, body = blocks[place].split("\n\n", 1)
            blocks[place] = f"{head}\n\n{text}\n\n{body}"

    return change


def _pairs(blocks: list[str]) -> list[tuple[int, int]]:
    prose = [place for place, block in enumerate(blocks) if _language(block)]
    return list(zip(prose[::2], prose[1::2], strict=True))


def _everywhere(pattern: str, replacement: str) -> Callable:
    def change(blocks: list[str], rng: Rng) -> None:
        for place, block in enumerate(blocks):
            blocks[place] = re.sub(pattern, replacement, block)

    return change


HARMLESS_CODE = {
    "a comment above the code": _add_line("# A word on what follows."),
    "a comment below the code": _add_line("# A word on what was done.", at_the_end=True),
    "a blank line below a comment": _add_line("# A heading.\n"),
    "a comment in another language": _add_line("# 설명"),
    "an assert that holds": _add_line("assert 1 + 1 == 2"),
    "a name that nobody reads": _add_line("unread = 7"),
    "a comment behind a line": _code_match(r"(?m)^(\w+ = [^\n\\(\[{#]+)$", r"\1  # so"),
    "a renamed local variable": rename_a_local,
}
HARMLESS_PROSE = {
    "a sentence more": _prose("이 문장은 새것입니다.", "This sentence is new."),
    "a number in both": _prose("모두 4096입니다.", "It is 4096 in all."),
    "a link in both": _prose(
        "[서론](00-introduction.ipynb)에 있습니다.",
        "It is in the [introduction](00-introduction.ipynb).",
    ),
    "a heading in both": _prose('## 새 절 <a id="new"></a>', '## A new part <a id="new"></a>'),
    "a table in both": _prose("| 값 |\n|---|\n| `1` |", "| value |\n|---|\n| `1` |"),
    "a list in both": _prose("- 하나\n- 둘", "- one\n- two"),
    "code in both": _prose("`jax.jit`을 봅니다.", "Look at `jax.jit`."),
    "a block of code in both": _prose("```\nx\n```", "```\nx\n```"),
    "blank lines between cells": _everywhere(r"\n\Z", "\n\n"),
    "tags written as a list": _everywhere(r"(?m)^tags: \[([\w-]+)\]$", r"tags:\n- \1"),
    "the order of metadata": _everywhere(r"(?m)^(  pattern: .*\n)(  reason: .*\n)", r"\2\1"),
    "an alt text in other words": _everywhere(r"(?m)^!\[(.+?)\]\((.*svg)\)$", r"![\1 x](\2)"),
}


def _streams(change: Callable[[str], str]) -> Callable:
    def noise(cells: list[NotebookNode]) -> None:
        for cell in cells:
            for output in cell.outputs:
                if output.output_type == "stream" and "varies" not in cell.metadata:
                    output.text = change(output.text)

    return noise


def _flushed_in_parts(cells: list[NotebookNode]) -> None:
    for cell in cells:
        if cell.outputs and cell.outputs[0].output_type == "stream":
            first = cell.outputs[0]
            half = len(first.text) // 2
            rest = nbformat.v4.new_output("stream", name=first.name, text=first.text[half:])
            first.text = first.text[:half]
            cell.outputs.insert(1, rest)


def _encoded_anew(noise: int) -> Callable:
    def change(cells: list[NotebookNode]) -> None:
        for cell in cells:
            if picture := _picture(cell):
                with Image.open(io.BytesIO(base64.b64decode(picture.data["image/png"]))) as image:
                    pixels = np.array(image.convert("RGB"))
                grain = np.random.default_rng(0).integers(0, 2, pixels.shape) * noise
                stream = io.BytesIO()
                changed = np.clip(pixels - grain, 0, 255).astype(np.uint8)
                Image.fromarray(changed).save(stream, format="png", compress_level=1)
                picture.data["image/png"] = base64.b64encode(stream.getvalue()).decode()

    return change


def _other_counts(cells: list[NotebookNode]) -> None:
    for cell in cells:
        for output in cell.outputs:
            if output.output_type == "execute_result":
                output.execution_count = 99
            elif output.output_type == "error":
                output.traceback = [
                    re.sub(r"In\[\d+\]", "In[99]", part) for part in output.traceback
                ]


def _library_frames(cells: list[NotebookNode]) -> None:
    for cell in cells:
        if error := error_in(cell):
            error.traceback.insert(-1, "File /opt/lib/python3.13/site-packages/jax/x.py:7, in f()")


def _timed(cells: list[NotebookNode]) -> None:
    for cell in cells:
        cell.metadata["execution"] = {"shell.execute_reply": "2026-01-01T00:00:00Z"}


# What may differ between a run and the documented outputs.
HARMLESS_RUNS = {
    "streams flushed in parts": _flushed_in_parts,
    "colours of a terminal": _streams(lambda text: f"\x1b[31m{text}\x1b[0m"),
    "a progress line overwritten": _streams(lambda text: text if text[0] == "\n" else f"1\r{text}"),
    "line ends of Windows": _streams(lambda text: text.replace("\n", "\r\n")),
    "pictures encoded anew": _encoded_anew(0),
    "pictures with noise": _encoded_anew(1),
    "other cell numbers": _other_counts,
    "frames of libraries": _library_frames,
    "times of the run": _timed,
}


def flagged_runs(chapter: str) -> dict[str, str]:
    """The first difference that each of HARMLESS_RUNS brings, empty as it should be."""
    code = code_of(committed(chapter)[1]["ko"])
    flagged = {}
    for name, change in HARMLESS_RUNS.items():
        run = copy.deepcopy(code)
        change(run)
        lines = [line for pair in zip(code, run, strict=True) for line in differences(*pair)]
        flagged[name] = (lines or [""])[0]
    return flagged


def flagged_change(chapter: str, name: str, change: Callable, rng: Rng) -> str:
    """Make a harmless change in a chapter, write its notebooks and say what a check flags.

    Raises:
        IndexError: the chapter has no place for this change.
    """
    text, notebooks = committed(chapter)
    blocks = blocks_of(text)
    change(blocks, rng)
    texts = {language: notebook_text(notebook) for language, notebook in notebooks.items()}
    with a_book(chapter, "".join(blocks), texts) as path:
        try:
            write_chapter(path, run=False, on_cell=lambda cell, cells: None)
        except ChapterError as error:
            return str(error)
        written = {
            language: notebook_path(path, language).read_text("utf8") for language in LANGUAGES
        }
    mutant = Mutant(name, chapter, "in both", "", "".join(blocks), written)
    judge_statically(mutant)
    return mutant.static or (needs_a_run(mutant) and judge_by_run(mutant, []).run) or ""


def all_at_once(changes: dict[str, Callable]) -> Callable:
    """Make several changes of code, so that one run judges them."""

    def change(blocks: list[str], rng: Rng) -> None:
        for one in changes.values():
            with suppress(IndexError):
                one(blocks, rng)

    return change


# --- the table --------------------------------------------------------------------------------------


def table(mutants: list[Mutant]) -> str:
    """Kinds and what was caught by each layer alone and by both, then every miss."""
    kinds = list(dict.fromkeys(mutant.kind for mutant in mutants))
    lines = [
        f"{'kind':40}{'made':>5}{'static':>8}{'run':>6}{'both':>6}{'missed':>8}{'no effect':>11}"
    ]
    for kind in [*kinds, None]:
        ours = [mutant for mutant in mutants if kind in (None, mutant.kind)]
        real = faults(ours)
        counts = [
            sum(map(bool, seen)) for seen in zip(*((m.static, m.run, m.caught) for m in real))
        ]
        static, run, both = counts or (0, 0, 0)
        name = (kind or "all").ljust(40)
        lines.append(
            f"{name}{len(real):5}{static:8}{run:6}{both:6}{len(real) - both:8}{len(ours) - len(real):11}"
        )
    hard = [m for m in faults(mutants) if m.way == "in both"]
    for name, group in (("all", faults(mutants)), ("in both notebooks, as if written", hard)):
        shares = [
            100 * sum(bool(seen(m)) for m in group) / len(group)
            for seen in (lambda m: m.static, lambda m: m.run, lambda m: m.caught)
        ]
        lines.append(
            "{} ({}): static alone {:.1f} %, run with comparison alone {:.1f} %, "
            "together {:.1f} %".format(name, len(group), *shares)
        )
    layers = Counter(m.static.split(":")[0] for m in mutants if m.static)
    lines.append("static, first seen by: " + ", ".join(f"{k} {n}" for k, n in layers.most_common()))
    lines += [f"MISSED {m.name}: {m.excuse or 'no reason is written'}" for m in missed(mutants)]
    lines += [f"no effect {m.name}" for m in mutants if m not in faults(mutants)]
    return "\n".join(lines)


def faults(mutants: list[Mutant]) -> list[Mutant]:
    """Without changes of code that change no output: those document nothing wrong."""
    return [mutant for mutant in mutants if mutant.caught or not mutant.no_effect]


def missed(mutants: list[Mutant]) -> list[Mutant]:
    """The faults that no layer saw."""
    return [mutant for mutant in faults(mutants) if not mutant.caught]


def new_seed() -> int:
    """The seed named by MUTANTS_SEED, else a new one."""
    return int(os.environ.get("MUTANTS_SEED") or random.SystemRandom().randrange(10**6))


def main() -> int:
    """Plant everything, print the table; 0 when at most 2 % are missed, each with its reason."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--workers", type=int, default=2)
    options = parser.parse_args()
    seed = new_seed()
    print(f"MUTANTS_SEED={seed}", flush=True)
    mutants = draw(ALL_FAULTS, seed)
    with ProcessPoolExecutor(options.workers, get_context("spawn")) as pool:
        fresh = dict(zip(CHAPTERS, pool.map(fresh_run, CHAPTERS), strict=True))
        runs = [fresh[mutant.chapter] for mutant in mutants]
        judged = list(pool.map(judge, mutants, runs))
        quiet = list(pool.map(flagged_harmless, CHAPTERS, [seed] * len(CHAPTERS)))
    print(table(judged))
    done = Counter(name for chapter in quiet for name in chapter)
    flagged = [f"FLAGGED {k}: {line}" for found in quiet for k, line in found.items() if line]
    print(
        f"harmless: {len(done)} kinds, {done.total()} made, {len(flagged)} flagged",
        *flagged,
        sep="\n",
    )
    real = faults(judged)
    loose = [mutant for mutant in missed(judged) if not mutant.excuse]
    return int(bool(flagged or loose) or len(missed(judged)) > 0.02 * len(real))


def flagged_harmless(chapter: str, seed: int) -> dict[str, str]:
    """What the checks say of the harmless changes of one chapter, by name; empty as it should be."""
    rng = Rng(f"{seed} {chapter}")
    flagged = flagged_runs(chapter)
    for name, change in HARMLESS_PROSE.items():
        with suppress(IndexError):
            flagged[name] = flagged_change(chapter, name, change, rng)
    if chapter in RUN_HARMLESS:
        line = flagged_change(chapter, "code", all_at_once(HARMLESS_CODE), rng)
        flagged |= dict.fromkeys(HARMLESS_CODE, line)
    return flagged


# Harmless changes of code are run in two chapters, the quickest of those with much code.
RUN_HARMLESS = ("01-arrays", "03-counter-pitfall")

if __name__ == "__main__":
    sys.exit(main())
