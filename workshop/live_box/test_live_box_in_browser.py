"""What the reader does with a live box: open, edit, run, stop, leave, by mouse and by keyboard."""

from functools import cache

import pytest
from playwright.sync_api import Page, expect

from tests.site_fixtures import PHONE, note_faults, press, served, uncover_answers, violations
from workshop.live_box.live_programs import Box, offered, variations
from workshop.live_box.test_live_box import CLASSIC, Ending, error_text, under_jax

pytestmark = pytest.mark.xdist_group("live box")
POLICY = (
    "default-src 'self'; script-src 'self' 'wasm-unsafe-eval'; "
    "style-src 'self' 'unsafe-inline'; img-src 'self' data:"
)
BOX_FILES = "_static/live-box/"
ON_CLICK = {"worker.mjs", "micropython.mjs", "micropython.wasm", "tiny_jax.py", "small_python.py"}
CHAPTER = "06-pytrees"
LATER = 1  # a box that isn't the first one, which a card covers
LEAK = """import jax

kept = []
jax.jit(lambda x: (kept.append(x + 1), x)[1])(2.0)
kept[0] + 1"""
SECONDS = 30_000  # in milliseconds, for what a busy machine does slowly
DONE = {"ko": "끝났습니다.", "en": "Done."}
TIME_OVER = {"ko": "5초 넘게", "en": "longer than 5 seconds"}
NOT_KNOWN = {
    "ko": "3번째 줄에 모형이 지원하지 않는 것이 있습니다",
    "en": "Line 3 uses something that the model doesn't support",
}
LOADED = {"ko": "실행 중", "en": "Running"}  # no word of loading at a later run
PRESSED = """panel => (panel.querySelector(".live-run").click(),
    panel.querySelector(".live-status").textContent)"""
STOPPED = {"ko": "{}번째 줄에서 오류로", "en": "in line {} with an error"}
LABEL = {"ko": "JAX가 아니라 JAX를 본뜬 모형입니다", "en": "A model of JAX, not JAX itself"}
each_language = pytest.mark.parametrize("language", ["ko", "en"])

# Runs programs one after the other, as the script of the box does, and returns what they did.
RUN_ALL = """async ([folder, programs]) => {
    const results = [];
    for (const program of programs) {
        const worker = new Worker(new URL("worker.mjs", folder), { type: "module" });
        results.push(await new Promise((answer) => {
            let output = "";
            worker.onerror = (event) => answer({ output, ended: { type: "broken: " + event.message } });
            worker.onmessage = ({ data }) => {
                if (data.output) output += data.output;
                if ("ended" in data) answer({ output, ended: data.ended });
            };
            worker.postMessage(program);
        }));
        worker.terminate();
    }
    return results;
}"""

MARK = "-- the next program --"
PACK = 12  # programs that one worker runs


def printed_in_micropython(window: Page, folder: str, programs: list[str]) -> list[str]:
    """What programs print that end without an error.

    Starting MicroPython takes longer than they do, so a few run one after another.
    """
    packs = [programs[start : start + PACK] for start in range(0, len(programs), PACK)]
    marked = ["\n".join(f"{each}\nprint({MARK!r})" for each in pack) for pack in packs]
    found = []
    for pack, answer in zip(packs, window.evaluate(RUN_ALL, [folder, marked]), strict=True):
        outputs = answer["output"].split(f"{MARK}\n")
        broken = pack[min(len(outputs), len(pack)) - 1]
        assert not answer["ended"] and len(outputs) == len(pack) + 1, f"{broken}\n{answer}"
        found += outputs[:-1]
    return found


@pytest.fixture(scope="module")
def address(site):
    """Serve the site under the policy and return its address."""
    with served(site, policy=POLICY) as address:
        yield address


@cache
def boxes_of_chapter() -> list[Box]:
    """The boxes of the chapter."""
    return [box for name, box in offered().items() if name.startswith(CHAPTER)]


def page_of(language: str) -> str:
    """Return the page of the chapter."""
    return f"book/{language}/{CHAPTER}"


