"""The programs that the live boxes must answer as jax does: those offered, and variations of them.

The variations are made by code, as a reader would make them: other numbers, names, types and
orders, lines left out, prints put in, a sample of them for all boxes, and small programs for each
operation, each kind of argument, trees and the classic errors. Each of `MORE` notices a change of the
model that none of the others does, or what MicroPython alone does otherwise.
"""

import ast
import copy
import itertools
import re
from functools import cache
from random import Random
from typing import NamedTuple

from workshop.chapter.write import committed_cells
from workshop.layout import chapter_paths
from workshop.live_box.programs import LIVE, printed, programs

OF_THE_BOXES = 200  # variations of what boxes offer, whatever the number of boxes
SEED = 1


class Box(NamedTuple):
    """The program of a box, and what its cell documents."""

    program: str
    documented: str


@cache
def offered() -> dict[str, Box]:
    """What the boxes offer, by chapter and number."""
    found = {}
    for path in chapter_paths():
        cells = committed_cells(path)
        made = programs([cell.source for cell in cells])
        boxes = [
            Box(program, printed(cell))
            for program, cell in zip(made, cells, strict=True)
            if LIVE in cell.metadata and printed(cell)  # an exercise prints nothing
        ]
        found |= {f"{path.stem} {number}": box for number, box in enumerate(boxes, start=1)}
    return found


class Numbers(ast.NodeTransformer):
    """Replace each whole number of a program."""

    def __init__(self, change):
        self.change = change

    def visit_Constant(self, node):
        """Change a whole number, leave everything else."""
        return ast.Constant(self.change(node.value)) if type(node.value) is int else node


class Prints(ast.NodeTransformer):
    """Let each function say that Python is in it, and with what."""

    def visit_FunctionDef(self, node):
        """Put a print at the top of a function."""
        names = [each.arg for each in node.args.args if each.arg != "self"]
        # What shows its address in memory is not shown.
        say = ", ".join([f"'in {node.name}'", *(f"callable({name}) or {name}" for name in names)])
        node.body.insert(0, ast.parse(f"print({say})").body[0])
        return node


def edits(program: str):
    """Yield (what was changed, program) for the edits that any program allows."""
    tree = ast.parse(program)

    def edited(transformer):
        return ast.unparse(ast.fix_missing_locations(transformer.visit(copy.deepcopy(tree))))

    yield "as it is", program
    yield "numbers + 1", edited(Numbers(lambda n: n + 1))
    yield "numbers * 3", edited(Numbers(lambda n: n * 3))
    yield "halves", edited(Numbers(lambda n: n + 0.5))
    yield "prints", edited(Prints())
    # Not the n of a newline in a string.
    yield "renamed", re.sub(r"(?<!\\)\b(counter|state|n)\b", r"my_\1", program)
    yield "no jit", program.replace("@jax.jit\n", "").replace("jax.jit(", "(")
    yield "float32", program.replace("int32(", "float32(")
    yield "vector", program.replace("jnp.int32(0)", "jnp.zeros(3)")
    plain = ast.With([ast.withitem(ast.parse("jax.disable_jit()").body[0].value)], tree.body[-4:])
    whole = ast.Module([*tree.body[:-4], plain], [])
    yield "jit disabled", ast.unparse(ast.fix_missing_locations(whole))
    for place in range(3, len(tree.body)):
        fewer = ast.Module(tree.body[:place] + tree.body[place + 1 :], [])
        yield f"without statement {place}", ast.unparse(fewer)
    for place in range(max(2, len(tree.body) - 4), len(tree.body) - 1):
        pair = tree.body[place : place + 2]
        if isinstance(pair[0], ast.ClassDef) and isinstance(pair[1], ast.FunctionDef):
            continue  # a box doesn't evaluate the annotations that would miss the class
        body = tree.body[:place] + [tree.body[place + 1], tree.body[place]] + tree.body[place + 2 :]
        yield f"statements {place} and {place + 1} swapped", ast.unparse(ast.Module(body, []))
    last = ast.unparse(tree.body[-1])
    yield "last statement twice", f"{program}\n{last}"


IMPORTS = "import jax\nimport jax.numpy as jnp\n"

BODIES = [
    "x + 1",
    "2 * x",
    "x - 0.5",
    "x / 2",
    "-x",
    "x ** 2",
    "x * x + x",
    "abs(x)",
    "(x, 1, 2.5)",
]
BODIES += ["x > 0", "x == 2", "0.1 * x", "{'b': x, 'a': x + 1}", "x + 1 > 2", "1 < x", "jnp.sum(x)"]
ARGUMENTS = ["3", "1.5", "True", "jnp.int32(3)", "jnp.float32(0.25)", "jnp.array([1.0, 2.5])"]
ARGUMENTS += ["jnp.arange(3)", "jnp.array([4, 5])"]

