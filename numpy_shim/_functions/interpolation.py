"""Interpolation between points, and signals without jumps."""

from __future__ import annotations

import math
from functools import partial
from typing import Any

import numpy
import torch
from torch import Tensor
from torch.compiler import is_compiling, is_dynamo_compiling

from xp_torch._kernels import blocks
from xp_torch._kernels.searching import search_numbers
from xp_torch._torch.internals import check_in_trace, is_certain, is_transformed

from .._array.host_view import kept_view, to_numpy
from .._array.layout import like
from .._array.ndarray import AnyArray, ndarray, wrap
from .._base.axes import normalize_axis
from .._base.dtypes import INTEGERS
from .._convert.arguments import ArrayLike, array_of, as_tensor, check_cast, common, operands
from .._convert.sequences import from_numbers
from .._kernels.casting import cast
from .._ufunc.declarations import absolute, multiply
from .cumulative import cumsum, diff

__all__ = ["interp", "unwrap"]


def interp(
    x: ArrayLike, xp: ArrayLike, fp: ArrayLike, left: complex | None = None,
    right: complex | None = None, period: float | None = None,
) -> ndarray:  # fmt: skip
    """Linear interpolation between points.

    Parameters
    ----------
    x : array_like
        The points to evaluate at.
    xp : array_like
        The points where the values are known: 1-D, and increasing unless there is a period.
    fp : array_like
        The values at these points, real or complex.
    left, right : number, optional
        The values before the first and after the last point; by default the values there.
    period : float, optional
        The period of the function; ``left`` and ``right`` are then ignored.

    Returns
    -------
    ndarray or scalar
        float64 or complex128, in the shape of ``x``.

    Examples
    --------
    >>> import numpy_shim as np
    >>> np.interp(np.array([1.5, 9.0]), [1, 2, 3], [10, 20, 40])
    array([15., 40.])
    """
    if type(x) in _FLOATS and left is right is period is None:
        found: ndarray | None = _of_number(float(x), xp, fp)  # type: ignore[arg-type]
        if found is not None:
            return found
    where, points, values = operands("interp", x, xp, fp, arguments=("x", "xp", "fp"))
    into = torch.complex128 if values.dtype.is_complex else torch.float64
    for tensor in (where, points):
        check_cast("interp", tensor.dtype, torch.float64, "safe")
    where, points, values = (
        t if t.dtype is kind else t.to(kind)
        for t, kind in ((where, torch.float64), (points, torch.float64), (values, into))
    )
    if points.dim() != 1 or values.dim() != 1:
        raise ValueError(
            f"interp: xp and fp must be 1-D, not of {points.dim()} and {values.dim()} axes"
        )
    if is_certain(points.shape[0] != values.shape[0]):
        raise ValueError(
            f"interp: fp and xp are not of the same length, {values.numel()} and {points.numel()}"
        )
    if is_dynamo_compiling():  # a size may depend on values, as that of bincount does
        check_in_trace(points.shape[0] == values.shape[0])
    if is_certain(not points.numel()):
        raise ValueError("interp: array of sample points is empty")
    if period is not None:
        if period == 0:
            raise ValueError("interp: period must be a non-zero value")
        left = right = None
        where, points, values = _periodic(where, points, values, abs(float(period)))
    ends = [
        None if end is None else cast(as_tensor("interp", end, argument, where.device), into)
        for end, argument in ((left, "left"), (right, "right"))
    ]
    tensors = [where, points, values, *(end for end in ends if end is not None)]
    if (
        where.numel() <= _FEW
        and not values.dtype.is_complex
        and not (is_compiling() or is_transformed())
        and all(map(_at_hand, tensors))
    ):
        return wrap(_at_few(where, points, values, ends))
    linear = partial(_linear, points=points, values=values, left=ends[0], right=ends[1])
    if (
        blocks.is_large(where)
        and points.is_contiguous()
        and not any(t.requires_grad for t in tensors)
        and bool(points[-1] == points[-1])  # the search looks at all points if one is NaN
    ):
        return wrap(blocks.mapped(linear, linear, where, values.dtype))
    return wrap(linear(where).contiguous())


_FLOATS = frozenset({float, numpy.float64})


def _of_number(x: float, xp: object, fp: object) -> Any:
    """The value at one number between points of ours whose values are at hand, or ``None``."""
    if type(xp) is not ndarray or type(fp) is not ndarray:
        return None
    if not (xp._flat_dtype is fp._flat_dtype is torch.float64):
        return None
    points, values = kept_view(xp), kept_view(fp)
    if points is None or values is None or not points.ndim == values.ndim == 1:
        return None
    if not 0 < len(points) == len(values):
        return None
    return numpy.float64(_at_one(x, points, values, values.item(0), values.item(-1)))


_FEW = 8
"""Numbers for which Python's arithmetic costs less than twenty calls of torch."""


def _at_hand(t: Tensor) -> bool:
    """Whether the values of a tensor can be read without waiting, and carry no gradient."""
    return type(t) is Tensor and t.is_cpu and not (t.requires_grad or t.is_neg())


def _at_few(where: Tensor, points: Tensor, values: Tensor, ends: list[Tensor | None]) -> Tensor:
    """``_linear`` of a few real numbers, one by one."""
    xp, fp = to_numpy(points), to_numpy(values)
    left = fp.item(0) if ends[0] is None else ends[0].item()
    right = fp.item(-1) if ends[1] is None else ends[1].item()
    results = [_at_one(x, xp, fp, left, right) for x in where.reshape(-1).tolist()]
    return from_numbers(results, torch.float64).reshape(where.shape)


