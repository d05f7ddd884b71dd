"""What judges the answers to the exercises of this chapter, and answers to try it with."""


# %% check 1
def truth_1() -> list[int]:
    """Run the program again; return the six numbers."""
    n = jax.new_ref(jnp.int32(1))
    other, first = n, n[...]

    @jax.jit
    def double_and_add(x):
        before = n[...]
        n[...] = 2 * before + x
        return before

    results = [double_and_add(3), double_and_add(3)]
    n = jax.new_ref(jnp.int32(100))
    results.append(double_and_add(0))
    return [int(v) for v in (*results, other[...], first, n[...])]


def check_1(answer) -> None:
    """Compare six numbers with the program, one by one."""
    read = lambda v: v[...] if hasattr(v, "dtype") else v
    try:
        ordered = not isinstance(answer, (str, bytes, set, dict))
        given = list(answer) if ordered else []
        words = any(isinstance(v, (str, bytes)) for v in given)
        numbers = [] if words else [float(read(v)) for v in given]
    except (TypeError, ValueError, OverflowError):
        numbers = []
    assert len(numbers) == 6, (
        "six numbers are needed",
        "수 여섯 개가 필요합니다",
    )
    hints = [
        ("`before` is read before the write", "`before`는 쓰기 전에 읽습니다"),
        (
            "the second call starts from what the first one wrote",
            "두 번째 호출은 첫 번째 호출이 쓴 값에서 시작합니다",
        ),
        (
            "which Ref does the compiled program use?",
            "컴파일된 프로그램은 어느 Ref를 사용합니까?",
        ),
        (
            "`other` is a name: of which Ref, and what was written to it?",
            "`other`는 이름입니다. 어느 Ref의 이름이고, 그 Ref에 무엇을 "
            "썼습니까?",
        ),
        (
            "`first` was read at the start: is it a Ref or an array?",
            "`first`는 처음에 읽은 값입니다. Ref입니까, 배열입니까?",
        ),
        (
            "who writes to the Ref that `n` names at the end?",
            "마지막에 `n`이 가리키는 Ref에는 어느 코드가 값을 씁니까?",
        ),
    ]
    for place, (number, right) in enumerate(zip(numbers, truth_1())):
        en, ko = hints[place]
        assert number == right, (
            f"number {place + 1}: {en}",
            f"{place + 1}번째 수: {ko}",
        )


# %% solution 1
# the compiled program keeps the first Ref, and so does `other`
judge(1, check_1, [1, 5, 13, 26, 1, 100])


# %% wrong 1: number 3: which Ref
answer_1 = [1, 5, 100, 13, 1, 200]


# %% wrong 1: number 4: `other` is a name
answer_1 = [1, 5, 13, 13, 1, 100]
answer_1 = [1, 5, 13, 1, 1, 100]


# %% wrong 1: number 5: `first` was read
answer_1 = [1, 5, 13, 26, 26, 100]


# %% wrong 1: number 6: who writes
answer_1 = [1, 5, 13, 26, 1, 200]
answer_1 = [1, 5, 13, 26, 1, 26]


# %% wrong 1: number 1: `before`
answer_1 = [5, 13, 26, 26, 1, 100]


# %% wrong 1: number 2: the second call
answer_1 = [1, 1, 1, 26, 1, 100]


# %% wrong 1: six numbers
answer_1 = [1, 5, 13]
answer_1 = [1, 5, 13, [26], 1, 100]
answer_1 = "1, 5, 13, 26, 1, 100"
answer_1 = [1, 5, 13, 26, 1, "n", 100]
answer_1 = {1: 1, 2: 5, 3: 13, 4: 26, 5: 1, 6: 100}


