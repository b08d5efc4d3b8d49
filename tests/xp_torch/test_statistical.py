"""The chapter *Statistical functions* beside array-api-strict."""

from __future__ import annotations

import math

import array_api_strict
import numpy as np
import pytest
import torch
from hypothesis import assume, given
from hypothesis import strategies as st

import xp_torch
from tests.differential import Spec, compare
from tests.strategies import CLOSE, arrays, axes, elements, shapes
from xp_torch._core.dtypes import ALL, BY_NAME, NUMERIC
from xp_torch._core.errors import AxisError

SMALL = shapes(max_dims=2, max_side=3)
NAMES = ["max", "mean", "min", "prod", "std", "sum", "var"]


def refuses_axis(name, a, axis, **kwargs):
    """Whether the call is one where array-api-strict departs from the standard, checked.

    "If provided an invalid axis, the function must raise an exception": an axis of a 0-D array
    is outside ``[-N, N)``, but NumPy takes 0 and -1 for it in most functions.
    """
    if a.values.ndim or axis is None or axis == () or not isinstance(axis, (int, tuple)):
        return False
    x = xp_torch.asarray(a.tensor())
    with pytest.raises((AxisError, TypeError)):
        getattr(xp_torch, name)(x, axis=axis, **kwargs)
    return True


def duplicates(a, axis):
    """Whether an axis comes twice, once counted from each end."""
    if not isinstance(axis, tuple) or not all(isinstance(i, int) for i in axis):
        return False
    return len({i % max(a.values.ndim, 1) for i in axis}) < len(axis)


def sizes(a):
    """The absolute values of the elements that are finite."""
    values = np.abs(a.numpy().astype(np.complex128))
    return values[np.isfinite(values)]


def rounding(a, name=None):
    """How far sums in the dtype ``name`` are apart in two orders, where large terms cancel.

    Each partial sum is below the sum of the magnitudes, and is rounded to it.
    """
    name = name or a.values.dtype.name
    if name[0] not in "fc":
        return 0.0
    return 4 * float(np.finfo(name).eps) * float(np.sum(sizes(a)))


def spread(a, name, left=math.inf):
    """How far ``var`` or ``std`` are apart, where all elements are nearly equal.

    The mean is rounded to an element, and so is each deviation. ``left`` is the divisor, which a
    correction can make small.
    """
    if a.values.dtype.kind not in "fc":
        return 0.0
    largest = float(np.max(sizes(a), initial=0.0))
    eps = 8 * float(np.finfo(a.values.dtype).eps)
    wider = max(1.0, a.values.size / left)
    return eps * largest**2 * wider if name == "var" else eps * largest * wider**0.5


@given(arrays(ALL), st.data(), st.sampled_from([False, True, 1]))
def test_max_min(a, data, keepdims):
    """Same values; NaN propagates, a zero-size axis and what is not real is refused alike."""
    axis = data.draw(axes(a.values.ndim))
    for name in ("max", "min"):
        if not refuses_axis(name, a, axis):
            # Which of the two zeros is the larger is not specified.
            compare(
                lambda xp, x: getattr(xp, name)(x, axis=axis, keepdims=keepdims),  # noqa: B023
                a,
                signed_zeros=False,
            )


def in_range(a):
    """The specs whose products overflow in no order of the factors, and whose sums do not."""
    kind = a.values.dtype.kind
    return kind in "iub" or a.values.size == 0 or bool(np.isfinite(a.values).all())


@given(arrays(ALL, finite=True), st.data(), st.booleans())
def test_sum(a, data, keepdims):
    """Same values, dtype and wrap-around; the sum of no elements is zero."""
    axis = data.draw(axes(a.values.ndim))
    if not refuses_axis("sum", a, axis):
        compare(
            lambda xp, x: xp.sum(x, axis=axis, keepdims=keepdims), a, rtol=CLOSE, atol=rounding(a)
        )


