"""What Numba is not given, as it has other rules for it than NumPy."""

from __future__ import annotations

from types import FunctionType
from typing import Any

import numpy
import numpy as np
import pytest

from numpy_shim._jit.candidates import RefusedError
from numpy_shim._jit.numba_source import source_for

from .with_numba import by_numba, matrix, needs_numba, told

pytestmark = pytest.mark.usefixtures("whatever_it_takes")

TABLE = np.ones(3)


def doubled(x, out):
    for i in range(x.shape[0]):
        out[i] = x[i] + x[i]
    return out


def minus(x, out):
    for i in range(x.shape[0]):
        out[i] = -x[i]
    return out


def inverted(x, out):
    for i in range(x.shape[0]):
        out[i] = ~x[i]
    return out


def sizes(x, out):
    for i in range(x.shape[0]):
        out[i] = abs(x[i])
    return out


def added(x, out):
    for i in range(x.shape[0]):
        out[i] = np.add(x[i], 100)
    return out


def larger(x, out):
    for i in range(x.shape[0]):
        out[i] = max(x[i], 3)
    return out


@needs_numba
@pytest.mark.parametrize("function", [doubled, minus, inverted, sizes, added, larger])
@pytest.mark.parametrize(("dtype", "value"), [("int8", -128), ("int8", 100), ("uint8", 200)])
def test_narrow_integers_are_refused(function: FunctionType, dtype: str, value: int):
    """NumPy's sum of two int8 is an int8; Numba's an int64."""
    compiled = by_numba(function)
    x, out = np.full(300, value, dtype=dtype), np.zeros(300, dtype=np.int64)
    with np.errstate(over="ignore"):
        assert compiled(x, out.copy()).tolist() == function(x, out).tolist()
    assert dtype in told(compiled) or "several kinds" in told(compiled)


@needs_numba
@pytest.mark.parametrize("dtype", ["int8", "uint8", "int32", "uint32"])
def test_narrow_integers_may_be_moved_and_compared(dtype: str):
    """An index, a bound of a slice, a copy, the larger of two, a comparison: all are exact."""

    def f(x, starts, out):
        for i in range(starts.shape[0] - 1):
            for j in range(starts[i], starts[i + 1]):
                out[j] = max(x[i], x[j])
            if x[i] == 1 and x[i] < starts[i + 1]:
                out[starts[i] : starts[i + 1]] = x[i]
        return out

    compiled = by_numba(f)
    x, starts = np.arange(100, dtype=dtype), np.arange(0, 100, 4, dtype=dtype)
    for _ in range(2):
        ours, theirs = (g(x, starts, np.zeros(100, dtype=dtype)) for g in (compiled, f))
        assert ours.tolist() == theirs.tolist()
    assert compiled.explain().state == "compiled by Numba", told(compiled)


def stored(x, n):
    for i in range(x.shape[0]):
        x[i] = n
    return x


def filled(x, n):
    return x + np.full(x.shape[0], n, dtype=np.int8)


def shifted_by(x, n):
    x[0] = 1
    return n >> n


@needs_numba
@pytest.mark.parametrize(
    ("function", "why"), [(stored, "puts int64"), (filled, "int8"), (shifted_by, "negative")]
)
def test_numbers_that_narrow_integers_do_not_hold(function: FunctionType, why: str):
    compiled = by_numba(function)
    compiled(np.zeros(300, dtype=np.int8), 3)
    assert why in told(compiled)
    for f in (compiled, function):
        with pytest.raises((OverflowError, ValueError)):
            f(np.zeros(300, dtype=np.int8), -300)


def whole_ufunc(x, n):
    x[0] = 0.5
    return x, np.floor_divide(3, n)


def power_ufunc(x, n):
    x[0] = 0.5
    return x, np.power(n, 3)


def multiple_ufunc(x, n):
    x[0] = 0.5
    return x, np.lcm(n, 4)


