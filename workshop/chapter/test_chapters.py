"""The notebooks are what the chapters say, and a chapter that is wrong is refused clearly."""

import os
import re
import signal
import subprocess
import sys
import time
from pathlib import Path

import nbformat
import pytest

from tests.small_chapter import HEADER, code, pair
from workshop import layout
from workshop.chapter.read import ChapterError, read_chapter
from workshop.chapter.write import (
    refuse_orphans,
    write_chapter,
)
from workshop.layout import BOOK, LANGUAGES, ROOT, is_lesson, notebook_path

TITLE = pair("# 7. 난수", "# 7. Random")
SOURCE = "print('hello')"
CODE = code(SOURCE)
KOREAN, ENGLISH = '\n+++ {"lang": "ko"}\n\n', '\n+++ {"lang": "en"}\n\n'


def silent(cell: int, cells: int) -> None:
    """Report no progress."""


@pytest.fixture
def chapter(tmp_path):
    """A function that writes a chapter into an empty book and returns its folder."""

    def write(text: str, name: str = "07-random", exercises: str = "", guards: str = "") -> Path:
        path = tmp_path / "book" / "chapters" / name
        path.mkdir(parents=True, exist_ok=True)
        (path / "chapter.md").write_text(HEADER + text, encoding="utf8")
        (path / "exercises.py").write_text(exercises, encoding="utf8")
        (path / "guards.py").write_text(guards, encoding="utf8")
        return path

    return write


PAGES = sorted(path.name for path in (BOOK / "ko").glob("*.md"))


@pytest.mark.parametrize("name", PAGES)
def test_both_languages_of_a_page_have_the_same_anchors_rows_and_links(name):
    def outline(language):
        text = (BOOK / language / name).read_text(encoding="utf8")
        rows = [line.count("|") for line in text.splitlines() if line.startswith("|")]
        return (
            re.findall(r"^#+ .*?(<a id.*)?$", text, re.MULTILINE),
            rows,
            re.findall(r"\]\(([^)]+)\)", text),
        )

    assert outline("ko") == outline("en"), f"{name}: mend the language that lags behind"


# What stands below the title of a chapter, and what is said of it.
FAULTS = {
    "one language only": (
        KOREAN + "혼자입니다.\n" + CODE,
        r"cell 3 \('혼자입니다.'\): Korean prose without its English twin; write it directly below",
    ),
    "languages in the wrong order": (
        ENGLISH + "First.\n" + KOREAN + "둘째.\n",
        r"cell 3 \('First.'\): English prose where Korean is due; write the missing language",
    ),
    "prose of no language": ("\n+++\n\nNone.\n", r"cell 3 \('None.'\): no language; put"),
    "heading without an anchor": (
        pair("## 가", "## A"),
        "cell 3 .* heading without an anchor; end it with",
    ),
    "different anchors": (
        pair('## 가 <a id="a"></a>', '## A <a id="b"></a>'),
        "cell 3 .* and cell 4: the two languages have different headings or anchors",
    ),
    "anchor twice": (
        2 * pair('## 가 <a id="a"></a>', '## A <a id="a"></a>'),
        "cell 5 .* anchor 'a' stands twice; rename one",
    ),
    "code cell twice": (2 * CODE, "cell 4 .*: repeats the code of cell 3; remove one"),
    "unknown tag": (
        code(SOURCE, "tags: [slow]"),
        r"cell 3 .* unknown tag 'slow'; known are complete, exercise, hide-input",
    ),
    "unknown metadata": (
        code(SOURCE, "colour: red"),
        "cell 3 .* unknown metadata 'colour'; known are alt, caption, idiom, tags, varies",
    ),
    "alt text in one language": (
        code(SOURCE, "alt: {ko: 그림}"),
        "cell 3 .* alt text is needed in ko and en",
    ),
    "varies without a reason": (
        code(SOURCE, "varies: {pattern: .*}"),
        "cell 3 .* 'varies' needs pattern and reason",
    ),
    "picture without alt text": (
        pair("![](x.svg)", "![a](x.svg)"),
        "cell 3 .* picture without alt text",
    ),
    "picture that is not there": (
        pair("![가](x.svg)", "![a](x.svg)"),
        "cell 3 .* no picture x.svg; mend the path",
    ),
    "caption in one language": (
        pair("![가](chapter.md)\n설명입니다.", "![a](chapter.md)"),
        "cell 3 .* a caption in one language only; write its twin",
    ),
    "figure with another number": (
        pair("![가](chapter.md)\n설명.", "![a](chapter.md)\nA caption.")
        + CODE
        + pair("[그림 7.1](#figure-chapter)", "[Figure 7.2](#figure-chapter)"),
        "cell 7 .* there is no such figure 7.2; chapter is 7.1",
    ),
    "figure that is not there": (
        pair("[그림 7.1](#figure-lost)", "[Figure 7.1](#figure-lost)"),
        "cell 3 .* no figure 'lost' with a caption; known are ",
    ),
    "figure named without a link": (
        pair("그림 7.1", "Figure 7.1"),
        "cell 3 .* there is no such figure 7.1; link it",
    ),
    "code that fails": (
        code("1 / 0"),
        r"07-random/chapter.md, cell 3 \('1 / 0'\): fails with ZeroDivisionError: division by zero; mend",
    ),
    "promised error that does not come": (
        code(SOURCE, "tags: [raises-exception]"),
        "cell 3 .* raises nothing; remove its tag raises-exception",
    ),
    "kernel that dies": (code("import os; os._exit(1)"), "cell 3 .* kills its kernel"),
}


