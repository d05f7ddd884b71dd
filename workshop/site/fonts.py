"""Make the fonts of the book from their npm packages.

    npm pack pretendard@1.3.9 @fontsource-variable/source-serif-4@5.3.1 \
        @fontsource-variable/source-code-pro@5.3.0
    make font PACKAGES="*.tgz"

Korean is set in Pretendard, English in Source Serif 4, code in Source Code Pro. Pretendard's Hangul
is drawn after Source Han Sans, of the family that the other two belong to: serif or not, they share
proportions and the strength of strokes, so that a word of code stands in a line of either without a
box around it. The names are reserved, so the fonts made here are called Book Hangul, Text and Code.

Pretendard as a variable font is 2 MB for all of modern Hangul. Here it becomes three files:
`hangul-core.woff2` with the syllables of this book and Latin, which every Korean page loads, and, for
what is written after this ran, `hangul-often.woff2` with the other frequent syllables and
`hangul-rest.woff2` with the rest of the 2,350 syllables of KS X 1001; a browser fetches these only
where a page has one of them. Of the others the letters that the book uses are kept. `fonts.css` names
the files and the fallback fonts, scaled to the same width, so that nothing moves when a font arrives.
The result depends on nothing but the packages, the text of the book and the pinned fonttools and
brotli.
"""

import base64
import hashlib
import io
import re
import sys
import tarfile
from pathlib import Path

from fontTools import subset
from fontTools.ttLib import TTFont
from fontTools.varLib import instancer

from workshop.layout import BOOK, ROOT, WORKSHOP

STATIC = WORKSHOP / "site/static"
INTEGRITY = {  # by package
    "pretendard-1.3.9.tgz": "PaQAADyLY5v4kYFwkpSJHbSSYIkiriY/1xXw75TKoZ9UQQqeU+tvP05yTdZAWibi"
    "IYoo8ZKtRv8PM7w0IaywSw==",
    "fontsource-variable-source-serif-4-5.3.1.tgz": "4Rtay22SC4lMvw11r/+9kxANB6P3M0X8s1NudBC2v0J1"
    "KU2y3DcMoNcT3lBoZ/CqLirzf+StlO6UlJilyrvaUg==",
    "fontsource-variable-source-code-pro-5.3.0.tgz": "CxzAbqtNrQ6EQXTb9ovRZIRiOhFPcBQhNKla58K5UV6I"
    "MoL/ROkWxXDSBOa/frIDLuV4B5PLHI4R1e9SWVinYg==",
}
WRITTEN = {".md", ".py", ".yml", ".svg", ".csv"}  # by hand; notebooks follow from these
FONT = "package/dist/public/variable/PretendardVariable.ttf"
# The package lists Hangul in slices, the most frequent last. These hold about 1,300 syllables.
SLICES = "package/dist/web/variable/pretendardvariable-dynamic-subset.css"
FREQUENT = range(75, 92)
WEIGHTS = (400, 700)
ALL_HANGUL = set(range(0xAC00, 0xD7A4))
HANGUL = re.compile("[가-힣]")
# Latin, the marks that the text of the book uses, and what a date is written with.
OTHER = {*range(0x20, 0x7F), *range(0xA0, 0x100), *map(ord, "‘’“”–—…·×÷−→←↑↓↳≈≠≤≥∇✓✗₩년월일")}
KEPT_NAMES = ["0", "13", "14"]  # copyright and licence; the name itself is reserved
# The file to write: the family, what it is made from, its weights, its style.
LATIN = {
    "text": ("Book Text", "source-serif-4-latin-wght-normal", WEIGHTS, "normal"),
    "text-italic": ("Book Text", "source-serif-4-latin-wght-italic", 400, "italic"),
    "code": ("Book Code", "source-code-pro-latin-wght-normal", 400, "normal"),
}
# What readers have: font, its names for regular and bold, and its Hangul's advance in em. Nanum's is
# measured and Noto's published; Malgun's is taken to be Noto's, Apple's to be Pretendard's own,
# which was drawn to its width.
FALLBACKS = [
    ("apple", "AppleSDGothicNeo-Regular", "AppleSDGothicNeo-Bold", 0.864),
    ("malgun", "Malgun Gothic", "Malgun Gothic Bold", 0.92),
    ("noto", "Noto Sans CJK KR", "Noto Sans CJK KR Bold", 0.92),
    ("nanum", "NanumGothic", "NanumGothicBold", 0.94),
]
# The same for text and code: font, and the mean advance of English text in it, in em.
LATIN_FALLBACKS = {
    "text": [("Georgia", 0.436), ("Times New Roman", 0.397), ("DejaVu Serif", 0.508)],
    "code": [("Menlo", 0.602), ("Consolas", 0.55), ("DejaVu Sans Mono", 0.602)],
}
OFTEN = [127, 91, 82, 75, 70, 67, 63, 61, 60, 43, 40, 28, 28, 24, 24, 22, 20, 20, 19, 15, 10, 8]
LETTERS = dict(zip("etaoinshrdlcumwfgypbvk .,", [*OFTEN, 220, 12, 12], strict=True))


