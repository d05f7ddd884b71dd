"""What this chapter says, in asserts for the tests alone."""

# %% after: title 3
_GRAPH = {"on_train_batch_end": "batch", "on_epoch_end": "epoch"}


def _full(*variables) -> list:
    """Which of the variables hold an array."""
    return ["value=" in repr(v) for v in variables]


def _fit(call, hook="on_train_batch_end", rate=0.05, **more):
    """Fit a new model with one callback that gets the model by a name."""
    model = new_model(rate)
    said = keras.callbacks.LambdaCallback(
        **{hook: lambda *_, **__: call(model)}
    )
    options = {"batch_size": 16, "shuffle": False, "verbose": 0} | more
    model.fit(x, y, callbacks=[said], **options)
    return model


def _all_lost(model, by):
    return by.restored == 30 and float(model.optimizer.learning_rate) == 2


assert keras.backend.backend() == "jax"
assert _all_lost(model, guard) and max(model.history.history["loss"]) > 1e30
# the callback is right outside fit, and Guard in a loop of train_on_batch too
_by = Guard()
_by.on_train_batch_end(0, {"loss": 1e9})
assert _by.restored == 1 and (model.get_weights()[0] == 0).all()
assert np.isclose(float(model.optimizer.learning_rate), 0.05)


# %% after: self-model
assert guard.restored == 4 and model.history.history["loss"][-1] < 0.3
# self.model is the model itself; it gives the arrays back, then returns it
_seen = []


class _Same(keras.callbacks.Callback):
    def on_train_batch_end(self, batch, logs=None):
        kernel = _model.layers[0].kernel
        _seen.append((*_full(kernel), self.model is _model, *_full(kernel)))


_model = new_model(0.05)
_model.fit(x, y, verbose=0, callbacks=[_Same()])
assert _seen == [(False, True, True)]
# a second read with no step in between assigns nothing, so a write is kept
_assign, _number = keras.Variable.assign, [0]


def _counted(self, value):
    _number[0] += 1
    return _assign(self, value)


class _Twice(keras.callbacks.Callback):
    def on_train_batch_end(self, batch, logs=None):
        for _ in range(2):
            _number[0] = 0
            self.model
            _seen.append(_number[0])


_seen, _m = [], new_model(0.05)
_m.fit(x, y, verbose=0)
_all = _m.variables + _m.optimizer.variables + _m.metrics_variables
keras.Variable.assign = _counted
try:
    _m.fit(x, y, batch_size=16, verbose=0, callbacks=[_Twice()])
finally:
    keras.Variable.assign = _assign
assert _seen == [len(_all), 0, len(_all), 0]
# a call of jax_state_sync through any name does the same
_m = _fit(lambda m: (m.jax_state_sync(), m.set_weights(first)), epochs=2)
assert (_m.get_weights()[0] == 0).all()
# one batch an epoch, a compiled step, eager steps: lost alike
for _more in ({"batch_size": 32}, {"batch_size": 1}):
    _m = _fit(lambda m: m.set_weights([first[0] + 7, first[1]]), **_more)
    assert (_m.get_weights()[0] != 7).all()
_m = new_model(0.05)
_m.compile(optimizer="sgd", loss="mse", run_eagerly=True)
_write = lambda *_, **__: _m.set_weights([first[0] + 7, first[1]])
_by = keras.callbacks.LambdaCallback(on_train_batch_end=_write)
_m.fit(x, y, verbose=0, callbacks=[_by])
assert (_m.get_weights()[0] != 7).all()
# what writes without reading is silent; what reads raises
for _write in (
    lambda m: m.set_weights(first),
    lambda m: setattr(m.optimizer, "learning_rate", 0.5),
    lambda m: m.layers[0].bias.assign([3.0]),
):
    _m = _fit(_write)
    assert np.isclose(float(_m.optimizer.learning_rate), 0.05)
    assert _m.get_weights()[1][0] != 3 and (_m.get_weights()[0] != 0).any()


