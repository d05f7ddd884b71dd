"""A small model of JAX for the live boxes of the book: its tracing and its cache, not its arrays.

It runs under MicroPython in the reader's browser and, in the tests, under CPython beside the real
jax. It knows scalars and short vectors of float32, int32 and bool, and answers as jax 0.10 does on a
CPU. What it does not know raises `OutOfReach` instead of giving an answer: an operation, an option,
a shape, and a value whose last digits depend on how XLA compiles it.
"""

import sys
from array import array

LONGEST = 16  # elements of a vector
WIDTH = 80  # characters of a line of a jaxpr, as in jax
SHORT = {"float32": "f32", "int32": "i32", "bool": "bool"}
RANK = {"bool": 0, "int32": 1, "float32": 2}


class OutOfReach(BaseException):
    """The model does not know this. No `except Exception` of a reader catches it."""

    line = None  # of the program, where it was refused before it ran
    near = None  # the known name that was perhaps meant


def refuse(what):
    """Stop: the model would have to guess."""
    raise OutOfReach(what)


def accept(where, options):
    """Refuse options of a function that the model does not know."""
    for name in options:
        refuse(f"the option {name} of {where}")


# The errors, with the classes and first words of jax.errors.


class JAXTypeError(TypeError):
    """Above the errors of jax."""


class ConcretizationTypeError(JAXTypeError):
    """A tracer was used where a value is needed."""


class TracerBoolConversionError(ConcretizationTypeError):
    """A tracer was used as a condition."""


class TracerIntegerConversionError(JAXTypeError):
    """A tracer was used as an index."""


class UnexpectedTracerError(JAXTypeError):
    """A tracer was used after its trace had ended."""


# Types of arrays


class Kind:
    """What is known of an array without its values: dtype, shape, weak type."""

    def __init__(self, dtype, shape=(), weak=False):
        self.dtype, self.shape, self.weak = dtype, shape, weak

    def all(self):
        """The three as a tuple."""
        return self.dtype, self.shape, self.weak

    def sizes(self):
        """The shape in brackets."""
        return "[" + ",".join([str(size) for size in self.shape]) + "]"

    def short(self):
        """As a jaxpr writes it: f32[3]."""
        return SHORT[self.dtype] + self.sizes()

    def long(self):
        """As an error writes it: float32[3]."""
        return self.dtype + self.sizes()


class DType:
    """`x.dtype`, and without its instance: `jnp.float32`."""

    def __init__(self, name):
        self.name = name

    def __str__(self):
        return self.name

    def __repr__(self):
        return f"dtype('{self.name}')"

    def __eq__(self, other):
        return self.name == dtype_name(other)

    def __hash__(self):
        return hash(self.name)

    def __getattr__(self, name):
        return unknown("dtype", name)


class ScalarType(DType):
    """`jnp.float32` makes a scalar of its dtype."""

    def __repr__(self):
        return f"<class 'jax.numpy.{self.name}{'_' if self.name == 'bool' else ''}'>"

    __str__ = __repr__

    def __call__(self, value):
        return asarray(value, self)


def dtype_name(dtype):
    """The name of a dtype, however it was given."""
    if isinstance(dtype, DType):
        return dtype.name
    for known, name in ((float, "float32"), (int, "int32"), (bool, "bool")):
        if dtype is known:
            return name
    if isinstance(dtype, str) and dtype in RANK:
        return dtype
    return refuse(f"the dtype {dtype}")


def unknown(of, name, known=()):
    """What `__getattr__` answers: Python's own probing gets its error, a reader the limit."""
    if name.startswith("__"):
        raise AttributeError(name)
    error = OutOfReach(f"{of}.{name}")
    near = [each for each in known if one_slip(name, each)]
    error.near = f"{of}.{min(near)}" if near else None
    raise error


def one_slip(written, meant):
    """Whether one letter too few, too many, wrong or swapped with the next makes the difference."""
    at = 0
    while at < min(len(written), len(meant)) and written[at] == meant[at]:
        at += 1
    rest, its = written[at:], meant[at:]
    swapped = rest[1:2] + rest[:1] + rest[2:]
    return rest != its and (its in (rest[1:], swapped) or its[1:] in (rest, rest[1:]))


def kind_of_scalar(value):
    """The kind that jax gives a Python scalar."""
    if isinstance(value, bool):
        return Kind("bool")
    return Kind("int32" if isinstance(value, int) else "float32", (), True)


def cast(value, dtype):
    """A Python number as the nearest of its dtype; refuses what does not fit."""
    if dtype == "bool":
        return bool(value)
    if dtype == "int32":
        value = int(value)
        if not -(2**31) <= value < 2**31:
            refuse("whole numbers beyond int32")
        return value
    value = float(value)
    if value and not 1e-30 < abs(value) < 3e38:
        refuse("float32 numbers that are not finite or very small")
    return array("f", [value])[0]


# Values