def opened(window: Page) -> Page:
    """Open a box and return the window."""
    window.locator(".live-open").nth(LATER).click()
    return window


def run(window: Page, program: str | None = None) -> None:
    """Press Run, with another program where one is given."""
    if program is not None:
        window.locator("textarea").fill(program)
    window.locator(".live-run").click()


def says(window: Page, words: str) -> None:
    """Wait until the box says these words."""
    expect(window.locator(".live-status")).to_contain_text(words, timeout=SECONDS)


@each_language
def test_each_box_offers_its_program_and_runs_it(visit, language):
    asked = []

    def watch(window: Page) -> None:
        window.on("request", lambda request: asked.append(request.url))

    window = visit(page_of(language), watch)
    boxes = window.locator("live-box:not(#exercises *)")
    expect(boxes).to_have_count(len(boxes_of_chapter()))
    uncover_answers(window)
    assert not [url for url in asked if url.split("/")[-1] in ON_CLICK], "loaded before a click"
    for number, (program, _) in enumerate(boxes_of_chapter()):
        box = boxes.nth(number)
        cell = box.locator("xpath=preceding-sibling::div[1]")
        box.locator(".live-open").click()
        expect(box.locator(".live-label")).to_have_text(LABEL[language])
        assert box.locator("textarea").input_value() == program
        if number not in (0, LATER):  # the next test runs all of them
            continue
        box.locator(".live-run").click()
        expect(box.locator(".live-status")).to_have_text(DONE[language], timeout=SECONDS)
        shown = cell.locator(".cell_output pre").all_inner_texts()
        assert box.locator("pre").inner_text().split() == "".join(shown).split()
    loaded = {url.split("/")[-1].split("?")[0] for url in asked if BOX_FILES in url}
    assert loaded == {*ON_CLICK, "live-box.js"}


def test_micropython_answers_as_jax(visit, address):
    names = [name for place, name in enumerate(variations()) if place % 10 == 0]
    special = (*CLASSIC, "'x = [10", "'for _", "dict", "tree", "formats", "conversions", "types")
    special += (
        "numbers",
        "1 <",
        "method",
        "2.0 ",
        "a leak",
        "one dict",
        "arrays like",
        "function kept",
    )
    names += [name for name in variations() if name.startswith(special)]
    programs = {name: variations()[name] for name in dict.fromkeys(names)}
    window = visit(page_of("en"))
    folder = f"{address}/{BOX_FILES}"
    answers = window.evaluate(RUN_ALL, [folder, list(programs.values())])
    different, refused = [], 0
    for (name, program), answer in zip(programs.items(), answers, strict=True):
        ended = answer["ended"]
        if ended and ended["kind"] == "reach":
            refused += 1
            continue
        error = error_text(ended["type"], ended["message"]) if ended else ""
        truth = under_jax(program)
        # MicroPython has its own words for the errors of Python itself.
        if truth.error.split()[:1] == error.split()[:1] and "Tracer" not in error:
            error = truth.error
        if Ending(answer["output"], error) != truth:
            different.append(f"{name}\n{program}\njax: {truth}\nbox: {answer}")
    assert not different, "\n\n".join(different)
    assert refused <= len(programs) / 5


def test_each_box_prints_in_micropython_what_its_cell_documents(visit, address):
    programs = [box.program for box in offered().values()]
    said = printed_in_micropython(visit(page_of("en")), f"{address}/{BOX_FILES}", programs)
    for (name, box), output in zip(offered().items(), said, strict=True):
        assert output.split() == box.documented.split(), f"box {name}: {output}"


