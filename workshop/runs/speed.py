"""How long the tests take beside the least that running every cell can take: `make speed`.

The floor is one process that starts Python once and runs each distinct code cell once, without
comparing anything. Beside it, in the same run: the notebooks of both languages as `make test` runs
and compares them, on two workers, each chapter in a fresh kernel that tries the wrong answers to its
exercises as well. Times differ between machines; read the ratio.
"""

import subprocess
import sys
import tempfile
import time
from pathlib import Path

from workshop.chapter.read import read_chapter
from workshop.layout import ROOT, chapter_paths

PYTEST = [sys.executable, "-m", "pytest", "--quiet", "-n", "2", "--dist", "loadgroup"]
LIMIT = 2.2


def run_every_cell_once() -> None:
    """Run the code cells of every chapter in this process, chapter after chapter."""
    import matplotlib
    from IPython.core.interactiveshell import InteractiveShell
    from IPython.utils.capture import capture_output

    matplotlib.use("agg")
    shell = InteractiveShell.instance()
    for path in chapter_paths():
        shell.reset()
        for cell in read_chapter(path).code:
            with capture_output():
                done = shell.run_cell(cell.source)
            if not done.success and "raises-exception" not in cell.tags:
                sys.exit(
                    f"{path.name}: {cell.source.splitlines()[0]!r} fails: {done.error_in_exec}"
                )


def seconds_of(command: list) -> float:
    """How long a command takes that must succeed, in seconds, with the start of Python."""
    with tempfile.TemporaryDirectory() as folder:
        begun = time.perf_counter()
        log = Path(folder, "log")
        with log.open("w") as output:
            done = subprocess.run(command, cwd=ROOT, stdout=output, stderr=output, check=False)
        if done.returncode:
            sys.exit(f"{' '.join(map(str, command))} fails:\n{log.read_text()[-3000:]}")
        return time.perf_counter() - begun


if __name__ == "__main__":
    if sys.argv[1:] == ["floor"]:
        run_every_cell_once()
    else:
        floor = seconds_of([sys.executable, "-m", "workshop.runs.speed", "floor"])
        notebooks = seconds_of([*PYTEST, "book/ko", "book/en"])
        print(f"every distinct cell once, in one process: {floor:.0f} s")
        print(f"notebooks of both languages, run and compared: {notebooks:.0f} s")
        print(f"ratio {notebooks / floor:.2f} (below {LIMIT} is the aim)")
