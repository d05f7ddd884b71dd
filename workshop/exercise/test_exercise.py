"""On the site an exercise is its task, a link to the same exercise in its notebook, and its solution."""

import re
from types import SimpleNamespace
from urllib.parse import urljoin

import nbformat
import pytest
from bs4 import BeautifulSoup

from tests.built_site import NOTEBOOK_PAGES, REPOSITORY, soup_of
from workshop.chapter.prose import HANGUL
from workshop.exercise.on_site import VERDICT, link_to
from workshop.layout import ROOT, language_of
from workshop.words import keyed_words


def tasks_of(page: str) -> list[str]:
    """The ids of the cells of a page's notebook that begin an exercise."""
    cells = nbformat.read(ROOT / f"{page}.ipynb", as_version=4).cells
    return [cell.id for cell in cells if re.search(r'^### .*<a id="exercise-\d">', cell.source)]


PAGES = [page for page in NOTEBOOK_PAGES if tasks_of(page)]


@pytest.mark.parametrize("page", PAGES)
def test_an_exercise_leads_to_itself_in_colab_and_has_no_dead_cell(site, page):
    section = soup_of(site, page).select_one("#exercises")
    assert not section.select(".tag_check"), f"{page}: a check that nobody can run"
    assert section.p.strong.text == keyed_words("exercise", language_of(page))["lead"]
    colab = f"https://colab.research.google.com/github/{REPOSITORY}/blob/main/{page}.ipynb"
    for number, cell in enumerate(tasks_of(page), start=1):
        exercise = section.select_one(f"#exercise-{number}")
        links = exercise.select(".exercise-link a")
        assert [link["href"] for link in links] == [f"{colab}#scrollTo={cell}"]
        assert str(number) in links[0].text
        for code in exercise.select("pre"):
            assert not re.fullmatch(r"answer_\d = \.\.\.\s*", code.text), f"{page}: {code.text}"
        assert exercise.select_one(".tag_solution > details:not([open])")
        solution = exercise.select_one(".tag_solution pre").text
        answer = r"^(?:def |class |@|\w+(?:, \w+)* = )"
        assert re.search(answer, solution, re.MULTILINE), f"{page}: a solution without its answer"
        assert "@title" not in solution and "judge(" not in solution
        said = "".join(block.text for block in exercise.select(".tag_solution pre"))
        assert not VERDICT.search(said), f"{page}: a verdict on what nobody answered"
        assert language_of(page) == "ko" or not HANGUL.search(said), f"{page}: {said}"
        shown = "".join(text for text in exercise.strings if text.parent.name != "script")
        assert not re.search("no answer yet|아직 답이 없습니다", shown)


@pytest.mark.parametrize("page", PAGES[:1] + PAGES[-1:])
def test_without_a_repository_the_notebook_is_there_to_download(site, page):
    say = keyed_words("exercise", language_of(page))
    link = link_to(SimpleNamespace(known_repository=None), page, 2, say)
    found = BeautifulSoup(link, "html.parser").a
    assert found.has_attr("download")
    assert found.text == say["download"].format(number=2)
    target = urljoin(f"/{page}.html", found["href"])
    assert (site / target[1:]).read_bytes() == (ROOT / f"{page}.ipynb").read_bytes()
