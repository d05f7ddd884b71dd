"""What the files of a checkpoint hold of a state: paths and arrays, and no name of a class."""

from workshop.picture import Picture

PATHS = ["step", "params/w", "opt_state/0/count", "opt_state/0/mu/w", "key"]
CLASSES = ["State", "ScaleByAdamState"]
HEADS = {
    "path": {"ko": "경로", "en": "path"},
    "array": {"ko": "shape과 dtype", "en": "shape, dtype"},
    "no": {"ko": "어느 파일에도 없음", "en": "in no file"},
}
FILES = {
    "_METADATA": {"ko": "경로, shape, dtype", "en": "paths, shapes, dtypes"},
    "d/": {"ko": "배열의 값", "en": "the arrays' values"},
}


def values() -> dict:
    """Save a state; read back what each path holds, and look for the classes' names in all files."""
    import tempfile
    from pathlib import Path
    from typing import NamedTuple

    import jax
    import jax.numpy as jnp
    import optax
    from orbax.checkpoint import v1 as ocp

    class State(NamedTuple):
        step: jax.Array
        params: dict
        opt_state: tuple
        key: jax.Array

    params = {"w": jnp.ones(64)}
    opt_state = optax.adam(0.1).init(params)
    state = State(jnp.int32(20), params, opt_state, jax.random.key(0))
    with tempfile.TemporaryDirectory() as place:
        folder = Path(place).resolve() / "whole"
        ocp.save(folder, state)
        stored = ocp.metadata(folder).metadata
        leaves = jax.tree_util.tree_leaves_with_path(stored)
        by_path = {
            jax.tree_util.keystr(p, simple=True, separator="/"): x
            for p, x in leaves
        }
        files = [path for path in folder.rglob("*") if path.is_file()]
        texts = b"".join(path.read_bytes() for path in files)
        names = {path.name for path in files}
        holds_values = any(path.parent.name == "d" for path in files)
    types = [type(state).__name__, type(opt_state[0]).__name__]
    return {
        "files": [name for name in ("_METADATA",) if name in names] + ["d/"] * holds_values,
        "paths": {
            path: [str(tuple(by_path[path].shape)), str(by_path[path].dtype)] for path in PATHS
        },
        "classes": {name: name.encode() in texts for name in types},
    }  # fmt: skip


def draw(picture: Picture, values: dict) -> None:
    """The folder is a lane with its files and a row a path; outside it are the classes' names."""
    narrow = picture.narrow
    wide = picture.width if narrow else 440
    rows = list(values["paths"].items())
    bottom = 118 + 30 * len(rows)
    picture.lane(0, 0, wide, bottom)
    picture.text(14, 24, "whole/state/", "strong")
    for place, name in enumerate(values["files"]):
        y = 50 + 24 * place
        picture.text(28, y, name, "small strong")
        picture.text(126, y, FILES[name], "small muted")
    picture.line((14, 88), (wide - 14, 88))
    at = 190 if narrow else 236
    picture.text(14, 108, HEADS["path"], "small muted")
    picture.text(at, 108, HEADS["array"], "small muted")
    for place, (path, (shape, dtype)) in enumerate(rows):
        y = 134 + 30 * place
        picture.text(14, y, path, "small" if narrow else "")
        picture.text(at, y, shape, "small")
        picture.text(at + 78, y, dtype, "small")
    names = [name for name, found in values["classes"].items() if not found]
    x, y = (0, bottom + 26) if narrow else (470, 24)
    picture.text(x, y, HEADS["no"], "strong small")
    for place, name in enumerate(names):
        left = x + 178 * place if narrow else x
        top = y + 16 if narrow else y + 18 + 76 * place
        picture.box(
            left, top, 170 if narrow else 200, 36, name, "lost", "strong small"
        )
