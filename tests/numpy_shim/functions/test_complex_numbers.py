"""The parts and the angle of complex numbers against NumPy."""

from __future__ import annotations

from typing import Any

import numpy
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.differential import Spec
from tests.numpy_shim.differential import ROUNDING, compare
from tests.strategies import arrays


@pytest.mark.parametrize("name", ["real", "imag"])
@settings(max_examples=60)
@given(arrays())
def test_parts(name: str, a: Spec):
    compare(lambda np, x: getattr(np, name)(x), a)


@settings(max_examples=60)
@given(arrays(), st.booleans())
def test_angle(a: Spec, deg: bool):
    compare(lambda np, x: np.angle(x, deg), a, rtol=ROUNDING)


def _written(np: Any) -> Any:
    a = np.array([1 + 2j, 3 + 4j])
    np.real(a)[0] = 9
    np.imag(a)[...] = 7
    return a


@pytest.mark.parametrize(
    "body",
    [
        lambda np: np.real(3),
        lambda np: np.imag(3.5),
        lambda np: np.real(3 + 4j),
        lambda np: np.imag([1, 2j]),
        lambda np: np.real([1, 2]),
        _written,
        lambda np: np.angle(1j),
        lambda np: np.angle(-1),
        lambda np: np.angle([1, -1], deg=True),
        lambda np: np.real_if_close(np.array([1 + 1e-15j, 2])),
        lambda np: np.real_if_close(np.array([1 + 1e-3j, 2])),
        lambda np: np.real_if_close(np.array([1 + 1e-3j, 2]), tol=1e-2),
        lambda np: np.real_if_close(np.array([1.0, 2])),
        lambda np: np.real_if_close([1 + 0j]),
        lambda np: np.real_if_close(1j),
    ],
)
def test_arguments(body: Any):
    compare(body, rtol=ROUNDING)


@pytest.mark.parametrize("dtype", ["complex64", "complex128"])
def test_sign_of_zeros(dtype: str):
    """No zero keeps its sign; a zero part of another number does."""
    parts = [0.0, -0.0, 2.0, -2.0]
    values = [complex(x, y) for x in parts for y in parts]

    def body(np: Any) -> Any:
        z = np.sign(np.array(values, dtype))
        return np.real(z), np.imag(z)

    compare(body)


@pytest.mark.parametrize("value", [numpy.float64(2), numpy.int8(3), numpy.complex64(1 + 2j)])
def test_parts_of_scalars_are_scalars(value: Any):
    compare(lambda np: (np.real(value), np.imag(value)))


@pytest.mark.parametrize("value", [[None, 1], None, ["a"], [1j], [1.0], 1j, True])
def test_whether_anything_is_complex(value: Any):
    """Data that torch has no storage for is not."""
    compare(lambda np: (np.iscomplexobj(value), np.isrealobj(value)))
