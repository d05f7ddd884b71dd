"""Idioms side by side: what readers choose and light, on the page of one model in several idioms."""

import re
from types import SimpleNamespace

import pytest
from docutils import nodes
from docutils.frontend import get_default_settings
from docutils.parsers.rst import Parser
from docutils.utils import new_document
from playwright.sync_api import Locator, Page, expect
from sphinx.errors import ExtensionError

from tests.site_fixtures import DESK, PHONE, violations
from workshop.chapter.read import read_chapter
from workshop.layout import CHAPTERS, LANGUAGES
from workshop.side_by_side.on_site import Idioms

CHAPTER = "19-rosetta"
PROGRAMS = {  # the first stands in a section of its own, the others in one
    cell.metadata["idiom"]: cell.source.split("\n")
    for cell in read_chapter(CHAPTERS / CHAPTER).code
    if "idiom" in cell.metadata
}
ALONE, FIRST, *OTHERS = PROGRAMS
SCROLLING = (
    "[...document.querySelectorAll('side-by-side pre')].filter(e => e.scrollWidth > e.clientWidth)"
)
FORGET = "lines => lines.forEach(line => delete line.dataset.role)"
each_language = pytest.mark.parametrize("language", list(LANGUAGES))


def lit(window: Page) -> list[str]:
    """The lines that are lit and seen."""
    return [line.strip() for line in window.locator("side-by-side .lit:visible").all_inner_texts()]


def lines(role: str, *idioms: str) -> list[str]:
    """The lines of some idioms that end with the comment of a role."""
    found = [line.strip() for idiom in idioms for line in PROGRAMS[idiom]]
    return [line for line in found if role in line.rpartition("# ")[2].split(", ")]


def names(window: Page) -> list[str]:
    """The idioms that are seen."""
    seen = window.locator("side-by-side > [data-idiom]:visible").all()
    return [idiom.get_attribute("data-idiom") for idiom in seen]


def choices(window: Page) -> list[Locator]:
    """What chooses the idiom at the left and the one at the right."""
    return window.locator("side-by-side select").all()


def test_an_idiom_without_its_name_in_the_prose_is_refused():
    document = new_document("page", get_default_settings(Parser()))
    document.settings.env = SimpleNamespace(docname="book/en/17-page")
    document += (section := nodes.section())
    for name, prose in (("NNX", nodes.strong("", "NNX.")), ("Refs", nodes.Text("A Ref"))):
        section += nodes.paragraph("", "", prose)
        section += nodes.container(cell_metadata={"idiom": name})
    with pytest.raises(
        ExtensionError, match=r"17-page: idiom 'Refs': begin the prose above .*Refs"
    ):
        Idioms(document).apply()


@each_language
@pytest.mark.parametrize("theme", ["light", "dark"])
def test_lines_that_correspond_are_lit_in_both(visit, language, theme):
    window = visit(f"book/{language}/{CHAPTER}", viewport=DESK, color_scheme=theme)
    assert names(window) == [ALONE, FIRST]
    tops = [e.bounding_box()["y"] for e in window.locator("side-by-side .compared:visible").all()]
    assert tops[0] == tops[1]
    for side, model in ((".left", "def plain_apply("), (".right", "class LinenModel(")):
        expect(window.locator(f"side-by-side {side} .cell:not(.compared)")).to_contain_text(model)
    for role in ("make", "read", "write", "keep"):
        sides = [
            window.locator(f"{side} [data-role^={role}]").first for side in (".left", ".right")
        ]
        tops = [line.bounding_box()["y"] for line in sides]
        assert abs(tops[0] - tops[1]) < 1, f"lines that {role} stand at different heights"
    keep = window.get_by_role("button", name="# keep")
    keep.press("Enter")
    assert lit(window) == lines("keep", ALONE, FIRST)
    mark = "getComputedStyle(document.querySelector('.lit'), '::before').content"
    assert window.evaluate(mark) == '"▶"', "by colour alone"
    assert not violations(window, "side-by-side")
    window.locator(".left [data-role=make]").hover()
    assert lit(window) == lines("make", ALONE, FIRST)
    window.locator(".right [data-role=write]").click()
    expect(keep).to_have_attribute("aria-pressed", "false")
    assert lit(window) == lines("write", ALONE, FIRST)
    assert window.evaluate(f"{SCROLLING}.length") == 0
    assert not window.evaluate("document.documentElement.scrollWidth > innerWidth")


@each_language
def test_each_idiom_brings_its_prose_and_what_it_lacks_is_said(visit, language):
    window = visit(f"book/{language}/{CHAPTER}", viewport=DESK)
    idiom, other = choices(window)
    other.select_option("Refs")
    idiom.select_option("NNX")
    assert names(window) == ["NNX", "Refs"]
    for side, name in ((".left", "NNX"), (".right", "Refs")):
        bold = window.locator(f"side-by-side {side} p strong").first.inner_text().rstrip(".")
        assert name.startswith(bold)
    window.get_by_role("button", name="# keep").click()
    assert lit(window) == lines("keep", "NNX", "Refs")
    assert lit(window)[-1].endswith("# write, keep"), "a line with two roles"
    window.locator(".right [data-role=read]").evaluate_all(FORGET)
    window.get_by_role("button", name="# read").click()
    none = {"ko": "없음", "en": "no line"}[language]
    expect(window.locator("side-by-side").get_by_role("status")).to_contain_text(f"Refs: {none}")
    idiom.select_option("Refs")  # the other gives way
    assert names(window) == ["Refs", "NNX"]


def test_a_phone_shows_one_and_puts_line_above_line(visit):
    window = visit(f"book/en/{CHAPTER}", viewport=PHONE)
    choices(window)[0].select_option("Refs")
    assert names(window) == ["Refs"]
    expect(window.locator("side-by-side select:visible")).to_have_count(2)
    choices(window)[1].select_option("NNX")
    for place, role in enumerate(("make", "read", "write", "keep")):
        shown = window.locator(".by-line dd pre").all_inner_texts()[2 * place : 2 * place + 2]
        for name, text in zip(("Refs", "NNX"), shown, strict=True):
            assert text.split("\n") == [re.sub(r" +# .*", "", each) for each in lines(role, name)]
    choices(window)[1].select_option("Linen")
    whole = window.locator(".by-line dd pre").nth(3).inner_text()
    assert whole.split("\n")[::2] == ["output, updated = linen_model.apply(", ")"]
    assert not violations(window, "side-by-side")
    assert not window.evaluate("document.documentElement.scrollWidth > innerWidth")


@each_language
@pytest.mark.parametrize("script", [True, False])
def test_on_paper_and_without_script_all_stand_in_order(visit, language, script):
    window = visit(f"book/{language}/{CHAPTER}", java_script_enabled=script)
    if script:
        choices(window)[0].select_option("Refs")
        window.emulate_media(media="print")
        window.evaluate("dispatchEvent(new Event('beforeprint'))")
    assert names(window) == [FIRST, *OTHERS]
    shown = "\n".join(window.locator(".compared .cell_input pre:visible").all_inner_texts())
    made = [line.strip() for line in shown.split("\n") if line.endswith("# make")]
    assert made == lines("make", *PROGRAMS)
    expect(window.locator("side-by-side :is(select, button):visible")).to_have_count(0)
