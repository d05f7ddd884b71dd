"""What this chapter says, in asserts for the tests alone."""

# %% after: deleted-arrays 1
# The opening: the least error is at step 6, so six steps pass and twelve fail
_s, _errors = initial_state(tx, jax.random.key(0)), []
_minor = jax.__version__.split(".")[1]
for _ in range(12):
    _s, _ = step(_s, data)
    _errors.append(float(validate(_s.params, held_out)))
assert _errors.index(min(_errors)) == 5
assert min(abs(e - min(_errors)) for e in _errors[:5] + _errors[6:]) > 5e-4
assert f"{validate(best, held_out):.4f}" == f"{min(_errors):.4f}" == "0.5253"
assert f"{_errors[-1]:.4f}" == "0.5636"
assert not any(leaf.is_deleted() for leaf in jax.tree.leaves(best))


def _train(keep, step=step, n_steps=12, key=0):
    """The opening's loop with another way to keep the best."""
    s, least = initial_state(tx, jax.random.key(key)), float("inf")
    for _ in range(n_steps):
        s, _ = step(s, data)
        error = float(validate(s.params, held_out))
        if error < least:
            kept, least = keep(s.params), error
    return s, kept


for _keep in (  # second names, whatever they look like
    lambda p: p,
    dict,
    lambda p: jax.tree.map(lambda leaf: leaf, p),
    lambda p: jax.tree.map(jnp.asarray, p),
    lambda p: jax.tree.map(jax.device_put, p),
    __import__("copy").copy,
):
    _, _kept = _train(_keep)
    try:
        jax.device_get(_kept)
        raise SystemExit("a second name has kept the buffer")
    except RuntimeError as error:
        assert "Array has been deleted" in str(error)
    _, _kept = _train(_keep, n_steps=6)  # the last one is the best
    jax.device_get(_kept)
for _keep in (  # copies
    lambda p: jax.tree.map(jnp.copy, p),
    lambda p: jax.tree.map(jnp.array, p),
    __import__("copy").deepcopy,
    jax.device_get,
):
    _, _kept = _train(_keep)
    assert f"{mse(_kept, held_out):.4f}" == "0.5253"
# without donation the opening is right
_, _kept = _train(lambda p: p, jax.jit(partial(train_step, tx)))
assert f"{mse(_kept, held_out):.4f}" == "0.5253"
# nothing in the loop is wrong before the read: the last state is alive
_s, _kept = _train(lambda p: p)
assert not _s.params["hidden"].is_deleted()
assert f"{validate(_s.params, held_out):.4f}" == "0.5636"
del _s, _kept, _keep


# %% after: deleted-arrays
assert jax.tree.all(jax.tree.map(lambda leaf: leaf.is_deleted(), old))
assert not any(leaf.is_deleted() for leaf in jax.tree.leaves(copied))
assert old.params["hidden"].shape == (512, 1024)  # what is left of it
assert old.params["hidden"].nbytes == 2_097_152
# each new leaf is where the old one was
_fresh = initial_state(tx, jax.random.key(0))
_places = [leaf.unsafe_buffer_pointer() for leaf in jax.tree.leaves(_fresh)]
_next, _ = step(_fresh, data)
assert set(_places) == {
    leaf.unsafe_buffer_pointer() for leaf in jax.tree.leaves(_next)
}


# inside the step both can be read: the change is a metric
def _measured(state, data):
    new_state, loss = train_step(tx, state, data)
    change = jnp.abs(new_state.params["hidden"] - state.params["hidden"]).max()
    return new_state, {"loss": loss, "change": change}


_fresh = initial_state(tx, jax.random.key(0))
_, _metrics = jax.jit(_measured, donate_argnums=0)(_fresh, data)
assert f"{_metrics['change']:.4f}" == "0.0025"
assert _fresh.params["hidden"].is_deleted()
# a loop that drops the new state fails at the second call
_fresh = initial_state(tx, jax.random.key(0))
step(_fresh, data)
try:
    step(_fresh, data)
    raise SystemExit("a deleted state is taken")
