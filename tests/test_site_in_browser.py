"""What the reader does on the built site: switch, unfold, darken, launch.

Needs Chromium (Debian and Ubuntu: `apt-get install chromium`). Without it these tests are skipped
on a desk and fail where CI is set.
"""

import pytest
from playwright.sync_api import Locator, expect

from tests.built_site import NOTEBOOK_PAGES, OTHER, soup_of, twin_of
from workshop.layout import language_of, pages_of
from workshop.words import keyed_words

PHONE = {"width": 390, "height": 844}
LESSON = "book/ko/03-counter-pitfall"  # scripts and frame are the same on every page
both_languages = pytest.mark.parametrize("page", [LESSON, twin_of(LESSON)])


def press(element: Locator) -> None:
    """Click where an element stands. (Playwright's own click scrolls the page first.)"""
    box = element.bounding_box()
    element.page.mouse.click(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)


def test_the_switch_lands_on_the_same_section_and_back(visit):
    page = LESSON
    window = visit(page)
    sections = window.locator("article section section[id]")
    anchor = sections.nth(sections.count() // 2).get_attribute("id")
    window.evaluate("id => document.getElementById(id).scrollIntoView()", anchor)
    for wanted in (twin_of(page), page):
        press(window.locator("a.language-switch"))
        window.wait_for_url(f"**/{wanted}.html*")
        assert window.url.endswith(f"{wanted}.html#{anchor}"), (
            f"{page}: from the section {anchor} the switch leads to {window.url}: "
            "see language-switch.js"
        )
        assert window.locator(f"[id='{anchor}']").locator("h2, h3").first.is_visible()


def test_the_switch_works_without_scripts_and_at_the_top(visit):
    for scripts in (False, True):
        window = visit(LESSON, java_script_enabled=scripts)
        window.locator("a.language-switch").click()
        window.wait_for_url(f"**/{twin_of(LESSON)}.html")


@pytest.mark.parametrize(
    ("locale", "stored", "path"),
    [
        ("ko-KR", None, "index.html"),
        ("en-GB", None, "index.html"),
        ("ko-KR", "en", "index.html"),
        ("en-GB", "ko", ""),
        ("fr-FR", None, ""),
        ("ko-KR", "en", "index.html?choose"),
    ],
)
def test_the_first_page_leads_to_the_reader_s_language(browser, address, locale, stored, path):
    with browser.new_context(locale=locale) as context:
        window = context.new_page()
        if stored:  # by the switch, on a page of the other language
            window.goto(f"{address}/{pages_of(OTHER[stored])[1]}.html")
            window.locator("a.language-switch").click()
            window.wait_for_url(f"**/{pages_of(stored)[1]}.html")
        window.goto(f"{address}/{path}")
        wanted = stored or locale.split("-")[0]
        if wanted in OTHER and "?" not in path:
            window.wait_for_url(f"**/{pages_of(wanted)[0]}.html")
            assert window.evaluate("document.visibilityState") == "visible"
        else:
            expect(window.locator(".door")).to_have_count(2)
            expect(window.locator(".door").first).to_be_visible()
            window.reload()
            assert window.url.startswith(f"{address}/{path}")


def test_the_first_page_shows_its_doors_without_scripts(browser, address):
    with browser.new_context(java_script_enabled=False, locale="ko-KR") as context:
        window = context.new_page()
        window.goto(f"{address}/")
        window.locator(".door a").first.click()
        window.wait_for_url(f"**/{pages_of('ko')[0]}.html")
        window.get_by_role("link", name="언어 고르기").click()
        window.wait_for_url("**/index.html?choose")


@both_languages
def test_folds_open(visit, page):
    window = visit(page)
    for fold in window.locator("details.hide").all():
        inside = fold.locator("pre").first
        assert not inside.is_visible(), f"{page}: a fold stands open"
        fold.locator("summary").click()
        assert inside.is_visible(), f"{page}: a fold does not open"


COVER = "e => getComputedStyle(e, '::after').content"
COVER_COLOUR = "e => getComputedStyle(e, '::after').backgroundColor"
TRANSPARENT = "rgba(0, 0, 0, 0)"


@both_languages
@pytest.mark.parametrize("scripts", [True, False])
def test_a_predict_card_covers_its_answer_until_a_choice_is_open(visit, page, scripts):
    window = visit(page, java_script_enabled=scripts, viewport=PHONE)
    say = keyed_words("predict_card", language_of(page))
    for card in window.locator(".predict:not(.question)").all():  # no figure asks it
        output = card.locator("xpath=following-sibling::*[1]").locator(".cell_output")
        assert output.evaluate(COVER) == f'"{say["cover"]}"', f"{page}: the answer lies open"
        assert output.evaluate(COVER_COLOUR) != TRANSPARENT, f"{page}: the answer shows through"
        for kind in ("wrong", "right"):
            choice = card.locator(f"details.{kind}").first
            expect(choice.locator("p").first).to_be_hidden()
            choice.locator("summary").focus()
            window.keyboard.press("Enter")
            expect(choice.locator("p").first).to_be_visible()
            expect(choice.locator("p").first).to_contain_text(say[kind])
        assert output.evaluate(COVER) == "none", f"{page}: the answer stays covered"


def test_the_theme_switch_darkens_page_and_pictures(visit, site):
    drawn = (page for page in NOTEBOOK_PAGES if soup_of(site, page).select("svg.picture rect"))
    window = visit(next(drawn), color_scheme="light")
    lane = window.locator("svg.picture rect").first

    def colours() -> list[str]:
        return [
            window.evaluate("getComputedStyle(document.body).backgroundColor"),
            lane.evaluate("e => getComputedStyle(e).fill"),
        ]

    light = colours()
    for _ in range(3):  # auto, light, dark
        window.locator("button.theme-switch-button:visible").click()
        if window.evaluate("document.documentElement.dataset.theme") == "dark":
            break
    window.wait_for_timeout(400)  # the colours fade
    for before, after in zip(light, colours(), strict=True):
        assert before != after, f"in the dark theme a colour stays {before}"


@both_languages
def test_the_launch_menu_opens_and_names_colab(visit, page):
    window = visit(page, viewport=PHONE)
    window.locator(".dropdown-launch-buttons > button").click()
    entry = window.locator(".dropdown-launch-buttons a")
    assert entry.is_visible(), f"{page}: the launch menu does not open"
    assert "Colab" in entry.inner_text()
    box = entry.bounding_box()
    inside = box["x"] >= 0 and box["x"] + box["width"] <= PHONE["width"]
    assert inside, f"{page}: the launch menu leaves the screen: {box}"


@pytest.mark.parametrize(
    ("language", "hint", "done"), [("ko", "복사", "복사했습니다"), ("en", "Copy", "Copied!")]
)
def test_the_copy_button_copies_the_code_and_speaks_the_language(visit, language, hint, done):
    window = visit(
        f"book/{language}/03-counter-pitfall", permissions=["clipboard-read", "clipboard-write"]
    )
    button = window.locator("button.copybtn").first
    expect(button).to_have_attribute("data-tooltip", hint)
    code = window.locator(".cell_input pre").first
    code.hover()
    button.click()
    expect(button).to_have_attribute("data-tooltip", done)
    assert window.evaluate("navigator.clipboard.readText()") == code.inner_text().strip()
