"""Changes of a chapter and differences between runs that no check may flag."""

import ast
import base64
import io
import re
from collections.abc import Callable
from contextlib import suppress
from random import Random as Rng

import nbformat
import numpy as np
from nbformat import NotebookNode
from PIL import Image

from tests.faults_of_chapters import code_places, put_source
from tests.faults_of_notebooks import picture_of
from workshop.runs.compare import error_in


def _add_line(line: str, at_the_end: bool = False) -> Callable:
    """Add a line to a cell that neither raises nor belongs to an exercise."""

    def change(blocks: list[str], rng: Rng) -> None:
        place = rng.choice(_plain_cells(blocks))
        source = blocks[place].source.rstrip()
        parts = (source, line) if at_the_end else (line, source)
        put_source(blocks, place, "\n".join(parts))

    return change


def _plain_cells(blocks: list[str], wanted: Callable[[str], object] = bool) -> list[int]:
    places = code_places(blocks, wanted)
    return [place for place in places if not blocks[place].tags]


def _code_match(pattern: str, replacement: str) -> Callable:
    def change(blocks: list[str], rng: Rng) -> None:
        place = rng.choice(_plain_cells(blocks, re.compile(pattern).search))
        put_source(blocks, place, re.sub(pattern, replacement, blocks[place].source, count=1))

    return change


def rename_a_local(blocks: list[str], rng: Rng) -> None:
    """Rename a name that is assigned within one function only."""
    found = []
    for place in _plain_cells(blocks, re.compile(r"\bdef ").search):
        source = blocks[place].source
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
    put_source(blocks, place, re.sub(rf"\b{name}\b", f"{name}_here", blocks[place].source))


def _prose(korean: str, english: str, before: str = r"\Z") -> Callable:
    """Add a text to both languages of a random pair, before what matches."""

    def change(blocks: list[str], rng: Rng) -> None:
        pairs = _pairs(blocks)
        for place, text in zip(rng.choice(pairs[2:-2]), (korean, english), strict=True):
            head, body = blocks[place].split("\n\n", 1)
            blocks[place] = blocks[place].replaced(f"{head}\n\n{text}\n\n{body}")

    return change


def _pairs(blocks: list[str]) -> list[tuple[int, int]]:
    prose = [place for place, block in enumerate(blocks) if block.language]
    return list(zip(prose[::2], prose[1::2], strict=True))


def _everywhere(pattern: str, replacement: str) -> Callable:
    def change(blocks: list[str], rng: Rng) -> None:
        for place, block in enumerate(blocks):
            blocks[place] = block.replaced(re.sub(pattern, replacement, block))

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
            if picture := picture_of(cell):
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


def all_at_once(changes: dict[str, Callable]) -> Callable:
    """Make several changes of code, so that one run judges them."""

    def change(blocks: list[str], rng: Rng) -> None:
        for one in changes.values():
            with suppress(IndexError):
                one(blocks, rng)

    return change
