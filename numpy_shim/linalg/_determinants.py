"""Determinants, and their signs and logarithms."""

from __future__ import annotations

from typing import NamedTuple

import torch
from torch import Tensor

from .._array.ndarray import ndarray, wrap
from .._convert.arguments import ArrayLike
from .._convert.host_dtypes import hosted
from .._core import errstate
from ._matrices import (
    as_double,
    square,
)

__all__ = ["det", "slogdet"]


_det = as_double(torch.linalg.det)
_slogdet = as_double(torch.linalg.slogdet)


class SlogdetResult(NamedTuple):
    """The result of ``slogdet``."""

    sign: ndarray
    logabsdet: ndarray


@hosted
def det(a: ArrayLike) -> ndarray:
    """The determinant of square matrices, shape (...).

    Parameters
    ----------
    a : (..., M, M) array_like
        Any numeric dtype but float16.

    Returns
    -------
    ndarray or scalar
        Shape (...); float64 for integers, else in the dtype of ``a``.

    Raises
    ------
    LinAlgError
        For a matrix that is not square.
    TypeError
        For float16.

    Examples
    --------
    >>> import numpy_shim as np
    >>> np.linalg.det([[2.0, 0.0], [0.0, 4.0]])
    np.float64(8.0)
    """
    x = square("det", a)
    result = _det(x)
    if errstate.active:
        _look_at_determinant(x, result)
    return wrap(result)


@hosted
def slogdet(a: ArrayLike) -> SlogdetResult:
    """The sign and the logarithm of the absolute value of the determinant, without overflow.

    Parameters
    ----------
    a : (..., M, M) array_like
        Any numeric dtype but float16.

    Returns
    -------
    SlogdetResult
        ``sign``, shape (...), of absolute value 1 or 0, and ``logabsdet``, shape (...), real,
        -inf for a singular matrix.

    Raises
    ------
    LinAlgError
        For a matrix that is not square.
    TypeError
        For float16.

    Examples
    --------
    >>> import numpy_shim as np
    >>> np.linalg.slogdet([[0.0, 1.0], [1.0, 0.0]]).sign
    np.float64(-1.0)
    """
    sign, size = _slogdet(square("slogdet", a))
    if errstate.active and bool(torch.isnan(size).any()):
        errstate.report({"invalid"}, "slogdet")
    return SlogdetResult(wrap(sign), wrap(size))


def _look_at_determinant(x: Tensor, result: Tensor) -> None:
    """Check determinants for errors: NaN, and values out of range."""
    x, result = x.detach(), result.detach()
    single = result.dtype in (torch.float32, torch.complex64)
    kinds = {"invalid"} if bool(torch.isnan(result).any()) else set()
    errstate.report(kinds, "det")
    beyond = ~torch.isfinite(result) & torch.isfinite(x).all(-1).all(-1)
    tiny = (torch.abs(result) < torch.finfo(result.dtype).tiny) & torch.ne(_slogdet(x)[0], 0)
    met = {kind for kind, where in (("over", beyond), ("under", tiny)) if bool(where.any())}
    errstate.report(met, "cast" if single else "det")  # NumPy casts from double precision
