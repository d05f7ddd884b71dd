"""What judges the answers to the exercises of this chapter, and answers to try it with."""


# %% check 1
def truth_1() -> dict:
    """Lose each field at step 30; return what differs 20 steps later."""
    rng = np.random.default_rng(3)
    pixels = jnp.float32(rng.random((200, 64)))
    examples = pixels, jnp.int32(rng.integers(0, 10, 200))
    start, truth = init(jax.random.key(5)), {}
    stopped, _ = run(train_step, start, examples, 30)
    full, _ = run(train_step, stopped, examples, 20)
    for name in ("batch_stats", "ema_params", "key", "step"):
        state = stopped._replace(**{name: getattr(start, name)})
        state, _ = run(train_step, state, examples, 20)
        truth[name] = {path.split("/")[0] for path in different(full, state)}
    return truth


def check_1(answer) -> None:
    """Compare the fields that differ, lost field by lost field."""
    lost = ("batch_stats", "ema_params", "key", "step")
    assert isinstance(answer, dict), (
        "the answer is a dict from the lost field to a set of fields · 답은 딕셔너리여야 합니다. 키는 "
        "되돌린 필드의 이름, 값은 필드 이름의 집합입니다"
    )
    assert set(answer) == set(lost), (
        f"the keys of the dict must be {', '.join(lost)} · "
        f"딕셔너리의 키는 다음 네 개여야 합니다: {', '.join(lost)}"
    )
    for name, fields in answer.items():
        assert isinstance(fields, (set, frozenset, list, tuple)), (
            f"{name}: a set of field names is needed · {name}: 필드 이름의 집합으로 답하세요"
        )
        for field in fields:
            assert field in TrainState._fields, (
                f"{name}: {field!r} isn't a field of TrainState · "
                f"{name}: {field!r}은(는) TrainState의 필드가 아닙니다"
            )
    for name, truth in truth_1().items():
        given = set(answer[name])
        assert name in given, (
            f"{name}: does the field that was lost get back to the right value? · "
            f"{name}: 되돌린 필드의 값은 20스텝 뒤에 중단하지 않은 학습과 같아지나요?"
        )
        assert given <= truth, (
            f"{name}: you name a field that doesn't differ; does anything that {name} changes "
            f"reach it? · {name}: 다르지 않은 필드가 답에 있습니다. {name}의 값이 그 필드까지 전해지나요?"
        )
        assert given == truth, (
            f"{name}: another field differs as well; follow the loss, its gradients and all that "
            f"is computed from them · {name}: 다른 필드가 더 있습니다. 손실과 기울기, 그리고 그것으로 "
            "계산하는 값을 따라가 보세요"
        )


# %% solution 1
learned = {"params", "batch_stats", "opt_state", "ema_params"}
right_1 = {
    "batch_stats": {"batch_stats"},  # training uses the batch's statistics
    "ema_params": {"ema_params"},  # no loss depends on it
    "key": learned | {"key"},  # different masks, so different losses
    "step": learned | {"step"},  # different rates, so different updates
}
judge(1, check_1, right_1)


# %% right 1
answer_1 = {n: list(f) for n, f in right_1.items()}
answer_1 = {n: tuple(f) for n, f in reversed(right_1.items())}
answer_1 = {n: frozenset(f) for n, f in right_1.items()}


# %% wrong 1: doesn't differ; does anything
answer_1 = {
    "batch_stats": {"params", "batch_stats", "opt_state", "ema_params"},
    "ema_params": {"ema_params"},
    "key": {"params", "batch_stats", "opt_state", "ema_params", "key"},
    "step": {"params", "batch_stats", "opt_state", "ema_params", "step"},
}
answer_1 = {
    "batch_stats": {"batch_stats"},
    "ema_params": {"params", "batch_stats", "opt_state", "ema_params"},
    "key": {"params", "batch_stats", "opt_state", "ema_params", "key"},
    "step": {"params", "batch_stats", "opt_state", "ema_params", "step"},
}
answer_1 = {
    "batch_stats": {"batch_stats"},
    "ema_params": {"ema_params"},
    "key": {
        "params",
        "batch_stats",
        "opt_state",
        "ema_params",
        "key",
        "position",
    },
    "step": {"params", "batch_stats", "opt_state", "ema_params", "step"},
}
answer_1 = {
    "batch_stats": {"batch_stats"},
    "ema_params": {"ema_params"},
    "key": {"params", "batch_stats", "opt_state", "ema_params", "key"},
    "step": {
        "params",
        "batch_stats",
        "opt_state",
        "ema_params",
        "step",
        "key",
    },
}


# %% wrong 1: get back to the right value
answer_1 = {
    "batch_stats": set(),
    "ema_params": {"ema_params"},
    "key": {"params", "batch_stats", "opt_state", "ema_params", "key"},
    "step": {"params", "batch_stats", "opt_state", "ema_params", "step"},
}


# %% wrong 1: key: another field differs
answer_1 = {
    "batch_stats": {"batch_stats"},
    "ema_params": {"ema_params"},
    "key": {"key"},
    "step": {"params", "batch_stats", "opt_state", "ema_params", "step"},
}
answer_1 = {
    "batch_stats": {"batch_stats"},
    "ema_params": {"ema_params"},
    "key": {"params", "opt_state", "ema_params", "key"},
    "step": {"params", "batch_stats", "opt_state", "ema_params", "step"},
}


