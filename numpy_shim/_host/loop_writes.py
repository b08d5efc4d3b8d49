"""Elements that a loop of a launched program writes, collected on the host.

``a[i] = v`` on a device costs a view and an operator, and what the loop read of the array must be
read again. So where a loop has a copy of an array on the host, see ``loop_reads``, its writes go to
the copy, and wait there. All go to the device in one copy before torch reads any values: the
launcher's default device lets torch ask first, see ``act_before_calls``. What another thread of the
program computes asks as well.
"""

from __future__ import annotations

import os
import sys
import time
from typing import Any

from torch import Tensor
from torch.compiler import is_compiling

from xp_torch._torch.default_device import act_before_calls, act_before_compiling, sees_calls
from xp_torch._torch.internals import increment_version

from .._array.ndarray import ndarray
from .._kernels.backwards import Special
from . import crossings
from .loop_reads import SMALL, Reads, count_axes, is_often, program_frame, reads_for, reads_of
from .program_text import has_varying_index

_SOME = 4
"""Writes to a small array after which it is copied, and to any array that make the copy pay."""

_RARE = -(2**10)
"""Where the count begins again for an array that torch computes with between few writes."""

_waiting: list[Reads] = []
_may_wait = False


def begin() -> None:
    """Let writes wait from now on, in a launched program, until torch compiles something."""
    global _may_wait
    if act_before_calls(_waiting, write_back):
        os.register_at_fork(before=write_back)
        _may_wait = True
        act_before_compiling(end)


def end() -> None:
    """Let no more writes wait: torch's compiler must see them."""
    global _may_wait
    _may_wait = False
    write_back()


def write_element(a: ndarray, key: Any, value: Any) -> bool:
    """``a[key] = value`` for integers and a number; ``False`` where the device must do it."""
    reads = reads_of(a)
    if reads is None or not reads.waits:
        t = a._tensor
        if is_compiling() or not _may_wait:
            return False
        reads = reads_for(a, t, key)
        if reads is None:
            return False
        if reads.copy is None and not _may_copy(reads, t):
            return False
        if not sees_calls() or isinstance(t, Special) or not t.is_contiguous():
            return False
        if reads.copy is None:
            reads.make_copy()
    copy: Any = reads.copy
    if copy.ndim != count_axes(key):
        return False
    copy[key] = value
    reads.written += 1
    if not reads.waits:  # asked after the write: another thread may have written back
        reads.waits = True
        _waiting.append(reads)
        increment_version((reads.memory,))  # copies of views are no longer right
    return True


def _may_copy(reads: Reads, t: Tensor) -> bool:
    """Whether this write of the program's is one of many."""
    frame = program_frame(sys._getframe(1))
    if frame is None or not (t.numel() <= SMALL or has_varying_index(frame)):
        return False
    reads.number += 1
    return is_often(reads, _SOME)


def written_there(a: ndarray) -> None:
    """After the device has done ``a[key] = value``: what was counted goes on."""
    reads = reads_of(a)
    if reads is not None:
        reads.copy = reads.host = None
        reads.version = reads.memory._version


def write_back() -> None:
    """Copy to the device what waits."""
    while _waiting:
        reads = _waiting.pop()
        reads.waits = False
        host: Any = reads.host
        start = time.perf_counter()
        reads.tensor.copy_(host)
        crossings.came_back("x[i] = v", host.nbytes, time.perf_counter() - start)
        reads.version = reads.memory._version
        if reads.written < _SOME and host.numel() > SMALL:
            reads.copy = reads.host = None
            reads.number = _RARE
        reads.written = 0
