"""The table of terms is whole, its faults are named, and the page shows all of it."""

import copy
from pathlib import Path

import pytest

from tests.built_site import OTHER, soup_of
from workshop.chapter.prose import findings
from workshop.glossary.terms import also, anchor_of, faults
from workshop.layout import LANGUAGES, glossary, pages_of

ROWS = glossary()
CHAPTERS = {Path(page).name for page in pages_of("en")}
each_language = pytest.mark.parametrize("language", LANGUAGES)


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"meaning_ko": ""}, "book/glossary.csv, side effect: meaning_ko is empty"),
        ({"meaning_en": " "}, "book/glossary.csv, side effect: meaning_en is empty"),
        ({"chapter": ""}, "book/glossary.csv, side effect: chapter is empty"),
        (
            {"chapter": "03-counter"},
            "book/glossary.csv, side effect: no chapter of _toc.yml is called '03-counter'",
        ),
        (
            {"en": "state"},
            "book/glossary.csv, state: the term, or one with the same anchor, stands twice",
        ),
        ({"en": ""}, "book/glossary.csv, row 3: en is empty"),
        (
            {"mark": "no"},
            "book/glossary.csv, side effect: mark is 'no'; write yes, noun or nothing",
        ),
        ({"meaning_ko": None}, "book/glossary.csv, side effect: a wrong number of columns"),
    ],
)
def test_a_fault_is_named_once(change, said):
    rows = [row for row in ROWS if row["en"] in ("state", "side effect")]
    rows = copy.deepcopy(rows)
    assert list(faults(rows, CHAPTERS)) == []
    rows[1].update(change)
    assert list(faults(rows, CHAPTERS)) == [said]


@each_language
def test_words_that_are_marked_mean_one_thing(language):
    words = [row[language] for row in ROWS]
    assert not [row["en"] for row in ROWS if row["mark"] and words.count(row[language]) > 1]


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row["en"])
def test_words_of_a_term(row):
    for language in LANGUAGES:
        meaning = row[f"meaning_{language}"]
        assert not findings(meaning, language), findings(meaning, language)
        names = also(row, language)
        assert len(names) == len(set(names)), "another name stands twice"
        assert row[language] not in names, "another name is the term itself"
    assert not row["gloss"] or row["gloss"].partition("(")[0] == row["ko"]


@each_language
def test_the_page_shows_each_term(site, language):
    soup = soup_of(site, f"book/{language}/glossary")
    shown = soup.select("dl.glossary-terms > dt")
    assert len(shown) == len(ROWS)
    letters = {link["href"]: link.text for link in soup.select(".glossary-letters a")}
    firsts = [term for term in shown if f"#{term['id']}" in letters]
    assert [f"#{term['id']}" for term in firsts] == list(letters), "not in the order of the terms"
    assert len(set(letters.values())) == len(letters) > 10, "a letter stands twice"
    for row in ROWS:
        term = soup.find("dt", id=anchor_of(row))
        assert term.get_text().startswith(row[language]), row["en"]
        twin = term.find(class_="twin")
        if row["en"] != row["ko"]:
            assert (twin.get_text(), twin["lang"]) == (row[OTHER[language]], OTHER[language])
        meaning, *others, link = term.find_next_sibling("dd").find_all("p")
        said = (
            meaning.get_text().replace("\u2060", "").replace("’", "'")
        )  # as line_breaks.py writes
        assert said == row[f"meaning_{language}"].replace("`", "")
        for name in also(row, language):
            assert name in others[0].get_text()
        assert link.a["href"] == f"{row['chapter']}.html", row["en"]
        title = soup_of(site, f"book/{language}/{row['chapter']}").h1.get_text()
        assert link.a.get_text() == title.removesuffix("#"), row["en"]
