"""Small faults planted in the source of a chapter: in its code, its prose and its metadata."""

import ast
import io
import re
import tokenize
from collections.abc import Callable

from workshop.chapter.model import IN_NO_NOTEBOOK
from workshop.chapter.read import cells_in
from workshop.layout import LANGUAGES

# A kind of fault takes the blocks of a chapter and a generator, and says what it did, or None.


class Block(str):
    """A piece of a chapter's text: a cell as `read.py` finds it, or what is between cells."""

    language: str | None = None  # of a cell of prose
    tags: list[str] | None = None  # of a cell of code
    source = ""

    def replaced(self, text: str) -> "Block":
        """The cell with another text."""
        block = Block(text)
        block.language, block.tags, block.source = self.language, self.tags, self.source
        return block

    def with_source(self, source: str) -> "Block":
        """The code cell with other code."""
        before, _, after = self.rpartition(self.source)
        block = self.replaced(f"{before}{source.rstrip()}{after}")
        block.source = source.rstrip()
        return block


def blocks_of(text: str) -> list[Block]:
    """The text of a chapter in pieces: its header, then its cells."""
    lines = text.splitlines(keepends=True)
    cells = cells_in(text, "chapter")
    blocks = [Block("".join(lines[: cells[0][0].start]))]
    for place, kind, source, metadata in cells:
        block = Block("".join(lines[place.start : place.end]))
        block.language, block.source = metadata.get("lang"), source
        block.tags = list(metadata.get("tags", [])) if kind == "code" else None
        blocks.append(block)
    return blocks


def code_places(blocks: list[Block], wanted: Callable[[str], object] = bool) -> list[int]:
    """Where code cells that readers see stand and what they run is accepted by `wanted`."""
    return [
        place
        for place, block in enumerate(blocks)
        if block.tags is not None and not set(IN_NO_NOTEBOOK) & set(block.tags)
        if wanted(block.source)
    ]


def put_source(blocks: list[Block], place: int, source: str) -> None:
    """Give a code cell other code."""
    blocks[place] = blocks[place].with_source(source)


def _tokens(source: str) -> list[tokenize.TokenInfo]:
    try:
        return list(tokenize.generate_tokens(io.StringIO(source).readline))
    except (tokenize.TokenError, SyntaxError):
        return []


def _replace_match(blocks, rng, pattern: str, change: Callable[[str], str]) -> str | None:
    """Change the group "x" of a random match of `pattern` in the code of a random cell."""
    found = [
        (place, match)
        for place in code_places(blocks)
        for match in re.finditer(pattern, blocks[place].source)
    ]
    if not found:
        return None
    place, match = rng.choice(found)
    source = blocks[place].source
    start, end = match.span("x")
    put_source(blocks, place, source[:start] + change(match["x"]) + source[end:])
    return f"{match.group()!r} -> {change(match['x'])!r}"


def another_seed(blocks, rng):
    calls = r"(?:random\.key|default_rng|PRNGKey|Rngs|SeedGenerator|set_random_seed)"
    return _replace_match(blocks, rng, rf"{calls}\((?P<x>\d+)", lambda x: str(int(x) + 1))


def another_learning_rate(blocks, rng):
    names = r"(?:\blr|_?rate|sgd|adam\w*|SGD|Adam)"
    return _replace_match(
        blocks, rng, rf"{names}\s*[=(]\s*(?P<x>\d*\.\d+)", lambda x: str(float(x) * 2)
    )


def another_dtype(blocks, rng):
    other = {"float32": "float16", "bfloat16": "float32", "int32": "int8", "float16": "float32"}
    pattern = r"\bj?np\.(?P<x>float32|bfloat16|int32|float16)\b"
    return _replace_match(blocks, rng, pattern, other.__getitem__)


def another_number_in_the_code(blocks, rng):
    return _replace_match(
        blocks, rng, r"(?<![\w.\"'#])(?P<x>\d+\.\d+|\d+)(?![\w.\"'])", _other_number
    )


def _other_number(text: str) -> str:
    return str(int(text) + 1) if text.isdigit() else str(float(text) * 1.5)


