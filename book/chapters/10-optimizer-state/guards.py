"""What this chapter says, in asserts for the tests alone."""


# %% after: momentum-by-hand 2
def _y_after(rate, n=20):
    p = start
    for _ in range(n):
        g = jax.grad(valley)(p)
        p = jax.tree.map(lambda p, g: p - rate * g, p, g)
    return abs(p["y"])


assert _y_after(0.041) > 1 > _y_after(0.039)


# %% after: momentum-by-hand 2
_new, _ = sgd_step(start)
assert np.isclose(_new["x"] / start["x"], 0.97)


# %% after: momentum-by-hand 2
_v = 0.0
for _ in range(300):
    _v = 0.9 * _v + 1.0
assert np.isclose(_v, 10)


# %% after: momentum-by-hand 4
assert equal == 100


# %% after: momentum-by-hand 5
assert equal == 2 and np.isclose(momentum_losses[:2], sgd_losses[:2]).all()


# %% after: momentum-by-hand 5
assert 40 < sgd_losses[-1] / momentum_losses[-1] < 1000


# %% after: momentum-by-hand 5
assert jax.tree.structure(state.params) == jax.tree.structure(state.velocity)


# %% after: momentum-by-hand 5
# a round valley with the best rate: SGD needs one step, momentum overshoots
_p, _v = 10.0, 0.0
for _ in range(2):
    _v = 0.9 * _v + _p
    _p = _p - _v
assert 10.0 - 1.0 * 10.0 == 0 and _p == -9


# %% after: momentum-by-hand
assert np.hypot(*momentum_path[-1]) < np.hypot(*sgd_path[-1]) < 3
assert momentum_path[:, 0].min() < -1 and sgd_path[:, 0].min() > 0


# %% after: momentum-by-hand
# along y: SGD halves y at each step, momentum takes 5% off its swings
assert np.allclose(sgd_path[:11, 1], (-0.5) ** np.arange(11), atol=1e-5)
_roots = np.roots([1, -(1 + 0.9 - 0.03 * 50), 0.9])
assert (
    np.allclose(abs(_roots), 0.949, atol=1e-3) and abs(_roots.imag).min() > 0
)
_roots = np.roots([1, -(1 + 0.9 - 0.03), 0.9])
assert np.allclose(abs(_roots), 0.949, atol=1e-3)
assert (
    abs(sgd_path[10:, 1]).max() < 0.01
    and abs(momentum_path[10:, 1]).max() > 0.3
)


# %% after: momentum-by-hand
assert 2 / 50 == 0.04 and round(0.9**0.5, 2) == 0.95


# %% after: optax-init-update 1
assert not any(isinstance(leaf, jax.Array) for leaf in jax.tree.leaves(tx))
assert isinstance(tx, tuple) and tx._fields == ("init", "update")


# %% after: optax-init-update 1
_w = optax.adamw(0.1)
try:
    _w.update(grads, _w.init(start))
except ValueError as error:
    assert "params" in str(error)
else:
    raise AssertionError


# %% after: optax-init-update 1
_old = tx.init(start)
_, _new = tx.update(grads, _old, start)
assert _old[0].trace["x"] == 0 and _new[0].trace["x"] == 10
assert grads["x"] == 10


# %% after: optax-init-update 1
_u, _ = optax.sgd(0.03).update(grads, optax.sgd(0.03).init(start))
assert np.isclose(_u["x"], -0.3)
assert np.isclose(updates["x"], -0.3) and np.isclose(updates["y"], -1.5)
assert np.isclose(params["x"], 9.7) and np.isclose(params["y"], -0.5)


# %% after: optax-init-update 3
assert equal == 100


# %% after: optax-init-update 3
def _forgets(params, _):
    loss, grads = jax.value_and_grad(valley)(params)
    updates, _ = tx.update(grads, tx.init(params), params)
    return optax.apply_updates(params, updates), loss


_, _l = jax.lax.scan(_forgets, start, length=100)
assert np.isclose(_l, sgd_losses).all()


# %% after: optax-init-update 3
try:
    make_step(valley, optax.lbfgs())(
        TrainingState(start, optax.lbfgs().init(start))
    )
except TypeError as error:
    assert "value_fn" in str(error)
