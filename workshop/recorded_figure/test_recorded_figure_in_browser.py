"""What the reader does with the recorded figures: step, predict, look, by mouse and by keyboard."""

import re
from itertools import chain
from pathlib import Path

import pytest
import yaml
from playwright.sync_api import Locator, Page, expect

from tests.built_site import PAGES, soup_of
from tests.site_fixtures import PHONE, violations
from workshop.chapter.read import read_chapter
from workshop.layout import LANGUAGES, chapter_paths, figure_path, language_of, pages_of
from workshop.recorded_figure.plain_form import truth_of
from workshop.recorded_figure.records import read_record, words_of
from workshop.site.line_breaks import join_seams
from workshop.words import keyed_words

PAPER = {"width": 680, "height": 1000}  # A4 within its margins
MOST_MOVE = 40  # pixels: about the height of a button

# Each pair of chapter and figure stands there in Korean and in English.
SHOWN = list(
    dict.fromkeys(
        (f"book/{language}/{path.stem}", figure.path.stem)
        for path in chapter_paths()
        for figure in read_chapter(path).figures
        for language in LANGUAGES
        if figure.is_recorded
    )
)
COUNTER = ("book/ko/03-counter-pitfall", "counter-under-jit")
SAY = yaml.safe_load(Path(__file__).with_name("words.yml").read_text("utf8"))


# Whether a line of code stands within its box.
IS_IN_SIGHT = """line => {
    const [inner, outer] = [line, line.closest('.code')].map(e => e.getBoundingClientRect());
    return inner.top >= outer.top && inner.bottom <= outer.bottom; }"""


def record_of(name: str) -> dict:
    """Return the committed record of a figure."""
    return read_record(figure_path(f"{name}.py"))


def figures_of_kind(kind: str):
    """Return a mark that runs a test for each figure of a kind."""
    found = [(page, name) for page, name in SHOWN if record_of(name)["kind"] == kind]
    return pytest.mark.parametrize(("page", "name"), found)


def plain(text: str) -> str:
    """Return a text as it is shown: without the marks of code, its words joined."""
    return join_seams(text).replace("`", "")


def uncovered(figure: Locator) -> Locator:
    """Return a figure, in sight also where a card covers it."""
    figure.evaluate("e => { const cover = e.closest('.answer'); if (cover) cover.open = true; }")
    return figure


def figure_in(window: Page, name: str) -> Locator:
    """Return a figure once its script has made it play."""
    return uncovered(window.locator(f"recorded-figure.figure-{name}.plays"))


def go_on(figure: Locator, times: int = 1) -> None:
    """Press the button that leads on."""
    button = figure.locator("button.next")
    for _ in range(times):
        button.dispatch_event("click")


def top_of_button(figure: Locator) -> float:
    """Return how far the button that leads on stands below the top of the window, in pixels."""
    return figure.locator("button.next").evaluate("e => e.getBoundingClientRect().top")


def expect_grey_next(figure: Locator, why: str) -> None:
    """Expect that *Next* is grey and says why, to eyes and to a screen reader."""
    button = figure.locator("button.next")
    expect(button).to_have_attribute("aria-disabled", "true")
    expect(button).to_have_accessible_description(why)
    expect(figure.get_by_text(why, exact=True)).to_be_visible()


def expect_next_to_lead_on(figure: Locator) -> None:
    """Expect that *Next* is not grey and gives no reason."""
    expect(figure.locator("button.next")).to_have_attribute("aria-disabled", "false")
    expect(figure.locator(".why")).to_be_hidden()


def screen_for(page: str) -> dict:
    """Return the size of window for a page: Korean is read on a phone, English on a desk."""
    return PHONE if language_of(page) == "ko" else {"width": 1280, "height": 900}


def too_wide(figure: Locator) -> list[str]:
    """Return the parts of a figure that leave the screen and do not scroll."""
    return figure.evaluate(
        """figure => [...figure.querySelectorAll('*')]
            .filter(e => e.getBoundingClientRect().right > innerWidth + 1)
            .filter(e => !e.closest('pre, .scrolls'))
            .map(e => e.outerHTML.slice(0, 120))"""
    )