def another_operator(blocks, rng):
    other = {"+": "-", "-": "+", "*": "+", "/": "*"}
    return _replace_match(blocks, rng, r"(?<=\w|\)) (?P<x>[-+*/]) (?=\w|\()", other.__getitem__)


def a_figure_drawn_otherwise(blocks, rng):
    """Another colour, style or label in the code that draws."""
    other = {"--": "-", "-": ":", ":": "--", "o": "s", "o-": "s-", "s": "o", ".": "x", "C0": "C3"}
    drawing = code_places(blocks, re.compile(r"\bplt\.|\baxe?s?\w*\.(?:plot|bar|set)").search)
    found = [
        (place, token)
        for place in drawing
        for token in _tokens(blocks[place].source)
        if token.type == tokenize.STRING and token.string[0] in "\"'" and len(token.string) > 2
        if re.search(r"plot|label|bar|scatter|color|text", token.line)
        and "rcParams" not in token.line
    ]
    if not found:
        return None
    place, token = rng.choice(found)
    old = token.string[1:-1]
    lines = blocks[place].source.split("\n")
    row, start, end = token.start[0] - 1, token.start[1], token.end[1]
    lines[row] = f"{lines[row][:start]}{other.get(old, old + 's')!r}{lines[row][end:]}"
    put_source(blocks, place, "\n".join(lines))
    return f"{old!r} -> {other.get(old, old + 's')!r}"


def a_deleted_statement(blocks, rng):
    """The last statement of a cell that has several."""

    def several(source: str) -> bool:
        try:
            return len(ast.parse(source).body) > 1
        except SyntaxError:
            return False

    if not (places := code_places(blocks, several)):
        return None
    place = rng.choice(places)
    last = ast.parse(blocks[place].source).body[-1]
    lines = blocks[place].source.split("\n")
    put_source(blocks, place, "\n".join(lines[: last.lineno - 1]))
    return f"without {lines[last.lineno - 1]!r}"


def _raising(blocks: list[str]) -> list[int]:
    return [place for place in code_places(blocks) if "raises-exception" in blocks[place].tags]


def another_error(blocks, rng):
    """The cell that must fail fails with another error."""
    if not (places := _raising(blocks)):
        return None
    place = rng.choice(places)
    put_source(blocks, place, f'raise LookupError("other")\n{blocks[place].source}')
    return blocks[place].source.split("\n")[1]


def an_error_that_no_longer_happens(blocks, rng):
    if not (places := _raising(blocks)):
        return None
    place = rng.choice(places)
    body = "\n".join(f"    {line}" for line in blocks[place].source.rstrip().split("\n"))
    put_source(blocks, place, f"try:\n{body}\nexcept Exception:\n    pass")
    return body.split("\n")[0].strip()


def a_deleted_code_cell(blocks, rng):
    place = rng.choice(code_places(blocks))
    what = blocks[place].source.split("\n")[0]
    blocks[place] = Block()
    return what


def a_code_cell_twice(blocks, rng):
    place = rng.choice(code_places(blocks))
    blocks[place] = blocks[place].replaced(f"{blocks[place]}\n{blocks[place]}")
    return blocks[place].source.split("\n")[0]


def swapped_code_cells(blocks, rng):
    places = code_places(blocks)
    number = rng.randrange(len(places) - 1)
    one, other = places[number], places[number + 1]
    blocks[one], blocks[other] = blocks[other], blocks[one]
    return blocks[one].source.split("\n")[0]


CODE_FAULTS = {
    another_seed: 6,
    another_learning_rate: 6,
    another_dtype: 5,
    another_number_in_the_code: 9,
    another_operator: 5,
    a_figure_drawn_otherwise: 7,
    a_deleted_statement: 5,
    another_error: 4,
    an_error_that_no_longer_happens: 4,
    a_deleted_code_cell: 4,
    a_code_cell_twice: 4,
    swapped_code_cells: 4,
}


def _in_blocks(
    blocks,
    rng,
    pattern: str,
    change: Callable[[re.Match], str],
    wanted: Callable[[str], object] = bool,
) -> str | None:
    """Replace a random match of `pattern` in the blocks that `wanted` accepts."""
    found = [
        (place, match)
        for place, block in enumerate(blocks)
        if wanted(block)
        for match in re.finditer(pattern, block)
    ]
    if not found:
        return None
    place, match = rng.choice(found)
    block = blocks[place]
    blocks[place] = block.replaced(block[: match.start()] + change(match) + block[match.end() :])
    return f"{block.language or 'cell'} {match.group()[:40]!r}"


