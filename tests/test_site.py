"""The built site is what it promises: each page in its language, every link alive.

What must hold in a browser is in test_site_in_browser.py.
"""

import json
import posixpath
import re
import shutil
import subprocess
from pathlib import Path
from types import SimpleNamespace
from urllib.parse import parse_qs, unquote, urlsplit
from xml.etree import ElementTree

import pytest
import yaml
from bs4 import BeautifulSoup
from docutils import nodes
from docutils.frontend import get_default_settings
from docutils.parsers.rst import Parser
from docutils.utils import new_document
from sphinx.errors import ExtensionError

from tests.built_site import (
    ADDRESS,
    ALL_PAGES,
    LANDING,
    NOTEBOOK_PAGES,
    OTHER,
    PAGES,
    REPOSITORY,
    build,
    soup_of,
    twin_of,
)
from workshop.language_switch import on_site as languages
from workshop.layout import GLOSSARY, ROOT, is_lesson, is_of_symptoms, language_of, pages_of
from workshop.picture.on_site import Pictures
from workshop.site import page_facts, page_head, repository
from workshop.site.line_breaks import WORD_JOINER
from workshop.site.mathml import write_inline

HANGUL = re.compile("[가-힣]")
each_page = pytest.mark.parametrize("page", PAGES)


def target_of(page: str, link: str) -> str:
    """Return the page that a relative link leads to."""
    path = posixpath.join(posixpath.dirname(page), unquote(urlsplit(link).path))
    return posixpath.normpath(path).removesuffix(".html")


@each_page
def test_the_page_says_its_language(site, page):
    html = soup_of(site, page).html
    assert html["lang"] == language_of(page), f"{page}: <html lang> is {html['lang']}"
    versions = {link["hreflang"]: link["href"] for link in html.select("link[rel=alternate]")}
    assert versions == {
        language_of(page): f"{ADDRESS}{page}.html",
        language_of(twin_of(page)): f"{ADDRESS}{twin_of(page)}.html",
        "x-default": ADDRESS,
    }, f"{page}: wrong hreflang links: see page_head.py"
    assert html.select_one("link[rel=canonical]")["href"] == f"{ADDRESS}{page}.html"


@each_page
def test_the_switch_leads_to_the_same_page(site, page):
    switches = soup_of(site, page).select(
        "header a.language-switch, .bd-header-article a[hreflang]"
    )
    assert len(switches) == 1, (
        f"{page}: {len(switches)} language switches: see language-switch.html"
    )
    (switch,) = switches
    found = target_of(page, switch["href"])
    assert found == twin_of(page), f"{page}: the switch leads to {found}: see language-switch.html"
    assert switch.text == {"ko": "한국어", "en": "English"}[switch["lang"]]
    assert switch["lang"] == OTHER[language_of(page)]
    assert (site / f"{twin_of(page)}.html").exists(), f"{twin_of(page)} is missing"


@pytest.mark.parametrize("page", [page for page in PAGES if is_lesson(page.rsplit("/", 1)[-1])])
def test_a_chapter_opens_with_what_it_takes(site, page):
    assert soup_of(site, page).select_one("h1 ~ .asked ~ .needs"), (
        f"{page}: its first paragraph tells no time: see opening.py"
    )


@pytest.mark.parametrize("page", pages_of("ko"))
def test_sections_have_the_same_identifiers_in_both_languages(site, page):
    ko, en = (
        [section["id"] for section in soup_of(site, each).select("article section[id]")]
        for each in (page, twin_of(page))
    )
    numbered = [anchor for anchor in ko + en if re.fullmatch(r"id\d+", anchor)]
    assert not numbered, f'{page}: end each heading with an anchor, <a id="...">, in both languages'
    assert ko == en, f"{page}: the anchors of the languages differ: {sorted(set(ko) ^ set(en))}"


