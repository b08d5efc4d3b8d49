"""Distinct elements. They read the values, because the sizes of the results depend on them."""

from __future__ import annotations

from typing import NamedTuple, overload

import torch
from torch import Tensor
from torch.compiler import is_compiling

from xp_torch._kernels.sets import NATIVE

from .._array.ndarray import array_of, ndarray, new
from .._base.axes import normalize_axis
from .._base.typing import ArrayLike, No, Yes
from .._convert.arguments import as_tensor
from .._kernels import sets as kernels

__all__ = ["unique", "unique_all", "unique_counts", "unique_inverse", "unique_values"]


@overload
def unique(
    ar: ArrayLike,
    return_index: No = ...,
    return_inverse: No = ...,
    return_counts: No = ...,
    axis: int | None = ...,
    *,
    equal_nan: bool = ...,
    sorted: bool = ...,
) -> ndarray: ...
@overload
def unique(
    ar: ArrayLike,
    return_index: No = ...,
    return_inverse: No = ...,
    *,
    return_counts: Yes,
    axis: int | None = ...,
    equal_nan: bool = ...,
    sorted: bool = ...,
) -> tuple[ndarray, ndarray]: ...
@overload
def unique(
    ar: ArrayLike,
    return_index: No,
    return_inverse: No,
    return_counts: Yes,
    axis: int | None = ...,
    *,
    equal_nan: bool = ...,
    sorted: bool = ...,
) -> tuple[ndarray, ndarray]: ...
@overload
def unique(
    ar: ArrayLike,
    return_index: No = ...,
    *,
    return_inverse: Yes,
    return_counts: No = ...,
    axis: int | None = ...,
    equal_nan: bool = ...,
    sorted: bool = ...,
) -> tuple[ndarray, ndarray]: ...
@overload
def unique(
    ar: ArrayLike,
    return_index: No,
    return_inverse: Yes,
    return_counts: No = ...,
    axis: int | None = ...,
    *,
    equal_nan: bool = ...,
    sorted: bool = ...,
) -> tuple[ndarray, ndarray]: ...
@overload
def unique(
    ar: ArrayLike,
    return_index: No = ...,
    *,
    return_inverse: Yes,
    return_counts: Yes,
    axis: int | None = ...,
    equal_nan: bool = ...,
    sorted: bool = ...,
) -> tuple[ndarray, ndarray, ndarray]: ...
@overload
def unique(
    ar: ArrayLike,
    return_index: No,
    return_inverse: Yes,
    return_counts: Yes,
    axis: int | None = ...,
    *,
    equal_nan: bool = ...,
    sorted: bool = ...,
) -> tuple[ndarray, ndarray, ndarray]: ...
@overload
def unique(
    ar: ArrayLike,
    return_index: Yes,
    return_inverse: No = ...,
    return_counts: No = ...,
    axis: int | None = ...,
    *,
    equal_nan: bool = ...,
    sorted: bool = ...,
) -> tuple[ndarray, ndarray]: ...
@overload
def unique(
    ar: ArrayLike,
    return_index: Yes,
    return_inverse: No = ...,
    *,
    return_counts: Yes,
    axis: int | None = ...,
    equal_nan: bool = ...,
    sorted: bool = ...,
) -> tuple[ndarray, ndarray, ndarray]: ...
@overload
def unique(
    ar: ArrayLike,
    return_index: Yes,
    return_inverse: No,
    return_counts: Yes,
    axis: int | None = ...,
    *,
    equal_nan: bool = ...,
    sorted: bool = ...,
) -> tuple[ndarray, ndarray, ndarray]: ...
@overload
def unique(
    ar: ArrayLike,
    return_index: Yes,
    return_inverse: Yes,
    return_counts: No = ...,
    axis: int | None = ...,
    *,
    equal_nan: bool = ...,
    sorted: bool = ...,
) -> tuple[ndarray, ndarray, ndarray]: ...
@overload
def unique(
    ar: ArrayLike,
    return_index: Yes,
    return_inverse: Yes,
    return_counts: Yes,
    axis: int | None = ...,
    *,
    equal_nan: bool = ...,
    sorted: bool = ...,
) -> tuple[ndarray, ndarray, ndarray, ndarray]: ...
@overload
def unique(
    ar: ArrayLike,
    return_index: bool = ...,
    return_inverse: bool = ...,
    return_counts: bool = ...,
    axis: int | None = ...,
    *,
    equal_nan: bool = ...,
    sorted: bool = ...,
) -> ndarray | tuple[ndarray, ...]: ...
def unique(
    ar: ArrayLike,
    return_index: bool = False,
    return_inverse: bool = False,
    return_counts: bool = False,
    axis: int | None = None,
    *,
    equal_nan: bool = True,
    sorted: bool = True,
) -> ndarray | tuple[ndarray, ...]:
    """The distinct elements of an array, in ascending order.

    Parameters
    ----------
    ar : array_like
        The array.
    return_index : bool
        Whether to also return the first index of each distinct element.
    return_inverse : bool
        Whether to also return, for each element, its index among the distinct ones.
    return_counts : bool
        Whether to also return how often each distinct element occurs.
    axis : int, optional
        The axis along which to find distinct slices; by default single elements.
    equal_nan : bool
        Whether all NaN count as one element; slices with a NaN are distinct in any case.
    sorted : bool
        Accepted; the result is always sorted.

    Returns
    -------
    ndarray or tuple of ndarray
        The distinct elements, and the other results requested.

    Examples
    --------
    >>> import numpy_shim as np
    >>> np.unique([3, 1, 1], return_counts=True)
    (array([1, 3]), array([2, 1]))
    """
    x = as_tensor("unique", ar, "ar")
    if isinstance(axis, float):
        raise TypeError(f"unique: axis: integer argument expected, got float {axis}")
    if axis is None or x.dim() == 1:
        if axis is not None:
            normalize_axis("unique", axis, 1)
        flat = x.reshape(-1)
        if not (return_index or return_inverse or return_counts):
            return array_of(kernels.unique_values(flat, equal_nan))
        groups = kernels.Groups(flat, equal_nan)
        values, inverse_shape = groups.values(), x.shape
    else:
        dim = normalize_axis("unique", axis, x.dim())
        parts = x.movedim(dim, 0)
        rows = parts.reshape(parts.shape[0], parts[0].numel() if len(parts) else _rest(parts))
        groups = kernels.RowGroups(rows)
        values = groups.values()
        values = values.reshape(values.shape[0], *parts.shape[1:]).movedim(0, dim)
        inverse_shape = parts.shape[:1]
    results = [array_of(values)]
    if return_index:
        results.append(array_of(groups.indices()))
    if return_inverse:
        results.append(array_of(groups.inverse().reshape(inverse_shape)))
    if return_counts:
        results.append(array_of(groups.counts()))
    return results[0] if len(results) == 1 else tuple(results)


