"""Pages as a reader prints them; the cheat sheet is one sheet of paper that holds all of its code.

Needs Chromium, as the other tests in a browser do.
"""

import io
import math
import re

import nbformat
import pytest
from playwright.sync_api import expect
from pypdf import PageObject, PdfReader

from tests.built_site import soup_of
from workshop.layout import LANGUAGES, ROOT, pages_of
from workshop.site.line_breaks import WORD_JOINER
from workshop.take_along.on_site import ONE_SHEET
from workshop.words import keyed_words

LEAST = 7.49  # points: 7.5 as a browser rounds it
each_paper = pytest.mark.parametrize("paper", ["A4", "Letter"])
each_language = pytest.mark.parametrize("language", LANGUAGES)


def bare(text: str) -> str:
    """Return a text without spaces and word joiners, which a PDF may call control characters."""
    return re.sub(rf"[\s\0-\x1f{WORD_JOINER}]", "", text)


def sheets(window, paper: str, margin: str = "0") -> list[PageObject]:
    """Print a page as the browser does."""
    sides = dict.fromkeys(("top", "right", "bottom", "left"), margin)
    return PdfReader(io.BytesIO(window.pdf(format=paper, margin=sides))).pages


def lines_on(sheet: PageObject) -> list[str]:
    """What stands on a sheet, line by line from the top, bare."""
    text = sheet.extract_text(extraction_mode="layout", layout_mode_space_vertically=False)
    return [bare(line) for line in text.split("\n") if bare(line)]


def sizes_on(sheet: PageObject) -> set[float]:
    """The sizes of letters on a sheet, in points, as they are drawn."""
    found = set()

    def look(text, drawn, placed, font, size):
        if bare(text):
            scale = math.hypot(drawn[2], drawn[3]) * math.hypot(placed[2], placed[3])
            found.add(size * scale)

    sheet.extract_text(visitor_text=look)
    return found


def code_of(language: str) -> list[str]:
    """The lines of code of the cheat sheet."""
    notebook = nbformat.read(ROOT / f"book/{language}/{ONE_SHEET}.ipynb", as_version=4)
    code = [cell.source for cell in notebook.cells if cell.cell_type == "code"]
    return [line for line in "\n".join(code).split("\n") if line]


@each_paper
@each_language
def test_the_cheat_sheet_is_one_sheet_of_paper(visit, site, language, paper):
    page = f"book/{language}/{ONE_SHEET}"
    first, *others = sheets(visit(page), paper)
    assert not others, f"{page} on {paper}: another sheet: {others[0].extract_text()[:80]!r}"
    lines, code = [bare(line) for line in first.extract_text().split("\n")], code_of(language)
    cut = [line for line in code if bare(line) not in lines]
    assert not cut, f"{page} on {paper}: cut, or longer than a line: {cut}"
    text, title = "".join(lines), bare(soup_of(site, page).h1.find(string=True))
    assert text.startswith(title) and text.endswith(bare(code[-1])), f"{page}: a frame is printed"
    assert text.count(title) == 1, f"{page}: the title is printed twice"
    for prose in soup_of(site, page).select("article section:not(#sources) > p:not(.part, .asked)"):
        assert bare(prose.get_text()) in text, f"{page} on {paper}: not printed: {prose}"
    assert min(sizes_on(first)) >= LEAST, f"{page} on {paper}: letters of {min(sizes_on(first))} pt"


@each_language
def test_no_line_of_the_sources_is_alone_on_the_last_sheet(visit, site, language):
    page = f"book/{language}/05-linear-regression"
    *_, last = sheets(visit(page), "A4", "12mm")
    assert bare(soup_of(site, page).select_one("#sources h2").find(string=True)) in bare(
        last.extract_text()
    )


@each_language
def test_a_heading_of_two_lines_stands_on_one_sheet(visit, site, language):
    page = f"book/{language}/symptoms"
    printed = [bare(sheet.extract_text()) for sheet in sheets(visit(page), "A4", "10mm")]
    headings = [heading.get_text() for heading in soup_of(site, page).select("article :is(h2, h3)")]
    parted = [
        heading
        for heading in headings
        if not any(bare(heading.removesuffix("#")) in text for text in printed)
    ]
    assert len(headings) > 30 and not parted, f"{page}: {parted}"


def test_a_page_in_the_dark_is_printed_from_the_light_theme(visit):
    window = visit(f"book/en/{ONE_SHEET}", color_scheme="dark")
    window.evaluate(
        "addEventListener('beforeprint', () => (window.printed = document.documentElement.dataset.theme))"
    )
    sheets(window, "A4")
    assert window.evaluate("printed") == "light"
    assert window.evaluate("document.documentElement.dataset.theme") == "dark"


@each_language
def test_columns_of_the_cheat_sheet_do_not_touch(visit, language):
    window = visit(f"book/{language}/{ONE_SHEET}", viewport={"width": 748, "height": 1077})
    window.emulate_media(media="print")
    least, within = window.evaluate(
        """() => {
            const text = cell => {
                const range = document.createRange();
                range.selectNodeContents(cell);
                return range.getBoundingClientRect();
            };
            const cells = [...document.querySelectorAll('article td + td')];
            const table = document.querySelector('article table').getBoundingClientRect();
            return [Math.min(...cells.map(cell => text(cell).left - text(cell.previousElementSibling).right)),
                    Math.max(...cells.map(cell => text(cell).right)) <= table.right];
        }"""
    )
    assert least >= 4 and within, f"{least:.1f} pixels between two columns"


@each_language
def test_the_state_map_is_its_map_on_a_sheet_and_lines_for_its_closed_squares(visit, language):
    say = keyed_words("state_map", language)
    window = visit(f"book/{language}/state-map")
    window.locator("details:has(> summary > b)").first.locator("summary").click()
    first, *others = sheets(window, "A4", "10mm")
    assert bare(f"– {say['none']}") in bare(first.extract_text()), "the legend is on another sheet"
    assert len(others) < 6, f"{len(others) + 1} sheets"
    text = bare("".join(sheet.extract_text() for sheet in others))
    assert text.count(bare("@jax.jit")) == 1, "no program of the open square, or another's"


@each_language
def test_solutions_come_after_all_questions_with_a_heading_each(visit, site, language):
    page = f"book/{language}/06-pytrees"
    text = "".join("".join(lines_on(sheet)) for sheet in sheets(visit(page), "A4", "10mm"))
    say = keyed_words("exercise", language)["solution"]
    last_task = soup_of(site, page).select("#exercise-3 > p:not(.exercise-link)")[-1].text
    order = [bare(last_task), *(bare(say.format(number=number)) for number in (1, 2, 3)), "Sources"]
    if language == "ko":
        order[-1] = "출처"
    places = [text.rindex(words) for words in order]
    assert places == sorted(places), f"{page}: {order} stand at {places}"
    assert places[1] < text.index("answer_1=") < places[2]


@each_language
def test_the_cover_on_paper_has_its_ways_in_and_nothing_of_its_reader(visit, address, language):
    window, cover = visit(f"book/{language}/03-counter-pitfall"), pages_of(language)[0]
    window.goto(f"{address}/{cover}.html")
    expect(window.locator(".way-on")).to_be_visible()
    window.emulate_media(media="print")
    expect(window.locator(".cover-doors a:visible")).to_have_count(3)
    expect(window.locator(":is(.way-on, .forget):visible")).to_have_count(0)
