"""Sorting. NaN sorts after all numbers; complex numbers sort by real, then imaginary part."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy
import torch
from torch import Tensor
from torch.compiler import is_dynamo_compiling

from xp_torch._kernels.blocks import is_large

from .._array.ndarray import AnyArray, array_of, ndarray, new, wrap
from .._array.views import is_writeable
from .._base.axes import normalize_axis
from .._base.dtypes import INTEGERS, NUMPY
from .._base.tracing import _NoValue
from .._base.typing import ArrayLike
from .._convert.arguments import as_tensor, assign, operands
from .._kernels import sorting as kernels
from .._kernels.casting import cast
from .._kernels.host_kernels import HOST_KERNELS, write_by_numpy
from .._kernels.selection import write_partition

__all__ = ["argpartition", "argsort", "lexsort", "partition", "sort", "sort_complex"]

_NATIVE = frozenset({torch.float32, torch.float64, torch.int64, torch.int32})
"""The dtypes that the fast paths pass to torch unchanged."""
_LARGE = HOST_KERNELS["sort"].least
"""From this size on, another kernel may be faster."""


def sort(
    a: ArrayLike,
    axis: int | None = -1,
    kind: str | None = None,
    order: str | Sequence[str] | None = None,
    *,
    stable: bool | None = None,
    descending: bool | None = _NoValue,
) -> ndarray:
    """A sorted copy.

    Parameters
    ----------
    a : array_like
        The array.
    axis : int or None
        The axis to sort along; ``None`` sorts the flattened array.
    kind : {'quicksort', 'mergesort', 'heapsort', 'stable'}, optional
        Only the stability of the kind matters.
    order : None
        Field names in NumPy. No dtype here has fields, so any other value raises ``ValueError``.
    stable : bool, optional
        Whether equal elements keep their order; use it instead of ``kind``.
    descending : bool, optional
        Whether the largest element comes first; use it instead of ``kind``. NaN is still last.

    Returns
    -------
    ndarray
        The sorted elements, NaN last.

    Examples
    --------
    >>> import numpy_shim as np
    >>> np.sort([3, 1, 2])
    array([1, 2, 3])
    """
    plain = kind is None and order is None and descending is _NoValue
    if plain and type(a) is ndarray and type(axis) is int:
        t = a._tensor
        small = is_dynamo_compiling() or t.numel() < _LARGE
        if small and a._flat_dtype in _NATIVE and -t.dim() <= axis < t.dim():
            out = new(ndarray)
            out._tensor = torch.sort(t, dim=axis, stable=bool(stable))[0]
            out._flat_dtype = a._flat_dtype
            return out
    return _general_sort(a, axis, kind, order, stable, descending)


def sort_in_place(
    a: ndarray,
    axis: int,
    kind: str | None,
    order: str | Sequence[str] | None,
    stable: bool | None,
    descending: bool | None,
) -> None:
    """The method ``sort``, which needs no other memory where NumPy's code may sort."""
    normalize_axis("sort", axis, a.ndim)
    if type(a) is ndarray and not is_dynamo_compiling() and a._tensor.numel() >= _LARGE:
        _, falls = check_kind("sort", kind, order, stable, descending)
        if write_by_numpy("sort_in_place", a._tensor, axis, falls):
            return
    assign(a, sort(a, axis, kind, order, stable=stable, descending=descending)._tensor)


def _general_sort(
    a: ArrayLike,
    axis: int | None,
    kind: str | None,
    order: str | Sequence[str] | None,
    stable: bool | None,
    descending: bool | None,
) -> ndarray:
    tensor, dim = _along("sort", a, axis)
    is_stable, falls = check_kind("sort", kind, order, stable, descending)
    return array_of(kernels.sort(tensor, dim, is_stable, falls))


def _along(name: str, a: Any, axis: object) -> tuple[Tensor, int]:
    """The tensor and its normalized axis; for ``axis=None`` the flattened tensor and 0."""
    tensor = as_tensor(name, a)
    if axis is None:
        return tensor.reshape(-1), 0
    return tensor, normalize_axis(name, axis, tensor.dim())


def check_kind(
    name: str, kind: object, order: object, stable: object, descending: object = None
) -> tuple[bool, bool]:
    """Whether a sort is stable and descending; raises NumPy's errors for wrong arguments."""
    if descending is _NoValue or descending is numpy._NoValue:
        descending = None
    if order is not None:
        raise ValueError(f"{name}: cannot specify order when the array has no fields.")
    if kind is None:
        return bool(stable), bool(descending)
    if stable is not None or descending is not None:
        raise ValueError(
            f"{name}: `kind` and keyword parameters can't be provided at the same time. Use only "
            "one of them."
        )
    if not isinstance(kind, str):
        raise TypeError(f"{name}: sort kind must be str, not {type(kind).__name__}")
    if kind[:1].lower() not in ("q", "h", "m", "s"):
        raise ValueError(
            f"{name}: sort kind must be one of 'quick', 'heap', or 'stable' (got {kind!r})"
        )
    return kind[:1].lower() in ("m", "s"), False


