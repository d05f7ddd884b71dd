"""What this chapter says, in asserts for the tests alone."""

# %% after: training-loop 1
# BatchNorm1d(momentum=0.1) weighs the new value, BatchNorm(momentum=0.9) the old
_norm = nnx.BatchNorm(1, momentum=0.9, rngs=nnx.Rngs(0))
_norm(jnp.full((2, 1), 5.0))
assert jnp.allclose(_norm.mean[...], 0.1 * 5)


# %% after: training-loop 2
assert targets.dtype == np.float32


# %% after: training-loop 3
import flax as _flax

_NEW = tuple(map(int, _flax.__version__.split(".")[:2])) >= (0, 12)
assert optimizer.step[...] == 24
assert type(model.layers[0].kernel) is nnx.Param
assert isinstance(model.layers[0].kernel[...], jax.Array)
_pure = nnx.to_pure_dict(nnx.state(model, nnx.Param))
assert isinstance(_pure["layers"][0]["kernel"], jax.Array)
assert isinstance(nnx.state(model), nnx.State)
assert isinstance(nnx.grad(loss_fn)(model, x, y), nnx.State)
assert loss < 1.5


def _mlp():
    _rngs = nnx.Rngs(0)
    _model = nnx.Sequential(
        nnx.Linear(2, 32, rngs=_rngs), nnx.relu, nnx.Linear(32, 1, rngs=_rngs)
    )
    _tx = optax.adam(1e-2)
    return _model, nnx.Optimizer(_model, _tx, wrt=nnx.Param)


_model, _optimizer = _mlp()
for _ in range(20):
    for _x, _y in batches:
        _l = train_step(_model, _optimizer, _x, _y)
assert _l < 0.1


# with jax.jit in place of nnx.jit nothing is trained
def _plain_step(model, optimizer, x, y):
    loss, grads = nnx.value_and_grad(loss_fn)(model, x, y)
    optimizer.update(model, grads)
    return loss


_model, _optimizer = _mlp()
_jax_step = jax.jit(_plain_step)
try:
    _ls = {float(_jax_step(_model, _optimizer, x, y)) for _ in range(3)}
except TypeError as error:
    assert not _NEW  # Flax 0.11: nnx.relu among the layers
else:
    assert _NEW and len(_ls) == 1 and _optimizer.step[...] == 0


# %% after: training-loop
assert losses[2] < losses[1] < losses[0]
# gradients are returned and stored nowhere
assert not hasattr(layer.kernel, "grad") and not hasattr(loss, "backward")


# %% after: backward-and-zero-grad 1
assert not hasattr(layer.kernel, "grad") and not hasattr(loss, "backward")
_again = nnx.grad(loss_fn)(layer, x, y)["kernel"][...]
assert jnp.allclose(_again, grads["kernel"][...])
_e = np.asarray(layer(x) - y)
assert np.allclose(_again, 2 * x.T @ _e / len(x), rtol=1e-4)


# the first argument, or another one by argnums; a dict in, a dict out
def _mse(params, x, y):
    return jnp.mean((x @ params["w"] - y) ** 2)


_params = {"w": jnp.ones((2, 1))}
assert nnx.grad(loss_fn, argnums=1)(layer, x, y).shape == x.shape
assert jax.grad(_mse, argnums=1)(_params, x, y).shape == x.shape
_loss, _grads = jax.value_and_grad(_mse)(_params, x, y)
assert jax.tree.structure(_grads) == jax.tree.structure(_params)


# %% after: backward-and-zero-grad
import pytest

with pytest.raises(TypeError):
    nnx.grad(loss_per_example)(layer, x[:1], y[:1])
_norms = nnx.BatchNorm(2, rngs=nnx.Rngs(0))
_grads = nnx.grad(lambda norm, x: norm(x).sum())(_norms, x)
assert set(nnx.to_pure_dict(_grads)) == {"scale", "bias"}  # no mean, no var


# %% after: has-aux
assert isinstance(predictions[0], jax.core.Tracer)
for _use in (lambda t: t + 1, jnp.exp, lambda t: float(t[0, 0])):
    with pytest.raises(jax.errors.UnexpectedTracerError):
        _use(predictions[0])
