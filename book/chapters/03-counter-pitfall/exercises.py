"""What judges the answers to the exercises of this chapter, and answers to try it with."""


# %% check 1
def truth_1() -> tuple:
    """Return how often the body runs in each of the five cases."""

    def runs(transform, calls):
        log = []
        transformed = transform(lambda x: (log.append(1), 2 * x)[1])
        for x in calls:
            transformed(x)
        return len(log)

    ten, two = jnp.zeros(10), jnp.zeros(2)
    one = jnp.float32(1)
    return (
        runs(jax.jit, [1.0, 2.5, -3.0]),
        runs(jax.jit, [two, two[:, None], two + 1]),
        runs(jax.vmap, [ten, ten + 1, ten]),
        runs(lambda f: jax.jit(jax.vmap(f)), [ten, ten + 1]),
        runs(lambda f: jax.jit(jax.grad(f)), [one, 2.0, one + 2]),
    )


def check_1(answer) -> None:
    """Compare five predictions with five runs; name the first that differs."""
    hints = (
        (
            "do the three numbers differ in anything other than their values?",
            "세 수는 값 말고 다른 점이 있나요?",
        ),
        (
            "how many different shapes are there?",
            "서로 다른 shape이 몇 가지인가요?",
        ),
        (
            "does vmap alone keep anything for the next call?",
            "vmap만 쓰면 다음 호출에 쓸 것이 남아 있나요?",
        ),
        (
            "which transformation is on the outside here?",
            "여기서는 어떤 변환이 가장 바깥에 있나요?",
        ),
        (
            "which of the three arguments is weakly typed?",
            "인수 세 개 가운데 약한 타입은 어느 것인가요?",
        ),
    )
    try:
        ordered = not isinstance(answer, (str, bytes, set, dict))
        given = list(answer) if ordered else []
        words = any(isinstance(g, (str, bytes)) for g in given)
        guesses = [] if words else [float(g) for g in given]
    except (TypeError, ValueError, OverflowError):
        guesses = []
    assert len(guesses) == 5, (
        "write five numbers in a tuple",
        "수 다섯 개를 튜플로 적어 주세요.",
    )
    cases = zip(guesses, truth_1(), hints)
    for number, (guess, real, hint) in enumerate(cases, 1):
        assert guess == real, (
            f"call {number} doesn't return {guess:g}: {hint[0]}",
            f"{number}번의 답이 다릅니다(적은 값: {guess:g}). {hint[1]}",
        )


# %% solution 1
# 1: a weak float32 scalar each time, so one trace.
# 2: two shapes; ones(2) is a cache hit.
# 3: vmap keeps nothing between calls.  4: jit does.
# 5: jnp.float32(1) isn't weak, 2.0 is, and the third call is a hit.
judge(1, check_1, (1, 2, 3, 1, 2))


# %% wrong 1: call 1 doesn't return 3
answer_1 = (3, 2, 3, 1, 2)


# %% wrong 1: how many different shapes
answer_1 = (1, 3, 3, 1, 2)
answer_1 = [1, 1, 3, 1, 2]


# %% wrong 1: does vmap alone keep anything
answer_1 = (1, 2, 1, 1, 2)
answer_1 = (1, 2, 30, 1, 2)


# %% wrong 1: which transformation is on the outside
answer_1 = (1, 2, 3, 2, 2)


# %% wrong 1: which of the three arguments is weakly typed
answer_1 = (1, 2, 3, 1, 1)
answer_1 = (1, 2, 3, 1, 3)


# %% wrong 1: write five numbers in a tuple
answer_1 = 9
answer_1 = (1, 2, 3, 1)
answer_1 = (1, 2, 3, 1, 2, "and no more")
answer_1 = {1: 1, 2: 2, 3: 3, 4: 1, 5: 2}


