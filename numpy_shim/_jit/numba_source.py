"""A function of a program, and the functions it calls, as a module for Numba.

The module has everything that Numba takes for constant written out: numbers that the functions read
are literals, NumPy's names are NumPy's. So its text says what it computes, and Numba's cache beside
a file of that text is right in every later process. What Numba would compile to something else than
Python does is refused here, or in ``numba_checks``.
"""

from __future__ import annotations

import ast
import builtins
import copy
import inspect
import math
from types import CellType, FunctionType, ModuleType
from typing import Any, NamedTuple

import numpy

from .candidates import RefusedError
from .loops import code_of, find, made_of_loops
from .numba_names import BUILTINS, DRAWING, ERRORS, FUNCTIONS, TYPES, VALUES, VIEWS
from .program import is_programs

MISSING = object()
"""The value of a global name that is not bound: a builtin."""


class Source(NamedTuple):
    """The text of a module with a function ``entry``, and what it was made from."""

    text: str
    written: frozenset[str]
    """Parameters whose arrays the function may write to."""
    reads: list[tuple[dict[str, Any] | CellType, str, object]]
    """The names outside of the function that are constants in the text, and their values."""


_STATEMENTS = (
    ast.Assign, ast.AnnAssign, ast.AugAssign, ast.For, ast.While, ast.If, ast.Return, ast.Expr,
    ast.Pass, ast.Break, ast.Continue, ast.Raise, ast.Assert,
)  # fmt: skip
_EXPRESSIONS = (
    ast.BoolOp, ast.BinOp, ast.UnaryOp, ast.IfExp, ast.Compare, ast.Call, ast.Constant,
    ast.Attribute, ast.Subscript, ast.Name, ast.Tuple, ast.Slice, ast.List,
)  # fmt: skip
_WITHIN = (ast.In, ast.NotIn)
_KEYWORDS = frozenset({"axis", "dtype", "size", "endpoint"})
_MODULES = ("math", "numpy")
_UNKNOWN = "which Numba is not given"
LARGEST = 2**63 - 1
"""The largest int64."""
KINDS = "kinds"
"""The last parameter of an entry: what tells the kinds of the items of its result."""
TOLD, NUMPYS, INTEGER = 4, 1, 2
"""What tells a kind: it depends on the data, it is NumPy's, it is an integer."""
ITEMS = 16
"""The most items of a result."""


def source_for(function: FunctionType) -> Source:
    """The module for a function; ``RefusedError`` with the reason if Numba is not to compile it."""
    maker = _Maker()
    maker.definition(function, "entry")
    constants = [f"{name} = {text}" for name, text in maker.constants.items()]
    text = "\n".join([*_HEAD, *constants, "", *maker.definitions]) + "\n"
    return Source(text, maker.written["entry"], maker.reads)


_HEAD = [
    "import math",
    "import numpy",
    "from numpy_shim._jit.numba_checks import compiled, uncached",
]


