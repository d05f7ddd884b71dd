"""What this chapter says, in asserts for the tests alone."""

# %% after: title
# no warning, no error; the returned count is an array, the attribute a number
import warnings

with warnings.catch_warnings():
    warnings.simplefilter("error")
    _t = Trainer()
    _f = jax.jit(_t.step)
    _p, _numbers = jnp.float32(0), []
    for _ in range(10):
        _p, (_n, _) = _f(_p, batch(4))
        _numbers.append(int(_n))
    assert _numbers == [1] * 10
    assert _t.n == 1 and type(_t.n) is int and isinstance(_n, jax.Array)
# the training itself is right: the same params as without jit
_t, _q = Trainer(), jnp.float32(0)
_plain = []
for _ in range(10):
    _q, (_n, _) = _t.step(_q, batch(4))
    _plain.append(_n)
assert _plain == list(range(1, 11)) and jnp.allclose(_p, _q)
assert trainer.n == 1 and int(n) == 1
assert 1.9 < params < 2  # five steps towards 2


# %% after: trace-time-and-run-time
# jax.jit itself runs nothing; the first call traces; tracers stand for the arguments
_seen = []


def _body(x):
    _seen.append(x)
    return 2 * x


_g = jax.jit(_body)
assert _seen == []
_traced = _g.trace(jnp.arange(3.0))
assert len(_seen) == 1 and isinstance(_seen[0], jax.core.Tracer)
_compiled = _traced.lower().compile()  # lowering and compiling run no Python
assert len(_seen) == 1
_compiled(jnp.ones(3)), _compiled(jnp.zeros(3))
assert len(_seen) == 1
# what the compiled program returns doesn't follow the attribute
_t = Trainer()
_f = jax.jit(_t.step)
_f(jnp.float32(0), batch(4))
_t.n = 41
_, (_n, _) = _f(jnp.float32(0), batch(4))
assert int(_n) == 1 and _t.n == 41


# the rule's limits: Python runs at every call of the plain method, under
# disable_jit, and in callbacks
_t = Trainer()
_f = jax.jit(_t.step)
_p = jnp.float32(0)
_f(_p, batch(4)), _t.step(_p, batch(4)), _f(_p, batch(4))
assert _t.n == 2
with jax.disable_jit():
    for _ in range(3):
        _f(_p, batch(4))
assert _t.n == 5


def _sine(x):
    return jnp.sin(x) + 1


with jax.disable_jit(), jax.log_compiles():  # single operations are compiled
    _messages = _logged(lambda: jax.jit(_sine)(jnp.ones(13)))
assert any(m.startswith("Compiling") for m in _messages)
assert not any("_sine" in m for m in _messages)
_ran = []
_f = jax.jit(lambda x: (jax.debug.callback(_ran.append, x), 2 * x)[1])
for _ in range(3):
    _f(1.0)
jax.effects_barrier()
assert len(_ran) == 3  # Python runs at run time where a callback was recorded


# two transformations at once: still once per trace
_ran = []
_b = lambda x: (_ran.append(1), x * x)[1]
for _f in (jax.jit(jax.vmap(_b)), jax.jit(jax.vmap(jax.grad(_b)))):
    _ran.clear()
    _f(jnp.arange(4.0)), _f(jnp.arange(4.0))
    assert len(_ran) == 1
# an inner jitted function may be found in the cache while the outer is traced
_ran = []
_in = jax.jit(lambda x: (_ran.append(1), 2 * x)[1])
_in(jnp.zeros(3))
jax.jit(lambda x: _in(x) + 1)(jnp.zeros(3))
assert len(_ran) == 1


class _Decorated:
    @jax.jit
    def count(self):
        return 1


try:
    _Decorated().count()
    raise SystemError("no error")
except TypeError as error:
    assert "_Decorated" in str(error)


# %% after: count-as-argument
assert int(state.n) == 5 and state.n.dtype == jnp.int32
assert abs(float(loss) - 0.0390625) < 1e-6
_ran = []


@jax.jit
def _step(state, data):
    _ran.append(1)
    loss, grads = jax.value_and_grad(loss_fn)(state.params, data)
    return State(state.params - 0.1 * grads, state.n + 1), loss