else:
    raise AssertionError


# %% after: inside-adam 1
assert (
    size_of(opt_state) == "193 numbers, 772 bytes"
    and size_of(params) == "96 numbers, 384 bytes"
)


# %% after: inside-adam 1
assert jax.tree.leaves(optax.sgd(0.1).init(params)) == []
assert (
    size_of(optax.sgd(0.1, momentum=0.9).init(params))
    == "96 numbers, 384 bytes"
)


# %% after: inside-adam 1
_half = jax.tree.map(lambda p: p.astype(jnp.bfloat16), params)
_s = optax.adam(0.1).init(_half)[0]
assert _s.mu["bias"].dtype == _s.nu["bias"].dtype == jnp.bfloat16
_s = optax.adam(0.1, mu_dtype=jnp.float32).init(_half)[0]
assert _s.mu["bias"].dtype == jnp.float32
assert _s.nu["bias"].dtype == jnp.bfloat16


# %% after: inside-adam 1
assert jax.tree.structure(opt_state[0].mu) == jax.tree.structure(params)


# %% after: inside-adam 1
_all = jax.tree.leaves((params, opt_state))
assert sum(leaf.nbytes for leaf in _all) == 1156
_moments = jax.tree.leaves((opt_state[0].mu, opt_state[0].nu))
assert sum(leaf.size for leaf in _moments) == 192


# %% after: inside-adam 2
assert np.isclose(by_hand, updates, atol=1e-5) and opt_state[0].count == 3
assert np.isclose(updates, -0.0579, atol=1e-4)


# %% after: inside-adam
_u, _ = tx.update(jnp.float32(0), tx.init(jnp.float32(0)))
assert _u == 0
_sizes = []
for _g in (1e-6, 1e-8, 1e-10):
    _u, _ = tx.update(jnp.float32(_g), tx.init(jnp.float32(0)))
    _sizes.append(float(-_u))
assert np.allclose(_sizes, (0.099, 0.05, 0.00099), rtol=2e-3)


# %% after: inside-adam
def _final(keep):
    def step(carry, _):
        p, s = carry
        u, new = tx.update(2 * p, s if keep else tx.init(p))
        return (p + u, new), None

    return jax.lax.scan(
        step, (jnp.float32(1.03), tx.init(jnp.float32(0))), length=400
    )[0][0]


assert abs(_final(False)) > 0.02 and abs(_final(True)) < 1e-3


# %% after: inside-adam
_s, _sizes = tx.init(jnp.float32(0)), []
for _g in (100.0, 10.0, 1.0, 0.1):
    _u, _s = tx.update(jnp.float32(_g), _s)
    _sizes.append(float(_u))
assert np.allclose(_sizes, (-0.1, -0.0741, -0.0579, -0.0475), atol=1e-4)
_by_sgd = [f"{-0.1 * g:.4f}" for g in (100, 10, 1, 0.1)]
assert _by_sgd == ["-10.0000", "-1.0000", "-0.1000", "-0.0100"]


# %% after: schedules 1
assert schedule(1000) == 0 and size_of(opt_state) == "194 numbers, 776 bytes"


# %% after: schedules 1
_t = optax.adam(schedule)
_g = jax.tree.map(jnp.ones_like, params)
_u, _ = _t.update(_g, _t.init(params), params)
assert all((u == 0).all() for u in jax.tree.leaves(_u))
assert size_of(optax.adam(0.1).init(params)) == "193 numbers, 772 bytes"


# %% after: schedules
assert opt_state[1].count == 10 and np.isclose(schedule(10), 0.1)
_w = jnp.float32(3)
for _ in range(20):  # the state is dropped: the rate stays at schedule(0)
    _u, _ = tx.update(2 * _w, tx.init(_w))
    _w = optax.apply_updates(_w, _u)
assert _w == 3


# %% after: change-the-learning-rate 1
assert len(traces) == 3


# %% after: change-the-learning-rate 1
_global = optax.sgd(0.1)
_read = jax.jit(lambda g: _global.update(g, _global.init(g))[0])
assert np.isclose(_read(jnp.float32(1)), -0.1)
_global = optax.sgd(0.5)
assert np.isclose(_read(jnp.float32(1)), -0.1)
assert np.allclose(_read(jnp.ones(2)), -0.5)  # a new shape: traced again


