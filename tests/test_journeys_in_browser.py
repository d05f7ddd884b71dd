"""What readers stumbled over on their way through the site, each as a kind (November 2026)."""

import io
import re
from itertools import pairwise

import pytest
from playwright.sync_api import expect
from pypdf import PdfReader

from tests.built_site import REPOSITORY, twin_of
from tests.site_fixtures import DESK, PHONE, press
from workshop.layout import LANGUAGES, pages_of
from workshop.search.test_questions import FOUND

SIZES = {"desk": DESK, "phone": PHONE}
each_language = pytest.mark.parametrize("language", LANGUAGES)

# Pieces of code on a phone that begin with nothing, or part an arrow or a call of what a call returned.
PARTED = """() => [...document.querySelectorAll('article .cell_input .line')].flatMap(line => {
    const range = document.createRange(), tops = [];
    const letters = document.createTreeWalker(line, NodeFilter.SHOW_TEXT);
    while (letters.nextNode()) [...letters.currentNode.data].forEach((letter, i) => {
        range.setStart(letters.currentNode, i);
        range.setEnd(letters.currentNode, i + 1);
        if (letter.trim()) tops.push([letter, range.getBoundingClientRect().top]);
    });
    if (!tops.length || !line.checkVisibility()) return [];
    const blank = tops[0][1] > line.getBoundingClientRect().top + 16;
    const parted = tops.some(([letter, top], i) => i && ['->', ')('].includes(tops[i - 1][0] + letter) &&
        top > tops[i - 1][1] + 8);
    return blank || parted ? [line.textContent] : [];
})"""
CARDS_TOO_NARROW = """() => [...document.querySelectorAll('table:has([data-column]) td')]
    .filter(e => e.checkVisibility() && e.clientWidth < e.closest('table').parentElement.clientWidth * 0.8)
    .map(e => e.textContent)"""
# Of each recorded figure, how tall the tallest band is in which nothing stands.
BLANK = """() => [...document.querySelectorAll('recorded-figure.plays')].map(figure => {
    if (figure.closest('.answer')) figure.closest('.answer').open = true;
    const stands = [...figure.querySelectorAll('*')].filter(e => e.checkVisibility({visibilityProperty: true}) &&
        (e.matches('svg, input') || [...e.childNodes].some(n => n.nodeType == 3 && n.data.trim())))
        .map(e => e.getBoundingClientRect()).filter(box => box.width > 1).sort((a, b) => a.top - b.top);
    let {top: low} = figure.getBoundingClientRect(), blank = 0;
    for (const {top, bottom} of stands) {
        blank = Math.max(blank, top - low);
        low = Math.max(low, bottom);
    }
    return blank;
})"""
LOOK = "e => [getComputedStyle(e).fontFamily, getComputedStyle(document.body).backgroundColor]"
READ = """() => { const {place, of} = placeRead(); return [place, of]; }"""


@pytest.mark.parametrize(
    ("language", "question", "answer"),
    [
        ("en", "why is my loss not changing", "symptoms-silent#loss-stays"),
        ("en", "save a checkpoint", "save-and-resume"),
        ("en", "save and resume training", "save-and-resume"),
        ("ko", "드롭아웃 마스크가 항상 같아요", "symptoms-silent#same-noise"),
    ],
)
def test_plain_questions_are_answered(visit, language, question, answer):
    assert answer in visit(f"search-{language}").evaluate(FOUND, [question])[0]


OUT_OF_MEMORY = "Out of memory while trying to allocate 17179869184 bytes"
ONE_ARGUMENT = (
    "jax.errors.TracerBoolConversionError: Attempted boolean conversion of traced array with shape "
    "bool[]. The error occurred while tracing the function f at /srv/run/train.py:12 for jit. This concrete "
    "value was not available in Python because it depends on the value of the argument x."
)