# right for every start, with one trace
for _start in (0, -4, 10, 2**31 - 2):
    _s, _ = _step(State(jnp.float32(1), jnp.int32(_start)), batch(4))
    assert int(_s.n) == _start + 1
assert len(_ran) == 1
# right after a retrace, whatever caused it
_s = State(jnp.float32(0), jnp.int32(0))
for _size in (4, 4, 2, 4, 2):
    _s, _ = _step(_s, batch(_size))
assert int(_s.n) == 5 and len(_ran) == 2
jax.clear_caches()
_s, _ = _step(_s, batch(4))
assert int(_s.n) == 6 and len(_ran) == 3
# the old state isn't changed by the call
_old = State(jnp.float32(0), jnp.int32(7))
_new, _ = _step(_old, batch(4))
assert int(_old.n) == 7 and int(_new.n) == 8
# unless it is donated: then it's gone (on this backend too)
_give = jax.jit(_step.__wrapped__, donate_argnums=0)
_old = State(jnp.float32(0), jnp.int32(7))
_new, _ = _give(_old, batch(4))
assert int(_new.n) == 8 and _old.n.is_deleted()
# a caller who doesn't rebind gets the same number again
_s = State(jnp.float32(0), jnp.int32(0))
assert [int(_step(_s, batch(4))[0].n) for _ in range(3)] == [1, 1, 1]
# Python numbers as the initial state: right values, at most one trace more
_ran.clear()
_s = State(0.0, 0)
for _ in range(5):
    _s, _ = _step(_s, batch(4))
assert int(_s.n) == 5 and len(_ran) <= 2
# NumPy values as well
_ran.clear()
_s = State(np.float32(0), np.int32(0))
for _ in range(5):
    _s, _ = _step(_s, batch(4))
assert int(_s.n) == 5 and len(_ran) <= 1
# a NamedTuple may be an argument of a jitted function, a Trainer may not
assert _raises(
    TypeError, "Trainer", jax.jit(lambda trainer: trainer.n), Trainer()
)
# under two transformations
_two = jax.vmap(_step, in_axes=(0, None))
_s, _ = _two(State(jnp.zeros(3), jnp.arange(3)), batch(4))
assert _s.n.tolist() == [1, 2, 3]


# %% after: read-the-jaxpr
_j = jax.make_jaxpr(Counter().count)()
assert not _j.jaxpr.invars
assert not _j.jaxpr.constvars
assert not _j.jaxpr.eqns
assert int(_j.jaxpr.outvars[0].val) == 1
_j = jax.make_jaxpr(next_count)(jnp.int32(0))
assert len(_j.jaxpr.invars) == 1
assert [e.primitive.name for e in _j.jaxpr.eqns] == ["add"]
# make_jaxpr runs the body, so it counts too
_c = Counter()
jax.make_jaxpr(_c.count)()
assert _c.n == 1
# the trainer's own jaxpr: the number is a literal among the results
_t = Trainer()
_j = jax.make_jaxpr(_t.step)(jnp.float32(0), batch(4))
_out = _j.jaxpr.outvars[1]
assert type(_out).__name__ == "Literal" and int(_out.val) == 1
# the fixed step's: an integer goes in, and an add makes the one that comes out
_j = jax.make_jaxpr(_step.__wrapped__)(
    State(jnp.float32(0), jnp.int32(0)), batch(4)
)
_made = {v: e for e in _j.jaxpr.eqns for v in e.outvars}
assert _made[_j.jaxpr.outvars[1]].primitive.name == "add"
assert _j.jaxpr.invars[1] in _made[_j.jaxpr.outvars[1]].invars
# a tracer has a shape and a dtype; under jit it has no value
for _needs in (int, float, bool, lambda n: 1 if n > 3 else 0, np.asarray):
    try:
        jax.jit(_needs)(jnp.int32(0))
        raise SystemError("no error")
    except (
        jax.errors.ConcretizationTypeError,
        jax.errors.TracerArrayConversionError,
    ):
        pass
# grad alone passes a tracer that has a value
assert jax.grad(lambda n: 0.0 if n > 3 else n)(0.5) == 1


# NumPy and globals: other Python state is read and written at trace time alone
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


