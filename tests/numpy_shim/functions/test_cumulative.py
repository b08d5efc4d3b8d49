"""Running sums and products, and differences, against NumPy."""

from __future__ import annotations

from typing import Any

import numpy
import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st

import numpy_shim
from tests.differential import Spec
from tests.numpy_shim.differential import compare, few_roundings, roundings
from tests.strategies import arrays
from xp_torch._core import dtypes

CLOSE = few_roundings()
ALL_DTYPES = [
    "bool", "int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64",
    "float16", "float32", "float64", "complex64", "complex128",
]  # fmt: skip
DATA = [[1, 0, 3], [4, 5, 60]]


def spec(values: Any, dtype: str = "float64") -> Spec:
    return Spec(numpy.array(values, dtype))


@pytest.mark.parametrize("name", ["cumsum", "cumprod", "diff"])
@settings(max_examples=80)
@given(arrays(dtypes.REAL_NUMERIC), st.sampled_from([None, 0, 1, -1, 4, 0.5, (0,)]))
def test_along_axes(name: str, a: Spec, axis: Any):
    compare(
        lambda np, x: getattr(np, name)(x, axis=axis), a, rtol=CLOSE,
        atol=roundings(a) if name == "cumsum" else 0.0, signed_zeros=False,
    )  # fmt: skip


@pytest.mark.parametrize("name", ["cumsum", "cumprod", "cumulative_sum", "cumulative_prod"])
@pytest.mark.parametrize("dtype", ALL_DTYPES)
def test_every_dtype_and_option(name: str, dtype: str):
    a = spec(DATA, dtype)
    for axis in (None, 0, -1):
        compare(lambda np, x, axis=axis: getattr(np, name)(x, axis=axis), a, rtol=CLOSE)
    for into in ALL_DTYPES:
        compare(lambda np, x, t=into: getattr(np, name)(x, axis=0, dtype=t), a, rtol=CLOSE)
        compare(
            lambda np, x, o: getattr(np, name)(x, axis=0, out=o), a, spec(DATA, into), rtol=CLOSE
        )
    if "_" in name:
        compare(lambda np, x: getattr(np, name)(x, axis=1, include_initial=True), a, rtol=CLOSE)
        compare(
            lambda np, x, o: getattr(np, name)(x, axis=1, include_initial=True, out=o),
            a, spec(numpy.zeros((2, 4)), dtype), rtol=CLOSE,
        )  # fmt: skip


@pytest.mark.parametrize("shape", [(3000,), (300, 3), (3, 300), (40, 20), (20, 0), (1, 1)])
@pytest.mark.parametrize("scale", [0.01, 1, 1000])
def test_16_bit_steps_are_rounded(shape: tuple[int, ...], scale: float):
    """Each running sum and product of 16-bit floats is rounded before the next, as NumPy's."""
    values = numpy.random.default_rng(5).standard_normal(shape) * scale + scale / 3
    a = spec(values, "float16")
    for axis in (None, *range(len(shape))):
        for name in ("cumsum", "cumprod", "nancumsum"):
            compare(lambda np, x, n=name, i=axis: getattr(np, n)(x, axis=i), a)
    compare(lambda np, x: np.cumsum(x, 0, dtype="float16"), spec(values, "float32"))
    compare(lambda np, x: np.add.accumulate(x), a)
    compare(lambda np, x: np.multiply.accumulate(x, -1), a)
    compare(lambda np, x: np.cumulative_sum(x.ravel(), include_initial=True), a)


def test_gradient_of_16_bit_running_sums():
    """The gradient is that of the sums before they are rounded."""
    t = torch.ones(3000, dtype=torch.float16, requires_grad=True)
    result = numpy_shim.cumsum(numpy_shim.asarray(t))._tensor
    assert result[-1] == 2048
    (gradient,) = torch.autograd.grad(result[:3].sum(), t)
    assert gradient[:4].tolist() == [3, 2, 1, 0]


@pytest.mark.parametrize("dtype", ALL_DTYPES)
def test_diff_of_every_dtype(dtype: str):
    a = spec(DATA, dtype)
    for n in (1, 2, 5):
        for axis in (0, 1):
            compare(lambda np, x, n=n, axis=axis: np.diff(x, n, axis), a)
    compare(lambda np, x: np.diff(x, prepend=3), a)
    compare(lambda np, x: np.diff(x, prepend=3.5, append=x), a)
    compare(lambda np, x: np.diff(x, append=[[1, 2], [3, 4]]), a)


@pytest.mark.parametrize(
    "body",
    [
        lambda np, a: np.cumsum(3),
        lambda np, a: np.cumsum(np.asarray(3.0), axis=0),
        lambda np, a: np.cumsum(np.asarray(3.0), axis=1),
        lambda np, a: np.cumsum([[1, 2], [3, 4]]),
        lambda np, a: np.cumsum(a, out=np.zeros(3)),
        lambda np, a: np.cumsum(a, out=4),
        lambda np, a: np.cumprod(a, axis=7),
        lambda np, a: np.cumulative_sum(a),
        lambda np, a: np.cumulative_sum(3),
        lambda np, a: np.cumulative_prod([1, 2, 3]),
        lambda np, a: np.cumulative_prod(a, axis=2),
        lambda np, a: np.cumulative_sum(a, axis=1, include_initial=True, out=np.zeros((2, 3))),
        lambda np, a: np.diff(3),
        lambda np, a: np.diff(a, 0),
        lambda np, a: np.diff(a, -1),
        lambda np, a: np.diff(a, 1.5),
        lambda np, a: np.diff(a, axis=3),
        lambda np, a: np.diff(a, axis=None),
        lambda np, a: np.diff(a, prepend=[1, 2]),
        lambda np, a: np.diff(a, prepend=[[1, 2]]),
        lambda np, a: np.diff([1, 4, 9], prepend=[0, 1]),
        lambda np, a: np.diff([True, False, False, True], 2),
        lambda np, a: np.diff([True]),
        lambda np, a: np.diff([]),
    ],
)
def test_arguments_and_errors(body: Any):
    compare(body, spec(DATA))
