"""Which code runs a function: itself, or what a compiler has made of it, by what each takes.

For each kind of arguments the calls of the program are measured. Once they have taken as long as a
compiler is expected to take, one more call is a trial: the function runs for the program, and then
compiled on copies of the arguments that were made before. What agrees and is faster is kept.
"""

from __future__ import annotations

import math
import threading
import time
from collections.abc import Callable, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field
from typing import Any

from .candidates import Candidate, Figures, NotYetError, RefusedError, Way
from .guarded import is_trying, now, random_states, trial
from .reasons import caused_by, reason
from .signatures import described, key_of
from .snapshot import KEPT, CannotCopyError, Snapshot

LIMIT = 15.0
"""Seconds that the trial of one call may take."""
_FASTER = 0.95  # of the function's own time, below which compiled code is kept
_ENOUGH = 0.2  # of the function's own time, below which no other compiler is tried
_RUNS = 3  # in a trial, of which the fastest counts
_SAMPLE = 5  # calls until compiled ones are compared with the others
_TRIALS = 4  # of each compiler: for that many kinds of arguments, or after calls that did not fit
_KINDS = 64  # kinds of arguments that are told apart
_SHORT = 5e-6  # seconds of a call that is looked at only once in a while
_SKIPPED = 31


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
        if self.missed.calls:
            lines.append(f"compiled code did not fit {self.missed.calls} calls")
        lines += [f"{name}: {what}" for name, what in self.told.items()]
        return "\n  ".join(lines)


def _calls(figures: Figures) -> str:
    return f"{figures.calls:,} calls, {1e3 * figures.mean():.3g} ms each"


class _Inside(threading.local):
    depth = 0  # of the calls in this thread, of which the inner ones are part of the outermost


