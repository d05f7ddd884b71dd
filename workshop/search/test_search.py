"""The search finds what a reader of either language looks for, in a real browser.

`search_queries.csv` holds words, written from what readers need and from the contents of the
chapters, never from what the search returns:

- `means`: what the query means, as regular expressions joined by ` & `. A page answers the query
  if one of its sections, with the title of the page, holds a match of each (no difference between
  upper and lower case). Sections are read from the built pages, not from the search's index.
  `-` means that no section may be called an answer.
  A query whose words have left the book is left out, and the table says so.
- `best`: the chapters of which one must stand first (file names without their numbers; some are
  still to be written); empty where no chapter is better than the others.

Recall is the share of answering pages that were found. A section need not hold all words, so what
is found besides is no fault, as long as it comes later: precision is the share of answering pages
among as many pages as answer, those that stand first.
"""

import csv
import gzip
import json
import re
import unicodedata
from functools import cache
from pathlib import Path

import pytest
from bs4 import NavigableString
from playwright.sync_api import Dialog, Page, expect

from tests.built_site import LANDING, OTHER, soup_of
from workshop.glossary.terms import also, anchor_of, bare
from workshop.layout import glossary, language_of, pages_of

QUERIES = list(csv.DictReader(Path(__file__).with_name("search_queries.csv").open("r", -1, "utf8")))
QUERIES_AT_LEAST, RECALL, PRECISION, BEST_FIRST = 60, 0.99, 0.85, 0.85
NAMES_OF_PYTORCH = ("PyTorch", "state_dict", "torch.compile", "nn.Module", "optimizer.step()")
SHOWN_AT_FIRST = 10
JIT = "just-in-time-compilation"
KILOBYTES_A_PAGE = 15  # of the index of a language
each_language = pytest.mark.parametrize("language", OTHER)

# What the page shows: of each section found, its page, its address and its passage.
FACE = "e => getComputedStyle(e).fontFamily"
RESULTS = """() => [...document.querySelectorAll("#found-sections > li")].map(result => ({
    page: new URL(result.querySelector("h2 a").href).pathname.match(/book.*(?=\\.html)/)[0],
    address: result.querySelector("h2 a").href,
    text: result.querySelector("p:last-child").textContent,
    marked: [...result.querySelectorAll("mark")].map(mark => mark.textContent)}))"""
# The pages of all sections found, in the order of their best, but for an answer to nothing.
PAGES_FOUND = """queries => queries.map(query => {
    const { hits, isWhole } = search(query);
    const pages = hits.map(hit => hit.section.page.address.replace(/\\.html$/, ""));
    return { pages: [...new Set(pages)], isWhole }; })"""


@cache
def texts_of(site: Path, page: str) -> list[str]:
    """Return the text of each section of a page, without the sections inside it, with the title."""
    article = soup_of(site, page).article
    texts = {id(section): [article.h1.find(string=True), " "] for section in article("section")}
    for piece in article.find_all(string=True):
        hidden = piece.find_parent(["svg", "style", "script"])
        if type(piece) is NavigableString and not hidden:
            texts.get(id(piece.find_parent("section")), []).append(piece)
    for picture in article.select("svg:not(.narrow), img"):
        texts[id(picture.find_parent("section"))].append(
            picture.get("aria-label") or picture.get("alt") or ""
        )
    return [
        " ".join(unicodedata.normalize("NFC", "".join(text)).split()) for text in texts.values()
    ]


def answering(site: Path, language: str, means: str) -> set[str]:
    """Return the pages that answer a query."""
    if means == "-":
        return set()
    parts = [re.compile(part, re.IGNORECASE) for part in means.split(" & ")]
    return {
        page
        for page in pages_of(language)
        if any(all(part.search(text) for part in parts) for text in texts_of(site, page))
    }


