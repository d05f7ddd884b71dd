"""What judges the answers to the exercises of this chapter, and answers to try it with."""


# %% check 1
def truth_1() -> tuple:
    """Return what the four expressions give."""

    def cubic(x):
        return x**3 - x

    def product(x, y):
        return x * y**2

    by_x, by_y = jax.grad(product, argnums=(0, 1))(3.0, 5.0)
    return jax.grad(cubic)(2.0), jax.grad(jax.grad(cubic))(2.0), by_x, by_y


def check_1(answer) -> None:
    """Compare four predictions with four runs; name the first that differs."""
    slope, curve, by_x, by_y = truth_1()
    value = (
        "that's the value of the function: what is its slope?",
        "함숫값입니다. 기울기를 구하세요.",
    )
    from_y = (
        "which argument does grad pick if argnums isn't given?",
        "argnums를 지정하지 않으면 어느 인수에 대해 미분하나요?",
    )
    cubic_at_2, product_at_3_5 = 2.0**3 - 2.0, 3.0 * 5.0**2
    expressions = (
        (
            slope,
            ((cubic_at_2,) + value,),
            "differentiate each term of cubic, then plug in 2.0",
            "cubic의 항을 하나씩 미분한 다음 2.0을 대입하세요.",
        ),
        (
            curve,
            (
                (
                    slope,
                    "that's the first derivative: grad is applied twice",
                    "한 번만 미분한 값입니다. grad를 두 번 적용했습니다.",
                ),
            ),
            "what is the derivative of the derivative?",
            "도함수를 한 번 더 미분한 다음 대입하세요.",
        ),
        (
            by_x,
            ((product_at_3_5,) + value, (by_y,) + from_y),
            "vary one argument and hold the other fixed",
            "한 인수만 움직이고 다른 인수는 값을 고정합니다.",
        ),
        (
            by_y,
            (
                (product_at_3_5,) + value,
                (
                    by_x,
                    "what number does argnums start counting from?",
                    "argnums는 몇부터 세나요?",
                ),
            ),
            "vary one argument and hold the other fixed",
            "한 인수만 움직이고 다른 인수는 값을 고정합니다.",
        ),
    )
    parts = None
    if not isinstance(answer, (str, set, dict)):
        try:
            parts = list(answer)
        except TypeError:
            pass
    assert parts is not None and len(parts) == 4, (
        "answer_1 must be a tuple of four numbers",
        "answer_1은 숫자 네 개로 된 튜플이어야 합니다.",
    )
    for number, (guess, (real, slips, *other)) in enumerate(
        zip(parts, expressions), start=1
    ):
        assert guess is not ..., (
            f"expression {number} has no answer yet",
            f"{number}번 식의 답이 아직 없습니다.",
        )
        found = None
        try:
            if not (isinstance(guess, str) or getattr(guess, "shape", ())):
                found = float(guess)
        except (TypeError, ValueError, OverflowError):
            pass
        assert found is not None, (
            f"expression {number} isn't one number: {guess!r}",
            f"{number}번 식의 답이 숫자 하나가 아닙니다(적은 값: {guess!r}).",
        )
        hint = next(
            (said for slip, *said in slips if abs(found - slip) < 1e-3), other
        )
        assert abs(found - real) < 1e-3, (
            f"expression {number} isn't {found:g}: {hint[0]}",
            f"{number}번 식의 답이 다릅니다(적은 값: {found:g}). {hint[1]}",
        )


# %% solution 1
# 3 x**2 - 1 = 11 and 6 x = 12 at 2; y**2 = 25 w.r.t. x, 2 x y = 30 w.r.t. y.
judge(1, check_1, (11.0, 12.0, 25.0, 30.0))


# %% wrong 1: that's the value of the function
answer_1 = (6.0, 12.0, 25.0, 30.0)
answer_1 = (11.0, 12.0, 75.0, 30.0)


# %% wrong 1: that's the first derivative
answer_1 = (11.0, 11.0, 25.0, 30.0)


