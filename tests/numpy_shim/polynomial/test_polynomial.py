"""NumPy's classes and functions of polynomials, on arrays of ours."""

from __future__ import annotations

from typing import Any

import numpy
import pytest
import torch

import numpy_shim
from tests.differential import Spec
from tests.numpy_shim.differential import compare


def test_polynomials():
    """NumPy's classes and functions, on arrays of ours."""

    def body(np: Any) -> Any:
        p, q = np.polynomial.Polynomial([1.0, 2.0, 3.0]), np.polynomial.Chebyshev([0.5, 1.0])
        x = np.linspace(-1, 1, 5)
        fit = np.polynomial.Polynomial.fit(x, 1 + 2 * x + 3 * x**2, 2)
        return [
            (p * p).coef, p.deriv().coef, p.integ().coef, p(x), q(x), p.roots(), str(p), repr(q),
            np.polynomial.legendre.legval(x, [1, 2, 3]), fit.convert().coef,
            np.polynomial.hermite.hermgauss(3)[0], (p // [1.0, 1.0]).coef,
        ]  # fmt: skip

    compare(body, rtol={"float64": 1e-12, "complex128": 1e-12}, atol=1e-13, allow_numpy=True)


@pytest.mark.parametrize("kind", ["Polynomial", "Chebyshev", "Legendre", "Hermite", "Laguerre"])
def test_polynomials_of_polynomials(kind: str):
    """Conversion and composition call a polynomial with a polynomial."""

    def body(np: Any) -> Any:
        own = getattr(np.polynomial, kind)
        p = np.polynomial.Polynomial([1.0, 2.0, 3.0])
        q = own([2.0, 1.0], domain=[-2, 2])
        return p.convert(kind=own).coef, own.cast(p).integ(lbnd=1).coef, q(q).coef

    compare(body, rtol=1e-13, atol=1e-13, signed_zeros=False)


@pytest.mark.parametrize(
    "name", [
        "polynomial.polyval", "chebyshev.chebval", "legendre.legval", "hermite.hermval",
        "hermite_e.hermeval", "laguerre.lagval",
    ],
)  # fmt: skip
def test_polynomials_of_several_variables(name: str):
    """In NumPy since 2.5; here beside any."""
    module = getattr(numpy_shim.polynomial, name.partition(".")[0])
    name = name.partition(".")[2]
    c = numpy_shim.arange(6.0).reshape(2, 3)
    x, y = numpy_shim.array([0.5, 2.0]), numpy_shim.array([1.0, -3.0])
    assert f"{name}nd" in module.__all__
    expected = getattr(module, f"{name}2d")(x, y, c)
    numpy_shim.testing.assert_array_equal(getattr(module, f"{name}nd")([x, y], c), expected)
    with pytest.raises(ValueError, match="are incompatible"):
        getattr(module, f"{name}nd")([x, y[:1]], c)


@pytest.mark.parametrize("name", ["polyval2d", "polygrid2d"])
def test_polynomials_of_two_variables(name: str):
    x = Spec(numpy.linspace(-1, 1, 3))
    compare(
        lambda np, a: getattr(np.polynomial.polynomial, name)(a, a, np.ones((2, 3))), x, rtol=1e-12
    )
    compare(lambda np, a: np.polynomial.polynomial.polyvander2d(a, a, [1, 2]), x, rtol=1e-12)


@pytest.mark.parametrize("name", ["polyval", "chebval", "legval"])
def test_series_trace(name: str):
    """Dynamo traces no file of NumPy's, and the text that is executed stands in one of ours."""
    x = numpy_shim.arange(4.0)

    def value(x: Any) -> Any:
        return getattr(HOMES[name], name)(x, [1.0, 2.0, 3.0])

    compiled = torch.compile(value, fullgraph=True, backend="eager")
    assert compiled(x).tolist() == value(x).tolist()


HOMES = {
    "polyval": numpy_shim.polynomial.polynomial,
    "chebval": numpy_shim.polynomial.chebyshev,
    "legval": numpy_shim.polynomial.legendre,
}