# %% check 2
def check_2(answer) -> None:
    """Use objects of the class without jit, with jit, in scan, and reset."""
    methods = ("update", "read", "reset")
    assert isinstance(answer, type) and all(
        callable(getattr(answer, name, None)) for name in methods
    ), (
        "a class with the methods update, read and reset is needed",
        "update, read, reset 메서드가 있는 클래스가 필요합니다",
    )
    data = np.array([2.0, 5.0, -1.5, 0.25], np.float32)
    means = [data[: i + 1].mean() for i in range(4)]

    def same(result, right, en: str, ko: str) -> None:
        assert result is not None, (
            f"{en}: nothing is returned",
            f"{ko}: 반환값이 없습니다",
        )
        assert not isinstance(result, jax.Ref), (
            f"{en}: a Ref is returned, and later updates change it",
            f"{ko}: Ref를 반환하므로 나중의 업데이트가 이 값을 바꿉니다",
        )
        assert not isinstance(result, jax.core.Tracer), (
            f"{en}: a tracer was left in the object",
            f"{ko}: 객체에 트레이서가 남았습니다",
        )
        assert np.shape(result) == np.shape(right), (
            f"{en}: the shape is {np.shape(result)}, not {np.shape(right)}",
            f"{ko}: shape이 {np.shape(right)}이어야 하는데 "
            f"{np.shape(result)}입니다",
        )
        close = np.isclose(result, right, rtol=1e-5)
        if close.ndim and not close.all():
            i = int(np.argmin(close))
            en, ko = f"{en}, update {i + 1}", f"{ko}, {i + 1}번째 update"
            result, right = result[i], right[i]
        assert close.all(), (
            f"{en}: {result} instead of {right}",
            f"{ko}: {right}이어야 하는데 {result}입니다",
        )

    def run(label: tuple, wrap) -> None:
        en, ko = label
        running = answer()
        update = wrap(running.update)
        for i, x in enumerate(data):
            result = update(jnp.float32(x))
            same(
                result,
                means[i],
                f"{en}, update {i + 1}",
                f"{ko}, {i + 1}번째 update",
            )
        kept = running.read()
        same(kept, means[-1], f"{en}, read", f"{ko}, read")
        same(
            update(jnp.float32(8)),
            (data.sum() + 8) / 5,
            f"{en}, update 5",
            f"{ko}, 5번째 update",
        )
        same(
            kept,
            means[-1],
            f"{en}, an earlier read after one more update",
            f"{ko}, 한 번 더 update한 뒤 앞서 read한 값",
        )
        running.reset()
        for i, x in enumerate(data[::-1][:2]):
            right = data[::-1][: i + 1].mean()
            result = update(jnp.float32(x))
            same(
                result,
                right,
                f"{en}, update {i + 1} after reset, by the same function",
                f"{ko}, reset 뒤 같은 함수의 {i + 1}번째 update",
            )
        same(
            running.read(),
            right,
            f"{en}, read after reset",
            f"{ko}, reset 뒤 read",
        )

    try:
        a, b = answer(), answer()
        a.update(jnp.float32(1)), b.update(jnp.float32(5))
        same(
            a.read(), 1.0, "the first of two objects", "객체 두 개 중 첫 번째"
        )
        same(
            b.read(), 5.0, "the second of two objects", "객체 두 개 중 두 번째"
        )
        run(("without jit", "jit 없이"), lambda f: f)
        run(("with jit", "jit 적용"), jax.jit)
        c, many = answer(), np.resize(data, 50)
        scanned = jax.lax.scan(
            lambda _, x: (None, c.update(x)), None, jnp.asarray(many)
        )[1]
        same(
            scanned,
            np.cumsum(many) / np.arange(1, 51),
            "in scan",
            "scan 안에서",
        )
        same(c.read(), many.mean(), "read after scan", "scan 뒤 read")
    except jax.errors.ConcretizationTypeError:
        raise AssertionError(
            (
                "under jit or scan the value of a tracer is needed",
                "jit이나 scan 안에서 트레이서의 구체적인 값을 사용하려 합니다",
            )
        ) from None
    except jax.errors.UnexpectedTracerError:
        raise AssertionError(
            (
                "under jit or scan a tracer was left in the object",
                "jit이나 scan 안에서 객체에 트레이서가 남았습니다",
            )
        ) from None


# %% solution 2
class RunningMean:
    """A running mean; its total and its count are Refs."""

    def __init__(self) -> None:
        self.total = jax.new_ref(jnp.float32(0))
        self.n = jax.new_ref(jnp.int32(0))

    def update(self, x: jax.Array) -> jax.Array:
        self.total[...] += x
        self.n[...] += 1
        return self.read()

    def read(self) -> jax.Array:
        return self.total[...] / self.n[...]

    def reset(self) -> None:
        self.total[...] = jnp.float32(0)
        self.n[...] = jnp.int32(0)


judge(2, check_2, RunningMean)


# %% wrong 2: class with the methods
answer_2 = RunningMean()


def answer_2():
    return RunningMean()