with pytest.raises(jax.errors.TracerArrayConversionError):
    np.concatenate(predictions)  # NumPy raises another error
_f = jax.value_and_grad(lambda w: (w**2, w), has_aux=True)
assert _f(3.0) == ((9.0, 3.0), 6.0)


# %% after: gradient-accumulation 1
_layer = nnx.Linear(2, 1, rngs=nnx.Rngs(0))
_sgd = nnx.Optimizer(_layer, optax.sgd(0.1), wrt=nnx.Param)
train_step(_layer, _sgd, x, y)
assert jnp.allclose(_layer.kernel[...], layer.kernel[...], atol=1e-6)


# %% after: gradient-accumulation
assert len(x) == 64


# %% after: optimizer-step 3
assert mse(state.params, inputs, targets) < mse(params, inputs, targets)
assert state.opt_state[0].count == 8


# %% after: optimizer-step
assert losses[2] < losses[1] < losses[0]
# from the third step on the losses are others than the right ones
_right, _r = TrainState(params, tx.init(params)), []
for _ in range(30):
    _right, _l = step(_right, data)
    _r.append(float(_l))
_s, _w = TrainState(params, tx.init(params)), []
for _ in range(30):
    _n, _l = step(_s, data)
    _s = _s._replace(params=_n.params)
    _w.append(float(_l))
assert np.allclose(_r[:2], _w[:2], rtol=1e-4) and not np.allclose(_r, _w)


# %% after: lr-scheduler
_schedule = optax.cosine_decay_schedule(1e-2, 80)
for _n in range(11):
    assert np.isclose(
        _schedule(8 * _n), 1e-2 * (1 + np.cos(np.pi * _n / 10)) / 2, atol=1e-8
    )
_tx = optax.adam(optax.cosine_decay_schedule(1e-2, 10))
_p, _o = jnp.float32(1), _tx.init(jnp.float32(1))
for _n in range(12):
    _u, _o = _tx.update(jnp.float32(1), _o)
    assert (_u == 0) == (_n >= 10)


# %% after: modules-and-parameters 1
assert len(jax.tree.leaves(nnx.state(mlp, nnx.Param))) == 4


# %% after: modules-and-parameters 2
# it isn't trained
_layer = nnx.Linear(2, 1, rngs=nnx.Rngs(0))
_layer.kernel = jnp.ones((2, 1))
_opt = nnx.Optimizer(_layer, optax.sgd(0.1), wrt=nnx.Param)
try:
    train_step(_layer, _opt, *batches[0])
except AttributeError:
    assert not _NEW  # Flax 0.11 calls kernel.value
else:
    assert _NEW and (_layer.kernel == 1).all()
    assert (_layer.bias[...] != 0).all()


class _Plain(nnx.Module):
    def __init__(self):
        self.scale = jnp.ones(3)
        self.weight = nnx.Param(jnp.ones(3))


assert param_names(_Plain()) == ["weight"]
assert (kept.kernel[...] == 0).all()


# %% after: modules-and-parameters
assert set(variables) == {"params"}
assert set(variables["params"]) == {"Dense_0", "Dense_1"}
assert variables["params"]["Dense_0"]["kernel"].shape == (2, 32)


class _Nested(linen.Module):
    @linen.compact
    def __call__(self, x):
        return linen.Dense(1)(linen.Dense(32)(x))


_v = _Nested().init(jax.random.key(0), x)["params"]
assert _v["Dense_0"]["kernel"].shape == (32, 1)


# %% after: list-of-layers
class _WithList(nnx.Module):
    def __init__(self, rngs):
        self.layers = [nnx.Linear(2, 2, rngs=rngs) for _ in range(2)]


try:
    _m = _WithList(nnx.Rngs(0))
except ValueError:
    assert _NEW
else:
    assert not _NEW
    assert len(jax.tree.leaves(nnx.state(_m, nnx.Param))) == 4
assert hasattr(nnx, "List") is _NEW


