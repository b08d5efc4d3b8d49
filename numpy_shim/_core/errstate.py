"""Floating-point errors: ``errstate`` and its like, honoured where they are asked for.

NumPy warns of a division by zero as it computes; on a device that would wait for every
result. So nothing is looked at until ``seterr`` or ``errstate`` asks for a warning, an
exception or a call; then results are checked (``error_checks``), which synchronises. The fast
paths know nothing of it: while errors are looked for their tables are empty, and every call
takes the general way, which asks whether ``active`` is set.
"""

from __future__ import annotations

import functools
import sys
import threading
import warnings
from collections.abc import Callable, Collection
from contextvars import ContextVar
from types import TracebackType
from typing import Any

from torch.compiler import is_compiling

from .._ufunc.spec import FAST_TABLES

__all__ = ["errstate", "geterr", "geterrcall", "seterr", "seterrcall"]

KINDS = ("divide", "over", "under", "invalid")
_WORDS = {
    "divide": "divide by zero", "over": "overflow", "under": "underflow",
    "invalid": "invalid value",
}  # fmt: skip
_FLAGS = {"divide": 1, "over": 2, "under": 4, "invalid": 8}
_MODES = frozenset({"ignore", "warn", "raise", "call", "print", "log"})
_IGNORED = dict.fromkeys(KINDS, "ignore")


class _unspecified:
    """Stands for an argument that was not given; a class, which Dynamo can follow."""


_state: ContextVar[dict[str, str]] = ContextVar("errors", default=_IGNORED)
_handler: ContextVar[Any] = ContextVar("handler", default=None)

active = False
"""Whether any thread looks for any kind of error."""

_watching: set[int] = set()
_lock = threading.Lock()
_emptied: list[tuple[dict[Any, Any], dict[Any, Any]]] = []
"""The fast tables of all ufuncs, emptied, each with what was in it."""


def _set(state: dict[str, str]) -> None:
    """Make ``state`` the context's, and the fast tables what that needs."""
    global active
    _state.set(state)
    with _lock:
        if any(mode != "ignore" for mode in state.values()):
            _watching.add(threading.get_ident())
        else:
            _watching.discard(threading.get_ident())
        if active is bool(_watching):
            return
        active = not active
        if active:
            for table in FAST_TABLES:
                _emptied.append((table, dict(table)))
                table.clear()
        else:
            for table, entries in _emptied:
                table.update(entries)
            _emptied.clear()


def _changed(
    all: str | None, divide: str | None, over: str | None, under: str | None, invalid: str | None
) -> dict[str, str]:
    """The context's state with what was given in its place; ``ValueError`` for no mode."""
    state = dict(_state.get())
    for kind, mode in zip(KINDS, (divide, over, under, invalid), strict=True):
        chosen = all if mode is None else mode
        if chosen is None:
            continue
        if chosen not in _MODES:
            raise ValueError(f"invalid error mode for {kind}: {chosen!r}, not one of {_MODES}")
        state[kind] = chosen
    return state


def seterr(
    all: str | None = None,
    divide: str | None = None,
    over: str | None = None,
    under: str | None = None,
    invalid: str | None = None,
) -> dict[str, str]:
    """Set what is done about floating-point errors.

    Parameters
    ----------
    all, divide, over, under, invalid : {'ignore', 'warn', 'raise', 'call', 'print', 'log'}
        What to do about all kinds of errors, or one. Any mode but ``'ignore'`` makes ufuncs,
        reductions, products and casts wait for their results.

    Returns
    -------
    dict
        What was done before.

    Notes
    -----
    NumPy's default is to warn, but of underflow; here nothing is looked for by default. The
    setting is that of the thread or task, as NumPy's. Errors are told from the operands and
    results, and no trace can look for them.

    Examples
    --------
    >>> import numpy_shim as np
    >>> old = np.seterr(divide="raise")
    >>> np.array([1.0]) / 0
    Traceback (most recent call last):
    FloatingPointError: divide by zero encountered in divide
    >>> _ = np.seterr(**old)
    """
    before = geterr()
    _set(_changed(all, divide, over, under, invalid))
    return before


def geterr() -> dict[str, str]:
    """What is done about each kind of floating-point error; by default nothing.

    Examples
    --------
    >>> import numpy_shim as np
    >>> np.geterr()
    {'divide': 'ignore', 'over': 'ignore', 'under': 'ignore', 'invalid': 'ignore'}
    """
    return dict(_state.get())