# %% wrong 1: step: another field differs
answer_1 = {
    "batch_stats": {"batch_stats"},
    "ema_params": {"ema_params"},
    "key": {"params", "batch_stats", "opt_state", "ema_params", "key"},
    "step": {"step"},
}
answer_1 = {
    "batch_stats": {"batch_stats"},
    "ema_params": {"ema_params"},
    "key": {"params", "batch_stats", "opt_state", "ema_params", "key"},
    "step": {"step", "params", "ema_params", "batch_stats"},
}


# %% wrong 1: the keys of the dict
answer_1 = {"batch_stats": {"batch_stats"}}


# %% wrong 1: is a dict from
answer_1 = ["batch_stats"]


# %% wrong 1: a set of field names
answer_1 = {
    "batch_stats": "batch_stats",
    "ema_params": {"ema_params"},
    "key": {"params", "batch_stats", "opt_state", "ema_params", "key"},
    "step": {"params", "batch_stats", "opt_state", "ema_params", "step"},
}


# %% wrong 1: isn't a field of
answer_1 = {
    "batch_stats": {"stats"},
    "ema_params": {"ema_params"},
    "key": {"params", "batch_stats", "opt_state", "ema_params", "key"},
    "step": {"params", "batch_stats", "opt_state", "ema_params", "step"},
}


# %% check 2
def loss_at_2(params, key, data, n: int) -> jax.Array:
    """The loss of the batch at position n, with the noise of a key."""
    xs, ys = data
    x, y = xs[n % len(xs)], ys[n % len(xs)]
    x = x + 0.3 * jax.random.normal(key, x.shape)
    return jnp.mean((x @ params - y) ** 2)


def right_2(state: NoisyState, data) -> tuple:
    """A right step."""
    key, step_key = jax.random.split(state.key)
    n = int(state.position)
    grad_fn = jax.value_and_grad(loss_at_2)
    loss, grads = grad_fn(state.params, step_key, data, n)
    velocity = 0.9 * state.velocity + grads
    params = state.params - 0.1 * velocity
    ema = 0.99 * state.ema_params + 0.01 * params
    return NoisyState(params, velocity, ema, key, jnp.int32(n + 1)), loss


def case_2(rng, n_batches: int, size: int, dim: int, first: int) -> tuple:
    """A state in mid-run, at a position, and its data."""
    normal = lambda *shape: jnp.float32(rng.normal(size=shape))
    data = normal(n_batches, size, dim), 2 * normal(n_batches, size)
    arrays = [normal(dim) for _ in range(3)]
    return NoisyState(*arrays, jax.random.key(first), jnp.int32(first)), data


def close_2(a, b) -> bool:
    """Whether two arrays are equal, up to rounding."""
    return np.allclose(a, b, rtol=1e-4, atol=1e-5)


def results_2(result, old: NoisyState) -> tuple:
    """The new state and the loss of an answer, of the types that they need."""
    new, loss = needs_results(
        result, 2, "new_state and loss · new_state와 loss입니다"
    )
    assert not isinstance(loss, NoisyState), (
        "return the state first, then the loss · 반환값의 순서는 상태가 먼저이고 손실이 그다음입니다"
    )
    assert isinstance(new, NoisyState), (
        "the new state isn't a NoisyState · 새 상태가 NoisyState가 아닙니다"
    )
    for name, *leaves in zip(NoisyState._fields, old, new):
        assert hasattr(leaves[1], "dtype") and hasattr(leaves[1], "shape"), (
            f"`{name}` isn't an array · `{name}`이(가) 배열이 아닙니다"
        )
        was, now = (f"{leaf.dtype}{list(leaf.shape)}" for leaf in leaves)
        assert was == now, (
            f"`{name}` had dtype and shape {was} and now has {now} · "
            f"`{name}`의 dtype과 shape이 {was}에서 {now}(으)로 바뀝니다"
        )
    return new, loss


def needs_key_2(old: NoisyState, new: NoisyState, where: str) -> None:
    """Refuse a field that stays, and a key or a position that isn't next."""
    en, ko = languages_of(where)
    for name, *leaves in zip(NoisyState._fields, old, new):
        assert bits(leaves[0]) != bits(leaves[1]), (
            f"{en}: `{name}` still has its old value, so the step's update to it is lost · "
            f"{ko}: `{name}`이(가) 이전 값 그대로입니다. 이번 스텝의 업데이트가 사라집니다"
        )
    key, step_key = jax.random.split(old.key)
    assert bits(new.key) != bits(step_key), (
        "the new state has the key that the noise was drawn with; each key is for one use · "
        "새 상태의 키가 노이즈를 뽑을 때 사용한 키입니다. 키는 한 번만 사용해야 합니다"
    )
    assert bits(new.key) == bits(key), (
        f"{en}: `key` isn't the one that the split makes · {ko}: `key`가 분할해서 얻은 키가 아닙니다"
    )
    assert new.position == old.position + 1, (
        f"{en}: `position` isn't the number of batches drawn · "
        f"{ko}: `position`이 지금까지 꺼낸 배치의 수가 아닙니다"
    )


