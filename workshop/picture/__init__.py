"""Pictures of boxes and arrows whose values come from a run, in both languages from one script.

A picture is a script `NAME.py` in the folder `figures` of its chapter, without a `NAME.yml` beside it
(that is a recorded figure). It has a docstring and two functions:

- `values() -> dict`: runs the program of the chapter in small and returns what the picture shows, as
  numbers, texts, lists and dicts. On versions that can't run it, it returns None.
- `draw(picture, values)`: draws them on a `Picture` and computes nothing else. It is called for a
  wide page and for a phone (`picture.narrow`).

`make notebooks` writes `NAME.svg` for a wide page, with the values in its `<metadata>`, and
`NAME-narrow.svg` for a phone. The tests run `values` again and compare them with those, and draw
again from the kept ones.
"""

from workshop.picture.drawing import NARROW, WIDE, Box, Picture, PictureError
from workshop.picture.wording import fill, said

__all__ = ["NARROW", "WIDE", "Box", "Picture", "PictureError", "fill", "said"]
