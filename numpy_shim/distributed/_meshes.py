"""The processes that hold arrays, and the mesh and tensor of an argument."""

from __future__ import annotations

import atexit
import os
import shutil
import tempfile

import torch
import torch.distributed as dist
from torch.distributed.device_mesh import DeviceMesh, init_device_mesh

from xp_torch._kernels.manipulation import flip
from xp_torch._mesh.tensor import MeshTensor

from .._array import views
from .._array.ndarray import ndarray
from .._base.processes import leave_group
from .._base.typing import ArrayLike
from .._convert.arguments import as_tensor

__all__ = ["mesh"]

_MESHES: dict[tuple[tuple[int, ...], str], DeviceMesh] = {}


def mesh(shape: tuple[int, ...] | None = None, device: str | None = None) -> DeviceMesh:
    """The processes that hold distributed arrays, as torch's ``DeviceMesh``.

    Starts ``torch.distributed`` if the program has not, from the variables that ``torchrun`` sets:
    with gloo on the CPU, with NCCL on CUDA. Without those variables the mesh is this process alone.

    Parameters
    ----------
    shape : tuple of ints, optional
        How the processes are arranged; by default all in a row.
    device : str, optional
        ``"cpu"`` or ``"cuda"``; by default the type of torch's default device.

    Returns
    -------
    DeviceMesh
        The same object for the same arguments.

    Raises
    ------
    ValueError
        If the shape does not have as many places as there are processes.

    Notes
    -----
    Source: ``torch.distributed.device_mesh.init_device_mesh``.

    Examples
    --------
    >>> from numpy_shim import distributed
    >>> distributed.mesh().size()
    1
    """
    kind = torch.get_default_device().type if device is None else device
    if not dist.is_initialized():
        _start(kind)
    size = dist.get_world_size()
    arranged = (size,) if shape is None else tuple(shape)
    places = 1
    for k in arranged:
        places *= k
    if places != size:
        raise ValueError(f"mesh: shape {arranged} has {places} places for {size} processes")
    made = _MESHES.get((arranged, kind))
    if made is None:
        made = _MESHES[arranged, kind] = init_device_mesh(kind, arranged)
    return made


def _start(kind: str) -> None:
    backend = "nccl" if kind == "cuda" else "gloo"
    atexit.register(leave_group)
    if "RANK" in os.environ:
        dist.init_process_group(backend)
        return
    folder = tempfile.mkdtemp(prefix="numpy_shim-")
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    store = dist.FileStore(  # type: ignore[attr-defined]
        os.path.join(folder, "store"), 1
    )
    dist.init_process_group(backend, store=store, rank=0, world_size=1)


def tensor_of(name: str, a: ArrayLike) -> torch.Tensor:
    """The tensor of an array, with its values in the order of memory."""
    tensor = as_tensor(name, a)
    if type(a) is ndarray:
        forward, flips = views.forward_of(a)
        tensor = flip(forward, flips) if flips else forward
    return tensor


def mesh_for(tensor: torch.Tensor, given: DeviceMesh | None) -> DeviceMesh:
    if given is not None:
        return given
    if type(tensor) is MeshTensor:
        return tensor.mesh  # type: ignore[no-any-return]
    return mesh(device=tensor.device.type)
