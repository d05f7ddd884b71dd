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
from functools import cache, cached_property
from pathlib import Path
from types import SimpleNamespace

import nbformat
import pytest
from bs4 import BeautifulSoup, Tag
from pypdf import PdfReader

from tests.built_site import LANDING, soup_of
from workshop.layout import LANGUAGES, ROOT, chapter_paths, pages_of
from workshop.site.line_breaks import WORD_JOINER
from workshop.take_along import downloads
from workshop.take_along.print_edition import PrintError

MEGABYTES = 0.4  # the most for each chapter in a file to take along
CONTENTS = {"ko": "차례", "en": "Table of contents"}
SOLUTIONS = {"ko": "풀이", "en": "Solutions"}
SAID = {
    "ko": "프로그램을 직접 실행해 원인을 찾고 고칩니다.",
    "en": "A training run finishes overnight.",
}


def bare(text: str) -> str:
    """Return a text without spaces and word joiners, which say where lines may break."""
    return re.sub(rf"[\s{WORD_JOINER}]", "", text)


def title_of(heading: Tag) -> str:
    """Return the words of a heading of the site, without its link and without word joiners."""
    words = [words for words in heading.strings if words.parent.get("class") != ["headerlink"]]
    return " ".join("".join(words).replace(WORD_JOINER, "").split())


class PrintedBook:
    """The PDF of a language, the page it was printed from, and where headings and links lead."""

    def __init__(self, file: Path, language: str, composed: str):
        self.language, self.soup = language, BeautifulSoup(composed, "html.parser")
        self.reader = PdfReader(file)
        # Reading a page takes a tenth of a second: the tests read those that they need.
        self.text = cache(lambda page: bare(self.reader.pages[page].extract_text()))

    @cached_property
    def headings(self) -> list[tuple[int, str, int]]:
        """Depth, title and page of each line of the outline; pages count from 0."""

        def walk(items, depth):
            for item in items:
                if isinstance(item, list):
                    yield from walk(item, depth + 1)
                else:
                    yield depth, item.title, self.reader.get_destination_page_number(item)

        return list(walk(self.reader.outline, 1))

    @cached_property
    def links(self) -> list[tuple[int, str, str]]:
        """Page, kind (`place` or `address`) and target of each link."""
        found = []
        for number, page in enumerate(self.reader.pages):
            for note in (note.get_object() for note in page.get("/Annots", [])):
                action = note.get("/A", {})
                if "/URI" in action:
                    found.append((number, "address", action["/URI"]))
                else:
                    found.append((number, "place", str(note.get("/Dest", action.get("/D")))))
        return found

    def page_of(self, place: str) -> int:
        """Return the page on which a named place lies."""
        return self.reader.get_destination_page_number(self.reader.named_destinations[place])

    @cached_property
    def solutions_from(self) -> int:
        """The page on which the solutions begin."""
        return next(page for depth, title, page in reversed(self.headings) if depth == 1)


@pytest.fixture(scope="module")
def taken(site, browser, tmp_path_factory):
    """Make the downloads in a copy of the site; return its folder and the printed books."""
    copy = shutil.copytree(site, tmp_path_factory.mktemp("taken") / "site")
    composed = {}

    def compose_and_keep(site: Path, language: str, compose=downloads.compose) -> str:
        composed[language] = compose(site, language)
        return composed[language]

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(downloads, "compose", compose_and_keep)
        made = downloads.make_downloads(browser, copy)
    books = {
        language: PrintedBook(
            copy / downloads.FOLDER / downloads.pdf_name(language), language, composed[language]
        )
        for language in LANGUAGES
    }
    return SimpleNamespace(site=copy, files=made, books=books)


@pytest.fixture(params=LANGUAGES)
def book(request, taken) -> PrintedBook:
    """The printed book of each language."""
    return taken.books[request.param]


def solutions_of(language: str) -> list[str]:
    """Return the first line of each solution, `# @title Solution 1 · 풀이 1`, in book order."""
    notebooks = [ROOT / f"{page}.ipynb" for page in pages_of(language)]
    return [
        cell.source.splitlines()[0]
        for notebook in notebooks
        if notebook.exists()
        for cell in nbformat.read(notebook, as_version=4).cells
        if "solution" in cell.metadata.get("tags", [])
    ]


def test_the_outline_has_every_chapter_and_section_in_order(book, site):
    chapters = [soup_of(site, page) for page in pages_of(book.language)]
    wanted = [(1, CONTENTS[book.language])]
    wanted += [
        (int(heading.name[1]), title_of(heading))
        for chapter in chapters
        for heading in chapter.select("article :is(h1, h2)")
    ]
    wanted += [(1, SOLUTIONS[book.language])]
    wanted += [(2, title_of(page.h1)) for page in chapters if page.select(".tag_solution")]
    assert [(depth, title) for depth, title, _ in book.headings if depth < 3] == wanted
    pages = [page for *_, page in book.headings]
    assert pages == sorted(pages)
    for depth, title, page in book.headings:
        if depth == 1:
            assert book.text(page).startswith(bare(title)), f"page {page + 1} is not {title}"


