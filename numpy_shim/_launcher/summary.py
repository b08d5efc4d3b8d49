"""``--summary``: the torch operators that a program called, their time, and their waits."""

from __future__ import annotations

import os
import sys
import time
from collections import Counter, defaultdict
from collections.abc import Callable
from contextlib import AbstractContextManager
from types import FrameType, TracebackType
from typing import Any, NamedTuple

import torch
from rich.console import Console
from rich.markup import escape
from rich.table import Table

from xp_torch._core.waiting import VALUE, reason
from xp_torch._kernels import host_reads
from xp_torch._torch.internals import TorchDispatchMode

from .._array.ndarray import scalar
from .._jit.reasons import Line
from .joined import collectives, is_one_of_several
from .threads import in_started_threads

_SHOWN = 10
_TRANSFER = "brought to the CPU"
_BETWEEN = "moved between devices"
# Methods that bring data to Python. On the CPU they share memory and call no operator.
_METHODS = ("numpy", "tolist")
# A function that mentions one of these reads values on the CPU only.
_LOOKING = frozenset({"is_cpu", "host_reads", "value_checks"})
_FAMILIAR = {"_local_scalar_dense": "item", "_unique2": "unique", "_to_copy": "to"}


class Wait(NamedTuple):
    """An operation that waits for the device, at a line of the program (None for a library)."""

    line: Line | None
    name: str
    why: str


class Caller(NamedTuple):
    """The caller of torch: the line of the program, and whether the call is a look.

    A look is a value that our functions read only on the CPU, where reading does not wait.
    """

    line: Line | None
    is_look: bool


class Move(NamedTuple):
    """A kind of communication between processes, at a line of the program."""

    line: Line | None
    kind: str


class Counts:
    """The counts of one thread, or of all."""

    def __init__(self) -> None:
        self.calls: Counter[str] = Counter()
        self.seconds: defaultdict[str, float] = defaultdict(float)
        self.waits: Counter[Wait] = Counter()

    def add(self, other: Counts) -> None:
        """Add the counts of another."""
        self.calls.update(other.calls)
        for name, seconds in other.seconds.items():
            self.seconds[name] += seconds
        self.waits.update(other.waits)


class Recorder(TorchDispatchMode):
    """Counts the operators that are called inside its ``with`` block, in one thread."""

    def __init__(self, caller: Callable[[], Caller] = lambda: Caller(None, False)) -> None:
        super().__init__()  # type: ignore[no-untyped-call]
        self.counts = Counts()
        self._caller = caller

    @classmethod
    def ignore_compile_internals(cls) -> bool:
        """Let ``torch.compile`` work unchanged, and count around its compiled code."""
        return True

    def __torch_dispatch__(
        self, func: Any, types: Any, args: tuple[object, ...] = (), kwargs: Any = None
    ) -> Any:
        kwargs = kwargs or {}
        start = time.perf_counter()
        result = func(*args, **kwargs)
        seconds = time.perf_counter() - start
        full = func.name()
        name = full.removeprefix("aten::").partition(".")[0]
        counts = self.counts
        counts.calls[name] += 1
        counts.seconds[name] += seconds
        why = reason(full, args, kwargs) or _moved(name, args, result)
        if why:
            line, is_look = self._caller()
            if not (is_look and why == VALUE):
                counts.waits[Wait(line, _FAMILIAR.get(name, name), why)] += 1
        return result


def _is_ours(frame: FrameType) -> bool:
    """Whether a frame is that of a function of numpy_shim or xp_torch, this module excepted."""
    package = frame.f_globals.get("__name__", "").partition(".")[0]
    return (
        package in ("numpy_shim", "xp_torch")
        and frame.f_globals is not globals()
        and not frame.f_code.co_name.startswith("<")  # a generator expression in the function
    )


def _moved(name: str, args: tuple[Any, ...], result: Any) -> str:
    """Why a copy waits: it moves data between devices."""
    if name == "_to_copy":
        return _BETWEEN if args[0].device != result.device else ""
    if name == "copy_":
        return _BETWEEN if args[0].device != args[1].device else ""
    return ""


