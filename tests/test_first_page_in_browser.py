"""The first page: a counter, what it prints, the box to try it in, and the doors to the book."""

import pytest
from playwright.sync_api import expect

from workshop.layout import LANGUAGES, pages_of

NAMES = {"ko": "JAX의 상태", "en": "State in JAX"}
SCREENS = {"phone": {"width": 390, "height": 844}, "desk": {"width": 1280, "height": 900}}


@pytest.mark.parametrize("screen", SCREENS)
@pytest.mark.parametrize("language", LANGUAGES)
def test_the_first_page_names_the_book_asks_and_answers(visit, language, screen):
    window = visit(pages_of(language)[0], viewport=SCREENS[screen])
    expect(window.locator("article h1")).to_contain_text(NAMES[language])
    expect(window.locator("article h1")).to_be_in_viewport(ratio=1)
    counter = window.locator("#counter")
    expect(counter.locator(".cell_input").first).to_contain_text("jax.jit(Counter().count)")
    expect(counter.locator(".cell_input").first).to_be_in_viewport()
    answer, box = counter.locator(".answer .cell_output pre"), counter.locator("live-box")
    expect(answer).to_be_hidden()
    counter.locator(".predict .right summary").click()
    expect(answer).to_have_text("1 1 1")
    expect(box).to_be_visible()
    expect(window.locator("#counter ~ #doors li strong")).to_have_count(3)
