"""The stubs of what factories make, against what is made."""

from __future__ import annotations

import ast
import inspect
from pathlib import Path

import numpy
import pytest

import numpy_shim.random

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
        node.name: parameters(node.args) for node in found.body if isinstance(node, ast.FunctionDef)
    }


def parameters(arguments: ast.arguments) -> Definition:
    positional = [a.arg for a in arguments.posonlyargs + arguments.args]
    keywords = [a.arg for a in arguments.kwonlyargs]
    optional = positional[len(positional) - len(arguments.defaults) :]
    optional += [a for a, d in zip(keywords, arguments.kw_defaults, strict=True) if d is not None]
    more = [a.arg for a in (arguments.vararg,) if a is not None]
    return [*positional, *more, *keywords], optional


def numpys(function: object) -> Definition:
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
        if getattr(value, "__code__", None) is not None and value.__code__.co_name == "method"
    }
    assert stub.keys() == drawn