# the numbers of the pictures: one weight of 1 at rate 0.1, on ones and zeros
def _ones(write=lambda *_: None) -> list:
    layer = keras.layers.Dense(1, kernel_initializer="ones", use_bias=False)
    model = keras.Sequential([keras.Input((1,)), layer])
    model.compile(optimizer=keras.optimizers.SGD(0.1), loss="mse")
    found = []

    class Writes(keras.callbacks.Callback):
        def on_train_batch_end(self, batch, logs=None):
            write(self, model, batch)
            found.append(self.model.get_weights()[0].item())

    two = np.ones((2, 1), "float32")
    model.fit(two, 0 * two, batch_size=1, verbose=0, callbacks=[Writes()])
    return found


_seven = [np.full((1, 1), 7.0)]
assert np.allclose(_ones(), [0.8, 0.64])
_by_name = lambda _, model, batch: batch or model.set_weights(_seven)
_by_self = lambda self, _, batch: batch or self.model.set_weights(_seven)
assert np.allclose(_ones(_by_name), [0.8, 0.64])
assert np.allclose(_ones(_by_self), [7, 0.8 * 7])


# %% after: taken-out-and-given-back 2
assert np.allclose(_ones(), [0.80, 0.64]) and (1.00, 0.80) == (1, 0.8)
# every variable is taken out: weights, optimizer, metrics
_seen = []
_fit(
    lambda m: _seen.append(
        _full(*m.variables, *m.optimizer.variables, *m.metrics_variables)
    )
)
assert len(_seen) == 2 and not any(map(any, _seen))
# in the model again before validation begins and in between epochs
_seen = []
_look = lambda *_, **__: _seen.append(_full(_m.layers[0].kernel)[0])
_m = new_model(0.05)
_hooks = ("on_test_begin", "on_test_end", "on_epoch_begin", "on_epoch_end")
_by = keras.callbacks.LambdaCallback(**dict.fromkeys(_hooks, _look))
_m.fit(x, y, epochs=2, verbose=0, validation_data=(x, y), callbacks=[_by])
assert _seen == [True] * 8
# train_on_batch, test_on_batch and predict_on_batch take nothing out
_kernel = _m.layers[0].kernel
for _call in (_m.train_on_batch, _m.test_on_batch):
    _raises(ValueError, "incompatible", lambda: _call(x[:, :3], y))
    assert _full(_kernel) == [True]
_raises(ValueError, "incompatible", lambda: _m.predict_on_batch(x[:, :3]))
assert _full(_kernel) == [True]


# %% after: taken-out-and-given-back 5
# the miniature ends with what fit ends with, for each order of acts


def _by_name_last(callback, model, batch):
    if batch == 0:
        model.set_weights(_seven)
        callback.model


def _by_self_twice(callback, model, batch):
    if batch == 0:
        callback.model.set_weights(_seven)
        callback.model


for _acts, _real in (
    ((write,), _by_name),
    ((sync, write), _by_self),
    ((sync, write, sync), _by_self_twice),
    ((write, sync), _by_name_last),
):
    # a weight of 1 at rate 0.1, on ones and zeros: a step multiplies it by 0.8
    layer = keras.layers.Dense(1, kernel_initializer="ones", use_bias=False)
    _m = keras.Sequential([keras.Input((1,)), layer])
    _m.compile(optimizer=keras.optimizers.SGD(0.1), loss="mse")

    class _Acts(keras.callbacks.Callback):
        def on_train_batch_end(self, batch, logs=None):
            _real(self, _m, batch)

    _two = np.ones((2, 1), "float32")
    _m.fit(_two, 0 * _two, batch_size=1, verbose=0, callbacks=[_Acts()])
    assert np.isclose(_m.get_weights()[0].item(), tiny_fit(*_acts))


# %% after: taken-out-and-given-back
assert array.is_deleted() and (copy != 0).all()
for _call in (
    lambda: model.evaluate(x, y, verbose=0),
    lambda: model.predict(x, verbose=0),
    lambda: model.train_on_batch(x, y),
):
    _array = model.layers[0].kernel.value
    _call()
    assert _array.is_deleted()
