"""Folds of a function of two tensors along an axis, in NumPy's order where that matters."""

from __future__ import annotations

import operator
import struct
from collections.abc import Callable
from math import copysign, inf, prod
from typing import Any

import torch
from torch import Tensor
from torch.compiler import is_dynamo_compiling

from xp_torch._kernels import reductions, searching
from xp_torch._kernels.host_reads import possible
from xp_torch._kernels.unsigned import as_signed, from_ordered, from_signed, to_ordered
from xp_torch._torch.internals import in_forward_mode

Function = Callable[[Tensor, Tensor], Tensor]


def gathered(x: Tensor, axes: tuple[int, ...]) -> Tensor:
    """``x`` with ``axes`` as one first axis, in their order."""
    ordered = sorted(axes)
    rest = [i for i in range(x.dim()) if i not in axes]
    count = prod([x.shape[i] for i in ordered])
    return x.permute([*ordered, *rest]).reshape([count, *[x.shape[i] for i in rest]])


def pairwise(function: Function, x: Tensor) -> Tensor:
    """The fold of an associative function along the first axis, in logarithmically many calls."""
    if x.shape[0] == 1:
        return x[0].clone()
    while x.shape[0] > 1:
        half = x.shape[0] // 2
        folded = function(x[: 2 * half : 2], x[1 : 2 * half : 2])
        x = torch.cat([folded, x[2 * half :]]) if x.shape[0] % 2 else folded
    return x[0]


def sequential(
    function: Function,
    x: Tensor,
    dtype: torch.dtype,
    mask: Tensor | None = None,
    start: Tensor | None = None,
) -> Tensor:
    """The fold along the first axis from its first element, in ``dtype``, one call per element.

    Elements where ``mask`` is false are skipped. With ``start`` the fold starts from that 0-D
    tensor; without, the first element is not skipped.
    """
    rows = x.unbind(0)
    first = 1 if start is None else 0
    result = rows[0].to(dtype, copy=True) if start is None else start.to(dtype).expand(x.shape[1:])
    for i, row in enumerate(rows[first:], first):
        folded = function(result, row).to(dtype)
        result = folded if mask is None else searching.where(mask[i], folded, result)
    return result


def running(function: Function, x: Tensor) -> Tensor:
    """Every fold of an associative function from the start of the first axis."""
    step, count = 1, x.shape[0]
    if count <= 1:
        return x.clone()
    while step < count:
        x = torch.cat([x[:step], function(x[:-step], x[step:])])
        step *= 2
    return x


def running_sequential(function: Function, x: Tensor, dtype: torch.dtype) -> Tensor:
    """Every fold from the start of the first axis, in order."""
    if not x.shape[0]:
        return x.to(dtype, copy=True)
    rows = x.unbind(0)
    results = [rows[0].to(dtype)]
    for row in rows[1:]:
        results.append(function(results[-1], row).to(dtype))
    return torch.stack(results)


def running_halves(function: Function, x: Tensor, axis: int) -> Tensor:
    """The running sums or products of 16-bit floats, each rounded, as NumPy has them.

    ``function`` is ``torch.add`` or ``torch.mul``. Where values cannot be read (on an
    accelerator, in a trace) they are kept in float32 and rounded once: a step per element would
    be a kernel, or a node of the graph, per element. The gradient is that of the unrounded ones.
    """
    rounded = None
    if possible(x):
        try:
            with torch.no_grad():
                rounded = _step_by_step(function, x.detach(), axis)
        except RuntimeError:  # for example under vmap
            pass
    follows = x.requires_grad or in_forward_mode()
    if rounded is not None and not follows:
        return rounded
    wide = torch.cumsum if function is torch.add else torch.cumprod
    unrounded = wide(x, axis, dtype=torch.float32).to(x.dtype)
    if rounded is None:
        return unrounded
    return rounded + (unrounded - unrounded.detach()).nan_to_num(0.0)