@pytest.mark.parametrize("fault", FAULTS)
def test_wrong_chapter_gets_one_clear_line_and_writes_nothing(fault, chapter):
    below, message = FAULTS[fault]
    refused(chapter(TITLE + below), message)


EXERCISE = pair('## 연습 <a id="exercises"></a>', '## Exercises <a id="exercises"></a>') + code(
    "answer_1 = ...", "tags: [exercise]"
)
JUDGED = "# %% check 1\ndef check_1(answer): ...\n# %% solution 1\njudge(1, check_1, 2)\n"
ROOM_FAULTS = {
    "no check": ("", "", "exercises.py: exercise 1 has no check; write '# %% check 1'"),
    "a check of no exercise": (
        JUDGED.replace("1", "2"),
        "",
        "exercises.py: exercise 1 has no check",
    ),
    "one exercise too many": (
        JUDGED + "# %% right 3\nanswer_3 = 1\n",
        "",
        "exercises.py: exercise 3 is none of the 1 of chapter.md",
    ),
    "a check twice": (JUDGED + JUDGED, "", "exercises.py, line 5 .*: a second check 1; remove one"),
    "a cell of no kind": (
        JUDGED + "# %% hint 1\n",
        "",
        "exercises.py, line 5 .*: write '# %% check N'",
    ),
    "a wrong answer without words": (
        JUDGED + "# %% wrong 1\nanswer_1 = 1\n",
        "",
        "exercises.py, line 5 .*: write '# %% check N'",
    ),
    "an answer that binds nothing": (
        JUDGED + "# %% wrong 1: no\nanswer = 1\n",
        "",
        "exercises.py, line 5 .*: end each answer with what binds answer_1",
    ),
    "what no Python reads": (JUDGED + "def", "", "exercises.py, line 5: is no Python"),
    "a guard of no section": (
        JUDGED,
        "# %% after: counting\nassert True\n",
        "guards.py, line 1 .*: chapter.md has no section 'counting'",
    ),
    "a guard of no cell": (
        JUDGED,
        "# %% after: exercises 5\nassert True\n",
        "guards.py, line 1 .*: 'exercises' has 4 code cells; name one of them",
    ),
    "a guard of nothing": (JUDGED, "# %% holds\n", "guards.py, line 1 .*: write '# %% after: a"),
}


@pytest.mark.parametrize("fault", ROOM_FAULTS)
def test_wrong_exercises_or_guards_get_one_clear_line(fault, chapter):
    exercises, guards, message = ROOM_FAULTS[fault]
    refused(chapter(TITLE + EXERCISE, exercises=exercises, guards=guards), message)


def test_a_folder_without_a_text_is_named(tmp_path):
    (tmp_path / "07-random").mkdir()
    with pytest.raises(ChapterError, match=r"07-random: has no chapter\.md; write it, or delete"):
        read_chapter(tmp_path / "07-random")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (TITLE.replace("# 7.", "# 8."), r"cell 1 \('# 8. 난수'\): begin with the title, '# 7. T"),
        (CODE, r"cell 1 \(\"print\('hello'\)\"\): begin with the title"),
    ],
)
def test_chapter_without_its_title_is_refused(text, message, chapter):
    refused(chapter(text), message)


def refused(path: Path, message: str) -> None:
    with pytest.raises(ChapterError, match=message) as caught:
        write_chapter(path, run=False, on_cell=silent)
    assert "07-random/" in str(caught.value)
    assert "\n" not in str(caught.value)
    assert not list(path.parent.parent.rglob("*.ipynb"))


def test_file_that_is_no_chapter(tmp_path):
    for name, text, message in [
        ("7-random", HEADER + TITLE, "name it NN-subject, a page to consult subject"),
        ("07-random", "# A page\n", "has no jupytext header"),
        ("07-random", "---\njupytext: [\n---\n", "is no MyST notebook"),
    ]:
        path = tmp_path / name
        path.mkdir(exist_ok=True)
        (path / "chapter.md").write_text(text, encoding="utf8")
        with pytest.raises(ChapterError, match=message):
            read_chapter(path)


def test_a_reference_page_is_a_chapter_without_a_number(chapter):
    path = chapter(pair("# 난수", "# Random") + CODE, "random")
    assert write_chapter(path, run=False, on_cell=silent) == "run, written"
    assert nbformat.read(notebook_path(path, "en"), 4).cells[0].source == "# Random"
    with pytest.raises(
        ChapterError, match=r"random/chapter\.md, cell 1 .*: begin with the title, '# T"
    ):
        read_chapter(chapter(CODE, "random"))


