"""The chapter *Searching functions* beside array-api-strict."""

from __future__ import annotations

import subprocess
import sys

import numpy as np
import pytest
import torch
from hypothesis import assume, given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

import xp_torch
from tests.differential import Spec, axis_of_0d, compare
from tests.strategies import arrays, axes, dtypes_of, elements, scalars, shapes
from xp_torch._core.dtypes import ALL, INTEGER, PROMOTION, REAL_NUMERIC
from xp_torch._kernels import searching as kernels


@pytest.mark.parametrize("name", ["argmax", "argmin"])
@given(data=st.data())
def test_argmax_argmin(name, data):
    """The same first index, of the first NaN where there is one; refused alike."""
    a = data.draw(arrays(ALL))
    axis = data.draw(axes(a.values.ndim))
    keepdims = data.draw(st.booleans())
    if not axis_of_0d(name, a, axis):
        compare(lambda xp, x: getattr(xp, name)(x, axis=axis, keepdims=keepdims), a)


@pytest.mark.parametrize("name", ["argmax", "argmin"])
def test_first_of_many(name, device):
    """The first of a hundred thousand equals, on every device and along every axis."""
    for dtype in (torch.float32, torch.int64, torch.uint8, torch.uint64):
        x = xp_torch.asarray(torch.zeros(400, 300, dtype=dtype, device=device))
        assert int(getattr(xp_torch, name)(x)) == 0
        for axis in (0, 1):
            assert not bool(xp_torch.any(getattr(xp_torch, name)(x, axis=axis)))


@given(arrays(ALL), st.data(), st.booleans())
def test_count_nonzero(a, data, keepdims):
    """The same counts of every dtype."""
    axis = data.draw(axes(a.values.ndim))
    if not axis_of_0d("count_nonzero", a, axis):
        compare(lambda xp, x: xp.count_nonzero(x, axis=axis, keepdims=keepdims), a)


@given(arrays(ALL))
def test_nonzero(a):
    """The same indices, one array per axis; a 0-D array is refused alike."""
    compare(lambda xp, x: xp.nonzero(x), a)


@pytest.mark.parametrize("name", ["nonzero", "unique_values"])
def test_data_dependent(name):
    """Refused while the flag is off."""
    with (
        xp_torch.flags(data_dependent_shapes=False),
        pytest.raises(RuntimeError, match=f"{name}: the shape"),
    ):
        getattr(xp_torch, name)(xp_torch.asarray([1]))


@st.composite
def sorted_and_values(draw):
    """A sorted array, values to find, dtypes that promote or not, and maybe a sorter."""
    kind = draw(dtypes_of(REAL_NUMERIC))
    other = draw(st.one_of(st.just(kind), dtypes_of(REAL_NUMERIC)))
    size = draw(st.integers(0, 7))
    values = draw(hnp.arrays(kind, size, elements=elements(kind), fill=st.nothing()))
    found = draw(arrays(other))
    if size and kind == other and found.values.size and draw(st.booleans()):
        flat = found.values.reshape(-1)
        flat[: len(values)] = values[: len(flat)]
    sorter = None
    if draw(st.booleans()):
        order = np.argsort(values, kind="stable")
        index = draw(dtypes_of(INTEGER).filter(lambda d: d != np.dtype("uint64")))
        sorter = Spec(order.astype(index), draw(st.sampled_from(["contiguous", "strided"])))
    else:
        values = np.sort(values)
    return Spec(values, draw(st.sampled_from(["contiguous", "strided"]))), found, sorter


@given(sorted_and_values(), st.sampled_from(["left", "right"]))
def test_searchsorted(drawn, side):
    """The same indices, NaN after every number; dtypes that do not promote are refused.

    array-api-strict compares any two real dtypes; the standard's promotion of mixed kinds is
    undefined, and the namespace refuses it everywhere.
    """
    a, b, sorter = drawn

    def body(xp, x1, x2, order):
        xp.result_type(x1, x2)
        return xp.searchsorted(x1, x2, side=side, sorter=order)

    compare(body, a, b, sorter)


