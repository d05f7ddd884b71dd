"""Every claim of the prose stands on an output, an assert, a test or a source; `-s` prints them.

What is judged is the committed notebook; that its outputs are what a run gives is nmake's part.
"""

from collections import Counter
from pathlib import Path

import pytest
from nbformat.v4 import new_output

from tests.small_chapter import HEADER, code, pair
from workshop.chapter.claims import GROUNDS, ClaimError, claims_in, claims_of
from workshop.chapter.read import parse
from workshop.layout import chapter_paths

CHAPTERS = {path.stem: path for path in chapter_paths()}


@pytest.mark.parametrize("chapter", CHAPTERS)
def test_each_claim_is_held(chapter, measured):
    claims = claims_of(chapter)
    for claim in claims:
        print(f"  {claim.held or 'NOTHING':8} {claim.text:12} {claim.sentence}")
    held = ", ".join(f"{kind} {n}" for kind, n in Counter(c.held for c in claims).most_common())
    measured(f"{chapter}: {len(claims)} claims, held by {held}")
    loose = {claim.sentence: claim for claim in claims if not claim.held}.values()
    assert not loose, "\n".join(
        f"{claim.place}, {claim.sentence!r}: nothing holds {claim.text!r}; "
        + ("" if claim.kind == "word" else "add an assert or an output to its section, or ")
        + f"name what shows it in workshop/chapter/claim_grounds/{chapter}.toml"
        for claim in loose
    )


def test_each_file_of_grounds_is_of_a_chapter():
    assert {file.stem for file in GROUNDS.iterdir()} <= set(CHAPTERS)


def a_chapter(*parts):
    """A chapter of one section: prose, or code and what it prints, in turn."""
    parts = ("# 7. Here", f'## Here <a id="here"></a>\n\n{parts[0]}', *parts[1:])
    cells = [pair(part) if isinstance(part, str) else code(part[0]) for part in parts]
    chapter = parse("".join([HEADER, *cells]), Path("07-here.md"))
    printed = dict(part for part in parts if not isinstance(part, str))
    for cell in chapter.code:
        cell.outputs = [new_output("stream", text=printed[cell.source] + "\n")]
    return chapter


@pytest.mark.parametrize(
    ("prose", "code", "held"),
    [
        ("The sum is 6.", "print(6)", ["output"]),
        ("The sum is 7.", "print(6)", [""]),
        ("The sum is -6.", "print(6)", [""]),
        ("It is 7.0, or `7`.", "assert total == 7", ["assert", "assert"]),
        ("It ran six times.", "print(6)", ["output"]),
        ("It ran seven times, once at 7:30.", "print(6)", ["", "", "", ""]),
        ("Take a step of 0.5.", "step = 0.5", ["code"]),
        ("That is 50 %.", "assert share == 0.5", ["assert"]),
        ("`step` never writes.", "assert step() == 6", [""]),
        ("It raises a `KeyError`.", "print(6)", [""]),
        ("The dtype is `int32`, shape `(2, 3)`.", 'assert x.dtype == "int32"', ["", "assert"]),
        ("There is no error.", "print(6)", ["output"]),
        ("It gives `1 2 3`.", "assert [1, 2, 3, 4]", [""]),
        ("Is it 7, or never?", "print(6)", []),
        ("Read [chapter 7](07.ipynb), exercise 3 and chapter 5.", "print(6)", []),
        ("No longer, not once more.", "print(6)", []),
        ("The view is read-only, and only that.", "print(6)", [""]),
    ],
)
def test_what_holds_a_claim(prose, code, held):
    claims = [c for c in claims_in(a_chapter(prose, (code, "6"))) if c.section.anchor == "here"]
    assert sorted(claim.held for claim in claims) == sorted(held), claims


def test_an_assert_for_the_tests_alone_holds_a_claim():
    held = ("---\ntags: [holds]\n---\nassert step() == 7", "")
    chapter = a_chapter("`step` never writes. It gives 7.", ("step()", "6"), held)
    assert [claim.held for claim in claims_in(chapter)] == ["", "assert"]


def test_a_value_stands_next_to_its_sentence():
    far = a_chapter(
        "It begins.",
        ("print(7)", "1 2 3 4\n7"),
        "It prints `1 2 3`.",
        ("print(6)", "6"),
        "The sum was 7, or 6.",
    )
    assert [claim.held for claim in claims_in(far)] == ["", "", "output"]


# Two sentences of chapter 3: one that the output above it holds, one that needs an entry.
HELD = "Three values came back, but Python ran the body once."
UNHELD = "With `jit`, every call returned 1, and `counter.n` is 1 too."


@pytest.mark.parametrize(
    ("sentence", "entry", "mend"),
    [
        ("No such sentence.", "no claim: none", "no such sentence; look at the new one"),
        (HELD, "no claim: none", "take the entry out"),
        (UNHELD, "assert: 1 == 2", "no assert of"),
        (UNHELD, "output in 00-introduction: 77", "no output of"),
        (UNHELD, "test: chapter/test_claims.py::no_such", "there is no test"),
        (UNHELD, "source: https://example.org", "is no source"),
        (UNHELD, "because", "is not 'assert: …'"),
    ],
)
def test_wrong_entry_is_refused(sentence, entry, mend):
    with pytest.raises(ClaimError, match=r"03-counter-pitfall\.toml, ") as error:
        claims_of("03-counter-pitfall", {sentence: entry})
    assert mend in str(error.value)
