"""Which local names statements read and bind, in the order in which they run."""

from __future__ import annotations

import ast

FRAME_READERS = frozenset({"locals", "vars", "dir", "eval", "exec", "super", "__class__"})
"""Names that see the local names of the function that reads them."""


class UncertainError(Exception):
    """A body is not certain to do the same as a function of its own."""


class Flow:
    """Goes through statements in order, and notes which local names they read and bind.

    Without ``until``, a statement that a body may not have is an error; with it, such statements
    bind nothing for certain.
    """

    def __init__(self, names: frozenset[str], until: ast.For | ast.While | None = None) -> None:
        self._names = names
        self._until = until
        self.before_loop: set[str] | None = None
        self.at_loop: set[str] | None = None
        self.exposed: set[str] = set()  # read where they are not bound for certain
        self.stored: set[str] = set()

    def block(self, statements: list[ast.stmt], bound: set[str], in_loop: bool = False) -> set[str]:
        """The names that are bound after the statements; `bound` are those before."""
        for statement in statements:
            bound = self._statement(statement, bound, in_loop)
        return bound

    def _statement(self, s: ast.stmt, bound: set[str], in_loop: bool) -> set[str]:
        if isinstance(s, ast.Assign):
            self._read(s.value, bound)
            return bound.union(*(self._bind(target, bound) for target in s.targets))
        if isinstance(s, ast.AnnAssign) and s.value is not None:
            self._read(s.value, bound)
            return bound | self._bind(s.target, bound)
        if isinstance(s, ast.AugAssign):
            self._read(s.value, bound)
            if isinstance(s.target, ast.Name):
                self._read(ast.Name(s.target.id, ast.Load()), bound)
            return bound | self._bind(s.target, bound)
        if isinstance(s, (ast.Expr, ast.Assert, ast.Raise)):
            self._read(s, bound)
            return bound
        if isinstance(s, ast.If):
            self._read(s.test, bound)
            return self.block(s.body, bound, in_loop) & self.block(s.orelse, bound, in_loop)
        if isinstance(s, (ast.For, ast.While)):
            return self._loop(s, bound, in_loop)
        if isinstance(s, ast.With) and is_errstate(s):
            for item in s.items:
                self._read(item.context_expr, bound)
                if item.optional_vars is not None:
                    bound = bound | self._bind(item.optional_vars, bound)
            return self.block(s.body, bound, in_loop)
        if isinstance(s, ast.Pass) or (in_loop and isinstance(s, (ast.Break, ast.Continue))):
            return bound
        if self._until is None:
            raise UncertainError
        if isinstance(s, (ast.Import, ast.ImportFrom)):
            return bound | {a.asname or a.name.partition(".")[0] for a in s.names}
        if isinstance(s, (ast.FunctionDef, ast.ClassDef)):
            return bound | {s.name}
        if isinstance(s, ast.Try):  # a handler unbinds its name
            return bound - {handler.name or "" for handler in s.handlers}
        return bound

    def _loop(self, s: ast.For | ast.While, bound: set[str], in_loop: bool) -> set[str]:
        inside = bound
        if isinstance(s, ast.For):
            self._read(s.iter, bound)
            inside = bound | self._bind(s.target, bound)
        else:
            self._read(s.test, bound)
        if s is self._until:
            self.before_loop, self.at_loop = bound, inside
        self.block(s.body, inside, True)
        self.block(s.orelse, bound, in_loop)
        return bound  # there may be no step

    def _bind(self, target: ast.expr, bound: set[str]) -> set[str]:
        """The names that an assignment to `target` binds."""
        if isinstance(target, ast.Name):
            if target.id not in self._names and self._until is None:
                raise UncertainError
            self.stored.add(target.id)
            return {target.id}
        if isinstance(target, ast.Starred):
            return self._bind(target.value, bound)
        if isinstance(target, (ast.Tuple, ast.List)):
            return set().union(*(self._bind(item, bound) for item in target.elts))
        self._read(target, bound)
        return set()

    def _read(self, node: ast.AST, bound: set[str]) -> None:
        """Note the local names that an expression reads."""
        if isinstance(node, ast.Name):
            if node.id in FRAME_READERS and self._until is None:
                raise UncertainError
            if node.id in self._names and node.id not in bound:
                self.exposed.add(node.id)
            return
        if isinstance(node, (ast.ListComp, ast.SetComp, ast.DictComp)):
            made = {
                n.id
                for comprehension in node.generators
                for n in ast.walk(comprehension.target)
                if isinstance(n, ast.Name)
            }
            # The first iterable is read outside, where a name of the comprehension is another.
            self._read(node.generators[0].iter, bound)
            bound = bound | made
        elif self._until is None and isinstance(
            node,
            (ast.NamedExpr, ast.Lambda, ast.GeneratorExp, ast.Await, ast.Yield, ast.YieldFrom),
        ):
            raise UncertainError
        for child in ast.iter_child_nodes(node):
            self._read(child, bound)


def is_errstate(statement: ast.With) -> bool:
    """Whether a ``with`` sets what NumPy does with floating-point errors, and nothing else."""
    calls = [item.context_expr for item in statement.items]
    return all(
        isinstance(call, ast.Call)
        and (
            (isinstance(call.func, ast.Name) and call.func.id == "errstate")
            or (isinstance(call.func, ast.Attribute) and call.func.attr == "errstate")
        )
        for call in calls
    )
