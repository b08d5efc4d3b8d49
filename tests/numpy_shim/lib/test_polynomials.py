"""NumPy's older polynomials against NumPy."""

from __future__ import annotations

import pickle
from typing import Any

import numpy
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import numpy_shim
import xp_backend.npy  # noqa: F401 - defines the device
from tests.differential import Spec
from tests.numpy_shim.differential import compare, few_roundings, roundings
from tests.strategies import arrays

CLOSE = few_roundings(512)
"""A fit is solved in float64 with a condition of a few hundred."""
ALL_DTYPES = [
    "int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64",
    "float16", "float32", "float64", "complex64", "complex128",
]  # fmt: skip


def spec(values: Any, dtype: str = "float64") -> Spec:
    return Spec(numpy.array(values, dtype))


LINES = arrays(shape=st.integers(1, 5).map(lambda n: (n,)), finite=True)


@pytest.mark.parametrize("name", ["polyadd", "polysub", "polymul"])
@settings(max_examples=80)
@given(LINES, LINES)
def test_arithmetic(name: str, a: Spec, b: Spec):
    compare(
        lambda np, x, y: getattr(np, name)(x, y), a, b, rtol=CLOSE,
        atol=roundings(a, b) if name == "polymul" else 0.0, signed_zeros=False,
    )  # fmt: skip


@pytest.mark.parametrize("dtype", ALL_DTYPES)
def test_every_dtype(dtype: str):
    a = spec([3, 1, 2, 5], dtype)
    for body in (
        lambda np, x: np.polyval(x, [1, 2]),
        lambda np, x: np.polyval(x, x),
        lambda np, x: np.polyder(x),
        lambda np, x: np.polyder(x, 2),
        lambda np, x: np.polyint(x),
        lambda np, x: np.polyint(x, 2, [1, 2]),
        lambda np, x: np.polydiv(x, [2, 1]),
        lambda np, x: np.poly(x),
        lambda np, x: np.polyfit([1, 2, 3, 4], x, 1),
        lambda np, x: np.polyfit(x, [1, 2, 3, 4], 1),
    ):
        compare(body, a, rtol=CLOSE, atol=1e-12)


BODIES = [
    lambda np: np.poly([1, 2]),
    lambda np: np.poly([]),
    lambda np: np.poly([[1, 2], [3, 4]]),
    lambda np: np.poly([1j, -1j]),
    lambda np: np.poly([[1, 2]]),
    lambda np: np.sort(np.roots([1, 2, 3])),
    lambda np: np.sort(np.roots([1, -3, 2])),
    lambda np: np.roots([0, 0]),
    lambda np: np.roots([1]),
    lambda np: np.roots([0, 1, 2, 0]),
    lambda np: np.sort(np.roots(np.array([1, 2, 3], "f4"))),
    lambda np: np.roots([[1, 2]]),
    lambda np: np.polyval([1, 2], 3),
    lambda np: np.polyval([], [1, 2]),
    lambda np: np.polyval([], 2.0),
    lambda np: np.polyval(3, [1, 2]),
    lambda np: np.polyval(np.array(3), 2),
    lambda np: np.polyval([1.5, 2.0, -1.0], np.float64(3)),
    lambda np: np.polyval([1.5, 2.0], 2.5),
    lambda np: np.polyval(np.array([1.5, 2.0]), np.array(2.5)),
    lambda np: np.polyval([[1.5, 2.0]], 2.5),
    lambda np: np.polyval([1, 2], 2.5),
    lambda np: np.polyval(np.array([1.5, 2.0]), np.float32(2.5)),
    lambda np: np.polyval([2.0, 0.0], np.inf),
    lambda np: np.polyadd([1, 2], 3),
    lambda np: np.polymul(2, [1, 2, 3]),
    lambda np: np.polydiv([1, 2], [1, 2, 3]),
    lambda np: np.polydiv([1, 2, 3], [1, 2]),
    lambda np: np.polyder([1, 2, 3], 5),
    lambda np: np.polyder([1, 2, 3], -1),
    lambda np: np.polyint([1, 2, 3], 2, 5),
    lambda np: np.polyint([1, 2, 3], k=3),
    lambda np: np.polyint([1, 2, 3], 0),
    lambda np: np.polyint([1, 2, 3], -1),
    lambda np: np.polyint([1, 2, 3], 2, [1]),
    lambda np: np.polyint([1, 2, 3], 3, [1, 2]),
    lambda np: np.polyfit([1, 2, 3], [[1, 4], [4, 4], [9, 9]], 1),
    lambda np: np.polyfit([1, 2, 3, 4], [1, 4, 9, 3], 1, full=True)[:2],
    lambda np: np.polyfit([1, 2, 3, 4], [1, 4, 9, 3], 1, full=True)[3],
    lambda np: np.polyfit([1, 2, 3, 4, 5], [1, 4, 9, 3, 2], 1, cov=True),
    lambda np: np.polyfit([1, 2, 3, 4, 5], [1, 4, 9, 3, 2], 1, cov="unscaled"),
    lambda np: np.polyfit([1, 2, 3, 4], [[1, 4], [4, 4], [9, 9], [1, 3]], 1, cov=True),
    lambda np: np.polyfit([1, 2, 3], [1, 4, 9], 1, w=[1, 2, 3]),
    lambda np: np.polyfit([1, 2, 3], [[1], [4], [9]], 1, w=[1, 2, 3]),
    lambda np: np.polyfit([1, 2, 3], [1, 4, 9], -1),
    lambda np: np.polyfit([1, 2], [1, 4, 9], 1),
    lambda np: np.polyfit([], [], 1),
    lambda np: np.polyfit([[1]], [1], 1),
    lambda np: np.polyfit([1, 2], [1, 4], 1, cov=True),
    lambda np: np.polyfit([1, 2, 3], [1, 4, 9], 1, w=[[1]]),
    lambda np: np.polyfit([1, 2, 3], [1, 4, 9], 1, w=[1, 2]),
]


