"""Whether array-likes share memory, and the bounds of their memory."""

from __future__ import annotations

import operator
from typing import Any

import numpy
import torch
from numpy.exceptions import TooHardError

from .._array.host_view import WRITEABLE
from .._array.memory import extent, overlap
from .._array.ndarray import AnyArray
from .._array.views import forward_of
from .._base.dtypes import HostDtypeError
from .._base.host_setting import may_hand
from .._base.typing import ArrayLike
from .._convert.arguments import as_array, device_of

__all__ = ["may_share_memory", "shares_memory"]


def _memory_of(name: str, a: Any) -> torch.Tensor:
    """A tensor over the memory of an array-like, with all axes forward.

    One of NumPy's is looked at where it is, and not moved to the default device.
    """
    if isinstance(a, AnyArray):
        return forward_of(a)[0]
    if isinstance(a, numpy.ndarray) and not a.flags.num & WRITEABLE and may_hand():
        raise HostDtypeError(f"{name}: torch has no read-only memory")
    return forward_of(as_array(name, a, device=_CPU))[0]


_CPU = torch.device("cpu")


def _overlap(name: str, a: ArrayLike, b: ArrayLike, max_work: int) -> bool:
    if (device_of(a) or _CPU) != (device_of(b) or _CPU):
        return False
    return overlap(_memory_of(name, a), _memory_of(name, b), max_work)


def memory_bounds(name: str, a: object) -> tuple[int, int]:
    """The addresses of the first byte of an array-like and of the byte after its last."""
    return extent(_memory_of(name, a))


def _work(name: str, max_work: Any, default: int) -> int:
    if max_work is None:
        return default
    try:
        work = operator.index(max_work)
    except TypeError:
        raise ValueError(f"{name}: max_work must be an integer") from None
    if not -(2**63) <= work < 2**63:
        raise OverflowError(f"{name}: max_work is too large: {work}")
    return work


def may_share_memory(a: ArrayLike, b: ArrayLike, /, max_work: int | None = 0) -> bool:
    """Whether two arrays may have memory in common.

    Parameters
    ----------
    a, b : array_like
        The arrays.
    max_work : int, optional
        The number of candidates to check. 0, the default, compares only the bounds of the
        memory: arrays may overlap there without a common element. A negative number gives the
        exact answer.

    Returns
    -------
    bool
        Also ``True`` if ``max_work`` was too small to tell.

    Examples
    --------
    >>> import numpy_shim as np
    >>> a = np.arange(4)
    >>> np.may_share_memory(a[:2], a[1:]), np.may_share_memory(a[::2], a[1::2])
    (True, True)
    """
    name = "may_share_memory"
    work = _work(name, max_work, 0)
    try:
        return _overlap(name, a, b, work)
    except TooHardError:
        return True


def shares_memory(a: ArrayLike, b: ArrayLike, /, max_work: int | None = -1) -> bool:
    """Whether two arrays have a byte in common.

    Parameters
    ----------
    a, b : array_like
        The arrays.
    max_work : int, optional
        The number of candidates to check, by default without a limit. Arrays of many axes with
        unrelated strides may need very many.

    Returns
    -------
    bool
        A Python bool.

    Examples
    --------
    >>> import numpy_shim as np
    >>> a = np.arange(4)
    >>> np.shares_memory(a[::2], a[1::2])
    False
    """
    name = "shares_memory"
    work = _work(name, max_work, -1)
    return _overlap(name, a, b, work)
