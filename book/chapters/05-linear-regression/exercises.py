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
    given = read_numbers(answer, 5, "flag")
    hints = (
        "what is split for, if not for different numbers? · "
        "서로 다른 난수를 얻으려고 split을 쓴다는 점을 떠올려 보세요",
        "does drawing change the key? · 난수를 뽑으면 키가 바뀌나요?",
        "the same key is split twice: is split a pure function? · "
        "같은 키를 두 번 분할합니다. split은 순수 함수인가요?",
        "are a key and the first of its two new keys the same key? · "
        "원래 키와 분할해 얻은 첫 번째 키는 같은 키인가요?",
        "the same seed makes which key? · 시드가 같으면 어떤 키가 만들어지나요?",
    )
    said = lambda n, value: (
        f"pair {n} isn't {value}: · {n}번 쌍의 답이 다릅니다."
    )
    in_order(given, truth_1(), hints, said)


# %% solution 1
# a, b and key are three keys. Drawing and splitting change none of them, and
# a key depends on its seed and on how it was split, not on when.
judge(1, check_1, (False, True, True, False, True))


# %% right 1
answer_1 = [False, True, True, False, True]
answer_1 = (0, 1, 1, 0, 1)


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


# %% wrong 1: write 5 values
answer_1 = True
answer_1 = (False, True, True)
answer_1 = (False, True, True, False, True, None)


# %% check 2
def case_2(count: int, features: int) -> tuple:
    """Params, a batch and the gradients by hand, as NumPy arrays."""
    rng = np.random.default_rng(count)
    xs = rng.normal(size=(count, features))
    ys, weight = rng.normal(size=count), rng.normal(size=features)
    old = {"weight": weight, "bias": rng.normal()}
    error = xs @ weight + old["bias"] - ys
    grads = {"weight": 2 * error @ xs / count, "bias": 2 * error.mean()}
    return old, (xs, ys), grads


def slips_2(old, grads, count: int) -> list:
    """Wrong params, and the mistake behind each."""
    moved = lambda rate: {k: old[k] - rate * grads[k] for k in old}
    one = lambda k: (
        old | {k: moved(0.1)[k]},
        f"only the {k} is updated · {k}만 업데이트되었습니다",
    )
    return [
        *map(one, old),
        (
            old,
            "the params don't change: is a gradient subtracted? · "
            "파라미터가 그대로입니다. 기울기를 뺐나요?",
        ),
        (
            moved(-0.1),
            "the step goes uphill: look at the sign · 손실이 커지는 방향입니다. 부호를 살펴보세요",
        ),
        (
            moved(0.1 * count),
            "the errors are added up, not averaged · 오차 제곱의 평균이 아니라 합을 썼습니다",
        ),
        (
            moved(1),
            "the learning rate is missing · 기울기를 그대로 뺐습니다. 학습률은 어디에 있나요?",
        ),
        (
            moved(0.005),
            "the learning rate is 0.1 here · 여기서 학습률은 0.1입니다",
        ),
        (
            grads,
            "these are the gradients, not the new params · 새 파라미터가 아니라 기울기입니다",
        ),
        (
            moved(0.05),
            "this is half of the step: compare the loss with the definition · "
            "절반만 움직였습니다. 손실을 정의와 비교해 보세요",
        ),
    ]


