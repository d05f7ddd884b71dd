"""What this chapter says, in asserts for the tests alone."""

# %% after: the-counter-under-jit
import warnings

with warnings.catch_warnings():
    warnings.simplefilter("error")
    _c = Counter()
    _f = jax.jit(_c.count)
    assert [int(_f()) for _ in range(10)] == [1] * 10
    assert _c.n == 1
    assert isinstance(_f(), jax.Array)


class _Decorated:
    @jax.jit
    def count(self):
        return 1


try:
    _Decorated().count()
    raise SystemError("no error")
except TypeError as error:
    assert "_Decorated" in str(error)


# %% after: trace-time-and-run-time
_j = jax.make_jaxpr(Counter().count)()
assert not _j.jaxpr.invars
assert not _j.jaxpr.constvars
assert not _j.jaxpr.eqns
_j = jax.make_jaxpr(lambda n: n + 1)(jnp.int32(0))
assert len(_j.jaxpr.invars) == 1
assert [e.primitive.name for e in _j.jaxpr.eqns] == ["add"]
for _needs in (int, lambda n: 1 if n > 3 else 0):
    try:
        jax.jit(_needs)(jnp.int32(0))
        raise SystemError("no error")
    except jax.errors.ConcretizationTypeError:
        pass
# grad alone passes a tracer that has a value
assert jax.grad(lambda n: 0.0 if n > 3 else n)(0.5) == 1


# %% after: count-as-argument 1
assert int(n) == 3
assert n.dtype == jnp.int32
_t = []
_f = jax.jit(lambda n: (_t.append(1), n + 1)[1])
assert [int(_f(k)) for k in (0, -4, 10)] == [1, -3, 11]
assert len(_t) == 1


# %% after: count-as-argument
assert int(n) == 3 and abs(float(loss) - 3.6864) < 1e-4
_j = jax.make_jaxpr(step.__wrapped__)(jnp.float32(0), jnp.int32(0))
assert len(_j.jaxpr.invars) == 2 and len(_j.jaxpr.outvars) == 3


# %% after: what-jit-does
assert traces == ["float32[3]", "float32[4]"]
double(jnp.zeros(3, "int32"))
assert traces[-1] == "int32[3]" and len(traces) == 3
_seen = []


def _f(x):
    _seen.append(x)
    return 2 * x


_g = jax.jit(_f)
assert _seen == []  # jit alone doesn't trace
_tr = _g.trace(jnp.arange(3.0))
assert len(_seen) == 1
assert isinstance(_seen[0], jax.core.Tracer)
_co = _tr.lower().compile()
assert len(_seen) == 1  # lowering and compiling don't run Python
_co(jnp.ones(3))
assert len(_seen) == 1


# %% after: once-per-trace
assert counter.n == 5
_c = Counter()
_f = jax.jit(_c.count)
assert int(_f()) == 1
_c.n = 41
assert int(_f()) == 1
jax.clear_caches()
assert int(_f()) == 42 and _c.n == 42
assert int(_f()) == 42
_t = []


@jax.jit
def _next_count(n):
    _t.append("trace")
    return n + 1


_n = _next_count(jnp.int32(0))
jax.clear_caches()
_n = _next_count(_n)
assert _n == 2 and len(_t) == 2


# %% after: cache-key 1
_xs = [jnp.zeros(3), jnp.ones(3), jnp.zeros(4), jnp.zeros(3)]
assert python_runs(jax.jit, _xs) == 2


# %% after: cache-key
assert jnp.asarray(1.0).weak_type and not jnp.float32(1).weak_type
assert jnp.asarray(1.0).dtype == jnp.float32(1).dtype == "float32"
assert python_runs(jax.jit, [np.float32(1), jnp.float32(1)]) == 1
assert python_runs(jax.jit, [1, 1.0]) == 2
assert python_runs(jax.jit, [jnp.zeros(0), jnp.zeros(0)]) == 1
assert python_runs(jax.jit, [jnp.zeros(1), jnp.zeros(())]) == 2
assert python_runs(jax.jit, [z, jax.device_put(z, jax.devices()[0])]) == 1
assert python_runs(jit_static, [10**6, int("1000000")]) == 1  # equal ints
assert python_runs(jit_static, [1, True, 1.0]) == 3  # equal, of three types
_t = []


def _f(x):
    _t.append(1)
    return x


jax.jit(_f)(z), jax.jit(_f)(z)
assert len(_t) == 1
_fs = [lambda x: (_t.append(1), x)[1] for _ in range(2)]
_t.clear()
for _g in _fs:
    jax.jit(_g)(z)
assert len(_t) == 2


class _Equal:
    def __eq__(self, other):
        return isinstance(other, _Equal)

    def __hash__(self):
        return 0

    def __call__(self, x):
        _t.append(1)
        return x


_fs = [_Equal(), _Equal()]
_t.clear()
for _g in _fs:
    jax.jit(_g)(z)
