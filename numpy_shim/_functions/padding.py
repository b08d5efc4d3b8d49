"""``pad``: arrays with new elements around them."""

from __future__ import annotations

import itertools
from collections.abc import Callable
from typing import Any

import torch
from torch import Tensor

from xp_torch._core.axes import integer
from xp_torch._kernels.blocks import is_large

from .._array import views
from .._array.layout import in_columns, is_fortran
from .._array.ndarray import array_of, ndarray
from .._base.axes import MAX_SIZE, check_room, normalize_axis
from .._base.dtypes import FLOATS, INTEGERS
from .._base.promotion import default_dtype, is_double
from .._base.typing import ArrayLike
from .._convert.arguments import as_tensor
from .._kernels import padding as kernels
from .._kernels.numbers import full_scalar
from . import order_statistics
from .reductions import amax, amin
from .statistics import mean

__all__ = ["pad"]


def _median(chunk: ndarray, axis: int, keepdims: bool) -> Any:
    return order_statistics.median(chunk, axis=axis, keepdims=keepdims)


_STATISTICS: dict[str, Callable[..., ndarray]] = {
    "maximum": amax, "mean": mean, "median": _median, "minimum": amin,
}  # fmt: skip

_OPTIONS: dict[str, tuple[str, ...]] = {
    "constant": ("constant_values",),
    "edge": (),
    "empty": (),
    "linear_ramp": ("end_values",),
    "reflect": ("reflect_type",),
    "symmetric": ("reflect_type",),
    "wrap": (),
    **dict.fromkeys(_STATISTICS, ("stat_length",)),
}


def pad(
    array: ArrayLike,
    pad_width: ArrayLike | dict[int, int | tuple[int, int]],
    mode: str | Callable[..., None] = "constant",
    **kwargs: object,
) -> ndarray:
    """An array with new elements before and after it, along each axis.

    Parameters
    ----------
    array : array_like
        The array.
    pad_width : int, sequence of int, or dict
        The number of new elements: one number, ``(before, after)``, a pair for each axis, or a
        dict from axis to number or pair.
    mode : str or callable
        The values of the new elements: 'constant', 'edge', 'empty', 'linear_ramp', 'maximum',
        'mean', 'median', 'minimum', 'reflect', 'symmetric', 'wrap', or a function. It is called
        with each vector (to be changed in place), its widths, its axis and ``kwargs``.
    **kwargs
        The options of a mode, the first three as one value, a pair, or a pair for each axis:
        ``constant_values`` and ``end_values`` (of linear ramps), 0 by default; ``stat_length``,
        the number of values next to the edge in a statistic, by default all; ``reflect_type``,
        'even' or 'odd', which also mirrors the reflected values at the value of the edge.

    Returns
    -------
    ndarray
        The padded array, of the same dtype.

    Examples
    --------
    >>> import numpy_shim as np
    >>> np.pad([1, 2, 3], (1, 2), mode="reflect")
    array([2, 1, 2, 3, 2, 1])
    """
    x = as_tensor("pad", array, "array")
    widths = _widths(pad_width, x.dim())
    if callable(mode):
        return _by_function(x, widths, mode, kwargs)
    options = _OPTIONS.get(mode) if isinstance(mode, str) else None  # type: ignore[redundant-expr]
    if options is None:
        raise ValueError(f"pad: mode '{mode}' is not supported")
    unknown = set(kwargs) - set(options)
    if unknown:
        raise ValueError(f"pad: unsupported keyword arguments for mode {mode!r}: {unknown}")
    padded = _padded(x, widths, mode, kwargs)
    if not any(map(any, widths)):
        padded = x.clone()
    return array_of(in_columns(padded) if is_fortran(x) else padded)


def _padded(x: Tensor, widths: list[kernels.Widths], mode: str, options: dict[str, Any]) -> Tensor:
    if mode == "constant":
        return _constant(x, widths, options.get("constant_values", 0))
    if mode == "empty":
        return _constant(x, widths, 0)
    if not x.numel():
        for axis, width in enumerate(widths):
            if not x.shape[axis] and any(width):
                raise ValueError(
                    f"pad: can't extend empty axis {axis} using modes other than 'constant' or "
                    "'empty'"
                )
        return _constant(x, widths, 0)
    return _extend(x, widths, mode, options)