def shown_values(figure: Locator) -> list[str]:
    """Return the values that a stepper shows, by their names."""
    return figure.locator("dl > div").evaluate_all(
        "all => all.map(e => e.querySelector('dt').textContent + '=' + "
        "e.querySelector('dd :first-child').textContent)"
    )


def expected_values(name: str, place: int, language: str) -> list[str]:
    """Return what the record says about a step, in the words of the page."""
    record = record_of(name)
    step = record["steps"][place]
    local = [(f"{record['enter']}: {key}", value) for key, value in step.get("local", {}).items()]
    pairs = [*step["state"].items(), *local]
    if record["enter"]:
        pairs.append((SAY["runs"][language], step["runs"]))
    if "returned" in step:
        pairs.append((SAY["returned"][language], step["returned"]))
    return [f"{key}={value}" for key, value in pairs]


@figures_of_kind("steps")
def test_clicking_through_shows_each_step_and_asks_before_it_tells(visit, page, name):
    language = language_of(page)
    window = visit(page, viewport=screen_for(page))
    figure = figure_in(window, name)
    record, words = record_of(name), words_of(figure_path(f"{name}.py"))["steps"]
    for place, step in enumerate(record["steps"]):
        ask = words.get(step.get("label"), {}).get("ask")
        if ask:
            figure.evaluate("e => { e.scrollIntoView(); scrollBy(0, -350) }")
            before = top_of_button(figure)
            go_on(figure)
            expect(figure.locator(".question")).to_contain_text(plain(ask["question"][language]))
            # The page moves only as far as the question, below the code, needs it; the bar stays.
            expect(figure.locator(".question")).to_be_in_viewport(ratio=0.9)
            assert 0 <= top_of_button(figure) <= before + MOST_MOVE, (
                f"{name}: at the question of step {place + 1} the button leaves the hand"
            )
            assert shown_values(figure) == expected_values(name, place - 1, language), (
                f"{name}: step {place + 1} is told before it is asked"
            )
            truth = truth_of(ask, {step.get("label"): step for step in record["steps"]})
            choices = sorted(ask["choices"], key=lambda choice: choice["is"] == truth)
            for choice in choices:  # the wrong ones first
                go_on(figure)  # no way on without the right one
                expect(figure.locator(".where")).to_contain_text(f" {place} ")
                expect_grey_next(figure, SAY["asked"][language])
                fold = figure.locator(".question details").nth(ask["choices"].index(choice))
                fold.locator("summary").click()
                kind = "right" if choice["is"] == truth else "wrong"
                verdict = keyed_words("predict_card", language)[kind]
                expect(fold.locator("p")).to_have_text(
                    f"{verdict} {plain(choice['why'][language])}"
                )
                expect(fold).to_have_class(kind)
            expect(figure.locator(".question details[open]")).to_have_count(len(choices))
            expect_next_to_lead_on(figure)
        if place:
            go_on(figure)
        where = f"{SAY['step'][language]} {place + 1} {SAY['of'][language]} {len(record['steps'])}"
        expect(figure.locator(".where")).to_have_text(where)
        assert shown_values(figure) == expected_values(name, place, language), (
            f"{name}: {place + 1}"
        )
        line = record["code"].splitlines()[step["line"] - 1]
        assert figure.locator(".line.here").inner_text().strip().startswith(line.strip())
        assert figure.locator(".line.here").evaluate(IS_IN_SIGHT), f"{name}: {place + 1} is hidden"
        if "trace" in step:
            expect(figure.locator("li.now pre")).to_have_text(
                record["traces"][step["trace"]]["jaxpr"]
            )
    expect_grey_next(figure, SAY["end"][language])
    figure.get_by_text(SAY["again"][language]).click()
    expect_next_to_lead_on(figure)
    assert shown_values(figure) == expected_values(name, 0, language)
    assert not too_wide(figure), f"{name}: leaves the screen: {too_wide(figure)}"


