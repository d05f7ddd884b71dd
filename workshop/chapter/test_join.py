"""What two authors wrote apart becomes one chapter; what does not fit is named."""

import pytest

from tests.small_chapter import HEADER, code
from workshop.chapter.checks import SET_UP_CELL
from workshop.chapter.join import joined
from workshop.chapter.model import ChapterError
from workshop.chapter.read import parse

CELLS = "\n+++\n\nnote to the authors\n" + code("x = 1", "name: one")
CELLS += code("assert x == 1", "tags: [holds]") + code("print(x)", "name: plot")
KOREAN = "# 7. 제목\n\n[[one]]\n\n글입니다.\n\n[[plot]]\n[[plot alt: 그림]]\n\n끝입니다.\n"
ENGLISH = "# 7. Title\n\n[[one]]\n\nProse.\n\n[[plot]]\n[[plot alt: a plot]]\n\nThe end.\n"


@pytest.fixture
def draft(tmp_path):
    for name, text in (("cells", HEADER + CELLS), ("ko", KOREAN), ("en", ENGLISH)):
        (tmp_path / f"07-example.{name}.md").write_text(text, "utf8")
    return tmp_path / "07-example"


def test_two_languages_and_the_cells_become_a_chapter(draft):
    chapter = parse(joined(draft), draft.with_suffix(".md"))
    assert chapter.texts("ko") == ["# 7. 제목", "글입니다.", "끝입니다."]
    assert chapter.texts("en") == ["# 7. Title", "Prose.", "The end."]
    assert [cell.source for cell in chapter.code] == ["x = 1", "print(x)"]
    assert chapter.code[1].metadata == {"alt": {"ko": "그림", "en": "a plot"}}
    assert "assert x == 1" in joined(draft)


def test_the_code_is_formatted_and_the_cell_that_judges_filled_in(draft):
    cells = draft.with_name("07-example.cells.md")
    cells.write_text(HEADER + CELLS.replace("x = 1", "x=1") + code("...", "name: judge"), "utf8")
    for path in (draft.with_name("07-example.ko.md"), draft.with_name("07-example.en.md")):
        path.write_text(path.read_text("utf8") + "\n[[judge]]\n", "utf8")
    first, _, judge = parse(joined(draft), draft.with_suffix(".md")).code
    assert first.source == "x = 1"
    assert judge.source == SET_UP_CELL.read_text("utf8").strip()


def test_code_that_is_no_python_is_refused(draft):
    cells = draft.with_name("07-example.cells.md")
    cells.write_text(HEADER + CELLS.replace("x = 1", "x = "), "utf8")
    with pytest.raises(ChapterError, match="Failed to parse"):
        joined(draft)


def test_a_language_that_leaves_a_cell_out_is_named(draft):
    english = draft.with_name("07-example.en.md")
    english.write_text(ENGLISH.replace("[[one]]\n\n", ""), "utf8")
    with pytest.raises(ChapterError, match=r"07-example\.en\.md: plot where one is due"):
        joined(draft)
