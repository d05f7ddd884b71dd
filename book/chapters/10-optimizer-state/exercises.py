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
    value, truth = read_number(answer), truth_1()
    late = "when are the last two gradients applied? · 마지막 기울기 두 개는 언제 적용됩니까?"
    slips = {
        0.9: "which way does SGD move a parameter whose gradient is positive? · "
        "SGD는 양의 기울기에서 파라미터를 어느 방향으로 옮기나요?",
        -3.6: "is the gradient of an update the sum of the four, or their mean? · "
        "업데이트에 쓰는 기울기는 네 기울기의 합인가요, 평균인가요?",
        -5.5: "that's one update per call · 호출할 때마다 업데이트한 값입니다",
        -1.85: late,
        -1.375: late,
        -0.55: "that's one update with the mean of all ten: after how many gradients does "
        "MultiSteps update? · 기울기 열 개의 평균으로 한 번 업데이트한 값입니다. MultiSteps는 기울기 몇 개마다 "
        "업데이트하나요?",
        -1.2: "every gradient of a group of four counts, not the last alone · "
        "업데이트에는 마지막 기울기만이 아니라 네 개가 모두 반영됩니다",
        -0.25: "that's after the first update: how many are there? · "
        "첫 업데이트까지의 값입니다. 업데이트는 모두 몇 번인가요?",
        -0.65: "that's only the second update; the first one moved w too · "
        "두 번째 업데이트만 더한 값입니다. 첫 번째 업데이트의 결과에서 이어집니다",
        -9.0: "the rate is missing · 학습률을 곱하지 않았습니다",
        0.0: "some of the ten calls do change w · 호출 열 번 가운데 w를 바꾸는 호출이 있습니다",
        None: "which calls change w, and by which gradient? · "
        "어느 호출에서 어떤 기울기로 w가 바뀌는지 따져 보세요",
    }
    assert abs(value - truth) < 1e-3, hint_of(value, slips, 1e-3)


# %% solution 1
# Calls 4 and 8 update, by the means of 1..4 and of 5..8; 9 and 10 wait.
judge(1, check_1, -0.1 * 2.5 - 0.1 * 6.5)


# %% right 1
answer_1 = -0.9
answer_1 = -9 / 10
answer_1 = [-0.9]
answer_1 = -0.1 * sum(range(1, 9)) / 4
answer_1 = (-0.9,)


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
def case_2(like, rate: float, decay: float) -> tuple:
    """Params, gradients, and by hand the velocity and the updates of each call."""
    rng = np.random.default_rng(0)
    draw = lambda: jax.tree.map(
        lambda leaf: jnp.float32(rng.normal(size=leaf.shape)), like
    )
    params, grads = draw(), [draw() for _ in range(12)]
    velocities = [jax.tree.map(lambda leaf: np.zeros(leaf.shape), like)]
    for g in grads:
        add = lambda v, g: decay * v + np.asarray(g, float)
        velocities.append(jax.tree.map(add, velocities[-1], g))
    right = jax.tree.map(lambda v: -rate * np.sign(v), velocities[1:])
    return params, grads, velocities[1:], right


def transformation_2(answer, rate: float, decay: float):
    """What an answer makes of a rate and a decay."""
    tx = call_answer(answer, rate, decay)
    kind = type(tx).__name__
    assert isinstance(tx, optax.GradientTransformation), (
        f"an optax.GradientTransformation of init and update is needed, not a {kind} · "
        f"init과 update로 만든 optax.GradientTransformation이 필요한데 {kind}입니다"
    )
    return tx


def updates_2(tx, params, grads) -> list:
    """The updates that a transformation gives, call by call."""
    opt_state, found = tx.init(params), []
    for g in grads:
        result = call_answer(tx.update, g, opt_state, params)
        updates, opt_state = needs_results(
            result, 2, "updates and opt_state · updates와 opt_state입니다"
        )
        structures = jax.tree.structure(updates), jax.tree.structure(g)
        shapes = [
            list(map(jnp.shape, jax.tree.leaves(t))) for t in (updates, g)
        ]
        assert structures[0] == structures[1] and shapes[0] == shapes[1], (
            "the updates don't have the structure and shapes of the gradients: do they come first? · "
            "updates의 구조나 shape이 기울기와 다릅니다. updates를 먼저 반환하나요?"
        )
        found.append(updates)
    return found


