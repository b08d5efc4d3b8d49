"""Files that processes write and read by parts."""

from __future__ import annotations

import os

import numpy
import torch
from torch.distributed.device_mesh import DeviceMesh

from xp_torch._mesh import collectives
from xp_torch._mesh.layout import Layout, own, position
from xp_torch._mesh.tensor import MeshTensor, current

from .._array.ndarray import array_of, ndarray
from .._base.axes import normalize_axis
from .._base.typing import ArrayLike
from .._convert.host import to_host
from .._functions.io import read_values
from ._meshes import mesh_for, tensor_of
from ._parts import from_parts

__all__ = ["load", "save"]


def save(file: str | os.PathLike[str], a: ArrayLike) -> None:
    """Write a distributed array to one ``.npy`` file, into which each process writes its part.

    Nothing is gathered. The file must be one that all processes can write. A plain array is
    written by the first process.

    Parameters
    ----------
    file : str or path
        A name without the extension ``.npy`` gets it.
    a : array_like
        The array; every process must make the call.

    Raises
    ------
    OSError
        On every process, if one of them cannot write.

    Notes
    -----
    Source: NumPy's ``save``, of the file format NEP 1.

    Examples
    --------
    >>> import os
    >>> import tempfile
    >>> import numpy_shim as np
    >>> from numpy_shim import distributed
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     file = os.path.join(folder, "a.npy")
    ...     distributed.save(file, distributed.shard(np.arange(3)))
    ...     np.load(file)
    array([0, 1, 2])
    """
    path = os.fspath(file)
    path = path if path.endswith(".npy") else path + ".npy"
    tensor = tensor_of("save", a)
    where = mesh_for(tensor, None)
    spread = type(tensor) is MeshTensor
    part = current(tensor).part if spread else tensor  # type: ignore[arg-type]
    axes = tensor.axes if spread else (None,) * where.ndim  # type: ignore[attr-defined]
    shape = tuple(tensor.shape)
    values = to_host(array_of(part.detach()))
    first = all(position(where, m) == 0 for m in range(where.ndim))

    def create() -> None:
        if first:
            numpy.lib.format.open_memmap(path, "w+", values.dtype, shape)

    def fill() -> None:
        if values.size and (spread or first):
            held = numpy.lib.format.open_memmap(path, "r+")
            held[_own_rows(shape, where, axes)] = values
            held.flush()

    collectives.together(where, create)
    collectives.together(where, fill)


def load(file: str | os.PathLike[str], axis: int = 0, mesh: DeviceMesh | None = None) -> ndarray:
    """Read a ``.npy`` file, of which each process reads its part only.

    Parameters
    ----------
    file : str or path
        A file that all processes can read.
    axis : int
        The axis to split, as in ``shard``.
    mesh : DeviceMesh, optional
        The processes; by default all.

    Returns
    -------
    ndarray
        The distributed array, of the dtype of the file.

    Raises
    ------
    OSError
        On every process, if one of them cannot read.

    Notes
    -----
    Source: NumPy's ``load``, of the file format NEP 1.

    Examples
    --------
    >>> import os
    >>> import tempfile
    >>> import numpy_shim as np
    >>> from numpy_shim import distributed
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     file = os.path.join(folder, "a.npy")
    ...     np.save(file, np.arange(3))
    ...     int(distributed.load(file).sum())
    3
    """
    where = mesh_for(torch.empty(0), mesh)

    def read() -> tuple[ndarray, tuple[int, ...], int]:
        held = numpy.load(file, mmap_mode="r")
        place = normalize_axis("load", axis, held.ndim)
        axes = (place, *(None,) * (where.ndim - 1))
        rows = numpy.array(held[_own_rows(held.shape, where, axes)])
        return read_values(rows), held.shape, place

    part, shape, place = collectives.together(where, read)
    return from_parts(lambda _: part, shape, place, where)


def _own_rows(shape: tuple[int, ...], where: DeviceMesh, axes: Layout) -> tuple[slice, ...]:
    """The index of this process's part in the whole."""
    index = [slice(None)] * len(shape)
    for m, axis in enumerate(axes):
        if axis is not None:
            index[axis] = slice(*own(shape[axis], where, m))
    return tuple(index)
