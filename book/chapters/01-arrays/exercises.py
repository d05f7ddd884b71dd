"""What judges the answers to the exercises of this chapter, and answers to try it with."""


# %% check 1
def truth_1() -> tuple:
    """Return b, x, y and z, run, as lists."""
    a = np.array([4, 5, 6])
    b = a
    a += 1
    x = jnp.array([1, 2, 3])
    y = x
    x += 1
    x.at[0].set(10)
    z = y.at[jnp.array([0, 0, -1])].add(5)
    return b.tolist(), x.tolist(), y.tolist(), z.tolist()


def parts_1(whole, count: int) -> list:
    """The parts of a list, a tuple or an array; none where there aren't so many."""
    whole = whole.tolist() if hasattr(whole, "tolist") else whole
    listed = isinstance(whole, (list, tuple)) and len(whole) == count
    return list(whole) if listed else []


def check_1(answer) -> None:
    """Compare with a run and name the first wrong prediction."""
    hints = (
        "what does NumPy's += change, and which names refer to it? · "
        "NumPy의 +=가 무엇을 바꾸는지, 그 배열을 가리키는 이름이 몇 개인지 생각해 보세요",
        "which lines bind a new array to the name x? · "
        "x라는 이름에 새 배열을 대입하는 줄이 어느 것인지 찾아보세요",
        "which array does the name y refer to after x += 1? · "
        "x += 1 다음에 y가 어느 배열을 가리키는지 생각해 보세요",
        "which array does it start from, and where does each 5 go? · "
        "어느 배열에서 시작하는지, 5가 각각 어느 원소에 더해지는지 따져 보세요",
    )
    lists = parts_1(answer, 4)
    assert lists, (
        "answer_1 must hold four lists, for b, x, y and z · "
        "b, x, y, z의 값을 담은 리스트 네 개가 필요합니다"
    )
    for name, guess, real, hint in zip("bxyz", lists, truth_1(), hints):
        guess = [as_number(entry, "whole") for entry in parts_1(guess, 3)]
        assert guess and None not in guess, (
            f"{name} is a list of three whole numbers · "
            f"{name}의 값은 정수 세 개로 된 리스트입니다"
        )
        assert guess == real, joined(
            f"{name} isn't {guess}: · {name}의 값이 다릅니다(적은 값: {guess}).",
            hint,
        )


# %% solution 1
# b: one NumPy array with two names, and += changed the array.
# x: += rebound x to a new array; the result of .set was discarded.
# y: still the first array.
# z: starts from y; index 0 occurs twice, and -1 is the last entry.
judge(1, check_1, ([5, 6, 7], [2, 3, 4], [1, 2, 3], [11, 2, 8]))


# %% right 1
answer_1 = [[5, 6, 7], [2, 3, 4], [1, 2, 3], [11, 2, 8]]
answer_1 = ((5, 6, 7), (2, 3, 4), (1, 2, 3), (11, 2, 8))
answer_1 = [(5.0, 6.0, 7.0), [2, 3, 4], [1, 2, 3], [11, 2, 8]]


# %% wrong 1: b isn't [4, 5, 6]: what does NumPy's += change
answer_1 = ([4, 5, 6], [2, 3, 4], [1, 2, 3], [11, 2, 8])


# %% wrong 1: which lines bind a new array to the name x
answer_1 = ([5, 6, 7], [10, 3, 4], [1, 2, 3], [11, 2, 8])
answer_1 = (
    [5, 6, 7],
    [1, 2, 3],
    [1, 2, 3],
    [11, 2, 8],
)  # JAX arrays don't change


# %% wrong 1: which array does the name y refer to
answer_1 = ([5, 6, 7], [2, 3, 4], [2, 3, 4], [12, 3, 9])  # as in NumPy


# %% wrong 1: where does each 5 go
answer_1 = ([5, 6, 7], [2, 3, 4], [1, 2, 3], [6, 2, 8])
answer_1 = ([5, 6, 7], [2, 3, 4], [1, 2, 3], [11, 2, 3])  # -1 dropped


