"""What judges the answers to the exercises of this chapter, and answers to try it with."""


# %% check 1
def truth_1() -> tuple:
    """Make the five states again and count their equal arrays."""
    norm = {"scale": jnp.ones(3), "bias": jnp.zeros(3)}
    linear = {"kernel": jnp.ones((3, 1)), "bias": jnp.zeros(1)}
    stats = {"mean": jnp.zeros(3), "var": jnp.ones(3)}
    start = ModelState({"norm": norm, "linear": linear}, {"norm": stats})
    data = jnp.float32([[1, 2, 4], [3, 8, 5]]), jnp.float32([[1], [2]])

    def count(state):
        pairs = zip(jax.tree.leaves(start), jax.tree.leaves(state))
        return sum(bool((one == other).all()) for one, other in pairs)

    a, _ = plain_step(start, data)
    refs = jax.tree.map(jax.new_ref, start)
    e, _ = jax.tree.map(lambda ref: ref[...], refs), refs_step(refs, data)
    return (
        count(a),
        count(ModelState(a.params, start.batch_stats)),
        count(ModelState(start.params, plain_apply(start, data[0], True)[1])),
        count(jax.tree.map(lambda ref: ref[...], refs)),
        count(e),
    )


def check_1(answer) -> None:
    """Compare five numbers with the arrays that are counted."""
    try:
        given = [] if isinstance(answer, (set, dict)) else list(answer)
    except TypeError:
        given = []
    assert len(given) == 5, (
        "a list of five numbers is needed",
        "수 다섯 개를 담은 리스트가 필요합니다",
    )
    names = ["a", "b", "c", "read(d)", "e"]
    for name, value in zip(names, given):
        try:
            number = None if isinstance(value, str) else float(value)
        except (TypeError, ValueError, OverflowError):
            number = None
        assert number is not None, (
            f"{name}: a number is needed",
            f"{name}: 수가 필요합니다",
        )
    hints = (
        (
            "a: which arrays does a step of training replace?",
            "a: 학습 스텝은 어떤 배열을 새 배열로 바꿉니까?",
        ),
        (
            "b: where do its statistics come from?",
            "b: 통계량을 어디에서 가져왔습니까?",
        ),
        (
            "c: does a forward pass change the params?",
            "c: 순전파에서 파라미터가 바뀝니까?",
        ),
        (
            "read(d): what's in the Refs after the step?",
            "read(d): 스텝을 실행한 뒤 Ref의 값은 무엇입니까?",
        ),
        (
            "e: was it read before the step or after it, and is it a Ref?",
            "e: 스텝을 실행하기 전에 읽은 값입니까, 뒤에 읽은 값입니까? "
            "그리고 e는 Ref입니까?",
        ),
    )
    for value, right, hint in zip(given, truth_1(), hints):
        assert value == right, hint


# %% solution 1
# a: a step replaces all six. b: the statistics are the initial ones, two.
# c: a forward pass writes the statistics only, so the four of params stay.
# d: the Refs hold new arrays. e: arrays that were read before the step, six.
judge(1, check_1, [0, 2, 4, 0, 6])


# %% wrong 1: a: which arrays
answer_1 = [2, 2, 4, 0, 6]
answer_1 = [6, 4, 2, 6, 0]


# %% wrong 1: where do its statistics come from
answer_1 = [0, 0, 4, 0, 6]
answer_1 = [0, 4, 2, 0, 6]


# %% wrong 1: does a forward pass change the params
answer_1 = [0, 2, 6, 0, 6]
answer_1 = [0, 2, 0, 0, 6]


# %% wrong 1: in the Refs after the step
answer_1 = [0, 2, 4, 6, 6]


# %% wrong 1: read before the step or after
answer_1 = [0, 2, 4, 0, 0]


# %% wrong 1: five numbers is needed
answer_1 = [0, 2, 4, 0]
answer_1 = 6
answer_1 = {"a": 0, "b": 2}
answer_1 = {"a": 0, "b": 2, "c": 4, "read(d)": 0, "e": 6}