# %% check 2
def check_2(answer) -> None:
    """Run the step under jit on several arrays and from several counts."""
    import numpy as np

    assert callable(answer), (
        "answer_2 must be a function",
        "answer_2는 함수여야 합니다.",
    )
    traces = []

    def step(count, x):
        traces.append(x.shape)
        return answer(count, x)

    step = jax.jit(step)
    xs = [
        [0.5, 2.0, -1e6, 1.0, 1.5],
        [4.0, 1.0625, 4.0, 7.5, -0.5],
        [0.0, 1.0, -2.5, 0.1, 1.0],
        [[9.0, -9.0], [1.0, 2.0]],
    ]
    for start in (0, 7):
        count = jnp.int32(start)
        for x in xs:
            x = np.array(x, "float32")
            try:
                result = step(count, jnp.asarray(x))
            except (
                jax.errors.ConcretizationTypeError,
                jax.errors.NonConcreteBooleanIndexError,
                jax.errors.TracerArrayConversionError,
                jax.errors.TracerIntegerConversionError,
            ):
                raise AssertionError(
                    (
                        "the function needs the value of a tracer; use array "
                        "operations instead of if, int(), NumPy, a list index "
                        "or a mask as an index",
                        "트레이서의 값이 필요한 코드가 있습니다. if, int(), NumPy, "
                        "리스트 인덱스, 마스크 인덱싱 대신 배열 연산을 쓰세요.",
                    )
                ) from None
            except ValueError as error:
                assert "Non-hashable" not in str(error), (
                    "an array that changes can't be a static argument",
                    "바뀌는 배열은 정적 인수가 될 수 없습니다.",
                )
                assert "truth value" not in str(error), (
                    "a comparison of arrays has no single truth value; use "
                    "array operations instead of if, min() or max()",
                    "배열을 비교한 결과는 참이나 거짓 하나가 아닙니다. if, "
                    "min(), max() 대신 배열 연산을 쓰세요.",
                )
                raise
            except jax.errors.UnexpectedTracerError:
                raise AssertionError(
                    (
                        "the function uses a tracer from an earlier trace; "
                        "keep nothing outside the function",
                        "이전 트레이싱의 트레이서를 쓰고 있습니다. 함수 밖에는 "
                        "아무것도 남기지 마세요.",
                    )
                ) from None
            assert result is not None, (
                "the function returns nothing",
                "함수가 반환하는 값이 없습니다.",
            )
            assert isinstance(result, (tuple, list)) and len(result) == 2, (
                "return two values, new_count and clipped",
                "new_count와 clipped, 값 두 개를 반환하세요.",
            )
            assert result[0] is not None and result[1] is not None, (
                "one of the two results is None",
                "결과 두 개 가운데 하나가 None입니다.",
            )
            new, out = (np.asarray(part) for part in result)
            assert not (new.shape == x.shape and out.shape == ()), (
                "the count comes first, then the array: in the arguments and "
                "in the return values",
                "인수도 결과도 카운트가 먼저, 배열이 그다음입니다.",
            )
            assert new.shape == () and out.shape == x.shape, (
                "new_count is one number, and clipped has the shape of x",
                "new_count는 수 하나이고 clipped의 shape은 x와 같습니다.",
            )
            assert np.array_equal(out, np.minimum(x, 1)), (
                f"{x.tolist()} is clipped to {out.tolist()}, which is wrong",
                f"clipped의 값이 다릅니다. x는 {x.tolist()}, clipped는 {out.tolist()}"
                "입니다.",
            )
            assert new.dtype == np.int32, (
                f"new_count is {new.dtype}; count came in as int32",
                f"new_count의 dtype이 {new.dtype}입니다. 받은 count는 "
                "int32였습니다.",
            )
            truth = int(count) + int((x > 1).sum())
            assert new == truth, (
                f"with count {int(count)} and x = {x.tolist()}, new_count is "
                f"{new}: count only the replaced entries, and add them to the "
                "argument",
                f"count가 {int(count)}일 때 {x.tolist()}에서 new_count가 {new}"
                "입니다. 바뀐 원소만 세어 인수로 받은 count에 더하세요.",
            )
            count = result[0]
    assert len(traces) == 2, (
        f"two shapes were traced {len(traces)} times: return "
        "new_count.astype('int32'), so that it has the type of count",
        f"shape은 두 가지인데 트레이싱은 {len(traces)}번 했습니다. count와 타입이 "
        "같도록 new_count.astype('int32')를 반환하세요.",
    )


