"""What a term means is shown to the pointer, the keyboard and the finger, and goes on request."""

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.site_fixtures import PHONE, violations
from workshop.glossary.terms import anchor_of
from workshop.layout import LANGUAGES, glossary

CHAPTER = "03-counter-pitfall"
TERM, NEXT = (
    next(row for row in glossary() if row["en"] == en) for en in ("trace time", "run time")
)
PAUSE = 600  # ms: longer than the script waits
each_language = pytest.mark.parametrize("language", list(LANGUAGES))


def term_in(window: Page, row=TERM) -> Locator:
    """The first mention of a term."""
    return window.locator(f"a.term[href$='#{anchor_of(row)}']")


def shown(window: Page, language: str, row=TERM) -> Locator:
    """The meaning of a term, which is seen, whole and below or above its words."""
    meaning = window.locator(".term-meaning")
    said = row[f"meaning_{language}"].replace("`", "").replace("'", "’")
    expect(meaning.locator("p")).to_have_text(said)
    expect(meaning).to_be_visible()
    box, words = meaning.bounding_box(), term_in(window, row).bounding_box()
    right, bottom = window.evaluate("[innerWidth, innerHeight]")
    assert min(box["x"], box["y"]) >= 0
    assert box["x"] + box["width"] <= right
    assert box["y"] + box["height"] <= bottom
    assert (
        box["y"] >= words["y"] + words["height"] - 2 or box["y"] + box["height"] <= words["y"] + 2
    )
    return meaning


@each_language
@pytest.mark.parametrize("theme", ["light", "dark"])
def test_the_pointer_shows_it_and_may_move_onto_it(visit, language, theme):
    window = visit(f"book/{language}/{CHAPTER}", color_scheme=theme)
    term = term_in(window)
    expect(window.locator(".term-meaning")).to_have_count(0)
    term.hover()
    meaning = shown(window, language)
    assert not violations(window, "article p:has(.term-meaning)")
    meaning.hover()
    window.wait_for_timeout(PAUSE)
    expect(meaning).to_be_visible()
    window.mouse.move(0, 0)
    expect(meaning).to_be_hidden()
    term.evaluate("term => term.scrollIntoView({block: 'end', behavior: 'instant'})")
    term.hover()
    shown(window, language)
    window.keyboard.press("Escape")
    expect(meaning).to_be_hidden()
    term.click()
    window.wait_for_url(f"**/book/{language}/glossary.html#{anchor_of(TERM)}")


@each_language
def test_the_keyboard_shows_it_and_goes_on_to_the_glossary(visit, language):
    window = visit(f"book/{language}/{CHAPTER}")
    term = term_in(window)
    window.keyboard.press("Tab")  # so that the browser knows how the reader goes
    term.focus()
    meaning = shown(window, language)
    described = "term => document.getElementById(term.getAttribute('aria-describedby')).textContent"
    assert term.evaluate(described) == meaning.locator("p").text_content()
    more = meaning.get_by_role("link", name={"ko": "용어집", "en": "Glossary"}[language])

    def press(*keys: str) -> None:
        for key in keys:
            window.keyboard.press(key)

    press("Escape")
    expect(meaning).to_be_hidden()
    expect(term).to_be_focused()
    press("Tab")
    shown(window, language, NEXT)
    press("Shift+Tab")
    shown(window, language)
    press("Tab")
    expect(more).to_be_focused()
    press("Escape")
    expect(meaning).to_be_hidden()
    expect(term).to_be_focused()
    elsewhere = window.locator("a.language-switch")
    elsewhere.focus()
    for keys in ((), ("Tab",)):  # from the term, from the link below its meaning
        term.focus()
        shown(window, language)
        press(*keys)
        elsewhere.focus()
        expect(meaning).to_be_hidden()
    term.focus()
    press("Tab", "Tab")  # from one meaning to the next
    shown(window, language, NEXT)
    press("Shift+Tab", "Tab", "Enter")
    window.wait_for_url(f"**/book/{language}/glossary.html#{anchor_of(TERM)}")


@each_language
def test_one_tap_shows_it_and_another_hides_it(visit, language):
    window = visit(f"book/{language}/{CHAPTER}", viewport=PHONE, has_touch=True, is_mobile=True)
    window.evaluate("addEventListener('mousedown', event => event.preventDefault())")  # as on iOS
    term = term_in(window)
    term.tap()
    meaning = shown(window, language)
    meaning.locator("p").tap()
    window.wait_for_timeout(PAUSE)
    expect(meaning).to_be_visible()
    assert not violations(window, "article p:has(.term-meaning)")
    term.tap()
    expect(meaning).to_be_hidden()
    term.tap()
    expect(meaning).to_be_visible()
    window.touchscreen.tap(200, 100)
    expect(meaning).to_be_hidden()
    term.tap()
    meaning.get_by_role("link").tap()
    window.wait_for_url(f"**/book/{language}/glossary.html#{anchor_of(TERM)}")
    expect(window.locator(f"dt[id='{anchor_of(TERM)}']")).to_be_in_viewport()


@each_language
def test_without_script_a_term_is_a_link_to_its_entry(visit, language):
    window = visit(f"book/{language}/{CHAPTER}", java_script_enabled=False)
    term_in(window).click()
    window.wait_for_url(f"**/book/{language}/glossary.html#{anchor_of(TERM)}")
    expect(window.locator(f"dt[id='{anchor_of(TERM)}']")).to_be_in_viewport()
