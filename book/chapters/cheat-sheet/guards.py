"""What this chapter says, in asserts for the tests alone."""

# %% after: one-signature
assert float(state) == 6 and float(out) == 8
assert states.tolist() == [5, 6] and outs.tolist() == [4, 8]
xs = jnp.array([1.0, 2.0])
_old = _s = jnp.float32(1)
_out = []
for _x in xs:
    _s, _o = step(_s, _x)
    _out.append(float(_o))
_last, _outs = jax.lax.scan(step, _old, xs)
assert _outs.tolist() == _out == [1, 4] and _last == _s
assert _old == 1
_new, _o = jax.vmap(step, in_axes=(None, 0))(_old, xs)
assert _new.tolist() == [2, 3] and _o.tolist() == [1, 2]
# a state that isn't assigned: every call starts from the same one
assert [float(jax.jit(step)(_old, 2.0)[1]) for _ in range(3)] == [2, 2, 2]
fast_step(_old, 2.0)
assert _old.is_deleted()
for _again in (lambda: fast_step(_old, 2.0), lambda: _old + 1):
    try:  # overwritten: not silent
        _again()
        raise AssertionError("nothing raised")
    except (ValueError, RuntimeError):
        pass
_host = jax.device_get(jnp.float32(1))  # donated, but not overwritten: silent
assert [float(fast_step(_host, 2.0)[1]) for _ in range(3)] == [2, 2, 2]
try:
    jax.lax.scan(lambda s, d: ((s, s), d), _last, xs)
    raise AssertionError("nothing raised")
except TypeError:
    pass


# %% after: jit-at-trace-time
assert wrong(2.0) == 1 and right(2.0, rate) == 1
rate = 0.0
assert wrong(2.0) == 1 and right(2.0, rate) == 0
rate = 0.5
assert wrong(2.0) == 1 and right(2.0, rate) == 1
rate = 0.0
assert wrong(2.0) == 1 and right(2.0, rate) == 0
rate = 0.5
_ref = jax.new_ref(
    jnp.float32(1)
)  # not reassigned: its value is read on each call
_f = jax.jit(lambda: _ref[...])
assert _f() == 1
_ref[...] = 2.0
assert _f() == 2
assert "0.5" in str(jax.make_jaxpr(lambda v: 0.5 * v)(jnp.float32(2)))
_n = []
_f = jax.jit(lambda v: (_n.append(v.dtype), v)[1])
for _v in (jnp.float32(1), jnp.float32(2), jnp.int32(2), jnp.int32(3)):
    _f(_v)
assert len(_n) == 2
_f(jnp.ones(2))
assert len(_n) == 3
_n.clear()
_f = jax.jit(lambda x, n: (_n.append(n), x[:n])[1], static_argnames="n")
for _v in (1, 1, 2):
    assert _f(x, n=_v).shape == (_v, 2)
assert _n == [1, 2]
try:
    jax.jit(lambda x, n: x[:n])(x, 1)
    raise AssertionError("nothing raised")
except (TypeError, IndexError):
    pass


# %% after: updates-and-branches
_v = jnp.arange(3.0)
_v.at[0].set(7.0)
assert _v.tolist() == _v.at[3].set(7.0).tolist() == [0, 1, 2]
assert _v.at[0].set(7.0).tolist() == [7, 1, 2]
_far = jnp.array([0, 3, -4])  # the first is set, the others are skipped
assert _v.at[_far].set(7.0).tolist() == [7, 1, 2]
assert jnp.where(jnp.array([7.0, 1, 2]) > 2, 2.0, 1.0).tolist() == [2, 1, 1]
_v = jnp.array([2.0, 1, 2])
_v = jax.lax.cond(_v[0] < 9, jnp.square, jnp.negative, _v)
assert _v.tolist() == [4, 1, 4] and v.tolist() == [16, 1, 16]

