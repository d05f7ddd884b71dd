"""What this chapter says, in asserts for the tests alone."""

# %% after: title 1
_hessian = jax.hessian(loss_fn)(jnp.zeros(2), data)
assert np.array_equal(_hessian, [[1, 0], [0, 49]])
assert loss_fn(jnp.array([3.0, -1.0]), data) == 0
assert loss_fn(jnp.zeros(2), data) == 29


# %% after: title 3
assert equal == 100 and np.isclose(sgd_losses[-1], 0.0108, atol=1e-4)
# not only the losses: each update is SGD's, and nothing is raised or warned
import warnings

_step = make_step(loss_fn, optax.sgd(0.03, momentum=0.9))
_p = jnp.array([5.0, 2.0])
with warnings.catch_warnings():
    warnings.simplefilter("error")
    _q, _ = _step(_p, data)
assert np.allclose(_q, _p - 0.03 * jax.grad(loss_fn)(_p, data))


# %% after: title 3
# the same fault without init: the new state isn't returned, an old one is used
_tx = optax.sgd(0.03, momentum=0.9)
_p, _first, _losses = jnp.zeros(2), _tx.init(jnp.zeros(2)), []
for _ in range(100):
    _l, _g = jax.value_and_grad(loss_fn)(_p, data)
    _u, _ = _tx.update(_g, _first, _p)
    _p = optax.apply_updates(_p, _u)
    _losses.append(_l)
assert np.isclose(_losses, sgd_losses, atol=1e-6).all()


# %% after: title 3
# LIMIT: plain SGD remembers nothing, so there is nothing to lose
assert jax.tree.leaves(optax.sgd(0.03).init(jnp.zeros(2))) == []


# %% after: title 3
# LIMIT: "equal to SGD" is momentum's; Adam with init inside is Adam's first step
_step = make_step(loss_fn, optax.adam(0.1))
_p, _ = _step(jnp.zeros(2), data)
assert np.allclose(_p, (0.1, -0.1), atol=1e-5)
_q, _ = _step(_p, data)
assert np.allclose(_q, (0.2, -0.2), atol=1e-5)


# %% after: title 4
# an attribute is assigned in the trace alone: SGD's losses again, and a tracer in it
assert equal == 100
_momentum, _ran = Momentum(), []
_update = _momentum.update
_momentum.update = lambda *given: (_ran.append("run"), _update(*given))[1]
train(_momentum)
assert len(_ran) == 1 and isinstance(_momentum.velocity, jax.core.Tracer)
# outside jit the same object has momentum
_momentum, _p, _l = Momentum(), jnp.zeros(2), []
for _ in range(100):
    _loss, _g = jax.value_and_grad(loss_fn)(_p, data)
    _u, _ = _momentum.update(_g, None, _p)
    _p = _p + _u
    _l.append(float(_loss))
assert _l[-1] < 0.0002


# %% after: optax-init-update 2
assert equal == 2 and np.isclose(losses[:2], sgd_losses[:2]).all()
assert losses[-1] < 0.0002 and sgd_losses[-1] / losses[-1] > 100
assert losses[2] > 5 * sgd_losses[2]  # the swings come first


# %% after: optax-init-update 2
# momentum isn't below SGD at each step, and it swings above the loss of the start
assert (losses > sgd_losses).any() and losses[2] > losses[0]
assert losses[2:6].max() > 29
assert np.flatnonzero(losses > sgd_losses)[-1] < 60


# %% after: optax-init-update 2
assert type(state.opt_state[0]).__name__ == "TraceState"
assert state.opt_state[0].trace.shape == state.params.shape


# %% after: optax-init-update 2
# a caller who drops the new state trains nothing: the step is pure
_step = make_step(loss_fn, optax.sgd(0.03, momentum=0.9))
_s = TrainingState(
    jnp.zeros(2), optax.sgd(0.03, momentum=0.9).init(jnp.zeros(2))
)
_seen = [float(_step(_s, data)[1]) for _ in range(3)]
assert _seen == [29.0, 29.0, 29.0]
# keeping the params and not opt_state is the opening again
_l = []
for _ in range(100):
    _new, _loss = _step(_s, data)
    _s = _s._replace(params=_new.params)
    _l.append(float(_loss))
assert np.isclose(_l, sgd_losses, atol=1e-6).all()


# %% after: optax-init-update 1
_tx = optax.sgd(0.03, momentum=0.9)
assert not any(isinstance(leaf, jax.Array) for leaf in jax.tree.leaves(_tx))
assert isinstance(_tx, tuple) and _tx._fields == ("init", "update")


# %% after: optax-init-update 1
_w = optax.adamw(0.1)
assert _raises(
    ValueError, "params", lambda: _w.update(jnp.ones(2), _w.init(jnp.zeros(2)))
)


