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
    given = read_numbers(answer, 5)
    hints = (
        "do the three numbers differ in anything other than their values? · "
        "세 수는 값 말고 다른 점이 있나요?",
        "how many different shapes are there? · 서로 다른 shape이 몇 가지인가요?",
        "does vmap alone keep anything for the next call? · "
        "vmap만 쓰면 다음 호출에 쓸 것이 남아 있나요?",
        "which transformation is on the outside here? · 여기서는 어떤 변환이 가장 바깥에 있나요?",
        "which of the three arguments is weakly typed? · 인수 세 개 가운데 약한 타입은 어느 것인가요?",
    )
    said = lambda n, value: (
        f"call {n} doesn't return {value:g}: · {n}번의 답이 다릅니다(적은 값: {value:g})."
    )
    in_order(given, truth_1(), hints, said)


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


# %% right 1
answer_1 = [1, 2, 3, 1, 2]
answer_1 = (1.0, 2.0, 3.0, 1.0, 2.0)


# %% wrong 1: write 5 numbers in a tuple
answer_1 = 9
answer_1 = (1, 2, 3, 1)
answer_1 = (1, 2, 3, 1, 2, "and no more")
answer_1 = {1: 1, 2: 2, 3: 3, 4: 1, 5: 2}
answer_1 = (1, 2, 3, 1, "2")
answer_1 = None
answer_1 = "12312"
answer_1 = [[1, 2, 3, 1, 2]]
answer_1 = (1, 2, 3, 1, 2, 3)


# %% check 2
def check_2(answer) -> None:
    """Run the step under jit on several arrays and from several counts."""
    import numpy as np

    needs_function(answer, "answer_2(count, x)")
    traces = []
    step = jax.jit(
        lambda count, x: (traces.append(x.shape), answer(count, x))[1]
    )
    xs = [
        [0.5, 2.0, -1e6, 1.0, 1.5],
        [4.0, 1.0625, 4.0, 7.5, -0.5],
        [0.0, 1.0, -2.5, 0.1, 1.0],
        [[9.0, -9.0], [1.0, 2.0]],
    ]
    count = jnp.int32(0)
    for n, x in enumerate(xs + xs):
        count, x = (
            jnp.int32(7) if n == len(xs) else count,
            np.array(x, "float32"),
        )
        result = call_answer(step, count, jnp.asarray(x))
        needs_results(
            result, 2, "new_count and clipped · new_count와 clipped입니다"
        )
        new, out = (np.asarray(part) for part in result)
        assert not (new.shape == x.shape and out.shape == ()), (
            "the count comes first, then the array: in the arguments and in the return values · "
            "인수도 결과도 카운트가 먼저, 배열이 그다음입니다"
        )
        assert new.shape == () and out.shape == x.shape, (
            "new_count is one number, and clipped has the shape of x · "
            "new_count는 수 하나이고 clipped의 shape은 x와 같습니다"
        )
        assert np.array_equal(out, np.minimum(x, 1)), (
            f"{x.tolist()} is clipped to {out.tolist()}, which is wrong · "
            f"clipped의 값이 다릅니다. x는 {x.tolist()}, clipped는 {out.tolist()}입니다"
        )
        assert new.dtype == np.int32, (
            f"new_count is {new.dtype}; count came in as int32 · "
            f"new_count의 dtype이 {new.dtype}입니다. 받은 count는 int32였습니다"
        )
        assert new == int(count) + int((x > 1).sum()), (
            f"with count {int(count)} and x = {x.tolist()}, new_count is {new}: count only the "
            "replaced entries, and add them to the argument · "
            f"count가 {int(count)}일 때 {x.tolist()}에서 new_count가 {new}입니다. 바뀐 원소만 세어 "
            "인수로 받은 count에 더하세요"
        )
        count = result[0]
    assert len(traces) == 2, (
        f"two shapes were traced {len(traces)} times: return new_count.astype('int32'), so that "
        f"it has the type of count · shape은 두 가지인데 트레이싱은 {len(traces)}번 했습니다. count와 "
        "타입이 같도록 new_count.astype('int32')를 반환하세요"
    )


# %% solution 2
def solution_2(count: jax.Array, x: jax.Array) -> tuple:
    """Clip x at 1 and add the number of clipped entries to count."""
    return count + jnp.sum(x > 1), jnp.minimum(x, 1)


judge(2, check_2, solution_2)


# %% right 2
answer_2 = jax.jit(solution_2)


def answer_2(count, x):
    over = jnp.where(x > 1, 1, 0)
    total = count
    for value in over.ravel():
        total = total + value
    return [total, jnp.where(over == 1, 1.0, x)]


answer_2 = lambda c, x: (c + jnp.count_nonzero(x > 1), jnp.clip(x, max=1.0))
answer_2 = lambda count, x: ((x > 1).sum() + count, x.at[...].min(1.0))
answer_2 = lambda c, x: (c + (x > 1).sum(dtype="int32"), -jnp.maximum(-x, -1))
answer_2 = lambda c, x: (c + (jnp.minimum(x, 1) != x).sum(), jnp.minimum(x, 1))
answer_2 = lambda c, x: (c + x.size - (x <= 1).sum(), jnp.where(x < 1, x, 1))
answer_2 = lambda c, x: (c + jnp.sum((x > 1).astype("uint8")), x.clip(None, 1))
answer_2 = lambda c, x: (
    jnp.sum(x > 1, initial=0) + c,
    jax.jit(jnp.minimum)(x, 1),
)
answer_2 = lambda c, x: (
    c + jax.vmap(lambda v: v > 1)(x.ravel()).sum(),
    jax.lax.min(x, jnp.ones_like(x)),
)


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


