"""What this chapter says, in asserts for the tests alone."""

# %% after: equinox-state 1
assert all(leaf.shape[0] == 3 for leaf in jax.tree.leaves(new_state))
_raises(
    "TypeError",
    "missing 1 required positional argument: 'state'",
    jax.vmap(norm, axis_name="batch"),
    x,
)
_raises(
    "NameError",
    "unbound axis name",
    jax.vmap(norm, in_axes=(0, None)),
    x,
    make(2, axis_name="batch", mode="batch")[1],
)


# %% after: equinox-state 2
def _twice(x, state):
    y, _ = norm(x, state)
    return norm(y, state)


_raises(
    "ValueError",
    "Attempted to use old state",
    jax.vmap(_twice, axis_name="batch", in_axes=(0, None), out_axes=(0, None)),
    x,
    state,
)


# %% after: equinox-state 3
_cache, _state = eqx.nn.make_with_state(Cache)()
_words = "got axis spec None but output was batched on axis 0"
_one = jax.vmap(_cache, in_axes=(0, None), out_axes=(0, None))
assert _raises("ValueError", _words, _one, xs, _state)


def _chosen(net, state, x, s):  # s is mapped, so cond selects a state each
    call = lambda st: net(x, st)
    return lax.cond(s > 0.5, call, lambda st: net(2 * x, st), state)


def _shared(net, state, x, s):
    return net(jnp.where(s > 0.5, x, 2 * x), state)


_key, _s = jax.random.key(0), jnp.array([0.1, 0.6, 0.9])
for _f, _fails in ((_chosen, True), (_shared, False)):
    _net, _state = eqx.nn.make_with_state(eqx.nn.SpectralNorm)(
        eqx.nn.Linear(2, 2, key=_key), "weight", key=_key
    )
    _f = jax.vmap(_f, in_axes=(None, None, 0, 0), out_axes=(0, None))
    if _fails:
        assert _raises("ValueError", _words, _f, _net, _state, x, _s)
    else:
        _, _state = _f(_net, _state, x, _s)
        assert [leaf.shape for leaf in jax.tree.leaves(_state)] == [(2,)] * 2


def _in_two(names, name):
    _norm, _state = eqx.nn.make_with_state(eqx.nn.BatchNorm)(
        2, axis_name=names, mode="batch"
    )
    _axes = {"in_axes": (0, None), "out_axes": (0, None)}
    _f = jax.vmap(_norm, axis_name="b", **_axes)
    return jax.vmap(_f, axis_name=name, **_axes)(jnp.stack([x, -x]), _state)


assert _raises("ValueError", _words, _in_two, "b", None)
_in_two(("a", "b"), "a")


# %% after: equinox-state
assert y.shape == (3, 2) and state.get(layers.calls).tolist() == [1, 1, 1]


class _Model(eqx.Module):
    layers: Counted
    steps: eqx.nn.StateIndex

    def __init__(self):
        self.layers = eqx.filter_vmap(Counted)(keys)
        self.steps = eqx.nn.StateIndex(jnp.int32(0))

    def __call__(self, state):
        y, inner = call(self.layers, state.substate(self.layers))
        return y, state.update(inner)


_model, _state = eqx.nn.make_with_state(_Model)()
for _ in range(2):
    _, _state = _model(_state)
assert _state.get(_model.layers.calls).tolist() == [2, 2, 2]
assert _state.get(_model.steps) == 0
assert _raises(
    "ValueError",
    "As of Equinox v0.11.0, `eqx.nn.StateIndex` now accepts the value",
    eqx.nn.StateIndex,
    lambda **_: jnp.zeros(2),
)


# %% after: equinox-state
# what a whole call under jit or vmap doesn't check, and what it does
class _Counter(eqx.Module):
    calls: eqx.nn.StateIndex

    def __init__(self):
        self.calls = eqx.nn.StateIndex(jnp.int32(0))

    def __call__(self, state):
        calls = state.get(self.calls) + 1
        return calls, state.set(self.calls, calls)


def _both(state):
    _counter(state)
    return _counter(state)