def _extend(x: Tensor, widths: list[kernels.Widths], mode: str, options: dict[str, Any]) -> Tensor:
    """Pad in the modes that read the values, one axis after the other."""
    ndim = x.dim()
    check_room(x, [n + sum(width) for n, width in zip(x.shape, widths, strict=True)])
    per_axis: list[tuple[Any, ...]] = [()] * ndim
    step: Callable[..., Tensor]
    if mode == "edge":
        step = kernels.edge
    elif mode == "wrap":
        step = kernels.wrap
    elif mode == "linear_ramp":
        step = kernels.linear_ramp
        per_axis = [(p,) for p in _values("end_values", options.get("end_values", 0), x, ndim)]
    elif mode in _STATISTICS:
        step = kernels.statistic
        function = _STATISTICS[mode]
        lengths = _lengths(options.get("stat_length"), ndim)
        if mode in ("maximum", "minimum") and any(0 in pair for pair in lengths):
            raise ValueError("pad: stat_length of 0 yields no value for padding")

        def reduce(chunk: Tensor, axis: int) -> Tensor:
            return function(array_of(chunk), axis=axis, keepdims=True)._tensor

        per_axis = [(pair, reduce) for pair in lengths]
    else:
        step = kernels.reflect
        kind = options.get("reflect_type", "even")
        per_axis = [(kind == "odd", mode == "symmetric")] * ndim
    for axis, width in enumerate(widths):
        if any(width):
            x = step(x, axis, width, *per_axis[axis])
    return x


def _constant(x: Tensor, widths: list[kernels.Widths], value: Any) -> Tensor:
    if _is_plain(value, x.dtype):
        if is_large(x) and not x.requires_grad:
            return _framed(x, widths, value)
        sides = [n for width in reversed(widths) for n in width]
        return torch.nn.functional.pad(x, sides, value=value)
    for axis, (width, pair) in enumerate(
        zip(widths, _values("constant_values", value, x, x.dim()), strict=True)
    ):
        x = kernels.constant(x, axis, width, pair)
    return x


def _framed(x: Tensor, widths: list[kernels.Widths], value: float) -> Tensor:
    """A number around a large tensor; torch writes it into the whole result first."""
    sizes = [n + sum(width) for n, width in zip(x.shape, widths, strict=True)]
    result = inner = torch.empty(sizes, dtype=x.dtype, device=x.device)
    for axis, (before, after) in enumerate(widths):
        inner.narrow(axis, 0, before).fill_(value)
        inner.narrow(axis, before + x.shape[axis], after).fill_(value)
        inner = inner.narrow(axis, before, x.shape[axis])
    inner.copy_(x)
    return result


_PADDED = frozenset({torch.float32, torch.float64, torch.bool}) | (
    INTEGERS - {torch.uint16, torch.uint32, torch.uint64}
)
"""The dtypes for which torch pads with a number."""


def _is_plain(value: object, dtype: torch.dtype) -> bool:
    """Whether torch pads a dtype with a Python number as NumPy does."""
    if type(value) is int and not value:
        return dtype in _PADDED
    if dtype not in FLOATS or dtype not in _PADDED:
        return False
    return is_double(value)


def _widths(pad_width: Any, ndim: int) -> list[kernels.Widths]:
    """The number of new elements before and after, for each axis."""
    if isinstance(pad_width, dict):
        pairs = [(0, 0)] * ndim
        for axis, width in pad_width.items():
            both = width if isinstance(width, tuple) else (width, width)
            if len(both) != 2:
                raise ValueError(f"pad: pad_width of axis {axis} must be an int or a pair")
            pairs[normalize_axis("pad", axis, ndim, "pad_width")] = (
                integer("pad", "pad_width", both[0]),
                integer("pad", "pad_width", both[1]),
            )
        pad_width = pairs or 0
    plain = _plain_pairs(pad_width, ndim)
    if plain is not None:
        counts = [n for pair in plain for n in pair]
        if any(not -MAX_SIZE - 1 <= n <= MAX_SIZE for n in counts):
            raise TypeError("pad: pad_width must be of an integer dtype of at most 64 bits")
        _refuse_negative(counts)
        return plain
    sides = as_tensor("pad", pad_width, "pad_width")
    if sides.dtype not in _SIGNED:
        raise TypeError("`pad_width` must be of integral type.")
    return _pairs("pad_width", sides, ndim, True)