@pytest.mark.parametrize(("page", "name"), SHOWN)
def test_a_figure_keeps_its_height_and_shows_the_line_whole(visit, page, name):
    if language_of(page) == "ko" and record_of(name)["kind"] == "tree":
        return  # on a phone its branches open one at a time
    figure = figure_in(visit(page, viewport=screen_for(page)), name)
    figure.page.wait_for_timeout(100)
    height = figure.bounding_box()["height"]
    for _ in range(len(record_of(name).get("steps", range(5)))):
        go_on(figure)
        assert figure.bounding_box()["height"] == pytest.approx(height, abs=0.1)
        code = figure.locator(".code pre")
        if code.count():
            assert code.evaluate("e => e.scrollWidth <= e.clientWidth")
            assert figure.locator(".line.here").evaluate(IS_IN_SIGHT)
        if figure.locator(".question .right").is_visible():
            figure.locator(".question button").click()
            assert figure.bounding_box()["height"] == pytest.approx(height, abs=0.1)


@figures_of_kind("steps")
def test_whoever_gives_up_is_shown_what_comes_next(visit, page, name):
    language, record = language_of(page), record_of(name)
    words = words_of(figure_path(f"{name}.py"))["steps"]
    labels = [step.get("label") for step in record["steps"]]
    asked = next(n for n, label in enumerate(labels) if "ask" in words.get(label, {}))
    figure = figure_in(visit(page), name)
    go_on(figure, asked)
    figure.locator(".question details.wrong summary").first.click()
    figure.get_by_role("button", name=keyed_words("predict_card", language)["show"]).click()
    expect(figure.locator(".question")).to_be_hidden()
    assert shown_values(figure) == expected_values(name, asked, language)
    expect(figure.locator("button.next")).to_be_focused()
    figure.page.keyboard.press("ArrowLeft")
    figure.page.keyboard.press("ArrowRight")
    expect(figure.locator(".question")).to_be_hidden()  # it isn't asked again


@pytest.mark.parametrize(("page", "name"), [(page, name) for page, name in SHOWN if "/en/" in page])
def test_the_keyboard_alone_is_enough(visit, page, name):
    window = visit(page)
    figure = figure_in(window, name)
    first = figure.locator(".where").inner_text()
    figure.locator("button.next").focus()
    outline = figure.locator("button.next").evaluate("e => getComputedStyle(e).outlineStyle")
    assert outline == "solid", f"{name}: focus cannot be seen"
    count = int(re.search(r"(\d+)$", figure.locator(".where").inner_text())[1])
    for _ in range(3 * count):
        if figure.locator(".where").inner_text().split()[1] == str(count):
            break
        window.keyboard.press("ArrowRight")
        if figure.locator(".question").count() and figure.locator(".question").is_visible():
            while not figure.locator(".question .right[open]").count():
                window.keyboard.press("Tab")
                window.keyboard.press("Enter")
                expect(figure.locator("summary:focus + p")).to_be_visible()
    expect(figure.locator(".where")).to_contain_text(f" {count} of {count}")
    spoken = figure.locator("[role=status].spoken").inner_text()
    assert spoken.startswith(f"{figure.locator('.where').inner_text()}. "), spoken
    window.keyboard.press("Home")
    expect(figure.locator(".where")).to_have_text(first)


@figures_of_kind("tree")
def test_a_tree_shows_each_leaf_in_all_its_places(visit, page, name):
    language, record = language_of(page), record_of(name)
    window = visit(page, viewport=screen_for(page))
    figure = figure_in(window, name)
    leaves = [node for node in record["nodes"] if "leaf" in node]
    assert figure.locator(".treedef b").count() == len(leaves), f"{name}: a leaf without a star"
    for place, leaf in enumerate(leaves):
        if place:
            go_on(figure)
        where = f"{SAY['leaf'][language]} {place + 1} {SAY['of'][language]} {len(leaves)}"
        expect(figure.locator(".where")).to_have_text(where)
        kind = f"{leaf['dtype']}[{','.join(map(str, leaf['shape']))}]"
        value = [leaf["value"]] if "value" in leaf else []
        assert figure.locator("dd").all_inner_texts() == [leaf["path"], kind, *value]
        expect(figure.locator(".tree button.here")).to_have_text(f"{leaf['name']} {kind}")
        assert figure.locator(".tree button.here").is_visible()
        expect(figure.locator(".chips button[aria-pressed=true]")).to_have_text(str(place + 1))
        stars = figure.locator(".treedef b")
        marked = stars.evaluate_all("all => all.map(e => e.classList.contains('here'))")
        assert marked == [other == place for other in range(len(leaves))]
        closed = figure.locator(".tree details:not([open]) .count:visible").all_inner_texts()
        assert closed == [
            f", {SAY['count'][language].format(count=count)}"
            for count, chosen in branches_of(record, place)
            if screen_for(page) == PHONE and not chosen
        ], f"{name}: on a phone all branches but that of the leaf are closed, on a desk none"
    open_branches(figure)
    figure.locator(".tree button").first.click()
    expect(figure.locator("dd").first).to_have_text(leaves[0]["path"])
    figure.locator(".chips button").last.click()
    expect(figure.locator("dd").first).to_have_text(leaves[-1]["path"])
    for node in record["nodes"]:
        for part in node.get("static", {}):
            expect(figure.locator(".static", has_text=part).first).to_be_visible()
    open_branches(figure)
    empty = [node["type"] for node in record["nodes"] if node.get("empty")]
    assert figure.locator(".empty").count() == len(empty)
    for kind in empty:
        expect(figure.locator(".empty", has_text=kind).first).to_be_visible()
    figure.locator("summary").first.click()
    assert not figure.locator(".tree button").first.is_visible(), f"{name}: the tree does not fold"
    figure.locator("button.next").focus()
    figure.page.keyboard.press("Home")
    assert figure.locator(".tree button").first.is_visible(), f"{name}: the leaf stays hidden"
    assert not too_wide(figure), f"{name}: leaves the screen: {too_wide(figure)}"