# %% after: register-buffer
assert param_names(module) == []
assert len(jax.tree.leaves(nnx.state(module))) == 1
assert issubclass(nnx.BatchStat, nnx.Variable)
assert not issubclass(nnx.BatchStat, nnx.Param)


# %% after: batchnorm-momentum
assert linen.BatchNorm().momentum == 0.99 and linen.BatchNorm().epsilon == 1e-5
_norm = nnx.BatchNorm(1, rngs=nnx.Rngs(0))
assert _norm.momentum == 0.99 and _norm.epsilon == 1e-5
assert column.mean() == 3
assert column.var() == 3.5
assert abs(64 / 63 - 1) < 0.02  # n and n - 1 in a large batch
_norm = nnx.BatchNorm(1, momentum=0.9, rngs=nnx.Rngs(0))
_out = _norm(column)
assert jnp.allclose(_norm.mean[...], 0.3)
assert jnp.allclose(_norm.var[...], 0.9 + 0.1 * 3.5)
assert jnp.allclose(_out, (column - 3) / jnp.sqrt(3.5 + 1e-5), atol=1e-5)


# %% after: train-flag
_net = nnx.Sequential(
    nnx.Linear(2, 2, rngs=nnx.Rngs(0)), nnx.BatchNorm(2, rngs=nnx.Rngs(0))
)
_norm = _net.layers[1]
assert not _norm.use_running_average
_net.eval()
assert _norm.use_running_average
_net.train()
assert not _norm.use_running_average
assert not nnx.Dropout(0.5, rngs=nnx.Rngs(0)).deterministic
_attention = nnx.MultiHeadAttention(2, 4, decode=False, rngs=nnx.Rngs(0))
assert _attention.deterministic is None  # a new one is in neither mode
for _module in (linen.Dropout(0.5), linen.BatchNorm()):
    try:
        _module.init(jax.random.key(0), jnp.ones((2, 2)))
    except Exception as error:
        assert "deterministic" in str(error) or "use_running" in str(error)
    else:
        raise AssertionError
assert (static(jnp.ones(1000), key, train=True) == 0).any()


# %% after: no-grad-and-detach
assert abs(2 * (2 - 3.7) * 2 - -6.8) < 1e-6
_leaky = jax.grad(lambda w: (2 * w - (1 + 0.9 * (3 * w))) ** 2)(1.0)
assert abs(_leaky - 2.38) < 1e-4  # without stop_gradient
assert not hasattr(value_loss(jnp.float32(1)), "backward")
# only with respect to the argument: nothing to stop in another one
assert jax.grad(lambda w, t: (2 * w - t) ** 2)(1.0, 3.7) < -6.7


# %% after: requires-grad 1
assert set(nnx.to_pure_dict(grad_fn(net, x, y))) == {"head"}
# the other way round, one filter does not fit the other
_all = nnx.Optimizer(net, adamw, wrt=nnx.Param)
with pytest.raises(ValueError):
    _all.update(net, grad_fn(net, x, y))


# %% after: requires-grad
assert jnp.allclose(net.body.kernel[...], 0.99 * body)
# the frozen part by optax.partition, in a dict
_weights = {"body": jnp.float32(1), "head": jnp.float32(1)}
_grads = {"body": jnp.float32(0), "head": jnp.float32(2)}
_frozen = optax.partition(
    {"train": adamw, "freeze": optax.set_to_zero()},
    {"body": "freeze", "head": "train"},
)
for _tx, _moved in ((adamw, True), (_frozen, False)):
    _u, _ = _tx.update(_grads, _tx.init(_weights), _weights)
    assert (_u["body"] != 0) == _moved and _u["head"] != 0
# without decay a zero gradient leaves it where it is
_tx = optax.adam(0.1)
_u, _ = _tx.update(_grads, _tx.init(_weights), _weights)
assert _u["body"] == 0
# a gradient that was nonzero before keeps moving it by Adam's momentum
_u, _o = _tx.update(jnp.float32(1), _tx.init(jnp.float32(1)))
_u, _ = _tx.update(jnp.float32(0), _o)
assert _u != 0


