"""Small faults planted in the outputs of documented cells and in notebook files."""

import base64
import copy
import io
import json
import re
from collections.abc import Callable
from random import Random as Rng

import nbformat
import numpy as np
from nbformat import NotebookNode
from PIL import Image

from workshop.runs.compare import ADDRESS, ANSI, PLOT, error_in, text_of

# A kind of fault takes the code cells of a notebook and a generator, and says which cell, or None.


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


def picture_of(cell: NotebookNode) -> NotebookNode | None:
    """The output of a cell that is a picture."""
    return next((o for o in cell.outputs if "image/png" in o.get("data", {})), None)


def digits_in(text: str) -> list[int]:
    """Where the digits of a text stand that a reader sees: colours of a terminal are none."""
    colours = [match.span() for match in ANSI.finditer(text)]
    places = [match.start() for match in re.finditer(r"\d", text)]
    return [at for at in places if not any(start <= at < end for start, end in colours)]


def next_digit(text: str, at: int) -> str:
    """The text with the digit at a place one higher, 9 becoming 0."""
    return f"{text[:at]}{(int(text[at]) + 1) % 10}{text[at + 1 :]}"


def reason_to_pass(cell: NotebookNode, changed: NotebookNode) -> str:
    """Why a run may put out what the changed cell documents: the cell says it, or it is chance."""
    if "varies" in cell.metadata:
        return cell.metadata["varies"]["reason"]
    without_addresses = [ADDRESS.sub("", json.dumps(each.outputs)) for each in (cell, changed)]
    if cell.outputs != changed.outputs and len(set(without_addresses)) == 1:
        return "an address in memory"
    return ""


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
    if (place := _with(cells, rng, picture_of)) is None:
        return None
    data = picture_of(cells[place]).data
    with Image.open(io.BytesIO(base64.b64decode(data["image/png"]))) as image:
        before = np.array(image.convert("RGB"))
    pixels = before.copy()
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
    if (pixels == before).all():
        return None
    stream = io.BytesIO()
    Image.fromarray(pixels).save(stream, format="png")
    data["image/png"] = base64.b64encode(stream.getvalue()).decode()
    return place


def changed_plot_data(cells, rng):
    """The data beside the picture: one value of a curve, a colour, a label."""
    if (place := _with(cells, rng, picture_of)) is None:
        return None
    metadata = picture_of(cells[place]).metadata
    leaves: list[tuple] = []

    def walk(node):
        for key, value in node.items() if isinstance(node, dict) else enumerate(node):
            if isinstance(value, dict | list):
                walk(value)
            elif value:
                leaves.append((node, key))

    data = json.loads(metadata[PLOT])
    walk(data)
    node, key = rng.choice(leaves)
    old = node[key]
    node[key] = f"{old}s" if isinstance(old, str) else old * 1.5
    metadata[PLOT] = json.dumps(data)
    return place


def a_stale_picture(cells, rng):
    """The picture of another cell, its data with it."""
    place = _with(cells, rng, picture_of)
    other = _with(cells, rng, picture_of)
    if place is None or place == other:
        return None
    for part in ("data", "metadata"):
        setattr(
            picture_of(cells[place]), part, copy.deepcopy(getattr(picture_of(cells[other]), part))
        )
    return place


def picture_without_data(cells, rng):
    if (place := _with(cells, rng, picture_of)) is not None:
        del picture_of(cells[place]).metadata[PLOT]
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
    if (place := _with(cells, rng, picture_of)) is not None:
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
    changed_plot_data: 7,
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