def ask(window: Page, query: str) -> list[dict]:
    """Type a query into the search page and return the results that it shows."""
    return window.evaluate(f"query => {{ show(query); return ({RESULTS})(); }}", query)


@each_language
def test_readers_find_what_they_look_for(site, visit, language, measured):
    window = visit(f"search-{language}")
    rows, asked, right, recalled, wanted_in_all, first, with_best = [], 0, 0, 0, 0, 0, 0
    existing = {re.sub(r"^.*/[\d-]*", "", page): page for page in pages_of(language)}
    queries = [row for row in QUERIES if row["language"] == language]
    answers = window.evaluate(PAGES_FOUND, [row["query"] for row in queries])
    for row, answer in zip(queries, answers, strict=True):
        wanted, found = answering(site, language, row["means"]), answer["pages"]
        if not wanted and row["means"] != "-":
            rows.append(f"  {row['query']:<28} left out: the book says it nowhere any more")
            continue
        asked += 1
        faults = ["is answered"] * (answer["isWhole"] and not wanted)
        right += len(wanted & set(found[: len(wanted)]))
        recalled += len(wanted & set(found))
        wanted_in_all += len(wanted)
        faults += [f"misses {page}" for page in sorted(wanted - set(found))]
        best = [existing[name] for name in row["best"].split() if name in existing]
        if row["best"]:
            with_best += 1
            is_first = found[:1] in [[page] for page in best]
            first += is_first
            faults += [f"puts {found[:1]} first"] * (not is_first)
        rows += [f"  {row['query']:<28} {'; '.join(faults)}"] * bool(faults)
    recall, precision = recalled / wanted_in_all, right / wanted_in_all
    share = first / with_best
    table = "\n".join(
        [
            f"search in {language}: {asked} queries",
            f"  recall {recall:.1%} of {wanted_in_all}, precision {precision:.1%}, "
            + f"right chapter first {share:.1%} of {with_best}",
            *rows,
        ]
    )
    measured(table)
    assert asked >= QUERIES_AT_LEAST
    assert recall >= RECALL, table
    assert precision >= PRECISION, table
    assert share >= BEST_FIRST, table


@each_language
def test_every_passage_shows_a_hit(visit, language):
    window = visit(f"search-{language}")
    for query in (row["query"] for row in QUERIES if row["language"] == language):
        for result in ask(window, query)[:SHOWN_AT_FIRST]:
            assert result["text"].strip("… "), f"{query}: an empty passage in {result['page']}"
            assert result["marked"], f"{query}: no hit is marked in {result['text']!r}"


@pytest.mark.parametrize(
    ("language", "query", "mark"),
    [("ko", "상태를", "상태"), ("ko", "손실함수", "손실 함수"), ("en", "traces", "traced")],
)
def test_the_word_itself_is_marked(visit, language, query, mark):
    results = ask(visit(f"search-{language}"), query)
    assert mark in {mark for result in results for mark in result["marked"]}


@each_language
def test_every_term_of_the_glossary_is_found(visit, language):
    columns = {"ko": ["en", "ko", "gloss"], "en": ["en"]}[language]
    words = [row[key] for row in glossary() for key in columns if row[key]]
    words += [name for row in glossary() for name in also(row, language)]
    lost = visit(f"search-{language}").evaluate(
        """words => words.filter(word =>
            !search(word).hits.some(({ section }) => section.page.address.endsWith("/glossary.html")))""",
        words,
    )
    assert not lost, f"the search does not find in the glossary: {lost}"


@pytest.mark.parametrize(
    ("language", "query", "chapter"),
    [
        *[("ko", query, "03-counter-pitfall") for query in ("재컴파일", "retrace", "부작용을")],
        *[("ko", query, "04-explicit-state") for query in ("스캔", "scan carry")],
        ("ko", "도네이션", "22-memory-and-devices"),
        ("ko", "리컴파일", "03-counter-pitfall"),
        ("en", "recompilation", "03-counter-pitfall"),
        ("en", "donation", "22-memory-and-devices"),
        ("en", "moving means", "11-flax-variables"),
    ],
)
def test_another_name_of_a_term_leads_to_its_chapter(visit, language, query, chapter):
    found = ask(visit(f"search-{language}"), query)
    assert found[0]["page"] == f"book/{language}/{chapter}"


