"""What this chapter says, in asserts for the tests alone."""

# %% after: title
import warnings

with warnings.catch_warnings():
    warnings.simplefilter("error")
    _c = Counter()
    _f = jax.jit(_c.count)
    assert [int(_f()) for _ in range(10)] == [1] * 10
    assert _c.n == 1
_c = Counter()
assert [_c.count(), _c.count(), _c.count()] == [1, 2, 3]


# %% after: title
# no copy: the one counter was changed, once
assert counter.n == 1 and [int(count()) for _ in range(3)] == [1, 1, 1]
counter.n = 41  # nothing in the program reads it
assert int(count()) == 1 and counter.n == 41
counter.n = 1
assert counter.count() == 2  # not through jit: Python runs
counter.n = 1


# %% after: title
# a global under jit does the same (JAX issue 1348)
_total = 0


def _add():
    global _total
    _total += 1
    return _total


_f = jax.jit(_add)
assert [int(_f()) for _ in range(3)] == [1, 1, 1] and _total == 1


# %% after: tour-fix
assert int(n) == 3 and n.dtype == jnp.int32 and n.shape == ()
assert int(count(jnp.int32(41))) == 42
_runs = []
_f = jax.jit(lambda n: (_runs.append(n), n + 1)[1])
_n = jnp.int32(0)
for _ in range(3):
    _n = _f(_n)
assert len(_runs) == 1 and isinstance(_runs[0], jax.core.Tracer)
# whoever forgets to keep the result gets 1 1 1 again
_n = jnp.int32(0)
assert [int(count(_n)) for _ in range(3)] == [1, 1, 1] and int(_n) == 0
# from a Python 0, a weak type: right, and with one trace
_runs.clear()
_n = 0
for _ in range(3):
    _n = _f(_n)
assert int(_n) == 3 and len(_runs) == 1


# %% after: tour-jaxpr
_j = jax.make_jaxpr(Counter().count)().jaxpr
assert not _j.invars and not _j.constvars
assert not _j.eqns


class _Counter:
    def __init__(self):
        self.n = 0

    count = Counter.count


_c = _Counter()
_f = jax.jit(_c.count)
assert [int(_f()) for _ in range(3)] == [1, 1, 1] and _c.n == 1
_j = jax.make_jaxpr(_Counter().count)().jaxpr
assert not _j.invars and not _j.eqns
# a JAX array instead: the addition is recorded, and so is the 0
_c = _Counter()
_c.n = jnp.int32(0)
_j = jax.make_jaxpr(_c.count)().jaxpr
assert not _j.invars and [e.primitive.name for e in _j.eqns] == ["add"]
_c = _Counter()
_c.n = jnp.int32(0)
_f = jax.jit(_c.count)
assert [int(_f()) for _ in range(3)] == [1, 1, 1]
assert isinstance(_c.n, jax.core.Tracer)


# %% after: tour-jaxpr
_seen, _runs = [], []


@jax.jit
def _f(x):
    _runs.append(x)
    _seen.append(isinstance(x, jax.core.Tracer))
    return x + 1


_f(jnp.int32(1)), _f(jnp.int32(2))
assert _seen == [True]
_f(jnp.float32(1)), _f(jnp.zeros(2))
assert len(_runs) == 3
_f(jnp.float32(2)), _f(jnp.ones(2))
assert len(_runs) == 3
_f(1)  # shape and dtype as before, but a weak type
assert len(_runs) == 4


@jax.jit
def _g(x):
    assert x.shape == (2,) and x.dtype == jnp.float32
    try:
        float(x[0])
    except jax.errors.ConcretizationTypeError:
        return x
    raise AssertionError("a tracer with a value")


_g(jnp.zeros(2))


# %% after: tour-jaxpr
class _Counter:
    n = 0

    def scale(self, x):
        self.n += 1
        return x * self.n


