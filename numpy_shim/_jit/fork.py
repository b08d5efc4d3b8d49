"""Work in a fork of the process, while the program runs on.

A compiler that loses there has cost the program nothing. What one that wins has made is in its
cache by then, where the program finds it.
"""

from __future__ import annotations

import contextvars
import gc
import os
import pickle
import select
import signal
import socket
import sys
import threading
import warnings
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any, NoReturn

import torch

from xp_torch._core.devices import default_is_cpu
from xp_torch._torch.internals import compile_in_this_thread

_LONGEST = 60.0  # seconds, after which a fork ends whatever it does
_NICE = 19  # the program comes first


class Fork:
    """A copy of the process that does some work; it ends with the program."""

    current: Fork | None = None
    """The one that is at work: there is one at a time."""

    def __init__(self, end: socket.socket) -> None:
        self._end = end
        self._received = b""
        self._process = os.getpid()
        Fork.current = self

    def is_done(self) -> bool:
        """Whether it has ended; in a process that the program has forked it is not heard."""
        if Fork.current is not self or os.getpid() != self._process:
            return True
        with suppress(BlockingIOError):
            try:
                while received := self._end.recv(1 << 16, socket.MSG_DONTWAIT):
                    self._received += received
            except ConnectionError:
                pass
            self.stop()
            return True
        return False

    def result(self) -> Any:
        """What the work gave, once it is done; ``None`` if it came to no end."""
        return pickle.loads(self._received) if self._received else None

    def stop(self) -> None:
        """End it, if it has not ended."""
        self._end.close()  # it waits for that
        Fork.current = None


def is_possible() -> bool:
    """Whether a fork of this process can do some work, on a processor of its own.

    A fork has no thread but the one that makes it, and nothing of an accelerator. A program that
    waits for its own processes, or whose memory is large, gets none; nor does the first process of
    a container, whose child it would be.
    """
    return (
        sys.platform == "linux"
        and os.environ.get("NUMPY_SHIM_JIT_FORK") != "0"
        and os.getpid() != 1
        and _processors() >= 2
        and threading.active_count() == 1
        and signal.getsignal(signal.SIGCHLD) is signal.SIG_DFL
        and default_is_cpu()
        and not torch.cuda.is_initialized()
        and not (torch.distributed.is_available() and torch.distributed.is_initialized())
        and _is_room()
    )


def is_busy() -> bool:
    """Whether a fork is at work."""
    return Fork.current is not None and not Fork.current.is_done()


def _processors() -> float:
    """How many this process may use; a container may have a part of their time."""
    found = float(len(os.sched_getaffinity(0)))
    with suppress(OSError, ValueError):
        quota, period = _text("/sys/fs/cgroup/cpu.max").split()
        found = min(found, float(quota) / float(period))
    return found


def _is_room() -> bool:
    """Whether all memory of this process could be there twice."""
    try:
        resident = int(_text("/proc/self/statm").split()[1]) * os.sysconf("SC_PAGE_SIZE")
        lines = dict(line.split(":") for line in _text("/proc/meminfo").splitlines())
        left = 1024 * int(lines["MemAvailable"].split()[0])
    except (OSError, LookupError, ValueError):  # it is not told
        return False
    with suppress(OSError, ValueError):  # of a container
        most, held = (_text(f"/sys/fs/cgroup/memory.{name}") for name in ("max", "current"))
        left = min(left, int(most) - int(held))
    return 2 * resident < left


def _text(file: str) -> str:
    return Path(file).read_text(encoding="ascii")


def start(work: Callable[[], object]) -> Fork | None:
    """Let a fork of the process do some work; ``None`` if it cannot be made.

    What the work gives is pickled. The fork is no child of this process, which may wait for its
    own, and reads and writes nothing of the program's: what it has open is closed in the fork.
    """
    try:
        ours, theirs = socket.socketpair()
    except OSError:  # too much is open
        return None
    middle = -1
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)  # threads of OpenMP's wait for work
        with suppress(OSError):
            middle = os.fork()
        if middle == 0:
            _leave(work, theirs)
    theirs.close()
    if middle < 0:
        ours.close()
        return None
    with suppress(ChildProcessError):
        os.waitpid(middle, 0)
    return Fork(ours)


def _leave(work: Callable[[], object], end: socket.socket) -> NoReturn:
    """Go on in a child of this child, which is nobody's when this one has ended."""
    try:
        if os.fork() == 0:
            _do(work, end)
    finally:
        os._exit(0)


def _do(work: Callable[[], object], end: socket.socket) -> None:
    """Do the work in a thread: OpenMP's threads of the one that has forked are not there."""
    os.setpgid(0, 0)  # a terminal that interrupts the program does not interrupt its fork
    os.nice(_NICE)
    null = os.open(os.devnull, os.O_RDWR)
    for stream in range(3):
        os.dup2(null, stream)
    for opened in map(int, os.listdir("/proc/self/fd")):
        if opened > 2 and opened != end.fileno():
            with suppress(OSError):  # what the list was read from
                os.close(opened)
    gc.freeze()  # what the program has thrown away is thrown away there
    compile_in_this_thread()
    has_gradients, context = torch.is_grad_enabled(), contextvars.copy_context()

    def run() -> None:
        try:
            torch.set_grad_enabled(has_gradients)
            end.sendall(pickle.dumps(context.run(work)))
        finally:
            os._exit(0)

    threading.Thread(target=run, daemon=True).start()
    select.select([end], [], [], _LONGEST)  # the program has ended, or no longer waits
    os.killpg(0, signal.SIGKILL)  # a C++ compiler, too
