"""Keeps the memory that a program frees for its next arrays."""

from __future__ import annotations

import ctypes
import sys

_TRIM_THRESHOLD, _MMAP_THRESHOLD = -1, -3  # of malloc.h
_LARGEST = 32 * 2**20  # bytes, the most that glibc takes; what is larger is mapped for each array


def keep_freed() -> None:
    """Let glibc keep up to 64 MB of freed memory.

    Else it gives memory back at each array of some hundred kilobytes, and the next one costs a
    fault for each page: more than its computation. It would learn that from the blocks that are
    mapped and freed, if there are any.
    """
    mallopt = getattr(ctypes.CDLL(None), "mallopt", None) if sys.platform == "linux" else None
    if mallopt is not None:
        mallopt(_MMAP_THRESHOLD, _LARGEST)
        mallopt(_TRIM_THRESHOLD, 2 * _LARGEST)
