"""Long lines of code: wrapped with a hanging indent, or scrolling where the reader wants that."""

import pytest
from playwright.sync_api import Page, expect

from tests.site_fixtures import PHONE
from workshop.layout import LANGUAGES

# Where the pieces of a wrapped line begin, in pixels from the left of its line.
PIECES = """line => {
    const lefts = new Map(), range = document.createRange(), left = line.getBoundingClientRect().left;
    const letters = document.createTreeWalker(line, NodeFilter.SHOW_TEXT);
    while (letters.nextNode()) [...letters.currentNode.data].forEach((letter, i) => {
        if (!letter.trim()) return;
        range.setStart(letters.currentNode, i);
        range.setEnd(letters.currentNode, i + 1);
        const box = range.getBoundingClientRect();
        if (!lefts.has(box.top)) lefts.set(box.top, box.left - left);
    });
    return [...lefts.values()];
}"""
SCROLLING = """[...document.querySelectorAll("article .highlight pre")]
    .filter(e => e.checkVisibility() && e.scrollWidth > e.clientWidth).length"""
SELECTED = """pre => {
    getSelection().selectAllChildren(pre);
    return getSelection().toString();
}"""
each_language = pytest.mark.parametrize("language", list(LANGUAGES))


def lesson(language: str) -> str:
    """The page to look at."""
    return f"book/{language}/05-linear-regression"


def wrapped(window: Page) -> list[list[float]]:
    """Where the pieces of each wrapped line begin."""
    return [pieces for pieces in lines(window) if len(pieces) > 1]


def lines(window: Page) -> list[list[float]]:
    """Where the pieces of each line of code begin."""
    return [line.evaluate(PIECES) for line in window.locator(".cell_input .line:visible").all()]


@each_language
@pytest.mark.parametrize("scripts", [True, False])
def test_on_a_phone_long_lines_wrap_further_in_than_they_begin(visit, language, scripts):
    window = visit(lesson(language), viewport=PHONE, java_script_enabled=scripts)
    found = [pieces for pieces in lines(window) if pieces]
    levels = {round(first) for first, *_ in found}
    assert len(levels) > 2 and max(map(len, found)) > 1
    for first, *others in found:
        assert all(other > first for other in others), f"begins at {first}, goes on at {others}"
        assert not levels & set(map(round, others)), f"{others} look like blocks, at {levels}"


@each_language
def test_a_button_lets_long_lines_scroll_and_wrap_again(visit, language):
    window = visit(lesson(language), viewport=PHONE)
    button = window.locator("[data-press=lines]")
    window.locator(".tools-opener").click()
    expect(button).to_have_css("text-align", "start")  # where its words take two lines
    for pressed, scroll in (("true", False), ("false", True), ("true", False)):
        expect(button).to_have_attribute("aria-pressed", pressed)
        assert bool(window.evaluate(SCROLLING)) == scroll
        assert bool(wrapped(window)) != scroll
        reached = (
            "() => [...document.querySelectorAll('article pre')].every(e => e.tabIndex == 0 ||"
        )
        window.wait_for_function(f"{reached} e.scrollWidth <= e.clientWidth)")
        if not button.is_visible():
            window.locator(".tools-opener").click()
        button.click()
    window.reload()
    expect(button).to_have_attribute("aria-pressed", "false")  # as it was left
    assert window.evaluate(SCROLLING)


def test_what_is_copied_from_wrapped_lines_is_what_was_written(visit):
    window = visit(lesson("en"), viewport=PHONE)
    cell = window.locator(".cell_input .highlight:has(.in-2)").first
    code = cell.locator("pre").text_content().rstrip("\n")
    assert "\n\n\n" in code
    assert cell.locator("pre").evaluate(SELECTED).rstrip("\n") == code
