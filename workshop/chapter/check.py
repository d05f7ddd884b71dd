"""Check the sources of the book without a run: `make check`.

Chapters, their prose in both languages, links, terms, and that the notebooks are those of their
sources. Every fault is one line that names the file, the place and the mend.
"""

import re
import sys
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from functools import cache
from pathlib import Path

from workshop.chapter.checks import OF_EACH, OF_LESSONS, faults_of_prose
from workshop.chapter.model import ANCHOR, Chapter, ChapterError
from workshop.chapter.prose import blocks, findings
from workshop.chapter.read import TEXT, documented, read_chapter, texts_of
from workshop.chapter.write import (
    assemble,
    committed_cells,
    is_documented,
    refuse_edits_by_hand,
    refuse_orphans,
    refuse_wrong_cards,
)
from workshop.glossary.terms import faults as faults_of_terms
from workshop.layout import (
    BOOK,
    CHAPTERS,
    LANGUAGES,
    ROOT,
    chapter_paths,
    glossary,
    is_lesson,
    notebook_path,
    pages_of,
)
from workshop.search.questions import faults as faults_of_questions

WORKERS = 2
IN_BOTH_LANGUAGES = ("README.md", "CONTRIBUTING.md")


def faults_of_chapter(path: Path) -> list[str]:
    """What is wrong with the chapter in a folder and its notebooks."""
    try:
        chapter = read_chapter(path)
        for language in LANGUAGES:
            refuse_edits_by_hand(notebook_path(path, language))
        committed = committed_cells(path)
        if not is_documented(chapter, committed):
            return [f"{path.name}: code changed; run `make notebooks`"]
        refuse_wrong_cards(chapter, committed)
        chapter = documented(path)
    except ChapterError as error:
        return [str(error)]
    found = [line for rule in OF_EACH for line in rule(chapter)]
    found += faults_of_questions(path, chapter)
    if is_lesson(path.name):
        found += [line for rule in OF_LESSONS for line in rule(chapter)]
    for language in LANGUAGES:
        found += faults_of_prose(chapter, language)
        found += faults_of_links(chapter, language)
        notebook = notebook_path(path, language)
        wanted = assemble(chapter, language, committed)
        if not notebook.is_file() or notebook.read_text(encoding="utf8") != wanted:
            here = notebook.relative_to(BOOK.parent)
            found.append(f"{here}: is not what {path.name} says; run `make notebooks`")
    return found


def faults_of_pages() -> list[str]:
    """What is wrong with pages that are no chapters, the terms, and notebooks without a chapter."""
    found = list(faults_of_terms(glossary(), {Path(page).name for page in pages_of("en")}))
    pages = [(page, page.parent.name) for code in LANGUAGES for page in (BOOK / code).glob("*.md")]
    pages += [(ROOT / name, None) for name in IN_BOTH_LANGUAGES]
    for page, language in pages:
        language = None if page.stem == "glossary" else language  # it holds both
        lines = findings(page.read_text(encoding="utf8"), language)
        found += [f"{page.relative_to(ROOT)}, {line}" for line in lines]
    found += faults_of_lists()
    found += figures_of_one_name()
    try:
        refuse_orphans()
    except ChapterError as error:
        found.append(str(error))
    return found


def figures_of_one_name(chapters: Path = CHAPTERS) -> Iterator[str]:
    """Figures of two chapters that have one name; by it the site finds a figure."""
    first: dict[str, Path] = {}
    for path in sorted(chapters.glob("*/figures/*")):
        if path.suffix not in (".svg", ".json") or path.stem.endswith("-narrow"):
            continue
        known = first.setdefault(path.stem, path)
        if path.parent != known.parent:
            here, there = (each.relative_to(chapters) for each in (path, known))
            yield f"{here}: {there} has the same name, which shows one for the other; rename one"


def faults_of_lists() -> Iterator[str]:
    """Chapters that README.md, the cover or `_toc.yml` doesn't list by title, in order."""
    paths = chapter_paths()
    try:
        titles = {path: read_chapter(path).sections[0].titles for path in paths}
    except ChapterError:  # said of its chapter
        return

    def link(path: Path, language: str, folder: str = "") -> str:
        return f"[{titles[path][language]}]({folder}{path.name}.ipynb)"

    both = [" | ".join(link(path, code, f"book/{code}/") for code in LANGUAGES) for path in paths]
    yield from unlisted("README.md", (ROOT / "README.md").read_text("utf8"), both)
    for language in LANGUAGES:
        cover = Path(pages_of(language)[0] + ".md")
        text = (ROOT / cover).read_text("utf8")
        yield from unlisted(str(cover), text, [link(path, language) for path in paths])
        listed = [Path(page).name for page in pages_of(language)]
        for path in (path for path in paths if path.name not in listed):
            yield f"_toc.yml: no line for {path.name}; add file: book/{language}/{path.name}"


def unlisted(place: str, text: str, wanted: list[str]) -> Iterator[str]:
    """Rows that a table of chapters lacks, has too many of, or holds in another order."""
    found = re.findall(r"(?m)^\| (\[[^|]*\]\([\w/-]+\.ipynb\)(?: \| \[.*\.ipynb\))?) \|", text)
    for row in wanted:
        if row not in found:
            yield f"{place}: the table of chapters has no row | {row} |; add it"
    for row in found:
        if row not in wanted:
            yield f"{place}: no chapter is called | {row} |; change the row"
    if sorted(found) == sorted(wanted) and found != wanted:
        yield f"{place}: the table of chapters is not in the order of the chapters; sort it"


def faults_of_links(chapter: Chapter, language: str) -> Iterator[str]:
    """Links to a page or a section that the book does not have."""
    here = {section.anchor for section in chapter.sections}
    here |= {f"figure-{figure.path.stem}" for figure in chapter.figures}
    for prose in chapter.prose:
        targets = {link[2] for block in blocks(prose.texts[language]) for link in block.links}
        for target in sorted(targets):
            page, _, anchor = target.partition("#")
            if ":" in target or (page and page.endswith(".ipynb") and anchor in _anchors(page)):
                continue
            if page and not page.endswith(".ipynb") and (BOOK / language / page).is_file():
                continue
            if not page and anchor in here:
                continue
            yield f"{prose.places[language]}: the book has no {target}; mend the link"


@cache
def _anchors(page: str) -> set[str]:
    """The anchors of a notebook's chapter, and none at all for its top; empty without a chapter."""
    path = BOOK / "chapters" / page.removesuffix(".ipynb")
    return {"", *ANCHOR.findall(texts_of(path)[0])} if (path / TEXT).is_file() else set()


def main() -> int:
    """Print every fault; 0 where there is none."""
    with ProcessPoolExecutor(WORKERS) as pool:
        of_pages = pool.submit(faults_of_pages)
        found = [line for lines in pool.map(faults_of_chapter, chapter_paths()) for line in lines]
        found += of_pages.result()
    print(*found, sep="\n", end="\n" * bool(found))
    return int(bool(found))


if __name__ == "__main__":
    sys.exit(main())