@each_page
def test_navigation_stays_inside_the_language(site, page):
    soup, language = soup_of(site, page), language_of(page)
    links = [a["href"] for a in soup.select("nav.bd-docs-nav a")]
    shown = [page if link == "#" else target_of(page, link) for link in links]
    assert shown == pages_of(language), f"{page}: its sidebar shows other pages: see _toc.yml"
    here = shown.index(page)
    for selector, neighbour in (
        ("a.left-prev", shown[here - 1] if here else None),
        ("a.right-next", shown[here + 1] if here + 1 < len(shown) else None),
    ):
        link = soup.select_one(selector)
        found = target_of(page, link["href"]) if link else None
        assert found == neighbour, f"{page}: {selector} leads to {found}, not to {neighbour}"


@each_page
def test_a_notebook_opens_in_colab_in_its_language(site, page):
    soup = soup_of(site, page)
    menu = [a["href"] for a in soup.select(".dropdown-launch-buttons a")]
    if page not in NOTEBOOK_PAGES:
        assert not menu, f"{page} is no notebook and must have no launch menu"
        return
    colab = f"https://colab.research.google.com/github/{REPOSITORY}/blob/main/{page}.ipynb"
    assert menu == [colab], f"{page}: its launch menu leads to {menu}"
    download = soup.select_one(".dropdown-download-buttons a")["href"]
    downloaded = site / posixpath.normpath(posixpath.join(posixpath.dirname(page), download))
    assert downloaded.read_bytes() == (ROOT / f"{page}.ipynb").read_bytes()


@pytest.mark.parametrize("language", OTHER)
def test_the_first_page_opens_every_chapter_in_colab(site, language):
    first = f"book/{language}/cover"
    rows = soup_of(site, first).select("#map tr:has(td)")
    listed = [target_of(first, row.a["href"]) for row in rows]
    assert listed == [page for page in pages_of(language) if page != first]
    notebooks = [page for page in listed if page in NOTEBOOK_PAGES]
    chapters, launches = zip(
        *(row.select("a") for row in rows if row.select(".launch")), strict=True
    )
    colab = f"https://colab.research.google.com/github/{REPOSITORY}/blob/main"
    assert [link["href"] for link in launches] == [f"{colab}/{page}.ipynb" for page in notebooks]
    for chapter, launch in zip(chapters, launches, strict=True):
        title = chapter.text.replace(WORD_JOINER, "")
        assert launch["aria-label"] == f"{launch.text}: {title}", "the links sound alike"


@each_page
def test_the_edit_link_leads_to_the_source(site, page):
    links = [a["href"] for a in soup_of(site, page).select(".dropdown-source-buttons a")]
    home = f"https://github.com/{REPOSITORY}"
    assert links[0] == home
    report = parse_qs(urlsplit(links[2]).query)
    assert links[2].startswith(f"{home}/issues/new?")
    assert report["title"][0].startswith(
        next(soup_of(site, page).article.h1.stripped_strings).replace("\u2060", "")
    )
    assert f": {page}\n" in report["body"][0]
    assert re.search(r": \d+\.\d+\.\d+", report["body"][0]), "the report lacks the version"
    assert soup_of(site, page).select_one(".page-facts a")["href"] == links[2]
    edit = links[1].removeprefix(f"{home}/edit/main/")
    assert (ROOT / edit).is_file(), f"{page}: its edit link leads to {edit}, which does not exist"
    if page in NOTEBOOK_PAGES:
        assert edit == f"book/chapters/{Path(page).name}/chapter.md"


@each_page
def test_every_picture_is_described_in_the_language_of_the_page(site, page):
    for picture in soup_of(site, page).article.find_all(["img", "svg"]):
        if picture.get("aria-hidden"):  # the emblem, which says nothing
            continue
        text = picture.get("aria-label" if picture.name == "svg" else "alt", "")
        shown = f"{page}: the picture described as {text!r}"
        assert " " in text.strip(), f"{shown} needs alt text of some words (STYLE.md, A figure)"
        korean = bool(HANGUL.search(text))
        assert korean == (language_of(page) == "ko"), f"{shown} is in the wrong language"


