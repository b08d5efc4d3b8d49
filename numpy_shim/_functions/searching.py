"""Searching: where nonzero elements and given values are, and choices by a condition."""

from __future__ import annotations

from itertools import pairwise
from typing import Any, overload

import numpy
import torch
from torch import Tensor
from torch.compiler import is_dynamo_compiling

from xp_torch._core import box as _box
from xp_torch._core.errors import translate
from xp_torch._kernels import host_reads, reductions, searching
from xp_torch._kernels.blocks import is_large
from xp_torch._kernels.host_reads import few_values
from xp_torch._kernels.large_numbers import rounded
from xp_torch._kernels.manipulation import flip
from xp_torch._kernels.searching import SEARCHES
from xp_torch._kernels.unsigned import as_signed, from_signed
from xp_torch._torch.internals import count_modes, is_known

from .._array.host_view import array_on
from .._array.ndarray import array_of, ndarray, new, scalar, wrap
from .._base.axes import broadcast_shapes
from .._base.defaults import float_dtype
from .._base.dtypes import COMPLEXES
from .._base.promotion import PYTHON_NUMBERS, beside_number, is_double
from .._base.release import WHERE_REFUSES_LARGE_NUMBERS
from .._base.scalar_types import STORED
from .._base.tracing import _NoValue
from .._base.typing import ArrayLike, AxisLike, Side
from .._convert.arguments import (
    as_tensor,
    check_cast,
    check_devices,
    common,
    device_of,
    operands,
    promoted,
)
from .._kernels import elements, sorting, value_checks
from .._kernels.casting import cast
from .._ufunc.folds import keeps, reduction_axes

__all__ = [
    "argwhere", "count_nonzero", "digitize", "flatnonzero", "nonzero", "searchsorted", "where",
]  # fmt: skip

NATIVE = frozenset({torch.float32, torch.float64, torch.int64, torch.int32})
"""The dtypes that the fast paths pass to torch unchanged."""


def nonzero(a: ArrayLike) -> tuple[ndarray, ...]:
    """The indices of the elements that are not zero, one array per axis. Reads the values.

    Parameters
    ----------
    a : array_like
        At least one axis; NaN is not zero.

    Returns
    -------
    tuple of ndarray
        int64, 1-D: the indices along each axis, in row-major order.

    Examples
    --------
    >>> import numpy_shim as np
    >>> np.nonzero([[0, 1], [2, 0]])
    (array([0, 1]), array([1, 0]))
    """
    x = as_tensor("nonzero", a)
    if not x.dim():
        raise ValueError(
            "Calling nonzero on 0d arrays is not allowed. Use np.atleast_1d(scalar).nonzero() "
            "instead."
        )
    few = _few_places(x) if x.dim() == 1 else None
    return tuple([array_of(i) for i in elements.nonzero(x)]) if few is None else (few,)


def argwhere(a: ArrayLike) -> ndarray:
    """The indices of the elements that are not zero, one row each. Reads the values.

    Parameters
    ----------
    a : array_like
        Any dtype and shape; NaN is not zero.

    Returns
    -------
    ndarray
        int64, of shape ``(count, a.ndim)``, in row-major order.

    Examples
    --------
    >>> import numpy_shim as np
    >>> np.argwhere([[0, 1], [2, 0]])
    array([[0, 1],
           [1, 0]])
    """
    t = as_tensor("argwhere", a)
    if t.dim() and is_large(t):
        return array_of(torch.stack(elements.nonzero(t), 1))
    return array_of(searching.argwhere(t))


def flatnonzero(a: ArrayLike) -> ndarray:
    """The flat indices of the elements that are not zero. Reads the values.

    Parameters
    ----------
    a : array_like
        Any dtype and shape; NaN is not zero.

    Returns
    -------
    ndarray
        int64, 1-D: indices into the flattened array.

    Examples
    --------
    >>> import numpy_shim as np
    >>> np.flatnonzero([0, 1, 2])
    array([1, 2])
    """
    t = a._tensor if type(a) is ndarray else as_tensor("flatnonzero", a)
    if t.dim() != 1:
        t = t.reshape(-1)
    few = _few_places(t)
    return array_of(elements.nonzero(t)[0]) if few is None else few