def needs_loss_2(loss, state: NoisyState, data: tuple, where: str) -> None:
    """Refuse a loss of another batch, noise or time."""
    en, ko = languages_of(where)
    needs_shape(loss, (), "the loss · 손실")
    want, want_loss = right_2(state, data)
    n, (_, step_key) = int(state.position), jax.random.split(state.key)
    assert not close_2(loss, loss_at_2(state.params, state.key, data, n)), (
        f"{en}: the noise is drawn with the key of the state, which was split: use the new one · "
        f"{ko}: 이미 분할한 상태의 키로 노이즈를 뽑았습니다. 분할해서 얻은 키를 사용하세요"
    )
    assert not close_2(loss, loss_at_2(want.params, step_key, data, n)), (
        "the loss is the one after the update · 손실이 업데이트한 뒤의 값입니다"
    )
    count = len(data[0])
    assert close_2(loss, want_loss), (
        f"{en}: the loss isn't that of the batch at position {n} with {count} batches · "
        f"{ko}: 배치가 {count}개일 때 위치 {n}에 있는 배치의 손실이 아닙니다"
    )


def needs_step_2(result, state: NoisyState, data: tuple, where: str) -> None:
    """Refuse what differs from a right step."""
    new, loss = results_2(result, state)
    needs_key_2(state, new, where)
    needs_loss_2(loss, state, data, where)
    (want, _), (en, ko) = right_2(state, data), languages_of(where)
    for name in ("velocity", "params", "ema_params"):
        assert close_2(getattr(new, name), getattr(want, name)), (
            f"{en}: `{name}` isn't right; which old and new values is it made of? · "
            f"{ko}: `{name}`이(가) 올바르지 않습니다. 어떤 이전 값과 새 값으로 계산하나요?"
        )


def check_2(answer) -> None:
    """Compare each part of the state with the right one, from mid-run."""
    needs_function(answer, "answer_2(state, data)")
    step, rng = lambda s, d: tuple(answer(s, d)), np.random.default_rng(8)
    with jax.default_matmul_precision("highest"):
        for sizes in (3, 4, 2, 1), (2, 1, 4, 7):
            begin, data = case_2(rng, *sizes)
            state = begin
            for n in range(sizes[-1], sizes[-1] + 4):
                where = f"from position {n} · 위치 {n}에서 시작한 스텝"
                result = call_answer(answer, state, data)
                needs_step_2(result, state, data, where)
                state, _ = right_2(state, data)
            result = call_answer(jax.jit(step), begin, data)
            where = "under jit · jit을 적용한 스텝"
            needs_step_2(result, begin, data, where)
            body = lambda s, _: step(s, data)
            last, _ = jax.lax.scan(body, begin, length=4)
            for name in ("params", "velocity", "ema_params"):
                assert close_2(getattr(last, name), getattr(state, name)), (
                    f"in a scan, `{name}` isn't right after 4 steps · "
                    f"scan으로 4스텝을 실행하면 `{name}`이(가) 올바르지 않습니다"
                )


# %% solution 2
def momentum_step(state: NoisyState, data: tuple) -> tuple:
    """Take a step with the batch at the position of the state."""
    xs, ys = data
    key, step_key = jax.random.split(state.key)
    n = state.position % len(xs)
    grad_fn = jax.value_and_grad(noisy_loss)
    loss, grads = grad_fn(state.params, step_key, xs[n], ys[n])
    velocity = 0.9 * state.velocity + grads
    params = state.params - 0.1 * velocity
    ema = moving_average(state.ema_params, params, 0.99)
    return NoisyState(params, velocity, ema, key, state.position + 1), loss


judge(2, check_2, momentum_step)


# %% right 2
@jax.jit
def answer_2(state, data):
    xs, ys = data
    key, step_key = jax.random.split(state.key)
    i = state.position % len(xs)
    loss, grads = jax.value_and_grad(noisy_loss)(
        state.params, step_key, xs[i], ys[i]
    )
    velocity = 0.9 * state.velocity + grads
    params = state.params - 0.1 * velocity
    ema_params = 0.99 * state.ema_params + 0.01 * params
    return NoisyState(
        params, velocity, ema_params, key, state.position + 1
    ), loss


def answer_2(state, data):
    xs, ys = data
    key, step_key = jax.random.split(state.key)
    i = state.position % len(xs)
    loss, grads = jax.value_and_grad(noisy_loss)(
        state.params, step_key, xs[i], ys[i]
    )
    velocity, trace_state = optax.trace(0.9).update(
        grads, optax.TraceState(state.velocity)
    )
    params = optax.apply_updates(state.params, -0.1 * velocity)
    ema_params = 0.99 * state.ema_params + 0.01 * params
    return NoisyState(
        params, velocity, ema_params, key, state.position + 1
    ), loss


def answer_2(state, data):
    xs, ys = data
    key, step_key = jax.random.split(state.key)
    i = jnp.mod(state.position, xs.shape[0])
    loss, grads = jax.value_and_grad(noisy_loss)(
        state.params, step_key, xs[i], ys[i]
    )
    velocity = 0.9 * state.velocity + grads
    params = state.params - 0.1 * velocity
    ema_params = 0.99 * state.ema_params + 0.01 * params
    return [
        NoisyState(
            params, velocity, ema_params, key, state.position + jnp.int32(1)
        ),
        loss,
    ]


