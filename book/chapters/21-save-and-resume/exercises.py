"""What judges the answers to the exercises of this chapter, and answers to try it with."""


# %% check 1
def truth_1() -> dict:
    """Run the resumed programs; return the first loss that differs."""
    names = ("count", "w", "velocity", "average", "lowest")

    def step(s):
        target = jnp.cos(1.0 + s["count"])
        loss = (s["average"] - target) ** 2
        velocity = 0.9 * s["velocity"] + s["w"] - target
        new = (
            s["count"] + 1,
            s["w"] - 0.1 * velocity,
            velocity,
            0.5 * (s["average"] + s["w"]),
            jnp.minimum(s["lowest"], loss),
        )
        return dict(zip(names, new)), float(loss)

    def losses(state, n):
        found = []
        for _ in range(n):
            state, loss = step(state)
            found.append(loss)
        return state, found

    values = (0, 2.0, 2.0, 2.0, float("inf"))
    start = dict(zip(names, map(jnp.float32, values)))
    saved, _ = losses(start, 4)
    _, right = losses(saved, 20)
    truth = {}
    for name in names:
        _, other = losses({**saved, name: start[name]}, 20)
        pairs = enumerate(zip(right, other), start=5)
        truth[name] = next((i for i, (a, b) in pairs if a != b), None)
    return truth


def check_1(answer) -> None:
    """Compare with the first loss that differs, name by name."""
    names, truth = ("average", "count", "w", "velocity", "lowest"), truth_1()
    assert isinstance(answer, dict), (
        "a dict with the five names is needed · 이름 다섯 개를 키로 하는 딕셔너리가 필요합니다"
    )
    for name in names:
        assert name in answer, (
            f"no value for {name!r} · {name!r}의 값이 없습니다"
        )
    for name, n in answer.items():
        assert name in names, (
            f"{name!r} isn't an entry of the state · {name!r} 항목은 상태에 없습니다"
        )
        assert n is None or as_number(n, "whole") is not None, (
            f"{name}: a whole number or None is needed · {name}: 정수 또는 None이 필요합니다"
        )
        assert n is None or n >= 5, (
            "the resumed run's first loss is number 5 · 재개한 뒤의 첫 손실은 5번째 손실입니다"
        )
    for name in names:
        n, right = answer[name], truth[name]
        assert n is not None or right is None, (
            f"{name}: a loss does change; follow what's computed from it · {name}: 달라지는 손실이 "
            "있습니다. 이 값으로 무엇을 계산하는지 따라가 보세요"
        )
        assert n is None or right is not None, (
            f"{name}: does anything else in the step read it? · "
            f"{name}: 스텝에서 이 값을 읽어 계산하는 다른 값이 있나요?"
        )
        assert n is None or n >= right, (
            f"{name}: the loss isn't affected that early; which values of the state does a loss "
            f"read? · {name}: 손실이 그렇게 일찍 달라지지는 않습니다. 손실은 상태의 어느 값으로 계산하나요?"
        )
        assert n == right, (
            f"{name}: an earlier loss differs already; is it the old or the new value that each "
            f"line reads? · {name}: 더 앞의 손실부터 다릅니다. 각 줄은 이전 값과 새 값 가운데 무엇을 읽나요?"
        )


# %% solution 1
# count and average are read by loss 5 itself. A wrong w reaches
# average in step 5, so loss 6; a wrong velocity reaches w in step 5,
# average in step 6, so loss 7. Only lowest is computed from lowest.
judge(
    1,
    check_1,
    {"count": 5, "average": 5, "w": 6, "velocity": 7, "lowest": None},
)


# %% right 1
answer_1 = {
    "lowest": None,
    "velocity": 7.0,
    "w": 6.0,
    "average": 5.0,
    "count": 5.0,
}


# %% wrong 1: isn't affected that early
answer_1 = {
    "count": 5,
    "average": 5,
    "w": 5,
    "velocity": 7,
    "lowest": None,
}
answer_1 = {
    "count": 5,
    "average": 5,
    "w": 6,
    "velocity": 6,
    "lowest": None,
}
answer_1 = {
    "count": 5,
    "average": 5,
    "w": 5,
    "velocity": 6,
    "lowest": None,
}


