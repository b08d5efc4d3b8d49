"""Make `numpy` in a test file refer to another namespace, and isolate failing statements.

It changes the syntax tree, so that every node keeps its line in NumPy's own file. It writes no
file, and a traceback shows the installed file.

- `import numpy as np` becomes `np = bridge.module("numpy")`, `from numpy.x import y` becomes
  `y = bridge.attribute("numpy.x", "y")`, wherever they stand.
- Each statement of the module and of a class is put into a `try`, so that one that fails at import
  takes down only the names that it would have made: a function then raises what its decorator or
  default raised, a class keeps its tests as tests that fail, another name becomes a placeholder.
"""

from __future__ import annotations

import ast
from typing import Any

from ._files import Function, statements

BRIDGE = "__conformance__"
_ERROR = "__conformance_error__"
_OTHER_NUMPY = "hypothesis.extra"


def rewrite(tree: ast.Module) -> ast.Module:
    """The rewritten tree. The argument is modified."""
    tree = _Imports().visit(tree)
    start = 0
    while start < len(tree.body) and _stays_first(tree.body[start]):
        start += 1
    tree.body[start:] = _guarded(tree.body[start:])
    return ast.fix_missing_locations(tree)


def _stays_first(node: ast.stmt) -> bool:
    docstring = isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)
    return docstring or (isinstance(node, ast.ImportFrom) and node.module == "__future__")


def _is_numpy(name: str | None) -> bool:
    return name is not None and name.split(".")[0] == "numpy"


class _Imports(ast.NodeTransformer):
    """Replaces the imports of NumPy."""

    def visit_Import(self, node: ast.Import) -> Any:
        others = [alias for alias in node.names if not _is_numpy(alias.name)]
        found: list[ast.stmt] = []
        for alias in node.names:
            if _is_numpy(alias.name):
                # `import numpy.linalg` binds `numpy`.
                path = alias.name if alias.asname else "numpy"
                if path != alias.name:
                    used = ast.Expr(_call("module", ast.Constant(alias.name)))
                    found.append(ast.copy_location(used, node))
                found.append(_bind(node, alias.asname or "numpy", "module", path))
        if others:
            found.append(ast.copy_location(ast.Import(others), node))
        return found

    def visit_ImportFrom(self, node: ast.ImportFrom) -> Any:
        module = node.module
        if not (_is_numpy(module) or (module or "").startswith(_OTHER_NUMPY)) or node.level:
            return node
        return [
            _bind(node, alias.asname or alias.name, "attribute", str(module), alias.name)
            for alias in node.names
        ]

    def visit_Compare(self, node: ast.Compare) -> Any:
        """`x is np` compares with the module itself, not with its substitute."""
        self.generic_visit(node)
        if all(isinstance(op, ast.Is | ast.IsNot) for op in node.ops):
            node.comparators = [
                _call("itself", c) if isinstance(c, ast.Name) and c.id == "np" else c
                for c in node.comparators
            ]
        return node


def _call(method: str, *arguments: ast.expr) -> ast.Call:
    function = ast.Attribute(ast.Name(BRIDGE, ast.Load()), method, ast.Load())
    return ast.Call(function, list(arguments), [])


def _bind(node: ast.stmt, name: str, method: str, *arguments: str) -> ast.stmt:
    value = _call(method, *(ast.Constant(a) for a in arguments))
    return ast.copy_location(ast.Assign([ast.Name(name, ast.Store())], value), node)


def _guarded(body: list[ast.stmt]) -> list[ast.stmt]:
    return [_guard(node) for node in body]


def _guard(node: ast.stmt) -> ast.stmt:
    if isinstance(node, ast.ClassDef):
        start = 1 if _stays_first(node.body[0]) else 0
        for held in node.body:
            if isinstance(held, ast.Assign) and isinstance(held.value, ast.Attribute):
                held.value = ast.copy_location(_call("held", held.value), held.value)
        node.body[start:] = _guarded(node.body[start:])
    elif isinstance(node, ast.If | ast.For | ast.With):
        node.body = _guarded(node.body)
        if not isinstance(node, ast.With):
            node.orelse = _guarded(node.orelse)
    elif isinstance(node, ast.Pass) or (isinstance(node, Function) and _cannot_fail(node)):
        return node
    handler = ast.ExceptHandler(ast.Name("Exception", ast.Load()), _ERROR, _instead(node))
    guard = ast.Try([node], [handler], [], [])
    for made in (handler, guard, *handler.body):
        ast.copy_location(made, node)
    return guard


def _cannot_fail(node: Function) -> bool:
    arguments = node.args
    return not (node.decorator_list or arguments.defaults or any(arguments.kw_defaults))


def _instead(node: ast.stmt) -> list[ast.stmt]:
    """The handler of a failed statement: its names get objects that raise the error."""
    error = ast.Name(_ERROR, ast.Load())
    if isinstance(node, Function):
        kind = "fixture" if any("fixture" in ast.dump(d) for d in node.decorator_list) else ""
        value = _call("broken", ast.Constant(node.name), error, ast.Constant(kind))
        return [ast.Assign([ast.Name(node.name, ast.Store())], value)]
    if isinstance(node, ast.ClassDef):
        tests = [n.name for n in statements(node.body) if isinstance(n, Function)]
        names = ast.Constant(" ".join(n for n in tests if n.startswith("test")))
        value = _call("broken_class", ast.Constant(node.name), error, names)
        return [ast.Assign([ast.Name(node.name, ast.Store())], value)]
    made = [
        ast.Assign(
            [ast.Name(name, ast.Store())],
            _call("missing", ast.Constant(name), error),
        )
        for name in _stored(node)
    ]
    return [*made] or [ast.Pass()]


def _stored(node: ast.stmt) -> list[str]:
    """The names that a statement binds in its own scope, not inside functions and classes."""
    if isinstance(node, ast.Import | ast.ImportFrom):
        return [(alias.asname or alias.name).split(".")[0] for alias in node.names]
    found: dict[str, None] = {}
    todo: list[ast.AST] = [node]
    while todo:
        here = todo.pop(0)
        if isinstance(here, Function | ast.ClassDef):
            found[here.name] = None
        elif isinstance(here, ast.Name) and isinstance(here.ctx, ast.Store):
            found[here.id] = None
        elif not isinstance(here, ast.Lambda | ast.ListComp | ast.GeneratorExp | ast.SetComp):
            todo += ast.iter_child_nodes(here)
    return [name for name in found if name != BRIDGE]
