"""The extension ``linalg``: determinants, inverses, solutions, powers and ranks."""

from __future__ import annotations

from typing import NamedTuple

import torch
from torch import Tensor

from ._array import Array
from ._core import box as _box
from ._core.axes import broadcast_shapes, integer
from ._core.dtypes import FLOATING, REAL_FLOATING
from ._core.errors import shown, translate, type_name
from ._dispatch import check_category, check_devices, promoted, tensor_of, wrap
from ._kernels import linalg as kernels
from ._matrix import matrix, square

__all__ = [
    "det",
    "inv",
    "matrix_power",
    "matrix_rank",
    "pinv",
    "slogdet",
    "solve",
]

_FLOATING = FLOATING.dtypes


class SlogdetResult(NamedTuple):
    """What ``slogdet`` returns."""

    sign: Array
    logabsdet: Array


def det(x: Array, /) -> Array:
    """The determinant of a square matrix, or of each of a stack.

    Parameters
    ----------
    x : Array
        Floating-point dtype, shape ``(..., M, M)``.

    Returns
    -------
    Array
        The same dtype, shape ``(...)``.

    Raises
    ------
    TypeError
        For any other dtype, or anything but an ``xp_torch`` array.
    LinAlgError
        For matrices that are not square, or fewer than two dimensions. A ``ValueError``.

    Notes
    -----
    Source: the array API standard, ``linalg.det``.

    Examples
    --------
    >>> import xp_torch as xp
    >>> xp.linalg.det(xp.asarray([[2.0, 0.0], [0.0, 3.0]]))
    Array(6., dtype=float64)
    """
    t = square("det", x)
    try:
        return wrap(torch.linalg.det(t))
    except RuntimeError as error:
        translate("det", error)


def inv(x: Array, /) -> Array:
    """The inverse of a square matrix, or of each of a stack.

    Parameters
    ----------
    x : Array
        Floating-point dtype, shape ``(..., M, M)``.

    Returns
    -------
    Array
        The same dtype and shape.

    Raises
    ------
    TypeError
        For any other dtype, or anything but an ``xp_torch`` array.
    LinAlgError
        For a singular matrix, matrices that are not square, or fewer than two dimensions. A
        ``ValueError``.

    Notes
    -----
    On an accelerator the call waits for the result of the check.

    Source: the array API standard, ``linalg.inv``.

    Examples
    --------
    >>> import xp_torch as xp
    >>> xp.linalg.inv(xp.asarray([[2.0, 0.0], [0.0, 4.0]]))
    Array([[0.5 , 0.  ],
           [0.  , 0.25]], dtype=float64)
    """
    t = square("inv", x)
    try:
        return wrap(kernels.inv(t))
    except RuntimeError as error:
        translate("inv", error)


def matrix_power(x: Array, n: int, /) -> Array:
    """A square matrix, or each of a stack, raised to an integer power.

    Parameters
    ----------
    x : Array
        Floating-point dtype, shape ``(..., M, M)``.
    n : int
        The exponent; 0 gives the identity, a negative one the power of the inverse.

    Returns
    -------
    Array
        The same dtype and shape.

    Raises
    ------
    TypeError
        For any other dtype, anything but an ``xp_torch`` array, or an exponent that is no integer.
    LinAlgError
        For a singular matrix with a negative exponent, matrices that are not square, or fewer
        than two dimensions. A ``ValueError``.
    OverflowError
        For an exponent beyond int64.

    Notes
    -----
    With a negative exponent the call waits for the result of the check on an accelerator.

    Source: the array API standard, ``linalg.matrix_power``.

    Examples
    --------
    >>> import xp_torch as xp
    >>> xp.linalg.matrix_power(xp.asarray([[1.0, 1.0], [0.0, 1.0]]), 5)
    Array([[1., 5.],
           [0., 1.]], dtype=float64)
    """
    t = square("matrix_power", x)
    exponent = integer("matrix_power", "n", n)
    if not -(2**63) <= exponent < 2**63:
        raise OverflowError(f"matrix_power: n, {shown(exponent)}, is out of range for int64")
    try:
        return wrap(kernels.matrix_power(t, exponent))
    except RuntimeError as error:
        translate("matrix_power", error)


