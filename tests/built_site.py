"""Build the site and read it, for the tests of the site.

`page` is a name such as `book/ko/03-counter-pitfall`: without suffix, relative to the root.
"""

import os
import re
import subprocess
import sys
from functools import cache
from pathlib import Path

import yaml
from bs4 import BeautifulSoup

ROOT = Path(__file__).parent.parent
LANDING = "index"
OTHER = {"ko": "en", "en": "ko"}
# A made-up name: the links of the built site must follow from it alone.
REPOSITORY = "an-organisation/a-repository"
ADDRESS = "https://an-organisation.github.io/a-repository/"  # where GitHub Pages shows it


def pages_of(language: str) -> list[str]:
    """Return the pages of a language, in the order of `_toc.yml`."""
    toc = yaml.safe_load((ROOT / "_toc.yml").read_text("utf8"))
    files = [chapter["file"] for part in toc["parts"] for chapter in part["chapters"]]
    return [file for file in files if language_of(file) == language]


def language_of(page: str) -> str | None:
    """Return the language of a page, or None for the first page."""
    return page.split("/")[1] if page.count("/") == 2 else None


def file_of(page: str) -> str:
    """Return what to ask the server for; the first page then shows its doors to all readers."""
    return f"{page}.html{'?choose' if page == LANDING else ''}"


def twin_of(page: str) -> str:
    """Return the same page in the other language."""
    book, language, name = page.split("/")
    return f"{book}/{OTHER[language]}/{name}"


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