class Summary(AbstractContextManager[None]):
    """Watches the program inside the ``with`` block, and then prints the counts.

    ``owns`` tells the program's files from libraries.
    """

    def __init__(self, owns: Callable[[str], bool]) -> None:
        self._owns = owns
        self._recorders: list[Recorder] = []
        self._transfers: Counter[Wait] = Counter()
        self._in_transfer = False
        self._process = os.getpid()
        self._several = is_one_of_several()
        self._moves: Counter[Move] = Counter()
        self._bytes: Counter[Move] = Counter()

    def __enter__(self) -> None:
        self._methods = {name: self._watched(name) for name in _METHODS}
        for name, method in self._methods.items():
            setattr(torch.Tensor, name, method)
        self._profiler = _device_profiler()
        if self._profiler is not None:
            self._profiler.start()
        self._undo_threads = in_started_threads(self._recorder)
        if self._several:
            collectives().listeners.append(self._heard)
        self._start = time.perf_counter()
        self._own = self._recorder()
        self._own.__enter__()  # type: ignore[no-untyped-call]

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._own.__exit__(kind, error, trace)  # type: ignore[no-untyped-call]
        self._undo_threads()
        if self._several:
            collectives().listeners.remove(self._heard)
        for name in self._methods:
            delattr(torch.Tensor, name)  # the inherited method is visible again
        if _queues_work():
            torch.accelerator.synchronize()
        wall = time.perf_counter() - self._start
        device_seconds = None if self._profiler is None else _device_seconds(self._profiler)
        if os.getpid() != self._process:
            return  # a forked copy of the program ends here
        if self._several and int(os.environ["RANK"]):
            return  # the first process shows its counts
        total = Counts()
        for recorder in self._recorders:
            total.add(recorder.counts)
        total.waits.update(self._transfers)
        show(total, wall, device_seconds)
        if self._several:
            show_moves(self._moves, self._bytes)

    def _heard(self, kind: str, size: int) -> None:
        move = Move(self._caller().line, kind)
        self._moves[move] += 1
        self._bytes[move] += size

    def _recorder(self) -> Recorder:
        recorder = Recorder(self._caller)
        self._recorders.append(recorder)
        return recorder

    def _caller(self) -> Caller:
        """The innermost line of the program that is being executed, and our function in it."""
        is_look: bool | None = None
        frame: FrameType | None = sys._getframe(1)
        while frame is not None:
            code = frame.f_code
            if self._owns(code.co_filename):
                return Caller(Line(code.co_filename, frame.f_lineno), bool(is_look))
            if is_look is None and _is_ours(frame):
                # A scalar on the CPU is read at once; on a device it waits where it is used.
                is_look = code is not scalar.__code__ and (
                    code.co_filename == host_reads.__file__
                    or not _LOOKING.isdisjoint(code.co_names)
                )
            frame = frame.f_back
        return Caller(None, bool(is_look))

    def _watched(self, name: str) -> Callable[..., Any]:
        """A method of tensors that notes the line that calls it, once for nested ones."""
        plain = getattr(torch.Tensor, name)

        def method(tensor: torch.Tensor, *args: object, **kwargs: object) -> Any:
            if self._in_transfer or torch.compiler.is_compiling():
                return plain(tensor, *args, **kwargs)
            self._in_transfer = True
            try:
                return plain(tensor, *args, **kwargs)
            finally:
                self._in_transfer = False
                if tensor.device.type == "cpu":  # elsewhere an operator copies, and is counted
                    line, is_look = self._caller()
                    if not is_look:
                        self._transfers[Wait(line, name, _TRANSFER)] += 1

        return method


def _queues_work() -> bool:
    """Whether there is an accelerator that works while the program goes on; ``npy`` does not."""
    try:
        if torch.accelerator.is_available():
            torch.accelerator.synchronize()
            return True
    except RuntimeError:
        pass
    return False


