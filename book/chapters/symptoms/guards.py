"""What this chapter says, in asserts for the tests alone."""

# %% after: immutable-array 1
assert _raised(
    "TypeError",
    "JAX arrays are immutable and do not support in-place item assignment",
)


# %% after: immutable-array
assert x.tolist() == [1, 0, 0]
assert _raises(
    "ValueError",
    "assignment destination is read-only",
    np.asarray(x).__setitem__,
    0,
    1,
)
_a = np.array(x)
_a[0] = 5
assert x[0] == 1
_y = x
_y += 1
assert x[0] == 1 and _y[0] == 2
assert _raises(
    "TypeError",
    "JAX arrays are immutable",
    jax.jit(lambda v: v.__setitem__(0, 1)),
    x,
)


# %% after: opt-state-of-another-model 1
assert _raised(
    "TypeError",
    "add got incompatible shapes for broadcasting: (4, 3), (4, 2).",
)


# %% after: opt-state-of-another-model
_words = "add got incompatible shapes for broadcasting: (3,), (2,)."
assert _raises("TypeError", _words, jnp.add, jnp.ones(3), jnp.ones(2))
assert (jnp.ones((2, 3)) + jnp.ones((1, 3))).shape == (2, 3)
assert (jnp.ones((4, 2)) * jnp.ones(4)[:, None]).shape == (4, 2)
assert _raises(
    "TypeError",
    "mul got incompatible shapes for broadcasting: (3,), (2,).",
    jnp.multiply,
    jnp.ones(3),
    jnp.ones(2),
)
assert _raises(
    "ValueError",
    "Incompatible shapes for broadcasting",
    jnp.add,
    jnp.ones((4, 2)),
    jnp.ones(4),
)
assert _raises(
    "TypeError",
    "dot_general requires contracting dimensions to have the same shape",
    jnp.matmul,
    jnp.ones((2, 3)),
    jnp.ones((2, 4)),
)
_tx = optax.adam(0.1)
_state, _new = _tx.init({"w": jnp.ones(2)}), {"w": jnp.ones(3)}
assert _raises("TypeError", _words, _tx.update, _new, _state, _new)
updates, _ = _tx.update(_new, _tx.init(_new), _new)
assert updates["w"].shape == (3,)
assert not _tx.init(_new)[0].mu["w"].any()


# %% after: nonconcrete-boolean-index 1
assert _raised(
    "NonConcreteBooleanIndexError", "Array boolean indices must be concrete"
)


# %% after: nonconcrete-boolean-index
_x = jnp.array([3.0, -1.0, 2.0])
assert _x[_x > 0].sum() == 5 == sum_of_positive(_x)
assert sum_of_positive(-jnp.ones(3)) == 0
assert jax.jit(lambda v: v.sum(where=v > 0))(_x) == 5
assert jax.jit(lambda v: v.mean(where=v > 0))(_x) == 2.5 == _x[_x > 0].mean()
assert jnp.where(_x > 0, _x, 0).mean() != 2.5


# %% after: tracer-bool-conversion 1
assert _raised(
    "TracerBoolConversionError", "Attempted boolean conversion of traced array"
)


# %% after: tracer-bool-conversion
assert keep_lower(2.0, 1.5) == 1.5 == keep_lower(1.5, 2.0)
assert jax.jit(jnp.logical_and)(True, True)
assert jax.jit(jnp.logical_or)(False, True)
assert jax.jit(jnp.logical_not)(False)
assert jax.jit(jnp.maximum)(1.0, 0.0) == 1
for _f in (
    lambda x: max(x, 0.0),
    lambda x: (x > 0) and (x < 1),
    lambda x: not (x > 0),
):
    assert _raises(
        "TracerBoolConversionError",
        "Attempted boolean conversion of traced array",
        jax.jit(_f),
        0.5,
    )
assert (
    jax.jit(lambda x, big: x + 1 if big else x, static_argnames="big")(
        1.0, True
    )
    == 2
)
assert (
    jax.jit(lambda b, v: lax.cond(v < b, lambda: v, lambda: b))(2.0, 1.5)
    == 1.5
)


# %% after: concretization-type 1
assert _raised(
    "ConcretizationTypeError",
    "Abstract tracer value encountered where concrete value is expected",
)


# %% after: concretization-type
assert float(jax.jit(lambda v: v.mean())(jnp.array([1.0, 3.0]))) == 2
_words = "Abstract tracer value encountered where concrete value is expected"
for _f in (lambda v: v.item(), lambda v: int(v), lambda v: jnp.arange(v)):
    assert _raises("ConcretizationTypeError", _words, jax.jit(_f), 4)


# %% after: tracer-integer-conversion 1
assert _raised(
    "TracerIntegerConversionError",
    "The __index__() method was called on traced array",
)


# %% after: tracer-integer-conversion
assert [int(power_of_two(n)) for n in (0, 1, 5)] == [1, 2, 32]
assert _raises(
    "TracerIntegerConversionError",
    "The __index__() method was called",
    jax.jit(lambda i: [1, 2][i]),
    1,
)
assert jax.jit(lambda i: jnp.array([1, 2])[i])(1) == 2
_mixed = [jnp.ones(2, "int32"), jnp.ones(2)]
assert jnp.stack(_mixed)[0].dtype == "float32" != _mixed[0].dtype
_loop = lambda w, n: lax.fori_loop(0, n, lambda _, v: w * v, 1.0)
assert _raises(
    "ValueError",
    "Reverse-mode differentiation does not work for lax.while_loop",
    jax.jit(jax.grad(_loop)),
    2.0,
    3,
)
assert jax.grad(_loop)(2.0, 3) == 12
assert _raises(
    "ConcretizationTypeError",
    "The `length` argument to `scan` expects a concrete `int` value",
    jax.jit(lambda n: lax.scan(lambda v, _: (2 * v, None), 1, length=n)),
    3,
)
_f = jax.jit(lambda n: sum(1 for _ in range(n)), static_argnames="n")
assert _f(3) == 3


