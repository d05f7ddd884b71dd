"""The first mention of each term is found, in prose alone, and its meaning stands behind it."""

import re

import pytest
from bs4 import BeautifulSoup

from tests.built_site import NOTEBOOK_PAGES
from workshop.chapter.prose import short_of
from workshop.glossary.first_mentions import OTHER, SEAM, first_mentions
from workshop.glossary.terms import anchor_of, bare
from workshop.layout import glossary, language_of

NO_PROSE = ".part, .asked, .predict, details:not(.answer, .cause), table, figure, recorded-figure, svg, #sources"


def marked(language: str, *lines: str) -> list[list[str]]:
    """The words that are marked in each line."""
    found = first_mentions(list(lines), language)
    return [[line[s:e] for s, e, _ in each] for line, each in zip(lines, found, strict=True)]


@pytest.mark.parametrize(
    ("line", "words"),
    [
        ("Tracers stand in for arrays.", ["Tracers"]),
        ("JAX’s jaxprs, and a jaxpr again", ["jaxprs"]),
        ("the optimizer state, then the state", ["optimizer state", "state"]),
        ("cache misses and pure\nfunctions", ["cache misses", "pure\nfunctions"]),
        ("restate state-of-the-art nnx.state states_", []),
        ("A tracer carries no value; the carry does", ["tracer", "carry"]),
        ("Arrays, methods and parameters", []),  # readers know them
        (f"a {OTHER * 6}, {SEAM}tree{SEAM} structure", []),
    ],
)
def test_english_words_of_a_term(line, words):
    assert marked("en", line) == [words]


@pytest.mark.parametrize(
    ("line", "words"),
    [
        ("트레이서들은 배열을 대신합니다", ["트레이서"]),
        ("트레이싱하는 동안 트레이싱은", ["트레이싱"]),
        ("옵티마이저 상태에 이어 상태란", ["옵티마이저 상태", "상태"]),
        ("휴면상태 상태창", []),
        ("이전 상태에 든 값을 상태(state)라고 합니다", ["상태"]),
        ("배열과 메서드와 파라미터", []),
    ],
)
def test_korean_words_of_a_term(line, words):
    assert marked("ko", line) == [words]


def test_a_term_is_marked_once_and_a_korean_one_where_its_gloss_stands():
    assert marked("en", "a pytree", "a state, a pytree") == [["pytree"], ["state"]]
    lines = "상태를 넘깁니다", "파이트리와 리프", f"{SEAM}상태{SEAM}(state)와 리프"
    assert marked("ko", *lines) == [[], ["파이트리", "리프"], ["상태"]]


def stands(row: dict[str, str], text: str, language: str) -> bool:
    """Whether a text clearly mentions a term, and not as a part of a longer one."""
    words = bare(row[language])
    for other in glossary():
        if words in other[language] and words != other[language]:
            text = re.sub(re.escape(bare(other[language])), OTHER, text, flags=re.IGNORECASE)
    behind = {
        "ko": r"(?:[은는이가을를의와과로에도]|에서|입니다)?(?![가-힣\w])",
        "en": r"s?(?![\w-])",
    }
    return bool(re.search(rf"(?<![\w.-]){re.escape(words)}{behind[language]}", text))


@pytest.mark.parametrize("page", NOTEBOOK_PAGES)
def test_a_chapter_marks_each_term_where_it_comes_first(site, page):
    language = language_of(page)
    article = BeautifulSoup((site / f"{page}.html").read_text("utf8"), "html.parser").article
    rows = {f"glossary.html#{anchor_of(row)}": row for row in glossary()}
    left = {row["en"]: row for row in glossary() if row["mark"] == "yes"}
    marks = [rows[link["href"]] for link in article.select("a.term")]
    assert len(marks) == len({row["en"] for row in marks})
    assert not article.select(f":is({NO_PROSE}, h1, h2, h3, summary, pre, a) a.term")
    for link, row in zip(article.select("a.term"), marks, strict=True):
        meaning = link.find_next_sibling("template").extract().get_text().replace("\u2060", "")
        said = row[f"meaning_{language}"].replace("`", "").replace("'", "’")
        assert meaning.replace("'", "’") == said
        link.insert_before(SEAM)
    for tag in article.select(f"{NO_PROSE}, code, math, a:not(.term)"):
        tag.replace_with(OTHER)
    for tag in article.select("em, strong"):
        tag.append(OTHER)  # half of *tied* weights is no mention
    prose = "\n".join(p.get_text() for p in article.select("p")).replace("\u2060", "")
    for row, place in zip(marks, re.finditer(SEAM, prose), strict=True):
        before = prose[: place.start()].replace(SEAM, "")
        here = prose[place.end() :].replace(OTHER, "")
        gloss = language == "ko" and row["gloss"] and here.startswith(short_of(row["gloss"]))
        assert gloss or row["mark"] == "noun" or not stands(row, before, language), row["en"]
        left.pop(row["en"], None)
    prose = prose.replace(SEAM, "")
    assert not [term for term, row in left.items() if stands(row, prose, language)]