def _in_prose(blocks, rng, pattern: str, replacement: str, *languages: str) -> str | None:
    """Replace a random match of `pattern` in the prose of these languages, of both without them."""
    wanted = languages or LANGUAGES
    return _in_blocks(
        blocks,
        rng,
        pattern,
        lambda match: match.expand(replacement),
        lambda block: block.language in wanted,
    )


def an_untranslated_paragraph(blocks, rng):
    place = rng.choice([place for place, block in enumerate(blocks) if block.language])
    language = blocks[place].language
    blocks[place] = Block()
    return f"{language} prose deleted"


def prose_in_the_wrong_order(blocks, rng):
    places = [place for place, block in enumerate(blocks) if block.language == "en"]
    place = rng.choice(places)
    before = max(p for p in range(place) if blocks[p].language == "ko")
    blocks[place], blocks[before] = blocks[before], blocks[place]
    return "English before Korean"


def prose_of_no_language(blocks, rng):
    return _in_prose(blocks, rng, r'\+\+\+ \{"lang": "(?:ko|en)"\}', "+++")


def an_anchor_of_one_language(blocks, rng):
    return _in_prose(blocks, rng, r'<a id="([^"]+)">', r'<a id="\1-2">')


def a_missing_anchor(blocks, rng):
    return _in_prose(blocks, rng, r' <a id="[^"]+"></a>', "")


def a_picture_without_alt(blocks, rng):
    return _in_prose(blocks, rng, r"!\[[^\]]+\]\(", "![](")


def a_missing_picture(blocks, rng):
    return _in_prose(blocks, rng, r"(!\[[^\]]+\]\([^)]+)\.(svg|json)\)", r"\1-2.\2)")


def a_number_of_one_language(blocks, rng):
    number = r"(?<=[\s(`])(\d+)(\.\d+)?(?=[`\s,)]|\. |[가-힣])(?![^\n]*<a id)(?<!\n\d)"
    return _in_prose(blocks, rng, number, r"\g<1>7\2")


def a_marked_choice_of_one_language(blocks, rng):
    return _in_prose(blocks, rng, r"(?m)^- \[x\]", "- [ ]")


def a_refused_spelling(blocks, rng):
    return _in_prose(blocks, rng, "인수", "인자", "ko")


ONE_TAG = r"(?m)^tags: \[([\w-]+)\]"


def an_unknown_tag(blocks, rng):
    return _in_blocks(blocks, rng, ONE_TAG, lambda match: f"tags: [{match[1]}s]")


def another_tag_in_the_chapter(blocks, rng):
    def another(match: re.Match) -> str:
        known = ["raises-exception", "exercise", "check", "solution", "wrong-answer"]
        return f"tags: [{rng.choice([name for name in known if name != match[1]])}]"

    return _in_blocks(blocks, rng, ONE_TAG, another)


def alt_text_of_one_language(blocks, rng):
    language = rng.choice(list(LANGUAGES))
    text = rf"(?m)(^alt:\n(?:  .*\n)*?)  {language}: .*\n(?:    .*\n)*"
    return _in_blocks(blocks, rng, text, lambda match: match[1])


def a_pattern_without_reason(blocks, rng):
    return _in_blocks(blocks, rng, r"(?m)^  reason:.*\n", lambda match: "")


SOURCE_FAULTS = {
    an_untranslated_paragraph: 4,
    prose_in_the_wrong_order: 3,
    prose_of_no_language: 2,
    an_anchor_of_one_language: 3,
    a_missing_anchor: 3,
    a_picture_without_alt: 3,
    a_missing_picture: 3,
    a_number_of_one_language: 6,
    a_marked_choice_of_one_language: 3,
    a_refused_spelling: 2,
    an_unknown_tag: 3,
    another_tag_in_the_chapter: 5,
    alt_text_of_one_language: 3,
    a_pattern_without_reason: 3,
}