def _at_one(
    x: float, xp: numpy.ndarray[Any, Any], fp: numpy.ndarray[Any, Any], left: float, right: float
) -> float:
    count = len(xp)
    if x > xp.item(-1):
        return right
    if x < xp.item(0):
        return left
    if math.isnan(x) and count > 1:
        return x
    low, high = 1, count  # not bisect_right, which passes a NaN among the points by
    while low < high:
        middle = (low + high) // 2
        if x >= xp.item(middle):
            low = middle + 1
        else:
            high = middle
    if low == count:
        last: float = fp.item(-1)
        return last
    x0: float = xp.item(low - 1)
    y0: float = fp.item(low - 1)
    x1: float = xp.item(low)
    y1: float = fp.item(low)
    if x == x0:
        return y0
    slope = (y1 - y0) / (x1 - x0)
    result = slope * (x - x0) + y0
    if math.isnan(result):
        result = slope * (x - x1) + y1
        if math.isnan(result) and y0 == y1:
            return y0
    return result


def unwrap(
    p: ArrayLike, discont: float | None = None, axis: int = -1, *, period: float = 2 * math.pi
) -> ndarray:
    """Remove jumps by multiples of a period from a signal.

    Parameters
    ----------
    p : array_like
        The signal.
    discont : float, optional
        The smallest jump to remove; by default and at least half a period.
    axis : int
        The axis of the signal.
    period : float
        The size of the range that the signal wraps at.

    Returns
    -------
    ndarray
        In the shape of ``p``; integers with an integer period stay integers.

    Examples
    --------
    >>> import numpy_shim as np
    >>> np.unwrap(np.array([0, 3, 1, 2]), period=4)
    array([ 0, -1, -3, -2])
    """
    array = array_of(as_tensor("unwrap", p, "p"))
    along = normalize_axis("unwrap", axis, max(array.ndim, 1))
    step = diff(array, axis=axis)
    whole = common("unwrap", step, period)[0].dtype in INTEGERS
    high = period // 2 if whole else period / 2
    ambiguous = not whole or period % 2 == 0
    # The steps modulo the period, within half a period of zero.
    low = -high
    near = (step - low) % period + low
    if ambiguous:
        near = _choose((near == low) & (step > 0), high, near)
    correction = near - step
    least = period / 2 if discont is None else discont
    correction = _choose(absolute(step) < least, 0, correction)
    moved = cumsum(correction, axis=along)
    first = array._tensor.narrow(along, 0, min(1, array._tensor.shape[along]))
    rest = array._tensor.narrow(along, first.shape[along], moved._tensor.shape[along])
    dtype = common("unwrap", step, period)[0].dtype
    sums = multiply(1, array_of(rest)) + moved if rest.dtype is not torch.bool else rest + moved
    parts = [cast(first, dtype), cast(as_tensor("unwrap", sums), dtype)]
    return array_of(like(torch.cat(parts, along), array._tensor))


def _choose(condition: ndarray, number: Any, otherwise: ndarray) -> ndarray:
    """``number`` where the condition is true, in the dtype of the other operand."""
    t = otherwise._tensor
    if isinstance(number, AnyArray):
        chosen = cast(number._tensor, t.dtype)
    else:
        chosen = torch.full_like(t, number)
    return array_of(torch.where(condition._tensor, chosen, t))


# --- tensors ---


def _linear(
    x: Tensor, points: Tensor, values: Tensor, left: Tensor | None, right: Tensor | None
) -> Tensor:
    """The values at ``x`` of the lines between increasing points, in NumPy's rounding.

    ``left`` and ``right`` are the values before and after the points, by default the first and
    the last value. A NaN in ``x`` stays NaN. Where a line gives NaN, it is computed from its right
    end instead, or is the value of both ends if these are equal.
    """
    count = points.numel()
    end = points[-1]
    if count == 1:
        inside = values[0].expand(x.shape)
        below = x < end
    else:
        flat = x if x.dim() == 1 else x.reshape(-1)  # a view less in the graph
        high = search_numbers(points, flat).clamp(1, count - 1)
        low = high - 1  # not 0-D: to a trace that is a number, not an array
        ends = [points[low], points[high], values[low], values[high]]
        x0, x1, y0, y1 = ends if x.dim() == 1 else [e.reshape(x.shape) for e in ends]
        inside = _line(x, x0, x1, y0, y1)
        # NumPy takes the value of a point itself, whatever the slope beside it.
        inside = torch.where(x == x0, y0, inside)
        inside = torch.where(x == x1, y1, inside)  # only the last point is at its right
        below = x < points[0]
    result = torch.where(below, values[0] if left is None else left, inside)
    result = torch.where(x > end, values[-1] if right is None else right, result)
    # With one point, NumPy gives its value where x is neither below nor above it; so for NaN.
    if count == 1:
        return result
    return torch.where(torch.isnan(x), x.to(values.dtype), result)


def _line(x: Tensor, x0: Tensor, x1: Tensor, y0: Tensor, y1: Tensor) -> Tensor:
    if y0.dtype.is_complex:
        return torch.complex(_line(x, x0, x1, y0.real, y1.real), _line(x, x0, x1, y0.imag, y1.imag))
    slope = (y1 - y0) / (x1 - x0)
    result = slope * (x - x0) + y0
    result = torch.where(torch.isnan(result), slope * (x - x1) + y1, result)
    return torch.where(torch.isnan(result) & (y0 == y1), y0, result)


def _periodic(
    x: Tensor, points: Tensor, values: Tensor, period: float
) -> tuple[Tensor, Tensor, Tensor]:
    """Sort the points within one period, and repeat one point beyond each end."""
    x, points = torch.remainder(x, period), torch.remainder(points, period)
    order = torch.argsort(points, stable=True)
    points, values = points[order], values[order]
    points = torch.cat([points[-1:] - period, points, points[:1] + period])
    return x, points, torch.cat([values[-1:], values, values[:1]])
