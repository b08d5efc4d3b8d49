"""The stage of ``gpu_check.py`` for distributed arrays: NCCL, and a process for each of two GPUs.

    python tools/gpu_distributed.py --device cuda [--dry-run]

NCCL refuses two processes on one GPU, and gloo cannot exchange rows between CUDA tensors. On one
GPU there is one process, then: the rules run on the device, and the communications that they use
are called once each, with nobody at the other end. ``--dry-run`` takes two processes of the CPU.
"""

from __future__ import annotations

import argparse
import os
import socket
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

import torch
import torch.distributed as dist
import torch.multiprocessing as multiprocessing


def stencil(np: Any, a: Any) -> Any:
    b = a.copy()
    b[1:-1] = (b[:-2] + b[2:]) / 2
    return b


def written(np: Any, a: Any) -> Any:
    b = a.copy()
    b[3] = 0
    b[b > 1] = 5
    b[[0, 7]] *= 2
    return b


CALLS: dict[str, Callable[[Any, Any], Any]] = {
    "elementwise": lambda np, a: np.exp(a) * 2 + a[0],
    "sum": lambda np, a: np.sum(a, axis=0),
    "mean": lambda np, a: np.mean(a),
    "largest": lambda np, a: np.max(a),
    "position": lambda np, a: np.argmax(a, axis=0),
    "deviation": lambda np, a: np.std(a, axis=0),
    "running sum": lambda np, a: np.cumsum(a, axis=0),
    "sorted": lambda np, a: np.sort(a, axis=0),
    "sorted flat": lambda np, a: np.sort(a.reshape(-1)),
    "rows": lambda np, a: a[[3, 1, 8]],
    "mask": lambda np, a: a[a[:, 0] > 0],
    "positions": lambda np, a: np.argwhere(a > 0),
    "transposed product": lambda np, a: a.T @ a,
    "product": lambda np, a: a @ a.T,
    "transform": lambda np, a: np.abs(np.fft.fft2(a)),
    "median": lambda np, a: np.median(a),
    "unique": lambda np, a: np.unique(a > 0),
    "joined": lambda np, a: np.concatenate([a, a[:3]]),
    "reversed": lambda np, a: a[::-1],
    "stencil": stencil,
    "written": written,
}


def communications(device: torch.device) -> list[str]:
    """Each communication that the rules use, called once; the names of those that fail."""
    group = dist.group.WORLD
    size, rank = dist.get_world_size(), dist.get_rank()
    sent = torch.full((4 * size,), rank, dtype=torch.uint8, device=device)
    into = torch.empty(4 * size * size, dtype=torch.uint8, device=device)
    gather: Any = getattr(dist, "all_gather_single", None) or dist.all_gather_into_tensor

    def neighbours() -> None:
        peer = (rank + 1) % size
        pair = [dist.P2POp(dist.irecv, into[:4], group=group, group_peer=(rank - 1) % size),
                dist.P2POp(dist.isend, sent[:4], group=group, group_peer=peer)]  # fmt: skip
        for work in dist.batch_isend_irecv(pair) if size > 1 else ():  # not with itself
            work.wait()

    failed = []
    calls: dict[str, Callable[[], Any]] = {
        "all_gather": lambda: gather(into, sent, group=group),
        "all_reduce": lambda: dist.all_reduce(sent.to(torch.float64), group=group),
        "all_to_all": lambda: dist.all_to_all_single(
            torch.empty_like(sent), sent, [4] * size, [4] * size, group=group
        ),
        "broadcast": lambda: dist.broadcast(sent, group=group, group_src=0),
        "neighbours": neighbours,
    }
    for name, call in calls.items():
        try:
            call()
        except Exception as error:
            failed.append(f"{name}: {type(error).__name__}: {error}")
    return failed


def process(rank: int, size: int, port: int, device: str, told: Any) -> None:
    os.environ.update(
        RANK=str(rank), WORLD_SIZE=str(size), MASTER_ADDR="127.0.0.1", MASTER_PORT=str(port)
    )
    kind = torch.device(device).type
    place = torch.device(kind, rank) if kind == "cuda" else torch.device(kind)
    if kind == "cuda":
        torch.cuda.set_device(place)

    import numpy_shim as np
    from numpy_shim import distributed

    where = distributed.mesh(device=kind)
    failed = communications(place)
    values = torch.randn(11, 5, generator=torch.Generator().manual_seed(0), dtype=torch.float64)
    plain = np.asarray(values)
    for axis in (0, 1):
        for name, call in CALLS.items():
            try:
                spread = distributed.shard(np.asarray(values.to(place)), axis, where)
                found = distributed.gather(np.asarray(call(np, spread)))._tensor
                if found.device.type not in (kind, "cpu"):
                    failed.append(f"{name} of axis {axis}: on {found.device}")
                torch.testing.assert_close(found.cpu(), np.asarray(call(np, plain))._tensor)
            except Exception as error:
                failed.append(f"{name} of axis {axis}: {type(error).__name__}: {error}")
    if rank == 0:
        told.put(failed)
    dist.destroy_process_group()


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--device", default="cuda")
    parser.add_argument("--dry-run", action="store_true", help="on two processes of the CPU")
    given = parser.parse_args()
    start = time.perf_counter()
    cuda = given.device.startswith("cuda")
    size = min(torch.cuda.device_count(), 2) if cuda else 2
    with socket.socket() as s:
        s.bind(("127.0.0.1", 0))
        port = s.getsockname()[1]
    told = multiprocessing.get_context("spawn").SimpleQueue()
    multiprocessing.spawn(process, (size, port, given.device, told), nprocs=size)
    failed = told.get()
    for failure in failed:
        print(f"  failed: {' '.join(failure.split())[:300]}")
    backend = "NCCL" if cuda else "gloo"
    alone = "; one GPU, so nothing went between processes" if cuda and size == 1 else ""
    print(
        f"{2 * len(CALLS)} calls and 5 communications, {size} processes on {backend}{alone}; "
        f"{len(failed)} failed, {time.perf_counter() - start:.0f} s"
    )
    return int(bool(failed))


if __name__ == "__main__":
    sys.exit(main())
