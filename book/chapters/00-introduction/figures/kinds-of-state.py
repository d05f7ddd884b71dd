"""A map of the book: which kind of state each chapter treats, part by part."""

from workshop.picture import Picture

KINDS = {
    1: {"ko": "이름과 배열", "en": "names and arrays"},
    2: {"ko": "파라미터", "en": "params"},
    3: {"ko": "횟수", "en": "a count"},
    4: {"ko": "인수로 넘긴 상태", "en": "state passed in"},
    5: {"ko": "파라미터와 키", "en": "params and keys"},
    6: {"ko": "파이트리인 상태", "en": "state as a pytree"},
    7: {"ko": "내 클래스의 상태", "en": "your own classes"},
    8: {"ko": "`self`의 속성", "en": "attributes of `self`"},
    9: {"ko": "난수 키", "en": "random keys"},
    10: {"ko": "옵티마이저 상태", "en": "optimizer state"},
    11: {"ko": "Flax Linen 변수", "en": "Linen variables"},
    12: {"ko": "배치 통계", "en": "batch statistics"},
    13: {"ko": "Keras 변수", "en": "Keras variables"},
    14: {"ko": "Keras 메트릭", "en": "Keras metrics"},
    15: {"ko": "`fit` 속의 변수", "en": "variables in `fit`"},
    16: {"ko": "NNX Variable", "en": "NNX Variables"},
    17: {"ko": "층마다의 상태", "en": "state per layer"},
    18: {"ko": "Ref", "en": "Refs"},
    19: {"ko": "여섯 방식의 상태", "en": "state in six ways"},
    20: {"ko": "사라진 상태", "en": "lost state"},
    21: {"ko": "저장한 상태", "en": "saved state"},
    22: {"ko": "디바이스의 상태", "en": "state on devices"},
    23: {"ko": "모두 함께", "en": "all together"},
}
PARTS = [
    {
        "ko": "1부. NumPy를 아는 사람을 위한 JAX",
        "en": "Part I. JAX for people who know NumPy",
    },
    {"ko": "2부. 인수로 넘기는 상태", "en": "Part II. State as an argument"},
    {
        "ko": "3부. 학습 속 여러 가지 상태",
        "en": "Part III. Kinds of state in training",
    },
    {"ko": "4부. 상태와 함께 일하기", "en": "Part IV. Living with state"},
]


def values() -> dict:
    """Look up which chapters each part has."""
    from workshop.layout import number_of, parts_of

    found = []
    for _, pages in parts_of("en"):
        numbers = [number_of(page.rpartition("/")[2]) for page in pages]
        if kept := [number for number in numbers if number]:
            found.append(kept)
    return {"parts": found}


def draw(picture: Picture, values: dict) -> None:
    """A band a part, a box a chapter."""
    columns = 2 if picture.narrow else 4
    gap, high, side = 8, 42, 10
    wide = (picture.width - 2 * side - (columns - 1) * gap) / columns
    y = 0.0
    for words, numbers in zip(PARTS, values["parts"], strict=True):
        rows = -(-len(numbers) // columns)
        band = 34 + rows * (high + gap) + 2
        picture.lane(0, y, picture.width, band)
        picture.text(side + 2, y + 23, words, "strong")
        for place, number in enumerate(numbers):
            row, column = divmod(place, columns)
            x = side + column * (wide + gap)
            top = y + 34 + row * (high + gap)
            picture.box(x, top, wide, high, "", "state")
            picture.text(x + 10, top + 26, str(number), "strong muted")
            picture.text(
                x + 34, top + 26, KINDS[number], "small", room=wide - 40
            )
        y += band + 8
