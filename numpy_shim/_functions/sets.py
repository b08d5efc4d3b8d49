"""Set operations. They read the values, because the sizes of the results depend on them."""

from __future__ import annotations

from typing import Any, NamedTuple, overload

import torch
from torch import Tensor
from torch.compiler import is_compiling

from xp_torch._core import box as _box
from xp_torch._kernels import manipulation
from xp_torch._kernels.sets import NATIVE

from .._array.ndarray import array_of, ndarray, new
from .._convert.arguments import as_tensor, operands, promoted
from .._convert.host_dtypes import handed, hosted
from .._core.axes import normalize_axis
from .._core.dtypes import CASTABLE, INTEGERS, NUMPY, HostDtypeError
from .._core.typing import ArrayLike, No, Yes
from .._kernels import sets as kernels
from .._kernels.casting import cast
from .._kernels.sorting import argsort
from .._ufunc.declarations import subtract
from .reductions import amax, amin

__all__ = [
    "ediff1d", "intersect1d", "isin", "setdiff1d", "setxor1d", "union1d", "unique",
    "unique_all", "unique_counts", "unique_inverse", "unique_values",
]  # fmt: skip


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
@hosted
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

    Raises
    ------
    AxisError
        For an axis that is not there.
    TypeError
        For an axis that is not an integer.

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


@hosted
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

    Raises
    ------
    ValueError
        For nested sequences whose lengths differ.

    Examples
    --------
    >>> import numpy_shim as np
    >>> np.unique_all([3, 1, 1]).counts
    array([2, 1])
    """
    return UniqueAllResult(
        *unique(x, return_index=True, return_inverse=True, return_counts=True, equal_nan=False)
    )


@hosted
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

    Raises
    ------
    ValueError
        For nested sequences whose lengths differ.

    Examples
    --------
    >>> import numpy_shim as np
    >>> np.unique_counts([3, 1, 1]).values
    array([1, 3])
    """
    return UniqueCountsResult(*unique(x, return_counts=True, equal_nan=False))


@hosted
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

    Raises
    ------
    ValueError
        For nested sequences whose lengths differ.

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

    Raises
    ------
    ValueError
        For nested sequences whose lengths differ.

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


def _rows(name: str, ar1: Any, ar2: Any) -> tuple[Tensor, Tensor]:
    """The elements of two arrays as rows of one dtype."""
    both = promoted(name, operands(name, ar1, ar2, arguments=("ar1", "ar2")))
    first, second = (t.reshape(-1) for t in both)
    return first, second


def _distinct(row: Tensor) -> Tensor:
    return kernels.unique_values(row, True)


@overload
def intersect1d(
    ar1: ArrayLike, ar2: ArrayLike, assume_unique: bool = ..., return_indices: No = ...
) -> ndarray: ...
@overload
def intersect1d(
    ar1: ArrayLike, ar2: ArrayLike, assume_unique: bool = ..., *, return_indices: Yes
) -> tuple[ndarray, ndarray, ndarray]: ...
@overload
def intersect1d(
    ar1: ArrayLike, ar2: ArrayLike, assume_unique: bool, return_indices: Yes
) -> tuple[ndarray, ndarray, ndarray]: ...
@overload
def intersect1d(
    ar1: ArrayLike, ar2: ArrayLike, assume_unique: bool = ..., return_indices: bool = ...
) -> ndarray | tuple[ndarray, ndarray, ndarray]: ...
@hosted
def intersect1d(
    ar1: ArrayLike, ar2: ArrayLike, assume_unique: bool = False, return_indices: bool = False
) -> ndarray | tuple[ndarray, ndarray, ndarray]:
    """The distinct elements that are in both arrays, sorted.

    Parameters
    ----------
    ar1, ar2 : array_like
        The arrays.
    assume_unique : bool
        Whether the elements of each array are already distinct.
    return_indices : bool
        Whether to also return the first index of each element in each array.

    Returns
    -------
    ndarray or tuple of ndarray
        1-D, of the promoted dtype; then the two arrays of indices, if requested.

    Raises
    ------
    ValueError
        For nested sequences whose lengths differ.

    Examples
    --------
    >>> import numpy_shim as np
    >>> np.intersect1d([1, 2, 2], [2, 3])
    array([2])
    """
    first, second = _rows("intersect1d", ar1, ar2)
    if not assume_unique:
        sets = [kernels.Groups(t, True) for t in (first, second)]
        first, second = (s.values() for s in sets)
    joined = manipulation.concat([first, second], 0)
    order = argsort(joined, 0)
    ordered = kernels.pick(joined, order)
    again = torch.nonzero(~kernels.changes(ordered))[:, 0]
    found = array_of(kernels.pick(ordered, again))
    if not return_indices:
        return found
    positions = [order[again - 1], order[again] - first.shape[0]]
    if not assume_unique:
        positions = [s.indices()[p] for s, p in zip(sets, positions, strict=True)]
    return found, array_of(positions[0]), array_of(positions[1])


