"""What judges the answers to the exercises of this chapter, and answers to try it with."""


# %% check 1
def check_1(answer) -> None:
    """Run the loop and compare, number by number."""
    last = 10
    for x in (11, 14, 20):
        last, first = x, x - last
        second = x + 2 - last
    given, truth = read_numbers(answer, 3), [last, first, second]
    assert given == truth or sorted(given) != sorted(truth), (
        "the three numbers are right, but in another order · "
        "수 세 개는 맞지만 순서가 다릅니다"
    )
    hints = (
        {
            10: "which line rebinds it? · last에 다시 대입하는 줄은 어느 것인가요?",
            22: "look at where the second line puts its new state · "
            "둘째 줄이 새 상태를 어디에 대입하는지 보세요",
            None: "what does gap return first? · gap이 먼저 반환하는 값은 무엇인가요?",
        },
        "what was last when iteration 3 began? · "
        "세 번째 반복을 시작할 때 last는 얼마였나요?",
        {
            22: "which of the two results does that line keep? · "
            "둘째 줄은 두 결과 중 어느 것을 남기나요?",
            0: "what does that line pass as epoch? · 둘째 줄이 epoch으로 넘기는 값은 무엇인가요?",
            None: "from which last does that line start? · "
            "둘째 줄은 어떤 last에서 시작하나요?",
        },
    )
    names = ("last", "first", "second")
    said = lambda n, value: (
        f"{names[n - 1]} is not {value:g}: · {names[n - 1]}의 값이 다릅니다(적은 값: {value:g})."
    )
    in_order(given, truth, hints, said)


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


# %% wrong 1: write 3 numbers in a tuple
answer_1 = 20
answer_1 = (20, 6)
answer_1 = ("20", "6", "2")
answer_1 = {20: "last", 6: "first", 2: "second"}


# %% wrong 1: what does gap return first
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


def look_for_scan_2(answer) -> None:
    """Refuse right numbers that aren't what one scan stacks."""
    read = (
        "the numbers are right, but an array's value is read: don't turn scan's outputs into NumPy "
        "or Python numbers, and leave n a Python number · 수는 맞지만 배열의 값을 읽고 있습니다. scan이 "
        "쌓은 배열을 NumPy 배열이나 파이썬 숫자로 바꾸지 말고, n도 파이썬 숫자로 두세요"
    )
    hints = {
        kind: read for kind in ("Tracer", "Concretization", "NonConcrete")
    }
    programs = [
        call_answer(jax.make_jaxpr(lambda: answer(n)), hints=hints)
        for n in (7, 12)
    ]
    lengths = [stacking_scans(program.jaxpr) for program in programs]
    assert [len(each) for each in lengths] == [1, 1], (
        "the numbers are right, but they aren't what one scan stacks · "
        "수는 맞지만 scan 하나가 쌓은 출력이 아닙니다"
    )
    assert lengths[1][0] - lengths[0][0] == 5, (
        "the numbers are right, but the scan needs one iteration per number · "
        "수는 맞지만 scan의 반복 횟수가 수의 개수를 따르지 않습니다"
    )
    known = [
        str(getattr(value, "tolist", lambda: value)())
        for value in constants(programs[1])
    ]
    assert not any("5, 8, 13" in text for text in known), (
        "the numbers are right, but they were computed before the scan · "
        "수는 맞지만 scan보다 먼저 계산한 것입니다"
    )


def run_2(answer, n: int):
    """What an answer returns; an error that jit alone causes is said."""
    try:
        return call_answer(answer, n)
    except (jax.errors.JAXTypeError, TypeError) as error:
        try:
            runs_plain = answer.__wrapped__(n) is not None
        except Exception:
            runs_plain = False
        assert not runs_plain, (
            "n is a tracer: lengths must be known when scan is traced · "
            "n이 트레이서입니다. 길이는 트레이싱할 때 정해져 있어야 합니다"
        )
        assert "concrete values" not in str(error), (
            "a shape is computed from a tracer · 트레이서로 shape을 정하고 있습니다"
        )
        raise


