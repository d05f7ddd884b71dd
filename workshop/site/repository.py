"""Links to Colab and to the repository, only where a repository is known.

A build in GitHub Actions and a clone whose `origin` is on GitHub know their repository without an
edit; otherwise `repository.url` in `_config.yml` names it. Where none is known, no page carries a
dead link: the launch menu offers the notebook to download and says how to open it in Colab. The
first page of a language leads to the notebook of every chapter, from its own list of them.
"""

import html
import json
import os
import posixpath
import re
import subprocess
from functools import cache
from pathlib import Path
from urllib.parse import urlencode

import yaml
from docutils import nodes
from sphinx.errors import ExtensionError
from sphinx.locale import _

from workshop.layout import language_of, pages_of
from workshop.words import words_in

COLAB = "https://colab.research.google.com"
LIST_OF_CHAPTERS = "map"  # the anchor of the section of a language's first page that holds it
ON_GITHUB = re.compile(
    r"(?:https?://(?:[^@/]+@)?|ssh://git@|git@)github\.com[/:](.+?)(?:\.git)?/?$"
)


def git(folder: Path, *words: str) -> str:
    """Return what git says about a folder, or nothing where it has nothing to say."""
    try:
        command = ["git", "-C", str(folder), "-c", "core.quotePath=false", *words]
        return subprocess.run(command, capture_output=True, text=True, check=True).stdout.strip()
    except (FileNotFoundError, subprocess.CalledProcessError):
        return ""


def known_repository(folder: Path, configured: str) -> str | None:
    """Return ORGANISATION/REPOSITORY of this build, or None."""
    if os.environ.get("GITHUB_REPOSITORY"):
        return os.environ["GITHUB_REPOSITORY"]
    if on_github := ON_GITHUB.fullmatch(git(folder, "remote", "get-url", "origin")):
        return on_github[1]
    if not configured:
        return None
    if on_github := ON_GITHUB.fullmatch(configured):
        return on_github[1]
    raise ExtensionError(
        f"_config.yml: repository.url is {configured!r}; "
        "write https://github.com/ORGANISATION/REPOSITORY or leave it empty"
    )


def link(text: str, url: str, icon: str) -> dict:
    """Return one entry of a menu of the theme."""
    return {"type": "link", "text": text, "url": url, "icon": icon}


def menu(label: str, tooltip: str, icon: str, links: list[dict]) -> dict:
    """Return one menu of the theme."""
    return {"type": "group", "label": label, "tooltip": tooltip, "icon": icon, "buttons": links}


def in_colab(repository: str, branch: str, page: str) -> str:
    """Return the address that opens the notebook of a page in Colab."""
    return f"{COLAB}/github/{repository}/blob/{branch}/{page}.ipynb"


def launch_menu(repository: str | None, branch: str, page: str, download: str) -> dict:
    """Return the menu that opens the notebook of a page in Colab."""
    if repository:
        links = [link(_("Open in Colab"), in_colab(repository, branch, page), "fas fa-play")]
    else:
        links = [
            link(_("1. Download this notebook"), download, "fas fa-download"),
            link(_("2. In Colab: File > Upload notebook"), COLAB, "fas fa-play"),
        ]
    return menu("launch-buttons", _("Run this notebook"), "fas fa-rocket", links)


def version_of_book(folder: Path) -> str:
    """Return the version that `CITATION.cff` names and, in a clone, the commit."""
    citation = folder / "CITATION.cff"
    version = yaml.safe_load(citation.read_text("utf8"))["version"] if citation.exists() else ""
    commit = git(folder, "rev-parse", "--short", "HEAD")
    return " ".join(filter(None, [str(version), commit and f"({commit})"]))


def report_link(app, page: str) -> str:
    """Return the address of a new issue with page and version filled in, in the page's language."""
    body = f"{_('Page')}: {page}\n{_('Version')}: {app.version_of_book}\n\n{_('What is wrong')}:\n"
    fields = urlencode({"title": f"{app.env.titles[page].astext()}: ", "body": body})
    return f"https://github.com/{app.known_repository}/issues/new?{fields}"


