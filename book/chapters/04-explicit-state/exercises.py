"""What judges the answers to the exercises of this chapter, and answers to try it with."""


# %% check 1
def check_1(answer) -> None:
    """Run the loop and compare, number by number."""
    last = 10
    for x in (11, 14, 20):
        last, first = x, x - last
        second = x + 2 - last
    try:
        ordered = not isinstance(answer, (str, bytes, set, dict))
        given = list(answer) if ordered else []
        words = any(isinstance(part, (str, bytes)) for part in given)
        guess = () if words else tuple(float(part) for part in given)
    except (TypeError, ValueError, OverflowError):
        guess = ()
    assert len(guess) == 3, (
        "three numbers are needed: (last, first, second)",
        "수 세 개를 (last, first, second)로 적어야 합니다.",
    )
    truth = (last, first, second)
    assert guess == truth or sorted(guess) != sorted(truth), (
        "the three numbers are right, but in another order",
        "수 세 개는 맞지만 순서가 다릅니다.",
    )
    assert guess[0] != 10, (
        "last is not 10: which line rebinds it?",
        "last는 10이 아닙니다. last에 다시 대입하는 줄은 어느 것인가요?",
    )
    assert guess[0] != 22, (
        "last is not 22: look at where the second line puts its new state",
        "last는 22가 아닙니다. 둘째 줄이 새 상태를 어디에 대입하는지 보세요.",
    )
    assert guess[0] == last, (
        f"last is not {guess[0]:g}: what does growth return first?",
        "last의 값이 다릅니다. growth가 먼저 반환하는 값은 무엇인가요?",
    )
    assert guess[1] == first, (
        f"first is not {guess[1]:g}: what was last when iteration 3 began?",
        "first의 값이 다릅니다. 세 번째 반복을 시작할 때 last는 얼마였나요?",
    )
    assert guess[2] != 22, (
        "second is not 22: which of the two results does that line keep?",
        "second는 22가 아닙니다. 둘째 줄은 두 결과 중 어느 것을 남기나요?",
    )
    assert guess[2] != 0, (
        "second is not 0: what does that line pass as x?",
        "second는 0이 아닙니다. 둘째 줄이 x로 넘기는 값은 무엇인가요?",
    )
    assert guess[2] == second, (
        f"second is not {guess[2]:g}: from which last does that line start?",
        "second의 값이 다릅니다. 둘째 줄은 어떤 last에서 시작하나요?",
    )


# %% solution 1
# Only the first line rebinds last: 11, 14, 20. In iteration 3 it was 14,
# so first = 20 - 14; the second line starts from 20, so second = 22 - 20.
judge(1, check_1, (20, 6, 2))


# %% wrong 1: where the second line puts its new state
answer_1 = (22, 4, 2)  # both lines rebind


# %% wrong 1: which line rebinds it
answer_1 = (10, 10, 12)  # none rebinds


# %% wrong 1: when iteration 3 began
answer_1 = (20, 4, 2)


# %% wrong 1: from which last does that line start
answer_1 = (20, 6, 8)


# %% wrong 1: in another order
answer_1 = (6, 20, 2)  # output first


# %% wrong 1: three numbers are needed
answer_1 = 20
answer_1 = (20, 6)
answer_1 = ("20", "6", "2")
answer_1 = {20: "last", 6: "first", 2: "second"}


# %% wrong 1: what does growth return first
answer_1 = (16, 4, 6)


# %% check 2
def stacking_scans(jaxpr) -> list[int]:
    """Lengths of the scans whose stacked outputs the results depend on."""
    lengths, needed = [], {id(var) for var in jaxpr.outvars}
    for eqn in reversed(jaxpr.eqns):
        if not any(id(var) in needed for var in eqn.outvars):
            continue
        body = eqn.params.get("jaxpr")
        body = getattr(body, "jaxpr", body)
        if eqn.primitive.name == "scan":
            pairs = zip(eqn.outvars, body.outvars)
            stacked = [a for a, b in pairs if a.aval.shape != b.aval.shape]
            if any(id(var) in needed for var in stacked):
                lengths.append(eqn.params["length"])
        elif body is not None:
            lengths += stacking_scans(body)
        needed |= {id(var) for var in eqn.invars}
    return lengths


