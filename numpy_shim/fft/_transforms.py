"""The discrete Fourier transforms, of one axis and of several."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Protocol, SupportsIndex

from xp_torch._core.docs import documented_like
from xp_torch._kernels import fft as kernels
from xp_torch._kernels.fft import Transform

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


class TransformOfAxis(Protocol):
    """The signature of the transforms of one axis."""

    def __call__(
        self,
        a: ArrayLike,
        n: SupportsIndex | None = None,
        axis: int = -1,
        norm: FFTNorm = None,
        out: OutArray = None,
    ) -> ndarray: ...


class TransformOfAxes(Protocol):
    """The signature of the transforms of several axes."""

    def __call__(
        self,
        a: ArrayLike,
        s: Sequence[SupportsIndex | None] | None = None,
        axes: Sequence[SupportsIndex] | None = ...,
        norm: FFTNorm = None,
        out: OutArray = None,
    ) -> ndarray: ...


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


def _of_axis(
    name: str,
    kind: Transform,
    summary: str,
    example: str,
    words: Mapping[str, str] | None = None,
) -> TransformOfAxis:
    """A transform of one axis, documented as ``fft``."""

    def transform(
        a: ArrayLike,
        n: SupportsIndex | None = None,
        axis: int = -1,
        norm: FFTNorm = None,
        out: OutArray = None,
    ) -> ndarray:
        return along_axis(kind, a, n, axis, norm, out)

    transform.__name__ = transform.__qualname__ = name
    return documented_like(fft, summary, example, words)(transform)


ifft = _of_axis(
    "ifft",
    kernels.ifft,
    "The inverse of ``fft``.",
    """
    >>> import numpy_shim as np
    >>> np.fft.ifft([2.0, 0.0])
    array([1.+0.j, 1.+0.j])
    """,
)
rfft = _of_axis(
    "rfft",
    kernels.rfft,
    "The transform of a real signal along one axis.",
    """
    >>> import numpy_shim as np
    >>> np.fft.rfft([1.0, 0.0])
    array([1.+0.j, 1.+0.j])
    """,
    {_COMPLEX: _HALF},
)
irfft = _of_axis(
    "irfft",
    kernels.irfft,
    "The inverse of ``rfft``.",
    """
    >>> import numpy_shim as np
    >>> np.fft.irfft([1.0, 1.0])
    array([1., 0.])
    """,
    {_COMPLEX: _REAL},
)
hfft = _of_axis(
    "hfft",
    kernels.hfft,
    "The transform of a signal with Hermitian symmetry.",
    """
    >>> import numpy_shim as np
    >>> np.fft.hfft([1.0, 1.0])
    array([2., 0.])
    """,
    {_COMPLEX: _REAL},
)
ihfft = _of_axis(
    "ihfft",
    kernels.ihfft,
    "The inverse of ``hfft``.",
    """
    >>> import numpy_shim as np
    >>> np.fft.ihfft([2.0, 0.0]).shape
    (2,)
    """,
    {_COMPLEX: _HALF},
)


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


def _of_axes(
    name: str,
    kind: Transform,
    summary: str,
    example: str,
    words: Mapping[str, str] | None = None,
    axes: Sequence[SupportsIndex] | None = None,
) -> TransformOfAxes:
    """A transform of several axes, ``axes`` by default, documented as ``fftn``."""

    def transform(
        a: ArrayLike,
        s: Sequence[SupportsIndex | None] | None = None,
        axes: Sequence[SupportsIndex] | None = axes,
        norm: FFTNorm = None,
        out: OutArray = None,
    ) -> ndarray:
        return along_axes(kind, a, s, axes, norm, out)

    transform.__name__ = transform.__qualname__ = name
    return documented_like(fftn, summary, example, words)(transform)


ifftn = _of_axes(
    "ifftn",
    kernels.ifftn,
    "The inverse of ``fftn``.",
    """
    >>> import numpy_shim as np
    >>> np.fft.ifftn(np.ones((2, 2)))[0, 0]
    np.complex128(1+0j)
    """,
)
rfftn = _of_axes(
    "rfftn",
    kernels.rfftn,
    "The transform of a real signal along several axes.",
    """
    >>> import numpy_shim as np
    >>> np.fft.rfftn(np.ones((2, 4))).shape
    (2, 3)
    """,
    {_COMPLEX: _HALF},
)
irfftn = _of_axes(
    "irfftn",
    kernels.irfftn,
    "The inverse of ``rfftn``.",
    """
    >>> import numpy_shim as np
    >>> np.fft.irfftn(np.ones((2, 3))).shape
    (2, 4)
    """,
    {_COMPLEX: _REAL},
)
fft2 = _of_axes(
    "fft2",
    kernels.fftn,
    "``fftn`` over two axes, by default the last ones.",
    """
    >>> import numpy_shim as np
    >>> np.fft.fft2(np.ones((2, 2)))[0, 0]
    np.complex128(4+0j)
    """,
    axes=(-2, -1),
)
ifft2 = _of_axes(
    "ifft2",
    kernels.ifftn,
    "The inverse of ``fft2``.",
    """
    >>> import numpy_shim as np
    >>> np.fft.ifft2(np.ones((2, 2)))[0, 0]
    np.complex128(1+0j)
    """,
    axes=(-2, -1),
)
rfft2 = _of_axes(
    "rfft2",
    kernels.rfftn,
    "``rfftn`` over two axes, by default the last ones.",
    """
    >>> import numpy_shim as np
    >>> np.fft.rfft2(np.ones((2, 4))).shape
    (2, 3)
    """,
    {_COMPLEX: _HALF},
    axes=(-2, -1),
)
irfft2 = _of_axes(
    "irfft2",
    kernels.irfftn,
    "The inverse of ``rfft2``.",
    """
    >>> import numpy_shim as np
    >>> np.fft.irfft2(np.ones((2, 3))).shape
    (2, 4)
    """,
    {_COMPLEX: _REAL},
    axes=(-2, -1),
)
