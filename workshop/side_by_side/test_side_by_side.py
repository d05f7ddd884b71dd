"""Idioms side by side: what readers choose and light, on a page of three small idioms."""

import os
import subprocess
import sys
from pathlib import Path

import nbformat
import pytest
from playwright.sync_api import Page, expect

from tests.site_fixtures import served, violations
from tests.small_chapter import HEADER, code, pair
from workshop.chapter.notebook import notebook_in
from workshop.chapter.read import parse
from workshop.layout import BOOK, LANGUAGES, ROOT

STEP = '''
def step(state: dict[str, int], data: tuple[int, int], name: str) -> dict[str, int]:
    """Return the next state,
    whatever the data."""
    return state | {name: sum(state[key] * value for key, value in data)}  # write
'''
CHAPTER = HEADER + "".join((
    pair("# 17. 세 방식", "# 17. Three idioms"),
    pair('## 첫째 <a id="one"></a>\n\n글', '## The first <a id="one"></a>\n\nText'),
    code(f"state = {{}}  # make\n{STEP}\nstate = step(state, [], 'raw')  # keep", "idiom: raw pytrees"),
    pair('## 나머지 <a id="two"></a>\n\n들어가며', '## The others <a id="two"></a>\n\nAn opening'),
    pair("**Flax NNX**의 모듈", "**Flax NNX.** A module"),
    code("model = None"),
    pair("모듈의 스텝", "Its step"),
    code(f"model = {{}}  # make\n{STEP}\n\nmodel |= step(model, [], 'nnx')  # keep", "idiom: Flax NNX"),
    pair("그 뒤의 글", "Behind it"),
    pair("**Ref**의 글", "**Refs.** A Ref"),
    code(f"refs = {{}}  # make{STEP}\nrefs.update(step(refs, [], 'ref'))  # write, keep", "idiom: Refs"),
    pair('## 끝 <a id="end"></a>\n\n맺는 글', '## The end <a id="end"></a>\n\nLast words'),
))  # fmt: skip
CONF = f"""
extensions = ["myst_nb", "sphinx_copybutton", "workshop.site.anchors", "workshop.site.code_lines", "workshop.site.script_words", "workshop.side_by_side.on_site"]
html_theme, root_doc, nb_execution_mode = "sphinx_book_theme", "book/en/17-idioms", "off"
html_static_path = [{str(ROOT / "workshop/site/static")!r}, {str(Path(__file__).parent / "static")!r}]
html_css_files, html_favicon = ["book.css"], {str(ROOT / "workshop/site/static/favicon.svg")!r}
html_context = {{"default_mode": "auto"}}


def setup(app):
    speak = lambda app, page, template, context, doctree: context.update(language=page[5:7])
    app.connect("html-page-context", speak)
"""
WIDE, PHONE = {"width": 1280, "height": 900}, {"width": 390, "height": 844}
SCROLLING = "[...document.querySelectorAll('pre')].filter(e => e.scrollWidth > e.clientWidth)"
each_language = pytest.mark.parametrize("language", list(LANGUAGES))


def build(folder: Path, text: str) -> subprocess.CompletedProcess:
    """Build the pages of a chapter into `html` of a folder."""
    chapter = parse(text, BOOK / "chapters/17-idioms.md")
    for language in LANGUAGES:
        notebook = notebook_in(chapter, language)
        nbformat.validate(notebook)
        for cell in notebook.cells:
            if cell.metadata.get("idiom"):
                cell.outputs = [nbformat.v4.new_output("stream", text="0.49645 0.25778\n")]
        file = folder / f"book/{language}/17-idioms.ipynb"
        file.parent.mkdir(parents=True)
        nbformat.write(notebook, file)
    (folder / "conf.py").write_text(CONF, "utf8")
    command = [sys.executable, "-m", "sphinx", "-q", str(folder), str(folder / "html")]
    environment = os.environ | {"PYTHONPATH": str(ROOT)}
    return subprocess.run(command, env=environment, capture_output=True, text=True, check=False)


@pytest.fixture(scope="module")
def address(tmp_path_factory):
    """Serve the pages of the chapter."""
    folder = tmp_path_factory.mktemp("idioms")
    run = build(folder, CHAPTER)
    assert run.returncode == 0, run.stderr
    with served(folder / "html") as address:
        yield address


def lit(window: Page) -> list[str]:
    """The lines that are lit and seen."""
    return [line.strip() for line in window.locator(".lit:visible").all_inner_texts()]


