"""errstate, seterr and their like: what is found, what is done, and that it costs nothing else."""

from __future__ import annotations

import contextlib
import io
import threading
import warnings
from typing import Any

import numpy
import pytest
import torch

import numpy_shim
from numpy_shim import _errors

EXPRESSIONS = """
np.divide(1.0, np.array([0.0]))
np.array([1.0]) / 0
np.array([0.0]) / 0
np.log(np.array([0.0]))
np.log(np.array([-1.0]))
np.log1p(np.array([-1.0]))
np.arctanh(np.array([1.0]))
np.array([1e308]) * 10
np.exp(np.array([1000.0]))
np.exp(np.array([-1000.0]))
np.array([1e-308]) * 1e-10
np.array([1e-308]) * 1e-308
np.array([1]) // 0
np.array([1]) % 0
np.array([1], np.uint32) // np.array([0], np.uint32)
np.divmod(np.array([1]), 0)
np.divmod(np.array([1.0]), 0)
np.array([1.0]) // 0
np.array([1.0]) % 0
np.fmod(np.array([1]), 0)
np.power(np.array([0.0]), -1.0)
np.power(np.array([1e300]), 2)
np.power(np.array([-1.0]), 0.5)
np.reciprocal(np.array([0.0]))
np.reciprocal(np.array([0]))
np.sqrt(np.array([-1.0]))
np.array([np.inf]) - np.inf
np.array([127], np.int8) + np.int8(1)
np.array([-128], np.int8) // np.int8(-1)
-np.array([-128], np.int8)
np.add.reduce([1e308, 1e308])
np.multiply.reduce([1e308, 1e308])
np.add(1e308, 1e308)
np.array([60000], np.float16) * 2
np.array([np.nan]) < 1
np.hypot(np.array([1e308]), 1e308)
np.sinh(np.array([1000.0]))
np.ldexp(np.array([1.0]), 2000)
np.array([np.inf]) // 1
np.array([np.inf]) % 1
np.arccos(np.array([2.0]))
np.array([1 + 1j]) / 0
np.log(np.array([0j]))
np.float_power(0.0, -1)
np.cbrt(np.array([-1.0]))
np.tan(np.array([np.inf]))
np.square(np.array([1e200]))
np.spacing(np.array([np.inf]))
np.maximum(np.array([np.nan]), 1)
np.array([1e-320]) + 0.0
np.array([2.0]) * 5e-324
np.array([5e-324]) / 2.0
np.divide([1.0, 2], [0.0, 1], where=[False, True], out=np.zeros(2))
np.add([1, 2], 3)
""".strip().splitlines()


def messages(np: Any, expression: str) -> list[str]:
    with warnings.catch_warnings(record=True) as caught, np.errstate(all="warn"):
        warnings.simplefilter("always")
        eval(expression, {"np": np})
    return [str(w.message) for w in caught]


@pytest.mark.parametrize("expression", EXPRESSIONS)
def test_warnings_are_numpys(expression: str):
    """The same errors are found in the same calls, and told in the same words."""
    assert messages(numpy_shim, expression) == messages(numpy, expression)


def test_nothing_is_looked_for_by_default():
    """The default is to ignore, and says so."""
    assert numpy_shim.geterr() == dict.fromkeys(("divide", "over", "under", "invalid"), "ignore")
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        numpy_shim.ones(1) / 0


def test_raise():
    """Mode ``raise`` raises FloatingPointError before anything is written."""
    out = numpy_shim.zeros(1)
    with numpy_shim.errstate(divide="raise"):
        with pytest.raises(FloatingPointError, match="divide by zero encountered in divide"):
            numpy_shim.divide(numpy_shim.ones(1), 0.0, out=out)
        numpy_shim.sqrt(-numpy_shim.ones(1))
    assert out.tolist() == [0]


