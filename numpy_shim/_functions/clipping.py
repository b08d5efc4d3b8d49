"""Numbers brought within limits: ``clip``, and ``nan_to_num`` for those that are not finite."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Unpack

import numpy
import torch
from torch import Tensor
from torch.compiler import is_dynamo_compiling

from xp_torch._core.dtypes import EXACT
from xp_torch._kernels.large_numbers import rounded

from .._array.ndarray import ndarray, new, scalar, wrap
from .._array.typing import OutArray
from .._base.axes import broadcast_shapes, without_leading_ones
from .._base.dtypes import COMPLEXES, FLOATS, INTEGERS, torch_dtype
from .._base.promotion import WEAK
from .._base.scalar_types import STORED
from .._base.tracing import _NoValue
from .._base.typing import UfuncOptions
from .._convert.arguments import (
    ArrayLike,
    as_array,
    as_tensor,
    assign,
    check_cast,
    check_devices,
    common,
    device_of,
)
from .._convert.outputs import output_of
from .._kernels.casting import cast
from .._kernels.numbers import full_scalar
from .._ufunc.call import deliver, mask_of, outputs
from .._ufunc.declarations import maximum, minimum, positive
from .._ufunc.elementwise import on_host

__all__ = ["clip", "nan_to_num"]

_NATIVE = frozenset({torch.float32, torch.float64})
_clip_numbers: Callable[..., Any] = numpy.clip
_ON_HOST = frozenset(kind for kind, dtype in STORED.items() if dtype is not torch.bfloat16)
"""NumPy's scalars that its ``clip`` takes: a function of numbers on the host stays there."""


def clip(
    a: ArrayLike,
    a_min: ArrayLike | None = _NoValue,
    a_max: ArrayLike | None = _NoValue,
    out: OutArray = None,
    *,
    min: ArrayLike | None = _NoValue,
    max: ArrayLike | None = _NoValue,
    **kwargs: Unpack[UfuncOptions],
) -> ndarray:
    """Limit the elements: those below ``a_min`` become ``a_min``, those above ``a_max`` ``a_max``.

    Parameters
    ----------
    a : array_like
        The elements.
    a_min, a_max : array_like or None
        The limits, which broadcast with ``a``; ``None`` is no limit. Where the lower one
        is greater, the result is ``a_max``.
    out : ndarray, optional
        Where the result is written; it is returned.
    min, max : array_like or None
        Other names of ``a_min`` and ``a_max``.
    **kwargs
        ``where``, ``casting``, ``order``, ``dtype`` and ``subok`` of a ufunc.

    Returns
    -------
    ndarray or scalar
        In the common dtype; NaN stays, and a NaN limit gives NaN.

    Examples
    --------
    >>> import numpy_shim as np
    >>> np.clip(np.array([1, 5, 9]), 2, 8)
    array([2, 5, 8])
    """
    if out is None and not kwargs and min is _NoValue and max is _NoValue:
        if type(a) is ndarray:
            found = _clamped(a, a_min, a_max)
            if found is not None:
                return found
        elif not is_dynamo_compiling() and all(
            type(v) in _ON_HOST or on_host(v) for v in (a, a_min, a_max)
        ):
            return _clip_numbers(a, a_min, a_max)  # type: ignore[no-any-return]
    return _general_clip(a, a_min, a_max, out, min, max, **kwargs)


def _clamped(a: ndarray, low: Any, high: Any) -> ndarray | None:
    """One call of torch for two Python numbers, or None where the general call is needed."""
    t = a._tensor
    d = a._flat_dtype or t.dtype
    first, second = type(low), type(high)
    if d in _NATIVE:
        if not (first is float or first is int) or not (second is float or second is int):
            return None
    elif (
        d is not torch.int64
        or first is not int
        or second is not int
        or not -EXACT <= low <= EXACT
        or not -EXACT <= high <= EXACT
    ):
        return None
    if is_dynamo_compiling():
        low, high = rounded(low, d), rounded(high, d)
    try:
        result = torch.clamp(t, low, high)
    except (RuntimeError, OverflowError):
        return None  # a number beyond the dtype's range, or an int of more than 64 bits
    if a._flat_dtype is None:
        return scalar(result)
    array = new(ndarray)
    array._tensor = result
    array._flat_dtype = d
    return array


def _general_clip(
    a: Any, a_min: Any, a_max: Any, out: Any, min: Any, max: Any, **kwargs: Any
) -> ndarray:
    if a_min is _NoValue and a_max is _NoValue:
        low = None if min is _NoValue else min
        high = None if max is _NoValue else max
    elif a_min is _NoValue or a_max is _NoValue:
        missing = "a_min" if a_min is _NoValue else "a_max"
        raise TypeError(f"clip() missing 1 required positional argument: {missing!r}")
    elif min is not _NoValue or max is not _NoValue:
        raise ValueError(
            "clip: Passing `min` or `max` keyword argument when `a_min` and `a_max` are "
            "provided is forbidden."
        )
    else:
        low, high = a_min, a_max
    x = as_tensor("clip", a, "a")
    if x.dtype in INTEGERS:
        # A limit beyond the dtype limits nothing.
        bounds = torch.iinfo(x.dtype)
        low = None if type(low) is int and low <= bounds.min else low
        high = None if type(high) is int and high >= bounds.max else high
    if low is None and high is None:
        return positive(a, out=out, **kwargs)
    if low is None:
        return minimum(a, high, out=out, **kwargs)  # type: ignore[arg-type]
    if high is None:
        return maximum(a, low, out=out, **kwargs)
    return _clip(a, low, high, out, **kwargs)