class Array:
    """`jax.Array`: what arrays and tracers have in common."""

    dtype = property(lambda self: DType(self.kind.dtype))
    shape = property(lambda self: self.kind.shape)
    weak_type = property(lambda self: self.kind.weak)
    ndim = property(lambda self: len(self.kind.shape))
    size = property(lambda self: self.kind.shape[0] if self.kind.shape else 1)

    def __len__(self):
        if not self.kind.shape:
            raise TypeError("len() of unsized object")
        return self.kind.shape[0]

    def __hash__(self):
        name = "jaxlib._jax.ArrayImpl" if isinstance(self, ArrayImpl) else type(self).__name__
        raise TypeError(f"unhashable type: '{name}'")

    def __getattr__(self, name):
        return unknown("an array", name)

    def __neg__(self):
        return unary("neg", self)

    def __pos__(self):
        return self

    def __abs__(self):
        return unary("abs", self)

    def __pow__(self, power):
        if type(power) is not int or power not in (2, 3):
            refuse(f"** {power!r}; it knows ** 2 and ** 3")
        return unary("integer_pow", self, power)

    def __setitem__(self, place, value):
        if self.kind.shape:
            raise TypeError("JAX arrays are immutable and do not support in-place item assignment.")
        refuse("assignment to a part of a scalar")

    def astype(self, dtype, **options):
        """This array with another dtype."""
        accept("astype", options)
        return asarray(self, dtype)

    def sum(self, **options):
        """The sum of all elements."""
        return total(self, **options)

    def need_scalar(self):
        """Raise what a vector raises where one number is needed."""
        if self.kind.shape:
            raise TypeError(
                f"Only scalar arrays can be converted to Python scalars; got arr.ndim={self.ndim}"
            )

    def need_index(self):
        """Raise what all but a whole number raises as an index."""
        if self.kind.shape or self.kind.dtype != "int32":
            raise TypeError("Only integer scalar arrays can be converted to a scalar index.")

    def need_truth(self, *shapes):
        """Raise what a vector raises as a condition, unless it has one of these shapes."""
        if self.kind.shape and self.kind.shape not in shapes:
            raise ValueError(
                "The truth value of an array with more than one element is ambiguous. "
                "Use a.any() or a.all()"
            )

    def block_until_ready(self):
        """This array: the model computes at once."""
        return self


def add_operator(name, compute):
    """Let arrays answer to an operator; a comparison is turned around by Python itself."""
    setattr(Array, f"__{name}__", lambda self, other: compute(self, other))
    if name not in COMPARISONS:
        setattr(Array, f"__r{name}__", lambda self, other: compute(other, self))


COMPARISONS = ("gt", "lt", "ge", "le", "eq", "ne")
for operator in ("add", "sub", "mul", "truediv") + COMPARISONS:
    primitive = "div" if operator == "truediv" else operator
    add_operator(operator, lambda x, y, name=primitive: binary(name, x, y))
add_operator("floordiv", lambda x, y: refuse("//"))
add_operator("mod", lambda x, y: refuse("%"))
Array.__rpow__ = lambda self, other: refuse("an array as exponent")


class ArrayImpl(Array):
    """An array with values, a list of Python numbers.

    `unsure` marks a result whose last digits depend on how the machine compiles: it is never shown.
    """

    def __init__(self, values, kind, unsure=False):
        self.values, self.kind, self.unsure = values, kind, unsure

    def known(self):
        """The values, where they are those that every machine computes."""
        if self.unsure:
            refuse("the last digits of a result that is rounded on the way, in compiled code")
        return self.values

    def scalar(self):
        """The one value of a scalar."""
        self.need_scalar()
        return self.known()[0]

    def item(self):
        """The value as a Python number."""
        return self.scalar()

    def tolist(self):
        """The values as Python numbers."""
        values = self.known()
        return list(values) if self.kind.shape else values[0]

    def as_int(self):
        """What int(x) returns."""
        return int(self.scalar())

    def as_float(self):
        """What float(x) returns."""
        return float(self.scalar())

    def __index__(self):
        self.need_index()
        return self.scalar()

    def __bool__(self):
        self.need_truth((1,))
        return bool(self.known()[0])

    def __iter__(self):
        if not self.kind.shape:
            raise TypeError("iteration over a 0-d array")
        return iter([self[place] for place in range(len(self))])

    def __getitem__(self, place):
        if tracing():
            refuse("an element of an array inside a trace")
        if not isinstance(place, int) or not self.kind.shape:
            refuse("this way of indexing; it knows x[2]")
        if not -len(self) <= place < len(self):
            refuse("an index outside the array")
        return ArrayImpl([self.values[place]], Kind(self.kind.dtype), self.unsure)

    def __str__(self):
        texts = number_texts(self)
        if self.kind.shape:
            return "[" + " ".join(texts) + "]"
        return texts[0] + "0" if texts[0].endswith(".") else texts[0]

    def __repr__(self):
        texts = number_texts(self)
        if self.kind.shape and not texts:
            refuse("empty arrays")
        if self.kind.dtype == "float32" and any(len(t.split(".")[1]) > 8 for t in texts):
            refuse("so many digits")
        text = "[" + ", ".join(texts) + "]" if self.kind.shape else texts[0]
        weak = ", weak_type=True" if self.kind.weak else ""
        text = f"Array({text}, dtype={self.kind.dtype}{weak})"
        return text if len(text) <= WIDTH else refuse("arrays longer than a line")

    def __format__(self, spec):
        if self.kind.shape:
            if spec:
                raise TypeError("unsupported format string passed to ArrayImpl.__format__")
            return str(self)
        return ("{:" + spec + "}").format(self.scalar())


class DynamicJaxprTracer(Array):
    """What stands for an array while a function is traced. It has a kind and no values."""

    literal = None  # the number, where the array was made from one inside the trace

    def __init__(self, trace, kind):
        self._trace, self.kind = trace, kind

    def __repr__(self):
        return f"JitTracer({'~' if self.kind.weak else ''}{self.kind.long()})"

    __str__ = __repr__

    def __format__(self, spec):
        if spec:
            raise TypeError("unsupported format string passed to DynamicJaxprTracer.__format__")
        return str(self)

    def concrete(self, how, error=ConcretizationTypeError):
        """Raise the error of a tracer that was used as a value."""
        about = f"\nThe error occurred while tracing the function {self._trace.name} for jit."
        stop = "." if error is TracerBoolConversionError else ""
        raise error(f"{how} traced array with shape {self.kind.long()}{stop}{about}")

    def __bool__(self):  # noqa: PLE0304  it always raises
        check_alive(self)
        self.need_truth()
        self.concrete("Attempted boolean conversion of", TracerBoolConversionError)

    def as_int(self):
        """What int(x) and float(x) raise."""
        self.need_scalar()
        self.concrete("Abstract tracer value encountered where concrete value is expected:")

    as_float = as_int

    def item(self):
        """Raise: a tracer has no value."""
        return refuse("item() of a vector") if self.kind.shape else self.as_int()

    def __index__(self):  # noqa: PLE0305  it always raises
        self.need_index()
        self.concrete("The __index__() method was called on", TracerIntegerConversionError)

    def __iter__(self):
        return refuse("iteration over a tracer")

    def __getitem__(self, place):
        return refuse("an element of an array inside a trace")


