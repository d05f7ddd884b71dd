"""The directive `{glossary-table}`: `book/glossary.csv` as a table in the language of the page.

The file is the one home of the terms. The tests of the prose read it too.
"""

import csv
import io

from docutils import nodes
from docutils.parsers.rst.directives.tables import CSVTable

from workshop.layout import GLOSSARY, glossary, language_of

# Per language: what stands in each column, and how it is filled from a row of the file.
COLUMNS = {
    "ko": {
        "용어": lambda row: row["gloss"] or row["ko"],
        "영어": lambda row: row["en"],
        "쓰지 않는 말": lambda row: row["refused"].replace("|", ", "),
        "설명": lambda row: row["note"],
    },
    "en": {
        "Term": lambda row: row["en"],
        "Korean": lambda row: row["gloss"] or row["ko"],
        "Note": lambda row: row["note_en"],
    },
}
# Columns in the other language than that of the page.
SPOKEN_IN = {"영어": "en", "Korean": "ko"}


class GlossaryTable(CSVTable):
    """A csv-table whose rows are those of the glossary, sorted for the language of the page."""

    def run(self):
        """Write the table under a header row."""
        self.options["header-rows"] = 1
        env = self.state.document.settings.env
        env.note_dependency(str(GLOSSARY))
        written = super().run()
        for row in next(written[0].findall(nodes.tbody)):
            for name, cell in zip(COLUMNS[language_of(env.docname)], row, strict=True):
                if name in SPOKEN_IN:  # docutils writes such a class as the attribute `lang`
                    cell["classes"].append(f"language-{SPOKEN_IN[name]}")
        return written

    def get_csv_data(self):
        """Return the lines of the table and where they come from."""
        columns = COLUMNS[language_of(self.state.document.settings.env.docname)]
        rows = [[fill(row) for fill in columns.values()] for row in glossary()]
        text = io.StringIO()
        csv.writer(text).writerows([list(columns), *sorted(rows, key=lambda row: row[0].lower())])
        return text.getvalue().splitlines(), str(GLOSSARY)


def setup(app):
    """Register the directive."""
    app.add_directive("glossary-table", GlossaryTable)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
