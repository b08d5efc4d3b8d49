"""Convolution and correlation of sequences."""

from __future__ import annotations

import operator
from typing import Any

from torch import Tensor

from .._array.ndarray import ndarray
from .._convert.arguments import ArrayLike, array_of, operands, promoted
from .._kernels import convolution as kernels

__all__ = ["convolve", "correlate"]

_MODE = """mode : {'valid', 'same', 'full'}
        The part of the result: complete overlaps, as many elements as the longer sequence, or
        all overlaps."""


def convolve(a: ArrayLike, v: ArrayLike, mode: str = "full") -> ndarray:
    wanted = _mode("convolve", mode)
    x, y = _sequences("convolve", a, v, 1)
    if y.numel() > x.numel():
        x, y = y, x
    return array_of(kernels.correlate(x, kernels.turned(y), wanted))


convolve.__doc__ = f"""The convolution of two sequences: the product of polynomials.

    Parameters
    ----------
    a, v : array_like
        1-D, and not empty.
    {_MODE}

    Returns
    -------
    ndarray
        In the common dtype: integers wrap around.

    Raises
    ------
    ValueError
        For an empty sequence, an array with more than one axis, or an unknown mode.

    Examples
    --------
    >>> import numpy_shim as np
    >>> np.convolve(np.array([1, 2, 3]), [0, 1, 0.5])
    array([0. , 1. , 2.5, 4. , 1.5])
    """


def correlate(a: ArrayLike, v: ArrayLike, mode: str = "valid") -> ndarray:
    wanted = _mode("correlate", mode)
    x, y = _sequences("correlate", a, v, 0)
    if y.dtype.is_complex:
        y = y.conj().resolve_conj()
    if y.numel() > x.numel():
        return array_of(kernels.turned(kernels.correlate(y, x, wanted)))
    return array_of(kernels.correlate(x, y, wanted))


correlate.__doc__ = f"""The cross-correlation of two sequences: ``sum(a[n + k] * conj(v[n]))``.

    Parameters
    ----------
    a, v : array_like
        1-D, and not empty.
    {_MODE}

    Returns
    -------
    ndarray
        In the common dtype: integers wrap around.

    Raises
    ------
    ValueError
        For an empty sequence, an array with more than one axis, or an unknown mode.

    Examples
    --------
    >>> import numpy_shim as np
    >>> np.correlate(np.array([1, 2, 3]), [0, 1, 0.5], "same")
    array([2. , 3.5, 3. ])
    """


def _mode(name: str, mode: Any) -> int:
    """The number of a mode; older NumPy took numbers."""
    if isinstance(mode, str):
        if mode not in kernels.MODES:
            raise ValueError(
                f"{name}: mode must be one of 'valid', 'same', or 'full' (got {mode!r})"
            )
        return kernels.MODES.index(mode)
    number = operator.index(mode)
    if number not in (0, 1, 2):
        raise ValueError(f"{name}: an integer mode must be 0, 1, or 2, not {number}")
    return number


def _sequences(name: str, a: Any, v: Any, least: int) -> list[Tensor]:
    tensors = operands(name, a, v, arguments=("a", "v"))
    if least:
        tensors = [t.reshape(1) if not t.dim() else t for t in tensors]
    for argument, t in zip("av", tensors, strict=True):
        if t.dim() != 1:
            raise ValueError(f"{name}: {argument} must have one axis, not {t.dim()}")
        if not t.numel():
            raise ValueError(f"{name}: {argument} cannot be empty")
    return promoted(name, tensors)