def matrix_rank(x: Array, /, *, rtol: float | Array | None = None) -> Array:
    """The rank of a matrix, or of each of a stack: how many singular values are not zero.

    Parameters
    ----------
    x : Array
        Floating-point dtype, shape ``(..., M, N)``.
    rtol : float, Array or None
        Singular values up to ``rtol`` times the largest count as zero. An array has a real
        floating-point dtype and broadcasts to ``(...)``. Default: ``max(M, N)`` times the
        machine epsilon of the dtype.

    Returns
    -------
    Array
        Dtype int64, shape ``(...)``.

    Raises
    ------
    TypeError
        For any other dtype, anything but an ``xp_torch`` array, or another kind of tolerance.
    ValueError
        For a tolerance that does not broadcast to ``(...)``, or arrays on two devices. As a
        ``LinAlgError`` for fewer than two dimensions, or where the singular values do not
        converge.

    Notes
    -----
    On an accelerator the call waits for the singular values.

    Source: the array API standard, ``linalg.matrix_rank``.

    Examples
    --------
    >>> import xp_torch as xp
    >>> xp.linalg.matrix_rank(xp.ones((3, 3)))
    Array(1, dtype=int64)
    """
    t = matrix("matrix_rank", x)
    tolerance = _tolerance("matrix_rank", t, rtol)
    try:
        return wrap(kernels.matrix_rank(t, tolerance))
    except RuntimeError as error:
        translate("matrix_rank", error)


def _tolerance(name: str, t: Tensor, rtol: object) -> Tensor | float:
    """The ``rtol`` of a function of singular values, checked; ``None`` is the default."""
    if rtol is None:
        return kernels.default_rtol(t)
    if isinstance(rtol, Array):
        r = rtol._tensor
        check_category(name, "rtol", r.dtype, REAL_FLOATING)
        check_devices(name, t, r)
        stack = t.shape[:-2]
        if broadcast_shapes(name, stack, r.shape) != tuple(stack):
            raise ValueError(
                f"{name}: rtol of shape {tuple(r.shape)} must broadcast to the stack of matrices, "
                f"of shape {tuple(stack)}"
            )
        return r
    if isinstance(rtol, (int, float)):
        try:
            return float(rtol)
        except OverflowError:
            raise OverflowError(
                f"{name}: rtol, {shown(rtol)}, is out of range for a float"
            ) from None
    raise TypeError(f"{name}: rtol must be a float or an xp_torch array, not {type_name(rtol)}")


def pinv(x: Array, /, *, rtol: float | Array | None = None) -> Array:
    """The Moore-Penrose pseudo-inverse of a matrix, or of each of a stack.

    Parameters
    ----------
    x : Array
        Floating-point dtype, shape ``(..., M, N)``.
    rtol : float, Array or None
        Singular values up to ``rtol`` times the largest count as zero. An array has a real
        floating-point dtype and broadcasts to ``(...)``. Default: ``max(M, N)`` times the
        machine epsilon of the dtype.

    Returns
    -------
    Array
        The same dtype, shape ``(..., N, M)``.

    Raises
    ------
    TypeError
        For any other dtype, anything but an ``xp_torch`` array, or another kind of tolerance.
    ValueError
        For a tolerance that does not broadcast to ``(...)``, or arrays on two devices. As a
        ``LinAlgError`` for fewer than two dimensions, or where the singular values do not
        converge.

    Notes
    -----
    On an accelerator the call waits for the singular values.

    Source: the array API standard, ``linalg.pinv``.

    Examples
    --------
    >>> import xp_torch as xp
    >>> xp.linalg.pinv(xp.asarray([[2.0, 0.0], [0.0, 0.0]]))
    Array([[0.5, 0. ],
           [0. , 0. ]], dtype=float64)
    """
    t = matrix("pinv", x)
    tolerance = _tolerance("pinv", t, rtol)
    try:
        return wrap(kernels.pinv(t, tolerance))
    except RuntimeError as error:
        translate("pinv", error)