# %% after: shapes-must-be-1d 1
assert _raised(
    "TypeError",
    "Shapes must be 1D sequences of concrete values of integer type",
)


# %% after: shapes-must-be-1d
assert jax.jit(jnp.zeros, static_argnums=0)(3).shape == (3,)
assert jax.jit(lambda x: jnp.zeros(x.shape[0]))(jnp.ones(3)).shape == (3,)
assert _raises(
    "TypeError",
    "Shapes must be 1D sequences of concrete values of integer type, got "
    "(2.0,)",
    lambda x: jnp.zeros(x.shape[0] / 2),
    jnp.ones(4),
)
assert jnp.zeros(jnp.ones(4).shape[0] // 2).shape == (2,)
assert _raises(
    "TypeError",
    "hapes must be 1D sequences of",
    jax.jit(lambda x, n: x.reshape(n, n)),
    jnp.ones(4),
    2,
)


# %% after: tracer-array-conversion 1
assert _raised(
    "TracerArrayConversionError",
    "The numpy.ndarray conversion method __array__() was called on traced "
    "array",
)


# %% after: tracer-array-conversion
_x = jnp.array([3.0, 4.0])
assert jax.jit(lambda x: jnp.sqrt((x**2).sum()))(_x) == 5
_f = jax.jit(lambda x: jax.pure_callback(np.cbrt, x, x))
assert jnp.allclose(_f(jnp.array([8.0])), 2)
assert _raises(
    "ValueError",
    "Pure callbacks do not support JVP",
    jax.grad(lambda x: _f(x).sum()),
    jnp.array([8.0]),
)


# %% after: unexpected-tracer 1
assert _raised(
    "UnexpectedTracerError",
    "Encountered an unexpected tracer",
    "A function transformed by JAX had a side effect",
    "The function being traced when the value leaked was",
)


# %% after: unexpected-tracer
_kept = []
jax.jit(lambda x: _kept.append(2 * x))(1.0)
assert _raises(
    "ConcretizationTypeError",
    "Abstract tracer value encountered",
    float,
    _kept[0],
)
assert _raises(
    "TracerArrayConversionError",
    "__array__() was called on traced array",
    np.asarray,
    _kept[0],
)
_kept.clear()


class _RunningSum:
    def __init__(self):
        self.total = jnp.float32(0)

    def add(self, x):
        self.total = self.total + x.sum()
        return self.total


_add = jax.jit(_RunningSum().add)
_add(jnp.ones(3))
assert _raises(
    "UnexpectedTracerError",
    "Encountered an unexpected tracer",
    _add,
    jnp.ones(2),
)
for _kind, _f in (  # vmap passes tracers without jit
    ("NonConcreteBooleanIndexError", lambda n: jnp.ones(2)[jnp.ones(2) > n]),
    ("TracerBoolConversionError", lambda n: 1 if n > 0 else 0),
    ("ConcretizationTypeError", lambda n: float(n)),
    ("TracerIntegerConversionError", lambda n: list(range(n))),
    ("TypeError", lambda n: jnp.zeros(n)),
    ("TracerArrayConversionError", lambda n: np.sqrt(n)),
):
    assert _raises(_kind, "", jax.vmap(_f), jnp.arange(2))
assert _raises("ConcretizationTypeError", "", jax.grad(float), 1.0)
assert _raises(
    "TracerArrayConversionError", "", jax.grad(lambda w: np.sqrt(w)), 1.0
)
assert jax.grad(lambda w: w if w > 0 else 0.0)(1.0) == 1
for _transform, _x in ((jax.grad, 1.0), (jax.vmap, jnp.ones(2))):
    _kept.clear()
    _transform(lambda x: (_kept.append(2 * x), x)[1])(_x)
    assert _raises(
        "UnexpectedTracerError",
        "Encountered an unexpected tracer",
        lambda: _kept[0] + 1,
    )
_kept.clear()


# %% after: pickled-tracer
from flax import linen as nn
from flax.training.train_state import TrainState as _TrainState

for _unsent in (
    nn.Dense(2),
    _TrainState.create(apply_fn=nn.Dense(2).apply, params={}, tx=tx),
):
    try:
        pickle.dumps(_unsent)
        raise AssertionError("can be sent")
    except (AttributeError, pickle.PicklingError):
        pass


# %% after: scan-carry-type 1
assert _raised(
    "TypeError",
    "scan body function carry input and carry output must have equal "
    "types, but they differ",
    "so the dtypes do not match",
)


# %% after: scan-carry-type
assert total == 1.5 and total.dtype == jnp.float32
_cast = lambda t, x: ((t + 0.5 * x).astype(t.dtype), None)
_int, _ = lax.scan(_cast, jnp.int32(0), jnp.arange(3))
assert _int == 1 and _int.dtype == jnp.int32
assert _raises(
    "TypeError",
    "so the shapes do not match",
    lax.scan,
    lambda s, x: (jnp.append(s, x), None),
    jnp.zeros(0),
    jnp.ones(3),
)
assert lax.scan(lambda s, x: (s + x, s), jnp.float32(0), jnp.ones(3))[
    1
].tolist() == [0, 1, 2]


# %% after: scan-carry-structure 1
assert _raised(
    "TypeError",
    "scan body function carry input and carry output must have the same "
    "pytree structure, but they differ",
    "so the numbers of children do not match",
)


# %% after: scan-carry-structure
assert state["total"] == 3 == state["n_steps"]
assert _raises(
    "TypeError",
    "is a <class 'dict'> with pytree metadata ('b',)",
    lax.scan,
    lambda s, x: ({"b": s["a"]}, None),
    {"a": 0.0},
    jnp.ones(3),
)
assert _raises(
    "TypeError",
    "so their Python types differ",
    lax.scan,
    lambda s, x: ([s[0]], None),
    (0.0,),
    jnp.ones(3),
)


def _trend(state, x):
    level, trend = state
    return (level + trend, x - level), level


_xs = jnp.arange(3.0)
for _words, _start in (
    ("iteration over a 0-d array", _xs[0]),
    ("so their Python types differ", jnp.zeros(2)),
    ("not enough values to unpack", jnp.zeros(1)),
    ("not enough values to unpack", (_xs[0],)),
):
    _kind = ValueError if "enough" in _words else TypeError
    assert _raises(_kind, _words, lax.scan, _trend, _start, _xs)
_levels = lax.scan(_trend, (_xs[0], _xs[1] - _xs[0]), _xs)[1]
assert _levels.tolist() == [0, 1, 1]
assert _raises(
    "TypeError",
    "scan body output must be a pair",
    lax.scan,
    lambda s, x: s + x,
    0.0,
    jnp.ones(3),
)


# %% after: scan-fixed-arguments 1
_scan = lambda fixed: lax.scan(lambda t, d: (t, None), 0.0, (fixed, xs))
assert _raises("IndexError", "tuple index out of range", _scan, params["w"][0])
assert _raises("ValueError", "no leading axis to scan over", _scan, 0)
_is_old = jax.__version_info__ < (0, 8)
_said = ("ValueError", "no leading axis to scan over")
_said = _said if _is_old else ("TypeError", "not a valid JAX type")
assert _raises(*_said, _scan, nn.Dense(2))
assert _raises(*_said, _scan, optax.sgd(0.1))


# %% after: while-loop-carry 1
assert _raised(
    "TypeError",
    "while_loop body function carry input and carry output must have equal "
    "types, but they differ",
)


# %% after: while-loop-carry
assert x == 0.625
assert _raises(
    "TypeError",
    "scan body function carry input and carry output must have equal types",
    lax.fori_loop,
    0,
    3,
    lambda i, v: v / 2,
    jnp.int32(8),
)
assert _raises(
    "TypeError",
    "while_loop body function carry input and carry output must have equal "
    "types",
    jax.jit(lambda n: lax.fori_loop(0, n, lambda i, v: v / 2, jnp.int32(8))),
    3,
)
assert lax.while_loop(lambda v: v > 1, lambda v: v / 2, 10) == 0.625


# %% after: cond-branches 1
assert _raised(
    "TypeError", "cond branches must have equal output types but they differ"
)


# %% after: cond-branches
assert _raised(
    "TypeError",
    "cond branch outputs must have the same pytree structure, but they differ",
)


# %% after: cond-branches
_state = {"loss": jnp.float32(1.5), "best": jnp.float32(2)}
assert (
    lax.cond(True, lambda s: s | {"best": s["loss"]}, lambda s: s, _state)[
        "best"
    ]
    == 1.5
)


# %% after: not-a-valid-jax-type 1
assert _raised(
    "TypeError",
    "Error interpreting argument to",
    "as an abstract array",
    "The problematic value is of type",
    "was passed to the function at path",
)


# %% after: not-a-valid-jax-type
assert _raised("TypeError", "of type <class 'str'> is not a valid JAX type")


# %% after: not-a-valid-jax-type
assert activate(jnp.array([-1.0, 2.0]), name="relu").tolist() == [0, 2]


class _Model:
    def __init__(self):
        self.w = jnp.float32(2)

    @jax.jit
    def loss(self, x):
        return self.w * x


assert _raises("TypeError", "at path self", _Model().loss, 1.0)
assert _raises(
    "TypeError", "as an abstract array", jax.jit(lambda m: m.w), _Model()
)
assert _raises(
    "TypeError", "as an abstract array", jax.jit(lambda f: f(1.0)), jnp.sin
)
_words = "of type <class 'str'> is not a valid JAX type"
assert _raises(
    "TypeError", _words, jax.vmap(lambda x, m: x), jnp.ones(3), "train"
)
assert _raises(
    "TypeError",
    _words,
    lax.scan,
    lambda s, x: (s, x),
    {"m": "train"},
    jnp.ones(3),
)
_unmapped = jax.vmap(lambda x, m: x, in_axes=(0, None))
assert _unmapped(jnp.ones(3), "train").shape == (3,)
assert _raises(
    "TypeError",
    "which is not a valid JAX type",
    jax.jit(lambda x: (x, "train")),
    1.0,
)


# %% after: non-hashable-static 1
assert _raised(
    "ValueError",
    "Non-hashable static arguments are not supported",
    "unhashable type: 'list'",
)


# %% after: non-hashable-static
assert reshape(jnp.arange(4), shape=(2, 2)).shape == (2, 2)
assert _raises(
    "ValueError",
    "unhashable type: 'dict'",
    jax.jit(lambda x, c: x, static_argnums=1),
    1.0,
    {"a": 1},
)
assert _raises(
    "ValueError",
    "Non-hashable static arguments are not supported",
    jax.jit(lambda x, c: x, static_argnums=1),
    1.0,
    jnp.ones(2),
)
from dataclasses import dataclass as _dataclass


@_dataclass(frozen=True)
class _Config:
    sizes: tuple


assert jax.jit(lambda x, c: x, static_argnums=1)(1.0, _Config((1, 2))) == 1
assert _raises(
    "ValueError",
    "Non-hashable static arguments are not supported",
    jax.jit(lambda x, c: x, static_argnums=1),
    1.0,
    _Config([1, 2]),
)


# %% after: static-arrays 1
_layer = Layer(jnp.ones(2), np.ones(2))
_apply = jax.jit(lambda layer: layer.w * layer.scale)
_apply(_layer), _apply(_layer)  # the same object
assert _raises(
    "ValueError",
    "The truth value of an array with more than one element is ambiguous",
    jax.tree.map,
    lambda a, b: a,
    _layer,
    Layer(jnp.ones(2), np.ones(2)),
)
_tuple = [Layer(jnp.ones(2), (1.0, factor)) for factor in (1.0, 2.0)]
assert [_layer.scale for _layer in map(jax.jit(lambda x: x), _tuple)] == [
    (1.0, 1.0),
    (1.0, 2.0),
]


# %% after: vmap-sizes 1
assert _raised(
    "ValueError",
    "vmap got inconsistent sizes for array axes to be mapped",
    "axis 0 of argument w",
)


# %% after: vmap-sizes
assert jax.vmap(predict, in_axes=(None, 0))(w, batch).tolist() == [3, 3, 3]
assert jax.vmap(predict)(w, batch[:2]).tolist() == [2, 4]  # no error, wrong
assert _raises(
    "ValueError",
    "vmap was requested to map its argument along axis 0, which implies that "
    "its rank should be at least 1",
    jax.vmap(predict),
    2.0,
    batch,
)
assert _raises(
    "ValueError",
    "most axes (2 of them) had size 3, e.g. axis 0 of argument x",
    jax.vmap(lambda w, x, y: y),
    w,
    batch,
    jnp.ones(3),
)
for _axes in (0, (0,), [0]):  # none of them reaches w
    assert _raises(
        "ValueError",
        "axis 0 of kwargs['w']",
        jax.vmap(lambda x, w: predict(w, x), in_axes=_axes),
        batch,
        w=w,
    )


# %% after: tree-children 1
assert _raised(
    "ValueError",
    "pytree structure error: different numbers of pytree children at key path"
    if jax.__version_info__ >= (0, 8)
    else "Dict key mismatch; expected keys",
)


# %% after: tree-children 1
def _says(new, old, f, *args):
    try:
        f(*args)
    except ValueError as error:
        assert new in str(error) or old in str(error), error
        return True
    raise AssertionError("nothing raised")


_p, _q = {"w": jnp.ones(2), "b": jnp.ones(2)}, {"w": jnp.ones(2)}
_r = {"kernel": jnp.ones(2)}
_children = "pytree structure error: different numbers of pytree children"
_tx = optax.adam(0.1)
assert _says(_children, "Dict key mismatch", _tx.update, _q, _tx.init(_p))
assert _says(_children, "Dict key mismatch", optax.apply_updates, _p, _q)
assert _says(
    "pytree structure error: different pytree metadata",
    "Dict key mismatch",
    _tx.update,
    _r,
    _tx.init(_q),
)
assert _says(
    "pytree structure error: different lengths of list",
    "List arity mismatch",
    jax.tree.map,
    jnp.add,
    [1, 2],
    [1, 2, 3],
)
assert jax.tree.structure(_p) != jax.tree.structure(_q)
assert _tx.update(_q, _tx.init(_q))


# %% after: tree-types 1
assert _raised(
    "ValueError",
    "pytree structure error: different types at key path"
    if jax.__version_info__ >= (0, 8)
    else "Expected tuple, got",
)


# %% after: tree-types
from typing import NamedTuple

from flax import nnx
from orbax.checkpoint import v1 as ocp

assert loaded == {"layers": (3.0, 4.0)}
_types = "pytree structure error: different types at key path"


def _again():
    class Moments(NamedTuple):
        mu: float

    return Moments(1.0)


def _registered():
    @jax.tree_util.register_pytree_node_class
    class State:
        def tree_flatten(self):
            return (1,), None

        @classmethod
        def tree_unflatten(cls, aux_data, children):
            return cls()

    return State()


assert _says(
    _types,
    "Named tuple type mismatch",
    jax.tree.map,
    jnp.add,
    _again(),
    _again(),
)
assert _says(
    _types,
    "Custom node type mismatch",
    jax.tree.map,
    jnp.add,
    _registered(),
    _registered(),
)
# the old words are still those of jax.tree.structure(a).flatten_up_to(b)
assert _raises(
    "ValueError",
    "Custom node type mismatch",
    jax.tree.structure(_registered()).flatten_up_to,
    _registered(),
)
assert _says(
    _types, "Expected None, got", jax.tree.map, jnp.add, {"b": None}, {"b": 1}
)
_add = partial(jax.tree.map, jnp.add)
assert _says(_types, "Expected dict, got", _add, {"b": {"w": 1}}, {"b": 1})
assert _says(_types, "Expected list, got", _add, [1.0], (1.0,))
_class = type(_again())
assert jax.tree.map(jnp.add, _class(1.0), _class(2.0)).mu == 3
assert jax.tree.map(jnp.add, {"b": 0.0}, {"b": 1.0}) == {"b": 1}
assert jax.tree.map(jnp.add, {"b": None}, {"b": None}) == {"b": None}
assert _raises(
    "TypeError",
    "NoneType",
    jax.tree.map,
    jnp.add,
    {"b": 1},
    {"b": None},
)


class _Saved(NamedTuple):
    mu: jax.Array


ocp.save(folder / "no-template", {"m": _Saved(jnp.ones(2)), "t": (1.0, 2.0)})
_loaded = ocp.load(folder / "no-template")
assert type(_loaded["m"]) is dict and type(_loaded["t"]) is list


# %% after: key-reuse 1
assert _raised(
    "KeyReuseError", "Previously-consumed key passed to jit-compiled function"
)


# %% after: key-reuse
assert weight != noise
with jax.debug_key_reuse(True):
    _k = jax.random.PRNGKey(0)
    assert jax.random.normal(_k) == jax.random.normal(_k)
assert "jax_debug_key_reuse" in jax.config.values


def _draw_twice(key):
    jax.random.normal(key, (5,))
    return jax.random.normal(key, (5,))


_draw_twice(jax.random.key(0))  # compiled without the check
with jax.debug_key_reuse(True):
    if jax.__version_info__ < (0, 8):
        assert _draw_twice(jax.random.key(0)).any()
        jax.clear_caches()
    assert _raises(
        "KeyReuseError", "Previously-consumed", _draw_twice, jax.random.key(0)
    )
    assert _raises(
        "KeyReuseError",
        "is already consumed",
        jax.jit(_draw_twice),
        jax.random.key(0),
    )


# %% after: legacy-and-typed-keys 1
assert _raised(
    "ValueError", "dtype=key<fry> is not a valid dtype for JAX type promotion"
)


# %% after: legacy-and-typed-keys
assert jax.random.normal(key) == jax.random.normal(jax.random.PRNGKey(1))
assert jax.random.key_data(key).tolist() == [0, 1]
assert _raises(
    "TypeError",
    "key<fry>[]",
    lax.cond,
    True,
    lambda: jax.random.key(0),
    lambda: jax.random.PRNGKey(0),
)
assert _raises(
    "TypeError",
    "uint32[2]",
    lax.scan,
    lambda k, _: (jax.random.key_data(k), None),
    jax.random.key(0),
    None,
    2,
)


# %% after: invalid-prng-key-data
assert _raised(
    "TypeError",
    "JAX encountered invalid PRNG key data: expected key_data to have "
    "ndim, shape, and dtype attributes",
)


# %% after: invalid-prng-key-data
assert _raises(
    "TypeError",
    "JAX encountered invalid PRNG key data: expected key_data.dtype = uint32",
    jax.random.normal,
    jnp.zeros(2),
)


# %% after: typed-key-to-numpy 1
assert _raised(
    "TypeError",
    "JAX array with PRNGKey dtype cannot be converted to a NumPy array",
)


# %% after: typed-key-to-numpy
np.savez(folder / "state.npz", key=jax.random.key_data(jax.random.key(7)))
_k = jax.random.wrap_key_data(np.load(folder / "state.npz")["key"])
assert _k == jax.random.key(7) and _k.dtype == jax.random.key(7).dtype
ocp.save(folder / "key", {"key": _k})
assert ocp.load(folder / "key", {"key": jax.random.key(0)})["key"] == _k


# %% after: grad-non-scalar 1
assert _raised(
    "TypeError",
    "Gradient only defined for scalar-output functions. Output had shape: "
    "(3,).",
)


# %% after: grad-non-scalar
assert _raises(
    "TypeError",
    "Gradient only defined for scalar-output functions. Output was (",
    jax.grad(lambda w: (w**2, {"w": w})),
    1.0,
)
assert jax.grad(lambda w: (w**2, {"w": w}), has_aux=True)(1.0)[0] == 2
assert _raises(
    "TypeError",
    "Output had shape: (1,)",
    jax.grad(lambda w: w**2),
    jnp.ones(1),
)


# %% after: grad-integer-input 1
assert _raised(
    "TypeError",
    "grad requires real- or complex-valued inputs (input dtype that is a "
    "sub-dtype of np.inexact), but got int32",
)


# %% after: grad-integer-input
_f = lambda params: (params["w"] + params["b"]) ** 2
assert _raises(
    "TypeError",
    "but got key<fry>",
    jax.grad(lambda s: s["w"]),
    {"w": 1.0, "key": jax.random.key(0)},
)
assert jax.grad(lambda w, n: w * n)(3.0, 2) == 2
_int = jax.grad(_f, allow_int=True)({"w": 3.0, "b": 0})
assert _int["b"].dtype == jax.dtypes.float0  # no gradient


# %% after: unexpected-tracer-causes 1
_raised("UnexpectedTracerError", "Encountered an unexpected tracer")


# %% after: unexpected-tracer-causes 3
_raised("UnexpectedTracerError", "traced for scan")


# %% after: unexpected-tracer-causes
_h = partial(jax.custom_vjp, nondiff_argnums=(0,))(lambda a, x: a * x)
_h.defvjp(lambda a, x: (a * x, None), lambda a, r, g: (a * g,))
_raises(
    "UnexpectedTracerError",
    "passed as an argument to a custom_vjp function",
    jax.grad(
        lambda x: lax.scan(lambda c, a: (_h(a, c), None), x, jnp.ones(3))[0]
    ),
    2.0,
)


def _closed(w):
    @jax.custom_vjp
    def f(x):
        return x * w

    f.defvjp(lambda x: (x * w, None), lambda _, g: (2 * g,))
    return f(1.0)


def _passed(w):
    @jax.custom_vjp
    def f(x, w):
        return x * w

    f.defvjp(lambda x, w: (x * w, x), lambda x, g: (2 * g, g * x))
    return f(1.0, w)


_raises("UnexpectedTracerError", "unexpected tracer", jax.grad(_closed), 2.0)
assert jax.grad(_passed)(2.0) == 1.0


# %% after: manual-axes 1
_text = str(_sys.last_value)
_raised("TypeError", "scan body function", "manual ax", "do not match")
assert ("{V:i}" in _text and "manual axis types" in _text) or (
    "{i}" in _text and "varying manual axes" in _text
)


# %% after: manual-axes
if hasattr(lax, "pcast"):
    _f = lambda x: lax.scan(
        lambda t, v: (t + v, None),
        lax.pcast(jnp.float32(0), ("i",), to="varying"),
        x,
    )[0][None]
    assert shard_map(_f, out_specs=P("i"))(jnp.arange(8.0))[0] == 28
    assert not hasattr(lax, "pvary"), "removed in JAX 0.10"
_raises(
    "TypeError",
    "cond branches",
    shard_map(
        lambda x: lax.cond(x.sum() > 0, lambda: x, lambda: jnp.zeros(8)),
        out_specs=P("i"),
    ),
    jnp.arange(8.0),
)
jax.shard_map(
    lambda x: lax.scan(lambda t, v: (t + v, None), jnp.float32(0), x)[0][None],
    mesh=mesh,
    in_specs=P("i"),
    out_specs=P("i"),
    check_vma=False,
)(jnp.arange(8.0))


# %% after: cond-opt-state 1
_raised(
    "TypeError",
    "cond branch outputs must have the same pytree structure",
    "their Python types differ",
)
assert jax.tree.structure(loaded) != jax.tree.structure(tx.init(params))


# %% after: grad-while-loop 1
_raised(
    "ValueError",
    "Reverse-mode differentiation does not work for lax.while_loop or lax.fori_loop",
)
assert jax.grad(lambda x: power(x, 3))(2.0) == 12


# %% after: grad-while-loop
assert jax.jit(jax.grad(power))(2.0, 3) == 12


# %% after: init-unexpected-keyword 1
_raised("TypeError", "__init__() got an unexpected keyword argument 'w'")
_raises("TypeError", "unexpected keyword", jax.jit(lambda d: d.w), Layer(2))
_raises("TypeError", "unexpected keyword", Layer, w=jnp.ones(2))


# %% after: in-axes-none 1
_raised(
    "ValueError",
    "vmap in_axes specification must be a tree prefix of the corresponding value",
)
assert len(jax.tree.leaves(Model(None, 0), is_leaf=lambda x: x is None)) == 1


# %% after: in-axes-none
assert len(jax.tree.leaves(Model(None, 0), is_leaf=lambda x: x is None)) == 2


# %% after: key-array 1
_raised(
    "ValueError",
    "normal accepts a single key, but was given a key array of shape (3,)",
)
_raises(
    "ValueError",
    "accepts a single key, but was given a key array of shape (3, 2)",
    jax.random.normal,
    jax.random.split(jax.random.PRNGKey(0), 3),
)
assert jnp.shape(keys) == (3,) and jnp.shape(keys[0]) == ()


# %% after: older-messages
assert not hasattr(jax.ops, "index_update")
assert not hasattr(jax, "DeviceArray")
assert issubclass(jax.errors.JaxRuntimeError, RuntimeError)
_loop = lambda x: lax.while_loop(lambda c: c < 9, lambda c: c * x, x)
assert jax.jvp(_loop, (3.0,), (1.0,)) == (9, 6)  # forward mode, which failed
import equinox as _eqx

assert not hasattr(_eqx, "experimental")
_make = _eqx.nn.make_with_state(_eqx.nn.BatchNorm)
_norm, _state = _make(2, axis_name="batch", mode="batch")
_loaded = (jnp.array([1.0, 2.0]), jnp.array([4.0, 9.0]))
_state = _state.set(_norm.batch_state_index, _loaded)
for _got, _put in zip(_state.get(_norm.batch_state_index), _loaded):
    assert (_got == _put).all()
_x = jnp.array([3.0, 5.0])
_y, _ = _eqx.nn.inference_mode(_norm)(_x, _state)
assert jnp.allclose(_y, 1.0, atol=1e-4)  # (3 - 1) / 2, (5 - 2) / 3


# %% after: scan-carry-structure
class _Cached:  # as a distribution that keeps what it has computed
    def __init__(self, scale, log=None):
        self.scale, self.log = scale, log


jax.tree_util.register_pytree_node(
    _Cached, lambda d: ((d.scale, d.log), None), lambda _, c: _Cached(*c)
)


def _use(d, x):
    d.log = jnp.log(d.scale) if d.log is None else d.log
    return d, x * d.log


assert _raises(
    "TypeError",
    "must have the same pytree structure",
    lax.scan,
    _use,
    _Cached(jnp.float32(2)),
    jnp.ones(3),
)


# %% after: unexpected-tracer-causes 1
class _Prior:
    @functools.cached_property
    def log(self):
        return jnp.log(jnp.ones(2))


_prior = _Prior()
jax.jit(lambda x: x * _prior.log)(1.0)
assert _raises("UnexpectedTracerError", "", lambda: _prior.log + 1)
assert jax.jit(lambda x: x * _Prior().log)(1.0).tolist() == [0, 0]


# %% after: name-rebound 1
assert _raised("TypeError", "Expected a callable value, got 4.0")


# %% after: name-rebound
assert _raises("TypeError", "ArrayImpl' object is not callable", loss, params)
assert _raises(
    "TypeError",
    "'DynamicJaxprTracer' object is not callable",
    jax.jit(lambda loss, params: loss(params)),
    loss,
    params,
)


# %% after: unexpected-tracer-causes 3
# under jit instead of scan
_raises(
    "TypeError",
    "No constant handler for type",
    jax.grad(jax.jit(scale), argnums=1),
    2.0,
    3.0,
)


# %% after: tracer-bool-conversion
import optax as _optax

_w = {"w": jnp.ones((4, 4))}
for _static in ((), ("min_dim_size_to_factor",)):
    _make = _optax.inject_hyperparams(_optax.adafactor, static_args=_static)
    _tx = _make(learning_rate=0.1)
    _state = _tx.init(_w)  # no error without jit
    _tx.update(_w, _state, _w)
    for _f, _inputs in ((_tx.init, (_w,)), (_tx.update, (_w, _state, _w))):
        if _static:
            jax.jit(_f)(*_inputs)
        else:
            assert _raises(
                "TracerBoolConversionError",
                "Attempted boolean conversion of traced array",
                jax.jit(_f),
                *_inputs,
            )


# %% after: tracer-bool-conversion
import equinox as _eqx


class _Actor(_eqx.Module):
    linear: _eqx.nn.Linear
    dropout: _eqx.nn.Dropout

    def __call__(self, x, key):
        return self.dropout(self.linear(x), key=key)


_keys, _x = jax.random.split(jax.random.key(0), 3), jnp.ones(2)
_actor = _Actor(_eqx.nn.Linear(2, 2, key=_keys[0]), _eqx.nn.Dropout(0.5))
_call = lambda actor: actor(_x, _keys[0])
_step = lambda actor, key: (actor, actor(_x, key))
for _failing in (
    lambda: jax.jit(_call)(_actor),
    lambda: lax.scan(_step, _actor, _keys),
):
    assert _raises(
        "TracerBoolConversionError", "actor.dropout.inference", _failing
    )
assert _eqx.filter_jit(_call)(_actor).shape == (2,)
_arrays, _rest = _eqx.partition(_actor, _eqx.is_array)
_arrays, _y = lax.scan(
    lambda arrays, key: (arrays, _eqx.combine(arrays, _rest)(_x, key)),
    _arrays,
    _keys,
)
assert _y.shape == (3, 2)


# %% after: unexpected-tracer-causes
import dataclasses as _dataclasses


@jax.tree_util.register_dataclass
@_dataclasses.dataclass
class _Layer:
    w: jax.Array
    f: object = _dataclasses.field(metadata=dict(static=True))


class _Inner:
    def __init__(self, w):
        self.w = w

    def forward(self, x):
        return self.w * x


for _make in (
    lambda w: _Layer(w, lambda x: w * x),
    lambda w: _Layer(w, _Inner(w).forward),
):
    _layer = _make(jnp.float32(2))
    assert jax.grad(lambda l: l.f(3.0))(_layer).w == 0
    assert _dataclasses.replace(_layer, w=jnp.float32(5)).f(1.0) == 2
    assert _raises("UnexpectedTracerError", "", jax.jit(_make)(2.0).f, 3.0)


class _Distribution:  # a pytree, with a method that looks up
    def __init__(self, inner):
        self.inner = inner

    def forward(self, x):
        return self.inner * x


jax.tree_util.register_pytree_node(
    _Distribution,
    lambda d: ((d.inner,), None),
    lambda _, children: _Distribution(*children),
)
assert jax.jit(_Distribution)(2.0).forward(3.0) == 6
_layer = jax.jit(lambda w: _Layer(w, jnp.multiply))(2.0)
assert _layer.f(_layer.w, 3.0) == 6
assert jax.grad(lambda l: l.f(l.w, 3.0))(_layer).w == 3


# %% after: key-array
from flax import nnx as _nnx


class _Dropped(_nnx.Module):
    def __init__(self, rngs):
        self.linear = _nnx.Linear(4, 4, rngs=rngs)
        self.dropout = _nnx.Dropout(0.5, rngs=rngs)

    def __call__(self, x):
        return self.linear(self.dropout(x))


def _stacked():
    return _nnx.split_rngs(splits=3)(_nnx.vmap(_Dropped))(_nnx.Rngs(0))


def _scanned(axes):
    options = {"in_axes": (_nnx.Carry, axes), "out_axes": _nnx.Carry}
    return _nnx.scan(lambda x, m: m(x), **options)


_carry = _nnx.StateAxes({_nnx.RngState: _nnx.Carry, ...: 0})
for _f in (_nnx.split_rngs(splits=3)(_scanned(0)), _scanned(_carry)):
    assert _raises(
        "ValueError",
        "fold_in accepts a single key, but was given a key array of shape (3,)",
        _f,
        jnp.ones(4),
        _stacked(),
    )
assert _scanned(0)(jnp.ones(4), _stacked()).shape == (4,)


# %% after: pickled-tracer
import os as _os
import warnings as _warnings

with _warnings.catch_warnings(record=True) as _found:
    _warnings.simplefilter("always")
    _child = _os.fork()
    if _child == 0:
        _os._exit(0)
_os.waitpid(_child, 0)
assert any("os.fork() was called" in str(w.message) for w in _found)


# %% after: immutable-array
_write = lambda x, i: x.at[i].set(1.0)
_donating = jax.jit(_write, donate_argnums=0)
_loop = jax.jit(lambda x: lax.fori_loop(0, 9, lambda i, x: _write(x, i), x))
_large = jax.block_until_ready(jnp.copy(jnp.zeros(10_000)))
for _f, _alias in ((jax.jit(_write), 0), (_donating, 40_000)):
    _sizes = _f.lower(_large, 0).compile().memory_analysis()
    assert _sizes.alias_size_in_bytes == _alias
    _place = _large.unsafe_buffer_pointer()
    _new = _f(_large, 0)
    assert (_new.unsafe_buffer_pointer() == _place) == bool(_alias)
assert _loop(_new).sum() == 9
_sizes = _loop.lower(_new).compile().memory_analysis()
assert _sizes.temp_size_in_bytes < 40_000  # nine writes, no copy between


# %% after: scan-carry-structure
_from_none = lambda step: lax.scan(step, None, jnp.arange(3))
for _step in (lambda c, x: (0, x), lambda c, x: (x, c)):
    assert _raises(
        "TypeError",
        "is a <class 'NoneType'> but the corresponding component of the carry "
        "output is a <class 'jax._src.core.ShapedArray'>, so their Python "
        "types differ",
        _from_none,
        _step,
    )
assert _from_none(lambda c, x: (None, 2 * x))[1].tolist() == [0, 2, 4]


# %% after: tracer-array-conversion
import os as _os

_os.environ["KERAS_BACKEND"] = "jax"
import keras as _keras

_layers = [_keras.Input((2,)), _keras.layers.Dense(1)]
_model = _keras.Sequential(_layers)
_model.compile("sgd", "mse")
_x = jnp.ones((4, 2))
for _f in (
    lambda x: _model.predict(x, verbose=0).sum(),
    lambda x: _model.evaluate(x, x[:, :1], verbose=0),
):
    for _of in (jax.jit, jax.grad):
        assert _raises("TracerArrayConversionError", "", _of(_f), _x)
_values = lambda: [
    [v.value for v in variables]
    for variables in (
        _model.trainable_variables,
        _model.non_trainable_variables,
    )
]
_call = jax.jit(lambda x: _model(x, training=False))
_pure = jax.jit(
    lambda t, n, x: _model.stateless_call(t, n, x, training=False)[0]
)
_before = _call(_x)
assert jnp.allclose(_before, _pure(*_values(), _x))
_model.set_weights([w + 1 for w in _model.get_weights()])
assert jnp.array_equal(_call(_x), _before)  # constants
assert jnp.allclose(_pure(*_values(), _x), _before + 3)


# %% after: not-a-valid-jax-type
import keras as _keras


class _Net(_keras.Model):
    def __init__(self, inputs):
        super().__init__()
        self.inputs_seen = inputs
        self.dense = _keras.layers.Dense(1)

    def call(self, inputs):
        return self.dense(inputs["x"])


_ones = np.ones((4, 1), "float32")
_first = jax.jit(lambda tree: jax.tree.leaves(tree)[0])
_layer = _keras.layers.Dense(1)
_layer.inner = {"x": {"y": _ones}}
for _held, _name in (
    (_Net({"x": _ones}).inputs_seen, "TrackedDict"),
    (_Net([_ones]).inputs_seen, "TrackedList"),
    (_layer.inner, "TrackedDict"),
    (dict(_layer.inner), "TrackedDict"),  # the inner one
):
    assert _raises("TypeError", _name, _first, _held)
assert _first(dict(_Net({"x": _ones}).inputs_seen)).shape == (4, 1)
assert _first(list(_Net([_ones]).inputs_seen)).shape == (4, 1)
_fit = lambda net, inputs: net.fit(inputs, _ones, verbose=0)
_predict = lambda net, inputs: net.predict(inputs, verbose=0)
for _f, _kind, _words in (
    (_fit, "RuntimeError", "Unable to automatically build the model"),
    (_predict, "TypeError", "Error interpreting argument to"),
):
    _net = _Net({"x": _ones})
    _net.compile("sgd", "mse")
    assert _raises(_kind, _words, _f, _net, _net.inputs_seen)
    _net = _Net({"x": _ones})
    _net.compile("sgd", "mse")
    _f(_net, dict(_net.inputs_seen))  # builds the model
    _words = "Error interpreting argument to"
    assert _raises("TypeError", _words, _f, _net, _net.inputs_seen)


# %% after: older-messages
import keras as _keras

for _old in ("set_value", "get_value"):
    assert not hasattr(_keras.backend, _old)


class _Stop(_keras.callbacks.Callback):  # a rate of 0 after one batch
    def on_train_batch_begin(self, batch, logs=None):
        self.model.optimizer.learning_rate = 0.0 if batch else 0.1


_one = _keras.layers.Dense(1, kernel_initializer="ones", use_bias=False)
_model = _keras.Sequential([_keras.Input((1,)), _one])
_model.compile(_keras.optimizers.SGD(0.5), "mse")
_data, _options = np.ones((4, 1)), {"batch_size": 1, "verbose": 0}
_model.fit(_data, 0 * _data, callbacks=[_Stop()], **_options)
assert np.allclose(_model.get_weights()[0], 0.8)  # 1 - 0.1 * 2
assert float(_model.optimizer.learning_rate) == 0
_rate = _model.optimizer.learning_rate
_model.optimizer.learning_rate = 0.01
assert np.isclose(float(_rate), 0.01)
_rate.assign(0.25)
assert _rate.numpy() == 0.25
assert float(_model.optimizer.learning_rate) == 0.25


# %% after: scan-carry-type
_rows = jnp.ones((4, 3))
_minus = lambda i, carry: carry - _rows[i]
_sum = 0
for _i in range(4):
    _sum = _minus(_i, _sum)
assert _sum.tolist() == [-4, -4, -4]
_in_scan = lambda init: lax.scan(
    lambda carry, i: (_minus(i, carry), None), init, jnp.arange(4)
)[0]
for _zero in (0, 0.0, jnp.float32(0), np.float32(0)):
    for _loop in (lambda init: lax.fori_loop(0, 4, _minus, init), _in_scan):
        assert _raises(
            "TypeError",
            "scan body function carry input and carry output must have equal",
            _loop,
            _zero,
        )
        assert _raises("TypeError", "shapes do not match", _loop, _zero)
        assert _loop(jnp.zeros(3)).tolist() == [-4, -4, -4]


# %% after: tree-types
_p = {"w": jnp.ones(3)}
_u, _ = optax.sgd(0.1).update(jnp.ones(4), optax.sgd(0.1).init(_p), _p)
assert _says(_types, "Expected dict, got", optax.apply_updates, _p, _u)


# %% after: tracer-array-conversion
class _Box:
    @partial(jax.jit, static_argnums=0)
    def double(self, x):
        self.cache = 2 * x
        return self.cache


def _in_global(x):
    global _left
    _left = 2 * x
    return x


def _outside(call, read):  # the NumPy call stands outside
    result = call(jnp.arange(3.0))
    return (
        _raises(
            "TracerArrayConversionError",
            "The numpy.ndarray conversion method __array__() was called on traced "
            "array",
            lambda: np.array(read()),
        )
        and np.array(result).tolist()
    )


_box, _list = _Box(), []
assert _outside(_box.double, lambda: _box.cache) == [0, 2, 4]
assert _outside(jax.jit(_in_global), lambda: _left) == [0, 1, 2]
for _of in (jax.jit, jax.vmap, jax.grad):
    _list.clear()
    _f = _of(lambda x: (_list.append(x), 2 * x.sum())[1])
    assert _outside(_f, lambda: _list[0])
_box.cache = _box.double(jnp.arange(3.0))  # returned, the caller stores it
assert np.array(_box.cache).tolist() == [0, 2, 4]
