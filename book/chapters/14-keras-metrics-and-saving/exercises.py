"""What judges the answers to the exercises of this chapter, and answers to try it with."""


# %% check 1
def truth_1() -> tuple:
    """Run the two epochs; return the three counts."""
    rng = np.random.default_rng(0)
    counter = keras.metrics.SparseCategoricalAccuracy()
    y, out = rng.integers(0, 10, 100), rng.normal(size=(100, 10))
    state = counter.stateless_reset_state()
    for _ in range(2):
        state = counter.stateless_update_state(state, y[:80], out[:80])
        counter.reset_state()
        counter.update_state(y[80:], out[80:])
        report = counter.stateless_update_state(state, y[80:], out[80:])
    return int(state[1]), int(report[1]), int(counter.variables[1].value)


def check_1(answer) -> None:
    """Compare three counts with a real run."""
    given = read_numbers(answer, 3)
    names = ("state · state", "report · report", "the object · 객체")
    hints = (
        "does anything empty it between the epochs, and does report flow back into it? · "
        "에폭 사이에 state가 초기화될까요? report가 state에 더해질까요?",
        "what does the evaluation start from? · 평가는 어떤 값에서 시작할까요?",
        "which lines touch the object, and in which order? · "
        "객체를 바꾸는 줄은 무엇이고, 어떤 순서로 실행될까요?",
    )

    def said(n, value) -> str:
        en, ko = languages_of(names[n - 1])
        return (
            f"{en} does not count {value:g} images: · "
            f"{ko}에 누적된 이미지는 {value:g}장이 아닙니다."
        )

    in_order(given, truth_1(), hints, said)


# %% solution 1
# state is never reset: 2 * 80. report starts from the last state: + 20.
# The object is reset in each epoch and then sees 20 images.
judge(1, check_1, (2 * 80, 2 * 80 + 20, 20))


# %% wrong 1: does report flow back into it
answer_1 = (80, 100, 20)
answer_1 = (200, 200, 20)


# %% wrong 1: what does the evaluation start from
answer_1 = (160, 20, 20)
answer_1 = (160, 200, 20)


# %% wrong 1: which lines touch the object
answer_1 = (160, 180, 40)
answer_1 = [160, 180, 0]


# %% wrong 1: write 3 numbers in a tuple
answer_1 = 160
answer_1 = ("160", "180", "20")


# %% check 2
def case_2(classes: int, sizes: tuple[int, ...]) -> tuple:
    """A model, a state that differs from its variables, uneven batches."""
    small = keras.Sequential(
        [
            keras.Input((6,)),
            keras.layers.BatchNormalization(),
            keras.layers.Dropout(0.5),
            keras.layers.Dense(classes),
        ]
    )
    rng = np.random.default_rng(classes)
    params = [
        jnp.asarray(rng.normal(size=v.shape), "float32")
        for v in small.trainable_variables
    ]
    rest = [
        jnp.asarray(rng.uniform(0.5, 3, size=6), "float32") for _ in range(2)
    ]
    rest.append(jnp.copy(small.non_trainable_variables[2].value))
    data = []
    for number, size in enumerate(sizes):
        x = rng.normal(number, 2, size=(size, 6)).astype("float32")
        data.append((x, rng.integers(0, classes, size).astype("int32")))
    return small, TrainState(params, rest, [], []), data


def score_2(ys: list, outs: list) -> tuple:
    """The loss and the accuracy over all images of some batches."""
    y, out = np.concatenate(ys), np.concatenate(outs)
    loss_of = keras.losses.SparseCategoricalCrossentropy(from_logits=True)
    return float(loss_of(y, out)), float(np.mean(out.argmax(-1) == y))