except (RuntimeError, ValueError) as error:
    assert "has been deleted" in str(error)
    if _minor in ("7", "10"):
        assert type(error) is ValueError
        assert "has been deleted or donated" in str(error)
    if _minor == "12":
        assert type(error) is RuntimeError
# .delete(), or another shape than before: RuntimeError in all versions
_twice = jax.jit(lambda v: 2 * v)
_twice(jnp.ones((5, 3)))
_deleted, _donated = jnp.ones((5, 3)), jnp.ones((7, 3))
_deleted.delete()
jax.jit(lambda v: v + 1, donate_argnums=0)(_donated)
for _gone in (_deleted, _donated):
    try:
        _twice(_gone)
        raise SystemExit("a deleted array is doubled")
    except RuntimeError as error:
        assert "Array has been deleted" in str(error)
# donate_argnames names the same argument; lowering donates nothing
_fresh = initial_state(tx, jax.random.key(0))
_named = jax.jit(
    lambda state, data: train_step(tx, state, data), donate_argnames="state"
)
_named.lower(_fresh, data).compile()
assert not _fresh.params["hidden"].is_deleted()
_named(_fresh, data)
assert _fresh.params["hidden"].is_deleted()
del _fresh, _next, _named, _gone, _deleted, _donated


# %% after: donate-the-state
assert [leaf.nbytes for leaf in jax.tree.leaves(state.params)] == [
    2_097_152,
    4096,
]
assert sum(leaf.nbytes for leaf in jax.tree.leaves(state)) == (
    3 * 2_101_248 + 4
)
assert jax.default_backend() == "cpu" and jax.device_count() == 8
_fresh = initial_state(tx, jax.random.key(0))
_plain, _plain_loss = plain_step(_fresh, data)
_a = plain_step.lower(_fresh, data).compile().memory_analysis()
_b = step.lower(_fresh, data).compile().memory_analysis()
assert _a.temp_size_in_bytes < 2**10
_gradient = _fresh.params["hidden"].nbytes
assert _gradient < _b.temp_size_in_bytes < 1.5 * _gradient
_total = lambda m: (
    m.argument_size_in_bytes
    + m.output_size_in_bytes
    + m.temp_size_in_bytes
    - m.alias_size_in_bytes
)
assert _total(_b) < 0.75 * _total(_a)
assert f"{_total(_a) / 2**20:.1f}" == "12.1"
assert abs(_total(_b) / 2**20 - 8.3) < 0.5
# what is there before and after: one more state, or none
_sum = lambda: sum(a.nbytes for a in jax.live_arrays())
_ = None
_before = _sum()
_more, _ = plain_step(_fresh, data)
assert 5.9 < (_sum() - _before) / 2**20 < 6.1
del _more
_before = _sum()
_donated, _loss = step(_fresh, data)
assert abs(_sum() - _before) < 2**10
assert jnp.allclose(_plain_loss, _loss, rtol=1e-5)
assert jnp.allclose(
    _plain.params["hidden"], _donated.params["hidden"], atol=1e-5
)
# rebinding in one statement doesn't help while the step runs: the old state
# is still an argument, and only after the call is it released
_state = initial_state(tx, jax.random.key(0))
_now = _sum()
_state, _ = plain_step(_state, data)
assert abs(_sum() - _now) < 2**10
del _fresh, _plain, _donated, _state, _a, _b, _


def _temp_of(loss, *args) -> int:
    found = jax.jit(jax.grad(loss)).lower(*args).compile().memory_analysis()
    return found.temp_size_in_bytes


def _deep(weights, x, wrap, size=4):
    def group(h, weights):
        for w in weights:
            h = jnp.tanh(h @ w)
        return h

    for i in range(0, len(weights), size):
        x = wrap(group)(x, weights[i : i + size])
    return (x**2).mean()