def _few_places(x: Tensor) -> ndarray | None:
    """Where a short vector is not zero; ``None`` for a longer one, or if it cannot be read.

    torch counts and looks again, so it is given a copy, see ``searching``: together they cost three
    times the list, which holds the values of one moment.
    """
    values = None if is_dynamo_compiling() or count_modes() else few_values(x)
    if values is None:
        return None
    return array_on(numpy.array([i for i, value in enumerate(values) if value], numpy.int64))


@overload
def where(condition: ArrayLike, /) -> tuple[ndarray, ...]: ...
@overload
def where(condition: ArrayLike, x: ArrayLike, y: ArrayLike, /) -> ndarray: ...
def where(
    condition: ArrayLike, x: ArrayLike = _NoValue, y: ArrayLike = _NoValue, /
) -> ndarray | tuple[ndarray, ...]:
    """Elements of ``x`` where a condition is true, and of ``y`` elsewhere.

    Parameters
    ----------
    condition : array_like
        The condition; elements that are not zero are true.
    x, y : array_like, optional
        The values to choose from; all three broadcast. Without them, ``nonzero(condition)``.

    Returns
    -------
    ndarray
        In the common dtype of ``x`` and ``y``, where Python numbers are weak; without them, the
        tuple of ``nonzero``.

    Examples
    --------
    >>> import numpy_shim as np
    >>> np.where([True, False, True], [1, 2, 3], 0)
    array([1, 0, 3])
    """
    if type(condition) is ndarray and not _box.several_devices:
        c = condition._tensor
        if c.dtype is torch.bool:
            chosen = _chosen(c, x, y)
            if chosen is not None:
                out = new(ndarray)
                out._tensor, dtype = chosen
                has_axes = condition._flat_dtype is not None or out._tensor.dim()
                out._flat_dtype = dtype if has_axes else None
                return out
    return _general_where(condition, x, y)


def _general_where(
    condition: ArrayLike, x: ArrayLike, y: ArrayLike
) -> ndarray | tuple[ndarray, ...]:
    if x is _NoValue and y is _NoValue:
        return nonzero(condition)
    if x is _NoValue or y is _NoValue:
        raise ValueError("where: either both or neither of x and y should be given")
    device = device_of(condition, x, y)
    test = as_tensor("where", condition, "condition", device)
    if device is not None and type(x) in PYTHON_NUMBERS and type(y) in PYTHON_NUMBERS:
        a, b = (as_tensor("where", v, "x, y", device) for v in (x, y))
        a, b = promoted("where", [a, b])
    else:
        a, b = _choices(x, y)
    check_devices("where", [test, a, b])
    broadcast_shapes("where", test.shape, a.shape, b.shape)
    try:
        return array_of(searching.where(cast(test, torch.bool), a, b))
    except RuntimeError as error:  # out of memory
        translate("where", error)


def _choices(x: Any, y: Any) -> list[Tensor]:
    """``x`` and ``y`` in their common dtype; an int out of its range is handled as in NumPy."""
    try:
        return common("where", x, y, arguments=("x", "y"))
    except OverflowError:
        if WHERE_REFUSES_LARGE_NUMBERS or (type(x) is int) is (type(y) is int):
            raise
        number, array = (x, y) if type(x) is int else (y, x)
        other = as_tensor("where", array, "x, y")
        other = cast(other, beside_number(other.dtype, int))
        wrapped = cast(as_tensor("where", number, "x, y", other.device), other.dtype)
        return [wrapped, other] if type(x) is int else [other, wrapped]