@pytest.mark.parametrize("body", BODIES)
def test_arguments_and_errors(body: Any):
    compare(body, rtol=CLOSE, atol=1e-13, signed_zeros=False)


def _changed(np: Any) -> Any:
    p = np.poly1d([1, 2, 3])
    p[5] = 7
    p[0] = 4
    return repr(p)


SHOWN = [
    lambda np: repr(np.poly1d([1, 2, 3])),
    lambda np: str(np.poly1d([1, 2, 3])),
    lambda np: str(np.poly1d([1, -2.5, 3], variable="z")),
    lambda np: str(np.poly1d([1j, -2.5, 3 - 2j])),
    lambda np: str(np.poly1d([0])),
    lambda np: str(np.poly1d([1, 0, 0, -1, 0])),
    lambda np: str(np.poly1d([1.23456789] * 25)),
    lambda np: np.poly1d([1, 2, 3])(2),
    lambda np: np.poly1d([0, 0, 1, 2, 3]).c,
    lambda np: repr(np.poly1d([1, 2], True)),
    lambda np: repr(np.poly1d([1, 2, 3])(np.poly1d([1, 2]))),
    lambda np: repr(np.polyval([1, 2], np.poly1d([1, 2]))),
    lambda np: repr(np.polyadd(np.poly1d([1, 2]), [1])),
    lambda np: repr(np.poly1d([1, 2, 3]) + 1),
    lambda np: repr(1 + np.poly1d([1, 2, 3])),
    lambda np: repr(np.poly1d([1, 2, 3]) - [1, 2]),
    lambda np: repr(1 - np.poly1d([1, 2])),
    lambda np: repr(np.poly1d([1, 2, 3]) * [1, 2]),
    lambda np: repr(2 * np.poly1d([1, 2])),
    lambda np: repr(np.poly1d([1, 2]) / 2),
    lambda np: repr(2 / np.poly1d([1, 2])),
    lambda np: repr(np.poly1d([1, 2, 3]) / np.poly1d([1, 2])),
    lambda np: repr(np.poly1d([1, 2, 3]) ** 2),
    lambda np: np.poly1d([1, 2]) ** -1,
    lambda np: np.poly1d([1, 2, 3])[1],
    lambda np: np.poly1d([1, 2, 3])[5],
    lambda np: np.poly1d([1, 2]) == np.poly1d([1, 2]),
    lambda np: np.poly1d([1, 2]) == np.poly1d([1, 2, 3]),
    lambda np: np.poly1d([1, 2]) != np.poly1d([1, 3]),
    lambda np: np.poly1d([1, 2]) == 3,
    lambda np: repr(np.poly1d([1, 2, 3]).deriv()),
    lambda np: repr(np.poly1d([1, 2, 3]).integ(k=2)),
    lambda np: len(np.poly1d([1, 2, 3])),
    lambda np: np.poly1d([1, 2, 3]).order,
    lambda np: np.poly1d([1, 2, 3]).variable,
    lambda np: list(np.poly1d([1, 2])),
    lambda np: repr(-np.poly1d([1, 2])),
    lambda np: np.poly1d([[1, 2]]),
    lambda np: np.asarray(np.poly1d([1, 2])) + 0,
    lambda np: np.sum(np.poly1d([1, 2])),
    _changed,
]


