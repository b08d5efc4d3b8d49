"""The docstrings of numpy_shim: everything public has one, and every example runs."""

from __future__ import annotations

import inspect
from collections.abc import Iterator
from typing import Any

import pytest

import numpy_shim
from numpy_shim import fft, linalg, random
from numpy_shim.lib import array_utils, scimath, stride_tricks
from tests.test_docs import run_examples

MODULES = {
    "": numpy_shim, "linalg": linalg, "fft": fft, "random": random, "lib.scimath": scimath,
    "lib.array_utils": array_utils, "lib.stride_tricks": stride_tricks,
}  # fmt: skip


def is_ours(value: Any) -> bool:
    """Whether a function or class is written here: NumPy's ufunc texts and dtypes are not."""
    home = getattr(value, "__module__", "") or ""
    return home.startswith("numpy_shim") and not isinstance(value, numpy_shim.ufunc)


def documented() -> Iterator[tuple[str, Any]]:
    for prefix, module in MODULES.items():
        for name, value in vars(module).items():
            if name.startswith("_") or not callable(value) or not is_ours(value):
                continue
            if prefix == "random" and name not in ("default_rng", "set_stream", "Generator"):
                continue  # bound methods with NumPy's texts
            yield f"{prefix}.{name}".lstrip("."), value
    for name in dir(numpy_shim.ndarray):
        member = inspect.getattr_static(numpy_shim.ndarray, name)
        if not name.startswith("_"):
            yield f"ndarray.{name}", member


DOCUMENTED = {name: inspect.getdoc(value) for name, value in documented()}
WITH_EXAMPLES = {name: doc for name, doc in DOCUMENTED.items() if doc and ">>> " in doc}


@pytest.mark.parametrize("name", DOCUMENTED)
def test_public_object_is_documented(name: str):
    assert DOCUMENTED[name], name


@pytest.mark.parametrize("name", WITH_EXAMPLES)
def test_docstring_example(name: str):
    """Every example in a public docstring gives what it says."""
    run_examples(WITH_EXAMPLES[name], name)


# How many public functions have each part; no change may lower a number. 100 % is the aim.
PARTS = {"Parameters": 215, "Returns": 145, "Raises": 112, "Examples": 325}


def public_functions() -> dict[str, str]:
    """The docstrings of the functions written here that `__all__` of a namespace names."""
    found = {}
    for prefix, module in MODULES.items():
        for name in module.__all__:
            value = getattr(module, name)
            if inspect.isfunction(value) and is_ours(value) and prefix != "random":
                found[f"{prefix}.{name}".lstrip(".")] = inspect.getdoc(value) or ""
    return found


@pytest.mark.parametrize("part", PARTS)
def test_docstrings_do_not_lose_parts(part: str):
    """The number of functions with each section is at least the one that stands here."""
    having = sum(f"{part}\n{'-' * len(part)}" in doc for doc in public_functions().values())
    assert having >= PARTS[part], f"{having} of {len(public_functions())}"


def test_every_example_is_in_its_section():
    """The site shows an example as code only in a section of its own."""
    loose = [
        n for n, doc in public_functions().items() if ">>> " in doc and "Examples\n" not in doc
    ]
    assert loose == []