# %% wrong 1: answer_1 must hold four lists
answer_1 = [5, 6, 7]
answer_1 = 5
answer_1 = {
    "b": [5, 6, 7],
    "x": [2, 3, 4],
    "y": [1, 2, 3],
    "z": [11, 2, 8],
}


# %% wrong 1: x is a list of three whole numbers
answer_1 = ([5, 6, 7], 2, [1, 2, 3], [11, 2, 8])


# %% wrong 1: b is a list of three whole numbers
answer_1 = (["5", "6", "7"], [2, 3, 4], [1, 2, 3], [11, 2, 8])


# %% check 2
def cases_2() -> list:
    """Arrays, indices and values to add; no value is for index -1."""
    four, added = [10.5, -20.0, 30.0, 40.0], [1.0, 2, -4.5, 8, 16]
    return [
        (four, [1, 3, 1, 0, 1], added),
        (four, [1, -1, 1, 2, -1], added),
        ([7, 5, 3], [-1, 2, 0, 2, 2, -1, 1], [1, 2, 3, 4, 5, 6, 7]),
        ([1.5, 2.5], [-1, -1], [3.0, 4.0]),
        ([0.5] * 2000, [-1, 7], [3.0, 4.0]),
    ]


def sums_2(start, places, added) -> list:
    """Add the values in a Python loop."""
    sums = list(start)
    for place, value in zip(places, added):
        if place != -1:
            sums[place] += value
    return sums


def slip_2(x, indices, values, right, found) -> str:
    """The likely mistake behind a wrong result."""
    slips = [
        (
            x,
            "nothing was added: did you assign the new array? · "
            "아무것도 더해지지 않았습니다. 새 배열을 변수에 대입했나요?",
        ),
        (
            jnp.array(right) - x,
            "these are only the sums: what was in x is lost · "
            "더한 값만 남고 x에 있던 값이 사라졌습니다",
        ),
        (
            x.at[indices].add(values),
            "the value at index -1 went to the last entry · "
            "인덱스가 -1인 값이 마지막 원소에 더해졌습니다",
        ),
        (
            x.at[jnp.maximum(indices, 0)].add(values),
            "the value at index -1 went to the first entry · "
            "인덱스가 -1인 값이 첫 원소에 더해졌습니다",
        ),
    ]
    other = (
        "does each occurrence of an index add, and does -1 add nothing? · "
        "같은 인덱스가 나올 때마다 더하는지, -1에서는 더하지 않는지 확인하세요"
    )
    return next(
        (hint for wrong, hint in slips if wrong.tolist() == found), other
    )


def errors_2() -> dict:
    """What errors of an update mean."""
    in_place = (
        "it tries to change x in place: what returns a new array? · "
        "x를 제자리에서 바꾸려고 합니다. 새 배열을 반환하는 방법을 찾아보세요"
    )
    words = "immutable", "must be array", "=: '_Index", "NotImplementedError"
    return {each: in_place for each in words} | {
        "_IndexUpdateRef": "x.at[...] by itself isn't an array: which of its methods returns one? "
        "· x.at[...]만으로는 배열이 아닙니다. 배열을 반환하는 메서드를 호출하세요"
    }


def check_2(answer) -> None:
    """Compare with a Python loop, with and without missing labels."""
    needs_function(answer, "answer_2(x, indices, values)")
    for start, places, added in cases_2():
        right = sums_2(start, places, added)
        given = jnp.array(start), jnp.array(places), jnp.array(added)
        result, x = call_answer(answer, *given, hints=errors_2()), given[0]
        kind = type(result).__name__
        assert isinstance(result, jax.Array), (
            f"the result is a {kind}, not a JAX array · "
            f"결과가 JAX 배열이 아니라 {kind}입니다"
        )
        needs_shape(result, x.shape)
        assert x.tolist() == start, (
            "x itself was changed: a copy is needed, np.array(x) · "
            "x 자체가 바뀌었습니다. np.array(x)로 복사해야 합니다"
        )
        found = result.tolist()
        agrees = np.allclose(found, right, atol=1e-4)
        assert len(start) < 9 or agrees, (
            "right for a short x, but not for 2000 entries with indices [-1, 7]: the value at "
            "index -1 was added to some entry · x가 짧을 때는 맞지만, 원소가 2000개이고 인덱스가 "
            "[-1, 7]이면 인덱스가 -1인 값이 더해집니다"
        )
        assert agrees, joined(
            f"indices {places} give {found}: · 인덱스가 {places}일 때 결과는 {found}입니다.",
            slip_2(*given, right, found),
        )
        assert result.dtype == x.dtype, (
            f"the dtype is {result.dtype}, but x has {x.dtype} · "
            f"결과의 dtype은 {result.dtype}인데 x의 dtype은 {x.dtype}입니다"
        )