def test_operators_are_checked():
    """Operators and in-place operators are ufuncs too."""
    a = numpy_shim.ones(1)
    with numpy_shim.errstate(all="raise"):
        for action in (lambda: a / 0, lambda: a / numpy_shim.zeros(1), lambda: a.__itruediv__(0)):
            with pytest.raises(FloatingPointError):
                action()


def test_call_print_and_log():
    """The handler is called or written to, or the message printed."""
    calls: list[Any] = []
    with numpy_shim.errstate(all="call", call=lambda *a: calls.append(a)):
        numpy_shim.ones(1) / 0
    assert calls == [("divide by zero", 1)]
    log = io.StringIO()
    with numpy_shim.errstate(all="log", call=log):
        numpy_shim.ones(1) / 0
    assert log.getvalue() == "Warning: divide by zero encountered in divide\n"
    printed = io.StringIO()
    with contextlib.redirect_stdout(printed), numpy_shim.errstate(all="print"):
        numpy_shim.ones(1) / 0
    assert printed.getvalue() == "Warning: divide by zero encountered in divide\n"
    with numpy_shim.errstate(all="call"), pytest.raises(NameError):
        numpy_shim.ones(1) / 0


def test_seterr_returns_what_was():
    """seterr, seterrcall and their getters."""
    before = numpy_shim.seterr(divide="raise", over="warn")
    try:
        assert numpy_shim.geterr()["divide"] == "raise"
        assert numpy_shim.geterr()["under"] == "ignore"
        assert not numpy_shim.add._fast
    finally:
        assert numpy_shim.seterr(**before)["over"] == "warn"
    assert torch.float64 in numpy_shim.add._fast
    handler = print
    assert numpy_shim.seterrcall(handler) is None
    assert numpy_shim.geterrcall() is handler
    assert numpy_shim.seterrcall(None) is handler


@pytest.mark.parametrize("np", [numpy, numpy_shim])
def test_refusals(np: Any):
    """A mode that is none, a handler that is none, a context entered twice."""
    with pytest.raises(ValueError, match="mode"):
        np.seterr(all="foo") if np is numpy_shim else np.seterr(all="mode")
    with pytest.raises(TypeError, match="callable"):
        np.seterrcall(3)
    context = np.errstate(all="ignore")
    with context, pytest.raises(TypeError, match="twice"):
        context.__enter__()


def test_decorator_and_nesting():
    """Contexts nest, and decorate functions that may call themselves."""

    @numpy_shim.errstate(divide="raise")
    def divided(n: int) -> Any:
        with numpy_shim.errstate(all="ignore"):
            numpy_shim.ones(1) / 0
        assert numpy_shim.geterr()["divide"] == "raise"
        return divided(n - 1) if n else numpy_shim.ones(1) / 0

    with pytest.raises(FloatingPointError):
        divided(2)
    assert numpy_shim.geterr()["divide"] == "ignore"
    assert not _errors.active


def test_other_threads_are_left_alone():
    """What one thread looks for, another does not."""
    seen: list[Any] = []

    def other() -> None:
        seen.append(numpy_shim.geterr()["divide"])
        seen.append((numpy_shim.ones(1) / 0).tolist())

    with numpy_shim.errstate(all="raise"):
        thread = threading.Thread(target=other)
        thread.start()
        thread.join()
    assert seen == ["ignore", [float("inf")]]


def test_traces():
    """``errstate`` that ignores traces; one that looks for errors says why it cannot."""

    def ignoring(a: Any) -> Any:
        with numpy_shim.errstate(all="ignore"):
            return a / 0.0

    def raising(a: Any) -> Any:
        with numpy_shim.errstate(all="raise"):
            return a / 0.0

    a = numpy_shim.ones(2)
    compiled = torch.compile(ignoring, backend="eager", fullgraph=True)
    assert compiled(a).tolist() == [float("inf")] * 2
    with pytest.raises(Exception, match="trace"):
        torch.compile(raising, backend="eager", fullgraph=True)(a)