@given(arrays(ALL, st.sampled_from([(0,), (3,), (2, 2), ()])), scalars())
def test_searchsorted_scalar(a, scalar):
    """A Python scalar takes the dtype of ``x1``, or is refused alike."""
    compare(lambda xp, x: xp.searchsorted(xp.sort(x), scalar), a)


@pytest.mark.parametrize("looks", [True, False], ids=["looks", "without values"])
@pytest.mark.parametrize("nans", [0, 1, 5])
@pytest.mark.parametrize("size", [0, 1, 9, 200, 600])
def test_searchsorted_nan(looks, nans, size, monkeypatch):
    """The same indices whether or not the kernel looks at the last element for a NaN."""
    if not looks:
        monkeypatch.setattr(kernels, "is_dynamo_compiling", lambda: True)
    numbers = np.linspace(-2.0, 2.0, size)
    if size:
        numbers[-1] = np.inf
    a = Spec(np.concatenate([numbers, np.full(nans, np.nan)]))
    b = Spec(np.concatenate([numbers, [-np.inf, np.inf, np.nan, 0.0, -0.0, 0.3]]))
    for side in ("left", "right"):
        compare(lambda xp, x1, x2: xp.searchsorted(x1, x2, side=side), a, b)  # noqa: B023


def test_searchsorted_looks_at_no_trace():
    """A trace holds the way that is right for all values."""
    x = xp_torch.asarray([1.0, 2.0, xp_torch.nan, xp_torch.nan])
    traced = torch.compile(xp_torch.searchsorted, backend="eager", fullgraph=True)
    traced(xp_torch.asarray([1.0, 2.0, 3.0, 4.0]), x)
    assert xp_torch.to_torch(traced(x, x)).tolist() == [0, 1, 2, 2]


def test_searchsorted_sorter():
    """Indices of every integer dtype, uint64 too, which NumPy refuses."""
    x = xp_torch.asarray([3, 1, 2])
    for dtype in INTEGER.dtypes:
        order = xp_torch.asarray([1, 2, 0], dtype=dtype)
        assert int(xp_torch.searchsorted(x, 3, sorter=order)) == 2


def test_searchsorted_refuses():
    """Wrong arguments are errors that name them."""
    x = xp_torch.asarray([1, 2, 3])
    for error, arguments, options in [
        (ValueError, (x, x), {"side": "middle"}),
        (ValueError, (x, x), {"side": 1}),
        (ValueError, (x, x), {"sorter": xp_torch.asarray([0, 1])}),
        (TypeError, (x, x), {"sorter": xp_torch.asarray([0.0, 1.0, 2.0])}),
        (TypeError, (x, x), {"sorter": [0, 1, 2]}),
        (ValueError, (xp_torch.ones((2, 2)), xp_torch.ones(2)), {}),
        (ValueError, (xp_torch.asarray(1), x), {}),
        (TypeError, (x, 1.5), {}),
        (TypeError, (x, True), {}),
        (TypeError, (x, [1]), {}),
        (TypeError, (1, x), {}),
        (OverflowError, (x, 2**70), {}),
    ]:
        with pytest.raises(error, match="searchsorted: "):
            xp_torch.searchsorted(*arguments, **options)
    with xp_torch.flags(api_version="2024.12"), pytest.raises(TypeError, match="searchsorted: x2"):
        xp_torch.searchsorted(x, 1)


@given(arrays(REAL_NUMERIC, shapes(min_dims=1, max_dims=1, max_side=6)), st.data())
def test_searchsorted_agrees_with_sort(a, data):
    """A value put in at its index leaves the array sorted, as the standard asks."""
    x = xp_torch.sort(xp_torch.asarray(a.tensor()))
    value = data.draw(hnp.arrays(a.values.dtype, (1,), elements=elements(a.values.dtype)))
    v = xp_torch.asarray(torch.from_numpy(value))
    for side in ("left", "right"):
        at = int(xp_torch.searchsorted(x, v, side=side)[0])
        joined = xp_torch.concat([x[:at], v, x[at:]])
        again = xp_torch.sort(joined)
        same = (joined == again) | ((joined != joined) & (again != again))
        assert bool(xp_torch.all(same))


