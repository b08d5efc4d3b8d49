"""The body of a loop as a function of its own, to be compiled where the loop itself is too long.

The source is parsed, and the loop's body becomes a function: its parameters are the names that the
body needs, its results those that are read later. The rest of the function calls it at each step.
Only bodies for which that is certain are taken; ``split`` gives ``None`` for all others.
"""

from __future__ import annotations

import ast
import dis
import inspect
import itertools
from collections.abc import Iterator
from types import CodeType, FunctionType
from typing import NamedTuple

from .flow import FRAME_READERS, Flow, UncertainError, is_errstate
from .program import is_programs

_SHORT = 8  # steps of a loop that is unrolled inside another
_numbers = itertools.count()


class OfLoop(NamedTuple):
    """A function that was made of a loop, which no file has."""

    definition: ast.FunctionDef
    is_of_numbers: bool
    """Whether there is no loop over elements in it, if it is given arrays."""


made_of_loops: dict[CodeType, OfLoop] = {}
"""The functions that ``loop_functions`` has made."""


def has_loops(function: FunctionType) -> bool:
    """Whether a function, or one of the program's that it calls by a global name, has a loop."""
    seen: dict[CodeType, FunctionType] = {function.__code__: function}
    for_all = [function]
    while for_all:
        f = for_all.pop()
        if any(
            "BACKWARD" in i.opname
            for code in _codes(f.__code__)
            for i in dis.get_instructions(code)
        ):
            return True
        called = [inspect.unwrap(f.__globals__.get(name, f)) for name in f.__code__.co_names]
        for g in called:
            if isinstance(g, FunctionType) and g.__code__ not in seen:
                seen[g.__code__] = g
                if is_programs(g.__code__.co_filename):
                    for_all.append(g)
    return False


class Split(NamedTuple):
    """A function that calls a global at each step of its loops, and what the names stand for."""

    function: FunctionType
    bodies: dict[str, FunctionType]


def split(function: FunctionType, line: int) -> Split | None:
    """Make functions of the bodies of the loops of a function, if the one at ``line`` allows it.

    Of nested loops it is the outermost one in which all others have a few steps that are written
    out, as ``range(3)``: they are unrolled. Loops that are not over a ``range`` are left, but for
    the one at ``line``.
    """
    code = function.__code__
    if code.co_flags & (inspect.CO_GENERATOR | inspect.CO_COROUTINE | inspect.CO_ASYNC_GENERATOR):
        return None
    name, first, file = code.co_name, code.co_firstlineno, code.co_filename
    try:
        lines, _ = inspect.findsource(function)
        tree = ast.parse("".join(lines))
        found = find(tree, name, first)
        if found is None or code_of(tree, name, first, file) != code:
            return None  # the file has changed, or something else has made the code
    except (OSError, TypeError, SyntaxError, ValueError):
        return None  # there is no source
    definition, siblings = found
    made: dict[str, ast.FunctionDef] = {}
    is_found = False
    for loop in _loops(definition.body):
        is_meant = loop.lineno <= line <= (loop.end_lineno or line)
        if not (is_meant or is_over_range(loop)):
            continue
        try:
            body, call = _extracted(definition, loop, code)
        except UncertainError:
            continue
        is_found = is_found or is_meant
        loop.body = [call[1]]
        siblings.insert(siblings.index(definition), body)
        made[call[0]] = body
    if not is_found:
        return None
    ast.fix_missing_locations(tree)
    outer = _made(function, code_of(tree, name, first, file), function.__name__)
    outer.__defaults__, outer.__kwdefaults__ = function.__defaults__, function.__kwdefaults__
    bodies = {
        global_name: _made(function, code_of(tree, body.name, body.lineno, file), body.name)
        for global_name, body in made.items()
    }
    return Split(outer, bodies)


def _made(function: FunctionType, code: CodeType | None, name: str) -> FunctionType:
    """A function in the place of another: with its globals, and its cells of the same names."""
    assert code is not None
    cells = dict(zip(function.__code__.co_freevars, function.__closure__ or (), strict=True))
    closure = tuple(cells[n] for n in code.co_freevars)
    made = FunctionType(code, function.__globals__, name, None, closure)
    made.__module__ = function.__module__
    return made


# --- the source ---


def find(tree: ast.Module, name: str, first: int) -> tuple[ast.FunctionDef, list[ast.stmt]] | None:
    """The definition that begins in a line, and the statements that it is one of."""
    for node in ast.walk(tree):
        for _, statements in ast.iter_fields(node):
            for item in statements if isinstance(statements, list) else ():
                if isinstance(item, ast.FunctionDef) and item.name == name:
                    start = item.decorator_list[0] if item.decorator_list else item
                    if start.lineno == first:
                        return item, statements
    return None


def code_of(tree: ast.Module, name: str, first: int, file: str) -> CodeType | None:
    """The code of the definition that begins in a line, compiled with all that is around it."""
    for code in _codes(compile(tree, file, "exec", dont_inherit=True)):
        if code.co_name == name and code.co_firstlineno == first:
            return code
    return None


def _codes(code: CodeType) -> Iterator[CodeType]:
    yield code
    for value in code.co_consts:
        if isinstance(value, CodeType):
            yield from _codes(value)


