"""A question finds its section, and every section has questions that lead to it.

`questions_unseen.csv` holds questions of readers who knew neither the search nor the questions of
the sections (`book/chapters/*/questions.yml`), taken from what people ask in public, and the
sections that answer each, the page without its number. Never write them into `questions.yml`:
they measure what the search makes of a question that nobody foresaw.
"""

import csv
import hashlib
import re
import tomllib
from pathlib import Path

import pytest
import yaml

from tests.small_chapter import HEADER, pair
from workshop.chapter.read import parse
from workshop.layout import LANGUAGES, ROOT, chapter_paths
from workshop.search.on_site import SYNONYMS
from workshop.search.questions import faults, read

HERE = Path(__file__).parent
UNSEEN = list(csv.DictReader((HERE / "questions_unseen.csv").open("r", -1, "utf8")))
AMONG_THE_FIRST_THREE = 0.95
each_language = pytest.mark.parametrize("language", LANGUAGES)

# The first sections for each query: `counter-pitfall#cache-key`.
FOUND = """queries => queries.map(query => search(query).hits.slice(0, 3).map(({ section }) =>
    section.address.replace(/^.*\\/(?:\\d\\d-)?/, "").replace(".html", "")))"""


@each_language
def test_a_question_finds_its_section_among_the_first_three(visit, language, measured):
    asked = [row for row in UNSEEN if row["language"] == language]
    found = visit(f"search-{language}").evaluate(FOUND, [row["question"] for row in asked])
    wanted = [{answer.removesuffix("#") for answer in row["answers"].split()} for row in asked]
    missed = [
        f"  {row['question']}: {sections}"
        for row, sections, answers in zip(asked, found, wanted, strict=True)
        if not answers & set(sections)
    ]
    first = sum(
        sections[:1] != [] and sections[0] in answers
        for sections, answers in zip(found, wanted, strict=True)
    )
    share = 1 - len(missed) / len(asked)
    said = f"{len(asked)} unseen questions in {language}: first {first / len(asked):.0%}"
    table = "\n".join([f"{said}, among the first three {share:.0%}", *missed])
    measured(table)
    assert len(asked) >= 60
    assert share >= AMONG_THE_FIRST_THREE, table


def test_unseen_questions_are_answered_by_sections_that_exist_and_stand_nowhere_in_the_book():
    names = {re.sub(r"^\d\d-", "", path.name): path for path in chapter_paths()}
    of_book = {
        question
        for path in chapter_paths()
        for asked in read(path).values()
        for each in asked.values()
        for question in each
    }
    for row in UNSEEN:
        assert row["question"] not in of_book
        for answer in row["answers"].split():
            page, _, anchor = answer.partition("#")
            if page not in names:  # of a page that no chapter is, such as the state map
                continue
            text = (names[page] / "chapter.md").read_text("utf8")
            assert not anchor or f'<a id="{anchor}"></a>' in text, answer


GOOD = "{ko: [하나, 둘, 셋], en: [one, two, three]}"


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (f"title: {GOOD}\nhere: {GOOD}", None),
        ("", "write it"),
        (f"title: {GOOD}", "no questions for here"),
        (f"title: {GOOD}\nhere: {GOOD}\nthere: {GOOD}", "no section has the anchor there"),
        (f"title: {GOOD}\nhere: {{ko: [하나, 둘], en: [one, two, three]}}", "ko: 2 questions"),
        (
            f"title: {GOOD}\nhere: {{ko: [하나, 둘, 둘], en: [one, two, three]}}",
            "3 to 6 different ones",
        ),
        (f"title: {GOOD}\nhere: {{en: [one, two, three]}}", "write ko: […] and en: […]"),
        (f"title: {GOOD}\nhere: {{ko: [하나, 둘, 셋], en: [a: b, two, three]}}", "in quotes"),
        (f"title: {GOOD}\nhere: [", "is no YAML"),
    ],
)
def test_wrong_questions_are_refused_in_one_line(tmp_path, text, said):
    exercise = pair('## Exercises <a id="exercises"></a>')
    body = pair("# 7. Here") + pair('## Here <a id="here"></a>') + exercise
    (tmp_path / "questions.yml").write_text(text, "utf8")
    found = list(faults(tmp_path, parse(Path("07-here"), HEADER + body)))
    assert len(found) == (said is not None), found
    assert said is None or said in found[0]


def test_synonyms_are_expressions():
    for name, said in yaml.safe_load(SYNONYMS.read_text("utf8")).items():
        for each in said:
            assert isinstance(each, str), f"{name}: put {each} in quotes"
            re.compile(each)


def test_minisearch_is_the_documented_one():
    static = HERE / "static"
    source = tomllib.loads((static / "minisearch.toml").read_text("utf8"))
    for name, digest in source["sha256"].items():
        assert hashlib.sha256((static / name).read_bytes()).hexdigest() == digest, name
    notice = (ROOT / "NOTICE").read_text("utf8")
    for fact in ("MiniSearch", source["version"], source["integrity"], "MIT"):
        assert fact in notice, f"NOTICE does not say {fact}"


TRACEBACK = """Traceback (most recent call last):
  File "train.py", line 3, in <module>
jax.errors.UnexpectedTracerError: Encountered an unexpected tracer. A function transformed by JAX"""


@each_language
def test_a_pasted_message_leads_from_the_page_of_symptoms_to_its_entry(visit, language):
    window = visit(f"book/{language}/symptoms")
    window.locator(".paste-field textarea").fill(TRACEBACK)
    window.locator(".paste-field button").click()
    window.wait_for_url(f"**/search-{language}.html?q=*")
    links = window.locator("#found-sections h2 a")
    assert links.first.get_attribute("href").endswith("/symptoms.html#unexpected-tracer")


@each_language
def test_from_a_chapter_a_message_leads_to_its_row_of_symptom_cause_and_fix_too(visit, language):
    window = visit(f"book/{language}/03-counter-pitfall")
    window.keyboard.press("Control+k")
    window.keyboard.type("UnexpectedTracerError: Encountered an unexpected tracer")
    window.keyboard.press("Enter")
    window.wait_for_url(f"**/search-{language}.html?q=*")
    second = window.locator("#found-sections > li").nth(1)
    assert (
        second.locator("a").get_attribute("href").endswith("counter-pitfall.html#symptom-cause-fix")
    )
    assert "jax.checking_leaks" in second.locator("p.cells").inner_text()


@each_language
def test_what_nothing_answers_leads_to_the_form_with_the_message_filled_in(visit, language):
    window = visit(f"search-{language}")
    form = window.locator("#missing-error")
    field = window.locator(".bd-search-container input")
    field.fill("kubernetes pods & nodes")
    window.wait_for_url("**q=kubernetes*")
    address = form.locator("a").get_attribute("href")
    assert "/issues/new?template=missing-error.yml&message=kubernetes+pods+%26+nodes" in address
    assert (ROOT / ".github/ISSUE_TEMPLATE/missing-error.yml").is_file()
    assert form.is_visible()
    field.fill({"ko": "손실이 안 바뀌어요", "en": "the loss does not change"}[language])
    window.wait_for_url(lambda url: "kubernetes" not in url)
    assert form.is_hidden()
