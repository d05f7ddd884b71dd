"""What judges the answers to the exercises of this chapter, and answers to try it with."""


# %% check 1
def truth_1() -> list[int]:
    """Run the four programs again; return the four counts."""

    class Fresh(nnx.Module):
        def __init__(self) -> None:
            self.n = nnx.Variable(jnp.int32(0))

    def count(counter):
        counter.n[...] += 1
        return counter.n[...]

    fast, plain = nnx.jit(count), jax.jit(count)
    both = nnx.jit(lambda counter: (count(counter), plain(counter)))
    b, c, d, e = (Fresh() for _ in range(4))
    graphdef, state = nnx.split(b)
    for _ in range(3):
        fast(nnx.merge(graphdef, state))
        fast(nnx.clone(c))
    both(d)
    both(d)
    new_e, _ = jax.lax.scan(lambda e, _: (e, count(e)), e, length=5)
    return [int(v.n[...]) for v in (b, c, d, new_e)]


def check_1(answer) -> None:
    """Compare four numbers with the four programs, one by one."""
    hints = (
        "by_merge: are the Variables in `state` copies? · "
        "by_merge: `state`에 든 Variable은 복사본입니까?",
        "by_clone: whose Variable is changed? · "
        "by_clone: 어느 객체의 Variable이 바뀝니까?",
        "by_both: follow the writes of `count` and of `inner` one by one; "
        "which of them leave the jitted function? · by_both: `count`와 "
        "`inner`가 쓴 값을 하나씩 따라가 보세요. jit을 적용한 함수 밖까지 나오는 "
        "값은 어느 것입니까?",
        "by_scan: what does the body hand to the next step, and which "
        "object is `counter` on the last line? · by_scan: 본문이 다음 스텝에 "
        "무엇을 넘깁니까? 마지막 줄의 `counter`는 어느 객체입니까?",
    )
    given = read_numbers(answer, 4)
    for number, right, hint in zip(given, truth_1(), hints):
        assert number == right, hint


# %% solution 1
# merge shares Variables, clone doesn't; inner's write is dropped; scan hands
# the module on
judge(1, check_1, [3, 0, 2, 5])


# %% wrong 1: by_merge: are the Variables
answer_1 = [0, 0, 2, 5]
answer_1 = (1, 0, 2, 5)


# %% wrong 1: by_clone: whose Variable
answer_1 = [3, 3, 2, 5]


# %% wrong 1: by_both: follow the writes
answer_1 = [3, 0, 4, 5]
answer_1 = [3, 0, 0, 5]


# %% wrong 1: by_scan: what does the body
answer_1 = [3, 0, 2, 0]
answer_1 = [3, 0, 2, 1]


# %% wrong 1: write 4 numbers
answer_1 = [3, 0, 2]
answer_1 = "3 0 2 5"
answer_1 = [3, 0, None, 5]
answer_1 = [[3], [0], [2], [5]]
answer_1 = {3: "by_merge", 0: "by_clone", 2: "by_both", 5: "by_scan"}
answer_1 = [3, 0, 2, "five", 5]


# %% check 2
def compare_2(result, x, seen, where) -> None:
    """Refuse what isn't x minus the mean of all examples seen."""
    name = joined(where, "the result · 결과")
    several = isinstance(result, (tuple, list))
    assert not several, joined(
        where, "one array is needed · 배열 하나만 반환해야 합니다"
    )
    needs_shape(result, x.shape, name)
    whole, means = np.concatenate(seen), [batch.mean(axis=0) for batch in seen]
    slips = {
        "that's the mean of the batches' means · "
        "배치별 평균을 평균한 값입니다": np.mean(means, axis=0),
        "that's the mean of the last batch only · "
        "마지막 배치만의 평균입니다": means[-1],
        "the mean lacks the last batch · 평균에 마지막 배치가 빠져 있습니다": (
            np.concatenate(seen[:-1] or seen).mean(axis=0)
        ),
        "each feature has its own mean · 평균은 특성마다 따로 구해야 합니다": (
            whole.mean()
        ),
    }
    if arrays_agree(result, x - whole.mean(axis=0), 1e-3):
        return
    for said, mean in slips.items():
        slipped = arrays_agree(result, x - np.zeros(2) - mean, 1e-3)
        assert not slipped, joined(where, said)
    raise AssertionError(
        joined(
            where,
            "the result isn't x minus the mean of all examples · "
            "결과가 x에서 모든 예제의 평균을 뺀 값과 다릅니다",
        )
    )