# %% after: optax-init-update 1
# update is pure, and the state comes second
_tx = optax.sgd(0.03, momentum=0.9)
_old = _tx.init(jnp.zeros(2))
_g = jax.grad(loss_fn)(jnp.zeros(2), data)
_u, _new = _tx.update(_g, _old, jnp.zeros(2))
assert (_old[0].trace == 0).all() and np.allclose(_new[0].trace, (-3, 49))
assert np.allclose(_u, (0.09, -1.47)) and np.allclose(_g, (-3, 49))


# %% after: optax-init-update 2
assert _raises(
    TypeError,
    "value_fn",
    lambda: make_step(loss_fn, optax.lbfgs())(
        TrainingState(jnp.zeros(2), optax.lbfgs().init(jnp.zeros(2))), data
    ),
)


# %% after: optax-init-update 2
# the figure's numbers: the first slope in three calls, dropped and carried
_tx = optax.sgd(0.03, momentum=0.9)
_found = {}
for _carried in (False, True):
    _p, _s, _found[_carried] = jnp.zeros(2), _tx.init(jnp.zeros(2)), []
    for _ in range(3):
        _g = jax.grad(loss_fn)(_p, data)
        _u, _s = _tx.update(_g, _s if _carried else _tx.init(_p), _p)
        _p = optax.apply_updates(_p, _u)
        _numbers = f"{_g[0]:.2f} {_s[0].trace[0]:.2f} {_u[0]:.3f}"
        _found[_carried].append(_numbers)
assert _found[False] == [
    "-3.00 -3.00 0.090",
    "-2.91 -2.91 0.087",
    "-2.82 -2.82 0.085",
]
assert _found[True] == [
    "-3.00 -3.00 0.090",
    "-2.91 -5.61 0.168",
    "-2.74 -7.79 0.234",
]


# %% after: optax-init-update 2
# a step made anew is traced anew: make_step once
_n = []


def _counted(params, data):
    _n.append("trace")
    return loss_fn(params, data)


_tx, _p = optax.adam(0.1), jnp.zeros(2)
for _ in range(2):
    _step = make_step(_counted, _tx)
    for _ in range(3):
        _step(TrainingState(_p, _tx.init(_p)), data)
assert len(_n) == 2


# %% after: momentum-by-hand 1
assert np.hypot(*(momentum_path[-1] - (3, -1))) < 1
assert np.hypot(*(sgd_path[-1] - (3, -1))) > np.hypot(
    *(momentum_path[-1] - (3, -1))
)
assert momentum_path[:, 0].max() > 4 and sgd_path[:, 0].max() < 3


# %% after: momentum-by-hand 1
# SGD: the error of the first slope shrinks by 3% a step, that of the second
# is multiplied by 1 - 49 * 0.03 = -0.47
_error = sgd_path - np.array([3, -1])
assert np.allclose(_error[1:21, 0] / _error[:20, 0], 0.97, atol=1e-4)
assert np.allclose(_error[1:9, 1] / _error[:8, 1], -0.47, atol=1e-3)
assert np.isclose(1 - 49 * 0.03, -0.47) and round(2 / 49, 3) == 0.041


# %% after: momentum-by-hand 1
def _error_after(rate, n=40):
    _p = jnp.zeros(2)
    for _ in range(n):
        _p = _p - rate * jax.grad(loss_fn)(_p, data)
    return abs(_p[1] + 1)


assert _error_after(0.042) > 1 > _error_after(0.040)


# %% after: momentum-by-hand 1
_v = 0.0
for _ in range(300):
    _v = 0.9 * _v + 1.0
assert np.isclose(_v, 10)


# %% after: momentum-by-hand 2
assert equal == 100 and np.allclose(velocity, trace, atol=1e-5)


# %% after: inside-adam 1
_params = {"kernel": jnp.ones((5, 16)), "bias": jnp.zeros(16)}
assert jax.tree.leaves(optax.sgd(0.1).init(_params)) == []
_s = optax.sgd(0.1, momentum=0.9).init(_params)
assert sum(leaf.size for leaf in jax.tree.leaves(_s)) == 96


# %% after: inside-adam 1
_params = {"kernel": jnp.ones((5, 16)), "bias": jnp.zeros(16)}
_half = jax.tree.map(lambda p: p.astype(jnp.bfloat16), _params)
_s = optax.adam(0.1).init(_half)[0]
assert _s.mu["bias"].dtype == _s.nu["bias"].dtype == jnp.bfloat16
_s = optax.adam(0.1, mu_dtype=jnp.float32).init(_half)[0]
assert _s.mu["bias"].dtype == jnp.float32
assert _s.nu["bias"].dtype == jnp.bfloat16