# under vmap, cond runs both functions and picks
_ran = []
_says = lambda word: (
    lambda v: (jax.debug.callback(lambda: _ran.append(word)), v)[1]
)
_cond = lambda test, v: jax.lax.cond(test, _says("true"), _says("false"), v)
jax.jit(_cond)(True, 1.0)
jax.effects_barrier()
assert _ran == ["true"]
jax.vmap(_cond)(jnp.array([True, True]), jnp.ones(2))
jax.effects_barrier()
assert set(_ran) == {"true", "false"}


def _while(v):
    while v[0] < 9:
        v = jnp.square(v)
    return v


for _f in (_while, lambda v: jnp.square(v) if v[0] < 9 else v):
    assert _f(v).shape == (3,)
    try:
        jax.jit(_f)(v)
        raise AssertionError("nothing raised")
    except jax.errors.TracerBoolConversionError:
        pass


# %% after: pytrees
assert jax.tree.structure(total) == jax.tree.structure(params)
assert jnp.all(total["w"] == 1.5) and jnp.all(total["b"] == 0)
try:
    jax.tree.map(jnp.add, params, {"w": 1.0})
    raise AssertionError("nothing raised")
except ValueError:
    pass

assert jax.tree.map(lambda p: 1 / 0, {"w": None}) == {"w": None}
# beside a leaf of the first tree, the function gets it
assert jax.tree.map(lambda p, q: (p, q), {"w": 1}, {"w": None}) == {
    "w": (1, None)
}


# %% after: own-class
from dataclasses import FrozenInstanceError as _FrozenInstanceError
from typing import NamedTuple as _NamedTuple

assert average.decay == 0.9 and not average.value.any()
_average = Average(jnp.float32(1), 0.9)
assert len(jax.tree.leaves(_average)) == 1
_n = []
_f = jax.jit(lambda a: (_n.append(1), a.value * a.decay)[1])
for _a in (_average, replace(_average, value=jnp.float32(7)), _average):
    _f(_a)
assert len(_n) == 1
_f(replace(_average, decay=0.25))
assert len(_n) == 2


def _refused(f, kind):
    try:
        f()
    except kind:
        return True
    return False


_mutable = replace(_average, decay=[0.5])  # a list: unhashable, yet accepted
_g = jax.jit(lambda a: a.value * sum(a.decay))
_before = _g(_mutable)
_mutable.decay[0] = 4.0
assert _before == _g(_mutable) == 0.5
assert _refused(lambda: setattr(_average, "value", 2), _FrozenInstanceError)


class _Tuple(_NamedTuple):
    value: float


assert _Tuple(1.0)._replace(value=2.0) == _Tuple(2.0)


# %% after: keys
assert jnp.array_equal(noise, jax.random.normal(subkey, x.shape))
assert noise.shape == x.shape
_bits = lambda keys: {int(jax.random.bits(k)) for k in keys}
assert _bits([subkey]) == _bits([subkey]) != _bits([step_key])
_uniform = jax.random.uniform(subkey, x.shape)  # another call: other numbers
assert not jnp.any(_uniform == noise)
assert len(_bits(jax.random.split(key, 50))) == 50
assert len(_bits(jax.random.fold_in(base_key, i) for i in range(50))) == 50
assert _bits([step_key]) == _bits([jax.random.fold_in(base_key, 7)])


# %% after: training-step
assert int(state[1][0].count) == 1
assert float(loss) == 34 and float(aux) == 8


# without the optimizer state that came back, Adam uses the old one again
def _trained(kept):
    _s = (params, tx.init(params))
    for _ in range(3):
        _new, _ = train_step(_s, x, y)
        _s = _new if kept else (_new[0], _s[1])
    return _s


assert int(_trained(True)[1][0].count) == 3
assert int(_trained(False)[1][0].count) == 0
_third = _trained(True)
for _ in range(2):  # dropped later: the state of the third step is used again
    _new, _ = train_step(_third, x, y)
    _third = (_new[0], _third[1])
    assert int(_new[1][0].count) == 4 and int(_third[1][0].count) == 3
