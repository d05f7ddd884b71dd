"""What the site remembers of a reader, on the reader's device alone, and how it forgets."""

import json
import re

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.built_site import LANDING, OTHER, file_of
from tests.site_fixtures import PHONE, violations
from workshop.layout import LANGUAGES, pages_of
from workshop.words import keyed_words

CHAPTER = "03-counter-pitfall"
SECTION = "trace-time-and-run-time"
KEY = "state-in-jax"
THEIRS = "of-another-site-on-this-host"
NO_STORAGE = {
    "refused": "Object.defineProperty(window, 'localStorage', "
    "{configurable: true, get() { throw new DOMException('', 'SecurityError'); }})",
    "full": "Storage.prototype.setItem = () => { throw new DOMException('', 'QuotaExceededError'); }",
    "none": "Object.defineProperty(window, 'localStorage', {configurable: true, value: null})",
}
GARBAGE = [
    "{",
    "null",
    "[]",
    '{"v": 2, "left": null, "seen": {}, "read": [], "open": {}}',
    '{"v": 1, "left": {"chapter": "../x"}, "seen": {}, "read": [], "open": {}}',
    '{"v": 1, "left": null, "seen": {}, "read": 3, "open": {}}',
    '{"v": 1, "left": null, "seen": {"03-counter-pitfall": 3}, "read": [], "open": {}}',
    '{"v": 1, "left": null, "seen": {}, "read": [], "open": {"03-counter-pitfall": {"a": 3}}}',
]
THERE = """({place, share}) => {
    const read = placeRead();
    return read?.place == place && Math.abs(read.share - share) < 0.05;
}"""
# A turn of the wheel scrolls for a while; before, a place isn't the one that is kept.
PAST_THE_HEADING = """async () => {
    const before = scrollY;
    await new Promise(later => setTimeout(later, 250));
    return scrollY == before && placeRead().share > 0.1;
}"""
each_language = pytest.mark.parametrize("language", LANGUAGES)


def first(language: str) -> str:
    """Return the first page of a language."""
    return pages_of(language)[0]


def chapter(language: str) -> str:
    """Return the page of the chapter."""
    return f"book/{language}/{CHAPTER}"


def go(window: Page, address: str, page: str) -> Page:
    """Go to another page in the same window."""
    window.goto(f"{address}/{file_of(page)}")
    return window


def kept(window: Page) -> dict:
    """Return what is remembered."""
    return json.loads(window.evaluate("key => localStorage.getItem(key)", KEY))


def read_as_far_as(window: Page, anchor: str) -> None:
    """Go down the page as a reader does, until a section stands at the top."""
    top = f"document.getElementById('{anchor}').getBoundingClientRect().top"
    while (rest := window.evaluate(top)) > 100 and not window.evaluate(
        "scrollY + innerHeight >= document.documentElement.scrollHeight - 1"
    ):
        window.mouse.wheel(0, min(rest - 80, 600))
        window.evaluate(
            "new Promise(drawn => requestAnimationFrame(() => requestAnimationFrame(drawn)))"
        )


@each_language
def test_the_first_pages_lead_to_where_the_reader_left_off(visit, address, language):
    say, other = keyed_words("reading_progress", language), OTHER[language]
    window = visit(first(language))
    expect(window.locator(".way-on")).to_have_count(0)
    go(window, address, chapter(language))
    read_as_far_as(window, SECTION)
    window.mouse.wheel(0, 400)
    window.wait_for_function(PAST_THE_HEADING)
    place = window.evaluate("placeRead()")
    titles = [
        window.locator(each).first.evaluate("heading => heading.innerText.replace(/#$/, '').trim()")
        for each in ("article h1", f"#{SECTION} h2")
    ]
    go(window, address, first(language))
    there = window.locator("article .way-on")
    expect(there).to_have_text(f"{say['continue']} {' · '.join(titles)}")
    there.locator("a").click()
    window.wait_for_url(f"**/{chapter(language)}.html#{SECTION}")
    window.wait_for_function(THERE, arg=place)
    go(window, address, first(other))
    number = keyed_words("reading_progress", other)["chapter"].format(n=3)
    expect(window.locator("article .way-on a")).to_have_text(number)
    go(window, address, LANDING)
    doors = window.locator(".door .way-on a")
    expect(doors).to_have_count(2)
    expect(window.locator(f".door[lang={language}] .way-on a")).to_have_text(" · ".join(titles))
    window.locator(f".door[lang={other}] .way-on a").click()
    window.wait_for_url(f"**/{chapter(other)}.html#{SECTION}")
    window.wait_for_function(THERE, arg=place)