@pytest.mark.parametrize(
    ("language", "question", "answer"),
    [
        *((language, ONE_ARGUMENT, "symptoms#tracer-bool-conversion") for language in LANGUAGES),
        *(
            (language, f"{name}{OUT_OF_MEMORY}", "symptoms-memory#resource-exhausted")
            for language in LANGUAGES
            for name in ("", "RESOURCE_EXHAUSTED: ", "JaxRuntimeError: RESOURCE_EXHAUSTED: ")
        ),
        ("ko", "코랩", "introduction#how-to-read"),
        ("ko", "그래디언트가 0이에요", "gradients#when-the-gradient-is-zero"),
        ("ko", "모델이 학습이 안 돼요", "symptoms-silent#not-updated"),
        ("ko", "손실이 왜 안 줄어요", "symptoms-silent#loss-stays"),
        ("ko", "파라미터가 안 바뀌어요", "symptoms-silent#loss-stays"),
        ("ko", "가중치가 변하지 않아요", "symptoms-silent#weights-stay"),
        ("en", "my parameters don't change", "symptoms-silent#loss-stays"),
        ("en", "the weights are not updating", "symptoms-silent#weights-stay"),
        ("ko", "얼린 파라미터가 바뀌어요", "symptoms-silent#masked-still-moves"),
        ("en", "frozen parameters still change", "symptoms-silent#masked-still-moves"),
        ("ko", "리스트에 append가 안 돼요", "counter-pitfall#trace-time-and-run-time"),
        ("ko", "체크포인트를 저장하려면", "save-and-resume#resume-a-run"),
    ],
)
def test_what_readers_say_is_answered_first(visit, language, question, answer):
    assert visit(f"search-{language}").evaluate(FOUND, [question])[0][0] == answer


@each_language
@pytest.mark.parametrize("size", SIZES)
def test_a_cell_of_the_state_map_is_named_and_open_after_back(visit, language, size):
    window = visit(f"book/{language}/state-map", viewport=SIZES[size])
    last = window.locator("#squares td a").last
    last.scroll_into_view_if_needed()
    expect(window.locator("#squares thead th").last).to_be_in_viewport(ratio=1)
    expect(last).to_have_attribute("title", re.compile(r"^nnx\.Rngs.*, export: ."))
    title = window.locator("details:has(#attribute-while-loop) > summary")
    window.locator("td a[href='#attribute-while-loop']").click()
    expect(title).to_be_in_viewport(ratio=1)
    assert title.bounding_box()["y"] > 50, "behind the header"
    row = window.locator("#squares tr:has([href='#attribute-while-loop']) th").inner_text()
    assert title.inner_text().startswith(f"{row}, while_loop: ")
    window.locator("details:has(#attribute-while-loop) a[href*='.html']").first.click()
    window.wait_for_url("**/03-counter-pitfall.html#*")
    window.go_back()
    expect(window.locator("details:has(#attribute-while-loop)")).to_have_attribute("open", "")
    # One that was opened by hand, too.
    window.locator("details:has(#attribute-scan) > summary").click()
    window.wait_for_url("**#attribute-scan")
    window.locator("details:has(#attribute-scan) a[href='#squares']").click()
    expect(window.locator("#squares thead th").last).to_be_in_viewport(ratio=1)


def test_the_state_map_says_w_times_x_on_one_line_of_a_phone(visit):
    window = visit("book/ko/state-map", viewport=PHONE)
    parts = "all => all.filter(e => e.getClientRects().length > 1).map(e => e.textContent)"
    codes = window.locator("article :not(pre) > code", has_text=re.compile(r"^\w \* \w$"))
    assert codes.count() and codes.evaluate_all(parts) == []


@each_language
@pytest.mark.parametrize("page", ["23-capstone", "symptoms-silent"])
def test_title_and_search_are_in_view_beside_every_chapter(visit, language, page):
    window = visit(f"book/{language}/{page}", viewport=DESK)
    for what in (".navbar-brand", ".search-button-field"):
        expect(window.locator(f"#pst-primary-sidebar {what}")).to_be_in_viewport(ratio=1)


@each_language
def test_the_switch_keeps_the_term(visit, language):
    window = visit(f"book/{language}/glossary")
    window.locator("dt#checkpoint").evaluate(
        "e => scrollBy({top: e.getBoundingClientRect().top - 112, behavior: 'instant'})"
    )
    press(window.locator("a.language-switch"))
    window.wait_for_url(f"**/{twin_of(f'book/{language}/glossary')}.html#checkpoint")
    expect(window.locator("dt#checkpoint")).to_be_in_viewport()


@pytest.mark.parametrize("size", SIZES)
def test_below_a_table_is_room(visit, size):
    gaps = """() => [...document.querySelectorAll('.pst-scrollable-table-container')]
        .filter(table => table.nextElementSibling).map(table =>
        table.nextElementSibling.getBoundingClientRect().top - table.getBoundingClientRect().bottom)"""
    found = visit("book/en/from-pytorch", viewport=SIZES[size]).evaluate(gaps)
    assert found and min(found) >= 16, found


