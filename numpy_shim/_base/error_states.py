"""Floating-point errors: ``errstate`` and related functions, off by default.

NumPy warns of a division by zero as it computes; on a device that would wait for every
result. So results are not checked until ``seterr`` or ``errstate`` asks for a warning, an
exception or a call. Then they are checked (``error_checks``), which synchronises. The fast
paths do not check: while errors are looked for, their tables are empty, and every call
takes the general path, which tests ``active``.
"""

from __future__ import annotations

import functools
import warnings
from collections.abc import Callable, Collection
from contextvars import Token
from types import TracebackType
from typing import Any, NamedTuple

import numpy
from torch.compiler import is_compiling

from xp_torch._core.context import ContextValue, Held, state_of_tables

from .fast_tables import empty_all, fill_all
from .tracing import caller

__all__ = ["errstate", "geterr", "geterrcall", "seterr", "seterrcall"]

KINDS = ("divide", "over", "under", "invalid")
_WORDS = {
    "divide": "divide by zero", "over": "overflow", "under": "underflow",
    "invalid": "invalid value",
}  # fmt: skip
_FLAGS = {"divide": 1, "over": 2, "under": 4, "invalid": 8}
_MODES = frozenset({"ignore", "warn", "raise", "call", "print", "log"})


class _Default(str):
    """The mode ``'ignore'`` of a kind that nobody has set, and what it is for NumPy's scalars.

    ``seterr(**old)`` restores both by it: as a plain ``'ignore'`` it would silence the scalars.
    """

    __slots__ = ("of_scalars",)
    of_scalars: str

    def __new__(cls, of_scalars: str) -> _Default:
        made = super().__new__(cls, "ignore")
        made.of_scalars = of_scalars
        return made


_DEFAULTS: dict[str, str] = {
    kind: _Default("ignore" if kind == "under" else "warn") for kind in KINDS
}


def _of_scalars(mode: str | None) -> Any:
    """The mode that NumPy gets for its scalars."""
    return mode.of_scalars if type(mode) is _Default else mode


class _unspecified:
    """Stands for an argument that was not given; a class, which Dynamo can follow."""


class _State(NamedTuple):
    """How a context handles errors."""

    modes: dict[str, str]
    handler: Any = None

    def checks(self) -> bool:
        """Whether the context checks for errors of any kind."""
        return any(mode != "ignore" for mode in self.modes.values())


active = False
"""Whether any living context checks for any kind of error.

Read it once per call: another thread may change it. It is true while this context checks.
"""


state_of_tables.append((__name__, "active"))


def _switch(checks: bool) -> None:
    """Turn the fast paths off for the first context that checks, and on after the last one."""
    global active
    if checks:
        active = True
        empty_all()
    else:
        fill_all()
        active = False


_state = ContextValue("errstate", _State(_DEFAULTS), _switch, _State.checks)


