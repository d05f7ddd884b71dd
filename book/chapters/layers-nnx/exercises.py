"""What judges the answers to the exercises of this page, and answers to try it with."""


# %% check 1
def check_1(answer) -> None:
    """Compare two calls with a Python loop over the same cell."""
    needs_function(answer, "answer_1(cell, h, n)")
    runs = []

    class Counted(Cell):
        def __call__(self, h):
            runs.append("run")
            return super().__call__(h)

    mine, looped = Counted(nnx.Rngs(3)), Cell(nnx.Rngs(3))
    h = jax.random.normal(jax.random.key(8), (6, 4))
    for call, n in (("first · 첫", 6), ("second · 두", 4)):
        en, ko = languages_of(call)
        right = h
        for _ in range(n):
            right = looped(right)
        out = call_answer(answer, mine, h, n)
        needs_shape(out, h.shape)
        zeros = lambda a: np.asarray(a) == 0
        masks = np.array_equal(zeros(out), zeros(right))
        count = int(mine.dropout.rngs.count[...])
        right_count = int(looped.dropout.rngs.count[...])
        assert masks and count == right_count, (
            f"{en} call: the masks aren't those of a loop, and the dropout's count is {count}, "
            f"not {right_count} · {ko} 번째 호출의 마스크가 반복문의 마스크와 다릅니다. 드롭아웃의 "
            f"count는 {right_count}이어야 하는데 {count}입니다"
        )
        means = mine.norm.mean[...], looped.norm.mean[...]
        assert arrays_agree(*means, within=1e-4), (
            f"{en} call: the running mean isn't that of a loop · "
            f"{ko} 번째 호출 뒤의 이동 평균이 반복문의 이동 평균과 다릅니다"
        )
        assert arrays_agree(out, right, within=1e-3), (
            f"{en} call: the output isn't that of a loop · {ko} 번째 호출의 출력이 반복문과 다릅니다"
        )
    assert len(runs) <= 6, (
        f"Python ran the cell {len(runs)} times; that's a loop, not a scan · "
        f"파이썬이 cell을 {len(runs)}번 실행했습니다. scan이 아니라 반복문입니다"
    )


# %% solution 1
def repeat_right(cell, h, n):
    @nnx.scan(in_axes=nnx.Carry, out_axes=nnx.Carry, length=n)
    def step(carry):
        cell, h = carry
        return cell, cell(h)

    return step((cell, h))[1]


judge(1, check_1, repeat_right)


# %% right 1
def answer_1(cell, h, n):
    kinds = {nnx.Param: None, ...: nnx.Carry}  # all but the parameters

    @nnx.scan(
        in_axes=(nnx.StateAxes(kinds), nnx.Carry),
        out_axes=nnx.Carry,
        length=n,
    )
    def step(cell, h):
        return cell(h)

    return step(cell, h)


def answer_1(cell, h, n):
    graphdef, state = nnx.split(cell)

    def step(carry, _):
        state, h = carry
        cell = nnx.merge(graphdef, state)
        h = cell(h)
        return (nnx.state(cell), h), None

    (state, h), _ = jax.lax.scan(step, (state, h), length=n)
    nnx.update(cell, state)
    return h


# %% wrong 1: first call: the masks
answer_1 = repeat


def answer_1(cell, h, n):
    kinds = {nnx.BatchStat: nnx.Carry, ...: None}
    axes = (nnx.StateAxes(kinds), nnx.Carry)
    scan = nnx.scan(in_axes=axes, out_axes=nnx.Carry, length=n)
    return scan(lambda cell, h: cell(h))(cell, h)


def answer_1(cell, h, n):
    graphdef, state = nnx.split(nnx.clone(cell))

    def step(carry, _):
        state, h = carry
        cell = nnx.merge(graphdef, state)
        h = cell(h)
        return (nnx.state(cell), h), None

    return jax.lax.scan(step, (state, h), length=n)[0][1]


# %% wrong 1: first call: the running mean
def answer_1(cell, h, n):
    kinds = {nnx.RngState: nnx.Carry, ...: None}
    axes = (nnx.StateAxes(kinds), nnx.Carry)
    scan = nnx.scan(in_axes=axes, out_axes=nnx.Carry, length=n)
    return scan(lambda cell, h: cell(h))(cell, h)


# %% wrong 1: a loop, not a scan
def answer_1(cell, h, n):
    for _ in range(n):
        h = cell(h)
    return h


# %% wrong 1: is there a return
def answer_1(cell, h, n):
    repeat_right(cell, h, n)
