"""What the page of terms and the search read from a row of `book/glossary.csv`, and its faults."""

import re
from collections import Counter
from collections.abc import Collection, Iterator

COLUMNS = ["en", "ko", "gloss", "also_en", "also_ko", "chapter", "mark", "meaning_en", "meaning_ko"]
NEEDED = ["ko", "chapter", "meaning_en", "meaning_ko"]
# Whether the first mention in a chapter is marked: never, always, in English behind an article alone.
MARKS = ["", "yes", "noun"]

Row = dict[str, str]


def bare(term: str) -> str:
    """A term without what stands in parentheses: `register (a pytree node)` is `register`."""
    return re.sub(r"\(.*\)", "", term).strip()


def anchor_of(row: Row) -> str:
    """Where a term stands on the page, in both languages."""
    return re.sub(r"[^a-z0-9]+", "-", bare(row["en"]).lower()).strip("-")


def also(row: Row, language: str) -> list[str]:
    """The other names of a term that readers of a language use; Koreans use the English ones too."""
    columns = {"ko": ["also_ko", "also_en"], "en": ["also_en"]}[language]
    return [name for column in columns for name in row[column].split("|") if name]


def faults(rows: list[Row], chapters: Collection[str]) -> Iterator[str]:
    """What is wrong with the table, one line each.

    Args:
        rows: the rows of the table.
        chapters: the names of the chapters in the book, such as `03-counter-pitfall`.
    """
    anchors = Counter(anchor_of(row) for row in rows if row["en"])
    for number, row in enumerate(rows, start=2):
        where = f"book/glossary.csv, {row['en'] or f'row {number}'}"
        if list(row) != COLUMNS or None in row.values():
            yield f"{where}: a wrong number of columns"
            continue
        for column in NEEDED:
            if not row[column].strip():
                yield f"{where}: {column} is empty"
        if row["mark"] not in MARKS:
            yield f"{where}: mark is {row['mark']!r}; write yes, noun or nothing"
        if row["chapter"].strip() and row["chapter"] not in chapters:
            yield f"{where}: no chapter of _toc.yml is called {row['chapter']!r}"
        if not row["en"]:
            yield f"{where}: en is empty"
        elif anchors.pop(anchor_of(row), 1) > 1:  # said once, at the first of them
            yield f"{where}: the term, or one with the same anchor, stands twice"