@needs_numba
@pytest.mark.parametrize("function", [whole_ufunc, power_ufunc, multiple_ufunc])
def test_ufuncs_of_integers(function: FunctionType):
    """Numba computes powers with floats, and tells of no zero divisor."""
    compiled = by_numba(function)
    for n in (3, 3, 2**53 + 1):
        assert compiled(np.ones(300), n)[1] == function(np.ones(300), n)[1]
    assert "Numba is not given" in told(compiled)


@needs_numba
def test_updates_by_a_new_array():
    """What an operator gives overlaps nothing."""

    def f(x):
        for i in range(1, x.shape[0]):
            x[i, 1:] -= x[i, :-1] * x[i - 1, 1:]
        x[1:] += -x[:-1]
        return x

    compiled = by_numba(f)
    for _ in range(2):
        numpy.testing.assert_array_equal(compiled(matrix()), f(matrix()))
    assert compiled.explain().state == "compiled by Numba", told(compiled)


@needs_numba
def test_single_precision_beside_a_float():
    """NumPy compares with the float rounded to float32, Numba with the float."""

    def f(x):
        found = np.zeros(x.shape[0])
        for i in range(x.shape[0]):
            if x[i] == 0.1:
                found[i] = 1.0
        return found

    compiled = by_numba(f)
    assert compiled(np.full(300, 0.1, dtype=np.float32)).sum() == 300
    assert "compares float32" in told(compiled)


def recursive(n):
    return n if n == 0 else recursive(n - 1)


def unbound(n):
    for i in range(n):
        y = i
    return y


def prints(x):
    print(x)
    return x


def reads_an_array(x):
    return x + TABLE


def draws(x):
    return x + np.random.random()


def sets_errors(x):
    with np.errstate(all="ignore"):
        return x / 0


def looks_for(x, n):
    return n in (1, 2)


def makes_a_list(x):
    return [x, x]


@pytest.mark.parametrize(
    ("function", "why"),
    [
        (recursive, "calls itself"),
        (unbound, "y may be read"),
        (prints, "calls print"),
        (reads_an_array, "reads TABLE"),
        (draws, "random"),
        (sets_errors, "none that Numba gets"),
        (looks_for, "looks for an item"),
        (makes_a_list, "has a list"),
    ],
)
def test_what_numba_is_not_given(function: Any, why: str):
    with pytest.raises(RefusedError, match=why):
        source_for(function)


def writes_through_a_name(x, y, z):
    part = x[1:]
    part[0] = y[0]
    _filled(z)
    return y * 2


def _filled(a):
    a[:] = 3


def test_what_a_function_may_write_to():
    assert source_for(writes_through_a_name).written == {"x", "z"}  # type: ignore[arg-type]


def shifts_in_place(x):
    x[1:] += x[:-1]
    return x


def adds_to_out(x):
    np.add(x[1:], x[:-1], x[1:])
    return x


def through_a_tuple(x, y):
    both = (x,) + (y,)  # noqa: RUF005 - the case
    for i in range(x.shape[0]):
        both[0][i] = 1.0
    return x


def dots_to_out(x, y):
    np.dot(x, x, y)
    return y


def sums_to_out(x, y):
    x.sum(0, None, y)
    return y


def adds_at(x, y):
    np.add.at(x, np.array([0, 0]), 1.0)
    return x


def writes_by_flat(x, y):
    x.flat[0] = y[0, 0]
    return x


@needs_numba
@pytest.mark.parametrize(
    ("function", "count", "why"),
    [
        (dots_to_out, 2, "dot other operands"),
        (sums_to_out, 2, "sum other operands"),
        (adds_at, 2, "uses at"),
        (writes_by_flat, 2, "uses flat"),
        (shifts_in_place, 1, "may overlap"),
        (adds_to_out, 1, "other operands"),
        (through_a_tuple, 2, "not seen"),
    ],
)
def test_overlaps_that_numba_does_not_see(function: FunctionType, count: int, why: str):
    f = by_numba(function)
    shape = (40, 40) if function in (dots_to_out, writes_by_flat) else 2000
    given = [np.zeros(shape) for _ in range(count)]
    if function is sums_to_out:
        given[1] = np.zeros(())
    f(*given)
    assert why in told(f)


