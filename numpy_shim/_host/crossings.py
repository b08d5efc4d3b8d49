"""Copies from a device to the host that a call needs: refused or allowed, and counted by place.

``copied`` is the one way by which an array of a device becomes memory that libraries can read.
Until a launcher calls ``watch``, such a copy is refused unless the program's setting allows it,
and nothing is counted. Under a launcher the mode holds for the process and all its threads;
processes that it starts write their counts to a folder that the first one reads.
"""

from __future__ import annotations

import json
import os
import secrets
import shutil
import sys
import tempfile
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from textwrap import shorten
from types import FrameType
from typing import Any, NamedTuple, NoReturn

import torch
from torch import Tensor
from torch.compiler import is_compiling

from .program_text import called_function, is_in_loop

MODES = ("allow", "warn", "error")


class Place(NamedTuple):
    """A line of the program (no file: a library's own thread), and the function that it called."""

    file: str
    line: int
    what: str


@dataclass
class Count:
    """What crossed at a place, and what came back there."""

    times: int = 0
    bytes: int = 0
    seconds: float = 0.0
    in_loop: int = 0
    """How many of the copies a loop of the program repeated."""
    back: int = 0
    back_bytes: int = 0
    back_seconds: float = 0.0

    def add(self, other: Count) -> None:
        """Add the counts of another."""
        for name, value in vars(other).items():
            setattr(self, name, getattr(self, name) + value)


@dataclass
class _Watch:
    """The state of a launched program; ``mode`` is empty where none is launched."""

    mode: str = ""
    is_programs: Callable[[FrameType], bool] = lambda frame: False
    counts: dict[Place, Count] = field(default_factory=dict)
    stacks: dict[Place, set[int]] = field(default_factory=dict)
    reasons: dict[str, str] = field(default_factory=dict)
    """By a function's full name, why it was not computed on the device; of this process."""
    lock: Any = field(default_factory=threading.RLock)  # a signal handler may cross, too
    folder: str = ""
    """Where started processes write."""
    file: str = ""
    """Where this process writes, if it is one of them."""


_watch = _Watch()


def watch(mode: str, is_programs: Callable[[FrameType], bool], folder: str = "") -> None:
    """Allow copies in this process, and count them by the frames that are the program's.

    ``folder`` is ``shared_folder()`` of the process that started this one.
    """
    _watch.mode, _watch.is_programs = mode, is_programs
    if folder:
        _watch.folder = folder
        _begin_in_child()
    elif not _watch.folder:
        name = f"numpy_shim-crossings-{secrets.token_hex(8)}"
        _watch.folder = os.path.join(tempfile.gettempdir(), name)
        os.register_at_fork(after_in_child=_begin_in_child)


def _begin_in_child() -> None:
    _watch.file = os.path.join(_watch.folder, str(os.getpid()))
    _watch.counts, _watch.stacks, _watch.lock = {}, {}, threading.RLock()


def mode() -> str:
    """``'allow'``, ``'warn'`` or ``'error'`` in a launched program, else empty."""
    return _watch.mode


def is_programs(frame: FrameType) -> bool:
    """Whether a frame executes the launched program's own code; of no frame where none runs."""
    return _watch.is_programs(frame)


def shared_folder() -> str:
    """Where started processes write their counts; for ``watch`` in them."""
    return _watch.folder


def copied(tensor: Tensor, what: str, is_allowed: bool = False) -> Tensor:
    """The tensor on the CPU: itself if it is there, else a counted copy.

    ``what`` is who asks: a function by its full name, or a protocol such as ``__array__``, for
    which the function that the program called is found. ``TypeError`` outside of a launched
    program unless ``is_allowed``, and in the mode ``'error'``. ``is_allowed`` is what the program
    itself asks for: it is told of no loop.
    """
    if tensor.is_cpu:
        return tensor
    if not _watch.mode:
        if not is_allowed:
            _refuse(tensor, what)
        return _on_host(tensor)
    place, stack = _here(what, sys._getframe(1))
    size = tensor.numel() * tensor.itemsize
    if _watch.mode != "allow" and not is_allowed:
        _speak(place, size, tensor.device)
    start = time.perf_counter()
    made = _on_host(tensor)
    note(place, Count(1, size, time.perf_counter() - start), 0 if is_allowed else stack)
    return made


_ROOM = 2**24
"""Bytes that a copy with gaps may take in any case."""


def _on_host(tensor: Tensor) -> Tensor:
    """A copy on the CPU with the strides of the tensor.

    A library reads ``x.strides`` and gives them to ``as_strided``, which reads the copy by them.
    Where that would take much memory, as for a column of a large matrix, the copy is compact.
    """
    for axis, (count, step) in enumerate(zip(tensor.shape, tensor.stride(), strict=True)):
        if count > 1 and step == 0:  # the copy repeats its elements, too
            return _on_host(tensor.narrow(axis, 0, 1)).expand(tensor.shape)
    made = tensor.cpu()
    if made.stride() == tensor.stride() or not tensor.numel():
        return made
    reach = sum([(n - 1) * s for n, s in zip(tensor.shape, tensor.stride(), strict=True)])
    if (reach + 1) * made.itemsize > max(_ROOM, 8 * made.nbytes):
        return made
    out = torch.empty_strided(made.shape, tensor.stride(), dtype=made.dtype, device="cpu")
    return out.copy_(made)