def package_files(path: str) -> tarfile.TarFile:
    """Open a package and check that it is the one meant."""
    data = Path(path).read_bytes()
    found = base64.b64encode(hashlib.sha512(data).digest()).decode()
    if INTEGRITY.get(Path(path).name) != found:
        sys.exit(f"error: {path} is none of {', '.join(INTEGRITY)}: its sha512 is {found}")
    return tarfile.open(fileobj=io.BytesIO(data))


def text_of_book() -> str:
    """Return the chapters, the pages, the glossary and the interface."""
    sources = [file for file in BOOK.rglob("*") if file.suffix in WRITTEN]
    sources += [*WORKSHOP.glob("*/words.yml"), *WORKSHOP.glob("*/*.html")]
    sources += [ROOT / "index.md", ROOT / "_toc.yml"]
    return "".join(source.read_text("utf8") for source in sources)


def frequent_syllables(slices: str) -> set[int]:
    """Return the most frequent syllables, as the package lists them."""
    found = set()
    for number, ranges in re.findall(
        r"subset\.(\d+)\.woff2.*?unicode-range:([^;}]*)", slices, re.DOTALL
    ):
        if int(number) in FREQUENT:
            for first, last in re.findall(r"U\+([0-9a-fA-F]+)(?:-([0-9a-fA-F]+))?", ranges):
                found |= set(range(int(first, 16), int(last or first, 16) + 1))
    return {code for code in found if HANGUL.match(chr(code))}


def standard_syllables() -> set[int]:
    """Return the 2,350 syllables of KS X 1001."""
    return {
        ord(bytes([row, cell]).decode("euc-kr"))
        for row in range(0xB0, 0xC9)
        for cell in range(0xA1, 0xFF)
    }


def write_subset(source: bytes, codes: set[int], file: Path, weights=WEIGHTS) -> None:
    """Write the characters of a font as WOFF2, without the name that is reserved."""
    options = subset.Options()
    options.flavor = "woff2"
    options.layout_features = ["kern", "ccmp", "locl", "mark", "mkmk"]
    options.name_IDs = KEPT_NAMES
    options.hinting = False
    options.notdef_outline = True
    font = TTFont(io.BytesIO(source), recalcTimestamp=False)
    subsetter = subset.Subsetter(options)
    subsetter.populate(unicodes=codes)
    subsetter.subset(font)
    instancer.instantiateVariableFont(font, {"wght": weights}, inplace=True)
    subset.save_font(font, str(file), options)


def ranges(codes: set[int]) -> str:
    """Return a `unicode-range` that holds exactly these characters."""
    spans = []
    for code in sorted(codes):
        if spans and code == spans[-1][1] + 1:
            spans[-1][1] = code
        else:
            spans.append([code, code])
    return ",".join(f"U+{a:X}" if a == b else f"U+{a:X}-{b:X}" for a, b in spans)