def slips_2(found: list, case: tuple, rate: float, decay: float) -> list:
    """Whether updates are those of each slip, and what it is."""
    params, grads, velocities, right = case
    same = lambda one, other: arrays_agree(one, other, 1e-5)
    scaled = lambda by, trees: jax.tree.map(lambda leaf: by * leaf, trees)
    stepped = jax.tree.map(lambda p, u: p + u, params, right[0])
    signs = jax.tree.map(np.sign, grads)
    return [
        (
            same(found, scaled(-1, right)),
            "apply_updates adds: these updates go uphill · "
            "apply_updates는 더하는 함수이므로 이대로는 손실이 커집니다",
        ),
        (
            same(found[0], stepped),
            "these are new parameters: an update is what apply_updates adds to the old ones · "
            "새 파라미터입니다. update가 반환할 것은 apply_updates가 이전 파라미터에 더할 값입니다",
        ),
        (
            same(found[0], scaled(decay / rate, right[0])),
            "the first update has the size of decay, not rate: did you swap the two arguments? · "
            "첫 번째 updates의 크기가 rate가 아니라 decay입니다. 두 인수의 순서를 확인해 보세요",
        ),
        (
            same(found[1:], right[:-1]),
            "each update comes one call late: which velocity is its sign taken from? · "
            "updates가 한 번씩 늦습니다. 어느 velocity의 부호인가요?",
        ),
        (
            same(found, scaled(-rate, velocities)),
            "the velocity is right; where's its sign? · "
            "velocity는 맞지만 부호를 취하지 않았습니다",
        ),
        (
            same(found, scaled(-rate, signs)),
            "these are the signs of the gradients alone: does a velocity reach the next call? · "
            "기울기만의 부호입니다. velocity가 다음 호출까지 전달되나요?",
        ),
        (
            same(found, scaled(1 / rate, right)),
            "the signs are right, but their size isn't the rate · "
            "부호는 맞지만 크기가 rate와 다릅니다",
        ),
    ]


def scanned_2(tx, params, grads):
    """The updates that a transformation gives inside a chain, in a scan."""
    chained = optax.chain(tx, optax.identity())

    def step(opt_state, g):
        updates, opt_state = chained.update(g, opt_state, params)
        return opt_state, updates

    stacked = jax.tree.map(lambda *g: jnp.stack(g), *grads)
    return jax.lax.scan(step, chained.init(params), stacked)[1]


