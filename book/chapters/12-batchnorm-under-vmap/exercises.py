"""What judges the answers to the exercises of this chapter, and answers to try it with."""


# %% check 1
def truth_1() -> tuple:
    """Run both; return the shape, and for each whether all rows are equal."""
    images = jax.random.normal(jax.random.key(5), (8, 4, 4, 3))
    equal, shape = {}, None
    for name in (None, "batch"):
        norm = nn.BatchNorm(use_running_average=False, axis_name=name)
        first = nn.BatchNorm(False).init(jax.random.key(0), images[0])
        mean = jax.vmap(
            lambda x: norm.apply(first, x, mutable=["batch_stats"])[1],
            axis_name=name,
        )(images)["batch_stats"]["mean"]
        shape, equal[name] = mean.shape, bool((mean == mean[0]).all())
    return shape, equal[None], equal["batch"]


def read_1(answer) -> tuple:
    """The shape and the two flags of an answer."""
    assert isinstance(answer, (tuple, list)) and len(answer) == 3, (
        "three values are needed: a shape, True or False, True or False · "
        "값 세 개가 필요합니다. shape 하나와 True 또는 False 두 개입니다"
    )
    plain = [v.tolist() if hasattr(v, "tolist") else v for v in answer]
    shape, *flags = plain
    whole = isinstance(shape, (tuple, list)) and all(
        (type(size) is int or hasattr(size, "__index__"))
        and not isinstance(size, bool)
        and not getattr(size, "shape", ())
        for size in shape
    )
    assert whole, (
        "the first value is a shape, a tuple of whole numbers · "
        "첫 번째 값은 shape, 곧 정수의 튜플입니다"
    )
    assert all(isinstance(flag, bool) for flag in flags), (
        "the second and the third value are True or False · "
        "두 번째와 세 번째 값은 True 또는 False입니다"
    )
    return tuple(int(size) for size in shape), flags[0], flags[1]


def hint_1(given, shape) -> str:
    """What a wrong shape may come from."""
    images, shared, turned = (8, 4, 4, 3), shape[1:], tuple(reversed(shape))
    hints = {
        shared: "that's the shape with out_axes=None: what does out_axes=0 do "
        "with a value that all examples share? · out_axes=None일 때의 shape입니다. "
        "모든 예제가 공유하는 값에 out_axes=0을 지정하면 어떻게 될까요?",
        turned: "the sizes are right: at which position does out_axes=0 put "
        "the new axis? · 크기는 맞습니다. out_axes=0은 새 축을 어느 위치에 "
        "넣을까요?",
        images: "that's the shape of the normalized images; over which axes "
        "does BatchNorm average inside one image? · 정규화한 이미지의 "
        "shape입니다. 배치 정규화는 이미지 하나에서 어느 축을 따라 평균을 "
        "구할까요?",
    }
    other = (
        "that isn't the shape: BatchNorm keeps the last axis of an image, and out_axes=0 adds "
        "one · shape이 다릅니다. 배치 정규화는 이미지의 마지막 축만 남기고, out_axes=0은 축을 하나 더합니다"
    )
    return hints.get(given, other)


def check_1(answer) -> None:
    """Compare shape and rows with a run of both."""
    shape, without_name, with_name = truth_1()
    given, first, second = read_1(answer)
    assert given == shape, hint_1(given, shape)
    assert (first, second) != (with_name, without_name), (
        "the shape is right, but the two cases are swapped · shape은 맞지만 두 경우가 뒤바뀌었습니다"
    )
    assert first == without_name, (
        "without a name, whose mean is in each row? · 이름이 없으면 각 행에 무엇의 평균이 들어갈까요?"
    )
    assert second == with_name, (
        "with a name, over what is each row's mean taken? · "
        "이름이 있으면 각 행의 평균은 어느 범위에서 구한 것일까요?"
    )


# %% solution 1
# out_axes=0 stacks eight rows in both cases. Without a name each row is the
# mean of its own image; with one, all rows are the mean of all images.
judge(1, check_1, ((8, 3), False, True))


# %% wrong 1: out_axes=None
answer_1 = ((3,), True, True)


# %% wrong 1: at which position
answer_1 = ((3, 8), False, True)


# %% wrong 1: shape of the normalized images
answer_1 = ((8, 4, 4, 3), False, True)


# %% wrong 1: that isn't the shape
answer_1 = ((8,), False, True)


# %% wrong 1: two cases are swapped
answer_1 = ((8, 3), True, False)


# %% wrong 1: without a name, whose
answer_1 = ((8, 3), True, True)


# %% wrong 1: with a name, over what
answer_1 = ((8, 3), False, False)