# %% wrong 1: a: a number is needed
answer_1 = [[], ["mean", "var"], 4, 0, 6]


# %% wrong 1: read(d): a number is needed
answer_1 = [0, 2, 4, None, 6]


# %% check 2
def check_2(answer) -> None:
    """Convert models with random variables; compare name by name."""
    assert callable(answer), ("a function is needed", "함수가 필요합니다")
    numbers = np.random.default_rng(7)
    results = []
    for n_in, n_out in ((3, 1), (5, 2), (4, 4)):
        model = keras.Sequential(
            [
                keras.Input((n_in,)),
                keras.layers.BatchNormalization(momentum=0.9, epsilon=1e-5),
                keras.layers.Dense(n_out),
            ]
        )
        norm, dense = model.layers
        truth = {}
        for place, variable in {
            ("params", "norm", "scale"): norm.gamma,
            ("params", "norm", "bias"): norm.beta,
            ("params", "linear", "kernel"): dense.kernel,
            ("params", "linear", "bias"): dense.bias,
            ("batch_stats", "norm", "mean"): norm.moving_mean,
            ("batch_stats", "norm", "var"): norm.moving_variance,
        }.items():
            array = numbers.uniform(0.5, 2.0, variable.shape)
            truth[place] = array.astype("float32")
            variable.assign(truth[place])
        result = answer(model)
        assert result is not None, (
            "nothing is returned",
            "반환값이 없습니다",
        )
        if isinstance(result, tuple) and hasattr(result, "_asdict"):
            result = result._asdict()
        assert hasattr(result, "keys"), (
            "a dict is needed",
            "딕셔너리가 필요합니다",
        )
        places = {}
        for path, leaf in jax.tree.leaves_with_path(result):
            names = [getattr(k, "key", getattr(k, "name", k)) for k in path]
            places[tuple(map(str, names))] = leaf
        assert {p[0] for p in places} == {"params", "batch_stats"}, (
            "the dict needs the keys params and batch_stats; it has "
            f"{sorted(result)}",
            "딕셔너리에 params와 batch_stats 키가 있어야 합니다. 지금 있는 "
            f"키: {sorted(result)}",
        )
        for place in truth:
            assert place in places, (
                f"{'/'.join(place)} is missing",
                f"{'/'.join(place)}이(가) 빠졌습니다",
            )
        for place in places:
            assert place in truth, (
                f"{'/'.join(place)} isn't a variable of LinenModel",
                f"{'/'.join(place)}은(는) LinenModel에 없는 변수입니다",
            )
        others = {k: v.tobytes() for k, v in truth.items()}
        for place, right in truth.items():
            name, leaf = "/".join(place), places[place]
            assert isinstance(leaf, (jax.Array, np.ndarray)), (
                f"{name} is a {type(leaf).__name__}; an array is needed",
                f"{name}의 타입이 {type(leaf).__name__}입니다. 배열이 "
                "필요합니다",
            )
            assert leaf.shape == right.shape, (
                f"{name} has shape {leaf.shape}; Linen's is {right.shape}",
                f"{name}의 shape이 {leaf.shape}입니다. Linen에서는 "
                f"{right.shape}입니다",
            )
            if np.allclose(leaf, right, rtol=1e-6):
                continue
            found = np.asarray(leaf, "float32").tobytes()
            assert found not in others.values(), (
                f"{name} has the numbers of another variable",
                f"{name}에 다른 변수의 값이 들어 있습니다",
            )
            raise AssertionError(
                (
                    f"{name} doesn't have the numbers of the model given",
                    f"{name}의 값이 인수로 받은 모델의 값과 다릅니다",
                )
            )
        results.append((result, truth))
    for result, truth in results:
        kept = [result[a][b][c] for a, b, c in truth]
        right = list(truth.values())
        assert all(map(np.array_equal, kept, right)), (
            "a later call changed an earlier result",
            "나중 호출이 앞선 결과를 바꾸었습니다",
        )


