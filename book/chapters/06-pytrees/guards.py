"""What this chapter says, in asserts for the tests alone."""


# %% after: leaves-and-tree-structure 3
def _fails(error, function, *args, **options):
    try:
        function(*args, **options)
    except error:
        return True
    return False


# %% after: leaves-and-tree-structure 3
_m = jax.tree.map(lambda g, m: type(m).__name__, grads, momentum)
assert _m == {"bias": "tuple", "weight": "tuple"}

# the update failed at bias, the first leaf, and never got to weight
_calls = []


def _logged(g, m):
    _calls.append((g.shape, jax.tree.map(jnp.shape, m)))
    return 0.9 * m + g


assert _fails(TypeError, jax.tree.map, _logged, grads, momentum)
assert _calls == [((3,), ((3,),))]


# %% after: leaves-and-tree-structure 3
assert [m.shape for m in jax.tree.leaves(momentum)] == [(3,), (2,), (3,)]


# %% after: leaves-and-tree-structure 3
assert isinstance(momentum["weight"], tuple)


# %% after: leaves-and-tree-structure 4
# a tuple used as a container passes is_shape, too
_two = {"w": (2,)}, {"w": (3,)}
assert _fails(TypeError, jax.tree.map, jnp.zeros, _two, is_leaf=is_shape)


# %% after: leaves-and-tree-structure 4
half = jax.tree.map(jnp.zeros_like, {"w": jnp.ones(2, jnp.bfloat16)})
assert half["w"].dtype == jnp.bfloat16


# %% after: leaves-and-tree-structure 4
assert jax.tree.structure(momentum) == jax.tree.structure(params)


# %% after: leaves-and-tree-structure 4
from typing import NamedTuple


class _Shapes(NamedTuple):
    weight: tuple
    bias: tuple


_made = jax.tree.map(jnp.zeros, _Shapes((2, 3), (3,)), is_leaf=is_shape)
assert _made.weight.shape == (2, 3) and _made.bias.shape == (3,)


# %% after: leaves-and-tree-structure 4
# a shape that is a list isn't stopped at
assert len(jax.tree.leaves({"w": [2, 3]}, is_leaf=is_shape)) == 2


# %% after: leaves-and-tree-structure
# types are matched exactly: subclasses that aren't registered are leaves
class _Dict(dict):
    pass


class _List(list):
    pass


class _Tuple(tuple):
    pass


for _sub in (_Dict(a=1, b=2), _List([1, 2]), _Tuple((1, 2))):
    assert len(jax.tree.leaves(_sub)) == 1
assert len(jax.tree.leaves(jnp.ones(3))) == 1


# %% after: leaves-and-tree-structure
_n = []


@jax.jit
def _total(xs):
    _n.append(1)
    return sum(xs)


for k in (1, 2, 3):
    _total([1.0] * k)
assert len(_n) == 3


# %% after: leaves-and-tree-structure
# tree functions take strings, jit doesn't
assert jax.tree.map(str.upper, ["relu"]) == ["RELU"]
try:
    jax.jit(lambda t: 0)(["relu"])
except TypeError:
    pass
else:
    raise AssertionError
assert jax.jit(lambda name: 0, static_argnums=0)("relu") == 0


# %% after: flatten-and-unflatten 1
assert jax.tree.structure(doubled) == treedef


# %% after: flatten-and-unflatten 1
assert len(leaves) == 3 and treedef.num_leaves == 3


# %% after: flatten-and-unflatten 1
for _wrong in (leaves[:2], leaves + [0]):
    assert _fails(ValueError, jax.tree.unflatten, treedef, _wrong)


# %% after: flatten-and-unflatten 1
# unflatten doesn't look at what a leaf is
assert jax.tree.unflatten(treedef, ["a", "b", "c"])["step"] == "c"


# %% after: flatten-and-unflatten 2
assert [*jax.tree.map(lambda d: d, depths)] == ["layer1", "layer10", "layer2"]


# %% after: flatten-and-unflatten
from collections import OrderedDict

_one, _other = OrderedDict(one), OrderedDict(other)
assert jax.tree.structure(_one) != jax.tree.structure(_other)
try:
    jax.tree.leaves({"layer": 1, 0: 2})
except ValueError as error:
    assert "Comparator raised exception while sorting" in str(error)
else:
    raise AssertionError


# %% after: flatten-and-unflatten
# under jit and grad a loop over a dict is in sorted order from the first call
_P = {"layer2": jnp.float32(2), "layer10": jnp.float32(3)}


def _model(p, x):
    for name, value in p.items():
        x = x * value if name == "layer2" else x + value
    return x


