"""``--ranks N``: the program on N processes, through torch's elastic launcher.

The processes run ``python -m numpy_shim`` with the same arguments and the variables of
``torchrun``, so ``torchrun -m numpy_shim script.py`` runs a program the same way. What the first
process prints is shown. The errors of the others are kept, and shown if one of them fails first.
"""

from __future__ import annotations

import logging
import os
import signal
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from .joined import FOLDER, LOST, note


def run(ranks: int, arguments: Sequence[str]) -> int:
    """Run the program with these arguments on ``ranks`` processes, and return the exit status."""
    from torch.distributed.elastic.multiprocessing import DefaultLogsSpecs, SignalException, Std
    from torch.distributed.elastic.multiprocessing.errors import ChildFailedError
    from torch.distributed.launcher.api import LaunchConfig, elastic_launch

    for name in list(logging.root.manager.loggerDict):
        if name.startswith("torch."):
            logging.getLogger(name).setLevel(logging.CRITICAL)
    # Sets of strings have one order on all processes, and each process has its share of the cores.
    os.environ.setdefault("PYTHONHASHSEED", "0")
    os.environ.setdefault("OMP_NUM_THREADS", str(max((os.cpu_count() or 1) // ranks, 1)))
    with tempfile.TemporaryDirectory(prefix="numpy_shim-ranks-") as folder:
        os.environ[FOLDER] = folder
        config = LaunchConfig(
            min_nodes=1,
            max_nodes=1,
            nproc_per_node=ranks,
            rdzv_backend="c10d",
            rdzv_endpoint="localhost:0",
            run_id="numpy_shim",
            max_restarts=0,
            monitor_interval=0.1,
            start_method="spawn",
            logs_specs=DefaultLogsSpecs(
                log_dir=folder, redirects=dict.fromkeys(range(1, ranks), Std.ERR)
            ),
        )
        try:
            elastic_launch(config, sys.executable)("-m", "numpy_shim", *arguments)
        except ChildFailedError as error:
            return _failed(error.failures.values(), ranks, folder)
        except (KeyboardInterrupt, SignalException) as error:
            name = getattr(getattr(error, "sigval", signal.SIGINT), "name", "SIGINT")
            print(f"numpy_shim: stopped by {name}; all processes were ended", file=sys.stderr)
            return 130 if name == "SIGINT" else 143
    return 0


def _left(ranks: int, folder: str) -> dict[int, str]:
    """The processes that left by ``sys.exit`` with their status, where others went on."""
    notes = {rank: note(folder, rank) for rank in range(ranks)}
    found = {rank: file.read_text() for rank, file in notes.items() if file.exists()}
    return found if len(found) < ranks else {}


def _failed(failures: Any, ranks: int, folder: str) -> int:
    """Show why the first process failed, and return its exit status."""
    causes = [f for f in failures if f.exitcode not in (LOST, -signal.SIGTERM)]
    left = _left(ranks, folder)
    first = min(causes, key=lambda f: f.local_rank, default=None)
    leaver = min(left, default=-1) if first is None else int(first.local_rank)
    if left.get(leaver):
        print(
            f"numpy_shim: process {leaver} of {ranks} left with status {left[leaver]} while the "
            "others went on; they were ended",
            file=sys.stderr,
        )
    elif first is None:
        print("numpy_shim: the processes lost the connection to each other", file=sys.stderr)
    if first is None:  # those that lost the one that left may end before it does
        return int(left.get(leaver) or 1) & 0xFF or 1
    if first.exitcode < 0:
        name = signal.Signals(-first.exitcode).name
        print(
            f"numpy_shim: process {first.local_rank} of {ranks} was ended by {name}; "
            "the others were ended too",
            file=sys.stderr,
        )
        return 128 - int(first.exitcode)
    if first.local_rank:  # the first process writes to the error stream itself
        for file in Path(folder).rglob(f"{first.local_rank}/stderr.log"):
            sys.stderr.write(file.read_text(encoding="utf-8", errors="replace"))
    return int(first.exitcode)