def value(tensor: Tensor, what: str) -> Any:
    """The value of a tensor of one element, as ``float(x)`` asks for it.

    From a device it is counted, and never refused: it is what the program asked for.
    """
    if tensor.is_cpu or is_compiling() or not _watch.mode:
        return tensor.item()
    start = time.perf_counter()
    found = tensor.item()
    place, _ = _here(what, sys._getframe(1))
    note(place, Count(1, tensor.itemsize, time.perf_counter() - start))
    return found


def came_back(what: str, size: int, seconds: float) -> None:
    """Count a result that a library made on the host and that was put on the device."""
    if _watch.mode:
        place, _ = _here(what, sys._getframe(1))
        note(place, Count(back=1, back_bytes=size, back_seconds=seconds))


def note(place: Place, count: Count, stack: int = 0) -> None:
    """Add to the counts of a place; ``stack`` tells the ways by which the program came there."""
    with _watch.lock:
        seen = _watch.stacks.setdefault(place, set())
        if stack and stack in seen and is_in_loop(_program_lines()):
            count.in_loop = 1
        seen.add(stack)
        _watch.counts.setdefault(place, Count()).add(count)
        if _watch.file:
            os.makedirs(_watch.folder, exist_ok=True)
            with open(_watch.file, "a", encoding="utf-8") as file:
                file.write(json.dumps([place, vars(count)]) + "\n")


def explain(what: str, why: Exception | str) -> None:
    """Keep why a function computes on the host, for the report: in words, or what was raised."""
    if _watch.mode:
        told = why if isinstance(why, str) else f"{type(why).__name__}: {why}"
        told = shorten(told, 100, placeholder=" ...")
        _watch.reasons.setdefault(what, told)


def reason(what: str) -> str:
    """Why a function computed on the host; empty where nothing was said of it."""
    return _watch.reasons.get(what, "")


def counts() -> dict[Place, Count]:
    """The counts of this process and of those that it started, in the order of first crossing."""
    with _watch.lock:
        total = {place: Count(**vars(count)) for place, count in _watch.counts.items()}
    folder = Path(_watch.folder)
    if _watch.folder and not _watch.file and folder.is_dir():
        for file in sorted(folder.iterdir()):
            for line in file.read_text("utf-8").splitlines():
                place, count = json.loads(line)
                total.setdefault(Place(*place), Count()).add(Count(**count))
    return total


def forget() -> None:
    """Delete what started processes wrote."""
    if _watch.folder and not _watch.file:
        shutil.rmtree(_watch.folder, ignore_errors=True)


def _refuse(tensor: Tensor, what: str) -> NoReturn:
    raise TypeError(
        f"{what}: the array is on {tensor.device}, and is not copied to the host implicitly; "
        "copy it with a.to_device('cpu'), or allow such copies with "
        "numpy_shim.allow_implicit_host_copy()"
    )


def _speak(place: Place, size: int, device: object) -> None:
    """Warn of a place at its first crossing, or raise."""
    where = f"{place.file}:{place.line}" if place.file else "a library"
    if _watch.mode == "error":
        raise TypeError(
            f"{place.what}: {size:,} bytes on {device} are needed on the host at {where}, and "
            "--host-copies error refuses it; copy them with a.to_device('cpu'), or run with "
            "--host-copies allow"
        )
    if place not in _watch.counts:
        text = f"{where}: {place.what} copies {size:,} bytes from {device} to the host"
        print(f"numpy_shim: {text}", file=sys.stderr, flush=True)


def _here(what: str, frame: FrameType | None) -> tuple[Place, int]:
    """The place at which the program is, and a number for the way from there to the copy.

    For a protocol, ``__array__`` or ``float()``, the function is the outermost one with a name
    that the line called, wrappers left out.
    """
    steps: list[int] = []
    called = ""
    while frame is not None and not _watch.is_programs(frame):
        called = _public_name(frame) or called
        steps.append(frame.f_lasti)
        frame = frame.f_back
    if not what.startswith("__") and not what.endswith("()"):
        called = what
    if frame is None:
        return Place("", 0, called or what), 0
    if not called:
        called = what if what.endswith("()") else called_function(frame) or what
    steps.append(frame.f_lasti)
    return Place(frame.f_code.co_filename, frame.f_lineno, called), hash(tuple(steps))


def _public_name(frame: FrameType) -> str:
    """The public name of a library's function; empty for ours and for wrappers."""
    module = str(frame.f_globals.get("__name__", ""))
    name = frame.f_code.co_qualname
    if "<" in name or module.partition(".")[0] in ("numpy_shim", "xp_torch", "torch"):
        return ""
    if name.startswith("_") and "." in name and "self" in frame.f_code.co_varnames[:1]:
        name = type(frame.f_locals["self"]).__name__ + name[name.index(".") :]
    return public_name(module, name)


def public_name(module: str, name: str) -> str:
    """A function's full name without private modules, and a class for its constructor."""
    parts = [part for part in module.split(".") if not part.startswith("_")]
    return ".".join((*parts, *name.removesuffix(".__init__").split(".")))


def _program_lines() -> list[tuple[str, int]]:
    """The lines of the program at which its functions are, the innermost first."""
    frame: FrameType | None = sys._getframe(1)
    found = []
    while frame is not None:
        if _watch.is_programs(frame):
            found.append((frame.f_code.co_filename, frame.f_lineno))
        frame = frame.f_back
    return found
