"""One of several processes that run the same program: ``--ranks``, and ``torchrun``."""

from __future__ import annotations

import atexit
import datetime
import importlib
import os
import random
import secrets
import signal
import socket
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from .._base.processes import leave_group
from .device import LaunchError

LOST = 87
"""The exit status of a process that stopped because another one is gone."""

FOLDER = "NUMPY_SHIM_RANKS_FOLDER"
"""The variable by which ``--ranks`` tells its processes where to note that they leave."""

_PATIENCE = datetime.timedelta(seconds=8)
_NAMES = ("RANK", "WORLD_SIZE", "MASTER_ADDR", "MASTER_PORT")


def is_one_of_several() -> bool:
    """Whether a launcher of several processes started this one."""
    return "RANK" in os.environ and "WORLD_SIZE" in os.environ


def join() -> None:
    """Meet the other processes, and draw the same random numbers as they.

    Only the first process prints. Ctrl-C ends a process at once: the launcher says why.
    """
    missing = [name for name in _NAMES if not os.environ.get(name)]
    if missing:
        raise LaunchError(
            f"{' and '.join(missing)} must be set for several processes; start them with "
            "python -m numpy_shim --ranks N, or with torchrun"
        )
    signal.signal(signal.SIGINT, lambda *_: os._exit(130))
    rank = int(os.environ["RANK"])
    if rank:
        sys.stdout = open(os.devnull, "w", encoding="utf-8")  # noqa: SIM115
    _connect(rank, int(os.environ["WORLD_SIZE"]))


def _connect(rank: int, size: int) -> None:
    import torch
    import torch.distributed as dist

    host, port = os.environ["MASTER_ADDR"], os.environ["MASTER_PORT"]
    agent = os.environ.get("TORCHELASTIC_USE_AGENT_STORE") == "True"
    hook = sys.excepthook  # torch puts the number of the process before every line
    try:
        if rank or agent:
            _wait_for(host, int(port))
        tcp = dist.TCPStore(  # type: ignore[attr-defined]
            host, int(port), size, rank == 0 and not agent, timeout=_PATIENCE
        )
        attempt = os.environ.get("TORCHELASTIC_RESTART_COUNT", "0")
        store = dist.PrefixStore(f"numpy_shim-{attempt}", tcp)  # type: ignore[attr-defined]
        device = torch.get_default_device().type
        backend = "nccl" if device == "cuda" else "gloo"
        dist.init_process_group(backend, store=store, rank=rank, world_size=size)
        atexit.register(leave_group)
        sys.excepthook = hook
        shared = [secrets.randbits(128)]
        dist.broadcast_object_list(shared)
    except (RuntimeError, ValueError, OSError) as error:
        reason = str(error).splitlines()[0]
        raise LaunchError(f"cannot meet the other processes at {host}:{port}: {reason}") from None
    _draw_alike(shared[0])


def _wait_for(host: str, port: int) -> None:
    """Wait until something listens; ``OSError`` if nothing does. torch prints pages instead."""
    end = time.monotonic() + _PATIENCE.total_seconds()
    while True:
        try:
            socket.create_connection((host, port), timeout=1).close()
            return
        except OSError:
            if time.monotonic() > end:
                raise
            time.sleep(0.2)


def _draw_alike(entropy: int) -> None:
    """Seed every generator that the program may leave unseeded."""
    import numpy
    import torch

    from ..random._bit_generators import shared_entropy

    def seeds() -> Iterator[int]:
        yield from map(int, _Seeds(entropy))

    shared_entropy.append(seeds())
    random.seed(entropy)
    numpy.random.seed(entropy % 2**32)
    torch.manual_seed(entropy % 2**63)


class _Seeds:
    """Endless seeds of 128 bits, the same on every process."""

    def __init__(self, entropy: int) -> None:
        self.source = random.Random(entropy)

    def __iter__(self) -> Iterator[int]:
        while True:
            yield self.source.getrandbits(128)


def collectives() -> Any:
    """The module that every communication passes; importing it takes time, so only several do."""
    return importlib.import_module("xp_torch._mesh.collectives")


def ended() -> None:
    """Wait for the others after the last line of the program, and leave the group."""
    import torch.distributed as dist

    if dist.is_initialized():
        dist.barrier()
        leave_group()


def left(error: SystemExit) -> None:
    """Note that the program left by ``sys.exit``, and wait a second for the others to do so too.

    ``--ranks`` reads the notes: it has a word to say where one process leaves and others go on.
    """
    folder = os.environ.get(FOLDER)
    if folder is None:
        return
    code = 0 if error.code is None else error.code
    note(folder, int(os.environ["RANK"])).write_text(f"{code}" if isinstance(code, int) else "")
    notes = [note(folder, rank) for rank in range(int(os.environ["WORLD_SIZE"]))]
    end = time.monotonic() + 1
    while time.monotonic() < end and not all(map(Path.exists, notes)):
        time.sleep(0.02)


def note(folder: str, rank: int) -> Path:
    """The file with the status with which a process left; empty if it said why itself."""
    return Path(folder, f"left-{rank}")


def is_lost(error: BaseException) -> bool:
    """Whether an exception only says that another process is gone.

    torch raises ``RuntimeError`` for it, which the functions may have put into their own words.
    """
    return isinstance(error, (RuntimeError, ValueError)) and (
        "gloo/transport" in str(error) or "ncclRemoteError" in str(error)
    )


def stop(error: BaseException) -> None:
    """End after an exception of the program, which has been shown.

    The first process may be about to show the same one: it gets the time to do so.
    """
    if is_lost(error):
        time.sleep(2)
        os._exit(LOST)
    if int(os.environ["RANK"]):
        time.sleep(0.5)
    sys.stdout.flush()
    sys.stderr.flush()
    os._exit(1)