# what isn't recorded isn't batched: one count for three examples
_c = _Counter()
assert [float(_c.scale(x)) for x in jnp.ones(3)] == [1, 2, 3]
_c = _Counter()
assert jax.vmap(_c.scale)(jnp.ones(3)).tolist() == [1, 1, 1] and _c.n == 1
_c = _Counter()
_f = jax.jit(_c.scale)
assert [float(_f(1.0)) for _ in range(3)] == [1, 1, 1] and _c.n == 1
# nor is it differentiated, in a pure function either: w * w has gradient 6
assert jax.grad(lambda w: w * w.item())(3.0) == 3


# %% after: tour-jaxpr
_j = jax.make_jaxpr(next_count)(jnp.int32(0)).jaxpr
assert len(_j.invars) == 1
assert [e.primitive.name for e in _j.eqns] == ["add"]


# %% after: one-idea
assert float(state.total) == 12 and int(state.count) == 3
_old = MeanState(jnp.float32(4), jnp.int32(1))
_a, _b = step(_old, 2.0), step(_old, 2.0)
assert _a == _b and _old == MeanState(jnp.float32(4), jnp.int32(1))
assert isinstance(_a[0], MeanState)
_s = MeanState(jnp.float32(0), jnp.int32(0))
_s, _means = jax.lax.scan(step, _s, jnp.array([4.0, 2.0, 6.0]))
assert _means.tolist() == [4.0, 3.0, 4.0]


# %% after: tour-optax 1
assert x.shape == (40, 16) and bool((y == 3 * x - 1).all())
assert jax.grad(loss_fn)(params, (x[0], y[0])).keys() == params.keys()
_params_by_hand, _velocity_by_hand = params, velocity


# %% after: tour-optax 2
assert isinstance(tx, tuple) and tx._fields == ("init", "update")
assert not any(isinstance(leaf, jax.Array) for leaf in jax.tree.leaves(tx))


# %% after: tour-optax
assert abs(state.params["w"] - 3) < 0.2 and abs(state.params["b"] + 1) < 0.2
assert losses[-1] < 0.02 * losses[0] and len(losses) == 40
assert jnp.isclose(losses[0], loss_fn(params, (x[0], y[0])))
assert float(start.params["w"]) == 0  # the old state stays as it was
_by_optax = jnp.array(losses)
# the same as by hand: the velocity is the optimizer state
for _p, _q in (
    (_params_by_hand, state.params),
    (_velocity_by_hand, state.opt_state[0].trace),
):
    assert all(jnp.allclose(_p[k], _q[k], atol=1e-4) for k in ("w", "b"))
assert jax.tree.leaves(start.opt_state) == [0, 0]


# %% after: tour-optax
# an optimizer state made anew on each call: no momentum and no error
_p = _q = params
for _d in zip(x[:5], y[:5]):
    _p = train_step(TrainState(_p, tx.init(_p)), _d)[0].params
    _q = jax.tree.map(lambda p, g: p - 0.02 * g, _q, jax.grad(loss_fn)(_q, _d))
assert jnp.allclose(_p["w"], _q["w"]) and jnp.allclose(_p["b"], _q["b"])
_adam = optax.adam(0.1)
assert jax.tree.structure(_adam.init(params)) != jax.tree.structure(
    tx.init(params)
)


# %% after: tour-scan
assert jnp.allclose(losses, _by_optax, atol=1e-4) and losses.shape == (40,)
_, _o = jax.lax.scan(lambda s, d: (s, (d, d)), 0, jnp.ones(3))
assert isinstance(_o, tuple) and [o.shape for o in _o] == [(3,), (3,)]
_t = []


def _step(state, data):
    _t.append(1)
    return train_step(state, data)


_, _l = jax.lax.scan(_step, start, (x, y))
assert len(_t) < 5 and jnp.allclose(_l, losses, atol=1e-4)


# %% after: tour-scan
def _refused(bad, first):
    try:
        jax.lax.scan(bad, first, jnp.arange(3))
    except TypeError:
        return True
    return False