def compare_2(loss, right, small, state, data) -> None:
    """Refuse a loss or an accuracy that isn't that of all images."""
    ys, size = [y for _, y in data], sum(len(y) for _, y in data)

    def outs_of(training: bool) -> list:
        call = lambda x: small.stateless_call(*state[:2], x, training=training)
        return [np.asarray(call(x)[0]) for x, _ in data]

    outs = outs_of(training=False)
    truth, share = score_2(ys, outs)
    near = lambda a, b: bool(np.isclose(a, b, atol=1e-3))
    if near(loss, truth) and near(right, share):
        return
    each = [score_2([y], [out]) for y, out in zip(ys, outs)]
    losses, shares = zip(*each)
    trained, _ = score_2(ys, outs_of(training=True))
    objects = [np.asarray(small(x, training=False)) for x, _ in data]
    sums = near(loss, truth * size) or near(right, share * size)
    slips = [
        (
            near(loss, share) and near(right, truth),
            "loss and accuracy are swapped · 손실과 정확도의 순서가 바뀌었습니다",
        ),
        (
            near(loss, np.mean(losses)) or near(right, np.mean(shares)),
            "this is the mean of the batch means; batches of different sizes must not weigh the "
            "same · 배치 평균의 평균입니다. 크기가 다른 배치가 같은 비중을 차지하면 안 됩니다",
        ),
        (
            near(loss, losses[-1]) or (right and near(right, shares[-1])),
            "this is the last batch only · 마지막 배치의 값만 반환했습니다",
        ),
        (
            sums or near(loss, sum(losses)) or near(right, sum(shares)),
            "this is a sum, not a mean over the images · 합계입니다. 이미지 전체에 대한 평균이 필요합니다",
        ),
        (
            near(right, 100 * share),
            "the accuracy must lie between 0 and 1, not be a percentage · "
            "정확도는 퍼센트가 아니라 0과 1 사이의 값이어야 합니다",
        ),
        (
            near(loss, trained),
            "this is training mode: dropout and batch statistics are in it · "
            "학습 모드의 결과입니다. 드롭아웃과 배치 통계량이 들어갔습니다",
        ),
        (
            near(loss, score_2(ys, objects)[0]),
            "this result uses the model's own variables, not the arrays in state · "
            "모델이 가진 변수로 계산한 결과입니다. state는 어디에 쓰이나요?",
        ),
        (
            not near(loss, truth),
            f"the loss {loss:.4f} is not the mean over all images · "
            f"손실({loss:.4f})은 모든 이미지의 평균이 아닙니다",
        ),
        (
            not near(right, share),
            f"the accuracy {right:.4f} is not that of all images · "
            f"정확도({right:.4f})는 모든 이미지의 정확도가 아닙니다",
        ),
    ]
    for is_so, said in slips:
        assert not is_so, said


def check_2(answer) -> None:
    """Compare with all images at once, for two models."""
    needs_function(answer, "answer_2(model, state, data)")
    hints = {
        "Argument `metric_variables`": "the values don't fit the metric: state.metrics belongs to "
        "another one, so where does your count start? · 값이 메트릭과 맞지 않습니다. state.metrics는 다른 "
        "메트릭의 것입니다. 누적을 어떤 값에서 시작했나요?",
        "corresponding 1:1": "the arrays don't fit the model: is it the model that was passed in, "
        "with the params first? · 배열이 모델과 맞지 않습니다. 인수로 받은 model을 썼고, params를 먼저 넘겼나요?",
    }
    for classes, sizes in ((3, (17, 5, 1)), (5, (4, 30))):
        small, state, data = case_2(classes, sizes)
        own = [np.array(v.value) for v in small.variables]
        before = jax.tree.map(np.array, state)
        result = call_answer(answer, small, state, data, hints=hints)
        now = [v.value for v in small.variables]
        assert arrays_agree(now, own, 0), (
            "the function changed the model's variables · 함수가 모델의 변수를 바꾸었습니다"
        )
        assert arrays_agree(state, before, 0), (
            "the function changed the state · 함수가 state를 바꾸었습니다"
        )
        found = list(map(as_number, result)) if np.iterable(result) else []
        assert len(found) == 2 and None not in found, (
            "two numbers are needed, first the loss, then the accuracy · "
            "수 두 개가 필요합니다. 손실이 먼저, 정확도가 다음입니다"
        )
        compare_2(*found, small, state, data)