# %% after: inside-adam 1
_params = {"kernel": jnp.ones((5, 16)), "bias": jnp.zeros(16)}
_s = optax.adam(0.1).init(_params)[0]
assert jax.tree.structure(_s.mu) == jax.tree.structure(_params)
assert jax.tree.structure(_s.nu) == jax.tree.structure(_params)


# %% after: inside-adam 1
_params = {"kernel": jnp.ones((5, 16)), "bias": jnp.zeros(16)}
_s = optax.adam(0.1).init(_params)
_all = jax.tree.leaves((_params, _s))
assert sum(leaf.nbytes for leaf in _all) == 1156
_moments = jax.tree.leaves((_s[0].mu, _s[0].nu))
assert sum(leaf.size for leaf in _moments) == 192


# %% after: inside-adam 1
# what the bars show: whatever is kept per parameter is as large as the params
_params = {"kernel": jnp.ones((5, 16)), "bias": jnp.zeros(16)}
for _t, _bytes in (
    (optax.sgd(0.1), 384),
    (optax.sgd(0.1, momentum=0.9), 768),
    (optax.adam(0.1), 1156),
    (optax.MultiSteps(optax.adam(0.1), 4), 1548),
):
    _all = jax.tree.leaves((_params, _t.init(_params)))
    assert sum(leaf.nbytes for leaf in _all) == _bytes
# LIMIT: not every optimizer keeps something as large as each parameter
_p = {"kernel": jnp.ones((256, 256))}
_s = optax.adafactor(0.1).init(_p)
assert sum(leaf.size for leaf in jax.tree.leaves(_s)) < 256 * 256 / 10


# %% after: inside-adam 2
assert np.isclose(by_hand, kept, atol=1e-5) and opt_state[0].count == 4
assert np.isclose(kept, -0.0475, atol=1e-4)


# %% after: inside-adam 2
# in the valley: gradients 49 and 3, steps of one size at first, and alike later
_t, _p = optax.adam(0.1), jnp.zeros(2)
_s = _t.init(_p)
for _ in range(5):
    _g = jax.grad(loss_fn)(_p, data)
    _u, _s = _t.update(_g, _s, _p)
    assert 0.5 < abs(_u[0] / _u[1]) < 2
    _p = _p + _u


# %% after: inside-adam 3
assert np.isclose(dropped, -0.1) and gradients[0] == 1000 * gradients[-1]
# a count of 1: the corrected moments are the gradient and its square
_, _s = tx.update(jnp.float32(0.1), tx.init(zero))
assert np.isclose(_s[0].mu / (1 - 0.9), 0.1)
assert np.isclose(_s[0].nu / (1 - 0.999), 0.1**2, rtol=1e-4)


# %% after: inside-adam 2
def _final(keep):
    def step(carry, _):
        p, s = carry
        u, new = tx.update(2 * p, s if keep else tx.init(p))
        return (p + u, new), None

    return jax.lax.scan(
        step, (jnp.float32(1.03), tx.init(jnp.float32(0))), length=400
    )[0][0]


assert abs(_final(False)) > 0.02 and abs(_final(True)) < 1e-3


# %% after: inside-adam 2
_s, _sizes = tx.init(jnp.float32(0)), []
for _g in (100.0, 10.0, 1.0, 0.1):
    _u, _s = tx.update(jnp.float32(_g), _s)
    _sizes.append(float(_u))
assert np.allclose(_sizes, (-0.1, -0.0741, -0.0579, -0.0475), atol=1e-4)
_by_sgd = [f"{-0.1 * g:.4f}" for g in (100, 10, 1, 0.1)]
assert _by_sgd == ["-10.0000", "-1.0000", "-0.1000", "-0.0100"]


# %% after: schedules 1
assert schedule(0) == 0 and schedule(150) == schedule(1000) == 0
assert np.isclose(schedule(10), 0.3) and np.isclose(schedule(80), 0.15)
assert count == state.opt_state[0].count == 100  # Adam's and the schedule's


# %% after: schedules 1
# the first update has schedule(0): nothing moves
_t = optax.adam(schedule)
_u, _s = _t.update(jnp.ones(2), _t.init(params), params)
assert (_u == 0).all() and _s[1].count == 1
# one int32 more than Adam with a number
_size = lambda tree: sum(leaf.nbytes for leaf in jax.tree.leaves(tree))
assert _size(_t.init(params)) - _size(optax.adam(0.1).init(params)) == 4


