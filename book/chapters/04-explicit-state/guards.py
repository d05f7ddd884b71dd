"""What this chapter says, in asserts for the tests alone."""

# %% after: state-as-argument 3
traces = 0


def counted(n):
    global traces
    traces += 1
    return counter.count(n)


held = jax.jit(counted)
assert [int(held(jnp.int32(0))[1]) for _ in range(3)] == [1, 1, 1]
assert traces == 1
assert [int(held(jnp.int32(k))[1]) for k in (0, 5, -3)] == [1, 6, -2]
assert traces == 1  # other values cost no trace
assert state == 0 and n == 1  # the caller's name wasn't rebound
assert [int(counter.count(jnp.int32(0))[1]) for _ in range(3)] == [1, 1, 1]
assert not vars(counter)  # the object holds nothing


# %% after: state-as-argument 4
program = jax.make_jaxpr(counter.count)(jnp.int32(0)).jaxpr
assert len(program.invars) == 1 and len(program.outvars) == 2
assert program.outvars[0] is program.outvars[1]
assert [e.primitive.name for e in program.eqns] == ["add"]


# %% after: state-as-argument
assert state == 3 and n == 3 and state.dtype == jnp.int32
again = counter.init()
for _ in range(3):
    again, m = held(again)
assert m == 3 and traces == 1  # one trace serves all calls


# %% after: convert-a-method 2
meter = LossMeter(0.5)
held = jax.jit(meter.update)
assert [float(held(x)) for x in losses] == losses.tolist()
assert isinstance(meter.value, jax.core.Tracer) and meter.steps == 1


# %% after: convert-a-method
meter, held, got, want = LossMeter(0.9), init(), [], []
for x in (3.0, -1.5, 0.25, 7.0):
    held, y = jax.jit(smooth)(held, x, 0.9)
    got.append(float(y))
    want.append(float(meter.update(x)))
assert jnp.allclose(jnp.array(got), jnp.array(want), rtol=1e-4)
assert state.steps == 3 and abs(smoothed - 1.7143) < 1e-3
assert smooth(init(), 4.0)[0] == smooth(init(), 4.0)[0]  # same in, same out


# %% after: convert-a-method
class Stateful:
    def __init__(self, step, state):
        self.step, self.state = jax.jit(step), state

    def __call__(self, *data):
        self.state, output = self.step(self.state, *data)
        return output


outside = Stateful(counter.count, counter.init())
assert [int(outside()) for _ in range(3)] == [1, 2, 3]
inside = Stateful(counter.count, counter.init())
compiled = jax.jit(inside)
assert [int(compiled()) for _ in range(3)] == [1, 1, 1]
assert isinstance(inside.state, jax.core.Tracer)


# %% after: loop-jit-scan-vmap
assert last.tolist() == [15, 25, 115]
both = jax.vmap(running_sum, in_axes=(0, None))(starts, xs[0])
assert [part.tolist() for part in both] == [[1, 11, 101]] * 2
slow = lambda state, x: smooth(state, x, 0.9)
smoothed_09 = jax.lax.scan(slow, init(), losses)[1]
meter = LossMeter(0.9)
expected_09 = jnp.array([meter.update(loss) for loss in losses])
assert jnp.allclose(smoothed_09, expected_09, rtol=1e-4)
unused = []
jax.lax.scan(lambda n, u: (unused.append(u), (n, n))[1], 0, length=3)
assert set(unused) == {None}
runs = 0


def traced_sum(state, x):
    global runs
    runs += 1
    return running_sum(state, x)


jax.lax.scan(traced_sum, start, xs)
assert runs == 1  # Python ran the body once for five elements
assert jax.lax.scan(lambda n, _: counter.count(n), counter.init(), length=3)[
    1
].tolist() == [1, 2, 3]
end, outs = jax.lax.scan(smooth, init(), losses)
assert end.steps == 3 and jnp.allclose(outs, jnp.array([4, 8 / 3, 12 / 7]))
s, o = jax.lax.scan(running_sum, start, jnp.zeros(0, jnp.int32))
assert s == 0 and o.shape == (0,)  # scan takes no elements too; loop doesn't
try:
    jax.lax.scan(counter.count, counter.init(), xs)
    raise SystemExit("count has one argument, scan gives two")
except TypeError:
    pass
