"""A predict card is answered by its cell, and unfolds wherever a notebook is read."""

import itertools
import re
from pathlib import Path

import nbformat
import pytest
from markdown_it import MarkdownIt

from tests.small_chapter import HEADER, code, pair
from workshop.chapter.read import ChapterError, read_chapter
from workshop.chapter.write import write_chapter
from workshop.layout import LANGUAGES, chapter_paths
from workshop.predict_card.card import LEADS, card_in, shows, unfolding

TITLES = {"ko": "# 7. 난수", "en": "# 7. Random"}
QUESTIONS = {"ko": "**맞혀 보세요.** 무엇이 나올까요?", "en": "**Predict.** What comes out?"}
RIGHT = "- [x] `1 1 1`\n  It is a cache hit.\n"
WRONG = "- [ ] `1 2 3`\n  It would have to run.\n"
CODE = code("print('1  1 1')")


def written(path: Path, cards: dict[str, str], below: str = CODE) -> Path:
    """Write a chapter with one card per language into an empty book and return its path."""
    text = HEADER + pair(*TITLES.values()) + pair(*cards.values())
    path = path / "book" / "chapters" / "07-random"
    path.mkdir(parents=True)
    (path / "chapter.md").write_text(text + below, encoding="utf8")
    return path


def both(choices: str) -> dict[str, str]:
    """The same choices under the question of each language."""
    return {language: f"{QUESTIONS[language]}\n\n{choices}" for language in LANGUAGES}


@pytest.mark.parametrize(
    ("choices", "message"),
    [
        (WRONG, "a card with 1 choices; write two to four"),
        (WRONG + RIGHT.replace("x", " "), r"a card with 0 right choices; mark one with \[x\]"),
        (RIGHT + RIGHT.replace("1`", "2`"), r"a card with 2 right choices; mark one with \[x\]"),
        (RIGHT + RIGHT.replace("[x]", "[ ]"), "two choices of a card have the same value"),
        (RIGHT + "- [ ] `1 2 3`\n", "the choice '`1 2 3`' has no why; write it below, indented"),
        (RIGHT + WRONG + "  Not 1 1 1.\n", "the why of '`1 2 3`' gives the answer, `1 1 1`, away"),
        (RIGHT + "- [ ] three\n  No.\n", "the choice 'three' has no value; write what would"),
        (RIGHT + WRONG + "\nMore prose.\n", "'More prose.' stands below the choices; a card ends"),
        (RIGHT.replace("1 1 1", "1 1 2") + WRONG, "the right choice, `1 1 2`, does not stand in"),
        (RIGHT.replace("1 1 1", "1 1 11") + WRONG, "the right choice, `1 1 11`, does not stand"),
        (RIGHT + WRONG.replace("1 2 3", "1 1"), "a wrong choice, `1 1`, stands as well in what"),
    ],
)
def test_a_wrong_card_gets_one_clear_line_and_no_notebook(tmp_path, choices, message):
    path = written(tmp_path, both(choices))
    with pytest.raises(
        ChapterError, match=rf"^07-random/chapter.md, cell \d \(.*{message}"
    ) as caught:
        write_chapter(path, run=True, on_cell=lambda cell, cells: None)
    assert "\n" not in str(caught.value)
    assert not list(tmp_path.rglob("*.ipynb"))


@pytest.mark.parametrize(
    ("korean", "english"),
    [
        (RIGHT + WRONG, WRONG + RIGHT),
        (RIGHT + WRONG, RIGHT + WRONG.replace("3", "4")),
        (RIGHT + WRONG, RIGHT + WRONG + WRONG.replace("3", "4")),
    ],
)
def test_cards_that_differ_between_languages_are_refused(tmp_path, korean, english):
    texts = {"ko": both(korean)["ko"], "en": both(english)["en"]}
    with pytest.raises(ChapterError, match="cell 3 .* and cell 4: the cards of the two languages"):
        read_chapter(written(tmp_path, texts))


def test_choices_without_a_question_and_cards_without_a_cell_are_refused(tmp_path):
    with pytest.raises(ChapterError, match="choices without a question; begin it with"):
        read_chapter(written(tmp_path / "a", {"ko": RIGHT + WRONG, "en": RIGHT + WRONG}))
    with pytest.raises(ChapterError, match="card without an answer; end it above a code cell"):
        read_chapter(written(tmp_path / "b", both(RIGHT + WRONG), below=""))


def test_what_a_cell_shows():
    stream = nbformat.v4.new_output("stream", text="traces: 2  size: 1\nshape (3,) is -1.08\n")
    error = nbformat.v4.new_output("error", ename="TypeError", evalue="\x1b[31mbad\x1b[0m leaf")
    cell = nbformat.v4.new_code_cell("assert f(x)", outputs=[stream, error])
    for value in ("traces: 2", "2 size: 1", "(3,)", "-1.08", "TypeError", "bad leaf"):
        assert shows(cell, value), value
    for value in ("1.08", "1.0", "race", "f(x)", "1 shape", "ValueError"):
        assert not shows(cell, value), value


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_card_unfolds_in_any_commonmark(language):
    card = both(WRONG + RIGHT.replace("`1 1 1`", "`a < b`, so **not**"))[language]
    shown = MarkdownIt("commonmark").render(
        unfolding(card_in(f"Above.\n\n{card}", language), language)
    )
    assert shown.startswith('<div class="predict">')
    assert shown.count("<details") == shown.count("</details>") == 2
    assert re.search(rf"<strong>{LEADS[language].strip('*')}</strong>", shown)
    assert "<summary><code>a &lt; b</code>, so <strong>not</strong></summary>" in shown
    verdicts = re.findall(r'<details class="(\w+)">.*?<p><strong>([✓✗])', shown, re.DOTALL)
    assert verdicts == [("wrong", "✗"), ("right", "✓")]


def test_no_question_stands_twice():
    asked = [
        (path.name, card.said["en"].question)
        for path in chapter_paths()
        for card in read_chapter(path).cards
    ]
    for (one, question), (other, again) in itertools.combinations(asked, 2):
        assert question != again, f"{one} and {other} ask the same: {question}"
