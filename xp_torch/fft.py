"""The extension *Fourier transform functions* (``fft``)."""

from __future__ import annotations

import operator
from collections.abc import Callable, Sequence
from numbers import Real
from typing import Any

import torch

from ._array import Array
from ._core import defaults
from ._core.axes import normalize_axis
from ._core.box import box
from ._core.devices import normalize_device
from ._core.dtypes import FLOATING, REAL_FLOATING, name_of
from ._core.errors import shown, translate, type_name
from ._dispatch import check_category, tensor_of, wrap
from ._kernels import fft as kernels
from ._transforms import BACKWARD, FORWARD, INT64_MAX, many_axes, one_axis

__all__ = [
    "fft",
    "fftfreq",
    "fftn",
    "fftshift",
    "hfft",
    "ifft",
    "ifftn",
    "ifftshift",
    "ihfft",
    "irfft",
    "irfftn",
    "rfft",
    "rfftfreq",
    "rfftn",
]

fft = one_axis(
    kernels.fft,
    "The one-dimensional discrete Fourier transform.",
    FORWARD,
    example="""
    >>> xp.fft.fft(xp.asarray([1.0 + 0j, 0.0, 0.0, 0.0]))
    Array([1.+0.j, 1.+0.j, 1.+0.j, 1.+0.j], dtype=complex128)
    """,
)

ifft = one_axis(
    kernels.ifft,
    "The one-dimensional inverse discrete Fourier transform.",
    BACKWARD,
    example="""
    >>> xp.fft.ifft(xp.asarray([4.0 + 0j, 0.0, 0.0, 0.0]))
    Array([1.+0.j, 1.+0.j, 1.+0.j, 1.+0.j], dtype=complex128)
    """,
)

fftn = many_axes(
    kernels.fftn,
    "The n-dimensional discrete Fourier transform.",
    FORWARD,
    example="""
    >>> xp.fft.fftn(xp.ones((2, 2), dtype=xp.complex128))
    Array([[4.+0.j, 0.+0.j],
           [0.+0.j, 0.+0.j]], dtype=complex128)
    """,
)

ifftn = many_axes(
    kernels.ifftn,
    "The n-dimensional inverse discrete Fourier transform.",
    BACKWARD,
    example="""
    >>> xp.fft.ifftn(xp.ones((2, 2), dtype=xp.complex128))
    Array([[1.+0.j, 0.+0.j],
           [0.+0.j, 0.+0.j]], dtype=complex128)
    """,
)

rfft = one_axis(
    kernels.rfft,
    "The one-dimensional discrete Fourier transform of a real signal.",
    FORWARD,
    example="""
    >>> xp.fft.rfft(xp.asarray([1.0, 0.0, 0.0, 0.0]))
    Array([1.+0.j, 1.+0.j, 1.+0.j], dtype=complex128)
    """,
)

irfft = one_axis(
    kernels.irfft,
    "The inverse of ``rfft``: the real signal of a spectrum.",
    BACKWARD,
    example="""
    >>> xp.fft.irfft(xp.asarray([4.0 + 0j, 0.0, 0.0]))
    Array([1., 1., 1., 1.], dtype=float64)
    """,
)

rfftn = many_axes(
    kernels.rfftn,
    "The n-dimensional discrete Fourier transform of a real signal.",
    FORWARD,
    example="""
    >>> xp.fft.rfftn(xp.ones((2, 2)))
    Array([[4.+0.j, 0.+0.j],
           [0.+0.j, 0.+0.j]], dtype=complex128)
    """,
)

irfftn = many_axes(
    kernels.irfftn,
    "The inverse of ``rfftn``: the real signal of a spectrum.",
    BACKWARD,
    example="""
    >>> xp.fft.irfftn(xp.ones((2, 2), dtype=xp.complex128))
    Array([[1., 0.],
           [0., 0.]], dtype=float64)
    """,
)

