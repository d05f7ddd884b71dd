"""The sources of the book are sound; what `make check` alone looks at is seen to refuse."""

from pathlib import Path

import pytest

from tests.small_chapter import HEADER, pair
from workshop.chapter.check import (
    faults_of_chapter,
    faults_of_links,
    faults_of_pages,
    figures_of_one_name,
    unlisted,
)
from workshop.chapter.read import parse
from workshop.layout import chapter_paths


@pytest.mark.parametrize("path", chapter_paths(), ids=lambda path: path.name)
def test_the_sources_of_a_chapter_are_sound(path):
    found = faults_of_chapter(path)
    assert not found, "\n".join(found)


def test_pages_and_terms_are_sound():
    found = faults_of_pages()
    assert not found, "\n".join(found)


@pytest.mark.parametrize(
    ("link", "is_there"),
    [
        ("03-counter-pitfall.ipynb", True),
        ("03-counter-pitfall.ipynb#leaked-tracers", True),
        ("03-counter-pitfall.ipynb#leaked", False),
        ("03-counters.ipynb", False),
        ("status.md", True),
        ("state.md", False),
        ("#here", True),
        ("#there", False),
        ("https://example.org/#there", True),
    ],
)
def test_a_link_leads_to_what_the_book_has(link, is_there):
    text = pair("# 7. Here") + pair(f'## Here <a id="here"></a>\n\n[link]({link})')
    chapter = parse(Path("07-here"), HEADER + text)
    said = [f"the book has no {link}; mend the link"] * (not is_there)
    assert [line.rpartition(": ")[2] for line in faults_of_links(chapter, "en")] == said


A, B = "[1. A](01-a.ipynb)", "[2. B](02-b.ipynb)"


@pytest.mark.parametrize(
    ("rows", "said"),
    [
        ((A, B), []),
        ((A,), [f"the table of chapters has no row | {B} |; add it"]),
        ((A, B, "[C](c.ipynb)"), ["no chapter is called | [C](c.ipynb) |; change the row"]),
        ((B, A), ["the table of chapters is not in the order of the chapters; sort it"]),
    ],
)
def test_a_table_of_chapters_is_whole_and_in_order(rows, said):
    text = "\n".join(f"| {row} | what it is |" for row in rows)
    assert [line.removeprefix("page.md: ") for line in unlisted("page.md", text, [A, B])] == said


def test_code_that_was_not_run_is_named(tmp_path):
    path = tmp_path / "chapters/07-here"
    path.mkdir(parents=True)
    (path / "chapter.md").write_text(HEADER + pair("# 7. Here") + "\n```{code-cell}\n1\n```\n")
    assert faults_of_chapter(path) == ["07-here: code changed; run `make notebooks`"]
    (path / "chapter.md").write_text("no notebook")
    assert faults_of_chapter(path)[0].startswith("07-here/chapter.md: has no jupytext header")


def test_figures_of_two_chapters_with_one_name_are_named(tmp_path):
    for place in (
        "16-one/figures/holders.svg",
        "18-two/figures/holders.svg",
        "18-two/figures/a.svg",
    ):
        (tmp_path / place).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / place).touch()
    (said,) = figures_of_one_name(tmp_path)
    assert said.startswith("18-two/figures/holders.svg: 16-one/figures/holders.svg has the same")
