"""What pictures are drawn with: boxes and arrows whose look says what a value is.

One language for the whole book. Each kind has a form of its own beside its colour:

| kind | means | looks |
|---|---|---|
| `state` | state that lives outside | solid, blue |
| `trace` | what exists while JAX traces | dashed |
| `lost` | what nobody keeps | red, struck out, with the word "lost" |
| `back` | what is written back | green; its arrow returns |
| `data` | data that goes in and out | grey |
| `static` | a value fixed in the program | hatched |
| `plain` | all else, such as an operation | a thin line |

The colours are variables of the page (`static/picture.css`) with those of the light theme after them,
so that a picture that stands alone has them too. Nothing in a picture has an id: what would need one,
an arrow's head or a hatching, is drawn line by line.
"""

import json
import math
from dataclasses import dataclass
from xml.etree import ElementTree

from workshop.layout import LANGUAGES
from workshop.picture.wording import room_for, said, spans

SVG = "http://www.w3.org/2000/svg"

WIDE = 688  # pixels: the code of a page on a desk, and the text of a page on a phone
NARROW = 358
TEXT, SMALL, LARGE = 14.5, 13, 18
LEAST = 13  # pixels of a letter's size: on a phone of 360 pixels it is still 12
MARGIN = 2  # for half a line at the edge
BEFORE = {"start": 0, "middle": 0.5, "end": 1}  # the share of a text that stands before its point
GROUNDS = {  # what covers lines behind a text: its look, how far beside it, above and high in letters
    "paper": ({"class": "paper"}, 3, 1, 1.3),
    "gap": ({"class": "paper"}, 8, 1, 1.3),  # in a line that a text parts
    "lost": ({"fill": "var(--picture-lost-fill, #fdecea)"}, 1, 0.8, 1.1),
}
KINDS = ("state", "trace", "lost", "back", "data", "static", "plain")

STYLE = """
.drawn { font-family: var(--pst-font-family-base, system-ui, sans-serif); font-size: 14.5px; }
.drawn text { fill: var(--pst-color-text-base, #222832); }
.drawn .code { font-family: var(--pst-font-family-monospace, ui-monospace, Menlo, Consolas, monospace); font-size: 0.95em; }
.drawn .small { font-size: 13px; }
.drawn .large { font-size: 18px; }
.drawn .strong { font-weight: 650; }
.drawn .muted { fill: var(--pst-color-text-muted, #48566b); }
.drawn .paper { fill: var(--pst-color-background, #ffffff); }
.drawn .lane { fill: var(--picture-lane, #f4f6f8); }
.drawn .lane.deep { fill: var(--picture-lane-deep, #e9edf2); }
.drawn rect.box { fill: var(--pst-color-background, #ffffff); stroke: var(--pst-color-text-muted, #48566b); stroke-width: 1.2; }
.drawn rect.trace { stroke-width: 1.6; stroke-dasharray: 5 4; }
.drawn rect.state { fill: var(--picture-state-fill, #e6effa); stroke: var(--picture-state, #1b5e9e); stroke-width: 2; }
.drawn rect.lost { fill: var(--picture-lost-fill, #fdecea); stroke: var(--picture-lost, #b3261e); stroke-width: 1.6; stroke-dasharray: 2 3; }
.drawn rect.back { fill: var(--picture-back-fill, #e4f4ea); stroke: var(--picture-back, #1a7343); stroke-width: 2; }
.drawn rect.data { fill: var(--picture-data-fill, #edeff2); stroke: var(--picture-data, #5c6773); }
.drawn .line { fill: none; stroke: var(--pst-color-text-muted, #48566b); stroke-width: 1.6; stroke-linejoin: round; }
.drawn .line.thin { stroke-width: 1; opacity: 0.45; }
.drawn .hatch { fill: none; stroke: var(--picture-data, #5c6773); stroke-width: 1; opacity: 0.55; }
.drawn .head { fill: var(--pst-color-text-muted, #48566b); }
.drawn .line.trace { stroke-dasharray: 5 4; }
.drawn .line.state { stroke: var(--picture-state, #1b5e9e); stroke-width: 2; }
.drawn .head.state, .drawn text.state { fill: var(--picture-state, #1b5e9e); }
.drawn .line.lost { stroke: var(--picture-lost, #b3261e); }
.drawn .head.lost, .drawn text.lost { fill: var(--picture-lost, #b3261e); }
.drawn .line.back { stroke: var(--picture-back, #1a7343); stroke-width: 2.6; }
.drawn .head.back, .drawn text.back { fill: var(--picture-back, #1a7343); }
.drawn .line.data { stroke: var(--picture-data, #5c6773); }
.drawn .head.data { fill: var(--picture-data, #5c6773); }
"""