class _Maker:
    def __init__(self) -> None:
        self.definitions: list[str] = []
        self.constants: dict[str, str] = {}
        self.written: dict[str, frozenset[str]] = {}
        self.parameters: dict[str, list[str]] = {}
        self.reads: list[tuple[dict[str, Any] | CellType, str, object]] = []
        self._made: dict[int, str | None] = {}  # None while it is made

    def definition(self, function: FunctionType, name: str) -> None:
        """Append the definition of a function, after those of the functions it calls."""
        self._made[id(function)] = None
        node = _parsed(function)
        arguments = node.args
        if arguments.vararg or arguments.kwarg or arguments.kwonlyargs:
            raise RefusedError("its parameters are not all named and positional")
        node.name, node.decorator_list, node.returns = name, [], None
        arguments.args = [*arguments.posonlyargs, *arguments.args]
        arguments.posonlyargs = []
        for argument in arguments.args:
            argument.annotation = None
        defaults = [_literal(value) for value in function.__defaults__ or ()]
        if None in defaults:
            raise RefusedError("a default value is no number")
        arguments.defaults = [ast.parse(d or "", mode="eval").body for d in defaults]
        parameters = [a.arg for a in arguments.args]
        local = {n.id for n in ast.walk(node) if isinstance(n, ast.Name) and _is_stored(n)}
        local |= set(parameters)
        check_statements(node)
        _Assigned(local).function(node, set(parameters))
        node = _Names(self, function, local).visit(node)
        self.parameters[name] = parameters
        self.written[name] = _written(node, parameters, self)
        if name == "entry":
            told = [f"{KINDS}_v_{p} = {KINDS}[{ITEMS + i}]" for i, p in enumerate(parameters)]
            node = _Returns().visit(node)
            node.body[:0] = ast.parse("\n".join(told)).body
            arguments.args.append(ast.arg(KINDS))
        ast.fix_missing_locations(node)
        # What the entry calls is part of what is kept of the entry, and compiled where that is.
        self.definitions += ["@compiled" if name == "entry" else "@uncached", ast.unparse(node), ""]
        self._made[id(function)] = name

    def called(self, function: FunctionType) -> str:
        """The name in the module of a function of the program."""
        if id(function) in self._made:
            name = self._made[id(function)]
            if name is None:
                raise RefusedError("it calls itself, and Numba knows no limit of recursion")
            return name
        name = f"called_{len(self._made)}_{function.__name__}"
        self.definition(function, name)
        return name


def _parsed(function: FunctionType) -> ast.FunctionDef:
    code = function.__code__
    if code in made_of_loops:
        return copy.deepcopy(made_of_loops[code].definition)
    if code.co_flags & (inspect.CO_GENERATOR | inspect.CO_COROUTINE | inspect.CO_ASYNC_GENERATOR):
        raise RefusedError("it is a generator or a coroutine")
    try:
        lines, _ = inspect.findsource(function)
        tree = ast.parse("".join(lines))
        found = find(tree, code.co_name, code.co_firstlineno)
        same = found and code_of(tree, code.co_name, code.co_firstlineno, code.co_filename) == code
    except (OSError, TypeError, SyntaxError, ValueError):
        found = same = None
    if found is None or not same:
        raise RefusedError("its source is not there, or has changed")
    return found[0]


def _is_stored(node: ast.Name | ast.Attribute | ast.Subscript | ast.List) -> bool:
    return not isinstance(node.ctx, ast.Load)


def check_statements(node: ast.FunctionDef) -> None:
    """Refuse what Numba compiles to something else, or not at all."""
    if node.body and isinstance(node.body[0], ast.Expr):
        first = node.body[0].value
        if isinstance(first, ast.Constant) and isinstance(first.value, str):
            del node.body[0]  # the docstring
    if not node.body:
        raise RefusedError("it is empty")
    lists: set[int] = set()  # those that become arrays
    for inner in ast.walk(node):
        if inner is node:
            continue
        if isinstance(inner, ast.stmt) and not isinstance(inner, _STATEMENTS):
            raise RefusedError(f"line {inner.lineno} is none that Numba gets")
        if isinstance(inner, ast.expr) and not isinstance(inner, _EXPRESSIONS):
            raise RefusedError(f"line {inner.lineno} has an expression that Numba does not get")
        if isinstance(inner, ast.Attribute):
            if _is_stored(inner):
                raise RefusedError(f"line {inner.lineno} sets an attribute")
            if inner.attr not in FUNCTIONS and inner.attr not in VALUES:
                raise RefusedError(f"line {inner.lineno} uses {inner.attr}, {_UNKNOWN}")
        if isinstance(inner, ast.Compare) and any(isinstance(op, _WITHIN) for op in inner.ops):
            raise RefusedError(f"line {inner.lineno} looks for an item")
        if isinstance(inner, ast.Constant) and isinstance(inner.value, bytes):
            raise RefusedError(f"line {inner.lineno} has bytes")
        if isinstance(inner, ast.Constant) and _is_beyond(inner.value):
            raise RefusedError(f"line {inner.lineno} has an integer beyond int64")
        if isinstance(inner, ast.Call) and ast.unparse(inner.func).endswith(".array"):
            lists.update(map(id, inner.args))
        if isinstance(inner, ast.List) and not _is_stored(inner) and id(inner) not in lists:
            raise RefusedError(f"line {inner.lineno} has a list")


