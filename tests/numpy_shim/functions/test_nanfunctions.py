"""The functions that leave NaN out, against NumPy."""

from __future__ import annotations

import warnings
from typing import Any

import numpy
import pytest
import torch
from hypothesis import assume, given, settings
from hypothesis import strategies as st

import numpy_shim
from tests.differential import Spec
from tests.numpy_shim.differential import compare, few_roundings, roundings
from tests.strategies import arrays, axes
from xp_torch._core import dtypes

CLOSE = few_roundings()
ALL_DTYPES = [
    "bool", "int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64",
    "float16", "float32", "float64", "complex64", "complex128",
]  # fmt: skip
NAN = numpy.nan
DATA = [[5, NAN, 3, 7], [4, 5, 120, NAN], [NAN, NAN, NAN, NAN]]
REDUCTIONS = ["nansum", "nanprod", "nanmax", "nanmin", "nanmean", "nanvar", "nanstd", "nanmedian"]


def spec(values: Any, dtype: str = "float64") -> Spec:
    if numpy.dtype(dtype).kind in "biu":
        values = numpy.nan_to_num(values)
    return Spec(numpy.array(values).astype(dtype))


@st.composite
def reductions(draw: Any) -> tuple[Spec, Any, bool]:
    a = draw(arrays(dtypes.REAL_FLOATING))
    huge = numpy.where(abs(a.values) > 1e20, NAN, a.values).astype(a.values.dtype)
    return Spec(huge, a.layout), draw(axes(a.values.ndim)), draw(st.booleans())


@pytest.mark.parametrize("name", REDUCTIONS)
@settings(max_examples=50)
@given(reductions())
def test_over_axes(name: str, case: tuple[Spec, Any, bool]):
    a, axis, keepdims = case
    if name == "nanmedian":
        assume(a.values.size and a.values.ndim and not isinstance(axis, list))
    atol = {"nanvar": roundings(a, a), "nanstd": roundings(a, a) ** 0.5, "nanprod": 0.0}.get(
        name, roundings(a)
    )
    compare(
        lambda np, x: getattr(np, name)(x, axis=axis, keepdims=keepdims), a,
        rtol=CLOSE, atol=atol, signed_zeros=False,
    )  # fmt: skip


@pytest.mark.parametrize("name", [*REDUCTIONS, "nancumsum", "nancumprod"])
@pytest.mark.parametrize("dtype", ALL_DTYPES)
def test_every_dtype(name: str, dtype: str):
    a = spec(DATA, dtype)
    # NumPy writes the deviations back in the dtype of the elements.
    rtol = {**CLOSE, "float32": 1e-3, "complex128": 1e-3} if dtype == "float16" else CLOSE
    for axis in (None, 0, 1):
        compare(lambda np, x, axis=axis: getattr(np, name)(x, axis), a, rtol=CLOSE)
    for out in ("int32", "float32", "complex128"):
        compare(
            lambda np, x, o: getattr(np, name)(x, 1, out=o),
            a, spec(DATA if "cum" in name else [0, 0, 0], out), rtol=rtol,
        )  # fmt: skip
    if "cum" not in name and "median" not in name:
        mask = spec([[True, True, False, True], [False] * 4, [True] * 4], "bool")
        options = {"initial": 1} if name in ("nanmax", "nanmin") else {}
        compare(lambda np, x, m: getattr(np, name)(x, 1, where=m, **options), a, mask, rtol=CLOSE)


def begins_without_numbers(a: Spec, axis: Any) -> bool:
    """Whether the first of the rows along ``axis`` is all NaN."""
    values = a.numpy()
    if axis is None:
        values, axis = values.ravel(), 0
    if not -values.ndim <= axis < values.ndim:
        return False
    return bool(
        numpy.isnan(numpy.moveaxis(values, axis, -1).reshape(-1, values.shape[axis])[0]).all()
    )


@pytest.mark.parametrize("method", ["linear", "inverted_cdf", "hazen", "midpoint", "nearest"])
@settings(max_examples=40)
@given(
    arrays(dtypes.REAL_FLOATING),
    st.sampled_from([0.3, 0.0, [0.2, 0.9], [1.0]]),
    st.sampled_from([None, 0, -1, 5]),
    st.booleans(),
)
def test_quantile(method: str, a: Spec, q: Any, axis: Any, keepdims: bool):
    assume(a.values.size)
    rtol: Any = CLOSE
    dtype = None
    if isinstance(q, list) and begins_without_numbers(a, axis):
        # NumPy stores the others in the dtype of the first, which is then that of the elements.
        dtype = "float64"
        rtol = CLOSE[a.values.dtype.name]

    def body(np: Any, x: Any) -> Any:
        result = np.nanquantile(x, q, axis, method=method, keepdims=keepdims)
        return result if dtype is None else result.astype(dtype)

    # An interpolation between values that cancel is rounded to the values.
    compare(body, a, rtol=rtol, atol=roundings(a), signed_zeros=False)