@each_language
def test_edits_errors_and_limits(visit, language):
    window = opened(visit(page_of(language)))
    editor, output = window.locator("textarea"), window.locator(".live-panel pre")
    run(window, LEAK)
    *above, last = LEAK.split("\n")
    says(window, STOPPED[language].format(len(above) + 1))
    expect(window.locator(".live-status code")).to_have_text(last)
    expect(output).to_contain_text("UnexpectedTracerError: Encountered an unexpected tracer.")
    run(window, "import jax\n\njax.grad(lambda x: x)")
    says(window, NOT_KNOWN[language])
    expect(window.locator(".live-status")).to_contain_text("jax.grad")
    run(window, "print('before')\nwhile True:\n    pass")
    says(window, TIME_OVER[language])
    expect(output).to_have_text("before\n")
    editor.fill("print(“it’s”, ‘a’, 'b“', '“c”', 6 * 7)  # “")
    assert window.locator(".live-panel").evaluate(PRESSED) == LOADED[language]
    assert editor.bounding_box()["height"] < 100, "as tall as the longer program was"
    says(window, DONE[language])
    expect(output).to_have_text("it’s a b“ “c” 42\n")
    run(window, "while True:\n    print('x' * 100)")
    says(window, {"ko": "많이 출력해서", "en": "prints more"}[language])
    run(window, "def f(:\n")
    says(
        window,
        {"ko": "1번째 줄의 구문을 해석할 수 없습니다", "en": "Line 1 can't be parsed"}[language],
    )
    for unclosed in ('print("a"', "x = [1", "print({1: (2}"):
        run(window, f"import jax\n{unclosed}")
        says(window, {"ko": "2번째 줄의 구문을", "en": "Line 2 can't be parsed"}[language])
        expect(output).to_contain_text("SyntaxError: '")
        expect(output).to_contain_text("was never closed")
    run(window, "import jax.numpy as jnp\n\njnp.zeroes(3)")
    says(window, NOT_KNOWN[language])
    says(window, {"ko": "혹시 jnp.zeros 아닌가요?", "en": "Did you mean jnp.zeros?"}[language])
    run(window, "print('never')\n\n{1, 2}")
    says(window, NOT_KNOWN[language])
    expect(output).to_be_hidden()
    run(window, edited := "import jax\n\nassert 1 == 2")
    says(window, {"ko": "3번째 줄의 assert가", "en": "The assert in line 3"}[language])
    expect(output).to_have_text("AssertionError")
    window.locator(".live-buttons button").nth(1).click()
    assert editor.input_value() == boxes_of_chapter()[LATER].program
    expect(output).to_be_hidden()
    expect(window.locator(".live-buttons button").nth(1)).to_be_focused()
    editor.press("Control+z")
    assert editor.input_value() == edited, "what the reader wrote is lost"
    window.locator(".live-buttons button").nth(2).click()
    expect(window.locator(".live-panel")).to_be_hidden()
    expect(window.locator(".live-open").nth(LATER)).to_be_focused()


def test_the_keyboard_alone(visit):
    window = visit(page_of("en"))
    window.locator(".live-open").nth(LATER).focus()
    window.keyboard.press("Enter")
    editor = window.locator("textarea")
    expect(editor).to_be_focused()
    window.keyboard.press("Control+a")
    window.keyboard.type("for n in range(2):\nprint(n)\n")
    window.keyboard.press("Tab")
    window.keyboard.type("print('deeper')")
    assert editor.input_value() == "for n in range(2):\n    print(n)\n        print('deeper')"
    for _ in range(19):
        window.keyboard.press("Backspace")
    window.keyboard.press("Control+Enter")
    says(window, DONE["en"])
    expect(window.locator(".live-panel pre")).to_have_text("0\n1\n")
    window.keyboard.press("Escape")
    window.keyboard.press("Tab")
    expect(window.locator(".live-run")).to_be_focused()
    window.keyboard.press("Shift+Tab")
    expect(editor).to_be_focused()
    window.keyboard.press("Tab")
    expect(editor).to_be_focused()
    window.keyboard.press("Shift+Tab")
    expect(editor).not_to_be_focused()