def check_2(answer) -> None:
    """Compare with a Python loop for several n, then look for the scan."""
    needs_function(answer, "answer_2(n)")
    truth = [0, 1]
    while len(truth) < 40:
        truth.append(truth[-1] + truth[-2])
    for n in (7, 12, 1, 2, 40):
        found = run_2(answer, n)
        assert not isinstance(found, tuple), (
            "an array is needed, not a tuple; scan returns a pair · "
            "배열이 필요한데 튜플입니다. scan은 튜플을 반환합니다"
        )
        kind = type(found).__name__
        assert hasattr(found, "tolist") and hasattr(found, "dtype"), (
            f"an array is needed, not a {kind} · 배열이 필요한데 {kind}입니다"
        )
        needs_shape(found, (n,))
        values = found.tolist()
        assert n == 1 or values[:-1] != truth[1:n] or values == truth[:n], (
            "the sequence is one ahead: which number of the state is due? · "
            "수열이 하나씩 앞서 있습니다. 상태의 두 수 가운데 어느 것을 출력할 차례인가요?"
        )
        wrong = [k for k in range(n) if values[k] != truth[k]]
        shown = wrong and values[max(wrong[0] - 3, 0) : wrong[0] + 1]
        assert not wrong, (
            f"for n = {n} the number at index {wrong[0]} is wrong: {shown} · "
            f"n = {n}일 때 인덱스 {wrong[0]}의 수가 틀립니다. {shown}"
        )
        assert found.dtype == jnp.int32, (
            f"the numbers are right, but their dtype is {found.dtype}, not int32 · "
            f"수는 맞지만 dtype이 int32가 아니라 {found.dtype}입니다"
        )
    look_for_scan_2(answer)


# %% solution 2
def solution_2(n: int) -> jax.Array:
    """Return n Fibonacci numbers; the state is the number due and the next."""

    def step(state, _):
        due, following = state
        return (following, due + following), due

    return jax.lax.scan(step, (jnp.int32(0), jnp.int32(1)), length=n)[1]


judge(2, check_2, solution_2)


# %% right 2
answer_2 = jax.jit(solution_2, static_argnums=0)


def answer_2(n):
    def step(state, _):
        return jnp.array([state[1], state[0] + state[1]]), state[0]

    return jax.lax.scan(step, jnp.array([0, 1]), jnp.arange(n))[1]


def answer_2(n):
    step = lambda s, _: ({"a": s["b"], "b": s["a"] + s["b"]}, s["a"])
    start = {"a": jnp.int32(0), "b": jnp.int32(1)}
    last, numbers = jax.lax.scan(step, start, None, n)
    return numbers


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
def types_3(old, new) -> None:
    """Refuse a new state of which a leaf has another type."""
    for a, b in zip(jax.tree.leaves(old), jax.tree.leaves(new)):
        assert not a.weak_type, (
            "the initial state is weakly typed: give it an explicit dtype · "
            "초기 상태가 약한 타입입니다. dtype을 명시하세요"
        )
        types = [f"{leaf.dtype}{list(leaf.shape)}" for leaf in (a, b)]
        assert types[0] == types[1], (
            f"the state breaks the contract: {types[0]} goes in, {types[1]} comes out · "
            f"상태가 계약을 어깁니다. 넣은 것은 {types[0]}, 나온 것은 {types[1]}입니다"
        )
        assert not b.weak_type, (
            "the new state is weakly typed: does the step return a Python number in it? · "
            "새 상태가 약한 타입입니다. 스텝이 파이썬 숫자를 상태에 넣어 반환하나요?"
        )


def contract_3(start, step) -> None:
    """Refuse a step that doesn't return a state like the one it takes."""
    # eval_shape neither donates the initial state nor changes it
    result = call_answer(jax.eval_shape, step, start, jnp.float32(4))
    assert type(result) in (tuple, list) and len(result) == 2, (
        "a step returns a tuple of two: the new state and the output · "
        "스텝은 새 상태와 출력, 두 값을 튜플로 반환합니다"
    )
    same, first, second = map(jax.tree.structure, (start, *result))
    assert not (second == same != first), (
        "the two results are in the wrong order: the state comes first · "
        "결과 두 개의 순서가 바뀌었습니다. 상태가 먼저입니다"
    )
    assert first == same, (
        f"the structure of the state changes: {same} goes in, {first} comes out · "
        f"상태의 구조가 달라집니다. 넣은 것은 {same}, 나온 것은 {first}입니다"
    )
    state = jax.eval_shape(lambda s: s, start)
    types_3(state, result[0])
    size = sum(leaf.size for leaf in jax.tree.leaves(state))
    assert size <= 16, (
        f"a state of {size} numbers is too big: if it keeps the inputs, it is full sooner or later "
        f"· 수 {size}개짜리 상태는 너무 큽니다. 입력을 모아 두는 상태라면 언젠가 가득 찹니다"
    )