@pytest.mark.parametrize("dtype", ["int8", "uint64", "float16", "float32", "float64"])
def test_percentile_of_every_dtype(dtype: str):
    a = spec(DATA[:2], dtype)
    w = spec([[1, 2, 3, 4], [0, 1, 0, 1]])
    for q in (30, [10.0, 60.0]):
        for axis in (None, 0, 1, (0, 1)):
            compare(lambda np, x, q=q, ax=axis: np.nanpercentile(x, q, ax), a, rtol=CLOSE)
            compare(
                lambda np, x, w, q=q, ax=axis: np.nanpercentile(
                    x, q, ax, weights=w, method="inverted_cdf"
                ), a, w, kind=False,
            )  # fmt: skip


@pytest.mark.parametrize(
    "body",
    [
        lambda np, a: np.nansum(a, 1, initial=3),
        lambda np, a: np.nansum([1, 2]),
        lambda np, a: np.nanmax([]),
        lambda np, a: np.nanmax(a, 0, initial=3),
        lambda np, a: np.nanmax(a, where=[True] * 4),
        lambda np, a: np.nanmin(a, 7),
        lambda np, a: np.nanmax([1j, complex(NAN, 3)]),
        lambda np, a: np.nanmin([True, False]),
        lambda np, a: np.nanmean(a, dtype=int),
        lambda np, a: np.nanmean(a, out=np.zeros((), int)),
        lambda np, a: np.nanmean(a, dtype=np.float32),
        lambda np, a: np.nanmean([]),
        lambda np, a: np.nanmean(np.zeros((0, 2)), axis=0),
        lambda np, a: np.nanvar([]),
        lambda np, a: np.nanvar(a, 1, ddof=2),
        lambda np, a: np.nanvar(a, ddof=1, correction=1),
        lambda np, a: np.nanvar(a, 1, mean=np.array([[1.0], [2.0], [3.0]])),
        lambda np, a: np.nanstd(a, 1, correction=1),
        lambda np, a: np.nanmedian([]),
        lambda np, a: np.nanmedian(np.zeros((0, 2)), axis=0),
        lambda np, a: np.nanmedian(5.0),
        lambda np, a: np.nanmedian(NAN),
        lambda np, a: np.nanmedian([1j, NAN, 3, 2]),
        lambda np, a: np.nanmedian(a, 0, keepdims=True),
        lambda np, a: np.nanmedian(a, (0, 1)),
        lambda np, a: np.nanmedian(a, 4),
        lambda np, a: np.nanquantile(a, 2),
        lambda np, a: np.nanquantile(a, 0.5, method="wrong"),
        lambda np, a: np.nanquantile([1j], 0.5),
        lambda np, a: np.nanquantile([], [0.5]),
        lambda np, a: np.nanquantile(a, 0.5, weights=a),
        lambda np, a: np.nanpercentile(a, [50, 2], 0, np.zeros((2, 4))),
        lambda np, a: np.nancumsum(3),
        lambda np, a: np.nancumprod(a, 5),
    ],
)
def test_arguments_and_errors(body: Any):
    compare(body, spec(DATA), rtol=CLOSE)


def test_warnings_of_nothing_but_nan():
    a = numpy_shim.asarray(torch.tensor([[NAN, NAN], [1.0, 2.0]]))
    for name in ("nanmax", "nanmin", "nanmedian", "nanmean", "nanvar", "nanstd"):
        with pytest.warns(RuntimeWarning):
            getattr(numpy_shim, name)(a, 1)
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            getattr(numpy_shim, name)(a, 0)
    with pytest.warns(RuntimeWarning, match="All-NaN"):
        numpy_shim.nanquantile(a, 0.5, 1)


def test_nothing_waits_for_a_device():
    a = numpy_shim.asarray(torch.ones((2, 3), device="meta"))
    for name in REDUCTIONS:
        assert getattr(numpy_shim, name)(a, 0)._tensor.shape == (3,)
    assert numpy_shim.nanquantile(a, [0.1, 0.2], 0)._tensor.shape == (2, 3)