# %% after: state-dict
assert jnp.array_equal(model.layers[2].kernel[...], before)


# %% after: load-state-dict
from flax import serialization as _serialization

_current = {"kernel": jnp.zeros((2, 3)), "bias": jnp.zeros(3)}
with pytest.raises(ValueError):
    _serialization.from_state_dict(_current, incomplete)
_loaded = _serialization.from_state_dict(
    _current, {"kernel": jnp.zeros((7, 3)), "bias": jnp.zeros(3)}
)
assert _loaded["kernel"].shape == (7, 3)
_layer = nnx.Linear(2, 3, rngs=nnx.Rngs(0))
_kernel = _layer.kernel[...]
nnx.update(_layer, {"bias": jnp.ones(3)})
assert (_layer.bias[...] == 1).all() and (_layer.kernel[...] == _kernel).all()
load_strict(_layer, {"kernel": jnp.ones((2, 3)), "bias": jnp.zeros(3)})
assert (_layer.kernel[...] == 1).all() and (_layer.bias[...] == 0).all()
load_strict(model, nnx.to_pure_dict(nnx.state(model)))


# %% after: torch-save
_fresh = nnx.Linear(2, 3, rngs=nnx.Rngs(1))
assert not jnp.array_equal(_fresh.kernel[...], saved.kernel[...])


# %% after: data-loader 1
for _size in (32, 25, 100, 200, 1):
    _got = np.concatenate([_x for _x, _ in epoch_batches(examples, _size)])
    assert sorted(map(tuple, _got)) == sorted(map(tuple, examples[0]))
assert [len(b[0]) for b in epoch_batches(examples, 25, drop_last=True)] == (
    [25] * 4
)
_first, _again, _other = (
    next(epoch_batches(examples, 32, epoch=_n))[0] for _n in (0, 0, 1)
)
assert np.array_equal(_first, _again) and not np.array_equal(_first, _other)


# %% after: manual-seed
_drawn = with_numpy(0.0)
assert with_numpy(0) != _drawn  # an integer is traced anew
assert with_numpy(1.0) == _drawn + 1 and with_numpy(0.0) == _drawn


# %% after: out-of-range
_n = np.array([1.0, 2.0, 6.0])
center_(_n)
assert _n.mean() == 0
_row = numbers[:2]
_row += 1
assert (numbers == jnp.array([1.0, 2.0, 6.0])).all()
assert jnp.isnan(jnp.take(numbers, 10))  # not by indexing
for _f in (lambda a: a[0], lambda a: a.at[0].set(1)):
    with pytest.raises(IndexError):
        _f(jnp.zeros(0))
assert jnp.isnan(nnx.Embed(3, 2, rngs=nnx.Rngs(0))(jnp.array([5]))).all()
assert numbers[-1] == numbers[2]  # negative indices count from the end
assert (numbers.at[0].add(1) == jnp.array([2.0, 2.0, 6.0])).all()
assert (numbers.at[0].multiply(2) == jnp.array([2.0, 2.0, 6.0])).all()


# %% after: to-device
assert weights["w"].device == device and weights["w"].committed
assert jnp.ones(3).device == device and not jnp.ones(3).committed
assert jax.jit(lambda w: w + 1)(weights["w"]).device == device
assert isinstance(jax.jit(lambda x: x)(inputs), jax.Array)
# an array that isn't committed joins one that is
_cpu = jax.devices("cpu")[0]
_on_cpu = jax.device_put(jnp.arange(5), _cpu)
assert _on_cpu.committed and not jnp.arange(5).committed
assert (jnp.arange(5) + _on_cpu).devices() == {_cpu}
assert (jnp.arange(5) + _on_cpu).committed
assert not (jnp.arange(5) + 1).committed
assert not jnp.asarray(np.arange(5)).committed
_program = """
import jax, jax.numpy as jnp
one, two = jax.devices("cpu")
free = jnp.arange(3)
assert free.devices() == {one}
assert (free + jax.device_put(free, two)).devices() == {two}
try:
    jax.device_put(free, one) + jax.device_put(free, two)
except ValueError:
    print("refused")
"""
assert _printed_on(2, _program) == "refused"


