"""What this chapter says, in asserts for the tests alone."""

# %% after: title 2
import warnings
from collections import OrderedDict, defaultdict, deque
from typing import NamedTuple


def _fails(error, function, *args, **options):
    try:
        function(*args, **options)
    except error:
        return True
    return False


# the vector is right, the names aren't: swapped at the ends, right in the middle
_vector, _unravel = ravel_pytree(start)
assert list(params) == ["scale", "rate", "offset"]
assert np.allclose([*params.values()], [0.5, 1.5, 2.0], atol=0.05)
assert loss < 0.001 and loss_fn(params, t, y) > 1.7
assert loss_fn(_unravel(jnp.stack([*params.values()])), t, y) < 0.001
assert loss_fn({"scale": 2.0, "rate": 1.5, "offset": 0.5}, t, y) < 0.001
# nothing is raised or warned, and zip(strict=True) has nothing to refuse
with warnings.catch_warnings(record=True) as _seen:
    warnings.simplefilter("always")
    fit(start, t, y)
assert not _seen
assert len([*zip(start, _vector, strict=True)]) == 3
# with names that happen to be written in sorted order the program is right
_lucky, _ = fit({name: start[name] for name in sorted(start)}, t, y)
assert loss_fn(_lucky, t, y) < 0.001


# %% after: ravel-and-unravel
assert list(start) != sorted(start) and list(params) == sorted(start)
assert params == dict(reversed(params.items()))  # equal whatever the order
assert loss_fn(params, t, y) < 0.001
# what else is right: sorted names, paths, a NamedTuple's fields
_vector, _unravel = ravel_pytree(start)
_paths = [keystr(p, simple=True) for p, _ in jax.tree.leaves_with_path(start)]
assert _paths == sorted(start) == [*_unravel(_vector)]


class _Params(NamedTuple):
    scale: float
    rate: float
    offset: float


assert jax.tree.leaves(_Params(**start)) == [*start.values()]
assert ravel_pytree(_Params(1.0, 2.0, 3.0))[0].tolist() == [1, 2, 3]
# arrays: each leaf is raveled whole, so positions shift by its size
_wide, _ = ravel_pytree({"b": jnp.ones((2, 2)), "a": jnp.zeros(3)})
assert _wide.tolist() == [0, 0, 0, 1, 1, 1, 1]
# what comes back are arrays, although the start was of Python floats
assert all(isinstance(leaf, jax.Array) for leaf in jax.tree.leaves(params))
# unravel refuses a vector of another length
assert _fails((TypeError, ValueError), _unravel, jnp.zeros(4))


# %% after: flatten-and-unflatten 1
_whole = jax.tree.unflatten(treedef, leaves)
assert _whole == state and list(_whole) == ["momentum", "params", "step"]
assert jax.tree.structure(turned) == treedef
assert len(leaves) == 4 and treedef.num_leaves == 4
for _wrong in (leaves[:3], leaves + [0]):
    assert _fails(ValueError, jax.tree.unflatten, treedef, _wrong)
# unflatten doesn't look at what a leaf is
assert jax.tree.unflatten(treedef, ["a", "b", "c", "d"])["step"] == "d"
# the same leaves in another order are accepted
assert turned["params"]["offset"] == 7
assert turned["step"] == params["offset"]


# %% after: flatten-and-unflatten 1
# types are matched exactly: subclasses that aren't registered are leaves
class _Dict(dict):
    pass


assert len(jax.tree.leaves(_Dict(a=1, b=2))) == 1
assert len(jax.tree.leaves(jnp.ones(3))) == 1 == len(jax.tree.leaves(1.0))
assert jax.tree.leaves(["relu", 0.1]) == ["relu", 0.1]
assert jax.tree.leaves([[], (), {}, None]) == []
for _node in (OrderedDict(a=1, b=2), defaultdict(int, a=1, b=2)):
    assert jax.tree.leaves(_node) == [1, 2]