def check_2(answer) -> None:
    """Compare updates with NumPy, by hand and in a scan."""
    needs_function(answer, "answer_2(rate, decay)")
    dense = {"kernel": jnp.zeros((3, 2)), "bias": jnp.zeros(2)}
    nested = (jnp.zeros(()), (jnp.zeros(4),))
    stops = {
        "TypeError: ": "call by call it's right, but lax.scan stops: what does scan require of a "
        "state? · 한 번씩 호출하면 맞지만 lax.scan에서 멈춥니다. lax.scan이 상태에 요구하는 조건은 무엇인가요?"
    }
    for like, rate, decay in ((dense, 0.5, 0.9), (nested, 0.01, 0.6)):
        case = params, grads, _, right = case_2(like, rate, decay)
        tx = transformation_2(answer, rate, decay)
        found = updates_2(tx, params, grads)
        for slipped, hint in slips_2(found, case, rate, decay):
            assert not slipped, hint
        for i, (updates, wanted) in enumerate(zip(found, right), start=1):
            assert arrays_agree(updates, wanted), (
                f"update {i} is off: what happens to the old velocity, and what to the gradient? · "
                f"{i}번째 updates가 틀렸습니다. 이전 velocity와 기울기를 각각 어떻게 계산하나요?"
            )
        others = [
            u.dtype
            for u in map(jnp.asarray, jax.tree.leaves(found))
            if u.dtype != "float32"
        ]
        assert not others, (
            f"updates of dtype {others[0]} for float32 gradients · "
            f"기울기는 float32인데 updates의 dtype이 {others[0]}입니다"
        )
        assert arrays_agree(updates_2(tx, params, grads[:1]), right[:1]), (
            "after a fresh init the old velocity is still there: is it kept outside the state? · "
            "init을 다시 했는데도 이전 velocity가 남아 있습니다. 상태 밖에 저장하나요?"
        )
        scanned = call_answer(scanned_2, tx, params, grads, hints=stops)
        stacked = jax.tree.map(lambda *u: np.stack(u), *right)
        assert arrays_agree(scanned, stacked), (
            "in lax.scan the updates differ: is everything you carry over in the state? · "
            "lax.scan에서는 updates가 다릅니다. 기억할 값이 모두 상태에 들어 있나요?"
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


# %% right 2
answer_2 = lambda rate, decay: optax.chain(
    optax.trace(decay), optax.scale_by_sign(), optax.scale(-rate)
)


answer_2 = lambda rate, decay: optax.chain(
    optax.trace(decay),
    optax.scale_by_sign(),
    optax.scale_by_learning_rate(rate),
)


def answer_2(rate, decay):
    def init(params):
        return jax.tree.map(lambda p: jnp.zeros(p.shape), params)

    def update(grads, velocity, params=None):
        velocity = jax.tree.map(lambda v, g: decay * v + g, velocity, grads)
        updates = jax.tree.map(lambda v: -rate * jnp.sign(v), velocity)
        return updates, velocity

    return optax.GradientTransformation(init, update)


def answer_2(rate, decay):
    def init(params):
        return jax.tree.map(lambda p: 0 * p, params)

    def update(grads, velocity, params=None):
        velocity = jax.tree.map(lambda v, g: decay * v + g, velocity, grads)
        updates = jax.tree.map(
            lambda v: jnp.where(v > 0, -rate, jnp.where(v < 0, rate, 0.0)),
            velocity,
        )
        return updates, velocity

    return optax.GradientTransformation(init, update)


def answer_2(rate, decay):
    def init(params):
        return jax.tree.map(jnp.zeros_like, params)

    def update(grads, velocity, params=None):
        velocity = jax.tree.map(
            lambda v, g: decay * v + (1 - decay) * g, velocity, grads
        )
        updates = jax.tree.map(lambda v: -rate * jnp.sign(v), velocity)
        return updates, velocity

    return optax.GradientTransformation(init, update)


def answer_2(rate, decay):
    def init(params):
        return jax.tree.map(jnp.zeros_like, params)

    def update(grads, velocity, params=None):
        velocity = jax.tree.map(lambda v, g: decay * v + g, velocity, grads)
        updates = jax.tree.map(lambda v: -rate * jnp.sign(v), velocity)
        return [updates, velocity]

    return optax.GradientTransformation(init, update)


def answer_2(rate, decay):
    def init(params):
        return jax.tree.map(jnp.zeros_like, params)

    def update(grads, velocity, params=None):
        velocity = jax.tree.map(lambda v, g: decay * v + g, velocity, grads)
        updates = jax.tree.map(lambda v: -rate * jnp.sign(v), velocity)
        return updates, velocity

    return optax.GradientTransformation(jax.jit(init), jax.jit(update))


def answer_2(rate, decay):
    def init(params):
        return jax.tree.map(jnp.zeros_like, params)

    def update(grads, velocity, params=None):
        velocity = jax.tree.map(lambda v, g: decay * v + g, velocity, grads)
        updates = jax.tree.map(lambda v: -rate * jnp.sign(v), velocity)
        return updates, velocity

    return optax.GradientTransformationExtraArgs(
        init, lambda g, s, p=None, **kw: update(g, s, p)
    )


def answer_2(rate, decay):
    def init(params):
        return optax.tree.zeros_like(params)

    def update(grads, velocity, params=None):
        velocity = jax.tree.map(lambda v, g: decay * v + g, velocity, grads)
        updates = jax.tree.map(lambda v: rate * jnp.sign(-v), velocity)
        return updates, velocity

    return optax.GradientTransformation(init, update)


class _Vel(NamedTuple):
    velocity: Any


def answer_2(rate, decay):
    def init(params):
        return {
            "v": _Vel(jax.tree.map(jnp.zeros_like, params)),
            "n": jnp.int32(0),
        }

    def update(grads, state, params=None):
        v = optax.tree.add(optax.tree.scale(decay, state["v"].velocity), grads)
        return optax.tree.scale(-rate, jax.tree.map(jnp.sign, v)), {
            "v": _Vel(v),
            "n": state["n"] + 1,
        }

    return optax.GradientTransformation(init, update)


def answer_2(rate, decay):
    def init(params):
        return jax.tree.leaves(jax.tree.map(jnp.zeros_like, params))

    def update(grads, state, params=None):
        leaves, treedef = jax.tree.flatten(grads)
        state = [decay * v + g for v, g in zip(state, leaves)]
        return treedef.unflatten([-rate * jnp.sign(v) for v in state]), state

    return optax.GradientTransformation(init=init, update=update)


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


# %% wrong 2: return 2 values
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


# %% wrong 2: returns nothing
def answer_2(rate, decay):
    def init(params):
        return jax.tree.map(jnp.zeros_like, params)

    def update(grads, velocity, params=None):
        velocity = jax.tree.map(lambda v, g: decay * v + g, velocity, grads)
        updates = jax.tree.map(lambda v: -rate * jnp.sign(v), velocity)
        return updates, velocity

    return None


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


# %% wrong 2: a function answer_2(rate, decay) is needed
answer_2 = sign_of_velocity(0.1, 0.9)


# %% wrong 2: outside the state
def answer_2(rate, decay):
    kept = {}

    def update(grads, state, params=None):
        old = kept.get("v") or jax.tree.map(jnp.zeros_like, grads)
        kept["v"] = jax.tree.map(lambda v, g: decay * v + g, old, grads)
        return jax.tree.map(lambda v: -rate * jnp.sign(v), kept["v"]), state

    return optax.GradientTransformation(lambda params: (), update)


# %% wrong 2: lax.scan stops
def answer_2(rate, decay):
    def update(grads, state, params=None):
        state = (
            grads
            if state is None
            else jax.tree.map(lambda v, g: decay * v + g, state, grads)
        )
        return jax.tree.map(lambda v: -rate * jnp.sign(v), state), state

    return optax.GradientTransformation(lambda params: None, update)


# %% wrong 2: needs the value of a tracer
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
def cases_3() -> list:
    """Params and which of them to train, in two trees, each for three optimizers."""
    dense = {
        "kernel": jnp.array([[1.5, -2.0], [0.5, 3.0]]),
        "bias": jnp.array([0.5, -1.0]),
    }
    nested = {"first": dense, "last": (jnp.float32(4), jnp.array([-3.0]))}
    inner = {"kernel": True, "bias": False}
    trees = [
        (dense, {"kernel": False, "bias": True}),
        (nested, {"first": inner, "last": (True, False)}),
    ]
    makers = {
        "sgd with momentum": lambda: optax.sgd(0.1, momentum=0.9),
        "adam": lambda: optax.adam(0.1),
        "adamw": lambda: optax.adamw(0.1, weight_decay=0.05),
    }
    return [(*tree, *maker) for tree in trees for maker in makers.items()]


def grad_3(param):
    """The gradient of a parameter."""
    return 0.3 * param + 0.7


def trained_3(tx, params):
    """The params after three steps."""

    @jax.jit
    def step(params, opt_state):
        grads = jax.tree.map(grad_3, params)
        updates, opt_state = tx.update(grads, opt_state, params)
        return optax.apply_updates(params, updates), opt_state

    opt_state = tx.init(params)
    for _ in range(3):
        params, opt_state = step(params, opt_state)
    return params


def needs_rest_3(name: str, before, after, free) -> None:
    """Refuse a frozen leaf that moves; `free` is where it goes without a mask."""
    moved, grad = after - before, grad_3(before)
    uphill = np.allclose(moved, 3 * grad, rtol=0.5)
    assert not (uphill and np.array_equal(np.sign(moved), np.sign(grad))), (
        f"with {name} a frozen leaf moves uphill, by its raw gradient: what does `masked` do where "
        f"the mask is False? · {name}: 고정할 리프에 기울기가 그대로 더해집니다. `masked`는 마스크가 False인 곳에서 "
        "무엇을 하나요?"
    )
    rests = np.array_equal(after, before)
    assert rests or not np.allclose(after, free), (
        f"with {name} a frozen leaf moves as if all were trained: where do you exclude it? · "
        f"{name}: 고정할 리프도 모두 학습할 때와 똑같이 바뀝니다. 어디에서 제외하나요?"
    )
    old, new = (float(np.ravel(leaf)[0]) for leaf in (before, after))
    assert rests, (
        f"with {name} a frozen leaf moves from {old:.4f} to {new:.4f}: is its update zero, or only "
        f"its gradient? · {name}: 고정할 리프의 값이 {old:.4f}에서 {new:.4f}로 바뀝니다. 변화량도 0인가요, "
        "기울기만 0인가요?"
    )


def check_3(answer) -> None:
    """Train with three optimizers and two masks; compare each leaf."""
    needs_function(answer, "answer_3(tx, trainable)")
    for params, trainable, name, make in cases_3():
        tx = call_answer(answer, make(), trainable)
        kind = type(tx).__name__
        assert hasattr(tx, "init") and hasattr(tx, "update"), (
            f"a transformation with init and update is needed, not a {kind} · "
            f"init과 update가 있는 변환이 필요한데 {kind}입니다"
        )
        trees = (
            params,
            trainable,
            trained_3(tx, params),
            trained_3(make(), params),
        )
        rows = list(zip(*map(jax.tree.leaves, trees)))
        moved = [
            not np.array_equal(before, after) for before, _, after, _ in rows
        ]
        assert any(moved), (
            f"with {name} nothing moves at all: which leaves are trained? · "
            f"{name}: 모든 파라미터가 그대로입니다. 무엇을 학습하나요?"
        )
        assert moved != [not trained for _, trained, _, _ in rows], (
            f"with {name} it's the other way round: the trainable leaves are frozen and the others "
            f"move · {name}: 반대로 되었습니다. 학습할 리프가 고정되고 나머지가 바뀝니다"
        )
        for before, trained, after, free in rows:
            if not trained:
                needs_rest_3(name, before, after, free)
                continue
            found, alone = (float(np.ravel(leaf)[0]) for leaf in (after, free))
            assert np.allclose(after, free, atol=1e-6), (
                f"with {name} a trainable leaf ends at {found:.4f}, with tx alone at {alone:.4f} · "
                f"{name}: 학습할 리프의 값이 {found:.4f}인데, tx만 쓰면 {alone:.4f}입니다"
            )


# %% solution 3
def partitioned(tx, trainable) -> optax.GradientTransformation:
    """Apply tx to the trainable leaves, and no update to the others."""
    labels = jax.tree.map(lambda t: "train" if t else "freeze", trainable)
    parts = {"train": tx, "freeze": optax.set_to_zero()}
    return optax.partition(parts, labels)


judge(3, check_3, partitioned)


# %% right 3
answer_3 = lambda tx, trainable: optax.chain(
    tx,
    optax.masked(
        optax.set_to_zero(), jax.tree.map(lambda t: not t, trainable)
    ),
)


answer_3 = lambda tx, trainable: optax.chain(
    optax.masked(tx, trainable),
    optax.masked(
        optax.set_to_zero(), jax.tree.map(lambda t: not t, trainable)
    ),
)


answer_3 = lambda tx, trainable: optax.chain(
    optax.masked(
        optax.set_to_zero(), jax.tree.map(lambda t: not t, trainable)
    ),
    optax.masked(tx, trainable),
)


answer_3 = lambda tx, trainable: optax.selective_transform(
    tx, freeze_mask=jax.tree.map(lambda t: not t, trainable)
)


answer_3 = lambda tx, trainable: optax.chain(
    tx, optax.freeze(jax.tree.map(lambda t: not t, trainable))
)


answer_3 = lambda tx, trainable: optax.partition(
    {True: tx, False: optax.set_to_zero()}, trainable
)


answer_3 = lambda tx, trainable: optax.multi_transform(
    {1: tx, 0: optax.set_to_zero()}, jax.tree.map(int, trainable)
)


answer_3 = lambda tx, trainable: optax.partition(
    {"t": tx, "f": optax.set_to_zero()},
    lambda p: jax.tree.map(lambda t: "t" if t else "f", trainable),
)


def answer_3(tx, trainable):
    def update(grads, opt_state, params=None):
        updates, opt_state = tx.update(grads, opt_state, params)
        keep = lambda u, t: u if t else jnp.zeros_like(u)
        return jax.tree.map(keep, updates, trainable), opt_state

    return optax.GradientTransformation(tx.init, update)


def answer_3(tx, trainable):
    def update(grads, opt_state, params=None):
        updates, opt_state = tx.update(grads, opt_state, params)
        return jax.tree.map(lambda u, t: u * t, updates, trainable), opt_state

    return optax.GradientTransformationExtraArgs(
        tx.init, lambda g, s, p=None, **kw: update(g, s, p)
    )


answer_3 = lambda tx, trainable: optax.MultiSteps(
    partitioned(tx, trainable), 1
)


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


# %% wrong 3: a function answer_3(tx, trainable) is needed
answer_3 = optax.set_to_zero()


# %% wrong 3: with init and update is needed
answer_3 = lambda tx, trainable: {"train": tx, "freeze": optax.set_to_zero()}


# %% wrong 3: a trainable leaf ends at
answer_3 = lambda tx, trainable: partitioned(optax.sgd(0.1), trainable)


# %% wrong 3: 1 positional argument but 2 were
answer_3 = lambda tx: tx
