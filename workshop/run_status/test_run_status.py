"""The status page says what the last runs found, and where they no longer fit."""

import json
import re
import shutil
from importlib.metadata import version
from types import SimpleNamespace

import nbformat
import pytest

from tests.built_site import soup_of
from tests.site_fixtures import PHONE
from workshop.layout import LANGUAGES, ROOT, chapter_paths, notebook_path, pages_of
from workshop.run_status.on_site import chapter_rows, environment_rows, line_of_last_run
from workshop.runs import records
from workshop.runs.records import read_records, write_record

STEMS = [path.stem for path in chapter_paths()]


@pytest.fixture
def reports():
    """What pytest reports of a run in which every notebook passes in 1.5 s."""
    return [
        SimpleNamespace(location=(f"book/{lang}/{stem}.ipynb", 0, ""), passed=True, duration=1.5)
        for stem in STEMS
        for lang in LANGUAGES
    ]


def test_record_holds_what_ran(reports, tmp_path, monkeypatch):
    monkeypatch.setattr(records, "DEVICE", "print('a device')")
    reports[-1].passed = False  # one language of the last chapter
    write_record("colab", reports, tmp_path)
    record = read_records(tmp_path)["colab"]
    assert record["device"] == "a device"
    assert set(record["versions"]) == set(records.SHOWN_VERSIONS)
    assert [chapter["result"] for chapter in record["chapters"].values()] == [
        *["passed"] * (len(STEMS) - 1),
        "failed",
    ]
    assert {chapter["seconds"] for chapter in record["chapters"].values()} == {3.0}


def test_record_keeps_what_ran_before_while_versions_and_code_are_the_same(
    reports, tmp_path, monkeypatch
):
    monkeypatch.setattr(records, "DEVICE", "print('a device')")
    with pytest.raises(ValueError, match=f"{STEMS[0]}.ipynb did not run"):
        write_record("colab", reports[2:], tmp_path)
    path = write_record("colab", reports, tmp_path)
    first = json.loads(path.read_text())
    path.write_text(json.dumps(first | {"date": "2020-02-02"}))
    reports[2].passed = False
    write_record("colab", reports[2:], tmp_path)
    again = json.loads(path.read_text())
    assert again["date"] == "2020-02-02"
    assert again["chapters"][STEMS[0]] == first["chapters"][STEMS[0]]
    assert again["chapters"][STEMS[1]]["result"] == "failed"
    for name, other in (("versions", {"jax": "0"}), ("python", "2.7"), ("chapters", {})):
        path.write_text(json.dumps(first | {name: other}))
        with pytest.raises(ValueError, match=f"{STEMS[0]}.ipynb did not run"):
            write_record("colab", reports[2:], tmp_path)


def test_page_says_which_chapters_passed_failed_changed_or_never_ran(
    reports, tmp_path, monkeypatch
):
    monkeypatch.setattr(records, "DEVICE", "print('cpu')")
    path = write_record("pinned", reports, tmp_path)
    record = json.loads(path.read_text())
    record["chapters"][STEMS[0]]["result"] = "failed"
    record["chapters"][STEMS[1]]["code"] = "other"
    del record["chapters"][STEMS[2]]
    path.write_text(json.dumps(record))
    cells = [row[1] for row in chapter_rows("en", read_records(tmp_path))]
    assert cells[:5] == ["pinned versions", "failed, 3 s", "code changed since", "not run yet",
                         "passed, 3 s"]  # fmt: skip
    columns = list(zip(*environment_rows("ko", read_records(tmp_path)), strict=True))
    passed = f"장 {len(STEMS) - 1}개 가운데 {len(STEMS) - 2}개 통과"
    assert columns[1][:4] == ("고정한 버전", record["date"], passed, "cpu")
    assert [column[:2] for column in columns[2:]] == [
        (name, "아직 실행하지 않았습니다")
        for name in ("Colab의 버전", "최신 버전", "GPU에서 고정한 버전")
    ]


