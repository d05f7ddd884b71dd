"""The page of the state map as Markdown, in a language: the picture, and the cells behind it."""

import re
from functools import cache

from workshop.chapter.read import read_chapter
from workshop.layout import CHAPTERS
from workshop.state_map.cells import Cell, cells, read_record, set_up_of, words
from workshop.state_map.programs import KINDS, PLAIN, TRANSFORMATIONS, cells_of, header
from workshop.state_map.run import ERROR, KEPT, LOST, OTHER, TRACER
from workshop.words import curled, keyed_words

MAP = "squares"  # the anchor of the picture
SIGNS = {KEPT: "✓", LOST: "∅", OTHER: "≠", ERROR: "!"}
NO_PROGRAM = "–"
CODE = re.compile("`([^`]+)`")


def name_of(kind: str, language: str) -> str:
    """The name of a kind of state."""
    return curled(words()[kind]["name"][language])


def anchor_of(kind: str) -> str:
    """The anchor of a kind's section."""
    return kind.replace("_", "-")


def picture(language: str) -> str:
    """The map as a table: a row per kind, a column per transformation, each cell a link."""
    say, found = keyed_words("state_map", language), cells()
    names = {kind: name_of(kind, language) for kind in KINDS}
    head = "".join(f'<th scope="col"><code>{name}</code></th>' for name in TRANSFORMATIONS)
    legend = " ".join(
        f'<span class="{verdict.split()[0]}">{sign} {say[verdict]}</span>'
        for verdict, sign in [*SIGNS.items(), ("none", NO_PROGRAM)]
    )
    rows = [
        f'<tr><th scope="row"><a href="#{anchor_of(kind)}">{names[kind]}</a></th>'
        + "".join(_square(found[kind, name], names[kind], say) for name in TRANSFORMATIONS)
        + "</tr>"
        for kind in KINDS
    ]
    corner = f'<th scope="col">{say["kind"]}</th>'
    return "\n".join(
        [
            f'<div class="state-map" id="{MAP}"><table>',
            f"<thead><tr>{corner}{head}</tr></thead><tbody>",
            *rows,
            f'</tbody></table></div><p class="state-map-legend">{legend}</p>',
            f'<p class="on-paper">{say["paper"]}</p>',
        ]
    )


def _square(cell: Cell, kind: str, say: dict[str, str]) -> str:
    if not cell.program:
        return f'<td class="none"><span title="{say["none"]}">{NO_PROGRAM}</span></td>'
    verdict = cell.verdict
    mark = "†" if cell.differs else ""
    title = f"{kind}, {cell.transformation}: {say[verdict]}"
    return (
        f'<td class="{verdict.split()[0]}"><a href="#{cell.anchor}" title="{title}">'
        f'<span aria-hidden="true">{SIGNS[verdict]}{mark}</span> '
        f'<span class="said">{say[verdict]}{mark}</span></a></td>'
    )


def kinds(language: str) -> str:
    """A section per kind of state, with its set-up and, folded, each of its cells."""
    return "\n\n".join(_kind(kind, language) for kind in KINDS)


def _kind(kind: str, language: str) -> str:
    say, found = keyed_words("state_map", language), cells()
    name = name_of(kind, language)
    heading = name if "." in name.split()[0] else name[0].upper() + name[1:]
    start = f"{_after_docstring(header())}\n{set_up_of(kind)}\n\n{cells_of(kind)[PLAIN]}"
    return "\n\n".join(
        [
            f'## {heading} <a id="{anchor_of(kind)}"></a>',
            _back(say),
            _fold(say["set up"], _code(start)),
            *[_cell(found[kind, each], language) for each in TRANSFORMATIONS],
        ]
    )


def _cell(cell: Cell, language: str) -> str:
    say = keyed_words("state_map", language)
    title = f"<code>{cell.transformation}</code>"
    if not cell.program:
        why = CODE.sub(r"<code>\1</code>", curled(cell.none[language]))
        return f'<p class="state-map-none">{title}: {why}</p>'
    outcome = cell.outcomes["pinned"]
    told = [
        f'<a id="{cell.anchor}"></a>{cell.why[language]} ' + _more(cell, language),
        _code(cell.program),
        _output(say["prints"], outcome["output"]),
    ]
    if cell.goes_wrong:
        told += [_output(say["instead"], outcome["expected"])] if "expected" in outcome else []
        told += [f"**{say['fix']}.** {cell.mend[language]}{_instead(cell, language)}"]
        told += [_code(cell.fix)] if cell.fix else []
    told += [f"- {line}" for line in versions_that_differ(cell, language)] + [_back(say)]
    verdict = f'<b class="{cell.verdict.split()[0]}">{SIGNS[cell.verdict]} {say[cell.verdict]}</b>'
    named = f'<span class="of">{name_of(cell.kind, language)}, </span>{title}'
    return _fold(f"{named}: {verdict}{_short(outcome)}", "\n\n".join(told))