_words = "Attempted to use old state"
_mapped = lambda f: jax.vmap(
    lambda _, state: f(state), in_axes=(0, None), out_axes=(None, None)
)
for _wrap in (jax.jit, eqx.filter_jit, lambda f: lambda s: _mapped(f)(x, s)):
    _counter, _state = eqx.nn.make_with_state(_Counter)()
    assert _raises("ValueError", _words, _wrap(_both), _state)
    _call = _wrap(lambda state: _counter(state))
    assert [int(_call(_state)[0]) for _ in range(3)] == [1, 1, 1]
    for _ in range(3):  # kept: its leaves change
        _calls, _state = _call(_state)
    assert _calls == 3 and jax.tree.leaves(_state) == [3]
_counter, _state = eqx.nn.make_with_state(_Counter)()
_counter(_state)
assert _raises("ValueError", _words, _counter, _state)


# %% after: equinox-functions 1
_raised("TypeError", "custom_jvp")
assert [f for f in jax.tree.leaves(mlp) if not eqx.is_array(f)]


# %% after: equinox-functions
_traced = []


class _Scale(eqx.Module):
    w: jax.Array
    power: int

    @eqx.filter_jit
    def __call__(self, x):
        _traced.append("call")
        return self.w * x**self.power


_scale = _Scale(jnp.ones(2), 1)
_scale(2.0)
_scale(2.0), eqx.tree_at(lambda s: s.w, _scale, jnp.zeros(2))(2.0)
assert len(_traced) == 1
_Scale(jnp.ones(2), 2)(2.0)
assert len(_traced) == 2


# %% after: optax-lookahead 1
assert _raised("AttributeError", "object has no attribute 'fast'")


# %% after: optax-lookahead
assert jnp.allclose(params.slow, params.fast)  # just synchronized
assert jnp.all((1 < params.slow) & (params.slow < 2))
assert _raises(
    "AttributeError",
    "'dict' object has no attribute 'fast'",
    tx.update,
    {"w": jnp.ones(2)},
    tx.init({"w": jnp.ones(2)}),
    {"w": jnp.ones(2)},
)
_free = optax.contrib.schedule_free_sgd(0.1)
_w, _target = jnp.zeros(2), lambda w: ((w - 1) ** 2).sum()
_s = _free.init(_w)
for _ in range(20):
    _u, _s = _free.update(jax.grad(_target)(_w), _s, _w)
    _w = optax.apply_updates(_w, _u)
assert _target(optax.contrib.schedule_free_eval_params(_s, _w)) < _target(_w)


# %% after: optax-masked-node 1
assert _raised("TypeError", "Only integer scalar arrays can be converted")
_with = []
_look = optax.GradientTransformation(
    lambda _: optax.EmptyState(), lambda u, s, p: (_with.append(p) or u, s)
)
_tx = optax.partition({"look": _look, "sgd": optax.sgd(0.1)}, labels)
_tx.update(params, _tx.init(params), params)
assert _with == [{"a": params["a"], "b": optax.MaskedNode()}]
assert not jax.tree.leaves(optax.MaskedNode())


# %% after: optax-masked-node
assert jnp.allclose(updates["a"], -0.1 * 1.9)
assert jnp.allclose(updates["b"], -0.1 * 0.8)
_clip = optax.clip_by_global_norm(1.0)
_g = {"a": jnp.float32(3), "b": jnp.float32(4)}
_in = optax.partition({"look": _clip, "sgd": optax.identity()}, labels)
assert _in.update(_g, _in.init(_g))[0] == {"a": 1, "b": 4}
_all = optax.chain(_clip, _in)
assert jnp.allclose(_all.update(_g, _all.init(_g))[0]["a"], 0.6)


# %% after: optax-reset-part 1
assert _raised(
    "AttributeError", "'tuple' object has no attribute 'inner_state'"
)
_part = optax.MaskedState(reset["fast"])  # wrapped, but of another tree
assert type(opt_state.inner_states["fast"]) is optax.MaskedState
_parts = opt_state.inner_states | {"fast": _part}
_wrong = opt_state._replace(inner_states=_parts)
assert _raises("ValueError", "", tx.update, grads, _wrong, params)


# %% after: optax-reset-part
_counts = {k: optax.tree.get(p, "count") for k, p in parts.items()}
assert _counts == {"slow": 1, "fast": 0}
_other = optax.multi_transform(adams, {"body": "slow", "head": "fast"})
assert type(_other.init(params)) is type(opt_state)


# %% after: init-first
assert _raised(
    "ValueError",
    "The number of updates and states has to be the same in chain! Make "
    "sure you have called init first!",
)