# %% wrong 1: True or False
answer_1 = (8, 3)
answer_1 = ((8, 3), 0, 1)
answer_1 = ((8, 3), [False, True], True)


# %% wrong 1: a tuple of whole numbers
answer_1 = (8, False, True)
answer_1 = ((8.0, 3.0), False, True)
answer_1 = ((8, "3"), False, True)


# %% check 2
def step_2(frozen):
    """A training step that updates all statistics but the frozen leaves."""

    def step(state, data):
        x, y = data
        new = {}
        for layer, stats in state.batch_stats.items():
            now = {"mean": x.mean(0), "var": x.var(0)}
            new[layer] = {
                name: old
                if (layer, name) in frozen
                else 0.9 * old + 0.1 * now[name]
                for name, old in stats.items()
            }
        params = jax.tree.map(lambda p: p - 0.1, state.params)
        new_state = state._replace(params=params, batch_stats=new)
        return new_state, jnp.mean((x - y) ** 2)

    return step


def verdict_2(answer, frozen, x) -> bool:
    """What an answer says of a step with frozen leaves, on a batch."""
    initial = {
        layer: {"mean": jnp.zeros(2), "var": jnp.ones(2)}
        for layer in ("BatchNorm_0", "BatchNorm_1")
    }
    state = TrainingState({"w": jnp.ones(3)}, (), initial)
    verdict = call_answer(answer, step_2(frozen), state, (x, x + 1.0))
    kind = getattr(verdict, "dtype", type(verdict))
    assert jnp.result_type(bool) == kind and jnp.shape(verdict) == (), (
        "one value, True or False, is needed · True 또는 False, 값 하나를 반환해야 합니다"
    )
    return bool(verdict)


def cases_2() -> list:
    """Frozen leaves, a batch, the right verdict, and what a wrong one means."""
    layers, names = ("BatchNorm_0", "BatchNorm_1"), ("mean", "var")
    leaves = [(layer, name) for layer in layers for name in names]
    raw = 3.0 + 2.0 * jax.random.normal(jax.random.key(6), (16, 2))
    signs = jnp.tile(jnp.array([[1.0], [-1.0]]), (8, 2))  # mean 0, var 1
    all_missed = (
        "a step that updates no statistic isn't detected · "
        "통계량을 하나도 업데이트하지 않는 스텝을 찾아내지 못합니다"
    )
    reported = "a correct step is reported, on ordinary data · 평범한 데이터에서 올바른 스텝에 True를 반환합니다"
    half_missed = (
        "a step that updates only the means, or only the variances, is missed · "
        "평균만, 또는 분산만 업데이트하는 스텝을 놓칩니다"
    )
    one_missed = (
        "a step that updates all leaves but one is missed: do you look at every layer? · "
        "리프 하나만 업데이트하지 않는 스텝을 놓칩니다. 모든 레이어를 확인하나요?"
    )
    converged = (
        "a correct step is reported if its statistics have converged already · "
        "통계량이 이미 수렴했으면 올바른 스텝에도 True를 반환합니다"
    )
    by_chance = (
        "a correct step is reported if the batch statistic happens to be the one value from which "
        "you start · 시험에 쓴 시작값이 우연히 배치 통계량과 같으면 올바른 스텝에도 True를 반환합니다"
    )
    hidden = (
        "a leaf that isn't updated is missed if the others have converged · "
        "다른 통계량이 이미 수렴했으면 업데이트되지 않는 리프를 놓칩니다"
    )
    cases = [(leaves, raw, True, all_missed), ((), raw, False, reported)]
    cases += [(leaves[n::2], raw, True, half_missed) for n in (1, 0)]
    cases += [([leaf], raw, True, one_missed) for leaf in leaves]
    cases += [((), x, False, converged) for x in (0 * signs, signs)]
    for mean in (1.0, 2.0, 3.0, 5.0, 10.0, 100.0, 1000.0):
        cases.append(((), signs + mean, False, by_chance))
    return cases + [([leaf], signs, True, hidden) for leaf in leaves]


def check_2(answer) -> None:
    """Try steps with each choice of frozen leaves, converged or not."""
    needs_function(answer, "answer_2(step, state, data)")
    for frozen, x, right, said in cases_2():
        assert verdict_2(answer, frozen, x) == right, said


# %% solution 2
def any_frozen(step, state, data) -> bool:
    """Whether a leaf stays the same from two different starting values."""
    # An updated leaf can equal its batch statistic from one of two starting
    # values, but not from both.
    still = set(changed(state.batch_stats, state.batch_stats))
    for push in (0.0, 1.0):
        pushed = jax.tree.map(lambda leaf: leaf + push, state.batch_stats)
        new_state, _ = step(state._replace(batch_stats=pushed), data)
        did_change = changed(pushed, new_state.batch_stats)
        still = {path for path in still if not did_change[path]}
    return len(still) > 0


