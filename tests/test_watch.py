"""`make watch` shows in the browser what was just saved: here a copy of the book with one chapter."""

import contextlib
import os
import shutil
import signal
import socket
import subprocess
import sys
import time
import urllib.request
from pathlib import Path

import pytest
import yaml
from websockets.sync.client import ClientConnection, connect

from tests.built_site import NOTEBOOK_PAGES, OTHER, ROOT

SECONDS = 180
NEW = "A sentence that was just written."


@pytest.fixture
def small_book(tmp_path) -> Path:
    """Return a copy of the book that lists one page for each language."""
    book = tmp_path / "copy"
    first = Path(NOTEBOOK_PAGES[0]).name
    others = [path.name for path in (ROOT / "book/chapters").iterdir() if path.stem != first]
    made = shutil.ignore_patterns(".*", "_build", "__pycache__", "*.ipynb", *others)
    shutil.copytree(ROOT, book, ignore=made)
    toc = yaml.safe_load((ROOT / "_toc.yml").read_text("utf8"))
    toc["parts"] = [{"chapters": [{"file": f"book/{language}/{first}"}]} for language in OTHER]
    (book / "_toc.yml").write_text(yaml.safe_dump(toc), "utf8")
    for language in OTHER:
        notebook = f"book/{language}/{first}.ipynb"
        shutil.copy(ROOT / notebook, book / notebook)
    return book


def connected(port: int) -> ClientConnection:
    """Wait for the server and listen to it as a page does."""
    end = time.monotonic() + SECONDS
    while True:
        try:
            return connect(f"ws://localhost:{port}/websocket-reload")
        except OSError:
            assert time.monotonic() < end, "make watch serves nothing"
            time.sleep(0.2)


def save_until_the_page_is_told(file: Path, text: str, page: ClientConnection) -> None:
    """Write a file, and again if nothing happens: the server may listen before it watches."""
    for _ in range(SECONDS // 15):
        file.write_text(text, "utf8")
        with contextlib.suppress(TimeoutError):
            assert page.recv(timeout=15) == "refresh"
            return
    pytest.fail(f"make watch did not notice that {file.name} was saved")


def test_a_sentence_that_is_saved_reaches_the_page(small_book, tmp_path):
    with socket.create_server(("localhost", 0)) as free:
        port = free.getsockname()[1]
    ready = tmp_path / "ready"
    ready.touch()
    said = tmp_path / "said.txt"
    watching = subprocess.Popen(
        ["make", "watch", f"PORT={port}", f"READY={ready}", f"BIN={Path(sys.executable).parent}"],
        cwd=small_book,
        stdout=said.open("w"),
        stderr=subprocess.STDOUT,
        start_new_session=True,
    )
    try:
        with connected(port) as page:
            (chapter,) = (small_book / "book/chapters").iterdir()
            text = (chapter / "chapter.md").read_text("utf8")
            at = text.index("\n\n", text.index('{"lang": "en"}\n\n') + 17)
            save_until_the_page_is_told(
                chapter / "chapter.md", f"{text[:at]} {NEW}{text[at:]}", page
            )
        address = f"http://localhost:{port}/book/en/{chapter.stem}.html"
        assert NEW in urllib.request.urlopen(address).read().decode(), said.read_text()
    finally:
        os.killpg(watching.pid, signal.SIGKILL)
