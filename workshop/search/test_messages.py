"""Who pastes an error message, whole or in part and with values of his own, gets what explains it.

The messages are those that the notebooks document. Besides the pages of symptoms, a made-up page is
asked: its entries are the sections of the lessons that end in an error.
"""

import re
from collections.abc import Callable
from dataclasses import dataclass

import pytest

from workshop.chapter.model import Code, Section
from workshop.chapter.read import documented
from workshop.layout import LANGUAGES, chapter_paths, is_lesson
from workshop.runs.compare import ANSI

MADE_UP = "made-up"
SYMPTOMS = [path for path in chapter_paths() if path.stem.startswith("symptoms")]
PAGES = [MADE_UP, "symptoms"]
each_page = pytest.mark.parametrize("page", PAGES)
each_language = pytest.mark.parametrize("language", LANGUAGES)

# Before any query: the pages of symptoms become one with other entries.
PUT_IN = """entries => {
    const others = sections.filter(section => !isOfSymptoms(section));
    const page = { address: "", kind: "symptoms", title: "" };
    sections.splice(0, sections.length, ...others, ...entries.map(({ address, heading, outputs }) =>
        ({ address, page, anchor: "", heading, prose: "", code: outputs, outputs, questions: [], rows: [] })));
    indexSections();
}"""


# The section that stands first, for each query.
FIRST = """queries => queries.map(query =>
    search(query).hits[0]?.section.address ?? "nowhere")"""


@dataclass
class Message:
    """A documented error: its class, what it says and its traceback, in plain letters."""

    name: str
    says: str
    traceback: str

    @property
    def last_line(self) -> str:
        """The line that begins with the class; some messages go on below it."""
        return f"{self.name}: {self.says}".split("\n")[0]


@dataclass
class Entry:
    """A section of a page of symptoms; its address begins in the folder of the book."""

    address: str
    heading: str
    messages: list[Message]
    printed: str = ""  # what its cells print, such as the message of an error that they catch


def messages_of(section: Section) -> list[Message]:
    """The errors that the cells of a section document."""
    cells = [cell for cell in section.cells if isinstance(cell, Code)]
    return [
        Message(
            output.ename, *(ANSI.sub("", t) for t in (output.evalue, "\n".join(output.traceback)))
        )
        for cell in cells
        for output in cell.outputs
        if output.output_type == "error"
    ]


def entries_of(page: str, language: str) -> list[Entry]:
    """The entries of the pages of symptoms, or those of the made-up page."""
    lessons = [path for path in chapter_paths() if is_lesson(path.stem)]
    found = []
    for path in lessons if page == MADE_UP else SYMPTOMS:
        for section in documented(path).sections:
            messages = messages_of(section)
            if messages or (path in SYMPTOMS and section.level == 3):
                address = f"book/{language}/{path.stem}.html#{section.anchor}"
                heading = section.titles[language].replace("`", "")
                found.append(Entry(address, heading, messages, printed_by(section)))
    return found


def printed_by(section: Section) -> str:
    """What the cells of a section print."""
    cells = [cell for cell in section.cells if isinstance(cell, Code)]
    streams = [out for cell in cells for out in cell.outputs if out.output_type == "stream"]
    return "\n".join(output.text for output in streams)


@pytest.fixture
def asked(visit, language: str, page: str):
    """The entries, the window, and a function that says where the search leads first, by query."""
    window, entries = visit(f"search-{language}"), entries_of(page, language)
    if page == MADE_UP:
        shown = [
            {
                "address": entry.address,
                "heading": entry.heading,
                "outputs": "\n".join(message.traceback for message in entry.messages),
            }
            for entry in entries
        ]
        window.evaluate(PUT_IN, shown)

    def lead_to(queries: list[str]) -> dict[str, str]:
        return dict(zip(queries, window.evaluate(FIRST, queries), strict=True))

    return entries, window, lead_to


def changed(text: str) -> str:
    """A message as another program gets it: other numbers, shapes, dtypes and addresses."""
    text = re.sub(r"0x[0-9a-f]+", "0x7ffd00c0ffee", text)
    text = re.sub(r"\b(?:float|int)\d+", "bfloat16", text)
    text = re.sub(r"\[[\d,]*\]", "[8,128]", text)
    return re.sub(r"\b\d+\b", lambda number: str(int(number[0]) + 7), text)


