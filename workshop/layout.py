"""Where the book keeps what, which languages and pages it has, its terms: read here alone."""

import csv
import re
from functools import cache
from pathlib import Path

import yaml

WORKSHOP = Path(__file__).resolve().parent
ROOT = WORKSHOP.parent
BOOK = ROOT / "book"
CHAPTERS = BOOK / "chapters"
GLOSSARY = BOOK / "glossary.csv"
RECORDS = BOOK / "last_runs"
LANGUAGES = {"ko": "한국어", "en": "English"}
PAGE_NAME = re.compile(r"(book/|search-)(ko|en)(/.+|)")


def number_of(name: str) -> int | None:
    """The number of a chapter: 0 of the introduction, None of a reference page such as `symptoms`."""
    number = re.match(r"\d\d(?=-)", name)
    return int(number[0]) if number else None


def is_lesson(name: str) -> bool:
    """Whether a chapter teaches step by step: a reference page and the introduction don't."""
    return bool(number_of(name))


def is_of_symptoms(name: str) -> bool:
    """Whether a page to consult lists symptoms, whose headings are messages or what goes wrong."""
    return name.startswith("symptoms")


def chapter_paths() -> list[Path]:
    """The folders of the chapters in the order of `_toc.yml`, then those that it doesn't list yet."""
    listed = [Path(page).name for page in pages_of(next(iter(LANGUAGES)))]

    def place(path: Path) -> tuple[int, str]:
        return listed.index(path.stem) if path.stem in listed else len(listed), path.stem

    return sorted((path.parent for path in CHAPTERS.glob("*/chapter.md")), key=place)


def notebook_path(chapter: Path, language: str) -> Path:
    """Where the notebook of the chapter in the folder `chapter` lies in `language`."""
    return chapter.parent.parent / language / f"{chapter.name}.ipynb"


def chapter_path(notebook: Path) -> Path:
    """The folder of the chapter, if there is one, that the notebook at `notebook` is written from."""
    return notebook.parent.parent / "chapters" / notebook.stem


def figure_path(name: str) -> Path:
    """The file of a figure, such as `counter-under-jit.json`, in its chapter; names are unique."""
    found = sorted(CHAPTERS.glob(f"*/figures/{name}"))
    return found[0] if found else CHAPTERS / "any/figures" / name


def parts_of(language: str, root: Path = ROOT) -> list[tuple[str, list[str]]]:
    """The caption and the pages, such as `book/en/01-arrays`, of each part of a language."""
    toc = yaml.safe_load((root / "_toc.yml").read_text("utf8"))
    parts = [
        (part.get("caption", ""), [chapter["file"] for chapter in part["chapters"]])
        for part in toc["parts"]
    ]
    return [part for part in parts if language_of(part[1][0]) == language]


def pages_of(language: str, root: Path = ROOT) -> list[str]:
    """The pages of a language in the order of `_toc.yml`."""
    return [page for _, pages in parts_of(language, root) for page in pages]


def language_of(page: str) -> str | None:
    """The language of a page, or None for a page of both languages."""
    name = PAGE_NAME.fullmatch(page)
    return name[2] if name else None


def page_in(language: str, page: str) -> str:
    """The name of the same page in another language."""
    return PAGE_NAME.sub(rf"\g<1>{language}\g<3>", page)


@cache
def glossary() -> list[dict[str, str]]:
    """The rows of the glossary."""
    with GLOSSARY.open(encoding="utf8", newline="") as file:
        return list(csv.DictReader(file))