def _scanned(weights, x, wrap):
    layer = wrap(lambda h, w: (jnp.sin(jnp.tanh(h @ w)), None))
    return (jax.lax.scan(layer, x, weights)[0] ** 2).mean()


# jax.checkpoint around the whole loss saves nothing, around each layer of
# a scan much, around groups of layers on a CPU nothing up to JAX 0.10
_args = (new.params, data)
assert _temp_of(jax.checkpoint(mse), *_args) >= _temp_of(mse, *_args)
_args = ([jnp.ones((32, 32))] * 16, jnp.ones((4096, 32)))
_kept = _temp_of(partial(_deep, wrap=lambda f: f), *_args)
_whole = jax.checkpoint(partial(_deep, wrap=lambda f: f))
assert _temp_of(_whole, *_args) >= _kept
_again = _temp_of(partial(_deep, wrap=jax.checkpoint), *_args)
if _minor in ("7", "10", "12"):
    assert (_again < _kept) == (_minor == "12")
_args = (jnp.ones((16, 32, 32)), _args[1])
_kept = _temp_of(partial(_scanned, wrap=lambda f: f), *_args)
assert _temp_of(partial(_scanned, wrap=jax.checkpoint), *_args) < _kept / 2
del _args, _kept, _whole, _again


# %% after: unusable-donations
# once per compilation
_loss_of = jax.jit(mse, donate_argnums=0)
for _number in (1, 0):
    with warnings.catch_warnings(record=True) as _again:
        warnings.simplefilter("always")
        _loss_of(new.params, data)
    assert len(_again) == _number
    assert not new.params["hidden"].is_deleted()
    if _number:
        assert "Some donated buffers were not usable" in str(_again[0].message)
# what alias says of the three functions of the cell
_tree = {"a": jnp.ones((64, 64)), "b": jnp.ones((64, 64))}
for _f, _aliased in (
    (lambda t: {"a": t["a"] + 1, "b": t["b"] + 1}, 32768),
    (lambda t: t["a"].sum() + t["b"].sum(), 0),
    (lambda t: {"a": t["a"] + 1, "b": jnp.zeros((64, 64))}, 16384),
):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        _found = jax.jit(_f, donate_argnums=0).lower(_tree).compile()
    assert _found.memory_analysis().alias_size_in_bytes == _aliased
del _tree, _found
with warnings.catch_warnings(record=True) as _again:
    warnings.simplefilter("always")
    _kept = jnp.ones(10)
    jax.jit(lambda v: v.astype(jnp.bfloat16), donate_argnums=0)(_kept)
assert not _kept.is_deleted()
if _minor in ("7", "10", "12"):
    for _other in (lambda v: v.astype(jnp.int32), lambda v: v.reshape(-1)):
        with warnings.catch_warnings(record=True) as _again:
            warnings.simplefilter("always")
            _kept = jnp.ones((8, 4))
            jax.jit(_other, donate_argnums=0)(_kept)
        assert _kept.is_deleted() == (_minor != "7") == (not _again)
    for _other in (  # as many bytes, but more or fewer elements
        lambda v: jnp.tile(v.astype(jnp.int8), 4),
        lambda v: jnp.tile(v.astype(jnp.bfloat16), 2),
        lambda v: v[:5].astype(jnp.complex64),
    ):
        with warnings.catch_warnings(record=True) as _again:
            warnings.simplefilter("always")
            _kept = jnp.ones(10)
            jax.jit(_other, donate_argnums=0)(_kept)
        assert not _kept.is_deleted() and len(_again) == 1
    # in a training step: a changed shape warns, a changed dtype only in 0.7
    for _other, _warns in (
        (lambda v: {"a": v["a"] + 1, "b": v["b"][:5]}, True),
        (lambda v: {"a": v["a"] + 1, "b": jnp.tile(v["b"], 2)}, True),
        (
            lambda v: {"a": v["a"] + 1, "b": v["b"].astype(jnp.float16)},
            _minor == "7",
        ),
    ):
        with warnings.catch_warnings(record=True) as _again:
            warnings.simplefilter("always")
            jax.jit(_other, donate_argnums=0)(
                {"a": jnp.ones(20), "b": jnp.ones(10)}
            )
        assert (len(_again) == 1) == _warns
