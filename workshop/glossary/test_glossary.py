"""The glossary is sound data: the pages of the site and the test of the prose read it."""

import re

import pytest

from workshop.chapter.prose import findings
from workshop.layout import glossary

ROWS = glossary()
COLUMNS = ["en", "ko", "gloss", "refused", "pattern", "note", "note_en"]


def named(row):
    return row["en"]


def test_columns_and_terms():
    assert list(ROWS[0]) == [*COLUMNS, "finds"]
    terms = [row["en"] for row in ROWS]
    assert len(set(terms)) == len(terms), "an English term stands twice"


@pytest.mark.parametrize("row", ROWS, ids=named)
def test_row(row):
    assert row["en"].strip() and row["ko"].strip()
    assert None not in row.values() and None not in row, "a wrong number of columns"
    assert not row["pattern"] or row["refused"], "a pattern without the words it stands for"
    assert not row["gloss"] or "(" in row["gloss"]
    assert not row["gloss"] or row["gloss"].split("(")[0] == row["ko"].split("(")[0]
    assert not findings(row["note"], "ko"), findings(row["note"], "ko")
    assert not findings(row["note_en"], "en"), findings(row["note_en"], "en")
    for word in filter(None, row["refused"].split("|")):
        assert re.search(row["finds"], f"그 {word}를 씁니다."), f"its pattern misses {word!r}"
    right = [other[name] for other in ROWS for name in ("ko", "gloss")]
    flagged = [text for text in right if row["finds"] and re.search(row["finds"], text)]
    assert not flagged, "its pattern flags a term that is right"
