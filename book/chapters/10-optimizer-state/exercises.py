"""What judges the answers to the exercises of this chapter, and answers to try it with."""


# %% check 1
def truth_1() -> float:
    """Return the parameter after ten calls of MultiSteps."""
    tx = optax.MultiSteps(optax.sgd(0.1), every_k_schedule=4)
    w = jnp.float32(0)
    opt_state = tx.init(w)
    for g in range(1, 11):
        updates, opt_state = tx.update(jnp.float32(g), opt_state, w)
        w = optax.apply_updates(w, updates)
    return float(w)


def check_1(answer) -> None:
    """Compare the prediction with ten calls of MultiSteps."""
    truth = truth_1()
    if isinstance(answer, (tuple, list)) and len(answer) == 1:
        answer = answer[0]
    value = None
    if not isinstance(answer, str):
        try:
            value = float(answer.item() if hasattr(answer, "item") else answer)
        except (TypeError, ValueError, OverflowError):
            pass
    assert value is not None and abs(value) < 1e9, (
        "one number is needed",
        "숫자 하나를 넣어야 합니다",
    )
    for slip, hint in (
        (
            -truth,
            (
                "which way does SGD move a parameter whose gradient is "
                "positive?",
                "SGD는 양의 기울기에서 파라미터를 어느 방향으로 옮기나요?",
            ),
        ),
        (
            -3.6,
            (
                "is the gradient of an update the sum of the four, or "
                "their mean?",
                "업데이트에 쓰는 기울기는 네 기울기의 합인가요, 평균인가요?",
            ),
        ),
        (
            -5.5,
            (
                "that's one update per call",
                "호출할 때마다 업데이트한 값입니다",
            ),
        ),
        (
            -1.85,
            (
                "when are the last two gradients applied?",
                "마지막 기울기 두 개는 언제 적용됩니까?",
            ),
        ),
        (
            -1.375,
            (
                "when are the last two gradients applied?",
                "마지막 기울기 두 개는 언제 적용됩니까?",
            ),
        ),
        (
            -0.55,
            (
                "that's one update with the mean of all ten: after how "
                "many gradients does MultiSteps update?",
                "기울기 열 개의 평균으로 한 번 업데이트한 값입니다. MultiSteps는 기울기 몇 개마다 "
                "업데이트하나요?",
            ),
        ),
        (
            -1.2,
            (
                "every gradient of a group of four counts, not the last alone",
                "업데이트에는 마지막 기울기만이 아니라 네 개가 모두 반영됩니다",
            ),
        ),
        (
            -0.25,
            (
                "that's after the first update: how many are there?",
                "첫 업데이트까지의 값입니다. 업데이트는 모두 몇 번인가요?",
            ),
        ),
        (
            -0.65,
            (
                "that's only the second update; the first one moved w too",
                "두 번째 업데이트만 더한 값입니다. 첫 번째 업데이트의 결과에서 이어집니다",
            ),
        ),
        (-9.0, ("the rate is missing", "학습률을 곱하지 않았습니다")),
        (
            0.0,
            (
                "some of the ten calls do change w",
                "호출 열 번 가운데 w를 바꾸는 호출이 있습니다",
            ),
        ),
    ):
        assert abs(value - slip) > 1e-3, hint
    assert abs(value - truth) < 1e-3, (
        "which calls change w, and by which gradient?",
        "어느 호출에서 어떤 기울기로 w가 바뀌는지 따져 보세요",
    )


# %% solution 1
# Calls 4 and 8 update, by the means of 1..4 and of 5..8; 9 and 10 wait.
judge(1, check_1, -0.1 * 2.5 - 0.1 * 6.5)


# %% wrong 1: which way does SGD
answer_1 = 0.9


# %% wrong 1: the sum of the four
answer_1 = -3.6


# %% wrong 1: one update per call
answer_1 = -5.5


# %% wrong 1: the last two
answer_1 = -1.85


