"""Read from a test function's source which names it uses.

This includes what it uses from its own file: helpers, constants, fixtures, the setup and the
attributes of its class, and its decorators.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator
from functools import cache

from ._files import Function, TestFile, TestFunction, lineage, statements

SETUP = ("setup_method", "setup_class", "setup", "teardown_method", "teardown_class")


class _Reader(ast.NodeVisitor):
    """Reads one piece of source.

    `names` are identifiers; `np.x` is one that is an attribute of NumPy's module, `.x` and `.x.y`
    attributes of anything. `reached` are names of the file, `own` attributes of the class;
    `any_own` says that the source reads attributes of the class by computed names.
    """

    def __init__(self) -> None:
        self.names: set[str] = set()
        self.reached: set[str] = set()
        self.own: set[str] = set()
        self.any_own = False

    def visit_Name(self, node: ast.Name) -> None:
        if isinstance(node.ctx, ast.Load):
            self.names.add(node.id)
            self.reached.add(node.id)

    def visit_Attribute(self, node: ast.Attribute) -> None:
        self.names.add(f".{node.attr}")
        if isinstance(node.value, ast.Attribute):
            self.names.add(f".{node.value.attr}.{node.attr}")
        if isinstance(node.value, ast.Name):
            if node.value.id in ("np", "numpy"):
                self.names.add(f"np.{node.attr}")
            elif node.value.id in ("self", "cls"):
                self.own.add(node.attr)
        self.generic_visit(node)

    def visit_FunctionDef(self, node: ast.FunctionDef) -> None:
        arguments = node.args
        # A parameter name refers to a fixture.
        self.reached |= {a.arg for a in (*arguments.args, *arguments.kwonlyargs)}
        self.generic_visit(node)

    def visit_Call(self, node: ast.Call) -> None:
        name = node.func.id if isinstance(node.func, ast.Name) else ""
        if name == "getattr" and isinstance(node.args[0], ast.Name):
            self.any_own |= node.args[0].id == "self"
        self.generic_visit(node)

    def visit_Import(self, node: ast.Import) -> None:
        self.names |= {alias.name for alias in node.names}

    def visit_ImportFrom(self, node: ast.ImportFrom) -> None:
        for alias in node.names:
            self.names |= {str(node.module), f"{node.module}.{alias.name}"}


def _one_by_one(node: ast.stmt) -> list[ast.stmt]:
    """Split an import of several names, because a user of one does not use the others."""
    if isinstance(node, ast.Import):
        return [ast.Import([alias]) for alias in node.names]
    if isinstance(node, ast.ImportFrom):
        return [ast.ImportFrom(node.module, [alias], node.level) for alias in node.names]
    return [node]


@cache
def _definitions(file: TestFile) -> dict[str, list[ast.stmt]]:
    """The statements that define each name of a file."""
    found: dict[str, list[ast.stmt]] = {}
    for node in statements(file.tree.body):
        for part in _one_by_one(node):
            for name in _bound(part):
                found.setdefault(name, []).append(part)
    return found


@cache
def _classes(file: TestFile) -> dict[str, ast.ClassDef]:
    return {n.name: n for n in statements(file.tree.body) if isinstance(n, ast.ClassDef)}


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


def names_used(file: TestFile, test: TestFunction) -> set[str]:
    """The names that a test function uses, itself and through what it uses of its file."""
    definitions, classes = _definitions(file), _classes(file)
    found: set[str] = set()
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
        found |= reader.names
        if reader.any_own:
            for owner in test.classes:
                todo += [n for n in owner.body if isinstance(n, ast.Assign)]
        for name in reader.own | reader.reached:
            todo += _class_part(name, test.classes)
        for name in reader.reached:
            todo += definitions.get(name, [])
        if isinstance(node, ast.ClassDef):
            todo += lineage(node, classes)[1:]
    return found


def _skipped(node: ast.stmt) -> bool:
    """Whether a reference is ignored: a test class, or NumPy itself."""
    if isinstance(node, ast.ClassDef):
        return node.name.startswith("Test")
    if isinstance(node, ast.Import):
        return all(a.name == "numpy" for a in node.names)
    return False