def test_pages_are_numbered(book):
    last = len(book.reader.pages) - 1
    for page in {*range(0, last, 12), last}:
        footer = bare(downloads.title_of(book.language)) + str(page + 1)
        assert book.text(page).endswith(footer), f"page {page + 1} ends: {book.text(page)[-60:]}"


def test_every_link_leads_to_a_place_in_the_book_or_to_the_web(book):
    places = {target for _, kind, target in book.links if kind == "place"}
    addresses = {target for _, kind, target in book.links if kind == "address"}
    assert not (lost := places - book.reader.named_destinations.keys()), lost
    assert not (wrong := [a for a in addresses if not re.match("https?://[^/]", a)]), wrong
    # The browser drops a link without a target, so look at what it was given, too.
    given = {link["href"] for link in book.soup.select("a[href]")}
    names = [tag["id"] for tag in book.soup.select("[id]")]
    assert len(set(names)) == len(names), "two places have one name"
    assert not (lost := {a for a in given if a[0] == "#" and a[1:] not in names}), lost
    assert {"/" + a[1:] for a in given if a[0] == "#"} == places
    assert {a for a in given if a[0] != "#"} == addresses


def test_solutions_come_last_and_every_exercise_leads_to_its_own(book):
    wanted = solutions_of(book.language)
    begin, end = book.solutions_from, len(book.reader.pages)
    told = "".join(book.text(page) for page in range(begin, end))
    assert re.findall("#@titleSolution[0-9]·풀이[0-9]", told) == [bare(line) for line in wanted]
    assert len(book.soup.select("#solutions .tag_solution")) == len(wanted)
    assert len(book.soup.select(".tag_solution")) == len(wanted), "a solution stands too early"
    there = [
        (page, target)
        for page, kind, target in book.links
        if kind == "place" and target.endswith("--solution")
    ]
    assert len({target for _, target in there}) == len(wanted)
    for page, target in there:
        back = target.removesuffix("--solution").removeprefix("/")
        exercise, solution = book.page_of(f"/{back}"), book.page_of(target)
        assert exercise <= page < begin <= solution
        assert any(f"/{back}" == aim for at, _, aim in book.links if at in (solution, solution + 1))


def test_nothing_on_paper_waits_for_a_click(book):
    idle = (
        "script, button, input, live-box, template, details:not([open]), .exercise-link, [hidden]"
    )
    assert not book.soup.select(idle)
    assert book.soup.select("recorded-figure")
    assert not book.soup.select("recorded-figure:not(:has(> .plain))")


def test_the_text_can_be_searched_and_brings_its_fonts(book):
    introduction = book.headings[1][2]
    assert bare(SAID[book.language]) in book.text(introduction)
    fonts = {}
    for page in book.reader.pages:
        for reference in page["/Resources"].get("/Font", {}).values():
            fonts[reference.get_object()["/Subtype"], str(reference)] = reference.get_object()
    for (kind, _), font in fonts.items():
        assert "/ToUnicode" in font, f"the text in {font.get('/BaseFont', kind)} cannot be searched"
        if kind != "/Type3":  # which draws its letters itself
            described = font["/DescendantFonts"][0].get_object()["/FontDescriptor"]
            assert {"/FontFile2", "/FontFile3"} & described.keys(), font["/BaseFont"]


def test_no_file_is_heavy(taken, measured):
    sizes = {file.name: file.stat().st_size / 1e6 for file in taken.files}
    measured(", ".join(f"{name}: {size:.1f} MB" for name, size in sizes.items()))
    most = MEGABYTES * len(chapter_paths())
    assert max(sizes.values()) <= most, f"at most {most:.1f} MB each: {sizes}"


def test_the_zip_unpacks_to_the_site_without_the_downloads(taken, site, tmp_path):
    with zipfile.ZipFile(taken.site / downloads.FOLDER / downloads.ZIP) as packed:
        packed.extractall(tmp_path)
    unpacked = tmp_path / downloads.NAME
    files = {str(file.relative_to(site)): file for file in site.rglob("*") if file.is_file()}
    assert f"{LANDING}.html" in files
    for name, file in files.items():
        assert (unpacked / name).read_bytes() == file.read_bytes(), name
    assert {str(f.relative_to(unpacked)) for f in unpacked.rglob("*") if f.is_file()} == set(files)


def test_each_door_offers_the_files_that_exist_and_no_other(taken, site):
    offered = set()
    for door in soup_of(taken.site, LANDING).select(".door"):
        targets = [link["href"] for link in door.select(".downloads a")]
        names = [downloads.pdf_name(door["lang"]), downloads.ZIP]
        assert targets == [f"{downloads.FOLDER}/{name}" for name in names]
        offered |= {taken.site / target for target in targets}
    assert offered == set(taken.files) == set((taken.site / downloads.FOLDER).iterdir())
    plain = soup_of(site, LANDING)
    assert plain.select(".door") and not plain.select(".downloads, a[href*=download]")


def test_what_is_wider_than_the_paper_stops_the_print(taken, browser, monkeypatch):
    wide = '<article><p id="long" style="width: 2000px">a</p></article>'
    monkeypatch.setattr(downloads, "compose", lambda site, language: wide)
    with pytest.raises(PrintError, match="en: wider than the paper, let it wrap: long: <p id="):
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