# %% after: what-triggers-a-retrace
assert steps == [1, 1, 2, 1, 2] and trainer.n == 2
# the side effect happens once more for each trace, also after clear_caches
_t = Trainer()
_f = jax.jit(_t.step)
_p = jnp.float32(0)
_numbers = [int(_f(_p, batch(size))[1][0]) for size in (4, 2, 6, 4, 2, 6)]
assert _numbers == [1, 2, 3, 1, 2, 3] and _t.n == 3
jax.clear_caches()
assert int(_f(_p, batch(4))[1][0]) == 4 and _t.n == 4
# jit on a function that is traced already: disabled, Python runs each time
_c = Counter()
_f = jax.jit(_c.count)
with jax.disable_jit():
    assert [_f(), _f(), _f()] == [1, 2, 3]
assert [int(_f()) for _ in range(3)] == [4, 4, 4]
jax.clear_caches()
assert [int(_f()) for _ in range(3)] == [5, 5, 5]


# %% after: cache-key
assert traces == [(3,), (4,), (3,), ()]
assert found == ["hit", "hit", "trace", "hit"]
_groups = [(0, 1, 4), (2,), (3,), (5, 6), (7,)]
_args = [jnp.zeros(3), jnp.ones(3), jnp.zeros(4), jnp.zeros(3, "int32")]
_args += [np.zeros(3, "float32"), 2.0, 5.0, jnp.float32(2)]
for _a in range(8):
    for _b in range(8):
        _ran = []
        _f = jax.jit(lambda x: (_ran.append(1), 2 * x)[1])
        _f(_args[_a]), _f(_args[_b])
        _same = any(_a in g and _b in g for g in _groups)
        assert len(_ran) == (1 if _same else 2), (_a, _b)


def _traces(*calls, **options):
    ran = []
    f = jax.jit(lambda *args, **kwargs: (ran.append(1), 0)[1], **options)
    for call in calls:
        f(*call)
    return len(ran)


_z = jnp.zeros(3)
assert jnp.asarray(1.0).weak_type and not jnp.float32(1).weak_type
assert jnp.asarray(1.0).dtype == jnp.float32(1).dtype == "float32"
assert (1.0 + jnp.float16(1)).dtype == "float16"  # weak: the array decides
assert _traces((np.float32(1),), (jnp.float32(1),)) == 1
assert _traces((1,), (1.0,)) == 2
assert _traces((0.1,), (jnp.float32(0.1),)) == 2  # a rate, then an array
assert _traces((0.1,), (np.float64(0.1),)) == 2  # NumPy numbers aren't weak
assert _traces((jnp.zeros(0),), (jnp.zeros(0),)) == 1
assert _traces((jnp.zeros(1),), (jnp.zeros(()),)) == 2
assert _traces((_z,), (jax.device_put(_z, jax.devices()[0]),)) == 1
assert _traces((jnp.nan * _z,), (_z,)) == 1  # a NaN among the values: a hit
assert _traces((jnp.float32(jnp.nan),), (jnp.float32(1),)) == 1
assert _traces((True,), (1,)) == 2
_ran = []


# the function: == decides; jit twice of one function shares
class _Equal:
    def __eq__(self, other):
        return isinstance(other, _Equal)

    def __hash__(self):
        return 0

    def __call__(self, x):
        _ran.append(1)
        return x


_fs = [_Equal(), _Equal()]
_ran.clear()
for _g in _fs:
    jax.jit(_g)(_z)
assert len(_ran) == 1  # == finds the first one's trace
_fs = [lambda x: (_ran.append(1), x)[1] for _ in range(2)]
_ran.clear()
for _g in _fs:
    jax.jit(_g)(_z)
assert len(_ran) == 2  # equal source, two functions
_ran.clear()
jax.jit(_fs[0])(_z + 1), jax.jit(_fs[0])(_z)
assert len(_ran) == 0  # still in the cache: two jits of one function share