# %% after: item-under-jit
assert isinstance(loss.item(), float) and loss.item() == 0.5
_seen = []
jax.jit(lambda loss: _seen.append(str(loss)))(loss)
assert _seen[0].startswith("JitTracer") and "float32[]" in _seen[0]
# in a loss function under grad it is a tracer of another class
jax.jit(jax.grad(lambda loss: (_seen.append(str(loss)), loss)[1]))(loss)
assert not _seen[1].startswith("JitTracer") and "float32[]" in _seen[1]
with pytest.raises(jax.errors.ConcretizationTypeError):
    jax.jit(float)(loss)


# %% after: if-in-forward 1
assert (forward(jnp.array([-1.0, -2.0])) > 0).all()  # without jit it runs
_f = jax.jit(lambda x, y=None: x if y is None and x.ndim == 1 else -x)
_ran = []


def _branch(name):
    def _run(x):
        jax.debug.callback(lambda: _ran.append(name))
        return x

    return _run


def _cond(x):
    return jax.lax.cond(x > 0, _branch("yes"), _branch("no"), x)


_ = jax.jit(_cond)(1.0), jax.effects_barrier()
assert _ran == ["yes"]
_ran.clear()  # true for both examples, and yet both branches run
_ = jax.jit(jax.vmap(_cond))(jnp.array([1.0, 2.0])), jax.effects_barrier()
assert set(_ran) == {"yes", "no"}
assert _f(jnp.ones(2)).sum() == 2


# %% after: if-in-forward
@jax.jit
def _python_while(x):
    while jnp.abs(x).max() > 1:
        x = x / 2
    return x


with pytest.raises(jax.errors.TracerBoolConversionError):
    _python_while(jnp.array([3.0, -8.0]))
assert _raises(
    ValueError,
    "Reverse-mode differentiation",
    lambda: jax.grad(lambda x: shrink(x).sum())(jnp.array([3.0, -8.0])),
)
_scan = jax.grad(
    lambda x: jax.lax.scan(lambda c, _: (c / 2, None), x, length=3)[0]
)
assert _scan(8.0) == 1 / 8


# %% after: torch-compile
assert jnp.allclose(new[1], model(x), atol=1e-5)
assert not jnp.allclose(new[0], model(x), atol=1e-3)
_rate = 1.0
_f = jax.jit(lambda x: x * _rate)
_f(2.0)
_rate = 10.0
assert _f(2.0) == 2.0
# jax.jit with the model closed over: the same
_g = jax.jit(lambda x: model(x))
_before = _g(x)
train_step(model, optimizer, x, y)
assert jnp.array_equal(_g(x), _before)


# %% after: porting-weights
# a rectangular one shows by its shape: at once in Linen, in NNX when called
_w = rng.normal(size=(3, 2)).astype(np.float32)
try:
    linen.Dense(3, use_bias=False).apply({"params": {"kernel": _w}}, rows)
except Exception as error:
    assert type(error).__name__ == "ScopeParamShapeError"
else:
    raise AssertionError
_linear = nnx.Linear(2, 3, use_bias=False, rngs=nnx.Rngs(0))
with pytest.raises((TypeError, ValueError)):
    _linear.kernel[...] = jnp.asarray(_w)
    _linear(rows)
_linear.kernel[...] = jnp.asarray(_w.T)
assert np.allclose(_linear(rows), rows @ _w.T, atol=1e-5)


# %% after: conv-weight
assert linen.Conv(1, (3, 3)).padding == "SAME"
# padding=1 is PyTorch's; "SAME" isn't, when the stride is 2
for _stride, _padding in ((1, 1), (2, 1), (1, "SAME"), (2, "SAME")):
    _e = jax.lax.conv(images, weight, (1, 1), ((1, 1), (1, 1)))
    _e = _e[:, :, ::_stride, ::_stride]
    _conv = nnx.Conv(
        3,
        4,
        (3, 3),
        strides=_stride,
        padding=_padding,
        use_bias=False,
        rngs=nnx.Rngs(0),
    )
    _conv.kernel[...] = jnp.asarray(weight.transpose(2, 3, 1, 0))
    _o = _conv(images.transpose(0, 2, 3, 1)).transpose(0, 3, 1, 2)
    assert _o.shape == _e.shape
    _equal = (_stride, _padding) != (2, "SAME")
    assert np.allclose(_o, _e, atol=1e-4) == _equal