# containers of Python that aren't containers to JAX
for _other in (
    {1, 2},
    range(3),
    {"a": 1}.values(),
    deque([1, 2]),
    frozenset(),
):
    assert len(jax.tree.leaves(_other)) == 1, _other


# %% after: flatten-and-unflatten 3
# strings are sorted as strings
_depths = {"layer2": 2, "layer10": 10, "layer1": 1}
assert jax.tree.leaves(_depths) == [1, 10, 2]
assert [*jax.tree.map(lambda d: d, _depths)] == ["layer1", "layer10", "layer2"]
# the order of keys is not in the structure of a dict
_one, _other = {"weight": 1, "bias": 2}, {"bias": 2, "weight": 1}
assert jax.tree.structure(_one) == jax.tree.structure(_other)
# an OrderedDict keeps it, and matches neither another order nor a dict
_a, _b = OrderedDict(_one), OrderedDict(_other)
assert jax.tree.leaves(_a) == [1, 2] and jax.tree.leaves(_b) == [2, 1]
assert jax.tree.structure(_a) != jax.tree.structure(_b)
assert jax.tree.structure({"a": 1}) != jax.tree.structure(OrderedDict(a=1))
assert model(OrderedDict(layers), 1.0) == jax.jit(model)(
    OrderedDict(layers), 1.0
)
assert jax.tree.structure({"a": [1]}) != jax.tree.structure({"a": (1,)})

# sorted under jit from the first call, and in what jit returns
assert model(layers, 1.0) == 5 and jax.jit(model)(layers, 1.0) == 8
assert jax.jit(model)({"bias": 3.0, "scale": 2.0}, 1.0) == 8
assert list(jax.jit(lambda t: t)({"weight": 1, "bias": 2})) == [
    "bias",
    "weight",
]
# under vmap and scan as well
assert jax.vmap(model, in_axes=(None, 0))(layers, jnp.ones(1)) == 8
_scanned = jax.lax.scan(lambda c, _: (c, model(c, 1.0)), layers, length=1)[1]
assert _scanned[0] == 8
# captured, not passed: jit doesn't rebuild it
assert jax.jit(lambda x: model(layers, x))(1.0) == 5
# a list keeps its order
_apply = lambda layers, x: layers[0] * x + layers[1]
assert _apply([2.0, 3.0], 1.0) == jax.jit(_apply)([2.0, 3.0], 1.0) == 5
# issue 8419: the values of a dict, concatenated
_join = lambda d: jnp.concatenate(list(d.values()))
_d = {"b": jnp.array([0, 1]), "a": jnp.array([2, 3])}
assert _join(_d).tolist() == [0, 1, 2, 3]
assert jax.jit(_join)(_d).tolist() == [2, 3, 0, 1]


# %% after: key-paths 1
# one entry fewer than names: zip says nothing, strict=True does
assert _fails(ValueError, lambda: [*zip(without, vector, strict=True)])
assert jax.tree.structure(unravel(vector)) == jax.tree.structure(without)
assert unravel(vector)["offset"] is None and vector.tolist() == [1.5, 2.0]
# None is a node without leaves
_row = [1, None, 2]
assert jax.tree.leaves(_row) == [1, 2]
assert jax.tree.leaves(_row, is_leaf=lambda node: node is None) == _row
assert jax.tree.map(lambda leaf: 10 * leaf, _row) == [10, None, 20]
assert jax.tree.structure(_row) != jax.tree.structure([1, 0, 2])
assert _fails(TypeError, lambda: 10 * None)
# with all three values the sorted names are right
_three, _ = ravel_pytree(start)
assert dict(zip(sorted(start), _three.tolist())) == start


# %% after: key-paths
for _path, _leaf in jax.tree.leaves_with_path(state):
    assert eval("state" + keystr(_path)) is _leaf
