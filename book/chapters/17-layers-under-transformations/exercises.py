"""What judges the answers to the exercises of this chapter, and answers to try it with."""


# %% check 1
def truth_1() -> list:
    """Run the five programs; count the different masks of each."""
    return [different(program()) for program in programs]


def check_1(answer) -> None:
    """Compare five predictions with five runs; name the first that differs."""
    given = read_numbers(answer, 5, "whole")
    hints = (
        "what does the key of the dropout stream do from layer to layer? · "
        "dropout 스트림의 키가 레이어마다 어떻게 되나요?",
        "do shared parameters say anything about keys? · 파라미터를 공유하면 키도 공유하나요?",
        "which layer does nn.scan get as an argument? · nn.scan이 인수로 받은 레이어는 어느 것인가요?",
        "which stream does this dropout read, and is it split? · "
        "이 드롭아웃은 어느 스트림의 키를 쓰고, 그 스트림은 나뉘나요?",
        "a bare key is a stream of which name? · 키 하나만 넘기면 어떤 이름의 스트림이 되나요?",
    )
    said = lambda n, value: (
        f"program {n} doesn't have {value} different masks: · {n}번의 답이 다릅니다(적은 값: {value})."
    )
    in_order(given, truth_1(), hints, said)


# %% solution 1
# 1: not split.  2: shared parameters, split keys.  3: captured.
# 4: "dropout" isn't split.  5: a bare key is "params", and that is split
judge(1, check_1, (1, 4, 1, 1, 5))


# %% right 1
answer_1 = [1, 4, 1, 1, 5]


# %% wrong 1: what does the key of the dropout stream
answer_1 = (4, 4, 1, 1, 5)


# %% wrong 1: do shared parameters say
answer_1 = (1, 1, 1, 1, 5)


# %% wrong 1: which layer does nn.scan get
answer_1 = (1, 4, 4, 1, 5)


# %% wrong 1: which stream does this dropout read
answer_1 = (1, 4, 1, 5, 5)


# %% wrong 1: a bare key is a stream
answer_1 = (1, 4, 1, 1, 1)


# %% wrong 1: write 5 whole numbers
answer_1 = 12
answer_1 = (1, 4, 1, 1)
answer_1 = "14115"


# %% check 2
def check_2(answer) -> None:
    """Convert models of two depths; compare structure, order and output."""
    needs_function(answer, "answer_2(variables)")
    x = jax.random.normal(jax.random.key(5), (3, 4))
    for depth in (3, 12):
        old = Loop(depth).init(jax.random.key(6), x)
        new = call_answer(answer, old)
        right = Scanned(depth).init(jax.random.key(7), x)
        same = jax.tree.structure(new) == jax.tree.structure(right)
        assert same, (
            f"the tree is {jax.tree.structure(new)}; Scanned has "
            f"{jax.tree.structure(right)} · 트리가 Scanned의 트리와 다릅니다. 받은 것은 "
            f"{jax.tree.structure(new)}입니다"
        )
        kernel = new["params"]["dense"]["kernel"]
        needs_shape(kernel, (depth, 4, 4), "the kernel · kernel")
        needs_shape(
            new["params"]["dense"]["bias"], (depth, 4), "the bias · bias"
        )
        owns = [old["params"][f"dense_{n}"]["kernel"] for n in range(depth)]
        by_name = [
            old["params"][name]["kernel"] for name in sorted(old["params"])
        ]
        assert depth < 11 or not arrays_agree(kernel, jnp.stack(by_name)), (
            "with 12 layers, dense_10 comes before dense_2: that's the order of "
            "the names · 레이어가 12개면 이름순으로는 dense_10이 dense_2보다 먼저입니다"
        )
        assert arrays_agree(kernel, jnp.stack(owns)), (
            "index i of the stack isn't layer i · 쌓은 배열의 i번이 i번째 레이어가 아닙니다"
        )
        agree = arrays_agree(
            Loop(depth).apply(old, x), Scanned(depth).apply(new, x)
        )
        assert agree, (
            "the two models' outputs differ · 두 모델의 출력이 다릅니다"
        )


# %% solution 2
def stack_layers(variables):
    params = variables["params"]
    layers = [params[f"dense_{n}"] for n in range(len(params))]
    stacked = jax.tree.map(lambda *leaves: jnp.stack(leaves), *layers)
    return {"params": {"dense": stacked}}


