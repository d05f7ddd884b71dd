"""What this chapter says, in asserts for the tests alone."""

# %% after: counter
import warnings

with warnings.catch_warnings():
    warnings.simplefilter("error")
    _c = Counter()
    _f = jax.jit(_c.count)
    assert [int(_f()) for _ in range(10)] == [1] * 10
    assert _c.n == 1
_c = Counter()
assert [_c.count(), _c.count(), _c.count()] == [1, 2, 3]


# %% after: tour-jaxpr
_j = jax.make_jaxpr(Counter().count)().jaxpr
assert not _j.invars and not _j.constvars
assert not _j.eqns
assert counter.n == 1


class _Counter:
    def __init__(self):
        self.n = 0

    count = Counter.count


_c = _Counter()
_f = jax.jit(_c.count)
assert [int(_f()) for _ in range(3)] == [1, 1, 1] and _c.n == 1
_j = jax.make_jaxpr(_Counter().count)().jaxpr
assert not _j.invars and not _j.eqns


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


# %% after: tour-fix
assert int(n) == 3 and n.dtype == jnp.int32 and n.shape == ()
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


# %% after: tour-momentum
assert abs(state.params["w"] - 3) < 0.2 and abs(state.params["b"] + 1) < 0.2
assert losses[-1] < 0.02 * losses[0] and len(losses) == 40
assert jnp.isclose(losses[0], loss_fn(start, (x[0], y[0])))
assert jax.tree.structure(state.opt_state) == jax.tree.structure(start)
_by_hand = jnp.array(losses)


# %% after: tour-momentum
# a velocity that starts from 0 on each call: plain SGD
_zero, _p, _q = jax.tree.map(jnp.zeros_like, start), start, start
for _d in zip(x[:5], y[:5]):
    _p = momentum_step(TrainState(_p, _zero), _d)[0].params
    _q = jax.tree.map(lambda p, g: p - 0.02 * g, _q, jax.grad(loss_fn)(_q, _d))
assert jnp.allclose(_p["w"], _q["w"]) and jnp.allclose(_p["b"], _q["b"])


# %% after: tour-optax
_by_optax = jnp.array(losses)
assert jnp.allclose(_by_optax, _by_hand, atol=1e-4)
assert isinstance(tx, tuple) and tx._fields == ("init", "update")
assert not any(isinstance(leaf, jax.Array) for leaf in jax.tree.leaves(tx))
_adam = optax.adam(0.1)
_s = TrainState(start, _adam.init(start))
_s, _l = jax.lax.scan(make_step(_adam), _s, (x, y))
assert _l[-1] < 0.1 * _l[0]
assert jax.tree.structure(_adam.init(start)) != jax.tree.structure(
    tx.init(start)
)


# %% after: tour-scan
assert jnp.allclose(losses, _by_optax, atol=1e-4) and losses.shape == (40,)
_, _o = jax.lax.scan(lambda s, d: (s, (d, d)), 0, jnp.ones(3))
assert isinstance(_o, tuple) and [o.shape for o in _o] == [(3,), (3,)]
_t = []


def _step(state, data):
    _t.append(1)
    return train_step(state, data)


_, _l = jax.lax.scan(_step, TrainState(start, tx.init(start)), (x, y))
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
assert float(update(jnp.float32(8))) == 4
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


# %% after: silent-update 1
assert new_state.params["w"] != start["w"] and state.params["w"] == 0


# %% after: silent-key 1
_m = [jax.random.bernoulli(key, 0.5, (12,)).tolist() for _ in range(3)]
assert _m[0] == _m[1] == _m[2] and 0 < sum(_m[0]) < 12


# %% after: silent-key
_k, _seen = jax.random.key(0), set()
for _ in range(3):
    _k, _use = jax.random.split(_k)
    _seen.add(tuple(jax.random.bernoulli(_use, 0.5, (12,)).tolist()))
assert len(_seen) == 3