# %% wrong 2: `key` still has its old value
def answer_2(state, data):
    xs, ys = data
    key, step_key = jax.random.split(state.key)
    i = state.position % len(xs)
    loss, grads = jax.value_and_grad(noisy_loss)(
        state.params, step_key, xs[i], ys[i]
    )
    velocity = 0.9 * state.velocity + grads
    params = state.params - 0.1 * velocity
    ema_params = 0.99 * state.ema_params + 0.01 * params
    return NoisyState(
        params, velocity, ema_params, state.key, state.position + 1
    ), loss


answer_2 = leaky_step


# %% wrong 2: the key that the noise was drawn with
def answer_2(state, data):
    xs, ys = data
    key, step_key = jax.random.split(state.key)
    i = state.position % len(xs)
    loss, grads = jax.value_and_grad(noisy_loss)(
        state.params, step_key, xs[i], ys[i]
    )
    velocity = 0.9 * state.velocity + grads
    params = state.params - 0.1 * velocity
    ema_params = 0.99 * state.ema_params + 0.01 * params
    return NoisyState(
        params, velocity, ema_params, step_key, state.position + 1
    ), loss


# %% wrong 2: `position` still has its old value
def answer_2(state, data):
    xs, ys = data
    key, step_key = jax.random.split(state.key)
    i = state.position % len(xs)
    loss, grads = jax.value_and_grad(noisy_loss)(
        state.params, step_key, xs[i], ys[i]
    )
    velocity = 0.9 * state.velocity + grads
    params = state.params - 0.1 * velocity
    ema_params = 0.99 * state.ema_params + 0.01 * params
    return NoisyState(params, velocity, ema_params, key, state.position), loss


# %% wrong 2: `position` isn't the number
def answer_2(state, data):
    xs, ys = data
    key, step_key = jax.random.split(state.key)
    i = state.position % len(xs)
    loss, grads = jax.value_and_grad(noisy_loss)(
        state.params, step_key, xs[i], ys[i]
    )
    velocity = 0.9 * state.velocity + grads
    params = state.params - 0.1 * velocity
    ema_params = 0.99 * state.ema_params + 0.01 * params
    return NoisyState(
        params, velocity, ema_params, key, (state.position + 1) % len(xs)
    ), loss


# %% wrong 2: `velocity` still has its old value
def answer_2(state, data):
    xs, ys = data
    key, step_key = jax.random.split(state.key)
    i = state.position % len(xs)
    loss, grads = jax.value_and_grad(noisy_loss)(
        state.params, step_key, xs[i], ys[i]
    )
    velocity = 0.9 * state.velocity + grads
    params = state.params - 0.1 * velocity
    ema_params = 0.99 * state.ema_params + 0.01 * params
    return NoisyState(
        params, state.velocity, ema_params, key, state.position + 1
    ), loss


# %% wrong 2: `ema_params` still has its old value
def answer_2(state, data):
    xs, ys = data
    key, step_key = jax.random.split(state.key)
    i = state.position % len(xs)
    loss, grads = jax.value_and_grad(noisy_loss)(
        state.params, step_key, xs[i], ys[i]
    )
    velocity = 0.9 * state.velocity + grads
    params = state.params - 0.1 * velocity
    ema_params = 0.99 * state.ema_params + 0.01 * params
    return NoisyState(
        params, velocity, state.ema_params, key, state.position + 1
    ), loss


# %% wrong 2: drawn with the key of the state
def answer_2(state, data):
    xs, ys = data
    key, step_key = jax.random.split(state.key)
    i = state.position % len(xs)
    loss, grads = jax.value_and_grad(noisy_loss)(
        state.params, state.key, xs[i], ys[i]
    )
    velocity = 0.9 * state.velocity + grads
    params = state.params - 0.1 * velocity
    ema_params = 0.99 * state.ema_params + 0.01 * params
    return NoisyState(
        params, velocity, ema_params, key, state.position + 1
    ), loss


# %% wrong 2: loss isn't that of the batch
def answer_2(state, data):
    xs, ys = data
    key, step_key = jax.random.split(state.key)
    i = state.position
    loss, grads = jax.value_and_grad(noisy_loss)(
        state.params, step_key, xs[i], ys[i]
    )
    velocity = 0.9 * state.velocity + grads
    params = state.params - 0.1 * velocity
    ema_params = 0.99 * state.ema_params + 0.01 * params
    return NoisyState(
        params, velocity, ema_params, key, state.position + 1
    ), loss


calls = []


def answer_2(state, data):
    xs, ys = data
    calls.append(0)
    key, step_key = jax.random.split(state.key)
    i = len(calls) % len(xs)
    loss, grads = jax.value_and_grad(noisy_loss)(
        state.params, step_key, xs[i], ys[i]
    )
    velocity = 0.9 * state.velocity + grads
    params = state.params - 0.1 * velocity
    ema_params = 0.99 * state.ema_params + 0.01 * params
    return NoisyState(
        params, velocity, ema_params, key, state.position + 1
    ), loss


