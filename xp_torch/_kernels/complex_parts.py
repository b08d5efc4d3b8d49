"""Complex tensors by their parts, for functions that torch supports only on real tensors."""

from __future__ import annotations

from collections.abc import Callable

import torch
from torch import Tensor


def parts(x: Tensor) -> Tensor:
    """A complex tensor as a real one with a last axis of two: real and imaginary parts."""
    # A user's tensor may be lazily conjugated, and then has no real view. A trace cannot test for
    # that and need not, because asarray has resolved the conjugation.
    if not torch.compiler.is_compiling() and x.is_conj():
        x = x.resolve_conj()
    return torch.view_as_real(x)


def by_parts(function: Callable[..., Tensor]) -> Callable[..., Tensor]:
    """A complex kernel from one that works on real and imaginary parts independently."""

    def general(*operands: Tensor) -> Tensor:
        result = function(*[parts(x) for x in operands])
        if result.stride(-1) != 1:
            result = result.contiguous()
        return torch.view_as_complex(result)

    return general
