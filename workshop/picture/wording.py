"""The words of pictures, and about how much room they take."""

import re
import unicodedata

from workshop.layout import LANGUAGES
from workshop.words import keyed_words

CODE = re.compile(r"`([^`]+)`")
# Advances in em, as wide as the widest of the fonts that pages are read in; code is a bit smaller.
MONO = 0.575
HANGUL = 0.92
NARROW_LETTERS = dict.fromkeys("iljI.,:;'|!()[]", 0.32) | dict.fromkeys("frt- ", 0.38)
WIDE_LETTERS = dict.fromkeys("mwMW@%", 0.92)


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
                ems += HANGUL
            elif is_code:
                ems += MONO
            else:
                usual = 0.68 if letter.isupper() else 0.57
                ems += (NARROW_LETTERS | WIDE_LETTERS).get(letter, usual)
    return ems * size * (1.04 if bold else 1)