# %% after: init-first
assert _raises(
    "ValueError",
    "Make sure you have called init first!",
    tx.update,
    tx.init(params),
    grads,
)
updates, opt_state = tx.update(grads, tx.init(params), params)
assert opt_state[0].count == 1
_chain = optax.chain(optax.clip(1.0), tx)
assert jax.tree.structure(_chain.init(params)) != jax.tree.structure(
    tx.init(params)
)
assert len(optax.sgd(0.1).init(params)) < len(tx.init(params))
_three = {name: jnp.ones(2) for name in "abc"}  # as many as links in adamw
assert _raises(
    "AttributeError",
    "'str' object has no attribute 'mu'",
    tx.update,
    tx.init(_three),
    _three,
    _three,
)
assert _raises(
    "AttributeError",
    "'EmptyState' object has no attribute 'mu'",
    optax.adam(0.1).update,
    grads,
    optax.sgd(0.1).init(params),
)


# %% after: params-for-update
assert _raised(
    "ValueError",
    "You are using a transformation that requires the current value of "
    "parameters, but you are not passing `params` when calling `update`",
)


# %% after: params-for-update
assert tx.update(grads, tx.init(params), params)
assert optax.adam(0.1).update(grads, optax.adam(0.1).init(params))
_lamb = optax.lamb(0.1)
assert _raises(
    "ValueError",
    "requires the current value of parameters",
    _lamb.update,
    grads,
    _lamb.init(params),
)


# %% after: frozen-instance 1
assert _raised("FrozenInstanceError", "cannot assign to field 'state'")


# %% after: frozen-instance
import dataclasses
from typing import NamedTuple

from flax import struct

assert env.step == 1 and env.state.tolist() == [1, 1]


class _Tuple(NamedTuple):
    step: int


@struct.dataclass
class _Struct:
    step: int


@dataclasses.dataclass(frozen=True)
class _Frozen:
    step: int


for _state, _name, _says in (
    (_Tuple(0), "AttributeError", "can't set attribute"),
    (_Struct(0), "FrozenInstanceError", "cannot assign to field"),
    (_Frozen(0), "FrozenInstanceError", "cannot assign to field"),
):
    assert _raises(_name, _says, setattr, _state, "step", 1)
assert _Tuple(0)._replace(step=1).step == 1
assert _Struct(0).replace(step=1).step == 1
assert dataclasses.replace(_Frozen(0), step=1).step == 1
_none = Env(None, env.step)
_is_none = lambda x: x is None
_full = eqx.tree_at(lambda env: env.state, _none, 1.0, is_leaf=_is_none)
assert _full.state == 1.0
_linear = eqx.nn.Linear(1, 1, key=jax.random.key(0))
assert _raises(
    "TypeError",
    "got an unexpected keyword argument",
    dataclasses.replace,
    _linear,
    weight=jnp.ones((1, 1)),
)


# %% after: state-fields-mixed 1
assert _raised("IndexError", "Too many indices")
assert env.time.shape == (3,) and env.rewards == 0


# %% after: state-fields-mixed
assert _raises(
    "IndexError", "Too many indices", jax.vmap(lambda x: x[0]), jnp.ones(3)
)


@struct.dataclass(kw_only=True)
class _Base:
    time: int = 0


@struct.dataclass(kw_only=True)
class _Env(_Base):
    rewards: jax.Array | float = 0.0


assert _raises("TypeError", "positional argument", _Env, jnp.arange(3.0))


# %% after: optax-init-model 1
_raised(
    "TypeError",
    "zeros_like requires ndarray or scalar arguments, got <class "
    "'flax.linen.linear.Dense'>",
)
_generator = (leaf for leaf in [jnp.ones(1)])
assert _raises("TypeError", "<class 'generator'>", tx.init, _generator)
assert _raises("TypeError", "custom_jvp'>", tx.init, jax.nn.relu)


# %% after: optax-init-model
assert len(jax.tree.leaves(opt_state)) == 5
optax.sgd(0.1).init(model)


# %% after: keras-under-jit 1
assert _raises(
    "UnexpectedTracerError",
    "Encountered an unexpected tracer",
    metric.result,
)
metric.reset_state()
metric.update_state(jnp.array([1.0, 3.0]))
assert metric.result() == 2


