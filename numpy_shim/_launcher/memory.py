"""Keeps the memory that a program frees for its next arrays."""

from __future__ import annotations

import torch

_LARGEST = 32 * 2**20 - 2**16  # bytes, from which glibc learns; more is mapped for each array


def keep_freed() -> None:
    """Let glibc keep up to 64 MB of freed memory.

    It learns from the largest block that was mapped and freed. Else it gives memory back at each
    array of some hundred kilobytes, and the next one costs a fault for each page: more than its
    computation. Of two blocks at once one is mapped, where the other fits into what is free.
    """
    _ = [torch.empty(_LARGEST, dtype=torch.uint8, device="cpu") for _ in range(2)]
