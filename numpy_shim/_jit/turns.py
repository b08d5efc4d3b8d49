"""Compiled code and what it is to replace take turns, and the shortest times count."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

from .snapshot import Snapshot

_RUNS, _MOST_RUNS, _SECONDS = 3, 15, 0.05
"""The fastest run counts: of three, or of what takes so many seconds."""
SLOW = 0.2
"""Seconds of a call that is not run again to be measured."""

Run = Callable[[Any, Any], tuple[Any, bool]]
"""A call with arguments and keywords; its result, and whether compiled code gave it."""


def compare(
    compiled: Run, rival: Run, seconds: float, copies: Snapshot, clock: Callable[[], float]
) -> tuple[float, float]:
    """The seconds of compiled code, and of its rival, which took ``seconds`` before.

    They take turns on copies, so that other programs disturb both, and the shortest count.
    There are fewer turns where it is clear, and none for what is long enough as measured.
    """
    is_rerun = seconds < SLOW
    best, runs, start = math.inf, 0, clock()

    def timed(run: Run) -> tuple[float, bool]:
        given, before = copies.again(), clock()
        _, fitted = run(given.arguments, given.keywords)
        return clock() - before, fitted

    while True:
        took, fitted = timed(compiled)
        if not fitted:
            return math.inf, seconds
        best = min(best, took)
        if is_rerun:
            seconds = min(seconds, timed(rival)[0])
        runs += 1
        if best > 4 * seconds or best > SLOW or runs >= _MOST_RUNS:
            break
        if runs >= _RUNS and clock() - start > _SECONDS:
            break
    return best, seconds
