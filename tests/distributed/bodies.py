"""What the processes run."""

from __future__ import annotations

import contextlib
import importlib
import pkgutil
import signal
import warnings
from collections.abc import Iterator
from types import ModuleType
from typing import Any

import numpy
import torch
from torch.distributed.device_mesh import DeviceMesh, init_device_mesh
from torch.distributed.tensor import DTensor, Partial, Replicate, Shard, distribute_tensor

import numpy_shim
import tests.numpy_shim.surface
import tests.surface
import xp_torch
from numpy_shim._kernels.backwards import values
from tests.surface import Case
from xp_torch._core.box import TensorBox
from xp_torch._mesh import collectives
from xp_torch._mesh.tensor import MeshTensor


def cases_of(package: ModuleType) -> list[Case]:
    """The cases of every chapter of a table, in the order of the files' names."""
    return [
        case
        for module in pkgutil.iter_modules(package.__path__)
        for case in importlib.import_module(f"{package.__name__}.{module.name}").CASES
    ]


TABLES = {
    "numpy_shim": cases_of(tests.numpy_shim.surface),
    "xp_torch": cases_of(tests.surface),
}
NAMESPACES = {"numpy_shim": numpy_shim, "xp_torch": xp_torch}
_meshes: list[DeviceMesh] = []


def mesh() -> DeviceMesh:
    """All processes in a row; made once."""
    if not _meshes:
        size = torch.distributed.get_world_size()
        _meshes.append(init_device_mesh("cpu", (size,)))
    return _meshes[0]


def placed(tensor: torch.Tensor, placement: str) -> torch.Tensor:
    """A DTensor of these values, or the tensor itself if it has no axis to split."""
    if placement == "replicate":
        return distribute_tensor(tensor, mesh(), [Replicate()])
    if placement == "partial":
        if tensor.dtype is torch.bool or not tensor.dtype.is_signed:
            return distribute_tensor(tensor, mesh(), [Replicate()])
        rank = torch.distributed.get_rank()
        mine = tensor.clone() if rank == 0 else torch.zeros_like(tensor)
        return DTensor.from_local(mine, mesh(), [Partial()], run_check=False)
    axis = int(placement[-1])
    if axis >= tensor.dim():
        return distribute_tensor(tensor, mesh(), [Replicate()])
    return distribute_tensor(tensor, mesh(), [Shard(axis)])


@contextlib.contextmanager
def limited(seconds: int) -> Iterator[None]:
    def stop(*_: Any) -> None:
        raise TimeoutError("the case took too long")

    before = signal.signal(signal.SIGALRM, stop)
    signal.alarm(seconds)
    try:
        yield
    finally:
        signal.alarm(0)
        signal.signal(signal.SIGALRM, before)


def plain(x: Any) -> Any:
    """Results as NumPy's arrays and Python's objects, to be compared and sent."""
    if isinstance(x, TensorBox):
        t = values(x._tensor.detach())
        t = t.whole() if type(t) is MeshTensor else t
        t = t.resolve_conj().resolve_neg()
        if t.dtype is torch.bfloat16:
            t = t.float()
        return ("array", str(x._tensor.dtype), t.numpy().copy())
    if isinstance(x, torch.Tensor):
        t = x.whole() if type(x) is MeshTensor else x
        t = t.full_tensor() if isinstance(t, DTensor) else t
        return ("array", str(x.dtype), t.detach().numpy().copy())
    if isinstance(x, (numpy.ndarray, numpy.generic)):
        return ("array", f"torch.{x.dtype}", numpy.array(x))
    if isinstance(x, (list, tuple)):
        return ("several", [plain(v) for v in x])
    if isinstance(x, (bool, int, float, complex, str, bytes)) or x is None:
        return ("python", x)
    return ("other", type(x).__name__)


def outcome(namespace: str, index: int, placement: str | None) -> dict[str, Any]:
    """The result of one case of the surface, what it moved, and where its results are."""
    case = TABLES[namespace][index]
    xp = NAMESPACES[namespace]
    dtype = getattr(torch, case.dtype)
    moved: list[tuple[str, int]] = []
    largest = 0
    inputs = []
    for numbers in case.inputs:
        tensor = torch.tensor(numbers, dtype=dtype)
        largest = max(largest, tensor.nbytes)
        if placement is not None:
            tensor = placed(tensor, placement)
        inputs.append(xp.asarray(tensor))
    numpy_shim.random.seed(0)
    torch.manual_seed(0)
    listener = lambda kind, size: moved.append((kind, size))  # noqa: E731
    collectives.listeners.append(listener)
    try:
        with warnings.catch_warnings(), limited(20):
            warnings.simplefilter("ignore")
            value = case.body(xp, *inputs)
    except Exception as error:
        if "Timed out" in str(error) or "closure" in str(error) or "closed" in str(error):
            raise  # the processes wait for each other
        return {"error": type(error).__name__, "message": str(error)[:300], "moved": moved}
    finally:
        collectives.listeners.remove(listener)
    boxes = value if isinstance(value, (list, tuple)) else [value]
    split = [
        b._tensor.axes for b in boxes if isinstance(b, TensorBox) and type(b._tensor) is MeshTensor
    ]
    if case.name.startswith("empty"):
        value = value * 0 == 0 if namespace == "numpy_shim" else None  # its values are any
        value = None if value is None else value.shape
    return {"value": plain(value), "inputs": plain(inputs), "moved": moved, "split": split,
            "largest": largest}  # fmt: skip


def outcomes(namespace: str, indices: list[int], placement: str | None) -> list[dict[str, Any]]:
    return [outcome(namespace, i, placement) for i in indices]


def names(namespace: str) -> list[str]:
    return [case.name for case in TABLES[namespace]]