def _clip(
    a: Any,
    low: Any,
    high: Any,
    out: Any,
    *,
    where: Any = True,
    casting: str | None = "same_kind",
    order: str = "K",
    dtype: Any = None,
    subok: bool = True,
) -> ndarray:
    casting = casting or "same_kind"
    names = ("a", "a_min", "a_max")
    if dtype is None:
        tensors = common("clip", a, low, high, arguments=names)
    else:
        tensors = _in_dtype("clip", (a, low, high), names, torch_dtype("clip", dtype), casting)
    x, lowest, highest = tensors
    broadcast_shapes("clip", *[t.shape for t in tensors])
    functions = maximum._spec.functions, minimum._spec.functions
    result = functions[1][x.dtype](functions[0][x.dtype](x, lowest), highest)
    outs = outputs(maximum._spec, out)
    if outs[0] is not None:
        check_cast("clip: out", result.dtype, outs[0]._tensor.dtype, casting)
    mask = None if where is True else mask_of("clip", where, result.device)
    delivered = deliver("clip", (result,), outs, mask, order)[0]
    if outs[0] is None:
        return delivered
    return out[0] if isinstance(out, tuple) else out  # type: ignore[no-any-return]


def _in_dtype(
    name: str, xs: tuple[Any, ...], names: tuple[str, ...], dtype: torch.dtype, casting: str
) -> list[Tensor]:
    """Operands in the dtype of ``dtype=``; Python numbers are weak, arrays are cast."""
    if dtype is torch.bool:
        raise TypeError(f"{name}: dtype bool is not supported")
    device = device_of(*xs)
    tensors = []
    for x, argument in zip(xs, names, strict=True):
        if type(x) in WEAK:
            tensors.append(full_scalar(name, argument, x, dtype, device))
        else:
            t = as_tensor(name, x, argument, device)
            check_cast(f"{name}: {argument}", t.dtype, dtype, casting)
            tensors.append(cast(t, dtype))
    check_devices(name, tensors)
    return tensors


def nan_to_num(
    x: ArrayLike,
    copy: bool = True,
    nan: ArrayLike = 0.0,
    posinf: ArrayLike | None = None,
    neginf: ArrayLike | None = None,
) -> ndarray:
    """Replace NaN and infinities with numbers.

    Parameters
    ----------
    x : array_like
        The elements; both parts of a complex number are replaced.
    copy : bool
        Leave ``x`` as it is; otherwise it is changed and returned.
    nan : array_like
        The replacement for NaN.
    posinf, neginf : array_like, optional
        The replacements for the infinities, by default the dtype's largest and smallest number.

    Returns
    -------
    ndarray or scalar
        In the shape and dtype of ``x``.

    Examples
    --------
    >>> import numpy_shim as np
    >>> np.nan_to_num(np.array([1.0, np.nan, np.inf]), posinf=9.0)
    array([1., 0., 9.])
    """
    if copy is False and not isinstance(x, (ndarray, Tensor, numpy.ndarray)):
        raise ValueError("nan_to_num: copy=False changes an array in place, and x is none")
    t = as_tensor("nan_to_num", x, "x")
    if t.dtype in FLOATS or t.dtype in COMPLEXES:
        result = _repaired(t, nan, posinf, neginf)
    else:
        result = t.clone() if copy else t
    if copy or not isinstance(x, (ndarray, Tensor, numpy.ndarray)):
        return wrap(result)
    if result is t:  # integers, to which nothing is written: they may be read-only
        return as_array("nan_to_num", x) if t.dim() else wrap(t)
    target = output_of("nan_to_num", x)
    assign(target, result)
    return target if t.dim() else wrap(result)


def _repaired(t: Tensor, nan: Any, posinf: Any, neginf: Any) -> Tensor:
    if t.dtype.is_complex:
        parts = [_repaired(part, nan, posinf, neginf) for part in (t.real, t.imag)]
        return torch.complex(*parts)
    limits = torch.finfo(t.dtype)
    infinities = (
        limits.max if posinf is None else posinf,
        limits.min if neginf is None else neginf,
    )
    if all(type(v) in (int, float) and abs(v) <= limits.max for v in (nan, *infinities)):
        return torch.nan_to_num(t, nan, *infinities)
    numbers = [
        _replacement(t, v, argument)
        for v, argument in zip((nan, *infinities), ("nan", "posinf", "neginf"), strict=True)
    ]
    result = torch.where(torch.isnan(t), numbers[0], t)
    result = torch.where(torch.isposinf(t), numbers[1], result)
    return torch.where(torch.isneginf(t), numbers[2], result)


def _replacement(t: Tensor, given: Any, argument: str) -> Tensor:
    """What replaces NaN or an infinity in ``t``, in its dtype; it must broadcast to ``t``."""
    value = cast(as_tensor("nan_to_num", given, argument, t.device), t.dtype)
    value = without_leading_ones(value, t.dim())
    if broadcast_shapes("nan_to_num", value.shape, t.shape) != tuple(t.shape):
        raise ValueError(
            f"nan_to_num: {argument} of shape {tuple(value.shape)} does not broadcast to "
            f"{tuple(t.shape)}"
        )
    return value