def constants(closed) -> list:
    """Arrays that were computed before the program began."""
    found = list(getattr(closed, "consts", ()))
    for eqn in getattr(closed, "jaxpr", closed).eqns:
        for var in eqn.invars:
            found += [var.val] if hasattr(var, "val") else []
        if "jaxpr" in eqn.params:
            found += constants(eqn.params["jaxpr"])
    return found


def check_2(answer) -> None:
    """Compare with a Python loop for several n, then look for the scan."""
    assert callable(answer), (
        "a function answer_2(n) is needed",
        "함수 answer_2(n)이 필요합니다.",
    )
    truth = [0, 1]
    while len(truth) < 40:
        truth.append(truth[-1] + truth[-2])
    for n in (7, 12, 1, 2, 40):
        try:
            found = answer(n)
        except (jax.errors.JAXTypeError, TypeError) as error:
            kind = jax.errors.JAXTypeError
            hint = "concrete values" in str(error)
            if not (isinstance(error, kind) or hint):
                raise
            try:  # does it run if n isn't traced?
                getattr(answer, "__wrapped__", None)(n)
            except Exception:
                raise AssertionError(
                    (
                        "the value of a tracer is needed: an if, range or an "
                        "index of Python in the step, or a length under jit",
                        "트레이서의 값이 필요합니다. 스텝에 파이썬의 if, range, "
                        "인덱스가 있거나 jit 안에서 길이를 정하고 있습니다.",
                    )
                ) from None
            raise AssertionError(
                (
                    "n is a tracer: lengths must be known when scan is traced",
                    "n이 트레이서입니다. 길이는 트레이싱할 때 정해져 있어야 합니다.",
                )
            ) from None
        assert found is not None, (
            "the function returns nothing: is there a return?",
            "함수가 아무것도 반환하지 않습니다. return이 있나요?",
        )
        assert not isinstance(found, tuple), (
            "an array is needed, not a tuple; scan returns a pair",
            "배열이 필요한데 튜플입니다. scan은 튜플을 반환합니다.",
        )
        assert hasattr(found, "tolist") and hasattr(found, "dtype"), (
            f"an array is needed, not a {type(found).__name__}",
            f"배열이 필요한데 {type(found).__name__}입니다.",
        )
        assert found.shape == (n,), (
            f"for n = {n} the shape is {found.shape}, not {(n,)}",
            f"n = {n}일 때 필요한 shape은 {(n,)}인데 "
            f"결과의 shape은 {found.shape}입니다.",
        )
        values = found.tolist()
        assert n == 1 or values[:-1] != truth[1:n] or values == truth[:n], (
            "the sequence is one ahead: which number of the state is due?",
            "수열이 하나씩 앞서 있습니다. 상태의 두 수 가운데 어느 것을 출력할 차례인가요?",
        )
        wrong = [k for k in range(n) if values[k] != truth[k]]
        assert not wrong, (
            f"for n = {n} the number at index {wrong[0]} is wrong: "
            f"{values[max(wrong[0] - 3, 0) : wrong[0] + 1]}",
            f"n = {n}일 때 인덱스 {wrong[0]}의 수가 틀립니다. "
            f"{values[max(wrong[0] - 3, 0) : wrong[0] + 1]}",
        )
        assert found.dtype == jnp.int32, (
            f"the numbers are right, but their dtype is {found.dtype}, "
            "not int32",
            f"수는 맞지만 dtype이 int32가 아니라 {found.dtype}입니다.",
        )
    try:
        programs = [jax.make_jaxpr(lambda: answer(n))() for n in (7, 12)]
    except jax.errors.JAXTypeError:
        raise AssertionError(
            (
                "the numbers are right, but an array's value is read: don't "
                "turn scan's outputs into NumPy or Python numbers, and leave "
                "n a Python number",
                "수는 맞지만 배열의 값을 읽고 있습니다. scan이 쌓은 배열을 NumPy "
                "배열이나 파이썬 숫자로 바꾸지 말고, n도 파이썬 숫자로 두세요.",
            )
        ) from None
    lengths = [stacking_scans(program.jaxpr) for program in programs]
    assert len(lengths[0]) == 1, (
        "the numbers are right, but they aren't what one scan stacks",
        "수는 맞지만 scan 하나가 쌓은 출력이 아닙니다.",
    )
    assert lengths[1][0] - lengths[0][0] == 5, (
        "the numbers are right, but the scan needs one iteration per number",
        "수는 맞지만 scan의 반복 횟수가 수의 개수를 따르지 않습니다.",
    )
    known = [
        str(getattr(value, "tolist", lambda: value)())
        for value in constants(programs[1])
    ]
    assert not any("5, 8, 13" in text for text in known), (
        "the numbers are right, but they were computed before the scan",
        "수는 맞지만 scan보다 먼저 계산한 것입니다.",
    )


