"""Blobs: how they are described, moved, read through strides and written to.

Everything here is in terms of operators that are registered: ``as_strided`` and ``copy_`` for a
library whose arrays have views, ``as_strided_copy`` and ``as_strided_scatter`` for one without.
A backend that has neither goes through the CPU, and the report says so.
"""

from __future__ import annotations

from collections.abc import Callable
from math import prod
from typing import Any

import torch
from torch import Tensor

from ._operators import aten
from ._report import Counts
from ._tensor import BackendTensor, Cell, Shape, contiguous_strides, is_whole

AS_STRIDED = aten("as_strided.default")
AS_STRIDED_COPY = aten("as_strided_copy.default")
AS_STRIDED_SCATTER = aten("as_strided_scatter.default")
CLONE = aten("clone.default")
CONJ = aten("conj_physical.default")
COPY = aten("copy_.default")
EMPTY = aten("empty.memory_format")
FULL = aten("full.default")
NEG = aten("neg.default")
TO_COPY = aten("_to_copy.default")
VIEW_COPY = aten("view_copy.default")
VIEW_DTYPE = aten("view.dtype")
VIEW_DTYPE_COPY = aten("view_copy.dtype")


class Blobs:
    """The arrays of one library, as storages of torch.

    Parameters
    ----------
    name : str
        The name of the device, for errors.
    blob_type : type or tuple of types
        The library's array type.
    cpu_to_backend, backend_to_cpu : callable
        From a contiguous CPU tensor to a blob, and back. They may share memory: what they are given
        and what they return is copied.
    operators : dict
        Operator overload to function over blobs; filled while the backend is in use.
    counts : Counts
        Told of every transfer.
    own : callable, optional
        For a library whose arrays can be written: from a result to an array with memory of its
        own, in C order.
    """

    def __init__(
        self,
        name: str,
        blob_type: type[Any] | tuple[type[Any], ...],
        cpu_to_backend: Callable[[Tensor], Any],
        backend_to_cpu: Callable[[Any], Tensor],
        operators: dict[Any, Callable[..., Any]],
        counts: Counts,
        own: Callable[[Any], Any] | None = None,
    ) -> None:
        self.name = name
        self.blob_type = blob_type
        self.operators = operators
        self.counts = counts
        self.own = own
        self._cpu_to_backend = cpu_to_backend
        self._backend_to_cpu = backend_to_cpu
        self._dtypes: dict[Any, torch.dtype] = {}

    # --- between the CPU and the backend ---

    def from_cpu(self, tensor: Tensor, operator: str) -> Any:
        """A blob with the values of a CPU tensor."""
        self.counts.moved("to backend", operator, tensor.numel() * tensor.element_size())
        blob = self._cpu_to_backend(
            tensor.detach()
            .resolve_conj()
            .resolve_neg()
            .clone(memory_format=torch.contiguous_format)
        )
        if not isinstance(blob, self.blob_type):
            raise TypeError(
                f"cpu_to_backend of backend {self.name!r} must return {self.blob_type!r}, "
                f"got {type(blob)!r}"
            )
        return blob

    def to_cpu(self, blob: object, operator: str) -> Tensor:
        """A CPU tensor with the values of a blob."""
        tensor: object = self._backend_to_cpu(blob)
        if not isinstance(tensor, Tensor) or tensor.device.type != "cpu":
            raise TypeError(
                f"backend_to_cpu of backend {self.name!r} must return a CPU tensor, got {tensor!r}"
            )
        self.counts.moved("to cpu", operator, tensor.numel() * tensor.element_size())
        return tensor.detach().clone(memory_format=torch.contiguous_format)

    def describe(self, blob: Any) -> tuple[Shape, torch.dtype]:
        """Shape and dtype of a blob, without its values where it has the two attributes."""
        try:
            return tuple(blob.shape), self._dtypes[blob.dtype]
        except (AttributeError, KeyError, TypeError):
            pass
        named = str(getattr(blob, "dtype", None)).rpartition(".")[2]
        dtype = getattr(torch, named, None)
        if not isinstance(dtype, torch.dtype) or not hasattr(blob, "shape"):
            tensor = self.to_cpu(blob, "describe")
            return tuple(tensor.shape), tensor.dtype
        self._dtypes[blob.dtype] = dtype
        return tuple(blob.shape), dtype

    # --- tensors over blobs ---

    def wrap(self, blob: object, dtype: torch.dtype | None = None) -> BackendTensor:
        """A tensor over a blob that nothing else holds; cast if it has another dtype."""
        if self.own is not None:
            blob = self.own(blob)
        shape, own = self.describe(blob)
        if dtype is not None and own is not dtype:
            blob, own = self.cast(blob, dtype), dtype
        return BackendTensor(Cell(blob, shape, own), shape, contiguous_strides(shape), 0, own)

    def empty(self, shape: Shape, strides: Shape, dtype: torch.dtype) -> BackendTensor:
        """A tensor without a blob: it gets one when it is written or read."""
        extent = 0
        if prod(shape):
            extent = 1 + sum((n - 1) * s for n, s in zip(shape, strides, strict=True))
        dense = shape if strides == contiguous_strides(shape) else (extent,)
        return BackendTensor(Cell(None, dense, dtype), shape, strides, 0, dtype)

    def blob_of(self, cell: Cell) -> Any:
        """The blob of a cell; zeros if nothing has been written yet."""
        if cell.blob is None:
            full = self.operators.get(FULL)
            if full is not None:
                cell.blob = full(list(cell.shape), 0, dtype=cell.dtype)
            else:
                cell.blob = self.from_cpu(torch.zeros(cell.shape, dtype=cell.dtype), "empty")
        return cell.blob

    def read(self, tensor: BackendTensor) -> Any:
        """The values of a tensor as a blob of its shape and dtype; do not write to it."""
        cell = tensor.cell
        if tensor.whole:
            return cell.blob
        blob = self.blob_of(cell)
        if tensor.dtype is not cell.dtype:
            blob = self.reinterpret(blob, tensor.dtype)
        elif is_whole(tensor):
            tensor.whole = True
            return blob
        blob = self.strided(
            blob, tuple(tensor.shape), tensor.stride(), int(tensor.storage_offset())
        )
        return self.turned(tensor, blob)

    def turned(self, tensor: BackendTensor, blob: object) -> Any:
        """The blob conjugated or negated where the tensor is a lazy conjugate or negative."""
        for is_it, op in ((tensor.is_conj(), CONJ), (tensor.is_neg(), NEG)):
            if not is_it:
                continue
            function = self.operators.get(op)
            if function is not None:
                blob = function(blob)
            else:
                blob = self.from_cpu(op(self.to_cpu(blob, str(op))), str(op))
        return blob

    def cast(self, blob: object, dtype: torch.dtype) -> Any:
        """The blob with its elements converted to another dtype."""
        convert = self.operators.get(TO_COPY)
        if convert is not None:
            return convert(blob, dtype=dtype)
        return self.from_cpu(self.to_cpu(blob, "_to_copy").to(dtype), "_to_copy")

    def clone(self, blob: object) -> Any:
        """A blob that can be written to while the other is not changed."""
        clone = self.operators.get(CLONE)
        if clone is not None:
            made = clone(blob)
            return made if self.own is None else self.own(made)  # in C order, as views need it
        if not self.in_place:
            return blob  # nobody writes to it
        return self.from_cpu(self.to_cpu(blob, "clone"), "clone")

    @property
    def in_place(self) -> bool:
        """Whether blobs are written to, or replaced."""
        return AS_STRIDED in self.operators and COPY in self.operators

    def strided(self, blob: object, shape: Shape, strides: Shape, offset: int) -> Any:
        """The elements of a blob at strides over its C-contiguous order."""
        whole = tuple(blob.shape) if hasattr(blob, "shape") else None
        dense = offset == 0 and (strides == contiguous_strides(shape) or prod(shape) == 0)
        if dense and whole == shape:
            return blob
        if dense and whole is not None and prod(whole) == prod(shape):
            view = self.operators.get(VIEW_COPY)
            if view is not None:
                return view(blob, list(shape))
        take = self.operators.get(AS_STRIDED) or self.operators.get(AS_STRIDED_COPY)
        if take is not None:
            return take(blob, list(shape), list(strides), offset)
        values = self.to_cpu(blob, "as_strided")
        return self.from_cpu(values.as_strided(shape, strides, offset), "as_strided")

    def reinterpret(self, blob: object, dtype: torch.dtype) -> Any:
        """The bits of a blob in C order, 1-D, as elements of another dtype."""
        view = self.operators.get(VIEW_DTYPE) or self.operators.get(VIEW_DTYPE_COPY)
        if view is not None:
            return view(blob, dtype)
        values = self.to_cpu(blob, "view.dtype").reshape(-1)
        return self.from_cpu(bits_of(values, dtype), "view.dtype")

    def write(self, tensor: BackendTensor, values: object) -> None:
        """Put the values of a blob of the tensor's shape and dtype where the tensor looks.

        ``values`` becomes the tensor's own if it is the whole of its cell: pass a blob that
        nothing else holds.
        """
        cell = tensor.cell
        if tensor.whole:
            cell.blob = values
            return
        shape, strides = tuple(tensor.shape), tensor.stride()
        if tensor.is_conj() or tensor.is_neg():
            values = self.turned(tensor, values)
        offset = int(tensor.storage_offset())
        dense = strides == contiguous_strides(shape) or prod(shape) == 0
        if tensor.dtype is cell.dtype and dense and prod(shape) == prod(cell.shape):
            if shape == cell.shape:
                cell.blob = values
                tensor.whole = is_whole(tensor)
            else:
                values = self.strided(values, cell.shape, contiguous_strides(cell.shape), 0)
                cell.blob = self.clone(values) if self.in_place else values
            return
        if prod(shape) == 0:
            return
        if overlaps(shape, strides):
            raise RuntimeError(
                "unsupported operation: more than one element of the written-to tensor refers to "
                "a single memory location. Please clone() the tensor before performing the "
                "operation."
            )
        blob = self.blob_of(cell)
        same = tensor.dtype is cell.dtype
        if self.in_place and (same or VIEW_DTYPE in self.operators):
            if not same:
                blob = self.reinterpret(blob, tensor.dtype)
            target = self.operators[AS_STRIDED](blob, list(shape), list(strides), offset)
            self.operators[COPY](target, values)
            return
        if not same:
            blob = self.reinterpret(blob, tensor.dtype)
        blob = self.scattered(blob, values, shape, strides, offset)
        if not same:
            blob = self.reinterpret(blob, cell.dtype)
            blob = self.strided(blob, cell.shape, contiguous_strides(cell.shape), 0)
        cell.blob = blob

    def scattered(self, blob: Any, values: Any, shape: Shape, strides: Shape, offset: int) -> Any:
        """A new blob: the old one with the values put at the strides."""
        scatter = self.operators.get(AS_STRIDED_SCATTER)
        if scatter is not None:
            return scatter(blob, values, list(shape), list(strides), offset)
        base = self.to_cpu(blob, "as_strided_scatter")
        base.as_strided(shape, strides, offset).copy_(self.to_cpu(values, "as_strided_scatter"))
        return self.from_cpu(base, "as_strided_scatter")


def bits_of(values: Tensor, dtype: torch.dtype) -> Tensor:
    """The bits of a 1-D CPU tensor as elements of another dtype, 1-D."""
    if dtype.is_complex != values.dtype.is_complex:
        if values.dtype.is_complex:
            values = torch.view_as_real(values).reshape(-1)
        if dtype.is_complex:
            return torch.view_as_complex(values.reshape(-1, 2))
    return values.view(dtype)


def overlaps(shape: Shape, strides: Shape) -> bool:
    """Whether two indices surely mean one element; False where only a search could tell.

    torch refuses the same writes: a size above one over a stride of zero, and strides that cannot
    be nested are let through.
    """
    return any(n > 1 and s == 0 for n, s in zip(shape, strides, strict=True))
