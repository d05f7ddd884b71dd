"""What the reader sees of a card: the answer and its explanation stay covered until they are earned."""

import re
from urllib.parse import quote

import pytest
from playwright.sync_api import Locator, expect

from tests.built_site import soup_of, twin_of
from tests.site_fixtures import PHONE
from workshop.chapter.read import read_chapter
from workshop.layout import LANGUAGES, chapter_paths, language_of
from workshop.words import keyed_words

PAGE = "book/ko/03-counter-pitfall"  # style and frame are the same on every page
both_languages = pytest.mark.parametrize("page", [PAGE, twin_of(PAGE)])
CARD = ".predict:not(.question)"  # no figure asks it


@pytest.mark.parametrize("chapter", chapter_paths(), ids=lambda path: path.stem)
@pytest.mark.parametrize("language", LANGUAGES)
def test_each_card_covers_what_its_cell_shows_and_all_that_explains_it(site, chapter, language):
    cards = soup_of(site, f"book/{language}/{chapter.stem}").select("article .predict")
    assert len(cards) == len(read_chapter(chapter).cards)
    for card in cards:
        cell, answer = card.find_next_siblings(True, limit=2)
        assert "cell" in cell["class"] and not cell.select(".cell_output"), card.p.text
        assert answer.name == "details" and answer["class"] == ["answer"], card.p.text
        drawing = answer.select(".tag_hide-input .cell_input")
        assert answer.select_one(".cell_output") and answer.select(".cell_input") == drawing
        below = answer.find_next_sibling(True)
        explains = ["p", "ul", "ol", "table", "math", "live-box", "recorded-figure"]
        assert not below or below.name not in explains, f"not covered: {below.text}"
        assert not below or "tag_hide-input" not in below.get("class", ""), (
            f"not covered: {below.text}"
        )


def answer_of(card: Locator) -> list[Locator]:
    """Return what a card covers: the output, and the explanation where there is one."""
    answer = card.locator("xpath=following-sibling::*[2]")
    return [answer.locator(".cell_output"), *answer.locator("> p").all()]


def uncovering(card: Locator) -> Locator:
    """Return what the reader presses to see the answer without an answer of his own."""
    return card.locator("xpath=following-sibling::*[2]/summary")


@both_languages
@pytest.mark.parametrize("scripts", [True, False])
def test_the_right_choice_uncovers_the_answer_and_a_wrong_one_says_why(visit, page, scripts):
    window = visit(page, java_script_enabled=scripts, viewport=PHONE)
    say = keyed_words("predict_card", language_of(page))
    for card in window.locator(CARD).all():
        expect(uncovering(card)).to_have_text(f"{say['cover']} {say['show']}", use_inner_text=True)
        for choice in [*card.locator(".wrong").all(), card.locator(".right")]:
            for covered in answer_of(card):
                expect(covered).to_be_hidden()
            expect(uncovering(card)).to_be_visible()
            expect(choice.locator("p").first).to_be_hidden()
            choice.locator("summary").focus()
            window.keyboard.press("Enter")
            expect(choice.locator("p").first).to_be_visible()
            verdict = say[choice.get_attribute("class")]
            expect(choice.locator("p").first).to_contain_text(verdict)
            style = {"wrong": "double", "right": "solid"}[choice.get_attribute("class")]
            expect(choice).to_have_css("border-left-style", style)  # as in a live box
        for answer in answer_of(card):
            expect(answer).to_be_visible()
        expect(uncovering(card)).to_be_hidden()


@both_languages
@pytest.mark.parametrize("scripts", [True, False])
def test_whoever_gives_up_uncovers_the_answer_and_may_cover_it_again(visit, page, scripts):
    window = visit(page, java_script_enabled=scripts)
    card = window.locator(CARD).first
    uncovering(card).focus()
    window.keyboard.press("Enter")
    for answer in answer_of(card):
        expect(answer).to_be_visible()
    hide = keyed_words("predict_card", language_of(page))["hide"]
    expect(uncovering(card)).to_have_text(hide, use_inner_text=True)
    window.keyboard.press("Enter")
    for answer in answer_of(card):
        expect(answer).to_be_hidden()


def test_paper_has_every_answer_and_nothing_to_uncover_it(visit):
    window = visit(PAGE)
    window.emulate_media(media="print")
    for card in window.locator(CARD).all():
        for answer in answer_of(card):
            expect(answer).to_be_visible()
        expect(uncovering(card)).to_be_hidden()


@both_languages
def test_a_word_or_a_link_that_leads_to_a_covered_place_uncovers_it(visit, address, page):
    window = visit(page)
    explanation = answer_of(window.locator(CARD).first)[1]
    words = re.split(r"[.,(]", explanation.text_content())[0]
    explanation.evaluate("e => { e.id = 'covered'; location.hash = '#covered'; }")
    expect(explanation).to_be_in_viewport()
    window.goto("about:blank")
    window.goto(f"{address}/{page}.html#:~:text={quote(words)}")
    expect(explanation).to_be_in_viewport()