def versions_that_differ(cell: Cell, language: str) -> list[str]:
    """One line for each set of versions on which the verdict is another than on the pinned ones."""
    say = keyed_words("state_map", language)
    return [
        say["elsewhere"].format(
            versions=versions_of(environment),
            verdict=f"{say[outcome['verdict']]} (`{_first_line(outcome['output'])}`)",
        )
        for environment, outcome in cell.outcomes.items()
        if outcome["verdict"] != cell.verdict
    ]


def differences(language: str) -> str:
    """The cells in which the sets of versions differ, and the counts of each set."""
    say = keyed_words("state_map", language)
    lines = [
        f'- <a href="#{cell.anchor}">{name_of(cell.kind, language)}, '
        f"<code>{cell.transformation}</code></a>: {say[cell.verdict]}. {line}"
        for cell in cells().values()
        for line in versions_that_differ(cell, language)
    ]
    return "\n".join([*counts(language), "", *(lines or [say["same"]])])


def counts(language: str) -> list[str]:
    """How many cells have which verdict, a line for each set of versions."""
    say = keyed_words("state_map", language)
    outcomes = [cell.outcomes for cell in cells().values() if cell.program]
    found = []
    for environment in outcomes[0]:
        verdicts = [outcome[environment]["verdict"] for outcome in outcomes]
        count = {verdict.split()[0]: verdicts.count(verdict) for verdict in SIGNS}
        found.append(f"- {say['counts'].format(versions=versions_of(environment), **count)}")
    return found


@cache
def versions_of(environment: str) -> str:
    """The versions of a set that matter most to the map."""
    versions = read_record(environment)["versions"]
    return f"JAX {versions['jax']}, Flax {versions['flax']}, Keras {versions['keras']}"


def _more(cell: Cell, language: str) -> str:
    say = keyed_words("state_map", language)
    chapter, _, anchor = cell.see.partition("#")
    link = f"[{_heading(chapter, anchor, language)}]({chapter}.ipynb#{anchor})"
    told = say["see"].format(link=link)
    if cell.issues:
        links = ", ".join(
            "[{0}#{1}](https://github.com/{0}/issues/{1})".format(*issue.split("#"))
            for issue in cell.issues
        )
        told += " " + say["upstream"].format(links=links)
    return told


@cache
def _heading(chapter: str, anchor: str, language: str) -> str:
    read = read_chapter(CHAPTERS / chapter)
    return next(each.titles[language] for each in read.sections if each.anchor == anchor)


def _instead(cell: Cell, language: str) -> str:
    if not cell.take:
        return ""
    name = f"{name_of(cell.take, language)}, <code>{cell.transformation}</code>"
    link = f'<a href="#{anchor_of(cell.take)}-{cell.transformation.replace("_", "-")}">{name}</a>'
    return " " + keyed_words("state_map", language)["take"].format(link=link)


def _back(say: dict[str, str]) -> str:
    return f'<p class="state-map-back"><a href="#{MAP}">↑ {say["map"]}</a></p>'


def _short(outcome: dict[str, str]) -> str:
    """What was printed, if it is short, else nothing."""
    output = outcome["output"]
    if outcome["verdict"] == ERROR:
        return f" <code>{output.partition(':')[0]}</code>"
    if outcome["verdict"] == OTHER and output.startswith(TRACER):
        return f" <code>{TRACER}</code>"
    return f" <code>{output}</code>" if len(output) <= len("[0. 0. 0. 0.]") else ""


def _first_line(output: str) -> str:
    return output.partition("\n")[0].replace("`", "")[:120]


def _output(label: str, output: str) -> str:
    return f"{label}\n\n```text\n{output}\n```"


def _code(source: str) -> str:
    return f"```python\n{source.strip()}\n```"


def _after_docstring(source: str) -> str:
    return re.sub(r'\A""".*?"""\s*', "", source, flags=re.DOTALL)


def _fold(summary: str, text: str) -> str:
    return f'<details class="state-map-cell">\n<summary>{summary}</summary>\n\n{text}\n\n</details>'


PARTS = {"picture": picture, "differences": differences, "kinds": kinds}