@given(arrays(NUMERIC, SMALL), st.data(), st.booleans())
def test_sum_special(a, data, keepdims):
    """Infinities and NaN go through a sum as through successive additions."""
    axis = data.draw(axes(a.values.ndim))
    if not refuses_axis("sum", a, axis):
        compare(
            lambda xp, x: xp.sum(x, axis=axis, keepdims=keepdims), a, rtol=CLOSE, atol=rounding(a)
        )


@given(arrays(ALL, SMALL, finite=True), st.data(), st.booleans())
def test_prod(a, data, keepdims):
    """Same values, dtype and wrap-around; the product of no elements is one."""
    axis = data.draw(axes(a.values.ndim))
    if not refuses_axis("prod", a, axis):
        compare(
            lambda xp, x: xp.prod(x, axis=axis, keepdims=keepdims),
            a,
            rtol=CLOSE,
            atol=underflow(a),
        )


@given(arrays(np.dtype("float64"), SMALL), st.data(), st.booleans())
def test_prod_special(a, data, keepdims):
    """Zeros, infinities and NaN go through a product as through successive multiplications."""
    axis = data.draw(axes(a.values.ndim))
    if not refuses_axis("prod", a, axis):
        compare(
            lambda xp, x: xp.prod(x, axis=axis, keepdims=keepdims),
            a,
            rtol=CLOSE,
            atol=underflow(a),
        )


def cast_targets(a):
    """The dtypes a cast of these values to is defined for."""
    kind = a.values.dtype.kind
    if kind == "c":
        return ["complex64", "complex128"]
    if kind == "f":
        return ["bool", "float32", "float64", "complex64", "complex128", "int64"]
    return list(BY_NAME)


@given(arrays(NUMERIC, SMALL, finite=True), st.data())
def test_dtype(a, data):
    """The elements are cast to ``dtype`` first, and the result has it."""
    axis = data.draw(st.none() | st.integers(0, a.values.ndim - 1)) if a.values.ndim else None
    name = data.draw(st.sampled_from(cast_targets(a)))
    for function in ("sum", "prod"):
        if function == "prod" and not survives_any_order(a, name):
            continue
        compare(
            lambda xp, x: getattr(xp, function)(x, axis=axis, dtype=getattr(xp, name)),  # noqa: B023
            a,
            rtol=CLOSE,
            atol=rounding(a, name) if function == "sum" else underflow(a, name),
        )


def underflow(a, name=None):
    """How far products of these factors are apart in two orders, where a part of one underflows."""
    name = name or a.values.dtype.name
    if name[0] not in "fc" or not survives_any_order(a, name):
        return 0.0
    factors = np.abs(a.numpy().astype(np.complex128))
    largest = float(np.prod(np.maximum(factors, 1.0)))
    return 2 * factors.size * largest * float(np.finfo(name).smallest_subnormal)


def survives_any_order(a, name):
    """Whether a product in the dtype ``name`` overflows in no order of its factors.

    After an overflow it depends on the order whether a zero makes it NaN, and for complex
    numbers on how the product is written.
    """
    with np.errstate(all="ignore"):
        sizes = np.abs(a.numpy().astype(np.complex128))
        largest = np.prod(np.maximum(sizes, 1.0))
    single = (name or a.values.dtype.name) in ("float32", "complex64")
    floating = (name or a.values.dtype.name)[0] in "fc"
    return not floating or bool(largest < (1e37 if single else 1e300))


@pytest.mark.parametrize("name", ["sum", "prod", "cumulative_sum", "cumulative_prod"])
def test_dtype_refused(name):
    """What is no dtype of the standard is a TypeError that names the argument.

    So is a complex array with a real ``dtype``. "The input array should be cast to the
    specified data type", and for ``astype`` "casting a complex floating-point array to a
    real-valued data type should not be permitted"; array-api-strict drops the imaginary parts.
    """
    x = xp_torch.asarray([1.0, 2.0])
    for dtype in ("float64", float, np.float64, torch.float16, 1, torch.bfloat16):
        with pytest.raises(TypeError, match=f"{name}: dtype"):
            getattr(xp_torch, name)(x, dtype=dtype)
    for dtype in (torch.float64, torch.int64, torch.bool):
        with pytest.raises(TypeError, match="imaginary"):
            getattr(xp_torch, name)(xp_torch.asarray([1j]), dtype=dtype)