# %% solution 2
def add_at(x: jax.Array, indices: jax.Array, values: jax.Array) -> jax.Array:
    """Return x with each value added at its index, except at index -1."""
    return x.at[indices].add(jnp.where(indices == -1, 0, values))


judge(2, check_2, add_at)


# %% right 2
answer_2 = jax.jit(add_at)


def answer_2(x, indices, values):
    places = jnp.where(indices < 0, len(x), indices)
    return x.at[places].add(values, mode="drop")


@jax.jit
def answer_2(x, indices, values):
    places = jnp.where(indices < 0, len(x), indices)
    return x.at[places].add(values, mode="drop")


def answer_2(x, indices, values):
    return x.at[indices[indices >= 0]].add(values[indices >= 0])


def answer_2(x, indices, values):
    for index, value in zip(indices, values):
        if index != -1:
            x = x.at[index].add(value)
    return x


def answer_2(x, indices, values):
    hit = indices[:, None] == jnp.arange(len(x))
    return x + jnp.where(hit, values[:, None], 0).sum(axis=0)


def answer_2(x, indices, values):
    kept = values * (indices != -1)
    return x + jax.ops.segment_sum(kept, indices % len(x), len(x))


def answer_2(x, indices, values):
    y, i = np.array(x), np.asarray(indices)
    np.add.at(y, i[i >= 0], np.asarray(values)[i >= 0])
    return jnp.asarray(y)


def answer_2(x, indices, values):
    longer = jnp.concatenate([x, jnp.zeros(1, x.dtype)])
    return longer.at[indices].add(values)[:-1]


answer_2 = lambda x, i, v: x.at[i].add(v * (i >= 0))


# %% wrong 2: does each occurrence of an index add
def answer_2(x, indices, values):
    return x.at[indices].set(x[indices] + jnp.where(indices == -1, 0, values))


# %% wrong 2: the value at index -1 went to the last entry
answer_2 = lambda x, indices, values: x.at[indices].add(values)
answer_2 = lambda x, indices, values: x.at[indices].add(values, mode="drop")


# %% wrong 2: nothing was added
def answer_2(x, indices, values):
    x.at[indices].add(jnp.where(indices == -1, 0, values))
    return x


# %% wrong 2: it tries to change x in place
def answer_2(x, indices, values):
    np.add.at(x, indices, values)
    return x


def answer_2(x, indices, values):
    for index, value in zip(indices, values):
        if index != -1:
            x[index] += value
    return x


def answer_2(x, indices, values):
    x.at[indices] += jnp.where(indices == -1, 0, values)
    return x


# %% wrong 2: the value at index -1 went to the first entry
def answer_2(x, indices, values):
    return x.at[jnp.where(indices == -1, 0, indices)].add(values)


# %% wrong 2: these are only the sums
def answer_2(x, indices, values):
    kept = jnp.where(indices == -1, 0, values)
    return jnp.zeros_like(x).at[indices].add(kept)


# %% wrong 2: x itself was changed
def answer_2(x, indices, values):
    y, i = np.asarray(x), np.asarray(indices)
    np.add.at(y, i[i >= 0], np.asarray(values)[i >= 0])
    return jnp.array(y)


def answer_2(x, indices, values):
    y, i = np.asarray(x), np.asarray(indices)
    np.add.at(y, i[i >= 0], np.asarray(values)[i >= 0])
    return x


# %% wrong 2: right for a short x
def answer_2(x, indices, values):
    i = jnp.where(indices == -1, len(indices), indices)
    return x.at[i].add(values)


