"""Draw the card that social networks show for a link to the book, one per language: `make cards`.

The pictures are committed: they change only with the title of the book.
"""

import io

from PIL import Image

from workshop.layout import WORKSHOP
from workshop.site.browser import started_browser

STATIC = WORKSHOP / "site/static"
WORDS = {
    "ko": ("JAX의 상태", "카운터 하나에서 시작해<br>모델의 학습, 저장, 재개까지"),
    "en": (
        "State in JAX",
        "From a single counter<br>to a model that trains and resumes",
    ),
}
CARD = """<!doctype html><meta charset="utf-8"><style>
{fonts}
body {{ margin: 0; width: 1200px; height: 630px; box-sizing: border-box; padding: 90px 100px;
  background: #12566b; color: #fff; font-family: {font}; position: relative; }}
h1 {{ font-size: 104px; margin: 0 0 28px; }}
p {{ font-size: 42px; line-height: 1.45; margin: 0; }}
code {{ position: absolute; left: 100px; bottom: 84px; font: 34px "Book Code"; color: #ffd166; }}
svg {{ position: absolute; right: 90px; top: 90px; width: 150px; }}
</style><h1>{title}</h1><p>{line}</p><code>new_state, output = step(state, data)</code>{sign}"""


def main() -> None:
    """Draw both cards with the book's own font and few colours."""
    fonts = (STATIC / "fonts.css").read_text("utf8")
    sign = (STATIC / "favicon.svg").read_text("utf8")
    draft = STATIC / "card.html"  # next to the fonts, which it loads
    with started_browser() as browser:
        window = browser.new_page(viewport={"width": 1200, "height": 630})
        for language, (title, line) in WORDS.items():
            draft.write_text(
                CARD.format(
                    fonts=fonts,
                    font={"ko": "Book Hangul", "en": "Book Text"}[language],
                    title=title,
                    line=line,
                    sign=sign,
                ),
                "utf8",
            )
            window.goto(draft.as_uri())
            window.evaluate("document.fonts.ready")
            picture = Image.open(io.BytesIO(window.screenshot())).convert("RGB")
            file = STATIC / f"card-{language}.png"
            picture.quantize(64).save(file, optimize=True)
            print(f"{file.name}: {file.stat().st_size // 1000} KB")
    draft.unlink()


if __name__ == "__main__":
    main()