# an eager step donates nothing
_m = new_model(0.05)
_m.compile(optimizer="sgd", loss="mse", run_eagerly=True)
_array = _m.layers[0].kernel.value
_m.fit(x, y, verbose=0)
assert not _array.is_deleted() and (np.asarray(_array) == 0).all()


# %% after: callback-hooks 2
assert [fate("on_train_batch_begin", n) for n in (0, 1)] == ["kept", "lost"]
assert [fate("on_train_batch_end", n) for n in (0, 1)] == ["lost", "lost"]
assert fate("on_epoch_begin", 0) == fate("on_epoch_end", 0) == "kept"
# at both ends of fit a name will do
for _hook in ("on_train_begin", "on_train_end"):
    _m = _fit(
        lambda m: m.set_weights([first[0] + 7, first[1]]), _hook, rate=0.0
    )
    assert (_m.get_weights()[0] == 7).all()


# through self.model all hooks keep it
def _by_self(hook, at):
    class By(keras.callbacks.Callback):
        pass

    def write(self, number, logs=None):
        if number == at:
            self.model.set_weights([first[0] + 7, first[1]])

    setattr(By, hook, write)
    model = new_model(0.0)
    model.fit(x, y, batch_size=16, verbose=0, callbacks=[By()])
    return (model.get_weights()[0] == 7).all()


assert all(
    _by_self(hook, at)
    for hook in ("on_train_batch_begin", "on_train_batch_end")
    for at in (0, 1)
)
assert _by_self("on_epoch_begin", 0) and _by_self("on_epoch_end", 0)


# %% after: callback-hooks
# in one hook, a write before the read of self.model is lost, one after it kept
class _Half(keras.callbacks.Callback):
    def on_train_batch_end(self, batch, logs=None):
        if logs["loss"] > 100:
            _model.optimizer.learning_rate = 0.05
            self.model.set_weights(first)


class _OtherOrder(keras.callbacks.Callback):
    def on_train_batch_end(self, batch, logs=None):
        if logs["loss"] > 100:
            self.model.set_weights(first)
            _model.optimizer.learning_rate = 0.05


for _kind, _rate in ((_Half, 2), (_OtherOrder, 0.05)):
    _model = new_model(2.0)
    _model.fit(x, y, **schedule, callbacks=[_kind()])
    assert np.isclose(float(_model.optimizer.learning_rate), _rate)
assert _model.history.history["loss"][-1] < 0.3


# a variable that was stored early brings no sync with it
class _Pin(keras.callbacks.Callback):
    def on_train_begin(self, logs=None):
        self.bias = self.model.layers[0].bias

    def on_train_batch_end(self, batch, logs=None):
        self.bias.assign([3.0])


class _SyncedPin(keras.callbacks.Callback):
    def on_train_batch_end(self, batch, logs=None):
        self.model.layers[0].bias.assign([3.0])


for _kind in (_Pin, _SyncedPin):
    model = new_model(0.05)
    model.fit(x, y, verbose=0, callbacks=[_kind()])
    assert (model.get_weights()[1][0] == 3) == (_kind is _SyncedPin)
# a checkpoint after every batch reads self.model, which repairs the guard
import tempfile

with tempfile.TemporaryDirectory() as _folder:
    _saves = keras.callbacks.ModelCheckpoint(
        _folder + "/a.weights.h5", save_freq=1, save_weights_only=True
    )
    model = new_model(2.0)
    model.fit(x, y, **schedule, callbacks=[_saves, Guard()])
assert np.isclose(float(model.optimizer.learning_rate), 0.05)
# Keras's own progress bar and history repair nothing
import contextlib
import io

for _verbose in (1, 2):
    model, guard = new_model(2.0), Guard()
    with contextlib.redirect_stdout(io.StringIO()):
        _options = schedule | {"verbose": _verbose}
        model.fit(x, y, **_options, callbacks=[guard])
    assert _all_lost(model, guard)


# %% after: nonetype-not-callable
# what reads inside a batch hook, through a name
import os
import tempfile