# %% after: keras-under-jit
_model = keras.Sequential(
    [keras.Input((3,)), keras.layers.BatchNormalization()]
)
jax.jit(lambda x: _model(x, training=True))(jnp.ones((4, 3)))
_words = "Encountered an unexpected tracer"
assert _raises(
    "UnexpectedTracerError",
    _words,
    lambda: _model.non_trainable_variables[0] + 1,
)
assert _raises("UnexpectedTracerError", _words, _model, jnp.ones((4, 3)))
assert _raises(
    "TracerArrayConversionError",
    "__array__() was called on traced array",
    np.asarray,
    _model.non_trainable_variables[0],
)
assert _raises(
    "TracerArrayConversionError",
    "__array__() was called on traced array",
    _model.non_trainable_variables[0].numpy,
)
_model = keras.Sequential([keras.Input((3,)), keras.layers.Dropout(0.5)])
jax.jit(lambda x: _model(x, training=True))(jnp.ones((4, 3)))
assert _raises(
    "UnexpectedTracerError", _words, _model, jnp.ones((4, 3)), training=True
)


# %% after: keras-under-jit
_model = keras.Sequential([keras.layers.Dense(4), keras.layers.Dense(2)])


@jax.jit
def _init():
    _model.build((3, 6))
    return [variable.value for variable in _model.variables]


assert [a.shape for a in _init()] == [(6, 4), (4,), (4, 2), (2,)]
assert all(isinstance(v.value, jax.core.Tracer) for v in _model.variables)
assert _raises("UnexpectedTracerError", _words, _model, jnp.ones((3, 6)))

# split by layout, and a large variable is initialized by a jitted function
_code = """
import os
os.environ["KERAS_BACKEND"] = "jax"
import jax
import keras


class Ones(keras.initializers.Initializer):
    def __call__(self, shape, dtype=None):
        ones = keras.ops.ones(shape, dtype)
        traced.append(isinstance(ones, jax.core.Tracer))
        return ones


traced = []
layouts = keras.distribution.LayoutMap(
    keras.distribution.DeviceMesh((2,), ["model"])
)
layouts[".*kernel"] = (None, "model")
keras.distribution.set_distribution(
    keras.distribution.ModelParallel(layout_map=layouts)
)
model = keras.Sequential([keras.layers.Dense(4)])
model.build((3, 6))
small = model.layers[0].kernel
large = keras.layers.Layer().add_weight(
    shape=(1, 2**26), dtype="int8", initializer=Ones(), name="kernel"
)
for v in (small, large):
    print([shard.data.shape for shard in v.value.addressable_shards])
print(traced)
"""
assert _printed_on(2, _code).splitlines() == [
    "[(6, 2), (6, 2)]",
    "[(1, 33554432), (1, 33554432)]",
    "[True]",
]


# %% after: keras-stateless-apply 1
assert _raised(
    "ValueError",
    "Argument `optimizer_variables` must be a list of tensors "
    "corresponding 1:1 to Adam().variables. Received list with length",
)


# %% after: keras-stateless-apply 2
assert optimizer.stateless_apply(opt_state, params, grads)  # swapped: silence
assert _raises(
    "ValueError",
    "must be a list of tensors corresponding 1:1 to",
    model.stateless_call,
    [],
    [],
    jnp.ones((1, 3)),
)
assert _raises(
    "ValueError",
    "must be a list of tensors corresponding 1:1 to",
    optimizer.stateless_apply,
    grads,
    opt_state,
    params,
)
assert _raises(
    "ValueError",
    "must be a list of tensors corresponding 1:1 to",
    optimizer.stateless_apply,
    [],
    grads,
    params,
)
assert _raises(
    "ValueError",
    "To call stateless_call, Sequential must be built",
    keras.Sequential([keras.layers.Dense(1)]).stateless_call,
    [],
    [],
    jnp.ones((1, 3)),
)


# %% after: keras-stateless-apply
assert _raised("ValueError", "To call `stateless_apply`, Adam must be built")


# %% after: keras-use-ema 1
assert _raised("TypeError", "'NoneType' object is not callable")
_model = ema_model()
_run = _model.fit(x, x, batch_size=1, verbose=0, validation_data=(x, x))
_ema = _model.optimizer._model_variables_moving_average[0]
assert _model.trainable_variables[0].value is _ema.value
assert _run.history["val_loss"][0] < _model.evaluate(x, x, verbose=0) / 2