# %% after: grad-vmap-jit
assert python_runs(jax.jit, [jnp.zeros(3), jnp.ones(3), jnp.zeros(4)]) == 2
assert python_runs(jax.grad, [1.0, 2.0, 3.0]) == 3
assert python_runs(lambda f: jax.jit(jax.grad(f)), [1.0, 2.0, 3.0]) == 1
assert python_runs(jax.vmap, [jnp.arange(5.0)]) == 1
assert python_runs(jax.vmap, [jnp.arange(5.0)] * 3) == 3
assert python_runs(jax.vmap, [jnp.arange(1.0)]) == 1
assert python_runs(jax.vmap, [jnp.zeros(0)]) == 1
assert python_runs(lambda f: jax.jit(jax.vmap(f)), [jnp.arange(5.0)] * 3) == 1
assert python_runs(lambda f: jax.vmap(jax.jit(f)), [jnp.arange(5.0)] * 3) == 1
assert python_runs(lambda f: jax.grad(jax.jit(f)), [1.0, 2.0, 3.0]) == 1
assert python_runs(lambda f: f, [1.0, 2.0, 3.0]) == 3
# without jit the counter is right, also in the function that grad traces
_c = Counter()
_f = jax.grad(lambda x: (_c.count(), x * x)[1])
for _x in xs:
    _f(_x)
assert _c.n == 3


# why JAX traced: nothing for a cache hit, a new function for a new lambda
def _why(call):
    with jax.explain_cache_misses():
        return _logged(call)


_data = batch(4)
for _new in (
    lambda: jax.jit(jax.value_and_grad(counted_loss))(params, _data),
    lambda: jax.jit(lambda p: counted_loss(p, _data))(params),
):
    for _ in range(3):
        runs.clear()
        assert any("never seen function" in s for s in _why(_new))
        assert len(runs) == 1
assert jax.value_and_grad(loss_fn) != jax.value_and_grad(loss_fn)
# the new function is the cause: jit of the same one is traced once
runs.clear()
for _ in range(3):
    jax.jit(counted_loss)(params, _data)
assert len(runs) == 1
# the results are correct
assert jnp.allclose(loss, loss_fn(params, _data))
_f = jax.jit(lambda y: 2 * y)
_four, _two = jnp.zeros(4), jnp.zeros(2)
_f(_four)
assert not _why(lambda: _f(_four))
assert any("f32[2]" in line for line in _why(lambda: _f(_two)))


# %% after: globals-and-closures 2
assert moved == [True, False]
# the literal in the jaxpr; the variable's new value isn't part of the key
_rate = 0.1
_ran = []
_f = jax.jit(lambda w: (_ran.append(1), w - _rate)[1])
_j = jax.make_jaxpr(lambda w: w - _rate)(jnp.float32(1))
assert "0.1" in str(_j) and len(_j.jaxpr.invars) == 1
_w = _f(jnp.float32(1))
_rate = 0.0
assert _f(jnp.float32(1)) == _w and len(_ran) == 1
jax.clear_caches()
assert _f(jnp.float32(1)) == 1 and len(_ran) == 2


# a flag in an attribute
class _Model:
    def __init__(self):
        self.training = True

    def loss(self, x):
        return x + 1 if self.training else x


_m = _Model()
_f = jax.jit(_m.loss)
assert _f(1.0) == 2
_m.training = False
assert _f(1.0) == 2
# arrays from outside: another array under the name, or a NumPy array changed in place
_table, _ran = np.zeros(3, "float32"), []
_f = jax.jit(lambda x: (_ran.append(1), x + _table)[1])
_z = jnp.zeros(3)
assert _f(_z)[0] == 0
_table[0] = 5.0
assert _f(_z)[0] == 0 and len(_ran) == 1
_table = np.ones(3, "float32")
assert _f(_z)[0] == 0 and len(_ran) == 1
_arr = jnp.zeros(3)
_f = jax.jit(lambda x: x + _arr)
assert _f(_z)[0] == 0
_arr = jnp.ones(3)
assert _f(_z)[0] == 0
_list = [jnp.zeros(3)]
_f = jax.jit(lambda x: x + _list[0])
assert _f(_z)[0] == 0
_list[0] = jnp.ones(3)
assert _f(_z)[0] == 0
# a Ref from outside is the exception: its reads are recorded
_ref = jax.new_ref(jnp.float32(0.1))
_ran = []
_f = jax.jit(lambda w: (_ran.append(1), w - _ref[...])[1])
_f(jnp.float32(1))
_ref[...] = jnp.float32(0)
assert _f(jnp.float32(1)) == 1 and len(_ran) == 1


# %% after: globals-and-closures
# one trace for all rates of one type; another type, another trace
_ran = []
_f = jax.jit(lambda w, rate: (_ran.append(1), w - rate)[1])
for _rate in (0.1, 0.01, 0.0, float("nan")):
    _f(jnp.float32(1), _rate)
