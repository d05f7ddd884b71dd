"""What the reader does on the built site: switch, unfold, darken, launch.

Needs Chromium (Debian and Ubuntu: `apt-get install chromium`). Without it these tests are skipped
on a desk and fail where CI is set.
"""

from io import BytesIO

import pytest
from PIL import Image
from playwright.sync_api import expect

from tests.built_site import NOTEBOOK_PAGES, OTHER, soup_of, twin_of
from tests.site_fixtures import PHONE, press, uncover_answers
from workshop.layout import language_of, pages_of

LESSON = "book/ko/03-counter-pitfall"  # scripts and frame are the same on every page
both_languages = pytest.mark.parametrize("page", [LESSON, twin_of(LESSON)])


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


# The fonts that a page asked for, and whether the text stood there already.
TEXT_DRAWN = "() => performance.getEntriesByName('first-contentful-paint').length"
FONTS_ASKED_FOR = """() => {
    const [drawn] = performance.getEntriesByName("first-contentful-paint");
    return performance.getEntriesByType("resource")
        .filter(({ name }) => name.includes("hangul"))
        .map(({ name, startTime }) => [name.split("/").at(-1), startTime > drawn.startTime]);
}"""


@both_languages
def test_the_hangul_font_comes_after_the_text_and_on_later_pages_early(visit, page):
    window, korean = visit(page, anew=True), language_of(page) == "ko"
    preload = window.locator("link[rel='preload'][as='font']")
    for after_text in (True, False):
        window.wait_for_load_state("networkidle")
        window.wait_for_function(TEXT_DRAWN)  # by a busy machine, later
        fonts = [["hangul-core.woff2", after_text]] if korean else []
        assert window.evaluate(FONTS_ASKED_FOR) == fonts, "see theme-first.js"
        expect(preload).to_have_count(int(korean and not after_text))
        window.reload()


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
    window.locator(".tools-opener").click()
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
    assert window.evaluate("navigator.clipboard.readText()") == code.text_content().strip()


TOO_SMALL = """() => [...document.querySelectorAll(
        'button, summary, select, .bd-header-article a, .bd-sidebar-primary a, .bd-sidebar-secondary a')]
    .filter(e => e.checkVisibility({visibilityProperty: true}) && !e.closest('.tree, .skip-link'))
    .filter(e => e.getBoundingClientRect().height < 44 || e.getBoundingClientRect().width < 44)
    .map(e => [e.outerHTML.slice(0, 100), e.offsetWidth, e.offsetHeight])"""

OUTSIDE = """() => [...document.querySelectorAll('.bd-header-article :is(button, a)')]
    .filter(e => e.checkVisibility() && e.getBoundingClientRect().right > innerWidth)
    .map(e => e.outerHTML.slice(0, 100))"""


@both_languages
def test_a_finger_hits_what_can_be_pressed(visit, page):
    figures = page.replace("03-counter-pitfall", "11-flax-variables")
    for lesson in (page, figures):
        window = visit(lesson, viewport=PHONE, has_touch=True)
        window.locator("recorded-figure.plays").first.wait_for()
        assert not window.evaluate(TOO_SMALL), lesson
        assert not window.evaluate(OUTSIDE), lesson
        for opener in (".primary-toggle", ".secondary-toggle"):
            window.locator(f"{opener}:visible").click()
            dialog = window.locator("dialog[open]")
            expect(dialog).to_be_visible()
            assert not window.evaluate(TOO_SMALL), lesson
            window.keyboard.press("Escape")
            expect(dialog).to_have_count(0)


@both_languages
def test_contents_mark_the_section_that_is_read_and_a_line_how_far(visit, page):
    window = visit(page, viewport={"width": 1280, "height": 900})
    marked = window.locator("#pst-page-toc-nav a[aria-current=true]")
    sections = window.locator("article > section > section")
    places = [0, sections.count() // 2, sections.count() // 2 - 1, 1]  # jumps, down and up
    line = "getComputedStyle(document.querySelector('.bd-header-article'), '::after')"
    far = f"new DOMMatrix({line}.transform).a"
    assert window.evaluate(far) == 0
    for place in places:
        # Into the section: its heading is above the window.
        sections.nth(place).evaluate("e => scrollBy(0, e.getBoundingClientRect().top + 100)")
        expect(marked).to_have_attribute("href", f"#{sections.nth(place).get_attribute('id')}")
        share = "scrollY / (document.documentElement.scrollHeight - innerHeight)"
        assert abs(window.evaluate(far) - window.evaluate(share)) < 0.01


def test_plots_have_the_background_of_the_page(visit):
    for theme in ("light", "dark"):
        window = visit("book/en/05-linear-regression", color_scheme=theme)
        uncover_answers(window)
        plot = window.locator(".cell_output img").first
        plot.scroll_into_view_if_needed()
        window.wait_for_function("plot => plot.naturalWidth", arg=plot.element_handle())
        corner = Image.open(BytesIO(plot.screenshot())).convert("RGB").getpixel((4, 4))
        page = window.evaluate("getComputedStyle(document.body).backgroundColor")
        assert page == f"rgb{corner}", f"{theme}: the plot's corner is {corner}"


def test_print_cuts_nothing(visit):
    paper = {"width": 718, "height": 1000}  # A4 without its margins
    for page in (LESSON, "book/en/19-rosetta", "book/en/22-memory-and-devices"):
        window = visit(page, viewport=paper, color_scheme="dark")
        window.locator("[data-press=lines]").click()  # as the reader may have left it
        window.emulate_media(media="print")
        window.wait_for_timeout(100)
        cut = window.evaluate(
            """[...document.querySelectorAll('article *')].filter(e =>
                getComputedStyle(e).overflowX != 'visible' && e.scrollWidth > e.clientWidth + 1 &&
                e.checkVisibility() && !e.closest('.visually-hidden, svg'))
            .map(e => e.outerHTML.slice(0, 100))"""
        )
        assert not cut, f"{page}: {cut}"