def answer_2(x, indices, values):
    return x.at[jnp.where(indices == -1, 10, indices)].add(values)


# %% wrong 2: x.at[...] by itself isn't an array
def answer_2(x, indices, values):
    return x.at[indices] + jnp.where(indices == -1, 0, values)


# %% wrong 2: the result is a ndarray
def answer_2(x, indices, values):
    y, i = np.array(x), np.asarray(indices)
    np.add.at(y, i[i >= 0], np.asarray(values)[i >= 0])
    return y


# %% wrong 2: returns nothing
def answer_2(x, indices, values):
    x = x.at[indices].add(jnp.where(indices == -1, 0, values))


# %% check 3
def slips_3(given) -> list:
    """Wrong results for a table, and the mistake behind each."""
    rows, whole = given.mean(axis=1, keepdims=True), given.mean()
    return [
        (
            given,
            "nothing changed: did you assign each new array? · "
            "아무것도 바뀌지 않았습니다. 새 배열을 변수에 대입했나요?",
        ),
        (
            np.maximum(given, 0),
            "the columns aren't centered: did you assign each new array? · "
            "열마다 평균을 빼지 않았습니다. 새 배열을 변수에 대입했나요?",
        ),
        (
            given - given.mean(axis=0),
            "negative entries are left · 음수가 남아 있습니다",
        ),
        (
            np.maximum(given - rows, 0),
            "the mean of each row was subtracted, not of each column · "
            "열의 평균이 아니라 행의 평균을 뺐습니다",
        ),
        (
            np.maximum(given - whole, 0),
            "the mean of the whole table was subtracted, not of each column · "
            "열의 평균이 아니라 표 전체의 평균을 뺐습니다",
        ),
    ]


def errors_3() -> dict:
    """What errors of an update mean, also of one under jit."""
    in_place = (
        "it still assigns in place: what returns a new array instead? · "
        "아직 제자리에서 대입합니다. 새 배열을 반환하는 방법으로 바꾸세요"
    )
    words = "immutable", "ArrayType", "=: '_IndexUpdateRef"
    return {each: in_place for each in words} | {
        "_IndexUpdateRef": "table.at[...] by itself isn't an array: which of its methods returns "
        "one? · table.at[...]만으로는 배열이 아닙니다. 배열을 반환하는 메서드를 호출하세요",
        "NonConcreteBooleanIndexError": "under jit, a computed mask can't be an index: which "
        "function chooses without one? · jit을 적용하면 마스크를 인덱스로 쓸 수 없습니다. 마스크로 "
        "인덱싱하지 않고 값을 고르는 함수를 쓰세요",
    }


def check_3(answer) -> None:
    """Compare with NumPy on two tables, as it is and under jit."""
    needs_function(answer, "answer_3(table)")
    for rows in (
        [[1.5, 8, -3], [2, 6, -4], [6, 1, 5.5], [0.5, 1, 2.5]],
        [[-2, 0.5, 9, 1] * 3, [4, -1.5, 2, 5] * 3],
    ):
        given = np.array(rows, dtype="float32")
        right = np.maximum(given - given.mean(axis=0), 0)
        result = call_answer(answer, jnp.array(given), hints=errors_3())
        kind = type(result).__name__
        assert isinstance(result, jax.Array), (
            f"the result is a {kind}, not a JAX array · "
            f"결과가 JAX 배열이 아니라 {kind}입니다"
        )
        needs_shape(result, right.shape)
        for wrong, hint in slips_3(given):
            assert not np.allclose(result, wrong, atol=1e-4), hint
        done = np.isclose(result, right, atol=1e-4).all(axis=0)
        good, bad = (np.flatnonzero(m).tolist() for m in (done, ~done))
        assert not good or not bad, (
            f"columns {good} are right, and columns {bad} are not · "
            f"{good}번 열은 맞고 {bad}번 열은 다릅니다"
        )
        shown = np.round(np.asarray(result, float), 2).tolist()
        assert not bad, (
            f"this isn't the centered and clipped table: {shown}; center first, then clip at 0 · "
            f"결과가 다릅니다({shown}). 먼저 열마다 평균을 빼고 그다음 음수를 0으로 바꾸세요"
        )
        jitted = call_answer(
            jax.jit(answer), jnp.array(given), hints=errors_3()
        )
        assert arrays_agree(jitted, right, 1e-4), (
            "right without jit, but jit gives other values · "
            "jit 없이는 맞지만, jit을 적용하면 값이 달라집니다"
        )


