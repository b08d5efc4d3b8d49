"""errstate, seterr and their like: what is found, what is done, and that it costs nothing else."""

from __future__ import annotations

import contextlib
import gc
import io
import itertools
import math
import operator
import sys
import warnings
from typing import Any

import numpy
import pytest
import torch

import numpy_shim
from numpy_shim._array.ndarray import tensor_scalar
from numpy_shim._base import error_states as errstate
from tests.numpy_shim.core.error_expressions import EXPRESSIONS, UNSEEN


def messages(np: Any, expression: str) -> list[str]:
    with warnings.catch_warnings(record=True) as caught, np.errstate(all="warn"):
        warnings.simplefilter("always")
        eval(expression, {"np": np})
    return [str(w.message) for w in caught]


@pytest.mark.parametrize("expression", EXPRESSIONS)
def test_warnings_are_numpys(expression: str):
    """The same errors are found in the same calls, and told in the same words."""
    assert messages(numpy_shim, expression) == messages(numpy, expression)


@pytest.mark.parametrize(
    "expression",
    [
        "x * np.int64(2**62)", "x * 2**62", "x - np.int64(2**63 - 1)", "x + np.int8(1)",
        "x // np.int64(0)", "x % np.int64(0)", "x / np.float64(0)", "divmod(x, np.int64(0))",
        "x * np.float64(1e-320)", "x * np.float32(1)", "x + np.bool_(True)",
    ],
)  # fmt: skip
def test_scalars_that_stay_tensors_and_numpys(expression: str):
    """The operator between the two is one of scalars: integers must not overflow."""

    def told(np: Any, x: Any) -> list[str]:
        with warnings.catch_warnings(record=True) as caught, np.errstate(all="warn"):
            warnings.simplefilter("always")
            eval(expression, {"np": np, "x": x})
        return [str(w.message) for w in caught]

    stays = tensor_scalar(torch.tensor(-4))
    assert told(numpy_shim, stays) == told(numpy, numpy.int64(-4))


@pytest.mark.parametrize("expression", UNSEEN)
def test_what_is_not_seen(expression: str):
    """Errors that do not show in the result, and underflow in transforms, are not reported."""
    assert messages(numpy_shim, expression) == []


@pytest.mark.parametrize("source", ["float16", "float32", "float64", "complex64", "complex128"])
@pytest.mark.parametrize("target", ["bool", "int8", "uint16", "int32", "int64", "float16",
                                    "float32", "complex64"])  # fmt: skip
def test_casts_of_every_pair(source: str, target: str):
    """What a cast of special, large and small numbers meets, from and to every kind of dtype."""
    numbers = [0.0, -1.0, 1e30, -1e30, 1e300, 1e-30, "nan", "inf", "-inf", 70000, 2.0**31, 2.0**63]
    for number in numbers:
        cast = f"np.array([float({str(number)!r})]).astype({source!r})"
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            made = {np: eval(cast, {"np": np}) for np in (numpy, numpy_shim)}
        found = []
        for np, array in made.items():
            with warnings.catch_warnings(record=True) as caught, np.errstate(all="warn"):
                warnings.simplefilter("always")
                array.astype(target)
            found.append({str(w.message) for w in caught if "omplex" not in str(w.message)})
        assert found[0] == found[1], (source, target, number)


def test_fast_tables_come_back():
    """After the last context that looks, reductions and casts are quick again."""
    from numpy_shim._base.fast_tables import _tables
    from numpy_shim._functions import reductions
    from numpy_shim._members import conversion_methods

    with numpy_shim.errstate(all="raise"):
        assert not any(table for table, _ in _tables.values())
        assert numpy_shim.ones(3).sum() == 3
        assert numpy_shim.ones((2, 3)).max(axis=0).tolist() == [1, 1, 1]
        assert numpy_shim.ones(3).astype(int).tolist() == [1, 1, 1]
    assert torch.float64 in conversion_methods._REAL
    assert all(table == entries for table, entries in _tables.values())
    assert reductions.SUM.operation == "add"


