"""What judges the answers to the exercises of this chapter, and answers to try it with."""


# %% check 1
def truth_1() -> tuple:
    """Return what the four expressions give."""

    def cubic(x):
        return x**3 - x

    def product(x, y):
        return x * y**2

    slopes = jax.grad(product, argnums=(0, 1))(3.0, 5.0)
    found = jax.grad(cubic)(2.0), jax.grad(jax.grad(cubic))(2.0), *slopes
    return tuple(map(float, found))


def check_1(answer) -> None:
    """Compare four predictions with four runs; name the first that differs."""
    given, truth = read_numbers(answer, 4), truth_1()
    slope, _, by_x, by_y = truth
    value = (
        "that's the value of the function: what is its slope? · "
        "함숫값입니다. 기울기를 구하세요"
    )
    first = (
        "that's the first derivative: grad is applied twice · "
        "한 번만 미분한 값입니다. grad를 두 번 적용했습니다"
    )
    one = (
        "vary one argument and hold the other fixed · "
        "한 인수만 움직이고 다른 인수는 값을 고정합니다"
    )
    default = (
        "which argument does grad pick if argnums isn't given? · "
        "argnums를 지정하지 않으면 어느 인수에 대해 미분하나요?"
    )
    count = "what number does argnums start counting from? · argnums는 몇부터 세나요?"
    terms = (
        "differentiate each term of cubic, then plug in 2.0 · "
        "cubic의 항을 하나씩 미분한 다음 2.0을 대입하세요"
    )
    twice = (
        "what is the derivative of the derivative? · "
        "도함수를 한 번 더 미분한 다음 대입하세요"
    )
    hints = (
        {2.0**3 - 2.0: value, None: terms},
        {slope: first, None: twice},
        {3.0 * 5.0**2: value, by_y: default, None: one},
        {3.0 * 5.0**2: value, by_x: count, None: one},
    )
    said = lambda n, value: (
        f"expression {n} isn't {value:g}: · {n}번 식의 답이 다릅니다(적은 값: {value:g})."
    )
    in_order(given, truth, hints, said, within=1e-3)


# %% solution 1
# 3 x**2 - 1 = 11 and 6 x = 12 at 2; y**2 = 25 w.r.t. x, 2 x y = 30 w.r.t. y.
judge(1, check_1, (11.0, 12.0, 25.0, 30.0))


# %% right 1
answer_1 = [11, 12, 25, 30]
answer_1 = (11, 12.0, 25, 30.0)


# %% wrong 1: that's the value of the function
answer_1 = (6.0, 12.0, 25.0, 30.0)
answer_1 = (11.0, 12.0, 75.0, 30.0)


# %% wrong 1: that's the first derivative
answer_1 = (11.0, 11.0, 25.0, 30.0)


# %% wrong 1: which argument does grad pick
answer_1 = (11.0, 12.0, 30.0, 30.0)


# %% wrong 1: what number does argnums start counting from
answer_1 = (11.0, 12.0, 25.0, 25.0)


# %% wrong 1: write 4 numbers in a tuple
answer_1 = 11.0
answer_1 = {"a": 11.0, "b": 12.0, "c": 25.0, "d": 30.0}
answer_1 = (11.0, 12.0, (25.0, 30.0), 30.0)
answer_1 = (11.0, "twelve", 25.0, 30.0)
answer_1 = (11.0, ..., ..., ...)
answer_1 = (10**400, 12, 25, 30)


# %% wrong 1: differentiate each term of cubic
answer_1 = (12.0, 12.0, 25.0, 30.0)


# %% wrong 1: hold the other fixed
answer_1 = (11.0, 12.0, 25.0, 10.0)


# %% check 2
def cases_2() -> list:
    """Params, inputs and labels; in the first, one logit is exactly 0."""
    cases = [
        (
            (2.0, -3.5),
            [0.5, 1, 1.5, 1.75, 2, 2.5, 3, 3.5, 4],
            [1, 1, 0, 1, 1, 0, 0, 0, 0],
        ),
        ((-1.0, 2.2), [0.3, 1.1, 1.9, 2.6, 4.0], [1, 1, 0, 1, 0]),
        ((0.5, 1.0), [-4.5, -3.0, -1.0, 0.5], [1, 0, 1, 1]),
    ]
    return [
        (
            dict(weight=jnp.float32(w), bias=jnp.float32(b)),
            jnp.array(x),
            jnp.array(y),
        )
        for (w, b), x, y in cases
    ]


