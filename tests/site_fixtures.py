"""What the tests of the site share: the site, built once by one worker, and a browser.

What is needed for that is imported when a test asks for it: where only notebooks are run, with
Colab's or the newest versions, it is not installed.
"""

import contextlib
import functools
import http.server
import os
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from workshop.layout import ROOT


@contextlib.contextmanager
def served(folder: Path, below: str = "", policy: str = "") -> Iterator[str]:
    """Serve a folder below a path, under a Content-Security-Policy if there is one; yield where."""

    class Handler(http.server.SimpleHTTPRequestHandler):
        def translate_path(self, path: str) -> str:
            inside = path.startswith(f"{below}/")
            return super().translate_path(path[len(below) :] if inside else "/no-such-file")

        def end_headers(self):
            if policy:
                self.send_header("Content-Security-Policy", policy)
            super().end_headers()

        def log_message(self, *args):
            """Say nothing."""

    handler = functools.partial(Handler, directory=folder)
    with http.server.ThreadingHTTPServer(("localhost", 0), handler) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://localhost:{server.server_port}{below}"
        server.shutdown()


def note_faults(window, faults: list[str], place: str) -> None:
    """Add to `faults` what goes wrong: scripts, the console, requests to outside of a place."""
    window.on("pageerror", lambda error: faults.append(f"script error: {error}"))
    window.on("console", lambda m: m.type == "error" and faults.append(f"console: {m.text[:300]}"))
    window.on(
        "request",
        lambda request: (
            request.url.startswith((place, "data:"))
            or faults.append(f"asks outside of {place}: {request.url}")
        ),
    )


# The Hangul font comes after the text: see theme-first.js. To lay the page out is to ask for it.
IN_ITS_FONTS = """() => !document.documentElement.dataset.hangul && document.body.offsetWidth
    && document.fonts.status == "loaded" """


def wait_for_fonts(window) -> None:
    """Wait until a page stands in its own fonts; before, nothing of it should be measured."""
    window.wait_for_function(IN_ITS_FONTS)


def violations(window, selector: str) -> list[str]:
    """Return what axe finds wrong with some elements of a page."""
    from axe_playwright_python.sync_playwright import Axe

    found = Axe().run(window, selector, {"preload": False}).response["violations"]
    return [f"{each['id']}: {each['nodes'][0]['html'][:200]}" for each in found]


@pytest.fixture(scope="session")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Build the whole site strictly and return its folder."""
    from tests.built_site import REPOSITORY, build

    return build(ROOT, tmp_path_factory.mktemp("site"), REPOSITORY)


@pytest.fixture(scope="session")
def address(site: Path):
    """Serve the site and return its address."""
    with served(site) as address:
        yield address


@pytest.fixture(scope="session")
def browser():
    """Start the browser that is installed; without one skip on a desk, fail where CI is set."""
    from workshop.site.browser import NoBrowserError, started_browser

    try:
        with started_browser() as started:
            yield started
    except NoBrowserError as error:
        if os.environ.get("CI"):
            pytest.fail(str(error))
        pytest.skip(str(error))


@pytest.fixture
def visit(browser, address: str):
    """Return a function that opens a page in a new window; what goes wrong there fails the test."""
    from tests.built_site import file_of

    contexts, faults = [], []

    def open_page(page: str, watch=lambda window: None, **options):
        contexts.append(browser.new_context(**options))
        window = contexts[-1].new_page()
        window.set_default_timeout(10_000)
        note_faults(window, faults, address)
        watch(window)
        window.goto(f"{address}/{file_of(page)}", wait_until="load")
        if options.get("java_script_enabled", True):
            wait_for_fonts(window)
        return window

    yield open_page
    for context in contexts:
        context.close()
    assert not faults, "\n".join(faults)
