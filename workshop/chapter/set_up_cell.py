# @title Set up the checks · 채점 준비
def judge(number: int, check, answer) -> None:
    """Print what `check` says of an answer, in English and in Korean."""
    hint = ("correct", "정답입니다")
    if answer is ...:
        hint = ("no answer yet", "아직 답이 없습니다")
    else:
        try:
            check(answer)
        except Exception as error:
            hint = error.args[0] if error.args else ""
            if type(error) is not AssertionError or type(hint) is not tuple:
                reason = f"{type(error).__name__}: {error}".split("\n")[0]
                hint = (
                    f"your answer raised {reason}",
                    f"답을 실행하다 오류가 났습니다. {reason}",
                )
    print(f"Exercise {number}: {hint[0]}")
    print(f"연습 문제 {number}: {hint[1]}")