def loss_2(params, x, labels) -> jax.Array:
    """The loss of the chapter, in its own words."""
    logit = params["weight"] * x + params["bias"]
    return jnp.mean(jnp.logaddexp(0.0, logit) - labels * logit)


def share_2(params, x, labels) -> tuple:
    """The accuracy, and what else may be taken for it, with a hint each."""
    weighted = np.asarray(params["weight"] * x)
    logit, one = weighted + float(params["bias"]), np.asarray(labels) == 1
    guesses = (logit > 0, weighted > 0, logit >= 0)
    real, unbiased, equal = (float(np.mean(g == one)) for g in guesses)
    percent, wrong, count = 100 * real, 1 - real, real * one.size
    positive, hits = guesses[0].mean(), np.mean(guesses[0] & one)
    precision, recall = hits / max(positive, 1e-9), hits / one.mean()
    slips = {
        unbiased: "is the bias in the logit? · 로짓에 편향을 더했는지 확인하세요",
        percent: "that is a percentage: return a fraction between 0 and 1 · "
        "백분율입니다. 0과 1 사이의 비율로 반환하세요",
        equal: "what does the model predict if the logit is exactly 0? · "
        "로짓이 정확히 0인 예제는 어느 쪽으로 예측하나요?",
        positive: "that is the fraction predicted as 1, right or wrong · "
        "맞았는지와 상관없이 1로 예측한 예제의 비율입니다",
        count: "that is a count: what fraction of the examples is it? · "
        "맞힌 예제의 개수입니다. 전체에서 차지하는 비율을 구하세요",
        wrong: "that is the fraction of examples predicted wrongly · 틀린 예제의 비율입니다",
        precision: "that looks only at the examples predicted as 1 · "
        "1로 예측한 예제만 따졌습니다",
        recall: "that looks only at the examples with label 1 · "
        "레이블이 1인 예제만 따졌습니다",
        hits: "examples with label 0 that are predicted correctly count too · "
        "레이블이 0인 예제도 맞혔으면 세어야 합니다",
        None: "how often do logit > 0 and label 1 agree on these examples? · "
        "logit > 0인지와 레이블이 1인지가 일치하는 예제의 비율을 구하세요",
    }
    return real, slips


def look_at_gradient_2(answer, *case) -> None:
    """Compare the gradient of what the answer returns as the loss."""
    grad = jax.value_and_grad(answer, has_aux=True)
    _, grads = call_answer(grad, *case)
    assert any(abs(grads[name]) > 1e-6 for name in grads), (
        "the loss has the right value, but a gradient of 0: which step cuts it off from "
        "params? · 손실의 값은 맞지만 기울기가 0입니다. 손실과 params의 연결이 어디서 끊겼는지 확인하세요"
    )
    for name, real in jax.grad(loss_2)(*case).items():
        assert arrays_agree(grads[name], real, 1e-4), (
            f"the loss has the right value, but its gradient with respect to {name} is wrong "
            f"· 손실의 값은 맞지만 {name}에 대한 기울기가 달라졌습니다"
        )


def check_2(answer) -> None:
    """Check loss, accuracy and gradient on three sets of examples."""
    needs_function(answer, "answer_2(params, x, labels)")
    own = (
        "shapes don't fit: do you use only the x and labels passed in? · "
        "shape이 맞지 않습니다. 인수로 받은 x와 labels만 썼는지 확인하세요"
    )
    hints = {words: own for words in ("shapes", "same shape")}
    for params, x, labels in cases_2():
        result = call_answer(answer, params, x, labels, hints=hints)
        needs_results(
            result, 2, "the loss and the accuracy · 손실과 정확도입니다"
        )
        plain = [
            as_number(p) is not None and np.shape(p) == () for p in result
        ]
        assert all(plain), (
            "the loss and the accuracy are one number each · 손실과 정확도는 각각 수 하나입니다"
        )
        loss, share = map(float, result)
        real_loss = float(loss_2(params, x, labels))
        real, slips = share_2(params, x, labels)
        assert abs(loss - real) >= 1e-4 or abs(share - real_loss) >= 1e-4, (
            "the loss comes first: grad differentiates the first value · "
            "손실이 먼저입니다. grad는 첫 번째 값을 미분합니다"
        )
        assert abs(loss - real_loss) < 1e-4, (
            f"the first value is {loss:.4f}, but the loss is {real_loss:.4f} · "
            f"첫 번째 값은 {loss:.4f}인데 손실은 {real_loss:.4f}입니다"
        )
        assert abs(share - real) < 1e-4, joined(
            f"the accuracy isn't {share:.4f}: · 정확도가 다릅니다(반환한 값: {share:.4f}).",
            hint_of(share, slips, 1e-4),
        )
        look_at_gradient_2(answer, params, x, labels)


