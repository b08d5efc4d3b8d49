"""The chapter *Set functions* beside array-api-strict."""

from __future__ import annotations

import numpy as np
import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

import xp_torch
from tests.differential import Spec, compare
from tests.strategies import arrays, pairs, scalars
from xp_torch._core.dtypes import ALL, INTEGER


@pytest.mark.parametrize("name", ["unique_all", "unique_counts", "unique_inverse", "unique_values"])
@given(data=st.data())
def test_unique(name, data):
    """Same values in the same order, each NaN by itself, and the same indices and counts.

    Which of the two zeros stands for both is not specified. NumPy sorts NaNs that differ
    in their parts in its own order, and so do we; but its argsort is not stable, so among more
    than 16 complex numbers it numbers like NaNs in any order.
    """
    a = data.draw(arrays(ALL))

    def body(xp, x):
        result = getattr(xp, name)(x)
        if name != "unique_inverse":
            return result
        values, inverse = result
        flat = xp.take(values, xp.reshape(inverse, (-1,)))
        return values, xp.where(x != x, -1, inverse), xp.reshape(flat, x.shape)

    compare(body, a, signed_zeros=False)


def test_unique_inverse_of_like_nans():
    """Each of several NaNs has a value of its own, however many there are, in order."""
    x = xp_torch.asarray(torch.full((20,), complex(float("nan"), 1.0)))
    assert xp_torch.unique_inverse(x).inverse_indices._tensor.tolist() == list(range(20))


@pytest.mark.parametrize(
    ("name", "fields"),
    [
        ("unique_all", ("values", "indices", "inverse_indices", "counts")),
        ("unique_counts", ("values", "counts")),
        ("unique_inverse", ("values", "inverse_indices")),
    ],
)
def test_fields(name, fields):
    """The results are named tuples with the standard's field names."""
    assert getattr(xp_torch, name)(xp_torch.asarray([1, 1]))._fields == fields


@given(arrays(ALL))
def test_unique_all_reconstructs(a):
    """``values[inverse]`` is ``x``, and each index is that of the first occurrence."""
    x = xp_torch.asarray(a.tensor())
    values, indices, inverse, counts = xp_torch.unique_all(x)
    flat = xp_torch.reshape(x, (-1,)) if x.size else xp_torch.zeros((0,), dtype=x.dtype)
    again = xp_torch.take(values, xp_torch.reshape(inverse, flat.shape))
    same = (again == flat) | ((again != again) & (flat != flat))
    assert bool(xp_torch.all(same))
    assert inverse.shape == x.shape
    assert int(xp_torch.sum(counts)) == x.size
    numbers = flat._tensor.tolist()
    for index, value in zip(indices._tensor.tolist(), values._tensor.tolist(), strict=True):
        if value == value:
            assert numbers.index(value) == index


def test_gradient_of_unique_values():
    """The values carry the gradient, though torch's own ``unique`` has none."""
    t = torch.tensor([2.0, 1.0, 2.0], dtype=torch.float64, requires_grad=True)
    xp_torch.sum(xp_torch.unique_values(xp_torch.asarray(t)))._tensor.backward()
    assert t.grad.tolist() == [1.0, 1.0, 0.0]


@given(pairs(ALL), st.booleans())
def test_isin(pair, invert):
    """Same truth, for integers only; array-api-strict 2.6.1 leaves ``invert`` out.

    The standard: "If True, the function must test whether each element in x1 is not in x2."
    """

    def body(xp, a, b):
        result = xp.isin(a, b, invert=invert)
        return xp.logical_not(result) if invert and xp is not xp_torch else result

    compare(body, *pair)


@given(arrays(ALL), scalars())
def test_isin_scalar(a, scalar):
    """A Python scalar on either side takes the array's dtype, or is refused alike."""
    compare(lambda xp, x: xp.isin(x, scalar), a)
    compare(lambda xp, x: xp.isin(scalar, x), a)


@given(st.data())
def test_isin_large(data):
    """The way for a large second array gives what the way for a small one gives."""
    dtype = data.draw(st.sampled_from(sorted(INTEGER.dtypes, key=str)))
    seed = data.draw(st.integers(0, 1000))
    g = torch.Generator().manual_seed(seed)
    a = torch.randint(0, 100, (3, 5), generator=g).to(dtype)
    b = torch.randint(0, 100, (data.draw(st.integers(0, 90)),), generator=g).to(dtype)
    expected = np.isin(a.numpy(), b.numpy())
    for invert in (False, True):
        ours = xp_torch.isin(xp_torch.asarray(a), xp_torch.asarray(b), invert=invert)
        np.testing.assert_array_equal(ours._tensor.numpy(), expected != invert)


def test_isin_extremes():
    """Values above 2**63 are found, by both ways."""
    top = Spec(np.array([2**64 - 1, 0, 2**63], "uint64"))
    many = Spec(np.arange(2**64 - 200, 2**64 - 1, dtype="uint64"))
    compare(lambda xp, a: xp.isin(a, xp.asarray([2**63], dtype=xp.uint64)), top)
    compare(lambda xp, a, b: xp.isin(a, b), top, many)


def test_isin_of_a_transposed_array():
    """The second array may lie in memory as it likes."""
    b = xp_torch.asarray([[1, 2], [3, 4]])
    assert bool(xp_torch.all(xp_torch.isin(b, b.T)))
    assert bool(xp_torch.isin(4, b.T))


def test_isin_refuses():
    """Two scalars, floats and foreign arrays are TypeErrors that name the function."""
    x = xp_torch.asarray([1, 2])
    for arguments in [
        (1, 2),
        (x, 1.0),
        (x, True),
        (xp_torch.asarray([1.0]), x),
        (x, [1]),
        ([1], x),
    ]:
        with pytest.raises(TypeError, match="isin: "):
            xp_torch.isin(*arguments)
    with pytest.raises(OverflowError, match="isin: "):
        xp_torch.isin(x, 2**70)
