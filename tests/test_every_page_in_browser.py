"""What must hold on every page, found out in one visit to each.

The site is served below a path, as GitHub Pages does, and under a strict Content-Security-Policy:
nothing inline, no other host. Each page is opened once by a browser that asks for less motion, seen by
axe-core on a desktop in the light and in the dark theme, and measured on a phone. On a phone axe
sees one page of each kind, since all have the same frame and styles.
"""

import gzip
import itertools
import re
from collections import defaultdict
from dataclasses import dataclass, field
from pathlib import Path
from urllib.parse import unquote, urlsplit

import axe_playwright_python
import pytest
from fontTools.ttLib import TTFont
from playwright.sync_api import Browser, Page

from tests.built_site import (
    ALL_PAGES,
    LANDING,
    NOTEBOOK_PAGES,
    OTHER,
    PAGES,
    SEARCH_PAGES,
    file_of,
    soup_of,
)
from tests.site_fixtures import DESK, PHONE, note_faults, served, uncover_answers, wait_for_fonts
from workshop.layout import language_of, pages_of

SUB_PATH = "/an/under/path"
POLICY = "default-src 'self'"  # the whole of it: the site needs no exception
SIZES = {"desktop": DESK, "phone": PHONE}
AXE = (Path(axe_playwright_python.__file__).parent / "axe.min.js").read_text("utf8")
# What makes pages differ in kind: axe sees the first page that has it, in each language, on a phone.
KINDS = (".predict", "recorded-figure", "live-box", "side-by-side", ".exercise-link", "#last-run")
KINDS += ("table", "svg.picture", "img", "dl", "blockquote", ".tag_raises-exception")
HANGUL = re.compile("[가-힣]")
LATIN_WORD = re.compile("[A-Za-z]{2,}")
# What an interface in Korean may show without a Korean word.
NAMES = {"English", "Ctrl", ".ipynb", ".pdf", ".md"}
TEXT = {".html", ".css", ".js", ".svg", ".json"}  # what a server sends compressed
# Bytes over the wire: of a first visit, and of a page that follows it.
COLD = {"ko": 300_000, "en": 150_000, None: 150_000}
NEXT = 42 * 1024

# The theme looks a moment after a resize for what scrolls, and lets the keyboard reach it.
AT_REST = """width => innerWidth == width &&
    !document.getAnimations().some(each => each.timeline == document.timeline) &&
    [...document.querySelectorAll('pre, .pst-scrollable-table-container')].every(
        element => element.scrollWidth <= element.clientWidth || element.tabIndex == 0)"""
# Contrast takes axe long. It hangs on the colour, size and weight of a text and on what lies behind:
# of all texts that are alike in these, on whichever page, axe looks at the first one. All other rules
# see every page whole.
CONTRAST = """known => {
    const behind = new Map(), seen = new Set(known), firsts = new Map();
    const groundOf = e => {
        if (!e) return '';
        if (!behind.has(e)) {
            const s = getComputedStyle(e), own = [s.backgroundColor, s.backgroundImage, s.opacity];
            const opaque = /^rgb\\(/.test(s.backgroundColor) && s.opacity == 1;
            behind.set(e, own + (opaque ? '' : groundOf(e.parentElement)));
        }
        return behind.get(e);
    };
    for (const element of document.querySelectorAll('body *')) {
        if (![...element.childNodes].some(n => n.nodeType == Node.TEXT_NODE && n.data.trim())) continue;
        if (!element.checkVisibility()) continue;
        const {color, fill, fontSize, fontWeight, position} = getComputedStyle(element);
        const drawing = element.closest('svg')?.getAttribute('class') ?? '';
        const kind = [color, fill, fontSize, fontWeight, position, drawing, groundOf(element)].join();
        if (!seen.has(kind) && !firsts.has(kind)) firsts.set(kind, element);
    }
    return [{include: [...firsts.values()]}, {runOnly: ['color-contrast']}, [...firsts.keys()]];
}"""
ALL_ELSE = "() => [document, {rules: {'color-contrast': {enabled: false}}}, []]"
RUN_AXE = """async known => {
    const [where, what, kinds] = (%s)(known);
    if (where.include?.length == 0) return [[], []];
    const results = await axe.run(where, {preload: false, resultTypes: ['violations'], ...what});
    return [results.violations.map(v => `${v.id}: ${v.help}: ` + v.nodes.slice(0, 3).map(
        n => `${n.html.slice(0, 160)} ${n.any[0]?.message ?? ''}`).join(' | ')), kinds];
}"""
# The colours of code hang on the kind of a word alone: one word of each kind stands for all.
THIN_OUT = """() => {
    const seen = new Set();
    for (const pre of document.querySelectorAll('pre')) {
        pre.style.backgroundImage = 'none';  // the shades at its edges hide the background
        const place = pre.closest('.cell_output') ? 'output' : 'input';
        for (const word of pre.querySelectorAll('span:not(.line, .passed)')) {
            const kind = place + word.className;
            if (seen.has(kind)) word.replaceWith(...word.childNodes);
            seen.add(kind);
        }
        pre.normalize();
    }
}"""
TOO_WIDE = """() => {
    const wide = [...document.querySelectorAll('article *, .bd-header-article *')]
        .filter(e => e.getBoundingClientRect().right > innerWidth + 1)
        .filter(e => {
            for (let p = e.parentElement; p; p = p.parentElement)
                if (getComputedStyle(p).overflowX != 'visible') return false;
            return true; })
        .map(e => e.outerHTML.slice(0, 120));
    if (document.documentElement.scrollWidth > innerWidth) wide.push('the whole page');
    return wide;
}"""
# Code in tables whose letters part inside a word.
TORN = """() => [...document.querySelectorAll('article td code')].flatMap(code => {
    const torn = [], range = document.createRange();
    const letters = document.createTreeWalker(code, NodeFilter.SHOW_TEXT);
    let last = null;
    while (letters.nextNode()) [...letters.currentNode.data].forEach((letter, i) => {
        range.setStart(letters.currentNode, i);
        range.setEnd(letters.currentNode, i + 1);
        const box = range.getBoundingClientRect();
        if (letter == ' ') last = null;
        if (!box.width || letter == ' ') return;
        if (last && box.top > last.top + 8 && /\\w/.test(last.letter) && /[a-zA-Z0-9]/.test(letter) &&
            last.letter != '_') torn.push(code.textContent);
        last = {top: box.top, letter};
    });
    return torn;
})"""
# Code and tables that scroll sideways, and on a desktop anything in the text that does.
SCROLLS = """on => [...document.querySelectorAll(
        on == 'desktop' ? 'article *' : 'article :is(pre, .pst-scrollable-table-container)')]
    .filter(e => getComputedStyle(e).overflowX == 'auto' && e.scrollWidth > e.clientWidth)
    .map(e => e.outerHTML.slice(0, 120))"""