# %% solution 2
def loss_and_accuracy(params, x, labels):
    """The loss, with the accuracy alongside."""
    logit = params["weight"] * x + params["bias"]
    return logistic_loss(params, x, labels), jnp.mean((logit > 0) == labels)


judge(2, check_2, loss_and_accuracy)


# %% right 2
answer_2 = jax.jit(loss_and_accuracy)


def answer_2(params, x, labels):
    logit = params["weight"] * x + params["bias"]
    hits = jnp.where(labels == 1, logit > 0, logit <= 0)
    loss = jnp.mean(jax.nn.softplus(logit) - labels * logit)
    return [loss, hits.sum() / len(labels)]


def answer_2(params, x, labels):
    logit = params["weight"] * x + params["bias"]
    right = 0
    for s, label in zip(logit, labels):
        right = right + jnp.where((s > 0) == (label == 1), 1, 0)
    return logistic_loss(params, x, labels), right / x.size


def answer_2(params, x, labels):
    logit = params["weight"] * x + params["bias"]
    wrong = jnp.abs((logit > 0).astype(jnp.float32) - labels)
    return logistic_loss(params, x, labels), 1.0 - wrong.mean()


def answer_2(params, x, labels):
    fixed = jax.lax.stop_gradient(params)
    logit = fixed["weight"] * x + fixed["bias"]
    return logistic_loss(params, x, labels), jnp.average(labels == (logit > 0))


@jax.jit
def answer_2(params, x, labels):
    p = jax.nn.sigmoid(params["weight"] * x + params["bias"])
    loss = -jnp.mean(labels * jnp.log(p) + (1 - labels) * jnp.log(1 - p))
    return loss, jnp.mean(jnp.round(p) == labels)


def answer_2(params, x, labels):
    right = 0
    for s, label in zip(params["weight"] * x + params["bias"], labels):
        if (s > 0) == (label == 1):
            right += 1
    return logistic_loss(params, x, labels), right / len(x)


def answer_2(params, x, labels):
    said = params["weight"] * x + params["bias"] > 0
    share = float(np.mean(said == labels))
    return logistic_loss(params, x, labels), np.float32(share)


answer_2 = lambda p, x, t, cut=0: (
    logistic_loss(p, x, t),
    jnp.sum((p["weight"] * x + p["bias"] > cut) == t) / t.shape[0],
)


# %% wrong 2: return 2 values
answer_2 = logistic_loss


# %% wrong 2: are one number each
def answer_2(params, x, labels):
    said = params["weight"] * x + params["bias"] > 0
    share = jnp.mean(said == labels)
    return logistic_loss(params, x, labels), {"accuracy": share}


# %% wrong 2: the fraction predicted as 1
def answer_2(params, x, labels):
    logit = params["weight"] * x + params["bias"]
    return logistic_loss(params, x, labels), jnp.mean(logit > 0)


# %% wrong 2: the loss comes first
def answer_2(params, x, labels):
    logit = params["weight"] * x + params["bias"]
    return jnp.mean((logit > 0) == labels), logistic_loss(params, x, labels)


# %% wrong 2: only at the examples predicted as 1
def answer_2(params, x, labels):  # precision
    said = params["weight"] * x + params["bias"] > 0
    share = jnp.sum(said & (labels == 1)) / jnp.sum(said)
    return logistic_loss(params, x, labels), share


# %% wrong 2: only at the examples with label 1
def answer_2(params, x, labels):  # recall
    said = params["weight"] * x + params["bias"] > 0
    share = jnp.sum(said & (labels == 1)) / jnp.sum(labels)
    return logistic_loss(params, x, labels), share


# %% wrong 2: examples with label 0 that are predicted correctly count too
def answer_2(params, x, labels):
    said = params["weight"] * x + params["bias"] > 0
    return logistic_loss(params, x, labels), jnp.mean(said * labels)


