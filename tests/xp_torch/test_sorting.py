"""The chapter *Sorting functions* beside array-api-strict."""

from __future__ import annotations

import numpy as np
import pytest
import torch
from hypothesis import assume, given
from hypothesis import strategies as st

import xp_torch
from tests.differential import compare
from tests.strategies import arrays
from xp_torch._core.dtypes import ALL, REAL_NUMERIC
from xp_torch._core.errors import AxisError


def an_axis(data, ndim):
    return data.draw(st.sampled_from([-1, 0, ndim - 1, -ndim, ndim, -ndim - 1, 0.5, (0,), None]))


@given(arrays(ALL), st.data(), st.booleans(), st.booleans())
def test_sort(a, data, descending, stable):
    """Same values, NaN last, or first in descending order; refused alike.

    The sign of a zero is not compared in descending order: array-api-strict flips an
    ascending sort there, which turns the order of the two zeros, equal as they are, around.
    """
    axis = an_axis(data, a.values.ndim)
    if axis is not None:
        compare(
            lambda xp, x: xp.sort(x, axis=axis, descending=descending, stable=stable),
            a,
            signed_zeros=stable and not descending,
        )


@given(arrays(ALL), st.data(), st.booleans())
def test_argsort(a, data, descending):
    """The same indices: equals keep their order, in descending order too, and NaNs among them."""
    ndim = a.values.ndim
    axis = an_axis(data, ndim)
    if ndim == 0 and axis is not None:
        # The standard: an axis outside [-N, N) must raise; NumPy gives a 1-D array.
        with pytest.raises((AxisError, TypeError)):
            xp_torch.argsort(xp_torch.asarray(a.tensor()), axis=axis)
    elif axis is not None:
        compare(lambda xp, x: xp.argsort(x, axis=axis, descending=descending), a)


@given(arrays(REAL_NUMERIC), st.data(), st.booleans(), st.booleans())
def test_argsort_sorts(a, data, descending, stable):
    """The indices lead to the sorted elements, whether or not equals must keep their order."""
    assume(a.values.ndim)
    axis = data.draw(st.integers(-a.values.ndim, a.values.ndim - 1))
    x = xp_torch.asarray(a.tensor())
    order = xp_torch.argsort(x, axis=axis, descending=descending, stable=stable)
    taken = xp_torch.take_along_axis(x, order, axis=axis)
    expected = xp_torch.sort(x, axis=axis, descending=descending, stable=stable)
    assert order.dtype is torch.int64
    np.testing.assert_array_equal(taken._tensor.numpy(), expected._tensor.numpy())


@pytest.mark.parametrize("descending", [False, True])
def test_stable_when_large(descending, device):
    """Equals keep their order in arrays large enough for every algorithm."""
    keys = torch.arange(60_000, device=device) % 7
    for dtype in (torch.int64, torch.uint8, torch.float32, torch.uint64):
        x = xp_torch.asarray(keys.to(dtype))
        order = xp_torch.argsort(x, descending=descending)
        steps = xp_torch.diff(order)
        same = xp_torch.diff(xp_torch.astype(xp_torch.take(x, order), xp_torch.int64)) == 0
        assert bool(xp_torch.all((steps > 0) | ~same))


def test_zeros_keep_their_order():
    """The two zeros are equal: a stable sort leaves them as they are, both ways."""
    x = xp_torch.asarray([0.0, -0.0, 0.0])
    for descending in (False, True):
        signs = xp_torch.signbit(xp_torch.sort(x, descending=descending))
        assert signs._tensor.tolist() == [False, True, False]


@pytest.mark.parametrize("name", ["sort", "argsort"])
def test_refuses(name):
    """No axis, and wrong dtypes, are errors that name the function."""
    function = getattr(xp_torch, name)
    for x in ([True], [1j]):
        with pytest.raises(TypeError, match=f"{name}: x"):
            function(xp_torch.asarray(x))
    with pytest.raises(TypeError, match=f"{name}: axis"):
        function(xp_torch.asarray([1]), axis=None)
    with pytest.raises(AxisError, match=f"{name}: axis"):
        function(xp_torch.asarray(1))
    with pytest.raises(TypeError, match=f"{name}: x"):
        function([1, 2])
