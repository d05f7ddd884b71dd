"""What judges the answers to the exercises of this chapter, and answers to try it with."""


# %% check 1
def truth_1() -> tuple:
    """Draw from the two keys of each pair; return which draws are equal."""
    key = jax.random.key(7)
    a, b = jax.random.split(key)
    pairs = (
        (a, b),
        (a, a),
        (a, jax.random.split(key)[0]),
        (key, a),
        (key, jax.random.key(7)),
    )
    return tuple(
        bool(jax.random.normal(one) == jax.random.normal(two))
        for one, two in pairs
    )


def check_1(answer) -> None:
    """Compare five predictions with the draws."""
    truth = truth_1()
    try:
        parts = list(answer)
        guess = [bool(part) for part in parts if part in (True, False)]
    except (TypeError, ValueError):
        parts = guess = []
    assert len(parts) == len(guess) == 5, (
        "five values are needed, each True or False",
        "True나 False 다섯 개가 필요합니다",
    )
    hints = (
        (
            "what is split for, if not for different numbers?",
            "서로 다른 난수를 얻으려고 split을 쓴다는 점을 떠올려 보세요",
        ),
        ("does drawing change the key?", "난수를 뽑으면 키가 바뀌나요?"),
        (
            "the same key is split twice: is split a pure function?",
            "같은 키를 두 번 분할합니다. split은 순수 함수인가요?",
        ),
        (
            "are a key and the first of its two new keys the same key?",
            "원래 키와 분할해 얻은 첫 번째 키는 같은 키인가요?",
        ),
        (
            "the same seed makes which key?",
            "시드가 같으면 어떤 키가 만들어지나요?",
        ),
    )
    for number in range(5):
        assert guess[number] == truth[number], (
            f"pair {number + 1} isn't {guess[number]}: {hints[number][0]}",
            f"{number + 1}번 쌍의 답이 다릅니다. {hints[number][1]}",
        )


# %% solution 1
# a, b and key are three keys. Drawing and splitting change none of them, and
# a key depends on its seed and on how it was split, not on when.
judge(1, check_1, (False, True, True, False, True))


# %% wrong 1: pair 2 isn
answer_1 = (False, False, True, False, True)


# %% wrong 1: is split a pure function
answer_1 = (False, True, False, False, True)


# %% wrong 1: are a key and the first of its two new keys the same key
answer_1 = (False, True, True, True, True)


# %% wrong 1: the same seed makes which key
answer_1 = (False, True, True, False, False)


# %% wrong 1: pair 1 isn
answer_1 = (True, True, True, True, True)


# %% wrong 1: five values are needed
answer_1 = True
answer_1 = (False, True, True)
answer_1 = (False, True, True, False, True, None)


