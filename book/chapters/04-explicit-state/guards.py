"""What this chapter says, in asserts for the tests alone."""

# %% after: title
assert epoch == 12 and not stop
assert state.best == jnp.inf and state.waited == 0  # the name wasn't rebound
assert abs(w - 2.794) < 1e-3  # w was: its training went on


# %% after: state-as-argument 1
_traces = []


@jax.jit
def _counted(s, loss):
    _traces.append(loss.shape)
    return watch(s, loss)


_a = [_counted(init(), jnp.float32(x)) for x in (0.5, 0.5, 2.0)]
assert _a[0] == _a[1]  # the same in, the same out
assert [float(s.best) for s, _ in _a] == [0.5, 0.5, 2.0]
assert len(_traces) == 1  # other values cost no trace
assert state.best == jnp.inf and new_state.best == 0.5
_program = jax.make_jaxpr(watch)(init(), jnp.float32(1)).jaxpr
assert len(_program.invars) == 3 and len(_program.outvars) == 3
# a state may come from anywhere: a test, a file
assert watch(Patience(jnp.float32(0.3), jnp.int32(2)), jnp.float32(1))[1]


# %% after: state-as-argument
assert epoch == 8 and stop and state.waited == 3
assert abs(state.best - val_loss(3 * (1 - 0.8**5))) < 1e-6  # of epoch 5
_s = init()
for _x in (0.5, 0.3, 0.4, 0.6, 0.7):
    _s, _stop = _counted(_s, jnp.float32(_x))
assert _stop and len(_traces) == 1  # one trace serves all calls
with jax.disable_jit():
    _s = init()
    for _x in (0.5, 0.3, 0.4, 0.6, 0.7):
        _s, _stop = watch(_s, jnp.float32(_x))
assert _stop


# %% after: convert-a-method 1
_meter = EarlyStopping(3)
_held = jax.jit(_meter.update)
assert not any(bool(_held(x)) for x in losses)
assert isinstance(_meter.best, jax.core.Tracer)  # leaked
assert isinstance(_meter.waited, jax.core.Tracer)
_long = jax.jit(EarlyStopping(3).update)
assert not any(bool(_long(x)) for x in jnp.arange(20.0))


class _WithIf(EarlyStopping):
    def update(self, loss):
        self.waited = 0 if loss < self.best else self.waited + 1
        self.best = min(self.best, loss)
        return self.waited >= self.patience


_plain = _WithIf(3)
assert [bool(_plain.update(x)) for x in losses] == [False] * 4 + [True]
_raises(
    jax.errors.TracerBoolConversionError,
    "",
    lambda: jax.jit(_WithIf(3).update)(losses[0]),
)  # an `if` is loud


# %% after: convert-a-method
_twice = Watcher()
_inside = jax.jit(_twice.update)  # the assignment to self.state is traced
assert not any(bool(_inside(x)) for x in losses)
assert isinstance(_twice.state.best, jax.core.Tracer)


# %% after: loop-jit-scan-vmap 1
_runs = []


def _noted(s, loss):
    _runs.append(loss)
    return watch(s, loss)


_last, _stops = jax.lax.scan(_noted, init(), losses)
assert len(_runs) == 1  # Python ran the body once for five elements
assert _last == last and _stops.tolist() == stops.tolist()
assert isinstance(_runs[0], jax.core.Tracer)
_none = []
jax.lax.scan(lambda n, u: (_none.append(u), (n + 1, n))[1], 0, length=3)
assert set(_none) == {None}  # without xs, the second argument is None
_n, _seen = jax.lax.scan(lambda n, _: (n + 1, n), jnp.int32(0), length=3)
assert _n == 3 and _seen.tolist() == [0, 1, 2]
_s, _o = jax.lax.scan(watch, init(), jnp.zeros(0))
assert _s == init() and _o.shape == (0,)
_raises(TypeError, "", lambda: jax.lax.scan(lambda s: (s, s), init(), losses))
# what needs a value works in the Python loop and nowhere else
_branching = lambda s, x: (s + x if x > 0.4 else s, s)
_converting = lambda s, x: (s + float(x), s)
for _needy in (_branching, _converting):
    loop(_needy, jnp.float32(0), losses)
    for _way in (
        lambda f: loop(jax.jit(f), jnp.float32(0), losses),
        lambda f: jax.lax.scan(f, jnp.float32(0), losses),
        lambda f: jax.vmap(f, in_axes=(None, 0))(jnp.float32(0), losses),
    ):
        _raises(jax.errors.ConcretizationTypeError, "", lambda: _way(_needy))
