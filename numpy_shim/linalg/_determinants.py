"""Determinants, and their signs and logarithms."""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy
import torch
from torch import Tensor

from xp_torch._kernels import host_reads
from xp_torch._torch.internals import is_transformed

from .._array.ndarray import ndarray, wrap
from .._base import error_states as errstate
from .._base.fast_tables import fast_table
from .._convert.arguments import ArrayLike
from ._matrices import as_double, square

__all__ = ["det", "slogdet"]


_det = as_double(torch.linalg.det)
_slogdet = as_double(torch.linalg.slogdet)


class SlogdetResult(NamedTuple):
    """The result of ``slogdet``."""

    sign: ndarray
    logabsdet: ndarray


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

    Examples
    --------
    >>> import numpy_shim as np
    >>> np.linalg.det([[2.0, 0.0], [0.0, 4.0]])
    np.float64(8.0)
    """
    x = square("det", a)
    if type(a) is ndarray and a._flat_dtype in _READ and x.dim() == 2 and x.shape[0] <= _FEW_ROWS:
        number = _of_few(x)
        if number is not None:
            return number
    result = _det(x)
    if errstate.active:
        _look_at_determinant(x, result)
    return wrap(result)


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


_READ = fast_table({torch.float64: torch.float64})
_FEW_ROWS = 8


def _of_few(x: Tensor) -> ndarray | None:
    """The determinant of one small matrix whose values can be read, from its factors.

    torch takes four times as long for the product of the diagonal as for the factors.
    ``None`` where the result is to stay a tensor.
    """
    if (
        not host_reads.possible(x)
        or not x.is_cpu
        or x.requires_grad
        or not x.numel()
        or is_transformed()
    ):
        return None
    factors, pivots, _ = torch.linalg.lu_factor_ex(x)
    product = math.prod(factors.diagonal().tolist())
    swaps = sum(row != i for i, row in enumerate(pivots.tolist(), 1))
    return numpy.float64(-product if swaps % 2 else product)  # type: ignore[return-value]


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