# %% wrong 2: with jit, update 2
class answer_2:
    def __init__(self):
        self.total, self.n = 0.0, 0

    def update(self, x):
        self.total, self.n = self.total + x, self.n + 1
        return self.total / self.n

    def read(self):
        return self.total / self.n

    def reset(self):
        self.total, self.n = 0.0, 0


class answer_2(RunningMean):
    def __init__(self):
        super().__init__()
        self.k = 0

    def update(self, x):
        self.k += 1
        self.total[...] += x
        return self.total[...] / self.k

    def read(self):
        return self.total[...] / self.k

    def reset(self):
        self.total[...] = 0.0
        self.k = 0


# %% wrong 2: after reset, by the same function
class answer_2(RunningMean):
    def reset(self):
        self.__init__()


class answer_2(RunningMean):
    def reset(self):
        self.total[...] = jnp.float32(0)


# %% wrong 2: a Ref is returned
class answer_2:
    def __init__(self):
        self.mean = jax.new_ref(jnp.float32(0))
        self.n = jax.new_ref(jnp.float32(0))

    def update(self, x):
        self.n[...] += 1
        self.mean[...] += (x - self.mean[...]) / self.n[...]
        return self.mean[...]

    def read(self):
        return self.mean

    def reset(self):
        self.n[...] = 0.0
        self.mean[...] = 0.0


# %% wrong 2: update 1: nothing is returned
class answer_2(RunningMean):
    def update(self, x):
        self.total[...] += x
        self.n[...] += 1


# %% wrong 2: the first of two objects: 3.0
shared = jax.new_ref(jnp.float32(0)), jax.new_ref(jnp.int32(0))


class answer_2(RunningMean):
    def __init__(self):
        self.total, self.n = shared
        self.reset()


class answer_2(RunningMean):
    total, n = jax.new_ref(jnp.float32(0)), jax.new_ref(jnp.int32(0))

    def __init__(self):
        pass


# %% wrong 2: without jit, update 2
class answer_2(RunningMean):
    def update(self, x):
        self.total[...] = x
        self.n[...] = 1
        return self.read()


# %% wrong 2: your answer raised
class answer_2(RunningMean):
    def __init__(self):
        self.total = jax.new_ref(jnp.int32(0))
        self.n = jax.new_ref(jnp.int32(0))


class answer_2(RunningMean):
    def update(self, x):
        self.total += x
        self.n += 1
        return self.read()


# %% wrong 2: value of a tracer is needed
class answer_2(RunningMean):
    def read(self):
        return float(self.total[...]) / int(self.n[...])


# %% wrong 2: tracer was left in the object
class answer_2(RunningMean):
    def update(self, x):
        self.total[...] += x
        self.n[...] += 1
        self.last = self.total[...] / self.n[...]
        return self.last

    def read(self):
        return self.last


# %% wrong 2: in scan
class answer_2:
    def __init__(self):
        self.xs, self.n = jax.new_ref(jnp.zeros(5)), jax.new_ref(jnp.int32(0))

    def update(self, x):
        self.xs[self.n[...]] = x
        self.n[...] += 1
        return self.read()

    def read(self):
        return self.xs[...].sum() / self.n[...]

    def reset(self):
        self.xs[...], self.n[...] = jnp.zeros(5), jnp.int32(0)