@pytest.mark.parametrize("page", [p for p in PAGES if is_of_symptoms(Path(p).name)])
def test_causes_fold_under_their_questions(site, page):
    article = soup_of(site, page).article
    questions = [summary.get_text() for summary in article.select("li > details.cause > summary")]
    assert questions and all(question.endswith("?") for question in questions)
    unfolded = [bold.get_text() for bold in article.select("li > p > strong:first-child")]
    assert not [bold for bold in unfolded if bold.endswith("?")], "see causes.py"
    assert len(questions) == len(soup_of(site, twin_of(page)).select("details.cause"))


def test_pictures_do_not_meddle_with_each_other(site):
    pictures = [svg for page in PAGES for svg in soup_of(site, page).select("article svg.picture")]
    own = {f"{dot}{name}" for svg in pictures for name in svg["class"] for dot in (".", "svg.")}
    rules = re.sub(r"/\*.*?\*/", "", (site / "_static/pictures.css").read_text("utf8"))
    for selectors in re.findall(r"([^{}]+)\{", rules):
        for selector in selectors.split(","):
            assert selector.split()[0] in own - {".picture"}, (
                f"the rule {selector.strip()!r} of a picture reaches the whole page; "
                "begin it with the picture's own class"
            )


@each_page
def test_names_and_signs_in_code_are_no_elements(site, page):
    css = (site / "_static/pygments.css").read_text("utf8")
    said = dict(re.findall(r"(html\S+ \.highlight(?: \.[npw])?) \{[^}]*\bcolor: (#\w+)", css))
    for theme in ("light", "dark"):
        code = f'html[data-theme="{theme}"] .highlight'
        assert {said[f"{code} .{kind}"] for kind in "npw"} == {said[code]}, "see code_lines.py"
    assert not soup_of(site, page).select("pre :is(.n, .o, .p, .w)")


@each_page
def test_identifiers_stand_once(site, page):
    identifiers = [tag["id"] for tag in soup_of(site, page).find_all(id=True)]
    twice = {name for name in identifiers if identifiers.count(name) > 1}
    assert not twice, f"{page}: the identifiers {twice} stand twice"


@pytest.mark.parametrize("page", ALL_PAGES)
def test_no_link_is_broken(site, page):
    for tag in soup_of(site, page).find_all(["a", "link", "script", "img", "form"]):
        link = next((tag[name] for name in ("href", "src", "action") if tag.get(name)), "")
        parts = urlsplit(link)
        if parts.scheme:
            loaded = tag.name != "a" and tag.get("rel") not in (["canonical"], ["alternate"])
            assert not loaded, f"{page}: loads {link} from another host"
            continue
        target = site / posixpath.normpath(
            posixpath.join(posixpath.dirname(page), unquote(parts.path))
        )
        if not parts.path:
            target = site / f"{page}.html"
        assert target.exists(), f"{page}: the link {link} leads nowhere"
        anchor = unquote(parts.fragment)
        if anchor and target.suffix == ".html":
            there = soup_of(site, str(target.relative_to(site).with_suffix("")))
            assert there.find(id=anchor), f"{page}: the link {link} leads to a missing section"


@pytest.mark.parametrize("page", [LANDING, *PAGES])
def test_no_markup_is_left_over(site, page):
    article = BeautifulSoup(str(soup_of(site, page).article), "html.parser")
    for literal in article.find_all(["code", "pre", "math", "svg", "script", "style"]):
        literal.decompose()
    text = article.get_text()
    for mark in (
        r"\*",
        "`",
        r"\]\(",
        ":::",
        r"\{[a-z-]+\}",
        r"</?\w+",
        r"\$",
        r"^#+ ",
        "&[a-z]+;",
    ):
        found = re.search(f".*(?:{mark}).*", text, re.MULTILINE)
        assert not found, f"{page}: markup is shown to the reader: {found[0].strip()!r}"