def test_a_rule_above_a_traceback_is_one_line(visit):
    window = visit("book/en/symptoms", viewport=PHONE)
    rule = window.locator(".traceback .line", has_text="--------------------").first
    assert rule.evaluate("e => e.clientHeight") < 30


@each_language
def test_what_a_reader_left_off_stands_at_the_doors(visit, language):
    window = visit(f"book/{language}/03-counter-pitfall", viewport=PHONE)
    window.mouse.wheel(0, 3000)
    window.wait_for_function("localStorage.getItem('state-in-jax')?.includes('03-counter')")
    window.goto(window.url.replace("03-counter-pitfall", "cover").split("#")[0])
    doors, way = (window.locator(name).bounding_box() for name in (".cover-doors", ".way-on"))
    assert 0 <= way["y"] - doors["y"] - doors["height"] < 40


@each_language
def test_what_a_live_box_names_can_be_pressed(visit, language):
    window = visit(f"book/{language}/04-explicit-state", viewport=PHONE)
    window.locator(".live-open:visible").first.click()
    window.locator(".live-about summary").first.click()
    way = window.locator(".live-about a").first
    expect(way).to_be_visible()
    start = f"https://colab.research.google.com/github/{REPOSITORY}/blob/main/book/{language}/04-"
    assert way.get_attribute("href").startswith(start)


@each_language
def test_rows_are_cards_on_a_phone(visit, language):
    window = visit(f"book/{language}/03-counter-pitfall", viewport=PHONE)
    row = window.locator("#symptom-cause-fix tbody tr").first
    cells = [cell.bounding_box() for cell in row.locator("td").all()]
    assert cells[0]["y"] < cells[1]["y"] < cells[2]["y"]
    assert all(cell["width"] > 250 for cell in cells)
    column = window.locator("#symptom-cause-fix thead th").nth(1).text_content()
    assert row.locator("td").nth(1).get_attribute("data-column") == column


@each_language
@pytest.mark.parametrize("page", ["cover", "from-pytorch", "cheat-sheet"])
def test_cards_are_as_wide_as_the_text(visit, language, page):
    assert not visit(f"book/{language}/{page}", viewport=PHONE).evaluate(CARDS_TOO_NARROW)


@each_language
@pytest.mark.parametrize("toggle", [".primary-toggle", ".secondary-toggle"])
def test_what_lies_over_the_page_can_be_closed(visit, language, toggle):
    window = visit(f"book/{language}/03-counter-pitfall", viewport=PHONE, has_touch=True)
    window.locator(f"{toggle}:visible").click()
    dialog = window.locator("dialog[open]")
    expect(dialog).to_be_visible()
    dialog.locator(".close button").click()
    expect(dialog).to_have_count(0)


@each_language
def test_contents_close_once_an_entry_was_chosen(visit, language):
    window = visit(f"book/{language}/03-counter-pitfall", viewport=PHONE, has_touch=True)
    window.locator(".secondary-toggle:visible").click()
    window.locator("dialog[open] a[href='#exercises']").click()
    expect(window.locator("dialog[open]")).to_have_count(0)
    expect(window.locator("#exercises > h2")).to_be_in_viewport()


@each_language
@pytest.mark.parametrize("size", SIZES)
def test_the_switch_keeps_the_paragraph(visit, language, size):
    window = visit(f"book/{language}/03-counter-pitfall", viewport=SIZES[size])
    window.locator("#what-triggers-a-retrace > .cell").last.evaluate(
        "cell => scrollBy({top: cell.getBoundingClientRect().top - 60, behavior: 'instant'})"
    )
    before = window.evaluate(READ)
    press(window.locator("a.language-switch"))
    window.wait_for_url(f"**/{twin_of(f'book/{language}/03-counter-pitfall')}.html*")
    window.wait_for_function("before => placeRead()?.place == before[0]", arg=before)


def test_the_list_of_chapters_shows_the_one_that_is_read(visit):
    window = visit("book/en/01-arrays", viewport=DESK)
    window.locator("#pst-primary-sidebar").evaluate("e => e.scrollTo(0, 9999)")
    window.locator(".bd-docs-nav a[href$='02-gradients.html']").evaluate("link => link.click()")
    window.wait_for_url("**/02-gradients.html")
    expect(
        window.locator(".bd-docs-nav a.current, .bd-docs-nav .active > a").last
    ).to_be_in_viewport()