# %% solution 2
def solution_2(model: keras.Model, state: TrainState, data: list) -> tuple:
    """Two metrics, started empty; the loss weighted by batch size."""
    mean = keras.metrics.Mean()
    share = keras.metrics.SparseCategoricalAccuracy()
    a, b = mean.stateless_reset_state(), share.stateless_reset_state()
    for x, y in data:
        out, _ = model.stateless_call(*state[:2], x, training=False)
        a = mean.stateless_update_state(
            a, loss_fn(y, out), sample_weight=len(y)
        )
        b = share.stateless_update_state(b, y, out)
    return mean.stateless_result(a), share.stateless_result(b)


judge(2, check_2, solution_2)


# %% wrong 2: mean of the batch means
def answer_2(model, state, data):
    losses, shares = [], []
    for x, y in data:
        out, _ = model.stateless_call(*state[:2], x, training=False)
        losses.append(loss_fn(y, out))
        shares.append(np.mean(out.argmax(-1) == y))
    return np.mean(losses), np.mean(shares)


# %% wrong 2: the last batch only
def answer_2(model, state, data):
    for x, y in data:
        out, _ = model.stateless_call(*state[:2], x, training=False)
    return loss_fn(y, out), np.mean(out.argmax(-1) == y)


# %% wrong 2: uses the model's own variables
def answer_2(model, state, data):
    x, y = (np.concatenate(part) for part in zip(*data))
    out = model(x)
    return loss_fn(y, out), np.mean(out.argmax(-1) == y)


# %% wrong 2: are swapped
def answer_2(model, state, data):
    return solution_2(model, state, data)[::-1]


# %% wrong 2: this is a sum
def answer_2(model, state, data):
    loss, right = 0, 0
    for x, y in data:
        out, _ = model.stateless_call(*state[:2], x, training=False)
        loss += len(y) * loss_fn(y, out)
        right += np.sum(out.argmax(-1) == y)
    return loss, right


# %% wrong 2: not be a percentage
def answer_2(model, state, data):
    loss, right = solution_2(model, state, data)
    return loss, 100 * right


# %% wrong 2: two numbers are needed
def answer_2(model, state, data):
    return solution_2(model, state, data)[0]


# %% wrong 2: this is training mode
def answer_2(model, state, data):
    loss, right, n = 0, 0, 0
    for x, y in data:
        out, _ = model.stateless_call(*state[:2], x, training=True)
        loss += len(y) * loss_fn(y, out)
        right += np.sum(out.argmax(-1) == y)
        n += len(y)
    return loss / n, right / n


# %% wrong 2: changed the model's variables
def answer_2(model, state, data):
    for variable, array in zip(model.trainable_variables, state.params):
        variable.assign(jnp.copy(array))
    x, y = (np.concatenate(part) for part in zip(*data))
    out = model(x)
    return loss_fn(y, out), np.mean(out.argmax(-1) == y)


# %% wrong 2: where does your count start
def answer_2(model, state, data):
    share, counts = keras.metrics.SparseCategoricalAccuracy(), state.metrics
    for x, y in data:
        out, _ = model.stateless_call(*state[:2], x, training=False)
        counts = share.stateless_update_state(counts, y, out)
    return loss_fn(y, out), share.stateless_result(counts)


# %% wrong 2: with the params first
def answer_2(model, state, data):
    return solution_2(model, state._replace(params=state[1]), data)


# %% check 3
def case_3(case: int) -> tuple:
    """A small regularized model, an optimizer and a metric of their own."""
    keras.utils.set_random_seed(case)
    l1, l2 = keras.regularizers.L1(0.2), keras.regularizers.L2(0.3)
    small = keras.Sequential(
        [
            keras.Input((5,)),
            keras.layers.Dense(6, kernel_regularizer=l2),
            keras.layers.BatchNormalization(momentum=0.5),
            keras.layers.Dropout(0.25),
            keras.layers.Dense(3, bias_regularizer=l1 if case else None),
        ]
    )
    metric = keras.metrics.SparseCategoricalAccuracy()
    if case:
        metric = keras.metrics.SparseTopKCategoricalAccuracy(k=2)
    optimizer = keras.optimizers.SGD(0.1)
    optimizer.build(small.trainable_variables)
    for variable in small.trainable_variables:  # biases that aren't 0
        variable.assign(variable.value + 0.1)
    return small, optimizer, metric