# %% solution 2
def to_linen(model: keras.Model) -> dict:
    """The variables of LinenModel with the numbers of a Keras model."""
    params = [variable.value for variable in model.trainable_variables]
    stats = [variable.value for variable in model.non_trainable_variables]
    (scale, bias, kernel, linear_bias), (mean, var) = params, stats
    return {
        "params": {
            "norm": {"scale": scale, "bias": bias},
            "linear": {"kernel": kernel, "bias": linear_bias},
        },
        "batch_stats": {"norm": {"mean": mean, "var": var}},
    }


judge(2, check_2, to_linen)


# %% wrong 2: has the numbers of another variable
def answer_2(model):
    bias, scale, kernel, linear_bias = [
        v.value for v in model.trainable_variables
    ]
    mean, var = [v.value for v in model.non_trainable_variables]
    return {
        "params": {
            "norm": {"scale": scale, "bias": bias},
            "linear": {"kernel": kernel, "bias": linear_bias},
        },
        "batch_stats": {"norm": {"mean": mean, "var": var}},
    }


def answer_2(model):
    result = to_linen(model)
    stats = result["batch_stats"]["norm"]
    stats["mean"], stats["var"] = stats["var"], stats["mean"]
    return result


def answer_2(model):
    scale, bias, mean, var, kernel, linear_bias = [
        v.value for v in model.weights
    ]
    result = to_linen(model)
    result["params"]["norm"] = {"scale": mean, "bias": var}
    return result


# %% wrong 2: the keys params and batch_stats
answer_2 = lambda model: to_linen(model)["params"]
answer_2 = lambda model: {"params": to_linen(model)["params"]}


# %% wrong 2: a dict is needed
answer_2 = lambda model: model.get_weights()
answer_2 = lambda model: tuple(to_linen(model).values())


# %% wrong 2: nothing is returned
def answer_2(model):
    to_linen(model)


# %% wrong 2: an array is needed
def answer_2(model):
    norm, dense = model.layers
    return {
        "params": {
            "norm": {"scale": norm.gamma, "bias": norm.beta},
            "linear": {"kernel": dense.kernel, "bias": dense.bias},
        },
        "batch_stats": {
            "norm": {"mean": norm.moving_mean, "var": norm.moving_variance}
        },
    }


# %% wrong 2: params/linear/kernel has shape (1, 3)
def answer_2(model):
    result = to_linen(model)
    result["params"]["linear"]["kernel"] = result["params"]["linear"][
        "kernel"
    ].T
    return result


# %% wrong 2: the numbers of the model given
answer_2 = lambda model: to_linen(keras_model)
answer_2 = lambda model: jax.tree.map(lambda x: x, initial._asdict())


# %% wrong 2: is missing
def answer_2(model):
    result = to_linen(model)
    norm = result["params"]["norm"]
    norm["gamma"] = norm.pop("scale")
    return result


def answer_2(model):
    result = to_linen(model)
    result["params"]["dense"] = result["params"].pop("linear")
    return result


# %% wrong 2: params/norm/mean isn't a variable
def answer_2(model):
    result = to_linen(model)
    result["params"]["norm"]["mean"] = result["batch_stats"]["norm"]["mean"]
    return result


# %% wrong 2: your answer raised
def answer_2(model):
    scale, bias, kernel, linear_bias, mean, var = model.trainable_variables
    return {"params": {"norm": {"scale": scale, "bias": bias}}}


# %% wrong 2: a later call changed
one_dict = {}


def answer_2(model):
    one_dict.update(to_linen(model))
    return one_dict


# %% wrong 2: a function is needed
answer_2 = to_linen(keras_model)


