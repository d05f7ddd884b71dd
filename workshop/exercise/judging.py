def languages_of(said: str) -> list:
    """English and Korean of a message; a value in both may hold the mark as well."""
    parts = said.split(" · ")
    half = max(1, len(parts) // 2)
    return [" · ".join(parts[:half]), " · ".join(parts[half:])]


def joined(*messages: str) -> str:
    """One message of several, language by language."""
    pairs = [languages_of(message) for message in messages]
    return " · ".join(" ".join(pair[n] for pair in pairs) for n in (0, 1))


def told_of(error) -> str:
    """The message of a check's assert, or what an error of the answer means."""
    said, kind = error.args[0] if error.args else "", type(error).__name__
    if kind == "AssertionError" and isinstance(said, tuple):
        return " · ".join(said)
    if kind == "AssertionError" and " · " in str(said):
        return said
    reason = f"{kind}: {error}".split("\n")[0]
    if kind.startswith(("Tracer", "Concretization", "NonConcrete")):
        return (
            "the function needs the value of a tracer; use array operations instead of if, "
            "int(), float(), NumPy, a list index or a mask as an index · 트레이서의 값이 필요한 "
            "코드가 있습니다. if, int(), float(), NumPy, 리스트 인덱스, 마스크 인덱싱 대신 배열 연산을 쓰세요"
        )
    if kind == "UnexpectedTracerError":
        return (
            "the function uses a tracer from an earlier trace; keep nothing outside the function · "
            "이전 트레이싱의 트레이서를 쓰고 있습니다. 함수 밖에는 아무것도 남기지 마세요"
        )
    if "Non-hashable static" in reason:
        return (
            "an array that changes can't be a static argument · "
            "바뀌는 배열은 정적 인수가 될 수 없습니다"
        )
    if "truth value" in reason:
        return (
            "a comparison of arrays has no single truth value; use array operations instead of "
            "if, min() or max() · 배열을 비교한 결과는 참이나 거짓 하나가 아닙니다. if, min(), max() "
            "대신 배열 연산을 쓰세요"
        )
    return f"your answer raised {reason} · 답을 실행하다 오류가 났습니다. {reason}"


def judge(number: int, check, answer) -> None:
    """Print what `check` says of an answer, in English and in Korean."""
    said = "correct · 정답입니다"
    if answer is ...:
        said = "no answer yet · 아직 답이 없습니다"
    else:
        try:
            check(answer)
        except Exception as error:
            said = told_of(error)
    english, korean = languages_of(said)
    print(f"Exercise {number}: {english}")
    print(f"연습 문제 {number}: {korean}")


def as_number(value, kind: str = "number"):
    """The number, whole number or flag that a value is, as Python's own; None for no such thing."""
    try:
        value = value.item() if hasattr(value, "item") else value
        found = None if isinstance(value, (str, bytes)) else float(value)
        rounded = int(found)  # no infinity has one
    except (TypeError, ValueError, OverflowError):
        return None
    if kind == "flag":
        return found == 1 if found in (0, 1) else None
    if kind == "whole":
        return rounded if rounded == found else None
    return found


def read_number(answer, kind: str = "number"):
    """The number that an answer is, alone or in a tuple of one."""
    if isinstance(answer, (tuple, list)) and len(answer) == 1:
        answer = answer[0]
    said = {"number": "number · 수", "whole": "whole number · 정수"}
    en, ko = languages_of(said[kind])
    found = as_number(answer, kind)
    assert found is not None, f"one {en} is needed · {ko} 하나가 필요합니다"
    return found


def read_numbers(answer, count: int, kind: str = "number") -> list:
    """The numbers of a tuple, a list or an array, in order."""
    ordered = not isinstance(answer, (str, bytes, set, dict))
    try:
        given = list(answer) if ordered else []
    except TypeError:
        given = []
    found = [as_number(part, kind) for part in given]
    said = {"number": "numbers · 수", "whole": "whole numbers · 정수"}
    said["flag"] = "values, each True or False, · True나 False"
    en, ko = languages_of(said[kind])
    assert len(found) == count and None not in found, (
        f"write {count} {en} in a tuple · {ko} {count}개를 튜플로 적으세요"
    )
    return found


def hint_of(value, slips: dict, within: float = 0) -> str:
    """The hint of the slip that gives a value, or that of None."""
    for slip, hint in slips.items():
        if slip is not None and abs(value - slip) <= within:
            return hint
    return slips[None]


def in_order(given, truth, hints, said, within: float = 0) -> None:
    """Refuse the first value that differs: with `said(n, value)` and its hint, or hint by slip."""
    for n, (value, right, hint) in enumerate(zip(given, truth, hints), 1):
        hint = hint_of(value, hint, within) if isinstance(hint, dict) else hint
        right = abs(value - right) <= within
        assert right, joined(said(n, value), hint)


def needs_function(answer, form: str) -> None:
    """Refuse what can't be called."""
    said = f"a function {form} is needed · {form} 꼴의 함수가 필요합니다"
    assert callable(answer), said


def call_answer(answer, *arguments, hints=None):
    """What the answer returns; `hints` go by words of the error that it raises."""
    try:
        result = answer(*arguments)
    except AssertionError:
        raise
    except Exception as error:
        for words, hint in (hints or {}).items():
            assert words not in f"{type(error).__name__}: {error}", hint
        raise
    assert result is not None, (
        "the function returns nothing: is there a return? · "
        "함수가 아무것도 반환하지 않습니다. return이 있나요?"
    )
    return result


def needs_results(result, count: int, said: str):
    """The results of a function in their order; none of them is None."""
    several = isinstance(result, (tuple, list)) and len(result) == count
    first = f"return {count} values: · 값 {count}개를 반환하세요."
    assert several, joined(first, said)
    assert not any(part is None for part in result), (
        "one of the results is None · 결과 가운데 하나가 None입니다"
    )
    return result


def needs_shape(value, shape, name: str = "the result · 결과") -> None:
    """Refuse another shape."""
    found, (en, ko) = getattr(value, "shape", ()), languages_of(name)
    assert found == shape, (
        f"{en} has shape {found}, not {shape} · {ko}의 shape은 {shape}이어야 하는데 {found}입니다"
    )


def arrays_agree(one, other, within: float = 1e-5) -> bool:
    """Whether two trees hold the same arrays, up to rounding."""
    import jax
    import numpy as np

    def agree(a, b) -> bool:
        near = {"rtol": min(within, 1e-5), "atol": within}
        return np.shape(a) == np.shape(b) and np.allclose(a, b, **near)

    ones, others = jax.tree.leaves(one), jax.tree.leaves(other)
    return len(ones) == len(others) and all(map(agree, ones, others))
