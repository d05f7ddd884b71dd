"""What the reader does with the recorded figures: step, predict, look, by mouse and by keyboard."""

import gzip
import json
import re

import pytest
import yaml
from axe_playwright_python.sync_playwright import Axe
from built_site import NOTEBOOK_PAGES, PAGES, language_of, soup_of
from chapter_source import chapter_paths
from figure_records import FIGURES
from playwright.sync_api import Locator, Page, expect

pytestmark = pytest.mark.xdist_group("site")

PHONE = {"width": 390, "height": 844}
SCRIPT_BYTES = 15_000  # gzipped
PAGE_BYTES = 40_000  # gzipped: what the figures of a page may cost, script and style included

SHOWN = [
    (f"book/{language}/{chapter.stem}", name)
    for chapter in chapter_paths()
    for name in re.findall(r"\.\./figures/([a-z0-9-]+)\.json\)", chapter.read_text("utf8"))
    for language in ("ko", "en")
]
# Each pair of chapter and figure stands there in Korean and in English.
SHOWN = list(dict.fromkeys(SHOWN))
each_figure = pytest.mark.parametrize(("page", "name"), SHOWN)
COUNTER = ("book/ko/03-counter-pitfall", "counter-under-jit")
SAY = yaml.safe_load((FIGURES / "words.yml").read_text("utf8"))


def record_of(name: str) -> dict:
    """Return the committed record of a figure."""
    return json.loads((FIGURES / f"{name}.json").read_text("utf8"))


def words_of(name: str) -> dict:
    """Return what is said about the steps of a figure."""
    return yaml.safe_load((FIGURES / f"{name}.yml").read_text("utf8")).get("steps", {})


def plain(text: str) -> str:
    """Return a text as it is shown: without the marks of code."""
    return text.replace("`", "")


def figure_in(window: Page, name: str) -> Locator:
    """Return a figure once its script has made it play."""
    figure = window.locator(f"recorded-figure.figure-{name}.plays")
    figure.wait_for()
    return figure


def watched(faults: list, address: str):
    """Return a watcher that notes errors and requests to other hosts."""

    def watch(window: Page) -> None:
        window.on("pageerror", lambda error: faults.append(f"script error: {error}"))
        window.on("console", lambda m: m.type == "error" and faults.append(f"console: {m.text}"))
        window.on(
            "request",
            lambda request: (
                request.url.startswith((address, "data:"))
                or faults.append(f"asks another host: {request.url}")
            ),
        )

    return watch


def violations(window: Page) -> list[str]:
    """Return what axe finds wrong with the figures of a page."""
    found = Axe().run(window, context="recorded-figure").response["violations"]
    return [f"{each['id']}: {each['nodes'][0]['html'][:200]}" for each in found]


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
    pairs = [*step["state"].items(), *step.get("local", {}).items()]
    if record["enter"]:
        pairs.append((SAY["runs"][language], step["runs"]))
    pairs += [(SAY[part][language], step[part]) for part in ("returned", "error") if part in step]
    return [f"{key}={value}" for key, value in pairs]


STEPPERS = [(page, name) for page, name in SHOWN if record_of(name)["kind"] == "steps"]
each_stepper = pytest.mark.parametrize(("page", "name"), STEPPERS)