@pytest.mark.parametrize("page", ALL_PAGES)
def test_every_title_says_something(site, page):
    soup = soup_of(site, page)
    assert soup.title.text.strip().strip("—").strip()
    said = soup.title.text.split(" — ")
    assert len(set(said)) == len(said), "the browser shows a name twice"
    for title in soup.select("h1, h2, h3, h4, h5, h6, nav a, .prev-next-title"):
        text = title.get_text().replace("#", "").strip()
        assert text, f"{page}: an empty title: {title}"
        assert "<a" not in text, f"{page}: a title shows its anchor: {text}"


@pytest.mark.parametrize("page", ALL_PAGES)
def test_the_licence_is_named_and_no_author_is_made_up(site, page):
    soup = soup_of(site, page)
    assert "Apache License 2.0" in soup.select_one(".bd-footer-content").text
    assert not soup.select(".component-author, .copyright")


@pytest.mark.parametrize("page", [LANDING, *PAGES])
def test_a_page_describes_itself_from_its_own_text(site, page):
    soup = soup_of(site, page)
    said = {
        tag.get("name") or tag.get("property"): tag["content"]
        for tag in soup.select("meta[content]")
    }
    description = said["description"]
    assert 30 <= len(description) <= 180, f"{page}: its description is {description!r}"
    assert bool(HANGUL.search(description)) == (language_of(page) != "en"), description
    text = " ".join(soup.article.text.replace(WORD_JOINER, "").split())
    assert description.split(". ")[0].rstrip("….") in text, f"{page}: not its text: {description}"
    assert said["og:description"] == description
    assert said["og:url"] == (ADDRESS if page == LANDING else f"{ADDRESS}{page}.html")
    assert said["og:locale"] == {"ko": "ko_KR"}.get(language_of(page), "en_US")
    assert said["og:title"] in soup.title.text
    card = Path(site, said["og:image"].removeprefix(ADDRESS))
    assert card.is_file() and card.stat().st_size < 60_000, f"{page}: its card is {card.name}"


def test_descriptions_and_titles_differ(site):
    for tag in ("title", "meta[name=description]"):
        found = [str(soup_of(site, page).select_one(tag)) for page in PAGES]
        assert len(set(found)) == len(found), f"two pages share their {tag}"


def test_the_sitemap_lists_every_page_in_both_languages(site):
    sitemap = ElementTree.parse(site / "sitemap.xml").getroot()
    listed = [loc.text for loc in sitemap.iterfind(".//{*}loc")]
    assert listed == [ADDRESS, *(f"{ADDRESS}{page}.html" for page in PAGES)]
    assert len(sitemap.findall(".//{*}link")) == 2 * len(PAGES)
    assert f"Sitemap: {ADDRESS}sitemap.xml" in (site / "robots.txt").read_text("utf8")


def test_the_site_s_address_is_configured_or_that_of_github_pages():
    address = page_head.site_address
    assert address("", {}) == ""
    assert address("", {"GITHUB_REPOSITORY": REPOSITORY}) == ADDRESS
    assert address("", {"GITHUB_REPOSITORY": "Who/who.github.io"}) == "https://who.github.io/"
    assert address("https://a.b/c", {"GITHUB_REPOSITORY": REPOSITORY}) == "https://a.b/c/"


def test_lost_readers_are_told_in_both_languages(site):
    soup = soup_of(site, "404")
    assert soup.html["lang"] == "ko"
    english = soup.select_one("section[lang=en]").extract()
    assert not HANGUL.search(english.text)
    for text in soup.main.stripped_strings:
        assert HANGUL.search(text), f"the page for lost readers says in its Korean part: {text}"
    for tag in soup.select("link[href]") + soup.select("a") + english.select("a"):
        link = tag["href"]
        assert link.startswith("/a-repository/"), f"{link} fails at another depth"
        assert (site / link.removeprefix("/a-repository/")).is_file(), f"404.html: {link} is dead"