Point = tuple[float, float]
Words = str | dict[str, str]  # code or a number, alike in all languages; or words in each


class PictureError(Exception):
    """What is wrong with a picture, in one line."""


@dataclass(frozen=True)
class Box:
    """A rectangle in pixels from the upper left corner of the picture, and points on its edges."""

    x: float
    y: float
    width: float
    height: float

    @property
    def left(self) -> Point:
        """The middle of its left edge."""
        return self.x, self.y + self.height / 2

    @property
    def right(self) -> Point:
        """The middle of its right edge."""
        return self.x + self.width, self.y + self.height / 2

    @property
    def top(self) -> Point:
        """The middle of its upper edge."""
        return self.x + self.width / 2, self.y

    @property
    def bottom(self) -> Point:
        """The middle of its lower edge."""
        return self.x + self.width / 2, self.y + self.height

    @property
    def middle(self) -> Point:
        """Its middle."""
        return self.x + self.width / 2, self.y + self.height / 2

    def meets(self, other: "Box") -> bool:
        """Whether the two have a point in common."""
        return (
            self.x < other.x + other.width
            and other.x < self.x + self.width
            and self.y < other.y + other.height
            and other.y < self.y + self.height
        )

    def lies_in(self, other: "Box") -> bool:
        """Whether it is wholly inside the other."""
        return (
            other.x <= self.x
            and self.x + self.width <= other.x + other.width
            and other.y <= self.y
            and self.y + self.height <= other.y + other.height
        )