def _with_an_axis(name: str, tensor: Tensor, axis: object) -> Tensor:
    """A tensor without axes with one: NumPy gives the position of a single element."""
    if tensor.dim():
        return tensor
    if axis is not None:
        normalize_axis(name, axis, 1)
    return tensor.reshape(1)


def argsort(
    a: ArrayLike,
    axis: int | None = -1,
    kind: str | None = None,
    order: str | Sequence[str] | None = None,
    *,
    stable: bool | None = None,
    descending: bool | None = _NoValue,
) -> ndarray:
    """The indices that would sort an array; always stable.

    Parameters
    ----------
    a : array_like
        The array.
    axis : int or None
        The axis to sort along; ``None`` sorts the flattened array.
    kind : {'quicksort', 'mergesort', 'heapsort', 'stable'}, optional
        Checked; every kind is stable.
    order : None
        Field names in NumPy. No dtype here has fields, so any other value raises ``ValueError``.
    stable : bool, optional
        Accepted; the result is always stable.
    descending : bool, optional
        Whether the largest element comes first; use it instead of ``kind``. NaN is still last.

    Returns
    -------
    ndarray
        Indices, int64, in the shape of ``a``.

    Examples
    --------
    >>> import numpy_shim as np
    >>> np.argsort([3, 1, 2])
    array([1, 2, 0])
    """
    plain = kind is None and order is None and descending is _NoValue
    if plain and type(a) is ndarray and type(axis) is int:
        t = a._tensor
        small = is_dynamo_compiling() or t.numel() < _LARGE
        if small and a._flat_dtype in _NATIVE and -t.dim() <= axis < t.dim():
            out = new(ndarray)
            indices = torch.argsort(t, dim=axis, stable=True)
            out._tensor = indices if t.dim() < 2 else indices.contiguous()
            out._flat_dtype = torch.int64
            return out
    return _general_argsort(a, axis, kind, order, stable, descending)


def _general_argsort(
    a: ArrayLike,
    axis: int | None,
    kind: str | None,
    order: str | Sequence[str] | None,
    stable: bool | None,
    descending: bool | None,
) -> ndarray:
    tensor = as_tensor("argsort", a)
    _, falls = check_kind("argsort", kind, order, stable, descending)
    tensor, dim = _along("argsort", _with_an_axis("argsort", tensor, axis), axis)
    return array_of(kernels.argsort(tensor, dim, falls).contiguous())


def lexsort(keys: ArrayLike, axis: int = -1) -> ndarray:
    """The indices that sort by several keys, the last key first; stable.

    Parameters
    ----------
    keys : sequence of array_like
        Keys of one shape.
    axis : int
        The axis to sort along.

    Returns
    -------
    ndarray
        Indices, int64, in the shape of a key.

    Examples
    --------
    >>> import numpy_shim as np
    >>> np.lexsort(([3, 1, 2], [1, 1, 0]))
    array([2, 1, 0])
    """
    if isinstance(keys, (AnyArray, Tensor)):
        keys = [array_of(t) for t in as_tensor("lexsort", keys, "keys")]
    keys = list(keys)  # type: ignore[arg-type]
    if not keys:
        raise TypeError("lexsort: need sequence of keys with len > 0 in lexsort")
    tensors = operands("lexsort", *keys)
    if any(t.shape != tensors[0].shape for t in tensors):
        raise ValueError("lexsort: all keys need to be the same shape")
    if tensors[0].dim() == 0:
        normalize_axis("lexsort", axis, 1)
        return wrap(torch.zeros((), dtype=torch.int64, device=tensors[0].device))
    dim = normalize_axis("lexsort", axis, tensors[0].dim())
    split = [
        part for t in tensors for part in (kernels.complex_keys(t) if t.dtype.is_complex else [t])
    ]
    return array_of(kernels.lexsort(split, dim))