# %% wrong 2: that is a count
def answer_2(params, x, labels):
    said = params["weight"] * x + params["bias"] > 0
    return logistic_loss(params, x, labels), jnp.sum(said == labels)


# %% wrong 2: needs the value of a tracer
def answer_2(params, x, labels):
    said = params["weight"] * x + params["bias"] > 0
    loss = float(logistic_loss(params, x, labels))
    return loss, jnp.mean(said == labels)


def answer_2(params, x, labels):
    logit = np.asarray(params["weight"] * x + params["bias"])
    return logistic_loss(params, x, labels), np.mean((logit > 0) == labels)


# %% wrong 2: do you use only the x and labels passed in
def answer_2(params, x, labels):  # reads hours, whatever x is
    said = params["weight"] * hours + params["bias"] > 0
    return logistic_loss(params, x, labels), jnp.mean(said == labels)


# %% wrong 2: but a gradient of 0: which step cuts it off
def answer_2(params, x, labels):
    said = params["weight"] * x + params["bias"] > 0
    loss = jax.lax.stop_gradient(logistic_loss(params, x, labels))
    return loss, jnp.mean(said == labels)


# %% wrong 2: is the bias in the logit
def answer_2(params, x, labels):
    said = params["weight"] * x > 0
    return logistic_loss(params, x, labels), jnp.mean(said == labels)


# %% wrong 2: that is a percentage
def answer_2(params, x, labels):
    said = params["weight"] * x + params["bias"] > 0
    return logistic_loss(params, x, labels), 100 * jnp.mean(said == labels)


# %% wrong 2: if the logit is exactly 0
def answer_2(params, x, labels):
    said = params["weight"] * x + params["bias"] >= 0
    return logistic_loss(params, x, labels), jnp.mean(said == labels)


# %% wrong 2: its gradient with respect to weight is wrong
def answer_2(params, x, labels):
    said = params["weight"] * x + params["bias"] > 0
    fixed = {**params, "weight": jax.lax.stop_gradient(params["weight"])}
    return logistic_loss(fixed, x, labels), jnp.mean(said == labels)


# %% wrong 2: that is the fraction of examples predicted wrongly
def answer_2(params, x, labels):
    said = params["weight"] * x + params["bias"] > 0
    return logistic_loss(params, x, labels), jnp.mean(said != labels)


# %% check 3
def loss_3(params, x, y) -> jax.Array:
    """The mean squared error."""
    return jnp.mean((params["weight"] * x + params["bias"] - y) ** 2)


def slips_3(moved, grads, count: int) -> list:
    """Wrong params, and the mistake behind each; `moved` takes a step with a rate."""
    return [
        (
            moved(0.0),
            "the new parameters equal the old ones · 새 파라미터가 이전 파라미터와 같습니다",
        ),
        (
            moved(-0.1),
            "this step goes uphill · 손실이 커지는 쪽으로 움직였습니다",
        ),
        (
            moved(0.1 * count),
            "the step grows with the number of examples · 예제 수에 비례해서 스텝이 커집니다",
        ),
        (
            grads,
            "these are the gradients, not the new parameters · 새 파라미터가 아니라 기울기입니다",
        ),
        (
            moved(1.0),
            "where is the learning rate of 0.1? · 학습률 0.1이 빠졌습니다",
        ),
        (
            moved(0.05),
            "this is half a step: is the error halved? · 스텝이 절반입니다. 오차를 2로 나누었나요?",
        ),
    ]


def compare_3(new, loss, start, x, y) -> None:
    """Compare the results of one step; name the likely mistake."""
    grads = jax.grad(loss_3)(start, x, y)
    moved = lambda rate: jax.tree.map(lambda p, g: p - rate * g, start, grads)
    right = arrays_agree(new, moved(0.1), 1e-3)
    changed = [k for k in start if not arrays_agree(new[k], start[k], 1e-3)]
    assert right or len(changed) != 1, (
        f"only {changed[0]} was updated · {changed[0]}만 업데이트했습니다"
    )
    other = (
        "the parameters aren't those after one step with rate 0.1 · "
        "학습률 0.1로 한 스텝 움직인 파라미터가 아닙니다"
    )
    slips = slips_3(moved, grads, len(x))
    found = (hint for wrong, hint in slips if arrays_agree(new, wrong, 1e-3))
    assert right, next(found, other)
    value, real = float(loss), float(loss_3(start, x, y))
    after = float(loss_3(new, x, y))
    slips = {
        after: "this is the loss of the new parameters, not of the old ones · "
        "이전 파라미터가 아니라 새 파라미터의 손실입니다",
        None: f"the loss is {real:.4f}, not {value:.4f} · "
        f"손실이 다릅니다(옳은 값: {real:.4f}, 반환한 값: {value:.4f})",
    }
    assert abs(value - real) < 1e-3, hint_of(value, slips, 1e-4)


