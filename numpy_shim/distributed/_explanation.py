"""What a call moves between the processes."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple, ParamSpec, TypeVar

from xp_torch._mesh import collectives

__all__ = ["Explanation", "explain"]

_P = ParamSpec("_P")
_T = TypeVar("_T")


class Explanation(NamedTuple):
    """What a call moved: of each kind of communication how many, and the bytes received.

    The numbers are this process's.

    Parameters
    ----------
    result : object
        The result of the call.
    collectives : dict
        How many communications of each kind there were.
    bytes : dict
        How many bytes each kind received.

    Notes
    -----
    Source: ``torch.distributed.tensor.debug.CommDebugMode``, with bytes.

    Examples
    --------
    >>> import numpy_shim as np
    >>> from numpy_shim import distributed
    >>> distributed.explain(np.add, 1, 2).result
    np.int64(3)
    """

    result: Any
    collectives: dict[str, int]
    bytes: dict[str, int]


def explain(f: Callable[_P, _T], *args: _P.args, **kwargs: _P.kwargs) -> Explanation:
    """Call a function, and count what moved between the processes.

    Parameters
    ----------
    f : callable
        The function.
    *args, **kwargs
        What the function takes.

    Returns
    -------
    Explanation
        The result of the function, ``collectives`` and ``bytes`` by kind: ``"all_gather"`` brings
        parts to all processes, ``"results"`` one result of each, as the largest number of each
        part, ``"all_reduce"`` adds up, ``"neighbours"`` moves rows to the processes that lack them
        and between no others, ``"all_to_all"`` sends from each to each, ``"broadcast"`` from one
        process to all.

    Raises
    ------
    TypeError
        For an ``f`` that cannot be called; errors of the function itself pass through.

    Notes
    -----
    Source: ``torch.distributed.tensor.debug.CommDebugMode``, with bytes.

    Examples
    --------
    >>> import numpy_shim as np
    >>> from numpy_shim import distributed
    >>> a = distributed.shard(np.arange(4.0))
    >>> distributed.explain(np.add, a, 1).bytes
    {}
    """
    counts: dict[str, int] = {}
    moved: dict[str, int] = {}

    def hear(kind: str, size: int) -> None:
        counts[kind] = counts.get(kind, 0) + 1
        moved[kind] = moved.get(kind, 0) + size

    collectives.listeners.append(hear)
    try:
        result = f(*args, **kwargs)
    finally:
        collectives.listeners.remove(hear)
    return Explanation(result, counts, moved)