def number_texts(x):
    """The elements of an array as NumPy prints them, all of one width."""
    values = x.known()
    if x.kind.dtype != "float32":
        texts = [str(value) for value in values]
    else:
        sizes = [abs(value) for value in values if value]
        if sizes and (max(sizes) >= 1e7 or min(sizes) < 1e-4 or max(sizes) > 1000 * min(sizes)):
            refuse("numbers so large or so small")
        texts = [shortest(value) for value in values]
    if not x.kind.shape:
        return texts
    if x.kind.dtype == "float32":
        digits = max([len(text.split(".")[1]) for text in texts])
        if digits > 8:
            refuse("so many digits")
        texts = [text + " " * (digits - len(text.split(".")[1])) for text in texts]
    width = max([len(text) for text in texts])
    if x.kind.dtype == "bool":
        width = 5
    return [" " * (width - len(text)) + text for text in texts]


def shortest(value):
    """The shortest decimal that is this float32 and no other, such as 0.1 or 2."""
    digits = 1
    while cast(float(f"%.{digits}g" % value), "float32") != value:
        digits += 1
    exponent = int((f"%.{digits - 1}e" % value).split("e")[1])
    text = f"%.{max(0, digits - 1 - exponent)}f" % value
    return text if "." in text else text + "."


# Operations. Each is computed at once, or is recorded in the trace in progress.


def combine(name, a, b):
    """One element of the result of a binary operation, in Python numbers."""
    if name == "add":
        return a + b
    if name == "sub":
        return a - b
    if name == "mul":
        return a * b
    if name == "div":
        return a / b if b else refuse("division by zero")
    return {"gt": a > b, "lt": a < b, "ge": a >= b, "le": a <= b, "eq": a == b, "ne": a != b}[name]


def is_scalar(value):
    """Whether this is a Python number."""
    return isinstance(value, (bool, int, float))


def kind_of(value):
    """The kind of an array, a tracer or a Python number."""
    return kind_of_scalar(value) if is_scalar(value) else value.kind


def promote(a, b):
    """Dtype and weak type of the result for two kinds, by the rules of jax."""
    higher = a.dtype if RANK[a.dtype] >= RANK[b.dtype] else b.dtype
    if a.weak == b.weak:
        return higher, a.weak
    strong = b if a.weak else a
    return higher, RANK[strong.dtype] < RANK[higher]


def binary(name, x, y):
    """Add, compare, … two operands, at least one of them an array."""
    for operand in (x, y):
        if not is_scalar(operand) and not isinstance(operand, Array):
            refuse(f"{name} with {type(operand).__name__}")
        check_alive(operand)
    a, b = kind_of(x), kind_of(y)
    dtype, weak = promote(a, b)
    for kind in (a, b):
        if dtype == "bool" or kind.dtype == "bool" and kind.weak:
            refuse(f"{name} of bools")
    if a.shape and b.shape and a.shape != b.shape:
        if 1 in (a.shape + b.shape):
            refuse("vectors of length 1 beside longer ones")
        raise TypeError(f"{name} got incompatible shapes for broadcasting: {a.shape}, {b.shape}.")
    if name == "div":
        dtype = "float32"
    x, y = convert(x, dtype, weak), convert(y, dtype, weak)
    if name in COMPARISONS:
        kind = Kind("bool", a.shape or b.shape, weak)
    else:
        kind = Kind(dtype, a.shape or b.shape, weak)
    return emit(
        name, "", [x, y], kind, lambda compiled, p, q: elementwise(name, p, q, kind, compiled)
    )


def elementwise(name, p, q, kind, compiled):
    """Compute a binary operation on two arrays. Within a trace roundings make a result unsure."""
    size = max(p.size, q.size)
    pairs = [(p.values[i % p.size], q.values[i % q.size]) for i in range(size)]
    if name in COMPARISONS:
        p.known(), q.known()
        return ArrayImpl([combine(name, a, b) for a, b in pairs], kind)
    raw = [combine(name, a, b) for a, b in pairs]
    values = [cast(value, kind.dtype) for value in raw]
    rounded = kind.dtype == "float32" and not all(
        exact(name, a, b, value) for (a, b), value in zip(pairs, values)
    )
    unsure = p.unsure or q.unsure
    if compiled and kind.dtype == "float32":
        unsure = unsure or p.rounded or q.rounded or name == "div" and rounded
    result = ArrayImpl(values, kind, unsure)
    result.rounded = rounded
    return result


ArrayImpl.rounded = False  # by an operation of the same trace

for kind, place in (
    (ArrayImpl, "jaxlib._jax"),
    (DynamicJaxprTracer, "jax._src.interpreters.partial_eval"),
):
    if (
        sys.implementation.name == "micropython"
    ):  # it asks __int__ for an index, and __float__ in 1.5 + x
        kind.__int__ = kind.__index__
    else:
        kind.__int__, kind.__float__, kind.__module__ = kind.as_int, kind.as_float, place


def exact(name, a, b, result):
    """Whether a float32 result is the true one, without rounding."""
    if name == "add":
        return result - a == b and result - b == a
    if name == "sub":
        return result + b == a and a - result == b
    if name == "mul":
        return result == a * b
    return result * b == a


def unary(name, x, power=None):
    """Negate, take the absolute value or a whole power."""
    check_alive(x)
    if x.kind.dtype == "bool":
        refuse(f"{name} of a bool")

    def compute(compiled, p):
        if power is None:
            values = [-v if name == "neg" or v < 0 else v for v in p.values]
            return ArrayImpl([cast(v, p.kind.dtype) for v in values], p.kind, p.unsure)
        result = p
        for _ in range(power - 1):
            result = elementwise("mul", result, p, p.kind, True)
        return result

    note = f"[y={power}]" if power else ""
    return emit(name, note, [x], x.kind, compute)


