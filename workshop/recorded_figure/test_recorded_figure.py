"""Recorded figures: their words are sound, and a record or a script that is wrong is refused.

That each script still does what its record says is an item of its own: `pytest book/chapters`.
"""

import copy
import re
from pathlib import Path
from types import SimpleNamespace

import pytest
import yaml
from docutils import nodes
from docutils.frontend import get_default_settings
from docutils.parsers.rst import Parser
from docutils.utils import new_document
from sphinx.errors import ExtensionError

from workshop.chapter.parity import unequal
from workshop.chapter.prose import findings
from workshop.chapter.read import read_chapter
from workshop.layout import BOOK, LANGUAGES, chapter_paths, figure_path
from workshop.recorded_figure import records
from workshop.recorded_figure.on_site import RecordedFigures
from workshop.recorded_figure.plain_form import check_words, static_form
from workshop.recorded_figure.records import (
    FigureError,
    differences_of_records,
    figure_scripts,
    read_record,
    record,
    words_of,
    write_record,
)

HERE = Path(__file__).parent
SHARED_WORDS = HERE / "words.yml"
SCRIPTS = figure_scripts()
each_script = pytest.mark.parametrize("script", SCRIPTS, ids=lambda script: script.stem)
COUNTER = figure_path("counter-under-jit.py")


def texts_in(words, place: str = ""):
    """Every text of a file of words: where it stands and its languages."""
    if isinstance(words, dict) and set(words) == set(LANGUAGES):
        yield place, words
    elif isinstance(words, dict):
        for key, below in words.items():
            yield from texts_in(below, f"{place}.{key}" if place else key)
    elif isinstance(words, list):
        for number, below in enumerate(words, start=1):
            yield from texts_in(below, f"{place} {number}")


@pytest.mark.parametrize(
    "path",
    [SHARED_WORDS, *(script.with_suffix(".yml") for script in SCRIPTS)],
    ids=lambda path: path.stem,
)
def test_the_words_follow_the_rules_of_prose(path):
    words = yaml.safe_load(path.read_text("utf8"))
    words.pop("record", None)
    found = list(texts_in(words))
    assert bool(found) == bool(words), f"{path.name}: words that are in no language"
    for place, texts in found:
        for language, text in texts.items():
            here = f"{path.name}: {place}.{language}"
            assert text.strip(), f"{here} is empty"
            assert not findings(text, language), f"{here}: {findings(text, language)}"
        lines = unequal(texts["ko"], texts["en"])
        assert not lines, f"{path.name}: {place}: {lines}"


@each_script
def test_a_figure_is_shown_by_a_chapter(script):
    shown = {figure.path.stem for path in chapter_paths() for figure in read_chapter(path).figures}
    assert script.stem in shown, f"figures/{script.name}: no chapter shows it; show it or delete it"


@each_script
@pytest.mark.parametrize("language", LANGUAGES)
def test_the_plain_form_is_plain_markdown_and_names_the_versions(script, language):
    form = static_form(script, "What it shows.", language)
    inside = form.removeprefix(f"<!-- figure {script.stem} -->").removesuffix(
        "<!-- end of figure -->"
    )
    prose = re.sub(r"```.*?```|`[^`]*`", "", inside, flags=re.DOTALL)
    assert not re.search(r"<[a-z!/]", prose), f"{script.stem}: HTML in its plain form"
    for name, version in read_record(script)["versions"].items():
        assert f"{name} {version}" in inside


@pytest.fixture
def figure(tmp_path):
    """A function that writes a small figure of its own and returns its script."""

    def write(code: str, words: dict) -> Path:
        script = tmp_path / "small.py"
        script.write_text(f'"""Small."""\n\n{code}', "utf8")
        script.with_suffix(".yml").write_text(yaml.safe_dump(words, allow_unicode=True), "utf8")
        return script

    return write


STEPS = {"kind": "steps", "watch": ["x"], "enter": "f"}
CODE = (
    "import jax\n\n\n@jax.jit\ndef f(n):\n    print('here')\n    return n + 1  #: inside\n\n\n"
    "x = f(1)  #: first\nx = f(2)  #: second\nf(1.5)  #: third\n"
)