@each_language
def test_a_turned_phone_keeps_the_place(visit, language):
    window = visit(f"book/{language}/10-optimizer-state", anew=True, viewport=PHONE)
    heading = window.locator("#inside-adam > h2")
    heading.evaluate("e => scrollBy({top: e.getBoundingClientRect().top - 120})")
    window.mouse.wheel(0, 20)
    window.wait_for_timeout(300)  # a browser chooses what to keep once the page stands
    window.set_viewport_size({"width": PHONE["height"], "height": PHONE["width"]})
    expect(heading).to_be_in_viewport()


def test_on_a_phone_the_list_opens_at_the_chapter_that_is_read(visit):
    window = visit("book/en/22-memory-and-devices", viewport=PHONE, has_touch=True)
    window.locator(".primary-toggle:visible").click()
    expect(window.locator("dialog[open] a.current")).to_be_in_viewport()


def test_a_finger_sees_what_copies_code(visit):
    window = visit("book/en/08-methods-and-self", viewport=PHONE, has_touch=True)
    button = window.locator("article .copybtn").first
    assert float(button.evaluate("e => getComputedStyle(e).opacity")) > 0.5


# Of code and outputs with a button in view, the letters that lie under it.
COVERED = """() => [...document.querySelectorAll('article .highlight:has(> .copybtn)')].map(block => {
    const button = block.querySelector('.copybtn').getBoundingClientRect(), range = document.createRange();
    const letters = document.createTreeWalker(block.querySelector('pre'), NodeFilter.SHOW_TEXT), under = [];
    while (letters.nextNode()) [...letters.currentNode.data].forEach((letter, i) => {
        range.setStart(letters.currentNode, i);
        range.setEnd(letters.currentNode, i + 1);
        const {left, right, top, bottom} = range.getBoundingClientRect();
        if (letter.trim() && right > button.left && left < button.right && bottom > button.top
            && top < button.bottom) under.push(letter);
    });
    return under.join('');
}).filter(Boolean)"""


@each_language
@pytest.mark.parametrize("page", ["02-gradients", "22-memory-and-devices", "from-pytorch"])
def test_on_touch_no_letter_lies_under_what_copies(visit, language, page):
    window = visit(f"book/{language}/{page}", viewport=PHONE, has_touch=True)
    expect(window.locator("article .copybtn:visible").first).to_be_visible()
    assert window.evaluate(COVERED) == []


def test_back_from_a_figure_in_a_fold_finds_the_link_where_it_was(visit):
    window = visit("book/en/07-your-own-pytrees", viewport=DESK)
    link = window.locator("article a[href='#figure-static-in-the-key']").last
    link.scroll_into_view_if_needed()
    before = link.bounding_box()["y"]
    link.click()
    expect(window.locator("#figure-static-in-the-key")).to_be_in_viewport()
    window.go_back()
    window.wait_for_function("!location.hash")
    back = "([link, before]) => Math.abs(link.getBoundingClientRect().top - before) < 40"
    window.wait_for_function(back, arg=[link.element_handle(), before])  # after the address
    assert abs(link.bounding_box()["y"] - before) < 40


@each_language
def test_without_scripts_no_menu_names_what_needs_them(visit, language):
    window = visit(f"book/{language}/03-counter-pitfall", java_script_enabled=False, viewport=PHONE)
    window.locator(".tools-opener").focus()
    expect(window.locator(".tools .btn:visible").first).to_be_in_viewport()
    expect(window.locator(":is([data-press], .pst-js-only):visible")).to_have_count(0)


@each_language
def test_without_scripts_no_field_asks_for_a_message(visit, language):
    window = visit(f"book/{language}/symptoms", java_script_enabled=False)
    expect(window.locator(".paste-field")).to_be_hidden()


TORN = """code => {
    const texts = [...code.childNodes].filter(node => node.data), range = document.createRange();
    const top = (text, at) => (range.setStart(text, at), range.setEnd(text, at + 1),
        range.getBoundingClientRect().top);
    return texts.filter(text => [...text.data.matchAll(/(?<=[a-z])[a-z]/g)]
        .some(({index}) => top(text, index) != top(text, index - 1))).map(text => text.data);
}"""


