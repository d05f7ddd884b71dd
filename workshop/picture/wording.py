"""The words of pictures, and about how much room they take."""

import re
import unicodedata

from workshop.layout import LANGUAGES
from workshop.words import keyed_words

CODE = re.compile(r"`([^`]+)`")
# Advances in em, as wide as the widest of the fonts that pages are read in: for Latin letters that is
# DejaVu Sans, which Linux shows where a page asks for the system's font. Code is a bit smaller.
MONO = 0.575
HANGUL = 0.92
LATIN = {
    letter: width
    for letters, width in (
        ("ijl'", 0.28), ("IJ .,", 0.32), (":;|/", 0.34), ("f-", 0.37), ("rt()[]!", 0.41),
        ("sz?", 0.53), ("cL", 0.56), ("kvxyF", 0.6), ("DGHNOQU", 0.79), ("w+=×→", 0.84),
        ("mMW%@…", 1),
    )
    for letter in letters
}  # fmt: skip
CAPITAL, OTHER = 0.7, 0.64
BOLD, BOLD_LATIN = 1.04, 0.075  # by how much they are multiplied, and what is added to Latin ones


def said(key: str, **values) -> dict[str, str]:
    """What all pictures say alike, from `words.yml`, with `values` in its braces."""
    return fill({code: keyed_words("picture", code)[key] for code in LANGUAGES}, **values)


def fill(words: dict[str, str], **values) -> dict[str, str]:
    """Put values into the braces of words, in each language."""
    return {code: text.format(**values) for code, text in words.items()}


def spans(text: str) -> list[tuple[str, bool]]:
    """The pieces of a text, each with whether it stands between backticks and is code."""
    return [(piece, place % 2 == 1) for place, piece in enumerate(CODE.split(text)) if piece]


def room_for(text: str, size: float, bold: bool = False) -> float:
    """About how many pixels wide a line is on the screen."""
    ems = 0.0
    for piece, is_code in spans(text):
        for letter in piece:
            if unicodedata.east_asian_width(letter) in "WF":
                ems += HANGUL * (BOLD if bold else 1)
            elif is_code:
                ems += MONO * (BOLD if bold else 1)
            else:
                ems += LATIN.get(letter, CAPITAL if letter.isupper() else OTHER)
                ems += BOLD_LATIN if bold else 0
    return ems * size