def next_state(result, state) -> TrainState:
    """The state that a step returns, if it has the arrays of the last one."""
    said = "first the new TrainState, then the loss · 새 TrainState가 먼저, 손실이 다음입니다"
    new, _ = needs_results(result, 2, said)
    assert isinstance(new, (tuple, list)) and len(new) == 4, said
    new = TrainState(*new)
    kinds = [jax.tree.structure(s.metrics) for s in (new, state)]
    assert kinds[0] == kinds[1], (
        "the metrics of the new state aren't a list of arrays as before: which method returns new "
        "values? · 새 state의 metrics가 전과 같은 배열 리스트가 아닙니다. 새 값을 반환하는 메서드는 무엇인가요?"
    )
    shapes = [[np.shape(a) for a in jax.tree.leaves(s)] for s in (new, state)]
    assert shapes[0] == shapes[1], (
        "the new state doesn't have the arrays of the old one: what is in each field, and in which "
        "order? · 새 state의 배열이 옛 state와 다릅니다. 각 필드에 무엇을 어떤 순서로 넣었나요?"
    )
    return new


def two_steps(make: Callable, case: int) -> tuple:
    """First and last state and the last loss of two jitted steps."""
    small, optimizer, metric = case_3(case)
    state = first = initial_state(small, optimizer, metric)
    step = make(small, optimizer, metric)
    assert callable(step), (
        "answer_3(model, optimizer, metric) must return a function, the step · "
        "answer_3(model, optimizer, metric)은 스텝 함수를 반환해야 합니다"
    )
    rng = np.random.default_rng(case)
    jitted = jax.jit(lambda state, data: step(state, data))
    for _ in range(2):
        x = rng.normal(1, 2, size=(16, 5)).astype("float32")
        data = x, rng.integers(0, 3, 16)
        result = call_answer(jitted, state, data)
        state = next_state(result, state)
    assert all(
        isinstance(v.value, jax.Array)
        and not isinstance(v.value, jax.core.Tracer)
        and not v.value.any()
        for v in metric.variables
    ), (
        "the step changed the metric object: the counts belong in the state · "
        "스텝이 메트릭 객체를 바꾸었습니다. 누적한 값은 state에 있어야 합니다"
    )
    return first, state, result[1]


def right_3(model, optimizer, metric, extra: int = 1) -> Callable:
    """Build a right step, or one without the extra losses."""
    loss_of = keras.losses.SparseCategoricalCrossentropy(from_logits=True)

    def compute_loss(params, rest, x, y):
        out, rest, losses = model.stateless_call(
            params, rest, x, training=True, return_losses=True
        )
        return loss_of(y, out) + extra * sum(losses), (rest, out)

    def step(state, data):
        loss_and_grads = jax.value_and_grad(compute_loss, has_aux=True)
        (loss, (rest, out)), grads = loss_and_grads(*state[:2], *data)
        params, opt = optimizer.stateless_apply(state[2], grads, state[0])
        metrics = metric.stateless_update_state(state[3], data[1], out)
        return TrainState(params, rest, opt, metrics), loss

    return step


