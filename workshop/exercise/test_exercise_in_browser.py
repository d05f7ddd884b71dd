"""Where the model of JAX can judge, a reader answers an exercise in the page and is told what is wrong."""

import json
import re
from pathlib import Path

import pytest
from playwright.sync_api import expect

from tests.built_site import soup_of
from tests.site_fixtures import PHONE, violations
from workshop.chapter.model import Exercise
from workshop.chapter.read import read_chapter
from workshop.layout import LANGUAGES, chapter_paths, pages_of
from workshop.live_box.test_live_box_in_browser import (
    BOX_FILES,
    SECONDS,
    printed_in_micropython,
)
from workshop.words import keyed_words

SOLVED = {"ko": r"연습 문제 \d: 정답입니다\s", "en": r"Exercise \d: correct\s"}
WRONG = {"ko": r"연습 문제 \d: (?!정답).*[가-힣].*\s", "en": r"Exercise \d: (?!correct)[^가-힣]+\s"}
each_language = pytest.mark.parametrize("language", ["ko", "en"])


def judged_on(site: Path, path: Path) -> list[tuple[str, Exercise]]:
    """What judges the exercises of a chapter in their boxes, with a hint in each language.

    The boxes of the languages differ in the lines that say it; here both stand.
    """
    pages = [soup_of(site, f"book/{language}/{path.stem}") for language in LANGUAGES]
    found = []
    for exercise in read_chapter(path).exercises:
        boxes = [page.select(f"#exercise-{exercise.number} live-box > script") for page in pages]
        offered = [json.loads(box.string) for same in boxes for box in same]
        for box in offered:
            assert box["program"] == exercise.cells["exercise"].source
        lines = zip(*(box["check"].rstrip().split("\n") for box in offered), strict=True)
        if check := "\n".join(line for said in lines for line in dict.fromkeys(said)):
            found.append((check, exercise))
    return found


def test_micropython_judges_each_answer(site, visit, address):
    judged = [pair for path in chapter_paths() for pair in judged_on(site, path)]
    programs = []
    for check, exercise in judged:
        defined, judge = check.rsplit("\n", 1)
        tries = [f"{answer.source}\n{judge}" for answer in exercise.answers]
        programs.append("\n".join([defined, *tries]))
    told = printed_in_micropython(visit(pages_of("en")[0]), f"{address}/{BOX_FILES}", programs)
    assert told
    for (_, exercise), output in zip(judged, told, strict=True):
        mistakes, lines = {}, output.splitlines(keepends=True)
        hints = zip(lines[::2], lines[1::2], strict=True)
        for answer, (korean, english) in zip(exercise.answers, hints, strict=True):
            here, wanted = f"{answer.place}: {english}{korean}", WRONG if answer.says else SOLVED
            assert re.fullmatch(wanted["en"], english) and answer.says in english, here
            assert re.fullmatch(wanted["ko"], korean), here
            for hint in (english, korean):
                same = mistakes.setdefault(hint, answer.says)
                assert same == answer.says, f"one hint for two mistakes: {here}"


@each_language
@pytest.mark.parametrize("theme", ["light", "dark"])
def test_an_exercise_is_answered_where_it_stands(visit, language, theme):
    window = visit(f"book/{language}/04-explicit-state", viewport=PHONE, color_scheme=theme)
    exercise = window.locator("#exercise-1")
    opener, output = exercise.locator(".live-open"), exercise.locator(".live-panel pre")
    opener.press("Enter")
    exercise.locator("textarea").fill("answer_1 = (22, 4, 2)")
    exercise.locator("textarea").press("Control+Enter")
    expect(output).to_have_text(re.compile(f"^{WRONG[language]}$"), timeout=SECONDS)
    exercise.locator("textarea").fill("answer_1 = (20, 6, 2)")
    exercise.locator("textarea").press("Control+Enter")
    says = keyed_words("live_box", language)
    expect(exercise.locator(".live-status")).to_have_text(says["Right"], timeout=SECONDS)
    expect(output).to_be_hidden()
    window.reload()
    expect(opener).to_have_class(re.compile("live-solved"))
    opener.press("Enter")
    exercise.locator("textarea").fill("answer_1 = (20, 6")
    exercise.locator(".live-run").click()
    expect(exercise.locator(".live-status code")).to_have_text("answer_1 = (20, 6", timeout=SECONDS)
    expect(exercise.locator(".live-status")).to_contain_text(
        {"ko": "1번째", "en": "Line 1"}[language]
    )
    assert not violations(window, "#exercise-1")
    assert not window.evaluate("document.documentElement.scrollWidth > innerWidth")


@each_language
def test_the_triangle_of_a_solution_stands_with_the_text(visit, language):
    exercise = visit(f"book/{language}/04-explicit-state").locator("#exercise-1")
    for title in (".collapsed", ".expanded"):
        seen = exercise.locator(f".tag_solution {title}")
        assert seen.bounding_box()["x"] == exercise.locator("> p").first.bounding_box()["x"]
        seen.click()


@each_language
def test_without_script_the_link_is_left(visit, language):
    window = visit(f"book/{language}/04-explicit-state", java_script_enabled=False)
    expect(window.locator("#exercise-1 live-box")).to_be_hidden()
    for number in (1, 2, 3):
        expect(window.locator(f"#exercise-{number} .exercise-link a")).to_be_visible()