_none = "'NoneType' object is not callable"
with tempfile.TemporaryDirectory() as _folder:
    for _read in (
        lambda m: m.get_weights(),
        lambda m: m(x),
        lambda m: float(m.optimizer.learning_rate),
        lambda m: m.layers[0].bias.assign_add([1.0]),
        lambda m: m.save(os.path.join(_folder, "m.keras")),
        lambda m: m.predict(x, verbose=0),
        lambda m: m.evaluate(x, y, verbose=0),
    ):
        _raises(TypeError, _none, lambda: _fit(_read))
# after an error in a batch hook, fit gives the arrays back
assert _full(*model.weights) == [True, True]
# at the first batch's begin and at the epoch's end reading is fine
_fit(lambda m: m.get_weights(), "on_epoch_end")
_fit(lambda m: m.get_weights(), "on_train_batch_begin", batch_size=32)


# self.model.evaluate inside a batch hook works, and training goes on
class _Evaluates(keras.callbacks.Callback):
    def on_train_batch_end(self, batch, logs=None):
        _seen.append(self.model.evaluate(x, y, verbose=0))


_seen, _m = [], new_model(0.05)
_m.fit(x, y, epochs=3, verbose=0, callbacks=[_Evaluates()])
assert len(_seen) == 3 and _seen[2] < _seen[1] < _seen[0]


# a metric that call updates: fit and evaluate fail, a plain call doesn't
class _Net(keras.Model):
    def __init__(self) -> None:
        super().__init__()
        self.dense = keras.layers.Dense(1)
        self.size = keras.metrics.Mean(name="size")

    def call(self, x):
        y_pred = self.dense(x)
        self.size.update_state(ops.abs(y_pred))
        return y_pred


class _MeasuredNet(_Net):
    def call(self, x):
        return self.dense(x)

    def compute_metrics(self, x, y, y_pred, sample_weight=None):
        self.size.update_state(ops.abs(y_pred))
        return super().compute_metrics(x, y, y_pred, sample_weight)


_net = _Net()
_net.compile(optimizer="sgd", loss="mse")
_net(x)
assert _net.size.count.value == 32
_net.predict(x, verbose=0)
assert _net.size.count.value == 32
_raises(TypeError, _none, lambda: _net.evaluate(x, y, verbose=0))
_net = _Net()
_net.compile(optimizer="sgd", loss="mse")
_raises(TypeError, _none, lambda: _net.fit(x, y, verbose=0))
_net = _MeasuredNet()
_net.compile(optimizer="sgd", loss="mse")
assert "size" in _net.fit(x, y, batch_size=16, verbose=0).history
assert _net.size.count.value == 32


# a weight that a layer writes in call comes back
class _Counts(keras.layers.Layer):
    def build(self, shape):
        self.seen = self.add_weight(
            shape=(), initializer="zeros", trainable=False
        )

    def call(self, x, training=False):
        if training:
            self.seen.assign(self.seen + ops.shape(x)[0])
        return x


_layer = _Counts()
_m = keras.Sequential([keras.Input((4,)), _layer, keras.layers.Dense(1)])
_m.compile(optimizer="sgd", loss="mse")
_m.fit(x, y, epochs=3, batch_size=8, verbose=0)
assert _layer.seen.value == 96


# %% after: train-step
assert loss < 0.005 and 46.5 < evaluation < 46.6


# with a metric list as it came, "loss" is 0 if it's the only key
class _SameMetrics(OwnStep):
    key = "loss"

    def train_step(self, state, data):
        y_pred, _ = self.stateless_call(*state[:2], data[0])
        return {self.key: ops.mean((data[1] - y_pred) ** 2)}, state


class _OtherKey(_SameMetrics):
    key = "mse"


class _TwoKeys(_SameMetrics):
    def train_step(self, state, data):
        logs, state = super().train_step(state, data)
        return logs | {"mse": logs["loss"]}, state


