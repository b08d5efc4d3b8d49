"""Floating-point errors: ``errstate`` and its like, honoured where they are asked for.

NumPy warns of a division by zero as it computes; on a device that would wait for every
result. So nothing is looked at until ``seterr`` or ``errstate`` asks for a warning, an
exception or a call; then the results of ufuncs are checked, which synchronises. The fast
paths know nothing of it: while errors are looked for their tables are empty, and every call
takes the general way.
"""

from __future__ import annotations

import functools
import sys
import threading
import warnings
from collections.abc import Callable
from contextvars import ContextVar
from types import TracebackType
from typing import Any

import torch
from torch import Tensor
from torch.compiler import is_compiling

from ._dtypes import INTEGERS
from ._spec import FAST_TABLES

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
        What to do about all kinds of errors, or one. Any mode but ``'ignore'`` makes every
        call of a ufunc wait for its result.

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
        As for ``seterr``: every mode but ``'ignore'`` makes ufuncs wait for their results.

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


# --- looking for errors ---


def _zero(*operands: Tensor) -> Tensor:
    return operands[-1] == 0


_POLES: dict[str, Callable[..., Tensor]] = {
    "divide": _zero,
    "floor_divide": _zero,
    "divmod": _zero,
    "reciprocal": _zero,
    "log": _zero,
    "log2": _zero,
    "log10": _zero,
    "log1p": lambda x: x == -1,
    "arctanh": lambda x: abs(x) == 1,
    "power": lambda a, b: a == 0,
    "float_power": lambda a, b: a == 0,
}
"""Where a function of finite operands has an infinite value."""

_BY_ZERO = frozenset({"floor_divide", "remainder", "divmod", "fmod", "reciprocal"})
_QUIET = frozenset({"spacing", "nextafter", "copysign", "maximum", "minimum", "fmax", "fmin"})
_INVERSE: dict[str, Callable[[Tensor, Tensor], Tensor]] = {
    "multiply": torch.div, "divide": torch.mul,
}  # fmt: skip
_UNDERFLOWS = frozenset({
    "multiply", "divide", "exp", "exp2", "power", "float_power", "square", "reciprocal", "ldexp",
})  # fmt: skip


def check(
    name: str, operands: list[Tensor], results: tuple[Tensor, ...], mask: Tensor | None = None
) -> None:
    """Look for the errors of a call where ``mask`` is true, and do what was asked for."""
    state = _state.get()
    if all(mode == "ignore" for mode in state.values()):
        return  # it is another thread that looks
    found: dict[str, Tensor] = {}
    for result in results:
        if result.is_floating_point() or result.is_complex():
            _floating(name, operands, result, found)
    if name in _BY_ZERO and operands[0].dtype in INTEGERS:
        _integer(name, operands, found)
    for kind in KINDS:
        if kind in found and state[kind] != "ignore":
            where = found[kind].expand(results[0].shape)  # there may be no element
            if mask is not None:
                where = where & mask
            if bool(where.any()):
                _report(state[kind], kind, f"{_WORDS[kind]} encountered in {name}")


def check_fold(name: str, operand: Tensor, result: Tensor) -> None:
    """Look for the errors of a fold: what is in its result and nowhere in its operand."""
    if not (operand.is_floating_point() or operand.is_complex()):
        return
    values = operand.detach()
    summary = torch.where(torch.isfinite(values).all(), 1.0, torch.inf)
    summary = torch.where(torch.isnan(values).any(), torch.nan, summary)
    check(name, [summary], (result,))


def _floating(name: str, operands: list[Tensor], result: Tensor, found: dict[str, Tensor]) -> None:
    result = result.detach()
    operands = [t.detach() for t in operands]
    finite, nan = torch.isfinite(result), torch.isnan(result)
    given_nan, given_finite = torch.zeros_like(nan), torch.ones_like(nan)
    for t in operands:
        if t.is_floating_point() or t.is_complex():
            given_nan, given_finite = given_nan | torch.isnan(t), given_finite & torch.isfinite(t)
    infinite = ~finite & ~nan & given_finite
    pole = _POLES.get(name)
    at_pole = torch.zeros_like(nan) if pole is None else pole(*operands)
    _add(found, "divide", infinite & at_pole)
    _add(found, "over", infinite & ~at_pole)
    if name not in _QUIET:
        _add(found, "invalid", nan & ~given_nan)
    if name in _UNDERFLOWS and result.is_floating_point():
        tiny = (abs(result) < torch.finfo(result.dtype).tiny) & given_finite
        for t in operands[:1] if name != "multiply" else operands:
            if name not in ("exp", "exp2"):
                tiny = tiny & (t != 0)
        inverse = _INVERSE.get(name)
        if inverse is not None:
            tiny = tiny & (inverse(result, operands[1]) != operands[0])
        _add(found, "under", tiny)


def _integer(name: str, operands: list[Tensor], found: dict[str, Tensor]) -> None:
    divisor = operands[-1]
    if divisor.dtype in (torch.uint16, torch.uint32, torch.uint64):
        divisor = divisor.to(torch.int64)
    zero = divisor == 0
    _add(found, "divide", zero)
    if name == "reciprocal":
        _add(found, "invalid", zero)
    elif name in ("floor_divide", "divmod"):
        dividend = operands[0]
        if dividend.dtype not in (torch.uint8, torch.uint16, torch.uint32, torch.uint64):
            smallest = dividend == torch.iinfo(dividend.dtype).min
            _add(found, "over", smallest & (divisor == -1))


def _add(found: dict[str, Tensor], kind: str, where: Tensor) -> None:
    found[kind] = found[kind] | where if kind in found else where


def caller() -> int:
    """The ``stacklevel`` of the first caller outside of this package."""
    level, frame = 1, sys._getframe(1)
    while frame.f_back is not None and str(frame.f_globals.get("__name__")).startswith(
        "numpy_shim."
    ):
        level, frame = level + 1, frame.f_back
    return level


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