# %% check 2
def check_2(answer) -> None:
    """Compare one step, plain and under jit, with a gradient by hand."""
    assert callable(answer), (
        "a function answer_2(params, batch) is needed",
        "함수 answer_2(params, batch)가 필요합니다",
    )
    for count, features in ((5, 3), (8, 2), (3, 3)):
        rng = np.random.default_rng(count)
        xs = rng.normal(size=(count, features))
        ys, weight = rng.normal(size=count), rng.normal(size=features)
        bias = rng.normal()
        error = xs @ weight + bias - ys
        old = {"weight": weight, "bias": bias}
        grads = {"weight": 2 * error @ xs / count, "bias": 2 * error.mean()}
        values = {"before": np.mean(error**2)}
        new = {name: old[name] - 0.1 * grads[name] for name in old}
        values["after"] = np.mean((xs @ new["weight"] + new["bias"] - ys) ** 2)
        batch = jnp.float32(xs), jnp.float32(ys)
        for function in (answer, jax.jit(answer)):
            params = {name: jnp.float32(old[name]) for name in old}
            try:
                result = function(params, batch)
            except jax.errors.ConcretizationTypeError:
                raise AssertionError(
                    (
                        "a value isn't known yet under jit: float or if used?",
                        "jit을 적용하면 아직 값을 모릅니다. float나 if를 썼나요?",
                    )
                ) from None
            except jax.errors.TracerArrayConversionError:
                raise AssertionError(
                    (
                        "a tracer can't become a NumPy array: use jnp instead",
                        "트레이서는 NumPy 배열로 바꿀 수 없습니다. jnp를 쓰세요",
                    )
                ) from None
            except (TypeError, ValueError) as error:
                assert "scalar-output" not in str(error), (
                    "grad needs a scalar: is the loss one number?",
                    "grad에는 스칼라가 필요합니다. 손실이 수 하나인가요?",
                )
                assert "shape" not in str(error), (
                    "shapes don't fit: a prediction is one number per row",
                    "shape이 맞지 않습니다. 예측값은 행마다 수 하나입니다",
                )
                raise
            assert result is not None, (
                "the function returns nothing: is there a return?",
                "함수가 아무것도 반환하지 않습니다. return이 있나요?",
            )
            assert type(result) is tuple and len(result) == 2, (
                "a step returns a tuple of two: new params and the loss",
                "스텝은 새 파라미터와 손실, 두 값을 튜플로 반환합니다",
            )
            kinds = [isinstance(part, dict) for part in result]
            assert kinds != [False, True], (
                "the results are in the wrong order: the state comes first",
                "결과 두 개의 순서가 바뀌었습니다. 상태가 먼저입니다",
            )
            assert all(
                params[name] is not None
                and np.allclose(params[name], old[name], atol=1e-5)
                for name in old
            ), (
                "the dict that came in was changed: make a new one",
                "인수로 받은 딕셔너리가 바뀌었습니다. 새로 만들어 반환하세요",
            )
            compare_2(result, old, grads, new, values, count)


def compare_2(result, old, grads, new, values, count) -> None:
    """Compare the results of one call; name the likely mistake."""
    params, value = result
    close = lambda a, b: np.allclose(a, b, rtol=1e-3, atol=1e-4)
    near = lambda tree: all(close(params[name], tree[name]) for name in old)
    moved = lambda rate: {k: old[k] - rate * grads[k] for k in old}
    assert isinstance(params, dict) and params.keys() == old.keys(), (
        "the new params aren't a dict with weight and bias",
        "새 파라미터가 weight와 bias를 담은 딕셔너리가 아닙니다",
    )
    for name in old:
        assert np.shape(params[name]) == np.shape(old[name]), (
            f"the shape of {name} changes to {np.shape(params[name])}",
            f"{name}의 shape이 {np.shape(params[name])}(으)로 바뀝니다",
        )
    assert not near(moved(0)), (
        "the params don't change: is a gradient subtracted?",
        "파라미터가 그대로입니다. 기울기를 뺐나요?",
    )
    assert not near(moved(-0.1)), (
        "the step goes uphill: look at the sign",
        "손실이 커지는 방향입니다. 부호를 살펴보세요",
    )
    assert not near(moved(0.1 * count)), (
        "the errors are added up, not averaged",
        "오차 제곱의 평균이 아니라 합을 썼습니다",
    )
    assert not near(moved(1)), (
        "the learning rate is missing",
        "기울기를 그대로 뺐습니다. 학습률은 어디에 있나요?",
    )
    assert not near(moved(0.005)), (
        "the learning rate is 0.1 here",
        "여기서 학습률은 0.1입니다",
    )
    assert not near(grads), (
        "these are the gradients, not the new params",
        "새 파라미터가 아니라 기울기입니다",
    )
    for one, other in (("weight", "bias"), ("bias", "weight")):
        assert not (
            close(params[one], new[one]) and close(params[other], old[other])
        ), (f"only the {one} is updated", f"{one}만 업데이트되었습니다")
    assert not near(moved(0.05)), (
        "this is half of the step: compare the loss with the definition",
        "절반만 움직였습니다. 손실을 정의와 비교해 보세요",
    )
    assert near(new), (
        "the new params aren't those of one step on the mean squared error",
        "평균 제곱 오차로 한 스텝 나아간 파라미터가 아닙니다",
    )
    assert not isinstance(value, dict) and np.shape(value) == (), (
        f"the loss has shape {np.shape(value)}: it should be one number",
        f"손실의 shape이 {np.shape(value)}입니다. 수 하나여야 합니다",
    )
    assert not close(value, values["after"]), (
        "this is the loss after the step; the one before it is needed",
        "스텝을 마친 뒤의 손실입니다. 스텝을 시작할 때의 손실이 필요합니다",
    )
    assert close(value, values["before"]), (
        "the params are right; the loss isn't the mean squared error",
        "파라미터는 맞지만 손실이 평균 제곱 오차가 아닙니다",
    )


