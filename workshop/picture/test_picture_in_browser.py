"""What the reader sees of pictures: the form for the screen, letters to read, the theme's colours."""

import re

import pytest
from playwright.sync_api import expect

from tests.site_fixtures import DESK, PHONE, uncover_answers, violations
from workshop.chapter.read import read_chapter
from workshop.layout import CHAPTERS, LANGUAGES, chapter_paths

READABLE = 12  # pixels on the screen
SCREENS = {"desk": DESK, "phone": PHONE}
SHOWN = [
    f"book/{language}/{path.stem}"
    for path in chapter_paths()
    if any(not figure.is_recorded for figure in read_chapter(path).figures)
    for language in LANGUAGES
]
# Of each drawing in sight: its classes, its smallest letter in pixels of the screen, whether the reader
# sees a part of it only, and the texts that leave the drawing or cross the edge of a box, as only the
# number on a badge may.
LOOKED_AT = """() => [...document.querySelectorAll('svg.picture')].filter(e => e.checkVisibility()).map(svg => {
    const frame = svg.parentElement, whole = svg.getBoundingClientRect();
    const scale = whole.width / svg.viewBox.baseVal.width;
    const letters = [...svg.querySelectorAll('text, tspan')];
    const inside = (a, b) => a.left >= b.left && a.right <= b.right && a.top >= b.top && a.bottom <= b.bottom;
    const apart = (a, b) => a.left >= b.right || a.right <= b.left || a.top >= b.bottom || a.bottom <= b.top;
    const boxes = [...svg.querySelectorAll('rect.box, rect.lane')].map(e => e.getBoundingClientRect());
    const lies = text => { const place = text.getBoundingClientRect(), middle = place.height / 3;
        const line = {left: place.left, right: place.right, top: place.top + middle, bottom: place.bottom - middle};
        return inside(line, whole) && boxes.every(box => inside(line, box) || apart(line, box)); };
    return {name: svg.getAttribute('class'),
        letter: Math.min(...letters.map(e => parseFloat(getComputedStyle(e).fontSize))) * scale,
        cut: frame.scrollWidth > frame.clientWidth || whole.left < 0 || whole.right > innerWidth,
        lost: [...svg.querySelectorAll('text:not(.number)')].filter(e => !lies(e)).map(e => e.textContent)};
})"""


@pytest.mark.parametrize("page", SHOWN)
@pytest.mark.parametrize("screen", SCREENS)
def test_each_letter_can_be_read_and_stands_in_its_place(visit, page, screen):
    window = visit(page, viewport=SCREENS[screen])
    uncover_answers(window)
    seen = window.evaluate(LOOKED_AT)
    assert len(seen) == window.locator("figure.picture").count(), f"{page}: two forms, or none"
    for drawing in seen:
        here = f"{page} on a {screen}: {drawing['name']}"
        assert drawing["letter"] >= READABLE, f"{here}: letters of {drawing['letter']:.1f} pixels"
        assert not drawing["cut"], f"{here}: cut; draw NAME-narrow.svg"
        assert not drawing["lost"], f"{here}: out of place: {drawing['lost']}"
        other = {"phone": " wide ", "desk": " narrow "}[screen]
        assert other not in f"{drawing['name']} ", f"{here}: the other form"


@pytest.mark.parametrize("language", LANGUAGES)
def test_captions_have_numbers_and_a_link_leads_to_one(visit, language):
    window = visit(f"book/{language}/03-counter-pitfall")
    uncover_answers(window)
    captions = window.locator("figure.picture figcaption").all_inner_texts()
    word = {"ko": "그림", "en": "Figure"}[language]
    drawn = [f for f in read_chapter(CHAPTERS / "03-counter-pitfall").figures if not f.is_recorded]
    for figure, caption in zip(drawn, captions, strict=True):
        assert caption.startswith(f"{word} {figure.number}. "), caption
    link = window.locator("article a[href^='#figure-']").first
    link.click()
    expect(window.locator(f"figure.picture{link.get_attribute('href')}")).to_be_in_viewport()


@pytest.mark.parametrize("language", LANGUAGES)
def test_captions_of_plots_look_as_those_of_pictures(visit, language):
    window = visit(f"book/{language}/16-nnx")
    numbers = window.locator("article strong", has_text=re.compile(r"^(그림|Figure) [\d.]+\.$"))
    looks = numbers.locator("..").evaluate_all(
        "all => all.map(getComputedStyle).map(style => style.fontSize + style.color)"
    )
    assert len(looks) == 4 and len(set(looks)) == 1, looks


@pytest.mark.parametrize(("language", "look"), [("ko", "dark"), ("en", "light")])
@pytest.mark.parametrize("screen", SCREENS)
def test_axe_finds_nothing(visit, language, look, screen):
    page = f"book/{language}/03-counter-pitfall"
    window = visit(page, viewport=SCREENS[screen], color_scheme=look)
    uncover_answers(window)
    assert not violations(window, "figure.picture")