def check_3(answer) -> None:
    """Take one step from each of three starts."""
    needs_function(answer, "answer_3(params, data)")
    grads = (
        "grads isn't a dict of gradients: what does the right-hand side of loss, grads = ... "
        "return? · grads가 기울기 딕셔너리가 아닙니다. loss, grads = ...의 오른쪽이 무엇을 반환하는지 확인하세요"
    )
    hints = {
        "scalar-output": "grad needs one number as the loss, not one per example · "
        "grad에 넣을 손실은 예제마다 하나가 아니라 숫자 하나여야 합니다"
    }
    for words in ("string ind", "ValueError: Expected", "pytree", "mismatch"):
        hints[words] = grads
    for weight, bias, xs, ys in (
        (1.0, 0.5, [1.0, -2.0, 3.5], [2.0, 0.5, -1.0]),
        (-0.5, 2.0, [0.5, 1.5, -1.0, 2.0], [1.0, -2.0, 3.0, 0.5]),
        (0.25, -1.5, [2.0], [1.0]),
    ):
        x, y = jnp.array(xs), jnp.array(ys)
        start = {"weight": jnp.float32(weight), "bias": jnp.float32(bias)}
        given = dict(start)
        result = call_answer(answer, given, (x, y), hints=hints)
        said = "the new parameters and the loss · 새 파라미터와 손실입니다"
        new, loss = needs_results(result, 2, said)
        assert not isinstance(loss, dict), (
            "the new parameters come first, then the loss · "
            "새 파라미터가 먼저이고 손실이 그다음입니다"
        )
        assert isinstance(new, dict) and new.keys() == start.keys(), (
            "the new parameters are a dict with weight and bias · "
            "새 파라미터는 weight와 bias가 들어 있는 딕셔너리입니다"
        )
        number = as_number(loss) is not None and np.shape(loss) == ()
        assert number, "the loss isn't one number · 손실이 수 하나가 아닙니다"
        kept = given.keys() == start.keys()
        assert kept and all(given[name] is start[name] for name in start), (
            "the caller's params have changed: build a new dict · "
            "호출한 쪽의 params가 바뀌었습니다. 딕셔너리를 새로 만드세요"
        )
        compare_3(new, loss, start, x, y)


# %% solution 3
def fixed_step(params, data):
    """One step of gradient descent on the mean squared error."""
    x, y = data

    def mean_squared_error(params):
        return jnp.mean((params["weight"] * x + params["bias"] - y) ** 2)

    loss, grads = jax.value_and_grad(mean_squared_error)(params)
    new_params = jax.tree.map(lambda p, g: p - 0.1 * g, params, grads)
    return new_params, loss


judge(3, check_3, fixed_step)


# %% right 3
answer_3 = jax.jit(fixed_step)


@jax.jit
def answer_3(params, data):
    grads = jax.grad(loss_3)(params, *data)
    new = {name: params[name] - 0.1 * grads[name] for name in params}
    return new, loss_3(params, *data)


def answer_3(params, data):
    loss, grads = jax.value_and_grad(loss_3)(params, *data)
    params = dict(params)
    for name in params:
        params[name] -= 0.1 * grads[name]
    return params, float(loss)


def answer_3(params, data):
    x, y = data
    error = params["weight"] * x + params["bias"] - y
    return [
        {
            "bias": params["bias"] - 0.1 * 2 * error.mean(),
            "weight": params["weight"] - 0.1 * 2 * (error * x).mean(),
        },
        (error**2).mean(),
    ]


def answer_3(params, data):
    def loss_of(w, b):
        return loss_3({"weight": w, "bias": b}, *data)

    loss, (by_w, by_b) = jax.value_and_grad(loss_of, argnums=(0, 1))(
        params["weight"], params["bias"]
    )
    return {
        "weight": params["weight"] - 0.1 * by_w,
        "bias": params["bias"] - 0.1 * by_b,
    }, loss