assert _model(_P, 1.0) == 5
assert jax.jit(_model)(_P, 1.0) == 8 == jax.value_and_grad(_model)(_P, 1.0)[0]
assert jax.vmap(_model, in_axes=(None, 0))(_P, jnp.ones(1)) == 8

# grad doesn't sort an argument that it doesn't differentiate
_orders = []


def _ordered(p, b):
    _orders.append([list(p), list(b)])
    return p["w"] * b["a"]


_args = {"w": 1.0, "b": 2.0}, {"z": 3.0, "a": 4.0}
jax.grad(_ordered)(*_args)
jax.jit(_ordered)(*_args)
assert _orders == [[["b", "w"], ["z", "a"]], [["b", "w"], ["a", "z"]]]


# %% after: flatten-and-unflatten
assert list(jax.jit(lambda t: t)({"weight": 1, "bias": 2})) == [
    "bias",
    "weight",
]


# %% after: flatten-and-unflatten
assert jax.tree.structure({"a": 1}) != jax.tree.structure(OrderedDict(a=1))
# equal keys aren't enough: what's below them counts, too
assert jax.tree.structure({"a": [1]}) != jax.tree.structure({"a": (1,)})


# %% after: flatten-and-unflatten
assert jax.tree.leaves({10: "ten", 2: "two"}) == ["two", "ten"]


# %% after: flatten-and-unflatten
assert jax.tree.leaves(OrderedDict(b=1, a=2)) == [1, 2]


# %% after: tree-map 1
assert (
    jax.tree.leaves(jax.tree.map(lambda x: None, {"a": 1.0, "b": 2.0})) == []
)


# %% after: tree-map 1
assert jax.tree.structure(grads) == jax.tree.structure(params)


# %% after: tree-map 1
_new = sgd(params, grads, 0.25)
assert _new["weight"].tolist() == [1, 1.5] and _new["bias"] == -0.25


# %% after: tree-map 1
_layers = [params, (params, [params])]
_moved = sgd(_layers, jax.tree.map(jnp.ones_like, _layers), 0.5)
assert jax.tree.structure(_moved) == jax.tree.structure(_layers)
assert _moved[1][1][0]["weight"].tolist() == [1.5, 2.5]


# %% after: tree-map 1
assert not hasattr(jax, "tree_map")


# %% after: tree-map 1
assert jax.tree_util.tree_map(lambda x: 2 * x, [1]) == [2]


# %% after: tree-map 1
assert jax.tree.map(lambda x: (x, -x), {"a": 1}) == {"a": (1, -1)}


# %% after: tree-map
_parts = [jnp.ravel(g) ** 2 for g in jax.tree.leaves(grads)]
assert jnp.concatenate(_parts).tolist() == [9, 16, 36]


# %% after: tree-map
def _all(g):
    return jax.tree.all(jax.tree.map(lambda x: jnp.isfinite(x).all(), g))


try:
    jax.jit(_all)(grads)
except jax.errors.TracerBoolConversionError:
    pass
else:
    raise AssertionError
assert type(_all(grads)) is bool
# under grad alone, a tracer has a value that Python can branch on
assert jax.grad(lambda x: 2 * x if _all([x]) else x)(1.0) == 2
assert jax.grad(lambda x: 2 * x if bool(x) else x)(1.0) == 2
assert jax.jit(lambda g: jax.tree.reduce(jnp.logical_and, g))(finite)


# %% after: tree-map
assert sum(leaf.size for leaf in jax.tree.leaves(params)) == 3


# %% after: tree-map
_bad = {**grads, "bias": jnp.float32(jnp.nan)}
assert not jax.tree.all(jax.tree.map(lambda g: jnp.isfinite(g).all(), _bad))


# %% after: none-is-structure 1
assert _fails(TypeError, lambda: 10 * None)


# %% after: none-is-structure 1
assert jax.tree.map(lambda a, b: (a, b), [1, 2], [1, None]) == [
    (1, 1),
    (2, None),
]


# %% after: none-is-structure 1
_first = lambda a, b: a
assert _fails(ValueError, jax.tree.map, _first, [1, None], [1, 2])


# %% after: none-is-structure 3
assert len(traces) == 2


# %% after: none-is-structure 3
_again, _ = step(new_state, grads)
assert len(traces) == 2


# %% after: none-is-structure
_s, _grown = state, []
for _ in range(3):
    _s, _ = step(_s, grads)
    _grown.append(_s["momentum"]["bias"])
assert np.allclose(_grown, [3, 5.7, 8.13])


# %% after: none-is-structure
_late, _ = step({**state, "momentum": None}, grads)
_early, _ = step(state, grads)
assert jax.tree.all(jax.tree.map(jnp.array_equal, _late, _early))