# %% solution 2
def solution_2(count: jax.Array, x: jax.Array) -> tuple:
    """Clip x at 1 and add the number of clipped entries to count."""
    return count + jnp.sum(x > 1), jnp.minimum(x, 1)


judge(2, check_2, solution_2)


# %% wrong 2: the count comes first
answer_2 = lambda count, x: (jnp.minimum(x, 1), count + jnp.sum(x > 1))


# %% wrong 2: count only the replaced entries
answer_2 = lambda count, x: (count + jnp.sum(x >= 1), jnp.minimum(x, 1))
answer_2 = lambda count, x: (jnp.sum(x > 1), jnp.minimum(x, 1))
answer_2 = lambda count, x: (count + 1, jnp.minimum(x, 1))


# %% wrong 2: is clipped to
answer_2 = lambda count, x: (count + jnp.sum(abs(x) > 1), jnp.clip(x, -1, 1))


# %% wrong 2: needs the value of a tracer
answer_2 = lambda count, x: (count + int((x > 1).sum()), jnp.minimum(x, 1))
answer_2 = lambda count, x: (count + len(x[x > 1]), jnp.minimum(x, 1))
answer_2 = lambda count, x: (
    count + np.sum(np.array(x) > 1),
    jnp.minimum(x, 1),
)


# %% wrong 2: new_count is float32
answer_2 = lambda count, x: (
    count + jnp.where(x > 1, 1.0, 0.0).sum(),
    jnp.minimum(x, 1),
)


# %% wrong 2: return two values
answer_2 = lambda count, x: jnp.minimum(x, 1)


# %% wrong 2: returns nothing
answer_2 = lambda count, x: print(count, x)


# %% check 3
def check_3(answer) -> None:
    """Run the fixed update under jit from several steps and weights."""
    import numpy as np

    assert callable(answer), (
        "answer_3 must be a function",
        "answer_3은 함수여야 합니다.",
    )
    traces = []

    def update(step, w):
        traces.append(w.shape)
        return answer(step, w)

    update = jax.jit(update)
    for start, w in ((0, 0.0), (9, -1.5), (0, [1.0, 5.0, -2.5])):
        step, w = jnp.int32(start), jnp.array(w, "float32")
        expected = np.array(w, "float64")
        for number in range(start + 1, start + 5):
            try:
                result = update(step, w)
            except (
                jax.errors.ConcretizationTypeError,
                jax.errors.NonConcreteBooleanIndexError,
                jax.errors.TracerArrayConversionError,
                jax.errors.TracerIntegerConversionError,
            ):
                raise AssertionError(
                    (
                        "the function needs the value of a tracer; use array "
                        "operations instead of if, int(), float() or NumPy",
                        "트레이서의 값이 필요한 코드가 있습니다. if, int(), float(), "
                        "NumPy 대신 배열 연산을 쓰세요.",
                    )
                ) from None
            except ValueError as error:
                assert "Non-hashable" not in str(error), (
                    "an array that changes can't be a static argument",
                    "바뀌는 배열은 정적 인수가 될 수 없습니다.",
                )
                assert "truth value" not in str(error), (
                    "a comparison of arrays has no single truth value; use "
                    "array operations instead of if, min() or max()",
                    "배열을 비교한 결과는 참이나 거짓 하나가 아닙니다. if, "
                    "min(), max() 대신 배열 연산을 쓰세요.",
                )
                raise
            except jax.errors.UnexpectedTracerError:
                raise AssertionError(
                    (
                        "the function uses a tracer from an earlier trace; "
                        "keep nothing outside the function",
                        "이전 트레이싱의 트레이서를 쓰고 있습니다. 함수 밖에는 "
                        "아무것도 남기지 마세요.",
                    )
                ) from None
            assert result is not None, (
                "the function returns nothing",
                "함수가 반환하는 값이 없습니다.",
            )
            assert isinstance(result, (tuple, list)) and len(result) == 2, (
                "return two values, new_step and new_w",
                "new_step과 new_w, 값 두 개를 반환하세요.",
            )
            assert result[0] is not None and result[1] is not None, (
                "one of the two results is None",
                "결과 두 개 가운데 하나가 None입니다.",
            )
            new_step, new_w = (np.asarray(part) for part in result)
            assert new_step.shape == () and new_w.shape == expected.shape, (
                "new_step is one number, and new_w has the shape of w",
                "new_step은 수 하나이고 new_w의 shape은 w와 같습니다.",
            )
            assert not (
                new_step.dtype.kind == "f" and new_w.dtype.kind == "i"
            ), (
                "new_step comes first, then new_w",
                "new_step을 먼저, new_w를 그다음에 반환하세요.",
            )
            expected = expected - 0.1 / number * 2 * (expected - 3)
            assert new_step.dtype == np.int32, (
                f"new_step is {new_step.dtype}; step, the first argument, "
                "came in as int32",
                f"new_step의 dtype이 {new_step.dtype}입니다. 첫 번째 인수인 "
                "step은 int32였습니다.",
            )
            assert new_step == number, (
                f"step {number - 1} becomes {new_step}: compute new_step from "
                "the argument on every call",
                f"step이 {number - 1}일 때 new_step이 다릅니다(반환한 값: "
                f"{new_step}). 호출할 때마다 인수에서 계산하세요.",
            )
            assert np.allclose(new_w, expected, rtol=1e-5, atol=1e-5), (
                f"after update {number}, w is {np.round(new_w, 4).tolist()}: "
                "check the learning rate, the factor 2 and the sign",
                f"{number}번째 업데이트의 w가 다릅니다(반환한 값: "
                f"{np.round(new_w, 4).tolist()}). 학습률과 계수 2, 부호를 확인하세요.",
            )
            step, w = result
    assert len(traces) == 2, (
        f"two shapes were traced {len(traces)} times: return "
        "new_step.astype('int32') and new_w.astype('float32'), so that they "
        "have the types of the arguments",
        f"shape은 두 가지인데 트레이싱은 {len(traces)}번 했습니다. 인수와 타입이 "
        "같도록 new_step.astype('int32')와 new_w.astype('float32')를 반환하세요.",
    )
    leaks = False
    jax.clear_caches()  # only traces are checked
    try:
        with jax.checking_leaks():
            jax.jit(lambda s, v: answer(s, v))(jnp.int32(0), jnp.float32(0))
    except Exception:
        leaks = True
    assert not leaks, (
        "the results are right, but the function stores a tracer outside",
        "결과는 맞지만 함수 밖에 트레이서가 남습니다.",
    )