# %% check 3
def check_3(answer) -> None:
    """Train on several series and compare with weights kept in NumPy."""
    assert callable(answer), ("a function is needed", "함수가 필요합니다")
    for start, xs in (
        (1.0, [2.0, 1.75, 6.0, -4.0]),
        (-3.0, [-2.5, 4.0, 1.0, 7.5]),
        (0.5, [9.0, -4.0, 2.0, 1.25]),
        (2.0, [2.5]),
        (0.0, [8.0, -1.0, 3.0, 1.0, 30.0]),
        (0.0, [1.0, 3.0, 2.75, 9.0]),
    ):
        w, weights, losses = np.float32(start), [], []
        for x in np.float32(xs):
            weights.append(w)
            losses.append((w - x) ** 2)
            w = w - np.float32(0.5) * (w - x)
        weights.append(w)
        place = int(np.argmin(losses))
        result = answer(start, jnp.array(xs))
        assert result is not None, (
            "nothing is returned",
            "반환값이 없습니다",
        )
        assert not isinstance(result, jax.Ref), (
            "a Ref is returned, an array is needed",
            "Ref가 아니라 배열을 반환해야 합니다",
        )
        assert np.shape(result) == (), (
            f"the result has shape {np.shape(result)}; one weight is needed",
            f"결과의 shape이 {np.shape(result)}입니다. 가중치 하나가 필요합니다",
        )
        en, ko = f"start {start}, xs {xs}: ", f"start {start}, xs {xs}: "
        if np.isclose(result, weights[place], rtol=1e-4):
            continue
        assert not np.isclose(result, losses[place], rtol=1e-4), (
            en + "that's the lowest loss, not its weight",
            ko + "가중치가 아니라 가장 낮은 손실입니다",
        )
        assert not np.isclose(result, weights[-1], rtol=1e-4), (
            en + "that's the weight after the last step",
            ko + "마지막 스텝 뒤의 가중치입니다",
        )
        assert not np.isclose(result, weights[place + 1], rtol=1e-4), (
            en + "that's the weight after the step with the lowest loss; "
            "to which weight does that loss belong?",
            ko + "손실이 가장 낮은 스텝이 끝난 뒤의 가중치입니다. 그 손실은 "
            "어느 가중치의 손실입니까?",
        )
        ties = [w for w, loss in zip(weights, losses) if loss == min(losses)]
        assert not np.isclose(result, ties[-1], rtol=1e-4), (
            en + "two losses are equal, and this is the later weight",
            ko + "손실 두 개가 같은데, 나중 가중치를 골랐습니다",
        )
        raise AssertionError(
            (
                en + f"{result} isn't the weight with the lowest loss",
                ko + f"{result}은(는) 손실이 가장 낮은 가중치가 아닙니다",
            )
        )


# %% solution 3
def fixed_train(start: float, xs: jax.Array) -> jax.Array:
    """Return the weight that had the lowest loss."""
    w = jax.new_ref(jnp.float32(start))
    best, best_loss = w[...], jnp.inf
    for x in xs:
        before = w[...]  # the weight that the loss belongs to
        loss = descend(w, x)
        if loss < best_loss:
            best, best_loss = before, loss
    return best


judge(3, check_3, fixed_train)


# %% wrong 3: weight after the last step
answer_3 = train
import copy


def answer_3(start, xs):
    w = jax.new_ref(jnp.float32(start))
    best, best_loss = w, jnp.inf
    for x in xs:
        before = copy.copy(w)
        loss = descend(w, x)
        if loss < best_loss:
            best, best_loss = before, loss
    return best[...]


def answer_3(start, xs):
    w = jax.new_ref(jnp.float32(start))
    for x in xs:
        descend(w, x)
    return w[...]


# %% wrong 3: isn't the weight with the lowest loss
def answer_3(start, xs):
    w = jax.new_ref(jnp.float32(start))
    for x in xs:
        before = w[...]
        descend(w, x)
    return before


answer_3 = lambda start, xs: jnp.float32(start)


# %% wrong 3: after the step with the lowest loss
def answer_3(start, xs):
    w = jax.new_ref(jnp.float32(start))
    best, best_loss = w[...], jnp.inf
    for x in xs:
        loss = descend(w, x)
        if loss < best_loss:
            best, best_loss = w[...], loss
    return best


# %% wrong 3: a Ref is returned
def answer_3(start, xs):
    w = jax.new_ref(jnp.float32(start))
    best, best_loss = w, jnp.inf
    for x in xs:
        loss = descend(w, x)
        if loss < best_loss:
            best, best_loss = w, loss
    return best


# %% wrong 3: lowest loss, not its weight
def answer_3(start, xs):
    w = jax.new_ref(jnp.float32(start))
    return jnp.min(jnp.array([descend(w, x) for x in xs]))


# %% wrong 3: nothing is returned
answer_3 = lambda start, xs: None


# %% wrong 3: one weight is needed
def answer_3(start, xs):
    w, best, best_loss = jax.new_ref(jnp.float32(start)), None, jnp.inf
    for x in xs:
        before, loss = w[...], descend(w, x)
        if loss < best_loss:
            best, best_loss = before, loss
    return best, best_loss


# %% wrong 3: this is the later weight
def answer_3(start, xs):
    w = jax.new_ref(jnp.float32(start))
    best, best_loss = w[...], jnp.inf
    for x in xs:
        before, loss = w[...], descend(w, x)
        if loss <= best_loss:
            best, best_loss = before, loss
    return best


# %% wrong 3: a function is needed
answer_3 = 1.5
