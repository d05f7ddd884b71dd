"""Run the script of a figure and note what happens, for the figure to play.

`python recorder.py SCRIPT SETTINGS` prints the record as JSON. The script is lesson code and knows
nothing of this; the settings say what to look at (CONTRIBUTING.md, "A figure that moves"):

- `kind: steps`: runs the script statement by statement. `watch` are expressions whose values are
  noted after each step, `enter` a function whose lines are steps too when Python comes by;
  `traces: false` leaves the jaxprs out. A label is a comment at the end of a line, `#: name`; the steps
  begin at the first of them. No statement may fail, and no jaxpr may hold an array that was baked in.
- `kind: tree`: notes the pytree that `show` names.
- `kind: training`: notes every leaf of the states in `states` and the losses in `losses` (a list, or
  a dict of lists), one for each step or, where `at` names their numbers, for some of them.

Everything in a record comes out of the run. Traces are read back from the cache of `jit` itself;
where that would make Python run once more, the recorder stops.
"""

import ast
import contextlib
import dataclasses
import io
import json
import math
import re
import sys
from pathlib import Path

import jax
import jax.numpy as jnp
import numpy as np

DIGITS = 4  # significant digits of a number in a record
FEW = 8  # a leaf with so many numbers or fewer is noted whole, others by their statistics
LABEL = re.compile(r"  #: ([a-z-]+)$", re.MULTILINE)
LIBRARIES = ("jax", "flax", "optax", "keras")
NO_STEP = (ast.FunctionDef, ast.ClassDef, ast.Import, ast.ImportFrom)


def record(script: Path, settings: dict) -> dict:
    """The record of one script.

    Raises:
        ValueError: the settings do not fit the script; the message says what to mend.
    """
    jax.config.update("jax_pprint_use_color", False)
    source = script.read_text(encoding="utf8")
    kinds = {"steps": record_steps, "tree": record_tree, "training": record_training}
    if settings.get("kind") not in kinds:
        raise ValueError(f"unknown kind {settings.get('kind')!r}; known are {', '.join(kinds)}")
    noted = kinds[settings["kind"]](source, script.name, settings)
    versions = {name: sys.modules[name].__version__ for name in LIBRARIES if name in sys.modules}
    return {
        "kind": settings["kind"],
        "versions": versions,
        "device": jax.default_backend(),
        "code": shown_code(source),
        **noted,
    }


def shown_code(source: str) -> str:
    """The script as readers see it: without the docstring and the labels of steps."""
    tree = ast.parse(source)
    lines = LABEL.sub("", source).splitlines()
    return "\n".join(lines[tree.body[0].end_lineno :] if ast.get_docstring(tree) else lines).strip()


# Steps