def compare_3(state, loss, first, case: int) -> None:
    """Refuse a state or a loss that two right steps don't give."""
    same = lambda one, other: arrays_agree(one, other, 2e-4)
    _, expected, expected_loss = two_steps(right_3, case)
    without = lambda *objects: right_3(*objects, extra=0)
    _, plain, _ = two_steps(without, case)
    assert not same(state.non_trainable, first.non_trainable), (
        "the non-trainable values didn't change: which mode, and are the new ones returned? · "
        "학습 불가능 변수의 값이 그대로입니다. 어느 모드로 호출했고, 새 값을 반환했나요?"
    )
    assert not same(state.metrics, first.metrics), (
        "the metric in the new state has counted nothing · 새 state의 메트릭에 누적된 것이 없습니다"
    )
    assert not same(state.params, first.params), (
        "the params didn't change: which ones go into the new state? · "
        "params가 그대로입니다. 새 state에 무엇을 넣었나요?"
    )
    right = same(state.params, expected.params)
    right_loss = np.ndim(loss) == 0 and np.isclose(
        loss, expected_loss, atol=2e-3
    )
    assert right_loss or not right, (
        "the params are right, but the loss that the step returns is not the one that it "
        "differentiates · params는 맞지만 스텝이 반환하는 손실이 미분한 손실과 다릅니다"
    )
    assert right or not same(state.params, plain.params), (
        "the updates look as if a term were missing from the loss: what do the layers add to it, "
        "and is it differentiated? · params의 변화로 보아 손실에서 빠진 항이 있습니다. 추가 손실도 "
        "함께 미분했나요?"
    )
    assert right, (
        "the params don't match those after two steps: does the loss contain each extra loss once, "
        "and are the arguments of stateless_apply in the right places? · params가 두 스텝을 학습한 결과와 "
        "다릅니다. 추가 손실을 모두 한 번씩 더했고, stateless_apply의 인수를 이름에 맞게 넘겼나요?"
    )
    assert same(state.metrics, expected.metrics), (
        "the metric's tally is wrong after two steps: what does each update start from, and "
        "which labels and logits does it get? · 새 state의 메트릭이 두 스텝 동안 누적한 값과 다릅니다. 스텝마다 "
        "어떤 값에서 시작해 무엇을 더하나요?"
    )
    assert same(state.non_trainable, expected.non_trainable), (
        "the non-trainable values are not those of two training steps · "
        "학습 불가능 변수의 값이 두 스텝을 학습한 결과와 다릅니다"
    )
    assert same(state.opt_state, expected.opt_state), (
        "opt_state doesn't match the one after two steps · opt_state가 두 스텝을 거친 값과 다릅니다"
    )


def check_3(answer) -> None:
    """Compare two steps with those of a right answer, on two models."""
    needs_function(answer, "answer_3(model, optimizer, metric)")
    no_builder = (
        "a function that builds a step is needed: answer_3(model, optimizer, metric) · "
        "스텝을 만드는 함수가 필요합니다. answer_3(model, optimizer, metric) 꼴입니다"
    )
    no_sum = (
        "losses is a list: which sum takes a list of arrays? · "
        "losses는 리스트입니다. 배열의 리스트를 더할 수 있는 sum은 무엇인가요?"
    )
    hints = {
        "corresponding 1:1": "the arrays don't fit: are they used with the model, optimizer and "
        "metric that were passed in? · 배열이 맞지 않습니다. 인수로 받은 model, optimizer, metric을 썼나요?",
        "values to unpack": "the number of results doesn't fit the names on the left: what does "
        "stateless_call return with return_losses=True? · 반환값의 개수가 대입문 왼쪽 변수의 개수와 다릅니다. "
        "return_losses=True일 때 stateless_call은 무엇을 반환하나요?",
        "abstract array": no_builder,
        "but 3 were given": no_builder,
        "sum requires": no_sum,
        "and 'list'": no_sum,
        "'list' and": no_sum,
    }
    for case in (0, 1):
        first, state, loss = call_answer(two_steps, answer, case, hints=hints)
        compare_3(state, loss, first, case)


# %% solution 3
def solution_3(model, optimizer, metric):
    """Adds the extra losses; updates the metric in the state."""

    def compute_loss(params, rest, x, y):
        logits, rest, losses = model.stateless_call(
            params, rest, x, training=True, return_losses=True
        )
        return loss_fn(y, logits) + sum(losses), (rest, logits)

    def step(state, data):
        loss_and_grads = jax.value_and_grad(compute_loss, has_aux=True)
        (loss, (rest, logits)), grads = loss_and_grads(*state[:2], *data)
        params, opt_state = optimizer.stateless_apply(
            optimizer_variables=state.opt_state,
            grads=grads,
            trainable_variables=state.params,
        )
        metrics = metric.stateless_update_state(state.metrics, data[1], logits)
        return TrainState(params, rest, opt_state, metrics), loss

    return step


