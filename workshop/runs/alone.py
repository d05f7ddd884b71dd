"""Run a notebook the way a reader of Colab does: alone, knowing nothing of this repository.

The writer of the notebooks and the tests run their code by `run_code`. A notebook then finds an
empty working folder, cannot import from here, and sees no setting of the person at this machine.
"""

import asyncio
import os
import signal
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from importlib.metadata import version
from pathlib import Path
from unittest.mock import patch

import nbformat
from nbclient import NotebookClient
from nbclient.exceptions import CellTimeoutError, DeadKernelError
from nbformat import NotebookNode
from traitlets.config import Config

from workshop.layout import ROOT

CELL_SECONDS = 60  # no cell may run longer

# Settings of a person or a shell that would change what a cell prints or can import.
PERSONAL = ("PYTHON", "IPYTHON", "IPYKERNEL", "JUPYTER", "JAX_", "FLAX_", "KERAS", "TF_")
PERSONAL += ("MPL", "MATPLOTLIB", "COLUMNS", "LINES", "FORCE_COLOR", "NO_COLOR", "OLDPWD")
# Kept, because each font list costs seconds; one folder per version of matplotlib.
FONT_LISTS = ROOT / "_build" / "matplotlib"
# What one notebook of this process compiled, the next need not: most of a run is compiling.
COMPILED = tempfile.TemporaryDirectory(prefix="compiled-")
# The kernel's own log (no encryption, sockets closed at a time-out) helps no reader. The extension
# is loaded by its path: nothing beside it can be imported.
KERNEL_SETTINGS = """
import importlib.util
import sys

spec = importlib.util.spec_from_file_location("kernel_startup", {path!r})
sys.modules["kernel_startup"] = importlib.util.module_from_spec(spec)
spec.loader.exec_module(sys.modules["kernel_startup"])
c.InteractiveShellApp.extensions = ["kernel_startup"]
c.IPKernelApp.log_level = "CRITICAL"
"""

# Socket files need short paths: the temporary folder of macOS is too long for them.
SHORT = "/tmp" if Path("/tmp").is_dir() else None


def kernel_config(folder: Path) -> Config:
    """Settings for the client of a kernel that works in `folder`, from `run_alone()`.

    The kernel talks over socket files beside `folder`: ports of the network can be taken twice
    when several notebooks start at once.
    """
    if os.name == "nt":
        return Config()
    return Config(KernelManager={"transport": "ipc", "ip": str(folder.parent / "kernel")})


@contextmanager
def run_alone() -> Iterator[Path]:
    """Yield an empty folder to run one notebook in, with the environment cleaned meanwhile.

    Only `JAX_PLATFORMS` is taken from outside, so that a run on other hardware can be asked for;
    without it the notebook runs on the CPU, as its documented outputs did.
    """
    with tempfile.TemporaryDirectory(
        prefix="notebook-", dir=SHORT, ignore_cleanup_errors=True
    ) as temporary:
        work, settings = Path(temporary) / "work", Path(temporary) / "settings"
        work.mkdir()
        profile = settings / "ipython" / "profile_default"
        profile.mkdir(parents=True)
        extension = str(Path(__file__).with_name("kernel_startup.py"))
        config = KERNEL_SETTINGS.format(path=extension)
        (profile / "ipython_kernel_config.py").write_text(config)
        fonts = FONT_LISTS / version("matplotlib")
        environment = {
            name: value for name, value in os.environ.items() if not name.startswith(PERSONAL)
        }
        environment |= {
            "PWD": str(work),
            "IPYTHONDIR": str(settings / "ipython"),
            "JUPYTER_CONFIG_DIR": str(settings / "jupyter"),
            "JUPYTER_DATA_DIR": str(settings / "jupyter-data"),
            "JUPYTER_RUNTIME_DIR": str(settings / "jupyter-runtime"),
            "JUPYTER_PREFER_ENV_PATH": "1",
            "KERAS_HOME": str(settings / "keras"),
            "MPLCONFIGDIR": str(fonts),
            "JAX_COMPILATION_CACHE_DIR": COMPILED.name,
            "JAX_PERSISTENT_CACHE_MIN_COMPILE_TIME_SECS": "0",
            "JAX_PERSISTENT_CACHE_MIN_ENTRY_SIZE_BYTES": "-1",
            "JAX_PLATFORMS": os.environ.get("JAX_PLATFORMS", "cpu"),
        }
        with patch.dict(os.environ, environment, clear=True):
            if not any(fonts.glob("fontlist-*")):  # else a cell would print that it builds one
                fonts.mkdir(parents=True, exist_ok=True)
                command = [sys.executable, "-c", "import matplotlib.font_manager"]
                subprocess.run(command, cwd=work, check=True)
            yield work


class StoppedError(Exception):
    """A run ended at the cell that stands at `place`; the message says why."""

    def __init__(self, place: int, why: str) -> None:
        super().__init__(why)
        self.place = place


def run_code(
    cells: list[NotebookNode],
    seconds: int = CELL_SECONDS,
    on_start: Callable[[int], None] = lambda place: None,
    on_end: Callable[[int], None] = lambda place: None,
) -> None:
    """Run code cells alone in an empty folder; they get their outputs, errors end nothing.

    Args:
        cells: the code cells of one notebook.
        seconds: no cell may run longer.
        on_start: called with the place of each cell before it runs.
        on_end: called with the place of each cell that ran; what it raises ends the run.

    Raises:
        StoppedError: a cell runs too long or kills the kernel.
    """
    running, run, interrupted = 0, None, False

    def interrupt() -> None:
        nonlocal interrupted
        interrupted = True
        run.cancel()

    async def started(cell: NotebookNode, cell_index: int) -> None:
        nonlocal running, run
        running, run = cell_index, asyncio.current_task()
        on_start(cell_index)
        # nbclient answers Ctrl+C by ending the kernel under its own feet; end the run instead.
        with suppress(RuntimeError, NotImplementedError):  # not the main thread, or Windows
            asyncio.get_running_loop().add_signal_handler(signal.SIGINT, interrupt)

    try:
        with run_alone() as folder:
            client = NotebookClient(
                nbformat.v4.new_notebook(cells=cells),
                timeout=seconds,
                allow_errors=True,
                record_timing=False,
                config=kernel_config(folder),
            )
            client.on_cell_start = started
            client.on_cell_executed = lambda cell, cell_index, execute_reply: on_end(cell_index)
            client.execute(cwd=folder)
    except CellTimeoutError as error:
        raise StoppedError(running, f"runs longer than {seconds} s; make it shorter") from error
    except (DeadKernelError, asyncio.CancelledError) as error:
        if interrupted:
            raise KeyboardInterrupt from None
        raise StoppedError(running, "kills its kernel; make it need less") from error