# %% after: change-the-learning-rate 1
try:
    optax.adam(0.1).update(w, optax.sgd(0.1).init(w), w)
except Exception:
    pass
else:
    raise AssertionError


# %% after: change-the-learning-rate 1
# the other way round nothing stops it: plain SGD doesn't read its state
_u, _s = optax.sgd(0.1).update(w, optax.adam(0.1).init(w), w)
assert np.isclose(_u, -0.1 * w) and type(_s[0]).__name__ == "ScaleByAdamState"
try:
    optax.sgd(0.1).update(w, optax.adamw(0.1).init(w), w)
except ValueError as error:
    assert "number of updates and states" in str(error)
else:
    raise AssertionError
# another rate is fine; an equal structure isn't enough: Adamax's nu is no mean
_s = {}
for _t in (optax.adam(0.1), optax.adam(0.2), optax.adamax(0.1)):
    _s[_t] = _t.init(w)
    for _ in range(300):
        _, _s[_t] = jax.jit(_t.update)(jnp.float32(100), _s[_t])
_adam, _faster, _adamax = _s
_u, _ = _faster.update(jnp.float32(100), _s[_adam])
assert np.isclose(_u, -0.2, atol=1e-3)
assert jax.tree.structure(_s[_adam]) == jax.tree.structure(_s[_adamax])
_u, _ = _adamax.update(jnp.float32(100), _s[_adamax])
assert np.isclose(_u, -0.1, atol=1e-3)
_u, _ = _adamax.update(jnp.float32(100), _s[_adam])
assert abs(_u) < 0.05
try:  # a schedule is more than another number
    optax.adam(schedule).update(jnp.float32(1), _s[_adam])
except (TypeError, AttributeError):
    pass
else:
    raise AssertionError


# %% after: change-the-learning-rate
assert len(traces) == 1


# %% after: change-the-learning-rate
_h = optax.inject_hyperparams(optax.adam)(0.1).init(w).hyperparams
assert {"learning_rate", "b1", "b2"} <= set(_h)
assert all(isinstance(leaf, jax.Array) for leaf in _h.values())


# %% after: change-the-learning-rate
updates_of(
    jnp.float32(1), opt_state._replace(hyperparams={"learning_rate": 0.01})
)
assert len(traces) == 2


# %% after: change-the-learning-rate
_a = tx.init(w)
_b = _a._replace(count=_a.count + 1)
_b.hyperparams["learning_rate"] = jnp.float32(7)
assert _a.hyperparams["learning_rate"] == 7


# %% after: change-the-learning-rate
_t = optax.inject_hyperparams(optax.sgd)(learning_rate=schedule)
_s = _t.init(w)
for _ in range(6):
    _, _s = _t.update(w, _s)
assert np.isclose(_s.hyperparams["learning_rate"], schedule(5))
_s = _s._replace(hyperparams={"learning_rate": jnp.float32(7)})
assert np.isclose(_t.update(jnp.float32(1), _s)[0], -schedule(6))


# %% after: change-the-learning-rate
def loss_after_two_steps(rate):
    tx = optax.sgd(rate)
    w = jnp.float32(3)
    opt_state = tx.init(w)
    for _ in range(2):
        updates, opt_state = tx.update(2 * w, opt_state, w)
        w = optax.apply_updates(w, updates)
    return w**2


assert np.isclose(jax.grad(loss_after_two_steps)(0.1), -36.864)
assert np.isclose(jax.grad(loss_after_two_steps)(0.1), -72 * 0.8**3)
assert np.isclose(loss_after_two_steps(0.1), 9 * 0.8**4)


# %% after: freeze-parameters 1
assert np.isclose(new_params["kernel"], 0.999)
assert jax.tree.structure(updates) == jax.tree.structure(params)


# %% after: freeze-parameters 1
for _t in (optax.adam(0.1), optax.sgd(0.1, momentum=0.9)):
    _s = _t.init(w)
    _, _s = _t.update(jnp.float32(1), _s)
    _u, _ = _t.update(jnp.float32(0), _s)
    assert _u != 0