# %% wrong 2: return 2 values
answer_2 = lambda count, x: jnp.minimum(x, 1)


# %% wrong 2: returns nothing
answer_2 = lambda count, x: print(count, x)


# %% check 3
def check_3(answer) -> None:
    """Run the fixed update under jit from several steps and weights."""
    import numpy as np

    needs_function(answer, "answer_3(step, w)")
    traces = []
    update = jax.jit(
        lambda step, w: (traces.append(w.shape), answer(step, w))[1]
    )
    for start, w in ((0, 0.0), (9, -1.5), (0, [1.0, 5.0, -2.5])):
        step, w = jnp.int32(start), jnp.array(w, "float32")
        expected = np.array(w, "float64")
        for number in range(start + 1, start + 5):
            result = call_answer(update, step, w)
            step, w = needs_results(
                result, 2, "new_step and new_w · new_step과 new_w입니다"
            )
            new_step, new_w = np.asarray(step), np.asarray(w)
            assert new_step.shape == () and new_w.shape == expected.shape, (
                "new_step is one number, and new_w has the shape of w · "
                "new_step은 수 하나이고 new_w의 shape은 w와 같습니다"
            )
            assert new_step.dtype.kind != "f" or new_w.dtype.kind != "i", (
                "new_step comes first, then new_w · new_step을 먼저, new_w를 그다음에 반환하세요"
            )
            expected = expected - 0.1 / number * 2 * (expected - 3)
            assert new_step.dtype == np.int32, (
                f"new_step is {new_step.dtype}; step, the first argument, came in as int32 · "
                f"new_step의 dtype이 {new_step.dtype}입니다. 첫 번째 인수인 step은 int32였습니다"
            )
            assert new_step == number, (
                f"step {number - 1} becomes {new_step}: compute new_step from the argument on "
                f"every call · step이 {number - 1}일 때 new_step이 다릅니다(반환한 값: {new_step}). "
                "호출할 때마다 인수에서 계산하세요"
            )
            shown = np.round(new_w, 4).tolist()
            assert np.allclose(new_w, expected, rtol=1e-5, atol=1e-5), (
                f"after update {number}, w is {shown}: check the learning rate, the factor 2 and "
                f"the sign · {number}번째 업데이트의 w가 다릅니다(반환한 값: {shown}). 학습률과 계수 2, "
                "부호를 확인하세요"
            )
    assert len(traces) == 2, (
        f"two shapes were traced {len(traces)} times: return new_step.astype('int32') and "
        "new_w.astype('float32'), so that they have the types of the arguments · "
        f"shape은 두 가지인데 트레이싱은 {len(traces)}번 했습니다. 인수와 타입이 같도록 "
        "new_step.astype('int32')와 new_w.astype('float32')를 반환하세요"
    )
    jax.clear_caches()  # only traces are checked
    try:
        with jax.checking_leaks():
            jax.jit(lambda s, v: answer(s, v))(jnp.int32(0), jnp.float32(0))
        leaks = False
    except Exception:
        leaks = True
    assert not leaks, (
        "the results are right, but the function stores a tracer outside · "
        "결과는 맞지만 함수 밖에 트레이서가 남습니다"
    )


# %% solution 3
def solution_3(step: jax.Array, w: jax.Array) -> tuple:
    """One step on (w - 3) ** 2 with rate 0.1 / (step + 1)."""
    new_step = step + 1
    return new_step, w - 0.1 / new_step * 2 * (w - 3)


judge(3, check_3, solution_3)


# %% right 3
answer_3 = jax.jit(solution_3)


def answer_3(step, w):
    rate = 0.1 / jnp.asarray(step + 1, "float32")
    difference = 2 * (w - 3)
    return [step + 1, w - rate * difference]


answer_3 = lambda step, w: (step + 1, w - 0.2 * (w - 3) / (step + 1))
answer_3 = lambda step, w: (
    1 + step,
    w - 0.1 / (1 + step) * jax.grad(lambda v: jnp.sum((v - 3) ** 2))(w),
)
answer_3 = lambda s, w: (
    s + np.int32(1),
    w - jnp.float32(0.2) / (s + 1) * (w - 3),
)
answer_3 = lambda s, w: (s + jnp.int32(1), w + 0.2 * (3 - w) / (s + 1))
answer_3 = lambda s, w: (
    jax.lax.add(s, jnp.int32(1)),
    w - (w - 3) / (5 * (s + 1)),
)
answer_3 = jax.jit(lambda s, w: (s + 1, w - 0.1 * (1 / (s + 1)) * 2 * (w - 3)))
answer_3 = lambda s, w: (
    s + 1,
    jax.vmap(lambda v: v - 0.2 / (s + 1) * (v - 3))(w.reshape(-1)).reshape(
        w.shape
    ),
)
answer_3 = lambda s, w, rate=0.1: (s + 1, w - rate / (s + 1) * 2 * (w - 3))


# %% wrong 3: return 2 values
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