assert len(jax.tree.leaves_with_path(state)) == 3  # no line for a None
_short = [
    keystr(_path, simple=True, separator="/")
    for _path, _ in jax.tree.leaves_with_path(state)
]
assert _short == ["params/rate", "params/scale", "step"]
_mixed_keys = [(1.0, {"a": 2.0}), {7: [4.0]}, _Params(5.0, 6.0, 7.0)]
for _path, _leaf in jax.tree.leaves_with_path(_mixed_keys):
    assert eval("_mixed_keys" + keystr(_path)) is _leaf
_path, _ = jax.tree.leaves_with_path([1.0])[0]
assert keystr(_path[-1:], simple=True) == "0"


# the name of the last key works in every container
def _halve(path: tuple, leaf: float) -> float:
    name = keystr(path[-1:], simple=True)
    return leaf if name == "offset" else 0.5 * leaf


_tree = [_Params(2.0, 4.0, 6.0)]
assert jax.tree.map_with_path(_halve, _tree) == [_Params(1.0, 2.0, 6.0)]
assert jax.tree.map_with_path(_halve, [2.0]) == [1.0]
# a None has no path, and a tree that is itself a leaf has the empty one
assert jax.tree.leaves_with_path({"a": None}) == []
assert jax.tree.leaves_with_path(1.0) == [((), 1.0)]


# %% after: tree-map 1
assert jax.tree.structure(grad_fn(start, t, y)) == jax.tree.structure(start)
assert jax.tree.structure(params) == jax.tree.structure(start)
assert 0.001 < loss_fn(params, t, y) < loss_fn(start, t, y)
assert params["scale"] > params["rate"] > params["offset"]
_p = {"weight": jnp.array([2.0, 3.0]), "bias": jnp.float32(0.5)}
_g = {"weight": jnp.array([4.0, 6.0]), "bias": jnp.float32(3)}
_new = sgd(_p, _g, 0.25)
assert _new["weight"].tolist() == [1, 1.5] and _new["bias"] == -0.25
_nested = [_p, (_p, [_p])]
_moved = sgd(_nested, jax.tree.map(jnp.ones_like, _nested), 0.5)
assert jax.tree.structure(_moved) == jax.tree.structure(_nested)
assert _moved[1][1][0]["weight"].tolist() == [1.5, 2.5]
assert not hasattr(jax, "tree_map")
assert jax.tree_util.tree_map(lambda x: 2 * x, [1]) == [2]
# what the function returns takes the place of the leaf
assert jax.tree.map(lambda x: (x, -x), {"a": 1}) == {"a": (1, -1)}
assert (
    jax.tree.leaves(jax.tree.map(lambda x: None, {"a": 1.0, "b": 2.0})) == []
)
# only the first tree is followed
_pairs = jax.tree.map(lambda p, g: (p, g), [1.0, 2.0], [(3.0, 4.0), None])
assert _pairs == [(1.0, (3.0, 4.0)), (2.0, None)]

# the global norm is that of all elements together
_parts = jnp.concatenate([jnp.ravel(g) for g in jax.tree.leaves(_g)])
_squares = jax.tree.map(lambda g: jnp.sum(g**2), _g)
_norm = jnp.sqrt(jax.tree.reduce(jnp.add, _squares))
assert np.isclose(_norm, jnp.linalg.norm(_parts))