def test_a_record_says_what_happened(figure):
    steps = record(figure(CODE, {"record": STEPS}))
    assert steps["code"].startswith("import jax\n\n\n@jax.jit") and "#:" not in steps["code"]
    lines = steps["code"].splitlines()
    seen = [
        (lines[step["line"] - 1].strip(), step.get("label"), step["state"].get("x"), step["runs"])
        for step in steps["steps"]
    ]
    assert seen == [
        ("print('here')", None, None, 1),
        ("return n + 1", "inside", None, 1),
        ("x = f(1)", "first", "2", 1),
        ("x = f(2)", "second", "3", 1),
        ("print('here')", None, "3", 2),
        ("return n + 1", "inside.2", "3", 2),
        ("f(1.5)", "third", "3", 2),
    ]
    assert [(step.get("trace"), step.get("made")) for step in steps["steps"]] == [
        (None, None), (None, None), (0, True), (0, False), (None, None), (None, None), (1, True)
    ]  # fmt: skip
    assert steps["steps"][0]["output"] == "here\n"
    assert steps["steps"][0]["local"] == {"n": "tracer int32[]"}
    assert steps["steps"][6]["returned"] == "2.5"
    assert [trace["for"] for trace in steps["traces"]] == [["int32[] weak"], ["float32[] weak"]]
    assert "add" in steps["traces"][0]["jaxpr"]


def test_a_record_is_written_once_and_anew_when_the_script_changes(figure):
    words = {"record": STEPS}
    script = figure(CODE, words)
    assert write_record(script, run=False) == "run, written"
    assert write_record(script, run=False) == "unchanged"
    written = script.with_suffix(".json").read_bytes()
    assert write_record(script, run=True) == "run, unchanged"
    assert script.with_suffix(".json").read_bytes() == written
    figure(CODE, words | {"steps": {"first": {"note": {"ko": "가", "en": "A"}}}})
    assert write_record(script, run=False) == "unchanged"
    figure(CODE.replace("n + 1", "n + 2"), words)
    assert write_record(script, run=False) == "run, written"


@pytest.mark.parametrize(
    ("place", "value", "said"),
    [
        (("steps", 5, "returned"), "2", 'steps 6.returned: documented "2", produced "1"'),
        (("steps", 5, "trace"), 1, "steps 6.trace: documented 1, produced 0"),
        (("steps", 2, "state", "counter.n"), "0", "steps 3.state.counter.n: documented"),
        (("traces", 0, "jaxpr"), "{ lambda ; . let in () }", "traces 1.jaxpr: documented"),
        (("source",), "0123", "its script, its settings or the recorder changed since"),
        (("versions", "jax"), "0.1", 'versions.jax: documented "0.1"'),
    ],
)
def test_a_record_that_jax_no_longer_produces_is_named(place, value, said):
    produced = read_record(COUNTER)
    documented = copy.deepcopy(produced)
    inner = documented
    for key in place[:-1]:
        inner = inner[key]
    inner[place[-1]] = value
    (line,) = differences_of_records(documented, produced)
    assert line.startswith(said), line
    tolerated = place[0] in ("versions", "source")
    assert bool(differences_of_records(documented, produced, tolerant=True)) != tolerated


def test_numbers_may_differ_in_their_last_digit_only():
    def found(old, new, **options):
        return differences_of_records({"losses": [old]}, {"losses": [new]}, **options)

    assert not found(0.1234, 0.1235)
    assert not found(1.234e-05, 1.235e-05)
    assert found(0.1234, 0.1264)
    assert found(0.0, 0.1)
    assert found(1, 2), "whole numbers are exact"
    assert found("1.234", "1.235") and not found("1.234", "1.235", tolerant=True)


