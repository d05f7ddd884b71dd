"""What judges the answers to the exercises of this chapter, and answers to try it with."""


# %% check 1
def truth_1() -> tuple:
    """Run the three passes; return the three numbers."""
    fresh, adam = make_classifier(), keras.optimizers.Adam(1e-3)
    adam.build(fresh.trainable_variables)
    lists = (
        fresh.trainable_variables,
        fresh.non_trainable_variables,
        adam.variables,
    )
    now = TrainState(*(values(variables) for variables in lists))
    the_step, traced = make_step(fresh, adam, loss_fn), []
    jitted = jax.jit(
        lambda state, data: (traced.append(1), the_step(state, data))[1]
    )
    parts = [
        (images[i : min(i + 32, 100)], labels[i : min(i + 32, 100)])
        for i in range(0, 100, 32)
    ]
    for x, _ in parts:
        _, statistics = fresh.stateless_call(
            now.params, now.non_trainable, x, training=True
        )
        now = now._replace(non_trainable=statistics)
    for data in parts * 2:
        now, _ = jitted(now, data)
    for x, _ in parts:
        _, statistics = fresh.stateless_call(
            now.params, now.non_trainable, x, training=False
        )
        now = now._replace(non_trainable=statistics)
    draws, steps = now.non_trainable[2][1], now.opt_state[0]
    return int(draws), int(steps), len(traced)


def check_1(answer) -> None:
    """Compare three numbers with a real run."""
    draws, steps, traces = read_numbers(answer, 3)
    truth = truth_1()
    assert draws == truth[0], (
        f"dropout has not drawn {draws:g} times: in which of the three passes does it draw? · "
        f"드롭아웃이 난수를 뽑은 횟수가 다릅니다(적은 값: {draws:g}). (a), (b), (c) 가운데 어디에서 뽑을까요?"
    )
    assert steps == truth[1], (
        f"the step number is not {steps:g}: which of the three passes call stateless_apply? · "
        f"스텝 번호가 다릅니다(적은 값: {steps:g}). (a), (b), (c) 가운데 어디에서 stateless_apply를 호출할까요?"
    )
    assert traces == truth[2], (
        f"the step was not traced {traces:g} times: what has to change about a batch to cause "
        f"another trace? · 스텝이 트레이싱된 횟수가 다릅니다(적은 값: {traces:g}). 배치의 무엇이 달라지면 "
        "다시 트레이싱할까요?"
    )


# %% solution 1
# Dropout draws once per call with training=True: 4 in (a), 8 in (b), 0 in (c).
# Only the step calls stateless_apply. Two batch sizes, 32 and 4: two traces.
judge(1, check_1, (4 + 8, 8, 2))


# %% wrong 1: in which of the three passes does it draw
answer_1 = (16, 8, 2)
answer_1 = (8, 8, 2)


# %% wrong 1: which of the three passes call stateless_apply
answer_1 = (12, 12, 2)
answer_1 = [12, 2, 2]


# %% wrong 1: what has to change about a batch
answer_1 = (12, 8, 1)
answer_1 = (12, 8, 8)


# %% wrong 1: write 3 numbers in a tuple
answer_1 = 12
answer_1 = ("12", "8", "2")


# %% check 2
def small_case(classes: int, seed: int):
    """A built model, a state that differs from its variables, and images."""
    small = keras.Sequential(
        [
            keras.Input((6,)),
            keras.layers.Dense(8),
            keras.layers.BatchNormalization(),
            keras.layers.Dropout(0.5),
            keras.layers.Dense(classes),
        ]
    )
    rng = np.random.default_rng(seed)
    params = [
        jnp.asarray(rng.normal(size=v.shape), "float32")
        for v in small.trainable_variables
    ]
    mean, variance = rng.normal(size=8), rng.uniform(0.5, 3, size=8)
    non_trainable = [
        jnp.asarray(mean, "float32"),
        jnp.asarray(variance, "float32"),
        jnp.copy(small.non_trainable_variables[2].value),
    ]
    state = TrainState(params, non_trainable, [])
    return small, state, rng.normal(size=(7, 6)).astype("float32")