def names(window: Page) -> list[str]:
    """The idioms that are seen."""
    seen = window.locator("side-by-side > [data-idiom]:visible").all()
    return [idiom.get_attribute("data-idiom") for idiom in seen]


def test_an_idiom_without_its_name_in_the_prose_is_refused(tmp_path):
    run = build(tmp_path, CHAPTER.replace("**Refs.** A Ref", "A Ref"))
    assert "idiom 'Refs': begin the prose above its cell with **Refs**" in run.stderr


@each_language
@pytest.mark.parametrize("theme", ["light", "dark"])
def test_lines_that_correspond_are_lit_in_both(visit, language, theme):
    window = visit(f"book/{language}/17-idioms", viewport=WIDE, color_scheme=theme)
    assert names(window) == ["raw pytrees", "Flax NNX"]
    tops = [e.bounding_box()["y"] for e in window.locator("side-by-side .compared:visible").all()]
    assert tops[0] == tops[1]
    keep = window.get_by_role("button", name="# keep")
    keep.press("Enter")
    lines = ["state = step(state, [], 'raw')  # keep", "model |= step(model, [], 'nnx')  # keep"]
    assert lit(window) == lines
    mark = "getComputedStyle(document.querySelector('.lit'), '::before').content"
    assert window.evaluate(mark) == '"▶"', "by colour alone"
    assert not violations(window, "side-by-side")
    window.locator(".left [data-role=make]").hover()
    assert [line[-6:] for line in lit(window)] == ["# make"] * 2
    window.locator(".right [data-role=write]").click()
    expect(keep).to_have_attribute("aria-pressed", "false")
    assert [line[-7:] for line in lit(window)] == ["# write"] * 2
    assert window.evaluate(f"{SCROLLING}.filter(e => e.closest('side-by-side')).length") == 0
    assert not window.evaluate("document.documentElement.scrollWidth > innerWidth")


@each_language
def test_each_idiom_brings_its_prose_and_what_it_lacks_is_said(visit, language):
    window = visit(f"book/{language}/17-idioms", viewport=WIDE)
    idiom, other = window.locator("side-by-side select").all()
    other.select_option("Refs")
    idiom.select_option("Flax NNX")
    assert names(window) == ["Flax NNX", "Refs"]
    said = {"ko": ("모듈의 스텝", "그 뒤의 글", "없음"), "en": ("Its step", "Behind it", "no line")}
    for text in said[language][:2]:
        expect(window.locator("side-by-side .left")).to_contain_text(text)
    window.get_by_role("button", name="# keep").click()
    assert lit(window)[-1].endswith("# write, keep"), "a line with two roles"
    window.get_by_role("button", name="# read").click()
    expect(window.get_by_role("status")).to_contain_text(f"Refs: {said[language][2]}")
    idiom.select_option("Refs")  # the other gives way
    assert names(window) == ["Refs", "Flax NNX"]


def test_a_phone_shows_one(visit):
    window = visit("book/en/17-idioms", viewport=PHONE)
    window.locator("side-by-side select").first.select_option("Refs")
    assert names(window) == ["Refs"]
    expect(window.locator("side-by-side select:visible")).to_have_count(1)
    assert not violations(window, "side-by-side")
    assert not window.evaluate("document.documentElement.scrollWidth > innerWidth")


@each_language
@pytest.mark.parametrize("script", [True, False])
def test_on_paper_and_without_script_all_stand_in_order(visit, language, script):
    window = visit(f"book/{language}/17-idioms", java_script_enabled=script)
    if script:
        window.locator("side-by-side select").first.select_option("Refs")
        window.emulate_media(media="print")
        window.evaluate("dispatchEvent(new Event('beforeprint'))")
    assert names(window) == ["Flax NNX", "Refs"]
    seen = window.locator("article").inner_text()
    prose = {
        "ko": ("들어가며", "모듈의 스텝", "그 뒤의 글", "맺는 글"),
        "en": ("An opening", "Its step", "Behind it", "Last words"),
    }[language]
    order = (
        "state = {}",
        prose[0],
        "model = None",
        prose[1],
        "model = {}",
        prose[2],
        "refs = {}",
        prose[3],
    )
    places = [seen.find(text) for text in order]
    assert -1 not in places
    assert places == sorted(places)
    assert seen.count("# make") == 3
    expect(window.locator("side-by-side :is(select, button):visible")).to_have_count(0)