OPERATION = """
def f(x):
    print("tracing", x, x.dtype, x.shape, x.weak_type)
    return {body}


g = jax.jit(f)
print(g({argument}))
print(repr(g({argument})))
print(jax.make_jaxpr(f)({argument}))
"""

TREE = """
from typing import NamedTuple


class Pair(NamedTuple):
    first: object
    second: object


tree = {tree}
print(jax.tree.structure(tree))
print(jax.tree.leaves(tree))
for path, leaf in jax.tree.leaves_with_path(tree):
    print(jax.tree_util.keystr(path), leaf)
print(jax.tree.map(lambda leaf: leaf * 2, tree))
leaves, treedef = jax.tree.flatten(tree)
print(len(leaves), treedef.num_leaves, jax.tree.unflatten(treedef, leaves[::-1]))
traces = []


@jax.jit
def f(tree):
    traces.append("trace")
    return tree


print(f(tree), len(traces))
print(f(jax.tree.map(lambda leaf: leaf + 1, tree)), len(traces))
"""

TREES = ["(1, 2.0)", "[1, [2, None]]", "{'b': 1, 'a': (2,)}", "Pair(1, [2.5, 3])", "None", "()"]
TREES += ["{'x': {}, 'y': Pair(None, 4)}", "[jnp.int32(1), (jnp.ones(2),)]", "{2: 1, 1: 2}", "7"]
TREES += ["{'a': 1, 0: 2}", "[Pair(1, 2), Pair(3, (4, {'k': 5}))]"]

ERROR = """
kept = []


def f(x):
    {line}
    return x


try:
    print(jax.jit(f)({argument}))
    print(kept[0], len(kept))
    print(kept[0] + 1)
except Exception as error:
    print(type(error).__name__)
    print(isinstance(error, TypeError), isinstance(error, jax.errors.ConcretizationTypeError))
    raise
"""

LINES = ["if x > 0: x = -x", "while x: x = x - 1", "x = int(x)", "x = float(x)", "kept.append(x)"]
LINES += ["x = [10, 20, 30][x]", "kept.append(x * 2)", "for _ in range(x): pass", "x = 'text'"]
LINES += ["x = x.item()", "assert x > 0", "x = f'{x:.2f}'", "print(f'{x}', [x])", "x = kept"]
LINES += ["x = x > 0 and x < 5", "x = not x", "x = x.nothing", "x = jnp.nothing(x)"]

METHOD = """class C:
    n = 0
    def f(self, x):
        print('trace')
        self.n += 1
        return x + self.n
c = C()
"""

