"""Where the model of JAX can judge, a reader answers an exercise in the page and is told what is wrong."""

import json
import re

import pytest
from playwright.sync_api import expect

from tests.site_fixtures import violations
from workshop.chapter.read import read_chapter
from workshop.chapter.write import committed_cells
from workshop.layout import chapter_paths
from workshop.live_box.programs import LIVE
from workshop.live_box.test_live_box_in_browser import BOX_FILES, RUN_ALL, SECONDS

JUDGED = [  # the page and the exercise of each that has a box
    (path.stem, exercise)
    for path in chapter_paths()
    for exercise in read_chapter(path).exercises
    for cell in committed_cells(path)
    if LIVE in cell.metadata
    and cell.source == exercise.cells["exercise"].source
    and "exercise" in cell.metadata["tags"]
]
SOLVED = {"ko": r"연습 문제 \d: 정답입니다\s", "en": r"Exercise \d: correct\s"}
WRONG = {"ko": r"연습 문제 \d: (?!정답).*[가-힣].*\s", "en": r"Exercise \d: (?!correct)[^가-힣]+\s"}
each_language = pytest.mark.parametrize("language", ["ko", "en"])


@each_language
@pytest.mark.parametrize(("name", "exercise"), JUDGED, ids=lambda value: str(value)[:20])
def test_micropython_judges_each_answer(visit, address, language, name, exercise):
    window = visit(f"book/{language}/{name}")
    box = window.locator(f"#exercise-{exercise.number} live-box script")
    offered = json.loads(box.evaluate("script => script.textContent"))
    assert offered["program"] == exercise.cells["exercise"].source
    programs = [f"{answer.source}\n\n{offered['check']}" for answer in exercise.answers]
    told = window.evaluate(RUN_ALL, [f"{address}/{BOX_FILES}", programs])
    mistakes = {}
    for answer, hint in zip(exercise.answers, told, strict=True):
        says = answer.says
        wanted = WRONG if says else SOLVED
        assert re.fullmatch(wanted[language], hint["output"]), f"{answer.source}: {hint}"
        assert language == "ko" or says in hint["output"]
        assert mistakes.setdefault(hint["output"], says) == says, "one hint for two mistakes"


@each_language
@pytest.mark.parametrize("theme", ["light", "dark"])
def test_an_exercise_is_answered_where_it_stands(visit, language, theme):
    phone = {"width": 390, "height": 844}
    window = visit(f"book/{language}/04-explicit-state", viewport=phone, color_scheme=theme)
    exercise = window.locator("#exercise-1")
    exercise.locator(".live-open").press("Enter")
    for answer, says in (("(22, 4, 2)", WRONG), ("(20, 6, 2)", SOLVED)):
        exercise.locator("textarea").fill(f"answer_1 = {answer}")
        exercise.locator("textarea").press("Control+Enter")
        told = re.compile(f"^{says[language]}$")
        expect(exercise.locator(".live-panel pre")).to_have_text(told, timeout=SECONDS)
    exercise.locator("textarea").fill("answer_1 = (20, 6")
    exercise.locator(".live-run").click()
    expect(exercise.locator(".live-status code")).to_have_text("answer_1 = (20, 6", timeout=SECONDS)
    expect(exercise.locator(".live-status")).to_contain_text(
        {"ko": "1번째", "en": "Line 1"}[language]
    )
    assert not violations(window, "#exercise-1")
    assert not window.evaluate("document.documentElement.scrollWidth > innerWidth")


@each_language
def test_without_script_the_link_is_left(visit, language):
    window = visit(f"book/{language}/04-explicit-state", java_script_enabled=False)
    expect(window.locator("#exercise-1 live-box")).to_be_hidden()
    for number in (1, 2, 3):
        expect(window.locator(f"#exercise-{number} .exercise-link a")).to_be_visible()