@given(arrays(ALL), st.data(), st.booleans())
def test_mean(a, data, keepdims):
    """Same values, NaN of no elements; any dtype that is not floating is refused alike."""
    axis = data.draw(axes(a.values.ndim))
    if not refuses_axis("mean", a, axis):
        compare(
            lambda xp, x: xp.mean(x, axis=axis, keepdims=keepdims), a, rtol=CLOSE, atol=rounding(a)
        )


CORRECTIONS = st.one_of(
    st.integers(-2, 5),
    st.floats(-2, 5),
    st.sampled_from([0, 1, 0.5, 100, math.inf, math.nan, True]),
)


def degrees(a, axis, correction):
    """How many elements are reduced, less the correction; None for a wrong axis."""
    shape = a.values.shape
    if axis is None:
        return math.prod(shape) - correction
    try:
        sides = [shape[i] for i in (axis if isinstance(axis, tuple) else (axis,))]
    except (TypeError, IndexError):
        return None
    return math.prod(sides) - correction


@given(arrays(ALL, finite=True), st.data(), CORRECTIONS, st.booleans())
def test_var_std(a, data, correction, keepdims):
    """Same values, and NaN unless there are more elements than the correction.

    The standard: "If M - correction is less than or equal to 0, the variance must be NaN."
    NumPy divides by zero there, which gives an infinity unless all elements are equal.
    """
    axis = data.draw(axes(a.values.ndim))
    left = degrees(a, axis, correction)
    for name in ("var", "std"):
        if refuses_axis(name, a, axis):
            continue

        def body(xp, x, name=name):
            result = getattr(xp, name)(x, axis=axis, correction=correction, keepdims=keepdims)
            return result if left is None or left > 0 else result * xp.nan

        divisor = left if left is not None and left > 0 else math.inf
        ours = compare(body, a, rtol=CLOSE, atol=spread(a, name, divisor))
        if not isinstance(ours, Exception) and not left > 0:
            assert bool(torch.isnan(ours._tensor).all())


@given(arrays(np.dtype("float64"), SMALL), st.data())
def test_var_std_special(a, data):
    """Infinities and NaN give NaN."""
    axis = data.draw(axes(a.values.ndim))
    for name in ("var", "std"):
        if not refuses_axis(name, a, axis):
            compare(
                lambda xp, x: getattr(xp, name)(x, axis=axis),  # noqa: B023
                a,
                rtol=CLOSE,
                atol=spread(a, name),
            )


@pytest.mark.parametrize("name", ["var", "std"])
@pytest.mark.parametrize("correction", ["1", None, 1j, [1]])
def test_correction_refused(name, correction):
    """A correction that is no real number is a TypeError that names it."""
    with pytest.raises(TypeError, match=f"{name}: correction"):
        getattr(xp_torch, name)(xp_torch.asarray([1.0, 2.0]), correction=correction)


@pytest.mark.filterwarnings("error")
@pytest.mark.parametrize("name", ["mean", "var", "std"])
def test_nothing_warns(name):
    """No elements, or fewer than the correction, are answered without a warning."""
    function = getattr(xp_torch, name)
    assert math.isnan(float(function(xp_torch.asarray([]))))
    assert function(xp_torch.zeros((0, 3)), axis=0).shape == (3,)
    if name != "mean":
        assert math.isnan(float(function(xp_torch.asarray([1.0]), correction=1)))
        assert math.isnan(float(function(xp_torch.asarray([1.0, 2.0]), correction=2.0)))


