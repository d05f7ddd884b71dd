"""Run a reader's program under MicroPython so that it behaves as Python does, or says it cannot.

MicroPython differs from Python where a lesson would notice: its dict keeps no order, an f-string
formats no object of ours, a NamedTuple has no fields, float(x) is no hook, 0 < x does not ask x.
Annotations are not evaluated, as in Python 3.14.
The program is translated before it runs: these places become calls of what stands below, line by
line. What cannot be translated raises `OutOfReach`.
"""

import collections
import io
import json
import sys

import tiny_jax
from tiny_jax import Array, JAXTypeError, Module, OutOfReach, refuse

SPACE = " \t\n\\"
COMPARE = ("<", ">", "<=", ">=")
BEFORE_A_VALUE = ["if", "while", "elif", "return", "assert", "and", "or", "not", "in", "is"]
BEFORE_A_VALUE += ["(", "[", ",", "=", ":", "==", "{", "lambda"]
REFUSED_CALLS = ("set", "frozenset", "vars", "globals", "locals", "format", "open", "input")
REFUSED_CALLS += ("help", "dir", "eval", "exec", "compile")
REFUSED_MODULES = ("time", "random", "os", "sys", "gc", "js", "asyncio", "micropython", "struct")
REFUSED_MODULES += ("json", "copy")  # they do not know Dict


class Dict(collections.OrderedDict):
    """A dict that keeps its order and prints as Python's."""

    def __init__(self, *items):
        super().__init__()
        for key, value in items:
            self[key] = value

    def __repr__(self):
        return "{" + ", ".join([f"{key!r}: {self[key]!r}" for key in self]) + "}"

    __str__ = __repr__

    def __or__(self, other):
        return Dict(*self.items(), *other.items())

    def update(self, given=(), **named):
        """Take over the items of another dict."""
        for key, value in dict_of(given, **named).items():
            self[key] = value

    def copy(self):
        """Another dict with the same items."""
        return Dict(*self.items())

    def __eq__(self, other):
        if not isinstance(other, dict) or len(self) != len(other):
            return False
        return all(key in other and self[key] == other[key] for key in self)


def dict_of(given=(), **named):
    """What dict(...) makes."""
    if len(named) > 1 or named and given:
        refuse("dict(a=1, b=2); write {...}")
    items = given.items() if isinstance(given, dict) else given
    return Dict(*items, *named.items())


def float_of(value=0.0):
    """What float(...) makes."""
    return value.as_float() if isinstance(value, Array) else float(value)


def int_of(value=0, *base):
    """What int(...) makes."""
    return value.as_int() if isinstance(value, Array) else int(value, *base)


def count_of(value):
    """How often [...] * value repeats a list."""
    return refuse("a list times an array") if isinstance(value, Array) else value


def range_of(*bounds):
    """What range(...) makes."""
    return range(*[bound.__index__() if isinstance(bound, Array) else bound for bound in bounds])


class TypeOf:
    """The type of an array or an error of jax: known by its name."""

    def __init__(self, kind):
        self.kind, self.__name__ = kind, kind.__name__

    def __eq__(self, other):
        return isinstance(other, TypeOf) and self.kind is other.kind

    def __repr__(self):
        places = {
            "ArrayImpl": "jaxlib._jax",
            "DynamicJaxprTracer": "jax._src.interpreters.partial_eval",
        }
        return f"<class '{places.get(self.__name__, 'jax.errors')}.{self.__name__}'>"

    __str__ = __repr__


def type_of(value):
    """What type(...) returns."""
    return TypeOf(type(value)) if isinstance(value, (Array, JAXTypeError)) else type(value)


def formatted(value, spec=""):
    """What stands in an f-string for {value:spec}."""
    if isinstance(value, Array):
        return value.__format__(spec)
    return ("{:" + spec + "}").format(value) if spec else str(value)


class Left:
    """A number at the left of a comparison: asks an array at the right."""

    def __init__(self, value):
        self.value = value

    def __lt__(self, other):
        return other > self.value if isinstance(other, Array) else self.value < other

    def __gt__(self, other):
        return other < self.value if isinstance(other, Array) else self.value > other

    def __le__(self, other):
        return other >= self.value if isinstance(other, Array) else self.value <= other

    def __ge__(self, other):
        return other <= self.value if isinstance(other, Array) else self.value >= other


def named_tuple(name, fields):
    """The class below a NamedTuple, with its fields."""
    fields = tuple(fields.replace(",", " ").split() if isinstance(fields, str) else fields)

    class Base(collections.namedtuple(name, fields)):
        _fields = fields

        def _replace(self, **new):
            values = [new.get(field, getattr(self, field)) for field in fields]
            return type(self)(*values)

    Base.__name__ = name
    return Base