# a leaf that isn't read: no version warns, and nothing is reused
_unread = {"a": jnp.ones(20), "b": jnp.ones(10)}
with warnings.catch_warnings(record=True) as _again:
    warnings.simplefilter("always")
    jax.jit(lambda v: {"a": v["a"] + 1, "b": jnp.zeros(10)}, donate_argnums=0)(
        _unread
    )
assert not _again
assert [leaf.is_deleted() for leaf in _unread.values()] == [True, False]
_state = initial_state(tx, jax.random.key(0))
_types = jax.tree.map(jax.typeof, _state)
assert jax.tree.map(jax.typeof, plain_step(_state, data)[0]) == _types
del _state


# %% after: donated-twice
assert not params.is_deleted()
assert state["params"] is state["ema"]
_once = jax.jit(ema_step)(state)
assert (
    _once["params"].unsafe_buffer_pointer()
    != _once["ema"].unsafe_buffer_pointer()
)
# two equal results of one program get two buffers as well
_same = jax.jit(lambda v: (v, v))(params)
assert len({a.unsafe_buffer_pointer() for a in _same}) == 2
assert params.unsafe_buffer_pointer() not in {
    a.unsafe_buffer_pointer() for a in _same
}
# the counter of leaves: dicts are ordered by key, so leaf 0 is the EMA
assert list(jax.tree.leaves_with_path(state)[0][0]) == [
    jax.tree_util.DictKey("ema")
]
# a leaf that the step doesn't use isn't counted
_unread = {"a": jnp.ones(9), "ema": params, "params": params}
try:
    jax.jit(ema_step, donate_argnums=0)(_unread)
    raise SystemExit("a buffer is donated twice")
except jax.errors.JaxRuntimeError as error:
    assert "flattened argument 1" in str(error)
    assert "first use: 0" in str(error)
assert not any(leaf.is_deleted() for leaf in _unread.values())
del _unread
assert float(_once["params"][0]) == 2.0
assert round(0.9 * 4 + 0.1 * 2, 1) == 3.8


# %% after: same-buffer-twice
# which functions copy an array of the same dtype, on the same device
_params = jnp.full(1000, 4.0, jnp.float32)
_made = {
    "asarray": jnp.asarray(_params),
    "astype": _params.astype(jnp.float32),
    "device_put": jax.device_put(_params),
    "array": jnp.array(_params),
    "copy": jnp.copy(_params),
}
_address = _params.unsafe_buffer_pointer()
_shared = [a.unsafe_buffer_pointer() == _address for a in _made.values()]
assert _shared == [True] * 3 + [False] * 2
# tree.map with a function that returns its leaf makes a new tree, no copies
_tree = jax.tree.map(lambda leaf: leaf, {"w": _params})
assert _tree["w"] is _params
# deleting through one name deletes what shares the buffer
jax.jit(lambda v: v + 1, donate_argnums=0)(_made["asarray"])
assert _params.is_deleted()
assert not _made["copy"].is_deleted()
# best = state is an alias, too
_state = {"params": jnp.ones(3), "ema": jnp.zeros(3)}
_best = _state["params"]
_state = donating(_state)
assert _best.is_deleted()


# %% after: eight-devices 1
assert (split_data[0] == data[0]).all()
assert not data[0].is_deleted()
for _spec in (P("data"), P(None, "data")):
    try:
        jax.device_put(jnp.ones((12, 12)), NamedSharding(mesh, _spec))
        raise SystemExit("12 rows on 8 devices")
    except ValueError as _error:
        assert "divi" in str(_error)
_default = jax.make_mesh((8,), ("data",)).axis_types[0]
if _minor in ("7", "10", "12"):
    assert _default == (AxisType.Auto if _minor == "7" else AxisType.Explicit)
