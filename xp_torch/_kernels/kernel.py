"""What a kernel is, to the layers above it."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import torch
from torch import Tensor


class Numbers(NamedTuple):
    """An operation with a Python number as one operand.

    ``right(x, number)`` has the number as the second operand and ``left(x, number)`` as the
    first (``None``: it has to be a tensor). Both are right for the dtypes listed and every
    number that such a dtype holds, and spare a trace the making of a 0-D tensor.
    """

    dtypes: frozenset[torch.dtype]
    right: Callable[..., Tensor]
    left: Callable[..., Tensor] | None = None


class Kernel(NamedTuple):
    """One element-wise operation, in two strengths.

    ``torch`` is torch's own function: right by itself when every operand has the same dtype
    and that dtype is in ``native``; it then is the whole call, and the whole trace.
    ``general`` is right for every dtype of the operation's category, operands of one dtype.
    ``numbers`` is the operation with a Python number; without it, numbers become tensors.
    ``natural`` says that integers by a negative integer have no result.
    """

    name: str
    torch: Callable[..., Tensor]
    native: frozenset[torch.dtype]
    general: Callable[..., Tensor]
    numbers: Numbers | None = None
    natural: bool = False