def open_branches(figure: Locator) -> None:
    """Open by hand what is closed of a tree."""
    for _ in range(figure.locator(".tree details:not([open])").count()):
        figure.locator(".tree details:not([open]) > summary").first.click()


def branches_of(record: dict, chosen: int) -> list[tuple[int, bool]]:
    """Return per branch below the root how many leaves it has and whether one is the chosen."""
    branches = []
    for node in record["nodes"][1:]:
        if node["depth"] == 1:
            branches.append([])
        if "leaf" in node and node["depth"] > 1:
            branches[-1].append(node["leaf"])
    return [(len(leaves), chosen in leaves) for leaves in branches if leaves]


TRAIN_STATE = ("book/en/11-flax-variables", "train-state-tree")


def test_on_a_phone_a_tree_is_little_taller_than_the_screen(visit):
    page, name = TRAIN_STATE
    figure = figure_in(visit(page, viewport=PHONE), name)
    for _ in record_of(name)["nodes"]:
        height = figure.bounding_box()["height"]
        where = figure.locator(".where").inner_text()
        most = 1.4 if " 1 " not in where else 1  # at first it fits
        assert height <= most * PHONE["height"], f"{where}: {height}"
        star = "e => e.offsetTop >= e.parentElement.scrollTop && e.offsetTop + e.offsetHeight <= "
        star += "e.parentElement.scrollTop + e.parentElement.clientHeight"
        assert figure.locator(".treedef b.here").evaluate(star), "the star is out of sight"
        go_on(figure)


def test_the_focus_goes_along_when_the_branch_of_a_leaf_closes(visit):
    page, name = TRAIN_STATE
    figure = figure_in(visit(page, viewport=PHONE), name)
    go_on(figure, 2)
    figure.locator(".tree button.here").focus()
    figure.page.keyboard.press("ArrowRight")
    expect(figure.locator("dd").first).to_have_text("state.opt_state[0].count")
    expect(figure.locator(".tree button.here")).to_be_focused()