# %% after: tree-map 2
assert len(jax.tree.leaves({"scale": level, "offset": level})) == 2
assert tied["scale"] != tied["offset"]
# one leaf, used twice: its gradient is the sum, and it stays one
_at = {"scale": level, "offset": level, "rate": jnp.float32(1.0)}
_apart = grad_fn(_at, t, y)
_use = lambda p: loss_fn(
    {"scale": p["level"], "offset": p["level"], "rate": p["rate"]}, t, y
)
_sum = jax.grad(_use)({"level": level, "rate": jnp.float32(1.0)})
assert np.isclose(_sum["level"], _apart["scale"] + _apart["offset"])
table = jnp.array([1.0, 2.0])
_both = {"embed": table, "head": table}
_moved = sgd(
    _both,
    jax.grad(lambda p: jnp.sum(p["head"] * p["embed"] ** 2))(_both),
    0.1,
)
assert _moved["embed"].tolist() != _moved["head"].tolist()
# the elements are counted twice
assert sum(leaf.size for leaf in jax.tree.leaves(_both)) == 2 * table.size
# inside jit, two tracers
_same = []
jax.jit(lambda p: _same.append(p["embed"] is p["head"]))(_both)
assert _same == [False]
# tree.map keeps the identity by chance, jit doesn't
_kept = jax.tree.map(lambda x: x, _both)
_given = jax.jit(lambda p: p)(_both)
assert _kept["embed"] is _kept["head"]
assert _given["embed"] is not _given["head"]
# a step that donates them is refused
_give = jax.jit(lambda p: jax.tree.map(lambda x: 2 * x, p), donate_argnums=0)
_copy = jnp.array([1.0, 2.0])
assert _fails(Exception, _give, {"embed": _copy, "head": _copy})


# %% after: leaves-and-tree-structure 1
# where plain descent has come to, and minimize
_slow = start
for _ in range(500):
    _slow = sgd(_slow, grad_fn(_slow, t, y), learning_rate=0.05)
assert abs(_slow["rate"] - 1.28) < 0.01
assert abs(loss_fn(_slow, t, y) - 0.0018) < 0.0001
assert abs(fit(start, t, y)[1] - 0.0004) < 0.0001
assert jax.tree.leaves(shapes) == [] == jax.tree.leaves(momentum)
assert shapes == {"scale": (), "rate": (), "offset": ()} == momentum
assert jnp.zeros(()).shape == () and jnp.shape(1.0) == ()
# a shape with numbers in it: one array per integer
_shapes = {"weight": (2, 3), "bias": (3,)}
assert jax.tree.leaves(_shapes) == [3, 2, 3]
assert isinstance(weight["weight"], tuple)
assert [w.shape for w in jax.tree.leaves(weight)] == [(2,), (3,)]
_made = jax.tree.map(jnp.zeros, _shapes)
assert [m.shape for m in jax.tree.leaves(_made)] == [(3,), (2,), (3,)]
# the update fails later: tree.map follows its first tree
_calls = []


def _logged(g, m):
    _calls.append(m)
    return 0.9 * m + g


for _zeros, _seen in (momentum, ()), (_made, _made["bias"]):
    _grads = {name: jnp.ones(3) for name in _zeros}
    _calls.clear()
    assert _raises(
        TypeError,
        "can't multiply sequence by non-int of type 'float'",
        lambda: jax.tree.map(_logged, _grads, _zeros),
    )
    assert len(_calls) == 1 and _calls[0] is _seen
    # with the wrong momentum as the first tree the structures are compared
    assert _fails(ValueError, jax.tree.map, _logged, _zeros, _grads)


# %% after: leaves-and-tree-structure 3
assert jax.tree.structure(momentum) == jax.tree.structure(start)
_stopped = jax.tree.map(jnp.zeros, {"weight": (2, 3)}, is_leaf=is_shape)
assert _stopped["weight"].shape == (2, 3)

# a tuple used as a container passes is_shape, too
_two = {"w": (2,)}, {"w": (3,)}
assert _fails(TypeError, jax.tree.map, jnp.zeros, _two, is_leaf=is_shape)

# a shape that is a list isn't stopped at
assert len(jax.tree.leaves({"w": [2, 3]}, is_leaf=is_shape)) == 2

half = jax.tree.map(jnp.zeros_like, {"w": jnp.ones(2, jnp.bfloat16)})
assert half["w"].dtype == jnp.bfloat16


class _Shapes(NamedTuple):
    weight: tuple
    bias: tuple


