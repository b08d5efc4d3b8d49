"""Read from a test function's source what it uses: names, strings, dtypes, subclasses.

This includes what it uses from its own file: helpers, constants, fixtures, the setup and the
attributes of its class, and its decorators.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import cache

from ._files import Function, TestFile, TestFunction, lineage, statements

SETUP = ("setup_method", "setup_class", "setup", "teardown_method", "teardown_class")
# Calls whose first, or whose second, argument is a dtype.
DTYPE_FIRST = {"dtype", "astype", "view", "sctype2char", "iinfo", "finfo", "obj2sctype"}
DTYPE_SECOND = {
    "array",
    "asarray",
    "asanyarray",
    "zeros",
    "ones",
    "empty",
    "can_cast",
    "issubdtype",
}
DTYPE_SECOND |= {"ascontiguousarray", "asfortranarray", "fromstring", "frombuffer", "fromiter"}
DTYPE_THIRD = {"full", "fromfile"}
DTYPE_ANY = {"can_cast", "promote_types", "result_type", "issubdtype", "common_type"}
DTYPE_KEYWORDS = {"dtype", "dtypes", "otypes", "op_dtypes", "type"}
SIGNATURE_KEYWORDS = {"signature", "sig"}
READERS = {"genfromtxt", "loadtxt", "recfromtxt", "recfromcsv"}
ARRAY_MAKERS = {"array", "asarray", "asanyarray", "full"}
# With one of these methods, NumPy can treat an instance as more than an object.
CONVERSIONS = {"__array__", "__array_interface__", "__array_struct__", "__len__", "__getattr__"}
# A string of type characters that a test iterates over.
CODES = re.compile(r"^[?bhilqpnBHILQPNefdgFDGOSUVMm]{5,}$")


# Type names of fields, and NumPy's names of such types.
FORMAT = re.compile(
    r"^(\(\d.*\))?[<>=|]?([?biufcmMOSUV]\d+|[?bhilqpBHILQPefdgFDGOSUVMm])(\[.*\])?$"
)
SCALARS = re.compile(r"(u?int|float|complex)(\d+|c|p|_)?|bool_?|object_|str_|bytes_|double|single")


@dataclass
class Facts:
    """The sets that the table of `_scope` searches.

    `names` are identifiers, `np.x` those that are attributes of NumPy's module and `.x` attributes
    of anything. `dtypes` are strings used as dtypes, `strings` all others. `made_of` lists the
    arguments of calls that make arrays: kinds of literals, and `x()` for calls. `bases` are the
    bases of classes, `opaque` the classes that NumPy can only treat as objects.
    """

    names: set[str] = field(default_factory=set)
    strings: set[str] = field(default_factory=set)
    dtypes: set[str] = field(default_factory=set)
    made_of: set[str] = field(default_factory=set)
    bases: set[str] = field(default_factory=set)
    opaque: set[str] = field(default_factory=set)
    structured: bool = False

    def add(self, other: Facts) -> None:
        """Add the facts of a used object."""
        self.names |= other.names
        self.strings |= other.strings
        self.dtypes |= other.dtypes
        self.made_of |= other.made_of
        self.bases |= other.bases
        self.opaque |= other.opaque
        self.structured |= other.structured


class _Reader(ast.NodeVisitor):
    """Reads the facts and the references of one piece of source."""

    def __init__(self) -> None:
        self.facts = Facts()
        self.reached: set[str] = set()
        self.own: set[str] = set()
        self.any_own = False

    def visit_Name(self, node: ast.Name) -> None:
        if isinstance(node.ctx, ast.Load):
            self.facts.names.add(node.id)
            self.reached.add(node.id)

    def visit_Attribute(self, node: ast.Attribute) -> None:
        self.facts.names.add(f".{node.attr}")
        if isinstance(node.value, ast.Attribute):
            self.facts.names.add(f".{node.value.attr}.{node.attr}")
        if isinstance(node.value, ast.Name):
            if node.value.id in ("np", "numpy"):
                self.facts.names.add(f"np.{node.attr}")
            elif node.value.id in ("self", "cls"):
                self.own.add(node.attr)
        self.generic_visit(node)

    def visit_Constant(self, node: ast.Constant) -> None:
        if isinstance(node.value, str):
            self.facts.strings.add(node.value)
            if CODES.match(node.value) and not node.value.islower():
                self.facts.dtypes |= set(node.value)

    def visit_Expr(self, node: ast.Expr) -> None:
        if not isinstance(node.value, ast.Constant):  # a docstring is not used
            self.generic_visit(node)

    def visit_ClassDef(self, node: ast.ClassDef) -> None:
        if CONVERSIONS.isdisjoint(name for inner in node.body for name in _bound(inner)):
            self.facts.opaque.add(f"{node.name}()")
        for base in node.bases:
            self.facts.bases.add(ast.unparse(base))
        for inner in (*node.decorator_list, *node.body):
            self.visit(inner)
        for base in node.bases:
            if not (isinstance(base, ast.Name) and base.id == "object"):
                self.visit(base)

    def visit_FunctionDef(self, node: ast.FunctionDef) -> None:
        arguments = node.args
        # A parameter name refers to a fixture.
        self.reached |= {a.arg for a in (*arguments.args, *arguments.kwonlyargs)}
        self.generic_visit(node)

    def visit_Call(self, node: ast.Call) -> None:
        name = _last_name(node.func)
        for argument in _dtype_arguments(name, node):
            self._dtype(argument)
            if name != "parametrize" and _has_parts(argument):
                self.facts.structured = True
        for keyword in node.keywords:
            value = keyword.value
            if keyword.arg == "names" and name in READERS:
                self.facts.structured = True
            elif keyword.arg in SIGNATURE_KEYWORDS and isinstance(value, ast.Constant):
                self.facts.dtypes |= set(str(value.value)) - set("(),->")
        if name in ARRAY_MAKERS:
            values = [k.value for k in node.keywords if k.arg == "fill_value"]
            for value in (*node.args[name == "full" :][:1], *values):
                self.facts.made_of |= set(_contents(value))
        if name == "getattr" and isinstance(node.args[0], ast.Name):
            self.any_own |= node.args[0].id == "self"
        if name != "object":  # `object()` is a marker, not a dtype
            self.visit(node.func)
        for argument in node.args:
            self.visit(argument)
        for keyword in node.keywords:
            if keyword.arg not in ("match", "err_msg", "reason", "msg"):
                self.visit(keyword.value)

    def visit_Import(self, node: ast.Import) -> None:
        self.facts.names |= {alias.name for alias in node.names}

    def visit_ImportFrom(self, node: ast.ImportFrom) -> None:
        for alias in node.names:
            self.facts.names |= {str(node.module), f"{node.module}.{alias.name}"}

    def visit_List(self, node: ast.List) -> None:
        if any(_is_field(e) for e in node.elts):
            self.facts.structured = True
        self._codes(node.elts)
        self.generic_visit(node)

    def visit_Tuple(self, node: ast.Tuple) -> None:
        self._codes(node.elts)
        self.generic_visit(node)

    def _codes(self, values: Sequence[ast.expr]) -> None:
        """Record several strings as dtypes if each one names a type."""
        found = [v.value for v in values if isinstance(v, ast.Constant)]
        texts = [v for v in found if isinstance(v, str) and FORMAT.match(v)]
        if len(texts) == len(values) > 1:
            self.facts.dtypes |= set(texts)

    def visit_For(self, node: ast.For) -> None:
        if isinstance(node.iter, ast.Constant) and node.iter.value in ("<>", "><"):
            self.facts.dtypes.add(">")
        self.generic_visit(node)

    def visit_BinOp(self, node: ast.BinOp) -> None:
        right = node.right
        if isinstance(node.op, ast.Add) and isinstance(right, ast.Constant):
            # `np.typecodes["AllFloat"] + "O"`
            found = re.fullmatch(r"[?OSUVgG]+", str(right.value))
            self.facts.dtypes |= set(found.group()) if found else set()
        self.generic_visit(node)

    def visit_Dict(self, node: ast.Dict) -> None:
        if any(isinstance(k, ast.Constant) and k.value == "formats" for k in node.keys):
            self.facts.structured = True
        self.generic_visit(node)

    def _dtype(self, node: ast.expr) -> None:
        if isinstance(node, ast.Dict):
            self.facts.structured = True
        for inner in ast.walk(node):
            if isinstance(inner, ast.Constant) and isinstance(inner.value, str):
                self.facts.dtypes.add(inner.value)
            elif isinstance(inner, ast.Name) and inner.id in ("str", "bytes"):
                self.facts.dtypes.add(inner.id)


def _last_name(node: ast.expr) -> str:
    if isinstance(node, ast.Attribute):
        return node.attr
    return node.id if isinstance(node, ast.Name) else ""


def _dtype_arguments(name: str, node: ast.Call) -> Iterator[ast.expr]:
    positions = range(len(node.args)) if name in DTYPE_ANY else ()
    for wanted, position in ((DTYPE_FIRST, 0), (DTYPE_SECOND, 1), (DTYPE_THIRD, 2)):
        if name in wanted:
            positions = (*positions, position)
    yield from (node.args[i] for i in positions if i < len(node.args))
    yield from (k.value for k in node.keywords if k.arg in DTYPE_KEYWORDS)
    if name == "parametrize" and len(node.args) > 1 and isinstance(node.args[0], ast.Constant):
        names = [n.strip() for n in str(node.args[0].value).split(",")]
        for i, argument in enumerate(names):
            if re.search(r"d(t|type)\d?s?$|typ|^t\d?$|code|char", argument):
                values = node.args[1].elts if isinstance(node.args[1], ast.List | ast.Tuple) else []
                for value in values:
                    one = isinstance(value, ast.Tuple) and len(names) > 1 and i < len(value.elts)
                    yield value.elts[i] if one and isinstance(value, ast.Tuple) else value


def _has_parts(node: ast.expr) -> bool:
    """Whether a dtype expression is a list of fields, or a type with a shape."""
    if isinstance(node, ast.List):
        return not node.elts or any(isinstance(e, ast.Tuple) for e in node.elts)
    return isinstance(node, ast.Tuple)


def _is_field(node: ast.expr) -> bool:
    """Whether an expression is a field of a structured type, such as `("x", "f8")`."""
    if not isinstance(node, ast.Tuple) or len(node.elts) < 2:
        return False
    name, kind = node.elts[:2]
    if isinstance(name, ast.Tuple):  # title and name
        return _is_field(ast.Tuple([*name.elts[:1], kind]))
    if not (isinstance(name, ast.Constant) and isinstance(name.value, str)):
        return False
    if isinstance(kind, ast.Constant):
        return isinstance(kind.value, str) and FORMAT.match(kind.value) is not None
    if isinstance(kind, ast.Attribute):
        is_numpy = isinstance(kind.value, ast.Name) and kind.value.id == "np"
        return is_numpy and SCALARS.fullmatch(kind.attr) is not None
    if isinstance(kind, ast.List):
        return any(map(_is_field, kind.elts))
    return isinstance(kind, ast.Name) and kind.id in ("int", "float", "bool", "object", "complex")


def _contents(node: ast.expr) -> Iterator[str]:
    """The kinds of the literals and calls in an expression that an array is made of."""
    if isinstance(node, ast.List | ast.Tuple):
        for inner in node.elts:
            yield from _contents(inner)
    elif isinstance(node, ast.BinOp) and isinstance(node.op, ast.Mult):
        yield from _contents(node.left)
    elif isinstance(node, ast.ListComp):
        yield from _contents(node.elt)
    elif isinstance(node, ast.Call):
        yield f"{_last_name(node.func)}()"
    elif isinstance(node, ast.Constant):
        yield type(node.value).__name__
    elif isinstance(node, ast.Dict | ast.Set | ast.Lambda):
        yield "object"


def _one_by_one(node: ast.stmt) -> list[ast.stmt]:
    """Split an import of several names, because a user of one does not use the others."""
    if isinstance(node, ast.Import):
        return [ast.Import([alias]) for alias in node.names]
    if isinstance(node, ast.ImportFrom):
        return [ast.ImportFrom(node.module, [alias], node.level) for alias in node.names]
    return [node]


@cache
def _module(file: TestFile) -> tuple[dict[str, list[ast.stmt]], dict[str, ast.ClassDef]]:
    """The statements that define each name of a file, and its classes."""
    made: dict[str, list[ast.stmt]] = {}
    classes: dict[str, ast.ClassDef] = {}
    for node in statements(file.tree.body):
        if isinstance(node, ast.ClassDef):
            classes[node.name] = node
        for part in _one_by_one(node):
            for name in _bound(part):
                made.setdefault(name, []).append(part)
    return made, classes


def _bound(node: ast.stmt) -> Iterable[str]:
    if isinstance(node, Function | ast.ClassDef):
        return (node.name,)
    if isinstance(node, ast.Import | ast.ImportFrom):
        return ((a.asname or a.name).split(".")[0] for a in node.names)
    if isinstance(node, ast.Assign | ast.AugAssign | ast.AnnAssign):
        targets = node.targets if isinstance(node, ast.Assign) else [node.target]
        return (n.id for t in targets for n in ast.walk(t) if isinstance(n, ast.Name))
    if isinstance(node, ast.For):
        return (name for inner in statements(node.body) for name in _bound(inner))
    return ()


@cache
def _read(node: ast.stmt) -> _Reader:
    reader = _Reader()
    reader.visit(node)
    return reader


def _class_part(name: str, family: Iterable[ast.ClassDef]) -> Iterator[ast.stmt]:
    for owner in family:
        for node in owner.body:
            if name in _bound(node):
                yield node


def facts(file: TestFile, test: TestFunction) -> Facts:
    """Everything that a test function uses."""
    made, classes = _module(file)
    found = Facts()
    todo: list[ast.stmt] = [test.node]
    for name in SETUP:
        todo += _class_part(name, test.classes)
    for owner in test.classes:
        todo += [ast.Expr(d) for d in owner.decorator_list]
    seen: set[int] = set()
    while todo:
        node = todo.pop()
        if id(node) in seen or _skipped(node):
            continue
        seen.add(id(node))
        reader = _read(node)
        found.add(reader.facts)
        if reader.any_own:
            for owner in test.classes:
                todo += [n for n in owner.body if isinstance(n, ast.Assign)]
        for name in reader.own | reader.reached:
            todo += _class_part(name, test.classes)
        for name in reader.reached:
            todo += made.get(name, [])
        if isinstance(node, ast.ClassDef):
            todo += lineage(node, classes)[1:]
    if not found.opaque.isdisjoint(found.made_of):
        found.made_of.add("object")
    return found


def _skipped(node: ast.stmt) -> bool:
    """Whether a reference is ignored: a test class, or NumPy itself."""
    if isinstance(node, ast.ClassDef):
        return node.name.startswith("Test")
    if isinstance(node, ast.Import):
        return all(a.name == "numpy" for a in node.names)
    return False