def _step_by_step(function: Function, x: Tensor, axis: int) -> Tensor:
    """``running_halves`` of a tensor whose values can be read."""
    rows = x.movedim(axis, 0)
    result = torch.empty_like(rows, memory_format=torch.contiguous_format)
    if not x.numel():
        return result.movedim(0, axis)
    columns = rows.numel() // rows.shape[0]
    if x.dtype is torch.float16 and columns <= _FEW_COLUMNS:
        step = operator.add if function is torch.add else operator.mul
        made = [_rounded(step, column) for column in rows.reshape(-1, columns).T.tolist()]
        result.copy_(torch.tensor(made, dtype=x.dtype, device=x.device).T.reshape(rows.shape))
    else:
        steps, written = rows.unbind(0), result.unbind(0)
        written[0].copy_(steps[0])
        for i in range(1, len(steps)):
            function(written[i - 1], steps[i], out=written[i])  # type: ignore[call-arg]
    return result.movedim(0, axis)


_pack, _unpack = struct.Struct("e").pack, struct.Struct("e").unpack


def _rounded(step: Callable[[float, float], float], column: list[float]) -> list[float]:
    """Every fold of Python floats from the start, each in float16: exact before it is rounded."""
    last = column[0]
    made = [last]
    for value in column[1:]:
        last = step(last, value)
        try:
            (last,) = _unpack(_pack(last))
        except OverflowError:
            last = copysign(inf, last)
        made.append(last)
    return made


_FEW_COLUMNS = 8
"""Up to this many, Python's floats are quicker than a torch call per row."""


def running_extremum(
    function: Callable[[Tensor, int], tuple[Tensor, Tensor]], x: Tensor, axis: int
) -> Tensor:
    """The running maximum or minimum, by ``torch.cummax`` or ``torch.cummin``."""
    return from_ordered(function(to_ordered(x), axis)[0], x.dtype)


def parity(x: Tensor, axes: tuple[int, ...], keepdims: bool) -> Tensor:
    """Whether an odd number of elements is true."""
    return torch.ne(reductions.count_nonzero(x, axes, keepdims) & 1, 0)


def log_sum_exp(x: Tensor, axes: tuple[int, ...], keepdims: bool) -> Tensor:
    """The logarithm of the sum of exponentials."""
    return torch.logsumexp(x, axes, keepdims) if axes else x.clone()


def repeats(positions: Tensor) -> Tensor:
    """For each element, how many earlier elements have the same value."""
    order = torch.argsort(positions, stable=True)
    values = positions[order]
    index = torch.arange(values.numel(), device=values.device)
    starts = torch.ones_like(values, dtype=torch.bool)
    starts[1:] = values[1:] != values[:-1]
    first = torch.cummax(torch.where(starts, index, 0), 0).values
    return torch.empty_like(index).scatter_(0, order, index - first)


_FEW_POSITIONS = 16
"""Up to this many, a trace has a round for each position, for it does not know the repeats."""


def at(
    function: Callable[..., Tensor], target: Tensor, positions: Tensor, values: Tensor | None
) -> None:
    """``target[p] = function(target[p], v)`` for each pair in turn, in place.

    ``target``, ``positions`` and ``values`` are 1-D. Repeated positions wait for the next round,
    so there are as many calls as the most frequent position has repeats.
    """
    bits = as_signed(target)  # torch cannot index wide unsigned integers
    if values is not None:
        dtype, values = values.dtype, as_signed(values)
    if is_dynamo_compiling() and positions.shape[0] <= _FEW_POSITIONS:
        rounds: list[Any] = [slice(i, i + 1) for i in range(positions.shape[0])]
    else:
        turn = repeats(positions)
        rounds = [turn == i for i in range(int(turn.max()) + 1 if turn.numel() else 0)]
    for chosen in rounds:
        where = positions[chosen]
        old = from_signed(bits[where], target.dtype)
        new = function(old) if values is None else function(old, from_signed(values[chosen], dtype))
        bits[where] = as_signed(new)
