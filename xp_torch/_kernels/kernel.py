"""What a kernel is, to the layers above it."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import torch
from torch import Tensor


class Kernel(NamedTuple):
    """One element-wise operation, in two strengths.

    ``torch`` is torch's own function: right by itself when every operand has the same dtype
    and that dtype is in ``native``; it then is the whole call, and the whole trace.
    ``general`` is right for every dtype of the operation's category, operands of one dtype.
    ``scalar`` says that ``torch`` also takes a Python number as its second operand, for
    the dtypes in ``native``, with the result it would give for a 0-D tensor.
    """

    name: str
    torch: Callable[..., Tensor]
    native: frozenset[torch.dtype]
    general: Callable[..., Tensor]
    scalar: bool = False