_made = jax.tree.map(jnp.zeros, _Shapes((2, 3), (3,)), is_leaf=is_shape)
assert _made.weight.shape == (2, 3) and _made.bias.shape == (3,)

# is_leaf is asked from the top, about leaves too, and not below a yes
_asked = []
jax.tree.leaves(
    [(1, 2)], is_leaf=lambda n: _asked.append(n) or type(n) is tuple
)
assert _asked == [[(1, 2)], (1, 2)]


# %% after: none-is-structure 1
# two trees: which of them has the None decides what happens
_p, _g = {"b": None, "w": jnp.ones(2)}, {"b": jnp.ones(2), "w": jnp.ones(2)}
assert _fails(ValueError, sgd, _p, _g, 0.1) and _fails(
    TypeError, sgd, _g, _p, 0.1
)
assert jax.tree.map(lambda a, b: (a, b), [1, 2], [1, None]) == [
    (1, 1),
    (2, None),
]
# an update of zipped leaves is silent: w moves by the gradient of b
_leaves, _treedef = jax.tree.flatten(_p)
_by_hand = zip(_leaves, jax.tree.leaves({**_g, "b": jnp.full(2, 7.0)}))
_moved = _treedef.unflatten([p - 0.1 * g for p, g in _by_hand])
assert np.allclose(_moved["w"], 0.3)
# a question about None is one about the structure, which jit knows
assert jax.jit(lambda p: p["b"] is None)(_p) and not jax.jit(
    lambda p: p["b"] is None
)(_g)


# %% after: none-is-structure 3
assert len(traces) == 2
step(state, t, y)
assert len(traces) == 2
_none = {"step": jnp.int32(0), "params": params, "momentum": None}
_zeros = {**_none, "momentum": jax.tree.map(jnp.zeros_like, params)}
# the first step is the same from None and from zeros, and zeros need one trace
_late, _early = step(_none, t, y)[0], step(_zeros, t, y)[0]
assert jax.tree.all(jax.tree.map(jnp.array_equal, _late, _early))
assert len(traces) == 2
# a momentum returned as None by a branch of cond is refused too
assert _fails(
    TypeError, jax.lax.cond, True, lambda: None, lambda: jnp.zeros(2)
)


# %% after: none-is-structure
assert losses[-1] < 0.001 and losses.shape == (500,)
assert abs(losses[-1] - fit(start, t, y)[1]) < 0.00005
assert jax.tree.structure(state) == jax.tree.structure({**state})
# while_loop is as strict as scan
_grow = lambda c: (c[0] + 1, jnp.zeros(2))
assert _fails(
    TypeError, jax.lax.while_loop, lambda c: c[0] < 2, _grow, (0, None)
)


# %% after: structure-mismatch
# the message stops at the first place that differs, and names it
_pairs = (
    ([{"a": 1.0, "b": 2.0}, {"a": 1.0}], [{"a": 0.1}, {"b": 0.3}], "[0]"),
    ({"params": {"a": 1.0, "b": 2.0}}, {"params": {"a": 0.1}}, "['params']"),
    ({"a": 1.0, "b": 2.0}, {"a": 0.1}, ""),
)
for _one, _other, _place in _pairs:
    try:
        sgd(_one, _other, learning_rate=1.0)
    except ValueError as error:
        _text = str(error)
        assert f"tree_map tree{_place}\n" in _text or _text.startswith(
            "Dict key mismatch"
        )
        assert "[1]" not in _text
    else:
        raise AssertionError