@each_stepper
def test_clicking_through_shows_each_step_and_asks_before_it_tells(visit, address, page, name):
    faults, language = [], language_of(page)
    window = visit(page, watched(faults, address))
    figure = figure_in(window, name)
    record, words = record_of(name), words_of(name)
    for place, step in enumerate(record["steps"]):
        ask = words.get(step.get("label"), {}).get("ask")
        if ask:
            figure.locator("button.next").click()
            expect(figure.locator(".question")).to_contain_text(plain(ask["question"][language]))
            assert shown_values(figure) == expected_values(name, place - 1, language), (
                f"{name}: step {place + 1} is told before it is asked"
            )
            figure.locator("button.next").click(force=True)  # no way on without an answer
            expect(figure.locator(".where")).to_contain_text(f" {place} ")
            truth = truth_of(record, ask["about"])
            choices = sorted(ask["choices"], key=lambda choice: choice["is"] == truth)
            for choice in choices:  # the wrong ones first
                button = figure.locator(".choices button").nth(ask["choices"].index(choice))
                button.click()
                verdict = SAY["right" if choice["is"] == truth else "wrong"][language]
                said = f"{verdict}. {plain(choice['why'][language])}"
                expect(figure.locator(".why")).to_have_text(said)
                expect(button).to_have_class("right" if choice["is"] == truth else "wrong")
        if place:
            figure.locator("button.next").click()
        where = f"{SAY['step'][language]} {place + 1} {SAY['of'][language]} {len(record['steps'])}"
        expect(figure.locator(".where")).to_have_text(where)
        assert shown_values(figure) == expected_values(name, place, language), (
            f"{name}: {place + 1}"
        )
        line = record["code"].splitlines()[step["line"] - 1]
        assert figure.locator(".line.here").inner_text().strip().startswith(line.strip())
        if "film" in step:
            expect(figure.locator("li.now pre")).to_have_text(
                record["films"][step["film"]]["jaxpr"]
            )
    expect(figure.locator("button.next")).to_have_attribute("aria-disabled", "true")
    figure.get_by_text(SAY["again"][language]).click()
    assert shown_values(figure) == expected_values(name, 0, language)
    assert not faults, f"{page}: {faults}"


def truth_of(record: dict, about: str) -> str:
    """Return what the record says about STEP.FIELD."""
    label, field, *rest = about.split(".", 2)
    (step,) = [step for step in record["steps"] if step.get("label") == label]
    return str(step[field][rest[0]] if rest else step[field])


@pytest.mark.parametrize(("page", "name"), [(page, name) for page, name in SHOWN if "/en/" in page])
def test_the_keyboard_alone_is_enough(visit, page, name):
    window = visit(page)
    figure = figure_in(window, name)
    figure.locator("button.next").focus()
    outline = figure.locator("button.next").evaluate("e => getComputedStyle(e).outlineStyle")
    assert outline == "solid", f"{name}: focus cannot be seen"
    count = int(re.search(r"(\d+)$", figure.locator(".where").inner_text())[1])
    for _ in range(3 * count):
        if figure.locator(".where").inner_text().split()[1] == str(count):
            break
        window.keyboard.press("ArrowRight")
        if figure.locator(".question").count() and figure.locator(".question").is_visible():
            window.keyboard.press("Tab")
            window.keyboard.press("Enter")
            expect(figure.locator(".why")).not_to_be_empty()
    expect(figure.locator(".where")).to_contain_text(f" {count} of {count}")
    spoken = figure.locator("[role=status].spoken").inner_text()
    assert spoken.startswith(f"{figure.locator('.where').inner_text()}. "), spoken
    window.keyboard.press("Home")
    expect(figure.locator(".where")).to_contain_text(f" 1 of {count}")


@each_figure
def test_without_scripts_and_in_print_the_plain_form_is_read(visit, page, name):
    window = visit(page, java_script_enabled=False)
    figure = window.locator(f"recorded-figure.figure-{name}")
    assert figure.locator(".plain").is_visible() and not figure.locator(".player").count()
    assert figure.locator(".plain :is(li, td)").first.is_visible()
    version = record_of(name)["versions"]["jax"]
    expect(figure.locator(".plain > p").last).to_contain_text(f"jax {version}")
    window = visit(page)
    figure = figure_in(window, name)
    assert not figure.locator(".plain").is_visible()
    expect(figure.locator("> .source")).to_contain_text(f"jax {version}")
    window.emulate_media(media="print")
    assert figure.locator(".plain").is_visible()
    assert not figure.locator(".player").is_visible()