_four = np.array([[0], [0], [0], [10]], "float32")
_inputs = keras.Input((4,))
_seen = {}
for _kind in (OwnStep, _SameMetrics, _OtherKey, _TwoKeys):
    _outputs = keras.layers.Dense(1, kernel_initializer="zeros")(_inputs)
    _m = _kind(_inputs, _outputs)
    _m.compile(optimizer=keras.optimizers.SGD(0.0), loss="mse")
    _options = {"batch_size": 1, "epochs": 2, "shuffle": False, "verbose": 0}
    _log = _m.fit(np.ones((4, 4), "float32"), _four, **_options).history
    _seen[_kind] = _log
assert _seen[OwnStep] == {"loss": [25, 25]}  # the mean over each epoch
assert _seen[_SameMetrics] == {"loss": [0, 0]}
assert _seen[_OtherKey] == {"mse": [100, 100]}  # the last batch's
assert _seen[_TwoKeys] == {"loss": [100, 100], "mse": [100, 100]}


# the built-in step, wrapped, does the same as the step of one's own
class _Wraps(keras.Model):
    def train_step(self, state, data):
        logs, new_state = super().train_step(state, data)
        return logs | {"size": ops.size(data[0])}, new_state


_inputs = keras.Input((4,))
_m = _Wraps(_inputs, keras.layers.Dense(1)(_inputs))
_m.compile(optimizer="sgd", loss="mse")
assert _m.fit(x, y, verbose=0).history["size"] == [128]


# self(x) inside the step, and the form of TensorFlow and PyTorch
class _Calls(keras.Model):
    def train_step(self, state, data):
        return {"loss": ops.mean(self(data[0]))}, state


class _OneArgument(keras.Model):
    def train_step(self, data):
        return {}


for _kind, _words in ((_Calls, _none), (_OneArgument, "positional argument")):
    _m = _kind(_inputs, keras.layers.Dense(1)(_inputs))
    _m.compile(optimizer="sgd", loss="mse")
    _raises(TypeError, _words, lambda: _m.fit(x, y, verbose=0))


# a Python number that the step reads is that of the trace; a variable is read
class _Reads(keras.Model):
    def __init__(self, *args):
        super().__init__(*args)
        self.number = 0.0
        self.variable = keras.Variable(0.0, trainable=False)

    def train_step(self, state, data):
        pairs = zip(self.non_trainable_variables, state[1])
        now = [a for v, a in pairs if v is self.variable][0] * 1
        logs, new_state = super().train_step(state, data)
        number = ops.convert_to_tensor(self.number)
        return logs | {"number": number, "variable": now}, new_state


class _Sets(keras.callbacks.Callback):
    def on_epoch_begin(self, epoch, logs=None):
        self.model.number = float(epoch)
        self.model.variable.assign(float(epoch))


_m = _Reads(_inputs, keras.layers.Dense(1)(_inputs))
_m.compile(optimizer="sgd", loss="mse")
_log = _m.fit(x, y, epochs=3, verbose=0, callbacks=[_Sets()]).history
assert _log["number"] == [0, 0, 0] and _log["variable"] == [0, 1, 2]


# in the step, the variable itself is empty
class _ReadsItself(_Reads):
    def train_step(self, state, data):
        return {"loss": self.variable + 0}, state


_m = _ReadsItself(_inputs, keras.layers.Dense(1)(_inputs))
_m.compile(optimizer="sgd", loss="mse")
_raises(TypeError, _none, lambda: _m.fit(x, y, verbose=0))


# keep as well: turned off before the second epoch, it still keeps
class _TurnsOff(keras.callbacks.Callback):
    def on_epoch_begin(self, epoch, logs=None):
        self.model.keep = epoch == 0
        _seen.append(self.model.get_weights()[2].mean())


_seen = []
_normed = keras.layers.BatchNormalization(momentum=0.9)(_inputs)
_m = OwnStep(_inputs, keras.layers.Dense(1)(_normed))
_m.compile(optimizer="sgd", loss="mse")
_m.fit(x + 3, y, epochs=3, verbose=0, callbacks=[_TurnsOff()])
assert _seen[0] < _seen[1] < _seen[2] and not _m.keep


# %% after: interrupted-calls 2
def _with_layer(layer):
    dense = keras.layers.Dense(1)
    model = keras.Sequential([keras.Input((4,)), layer, dense])
    model.compile(optimizer="sgd", loss="mse")
    return model