# %% wrong 1: mean of all ten
answer_1 = -0.55


# %% wrong 1: not the last alone
answer_1 = -1.2


# %% wrong 1: after the first update
answer_1 = -0.25


# %% wrong 1: only the second update
answer_1 = -0.65


# %% wrong 1: some of the ten calls
answer_1 = 0


# %% wrong 1: one number is needed
answer_1 = (-0.25, -0.9)
answer_1 = "-0.9"
answer_1 = None
answer_1 = float("nan")
answer_1 = -(10**400)


# %% wrong 1: which calls change w
answer_1 = -1.0


# %% wrong 1: the rate is missing
answer_1 = -9


# %% check 2
def check_2(answer) -> None:
    """Compare updates with NumPy, by hand, under jit and in a scan."""
    assert callable(answer) and not isinstance(answer, tuple), (
        "a function of rate and decay is needed",
        "rate와 decay를 받는 함수를 넣어야 합니다",
    )
    numbers = np.random.default_rng(0)
    trees = [{"kernel": (3, 2), "bias": (2,)}, ((), ((4,),))]
    is_shape = lambda s: (
        isinstance(s, tuple)
        and all(isinstance(n, int) for n in s)
        and s != ((), ((4,),))
    )
    for shapes, rate, decay in zip(trees, (0.5, 0.01), (0.9, 0.6)):

        def draw():
            return jax.tree.map(
                lambda s: jnp.float32(numbers.normal(size=s)),
                shapes,
                is_leaf=is_shape,
            )

        tx, params = answer(rate, decay), draw()
        grads = [draw() for _ in range(12)]
        assert tx is not None, (
            "the function returns nothing: is there a `return`?",
            "함수가 아무것도 반환하지 않습니다. `return`이 있나요?",
        )
        assert isinstance(tx, optax.GradientTransformation), (
            "an optax.GradientTransformation of init and update is needed, "
            f"not a {type(tx).__name__}",
            "init과 update로 만든 optax.GradientTransformation이 필요한데 "
            f"{type(tx).__name__}입니다",
        )
        first = tx.init(params)
        velocity = jax.tree.map(lambda p: np.zeros(p.shape), params)
        wants, raw, plain = [], [], []
        for g in grads:
            velocity = jax.tree.map(
                lambda v, g: decay * v + np.asarray(g, float), velocity, g
            )
            wants.append(jax.tree.map(lambda v: -rate * np.sign(v), velocity))
            raw.append(jax.tree.map(lambda v: -rate * v, velocity))
            plain.append(jax.tree.map(lambda g: -rate * np.sign(g), g))

        def close(a, b):
            same = jax.tree.structure(a) == jax.tree.structure(b)
            return same and all(
                jnp.shape(x) == jnp.shape(y) and np.allclose(x, y, atol=1e-5)
                for x, y in zip(jax.tree.leaves(a), jax.tree.leaves(b))
            )

        opt_state, got = first, []
        for g in grads:
            result = tx.update(g, opt_state, params)
            assert result is not None, (
                "update returns nothing: is there a `return`?",
                "update가 아무것도 반환하지 않습니다. `return`이 있나요?",
            )
            assert isinstance(result, (tuple, list)) and len(result) == 2, (
                "update has to return two values, updates and opt_state",
                "update는 updates와 opt_state, 값 두 개를 반환해야 합니다",
            )
            assert close(
                jax.tree.map(jnp.zeros_like, result[0]),
                jax.tree.map(jnp.zeros_like, g),
            ), (
                "the updates don't have the structure and shapes of the "
                "gradients: do they come first?",
                "updates의 구조나 shape이 기울기와 다릅니다. updates를 먼저 "
                "반환하나요?",
            )
            updates, opt_state = result
            got.append(updates)
        assert not close(got, jax.tree.map(lambda u: -u, wants)), (
            "apply_updates adds: these updates go uphill",
            "apply_updates는 더하는 함수이므로 이대로는 손실이 커집니다",
        )
        assert not close(
            got[0], jax.tree.map(lambda p, w: p + w, params, wants[0])
        ), (
            "these are new parameters: an update is what apply_updates adds "
            "to the old ones",
            "새 파라미터입니다. update가 반환할 것은 apply_updates가 이전 "
            "파라미터에 더할 값입니다",
        )
        assert not close(
            got[0], jax.tree.map(lambda w: w * decay / rate, wants[0])
        ), (
            "the first update has the size of decay, not rate: did you swap "
            "the two arguments?",
            "첫 번째 updates의 크기가 rate가 아니라 decay입니다. 두 인수의 순서를 "
            "확인해 보세요",
        )
        assert not close(got[1:], wants[:-1]), (
            "each update comes one call late: which velocity is its sign "
            "taken from?",
            "updates가 한 번씩 늦습니다. 어느 velocity의 부호인가요?",
        )
        assert not close(got, raw), (
            "the velocity is right; where's its sign?",
            "velocity는 맞지만 부호를 취하지 않았습니다",
        )
        assert not close(got, plain), (
            "these are the signs of the gradients alone: does a velocity "
            "reach the next call?",
            "기울기만의 부호입니다. velocity가 다음 호출까지 전달되나요?",
        )
        assert not close(got, jax.tree.map(lambda u: u / rate, wants)), (
            "the signs are right, but their size isn't the rate",
            "부호는 맞지만 크기가 rate와 다릅니다",
        )
        for i, (u, want) in enumerate(zip(got, wants), start=1):
            assert close(u, want), (
                f"update {i} is off: what happens to the old velocity, and "
                "what to the gradient?",
                f"{i}번째 updates가 틀렸습니다. 이전 velocity와 기울기를 각각 "
                "어떻게 계산하나요?",
            )
        for a in jax.tree.leaves(got):
            assert jnp.asarray(a).dtype == jnp.float32, (
                f"updates of dtype {jnp.asarray(a).dtype} for float32 "
                "gradients",
                "기울기는 float32인데 updates의 dtype이 "
                f"{jnp.asarray(a).dtype}입니다",
            )
        again, _ = tx.update(grads[0], tx.init(params), params)
        assert close(again, wants[0]), (
            "after a fresh init the old velocity is still there: is it kept "
            "outside the state?",
            "init을 다시 했는데도 이전 velocity가 남아 있습니다. 상태 밖에 "
            "저장하나요?",
        )
        chained = optax.chain(tx, optax.identity())

        def step(opt_state, g):
            updates, opt_state = chained.update(g, opt_state, params)
            return opt_state, updates

        stacked = jax.tree.map(lambda *g: jnp.stack(g), *grads)
        try:
            _, scanned = jax.lax.scan(step, chained.init(params), stacked)
        except Exception as error:
            name = type(error).__name__
            raise AssertionError(
                (
                    f"call by call it's right, but lax.scan raises {name}:"
                    " what does scan require of a state?",
                    f"한 번씩 호출하면 맞지만 lax.scan에서 {name} 오류가 납니다. "
                    "lax.scan이 상태에 요구하는 조건은 무엇인가요?",
                )
            ) from None
        assert close(scanned, jax.tree.map(lambda *w: np.stack(w), *wants)), (
            "in lax.scan the updates differ: is everything you carry over "
            "in the state?",
            "lax.scan에서는 updates가 다릅니다. 기억할 값이 모두 상태에 "
            "들어 있나요?",
        )