# %% after: schedules 2
assert np.isclose(curves["kept"][0], curves["fresh"][0])
assert f"{loss_fn(jnp.zeros(2), data):.3f}" == "29.000"
assert max(curves["fresh"]) > 10 * curves["fresh"][0]
assert max(curves["kept"]) == curves["kept"][0]
assert curves["fresh"][-1] > 10 * curves["kept"][-1]
assert 25 < curves["kept"][0] / curves["kept"][-1] < 45
# fresh takes its first step at a rate of 0, so two losses are equal
assert np.isclose(curves["fresh"][1], curves["fresh"][0])
assert np.isclose(schedule(40), 0.267, atol=1e-3)


# %% after: schedules 3
# each half alone: the rise comes from the empty moments, and the warmup softens it;
# the lost position shows in the rate
assert max(lose_place) == lose_place[0] == curves["kept"][0]
assert max(lose_adam) > 4 * max(curves["fresh"])
assert f"{max(lose_adam):.3f}" == "0.152"
assert np.isclose(schedule(140), 0.0037, atol=1e-3)
# of Adam's state it's the moments, not its count
_lose = {}
for _name, _adam in {
    "moments": fresh_adam._replace(count=adam.count),
    "count": adam._replace(count=fresh_adam.count),
}.items():
    _s, _l = TrainingState(state.params, (_adam, place)), []
    for _ in range(40):
        _s, _loss = step(_s, data)
        _l.append(float(_loss))
    _lose[_name] = max(_l)
assert _lose["moments"] > 0.1 > 0.002 > _lose["count"]
# and of the moments it's nu, which still holds the large gradients of the start
for _name, _rises in {"mu": False, "nu": True}.items():
    _adam = adam._replace(**{_name: getattr(fresh_adam, _name)})
    _s, _l = TrainingState(state.params, (_adam, place)), []
    for _ in range(40):
        _s, _loss = step(_s, data)
        _l.append(float(_loss))
    assert (max(_l) > 10 * _l[0]) == _rises, _name
# the first rates of the new warmup are below the kept run's
assert all(schedule(_i) < schedule(100 + _i) for _i in range(3))


# %% after: schedules 2
# without a schedule: the first fresh step moves each slope by the rate
_t = optax.adam(0.1)
_step, _p = make_step(loss_fn, _t), jnp.zeros(2)
_s = TrainingState(_p, _t.init(_p))
for _ in range(100):
    _s, _ = _step(_s, data)
_after, _ = _step(TrainingState(_s.params, _t.init(_s.params)), data)
assert np.allclose(abs(_after.params - _s.params), 0.1, atol=1e-3)
assert loss_fn(_s.params, data) < 0.001 < 0.2 < loss_fn(_after.params, data)


# %% after: schedules 2
# the state dropped at each step: the rate stays at schedule(0)
_w = jnp.float32(3)
for _ in range(20):
    _u, _ = tx.update(2 * _w, tx.init(_w))
    _w = optax.apply_updates(_w, _u)
assert _w == 3


# %% after: schedules 2
# the opposite mistake: a shorter schedule with a restored count is at its end
_short = optax.warmup_cosine_decay_schedule(0.0, 0.3, 10, 100)
_u, _ = optax.adam(_short).update(jnp.ones(2), state.opt_state, state.params)
assert (_u == 0).all()


# %% after: gradient-accumulation 1
# the fresh run again, update by update
_s, _l = TrainingState(state.params, multi.init(state.params)), []
for _i in range(160):
    _l.append(float(loss_fn(_s.params, data)))
    _row = jax.tree.map(lambda a: a[_i % 4 : _i % 4 + 1], data)
    _s, _ = row_step(_s, _row)
assert np.allclose(_l[::4], curves["fresh"], atol=1e-4)
assert f"{max(_l):.3f}" == f"{max(curves['fresh']):.3f}" == "0.022"


# %% after: gradient-accumulation 1
# three updates of 0, then that of the mean
_t = optax.MultiSteps(optax.sgd(0.1), every_k_schedule=4)
_s, _found = _t.init(jnp.float32(0)), []
for _g in (1.0, 2.0, 3.0, 4.0):
    _u, _s = _t.update(jnp.float32(_g), _s)
    _found.append(float(_u))
assert _found[:3] == [0, 0, 0] and np.isclose(_found[3], -0.25)
assert (_s.mini_step, _s.gradient_step) == (0, 1) and _t.has_updated(_s)
# and a new round
_, _s = _t.update(jnp.float32(5), _s)
assert _s.acc_grads == 5 and _s.mini_step == 1


# %% after: gradient-accumulation 2
# what multi.init makes anew, and what was put in its place
assert multi.init(params).inner_opt_state[0].count == 0
assert opt_state.inner_opt_state is kept and kept[0].count == 100


# %% after: gradient-accumulation
_w = jnp.float32(1)
_t = optax.MultiSteps(optax.sgd(schedule), every_k_schedule=4)
_s = _t.init(_w)
for _ in range(40):
    _u, _s = _t.update(_w, _s)
