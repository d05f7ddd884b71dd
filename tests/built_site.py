"""Build the site and read it, for the tests of the site.

`page` is a name such as `book/ko/03-counter-pitfall`: without suffix, relative to the root.
"""

import os
import re
import subprocess
import sys
from functools import cache
from pathlib import Path

from bs4 import BeautifulSoup

from workshop.layout import ROOT, language_of, page_in, pages_of

LANDING = "index"
OTHER = {"ko": "en", "en": "ko"}
# A made-up name: the links of the built site must follow from it alone.
REPOSITORY = "an-organisation/a-repository"
ADDRESS = "https://an-organisation.github.io/a-repository/"  # where GitHub Pages shows it


def file_of(page: str) -> str:
    """Return what to ask the server for; the first page then shows its doors to all readers."""
    return f"{page}.html{'?choose' if page == LANDING else ''}"


def twin_of(page: str) -> str:
    """Return the same page in the other language."""
    return page_in(OTHER[language_of(page)], page)


PAGES = pages_of("ko") + pages_of("en")
NOTEBOOK_PAGES = [page for page in PAGES if (ROOT / f"{page}.ipynb").exists()]
SEARCH_PAGES = ["search-ko", "search-en"]
ALL_PAGES = [LANDING, *PAGES, *SEARCH_PAGES]


def build(source: Path, output: Path, repository: str | None) -> Path:
    """Build strictly as `make book` does and return the folder of the site."""
    environment = {k: v for k, v in os.environ.items() if k != "GITHUB_REPOSITORY"}
    if repository:
        environment["GITHUB_REPOSITORY"] = repository
    jupyter_book = Path(sys.executable).with_name("jupyter-book")
    options = ["-W", "-n", "--keep-going", "--path-output", str(output)]
    run = subprocess.run(
        [jupyter_book, "build", str(source), *options],
        env=environment,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        check=False,
    )
    told = re.findall(r"(?m)^.*(?:WARNING|ERROR).*$|(?<=Extension error:).*\n.*$", run.stdout)
    said = "\n".join(told) or run.stdout[-3000:]
    assert run.returncode == 0, f"the strict build fails; run `make book` and mend:\n{said}"
    return output / "_build/html"


@cache
def soup_of(site: Path, page: str) -> BeautifulSoup:
    """Return a built page."""
    return BeautifulSoup((site / f"{page}.html").read_text("utf8"), "html.parser")
