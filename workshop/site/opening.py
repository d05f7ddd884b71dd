"""What a chapter opens with, and what its block quotes are.

Above its title stands the part that a chapter belongs to, with the emblem where it opens that part;
its number stands apart, what follows a colon stays together, and below the title comes the question
that the list of chapters gives it. Field notes, the end of the essential path and rules are told
apart by their bold beginnings.
"""

import re
from functools import cache
from html import escape
from pathlib import Path

from workshop.layout import ROOT, WORKSHOP, language_of, number_of, parts_of
from workshop.words import curled

EMBLEM = (WORKSHOP / "site/emblem.svg").read_text("utf8").strip()
LISTED = re.compile(r"(?m)^\| \[[^\]]*\]\(([\w-]+)\.\w+\) \| (.+) \|$")
TITLE = re.compile(r"<h1>(?:(\d+)\. )?")
AFTER_COLON = re.compile(r"(<h1>(?:(?!</h1>).)*?: )(.+?)(?=</h1>)")
NEEDS = re.compile(
    r"<p>(?=(?:(?!</p>).)*(?:minutes|an hour|분쯤|시간쯤))", re.IGNORECASE | re.DOTALL
)
CODE = re.compile(r"`([^`]+)`")
QUOTES = {  # their class by how they begin
    "field-note": "Field note|현장 메모",
    "stop": "That’s the essential path|핵심은 여기까지입니다",
    "rule": "The rule|The essential rule|규칙",
}


@cache
def questions(language: str, root: Path = ROOT) -> dict[str, str]:
    """Return what the list of chapters asks of each page, as HTML."""
    listed = root / f"book/{language}/cover.md"
    rows = LISTED.findall(listed.read_text("utf8")) if listed.exists() else []
    return {
        name: CODE.sub(r"<code>\1</code>", escape(curled(said), quote=False)) for name, said in rows
    }


def open_page(app, page: str, template, context, doctree) -> None:
    """Write what stands above and below the title, and the classes of block quotes."""
    language, body = language_of(page), context.get("body", "")
    if not language or doctree is None:
        return
    for name, begin in QUOTES.items():
        start = re.compile(rf"<blockquote>(?=\s*<div><p><strong>(?:{begin}))")
        body = start.sub(f'<blockquote class="{name}">', body)
    root, name = Path(app.srcdir), page.rsplit("/", 1)[-1]
    for part, pages in parts_of(language, root):
        if part and page in pages:
            emblem = EMBLEM if page == pages[0] else ""
            body = TITLE.sub(
                lambda title, emblem=emblem, part=part: (
                    f'<p class="part">{emblem}{escape(part)}</p>\n<h1>'
                    + (f'<span class="number">{title[1]}. </span>' if title[1] else "")
                ),
                body,
                count=1,
            )
            body = AFTER_COLON.sub(r'\1<span class="after-colon">\2</span>', body, count=1)
    before, _, after = body.partition("</h1>\n")
    needs = NEEDS.match(after)
    if (asked := questions(language, root).get(name)) and (needs or number_of(name)):
        after = '<p class="needs">' + after[needs.end() :] if needs else after
        body = f'{before}</h1>\n<p class="asked">{asked}</p>\n{after}'
    context["body"] = body


def setup(app):
    """Connect the step."""
    app.connect("html-page-context", open_page, priority=480)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
