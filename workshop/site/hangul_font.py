"""Make the Hangul font of the Korean pages from the npm package `pretendard`.

    npm pack pretendard@1.3.9
    make font PACKAGE=pretendard-1.3.9.tgz

Pretendard as a variable font is 2 MB for all of modern Hangul. Here it becomes three files:
`hangul-core.woff2` with the syllables of this book and Latin, which every Korean page loads, and, for
what is written after this ran, `hangul-often.woff2` with the other frequent syllables and
`hangul-rest.woff2` with the rest of the 2,350 syllables of KS X 1001; a browser fetches these only
where a page has one of them. `fonts.css` names them and the fallback fonts, scaled to the same width,
so that nothing moves when the font arrives. The result depends on nothing but the package, the text
of the book and the pinned fonttools and brotli.
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
PACKAGE = "pretendard-1.3.9.tgz"
INTEGRITY = (
    "PaQAADyLY5v4kYFwkpSJHbSSYIkiriY/1xXw75TKoZ9UQQqeU+tvP05yTdZAWibiIYoo8ZKtRv8PM7w0IaywSw=="
)
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
# What readers have: font, its names for regular and bold, and its Hangul's advance in em. Nanum's is
# measured and Noto's published; Malgun's is taken to be Noto's, Apple's to be Pretendard's own,
# which was drawn to its width.
FALLBACKS = [
    ("apple", "AppleSDGothicNeo-Regular", "AppleSDGothicNeo-Bold", 0.864),
    ("malgun", "Malgun Gothic", "Malgun Gothic Bold", 0.92),
    ("noto", "Noto Sans CJK KR", "Noto Sans CJK KR Bold", 0.92),
    ("nanum", "NanumGothic", "NanumGothicBold", 0.94),
]


def package_files(path: str) -> tarfile.TarFile:
    """Open the package and check that it is the one meant."""
    data = Path(path).read_bytes()
    found = base64.b64encode(hashlib.sha512(data).digest()).decode()
    if found != INTEGRITY:
        sys.exit(f"error: {path} is not {PACKAGE}: its sha512 is {found}")
    return tarfile.open(fileobj=io.BytesIO(data))


def syllables_of_book() -> set[int]:
    """Return the syllables in the chapters, the Korean pages, the glossary and the interface."""
    sources = [file for file in BOOK.rglob("*") if file.suffix in WRITTEN]
    sources += [*WORKSHOP.glob("*/words.yml"), *WORKSHOP.glob("*/*.html")]
    sources += [ROOT / "index.md", ROOT / "_toc.yml"]
    return {
        ord(syllable) for source in sources for syllable in HANGUL.findall(source.read_text("utf8"))
    }


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


def write_subset(source: bytes, codes: set[int], file: Path) -> None:
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
    instancer.instantiateVariableFont(font, {"wght": WEIGHTS}, inplace=True)
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


def style_sheet(core: set[int], often: set[int]) -> str:
    """Return `fonts.css`. Of the files that are said to hold a character the last one counts."""
    faces = ["/* Written by `make font`: do not edit. The fonts' licence: NOTICE. */"]
    for name, codes in (("rest", ALL_HANGUL), ("often", often), ("core", core)):
        faces.append(
            '@font-face {\n  font-family: "Book Hangul";\n'
            f'  src: url("hangul-{name}.woff2") format("woff2");\n'
            f"  font-weight: {WEIGHTS[0]} {WEIGHTS[1]};\n  font-display: swap;\n"
            f"  unicode-range: {ranges(codes)};\n}}"
        )
    font = TTFont(STATIC / "hangul-core.woff2")
    unit, across = font["head"].unitsPerEm, font["hmtx"][font.getBestCmap()[ord("가")]][0]
    up, down = font["hhea"].ascent, -font["hhea"].descent
    for family, regular, bold, advance in FALLBACKS:
        scale = across / unit / advance
        for weight, name in zip(WEIGHTS, (regular, bold), strict=True):
            faces.append(
                f'@font-face {{\n  font-family: "Book Hangul as {family}";\n'
                f'  src: local("{name}");\n  font-weight: {weight};\n'
                f"  size-adjust: {scale:.1%};\n"
                f"  ascent-override: {up / unit / scale:.1%};\n"
                f"  descent-override: {down / unit / scale:.1%};\n  line-gap-override: 0%;\n}}"
            )
    return "\n".join(faces) + "\n"


def main() -> None:
    """Write both fonts and their style sheet."""
    if len(sys.argv) != 2 or not Path(sys.argv[1]).is_file():
        sys.exit("error: name the package: npm pack pretendard@1.3.9; make font PACKAGE=" + PACKAGE)
    with package_files(sys.argv[1]) as package:
        source = package.extractfile(FONT).read()
        slices = package.extractfile(SLICES).read().decode()
    core = syllables_of_book() | OTHER
    often = (frequent_syllables(slices) & standard_syllables()) - core
    rest = standard_syllables() - core - often
    for name, codes in (("core", core), ("often", often), ("rest", rest)):
        file = STATIC / f"hangul-{name}.woff2"
        write_subset(source, codes, file)
        print(f"{file.name}: {len(codes)} characters, {file.stat().st_size // 1000} KB")
    (STATIC / "fonts.css").write_text(style_sheet(core, often), "utf8")


if __name__ == "__main__":
    main()