judge(3, check_3, solution_3)


# %% wrong 3: changed the metric object
answer_3 = broken_make_step


# %% wrong 3: a term were missing from the loss
answer_3 = make_step


def answer_3(model, optimizer, metric):
    step = make_step(model, optimizer, metric)

    def adds_afterwards(state, data):
        new_state, loss = step(state, data)
        _, _, losses = model.stateless_call(
            *state[:2], data[0], training=True, return_losses=True
        )
        return new_state, loss + sum(losses)

    return adds_afterwards


# %% wrong 3: has counted nothing
def answer_3(model, optimizer, metric):
    step = solution_3(model, optimizer, metric)

    def forgets(state, data):
        new_state, loss = step(state, data)
        return new_state._replace(metrics=state.metrics), loss

    return forgets


# %% wrong 3: what does each update start from
def answer_3(model, optimizer, metric):
    step = solution_3(model, optimizer, metric)

    def empties(state, data):
        empty = metric.stateless_reset_state()
        return step(state._replace(metrics=empty), data)

    return empties


# %% wrong 3: first the new TrainState
def answer_3(model, optimizer, metric):
    step = solution_3(model, optimizer, metric)
    return lambda state, data: step(state, data)[::-1]


# %% wrong 3: which sum takes a list
def answer_3(model, optimizer, metric):
    def compute_loss(params, rest, x, y):
        logits, rest, losses = model.stateless_call(
            params, rest, x, training=True, return_losses=True
        )
        return loss_fn(y, logits) + jnp.sum(losses), (rest, logits)

    def step(state, data):
        (loss, (rest, out)), grads = jax.value_and_grad(
            compute_loss, has_aux=True
        )(*state[:2], *data)
        params, opt = optimizer.stateless_apply(state[2], grads, state[0])
        metrics = metric.stateless_update_state(state[3], data[1], out)
        return TrainState(params, rest, opt, metrics), loss

    return step


# %% wrong 3: must return a function, the step
def answer_3(model, optimizer, metric):
    solution_3(model, optimizer, metric)


# %% wrong 3: didn't change: which mode
def answer_3(model, optimizer, metric):
    def compute_loss(params, rest, x, y):
        logits, rest, losses = model.stateless_call(
            params, rest, x, return_losses=True
        )
        return loss_fn(y, logits) + sum(losses), (rest, logits)

    def step(state, data):
        grad = jax.value_and_grad(compute_loss, has_aux=True)
        (loss, (rest, out)), grads = grad(*state[:2], *data)
        params, opt = optimizer.stateless_apply(state[2], grads, state[0])
        metrics = metric.stateless_update_state(state[3], data[1], out)
        return TrainState(params, rest, opt, metrics), loss

    return step


# %% wrong 3: a function that builds a step is needed
answer_3 = step
answer_3 = make_step(model, optimizer, accuracy)


# %% wrong 3: missing 1 required positional argument: 'y_pred'
def answer_3(model, optimizer, metric):
    step = make_step(model, optimizer, metric)

    def forgets_logits(state, data):
        metrics = metric.stateless_update_state(state.metrics, data[1])
        new_state, loss = step(state, data)
        return new_state._replace(metrics=metrics), loss

    return forgets_logits


# %% wrong 3: does stateless_call return with return_losses=True
def answer_3(model, optimizer, metric):
    def step(state, data):
        out, rest = model.stateless_call(
            *state[:2], data[0], training=True, return_losses=True
        )
        return state._replace(non_trainable=rest), loss_fn(data[1], out)

    return step


# %% wrong 3: which sum takes a list
def answer_3(model, optimizer, metric):
    def step(state, data):
        out, rest, losses = model.stateless_call(
            *state[:2], data[0], training=True, return_losses=True
        )
        loss = loss_fn(data[1], out) + losses
        return state._replace(non_trainable=rest), loss

    return step


# %% wrong 3: that were passed in
def answer_3(model, optimizer, metric):
    adam = keras.optimizers.Adam()
    adam.build(model.trainable_variables)
    return solution_3(model, adam, metric)