@pytest.mark.parametrize("name", ["sum", "prod", "max", "min", "mean", "var", "std"])
def test_no_axes(name):
    """An empty tuple of axes reduces nothing, and gives a new array."""
    x = xp_torch.asarray([[1.0, 2.0], [3.0, 4.0]])
    result = getattr(xp_torch, name)(x, axis=())
    assert result.shape == (2, 2)
    x[0, 0] = 9.0
    assert float(result[0, 0]) == (0.0 if name in ("var", "std") else 1.0)


@pytest.mark.parametrize("name", ["cumulative_sum", "cumulative_prod"])
@given(data=st.data())
def test_cumulative(name, data):
    """Same values, dtype and wrap-around, an initial element, axes refused alike."""
    a = data.draw(arrays(ALL, shapes(max_dims=2, min_dims=1, max_side=4), finite=True))
    ndim = a.values.ndim
    axis = data.draw(
        st.none() | st.integers(-ndim, ndim - 1) | st.sampled_from([ndim, -ndim - 1, 0.5, (0,)])
    )
    initial = data.draw(st.booleans())
    dtype = data.draw(st.none() | st.sampled_from(cast_targets(a)))

    def body(xp, x):
        kind = None if dtype is None else getattr(xp, dtype)
        return getattr(xp, name)(x, axis=axis, dtype=kind, include_initial=initial)

    assume(name != "cumulative_prod" or survives_any_order(a, dtype))
    compare(
        body,
        a,
        rtol=CLOSE,
        atol=rounding(a, dtype) if name == "cumulative_sum" else 0.0,
        signed_zeros=name == "cumulative_prod",  # a sum of -0.0 alone is 0.0 in torch
    )


@pytest.mark.parametrize("name", ["cumulative_sum", "cumulative_prod"])
@given(data=st.data())
def test_cumulative_special(name, data):
    """Infinities and NaN go through as through successive additions or products.

    The sign of a zero is not compared: torch adds to a first zero, so that -0 alone becomes 0.
    """
    a = data.draw(arrays(np.dtype("float64"), shapes(max_dims=2, min_dims=1, max_side=4)))
    initial = data.draw(st.booleans())
    compare(
        lambda xp, x: getattr(xp, name)(x, axis=-1, include_initial=initial),
        a,
        rtol=CLOSE,
        atol=rounding(a) if name[-1] == "m" else 0.0,
        signed_zeros=False,
    )


@pytest.mark.parametrize("name", ["cumulative_sum", "cumulative_prod"])
def test_cumulative_0d(name):
    """A 0-D array is refused: the standard leaves it unspecified since 2024.12."""
    with pytest.raises(ValueError, match=f"{name}: x must have"):
        getattr(xp_torch, name)(xp_torch.asarray(1.0))


@given(arrays(NUMERIC, SMALL, finite=True), st.sampled_from(NAMES))
def test_older_versions(a, name):
    """Before 2023.12 sums and products of floats had the default precision; means were real."""
    tolerance = {"std": spread(a, "std"), "var": spread(a, "var"), "prod": underflow(a)}.get(
        name, rounding(a)
    )
    for version in ("2022.12", "2023.12", "2024.12"):
        with (
            xp_torch.flags(api_version=version),
            array_api_strict.ArrayAPIStrictFlags(api_version=version),
        ):
            if a.values.size:
                compare(lambda xp, x: getattr(xp, name)(x), a, rtol=CLOSE, atol=tolerance)


@given(st.data())
def test_extremes_of_wide_unsigned(data):
    """Values above 2**63 are ordered, summed and multiplied as unsigned."""
    kind = data.draw(st.sampled_from(["uint16", "uint32", "uint64"]).map(np.dtype))
    values = data.draw(st.lists(elements(kind), min_size=1, max_size=6))
    a = Spec(np.array(values, kind))
    assert int(xp_torch.max(xp_torch.asarray(a.tensor()))) == max(values)
    assert int(xp_torch.min(xp_torch.asarray(a.tensor()))) == min(values)
    assert int(xp_torch.sum(xp_torch.asarray(a.tensor()))) == sum(values) % 2**64
    assert int(xp_torch.prod(xp_torch.asarray(a.tensor()))) == math.prod(values) % 2**64