assert len(_ran) == 1
_f(jnp.float32(1), 0)  # an int
assert len(_ran) == 2
_f(jnp.float32(1), jnp.float32(0.1))
assert len(_ran) == 3


# a flag as an ordinary argument of `if` raises; static, it gets a trace per value
def _train(w, training):
    _ran.append(training)
    return 2 * w if training else w


try:
    jax.jit(_train)(1.0, True)
    raise SystemError("no error")
except jax.errors.TracerBoolConversionError:
    pass
_ran.clear()
_f = jax.jit(_train, static_argnames="training")
assert [float(_f(1.0, training=t)) for t in (True, False, True, False)] == [
    2,
    1,
    2,
    1,
]
assert _ran == [True, False]  # values, not tracers
assert _f(1.0, True) == 2 and _f(1.0, False) == 1  # by position too
_n = len(_ran)
_f(1.0, True), _f(1.0, False)
assert len(_ran) == _n


# static values: type and ==
def _static(*values):
    ran = []
    f = jax.jit(lambda s, x: (ran.append(1), x)[1], static_argnums=0)
    for value in values:
        f(value, 1.0)
    return len(ran)


assert _static(1, 2, 2) == 2
assert _static(10**6, int("1000000")) == 1
assert _static(1, True, 1.0) == 3
assert _static("a", "b", "a") == 2
assert _static(*range(20)) == 20
_nan = float("nan")
assert 1 <= _static(_nan, _nan, float("nan")) <= 3


# %% after: leaked-tracers 1
# the params are right, and no error came so far
_p = jnp.float32(0)
for _ in range(5):
    _p = _p - 0.1 * jax.grad(loss_fn)(_p, batch(4))
assert jnp.allclose(params, _p)
assert isinstance(trainer.grads, jax.core.Tracer)
step(params, batch(4))  # a cache hit: still no error
for _use in (lambda g: g + 1, lambda g: jax.jit(lambda: g + 1)(), jnp.abs):
    try:
        _use(trainer.grads)
        raise SystemError("no error")
    except jax.errors.UnexpectedTracerError:
        pass
for _use in (int, float):
    try:
        _use(trainer.grads)
        raise SystemError("no error")
    except jax.errors.ConcretizationTypeError:
        pass
try:
    f"{trainer.grads:.4f}"
    raise SystemError("no error")
except (jax.errors.ConcretizationTypeError, TypeError) as error:
    pass
assert "Trac" in str(trainer.grads)  # printing it raises nothing


# %% after: leaked-tracers 2
# the message names the function that was traced, and the line that made the value
try:
    jnp.abs(trainer.grads)
    raise SystemError("no error")
except jax.errors.UnexpectedTracerError as error:
    _message = str(error)
assert "Encountered an unexpected tracer" in _message
assert "step" in _message and "loss_fn" in _message
_created = [l for l in _message.splitlines() if "created on line" in l]
assert "loss_fn" in _created[0] and "LoggingTrainer" not in _created[0]


# an argument that leaked: no line of the body
_seen = []


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
    assert not _created or "_leaks_its_argument" not in _created[0]


# a key in an attribute: the same noise in each call, and an error afterwards
class _Noise:
    def __init__(self):
        self.key = jax.random.key(0)

    def draw(self):
        self.key, key = jax.random.split(self.key)
        return jax.random.normal(key)


_c = _Noise()
_f = jax.jit(_c.draw)
assert len({float(_f()) for _ in range(4)}) == 1
try:
    _c.draw()
    raise SystemError("no error")
except jax.errors.UnexpectedTracerError:
    pass


# storing outside jit is no leak; nor is a list that the function makes itself
class _Fixed:
    def __init__(self):
        self.grads, self.jitted = None, jax.jit(self._step)

    def _step(self, params, data):
        grads = jax.grad(loss_fn)(params, data)
        return params - 0.1 * grads, grads

    def step(self, params, data):
        params, self.grads = self.jitted(params, data)
        return params