branching = lambda s, x: (s + x if x > 2 else s, s)
converting = lambda s, x: (s + int(float(x)), s)
per_start = lambda f: jax.vmap(f, in_axes=(0, None))(starts, xs[0])
for needy in (branching, converting):
    loop(needy, start, xs)  # a Python loop has the values
    for run in (
        lambda f: loop(jax.jit(f), start, xs),
        lambda f: jax.lax.scan(f, start, xs),
        lambda f: per_start(lambda s, x: f(x, s)),
    ):
        try:
            run(needy)
            raise SystemExit("a tracer had a value")
        except jax.errors.ConcretizationTypeError:
            pass
import numpy as np

refused = []
for needy in (  # other ways to need a tracer's value
    lambda s, x: (s + [5, 6][x], s),
    lambda s, x: (s + np.abs(x), s),
    lambda s, x: (s + xs[x > xs].sum(), s),
):
    try:
        jax.lax.scan(needy, start, xs - 1)
    except (jax.errors.JAXTypeError, jax.errors.JAXIndexError) as error:
        refused.append(type(error).__name__)
assert refused == [
    "TracerIntegerConversionError",
    "TracerArrayConversionError",
    "NonConcreteBooleanIndexError",
]


# %% after: order-of-results
assert last == 25 and outputs.tolist() == [1, 3, 5, 7, 9]
wrapped = jax.lax.scan(
    lambda s, x: growth_output_first(s, x)[::-1], jnp.int32(0), squares
)
assert wrapped[0] == 25 and wrapped[1].tolist() == [1, 3, 5, 7, 9]
halves = lambda last, x: ((x - last) * 0.5, x)
jax.lax.scan(halves, 0, squares)  # a weakly typed start is converted


def scan_refuses(step) -> bool:
    try:
        jax.lax.scan(step, jnp.int32(0), squares)
    except TypeError:
        return True
    return False


nested, longer = lambda s, x: ((x,), x), lambda s, x: (x[None], x)
assert all(scan_refuses(bad) for bad in (halves, nested, longer))
assert not scan_refuses(growth_output_first)


# %% after: forgetting-to-rebind
assert total == 15
nans = lambda: jax.debug_nans(True)
for guard in (jax.checking_leaks, nans, jax.disable_jit):
    with guard():
        for x in xs:
            _, held = jax.jit(running_sum)(start, x)
        assert held == 5
jax.eval_shape(running_sum, start, xs[0])


def draw(key):
    key, subkey = jax.random.split(key)
    return key, jax.random.normal(subkey)


key = jax.random.key(0)
assert (
    len({float(draw(key)[1]) for _ in range(3)}) == 1
)  # no error, one number
raised = None
with jax.debug_key_reuse(True):
    try:
        for _ in range(2):
            _, number = draw(key)
    except jax.errors.KeyReuseError as error:
        raised = error
assert isinstance(raised, jax.errors.KeyReuseError)


# %% after: test-for-a-dropped-state
def trained(drops):
    state = jnp.int32(0)
    for k, x in enumerate(jnp.array([1, 2, 3])):
        new, _ = running_sum(state, x)
        state = state if k in drops else new
    return int(state)


assert trained(()) == 6
for drops in ((0,), (1,), (2,), (0, 1), (0, 2), (1, 2), (0, 1, 2)):
    assert trained(drops) != 6  # whichever one is dropped
last, _ = jax.lax.scan(lambda s, x: (s, s + x), jnp.int32(0), xs)
assert last == 0  # in scan the step can still return the old state
for _ in range(2):
    _, held = jax.lax.scan(running_sum, start, xs)
assert held[-1] == 15  # a loop around scans can drop the last state


# %% after: buffer-donation
assert state.is_deleted()
try:  # the next call raises too; which error depends on the version
    donating(state, xs[0])
    raise SystemExit("a deleted state was accepted")
except (RuntimeError, ValueError) as error:
    assert "deleted" in str(error)
held = jnp.int32(0)
for x in xs:
    held, total = donating(held, x)
assert total == 15  # the right loop is untouched by donation
import warnings

keep = jnp.zeros(3, jnp.int8)
with warnings.catch_warnings():
    warnings.simplefilter("ignore")
    jax.jit(lambda s: s.astype(jnp.float32), donate_argnums=0)(keep)
    both = jnp.zeros(3), jnp.zeros(5)
    jax.jit(lambda s: (s[0] + 1, s[1].sum()), donate_argnums=0)(both)
