"""Compare what a notebook documents with what a run of it produces, cell by cell.

Pure functions over nbformat cells; no kernel is needed. What legitimately differs between two runs
on one machine (memory addresses, temporary files, where Python is installed, the order in which
streams are flushed) is made equal first; everything else must be equal, pictures nearly so.
"""

import base64
import binascii
import copy
import io
import json
import math
import operator
import re
import tempfile

import numpy as np
from nbformat import NotebookNode
from PIL import Image, UnidentifiedImageError

from workshop.runs.kernel_startup import PLOT_MIME

# A picture drawn from data that differ in the fifth digit stays far below both limits, a line in
# another colour or a changed letter far above the second. In steps of 0..255.
PICTURE_RMS = 0.8
PICTURE_WORST_BLOCK_RMS = 1.5
BLOCK = 16

ANSI = re.compile(r"\x1b\[[0-9;?]*[ -/]*[@-~]|\x1b\][^\x07\x1b]*(?:\x07|\x1b\\)")
ADDRESS = re.compile(r"(?<=\bat )0x[0-9a-fA-F]+|\b0x[0-9a-fA-F]{9,16}\b")
TEMPORARY = "|".join(
    [re.escape(tempfile.gettempdir()), r"(?:/private)?/var/folders/\w+/\w+/T", r"(?:/var)?/tmp"]
)
CELL_FILE = re.compile(rf"(?:{TEMPORARY})[/\\]ipykernel_\d+[/\\]\d+\.py")
TEMPORARY_PATH = re.compile(rf"(?:{TEMPORARY})[/\\][\w.+-]+")
LIBRARY = re.compile(
    r"(?:/|[A-Z]:\\)[^\s'\":<>|]*?[/\\]"
    r"(?:(?=(?:site|dist)-packages[/\\])|python3\.\d+[/\\](?!(?:site|dist)-packages[/\\]))"
)
LIBRARY_FRAME = re.compile(r"\s*(?:File (?!.*ipykernel_\d)|\[\.\.\. skipping hidden)")
DECIMAL = re.compile(r"[-+]?\d+\.\d+(?:[eE][-+]?\d+)?")
MODES = ("pinned", "tolerant")
FIRST_WORDS = 3
PLOT = "plot"  # the key of a plot's data, as JSON, in the metadata of its picture
PLOT_TOLERANCES = {"pinned": 1e-5, "tolerant": 1e-3}  # of the value and of the largest beside it
CELL_NUMBER = re.compile(r"\b(Cell In|In ?)\[\d+\]")


def differences(
    documented: NotebookNode, produced: NotebookNode, mode: str = "pinned"
) -> list[str]:
    """Say in one line each how the outputs of two runs of one code cell differ.

    Args:
        documented: the cell of the committed notebook; its tags and its `varies` metadata count.
        produced: the same cell after a run.
        mode: "pinned" compares exactly. "tolerant", for other versions and other hardware, lets
            decimals differ by one part in a thousand or one unit of their last printed place,
            takes the first words of an error's message for the whole, and compares of a figure the
            data, not how it is drawn.

    In either mode, a cell whose `varies` has no pattern may draw other data, as rounding is on another
    processor; lines, labels and lengths may not be others.

    Returns:
        One clear line per difference, an empty list where the run agrees.
    """
    if mode not in MODES:
        raise ValueError(f"unknown mode {mode!r}; known are {', '.join(MODES)}")
    tolerant = mode == "tolerant"
    found = _error_differences(documented, produced, tolerant)
    varies = documented.metadata.get("varies")
    if varies is not None:
        found += _pattern_differences(varies, documented.outputs, produced.outputs)
    accuracy = math.inf if _data_vary(varies) else PLOT_TOLERANCES[mode]
    text = varies is None or _data_vary(varies)
    before, after = _pieces(documented.outputs, text), _pieces(produced.outputs, text)
    for number in range(max(len(before), len(after))):
        if number >= len(after):
            found.append(f"missing output: documented {_show(*before[number])}, produced nothing")
        elif number >= len(before):
            found.append(f"extra output: documented nothing, produced {_show(*after[number])}")
        else:
            found += _piece_differences(before[number], after[number], tolerant, accuracy)
    return found


def tidy_paths(text: str) -> str:
    """Take out of `text` where this machine keeps its libraries and temporary files."""
    text = CELL_FILE.sub("cell.py", text)
    text = TEMPORARY_PATH.sub("/tmp/…", text)
    return LIBRARY.sub("", text)


