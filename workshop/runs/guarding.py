"""What guards share: names that each run of guards begins with."""

import re as _re
import sys as _sys


def _words_of(error) -> str:
    """The message of an error, without colors."""
    return _re.sub(r"\x1b\[[\d;]*m", "", str(error))


def _raised(kind: str, *words: str) -> str:
    """The visible cell above raised a class of this name, with these words; return its message."""
    error, _sys.last_value = _sys.last_value, None
    assert type(error).__name__ == kind, type(error).__name__
    text = _words_of(error)
    for part in words:
        assert part in text, (part, text)
    return text


def _raises(kind, words: str, call, *arguments, **options) -> bool:
    """A call raises this class, or one of this very name, with these words."""
    try:
        call(*arguments, **options)
    except BaseException as error:
        is_kind = type(error).__name__ == kind if isinstance(kind, str) else isinstance(error, kind)
        assert is_kind, (type(error).__name__, _words_of(error))
        assert words in _words_of(error), error
        return True
    raise AssertionError(f"{kind} was expected, nothing raised")
