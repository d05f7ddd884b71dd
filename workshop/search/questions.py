"""The questions that readers ask of each section: `questions.yml` in the folder of a chapter.

    some-anchor:
      ko: [질문, …]
      en: [question, …]

`title` is the part above the first anchor. A search compares what a reader asks with each of them.
"""

from collections.abc import Iterator
from pathlib import Path

import yaml

from workshop.chapter.model import Chapter
from workshop.layout import LANGUAGES, is_of_symptoms

FILE = "questions.yml"
LEAST, MOST = 3, 6
LEAST_OF_AN_ENTRY = 2  # of a page of symptoms, whose heading is the message itself
TITLE = "title"
NO_ANSWERS = ("exercise", "sources", "summary")  # no question leads to what begins so


def read(folder: Path) -> dict[str, dict[str, list[str]]]:
    """The questions of a chapter by anchor and language; none without a file."""
    path = folder / FILE
    return yaml.safe_load(path.read_text("utf8")) or {} if path.is_file() else {}


def questions_of(folder: Path, language: str) -> dict[str, list[str]]:
    """The questions of a chapter in a language, by anchor."""
    return {anchor: asked[language] for anchor, asked in read(folder).items()}


def faults(folder: Path, chapter: Chapter) -> Iterator[str]:
    """What is wrong with the questions of a chapter, one line each."""
    where = f"{folder.name}/{FILE}"
    try:
        found = read(folder)
    except yaml.YAMLError as error:
        yield f"{where}: is no YAML ({' '.join(str(error).split())[:120]})"
        return
    if not found:
        yield f"{where}: write it, {LEAST} to {MOST} questions a section in each language"
        return
    least = LEAST_OF_AN_ENTRY if is_of_symptoms(folder.name) else LEAST
    anchors = [section.anchor or TITLE for section in chapter.sections]
    wanted = [anchor for anchor in anchors if not anchor.startswith(NO_ANSWERS)]
    for anchor in found:
        if anchor not in wanted:
            yield f"{where}: no section has the anchor {anchor}; rename or remove it"
    for anchor in wanted:
        asked = found.get(anchor)
        if not asked:
            yield f"{where}: no questions for {anchor}; write {least} to {MOST} in each language"
            continue
        if not isinstance(asked, dict) or set(asked) != set(LANGUAGES):
            yield f"{where}, {anchor}: write {' and '.join(f'{code}: […]' for code in LANGUAGES)}"
            continue
        for language, each in asked.items():
            if not isinstance(each, list) or not all(isinstance(one, str) for one in each):
                yield f"{where}, {anchor}, {language}: write a list of questions, in quotes if need be"
            elif not least <= len(set(each)) <= MOST or len(set(each)) != len(each):
                yield (
                    f"{where}, {anchor}, {language}: {len(each)} questions; "
                    f"write {least} to {MOST} different ones"
                )