class _Names(ast.NodeTransformer):
    """Writes the names that a function reads from outside as those of the module."""

    def __init__(self, maker: _Maker, function: FunctionType, local: set[str]) -> None:
        self._maker = maker
        self._function = function
        self._local = local
        self._cells = dict(
            zip(function.__code__.co_freevars, function.__closure__ or (), strict=True)
        )

    def visit_Name(self, node: ast.Name) -> ast.expr:
        if node.id in self._local:
            return ast.Name("v_" + node.id, node.ctx)
        value = self._outside(node.id)
        if isinstance(value, FunctionType) and not _numpys(value):
            state = vars(value).get("__numpy_shim_jit__")
            value = value if state is None else state.function
            if not is_programs(value.__code__.co_filename):
                raise RefusedError(f"it calls {node.id}, which is no function of the program")
            return ast.Name(self._maker.called(value), ast.Load())
        text = _literal(value) or _numpys(value)
        if text is None and callable(value):
            raise RefusedError(f"it calls {node.id}, {_UNKNOWN}")
        if text is None:
            raise RefusedError(f"it reads {node.id}, which is of the type {type(value).__name__}")
        return ast.parse(text, mode="eval").body

    def visit_Attribute(self, node: ast.Attribute) -> ast.expr:
        made = self.generic_visit(node)
        assert isinstance(made, ast.Attribute)
        of_local = isinstance(made.value, ast.Name) and made.value.id.startswith("v_")
        if node.attr in DRAWING and not of_local:
            raise RefusedError(f"line {node.lineno} uses {node.attr}, {_UNKNOWN}")
        return made

    def visit_arg(self, node: ast.arg) -> ast.arg:
        node.arg = "v_" + node.arg
        return node

    def visit_Call(self, node: ast.Call) -> ast.expr:
        made = self.generic_visit(node)
        assert isinstance(made, ast.Call)
        if isinstance(made.func, ast.Name) and made.func.id in self._maker.parameters:
            for keyword in made.keywords:
                keyword.arg = keyword.arg and "v_" + keyword.arg
            return made
        _check_operands(made)
        return made

    def _outside(self, name: str) -> object:
        """The value of a name that is not local."""
        cell = self._cells.get(name)
        names = self._function.__globals__
        try:
            value = found = names.get(name, MISSING) if cell is None else cell.cell_contents
        except ValueError:
            raise RefusedError(f"it reads {name}, which is not bound yet") from None
        if value is MISSING:
            value = getattr(builtins, name, None)
            if value is None:
                raise RefusedError(f"it calls {name}")
        self._maker.reads.append((names if cell is None else cell, name, found))
        return value


class _Returns(ast.NodeTransformer):
    """Gives each item of a result a name, and a place for its kind: see ``numba_kinds``."""

    def visit_Return(self, node: ast.Return) -> list[ast.stmt]:
        if node.value is None:
            return [node]
        is_tuple = isinstance(node.value, ast.Tuple)
        items = node.value.elts if isinstance(node.value, ast.Tuple) else [node.value]
        if len(items) > ITEMS:
            raise RefusedError(f"its result has {len(items)} items")
        names = [f"{KINDS}_{i}" for i in range(len(items))]
        made: list[ast.stmt] = [
            ast.Assign([ast.Name(name, ast.Store())], item)
            for name, item in zip(names, items, strict=True)
        ]
        made += ast.parse("\n".join(f"{KINDS}[{i}] = 0" for i in range(len(items)))).body
        given = "({},)" if is_tuple else "{}"
        made += ast.parse(f"return {given.format(', '.join(names))}").body
        return made if items else [node]