# The words of the site's frame; in the text only those of what can be pressed.
INTERFACE = """() => {
    const said = new Set();
    const names = ['title', 'aria-label', 'placeholder', 'data-bs-title', 'data-tooltip'];
    const skipped = 'script, style, noscript, code, code *, pre, pre *, svg, svg *, math *, .tree *, ' +
        '.toc-entry *';
    for (const element of document.querySelectorAll(`body *:not(${skipped})`)) {
        for (const name of names)
            if (element.getAttribute(name)) said.add(element.getAttribute(name));
        if (!element.matches('article *') || element.matches('button, summary, summary *, button *'))
            for (const node of element.childNodes)
                if (node.nodeType == Node.TEXT_NODE) said.add(node.data.trim());
    }
    return [...said];
}"""
# Words with Hangul whose letters stand on two lines though one line would hold them, together
# with the space around a piece of code.
BROKEN_WORDS = """() => {
    const broken = [], range = document.createRange();
    for (const block of document.querySelectorAll('article :is(p, li, h1, h2, h3, td, th)')) {
        if (block.querySelector('p, li, ul, table, pre, math, .katex')) continue;
        const style = getComputedStyle(block), padding = parseFloat(style.paddingLeft) * 2;
        const walker = document.createTreeWalker(block, NodeFilter.SHOW_TEXT);
        let word = '', width = 0, last = null, torn = false;
        const finish = () => {
            if (torn && width < block.clientWidth - padding) broken.push(word);
            word = ''; width = 0; last = null; torn = false;
        };
        while (walker.nextNode()) {
            const text = walker.currentNode, code = text.parentElement.closest('code');
            if (code) width += 2 * parseFloat(getComputedStyle(code).paddingLeft);
            for (let i = 0; i < text.length; i++) {
                if (/\\s/.test(text.data[i])) { finish(); continue; }
                range.setStart(text, i); range.setEnd(text, i + 1);
                const box = range.getBoundingClientRect();
                word += text.data[i]; width += box.width;
                if (!box.width) continue;
                const breaks = last && box.top > last.top + 8;
                if (breaks && /[가-힣]/.test(text.data[i]) &&
                    (last.code || /[가-힣’”)\\]%…]/.test(last.letter))) torn = true;
                last = {top: box.top, letter: text.data[i], code};
            }
        }
        finish();
    }
    return broken;
}"""
LINE_LENGTHS = """() => [...document.querySelectorAll('article :is(section, .answer) > p')].flatMap(p => {
    const height = p.getBoundingClientRect().height;
    const count = Math.round(height / parseFloat(getComputedStyle(p).lineHeight));
    return count > 3 ? [p.innerText.length / (count - 0.5)] : [];
})"""