# %% wrong 2: after the update
def answer_2(state, data):
    xs, ys = data
    key, step_key = jax.random.split(state.key)
    i = state.position % len(xs)
    loss, grads = jax.value_and_grad(noisy_loss)(
        state.params, step_key, xs[i], ys[i]
    )
    velocity = 0.9 * state.velocity + grads
    params = state.params - 0.1 * velocity
    ema_params = 0.99 * state.ema_params + 0.01 * params
    loss = noisy_loss(params, step_key, xs[i], ys[i])
    return NoisyState(
        params, velocity, ema_params, key, state.position + 1
    ), loss


# %% wrong 2: return 2 values
def answer_2(state, data):
    xs, ys = data
    key, step_key = jax.random.split(state.key)
    i = state.position % len(xs)
    loss, grads = jax.value_and_grad(noisy_loss)(
        state.params, step_key, xs[i], ys[i]
    )
    velocity = 0.9 * state.velocity + grads
    params = state.params - 0.1 * velocity
    ema_params = 0.99 * state.ema_params + 0.01 * params
    return NoisyState(params, velocity, ema_params, key, state.position + 1)


# %% wrong 2: dtype
def answer_2(state, data):
    xs, ys = data
    key, step_key = jax.random.split(state.key)
    i = state.position % len(xs)
    loss, grads = jax.value_and_grad(noisy_loss)(
        state.params, step_key, xs[i], ys[i]
    )
    velocity = 0.9 * state.velocity + grads
    params = state.params - 0.1 * velocity
    ema_params = 0.99 * state.ema_params + 0.01 * params
    return NoisyState(
        params, velocity, ema_params, key, state.position + 1.0
    ), loss


# %% wrong 2: needs the value of a tracer
def answer_2(state, data):
    xs, ys = data
    key, step_key = jax.random.split(state.key)
    i = int(state.position) % len(xs)
    loss, grads = jax.value_and_grad(noisy_loss)(
        state.params, step_key, xs[i], ys[i]
    )
    velocity = 0.9 * state.velocity + grads
    params = state.params - 0.1 * velocity
    ema_params = 0.99 * state.ema_params + 0.01 * params
    return NoisyState(
        params, velocity, ema_params, key, state.position + 1
    ), loss


# %% check 3
def attention_3(parts: list, t: int, chosen) -> np.ndarray:
    """The output of token t over the chosen tokens, with NumPy."""
    queries, keys, values = parts
    keys, values = keys[:, list(chosen)], values[:, list(chosen)]
    scores = np.einsum("bd,bld->bl", queries[:, t], keys)
    scores = np.exp(scores / keys.shape[2] ** 0.5)
    weights = scores / scores.sum(axis=1, keepdims=True)
    return np.einsum("bl,bld->bd", weights, values)


def project_3(params: dict, tokens, positions) -> list:
    """Queries, keys and values of the tokens of texts, with NumPy."""
    p = {name: np.float64(value) for name, value in params.items()}
    x = p["embedding"][tokens] + p["positions"][positions]
    return [x @ p[name] for name in ("query", "key", "value")]


def case_3(length: int, n_slots: int, batch: int, dim: int) -> tuple:
    """Params, a cache, tokens, and their projections: right ones, and by slot."""
    rng = np.random.default_rng(10 * batch + length)
    normal = lambda *shape: jnp.float32(rng.normal(size=shape))
    params = {"embedding": normal(10, dim), "positions": normal(16, dim)}
    for name in ("query", "key", "value"):
        params[name] = 0.6 * normal(dim, dim)
    used = normal(batch, n_slots, dim), normal(batch, n_slots, dim)
    tokens, places = rng.integers(0, 10, (batch, length)), np.arange(length)
    texts = [project_3(params, tokens, n) for n in (places, places % n_slots)]
    return params, Cache(*used, jnp.int32(0)), jnp.int32(tokens.T), texts


def last_3(t: int, n: int) -> list:
    """The last n tokens at token t."""
    return list(range(max(0, t - n + 1), t + 1))


def close_3(a, b) -> bool:
    """Whether two arrays are equal, up to rounding."""
    return np.allclose(a, b, rtol=1e-3, atol=1e-3)


def results_3(result, cache: Cache) -> tuple:
    """The new cache and the output of an answer, of the types that they need."""
    said = "new_cache and output · new_cache와 output입니다"
    new, output = needs_results(result, 2, said)
    assert not isinstance(output, Cache), (
        "return the state first, then the output · 반환값의 순서는 상태가 먼저이고 출력이 그다음입니다"
    )
    assert isinstance(new, Cache), (
        "the new state isn't a Cache · 새 상태가 Cache가 아닙니다"
    )
    for name, old, leaf in zip(Cache._fields, cache, new):
        was, now = list(old.shape), list(np.shape(leaf))
        assert was == now, (
            f"`{name}` has another shape after the step: {was}, then {now} · "
            f"스텝을 거치면 `{name}`의 shape이 {was}에서 {now}(으)로 바뀝니다"
        )
        assert getattr(leaf, "dtype", None) == old.dtype, (
            f"`{name}` doesn't keep its dtype, {old.dtype} · "
            f"`{name}`의 dtype이 {old.dtype}에서 달라집니다"
        )
    return new, output