# %% solution 2
def sign_of_velocity(rate: float, decay: float):
    """SGD with momentum that steps by the sign of the velocity."""

    def init(params):
        return jax.tree.map(jnp.zeros_like, params)

    def update(grads, velocity, params=None):
        velocity = jax.tree.map(lambda v, g: decay * v + g, velocity, grads)
        return jax.tree.map(lambda v: -rate * jnp.sign(v), velocity), velocity

    return optax.GradientTransformation(init, update)


judge(2, check_2, sign_of_velocity)


# %% wrong 2: go uphill
def answer_2(rate, decay):
    def init(params):
        return jax.tree.map(jnp.zeros_like, params)

    def update(grads, velocity, params=None):
        velocity = jax.tree.map(lambda v, g: decay * v + g, velocity, grads)
        updates = jax.tree.map(lambda v: rate * jnp.sign(v), velocity)
        return updates, velocity

    return optax.GradientTransformation(init, update)


# %% wrong 2: 's its sign
def answer_2(rate, decay):
    def init(params):
        return jax.tree.map(jnp.zeros_like, params)

    def update(grads, velocity, params=None):
        velocity = jax.tree.map(lambda v, g: decay * v + g, velocity, grads)
        updates = jax.tree.map(lambda v: -rate * v, velocity)
        return updates, velocity

    return optax.GradientTransformation(init, update)


