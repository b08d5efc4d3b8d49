"""The group of processes that torch.distributed connects."""

from __future__ import annotations

import torch.distributed as dist


def leave_group() -> None:
    """Leave the group, if this process is in one.

    To be called before the interpreter ends: threads of the group that still run then abort the
    process (``terminate called without an active exception``).
    """
    if dist.is_available() and dist.is_initialized():
        dist.destroy_process_group()
