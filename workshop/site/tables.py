"""Let tables be read on a phone: rows become cards, whose cells are named; code breaks where it may.

Each cell gets the header of its column, which `book.css` writes before it where a table is a list of
cards. In a cell a long identifier breaks after a dot, a bracket, a comma or an underscore, never in a word.
"""

import re

TABLE = re.compile(r'<table class="[^"]*\btable">.*?</table>', re.DOTALL)
HEADER = re.compile(r"<th[^>]*>(.*?)</th>", re.DOTALL)
ROW = re.compile(r"<tr[^>]*>.*?</tr>", re.DOTALL)
CELL = re.compile(r"<td>(<p>-</p>)?")  # with a dash, a card leaves it out
CODE = re.compile(r"(<code[^>]*>)(.*?)(</code>)", re.DOTALL)
SHORT = 16  # letters of code that stay on one line
SEAM = re.compile(r"(?<=\w)([.(,_]+)(?=[^\s.(,_<)])|([(,]+)(?=[^\s.(,_<)])")
TAG = re.compile(r"<[^>]+>")


def let_break(code: re.Match) -> str:
    """Return code that may break after what joins its words, where it isn't short."""
    if len(TAG.sub("", code[2])) <= SHORT:
        return code[0]
    return code[1] + SEAM.sub(r"\g<0><wbr>", code[2]) + code[3]


def named_cell(column: str, dash: str | None) -> str:
    """Return the beginning of a cell, with the name of its column unless it says nothing."""
    return f"<td>{dash}" if dash else f'<td data-column="{column}">'


def named(table: re.Match) -> str:
    """Return a table whose cells name their columns."""
    head, body = table[0].partition("</thead>")[::2]
    names = [TAG.sub("", name).replace('"', "&quot;").strip() for name in HEADER.findall(head)]

    def name_cells(row: re.Match) -> str:
        # A header at the start of a row is the title of its card.
        columns = iter(names[len(HEADER.findall(row[0])) :])
        return CELL.sub(lambda cell: named_cell(next(columns, ""), cell[1]), row[0])

    return head + "</thead>" + CODE.sub(let_break, ROW.sub(name_cells, body))


def name_columns(app, page: str, template, context, doctree) -> None:
    """Name the cells of all tables of a page."""
    context["body"] = TABLE.sub(named, context.get("body", ""))


def setup(app):
    """Connect the step."""
    app.connect("html-page-context", name_columns)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
