"""Pictures: what is drawn wrong is refused, and what chapters show is whole and of today.

That each script still gives the values that its picture shows is an item of its own:
`pytest book/chapters`.
"""

import re
import shutil
from pathlib import Path
from xml.etree import ElementTree

import matplotlib
import pytest
from PIL import ImageFont

from workshop.chapter.parity import unequal
from workshop.chapter.prose import findings
from workshop.chapter.read import read_chapter
from workshop.layout import CHAPTERS, LANGUAGES, chapter_paths
from workshop.picture import images
from workshop.picture.drawing import KINDS, LEAST, STYLE, Picture, PictureError
from workshop.picture.images import drawings, image_of, is_drawn
from workshop.picture.pictures import (
    drawn,
    faults_of,
    in_language,
    kept,
    narrow_form,
    write_picture,
)
from workshop.picture.wording import room_for
from workshop.site.browser import NoBrowserError

DRAWINGS = drawings()
each_drawing = pytest.mark.parametrize("svg", DRAWINGS, ids=lambda path: path.stem)
OF_SENTENCES = ("-습니다", "no colon after a sentence")  # rules that labels needn't follow
SMALL = CHAPTERS / "03-counter-pitfall/figures/two-jaxprs.py"


def words_of(svg: Path, language: str) -> list[str]:
    """The texts that stand in one language alone."""
    texts = (text for text in in_language(svg, language).iter() if text.get("lang"))
    return ["".join(text.itertext()) for text in texts if "".join(text.itertext())]


@each_drawing
@pytest.mark.parametrize("language", LANGUAGES)
def test_its_words_follow_the_rules_of_prose(svg, language):
    for path in filter(Path.exists, (svg, narrow_form(svg))):
        for text in words_of(path, language):
            found = [x for x in findings(text, language) if not any(of in x for of in OF_SENTENCES)]
            assert not found, f"{path.name}: {text!r}: {found}"


@each_drawing
def test_both_languages_say_the_same_numbers(svg):
    for path in filter(Path.exists, (svg, narrow_form(svg))):
        lines = unequal(*("\n\n".join(words_of(path, code)) for code in LANGUAGES))
        assert not lines, f"{path.name}: {lines}"


@each_drawing
def test_a_chapter_shows_it(svg):
    shown = {figure.path for path in chapter_paths() for figure in read_chapter(path).figures}
    assert svg in shown, f"figures/{svg.name}: no chapter shows it; show it or delete it"


@each_drawing
def test_its_images_are_of_today(svg):
    assert is_drawn(svg), f"figures/{svg.stem}: its images are old; run `make notebooks`"


def test_an_image_of_another_drawing_is_seen(tmp_path):
    for path in (DRAWINGS[0], *(image_of(DRAWINGS[0], code) for code in LANGUAGES)):
        shutil.copy(path, tmp_path)
    svg = tmp_path / DRAWINGS[0].name
    assert is_drawn(svg)
    svg.write_text(svg.read_text("utf8").replace("</svg>", "<rect/></svg>"), "utf8")
    assert not is_drawn(svg)


def test_without_a_browser_one_line_says_what_needs_it(tmp_path, monkeypatch):
    def no_browser():
        raise NoBrowserError("no browser found: install chromium")

    (folder := tmp_path / "07-random/figures").mkdir(parents=True)
    (folder / "small.svg").write_text("<svg/>", "utf8")
    monkeypatch.setattr(images, "started_browser", no_browser)
    with pytest.raises(PictureError, match=r"small\.svg: .* but no browser found"):
        list(images.draw_anew(run_again=False, chapters=tmp_path))


@pytest.fixture
def script(tmp_path):
    """A copy of a picture's script, drawn."""
    copied = tmp_path / SMALL.name
    shutil.copy(SMALL, copied)
    write_picture(copied, run_again=False)
    return copied


def test_a_changed_value_is_named(script):
    assert not faults_of(script)
    svg = script.with_suffix(".svg")
    svg.write_text(svg.read_text("utf8").replace('"name": "add"', '"name": "mul"'), "utf8")
    values, *drawings = faults_of(script)
    assert re.search(r"next_count.*name: documented \"mul\", produced \"add\"", values)
    assert len(drawings) == 2, "neither form shows the changed value"


def test_only_other_versions_may_give_no_values(script):
    text = script.read_text("utf8")
    script.write_text(re.sub(r"(def values.*?:\n)", r"\1    return None\n", text), "utf8")
    assert faults_of(script)
    assert not faults_of(script, tolerant=True)


def test_a_drawing_that_was_edited_is_named(script):
    narrow = narrow_form(script)
    narrow.write_text(narrow.read_text("utf8").replace("input", "inputs"), "utf8")
    assert faults_of(script) == [f"{narrow.name} is not what the script draws from the kept values"]