# %% solution 2
def solution_2(n: int) -> jax.Array:
    """Return n Fibonacci numbers; the state is the number due and the next."""

    def step(state, _):
        due, following = state
        return (following, due + following), due

    return jax.lax.scan(step, (jnp.int32(0), jnp.int32(1)), length=n)[1]


judge(2, check_2, solution_2)


# %% wrong 2: one ahead
def answer_2(n):
    def step(state, _):
        due, following = state
        return (following, due + following), following

    return jax.lax.scan(step, (jnp.int32(0), jnp.int32(1)), length=n)[1]


def answer_2(n):
    step = lambda s, _: ((s[1], s[0] + s[1]), s[0])
    return jax.lax.scan(step, (jnp.int32(1), jnp.int32(1)), length=n)[1]


# %% wrong 2: aren't what one scan stacks
def answer_2(n):
    numbers = [0, 1]
    while len(numbers) < n:
        numbers.append(numbers[-1] + numbers[-2])
    jax.lax.scan(lambda s, x: (s, x), 0, jnp.arange(n))  # a decoy
    return jnp.array(numbers[:n], jnp.int32)


def answer_2(n):
    def body(i, state):
        numbers, a, b = state
        return numbers.at[i].set(a), b, a + b

    start = jnp.zeros(n, jnp.int32), jnp.int32(0), jnp.int32(1)
    return jax.lax.fori_loop(0, n, body, start)[0]


# %% wrong 2: an array is needed, not a tuple
def answer_2(n):
    step = lambda s, _: ((s[1], s[0] + s[1]), s[0])
    return jax.lax.scan(step, (jnp.int32(0), jnp.int32(1)), length=n)


# %% wrong 2: needs one iteration per number
def answer_2(n):
    step = lambda s, _: ((s[1], s[0] + s[1]), s[0])
    return jax.lax.scan(step, (jnp.int32(0), jnp.int32(1)), length=40)[1][:n]


# %% wrong 2: their dtype is float32
def answer_2(n):
    step = lambda s, _: ((s[1], s[0] + s[1]), s[0])
    return jax.lax.scan(step, (jnp.float32(0), jnp.float32(1)), length=n)[1]


# %% wrong 2: index 2 is wrong: [0, 1, 2]
def answer_2(n):
    def step(state, _):
        due, following = state
        due = following
        return (due, due + following), state[0]  # uses the new due

    return jax.lax.scan(step, (jnp.int32(0), jnp.int32(1)), length=n)[1]


# %% wrong 2: raised TypeError
def answer_2(n):
    def step(state, _):
        due, following = state
        return following, due + following  # the state lacks its parentheses

    return jax.lax.scan(step, (jnp.int32(0), jnp.int32(1)), length=n)[1]


def answer_2(n):
    step = lambda s, _: ((s[1], s[0] + s[1], s[0]), s[0])  # one too many
    return jax.lax.scan(step, (jnp.int32(0), jnp.int32(1)), length=n)[1]


# %% wrong 2: leave n a Python number
def answer_2(n):
    step = lambda s, _: ((s[1], s[0] + s[1]), s[0])
    start = jnp.int32(0), jnp.int32(1)
    return jax.lax.scan(step, start, length=jnp.int32(n))[1]


# %% wrong 2: returns nothing
def answer_2(n):
    step = lambda s, _: ((s[1], s[0] + s[1]), s[0])
    print(jax.lax.scan(step, (jnp.int32(0), jnp.int32(1)), length=n)[1])


# %% wrong 2: n is a tracer
@jax.jit
def answer_2(n):
    step = lambda s, _: ((s[1], s[0] + s[1]), s[0])
    return jax.lax.scan(step, (jnp.int32(0), jnp.int32(1)), length=n)[1]


