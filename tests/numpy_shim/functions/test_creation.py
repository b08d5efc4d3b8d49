"""Filled arrays, ranges, grids and diagonals, bit for bit as NumPy makes them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

import numpy_shim as ours
from numpy_shim._base.dtypes import TORCH
from tests.differential import Spec
from tests.numpy_shim.calls import compare_call, lines
from tests.numpy_shim.differential import ROUNDING, compare
from tests.strategies import arrays, scalars, shapes
from xp_torch._core import dtypes

DTYPES = [d for d in TORCH if d.name != "bfloat16"]
numbers = st.one_of(st.integers(-20, 20), st.floats(-20, 20).map(lambda v: round(v, 2)))


@given(shapes(), st.sampled_from(DTYPES), st.sampled_from("CF"))
def test_filled(shape: Any, dtype: Any, order: str):
    """Every shape, dtype and order."""
    compare(lambda np: np.zeros(shape, dtype, order))
    compare(lambda np: np.ones(shape, dtype, order))
    compare(lambda np: np.empty(shape, dtype, order).shape)


@given(shapes(), scalars(), st.sampled_from([None, *DTYPES]))
def test_full(shape: Any, value: Any, dtype: Any):
    """Every number in every dtype; what C leaves open is left out."""
    assume(not isinstance(value, int) or -(2**63) <= value < 2**64)
    if dtype is not None and dtype.kind in "iu" and isinstance(value, float):
        value = 0.5
    compare(lambda np: np.full(shape, value, dtype))


@given(arrays(), st.sampled_from([None, *DTYPES]), st.sampled_from("CFAK"))
def test_like(a: Spec, dtype: Any, order: str):
    """In the shape of arrays of every layout."""
    compare(lambda np, x: np.zeros_like(x, dtype, order), a)
    compare(lambda np, x: np.ones_like(x, dtype, order), a)
    compare(lambda np, x: np.full_like(x, 1, dtype, order), a)
    compare(lambda np, x: np.empty_like(x, dtype, order).shape, a)


@pytest.mark.parametrize("order", ["C", "F", "A", "K"])
def test_like_keeps_the_layout(order: str):
    """``order=`` decides the strides, as in NumPy."""
    cube = numpy.zeros((2, 3, 4))
    for model in (cube, cube.T, cube.transpose(1, 0, 2), cube[:, ::2], cube[0].T):
        made = ours.zeros_like(ours.asarray(model), order=order)
        expected = numpy.zeros_like(model, order=order)
        assert tuple(8 * s for s in made._tensor.stride()) == expected.strides, model.strides


@given(numbers, numbers, numbers, st.sampled_from([None, *DTYPES]))
def test_arange(start: Any, stop: Any, step: Any, dtype: Any):
    """Length and values, to the last bit."""
    assume(step == 0 or abs((stop - start) / step) < 1000)
    if dtype is not None and dtype.kind == "u":
        start, stop, step = abs(start), abs(stop), abs(step)
    if dtype is not None and dtype.kind == "i":
        start, stop, step = (v if abs(v) < 20 else 0 for v in (start, stop, step))
    if dtype is not None and dtype.kind == "b":
        start, stop, step = 0, 2, 1
    compare(lambda np: np.arange(start, stop, step, dtype))
    compare(lambda np: np.arange(stop))


@pytest.mark.parametrize("call", [
    lambda np: np.arange(3, dtype="M8[s]"), lambda np: np.arange(stop=3, dtype="M8[s]"),
    lambda np: np.arange(3, dtype="m8[s]"), lambda np: np.arange(0, 3, dtype="M8[D]"),
    lambda np: np.arange(np.datetime64("2000")), lambda np: np.arange(np.timedelta64(3, "s")),
    lambda np: np.arange(3, None, 2), lambda np: np.arange(start=1, stop=None),
    lambda np: np.arange(3, dtype=object), lambda np: np.arange(None, 3),
])  # fmt: skip
def test_arange_of_one_end(call: Callable[[Any], Any]):
    """Dates need both ends; other numbers start at 0."""
    compare(lambda np: repr(call(np)), allow_numpy=True)


@given(
    numbers, numbers, st.integers(0, 30), st.booleans(), st.sampled_from([None, "i4", "f4", "c8"])
)
def test_linspace(start: Any, stop: Any, num: int, endpoint: bool, dtype: Any):
    """Values and step, to the last bit."""
    compare(lambda np: np.linspace(start, stop, num, endpoint, True, dtype))


@pytest.mark.parametrize("dtype", ["f2", "f4", "f8", "c8", "c16", "i4", "u1"])
@pytest.mark.parametrize("axis", [0, 1, -1])
@pytest.mark.parametrize("num", [1, 4])
def test_linspace_between_arrays(dtype: str, axis: int, num: int):
    """Ends of every dtype, which broadcast."""
    start, stop = Spec(numpy.array([1, 5, 7], dtype)), Spec(numpy.array([[2], [5]], dtype))
    compare(lambda np, a, b: np.linspace(a, b, num, axis=axis), start, stop)
    compare(lambda np, a, b: np.linspace(a, b, num, False, True, axis=axis), start, stop)
    compare(lambda np, a: np.linspace(0, a, num), start)


@given(
    st.floats(-3, 3), st.floats(-3, 3), st.integers(0, 9), st.booleans(), st.sampled_from([2, 10.0])
)
def test_logspace_and_geomspace(start: float, stop: float, num: int, endpoint: bool, base: Any):
    """Powers, within rounding."""
    rtol = {**ROUNDING, "float64": 1e-12}
    compare(lambda np: np.logspace(start, stop, num, endpoint, base), rtol=rtol)
    compare(lambda np: np.geomspace(2.0**start, 3.0**stop, num, endpoint), rtol=rtol)


@given(arrays(dtypes.NUMERIC, shapes(max_dims=1)), arrays(dtypes.ALL, shapes(max_dims=1)))
def test_meshgrid(a: Spec, b: Spec):
    """Every option."""
    for indexing in ("xy", "ij"):
        for sparse in (False, True):
            for copy in (False, True):
                compare(
                    lambda np, x, y, i=indexing, s=sparse, c=copy: np.meshgrid(
                        x, y, [1, 2], indexing=i, sparse=s, copy=c
                    ),
                    a,
                    b,
                )


@given(arrays(), st.integers(-5, 5))
def test_triangles_and_diagonals(a: Spec, k: int):
    """Every dtype, shape and diagonal."""
    compare(lambda np, x: np.tril(x, k), a)
    compare(lambda np, x: np.triu(x, k), a)
    compare(lambda np, x: np.diag(x, k), a)
    compare(lambda np, x: np.diagflat(x, k), a)


@given(arrays(shape=shapes(max_dims=1)), st.integers(0, 5), st.booleans())
def test_vander(a: Spec, columns: int, increasing: bool):
    """Powers of every dtype; complex ones to a few roundings of their size."""
    if a.values.ndim != 1 or a.values.dtype.kind != "c":
        compare(lambda np, x: np.vander(x, columns, increasing), a, rtol=ROUNDING)
        return
    sizes = numpy.abs(a.numpy().astype("complex128"))
    largest = float(sizes[numpy.isfinite(sizes)].max(initial=0))
    for power in range(columns):
        column = power if increasing else columns - 1 - power
        compare(
            lambda np, x, column=column: np.vander(x, columns, increasing)[:, column], a,
            rtol=ROUNDING, atol=8 * 2**-52 * largest**power,
        )  # fmt: skip


@given(st.integers(0, 5), st.integers(0, 5), st.integers(-7, 7), st.sampled_from(DTYPES))
def test_eye(rows: int, columns: int, k: int, dtype: Any):
    """Every dtype and diagonal."""
    compare(lambda np: np.eye(rows, columns, k, dtype))
    compare(lambda np: np.eye(rows, dtype=dtype))
    compare(lambda np: np.tri(rows, columns, k, dtype))


def test_a_diagonal_is_a_locked_view():
    """As in NumPy."""
    a = ours.zeros((2, 2))
    diagonal = ours.diag(a)
    a[0, 0] = 5
    assert diagonal._tensor.tolist() == [5, 0]
    with pytest.raises(ValueError, match="read-only"):
        diagonal[0] = 1


CALLS = r"""
np.zeros(3, int, device="cuda")
np.zeros(-1)
np.zeros((1, -1))
np.zeros(1.5)
np.zeros((1.5,))
np.zeros("a")
np.zeros([2, 3])
np.zeros(np.array([2, 3]))
np.zeros(None)
np.zeros(())
np.zeros(2, order="K")
np.zeros(2, order="A")
np.zeros(2, order="f")
np.full(2, 300, dtype=np.uint8)
np.full(2, [1, 2, 3])
np.full((2, 3), [1, 2, 3])
np.full(2, np.float32(3))
np.full(2, True)
np.full(2, 1.5, dtype=int)
np.full(2, 2**63)
np.full(2, 2**63, dtype=bool)
np.full(2, 2**62, dtype=bool)
np.full(2, 1j, dtype=float)
np.full(2, 2, dtype=bool)
np.full(2, 2.5, dtype=np.float16)
np.full(2, 300.5, dtype=np.uint8)
np.full((2, 0), 1)
np.full_like(np.zeros(2, int), 1.5)
np.full_like(np.zeros(2, np.uint8), 300)
np.full_like([1, 2], 1.5)
np.zeros_like([1, 2])
np.zeros_like(3)
np.zeros_like(np.float32(3))
np.zeros_like(np.zeros((2, 3)), shape=(4,))
np.zeros_like(np.zeros((2, 3)), shape=4, order="F")
np.ones_like(np.zeros((2, 3)).T, dtype="f4")
np.arange(start=3)
np.arange(start=3, stop=None)
np.arange(start=1, stop=3)
np.arange(start=None)
np.arange(start=None, stop=3)
np.arange(step=3)
np.arange(stop=3, step=2)
np.arange(stop=None)
np.arange(None)
np.arange(3, None)
np.arange(3, None, 2)
np.arange(None, 3)
np.arange(3, start=2)
np.arange(1, 4, 2, "f4")
np.arange(0, 1, np.inf)
np.arange(0, 1, -np.inf)
np.arange(0, -np.inf, 0.5)
np.arange(0, -np.inf)
np.arange(0, -np.inf, dtype=int)
np.arange(0, np.inf, -0.5)
np.arange(0, -1e300)
np.arange(0, -1e18)
np.arange(0, np.nan)
np.arange(2**64)
np.arange(2**62)
np.empty(2**64)
np.zeros((2**64, 0))
np.full(2**64, 1)
np.full((2**40, 2**40), 1)
np.zeros((2, 2), order="f").flags.f_contiguous
np.zeros((2, 2), order=b"F").flags.f_contiguous
np.zeros((2, 2), order="a")
np.zeros((2, 2), order=1)
np.zeros((2, 2), order=None).flags.f_contiguous
np.full((2, 2), 1, order="K")
np.eye(2, order="f").flags.f_contiguous
np.zeros_like(np.ones((2, 2)), order="f").flags.f_contiguous
np.zeros_like(np.ones((2, 2)), order="x")
np.array([[1, 2], [3, 4]], order="f").flags.f_contiguous
np.arange(np.float32(3))
np.arange(np.int8(3))
np.arange(np.uint64(3))
np.arange(3, dtype=bool)
np.arange(2, dtype=bool)
np.arange(True)
np.arange(0, 5, 0.5, dtype=int)
np.arange(1, 3, 0.5, dtype=int)
np.arange(3j)
np.arange(0, 3, dtype=complex)
np.arange(5, 0, -1)
np.arange(0, 5, 0)
np.arange(0.0, 5, 0)
np.arange(0, np.inf)
np.arange(np.nan)
np.arange(-3)
np.arange(2**63, 2**63 + 3)
np.arange(0, 2**63 + 3, 2**61)
np.arange(0, 300, 100, dtype=np.uint8)
np.arange(250, 260, dtype=np.uint8)
np.arange(-1, 3, dtype=np.uint8)
np.arange(np.array(3))
np.arange(np.array([3]))
np.arange(start=0, stop=3)
np.arange(stop=3)
np.arange(None)
np.arange(3, None)
np.arange(0, 3, None)
np.arange("3")
np.arange(1, 2, 0.1, np.float32)
np.arange(1, 2, 0.1, dtype=np.float32)
np.arange()
np.arange(1.5, dtype=np.float16)
np.arange(1.5, 5.5)
np.eye(-1)
np.eye(2.0)
np.eye(2, None, 1)
np.identity(2, dtype=int)
np.diag([1, 2])
np.diag(5)
np.diag(np.zeros((2, 2, 2)))
np.diag(np.ones((2, 3)), k=5)
np.diag([1, 2], k=1.0)
np.diagflat([[1, 2], [3, 4]], k=1)
np.diagflat(3)
np.tri(3, 2, -1, dtype=int)
np.tri(2, dtype=bool)
np.tri(-1)
np.tril([1, 2, 3])
np.tril(np.ones((2, 2, 2), bool)).dtype
np.tril(5)
np.vander([1, 2, 3])
np.vander([1, 2, 3], 2, increasing=True)
np.vander([1.0, 2], 0)
np.vander([[1]])
np.vander(np.array([1, 2], np.int8))
np.vander(np.array([True, False]))
np.vander([1, 2], -1)
np.linspace(0, 1, 5)
np.linspace(0, 1, 5, dtype=int)
np.linspace(np.float32(0), np.float32(1), 5).dtype
np.linspace(np.array([0, 1], np.float32), 1, 3).dtype
np.linspace(0, 1, 0)
np.linspace(0, 1, 1, retstep=True)
np.linspace(0, 1, 1, endpoint=False, retstep=True)
np.linspace(0, 1, -1)
np.linspace(0, 1, 3.0)
np.linspace(0, 1j, 3)
np.linspace([0, 1], [2, 3], 3, axis=-1)
np.linspace([0, 1], [2, 3], 3, axis=1, retstep=True)
np.linspace([0, 1], [2, 3], 3, axis=2)
np.linspace(5, 5, 3, retstep=True)
np.linspace(0, 1, 3, retstep=True)
np.linspace(np.int8(0), np.int8(10), 3).dtype
np.linspace(0, 10, 4, dtype=np.int8)
np.linspace(-10, 0, 4, dtype=np.int8)
np.linspace(0, np.inf, 3)
np.logspace(0, 3, 4)
np.logspace(0, 3, 4, base=2)
np.logspace(0, 3, 4, base=[2, 3])
np.logspace(0, 3, 4, base=[2, 3], axis=-1)
np.logspace(0, 3, 4, dtype=int)
np.logspace(np.float32(0), 3, 4).dtype
np.geomspace(1, 1000, 4)
np.geomspace(-1000, -1, 4)
np.geomspace(1j, 1000j, 4)
np.geomspace(-1, 1, 3)
np.geomspace(0, 1, 3)
np.geomspace(1, 256, 9, dtype=int)
np.geomspace([1, 2], [10, 20], 3)
np.geomspace(1, 1000, 4, endpoint=False)
np.geomspace(np.float32(1), np.float32(1000), 4).dtype
np.geomspace(1, 8, 1)
np.geomspace(1, 8, 0)
np.meshgrid([1, 2], [3, 4, 5])
np.meshgrid()
np.meshgrid([1, 2])
np.meshgrid(1, 2)
np.meshgrid([[1, 2]], [3])
np.meshgrid([1, 2], [3], indexing="zz")
[g.shape for g in np.meshgrid([1, 2], [3, 4, 5], [6], sparse=True)]
[g.shape for g in np.meshgrid([1, 2], [3, 4, 5], [6], indexing="ij")]
type(np.meshgrid([1, 2], [3, 4, 5]))
type(np.meshgrid([1, 2], [3, 4, 5], sparse=True, copy=False))
type(np.meshgrid([1, 2], [3, 4, 5], sparse=True))
type(np.meshgrid([1, 2], [3, 4, 5], copy=False))
[g.dtype for g in np.meshgrid(np.array([1, 2], np.int8), [3.0])]
np.zeros(6).reshape(-2, 3)
np.zeros((0, 3)).reshape(0, -1)
np.zeros((0, 3)).reshape(-1, 3)
np.arange(-2.88, 0, 2, dtype="f4")
np.arange(0.1, 3, 0.7)
np.arange(-0.0, -1, -0.25)
np.arange(-0.0, 1, 0.25)
np.linspace(0, -0.0, 1)
np.linspace(-0.0, 0.0, 3)
"""


@pytest.mark.parametrize("call", lines(CALLS))
def test_call(call: str):
    """Every argument, and every kind of error."""
    compare_call(call, rtol=1e-14)


SPACED_NUMBERS_BESIDE_ARRAYS = """
np.linspace(np.uint8(200), 300, 3)
np.linspace(300, np.uint8(200), 3)
np.linspace(np.uint8(1), -1, 3)
np.linspace(np.ones(2, "u1"), 2**70, 3)
np.linspace(np.int8(0), 2j, 3)
np.linspace(np.float32(0), 300, 3)
np.geomspace(np.uint8(200), 3000, 3)
np.geomspace(1000, np.uint8(20), 3)
np.geomspace(np.int8(-1), -1000, 4)
np.geomspace(np.float32(1), 1e300, 4)
np.geomspace(np.float16(1), 100000, 4)
np.logspace(np.uint8(2), 300, 3)
np.logspace(np.ones(2, "u1"), 300, 3)
np.logspace(np.float32(2), 3, 3)
"""


@pytest.mark.parametrize("call", lines(SPACED_NUMBERS_BESIDE_ARRAYS))
def test_spaced_numbers_beside_arrays(call: str):
    """A Python number beside integers is not cast to them, whatever its size."""
    compare_call(call, rtol={"float64": 1e-13, "float32": 1e-5, "complex128": 1e-13})
