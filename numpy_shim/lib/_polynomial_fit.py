"""``polyfit``: the polynomial that fits points best."""

from __future__ import annotations

import warnings
from typing import Literal, TypeAlias, overload

import numpy
import torch
from torch import Tensor
from torch.compiler import is_dynamo_compiling

from .. import linalg
from .._array.ndarray import ndarray
from .._base.dtypes import COMPLEXES, FLOATS
from .._base.tracing import caller
from .._base.typing import No, Yes
from .._convert.arguments import ArrayLike, array_of, as_tensor, operands
from .._functions.diagonals import vander

__all__ = ["polyfit"]

FullFit: TypeAlias = tuple[ndarray, ndarray, ndarray, ndarray, float]
"""``polyfit`` with ``full``: coefficients, residuals, rank, singular values and rcond."""


def _floating(t: Tensor) -> Tensor:
    return t if t.dtype in FLOATS or t.dtype in COMPLEXES else t.to(torch.float64)


@overload
def polyfit(
    x: ArrayLike,
    y: ArrayLike,
    deg: int,
    rcond: float | None = ...,
    full: No = ...,
    w: ArrayLike | None = ...,
    cov: No = ...,
) -> ndarray: ...
@overload
def polyfit(
    x: ArrayLike,
    y: ArrayLike,
    deg: int,
    rcond: float | None = ...,
    full: No = ...,
    w: ArrayLike | None = ...,
    *,
    cov: Yes | Literal["unscaled"],
) -> tuple[ndarray, ndarray]: ...
@overload
def polyfit(
    x: ArrayLike,
    y: ArrayLike,
    deg: int,
    rcond: float | None = ...,
    *,
    full: Yes,
    w: ArrayLike | None = ...,
    cov: bool | Literal["unscaled"] = ...,
) -> FullFit: ...
@overload
def polyfit(
    x: ArrayLike,
    y: ArrayLike,
    deg: int,
    rcond: float | None = ...,
    full: bool = ...,
    w: ArrayLike | None = ...,
    cov: bool | Literal["unscaled"] = ...,
) -> ndarray | tuple[ndarray, ndarray] | FullFit: ...
def polyfit(
    x: ArrayLike, y: ArrayLike, deg: int, rcond: float | None = None, full: bool = False,
    w: ArrayLike | None = None, cov: bool | Literal["unscaled"] = False,
) -> ndarray | tuple[ndarray, ndarray] | FullFit:  # fmt: skip
    """The least-squares fit of a polynomial to points.

    Parameters
    ----------
    x : array_like
        The coordinates of the points, 1-D.
    y : array_like
        The values: 1-D, or 2-D with one data set per column.
    deg : int
        The degree.
    rcond : float, optional
        Singular values up to ``rcond`` times the largest one count as zero.
    full : bool
        Whether to also return the residuals, the rank, the singular values and ``rcond``.
    w : array_like, optional
        The weight of each point; it multiplies the residual before squaring.
    cov : bool or 'unscaled'
        Whether to also return the covariance of the coefficients.

    Returns
    -------
    ndarray, or tuple
        The coefficients, from the highest power down. If they are badly determined, a
        ``RankWarning`` is given (on the CPU).

    Examples
    --------
    >>> import numpy_shim as np
    >>> np.polyfit(np.array([0.0, 1.0, 2.0]), np.array([1.0, 3.0, 5.0]), 1).round(6)
    array([2., 1.])
    """
    order = int(deg) + 1
    points, values = [_floating(t) for t in operands("polyfit", x, y, arguments=("x", "y"))]
    if deg < 0:
        raise ValueError(f"polyfit: expected deg >= 0, not {deg}")
    if points.dim() != 1:
        raise TypeError(f"polyfit: expected 1D vector for x, not {points.dim()} axes")
    if not points.numel():
        raise TypeError("polyfit: expected non-empty vector for x")
    if values.dim() not in (1, 2):
        raise TypeError(f"polyfit: expected 1D or 2D array for y, not {values.dim()} axes")
    if values.shape[0] != points.shape[0]:
        raise TypeError("polyfit: expected x and y to have same length")
    if rcond is None:
        rcond = points.numel() * torch.finfo(points.dtype).eps
    left, right = vander(array_of(points), order), array_of(values)
    if w is not None:
        weights = _floating(as_tensor("polyfit", w, "w", points.device))
        if weights.dim() != 1:
            raise TypeError("polyfit: expected a 1-d array for weights")
        if weights.shape[0] != values.shape[0]:
            raise TypeError("polyfit: expected w and y to have the same length")
        column = array_of(weights.unsqueeze(-1))
        left = left * column
        right = right * (column if values.dim() == 2 else array_of(weights))
    scale = array_of(torch.sqrt(torch.sum(torch.square(left._tensor), 0)))
    left = left / scale
    c, residuals, rank, singular = linalg.lstsq(left, right, rcond)
    c = array_of((c._tensor.mT if c._tensor.dim() == 2 else c._tensor) / scale._tensor)
    if values.dim() == 2:
        c = array_of(c._tensor.mT)
    if not full and not is_dynamo_compiling() and rank != order:  # a trace cannot branch on it
        warnings.warn(
            "Polyfit may be poorly conditioned", numpy.exceptions.RankWarning, stacklevel=caller()
        )
    if full:
        return c, residuals, rank, singular, rcond
    if not cov:
        return c
    product = array_of(torch.matmul(left._tensor.mT, left._tensor))
    base = linalg.inv(product)._tensor / torch.outer(scale._tensor, scale._tensor)
    if cov == "unscaled":
        factor = torch.ones((), dtype=base.dtype, device=base.device)
    else:
        if points.numel() <= order:
            raise ValueError(
                "polyfit: the number of data points must exceed order to scale the covariance "
                "matrix"
            )
        factor = residuals._tensor / (points.numel() - order)
    if values.dim() == 1:
        return c, array_of(base * factor)
    return c, array_of(base[:, :, None] * factor)