assert nnx.Conv(1, 1, (3, 3), rngs=nnx.Rngs(0)).padding == "SAME"
assert nnx.Embed(7, 2, rngs=nnx.Rngs(0)).embedding[...].shape == (7, 2)
_v = linen.BatchNorm(True).init(jax.random.key(0), rows)
assert set(_v["params"]) == {"scale", "bias"}
assert set(_v["batch_stats"]) == {"mean", "var"}
_v = linen.LayerNorm().init(jax.random.key(0), rows)
assert set(_v["params"]) == {"scale", "bias"}
# 1D convolutions: (out, in, width) -> (width, in, out)
_w = rng.normal(size=(4, 3, 5)).astype(np.float32)
_s = rng.normal(size=(2, 3, 9)).astype(np.float32)
_e = jax.lax.conv_general_dilated(
    _s, _w, (1,), "VALID", dimension_numbers=("NCH", "OIH", "NCH")
)
_o = linen.Conv(4, (5,), padding="VALID", use_bias=False).apply(
    {"params": {"kernel": _w.transpose(2, 1, 0)}}, _s.transpose(0, 2, 1)
)
assert np.allclose(_o.transpose(0, 2, 1), _e, atol=1e-4)


# %% after: flatten
assert maps.reshape(2, -1).shape == features.shape


# %% after: other-defaults
import inspect as _inspect


def _default(f, name):
    return _inspect.signature(f).parameters[name].default


assert linen.LayerNorm().epsilon == linen.GroupNorm().epsilon == 1e-6
assert nnx.GroupNorm(4, num_groups=2, rngs=nnx.Rngs(0)).epsilon == 1e-6
assert _default(optax.adamw, "weight_decay") == 1e-4
assert _default(optax.rmsprop, "decay") == 0.9
assert _default(optax.adam, "eps") == _default(optax.adamw, "eps") == 1e-8
assert _default(optax.adam, "b1") == 0.9
assert _default(optax.adam, "b2") == 0.999
assert linen.gelu(1.0) == nnx.gelu(1.0) == jax.nn.gelu(1.0)
_linear = nnx.Linear(400, 400, rngs=nnx.Rngs(0))
assert abs(_linear.kernel[...].std() * 20 - 1) < 0.02
assert jnp.abs(_linear.kernel[...]).max() * 20 < 2.4  # truncated
assert (_linear.bias[...] == 0).all()
_embed = nnx.Embed(400, 400, rngs=nnx.Rngs(0))
assert abs(_embed.embedding[...].std() * 20 - 1) < 0.02
assert jnp.abs(_embed.embedding[...]).max() * 20 > 3  # not truncated
# the settings that match PyTorch's
_init = nnx.initializers.variance_scaling(1 / 3, "fan_in", "uniform")
_linear = nnx.Linear(400, 100, kernel_init=_init, rngs=nnx.Rngs(0))
assert 0.99 < jnp.abs(_linear.kernel[...]).max() * 20 <= 1.0001
_conv = nnx.Conv(40, 50, (3, 3), kernel_init=_init, rngs=nnx.Rngs(0))
assert 0.99 < jnp.abs(_conv.kernel[...]).max() * 360**0.5 <= 1.0001
_conv = nnx.Conv(40, 50, (3, 3), rngs=nnx.Rngs(0))
assert abs(_conv.kernel[...].std() * 360**0.5 - 1) < 0.02
assert jnp.abs(_conv.kernel[...]).max() * 360**0.5 < 2.4  # truncated
assert (_conv.bias[...] == 0).all()
_image = jnp.ones((1, 4, 4, 1))
for _pool in (linen.max_pool, linen.avg_pool):
    assert _pool(_image, (2, 2)).shape == (1, 3, 3, 1)
    assert _pool(_image, (2, 2), strides=(2, 2)).shape == (1, 2, 2, 1)
