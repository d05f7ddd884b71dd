"""Predict cards: a question before a code cell, whose answer is what that cell then shows.

In a chapter a card is plain Markdown at the end of a prose cell: a lead, a question and a list of
choices, one of them marked, each with its why below it, indented.

    **Predict.** What does the second call print?

    - [ ] `2`
      Python would have to run again for that.
    - [x] `1`
      Python runs in the first call only. The literal 1 is compiled.

The first code of a choice is its value: what would be printed if the choice were right. In a
notebook each choice is a `<details>`, which unfolds without a script on the site, in JupyterLab,
in Colab and on GitHub.
"""

import re
from textwrap import dedent
from typing import NamedTuple

from markdown_it import MarkdownIt
from nbformat import NotebookNode

from workshop.layout import LANGUAGES
from workshop.runs.compare import text_of
from workshop.words import keyed_words

LEADS = {code: f"**{keyed_words('predict_card', code)['lead']}**" for code in LANGUAGES}
CHOICE = re.compile(r"^- \[([ x])\] (.*)$", re.MULTILINE)
MARKDOWN = MarkdownIt("commonmark")


class CardError(ValueError):
    """What is wrong with a card, in one line, with the mend."""


class Choice(NamedTuple):
    """One answer of a card."""

    right: bool
    text: str
    value: str
    why: str


class Card(NamedTuple):
    """A question with its choices, and the prose above it."""

    above: str
    question: str
    choices: list[Choice]

    def outline(self) -> list[tuple[bool, str]]:
        """What both languages must share: which choice is right, and every value, in order."""
        return [(choice.right, choice.value) for choice in self.choices]


def card_in(markdown: str, language: str) -> Card | None:
    """Read the card that ends a prose cell; None for a cell without a card.

    Raises:
        CardError: it is no whole card.
    """
    lead = LEADS[language]
    above, found, below = markdown.partition(f"\n{lead} ")
    if not found and markdown.startswith(f"{lead} "):
        above, found, below = "", lead, markdown.removeprefix(f"{lead} ")
    if not found:
        if CHOICE.search(markdown):
            raise CardError(f"choices without a question; begin it with {lead}")
        return None
    question, *parts = CHOICE.split(below)
    choices = [_choice(*parts[i : i + 3]) for i in range(0, len(parts), 3)]
    if not 2 <= len(choices) <= 4:
        raise CardError(f"a card with {len(choices)} choices; write two to four, `- [ ] …`")
    if (right := sum(choice.right for choice in choices)) != 1:
        raise CardError(f"a card with {right} right choices; mark one with [x]")
    if len({choice.value for choice in choices}) < len(choices):
        raise CardError("two choices of a card have the same value; ask for what tells them apart")
    answer = next(choice.value for choice in choices if choice.right)
    for choice in choices:
        if not choice.right and _stands(answer, choice.why):
            raise CardError(f"the why of {choice.text!r} gives the answer, `{answer}`, away")
    return Card(above.strip(), question.strip(), choices)


def _choice(mark: str, text: str, below: str) -> Choice:
    value = re.search(r"`([^`]+)`", text)
    if not value:
        raise CardError(f"the choice {text!r} has no value; write what would be printed as `code`")
    lines = below.strip("\n").splitlines()
    if stray := next((line for line in lines if line and not line.startswith("  ")), None):
        raise CardError(f"{stray[:40]!r} stands below the choices; a card ends its cell")
    if not (why := dedent("\n".join(lines)).strip()):
        raise CardError(f"the choice {text!r} has no why; write it below, indented by two spaces")
    return Choice(mark == "x", text.strip(), _spaced(value[1]), why)


def unfolding(card: Card, language: str) -> str:
    """A card as a notebook shows it: each choice unfolds to verdict and why."""
    say = keyed_words("predict_card", language)
    parts = ['<div class="predict">', f"{LEADS[language]} {card.question}"]
    for choice in card.choices:
        kind = "right" if choice.right else "wrong"
        summary = MARKDOWN.renderInline(choice.text)
        parts.append(f'<details class="{kind}"><summary>{summary}</summary>')
        parts.append(f"**{say[kind]}** {choice.why}\n\n</details>")
    return "\n\n".join([*parts, "</div>"])


def refuse_wrong_answer(card: Card, cell: NotebookNode) -> None:
    """Compare a card with the cell below it, as it was run.

    Raises:
        CardError: what the cell shows does not bear out the right choice, or bears out another.
    """
    for choice in card.choices:
        if shows(cell, choice.value) != choice.right:
            said = "the right choice" if choice.right else "a wrong choice"
            stands = "does not stand" if choice.right else "stands as well"
            raise CardError(f"{said}, `{choice.value}`, {stands} in what the cell below shows")


def shows(cell: NotebookNode, value: str) -> bool:
    """Whether a value stands as whole words in one line of the output or of the error of a cell.

    Runs of spaces count as one.
    """
    return any(_stands(value, line) for line in text_of(cell.outputs).splitlines())


def _stands(value: str, line: str) -> bool:
    whole = rf"(?<![\w.-]){re.escape(value)}(?!\w|\.\d)"
    return re.search(whole, _spaced(line)) is not None


def _spaced(text: str) -> str:
    return " ".join(text.split())