class Stepper:
    """Runs statements one by one and keeps what was seen after each of them."""

    def __init__(self, source: str, name: str, settings: dict) -> None:
        self.source, self.name = source, name
        self.watch = settings.get("watch", [])
        self.enter = settings.get("enter")
        self.reads_traces = settings.get("traces", True)
        self.offset = source[: source.index(shown_code(source).splitlines()[0])].count("\n")
        self.labels = {
            source[: match.start()].count("\n") + 1: match[1] for match in LABEL.finditer(source)
        }
        if not self.labels:
            raise ValueError("no line has a label; end the first that is a step with `  #: name`")
        self.names: dict = {"__name__": "figure"}
        self.printed = io.StringIO()
        self.steps: list[dict] = []
        self.traces: list[dict] = []
        self.jaxprs: list = []  # the jaxprs themselves, to know them again
        self.runs = 0
        self.statement = 0

    def run(self) -> dict:
        """Run the whole script."""
        for node in ast.parse(self.source).body:
            code = compile(ast.Module([node], []), self.name, "exec")
            docstring = isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)
            if docstring or isinstance(node, NO_STEP) or node.lineno < min(self.labels):
                exec(code, self.names)  # noqa: S102  the figure's own script
            else:
                self.step(node, code)
        return {"enter": self.enter, "steps": self.steps, "traces": self.traces}

    def step(self, node: ast.stmt, code) -> None:
        """Run one statement, and note the lines that Python passes on the way."""
        self.statement = node.lineno
        call = self.jitted_call(node)
        step: dict = {}
        with contextlib.redirect_stdout(self.printed):
            sys.settrace(self.on_event)
            try:
                if isinstance(node, ast.Expr):
                    value = eval(compile(ast.Expression(node.value), self.name, "eval"), self.names)
                    step |= {} if value is None else {"returned": shown(value)}
                else:
                    exec(code, self.names)  # noqa: S102
            except Exception as error:
                said = f"{type(error).__name__}: {error}"
                raise ValueError(f"line {node.lineno} fails with {said}") from error
            finally:
                sys.settrace(None)
        if call and self.reads_traces:
            step |= self.trace(*call)
        self.note(node.lineno, **step)

    def jitted_call(self, node: ast.stmt) -> tuple | None:
        """The compiled function that a statement calls, with its arguments, or None."""
        for call in ast.walk(node):
            if isinstance(call, ast.Call) and isinstance(call.func, ast.Name):
                function = self.names.get(call.func.id)
                if isinstance(function, jax.stages.Wrapped):
                    values = [self.value(argument) for argument in call.args]
                    named = {each.arg: self.value(each.value) for each in call.keywords}
                    return function, values, named
        return None

    def value(self, node: ast.expr):
        """The value of an expression of the script."""
        return eval(compile(ast.Expression(node), self.name, "eval"), self.names)

    def trace(self, function, values: list, named: dict) -> dict:
        """Which trace the call that has just run has hit, and whether it made it."""
        before = self.runs
        sys.settrace(self.count_only)
        try:
            traced = function.trace(*values, **named)
        finally:
            sys.settrace(None)
        if self.runs != before:
            raise ValueError("reading a trace back ran Python again; is it still in the cache?")
        for number, known in enumerate(self.jaxprs):
            if known is traced.jaxpr:
                return {"trace": number, "made": False}
        positional, keywords = traced.args_info
        types = [type_of(info) for info in jax.tree.leaves(positional)]
        types += [f"{name}: {type_of(info)}" for name, info in keywords.items()]
        types += [f"{name} = {value!r}" for name, value in named.items() if name not in keywords]
        self.jaxprs.append(traced.jaxpr)
        if traced.jaxpr.consts:
            raise ValueError("a jaxpr holds an array that was baked in, which no figure shows yet")
        self.traces.append({"for": types, "jaxpr": tidy(str(traced.jaxpr))})
        return {"trace": len(self.traces) - 1, "made": True}

    def count_only(self, frame, event, arg):
        """Count the runs of the entered function, for `trace`."""
        if event == "call" and self.is_entered(frame):
            self.runs += 1

    def is_entered(self, frame) -> bool:
        """Whether a frame is the function that the settings name."""
        return frame.f_code.co_filename == self.name and frame.f_code.co_name == self.enter

    def on_event(self, frame, event, arg):
        """The trace function of Python: follow the lines of the entered function."""
        if event != "call" or not self.is_entered(frame):
            return None
        self.runs += 1
        passed: list[int] = []

        def on_line(frame, event, arg):
            if event in ("line", "return") and passed:
                local = {n: v for n, v in frame.f_locals.items() if n != "self"}
                self.note(passed.pop(), local=local, called=self.statement)
            if event == "line":
                passed.append(frame.f_lineno)
            return on_line

        return on_line

    def note(self, line: int, local: dict | None = None, called: int | None = None, **more) -> None:
        """Note the state after a line."""
        state = {}
        for expression in self.watch:
            with contextlib.suppress(NameError):
                state[expression] = shown(self.value(ast.parse(expression, mode="eval").body))
        step = {"line": line - self.offset, "state": state, "runs": self.runs}
        if called:
            step["called"] = called - self.offset
            step["local"] = {name: shown(value) for name, value in local.items()}
        if line in self.labels:
            label = self.labels[line]
            times = sum(step.get("label", "").partition(".")[0] == label for step in self.steps)
            step["label"] = f"{label}.{times + 1}" if times else label
        if output := self.printed.getvalue():
            step["output"] = tidy(output)
            self.printed.seek(0)
            self.printed.truncate()
        self.steps.append(step | more)


def record_steps(source: str, name: str, settings: dict) -> dict:
    """What happened statement by statement."""
    return Stepper(source, name, settings).run()


def type_of(info) -> str:
    """The type of an argument as `jit` sees it."""
    aval = info._aval if hasattr(info, "_aval") else info.aval
    return f"{aval.str_short()}{' weak' if aval.weak_type else ''}"