assert jax.device_put(data[0], replicated).addressable_shards[
    3
].data.shape == (32, 512)
for _spec, _shape in (
    (P("data"), (4, 512)),
    (P(None, "data"), (32, 64)),
    (P(), (32, 512)),
):
    _put = jax.device_put(x, NamedSharding(mesh, _spec))
    assert {s.data.shape for s in _put.addressable_shards} == {_shape}
assert jnp.ones(3).devices() == {jax.devices()[0]}
# a sharding travels with the value: through a copy, an operation, jit, a tree
for _after in (
    jnp.copy(split_x),
    2 * split_x,
    jax.jit(lambda v: v + 1)(split_x),
    jax.tree.map(lambda leaf: leaf, {"x": split_x})["x"],
    jnp.zeros_like(split_x),
):
    assert {s.data.shape for s in _after.addressable_shards} == {(4, 512)}
del _after


# %% after: eight-devices
_text = plain_step.lower(state, split_data).compile().as_text()
assert "all-reduce" in _text
_alone = initial_state(tx, jax.random.key(0))
_alone_state, _alone_loss = plain_step(_alone, data)
assert jnp.allclose(float(_alone_loss), float(loss), rtol=1e-5)
_new, _ = plain_step(state, split_data)
assert jnp.allclose(
    jax.device_get(_new.params["hidden"]),
    jax.device_get(_alone_state.params["hidden"]),
    atol=2e-4,
)
assert all(leaf.sharding.is_fully_replicated for leaf in jax.tree.leaves(_new))
assert set(device_mib(split_data[0])) == {f"{32 * 512 * 4 / 8 / 2**20:.2f}"}
del _alone, _alone_state, _new


# %% after: shard-the-state
assert not params["hidden"].is_deleted()
with jax.set_mesh(auto_mesh):
    _inside = device_mib(jax.jit(tx.init)(auto_params))
assert set(_inside) == {"4.01"}, _inside
_plain = tx.init(auto_params)[0]
assert _plain.count.devices() == {jax.devices()[0]}
assert set(device_mib(tx.init(jax.device_put(params, split)))) == {"0.50"}
_again, _loss = plain_step(
    TrainState(auto_params, lost),
    jax.device_put(data, NamedSharding(auto_mesh, P("data"))),
)
assert f"{_loss:.4f}" == "0.4393"
assert set(device_mib(_again)) == {"0.75"}  # the first step splits the state
assert _plain.mu["hidden"].sharding == auto_params["hidden"].sharding
_told = jax.jit(
    lambda p: tx.init(p)[0].mu,
    out_shardings=NamedSharding(auto_mesh, P("data")),
)(auto_params)
assert set(device_mib(_told)) == {"0.25"}
for _mesh in (auto_mesh, mesh):  # a tree of shardings, on either mesh
    _split, _whole = NamedSharding(_mesh, P("data")), NamedSharding(_mesh, P())
    _shardings = jax.tree.map(
        lambda leaf: _split if leaf.ndim else _whole,
        jax.eval_shape(tx.init, params),
    )
    _init = jax.jit(tx.init, out_shardings=_shardings)
    assert set(device_mib(_init(jax.device_put(params, _split)))) == {"0.50"}
del _plain, _told, _again, lost


# %% after: sharded-from-the-start
_normal = jax.jit(lambda key: jax.random.normal(key, (512, 1024)))
_normal = _normal.lower(key).compile().memory_analysis()
_temp = jax.jit(create).lower(key).compile().memory_analysis()
_temp = _temp.temp_size_in_bytes
assert 0.9 * _temp < _normal.temp_size_in_bytes  # the draw takes it all
del _normal, _temp
_text = create_split.lower(key).compile().as_text()
assert "[512,1024]" not in _text and "[64,1024]" in _text
_found = create_split.lower(key).compile().memory_analysis()
assert (
    _found.temp_size_in_bytes < 2**20 and _found.output_size_in_bytes < 2**20
)
_draw = partial(jax.nn.initializers.orthogonal(), shape=(512, 1024))
_draw = jax.jit(_draw, out_shardings=split)
_found = _draw.lower(key).compile().memory_analysis()
assert _found.temp_size_in_bytes >= 2 * 2**20 > _found.output_size_in_bytes
del _draw
_before = sum(a.nbytes for a in jax.live_arrays())
jax.eval_shape(create, key)
assert sum(a.nbytes for a in jax.live_arrays()) == _before
for _leaf, _want in zip(
    jax.tree.leaves(create_split(key)), jax.tree.leaves(shardings)
):
    assert _leaf.sharding == _want and len(_leaf.devices()) == 8