PAGES_WITH_FIGURES = list(dict.fromkeys(page for page, _ in SHOWN))


@pytest.mark.parametrize("page", PAGES_WITH_FIGURES)
@pytest.mark.parametrize("look", ["light", "dark"])
def test_axe_finds_nothing_and_nothing_is_wider_than_a_phone(visit, page, look):
    window = visit(page, viewport=PHONE, color_scheme=look, reduced_motion="reduce")
    names = [name for shown_on, name in SHOWN if shown_on == page]
    for name in names:
        figure = figure_in(window, name)
        for _ in range(4):
            figure.locator("button.next").click()
    assert window.evaluate("document.documentElement.dataset.theme") == look
    assert not violations(window)
    for question in window.locator(".question:visible").all():
        for button in question.locator("button").all():
            button.click()
    assert not violations(window)
    wide = window.evaluate(
        """() => [...document.querySelectorAll('recorded-figure *:not(.line, .line *, pre *)')]
            .filter(e => e.getBoundingClientRect().right > innerWidth + 1)
            .filter(e => !e.closest('pre, .scrolls'))
            .map(e => e.outerHTML.slice(0, 120))"""
    )
    assert not wide, f"{page}: wider than a phone: {wide}"
    moving = window.evaluate(
        "document.querySelector('recorded-figure').getAnimations({ subtree: true }).length"
    )
    assert not moving, f"{page}: something moves although the reader asked for rest"


def test_the_dark_theme_darkens_a_figure(visit):
    page, name = COUNTER
    colours = {
        look: figure_in(visit(page, color_scheme=look), name)
        .locator("pre")
        .last.evaluate("e => [getComputedStyle(e).backgroundColor, getComputedStyle(e).color]")
        for look in ("light", "dark")
    }
    for light, dark in zip(colours["light"], colours["dark"], strict=True):
        assert light != dark, f"the colour {light} stays in the dark"


def gzipped(text: str) -> int:
    """Return how many bytes a text costs on the way."""
    return len(gzip.compress(text.encode(), mtime=0))


@pytest.mark.parametrize("page", PAGES)
def test_figures_are_light_and_loaded_where_they_are(site, page):
    static = [site / f"_static/recorded-figures.{kind}" for kind in ("js", "css")]
    script, style = (gzipped(file.read_text("utf8")) for file in static)
    assert script <= SCRIPT_BYTES, f"recorded-figures.js has {script} bytes"
    soup = soup_of(site, page)
    loaded = soup.select("script[src*='recorded-figures'], link[href*='recorded-figures']")
    assert len(loaded) == (2 if page in PAGES_WITH_FIGURES else 0), f"{page}: {loaded}"
    assert all(script.has_attr("defer") for script in loaded if script.name == "script")
    text = (site / f"{page}.html").read_text("utf8")
    without = re.sub(r"<recorded-figure.*?</recorded-figure>", "", text, flags=re.DOTALL)
    cost = gzipped(text) - gzipped(without)
    cost += (script + style) if page in PAGES_WITH_FIGURES else 0
    assert cost <= PAGE_BYTES, f"{page}: its figures cost {cost} bytes"
    handlers = [
        tag.name for tag in soup.select("recorded-figure *") for a in tag.attrs if a[:2] == "on"
    ]
    assert not handlers, f"{page}: event handlers in the markup: {handlers}"
    scripts = soup.select("recorded-figure script:not([type='application/json'])")
    assert not scripts, f"{page}: a script that runs stands in a figure"


def test_every_figure_of_a_chapter_is_on_its_page(site):
    for page in NOTEBOOK_PAGES:
        names = [name for shown_on, name in SHOWN if shown_on == page]
        found = [
            tag["class"][0].removeprefix("figure-")
            for tag in soup_of(site, page).select("recorded-figure")
        ]
        assert found == names, f"{page} shows {found} instead of {names}"