def tokens_of(text):
    """Split a program into (kind, text): space, comment, name, number, string, op."""
    found, at = [], 0
    while at < len(text):
        start, sign = at, text[at]
        if sign in SPACE:
            kind = "space"
            while at < len(text) and text[at] in SPACE:
                at += 1
        elif sign == "#":
            kind = "comment"
            while at < len(text) and text[at] != "\n":
                at += 1
        elif sign.isalpha() or sign == "_" or ord(sign) > 127:
            kind = "name"
            while at < len(text) and (is_word(text[at])):
                at += 1
            if at < len(text) and text[at] in "\"'" and text[start:at].lower() in PREFIXES:
                kind, at = "string", string_end(text, at)
        elif sign.isdigit() or sign == "." and text[at + 1 : at + 2].isdigit():
            kind = "number"
            while at < len(text) and (
                is_word(text[at]) or text[at] == "." or text[at] in "+-" and text[at - 1] in "eE"
            ):
                at += 1
        elif sign in "\"'":
            kind, at = "string", string_end(text, at)
        else:
            kind = "op"
            at += 1
            while at < len(text) and text[start : at + 1] in OPERATORS:
                at += 1
        found.append((kind, text[start:at]))
    return found


CALLS = {"float": "_float", "int": "_int", "range": "_range", "type": "_type"}
CALLS["dict"] = "_dict_of"
CLOSERS = {"(": ")", "[": "]", "{": "}"}
PREFIXES = ("f", "r", "b", "rb", "br", "fr", "rf", "u")
OPERATORS = ["**", "//", "==", "!=", "<=", ">=", "->", ":=", "+=", "-=", "*=", "/=", "**=", "//="]
OPERATORS += ["|=", "<<", ">>"]


def is_word(sign):
    """Whether a sign may stand in a name."""
    return sign.isalpha() or sign.isdigit() or sign == "_" or ord(sign) > 127


def string_end(text, at):
    """Where a string that opens at `at` ends."""
    quote = text[at : at + 3] if text[at : at + 3] in ('"""', "'''") else text[at]
    at += len(quote)
    while at < len(text):
        if text[at] == "\\":
            at += 2
        elif text[at : at + len(quote)] == quote:
            return at + len(quote)
        elif text[at] == "\n" and len(quote) == 1:
            return at
        else:
            at += 1
    return at


class NeverClosedError(SyntaxError):
    """A bracket that stays open; MicroPython lets it pass at the end of a program."""

    line = None


class Translation:
    """The translation of one program or expression."""

    def __init__(self, text):
        self.tokens, self.at, self.before = tokens_of(text), 0, ":"
        self.lambdas = 0
        self.after_list = False  # whether what was read last is [...] or [...] *

    def next_token(self, ahead=0):
        """The next token that is no space and no comment, without taking it."""
        for kind, text in self.tokens[self.at :]:
            if kind not in ("space", "comment"):
                if not ahead:
                    return kind, text
                ahead -= 1
        return "", ""

    def until(self, closer=None, parameters=False):
        """Translate up to a closing bracket; returns the pieces with their kinds."""
        pieces, start = [], self.at
        while self.at < len(self.tokens):
            kind, text = self.tokens[self.at]
            self.at += 1
            if kind == "op" and text == closer:
                self.before = text
                return pieces
            if kind in ("space", "comment"):
                pieces.append((kind, text))
                continue
            display = text == "[" and self.before in BEFORE_A_VALUE
            pieces.append((kind, self.one(kind, text, parameters)))
            self.after_list = display or text == "*" and self.after_list
            self.before = CLOSERS.get(text, text)
        if closer:
            error = NeverClosedError(f"'{self.tokens[start - 1][1]}' was never closed")
            error.line = 1 + joined(self.tokens[:start]).count("\n")
            raise error
        return pieces

    def one(self, kind, text, parameters):
        """Translate one token, with the bracket that it opens."""
        if kind == "string":
            return self.strings(text)
        if kind == "number":
            if self.next_token()[1] in COMPARE and self.before in BEFORE_A_VALUE:
                return f"_left({text})"
            return text
        if kind == "name":
            return self.name(text)
        if text == "{":
            self.before = text
            return braces(self.until("}"))
        if text in "([":
            of_def, self.of_def = getattr(self, "of_def", False), False
            self.before = text
            inside = self.until(")" if text == "(" else "]", of_def)
            return text + joined(inside) + (")" if text == "(" else "]")
        if text == "|=":
            refuse("|=; write d = d | {...}")
        if text == ":" and self.lambdas:
            self.lambdas -= 1
        if text == "**" and (parameters or self.lambdas) and self.before in ("(", ",", "lambda"):
            refuse("parameters written **like_this")
        return text

    def name(self, text):
        """Translate a name: some calls go to what stands in this file."""
        if text == "def":
            self.of_def = True
        if text == "lambda":
            self.lambdas += 1
        if text == "format" and self.before == ".":
            refuse("'...'.format(...); write an f-string")
        if self.next_token()[1] == "(" and self.before not in (".", "def", "class"):
            if text in REFUSED_CALLS:
                refuse(f"{text}(...)")
            return CALLS.get(text, text)
        if self.after_list and self.before == "*":
            return f"_count({text})"
        return text

    def strings(self, text):
        """Translate adjacent strings where one of them is an f-string."""
        run, gaps, start = [text], "", self.at
        while self.next_token()[0] == "string":
            while self.tokens[self.at][0] != "string":
                gaps += self.tokens[self.at][1]
                self.at += 1
            run.append(self.tokens[self.at][1])
            self.at += 1
        if not any("f" in prefix_of(one).lower() for one in run):
            self.at = start
            if self.next_token()[1] == "%":
                refuse("'...' % x; write an f-string")
            return text
        if "#" in gaps:
            refuse("comments between the parts of a string")
        parts = [part for one in run for part in f_string(one)]
        return '"".join([' + ", ".join(parts) + "\n" * gaps.count("\n") + "])"