def check_2(answer) -> None:
    """Compare with the right probabilities, for two models."""
    needs_function(answer, "answer_2(model, state, x)")
    hints = {
        "corresponding 1:1": "the arrays don't fit the model: is it the model that was passed in, "
        "with the params first? · 배열이 모델과 맞지 않습니다. 인수로 받은 model을 썼고, params를 먼저 넘겼나요?",
        "'tuple'": "a tuple stands where an array is needed: how many results does "
        "stateless_call have? · 배열이 필요한 곳에 튜플이 있습니다. stateless_call의 결과는 몇 개일까요?",
    }
    cases = [small_case(3, 0), small_case(5, 1)]
    for small, state, rows in [
        (m, s, x[:n]) for m, s, x in cases for n in (7, 1)
    ]:
        own, given = values(small.variables), jax.tree.map(np.array, state)
        out = call_answer(answer, small, state, rows, hints=hints)
        assert arrays_agree(values(small.variables), own, 0), (
            "the function changed the model's variables · 함수가 모델의 변수를 바꾸었습니다"
        )
        assert arrays_agree(state, given, 0), (
            "the function changed the state · 함수가 state를 바꾸었습니다"
        )
        assert not isinstance(out, tuple), (
            "the function returns several results; only the probabilities are asked for · "
            "함수가 결과를 여러 개 반환합니다. 확률만 반환하세요"
        )
        out = np.asarray(out)
        needs_shape(out, (len(rows), small.output_shape[1]))
        logits, _ = small.stateless_call(*state[:2], rows, training=False)
        assert not arrays_agree(out, logits, 1e-4), (
            "these are logits, not probabilities · 확률이 아니라 로짓입니다"
        )
        assert np.allclose(out.sum(axis=-1), 1, atol=1e-4), (
            "the probabilities of one image don't add up to 1 · "
            "이미지 한 장의 확률을 모두 더해도 1이 되지 않습니다"
        )
        assert not arrays_agree(
            out, jax.nn.softmax(small(rows, training=False)), 1e-4
        ), (
            "this is what the model's own variables give: where does the state come in? · "
            "모델 객체의 변수로 계산한 결과입니다. state는 어디에 쓰이나요?"
        )
        right = arrays_agree(out, jax.nn.softmax(logits), 1e-4)
        train, _ = small.stateless_call(*state[:2], rows, training=True)
        assert right or not arrays_agree(out, jax.nn.softmax(train), 1e-4), (
            "this is training mode: dropout and the statistics of the batch are in it · "
            "학습 모드의 결과입니다. 드롭아웃과 배치 통계량이 들어갔습니다"
        )
        assert right, (
            "the probabilities differ from those of the state in evaluation mode · "
            "평가 모드에서 state로 계산한 확률과 다릅니다"
        )


# %% solution 2
def solution_2(
    model: keras.Model, state: TrainState, x: jax.Array
) -> jax.Array:
    """Probabilities from the arrays in the state."""
    logits, _ = model.stateless_call(
        state.params, state.non_trainable, x, training=False
    )
    return jax.nn.softmax(logits, axis=-1)


judge(2, check_2, solution_2)


# %% wrong 2: the model's own variables give
def answer_2(model, state, x):
    return jax.nn.softmax(model(x))


def answer_2(model, state, x):
    return jax.nn.softmax(jnp.asarray(model.predict(x, verbose=0)))


# %% wrong 2: logits, not probabilities
def answer_2(model, state, x):
    return model.stateless_call(state.params, state.non_trainable, x)[0]


# %% wrong 2: this is training mode
def answer_2(model, state, x):
    logits, _ = model.stateless_call(
        state.params, state.non_trainable, x, training=True
    )
    return jax.nn.softmax(logits)


# %% wrong 2: don't add up to 1
def answer_2(model, state, x):
    logits, _ = model.stateless_call(state.params, state.non_trainable, x)
    return jax.nn.softmax(logits, axis=0)


# %% wrong 2: the result has shape
def answer_2(model, state, x):
    logits, _ = model.stateless_call(state.params, state.non_trainable, x)
    return logits.argmax(-1)


# %% wrong 2: changed the model's variables
def answer_2(model, state, x):
    for variable, value in zip(model.trainable_variables, state.params):
        variable.assign(value)
    for variable, value in zip(
        model.non_trainable_variables, state.non_trainable
    ):
        variable.assign(value)
    return jax.nn.softmax(model(x))


# %% wrong 2: tuple indices must be integers
def answer_2(model, state, x):
    logits, _ = model.stateless_call(
        state["params"], state["non_trainable"], x, training=False
    )
    return jax.nn.softmax(logits)


# %% wrong 2: several results
def answer_2(model, state, x):
    logits, new = model.stateless_call(state.params, state.non_trainable, x)
    return jax.nn.softmax(logits), new