def clean_outputs(outputs: list[NotebookNode]) -> list[NotebookNode]:
    """The outputs of a run as they are documented.

    Streams are joined, paths of this machine taken out, and of a traceback the frames of the
    notebook kept: those of libraries tell a reader little and change with every version. The data
    of a figure move to the metadata of its picture, where no reader and no renderer looks.
    """
    cleaned = _merge_streams(outputs)
    for output in cleaned:
        if output.output_type == "stream":
            output.text = tidy_paths(_as_shown(output.text))
        elif output.output_type == "error":
            output.evalue = tidy_paths(output.evalue)
            output.traceback = [tidy_paths(part) for part in _own_frames(output.traceback)]
        else:
            for mime, text in output.data.items():
                if mime.startswith("text/"):
                    output.data[mime] = tidy_paths(text)
            if PLOT_MIME in output.data:
                output.metadata[PLOT] = json.dumps(output.data.pop(PLOT_MIME))
    return cleaned


def text_of(outputs: list[NotebookNode]) -> str:
    """The text that a `varies` pattern must match: all that the cell prints, line by line."""
    lines = []
    for output in _merge_streams(outputs):
        if output.output_type == "stream":
            lines.append(_as_shown(output.text))
        elif output.output_type == "error":
            lines.append(f"{output.ename}: {_as_shown(output.evalue)}")
        elif not _is_picture(output.data):
            lines.append(_as_shown(output.data.get("text/plain", "")))
    return "\n".join(line.rstrip("\n") for line in lines)


def error_in(cell: NotebookNode) -> NotebookNode | None:
    """The error output of a cell, None where it has none."""
    return next((output for output in cell.outputs if output.output_type == "error"), None)


def _own_frames(traceback: list[str]) -> list[str]:
    """The parts of a traceback that are not about frames of libraries."""
    return [part for part in traceback if not LIBRARY_FRAME.match(_as_shown(part))]


def _error_differences(
    documented: NotebookNode, produced: NotebookNode, tolerant: bool
) -> list[str]:
    """Tag, documented error and produced error belong together; all of the error is exact."""
    tagged = "raises-exception" in documented.metadata.get("tags", [])
    before, after = error_in(documented), error_in(produced)
    if tagged and before is None:
        return ["tagged raises-exception but documents no error"]
    if before is not None and not tagged:
        return [f"documents {before.ename} but is not tagged raises-exception"]
    if before is None and after is None:
        return []
    if before is None:
        return [f"documented no error, produced {after.ename}: {_short(after.evalue)}"]
    if after is None:
        return [f"documented {before.ename}, produced no error"]
    if before.ename != after.ename:
        return [f"documented {before.ename}, produced {after.ename}: {_short(after.evalue)}"]
    found, frames = [], [_own_frames(error.traceback) for error in (before, after)]
    if "varies" in documented.metadata:  # its pattern covers the message, which ends the traceback
        frames = [parts[:-1] for parts in frames]
    else:
        messages = [error.evalue for error in (before, after)]
        if tolerant:
            messages = [" ".join(message.split()[:FIRST_WORDS]) for message in messages]
        found = _text_differences(f"message of {before.ename}", *messages, tolerant)
    if found or tolerant:  # versions of IPython write tracebacks differently
        return found
    return _text_differences(f"traceback of {before.ename}", *map("\n".join, frames), tolerant)


def _pattern_differences(varies: dict, documented: list, produced: list) -> list[str]:
    """The pattern of a `varies` cell matches both texts, means something and has a reason."""
    if not str(varies.get("reason", "")).strip():
        return ["varies without a written reason"]
    if _data_vary(varies):
        return []
    try:
        pattern = re.compile(varies.get("pattern", ""))
    except re.error as error:
        return [f"varies with a broken pattern {varies['pattern']!r}: {error}"]
    if pattern.fullmatch("\x00 not \x00\n\n an output"):
        return [f"varies with a pattern that matches anything: {pattern.pattern!r}"]
    texts = {"documented": text_of(documented), "produced": text_of(produced)}
    return [
        f"varies: {name} text {_short(text)} does not match {pattern.pattern!r}"
        for name, text in texts.items()
        if not pattern.fullmatch(text)
    ]


def _data_vary(varies: dict | None) -> bool:
    return varies is not None and "pattern" not in varies