on_one_worker = pytest.mark.xdist_group("visits")  # which visits each page once


@dataclass
class Visit:
    """What one visit to a page found."""

    files: set[str] = field(default_factory=set)
    faults: list[str] = field(default_factory=list)
    too_wide: list[str] = field(default_factory=list)
    scrolls: dict[str, list[str]] = field(default_factory=dict)
    torn_code: dict[str, list[str]] = field(default_factory=dict)
    violations: dict[str, list[str]] = field(default_factory=dict)
    interface: list[str] = field(default_factory=list)
    broken_words: list[str] = field(default_factory=list)
    line_lengths: list[float] = field(default_factory=list)


def paint(window: Page, theme: str) -> None:
    """Switch the theme where the page stands."""
    window.evaluate(
        "t => Object.assign(document.documentElement.dataset, {mode: t, theme: t})", theme
    )


def one_of_each_kind(site: Path) -> set[str]:
    """The pages that axe sees on a phone, too."""
    found = {LANDING, *SEARCH_PAGES}
    for pages, kind in itertools.product(map(pages_of, OTHER), KINDS):
        found |= {next(page for page in pages if soup_of(site, page).select(kind))}
    return found


def look_at(
    window: Page,
    faults: list[str],
    known: defaultdict[str, list],
    address: str,
    page: str,
    *,
    on_a_phone: bool,
) -> Visit:
    """Open a page and note all that the tests below ask for.

    `faults` is what the window notes; `known` holds the kinds of text whose contrast was judged, by
    view, and gets this page's. `on_a_phone` says whether axe sees this page on a phone, too.
    """
    seen = Visit()
    faults.clear()
    window.set_viewport_size(SIZES["desktop"])
    window.goto(f"{address}/{file_of(page)}", wait_until="networkidle")
    uncover_answers(window)
    wait_for_fonts(window)
    loaded = window.evaluate("performance.getEntriesByType('resource').map(entry => entry.name)")
    seen.files = {unquote(urlsplit(url).path)[len(SUB_PATH) + 1 :] for url in loaded} | {
        f"{page}.html"
    }
    seen.interface = window.evaluate(INTERFACE)
    seen.line_lengths = window.evaluate(LINE_LENGTHS)
    seen.faults = faults.copy()
    window.evaluate(AXE)
    window.evaluate(THIN_OUT)
    for size, viewport in SIZES.items():
        window.set_viewport_size(viewport)
        window.wait_for_function(AT_REST, arg=viewport["width"])
        seen.scrolls[size] = window.evaluate(SCROLLS, size)
        seen.torn_code[size] = window.evaluate(TORN)
        if size == "phone" and not on_a_phone:
            continue
        seen.violations[size], _ = window.evaluate(RUN_AXE % ALL_ELSE)
        for theme in ("light", "dark"):
            paint(window, theme)
            window.wait_for_function(AT_REST, arg=viewport["width"])
            view = f"{size}, {theme}"
            seen.violations[view], kinds = window.evaluate(RUN_AXE % CONTRAST, known[view])
            known[view] += kinds
    seen.broken_words = window.evaluate(BROKEN_WORDS)
    seen.too_wide = window.evaluate(TOO_WIDE)
    return seen


@pytest.fixture(scope="module")
def visits(site: Path, browser: Browser) -> dict[str, Visit]:
    """Visit every page once, those of a language in a window of their own.

    Among the files of an English page Chromium else counts a font that a Korean page left in memory.
    """
    seen, faults, known, by_language = {}, [], defaultdict(list), defaultdict(list)
    on_a_phone = one_of_each_kind(site)
    for page in ALL_PAGES:
        by_language[language_of(page)].append(page)
    with served(site, SUB_PATH, POLICY) as address:
        for pages in by_language.values():
            with browser.new_context(reduced_motion="reduce") as context:
                window = context.new_page()
                note_faults(window, faults, f"{address}/")
                window.on("requestfailed", lambda r: faults.append(f"not loaded: {r.url}"))
                window.on(
                    "response", lambda r: r.status >= 400 and faults.append(f"{r.status}: {r.url}")
                )
                for page in pages:
                    seen[page] = look_at(
                        window, faults, known, address, page, on_a_phone=page in on_a_phone
                    )
    return seen


@on_one_worker
def test_nothing_fails_and_no_other_host_is_asked(visits):
    faults = {page: visit.faults for page, visit in visits.items() if visit.faults}
    assert not faults, f"below {SUB_PATH} under {POLICY!r}: {faults}"