def shown(value) -> str:
    """A value as a reader sees it, the same on every version of jax."""
    if isinstance(value, jax.core.Tracer):
        return f"tracer {value.aval.str_short()}"
    if isinstance(value, jax.Array | np.ndarray | np.generic):
        return str(np.asarray(value))
    if isinstance(value, tuple | list):
        inside = ", ".join(map(shown, value))
        return f"[{inside}]" if isinstance(value, list) else f"({inside})"
    return tidy(repr(value))


def tidy(text: str) -> str:
    """A text without what differs between two runs."""
    return re.sub(r"\b0x[0-9a-f]{6,}\b", "0x…", text)


# Trees


def record_tree(source: str, name: str, settings: dict) -> dict:
    """Every node of a pytree in the order of its leaves, and its tree structure."""
    names: dict = {"__name__": "figure"}
    exec(compile(source, name, "exec"), names)  # noqa: S102  the figure's own script
    root = settings["show"]
    nodes: list[dict] = []
    walk(eval(root, names), root, root, 0, nodes)
    return {"nodes": nodes, "treedef": tidy(str(jax.tree.structure(names[root])))}


def walk(tree, name: str, path: str, depth: int, nodes: list[dict]) -> None:
    """Append one node and all that is below it."""
    node = {"name": name, "path": path, "depth": depth, "type": type(tree).__name__}
    nodes.append(node)
    if jax.tree_util.all_leaves([tree]):
        node["leaf"] = sum("leaf" in other for other in nodes)
        node |= {"dtype": str(jnp.asarray(tree).dtype), "shape": list(jnp.shape(tree))}
        if jnp.size(tree) <= FEW:
            node["value"] = shown(jnp.asarray(tree))
        return
    children, _ = jax.tree_util.tree_flatten_with_path(tree, is_leaf=lambda x: x is not tree)
    node |= {"named": True} if hasattr(tree, "_fields") else {}
    node |= {} if children else {"empty": True}
    keys = {jax.tree_util.keystr(path, simple=True): child for path, child in children}
    if dataclasses.is_dataclass(tree):
        static = [each.name for each in dataclasses.fields(tree) if each.name not in keys]
        node["static"] = {each: static_value(getattr(tree, each)) for each in static}
    for step, child in children:
        below = jax.tree_util.keystr(step)
        walk(child, jax.tree_util.keystr(step, simple=True), path + below, depth + 1, nodes)


def static_value(value) -> str:
    """A static part in some words: functions by their names."""
    if callable(value) and hasattr(value, "__qualname__"):
        return value.__qualname__.replace("<locals>.", "")
    text = tidy(repr(value))
    return text if len(text) <= 40 else type(value).__name__


# Training


def record_training(source: str, name: str, settings: dict) -> dict:
    """The loss and every leaf at each noted step."""
    names: dict = {"__name__": "figure"}
    exec(compile(source, name, "exec"), names)  # noqa: S102  the figure's own script
    states, losses = names[settings["states"]], names[settings["losses"]]
    first = jax.tree.leaves_with_path(states[0])
    leaves = [
        {
            "path": jax.tree_util.keystr(path),
            "dtype": str(leaf.dtype),
            "shape": list(leaf.shape),
            "steps": [numbers_in(jax.tree.leaves(state)[place]) for state in states],
        }
        for place, (path, leaf) in enumerate(first)
    ]
    curves = losses if isinstance(losses, dict) else {"": losses}
    return {
        "at": [int(at) for at in names.get(settings.get("at"), range(len(states)))],
        "losses": {name: [rounded(loss) for loss in curve] for name, curve in curves.items()},
        "leaves": leaves,
    }


def numbers_in(leaf) -> list[float]:
    """All numbers of a small leaf; of a larger one mean, standard deviation, least and largest."""
    values = np.asarray(leaf).ravel()
    if values.size > FEW:
        values = np.array([values.mean(), values.std(), values.min(), values.max()])
    return [rounded(value) for value in values]


def rounded(value) -> float | int:
    """A number with few digits; whole numbers stay whole."""
    if np.issubdtype(np.asarray(value).dtype, np.integer):
        return int(value)
    value = float(value)
    if not math.isfinite(value):
        raise ValueError(f"a state holds {value}, which no figure can show")
    return float(f"{value:.{DIGITS}g}")


if __name__ == "__main__":
    try:
        print(json.dumps(record(Path(sys.argv[1]), json.loads(sys.argv[2])), ensure_ascii=False))
    except ValueError as error:
        sys.exit(f"error: {error}")