def grows_beyond_floats(x, n):
    total = 3
    for _ in range(n):
        total = total * total
    if x[0] < 0:
        total = 0.5
    x[1] = total
    x[2] = total - 0.5
    return x


def grows_as_a_float(x, n):
    total = 3
    if x[0] < 0:
        total = 0.5
    for _ in range(n):
        total = total * total + 1
    x[1] = total % 1000.0
    return x


def joins_an_argument(x, n):
    total = 0.5
    if x[0] > 0:
        total = n
    x[1] = total * 3
    return x


def negates_zero(x, n):
    total = 0
    if n > 5:
        total = x[0]
    x[1] = -total
    return x


def gives_both(x, n):
    x[1] = 1.0 * -_both(x, n)
    return x


def _both(x, n):
    if n > 5:
        return 0
    return x[0]


def takes_both(x, n):
    total = 0
    if n > 5:
        total = x[0]
    x[1] = _negative(total)
    return x


def _negative(v):
    return -v


@needs_numba
@pytest.mark.parametrize(
    ("function", "why"),
    [
        (grows_beyond_floats, "joins an integer"),
        (grows_as_a_float, "an integer or a float"),
        (joins_an_argument, "joins an integer"),
        (negates_zero, "an integer or a float"),
        (gives_both, "an integer or a float"),
        (takes_both, "an integer or a float"),
    ],
)
def test_integers_that_are_floats_in_numba(function: FunctionType, why: str):
    """Numba's float of a name that is an integer or a float has other digits, and another zero."""
    compiled = by_numba(function)
    for n in (7, 3, 2**53 + 1 if function is joins_an_argument else 6):
        ours, theirs = compiled(np.ones(2000), n), function(np.ones(2000), n)
        assert ours.tolist() == theirs.tolist()
        assert (np.signbit(ours) == np.signbit(theirs)).all()
    assert why in told(compiled)


@needs_numba
def test_integers_that_become_floats_with_the_first_float():
    """Sums begin with the integer zero in many programs: what follows is a float in both."""

    def f(a, b):
        c = np.zeros(a.shape)
        rows = a.shape[0]
        for i in range(rows):
            for j in range(a.shape[1]):
                total = 0
                for k in range(rows):
                    total += a[i, k] * b[k, j]
                c[i, j] = total if total > 0 else 2.0 * total
        return c

    compiled = by_numba(f)
    for _ in range(2):
        assert compiled(matrix(), matrix()).tolist() == f(matrix(), matrix()).tolist()
    assert compiled.explain().state == "compiled by Numba", told(compiled)


BEYOND = 2**63


def reads_beyond(x):
    return x + BEYOND


def writes_beyond(x):
    return x == 9223372036854775808


def half_of(x, n):
    x[0] = 0.5 * n
    return x, n


@needs_numba
def test_integers_beyond_int64():
    """Numba takes them for unsigned ones, which have other rules."""
    for function, why in ((reads_beyond, "reads BEYOND"), (writes_beyond, "beyond int64")):
        with pytest.raises(RefusedError, match=why):
            source_for(function)  # type: ignore[arg-type]
    compiled = by_numba(half_of)
    for n in (3, 3, 2**63, 2**64 + 1, -(2**63) - 1):
        ours, theirs = compiled(np.ones(2000), n), half_of(np.ones(2000), n)
        assert (ours[0].tolist(), ours[1]) == (theirs[0].tolist(), theirs[1])
    assert compiled.explain().state == "compiled by Numba", told(compiled)
    compiled = by_numba(half_of)
    assert compiled(np.ones(2000), 2**63)[1] == 2**63
    assert "beyond int64" in told(compiled)