def convert(x, dtype, weak, keep_same=True):
    """An operand in the dtype of the operation; Python numbers become literals."""
    if is_scalar(x):
        value = cast(x, dtype) if dtype != "float32" or not weak else float(x)
        return Literal(value, Kind(dtype, (), weak))
    if keep_same and x.kind.dtype == dtype and x.kind.weak == weak:
        return x
    kind = Kind(dtype, x.kind.shape, weak)

    def compute(compiled, p):
        result = ArrayImpl([cast(v, dtype) for v in p.known()], kind)
        result.rounded = dtype == "float32" and result.values != list(p.values)
        return result

    if not tracing():
        return compute(False, x)
    note = f"[new_dtype={dtype} weak_type={weak}]"
    return emit("convert_element_type", note, [x], kind, compute)


class Literal:
    """A Python number as an operand."""

    def __init__(self, value, kind):
        self.value, self.kind = value, kind

    def __str__(self):
        return f"{self.value!r}:{self.kind.short()}"

    def as_array(self):
        """The number as an array."""
        return ArrayImpl([cast(self.value, self.kind.dtype)], self.kind)


def emit(name, note, operands, kind, compute):
    """Compute the operation now, or record it in the trace in progress."""
    trace = tracing()
    if trace:
        return trace.note(name, note, operands, [kind], lambda *p: [compute(True, *p)])[0]
    return compute(False, *[o.as_array() if isinstance(o, Literal) else o for o in operands])


# Making arrays


def asarray(value, dtype=None, **options):
    """`jnp.array`, `jnp.asarray` and `jnp.float32(...)`."""
    accept("jnp.array", options)
    if isinstance(value, Array):
        check_alive(value)
        name = dtype_name(dtype) if dtype is not None else None
        if name is None:
            refuse("jnp.array of an array")
        if value.kind.dtype == "float32" and name != "float32":
            refuse(f"rounding to {name}")
        if value.kind.dtype == name and not value.kind.weak:
            return value
        return convert(value, name, False)
    items = list(value) if isinstance(value, (list, tuple)) else [value]
    if not items or len(items) > LONGEST or not all(is_scalar(item) for item in items):
        refuse(f"arrays other than numbers and vectors of 1 to {LONGEST} numbers")
    highest = max([RANK[kind_of_scalar(item).dtype] for item in items])
    name = ("bool", "int32", "float32")[highest] if dtype is None else dtype_name(dtype)
    if RANK[name] < highest:
        refuse(f"rounding to {name}")
    shape = () if is_scalar(value) else (len(items),)
    kind = Kind(name, shape, dtype is None and not shape and name != "bool")
    items = [cast(item, name) for item in items]
    trace = tracing()
    if not trace:
        return ArrayImpl(items, kind)
    return (
        trace.constant(ArrayImpl(items, kind)) if shape else trace.literal(Literal(items[0], kind))
    )


def full(shape, value, dtype):
    """A vector of equal numbers."""
    if isinstance(shape, (tuple, list)) and len(shape) == 1:
        shape = shape[0]
    if not isinstance(shape, int) or isinstance(shape, bool) or not 1 <= shape <= LONGEST:
        refuse(f"arrays other than vectors of 1 to {LONGEST} numbers")
    kind = Kind(dtype_name(dtype or "float32"), (shape,))
    filler = Literal(cast(value, kind.dtype), Kind(kind.dtype))
    make = lambda compiled, p: ArrayImpl(list(p.values) * shape, kind)
    return emit("broadcast_in_dim", "", [filler], kind, make)


def makers(name, value):
    """`jnp.zeros` and `jnp.zeros_like`, or those of ones."""

    def make(shape, dtype=None, **options):
        accept(name, options)
        return full(shape, value, dtype)

    def make_like(x, **options):
        accept(f"{name}_like", options)
        if not isinstance(x, Array):
            refuse(f"{name}_like of other than an array")
        check_alive(x)
        if not x.kind.shape and tracing():
            kind = Kind(x.kind.dtype, (), x.kind.weak)
            one = lambda compiled: ArrayImpl([cast(value, kind.dtype)], kind)
            return emit(None, None, [], kind, one)
        if x.kind.shape:
            return full(x.kind.shape, value, x.kind.dtype)
        return asarray(value, x.kind.dtype)

    return make, make_like


def arange(*bounds, **options):
    """`jnp.arange`, with one or two bounds."""
    accept("jnp.arange", options)
    if tracing():
        refuse("jnp.arange inside a trace")
    if len(bounds) > 2 or not all(type(bound) is int for bound in bounds):
        refuse("jnp.arange with other than one or two whole numbers")
    return asarray(list(range(*bounds)), "int32")


def total(x, **options):
    """`jnp.sum` of a vector."""
    accept("jnp.sum", options)
    check_alive(x)
    if not isinstance(x, Array) or not x.kind.shape or x.kind.dtype == "bool":
        refuse("jnp.sum of other than a vector of numbers")
    kind = Kind(x.kind.dtype, (), x.kind.weak)

    def compute(compiled, p):
        if kind.dtype == "float32":
            fine = [value * 1024 for value in p.known()]
            if any(v != int(v) for v in fine) or sum([abs(v) for v in fine]) >= 2**24:
                refuse("the order in which a sum is rounded")
        if p.rounded:
            refuse("the last digits of a sum of rounded numbers")
        return ArrayImpl([cast(sum(p.values), kind.dtype)], kind)

    return emit("reduce_sum", "[axes=(0,) out_sharding=None]", [x], kind, compute)


# Traces: what jit records


