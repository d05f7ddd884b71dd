"""The bar of letters above the terms: on a phone it scrolls, and shows that it does."""

from io import BytesIO

import pytest
from PIL import Image
from playwright.sync_api import Locator, expect

from tests.site_fixtures import PHONE


def edges(bar: Locator) -> list[int]:
    """How dark the two ends of the bar are, above its letters."""
    picture = Image.open(BytesIO(bar.screenshot())).convert("L")
    return [picture.getpixel((x, 2)) for x in (1, picture.width - 2)]


@pytest.mark.parametrize(("language", "first"), [("ko", "ㄱ"), ("en", "A")])
@pytest.mark.parametrize("width", [360, PHONE["width"]])
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_the_letters_begin_with_the_language_s_and_go_on(visit, language, first, width, scheme):
    size = {"width": width, "height": 740}
    window = visit(f"book/{language}/glossary", viewport=size, color_scheme=scheme, has_touch=True)
    bar = window.locator(".glossary-letters")
    expect(bar.locator("a").first).to_have_text(first)
    expect(bar.locator("a").first).to_be_in_viewport(ratio=1)
    for end, place in enumerate(("e.scrollWidth", "0")):
        bar.evaluate(f"e => e.scrollTo({{left: {place}, behavior: 'instant'}})")
        shade = edges(bar)
        more, over = shade[end], shade[1 - end]
        assert abs(more - over) > 20, shade