# %% after: keras-use-ema
_ema = model.optimizer._model_variables_moving_average[0]
assert model.trainable_variables[0].value is not _ema.value
assert np.isclose(run.history["val_loss"][0], model.evaluate(x, x, verbose=0))
_model = ema_model()  # a loop of one's own keeps the plain weights
_optimizer = _model.optimizer
_optimizer.build(_model.trainable_variables)
_p = [v.value for v in _model.trainable_variables]
_o = [v.value for v in _optimizer.variables]
for _ in range(8):
    _p, _o = _optimizer.stateless_apply(_o, [2 * (_p[0] - 1)], _p)
assert _p[0][0, 0] > 0.8 and _o[-1][0, 0] < 0.5


# %% after: keras-two-models
class _Second(Pair):
    def train_step(self, state, x):
        params, fixed, opt_state, metrics = state
        params, _ = self.second.stateless_apply(
            [v.value for v in self.second.variables],
            [jnp.ones_like(p) for p in params],
            params,
        )
        return {"loss": jnp.float32(0)}, (params, fixed, opt_state, metrics)


_pair = _Second()
_pair.second = keras.optimizers.Adam(0.1)
_pair.second.build(_pair.trainable_variables)
_pair.compile("sgd")
_pair.fit(np.zeros((8, 2), "float32"), verbose=0)
assert int(_pair.second.iterations.value) == 0


class _Called(Pair):
    def train_step(self, state, x):
        self.maker(x)


_pair = _Called()
_pair.compile("sgd")
assert _raises(
    "TypeError",
    "'NoneType' object is not callable",
    lambda: _pair.fit(np.zeros((8, 2), "float32"), verbose=0),
)


# %% after: keras-nnx-mode
_code = (
    NNX_MODE
    + """
def changed(wrt):
    model = keras.Sequential(
        [keras.Input((2,)), keras.layers.BatchNormalization()])
    before = model.get_weights()
    optimizer = nnx.Optimizer(model, optax.sgd(0.1), wrt=wrt)
    grads = nnx.grad(loss, argnums=nnx.DiffState(0, wrt))(model)
    optimizer.update(model, grads)
    return [bool((a != b).any()) for a, b in zip(before, model.get_weights())]


print(changed(keras.Variable)[2:], changed(lambda path, v: v.trainable)[2:])
model = keras.Sequential([keras.Input((2,)), keras.layers.Dropout(0.5),
                          keras.layers.Dense(1)])
model.compile("sgd", "mse")
model.fit(x, x[:, :1], verbose=0, epochs=2)
dropout = nnx.Dropout(0.5, rngs=nnx.Rngs(0))
apply = nnx.jit(lambda layer, x: layer(x))
apply(dropout, x), apply(dropout, x)
norm = keras.layers.BatchNormalization()
norm.build(x.shape)
nnx.jit(lambda x: norm(x, training=True))(x)
try:
    norm(x)
except jax.errors.UnexpectedTracerError:
    print("closure leaks")
"""
)
_done = subprocess.run(
    [sys.executable, "-c", _code], env=mode, capture_output=True, text=True
)
assert _done.stdout.splitlines()[2:] == [
    "[True, True] [False, False]",
    "closure leaks",
], _done
assert not keras.config.is_nnx_enabled()


# %% after: keras-none-callable 1
_raised("TypeError", "'NoneType' object is not callable")


# %% after: keras-none-callable
def _fails_in_callback():
    class _Stop(keras.callbacks.Callback):
        def on_train_batch_end(self, batch, logs=None):
            raise OSError

    try:
        model.fit(x, y, verbose=0, callbacks=[_Stop()])
    except OSError:
        pass


_fails_in_callback()
model.fit(x, y, verbose=0)


class _Weight(keras.Model):
    def __init__(self):
        super().__init__()
        self.dense = keras.layers.Dense(1)
        self.size = self.add_weight(
            shape=(), initializer="zeros", trainable=False
        )

    def call(self, x):
        y = self.dense(x)
        self.size.assign(keras.ops.mean(y))
        return y


_m = _Weight()
_m.compile("adam", "mse")
_m.fit(x, y, verbose=0)
assert _m.size.numpy() != 0


class _Loss(keras.Sequential):  # fit of Keras 3.1 raises, that of 3.13 doesn't
    def compute_loss(self, x=None, y=None, y_pred=None, *rest, **options):
        loss = keras.ops.mean((y_pred - y) ** 2)
        self.size.update_state(loss)
        return loss