# %% check 3
def check_3(answer) -> None:
    """Compare with a model that is trained and tested by hand."""
    assert callable(answer), ("a function is needed", "함수가 필요합니다")

    def forward(params, stats, x):
        norm, linear = params["norm"], params["linear"]
        h = (x - stats["mean"]) / jnp.sqrt(stats["var"] + 1e-5)
        h = h * norm["scale"] + norm["bias"]
        return h @ linear["kernel"] + linear["bias"]

    def of_batch(x):
        return {"mean": x.mean(0), "var": x.var(0)}

    def mix(old, new):
        return jax.tree.map(lambda a, b: 0.9 * a + 0.1 * b, old, new)

    def compute(params, x, y):
        return jnp.mean((forward(params, of_batch(x), x) - y) ** 2)

    grad = jax.jit(jax.grad(compute))
    numbers = np.random.default_rng(11)
    weights = jnp.array([[0.5], [-0.5], [0.25]])
    for n_steps, mean in ((7, 1.0), (1, -2.0), (4, 0.5)):
        x = numbers.normal(mean, 1.5, (n_steps + 1, 16, 3)).astype("float32")
        y = np.asarray(x @ weights + 1.0)
        data, test = list(zip(x[:-1], y[:-1])), (x[-1] + 1.0, y[-1] + 0.5)
        linear = {"kernel": jnp.asarray(weights) * mean, "bias": jnp.zeros(1)}
        norm = {"scale": jnp.ones(3), "bias": jnp.zeros(3)}
        params = {"norm": norm, "linear": linear}
        stats = {"mean": jnp.full(3, 0.5), "var": jnp.full(3, 2.0)}
        start = ModelState(params, {"norm": stats})
        polluted = only_test = stats
        losses, in_train, early = [], [], []
        for bx, by in data:
            grads = grad(params, bx, by)
            before = params, stats
            params = jax.tree.map(lambda p, g: p - 0.1 * g, params, grads)
            stats = mix(stats, of_batch(bx))
            polluted = mix(polluted, of_batch(bx))
            tx, ty = test
            losses.append(jnp.mean((forward(params, stats, tx) - ty) ** 2))
            in_train.append(compute(params, tx, ty))
            early.append(jnp.mean((forward(*before, tx) - ty) ** 2))
            polluted = mix(polluted, of_batch(tx))
            only_test = mix(only_test, of_batch(tx))
        result = answer(start, data, test)
        assert result is not None, (
            "nothing is returned",
            "반환값이 없습니다",
        )
        assert isinstance(result, (tuple, list)) and len(result) == 2, (
            "two results are needed, the state and the test losses",
            "결과가 두 개여야 합니다. 상태와 테스트 손실 리스트입니다",
        )
        assert hasattr(result[0], "batch_stats"), (
            "the first result has to be the state",
            "첫 번째 결과가 상태여야 합니다",
        )
        found_params, found = result[0].params, result[0].batch_stats["norm"]

        def close(a, b):
            a, b = jax.tree.leaves(a), jax.tree.leaves(b)
            return all(np.allclose(u, v, atol=1e-4) for u, v in zip(a, b))

        assert close(found_params, params), (
            "the params aren't those of training on all batches",
            "모든 배치로 학습한 파라미터가 아닙니다",
        )
        assert not close(found, start.batch_stats["norm"]), (
            "the statistics are still the initial ones",
            "통계량이 초깃값 그대로입니다",
        )
        assert not (close(found, polluted) or close(found, only_test)), (
            "the statistics contain those of the test data",
            "통계량에 테스트 데이터의 통계량이 섞였습니다",
        )
        assert close(found, stats), (
            "the statistics aren't those of training on all batches",
            "모든 배치로 학습한 통계량이 아닙니다",
        )
        given = np.asarray(result[1], float)
        assert given.shape == (len(losses),), (
            f"after {n_steps} steps {n_steps} test losses are needed; the "
            f"shape of the result is {given.shape}",
            f"스텝이 {n_steps}개이면 테스트 손실도 {n_steps}개여야 합니다. "
            f"결과의 shape은 {given.shape}입니다",
        )
        assert not np.allclose(given, in_train, rtol=1e-4), (
            "the test losses are those of train mode",
            "테스트 손실을 학습 모드에서 구했습니다",
        )
        assert not np.allclose(given, early, rtol=1e-4), (
            "the test losses belong to the state before the step",
            "테스트 손실을 스텝 이전의 상태로 구했습니다",
        )
        assert np.allclose(given, losses, rtol=1e-3), (
            "the test losses aren't those of eval mode on the test data given",
            "인수로 받은 테스트 데이터를 평가 모드에서 계산한 손실이 아닙니다",
        )