def mistake_3(t: int, cache: Cache, new: Cache, output, texts: list) -> str:
    """The first mistake that gives a wrong output of token t."""
    (parts, by_slot), n = texts, cache.keys.shape[1]
    full, last = t >= n, last_3(t, n)

    def attends(chosen, of=parts, at=t):
        return close_3(output, attention_3(of, at, chosen))

    def attends_slots(of, slots):
        stored = [np.float64(of.keys), np.float64(of.values)]
        return attends(slots, [parts[0][:, t : t + 1], *stored], 0)

    mistakes = (
        (
            full and attends(range(n)),
            "the cache is full, and the new token isn't stored in it · "
            "슬롯이 다 찬 뒤에는 새 토큰이 저장되지 않습니다",
        ),
        (
            full and attends([*range(n - 1), t]),
            "the cache is full, and the newest slot is overwritten instead of the oldest · "
            "슬롯이 다 찼을 때 가장 오래된 토큰이 아니라 가장 최근의 토큰을 덮어씁니다",
        ),
        (
            full and attends([s for s in last if s % n <= t % n]),
            "slots that are filled are left out · 이미 채운 슬롯이 빠졌습니다",
        ),
        (
            not full and attends_slots(new, range(n)),
            "slots that aren't filled yet take part in the output · "
            "아직 채우지 않은 슬롯이 출력에 영향을 줍니다",
        ),
        (
            (t and n > 1 and attends(last[:-1]))
            or attends_slots(cache, range(min(t + 1, n)))
            or np.isnan(output).all(),
            "the token doesn't attend to itself · 토큰 자신이 어텐션 대상에서 빠졌습니다",
        ),
        (
            attends(last, by_slot),
            "the position of a token in the text isn't the slot's number · "
            "텍스트에서 토큰의 위치는 슬롯 번호가 아닙니다",
        ),
    )
    other = (
        f"the output isn't that of attention over the last {len(last)} tokens · "
        f"마지막 토큰 {len(last)}개에 대한 어텐션의 출력이 아닙니다"
    )
    return next((said for found, said in mistakes if found), other)


def needs_step_3(t: int, cache: Cache, result, texts: list, where: str):
    """Refuse another cache or output of token t than a right step has."""
    new, output = results_3(result, cache)
    n = cache.keys.shape[1]
    again = t + 1 >= n and new.position == (t + 1) % n
    assert not again, joined(
        where,
        "`position` starts again; it counts all the tokens · "
        "`position`이 0부터 다시 시작합니다. 토큰을 모두 세어야 합니다",
    )
    assert new.position == t + 1, joined(
        where,
        "`position` isn't the number of tokens so far · "
        "`position`이 지금까지 받은 토큰의 수가 아닙니다",
    )
    want = attention_3(texts[0], t, last_3(t, n))
    needs_shape(output, want.shape, "the output · 출력")
    right = close_3(output, want)
    assert right, joined(where, mistake_3(t, cache, new, output, texts))


def walk_3(step, cache: Cache, columns, texts: list, where: str) -> tuple:
    """The caches and the outputs of a right step, from the first token on."""
    caches, outputs = [cache], []
    for t, token in enumerate(columns):
        result = call_answer(step, caches[t], token)
        needs_step_3(t, caches[t], result, texts, where.format(t=t))
        caches.append(result[0])
        outputs.append(result[1])
    return caches, outputs


def check_3(answer) -> None:
    """Compare with attention over the last tokens, on long texts."""
    needs_function(answer, "answer_3(params, cache, token)")
    with jax.default_matmul_precision("highest"):
        for length, n, *sizes in (9, 4, 3, 4), (5, 5, 1, 6), (7, 1, 2, 4):
            params, begin, columns, texts = case_3(length, n, *sizes)
            step = lambda cache, token: answer(params, cache, token)
            where = (
                f"{n} slots, token {{t}}: · 슬롯이 {n}개일 때 {{t}}번 토큰:"
            )
            caches, outputs = walk_3(step, begin, columns, texts, where)
            half = length // 2
            cache = caches[half]  # resume in mid-text
            for t in range(half, length):
                cache, output = step(cache, columns[t])
                assert close_3(output, outputs[t]), (
                    f"resumed from the cache kept at token {half}, token {t} has another output: "
                    f"is anything kept outside the cache? · {half}번 토큰에서 보관한 캐시로 재개하면 {t}번 "
                    "토큰의 출력이 달라집니다. 캐시 밖에 두고 사용하는 값이 있나요?"
                )
            traces = []
            jitted = jax.jit(lambda *now: (traces.append(t), step(*now))[1])
            where = "under jit, token {t}: · jit에서 {t}번 토큰:"
            walk_3(jitted, begin, columns, texts, where)
            assert len(traces) == 1, (
                f"the function was traced {len(traces)} times for {length} tokens: a dtype or a "
                f"weak type changes · 토큰 {length}개를 처리하면서 {len(traces)}번 트레이싱합니다. dtype이나 약한 "
                "타입(4장)이 바뀌지 않나요?"
            )
            body = lambda *now: tuple(step(*now))
            _, scanned = jax.lax.scan(body, begin, columns)
            for t in range(length):
                want = attention_3(texts[0], t, last_3(t, n))
                assert close_3(scanned[t], want), (
                    f"in a scan the output of token {t} isn't right · "
                    f"scan에서 {t}번 토큰의 출력이 올바르지 않습니다"
                )