# %% after: freeze-parameters 1
for _t in (optax.adam(0.1), optax.sgd(0.1), optax.sgd(0.1, momentum=0.9)):
    assert _t.update(jnp.float32(0), _t.init(w))[0] == 0


# %% after: freeze-parameters 2
assert new_params["kernel"] == 3 and np.isclose(new_params["bias"], 0.8)


# %% after: freeze-parameters
assert new_params["kernel"] == 1 and np.isclose(new_params["bias"], 0.899)
assert len(jax.tree.leaves(optax.adamw(0.1).init(params))) == 5
assert len(jax.tree.leaves(opt_state)) == 3


# %% after: freeze-parameters
_t = optax.selective_transform(
    optax.adamw(0.1, weight_decay=0.01),
    freeze_mask={"kernel": True, "bias": False},
)
_u, _ = _t.update(grads, _t.init(params), params)
assert _u["kernel"] == 0 and np.isclose(_u["bias"], -0.101)


# %% after: freeze-parameters
_parts = {"train": optax.sgd(0.1), "freeze": optax.set_to_zero()}
_two = {"first": params, "last": params}
_t = optax.partition(_parts, {"first": "freeze", "last": "train"})
_u, _ = _t.update(_two, _t.init(_two), _two)
assert _u["first"]["bias"] == 0 and np.isclose(_u["last"]["bias"], -0.1)
_t = optax.multi_transform(
    {"train": optax.sgd(0.1), "freeze": optax.set_to_zero()}, labels
)
assert _t.update(grads, _t.init(params), params)[0]["kernel"] == 0


# %% after: freeze-parameters
def _flops(tx):
    p = {"kernel": jnp.ones((200, 200)), "bias": jnp.zeros(200)}
    x = jnp.ones((64, 200))

    def f(p, s):
        loss = lambda p: jnp.mean(jnp.tanh(x @ p["kernel"] + p["bias"]) ** 2)
        u, s = tx.update(jax.grad(loss)(p), s, p)
        return optax.apply_updates(p, u), s

    low = jax.jit(f).lower(p, tx.init(p))
    return low.compile().cost_analysis()["flops"]


_frozen = optax.partition(
    {"train": optax.adam(0.1), "freeze": optax.set_to_zero()}, labels
)
assert _flops(_frozen) < 0.7 * _flops(optax.adam(0.1))
assert _flops(optax.chain(optax.clip_by_global_norm(1.0), _frozen)) > (
    0.9 * _flops(optax.adam(0.1))
)
assert np.isclose(new_params["bias"], 1 - 0.1 - 0.1 * 0.01 * 1)
assert 0.1 * 0.01 * 1 == 0.001 and np.isclose(0.1 * grads["bias"], 0.2)


# %% after: gradient-accumulation 1
_s = tx.init(jnp.float32(0))
for _g in (1.0, 2.0, 3.0, 4.0):
    _u, _s = tx.update(jnp.float32(_g), _s)
assert np.isclose(_u, -0.25)
assert (_s.mini_step, _s.gradient_step) == (0, 1) and tx.has_updated(_s)


# %% after: gradient-accumulation 1
_t = optax.MultiSteps(optax.sgd(schedule), every_k_schedule=4)
_s = _t.init(w)
for _ in range(40):
    _u, _s = _t.update(w, _s)
assert _s.inner_opt_state[1].count == 10
# the wrapped tx is computed on every call: only its state waits
_ran = []


def _spy(updates, params):
    jax.debug.callback(lambda: _ran.append("run"))
    return updates


_t = optax.MultiSteps(
    optax.chain(optax.stateless(_spy), optax.adam(0.1)), every_k_schedule=4
)
_s, _counts = _t.init(w), []
for _ in range(8):
    _, _s = _t.update(w, _s)
    _counts.append(int(_s.inner_opt_state[1][0].count))
jax.effects_barrier()
assert len(_ran) == 8 and _counts == [0, 0, 0, 1, 1, 1, 1, 2]


# %% after: gradient-accumulation 1
assert opt_state.acc_grads == 5 and opt_state.mini_step == 1


# %% after: gradient-accumulation 1
for _g in (1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0):
    _u, _ = tx.update(jnp.float32(_g), tx.init(jnp.float32(0)))
    assert _u == 0