assert _s.inner_opt_state[1].count == 10
# the wrapped tx is computed on every call: only its state waits
_ran = []


def _spy(updates, params):
    jax.debug.callback(lambda: _ran.append("run"))
    return updates


_t = optax.MultiSteps(
    optax.chain(optax.stateless(_spy), optax.adam(0.1)), every_k_schedule=4
)
_s, _counts = _t.init(_w), []
for _ in range(8):
    _, _s = _t.update(_w, _s)
    _counts.append(int(_s.inner_opt_state[1][0].count))
jax.effects_barrier()
assert len(_ran) == 8 and _counts == [0, 0, 0, 1, 1, 1, 1, 2]


# %% after: gradient-accumulation
# the state dropped at each step: nothing moves, with a rate that isn't 0
_t = optax.MultiSteps(optax.sgd(0.1), every_k_schedule=4)
for _g in (1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0):
    _u, _ = _t.update(jnp.full(2, _g), _t.init(params), params)
    assert (_u == 0).all()


# %% after: gradient-accumulation
assert multi.init(jnp.bfloat16(1)).acc_grads.dtype == jnp.float32
assert multi.init(jnp.float32(1)).acc_grads.dtype == jnp.float32
assert multi.init(jnp.zeros((4, 4))).acc_grads.shape == (4, 4)


# %% after: gradient-accumulation
# four micro-batches of 16 make the update of one batch of 64; a mean, not a sum
def _mean_square(params, data):
    _x, _y = data
    return jnp.mean((_x @ params["kernel"] + params["bias"] - _y) ** 2)


_keys = jax.random.split(jax.random.key(0))
_x = jax.random.normal(_keys[0], (64, 5))
_y = jax.random.normal(_keys[1], (64, 16))
_p = {"kernel": jnp.ones((5, 16)), "bias": jnp.zeros(16)}
_found = {}
for _k in (1, 4):
    _t = optax.MultiSteps(optax.sgd(0.1), every_k_schedule=_k)
    _s, _step = TrainingState(_p, _t.init(_p)), make_step(_mean_square, _t)
    for _batch in zip(jnp.split(_x, _k), jnp.split(_y, _k)):
        _s, _ = _step(_s, _batch)
    _found[_k] = _s.params
    assert _s.opt_state.gradient_step == 1
_same = jax.tree.map(
    lambda a, b: jnp.allclose(a, b, atol=1e-6), *_found.values()
)
assert all(jax.tree.leaves(_same))
_g = jax.grad(_mean_square)(_p, (_x, _y))
_sum = jax.tree.map(lambda p, g: p - 0.1 * 4 * g, _p, _g)
assert not jnp.allclose(_found[4]["kernel"], _sum["kernel"], rtol=1e-2)

# LIMIT: micro-batches of unequal size (8 and 56)
_grad = jax.grad(_mean_square)
_parts = [_grad(_p, (_x[:8], _y[:8])), _grad(_p, (_x[8:], _y[8:]))]
_mean = jax.tree.map(lambda a, b: (a + b) / 2, *_parts)
assert not jnp.allclose(_mean["kernel"], _g["kernel"], rtol=1e-2)


# LIMIT: a loss that looks at the whole batch, as batch normalization does
def _centered(params, data):
    return _mean_square(params, (data[0] - data[0].mean(axis=0), data[1]))


_grad = jax.grad(_centered)
_parts = [_grad(_p, d) for d in zip(jnp.split(_x, 4), jnp.split(_y, 4))]
_mean = jax.tree.map(lambda *g: sum(g) / 4, *_parts)
_g = _grad(_p, (_x, _y))
assert not jnp.allclose(_mean["kernel"], _g["kernel"], rtol=1e-2)
assert np.mean((1.0, 2.0, 3.0, 4.0)) == 2.5


# %% after: change-the-learning-rate 2
_w = jnp.float32(1)
# a tx holds functions: not an argument of a jitted step
_tx = optax.sgd(0.1)
_update = jax.jit(lambda tx, grads, opt_state: tx.update(grads, opt_state))
assert _raises(TypeError, "tx.init", lambda: _update(_tx, _w, _tx.init(_w)))


# %% after: change-the-learning-rate 2
_w = jnp.float32(1)
assert _raises(
    Exception,
    "",
    lambda: optax.adam(0.1).update(_w, optax.sgd(0.1).init(_w), _w),
)


