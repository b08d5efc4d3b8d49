"""Frequencies and their order: ``fftfreq``, ``fftshift`` and those like them."""

from __future__ import annotations

import operator
from typing import Any

import torch
from torch import Tensor

from xp_torch._core.docs import documented_like
from xp_torch._kernels import fft as kernels

from .._array.layout import like
from .._array.ndarray import AnyArray, array_of, ndarray, wrap
from .._base import error_checks
from .._base import error_states as errstate
from .._base.axes import normalize_axes, normalize_axis
from .._base.typing import AxesLike, Device
from .._convert.arguments import ArrayLike, as_tensor

__all__ = ["fftfreq", "fftshift", "ifftshift", "rfftfreq"]


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

    Examples
    --------
    >>> import numpy_shim as np
    >>> np.fft.fftshift([0, 1, 2, -2, -1])
    array([-2, -1,  0,  1,  2])
    """
    return _shifted("fftshift", x, axes, inverse=False)


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


def _shifted(name: str, x: ArrayLike, axes: object, *, inverse: bool) -> ndarray:
    tensor = as_tensor(name, x, "x")
    if isinstance(axes, (tuple, list)):  # an axis that is there twice is shifted twice
        dims = tuple([normalize_axis(name, axis, tensor.dim(), "axes") for axis in axes])
    else:
        dims = normalize_axes(name, axes, tensor.dim(), "axes")
    return wrap(like(kernels.shift(tensor, dims, inverse=inverse), tensor))


def _frequencies(name: str, n: Any, d: Any) -> tuple[int, Any]:
    """The number of samples, and how long they last."""
    if not hasattr(n, "__index__"):
        raise ValueError(f"{name}: n should be an integer")
    return operator.index(n), n * d


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

    Examples
    --------
    >>> import numpy_shim as np
    >>> np.fft.fftfreq(4)
    array([ 0.  ,  0.25, -0.5 , -0.25])
    """
    size, length = _frequencies("fftfreq", n, d)
    if size < 0:
        raise ValueError("fftfreq: negative dimensions are not allowed")
    middle = (size - 1) // 2 + 1
    first = torch.arange(0, middle, dtype=torch.float64, device=device)
    second = torch.arange(-(size // 2), 0, dtype=torch.float64, device=device)
    return _spread(torch.cat([first, second]), 1.0 / length)


def _spread(steps: Tensor, step: Any) -> ndarray:
    if isinstance(step, AnyArray):  # of a distance on a device
        return array_of(steps) * step
    result = steps * step
    if errstate.active:
        error_checks.check("multiply", [steps, torch.full_like(steps, step)], (result,))
    return array_of(result)


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

    Examples
    --------
    >>> import numpy_shim as np
    >>> np.fft.rfftfreq(4)
    array([0.  , 0.25, 0.5 ])
    """
    size, length = _frequencies("rfftfreq", n, d)
    steps = torch.arange(0, max(size // 2 + 1, 0), dtype=torch.float64, device=device)
    return _spread(steps, 1.0 / length)