def _chosen(c: Tensor, x: object, y: object) -> tuple[Tensor, torch.dtype] | None:
    """Choose between arrays of one dtype that torch supports, or an array and a float.

    The tensor and its dtype, or ``None`` for other operands.
    """
    try:
        if type(x) is ndarray:
            a = x._tensor
            d = x._flat_dtype or a.dtype
            y = _as_number(y, d)
            if type(y) is ndarray:
                b = y._tensor
                if d is (y._flat_dtype or b.dtype) and d in NATIVE:
                    return torch.where(c, a, b), d
            elif type(y) is float and (d is torch.float64 or d is torch.float32):
                return torch.where(c, a, _in_trace(y, d)), d
            elif type(y) is int and d is torch.int64 and is_known(y):
                return torch.where(c, a, y), d
        elif type(y) is ndarray:
            b = y._tensor
            d = y._flat_dtype or b.dtype
            x = _as_number(x, d)
            if type(x) is float and (d is torch.float64 or d is torch.float32):
                return torch.where(c, _in_trace(x, d), b), d
            if type(x) is int and d is torch.int64 and is_known(x):
                return torch.where(c, x, b), d
        elif is_double(x) and is_double(y) and not is_dynamo_compiling():
            if type(x) is int is type(y):
                return torch.where(c, x, y), torch.int64
            if float_dtype() is torch.float64:
                made = torch.full(c.shape, y, dtype=torch.float64, device=c.device)
                return made.masked_fill_(c, x), torch.float64
    except RuntimeError:
        pass  # the general call says what is wrong
    return None


def _in_trace(x: float, dtype: torch.dtype) -> float:
    """The number; a trace cannot catch torch's error for one beyond the range of the dtype."""
    return rounded(x, dtype) if is_dynamo_compiling() else x


def _as_number(x: Any, dtype: torch.dtype) -> Any:
    """A number beside an array of ``dtype``, as a float if it counts as one there."""
    kind = type(x)
    if kind is ndarray or kind is float:
        return x
    if kind is int and (dtype is torch.float64 or dtype is torch.float32) and is_known(x):
        return float(x) if -(2**24) <= x <= 2**24 else x
    if is_dynamo_compiling():
        return x
    return x.item() if kind in STORED and STORED[kind] is dtype else x


def searchsorted(
    a: ArrayLike, v: ArrayLike, side: Side = "left", sorter: ArrayLike | None = None
) -> ndarray:
    """The indices at which values can be inserted into a sorted array to keep it sorted.

    Parameters
    ----------
    a : array_like
        1-D, in ascending order, or sorted by ``sorter``.
    v : array_like
        The values.
    side : {'left', 'right'}
        Whether to insert before or after equal elements.
    sorter : array_like of int, optional
        Indices that sort ``a``.

    Returns
    -------
    ndarray or scalar
        Indices, int64, in the shape of ``v``.

    Examples
    --------
    >>> import numpy_shim as np
    >>> np.searchsorted([1, 2, 3], [2, 5])
    array([1, 3])
    """
    if type(a) is ndarray and type(v) is ndarray and sorter is None and not _box.several_devices:
        t, u = a._tensor, v._tensor
        d = a._flat_dtype
        if d is v._flat_dtype and d in SEARCHES and t.dim() == 1:
            found = new(ndarray)
            found._tensor = SEARCHES[d](t, u, side != "left" and _is_right("searchsorted", side))
            found._flat_dtype = torch.int64
            return found
    return _general_searchsorted(a, v, side, sorter)


def _general_searchsorted(
    a: ArrayLike, v: ArrayLike, side: Side, sorter: ArrayLike | None
) -> ndarray:
    name = "searchsorted"
    row, values = operands(name, a, v, arguments=("a", "v"))
    if row.dim() != 1:
        depth = "too deep" if row.dim() else "of too small depth"
        raise ValueError(f"{name}: object {depth} for desired array")
    right = _is_right(name, side)
    if sorter is not None:
        order = as_tensor(name, sorter, "sorter", row.device)
        check_cast(f"{name}: sorter", order.dtype, torch.int64, "safe")
        if order.shape != row.shape:
            raise ValueError(f"{name}: sorter.size must equal len(a)")
        if value_checks.holds_somewhere(torch.ge(order, row.shape[0]) | torch.lt(order, 0)):
            raise ValueError(f"{name}: sorter index out of range.")
        row = from_signed(as_signed(row)[order.to(torch.int64)], row.dtype)
    row, values = promoted(name, [row, values])
    return wrap(sorting.searchsorted(row, values, right))