# %% after: none-is-structure
_n = []


@jax.jit
def _step(state):
    _n.append(1)
    return step(state, grads)[0]


_s = state
for _ in range(3):
    _s = _step(_s)
assert len(_n) == 1


# %% after: key-paths 1
for _path, _leaf in jax.tree.leaves_with_path(state):
    assert eval("state" + keystr(_path)) is _leaf
_short = [
    keystr(_path, simple=True, separator="/")
    for _path, _ in jax.tree.leaves_with_path(state)
]
assert _short[2] == "params/bias"
_mixed_keys = [(1.0, {"a": 2.0}), {7: [4.0]}, _Shapes(5.0, 6.0)]
for _path, _leaf in jax.tree.leaves_with_path(_mixed_keys):
    assert eval("_mixed_keys" + keystr(_path)) is _leaf


# %% after: key-paths
_path, _ = jax.tree.leaves_with_path([1.0])[0]
assert keystr(_path[-1:], simple=True) == "0"


# %% after: key-paths
_half = jax.tree.map_with_path(decay, params)
assert _half["weight"].tolist() == [1, 1.5] and _half["bias"] is params["bias"]


# %% after: key-paths
class _Pair(NamedTuple):
    weight: float
    bias: float


_tree = [_Pair(2.0, 4.0)]
assert jax.tree.map_with_path(decay, _tree) == [_Pair(1.0, 4.0)]


# %% after: key-paths
for _tree in ([1.0], _Pair(2.0, 4.0)):
    _key = lambda path, leaf: path[-1].key
    assert _fails(AttributeError, jax.tree.map_with_path, _key, _tree)


# %% after: key-paths
# a tree that is itself a leaf has the empty path
assert jax.tree.leaves_with_path(1.0) == [((), 1.0)]


# %% after: structure-mismatch
# the message stops at the first place that differs
_both = [{"weight": 0.1}, {"weight": 0.3}]
try:
    sgd(layers, _both, learning_rate=1.0)
except ValueError as error:
    _text = str(error)
    assert "tree_map tree[0]" in _text or _text.startswith("Dict key mismatch")
    assert "[1]" not in _text
else:
    raise AssertionError
assert jax.tree.structure(layers) != jax.tree.structure(layer_grads)


# %% after: complete-cell 1
# shapes that can't be broadcast: the error is that of the subtraction
_short = {"bias": jnp.ones(2)}
assert _fails((TypeError, ValueError), sgd, model, _short, learning_rate=0.5)
assert len(jax.tree.leaves(jax.tree.map(lambda a, b: a, model, _short))) == 1


# %% after: complete-cell 1
assert jax.tree.structure(model) == jax.tree.structure(model_grads)


# %% after: complete-cell 1
_pairs = jax.tree.map(lambda p, g: (p, g), [1.0, 2.0], [(3.0, 4.0), None])
assert _pairs == [(1.0, (3.0, 4.0)), (2.0, None)]


# %% after: complete-cell 1
try:
    jax.lax.scan(
        lambda p, _: (sgd(p, model_grads, 0.5), None), model, length=2
    )
except TypeError:
    pass
else:
    raise AssertionError


# %% after: complete-cell
assert differences(layers, layer_grads) == [
    "[1]['bias']: <class 'float'> (), missing"
]


# %% after: complete-cell
assert differences({"done": True}, {"done": jnp.array(True)}) != []


# %% after: complete-cell
assert differences(fresh, fresh) == [] == differences({}, {})


# %% after: complete-cell
_told = ["same leaves in different containers"]
assert differences([1, 2], (1, 2)) == _told
assert differences({"a": 1, "b": []}, {"a": 1}) == _told
# a named tuple and a dict have different paths
assert len(differences(_Pair(1, 2), {"weight": 1, "bias": 2})) == 4


# %% after: complete-cell
assert differences({"a": 1, "b": None}, {"a": 1}) == [
    "['b']: <class 'NoneType'> (), missing"
]


# %% after: complete-cell
assert differences(jnp.float32(1), jnp.array(1.0)) == []  # weak types unseen


# %% after: complete-cell
_abstract = jax.eval_shape(lambda: params)
assert differences(_abstract, params) == []


# %% after: complete-cell
assert differences({"k": jax.random.key(0)}, {"k": jnp.uint32(0)}) != []


# %% after: compare-values
# values are compared after promotion, and structures are not compared
assert jnp.array_equal(jnp.int32(16777217), jnp.float32(16777216))
assert jax.tree.all(
    jax.tree.map(
        jnp.array_equal, {"a": jnp.array([2.0, 3.0])}, {"a": [2.0, 3.0]}
    )
)
# one-element arrays are compared by value whatever their shapes
assert {"a": jnp.ones((1, 1))} == {"a": jnp.float32(1)}
_same = jnp.array([jnp.nan, 1.0])
assert {"a": _same} == {"a": _same}