def seterrcall(func: Any) -> Any:
    """Set what is called in mode ``'call'``, or written to in mode ``'log'``.

    Parameters
    ----------
    func : callable, object with a method ``write``, or None
        A callable gets the kind of error and a flag; ``write`` gets a message.

    Returns
    -------
    object
        What was set before.

    Examples
    --------
    >>> import numpy_shim as np
    >>> before = np.seterrcall(lambda kind, flag: print(kind))
    >>> with np.errstate(divide="call"):
    ...     _ = np.array([1.0]) / 0
    divide by zero
    >>> _ = np.seterrcall(before)
    """
    before = _handler.get()
    _handler.set(_checked_handler(func))
    return before


def _checked_handler(func: Any) -> Any:
    if func is not None and not callable(func) and not callable(getattr(func, "write", None)):
        raise TypeError("seterrcall: func must be callable or have a method 'write'")
    return func


def geterrcall() -> Any:
    """What ``seterrcall`` has set.

    Examples
    --------
    >>> import numpy_shim as np
    >>> np.geterrcall() is None
    True
    """
    return _handler.get()


class errstate:
    """A context manager, and a decorator, for what is done about floating-point errors.

    Parameters
    ----------
    call : callable or object with a method ``write``, optional
        As for ``seterrcall``.
    all, divide, over, under, invalid : str, optional
        As for ``seterr``: every mode but ``'ignore'`` makes calls wait for their results.

    Examples
    --------
    >>> import numpy_shim as np
    >>> with np.errstate(invalid="raise"):
    ...     np.sqrt(np.array([-1.0]))
    Traceback (most recent call last):
    FloatingPointError: invalid value encountered in sqrt
    """

    def __init__(
        self,
        *,
        call: Any = _unspecified,
        all: str | None = None,
        divide: str | None = None,
        over: str | None = None,
        under: str | None = None,
        invalid: str | None = None,
    ) -> None:
        self._call = call
        self._modes = (all, divide, over, under, invalid)
        self._before: tuple[dict[str, str], Any] | None = None
        self._entered = False

    def __enter__(self) -> None:
        if is_compiling():
            # Nothing is looked for in a trace, which has no values.
            for mode in self._modes:
                if mode is not None and mode != "ignore":
                    raise RuntimeError(f"errstate: errors cannot be looked for in a trace: {mode}")
            return
        if self._entered:
            raise TypeError("Cannot enter `np.errstate` twice.")
        self._entered = True
        state = _changed(*self._modes)
        handler = _handler.get()
        if self._call is not _unspecified:
            _handler.set(_checked_handler(self._call))
        self._before = _state.get(), handler
        _set(state)

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        if is_compiling() or self._before is None:
            return
        state, handler = self._before
        self._before = None
        _handler.set(handler)
        _set(state)

    def __call__(self, func: Callable[..., Any]) -> Callable[..., Any]:
        """``func`` with this state while it runs."""

        @functools.wraps(func)
        def inner(*args: Any, **kwargs: Any) -> Any:
            all, divide, over, under, invalid = self._modes
            with errstate(
                call=self._call, all=all, divide=divide, over=over, under=under, invalid=invalid
            ):
                return func(*args, **kwargs)

        return inner


def caller() -> int:
    """The ``stacklevel`` of the first caller outside of this package."""
    level, frame = 1, sys._getframe(1)
    while frame.f_back is not None and str(frame.f_globals.get("__name__")).startswith(
        "numpy_shim."
    ):
        level, frame = level + 1, frame.f_back
    return level


def looked_for() -> list[str]:
    """The kinds of errors that the context looks for."""
    return [kind for kind, mode in _state.get().items() if mode != "ignore"]


def report(kinds: Collection[str], place: str) -> None:
    """Do what was asked for about errors of these kinds; ``place`` is where they were met."""
    state = _state.get()
    for kind in KINDS:
        if kind in kinds and state[kind] != "ignore":
            _report(state[kind], kind, f"{_WORDS[kind]} encountered in {place}")


def _report(mode: str, kind: str, message: str) -> None:
    if mode == "warn":
        warnings.warn(message, RuntimeWarning, stacklevel=caller())
    elif mode == "raise":
        raise FloatingPointError(message)
    elif mode == "print":
        print(f"Warning: {message}")
    else:
        handler = _handler.get()
        if mode == "call":
            if handler is None or not callable(handler):
                raise NameError(
                    f"python callback specified for {_WORDS[kind]} but no function found."
                )
            handler(_WORDS[kind], _FLAGS[kind])
        else:
            if handler is None or not hasattr(handler, "write"):
                raise NameError(
                    f"log specified for {_WORDS[kind]} but no object with write method."
                )
            handler.write(f"Warning: {message}\n")