class _Step(_Loss):
    def forward(self, params, rest, metrics, x, y):
        y_pred, rest = self.stateless_call(params, rest, x)
        return self.compute_loss(x, y, y_pred), (rest, metrics)

    def train_step(self, state, data):
        params, rest, opt_state, metrics = state
        grad = jax.value_and_grad(self.forward, has_aux=True)
        (loss, aux), grads = grad(params, rest, metrics, *data)
        rest, metrics = aux
        params, opt_state = self.optimizer.stateless_apply(
            opt_state, grads, params
        )
        return {"loss": loss}, (params, rest, opt_state, metrics)


class _Stateless(_Step):
    def forward(self, params, rest, metrics, x, y):
        y_pred, rest = self.stateless_call(params, rest, x)
        loss, (params, rest, metrics) = self.stateless_compute_loss(
            params, rest, metrics, x=x, y=y, y_pred=y_pred
        )
        return loss, (rest, metrics)


for _class in (_Loss, _Step, _Stateless):
    _m = _class([keras.layers.Dense(1)])
    _m.size = keras.metrics.Mean(name="size")
    _m.compile("adam")
    if _class is _Step:
        _words = "'NoneType' object is not callable"
        assert _raises("TypeError", _words, _m.fit, x, y, verbose=0)
    else:
        _m.fit(x, y, verbose=0)
        assert _m.size.result() > 0


# %% after: keras-freeze-fit 1
_raised(
    "ValueError",
    "Received len(trainable_variables) == 2 whereas the optimizer was built with 4 variables",
)
_raises("TypeError", "'NoneType' object is not callable", model.get_weights)


# %% after: keras-freeze-fit
def _same_optimizer():
    layers = [keras.layers.Dense(3), keras.layers.Dense(1)]
    model = keras.Sequential([keras.Input((2,)), *layers])
    adam = keras.optimizers.Adam()
    model.compile(adam, "mse")
    model.fit(x, y, verbose=0)
    layers[0].trainable = False
    model.compile(adam, "mse")
    model.fit(x, y, verbose=0)


_raises(
    "ValueError", "Received len(trainable_variables) == 2", _same_optimizer
)


# in a callback, and for a layer that is unfrozen; the model is empty then
class _Changes(keras.callbacks.Callback):
    def __init__(self, in_epoch=1):
        super().__init__()
        self.in_epoch = in_epoch

    def on_epoch_begin(self, epoch, logs=None):
        if epoch == self.in_epoch:
            layer = self.model.layers[0]
            layer.trainable = not layer.trainable


for _frozen in (False, True):
    layers = [keras.layers.Dense(3), keras.layers.Dense(1)]
    layers[0].trainable = not _frozen
    _m = keras.Sequential([keras.Input((2,)), *layers])
    _m.compile("adam", "mse")
    _options = {"epochs": 2, "verbose": 0, "callbacks": [_Changes()]}
    _words = "The shape of the target variable and the shape of the target"
    _raises("ValueError", _words, _m.fit, x, y, **_options)
    _raises("TypeError", "'NoneType' object is not callable", _m.get_weights)
# before the first step, and where shapes are equal: another message, and
# in the frozen layer, what the other one had learned
for _in_epoch, _units in ((0, 3), (1, 2)):
    layers = [keras.layers.Dense(_units), keras.layers.Dense(2)]
    layers[0].trainable = False
    _m = keras.Sequential([keras.Input((2,)), *layers])
    _m.compile("adam", "mse")
    _before = layers[0].get_weights()
    _options = {"verbose": 0, "callbacks": [_Changes(_in_epoch)]}
    _words = "Argument `optimizer_variables` must be a list"
    _both = np.ones((8, 2), "float32")
    _raises("ValueError", _words, _m.fit, _both, _both, epochs=2, **_options)
    _raises("TypeError", "'NoneType' object is not callable", _m.get_weights)
assert not np.array_equal(_before[0], layers[0].kernel.numpy())


# %% after: keras-seed-cond 1
_raised("UnexpectedTracerError", "traced for cond", "uint32[2]")
_raises("TypeError", "'NoneType' object is not callable", model.get_weights)