def _changed(
    all: str | None, divide: str | None, over: str | None, under: str | None, invalid: str | None
) -> dict[str, str]:
    """The context's state, updated with the given modes; ``ValueError`` for an unknown mode."""
    state = dict(_state.get().modes)
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
    """Set how floating-point errors are handled.

    Parameters
    ----------
    all, divide, over, under, invalid : {'ignore', 'warn', 'raise', 'call', 'print', 'log'}
        What to do about all kinds of errors, or one. Any mode but ``'ignore'`` makes ufuncs,
        reductions, products and casts wait for their results.

    Returns
    -------
    dict
        The previous modes.

    Notes
    -----
    NumPy warns by default of every error but underflow. Here arrays are not checked by default.
    Scalars of known value are NumPy's own, and NumPy handles their errors: every change is
    passed on to NumPy. The setting belongs to the thread or task, as NumPy's does. Errors are
    found by comparing operands and results, which a trace cannot do.

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
    modes = _changed(all, divide, over, under, invalid)
    _state.set(_state.get()._replace(modes=modes))
    numpy.seterr(*map(_of_scalars, (all, divide, over, under, invalid)))
    return before


def geterr() -> dict[str, str]:
    """How each kind of floating-point error is handled; by default it is ignored.

    Returns
    -------
    dict
        The mode of each kind: 'divide', 'over', 'under' and 'invalid'.

    Examples
    --------
    >>> import numpy_shim as np
    >>> np.geterr()
    {'divide': 'ignore', 'over': 'ignore', 'under': 'ignore', 'invalid': 'ignore'}
    """
    return dict(_state.get().modes)


def seterrcall(func: Any) -> Any:
    """Set what is called in mode ``'call'``, or written to in mode ``'log'``.

    Parameters
    ----------
    func : callable, object with a method ``write``, or None
        A callable gets the kind of error and a flag; ``write`` gets a message.

    Returns
    -------
    object
        The previous setting.

    Examples
    --------
    >>> import numpy_shim as np
    >>> before = np.seterrcall(lambda kind, flag: print(kind))
    >>> with np.errstate(divide="call"):
    ...     _ = np.array([1.0]) / 0
    divide by zero
    >>> _ = np.seterrcall(before)
    """
    state = _state.get()
    _state.set(state._replace(handler=_checked_handler(func)))
    numpy.seterrcall(func)
    return state.handler


def _checked_handler(func: object) -> Any:
    if func is not None and not callable(func) and not callable(getattr(func, "write", None)):
        raise TypeError("seterrcall: func must be callable or have a method 'write'")
    return func


def geterrcall() -> Any:
    """The callable or object that ``seterrcall`` has set.

    Returns
    -------
    callable, object with a method ``write``, or None
        The current setting.

    Examples
    --------
    >>> import numpy_shim as np
    >>> np.geterrcall() is None
    True
    """
    return _state.get().handler


class errstate:
    """A context manager, and a decorator, that sets how floating-point errors are handled.

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
        call: object = _unspecified,
        all: str | None = None,
        divide: str | None = None,
        over: str | None = None,
        under: str | None = None,
        invalid: str | None = None,
    ) -> None:
        self._call = call
        self._modes = (all, divide, over, under, invalid)
        self._token: Token[Held[_State]] | None = None
        self._entered = False

    def __enter__(self) -> None:
        if is_compiling():
            # A trace has no values to check.
            for mode in self._modes:
                if mode is not None and mode != "ignore":
                    raise RuntimeError(f"errstate: errors cannot be looked for in a trace: {mode}")
            return
        if self._entered:
            raise TypeError("Cannot enter `np.errstate` twice.")
        self._entered = True
        modes = _changed(*self._modes)
        handler = _state.get().handler
        if self._call is not _unspecified:
            handler = _checked_handler(self._call)
        self._token = _state.set(_State(modes, handler))
        given = dict(zip(("all", *KINDS), map(_of_scalars, self._modes), strict=True))
        if self._call is not _unspecified:
            given["call"] = self._call
        self._numpys = numpy.errstate(**given)
        self._numpys.__enter__()

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        if is_compiling() or self._token is None:
            return
        token, self._token = self._token, None
        _state.reset(token)
        self._numpys.__exit__(kind, error, traceback)

    def __call__(self, func: Callable[..., Any]) -> Callable[..., Any]:
        """``func`` with this state while it runs."""

        @functools.wraps(func)
        def inner(*args: object, **kwargs: object) -> Any:
            all, divide, over, under, invalid = self._modes
            with errstate(
                call=self._call, all=all, divide=divide, over=over, under=under, invalid=invalid
            ):
                return func(*args, **kwargs)

        return inner


def looked_for() -> list[str]:
    """The kinds of errors that the context checks for."""
    return [kind for kind, mode in _state.get().modes.items() if mode != "ignore"]


def report(kinds: Collection[str], operation: str) -> None:
    """Handle errors of these kinds as the context asks; the message names ``operation``."""
    modes = _state.get().modes
    for kind in KINDS:
        if kind in kinds and modes[kind] != "ignore":
            _report(modes[kind], kind, f"{_WORDS[kind]} encountered in {operation}")


def _report(mode: str, kind: str, message: str) -> None:
    if mode == "warn":
        warnings.warn(message, RuntimeWarning, stacklevel=caller())
    elif mode == "raise":
        raise FloatingPointError(message)
    elif mode == "print":
        print(f"Warning: {message}")
    else:
        handler = _state.get().handler
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