def told_by_git(folder: Path, *words: str) -> str:
    """Return what git says about a folder, in the name of somebody."""
    somebody = ["-c", "user.name=n", "-c", "user.email=e"]
    command = ["git", "-C", folder, *somebody, *words]
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout.strip()


@each_page
def test_a_page_says_when_its_source_changed(site, page):
    source = (
        f"book/chapters/{Path(page).name}/chapter.md" if page in NOTEBOOK_PAGES else f"{page}.md"
    )
    day = told_by_git(ROOT, "log", "-1", "--format=%cs", "--", source)
    if told_by_git(ROOT, "rev-parse", "--is-shallow-repository") == "true":
        day = ""  # the last commit of such a clone seems to have changed everything
    time = soup_of(site, page).select_one(".page-facts time")
    assert (time["datetime"] if time else "") == day, f"{page}: not the date of {source}"


def test_dates_need_git_and_the_history(tmp_path):
    book, clone = tmp_path / "book", tmp_path / "clone"
    book.mkdir()
    assert page_facts.dates_of_files(book) == {}
    told_by_git(book, "init", "--quiet")
    told_by_git(book, "commit", "--allow-empty", "-m", "m")
    assert page_facts.dates_of_files(book) == {}
    (book / "page.md").touch()
    told_by_git(book, "add", "page.md")
    told_by_git(book, "commit", "-m", "m")
    assert list(page_facts.dates_of_files(book)) == ["page.md"]
    told_by_git(tmp_path, "clone", "--depth", "1", book.as_uri(), clone)
    assert page_facts.dates_of_files(clone) == {}


# A book of two pages, for what the real one must not contain


def write_notebook(file: Path, text: str) -> None:
    """Write a notebook of one cell of prose."""
    cell = {"cell_type": "markdown", "id": "prose", "metadata": {}, "source": text}
    kernel = {"kernelspec": {"name": "python3", "display_name": "Python 3", "language": "python"}}
    notebook = {"cells": [cell], "metadata": kernel, "nbformat": 4, "nbformat_minor": 5}
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(json.dumps(notebook), "utf8")


@pytest.fixture
def small_book(tmp_path) -> Path:
    """Return a book with this book's configuration and one notebook per language."""
    book = tmp_path / "small"
    shutil.copytree(ROOT / "workshop", book / "workshop")
    (book / "book").mkdir()
    shutil.copy(GLOSSARY, book / "book")
    config = (ROOT / "_config.yml").read_text("utf8")
    (book / "_config.yml").write_text(re.sub(r'(?m)^  url: "[^"]*"', '  url: ""', config), "utf8")
    parts = [
        f"  - chapters: [{{file: book/{c}/00-start}}, {{file: book/{c}/01-page}}]\n" for c in OTHER
    ]
    toc = f"format: jb-book\nroot: index\noptions: {{hidden: true}}\nparts:\n{''.join(parts)}"
    (book / "_toc.yml").write_text(toc)
    (book / "index.md").write_text("# A book · 책\n")
    for language, title, section in (("ko", "쪽", "절"), ("en", "Page", "S")):
        chapters = f'# {section}\n\n## {section} <a id="map"></a>\n\n[{title}](01-page.ipynb)\n'
        write_notebook(book / f"book/{language}/00-start.ipynb", chapters)
        page = f'# 1. {title}\n\n## {section} <a id="section"></a>\n'
        write_notebook(book / f"book/{language}/01-page.ipynb", page)
    return book


def test_without_a_repository_the_notebook_is_offered_to_download(small_book, tmp_path):
    old = tmp_path / "out/_build/html/downloads/old.pdf"
    old.parent.mkdir(parents=True)
    old.touch()
    site = build(small_book, tmp_path / "out", repository=None)
    assert not old.exists(), "a PDF of the book as it was"
    for page, hint in (("book/ko/01-page", "업로드"), ("book/en/01-page", "Upload")):
        soup = soup_of(site, page)
        links = soup.select(".dropdown-launch-buttons a")
        download, colab = (link["href"] for link in links)
        launch = soup_of(site, page.replace("01-page", "00-start")).select_one("#map a.launch")
        for link in (links[0], launch):
            assert link["href"] == download and link.has_attr("download")
        assert (site / posixpath.normpath(posixpath.join("book/ko", download))).is_file()
        assert colab == "https://colab.research.google.com"
        assert hint in links[1].text
        assert not soup.select("a[href*='github.com']"), f"{page}: a dead link to a repository"
        assert not soup.select("link[hreflang]"), "no search engine takes a relative address"


