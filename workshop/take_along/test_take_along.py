"""What the reader takes along: a PDF for each language and the site in a zip.

They are made once, from a copy of the built site, and read with pypdf. Needs Chromium, as the other
tests in a browser do.
"""

import os
import re
import shutil
import subprocess
import sys
import zipfile
from pathlib import Path
from types import SimpleNamespace

import nbformat
import pytest
from bs4 import BeautifulSoup, Tag
from pypdf import PdfReader

from tests.built_site import LANDING, soup_of
from workshop.exercise.on_site import written
from workshop.layout import LANGUAGES, ROOT, chapter_paths, pages_of
from workshop.site.line_breaks import WORD_JOINER
from workshop.take_along import downloads
from workshop.take_along.print_edition import PrintError

MEGABYTES = 0.4  # the most for each chapter in a file to take along
CONTENTS = {"ko": "차례", "en": "Table of contents"}
SOLUTIONS = {"ko": "풀이", "en": "Solutions"}

on_one_worker = pytest.mark.xdist_group("downloads")  # which makes them once


def bare(text: str) -> str:
    """Return a text without spaces and word joiners, which say where lines may break."""
    return re.sub(rf"[\s{WORD_JOINER}]", "", text)


def title_of(heading: Tag) -> str:
    """Return the words of a heading of the site, without its link and without word joiners."""
    words = [words for words in heading.strings if words.parent.get("class") != ["headerlink"]]
    return " ".join("".join(words).replace(WORD_JOINER, "").split())


@pytest.fixture(scope="module", params=LANGUAGES)
def composed(request, site) -> SimpleNamespace:
    """The page that is printed in each language."""
    soup = BeautifulSoup(downloads.compose(site, request.param), "html.parser")
    return SimpleNamespace(language=request.param, soup=soup)


@pytest.fixture(scope="module")
def taken(site, browser, tmp_path_factory) -> SimpleNamespace:
    """Make the downloads in a copy of the site; return its folder and the files."""
    copy = shutil.copytree(site, tmp_path_factory.mktemp("taken") / "site")
    return SimpleNamespace(site=copy, files=downloads.make_downloads(browser, copy))


def solutions_of(language: str) -> list[str]:
    """Return the first line of each solution below its `# @title`, in book order."""
    notebooks = [ROOT / f"{page}.ipynb" for page in pages_of(language)]
    return [
        written(cell.source).split("\n")[0]
        for notebook in notebooks
        if notebook.exists()
        for cell in nbformat.read(notebook, as_version=4).cells
        if "solution" in cell.metadata.get("tags", [])
    ]


def headings_of(site: Path, language: str) -> list[tuple[int, str]]:
    """Return depth and title of what the book of a language must hold, in order."""
    _cover, *pages = pages_of(language)  # paper has a cover of its own
    chapters = [soup_of(site, page) for page in pages]
    headings = [
        heading for chapter in chapters for heading in chapter.select("article :is(h1, h2)")
    ]
    wanted = [(1, CONTENTS[language])]
    wanted += [(int(heading.name[1]), title_of(heading)) for heading in headings]
    wanted += [(1, SOLUTIONS[language])]
    return wanted + [(2, title_of(page.h1)) for page in chapters if page.select(".tag_solution")]


def test_every_link_leads_to_a_place_in_the_book_or_to_the_web(composed):
    given = {link["href"] for link in composed.soup.select("a[href]")}
    names = [tag["id"] for tag in composed.soup.select("[id]")]
    assert len(set(names)) == len(names), "two places have one name"
    assert not (lost := {a for a in given if a[0] == "#" and a[1:] not in names}), lost
    assert not (wrong := [a for a in given if not re.match("#|https?://[^/]", a)]), wrong


def test_solutions_come_last_and_every_exercise_leads_to_its_own(composed):
    wanted = solutions_of(composed.language)
    *_, last = composed.soup.select(".chapter")
    assert last["id"] == "solutions"
    shown = [cell.select_one("pre").text.split("\n")[0] for cell in last.select(".tag_solution")]
    assert shown == wanted
    assert len(composed.soup.select(".tag_solution")) == len(wanted), "a solution stands too early"
    there = composed.soup.select("section[id]:not(#solutions) a[href$='--solution']")
    assert len({link["href"] for link in there}) == len(wanted)
    places = {tag["id"]: tag for tag in last.select("[id]")}
    for link in there:
        back = link["href"].removesuffix("--solution")
        assert link.find_parent("section")["id"] == back[1:]
        assert places[link["href"][1:]].select(f"a[href='{back}']")


def test_nothing_on_paper_waits_for_a_click(composed):
    idle = (
        "script, button, input, live-box, template, details:not([open]), .exercise-link, [hidden]"
    )
    assert not composed.soup.select(idle)
    assert composed.soup.select("recorded-figure")
    assert not composed.soup.select("recorded-figure:not(:has(> .plain))")