MORE = {
    "a captured scalar": "n = jnp.int32(5)\nprint(jax.make_jaxpr(lambda x: (n + 1, x + n, n))(1.5))",
    "made inside": "def f(x):\n    a = jnp.int32(2)\n    print(a)\n    return a * x + 1\n"
    "print(jax.make_jaxpr(f)(1), jax.jit(f)(3))",
    "zeros inside": "print(jax.make_jaxpr(lambda x: x + jnp.zeros(3))(jnp.ones(3)))",
    "unused": "print(jax.make_jaxpr(lambda x, y: (x * 2, x + y)[1])(1, 2.0))",
    "jit in jit": "@jax.jit\ndef g(x):\n    print('g')\n    return x + 1\n"
    "@jax.jit\ndef f(x):\n    print('f')\n    return g(g(x))\nprint(f(1), f(2), g(5))",
    "jaxpr of jit": "print(jax.make_jaxpr(jax.jit(lambda x: x + 1))(1))",
    "scan from a Python 0": "print(jax.lax.scan(lambda s, x: (s + 1, s), 0, length=3))",
    "method after method": METHOD + "print(jax.jit(c.f)(1), jax.jit(c.f)(1), c.n)",
    "method under a name": METHOD + "m = c.f\nprint(jax.jit(m)(1), jax.jit(c.f)(1), jax.jit(m)(1))",
    "method kept in its object": METHOD + "c.m = c.f\nprint(jax.jit(c.m)(1), jax.jit(c.m)(1), c.n)",
    "method given back": METHOD + "g = jax.jit(c.f)\nprint(g(1))\ng = None\nprint(jax.jit(c.f)(1))",
    "function kept in an object": METHOD
    + "C.g = staticmethod(jax.jit(lambda x: print('g') or x))\n"
    "print(c.g(1), C.g(1), jax.jit(C.g)(1), jax.jit(C.g)(1))",
    "a leak mended": "class C:\n    def f(self, x):\n        self.n = x + 1\n        return self.n\n"
    "c = C()\nprint(jax.jit(c.f)(1))\nc.n = jax.jit(c.f)(2)\nprint(jax.jit(c.f)(c.n), c.n)",
    "one dict over another": "d = {'z': 1, 'a': 2} | {'b': 3, 'z': 4}\nprint(d, d.copy())\n"
    "d = d | {'c': jnp.int32(5)}\nd.update({'y': 6})\nd.update([('w', 7)])\nd.update(v=8)\nprint(d, d.pop('a'), d.get('q', 0), list(d))",
    "arrays like others": "x = {'a': jnp.ones(2), 'b': jnp.int32(3)}\n"
    "print(jax.tree.map(jnp.ones_like, x), jax.jit(lambda x: jnp.ones_like(x) + x)(jnp.zeros(2)))",
    "by keyword": "def f(x, y=2):\n    print('trace', x, y)\n    return x + y\ng = jax.jit(f)\n"
    "print(g(1), g(1, 3), g(1, y=3), g(x=1, y=3), g(y=4, x=2))",
    "an unhashable static argument": "print(jax.jit(lambda x: x, static_argnums=0)([1]))",
    "shapes that do not fit": "print(jnp.arange(3) + jnp.arange(2))",
    "the truth of a vector": "if jnp.arange(2): print('true')",
    "item assignment": "x = jnp.arange(3)\nx[0] = 5",
    "numbers": "print(jnp.float32(0.1), jnp.float32(100.0), jnp.float32(-2.5), jnp.int32(-7))\n"
    "print(jnp.array([0.1, 10.0]), jnp.array([-1, 10]), jnp.array([True, False]))\n"
    "print([jnp.float32(2)], (jnp.array([0.5, 0.25]),), jnp.float32(1) / 3)",
    "formats": "x = jnp.float32(2.345)\ni = jnp.int32(7)\n"
    "print(f'{x:.2f} {x} {i:>4} {i!r} {\"a\":>3}' f'|{1 + 1}|{{}}' '|', '{}'.format(x))",
    "conversions": "x = jnp.float32(2.5)\nprint(int(x), float(x), bool(x), 1.5 + x, 2 < x, -1 + x)",
    "rounding on the way": "print(jax.jit(lambda x: x * 0.1 + 0.7)(jnp.float32(1.5)))",
    "dict order": "d = {'z': 1, 'a': 2, 'm': 3, **{'b': 4}}\nd['c'] = 5\nprint(d, list(d), {**d, 'z': 0})\n"
    "print({k: v * 2 for k, v in d.items()}, dict(d), d == {'a': 2, 'z': 1, 'm': 3, 'c': 5, 'b': 4})",
    "a matrix": "print(jnp.ones((2, 3)))",
    "dtypes": "print(jnp.ones(2, 'int32'), jnp.zeros(2, dtype=jnp.int32), jnp.arange(2).astype(float))\n"
    "print(jnp.float32(1).dtype == jnp.float32, jnp.arange(2).dtype, repr(jnp.int32(1).dtype))",
    "mismatch in a map": "jax.tree.map(lambda a, b: a, [1, 2], [1])",
    "mismatch in type": "jax.tree.map(lambda a, b: a, [1, 2], (1, 2))",
    "too few leaves": "jax.tree.unflatten(jax.tree.structure([1, 2]), [1])",
    "types": "print(type(jnp.int32(1)), type(jnp.int32(1)).__name__, isinstance(1, jax.Array))\n"
    "jax.jit(lambda x: print(type(x), isinstance(x, jax.core.Tracer)))(1)",
    "comparisons": "x = jnp.array([2, 3, 4])\nprint(x < 3, x <= 3, x != 3, x >= 3, 3 < x, 3 <= x)\n"
    "print(jax.make_jaxpr(lambda a, b: a < b)(2, jnp.array([1.0, 2.0])))",
    "trees of other kinds": "def f(x):\n    print('trace', x)\n    return x\ng = jax.jit(f)\n"
    "print(g(1), g((1,)), g([1]), g(1))",
}


@cache
def variations() -> dict[str, str]:
    """The variations, each by a name that says what it varies."""
    of_boxes = [
        (f"{name}, {what}", changed)
        for name, box in offered().items()
        for what, changed in edits(box.program)
        if changed != box.program or what == "as it is"
    ]
    found = dict(Random(SEED).sample(of_boxes, min(OF_THE_BOXES, len(of_boxes))))

    def add(name: str, template: str, **parts: str) -> None:
        found[name] = IMPORTS + template.format(**parts)

    for body, argument in itertools.product(BODIES, ARGUMENTS):
        add(f"{body} of {argument}", OPERATION, body=body, argument=argument)
    for tree in TREES:
        add(f"tree {tree}", TREE, tree=tree)
    for line, argument in itertools.product(LINES, ("3", "jnp.float32(2)", "jnp.arange(2)")):
        add(f"{line!r} for {argument}", ERROR, line=line, argument=argument)
    for name, program in MORE.items():
        found[name] = IMPORTS + program
    return found