@jax.jit
def answer_2(n):
    step = lambda s, _: ((s[1], s[0] + s[1]), s[0])
    return jax.lax.scan(step, (jnp.int32(0), jnp.int32(1)), jnp.arange(n))[1]


# %% check 3
def check_3(answer) -> None:
    """Check the contract, then compare scan's outputs with NumPy."""
    import numpy as np

    pair = isinstance(answer, (tuple, list)) and len(answer) == 2
    assert pair and any(map(callable, answer)), (
        "a pair is needed: (initial_state, step)",
        "(initial_state, step) 튜플이 필요합니다.",
    )
    start, step = answer
    assert callable(step), (
        "the initial state comes first, then the step",
        "초기 상태가 먼저이고 스텝이 그다음입니다.",
    )
    assert not callable(start), (
        "the initial state itself is needed, not a function that makes it",
        "초기 상태를 만드는 함수가 아니라 초기 상태 자체가 필요합니다.",
    )
    try:  # eval_shape neither donates the initial state nor changes it
        result = jax.eval_shape(step, start, jnp.float32(4))
    except (
        jax.errors.ConcretizationTypeError,
        jax.errors.TracerArrayConversionError,
    ):
        raise AssertionError(
            (
                "the step needs the value of a tracer: use jnp throughout",
                "스텝에 트레이서의 값이 필요합니다. 끝까지 jnp로 계산하세요.",
            )
        ) from None
    assert result is not None, (
        "the step returns nothing: is there a return?",
        "스텝이 아무것도 반환하지 않습니다. return이 있나요?",
    )
    assert type(result) in (tuple, list) and len(result) == 2, (
        "a step returns a tuple of two: the new state and the output",
        "스텝은 새 상태와 출력, 두 값을 튜플로 반환합니다.",
    )
    same, first, second = map(jax.tree.structure, (start, *result))
    assert not (second == same != first), (
        "the two results are in the wrong order: the state comes first",
        "결과 두 개의 순서가 바뀌었습니다. 상태가 먼저입니다.",
    )
    assert first == same, (
        "the structure of the state changes: "
        f"{same} goes in, {first} comes out",
        f"상태의 구조가 달라집니다. 넣은 것은 {same}, 나온 것은 {first}입니다.",
    )
    state, new_state = jax.eval_shape(lambda s: s, start), result[0]
    old, new = jax.tree.leaves(state), jax.tree.leaves(new_state)
    for a, b in zip(old, new):
        assert not a.weak_type, (
            "the initial state is weakly typed: give it an explicit dtype",
            "초기 상태가 약한 타입입니다. dtype을 명시하세요.",
        )
        types = [f"{leaf.dtype}{list(leaf.shape)}" for leaf in (a, b)]
        assert types[0] == types[1], (
            "the state breaks the contract: "
            f"{types[0]} goes in, {types[1]} comes out",
            "상태가 계약을 어깁니다. "
            f"넣은 것은 {types[0]}, 나온 것은 {types[1]}입니다.",
        )
        assert not b.weak_type, (
            "the new state is weakly typed: does the step return a Python "
            "number in it?",
            "새 상태가 약한 타입입니다. 스텝이 파이썬 숫자를 상태에 넣어 반환하나요?",
        )
    show = lambda values: [round(float(value), 2) for value in values[:3]]
    size = sum(leaf.size for leaf in old)
    assert size <= 16, (
        f"a state of {size} numbers is too big: if it keeps the inputs, it "
        "is full sooner or later",
        f"수 {size}개짜리 상태는 너무 큽니다. 입력을 모아 두는 상태라면 "
        "언젠가 가득 찹니다.",
    )
    for count in (5, 1, 40_000):
        xs = np.random.default_rng(count).normal(2, 3, count).astype("float32")
        truth = xs.cumsum(dtype="float64") / np.arange(1, count + 1)
        try:
            _, found = jax.lax.scan(step, start, jnp.asarray(xs))
        except jax.errors.UnexpectedTracerError:
            raise AssertionError(
                (
                    "the step remembers something outside its state: a list, "
                    "a global or an attribute",
                    "스텝이 상태 바깥에 무언가를 기억합니다. 리스트, 전역 변수, "
                    "속성이 있는지 보세요.",
                )
            ) from None
        assert getattr(found, "shape", None) == (count,), (
            "the output isn't one number per input",
            "출력이 입력마다 수 하나가 아닙니다.",
        )
        assert found.dtype == jnp.float32, (
            f"the outputs have dtype {found.dtype}, not float32",
            f"출력의 dtype이 float32가 아니라 {found.dtype}입니다.",
        )
        late = count > 1 and np.allclose(found[1:], truth[:-1], atol=1e-3)
        assert not late, (
            "the averages are one step late: the output needs x as well",
            "평균이 한 반복씩 늦습니다. 출력에는 x도 들어가야 합니다.",
        )
        right = np.isclose(found, truth, rtol=1e-3, atol=1e-3)
        k = int(right.argmin())
        assert right.all() or k < 3, (
            f"the first {k} averages are right, but at index {k} the output "
            f"is {found[k]:.4f}, not {truth[k]:.4f}",
            f"앞의 평균 {k}개는 맞지만 인덱스 {k}에서 틀립니다. "
            f"필요한 값은 {truth[k]:.4f}, 나온 값은 {found[k]:.4f}입니다.",
        )
        assert right.all(), (
            f"for {show(xs)} the averages begin with {show(found)}",
            f"입력의 앞부분이 {show(xs)}일 때 평균의 앞부분이 {show(found)}입니다.",
        )