_init = nnx.initializers.normal(1.0)
_embed = nnx.Embed(400, 400, embedding_init=_init, rngs=nnx.Rngs(0))
assert abs(_embed.embedding[...].std() - 1) < 0.02
assert nnx.LayerNorm(4, epsilon=1e-5, rngs=nnx.Rngs(0)).epsilon == 1e-5
assert _default(optax.rmsprop, "eps_in_sqrt") is True
optax.rmsprop(0.1, decay=0.99, eps_in_sqrt=False)


# %% after: dtypes
import warnings as _warnings

assert (jnp.full(2, 2**40 + 5) == 5).all()
with pytest.raises(OverflowError):
    jnp.asarray(2**40 + 5)
assert ids.dtype == np.int64 and jnp.asarray(ids).dtype == jnp.int32
with _warnings.catch_warnings(record=True) as _seen:
    _warnings.simplefilter("always")
    jnp.asarray(ids), jnp.asarray(np.array([0.1])), jax.jit(jnp.sum)(ids)
    assert not _seen
    assert jnp.zeros(3, dtype="float64").dtype == jnp.float32
    assert len(_seen) == 1
assert (
    linen_mlp.apply(
        linen_mlp.init(jax.random.key(0), x), x.astype(np.float64)
    ).dtype
    == jnp.float32
)


# %% after: loss-functions
assert (prediction - y[:, 0]).shape == (64, 64)
import warnings as _warnings

with _warnings.catch_warnings():
    _warnings.simplefilter("error")  # a loss written by hand gives no warning
    assert jnp.mean((prediction - y[:, 0]) ** 2).shape == ()


# %% after: cross-entropy
assert (logits.argmax(axis=1) == labels).all()
assert jnp.allclose(
    optax.softmax_cross_entropy(logits, jax.nn.one_hot(labels, 4)),
    optax.softmax_cross_entropy_with_integer_labels(logits, labels),
)
_soft = jax.nn.softmax(logits[::-1])  # probabilities that aren't one-hot
assert jnp.allclose(
    optax.softmax_cross_entropy(logits, _soft),
    -(_soft * jax.nn.log_softmax(logits)).sum(axis=1),
)
assert optax.losses.ranking_softmax_loss(logits, _soft).shape == ()  # a mean
for _n in (2, 3):
    with pytest.raises((TypeError, ValueError)):
        optax.softmax_cross_entropy(logits[:_n], labels[:_n])
assert optax.softmax_cross_entropy(logits[:1], labels[:1]).shape == (1,)
for _n in (2, 3, 4):  # a column of labels broadcasts at every batch size
    _loss = optax.softmax_cross_entropy(logits[:_n], labels[:_n, None])
    assert _loss.shape == (_n,)
assert optax.squared_error(x, x).shape == x.shape
assert (jnp.ones((64, 1)) - jnp.ones(64)).shape == (64, 64)


# %% after: cross-entropy
_clipping = optax.chain(optax.clip_by_global_norm(1.0), optax.sgd(1.0))
_grads = {"w": jnp.array([3.0, 4.0])}  # of norm 5
_updates, _ = _clipping.update(_grads, _clipping.init(_grads))
assert jnp.allclose(_updates["w"], -jnp.array([0.6, 0.8]))
_half = nnx.Linear(2, 2, dtype=jnp.bfloat16, rngs=nnx.Rngs(0))
assert _half(jnp.ones((1, 2))).dtype == jnp.bfloat16
assert _half.kernel[...].dtype == jnp.float32
assert optax.sigmoid_binary_cross_entropy(jnp.zeros(3), jnp.ones(3)).shape == (
    3,
)
_labels = jnp.array([2, -100])
_losses = optax.softmax_cross_entropy_with_integer_labels(
    logits[2:], jnp.where(_labels == -100, 0, _labels)
)
_mask = _labels != -100
_mean = jnp.sum(jnp.where(_mask, _losses, 0)) / jnp.sum(_mask)
assert jnp.allclose(_mean, _losses[0])
assert jax.grad(lambda x: jax.checkpoint(jnp.sin)(x))(0.0) == 1
assert jnp.ones((3, 4)).T.shape == (4, 3) and jax.custom_vjp
_a = jnp.arange(6)
assert _a.reshape(2, 3).shape == (2, 3)
assert jnp.permute_dims(_a.reshape(1, 2, 3), (2, 0, 1)).shape == (3, 1, 2)
assert jnp.concatenate([_a, _a]).shape == (12,)
_tx = optax.inject_hyperparams(optax.sgd)(learning_rate=0.1)
assert "learning_rate" in _tx.init(_a.astype(float)).hyperparams


