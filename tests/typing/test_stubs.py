"""The stubs of what factories make, against what is made."""

from __future__ import annotations

import ast
import inspect
from collections.abc import Callable
from pathlib import Path
from types import FunctionType

import numpy
import pytest

import numpy_shim.random
from numpy_shim._array.ndarray import _AnyArray

MEMBERS = Path(numpy_shim.__file__).parent / "_array" / "members.pyi"
RANDOM = Path(numpy_shim.random.__file__).with_name("_methods.pyi")
Definition = tuple[list[str], list[str]]


def definitions(file: Path, name: str) -> dict[str, Definition]:
    """The last definition of each method in a class of a stub: parameters, and the optional ones.

    The last overload is the one that takes everything.
    """
    (found,) = [
        node
        for node in ast.parse(file.read_text(encoding="utf-8")).body
        if isinstance(node, ast.ClassDef) and node.name == name
    ]
    return {
        node.name: parameters(node.args)
        for node in found.body
        if isinstance(node, ast.FunctionDef) and not is_property(node)
    }


def properties(file: Path, name: str) -> dict[str, bool]:
    """The properties in a class of a stub, and whether they may be assigned to."""
    (found,) = [
        node
        for node in ast.parse(file.read_text(encoding="utf-8")).body
        if isinstance(node, ast.ClassDef) and node.name == name
    ]
    nodes = [n for n in found.body if isinstance(n, ast.FunctionDef) and is_property(n)]
    return {n.name: len([m for m in nodes if m.name == n.name]) == 2 for n in nodes}


def is_property(node: ast.FunctionDef) -> bool:
    """Whether a function of a stub is a property or its setter; overloads are none."""
    decorators = {ast.unparse(d) for d in node.decorator_list}
    return "property" in decorators or f"{node.name}.setter" in decorators


def parameters(arguments: ast.arguments) -> Definition:
    positional = [a.arg for a in arguments.posonlyargs + arguments.args]
    keywords = [a.arg for a in arguments.kwonlyargs]
    optional = positional[len(positional) - len(arguments.defaults) :]
    optional += [a for a, d in zip(keywords, arguments.kw_defaults, strict=True) if d is not None]
    more = [a.arg for a in (arguments.vararg,) if a is not None]
    others = [a.arg for a in (arguments.kwarg,) if a is not None]
    return [*positional, *more, *keywords, *others], optional


def numpys(function: Callable[..., object]) -> Definition:
    found = list(inspect.signature(function).parameters.values())
    return [p.name for p in found], [p.name for p in found if p.default is not p.empty]


@pytest.mark.parametrize("name", ["Generator", "RandomState"])
def test_distributions_have_numpys_parameters(name: str):
    """The stub names every method that draws, with NumPy's parameters and no others."""
    stub = definitions(RANDOM, f"{name}Methods")
    reference = getattr(numpy.random, name)
    assert stub == {method: numpys(getattr(reference, method)) for method in stub}
    drawn = {
        method
        for method, value in vars(getattr(numpy_shim.random, name)).items()
        if isinstance(value, FunctionType) and value.__code__.co_name == "method"
    }
    assert stub.keys() == drawn


NOT_IN_STUB = {
    "__array_function__": "called by NumPy only",
    "__array_ufunc__": "called by NumPy only",
    "__torch_function__": "called by torch only",
    "__imatmul__": "to type checkers, x @= y is x = x @ y",
    "__hash__": "None, which the class itself says",
}
"""What is hung on arrays and is not in the stub, with the reason."""


def hung() -> dict[str, object]:
    """What the modules above ``ndarray.py`` put on arrays."""
    own = {"dtype", "device", "ndim", "size", "tensor", "_flat_dtype", "__array_priority__",
           "__class_getitem__"}  # fmt: skip
    python = {"__module__", "__doc__", "__slots__", "__annotations__", "__firstlineno__",
              "__static_attributes__", "__dict__", "__weakref__", "__annotate_func__",
              "__annotations_cache__"}  # fmt: skip
    members = {**vars(_AnyArray), "__len__": numpy_shim.ndarray.__len__}  # no scalar has a length
    return {n: v for n, v in members.items() if n not in own | python}


def test_members_are_those_of_arrays():
    """The stub names everything that is hung on arrays, and nothing else."""
    methods = {
        **definitions(MEMBERS, "Protocols"), **definitions(MEMBERS, "Methods"),
        **definitions(MEMBERS, "Operators"),
    }  # fmt: skip
    assert methods.keys() | properties(MEMBERS, "Attributes") == hung().keys() - NOT_IN_STUB.keys()
    assert hung().keys() >= NOT_IN_STUB.keys()
    attributes = {n: v for n, v in hung().items() if isinstance(v, property)}
    assert properties(MEMBERS, "Attributes").keys() == attributes.keys()
    for name, may_be_set in properties(MEMBERS, "Attributes").items():
        if may_be_set:
            assert attributes[name].fset is not None, name


@pytest.mark.parametrize("name", definitions(MEMBERS, "Methods"))
def test_methods_have_these_parameters(name: str):
    assert definitions(MEMBERS, "Methods")[name] == numpys(getattr(numpy_shim.ndarray, name))
