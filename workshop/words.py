"""What the site and the notebooks say around the text: each room keeps its words in `words.yml`.

An entry is `English: 한국어`, for what is asked for by its English, as templates do, or
`key: {ko: …, en: …}`, for what a script or a program asks for by a key.
"""

import re
from collections.abc import Callable
from functools import cache

import yaml

from workshop.layout import WORKSHOP


@cache
def _entries(room: str) -> dict:
    return yaml.safe_load((WORKSHOP / room / "words.yml").read_text("utf8"))


@cache
def korean_by_english() -> dict[str, str]:
    """What is asked for by its English, of all rooms."""
    rooms = sorted(path.parent.name for path in WORKSHOP.glob("*/words.yml"))
    found: dict[str, str] = {}
    for room in rooms:
        for english, korean in _entries(room).items():
            if isinstance(korean, str) and found.setdefault(english, korean) != korean:
                raise ValueError(f"{room}/words.yml: {english!r} has two Korean words; keep one")
    return found


def curled(text: str) -> str:
    """A text that goes into a page as HTML with the apostrophes of prose, which Sphinx curls alone."""
    return re.sub(r"(?<=\w)'(?=\w)", "’", text)


def words_in(language: str) -> Callable[[str], str]:
    """What translates the words around the text into a language."""
    return korean_by_english().__getitem__ if language == "ko" else str


def keyed_words(room: str, language: str) -> dict[str, str]:
    """The words of a room in a language that are asked for by a key."""
    return {
        key: said[language] for key, said in _entries(room).items() if not isinstance(said, str)
    }
