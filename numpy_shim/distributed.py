"""Arrays spread over several processes, on ``torch.distributed``.

Every process runs the same program (SPMD) and holds a part of each distributed array. All
functions and methods take such arrays and give the results of NumPy. What becomes a Python value is
the value of the whole array, equal on every process. A plain array beside a distributed one counts
as one that every process has, so it must be the same on all of them.

Run a program on two processes with ``python -m numpy_shim --ranks 2 script.py``, or by
``torchrun``. Without either there is one process, and everything here works as well.

A call that moves values waits for the other processes: all of them must make it. Do not make such a
call, and do not print a distributed array, on one process only.
"""

from __future__ import annotations

import atexit
import math
import os
import shutil
import tempfile
from collections.abc import Callable
from typing import Any, NamedTuple, ParamSpec, TypeVar

import numpy
import torch
import torch.distributed as dist
from torch.distributed.device_mesh import DeviceMesh, init_device_mesh
from torch.distributed.tensor import Replicate, Shard
from torch.distributed.tensor.placement_types import Placement

from xp_torch._kernels.manipulation import flip
from xp_torch._kernels.mesh import collectives, interchange
from xp_torch._kernels.mesh.layout import Layout, local_shape, own, position
from xp_torch._kernels.mesh.tensor import MeshTensor, current

from ._array import views
from ._array.ndarray import array_of, ndarray
from ._convert.arguments import as_tensor
from ._convert.host import from_host, to_host
from ._core.axes import normalize_axis
from ._core.processes import leave_group
from ._core.typing import ArrayLike
from ._functions.io import read_values
from .random._parts import draw_of

__all__ = [
    "Explanation",
    "draw",
    "explain",
    "from_parts",
    "gather",
    "load",
    "local",
    "mesh",
    "placements",
    "replicate",
    "save",
    "shard",
    "to_dtensor",
]

_P = ParamSpec("_P")
_T = TypeVar("_T")
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

    Examples
    --------
    >>> import numpy_shim as np
    >>> from numpy_shim import distributed
    >>> a = distributed.shard(np.arange(6.0))
    >>> float(a.sum())
    15.0
    """
    tensor = _tensor_of("shard", a)
    place = normalize_axis("shard", axis, tensor.dim())
    where = _mesh_for(tensor, mesh)
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

    Examples
    --------
    >>> from numpy_shim import distributed
    >>> distributed.placements(distributed.replicate([1, 2]))
    (Replicate(),)
    """
    tensor = _tensor_of("replicate", a)
    where = _mesh_for(tensor, mesh)
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

    Examples
    --------
    >>> import numpy_shim as np
    >>> from numpy_shim import distributed
    >>> distributed.gather(distributed.shard(np.arange(3)))
    array([0, 1, 2])
    """
    tensor = _tensor_of("gather", a)
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

    Examples
    --------
    >>> import numpy_shim as np
    >>> from numpy_shim import distributed
    >>> distributed.placements(distributed.shard(np.ones((2, 3)), 1))
    (Shard(dim=1),)
    >>> distributed.placements(np.ones(2))
    ()
    """
    tensor = _tensor_of("placements", a)
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

    Examples
    --------
    >>> import numpy_shim as np
    >>> from numpy_shim import distributed
    >>> distributed.local(distributed.shard(np.arange(4))).shape
    (4,)
    """
    tensor = _tensor_of("local", a)
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

    Examples
    --------
    >>> import numpy_shim as np
    >>> from numpy_shim import distributed
    >>> type(distributed.to_dtensor(distributed.shard(np.arange(4)))).__name__
    'DTensor'
    """
    return interchange.to_dtensor(_tensor_of("to_dtensor", a))


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

    Examples
    --------
    >>> import numpy_shim as np
    >>> from numpy_shim import distributed
    >>> distributed.from_parts(np.ones, (4, 2)).shape
    (4, 2)
    """
    where = _mesh_for(torch.empty(0), mesh)
    place = normalize_axis("from_parts", axis, len(shape))
    axes = (place, *(None,) * (where.ndim - 1))
    wanted = tuple(local_shape(shape, where, axes))
    part = _tensor_of("from_parts", make(wanted))
    if tuple(part.shape) != wanted:
        raise ValueError(f"from_parts: make gave shape {tuple(part.shape)}, not {wanted}")
    return array_of(MeshTensor(part, where, axes, shape))


def draw(
    method: Callable[..., Any],
    *args: Any,
    axis: int = 0,
    mesh: DeviceMesh | None = None,
    **kwargs: Any,
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

    Examples
    --------
    >>> import numpy_shim as np
    >>> from numpy_shim import distributed
    >>> distributed.draw(np.random.default_rng(0).random, (2,))
    array([0.63696169, 0.26978671])
    """
    where = _mesh_for(torch.empty(0), mesh)
    made = draw_of(method, args, kwargs)
    if made is None or not made.shape or normalize_axis("draw", axis, len(made.shape)):
        return shard(method(*args, **kwargs), axis, where)
    row = math.prod(made.shape[1:])
    start, stop = own(made.shape[0], where, 0)
    numbers = made.numbers(start * row, stop * row)
    part: ndarray = from_host(numbers.reshape(stop - start, *made.shape[1:]))
    return from_parts(lambda shape: part, made.shape, 0, where)


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
    tensor = _tensor_of("save", a)
    where = _mesh_for(tensor, None)
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
    where = _mesh_for(torch.empty(0), mesh)

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


class Explanation(NamedTuple):
    """What a call moved: of each kind of communication how many, and the bytes received.

    The numbers are this process's.
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


def _tensor_of(name: str, a: ArrayLike) -> torch.Tensor:
    """The tensor of an array, with its values in the order of memory."""
    tensor = as_tensor(name, a)
    if type(a) is ndarray:
        forward, flips = views.forward_of(a)
        tensor = flip(forward, flips) if flips else forward
    return tensor


def _mesh_for(tensor: torch.Tensor, given: DeviceMesh | None) -> DeviceMesh:
    if given is not None:
        return given
    if type(tensor) is MeshTensor:
        return tensor.mesh  # type: ignore[no-any-return]
    return mesh(device=tensor.device.type)