judge(2, check_2, any_frozen)


# %% wrong 2: updates no statistic
def answer_2(step, state, data):
    return not any(changed(state, step(state, data)[0]).values())


# %% wrong 2: only the means, or only
def answer_2(step, state, data):
    new_state, _ = step(state, data)
    return not any(changed(state.batch_stats, new_state.batch_stats).values())


def answer_2(step, state, data):
    pushed = jax.tree.map(lambda s: s + 1.0, state.batch_stats)
    new_state, _ = step(state._replace(batch_stats=pushed), data)
    did = changed(pushed, new_state.batch_stats)
    return not all(did[path] for path in did if "var" in path)


# %% wrong 2: have converged already
def answer_2(step, state, data):
    new_state, _ = step(state, data)
    return not all(changed(state.batch_stats, new_state.batch_stats).values())


def answer_2(step, state, data):
    first, _ = step(state, data)
    second, _ = step(first, data)
    return not all(changed(first.batch_stats, second.batch_stats).values())


# %% wrong 2: one value, True or False
def answer_2(step, state, data):
    return changed(state.batch_stats, step(state, data)[0].batch_stats)


# %% wrong 2: raised AttributeError
def answer_2(step, state, data):
    new_state = step(state, data)
    return not all(changed(state.batch_stats, new_state.batch_stats).values())


# %% wrong 2: on ordinary data
def answer_2(step, state, data):
    new_state, _ = step(state, data)
    return any(changed(state, new_state).values())


# %% wrong 2: do you look at every layer
def answer_2(step, state, data):
    pushed = jax.tree.map(lambda s: s + 1.0, state.batch_stats)
    new_state, _ = step(state._replace(batch_stats=pushed), data)
    did = changed(pushed, new_state.batch_stats)
    return not all(did[path] for path in did if "BatchNorm_0" in path)


# %% wrong 2: returns nothing
def answer_2(step, state, data):
    any_frozen(step, state, data)


# %% wrong 2: a function answer_2(step, state, data) is needed
answer_2 = True


# %% wrong 2: the one value from which you start
def answer_2(step, state, data):
    pushed = jax.tree.map(lambda s: s + 1.0, state.batch_stats)
    new_state, _ = step(state._replace(batch_stats=pushed), data)
    return not all(changed(pushed, new_state.batch_stats).values())


# %% check 3
def refuse_slips_3(batch, result) -> None:
    """Tell a result that isn't standardized what it looks like."""
    away, var = batch - batch.mean(0), batch.var(0)

    def near(other) -> bool:
        return bool(jnp.allclose(result, other, rtol=2e-2, atol=2e-2))

    assert (result != 0).any(), (
        "every output is 0: the mean of each example is still the example itself · "
        "출력이 모두 0입니다. 아직 각 예제의 평균이 그 예제 자신입니다"
    )
    assert jnp.isfinite(result).all(), (
        "the result contains nan or inf: what's under the square root, and what do you divide "
        "by? · 결과에 nan이나 inf가 있습니다. 제곱근 안의 값과 나누는 값을 확인해 보세요"
    )
    assert not near(away), (
        "the mean is right, but nothing is divided by the standard deviation · "
        "평균은 맞지만 표준편차로 나누지 않았습니다"
    )
    assert not near(away / jnp.sqrt(away**2 + 1e-5)), (
        "the mean is that of the batch, but the variance is each example's own · "
        "평균은 배치 전체에서 구했지만 분산은 예제마다 따로 구했습니다"
    )
    assert not near(away / (var + 1e-5)), (
        "you divide by the variance instead of the standard deviation · "
        "표준편차가 아니라 분산으로 나누고 있습니다"
    )
    assert jnp.allclose(result.mean(0), 0, atol=2e-2), (
        "the mean of the result over the batch isn't 0, so what you subtract isn't the mean of the "
        "batch · 결과의 배치 평균이 0이 아닙니다. 빼는 값이 배치의 평균이 아니기 때문입니다"
    )
    assert near(away / jnp.sqrt(var + 1e-5)), (
        "the mean over the batch is 0, but the variance isn't 1: which values do you average for "
        "it, and by what number do you divide? · 결과의 배치 평균은 0이지만 분산이 1이 아닙니다. 분산을 구할 때 "
        "어떤 값을 더해 몇으로 나누었나요?"
    )