assert not keep.is_deleted()  # an array that can't be used isn't deleted
assert [s.is_deleted() for s in both] == [True, False]  # leaf by leaf
with warnings.catch_warnings():
    warnings.simplefilter("error")
    for x in xs:
        _, total = donating(0, x)
assert total == 5  # from a Python 0 there's nothing to delete


# %% after: initial-state-dtype
import numpy as np

for weak in (0, jnp.array(0), jnp.asarray(0), jnp.full((), 0)):
    assert jnp.asarray(weak).weak_type and traces_from(weak) == 2
strong = (
    jnp.int32(0),
    jnp.zeros((), int),
    jnp.zeros((), jnp.int32),
    np.int32(0),
    jnp.array(0, jnp.int32),
    jnp.asarray(0, jnp.int32),
    jnp.full((), 0, jnp.int32),
)
assert not jnp.array([0]).weak_type and not jnp.array(True).weak_type
assert (jnp.zeros(2, jnp.float32) + 1).dtype == jnp.float32
assert (xs + 1).dtype == jnp.int32 == xs.dtype
assert (xs + 0.5).dtype == (xs + 1.0).dtype == jnp.float32
assert (jnp.array(0) + jnp.int8(1)).dtype == jnp.int8
assert (jnp.array(0) + jnp.float16(1)).dtype == jnp.float16
for value in strong:
    assert not jnp.asarray(value).weak_type and traces_from(value) == 1


# %% after: carry-types
for weak in (0, jnp.array(0)):
    held, _ = jax.lax.scan(add_half, weak, length=3)
    assert held == 1.5 and held.dtype == jnp.float32
state = jnp.int32(0)
for _ in range(3):
    state, _ = add_half(state, None)
assert state == 1.5  # a Python loop goes on
assert (xs + 0.5).dtype == (xs + 1.0).dtype == jnp.float32
held, _ = jax.lax.scan(add_half, jnp.float32(0), length=3)
assert held == 1.5


# %% after: state-contract
def refused(step, state, data) -> bool:
    try:
        check_contract(step, state, data)
    except TypeError:
        return True
    return False


def float_steps(state, loss):
    return Smoothed(state.value + loss.mean(), state.steps + 1.0), loss


def returns_a_dict(state, loss):
    return {"value": loss.mean(), "steps": state.steps + 1}, loss


try:
    check_contract(returns_a_dict, init(), batch)
    raise SystemExit("a dict passed for a NamedTuple")
except TypeError as error:
    assert "Smoothed" in str(error) and "'steps'" in str(error)
for broken in (float_steps, keeps_an_axis, returns_a_dict):
    assert refused(broken, init(), batch)
    try:
        jax.lax.scan(broken, init(), jnp.ones((2, 4)))
        raise SystemExit("scan took it")
    except TypeError:
        pass
    programs, held = jax.jit(broken), init()
    if broken is not returns_a_dict:
        for _ in range(3):
            held, _ = programs(held, batch)
        assert programs._cache_size() == 2  # a second trace, then no more
growing = jax.jit(lambda s, x: (jnp.append(s, x), x))
held = jnp.zeros(0)
for _ in range(3):
    held, _ = growing(held, 1.0)
assert growing._cache_size() == 3  # a new trace at every call
from flax.core import FrozenDict

assert refused(lambda s, x: (FrozenDict(s), x), {"n": jnp.int32(0)}, None)
assert refused(running_sum, 0, xs[0])  # weak: jit would trace again
assert refused(add_half, 0, None) and refused(add_half, jnp.array(0), None)
assert jax.lax.scan(running_sum, 0, xs)[0] == 15  # scan takes the weak start
assert not refused(running_sum, jnp.int32(0), xs[0])
assert not refused(growth_output_first, jnp.int32(0), squares[0])
assert not refused(lambda s, x: (s, s + x), jnp.int32(0), xs[0])
huge = jax.ShapeDtypeStruct((10**6, 10**6), jnp.float32)
check_contract(running_sum, huge, jnp.float32(1))
assert 4 * huge.size == 4 * 10**12  # bytes: a state of 4 TB
try:
    returns_a_dict(returns_a_dict(init(), batch)[0], batch)
    raise SystemExit("the second call ran")
except AttributeError:
    pass
try:
    check_contract(lambda s, x: s, jnp.int32(0), None)
    raise SystemExit("one result passed")
except TypeError:
    pass


