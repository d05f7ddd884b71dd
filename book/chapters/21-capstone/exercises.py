"""What judges the answers to the exercises of this chapter, and answers to try it with."""


# %% check 1
def check_1(answer) -> None:
    """Lose each field at step 30; compare after 20 more steps."""
    lost = ("batch_stats", "ema_params", "key", "step")
    assert isinstance(answer, dict), (
        "the answer is a dict from the lost field to a set of fields",
        "답은 딕셔너리여야 합니다. 키는 되돌린 필드의 이름, 값은 필드 이름의 "
        "집합입니다",
    )
    assert set(answer) == set(lost), (
        f"the keys of the dict must be {', '.join(lost)}",
        f"딕셔너리의 키는 다음 네 개여야 합니다: {', '.join(lost)}",
    )
    for name, fields in answer.items():
        assert isinstance(fields, (set, frozenset, list, tuple)), (
            f"{name}: a set of field names is needed",
            f"{name}: 필드 이름의 집합으로 답하세요",
        )
        unknown = [f for f in fields if f not in TrainState._fields]
        assert not unknown, (
            f"{name}: {unknown[0]!r} isn't a field of TrainState",
            f"{name}: {unknown[0]!r}은(는) TrainState의 필드가 아닙니다",
        )
    rng = np.random.default_rng(3)
    pixels = jnp.float32(rng.random((200, 64)))
    examples = pixels, jnp.int32(rng.integers(0, 10, 200))
    start = init(jax.random.key(5))
    stopped, _ = run(train_step, start, examples, 30)
    full, _ = run(train_step, stopped, examples, 20)
    for name in lost:
        state = stopped._replace(**{name: getattr(start, name)})
        state, _ = run(train_step, state, examples, 20)
        truth = {path.split("/")[0] for path in different(full, state)}
        assert name in answer[name], (
            f"{name}: does the field that was lost get back to the right "
            "value?",
            f"{name}: 되돌린 필드의 값은 20스텝 뒤에 중단하지 않은 학습과 "
            "같아지나요?",
        )
        assert set(answer[name]) <= truth, (
            f"{name}: you name a field that doesn't differ; does anything "
            f"that {name} changes reach it?",
            f"{name}: 다르지 않은 필드가 답에 있습니다. {name}의 값이 그 "
            "필드까지 전해지나요?",
        )
        assert set(answer[name]) == truth, (
            f"{name}: another field differs as well; follow the loss, its "
            "gradients and all that is computed from them",
            f"{name}: 다른 필드가 더 있습니다. 손실과 기울기, 그리고 그것으로 "
            "계산하는 값을 따라가 보세요",
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
def check_2(answer) -> None:
    """Compare each part of the state with the right one, from mid-run."""
    assert callable(answer), (
        "answer_2 must be a function of (state, data)",
        "(state, data)로 호출할 함수가 필요합니다",
    )

    def loss_at(params, key, data, n):
        xs, ys = data
        x, y = xs[n % len(xs)], ys[n % len(xs)]
        x = x + 0.3 * jax.random.normal(key, x.shape)
        return jnp.mean((x @ params - y) ** 2)

    def right(state, data):
        key, step_key = jax.random.split(state.key)
        n = int(state.position)
        loss, grads = jax.value_and_grad(loss_at)(
            state.params, step_key, data, n
        )
        velocity = 0.9 * state.velocity + grads
        params = state.params - 0.1 * velocity
        ema = 0.99 * state.ema_params + 0.01 * params
        return NoisyState(params, velocity, ema, key, jnp.int32(n + 1)), loss

    close = lambda a, b: np.allclose(a, b, rtol=1e-4, atol=1e-5)
    data_of = jax.random.key_data

    def compare(state, data, result, where):
        assert result is not None, (
            "the function returns nothing: is there a `return`?",
            "함수가 아무것도 반환하지 않습니다. `return`이 있나요?",
        )
        pair = type(result) in (tuple, list) and len(result) == 2
        assert pair, (
            "the function must return a pair, (new_state, loss)",
            "함수는 (new_state, loss) 쌍을 반환해야 합니다",
        )
        new, loss = result
        assert not isinstance(loss, NoisyState), (
            "return the state first, then the loss",
            "반환값의 순서는 상태가 먼저이고 손실이 그다음입니다",
        )
        assert isinstance(new, NoisyState), (
            "the new state isn't a NoisyState",
            "새 상태가 NoisyState가 아닙니다",
        )
        want, want_loss = right(state, data)
        for name, old, leaf in zip(NoisyState._fields, state, new):
            assert hasattr(leaf, "dtype") and hasattr(leaf, "shape"), (
                f"`{name}` isn't an array",
                f"`{name}`이(가) 배열이 아닙니다",
            )
            same = leaf.shape == old.shape and leaf.dtype == old.dtype
            assert same, (
                f"`{name}` had dtype and shape {old.dtype}"
                f"{list(old.shape)} and now has {leaf.dtype}"
                f"{list(leaf.shape)}",
                f"`{name}`의 dtype과 shape이 {old.dtype}{list(old.shape)}에서 "
                f"{leaf.dtype}{list(leaf.shape)}(으)로 바뀝니다",
            )
        key, step_key = jax.random.split(state.key)
        for name, old, leaf in zip(NoisyState._fields, state, new):
            assert bits(old) != bits(leaf), (
                f"{where[0]}: `{name}` still has its old value, so the step's "
                "update to it is lost",
                f"{where[1]}: `{name}`이(가) 이전 값 그대로입니다. 이번 스텝의 "
                "업데이트가 사라집니다",
            )
        assert (data_of(new.key) != data_of(step_key)).any(), (
            "the new state has the key that the noise was drawn with; each "
            "key is for one use",
            "새 상태의 키가 노이즈를 뽑을 때 사용한 키입니다. 키는 한 번만 "
            "사용해야 합니다",
        )
        assert (data_of(new.key) == data_of(key)).all(), (
            f"{where[0]}: `key` isn't the one that the split makes",
            f"{where[1]}: `key`가 분할해서 얻은 키가 아닙니다",
        )
        assert int(new.position) == int(want.position), (
            f"{where[0]}: `position` isn't the number of batches drawn",
            f"{where[1]}: `position`이 지금까지 꺼낸 배치의 수가 아닙니다",
        )
        assert np.shape(loss) == (), (
            f"the loss must be a single number, not of shape {np.shape(loss)}",
            f"손실은 수 하나여야 하는데 shape이 {np.shape(loss)}입니다",
        )
        n, old = int(state.position), state.params
        assert not close(loss, loss_at(old, state.key, data, n)), (
            f"{where[0]}: the noise is drawn with the key of the state, which "
            "was split: use the new one",
            f"{where[1]}: 이미 분할한 상태의 키로 노이즈를 뽑았습니다. 분할해서 "
            "얻은 키를 사용하세요",
        )
        assert not close(loss, loss_at(want.params, step_key, data, n)), (
            "the loss is the one after the update",
            "손실이 업데이트한 뒤의 값입니다",
        )
        assert close(loss, want_loss), (
            f"{where[0]}: the loss isn't that of the batch at position {n} "
            f"with {len(data[0])} batches",
            f"{where[1]}: 배치가 {len(data[0])}개일 때 위치 {n}에 있는 배치의 "
            "손실이 아닙니다",
        )
        for name in ("velocity", "params", "ema_params"):
            assert close(getattr(new, name), getattr(want, name)), (
                f"{where[0]}: `{name}` isn't right; which old and new values "
                "is it made of?",
                f"{where[1]}: `{name}`이(가) 올바르지 않습니다. 어떤 이전 값과 "
                "새 값으로 계산하나요?",
            )

    rng = np.random.default_rng(8)
    normal = lambda *shape: jnp.float32(rng.normal(size=shape))

    def check_case(n_batches, size, dim, first):
        data = normal(n_batches, size, dim), 2 * normal(n_batches, size)
        state = NoisyState(
            normal(dim),
            normal(dim),
            normal(dim),
            jax.random.key(first),
            jnp.int32(first),
        )
        begin = state
        for _ in range(4):
            n = int(state.position)
            where = f"from position {n}", f"위치 {n}에서 시작한 스텝"
            compare(state, data, answer(state, data), where)
            state, _ = right(state, data)
        try:
            result = jax.jit(lambda s, d: tuple(answer(s, d)))(begin, data)
            scanned, _ = jax.lax.scan(
                lambda s, _: tuple(answer(s, data)), begin, None, length=4
            )
        except Exception as error:
            reason = f"{type(error).__name__}: {error}".split("\n")[0][:70]
            raise AssertionError(
                (
                    "it works when called directly, but fails under jit "
                    "or in a scan: " + reason,
                    "그대로 호출하면 동작하지만 jit이나 scan에서는 오류가 납니다. "
                    + reason,
                )
            ) from None
        compare(begin, data, result, ("under jit", "jit을 적용한 스텝"))
        for name in ("params", "velocity", "ema_params"):
            assert close(getattr(scanned, name), getattr(state, name)), (
                f"in a scan, `{name}` isn't right after 4 steps",
                f"scan으로 4스텝을 실행하면 `{name}`이(가) 올바르지 않습니다",
            )

    with jax.default_matmul_precision("highest"):
        for case in (3, 4, 2, 1), (2, 1, 4, 7):
            check_case(*case)


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


# %% wrong 2: a pair
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


# %% wrong 2: or in a scan
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
def check_3(answer) -> None:
    """Compare with attention over the last tokens, on long texts."""
    assert callable(answer), (
        "answer_3 must be a function of (params, cache, token)",
        "(params, cache, token)으로 호출할 함수가 필요합니다",
    )

    def attention(parts, t, chosen):
        """The output of token t over the chosen tokens, with NumPy."""
        queries, keys, values = parts
        keys, values = keys[:, chosen], values[:, chosen]
        scores = np.einsum("bd,bld->bl", queries[:, t], keys)
        scores = np.exp(scores / keys.shape[2] ** 0.5)
        weights = scores / scores.sum(axis=1, keepdims=True)
        return np.einsum("bl,bld->bd", weights, values)

    def project_all(params, tokens, positions):
        p = {name: np.float64(value) for name, value in params.items()}
        x = p["embedding"][tokens] + p["positions"][positions]
        return [x @ p[name] for name in ("query", "key", "value")]

    def compare(cache, t, result, parts, mistaken, at):
        assert result is not None, (
            "the function returns nothing: is there a `return`?",
            "함수가 아무것도 반환하지 않습니다. `return`이 있나요?",
        )
        pair = type(result) in (tuple, list) and len(result) == 2
        assert pair, (
            "the function must return a pair, (new_cache, output)",
            "함수는 (new_cache, output) 쌍을 반환해야 합니다",
        )
        new, output = result
        assert not isinstance(output, Cache), (
            "return the state first, then the output",
            "반환값의 순서는 상태가 먼저이고 출력이 그다음입니다",
        )
        assert isinstance(new, Cache), (
            "the new state isn't a Cache",
            "새 상태가 Cache가 아닙니다",
        )
        for name, old, leaf in zip(Cache._fields, cache, new):
            assert np.shape(leaf) == old.shape, (
                f"`{name}` has another shape after the step: "
                f"{list(old.shape)}, then {list(np.shape(leaf))}",
                f"스텝을 거치면 `{name}`의 shape이 {list(old.shape)}에서 "
                f"{list(np.shape(leaf))}(으)로 바뀝니다",
            )
            assert getattr(leaf, "dtype", None) == old.dtype, (
                f"`{name}` doesn't keep its dtype, {old.dtype}",
                f"`{name}`의 dtype이 {old.dtype}에서 달라집니다",
            )
        n = cache.keys.shape[1]
        position = int(new.position)
        assert not (t + 1 >= n and position == (t + 1) % n), (
            f"{at[0]}: `position` starts again; it counts all the tokens",
            f"{at[1]}: `position`이 0부터 다시 시작합니다. 토큰을 모두 세어야 "
            "합니다",
        )
        assert position == t + 1, (
            f"{at[0]}: `position` isn't the number of tokens so far",
            f"{at[1]}: `position`이 지금까지 받은 토큰의 수가 아닙니다",
        )
        last = list(range(max(0, t - n + 1), t + 1))
        want = attention(parts, t, last)
        assert np.shape(output) == want.shape, (
            f"the output has shape {list(np.shape(output))}; one vector per "
            f"text is {list(want.shape)}",
            f"출력의 shape이 {list(np.shape(output))}입니다. 텍스트마다 벡터가 "
            f"하나씩이므로 {list(want.shape)}이어야 합니다",
        )
        close = lambda other: np.allclose(output, other, rtol=1e-3, atol=1e-3)
        if close(want):
            return
        attends = lambda chosen: close(attention(parts, t, chosen))
        if t >= n:
            assert not attends(list(range(n))), (
                f"{at[0]}: the cache is full, and the new token isn't stored "
                "in it",
                f"{at[1]}: 슬롯이 다 찬 뒤에는 새 토큰이 저장되지 않습니다",
            )
            assert not attends([*range(n - 1), t]), (
                f"{at[0]}: the cache is full, and the newest slot is "
                "overwritten instead of the oldest",
                f"{at[1]}: 슬롯이 다 찼을 때 가장 오래된 토큰이 아니라 가장 "
                "최근의 토큰을 덮어씁니다",
            )
            assert not attends([s for s in last if s % n <= t % n]), (
                f"{at[0]}: slots that are filled are left out",
                f"{at[1]}: 이미 채운 슬롯이 빠졌습니다",
            )
        keys, values = np.float64(new.keys), np.float64(new.values)
        slots = [parts[0][:, t : t + 1], keys, values]
        assert not close(attention(slots, 0, list(range(n)))) or t >= n, (
            f"{at[0]}: slots that aren't filled yet take part in the output",
            f"{at[1]}: 아직 채우지 않은 슬롯이 출력에 영향을 줍니다",
        )
        old = [parts[0][:, t : t + 1], np.float64(cache.keys)]
        old.append(np.float64(cache.values))
        itself = last[:-1] and attends(last[:-1])
        itself = itself or close(attention(old, 0, list(range(min(t + 1, n)))))
        assert not itself and not np.isnan(output).all(), (
            f"{at[0]}: the token doesn't attend to itself",
            f"{at[1]}: 토큰 자신이 어텐션 대상에서 빠졌습니다",
        )
        assert not close(attention(mistaken, t, last)), (
            f"{at[0]}: the position of a token in the text isn't the slot's "
            "number",
            f"{at[1]}: 텍스트에서 토큰의 위치는 슬롯 번호가 아닙니다",
        )
        raise AssertionError(
            (
                f"{at[0]}: the output isn't that of attention over the last "
                f"{len(last)} tokens",
                f"{at[1]}: 마지막 토큰 {len(last)}개에 대한 어텐션의 출력이 "
                "아닙니다",
            )
        )

    def check_case(batch, length, n_slots, dim):
        rng = np.random.default_rng(10 * batch + length)
        normal = lambda *shape: jnp.float32(rng.normal(size=shape))
        table, places = normal(10, dim), normal(16, dim)
        params = {"embedding": table, "positions": places}
        for name in ("query", "key", "value"):
            params[name] = 0.6 * normal(dim, dim)
        used = normal(batch, n_slots, dim), normal(batch, n_slots, dim)
        begin = Cache(*used, jnp.int32(0))
        tokens = rng.integers(0, 10, (batch, length))
        columns = jnp.int32(tokens.T)
        places = np.arange(length)
        parts = project_all(params, tokens, places)
        mistaken = project_all(params, tokens, places % n_slots)
        caches, outputs = [begin], []
        for t in range(length):
            where = f"{n_slots} slots, token {t}"
            where = where, f"슬롯이 {n_slots}개일 때 {t}번 토큰"
            result = answer(params, caches[t], columns[t])
            compare(caches[t], t, result, parts, mistaken, where)
            caches.append(result[0])
            outputs.append(result[1])
        cache = caches[length // 2]  # resume in mid-text
        for t in range(length // 2, length):
            cache, output = answer(params, cache, columns[t])
            assert np.allclose(output, outputs[t], rtol=1e-3, atol=1e-3), (
                f"resumed from the cache kept at token {length // 2}, token "
                f"{t} has another output: is anything kept outside the cache?",
                f"{length // 2}번 토큰에서 보관한 캐시로 재개하면 {t}번 토큰의 "
                "출력이 달라집니다. 캐시 밖에 두고 사용하는 값이 있나요?",
            )
        traced = []

        @jax.jit
        def step(cache, token):
            traced.append(token)
            return tuple(answer(params, cache, token))

        try:
            _, scanned = jax.lax.scan(step, begin, columns)
            traced.clear()
            step.clear_cache()
            cache = begin
            for t in range(length):
                where = f"under jit, token {t}", f"jit에서 {t}번 토큰"
                result = step(cache, columns[t])
                compare(cache, t, result, parts, mistaken, where)
                cache = result[0]
        except AssertionError:
            raise
        except Exception as error:
            reason = f"{type(error).__name__}: {error}".split("\n")[0][:70]
            raise AssertionError(
                (
                    "it works when called directly, but fails under jit "
                    "or in a scan: " + reason,
                    "그대로 호출하면 동작하지만 jit이나 scan에서는 오류가 납니다. "
                    + reason,
                )
            ) from None
        assert len(traced) == 1, (
            f"the function was traced {len(traced)} times for {length} "
            "tokens: a dtype or a weak type changes",
            f"토큰 {length}개를 처리하면서 {len(traced)}번 트레이싱합니다. "
            "dtype이나 약한 타입(4장)이 바뀌지 않나요?",
        )
        for t in range(length):
            last = list(range(max(0, t - n_slots + 1), t + 1))
            want = attention(parts, t, last)
            assert np.allclose(scanned[t], want, rtol=1e-3, atol=1e-3), (
                f"in a scan the output of token {t} isn't right",
                f"scan에서 {t}번 토큰의 출력이 올바르지 않습니다",
            )

    with jax.default_matmul_precision("highest"):
        for case in (3, 9, 4, 4), (1, 5, 5, 6), (2, 7, 1, 4):
            check_case(*case)


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


# %% wrong 3: a pair
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


# %% wrong 3: under jit
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