class _Drops(keras.layers.Layer):
    def __init__(self):
        super().__init__()
        self.drop = keras.layers.Dropout(0.5)

    def call(self, x, training=False):
        drop = lambda: self.drop(x, training=training)
        return keras.ops.cond(x[0, 0] > 0, drop, lambda: x)


_m = keras.Sequential([keras.Input((2,)), _Drops(), keras.layers.Dense(1)])
_m.compile("adam", "mse")
_words = "traced for cond"
_raises("UnexpectedTracerError", _words, _m.fit, x, y, verbose=0)


# %% after: keras-unseeded 1
_raised("ValueError", "[JAX RNG] When tracing a JAX function")


# %% after: keras-unseeded
def _layer(kind, seed_of):
    class Layer(keras.layers.Layer):
        def __init__(self):
            super().__init__()
            self.seed = keras.random.SeedGenerator(0) if kind else None

        def call(self, x):
            seed = self.seed if kind else seed_of()
            return x + keras.random.normal(x.shape[1:], seed=seed)

    return Layer()


def _losses(layer):  # of three steps that train nothing
    model = keras.Sequential([keras.Input((2,)), layer])
    model.compile(keras.optimizers.SGD(0.0), "mse")
    history = model.fit(x, x, epochs=3, batch_size=8, verbose=0).history
    return len(set(history["loss"]))


def _eager(layer):
    return len({float(np.asarray(layer(x))[0, 0]) for _ in range(3)})


for _kind, _seed_of, _in_eager, _in_fit in (
    (False, lambda: 1, 1, 1),
    (False, lambda: keras.random.SeedGenerator(0), 1, 1),
    (False, lambda: outside, 3, 1),
    (True, None, 3, 3),
):
    assert _eager(_layer(_kind, _seed_of)) == _in_eager
    assert _losses(_layer(_kind, _seed_of)) == _in_fit
assert _eager(_layer(False, lambda: None)) == 3
_raises("ValueError", "[JAX RNG]", _losses, _layer(False, lambda: None))
_drop = keras.layers.Dropout(0.5)


@jax.jit
def _scoped(x):
    with keras.StatelessScope():
        return _drop(x, training=True)


@jax.jit
def _stateless(seed, x):
    return _drop.stateless_call([], seed, x, training=True)


_wide = jnp.ones(40)
assert (_scoped(_wide) == _scoped(_wide)).all()
assert (_scoped(_wide) == 0).any()
_seed = [v.value for v in _drop.non_trainable_variables]
_first, _seed = _stateless(_seed, _wide)
assert (_first != _stateless(_seed, _wide)[0]).any()


# %% after: keras-loss-scale
assert list(changes(lambda loss, _: loss)) == ["-0.0250", "-0.0125", "-0.0063"]
assert list(changes(lambda loss, _: optimizer.scale_loss(loss))) == [
    "-0.1000",
    "-0.0500",
    "-0.0250",
]
assert list(changes(scale_loss)) == ["-0.1000"] * 3
_default = keras.optimizers.LossScaleOptimizer(keras.optimizers.SGD())
assert _default.initial_scale == 2**15


# %% after: keras-unseeded
import random as _random

_seeds, _rng = keras.random.SeedGenerator(0), np.random.default_rng(0)
_wide = np.ones((1, 40), "float32")
_dropout = keras.layers.Dropout(0.5)
_dropped = lambda layer: np.asarray(layer(_wide, training=True)).tolist()
for _draw, _repeats in (
    (_random.random, True),
    (np.random.normal, True),
    (lambda: float(keras.random.normal(())), True),
    (lambda: _dropped(keras.layers.Dropout(0.5)), True),
    (lambda: np.random.default_rng(0).normal(), True),
    (lambda: np.random.default_rng().normal(), False),
    (_rng.normal, False),
    (lambda: float(keras.random.normal((), seed=_seeds)), False),
    (lambda: _dropped(_dropout), False),
):
    _drawn = []
    for _ in range(2):
        keras.utils.set_random_seed(0)
        _drawn.append(_draw())
    assert (_drawn[0] == _drawn[1]) == _repeats


# %% after: grads-not-of-params 1
assert _raised(
    "TypeError", "unsupported operand type(s) for *: 'float' and 'dict'"
)


# %% after: grads-not-of-params
import flax as _flax