def check_2(answer) -> None:
    """Feed batches of several lengths, plainly and under nnx.jit."""
    assert isinstance(answer, type) and issubclass(answer, nnx.Module), (
        "a class of modules (nnx.Module) is needed · "
        "nnx.Module의 하위 클래스가 필요합니다"
    )
    rng, traces, lengths = np.random.default_rng(0), [], (4, 1, 4, 7, 1)
    sizes = list(enumerate(lengths))
    batches = [
        np.float32(rng.normal(10 * i - 15, 3, (n, 2))) for i, n in sizes
    ]

    def learn(layer, x):
        traces.append("trace")
        return layer(x)

    def evaluate(layer, x):
        return layer(x, train=False)

    layer, other = answer(2), "train=False: · train=False:"
    held = jax.tree.leaves(nnx.state(layer))
    number = (
        "a Variable holds a Python number; give it an array such as "
        "jnp.int32(0) · Variable에 파이썬 수가 들어 있습니다. jnp.int32(0)과 "
        "같은 배열을 담으세요"
    )
    arrays = all(hasattr(leaf, "dtype") for leaf in held)
    for i, x in enumerate(batches, 1):
        result = call_answer(layer, x, hints={} if arrays else {"": number})
        where = f"eager, batch {i}: · jit 없이, {i}번째 배치:"
        compare_2(result, x, batches[:i], where)
    before = jax.tree.map(np.array, nnx.state(layer, nnx.BatchStat))
    far = batches[0] + 50
    compare_2(call_answer(evaluate, layer, far), far, batches, other)
    after = nnx.state(layer, nnx.BatchStat)
    assert arrays_agree(before, after, 0), (
        "a call with train=False has changed the state · "
        "train=False로 호출했는데 상태가 바뀌었습니다"
    )
    answer(2)(batches[3])
    alone = evaluate(layer, far)
    mean = np.concatenate(batches).mean(axis=0)
    assert arrays_agree(alone, far - mean, 1e-3), (
        "two layers share their state · 두 레이어가 상태를 공유합니다"
    )
    assert not jax.tree.leaves(nnx.state(layer, nnx.Param)), (
        "the layer has a Param: an optimizer would train it · "
        "레이어에 Param이 있어 옵티마이저가 학습합니다"
    )
    copy = answer(2)
    copy(batches[3])
    nnx.update(copy, nnx.state(nnx.clone(layer), nnx.BatchStat))
    carried = arrays_agree(evaluate(copy, far), far - mean, 1e-3)
    assert jax.tree.leaves(after) and carried, (
        "after training, a new layer that gets the state found by "
        "nnx.state(layer, nnx.BatchStat) has another mean · 학습한 레이어에서 "
        "nnx.state(layer, nnx.BatchStat)로 얻은 상태를 새 레이어에 넣었더니 "
        "평균이 다릅니다"
    )
    layer, fast, fast_evaluate = answer(2), nnx.jit(learn), nnx.jit(evaluate)
    for i, x in enumerate(batches, 1):
        where = f"nnx.jit, batch {i}: · nnx.jit, {i}번째 배치:"
        compare_2(fast(layer, x), x, batches[:i], where)
        compare_2(fast_evaluate(layer, far), far, batches[:i], other)
    assert len(traces) == len(set(lengths)), (
        f"batches of {len(set(lengths))} lengths cost {len(traces)} traces: "
        "is a changing number a Python int in the object? · "
        f"길이가 {len(set(lengths))}가지인 배치에 트레이싱을 {len(traces)}회 "
        "했습니다: 바뀌는 수를 객체에 파이썬 정수로 두었나요?"
    )
    wide = np.float32(rng.normal(2, 1, (5, 3)))
    compare_2(answer(3)(wide), wide, [wide], "3 features: · 특성 3개:")