# %% after: other-names
_tx = optax.chain(optax.clip_by_global_norm(1.0), optax.adam(1e-3))
_u, _ = _tx.update(jnp.float32(9), _tx.init(jnp.float32(0)))
assert jnp.isclose(_u, -1e-3)


# %% after: torch-save
def _made(seed):
    model = nnx.Linear(2, 3, rngs=nnx.Rngs(seed))
    return model, nnx.Optimizer(model, optax.adam(0.1), wrt=nnx.Param)


_dict = lambda both: nnx.to_pure_dict(nnx.state(both))
_model, _optimizer = _made(0)
_mean = nnx.grad(lambda model: model(jnp.ones((1, 2))).mean())
_optimizer.update(_model, _mean(_model))
ocp.save(path.parent / "both", _dict((_model, _optimizer)))
_both = _made(1)
nnx.update(_both, ocp.load(path.parent / "both", _dict(_both)))
assert jnp.array_equal(_both[0].kernel[...], _model.kernel[...])
assert _both[1].step[...] == _both[1].opt_state[0].count[...] == 1
_found = zip(*map(jax.tree.leaves, map(_dict, ((_model, _optimizer), _both))))
assert all(jnp.array_equal(_a, _b) for _a, _b in _found)
# partial_load leaves out what only the file has, and keeps the template's rest
ocp.save(path.parent / "part", {"w": jnp.ones(2), "old": jnp.ones(2)})
_context = ocp.Context()
_context.pytree.loading.partial_load = True
with _context:
    _part = ocp.load(
        path.parent / "part", {"w": jnp.zeros(2), "new": jnp.full(2, 7.0)}
    )
assert set(_part) == {"w", "new"}
assert (_part["w"] == 1).all() and (_part["new"] == 7).all()


# %% after: porting-weights
import inspect as _inspect

for _class in (linen.BatchNorm, nnx.BatchNorm):
    assert not {"mean_init", "var_init"} & set(
        _inspect.signature(_class).parameters
    )
_scale, _bias = np.float32([2.0, 3.0]), np.float32([0.5, 0.25])
_mean, _var = np.float32([1.0, 2.0]), np.float32([4.0, 9.0])
_right = (rows - _mean) / np.sqrt(_var + 1e-5) * _scale + _bias
_left_out = rows / np.sqrt(1 + 1e-5) * _scale + _bias


class _Network(linen.Module):
    @linen.compact
    def __call__(self, x):
        return linen.BatchNorm(use_running_average=True, name="bn")(x)


_variables = _Network().init(jax.random.key(0), rows)
_ported = _variables | {"params": {"bn": {"scale": _scale, "bias": _bias}}}
assert np.allclose(_Network().apply(_ported, rows), _left_out, atol=1e-5)
_ported |= {"batch_stats": {"bn": {"mean": _mean, "var": _var}}}
assert np.allclose(_Network().apply(_ported, rows), _right, atol=1e-5)
_norm = nnx.BatchNorm(2, use_running_average=True, rngs=nnx.Rngs(0))
_norm.scale[...], _norm.bias[...] = jnp.array(_scale), jnp.array(_bias)
assert np.allclose(_norm(rows), _left_out, atol=1e-5)
_norm.mean[...], _norm.var[...] = jnp.array(_mean), jnp.array(_var)
assert np.allclose(_norm(rows), _right, atol=1e-5)
assert not np.allclose(_right, _left_out, atol=0.1)