def compare_2(params, value, old, batch, grads) -> None:
    """Compare the results of one call; name the likely mistake."""
    assert isinstance(params, dict) and params.keys() == old.keys(), (
        "the new params aren't a dict with weight and bias · "
        "새 파라미터가 weight와 bias를 담은 딕셔너리가 아닙니다"
    )
    for name in old:
        found = np.shape(params[name])
        assert found == np.shape(old[name]), (
            f"the shape of {name} changes to {found} · {name}의 shape이 {found}(으)로 바뀝니다"
        )
    new = {name: old[name] - 0.1 * grads[name] for name in old}
    for wrong, hint in slips_2(old, grads, len(batch[0])):
        assert not arrays_agree(params, wrong, 1e-4), hint
    assert arrays_agree(params, new, 1e-3), (
        "the new params aren't those of one step on the mean squared error · "
        "평균 제곱 오차로 한 스텝 나아간 파라미터가 아닙니다"
    )
    assert not isinstance(value, dict) and np.shape(value) == (), (
        f"the loss has shape {np.shape(value)}: it should be one number · "
        f"손실의 shape이 {np.shape(value)}입니다. 수 하나여야 합니다"
    )
    loss = lambda p: np.mean(
        (batch[0] @ p["weight"] + p["bias"] - batch[1]) ** 2
    )
    assert not np.allclose(value, loss(new), rtol=1e-3, atol=1e-4), (
        "this is the loss after the step; the one before it is needed · "
        "스텝을 마친 뒤의 손실입니다. 스텝을 시작할 때의 손실이 필요합니다"
    )
    assert np.allclose(value, loss(old), rtol=1e-3, atol=1e-4), (
        "the params are right; the loss isn't the mean squared error · "
        "파라미터는 맞지만 손실이 평균 제곱 오차가 아닙니다"
    )


def check_2(answer) -> None:
    """Compare one step, plain and under jit, with a gradient by hand."""
    needs_function(answer, "answer_2(params, batch)")
    hints = {
        "scalar-output": "grad needs a scalar: is the loss one number? · "
        "grad에는 스칼라가 필요합니다. 손실이 수 하나인가요?"
    }
    rows = (
        "shapes don't fit: a prediction is one number per row · "
        "shape이 맞지 않습니다. 예측값은 행마다 수 하나입니다"
    )
    for words in ("shapes", "same shape"):
        hints[words] = rows
    sizes = ((5, 3), (8, 2), (3, 3))
    for size, function in [
        (s, f) for s in sizes for f in (answer, jax.jit(answer))
    ]:
        old, batch, grads = case_2(*size)
        params, given = jax.tree.map(jnp.float32, (old, batch))
        result = call_answer(function, params, given, hints=hints)
        said = "new params and the loss · 새 파라미터와 손실입니다"
        new, value = needs_results(result, 2, said)
        assert isinstance(new, dict) or not isinstance(value, dict), (
            "the results are in the wrong order: the state comes first · "
            "결과 두 개의 순서가 바뀌었습니다. 상태가 먼저입니다"
        )
        assert arrays_agree(params, old), (
            "the dict that came in was changed: make a new one · "
            "인수로 받은 딕셔너리가 바뀌었습니다. 새로 만들어 반환하세요"
        )
        compare_2(new, value, old, batch, grads)


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


# %% right 2
answer_2 = jax.jit(solution_2)


def answer_2(params, batch):
    xs, ys = batch
    error = xs @ params["weight"] + params["bias"] - ys
    weight = params["weight"] - 0.2 * error @ xs / len(ys)
    bias = params["bias"] - 0.2 * error.mean()
    return {"bias": bias, "weight": weight}, jnp.mean(error**2)


def answer_2(params, batch):
    value, grads = jax.value_and_grad(loss_2)(params, batch)
    new = dict(params)
    for name in new:
        new[name] = new[name] - 0.1 * grads[name]
    return new, value


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


# %% wrong 2: needs the value of a tracer
def loss_of(params, batch):
    xs, ys = batch
    return jnp.mean((xs @ params["weight"] + params["bias"] - ys) ** 2)


def answer_2(params, batch):
    value, grads = jax.value_and_grad(loss_of)(params, batch)
    new = jax.tree.map(lambda p, g: p - 0.1 * g, params, grads)
    return new, float(value)


def loss_of(params, batch):
    xs, ys = batch
    return np.mean(np.square(xs @ params["weight"] + params["bias"] - ys))


def answer_2(params, batch):
    value, grads = jax.value_and_grad(loss_of)(params, batch)
    return jax.tree.map(lambda p, g: p - 0.1 * g, params, grads), value


# %% wrong 2: return 2 values
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
def draws_3(answer) -> list:
    """What an answer draws for 64 keys: xs, noise and weight of each."""
    draws = []
    for seed in range(64):
        result = call_answer(answer, jax.random.key(seed))
        several = isinstance(result, (tuple, list))
        shapes = [np.shape(part) for part in result] if several else []
        assert shapes == [(64,), (64,), ()], (
            "three results are needed, of shapes (64,), (64,) and () · "
            "shape이 (64,), (64,), ()인 결과 세 개가 필요합니다"
        )
        draws.append([np.asarray(part) for part in result])
    return draws


