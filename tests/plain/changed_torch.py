"""Run programs with a torch whose private names are not what our rules were written for.

``python -m tests.plain.changed_torch FILE CHANGE [--without] TARGET...`` changes each target, a
``"module:Owner.name"`` of torch, in torch's own source as it is imported, and everywhere that torch
uses it, so that torch works as before. Then it imports our packages, unless ``--without``, runs
programs, and writes what became of them to the file, as JSON. The changes:

- ``gone``: torch has another name for it.
- ``required``: the function has one more parameter, and it is the first; torch's callers pass it.
- ``keyword``: the function has one more keyword, and torch's callers pass it.

A name that many things have (``add``) is changed only in its class, and where torch
asks an object for it whose name in the source ``OWNERS`` tells. ``__init__`` has no other name: the
class has, and its parameters are passed where torch calls the class.
"""

from __future__ import annotations

import argparse
import ast
import functools
import importlib.machinery
import json
import re
import subprocess
import sys
from pathlib import Path
from types import CodeType, FunctionType
from typing import Any, NamedTuple

from .processes import ROOT, environment

CHANGES = ("gone", "required", "keyword")
OWNERS = {
    "torch._guards:GuardsSet.add": r"(^|\.|dynamo_)guards$|^self$",
}
"""For names that other things have too: how the objects are called that torch asks for them."""
NOT_GRAPHS = {"call_function", "call_method"}
"""Names that all of Dynamo's variables have, and ``torch.fx.Graph``, for which they are words."""


class Target(NamedTuple):
    """One private name of torch, and how it changes."""

    text: str
    module: str
    owner: str
    name: str
    change: str
    receiver: re.Pattern[str] | None

    @classmethod
    def of(cls, text: str, change: str) -> Target:
        module, _, path = text.partition(":")
        owner, _, name = path.rpartition(".")
        if name == "__init__" and change == "gone":
            owner, name = "", owner
        receiver = OWNERS.get(text, r"(?<!graph)$" if name in NOT_GRAPHS else "")
        return cls(text, module, owner, name, change, re.compile(receiver) if receiver else None)

    @property
    def called(self) -> str:
        """What torch calls: a class, to make an object."""
        return self.owner if self.name == "__init__" else self.name

    @property
    def only_in_class(self) -> bool:
        return self.name == "__init__" or self.text in OWNERS


_NEW = "of_a_later_torch"


class _Changer(ast.NodeTransformer):
    """Changes a target in the text of one module."""

    def __init__(self, target: Target) -> None:
        self.target = target
        self.classes: list[str] = []
        self.called: set[ast.expr] = set()
        self.changed = False

    def visit_ClassDef(self, node: ast.ClassDef) -> ast.AST:
        self.classes.append(node.name)
        self.generic_visit(node)
        self.classes.pop()
        if self._renames(node.name):
            node.name, self.changed = self._new_name(), True
        return node

    def visit_FunctionDef(self, node: ast.FunctionDef) -> ast.AST:
        target = self.target
        if node.name == target.name and (
            not target.only_in_class or self.classes[-1:] == [target.owner]
        ):
            self.changed |= self.classes[-1:] == ([target.owner] if target.owner else [])
            if target.change == "gone":
                node.name = self._new_name()
            elif target.change == "keyword":
                node.args.kwonlyargs.append(ast.arg(_NEW))
                node.args.kw_defaults.append(ast.Constant(None))
            else:
                static = any(ast.unparse(d) == "staticmethod" for d in node.decorator_list)
                place = 1 if self.classes and not static else 0
                node.args.args.insert(place, ast.arg(_NEW))
        classes, self.classes = self.classes, []  # functions in here are no methods
        self.generic_visit(node)
        self.classes = classes
        return node

    def visit_Call(self, node: ast.Call) -> ast.AST:
        passes = self.target.change != "gone" and self._is_asked(node.func)
        if passes:
            self.called.add(node.func)
        self.generic_visit(node)
        if passes and self.target.change == "keyword":
            node.keywords.append(ast.keyword(_NEW, ast.Constant(1)))
        elif passes:
            node.args.insert(0, ast.Constant(1))
        return node

    def visit_Attribute(self, node: ast.Attribute) -> ast.AST:
        asked = self._is_asked(node)
        self.generic_visit(node)
        if asked and self.target.change == "gone":
            node.attr = self._new_name()
            return node
        return self._passed_on(node) if asked else node

    def _passed_on(self, node: ast.Attribute | ast.Name) -> ast.expr:
        """The function, or one that passes the new parameter if torch calls it by another name."""
        if self.target.change != "required" or node in self.called or not _is_read(node):
            return node
        helper = ast.parse(f"__import__({__spec__.name!r}, fromlist='*').passing", mode="eval").body
        return ast.Call(helper, [node], [])

    def visit_Name(self, node: ast.Name) -> ast.AST:
        if self._renames(node.id):
            node.id = self._new_name()
            return node
        return self._passed_on(node) if self._is_asked(node) else node

    def visit_alias(self, node: ast.alias) -> ast.AST:
        if self._renames(node.name):
            node.name = self._new_name()
        return node

    def visit_Constant(self, node: ast.Constant) -> ast.AST:
        if isinstance(node.value, str) and self._renames(node.value):
            node.value = self._new_name()
        return node

    def _renames(self, name: str) -> bool:
        return (
            self.target.change == "gone" and name == self.target.name and not self.target.receiver
        )

    def _new_name(self) -> str:
        return f"{self.target.name}_{_NEW}"

    def _is_asked(self, node: ast.expr) -> bool:
        """Whether the text reads the name, of an object that may have it."""
        if isinstance(node, ast.Name):
            return node.id == self.target.called and not self.target.receiver
        return (
            isinstance(node, ast.Attribute)
            and node.attr == self.target.called
            and (
                not self.target.receiver
                or bool(self.target.receiver.search(ast.unparse(node.value)))
            )
        )