assert len(_t) == 1  # == finds the first one's trace


# %% after: cache-key
_t = []


@jax.jit
def _add(pair, scale=1.0):
    _t.append(type(scale))
    return scale * (pair[0] + pair[1])


_add((z, z)), _add([z, z])
assert _t == [float, float]  # omitted, so it isn't traced
_add((z, z), 1.0), _add((z, z), scale=1.0)
assert len(_t) == 4
_add((z, z)), _add([z, z]), _add((z, z), 1.0), _add((z, z), scale=1.0)
assert len(_t) == 4
with jax.default_matmul_precision("highest"):
    _add((z, z))  # a setting that _add doesn't use
assert len(_t) == 5
_add((z, z))
assert len(_t) == 5
_t = []
_f = jax.jit(lambda x: (_t.append(1), 2 * x)[1])
_f(z)
with jax.default_device(jax.devices()[0]):
    _f(z)
assert len(_t) == 2
with jax.numpy_dtype_promotion("strict"):
    _f(z)
assert len(_t) == 3
_f(z)
assert len(_t) == 3
_t = []
_f = jax.jit(lambda x: (_t.append(1), 2 * x)[1])
_f(z), _f(x=z)
assert len(_t) == 2
# folded box: bound methods
_c = Counter()
assert [int(jax.jit(_c.count)()) for _ in range(3)] == [1, 2, 3]
_c = Counter()
_m = _c.count
assert [int(jax.jit(_m)()) for _ in range(3)] == [1, 1, 1]


# %% after: cache-key
assert python_runs(jax.grad, [1.0, 2.0, 3.0]) == 3
assert python_runs(lambda f: jax.jit(jax.grad(f)), [1.0, 2.0, 3.0]) == 1
assert python_runs(jax.vmap, [jnp.arange(5.0)]) == 1
assert python_runs(jax.vmap, [jnp.arange(5.0)] * 3) == 3
assert python_runs(jax.vmap, [jnp.arange(1.0)]) == 1
assert python_runs(jax.vmap, [jnp.zeros(0)]) == 1
assert python_runs(lambda f: jax.jit(jax.vmap(f)), [jnp.arange(5.0)] * 3) == 1
assert python_runs(lambda f: jax.vmap(jax.jit(f)), [jnp.arange(5.0)] * 3) == 1
assert python_runs(lambda f: jax.grad(jax.jit(f)), [1.0, 2.0, 3.0]) == 1


# %% after: globals-and-closures
_t = []
_f = jax.jit(lambda w, rate: (_t.append(1), w - rate * 2 * (w - 3))[1])
_w = _f(jnp.float32(0), 0.1)
assert _f(_w, 0.0) == _w and len(_t) == 1


def _train(w, training):
    return 2 * w if training else w


try:
    jax.jit(_train)(1.0, True)
    raise SystemError("no error")
except jax.errors.TracerBoolConversionError:
    pass
assert jax.jit(_train, static_argnums=1)(1.0, True) == 2
assert jax.jit(_train, static_argnums=1)(1.0, False) == 1


# %% after: globals-and-closures
_z = jnp.zeros(3)
_table, _t = np.zeros(3, "float32"), []


@jax.jit
def _look_up(x):
    _t.append(1)
    return x + _table


assert _look_up(_z)[0] == 0
_table[0] = 5.0
assert _look_up(_z)[0] == 0 and len(_t) == 1
# folded box: a second jit
assert jax.jit(_look_up)(_z)[0] == 5 and len(_t) == 1
_wide, _t = np.zeros(3), []
_f = jax.jit(lambda x: (_t.append(1), x + _wide)[1])
assert _f(_z)[0] == 0
_wide[0] = 5.0
assert jax.jit(_f)(_z)[0] == 0 and len(_t) == 1
_tab, _t = np.zeros(3, "float32"), []
_f = jax.jit(lambda x: (_t.append(1), x + _tab)[1])
assert _f(_z)[0] == 0
_tab[0] = 5.0
assert _f(_z)[0] == 0
jax.clear_caches()
assert _f(_z)[0] == 5 and len(_t) == 2
_tab = np.ones(3, "float32")  # rebinding the name: not seen
assert _f(_z)[0] == 5
_arr = jnp.zeros(3)  # a global JAX array
_f = jax.jit(lambda x: x + _arr)
assert _f(_z)[0] == 0
_arr = jnp.ones(3)  # nor of a JAX array
assert _f(_z)[0] == 0
_rate = 0.1
_j = jax.make_jaxpr(lambda w: w - _rate * 2 * (w - 3))(jnp.float32(0))
assert "0.2" in str(_j)


# %% after: leaked-tracers 2
try:
    int(counter.n)
    _refused = None
except Exception as error:
    _refused = type(error)
