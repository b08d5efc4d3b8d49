"""The chapter *Utility functions* beside array-api-strict."""

from __future__ import annotations

import numpy as np
import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

import xp_torch
from tests.differential import axis_of_0d, compare
from tests.strategies import CLOSE, arrays, axes, shapes
from xp_torch._core.dtypes import ALL, NUMERIC


@pytest.mark.parametrize("name", ["all", "any"])
@given(data=st.data())
def test_all_any(name, data):
    """Same truth of every dtype: NaN is true, no element is all and not any."""
    a = data.draw(arrays(ALL))
    axis = data.draw(axes(a.values.ndim))
    keepdims = data.draw(st.sampled_from([False, True, 1]))
    if not axis_of_0d(name, a, axis):
        compare(lambda xp, x: getattr(xp, name)(x, axis=axis, keepdims=keepdims), a)


@pytest.mark.parametrize("dtype", [torch.uint8, torch.uint16, torch.uint32, torch.uint64])
def test_all_any_unsigned(dtype):
    """Boolean of the unsigned dtypes too, and the top bit alone is true."""
    top = xp_torch.asarray([torch.iinfo(dtype).max // 2 + 1], dtype=dtype)
    for name in ("all", "any"):
        result = getattr(xp_torch, name)(top)
        assert result.dtype is torch.bool
        assert bool(result)


@given(arrays(ALL), st.data(), st.integers(-1, 4))
def test_diff(a, data, n):
    """Same differences and wrap-around; booleans, negative n and wrong axes are refused alike."""
    ndim = a.values.ndim
    axis = data.draw(st.sampled_from([-1, 0, ndim - 1, -ndim, ndim, -ndim - 1, 0.5, None]))
    if (isinstance(axis, int) and -ndim <= axis < ndim) or (ndim and n):
        compare(lambda xp, x: xp.diff(x, axis=axis, n=n), a, rtol=CLOSE)
    else:
        # NumPy does not look at the axis here, or looks at something else first.
        with pytest.raises((ValueError, TypeError)):
            xp_torch.diff(xp_torch.asarray(a.tensor()), axis=axis, n=n)


@st.composite
def neighbours(draw):
    """An array, an axis, and what to put before and after it, of a shape that mostly fits."""
    a = draw(arrays(NUMERIC, shapes(min_dims=1, max_side=3)))
    axis = draw(st.integers(-a.values.ndim, a.values.ndim - 1))

    def beside():
        shape = list(a.values.shape)
        shape[axis] = draw(st.integers(0, 2))
        shape = draw(st.sampled_from([tuple(shape)] * 4 + [(), (2,), (1, 2)]))
        return draw(arrays(a.values.dtype, shape))

    both = [beside() if draw(st.booleans()) else None for _ in range(2)]
    return a, axis, both


@given(neighbours(), st.integers(1, 3))
def test_diff_beside(drawn, n):
    """``prepend`` and ``append`` go around ``x`` first; what does not fit is refused alike."""
    a, axis, (prepend, append) = drawn

    def body(xp, x, before, after):
        return xp.diff(x, axis=axis, n=n, prepend=before, append=after)

    compare(body, a, prepend, append, rtol=CLOSE)


def test_diff_of_no_order():
    """The standard: "the final size of the axis must be M + N1 + N2 - n", with n = 0 too.

    NumPy leaves ``prepend`` and ``append`` out there.
    """
    x, before = xp_torch.asarray([1, 2]), xp_torch.asarray([0])
    assert xp_torch.diff(x, n=0, prepend=before, append=before).shape == (4,)


@given(arrays(ALL, (2,)), arrays(ALL, (2,)))
def test_diff_promotes(a, b):
    """Neighbours of another dtype promote as the standard's table says, or are refused."""

    def body(xp, x, y):
        xp.result_type(x, y)
        if xp.bool in (x.dtype, y.dtype):
            raise TypeError("not numeric")
        return xp.diff(x, prepend=y)

    compare(body, a, b, rtol=CLOSE)


def test_diff_refuses():
    """TypeErrors for objects that are not arrays or integers name the argument."""
    x = xp_torch.asarray([1.0, 2.0])
    for arguments, message in [
        ({"prepend": 1.0}, "diff: prepend"),
        ({"append": [1.0]}, "diff: append"),
        ({"append": np.ones(1)}, "diff: append"),
        ({"n": 1.0}, "diff: n"),
        ({"prepend": xp_torch.asarray([True])}, "diff: prepend"),
    ]:
        with pytest.raises(TypeError, match=message):
            xp_torch.diff(x, **arguments)
    with pytest.raises(ValueError, match="diff: prepend of shape"):
        xp_torch.diff(x, prepend=xp_torch.ones((1, 1)))


def test_diff_of_none_is_new():
    """No difference gives a new array."""
    x = xp_torch.asarray([1.0, 2.0])
    y = xp_torch.diff(x, n=0)
    x[0] = 5.0
    assert float(y[0]) == 1.0