# %% solution 3
def window_step(params: dict, cache: Cache, token: jax.Array) -> tuple:
    """Overwrite the oldest slot; attend to the slots filled so far."""
    t, n_slots = cache.position, cache.keys.shape[1]
    query, key, value = project(params, token, t)
    keys = cache.keys.at[:, t % n_slots].set(key)
    values = cache.values.at[:, t % n_slots].set(value)
    filled = jnp.arange(n_slots) <= t  # all of them, once t >= n_slots
    output = attend(query, keys, values, filled)
    return Cache(keys, values, t + 1), output


judge(3, check_3, window_step)


# %% right 3
@jax.jit
def answer_3(params, cache, token):
    t, n = cache.position, cache.keys.shape[1]
    query, key, value = project(params, token, t)
    keys = cache.keys.at[:, t % n].set(key)
    values = cache.values.at[:, t % n].set(value)
    filled = jnp.arange(n) <= t
    output = attend(query, keys, values, filled)
    return Cache(keys, values, t + 1), output


def answer_3(params, cache, token):
    t, n = cache.position, cache.keys.shape[1]
    query, key, value = project(params, token, t)
    keys = jnp.roll(cache.keys, -1, axis=1).at[:, -1].set(key)
    values = jnp.roll(cache.values, -1, axis=1).at[:, -1].set(value)
    filled = jnp.arange(n) >= n - 1 - t
    output = attend(query, keys, values, filled)
    return Cache(keys, values, t + 1), output


def answer_3(params, cache, token):
    t, n = cache.position, cache.keys.shape[1]
    query, key, value = project(params, token, t)
    keys = jnp.concatenate([cache.keys[:, 1:], key[:, None]], axis=1)
    values = jnp.concatenate([cache.values[:, 1:], value[:, None]], axis=1)
    filled = jnp.arange(n)[::-1] <= t
    output = attend(query, keys, values, filled)
    return Cache(keys, values, t + 1), output


def answer_3(params, cache, token):
    t, n = cache.position, cache.keys.shape[1]
    query, key, value = project(params, token, t)
    keys = jnp.where(
        (jnp.arange(n) == t % n)[:, None], key[:, None], cache.keys
    )
    values = jnp.where(
        (jnp.arange(n) == t % n)[:, None], value[:, None], cache.values
    )
    filled = jnp.arange(n) <= t
    output = attend(query, keys, values, filled)
    return Cache(keys, values, t + 1), output


def answer_3(params, cache, token):
    t, n = cache.position, cache.keys.shape[1]
    query, key, value = project(params, token, t)
    keys = jax.lax.dynamic_update_slice(
        cache.keys, key[:, None], (0, t % n, 0)
    )
    values = jax.lax.dynamic_update_slice(
        cache.values, value[:, None], (0, t % n, 0)
    )
    filled = (jnp.arange(n) < t + 1) | (t >= n)
    output = attend(query, keys, values, filled)
    return [Cache(keys, values, jnp.int32(t + 1)), output]


# %% wrong 3: isn't stored
answer_3 = fixed_step


# %% wrong 3: the newest slot is overwritten
def answer_3(params, cache, token):
    t, n = cache.position, cache.keys.shape[1]
    query, key, value = project(params, token, t)
    keys = jax.lax.dynamic_update_slice(cache.keys, key[:, None], (0, t, 0))
    values = jax.lax.dynamic_update_slice(
        cache.values, value[:, None], (0, t, 0)
    )
    filled = jnp.arange(n) <= t
    output = attend(query, keys, values, filled)
    return Cache(keys, values, t + 1), output


# %% wrong 3: starts again
def answer_3(params, cache, token):
    t, n = cache.position, cache.keys.shape[1]
    query, key, value = project(params, token, t)
    keys = cache.keys.at[:, t % n].set(key)
    values = cache.values.at[:, t % n].set(value)
    filled = jnp.arange(n) <= t
    output = attend(query, keys, values, filled)
    return Cache(keys, values, (t + 1) % n), output


# %% wrong 3: the number of tokens so far
def answer_3(params, cache, token):
    t, n = cache.position, cache.keys.shape[1]
    query, key, value = project(params, token, t)
    keys = cache.keys.at[:, t % n].set(key)
    values = cache.values.at[:, t % n].set(value)
    filled = jnp.arange(n) <= t
    output = attend(query, keys, values, filled)
    return Cache(keys, values, t), output


# %% wrong 3: the slot's number
def answer_3(params, cache, token):
    t, n = cache.position, cache.keys.shape[1]
    query, key, value = project(params, token, t % n)
    keys = cache.keys.at[:, t % n].set(key)
    values = cache.values.at[:, t % n].set(value)
    filled = jnp.arange(n) <= t
    output = attend(query, keys, values, filled)
    return Cache(keys, values, t + 1), output


# %% wrong 3: are left out
def answer_3(params, cache, token):
    t, n = cache.position, cache.keys.shape[1]
    query, key, value = project(params, token, t)
    keys = cache.keys.at[:, t % n].set(key)
    values = cache.values.at[:, t % n].set(value)
    filled = jnp.arange(n) <= t % n
    output = attend(query, keys, values, filled)
    return Cache(keys, values, t + 1), output