# a Python integer as index or a NumPy function: the same kind of error
_raises(
    jax.errors.JAXTypeError,
    "",
    lambda: jax.lax.scan(lambda s, i: ([5, 6][i], s), 0, jnp.arange(2)),
)


# %% after: loop-jit-scan-vmap
_each = [jax.lax.scan(watch, init(), curve)[0] for curve in curves]
assert last.waited.tolist() == [int(s.waited) for s in _each]
assert stops.shape == (3, 5)
# kept in attributes, the state would be a tracer after the vmap
_meter = EarlyStopping(3)
jax.vmap(lambda xs: [_meter.update(x) for x in xs][-1])(curves)
assert isinstance(_meter.best, jax.core.Tracer)
# vmap on the step itself: three states, one loss
_three = jax.vmap(watch, in_axes=(0, None))(last, jnp.float32(0.2))[0]
assert _three.waited.tolist() == [0, 0, 1]
_two = jax.vmap(watch, in_axes=(None, 0))(init(), losses[:2])[0]
assert _two.best.tolist() == losses[:2].tolist()


# %% after: order-of-results
assert last == 25 and outputs.tolist() == [1, 3, 5, 7, 9]
_swapped = lambda s, x: gap_output_first(s, x)[::-1]
_wrapped = jax.lax.scan(_swapped, jnp.int32(0), lows)
assert _wrapped[0] == 25 and _wrapped[1].tolist() == [1, 3, 5, 7, 9]
for _bad in (
    lambda last, x: ((x - last) * 0.5, x),  # a float
    lambda last, x: ((x,), x),  # a tuple
    lambda last, x: (x[None], x),  # a vector
):
    _raises(TypeError, "", lambda: jax.lax.scan(_bad, jnp.int32(0), lows))
jax.lax.scan(lambda last, x: ((x - last) * 0.5, x), 0, lows)


class _Last(NamedTuple):
    epoch: jax.Array


# in a NamedTuple of its own, the swapped state would have been noticed
_named = lambda s, epoch: (epoch - s.epoch, _Last(epoch))
_raises(TypeError, "", lambda: jax.lax.scan(_named, _Last(jnp.int32(0)), lows))
# the run whose lows these are is seen to its end with a patience of 9
_curve = [0.5 if e in lows.tolist() else 1.0 for e in range(1, 26)]
_low = iter(range(9, 0, -1))
_curve = [next(_low) / 10 if x == 0.5 else x for x in _curve]
for _patience in range(1, 12):
    _update = EarlyStopping(_patience).update
    _stops = [bool(_update(x)) for x in _curve]
    assert any(_stops) == (_patience < 9)
    assert _patience != 3 or _stops.index(True) + 1 == 7  # three lows missed


# %% after: forgetting-to-rebind
assert state != init() and abs(state.best - 0.6) < 1e-6
assert state.waited == 0  # every loss met infinity


# %% after: test-for-a-dropped-state
import warnings


def _ignores(s, xs):  # the loop of the opening
    for x in xs:
        watch(s, x)
    return s


with warnings.catch_warnings():
    warnings.simplefilter("error")
    assert _ignores(init(), losses) == init()  # and nothing warns
jax.eval_shape(_ignores, init(), losses)  # nor do the types change
_missed = misses_one(init(), jnp.array([0.3, 0.4, 0.6]))
assert abs(_missed.best - 0.3) < 1e-6 and _missed.waited == 1


def _drops(which):
    s = init()
    for k, x in enumerate(jnp.array([0.3, 0.4, 0.6])):
        new, _ = watch(s, x)
        s = s if k in which else new
    return s


_right = Patience(jnp.float32(0.3), jnp.int32(2))
assert _drops(()) == _right
for _which in ((0,), (1,), (2,), (0, 1), (0, 2), (1, 2), (0, 1, 2)):
    assert _drops(_which) != _right  # whichever ones are dropped
# renames returns the last loss alone
assert renames(init(), losses).best == losses[-1]
# in scan the step can still return the old state
_last, _ = jax.lax.scan(lambda s, x: (s, watch(s, x)[1]), init(), losses)
assert _last == init()