# %% wrong 2: returns nothing
def answer_2(model, state, x):
    logits, _ = model.stateless_call(state.params, state.non_trainable, x)
    jax.nn.softmax(logits)


# %% wrong 2: how many results does stateless_call have
def answer_2(model, state, x):
    return jax.nn.softmax(
        model.stateless_call(state.params, state.non_trainable, x)
    )


# %% check 3
def case_3(case: int) -> tuple:
    """A small model, an optimizer and a loss of their own."""
    keras.utils.set_random_seed(case)
    small = keras.Sequential(
        [
            keras.Input((5,)),
            keras.layers.Dense(8),
            keras.layers.BatchNormalization(momentum=0.5),
            keras.layers.Dropout(0.25),
            keras.layers.Dense(3),
        ]
    )
    optimizer, loss = (
        keras.optimizers.Adagrad(0.05),
        keras.losses.MeanSquaredError(),
    )
    if case:
        optimizer = keras.optimizers.SGD(0.1, momentum=0.9)
    else:
        loss = keras.losses.SparseCategoricalCrossentropy(from_logits=True)
    optimizer.build(small.trainable_variables)
    return small, optimizer, loss


def two_steps(make: Callable, case: int) -> tuple:
    """First and last state and the loss of two steps with a step built by `make`."""
    small, optimizer, loss_fn = case_3(case)
    lists = (
        small.trainable_variables,
        small.non_trainable_variables,
        optimizer.variables,
    )
    state = TrainState(*map(values, lists))
    first = jax.tree.map(np.array, state)
    owners = small.variables + optimizer.variables
    owned = values(owners)
    rng = np.random.default_rng(case)
    step = make(small, optimizer, loss_fn)
    assert callable(step), (
        "answer_3(model, optimizer, loss_fn) must return a function, the step · "
        "answer_3(model, optimizer, loss_fn)은 스텝 함수를 반환해야 합니다"
    )
    for _ in range(2):
        x = rng.normal(1, 2, size=(16, 5)).astype("float32")
        y = (
            rng.normal(size=(16, 3)).astype("float32")
            if case
            else rng.integers(0, 3, 16)
        )
        kept = jax.tree.map(np.array, state)
        result = call_answer(step, state, (x, y))
        now = [variable.value for variable in owners]
        leaked = any(isinstance(value, jax.core.Tracer) for value in now)
        assert not leaked and arrays_agree(now, owned, 0), (
            "the step changed the variables of the model or the optimizer · "
            "스텝이 모델이나 옵티마이저의 변수를 바꾸었습니다"
        )
        pairs = zip(jax.tree.leaves(state), jax.tree.leaves(kept))
        assert all(a.is_deleted() or np.array_equal(a, b) for a, b in pairs), (
            "the step changed the lists of the state that it was given · "
            "스텝이 인수로 받은 state의 리스트를 바꾸었습니다"
        )
        said = "first the new TrainState, then the loss · 새 TrainState가 먼저, 손실이 다음입니다"
        state, loss = needs_results(result, 2, said)
        assert isinstance(state, (tuple, list)) and len(state) == 3, said
        state = TrainState(*state)
        numeric = isinstance(loss, (float, np.generic, np.ndarray, jax.Array))
        assert numeric and np.ndim(loss) == 0, (
            "the second result is not a single number, the loss · "
            "두 번째 결과는 손실 하나여야 합니다"
        )
    return first, state, float(loss)


def right_3(model, optimizer, loss_fn) -> Callable:
    """Build a right step."""

    def compute_loss(params, non_trainable, x, y):
        out, new = model.stateless_call(
            params, non_trainable, x, training=True
        )
        return loss_fn(y, out), new

    def step(state, data):
        (loss, new), grads = jax.value_and_grad(compute_loss, has_aux=True)(
            *state[:2], *data
        )
        params, opt_state = optimizer.stateless_apply(
            state[2], grads, state[0]
        )
        return TrainState(params, new, opt_state), loss

    return step


