"""Checks of values, for NumPy's errors and warnings, only where reading them does not wait."""

from __future__ import annotations

from torch import Tensor

from xp_torch._kernels.host_reads import possible


def holds_somewhere(condition: Tensor) -> bool:
    """Whether the condition is known to hold somewhere; false on a device, where it is not read."""
    try:
        return possible(condition) and bool(condition.any())
    except RuntimeError:  # under vmap, or for a fake tensor
        return False
