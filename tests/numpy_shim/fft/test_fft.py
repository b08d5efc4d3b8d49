"""Fourier transforms against NumPy."""

from __future__ import annotations

import warnings
from typing import Any

import numpy
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

import numpy_shim
from numpy_shim._base.dtypes import TORCH
from tests.differential import Spec
from tests.numpy_shim.calls import compare_call, lines
from tests.numpy_shim.differential import build, compare

DTYPES = [d for d in TORCH if d.name != "bfloat16"]
CLOSE: dict[str, Any] = {
    "of_norm": {name: 16 * float(numpy.finfo(name).eps) for name in
                ("float32", "float64", "complex64", "complex128")},
    "signed_zeros": False,
}  # fmt: skip
ONE = ["fft", "ifft", "rfft", "irfft", "hfft", "ihfft"]
MANY = ["fftn", "ifftn", "rfftn", "irfftn", "fft2", "ifft2", "rfft2", "irfft2"]
NORMS = st.sampled_from([None, "backward", "ortho", "forward"])


def close(dtype: Any) -> dict[str, Any]:
    """The tolerance; NumPy rounds the factor of a 16-bit signal to 16 bits."""
    return {**CLOSE, "of_norm": 2e-3} if dtype == numpy.float16 else CLOSE


def signal(dtype: Any, shape: tuple[int, ...]) -> Spec:
    values = numpy.random.RandomState(0).uniform(0, 4, shape)
    return Spec(numpy.asarray(values).astype(dtype))


@pytest.mark.parametrize("name", ONE)
@given(
    st.sampled_from(DTYPES),
    st.sampled_from([(5,), (4, 3), (2, 1, 6), (0, 3), (3, 0), ()]),
    st.sampled_from([None, 1, 4, 7]),
    st.sampled_from([-1, 0, 1, 5]),
    NORMS,
)
def test_one_axis(name: str, dtype: Any, shape: Any, n: Any, axis: int, norm: Any):
    """Every dtype, size, axis and norm, axes that are not there among them."""

    # Of an axis without elements NumPy reads memory that nobody wrote.
    assume(0 not in shape or name not in ("irfft", "hfft"))

    def body(np: Any, x: Any) -> Any:
        return getattr(np.fft, name)(x, n, axis, norm)

    compare(body, signal(dtype, shape), **close(dtype))


@pytest.mark.parametrize("name", MANY)
@given(
    st.sampled_from(DTYPES),
    st.sampled_from([(4, 3), (2, 4, 6), (5,)]),
    st.sampled_from([None, (4, 4), (2,), (3, -1)]),
    st.sampled_from([None, (0, 1), (1, 0), (-1,), (0, 0)]),
    NORMS,
)
def test_many_axes(name: str, dtype: Any, shape: Any, s: Any, axes: Any, norm: Any):
    def body(np: Any, x: Any) -> Any:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", DeprecationWarning)
            return getattr(np.fft, name)(x, s, axes, norm)

    x = signal(dtype, shape)
    outside = axes is not None and max(axes) >= len(shape)
    if outside and name.startswith("rfft") and dtype.kind == "c":
        # Two errors: NumPy says which of them the last axis meets.
        with pytest.raises((TypeError, ValueError), match="rfft"):
            body(numpy_shim, build(numpy_shim, x))
        return
    compare(body, x, **close(dtype))


@pytest.mark.parametrize("kwargs", [{"s": (2, 2)}, {"s": (2, None), "axes": (0, 1)}], ids=str)
def test_deprecated_sizes_warn(kwargs: Any):
    """Sizes without axes, and ``None`` among them."""
    with pytest.warns(DeprecationWarning, match="s") as found:
        numpy_shim.fft.fftn([[1.0, 2.0], [3.0, 4.0]], **kwargs)
    assert found[0].filename == __file__


def test_out_of_wrong_shape():
    with pytest.raises(ValueError, match="has wrong shape"):
        numpy_shim.fft.fft(numpy_shim.ones(4), out=numpy_shim.zeros(3, complex))


@pytest.mark.parametrize("name", ONE)
@pytest.mark.parametrize("wrong", [{"n": 0}, {"n": -1}, {"norm": "other"}, {"axis": 3}], ids=str)
def test_one_axis_refuses(name: str, wrong: dict[str, Any]):
    compare(lambda np, x: getattr(np.fft, name)(x, **wrong), signal("float64", (5,)))


@pytest.mark.parametrize("name", MANY)
@pytest.mark.parametrize(
    "wrong", [{"s": (0, 2)}, {"s": (1, 2, 3)}, {"norm": "other"}, {"axes": (7,)}], ids=str
)
def test_many_axes_refuses(name: str, wrong: dict[str, Any]):
    compare(lambda np, x: getattr(np.fft, name)(x, **wrong), signal("float64", (4, 5)))


@pytest.mark.parametrize("name", ["fftshift", "ifftshift"])
@pytest.mark.parametrize("axes", [None, 0, (0, 1), (1, 0, 1), (), -1, 5])
@pytest.mark.parametrize("dtype", ["uint16", "float64", "bool"])
def test_shift(name: str, axes: Any, dtype: str):
    compare(lambda np, x: getattr(np.fft, name)(x, axes), signal(dtype, (4, 3)))


@pytest.mark.parametrize("name", ["fftfreq", "rfftfreq"])
@pytest.mark.parametrize("n", [1, 4, 5, 8, 2.5])
@pytest.mark.parametrize("d", [1.0, 0.1, 2])
def test_frequencies(name: str, n: Any, d: Any):
    compare(lambda np: getattr(np.fft, name)(n, d), **CLOSE)


def test_out():
    """``out`` is filled and returned."""

    def body(np: Any, x: Any) -> Any:
        out = np.zeros(5, dtype=complex)
        return np.fft.fft(x, out=out) is out, out

    compare(body, signal("float64", (5,)), **CLOSE)


def test_out_of_wrong_dtype():
    with pytest.raises(TypeError, match="fft: out: Cannot cast from complex128 to float64"):
        numpy_shim.fft.fft(numpy_shim.ones(4), out=numpy_shim.zeros(4))


@pytest.mark.parametrize("name", ["fftn", "ifftn", "rfftn"])
def test_the_layout_in_memory_changes_no_digit(name: str):
    """As with NumPy; MKL orders its sums by the strides."""
    x = numpy_shim.asarray(numpy.random.RandomState(42).rand(8, 7, 13))
    transform = getattr(numpy_shim.fft, name)
    expected = transform(x)
    assert (transform(numpy_shim.asfortranarray(x)) == expected).all()
    assert (transform(numpy_shim.repeat(x, 2, 1)[:, ::2]) == expected).all()


FREQUENCIES_OF_NEGATIVE_SIZES = """
np.fft.rfftfreq(-3)
np.fft.rfftfreq(-1)
np.fft.rfftfreq(-10)
np.fft.rfftfreq(0)
np.fft.fftfreq(-3)
np.fft.fftfreq(-1)
np.fft.fftfreq(0)
"""


@pytest.mark.parametrize("call", lines(FREQUENCIES_OF_NEGATIVE_SIZES))
def test_frequencies_of_negative_sizes(call: str):
    """``rfftfreq`` of a negative size is empty, ``fftfreq`` refuses it."""
    compare_call(call)