def test_a_link_to_nowhere_stops_the_build(small_book, tmp_path):
    text = "# 1. P\n\n[x](#nowhere)\n\n[x](01-page.ipynb#nowhere)"
    write_notebook(small_book / "book/en/01-page.ipynb", text)
    with pytest.raises(AssertionError, match="target not found") as failure:
        build(small_book, tmp_path / "out", repository=None)
    assert "local id not found" in str(failure.value)
    assert "book/en/01-page" in str(failure.value)


BEGIN, END = "<!-- picture nowhere -->", "<!-- end of picture -->"


@pytest.mark.parametrize(
    ("comments", "said"), [([BEGIN, END], "nowhere cannot be shown"), ([BEGIN], "has no end")]
)
def test_a_picture_that_cannot_be_shown_is_named(comments, said):
    document = new_document("page", get_default_settings(Parser()))
    document.settings.env = SimpleNamespace(
        docname="book/en/01-page", metadata={}, note_dependency=str
    )
    document += [nodes.raw("", comment, format="html") for comment in comments]
    with pytest.raises(ExtensionError, match=f"book/en/01-page: picture .*{said}"):
        Pictures(document).apply()


def test_a_formula_that_cannot_be_read_is_named():
    writer = SimpleNamespace(builder=SimpleNamespace(current_docname="book/en/01-page"), body=[])
    with pytest.raises(ExtensionError, match="book/en/01-page: the formula"):
        write_inline(writer, nodes.math("", r"\nothing"))


def checked(folder: Path, *pages: str) -> None:
    """Check a table of contents as a build does."""
    parts = [{"chapters": [{"file": page}]} for page in pages]
    (folder / "_toc.yml").write_text(yaml.safe_dump({"parts": parts}))
    languages.check_that_both_languages_have_each_page(SimpleNamespace(srcdir=folder))


def test_a_page_in_one_language_stops_the_build(tmp_path):
    with pytest.raises(ExtensionError, match="lists book/ko/01-a but not book/en/01-a"):
        checked(tmp_path, "book/ko/01-a")
    with pytest.raises(ExtensionError, match="different orders"):
        checked(tmp_path, "book/ko/a", "book/ko/b", "book/en/b", "book/en/a")
    with pytest.raises(ExtensionError, match=r"there is no book/ko/01-a\.ipynb"):
        checked(tmp_path, "book/ko/01-a", "book/en/01-a")


def test_the_repository_is_the_build_s_own(tmp_path, monkeypatch):
    monkeypatch.delenv("GITHUB_REPOSITORY", raising=False)
    known = repository.known_repository
    assert known(tmp_path, "") is None
    assert known(tmp_path, "https://github.com/a/b") == "a/b"
    with pytest.raises(ExtensionError, match=r"repository\.url is 'a/b'"):
        known(tmp_path, "a/b")
    subprocess.run(["git", "init", "--quiet", tmp_path], check=True)
    for origin, found in (
        ("https://github.com/c/d.git", "c/d"),
        ("git@github.com:c/d.git", "c/d"),
        ("ssh://git@github.com/c/d", "c/d"),
        ("https://example.org/c/d.git", None),
    ):
        subprocess.run(["git", "-C", tmp_path, "config", "remote.origin.url", origin], check=True)
        assert known(tmp_path, "") == found, origin
    monkeypatch.setenv("GITHUB_REPOSITORY", "e/f")
    assert known(tmp_path, "https://github.com/a/b") == "e/f"