class Picture:
    """One form of a picture, for a wide page or for a phone, in all languages."""

    def __init__(self, name: str, narrow: bool) -> None:
        self.name, self.narrow = name, narrow
        self.width = NARROW if narrow else WIDE
        self._shapes: list[ElementTree.Element] = []
        self._boxes: list[Box] = []  # with the lanes
        self._texts: list[tuple[str, str | None, Box]] = []  # the line, its language, its place
        self._ends = 0.0  # the lowest point of what is drawn

    def box(
        self, x: float, y: float, width: float, height: float, text: Words = "", kind: str = "plain",
        look: str = "", round_by: float = 6,
    ) -> Box:  # fmt: skip
        """Draw a box of a kind with a text in its middle.

        Args:
            x: of its left edge.
            y: of its upper edge.
            width: of the box.
            height: of the box.
            text: code or words; a line break parts lines.
            kind: what its value is, one of `KINDS`.
            look: of the text: `small`, `large`, `strong`, `muted`, several with spaces between.
            round_by: the radius of its corners.

        Raises:
            PictureError: there is no such kind, or the text is wider than the box.
        """
        if kind not in KINDS:
            raise PictureError(f"{self.name}: no kind {kind!r}; known are {', '.join(KINDS)}")
        box = Box(x, y, width, height)
        self._boxes.append(box)
        shape = {"x": x, "y": y, "width": width, "height": height, "rx": round_by}
        self._add("rect", **{"class": f"box {kind}"}, **shape)
        if kind == "static":
            self._hatch(box)
        if kind == "lost":
            self.arrow((x, y + height), (x + width, y), kind="lost", head=False)
            self.text(*_below(box), said("lost"), "lost strong small", "middle")
        if text:
            lines = _lines_of(text)
            size = _size_of(look)
            step = size * 1.35
            first = box.middle[1] - (lines - 1) * step / 2 + size * 0.35
            ground = {"static": "paper", "lost": "lost"}.get(kind, "")
            self.text(box.middle[0], first, text, look, "middle", width - 8, ground)
        return box

    def text(
        self, x: float, y: float, text: Words, look: str = "", at: str = "start",
        room: float | None = None, ground: str = "",
    ) -> None:  # fmt: skip
        """Write a text, its first baseline at `y`.

        Args:
            x: where it starts, or its middle or end, by `at`.
            y: of the first baseline.
            text: code or a number, alike in all languages, or words in each with code in backticks.
            look: `small`, `large`, `strong`, `muted`, or a kind, whose colour it takes.
            at: `start`, `middle` or `end`.
            room: how wide it may be; the picture's width where nothing is said.
            ground: cover what is behind it, as one of `GROUNDS` does; a line that strikes it out would
                be read as a letter.

        Raises:
            PictureError: it is wider than its room or leaves the picture, with the line and by how much.
        """
        size = _size_of(look)
        for language in [None] if isinstance(text, str) else LANGUAGES:
            whole = text if isinstance(text, str) else text[language]
            lines = [f"`{line}`" if language is None else line for line in whole.split("\n")]
            for number, line in enumerate(lines):
                width = room_for(line, size, "strong" in look)
                self._refuse_no_room(line, x, width, at, room)
                below = y + number * size * 1.35
                start = x - BEFORE[at] * width
                place = Box(start, below - 0.75 * size, width, 0.95 * size)
                self._texts.append((line, language, place))
                if ground:
                    covers, beside, above, high = GROUNDS[ground]
                    around = {"x": start - beside, "y": below - above * size}
                    around |= {"width": width + 2 * beside, "height": high * size}
                    self._add(
                        "rect", **covers, **around, **({"lang": language} if language else {})
                    )
                self._write(x, below, line, look, at, language)

    def arrow(self, *points: Point, kind: str = "plain", head: bool = True) -> None:
        """Draw an arrow through points, its corners rounded and its head on the last one."""
        end, before = points[-1], points[-2]
        length = math.dist(before, end)
        long = 9 if kind in ("state", "back") else 8
        cut = (long - 1) / length if head else 0
        stop = tuple(e + (b - e) * cut for e, b in zip(end, before, strict=True))
        self._add("path", **{"class": f"line {kind}"}, d=_rounded([*points[:-1], stop]))
        if head:
            along = [(e - b) / length for e, b in zip(end, before, strict=True)]
            across = (-along[1], along[0])
            foot = [e - a * long for e, a in zip(end, along, strict=True)]
            corners = [
                [f + side * long * 0.48 * c for f, c in zip(foot, across, strict=True)]
                for side in (1, -1)
            ]
            path = "M" + "L".join(f"{_n(x)} {_n(y)}" for x, y in [end, *corners]) + "Z"
            self._add("path", **{"class": f"head {kind}"}, d=path)
        self._ends = max(self._ends, *(y for _, y in points))

    def line(self, *points: Point, kind: str = "plain") -> None:
        """Draw a thin line through points."""
        self._add("path", **{"class": f"line {kind} thin"}, d=_rounded(list(points)))
        self._ends = max(self._ends, *(y for _, y in points))

    def branch(self, parent: Box, child: Box, turn: float | None = None) -> None:
        """Draw a thin line from a box to one at its right, which turns once on its way.

        Args:
            parent: where it begins.
            child: where it ends.
            turn: how far behind the parent it turns, in pixels; halfway where nothing is said.
        """
        start, end = (parent.right[0] + 1, parent.right[1]), (child.x - 1, child.left[1])
        bend = (start[0] + end[0]) / 2 if turn is None else parent.right[0] + turn
        corners = [] if start[1] == end[1] else [(bend, start[1]), (bend, end[1])]
        self.line(start, *corners, end)

    def lane(self, x: float, y: float, width: float, height: float, deep: bool = False) -> Box:
        """Draw the ground of a lane: Python's time, or `deep`, the compiled program's."""
        look = "lane deep" if deep else "lane"
        shape = {"x": x, "y": y, "width": width, "height": height, "rx": 8}
        self._add("rect", **{"class": look}, **shape)
        self._boxes.append(Box(x, y, width, height))
        return self._boxes[-1]

    def svg(self, values: dict | None = None) -> str:
        """The picture as it is kept, with the values that it shows where they are given.

        Raises:
            PictureError: a text crosses an edge of a box or another text.
        """
        self._refuse_crossings()
        height = math.ceil(self._ends + MARGIN)
        name = f"{self.name}-narrow" if self.narrow else self.name
        ground = {"x": "0", "y": "0", "width": str(self.width), "height": str(height)}
        kept = ElementTree.Element("metadata")
        kept.text = json.dumps(values, ensure_ascii=False)
        style = ElementTree.Element("style")
        style.text = STYLE
        parts = [kept] if values is not None else []
        parts += [style, ElementTree.Element("rect", {"class": "paper"} | ground), *self._shapes]
        opening = (
            f'<svg xmlns="{SVG}" class="drawn {name}" viewBox="0 0 {self.width} {height}" '
            f'width="{self.width}" height="{height}">'
        )
        lines = [ElementTree.tostring(part, encoding="unicode") for part in parts]
        return "\n".join([opening, *lines, "</svg>", ""])

    def _refuse_no_room(
        self, line: str, x: float, width: float, at: str, room: float | None
    ) -> None:
        start = x - BEFORE[at] * width
        over = max(-start, start + width - self.width, width - (room or width))
        if over > 0:
            form = "on a phone" if self.narrow else "on a desk"
            raise PictureError(
                f"{self.name}: {line!r} has {math.ceil(over)} pixels too few {form}; shorten it, "
                "break it with \\n, or give it more room"
            )

    def _refuse_crossings(self) -> None:
        form = "on a phone" if self.narrow else "on a desk"
        for number, (line, language, place) in enumerate(self._texts):
            for box in self._boxes:
                if place.meets(box) and not place.lies_in(box) and not box.lies_in(place):
                    raise PictureError(
                        f"{self.name}: {line!r} crosses the edge of a box at ({_n(box.x)}, "
                        f"{_n(box.y)}) {form}; move one of them"
                    )
            for other, other_language, other_place in self._texts[:number]:
                together = language == other_language or None in (language, other_language)
                if together and place.meets(other_place):
                    raise PictureError(
                        f"{self.name}: {line!r} and {other!r} overlap {form}; move one of them"
                    )

    def _write(
        self, x: float, y: float, line: str, look: str, at: str, language: str | None
    ) -> None:
        attributes = {"x": _n(x), "y": _n(y)}
        if look:
            attributes["class"] = look
        if at != "start":
            attributes["text-anchor"] = at
        if language:
            attributes["lang"] = language
        text = ElementTree.Element("text", attributes)
        last = None
        for piece, is_code in spans(line):
            if is_code:
                last = ElementTree.SubElement(text, "tspan", {"class": "code"})
                last.text = piece.replace(" ", "\N{NO-BREAK SPACE}")  # or two become one
            elif last is None:
                text.text = piece
            else:
                last.tail = piece
        self._shapes.append(text)
        self._ends = max(self._ends, y + 4)

    def _hatch(self, box: Box) -> None:
        """Draw slanting lines inside a box."""
        left, top, right, bottom = (
            box.x + 2, box.y + 2, box.x + box.width - 2, box.y + box.height - 2
        )  # fmt: skip
        pieces = []
        for start in range(int(left + top) + 6, int(right + bottom), 7):
            x1, x2 = max(left, start - bottom), min(right, start - top)
            if x2 - x1 > 2:
                pieces.append(f"M{_n(x1)} {_n(start - x1)}L{_n(x2)} {_n(start - x2)}")
        self._add("path", **{"class": "hatch"}, d="".join(pieces))

    def _add(self, tag: str, **attributes) -> None:
        """Add a shape, and look how far down it comes."""
        kept = {k: v if isinstance(v, str) else _n(v) for k, v in attributes.items()}
        self._shapes.append(ElementTree.Element(tag, kept))
        if "height" in attributes:
            self._ends = max(self._ends, attributes["y"] + attributes["height"])