# %% after: compare-values
assert params == dict(params)  # the same arrays: identity


# %% after: compare-values
assert jnp.array_equal(jnp.ones(2, jnp.int32), jnp.ones(2, jnp.float32))


# %% after: compare-values
assert not jnp.array_equal(jnp.array([jnp.nan]), jnp.array([jnp.nan]))


# %% after: compare-values
assert not jnp.array_equal(jnp.ones(2), jnp.ones((1, 2)))
assert jnp.allclose(jnp.ones(2), jnp.ones((1, 2)))


# %% after: prefixes
try:
    jax.tree.map(lambda axis, part: 0, axes, lines)
except ValueError:
    pass
else:
    raise AssertionError
_parts = jax.tree.map(
    lambda axis, part: type(part) is dict,
    axes,
    lines,
    is_leaf=lambda node: node is None,
)
assert _parts == {"line": True, "scale": False}


# %% after: prefixes
assert jax.vmap(at_two, in_axes=(axes,))(lines).tolist() == [20, 45, 70]
_none = lambda node: node is None
assert jax.tree.broadcast(axes, lines, is_leaf=_none) == {
    "line": {"bias": 0, "weight": 0},
    "scale": None,
}
assert _fails(ValueError, jax.tree.broadcast, axes, lines)


# %% after: prefixes
_got = jax.tree.map(
    lambda axis, part: type(part) is dict, {"line": 0}, {"line": lines["line"]}
)
assert _got == {"line": True}


# %% after: prefixes
_out = jax.vmap(lambda p: p, in_axes=(axes,), out_axes=axes)(lines)
assert jax.tree.map(jnp.shape, _out) == jax.tree.map(jnp.shape, lines)
try:
    jax.vmap(lambda p: p, in_axes=(axes,), out_axes=(axes,))(lines)
except ValueError:
    pass
else:
    raise AssertionError


# %% after: prefixes
assert jax.vmap(at_two, in_axes=[axes])(lines).tolist() == [20, 45, 70]
# an integer of NumPy isn't accepted
_map = lambda axis: jax.vmap(lambda x: x, in_axes=axis)(jnp.ones(3))
assert _map(0).tolist() == [1, 1, 1] and _fails(TypeError, _map, np.int64(0))


# %% after: stack-trees
try:
    jax.tree.map(
        lambda *t: jnp.stack(t), {"w": jnp.ones(2)}, {"w": [1.0, 2.0]}
    )
except TypeError:
    pass
else:
    raise AssertionError


# %% after: stack-trees
assert jax.tree.structure(stacked) == jax.tree.structure(models[0])


# %% after: stack-trees
for _odd in (
    {"weight": jnp.ones(2)},
    {"weight": jnp.ones(3), "bias": jnp.float32(0)},
):
    _stack = lambda *leaves: jnp.stack(leaves)
    assert _fails(ValueError, jax.tree.map, _stack, models[0], _odd)


# %% after: stack-trees
_mixed = jax.tree.map(
    lambda *t: jnp.stack(t), {"n": jnp.int32(1)}, {"n": jnp.float32(2)}
)
assert _mixed["n"].dtype == jnp.float32
# 8-bit floats aren't promoted
_small = jnp.ones(2, jnp.float8_e4m3fn)
assert _fails(ValueError, jnp.stack, [_small, jnp.ones(2)])
# equal structures aren't enough where a leaf is no array
_named = {"activation": "relu"}
assert _fails(TypeError, jax.tree.map, _stack, _named, _named)


# %% after: stack-trees
def _init(key):
    return {"weight": jax.random.normal(key, (2,)), "bias": jnp.float32(0)}


_drawn = jax.vmap(_init)(jax.random.split(jax.random.key(0), 3))
assert jax.tree.map(jnp.shape, _drawn) == {"bias": (3,), "weight": (3, 2)}
assert len({tuple(row) for row in _drawn["weight"].tolist()}) == 3
_step_all = jax.vmap(lambda p: sgd(p, jax.grad(loss_fn)(p), 0.1))
assert np.allclose(_step_all(_drawn)["bias"], [-0.3, -0.3, -0.3])


# %% after: exercise-1
for _style in (
    np.array([1, 3, 2, 3, 0]),
    jnp.array([1, 3, 2, 3, 0]),
    (np.int64(1), 3, jnp.int32(2), 3, 0),
    iter((1, 3, 2, 3, 0)),
):  # the page runs none of these
    check_1(_style)