class Trace:
    """The record of one trace: inputs, captured constants, operations, results."""

    def __init__(self, name):
        self.name, self.alive = name, True
        self.inputs, self.constants, self.steps, self.results = [], [], [], []

    def note(self, name, note, operands, kinds, compute):
        """Add an operation and return the tracers of its results."""
        operands = [self.own(operand) for operand in operands]
        made = [DynamicJaxprTracer(self, kind) for kind in kinds]
        self.steps.append((name, note, operands, made, compute))
        return made

    def own(self, operand):
        """An operand as this trace refers to it: its tracer, a literal or a captured constant."""
        if isinstance(operand, Literal):
            return operand
        if isinstance(operand, ArrayImpl):
            return self.constant(operand)
        if operand._trace is not self:
            refuse("a tracer of an outer trace inside an inner one")
        return operand.literal or operand

    def literal(self, literal):
        """The tracer of a number that was made inside the trace."""
        tracer = DynamicJaxprTracer(self, literal.kind)
        tracer.literal = literal
        return tracer

    def constant(self, value):
        """The tracer of an array from outside the trace."""
        for known, tracer in self.constants:
            if known is value:
                return tracer
        tracer = DynamicJaxprTracer(self, value.kind)
        self.constants.append((value, tracer))
        return tracer

    def evaluate(self, arrays):
        """Compute the results for the values of the inputs."""
        held = [(tracer, value) for value, tracer in self.constants] + list(
            zip(self.inputs, arrays)
        )
        found = {id(tracer): value for tracer, value in held}

        def value_of(operand):
            return operand.as_array() if isinstance(operand, Literal) else found[id(operand)]

        for _, _, operands, made, compute in self.steps:
            for tracer, value in zip(made, compute(*[value_of(o) for o in operands])):
                found[id(tracer)] = value
        results = []
        for operand in self.results:
            value = value_of(operand)
            results.append(ArrayImpl(value.values, operand.kind, value.unsure))
        return results


TRACES = []  # those in progress, the innermost last


def tracing():
    """The trace in progress, or None."""
    return TRACES[-1] if TRACES else None


def check_alive(value):
    """Raise the error of a leaked tracer."""
    if isinstance(value, DynamicJaxprTracer) and not value._trace.alive:
        raise UnexpectedTracerError(
            "Encountered an unexpected tracer. A function transformed by JAX had a side effect, "
            "allowing for a reference to an intermediate value with type "
            f"{value.kind.long()} wrapped in a DynamicJaxprTracer to escape the scope of the "
            "transformation.\nJAX transformations require that functions explicitly return their "
            "outputs, and disallow saving intermediate values to global state.\n"
            f"The function being traced when the value leaked was {value._trace.name}"
            " traced for jit."
        )


def name_of(function):
    """The name of a function, as errors of jax give it."""
    return getattr(function, "__name__", "<unnamed function>")


def trace_function(function, rebuild, kinds):
    """Run Python once on tracers; return the trace and the structure of its result."""
    trace = Trace(name_of(function))
    trace.inputs = [DynamicJaxprTracer(trace, kind) for kind in kinds]
    TRACES.append(trace)
    try:
        args, kwargs = rebuild(list(trace.inputs))
        leaves, structure = flatten(function(*args, **kwargs))
        for leaf in leaves:
            if is_scalar(leaf):
                kind = kind_of_scalar(leaf)
                cast(leaf, kind.dtype)
                trace.results.append(Literal(leaf, kind))
            elif isinstance(leaf, Array):
                check_alive(leaf)
                trace.results.append(trace.own(leaf))
            else:
                raise TypeError(
                    f"function {trace.name} traced for jit returned a value of type "
                    f"{class_text(type(leaf))}, which is not a valid JAX type"
                )
    finally:
        TRACES.pop()
        trace.alive = False
    return trace, structure


def class_text(kind):
    """A class as Python prints it."""
    return f"<class '{kind.__name__}'>"


CACHE = []  # (function, key, trace and structure)
NAMES = {}  # the names of the program: what stands there is kept


def is_method(function):
    """Whether this is a method bound to its object: a new one whenever it is looked up."""
    return type(function).__name__ in ("bound_method", "method")


def same_function(function, other):
    """Whether two functions share their traces. Refuses to guess how long a bound method lives."""
    if function is other:
        return True
    if not is_method(function) or function != other:
        return False
    for value in NAMES.values():
        if value is other or isinstance(value, Jitted) and value.function is other:
            return True
    return refuse(
        "jit of one method in two places, whose traces live as long as somebody keeps them"
    )


def forget(function, looked_up):
    """Drop the traces of a method that was bound for one call alone, as its end does in jax.

    Args:
        function: what was traced.
        looked_up: the same expression, evaluated once more; None where a name keeps the function.
    """
    if is_method(function) and looked_up is not None and looked_up is not function:
        CACHE[:] = [entry for entry in CACHE if entry[0] is not function]


def trace_for(function, key, rebuild, kinds):
    """The trace from the cache, or a new one."""
    key = key + ([kind.all() for kind in kinds],)
    for known, its_key, found in CACHE:
        if its_key == key and same_function(function, known):
            return found
    found = trace_function(function, rebuild, kinds)
    CACHE.append((function, key, found))
    return found


def clear_caches():
    """`jax.clear_caches`."""
    del CACHE[:]


class disable_jit:
    """`jax.disable_jit`, as a context."""

    active = 0

    def __init__(self, *options):
        if options:
            refuse("the option of jax.disable_jit")

    def __enter__(self):
        disable_jit.active += 1

    def __exit__(self, *error):
        disable_jit.active -= 1


def numbers(given):
    """Static positions or names, given alone or as a sequence."""
    if given is None:
        return ()
    return (given,) if isinstance(given, (int, str)) else tuple(given)