def test_a_chapter_that_is_no_more_is_not_led_to(visit):
    left = {"chapter": "99-gone", "section": "", "language": "en", "title": "Gone"}
    all_of_it = {"v": 1, "left": left, "seen": {}, "read": ["99-gone"], "open": {}}
    window = visit(first("en"), remembering(json.dumps(all_of_it)))
    expect(window.locator(".forget")).to_be_visible()
    expect(window.locator(".way-on")).to_have_count(0)


def remembering(text: str):
    """Return what puts a text into the storage of a window, once."""
    script = f"localStorage.getItem('{KEY}') ?? localStorage.setItem('{KEY}', {json.dumps(text)})"
    return lambda window: window.add_init_script(script)


def entry(window: Page, name: str) -> Locator:
    """Return a chapter in the list of chapters, whose read ones are marked."""
    return window.locator(f".bd-docs-nav a[href*='{name}'], .bd-docs-nav .current > a[href='#']")


@each_language
def test_a_chapter_is_marked_once_all_its_sections_were_on_the_screen(visit, address, language):
    window = visit(chapter(language))
    window.evaluate("document.getElementById('sources').scrollIntoView()")
    window.wait_for_function(f"localStorage['{KEY}'].includes('sources')")
    expect(entry(window, CHAPTER).locator(".read")).to_have_count(0)  # it was jumped over
    window.evaluate("scrollTo(0, 0)")
    read_as_far_as(window, "what-triggers-a-retrace")
    go(window, address, chapter(OTHER[language]))  # the rest in the other language
    window.evaluate("document.getElementById('what-triggers-a-retrace').scrollIntoView()")
    read_as_far_as(window, "sources")
    expect(entry(window, CHAPTER).locator(".read")).to_have_text(
        f"✓ {keyed_words('reading_progress', OTHER[language])['read']}"
    )
    go(window, address, f"book/{language}/04-explicit-state")
    said = keyed_words("reading_progress", language)["read"]
    marked = window.locator(".bd-docs-nav a:has(.read)")
    expect(marked).to_have_count(1)
    expect(marked).to_have_accessible_name(re.compile(rf"3\. .* {said}"))


def opened(window: Page) -> list[list[bool]]:
    """Return, card by card, which choices stand open, and last whether the answer does."""
    return window.locator(".predict:not(.question)").evaluate_all(
        "cards => cards.map(card => [...card.querySelectorAll('details'), "
        "card.nextElementSibling.nextElementSibling].map(fold => fold.open))"
    )


@each_language
def test_answers_stand_open_when_the_reader_returns(visit, address, language):
    window = visit(chapter(language))
    cards = window.locator(".predict:not(.question)")
    cards.nth(0).locator("details.wrong summary").first.click()
    cards.nth(1).locator("details.right summary").click()
    window.locator(".answer > summary").last.click()
    left = opened(window)
    assert sum(map(sum, left)) == 3
    window.wait_for_function(f"localStorage['{KEY}'].split('[').length > 4")
    for page in (chapter(OTHER[language]), chapter(language)):
        go(window, address, page)
        assert opened(window) == left
        expect(cards.nth(0).locator("details.wrong p").first).to_be_visible()
        expect(window.locator(".answer .cell_output").nth(0)).to_be_hidden()
        expect(window.locator(".answer .cell_output").nth(1)).to_be_visible()
    cards.nth(1).locator("details.right summary").click()
    closed = opened(window)
    assert sum(map(sum, closed)) == 2
    window.reload()
    assert opened(window) == closed


@each_language
def test_a_figure_does_not_ask_again_what_was_answered(visit, address, language):
    window = visit(chapter(language))
    figure = window.locator("recorded-figure.figure-counter-under-jit.plays")
    question, go_on = figure.locator(".question"), figure.locator("button.next")
    asked = 0
    for page in (chapter(OTHER[language]), None):
        figure.wait_for()
        while go_on.get_attribute("aria-disabled") == "false":
            go_on.dispatch_event("click")
            if question.is_visible():
                asked += 1
                question.locator("details.right summary").click()
                expect(go_on).to_have_attribute("aria-disabled", "false")
        if page:
            window.wait_for_function(f"localStorage['{KEY}'].includes('third')")
            go(window, address, page)
    assert asked == 2  # in the first language alone


