"""The chapter *Element-wise functions*: rounding and ``clip``."""

from __future__ import annotations

import torch
from torch import Tensor

from ._array import Array
from ._core.axes import broadcast_shapes
from ._core.dtypes import BOUNDS, NUMERIC, REAL_FLOATING, REAL_NUMERIC, promote
from ._core.errors import translate, type_name
from ._core.scalars import plain_number
from ._dispatch import check_category, check_devices, scalar_tensor, tensor_of, unary, wrap
from ._kernels import floating as kernels

__all__ = ["ceil", "clip", "floor", "round", "trunc"]

ceil = unary(
    kernels.ceil,
    REAL_NUMERIC,
    "The smallest integer value that is not less than each element.",
    example="""
    >>> xp.ceil(xp.asarray([-1.5, 1.5]))
    Array([-1.,  2.], dtype=float64)
    """,
)

floor = unary(
    kernels.floor,
    REAL_NUMERIC,
    "The greatest integer value that is not greater than each element.",
    example="""
    >>> xp.floor(xp.asarray([-1.5, 1.5]))
    Array([-2.,  1.], dtype=float64)
    """,
)

round = unary(
    kernels.round,
    NUMERIC,
    "The integer value nearest to each element.",
    notes="Halves go to the even neighbour; both parts of a complex number are rounded.",
    example="""
    >>> xp.round(xp.asarray([0.5, 1.5, 2.4]))
    Array([0., 2., 2.], dtype=float64)
    """,
)

trunc = unary(
    kernels.trunc,
    REAL_NUMERIC,
    "The integer value nearest to each element that is not farther from zero.",
    example="""
    >>> xp.trunc(xp.asarray([-1.5, 1.5]))
    Array([-1.,  1.], dtype=float64)
    """,
)


def clip(x: Array, /, min: Array | float | None = None, max: Array | float | None = None) -> Array:
    """Limit each element to an interval.

    Parameters
    ----------
    x : Array
        Real numeric dtype, any shape.
    min, max : Array, int, float or None
        The bounds: broadcastable against ``x``, of the same dtype (or one of the same kind
        that promotes with it). ``None`` is no bound.

    Returns
    -------
    Array
        The dtype of ``x`` and the broadcast shape. A copy where there is no bound.

    Raises
    ------
    TypeError
        For any other dtype, a bound of another kind, or an argument of another type.
    OverflowError
        For a Python int out of the range of the dtype of ``x`` that limits every element.
    ValueError
        For shapes that do not broadcast, or arrays on two devices.

    Notes
    -----
    NaN where any of the three is NaN. ``max`` where ``min`` is greater than ``max``, which is
    unspecified.

    Source: the array API standard, ``clip``.

    Examples
    --------
    >>> import xp_torch as xp
    >>> xp.clip(xp.asarray([1, 5, 9]), 2, 8)
    Array([2, 5, 8], dtype=int64)
    """
    if type(x) is Array and type(min) is float and type(max) is float:
        t = x._tensor
        if t.dtype in REAL_FLOATING.dtypes:
            try:
                out = Array()
                out._tensor = torch.clamp(t, min, max)
                return out
            except RuntimeError:
                pass  # torch refuses numbers out of the float32 range: they become infinities
    t = tensor_of("clip", "x", x)
    check_category("clip", "x", t.dtype, REAL_NUMERIC)
    low, high = _bound("min", min, t), _bound("max", max, t)
    bounds = [b for b in (low, high) if b is not None]
    if not bounds:
        return wrap(t.clone())
    check_devices("clip", t, *bounds)
    dtype = promote("clip", t.dtype, *[b.dtype for b in bounds])
    broadcast_shapes("clip", t.shape, *[b.shape for b in bounds])
    try:
        result = kernels.clip(
            t if t.dtype is dtype else t.to(dtype),
            low if low is None or low.dtype is dtype else low.to(dtype),
            high if high is None or high.dtype is dtype else high.to(dtype),
        )
    except RuntimeError as error:
        translate("clip", error)
    return wrap(result if dtype is t.dtype else result.to(t.dtype))


def _bound(argument: str, bound: object, x: Tensor) -> Tensor | None:
    """Convert a bound to a tensor; ``None`` if it is beyond every value of the dtype."""
    if bound is None:
        return None
    bound = plain_number(bound)
    if type(bound) is int or type(bound) is float:
        if type(bound) is int and x.dtype in BOUNDS:
            lowest, highest = BOUNDS[x.dtype]
            if (argument == "min" and bound <= lowest) or (argument == "max" and bound >= highest):
                return None
        return scalar_tensor("clip", argument, bound, x)
    if not isinstance(bound, Array):
        raise TypeError(
            f"clip: {argument} must be an xp_torch array, an int, a float or None, "
            f"not {type_name(bound)}"
        )
    check_category("clip", argument, bound._tensor.dtype, REAL_NUMERIC)
    return bound._tensor