# %% wrong 3: aren't filled yet
def answer_3(params, cache, token):
    t, n = cache.position, cache.keys.shape[1]
    query, key, value = project(params, token, t)
    keys = cache.keys.at[:, t % n].set(key)
    values = cache.values.at[:, t % n].set(value)
    filled = jnp.ones(n, bool)
    output = attend(query, keys, values, filled)
    return Cache(keys, values, t + 1), output


# %% wrong 3: attend to itself
def answer_3(params, cache, token):
    t, n = cache.position, cache.keys.shape[1]
    query, key, value = project(params, token, t)
    keys = cache.keys.at[:, t % n].set(key)
    values = cache.values.at[:, t % n].set(value)
    filled = jnp.arange(n) < t
    output = attend(query, keys, values, filled)
    return Cache(keys, values, t + 1), output


def answer_3(params, cache, token):
    t, n = cache.position, cache.keys.shape[1]
    query, key, value = project(params, token, t)
    keys = cache.keys.at[:, t % n].set(key)
    values = cache.values.at[:, t % n].set(value)
    filled = jnp.arange(n) <= t
    output = attend(query, cache.keys, cache.values, filled)
    return Cache(keys, values, t + 1), output


# %% wrong 3: isn't that of attention
def answer_3(params, cache, token):
    t, n = cache.position, cache.keys.shape[1]
    query, key, value = project(params, token, t)
    keys = jnp.concatenate([cache.keys, key[:, None]], axis=1)[:, -n:]
    values = jnp.concatenate([cache.values, value[:, None]], axis=1)[:, -n:]
    filled = jnp.arange(n) <= t
    output = attend(query, keys, values, filled)
    return Cache(keys, values, t + 1), output


# %% wrong 3: has another shape
def answer_3(params, cache, token):
    t, n = cache.position, cache.keys.shape[1]
    query, key, value = project(params, token, t)
    keys = jnp.concatenate([cache.keys, key[:, None]], axis=1)
    values = jnp.concatenate([cache.values, value[:, None]], axis=1)
    filled = jnp.arange(n + 1) <= t
    output = attend(query, keys, values, filled)
    return Cache(keys, values, t + 1), output


# %% wrong 3: state first
def answer_3(params, cache, token):
    t, n = cache.position, cache.keys.shape[1]
    query, key, value = project(params, token, t)
    keys = cache.keys.at[:, t % n].set(key)
    values = cache.values.at[:, t % n].set(value)
    filled = jnp.arange(n) <= t
    output = attend(query, keys, values, filled)
    return output, Cache(keys, values, t + 1)


# %% wrong 3: return 2 values
def answer_3(params, cache, token):
    t, n = cache.position, cache.keys.shape[1]
    query, key, value = project(params, token, t)
    keys = cache.keys.at[:, t % n].set(key)
    values = cache.values.at[:, t % n].set(value)
    filled = jnp.arange(n) <= t
    output = attend(query, keys, values, filled)
    return Cache(keys, values, t + 1)


# %% wrong 3: returns nothing
def answer_3(params, cache, token):
    t, n = cache.position, cache.keys.shape[1]
    query, key, value = project(params, token, t)
    keys = cache.keys.at[:, t % n].set(key)
    values = cache.values.at[:, t % n].set(value)
    filled = jnp.arange(n) <= t
    output = attend(query, keys, values, filled)
    Cache(keys, values, t + 1), output


# %% wrong 3: isn't a Cache
def answer_3(params, cache, token):
    t, n = cache.position, cache.keys.shape[1]
    query, key, value = project(params, token, t)
    keys = cache.keys.at[:, t % n].set(key)
    values = cache.values.at[:, t % n].set(value)
    filled = jnp.arange(n) <= t
    output = attend(query, keys, values, filled)
    return (keys, values, t + 1), output


# %% wrong 3: needs the value of a tracer
def answer_3(params, cache, token):
    t, n = cache.position, cache.keys.shape[1]
    query, key, value = project(params, token, t)
    keys = cache.keys.at[:, t % n].set(key)
    values = cache.values.at[:, t % n].set(value)
    m = min(int(t) + 1, n)
    output = attend(query, keys[:, :m], values[:, :m], jnp.ones(m, bool))
    return Cache(keys, values, t + 1), output


# %% wrong 3: dtype
def answer_3(params, cache, token):
    t, n = cache.position, cache.keys.shape[1]
    query, key, value = project(params, token, t)
    keys = cache.keys.at[:, t % n].set(key)
    values = cache.values.at[:, t % n].set(value)
    filled = jnp.arange(n) <= t
    output = attend(query, keys, values, filled)
    return Cache(keys, values, t + 1.0), output


# %% wrong 3: outside the cache
n_calls = []


def answer_3(params, cache, token):
    t, n = cache.position, cache.keys.shape[1]
    query, key, value = project(params, token, t)
    slot = len(n_calls) % n
    n_calls.append(0)
    if t == 0:
        slot = 0
        n_calls[:] = [0]
    keys = cache.keys.at[:, slot].set(key)
    values = cache.values.at[:, slot].set(value)
    filled = jnp.arange(n) <= t
    output = attend(query, keys, values, filled)
    return Cache(keys, values, t + 1), output