# %% solution 3
def solution_3(step: jax.Array, w: jax.Array) -> tuple:
    """One step on (w - 3) ** 2 with rate 0.1 / (step + 1)."""
    new_step = step + 1
    return new_step, w - 0.1 / new_step * 2 * (w - 3)


judge(3, check_3, solution_3)


# %% wrong 3: return two values
answer_3 = lambda step, w: decayed_update(w)


# %% wrong 3: step 1 becomes 1
rate_step = 0


def answer_3(step, w):
    global rate_step
    rate_step += 1
    return jnp.int32(rate_step), w - 0.1 / rate_step * 2 * (w - 3)


# %% wrong 3: stores a tracer outside
def answer_3(step, w):
    global rate_step
    rate_step = step + 1
    return rate_step, w - 0.1 / rate_step * 2 * (w - 3)


# %% wrong 3: check the learning rate
answer_3 = lambda step, w: (step + 1, w - 0.1 * 2 * (w - 3))
answer_3 = lambda step, w: (step + 1, w - 0.1 / step * 2 * (w - 3))


# %% wrong 3: step 0 becomes 0
answer_3 = lambda step, w: (step, w - 0.1 / (step + 1) * 2 * (w - 3))


# %% wrong 3: needs the value of a tracer
answer_3 = lambda step, w: (step + 1, w - 0.1 / (int(step) + 1) * 2 * (w - 3))


# %% wrong 3: new_step is float32
answer_3 = lambda step, w: (step + 1.0, w - 0.1 / (step + 1) * 2 * (w - 3))


# %% wrong 3: new_step is one number
answer_3 = lambda step, w: (
    w - 0.1 / (step + 1) * 2 * (w - 3),
    step + jnp.ones(3),
)


# %% wrong 3: returns nothing
answer_3 = lambda step, w: None