# %% after: buffer-donation
assert state.best.is_deleted()
# the next call raises too; which class depends on the version
_raises(Exception, "deleted", donating, state, losses[0])
_s = init()
for _x in losses:
    _s, _stop = donating(_s, _x)
assert _stop  # the right loop is untouched by donation
_keep = jnp.zeros(3, jnp.int8)
with warnings.catch_warnings():
    warnings.simplefilter("ignore")
    jax.jit(lambda s: s.astype(jnp.float32), donate_argnums=0)(_keep)
assert not _keep.is_deleted()  # memory that can't be used isn't taken


# %% after: initial-state-dtype 1
import warnings

with warnings.catch_warnings():
    warnings.simplefilter("error")
    for _x in losses:  # from Python numbers there's nothing to delete
        _, _stop = donating(Patience(float("inf"), 0), _x)
assert not _stop and state == (inf, 0)


# %% after: initial-state-dtype
import numpy as np

for _weak in (
    float("inf"),
    jnp.inf,
    jnp.array(jnp.inf),
    jnp.asarray(jnp.inf),
    jnp.full((), jnp.inf),
):
    assert jnp.asarray(_weak).weak_type
    assert traces_from(Patience(_weak, jnp.int32(0))) == 2
for _strong in (
    jnp.float32(jnp.inf),
    np.float32(np.inf),
    jnp.array(jnp.inf, jnp.float32),
    jnp.full((), jnp.inf, jnp.float32),
    jnp.zeros((), float) + jnp.float32(jnp.inf),
):
    assert traces_from(Patience(_strong, jnp.int32(0))) == 1
# slower, but with the same result
_stops = loop(jax.jit(watch), Patience(inf, 0), losses)[1]
assert _stops.tolist() == loop(watch, init(), losses)[1].tolist()
# best is the culprit: a weak waited stays weak, since only Python numbers meet it
assert traces_from(Patience(jnp.float32(jnp.inf), 0)) == 1
# each leaf cast to its own dtype is strongly typed
_cast = jax.tree.map(
    lambda a: jnp.asarray(a, jnp.asarray(a).dtype), Patience(jnp.inf, 0)
)
assert traces_from(_cast) == 1
assert not jnp.zeros(()).weak_type and not jnp.array([0.0]).weak_type
# not only slow: the second call may compute in another dtype
_scale = jax.jit(lambda s, h: (s * jnp.float32(1), h * s))
_h, _s, _dtypes = jnp.ones(3, jnp.bfloat16), 1.0, []
for _ in range(3):
    _s, _out = _scale(_s, _h)
    _dtypes.append(str(_out.dtype))
assert _dtypes == ["bfloat16", "float32", "float32"]
_clock = [0]  # a physics step whose clock starts as a Python number


@jax.jit
def _physics(s):
    _clock[0] += 1
    return {"x": s["x"] + s["dt"], "t": s["t"] + s["dt"], "dt": s["dt"]}


for _t in (0.0, jnp.float32(0)):
    _s = {"x": jnp.ones(3), "t": _t, "dt": jnp.float32(0.1)}
    for _ in range(5):
        _s = _physics(_s)
assert _clock[0] == 2  # the second start finds the second program


# %% after: carry-types
_add_half = lambda s, _: (s + 0.5, s)
for _weak in (0, jnp.array(0)):  # scan converts a weak start, silently
    _held, _ = jax.lax.scan(_add_half, _weak, length=3)
    assert _held == 1.5 and _held.dtype == jnp.float32
_raises(TypeError, "", lambda: jax.lax.scan(_add_half, jnp.int32(0), length=3))
assert jax.lax.scan(_add_half, jnp.float32(0), length=3)[0] == 1.5
_message = _raised("TypeError", "state.best has type int32[]", "float32[]")
assert traces_from(start) == 2 and traces_from(init()) == 1
# a loop goes on, and is right
_s, _stops = loop(jax.jit(watch), start, losses)
assert _s.waited == 3 and _stops.tolist() == [False] * 4 + [True]
assert _s.best.dtype == jnp.float32
_fits = Patience(jnp.float32(1000), jnp.int32(0))
assert traces_from(_fits) == 1
assert jax.lax.scan(watch, _fits, losses)[1].tolist() == _stops.tolist()