# %% solution 3
def fixed_train_with_tests(state: ModelState, batches: list, test: tuple):
    """Train; test in eval mode after each step and write nothing."""
    test_losses = []
    for data in batches:
        state, loss = plain_step(state, data)
        output, _ = plain_apply(state, test[0], train=False)
        test_losses.append(mse(output, test[1]))
    return state, test_losses


judge(3, check_3, fixed_train_with_tests)


# %% wrong 3: contain those of the test data
answer_3 = train_with_tests


def answer_3(state, batches, test):
    test_losses = []
    for data in batches:
        new_state, loss = plain_step(state, data)
        output, _ = plain_apply(new_state, test[0])
        _, batch_stats = plain_apply(state, test[0], train=True)
        state = ModelState(new_state.params, batch_stats)
        test_losses.append(mse(output, test[1]))
    return state, test_losses


# %% wrong 3: those of train mode
def answer_3(state, batches, test):
    test_losses = []
    for data in batches:
        state, loss = plain_step(state, data)
        output, _ = plain_apply(state, test[0], train=True)
        test_losses.append(mse(output, test[1]))
    return state, test_losses


# %% wrong 3: still the initial ones
def answer_3(state, batches, test):
    test_losses = []
    for data in batches:
        new_state, loss = plain_step(state, data)
        state = ModelState(new_state.params, state.batch_stats)
        output, _ = plain_apply(state, test[0])
        test_losses.append(mse(output, test[1]))
    return state, test_losses


# %% wrong 3: on the test data given
def answer_3(state, batches, test):
    test_losses = []
    for data in batches:
        state, loss = plain_step(state, data)
        output, _ = plain_apply(state, x_test)
        test_losses.append(mse(output))
    return state, test_losses


def answer_3(state, batches, test):
    test_losses = []
    for data in batches:
        state, loss = plain_step(state, data)
        output, _ = plain_apply(state, test[0])
        test_losses.append(jnp.abs(output - test[1]).mean())
    return state, test_losses


def answer_3(state, batches, test):
    test_losses = []
    for data in batches:
        state, loss = plain_step(state, data)
        test_losses.append(loss)
    return state, test_losses


# %% wrong 3: state before the step
def answer_3(state, batches, test):
    test_losses = []
    for data in batches:
        output, _ = plain_apply(state, test[0])
        test_losses.append(mse(output, test[1]))
        state, loss = plain_step(state, data)
    return state, test_losses


# %% wrong 3: two results are needed
answer_3 = lambda *args: (*fixed_train_with_tests(*args), 0.0)
answer_3 = lambda *args: np.array(fixed_train_with_tests(*args)[1])


# %% wrong 3: has to be the state
answer_3 = lambda *args: fixed_train_with_tests(*args)[::-1]
answer_3 = lambda *args: fixed_train_with_tests(*args)[0]


# %% wrong 3: params aren't those of training
def answer_3(state, batches, test):
    test_losses = []
    for data in batches:
        new_state, loss = plain_step(state, data)
        output, _ = plain_apply(new_state, test[0])
        test_losses.append(mse(output, test[1]))
        state = ModelState(state.params, new_state.batch_stats)
    return state, test_losses


# %% wrong 3: nothing is returned
def answer_3(*args):
    fixed_train_with_tests(*args)


# %% wrong 3: test losses are needed
def answer_3(*args):
    state, out = fixed_train_with_tests(*args)
    return state, out[-1]


# %% wrong 3: a function is needed
answer_3 = None