BAD = {
    "a statement that fails": (
        "x = 1  #: one\n1 / 0\n",
        STEPS,
        "line 4 fails with ZeroDivisionError",
    ),
    "an array that is baked in": (
        "import jax\n\nc = jax.numpy.ones(2)\nf = jax.jit(lambda: c + 1)\nf()  #: one\n",
        STEPS,
        "a jaxpr holds an array that was baked in, which no figure shows yet",
    ),
    "a process that dies": (
        "import os\n\nos._exit(3)\n",
        {"kind": "tree", "show": "x"},
        "no reason given",
    ),
    "a script without steps": ("x = 1\n", STEPS, "no line has a label; end the first that"),
    "an early end": ("raise SystemExit\n", {"kind": "tree", "show": "x"}, "no reason"),
    "an unknown kind": ("x = 1\n", {"kind": "trace"}, "unknown kind 'trace'; known are steps"),
}


@pytest.mark.parametrize("fault", BAD)
def test_a_script_that_cannot_be_recorded_gets_one_line(figure, fault):
    code, settings, said = BAD[fault]
    script = figure(code, {"record": settings})
    with pytest.raises(FigureError, match=said) as caught:
        record(script)
    assert "figures/small.py" in str(caught.value) and "\n" not in str(caught.value)


def test_a_script_that_hangs_is_named(figure, monkeypatch):
    monkeypatch.setattr(records, "RUN_SECONDS", 2)
    with pytest.raises(FigureError, match=r"small\.py: runs longer than 2 s"):
        record(figure("while True:\n    pass\n", {"record": {"kind": "tree", "show": "x"}}))


def asking(*choices: str) -> dict:
    """A question with these choices about what the second call of the counter returns."""
    choices = [{"is": choice, "why": {"ko": "가", "en": "A"}} for choice in choices]
    return {"about": "second.returned", "choices": choices}


@pytest.mark.parametrize(
    ("steps", "said"),
    [
        ({"fourth": {}}, "no step 'fourth'; known are make, compile, add"),
        ({"second": {"ask": asking("2", "3")}}, "which is '1'; 0 choices say so, write one"),
        ({"second": {"ask": asking("1", "1")}}, "which is '1'; 2 choices say so, write one"),
    ],
)
def test_words_that_do_not_fit_the_record_are_refused(steps, said):
    with pytest.raises(FigureError, match=re.escape(said)):
        check_words(COUNTER, read_record(COUNTER), {"steps": steps})


def test_missing_files_are_named(tmp_path):
    script = tmp_path / "small.py"
    script.write_text("x = 1\n")
    with pytest.raises(FigureError, match=r"figures/small\.yml: is missing"):
        words_of(script)
    script.with_suffix(".yml").write_text("record: {kind: steps}\n")
    with pytest.raises(FigureError, match=r"small\.json: is missing; run `make notebooks`"):
        static_form(script, "What it shows.", "en")
    script.with_suffix(".yml").write_text("record: [\n")
    with pytest.raises(FigureError, match=r"figures/small\.yml: cannot be read"):
        words_of(script)


def test_the_words_that_all_figures_share_are_used():
    player = HERE.joinpath("static/recorded-figure.js").read_text("utf8")
    plain = HERE.joinpath("plain_form.py").read_text("utf8")
    for word in yaml.safe_load(SHARED_WORDS.read_text("utf8")):
        used = re.search(rf"say\.{word}\b|\"{word}\"", player + plain)
        assert used or f"say['{word}']" in plain, f"words.yml: nobody says {word!r}"


def page_of(*comments: str) -> nodes.document:
    """A page of paragraphs after comments, gathered as the site does."""
    document = new_document("page", get_default_settings(Parser()))
    for comment in comments:
        document += nodes.raw("", comment, format="html")
        document += nodes.paragraph("", "between")
    dependencies = []
    document.settings.env = SimpleNamespace(
        docname="book/en/03-page", srcdir=BOOK.parent, note_dependency=dependencies.append
    )
    RecordedFigures(document).apply()
    return document


@pytest.mark.parametrize(
    ("comments", "said"),
    [
        (["<!-- figure counter-under-jit -->"], "figure counter-under-jit has no end comment"),
        (
            ["<!-- figure lost -->", "<!-- end of figure -->"],
            "there is no book/chapters/any/figures/lost.json",
        ),
    ],
)
def test_a_figure_that_the_site_cannot_gather_stops_the_build(comments, said):
    with pytest.raises(ExtensionError, match=re.escape(f"book/en/03-page: {said}")):
        page_of(*comments)