# %% solution 2
class ExactMean(nnx.Module):
    def __init__(self, size: int) -> None:
        self.total = nnx.BatchStat(jnp.zeros(size))
        self.n = nnx.BatchStat(jnp.int32(0))

    def __call__(self, x: jax.Array, train: bool = True) -> jax.Array:
        if train:
            self.total[...] += x.sum(axis=0)
            self.n[...] += len(x)
        return x - self.total / self.n[...]


judge(2, check_2, ExactMean)


# %% wrong 2: a class of modules
answer_2 = ExactMean(2)


class answer_2:
    def __init__(self, size):
        self.total, self.n = jnp.zeros(size), 0

    def __call__(self, x, train=True):
        self.total, self.n = self.total + x.sum(0), self.n + len(x)
        return x - self.total / self.n


# %% wrong 2: mean of the batches
class answer_2(ExactMean):
    def __call__(self, x, train=True):
        if train:
            self.total[...] += x.mean(axis=0)
            self.n[...] += 1
        return x - self.total / self.n[...]


# %% wrong 2: batch 1: the result isn't
class answer_2(nnx.Module):
    def __init__(self, size):
        self.mean = nnx.BatchStat(jnp.zeros(size))

    def __call__(self, x, train=True):
        if train:
            self.mean[...] = 0.9 * self.mean + 0.1 * x.mean(axis=0)
        return x - self.mean


# %% wrong 2: train=False has changed the state
class answer_2(ExactMean):
    def __call__(self, x, train=True):
        y = x - self.total / self.n[...]
        self.total[...] += x.sum(axis=0)
        self.n[...] += len(x)
        return x - self.total / self.n[...] if train else y


# %% wrong 2: train=False: the result isn't
class answer_2(ExactMean):
    def __call__(self, x, train=True):
        return super().__call__(x)


# %% wrong 2: the mean lacks the last batch
class answer_2(ExactMean):
    def __call__(self, x, train=True):
        mean = self.total / jnp.maximum(self.n[...], 1)
        if train:
            first = self.n[...] == 0
            self.total[...] += x.sum(axis=0)
            self.n[...] += len(x)
            mean = jnp.where(first, x.mean(axis=0), mean)
        return x - mean


# %% wrong 2: returns nothing
class answer_2(ExactMean):
    def __call__(self, x, train=True):
        super().__call__(x, train)


# %% wrong 2: one array is needed
class answer_2(ExactMean):
    def __call__(self, x, train=True):
        return self, super().__call__(x, train)


# %% wrong 2: the result has shape (2,)
class answer_2(ExactMean):
    def __call__(self, x, train=True):
        super().__call__(x, train)
        return self.total / self.n[...]


# %% wrong 2: nnx.state(layer, nnx.BatchStat) has another mean
class answer_2(nnx.Module):
    def __init__(self, size):
        self.total, self.n = (
            nnx.Variable(jnp.zeros(size)),
            nnx.Variable(jnp.int32(0)),
        )

    def __call__(self, x, train=True):
        return ExactMean.__call__(self, x, train)


class answer_2(ExactMean):
    def __call__(self, x, train=True):
        if train:
            self.total = self.total + x.sum(axis=0)
            self.n = self.n + len(x)
        return x - self.total / self.n


class answer_2(nnx.Module):
    def __init__(self, size):
        self.total, self.n = nnx.BatchStat(jnp.zeros(size)), 0

    def __call__(self, x, train=True):
        if train:
            self.total[...] += x.sum(axis=0)
            self.n += len(x)
        return x - self.total / self.n


# %% wrong 2: the layer has a Param
class answer_2(nnx.Module):
    def __init__(self, size):
        self.total, self.n = (
            nnx.Param(jnp.zeros(size)),
            nnx.BatchStat(jnp.int32(0)),
        )

    def __call__(self, x, train=True):
        return ExactMean.__call__(self, x, train)


# %% wrong 2: each feature has its own mean
class answer_2(ExactMean):
    def __call__(self, x, train=True):
        if train:
            self.total[...] += x.sum()
            self.n[...] += x.size
        return x - self.total / self.n[...]


# %% wrong 2: two layers share
_shared = {}