def _is_right(name: str, side: object) -> bool:
    if not isinstance(side, str):
        raise TypeError(f"{name}: side must be str, not {type(side).__name__}")
    if side not in ("left", "right"):
        raise ValueError(f"{name}: side must be one of 'left' or 'right' (got {side!r})")
    return bool(side == "right")


def count_nonzero(a: ArrayLike, axis: AxisLike = None, *, keepdims: bool = False) -> ndarray:
    """The number of elements that are not zero.

    Parameters
    ----------
    a : array_like
        The array.
    axis : int or tuple of int, optional
        The axes to count along, by default all.
    keepdims : bool
        Whether the counted axes stay, with size 1.

    Returns
    -------
    ndarray or scalar
        Counts, int64.

    Examples
    --------
    >>> import numpy_shim as np
    >>> np.count_nonzero([[0, 1], [2, 3]], axis=0)
    array([1, 2])
    """
    if type(a) is ndarray and axis is None and keepdims is False and a._tensor.dtype in NATIVE:
        return scalar(torch.count_nonzero(a._tensor), torch.int64)
    if type(a) is ndarray and axis is None and keepdims is False and a._tensor.dtype is torch.bool:
        return scalar(elements.count_true(a._tensor), torch.int64)
    return _general_count_nonzero(a, axis, keepdims)


def _general_count_nonzero(a: ArrayLike, axis: AxisLike, keepdims: bool) -> ndarray:
    x = as_tensor("count_nonzero", a)
    axes = reduction_axes("count_nonzero", axis, x.dim())
    return wrap(reductions.count_nonzero(x, axes, keeps("count_nonzero", keepdims)))


def digitize(x: ArrayLike, bins: ArrayLike, right: bool = False) -> ndarray:
    """The index of the bin of each value.

    Parameters
    ----------
    x : array_like
        The values, real.
    bins : array_like
        The edges of the bins, 1-D, increasing or decreasing.
    right : bool
        Whether a bin includes its right edge instead of its left edge.

    Returns
    -------
    ndarray or scalar
        ``i`` where ``bins[i-1] <= x < bins[i]``; 0 and ``len(bins)`` beyond the edges.

    Examples
    --------
    >>> import numpy_shim as np
    >>> np.digitize([0.2, 6.4], [0, 1, 2.5, 4, 10])
    array([1, 4])
    """
    name = "digitize"
    values, edges = operands(name, x, bins, arguments=("x", "bins"))
    if values.dtype in COMPLEXES:
        raise TypeError(f"{name}: x may not be complex")
    if edges.dim() != 1:
        raise ValueError(f"{name}: bins must have one axis, not {edges.dim()}")
    if edges.dtype in COMPLEXES:
        raise TypeError(f"{name}: bins may not be complex")
    values, edges = promoted(name, [values, edges])
    order = sorting.comparable(edges)
    known = host_reads.few_values(order)
    if known is not None:  # the order of few edges is cheaper to read than to compute
        falling = any(a > b for a, b in pairwise(known))
        if falling and any(a < b for a, b in pairwise(known)):
            raise ValueError(f"{name}: bins must be monotonically increasing or decreasing")
        if not falling:
            return wrap(sorting.searchsorted(edges, values, not right))
        return wrap(len(known) - sorting.searchsorted(flip(edges, (0,)), values, not right))
    falls, rises = torch.lt(order[1:], order[:-1]).any(), torch.gt(order[1:], order[:-1]).any()
    if value_checks.holds_somewhere(falls & rises):
        raise ValueError(f"{name}: bins must be monotonically increasing or decreasing")
    backwards = edges.shape[0] - sorting.searchsorted(flip(edges, (0,)), values, not right)
    forwards = sorting.searchsorted(edges, values, not right)
    return wrap(torch.where(falls, backwards, forwards))