def check_3(answer) -> None:
    """Compare with the statistics of the batch on several shapes."""
    needs_function(answer, "answer_3(batch)")
    draw = jax.random.normal(jax.random.key(7), (32, 5))
    no_axis = (
        "the function uses an axis name that no enclosing vmap defines · "
        "바깥의 vmap에 지정하지 않은 축 이름을 쓰고 있습니다"
    )
    for batch in (
        jnp.array([0.0, 1.0, 2.0, 7.0]),
        2.0 + jnp.array([0.1, 0.2, 1.0, 4.0, 9.0]) * draw,
        (draw**2).reshape(8, 4, 5),
    ):
        result = call_answer(answer, batch, hints={"axis name": no_axis})
        kind = type(result).__name__
        assert hasattr(result, "dtype"), (
            f"an array is needed, and what comes back is a {kind} · "
            f"배열을 반환해야 합니다. 지금 반환한 값의 타입은 {kind}입니다"
        )
        needs_shape(result, batch.shape)
        refuse_slips_3(batch, result)
    program = str(jax.make_jaxpr(answer)(draw))
    assert "psum" in program, (
        "the numbers are right, but they aren't computed with psum or pmean · "
        "값은 맞지만 psum이나 pmean으로 구한 것이 아닙니다"
    )
    assert "reduce_sum" not in program, (
        "the numbers are right, but a mean or a variance is taken from the whole batch, which the "
        "function of one example doesn't get · 값은 맞지만 평균이나 분산을 배치 배열에서 직접 구했습니다. 예제 "
        "하나를 받는 안쪽 함수에서 psum이나 pmean으로 구하세요"
    )


# %% solution 3
def standardize(batch: jax.Array) -> jax.Array:
    """Standardize each example with the statistics of all of them."""

    def one(x):
        mean = jax.lax.pmean(x, "batch")
        variance = jax.lax.pmean((x - mean) ** 2, "batch")
        return (x - mean) / jnp.sqrt(variance + 1e-5)

    return jax.vmap(one, axis_name="batch")(batch)


print(*[f"{value:.2f}" for value in standardize(jnp.arange(4.0))])
judge(3, check_3, standardize)


# %% wrong 3: the mean of each example is still
answer_3 = broken_standardize


# %% wrong 3: aren't computed with psum
def answer_3(batch):
    return (batch - batch.mean(0)) / jnp.sqrt(batch.var(0) + 1e-5)


# %% wrong 3: nothing is divided
def answer_3(batch):
    return jax.vmap(
        lambda x: x - jax.lax.pmean(x, "batch"), axis_name="batch"
    )(batch)


# %% wrong 3: the variance is each example's own
def answer_3(batch):
    def one(x):
        away = x - jax.lax.pmean(x, "batch")
        return away / jnp.sqrt(away**2 + 1e-5)

    return jax.vmap(one, axis_name="batch")(batch)


# %% wrong 3: isn't the mean of the batch
def answer_3(batch):
    def one(x):
        away = x - jax.lax.psum(x, "batch")
        variance = jax.lax.pmean(away**2, "batch")
        return away / jnp.sqrt(variance + 1e-5)

    return jax.vmap(one, axis_name="batch")(batch)


# %% wrong 3: no enclosing vmap
def answer_3(batch):
    return jax.vmap(lambda x: x - jax.lax.pmean(x, "batch"))(batch)


# %% wrong 3: by the variance instead
def answer_3(batch):
    def one(x):
        away = x - jax.lax.pmean(x, "batch")
        return away / (jax.lax.pmean(away**2, "batch") + 1e-5)

    return jax.vmap(one, axis_name="batch")(batch)


# %% wrong 3: by what number do you divide
def answer_3(batch):
    def one(x):
        away = x - jax.lax.pmean(x, "batch")
        variance = jax.lax.psum(away**2, "batch")
        return away / jnp.sqrt(variance + 1e-5)

    return jax.vmap(one, axis_name="batch")(batch)


# %% wrong 3: the result has shape
def answer_3(batch):
    return standardize(batch)[0]


# %% wrong 3: returns nothing
def answer_3(batch):
    standardize(batch)


# %% wrong 3: the function of one example doesn't get
def answer_3(batch):
    def one(x):
        away = x - jax.lax.pmean(x, "batch")
        return away / jnp.sqrt(batch.var(0) + 1e-5)

    return jax.vmap(one, axis_name="batch")(batch)


# %% wrong 3: contains nan
def answer_3(batch):
    def one(x):
        mean = jax.lax.pmean(x, "batch")
        variance = mean**2 - jax.lax.pmean(x**2, "batch")
        return (x - mean) / jnp.sqrt(variance)

    return jax.vmap(one, axis_name="batch")(batch)


# %% wrong 3: an array is needed
def answer_3(batch):
    return standardize(batch).tolist()
