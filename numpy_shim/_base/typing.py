"""The vocabulary of annotations: what functions take as arrays, dtypes, axes, shapes, options.

Each name is a union that holds at run time too; ``TensorBox`` stands for our arrays. An alias
that stands for an optional argument includes ``None``. ``_array/typing.py`` has the names that
need the array's class, ``numpy_shim.typing`` the public ones.
"""

from __future__ import annotations

from collections.abc import Sequence
from os import PathLike
from typing import IO, TYPE_CHECKING, Any, Literal, Protocol, SupportsIndex, TypeAlias, TypedDict

import numpy.typing
import torch
from torch import Tensor

from xp_torch._core.box import TensorBox

if TYPE_CHECKING:
    from typing_extensions import Buffer as _Buffer

__all__ = [
    "ArrayLike", "AxesLike", "AxisLike", "BitOrder", "Buffer", "Casting", "DTypeLike", "Device",
    "FFTNorm", "FileLike", "GufuncOptions", "IndexMode", "MatrixNorm", "No",
    "OptimizeLike", "Order", "OrderCF", "PartitionKind", "ShapeLike", "Side",
    "SortKind", "SupportsDLPack", "UfuncOptions", "Yes",
]  # fmt: skip

ArrayLike: TypeAlias = TensorBox | Tensor | numpy.typing.ArrayLike | Sequence["ArrayLike"]
"""What functions take as an array: our arrays, tensors, whatever NumPy takes, nested sequences."""

DTypeLike: TypeAlias = numpy.typing.DTypeLike | torch.dtype | None
"""A dtype: NumPy's dtypes, torch's, scalar types, strings; ``None`` is the default."""

AxisLike: TypeAlias = SupportsIndex | tuple[SupportsIndex, ...] | None
"""The axes of a reduction: one, several, or ``None`` for all."""

AxesLike: TypeAlias = SupportsIndex | Sequence[SupportsIndex]
"""One axis or several, where any sequence is taken."""

ShapeLike: TypeAlias = SupportsIndex | Sequence[SupportsIndex]
"""A shape: one size or several."""

Device: TypeAlias = torch.device | str | None
"""A device or its name; ``None`` is torch's default device, or that of the operands."""

Order: TypeAlias = Literal["K", "A", "C", "F"] | None
"""The layout of a result in memory."""

OrderCF: TypeAlias = Literal["C", "F"] | None
"""The layout of a new array in memory."""

Casting: TypeAlias = Literal["no", "equiv", "safe", "same_kind", "unsafe", "same_value"]
"""Which casts are allowed."""

IndexMode: TypeAlias = Literal["raise", "wrap", "clip"]
"""What happens to an index out of bounds."""

SortKind: TypeAlias = Literal[
    "Q", "quick", "quicksort", "M", "merge", "mergesort",
    "H", "heap", "heapsort", "S", "stable", "stablesort",
]  # fmt: skip
"""NumPy's names of sorting algorithms."""

PartitionKind: TypeAlias = Literal["introselect"]
"""NumPy's names of partitioning algorithms."""

Side: TypeAlias = Literal["left", "right"]
"""Before or after the elements that are equal."""

BitOrder: TypeAlias = Literal["big", "little"]
"""Which bit of a byte comes first."""

FFTNorm: TypeAlias = Literal["backward", "ortho", "forward"] | None
"""Which direction of a transform is scaled."""

MatrixNorm: TypeAlias = Literal["fro", "nuc"] | float | None
"""Which norm of a vector or matrix."""

OptimizeLike: TypeAlias = bool | Literal["greedy", "optimal"] | Sequence[object]
"""How ``einsum`` finds the order of its contractions, or the order itself."""

Buffer: TypeAlias = "_Buffer"
"""An object with memory that others may read."""

FileLike: TypeAlias = str | PathLike[str] | IO[Any]
"""A path or an open file."""

Yes: TypeAlias = Literal[True]
No: TypeAlias = Literal[False]
"""Flags on which the type of a result depends."""


class SupportsDLPack(Protocol):
    """An array of another library that can be exchanged through DLPack."""

    def __dlpack__(self, *, stream: object = None) -> Any: ...

    def __dlpack_device__(self) -> tuple[Any, Any]: ...


class GufuncOptions(TypedDict, total=False):
    """The keywords of a generalized ufunc."""

    axes: Sequence[AxesLike]
    axis: SupportsIndex
    keepdims: bool
    casting: Casting
    order: Order
    dtype: DTypeLike
    subok: bool
    signature: str | tuple[DTypeLike, ...] | None


class UfuncOptions(TypedDict, total=False):
    """The keywords that every ufunc takes."""

    where: ArrayLike
    casting: Casting
    order: Order
    dtype: DTypeLike
    subok: bool
    signature: str | tuple[DTypeLike, ...] | None
