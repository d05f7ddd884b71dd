"""Say at the foot of a page when its text last changed and where to report a problem.

The date is that of the last commit to the file one would edit: the chapter's source, not the
notebook written from it. Without git, or in a clone that lacks the history, no date is shown.
Where the repository is known (see repository.py), a link opens an issue with page and version
filled in.
"""

from datetime import date
from pathlib import Path

from babel.dates import format_date

from workshop.layout import language_of
from workshop.site.repository import git, report_link, source_of

DATE = "%x00"  # git writes a zero byte before each date


def dates_of_files(folder: Path) -> dict[str, date]:
    """Return the day of the last commit to each file below a folder; empty without the history."""
    if git(folder, "rev-parse", "--is-shallow-repository") != "false":
        return {}
    history = git(
        folder, "log", "-c", f"--format={DATE}%cs", "--name-only", "--relative", "--", "."
    )
    found = {}
    for commit in history.split("\0")[1:]:
        day, *files = commit.split("\n")
        for file in filter(None, files):
            found.setdefault(file, date.fromisoformat(day))
    return found


def look_up(app) -> None:
    """Ask git once, before pages are written."""
    app.dates_of_files = dates_of_files(Path(app.srcdir))


def add_facts(app, page: str, template, context, doctree) -> None:
    """Fill what `page-facts.html` shows."""
    suffix = context.get("page_source_suffix")
    if not suffix:
        return
    source = source_of(Path(app.srcdir), page, suffix)
    if day := app.dates_of_files.get(source):
        language = language_of(page) or "en"
        context["changed_on"] = {
            "iso": day.isoformat(),
            "text": format_date(day, "long", locale=language),
        }
    if app.known_repository:
        context["report_link"] = report_link(app, page)


def setup(app):
    """Connect the steps."""
    app.connect("builder-inited", look_up)
    app.connect("html-page-context", add_facts, priority=460)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
