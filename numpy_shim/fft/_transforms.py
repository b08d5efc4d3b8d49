"""The discrete Fourier transforms, of one axis and of several."""

from __future__ import annotations

from collections.abc import Sequence
from typing import SupportsIndex

from xp_torch._core.docs import documented_like
from xp_torch._kernels import fft as kernels

from .._array.ndarray import ndarray
from .._array.typing import OutArray
from .._base.typing import FFTNorm
from .._convert.arguments import ArrayLike
from ._computation import along_axes, along_axis

__all__ = [
    "fft", "fft2", "fftn", "hfft", "ifft", "ifft2", "ifftn", "ihfft", "irfft", "irfft2", "irfftn",
    "rfft", "rfft2", "rfftn",
]  # fmt: skip


_COMPLEX = "Complex, of the precision of ``a``."
_HALF = "Complex; the (last) transformed axis has ``n//2 + 1`` elements, the others mirror them."
_REAL = "Real; the (last) transformed axis has ``n`` elements, ``2*(m - 1)`` by default."


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

    Examples
    --------
    >>> import numpy_shim as np
    >>> np.fft.fft([1.0, 0.0])
    array([1.+0.j, 1.+0.j])
    """
    return along_axis(kernels.fft, a, n, axis, norm, out)


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
    return along_axis(kernels.ifft, a, n, axis, norm, out)


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
    return along_axis(kernels.rfft, a, n, axis, norm, out)


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
    return along_axis(kernels.irfft, a, n, axis, norm, out)


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
    return along_axis(kernels.hfft, a, n, axis, norm, out)


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
    return along_axis(kernels.ihfft, a, n, axis, norm, out)


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

    Examples
    --------
    >>> import numpy_shim as np
    >>> np.fft.fftn(np.ones((2, 2)))[0, 0]
    np.complex128(4+0j)
    """
    return along_axes(kernels.fftn, a, s, axes, norm, out)


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
    return along_axes(kernels.ifftn, a, s, axes, norm, out)


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
    return along_axes(kernels.rfftn, a, s, axes, norm, out)


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
    return along_axes(kernels.irfftn, a, s, axes, norm, out)


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
    return along_axes(kernels.fftn, a, s, axes, norm, out)


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
    return along_axes(kernels.ifftn, a, s, axes, norm, out)


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
    return along_axes(kernels.rfftn, a, s, axes, norm, out)


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
    return along_axes(kernels.irfftn, a, s, axes, norm, out)
