"""What may run a function instead of itself, and what was decided between them."""

from __future__ import annotations

import math
import sys
from dataclasses import dataclass, field
from types import FunctionType
from typing import Any, Protocol

from xp_torch._torch.patches import DYNAMO, INDUCTOR

from .fork import Fork
from .loops import has_loops
from .snapshot import Snapshot


class RefusedError(Exception):
    """A compiler is not for this function, or not for these arguments; the text says why."""


class NotYetError(RefusedError):
    """A compiler would take longer than it may; ``seconds`` is what it would take."""

    def __init__(self, seconds: float) -> None:
        super().__init__(f"it would compile for about {seconds:.0f} s, more than was left for it")
        self.seconds = seconds


def cost_of_torch(is_cached: bool = False) -> float:
    """Seconds: for the imports of Dynamo and of inductor, and for a function."""
    imports = {DYNAMO: 2.5, INDUCTOR: 2.0}
    loading = sum(imports[name] for name in imports.keys() - sys.modules.keys())
    return 0.5 * (loading + 1.0) if is_cached else loading + 3.0


ENOUGH, _ENOUGH_OF_ARRAYS = 0.2, 0.5
"""The part of the function's own time by which a trial ends, with loops and without."""


def in_order(
    function: FunctionType, by_numba: Candidate, by_torch: Candidate
) -> tuple[list[Candidate], float]:
    """The compilers, the likely winner first, and ``Chooser``'s ``enough``.

    Numba compiles loops over elements to what torch cannot compete with; of array expressions it
    rarely makes more than NumPy does.
    """
    if has_loops(function):
        return [by_numba, by_torch], ENOUGH
    return [by_torch, by_numba], _ENOUGH_OF_ARRAYS


class Way(Protocol):
    """A compiled function for one kind of arguments."""

    def call(self, arguments: tuple[object, ...], keywords: dict[str, object]) -> tuple[Any, bool]:
        """The result of a call, and whether compiled code gave it; if not, the function did."""


class Candidate(Protocol):
    """A compiler of one function."""

    name: str
    shortest: float
    """Seconds of a call, less than which the compiled call takes as long as the function."""
    patience: float
    """Times its cost that the function takes before it is tried: it may be for nothing."""

    def cost(self, is_cached: bool = False) -> float:
        """The seconds that compiling is expected to take; ``is_cached`` if that was done before."""

    def compiled(self, copies: Snapshot, result: object) -> tuple[Way, Any]:
        """Compile for arguments like these, and run once on the copies.

        ``result`` is the function's own. ``RefusedError`` if the compiler is not for it.
        """


@dataclass
class Figures:
    """Calls of one kind, and what they took."""

    calls: int = 0
    seconds: float = 0.0
    best: float = math.inf

    def add(self, seconds: float, calls: int = 1) -> None:
        """Count a call, or more that took as long."""
        self.calls += calls
        self.seconds += seconds * calls
        if seconds < self.best:
            self.best = seconds

    def mean(self) -> float:
        """The seconds of a call."""
        return self.seconds / self.calls if self.calls else 0.0


_VARIES = 4.0
"""The mean of a function's calls over the shortest, from which calls are not compared by turns."""


@dataclass
class Choice:
    """What was decided for one kind of arguments, and what it rests on."""

    kind: str
    plain: Figures = field(default_factory=Figures)
    fast: Figures = field(default_factory=Figures)
    by: str = ""
    """The compiler whose code runs; empty while the function runs itself."""
    way: Way | None = None
    best: float = math.inf
    """The shortest time of the compiled code in its trial, in seconds."""
    compiling: float = 0.0
    """The seconds that trials have taken."""
    told: dict[str, str] = field(default_factory=dict)
    """What came of each compiler."""
    waiting: list[Candidate] = field(default_factory=list)
    missed: Figures = field(default_factory=Figures)
    """Calls that compiled code was not right for."""
    trials: int = 0
    since: float = 0.0
    """The seconds of calls since the last trial."""
    turns: Figures | None = None
    """The function's own calls that take turns with compiled ones, until it is clear which wins."""
    needed: dict[str, float] = field(default_factory=dict)
    """The seconds that a compiler did not have."""
    postponed: int = 0
    """The calls that were too short for a trial."""
    may_fork: bool = False
    """Whether the first trial, which is still to come, may be in a fork."""
    fork: Fork | None = None
    """The one that makes a trial."""
    fork_seconds: float = 0.0
    """What that took; the program has gone on."""
    gain: float = 0.0
    """The part of the function's own time that compiled code saves, before it is compiled here."""

    def varies(self) -> bool:
        """Whether the function's own calls take very different times."""
        return self.plain.mean() > _VARIES * self.plain.best

    def saved(self) -> float:
        """The seconds that compiled calls have saved, without those of the compiler."""
        return self.fast.calls * self.plain.mean() - self.fast.seconds

    def __str__(self) -> str:
        lines = [f"({self.kind}): {'compiled by ' + self.by if self.by else 'runs as it was'}"]
        if self.plain.calls:
            lines.append(f"as it was: {_calls(self.plain)}")
        if self.fast.calls:
            saved, each = self.saved(), self.plain.mean() - self.fast.mean()
            repaid = f", repaid after {self.compiling / each:,.0f} calls" if each > 0 else ""
            lines.append(
                f"compiled: {_calls(self.fast)}; compiling took {self.compiling:.1f} s, "
                f"saved {saved:.3g} s so far{repaid}"
            )
        elif self.compiling:
            lines.append(f"trials took {self.compiling:.1f} s")
        if self.fork_seconds:
            lines.append(f"trials in a fork took {self.fork_seconds:.1f} s")
        if self.missed.calls:
            lines.append(f"compiled code did not fit {self.missed.calls} calls")
        lines += [f"{name}: {what}" for name, what in self.told.items()]
        return "\n  ".join(lines)


def _calls(figures: Figures) -> str:
    return f"{figures.calls:,} calls, {1e3 * figures.mean():.3g} ms each"