class Call:
    """A call of a traced function: its static arguments aside, the rest as leaves."""

    def __init__(self, function, args, kwargs, static_argnums, static_argnames):
        if any(not isinstance(n, int) or n < 0 for n in static_argnums):
            refuse("static_argnums counted from the end")
        static = [(n, args[n]) for n in static_argnums if n < len(args)]
        names = sorted(kwargs)
        static += [(name, kwargs[name]) for name in names if name in static_argnames]
        if static_argnums and kwargs or any(name not in kwargs for name in static_argnames):
            refuse("static arguments given by position here and by name there")
        for _, value in static:
            try:
                hash(value)
            except TypeError as error:
                raise ValueError(
                    "Non-hashable static arguments are not supported. An error occurred while "
                    f"trying to hash an object of type {class_text(type(value))}, {value}. "
                    f"The error was:\nTypeError: {error}\n"
                )
        open_names = [name for name in names if name not in static_argnames]
        open_args = [arg for n, arg in enumerate(args) if n not in static_argnums]
        leaves, structure = flatten((open_args, [kwargs[name] for name in open_names]))
        for leaf in leaves:
            check_alive(leaf)
            if not is_scalar(leaf) and not isinstance(leaf, Array):
                raise TypeError(
                    f"Error interpreting argument to {function} as an abstract array. The "
                    f"problematic value is of type {class_text(type(leaf))} and was passed to the "
                    "function.\nThis typically means that a jit-wrapped function was called with "
                    "a non-array argument, and this argument was not marked as static."
                )
        self.kinds = [kind_of(leaf) for leaf in leaves]
        self.leaves = [Literal(leaf, kind_of(leaf)) if is_scalar(leaf) else leaf for leaf in leaves]
        self.key = ([(where, type(value), value) for where, value in static], open_names, structure)

        def rebuild(tracers):
            rest, named = structure.build(tracers)
            rest = list(rest)
            whole = [
                dict(static)[n] if n in dict(static) else rest.pop(0) for n in range(len(args))
            ]
            by_name = {name: value for name, value in static if isinstance(name, str)}
            by_name.update(dict(zip(open_names, named)))
            return whole, by_name

        self.rebuild = rebuild


class Jitted:
    """A function under `jax.jit`."""

    def __init__(self, function, static_argnums, static_argnames, looked_up):
        self.function, self.looked_up = function, looked_up
        self.static = numbers(static_argnums), numbers(static_argnames)
        self.__name__ = name_of(function)

    def __call__(self, *args, **kwargs):
        if disable_jit.active:
            return self.function(*args, **kwargs)
        call = Call(self.function, args, kwargs, *self.static)
        trace, structure = trace_for(self.function, ("jit",) + call.key, call.rebuild, call.kinds)
        forget(self.function, self.looked_up)
        kinds = [result.kind for result in trace.results]
        return structure.build(run_trace("jit", trace.evaluate, call.leaves, kinds))

    def __repr__(self):
        return f"<PjitFunction of {self.function!r}>"

    def __get__(self, instance, owner):
        return refuse("jit on a method inside a class")

    def __getattr__(self, name):
        return unknown("a jitted function", name)


def run_trace(name, evaluate, leaves, kinds):
    """Evaluate a trace now, or record it in the outer one."""
    if tracing():
        return tracing().note(name, None, leaves, kinds, lambda *values: evaluate(values))
    return evaluate([leaf.as_array() if isinstance(leaf, Literal) else leaf for leaf in leaves])


def jit(function=None, static_argnums=None, static_argnames=None, looked_up=None, **options):
    """`jax.jit`; for `looked_up` see `forget`."""
    accept("jax.jit", options)
    if function is None:
        return lambda function: jit(function, static_argnums, static_argnames)
    if isinstance(function, type) or not callable(function):
        refuse("jax.jit of something that is no function")
    return Jitted(function, static_argnums, static_argnames, looked_up)


# jaxprs as text


class Jaxpr:
    """A trace as text, in the words of jax."""

    def __init__(self, trace):
        self.trace = trace
        self.invars, self.outvars = list(trace.inputs), list(trace.results)
        self.constvars = [tracer for _, tracer in trace.constants]
        self.eqns = list(trace.steps)

    jaxpr = property(lambda self: self)

    def __getattr__(self, name):
        return unknown("a jaxpr", name)

    def __repr__(self):
        trace = self.trace
        used = [o for step in trace.steps for o in step[2]] + trace.results
        used = [id(operand) for operand in used]
        names = {}

        def name(tracer, is_result=False):
            if isinstance(tracer, Literal):
                return str(tracer)
            if id(tracer) not in names:
                if is_result and id(tracer) not in used:
                    return "_"
                if len(names) == 26:
                    refuse("jaxprs with more than 26 names")
                names[id(tracer)] = "abcdefghijklmnopqrstuvwxyz"[len(names)]
            return names[id(tracer)]

        def typed(tracers, is_result=False):
            return " ".join([f"{name(t, is_result)}:{t.kind.short()}" for t in tracers])

        head = [typed(self.constvars), typed(self.invars)]
        head = f"{{ lambda {head[0]}; {head[1]}. let" if head[0] else f"{{ lambda ; {head[1]}. let"
        lines = []
        for primitive, note, operands, made, _ in trace.steps:
            if note is None:
                refuse("the jaxpr of a function that calls a compiled one")
            inputs = " ".join([name(operand) for operand in operands])
            lines.append(f"{typed(made, True)} = {primitive}{note} {inputs}")
        results = [name(result) for result in trace.results]
        tail = "in (" + ", ".join(results) + ("," if len(results) == 1 else "") + ") }"
        text = f"{head} {'; '.join(lines)} {tail}"
        if len(text) <= WIDTH:
            return text
        if not lines or any(len(line) + 4 > WIDTH for line in [head, tail] + lines):
            refuse("jaxprs wider than a page")
        return head + "".join(["\n    " + line for line in lines]) + "\n  " + tail

    __str__ = __repr__


def make_jaxpr(function, static_argnums=None, looked_up=None, **options):
    """`jax.make_jaxpr`. Its traces are those of `jit`; for `looked_up` see `forget`."""
    accept("jax.make_jaxpr", options)
    if disable_jit.active:
        refuse("make_jaxpr while jit is disabled")

    def maker(*args, **kwargs):
        call = Call(function, args, kwargs, numbers(static_argnums), ())
        trace, _ = trace_for(function, ("jit",) + call.key, call.rebuild, call.kinds)
        forget(function, looked_up)
        return Jaxpr(trace)

    return maker