_whole = create(key)
assert jnp.allclose(
    jax.device_get(create_split(key).params["hidden"]),
    jax.device_get(_whole.params["hidden"]),
    atol=1e-6,
)
_one = jax.jit(lambda key: create(key).params, out_shardings=split)(key)
assert set(device_mib(_one)) == {"0.25"}  # one sharding serves every leaf
_on_auto = jax.tree.map(
    lambda leaf: NamedSharding(auto_mesh, P("data") if leaf.ndim else P()),
    shapes,
)
_auto_state = jax.jit(create, out_shardings=_on_auto)(key)
assert set(device_mib(_auto_state)) == {"0.75"}
try:
    jax.jit(create, out_shardings=split)(key)
    raise SystemExit("a scalar is split")
except ValueError:
    pass
del _whole, _one, _auto_state, _found, _text
_one = initial_state(tx, jax.random.key(0))
for _ in range(3):
    _one, _loss = plain_step(_one, data)
assert jnp.allclose(float(_loss), float(loss), rtol=1e-3)
assert jnp.allclose(
    jax.device_get(_one.params["hidden"]),
    jax.device_get(state.params["hidden"]),
    atol=1e-3,
)
_compiled = step.lower(state, split_data).compile()
assert "all-gather" in _compiled.as_text()
assert "all-reduce" in _compiled.as_text()
if _minor == "10":
    assert "reduce-scatter" not in _compiled.as_text()
_found = _compiled.memory_analysis()
assert 0.74 < _found.alias_size_in_bytes / 2**20 < 0.77
assert _found.argument_size_in_bytes < 2**20
assert _found.temp_size_in_bytes > params["hidden"].nbytes
for _tree in (state.params, state.opt_state[0].mu, state.opt_state[0].nu):
    for _leaf in jax.tree.leaves(_tree):
        assert "data" in str(jax.typeof(_leaf))
with warnings.catch_warnings(record=True) as _caught:
    warnings.simplefilter("always")
    _kept = jax.device_put(jnp.ones((64, 8)), replicated)
    jax.jit(lambda v: 2 * v, donate_argnums=0, out_shardings=split)(_kept)
assert "not usable" in str(_caught[0].message) and not _kept.is_deleted()
if _minor in ("10", "12"):  # as many bytes on each device are enough
    _kept = jax.device_put(jnp.ones((64, 8)), split)
    _columns = NamedSharding(mesh, P(None, "data"))
    jax.jit(lambda v: 2 * v, donate_argnums=0, out_shardings=_columns)(_kept)
    assert _kept.is_deleted()
_grads = jax.jit(jax.grad(mse))(state.params, split_data)
assert jax.typeof(_grads["hidden"]) == jax.typeof(state.params["hidden"])
del _one, _compiled
# jax.set_mesh gives a jitted tx.init on an Explicit mesh the devices
with jax.set_mesh(mesh):
    _opt_state = jax.jit(tx.init)(state.params)