# %% wrong 2: signs of the gradients alone
def answer_2(rate, decay):
    def init(params):
        return jax.tree.map(jnp.zeros_like, params)

    def update(grads, velocity, params=None):
        velocity = jax.tree.map(lambda v, g: g, velocity, grads)
        updates = jax.tree.map(lambda v: -rate * jnp.sign(v), velocity)
        return updates, velocity

    return optax.GradientTransformation(init, update)


def answer_2(rate, decay):
    def init(params):
        return jax.tree.map(jnp.zeros_like, params)

    def update(grads, velocity, params=None):
        velocity = jax.tree.map(lambda v, g: decay * v + g, velocity, grads)
        updates = jax.tree.map(lambda v: -rate * jnp.sign(v), velocity)
        return updates, init(grads)

    return optax.GradientTransformation(init, update)


# %% wrong 2: their size
def answer_2(rate, decay):
    def init(params):
        return jax.tree.map(jnp.zeros_like, params)

    def update(grads, velocity, params=None):
        velocity = jax.tree.map(lambda v, g: decay * v + g, velocity, grads)
        updates = jax.tree.map(lambda v: -jnp.sign(v), velocity)
        return updates, velocity

    return optax.GradientTransformation(init, update)


# %% wrong 2: is off: what happens to the old velocity
def answer_2(rate, decay):
    def init(params):
        return jax.tree.map(jnp.zeros_like, params)

    def update(grads, velocity, params=None):
        velocity = jax.tree.map(lambda v, g: v + g, velocity, grads)
        updates = jax.tree.map(lambda v: -rate * jnp.sign(v), velocity)
        return updates, velocity

    return optax.GradientTransformation(init, update)


def answer_2(rate, decay):
    def init(params):
        return jax.tree.map(jnp.zeros_like, params)

    def update(grads, velocity, params=None):
        velocity = jax.tree.map(lambda v, g: v + decay * g, velocity, grads)
        updates = jax.tree.map(lambda v: -rate * jnp.sign(v), velocity)
        return updates, velocity

    return optax.GradientTransformation(init, update)


def answer_2(rate, decay):
    def init(params):
        return jax.tree.map(jnp.zeros_like, params)

    def update(grads, velocity, params=None):
        velocity = jax.tree.map(
            lambda v, g: (1 - decay) * v + decay * g, velocity, grads
        )
        updates = jax.tree.map(lambda v: -rate * jnp.sign(v), velocity)
        return updates, velocity

    return optax.GradientTransformation(init, update)


def answer_2(rate, decay):
    def init(params):
        return jax.tree.map(jnp.ones_like, params)

    def update(grads, velocity, params=None):
        velocity = jax.tree.map(lambda v, g: decay * v + g, velocity, grads)
        updates = jax.tree.map(lambda v: -rate * jnp.sign(v), velocity)
        return updates, velocity

    return optax.GradientTransformation(init, update)


def answer_2(rate, decay):
    def init(params):
        return params

    def update(grads, velocity, params=None):
        velocity = jax.tree.map(lambda v, g: decay * v + g, velocity, grads)
        updates = jax.tree.map(lambda v: -rate * jnp.sign(v), velocity)
        return updates, velocity

    return optax.GradientTransformation(init, update)