# Pytrees


class PyTreeDef:
    """The structure of a tree without its leaves."""

    def __init__(self, node, meta=None, children=()):
        self.node, self.meta, self.children = node, meta, list(children)

    def __eq__(self, other):
        if not isinstance(other, PyTreeDef):
            return False
        mine, its = (self.node, self.meta), (other.node, other.meta)
        return mine == its and self.children == other.children

    def __hash__(self):
        return hash(str(self))

    @property
    def num_leaves(self):
        """How many leaves the tree has."""
        return 1 if self.node == "*" else sum([child.num_leaves for child in self.children])

    def build(self, leaves):
        """Set leaves into the structure; takes them off the list."""
        leaves = list(leaves)
        return self.take(leaves)

    def take(self, leaves):
        """Build from the front of a list of leaves."""
        if self.node == "*":
            return leaves.pop(0)
        built = [child.take(leaves) for child in self.children]
        if self.node == "dict":
            return make_dict(*list(zip(self.meta, built)))
        if self.node == "namedtuple":
            return self.meta(*built)
        return {"None": lambda: None, "tuple": lambda: tuple(built), "list": lambda: built}[
            self.node
        ]()

    def text(self):
        """The structure as jax writes it inside PyTreeDef(...)."""
        inside = [child.text() for child in self.children]
        if self.node in ("*", "None"):
            return self.node
        if self.node == "tuple":
            return "(" + ", ".join(inside) + ("," if len(inside) == 1 else "") + ")"
        if self.node == "list":
            return "[" + ", ".join(inside) + "]"
        if self.node == "dict":
            return "{" + ", ".join([f"{k!r}: {t}" for k, t in zip(self.meta, inside)]) + "}"
        return f"CustomNode(namedtuple[{self.meta.__name__}], [{', '.join(inside)}])"

    def __repr__(self):
        return f"PyTreeDef({self.text()})"

    __str__ = __repr__

    def __getattr__(self, name):
        return unknown("a PyTreeDef", name)


def make_dict(*items):
    """A dict with these items. Under MicroPython, whose dict keeps no order, another stands here."""
    return dict(items)


LEAF = PyTreeDef("*")


def unfold(tree, is_leaf=None):
    """A node as (structure without children, children, keys), or None for a leaf."""
    if is_leaf is not None and is_leaf(tree):
        return None
    if tree is None:
        return "None", None, [], []
    if isinstance(tree, dict):
        try:
            keys = sorted(tree)
        except TypeError:
            raise ValueError("Comparator raised exception while sorting pytree dictionary keys.")
        return "dict", keys, [tree[key] for key in keys], [f"[{key!r}]" for key in keys]
    if isinstance(tree, tuple) and hasattr(tree, "_fields"):
        return "namedtuple", type(tree), list(tree), ["." + name for name in tree._fields]
    for kind, name in ((tuple, "tuple"), (list, "list")):
        if type(tree) is kind:
            return name, None, list(tree), [f"[{place}]" for place in range(len(tree))]
    if isinstance(tree, (tuple, list)):
        refuse("trees with classes derived from tuple or list")
    return None


def walk(tree, path, found, is_leaf=None):
    """Gather (path, leaf) of a tree and return its structure."""
    node = unfold(tree, is_leaf)
    if node is None:
        found.append((path, tree))
        return LEAF
    name, meta, children, keys = node
    below = [walk(child, path + key, found, is_leaf) for child, key in zip(children, keys)]
    return PyTreeDef(name, meta, below)


def flatten(tree, is_leaf=None):
    """`jax.tree.flatten`."""
    found = []
    structure = walk(tree, "", found, is_leaf)
    return [leaf for _, leaf in found], structure


def leaves_with_path(tree, is_leaf=None):
    """`jax.tree.leaves_with_path`; a path is good for `keystr`."""
    found = []
    walk(tree, "", found, is_leaf)
    return [(Path(path), leaf) for path, leaf in found]


class Path:
    """A key path, which the model knows as text alone."""

    def __init__(self, text):
        self.text = text

    def __repr__(self):
        return refuse("the entries of a key path; it knows jax.tree_util.keystr(path)")

    __str__ = __len__ = __iter__ = __repr__

    def __getitem__(self, place):
        return repr(self)


def keystr(path, **options):
    """`jax.tree_util.keystr`."""
    accept("keystr", options)
    return path.text if isinstance(path, Path) else refuse("keystr of other than a key path")


def unflatten(structure, leaves):
    """`jax.tree.unflatten`."""
    leaves = list(leaves)
    if len(leaves) < structure.num_leaves:
        raise ValueError(
            f"Too few leaves for PyTreeDef; expected {structure.num_leaves}, got {len(leaves)}"
        )
    if len(leaves) > structure.num_leaves:
        raise ValueError(f"Too many leaves for PyTreeDef; expected {structure.num_leaves}.")
    return structure.build(leaves)


def tree_map(function, tree, *rest, is_leaf=None):
    """`jax.tree.map`."""
    leaves, structure = flatten(tree, is_leaf)
    columns = [leaves] + [align(structure, other) for other in rest]
    return structure.build([function(*row) for row in zip(*columns)])


def align(structure, tree):
    """The parts of `tree` in the places of the leaves of `structure`."""
    if structure.node == "*":
        return [tree]
    node = unfold(tree)
    if node is None or node[0] != structure.node:
        raise ValueError("pytree structure error: different types at key path\n    tree_map tree")
    name, meta, children, _ = node
    if meta != structure.meta:
        what = "pytree metadata" if name == "dict" else "types"
        raise ValueError(f"pytree structure error: different {what} at key path\n    tree_map tree")
    if len(children) != len(structure.children):
        raise ValueError(
            f"pytree structure error: different lengths of {name} at key path\n    tree_map tree"
        )
    parts = [align(below, child) for below, child in zip(structure.children, children)]
    return [part for some in parts for part in some]


