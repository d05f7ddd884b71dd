"""When and how every notebook last ran, in each environment, from the records of `make status`.

The directive `{run-status} environments` shows what the runs ran on, `{run-status} chapters` their
results. A notebook can't hold a directive: where its prose has the anchor `last-run`, the site says
the same in one line.
"""

import csv
import io
from pathlib import Path

import nbformat
from docutils import nodes
from docutils.parsers.rst.directives.tables import CSVTable
from sphinx.transforms import SphinxTransform

from workshop.layout import RECORDS, chapter_paths, language_of, notebook_path
from workshop.runs.records import SHOWN_VERSIONS, code_digest, read_records
from workshop.words import keyed_words


def environment_rows(language: str, records: dict) -> list[list[str]]:
    """One column per environment, since a page is narrow: its day, its results, its versions."""
    words = keyed_words("run_status", language)
    head = [words["environment"], words["day"], words["result"], words["device"], "Python"]
    columns = [[*head, *SHOWN_VERSIONS]]
    for name, record in records.items():
        here = words[name]
        if record is None:
            columns.append([here, words["never"], *[""] * (len(columns[0]) - 2)])
            continue
        results = [chapter["result"] for chapter in record["chapters"].values()]
        summary = words["summary"].format(passed=results.count("passed"), all=len(results))
        versions = [record["versions"][library] for library in SHOWN_VERSIONS]
        run_on = [record["device"], record["python"]]
        columns.append([here, record["date"], summary, *run_on, *versions])
    return [list(row) for row in zip(*columns, strict=True)]


def chapter_rows(language: str, records: dict) -> list[list[str]]:
    """One row per chapter: its result and time in each environment that ran."""
    words = keyed_words("run_status", language)
    ran = {name: record for name, record in records.items() if record}
    rows = [[words["chapter"], *[words[name] for name in ran]]]
    for path in chapter_paths():
        notebook = notebook_path(path, language)
        row = [f"[{path.stem}]({notebook.name})"]
        for record in ran.values():
            chapter = record["chapters"].get(path.stem)
            if chapter is None:
                row.append(words["never"])
            elif chapter["code"] != code_digest(notebook):
                row.append(words["changed"])
            else:
                seconds = words["seconds"].format(chapter["seconds"])
                row.append(f"{words[chapter['result']]}, {seconds}")
        rows.append(row)
    return rows


def line_of_last_run(language: str, records: dict) -> str:
    """What passed in every environment that ran; empty unless every chapter did, as it stands today.

    A line on some of the chapters would read as if the others had never run: the page of runs says
    which, and why.
    """
    ran = [record for record in records.values() if record]
    passed = [
        notebook
        for notebook in (notebook_path(path, language) for path in chapter_paths())
        if all(_passed(record["chapters"].get(notebook.stem), notebook) for record in ran)
    ]
    if not ran or len(passed) < len(chapter_paths()):
        return ""
    cells = [cell for path in passed for cell in nbformat.read(path, 4).cells]
    code = [cell for cell in cells if cell.cell_type == "code"]
    return keyed_words("run_status", language)["line"].format(
        date=max(record["date"] for record in ran),
        chapters=len(passed),
        cells=len(code),
        outputs=sum(len(cell.outputs) for cell in code),
        sets=len(ran),
        versions=", ".join(record["versions"]["jax"] for record in ran),
    )


def _passed(chapter: dict | None, notebook: Path) -> bool:
    return bool(chapter) and (chapter["result"], chapter["code"]) == (
        "passed",
        code_digest(notebook),
    )


TABLES = {"environments": environment_rows, "chapters": chapter_rows}


class RunStatus(CSVTable):
    """A csv-table whose rows come from the records of runs."""

    required_arguments = 1

    def run(self):
        """Write the table under a header row, behind a column of headers."""
        table = self.arguments.pop()
        if table not in TABLES:
            raise self.error(f"run-status: unknown table {table!r}; known: {', '.join(TABLES)}")
        self.rows = TABLES[table]
        self.options["header-rows"] = self.options["stub-columns"] = 1
        self.options["class"] = [f"run-status-{table}"]
        _depend_on_records(self.state.document.settings.env)
        return super().run()

    def get_csv_data(self):
        """Return the lines of the table and where they come from."""
        language = language_of(self.state.document.settings.env.docname)
        text = io.StringIO()
        csv.writer(text).writerows(self.rows(language, read_records()))
        return text.getvalue().splitlines(), str(RECORDS)


class LastRun(SphinxTransform):
    """Put the line on the last run above the paragraph that has the anchor for it."""

    default_priority = 45

    def apply(self, **kwargs):
        """Look for the anchor on this page."""
        for raw in list(self.document.findall(nodes.raw)):
            if raw.astext() == '<a id="last-run">':
                _depend_on_records(self.env)
                if line := line_of_last_run(language_of(self.env.docname), read_records()):
                    at = raw.parent.parent.index(raw.parent)
                    raw.parent.parent.insert(at, nodes.paragraph("", line, classes=["last-run"]))


def _depend_on_records(env) -> None:
    for path in RECORDS.glob("*.json"):
        env.note_dependency(str(path))


def setup(app):
    """Register the directive and the transform."""
    app.add_directive("run-status", RunStatus)
    app.add_transform(LastRun)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