class answer_2(nnx.Module):
    def __init__(self, size):
        if size not in _shared:
            _shared[size] = (
                nnx.BatchStat(jnp.zeros(size)),
                nnx.BatchStat(jnp.int32(0)),
            )
        self.total, self.n = _shared[size]
        self.total[...], self.n[...] = jnp.zeros(size), jnp.int32(0)

    def __call__(self, x, train=True):
        return ExactMean.__call__(self, x, train)


# %% wrong 2: needs the value of a tracer
class answer_2(ExactMean):
    def __call__(self, x, train=True):
        if self.n[...] == 0:
            self.total[...] = jnp.zeros_like(self.total[...])
        return super().__call__(x, train)


# %% wrong 2: a Variable holds a Python number
class answer_2(ExactMean):
    def __init__(self, size):
        self.total, self.n = nnx.BatchStat(jnp.zeros(size)), nnx.BatchStat(0)


# %% check 3
class Recorder_3(nnx.Module):
    """A centered linear model that records each run of its Python code."""

    runs = []

    def __init__(self) -> None:
        self.mean = nnx.BatchStat(jnp.zeros(2))
        self.w = nnx.Param(jnp.array([0.5, -1.5]))

    def __call__(self, x, train=True):
        self.runs.append("run")
        if train:
            new = 0.8 * self.mean[...] + 0.2 * x.mean(axis=0)
            self.mean[...] = new
        return (x - self.mean) @ self.w[...]


def loop_3(tx, batches, slip=None):
    """The losses of a plain loop, the last evaluation, and the model."""
    model, losses = Recorder_3(), []
    optimizer = nnx.Optimizer(model, tx, wrt=nnx.Param)
    for x, y in batches:
        if slip == "model":
            model = Recorder_3()
        if slip in ("model", "optimizer"):
            optimizer = nnx.Optimizer(model, tx, wrt=nnx.Param)
        if slip == "mean":
            model.mean[...] = jnp.zeros(2)
        loss, grads = loss_and_grads(model, x, y)
        if slip != "update":
            optimizer.update(model, grads)
        losses.append(float(loss))
    return losses, float(loss_fn(model, *batches[-1], False)), model


def check_3(answer) -> None:
    """Train on two sets of batches and compare with a loop without jit."""
    needs_function(answer, "answer_3(model, tx, batches)")
    structures = (
        "the gradients and the optimizer's state have different structures: "
        "which Variables does `wrt` select? · 기울기와 옵티마이저 상태의 구조가 "
        "다릅니다. `wrt`로 어떤 Variable을 골랐습니까?"
    )
    hints = {
        "trace level": "a transformation writes to a Variable that it didn't "
        "receive: pass the object as an argument, and inside `nnx.jit` use "
        "NNX's grad · 변환이 인수로 받지 않은 Variable에 씁니다. 객체를 인수로 "
        "넘기고, `nnx.jit` 안에서는 NNX의 미분 함수를 사용하세요",
        "pytree structure error": structures,
        "Mismatch custom node": structures,
    }
    slips = {
        "model": "each step starts from the first parameters · "
        "스텝마다 처음 파라미터에서 시작합니다",
        "optimizer": "the model learns, but the optimizer's state starts anew "
        "in each step · 모델은 학습하지만 옵티마이저 상태가 스텝마다 초기화됩니다",
        "update": "the running mean moves, but the steps don't change the "
        "parameters · 이동 평균은 바뀌지만 스텝이 파라미터를 바꾸지 않습니다",
        "mean": "the parameters are trained, but each step starts from the "
        "first running mean · 파라미터는 학습하지만 스텝마다 처음 이동 평균에서 "
        "시작합니다",
        None: "the training losses aren't those of the loop without jit · "
        "학습 손실이 jit 없이 실행한 루프의 손실과 다릅니다",
    }
    rng = np.random.default_rng(0)
    for tx, n in ((optax.sgd(0.02, momentum=0.9), 9), (optax.adam(0.3), 12)):
        xs = [jnp.float32(rng.normal(i % 3 - 2, 1, (6, 2))) for i in range(n)]
        slope = jnp.array([2.0, -1.0])
        batches = [(x, x @ slope + 0.3 * i) for i, x in enumerate(xs)]
        losses, final, expected = loop_3(tx, batches)
        model = Recorder_3()
        Recorder_3.runs.clear()
        result = call_answer(answer, model, tx, list(batches), hints=hints)
        runs = len(Recorder_3.runs)
        given, evaluation = needs_results(
            result, 2, "the losses, the evaluation loss · 학습 손실, 평가 손실"
        )
        given = read_numbers(given, n)
        if not np.allclose(given, losses, 1e-3, 1e-4):
            for slip, said in slips.items():
                found = loop_3(tx, batches, slip)[0]
                slipped = np.allclose(given, found, 1e-3, 1e-4)
                assert slip and not slipped, said
        assert arrays_agree(model.w[...], expected.w[...], 1e-3), (
            "the losses are right, but the model that was passed in doesn't "
            "have the trained parameters · 손실은 맞지만 인수로 받은 모델에 "
            "학습한 파라미터가 없습니다"
        )
        moved = loop_3(tx, [*batches, batches[-1]])[2].mean[...]
        assert not arrays_agree(model.mean[...], moved, 1e-3), (
            "the evaluation has changed the running mean · "
            "평가하면서 이동 평균이 바뀌었습니다"
        )
        assert arrays_agree(model.mean[...], expected.mean[...], 1e-3), (
            "the running mean in the model isn't that of the batches · "
            "모델의 이동 평균이 배치들의 이동 평균과 다릅니다"
        )
        assert abs(read_number(evaluation) - final) <= 1e-3 * (1 + final), (
            "the evaluation loss isn't that of the trained model in "
            "evaluation on the last batch · 평가 손실이 학습한 모델을 마지막 "
            "배치로 평가한 손실과 다릅니다"
        )
        assert runs <= 6, (
            f"the results are right, but the model's Python code ran {runs} "
            f"times for {n} batches · 결과는 맞지만 배치 {n}개에 모델의 파이썬 "
            f"코드가 {runs}회 실행되었습니다"
        )


