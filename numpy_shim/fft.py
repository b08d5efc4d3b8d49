"""``numpy.fft`` on torch: discrete Fourier transforms.

The precision is kept: float32 gives complex64. Integers and booleans are computed in float64,
16-bit floats in float32. ``norm`` is "backward" (no factor forward, 1/n inverse), "ortho"
(1/sqrt(n) in both directions) or "forward" (1/n forward).
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Sequence
from typing import Any, SupportsIndex

import torch
from torch import Tensor

from xp_torch._core.docs import documented_like
from xp_torch._core.dtypes import COMPLEX_OF
from xp_torch._core.errors import sized, translate
from xp_torch._kernels import fft as kernels
from xp_torch._kernels.fft import Transform

from ._array.ndarray import AnyArray, array_of, ndarray, wrap
from ._array.typing import OutArray
from ._convert.arguments import ArrayLike, as_array, as_tensor, finish
from ._convert.host_dtypes import hosted
from ._convert.outputs import output_of
from ._core import error_checks, errstate
from ._core.axes import normalize_axes, normalize_axis
from ._core.dtypes import COMPLEXES, FLOATS, HALVES, NUMPY
from ._core.tracing import warn
from ._core.typing import AxesLike, Device, FFTNorm

__all__ = [
    "fft", "fft2", "fftfreq", "fftn", "fftshift", "hfft", "ifft", "ifft2", "ifftn", "ifftshift",
    "ihfft", "irfft", "irfft2", "irfftn", "rfft", "rfft2", "rfftfreq", "rfftn",
]  # fmt: skip

_NORMS = (None, "backward", "ortho", "forward")


def _signal(name: str, kind: Transform, a: ArrayLike) -> Tensor:
    """Convert the input to a dtype that the transform supports."""
    tensor = a._tensor if type(a) is ndarray else as_tensor(name, a)
    dtype = tensor.dtype
    if dtype in HALVES:
        tensor = tensor.float()
    elif dtype not in FLOATS and dtype not in COMPLEXES:
        tensor = tensor.to(torch.float64)
    if kind.halves or tensor.is_complex():
        return tensor
    return tensor.to(COMPLEX_OF[tensor.dtype])


def _check_real(kind: Transform, x: Tensor) -> None:
    """Raise if a real transform gets complex numbers; as in NumPy, this is the last check."""
    if kind.halves and x.is_complex():
        raise TypeError(f"{kind.name}: a must be real, not of dtype {NUMPY[x.dtype]}")


def _norm(name: str, norm: Any) -> str:
    if norm not in _NORMS:
        raise ValueError(
            f'{name}: Invalid norm value {norm}; should be "backward", "ortho" or "forward".'
        )
    return norm or "backward"


def _size(name: str, n: Any) -> int:
    size = operator.index(n)
    if size < 1:
        raise ValueError(f"{name}: Invalid number of FFT data points ({size}) specified.")
    return size


def _run(name: str, function: Callable[..., Tensor], *args: Any) -> Tensor:
    try:
        return function(*args)
    except RuntimeError as error:
        translate(name, error)


def _rounded(kind: Transform, a: Any, result: Tensor) -> Tensor:
    """Round a real result to the 16-bit dtype of the signal; complex results stay as they are."""
    dtype = a._tensor.dtype if isinstance(a, AnyArray) else getattr(a, "dtype", None)
    return result.to(dtype) if kind.doubles and dtype in HALVES else result


def _finished(kind: Transform, a: Any, result: Tensor, out: Any) -> ndarray:
    result = _rounded(kind, a, result)
    if out is not None and (shape := output_of(kind.name, out)._tensor.shape) != result.shape:
        raise ValueError(
            f"{kind.name}: output array has wrong shape {tuple(shape)}, "
            f"the result has {tuple(result.shape)}"
        )
    return finish(kind.name, result, out)


def _deprecated(name: str, what: str) -> None:
    """Warn about a deprecation of NumPy 2.0, at the line that called the public function."""
    warn(f"{name}: {what}", DeprecationWarning, stacklevel=5)


def _one(kind: Transform, a: Any, n: Any, axis: Any, norm: Any, out: Any) -> ndarray:
    name = kind.name
    x = _signal(name, kind, a)
    norm = _norm(name, norm)
    dim = normalize_axis(name, axis, x.dim())
    size = _size(name, kind.default_size(x.shape[dim]) if n is None else n)
    _check_real(kind, x)
    result = _run(name, kernels.one_axis, kind, x, size, dim, norm)
    if errstate.active:
        _look(kind, x, size, dim, result)
    return _finished(kind, a, result, out)


def _many(kind: Transform, a: Any, s: Any, axes: Any, norm: Any, out: Any) -> ndarray:
    name = kind.name
    x = _signal(name, kind, a)
    norm = _norm(name, norm)
    if axes is None:
        dims = tuple(range(x.dim())) if s is None else tuple(range(x.dim() - len(s), x.dim()))
        if s is not None and len(s) > x.dim():
            _check_real(kind, x)
            raise ValueError(f"{name}: Shape and axes have different lengths.")
        if s is not None:
            _deprecated(name, "`axes` should not be `None` if `s` is not `None`")
    else:
        dims = tuple(normalize_axis(name, axis, x.dim(), "axes") for axis in axes)
    sizes = [x.shape[p] for p in dims]
    if s is not None:
        if len(s) != len(dims):
            raise ValueError(f"{name}: Shape and axes have different lengths.")
        if None in s:
            _deprecated(name, "Passing an array containing `None` values to `s` is deprecated")
        # -1 keeps the size, as None does.
        sizes = [
            size if wanted is None or wanted == -1 else _size(name, wanted)
            for size, wanted in zip(sizes, s, strict=True)
        ]
        open_end = not s or s[-1] is None
    else:
        open_end = True
    if kind.doubles and dims and open_end:
        sizes[-1] = kind.default_size(sizes[-1])
    if not dims and (kind.halves or kind.doubles):
        raise IndexError(f"{name}: at least one axis is needed")
    for size in sizes:
        _size(name, size)
    _check_real(kind, x)
    if not dims:
        return as_array(name, a)  # NumPy returns the input itself
    x = x.contiguous()  # MKL's order of summation depends on the memory layout, NumPy's does not
    result = _run(name, kernels.many_axes, kind, x, tuple(sizes), dims, norm)
    if errstate.active and dims:
        for one, size, dim in kernels.steps(kind, tuple(sizes), dims):
            before, x = x, _run(name, kernels.one_axis, one, x, size, dim, norm)
            _look(one, before, size, dim, x)
    # After a complex transform of another axis the result is no longer of 16 bits.
    return _finished(kind, a if len(dims) == 1 else None, result, out)


_OPERATIONS = {"hfft": "irfft", "ihfft": "rfft"}
"""The operation that NumPy uses for these transforms."""


def _look(kind: Transform, x: Tensor, size: int, axis: int, result: Tensor) -> None:
    """Check a transform of one axis for floating-point errors."""
    operation = _OPERATIONS.get(kind.name, kind.name)
    if operation == "rfft":
        operation = f"rfft_n_{'odd' if size % 2 else 'even'}"
    if result.dtype in (torch.float32, torch.complex64):
        operation = "cast"  # NumPy casts from double precision
    error_checks.check_along(operation, x, axis, result)


_COMPLEX = "Complex, of the precision of ``a``."
_HALF = "Complex; the (last) transformed axis has ``n//2 + 1`` elements, the others mirror them."
_REAL = "Real; the (last) transformed axis has ``n`` elements, ``2*(m - 1)`` by default."


@hosted
def fft(
    a: ArrayLike,
    n: SupportsIndex | None = None,
    axis: int = -1,
    norm: FFTNorm = None,
    out: OutArray = None,
) -> ndarray:
    """The discrete Fourier transform of one axis.

    Parameters
    ----------
    a : array_like
        The signal.
    n : int, optional
        The size of the transformed axis: a longer one is cut, a shorter one padded with zeros.
    axis : int
        The axis; by default the last one.
    norm : {"backward", "ortho", "forward"}, optional
        The direction that is scaled; see the docstring of the module.
    out : ndarray, optional
        Where to put the result.

    Returns
    -------
    ndarray
        Complex, of the precision of ``a``.

    Raises
    ------
    ValueError
        For a size below 1 or another ``norm``.

    Examples
    --------
    >>> import numpy_shim as np
    >>> np.fft.fft([1.0, 0.0])
    array([1.+0.j, 1.+0.j])
    """
    return _one(kernels.fft, a, n, axis, norm, out)


@hosted
@documented_like(
    fft,
    "The inverse of ``fft``.",
    """
    >>> import numpy_shim as np
    >>> np.fft.ifft([2.0, 0.0])
    array([1.+0.j, 1.+0.j])
    """,
)
def ifft(
    a: ArrayLike,
    n: SupportsIndex | None = None,
    axis: int = -1,
    norm: FFTNorm = None,
    out: OutArray = None,
) -> ndarray:
    return _one(kernels.ifft, a, n, axis, norm, out)


@hosted
@documented_like(
    fft,
    "The transform of a real signal along one axis.",
    """
    >>> import numpy_shim as np
    >>> np.fft.rfft([1.0, 0.0])
    array([1.+0.j, 1.+0.j])
    """,
    {_COMPLEX: _HALF},
)
def rfft(
    a: ArrayLike,
    n: SupportsIndex | None = None,
    axis: int = -1,
    norm: FFTNorm = None,
    out: OutArray = None,
) -> ndarray:
    return _one(kernels.rfft, a, n, axis, norm, out)


@hosted
@documented_like(
    fft,
    "The inverse of ``rfft``.",
    """
    >>> import numpy_shim as np
    >>> np.fft.irfft([1.0, 1.0])
    array([1., 0.])
    """,
    {_COMPLEX: _REAL},
)
def irfft(
    a: ArrayLike,
    n: SupportsIndex | None = None,
    axis: int = -1,
    norm: FFTNorm = None,
    out: OutArray = None,
) -> ndarray:
    return _one(kernels.irfft, a, n, axis, norm, out)


@hosted
@documented_like(
    fft,
    "The transform of a signal with Hermitian symmetry.",
    """
    >>> import numpy_shim as np
    >>> np.fft.hfft([1.0, 1.0])
    array([2., 0.])
    """,
    {_COMPLEX: _REAL},
)
def hfft(
    a: ArrayLike,
    n: SupportsIndex | None = None,
    axis: int = -1,
    norm: FFTNorm = None,
    out: OutArray = None,
) -> ndarray:
    return _one(kernels.hfft, a, n, axis, norm, out)


@hosted
@documented_like(
    fft,
    "The inverse of ``hfft``.",
    """
    >>> import numpy_shim as np
    >>> np.fft.ihfft([2.0, 0.0]).shape
    (2,)
    """,
    {_COMPLEX: _HALF},
)
def ihfft(
    a: ArrayLike,
    n: SupportsIndex | None = None,
    axis: int = -1,
    norm: FFTNorm = None,
    out: OutArray = None,
) -> ndarray:
    return _one(kernels.ihfft, a, n, axis, norm, out)


@hosted
def fftn(
    a: ArrayLike,
    s: Sequence[SupportsIndex | None] | None = None,
    axes: Sequence[SupportsIndex] | None = None,
    norm: FFTNorm = None,
    out: OutArray = None,
) -> ndarray:
    """The discrete Fourier transform of several axes.

    Parameters
    ----------
    a : array_like
        The signal.
    s : sequence of int, optional
        The size of each transformed axis: longer ones are cut, shorter ones padded with zeros.
    axes : sequence of int, optional
        The axes; the last one is transformed first. By default all, or the last ``len(s)``.
    norm : {"backward", "ortho", "forward"}, optional
        The direction that is scaled; see the docstring of the module.
    out : ndarray, optional
        Where to put the result.

    Returns
    -------
    ndarray
        Complex, of the precision of ``a``.

    Raises
    ------
    ValueError
        For a size below 1 or another ``norm``.

    Examples
    --------
    >>> import numpy_shim as np
    >>> np.fft.fftn(np.ones((2, 2)))[0, 0]
    np.complex128(4+0j)
    """
    return _many(kernels.fftn, a, s, axes, norm, out)


@hosted
@documented_like(
    fftn,
    "The inverse of ``fftn``.",
    """
    >>> import numpy_shim as np
    >>> np.fft.ifftn(np.ones((2, 2)))[0, 0]
    np.complex128(1+0j)
    """,
)
def ifftn(
    a: ArrayLike,
    s: Sequence[SupportsIndex | None] | None = None,
    axes: Sequence[SupportsIndex] | None = None,
    norm: FFTNorm = None,
    out: OutArray = None,
) -> ndarray:
    return _many(kernels.ifftn, a, s, axes, norm, out)


@hosted
@documented_like(
    fftn,
    "The transform of a real signal along several axes.",
    """
    >>> import numpy_shim as np
    >>> np.fft.rfftn(np.ones((2, 4))).shape
    (2, 3)
    """,
    {_COMPLEX: _HALF},
)
def rfftn(
    a: ArrayLike,
    s: Sequence[SupportsIndex | None] | None = None,
    axes: Sequence[SupportsIndex] | None = None,
    norm: FFTNorm = None,
    out: OutArray = None,
) -> ndarray:
    return _many(kernels.rfftn, a, s, axes, norm, out)


@hosted
@documented_like(
    fftn,
    "The inverse of ``rfftn``.",
    """
    >>> import numpy_shim as np
    >>> np.fft.irfftn(np.ones((2, 3))).shape
    (2, 4)
    """,
    {_COMPLEX: _REAL},
)
def irfftn(
    a: ArrayLike,
    s: Sequence[SupportsIndex | None] | None = None,
    axes: Sequence[SupportsIndex] | None = None,
    norm: FFTNorm = None,
    out: OutArray = None,
) -> ndarray:
    return _many(kernels.irfftn, a, s, axes, norm, out)


@hosted
@documented_like(
    fftn,
    "``fftn`` over two axes, by default the last ones.",
    """
    >>> import numpy_shim as np
    >>> np.fft.fft2(np.ones((2, 2)))[0, 0]
    np.complex128(4+0j)
    """,
)
def fft2(
    a: ArrayLike,
    s: Sequence[SupportsIndex | None] | None = None,
    axes: Sequence[SupportsIndex] | None = (-2, -1),
    norm: FFTNorm = None,
    out: OutArray = None,
) -> ndarray:
    return _many(kernels.fftn, a, s, axes, norm, out)


@hosted
@documented_like(
    fftn,
    "The inverse of ``fft2``.",
    """
    >>> import numpy_shim as np
    >>> np.fft.ifft2(np.ones((2, 2)))[0, 0]
    np.complex128(1+0j)
    """,
)
def ifft2(
    a: ArrayLike,
    s: Sequence[SupportsIndex | None] | None = None,
    axes: Sequence[SupportsIndex] | None = (-2, -1),
    norm: FFTNorm = None,
    out: OutArray = None,
) -> ndarray:
    return _many(kernels.ifftn, a, s, axes, norm, out)


@hosted
@documented_like(
    fftn,
    "``rfftn`` over two axes, by default the last ones.",
    """
    >>> import numpy_shim as np
    >>> np.fft.rfft2(np.ones((2, 4))).shape
    (2, 3)
    """,
    {_COMPLEX: _HALF},
)
def rfft2(
    a: ArrayLike,
    s: Sequence[SupportsIndex | None] | None = None,
    axes: Sequence[SupportsIndex] | None = (-2, -1),
    norm: FFTNorm = None,
    out: OutArray = None,
) -> ndarray:
    return _many(kernels.rfftn, a, s, axes, norm, out)


@hosted
@documented_like(
    fftn,
    "The inverse of ``rfft2``.",
    """
    >>> import numpy_shim as np
    >>> np.fft.irfft2(np.ones((2, 3))).shape
    (2, 4)
    """,
    {_COMPLEX: _REAL},
)
def irfft2(
    a: ArrayLike,
    s: Sequence[SupportsIndex | None] | None = None,
    axes: Sequence[SupportsIndex] | None = (-2, -1),
    norm: FFTNorm = None,
    out: OutArray = None,
) -> ndarray:
    return _many(kernels.irfftn, a, s, axes, norm, out)


@hosted
def fftshift(x: ArrayLike, axes: AxesLike | None = None) -> ndarray:
    """Swap the halves of the axes, so that frequency 0 is in the middle.

    Parameters
    ----------
    x : array_like
        The array.
    axes : int or tuple of int, optional
        The axes, by default all.

    Returns
    -------
    ndarray or scalar
        A copy in the shape and dtype of ``x``.

    Raises
    ------
    AxisError
        For an axis that is not there.
    TypeError
        For an axis that is not an integer.

    Examples
    --------
    >>> import numpy_shim as np
    >>> np.fft.fftshift([0, 1, 2, -2, -1])
    array([-2, -1,  0,  1,  2])
    """
    return _shifted("fftshift", x, axes, inverse=False)


@hosted
@documented_like(
    fftshift,
    "The inverse of ``fftshift``; they differ where the size is odd.",
    """
    >>> import numpy_shim as np
    >>> np.fft.ifftshift([-2, -1, 0, 1, 2])
    array([ 0,  1,  2, -2, -1])
    """,
)
def ifftshift(x: ArrayLike, axes: AxesLike | None = None) -> ndarray:
    return _shifted("ifftshift", x, axes, inverse=True)


def _shifted(name: str, x: ArrayLike, axes: Any, *, inverse: bool) -> ndarray:
    tensor = as_tensor(name, x, "x")
    if isinstance(axes, (tuple, list)):  # an axis that is there twice is shifted twice
        dims = tuple([normalize_axis(name, axis, tensor.dim(), "axes") for axis in axes])
    else:
        dims = normalize_axes(name, axes, tensor.dim(), "axes")
    return wrap(kernels.shift(tensor, dims, inverse=inverse))


def _frequencies(name: str, n: Any, d: Any, device: Any) -> tuple[int, float]:
    if not hasattr(n, "__index__"):
        raise ValueError(f"{name}: n should be an integer")
    return operator.index(n), d


@hosted
@sized
def fftfreq(n: int, d: float = 1.0, device: Device = None) -> ndarray:
    """The frequencies of ``fft`` for ``n`` samples ``d`` apart, in cycles per unit of ``d``.

    Parameters
    ----------
    n : int
        The number of samples.
    d : float
        The distance between samples.
    device : torch.device or str, optional
        Where the result lives; by default torch's default device.

    Returns
    -------
    ndarray
        float64, of shape ``(n,)``: 0, the positive frequencies, then the negative ones.

    Raises
    ------
    ValueError
        For an ``n`` that is negative or not an integer.
    ZeroDivisionError
        For an ``n`` or ``d`` of 0.

    Examples
    --------
    >>> import numpy_shim as np
    >>> np.fft.fftfreq(4)
    array([ 0.  ,  0.25, -0.5 , -0.25])
    """
    size, spacing = _frequencies("fftfreq", n, d, device)
    if size < 0:
        raise ValueError("fftfreq: negative dimensions are not allowed")
    middle = (size - 1) // 2 + 1
    first = torch.arange(0, middle, dtype=torch.float64, device=device)
    second = torch.arange(-(size // 2), 0, dtype=torch.float64, device=device)
    return _spread(torch.cat([first, second]), 1.0 / (size * spacing))


def _spread(steps: Tensor, step: float) -> ndarray:
    result = steps * step
    if errstate.active:
        error_checks.check("multiply", [steps, torch.full_like(steps, step)], (result,))
    return array_of(result)


@hosted
@sized
def rfftfreq(n: int, d: float = 1.0, device: Device = None) -> ndarray:
    """The frequencies of ``rfft`` for ``n`` samples ``d`` apart.

    Parameters
    ----------
    n : int
        The number of samples.
    d : float
        The distance between samples.
    device : torch.device or str, optional
        Where the result lives; by default torch's default device.

    Returns
    -------
    ndarray
        float64, of shape ``(n // 2 + 1,)``: 0 and the positive frequencies.

    Raises
    ------
    ValueError
        For an ``n`` that is not an integer.
    ZeroDivisionError
        For an ``n`` or ``d`` of 0.

    Examples
    --------
    >>> import numpy_shim as np
    >>> np.fft.rfftfreq(4)
    array([0.  , 0.25, 0.5 ])
    """
    size, spacing = _frequencies("rfftfreq", n, d, device)
    steps = torch.arange(0, max(size // 2 + 1, 0), dtype=torch.float64, device=device)
    return _spread(steps, 1.0 / (size * spacing))