# %% wrong 2: do they come first
def answer_2(rate, decay):
    def init(params):
        return jax.tree.map(jnp.zeros_like, params)

    def update(grads, velocity, params=None):
        velocity = jax.tree.map(lambda v, g: decay * v + g, velocity, grads)
        updates = jax.tree.map(lambda v: -rate * jnp.sign(v), velocity)
        return {"state": velocity}, updates

    return optax.GradientTransformation(init, update)


# %% wrong 2: two values
def answer_2(rate, decay):
    def init(params):
        return jax.tree.map(jnp.zeros_like, params)

    def update(grads, velocity, params=None):
        velocity = jax.tree.map(lambda v, g: decay * v + g, velocity, grads)
        updates = jax.tree.map(lambda v: -rate * jnp.sign(v), velocity)
        return updates

    return optax.GradientTransformation(init, update)


# %% wrong 2: of init and update is needed
def answer_2(rate, decay):
    def init(params):
        return jax.tree.map(jnp.zeros_like, params)

    def update(grads, velocity, params=None):
        velocity = jax.tree.map(lambda v, g: decay * v + g, velocity, grads)
        updates = jax.tree.map(lambda v: -rate * jnp.sign(v), velocity)
        return updates, velocity

    return init, update


# %% wrong 2: function returns nothing
def answer_2(rate, decay):
    def init(params):
        return jax.tree.map(jnp.zeros_like, params)

    def update(grads, velocity, params=None):
        velocity = jax.tree.map(lambda v, g: decay * v + g, velocity, grads)
        updates = jax.tree.map(lambda v: -rate * jnp.sign(v), velocity)
        return updates, velocity

    return None


# %% wrong 2: update returns nothing
def answer_2(rate, decay):
    def init(params):
        return jax.tree.map(jnp.zeros_like, params)

    def update(grads, velocity, params=None):
        velocity = jax.tree.map(lambda v, g: decay * v + g, velocity, grads)
        updates = jax.tree.map(lambda v: -rate * jnp.sign(v), velocity)
        return None

    return optax.GradientTransformation(init, update)


# %% wrong 2: but 3 were given
def answer_2(rate, decay):
    def init(params):
        return jax.tree.map(jnp.zeros_like, params)

    def update(grads, velocity):
        velocity = jax.tree.map(lambda v, g: decay * v + g, velocity, grads)
        updates = jax.tree.map(lambda v: -rate * jnp.sign(v), velocity)
        return updates, velocity

    return optax.GradientTransformation(init, update)


# %% wrong 2: a function of rate and decay
answer_2 = sign_of_velocity(0.1, 0.9)


# %% wrong 2: outside the state
def answer_2(rate, decay):
    kept = {}

    def update(grads, state, params=None):
        old = kept.get("v") or jax.tree.map(jnp.zeros_like, grads)
        kept["v"] = jax.tree.map(lambda v, g: decay * v + g, old, grads)
        return jax.tree.map(lambda v: -rate * jnp.sign(v), kept["v"]), state

    return optax.GradientTransformation(lambda params: (), update)


# %% wrong 2: lax.scan raises
def answer_2(rate, decay):
    def update(grads, state, params=None):
        state = (
            grads
            if state is None
            else jax.tree.map(lambda v, g: decay * v + g, state, grads)
        )
        return jax.tree.map(lambda v: -rate * jnp.sign(v), state), state

    return optax.GradientTransformation(lambda params: None, update)


def answer_2(rate, decay):
    def init(params):
        return jax.tree.map(jnp.zeros_like, params)

    def update(grads, velocity, params=None):
        velocity = jax.tree.map(lambda v, g: decay * v + g, velocity, grads)
        updates = jax.tree.map(
            lambda v: -rate * jnp.asarray(np.sign(np.asarray(v))), velocity
        )
        return updates, velocity

    return optax.GradientTransformation(init, update)