def _check_operands(call: ast.Call) -> None:
    """Refuse operands of a function beyond those that it is known to compute with."""
    function = call.func
    if isinstance(function, ast.Attribute):
        name = function.attr
        count = len(call.args) + (ast.unparse(function.value) not in _MODULES)
        known = FUNCTIONS.get(name)
    else:
        name, count = ast.unparse(function), len(call.args)
        known = BUILTINS.get(name)
    if (known is not None and count > known.most) or any(
        k.arg not in _KEYWORDS for k in call.keywords
    ):
        raise RefusedError(f"line {call.lineno} gives {name} other operands than Numba is given")


def _is_beyond(value: object) -> bool:
    """Whether a constant is an integer that Numba takes for an unsigned one, or not at all."""
    return type(value) is int and abs(value) > LARGEST


def _literal(value: object) -> str | None:
    """The text of a constant."""
    if value is None or type(value) in (bool, int, str):
        return None if _is_beyond(value) else repr(value)
    if type(value) is float:
        return repr(value) if math.isfinite(value) else f"float('{value}')".replace(
            "float('inf')", "math.inf").replace("float('-inf')", "(-math.inf)").replace(
            "float('nan')", "math.nan")  # fmt: skip
    if type(value) is complex and all(map(math.isfinite, (value.real, value.imag))):
        return f"complex({value.real!r}, {value.imag!r})"
    if type(value) is tuple and value:
        items = [_literal(v) for v in value]
        return None if None in items else f"({', '.join(map(str, items))},)"
    return None


def _numpys(value: object) -> str | None:
    """The text of a module or a function of NumPy's, of ours, of ``math``, or a builtin."""
    if isinstance(value, ModuleType):
        name = value.__name__.replace("numpy_shim", "numpy", 1)
        return name if name in _MODULES else None
    name = getattr(value, "__name__", "")
    if not callable(value) or not isinstance(name, str):
        return None
    if getattr(builtins, name, None) is value:
        return name if name in BUILTINS or name in ERRORS else None
    if name not in FUNCTIONS and name not in TYPES:
        return None
    if getattr(math, name, None) is value:
        return f"math.{name}"
    is_ours = (getattr(value, "__module__", None) or "").startswith("numpy_shim")
    found = getattr(numpy, name, None)
    return f"numpy.{name}" if found is value or (is_ours and found is not None) else None


class _Assigned:
    """Refuses names that are read where Python may find them unbound: Numba would read zeros."""

    def __init__(self, local: set[str]) -> None:
        self._local = local

    def function(self, node: ast.FunctionDef, bound: set[str]) -> None:
        """Look at the whole function."""
        self._block(node.body, bound)

    def _block(self, statements: list[ast.stmt], bound: set[str]) -> set[str] | None:
        """The names that are bound after the statements; ``None`` if what follows is not run."""
        now: set[str] | None = bound
        for s in statements:
            if now is None:
                return None
            now = self._statement(s, now)
        return now

    def _statement(self, s: ast.stmt, bound: set[str]) -> set[str] | None:
        if isinstance(s, ast.If):
            self._reads(s.test, bound)
            ways = [self._block(s.body, bound), self._block(s.orelse, bound)]
            open_ways = [way for way in ways if way is not None]
            return set.intersection(*open_ways) if open_ways else None
        if isinstance(s, ast.For):
            self._reads(s.iter, bound)
            self._block(s.body, bound | self._targets(s.target, bound))
            self._block(s.orelse, bound)
            return bound
        if isinstance(s, ast.While):
            self._reads(s.test, bound)
            self._block(s.body, bound)
            self._block(s.orelse, bound)
            return bound
        if isinstance(s, ast.Assign):
            self._reads(s.value, bound)
            return bound.union(*(self._targets(t, bound) for t in s.targets))
        if isinstance(s, ast.AnnAssign):
            if s.value is None:
                return bound
            self._reads(s.value, bound)
            return bound | self._targets(s.target, bound)
        if isinstance(s, ast.AugAssign):
            self._reads(s.value, bound)
            self._reads(s.target, bound, True)
            return bound
        self._reads(s, bound)
        return None if isinstance(s, (ast.Return, ast.Raise, ast.Break, ast.Continue)) else bound

    def _targets(self, target: ast.expr, bound: set[str]) -> set[str]:
        if isinstance(target, ast.Name):
            return {target.id}
        if isinstance(target, (ast.Tuple, ast.List)):
            return set().union(*(self._targets(t, bound) for t in target.elts))
        self._reads(target, bound)
        return set()

    def _reads(self, node: ast.AST, bound: set[str], stored: bool = False) -> None:
        for inner in ast.walk(node):
            if (
                isinstance(inner, ast.Name)
                and (stored or isinstance(inner.ctx, ast.Load))
                and inner.id in self._local
                and inner.id not in bound
            ):
                raise RefusedError(f"{inner.id} may be read in line {inner.lineno} unbound")