@each_language
@pytest.mark.parametrize("chosen", [False, True])
def test_the_first_page_speaks_the_language_that_was_read(visit, address, language, chosen):
    other = OTHER[language]
    window = visit(chapter(other if chosen else language), locale=other)
    if chosen:
        window.locator("a.language-switch").click()
        window.wait_for_url(f"**/{chapter(language)}.html*")
        go(window, address, chapter(other))  # by a link from elsewhere
    read = other if chosen else language
    window.wait_for_function(f"localStorage['{KEY}']?.includes('\"language\":\"{read}\"')")
    window.goto(f"{address}/")
    window.wait_for_url(f"**/{first(language)}.html")


@each_language
def test_one_button_forgets_it_all_once_the_reader_confirms(visit, address, language):
    say = keyed_words("reading_progress", language)
    window = visit(chapter(language))
    window.locator("button.theme-switch-button:visible").click()
    window.locator("[data-press=lines]").click()
    window.locator("a.language-switch").click()
    window.wait_for_url(f"**/{OTHER[language]}/**")
    window.evaluate(f"localStorage.setItem('{THEIRS}', 'theirs')")
    go(window, address, first(language))
    before = window.evaluate("JSON.stringify(localStorage)")
    assert {KEY, THEIRS, "language", "lines", "mode", "theme"} <= set(json.loads(before))
    place = window.locator(".forget")
    expect(place).to_contain_text(say["remembers"])
    window.get_by_role("button", name=say["forget"]).focus()
    window.keyboard.press("Enter")
    expect(place).to_contain_text(say["really"])
    expect(window.get_by_role("button", name=say["keep"])).to_be_focused()
    window.keyboard.press("Enter")
    expect(window.get_by_role("button", name=say["forget"])).to_be_focused()
    assert window.evaluate("JSON.stringify(localStorage)") == before
    window.keyboard.press("Enter")
    window.get_by_role("button", name=say["sure"]).click()
    expect(place).to_have_text(say["forgotten"])
    expect(place).to_be_focused()
    expect(window.locator(".way-on, .read")).to_have_count(0)
    assert json.loads(window.evaluate("JSON.stringify(localStorage)")) == {THEIRS: "theirs"}
    assert not window.context.cookies()
    window.reload()
    expect(window.locator(".way-on")).to_have_count(0)


@pytest.mark.parametrize("how", NO_STORAGE)
def test_without_storage_everything_else_works(visit, address, how):
    window = visit(chapter("en"), lambda new: new.add_init_script(NO_STORAGE[how]))
    window.locator(".predict:not(.question) .right summary").first.click()
    expect(window.locator(".answer .cell_output").first).to_be_visible()
    before = window.evaluate("document.documentElement.dataset.mode")
    window.locator("button.theme-switch-button:visible").click()
    assert window.evaluate("document.documentElement.dataset.mode") != before
    window.locator("a.language-switch").click()
    window.wait_for_url(f"**/{chapter('ko')}.html*")
    go(window, address, first("en"))
    expect(window.locator("article h1")).to_be_visible()
    expect(window.locator(".way-on, .forget, .read")).to_have_count(0)
    go(window, address, LANDING)
    expect(window.locator(".door a")).to_have_count(2)


@pytest.mark.parametrize("garbage", GARBAGE)
def test_what_cannot_be_understood_is_forgotten(visit, address, garbage):
    window = visit(first("en"), remembering(garbage))
    expect(window.locator(".forget")).to_be_visible()
    expect(window.locator(".way-on")).to_have_count(0)
    go(window, address, chapter("en"))
    window.locator(".predict:not(.question) .right summary").first.click()
    window.wait_for_function(f"localStorage['{KEY}'].includes('[2]')")
    assert kept(window)["left"]["chapter"] == CHAPTER


@each_language
@pytest.mark.parametrize("look", ["light", "dark"])
def test_what_the_first_pages_add_is_accessible_and_fits_a_phone(visit, address, language, look):
    window = visit(chapter(language), viewport=PHONE, color_scheme=look)
    read_as_far_as(window, SECTION)
    for page in (first(language), LANDING):
        go(window, address, page)
        expect(window.locator(".way-on").first).to_be_visible()
        assert not violations(window, ".way-on")
        assert not window.evaluate("document.documentElement.scrollWidth > innerWidth")
    go(window, address, first(language))
    window.locator(".forget button").click()
    assert not violations(window, ".forget")