# %% wrong 1: expression 3 isn't one number
answer_1 = (11.0, 12.0, (25.0, 30.0), 30.0)


# %% wrong 1: which argument does grad pick
answer_1 = (11.0, 12.0, 30.0, 30.0)


# %% wrong 1: what number does argnums start counting from
answer_1 = (11.0, 12.0, 25.0, 25.0)


# %% wrong 1: a tuple of four numbers
answer_1 = 11.0
answer_1 = {"a": 11.0, "b": 12.0, "c": 25.0, "d": 30.0}


# %% wrong 1: expression 2 isn't one number
answer_1 = (11.0, "twelve", 25.0, 30.0)


# %% wrong 1: differentiate each term of cubic
answer_1 = (12.0, 12.0, 25.0, 30.0)


# %% wrong 1: hold the other fixed
answer_1 = (11.0, 12.0, 25.0, 10.0)


# %% wrong 1: expression 2 has no answer yet
answer_1 = (11.0, ..., ..., ...)


# %% check 2
def check_2(answer) -> None:
    """Check loss, accuracy and gradient on three sets of examples."""

    def true_loss(params, x, labels):
        logit = params["weight"] * x + params["bias"]
        return jnp.mean(jnp.logaddexp(0.0, logit) - labels * logit)

    assert callable(answer), (
        "a function is needed: put the function itself into answer_2",
        "함수가 필요합니다. 호출한 결과가 아니라 함수 자체를 answer_2에 대입하세요.",
    )
    for weight, bias, rows, marks in (
        (
            2.0,
            -3.5,
            [0.5, 1, 1.5, 1.75, 2, 2.5, 3, 3.5, 4],
            [1, 1, 0, 1, 1, 0, 0, 0, 0],
        ),
        (-1.0, 2.2, [0.3, 1.1, 1.9, 2.6, 4.0], [1, 1, 0, 1, 0]),
        (0.5, 1.0, [-4.5, -3.0, -1.0, 0.5], [1, 0, 1, 1]),
    ):
        params = {"weight": jnp.float32(weight), "bias": jnp.float32(bias)}
        x, labels = jnp.array(rows), jnp.array(marks)
        try:
            result = answer(params, x, labels)
        except (TypeError, ValueError) as error:
            assert "shape" not in str(error), (
                "shape mismatch: do you use only the x and labels passed in?",
                "shape이 맞지 않습니다. 인수로 받은 x와 labels만 썼는지 확인하세요.",
            )
            raise
        assert result is not None, (
            "the function returns nothing: is there a return?",
            "함수가 아무것도 반환하지 않습니다. return이 있는지 확인하세요.",
        )
        pair = isinstance(result, (tuple, list)) and len(result) == 2
        pair = pair and not any(isinstance(part, dict) for part in result)
        assert pair and [np.shape(part) for part in result] == [(), ()], (
            "a pair (loss, accuracy) of two numbers is needed",
            "숫자 두 개의 쌍 (손실, 정확도)를 반환해야 합니다.",
        )
        loss, share = float(result[0]), float(result[1])
        real_loss = float(true_loss(params, x, labels))
        said = np.asarray(weight * x + bias > 0)
        true = np.asarray(labels) == 1
        real = float(np.mean(said == true))
        swapped = abs(loss - real) < 1e-4 and abs(share - real_loss) < 1e-4
        assert not swapped, (
            "the loss comes first: grad differentiates the first value",
            "손실이 먼저입니다. grad는 첫 번째 값을 미분합니다.",
        )
        assert abs(loss - real_loss) < 1e-4, (
            f"the first value is {loss:.4f}, but the loss is {real_loss:.4f}",
            f"첫 번째 값은 {loss:.4f}인데 손실은 {real_loss:.4f}입니다.",
        )
        equal = np.asarray(weight * x + bias >= 0)
        unbiased = np.asarray(weight * x > 0)
        slips = (
            (
                np.mean(unbiased == true),
                "is the bias in the logit?",
                "로짓에 편향을 더했는지 확인하세요.",
            ),
            (
                100 * real,
                "that is a percentage: return a fraction between 0 and 1",
                "백분율입니다. 0과 1 사이의 비율로 반환하세요.",
            ),
            (
                np.mean(equal == true),
                "what does the model predict if the logit is exactly 0?",
                "로짓이 정확히 0인 예제는 어느 쪽으로 예측하나요?",
            ),
            (
                said.mean(),
                "that is the fraction predicted as 1, right or wrong",
                "맞았는지와 상관없이 1로 예측한 예제의 비율입니다.",
            ),
            (
                np.sum(said == true),
                "that is a count: what fraction of the examples is it?",
                "맞힌 예제의 개수입니다. 전체에서 차지하는 비율을 구하세요.",
            ),
            (
                1 - real,
                "that is the fraction of examples predicted wrongly",
                "틀린 예제의 비율입니다.",
            ),
            (
                np.sum(said & true) / max(said.sum(), 1),
                "that looks only at the examples predicted as 1",
                "1로 예측한 예제만 따졌습니다.",
            ),
            (
                np.sum(said & true) / true.sum(),
                "that looks only at the examples with label 1",
                "레이블이 1인 예제만 따졌습니다.",
            ),
            (
                np.sum(said & true) / true.size,
                "examples with label 0 that are predicted correctly count too",
                "레이블이 0인 예제도 맞혔으면 세어야 합니다.",
            ),
        )
        hint = next(
            (slip[1:] for slip in slips if abs(share - slip[0]) < 1e-4),
            (
                "how often do logit > 0 and label 1 agree on these examples?",
                "logit > 0인지와 레이블이 1인지가 일치하는 예제의 비율을 구하세요.",
            ),
        )
        assert abs(share - real) < 1e-4, (
            f"the accuracy isn't {share:.4f}: {hint[0]}",
            f"정확도가 다릅니다(반환한 값: {share:.4f}). {hint[1]}",
        )
        try:
            (_, _), grads = jax.value_and_grad(answer, has_aux=True)(
                params, x, labels
            )
        except (
            jax.errors.ConcretizationTypeError,
            jax.errors.TracerArrayConversionError,
        ) as error:
            raise AssertionError(
                (
                    "right when called directly, but under grad, float() or "
                    "NumPy is handed a tracer: use jnp there",
                    "직접 호출하면 맞지만 grad로 미분하면 float()나 NumPy에 트레이서가 "
                    "들어갑니다. 그 계산은 jnp로 하세요.",
                )
            ) from error
        real_grads = jax.grad(true_loss)(params, x, labels)
        assert any(abs(grads[name]) > 1e-6 for name in params), (
            "the loss has the right value, but a gradient of 0: which step "
            "cuts it off from params?",
            "손실의 값은 맞지만 기울기가 0입니다. 손실과 params의 연결이 어디서 "
            "끊겼는지 확인하세요.",
        )
        for name in params:
            assert jnp.allclose(grads[name], real_grads[name], atol=1e-4), (
                f"the loss has the right value, but its gradient with "
                f"respect to {name} is wrong",
                f"손실의 값은 맞지만 {name}에 대한 기울기가 달라졌습니다.",
            )