# %% wrong 1: does anything else in the step read it
answer_1 = {
    "count": 5,
    "average": 5,
    "w": 6,
    "velocity": 7,
    "lowest": 5,
}


# %% wrong 1: an earlier loss differs already
answer_1 = {
    "count": 6,
    "average": 5,
    "w": 6,
    "velocity": 7,
    "lowest": None,
}
answer_1 = {
    "count": 5,
    "average": 5,
    "w": 7,
    "velocity": 7,
    "lowest": None,
}


# %% wrong 1: a loss does change
answer_1 = {
    "count": 5,
    "average": 5,
    "w": 6,
    "velocity": None,
    "lowest": None,
}


# %% wrong 1: the resumed run's first loss is number 5
answer_1 = {
    "count": 1,
    "average": 5,
    "w": 6,
    "velocity": 7,
    "lowest": None,
}


# %% wrong 1: a dict with the five names
answer_1 = [5, 6, 7, 5, None]


# %% wrong 1: no value for
answer_1 = {"count": 5, "w": 6, "velocity": 7, "average": 5}


# %% wrong 1: a whole number or None
answer_1 = {
    "count": 5,
    "average": 5,
    "w": 6,
    "velocity": 7,
    "lowest": "never",
}
answer_1 = {
    "count": 5,
    "average": 5,
    "w": 6,
    "velocity": 7,
    "lowest": float("inf"),
}


# %% wrong 1: isn't an entry of the state
answer_1 = {
    "count": 5,
    "average": 5,
    "w": 6,
    "velocity": 7,
    "lowest": None,
    "loss": 5,
}


# %% check 2
import logging

# a load that fails leaves coroutines behind, and Python reports them
warnings.filterwarnings("ignore", "coroutine")
sys.unraisablehook = lambda *_: None


def make_2(step: int) -> dict:
    """A state that tells its step."""
    params = {"w": jnp.arange(3.0) + step, "b": jnp.float32(-step)}
    opt_state = optax.adam(0.1).init(params)
    return {
        "params": params,
        "opt_state": opt_state,
        "key": jax.random.key(step),
    }


def numbers_2(state: dict) -> list:
    """The leaves, a key as its data."""
    typed = lambda x: jnp.issubdtype(x.dtype, jax.dtypes.prng_key)
    data = lambda x: jax.random.key_data(x) if typed(x) else x
    return [np.asarray(data(x)) for x in jax.tree.leaves(state)]