# %% wrong 2: new parameters
def answer_2(rate, decay):
    def init(params):
        return jax.tree.map(jnp.zeros_like, params)

    def update(grads, velocity, params=None):
        velocity = jax.tree.map(lambda v, g: decay * v + g, velocity, grads)
        new = jax.tree.map(
            lambda p, v: p - rate * jnp.sign(v), params, velocity
        )
        return new, velocity

    return optax.GradientTransformation(init, update)


# %% wrong 2: size of decay
def answer_2(decay, rate):
    return sign_of_velocity(rate, decay)


# %% wrong 2: one call late
def answer_2(rate, decay):
    def init(params):
        return jax.tree.map(jnp.zeros_like, params)

    def update(grads, velocity, params=None):
        updates = jax.tree.map(lambda v: -rate * jnp.sign(v), velocity)
        velocity = jax.tree.map(lambda v, g: decay * v + g, velocity, grads)
        return updates, velocity

    return optax.GradientTransformation(init, update)


# %% check 3
def check_3(answer) -> None:
    """Train with three optimizers and two masks; compare each leaf."""
    assert callable(answer) and not isinstance(answer, tuple), (
        "a function of tx and trainable is needed",
        "tx와 trainable을 받는 함수를 넣어야 합니다",
    )
    dense = {
        "kernel": jnp.array([[1.5, -2.0], [0.5, 3.0]]),
        "bias": jnp.array([0.5, -1.0]),
    }
    nested = {"first": dense, "last": (jnp.float32(4), jnp.array([-3.0]))}
    cases = [
        (dense, {"kernel": False, "bias": True}),
        (
            nested,
            {"first": {"kernel": True, "bias": False}, "last": (True, False)},
        ),
    ]
    makers = {
        "sgd with momentum": lambda: optax.sgd(0.1, momentum=0.9),
        "adam": lambda: optax.adam(0.1),
        "adamw": lambda: optax.adamw(0.1, weight_decay=0.05),
    }

    def one(leaf) -> float:
        return float(np.ravel(leaf)[0])

    def run(tx, params):
        @jax.jit
        def step(params, opt_state):
            grads = jax.tree.map(lambda p: 0.3 * p + 0.7, params)
            updates, opt_state = tx.update(grads, opt_state, params)
            return optax.apply_updates(params, updates), opt_state

        opt_state = tx.init(params)
        for _ in range(3):
            params, opt_state = step(params, opt_state)
        return params

    for params, trainable in cases:
        for name, make in makers.items():
            tx = answer(make(), trainable)
            assert tx is not None, (
                "the function returns nothing: is there a `return`?",
                "함수가 아무것도 반환하지 않습니다. `return`이 있나요?",
            )
            assert isinstance(tx, optax.GradientTransformation) or (
                hasattr(tx, "init") and hasattr(tx, "update")
            ), (
                "a transformation with init and update is needed, not a "
                f"{type(tx).__name__}",
                "init과 update가 있는 변환이 필요한데 "
                f"{type(tx).__name__}입니다",
            )
            new, free = run(tx, params), run(make(), params)
            rows = zip(*map(jax.tree.leaves, (params, trainable, new, free)))
            rows = list(rows)
            moved = [not np.array_equal(n, p) for p, _, n, _ in rows]
            asked = [t for _, t, _, _ in rows]
            assert any(moved), (
                f"with {name} nothing moves at all: which leaves are trained?",
                f"{name}: 모든 파라미터가 그대로입니다. 무엇을 학습하나요?",
            )
            assert moved != [not t for t in asked], (
                f"with {name} it's the other way round: the trainable leaves "
                "are frozen and the others move",
                f"{name}: 반대로 되었습니다. 학습할 리프가 고정되고 나머지가 "
                "바뀝니다",
            )
            for p, trained, n, want in rows:
                if not trained:
                    grad = 0.3 * p + 0.7
                    uphill = np.allclose(n - p, 3 * grad, rtol=0.5) and (
                        np.array_equal(np.sign(n - p), np.sign(grad))
                    )
                    assert not uphill, (
                        f"with {name} a frozen leaf moves uphill, by its raw "
                        "gradient: what does `masked` do where the mask is "
                        "False?",
                        f"{name}: 고정할 리프에 기울기가 그대로 더해집니다. `masked`는 "
                        "마스크가 False인 곳에서 무엇을 하나요?",
                    )
                    assert np.array_equal(n, p) or not np.allclose(n, want), (
                        f"with {name} a frozen leaf moves as if all were "
                        "trained: where do you exclude it?",
                        f"{name}: 고정할 리프도 모두 학습할 때와 똑같이 바뀝니다. "
                        "어디에서 제외하나요?",
                    )
                    assert np.array_equal(n, p), (
                        f"with {name} a frozen leaf moves from "
                        f"{one(p):.4f} to {one(n):.4f}: is its update zero, "
                        "or only its gradient?",
                        f"{name}: 고정할 리프의 값이 {one(p):.4f}에서 "
                        f"{one(n):.4f}로 바뀝니다. 변화량도 0인가요, "
                        "기울기만 0인가요?",
                    )
                else:
                    assert np.allclose(n, want, atol=1e-6), (
                        f"with {name} a trainable leaf ends at "
                        f"{one(n):.4f}, with tx alone at {one(want):.4f}",
                        f"{name}: 학습할 리프의 값이 {one(n):.4f}인데, tx만 쓰면 "
                        f"{one(want):.4f}입니다",
                    )


