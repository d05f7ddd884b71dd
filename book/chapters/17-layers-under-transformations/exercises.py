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
    """Compare two runs with a loop that drops the same units."""
    needs_function(answer, "answer_3(variables, h, n, key)")
    h, key = jax.random.normal(jax.random.key(8), (6, 4)), jax.random.key(9)
    variables = Cell().init({"params": key, "dropout": key}, h)
    runs = []

    def counted(call, arguments, options, context):
        if isinstance(context.module, nn.Dense):
            runs.append("run")
        return call(*arguments, **options)

    for n in (4, 12):
        runs.clear()
        with nn.intercept_methods(counted):
            result = call_answer(answer, variables, h, n, key)
        form = "(h, masks), updates · (h, masks), updates"
        pair, updates = needs_results(result, 2, form)
        out, masks = needs_results(pair, 2, form)
        needs_shape(masks, (n, 6, 4), "the stack of masks · 쌓은 마스크")
        count = different(masks)
        assert count == n, (
            f"{count} of {n} masks are different: what does each step get of the key? · "
            f"마스크 {n}개 가운데 서로 다른 것이 {count}개입니다. 스텝마다 어떤 키를 받나요?"
        )
        right, stats = h, variables["batch_stats"]
        params = variables["params"]
        for mask in masks:
            right = nn.Dense(4).apply({"params": params["Dense_0"]}, right)
            norm = {
                "params": params["BatchNorm_0"],
                "batch_stats": stats["BatchNorm_0"],
            }
            right, new = nn.BatchNorm(use_running_average=False).apply(
                norm, right, mutable=["batch_stats"]
            )
            stats = {"BatchNorm_0": new["batch_stats"]}
            right = jnp.where(mask, right / 0.5, 0)
        mean = updates["batch_stats"]["BatchNorm_0"]["mean"]
        needs_shape(mean, (4,), "the running mean · 이동 평균")
        assert arrays_agree(updates["batch_stats"], stats, within=1e-4), (
            f"the statistics aren't those of a loop of {n} calls · "
            f"통계량이 반복문으로 {n}번 호출한 뒤의 통계량과 다릅니다"
        )
        assert arrays_agree(out, right, within=1e-3), (
            "the output isn't that of a loop with these masks · 출력이 같은 마스크를 쓴 반복문의 출력과 다릅니다"
        )
    assert len(runs) <= 6, (
        f"Python ran the cell {len(runs)} times; that's a loop, not a scan · "
        f"파이썬이 Cell을 {len(runs)}번 실행했습니다. scan이 아니라 반복문입니다"
    )


# %% solution 3
def repeat_right(variables, h, n, key):
    cells = nn.scan(
        Cell,
        length=n,
        variable_broadcast="params",  # read: shared
        variable_carry="batch_stats",  # written: carried
        split_rngs={"params": False, "dropout": True},
    )
    rngs, mutable = {"dropout": key}, ["batch_stats"]
    return cells().apply(variables, h, None, rngs=rngs, mutable=mutable)


judge(3, check_3, repeat_right)


# %% right 3
def answer_3(variables, h, n, key):
    def step(carry, key):
        h, stats = carry
        given = {"params": variables["params"], "batch_stats": stats}
        (h, mask), new = Cell().apply(
            given, h, rngs={"dropout": key}, mutable=["batch_stats"]
        )
        return (h, new["batch_stats"]), mask

    keys = jax.random.split(key, n)
    (h, stats), masks = jax.lax.scan(step, (h, variables["batch_stats"]), keys)
    return (h, masks), {"batch_stats": stats}


# %% wrong 3: raised ValueError
answer_3 = repeat


# %% wrong 3: what does each step get of the key
def answer_3(variables, h, n, key):
    cells = nn.scan(
        Cell,
        length=n,
        variable_broadcast="params",
        variable_carry="batch_stats",
        split_rngs={"params": False, "dropout": False},
    )
    rngs, mutable = {"dropout": key}, ["batch_stats"]
    return cells().apply(variables, h, None, rngs=rngs, mutable=mutable)


# %% wrong 3: the running mean has shape
def answer_3(variables, h, n, key):
    cells = nn.scan(
        Cell,
        length=n,
        variable_broadcast="params",
        variable_axes={"batch_stats": 0},
        split_rngs={"params": False, "dropout": True},
    )
    rngs, mutable = {"dropout": key}, ["batch_stats"]
    return cells().apply(variables, h, None, rngs=rngs, mutable=mutable)


def answer_3(variables, h, n, key):
    cells = nn.scan(
        Cell,
        length=n,
        variable_axes={"params": 0, "batch_stats": 0},
        split_rngs={"params": True, "dropout": True},
    )()
    rngs, mutable = {"params": key, "dropout": key}, ["batch_stats"]
    variables = cells.init(rngs, h, None)
    return cells.apply(variables, h, None, rngs=rngs, mutable=mutable)


# %% wrong 3: the statistics aren't
def answer_3(variables, h, n, key):
    result, _ = repeat_right(variables, h, n, key)
    return result, {"batch_stats": variables["batch_stats"]}


# %% wrong 3: a loop, not a scan
def answer_3(variables, h, n, key):
    masks = []
    for key in jax.random.split(key, n):
        (h, mask), new = Cell().apply(
            variables, h, rngs={"dropout": key}, mutable=["batch_stats"]
        )
        variables = {**variables, **new}
        masks.append(mask)
    return (h, jnp.stack(masks)), new


# %% wrong 3: is there a return
def answer_3(variables, h, n, key):
    repeat_right(variables, h, n, key)


# %% wrong 3: return 2 values
def answer_3(variables, h, n, key):
    return repeat_right(variables, h, n, key)[0][0]