def _below(box: Box) -> Point:
    """Where a small text below a box has its baseline."""
    return box.bottom[0], box.bottom[1] + 17


def _lines_of(text: Words) -> int:
    """The most lines that a text has in a language."""
    return max(t.count("\n") + 1 for t in ([text] if isinstance(text, str) else text.values()))


def _size_of(look: str) -> float:
    words = look.split()
    return SMALL if "small" in words else LARGE if "large" in words else TEXT


def _n(number: float) -> str:
    """A number as short as it can be."""
    return f"{number:.1f}".removesuffix(".0")


def _rounded(points: list[Point], radius: float = 9) -> str:
    """A path through points with rounded corners."""
    path = [f"M{_n(points[0][0])} {_n(points[0][1])}"]
    for before, corner, after in zip(points, points[1:], points[2:], strict=False):
        ends = []
        for other in (before, after):
            share = min(radius / math.dist(corner, other), 0.5)
            ends.append([c + (o - c) * share for c, o in zip(corner, other, strict=True)])
        (x1, y1), (x2, y2) = ends
        path.append(f"L{_n(x1)} {_n(y1)}Q{_n(corner[0])} {_n(corner[1])} {_n(x2)} {_n(y2)}")
    path.append(f"L{_n(points[-1][0])} {_n(points[-1][1])}")
    return "".join(path)