@st.composite
def three(draw):
    """A condition and two arrays, of shapes that broadcast and dtypes that may promote."""
    both = draw(hnp.mutually_broadcastable_shapes(num_shapes=3, max_dims=3, max_side=3))
    c, a, b = both.input_shapes
    first = draw(dtypes_of(ALL))
    second = draw(st.one_of(st.just(first), dtypes_of(ALL)))
    condition = draw(st.one_of(st.just(np.dtype("bool")), dtypes_of(ALL)))
    return draw(arrays(condition, c)), draw(arrays(first, a)), draw(arrays(second, b))


@given(three())
def test_where(drawn):
    """Same elements and dtype; conditions that are not boolean are refused alike."""
    compare(lambda xp, c, a, b: xp.where(c, a, b), *drawn)


@given(three(), scalars())
def test_where_scalar(drawn, scalar):
    """A Python scalar on either side takes the array's dtype, or is refused alike."""
    c, a, _ = drawn
    if c.values.dtype != bool and type(scalar) is int and a.values.dtype.kind in "iu":
        bounds = np.iinfo(a.values.dtype)
        assume(bounds.min <= scalar <= bounds.max)  # else both are wrong
    compare(lambda xp, c, a: xp.where(c, a, scalar), c, a)
    compare(lambda xp, c, a: xp.where(c, scalar, a), c, a)


@given(arrays(ALL, (2,)), arrays(ALL, (3,)))
def test_where_shapes(a, b):
    """Shapes that do not broadcast are a ValueError, whatever is wrong besides."""
    if (a.values.dtype.name, b.values.dtype.name) in {
        (str(p).removeprefix("torch."), str(q).removeprefix("torch.")) for p, q in PROMOTION
    }:
        compare(lambda xp, a, b: xp.where(xp.asarray(True), a, b), a, b)
    compare(lambda xp, a: xp.where(xp.asarray([True, False, True]), a, a), a)


def test_where_refuses():
    """Wrong arguments are errors that name them; scalars came with version 2024.12."""
    x, c = xp_torch.asarray([1.0, 2.0]), xp_torch.asarray([True, False])
    for arguments in [(c, 1.0, 2.0), (x, x, x), (True, x, x), (c, x, [1.0]), (c, x, np.ones(2))]:
        with pytest.raises(TypeError, match="where: "):
            xp_torch.where(*arguments)
    with xp_torch.flags(api_version="2023.12"), pytest.raises(TypeError, match=r"2024\.12"):
        xp_torch.where(c, x, 1.0)


def test_where_beyond_float32():
    """A scalar beyond the range of float32 is an infinity, as in array-api-strict."""
    a = Spec(np.ones(2, "float32"))
    compare(lambda xp, x: xp.where(x > 2, x, 1e300), a)


NON_CONTIGUOUS = """
import warnings
import torch
import xp_torch as xp
torch.set_warn_always({always})
warnings.simplefilter("error")
for dtype in (torch.float64, torch.int64):
    x = xp.asarray(torch.arange(64, dtype=dtype)[::2])
    for side in ("left", "right"):
        found = xp.searchsorted(x, x, side=side)
        assert xp.all(found == xp.arange(32) + int(side == "right")), found
"""


@pytest.mark.parametrize("always", [False, True])
def test_no_word_of_operands_that_are_not_contiguous(always):
    """torch hints at a copy that it makes, once; that is nothing for the caller to mend."""
    program = NON_CONTIGUOUS.format(always=always)
    subprocess.run([sys.executable, "-c", program], check=True, timeout=120)
