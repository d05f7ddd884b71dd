"""One step in each idiom: a running mean in what was passed and in what came back."""

from workshop.picture import Picture

PASSED = {"ko": "넘긴 상태", "en": "passed"}
RETURNED = {"ko": "반환된 상태", "en": "returned"}
KEPT = {"ko": "보관하는 코드", "en": "kept by"}
ASSIGNED = {"ko": "루프의 대입문", "en": "assignment in the loop"}
NO = {"ko": "손실만", "en": "only the loss"}
BY = {"NNX": "@nnx.jit", "Refs": "ref[...] = value"}
REF = {"ko": "Ref", "en": "Refs"}
PLAIN = {"ko": "순수 JAX", "en": "plain JAX"}


def values() -> dict:
    """Take one step from the start in each idiom; read the first running mean."""
    from workshop.picture.chapter_run import run_up_to

    names, _ = run_up_to("compare-two-training-runs", "19-rosetta")
    data = names["batches"][0]
    shown = lambda mean: f"{float(mean[0]):.2f}"
    norm = lambda state: shown(state.batch_stats["norm"]["mean"])
    listed = lambda state: shown(state.batch_stats[0])
    index = names["equinox_start"].params.norm.batch_state_index
    stored = lambda state: shown(state.batch_stats.get(index)[0])
    rows = {}
    for name, start, read in (
        ("plain JAX", "initial", norm),
        ("Linen", "initial", norm),
        ("Keras", "keras_start", listed),
        ("Equinox", "equinox_start", stored),
    ):
        step = names[name.split()[0].lower() + "_step"]
        new_state, _ = step(names[start], data)
        rows[name] = {
            "passed": read(names[start]),
            "returned": read(new_state),
        }
    model = names["NNXModel"]()
    optimizer = names["nnx"].Optimizer(
        model, names["optax"].sgd(0.1), wrt=names["nnx"].Param
    )
    names["nnx_step"](model, optimizer, data)
    rows["NNX"] = {"passed": shown(model.norm.mean[...]), "returned": None}
    jax = names["jax"]
    refs = jax.tree.map(jax.new_ref, names["initial"])
    names["refs_step"](refs, data)
    rows["Refs"] = {"passed": norm(names["read"](refs)), "returned": None}
    return rows


def draw(picture: Picture, values: dict) -> None:
    """A row an idiom; what was written in place is green."""
    narrow = picture.narrow
    passed, returned, keep = (178, 308, 0) if narrow else (180, 340, 450)
    row, wide, high = (66 if narrow else 52), 68, 34
    picture.text(passed, 18, PASSED, "small strong", "middle")
    picture.text(returned, 18, RETURNED, "small strong", "middle")
    picture.text(keep, 18, KEPT, "small strong")
    for place, (name, means) in enumerate(values.items()):
        y = 34 + row * place
        picture.line((0, y), (picture.width, y))
        middle = y + row / 2
        words = {"Refs": REF, "plain JAX": PLAIN}.get(name, name)
        by = BY.get(name, ASSIGNED)
        if isinstance(by, str):
            by = {"ko": f"`{by}`", "en": f"`{by}`"}
        if isinstance(words, str):
            words = {"ko": words, "en": words}
        if narrow:
            picture.text(0, y + 24, words, "strong")
            by = (
                by
                if by is not ASSIGNED
                else {"ko": "대입문", "en": "assignment"}
            )
            picture.text(0, y + 46, by, "small muted")
        else:
            picture.text(0, middle + 5, words, "strong")
            picture.text(keep, middle + 5, by)
        written = means["returned"] is None
        kind = "back" if written else "plain"
        box = (passed - wide / 2, middle - high / 2, wide, high)
        picture.box(*box, means["passed"], kind, "strong")
        if written:
            picture.text(returned, middle + 5, NO, "small muted", "middle")
        else:
            picture.arrow(
                (passed + wide / 2 + 3, middle),
                (returned - wide / 2 - 3, middle),
                kind="state",
            )
            box = (returned - wide / 2, middle - high / 2, wide, high)
            picture.box(*box, means["returned"], "state", "strong")
