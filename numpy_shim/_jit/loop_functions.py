"""The loops of code that runs once, as functions of their own.

A loop outside of functions, or in a function that is called once, has no second call that compiled
code could run. So before a program runs, its loops become functions: one over a ``range``, or with
a condition, runs as calls of its function, some steps each; one inside a loop that stays is called
as a whole. Only loops are taken for which that is certain to change nothing, and which Numba may be
given by the look of them.
"""

from __future__ import annotations

import ast
import builtins
import copy
import symtable
import time
from collections.abc import Iterator
from types import CodeType
from typing import NamedTuple

from .candidates import RefusedError
from .flow import FRAME_READERS, Flow, UncertainError, is_errstate
from .loops import OfLoop, defined, is_over_range, is_short, made_of_loops
from .numba_names import BUILTINS, DRAWING, ERRORS
from .numba_source import check_statements

STEPS, COUNTS = "__numpy_shim_jit_steps__", "__numpy_shim_jit_counts__"
"""What a program calls for the parts of its loops."""
ENTERED = "__numpy_shim_jit_entered__"
"""What a function calls whose loops are functions, with its place."""

_PART, _MORE = "__numpy_shim_jit_part__", "__numpy_shim_jit_more__"
_READERS = FRAME_READERS | {"globals", "breakpoint", "__import__"}
_SECONDS = 0.02  # that a part of a loop is to take
_MOST = 1 << 30  # steps of a part
_Functions = (ast.FunctionDef, ast.AsyncFunctionDef)
_Loop = ast.For | ast.While


def steps(whole: range) -> Iterator[range]:
    """The parts of a loop over a range, each of as many steps as take a fiftieth of a second."""
    start = 0
    for count in counts():
        part = whole[start : start + count]
        if not part:
            return
        yield part
        start += count