# %% after: state-contract
_dict = lambda s, x: ({"best": x, "waited": s.waited}, x)
_axis = watch(init(), loss)[0]  # one call raises nothing
assert _axis.best.shape == _axis.waited.shape == (1,)
for _broken, _start, _data in (
    (watch, start, losses[0]),
    (_dict, init(), losses[0]),
    (watch, init(), loss),
):
    _raises(TypeError, "", check_contract, _broken, _start, _data)
    _xs = jnp.stack([_data, _data])
    _raises(TypeError, "", lambda: jax.lax.scan(_broken, _start, _xs))
for _word in ("Patience", "'best'"):  # both structures are named
    _raises(TypeError, _word, check_contract, _dict, init(), losses[0])
for _start, _data in ((start, losses[0]), (init(), loss)):
    _count = []

    @jax.jit
    def _step(s, x):
        _count.append(1)
        return watch(s, x)

    _s = _start
    for _ in range(4):
        _s, _ = _step(_s, _data)
    assert len(_count) == 2  # a second trace, then no more
_count = []


@jax.jit
def _grow(s, x):
    _count.append(1)
    return jnp.append(s, x), x


_s = jnp.zeros(0)
for _ in range(4):
    _s, _ = _grow(_s, 1.0)
assert len(_count) == 4  # a new trace at every call
# the check is stricter than scan about weak types
_sum = lambda s, x: (s + x, s)
_raises(TypeError, "", lambda: check_contract(_sum, 0.0, losses[0]))
jax.lax.scan(_sum, 0.0, losses)
# it sees types and no values: these pass
check_contract(gap_output_first, jnp.int32(0), lows[0])
check_contract(lambda s, x: (s, x), init(), losses[0])
# it computes nothing: a state of 4 TB
_huge = jax.ShapeDtypeStruct((10**6, 10**6), jnp.float32)
check_contract(_sum, _huge, jnp.float32(1))
# structure counts, down to the container's kind
_raises(
    TypeError,
    "",
    lambda: check_contract(lambda s, x: (tuple(s), x), init(), losses[0]),
)


# %% after: while-loop-and-cond 1
_s = start
while _s.patience.waited < 3:  # without jit a Python while is fine
    _s = train_epoch(_s)
assert _s.epochs == 8


# %% after: while-loop-and-cond
assert run.epochs == 8 and run.patience.waited == 3
assert isinstance(noted[0], jax.core.Tracer)
_jitted = jax.jit(lambda r: jax.lax.while_loop(unfinished, train_epoch, r))
assert _jitted(start) == run  # under jit as well
_waits = unfinished
_done = run
assert jax.lax.while_loop(_waits, train_epoch, _done).epochs == 8  # no round
_raises(
    TypeError,
    "",
    lambda: jax.lax.while_loop(
        _waits, lambda r: train_epoch(r)._replace(epochs=r.epochs + 0.5), start
    ),
)
_solve = lambda w: (
    jax.lax.while_loop(_waits, train_epoch, Run(w, init(), jnp.int32(0))).w
)
_raises(ValueError, "Reverse-mode", jax.grad(_solve), jnp.float32(0))
_fixed = lambda w: (
    jax.lax.scan(
        lambda r, _: (train_epoch(r), r.w),
        Run(w, init(), jnp.int32(0)),
        length=8,
    )[0].w
)
assert abs(jax.grad(_fixed)(jnp.float32(0)) - 0.8**8) < 1e-5
assert abs(_fixed(jnp.float32(0)) - run.w) < 1e-5


# %% after: skip-an-update
_seen = []


def _branch(name):
    def branch(s):
        _seen.append(name)
        return s

    return branch


jax.lax.cond(True, _branch("a"), _branch("b"), jnp.float32(0))
assert sorted(_seen) == ["a", "b"]  # both branches are traced
_ran = []


def _reports(name):
    def branch(s):
        jax.debug.callback(lambda: _ran.append(name))
        return s

    return branch