hfft = one_axis(
    kernels.hfft,
    "The one-dimensional discrete Fourier transform of a signal with Hermitian symmetry.",
    FORWARD,
    example="""
    >>> xp.fft.hfft(xp.asarray([1.0 + 0j, 0.0, 0.0]))
    Array([1., 1., 1., 1.], dtype=float64)
    """,
)

ihfft = one_axis(
    kernels.ihfft,
    "The inverse of ``hfft``: the first half of a signal with Hermitian symmetry.",
    BACKWARD,
    example="""
    >>> xp.fft.ihfft(xp.asarray([4.0, 0.0, 0.0, 0.0]))
    Array([1.-0.j, 1.-0.j, 1.-0.j], dtype=complex128)
    """,
)


def fftfreq(
    n: int,
    /,
    *,
    d: float = 1.0,
    dtype: torch.dtype | None = None,
    device: torch.device | str | None = None,
) -> Array:
    """The frequencies of the elements of a transform of ``n`` elements.

    ``[0, 1, ..., n/2-1, -n/2, ..., -1] / (d*n)`` for an even ``n``,
    ``[0, 1, ..., (n-1)/2, -(n-1)/2, ..., -1] / (d*n)`` for an odd one.

    Parameters
    ----------
    n : int
        The length of the transform.
    d : float, optional
        The distance between samples; 1 by default.
    dtype : torch.dtype, optional
        A real floating-point dtype; the default one if not given.
    device : torch.device or str, optional
        The device of the result; torch's default device if not given.

    Returns
    -------
    Array
        Shape ``(n,)``.

    Raises
    ------
    TypeError
        For a ``d`` that is not a real number.
    ValueError
        For an ``n`` that is negative or not an integer, another dtype, or an unknown device.
    ZeroDivisionError
        For ``n`` or ``d`` of 0.

    Notes
    -----
    Source: the array API standard, ``fft.fftfreq``.

    Examples
    --------
    >>> import xp_torch as xp
    >>> xp.fft.fftfreq(4)
    Array([ 0.  ,  0.25, -0.5 , -0.25], dtype=float64)
    """
    return _frequencies("fftfreq", torch.fft.fftfreq, n, d, dtype, device)


def rfftfreq(
    n: int,
    /,
    *,
    d: float = 1.0,
    dtype: torch.dtype | None = None,
    device: torch.device | str | None = None,
) -> Array:
    """The frequencies of the elements of ``rfft`` of ``n`` elements.

    ``[0, 1, ..., n//2] / (d*n)``: the Nyquist frequency counts as positive.

    Parameters
    ----------
    n : int
        The length of the transform.
    d : float, optional
        The distance between samples; 1 by default.
    dtype : torch.dtype, optional
        A real floating-point dtype; the default one if not given.
    device : torch.device or str, optional
        The device of the result; torch's default device if not given.

    Returns
    -------
    Array
        Shape ``(n//2 + 1,)``.

    Raises
    ------
    TypeError
        For a ``d`` that is not a real number.
    ValueError
        For an ``n`` that is negative or not an integer, another dtype, or an unknown device.
    ZeroDivisionError
        For ``n`` or ``d`` of 0.

    Notes
    -----
    Source: the array API standard, ``fft.rfftfreq``.

    Examples
    --------
    >>> import xp_torch as xp
    >>> xp.fft.rfftfreq(4)
    Array([0.  , 0.25, 0.5 ], dtype=float64)
    """
    return _frequencies("rfftfreq", torch.fft.rfftfreq, n, d, dtype, device)