@pytest.mark.parametrize(
    ("language", "query"),
    [*((code, name) for code in OTHER for name in NAMES_OF_PYTORCH), ("ko", "파이토치")],
)
def test_a_name_of_pytorch_leads_to_the_page_for_those_who_come_from_it(visit, language, query):
    found = ask(visit(f"search-{language}"), query)
    assert found[0]["page"] == f"book/{language}/from-pytorch"


@pytest.mark.parametrize(
    ("language", "query", "wanted"),
    [
        *[(code, "vmap", "12-batchnorm-under-vmap.html") for code in OTHER],
        *[(code, "jit", "03-counter-pitfall.html") for code in OTHER],
        *[(code, "state", "04-explicit-state.html") for code in OTHER],
        *[
            ("ko", query, "21-save-and-resume.html")
            for query in ("학습 이어하기", "체크포인트 저장")
        ],
        ("en", "save a checkpoint", "21-save-and-resume.html"),
        ("ko", "메모리 부족", "symptoms-memory.html#resource-exhausted"),
        ("en", "out of memory", "symptoms-memory.html#resource-exhausted"),
    ],
)
def test_a_thing_leads_to_what_has_it_in_its_title(visit, language, query, wanted):
    first = ask(visit(f"search-{language}"), query)[0]
    assert first["address"].endswith(f"/book/{language}/{wanted}")


# The first two sections for each query, and whether they answer it.
FIRST_TWO = """queries => queries.map(query => {
    const { hits, isWhole } = search(query);
    return [hits.slice(0, 2).map(({ section }) => section.address.replace(/^.*\\//, "")), isWhole]; })"""
ASKING_WHAT = {
    "ko": ["{}", "{} 뭐야", "{}: 뭔가요?", "{}, 무슨 뜻인가요"],
    "en": ["{}", "what is {}?", "what does {} mean"],
}


@each_language
def test_what_a_term_means_stands_among_the_first_two(visit, language):
    wanted = {
        asked.format(bare(row[language])): f"glossary.html#{anchor_of(row)}"
        for row in glossary()
        for asked in ASKING_WHAT[language]
    }
    wanted |= {
        "ko": {"트레이서가 뭐예요": "glossary.html#tracer", "jit이 뭐야": f"glossary.html#{JIT}"},
        "en": {"what does donate mean": "glossary.html#buffer-donation"},
    }[language]
    found = visit(f"search-{language}").evaluate(FIRST_TWO, list(wanted))
    missed = [
        query
        for (query, entry), (first, is_whole) in zip(wanted.items(), found, strict=True)
        if entry not in first or not is_whole
    ]
    assert not missed


SLIPS = {"체크포인드": "체크포인트", "카운더를": "카운터를", "컴퍼일이 느려요": "컴파일이 느려요"}
SLIPS |= {"파라미타가": "파라미터가", "그레이디언투": "그레이디언트", "드롭아윳": "드롭아웃"}
WORDS_OF_OTHERS = "쿠버네티스 컨테이너 스케줄러 인터넷 데이터베이스 카메라 토크나이저 디코더 사진첩"


def test_a_slip_of_one_letter_is_mended_and_other_words_are_left(visit):
    window = visit("search-ko")
    mended = window.evaluate("words => words.map(mended)", list(SLIPS))
    assert dict(zip(SLIPS, mended, strict=True)) == SLIPS
    assert window.evaluate("words => mended(words)", WORDS_OF_OTHERS) == WORDS_OF_OTHERS
    first = window.evaluate(FIRST_TWO, ["체크포인드 저장", "체크포인트 저장"])
    assert first[0] == first[1]