def _loops(statements: list[ast.stmt]) -> Iterator[ast.For]:
    """The loops whose bodies may be compiled: in those there are only loops that are unrolled.

    A loop in a ``try`` is left out: the handler would miss the names of the step that has failed.
    So is one in a ``with`` that may stop an exception.
    """
    for statement in statements:
        if isinstance(statement, ast.For) and all(
            is_short(inner) for part in statement.body for inner in ast.walk(part)
        ):
            yield statement
        elif isinstance(statement, (ast.For, ast.While, ast.If)):
            yield from _loops([*statement.body, *statement.orelse])
        elif isinstance(statement, ast.With) and is_errstate(statement):
            yield from _loops(statement.body)


def is_short(node: ast.AST) -> bool:
    """Whether a node is no loop, or one of a few steps that are written out."""
    if isinstance(node, ast.While):
        return False
    if not isinstance(node, ast.For):
        return True
    if isinstance(node.iter, (ast.Tuple, ast.List)):
        return len(node.iter.elts) <= _SHORT
    if not is_over_range(node):
        return False
    assert isinstance(node.iter, ast.Call)
    try:
        return len(range(*(ast.literal_eval(a) for a in node.iter.args))) <= _SHORT
    except (ValueError, TypeError):
        return False


def is_over_range(loop: ast.For) -> bool:
    """Whether a loop calls ``range`` for its steps."""
    called = loop.iter.func if isinstance(loop.iter, ast.Call) else None
    return isinstance(called, ast.Name) and called.id == "range"


# --- the body ---


def _extracted(
    definition: ast.FunctionDef, loop: ast.For, code: CodeType
) -> tuple[ast.FunctionDef, tuple[str, ast.stmt]]:
    """The body of a loop as a definition, and the statement that calls it by a global name."""
    names = frozenset(code.co_varnames) | frozenset(code.co_cellvars)
    inside = {id(node) for statement in loop.body for node in ast.walk(statement)}
    others = [node for node in ast.walk(definition) if id(node) not in inside]
    _check(definition, others)

    flow = Flow(names)
    end = flow.block(loop.body, set())
    if _captured(others) & flow.stored:
        raise UncertainError
    read_elsewhere = {
        n.id for n in others if isinstance(n, ast.Name) and not isinstance(n.ctx, ast.Store)
    }
    results = flow.stored & (flow.exposed | read_elsewhere)
    needed = flow.exposed | (results - end)
    before = _bound_at(definition, loop, names)
    if not needed <= before:
        raise UncertainError  # the first step may find a name that is not bound

    number = next(_numbers)
    result = ast.Tuple([ast.Name(n, ast.Load()) for n in sorted(results)], ast.Load())
    name = f"loop_{loop.lineno}_of_{definition.name}_{number}"
    body = defined(name, sorted(needed), [*loop.body, ast.Return(result)])
    global_name = f"__numpy_shim_loop_{number}__"
    called = ast.Call(
        ast.Name(global_name, ast.Load()),
        [ast.Name(n, ast.Load()) for n in sorted(needed)],
        [],
    )
    call: ast.stmt = ast.Expr(called)
    if results:
        targets = ast.Tuple([ast.Name(n, ast.Store()) for n in sorted(results)], ast.Store())
        call = ast.Assign([targets], called)
    return ast.copy_location(body, loop), (global_name, ast.copy_location(call, loop.body[0]))


def defined(name: str, parameters: list[str], body: list[ast.stmt]) -> ast.FunctionDef:
    """The definition of a function."""
    made = ast.FunctionDef(
        name=name,
        args=ast.arguments([], [ast.arg(p) for p in parameters], None, [], [], None, []),
        body=body,
        decorator_list=[],
        returns=None,
        type_comment=None,
    )
    if "type_params" in ast.FunctionDef._fields:
        made.type_params = []  # type: ignore[attr-defined]
    return made


def _check(definition: ast.FunctionDef, others: list[ast.AST]) -> None:
    """Refuse functions that delete local names, or share them with a scope around."""
    for node in ast.walk(definition):
        if isinstance(node, (ast.Global, ast.Nonlocal, ast.Delete)):
            raise UncertainError
    for node in others:
        if isinstance(node, ast.Name) and node.id in FRAME_READERS:
            raise UncertainError


def _captured(nodes: list[ast.AST]) -> set[str]:
    """Names in functions that are made outside of the loop and can be called inside."""
    scopes = (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda, ast.ClassDef, ast.GeneratorExp)
    inner = [node for node in nodes[1:] if isinstance(node, scopes)]  # the first is the function
    return {n.id for scope in inner for n in ast.walk(scope) if isinstance(n, ast.Name)}


def _bound_at(definition: ast.FunctionDef, loop: ast.For, names: frozenset[str]) -> set[str]:
    """The names that are bound for certain where the loop's body starts."""
    given = definition.args
    every = [*given.posonlyargs, *given.args, *given.kwonlyargs, given.vararg, given.kwarg]
    flow = Flow(names, loop)
    flow.block(definition.body, {a.arg for a in every if a is not None})
    if flow.at_loop is None:
        raise UncertainError
    return flow.at_loop