# lax


def scan(step, init, xs=None, length=None, **options):
    """`jax.lax.scan` over vectors, with a state that has no weak types."""
    accept("jax.lax.scan", options)
    if disable_jit.active:
        refuse("scan while jit is disabled")
    carry, carry_tree = flatten(init)
    columns, columns_tree = flatten(xs)
    for leaf in carry + columns:
        check_alive(leaf)
        if not isinstance(leaf, Array) or leaf.kind.weak:
            refuse("scan over Python numbers and weak types; start from jnp.int32(0) or the like")
    sizes = [length] if length is not None else []
    for column in columns:
        if not column.kind.shape:
            refuse("scan over xs that are no vectors")
        sizes.append(len(column))
    if not sizes or any(size != sizes[0] for size in sizes) or not 1 <= sizes[0] <= LONGEST:
        refuse(f"scans of other than 1 to {LONGEST} steps, all xs of that length")
    kinds = [leaf.kind for leaf in carry] + [Kind(leaf.kind.dtype) for leaf in columns]
    split = lambda t: ((carry_tree.build(t[: len(carry)]), columns_tree.build(t[len(carry) :])), {})
    trace, made = trace_for(step, ("scan", carry_tree, columns_tree), split, kinds)
    if made.node != "tuple" or len(made.children) != 2:
        raise TypeError("scan body output must be a pair")
    new_tree, output_tree = made.children
    new = [result.kind for result in trace.results[: new_tree.num_leaves]]
    outputs = [result.kind for result in trace.results[new_tree.num_leaves :]]
    if new_tree != carry_tree or [(k.dtype, k.shape) for k in new] != [
        (leaf.kind.dtype, leaf.kind.shape) for leaf in carry
    ]:
        raise TypeError(
            "scan body function carry input and carry output must have "
            + ("equal types" if new_tree == carry_tree else "the same pytree structure")
            + ", but they differ:"
        )
    if any(kind.shape for kind in outputs):
        refuse("scan whose outputs are vectors")
    if any(kind.weak for kind in new + outputs):
        refuse("scan whose results are weak types")

    def evaluate(values):
        state, rows = list(values[: len(carry)]), []
        for place in range(sizes[0]):
            row = [ArrayImpl([c.known()[place]], Kind(c.kind.dtype)) for c in values[len(carry) :]]
            results = trace.evaluate(state + row)
            state, outs = results[: len(carry)], results[len(carry) :]
            rows.append(outs)
        stacked = []
        for n, kind in enumerate(outputs):
            column = [row[n] for row in rows]
            unsure = any(value.unsure for value in column)
            shape = (sizes[0],)
            column = [value.values[0] for value in column]
            stacked.append(ArrayImpl(column, Kind(kind.dtype, shape), unsure))
        return state + stacked

    stacked = [Kind(kind.dtype, (sizes[0],)) for kind in outputs]
    results = run_trace("scan", evaluate, carry + columns, [leaf.kind for leaf in carry] + stacked)
    return carry_tree.build(results[: len(carry)]), output_tree.build(results[len(carry) :])


# The modules


class Module:
    """A module of the model: what it lacks is refused by name."""

    def __init__(self, name, **members):
        self.__name__ = name
        for key, value in members.items():
            setattr(self, key, value)

    def __getattr__(self, name):
        return unknown(self.__name__.replace("jax.numpy", "jnp"), name, list(self.__dict__))


class Config:
    """`jax.config`, for the one option that the book sets."""

    def update(self, name, value):
        """Accept that jaxprs are printed without colour: here they always are."""
        if (name, value) != ("jax_pprint_use_color", False):
            refuse(f"jax.config.update({name!r}, {value!r})")


def install(modules=None):
    """Put the model in the place of jax and return the modules by name."""
    numpy = Module("jax.numpy", arange=arange)
    numpy.zeros, numpy.zeros_like = makers("jnp.zeros", 0)
    numpy.ones, numpy.ones_like = makers("jnp.ones", 1)
    numpy.array = numpy.asarray = asarray
    numpy.sum = total
    numpy.float32, numpy.int32 = ScalarType("float32"), ScalarType("int32")
    numpy.bool = numpy.bool_ = ScalarType("bool")
    numpy.ndarray = Array
    tree = Module("jax.tree", map=tree_map, flatten=flatten, unflatten=unflatten)
    tree.leaves = lambda tree, is_leaf=None: flatten(tree, is_leaf)[0]
    tree.structure = lambda tree, is_leaf=None: flatten(tree, is_leaf)[1]
    tree.leaves_with_path = leaves_with_path
    tree_util = Module("jax.tree_util", keystr=keystr, tree_map=tree_map, tree_flatten=flatten)
    tree_util.tree_leaves, tree_util.tree_structure = tree.leaves, tree.structure
    tree_util.tree_unflatten = unflatten
    errors = Module("jax.errors", JAXTypeError=JAXTypeError)
    for error in (
        ConcretizationTypeError,
        TracerBoolConversionError,
        TracerIntegerConversionError,
        UnexpectedTracerError,
    ):
        setattr(errors, error.__name__, error)
    core = Module("jax.core", Tracer=DynamicJaxprTracer)
    jax = Module("jax", numpy=numpy, tree=tree, tree_util=tree_util, errors=errors, core=core)
    jax.lax = Module("jax.lax", scan=scan)
    jax.jit, jax.make_jaxpr, jax.Array = jit, make_jaxpr, Array
    jax.clear_caches, jax.disable_jit, jax.config = clear_caches, disable_jit, Config()
    made = {"jax": jax, "jax.lax": jax.lax}
    for module in (numpy, tree, tree_util, errors, core):
        made[module.__name__] = module
    (sys.modules if modules is None else modules).update(made)
    return made
