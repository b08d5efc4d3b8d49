"""Iterating over arrays: elements as scalars, rows as views."""

from __future__ import annotations

from collections.abc import Iterator

from torch import Tensor
from torch.compiler import is_compiling

from . import views
from .ndarray import SCALAR_TYPES, ndarray, new

_FIRST, _LARGEST = 16, 1024


def scalars(t: Tensor) -> Iterator[ndarray]:
    """The elements in order, each a copy made when its turn comes.

    A write while the loop runs is seen by the elements to come, as in NumPy. Elements are read
    in batches, which is ten times as fast as one by one; the tensor's version tells whether
    a batch is still true.
    """
    kind = SCALAR_TYPES[t.dtype]
    size, start, batch = t.numel(), 0, _FIRST
    versioned = not is_compiling() and not t.is_inference()
    while start < size:
        version = t._version if versioned else 0
        part = t.reshape(-1)[start : start + (batch if versioned else 1)].clone()
        batch = min(2 * batch, _LARGEST)
        for item in part.unbind(0):
            if versioned and t._version != version:
                batch = _FIRST
                break
            out = new(kind)
            out._tensor = item
            yield out
            start += 1


def rows(a: ndarray) -> Iterator[ndarray]:
    """``a[0]``, ``a[1]`` and so on: views."""
    every = (slice(None),) * (a.ndim - 1)
    for i in range(a._tensor.shape[0]):
        yield views.select(a, [i, *every])


def iterate(a: ndarray) -> Iterator[ndarray]:
    """``iter(a)``."""
    tensor, flips = views.forward_of(a)
    if not tensor.dim():
        raise TypeError("iteration over a 0-d array")
    if tensor.dim() > 1:
        return rows(a)
    if flips:
        return (a[i] for i in range(tensor.shape[0]))
    return scalars(tensor)