def check_partition(name: str, kth: Any, x: Tensor, axis: int, kind: Any, order: Any) -> list[int]:
    """The positions of ``kth``; raises NumPy's errors for wrong arguments."""
    size = x.shape[axis]
    if order is not None:
        raise ValueError(f"{name}: cannot specify order when the array has no fields.")
    if not isinstance(kind, str):
        raise TypeError(f"{name}: select kind must be str, not {type(kind).__name__}")
    if kind != "introselect":
        raise ValueError(f"{name}: select kind must be 'introselect' (got {kind!r})")
    positions = [kth] if type(kth) is int else _positions(name, kth)
    for index in positions:
        if x.numel() and not -size <= index < size:
            raise ValueError(f"{name}: kth(={index}) out of bounds ({size})")
    return [index % size for index in positions] if x.numel() else []


def _positions(name: str, kth: Any) -> list[int]:
    """``kth``, an integer or a 1-D array-like of integers, as a list."""
    tensor = as_tensor(name, kth, "kth")
    if tensor.dtype is torch.bool:
        raise ValueError(f"{name}: booleans unacceptable as partition index")
    if tensor.dtype not in INTEGERS:
        raise TypeError(f"{name}: partition index must be integer, not {NUMPY[tensor.dtype]}")
    if tensor.dim() > 1:
        raise ValueError(f"{name}: kth must have one axis at most, not {tensor.dim()}")
    return tensor.reshape(-1).tolist()


def partition(
    a: ArrayLike,
    kth: ArrayLike,
    axis: int | None = -1,
    kind: str = "introselect",
    order: str | Sequence[str] | None = None,
) -> ndarray:
    """A copy in which every ``kth`` element is where sorting would put it.

    Smaller elements come before it and larger ones after it, in any order.

    Parameters
    ----------
    a : array_like
        The array.
    kth : int or sequence of int
        The positions.
    axis : int or None
        The axis; ``None`` flattens the array.
    kind : {'introselect'}
        The only kind.
    order : None
        Field names in NumPy; no dtype here has fields.

    Returns
    -------
    ndarray
        In the shape and dtype of ``a``.

    Examples
    --------
    >>> import numpy_shim as np
    >>> np.partition([3, 1, 2], 1)[1]
    np.int64(2)
    """
    tensor, dim = _along("partition", a, axis)
    positions = check_partition("partition", kth, tensor, dim, kind, order)
    return array_of(kernels.partition(tensor, dim, positions))


def partition_in_place(a: ndarray, kth: object, kind: object, order: object) -> bool:
    """Whether the method ``partition`` of a long vector needed no other vector."""
    if type(a) is not ndarray or type(kth) is not int or a.ndim != 1 or not is_large(a._tensor):
        return False
    t = a._tensor
    if type(t) is not Tensor or not t.is_contiguous() or t.requires_grad or not is_writeable(a):
        return False
    (position,) = check_partition("partition", kth, t, 0, kind, order)
    return write_partition(t, position)


def argpartition(
    a: ArrayLike,
    kth: ArrayLike,
    axis: int | None = -1,
    kind: str = "introselect",
    order: str | Sequence[str] | None = None,
) -> ndarray:
    """The indices that would partition an array.

    Parameters
    ----------
    a : array_like
        The array.
    kth : int or sequence of int
        The positions.
    axis : int or None
        The axis; ``None`` flattens the array.
    kind : {'introselect'}
        The only kind.
    order : None
        Field names in NumPy; no dtype here has fields.

    Returns
    -------
    ndarray
        Indices, int64, in the shape of ``a``.

    Examples
    --------
    >>> import numpy_shim as np
    >>> np.argpartition([3, 1, 2], 0)[0]
    np.int64(1)
    """
    tensor = _with_an_axis("argpartition", as_tensor("argpartition", a), axis)
    tensor, dim = _along("argpartition", tensor, axis)
    positions = check_partition("argpartition", kth, tensor, dim, kind, order)
    return array_of(kernels.argpartition(tensor, dim, positions).contiguous())


def sort_complex(a: ArrayLike) -> ndarray:
    """The elements sorted along the last axis, as complex numbers.

    Parameters
    ----------
    a : array_like
        Any numeric dtype, at least one axis.

    Returns
    -------
    ndarray
        complex64 for integers of 8 and 16 bits, else complex128; a complex dtype stays.

    Examples
    --------
    >>> import numpy_shim as np
    >>> np.sort_complex([2, 1])
    array([1.+0.j, 2.+0.j])
    """
    tensor, dim = _along("sort_complex", a, -1)
    ordered = kernels.sort(tensor, dim, False)
    if ordered.dtype.is_complex:
        return array_of(ordered)
    small = ordered.dtype in (torch.int8, torch.uint8, torch.int16, torch.uint16)
    return array_of(cast(ordered, torch.complex64 if small else torch.complex128))
