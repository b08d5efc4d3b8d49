"""The description of a kernel for the layers above."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import torch
from torch import Tensor

_AS_METHODS: dict[Callable[..., Tensor], Callable[..., Tensor]] = {
    getattr(torch, name): getattr(Tensor, name)
    for name in (
        "ceil", "cos", "exp", "floor", "isnan", "log", "logical_not", "neg", "reciprocal", "sign",
        "signbit", "sin", "sqrt", "tanh", "trunc",
    )
}  # fmt: skip


def quickest(function: Callable[..., Tensor]) -> Callable[..., Tensor]:
    """The method of tensors that is the same function and has fewer arguments to read."""
    return _AS_METHODS.get(function, function)


class Numbers(NamedTuple):
    """An operation with a Python number as one operand.

    ``right(x, number)`` has the number as the second operand and ``left(x, number)`` as the
    first (``None``: it must be a tensor). Both are correct for the listed dtypes and every number
    that such a dtype can hold. They save a trace the creation of a 0-D tensor.
    """

    dtypes: frozenset[torch.dtype]
    right: Callable[..., Tensor]
    left: Callable[..., Tensor] | None = None


class Kernel(NamedTuple):
    """One element-wise operation, with a fast and a general function.

    ``torch`` is torch's own function. It is correct when all operands have the same dtype and that
    dtype is in ``native``; the call and the trace then consist of it alone. ``general`` is correct
    for every dtype of the operation's category, with operands of one dtype. ``numbers`` is the
    operation with a Python number; without it, numbers become tensors. ``natural`` says that an
    integer and a negative integer have no result.
    """

    name: str
    torch: Callable[..., Tensor]
    native: frozenset[torch.dtype]
    general: Callable[..., Tensor]
    numbers: Numbers | None = None
    natural: bool = False