judge(2, check_2, stack_layers)


# %% right 2
def answer_2(variables):
    params = variables["params"]
    names = sorted(params, key=lambda name: int(name.split("_")[1]))
    return {
        "params": {
            "dense": {
                leaf: jnp.stack([params[name][leaf] for name in names])
                for leaf in ("kernel", "bias")
            }
        }
    }


# %% wrong 2: the order of
def answer_2(variables):
    layers = [layer for _, layer in sorted(variables["params"].items())]
    return {
        "params": {"dense": jax.tree.map(lambda *a: jnp.stack(a), *layers)}
    }


# %% wrong 2: the tree is
def answer_2(variables):
    return stack_layers(variables)["params"]


def answer_2(variables):
    return {"params": stack_layers(variables)["params"]["dense"]}


answer_2 = lambda variables: variables


# %% wrong 2: the kernel has shape
def answer_2(variables):
    params = variables["params"]
    layers = [params[f"dense_{n}"] for n in range(len(params))]
    joined = jax.tree.map(lambda *a: jnp.concatenate(a), *layers)
    return {"params": {"dense": joined}}


def answer_2(variables):
    stacked = stack_layers(variables)["params"]["dense"]
    kernel = jnp.moveaxis(stacked["kernel"], 0, -1)
    return {"params": {"dense": {**stacked, "kernel": kernel}}}


# %% wrong 2: isn't layer i
def answer_2(variables):
    stacked = stack_layers(variables)
    return jax.tree.map(lambda a: a[::-1], stacked)


# %% wrong 2: is there a return
def answer_2(variables):
    stack_layers(variables)


# %% check 3
def check_3(answer) -> None:
    """Compare two calls with a Python loop over the same cell."""
    needs_function(answer, "answer_3(cell, h, n)")
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
            f"카운트는 {right_count}이어야 하는데 {count}입니다"
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


# %% solution 3
def repeat_right(cell, h, n):
    kinds = {nnx.Param: None, ...: nnx.Carry}  # all but the parameters

    @nnx.scan(
        in_axes=(nnx.StateAxes(kinds), nnx.Carry),
        out_axes=nnx.Carry,
        length=n,
    )
    def step(cell, h):
        return cell(h)

    return step(cell, h)


judge(3, check_3, repeat_right)


# %% right 3
def answer_3(cell, h, n):
    @nnx.scan(in_axes=nnx.Carry, out_axes=nnx.Carry, length=n)
    def step(carry):
        cell, h = carry
        return cell, cell(h)

    return step((cell, h))[1]


def answer_3(cell, h, n):
    graphdef, state = nnx.split(cell)

    def step(carry, _):
        state, h = carry
        cell = nnx.merge(graphdef, state)
        h = cell(h)
        return (nnx.state(cell), h), None

    (state, h), _ = jax.lax.scan(step, (state, h), length=n)
    nnx.update(cell, state)
    return h


# %% wrong 3: first call: the masks
answer_3 = repeat


def answer_3(cell, h, n):
    kinds = {nnx.BatchStat: nnx.Carry, ...: None}
    axes = (nnx.StateAxes(kinds), nnx.Carry)
    scan = nnx.scan(in_axes=axes, out_axes=nnx.Carry, length=n)
    return scan(lambda cell, h: cell(h))(cell, h)


def answer_3(cell, h, n):
    graphdef, state = nnx.split(nnx.clone(cell))

    def step(carry, _):
        state, h = carry
        cell = nnx.merge(graphdef, state)
        h = cell(h)
        return (nnx.state(cell), h), None

    return jax.lax.scan(step, (state, h), length=n)[0][1]


# %% wrong 3: first call: the running mean
def answer_3(cell, h, n):
    kinds = {nnx.RngState: nnx.Carry, ...: None}
    axes = (nnx.StateAxes(kinds), nnx.Carry)
    scan = nnx.scan(in_axes=axes, out_axes=nnx.Carry, length=n)
    return scan(lambda cell, h: cell(h))(cell, h)


# %% wrong 3: a loop, not a scan
def answer_3(cell, h, n):
    for _ in range(n):
        h = cell(h)
    return h


# %% wrong 3: is there a return
def answer_3(cell, h, n):
    repeat_right(cell, h, n)