def test_the_line_stands_where_every_chapter_passed_as_it_is_today(reports, tmp_path, monkeypatch):
    monkeypatch.setattr(records, "DEVICE", "print('cpu')")
    assert line_of_last_run("en", read_records(tmp_path)) == ""
    path = write_record("pinned", reports, tmp_path)
    write_record("colab", reports, tmp_path)
    record = json.loads(path.read_text())
    for chapter in record["chapters"].values():
        chapter["result"] = "passed"
    record["date"] = "2099-01-02"
    path.write_text(json.dumps(record))
    (tmp_path / "colab.json").write_text(json.dumps(record))
    line = line_of_last_run("en", read_records(tmp_path))
    notebooks = [nbformat.read(notebook_path(each, "en"), 4) for each in chapter_paths()]
    code = [cell for each in notebooks for cell in each.cells if cell.cell_type == "code"]
    assert f"{len(code)} code cells in {len(STEMS)} chapters" in line
    assert f"{sum(len(cell.outputs) for cell in code)} outputs compared, on 2 sets" in line
    assert "2099-01-02" in line and f"JAX {version('jax')}, {version('jax')}" in line
    record["chapters"][STEMS[0]]["code"] = "other"
    path.write_text(json.dumps(record))
    assert line_of_last_run("en", read_records(tmp_path)) == ""


def test_code_digest_follows_code_alone(tmp_path):
    korean, english = (notebook_path(chapter_paths()[3], language) for language in LANGUAGES)
    assert records.code_digest(korean) == records.code_digest(english)
    changed = tmp_path / "changed.ipynb"
    shutil.copy(english, changed)
    changed.write_text(changed.read_text().replace("import jax\\n", "import jax  # changed\\n", 1))
    assert records.code_digest(changed) != records.code_digest(english)


@pytest.mark.parametrize("language", LANGUAGES)
def test_status_page_shows_the_committed_records(site, language):
    tables = soup_of(site, f"book/{language}/status").select("article table")
    shown = [[[cell.get_text() for cell in row.select("td, th")] for row in table.select("tr")]
             for table in tables]  # fmt: skip
    records = read_records()
    assert shown[0] == environment_rows(language, records)
    links = [[cell.split("]")[0].strip("["), *rest] for cell, *rest in
             chapter_rows(language, records)]  # fmt: skip
    assert shown[1] == links
    assert len(shown) == 4


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_first_page_says_in_a_line_what_ran_last(site, language):
    page = soup_of(site, pages_of(language)[0])
    line = line_of_last_run(language, read_records())
    said = [each.get_text().replace("\u2060", "") for each in page.select("#last-run, .last-run")]
    assert said == ([line, ""] if line else [""])
    notebook = notebook_path(chapter_paths()[0], language).read_text("utf8")
    assert "(status.md)" in notebook and "last-run" in notebook


@pytest.mark.parametrize("language", LANGUAGES)
def test_what_documentation_has_wrong_was_tried_on_the_pinned_versions(site, language):
    """An upgrade fails here until the chapters that the table links are looked at again."""
    rows = soup_of(site, f"book/{language}/status").select("#wrong-today tbody tr")
    assert rows
    pinned = (ROOT / "requirements.txt").read_text("utf8").lower()
    for row in rows:
        library, version = row.select("td")[-1].get_text().lower().split()
        assert f"\n{library}=={version}\n" in pinned, f"run it again: {row.get_text(' ')}"


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_date_stands_on_one_line_on_a_phone(visit, language):
    window = visit(f"book/{language}/status", viewport=PHONE)
    days = window.locator("article td", has_text=re.compile(r"^\d{4}-\d\d-\d\d$"))
    lines = days.evaluate_all(
        """cells => cells.map(cell => {
            const range = document.createRange();
            range.selectNodeContents(cell.querySelector("p"));
            return new Set([...range.getClientRects()].map(box => box.top)).size; })"""
    )
    assert lines == [1] * len(list(filter(None, read_records().values())))