@each_language
@pytest.mark.parametrize(
    "page", ["from-pytorch", "symptoms", "10-optimizer-state", "11-flax-variables"]
)
def test_contents_are_whole_and_follow(visit, language, page):
    window = visit(f"book/{language}/{page}", viewport=DESK)
    entries = window.locator("#pst-page-toc-nav a")
    # Marked or not, so that nothing moves as the mark goes on.
    heights = "all => all.map(e => e.offsetHeight)"
    unmarked = entries.evaluate_all(heights)
    entries.evaluate_all("all => all.forEach(e => e.classList.add('active'))")
    assert entries.evaluate_all(heights) == unmarked
    assert not entries.evaluate_all(
        f"all => all.flatMap(e => [e, ...e.querySelectorAll('code')]).flatMap({TORN})"
    )
    sizes = (
        "entry => [...entry.querySelectorAll('*'), entry].map(e => getComputedStyle(e).fontSize)"
    )
    assert all(len(set(entry.evaluate(sizes))) == 1 for entry in entries.all())
    cut = window.evaluate(
        "[...document.querySelectorAll('#pst-page-toc-nav a')]"
        ".filter(e => e.getBoundingClientRect().right > innerWidth).map(e => e.textContent)"
    )
    assert not cut
    window.locator("article section section").last.evaluate(
        "e => scrollBy({top: e.getBoundingClientRect().top, behavior: 'instant'})"
    )
    window.mouse.wheel(0, 10)
    expect(window.locator("#pst-page-toc-nav a[aria-current=true]")).to_be_in_viewport()


@each_language
@pytest.mark.parametrize("page", ["05-linear-regression", "13-keras-loop"])
def test_wrapped_code_begins_with_its_first_word(visit, language, page):
    window = visit(f"book/{language}/{page}", viewport=PHONE)
    assert not window.evaluate(PARTED)


@each_language
def test_wrapping_keeps_the_place(visit, language):
    window = visit(f"book/{language}/13-keras-loop", viewport=PHONE)
    cell = window.locator("article section section .cell").nth(8)
    cell.evaluate("e => scrollBy({top: e.getBoundingClientRect().top - 60, behavior: 'instant'})")
    before = window.evaluate(READ)
    # As in Safari, which by itself keeps no place.
    window.evaluate("document.documentElement.style.overflowAnchor = 'none'")
    press(window.locator(".tools-opener"))
    press(window.locator("[data-press=lines]"))
    window.wait_for_function("before => placeRead()?.place == before[0]", arg=before)
    assert abs(cell.bounding_box()["y"] - 60) < 60


@each_language
def test_a_verdict_is_told_by_word_colour_and_form_and_edits_stay(visit, language):
    window = visit(f"book/{language}/04-explicit-state", viewport=PHONE)
    window.locator("#exercise-1 .live-open").click()
    status, forms = window.locator("#exercise-1 .live-status"), []
    editor, run = window.locator("#exercise-1 textarea"), window.locator("#exercise-1 .live-run")
    run.click()
    expect(status).to_have_attribute("data-kind", "done", timeout=30_000)  # nothing is typed yet
    for answer, sign in (("(22, 4, 2)", "✗"), ("(20, 6, 2)", "✓")):
        editor.fill(f"answer_1 = {answer}")
        run.click()
        expect(status).to_contain_text(sign, timeout=30_000)
        forms.append(
            status.evaluate("e => { const s = getComputedStyle(e);"
                            "return [s.borderLeftStyle, s.borderLeftColor, e.textContent]; }")
        )  # fmt: skip
    for wrong, right in zip(*forms, strict=True):
        assert wrong != right
    window.reload()
    window.locator("#exercise-1 .live-open").click()
    expect(window.locator("#exercise-1 textarea")).to_have_value("answer_1 = (20, 6, 2)")
    expect(window.locator("#exercise-1 .live-numbers")).to_have_text("1")


@each_language
@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("page", ["03-counter-pitfall", "11-flax-variables", "13-keras-loop"])
def test_a_recorded_figure_begins_without_a_void(visit, language, size, page):
    blank = visit(f"book/{language}/{page}", viewport=SIZES[size]).evaluate(BLANK)
    assert blank and max(blank) < SIZES[size]["height"] * 0.4, blank


