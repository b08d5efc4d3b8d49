"""Apply a function to indexed elements in place: the parts of ``ufunc.at``."""

from __future__ import annotations

from typing import Any

import torch
from torch import Tensor

from xp_torch._kernels.host_reads import possible
from xp_torch._kernels.unsigned import as_signed as as_bits

from .._array.ndarray import AnyArray
from .._base import error_states as errstate
from .._base.dtypes import INTEGERS
from .._convert.arguments import array_of, as_tensor
from .._kernels import folds
from .._kernels.casting import cast
from .._kernels.host_kernels import by_method
from .spec import Loop


def positions_of(name: str, target: Tensor, indices: Any) -> Tensor:
    """The positions of indexed elements, counted through the whole array."""
    count = target.numel()
    if (
        target.dim() == 1
        and isinstance(indices, (AnyArray, list))
        and target.is_cpu
        and possible(target)
    ):
        index = as_tensor(name, indices, "indices", target.device)
        if index.dtype in INTEGERS and index.numel():
            index = index.to(torch.int64)
            low, high = int(index.min()), int(index.max())
            if low < -count or high >= count:
                raise IndexError(
                    f"index {low if low < -count else high} is out of bounds for axis 0 with size "
                    f"{count}"
                )
            return index if low >= 0 else torch.where(index < 0, index + count, index)
    positions = torch.arange(count, device=target.device).reshape(target.shape)
    return as_tensor(name, array_of(positions)[indices])


def apply_at(name: str, loop: Loop, flat: Tensor, positions: Tensor, values: Tensor | None) -> None:
    """Change ``flat`` in place: in one call where torch has it, else in rounds."""
    dtype = flat.dtype
    in_one_call = not errstate.active and all(d is dtype for d in loop.inputs)
    if values is not None and in_one_call:
        values = cast(values, dtype)
        if name in ("add", "subtract") and dtype is not torch.bool:
            bits = as_bits(values)
            as_bits(flat).index_add_(0, positions, bits if name == "add" else torch.neg(bits))
            return
        if name in _SCATTERS and dtype in _SCATTERED:
            flat.scatter_reduce_(0, positions, values, _SCATTERS[name])
            return

    if in_one_call and loop.outputs[0] is dtype and type(positions) is Tensor:
        given = (flat, positions) if values is None else (flat, positions, values)
        if by_method(name, "at", *given) is not NotImplemented:
            return

    def function(old: Tensor, *others: Tensor) -> Tensor:
        operands = [cast(t, d) for t, d in zip((old, *others), loop.inputs, strict=True)]
        return cast(loop.function(*operands), dtype)

    folds.at(function, flat, positions, values)


_SCATTERS = {"multiply": "prod", "maximum": "amax", "minimum": "amin"}
_SCATTERED = frozenset({torch.float32, torch.float64, torch.int32, torch.int64})