def _rest(parts: Tensor) -> int:
    """The number of elements of a slice along the first axis, which may be empty."""
    size = 1
    for n in parts.shape[1:]:
        size *= n
    return size


class UniqueAllResult(NamedTuple):
    """The result of ``unique_all``."""

    values: ndarray
    indices: ndarray
    inverse_indices: ndarray
    counts: ndarray


class UniqueCountsResult(NamedTuple):
    """The result of ``unique_counts``."""

    values: ndarray
    counts: ndarray


class UniqueInverseResult(NamedTuple):
    """The result of ``unique_inverse``."""

    values: ndarray
    inverse_indices: ndarray


def unique_all(x: ArrayLike) -> UniqueAllResult:
    """The distinct elements, their first indices, inverse indices and counts; all NaN differ.

    Parameters
    ----------
    x : array_like
        The array, of any shape.

    Returns
    -------
    UniqueAllResult
        A named tuple: ``values``, in ascending order; ``indices``, of the first element of each
        value; ``inverse_indices``, in the shape of ``x``; ``counts``.

    Examples
    --------
    >>> import numpy_shim as np
    >>> np.unique_all([3, 1, 1]).counts
    array([2, 1])
    """
    return UniqueAllResult(
        *unique(x, return_index=True, return_inverse=True, return_counts=True, equal_nan=False)
    )


def unique_counts(x: ArrayLike) -> UniqueCountsResult:
    """The distinct elements and how often each occurs; all NaN differ.

    Parameters
    ----------
    x : array_like
        The array, of any shape.

    Returns
    -------
    UniqueCountsResult
        A named tuple: ``values``, in ascending order, and ``counts``.

    Examples
    --------
    >>> import numpy_shim as np
    >>> np.unique_counts([3, 1, 1]).values
    array([1, 3])
    """
    return UniqueCountsResult(*unique(x, return_counts=True, equal_nan=False))


def unique_inverse(x: ArrayLike) -> UniqueInverseResult:
    """The distinct elements and the index of each element among them; all NaN differ.

    Parameters
    ----------
    x : array_like
        The array, of any shape.

    Returns
    -------
    UniqueInverseResult
        A named tuple: ``values``, in ascending order, and ``inverse_indices``, in the shape of
        ``x``.

    Examples
    --------
    >>> import numpy_shim as np
    >>> np.unique_inverse([3, 1, 1]).inverse_indices
    array([1, 0, 0])
    """
    return UniqueInverseResult(*unique(x, return_inverse=True, equal_nan=False))


def unique_values(x: ArrayLike) -> ndarray:
    """The distinct elements; all NaN differ.

    Parameters
    ----------
    x : array_like
        The array, of any shape.

    Returns
    -------
    ndarray
        1-D, in ascending order.

    Examples
    --------
    >>> import numpy_shim as np
    >>> np.unique_values([3, 1, 1])
    array([1, 3])
    """
    if type(x) is ndarray:
        t = x._tensor
        if t.dtype in NATIVE and type(t) is Tensor and not t.requires_grad and not is_compiling():
            made = new(ndarray)
            made._tensor = torch.unique(t)  # each NaN is separate
            made._flat_dtype = t.dtype
            return made
    return unique(x, equal_nan=False)
