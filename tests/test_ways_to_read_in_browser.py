"""However the book is read: from a folder, by keyboard, on paper, without motion, while it loads.

The search from a folder is tested in test_search.py. A live box needs a server: test_live_box.py.
"""

from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, Request, expect

from tests.built_site import LANDING, twin_of
from tests.site_fixtures import note_faults, wait_for_fonts
from workshop.layout import language_of, pages_of

CHAPTER = "book/{}/03-counter-pitfall"
each_language = pytest.mark.parametrize("page", [CHAPTER.format("ko"), CHAPTER.format("en")])
SHIFTS = """() => {
    window.shift = 0;
    new PerformanceObserver(list => {
        for (const entry of list.getEntries()) if (!entry.hadRecentInput) shift += entry.value;
    }).observe({type: 'layout-shift', buffered: true});
}"""
MOST_SHIFT = 0.1  # what web.dev calls good: a share of the window times a share of its height
# Notes what the keyboard reaches, in turn, before the page moves anything for it.
WATCH_FOCUS = """() => {
    const reachable = 'a[href], button, input, select, textarea, summary, [tabindex="0"]';
    const name = e => e.outerHTML.slice(0, 120);
    const visited = [], disordered = [];
    document.addEventListener('focus', ({target}) => {
        const follows = Node.DOCUMENT_POSITION_FOLLOWING;
        if (visited.length && !(visited.at(-1).compareDocumentPosition(target) & follows))
            disordered.push(`out of order: ${name(target)}`);
        visited.push(target);
    }, true);
    window.keyboardReport = () => {
        const seen = new Set(visited), faults = disordered;
        for (const element of document.querySelectorAll(reachable))
            if (element.checkVisibility({visibilityProperty: true}) &&
                !element.disabled && !seen.has(element)) faults.push(`not reached: ${name(element)}`);
        return faults;
    };
}"""
HOW_FOCUS_LOOKS = """() => {
    const element = document.activeElement;
    if (element === document.body) return null;
    const box = element.getBoundingClientRect(), style = getComputedStyle(element);
    const faults = [];
    if (style.outlineStyle == 'none' || parseFloat(style.outlineWidth) < 2) faults.push('no outline');
    if (box.bottom < 1 || box.top > innerHeight - 1 || box.right < 1 || box.left > innerWidth - 1)
        faults.push('outside the window');
    return faults.map(fault => `${fault}: ${element.outerHTML.slice(0, 120)}`);
}"""
MOTION = """() => [...document.querySelectorAll('*')].flatMap(element =>
    [null, '::before', '::after'].flatMap(part => {
        const style = getComputedStyle(element, part);
        const longest = Math.max(...`${style.transitionDuration}, ${style.animationDuration}`
            .split(', ').map(text => parseFloat(text) || 0));
        return longest > 0.01 || style.scrollBehavior == 'smooth'
            ? [`${longest} s: ${element.outerHTML.slice(0, 100)}`] : [];
    }))"""
# What paper has no use for.
FRAME = "nav, header, footer, .bd-sidebar, .prev-next-area, button, .language-switch, .launch"
FRAME += ", details.hide > summary"


@each_language
def test_the_book_works_in_a_folder_without_a_server(site: Path, browser: Browser, page):
    faults = []

    def not_loaded(request: Request) -> None:
        if request.failure != "net::ERR_ABORTED":  # as when the reader goes on while it loads
            faults.append(f"not loaded ({request.failure}): {request.url}")

    with browser.new_context(color_scheme="light") as context:
        window = context.new_page()
        note_faults(window, faults, site.as_uri())
        window.on("requestfailed", not_loaded)
        window.goto(f"{(site / LANDING).as_uri()}.html?choose")
        window.locator(f".door a[href*='/{language_of(page)}/']").first.click()
        window.wait_for_url(f"**/{pages_of(language_of(page))[0]}.html")
        window.goto(f"{(site / page).as_uri()}.html")
        wait_for_fonts(window)
        fonts = window.evaluate(
            "[...document.fonts].some(f => f.status == 'loaded' && f.family.includes('Hangul'))"
        )
        assert fonts == (language_of(page) == "ko"), f"{page}: its font is loaded: {fonts}"
        fold = window.locator("details.hide").first
        fold.locator("summary").click()
        expect(fold.locator("pre").first).to_be_visible()
        window.locator("button.theme-switch-button:visible").click()
        expect(window.locator("html")).to_have_attribute("data-theme", "dark")
        window.locator("a.language-switch").click()
        window.wait_for_url(f"**/{twin_of(page)}.html*")
        expect(window.locator("html")).to_have_attribute("data-theme", "dark")
    assert not faults, f"{page}: " + "\n".join(faults)


@each_language
def test_the_keyboard_reaches_everything_in_order_and_shows_where(visit, page):
    window = visit(page, viewport={"width": 1280, "height": 900}, reduced_motion="reduce")
    window.wait_for_load_state("networkidle")
    window.evaluate(WATCH_FOCUS)
    faults = []
    most = window.locator("a, button, input, summary, [tabindex]").count() + 1
    for _ in range(most):
        window.keyboard.press("Tab")
        looks = window.evaluate(HOW_FOCUS_LOOKS)
        if looks is None:  # behind the last element: back to the window itself
            break
        faults += looks
    else:
        faults.append(f"the focus is trapped: after {most} times Tab the page has no end")
    faults += window.evaluate("keyboardReport()")
    assert not faults, f"{page}: " + "\n".join(faults)
    window.locator(".skip-link a").press("Enter")
    window.keyboard.press("Tab")
    expect(window.locator("article :focus")).to_have_count(1)


@each_language
def test_nothing_jumps_while_the_page_loads_and_is_read(visit, page):
    window = visit(page, lambda new: new.add_init_script(f"({SHIFTS})()"))
    window.wait_for_load_state("networkidle")
    for _ in range(int(window.evaluate("document.documentElement.scrollHeight / innerHeight"))):
        window.mouse.wheel(0, 700)
        window.evaluate(
            "new Promise(drawn => requestAnimationFrame(() => requestAnimationFrame(drawn)))"
        )
    shift = window.evaluate("shift")
    assert shift < MOST_SHIFT, f"{page}: the layout shifts by {shift:.3f}"


@each_language
def test_paper_gets_the_text_without_the_frame_around_it(visit, page):
    window = visit(page)
    window.emulate_media(media="print")
    frame = visible(window, FRAME)
    assert not frame, f"{page}: on paper stands {frame[:5]}"
    for printed in window.locator(".cell_output .output pre").all():
        expect(printed).not_to_have_css("padding-left", "0px")  # else it touches its bar
    for fold in window.locator("details.hide").all():
        assert fold.locator("pre").first.is_visible(), f"{page}: a fold hides text on paper"


def visible(window: Page, selector: str) -> list[str]:
    """Return the beginnings of the elements that are seen."""
    return window.locator(selector).evaluate_all(
        "all => all.filter(e => e.checkVisibility({visibilityProperty: true}) && e.clientHeight)"
        ".map(e => e.outerHTML.slice(0, 120))"
    )


@each_language
def test_nothing_moves_where_less_motion_is_asked_for(visit, page):
    window = visit(page, reduced_motion="reduce")
    window.wait_for_load_state("networkidle")
    moving = window.evaluate(MOTION)
    assert not moving, f"{page}: {moving[:5]}"