def test_a_script_that_fails_is_refused_in_one_line(tmp_path):
    script = tmp_path / "small.py"
    script.write_text("def values():\n    return 1 / 0\n", "utf8")
    with pytest.raises(
        PictureError, match=r"^small\.py: gives no values \(ZeroDivisionError"
    ) as caught:
        write_picture(script, run_again=False)
    assert "\n" not in str(caught.value)
    with pytest.raises(PictureError, match=r"^small\.py: defines no draw\(picture, values\)"):
        drawn(script, {"values": {}})
    assert faults_of(script) == ["was never drawn"]
    assert kept(script) is None


def too_wide(picture: Picture) -> None:
    picture.box(0, 0, 40, 30, "too_wide_for_it")


def outside(picture: Picture) -> None:
    picture.text(picture.width - 20, 20, {"ko": "넘칩니다", "en": "beyond the edge"})


def across_an_edge(picture: Picture) -> None:
    picture.box(0, 0, 60, 30)
    picture.text(40, 20, {"ko": "모서리를 넘음", "en": "across"})


def on_another(picture: Picture) -> None:
    picture.text(0, 20, "one")
    picture.text(10, 24, {"ko": "겹칩니다", "en": "overlaps"})


def of_no_kind(picture: Picture) -> None:
    picture.box(0, 0, 60, 30, kind="important")


FAULTS = {
    too_wide: "trial: '`too_wide_for_it`' has 94 pixels too few on a phone; shorten it",
    outside: "trial: '넘칩니다' has 34 pixels too few on a phone",
    across_an_edge: r"trial: '모서리를 넘음' crosses the edge of a box at \(0, 0\) on a phone; move",
    on_another: "trial: '겹칩니다' and '`one`' overlap on a phone; move one of them",
    of_no_kind: "trial: no kind 'important'; known are state, trace, lost",
}


@pytest.mark.parametrize("draw", FAULTS, ids=lambda draw: draw.__name__)
def test_what_is_drawn_wrong_is_refused_in_one_line(draw):
    picture = Picture("trial", narrow=True)
    with pytest.raises(PictureError, match="^" + FAULTS[draw]) as caught:
        draw(picture)
        picture.svg()
    assert "\n" not in str(caught.value)


def test_what_is_lost_says_so_in_both_languages():
    picture = Picture("trial", narrow=False)
    picture.box(0, 0, 60, 30, "1", "lost")
    texts = re.findall(r'<text[^>]*lang="(\w+)"[^>]*>([^<]*)', picture.svg())
    assert texts == [("ko", "사라짐"), ("en", "lost")]


def test_kinds_are_told_apart_without_colour():
    forms = {}
    for kind in KINDS:
        picture = Picture("trial", narrow=False)
        picture.box(0, 0, 60, 30, kind=kind)
        root = ElementTree.fromstring(picture.svg())
        shapes = [each.get("class", "").replace(kind, "") for each in root.iter() if each.get("d")]
        rule = re.search(rf"rect\.{kind} {{(.*)}}", STYLE)
        strokes = re.findall(r"stroke-(?:width|dasharray): [^;]*", rule[1]) if rule else []
        forms[kind] = str((shapes, strokes))
    told = {forms[kind] for kind in ("trace", "lost", "static", "plain")}
    assert len(told) == 4
    assert forms["state"] not in told


@pytest.mark.parametrize("bold", [False, True])
def test_a_line_is_counted_as_wide_as_the_widest_font_makes_it(bold):
    file = f"fonts/ttf/DejaVuSans{'-Bold' if bold else ''}.ttf"
    font = ImageFont.truetype(Path(matplotlib.get_data_path(), file), 100)
    for text in {text for svg in DRAWINGS for text in words_of(svg, "en")}:
        assert room_for(text, 100, bold) >= font.getlength(text), text


def test_no_letter_is_smaller_than_it_may_be():
    sizes = [float(size) for size in re.findall(r"font-size: ([\d.]+)px", STYLE)]
    assert min(sizes) == LEAST


def test_a_picture_that_stands_alone_has_the_colours_of_the_light_theme():
    sheet = (Path(images.__file__).parent / "static/picture.css").read_text("utf8")
    light, dark = (dict(re.findall(r"(--picture-[\w-]+): (#\w+)", part)) for part in
                   sheet.split('data-theme="dark"'))  # fmt: skip
    alone = dict(re.findall(r"var\((--picture-[\w-]+), (#\w+)\)", STYLE))
    assert alone == {name: colour for name, colour in light.items() if name in alone}
    assert light.keys() == dark.keys() == alone.keys()