def counts() -> Iterator[int]:
    """The numbers of steps of the parts of a loop, without end."""
    count = 1
    while True:
        before = time.perf_counter()
        yield count
        seconds = time.perf_counter() - before
        if seconds < _SECONDS / 2:
            count = min(2 * count, _MOST)
        elif seconds > 2 * _SECONDS:
            count = max(count // 2, 1)


class Place(NamedTuple):
    """Where a function of a program is defined, and its name."""

    line: int
    name: str


class Separated(NamedTuple):
    """The code of a program whose loops are functions."""

    code: CodeType
    twins: dict[Place, CodeType]
    """For its functions with loops: code that calls functions instead."""


def separated(tree: ast.Module, text: str | bytes, file: str) -> Separated:
    """Compile a program with its loops as functions; ``text`` is what ``tree`` was parsed from."""
    made: list[OfLoop] = []
    twins: list[ast.FunctionDef] = []
    if not any(isinstance(n, ast.Name) and n.id in _READERS for n in ast.walk(tree)):
        program = _Program(tree, text, file)
        twins = [twin for f in _functions(tree) if (twin := program.twin(f, made))]
        program.replace(_Scope.of_program(tree, program.table), made)
    future = [s for s in tree.body if isinstance(s, ast.ImportFrom) and s.module == "__future__"]
    if made:
        first = tree.body.index(future[-1]) + 1 if future else _after_docstring(tree)
        tree.body[first:first] = [of_loop.definition for of_loop in made]
        ast.fix_missing_locations(tree)
    code = compile(tree, file, "exec", dont_inherit=True)
    for inner in _functions_of(code):
        for of_loop in made:
            if Place(of_loop.definition.lineno, of_loop.definition.name) == _place(inner):
                made_of_loops[inner] = of_loop
    beside = ast.fix_missing_locations(ast.Module([*future, *twins], []))
    compiled = compile(beside, file, "exec", dont_inherit=True)
    return Separated(code, {_place(inner): inner for inner in _functions_of(compiled)})


def _after_docstring(node: ast.Module | ast.FunctionDef) -> int:
    return int(ast.get_docstring(node) is not None)


def _place(code: CodeType) -> Place:
    return Place(code.co_firstlineno, code.co_name)


def _functions_of(code: CodeType) -> Iterator[CodeType]:
    return (value for value in code.co_consts if isinstance(value, CodeType))


def _functions(tree: ast.Module) -> Iterator[ast.FunctionDef]:
    """The functions of a program and the methods of its classes, but those with decorators."""
    blocks: list[ast.AST] = [tree]
    while blocks:
        for statement in _inner_statements(blocks.pop()):
            if not isinstance(statement, _Functions):
                blocks.append(statement)
            elif isinstance(statement, ast.FunctionDef) and not statement.decorator_list:
                yield statement


def _inner_statements(node: ast.AST) -> Iterator[ast.AST]:
    """The statements of a statement, and the handlers of a ``try``."""
    for name in ("body", "orelse", "finalbody", "handlers"):
        yield from getattr(node, name, [])


class _Scope(NamedTuple):
    """A program, or a function of it."""

    name: str
    body: list[ast.stmt]
    parameters: frozenset[str]
    names: frozenset[str]
    """Its variables."""
    kept: frozenset[str]
    """Names that a loop which is a function may not bind: other functions may read them."""
    changed: frozenset[str]
    """Names that it may not read, either: other functions may bind them."""

    @classmethod
    def of_program(cls, tree: ast.Module, table: symtable.SymbolTable) -> _Scope:
        names = frozenset(s.get_name() for s in table.get_symbols() if s.is_assigned())
        bound = {s.get_name() for s in table.get_symbols() if s.is_imported() or s.is_namespace()}
        inner = list(_tables(table))
        read = {s.get_name() for t in inner for s in t.get_symbols() if s.is_global()}
        written = {
            s.get_name()
            for t in inner
            for s in t.get_symbols()
            if s.is_global() and s.is_assigned()
        }
        return cls(
            "program", tree.body, frozenset(), names - bound,
            frozenset(read | bound), frozenset(written),
        )  # fmt: skip

    @classmethod
    def of_function(cls, function: ast.FunctionDef, table: symtable.Function) -> _Scope:
        own = frozenset(table.get_locals())
        bound = {s.get_name() for s in table.get_symbols() if s.is_imported() or s.is_namespace()}
        inner = {s.get_name() for t in _tables(table) for s in t.get_symbols() if s.is_free()}
        given = frozenset(table.get_parameters())
        return cls(function.name, function.body, given, own, frozenset(inner | bound),
                   frozenset(bound))  # fmt: skip


_COMPREHENSIONS = ("listcomp", "setcomp", "dictcomp")


def _tables(table: symtable.SymbolTable, is_own: bool = True) -> Iterator[symtable.SymbolTable]:
    """The scopes inside a scope; its comprehensions are part of it."""
    for child in table.get_children():
        is_part = is_own and child.get_name() in _COMPREHENSIONS
        if not is_part:
            yield child
        yield from _tables(child, is_part)


class _Found(NamedTuple):
    """A loop that becomes a function."""

    block: list[ast.stmt]
    loop: _Loop
    function: OfLoop
    instead: ast.stmt


class _Program:
    def __init__(self, tree: ast.Module, text: str | bytes, file: str) -> None:
        self.table = symtable.symtable(text, file, "exec")  # type: ignore[arg-type]
        self._tables = {
            Place(t.get_lineno(), t.get_name()): t
            for t in _tables(self.table)
            if isinstance(t, symtable.Function)
        }
        self._functions = {f.name: f for f in tree.body if isinstance(f, ast.FunctionDef)}
        self._classes = {c.name for c in tree.body if isinstance(c, ast.ClassDef)}
        self._names = {
            s.get_name()
            for s in self.table.get_symbols()
            if s.is_assigned() or s.is_imported() or s.is_namespace()
        }
        self._refused: dict[str, bool] = {}

    def twin(self, function: ast.FunctionDef, made: list[OfLoop]) -> ast.FunctionDef | None:
        """A function with its loops as functions, which are appended; ``None`` if it has none."""
        table = self._tables.get(Place(function.lineno, function.name))
        if table is None or table.is_nested() or _is_special(function):
            return None
        twin = copy.deepcopy(function)
        before = len(made)
        self.replace(_Scope.of_function(twin, table), made)
        if len(made) == before:
            return None
        named = [n for n in ast.walk(twin) if isinstance(n, ast.Name)]
        stored = {n.id for n in named if _is_stored(n)}
        local = set(table.get_locals()) - set(table.get_parameters()) - stored
        if any(n.id in local for n in named):  # it would be a global name in the twin
            del made[before:]
            return None
        place = [ast.Constant(function.lineno), ast.Constant(function.name)]
        entered = ast.Expr(ast.Call(ast.Name(ENTERED, ast.Load()), [*place], []))
        twin.body.insert(_after_docstring(twin), entered)
        ast.copy_location(entered, function)
        return twin

    def replace(self, scope: _Scope, made: list[OfLoop]) -> None:
        """Replace the loops of a program or a function by calls; append the functions."""
        for found in list(self._found(scope, scope.body, False)):
            found.block[found.block.index(found.loop)] = found.instead
            made.append(found.function)

    def _found(self, scope: _Scope, block: list[ast.stmt], is_repeated: bool) -> Iterator[_Found]:
        """The loops of a block to be replaced; those in a ``try`` may be left half done."""
        for s in block:
            if isinstance(s, _Loop):
                try:
                    function, instead = self._function(scope, s, is_repeated)
                except (UncertainError, RefusedError):
                    yield from self._found(scope, s.body, True)
                    yield from self._found(scope, s.orelse, is_repeated)
                else:
                    yield _Found(block, s, function, instead)
            elif isinstance(s, ast.If):
                yield from self._found(scope, s.body, is_repeated)
                yield from self._found(scope, s.orelse, is_repeated)
            elif isinstance(s, ast.With) and is_errstate(s):
                yield from self._found(scope, s.body, is_repeated)

    def _function(self, scope: _Scope, loop: _Loop, is_repeated: bool) -> tuple[OfLoop, ast.stmt]:
        """A loop as a function, and the statement that calls it."""
        has_elements = _has_elements(loop)
        if (is_repeated and is_short(loop)) or not (has_elements or _has_numbers(loop)):
            raise UncertainError
        is_range = isinstance(loop, ast.For) and is_over_range(loop)
        in_parts = not is_repeated and (is_range or isinstance(loop, ast.While))
        flow = Flow(scope.names)
        if in_parts and isinstance(loop, ast.For):
            is_named = isinstance(loop.target, ast.Name)
            if loop.orelse or "range" in (self._names | scope.names) or not is_named:
                raise UncertainError
            assert isinstance(loop.target, ast.Name)
            assert isinstance(loop.iter, ast.Call)
            if loop.iter.keywords or any(isinstance(a, ast.Starred) for a in loop.iter.args):
                raise UncertainError
            flow.block(loop.body, {loop.target.id}, True)
            flow.stored.add(loop.target.id)
        else:
            if in_parts and not _is_pure(loop, self._functions):
                raise UncertainError
            flow.block([loop], set())
        after = _After(scope.names, loop, flow.stored)
        after.block(scope.body, set(scope.names))
        results = flow.stored & (flow.exposed | after.exposed)
        needed = flow.exposed | results  # there may be no step, and Numba has no unbound names
        before = Flow(scope.names, loop)
        before.block(scope.body, set(scope.parameters))
        bound = before.before_loop
        if bound is None or not needed <= bound or flow.stored & scope.kept:
            raise UncertainError
        if needed & scope.changed:
            raise UncertainError
        name = f"loop_{loop.lineno}_of_{scope.name}"
        if name in self._names:
            raise UncertainError
        given, told = sorted(needed), sorted(results)
        if isinstance(loop, ast.For) and in_parts:
            definition, instead = _over_parts(loop, name, given, told)
        elif in_parts:
            definition, instead = _by_counts(loop, name, given, told)
        else:
            definition = defined(name, given, [loop, _returned(told)])
            instead = _called(name, [], given, told)
        ast.copy_location(definition, loop)
        ast.copy_location(instead, loop)
        definition = copy.deepcopy(definition)
        ast.fix_missing_locations(definition)
        self._check(definition, scope)
        return OfLoop(definition, not has_elements), instead

    def _check(self, function: ast.FunctionDef, scope: _Scope | None = None) -> None:
        """Refuse what Numba is not given by the look of it, in functions that are called, too."""
        check_statements(copy.deepcopy(function))
        local = scope.names if scope else {a.arg for a in function.args.args}
        for node in ast.walk(function):
            if not isinstance(node, ast.Name) or node.id in local:
                continue
            if node.id in self._functions:
                called = self._functions[node.id]
                if node.id not in self._refused:
                    self._refused[node.id] = False  # one that calls itself is refused later
                    try:
                        self._check(called)
                    except RefusedError:
                        self._refused[node.id] = True
                if self._refused[node.id]:
                    raise RefusedError(f"it calls {node.id}")
            elif node.id in self._classes or (
                node.id not in self._names
                and hasattr(builtins, node.id)
                and node.id not in BUILTINS
                and node.id not in ERRORS
            ):
                raise RefusedError(f"it calls {node.id}")


def _is_special(function: ast.FunctionDef) -> bool:
    """Whether a function is a generator, or has names that stand for others."""
    special = (ast.Global, ast.Nonlocal, ast.Delete, ast.Yield, ast.YieldFrom, ast.Await)
    for node in ast.walk(function):
        name = getattr(node, "id", "") or getattr(node, "attr", "")
        if isinstance(node, special) or (name.startswith("__") and not name.endswith("__")):
            return True
    return False


def _has_elements(loop: _Loop) -> bool:
    """Whether a loop goes through elements: Numba is for these, and not for array expressions."""
    inside = [node for s in loop.body for node in ast.walk(s)]
    if any(isinstance(node, _Loop) and not is_short(node) for node in inside):
        return True
    names = {n.id for n in ast.walk(loop) if isinstance(n, ast.Name) and _is_stored(n)}
    for indices in (list(ast.walk(n.slice)) for n in inside if isinstance(n, ast.Subscript)):
        if not any(isinstance(n, ast.Slice) for n in indices) and any(
            isinstance(n, ast.Name) and n.id in names for n in indices
        ):
            return True
    return False


def _has_numbers(loop: _Loop) -> bool:
    """Whether a loop may compute with numbers alone."""
    inside = [node for s in loop.body for node in ast.walk(s)]
    calls = [node for node in inside if isinstance(node, ast.Call)]
    return not any(isinstance(node, ast.Subscript) for node in inside) and all(
        (not c.args and not c.keywords) or ast.unparse(c.func).startswith("math.")
        for c in calls
        if isinstance(c.func, ast.Attribute)
    )


def _is_stored(node: ast.Name) -> bool:
    return isinstance(node.ctx, ast.Store)


def _is_pure(loop: _Loop, functions: dict[str, ast.FunctionDef]) -> bool:
    """Whether the condition may be asked once more at the end of a part."""
    if loop.orelse or not isinstance(loop, ast.While):
        return False
    calls = [node for node in ast.walk(loop.test) if isinstance(node, ast.Call)]
    names = {
        n.func.attr if isinstance(n.func, ast.Attribute) else ast.unparse(n.func) for n in calls
    }
    return not names & (DRAWING | functions.keys())


class _After(Flow):
    """Finds the names that may be read after a loop as the loop has left them."""

    def __init__(self, names: frozenset[str], loop: _Loop, stored: set[str]) -> None:
        super().__init__(names, loop)
        self._loop_of = loop
        self._forgotten = set(stored)

    def _statement(self, s: ast.stmt, bound: set[str], in_loop: bool) -> set[str]:
        if s is self._loop_of:
            return bound - self._forgotten
        if isinstance(s, _Loop) and any(node is self._loop_of for node in ast.walk(s)):
            super()._statement(s, bound, in_loop)
            bound = bound - self._forgotten  # what follows may be the next step
            super()._statement(s, bound, in_loop)
            return bound
        known = (
            ast.Assign, ast.AnnAssign, ast.AugAssign, ast.Expr, ast.Assert, ast.Raise, ast.If,
            ast.For, ast.While,
        )  # fmt: skip
        if isinstance(s, (*_Functions, ast.ClassDef)):
            return super()._statement(s, bound, in_loop)  # what they read is ``_Scope.kept``
        if not isinstance(s, known) and not (isinstance(s, ast.With) and is_errstate(s)):
            read = {n.id for n in ast.walk(s) if isinstance(n, ast.Name) and not _is_stored(n)}
            self.exposed |= read & self._names
        return super()._statement(s, bound, in_loop)


# --- what is made ---


def _over_parts(
    loop: ast.For, name: str, given: list[str], told: list[str]
) -> tuple[ast.FunctionDef, ast.stmt]:
    """A loop over a range: its function gets the bounds of a part."""
    assert isinstance(loop.iter, ast.Call)
    bounds = ["start", "stop", "step"][: max(len(loop.iter.args), 2)]
    parameters = [f"part_{b}" for b in bounds]
    part = ast.Call(ast.Name("range", ast.Load()), [_name(p) for p in parameters], [])
    inner = ast.For(loop.target, part, loop.body, [])
    leaves = any(isinstance(s, ast.Break) for s in _own(loop.body))
    body: list[ast.stmt] = [inner, _returned(told)]
    if leaves:
        inner.orelse = [_returned(told, True)]
        body = [inner, _returned(told, False)]
    ast.copy_location(inner, loop)
    of_part: list[ast.expr] = [ast.Attribute(_name(_PART), b, ast.Load()) for b in bounds]
    call = _called(name, of_part, given, [*told, _MORE] if leaves else told)
    end: list[ast.stmt] = [_until_done()] if leaves else []
    parts = ast.Call(_name(STEPS), [loop.iter], [])
    return defined(name, [*parameters, *given], body), _for_parts(parts, [call, *end])


def _by_counts(
    loop: _Loop, name: str, given: list[str], told: list[str]
) -> tuple[ast.FunctionDef, ast.stmt]:
    """A loop with a condition: its function gets the number of steps of a part."""
    assert isinstance(loop, ast.While)
    counted = ast.parse("part_steps -= 1\nif part_steps <= 0: pass").body
    assert isinstance(counted[1], ast.If)
    counted[1].body = [_returned(told, True)]
    inner = ast.While(loop.test, [*loop.body, *counted], [])
    ast.copy_location(inner, loop)
    body = [inner, _returned(told, False)]
    call = _called(name, [_name(_PART)], given, [*told, _MORE])
    parts = ast.Call(_name(COUNTS), [], [])
    return defined(name, ["part_steps", *given], body), _for_parts(parts, [call, _until_done()])


def _own(body: list[ast.stmt]) -> Iterator[ast.stmt]:
    """The statements of a step of a loop, without those of loops in it."""
    for s in body:
        yield s
        if isinstance(s, (ast.If, ast.With)):
            yield from _own([*s.body, *getattr(s, "orelse", [])])
        elif isinstance(s, _Loop):
            yield from _own(s.orelse)


def _name(name: str) -> ast.expr:
    return ast.Name(name, ast.Load())


def _returned(told: list[str], *more: bool) -> ast.stmt:
    items = [*map(_name, told), *map(ast.Constant, more)]
    return ast.Return(ast.Tuple(items, ast.Load()) if items else None)


def _called(name: str, first: list[ast.expr], given: list[str], told: list[str]) -> ast.stmt:
    call = ast.Call(_name(name), [*first, *map(_name, given)], [])
    if not told:
        return ast.Expr(call)
    stored: list[ast.expr] = [ast.Name(n, ast.Store()) for n in told]
    return ast.Assign([ast.Tuple(stored, ast.Store())], call)


def _until_done() -> ast.stmt:
    return ast.If(ast.UnaryOp(ast.Not(), _name(_MORE)), [ast.Break()], [])


def _for_parts(parts: ast.expr, body: list[ast.stmt]) -> ast.stmt:
    return ast.For(ast.Name(_PART, ast.Store()), parts, body, [])