# predict and evaluate take out the weights as fit does
for _kind in ("predict", "test", "train"):
    _seen, _m = [], new_model(0.05)
    _m.fit(x, y, verbose=0)
    _look = lambda *_, **__: _seen.append(_full(*_m.weights))
    _by = keras.callbacks.LambdaCallback(**{f"on_{_kind}_batch_end": _look})
    _call = {"test": _m.evaluate, "train": _m.fit, "predict": _m.predict}
    _data = (x,) if _kind == "predict" else (x, y)
    _call[_kind](*_data, verbose=0, callbacks=[_by])
    assert _seen == [[False, False]]
# a fit that is interrupted after a batch keeps that batch's result
_interrupted = 0
for _hook, _epochs in (("on_train_batch_end", 1), ("on_epoch_end", 3)):

    def _stop(model):
        raise KeyboardInterrupt

    _m = new_model(0.05)
    _by = keras.callbacks.LambdaCallback(**{_hook: lambda *_, **__: _stop(_m)})
    _raises(
        KeyboardInterrupt,
        "",
        lambda: _m.fit(x, y, batch_size=8, verbose=0, callbacks=[_by]),
    )
    assert all(_full(*_m.weights))
    _batches = {"on_train_batch_end": 1, "on_epoch_end": 4}[_hook]
    assert int(_m.optimizer.iterations.value) == _batches
    _m.fit(x, y, verbose=0)  # and goes on
    assert int(_m.optimizer.iterations.value) == _batches + 1
# an interrupted predict or evaluate has to be followed by a sync
for _call, _hook in (
    (lambda m, c: m.predict(x, verbose=0, callbacks=[c]), "predict"),
    (lambda m, c: m.evaluate(x, y, verbose=0, callbacks=[c]), "test"),
):
    _m = new_model(0.05)
    _m.fit(x, y, verbose=0)
    _old = _m.get_weights()
    _by = keras.callbacks.LambdaCallback(
        **{f"on_{_hook}_batch_end": lambda *_, **__: _stop(_m)}
    )
    _raises(KeyboardInterrupt, "", lambda: _call(_m, _by))
    assert not any(_full(*_m.weights))
    _m.jax_state_sync()
    assert (_m.get_weights()[0] == _old[0]).all()
# the wrong labels in a second fit do the same
_m = new_model(0.05)
_wrong = np.zeros((32, 3, 2), "float32")
_m.fit(x, y, verbose=0)
_raises(ValueError, "", lambda: _m.fit(x, _wrong, verbose=0))
assert not any(_full(*_m.weights))
# validation that fails costs nothing
_m = new_model(0.05)
_raises(
    ValueError,
    "",
    lambda: _m.fit(x, y, verbose=0, validation_data=(x[:, :3], y)),
)
assert all(_full(*_m.weights))


# an error in the running program, after donation, leaves deleted arrays
class _Fails(keras.layers.Layer):
    def call(self, x):
        spec = jax.ShapeDtypeStruct(x.shape, x.dtype)
        return jax.pure_callback(_check, spec, jax.lax.stop_gradient(x))

    def compute_output_shape(self, shape):
        return shape


def _check(a):
    assert np.isfinite(a).all(), "not finite"
    return np.asarray(a)


_m = _with_layer(_Fails())
_bad = x.copy()
_bad[20] = np.nan
import logging

logging.disable(logging.CRITICAL)
_raises(
    Exception,
    "not finite",
    lambda: _m.fit(_bad, y, batch_size=8, shuffle=False, verbose=0),
)
logging.disable(logging.NOTSET)
_raises(RuntimeError, "deleted", _m.get_weights)