# Whether a query has a word in common with a text; independent of the book but for its words.
FOUND = [
    *[("상태", text) for text in ("상태를", "상태마다", "초기상태", "JAX의 상태")],
    *[("손실함수", "손실 함수"), ("손실 함수", "손실함수"), ("난수 키", "난수의 키를")],
    *[("키", text) for text in ("키", "키를", "키마다")],
    *[("값", text) for text in ("반환값은", "값이면", "첫 값")],
    *[("안 바뀌어요", text) for text in ("바뀌지 않습니다", "바뀐 값", "그대로예요")],
    *[("느려져요", "느려집니다"), ("나와요", "나옵니다"), ("이상해요", "틀립니다")],
    *[("똑같아요", text) for text in ("똑같이 나온다", "같은 값", "매번 나오는 값")],
    *[("반영이 안 돼요", text) for text in ("반영되지 않습니다", "업데이트되지 않는 값")],
    *[("jit을", "jit"), ("JIT", "jax.jit"), ("상태를", "상태"), ("정확도", "정확도를")],
    *[("States", "state"), ("opt_state", "new_opt_state"), ("jax.jit", "@jax.jit"), ("ref", "Ref")],
    *[("batch norm", "BatchNorm"), ("changing", "changes"), ("isn't changing", "stays the same")],
]
NOT_FOUND = [
    *[("인자", "확인자"), ("로그", "프로그램"), ("상태", "상 태")],
    *[("키", text) for text in ("가리키는", "키우는", "스키마", "시키고")],
    *[("차이", "차를"), ("램", "프로그램")],
    *[("jit", "jitter"), ("state", "estate"), ("how do I", "do you"), ("in 3 steps", "in 3 days")],
]


def test_where_a_word_begins_and_ends(visit):
    wrong = visit("search-ko").evaluate(
        """pairs => pairs.filter(([query, text, wanted]) => {
            const tokens = new Set(wordsAsked(query).tokens);
            return placesIn(text, { tokens }).length > 0 !== wanted; })""",
        [[*pair, True] for pair in FOUND] + [[*pair, False] for pair in NOT_FOUND],
    )
    assert not wrong, f"query, text, should be found: {wrong}"


def test_the_heading_before_a_question_or_the_title_before_text_before_code(visit):
    # A book of pages, each with a word of its own at another place.
    order = visit("search-en").evaluate(
        """() => {
            const places = ["code", "prose", "title", "heading", "questions"];
            sections.splice(0, sections.length, ...places.map(place => {
                const texts = { title: "", heading: "", prose: "", code: "" };
                if (place in texts) texts[place] = "optimizer";
                const asked = place === "questions" ? ["optimizer"] : [];
                const page = { address: place, kind: "lesson", title: texts.title };
                return { page, anchor: place, isIntroduction: false, outputs: "", rows: [],
                    ...texts, questions: asked };
            }));
            indexSections();
            return search("optimizer").hits.map(({ section }) => section.anchor);
        }"""
    )
    assert order[0] == "heading"
    assert order[-2:] == ["prose", "code"]


@pytest.mark.parametrize(
    ("language", "query", "said"),
    [
        (
            "ko",
            "트레이서 쿠버네티스 파드 예약",
            "‘트레이서 쿠버네티스 파드 예약’에 다 맞는 절은 없습니다.",
        ),
        (
            "en",
            "tracer kubernetes schedules pods",
            "No section answers most of “tracer kubernetes schedules pods”.",
        ),
    ],
)
def test_an_answer_in_part_says_so(visit, language, query, said):
    window = visit(f"search-{language}")
    assert ask(window, query)
    assert window.locator("#search-status").inner_text().startswith(said)


