"""Convolution and correlation of sequences."""

from __future__ import annotations

import operator
from collections.abc import Callable
from typing import Any

import torch
from torch import Tensor
from torch.compiler import is_compiling

from xp_torch._kernels.unsigned import as_signed, from_signed
from xp_torch._torch.internals import is_transformed

from .._array.ndarray import ndarray
from .._convert.arguments import ArrayLike, array_of, operands, promoted
from .._kernels.reductions import HALVES

__all__ = ["convolve", "correlate"]

_MODES = ("valid", "same", "full")
_MODE_TEXT = """mode : {'valid', 'same', 'full'}
        The part of the result: complete overlaps, as many elements as the longer sequence, or
        all overlaps."""


def convolve(a: ArrayLike, v: ArrayLike, mode: str = "full") -> ndarray:
    wanted = _mode("convolve", mode)
    x, y = _sequences("convolve", a, v, 1)
    if y.numel() > x.numel():
        x, y = y, x
    return array_of(_correlated(x, _turned(y), wanted))


convolve.__doc__ = f"""The convolution of two sequences: the product of polynomials.

    Parameters
    ----------
    a, v : array_like
        1-D, and not empty.
    {_MODE_TEXT}

    Returns
    -------
    ndarray
        In the common dtype: integers wrap around.

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
        return array_of(_turned(_correlated(y, x, wanted)))
    return array_of(_correlated(x, y, wanted))


correlate.__doc__ = f"""The cross-correlation of two sequences: ``sum(a[n + k] * conj(v[n]))``.

    Parameters
    ----------
    a, v : array_like
        1-D, and not empty.
    {_MODE_TEXT}

    Returns
    -------
    ndarray
        In the common dtype: integers wrap around.

    Examples
    --------
    >>> import numpy_shim as np
    >>> np.correlate(np.array([1, 2, 3]), [0, 1, 0.5], "same")
    array([2. , 3.5, 3. ])
    """


def _mode(name: str, mode: Any) -> int:
    """The number of a mode; older NumPy took numbers."""
    if isinstance(mode, str):
        if mode not in _MODES:
            raise ValueError(
                f"{name}: mode must be one of 'valid', 'same', or 'full' (got {mode!r})"
            )
        return _MODES.index(mode)
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


# --- tensors: sums of products along a line, for every dtype ---
# Memory stays linear: windows are views, and the number of products held at once is bounded.

_BLOCK = 1 << 22
"""How many products are held at a time."""

_FEW = 8
"""Up to so many factors are added one by one, of long sequences twice as many."""

_LONG = 4096

_SUMS, _FACTORS = 64, 1024
"""How many sums of a block, and factors, are in one product of matrices."""

_CACHED = 1 << 14
"""How many sums the CPU works on at a time."""


def _correlated(a: Tensor, v: Tensor, mode: int) -> Tensor:
    """``sum(a[k + j] * v[j])`` for every k of a mode; ``a`` is at least as long as ``v``.

    Nothing is multiplied beyond the ends of ``a``: an infinity in ``v`` does not meet a zero there.
    """
    dtype = a.dtype
    if dtype in HALVES:
        return _correlated(a.float(), v.float(), mode).to(dtype)
    if dtype is torch.bool:
        return _correlated(a.to(torch.int64), v.to(torch.int64), mode) != 0
    a, v = as_signed(a), as_signed(v)
    m = v.numel()
    before = (0, m // 2, m - 1)[mode]
    after = (0, m - before - 1, m - 1)[mode]
    # vmap refuses to add mapped values to other ones.
    if is_compiling() or is_transformed() or a.requires_grad or v.requires_grad:
        return from_signed(_by_windows(a, v, before, after), dtype)
    few = _FEW if a.numel() <= _LONG else 2 * _FEW
    if m > few and a.is_cpu and (dtype.is_floating_point or dtype.is_complex):
        if bool(torch.isfinite(a.sum() + v.sum())):  # no element is infinite or NaN
            return _by_blocks(a, v, before, after)
    elif m > few and not a.is_cpu and a.numel() * m <= _BLOCK:
        return from_signed(_by_windows(a, v, before, after), dtype)
    return from_signed(_by_multiples(a, v, before, after), dtype)


def _by_blocks(a: Tensor, v: Tensor, before: int, after: int) -> Tensor:
    """Products of matrices, in which zeros stand beside ``a`` and ``v``.

    A row has what the sums of a block of the result need. Each column of the other matrix has
    ``v`` at one place; from column to column it moves by one.
    """
    size = a.numel() + before + after - v.numel() + 1
    block = _SUMS if v.numel() < _FACTORS else 2 * _SUMS
    rows = -(-size // block)
    a = a.contiguous()
    result = a.new_zeros((rows, block))
    for low in range(0, v.numel(), _FACTORS):
        part = v[low : low + _FACTORS]
        width = part.numel() + block - 1
        moved = a.new_zeros(width + block - 1)
        moved[block - 1 : block - 1 + part.numel()] = part
        columns = moved.as_strided((width, block), (1, 1)).flip(1)
        step = max(1, _BLOCK // 4 // width)
        for top in range(0, rows, step):
            count = min(step, rows - top)
            needed = _between(a, top * block + low - before, (count - 1) * block + width)
            result[top : top + count].addmm_(needed.as_strided((count, width), (block, 1)), columns)
    return result.view(-1)[:size]


def _between(a: Tensor, start: int, size: int) -> Tensor:
    """Elements of ``a`` from ``start`` on; before its first and after its last are zeros."""
    first, last = max(start, 0), min(start + size, a.numel())
    if last - first == size:
        return a[first:last]
    made = a.new_zeros(size)
    if first < last:
        made[first - start : last - start] = a[first:last]
    return made


def _by_multiples(a: Tensor, v: Tensor, before: int, after: int) -> Tensor:
    """Add shifted multiples of ``a`` one after another: the fewest operations."""
    n = a.numel()
    size = n + before + after - v.numel() + 1
    result = torch.zeros(size, dtype=a.dtype, device=a.device)
    factors = v.unbind()
    # Sums that fit the cache, and that torch would not split among threads, are added at once.
    step = _CACHED if a.is_cpu else size
    for low in range(0, size, step):
        high = min(low + step, size)
        for i, factor in enumerate(factors):
            start, stop = max(low, before - i), min(high, n + before - i)
            if start < stop:
                result[start:stop].addcmul_(a[start + i - before : stop + i - before], factor)
    return result


def _by_windows(a: Tensor, v: Tensor, before: int, after: int) -> Tensor:
    """Windows on ``a`` times ``v``: few operators to record, for a trace or a gradient."""
    m = v.numel()
    parts = [_blocks(a.unfold(0, m, 1), lambda windows, _: _sums(windows, v))]
    column = torch.arange(m, device=a.device)
    if before:
        head = torch.cat([a.new_zeros(before), a[: m - 1]]).unfold(0, m, 1)
        parts.insert(0, _blocks(head, _masked(v, lambda row: row + column >= before)))
    if after:
        tail = torch.cat([a[a.numel() - m + 1 :], a.new_zeros(after)]).unfold(0, m, 1)
        parts.append(_blocks(tail, _masked(v, lambda row: row + column < m - 1)))
    return torch.cat(parts)


def _turned(x: Tensor) -> Tensor:
    """The elements in the opposite order."""
    return from_signed(torch.flip(as_signed(x), (0,)), x.dtype)


def _blocks(windows: Tensor, sums: Callable[[Tensor, Tensor], Tensor]) -> Tensor:
    """The sums of all windows, some of them at a time, with the windows' numbers."""
    rows = torch.arange(windows.shape[0], device=windows.device).unsqueeze(-1)
    size = max(_BLOCK // windows.shape[1], 1)
    if windows.shape[0] <= size:
        return sums(windows, rows)
    return torch.cat(
        [
            sums(w, r)
            for w, r in zip(torch.split(windows, size), torch.split(rows, size), strict=True)
        ]
    )


def _masked(v: Tensor, inside: Callable[[Tensor], Tensor]) -> Callable[[Tensor, Tensor], Tensor]:
    def sums(windows: Tensor, rows: Tensor) -> Tensor:
        products = windows * v
        kept = torch.where(inside(rows), products, torch.zeros_like(products))
        return torch.sum(kept, -1, dtype=v.dtype)

    return sums


def _sums(windows: Tensor, v: Tensor) -> Tensor:
    if v.dtype.is_floating_point or v.dtype.is_complex:
        return torch.mv(windows, v)
    return torch.sum(windows * v, -1, dtype=v.dtype)