# %% after: interrupted-calls
assert int(model.optimizer.iterations.value) == 1
# set_weights alone isn't enough for another fit: the optimizer is empty too
_m = new_model(0.05)
_m.fit(x, y, verbose=0)
_old = _m.get_weights()
_raises(ValueError, "", lambda: _m.fit(x, _wrong, verbose=0))
_m.set_weights(_old)
_m.predict(x, verbose=0)
_raises(TypeError, _none, lambda: _m.fit(x, y, verbose=0))
# and for predict not with Dropout, whose seed state stays lost
_m = _with_layer(keras.layers.Dropout(0.5))
_m.fit(x, y, verbose=0)
_old = _m.get_weights()
_raises(ValueError, "", lambda: _m.predict(x[:, :3], verbose=0))
_m.set_weights(_old)
_raises(TypeError, _none, lambda: _m.predict(x, verbose=0))


# %% after: issue-19054
assert model.get_weights()[0] == 0.25


# %% after: complete-cell
assert losses[0] > 80 and losses[-1] < 1e-3
# at a loss of nan the earlier guards do nothing, and this one steps in
_bad = np.where(np.arange(32)[:, None] == 20, np.nan, x).astype("float32")
for _kind in (SyncedGuard, Guard):
    model, _by = new_model(0.05), _kind()
    first = model.get_weights()
    model.fit(_bad, y, **schedule | {"epochs": 1}, callbacks=[_by])
    assert np.isnan(model.history.history["loss"])
    assert np.isfinite(model.get_weights()[0]).all() == (_kind is Guard)
    assert getattr(_by, "restored", 0) == 0
# set_weights leaves what the optimizer has gathered
_m = new_model(0.05)
_m.compile(optimizer=keras.optimizers.SGD(0.05, momentum=0.9), loss="mse")
_old = _m.get_weights()
_m.fit(x, y, verbose=0)
_before = [v.numpy() for v in _m.optimizer.variables]
_m.set_weights(_old)
assert all(map(np.array_equal, _before, _m.optimizer.variables))
assert abs(_before[2]).max() > 0


# at nan, moments undo what set_weights restores, unless they go back as well
class _Whole(Guard):
    def on_train_begin(self, logs=None):
        super().on_train_begin()
        self.own = [v.numpy() for v in self.model.optimizer.variables]

    def on_train_batch_end(self, batch, logs=None):
        if not logs["loss"] <= 100:
            for v, old in zip(self.model.optimizer.variables, self.own):
                v.assign(old)
        super().on_train_batch_end(batch, logs)


for _optimizer in (
    lambda: keras.optimizers.SGD(1e30, momentum=0.9),
    lambda: keras.optimizers.Adam(1e30),
):
    for _kind in (Guard, _Whole):
        _m = new_model(0.05)
        _m.compile(optimizer=_optimizer(), loss="mse")
        _m.fit(x, y, **settings, callbacks=[_kind()])
        _last = _m.history.history["loss"][-1]
        assert _last < 0.1 if _kind is _Whole else np.isnan(_last)


# %% after: callback-hooks
class _Evaluate(keras.callbacks.Callback):
    """Evaluate other examples in a hook, after the first batch."""

    def __init__(self, hook):
        super().__init__()
        setattr(self, hook, self.run)

    def run(self, number, logs=None):
        if number == 0:
            self.model.evaluate(_other_x, _other_y, verbose=0)


def _losses(rate, *callbacks):
    model = new_model(rate)
    options = {"batch_size": 16, "shuffle": False, "verbose": 0}
    history = model.fit(x, y, epochs=2, callbacks=callbacks, **options)
    return history.history["loss"], model.get_weights()[0]


_other_x, _other_y = x + 1, y + 3
_plain, _ = _losses(0.0)
# the weights are zeros: 32 evaluated examples and the second batch
_expected = np.mean(np.concatenate([_other_y, y[16:]]) ** 2)
_mixed, _ = _losses(0.0, _Evaluate("on_train_batch_end"))
assert len(x) == 32 and np.allclose(_mixed, _expected, rtol=1e-5)
assert not np.allclose(_mixed, _plain, rtol=0.01)
_after, _ = _losses(0.0, _Evaluate("on_epoch_end"))
assert np.allclose(_after, _plain, rtol=1e-6)
_weights = [
    _losses(0.1, *callbacks)[1]
    for callbacks in ((), (_Evaluate("on_train_batch_end"),))
]
assert (_weights[0] == _weights[1]).all() and _weights[0].any()
