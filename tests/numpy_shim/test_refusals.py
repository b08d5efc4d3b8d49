"""Calls that are refused: as by NumPy, and with the errors that a Raises section names.

A docstring has such a section where an error differs from NumPy's, or surprises.
"""

from __future__ import annotations

import builtins
import inspect
import io
import re
import warnings
from types import ModuleType
from typing import Any

import numpy
import pytest
import scipy.special

import numpy_shim
from numpy_shim._members.function_methods import Thin
from tests.numpy_shim.refused_calls import REFUSED
from tests.numpy_shim.test_docs import FUNCTIONS, METHODS

OURS: dict[str, str] = {
    "np.lib.stride_tricks.as_strided(np.ones(3), (20,), (8,))": "no view leaves its memory",
    "np.special.factorial([5, 6], exact=True)": "its integers have any size",
    'np.special.factorial(3, extend="complex")': "not implemented",
    "np.special.logsumexp([1j])": "not implemented",
}
"""Calls that NumPy takes, each with the reason why numpy_shim refuses it."""
DOCS = {**FUNCTIONS, **METHODS}


def name_of(call: str) -> str:
    return call.partition("(")[0].removeprefix("np.")


def errors_of(name: str) -> list[type[BaseException]]:
    """The error types that the docstring of a function names."""
    doc = inspect.getdoc(DOCS[name]) or ""
    section = re.search(r"^Raises\n------\n(.*?)(?=^\w+\n---|\Z)", doc, re.M | re.S)
    assert section, name
    found = []
    for line in re.findall(r"^(\w[\w, ]*)$", section[1], re.M):
        for error in line.split(", "):
            for home in (builtins, numpy.exceptions, numpy.linalg, numpy_shim.exceptions):
                if hasattr(home, error):
                    found.append(getattr(home, error))
                    break
            else:
                raise AssertionError(f"{name} names {error}, which is no error type")
    return found


def refused(module: ModuleType, call: str) -> BaseException | None:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            a = numpy.arange(6).reshape(2, 3)
            a = module.array(a) if hasattr(module, "array") else a
            eval(call, {"np": module, "io": io, "a": a})
        except Exception as error:
            return error
    return None


def public_type(error: BaseException | None) -> type:
    """The type by which a program catches an error: NumPy's private ones are of Python's types."""
    return next(t for t in type(error).__mro__ if not t.__module__.startswith("numpy._core"))


@pytest.mark.parametrize("call", REFUSED)
def test_a_call_is_refused_as_by_numpy(call: str):
    """A program that catches NumPy's error catches this one, and a Raises section names it."""
    reference: Any = scipy if call.startswith("np.special.") else numpy
    ours, theirs = refused(numpy_shim, call), refused(reference, call)
    assert ours is not None
    name = name_of(call)
    named = [t for t in errors_of(name) if isinstance(ours, t)] if has_refusals(name) else []
    assert named or not has_refusals(name), f"{type(ours).__name__}: {ours}"
    if call in OURS:
        assert theirs is None, "remove it from OURS"
    elif not hasattr(reference, name.partition(".")[0]):
        assert isinstance(theirs, AttributeError)  # a function that NumPy does not have
    else:
        assert isinstance(ours, public_type(theirs)) or any(isinstance(theirs, t) for t in named)


def has_refusals(name: str) -> bool:
    """Whether a docstring names errors; a method made of a function has the function's."""
    owner, _, member = name.partition(".")
    is_function = owner == "ndarray" and vars(Thin).get(member) is vars(numpy_shim).get(member, 0)
    return "Raises\n------" in (inspect.getdoc(DOCS[name]) or "") and not is_function


@pytest.mark.parametrize("name", [name for name in DOCS if has_refusals(name)])
def test_every_documented_error_is_raised(name: str):
    """No docstring names an error type that no call here raises."""
    raised: list[Any] = [refused(numpy_shim, c) for c in REFUSED if name_of(c) == name]
    missing = [t.__name__ for t in errors_of(name) if not any(isinstance(e, t) for e in raised)]
    assert missing == []