# %% solution 3
class Average(NamedTuple):
    """Enough to know the average: the total and how many numbers."""

    total: jax.Array
    count: jax.Array


def solution_3(state: Average, x: jax.Array) -> tuple[Average, jax.Array]:
    """Add x, count it, and divide."""
    state = Average(state.total + x, state.count + 1)
    return state, state.total / state.count


judge(3, check_3, (Average(jnp.float32(0), jnp.int32(0)), solution_3))


# %% wrong 3: float32[0] goes in, float32[1] comes out
answer_3 = (jnp.zeros(0), average_so_far)


# %% wrong 3: int32[] goes in, float32[] comes out
answer_3 = (
    (jnp.float32(0), jnp.int32(0)),
    lambda s, x: ((s[0] + x, s[1] + 1.0), (s[0] + x) / (s[1] + 1)),
)


# %% wrong 3: the state comes first
answer_3 = (
    (jnp.float32(0), jnp.int32(0)),
    lambda s, x: ((s[0] + x) / (s[1] + 1), (s[0] + x, s[1] + 1)),
)


# %% wrong 3: weakly typed
answer_3 = (
    (0.0, 0),
    lambda s, x: ((s[0] + x, s[1] + 1), (s[0] + x) / (s[1] + 1)),
)


# %% wrong 3: one step late
answer_3 = (
    (jnp.float32(0), jnp.int32(0)),
    lambda s, x: ((s[0] + x, s[1] + 1), s[0] / s[1]),
)


# %% wrong 3: full sooner or later
def fill(state, x):
    buffer, count = state
    buffer, count = buffer.at[count].set(x), count + 1
    return (buffer, count), buffer.sum() / count


answer_3 = ((jnp.zeros(1000), jnp.int32(0)), fill)


# %% wrong 3: the averages begin with
answer_3 = (
    (jnp.float32(0), jnp.int32(0)),
    lambda s, x: ((s[0] + x, s[1] + 1), (s[0] + x) // (s[1] + 1)),
)
answer_3 = (jnp.float32(0), lambda s, x: ((s + x) / 2, (s + x) / 2))


# %% wrong 3: averages are right, but at index
answer_3 = (
    (jnp.float32(0), jnp.int8(0)),  # 127 + 1 overflows
    lambda s, x: ((s[0] + x, s[1] + 1), (s[0] + x) / (s[1] + 1)),
)


# %% wrong 3: a tuple of two: the new state and the output
class Pair(NamedTuple):
    total: jax.Array
    count: jax.Array


answer_3 = (
    Pair(jnp.float32(0), jnp.int32(0)),
    lambda s, x: Pair(s.total + x, s.count + 1),
)


# %% wrong 3: the value of a tracer
answer_3 = (
    (jnp.float32(0), jnp.int32(0)),
    lambda s, x: (
        (s[0] + x, s[1] + 1),
        jnp.float32(float(s[0] + x) / (s[1] + 1)),
    ),
)


# %% wrong 3: a pair is needed
answer_3 = 3