@figures_of_kind("training")
def test_a_training_shows_the_loss_and_every_leaf_at_each_step(visit, page, name):
    language, record = language_of(page), record_of(name)
    window = visit(page, viewport=screen_for(page))
    figure = figure_in(window, name)
    slider = figure.locator("input[type=range]")
    ends, curves = figure.locator(".ends span"), list(chain(*record["losses"].values()))
    curve_at = figure.locator(".chart .curve").bounding_box()["x"]
    last = len(record["at"]) - 1
    for place in (0, 1, last // 2, last):
        slider.fill(str(place))
        where = f"{SAY['step'][language]} {record['at'][place]} {SAY['of'][language]} {record['at'][-1]}"
        expect(figure.locator(".where")).to_have_text(where)
        expect(slider).to_have_attribute("aria-valuetext", where)
        losses = figure.locator(".loss strong").all_inner_texts()
        assert [float(each.replace("\N{MINUS SIGN}", "-")) for each in losses] == [
            curve[place] for curve in record["losses"].values()
        ]
        for end, loss in zip(ends.all(), (max(curves), min(curves)), strict=True):
            assert shown_number(end) == [loss]
            assert end.bounding_box()["x"] + end.bounding_box()["width"] < curve_at, "on the curve"
        rows = figure.locator(".player tbody tr")
        assert rows.count() == len(record["leaves"])
        for number, leaf in enumerate(record["leaves"]):
            row = rows.nth(number)
            expect(row.locator("th code")).to_have_text(leaf["path"])
            assert shown_number(row.locator("td.number")) == leaf["steps"][place], leaf["path"]
            still = place > 0 and leaf["steps"][place] == leaf["steps"][0]
            assert (SAY["unmoved"][language] in row.inner_text()) == still, leaf["path"]
    slider.fill("0")
    slider.focus()
    figure.page.keyboard.press("ArrowRight")
    expect(figure.locator(".where")).to_contain_text(f" {record['at'][1]} ")
    figure.page.keyboard.press("End")
    expect(figure.locator(".where")).to_contain_text(f" {record['at'][-1]} ")
    assert not too_wide(figure), f"{name}: leaves the screen: {too_wide(figure)}"


def shown_number(element: Locator) -> list[float]:
    """Return the numbers that an element shows."""
    text = element.inner_text().replace("\N{MINUS SIGN}", "-")
    return [float(found) for found in re.findall(r"-?\d+(?:\.\d+)?(?:e-?\d+)?", text)]


PAGES_WITH_FIGURES = list(dict.fromkeys(page for page, _ in SHOWN))


@pytest.mark.parametrize("page", PAGES_WITH_FIGURES)
def test_without_scripts_and_in_print_the_plain_form_is_read(visit, page):
    silent, window = visit(page, java_script_enabled=False), visit(page, viewport=PAPER)
    for name in (name for shown_on, name in SHOWN if shown_on == page):
        figure = uncovered(silent.locator(f"recorded-figure.figure-{name}"))
        assert figure.locator(".plain").is_visible() and not figure.locator(".player").count()
        assert figure.locator(".plain :is(li, td)").first.is_visible()
        version = record_of(name)["versions"]["jax"]
        expect(figure.locator(".plain > p").last).to_contain_text(f"jax {version}")
        window.emulate_media(media="screen")
        figure = figure_in(window, name)
        assert not figure.locator(".plain").is_visible()
        expect(figure.locator("> .source")).to_contain_text(f"jax {version}")
        window.emulate_media(media="print")
        assert figure.locator(".plain").is_visible()
        assert not figure.locator(".player").is_visible()


# Pages that hold every kind of figure; axe takes seconds a page.
@pytest.mark.parametrize(
    "chapter", ["03-counter-pitfall", "11-flax-variables", "12-batchnorm-under-vmap"]
)
@pytest.mark.parametrize(("language", "look"), [("ko", "dark"), ("en", "light")])
def test_axe_finds_nothing(visit, chapter, language, look):
    page = f"book/{language}/{chapter}"
    window = visit(page, viewport=PHONE, color_scheme=look, reduced_motion="reduce")
    for shown_on, name in SHOWN:
        if shown_on == page:
            go_on(figure_in(window, name), 6)  # some steps, or as far as the first question
    for question in window.locator(".question:visible").all():
        for button in question.locator("summary").all():
            button.click()
    assert window.evaluate("document.documentElement.dataset.theme") == look
    assert not violations(window, "recorded-figure")
    moving = window.evaluate(
        "document.querySelector('recorded-figure').getAnimations({ subtree: true }).length"
    )
    assert not moving, f"{page}: something moves although the reader asked for rest"


@pytest.mark.parametrize("page", PAGES)
def test_figures_are_loaded_where_they_are(site, page):
    soup = soup_of(site, page)
    ahead = soup.select("link[rel='prefetch'][href*='recorded-figure']")
    assert len(ahead) == (page == pages_of(language_of(page))[0]), f"{page}: {ahead}"
    loaded = soup.select("script[src*='recorded-figure']")
    assert len(loaded) == (page in PAGES_WITH_FIGURES), f"{page}: {loaded}"
    assert all(script.has_attr("defer") for script in loaded)
