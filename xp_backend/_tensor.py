"""The tensor of a backend: a shape over a cell, and the cell over the library's array."""

from __future__ import annotations

import itertools
from collections import OrderedDict
from copy import deepcopy
from math import prod
from typing import Any, ClassVar

import torch
from torch import Tensor

from . import _trace as trace
from ._errors import BackendError
from ._torch_internals import (
    make_fx_is_tracing,
    make_wrapper,
    no_torch_function,
    rebuild_from_cpu,
    rebuild_parameter,
    set_conj,
    set_neg,
)

Shape = tuple[int, ...]


class Cell:
    """What a storage is to torch: one blob, shared by a tensor and all its views.

    ``shape`` and ``dtype`` are those of the blob and never change; a write puts another blob of the
    same shape and dtype in its place, or changes the blob itself. ``blob`` is None until the first
    write or read of a tensor that was made by ``torch.empty``.
    """

    __slots__ = ("__weakref__", "_address", "blob", "dtype", "shape")

    def __init__(self, blob: object, shape: Shape, dtype: torch.dtype) -> None:
        self.blob = blob
        self.shape = shape
        self.dtype = dtype

    @property
    def address(self) -> int:
        """A number that no other cell has, with room for offsets; nothing can be read there."""
        try:
            return self._address
        except AttributeError:
            self._address: int = next(_ADDRESSES) << 40
            return self._address

    @property
    def nbytes(self) -> int:
        return prod(self.shape) * self.dtype.itemsize


_ADDRESSES = itertools.count(1)


class CellStorage:
    """What ``untyped_storage()`` of a backend's tensor gives: identity and size, no memory.

    Programs compare ``data_ptr()`` to learn whether two tensors share memory.
    """

    __slots__ = ("__weakref__", "_cell", "device")

    def __init__(self, cell: Cell, device: torch.device) -> None:
        self._cell = cell
        self.device = device

    def data_ptr(self) -> int:
        """A number that tells cells apart; nothing can be read there."""
        return self._cell.address

    @property
    def _cdata(self) -> int:
        return self._cell.address

    def nbytes(self) -> int:
        """The size of the blob in bytes."""
        return self._cell.nbytes

    def size(self) -> int:
        """The same."""
        return self._cell.nbytes

    def resizable(self) -> bool:
        return False

    def __len__(self) -> int:
        return self._cell.nbytes

    def __eq__(self, other: object) -> bool:
        return isinstance(other, CellStorage) and self._cell is other._cell

    def __hash__(self) -> int:
        return hash(self._cell)


def contiguous_strides(shape: Shape) -> Shape:
    """The strides of a C-contiguous tensor, as torch counts them: in elements."""
    strides, step = [], 1
    for size in reversed(shape):
        strides.append(step)
        step *= max(size, 1)
    return tuple(reversed(strides))