# %% solution 2
def loss_2(params: dict, batch) -> jax.Array:
    """Return the mean squared error of several features."""
    xs, ys = batch
    return jnp.mean((xs @ params["weight"] + params["bias"] - ys) ** 2)


def solution_2(params: dict, batch):
    """One step of gradient descent with learning rate 0.1."""
    value, grads = jax.value_and_grad(loss_2)(params, batch)
    return jax.tree.map(lambda p, g: p - 0.1 * g, params, grads), value


judge(2, check_2, solution_2)


# %% wrong 2: in the wrong order
def loss_of(params, batch):
    xs, ys = batch
    return jnp.mean((xs @ params["weight"] + params["bias"] - ys) ** 2)


def answer_2(params, batch):
    value, grads = jax.value_and_grad(loss_of)(params, batch)
    return value, jax.tree.map(lambda p, g: p - 0.1 * g, params, grads)


# %% wrong 2: goes uphill
def loss_of(params, batch):
    xs, ys = batch
    return jnp.mean((xs @ params["weight"] + params["bias"] - ys) ** 2)


def answer_2(params, batch):
    value, grads = jax.value_and_grad(loss_of)(params, batch)
    return jax.tree.map(lambda p, g: p + 0.1 * g, params, grads), value


# %% wrong 2: added up, not averaged
def loss_of(params, batch):
    xs, ys = batch
    return jnp.sum((xs @ params["weight"] + params["bias"] - ys) ** 2)


def answer_2(params, batch):
    value, grads = jax.value_and_grad(loss_of)(params, batch)
    return jax.tree.map(lambda p, g: p - 0.1 * g, params, grads), value


# %% wrong 2: the loss after the step
def loss_of(params, batch):
    xs, ys = batch
    return jnp.mean((xs @ params["weight"] + params["bias"] - ys) ** 2)


def answer_2(params, batch):
    grads = jax.grad(loss_of)(params, batch)
    new = jax.tree.map(lambda p, g: p - 0.1 * g, params, grads)
    return new, loss_of(new, batch)


# %% wrong 2: was changed: make a new one
def loss_of(params, batch):
    xs, ys = batch
    return jnp.mean((xs @ params["weight"] + params["bias"] - ys) ** 2)


def answer_2(params, batch):
    value, grads = jax.value_and_grad(loss_of)(params, batch)
    for name in params:
        params[name] -= 0.1 * grads[name]
    return params, value


# %% wrong 2: learning rate is 0.1
def loss_of(params, batch):
    xs, ys = batch
    return jnp.mean((xs @ params["weight"] + params["bias"] - ys) ** 2)


def answer_2(params, batch):
    value, grads = jax.value_and_grad(loss_of)(params, batch)
    return jax.tree.map(lambda p, g: p - 0.005 * g, params, grads), value


# %% wrong 2: only the weight is updated
def loss_of(params, batch):
    xs, ys = batch
    return jnp.mean((xs @ params["weight"] + params["bias"] - ys) ** 2)


def answer_2(params, batch):
    value, grads = jax.value_and_grad(loss_of)(params, batch)
    weight = params["weight"] - 0.1 * grads["weight"]
    return {"weight": weight, "bias": params["bias"]}, value


# %% wrong 2: half of the step
def loss_of(params, batch):
    xs, ys = batch
    return jnp.mean((xs @ params["weight"] + params["bias"] - ys) ** 2) / 2


def answer_2(params, batch):
    value, grads = jax.value_and_grad(loss_of)(params, batch)
    return jax.tree.map(lambda p, g: p - 0.1 * g, params, grads), value


# %% wrong 2: isn't known yet under jit
def loss_of(params, batch):
    xs, ys = batch
    return jnp.mean((xs @ params["weight"] + params["bias"] - ys) ** 2)


