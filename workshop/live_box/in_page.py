"""Run programs as the page runs them, and say what they printed; started alone by `programs.py`.

Reads a list of programs as JSON, writes one answer for each: its output, or null where it ends with
an error, reaches beyond the model, imports what MicroPython does not have, or runs too long. Long
is counted in steps, so that a busy machine answers as an idle one.
"""

import builtins
import contextlib
import io
import json
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent / "static/live-box"))
import small_python
import tiny_jax

STEPS = 1_000_000  # of the model and of the program: below what a page does in its 5 seconds
MODULES = ("jax", "typing", "collections", "math")
found_by_python = builtins.__import__


def import_in_page(name, *rest):
    """Import what the page can import."""
    if name.split(".")[0] not in MODULES:
        raise ImportError(name)
    return found_by_python(name, *rest)


def counted():
    """A trace function that ends a program after so many steps."""
    steps = 0

    def on_event(frame, event, argument):
        nonlocal steps
        frame.f_trace_opcodes = True
        steps += 1
        if steps > STEPS:
            raise tiny_jax.OutOfReach("so long a run")
        return on_event

    return on_event


def answer_to(program):
    """What the program prints, or None."""
    modules, printed = dict(sys.modules), io.StringIO()
    tiny_jax.clear_caches()
    try:
        with contextlib.redirect_stdout(printed):
            builtins.__import__ = import_in_page
            sys.settrace(counted())
            ended = small_python.run(program)
    except BaseException:  # noqa: BLE001  `small_python` reports errors as only MicroPython can
        return None
    finally:
        sys.settrace(None)
        builtins.__import__ = found_by_python
        tiny_jax.disable_jit.active = 0
        tiny_jax.NAMES.clear()
        sys.modules.clear()
        sys.modules.update(modules)
    return printed.getvalue() if ended == "null" else None


if __name__ == "__main__":
    json.dump([answer_to(program) for program in json.load(sys.stdin)], sys.stdout)
