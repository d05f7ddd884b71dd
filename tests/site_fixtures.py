"""What the tests of the site share: the site, built once for all workers, and a browser.

What is needed for that is imported when a test asks for it: where only notebooks are run, with
Colab's or the newest versions, it is not installed.
"""

import contextlib
import functools
import http.server
import os
import threading
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path

import pytest

from workshop.layout import ROOT

DESK, PHONE = {"width": 1280, "height": 900}, {"width": 390, "height": 844}


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


def note_faults(window, faults: list[str], place: str) -> dict:
    """Add to `faults` what goes wrong: scripts, the console, requests to outside of a place.

    Returns:
        What listens for it, by event.
    """
    listeners = {
        "pageerror": lambda error: faults.append(f"script error: {error}"),
        "console": lambda m: m.type == "error" and faults.append(f"console: {m.text[:300]}"),
        "request": lambda request: (
            request.url.startswith((place, "data:"))
            or faults.append(f"asks outside of {place}: {request.url}")
        ),
    }
    for event, listener in listeners.items():
        window.on(event, listener)
    return listeners


# The Hangul font comes after the text: see theme-first.js. To lay the page out is to ask for it.
IN_ITS_FONTS = """() => !document.documentElement.dataset.hangul && document.body.offsetWidth
    && document.fonts.status == "loaded" """


def wait_for_fonts(window) -> None:
    """Wait until a page stands in its own fonts; before, nothing of it should be measured."""
    window.wait_for_function(IN_ITS_FONTS)


def uncover_answers(window) -> None:
    """Open the answers of a page that a reader would have to guess first."""
    window.locator("details.answer").evaluate_all("all => all.forEach(e => (e.open = true))")


def press(element) -> None:
    """Click where an element stands. (Playwright's own click scrolls the page first.)"""
    box = element.bounding_box()
    element.page.mouse.click(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)


def violations(window, selector: str) -> list[str]:
    """Return what axe finds wrong with some elements of a page."""
    from axe_playwright_python.sync_playwright import Axe

    found = Axe().run(window, selector, {"preload": False}).response["violations"]
    return [f"{each['id']}: {each['nodes'][0]['html'][:200]}" for each in found]


@pytest.hookimpl(trylast=True)  # when the notebooks stand first
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Begin with the tests that read the site: one worker builds it while the other runs notebooks.

    They stay on one worker, which parses each page once.
    """
    first = [item for item in items if reads_pages(item)]
    items[:] = first + [item for item in items if not reads_pages(item)]


def reads_pages(item: pytest.Item) -> bool:
    """Whether a test needs the built site and no browser."""
    return "site" in (needed := getattr(item, "fixturenames", ())) and "browser" not in needed


@pytest.hookimpl(tryfirst=True)  # before xdist reads the groups
def pytest_itemcollected(item: pytest.Item) -> None:
    """Put the tests that read the site into one group."""
    if reads_pages(item):
        item.add_marker(pytest.mark.xdist_group("pages"))


@pytest.fixture(scope="session")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Build the whole site strictly, once for all workers, and return its folder."""
    import fcntl  # where only notebooks are run, it may be missing

    from tests.built_site import REPOSITORY, build

    run = tmp_path_factory.getbasetemp()
    if "PYTEST_XDIST_WORKER" in os.environ:
        run = run.parent  # of all workers
    with (run / "site.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        built = run / "site.built"
        if not built.exists():
            built.symlink_to(build(ROOT, run / "site", REPOSITORY))
    return built.resolve()


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


@pytest.fixture(scope="session")
def free_windows(browser) -> dict[str, list]:
    """The windows that no test looks at, by their options: a new one takes three times as long."""
    return defaultdict(list)


@pytest.fixture
def visit(browser, free_windows, address: str):
    """Return a function that opens a page in a window; what goes wrong there fails the test.

    The window remembers nothing of other tests but files of the site. It is a new one with `anew` or
    with `watch`, which is called before the page is opened.
    """
    from tests.built_site import file_of

    faults, borrowed, own = [], [], []

    def open_page(page: str, watch=None, *, anew: bool = False, **options):
        free = free_windows[repr(options)]
        anew = anew or bool(watch)
        window = free.pop() if free and not anew else browser.new_context(**options).new_page()
        window.set_default_timeout(10_000)
        listeners = note_faults(window, faults, address)
        if anew:
            own.append(window)
        else:
            borrowed.append((window, listeners, free))
        if watch:
            watch(window)
        window.goto(f"{address}/{file_of(page)}", wait_until="load")
        if options.get("java_script_enabled", True):
            wait_for_fonts(window)
        return window

    yield open_page
    for window in own:
        window.context.close()
    for window, listeners, free in borrowed:
        for event, listener in listeners.items():
            window.remove_listener(event, listener)
        window.emulate_media(media="null")
        window.evaluate("sessionStorage.clear()")
        window.goto("about:blank")
        storage = {"origin": address, "storageTypes": "local_storage"}
        window.context.new_cdp_session(window).send("Storage.clearDataForOrigin", storage)
        free.append(window)
    assert not faults, "\n".join(faults)
