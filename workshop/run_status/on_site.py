"""The directive `{run-status}`: when and how every notebook last ran, in each environment.

`{run-status} environments` shows what the runs ran on, `{run-status} chapters` their results, from
the records that `make status` writes.
"""

import csv
import io

from docutils.parsers.rst.directives.tables import CSVTable

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
        for path in RECORDS.glob("*.json"):
            self.state.document.settings.env.note_dependency(str(path))
        return super().run()

    def get_csv_data(self):
        """Return the lines of the table and where they come from."""
        language = language_of(self.state.document.settings.env.docname)
        text = io.StringIO()
        csv.writer(text).writerows(self.rows(language, read_records()))
        return text.getvalue().splitlines(), str(RECORDS)


def setup(app):
    """Register the directive."""
    app.add_directive("run-status", RunStatus)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
