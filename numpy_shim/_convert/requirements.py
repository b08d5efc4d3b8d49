"""Arrays from data that meet a requirement: an order in memory, finite, writable."""

from __future__ import annotations

from collections.abc import Iterable

import torch

from .._array.ndarray import array_of, ndarray, view_of
from .._base.typing import ArrayLike, DTypeLike, Order
from .from_data import check_like, loaded

__all__ = ["asarray_chkfinite", "ascontiguousarray", "asfortranarray", "require"]


def ascontiguousarray(
    a: ArrayLike, dtype: DTypeLike = None, *, like: ArrayLike | None = None
) -> ndarray:
    """An array of at least one axis that lies row by row in memory.

    Parameters
    ----------
    a : array_like
        The data; see ``array``.
    dtype, like : optional
        As in ``array``.

    Returns
    -------
    ndarray
        ``a`` itself if it lies so, else a copy.

    Examples
    --------
    >>> import numpy_shim as np
    >>> np.ascontiguousarray(np.ones((2, 3)).T).flags.c_contiguous
    True
    """
    check_like("ascontiguousarray", like)
    return _at_least_1d(loaded("ascontiguousarray", a, "a", dtype, "C", None, None))


def asfortranarray(
    a: ArrayLike, dtype: DTypeLike = None, *, like: ArrayLike | None = None
) -> ndarray:
    """An array of at least one axis that lies column by column in memory.

    Parameters
    ----------
    a : array_like
        The data; see ``array``.
    dtype, like : optional
        As in ``array``.

    Returns
    -------
    ndarray
        ``a`` itself if it lies so, else a copy.

    Examples
    --------
    >>> import numpy_shim as np
    >>> np.asfortranarray(np.ones((2, 3))).flags.f_contiguous
    True
    """
    check_like("asfortranarray", like)
    return _at_least_1d(loaded("asfortranarray", a, "a", dtype, "F", None, None))


def _at_least_1d(x: ndarray) -> ndarray:
    return x if x.ndim else view_of(x, x._tensor.reshape(1))


def asarray_chkfinite(a: ArrayLike, dtype: DTypeLike = None, order: Order = None) -> ndarray:
    """``asarray`` of numbers that are all finite. Reads the values.

    Parameters
    ----------
    a : array_like
        The data; see ``array``.
    dtype, order : optional
        As in ``array``.

    Returns
    -------
    ndarray
        The data, without a copy where that is possible.

    Examples
    --------
    >>> import numpy_shim as np
    >>> np.asarray_chkfinite([1, 2], dtype=float)
    array([1., 2.])
    """
    made = loaded("asarray_chkfinite", a, "a", dtype, order, None, None)
    tensor = made._tensor
    if (tensor.is_floating_point() or tensor.is_complex()) and not bool(
        torch.isfinite(tensor).all()
    ):
        raise ValueError("array must not contain infs or NaNs")
    return made


_REQUIREMENTS = {
    **dict.fromkeys(("C", "C_CONTIGUOUS", "CONTIGUOUS"), "C"),
    **dict.fromkeys(("F", "F_CONTIGUOUS", "FORTRAN"), "F"),
    **dict.fromkeys(("A", "ALIGNED"), "A"),
    **dict.fromkeys(("W", "WRITEABLE"), "W"),
    **dict.fromkeys(("O", "OWNDATA"), "O"),
    **dict.fromkeys(("E", "ENSUREARRAY"), "E"),
}


def require(
    a: ArrayLike,
    dtype: DTypeLike = None,
    requirements: str | Iterable[str] | None = None,
    *,
    like: ArrayLike | None = None,
) -> ndarray:
    """An array that meets requirements on its memory; ``a`` is copied if it does not meet them.

    Parameters
    ----------
    a : array_like
        The data.
    dtype : dtype, optional
        The dtype.
    requirements : str or sequence of str, optional
        Of 'C', 'F' (the layout), 'W' (writable), 'O' (memory of its own), 'A' (aligned) and
        'E' (no subclass), the last two always met.
    like : ndarray, optional
        As in ``array``.

    Returns
    -------
    ndarray
        ``a`` itself if it meets the requirements, else a copy.

    Examples
    --------
    >>> import numpy_shim as np
    >>> np.require(np.ones((2, 3)).T, requirements="C").strides
    (16, 8)
    """
    check_like("require", like)
    wanted = {_REQUIREMENTS[r.upper()] for r in requirements or ()}
    if wanted >= {"C", "F"}:
        raise ValueError('require: cannot specify both "C" and "F" order')
    order = "F" if "F" in wanted else "C" if "C" in wanted else None
    made = loaded("require", a, "a", dtype, order, None, None)
    owned = type(made) is ndarray and getattr(made, "_base", None) is None
    if ("O" in wanted and not owned) or ("W" in wanted and not made.flags.writeable):
        return array_of(made._tensor.clone())
    return made