_firsts = (0, 0.0, jnp.int32(0), jnp.zeros(2))
for _first in _firsts:
    assert _refused(lambda s, d: ((s, s), d), _first)
    assert _refused(lambda s, d: (jnp.ones(3), d), _first)
_s = jnp.int32(0)
for _d in range(3):
    _s = (_s, _s)  # a Python loop carries on


# %% after: silent-global 1
assert learning_rate == 0.0 and float(update(jnp.float32(8))) == 4
assert update(jnp.full(2, 8.0)).tolist() == [8, 8]  # a new trace: rate 0.0
assert float(update(jnp.float32(8))) == 4
assert "0.5" in str(jax.make_jaxpr(update)(jnp.float32(8)))
assert jax.grad(lambda w: w**2 / 2)(8.0) == 8


# %% after: silent-global
assert update(8.0, 0.5) == 4 and update(8.0, 0.0) == 8
_rates = []
_f = jax.jit(lambda w, rate: (_rates.append(rate), w - rate * w)[1])
for _rate in (0.5, 0.0, 0.25):
    _f(jnp.float32(8), _rate)
assert len(_rates) == 1 and isinstance(_rates[0], jax.core.Tracer)
_f(jnp.float32(8), 0)  # an int: another dtype
assert len(_rates) == 2


# %% after: silent-statistics 1
assert float(batch_stats["mean"]) == 0
_s = {"mean": jnp.float32(0)}
for _ in range(100):
    normalize.__wrapped__(_s, jnp.array([4.0, 6.0]))
assert abs(float(_s["mean"]) - 5) < 0.01
_seen = []
jax.jit(lambda d: (_seen.append(d), d["mean"])[1])(_s)
assert _seen[0] is not _s and _seen[0].keys() == _s.keys()
assert isinstance(_seen[0]["mean"], jax.core.Tracer)


# %% after: silent-statistics
assert abs(float(batch_stats["mean"]) - 1.355) < 1e-5
_s = {"mean": jnp.float32(0)}
for _ in range(100):
    _s, _ = normalize(_s, jnp.array([4.0, 6.0]))
assert abs(float(_s["mean"]) - 5) < 0.01


# %% after: silent-update 1
assert new_state.params["w"] != start.params["w"] and state.params["w"] == 0
assert state is start


# %% after: silent-key 1
_m = [jax.random.bernoulli(key, 0.5, (12,)).tolist() for _ in range(3)]
assert _m[0] == _m[1] == _m[2] and 0 < sum(_m[0]) < 12


# %% after: silent-key
_k, _seen = jax.random.key(0), set()
for _ in range(3):
    _k, _use = jax.random.split(_k)
    _seen.add(tuple(jax.random.bernoulli(_use, 0.5, (12,)).tolist()))
assert len(_seen) == 3


# %% after: silent-key
# two keys from one, both others than the first
_k = jax.random.key(0)
_a, _b = jax.random.split(_k)
assert len({tuple(jax.random.key_data(k).tolist()) for k in (_k, _a, _b)}) == 3


# %% after: one-rule
assert int(state.n) == 3
# the same in scan: each value that changes is in the state or in the data
_rates = jnp.array([0.1, 0.05, 0.0])
_data = (jnp.stack([x] * 3), jnp.stack([3 * x] * 3), _rates)
_first = State(jnp.int32(0), zero, zero, jax.random.key(0))
_last, _masks = jax.lax.scan(step, _first, _data)
assert jnp.allclose(_last.params, state.params, atol=1e-5)
assert int(_last.n) == 3 and jnp.allclose(_last.batch_stats, state.batch_stats)
assert len({tuple(m.tolist()) for m in _masks}) == 3
# the third rate is 0: the slope stays, the rest goes on
_s, _w = _first, []
for _rate in (0.1, 0.05, 0.0):
    _s, _ = step(_s, (x, 3 * x, _rate))
    _w.append(float(_s.params))
assert _w[0] != _w[1] and _w[1] == _w[2]
assert _first.params == 0 and _first.n == 0  # the old state is unchanged