_either = lambda p: jax.lax.cond(p, _reports("a"), _reports("b"), 1.0)
jax.jit(_either)(True)
jax.effects_barrier()
assert _ran == ["a"]  # the other branch is skipped at run time
_pick = lambda p: jax.lax.cond(p, jnp.sin, jnp.cos, 1.0)
_batched = str(jax.make_jaxpr(jax.vmap(_pick))(jnp.array([True, True])))
assert "cond" not in _batched and "select_n" in _batched  # both are computed
_one = lambda s, p: jax.lax.cond(p, jnp.sin, jnp.cos, s)
_shared = jax.make_jaxpr(jax.vmap(_one, in_axes=(0, None)))
assert "cond" in str(_shared(losses, True))  # one predicate for all: a choice
for _zero in (0, jnp.int32(0)):
    _raises(
        TypeError,
        "cond branches must have equal output types",
        lambda: jax.lax.cond(
            True, lambda s: s + 1, lambda s: _zero, losses[0]
        ),
    )
assert jax.lax.cond(False, lambda s: s + 1, lambda s: 0.0, losses[0]) == 0
_last, _ = jax.lax.scan(watch_finite, init(), spoiled)
assert abs(_last.best - 0.4) < 1e-6 and _last.waited == 0
assert not jax.lax.scan(watch_finite, init(), spoiled)[1].any()
_kept, _ = jax.lax.scan(watch_finite, init(), spoiled[:4])
assert _kept.waited == 0 and _kept.best == 0.5  # four losses, one taken in
assert watch_finite(init(), jnp.float32(-jnp.inf))[0] == init()
# from a w that's NaN, only the limit ends the loop


def _skipping(r):
    w = r.w - 0.1 * jax.grad(train_loss)(r.w)
    return Run(w, watch_finite(r.patience, val_loss(w))[0], r.epochs + 1)


_limited = lambda r: unfinished(r) & (r.epochs < 99)
_nan = start._replace(w=jnp.float32(jnp.nan))
_end = jax.lax.while_loop(_limited, _skipping, _nan)
assert _end.epochs == 99 and _end.patience == init()
assert jax.lax.while_loop(_limited, _skipping, start).epochs == 8
_branching_step = lambda s, x: watch(s, x) if jnp.isfinite(x) else (s, x < 0)
_raises(
    jax.errors.TracerBoolConversionError,
    "",
    lambda: jax.lax.scan(_branching_step, init(), spoiled),
)  # an `if` fails as the `while` did
_last, _ = jax.lax.scan(watch, init(), spoiled)
assert (
    abs(_last.best - 0.4) < 1e-6
)  # NaN < best is False: it counts as waiting
_sums, _ = jax.lax.scan(lambda s, x: (s + x, s), jnp.float32(0), spoiled)
assert jnp.isnan(_sums)  # in a sum, one NaN stays for good
_where = lambda s, x: (jnp.where(jnp.isfinite(x), s + x, s), s)
assert abs(jax.lax.scan(_where, jnp.float32(0), spoiled)[0] - 0.9) < 1e-6


# %% after: state-machine-to-copy
assert run.epochs == 8 and run.waited == 3
assert abs(val_loss(run.best_w) - run.best) < 1e-6
assert old == new
_kinds = [
    jax.eval_shape(lambda s: s, s) for s in (0, jnp.int32(0), jnp.zeros(1))
]
assert _kinds[0] != _kinds[1] != _kinds[2]  # == sees weak types and shapes
_weak = jax.eval_shape(lambda s: s, run._replace(best=jnp.inf))
assert jax.tree.flatten(_weak) != jax.tree.flatten(old)
# another start: from the minimum itself the loop waits three epochs
_best = run._replace(w=jnp.float32(2), best=jnp.float32(0), waited=n, epochs=n)
assert jax.lax.while_loop(unfinished, train_epoch, _best).epochs == 3


# %% after: back-to-the-issue
assert state == 0  # 300 assignments of the same state
_w, _state = jnp.float32(0), jnp.float32(0)
_grad_fn = jax.value_and_grad(loss_fn, has_aux=True)
for _ in range(300):
    (_loss, _state), _grad = _grad_fn(_w, _state, 5 + y, y)
    _w = _w - 0.01 * _grad
assert f"{_w:.2f} {_state:.2f} {_loss:.2f}" == "1.00 5.00 0.00"
# neither the types nor scan notice
_old = jax.eval_shape(lambda s: s, state)
assert jax.eval_shape(update_step, w, state, 5 + y, y)[1] == _old
jax.lax.scan(
    lambda s, _: (update_step(*s, 5 + y, y)[:2], None), (w, state), length=3
)