assert updates["w"].shape == (3,)
_swapped, _ = jax.value_and_grad(loss_fn)(params, x, y)
_of_data = jax.grad(loss_fn, argnums=1)(params, x, y)
_linear = eqx.nn.Linear(3, 1, key=jax.random.key(0))
for _tx in (optax.adam(0.1), optax.adamw(0.1), optax.sgd(0.1, momentum=0.9)):
    for _p, _words in (
        (params, "'float' and 'dict'"),
        (_flax.core.freeze(params), "'float' and 'FrozenDict'"),
        (eqx.filter(_linear, eqx.is_array), "'float' and 'Linear'"),
        ([jnp.ones(3)], "can't multiply sequence by non-int of type 'float'"),
    ):
        for _grads in (_swapped, _of_data, jnp.ones(4)):
            _raises("TypeError", _words, _tx.update, _grads, _tx.init(_p), _p)
_tx = optax.sgd(0.1)
_u, _ = _tx.update(_swapped, _tx.init(params), params)
_words = "different types at key path"
if jax.__version_info__ < (0, 8):
    _words = "Expected dict, got"
_raises("ValueError", _words, optax.apply_updates, params, _u)


# %% after: equinox-functions
def _ensemble(in_axes, make=lambda key: eqx.nn.MLP(2, 1, 4, 1, key=key)):
    nets = eqx.filter_vmap(make)(jax.random.split(jax.random.key(0), 3))
    call = lambda net, x: net(x)
    return eqx.filter_vmap(call, in_axes=in_axes)(nets, jnp.ones(2)).shape


_words = "is not a valid JAX type"
assert _raises("TypeError", _words, _ensemble, (0, None))
assert _ensemble((eqx.if_array(0), None)) == (3, 1)
assert _ensemble({"x": None}) == (3, 1)
assert _ensemble((0, None), lambda key: eqx.nn.Linear(2, 1, key=key)) == (3, 1)


# %% after: keras-none-callable
class _Rounded(keras.layers.Layer):
    def __init__(self, convert):
        super().__init__()
        self.convert = convert

    def build(self, shape):
        self.w = self.add_weight(shape=(2,), initializer="ones")

    def call(self, x):
        w = keras.ops.convert_to_tensor(self.w) if self.convert else self.w
        return x * _straight_through(w)


@keras.ops.custom_gradient
def _straight_through(w):
    def gradient(*rest, upstream=None):
        return rest[0] if upstream is None else upstream

    return keras.ops.round(w), gradient


def _trained(convert):
    layer = _Rounded(convert)
    net = keras.Sequential([keras.Input((2,)), layer])
    net.compile("sgd", "mse")
    net.fit(np.ones((4, 2), "float32"), np.zeros((4, 2)), verbose=0)
    return (np.asarray(layer.w.value) < 1).all()


assert _trained(True)
if tuple(map(int, keras.__version__.split(".")[:2])) < (3, 14):
    assert _raises("TypeError", "'NoneType' object", _trained, False)
else:
    assert _trained(False)


# %% after: equinox-functions
_mask = jax.tree.map(lambda _: True, params)
_arrays = jax.tree.map(lambda _: jnp.array(True), params)
eqx.filter_jit(eqx.partition)(params, _mask)
jax.jit(lambda tree: eqx.partition(tree, _mask))(params)
for _words, _call in (
    ("must consist of booleans and callables only", eqx.partition),
    ("leaf values cannot be traced arrays", jax.jit(eqx.partition)),
):
    assert _raises("ValueError", _words, _call, params, _arrays)
assert _raises(
    "ValueError", "cannot be traced arrays", jax.jit(eqx.filter), params, _mask
)


# %% after: keras-freeze-fit
_body = keras.Sequential([keras.Input((2,)), keras.layers.Dense(3)])
_head = keras.layers.Dense(1)
_models = {}
for _flag in (True, False):
    _body.trainable = _flag
    _models[_flag] = keras.Model(_body.inputs, _head(_body.outputs[0]))
    _models[_flag].compile("adam", "mse")
for _count, _flag in enumerate((True, False, True, False)):
    _body.trainable = _flag
    _old = _body.get_weights()[0]
    _models[_flag].fit(x, y, verbose=0)
    assert np.array_equal(_old, _body.get_weights()[0]) is not _flag
    assert int(_models[_flag].optimizer.iterations) == 1 + _count // 2
_body.trainable = True
assert _raises(
    "ValueError",
    "Argument `optimizer_variables` must be a list",
    _models[False].train_on_batch,
    x,
    y,
)
