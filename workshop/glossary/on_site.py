"""The directive `{glossary-table}`: `book/glossary.csv` as a table in the language of the page.

The file is the one home of the terms. The tests of the prose read it too.
"""

import csv
import io

from docutils import nodes
from docutils.parsers.rst.directives.tables import CSVTable

from workshop.layout import GLOSSARY, glossary, language_of
from workshop.words import keyed_words

# Per language: the columns, by the words at their heads, and how each is filled from a row of the file.
COLUMNS = {
    "ko": {
        "term": lambda row: row["gloss"] or row["ko"],
        "twin": lambda row: row["en"],
        "refused": lambda row: row["refused"].replace("|", ", "),
        "note": lambda row: row["note"],
    },
    "en": {
        "term": lambda row: row["en"],
        "twin": lambda row: row["gloss"] or row["ko"],
        "note": lambda row: row["note_en"],
    },
}
SPOKEN_IN = {"ko": "en", "en": "ko"}  # the column `twin`


class GlossaryTable(CSVTable):
    """A csv-table whose rows are those of the glossary, sorted for the language of the page."""

    def run(self):
        """Write the table under a header row."""
        self.options["header-rows"] = 1
        env = self.state.document.settings.env
        env.note_dependency(str(GLOSSARY))
        written = super().run()
        language = language_of(env.docname)
        twin = list(COLUMNS[language]).index("twin")
        for row in next(written[0].findall(nodes.tbody)):
            # docutils writes such a class as the attribute `lang`
            row[twin]["classes"].append(f"language-{SPOKEN_IN[language]}")
        return written

    def get_csv_data(self):
        """Return the lines of the table and where they come from."""
        language = language_of(self.state.document.settings.env.docname)
        columns, words = COLUMNS[language], keyed_words("glossary", language)
        head = [words[name] for name in columns]
        rows = [[fill(row) for fill in columns.values()] for row in glossary()]
        text = io.StringIO()
        csv.writer(text).writerows([head, *sorted(rows, key=lambda row: row[0].lower())])
        return text.getvalue().splitlines(), str(GLOSSARY)


def setup(app):
    """Register the directive."""
    app.add_directive("glossary-table", GlossaryTable)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
