"""Creation kernels: filled, spaced and triangular tensors of every dtype."""

from __future__ import annotations

import math
from typing import Any

import torch
from torch import Tensor

from .._core.devices import device_of_doubles
from .._core.dtypes import BOUNDS, EXACT, INTEGER, NATIVE_INTEGER, SIGNED_TWIN, WIDE_UNSIGNED

_INT64_MAX = BOUNDS[torch.int64][1]
_FLOAT32_MAX = torch.finfo(torch.float32).max
# Halfway between the largest float32 and the next power of two: from here on rounds to infinity.
_FLOAT32_OVERFLOW = 2.0**128 - 2.0**103

FILLS: dict[torch.dtype, dict[type, tuple[float, float]]] = {
    torch.bool: {bool: (False, True)},
    torch.float64: {float: (-math.inf, math.inf), int: (-EXACT, EXACT)},
    torch.float32: {float: (-_FLOAT32_MAX, _FLOAT32_MAX), int: (-EXACT, EXACT)},
    **{dtype: {int: (low, min(high, _INT64_MAX))} for dtype, (low, high) in BOUNDS.items()},
}
"""The range of Python scalars that ``torch.full`` accepts for a dtype, without NaN."""


def to_float32_range(value: float) -> float:
    """Round ``value`` to the float32 range: beyond it, to the limit or to infinity.

    torch refuses to fill a float32 tensor with a double out of its range. A cast would round it.
    """
    if -_FLOAT32_MAX <= value <= _FLOAT32_MAX or value != value:
        return value
    return math.copysign(_FLOAT32_MAX if abs(value) < _FLOAT32_OVERFLOW else math.inf, value)


def full(shape: tuple[int, ...], value: Any, dtype: torch.dtype, device: Any) -> Tensor:
    """A tensor filled with a Python scalar that is already of the dtype's kind and range."""
    if dtype is torch.uint64 and value > _INT64_MAX:
        # torch.full parses its fill value as a signed 64-bit integer.
        return torch.full(shape, value - 2**64, dtype=torch.int64, device=device).view(dtype)
    if dtype is torch.float32:
        value = to_float32_range(value)
    elif dtype is torch.complex64:
        value = complex(to_float32_range(value.real), to_float32_range(value.imag))
    if dtype.is_complex and not (math.isfinite(value.real) and math.isfinite(value.imag)):
        return _by_parts(shape, value, dtype, device)
    return torch.full(shape, value, dtype=dtype, device=device)


def _by_parts(shape: tuple[int, ...], value: complex, dtype: torch.dtype, device: Any) -> Tensor:
    """``full`` of a number with an infinite or undefined part.

    torch.fx writes a constant as its ``repr``, and ``(nan+nanj)`` is a name to Python.
    """
    real = torch.float32 if dtype is torch.complex64 else torch.float64
    return torch.complex(*[torch.full(shape, part, dtype=real, device=device)
                           for part in (value.real, value.imag)])  # fmt: skip


def complex_nan(like: Tensor) -> Tensor:
    """NaN in both parts, as a 0-D tensor of the dtype and on the device of ``like``."""
    return _by_parts((), complex(math.nan, math.nan), like.dtype, like.device)


def arange_int(start: int, step: int, count: int, dtype: torch.dtype, device: Any) -> Tensor:
    """``start + i * step`` for ``count`` integers, which wrap around beyond the dtype's range."""
    low, high = BOUNDS[dtype]
    stop = start + count * step
    if (
        dtype in NATIVE_INTEGER
        and step != 0
        and -EXACT <= start <= EXACT
        and -EXACT <= stop <= EXACT
        and low <= start <= high
        and low <= stop - step <= high
    ):
        return torch.arange(start, stop, step, dtype=dtype, device=device)
    # torch overflows near the limits of int64, refuses a step of 0 and has no arange for the
    # wide unsigned dtypes: multiply and add, which wrap around correctly.
    spaced = torch.arange(count, dtype=torch.int64, device=device)
    return (spaced * _wrapped(step) + _wrapped(start)).to(SIGNED_TWIN.get(dtype, dtype)).view(dtype)


def _wrapped(value: int) -> int:
    """The 64-bit signed integer with the same low bits."""
    return (value + 2**63) % 2**64 - 2**63