# %% after: gradient-accumulation 1
assert tx.init(jnp.bfloat16(1)).acc_grads.dtype == jnp.float32
assert tx.init(jnp.float32(1)).acc_grads.dtype == jnp.float32


# %% after: gradient-accumulation
assert all(jax.tree.leaves(same))


# %% after: gradient-accumulation
_g = jax.grad(mean_square)
_parts = [_g(params, (x[:8], y[:8])), _g(params, (x[8:], y[8:]))]
_mean = jax.tree.map(lambda a, b: (a + b) / 2, *_parts)
assert not jnp.allclose(
    _mean["kernel"], _g(params, (x, y))["kernel"], rtol=1e-2
)


# %% after: gradient-accumulation
assert size_of(state.opt_state) == "98 numbers, 392 bytes"
_g = jax.grad(mean_square)(params, (x, y))
_sum = jax.tree.map(lambda p, g: p - 0.1 * 4 * g, params, _g)
assert not jnp.allclose(state.params["kernel"], _sum["kernel"], rtol=1e-2)


# %% after: gradient-accumulation
# a loss that looks at the whole batch (as batch normalization does)
def _centered(params, data):
    x, y = data
    return mean_square(params, (x - x.mean(axis=0), y))


_g = jax.grad(_centered)
_parts = [_g(params, d) for d in zip(jnp.split(x, 4), jnp.split(y, 4))]
_mean = jax.tree.map(lambda *g: sum(g) / 4, *_parts)
assert not jnp.allclose(
    _mean["kernel"], _g(params, (x, y))["kernel"], rtol=1e-2
)
assert np.mean((1.0, 2.0, 3.0, 4.0)) == 2.5


# %% after: ema-of-parameters
assert distances[-1000:, 1].mean() < 0.5 * distances[-1000:, 0].mean()
assert distances[:50, 1].mean() > distances[:50, 0].mean()


# %% after: ema-of-parameters
_p = jax.tree.leaves(optax.incremental_update(jnp.ones(3), jnp.zeros(3), 0.1))
assert np.allclose(_p[0], 0.1)


# %% after: ema-of-parameters
_e = jnp.float32(0)
for _ in range(10):
    _e = optax.incremental_update(jnp.float32(1), _e, 0.01)
assert np.isclose(_e, 0.096, atol=1e-3)


# %% after: ema-of-parameters
_t = optax.ema(0.9)
_u, _s = _t.update(jnp.float32(1), _t.init(w), jnp.float32(100))
_u, _ = _t.update(jnp.float32(3), _s, jnp.float32(100))
assert np.isclose(_u, (0.09 * 1 + 0.1 * 3) / 0.19)
_e = optax.incremental_update(w, 2 * w, 0.01)
assert np.isclose(_e, 0.99 * 2 * w + 0.01 * w)
assert round(100 * (1 - 0.99**10), 1) == 9.6


# %% after: complete-cell
assert abs(state.params - 2) < 1e-2
# a huge gradient, and the updates a hundred steps later
_late = []
_clip = optax.chain(optax.clip_by_global_norm(1.0), optax.adam(0.1))
for _t in (optax.adam(0.1), _clip):
    _s = _t.init(slope)
    for _i in range(150):
        _g = jnp.float32(1000.0 if _i == 50 else 1.0)
        _u, _s = _t.update(_g, _s)
    _late.append(abs(float(_u)))
assert _late[0] < 0.01 and np.isclose(_late[1], 0.1, atol=1e-3), _late
assert isinstance(state.opt_state, tuple) and len(state.opt_state) == 2


# %% after: complete-cell
_n = []


def _counted(slope, x):
    _n.append("trace")
    return loss_fn(slope, x)


for _ in range(2):
    _step = make_step(_counted, tx)
    for _ in range(3):
        _step(State(slope, tx.init(slope), slope), jnp.ones(4))
assert len(_n) == 2


# %% after: exercise-1
# arrays and their scalars are read as well
for _given in (
    np.float32(-0.9),
    np.float64(-0.9),
    np.array([-0.9]),
    jnp.float32(-0.9),
    jnp.array(-0.9),
):
    check_1(_given)