assert _refused is jax.errors.ConcretizationTypeError
_c = ArrayCounter()
_f = jax.jit(_c.count)
assert [int(_f()) for _ in range(3)] == [1, 1, 1]
assert "Tracer" in str(_c.n)
_f.clear_cache()
try:
    _f()
    _refused = None
except Exception as error:
    _refused = type(error)
assert _refused is jax.errors.UnexpectedTracerError


# %% after: leaked-tracers 2
_seen = []
_f = jax.jit(lambda x: (_seen.append(x), x + 1)[1])
assert [float(_f(v)) for v in (1.0, 2.0, 3.0)] == [2, 3, 4]
assert len(_seen) == 1 and isinstance(_seen[0], jax.core.Tracer)


def _inside(x):
    values = []
    values.append(x)
    return x + 1


with jax.checking_leaks():
    assert jax.jit(_inside)(1.0) == 2


def _innocent_helper(x):
    return x * 7


def _leaks(x):
    _seen.append(_innocent_helper(x))
    return x


jax.jit(_leaks)(1.0)
try:
    _seen[-1] + 1
    raise SystemError("no error")
except jax.errors.UnexpectedTracerError as error:
    assert "_innocent_helper" in str(error) and "_leaks" in str(error)
    _created = [l for l in str(error).splitlines() if "created on line" in l]
    assert "_innocent_helper" in _created[0]


def _leaks_its_argument(x):
    _seen.append(x)
    return x


jax.jit(_leaks_its_argument)(1.0)
try:
    _seen[-1] + 1
    raise SystemError("no error")
except jax.errors.UnexpectedTracerError as error:
    assert "_leaks_its_argument" in str(error)
    _created = [l for l in str(error).splitlines() if "created on line" in l]
    assert "_leaks_its_argument" not in _created[0]


def _outer(x):
    values = []  # not created by the function that appends to it
    jax.jit(lambda y: (values.append(y), y + 1)[1])(x)
    return values


try:
    jax.jit(_outer)(1.0)
    raise SystemError("no error")
except jax.errors.UnexpectedTracerError:
    pass
_out = jax.jit(lambda x: [x, x + x])(1.5)
assert not any(isinstance(v, jax.core.Tracer) for v in _out)


# %% after: checking-leaks
# a function already traced: a cache hit, so nothing is checked
_c = ArrayCounter()
_f = jax.jit(_c.count)
_f()
with jax.checking_leaks():
    assert _f() == 1
jax.clear_caches()
_c.n = jnp.int32(0)
try:
    with jax.checking_leaks():
        _f()
    _raised = False
except Exception as error:
    _raised = "Leaked trace" in str(error)
assert _raised
# in a new context, the leaking call itself raises
try:
    with jax.checking_leaks():
        jax.jit(ArrayCounter().count)()
    _raised = False
except Exception as error:
    _raised = type(error) is Exception and "Leaked trace" in str(error)
assert _raised
# with jit outside, a leak under grad raises too; grad alone may not
try:
    with jax.checking_leaks():
        jax.jit(jax.grad(lambda x: (_seen.append(x), x * x)[1]))(1.0)
    _raised = False
except Exception as error:
    _raised = "Leaked trace" in str(error)
assert _raised


# %% after: print-at-run-time
_p = [
    e.primitive.name
    for e in jax.make_jaxpr(lambda x: (jax.debug.print("{x}", x=x), 2 * x)[1])(
        1.0
    ).eqns
]
assert len(_p) == 2 and "mul" in _p
_s = []
jax.jit(lambda x: (_s.append(f"{x}"), x)[1])(1.5)
assert "1.5" not in _s[0] and "Tracer" in _s[0]


# %% after: state-that-survives-jit
_j = jax.make_jaxpr(jax.jit(RefCounter().count))()
assert not _j.jaxpr.invars
_j = jax.make_jaxpr(RefCounter().count)()
assert not _j.jaxpr.invars and len(_j.jaxpr.constvars) == 1
assert "Ref{i32[]}; ." in str(_j)
assert [e.primitive.name for e in _j.jaxpr.eqns].count("add") == 1


class _NumpyCounter:
    def __init__(self):
        self.n = np.zeros((), "int32")

    def count(self):
        self.n[...] += 1
        return self.n


_c = _NumpyCounter()
_f = jax.jit(_c.count)
assert [int(_f()) for _ in range(3)] == [1, 1, 1] and _c.n == 1
_total = 0


def _global_count():
    global _total
    _total += 1
    return _total


_f = jax.jit(_global_count)
assert [int(_f()) for _ in range(3)] == [1, 1, 1] and _total == 1


# %% after: exercise-3 1
assert rate_step == 1
_w = 0.0
for _ in range(3):
    _w = _w - 0.1 * 2 * (_w - 3)
assert abs(float(w) - _w) < 1e-5
_w = 0.0
for _k in (1, 2, 3):
    _w = _w - 0.1 / _k * 2 * (_w - 3)
assert abs(float(w) - _w) > 0.1