def face(family: str, source: str, weights, **more: str) -> str:
    """Return one `@font-face`."""
    weights = weights if isinstance(weights, int) else "{} {}".format(*weights)
    lines = {"font-family": f'"{family}"', "src": source, "font-weight": weights}
    lines |= {name.replace("_", "-"): value for name, value in more.items()}
    return "@font-face {\n" + "".join(f"  {name}: {said};\n" for name, said in lines.items()) + "}"


def fallback(family: str, name: str, weight: int, font: TTFont, scale: float, **more) -> str:
    """Return a font of the reader's that is scaled to one of ours."""
    unit, up, down = font["head"].unitsPerEm, font["hhea"].ascent, -font["hhea"].descent
    return face(
        family,
        f'local("{name}")',
        weight,
        size_adjust=f"{scale:.1%}",
        ascent_override=f"{up / unit / scale:.1%}",
        descent_override=f"{down / unit / scale:.1%}",
        line_gap_override="0%",
        **more,
    )


def style_sheet(core: set[int], often: set[int]) -> str:
    """Return `fonts.css`. Of the files that are said to hold a character the last one counts."""
    faces = ["/* Written by `make font`: do not edit. The fonts' licences: NOTICE. */"]
    for name, codes in (("rest", ALL_HANGUL), ("often", often), ("core", core)):
        source = f'url("hangul-{name}.woff2") format("woff2")'
        faces.append(
            face("Book Hangul", source, WEIGHTS, font_display="swap", unicode_range=ranges(codes))
        )
    font = TTFont(STATIC / "hangul-core.woff2")
    across = font["hmtx"][font.getBestCmap()[ord("가")]][0] / font["head"].unitsPerEm
    for family, regular, bold, advance in FALLBACKS:
        for weight, name in zip(WEIGHTS, (regular, bold), strict=True):
            faces.append(fallback(f"Book Hangul as {family}", name, weight, font, across / advance))
    for name, (family, _, weights, style) in LATIN.items():
        source = f'url("{name}.woff2") format("woff2")'
        faces.append(face(family, source, weights, font_style=style, font_display="swap"))
    for name, fonts in LATIN_FALLBACKS.items():
        font = TTFont(STATIC / f"{name}.woff2")
        advances, letters = font["hmtx"], font.getBestCmap()
        total = sum(advances[letters[ord(each)]][0] * often for each, often in LETTERS.items())
        across = total / sum(LETTERS.values()) / font["head"].unitsPerEm
        for number, (theirs, advance) in enumerate(fonts, start=1):
            family = f"{LATIN[name][0]} as {number}"
            faces.append(fallback(family, theirs, 400, font, across / advance))
    return "\n".join(faces) + "\n"


def main() -> None:
    """Write the fonts and their style sheet."""
    given = {Path(path).name: path for path in sys.argv[1:] if Path(path).is_file()}
    if set(given) != set(INTEGRITY):
        sys.exit("error: name the packages that `npm pack` writes: " + " ".join(INTEGRITY))
    hangul, serif, mono = (package_files(given[name]) for name in INTEGRITY)
    source = hangul.extractfile(FONT).read()
    slices = hangul.extractfile(SLICES).read().decode()
    text = text_of_book()
    core = set(map(ord, HANGUL.findall(text))) | OTHER
    often = (frequent_syllables(slices) & standard_syllables()) - core
    rest = standard_syllables() - core - often
    for name, codes in (("core", core), ("often", often), ("rest", rest)):
        write_subset(source, codes, STATIC / f"hangul-{name}.woff2")
    used = {*range(0x20, 0x7F), 0xA0, *map(ord, text)}
    for name, (_, made_from, weights, _style) in LATIN.items():
        package = mono if name == "code" else serif
        source = package.extractfile(f"package/files/{made_from}.woff2").read()
        write_subset(source, used, STATIC / f"{name}.woff2", weights)
    for file in sorted(STATIC.glob("*.woff2")):
        print(f"{file.name}: {file.stat().st_size // 1000} KB")
    (STATIC / "fonts.css").write_text(style_sheet(core, often), "utf8")


if __name__ == "__main__":
    main()