assert not jnp.array_equal(_trained(True)[0]["w"], _trained(False)[0]["w"])

_only = jax.grad(lambda p: loss_fn(p, x, y)[0])(params)
_grads, _aux = jax.grad(loss_fn, has_aux=True)(params, x, y)
assert jax.tree.all(jax.tree.map(jnp.array_equal, _grads, _only))
assert jax.grad(lambda p, q: (p * q, p), has_aux=True)(2.0, 3.0)[0] == 3
for _other in (lambda p: p, lambda p: (p, 1.0, 2.0)):
    assert _refused(
        lambda: jax.grad(_other, has_aux=True)(1.0), (TypeError, ValueError)
    )


# %% after: linen
assert set(variables) == {"params", "batch_stats"}
_mean = variables["batch_stats"]["mean"]
assert jnp.allclose(_mean, jnp.array([0.02, 0.04]))
assert jnp.array_equal(
    out, linen.BatchNorm(use_running_average=True).apply(variables, x)
)
_v = bn.init(key, x)
_result = bn.apply(_v, x, mutable=["batch_stats"])
assert _result[0].shape == x.shape and set(_result[1]) == {"batch_stats"}
assert _v["batch_stats"]["mean"].tolist() == [0, 0]
assert _v["batch_stats"]["var"].tolist() == [1, 1]
assert jnp.allclose(
    bn.clone(use_running_average=True).apply(_v, x), x, atol=1e-3
)
try:
    bn.apply(_v, x)
    raise AssertionError("nothing raised")
except Exception as _error:
    assert type(_error).__name__ == "ModifyScopeVariableError"
_drop = linen.Dropout(0.5, deterministic=False)
_out = _drop.apply({}, x, rngs={"dropout": key})
assert {float(v) for v in (_out / x).ravel()} <= {0, 2}


# %% after: nnx
assert int(optimizer.step[...]) == 1


def _plain(model, optimizer, x, y):
    loss_fn = lambda model: jnp.mean((model(x) - y) ** 2)
    loss, grads = nnx.value_and_grad(loss_fn)(model)
    optimizer.update(model, grads)
    return loss


@jax.jit
def _pure(graphdef, arrays, x, y):
    objects = nnx.merge(graphdef, arrays)
    loss = _plain(*objects, x, y)
    return nnx.state(objects), loss


def _training():
    _rngs = nnx.Rngs(0)
    _norm, _linear = nnx.BatchNorm(2, rngs=_rngs), nnx.Linear(2, 1, rngs=_rngs)
    _model = nnx.Sequential(_norm, _linear)
    return _model, nnx.Optimizer(_model, tx, wrt=nnx.Param)


# with statistics in the model: nnx.jit and jax.jit as above agree
_both, _jitted = _training(), nnx_step
_losses = [float(_jitted(*_both, x, y)) for _ in range(3)]
_others = _training()
__graphdef, _arrays = nnx.split(_others)
for _loss in _losses:
    _arrays, _same = _pure(__graphdef, _arrays, x, y)
    assert abs(_loss - float(_same)) < 1e-5
assert (_others[0].layers[0].mean[...] == 0).all()
nnx.update(_others, _arrays)
for _pair in zip(
    jax.tree.leaves(nnx.state(_both)), jax.tree.leaves(nnx.state(_others))
):
    assert jnp.allclose(*_pair)
assert _losses[2] < _losses[0] and int(_others[1].step[...]) == 3
_bn = _others[0].layers[0]
assert (_bn.mean[...] != 0).all()
# jax.jit on the objects: no error, no updates
_others = _training()
assert len({float(jax.jit(_plain)(*_others, x, y)) for _ in range(3)}) == 1
assert int(_others[1].step[...]) == 0
assert (_others[0].layers[0].mean[...] == 0).all()
# evaluation mode leaves the statistics alone
_mean = _bn.mean[...]
_both[0].eval()
_mean = _both[0].layers[0].mean[...]
_both[0](x)
assert (_both[0].layers[0].mean[...] == _mean).all()
_both[0].train()
_both[0](x)
assert (_both[0].layers[0].mean[...] != _mean).all()
hash(graphdef)