def answer_3(params, data):
    loss, grads = jax.value_and_grad(loss_3)(params, *data)
    return params | {k: params[k] - 0.1 * g for k, g in grads.items()}, loss


def answer_3(params, data):
    def total(params):
        return jnp.sum(squared_errors(params, data)) / len(data[0])

    loss, grads = jax.value_and_grad(total)(params)
    return jax.tree.map(lambda p, g: p - g / 10, params, grads), loss


def answer_3(params, data):
    new, loss = fixed_step(params, data)
    return {name: np.float32(new[name]) for name in new}, np.asarray(loss)


# %% wrong 3: grad needs one number as the loss
answer_3 = broken_step


# %% wrong 3: grads isn't a dict
def answer_3(params, data):
    x, y = data

    def mean_squared_error(params):
        return jnp.mean((params["weight"] * x + params["bias"] - y) ** 2)

    loss, grads = jax.grad(mean_squared_error)(params)
    return jax.tree.map(lambda p: p - 0.1 * grads["weight"], params), loss


def answer_3(params, data):
    loss, grads = jax.grad(loss_3)(params, *data)
    return jax.tree.map(lambda p, g: p - 0.1 * g, params, grads), loss


def answer_3(params, data):
    grads, loss = jax.value_and_grad(loss_3)(params, *data)
    new = {name: params[name] - 0.1 * grads[name] for name in params}
    return new, loss


# %% wrong 3: the caller's params have changed
def answer_3(params, data):
    x, y = data

    def mean_squared_error(params):
        return jnp.mean((params["weight"] * x + params["bias"] - y) ** 2)

    loss, grads = jax.value_and_grad(mean_squared_error)(params)
    for name in params:
        params[name] -= 0.1 * grads[name]
    return params, loss


# %% wrong 3: the step grows with the number of examples
def answer_3(params, data):
    def total(params):
        return jnp.sum(squared_errors(params, data))

    loss, grads = jax.value_and_grad(total)(params)
    new_params = jax.tree.map(lambda p, g: p - 0.1 * g, params, grads)
    return new_params, loss


# %% wrong 3: this step goes uphill
def answer_3(params, data):
    loss, grads = jax.value_and_grad(loss_3)(params, *data)
    return jax.tree.map(lambda p, g: p + 0.1 * g, params, grads), loss


# %% wrong 3: the loss of the new parameters
def answer_3(params, data):
    grads = jax.grad(loss_3)(params, *data)
    new_params = jax.tree.map(lambda p, g: p - 0.1 * g, params, grads)
    return new_params, loss_3(new_params, *data)


# %% wrong 3: the new parameters come first
def answer_3(params, data):
    loss, grads = jax.value_and_grad(loss_3)(params, *data)
    return loss, jax.tree.map(lambda p, g: p - 0.1 * g, params, grads)


# %% wrong 3: return 2 values
def answer_3(params, data):
    grads = jax.grad(loss_3)(params, *data)
    return jax.tree.map(lambda p, g: p - 0.1 * g, params, grads)


# %% wrong 3: where is the learning rate
def answer_3(params, data):
    loss, grads = jax.value_and_grad(loss_3)(params, *data)
    return jax.tree.map(lambda p, g: p - g, params, grads), loss


# %% wrong 3: the loss isn't one number
def answer_3(params, data):
    grads = jax.grad(loss_3)(params, *data)
    new_params = jax.tree.map(lambda p, g: p - 0.1 * g, params, grads)
    return new_params, squared_errors(params, data)


def answer_3(params, data):
    loss, grads = jax.value_and_grad(loss_3)(params, *data)
    new_params = jax.tree.map(lambda p, g: p - 0.1 * g, params, grads)
    return new_params, (loss, {"grads": grads})


# %% wrong 3: the new parameters equal the old ones
def answer_3(params, data):
    loss, grads = jax.value_and_grad(loss_3)(params, *data)
    jax.tree.map(lambda p, g: p - 0.1 * g, params, grads)
    return params, loss


# %% wrong 3: only weight was updated
def answer_3(params, data):
    loss, grads = jax.value_and_grad(loss_3)(params, *data)
    return params | {"weight": params["weight"] - 0.1 * grads["weight"]}, loss