# %% after: while-loop-and-cond
held = start
while square(held.w) > 0.01:
    held = descend(held)
assert held.steps == found.steps == 16 and abs(held.w - found.w) < 1e-5
ended = Descent(jnp.float32(3), jnp.int32(0))
small = lambda s: square(s.w) > 0.01
assert jax.lax.while_loop(small, descend, ended).steps == 0
bodies = []
traced = lambda s: (bodies.append(s.w), descend(s))[1]
assert jax.lax.while_loop(small, traced, ended).steps == 0
assert bodies and all(isinstance(w, jax.core.Tracer) for w in bodies)
try:
    jax.lax.while_loop(small, lambda s: Descent(s.w, s.steps + 0.5), start)
    raise SystemExit("while_loop took another dtype")
except TypeError as error:
    raised = error
assert isinstance(raised, TypeError)
weak = jax.lax.while_loop(lambda s: s < 2, lambda s: s + 0.5, 0)
assert weak == 2 and weak.dtype == jnp.float32
solve = lambda w: jax.lax.while_loop(small, descend, Descent(w, start.steps)).w
try:
    jax.grad(solve)(jnp.float32(0))
    raise SystemExit("reverse mode went through while_loop")
except ValueError as error:
    assert "Reverse-mode" in str(error)


# %% after: skip-an-update
seen = []


def branch(name):
    def run(s):
        seen.append(name)
        return s

    return run


jax.lax.cond(True, branch("a"), branch("b"), jnp.float32(0))
assert sorted(seen) == ["a", "b"]  # both branches are traced
pick = lambda p: jax.lax.cond(p, jnp.sin, jnp.cos, 1.0)
batched = jax.make_jaxpr(jax.vmap(pick))(jnp.array([True, False]))
assert "cond" not in str(batched) and "select_n" in str(batched)
alike = jax.make_jaxpr(jax.vmap(pick))(jnp.array([True, True]))
assert "select_n" in str(alike)  # values that agree make no difference
ran = []


def reports(name):
    def run(s):
        jax.debug.callback(lambda: ran.append(name))
        return s

    return run


either = lambda p: jax.lax.cond(p, reports("a"), reports("b"), 1.0)
jax.jit(either)(True)
jax.effects_barrier()
assert ran == ["a"]  # the other branch is skipped
_, held = jax.lax.scan(guarded_sum, jnp.float32(0), values)
assert held.tolist() == [1, 1, 3]
chosen = lambda s, x: (jnp.where(jnp.isfinite(x), s + x, s),) * 2
_, held = jax.lax.scan(chosen, jnp.float32(0), values)
assert held.tolist() == [1, 1, 3]
total_of = lambda s: jax.lax.scan(running_sum, s, values[::2])[0]
assert jax.grad(total_of)(1.0) == 1
for zero in (0, jnp.int32(0)):  # a weakly typed int is refused as well
    try:
        jax.lax.cond(True, lambda s: s + 1, lambda s: zero, values[0])
        raise SystemExit("cond took two types")
    except TypeError as error:
        raised = error
    said = "cond branches must have equal output types"
    assert isinstance(raised, TypeError) and str(raised).startswith(said)
assert jax.lax.cond(False, lambda s: s + 1, lambda s: 0.0, values[0]) == 0


# %% after: state-machine-to-copy
assert ranges.tolist() == [0.0, 2.0, 6.0]
assert (state.low, state.high) == (1, 7)
begins = 0, jnp.int32(0), jnp.zeros(1)
kinds = [jax.eval_shape(lambda s: s, begin) for begin in begins]
assert kinds[0] != kinds[1] != kinds[2]  # == sees weak types and shapes
plain = jax.eval_shape(lambda s: tuple(s), state)
assert plain == old  # tuple equality is blind to the container
assert jax.tree.flatten(plain) != jax.tree.flatten(old)  # flatten isn't
weak = jax.eval_shape(lambda s: s, Extremes(0.0, 0.0))
assert jax.tree.flatten(weak) != jax.tree.flatten(old)
assert jax.lax.scan(running_sum, data[0], data)[0] == 14  # a sum: 3 twice
pairs = data, data + 1
first = jax.tree.map(lambda a: a[0], pairs)
assert [int(a) for a in first] == [3, 4]
from_zero = Extremes(jnp.float32(0), jnp.float32(0))
assert jax.lax.scan(step, from_zero, data)[0].low == 0