# %% solution 2
def loss_and_accuracy(params, x, labels):
    """The loss, with the accuracy alongside."""
    logit = params["weight"] * x + params["bias"]
    return logistic_loss(params, x, labels), jnp.mean((logit > 0) == labels)


judge(2, check_2, loss_and_accuracy)


# %% wrong 2: a pair (loss, accuracy) of two numbers
answer_2 = logistic_loss


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


# %% wrong 2: right when called directly
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
def check_3(answer) -> None:
    """Take one step from each of three starts."""

    def mean_squared_error(params, x, y):
        return jnp.mean((params["weight"] * x + params["bias"] - y) ** 2)

    assert callable(answer), (
        "a function is needed: put the function itself into answer_3",
        "함수가 필요합니다. 호출한 결과가 아니라 함수 자체를 answer_3에 대입하세요.",
    )
    for weight, bias, xs, ys in (
        (1.0, 0.5, [1.0, -2.0, 3.5], [2.0, 0.5, -1.0]),
        (-0.5, 2.0, [0.5, 1.5, -1.0, 2.0], [1.0, -2.0, 3.0, 0.5]),
        (0.25, -1.5, [2.0], [1.0]),
    ):
        x, y = jnp.array(xs), jnp.array(ys)
        start = {"weight": jnp.float32(weight), "bias": jnp.float32(bias)}
        given = dict(start)
        try:
            result = answer(given, (x, y))
        except (TypeError, ValueError) as error:
            assert "scalar-output" not in str(error), (
                "grad needs one number as the loss, not one per example",
                "grad에 넣을 손실은 예제마다 하나가 아니라 숫자 하나여야 합니다.",
            )
            said = str(error)
            unlike = isinstance(error, ValueError) and any(
                word in said for word in ("pytree", "Expected", "mismatch")
            )
            assert not (unlike or "string ind" in said), (
                "grads isn't a dict of gradients: what does the right-hand "
                "side of loss, grads = ... return?",
                "grads가 기울기 딕셔너리가 아닙니다. loss, grads = ...의 오른쪽이 "
                "무엇을 반환하는지 확인하세요.",
            )
            raise
        assert result is not None, (
            "the function returns nothing: is there a return?",
            "함수가 아무것도 반환하지 않습니다. return이 있는지 확인하세요.",
        )
        two = isinstance(result, (tuple, list)) and len(result) == 2
        assert two, (
            "a pair (new parameters, loss) is needed",
            "(새 파라미터, 손실) 쌍을 반환해야 합니다.",
        )
        new, loss = result
        assert isinstance(new, dict) or not isinstance(loss, (tuple, list)), (
            "a pair (new parameters, loss) is needed",
            "(새 파라미터, 손실) 쌍을 반환해야 합니다.",
        )
        assert not isinstance(loss, dict), (
            "the new parameters come first, then the loss",
            "새 파라미터가 먼저이고 손실이 그다음입니다.",
        )
        assert isinstance(new, dict) and set(new) == {"weight", "bias"}, (
            "the new parameters are a dict with weight and bias",
            "새 파라미터는 weight와 bias가 들어 있는 딕셔너리입니다.",
        )
        assert loss is not None and not isinstance(loss, (tuple, list, str)), (
            f"the loss has the type {type(loss).__name__}: "
            "one number is needed",
            f"손실의 타입이 {type(loss).__name__}입니다. 숫자 하나여야 합니다.",
        )
        assert np.shape(loss) == (), (
            f"the loss has the shape {np.shape(loss)}: one number is needed",
            f"손실의 shape이 {np.shape(loss)}입니다. 숫자 하나여야 합니다.",
        )
        untouched = all(given[name] is start[name] for name in start)
        assert untouched and set(given) == set(start), (
            "the caller's params have changed: build a new dict",
            "호출한 쪽의 params가 바뀌었습니다. 딕셔너리를 새로 만드세요.",
        )
        grads = jax.grad(mean_squared_error)(start, x, y)

        def after(factor):
            return {name: start[name] - factor * grads[name] for name in start}

        def close(one, other):
            return all(
                np.shape(one[name]) == ()
                and abs(float(one[name]) - float(other[name])) < 1e-3
                for name in start
            )

        slips = (
            (
                after(0.0),
                "the new parameters equal the old ones",
                "새 파라미터가 이전 파라미터와 같습니다.",
            ),
            (
                after(-0.1),
                "this step goes uphill",
                "손실이 커지는 쪽으로 움직였습니다.",
            ),
            (
                after(0.1 * len(x)),
                "the step grows with the number of examples",
                "예제 수에 비례해서 스텝이 커집니다.",
            ),
            (
                grads,
                "these are the gradients, not the new parameters",
                "새 파라미터가 아니라 기울기입니다.",
            ),
            (
                after(1.0),
                "where is the learning rate of 0.1?",
                "학습률 0.1이 빠졌습니다.",
            ),
            (
                after(0.05),
                "this is half a step: is the error halved?",
                "스텝이 절반입니다. 오차를 2로 나누었나요?",
            ),
        )
        moved = [
            name
            for name in start
            if not close({**start, name: new[name]}, start)
        ]
        assert len(moved) != 1 or close(new, after(0.1)), (
            f"only {moved[0]} was updated",
            f"{moved[0]}만 업데이트했습니다.",
        )
        hint = next(
            (
                slip[1:]
                for slip in slips
                if close(new, slip[0]) and not close(new, after(0.1))
            ),
            (
                "the parameters aren't those after one step with rate 0.1",
                "학습률 0.1로 한 스텝 움직인 파라미터가 아닙니다.",
            ),
        )
        assert close(new, after(0.1)), hint
        real = float(mean_squared_error(start, x, y))
        late = abs(float(loss) - float(mean_squared_error(new, x, y))) < 1e-4
        assert abs(float(loss) - real) < 1e-3, (
            "this is the loss of the new parameters, not of the old ones"
            if late
            else f"the loss is {real:.4f}, not {float(loss):.4f}",
            "이전 파라미터가 아니라 새 파라미터의 손실입니다."
            if late
            else f"손실이 다릅니다(옳은 값: {real:.4f}, "
            f"반환한 값: {float(loss):.4f}).",
        )


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
    loss, grads = jax.grad(line_loss)(params, data)
    return jax.tree.map(lambda p, g: p - 0.1 * g, params, grads), loss