def source_menu(repository: str, branch: str, source: str, report: str) -> dict:
    """Return the menu of the repository: the project, this page's source, its issues."""
    home = f"https://github.com/{repository}"
    links = [
        link(_("Repository"), home, "fab fa-github"),
        link(_("Edit this page"), f"{home}/edit/{branch}/{source}", "fas fa-pencil-alt"),
        link(_("Report a problem"), report, "fas fa-lightbulb"),
    ]
    return menu("source-buttons", _("Source and issues"), "fab fa-github", links)


def source_of(folder: Path, page: str, suffix: str) -> str:
    """Return the file to edit: the chapter that a notebook is written from, or the page itself."""
    chapter = f"book/chapters/{page.rsplit('/', 1)[-1]}/chapter.md"
    return chapter if language_of(page) and (folder / chapter).exists() else page + suffix


def branch_of(app) -> str:
    """Return the branch that links lead to."""
    return app.config.html_theme_options.get("repository_branch") or "main"


def add_menus(app, page, template, context, doctree) -> None:
    """Put the menus at the start of the page's header buttons."""
    suffix = context.get("page_source_suffix")
    if not suffix:  # a page without a source, such as the search page
        return
    branch, menus = branch_of(app), []
    if suffix == ".ipynb":
        download = context["pathto"](f"_sources/{context['sourcename']}", 1)
        menus.append(launch_menu(app.known_repository, branch, page, download))
    if app.known_repository:
        source = source_of(Path(app.srcdir), page, suffix)
        menus.append(source_menu(app.known_repository, branch, source, report_link(app, page)))
    context["header_buttons"][:0] = menus


def notebook_link(app, page: str, notebook: str) -> tuple[str, str]:
    """Return where a link on a page opens a notebook, and the attribute that it needs for that."""
    if app.known_repository:
        return in_colab(app.known_repository, branch_of(app), notebook), ""
    return posixpath.relpath(f"_sources/{notebook}.ipynb", posixpath.dirname(page)), " download"


@cache
def cells_of(notebook: Path) -> dict[str, str]:
    """Return the source of each cell of a notebook, by its id: read once, for all links of a page."""
    cells = json.loads(notebook.read_text("utf8"))["cells"]
    return {cell["id"]: "".join(cell["source"]) for cell in cells}


def cell_link(app, page: str, source: str) -> tuple[str, str]:
    """Return where the notebook of a page opens, in Colab at the cell that holds this source."""
    address, download = notebook_link(app, page, page)
    if not download:
        cells = cells_of(Path(app.srcdir, f"{page}.ipynb"))
        here = next((cell for cell, text in cells.items() if source in text), None)
        address += f"#scrollTo={here}" if here else ""
    return address, download


def launch_chapters(app, doctree, page: str) -> None:
    """Put a link to its notebook behind each chapter that a language's first page lists."""
    language, root = language_of(page), Path(app.srcdir)
    if not language or page != pages_of(language, root)[0]:
        return
    here, words = posixpath.dirname(page), words_in(language)
    lists = [each for each in doctree.findall(nodes.section) if LIST_OF_CHAPTERS in each["ids"]]
    for chapter in [found for each in lists for found in each.findall(nodes.reference)]:
        # A page that isn't there (Sphinx says so) has no address.
        linked = posixpath.join(here, chapter.get("refuri", ""))
        target = posixpath.normpath(linked).removesuffix(".html")
        if not (root / f"{target}.ipynb").exists():
            continue
        address, download = notebook_link(app, page, target)
        said = words("Notebook") if download else "Colab"
        name = html.escape(f"{said}: {chapter.astext()}")
        start = f' <a class="launch" href="{html.escape(address)}" aria-label="{name}"{download}>'
        after = chapter.parent.index(chapter) + 1
        chapter.parent.insert(after, nodes.raw("", f"{start}{said}</a>", format="html"))


def find_repository(app) -> None:
    """Look once, before pages are written."""
    # The theme's own buttons are left without a repository: they would need one in every build.
    configured = app.config.html_theme_options.pop("repository_url", "")
    app.known_repository = known_repository(Path(app.srcdir), configured)
    app.version_of_book = version_of_book(Path(app.srcdir))


def setup(app):
    """Connect the steps."""
    app.connect("builder-inited", find_repository, priority=100)
    app.connect("doctree-resolved", launch_chapters)
    app.connect("html-page-context", add_menus, priority=502)  # after the theme's buttons
    return {"parallel_read_safe": True, "parallel_write_safe": True}