@hosted
def union1d(ar1: ArrayLike, ar2: ArrayLike) -> ndarray:
    """The distinct elements of two arrays together, sorted.

    Parameters
    ----------
    ar1, ar2 : array_like
        The arrays, of any shape.

    Returns
    -------
    ndarray
        1-D, of the promoted dtype.

    Raises
    ------
    ValueError
        For nested sequences whose lengths differ.

    Examples
    --------
    >>> import numpy_shim as np
    >>> np.union1d([1, 2], [2, 3])
    array([1, 2, 3])
    """
    return array_of(_distinct(manipulation.concat(list(_rows("union1d", ar1, ar2)), 0)))


@hosted
def setdiff1d(ar1: ArrayLike, ar2: ArrayLike, assume_unique: bool = False) -> ndarray:
    """The distinct elements of one array that are not in another, sorted.

    With ``assume_unique``, they keep the order of ``ar1``.

    Parameters
    ----------
    ar1, ar2 : array_like
        The arrays, of any shape.
    assume_unique : bool
        Whether the elements of each array are already distinct.

    Returns
    -------
    ndarray
        1-D, in the dtype of ``ar1``.

    Raises
    ------
    ValueError
        For nested sequences whose lengths differ.

    Examples
    --------
    >>> import numpy_shim as np
    >>> np.setdiff1d([1, 2, 3], [2])
    array([1, 3])
    """
    first, second = (
        t.reshape(-1) for t in operands("setdiff1d", ar1, ar2, arguments=("ar1", "ar2"))
    )
    if not assume_unique:
        first = _distinct(first)
    missing = ~_isin("setdiff1d", first, second)
    return array_of(kernels.pick(first, torch.nonzero(missing)[:, 0]))


@hosted
def setxor1d(ar1: ArrayLike, ar2: ArrayLike, assume_unique: bool = False) -> ndarray:
    """The distinct elements that are in one of two arrays and not in both, sorted.

    Parameters
    ----------
    ar1, ar2 : array_like
        The arrays, of any shape.
    assume_unique : bool
        Whether the elements of each array are already distinct.

    Returns
    -------
    ndarray
        1-D, of the promoted dtype.

    Raises
    ------
    ValueError
        For nested sequences whose lengths differ.

    Examples
    --------
    >>> import numpy_shim as np
    >>> np.setxor1d([1, 2], [2, 3])
    array([1, 3])
    """
    first, second = _rows("setxor1d", ar1, ar2)
    if not assume_unique:
        first, second = _distinct(first), _distinct(second)
    joined = manipulation.concat([first, second], 0)
    ordered = kernels.pick(joined, argsort(joined, 0))
    begins = kernels.changes(ordered)
    ends = torch.cat([begins[1:], torch.ones_like(begins[:1])])
    return array_of(kernels.pick(ordered, torch.nonzero(begins & ends)[:, 0]))


