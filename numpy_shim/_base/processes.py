"""The group of processes that torch.distributed connects."""

from __future__ import annotations

import gc

import torch.distributed as dist

from xp_torch._torch.internals import forget_groups


def leave_group() -> None:
    """Leave the group, if this process is in one.

    To be called before the interpreter ends: threads of the group that still run then abort the
    process (``terminate called without an active exception``). They end with the group, which
    every mesh keeps, and so every split array that the program still has.
    """
    if dist.is_available() and dist.is_initialized():
        from torch.distributed.device_mesh import DeviceMesh

        for x in gc.get_objects():
            if type(x) is DeviceMesh:
                forget_groups(x)
        dist.destroy_process_group()
