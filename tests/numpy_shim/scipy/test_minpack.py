"""Fits and roots by MINPACK's methods where the arrays are, beside SciPy's."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy
import pytest
import scipy.optimize
from scipy.optimize._minpack_py import check_gradient

import numpy_shim as np
import xp_backend.npy  # noqa: F401 - the device
from numpy_shim.scipy import optimize
from numpy_shim.scipy._optimize import FUNCTIONS, _minpack_py

T = numpy.linspace(0, 4, 50)
Y = 2.5 / (1 + 1.3 * T * T) + 0.5 + 0.1 * numpy.random.default_rng(0).normal(size=50)


def on(where: str, x: Any) -> Any:
    return np.asarray(x, dtype="float64", device=where)


def compare(found: Any, expected: Any, rtol: float) -> None:
    """Values within ``rtol`` of the largest of each array; shapes, dtypes, counts and texts."""
    if isinstance(expected, (tuple, list)):
        assert len(found) == len(expected)
        for one, other in zip(found, expected, strict=True):
            compare(one, other, rtol)
    elif isinstance(expected, dict):
        assert found.keys() == expected.keys()
        for key, other in expected.items():
            compare(found[key], other, rtol)
    elif isinstance(expected, numpy.ndarray):
        assert (found.shape, found.dtype) == (expected.shape, expected.dtype)
        size = max(numpy.abs(expected).max(initial=0), 1e-6)
        numpy.testing.assert_allclose(found.tolist(), expected, rtol=0, atol=rtol * size)
    else:
        assert found == (pytest.approx(expected) if isinstance(expected, float) else expected)


def model(t: Any, a: Any, b: Any, c: Any) -> Any:
    return a / (1 + b * t * t) + c


def slopes(xp: Any) -> Callable[..., Any]:
    def jac(t: Any, a: Any, b: Any, c: Any) -> Any:
        part = 1 / (1 + b * t * t)
        return xp.stack([part, -a * t * t * part**2, xp.ones_like(t)], axis=1)

    return jac


@pytest.fixture(params=["cpu", "npy"])
def where(request: pytest.FixtureRequest) -> str:
    return str(request.param)


FITS: list[dict[str, Any]] = [
    {}, {"p0": [1.0, 2.0, 0.0]}, {"sigma": T + 1}, {"sigma": T + 1, "absolute_sigma": True},
    {"sigma": numpy.diag(T + 1)}, {"maxfev": 500, "ftol": 1e-12, "xtol": 1e-12},
    {"factor": 0.5}, {"diag": (1.0, 2.0, 3.0)},
]  # fmt: skip


@pytest.mark.parametrize("case", range(len(FITS)))
@pytest.mark.parametrize("with_jac", [True, False])
def test_curve_fit(where: str, case: int, with_jac: bool):
    """With differences the last bit of an argument is the eighth digit of a slope."""
    theirs = FITS[case] | ({"jac": slopes(numpy)} if with_jac else {})
    ours = {k: on(where, v) if isinstance(v, numpy.ndarray) else v for k, v in theirs.items()}
    ours |= {"jac": slopes(np)} if with_jac else {}
    found = FUNCTIONS["curve_fit"](model, on(where, T), on(where, Y), full_output=True, **ours)
    expected = scipy.optimize.curve_fit(model, T, Y, full_output=True, **theirs)
    assert found[0].device.type == where
    near_zero = found[2].pop("qtf"), expected[2].pop("qtf")
    compare(found, expected, 1e-10 if with_jac else 1e-6)
    atol = 1e-9 if with_jac else 1e-5
    numpy.testing.assert_allclose(near_zero[0].tolist(), near_zero[1], rtol=0, atol=atol)


def valley(xp: Any) -> Callable[..., Any]:
    return lambda x: xp.stack([10 * (x[1] - x[0] ** 2), 1 - x[0]])


def valley_slopes(xp: Any) -> Callable[..., Any]:
    return lambda x: xp.asarray([[-20 * float(x[0]), 10.0], [-1.0, 0.0]])


def test_least_squares(where: str):
    """The path through a bent valley takes many damped steps."""
    theirs = {"full_output": True, "Dfun": valley_slopes(numpy)}
    found = FUNCTIONS["leastsq"](
        valley(np), on(where, [-1.2, 1]), **theirs | {"Dfun": valley_slopes(np)}
    )
    expected = scipy.optimize.leastsq(valley(numpy), [-1.2, 1.0], **theirs)
    compare(found, expected, 1e-10)
    columns = FUNCTIONS["leastsq"](
        valley(np), on(where, [-1.2, 1]), Dfun=lambda x: valley_slopes(np)(x).T, col_deriv=True
    )
    assert columns[0].tolist() == found[0].tolist()
    mine = optimize.least_squares(valley(np), on(where, [-1.2, 1]), method="lm", x_scale=[1.0, 2.0])
    scipys = scipy.optimize.least_squares(
        valley(numpy), [-1.2, 1.0], method="lm", x_scale=[1.0, 2.0]
    )
    compare(dict(mine), dict(scipys), 1e-7)
    mine = optimize.root(valley(np), on(where, [-1.2, 1]), method="lm", jac=valley_slopes(np))
    scipys = scipy.optimize.root(valley(numpy), [-1.2, 1.0], method="lm", jac=valley_slopes(numpy))
    compare(dict(mine), dict(scipys), 1e-10)


def test_a_matrix_without_full_rank(where: str):
    a = numpy.outer(numpy.arange(1.0, 5), [1.0, 2.0, -1.0])
    b, ours = numpy.ones(4), on(where, a)
    found = FUNCTIONS["leastsq"](
        lambda x: ours @ x - 1, on(where, [1, 1, 1]), Dfun=lambda x: ours, full_output=True
    )
    expected = scipy.optimize.leastsq(
        lambda x: a @ x - b, [1.0, 1.0, 1.0], Dfun=lambda x: a, full_output=True
    )
    assert found[1] is None or expected[1] is not None
    assert found[4] == expected[4]
    compare(found[2]["fvec"], expected[2]["fvec"], 1e-10)


def chain(xp: Any) -> Callable[..., Any]:
    def f(x: Any) -> Any:
        none = xp.zeros_like(x[:1])
        before, after = xp.concatenate([none, x[:-1]]), xp.concatenate([x[1:], none])
        return (3 - 2 * x) * x - before - 2 * after + 1

    return f


def chain_slopes(xp: Any) -> Callable[..., Any]:
    def jac(x: Any) -> Any:
        return xp.diag(3 - 4 * x) - xp.eye(len(x), k=-1) - 2 * xp.eye(len(x), k=1)

    return jac


ROOTS: list[dict[str, Any]] = [
    {}, {"band": (1, 1)}, {"factor": 0.1}, {"diag": numpy.arange(1.0, 10)}, {"xtol": 1e-12},
    {"fprime": chain_slopes}, {"fprime": chain_slopes, "col_deriv": True}, {"epsfcn": 1e-10},
]  # fmt: skip


@pytest.mark.parametrize("case", range(len(ROOTS)))
def test_fsolve(where: str, case: int):
    given = dict(ROOTS[case])
    fprime = given.pop("fprime", None)
    ours, theirs = ({"fprime": fprime(xp)} if fprime else {} for xp in (np, numpy))
    found = FUNCTIONS["fsolve"](
        chain(np), on(where, -numpy.ones(9)), full_output=True, **given, **ours
    )
    expected = scipy.optimize.fsolve(
        chain(numpy), -numpy.ones(9), full_output=True, **given, **theirs
    )
    assert found[0].device.type == where
    compare(found[0], expected[0], 1e-10)
    compare(found, expected, 1e-10 if fprime else 1e-7)


def test_functions_of_lists_and_numbers(where: str):
    def f(xp: Any) -> Callable[..., Any]:
        return lambda x, a: [x[0] * xp.cos(x[1]) - a, x[1] * x[0] - x[1] - 5]

    found = FUNCTIONS["fsolve"](f(np), on(where, [1, 1]), args=(4,), full_output=True)
    compare(found, scipy.optimize.fsolve(f(numpy), [1.0, 1.0], args=(4,), full_output=True), 1e-9)
    one = FUNCTIONS["root"](lambda x: x * x - 2, on(where, 1.0))
    compare(dict(one), dict(scipy.optimize.root(lambda x: x * x - 2, 1.0)), 1e-8)


BAD: list[Callable[[Any, Any, Any], Any]] = [
    lambda o, xp, x: o.fsolve(lambda v: v[:1], x),
    lambda o, xp, x: o.leastsq(lambda v: v[:1], x),
    lambda o, xp, x: o.leastsq(lambda v: v, x, factor=-1),
    lambda o, xp, x: o.leastsq(lambda v: v, x, diag=[1.0, -1.0]),
    lambda o, xp, x: o.fsolve(lambda v: v, x, xtol=-1),
    lambda o, xp, x: o.curve_fit(lambda t, a, b: a * t + b, x[:1], xp.stack([x[0] * xp.nan])),
    lambda o, xp, x: o.curve_fit(lambda t, a, b: a * t + b, x, x, maxfev=1),
    lambda o, xp, x: o.least_squares(lambda v: v, x, method="lm", loss="huber"),
]


@pytest.mark.parametrize("case", range(len(BAD)))
def test_bad_input(where: str, case: int):
    with pytest.raises(Exception) as theirs:  # noqa: PT011 - which one is compared
        BAD[case](scipy.optimize, numpy, numpy.ones(2))
    with pytest.raises(type(theirs.value)) as ours:
        BAD[case](optimize, np, on(where, [1, 1]))
    assert str(ours.value)[:40] == str(theirs.value)[:40]


def test_a_result_that_changes_its_size(where: str):
    sizes = iter([3, 3, 4, 4, 4])
    with pytest.raises(ValueError, match="changed size between calls"):
        FUNCTIONS["leastsq"](lambda x: np.ones(next(sizes)), on(where, [1, 1]))


def test_a_warning_of_no_progress(where: str):
    with pytest.warns(RuntimeWarning, match="number of calls to function has reached maxfev = 5"):
        found = FUNCTIONS["fsolve"](chain(np), on(where, -numpy.ones(9)), maxfev=5)
    with pytest.warns(RuntimeWarning):
        expected = scipy.optimize.fsolve(chain(numpy), -numpy.ones(9), maxfev=5)
    compare(found, expected, 1e-10)


def test_derivatives_are_checked(where: str):
    x = numpy.array([0.3, -1.2])
    for wrong in (0.0, 0.1):

        def jac(p: Any, xp: Any = numpy, wrong: float = wrong) -> Any:
            return valley_slopes(xp)(p) + wrong

        found = _minpack_py.check_gradient(valley(np), lambda p: jac(p, np), on("cpu", x))
        compare(found[1], check_gradient(valley(numpy), jac, x)[1], 1e-6)