def test_chapters_stand_in_the_order_of_the_contents_and_before_a_draft(tmp_path, monkeypatch):
    names = ["00-first", "02-b", "of-b", "10-a", "symptoms", "a-draft"]
    for name in sorted(names):
        (tmp_path / name).mkdir()
        (tmp_path / name / "chapter.md").touch()
    monkeypatch.setattr(layout, "CHAPTERS", tmp_path)
    monkeypatch.setattr(layout, "pages_of", lambda language: [f"book/ko/{n}" for n in names[:5]])
    assert [path.stem for path in layout.chapter_paths()] == names
    assert list(filter(is_lesson, names)) == ["02-b", "10-a"]


def test_hanging_cell_is_named(chapter, monkeypatch):
    monkeypatch.setattr("workshop.chapter.write.CELL_SECONDS", 2)
    path = chapter(TITLE + CODE + code("while True: pass"))
    with pytest.raises(ChapterError, match=r"cell 4 \('while True: pass'\): runs longer than 2 s"):
        write_chapter(path, run=False, on_cell=silent)


def test_writing_again_changes_nothing_and_runs_only_changed_code(chapter):
    path = chapter(TITLE + CODE)
    assert write_chapter(path, run=False, on_cell=silent) == "run, written"
    written = {p: (p.read_bytes(), p.stat().st_mtime_ns) for p in notebooks(path)}
    assert len(written) == len(LANGUAGES)
    assert write_chapter(path, run=False, on_cell=silent) == "unchanged"
    assert write_chapter(path, run=True, on_cell=silent) == "run, unchanged"
    assert {p: (p.read_bytes(), p.stat().st_mtime_ns) for p in notebooks(path)} == written
    chapter(TITLE.replace("Random", "Random numbers") + CODE)
    assert write_chapter(path, run=False, on_cell=silent) == "written"
    chapter(TITLE + code("print('again')"))
    assert write_chapter(path, run=False, on_cell=silent) == "run, written"
    assert nbformat.read(notebook_path(path, "ko"), 4).cells[-1].outputs[0].text == "again\n"


def test_output_that_may_vary_keeps_its_documented_bytes(chapter):
    varies = r"varies: {pattern: '\d+', reason: clock}"
    path = chapter(TITLE + code("import time\nprint(time.time_ns())", varies))
    write_chapter(path, run=True, on_cell=silent)
    before = notebook_path(path, "en").read_bytes()
    assert write_chapter(path, run=True, on_cell=silent) == "run, unchanged"
    assert notebook_path(path, "en").read_bytes() == before


@pytest.mark.parametrize("what", ["prose", "code", "output", "new cell"])
def test_notebook_edited_by_hand_is_named_and_not_overwritten(what, chapter):
    path = chapter(TITLE + CODE)
    write_chapter(path, run=False, on_cell=silent)
    target = notebook_path(path, "ko")
    notebook = nbformat.read(target, as_version=4)
    if what == "prose":
        notebook.cells[0].source += " 고침"
    elif what == "code":
        notebook.cells[1].source += "  # by hand"
    elif what == "output":
        notebook.cells[1].outputs[0].text = "jello\n"
    else:
        notebook.cells.insert(1, nbformat.v4.new_markdown_cell("새 셀"))
    nbformat.write(notebook, target)
    edited = target.read_bytes()
    message = r"ko/07-random.ipynb, cell [12] \(.*\): was edited by hand; make the change in"
    with pytest.raises(ChapterError, match=message):
        write_chapter(path, run=True, on_cell=silent)
    assert target.read_bytes() == edited


def test_interrupted_run_leaves_the_notebooks_as_they_were(chapter):
    path = chapter(TITLE + CODE)
    write_chapter(path, run=False, on_cell=silent)
    before = {p: p.read_bytes() for p in notebooks(path)}
    begun = path.with_name("begun")
    chapter(TITLE + code(f"import time\nopen({str(begun)!r}, 'w').close()\ntime.sleep(50)"))
    run = subprocess.Popen(
        [sys.executable, "-m", "workshop.chapter.write", path],
        cwd=ROOT,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    )
    while not begun.exists():
        assert run.poll() is None, run.communicate()
        time.sleep(0.1)
    os.killpg(run.pid, signal.SIGINT)
    _, errors = run.communicate(timeout=30)
    assert run.returncode == 130, errors
    assert "stopped; the chapter that was running is as it was before" in errors
    assert {p: p.read_bytes() for p in notebooks(path)} == before
    assert not list(path.parent.parent.rglob("*.unfinished"))


def notebooks(path: Path) -> list[Path]:
    """Every notebook of the book in which the chapter at `path` lies."""
    return sorted(path.parent.parent.rglob("*.ipynb"))


def test_orphan_is_named(chapter):
    path = chapter(TITLE + CODE)
    orphan = path.parent.parent / "en" / "08-lost.ipynb"
    orphan.parent.mkdir()
    orphan.write_text("{}")
    with pytest.raises(ChapterError, match=r"08-lost.ipynb: has no chapter; write .*08-lost/"):
        refuse_orphans(path.parent.parent)
