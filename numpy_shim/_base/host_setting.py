"""Switches for what the host does: dtypes that torch cannot store, and NumPy's own kernels."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

from torch.compiler import is_compiling

from xp_torch._core.context import here, make_context_local

from .dtypes import HostDtypeError
from .settings import Setting

__all__ = ["set_host_dtypes", "set_host_kernels"]

_mode = "numpy"
"""What is done about such dtypes where no context has another answer: ``"numpy"``, ``"error"``."""

_kernels = True
"""Whether kernels may give large tensors to NumPy's functions of exact results."""

_R = TypeVar("_R")

_this = make_context_local(__name__, "_mode", "_kernels")


def may_hand() -> bool:
    """Whether this context gives calls to NumPy; never in a trace, which NumPy would leave."""
    return not is_compiling() and here(_this, "_mode") == "numpy"


def unless_host(function: Callable[..., _R], *args: object) -> _R | None:
    """What ``function`` makes of its arguments; ``None`` where NumPy is to take them."""
    try:
        return function(*args)
    except HostDtypeError:
        if not may_hand():
            raise
        return None


def may_use_kernels() -> bool:
    """Whether this context lets NumPy's functions compute exact results on large tensors."""
    return here(_this, "_kernels") is True


class set_host_dtypes(Setting):
    """What becomes of dtypes that torch cannot store: strings, objects, dates and their like.

    Parameters
    ----------
    value : {'numpy', 'error'}
        ``'numpy'``, the default: such an array is a real ``numpy.ndarray`` on the host, and a call
        that is given one, or asks for one, is NumPy's. ``'error'``: such a call is a ``TypeError``.

    Raises
    ------
    ValueError
        For another value.

    Notes
    -----
    A call sets it for the current context (thread or asyncio task) alone. A new thread starts with
    ``'numpy'``, a new task with what the context that made it has. In a ``with`` statement the end
    of the block restores what was before. Arrays of numbers are never given to NumPy alone.

    Source: none of NumPy's, which stores these dtypes; ``numpy.ndarray`` is what it gives.

    Examples
    --------
    >>> import numpy_shim as np
    >>> np.array(["a", "b"])
    array(['a', 'b'], dtype='<U1')
    >>> with np.set_host_dtypes("error"):  # doctest: +ELLIPSIS
    ...     np.array(["a", "b"])
    Traceback (most recent call last):
    ...
    TypeError: array: object holds str: dtype str has no storage in torch; give numbers, ...
    """

    _module = _this
    _name = "_mode"

    def __init__(self, value: str) -> None:
        if value not in ("numpy", "error"):
            raise ValueError(f"set_host_dtypes: value must be 'numpy' or 'error', not {value!r}")
        super().__init__(value)


class set_host_kernels(Setting):
    """Whether NumPy's own functions may compute exact results of large arrays on the CPU.

    Parameters
    ----------
    value : bool
        With ``True``, the default, functions that order, find, count, compare or move elements,
        and those that divide integers, run NumPy's code on the memory of an array from the size on
        where that is faster than torch's. With ``False`` torch computes everything. The results
        are the same, bit for bit.

    Raises
    ------
    TypeError
        For another value.

    Notes
    -----
    NumPy's code is not used on another device, for an array with a gradient, in a trace, under a
    transform of ``torch.func``, or for an array that is spread over processes. What rounds is
    always torch's. It is set for a context, as ``set_host_dtypes`` is.

    Source: none of NumPy's; ``docs/performance.md`` lists the functions and what they gain.

    Examples
    --------
    >>> import numpy_shim as np
    >>> a = np.arange(100_000)[::-1].copy()
    >>> fast = np.sort(a)
    >>> with np.set_host_kernels(False):
    ...     slow = np.sort(a)
    >>> bool((fast == slow).all())
    True
    """

    _module = _this
    _name = "_kernels"

    def __init__(self, value: bool) -> None:
        if not isinstance(value, bool):
            raise TypeError(f"set_host_kernels: value must be a bool, not {value!r}")
        super().__init__(value)