@each_language
def test_the_search_is_reached_by_keyboard_and_answers_aloud(visit, address, language):
    window = visit(pages_of(language)[0])
    face = window.locator("article p").first.evaluate(FACE)
    window.keyboard.press("Control+k")
    query = {"ko": "트레이서", "en": "tracers"}[language]
    expect(window.locator("#pst-search-dialog input")).to_be_focused()
    window.keyboard.type(query)
    window.keyboard.press("Enter")
    window.wait_for_url(f"**/search-{language}.html?q=*")
    status = window.locator("#search-status[role=status]")
    expect(status).to_have_text(
        re.compile({"ko": r"^절 \d+개", "en": r"^Sections found: \d+"}[language])
    )
    assert window.locator("#found-sections p").first.evaluate(FACE) == face
    results = window.evaluate(RESULTS)
    assert {language_of(result["page"]) for result in results} == {language}
    # The next key leads to the first result, and Enter to the page.
    field = window.locator(".bd-search-container input")
    expect(field).to_be_focused()
    window.keyboard.press("Control+k")  # as on other pages; the theme would close the field
    expect(field).to_be_focused()
    window.keyboard.press("Tab")
    expect(window.locator("#found-sections a").first).to_be_focused()
    window.keyboard.press("Enter")
    window.wait_for_url(results[0]["address"])
    window.go_back()
    expect(window.locator("#found-sections mark").first).to_be_visible()
    # Typing answers at once; the switch takes the query along.
    field.fill("qqqq")
    expect(status).to_have_text(re.compile("qqqq"))
    expect(window.locator("#found-sections li")).to_have_count(0)
    window.wait_for_url(f"**/search-{language}.html?q=qqqq*")
    window.locator("a.language-switch").click()
    window.wait_for_url(f"**/search-{OTHER[language]}.html?q=qqqq*")


@each_language
def test_markup_in_a_query_is_shown_as_text(visit, language):
    query = "<img src=qqq onerror=alert()>"  # words of no chapter

    def fail(dialog: Dialog) -> None:
        pytest.fail(f"a query runs as a script: {dialog.message}")

    window = visit(f"search-{language}", lambda new: new.on("dialog", fail))
    field = window.locator(".bd-search-container input")
    field.fill(query)
    field.press("Enter")
    window.wait_for_url("**q=*")
    expect(window.locator("#search-status")).to_contain_text(query)
    assert not window.locator(".bd-search-container img").count()


@each_language
def test_the_search_works_in_a_folder_without_a_server(site, browser, language):
    context = browser.new_context(offline=True)
    window = context.new_page()
    window.set_default_timeout(10_000)
    window.goto(f"{(site / f'search-{language}.html').as_uri()}?q=vmap")
    link = window.locator("#found-sections h2 a[href*='#']").first
    link.click()
    window.wait_for_url(re.compile(rf"^file:.*/book/{language}/.*\.html#"))
    context.close()


@each_language
def test_the_index_is_lean(site, language, measured):
    index = site / f"_static/search-index-{language}.js"
    kilobytes = len(gzip.compress(index.read_bytes(), 9)) / 1000
    measured(f"search index {language}: {kilobytes:.0f} KB over gzip")
    assert kilobytes <= KILOBYTES_A_PAGE * len(pages_of(language))


def test_every_result_leads_to_a_section(site):
    for language in OTHER:
        index = (site / f"_static/search-index-{language}.js").read_text("utf8")
        pages = json.loads(index.removeprefix("const bookIndex = ").removesuffix(";\n"))["pages"]
        assert [page[0].removesuffix(".html") for page in pages] == pages_of(language)
        for address, _, sections in pages:
            soup = soup_of(site, address.removesuffix(".html"))
            parts = soup.article.select("section, .glossary-terms > dt")
            anchors = [part["id"] for part in parts]
            assert [section[0] for section in sections] == anchors, address


def test_the_page_for_both_languages_offers_no_search(site):
    assert not soup_of(site, LANDING).select("form.bd-search")