def answer_3(params, data):
    grads, loss = jax.value_and_grad(line_loss)(params, data)
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
    loss, grads = jax.value_and_grad(summed_loss)(params, data)
    new_params = jax.tree.map(lambda p, g: p - 0.1 * g, params, grads)
    return new_params, loss


# %% wrong 3: this step goes uphill
def answer_3(params, data):
    loss, grads = jax.value_and_grad(line_loss)(params, data)
    return jax.tree.map(lambda p, g: p + 0.1 * g, params, grads), loss


# %% wrong 3: the loss of the new parameters
def answer_3(params, data):
    grads = jax.grad(line_loss)(params, data)
    new_params = jax.tree.map(lambda p, g: p - 0.1 * g, params, grads)
    return new_params, line_loss(new_params, data)


# %% wrong 3: the new parameters come first
def answer_3(params, data):
    loss, grads = jax.value_and_grad(line_loss)(params, data)
    return loss, jax.tree.map(lambda p, g: p - 0.1 * g, params, grads)


# %% wrong 3: a pair (new parameters, loss) is needed
def answer_3(params, data):
    grads = jax.grad(line_loss)(params, data)
    return jax.tree.map(lambda p, g: p - 0.1 * g, params, grads)


# %% wrong 3: where is the learning rate
def answer_3(params, data):
    loss, grads = jax.value_and_grad(line_loss)(params, data)
    return jax.tree.map(lambda p, g: p - g, params, grads), loss


# %% wrong 3: the loss has the shape (3,)
def answer_3(params, data):
    grads = jax.grad(line_loss)(params, data)
    new_params = jax.tree.map(lambda p, g: p - 0.1 * g, params, grads)
    return new_params, squared_errors(params, data)


# %% wrong 3: the new parameters equal the old ones
def answer_3(params, data):
    loss, grads = jax.value_and_grad(line_loss)(params, data)
    jax.tree.map(lambda p, g: p - 0.1 * g, params, grads)
    return params, loss


# %% wrong 3: only weight was updated
def answer_3(params, data):
    loss, grads = jax.value_and_grad(line_loss)(params, data)
    return params | {"weight": params["weight"] - 0.1 * grads["weight"]}, loss


# %% wrong 3: the loss has the type tuple
def answer_3(params, data):
    loss, grads = jax.value_and_grad(line_loss)(params, data)
    new_params = jax.tree.map(lambda p, g: p - 0.1 * g, params, grads)
    return new_params, (loss, {"grads": grads})
