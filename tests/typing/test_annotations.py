"""No public function leaves a type checker in the dark: what it takes and gives is named.

``Any`` inside another type (``dtype[Any]``, ``Callable[..., Any]``) is fine; as a type of its own,
or as one of a union, it makes everything computed from it unknown.
"""

from __future__ import annotations

import importlib
import inspect
from collections.abc import Iterator
from pathlib import Path
from types import FunctionType, ModuleType

import pytest

import numpy_shim
from tests.typing.test_stubs import RANDOM, definitions

ROOT = Path(numpy_shim.__file__).parent
MODULES = [
    "numpy_shim", "numpy_shim.exceptions", "numpy_shim.fft", "numpy_shim.lib",
    "numpy_shim.lib.array_utils", "numpy_shim.lib.format", "numpy_shim.lib.npyio",
    "numpy_shim.lib.scimath", "numpy_shim.lib.stride_tricks", "numpy_shim.linalg",
    "numpy_shim.random", "numpy_shim.typing",
]  # fmt: skip
"""Not ``testing``: the signatures there are NumPy's own."""

IN_STUBS = {"_array/ndarray.py", "_array/scalars.py", "_indexing/fast.py",
            "_indexing/fast_writes.py", "_ufunc/flat.py"}  # fmt: skip
"""Files, and the folders of ``BUILT``, whose functions are typed by ``_array/members.pyi``."""
BUILT = ("_members/", "_interop/")

ANYTHING = {
    "Generator.__reduce__.return": "for pickle alone",
    "NpzFile.f.return": "the arrays of the file are its attributes",
    "RandomState.__getstate__.return": "for pickle alone",
    "RandomState.__reduce__.return": "for pickle alone",
    "RandomState.__setstate__.state": "for pickle alone",
    "NpzFile.fid.return": "what was opened",
    "NpzFile.zip.return": "a ZipFile, or None when closed",
    "frompyfunc.kwargs": "identity, of any type",
    "geterrcall.return": "a handler, of two kinds",
    "jit.return": "a function as the one given; the overloads say so",
    "load.return": "a file of pickles may hold any object",
    "seterrcall.func": "a handler, of two kinds",
    "seterrcall.return": "a handler, of two kinds",
    "vectorize.__call__.args": "what the function takes",
    "vectorize.__call__.kwargs": "what the function takes",
    "vectorize.__call__.return": "what the function gives; or itself, as a decorator",
}
"""Parameters and results that may be of any type, by qualified name, with the reason."""


def public() -> Iterator[FunctionType]:
    """Every function of ours that a user can call, methods of public classes among them."""
    seen: set[object] = set()
    for module in map(importlib.import_module, MODULES):
        names = getattr(module, "__all__", None) or [n for n in vars(module) if n[0] != "_"]
        for name in names:
            yield from functions(getattr(module, name), seen)


def functions(value: object, seen: set[object]) -> Iterator[FunctionType]:
    if isinstance(value, property):
        value = value.fget
    if isinstance(value, (classmethod, staticmethod)):
        value = value.__func__
    if isinstance(value, FunctionType):
        plain = inspect.unwrap(value)  # what the wrapper of ``_host`` adds says nothing of types
        if not isinstance(plain, FunctionType):
            return  # NumPy's own
        value = plain
        file = Path(value.__code__.co_filename)
        if value.__code__ not in seen and file.is_relative_to(ROOT) and file.exists():
            seen.add(value.__code__)
            yield value
    elif isinstance(value, type):
        if value not in seen and value.__module__.partition(".")[0] == "numpy_shim":
            seen.add(value)
            for kind in value.__mro__:
                if kind.__module__.partition(".")[0] == "numpy_shim":
                    for n, v in vars(kind).items():
                        if not n.startswith("_") or n.endswith("__"):
                            yield from functions(v, seen)
    elif not isinstance(value, ModuleType):
        yield from functions(type(value), seen)


def is_any(annotation: str) -> bool:
    """Whether ``Any`` is the type, or one of a union."""
    depth = 0
    parts = [""]
    for c in annotation:
        depth += (c == "[") - (c == "]")
        if c == "|" and not depth:
            parts.append("")
        else:
            parts[-1] += c
    return "Any" in [p.strip() for p in parts]


def unknown() -> Iterator[str]:
    """The parameters and results without a type, as ``function.parameter``."""
    for function in public():
        file = Path(function.__code__.co_filename).relative_to(ROOT).as_posix()
        if file in IN_STUBS or file.startswith(BUILT) or function.__code__.co_name == "method":
            continue
        name = function.__qualname__
        for parameter in inspect.signature(function).parameters:
            annotation = function.__annotations__.get(parameter)
            first = parameter in ("self", "cls")
            if is_any(str(annotation)) or (annotation is None and not first):
                yield f"{name}.{parameter}"
        if is_any(str(function.__annotations__.get("return", "Any"))):
            yield f"{name}.return"


def test_every_public_function_is_typed():
    assert sorted(unknown()) == sorted(ANYTHING)


@pytest.mark.parametrize("name", ["Generator", "RandomState"])
def test_what_factories_draw_is_in_the_stub(name: str):
    """The functions left out above, of one code ``method``, are those of the stub."""
    made = {
        n
        for n, v in vars(getattr(numpy_shim.random, name)).items()
        if isinstance(v, FunctionType) and v.__code__.co_name == "method"
    }
    assert made == definitions(RANDOM, f"{name}Methods").keys()


@pytest.mark.parametrize(
    ("annotation", "expected"),
    [("Any", True), ("Any | None", True), ("ndarray | Any", True), ("Callable[..., Any]", False),
     ("dict[str, Any] | None", False), ("ArrayLike", False)],
)  # fmt: skip
def test_is_any(annotation: str, expected: bool):
    assert is_any(annotation) is expected