def slogdet(x: Array, /) -> SlogdetResult:
    """Sign and logarithm of the absolute value of the determinant of a square matrix.

    Parameters
    ----------
    x : Array
        Floating-point dtype, shape ``(..., M, M)``: a matrix, or a stack of them.

    Returns
    -------
    SlogdetResult
        A named tuple: ``sign`` of the dtype of ``x`` (of absolute value 1 if complex) and
        ``logabsdet`` of the real dtype of its precision, both of shape ``(...)``. For a singular
        matrix 0 and -inf.

    Raises
    ------
    TypeError
        For any other dtype, or anything but an ``xp_torch`` array.
    LinAlgError
        For matrices that are not square, or fewer than two dimensions. A ``ValueError``.

    Notes
    -----
    It neither overflows nor underflows where ``det`` would.

    Source: the array API standard, ``linalg.slogdet``.

    Examples
    --------
    >>> import xp_torch as xp
    >>> xp.linalg.slogdet(xp.asarray([[0.0, 1.0], [1.0, 0.0]]))
    SlogdetResult(sign=Array(-1., dtype=float64), logabsdet=Array(0., dtype=float64))
    """
    t = square("slogdet", x)
    try:
        sign, logabsdet = torch.linalg.slogdet(t)
    except RuntimeError as error:
        translate("slogdet", error)
    return SlogdetResult(wrap(sign), wrap(logabsdet))


def solve(x1: Array, x2: Array, /) -> Array:
    """The solution ``X`` of ``x1 @ X = x2`` for square matrices ``x1``.

    Parameters
    ----------
    x1 : Array
        Floating-point dtype, shape ``(..., M, M)``.
    x2 : Array
        Floating-point dtype. Shape ``(M,)``, one vector, or ``(..., M, K)``, matrices whose
        ``...`` broadcasts with that of ``x1``.

    Returns
    -------
    Array
        The promoted dtype. Shape ``(..., M)`` for a vector, else ``(..., M, K)``.

    Raises
    ------
    TypeError
        For any other dtype, or anything but ``xp_torch`` arrays.
    ValueError
        For shapes that do not match, or arrays on two devices. As a ``LinAlgError`` for a
        singular matrix, matrices that are not square, or an ``x1`` of fewer than two dimensions.

    Notes
    -----
    Only a 1-D ``x2`` is a vector; there are no stacks of vectors. On an accelerator the call
    waits for the result of the check.

    Source: the array API standard, ``linalg.solve``.

    Examples
    --------
    >>> import xp_torch as xp
    >>> xp.linalg.solve(xp.asarray([[2.0, 0.0], [0.0, 4.0]]), xp.asarray([2.0, 2.0]))
    Array([1. , 0.5], dtype=float64)
    """
    if type(x1) is Array and type(x2) is Array:
        a = x1._tensor
        b = x2._tensor
        d = a.dtype
        shape = a.shape
        if (
            d is b.dtype
            and d in _FLOATING
            and len(shape) == 2
            and shape[0] == shape[1]
            and b.shape[:1] == shape[:1]
            and b.ndim <= 2
            and not (_box.several_devices and a.device != b.device)
        ):
            try:
                out = Array()
                out._tensor = torch.linalg.solve(a, b)
                return out
            except RuntimeError as error:
                translate("solve", error)
    return _solve_general(x1, x2)


def _solve_general(x1: Array, x2: Array) -> Array:
    name = "solve"
    b = tensor_of(name, "x2", x2)
    check_category(name, "x2", b.dtype, FLOATING)
    a = square(name, x1, "x1")
    check_devices(name, a, b)
    if b.ndim == 0:
        raise ValueError(f"{name}: x2 must have at least 1 dimension, not 0")
    rows = b.shape[0 if b.ndim == 1 else -2]
    if rows != a.shape[-1]:
        raise ValueError(
            f"{name}: x2 must have as many rows as the matrices of x1; the shapes are "
            f"{tuple(a.shape)} and {tuple(b.shape)}"
        )
    broadcast_shapes(name, a.shape[:-2], b.shape[:-2])
    a, b = promoted(name, a, b)
    try:
        return wrap(kernels.solve(a, b))
    except RuntimeError as error:
        translate(name, error)
