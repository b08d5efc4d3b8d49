"""Put arrays onto the processes and take them back: ``shard``, ``gather`` and their like."""

from __future__ import annotations

import torch
from torch.distributed.device_mesh import DeviceMesh
from torch.distributed.tensor import Replicate, Shard
from torch.distributed.tensor.placement_types import Placement

from xp_torch._mesh import interchange
from xp_torch._mesh.tensor import MeshTensor, current

from .._array.ndarray import array_of, ndarray
from .._base.axes import normalize_axis
from .._base.typing import ArrayLike
from ._meshes import mesh_for, tensor_of

__all__ = ["gather", "local", "placements", "replicate", "shard", "to_dtensor"]


def shard(a: ArrayLike, axis: int = 0, mesh: DeviceMesh | None = None) -> ndarray:
    """Spread an array over the processes, split along an axis.

    Parameters
    ----------
    a : array_like
        The same array on every process, or a distributed one, whose values are moved. Uneven and
        empty parts are fine.
    axis : int
        The axis to split, over the first dimension of the mesh: the processes get consecutive
        chunks, as ``torch.chunk`` makes them.
    mesh : DeviceMesh, optional
        The processes; by default the array's own, else all.

    Returns
    -------
    ndarray
        A copy of which each process holds its part. The gradient flows.

    Raises
    ------
    AxisError
        For an axis that is not there.
    TypeError
        For elements that are not numbers.

    Notes
    -----
    Source: ``torch.distributed.tensor.Shard`` and ``distribute_tensor``.

    Examples
    --------
    >>> import numpy_shim as np
    >>> from numpy_shim import distributed
    >>> a = distributed.shard(np.arange(6.0))
    >>> float(a.sum())
    15.0
    """
    tensor = tensor_of("shard", a)
    place = normalize_axis("shard", axis, tensor.dim())
    where = mesh_for(tensor, mesh)
    rest = (None,) * (where.ndim - 1)
    return array_of(interchange.relaid(tensor, where, (place, *rest)))


def replicate(a: ArrayLike, mesh: DeviceMesh | None = None) -> ndarray:
    """An array of which every process holds all values, and that knows its mesh.

    Parameters
    ----------
    a : array_like
        The same array on every process, or a distributed one, whose values are moved.
    mesh : DeviceMesh, optional
        The processes; by default the array's own, else all.

    Returns
    -------
    ndarray
        A copy of which each process holds all. The gradient flows.

    Raises
    ------
    TypeError
        For elements that are not numbers.

    Notes
    -----
    Source: ``torch.distributed.tensor.Replicate``.

    Examples
    --------
    >>> from numpy_shim import distributed
    >>> distributed.placements(distributed.replicate([1, 2]))
    (Replicate(),)
    """
    tensor = tensor_of("replicate", a)
    where = mesh_for(tensor, mesh)
    return array_of(interchange.relaid(tensor, where, (None,) * where.ndim))


def gather(a: ArrayLike) -> ndarray:
    """All values of a distributed array, as a plain array on every process.

    Parameters
    ----------
    a : array_like
        A distributed array; every process must make the call.

    Returns
    -------
    ndarray
        A plain array; a plain ``a`` itself. The gradient flows.

    Raises
    ------
    TypeError
        For elements that are not numbers.

    Notes
    -----
    Source: ``torch.distributed.tensor.DTensor.full_tensor``.

    Examples
    --------
    >>> import numpy_shim as np
    >>> from numpy_shim import distributed
    >>> distributed.gather(distributed.shard(np.arange(3)))
    array([0, 1, 2])
    """
    tensor = tensor_of("gather", a)
    if type(a) is ndarray and type(tensor) is not MeshTensor:
        return a
    return array_of(interchange.gathered(tensor))


def placements(a: ArrayLike) -> tuple[Placement, ...]:
    """Where the values of an array are: one of torch's placements for each dimension of its mesh.

    Parameters
    ----------
    a : array_like
        A distributed array, or a plain one.

    Returns
    -------
    tuple of Placement
        ``Shard(axis)`` is an axis that is split, ``Replicate()`` says that every process has all. A
        plain array has none.

    Raises
    ------
    TypeError
        For elements that are not numbers.

    Notes
    -----
    Source: ``torch.distributed.tensor.DTensor.placements``.

    Examples
    --------
    >>> import numpy_shim as np
    >>> from numpy_shim import distributed
    >>> distributed.placements(distributed.shard(np.ones((2, 3)), 1))
    (Shard(dim=1),)
    >>> distributed.placements(np.ones(2))
    ()
    """
    tensor = tensor_of("placements", a)
    if type(tensor) is not MeshTensor:
        return ()
    return tuple([Replicate() if axis is None else Shard(axis) for axis in tensor.axes])


def local(a: ArrayLike) -> ndarray:
    """This process's part of a distributed array, as a plain array on the same memory.

    Parameters
    ----------
    a : array_like
        A distributed array, or a plain one, which is its own part.

    Returns
    -------
    ndarray
        The part, without a gradient.

    Raises
    ------
    TypeError
        For elements that are not numbers.

    Notes
    -----
    Source: ``torch.distributed.tensor.DTensor.to_local``.

    Examples
    --------
    >>> import numpy_shim as np
    >>> from numpy_shim import distributed
    >>> distributed.local(distributed.shard(np.arange(4))).shape
    (4,)
    """
    tensor = tensor_of("local", a)
    if type(tensor) is not MeshTensor:
        return a if type(a) is ndarray else array_of(tensor)
    return array_of(current(tensor).part.detach())


def to_dtensor(a: ArrayLike) -> torch.Tensor:
    """A distributed array as torch's ``DTensor``, for what takes such tensors.

    ``torch.distributed.checkpoint`` is an example.

    Parameters
    ----------
    a : array_like
        A distributed array, or a plain one.

    Returns
    -------
    torch.Tensor
        A DTensor on the same memory, through which gradients flow; a plain tensor of a plain array.

    Raises
    ------
    TypeError
        For elements that are not numbers.

    Notes
    -----
    Source: ``torch.distributed.tensor.DTensor``.

    Examples
    --------
    >>> import numpy_shim as np
    >>> from numpy_shim import distributed
    >>> type(distributed.to_dtensor(distributed.shard(np.arange(4)))).__name__
    'DTensor'
    """
    return interchange.to_dtensor(tensor_of("to_dtensor", a))
