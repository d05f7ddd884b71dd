"""What judges the answers to the exercises of this chapter, and answers to try it with."""


# %% check 1
def truth_1() -> int:
    """Return the bytes that the first device holds."""
    mesh = jax.make_mesh((8,), ("data",), axis_types=(AxisType.Explicit,))
    params = {
        "kernel": jax.device_put(
            jnp.zeros((512, 64)), NamedSharding(mesh, P("data"))
        ),
        "bias": jax.device_put(jnp.zeros(64), NamedSharding(mesh, P())),
    }

    def first(tree):
        return sum(
            shard.data.nbytes
            for leaf in jax.tree.leaves(tree)
            for shard in leaf.addressable_shards
            if shard.device == jax.devices()[0]
        )

    return first((params, optax.adam(0.1).init(params)))


def slips_1(right: int) -> dict:
    """Wrong numbers of bytes, each with its hint; that of any other at None."""
    kernel, bias = 512 * 64 * 4 // 8, 64 * 4
    own, whole = kernel + bias, 3 * (8 * kernel + bias)
    hints = (
        (
            (own, own + 4),
            "these are the parameters without Adam's two moments · "
            "파라미터만 세었습니다. Adam의 모멘트 mu와 nu도 있습니다",
        ),
        (
            (2 * own, 2 * own + 4),
            "you counted two arrays per parameter; how many do the parameters and Adam's state "
            "hold together? · 파라미터와 같은 shape의 배열을 두 벌만 세었습니다. 파라미터와 Adam의 상태를 합치면 "
            "몇 벌인가요?",
        ),
        (
            (3 * own,),
            "one small leaf is missing: what does Adam keep besides its moments? · "
            "작은 리프 하나가 빠졌습니다. Adam은 모멘트 말고 무엇을 보관하나요?",
        ),
        (
            (whole, whole + 4),
            "this is the whole state: the kernel is split over the devices · "
            "상태 전체의 바이트 수입니다. kernel은 여러 디바이스에 나뉘어 있습니다",
        ),
        (
            (whole / 8, whole / 8 + 4, (whole + 4) / 8),
            "not everything is split: which leaves does each device hold whole? · "
            "모두 나뉜 것은 아닙니다. 디바이스마다 전체가 저장된 리프는 무엇인가요?",
        ),
        (
            (right / 4, (right - 4) / 4),
            "that's the number of values, not the number of bytes · 바이트 수가 아니라 값의 개수입니다",
        ),
        (
            (3 * own + 2 * 4,),
            "Adam has one count, not one per moment · "
            "Adam이 스텝 수를 세는 정수는 모멘트마다 있지 않고 하나뿐입니다",
        ),
        (
            (3 * kernel + bias, 3 * kernel + bias + 4),
            "the bias has two moments as well · bias에도 모멘트가 두 개 있습니다",
        ),
    )
    slips = {slip: hint for given, hint in hints for slip in given}
    slips[None] = (
        "not this number: count the bytes of each leaf on one device, then add them up · "
        "이 수가 아닙니다. 디바이스 하나에 저장된 바이트를 리프마다 세어 더해 보세요"
    )
    return slips


def check_1(answer) -> None:
    """Compare with the bytes that the first device holds."""
    given, right = read_number(answer), truth_1()
    assert given == right, hint_of(given, slips_1(right))