def same_values_3(draws) -> None:
    """Refuse values that are in two results; two may agree by chance."""
    both = [np.isin(n.round(5), x.round(5)).sum() for x, n, _ in draws]
    assert max(both) < 5, (
        "noise and xs have values in common · noise와 xs에 같은 값이 있습니다"
    )
    found = [w.round(5) in np.append(x, n).round(5) for x, n, w in draws]
    assert sum(found) < 5, (
        "the weight is one of the other numbers · weight가 다른 두 배열에도 있는 값입니다"
    )


def spread_3(xs, noise, weights) -> None:
    """Refuse draws that aren't standard normal, or follow one another."""
    assert abs(np.corrcoef(xs.ravel(), noise.ravel())[0, 1]) < 0.1, (
        "noise follows xs: one is computed from the other · "
        "noise가 xs를 따라갑니다. 한쪽을 다른 쪽으로 계산한 것 같습니다"
    )
    names = (("xs", xs, 0.1), ("noise", noise, 0.1), ("weight", weights, 0.5))
    for name, values, slack in names:
        spread = abs(values.std() - 1)
        assert abs(values.mean()) < slack and spread < 0.7 * slack, (
            f"{name} isn't from a standard normal distribution · "
            f"{name} 값이 표준 정규 분포를 따르지 않습니다"
        )
    columns = [weights, *xs.T, *noise.T, xs.mean(1), noise.mean(1)]
    assert abs(np.corrcoef(columns)[0, 1:]).max() < 0.9, (
        "the weight isn't a draw of its own · "
        "weight를 따로 뽑지 않고 다른 값으로 계산한 것 같습니다"
    )


def check_3(answer) -> None:
    """Draw for many keys; look for values that return and for reused keys."""
    needs_function(answer, "answer_3(key)")
    draws = draws_3(answer)
    again = answer(jax.random.key(0))
    assert all(np.allclose(a, b) for a, b in zip(again, draws[0])), (
        "the same key gives other numbers: they come from elsewhere as well · "
        "같은 키인데 결과가 달라집니다. 키 말고 다른 곳에서 온 수가 있습니다"
    )
    for place, name in enumerate(("xs", "noise", "weight")):
        values = {float(np.ravel(draw[place])[0]) for draw in draws}
        assert len(values) == len(draws), (
            f"{name} repeats for different keys: does it depend on key? · "
            f"키가 달라도 {name} 값이 되풀이됩니다. key에 따라 달라지나요?"
        )
    same_values_3(draws)
    spread_3(*(np.stack(part) for part in zip(*draws)))
    jax.clear_caches()  # so that nothing compiled before passes unchecked
    reused = (
        "the numbers differ, but a key is still used twice · "
        "수는 서로 다르지만 아직 두 번 쓰이는 키가 있습니다"
    )
    with jax.debug_key_reuse(True):
        key = jax.random.key(0)
        call_answer(answer, key, hints={"KeyReuseError": reused})


# %% solution 3
def solution_3(key: jax.Array):
    """One key for each draw."""
    x_key, noise_key, weight_key = jax.random.split(key, 3)
    xs = jax.random.normal(x_key, (64,))
    noise = jax.random.normal(noise_key, (64,))
    return xs, noise, jax.random.normal(weight_key)


judge(3, check_3, solution_3)


# %% right 3
answer_3 = jax.jit(solution_3)


def answer_3(key):
    keys = [jax.random.fold_in(key, n) for n in range(3)]
    draw = lambda n, shape=(): jax.random.normal(keys[n], shape)
    return [draw(0, (64,)), draw(1, (64,)), draw(2)]


def answer_3(key):
    key, subkey = jax.random.split(key)
    xs = jax.random.normal(subkey, (64,))
    key, subkey = jax.random.split(key)
    noise = jax.random.normal(subkey, (64,))
    return xs, noise, jax.random.normal(key)


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
