"""What a backend did: operators run, decomposed and fallen back, and the bytes that moved."""

from __future__ import annotations

import sys
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal

Direction = Literal["to backend", "to cpu"]

_OWN = str(Path(__file__).parent)
_HIDDEN = ("torch.", "xp_torch.", "numpy_shim.", "contextlib", "functools")


@dataclass(frozen=True)
class Transfer:
    """Blobs that crossed between the CPU and the backend at one line of the program.

    Attributes
    ----------
    direction : {"to backend", "to cpu"}
    operator : str
        The operator that needed the transfer: ``aten._local_scalar_dense.default``.
    line : str
        ``file:line`` of the innermost frame outside torch and the array packages.
    count, nbytes : int
        How often the line moved something, and how many bytes in all.
    """

    direction: Direction
    operator: str
    line: str
    count: int
    nbytes: int


@dataclass(frozen=True)
class Report:
    """What a backend did since it was made or since the last ``report(reset=True)``.

    Attributes
    ----------
    operators : dict of str to int
        How often each registered operator ran.
    decomposed : dict of (str, str) to int
        How often each operator was decomposed, by operator and line of the program.
    fallen_back : dict of (str, str) to int
        How often each operator ran on the CPU, by operator and line. It is empty unless the
        backend has ``fallback="cpu"``.
    transfers : list of Transfer
        What moved each way, and the line that caused it.
    """

    operators: dict[str, int]
    decomposed: dict[tuple[str, str], int]
    fallen_back: dict[tuple[str, str], int]
    transfers: list[Transfer]

    def bytes_moved(self, direction: Direction) -> int:
        """The number of bytes that moved in one direction."""
        return sum(t.nbytes for t in self.transfers if t.direction == direction)

    def __str__(self) -> str:
        lines = ["operators run:"]
        lines += [f"  {count:8}  {name}" for name, count in sorted(self.operators.items())]
        for title, found in (("decomposed:", self.decomposed), ("on the CPU:", self.fallen_back)):
            lines.append(title)
            lines += [f"  {n:8}  {name}  {line}" for (name, line), n in sorted(found.items())]
        lines.append("transfers:")
        for t in self.transfers:
            lines.append(
                f"  {t.count:8}  {t.nbytes:12} bytes {t.direction}  {t.operator}  {t.line}"
            )
        return "\n".join(lines)


@dataclass
class Counts:
    """The counters behind a ``Report``. Adding to one is cheap: it is done at every operator."""

    operators: Counter[object] = field(default_factory=Counter)
    decomposed: Counter[tuple[str, str]] = field(default_factory=Counter)
    fallen_back: Counter[tuple[str, str]] = field(default_factory=Counter)
    moves: Counter[tuple[Direction, str, str]] = field(default_factory=Counter)
    nbytes: Counter[tuple[Direction, str, str]] = field(default_factory=Counter)

    def moved(self, direction: Direction, operator: str, nbytes: int) -> None:
        """Note a transfer, with the line that asked for it."""
        key = (direction, operator, line_of_program())
        self.moves[key] += 1
        self.nbytes[key] += nbytes

    def report(self) -> Report:
        transfers = [
            Transfer(*key, count=count, nbytes=self.nbytes[key])
            for key, count in sorted(self.moves.items())
        ]
        return Report(
            {str(name): count for name, count in self.operators.items() if count},
            dict(self.decomposed),
            dict(self.fallen_back),
            transfers,
        )

    def clear(self) -> None:
        for counter in (self.operators, self.decomposed, self.fallen_back, self.moves, self.nbytes):
            counter.clear()


_hidden: dict[tuple[str, str], bool] = {}
"""Whether frames of a module, by name and file, are none of the program's."""


def line_of_program() -> str:
    """``file:line`` of the innermost frame that belongs to neither torch nor an array package."""
    frame = sys._getframe(1)
    while frame is not None:
        key = frame.f_globals.get("__name__", ""), frame.f_code.co_filename
        hidden = _hidden.get(key)
        if hidden is None:
            name, file = key
            hidden = name == "torch" or name.startswith(_HIDDEN) or file.startswith(_OWN)
            _hidden[key] = hidden
        if not hidden:
            return f"{key[1]}:{frame.f_lineno}"
        frame = frame.f_back  # type: ignore[assignment]
    return "the autograd engine"