@pytest.mark.parametrize("body", SHOWN)
def test_poly1d(body: Any):
    compare(body, allow_numpy=True)


def test_coefficients_cannot_be_replaced():
    p = numpy_shim.poly1d([1, 2])
    p.coeffs *= 2
    assert repr(p) == "poly1d([2, 4])"
    with pytest.raises(AttributeError, match="Cannot set attribute"):
        p.coeffs = [3]


@pytest.mark.parametrize(
    "body",
    [
        lambda np, a, b: [np.polyadd(a, b), np.polysub(b, a), np.polymul(a, b)],
        lambda np, a, b: np.polydiv(b, a),
        lambda np, a, b: [np.polyder(b), np.polyint(a), np.polyval(a, b), np.poly(a)],
        lambda np, a, b: np.roots(b),
        lambda np, a, b: [(np.poly1d(a) * np.poly1d(b)).coeffs, np.poly1d(a)(b)],
        lambda np, a, b: [np.r_[a, 1.0, 2:4], np.c_[a, 2 * a]],
    ],
)
def test_on_the_device_of_the_operands(body: Any):
    """NumPy's text makes arrays without a device; they are where the operands are."""
    a, b = [1.0, 2.0], [1.0, -3.0, 2.0]
    found = body(numpy_shim, *(numpy_shim.array(x, device="npy") for x in (a, b)))
    expected = body(numpy, numpy.array(a), numpy.array(b))
    if not isinstance(expected, (list, tuple)):
        found, expected = [found], [expected]
    for ours, theirs in zip(found, expected, strict=True):
        assert ours.device.type == "npy"
        numpy.testing.assert_allclose(ours.to_device("cpu").tensor.numpy(), theirs, rtol=1e-12)


@pytest.mark.parametrize("function", ["add", "multiply", "arctan2"])
def test_ufuncs_take_coefficients(function: str):
    """A polynomial first is asked for its operator; a ufunc, or an array first, is not."""

    def found(np: Any) -> list[Any]:
        p, a = np.poly1d([1.0, 2.0]), np.array([3.0, 5.0])
        ufunc = getattr(np, function)
        return [ufunc(p, a), ufunc(a, p), np.square(p), np.exp(p), a * p, a + p, (p * a).coeffs]

    for ours, theirs in zip(found(numpy_shim), found(numpy), strict=True):
        assert type(ours) is numpy_shim.ndarray
        numpy.testing.assert_allclose(ours.tensor.numpy(), theirs, rtol=1e-15)


def test_beside_numpys_arrays():
    p = numpy_shim.poly1d([1.0, 2.0])
    for product in (numpy.float64(2) * p, numpy.array(2.0) * p, numpy.multiply(2.0, p)):
        assert repr(product) == "array([2., 4.])"
    assert type(numpy.asarray(p)) is numpy.ndarray
    assert type(numpy_shim.asarray(p)) is numpy_shim.ndarray
    assert repr(pickle.loads(pickle.dumps(p))) == "poly1d([1., 2.])"