@each_language
def test_a_chapter_on_paper_has_its_title_and_full_sheets(visit, language):
    window = visit(f"book/{language}/03-counter-pitfall")
    title = window.locator("h1").evaluate(
        "e => [...e.childNodes].slice(0, 2).map(n => n.textContent)"
    )
    margin = dict.fromkeys(("top", "bottom", "left", "right"), "15mm")
    sheets = PdfReader(io.BytesIO(window.pdf(format="A4", margin=margin))).pages
    texts = ["".join(sheet.extract_text().split()) for sheet in sheets]
    assert "".join("".join(title).split()).replace("\u2060", "") in texts[0].replace("\u2060", "")
    typical = sorted(map(len, texts))[len(texts) // 2]
    empty = [number for number, text in enumerate(texts[:-1], 1) if len(text) < typical / 2]
    assert not empty, f"of {len(texts)} sheets, half empty: {empty}"


@each_language
def test_a_term_on_paper_stands_above_its_definition(visit, language):
    window = visit(f"book/{language}/glossary")
    said = window.locator("article dt").evaluate_all("all => all.map(e => e.innerText)")
    terms = {"".join(term.split()).strip("#") for term in said}
    sheets = PdfReader(io.BytesIO(window.pdf(format="A4"))).pages
    last_lines = ["".join(sheet.extract_text().strip().split("\n")[-1].split()) for sheet in sheets]
    assert len(sheets) > 5 and not terms & set(last_lines)


@each_language
@pytest.mark.parametrize("size", SIZES)
def test_what_stands_around_the_text_has_its_place(visit, language, size):
    window = visit(f"book/{language}/from-pytorch", viewport=SIZES[size])
    links = window.locator(".licence a").all()
    assert links and all(link.bounding_box()["height"] >= 24 for link in links)
    colours = "a => a.map(e => [e, e.querySelector('code')].map(e => getComputedStyle(e).color))"
    for link, code in window.locator("article a:has(code)").evaluate_all(colours):
        assert link == code
    free = """all => all.map(e => { const range = document.createRange(); range.selectNodeContents(e);
        return e.closest('.bd-sidebar-primary').clientWidth - range.getBoundingClientRect().right; })"""
    captions = window.locator(".bd-sidebar-primary .caption")
    assert min(captions.evaluate_all(free)) >= 8, "a part's name touches the border"


@each_language
def test_what_copies_code_has_a_name(visit, language):
    window = visit(f"book/{language}/03-counter-pitfall")
    names = window.locator("button.copybtn").evaluate_all("all => all.map(e => e.ariaLabel)")
    assert names and all(names)


@pytest.mark.parametrize(
    ("below", "locale", "first"),
    [
        ("book/ko/", "en-US", "ko"),
        ("book/en/", "ko-KR", "en"),
        ("", "en-US", "en"),
        ("", "fr", "ko"),
    ],
)
def test_whoever_is_lost_reads_their_language_first(browser, site, below, locale, first):
    host = "http://localhost/a-repository/"

    def serve(route):
        file = site / route.request.url.removeprefix(host).split("?")[0]
        route.fulfill(path=file if file.is_file() else site / "404.html")

    with browser.new_context(locale=locale) as context:
        window = context.new_page()
        window.route(f"{host}**", serve)
        window.goto(f"{host}book/{first}/cover.html")
        window.evaluate("localStorage.setItem('mode', 'dark')")
        looks = []
        for address in (f"book/{first}/cover.html", f"{below}no-such.html"):
            window.goto(host + address)
            looks.append(window.locator("h1, h2").first.evaluate(LOOK))
        assert window.locator("main > section").first.get_attribute("lang") == first
        assert looks[0] == looks[1]


@each_language
@pytest.mark.parametrize("size", SIZES)
def test_the_cover_asks_and_shows_three_doors(visit, language, size):
    window = visit(pages_of(language)[0], viewport=SIZES[size])
    expect(window.locator("article h1")).to_be_in_viewport(ratio=1)
    doors = window.locator(".cover-doors a")
    expect(doors).to_have_count(3)
    for door in doors.all():
        expect(door).to_be_in_viewport(ratio=1)
    for guess, verdict in ((0, "wrong"), (2, "right")):
        window.locator(".cover-counter label").nth(guess).click()
        expect(window.locator(".verdict:visible")).to_have_class(f"verdict {verdict}")
        expect(window.locator(".cover-counter .ran")).to_be_visible()


@each_language
@pytest.mark.parametrize("size", SIZES)
def test_the_header_keeps_the_place_there_and_back(visit, language, size):
    page = f"book/{language}/10-optimizer-state"
    window = visit(page, viewport=SIZES[size])
    window.locator("#freeze-parameters .cell").last.evaluate(
        "cell => scrollBy({top: cell.getBoundingClientRect().top - 60, behavior: 'instant'})"
    )
    here, place = window.evaluate("scrollY"), window.evaluate(READ)
    stays = "([y, read]) => Math.abs(scrollY - y) < 4 && placeRead()?.place == read[0]"
    window.locator(".primary-toggle:visible").first.evaluate("e => e.focus({preventScroll: true})")
    for _ in range(3):
        window.keyboard.press("Tab")
    assert window.evaluate("document.activeElement.closest('.bd-header-article')?.tagName")
    assert window.evaluate("scrollY") == here, "to go on in the header moves the page"
    there = None
    for wanted in (twin_of(page), page):
        window.locator("a.language-switch").click()  # what brings it into view first, too
        window.wait_for_url(f"**/{wanted}.html#freeze-parameters")
        window.wait_for_function("read => placeRead()?.place == read[0]", arg=place)
        there = there or window.evaluate("scrollY")
    window.wait_for_function(stays, arg=[here, place])
    for wanted, y in ((twin_of(page), there), (page, here)):
        window.go_back()
        window.wait_for_url(f"**/{wanted}.html*")
        window.wait_for_function(stays, arg=[y, place])


# What of the header can be seen: its buttons, and the letters of the title.
SEEN = """() => [...document.querySelectorAll('.bd-header-article :is(.btn, .language-switch, .book-title)')]
    .filter(e => e.checkVisibility() && e.offsetWidth).flatMap(e => {
        const box = e.getBoundingClientRect(), range = document.createRange();
        if (!e.matches('.book-title')) return [[box.left, box.right]];
        range.selectNodeContents(e);
        return [...range.getClientRects()].filter(({width, top}) => width && top < box.bottom - 2)
            .map(({left, right}) => [left, right]);
    }).sort(([a], [b]) => a - b)"""


@each_language
@pytest.mark.parametrize("touch", [True, False])
def test_nothing_in_the_header_runs_under_anything(visit, language, touch):
    window = visit(f"book/{language}/12-batchnorm-under-vmap", anew=True, has_touch=touch)
    for width in (195, 260, 280, 302, 320, 345, 360, 390):
        window.set_viewport_size({"width": width, "height": 740})
        seen = window.evaluate(SEEN)
        assert len(seen) >= 5, width
        assert all(right <= left for (_, right), (left, _) in pairwise(seen)), (width, seen)
        assert seen[-1][1] <= width == window.evaluate("document.documentElement.scrollWidth")
        assert width < 360 or len(seen) == 7, f"at {width} the title has no room"


@each_language
def test_doors_open_at_one_height_whatever_was_read(visit, language):
    window = visit(f"book/{language}/03-counter-pitfall", viewport=DESK)
    window.mouse.wheel(0, 3000)
    window.wait_for_function("localStorage.getItem('state-in-jax')?.includes('03-counter')")
    window.goto(f"{window.url.split('/book/')[0]}/index.html?choose")
    expect(window.locator(".door .way-on")).to_have_count(2)
    starts = window.locator(".door p:nth-child(3) a")
    assert len({start.bounding_box()["y"] for start in starts.all()}) == 1


@each_language
@pytest.mark.parametrize("width", [390, 800, 1280, 1920])
def test_the_foot_of_the_cover_stands_under_its_text(visit, language, width):
    window = visit(pages_of(language)[0], viewport={"width": width, "height": 900})
    lefts = "all => all.map(e => e.getBoundingClientRect().left)"
    assert len(set(window.locator("article h1, .licence").evaluate_all(lefts))) == 1


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_the_way_past_the_sidebar_has_the_book_s_colours(visit, scheme):
    window = visit("book/en/03-counter-pitfall", viewport=DESK, color_scheme=scheme)
    window.keyboard.press("Tab")
    skip = window.locator(".skip-link")
    expect(skip).to_be_in_viewport()
    assert skip.evaluate(
        """e => {
            const probe = document.body.appendChild(document.createElement('i'));
            probe.style.color = 'var(--pst-color-primary)';
            return getComputedStyle(e).backgroundColor == getComputedStyle(probe).color &&
                getComputedStyle(e.querySelector('a')).color == getComputedStyle(document.body).backgroundColor;
        }"""
    )