# %% solution 3
def partitioned(tx, trainable) -> optax.GradientTransformation:
    """Apply tx to the trainable leaves, and no update to the others."""
    labels = jax.tree.map(lambda t: "train" if t else "freeze", trainable)
    parts = {"train": tx, "freeze": optax.set_to_zero()}
    return optax.partition(parts, labels)


judge(3, check_3, partitioned)


# %% wrong 3: or only its gradient
answer_3 = only_where
answer_3 = lambda tx, trainable: (
    optax.masked(optax.chain(tx), True)
    if False
    else optax.chain(
        optax.freeze(jax.tree.map(lambda t: not t, trainable)), tx
    )
)


def answer_3(tx, trainable):
    labels = jax.tree.map(lambda t: "train" if t else "freeze", trainable)
    return optax.partition({"train": tx, "freeze": optax.sgd(1e-3)}, labels)


def answer_3(tx, trainable):
    def update(grads, opt_state, params=None):
        grads = jax.tree.map(lambda g, t: g * t, grads, trainable)
        return tx.update(grads, opt_state, params)

    return optax.GradientTransformation(tx.init, update)


# %% wrong 3: moves uphill
answer_3 = lambda tx, trainable: optax.masked(tx, trainable)


# %% wrong 3: the other way round
answer_3 = lambda tx, trainable: optax.chain(
    tx, optax.masked(optax.set_to_zero(), trainable)
)
answer_3 = lambda tx, trainable: partitioned(
    tx, jax.tree.map(lambda t: not t, trainable)
)


# %% wrong 3: nothing moves
answer_3 = lambda tx, trainable: optax.chain(tx, optax.set_to_zero())


# %% wrong 3: as if all were trained
answer_3 = lambda tx, trainable: tx


# %% wrong 3: returns nothing
answer_3 = lambda tx, trainable: None


# %% wrong 3: a function of tx and trainable
answer_3 = optax.set_to_zero()


# %% wrong 3: with init and update is needed
answer_3 = lambda tx, trainable: {"train": tx, "freeze": optax.set_to_zero()}


# %% wrong 3: a trainable leaf ends at
answer_3 = lambda tx, trainable: partitioned(optax.sgd(0.1), trainable)


# %% wrong 3: 1 positional argument but 2 were
answer_3 = lambda tx: tx