def _plain_pairs(value: object, ndim: int) -> list[tuple[int, int]] | None:
    """The pair of each axis if given as Python ints: without tensors a trace is static."""
    if type(value) is int:
        return [(value, value)] * ndim
    if not isinstance(value, (list, tuple)):
        return None
    if len(value) in (1, 2) and all(type(n) is int for n in value):
        return [(value[0], value[-1])] * ndim
    pairs = [tuple(p) for p in value if isinstance(p, (list, tuple))]
    if len(pairs) != len(value) or not all(
        len(p) in (1, 2) and all(type(n) is int for n in p) for p in pairs
    ):
        return None
    if len(pairs) == 1:
        pairs = pairs * ndim
    return [(p[0], p[-1]) for p in pairs] if len(pairs) == ndim else None


_SIGNED = frozenset({torch.int8, torch.int16, torch.int32, torch.int64})


def _refuse_negative(values: list[Any]) -> None:
    if any(v < 0 for v in values):
        raise ValueError("pad: index can't contain negative values")


def _lengths(stat_length: Any, ndim: int) -> list[tuple[int | None, int | None]]:
    if stat_length is None:
        return [(None, None)] * ndim
    plain = _plain_pairs(stat_length, ndim)
    if plain is not None:
        _refuse_negative([n for pair in plain for n in pair])
        return list(plain)
    lengths = as_tensor("pad", stat_length, "stat_length")
    if lengths.dtype in FLOATS:
        lengths = torch.round(lengths)
    return _pairs("stat_length", lengths, ndim, True)


def _values(argument: str, value: Any, x: Tensor, ndim: int) -> list[tuple[Tensor, Tensor]]:
    """A pair of 0-D tensors for each axis."""
    if type(value) is int:
        number = full_scalar("pad", argument, value, default_dtype("pad", value), x.device)
        return [(number, number)] * ndim
    return _pairs(argument, as_tensor("pad", value, argument, x.device), ndim, False)


def _pairs(argument: str, values: Tensor, ndim: int, counts: bool) -> list[Any]:
    """Broadcast one number, a pair or a pair for each axis; counts become Python ints."""
    if counts:
        _refuse_negative(values.reshape(-1).tolist())
    if values.dim() < 3 and (
        values.numel() == 1 or (values.numel() == 2 and tuple(values.shape) != (2, 1))
    ):
        flat = values.reshape(-1).expand(2)
        if counts:
            before, after = flat.to(torch.int64).tolist()
            return [(before, after)] * ndim
        return [(flat[0], flat[1])] * ndim
    try:
        wide = values.expand(ndim, 2)
    except RuntimeError:
        raise ValueError(
            f"pad: operands could not be broadcast together: {argument} of shape "
            f"{tuple(values.shape)} and {(ndim, 2)}"
            if values.dim() < 3
            else "pad: input operand has more dimensions than allowed by the axis remapping: "
            f"{argument} of shape {tuple(values.shape)} for {(ndim, 2)}"
        ) from None
    if counts:
        return [(before, after) for before, after in wide.to(torch.int64).tolist()]
    return [(row[0], row[1]) for row in wide]


def _by_function(
    x: Tensor, widths: list[kernels.Widths], function: Callable[..., Any], options: dict[str, Any]
) -> ndarray:
    """The padding that a function writes into each vector, along one axis after the other."""
    padded = array_of(_constant(x, widths, 0))
    sizes = tuple(padded._tensor.shape)
    for axis, width in enumerate(widths):
        others = [range(n) for i, n in enumerate(sizes) if i != axis]
        for index in itertools.product(*others):
            key: list[Any] = [*index[:axis], slice(None), *index[axis:]]
            function(views.select(padded, key), width, axis, options)
    return padded