# %% solution 3
def fixed_fit(model, tx, batches):
    @nnx.jit
    def step(model, optimizer, x, y):
        loss, grads = loss_and_grads(model, x, y)
        optimizer.update(model, grads)
        return loss

    optimizer = nnx.Optimizer(model, tx, wrt=nnx.Param)
    losses = [step(model, optimizer, x, y) for x, y in batches]
    return losses, loss_fn(model, *batches[-1], False)


judge(3, check_3, fixed_fit)


# %% wrong 3: each step starts from the first parameters
answer_3 = fit


def answer_3(model, tx, batches):
    optimizer = nnx.Optimizer(model, tx, wrt=nnx.Param)

    @jax.jit
    def step(model, optimizer, x, y):
        loss, grads = loss_and_grads(model, x, y)
        optimizer.update(model, grads)
        return loss

    losses = [step(model, optimizer, x, y) for x, y in batches]
    return losses, loss_fn(model, *batches[-1], False)


# %% wrong 3: state starts anew
def answer_3(model, tx, batches):
    @nnx.jit
    def step(model, x, y):
        optimizer = nnx.Optimizer(model, tx, wrt=nnx.Param)
        loss, grads = loss_and_grads(model, x, y)
        optimizer.update(model, grads)
        return loss

    losses = [step(model, x, y) for x, y in batches]
    return losses, loss_fn(model, *batches[-1], False)


# %% wrong 3: evaluation has changed the running mean
def answer_3(model, tx, batches):
    losses, _ = fixed_fit(model, tx, batches)
    return losses, loss_fn(model, *batches[-1], True)


# %% wrong 3: evaluation loss isn't that
def answer_3(model, tx, batches):
    losses, _ = fixed_fit(model, tx, batches)
    return losses, jax.jit(loss_fn, static_argnums=3)(
        model, *batches[-1], True
    )


def answer_3(model, tx, batches):
    losses, _ = fixed_fit(model, tx, batches)
    return losses, losses[-1]


# %% wrong 3: Python code ran
def answer_3(model, tx, batches):
    optimizer, losses = nnx.Optimizer(model, tx, wrt=nnx.Param), []
    for x, y in batches:
        loss, grads = loss_and_grads(model, x, y)
        optimizer.update(model, grads)
        losses.append(loss)
    return losses, loss_fn(model, *batches[-1], False)


