"""``astype(casting='same_value')``: a cast that keeps every value, or an error."""

from __future__ import annotations

import itertools
import warnings

import numpy
import pytest

from tests.numpy_shim.differential import compare
from xp_torch._core import dtypes

DTYPES = [*dtypes.BY_NAME, "float16"]

RULE = "same_value"

VALUES = [
    0, 1, -1, 2, 127, 128, 255, 256, 2049, 65504, 65519, 65520, 70000, 2**24 + 1, 2**31 - 1, 2**31,
    2**32, 2**53, 2**53 + 1, 2**63 - 1, 2**63, 2**64 - 1, -(2**31), -(2**63), 0.5, -0.0, 0.1, 2.5,
    1e-300, 1e300, -1e300, numpy.inf, -numpy.inf, numpy.nan, 1j, 1 + 0j, complex(numpy.nan, 0),
    complex(0, numpy.nan), complex(1e300, 1),
]  # fmt: skip


@pytest.mark.parametrize(("source", "target"), [*itertools.product(DTYPES, repeat=2)])
def test_same_value(source: str, target: str):
    """Each value alone, for every pair of dtypes."""
    for value in VALUES:
        with numpy.errstate(all="ignore"), warnings.catch_warnings():
            warnings.simplefilter("ignore")
            held = numpy.array([value, value]).astype(source)
        if "float16" in (source, target) and value in (-0.0, 65504) and held[0] == value:
            continue  # NumPy refuses the largest half, and its negative zero, which are kept here

        values = held.tolist()
        compare(lambda np, h=values: np.array(h, source).astype(target, casting=RULE))


def test_same_value_of_other_shapes():
    """No elements, a scalar, no cast at all, and a rule that is none."""
    compare(lambda np: np.array([]).astype(int, casting="same_value"))
    compare(lambda np: np.float64(2.5).astype(int, casting="same_value"))
    compare(lambda np: np.float64(2).astype(int, casting="same_value"))
    compare(lambda np: np.array([2.5]).astype(float, casting="same_value"))
    compare(lambda np: np.array([[2.0, 3]]).T.astype(np.int8, casting="same_value", order="F"))
    compare(lambda np: np.array([2.5]).astype(int, casting="other"))
    compare(lambda np: np.copyto(np.zeros(2), 1.0, casting="same_value"))
    compare(lambda np: np.add(1.0, 2.0, casting="same_value"))