# --- what a function writes to ---


def _written(node: ast.FunctionDef, parameters: list[str], maker: _Maker) -> frozenset[str]:
    """The parameters whose arrays a function may write to.

    Numba gets the others as arrays that may not be written to, and refuses what is missed here.
    """
    alias: dict[str, set[str]] = {}
    written: set[str] = set()
    for inner in ast.walk(node):
        if isinstance(inner, ast.Assign):
            for target in inner.targets:
                _note_aliases(target, inner.value, alias)
        elif isinstance(inner, ast.AnnAssign) and inner.value is not None:
            _note_aliases(inner.target, inner.value, alias)
        elif isinstance(inner, ast.For):
            _note_aliases(inner.target, inner.iter, alias)
        elif isinstance(inner, ast.Call):
            written |= _written_by_call(inner, maker)
        elif isinstance(inner, ast.AugAssign):
            written |= _roots(inner.target)
        elif isinstance(inner, ast.Subscript) and _is_stored(inner):
            written |= _roots(inner.value)
    while True:
        more = set().union(*(alias.get(name, set()) for name in written)) - written
        if not more:
            return frozenset(p for p in parameters if "v_" + p in written)
        written |= more


def _note_aliases(target: ast.expr, value: ast.expr, alias: dict[str, set[str]]) -> None:
    if isinstance(target, ast.Name):
        alias.setdefault(target.id, set()).update(_roots(value))
    elif isinstance(target, (ast.Tuple, ast.List)):
        for item in target.elts:
            _note_aliases(item, value, alias)


def _roots(value: ast.expr) -> set[str]:
    """The local names whose memory the value of an expression may share."""
    if isinstance(value, (ast.BinOp, ast.Compare, ast.Constant, ast.UnaryOp)):
        return set()
    if isinstance(value, ast.Subscript):
        return _roots(value.value)
    if isinstance(value, ast.Call):
        function = value.func
        name = function.attr if isinstance(function, ast.Attribute) else ast.unparse(function)
        if name not in VIEWS and not name.startswith("called_"):
            return set()
    return {n.id for n in ast.walk(value) if isinstance(n, ast.Name) and n.id.startswith("v_")}


def _written_by_call(call: ast.Call, maker: _Maker) -> set[str]:
    function = call.func
    if isinstance(function, ast.Attribute):
        return _roots(function.value) if function.attr == "fill" else set()
    if not isinstance(function, ast.Name) or function.id not in maker.written:
        return set()
    given = dict(zip(maker.parameters[function.id], call.args, strict=False))
    given |= {str(k.arg).removeprefix("v_"): k.value for k in call.keywords}
    names = maker.written[function.id] & given.keys()
    return set().union(*(_roots(given[name]) for name in names))