def isin(
    element: ArrayLike,
    test_elements: ArrayLike,
    assume_unique: bool = False,
    invert: bool = False,
    *,
    kind: str | None = None,
) -> ndarray:
    """Whether each element is among given elements.

    Parameters
    ----------
    element : array_like
        The elements to look for.
    test_elements : array_like
        The elements to look among.
    assume_unique : bool
        Accepted; it has no effect.
    invert : bool
        Whether to negate the result.
    kind : {'sort', 'table'}, optional
        NumPy's method. Here 'table' only raises the errors for values that do not fit NumPy's
        table.

    Returns
    -------
    ndarray
        bool, in the shape of ``element``. NaN is equal to nothing.

    Raises
    ------
    ValueError
        For another ``kind``, or 'table' with elements that are not integers or booleans.

    Examples
    --------
    >>> import numpy_shim as np
    >>> np.isin([1, 2, 3], [2, 4])
    array([False,  True, False])
    """
    if kind is None and type(element) is ndarray and type(test_elements) is ndarray:
        a, b = element._tensor, test_elements._tensor
        if a.dtype is b.dtype and not _box.several_devices:
            found = kernels.isin(a, b.reshape(-1))
            return array_of(~found if invert else found)
    try:
        a, b = operands("isin", element, test_elements, arguments=("element", "test_elements"))
        if kind not in (None, "sort", "table"):
            raise ValueError(f"isin: invalid kind: {kind!r}. Please use None, 'sort' or 'table'.")
        if kind == "table":
            _check_table(a, b)
        found = _isin("isin", a, b.reshape(-1))
        return array_of(~found if invert else found)
    except HostDtypeError as error:
        return handed(
            error, "isin", (element, test_elements, assume_unique, invert), {"kind": kind}
        )


def _isin(name: str, a: Tensor, b: Tensor) -> Tensor:
    if a.dtype is not b.dtype:
        pair = {a.dtype, b.dtype}
        if torch.uint64 in pair and pair <= INTEGERS and not pair <= _UNSIGNED:
            # No integer dtype holds both: numbers with equal bits are equal if they are not
            # negative.
            bits, others = (cast(t, torch.int64) for t in (a, b))
            return kernels.isin(bits, others) & torch.ge(bits, 0)
        a, b = promoted(name, [a, b])
    return kernels.isin(a, b)


def _check_table(a: Tensor, b: Tensor) -> None:
    """Raise if NumPy cannot look up the elements in a table; reads the range of their values."""
    if not all(t.dtype in INTEGERS or t.dtype is torch.bool for t in (a, b)):
        raise ValueError(
            "isin: the 'table' method is only supported for boolean or integer arrays. Please "
            "select 'sort' or None for kind."
        )
    if b.dtype is torch.bool or not b.numel():
        return
    low, high = (f(array_of(b)).item() for f in (amin, amax))
    if high - low > torch.iinfo(b.dtype).max:
        raise RuntimeError(
            "isin: You have specified kind='table', but the range of values exceed the maximum "
            "integer of the datatype. Please set `kind` to None or 'sort'."
        )


_UNSIGNED = frozenset({torch.uint8, torch.uint16, torch.uint32, torch.uint64})


@hosted
def ediff1d(
    ary: ArrayLike, to_end: ArrayLike | None = None, to_begin: ArrayLike | None = None
) -> ndarray:
    """The differences of neighbours in the flattened array.

    Parameters
    ----------
    ary : array_like
        The elements.
    to_end, to_begin : array_like, optional
        The values after and before the differences, cast to their dtype.

    Returns
    -------
    ndarray
        1-D, in the dtype of ``ary``.

    Raises
    ------
    TypeError
        For booleans, or values that do not cast to the dtype of ``ary``.

    Examples
    --------
    >>> import numpy_shim as np
    >>> np.ediff1d([1, 2, 4], to_begin=0)
    array([0, 1, 2])
    """
    row = as_tensor("ediff1d", ary, "ary").reshape(-1)
    parts = [subtract(array_of(row[1:]), array_of(row[:-1]))._tensor]
    for value, argument in ((to_begin, "to_begin"), (to_end, "to_end")):
        if value is None:
            continue
        part = as_tensor("ediff1d", value, argument, row.device).reshape(-1)
        if (part.dtype, row.dtype) not in CASTABLE["same_kind"]:
            raise TypeError(
                f"ediff1d: dtype of `{argument}` must be compatible with input `ary` under the "
                f"`same_kind` rule, and {NUMPY[part.dtype]} is not with {NUMPY[row.dtype]}"
            )
        part = cast(part, row.dtype)
        parts = [part, *parts] if argument == "to_begin" else [*parts, part]
    return array_of(manipulation.concat(parts, 0) if len(parts) > 1 else parts[0])