def compare_3(found, truth, xs) -> None:
    """Compare averages with the right ones, say from where they differ."""
    late = abs(found[1:] - truth[:-1]) <= 1e-3
    assert len(xs) == 1 or not late.all(), (
        "the averages are one step late: the output needs x as well · "
        "평균이 한 반복씩 늦습니다. 출력에는 x도 들어가야 합니다"
    )
    right = abs(found - truth) <= 1e-3 + 1e-3 * abs(truth)
    k = int(right.argmin())
    assert right.all() or k < 3, (
        f"the first {k} averages are right, but at index {k} the output is {found[k]:.4f}, not "
        f"{truth[k]:.4f} · 앞의 평균 {k}개는 맞지만 인덱스 {k}에서 틀립니다. 필요한 값은 {truth[k]:.4f}, "
        f"나온 값은 {found[k]:.4f}입니다"
    )
    first, means = (
        [round(float(v), 2) for v in part[:3]] for part in (xs, found)
    )
    assert right.all(), (
        f"for {first} the averages begin with {means} · "
        f"입력의 앞부분이 {first}일 때 평균의 앞부분이 {means}입니다"
    )


def check_3(answer) -> None:
    """Check the contract, then compare scan's outputs with NumPy."""
    import numpy as np

    pair = isinstance(answer, (tuple, list)) and len(answer) == 2
    assert pair and any(map(callable, answer)), (
        "a pair is needed: (initial_state, step) · (initial_state, step) 튜플이 필요합니다"
    )
    start, step = answer
    assert callable(step), (
        "the initial state comes first, then the step · 초기 상태가 먼저이고 스텝이 그다음입니다"
    )
    assert not callable(start), (
        "the initial state itself is needed, not a function that makes it · "
        "초기 상태를 만드는 함수가 아니라 초기 상태 자체가 필요합니다"
    )
    contract_3(start, step)
    for count in (5, 1, 40_000):
        xs = np.random.default_rng(count).normal(2, 3, count).astype("float32")
        truth = xs.cumsum(dtype="float64") / np.arange(1, count + 1)
        _, found = call_answer(jax.lax.scan, step, start, jnp.asarray(xs))
        assert getattr(found, "shape", None) == (count,), (
            "the output isn't one number per input · 출력이 입력마다 수 하나가 아닙니다"
        )
        assert found.dtype == jnp.float32, (
            f"the outputs have dtype {found.dtype}, not float32 · "
            f"출력의 dtype이 float32가 아니라 {found.dtype}입니다"
        )
        compare_3(found, truth, xs)


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


# %% right 3
answer_3 = [
    (jnp.float32(0), jnp.int32(0)),
    jax.jit(lambda s, x: ((s[0] + x, s[1] + 1), (s[0] + x) / (s[1] + 1))),
]
answer_3 = (
    jnp.zeros(2),
    lambda s, x: (s + jnp.array([x, 1]), (s[0] + x) / (s[1] + 1)),
)
answer_3 = (
    {"mean": jnp.float32(0), "count": jnp.int32(0)},
    lambda s, x: (
        {
            "count": s["count"] + 1,
            "mean": s["mean"] + (x - s["mean"]) / (s["count"] + 1),
        },
        s["mean"] + (x - s["mean"]) / (s["count"] + 1),
    ),
)


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


# %% wrong 3: needs the value of a tracer
answer_3 = (
    (jnp.float32(0), jnp.int32(0)),
    lambda s, x: (
        (s[0] + x, s[1] + 1),
        jnp.float32(float(s[0] + x) / (s[1] + 1)),
    ),
)


# %% wrong 3: a pair is needed
answer_3 = 3
