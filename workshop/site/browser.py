"""The browser that prints the book and that the tests look with: the one that is installed."""

import shutil
from collections.abc import Iterator
from contextlib import contextmanager

from playwright.sync_api import Browser, sync_playwright

BROWSERS = ("chromium", "chromium-browser", "google-chrome")
OPTIONS = ["--no-sandbox", "--disable-gpu", "--disable-background-networking"]


class NoBrowserError(Exception):
    """There is no browser on this machine; the message names the mend."""


@contextmanager
def started_browser() -> Iterator[Browser]:
    """Start the browser and close it afterwards.

    Raises:
        NoBrowserError: none of `BROWSERS` is installed.
    """
    found = next((path for name in BROWSERS if (path := shutil.which(name))), None)
    if not found:
        raise NoBrowserError(f"no browser found: install one of {', '.join(BROWSERS)}")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=found, args=OPTIONS)
        yield browser
        browser.close()