def check_3(answer) -> None:
    """Compare two steps of the answer with two right ones."""
    needs_function(answer, "answer_3(model, optimizer, loss_fn)")
    hints = {
        "ConcretizationTypeError": "inside jax.jit or jax.grad a value was needed that isn't known "
        "yet: float(), if, int()? · jax.jit이나 jax.grad 안에서 아직 알 수 없는 값이 필요했습니다. float(), if, "
        "int()를 썼나요?",
        "Argument `optimizer_variables`": "the arrays don't fit the optimizer: is it the one that "
        "was passed in, and does stateless_apply get each list in its place? · 배열이 옵티마이저와 맞지 "
        "않습니다. 인수로 받은 optimizer를 썼고, stateless_apply에 리스트를 제자리에 넘겼나요?",
        "corresponding 1:1": "the arrays don't fit the model: is it the model that was passed in, "
        "and are all non-trainable values returned? · 배열이 모델과 맞지 않습니다. 인수로 받은 model을 썼고, "
        "학습 불가능 변수의 값을 모두 반환했나요?",
        "abstract array": "a function that builds a step is needed: "
        "answer_3(model, optimizer, loss_fn) · 스텝을 만드는 함수가 필요합니다. "
        "answer_3(model, optimizer, loss_fn) 꼴입니다",
        "grad requires real": "jax.grad met integers where the params belong: check the order of "
        "the lists that the loss function gets and of those in the new TrainState · params가 있어야 할 "
        "곳에 정수 배열이 있습니다. 손실 함수에 넘긴 리스트와 새 TrainState에 넣은 리스트의 순서를 확인하세요",
        "with aux output": "has_aux=True wants two results of the loss function: how many does "
        "yours return? · "
        "has_aux=True이면 손실 함수의 결과는 두 개여야 합니다. 지금은 몇 개를 반환하나요?",
    }
    for case in (0, 1):
        first, state, loss = call_answer(two_steps, answer, case, hints=hints)
        _, expected, expected_loss = two_steps(right_3, case)
        assert not arrays_agree(
            state.non_trainable, first.non_trainable, 2e-4
        ), (
            "the non-trainable values didn't change: which mode, and are the new ones returned? · "
            "학습 불가능 변수의 값이 그대로입니다. 어느 모드로 호출했고, 새 값을 반환했나요?"
        )
        assert not arrays_agree(state.params, first.params, 2e-4), (
            "the params didn't change: which ones go into the new state? · "
            "params가 그대로입니다. 새 state에 무엇을 넣었나요?"
        )
        assert not arrays_agree(state.opt_state, first.opt_state, 2e-4), (
            "opt_state didn't change: is the new one in the state? · "
            "opt_state가 그대로입니다. 새 값을 state에 넣었나요?"
        )
        assert arrays_agree(state.params, expected.params, 2e-4), (
            "the params changed, but not as the gradients say: check the order of the arguments of "
            "stateless_apply, and the loss · params가 바뀌었지만 기울기를 따르지 않았습니다. stateless_apply의 "
            "인수 순서와 손실을 확인하세요"
        )
        assert arrays_agree(
            state.non_trainable, expected.non_trainable, 2e-4
        ), (
            "the non-trainable values are not those of two training steps · "
            "학습 불가능 변수의 값이 두 스텝을 학습한 결과와 다릅니다"
        )
        assert arrays_agree(state.opt_state, expected.opt_state, 2e-4), (
            "opt_state is not what two steps give · opt_state가 두 스텝을 거친 값과 다릅니다"
        )
        assert np.isclose(loss, expected_loss, atol=1e-3), (
            f"the loss of the second step is {loss:.4f} but should be {expected_loss:.4f} · 두 번째 "
            f"스텝의 손실이 다릅니다(계산한 값: {loss:.4f}, 옳은 값: {expected_loss:.4f})"
        )


# %% solution 3
def solution_3(model, optimizer, loss_fn):
    """Training mode, two results of the loss function, arguments by name."""

    def compute_loss(params, non_trainable, x, y):
        logits, non_trainable = model.stateless_call(
            params, non_trainable, x, training=True
        )
        return loss_fn(y, logits), non_trainable

    def step(state, data):
        (loss, non_trainable), grads = jax.value_and_grad(
            compute_loss, has_aux=True
        )(state.params, state.non_trainable, *data)
        params, opt_state = optimizer.stateless_apply(
            optimizer_variables=state.opt_state,
            grads=grads,
            trainable_variables=state.params,
        )
        return TrainState(params, non_trainable, opt_state), loss

    return step


judge(3, check_3, solution_3)


# %% wrong 3: has_aux=True wants two results
answer_3 = broken_make_step