def _frequencies(
    name: str, function: Callable[..., torch.Tensor], n: object, d: Any, dtype: Any, device: Any
) -> Array:
    if dtype is not None and (
        not isinstance(dtype, torch.dtype) or dtype not in REAL_FLOATING.dtypes
    ):
        raise ValueError(f"{name}: dtype must be float32 or float64, not {name_of(dtype)}")
    if device is not None:
        device = normalize_device(name, device)
    if dtype is None:
        dtype = defaults.float_dtype_on(device)
    try:
        size = operator.index(n)  # type: ignore[arg-type]
    except TypeError:
        raise ValueError(f"{name}: n must be an integer, not {type_name(n)}") from None
    if not isinstance(d, Real):
        raise TypeError(f"{name}: d must be a real number, not {type_name(d)}")
    if d == 0 or (size == 0 and d - d == 0):  # zero times an infinity is NaN, not an error
        raise ZeroDivisionError(f"{name}: the frequencies of n = {size} and d = {d} divide by 0")
    if size < 0:
        raise ValueError(f"{name}: n must not be negative, and is {shown(size)}")
    if size > INT64_MAX:
        raise ValueError(f"{name}: n = {shown(size)} is too large")
    try:
        spacing = float(d)
    except OverflowError:
        raise OverflowError(f"{name}: d is out of range for a float") from None
    try:
        return box(Array, function(size, d=spacing, dtype=dtype, device=device))
    except RuntimeError as error:
        translate(name, error)


def fftshift(x: Array, /, *, axes: int | Sequence[int] | None = None) -> Array:
    """Swap the halves of each axis, so that the frequency 0 is in the middle.

    Parameters
    ----------
    x : Array
        Floating-point dtype, any shape.
    axes : int or sequence of int, optional
        The axes to shift; all by default.

    Returns
    -------
    Array
        The same dtype and shape, a copy.

    Raises
    ------
    TypeError
        For any other dtype, or axes that are not integers.
    AxisError
        For an axis that ``x`` does not have.

    Notes
    -----
    Source: the array API standard, ``fft.fftshift``.

    Examples
    --------
    >>> import xp_torch as xp
    >>> xp.fft.fftshift(xp.fft.fftfreq(4))
    Array([-0.5 , -0.25,  0.  ,  0.25], dtype=float64)
    """
    if axes is None and type(x) is Array:
        t = x._tensor
        if t.dtype in FLOATING.dtypes and t.ndim:
            out = Array()
            out._tensor = torch.fft.fftshift(t)
            return out
    return _shifted("fftshift", x, axes, inverse=False)


def ifftshift(x: Array, /, *, axes: int | Sequence[int] | None = None) -> Array:
    """The inverse of ``fftshift``. The two differ if the size of an axis is odd.

    Parameters
    ----------
    x : Array
        Floating-point dtype, any shape.
    axes : int or sequence of int, optional
        The axes to shift; all by default.

    Returns
    -------
    Array
        The same dtype and shape, a copy.

    Raises
    ------
    TypeError
        For any other dtype, or axes that are not integers.
    AxisError
        For an axis that ``x`` does not have.

    Notes
    -----
    Source: the array API standard, ``fft.ifftshift``.

    Examples
    --------
    >>> import xp_torch as xp
    >>> xp.fft.ifftshift(xp.asarray([-0.5, -0.25, 0.0, 0.25]))
    Array([ 0.  ,  0.25, -0.5 , -0.25], dtype=float64)
    """
    if axes is None and type(x) is Array:
        t = x._tensor
        if t.dtype in FLOATING.dtypes and t.ndim:
            out = Array()
            out._tensor = torch.fft.ifftshift(t)
            return out
    return _shifted("ifftshift", x, axes, inverse=True)


def _shifted(name: str, x: object, axes: Any, *, inverse: bool) -> Array:
    t = tensor_of(name, "x", x)
    check_category(name, "x", t.dtype, FLOATING)
    if axes is None:
        shifted = tuple(range(t.ndim))
    elif isinstance(axes, Sequence) and not isinstance(axes, (str, bytes)):
        shifted = tuple([normalize_axis(name, a, t.ndim, "axes") for a in axes])
    else:
        shifted = (normalize_axis(name, axes, t.ndim, "axes"),)
    return wrap(kernels.shift(t, shifted, inverse=inverse))


_NAMES: dict[str, object] = {name: globals()[name] for name in __all__}
"""The public names in the standard's order; older versions have some of them."""
