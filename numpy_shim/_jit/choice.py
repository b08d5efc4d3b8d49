"""Which code runs a function: itself, or what a compiler has made of it, by what each takes.

For each kind of arguments the calls of the program are measured. Once they have taken as long as a
compiler is expected to take, one more call is a trial: the function runs for the program, and then
compiled on copies of the arguments that were made before. What agrees and is faster is kept.

Where another processor is free, a fork of the process makes that trial first, and early. Then only
the winner is compiled in the program.
"""

from __future__ import annotations

import math
import threading
import time
from collections.abc import Callable, Sequence
from contextlib import ExitStack
from functools import partial
from typing import Any

from . import fork
from .candidates import Candidate, Choice, Figures, NotYetError, RefusedError, Way
from .guarded import is_trying, now, random_states, trial
from .reasons import SECONDS, TooLongError, caused_by, reason
from .signatures import described, key_of
from .snapshot import KEPT, CannotCopyError, Snapshot
from .turns import SLOW, compare
from .unseen import MOST, Unseen

LIMIT = 15.0
"""Seconds that the trial of one call may take."""
_FASTER = 0.95  # of the function's own time, below which compiled code is kept
_CLEAR, _BRIEF = 0.5, 1e-3
"""What takes less of the function's own time, and more seconds, is kept without turns."""
_POSTPONED = 20  # short calls of such a function that are no trial
_SAMPLE = 5  # compiled calls, and as many of the function itself in turn, that are compared
_LOOK = 1e-6  # seconds by which a compiled call takes longer than is measured
_TRIALS = 4  # of each compiler: for that many kinds of arguments, or after calls that did not fit
_KINDS = 64  # kinds of arguments that are told apart
_LATER = 3.0
"""Times its cost, for which a compiler waits that is not the likely winner, or is being tried."""
_DIFFERS = "compiled it differs "
_UNSEEN = 0.01  # seconds of calls between those that are measured, before there is a trial


class _Inside(threading.local):
    depth = 0  # of the calls in this thread, of which the inner ones are part of the outermost


