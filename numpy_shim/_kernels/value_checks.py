"""Looks at values, for NumPy's errors and warnings: only where nothing waits for a device."""

from __future__ import annotations

from torch import Tensor

from xp_torch._kernels.host_reads import possible


def found(condition: Tensor) -> bool:
    """Whether a look shows that the condition holds somewhere; on a device, nobody looks."""
    try:
        return possible(condition) and bool(condition.any())
    except RuntimeError:  # under vmap, or of a fake tensor
        return False