_c = _Fixed()
_c.step(jnp.float32(0), batch(4))
assert float(_c.grads) == -10
_out = jax.jit(lambda x: [x, x + x])(1.5)
assert not any(isinstance(v, jax.core.Tracer) for v in _out)
# a shape, a string, a Python number may be kept: they're no tracers
_kept = []
jax.jit(lambda x: (_kept.append((x.shape, str(x.dtype))), x)[1])(1.0)
assert _kept == [((), "float32")]


# %% after: leaked-tracers
assert float(grads) == -10 and not isinstance(grads, jax.core.Tracer)


# the tool that the message recommends finds the attribute, in a new trace alone
_leaking = jax.jit(LoggingTrainer().step)
_leaking(jnp.float32(0), batch(4))
with jax.checking_leaks():
    _leaking(jnp.float32(0), batch(4))
jax.clear_caches()
try:
    with jax.checking_leaks():
        _leaking(jnp.float32(0), batch(4))
    raise SystemError("no error")
except Exception as error:
    assert "is referred to by <LoggingTrainer " in str(error)
    assert ">.grads\n" in str(error)


# %% after: print-at-run-time
_p = [
    e.primitive.name
    for e in jax.make_jaxpr(lambda x: (jax.debug.print("{x}", x=x), 2 * x)[1])(
        1.0
    ).eqns
]
assert len(_p) == 2 and "mul" in _p  # one operation for the message
_s = []
jax.jit(lambda x: (_s.append(f"{x}"), x)[1])(1.5)
assert "1.5" not in _s[0] and "Trac" in _s[0]


# %% after: state-that-survives-jit
assert int(state.n) == 5
assert isinstance(state, tuple)
_counter, _ran = jax.new_ref(jnp.int32(0)), []


@jax.jit
def _count():
    _ran.append(1)
    _counter[...] += 1
    return _counter[...]


assert [int(_count()) for _ in range(3)] == [1, 2, 3]
assert int(_counter[...]) == 3 and len(_ran) == 1
_j = jax.make_jaxpr(_count.__wrapped__)()
assert not _j.jaxpr.invars and len(_j.jaxpr.constvars) == 1
assert [e.primitive.name for e in _j.jaxpr.eqns].count("add") == 1
assert "Ref" in str(_j.jaxpr.constvars[0].aval)


# %% after: back-to-the-issue
assert model.current_step < int(model.optimizer.iterations.value) == 24
assert model.current_step == 3
_n = model.current_step
model.fit(x, y, batch_size=4, epochs=3, verbose=0)
assert int(model.optimizer.iterations.value) == 48
assert model.current_step - _n <= 1  # a second fit traces anew, once at most


class _Counting(keras.Model):
    def __init__(self):
        super().__init__()
        self.current_step = self.add_weight(
            dtype="int32", initializer="zeros", trainable=False
        )
        self.dense = keras.layers.Dense(1)

    def call(self, x):
        self.current_step.assign_add(1)
        return self.dense(x)


_m = _Counting()
_m.compile("sgd", "mse")
_m.fit(x, y, batch_size=4, epochs=3, verbose=0)
assert int(_m.current_step.value) == 24
# call runs twice for shapes, and once while the training step is traced
import traceback


class _Told(Model):
    def call(self, x):
        _runs.append({frame.name for frame in traceback.extract_stack()})
        return super().call(x)


_runs, _m = [], _Told()
_m.compile("sgd", "mse")
_m.fit(x, y, batch_size=4, epochs=3, verbose=0)
assert ["train_step" in names for names in _runs] == [False, False, True]
# without compilation the attribute counts
_m = Model()
_m.compile("sgd", "mse", run_eagerly=True)
_m.fit(x, y, batch_size=4, epochs=1, verbose=0)
assert _m.current_step >= 8


# %% after: back-to-the-issue
# epochs don't matter, batches of a second size do
for _rows, _epochs, _counted in ((32, 1, 3), (30, 3, 4)):
    _m = Model()
    _m.compile("sgd", "mse")
    _m.fit(x[:_rows], y[:_rows], batch_size=4, epochs=_epochs, verbose=0)
    assert int(_m.optimizer.iterations.value) == 8 * _epochs
    assert _m.current_step == _counted, (_rows, _epochs, _m.current_step)


# %% after: exercise-1
# right answers that the page can't run
for _answer in (np.array([1, 2, 3, 1, 2]), jnp.array([1, 2, 3, 1, 2])):
    check_1(_answer)
    check_1(tuple(_answer))
