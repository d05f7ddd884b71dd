"""Twenty training losses and a test loss of the six idioms and of the ported loop, on one axis."""

import itertools

from workshop.picture import Picture

TRAINING = {"ko": "학습 손실 20개", "en": "20 training losses"}
TEST = {"ko": "테스트 손실", "en": "test loss"}
ONE_LINE = {
    "ko": "일곱 프로그램이\n한 선으로 겹침",
    "en": "seven programs,\none line",
}
FIVE = {"ko": "다섯 방식", "en": "five idioms"}
EQUINOX = {"ko": "Equinox", "en": "Equinox"}
PORTED = {"ko": "포팅한 루프", "en": "ported loop"}


def values() -> dict:
    """Run the chapter up to its last training cell; keep what it records."""
    from workshop.picture.chapter_run import run_up_to

    names, _ = run_up_to("compare-two-training-runs", "19-rosetta")
    return {
        name: {
            "training": [round(float(loss), 3) for loss in losses],
            "test": f"{float(test):.3f}",
        }
        for name, (losses, test) in names["runs"].items()
    }


def draw(picture: Picture, values: dict) -> None:
    """The height of a point is its loss, on one scale for both panels."""
    if picture.narrow:
        left, wide, x, text, top, high = 34, 160, 226, 270, 46, 250
    else:
        left, wide, x, text, top, high = 40, 380, 470, 516, 46, 230
    at = lambda loss: top + high * (1 - float(loss) / 1.6)
    picture.lane(left, top - 10, wide, high + 24)
    picture.lane(x - 22, top - 10, picture.width - x + 22, high + 24)
    picture.text(left, 20, TRAINING, "small strong")
    picture.text(x - 22, 20, TEST, "small strong")
    for loss in ("0.0", "0.5", "1.0", "1.5"):
        y = at(loss)
        picture.text(0, y + 5, loss, "small muted")
        picture.line((left, y), (left + wide, y), kind="data")
    step = (wide - 20) / 19
    for run in values.values():
        points = [
            (left + 10 + step * n, at(loss))
            for n, loss in enumerate(run["training"])
        ]
        for two in itertools.pairwise(points):
            picture.arrow(*two, kind="state", head=False)
    # below the line of 0.5, above the tail of the curve
    picture.text(left + wide * 0.6, at(0.36), ONE_LINE, "small", "middle")
    tests = {}
    for name, run in values.items():
        tests.setdefault(run["test"], []).append(name)
    places = sorted(tests, key=float, reverse=True)
    for test in places:
        names = tests[test]
        kind = "lost" if names == ["ported loop"] else "state"
        y = at(test)
        picture.box(x - 6, y - 6, 12, 12, "", "state", round_by=6)
        words = (
            PORTED if kind == "lost" else FIVE if len(names) > 1 else EQUINOX
        )
        # two tests are nearly equal: their labels stand apart, with lines
        label = y + 5
        if kind != "lost":
            label = at(0.46) if len(names) > 1 else at(0.15)
            picture.line((x + 8, y), (text - 6, label - 5))
        else:
            picture.line((x + 8, y), (text - 6, label - 5))
        look = "small lost strong" if kind == "lost" else "small strong"
        picture.text(text, label, test, look)
        picture.text(text, label + 18, words, "small")
