"""Keep short code and Korean words whole: `‘한 번’입니다` must not break before 입니다.

`word-break: keep-all` keeps lines from breaking inside Hangul, but browsers still break between a
closing mark and the particle that follows it, and behind any mark that ends a piece of code. A word
joiner (U+2060) there forbids it. It is written into the built page alone: sources, notebooks and
the search index stay without it.

A short piece of code in a sentence, as `w * x`, gets a class, for copied spaces should be spaces.
"""

import re

WORD_JOINER = "\N{WORD JOINER}"
CLOSING = "’”)\\]%…"
PIECES = re.compile(r"(<(script|pre|svg|math)\b.*?</\2>|<[^>]+>)", re.DOTALL)
INLINE = re.compile(r"</?(?:a|b|code|em|span|strong)\b")
SEAM = re.compile(f"([{CLOSING}]`?)(?=[가-힣])")
SHORT_CODE = re.compile(r'<code class="([^"]*notranslate)">(?=[^<]* )(?=[^<]{1,12}</code>)')
ENDS_OPEN = re.compile(f"[{CLOSING}]$")


def join_seams(text: str) -> str:
    """Join closing marks to the Hangul behind them in plain text, where ` ends a piece of code."""
    return SEAM.sub(rf"\1{WORD_JOINER}", text)


def keep_code_whole(html: str) -> str:
    """Mark what the style sheet shall not part."""
    return SHORT_CODE.sub(r'<code class="\1 whole">', html)


def keep_words_whole(html: str) -> str:
    """Join closing marks to the Hangul behind them, in the text of a page."""
    joined, after_mark, last, position = [], False, "", 0
    for tag in [*PIECES.finditer(html), None]:
        text = html[position : tag.start() if tag else len(html)]
        if text:
            if after_mark and "가" <= text[0] <= "힣":
                joined.append(WORD_JOINER)
            joined.append(join_seams(text))
            after_mark, last = bool(ENDS_OPEN.search(text)), text[-1]
        if tag:
            joined.append(tag[0])
            if tag[0] == "</code>":
                after_mark = not last.isalnum()
            after_mark = after_mark and bool(INLINE.match(tag[0]))
            position = tag.end()
    return "".join(joined)