@each_language
@pytest.mark.parametrize("theme", ["light", "dark"])
def test_an_open_box_is_accessible_and_fits_a_phone(visit, language, theme):
    window = visit(page_of(language), viewport=PHONE, color_scheme=theme, has_touch=True)
    opened(window)
    run(window)
    says(window, DONE[language])
    assert not violations(window, "live-box")
    expect(window.locator(".live-keys")).to_be_hidden()  # a finger has no Esc
    assert window.evaluate("document.documentElement.dataset.theme") == theme
    assert not window.evaluate("document.documentElement.scrollWidth > innerWidth")
    panel = window.locator(".live-panel").bounding_box()
    assert panel["x"] >= 0
    assert panel["x"] + panel["width"] <= PHONE["width"]
    paper = window.evaluate("getComputedStyle(document.body).backgroundColor")
    assert (paper == "rgb(253, 252, 249)") == (theme == "light")


def test_without_script_and_from_a_file_the_cell_stands_alone(visit, browser, site):
    window = visit(page_of("en"), java_script_enabled=False)
    expect(window.locator("live-box").first).to_be_hidden()
    context = browser.new_context()
    window = context.new_page()
    faults = []
    note_faults(window, faults, site.as_uri())
    window.goto(f"file://{site}/{page_of('en')}.html")
    expect(window.locator("live-box").first).to_be_hidden()
    assert window.locator(".live-open:visible").count() == 0
    assert not faults
    context.close()


COLOURED = """() => {
    const found = {}, box = document.querySelector(".live-editor"), colour = (e) => e && getComputedStyle(e).color;
    for (const kind of ["k", "c1", "s2", "nf", "mi"])
        found[kind] = [".live-colours", ".cell_input pre"].map((place) =>
            colour(document.querySelector(`${place} .${kind}`)));
    const [text, seen] = ["textarea", ".live-colours"].map((each) => box.querySelector(each));
    text.scrollTo(9999, 9999);
    return [found, text.value, seen.textContent, text.scrollLeft, text.scrollTop, colour(seen)];
}"""
FOLLOWS = """() => { const [a, b] = document.querySelectorAll(".live-editor > :is(textarea, .live-colours)");
    return [a.scrollLeft - b.scrollLeft, a.scrollTop - b.scrollTop]; }"""


@pytest.mark.parametrize("look", ["light", "dark"])
def test_what_is_written_has_the_colours_of_the_page_and_stands_behind_the_letters(visit, look):
    window = opened(visit(page_of("en"), viewport=PHONE, color_scheme=look))
    long = "\n".join(f"y = {'x + ' * 40}{n}" for n in range(60))
    program = f'def f(x):\n    """Two\n    lines."""\n    return x  # "ok"\n\n{long}\n'
    window.locator("textarea").first.fill(program)
    window.locator("textarea").first.click(timeout=5000)  # through the colours, which take no click
    colours, value, seen, left, top, plain = window.evaluate(COLOURED)
    assert seen == f"{value}\n" == f"{program}\n"
    assert left > 100 < top
    window.wait_for_function(f"() => ({FOLLOWS})().every(apart => apart == 0)")
    for kind, (mine, page) in colours.items():
        assert mine == page != plain, f"{kind}: {mine}, on the page {page}"


@each_language
@pytest.mark.parametrize("program", [None, "print(1", "while True: pass", "print('long\\n' * 60)"])
def test_what_a_run_says_comes_into_view(visit, language, program):
    window = opened(visit(f"book/{language}/{CHAPTER}", viewport={"width": 360, "height": 740}))
    if program:
        window.locator("textarea").fill(program)
    button, status = window.locator(".live-run"), window.locator(".live-status")
    button.evaluate(
        "e => scrollBy({top: e.getBoundingClientRect().bottom - innerHeight, behavior: 'instant'})"
    )
    press(button)
    expect(status).to_be_in_viewport(ratio=1)
    expect(status).not_to_have_attribute("data-kind", "busy", timeout=SECONDS)
    expect(status).to_be_in_viewport(ratio=1)
    output = window.locator(".live-panel > pre")
    if output.is_visible():
        whole = output.evaluate("e => e.offsetHeight < innerHeight / 2")
        expect(output).to_be_in_viewport(ratio=1 if whole else 0.3)