def answer_3(model, tx, batches):
    optimizer, losses = nnx.Optimizer(model, tx, wrt=nnx.Param), []
    for x, y in batches:

        @nnx.jit
        def step(model, optimizer, x, y):
            loss, grads = loss_and_grads(model, x, y)
            optimizer.update(model, grads)
            return loss

        losses.append(step(model, optimizer, x, y))
    return losses, loss_fn(model, *batches[-1], False)


# %% wrong 3: writes to a Variable that it
def answer_3(model, tx, batches):
    optimizer = nnx.Optimizer(model, tx, wrt=nnx.Param)

    @nnx.jit
    def step(model, x, y):
        loss, grads = loss_and_grads(model, x, y)
        optimizer.update(model, grads)
        return loss

    losses = [step(model, x, y) for x, y in batches]
    return losses, loss_fn(model, *batches[-1], False)


def answer_3(model, tx, batches):
    optimizer = nnx.Optimizer(model, tx, wrt=nnx.Param)

    @nnx.jit
    def step(model, optimizer, x, y):
        graphdef, params, rest = nnx.split(model, nnx.Param, ...)
        f = lambda p, r: loss_fn(nnx.merge(graphdef, p, r), x, y, True)
        loss, grads = jax.value_and_grad(f)(params, rest)
        optimizer.update(model, grads)
        return loss

    losses = [step(model, optimizer, *b) for b in batches]
    return losses, loss_fn(model, *batches[-1], False)


# %% wrong 3: don't change the parameters
def answer_3(model, tx, batches):
    @nnx.jit
    def step(model, x, y):
        return nnx.value_and_grad(loss_fn)(model, x, y, True)[0]

    losses = [step(model, x, y) for x, y in batches]
    return losses, loss_fn(model, *batches[-1], False)


# %% wrong 3: starts from the first running mean
def answer_3(model, tx, batches):
    optimizer = nnx.Optimizer(model, tx, wrt=nnx.Param)

    @nnx.jit
    def step(model, optimizer, x, y):
        loss, grads = jax.value_and_grad(loss_fn)(model, x, y, True)
        optimizer.update(model, nnx.state(grads, nnx.Param))
        return loss

    losses = [step(model, optimizer, x, y) for x, y in batches]
    return losses, loss_fn(model, *batches[-1], False)


# %% wrong 3: write 9 numbers
def answer_3(model, tx, batches):
    losses, final = fixed_fit(model, tx, batches)
    return final, losses


# %% wrong 3: doesn't have the trained parameters
def answer_3(model, tx, batches):
    return fixed_fit(nnx.clone(model), tx, batches)


# %% wrong 3: aren't those of the loop without jit
def answer_3(model, tx, batches):
    optimizer = nnx.Optimizer(model, tx, wrt=nnx.Param)

    @nnx.jit
    def step(model, optimizer, x, y):
        loss, grads = nnx.value_and_grad(loss_fn)(model, x, y, False)
        optimizer.update(model, grads)
        return loss

    losses = [step(model, optimizer, x, y) for x, y in batches]
    return losses, loss_fn(model, *batches[-1], False)


# %% wrong 3: the running mean in the model
def answer_3(model, tx, batches):
    optimizer = nnx.Optimizer(model, tx, wrt=nnx.Param)
    twin = nnx.clone(model)
    losses, final = fixed_fit(twin, tx, batches)
    nnx.update(model, nnx.state(twin, nnx.Param))
    return losses, final


# %% wrong 3: return 2 values
def answer_3(model, tx, batches):
    return fixed_fit(model, tx, batches)[0]


# %% wrong 3: returns nothing
def answer_3(model, tx, batches):
    fixed_fit(model, tx, batches)


# %% wrong 3: a function answer_3(model
answer_3 = losses


# %% wrong 3: which Variables does `wrt` select
def answer_3(model, tx, batches):
    @nnx.jit
    def step(model, optimizer, x, y):
        loss, grads = loss_and_grads(model, x, y)
        optimizer.update(model, grads)
        return loss

    optimizer = nnx.Optimizer(model, tx, wrt=nnx.Variable)
    losses = [step(model, optimizer, x, y) for x, y in batches]
    return losses, loss_fn(model, *batches[-1], False)