# %% wrong 3: change: which mode
def answer_3(model, optimizer, loss_fn):
    def compute_loss(params, non_trainable, x, y):
        logits, non_trainable = model.stateless_call(params, non_trainable, x)
        return loss_fn(y, logits), non_trainable

    def step(state, data):
        (loss, new), grads = jax.value_and_grad(compute_loss, has_aux=True)(
            *state[:2], *data
        )
        params, opt_state = optimizer.stateless_apply(
            state[2], grads, state[0]
        )
        return TrainState(params, new, opt_state), loss

    return step


# %% wrong 3: order of the arguments of stateless_apply
def answer_3(model, optimizer, loss_fn):
    def step(state, data):
        def compute_loss(params, non_trainable, x, y):
            out, new = model.stateless_call(
                params, non_trainable, x, training=True
            )
            return loss_fn(y, out), new

        (loss, new), grads = jax.value_and_grad(compute_loss, has_aux=True)(
            *state[:2], *data
        )
        params, opt_state = optimizer.stateless_apply(
            state[2], state[0], grads
        )
        return TrainState(params, new, opt_state), loss

    return step


# %% wrong 3: the lists that the loss function gets
def answer_3(model, optimizer, loss_fn):
    def compute_loss(params, non_trainable, x, y):
        out, new = model.stateless_call(
            params, non_trainable, x, training=True
        )
        return loss_fn(y, out), new

    def step(state, data):
        (loss, new), grads = jax.value_and_grad(compute_loss, has_aux=True)(
            state.non_trainable, state.params, *data
        )
        params, opt_state = optimizer.stateless_apply(
            state[2], grads, state[0]
        )
        return TrainState(params, new, opt_state), loss

    return step


# %% wrong 3: first the new TrainState
def answer_3(model, optimizer, loss_fn):
    step = make_step(model, optimizer, loss_fn)
    return lambda state, data: step(state, data)[::-1]


# %% wrong 3: the arrays don't fit the optimizer
def answer_3(model, optimizer, loss_fn):
    def compute_loss(params, non_trainable, x, y):
        out, new = model.stateless_call(
            params, non_trainable, x, training=True
        )
        return loss_fn(y, out), new

    def step(state, data):
        (loss, new), grads = jax.value_and_grad(compute_loss, has_aux=True)(
            *state[:2], *data
        )
        params, opt_state = optimizer.stateless_apply(
            state.params, grads, state.opt_state
        )
        return TrainState(params, new, opt_state), loss

    return step


# %% wrong 3: the params didn't change
def answer_3(model, optimizer, loss_fn):
    def step(state, data):
        new_state, loss = make_step(model, optimizer, loss_fn)(state, data)
        return new_state._replace(params=state.params), loss

    return step


# %% wrong 3: opt_state is not what two steps give
def answer_3(model, optimizer, loss_fn):
    def step(state, data):
        new_state, loss = make_step(model, optimizer, loss_fn)(state, data)
        steps, *rest = new_state.opt_state
        return new_state._replace(opt_state=[steps * 0, *rest]), loss

    return step


# %% wrong 3: must return a function, the step
def answer_3(model, optimizer, loss_fn):
    make_step(model, optimizer, loss_fn)


# %% wrong 3: opt_state didn't change
def answer_3(model, optimizer, loss_fn):
    def step(state, data):
        new_state, loss = make_step(model, optimizer, loss_fn)(state, data)
        return new_state._replace(opt_state=state.opt_state), loss

    return step


# %% wrong 3: changed the variables of the model or the optimizer
def answer_3(model, optimizer, loss_fn):
    def step(state, data):
        def compute_loss(params):
            out, new = model.stateless_call(
                params, state.non_trainable, data[0], training=True
            )
            return loss_fn(data[1], out), new

        (loss, new), grads = jax.value_and_grad(compute_loss, has_aux=True)(
            state.params
        )
        optimizer.apply(grads)
        params = values(model.trainable_variables)
        return TrainState(params, new, values(optimizer.variables)), loss

    return step


# %% wrong 3: changed the lists of the state
def answer_3(model, optimizer, loss_fn):
    step = make_step(model, optimizer, loss_fn)

    def in_place(state, data):
        new_state, loss = step(state, data)
        state.params[:] = new_state.params
        return new_state, loss

    return in_place


# %% wrong 3: a function that builds a step is needed
answer_3 = step


# %% wrong 3: a value was needed that isn't known yet
def answer_3(model, optimizer, loss_fn):
    step = make_step(model, optimizer, loss_fn)

    def with_float(state, data):
        new_state, loss = step(state, data)
        return new_state, float(loss)

    return jax.jit(with_float)
