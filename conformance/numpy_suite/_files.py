"""Find the test files and test functions of the installed NumPy without importing them."""

from __future__ import annotations

import ast
import importlib.metadata
import importlib.util
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from fnmatch import fnmatchcase
from functools import cached_property
from pathlib import Path

from .._results import UnableError

AREAS = ("_core", "lib", "linalg", "fft", "random", "polynomial")

Function = ast.FunctionDef | ast.AsyncFunctionDef


class TestsNotFoundError(UnableError):
    """The installed NumPy has no tests, or NumPy is missing; the message tells the two apart."""


@dataclass(frozen=True)
class TestFunction:
    """One test function or method. A method that a class inherits counts in that class."""

    id: str
    file: str
    name: str
    node: Function = field(repr=False, compare=False)
    classes: tuple[ast.ClassDef, ...] = field(repr=False, compare=False, default=())

    @property
    def area(self) -> str:
        return self.file.split("/")[0]


@dataclass(frozen=True)
class TestFile:
    """One file of the suite; `name` is its path in NumPy, such as `fft/tests/test_helper.py`."""

    root: Path
    name: str

    @property
    def path(self) -> Path:
        return self.root / self.name

    @cached_property
    def tree(self) -> ast.Module:
        return ast.parse(self.path.read_bytes(), str(self.path))

    @cached_property
    def functions(self) -> list[TestFunction]:
        """The test functions in the order of the file, as pytest would name them."""
        found: dict[str, TestFunction] = {}
        classes = {n.name: n for n in statements(self.tree.body) if isinstance(n, ast.ClassDef)}
        for node in statements(self.tree.body):
            if isinstance(node, Function) and node.name.startswith("test"):
                test_id = f"{self.name}::{node.name}"
                found[test_id] = TestFunction(test_id, self.name, node.name, node)
            elif isinstance(node, ast.ClassDef) and node.name.startswith("Test"):
                for test in _methods(self.name, self.name, node, classes):
                    found[test.id] = test
        return list(found.values())


def statements(body: Iterable[ast.stmt]) -> Iterator[ast.stmt]:
    """The statements of a module or class, including those in `if`, `with`, `for`, `try`."""
    for node in body:
        yield node
        if isinstance(node, ast.If | ast.With | ast.For | ast.Try):
            for name in ("body", "orelse", "finalbody"):
                yield from statements(getattr(node, name, []))


def lineage(node: ast.ClassDef, classes: dict[str, ast.ClassDef]) -> list[ast.ClassDef]:
    """A class and its bases from the same file, the nearest first."""
    found = [node]
    for base in node.bases:
        known = classes.get(base.id) if isinstance(base, ast.Name) else None
        if known is not None and known is not node:
            found += [c for c in lineage(known, classes) if c not in found]
    return found


def _methods(
    file: str, prefix: str, node: ast.ClassDef, classes: dict[str, ast.ClassDef]
) -> Iterator[TestFunction]:
    family = lineage(node, classes)
    bodies = [list(statements(c.body)) for c in family]
    if any(isinstance(n, Function) and n.name == "__init__" for body in bodies for n in body):
        return  # pytest ignores such a class
    here = f"{prefix}::{node.name}"
    seen: set[str] = set()
    for body in bodies:
        names: dict[str, Function] = {}
        for inner in body:
            if isinstance(inner, Function):
                names[inner.name] = inner
            elif isinstance(inner, ast.ClassDef) and inner.name.startswith("Test"):
                yield from _methods(file, here, inner, classes)
            elif isinstance(inner, ast.Assign):
                # `test_x = None` removes an inherited test.
                seen |= {t.id for t in inner.targets if isinstance(t, ast.Name)}
        for name, method in names.items():
            if name.startswith("test") and name not in seen:
                yield TestFunction(f"{here}::{name}", file, name, method, tuple(family))
        seen |= set(names)


def root(given: str | None = None) -> Path:
    """The folder of `_core/tests` and the others: the installed NumPy's, or a given one.

    Raises TestsNotFoundError where there are no tests.
    """
    if given is not None:
        folder = Path(given).resolve()
        if not files(folder):
            raise TestsNotFoundError(f"{folder} has no tests in folders such as _core/tests")
        return folder
    spec = importlib.util.find_spec("numpy")
    if spec is None or not spec.origin:
        raise TestsNotFoundError("NumPy is not installed: its tests come with it")
    folder = Path(spec.origin).parent
    if not files(folder):
        raise TestsNotFoundError(f"the NumPy in {folder} came without its tests; PyPI's has them")
    return folder


def version() -> str:
    """The version of the installed NumPy."""
    return importlib.metadata.version("numpy")


def files(folder: Path) -> list[TestFile]:
    """The test files of every area."""
    return [
        TestFile(folder, path.relative_to(folder).as_posix())
        for area in AREAS
        for path in sorted((folder / area / "tests").glob("test_*.py"))
    ]


def function_id(test_id: str) -> str:
    """The id without parameters: `f.py::test_x[1-a]` gives `f.py::test_x`."""
    return test_id.partition("[")[0]


def matches(test_id: str, patterns: Sequence[str]) -> bool:
    """Whether a test is selected: a pattern matches a part of its id, with `*` and `?`.

    A pattern with parameters, `test_x[1]`, also matches its function `test_x`.
    """
    return not patterns or any(
        pattern in test_id
        or ("[" not in test_id and "[" in pattern and test_id.endswith(function_id(pattern)))
        or (any(c in pattern for c in "*?") and fnmatchcase(test_id, f"*{pattern}*"))
        for pattern in patterns
    )