_drop = nnx.Dropout(0.5, rngs=nnx.Rngs(0))
_drop.eval()
assert jnp.array_equal(_drop(x), x)


# %% after: keras
assert jnp.allclose(layer.moving_mean.value, jnp.array([0.02, 0.04]))
assert jnp.array_equal(layer.moving_mean.value, nt[0])
_, _new = jax.jit(layer.stateless_call, static_argnames="training")(
    t, nt, x, training=True
)
assert not jnp.array_equal(_new[0], nt[0])
assert jnp.array_equal(layer.moving_mean.value, nt[0])
# without training=True the statistics stay as they are
for _extra in ({}, {"training": False}):
    _, _b = layer.stateless_call(t, nt, x, **_extra)
    assert all(jnp.array_equal(p, q) for p, q in zip(nt, _b, strict=True))
_model = keras.Sequential([keras.layers.Dense(1)])
_model.build(x.shape)
_adam = keras.optimizers.Adam(0.1)
_adam.build(_model.trainable_variables)
_t = [v.value for v in _model.trainable_variables]
_opt = [v.value for v in _adam.variables]
_grads = [2 * a + 1 for a in _t]
_new_t, _new_opt = _adam.stateless_apply(_opt, _grads, _t)
assert len(_new_t) == len(_t) and len(_new_opt) == len(_opt) > len(_t)
_swapped, _ = _adam.stateless_apply(_opt, _t, _grads)
assert not jnp.allclose(_swapped[0], _new_t[0])


# %% after: refs
assert int(calls[...]) == 1
_f = jax.jit(lambda: count(calls))
_f()
_f()
assert int(calls[...]) == 3
try:
    jax.jit(lambda r: r)(calls)
    raise AssertionError("nothing raised")
except ValueError:
    pass
_backup, _value = calls, calls[...]
count(calls)
assert int(_backup[...]) == 4 and int(_value) == 3


# %% after: checkpoints
import warnings as _warnings

assert jax.tree.structure(state) == jax.tree.structure(template)
with _warnings.catch_warnings():
    _warnings.simplefilter("ignore")
    _bare = ocp.load(path)
assert isinstance(tx.init(params)[0], tuple) and tx.init(params)[0]._fields
assert type(_bare[1][0]) is dict
assert type(state[1][0]) is type(tx.init(params)[0])
assert jax.tree.all(jax.tree.map(jnp.array_equal, state[0], params))
assert jnp.array_equal(jax.random.key_data(state[2]), jax.random.key_data(key))
try:
    ocp.save("relative/step_0", {"w": jnp.ones(2)})
    raise AssertionError("nothing raised")
except ValueError:
    pass


# %% after: debugging
import contextlib as _contextlib
import io as _io

_kept = []
show = jax.jit(lambda x: jax.debug.print("x: {}", x))


@jax.jit
def _leak(v):
    _kept.append(v)
    return v


for _context, _f, _kind in (
    (jax.checking_leaks(), lambda: _leak(1.0), "Exception"),
    (
        jax.debug_nans(True),
        lambda: jax.jit(jnp.sqrt)(-1.0),
        "FloatingPointError",
    ),
):
    with _context:
        try:
            _f()
        except Exception as _error:
            assert type(_error).__name__ == _kind, type(_error)
        else:
            raise AssertionError("nothing raised")
_kept.clear()
_leak(2.0)
with jax.checking_leaks():  # nothing is traced, so nothing is found
    _leak(3.0)
_kept.clear()
for _call, _said in (
    (lambda: show(5.0), "x: 5.0\n"),
    (lambda: jax.eval_shape(show, 5.0), ""),
):
    with _contextlib.redirect_stdout(_io.StringIO()) as _out:
        _call()
        jax.effects_barrier()
    assert _out.getvalue() == _said