assert jax.tree.structure(starts[0]) != jax.tree.structure(starts[2])
# a None in place of the missing offset is refused as well
_none = {**starts[2], "offset": None}
assert _fails(TypeError, jax.tree.map, stack, *starts[:2], _none)
# a tuple that came back as a list: the leaves go into the old structure
_saved, _loaded = (jnp.int32(0), jnp.zeros(3)), [jnp.int32(5), jnp.ones(3)]
assert jax.tree.structure(_saved) != jax.tree.structure(_loaded)
_rebuilt = jax.tree.unflatten(
    jax.tree.structure(_saved), jax.tree.leaves(_loaded)
)
assert type(_rebuilt) is tuple and _rebuilt[0] == 5
# a named tuple that came back as a dict: unflatten swaps without an error
_saved = _Params(1.0, 2.0, 3.0)
_rebuilt = jax.tree.unflatten(
    jax.tree.structure(_saved), jax.tree.leaves(_saved._asdict())
)
assert _rebuilt == _Params(3.0, 2.0, 1.0)


# %% after: complete-cell
# tree.map compares no shapes: the subtraction broadcasts, or fails by itself
_model, _grad = {"rate": jnp.zeros(3)}, {"rate": jnp.ones((2, 3))}
assert sgd(_model, _grad, 0.5)["rate"].shape == (2, 3)
_short = {"rate": jnp.ones(2)}
assert _fails((TypeError, ValueError), sgd, _model, _short, learning_rate=0.5)
assert jax.tree.structure(_model) == jax.tree.structure(_grad)
_body = lambda p, _: (sgd(p, _grad, 0.5), None)
assert _fails(TypeError, jax.lax.scan, _body, _model, length=2)
assert differences(_model, _grad) == ["['rate']: float32 (3,), float32 (2, 3)"]

assert differences(starts[0], starts[2]) == [
    "['offset']: <class 'float'> (), missing"
]
assert differences({"done": True}, {"done": jnp.array(True)}) != []
assert differences(fresh, fresh) == [] == differences({}, {})
_told = ["same leaves in different containers"]
assert differences([1, 2], (1, 2)) == _told
assert differences({"a": 1, "b": []}, {"a": 1}) == _told
# a named tuple and a dict have different paths
assert len(differences(_Params(1, 2, 3), _Params(1, 2, 3)._asdict())) == 6
assert differences({"a": 1, "b": None}, {"a": 1}) == [
    "['b']: <class 'NoneType'> (), missing"
]
assert differences(jnp.float32(1), jnp.array(1.0)) == []  # weak types unseen
assert differences(jax.eval_shape(lambda: state), state) == []
assert differences({"k": jax.random.key(0)}, {"k": jnp.uint32(0)}) != []
# the same shapes under other names of equal size are unseen where names agree
assert differences({"a": 1.0, "b": 2.0}, {"b": 1.0, "a": 2.0}) == []

# comparing values
_p = {"weight": jnp.array([2.0, 3.0]), "bias": jnp.float32(0.5)}
_q = jax.tree.map(jnp.copy, _p)
_equal = lambda a, b: jax.tree.all(jax.tree.map(jnp.array_equal, a, b))
assert _equal(_p, _q)
try:
    _p == _q
except ValueError as error:
    assert "truth value of an array with more than one element" in str(error)
else:
    raise AssertionError
_close = lambda a, b: jax.tree.all(jax.tree.map(jnp.allclose, a, b))
assert _close(_p, _q)
assert not _close(_p, {**_q, "bias": jnp.float32(0.6)})


# %% after: stack-trees
assert jax.tree.structure(stacked) == jax.tree.structure(starts[0])
assert np.allclose(losses, [loss_fn(start, t, y) for start in starts])
_stack = lambda *leaves: jnp.stack(leaves)
for _odd in ({"w": jnp.ones(2)}, {"w": jnp.ones(3), "b": jnp.float32(0)}):
    _model = {"w": jnp.ones(2), "b": jnp.float32(0)}
    assert _fails(ValueError, jax.tree.map, _stack, _model, _odd)