def test_nothing_is_written_where_it_raises():
    """A cast or a product that raises leaves what it was to write to alone."""
    a = numpy_shim.zeros(1, numpy_shim.float32)
    m = numpy_shim.zeros((2, 2))
    with numpy_shim.errstate(all="raise"):
        with pytest.raises(FloatingPointError, match="overflow encountered in cast"):
            a[:] = numpy_shim.array([1e300])
        with pytest.raises(FloatingPointError, match="overflow encountered in matmul"):
            numpy_shim.matmul(m + 1e308, m + 2, out=m)
    assert a.tolist() == [0]
    assert m.tolist() == [[0, 0], [0, 0]]


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
    assert not errstate.active


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


def test_old_modes_restored_leave_the_warnings_of_scalars():
    """The modes that ``seterr`` returns bring back NumPy's own defaults for its scalars."""
    before = numpy.geterr()
    old = numpy_shim.seterr(all="raise")
    try:
        with numpy_shim.errstate(**old):
            assert numpy_shim.geterr() == old == dict.fromkeys(old, "ignore")
            assert numpy.geterr() == before
            with pytest.warns(RuntimeWarning, match="divide by zero"):
                numpy_shim.float64(1.0) / numpy_shim.float64(0.0)
    finally:
        numpy_shim.seterr(**old)
    assert numpy.geterr() == before


def test_scalars_are_silent_where_a_program_asks_for_it():
    """``seterr(all="ignore")`` is an answer to a program, not a default."""
    old = numpy_shim.seterr(all="ignore")
    try:
        assert set(numpy.geterr().values()) == {"ignore"}
    finally:
        numpy_shim.seterr(**old)
    assert numpy.geterr()["divide"] == "warn"


@pytest.mark.parametrize("value", ["inf+nanj", "inf+1j", "1-infj", "nan+1j", "1e308+1e308j"])
@pytest.mark.parametrize("operation", [operator.add, operator.sub])
def test_parts_of_complex_sums(value: str, operation: Any):
    """NumPy computes each part by itself: a NaN in one does not hide the other's error."""

    def is_raised(namespace: Any, kind: str, which: int) -> bool:
        a = namespace.array([complex(value)])
        other = (a, -a, float("inf"))[which]
        with namespace.errstate(all="ignore"), namespace.errstate(**{kind: "raise"}):
            try:
                operation(a, other)
            except FloatingPointError:
                return True
        return False

    for kind, which in itertools.product(("invalid", "over"), range(3)):
        assert is_raised(numpy_shim, kind, which) == is_raised(numpy, kind, which), (kind, which)


@pytest.mark.parametrize("operation", [operator.mul, operator.truediv])
def test_invalid_steps_of_complex_products(operation: Any):
    """A NaN in one part of an operand does not hide the NaN that a step makes of the others."""
    parts = [0.0, 1.0, -2.0, math.inf, -math.inf, math.nan]
    values = [complex(*pair) for pair in itertools.product(parts, parts)]

    def raises(namespace: Any, a: complex, b: complex) -> bool:
        with namespace.errstate(all="ignore"), namespace.errstate(invalid="raise"):
            try:
                operation(namespace.array([a] * 4), namespace.array([b] * 4))
            except FloatingPointError:
                return True
        return False

    pairs = list(itertools.product(values, values[::5] if operation is operator.mul else values))
    found = [pair for pair in pairs if raises(numpy_shim, *pair) != raises(numpy, *pair)]
    assert not found


@pytest.mark.parametrize("mode", ["raise", "warn"])
def test_a_product_into_its_operand(mode: Any, monkeypatch: pytest.MonkeyPatch):
    """NumPy 2.4 frees a copy while the error is raised: it ends in a SystemError."""
    unraisable: list[Any] = []
    monkeypatch.setattr(sys, "unraisablehook", unraisable.append)
    a = numpy_shim.full((2, 2), 1e308)
    with numpy_shim.errstate(over=mode), warnings.catch_warnings():
        warnings.simplefilter("error")
        with pytest.raises((FloatingPointError, RuntimeWarning), match=r"overflow.* in dot"):
            numpy_shim.dot(a, a, out=a)
    gc.collect()
    assert not unraisable
    assert a.tolist() == [[1e308] * 2] * 2


@pytest.mark.parametrize("where", [True, [True], [[True], [False]]])
def test_nothing_is_looked_for_where_nothing_is_written(where: Any):
    """The one operand broadcasts to an output without elements."""
    for np in (numpy_shim, numpy):
        out = np.zeros((2, 0))
        with np.errstate(all="raise"):
            assert np.divide(np.array([3]), 0, out=out, where=where) is out
