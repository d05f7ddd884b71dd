"""A silent and a loud mistake for each idiom: the test loss of one, the error of the other."""

from workshop.picture import Picture, fill

SILENT = {"ko": "조용한 실수: 테스트 손실", "en": "silent: test loss"}
LOUD = {"ko": "오류가 나는 실수: 예외", "en": "loud: error"}
SHORT = {
    "silent": {"ko": "손실", "en": "silent"},
    "loud": {"ko": "예외", "en": "loud"},
}
RIGHT = {"ko": "정상이면 {loss}", "en": "{loss} if right"}
ROWS = {
    "plain JAX": {"ko": "순수 JAX", "en": "plain JAX"},
    "Linen": {"ko": "Linen", "en": "Linen"},
    "Keras": {"ko": "Keras", "en": "Keras"},
    "Equinox": {"ko": "Equinox", "en": "Equinox"},
    "NNX": {"ko": "NNX", "en": "NNX"},
    "Refs": {"ko": "Ref", "en": "Refs"},
}
MISTAKES = {
    "dropped": {"ko": "버림", "en": "dropped"},
    "jax.jit": {"ko": "`jax.jit`", "en": "`jax.jit`"},
    "not assigned": {"ko": "대입 안 함", "en": "not assigned"},
    "read too early": {"ko": "먼저 읽음", "en": "read too early"},
    "left out": {"ko": "빠뜨림", "en": "left out"},
    "no mutable": {"ko": "`mutable` 없음", "en": "no `mutable`"},
    "closed over": {"ko": "캡처함", "en": "closed over"},
    "returned": {"ko": "Ref를 반환", "en": "Ref returned"},
    "used twice": {"ko": "두 번 씀", "en": "used twice"},
}


def values() -> dict:
    """Run the chapter up to its loud mistakes; read what it prints of them."""
    import re

    from workshop.picture.chapter_run import run_up_to

    names, printed = run_up_to("find-state-that-is-not-updated", "19-rosetta")
    rows = {name: {} for name in ROWS}
    for name, mistake, test in re.findall(
        r"^([\w ]+): ([\w. ]+?) +silent: .* test ([\d.]+)$",
        printed,
        re.MULTILINE,
    ):
        right = float(names["runs"][name][1])
        rows[name]["silent"] = [mistake, f"{float(test):.3f}", f"{right:.3f}"]
    for name, mistake, error in re.findall(
        r"^([\w ]+): ([\w. ]+?) +loud: (\w+)$",
        printed,
        re.MULTILINE,
    ):
        rows[name]["loud"] = [mistake, error]
    return rows


def draw(picture: Picture, values: dict) -> None:
    """A row an idiom: silent, then loud; on a phone the two stand below each other."""
    narrow = picture.narrow
    if narrow:
        row, silent, loud, wide = 122, 54, 54, 196
    else:
        row, silent, loud, wide = 62, 110, 350, 216
        picture.text(silent, 18, SILENT, "small strong")
        picture.text(loud, 18, LOUD, "small strong")
    top = 0 if narrow else 32
    for place, (name, mistakes) in enumerate(values.items()):
        y = top + row * place
        picture.line((0, y), (picture.width, y))
        first = y + (40 if narrow else 17)
        second = y + 82 if narrow else first
        if narrow:
            picture.text(0, y + 25, ROWS[name], "strong")
            picture.text(0, first + 19, SHORT["silent"], "small muted")
            picture.text(0, second + 19, SHORT["loud"], "small muted")
        else:
            picture.text(0, first + 19, ROWS[name], "strong")
        mistake, test, right = mistakes["silent"]
        picture.box(silent, first, 72, 28, test, "plain", "strong")
        picture.text(silent + 84, first + 11, MISTAKES[mistake], "small")
        words = fill(RIGHT, loss=right)
        picture.text(silent + 84, first + 28, words, "small muted")
        mistake, error = mistakes["loud"]
        picture.box(loud, second, wide, 28, error, "plain", "small strong")
        picture.text(loud + wide + 10, second + 19, MISTAKES[mistake], "small")