def fill_2(folder: Path, steps: tuple, damaged: tuple) -> None:
    """Put checkpoints into a folder, and what is none; flip a bit of some."""
    (folder / "notes.txt").write_text("learning rate 0.1")
    if steps:
        (folder / f"{max(steps) + 1}.orbax-checkpoint-tmp").mkdir()
    for step in steps:
        ocp.save(folder / str(step), make_2(step))
    for step in damaged:
        for file in (folder / str(step)).rglob("d/*"):
            content = bytearray(file.read_bytes())
            content[len(content) // 2] ^= 1
            file.write_bytes(content)


EMPTY_2 = "the folder may have no checkpoint at all · 폴더에 체크포인트가 하나도 없을 수 있습니다"
NONE_LEFT_2 = (
    "what's done when no checkpoint can be loaded? · "
    "손상되지 않은 체크포인트가 없을 때는 어떻게 하나요?"
)
HINTS_2 = {
    "checksum": "a damaged checkpoint stops the function: what about the next one? · "
    "손상된 체크포인트에서 함수가 멈춥니다. 그다음 체크포인트는 어떻게 하나요?",
    "invalid literal": "not every name in the folder is a number · "
    "폴더에 있는 이름이 모두 숫자는 아닙니다",
    "recognize the checkpoint": "something in the folder isn't a checkpoint: which names are? · "
    "폴더에는 체크포인트가 아닌 것도 있습니다. 체크포인트의 이름은 무엇인가요?",
    "iterable": EMPTY_2,
    "empty": EMPTY_2,
    "resolve": NONE_LEFT_2,
    "NoneType": NONE_LEFT_2,
}


def loaded_2(answer, folder: Path):
    """What the answer returns, None too, from a folder that it leaves as it is."""
    before = sorted(folder.rglob("*"))
    try:
        state = answer(folder, make_2(0))
    except Exception as error:
        said = f"{error} {error.__cause__}"
        for words, hint in HINTS_2.items():
            assert words not in said, hint
        raise
    assert sorted(folder.rglob("*")) == before, (
        "the folder isn't as it was: nothing may be deleted or added · "
        "폴더의 내용이 바뀌었습니다. 아무것도 지우거나 추가하지 마세요"
    )
    return state


def check_2(answer) -> None:
    """Call the answer on folders with good, damaged and other entries."""
    needs_function(answer, "answer_2(folder, template)")
    logging.disable(logging.ERROR)  # a failed load logs a page
    for steps, damaged, want in (
        ((5, 9, 10), (), 10),
        ((10, 9, 5), (), 10),
        ((100, 90, 95), (100,), 95),
        ((8, 9, 10), (10, 9), 8),
        ((3,), (3,), None),
        ((), (), None),
    ):
        with tempfile.TemporaryDirectory() as name:
            folder = Path(name).resolve()
            fill_2(folder, steps, damaged)
            state = loaded_2(answer, folder)
        if want is None:
            assert state is None, (
                "if no checkpoint can be loaded, the result is None · "
                "손상되지 않은 체크포인트가 없으면 결과는 None입니다"
            )
            continue
        assert state is not None, (
            "nothing is returned, although a checkpoint can be loaded · "
            "손상되지 않은 체크포인트가 있는데 아무것도 반환하지 않습니다"
        )
        assert jax.tree.structure(state) == jax.tree.structure(make_2(0)), (
            "the result doesn't have the template's structure · 결과의 구조가 template과 다릅니다"
        )
        found = int(state["params"]["w"][0])
        assert found != 0, (
            "the template's own values are returned · template의 값이 그대로 반환되었습니다"
        )
        assert found == want, (
            f"of the steps {list(steps)}, damaged {list(damaged)}, step {found} came back · "
            f"스텝 {list(steps)}, 손상된 스텝 {list(damaged)}에서 스텝 {found}의 상태가 반환되었습니다"
        )
        assert arrays_agree(numbers_2(state), numbers_2(make_2(want)), 0), (
            "some values aren't those of the checkpoint · 체크포인트와 값이 다른 리프가 있습니다"
        )


# %% solution 2
def newest_readable(folder: Path, template):
    """The newest checkpoint that can be loaded, or None."""
    steps = [int(p.name) for p in folder.iterdir() if p.name.isdigit()]
    for step in sorted(steps, reverse=True):
        try:
            return ocp.load(folder / str(step), template)
        except Exception:  # its type depends on the damage
            pass
    return None


judge(2, check_2, newest_readable)


# %% right 2
def answer_2(folder, template):
    with ocp.training.Checkpointer(folder) as c:
        for point in sorted(c.checkpoints, key=lambda p: -p.step):
            try:
                return c.load(point.step, template)
            except Exception:
                continue


def answer_2(folder, template):
    names = [n for n in os.listdir(folder) if n.isdecimal()]
    names.sort(key=int)
    while names:
        try:
            return ocp.load(os.path.join(folder, names.pop()), template)
        except Exception as error:
            last = error


def answer_2(folder, template):
    best, found = -1, None
    for path in folder.glob("[0-9]*"):
        if not path.name.isdigit() or int(path.name) < best:
            continue
        try:
            found, best = ocp.load(path, template), int(path.name)
        except ValueError:
            pass
    return found


def answer_2(folder, template):
    def attempt(paths):
        if not paths:
            return None
        try:
            return ocp.load(paths[0], template)
        except ValueError:
            return attempt(paths[1:])

    paths = [p for p in folder.iterdir() if p.is_dir() and "tmp" not in p.name]
    return attempt(sorted(paths, key=lambda p: int(p.name), reverse=True))


def answer_2(folder, template):
    abstract = jax.eval_shape(lambda: template)
    for step in range(1000, -1, -1):
        if (folder / str(step)).exists():
            try:
                return ocp.load(folder / str(step), abstract)
            except ValueError:
                pass


import re


def tried_2(path, template):
    try:
        return ocp.load(path, template)
    except Exception:
        return None


answer_2 = lambda folder, template: next(
    (
        s
        for s in (
            tried_2(p, template)
            for p in sorted(
                (p for p in folder.iterdir() if re.fullmatch(r"\d+", p.name)),
                key=lambda p: int(p.name),
            )[::-1]
        )
        if s is not None
    ),
    None,
)


class answer_2:
    def __new__(cls, folder, template):
        return newest_readable(folder, template)


from functools import partial

answer_2 = partial(newest_readable)


def answer_2(folder, template, *, tries=1000):
    import contextlib

    steps = sorted(
        (
            int(p.stem)
            for p in folder.iterdir()
            if p.suffix == "" and p.stem.isdigit()
        ),
        reverse=True,
    )
    for step in steps[:tries]:
        with contextlib.suppress(Exception):
            return ocp.load(str(folder / f"{step}"), template)


def answer_2(folder, template):
    with ocp.training.Checkpointer(folder) as c:
        steps = [p.step for p in c.checkpoints]
    while steps:
        step = max(steps)
        steps.remove(step)
        try:
            return ocp.load(folder / f"{step:d}", template)
        except (ValueError, KeyError):
            continue
    return None


# %% wrong 2: a damaged checkpoint stops
def answer_2(folder, template):
    steps = [int(p.name) for p in folder.iterdir() if p.name.isdigit()]
    return ocp.load(folder / str(max(steps)), template) if steps else None


def answer_2(folder, template):
    with ocp.training.Checkpointer(folder) as c:
        return c.load(c.latest.step, template) if c.latest else None


def answer_2(folder, template):
    with ocp.training.Checkpointer(folder) as c:
        for point in reversed(c.checkpoints):
            try:
                return c.load(point.step, template)
            except ValueError:
                continue


# %% wrong 2: came back
def answer_2(folder, template):
    names = [p.name for p in folder.iterdir() if p.name.isdigit()]
    for name in sorted(names, reverse=True):
        try:
            return ocp.load(folder / name, template)
        except ValueError:
            pass


def answer_2(folder, template):
    paths = [p for p in folder.iterdir() if p.name.isdigit()]
    for path in sorted(paths, key=lambda p: p.stat().st_mtime, reverse=True):
        try:
            return ocp.load(path, template)
        except ValueError:
            pass


def answer_2(folder, template):
    steps = [int(p.name) for p in folder.iterdir() if p.name.isdigit()]
    for step in sorted(steps):
        try:
            return ocp.load(folder / str(step), template)
        except ValueError:
            pass


# %% wrong 2: doesn't have the template's structure
def answer_2(folder, template):
    steps = [int(p.name) for p in folder.iterdir() if p.name.isdigit()]
    for step in sorted(steps, reverse=True):
        try:
            return ocp.load(folder / str(step))
        except ValueError:
            pass


# %% wrong 2: not every name in the folder is a number
def answer_2(folder, template):
    for path in sorted(folder.iterdir(), key=lambda p: -int(p.name)):
        try:
            return ocp.load(path, template)
        except ValueError:
            pass


# %% wrong 2: nothing may be deleted
def answer_2(folder, template):
    import shutil

    steps = [int(p.name) for p in folder.iterdir() if p.name.isdigit()]
    for step in sorted(steps, reverse=True):
        try:
            return ocp.load(folder / str(step), template)
        except ValueError:
            shutil.rmtree(folder / str(step))


# %% wrong 2: the result is None
def answer_2(folder, template):
    state = newest_readable(folder, template)
    return template if state is None else state


# %% wrong 2: nothing is returned
answer_2 = lambda folder, template: None


def answer_2(folder, template):
    steps = [int(p.name) for p in folder.iterdir() if p.name.isdigit()]
    try:
        return ocp.load(folder / str(max(steps)), template)
    except ValueError:
        return None


# %% wrong 2: the template's own values
answer_2 = lambda folder, template: template


# %% wrong 2: isn't a checkpoint
def answer_2(folder, template):
    return ocp.load(folder, template)


# %% wrong 2: a function answer_2(folder
answer_2 = {"w": 1}


# %% wrong 2: no checkpoint at all
def answer_2(folder, template):
    steps = [int(p.name) for p in folder.iterdir() if p.name.isdigit()]
    return (
        ocp.load(folder / str(max(steps)), template)
        if max(steps) > 10**6
        else newest_readable(folder, template)
    )


# %% check 3
def start_3() -> dict:
    """The state before any update."""
    pair = jnp.array([1.5, -2.0]), jnp.int32(7)
    return {"pair": pair, "key": jax.random.key(3)}


def update_3(state: dict, i) -> dict:
    """The state after update i."""
    pair = (0.75 * state["pair"][0] + i, state["pair"][1] - 2 * i)
    return {"pair": pair, "key": jax.random.fold_in(state["key"], i)}


def is_right_3(state: dict, n: int) -> bool:
    """Whether a state is that of n updates."""
    want = start_3()
    for i in range(n):
        want = update_3(want, i)
    data = ((*s["pair"], jax.random.key_data(s["key"])) for s in (state, want))
    return arrays_agree(*data, 0)


def needs_checkpoints_3(folder: Path, n: int, case: str) -> None:
    """Refuse wrong checkpoints after n updates, and missing ones."""
    with ocp.training.Checkpointer(folder) as checkpointer:
        steps = [c.step for c in checkpointer.checkpoints]
        for step in steps:
            saved = checkpointer.load(step, start_3())
            assert is_right_3(saved, step), (
                f"{case}: checkpoint {step} doesn't hold the state after {step} updates · "
                f"{case}: 체크포인트 {step}의 내용이 업데이트를 {step}번 한 상태가 아닙니다"
            )
    late = sorted({*range(3, n + 1, 3), n} - set(steps))
    assert not late, (
        f"{case}: there's no checkpoint {late[0]} · {case}: {late[0]}번 체크포인트가 없습니다"
    )


def check_3(answer) -> None:
    """Stop and resume at several places; compare with one long run."""
    needs_function(answer, "answer_3(folder, update, state, n_steps)")
    made = []
    update = lambda s, i: (made.append(int(i)), update_3(s, i))[1]
    for stops in ((7,), (6, 10), (4, 11), (1, 2, 8), (5, 5), (3, 6, 9)):
        with tempfile.TemporaryDirectory() as name:
            folder, done = Path(name).resolve() / "run", 0
            for n in stops:
                made.clear()
                state = call_answer(answer, folder, update, start_3(), n)
                case = f"stops {list(stops)}, at {n}"
                keys = set(state) if isinstance(state, dict) else ()
                assert keys == {"pair", "key"}, (
                    "the result isn't a state like the one passed in · "
                    "결과가 인수로 받은 상태와 같은 구조가 아닙니다"
                )
                again = len(set(made)) < len(made)
                assert not again and all(i >= done for i in made), (
                    f"{case}: updates {made} were made, although {done} were already done · "
                    f"{case}: 업데이트 {made}번을 실행했는데, {done}개는 이미 끝난 것입니다"
                )
                assert made == list(range(done, n)), (
                    f"{case}: updates {made} were made; which are missing? · "
                    f"{case}: 업데이트 {made}번을 실행했습니다. 빠진 것은 무엇인가요?"
                )
                assert is_right_3(state, n), (
                    f"{case}: the state isn't that of {n} updates · "
                    f"{case}: 업데이트를 {n}번 한 상태가 아닙니다"
                )
                needs_checkpoints_3(folder, n, case)
                done = n


# %% solution 3
def resumed_right(folder, update, state, n_steps: int):
    """Update n_steps times; a checkpoint's number counts its updates."""
    with ocp.training.Checkpointer(folder) as checkpointer:
        first = 0
        if checkpointer.latest is not None:
            first = checkpointer.latest.step
            state = checkpointer.load(first, state)
        for i in range(first, n_steps):
            state = update(state, i)
            if (i + 1) % 3 == 0 or i + 1 == n_steps:
                checkpointer.save(i + 1, state)
    return state


judge(3, check_3, resumed_right)


# %% right 3
def answer_3(folder, update, state, n_steps):
    with ocp.training.Checkpointer(folder) as c:
        first = 0
        if c.latest is not None:
            first = c.latest.step
            state = c.load(c.latest.step, state)
        for i in range(first, n_steps):
            state = update(state, i)
            if (i + 1) % 3 == 0 or i + 1 == n_steps:
                c.save(i + 1, state)
    return state


def answer_3(folder, update, state, n_steps):
    with ocp.training.Checkpointer(folder) as c:
        first = 0
        if c.latest is not None:
            first = c.latest.step
            state = c.load(c.latest.step, state)
        for i in range(first, n_steps):
            state = update(state, i)
            c.save(i + 1, state)
    return state


def answer_3(folder, update, state, n_steps):
    with ocp.training.Checkpointer(folder) as c:
        first = 0
        if c.latest is not None:
            first = c.latest.step
            state = c.load(c.latest, state)
        for i in range(first, n_steps):
            state = update(state, i)
            if (i + 1) % 3 == 0 or i + 1 == n_steps:
                c.save(i + 1, state)
    return state


def answer_3(folder, update, state, n_steps):
    with ocp.training.Checkpointer(folder) as c:
        first = 0
        if c.latest is not None:
            first = c.latest.step
            state = c.load(None, jax.eval_shape(lambda: state))
        for i in range(first, n_steps):
            state = update(state, i)
            if (i + 1) % 3 == 0 or i + 1 == n_steps:
                c.save(i + 1, state)
    return state


def answer_3(folder, update, state, n_steps):
    with ocp.training.Checkpointer(folder) as c:
        first = 0
        if c.latest is not None:
            first = c.latest.step
            state = c.load(c.latest.step, state)
        for i in range(first + 1, n_steps + 1):
            state = update(state, i - 1)
            if i % 3 == 0 or i == n_steps:
                c.save(i, state)
    return state


def answer_3(folder, update, state, n_steps):
    with ocp.training.Checkpointer(folder) as c:
        first = 0
        if c.latest is not None:
            first = c.latest.step
            state = c.load(c.latest.step, state)
        for i in range(first, n_steps):
            state = update(state, i)
            if i % 3 == 2 or i == n_steps - 1:
                c.save_async(i + 1, state).result()
    return state


def answer_3(folder, update, state, n_steps):
    c = ocp.training.Checkpointer(folder)
    done = c.latest.step if c.latest else 0
    state = c.load(done, state) if done else state
    while done < n_steps:
        state, done = update(state, done), done + 1
        if done % 3 == 0 or done == n_steps:
            c.save(done, state)
    c.close()
    return state


def answer_3(folder, update, state, n_steps):
    folder.mkdir(exist_ok=True)
    first = max(
        (int(p.name) for p in folder.iterdir() if p.name.isdigit()), default=0
    )
    if first:
        state = ocp.load(folder / str(first), state)
    for n in range(first + 1, n_steps + 1):
        state = update(state, n - 1)
        if n % 3 == 0 or n == n_steps:
            ocp.save(folder / str(n), state)
    return state


def answer_3(folder, update, state, n_steps):
    step = jax.jit(lambda s, i: mixed(s, i))
    mixed = update
    return resumed_right(folder, update, state, n_steps)


answer_3 = lambda folder, update, state, n_steps: resumed_right(
    str(folder), update, state, n_steps
)


# %% wrong 3: which are missing
answer_3 = resumable


def answer_3(folder, update, state, n_steps):
    with ocp.training.Checkpointer(folder) as c:
        first = 0
        if c.latest is not None:
            first = c.latest.step
            state = c.load(c.latest.step, state)
        for i in range(first + 1, n_steps):
            state = update(state, i)
            if (i + 1) % 3 == 0 or i + 1 == n_steps:
                c.save(i + 1, state)
    return state


# %% wrong 3: doesn't hold the
def answer_3(folder, update, state, n_steps):
    with ocp.training.Checkpointer(folder) as c:
        first = 0
        if c.latest is not None:
            first = c.latest.step + 1
            state = c.load(c.latest.step, state)
        for i in range(first, n_steps):
            state = update(state, i)
            if (i + 1) % 3 == 0 or i + 1 == n_steps:
                c.save(i, state)
    return state


def answer_3(folder, update, state, n_steps):
    with ocp.training.Checkpointer(folder) as c:
        first = 0
        if c.latest is not None:
            first = c.latest.step
            state = c.load(c.latest.step, state)
        for i in range(first, n_steps):
            if (i + 1) % 3 == 0 or i + 1 == n_steps:
                c.save(i + 1, state)
            state = update(state, i)
    return state


# %% wrong 3: already exists
def answer_3(folder, update, state, n_steps):
    with ocp.training.Checkpointer(folder) as c:
        first = 0
        if c.latest is not None:
            first = 0
            state = state
        for i in range(first, n_steps):
            state = update(state, i)
            if (i + 1) % 3 == 0 or i + 1 == n_steps:
                c.save(i + 1, state)
    return state


# %% wrong 3: isn't that of
def answer_3(folder, update, state, n_steps):
    with ocp.training.Checkpointer(folder) as c:
        first = 0
        if c.latest is not None:
            first = c.latest.step
            state = state
        for i in range(first, n_steps):
            state = update(state, i)
            if (i + 1) % 3 == 0 or i + 1 == n_steps:
                c.save(i + 1, state)
    return state


def answer_3(folder, update, state, n_steps):
    with ocp.training.Checkpointer(folder) as c:
        first = 0
        if c.latest is not None:
            first = c.latest.step
            state = c.load(c.checkpoints[0].step, state)
        for i in range(first, n_steps):
            state = update(state, i)
            if (i + 1) % 3 == 0 or i + 1 == n_steps:
                c.save(i + 1, state)
    return state


# %% wrong 3: there's no checkpoint
def answer_3(folder, update, state, n_steps):
    with ocp.training.Checkpointer(folder) as c:
        first = 0
        if c.latest is not None:
            first = c.latest.step
            state = c.load(c.latest.step, state)
        for i in range(first, n_steps):
            state = update(state, i)
            if (i + 1) % 3 == 0:
                c.save(i + 1, state)
    return state


def answer_3(folder, update, state, n_steps):
    for i in range(n_steps):
        state = update(state, i)
    return state


def answer_3(folder, update, state, n_steps):
    with ocp.training.Checkpointer(folder) as c:
        first = 0
        if c.latest is not None:
            first = c.latest.step
            state = c.load(c.latest.step, state)
        for i in range(first, n_steps):
            state = update(state, i)
            if (i + 1) % 3 == 0 or i == n_steps:
                c.save(i + 1, state)
    return state


# %% wrong 3: returns nothing
def answer_3(folder, update, state, n_steps):
    with ocp.training.Checkpointer(folder) as c:
        first = 0
        if c.latest is not None:
            first = c.latest.step
            state = c.load(c.latest.step, state)
        for i in range(first, n_steps):
            state = update(state, i)
            if (i + 1) % 3 == 0 or i + 1 == n_steps:
                c.save(i + 1, state)
    return None


# %% wrong 3: were already done
def answer_3(folder, update, state, n_steps):
    for i in range(n_steps):
        state = update(state, i)
        ocp.save(Path(folder) / str(i + 1), state, overwrite=True)
    return state


# %% wrong 3: isn't a state like
def answer_3(folder, update, state, n_steps):
    with ocp.training.Checkpointer(folder) as c:
        first = 0
        if c.latest is not None:
            first = c.latest.step
            state = c.load(c.latest.step)
        for i in range(first, n_steps):
            state = update(state, i)
            if (i + 1) % 3 == 0 or i + 1 == n_steps:
                c.save(i + 1, state)
    return (state, n_steps)


# %% wrong 3: a function answer_3(folder
answer_3 = 10