class Chooser:
    """Runs a function in the fastest way that was found for the kind of arguments.

    ``after`` is the time in seconds below which there is no trial; with ``eager`` the first call is
    one. With neither, the third call is one, whatever it costs. Code that takes less than
    ``enough`` of the function's own time ends the trial. The caller may leave to the function
    itself what ``unseen`` lets pass: with ``any_type``, calls with arguments of all types.
    With ``may_fork``, the first trial is in a fork where there can be one.
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
        enough: float = 0.2,
        unseen: Unseen | None = None,
        any_type: bool = False,
        may_fork: bool = False,
    ) -> None:
        self.plain = plain
        self.candidates = list(candidates)
        self.choices: dict[tuple[Any, ...], Choice] = {}
        self.seconds = self.compiling = 0.0
        self.why_not = ""
        """Why the function always runs itself."""
        self.is_settled = False
        """Whether every kind of arguments was tried, and the function runs itself for all."""
        self._after = after
        self._eager = eager
        self._is_frugal = eager or after > 0
        self._refused = refused
        self._clock = clock
        self._enough = enough
        self._unseen = unseen
        self._any_type = any_type
        self._may_fork = may_fork and after > 0 and not eager
        self._measured: tuple[Choice, Figures, float] | None = None
        self._is_recursive = self._has_way = False
        self._inside = _Inside()
        self._lock = threading.Lock()

    # --- a call ---

    def call(
        self,
        arguments: tuple[object, ...],
        keywords: dict[str, object],
        key: tuple[object, ...] | None = None,
    ) -> Any:
        """Run a call; ``key`` is its kind, if it is known."""
        if self._inside.depth:
            self._is_recursive = True
            return self.plain(*arguments, **keywords)
        if is_trying():
            return self.plain(*arguments, **keywords)
        self.count_unseen()
        if self.why_not:
            self._let_pass(MOST, arguments, keywords)
            return self.plain(*arguments, **keywords)
        if key is None:
            key = key_of(arguments, keywords)
        choice = self.choices.get(key)
        if choice is None:
            if len(self.choices) >= _KINDS:
                return self.plain(*arguments, **keywords)
            waiting, may_fork = list(self.candidates), self._may_fork
            choice = Choice(described(key), waiting=waiting, may_fork=may_fork)
            self.choices[key] = choice
        if choice.waiting:
            due = self._due(choice)
            if due and self._lock.acquire(blocking=False):
                try:
                    return self._trial(choice, due, arguments, keywords)
                finally:
                    self._lock.release()
        if choice.way is None:
            return self._call_itself(choice, arguments, keywords)
        if choice.turns is not None and choice.turns.calls < choice.fast.calls:
            return self._call_in_turn(choice, choice.turns, arguments, keywords)
        return self._call_compiled(choice, arguments, keywords)

    def _call_itself(
        self, choice: Choice, arguments: tuple[object, ...], keywords: dict[str, object]
    ) -> Any:
        start = self._clock()
        self._inside.depth += 1
        try:
            return self.plain(*arguments, **keywords)
        finally:
            self._inside.depth -= 1
            seconds = self._clock() - start
            choice.plain.add(seconds)
            choice.since += seconds
            self.seconds += seconds
            calls = MOST
            if choice.waiting:
                is_known = choice.plain.calls > 1 and not self._eager
                calls = min(MOST, int(_UNSEEN / max(seconds, 1e-7))) if is_known else 0
            self._measured = choice, choice.plain, seconds
            self._let_pass(calls, arguments, keywords)

    def _let_pass(self, calls: int, arguments: tuple[Any, ...], keywords: dict[str, Any]) -> None:
        """Let the next calls like this one pass without a look, where it cannot matter."""
        if self._unseen is None or not calls:
            return
        if self._is_frugal and not self._has_way and not self._is_recursive:
            self._unseen.chooser, self._unseen.plain = self, self.plain
            self._unseen.begin(calls, arguments, keywords, self._any_type)

    def count_unseen(self) -> None:
        """Count the calls since the last one that was measured: each took as long as that."""
        if self._unseen is None or not self._unseen.given:
            return
        passed, chooser = self._unseen.end(), self._unseen.chooser
        if passed and chooser._measured is not None:
            choice, figures, seconds = chooser._measured
            figures.add(seconds, passed)
            choice.since += seconds * passed
            chooser.seconds += seconds * passed

    def _call_in_turn(
        self,
        choice: Choice,
        turns: Figures,
        arguments: tuple[object, ...],
        keywords: dict[str, object],
    ) -> Any:
        """Run the function itself while compiled code is there; keep what is faster."""
        before = choice.plain.calls, choice.plain.seconds
        try:
            return self._call_itself(choice, arguments, keywords)
        finally:
            if choice.plain.calls > before[0]:
                turns.add(choice.plain.seconds - before[1])
            if turns.calls >= (_SAMPLE if turns.best < SLOW else 2):
                choice.turns = None
                # The shortest are compared: other programs disturb the rest.
                if choice.fast.best + _LOOK >= _FASTER * turns.best:
                    told = f"{1e3 * choice.fast.best:.3g} ms, as it was {1e3 * turns.best:.3g} ms"
                    self._stop(choice, f"in the program it is not faster: {told}")

    def _due(self, choice: Choice) -> list[Candidate]:
        """The compilers that the calls so far could repay."""
        if self._eager:
            return list(choice.waiting)
        if choice.plain.calls < 2 or choice.since < self._after:
            return []
        if not self._after:
            return list(choice.waiting)
        if choice.fork is not None and choice.fork.is_done():
            self._hear(choice, choice.fork.result())
        mean = choice.plain.mean()
        possible = [c for c in choice.waiting if mean >= c.shortest]
        if choice.may_fork and possible and not fork.is_busy():
            choice.may_fork = fork.is_possible()
            if choice.may_fork:
                return list(choice.waiting)
        left = min(self.seconds - self.compiling, choice.since)
        due = []
        for candidate in possible:  # the likely winner is the first to be tried
            if left < self._cost(choice, candidate) * self._patience(choice, candidate):
                break
            due.append(candidate)
        return due

    def _patience(self, choice: Choice, candidate: Candidate) -> float:
        """Times its cost that the calls take before a compiler is tried in this process."""
        if choice.gain:
            return candidate.patience / choice.gain
        is_likely = candidate is self.candidates[0] or choice.by == candidate.name
        is_for_fork = choice.may_fork or choice.fork is not None
        return candidate.patience if is_likely and not is_for_fork else _LATER

    def _hear(self, choice: Choice, told: Choice | None) -> None:
        """Take what a fork has found; without it the program finds out itself."""
        choice.fork = None
        if told is None:
            return
        choice.told, choice.fork_seconds, choice.gain = told.told, told.compiling, told.gain
        choice.waiting = [c for c in choice.waiting if c.name == told.by]
        for why in told.told.values():
            if why.startswith(_DIFFERS) and self._refused is not None:
                self._refused(choice, why.removeprefix(_DIFFERS))
        self._settle()

    @staticmethod
    def _cost(choice: Choice, candidate: Candidate) -> float:
        return max(candidate.cost(bool(choice.gain)), choice.needed.get(candidate.name, 0.0))

    def _call_compiled(
        self, choice: Choice, arguments: tuple[object, ...], keywords: dict[str, object]
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
        if (
            figures.calls == _SAMPLE
            and choice.turns is None
            and figures.best >= choice.plain.best
            and not choice.varies()
            and self._is_frugal
        ):
            self._stop(choice, "in the program it is not faster")
        elif figures.calls > 2 * _SAMPLE and self._is_frugal and self._unseen is not None:
            self._measured = choice, figures, seconds
            self._unseen.chooser = self
            self._unseen.plain = partial(self._run, self._unseen, choice, choice.way)
            self._unseen.begin_compiled(MOST, arguments, keywords)
        return result

    def _run(
        self, unseen: Unseen, choice: Choice, way: Way, /, *arguments: object, **keywords: object
    ) -> Any:
        """Run compiled code in a call that is not looked at."""
        result, fitted = way.call(arguments, keywords)
        if not fitted:
            choice.missed.add(choice.plain.mean())
            unseen.given -= 1
            self.count_unseen()  # the next call is looked at
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
        choice.missed, choice.fast, choice.turns = Figures(), Figures(), None
        self._settle()

    def _settle(self) -> None:
        self._has_way = any(c.way for c in self.choices.values())
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
        arguments: tuple[object, ...],
        keywords: dict[str, object],
    ) -> Any:
        """Run the function for the program, and then what compilers make of it on copies."""
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
        own = self._clock() - start
        choice.plain.add(own)
        self.seconds += own
        if random_states() != states:
            self.give_up("it draws random numbers")
            return result
        if own < 0.5 * choice.plain.mean() and choice.varies() and self._after:
            choice.postponed += 1
            if choice.postponed <= _POSTPONED:
                return result
        given = (*arguments, *keywords.values())
        if choice.may_fork and not fork.is_busy():
            choice.may_fork = False
            choice.fork = fork.start(partial(self._tried, choice, due, copies, given, result, own))
            return result
        if choice.fork is not None:
            choice.fork.stop()
            choice.fork = None
        choice.since = 0.0
        choice.trials += 1
        start = time.perf_counter()
        try:
            self._try(choice, due, copies, given, result, own)
        finally:
            seconds = time.perf_counter() - start
            choice.compiling += seconds
            self.compiling += seconds
            choice.gain = 0.0
            self._settle()
        return result

    def _tried(self, choice: Choice, due: list[Candidate], *given: Any) -> Choice:
        """What comes of a trial in a fork, where it costs the program nothing."""
        self._eager, self._refused = True, None
        start = time.perf_counter()
        gain = self._try(choice, due, *given)
        seconds = time.perf_counter() - start
        return Choice(choice.kind, by=choice.by, gain=gain, told=choice.told, compiling=seconds)

    def _try(
        self,
        choice: Choice,
        due: list[Candidate],
        copies: Snapshot,
        arguments: tuple[object, ...],
        result: object,
        own: float,
    ) -> float:
        """Let compilers compile; ``own`` is what the call took, in seconds.

        Gives the part of it that the fastest code saves; 0.0 if nothing is faster.
        """
        gain, start = 0.0, time.perf_counter()
        is_known = self._eager or bool(choice.gain)  # to be worth it, whatever it takes
        for candidate in due:
            left = min(LIMIT, math.inf if is_known else self.seconds - self.compiling)
            left = left - (time.perf_counter() - start) if self._is_frugal else math.inf
            is_again = choice.by == candidate.name
            why = "" if is_again else self._why_not_tried(choice, candidate, own)
            if why:
                choice.told[candidate.name] = f"not tried: {why}"
                choice.waiting.remove(candidate)
                continue
            way = self._compiled(choice, candidate, copies, arguments, result, left)
            if way is None:
                if is_again and candidate not in choice.waiting:
                    choice.way, choice.by, choice.fast = None, "", Figures()
                continue
            is_other = choice.way is not None and not is_again
            with trial():
                seconds, bound = self._compared(choice, is_other, way, copies, own)
            if seconds >= _FASTER * bound and self._is_frugal:
                choice.told[candidate.name] = (
                    f"right, but not faster: {1e3 * seconds:.3g} ms, "
                    f"{choice.by or 'as it was'} {1e3 * bound:.3g} ms"
                )
                continue
            if is_other:
                choice.told[choice.by] = f"right, but slower: {1e3 * bound:.3g} ms"
            choice.told[candidate.name] = f"the fastest: {1e3 * seconds:.3g} ms"
            choice.way, choice.by, choice.best = way, candidate.name, seconds
            if not is_other:
                own = bound
            gain = 1.0 - seconds / own
            if not is_again:
                choice.fast = Figures()
                is_long = seconds > _BRIEF or choice.varies()
                is_clear = is_long and seconds + _LOOK < _CLEAR * own
                choice.turns = None if is_clear or not self._is_frugal else Figures()
        return gain

    def _why_not_tried(self, choice: Choice, candidate: Candidate, own: float) -> str:
        """Why a compiler cannot win; empty if it may."""
        if choice.way and choice.best < self._enough * own:
            return f"{choice.by} takes less than {self._enough:.0%} of the function's time"
        if self._is_frugal and choice.plain.mean() < candidate.shortest:
            return f"a call of {1e6 * choice.plain.mean():.2g} us is too short"
        return ""

    def _compiled(
        self,
        choice: Choice,
        candidate: Candidate,
        copies: Snapshot,
        arguments: tuple[object, ...],
        result: object,
        left: float,
    ) -> Way | None:
        """What a compiler has made, if it agrees with the function."""
        given = copies.again()
        needed = self._cost(choice, candidate)
        try:
            if left < min(needed, LIMIT) and self._after:
                raise NotYetError(needed)
            with ExitStack() as stack:
                stack.enter_context(trial(left))
                way, other = candidate.compiled(given, result)
                difference = given.difference(arguments, result, other)
        except Exception as error:  # whatever it is, the program goes on without the compiler
            later = caused_by(error, NotYetError)
            if caused_by(error, TooLongError) and left < SECONDS:
                later = NotYetError(2 * max(left, needed))  # a longer trace may be repaid
            is_first = candidate.name not in choice.needed
            if isinstance(later, NotYetError) and not self._eager and is_first:
                choice.needed[candidate.name] = later.seconds
            else:
                choice.waiting.remove(candidate)
            refused = later or caused_by(error, RefusedError)
            told = str(refused).partition("\n")[0] if refused else reason(error)
            choice.told[candidate.name] = told
            return None
        choice.waiting.remove(candidate)
        if difference:
            if KEPT in difference:
                choice.told[candidate.name] = KEPT
            else:
                choice.told[candidate.name] = _DIFFERS + difference
                if self._refused is not None:
                    self._refused(choice, difference)
            return None
        return way

    def _compared(
        self, choice: Choice, is_other: bool, way: Way, copies: Snapshot, own: float
    ) -> tuple[float, float]:
        """The seconds of compiled code, and of what it is to replace."""
        if is_other and choice.way is not None:
            return compare(way.call, choice.way.call, choice.best, copies, self._clock)
        seconds, own = compare(way.call, self._itself, own, copies, self._clock)
        choice.plain.best = min(choice.plain.best, own)
        return seconds, own

    def _itself(self, arguments: Any, keywords: Any) -> tuple[Any, bool]:
        return self.plain(*arguments, **keywords), True
