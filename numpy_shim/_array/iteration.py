"""Iterating over arrays: elements as scalars, rows as views."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from torch import Tensor
from torch.compiler import is_dynamo_compiling

from xp_torch._torch.internals import is_transformed

from .._kernels.backwards import Special
from . import views
from .host_view import host_view
from .ndarray import ndarray, new, scalar


def scalars(a: ndarray) -> Iterator[Any]:
    """The elements in row-major order; each is copied when the loop reaches it.

    As in NumPy, the loop sees writes to elements that it has not reached yet.
    """
    view = host_view(a)
    return iter(view if view.ndim == 1 else view.flat) if view is not None else _read(a._tensor)


def _read(t: Tensor) -> Iterator[Any]:
    """Elements of a device, or with a gradient: copies of growing blocks, anew after a write.

    A copy of each element would be three operators, and its derivative as large as the array.
    """
    i, size = 0, _FIRST
    while i < t.numel():
        if isinstance(t, Special) or is_dynamo_compiling() or is_transformed() or t.is_inference():
            yield scalar(t.reshape(-1)[i].clone())
            i += 1
            continue
        version = t._version
        for element in t.reshape(-1)[i : i + size].clone().unbind():
            yield scalar(element)
            i += 1
            if t._version != version:
                break
        size = min(4 * size, _LARGEST)


_FIRST, _LARGEST = 16, 4096
"""The elements of the first block, of which a loop may take one only, and of the largest."""


def rows(a: ndarray) -> Iterator[ndarray]:
    """``a[0]``, ``a[1]`` and so on: views.

    Not by ``unbind``: autograd refuses writes to the views that it gives.
    """
    t = a._tensor
    if type(t) is Tensor and type(a) is ndarray:
        owner = a if t._base is None else getattr(a, "_base", a)  # as in view_of
        dtype = a._flat_dtype if t.dim() > 1 else None
        for i in range(t.shape[0]):
            row = new(ndarray)
            row._tensor = t[i]
            row._flat_dtype = dtype
            row._base = owner
            yield row
        return
    every = (slice(None),) * (a.ndim - 1)
    for i in range(a._tensor.shape[0]):
        yield views.select(a, [i, *every])


def iterate(a: ndarray) -> Iterator[Any]:
    """``iter(a)``."""
    ndim = a._tensor.dim()
    if not ndim:
        raise TypeError("iteration over a 0-d array")
    return rows(a) if ndim > 1 else scalars(a)
