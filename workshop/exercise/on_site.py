"""On the site an exercise is its task, where to do it, and its solution, folded.

The cells to answer in and to judge with do nothing on a page, so they stay in the notebook, unless the
exercise gives more than the place of the answer. A link opens the notebook at the exercise, in Colab or,
where no repository is known, as a download. Where the model of JAX can judge, there is a live box too.
On paper the solutions, with a heading each, come after the last task (`book.css`).
"""

import html
import re

from docutils import nodes

from workshop.layout import language_of
from workshop.live_box.on_site import live_box
from workshop.site.repository import cell_link
from workshop.words import keyed_words

TITLE = re.compile(r"^# @title[^\n]*\n")
JUDGED = re.compile(r"(?ms)^judge\(\s*(\d),\s*check_\d,\s*(.*?),?\s*\)\s*\Z")
VERDICT = re.compile(r"(?m)^(?:Exercise|연습 문제) \d: .*\n?")
ONLY_A_PLACE = re.compile(r"answer_\d = \.\.\.\s*")


def offer_exercises(app, doctree, page: str) -> None:
    """Take the cells that judge from a page, and let links stand where the answers would."""
    checks, exercises = (
        [cell for cell in doctree.findall(nodes.container) if tag in cell["classes"]]
        for tag in ("tag_check", "tag_exercise")
    )
    if not exercises:
        return
    say = keyed_words("exercise", language_of(page))
    section = checks[0].parent  # of the exercises, which begin with how to do them
    how = section[section.index(checks[0]) - 1]
    how[:0] = [nodes.strong("", say["lead"]), nodes.Text(" ")]
    how += nodes.Text(f" {say['run']}")
    for check in checks:
        check.parent.remove(check)
    solutions = [
        cell for cell in doctree.findall(nodes.container) if "tag_solution" in cell["classes"]
    ]
    for number, solution in enumerate(solutions, start=1):
        as_a_reader_writes_it(solution)
        heading = f'<p class="on-paper">{say["solution"].format(number=number)}</p>'
        solution.insert(0, nodes.raw("", heading, format="html"))
    for number, cell in enumerate(exercises, start=1):
        task, place = cell.parent, cell.parent.index(cell)
        after = place + 1 + any(isinstance(node, live_box) for node in task[place + 1 : place + 2])
        task.insert(after, nodes.raw("", link_to(app, page, number, say), format="html"))
        if ONLY_A_PLACE.fullmatch(cell.astext()):
            task.remove(cell)


def as_a_reader_writes_it(solution: nodes.container) -> None:
    """Leave out of a solution on a page the title of its cell, its check and what that says."""
    for block in list(solution.findall(nodes.literal_block)):
        text = block.astext()
        is_source = text.startswith("# @title")
        text = written(text) if is_source else VERDICT.sub("", text)
        block.rawsource, block[:] = text, [nodes.Text(text)]
        if not text:
            output = block.parent
            output.remove(block)
            if not output.children:
                output.parent.remove(output)


def written(solution: str) -> str:
    """The source of a solution without the title of its cell and its check.

    What is handed to the check is the answer, unless it is the name of what was written above.
    """

    def answer_of(judged: re.Match) -> str:
        number, answer = judged.groups()
        return "" if answer.isidentifier() else f"answer_{number} = {answer}"

    return JUDGED.sub(answer_of, TITLE.sub("", solution)).strip("\n")


def link_to(app, page: str, number: int, say: dict[str, str]) -> str:
    """The link to an exercise in its notebook."""
    address, download = cell_link(app, page, f'<a id="exercise-{number}">')
    said = say["download" if download else "colab"].format(number=number)
    link = f'<a class="launch" href="{html.escape(address)}"{download}>{said}</a>'
    return f'<p class="exercise-link">{link}</p>'


def setup(app):
    """Connect the step."""
    app.connect("doctree-resolved", offer_exercises)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