def _is_read(node: ast.Attribute | ast.Name) -> bool:
    return isinstance(node.ctx, ast.Load)


def passing(function: Any) -> Any:
    """A function that passes the parameter that its own callers do not know."""
    if isinstance(function, type) or not callable(function):
        return function
    unbound = isinstance(function, FunctionType) and "." in function.__qualname__

    @functools.wraps(function)
    def passed(*args: Any, **kwargs: Any) -> Any:
        return function(*args[:unbound], 1, *args[unbound:], **kwargs)

    return passed


def _uses(target: Target, module: str) -> bool:
    """Whether a module of torch may use the name: all may, but Dynamo only asks by common names."""
    places = ("torch._dynamo", "torch._guards") if target.receiver else ("torch",)
    return any(f"{module}.".startswith(f"{place}.") for place in places)


def change_torch(targets: list[Target]) -> set[str]:
    """Change the targets in torch, which is imported later; the names that were there, by then."""
    assert "torch" not in sys.modules
    plain = importlib.machinery.SourceFileLoader.get_code
    found: set[str] = set()

    def get_code(self: Any, fullname: str) -> CodeType | None:
        concerned = [target for target in targets if _uses(target, fullname)]
        if not concerned:
            return plain(self, fullname)
        path = self.get_filename(fullname)
        text = Path(path).read_text("utf-8")
        used = [target for target in concerned if re.search(rf"\b{target.called}\b", text)]
        if not used:
            return plain(self, fullname)
        tree = ast.parse(text)
        for target in used:
            changer = _Changer(target)
            tree = changer.visit(tree)
            if fullname == target.module and changer.changed:
                found.add(target.text)
        return compile(ast.fix_missing_locations(tree), path, "exec", dont_inherit=True)

    importlib.machinery.SourceFileLoader.get_code = get_code  # type: ignore[method-assign]
    return found


PLAIN = (
    "f_string_of_an_object", "isinstance_of_objects", "class_of_objects", "slices",
    "comparisons_of_symbolic_numbers", "minimum_and_maximum", "array_functions",
    "scalar_argument_of_float64", "array_assignments", "subclass_in_a_list", "objects_matmul",
    "objects_without_a_tensor_in_sight", "module_forward_and_backward", "graph_break",
    "arrays_exchanged", "rows_then_columns",
)  # fmt: skip
"""The plain programs that run with a change; the last two, which inductor compiles, with one of it.

The others compile without inductor, and no change of Dynamo reaches what inductor does.
"""


def run(folder: Path, change: str, targets: list[str], *, without: bool) -> dict[str, Any]:
    """What becomes of the programs in a process with a changed torch, with our packages or not."""
    file = folder / f"{change}-{'without' if without else 'beside'}.json"
    command = [sys.executable, "-m", "tests.plain.changed_torch", str(file), change, *targets]
    done = subprocess.run(
        [*command, *(["--without"] if without else [])], cwd=ROOT, env=environment(),
        capture_output=True, text=True, timeout=500, check=False,
    )  # fmt: skip
    assert not done.returncode, done.stderr[-3000:]
    result: dict[str, Any] = json.loads(file.read_text())
    assert set(result["found"]) == set(targets)  # one that torch does not have changes nothing
    return result


def main(arguments: list[str]) -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("file", type=Path)
    parser.add_argument("change", choices=CHANGES)
    parser.add_argument("targets", nargs="*")
    parser.add_argument("--without", action="store_true")
    given = parser.parse_args(arguments)
    found = change_torch([Target.of(text, given.change) for text in given.targets])
    from tests import quick_compiler

    quick_compiler.use()
    if not given.without:
        from .collect import import_ours

        import_ours()
    from . import programs
    from .recording import CODED, outcome

    quick_compiler.use()
    assert programs.TOPICS
    coded = given.without or any("_inductor" in target for target in given.targets)
    result: dict[str, Any] = {
        "plain": {name: outcome(name) for name in PLAIN if coded or name not in CODED},
        "found": sorted(found),
    }
    if not given.without:
        from .our_programs import outcomes

        result["ours"] = outcomes(coded)
    given.file.write_text(json.dumps(result))


if __name__ == "__main__":
    main(sys.argv[1:])
