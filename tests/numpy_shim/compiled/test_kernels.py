"""Whole numerical programs: compiled they give what they give in eager mode and with NumPy."""

from __future__ import annotations

import numpy
import pytest
import torch

import numpy_shim as np
from tests.slow import one_in

from .kernels import DATA_DEPENDENT, KERNELS, arguments


def as_numpy(x):
    """Results with NumPy's arrays for ours."""
    if isinstance(x, (tuple, list)):
        return [as_numpy(v) for v in x]
    return x if x is None else numpy.asarray(x)


def assert_same(got, expected):
    """Compare values, dtypes and shapes; float32 sums are rounded in another order."""
    if isinstance(expected, list):
        assert len(got) == len(expected)
        for a, b in zip(got, expected, strict=True):
            assert_same(a, b)
        return
    if expected is None:
        assert got is None
        return
    assert (got.dtype, got.shape) == (expected.dtype, expected.shape)
    tolerance = 1e-5 if expected.dtype in (numpy.float32, numpy.complex64) else 1e-11
    numpy.testing.assert_allclose(got, expected, rtol=tolerance, atol=tolerance)


def outcome(function, namespace, name):
    """The result of a kernel, and its arguments after the call."""
    given = arguments(name, namespace)
    return as_numpy([function(namespace, *given), list(given)])


@pytest.mark.parametrize("name", one_in(3, sorted(KERNELS)))
def test_compiled_kernel(name):
    """Kernels without control flow that depends on data compile whole; all of them compile."""
    function = KERNELS[name]
    expected = outcome(function, numpy, name)
    assert_same(outcome(function, np, name), expected)
    torch._dynamo.reset()
    compiled = torch.compile(
        lambda namespace, *given: function(np, *given),
        backend="eager",
        fullgraph=name not in DATA_DEPENDENT,
    )
    assert_same(outcome(compiled, np, name), expected)