def _device_profiler() -> torch.profiler.profile | None:
    """A profiler of what runs on the accelerator, where there is one."""
    supported = torch.profiler.supported_activities()
    activities = supported - {torch.profiler.ProfilerActivity.CPU}
    if not activities or not _queues_work():
        return None
    return torch.profiler.profile(activities=activities, acc_events=True)


def _device_seconds(profiler: torch.profiler.profile) -> float:
    """The time that kernels and copies took on the device."""
    profiler.stop()
    microseconds: float = sum(
        event.self_device_time_total
        for event in profiler.events()
        if event.device_type.name != "CPU" and not event.is_user_annotation
    )
    return 1e-6 * microseconds


def show(counts: Counts, wall: float, device_seconds: float | None) -> None:
    """Print the tables to the error stream, so that the program's own output stays as it is."""
    console = Console(stderr=True, highlight=False)
    calls = sum(counts.calls.values())
    inside = sum(counts.seconds.values())
    console.rule("numpy_shim: summary")
    on_device = "" if device_seconds is None else f", {device_seconds:.3f} s on the device"
    console.print(
        f"{wall:.3f} s in all (watching included), {calls:,} calls of torch operators, "
        f"{inside:.3f} s in them{on_device}"
    )
    if calls:
        console.print(_operators(counts, calls, inside))
    if counts.waits:
        console.print(_waits(counts.waits))
        if not torch.accelerator.is_available():
            console.print("On the CPU none of these waits; on an accelerator each does.")
    else:
        console.print("Nothing waits for the device.")


def show_moves(moves: Counter[Move], received: Counter[Move]) -> None:
    """Print what moved between the processes, by line, to the error stream."""
    console = Console(stderr=True, highlight=False)
    if not moves:
        console.print("Nothing moves between the processes.")
        return
    table = Table(title="what the first process received from the others, and where")
    table.add_column("line")
    for heading in ("times", "bytes"):
        table.add_column(heading, justify="right")
    table.add_column("communication", no_wrap=True)
    ordered = sorted(moves, key=lambda move: -received[move])
    for move in ordered[:_SHOWN]:
        location = "inside a library"
        if move.line is not None:
            location = f"{move.line.location()}\n  [dim]{escape(move.line.text(48))}[/]"
        table.add_row(location, f"{moves[move]:,}", f"{received[move]:,}", move.kind)
    others = ordered[_SHOWN:]
    if others:
        times, size = sum(moves[m] for m in others), sum(received[m] for m in others)
        table.add_row(f"{len(others)} others", f"{times:,}", f"{size:,}", "", style="dim")
    console.print(table)


def _operators(counts: Counts, calls: int, inside: float) -> Table:
    table = Table(title="operators, the most called first")
    table.add_column("operator")
    for heading in ("calls", "seconds", "share of time"):
        table.add_column(heading, justify="right")

    def row(name: str, called: int, seconds: float, style: str = "") -> None:
        share = seconds / inside if inside else 0.0
        table.add_row(name, f"{called:,}", f"{seconds:.3f}", f"{share:.0%}", style=style)

    ordered = counts.calls.most_common()
    for name, called in ordered[:_SHOWN]:
        row(name, called, counts.seconds[name])
    others = ordered[_SHOWN:]
    if others:
        seconds = sum(counts.seconds[name] for name, _ in others)
        row(f"{len(others)} others", sum(called for _, called in others), seconds, "dim")
    return table


def _waits(waits: Counter[Wait]) -> Table:
    table = Table(title="what waits for the device, and where")
    table.add_column("line")
    table.add_column("times", justify="right")
    table.add_column("call")
    table.add_column("why", no_wrap=True)
    ordered = waits.most_common()
    for wait, count in ordered[:_SHOWN]:
        location = "inside a library"
        if wait.line is not None:
            location = f"{wait.line.location()}\n  [dim]{escape(wait.line.text(48))}[/]"
        table.add_row(location, f"{count:,}", wait.name, wait.why)
    others = ordered[_SHOWN:]
    if others:
        times = f"{sum(count for _, count in others):,}"
        table.add_row(f"{len(others)} others", times, "", "", style="dim")
    return table