class BackendTensor(Tensor):
    """A tensor whose values are in an array of another library.

    Attributes
    ----------
    cell : Cell
        The blob, shared with views.
    whole : bool
        Whether the tensor is the blob as it stands: same shape and dtype, no offset.

    Programs do not make one: ``torch.ones(3, device="npy")`` and ``tensor.to("npy")`` do.
    """

    cell: Cell
    whole: bool
    environment: ClassVar[Any] = None
    traced: ClassVar[bool] = False

    __torch_function__ = no_torch_function

    def __init__(self, *args: object) -> None:
        """torch.Tensor takes no arguments after ``__new__``."""

    @staticmethod
    def __new__(
        cls: type[BackendTensor],
        cell: Cell,
        shape: Shape,
        strides: Shape,
        offset: int,
        dtype: torch.dtype,
    ) -> BackendTensor:
        if dtype in cls.environment.lacking_dtypes:
            raise TypeError(
                f"the device {cls.environment.device.type!r} does not store {dtype}; use a dtype "
                "of __array_namespace_info__().dtypes(device=device)"
            )
        tensor: BackendTensor = make_wrapper(
            cls, shape, strides=strides, storage_offset=offset, dtype=dtype,
            device=cls.environment.device,
        )  # fmt: skip
        tensor.cell = cell
        tensor.whole = is_whole(tensor)
        return tensor

    @classmethod
    def __torch_dispatch__(  # type: ignore[override]
        cls, func: Any, types: object, args: tuple[object, ...] = (), kwargs: Any = None
    ) -> Any:
        if cls.traced:
            found = trace.dispatch(cls, func, args, kwargs or {})
            if found is not NotImplemented:
                return found
        try:
            if make_fx_is_tracing():
                device = cls.environment.device.type
                raise BackendError(
                    f"{func}: make_fx and torch.func.linearize record no operation with a tensor "
                    f"on {device!r} that is not an argument of the function they trace; pass it "
                    "as one"
                )
            return cls.environment.dispatch(func, args, kwargs or {})
        except Exception as error:
            return cls.environment.postponed(func, args, kwargs or {}, error)

    # --- under Dynamo a tensor is its shadow: a meta tensor of the same geometry ---

    @property
    def shadow(self) -> Tensor:
        """A meta tensor of the same geometry; in a trace the fake tensor that stands for it."""
        found: Tensor | None = vars(self).get("_shadow")
        if self.cell is None and found is not None:
            return found
        # Dynamo's guards tell tensors apart by their addresses, so it is kept.
        if found is None or found.shape != self.shape or found.stride() != self.stride():
            found = torch.empty_strided(
                tuple(self.shape), self.stride(), dtype=self.dtype, device="meta"
            )
            self._shadow = found
        if found.requires_grad != self.requires_grad:
            found.requires_grad_(self.requires_grad)
        return found

    def __tensor_flatten__(self) -> tuple[list[str], None]:
        return ["shadow"], None

    @staticmethod
    def __tensor_unflatten__(
        inner: dict[str, Tensor], context: None, size: object, stride: object
    ) -> BackendTensor:
        made: BackendTensor = trace.abstract(BackendTensor, inner["shadow"])
        return made

    def again(self) -> BackendTensor:
        """Another tensor over the cell, of the same geometry."""
        made = BackendTensor(
            self.cell, tuple(self.shape), self.stride(), int(self.storage_offset()), self.dtype
        )
        for is_it, mark in ((self.is_conj(), set_conj), (self.is_neg(), set_neg)):
            if is_it:
                mark(made, True)
                made.whole = False
        return made

    @property
    def data(self) -> Tensor:
        """The same cell without a gradient and with a version counter of its own."""
        return self.again()

    @data.setter
    def data(self, value: Tensor) -> None:
        if not isinstance(value, BackendTensor):
            name = self.environment.device.type
            raise TypeError(
                f"x.data of a tensor on {name!r} must be on {name!r}, got {value.device}"
            )
        Tensor.data.__set__(self, value)  # type: ignore[attr-defined]
        self.cell = value.cell
        self.whole = value.whole

    def __deepcopy__(self, memo: dict[int, Any]) -> BackendTensor:
        if not self.is_leaf:
            raise RuntimeError(
                "Only Tensors created explicitly by the user (graph leaves) support the deepcopy "
                "protocol at the moment"
            )
        if id(self) in memo:
            found: BackendTensor = memo[id(self)]
            return found
        with torch.no_grad():
            copy: BackendTensor = self.clone()  # type: ignore[assignment]
        for key, value in vars(self).items():
            if key not in ("cell", "whole", "_shadow"):
                setattr(copy, key, value)
        copy.requires_grad_(self.requires_grad)
        if self.grad is not None:
            copy.grad = deepcopy(self.grad, memo)
        memo[id(self)] = copy
        return copy

    def __reduce_ex__(self, protocol: object) -> Any:
        """A pickle holds the values on the CPU and the name of the device, not the memory."""
        if getattr(self, "_is_param", False):  # as torch.nn.Parameter marks tensors of subclasses
            return rebuild_parameter, (self.detach(), self.requires_grad, OrderedDict())
        values = self.environment.to_cpu_tensor(self.detach(), "pickle")
        return rebuild_from_cpu, (values, self.dtype, str(self.device), self.requires_grad)

    def __repr__(  # type: ignore[override]
        self, *, tensor_contents: object = None
    ) -> str:
        text = repr(self.environment.to_cpu_tensor(self.detach(), "repr"))
        tail = [f"device='{self.device}'"]
        if self.grad_fn is not None:
            tail.append(f"grad_fn=<{self.grad_fn.name()}>")
        elif self.requires_grad:
            tail.append("requires_grad=True")
        return f"{text.removesuffix(')')}, {', '.join(tail)})"

    def register_hook(self, hook: object) -> Any:
        """Call a function with the gradient; its error is raised where ``backward`` ends."""
        return super().register_hook(self.environment.carried(hook))  # type: ignore[no-untyped-call]

    def __format__(self, spec: str) -> str:
        """A tensor without axes is formatted as its value, which is read."""
        return format(self.item(), spec) if not self.ndim else object.__format__(self, spec)

    def untyped_storage(self) -> Any:
        """Identity and size of the storage; it has no memory to read."""
        return CellStorage(self.cell, self.device)

    def data_ptr(self) -> int:
        """A number that tells storages and offsets apart; nothing can be read there."""
        return self.cell.address + int(self.storage_offset()) * self.itemsize

    def tolist(self) -> Any:
        """The values as nested lists of Python numbers."""
        return self.environment.to_cpu_tensor(self.detach(), "tolist").tolist()

    def numpy(self, *, force: bool = False) -> Any:
        """A NumPy array, with ``force=True`` only: like every tensor that is not on the CPU."""
        if force:
            return self.environment.to_cpu_tensor(self.detach(), "numpy").numpy()
        raise TypeError(
            f"can't convert {self.device} device type tensor to numpy. Use Tensor.cpu() to copy "
            "the tensor to host memory first."
        )

    def __array__(self, dtype: object = None) -> Any:
        return self.numpy()

    def pin_memory(self, device: object = None) -> Tensor:
        raise RuntimeError(
            f"cannot pin a tensor on {self.environment.device.type!r}: only memory of the CPU can "
            "be pinned, and a backend in Python copies it anyway"
        )

    def share_memory_(self) -> Tensor:
        raise RuntimeError(
            f"cannot share a tensor on {self.environment.device.type!r} between processes: its "
            "memory is the library's; send x.cpu()"
        )

    def is_shared(self) -> bool:
        """False: the memory is the library's."""
        return False

    def __dlpack__(self, **kwargs: object) -> Any:
        """A DLPack capsule, made by the library: the memory is the array's.

        A later write to the tensor may or may not be seen through it. torch's own functions
        ``torch.from_dlpack(x)`` and ``to_dlpack(x)`` are refused: they ask torch for the memory.

        Raises
        ------
        BufferError
            If the library's arrays have no ``__dlpack__``, or if the tensor requires a gradient.
        """
        return self._exporter().__dlpack__(**kwargs)

    def __dlpack_device__(self) -> Any:
        """Where the memory of the library's array is, as the library says."""
        return self._exporter().__dlpack_device__()

    def _exporter(self) -> Any:
        if self.requires_grad:
            raise BufferError("DLPack carries no gradient; export x.detach()")
        blob = self.environment.blob(self)
        if not hasattr(blob, "__dlpack__"):
            raise BufferError(
                f"a tensor on {self.environment.device.type!r} has no memory that DLPack can "
                f"describe: {type(blob)!r} has no __dlpack__; move it with .cpu()"
            )
        return blob


def is_whole(tensor: BackendTensor) -> bool:
    """Whether a tensor is its cell's blob as it stands."""
    cell = tensor.cell
    return (
        tensor.shape == cell.shape
        and tensor.dtype is cell.dtype
        and tensor.storage_offset() == 0
        and (prod(cell.shape) == 0 or tensor.is_contiguous())
        and cell.blob is not None
        and not tensor.is_conj()
        and not tensor.is_neg()
    )
