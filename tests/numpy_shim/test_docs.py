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