# an array in the first tree and a list in the other
assert _fails(
    TypeError, jax.tree.map, _stack, {"w": jnp.ones(2)}, {"w": [1.0, 2.0]}
)
_mixed = jax.tree.map(_stack, {"n": jnp.int32(1)}, {"n": jnp.float32(2)})
assert _mixed["n"].dtype == jnp.float32
# 8-bit floats aren't promoted
_small = jnp.ones(2, jnp.float8_e4m3fn)
assert _fails(ValueError, jnp.stack, [_small, jnp.ones(2)])
# equal structures aren't enough where a leaf is no array
_named = {"activation": "relu"}
assert _fails(TypeError, jax.tree.map, _stack, _named, _named)


def _init(key):
    return {"weight": jax.random.normal(key, (2,)), "bias": jnp.float32(0)}


_drawn = jax.vmap(_init)(jax.random.split(jax.random.key(0), 3))
assert jax.tree.map(jnp.shape, _drawn) == {"bias": (3,), "weight": (3, 2)}
assert len({tuple(row) for row in _drawn["weight"].tolist()}) == 3


# %% after: prefixes
assert new_states["step"] == 500 and new_states["params"]["rate"].shape == (3,)
_none = lambda node: node is None
_whole = jax.tree.broadcast(axes, states, is_leaf=_none)
assert _whole["params"] == {"offset": 0, "rate": 0, "scale": 0}
assert _whole["step"] is None
assert _fails(ValueError, jax.tree.broadcast, axes, states)
# a list will do; an integer of NumPy won't; the order of keys doesn't matter
_axes = dict(reversed(axes.items()))
jax.vmap(train, in_axes=[_axes, None, None], out_axes=(axes, 0))(states, t, y)
_map = lambda axis: jax.vmap(lambda x: x, in_axes=axis)(jnp.ones(3))
assert _map(0).tolist() == [1, 1, 1] and _fails(TypeError, _map, np.int64(0))
# a prefix must have the containers at the top, all of them
_less = {"params": 0, "momentum": 0}
_vmapped = jax.vmap(train, in_axes=(_less, None, None), out_axes=(axes, 0))
assert _fails(ValueError, _vmapped, states, t, y)
# without out_axes the shared step is stacked, and grows on each call
_plain = jax.vmap(train, in_axes=(axes, None, None))
_once, _ = _plain(states, t, y)
_twice, _ = _plain(_once, t, y)
assert _once["step"].shape == (3,) and _twice["step"].shape == (3, 3)
# out_axes is a prefix of the result, so a dict stands without a tuple
_out = jax.vmap(lambda s: s, in_axes=(axes,), out_axes=axes)(states)
assert jax.tree.map(jnp.shape, _out) == jax.tree.map(jnp.shape, states)
_tupled = jax.vmap(lambda s: s, in_axes=(axes,), out_axes=(axes,))
assert _fails(ValueError, _tupled, states)
# tree.map doesn't expand a prefix: the function gets the subtree
_got = jax.tree.map(
    lambda axis, part: type(part) is dict, _less, {k: states[k] for k in _less}
)
assert _got == {"params": True, "momentum": True}
# in the state itself a None is a place without leaves: any axis fits it
_empty = {**states, "momentum": None}
jax.vmap(step, in_axes=(axes, None, None), out_axes=(axes, 0))(_empty, t, y)


# %% after: issue-216
assert list(initial) == sorted(names)
# the start itself was written in the order of names; only the mapped dict isn't
assert [*start] == names and start == initial
# what the repair does: values in the order of names, without going through a tree
assert [start[name] for name in names] == [30.0, 400.0, 0.5]
# twelve layers, numbered
_layers = {f"layer_{n}": n for n in range(12)}
assert jax.tree.leaves(_layers) == [0, 1, 10, 11, *range(2, 10)]


# %% after: whole-program
assert params["offset"] is None and jax.tree.structure(
    params
) == jax.tree.structure(start)


# %% after: exercise-1
for _style in (
    np.array([1, 3, 2, 3, 0]),
    jnp.array([1, 3, 2, 3, 0]),
    (np.int64(1), 3, jnp.int32(2), 3, 0),
    iter((1, 3, 2, 3, 0)),
):  # the page runs none of these
    check_1(_style)
