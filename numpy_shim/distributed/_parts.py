"""Distributed arrays that each process makes its own part of."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import torch
from torch.distributed.device_mesh import DeviceMesh

from xp_torch._mesh.layout import local_shape, own
from xp_torch._mesh.tensor import MeshTensor

from .._array.ndarray import array_of, ndarray
from .._base.axes import normalize_axis
from .._convert.host import from_host
from ..random._parts import draw_of
from ._meshes import mesh_for, tensor_of
from ._placement import shard

__all__ = ["draw", "from_parts"]


def from_parts(
    make: Callable[[tuple[int, ...]], ndarray],
    shape: tuple[int, ...],
    axis: int = 0,
    mesh: DeviceMesh | None = None,
) -> ndarray:
    """A distributed array whose parts are made where they belong, so that none is made whole.

    Parameters
    ----------
    make : callable
        Gives this process's part as a plain array, from the part's shape.
    shape : tuple of ints
        The shape of the whole.
    axis : int
        The axis to split, as in ``shard``.
    mesh : DeviceMesh, optional
        The processes; by default all.

    Returns
    -------
    ndarray
        The distributed array; it has the memory of the parts.

    Raises
    ------
    AxisError
        For an axis that is not there.
    ValueError
        If ``make`` gives another shape.

    Notes
    -----
    Source: ``torch.distributed.tensor.DTensor.from_local``.

    Examples
    --------
    >>> import numpy_shim as np
    >>> from numpy_shim import distributed
    >>> distributed.from_parts(np.ones, (4, 2)).shape
    (4, 2)
    """
    where = mesh_for(torch.empty(0), mesh)
    place = normalize_axis("from_parts", axis, len(shape))
    axes = (place, *(None,) * (where.ndim - 1))
    wanted = tuple(local_shape(shape, where, axes))
    part = tensor_of("from_parts", make(wanted))
    if tuple(part.shape) != wanted:
        raise ValueError(f"from_parts: make gave shape {tuple(part.shape)}, not {wanted}")
    return array_of(MeshTensor(part, where, axes, shape))


def draw(
    method: Callable[..., Any],
    *args: object,
    axis: int = 0,
    mesh: DeviceMesh | None = None,
    **kwargs: object,
) -> ndarray:
    """Random numbers, of which each process draws and keeps its part.

    The array is the one that the call alone gives, whatever the number of processes, and the
    generator ends in the same state on all of them. Split along the first axis, ``random`` and
    ``uniform`` of a ``Generator`` over ``PCG64`` draw the part only; other distributions of one
    number at a time draw the whole stream in blocks and keep the part, so they need the memory of
    the part and the time of the whole. Everything else is drawn whole and split.

    Parameters
    ----------
    method : callable
        A method of a ``Generator`` or ``RandomState``, or a function of ``numpy_shim.random``,
        with the same state on every process.
    *args, **kwargs
        What the method takes.
    axis : int
        The axis to split, as in ``shard``.
    mesh : DeviceMesh, optional
        The processes; by default all.

    Returns
    -------
    ndarray
        The distributed array.

    Raises
    ------
    AxisError
        For an axis that is not there, as that of a single number.

    Notes
    -----
    Source: NumPy's streams of random numbers, or ``torch.distributed.tensor.randn`` and its like.

    Examples
    --------
    >>> import numpy_shim as np
    >>> from numpy_shim import distributed
    >>> distributed.draw(np.random.default_rng(0).random, (2,))
    array([0.63696169, 0.26978671])
    """
    where = mesh_for(torch.empty(0), mesh)
    made = draw_of(method, args, kwargs)
    if made is None or not made.shape or normalize_axis("draw", axis, len(made.shape)):
        return shard(method(*args, **kwargs), axis, where)
    row = math.prod(made.shape[1:])
    start, stop = own(made.shape[0], where, 0)
    numbers = made.numbers(start * row, stop * row)
    part: ndarray = from_host(numbers.reshape(stop - start, *made.shape[1:]))
    return from_parts(lambda shape: part, made.shape, 0, where)