def prefix_of(string):
    """The letters before the quotes of a string."""
    return string[: min([string.find(q) for q in "\"'" if q in string])]


def joined(pieces):
    """The text of translated pieces."""
    return "".join([text for _, text in pieces])


def f_string(string):
    """The parts of an f-string as expressions."""
    prefix = prefix_of(string)
    rest = string[len(prefix) :]
    if "f" not in prefix.lower():
        return [string]
    quote = rest[:3] if rest[:3] in ('"""', "'''") else rest[0]
    body, plain = rest[len(quote) : -len(quote)], prefix.replace("f", "").replace("F", "")
    parts, text, at = [], "", 0
    while at < len(body):
        if body[at : at + 2] in ("{{", "}}"):
            text += body[at]
            at += 2
        elif body[at] == "{":
            parts.append(plain + quote + text + quote)
            end = expression_end(body, at + 1)
            parts.append(replacement(body[at + 1 : end]))
            text, at = "", end + 1
        else:
            text += body[at]
            at += 1
    return parts + [plain + quote + text + quote]


def expression_end(body, at):
    """Where the braces that opened before `at` close."""
    depth = 0
    while at < len(body) and (depth or body[at] != "}"):
        if body[at] in "\"'":
            at = string_end(body, at)
            continue
        depth += (body[at] in "([{") - (body[at] in ")]}")
        at += 1
    return at


def replacement(inside):
    """Translate what stands in the braces of an f-string."""
    depth, cut = 0, len(inside)
    for at, sign in enumerate(inside):
        depth += (sign in "([{") - (sign in ")]}")
        if not depth and (sign == ":" or sign == "!" and inside[at + 1 : at + 2] != "="):
            cut = at
            break
    expression, rest = inside[:cut], inside[cut:]
    if expression.rstrip().endswith("=") or "{" in rest:
        refuse("f-strings with = or with braces in braces")
    conversion = ""
    if rest.startswith("!"):
        conversion, rest = {"r": "repr", "s": "str"}.get(rest[1], ""), rest[2:]
    value = f"{conversion}({translated(expression)})"
    return f"_formatted({value}, {rest[1:]!r})"


def braces(pieces):
    """Translate what stands between braces: a dict. Sets are refused: they have no order."""
    items, item = [], []
    for piece in pieces:
        if piece == ("op", ",") and ("name", "for") not in item:
            items.append(item)
            item = []
        else:
            item.append(piece)
    items.append(item)
    written = []
    for item in items:
        lead = 0
        while lead < len(item) and item[lead][0] in ("space", "comment"):
            lead += 1
        start, item = joined(item[:lead]), item[lead:]
        if not item:
            written.append(start)
        elif item[0] == ("op", "**"):
            written.append(f"{start}*({joined(item[1:])}).items()")
        elif ("op", ":") not in item:
            refuse("sets")
        else:
            cut = item.index(("op", ":"))
            key, value = joined(item[:cut]), item[cut + 1 :]
            loop = value.index(("name", "for")) if ("name", "for") in value else len(value)
            pair = f"({key}, {joined(value[:loop])})"
            written.append(start + (f"*[{pair} {joined(value[loop:])}]" if value[loop:] else pair))
    return "_dict(" + ",".join(written) + ")"