def arange_float(
    start: float, stop: float, step: float, count: int, dtype: torch.dtype, device: Any
) -> Tensor:
    """``start + i * step`` for ``count`` values, the length of ``[start, stop)``."""
    if (
        dtype.is_floating_point
        and max(abs(start), abs(stop), abs(step)) <= EXACT
        and math.ceil((stop - start) / step) == count > 0
    ):
        # Here torch computes the same length, from the same doubles.
        return torch.arange(start, stop, step, dtype=dtype, device=device)
    wide_device = device_of_doubles(device)
    spaced = torch.arange(count, dtype=torch.float64, device=wide_device)
    if count > 1:
        spaced = spaced * step
    spaced = spaced + start
    return _narrowed(spaced, dtype, device, wide_device)


def _narrowed(spaced: Tensor, dtype: torch.dtype, device: Any, wide_device: Any) -> Tensor:
    """Values that were computed in double precision, in their dtype and on their device."""
    if spaced.dtype is not dtype:
        spaced = spaced.to(dtype)
    if wide_device is device:
        return spaced
    return spaced.to(torch.get_default_device() if device is None else device)


def linspace(
    start: complex, stop: complex, num: int, dtype: torch.dtype, device: Any, endpoint: bool
) -> Tensor:
    """``num`` evenly spaced values, computed in double precision; both ends have one type.

    Integer dtypes get the floor of each value.
    """
    wide = torch.complex128 if type(start) is complex else torch.float64
    wide_device = device_of_doubles(device)
    count = num if endpoint else num + 1
    spread = stop - start
    if spread - spread == 0 and dtype not in INTEGER.dtypes:
        spaced = torch.linspace(start, stop, count, dtype=wide, device=wide_device)
    else:
        # For an infinite or undefined step torch gives NaN for the ends, too. torch also rounds
        # differently from NumPy, and the floor turns that into a whole unit, as from -1 to 2 in
        # thirds.
        step = spread / max(count - 1, 1)
        steps = torch.arange(count, dtype=torch.float64, device=wide_device)
        spaced = (steps * step + start).to(wide)
        if count > 1:
            last = torch.full((1,), stop, dtype=wide, device=wide_device)
            spaced = torch.cat([spaced[:-1], last])
    if not endpoint:
        spaced = spaced[:-1]
    if dtype in INTEGER.dtypes:
        spaced = torch.floor(spaced)
    return _narrowed(spaced, dtype, device, wide_device)


def eye(rows: int, columns: int, k: int, dtype: torch.dtype, device: Any) -> Tensor:
    """Ones on the ``k``-th diagonal."""
    if k == 0 and dtype not in WIDE_UNSIGNED:
        return torch.eye(rows, columns, dtype=dtype, device=device)
    # torch.eye has no diagonal but the main one, and no kernel for the wide unsigned dtypes.
    k = max(-rows, min(k, columns))
    down = torch.arange(k, rows + k, device=device)[:, None]
    across = torch.arange(columns, device=device)
    return torch.eq(down, across).to(dtype)


def tril(x: Tensor, k: int) -> Tensor:
    """The lower triangles: zero above the ``k``-th diagonal, which may be any integer."""
    k = max(-x.shape[-2], min(k, x.shape[-1]))
    if x.dtype in WIDE_UNSIGNED:
        # torch has no tril for them: https://github.com/pytorch/pytorch/issues/58734
        return torch.tril(x.view(SIGNED_TWIN[x.dtype]), k).view(x.dtype)
    return torch.tril(x, k)


def triu(x: Tensor, k: int) -> Tensor:
    """The upper triangles: zero below the ``k``-th diagonal, which may be any integer."""
    k = max(-x.shape[-2], min(k, x.shape[-1]))
    if x.dtype in WIDE_UNSIGNED:
        # torch has no triu for them: https://github.com/pytorch/pytorch/issues/58734
        return torch.triu(x.view(SIGNED_TWIN[x.dtype]), k).view(x.dtype)
    return torch.triu(x, k)


def meshgrid(vectors: list[Tensor], indexing: str) -> list[Tensor]:
    """Coordinate arrays with memory of their own, so that each can be written to.

    torch returns views in which one element stands for a whole row.
    """
    if len({v.dtype for v in vectors}) > 1:  # torch's function wants one dtype in a trace
        shape = torch.Size([v.numel() for v in vectors])
        grids = [
            v.reshape([-1 if i == k else 1 for i in range(len(vectors))]).expand(shape)
            for k, v in enumerate(vectors)
        ]
        if indexing == "xy" and len(grids) > 1:
            grids = [g.transpose(0, 1) for g in grids]
    else:
        grids = list(torch.meshgrid(*vectors, indexing=indexing))
    return [g.clone(memory_format=torch.contiguous_format) for g in grids]
