"""The chapter *Creation functions*: matrices with ones, triangles of matrices, and grids."""

from __future__ import annotations

from typing import Any, Literal

import torch
from torch import Tensor

from . import _flags
from ._array import Array
from ._core import defaults
from ._core.axes import integer
from ._core.box import box
from ._core.docs import documented_like
from ._core.dtypes import WIDE_UNSIGNED, name_of
from ._core.errors import check_choice, shown, translate
from ._creation import INT64_MAX, options
from ._data_types import Device
from ._dispatch import check_devices, tensor_of
from ._kernels import creation as kernels

__all__ = ["eye", "meshgrid", "tril", "triu"]

# A diagonal that torch accepts.
_FAR = 2**31


def eye(
    n_rows: int,
    n_cols: int | None = None,
    /,
    *,
    k: int = 0,
    dtype: torch.dtype | None = None,
    device: Device | None = None,
) -> Array:
    """A matrix with ones on one diagonal and zeros elsewhere.

    Parameters
    ----------
    n_rows : int
        The number of rows.
    n_cols : int, optional
        The number of columns; by default as many as rows.
    k : int, default 0
        The diagonal: positive above the main one, negative below; any integer.
    dtype : torch.dtype, optional
        The dtype; by default the default real floating-point dtype.
    device : torch.device or str, optional
        The device of the array; by default torch's default device.

    Returns
    -------
    Array
        Of shape ``(n_rows, n_cols)``.

    Raises
    ------
    TypeError
        For a size or a diagonal that is not an integer.
    ValueError
        For a negative size, a dtype that is not one of the namespace's, or a device that
        this machine does not have.

    Notes
    -----
    Source: the array API standard, ``eye``.

    Examples
    --------
    >>> import xp_torch as xp
    >>> xp.eye(2, 3, k=1)
    Array([[0., 1., 0.],
           [0., 0., 1.]], dtype=float64)
    """
    if device is None and dtype is None and type(n_rows) is int and type(k) is int and k == 0:
        columns = n_rows if n_cols is None else n_cols
        if type(columns) is int and n_rows >= 0 and columns >= 0:
            try:
                return box(Array, torch.eye(n_rows, columns, dtype=defaults.float_dtype()))
            except (RuntimeError, ValueError, TypeError):
                pass  # the rest raises the error, or takes float32 where the device lacks float64
    return _eye_general(n_rows, n_cols, k, dtype, device)


def _eye_general(n_rows: Any, n_cols: Any, k: Any, dtype: Any, device: Any) -> Array:
    rows = integer("eye", "n_rows", n_rows)
    columns = rows if n_cols is None else integer("eye", "n_cols", n_cols)
    if isinstance(n_rows, bool) or isinstance(n_cols, bool):
        raise TypeError("eye: n_rows and n_cols must be integers, not bool")
    if not (0 <= rows <= INT64_MAX and 0 <= columns <= INT64_MAX):
        raise ValueError(f"eye: no matrix has {shown(rows)} rows and {shown(columns)} columns")
    made = options("eye", dtype, device)
    try:
        return box(Array, kernels.eye(rows, columns, integer("eye", "k", k), **made))
    except RuntimeError as error:
        translate("eye", error)


def tril(x: Array, /, *, k: int = 0) -> Array:
    """The lower triangle of a matrix, or of each in a stack.

    Parameters
    ----------
    x : Array
        Any dtype, shape ``(..., M, N)``.
    k : int, default 0
        The diagonal above which elements are zero: positive above the main one, negative
        below; any integer.

    Returns
    -------
    Array
        A copy of ``x`` with zeros above the diagonal.

    Raises
    ------
    TypeError
        For anything but an array, or a diagonal that is not an integer.
    ValueError
        For fewer than two dimensions.

    Notes
    -----
    Source: the array API standard, ``tril``.

    Examples
    --------
    >>> import xp_torch as xp
    >>> xp.tril(xp.asarray([[1, 2], [3, 4]]))
    Array([[1, 0],
           [3, 4]], dtype=int64)
    """
    if type(x) is Array and type(k) is int and -_FAR < k < _FAR:
        t = x._tensor
        if t.ndim >= 2 and t.dtype not in WIDE_UNSIGNED:
            out = Array()
            out._tensor = torch.tril(t, k)
            return out
    t = _matrices("tril", x)
    return box(Array, kernels.tril(t, integer("tril", "k", k)))


@documented_like(
    tril,
    "The upper triangle of a matrix, or of each in a stack.",
    """
    >>> import xp_torch as xp
    >>> xp.triu(xp.asarray([[1, 2], [3, 4]]), k=1)
    Array([[0, 2],
           [0, 0]], dtype=int64)
    """,
    {"above which": "below which", "zeros above": "zeros below"},
)
def triu(x: Array, /, *, k: int = 0) -> Array:
    if type(x) is Array and type(k) is int and -_FAR < k < _FAR:
        t = x._tensor
        if t.ndim >= 2 and t.dtype not in WIDE_UNSIGNED:
            out = Array()
            out._tensor = torch.triu(t, k)
            return out
    t = _matrices("triu", x)
    return box(Array, kernels.triu(t, integer("triu", "k", k)))


def _matrices(name: str, x: Array) -> Tensor:
    t = tensor_of(name, "x", x)
    if t.ndim < 2:
        raise ValueError(f"{name}: x must have at least 2 dimensions, not {t.ndim}")
    return t


def meshgrid(*arrays: Array, indexing: Literal["xy", "ij"] = "xy") -> tuple[Array, ...]:
    """Coordinate arrays of a grid, from the coordinates along its axes.

    Parameters
    ----------
    *arrays : Array
        One-dimensional, of one dtype and on one device.
    indexing : {"xy", "ij"}, default "xy"
        Whether the first array runs along the second axis (Cartesian) or the first (matrix).

    Returns
    -------
    tuple of Array
        As many as there are arrays, each of as many dimensions. Of arrays of length ``N1,
        N2, N3, ...`` the shape is ``(N2, N1, N3, ...)`` for ``"xy"`` and ``(N1, N2, N3,
        ...)`` for ``"ij"``. A list before version 2025.12 of the standard.

    Raises
    ------
    TypeError
        For anything but arrays.
    ValueError
        For arrays that are not one-dimensional or differ in dtype or device, or any other
        ``indexing``.

    Notes
    -----
    The arrays have memory of their own.

    Source: the array API standard, ``meshgrid``.

    Examples
    --------
    >>> import xp_torch as xp
    >>> xp.meshgrid(xp.asarray([1, 2, 3]), xp.asarray([4, 5]))
    (Array([[1, 2, 3],
           [1, 2, 3]], dtype=int64), Array([[4, 4, 4],
           [5, 5, 5]], dtype=int64))
    """
    check_choice("meshgrid", "indexing", indexing, ("xy", "ij"))
    vectors = [tensor_of("meshgrid", "each argument", a) for a in arrays]
    if vectors:
        first = vectors[0]
        for t in vectors:
            if t.ndim != 1:
                raise ValueError(
                    f"meshgrid: each array must be one-dimensional, not of shape {tuple(t.shape)}"
                )
            if t.dtype is not first.dtype:
                raise ValueError(
                    f"meshgrid: the arrays must have one dtype, not {name_of(first.dtype)} and "
                    f"{name_of(t.dtype)}"
                )
        check_devices("meshgrid", *vectors)
        vectors = kernels.meshgrid(vectors, indexing)
    grids = [box(Array, t) for t in vectors]
    return grids if _flags.api_version < "2025.12" else tuple(grids)  # type: ignore[return-value]