# %% solution 1
# One device holds an eighth of the kernel's rows and the whole bias, four
# bytes a value, three times over: parameters, mu and nu. The count is the 4.
judge(1, check_1, 3 * (512 // 8 * 64 * 4 + 64 * 4) + 4)


# %% wrong 1: without Adam's two moments
answer_1 = 16640


# %% wrong 1: how many do the parameters
answer_1 = 33280


# %% wrong 1: one small leaf is missing
answer_1 = 49920


# %% wrong 1: the kernel is split
answer_1 = 393988


# %% wrong 1: which leaves does each device hold whole
answer_1 = 49252


# %% wrong 1: number of values, not the number
answer_1 = 12481


# %% wrong 1: not one per moment
answer_1 = 49928


# %% wrong 1: two moments as well
answer_1 = 49412


# %% wrong 1: not this number
answer_1 = 12345


# %% wrong 1: one number is needed
answer_1 = "48 KiB"


# %% check 2
def tree_2() -> dict:
    """Leaves that can be split, in eight or in four, and leaves that can't."""
    return {
        "kernel": jax.random.normal(jax.random.key(3), (16, 8)),
        "wide": jax.random.normal(jax.random.key(4), (6, 16)),
        "few": jnp.arange(4, dtype=jnp.int32),
        "scalar": jnp.float32(-1.5),
        "nested": (jnp.arange(24.0).reshape(8, 3, 1), [jnp.ones(12)]),
    }


def needs_parts_2(old: jax.Array, new, mesh: jax.sharding.Mesh) -> None:
    """Refuse a leaf with other values, or in other parts, than it needs."""
    n, shape = mesh.size, old.shape
    kind = type(new).__name__
    assert isinstance(new, jax.Array), (
        f"a leaf is a {kind} instead of a JAX array · 리프 하나가 JAX 배열이 아니라 {kind}입니다"
    )
    was, now = (f"{leaf.dtype}{list(leaf.shape)}" for leaf in (old, new))
    assert was == now, (
        f"{was} comes back as {now} · {was}을 넣었는데 {now}이 반환됩니다"
    )
    assert (jax.device_get(new) == jax.device_get(old)).all(), (
        "the values of a leaf have changed · 리프의 값이 달라졌습니다"
    )
    assert new.devices() == set(mesh.devices.flat), (
        f"a leaf of shape {shape} isn't on the {n} devices of the mesh, each with the whole leaf "
        f"or a part · shape이 {shape}인 리프는 메시의 디바이스 {n}개에 전체든 일부든 있어야 하는데 그렇지 않습니다"
    )
    part = new.addressable_shards[0].data.shape
    can = old.ndim > 0 and shape[0] % n == 0
    assert can or part == shape, (
        f"a leaf of shape {shape} is split, although the length of its axis 0 isn't divisible by "
        f"{n} · 0번 축을 {n}(으)로 나눌 수 없는 shape {shape}의 리프가 나뉘어 있습니다"
    )
    assert not can or part != shape, (
        f"a leaf of shape {shape} isn't split over {n} devices · "
        f"shape이 {shape}인 리프가 디바이스 {n}개에 나뉘지 않았습니다"
    )
    assert not can or part == (shape[0] // n, *shape[1:]), (
        f"a leaf of shape {shape} is split along an axis other than axis 0 · "
        f"shape이 {shape}인 리프가 0번 축이 아닌 축으로 나뉘었습니다"
    )


def check_2(answer) -> None:
    """Split a tree over two meshes and look at the parts."""
    needs_function(answer, "answer_2(tree, mesh)")
    tree, kind = tree_2(), (AxisType.Auto,)
    four = jax.sharding.Mesh(jax.devices()[:4], ("rows",), axis_types=kind)
    eight = jax.make_mesh((8,), ("data",), axis_types=kind)
    for mesh in (eight, four):
        n, axis = mesh.size, mesh.axis_names[0]
        hints = {
            "divisible": f"a leaf can't be split evenly over {n} devices · "
            f"디바이스 {n}개에 똑같이 나눌 수 없는 리프가 있습니다",
            "not found in mesh": f"this mesh calls its axis {axis!r}: where can the function read "
            f"the name? · 이 메시의 축 이름은 {axis!r}입니다. 함수 안에서 축 이름을 어디서 알 수 있을까요?",
            "IndexError": "the function reads an axis that a leaf doesn't have; the tree contains "
            "a scalar · 없는 축을 읽었습니다. 트리에는 스칼라도 있습니다",
        }
        result = call_answer(answer, tree, mesh, hints=hints)
        assert jax.tree.structure(result) == jax.tree.structure(tree), (
            "the result has a different structure from the tree · 결과의 구조가 트리와 다릅니다"
        )
        for old, new in zip(jax.tree.leaves(tree), jax.tree.leaves(result)):
            needs_parts_2(old, new, mesh)


# %% solution 2
def shard_rows(tree, mesh: jax.sharding.Mesh):
    """Split axis 0 of the leaves where it can be divided."""

    def put(leaf):
        split = leaf.ndim > 0 and leaf.shape[0] % mesh.size == 0
        spec = P(mesh.axis_names[0]) if split else P()
        return jax.device_put(leaf, NamedSharding(mesh, spec))

    return jax.tree.map(put, tree)


judge(2, check_2, shard_rows)


# %% wrong 2: split evenly over
def answer_2(tree, mesh):
    return jax.device_put(tree, NamedSharding(mesh, P("data")))


def answer_2(tree, mesh):
    def put(leaf):
        split = leaf.ndim > 0 and leaf.shape[0] >= mesh.size
        spec = P(mesh.axis_names[0]) if split else P()
        return jax.device_put(leaf, NamedSharding(mesh, spec))

    return jax.tree.map(put, tree)


# %% wrong 2: isn't split over
def answer_2(tree, mesh):
    return jax.device_put(tree, NamedSharding(mesh, P()))


def answer_2(tree, mesh):
    def put(leaf):
        split = leaf.ndim == 2 and leaf.shape[0] % mesh.size == 0
        spec = P(mesh.axis_names[0]) if split else P()
        return jax.device_put(leaf, NamedSharding(mesh, spec))

    return jax.tree.map(put, tree)


def answer_2(tree, mesh):
    def put(leaf):
        split = leaf.ndim > 0 and leaf.shape[0] % 8 == 0
        spec = P(mesh.axis_names[0]) if split else P()
        return jax.device_put(leaf, NamedSharding(mesh, spec))

    return jax.tree.map(put, tree)


# %% wrong 2: returns nothing
def answer_2(tree, mesh):
    shard_rows(tree, mesh)


# %% wrong 2: calls its axis
def answer_2(tree, mesh):
    def put(leaf):
        split = leaf.ndim > 0 and leaf.shape[0] % mesh.size == 0
        spec = P("data") if split else P()
        return jax.device_put(leaf, NamedSharding(mesh, spec))

    return jax.tree.map(put, tree)


# %% wrong 2: contains a scalar
def answer_2(tree, mesh):
    def put(leaf):
        split = leaf.shape[0] % mesh.size == 0
        spec = P(mesh.axis_names[0]) if split else P()
        return jax.device_put(leaf, NamedSharding(mesh, spec))

    return jax.tree.map(put, tree)


# %% wrong 2: devices of the mesh
def answer_2(tree, mesh):
    def put(leaf):
        if leaf.ndim == 0 or leaf.shape[0] % mesh.size:
            return leaf
        return jax.device_put(leaf, NamedSharding(mesh, P(mesh.axis_names)))

    return jax.tree.map(put, tree)


# %% wrong 2: along an axis other
def answer_2(tree, mesh):
    def put(leaf):
        split = leaf.ndim > 0 and leaf.shape[-1] % mesh.size == 0
        spec = [None] * (leaf.ndim - 1) + [mesh.axis_names[0]]
        spec = P(*spec) if split else P()
        return jax.device_put(leaf, NamedSharding(mesh, spec))

    return jax.tree.map(put, tree)


# %% wrong 2: of its axis 0
def answer_2(tree, mesh):
    def put(leaf):
        names = [None] * leaf.ndim
        for axis, length in enumerate(leaf.shape):
            if length % mesh.size == 0 and not any(names):
                names[axis] = mesh.axis_names[0]
        return jax.device_put(leaf, NamedSharding(mesh, P(*names)))

    return jax.tree.map(put, tree)


# %% wrong 2: a different structure
def answer_2(tree, mesh):
    return jax.tree.leaves(shard_rows(tree, mesh))


# %% check 3
def address_3(leaf: jax.Array) -> int:
    """Where a leaf's buffer lies."""
    return leaf.addressable_shards[0].data.unsafe_buffer_pointer()


def needs_equal_3(new, old: jax.Array) -> None:
    """Refuse a leaf that isn't an array like the given one."""
    kind = type(new).__name__
    assert isinstance(new, jax.Array), (
        f"a leaf is a {kind}, which can't be donated · "
        f"리프 하나가 {kind}입니다. 이런 값은 도네이션할 수 없습니다"
    )
    was, now = (f"{leaf.dtype}{list(leaf.shape)}" for leaf in (old, new))
    assert was == now, (
        f"{was} has become {now} · {was}이 {now}(으)로 바뀌었습니다"
    )
    assert not old.is_deleted(), (
        "the caller's params have been deleted · 함수를 호출한 쪽의 params가 삭제되었습니다"
    )
    assert (new == old).all(), (
        "params and ema have to start with the given values · params와 ema는 전달받은 값에서 시작해야 합니다"
    )


def check_3(answer) -> None:
    """Make a state, look at its buffers, and donate it."""
    needs_function(answer, "answer_3(params)")
    plus_one = lambda state: jax.tree.map(lambda leaf: leaf + 1, state)
    for shape in ((300,), (40, 7)):
        params = {
            "w": jax.random.normal(jax.random.key(5), shape),
            "b": [jnp.arange(50, dtype=jnp.float16) - 3],
        }
        want = {"params": params, "ema": params}
        state = call_answer(answer, params)
        assert jax.tree.structure(state) == jax.tree.structure(want), (
            "the state needs the two entries params and ema, each with the structure of the "
            "parameters · 상태에는 params와 ema가 있어야 하고, 둘 다 구조가 파라미터와 같아야 합니다"
        )
        leaves = jax.tree.leaves(state)
        for new, old in zip(leaves, jax.tree.leaves(want)):
            needs_equal_3(new, old)
        own = {address_3(leaf) for leaf in leaves}
        assert len(own) == len(leaves), (
            "params and ema still share a buffer · params와 ema가 아직 같은 버퍼를 공유합니다"
        )
        assert own.isdisjoint(map(address_3, jax.tree.leaves(params))), (
            "the state still shares a buffer with the caller's params, which a step that donates "
            "it would delete · 상태가 아직 호출한 쪽의 params와 버퍼를 공유하므로, 상태를 도네이션하는 스텝이 "
            "그 배열을 삭제합니다"
        )
        jax.jit(plus_one, donate_argnums=0)(state)
        assert all(leaf.is_deleted() for leaf in leaves), (
            "a leaf of the state wasn't donated · 상태의 리프 가운데 도네이션되지 않은 것이 있습니다"
        )


# %% solution 3
def start(params):
    """Make a state of copies, so that `params` stay with the caller."""
    return jax.tree.map(jnp.copy, {"params": params, "ema": params})


judge(3, check_3, start)


# %% wrong 3: still share a buffer
answer_3 = broken_start


def answer_3(params):
    return jax.tree.map(jnp.asarray, {"params": params, "ema": params})


def answer_3(params):
    params = jax.tree.map(jnp.copy, params)
    return {"params": params, "ema": params}


def answer_3(params):
    return {"params": dict(params), "ema": dict(params)}


# %% wrong 3: the caller's params, which
def answer_3(params):
    return {"params": params, "ema": jax.tree.map(jnp.copy, params)}


# %% wrong 3: start with the given values
def answer_3(params):
    params = jax.tree.map(jnp.copy, params)
    return {"params": params, "ema": jax.tree.map(jnp.zeros_like, params)}


# %% wrong 3: can't be donated
def answer_3(params):
    return jax.device_get({"params": params, "ema": params})


# %% wrong 3: has become
def answer_3(params):
    both = {"params": params, "ema": params}
    return jax.tree.map(lambda leaf: jnp.array(leaf, jnp.float32), both)


# %% wrong 3: the two entries
def answer_3(params):
    return jax.tree.map(jnp.copy, (params, params))


# %% wrong 3: returns nothing
def answer_3(params):
    jax.tree.map(jnp.copy, {"params": params, "ema": params})


# %% wrong 3: have been deleted
def answer_3(params):
    double = jax.jit(lambda p: {"params": p, "ema": p}, donate_argnums=0)
    return double(params)
