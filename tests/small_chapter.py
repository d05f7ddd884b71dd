"""The pieces of which tests make small chapters."""

from workshop.layout import LANGUAGES, chapter_paths

HEADER = (chapter_paths()[0] / "chapter.md").read_text(encoding="utf8").partition("+++")[0]


def pair(korean: str, english: str | None = None) -> str:
    """A pair of prose cells; the same text in both where one is given."""
    texts = zip(LANGUAGES, (korean, korean if english is None else english), strict=True)
    return "".join(f'\n+++ {{"lang": "{code}"}}\n\n{text}\n' for code, text in texts)


def code(source: str, *metadata: str) -> str:
    """A code cell, with lines of metadata."""
    lines = ["---", *metadata, "---", source] if metadata else [source]
    return "\n".join(["", "```{code-cell} ipython3", *lines, "```", ""])