assert set(device_mib(_opt_state)) == {"0.50"}
_expected = jax.tree.map(jax.typeof, state.params)
assert jax.tree.map(jax.typeof, _opt_state[0].mu) == _expected
# a type has a mesh without devices
assert isinstance(
    jax.typeof(state.params["hidden"]).sharding.mesh,
    jax.sharding.AbstractMesh,
)
# arguments that are read supply the devices
_read = jax.jit(lambda p: jax.tree.map(lambda leaf: 0 * leaf, p))
assert set(device_mib(_read(state.params))) == {"0.25"}
_seen = []
_look = jax.jit(lambda v: _seen.append(jax.typeof(jnp.zeros_like(v))) or v)
_look(state.params["hidden"])
if _minor in ("7", "10", "12"):
    assert ("data" in str(_seen[0])) == (_minor != "12")
try:
    _lost = jax.jit(tx.init)(state.params)
    assert _minor not in ("7", "10")
    assert device_mib(_lost)[1] == "0.00"
    assert jax.tree.map(jax.typeof, _lost[0].mu) != _expected
    _again, _lost_loss = plain_step(
        TrainState(state.params, _lost), split_data
    )
    assert jnp.allclose(_lost_loss, mse(state.params, split_data), rtol=1e-3)
    assert set(device_mib(_again)) == {"0.75"}
except ValueError as error:
    assert _minor != "12" and "jax.set_mesh" in str(error)
# arguments that are kept though unread supply the devices, up to JAX 0.10
if _minor in ("7", "10"):
    _kept = jax.jit(tx.init, keep_unused=True)(state.params)
    assert set(device_mib(_kept)) == {"0.50"}


# %% after: statistics-on-devices
# the advice of the message: marked as replicated, eight values, one printed
_local = jax.shard_map(
    local_mean,
    mesh=mesh,
    in_specs=P("data"),
    out_specs=P(),
    check_vma=False,
)(examples)
assert [float(s.data) for s in _local.addressable_shards] == [
    *(0.5, 2.5, 4.5, 6.5, 8.5, 10.5, 12.5, 14.5)
]
assert _local.is_fully_replicated and str(_local) == "0.5"
assert float(mean) == 7.5
# the next operation goes on with eight different values
_running = 0.9 * 0.0 + 0.1 * _local
assert len({float(s.data) for s in _running.addressable_shards}) == 8
# under jit there is nothing to do: the mean is that of the whole array
assert float(jax.jit(lambda v: v.mean())(examples)) == 7.5


# %% after: statistics-on-devices
assert jax.devices()[0].memory_stats() is None  # on a CPU

from unittest import mock

from jaxlib import xla_client

for _name in "XLA_CLIENT_MEM_FRACTION", "XLA_PYTHON_CLIENT_MEM_FRACTION":
    with mock.patch.dict(os.environ, {_name: ".25"}):
        _options = xla_client.generate_pjrt_gpu_plugin_options()
        assert _options["memory_fraction"] == 0.25


# %% after: complete-cell
assert best["hidden"].shape == (512, 1024)
assert len(best["hidden"].devices()) == jax.device_count()
assert best["hidden"].addressable_shards[0].data.shape == (64, 1024)
assert not best["hidden"].is_deleted()
assert jax.tree.all(
    jax.tree.map(lambda a, b: a.sharding == b.sharding, best, state.params)
)
for _kind in (AxisType.Auto, AxisType.Explicit):  # with either, as it is
    _mesh = jax.make_mesh((8,), ("data",), axis_types=(_kind,))
    _split = NamedSharding(_mesh, P("data"))
    _params, _data = jax.device_put((jax.device_get(best), pairs[0]), _split)
    _state = TrainState(_params, tx.init(_params))
    _state, _ = step(tx, _state, _data)
    assert _state.params["hidden"].addressable_shards[0].data.shape == (
        64,
        1024,
    )
    assert _params["hidden"].is_deleted()


# %% after: same-buffer-twice
# one array under two names: jit returns it in two buffers
def _repeated(s):
    _new = 0.5 * s["params"]
    return {"params": _new, "ema": _new}


_out = jax.jit(_repeated)({"params": jnp.ones(1000), "ema": None})
_pointers = {leaf.unsafe_buffer_pointer() for leaf in _out.values()}
assert len(_pointers) == 2