class Chooser:
    """Runs a function in the fastest way that was found for the kind of arguments.

    ``after`` is the time in seconds below which there is no trial; with ``eager`` the first call is
    one. With neither, the third call is one, whatever it costs.
    """

    def __init__(
        self,
        plain: Callable[..., Any],
        candidates: Sequence[Candidate],
        *,
        after: float = 0.0,
        eager: bool = False,
        refused: Callable[[Choice, str], None] | None = None,
        clock: Callable[[], float] = now,
    ) -> None:
        self.plain = plain
        self.candidates = list(candidates)
        self.choices: dict[tuple[Any, ...], Choice] = {}
        self.seconds = self.compiling = 0.0
        self.why_not = ""
        """Why the function always runs itself."""
        self.skip = 0
        """Calls that need not be looked at."""
        self.is_settled = False
        """Whether every kind of arguments was tried, and the function runs itself for all."""
        self._after = after
        self._eager = eager
        self._is_frugal = eager or after > 0
        self._refused = refused
        self._clock = clock
        self._inside = _Inside()
        self._lock = threading.Lock()

    # --- a call ---

    def call(
        self,
        arguments: tuple[Any, ...],
        keywords: dict[str, Any],
        key: tuple[Any, ...] | None = None,
    ) -> Any:
        """Run a call; ``key`` is its kind, if it is known."""
        if self._inside.depth or self.why_not or is_trying():
            return self.plain(*arguments, **keywords)
        if key is None:
            key = key_of(arguments, keywords)
        choice = self.choices.get(key)
        if choice is None:
            if len(self.choices) >= _KINDS:
                return self.plain(*arguments, **keywords)
            choice = self.choices[key] = Choice(described(key), waiting=list(self.candidates))
        if choice.waiting:
            due = self._due(choice)
            if due and self._lock.acquire(blocking=False):
                try:
                    return self._trial(choice, due, arguments, keywords)
                finally:
                    self._lock.release()
        if choice.way is not None:
            return self._call_compiled(choice, arguments, keywords)
        figures = choice.plain
        start = self._clock()
        self._inside.depth += 1
        try:
            return self.plain(*arguments, **keywords)
        finally:
            self._inside.depth -= 1
            seconds = self._clock() - start
            figures.add(seconds)
            choice.since += seconds
            self.seconds += seconds
            is_decided = not (self._eager and choice.waiting)
            if figures.best < _SHORT and figures.calls > _SKIPPED and is_decided:
                self.skip = _SKIPPED

    def _due(self, choice: Choice) -> list[Candidate]:
        """The compilers that the calls so far could repay."""
        if self._eager:
            return list(choice.waiting)
        if choice.plain.calls < 2 or choice.since < self._after:
            return []
        mean = choice.plain.mean()
        left = self.seconds - self.compiling
        return [
            candidate
            for candidate in choice.waiting
            if (not self._after or mean >= candidate.shortest)
            and (not self._after or min(left, choice.since) >= candidate.cost())
        ]

    def _call_compiled(
        self, choice: Choice, arguments: tuple[Any, ...], keywords: dict[str, Any]
    ) -> Any:
        assert choice.way is not None
        start = self._clock()
        self._inside.depth += 1
        try:
            result, fitted = choice.way.call(arguments, keywords)
        finally:
            self._inside.depth -= 1
        seconds = self._clock() - start
        choice.since += seconds
        self.seconds += seconds
        if not fitted:
            choice.missed.add(seconds)
            lost = max(self._after, choice.plain.best, 0.5 * choice.saved())
            if not self._is_frugal or (choice.missed.calls > 2 and choice.missed.seconds > lost):
                self._compile_again(choice)
            return result
        figures = choice.fast
        figures.add(seconds)
        if figures.calls == _SAMPLE and figures.best >= choice.plain.best and self._is_frugal:
            # The shortest times are compared, without those of the trial: other programs and the
            # first call disturb the rest.
            self._stop(choice, "in the program it is not faster")
        return result

    def _compile_again(self, choice: Choice) -> None:
        """Let torch compile once more, for what did not fit; its code stays for what fits."""
        if choice.trials >= _TRIALS or self._eager or choice.by == "Numba":
            self._stop(choice, f"it did not fit {choice.missed.calls} calls")
            return
        choice.missed, choice.since = Figures(), 0.0
        again = [c for c in self.candidates if c.name == choice.by]
        choice.waiting += [c for c in again if c not in choice.waiting]

    def _stop(self, choice: Choice, why: str) -> None:
        """Run the function itself again."""
        choice.told[choice.by] = why
        choice.way, choice.by, choice.since = None, "", 0.0
        choice.missed, choice.fast = Figures(), Figures()
        self._settle()

    def _settle(self) -> None:
        self.is_settled = bool(self.why_not) or not any(
            c.way or c.waiting for c in self.choices.values()
        )

    def give_up(self, why: str) -> None:
        """Run the function itself from now on."""
        self.why_not = why
        for choice in self.choices.values():
            choice.way, choice.by, choice.waiting = None, "", []
        self._settle()

    # --- a trial ---

    def _trial(
        self,
        choice: Choice,
        due: list[Candidate],
        arguments: tuple[Any, ...],
        keywords: dict[str, Any],
    ) -> Any:
        """Run the function for the program, and then what compilers make of it on copies."""
        choice.since = 0.0
        choice.trials += 1
        try:
            copies = Snapshot(arguments, keywords)
        except CannotCopyError as error:
            for candidate in choice.waiting:
                choice.told[candidate.name] = str(error)
            choice.waiting, choice.way, choice.by = [], None, ""
            self._settle()
            return self.plain(*arguments, **keywords)
        states = random_states()
        start = self._clock()
        self._inside.depth += 1
        try:
            result = self.plain(*arguments, **keywords)
        finally:
            self._inside.depth -= 1
        seconds = self._clock() - start
        choice.plain.add(seconds)
        self.seconds += seconds
        if random_states() != states:
            self.give_up("it draws random numbers")
            return result
        start = time.perf_counter()
        try:
            self._try(choice, due, copies, (*arguments, *keywords.values()), result)
        finally:
            seconds = time.perf_counter() - start
            choice.compiling += seconds
            self.compiling += seconds
            self._settle()
        return result

    def _try(
        self,
        choice: Choice,
        due: list[Candidate],
        copies: Snapshot,
        arguments: tuple[Any, ...],
        result: Any,
    ) -> None:
        start = time.perf_counter()
        is_timed = choice.plain.calls > _RUNS

        def plain(a: Any, k: Any) -> tuple[Any, bool]:
            return self.plain(*a, **k), True

        for candidate in due:
            left = min(LIMIT, math.inf if self._eager else self.seconds - self.compiling)
            left = left - (time.perf_counter() - start) if self._is_frugal else math.inf
            is_again = choice.by == candidate.name
            if choice.way and not is_again and choice.best < _ENOUGH * choice.plain.best:
                choice.told[candidate.name] = f"not tried: {choice.by} takes less than a fifth"
                choice.waiting.remove(candidate)
                continue
            way = self._compiled(choice, candidate, copies, arguments, result, left)
            if way is None:
                if is_again and candidate not in choice.waiting:
                    choice.way, choice.by, choice.fast = None, "", Figures()
                continue
            with trial():
                if not is_timed:  # what one compiler takes without effects may run again
                    is_timed = True
                    runs = self._timed(plain, copies, math.inf)
                    choice.plain.best = min(choice.plain.best, runs)
                is_other = choice.way is not None and not is_again
                bound = choice.best if is_other else choice.plain.best
                seconds = self._timed(way.call, copies, bound)
            if seconds >= _FASTER * bound and self._is_frugal:
                choice.told[candidate.name] = (
                    f"right, but not faster: {1e3 * seconds:.3g} ms, "
                    f"{choice.by or 'as it was'} {1e3 * bound:.3g} ms"
                )
                continue
            if is_other:
                choice.told[choice.by] = f"right, but slower: {1e3 * bound:.3g} ms"
            choice.told[candidate.name] = f"the fastest: {1e3 * seconds:.3g} ms"
            choice.way, choice.by = way, candidate.name
            choice.best = seconds
            choice.fast = choice.fast if is_again else Figures()

    def _compiled(
        self,
        choice: Choice,
        candidate: Candidate,
        copies: Snapshot,
        arguments: tuple[Any, ...],
        result: Any,
        left: float,
    ) -> Way | None:
        """What a compiler has made, if it agrees with the function."""
        given = copies.again()
        try:
            if left < min(candidate.cost(), LIMIT) and self._after:
                raise NotYetError(candidate.cost())
            with ExitStack() as stack:
                stack.enter_context(trial(left))
                way, other = candidate.compiled(given, result)
                difference = given.difference(arguments, result, other)
        except Exception as error:  # whatever it is, the program goes on without the compiler
            later = caused_by(error, NotYetError)
            if not isinstance(later, NotYetError) or self._eager:
                choice.waiting.remove(candidate)
            refused = caused_by(error, RefusedError)
            told = str(refused).partition("\n")[0] if refused else reason(error)
            choice.told[candidate.name] = told
            return None
        choice.waiting.remove(candidate)
        if difference:
            if KEPT in difference:
                choice.told[candidate.name] = KEPT
            else:
                choice.told[candidate.name] = f"compiled it differs {difference}"
                if self._refused is not None:
                    self._refused(choice, difference)
            return None
        return way

    def _timed(self, call: Callable[..., Any], copies: Snapshot, bound: float) -> float:
        """The shortest of a few runs on copies; fewer where it is clear that they are too slow."""
        best = math.inf
        for _ in range(_RUNS):
            given = copies.again()
            start = self._clock()
            _, fitted = call(given.arguments, given.keywords)
            best = min(best, self._clock() - start)
            if not fitted:
                return math.inf
            if best > 4 * bound or best > 1.0:
                break
        return best
