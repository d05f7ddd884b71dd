"""Which tool to use: three questions, from between the steps to inside one."""

from workshop.picture import Picture

QUESTIONS = (
    {
        "ko": "스텝이 받은 상태가\n앞 스텝이 반환한 상태인가?",
        "en": "Did the step get the state\nthat the last one returned?",
    },
    {
        "ko": "한 스텝에서\n바뀔 리프가 바뀌었나?",
        "en": "In one step, did each leaf\nchange that should?",
    },
    {
        "ko": "각 리프의\n타입은 그대로인가?",
        "en": "Does each leaf\nkeep its type?",
    },
)
TOOLS = (
    ({"ko": "두 호출 사이의 줄", "en": "a line between two calls"}, "moved"),
    ({"ko": "스텝의 `return`", "en": "the step's `return`"}, "moved"),
    (
        {"ko": "타입을 바꾼 연산", "en": "an operation on types"},
        "check_contract\nexplain_cache_misses",
    ),
    (
        {"ko": "스텝 안의 값", "en": "values inside the step"},
        "eval_shape  debug_nans\ndebug.print",
    ),
)
NO = {"ko": "아니요", "en": "no"}
YES = {"ko": "예", "en": "yes"}


def values() -> dict:
    """Nothing is computed."""
    return {}


def draw(picture: Picture, values: dict) -> None:
    """Questions downwards, what "no" leads to beside or below each."""
    narrow = picture.narrow
    ask = (picture.width - 24) if narrow else 290
    tool = (picture.width - 60) if narrow else 290
    y = 4
    for number, (where, names) in enumerate(TOOLS):
        last = number == len(QUESTIONS)
        high = 74 if "\n" in names else 56
        if not last:
            question = picture.box(
                1, y, ask, 56, QUESTIONS[number], "plain", "strong small"
            )
        if last:
            place = picture.lane(1, y, ask, high + 6)
        elif narrow:
            place = picture.lane(60, y + 90, tool, high + 6)
            picture.arrow((76, question.bottom[1]), (76, place.y))
            picture.text(88, y + 78, NO, "small")
        else:
            place = picture.lane(picture.width - tool, y, tool, high + 6)
            picture.arrow(question.right, (place.x, question.right[1]))
            picture.text(
                (question.right[0] + place.x) / 2, question.right[1] - 8, NO,
                "small", "middle",
            )  # fmt: skip
        picture.text(place.x + 14, place.y + 24, where, "small strong")
        picture.text(place.x + 14, place.y + 46, names, "small")
        if last:
            return
        following = (place.y + place.height if narrow else y + 80) + 34
        picture.arrow((24, question.bottom[1]), (24, following))
        picture.text(34, following - 12, YES, "small")
        y = following