# %% after: change-the-learning-rate 2
_w = jnp.float32(1)
# the other way round nothing stops it: plain SGD doesn't read its state
_u, _s = optax.sgd(0.1).update(_w, optax.adam(0.1).init(_w), _w)
assert np.isclose(_u, -0.1 * _w) and type(_s[0]).__name__ == "ScaleByAdamState"
assert _raises(
    ValueError,
    "number of updates and states",
    lambda: optax.sgd(0.1).update(_w, optax.adamw(0.1).init(_w), _w),
)
# another rate is fine; an equal structure isn't enough: Adamax's nu is no mean
_s = {}
for _t in (optax.adam(0.1), optax.adam(0.2), optax.adamax(0.1)):
    _s[_t] = _t.init(_w)
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
# a schedule is more than another number
assert _raises(
    (TypeError, AttributeError),
    "",
    lambda: optax.adam(schedule).update(jnp.float32(1), _s[_adam]),
)


# %% after: change-the-learning-rate 2
_w = jnp.float32(1)
# LIMIT: of another optimizer of equal structure, the state is accepted silently
_made = optax.chain(optax.clip(1.0), optax.adam(0.1)).init(_w)
_other = optax.chain(optax.clip(5.0), optax.adam(0.5))
_u, _ = _other.update(_w, _made, _w)
assert np.isclose(_u, -0.5)


# %% after: change-the-learning-rate 2
_w = jnp.float32(1)
assert len(traces) == 1 and state.opt_state.count == 120
_h = optax.inject_hyperparams(optax.adam)(0.1).init(_w).hyperparams
assert {"learning_rate", "b1", "b2"} <= set(_h)
assert all(isinstance(leaf, jax.Array) for leaf in _h.values())


# %% after: change-the-learning-rate 2
_w = jnp.float32(1)
# a bare Python number is weakly typed and costs one more trace
_h = state.opt_state.hyperparams | {"learning_rate": 0.01}
step(state._replace(opt_state=state.opt_state._replace(hyperparams=_h)), data)
assert len(traces) == 2


# %% after: change-the-learning-rate 2
_w = jnp.float32(1)
# tree.set returns a new state, and leaves the one it got alone
_a = tx.init(params)
_b = optax.tree.set(_a, learning_rate=jnp.float32(7))
assert np.isclose(_a.hyperparams["learning_rate"], 0.3)
assert _b.hyperparams["learning_rate"] == 7
# of a fixed rate there's nothing to replace, and it says so
assert _raises(
    KeyError,
    "learning_rate",
    lambda: optax.tree.set(optax.adam(0.1).init(_w), learning_rate=0.2),
)


# %% after: change-the-learning-rate 2
_w = jnp.float32(1)
# an old state fits a new tx with another rate
_u, _ = optax.adam(0.2).update(_w, optax.adam(0.1).init(_w), _w)
assert np.isclose(_u, -0.2)
# also one that was made with a schedule
_u, _s = optax.adam(0.2).update(_w, optax.adam(schedule).init(_w), _w)
assert np.isclose(_u, -0.2) and _s[0].count == 1


# %% after: freeze-parameters 1
# the gradient is 0, and the old gradients move it, further and further
_g = jax.grad(frozen_loss)(stopped.params, data)
assert _g["first"] == 0 and stopped.opt_state[0].mu["first"] < -1
_s = stopped
for _ in range(30):
    _s, _ = frozen_step(_s, data)
assert 1.8 < _s.params["first"] < 1.9
assert f"{jax.grad(split_loss)(stopped.params, data)['first']:.3f}" == "-2.014"
# from a fresh state a zero gradient moves nothing: the test of a single step
_s, _ = frozen_step(TrainingState(stopped.params, tx.init(params)), data)
assert _s.params["first"] == stopped.params["first"]
# one step of a fresh Adam without a mask
_s, _ = step(TrainingState(stopped.params, tx.init(params)), data)
assert f"{_s.params['first']:.3f}" == "1.086"


# %% after: freeze-parameters 1
# the figure's numbers: the first step with a gradient of 0
_s, _ = frozen_step(stopped, data)
_was, _is = stopped.params["first"], _s.params["first"]
assert f"{_is - _was:.2f} {_was:.2f} {_is:.2f}" == "0.09 0.99 1.07"


# %% after: freeze-parameters 1
# weight decay moves it whatever the moments: 0.1 * 0.01 * 1
_p = {"kernel": jnp.float32(1), "bias": jnp.float32(1)}
_g = {"kernel": jnp.float32(0), "bias": jnp.float32(2)}
_t = optax.adamw(0.1, weight_decay=0.01)
_u, _ = _t.update(_g, _t.init(_p), _p)
assert np.isclose(optax.apply_updates(_p, _u)["kernel"], 0.999)


# %% after: freeze-parameters 1
# stop_gradient is a gradient of 0 and no more: AdamW shrinks a fixed table
_p = {"w": jnp.ones(3), "table": jnp.ones(3)}
_l = lambda p: jnp.mean((p["w"] + jax.lax.stop_gradient(p["table"]) - 2) ** 2)
_g = jax.grad(_l)(_p)
assert (_g["table"] == 0).all()
_t = optax.adamw(1e-2, weight_decay=0.1)
_u, _ = _t.update(_g, _t.init(_p), _p)
assert (_u["table"] < 0).all()