@on_one_worker
@pytest.mark.parametrize("language", LANGUAGES)
def test_the_print_has_an_outline_numbered_pages_and_text_to_search(taken, site, language):
    reader = PdfReader(taken.site / downloads.FOLDER / downloads.pdf_name(language))

    def outline(items: list, depth: int = 1):
        for item in items:
            if isinstance(item, list):
                yield from outline(item, depth + 1)
            else:
                yield depth, item.title, reader.get_destination_page_number(item)

    found = list(outline(reader.outline))
    headings = headings_of(site, language)
    assert [(depth, title) for depth, title, _ in found if depth < 3] == headings
    pages = [page for *_, page in found]
    assert pages == sorted(pages)
    for depth, title, page in found[: len(pages_of(language))]:
        text = bare(reader.pages[page].extract_text())
        begun = text[: 60 + len(bare(title))]  # the part of the book stands above a title
        assert depth > 1 or bare(title) in begun, f"page {page + 1} is not {title}"
        footer = bare(downloads.title_of(language)) + str(page + 1)
        assert text.endswith(footer), f"page {page + 1} ends: {text[-60:]}"
    _cover, first, *_ = pages_of(language)
    said = soup_of(site, first).select_one("h1 ~ p").text
    assert bare(said) in bare(reader.pages[found[1][2]].extract_text())


@on_one_worker
def test_no_file_is_heavy(taken, measured):
    sizes = {file.name: file.stat().st_size / 1e6 for file in taken.files}
    measured(", ".join(f"{name}: {size:.1f} MB" for name, size in sizes.items()))
    most = MEGABYTES * len(chapter_paths())
    assert max(sizes.values()) <= most, f"at most {most:.1f} MB each: {sizes}"


@on_one_worker
def test_the_zip_unpacks_to_the_site_without_the_downloads(taken, site, tmp_path):
    with zipfile.ZipFile(taken.site / downloads.FOLDER / downloads.ZIP) as packed:
        packed.extractall(tmp_path)
    unpacked = tmp_path / downloads.NAME
    files = {str(file.relative_to(site)): file for file in site.rglob("*") if file.is_file()}
    assert f"{LANDING}.html" in files
    for name, file in files.items():
        assert (unpacked / name).read_bytes() == file.read_bytes(), name
    assert {str(f.relative_to(unpacked)) for f in unpacked.rglob("*") if f.is_file()} == set(files)


@on_one_worker
def test_each_door_and_each_cover_offers_the_files_that_exist_and_no_other(taken, site):
    offered = set()
    covers = {language: pages_of(language)[0] for language in LANGUAGES}
    for language, cover in covers.items():
        links = soup_of(taken.site, cover).select(".downloads a")
        there = [(taken.site / cover).parent.joinpath(link["href"]).resolve() for link in links]
        names = [downloads.pdf_name(language), downloads.ZIP]
        assert there == [(taken.site / downloads.FOLDER / name).resolve() for name in names]
        assert not soup_of(site, cover).select(".downloads")
    for door in soup_of(taken.site, LANDING).select(".door"):
        targets = [link["href"] for link in door.select(".downloads a")]
        names = [downloads.pdf_name(door["lang"]), downloads.ZIP]
        assert targets == [f"{downloads.FOLDER}/{name}" for name in names]
        offered |= {taken.site / target for target in targets}
    assert offered == set(taken.files) == set((taken.site / downloads.FOLDER).iterdir())
    plain = soup_of(site, LANDING)
    assert plain.select(".door") and not plain.select(".downloads, a[href*=download]")


@on_one_worker
@pytest.mark.parametrize(
    ("style", "fault"),
    [
        ("width: 2000px", "wider than the paper, let it wrap"),
        ("font-size: 6pt", "too small to read"),
    ],
)
def test_what_does_not_fit_the_paper_or_the_eye_stops_the_print(
    taken, browser, monkeypatch, style, fault
):
    text = f'<article><p id="here" style="{style}">a</p></article>'
    monkeypatch.setattr(downloads, "compose", lambda site, language: text)
    with pytest.raises(PrintError, match=f"en: {fault}: here: <p id="):
        downloads.print_book(browser, taken.site, "en")


@pytest.mark.parametrize(
    "path, reason",
    [
        (os.environ["PATH"], "index.html is missing; build the site first: make book"),
        ("/nowhere", "no browser found: install one of "),
    ],
    ids=["no site", "no browser"],
)
def test_what_is_missing_is_said_in_one_line(browser, tmp_path, path, reason):
    environment = os.environ | {"PATH": path}
    run = subprocess.run(
        [sys.executable, "-m", "workshop.take_along.downloads", tmp_path],
        cwd=ROOT,
        env=environment,
        capture_output=True,
        text=True,
        check=False,
    )
    assert run.returncode == 1
    assert run.stderr.startswith("error: ") and reason in run.stderr
    assert run.stderr.count("\n") == 1