def translated(text):
    """The program for MicroPython, with its lines where they were."""
    translation = Translation(text)
    try:
        return joined(translation.until())
    except OutOfReach as error:
        error.line = 1 + joined(translation.tokens[: translation.at - 1]).count("\n")
        raise


def with_methods(text):
    """Let jax.jit(some.method)(...) know that the method is bound for this one call."""
    tokens = tokens_of(text)
    solid = [at for at, (kind, _) in enumerate(tokens) if kind not in ("space", "comment")]
    words = [tokens[at][1] for at in solid]
    for at in range(len(words) - 8):
        if words[at : at + 4] not in (["jax", ".", "jit", "("], ["jax", ".", "make_jaxpr", "("]):
            continue
        end = at + 4
        while words[end + 1 : end + 2] == ["."]:
            end += 2
        method = "".join(words[at + 4 : end + 1])
        if "." in method and words[end + 1 : end + 3] == [")", "("]:
            tokens[solid[end]] = ("name", f"{words[end]}, looked_up={method}")
    return joined(tokens)


def with_fields(text):
    """Tell each NamedTuple its fields, which MicroPython does not note."""
    lines = text.split("\n")
    for number, line in enumerate(lines):
        bare = line.strip().replace("typing.", "")
        if not (bare.startswith("class ") and bare.endswith("(NamedTuple):")):
            continue
        fields, in_text, indent = [], False, len(line) - len(line.lstrip())
        for below in lines[number + 1 :]:
            inside = below.strip()
            if inside and len(below) - len(below.lstrip()) <= indent and not in_text:
                break
            if not in_text and inside.startswith(("def ", "@")):
                break
            name = inside.split(":")[0].strip()
            if not in_text and ":" in inside and name and all(is_word(s) for s in name):
                if "=" in inside:
                    error = OutOfReach("a NamedTuple with defaults")
                    error.line = 2 + number + lines[number + 1 :].index(below)
                    raise error
                fields.append(name)
            if inside.count('"""') % 2:
                in_text = not in_text
        name = bare[6 : bare.find("(")]
        head = line[: len(line) - len(line.lstrip())]
        lines[number] = f"{head}class {name}(_named({name!r}, {fields!r})):"
    return "\n".join(lines)


def install():
    """Put the modules that a program may import in place, and return its namespace."""
    tiny_jax.make_dict = Dict
    tiny_jax.install()
    sys.modules["typing"] = Module(
        "typing", NamedTuple=None, Any=None, Callable=None, Iterable=None, TypeVar=None
    )
    sys.modules["collections"] = Module("collections", namedtuple=named_tuple)
    for name in REFUSED_MODULES:
        sys.modules[name] = Module(name)
    tiny_jax.NAMES.update(
        {
            "__name__": "__main__",
            "_dict": Dict,
            "_count": count_of,
            "_dict_of": dict_of,
            "_float": float_of,
            "_int": int_of,
            "_formatted": formatted,
            "_left": Left,
            "_named": named_tuple,
            "_range": range_of,
            "_type": type_of,
        }
    )
    return tiny_jax.NAMES


def run(program):
    """Run a program and return, as JSON, how it ended: null or kind, type, message and line."""
    try:
        names = install()
        text = translated(with_fields(with_methods(program)))
        exec(compile(text, "cell", "exec"), names)  # noqa: S102
    except BaseException as error:  # noqa: BLE001  whatever it is, the page says it
        return json.dumps(report(error))
    return "null"


def report(error):
    """What the page says about an error."""
    trace = io.StringIO()
    sys.print_exception(error, trace)
    places = trace.getvalue().split('File "cell", line ')
    line = int(places[-1].split(",")[0].split("\n")[0]) if len(places) > 1 else None
    name, message, near = type(error).__name__, str(error), None
    if isinstance(error, OutOfReach):
        kind, near, line = "reach", error.near, error.line or line
    elif isinstance(error, AssertionError):
        kind = "assert"
    elif isinstance(error, ImportError):
        kind, message = "reach", message.replace("no module named ", "import ").replace("'", "")
    elif isinstance(error, NotImplementedError):
        kind = "reach"
    elif isinstance(error, SyntaxError):
        kind, name, line = "syntax", "SyntaxError", getattr(error, "line", line)
    elif any(kind in message for kind in ("'DynamicJaxprTracer'", "'ArrayImpl'")):
        kind = "reach" if "unsupported types" in message else "error"
    elif message.startswith(("can't convert ArrayImpl", "can't convert DynamicJaxprTracer")):
        kind = "reach"
    else:
        kind = "error"
    return {"kind": kind, "type": name, "message": message, "line": line, "near": near}
