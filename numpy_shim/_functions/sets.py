"""Set operations. They read the values, because the sizes of the results depend on them."""

from __future__ import annotations

from typing import Any, overload

import torch
from torch import Tensor

from xp_torch._core import box as _box
from xp_torch._kernels import manipulation

from .._array.ndarray import array_of, ndarray
from .._base.dtypes import CASTABLE, INTEGERS, NUMPY
from .._base.typing import ArrayLike, No, Yes
from .._convert.arguments import as_tensor, common, operands, promoted
from .._kernels import sets as kernels
from .._kernels.casting import cast
from .._kernels.sorting import argsort, sort
from .._ufunc.declarations import subtract
from .reductions import amax, amin

__all__ = ["ediff1d", "intersect1d", "isin", "setdiff1d", "setxor1d", "union1d"]


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

    Examples
    --------
    >>> import numpy_shim as np
    >>> np.intersect1d([1, 2, 2], [2, 3])
    array([2])
    """
    first, second = _rows("intersect1d", ar1, ar2)
    if not return_indices and not first.is_complex():
        if not assume_unique:
            first, second = _distinct(first), _distinct(second)
        ordered = sort(manipulation.concat([first, second], 0), 0, True)
        return array_of(kernels.chosen(ordered[:-1], ~kernels.changes(ordered)[1:]))
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

    Examples
    --------
    >>> import numpy_shim as np
    >>> np.union1d([1, 2], [2, 3])
    array([1, 2, 3])
    """
    both = common("union1d", ar1, ar2, arguments=("ar1", "ar2"))
    return array_of(_distinct(manipulation.concat([t.reshape(-1) for t in both], 0)))


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
        first, second = _distinct(first), _distinct(second)
    return array_of(kernels.chosen(first, ~_isin("setdiff1d", first, second)))


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
    return _general_isin(element, test_elements, assume_unique, invert, kind)


def _general_isin(
    element: ArrayLike,
    test_elements: ArrayLike,
    assume_unique: bool,
    invert: bool,
    kind: str | None,
) -> ndarray:
    a, b = operands("isin", element, test_elements, arguments=("element", "test_elements"))
    if kind not in (None, "sort", "table"):
        raise ValueError(f"isin: invalid kind: {kind!r}. Please use None, 'sort' or 'table'.")
    if kind == "table":
        _check_table(a, b)
    found = _isin("isin", a, b.reshape(-1))
    return array_of(~found if invert else found)


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