@on_one_worker
def test_nothing_is_wider_than_a_phone(visits):
    wide = {page: visit.too_wide for page, visit in visits.items() if visit.too_wide}
    assert not wide, f"let it wrap or scroll: {wide}"


def in_each_view(visits: dict[str, Visit], what: str) -> dict[str, list[str]]:
    """Return what was found on each page in each size or theme, where anything was."""
    found = {
        f"{page}, {view}": each
        for page, visit in visits.items()
        for view, each in getattr(visit, what).items()
    }
    return {place: faults for place, faults in found.items() if faults}


@on_one_worker
def test_code_is_seen_whole(visits):
    found = in_each_view(visits, "scrolls")
    assert not found, f"let it wrap, see book.css and tables.py: {found}"


@on_one_worker
def test_code_in_tables_breaks_between_words(visits):
    found = in_each_view(visits, "torn_code")
    assert not found, f"see tables.py: {found}"


@on_one_worker
def test_everybody_can_read_every_page(visits):
    found = in_each_view(visits, "violations")
    assert not found, "axe-core finds:\n" + "\n".join(f"{k}: {v}" for k, v in found.items())


@on_one_worker
def test_the_interface_speaks_the_language_of_the_page(visits):
    for page, visit in visits.items():
        if language_of(page) == "ko" or page == "search-ko":
            foreign = {t for t in visit.interface if LATIN_WORD.search(t) and not HANGUL.search(t)}
            foreign -= NAMES
        elif page == LANDING:
            continue
        else:
            foreign = {t for t in visit.interface if HANGUL.search(t)} - {"한국어"}
        assert not foreign, f"{page}: {foreign}: see workshop/site/words.yml"


@on_one_worker
def test_no_korean_word_is_torn(visits):
    torn = {page: visits[page].broken_words for page in PAGES if visits[page].broken_words}
    assert not torn, f"see line_breaks.py: {torn}"


def weight(site: Path, file: str) -> int:
    """Return the bytes that a server sends for a file."""
    content = (site / file).read_bytes()
    return len(gzip.compress(content, 6)) if Path(file).suffix in TEXT else len(content)


@on_one_worker
def test_pages_are_lean(site, visits, measured):
    rows, heavy = [], []
    for page, visit in visits.items():
        language = language_of(page)
        # A reader comes by the cover and one chapter, here the tour.
        first = pages_of(language)[:2] if language else [LANDING]
        cold = sum(weight(site, file) for file in visit.files)
        loaded = set().union(*(visits[before].files for before in first))
        following = sum(weight(site, file) for file in visit.files - loaded)
        limit = NEXT if page in PAGES else cold
        rows.append(f"  {page:<36}{cold / 1000:8.0f}{following / 1000:8.0f}{len(visit.files):6}")
        index = sum(weight(site, file) for file in visit.files if "search-index" in file)
        if cold - index > COLD[language] or (page not in first and following > limit):
            heavy.append(page)
    measured("\n".join(["  over gzip, KB                           cold    next files", *rows]))
    assert not heavy, f"past the budget (does a page need `make font`?): {heavy}"


@on_one_worker
def test_ordinary_pages_load_no_search_index_and_english_ones_no_hangul(visits):
    for page, visit in visits.items():
        names = {Path(file).name for file in visit.files}
        if not page.startswith("search"):
            assert not {name for name in names if "index-" in name or "fontawesome" in name}, page
        fonts = {name for name in names if name.endswith(".woff2")}
        if page in pages_of("ko") or page == "search-ko":
            # The two others are for text written after `make font`.
            core, others = {"hangul-core.woff2"}, {"hangul-often.woff2", "hangul-rest.woff2"}
        else:
            core, others = {"text.woff2"}, {"text-italic.woff2"}
        assert core <= fonts <= core | others | {"code.woff2"}, f"{page} loads the fonts {fonts}"


def test_the_font_has_every_syllable_of_the_book(site):
    fonts = [TTFont(site / f"_static/hangul-{part}.woff2") for part in ("core", "often", "rest")]
    has = {chr(code) for font in fonts for code in font.getBestCmap()}
    for page in pages_of("ko"):
        lacks = set(HANGUL.findall((site / f"{page}.html").read_text("utf8"))) - has
        assert not lacks, f"{page}: the font lacks {lacks}: run `make font`"


@on_one_worker
@pytest.mark.parametrize(("language", "least", "most"), [("ko", 30, 54), ("en", 55, 75)])
def test_lines_are_as_long_as_eyes_like(visits, language, least, most):
    pages = [page for page in NOTEBOOK_PAGES if language_of(page) == language]
    lengths = sorted(length for page in pages for length in visits[page].line_lengths)
    middle = lengths[len(lengths) // 2]
    assert least <= middle <= most, f"{language}: lines of {middle:.0f} characters: see book.css"