def middle(text: str, number: int) -> str:
    """From the middle of a text so many words that hold a letter, and what stands between them."""
    words = text.split()
    say = [place for place, word in enumerate(words) if re.search(r"[^\W\d]", word)]
    start = max(0, (len(say) - number) // 2)
    chosen = say[start : start + number]
    return " ".join(words[chosen[0] : chosen[-1] + 1])


PARTS: dict[str, Callable[[Message], str]] = {
    "whole": lambda message: message.traceback.replace("\n", " "),  # as an input shows it
    "whole, line breaks lost": lambda message: message.traceback.replace("\n", ""),
    "last line": lambda message: message.last_line,
    "other values": lambda message: changed(message.last_line),
    "middle": lambda message: middle(message.says, 8),
    "middle, other values": lambda message: changed(middle(message.says, 5)),
}
AROUND = ["{}", "이 오류가 나요: {}", "{} 왜 나요", "jax.errors.{}"]


def said(text: str) -> str:
    """The words of a text without those that hold digits."""
    return " ".join(re.findall(r"(?<!\w)[^\W\d]+(?!\w)", text))


@each_page
@each_language
@pytest.mark.parametrize("part", PARTS)
def test_a_pasted_message_leads_to_its_entry(asked, part):
    entries, _, lead_to = asked
    wrong = []
    for entry, message in ((each, message) for each in entries for message in each.messages):
        pasted = PARTS[part](message)
        # Two entries may document the same words: a middle, or the same error in two settings.
        right = {entry.address} | {
            other.address
            for other in entries
            if said(pasted) in said(other.printed)
            or any(said(pasted) in said(each.traceback) for each in other.messages)
        }
        found = lead_to([around.format(pasted) for around in AROUND])
        wrong += [f"{query[:90]!r}: {at}" for query, at in found.items() if at not in right]
    assert not wrong, "\n".join(wrong)


@each_page
@each_language
def test_the_name_of_an_error_leads_to_an_entry_about_it(asked):
    entries, _, lead_to = asked
    about: dict[str, set[str]] = {
        message.name: {
            entry.address
            for entry in entries
            if message.name in entry.heading or message.name in {m.name for m in entry.messages}
        }
        for entry in entries
        for message in entry.messages
    }
    for question in ("{}", "{} 왜 나요", "{}가 나요", "why {}"):
        found = lead_to([question.format(name) for name in about])
        wrong = {
            query: at
            for (query, at), right in zip(found.items(), about.values(), strict=True)
            if at not in right
        }
        assert not wrong


@each_page
@each_language
def test_the_heading_of_an_entry_leads_to_it(asked):
    entries, _, lead_to = asked
    wanted = {e.heading: e.address for e in entries if len(e.heading.split()) > 2}
    assert lead_to(list(wanted)) == wanted


@each_page
@each_language
def test_what_a_result_shows_of_a_message_is_marked(asked):
    entries, window, _ = asked
    message = next(message for entry in entries for message in entry.messages)
    # Not with Enter, which loads the page again, without the entries that were put in.
    window.locator(".bd-search-container input").fill(message.traceback)
    window.wait_for_url("**q=*")
    shown = window.locator("#found-sections li p.code mark").first.inner_text()
    assert " ".join(said(message.says).split()[:3]) in said(shown)
    assert said(shown) in said(message.traceback)


@each_language
def test_a_long_text_that_the_book_does_not_know_is_answered_soon(visit, language):
    seconds = visit(f"search-{language}").evaluate(
        """text => {
            const start = performance.now();
            search(text);
            return (performance.now() - start) / 1000;
        }""",
        "a kubernetes cluster schedules many pods while the fox jumps over the dog " * 25,
    )
    assert seconds < 5


@each_language
def test_a_message_of_an_older_version_leads_to_its_row(visit, language):
    pasted = "ValueError: scan carry output and input must have same type structure"
    [found] = visit(f"search-{language}").evaluate(FIRST, [pasted])
    assert found.endswith("symptoms.html#older-messages")


# The first sections of a pasted message, rows of tables among them, and whether they answer it.
ANSWER = """query => {
    const { hits, isWhole } = search(query);
    const addresses = hits.slice(0, 3).map(({ section }) => section.address.replace(/^.*\\//, ""));
    return { addresses, rows: hits.filter(({ row }) => row).map(({ row }) => row[0]), isWhole }; }"""


@each_language
@pytest.mark.parametrize(
    "pasted",
    [
        "jaxlib._jax.XlaRuntimeError: RESOURCE_EXHAUSTED: Out of memory allocating 17179869184 bytes",
        "RESOURCE_EXHAUSTED: Failed to allocate request for 2.00GiB on device ordinal 0",
    ],
)
def test_a_named_error_is_answered_whatever_it_says_besides(visit, language, pasted):
    found = visit(f"search-{language}").evaluate(ANSWER, pasted)
    assert found["isWhole"]
    assert found["addresses"][0] == "symptoms-memory.html#resource-exhausted"


@each_language
@pytest.mark.parametrize(
    ("pasted", "entry"),
    [
        ("AttributeError: 'list' object has no attribute 'last_seen'", None),
        ("AttributeError: 'list' object has no attribute 'dtype'", "#older-messages"),
        ("AttributeError: 'tuple' object has no attribute 'inner_state'", "#optax-reset-part"),
        ("AttributeError: 'EmptyState' object has no attribute 'mu'", "#init-first"),
        ("AttributeError: 'dict' object has no attribute 'unfreeze'", "#older-flax-weights"),
        ("AttributeError: 'Model' object has no attribute 'kernel'", "#keras-own-method"),
        ('AttributeError: "Net" object has no attribute "dense"', "#setup-attribute"),
    ],
)
def test_of_a_missing_attribute_its_name_counts(visit, language, pasted, entry):
    found = visit(f"search-{language}").evaluate(ANSWER, pasted)
    assert found["isWhole"] == bool(entry)
    assert found["addresses"][0].endswith(entry or "")
    assert entry or "setup-attribute" not in str(found["addresses"])


def test_a_row_is_not_chosen_by_a_common_phrase(visit):
    pasted = (
        "jax.errors.ConcretizationTypeError: Abstract tracer value encountered where concrete value is "
        "expected: traced array with shape int32[] This concrete value was not available in Python "
        "because it depends on the value of the argument n."
    )
    found = visit("search-en").evaluate(ANSWER, pasted)
    assert found["addresses"][0] == "symptoms.html#concretization-type"
    assert not [row for row in found["rows"] if "depends on" in row]


@each_language
def test_a_row_is_not_chosen_by_a_class_of_python_alone(visit, language):
    pasted = "ValueError: Non-hashable static arguments are used in a jit function: TypeError: unhashable"
    window = visit(f"search-{language}")
    rows = window.evaluate(ANSWER, pasted)["rows"]
    assert rows
    assert all("hashable" in row for row in rows)
    window.evaluate("pasted => show(pasted)", pasted)
    row = window.locator("#found-sections > li").nth(1).locator("p").last
    # A mark is as wide as its words: a class that the theme knows would stretch it over the line.
    assert row.locator("mark").first.bounding_box()["width"] < row.bounding_box()["width"] * 0.9
