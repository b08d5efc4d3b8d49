"""Dtypes that torch cannot store, switched off: each call with one is an error."""

from __future__ import annotations

import contextlib
import contextvars
import threading
from collections.abc import Callable
from typing import Any

import numpy
import pytest

import numpy_shim

WORDS = ["b", "a", "b"]
REFUSED: dict[str, tuple[Callable[[Any], Any], str]] = {
    "array": (lambda np: np.array(WORDS), "array: object holds str: dtype str has no storage"),
    "object": (lambda np: np.array([None]), "array: object holds NoneType: dtype object"),
    "asarray": (lambda np: np.asarray(numpy.array(WORDS)), "asarray: a has dtype <U1"),
    "dtype": (lambda np: np.zeros(2, "U3"), "zeros: dtype <U3 has no storage in torch"),
    "astype": (lambda np: np.arange(2).astype(object), "astype: dtype object has no storage"),
    "ufunc": (lambda np: np.add(numpy.array(WORDS), 1), "add: x1 has dtype <U1"),
    "operator": (lambda np: np.arange(3) + numpy.array(WORDS), "add: x2 has dtype <U1"),
    "reduction": (lambda np: np.max(numpy.array([1], "m8[s]")), "max: a has dtype timedelta64"),
    "set": (
        lambda np: np.zeros(3).__setitem__(..., numpy.array([1], "m8[s]")),
        "no storage",
    ),
    "vectorize": (lambda np: np.vectorize(str)(numpy.array(WORDS)), "has dtype <U1"),
    "ndarray": (lambda np: np.ndarray(2, "U3"), "ndarray: dtype <U3 has no storage"),
    "r_": (lambda np: np.r_[numpy.array(WORDS)], "a has dtype <U1"),
    "dates": (lambda np: np.busday_count("2020-01-01", "2020-01-02"), "no storage in torch"),
}


@pytest.mark.parametrize("name", REFUSED)
def test_switched_off(name: str):
    """``set_host_dtypes("error")`` makes each a ``TypeError`` that names what is refused."""
    body, message = REFUSED[name]
    with contextlib.suppress(numpy._core._exceptions._UFuncNoLoopError):
        body(numpy_shim)
    with numpy_shim.set_host_dtypes("error"), pytest.raises(TypeError, match=message):
        body(numpy_shim)


def test_the_switch_belongs_to_the_context():
    """A thread starts with NumPy's arrays, and a block ends with what was before."""
    found: list[Any] = []
    with numpy_shim.set_host_dtypes("error"):
        thread = threading.Thread(target=lambda: found.append(numpy_shim.array(WORDS)))
        thread.start()
        thread.join()
        with numpy_shim.set_host_dtypes("numpy"):
            found.append(numpy_shim.array(WORDS))
        with pytest.raises(TypeError):
            numpy_shim.array(WORDS)
    contextvars.copy_context().run(numpy_shim.set_host_dtypes, "error")
    found.append(numpy_shim.array(WORDS))
    assert [type(x) for x in found] == [numpy.ndarray] * 3
    with pytest.raises(ValueError, match="must be 'numpy' or 'error'"):
        numpy_shim.set_host_dtypes("torch")