def _pieces(outputs: list[NotebookNode], text: bool) -> list[tuple[str, dict]]:
    """What is compared one by one: (kind, contents by mime type or stream); errors are not here.

    Without `text` only pictures are left: the text of the cell is the business of its pattern.
    """
    pieces = []
    for output in _merge_streams(outputs):
        if output.output_type == "stream":
            if text:
                pieces.append((output.name, {"text": output.text}))
        elif output.output_type != "error" and (text or _is_picture(output.data)):
            contents = dict(output.data)
            if PLOT in output.metadata:
                contents[PLOT_MIME] = json.loads(output.metadata[PLOT])
            pieces.append((output.output_type, contents))
    return pieces


def _merge_streams(outputs: list[NotebookNode]) -> list[NotebookNode]:
    """Join what one stream prints between two other outputs: when it is flushed is chance."""
    merged: list[NotebookNode] = []
    streams: dict[str, NotebookNode] = {}
    for output in copy.deepcopy(outputs):
        if output.output_type != "stream":
            merged.append(output)
            streams = {}
        elif output.name in streams:
            streams[output.name].text += output.text
        else:
            streams[output.name] = output
            merged.append(output)
    # Where both streams print, which one came first is chance as well.
    for i in range(len(merged) - 1):
        if [merged[i].get("name"), merged[i + 1].get("name")] == ["stderr", "stdout"]:
            merged[i], merged[i + 1] = merged[i + 1], merged[i]
    return merged


def _piece_differences(
    before: tuple[str, dict], after: tuple[str, dict], tolerant: bool, accuracy: float
) -> list[str]:
    if before[0] != after[0]:
        return [f"documented {_show(*before)}, produced {_show(*after)}"]
    kind, documented = before
    _, produced = after
    found = []
    for mime in documented | produced:
        if mime not in produced:
            found.append(f"{kind}: {mime} is documented, but not produced")
        elif mime not in documented:
            found.append(f"{kind}: {mime} is produced, but not documented")
        elif mime in ("image/png", "image/jpeg"):
            drawn_anew = tolerant or math.isinf(accuracy)
            found += [] if drawn_anew else _picture_differences(documented[mime], produced[mime])
        elif mime == PLOT_MIME:
            found += _plot_differences("plot", documented[mime], produced[mime], accuracy)[:1]
        elif isinstance(documented[mime], str) and isinstance(produced[mime], str):
            name = kind if mime in ("text", "text/plain") else f"{kind} {mime}"
            found += _text_differences(name, documented[mime], produced[mime], tolerant)
        elif documented[mime] != produced[mime]:
            found.append(f"{kind}: other {mime}")
    return found


def _text_differences(name: str, documented: str, produced: str, tolerant: bool) -> list[str]:
    """Compare two texts line by line after making equal what is chance; show the first change."""
    same = nearly_equal if tolerant else operator.eq
    before, after = _normal(documented).split("\n"), _normal(produced).split("\n")
    if len(before) == len(after) and all(map(same, before, after)):
        return []
    for number, (old, new) in enumerate(zip(before, after, strict=False), start=1):
        if not same(old, new):
            line = f", line {number}" if len(before) > 1 else ""
            start = max(0, _first_change(old, new) - 40)
            return [
                f"{name}{line}: documented {_short(old[start:])}, produced {_short(new[start:])}"
            ]
    lines = "line" if len(before) == 1 else "lines"
    return [f"{name}: documented {len(before)} {lines}, produced {len(after)}"]


def nearly_equal(documented: str, produced: str) -> bool:
    """Whether two lines are equal but for the last digits of their decimals and for spaces."""
    if DECIMAL.sub("", documented).split() != DECIMAL.sub("", produced).split():
        return False
    for old, new in zip(DECIMAL.findall(documented), DECIMAL.findall(produced), strict=True):
        last_place = 10.0 ** -len(old.lower().partition("e")[0].partition(".")[2])
        power = 10.0 ** int(old.lower().partition("e")[2] or 0)
        if not abs(float(old) - float(new)) <= 1.001 * last_place * power + 1e-3 * abs(float(old)):
            return False
    return True