# %% after: freeze-parameters 1
for _t in (optax.adam(0.1), optax.sgd(0.1, momentum=0.9)):
    _s = _t.init(jnp.float32(0))
    _, _s = _t.update(jnp.float32(1), _s)
    _u, _ = _t.update(jnp.float32(0), _s)
    assert _u != 0


# %% after: freeze-parameters 1
for _t in (optax.adam(0.1), optax.sgd(0.1), optax.sgd(0.1, momentum=0.9)):
    assert _t.update(jnp.float32(0), _t.init(jnp.float32(0)))[0] == 0


# %% after: freeze-parameters 2
_g = jax.grad(split_loss)(stopped.params, data)["first"]
assert np.isclose(state.params["first"], stopped.params["first"] + _g)
assert f"{_g:.2f}" == "-2.01" and f"{state.params['first']:.2f}" == "-1.03"


# %% after: freeze-parameters 2
# the shape: the loss first falls, then climbs without bound (60 steps)
_loss = lambda p: (p["head"] - 3.0) ** 2 + 0.05 * (p["body"] - 3.0) ** 2
_p = {"head": jnp.float32(1), "body": jnp.float32(1)}
_t = optax.masked(optax.adam(0.1), {"head": True, "body": False})
_s, _seen = _t.init(_p), []
for _ in range(60):
    _l, _g = jax.value_and_grad(_loss)(_p)
    _seen.append(float(_l))
    _u, _s = _t.update(_g, _s, _p)
    _p = optax.apply_updates(_p, _u)
assert _seen[10] < _seen[0] < _seen[20] < 10 and _seen[-1] > 10_000


# %% after: freeze-parameters
assert state.params["first"] == stopped.params["first"]
assert abs(state.params["second"] - stopped.params["second"]) > 0.01
assert len(jax.tree.leaves(optax.adamw(0.1).init(params))) == 5
assert len(jax.tree.leaves(state.opt_state)) == 3
# the old state doesn't fit, neither Adam's nor that of another partition
_old = TrainingState(stopped.params, stopped.opt_state)
assert _raises((AttributeError, ValueError, TypeError), "", step, _old, data)


# %% after: freeze-parameters
_params = {"kernel": jnp.float32(1), "bias": jnp.float32(1)}
_grads = {"kernel": jnp.float32(2), "bias": jnp.float32(2)}
_labels = {"kernel": "freeze", "bias": "train"}
_t = optax.selective_transform(
    optax.adamw(0.1, weight_decay=0.01),
    freeze_mask={"kernel": True, "bias": False},
)
_u, _ = _t.update(_grads, _t.init(_params), _params)
assert _u["kernel"] == 0 and np.isclose(_u["bias"], -0.101)


# %% after: freeze-parameters
# labels made from the paths; or a function that makes them
def _label_of(path, leaf):
    return "train" if path[-1].key == "bias" else "freeze"


assert jax.tree.map_with_path(_label_of, _params) == _labels
_t = optax.partition(parts, lambda p: jax.tree.map_with_path(_label_of, p))
_u, _ = _t.update(_grads, _t.init(_params), _params)
assert _u["kernel"] == 0 and np.isclose(_u["bias"], -0.101)
# the state of one partition doesn't fit another
_state = _t.init(_params)
_t = optax.partition(parts, {"kernel": "train", "bias": "train"})
assert _raises(
    (ValueError, TypeError), "", lambda: _t.update(_grads, _state, _params)
)


# %% after: freeze-parameters
_parts = {"train": optax.sgd(0.1), "freeze": optax.set_to_zero()}
_two = {"first": _params, "last": _params}
_t = optax.partition(_parts, {"first": "freeze", "last": "train"})
_u, _ = _t.update(_two, _t.init(_two), _two)
assert _u["first"]["bias"] == 0 and np.isclose(_u["last"]["bias"], -0.1)
_t = optax.multi_transform(
    {"train": optax.sgd(0.1), "freeze": optax.set_to_zero()}, _labels
)
assert _t.update(_grads, _t.init(_params), _params)[0]["kernel"] == 0


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
    {"train": optax.adam(0.1), "freeze": optax.set_to_zero()}, _labels
)
assert _flops(_frozen) < 0.7 * _flops(optax.adam(0.1))
assert _flops(optax.chain(optax.clip_by_global_norm(1.0), _frozen)) > (
    0.9 * _flops(optax.adam(0.1))
)


# %% after: back-to-the-issue 1
assert state.step == 100 == state.opt_state[0].count