def answer_2(params, batch):
    value, grads = jax.value_and_grad(loss_of)(params, batch)
    new = jax.tree.map(lambda p, g: p - 0.1 * g, params, grads)
    return new, float(value)


# %% wrong 2: a tuple of two
def loss_of(params, batch):
    xs, ys = batch
    return jnp.mean((xs @ params["weight"] + params["bias"] - ys) ** 2)


def answer_2(params, batch):
    value, grads = jax.value_and_grad(loss_of)(params, batch)
    return jax.tree.map(lambda p, g: p - 0.1 * g, params, grads)


# %% wrong 2: one number per row
def loss_of(params, batch):
    xs, ys = batch
    return jnp.mean((xs * params["weight"] + params["bias"] - ys) ** 2)


def answer_2(params, batch):
    value, grads = jax.value_and_grad(loss_of)(params, batch)
    return jax.tree.map(lambda p, g: p - 0.1 * g, params, grads), value


# %% wrong 2: grad needs a scalar
def loss_of(params, batch):
    xs, ys = batch
    return (xs @ params["weight"] + params["bias"] - ys) ** 2


def answer_2(params, batch):
    value, grads = jax.value_and_grad(loss_of)(params, batch)
    return jax.tree.map(lambda p, g: p - 0.1 * g, params, grads), value


# %% wrong 2: use jnp instead
def loss_of(params, batch):
    xs, ys = batch
    return np.mean(np.square(xs @ params["weight"] + params["bias"] - ys))


def answer_2(params, batch):
    value, grads = jax.value_and_grad(loss_of)(params, batch)
    return jax.tree.map(lambda p, g: p - 0.1 * g, params, grads), value


# %% wrong 2: returns nothing
def loss_of(params, batch):
    xs, ys = batch
    return jnp.mean((xs @ params["weight"] + params["bias"] - ys) ** 2)


def answer_2(params, batch):
    value, grads = jax.value_and_grad(loss_of)(params, batch)
    print(jax.tree.map(lambda p, g: p - 0.1 * g, params, grads), value)


# %% wrong 2: these are the gradients
def loss_of(params, batch):
    xs, ys = batch
    return jnp.mean((xs @ params["weight"] + params["bias"] - ys) ** 2)


def answer_2(params, batch):
    value, grads = jax.value_and_grad(loss_of)(params, batch)
    return grads, value