def _picture_differences(documented: str, produced: str) -> list[str]:
    """Compare two encoded pictures as an eye would: size, mean and worst place."""
    if documented == produced:
        return []
    try:
        before, after = _pixels(documented), _pixels(produced)
    except (UnidentifiedImageError, OSError, binascii.Error):
        return ["picture: cannot be read"]
    if before.shape != after.shape:
        sizes = [f"{pixels.shape[1]}×{pixels.shape[0]}" for pixels in (before, after)]
        return [f"picture: documented {sizes[0]} pixels, produced {sizes[1]}"]
    square = ((before - after) ** 2).mean(axis=2)
    height, width = square.shape
    padded = np.pad(square, ((0, -height % BLOCK), (0, -width % BLOCK)))
    blocks = padded.reshape(len(padded) // BLOCK, BLOCK, -1, BLOCK).mean(axis=(1, 3))
    rms, worst = np.sqrt(square.mean()), np.sqrt(blocks.max())
    if rms <= PICTURE_RMS and worst <= PICTURE_WORST_BLOCK_RMS:
        return []
    row, column = np.unravel_index(blocks.argmax(), blocks.shape)
    place = f"most near x={column * BLOCK}, y={row * BLOCK}"
    return [f"picture: differs (RMS {rms:.2f}, worst block {worst:.1f} of 255; {place})"]


def _plot_differences(place: str, documented, produced, accuracy: float) -> list[str]:
    """Compare the data of two figures from `kernel_startup.plot_data`, part by part."""
    if isinstance(documented, dict) and isinstance(produced, dict):
        if "shape" in documented and documented["shape"] == produced.get("shape"):
            series = [np.array(data["values"], dtype=float) for data in (documented, produced)]
            room = accuracy * np.nanmax(np.abs(series[0]), initial=0)
            if np.isinf(accuracy) or np.allclose(
                *series[::-1], rtol=accuracy, atol=room, equal_nan=True
            ):
                return []
            gaps = np.nan_to_num(np.abs(series[0] - series[1]), nan=np.inf)
            worst = int(np.where(np.isnan(series).all(axis=0), 0, gaps).argmax())
            old, new = (float(values[worst]) for values in series)
            return [f"{place}: documented {old:.6g}, produced {new:.6g} (value {worst})"]
        names = list(documented | produced)
        parts = [(name, documented.get(name), produced.get(name)) for name in names]
    elif isinstance(documented, list) and isinstance(produced, list):
        if len(documented) != len(produced):
            return [f"{place}: documented {len(documented)} of them, produced {len(produced)}"]
        parts = [(number, *pair) for number, pair in enumerate(zip(documented, produced), start=1)]
    else:
        same = documented == produced
        return [] if same else [f"{place}: documented {documented!r}, produced {produced!r}"]
    return [
        line
        for name, old, new in parts
        for line in _plot_differences(f"{place}, {name}", old, new, accuracy)
    ]


def _pixels(encoded: str) -> np.ndarray:
    """Decode a picture as laid on white paper, so that invisible pixels do not count."""
    with Image.open(io.BytesIO(base64.b64decode(encoded))) as image:
        paper = Image.new("RGBA", image.size, "white")
        paper.alpha_composite(image.convert("RGBA"))
    return np.asarray(paper.convert("RGB"), dtype=float)


def _as_shown(text: str) -> str:
    """The text as a terminal leaves it: no colours, overwritten lines overwritten."""
    text = ANSI.sub("", text)
    if "\r" not in text and "\b" not in text:
        return text
    return "\n".join(_overwrite(line) for line in text.replace("\r\n", "\n").split("\n"))


def _overwrite(line: str) -> str:
    shown: list[str] = []
    place = 0
    for character in line:
        if character == "\r":
            place = 0
        elif character == "\b":
            place = max(0, place - 1)
        else:
            shown[place : place + 1] = [character]
            place += 1
    return "".join(shown)


def _normal(text: str) -> str:
    text = ADDRESS.sub("0x…", tidy_paths(_as_shown(text)))
    return CELL_NUMBER.sub(r"\1[…]", text)


def _is_picture(data: dict) -> bool:
    return any(mime.startswith("image/") for mime in data)


def _first_change(old: str, new: str) -> int:
    pairs = enumerate(zip(old, new, strict=False))
    return next((i for i, (a, b) in pairs if a != b), min(len(old), len(new)))


def _show(kind: str, contents: dict) -> str:
    text = contents.get("text", contents.get("text/plain", ""))
    if _is_picture(contents):
        return "a picture"
    return f"{kind} {_short(_normal(text))}"


def _short(text: str, length: int = 80) -> str:
    text = _as_shown(text)
    return repr(text if len(text) <= length else text[: length - 1] + "…")