# %% after: back-to-the-issue 2
# after the loop: kept
assert state.opt_state[0].count == 101 and state.step == 101
_lost = TrainState.create(apply_fn=None, params=params, tx=tx)
assert _lost.replace(opt_state=opt_state) is not _lost
assert _lost.opt_state[0].count == 0 and _lost.step == 0
# the loss goes up by hundreds, and then comes down again over some 40 steps
_seen = []
for _ in range(60):
    _loss, _grads = loss_and_grads(_lost.params)
    _seen.append(float(_loss))
    _lost = _lost.apply_gradients(grads=_grads)
assert _seen[0] < 0.001 and _seen[1] > 0.2 and _seen[-1] < 0.01


# %% after: ema-of-parameters
# noisy gradients: late in training the average is closer to the target, early not
def _ema_step(state, key):
    params, ema_params = state
    params = params - 0.2 * (params - 2 + jax.random.normal(key))
    ema_params = optax.incremental_update(params, ema_params, 0.05)
    return (params, ema_params), abs(jnp.stack([params, ema_params]) - 2)


_keys = jax.random.split(jax.random.key(1), 2000)
_start = jnp.float32(3), jnp.float32(3)
_, _distances = jax.lax.scan(_ema_step, _start, _keys)
assert _distances[-1000:, 1].mean() < 0.6 * _distances[-1000:, 0].mean()
assert _distances[:20, 1].mean() > _distances[:20, 0].mean()
# training doesn't depend on the EMA: another start, the same params
_one, _ = jax.lax.scan(_ema_step, (_start[0], jnp.float32(0)), _keys[:50])
_two, _ = jax.lax.scan(_ema_step, _start, _keys[:50])
assert _one[0] == _two[0] and _one[1] != _two[1]


# %% after: ema-of-parameters
_p = jax.tree.leaves(optax.incremental_update(jnp.ones(3), jnp.zeros(3), 0.1))
assert np.allclose(_p[0], 0.1)


# %% after: ema-of-parameters
_e = optax.incremental_update(jnp.float32(1), jnp.float32(2), 0.05)
assert np.isclose(_e, 0.95 * 2 + 0.05)


# %% after: ema-of-parameters
# an EMA in bfloat16 with 0.01 stops short of a constant 1
_e = jnp.bfloat16(0)
for _ in range(2000):
    _e = optax.incremental_update(jnp.bfloat16(1), _e, 0.01)
assert _e < 0.9
assert optax.incremental_update(jnp.bfloat16(1), _e, 0.01) == _e
# the share is the new parameters': 0.99 keeps nearly nothing of the average
_e = optax.incremental_update(jnp.float32(1), jnp.float32(0), 0.99)
assert np.isclose(_e, 0.99)


# %% after: ema-of-parameters
# with BatchNorm: which statistics fit averaged parameters
import flax.linen as _nn


class _Net(_nn.Module):
    @_nn.compact
    def __call__(self, x, train):
        x = _nn.Dense(1, use_bias=False)(x)
        return _nn.BatchNorm(use_running_average=not train, momentum=0.5)(x)


_net, _x = _Net(), jax.random.normal(jax.random.key(0), (256, 1)) + 3
_live = _ema = _net.init(jax.random.key(0), _x, False)
for _i in range(30):  # a kernel that grows, as if trained
    _dense = {"kernel": jnp.full((1, 1), 1.0 + _i)}
    _live = _live | {"params": _live["params"] | {"Dense_0": _dense}}
    _live = _live | _net.apply(_live, _x, True, mutable=["batch_stats"])[1]
    _ema = optax.incremental_update(_live, _ema, 0.05)


def _off(params, stats):
    """How far the normalized outputs are from mean 0 and deviation 1."""
    both = {"params": params["params"], "batch_stats": stats["batch_stats"]}
    y = _net.apply(both, _x, False)
    return float(abs(y.mean()) + abs(y.std() - 1))


assert _off(_ema, _live) > 1.5 > 0.4 > _off(_ema, _ema)


# %% after: complete-cell
assert np.allclose(state.params, (3, -1), atol=0.02)
assert np.allclose(state.ema_params, (3, -1), atol=0.2)
# a huge gradient, and the updates a hundred steps later
_late = []
_clip = optax.chain(optax.clip_by_global_norm(1.0), optax.adam(0.1))
for _t in (optax.adam(0.1), _clip):
    _s = _t.init(jnp.float32(1))
    for _i in range(150):
        _g = jnp.float32(1000.0 if _i == 50 else 1.0)
        _u, _s = _t.update(_g, _s)
    _late.append(abs(float(_u)))
assert _late[0] < 0.01 and np.isclose(_late[1], 0.1, atol=1e-3), _late
assert isinstance(state.opt_state, tuple) and len(state.opt_state) == 2


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