# %% solution 3
def center_and_clip_purely(table: jax.Array) -> jax.Array:
    """Return the table with centered columns and 0 for negative entries."""
    return jnp.maximum(table - table.mean(axis=0), 0)


judge(3, check_3, center_and_clip_purely)


# %% right 3
answer_3 = jax.jit(center_and_clip_purely)


def answer_3(table):
    for column in range(table.shape[1]):
        table = table.at[:, column].add(-table[:, column].mean())
    return jnp.where(table < 0, 0, table)


def answer_3(table):
    for column in range(table.shape[1]):
        values = table[:, column]
        table = table.at[:, column].set(values - values.mean())
    return table.at[:].max(0.0)


def answer_3(table):
    columns = [column - column.mean() for column in table.T]
    return jnp.stack([jnp.where(c < 0, 0.0, c) for c in columns], axis=1)


answer_3 = lambda t: jnp.clip(t - t.mean(0, keepdims=True), 0, None)
answer_3 = lambda t: jax.nn.relu(t - jnp.mean(t, axis=0))
answer_3 = lambda t: (t - t.mean(0)) * (t > t.mean(0))
answer_3 = jax.vmap(
    lambda c: jnp.maximum(c - c.mean(), 0), in_axes=1, out_axes=1
)
answer_3 = lambda t, low=0.0: jnp.where(t > t.mean(0), t - t.mean(0), low)


# %% wrong 3: the columns aren't centered
def answer_3(table):
    for column in range(table.shape[1]):
        table.at[:, column].add(-table[:, column].mean())
    return jnp.where(table < 0, 0, table)


# %% wrong 3: a computed mask can't be an index
def answer_3(table):
    table = table - table.mean(axis=0)
    return table.at[table < 0].set(0)


@jax.jit
def answer_3(table):
    table = table - table.mean(axis=0)
    return table.at[table < 0].set(0)


# %% wrong 3: the result is a ndarray
answer_3 = lambda table: center_and_clip(np.array(table))


# %% wrong 3: needs the value of a tracer
answer_3 = lambda table: jnp.asarray(center_and_clip(np.array(table)))


# %% wrong 3: it still assigns in place
answer_3 = center_and_clip


def answer_3(table):
    for column in range(table.shape[1]):
        table.at[:, column] -= table[:, column].mean()
    return table


# %% wrong 3: and columns [3, 4, 5, 6, 7, 8, 9, 10, 11] are not
def answer_3(table):
    for column in range(3):
        table = table.at[:, column].add(-table[:, column].mean())
    return jnp.where(table < 0, 0, table)


# %% wrong 3: columns [0, 1, 2, 3, 4, 5, 6, 7, 8, 9] are right
def answer_3(table):
    for column in range(10):
        table = table.at[:, column].add(-table[:, column].mean())
    return jnp.where(table < 0, 0, table)


# %% wrong 3: table.at[...] by itself isn't an array
def answer_3(table):
    return jnp.maximum(table.at[:] - table.mean(axis=0), 0)


# %% wrong 3: negative entries are left
def answer_3(table):
    table = table - table.mean(axis=0)
    table.at[table < 0].set(0)
    return table


# %% wrong 3: the mean of each row was subtracted
answer_3 = lambda table: jnp.maximum(
    table - table.mean(axis=1, keepdims=True), 0
)


# %% wrong 3: the mean of the whole table was subtracted
answer_3 = lambda table: jnp.maximum(table - table.mean(), 0)


# %% wrong 3: center first, then clip at 0
answer_3 = lambda table: jnp.abs(table - table.mean(axis=0))


# %% wrong 3: returns nothing
def answer_3(table):
    jnp.maximum(table - table.mean(axis=0), 0)