# %% check 3
def check_3(answer) -> None:
    """Draw for many keys; look for values that return and for reused keys."""
    assert callable(answer), (
        "a function answer_3(key) is needed",
        "함수 answer_3(key)가 필요합니다",
    )
    draws = []
    for seed in range(64):
        result = answer(jax.random.key(seed))
        assert result is not None, (
            "the function returns nothing: is there a return?",
            "함수가 아무것도 반환하지 않습니다. return이 있나요?",
        )
        shapes = (
            [np.shape(part) for part in result]
            if isinstance(result, (tuple, list))
            else []
        )
        assert shapes == [(64,), (64,), ()], (
            "three results are needed, of shapes (64,), (64,) and ()",
            "shape이 (64,), (64,), ()인 결과 세 개가 필요합니다",
        )
        draws.append([np.asarray(part) for part in result])
    again = answer(jax.random.key(0))
    assert all(np.allclose(a, b) for a, b in zip(again, draws[0])), (
        "the same key gives other numbers: they come from elsewhere as well",
        "같은 키인데 결과가 달라집니다. 키 말고 다른 곳에서 온 수가 있습니다",
    )
    for place, name in enumerate(("xs", "noise", "weight")):
        values = {float(np.ravel(draw[place])[0]) for draw in draws}
        assert len(values) == len(draws), (
            f"{name} repeats for different keys: does it depend on key?",
            f"키가 달라도 {name} 값이 되풀이됩니다. key에 따라 달라지나요?",
        )
    # two values may agree by chance: only several in common tell
    both = [np.isin(n.round(5), x.round(5)).sum() for x, n, _ in draws]
    assert max(both) < 5, (
        "noise and xs have values in common",
        "noise와 xs에 같은 값이 있습니다",
    )
    found = [w.round(5) in np.append(x, n).round(5) for x, n, w in draws]
    assert sum(found) < 5, (
        "the weight is one of the other numbers",
        "weight가 다른 두 배열에도 있는 값입니다",
    )
    xs, noise, weights = (np.stack(part) for part in zip(*draws))
    assert abs(np.corrcoef(xs.ravel(), noise.ravel())[0, 1]) < 0.1, (
        "noise follows xs: one is computed from the other",
        "noise가 xs를 따라갑니다. 한쪽을 다른 쪽으로 계산한 것 같습니다",
    )
    for name, values, slack in (
        ("xs", xs, 0.1),
        ("noise", noise, 0.1),
        ("weight", weights, 0.5),
    ):
        spread = abs(values.std() - 1)
        assert abs(values.mean()) < slack and spread < 0.7 * slack, (
            f"{name} isn't from a standard normal distribution",
            f"{name} 값이 표준 정규 분포를 따르지 않습니다",
        )
    columns = [weights, *xs.T, *noise.T, xs.mean(1), noise.mean(1)]
    assert abs(np.corrcoef(columns)[0, 1:]).max() < 0.9, (
        "the weight isn't a draw of its own",
        "weight를 따로 뽑지 않고 다른 값으로 계산한 것 같습니다",
    )
    jax.clear_caches()  # so that nothing compiled before passes unchecked
    try:
        with jax.debug_key_reuse(True):
            answer(jax.random.key(0))
    except jax.errors.KeyReuseError:
        raise AssertionError(
            (
                "the numbers differ, but a key is still used twice",
                "수는 서로 다르지만 아직 두 번 쓰이는 키가 있습니다",
            )
        ) from None


# %% solution 3
def solution_3(key: jax.Array):
    """One key for each draw."""
    x_key, noise_key, weight_key = jax.random.split(key, 3)
    xs = jax.random.normal(x_key, (64,))
    noise = jax.random.normal(noise_key, (64,))
    return xs, noise, jax.random.normal(weight_key)


judge(3, check_3, solution_3)


# %% wrong 3: values in common
answer_3 = sample


# %% wrong 3: weight is one of the other numbers
def answer_3(key):
    a, b = jax.random.split(key)
    normal = jax.random.normal
    return normal(a, (64,)), normal(b, (64,)), normal(a)


# %% wrong 3: still used twice
def answer_3(key):
    a, b = jax.random.split(key)
    normal = jax.random.normal
    return normal(a, (64,)), normal(b, (64,)), normal(key)


# %% wrong 3: noise repeats for different keys
def answer_3(key):
    a, b = jax.random.split(key)
    noise = jax.random.normal(jax.random.key(1), (64,))
    return jax.random.normal(a, (64,)), noise, jax.random.normal(b)


# %% wrong 3: they come from elsewhere
def answer_3(key):
    a, b = jax.random.split(key)
    noise = np.random.normal(size=64)
    return jax.random.normal(a, (64,)), noise, jax.random.normal(b)


# %% wrong 3: noise follows xs
def answer_3(key):
    a, b = jax.random.split(key)
    xs = jax.random.normal(a, (64,))
    return xs, 0.9 * xs, jax.random.normal(b)


# %% wrong 3: standard normal
def answer_3(key):
    a, b, c = jax.random.split(key, 3)
    noise = jax.random.uniform(b, (64,))
    return jax.random.normal(a, (64,)), noise, jax.random.normal(c)


# %% wrong 3: isn't a draw of its own
def answer_3(key):
    a, b = jax.random.split(key)
    xs = jax.random.normal(a, (64,))
    return xs, jax.random.normal(b, (64,)), -xs[0]


# %% wrong 3: three results are needed
def answer_3(key):
    a, b = jax.random.split(key)
    return jax.random.normal(a, (64,)), jax.random.normal(b, (64,))


# %% wrong 3: weight repeats for different keys
def answer_3(key):
    a, b = jax.random.split(key)
    normal = jax.random.normal
    return normal(a, (64,)), normal(b, (64,)), jnp.float32(0)
