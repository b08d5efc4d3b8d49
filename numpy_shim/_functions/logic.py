"""Comparisons of whole arrays and tests of elements."""

from __future__ import annotations

import math
from typing import Any

import torch
from torch import Tensor
from torch.compiler import is_compiling

from xp_torch._core import box as _box
from xp_torch._core.docs import documented_like
from xp_torch._kernels.blocks import is_large
from xp_torch._kernels.unsigned import as_signed

from .._array.ndarray import AnyArray, ndarray, new, scalar, wrap
from .._array.typing import OutArray
from .._base import error_states as errstate
from .._base.axes import broadcast_shapes
from .._base.dtypes import COMPLEXES, FLOATS, NUMPY, PROMOTION, HostDtypeError
from .._base.promotion import PYTHON_NUMBERS
from .._base.tracing import warn
from .._convert.arguments import ArrayLike, array_of, as_tensor, device_of, operands
from .._kernels.casting import cast
from .._kernels.in_blocks import is_close
from .._kernels.value_checks import holds_somewhere
from .._ufunc.declarations import (
    absolute,
    add,
    equal,
    isfinite,
    isinf,
    isnan,
    less_equal,
    logical_and,
    logical_not,
    logical_or,
    multiply,
    signbit,
    subtract,
)

__all__ = [
    "allclose",
    "array_equal",
    "array_equiv",
    "isclose",
    "iscomplex",
    "isneginf",
    "isposinf",
    "isreal",
]  # fmt: skip

_NATIVE = frozenset({torch.float32, torch.float64})
_PLAIN = _NATIVE | {torch.bool, torch.int8, torch.int16, torch.int32, torch.int64, torch.uint8}


def isclose(
    a: ArrayLike,
    b: ArrayLike,
    rtol: ArrayLike = 1e-05,
    atol: ArrayLike = 1e-08,
    equal_nan: bool = False,
) -> ndarray:
    """Where ``|a - b| <= atol + rtol * |b|``; infinities are close to themselves only.

    Parameters
    ----------
    a, b : array_like
        The arrays to compare; ``b`` is the reference.
    rtol, atol : array_like
        The relative and the absolute tolerance.
    equal_nan : bool
        Whether NaN is close to NaN.

    Returns
    -------
    ndarray or scalar of bool
        In the common shape that all arguments broadcast to.

    Examples
    --------
    >>> import numpy_shim as np
    >>> np.isclose(np.array([1.0, 2.0]), np.array([1.0 + 1e-9, 2.1]))
    array([ True, False])
    """
    if type(a) is ndarray and type(b) is ndarray and type(rtol) is float and type(atol) is float:
        s, t = a._tensor, b._tensor
        if s.dtype is t.dtype and s.dtype in _NATIVE and rtol >= 0 and atol >= 0:
            try:
                result = is_close(s, t, rtol, atol, bool(equal_nan))
            except RuntimeError:
                pass  # the general path below raises the error
            else:
                if result.dim():
                    array = new(ndarray)
                    array._tensor = result
                    array._flat_dtype = result.dtype
                    return array
                return scalar(result)
    return _general_isclose(a, b, rtol, atol, equal_nan)


def _general_isclose(
    a: ArrayLike, b: ArrayLike, rtol: ArrayLike, atol: ArrayLike, equal_nan: bool
) -> ndarray:
    if errstate.active:
        with errstate.errstate(invalid="ignore"):  # the difference of two infinities is NaN
            return _isclose(a, b, rtol, atol, equal_nan)
    return _isclose(a, b, rtol, atol, equal_nan)


def _isclose(a: Any, b: Any, rtol: Any, atol: Any, equal_nan: bool) -> ndarray:
    """``isclose`` from ufuncs: Python numbers are weak, each pair of dtypes has its own loop."""
    x, y = [v if type(v) in PYTHON_NUMBERS else _array("isclose", v, n, a, b)
            for v, n in ((a, "a"), (b, "b"))]  # fmt: skip
    if isinstance(x, AnyArray) and isinstance(y, AnyArray):
        broadcast_shapes("isclose", x._tensor.shape, y._tensor.shape)
    if not isinstance(y, AnyArray):
        y = float(y) if type(y) in (int, bool) else y
        size = abs(y)
    else:
        if y._tensor.dtype not in FLOATS and y._tensor.dtype not in COMPLEXES:
            y = array_of(y._tensor.to(torch.float64))
        size = absolute(y)
    if not (_is_finite(rtol) and _is_finite(atol)):
        warn(
            f"One of rtol or atol is not valid, atol: {atol}, rtol: {rtol}",
            RuntimeWarning,
        )
    allowed = _weakly(add, atol, _weakly(multiply, rtol, size))
    close = logical_and(less_equal(absolute(subtract(x, y)), allowed), isfinite(y))
    close = logical_or(close, equal(x, y))
    if equal_nan:
        close = logical_or(close, logical_and(isnan(x), isnan(y)))
    return close


def _weakly(function: Any, a: Any, b: Any) -> Any:
    """A ufunc's result; for two Python numbers a Python number, which stays weak."""
    if type(a) in PYTHON_NUMBERS and type(b) in PYTHON_NUMBERS:
        return a + b if function is add else a * b
    return function(a, b)


def _array(name: str, x: Any, argument: str, *others: Any) -> ndarray:
    return array_of(as_tensor(name, x, argument, device_of(*others)))


def _is_finite(tolerance: Any) -> bool:
    """Whether a tolerance is finite; ``True`` if its value is not known without waiting."""
    if type(tolerance) in (int, float, bool):
        return bool(-math.inf < tolerance < math.inf)  # Dynamo traces it for symbols too
    return not holds_somewhere(~torch.isfinite(as_tensor("isclose", tolerance, "tolerance")))


def allclose(
    a: ArrayLike,
    b: ArrayLike,
    rtol: ArrayLike = 1e-05,
    atol: ArrayLike = 1e-08,
    equal_nan: bool = False,
) -> bool:
    """Whether all elements are close (see ``isclose``): a Python bool, so it waits for the values.

    Parameters
    ----------
    a, b : array_like
        The arrays to compare; ``b`` is the reference.
    rtol, atol : array_like
        The relative and the absolute tolerance.
    equal_nan : bool
        Whether NaN is close to NaN.

    Returns
    -------
    bool
        A Python bool; ``True`` for arrays without elements.

    Examples
    --------
    >>> import numpy_shim as np
    >>> np.allclose(np.array([1.0, 2.0]), np.array([1.0, 2.0 + 1e-9]))
    True
    """
    if type(a) is ndarray and type(b) is ndarray and type(rtol) is float and type(atol) is float:
        s, t = a._tensor, b._tensor
        native = s.dtype is t.dtype and s.dtype in _NATIVE and rtol >= 0 and atol >= 0
        if native and not is_compiling():  # torch.allclose cannot be traced
            try:
                if is_large(s):
                    return bool(torch.all(is_close(s, t, rtol, atol, bool(equal_nan))))
                return torch.allclose(s, t, rtol, atol, bool(equal_nan))
            except RuntimeError:
                pass  # the general path below raises the error
    return _general_allclose(a, b, rtol, atol, equal_nan)


def _general_allclose(
    a: ArrayLike, b: ArrayLike, rtol: ArrayLike, atol: ArrayLike, equal_nan: bool
) -> bool:
    return bool(torch.all(as_tensor("allclose", isclose(a, b, rtol, atol, equal_nan))))


def array_equal(a1: ArrayLike, a2: ArrayLike, equal_nan: bool = False) -> bool:
    """Whether two arrays have the same shape and the same elements: a Python bool.

    Parameters
    ----------
    a1, a2 : array_like
        The arrays to compare; anything that is not array-like is equal to nothing.
    equal_nan : bool
        Whether NaN equals NaN.

    Returns
    -------
    bool
        ``False`` for arrays of different shapes.

    Examples
    --------
    >>> import numpy_shim as np
    >>> np.array_equal(np.array([1, 2]), np.array([1.0, 2.0]))
    True
    """
    if type(a1) is ndarray and type(a2) is ndarray and not equal_nan:
        s, t = a1._tensor, a2._tensor
        if s.dtype is t.dtype and s.dtype in _PLAIN and not _box.several_devices:
            return torch.equal(s, t)
    return _general_array_equal(a1, a2, equal_nan)


def _general_array_equal(a1: ArrayLike, a2: ArrayLike, equal_nan: bool) -> bool:
    pair = _pair("array_equal", a1, a2)
    if pair is None or pair[0].shape != pair[1].shape:
        return False
    x, y = pair
    if not equal_nan:
        return torch.equal(as_signed(x), as_signed(y))
    return bool(torch.all(_same(x, y)))


def _same(x: Tensor, y: Tensor) -> Tensor:
    return torch.eq(x, y) | (torch.ne(x, x) & torch.ne(y, y))


def array_equiv(a1: ArrayLike, a2: ArrayLike) -> bool:
    """Whether two arrays are equal after broadcasting to one shape: a Python bool.

    Parameters
    ----------
    a1, a2 : array_like
        The arrays to compare; anything that is not array-like is equal to nothing.

    Returns
    -------
    bool
        ``False`` for shapes that do not broadcast.

    Examples
    --------
    >>> import numpy_shim as np
    >>> np.array_equiv(np.array([1, 2]), np.array([[1, 2], [1, 2]]))
    True
    """
    pair = _pair("array_equiv", a1, a2)
    if pair is None:
        return False
    try:
        broadcast_shapes("array_equiv", pair[0].shape, pair[1].shape)
    except ValueError:
        return False
    return bool(torch.all(torch.eq(as_signed(pair[0]), as_signed(pair[1]))))


def _pair(name: str, a1: Any, a2: Any) -> tuple[Tensor, Tensor] | None:
    """Both as tensors of one dtype; ``None`` if one of them is not array-like."""
    try:
        x, y = operands(name, a1, a2, arguments=("a1", "a2"))
    except (TypeError, ValueError) as error:
        if isinstance(error, HostDtypeError) or (
            isinstance(a1, AnyArray) and isinstance(a2, AnyArray)
        ):
            raise  # NumPy has the answer; or neither would be right, on two devices
        return None
    if x.dtype is not y.dtype:
        dtype = PROMOTION.get((x.dtype, y.dtype))
        if dtype is None:
            return None
        x, y = cast(x, dtype), cast(y, dtype)
    return x, y


def isreal(x: ArrayLike) -> ndarray:
    """Where the imaginary part is zero.

    Parameters
    ----------
    x : array_like
        Any numbers.

    Returns
    -------
    ndarray or scalar of bool
        In the shape of ``x``; a Python bool for a Python number.

    Examples
    --------
    >>> import numpy_shim as np
    >>> np.isreal(np.array([1 + 0j, 2j]))
    array([ True, False])
    """
    if type(x) in (int, float, complex, bool):
        return x.imag == 0  # type: ignore[return-value, union-attr]
    t = as_tensor("isreal", x, "x")
    if t.dtype.is_complex:
        return wrap(torch.eq(t.imag, 0))
    return wrap(torch.ones(t.shape, dtype=torch.bool, device=t.device))


def iscomplex(x: ArrayLike) -> ndarray:
    """Where the imaginary part is not zero.

    Parameters
    ----------
    x : array_like
        Any numbers.

    Returns
    -------
    ndarray or scalar of bool
        In the shape of ``x``.

    Examples
    --------
    >>> import numpy_shim as np
    >>> np.iscomplex(np.array([1 + 0j, 2j]))
    array([False,  True])
    """
    t = as_tensor("iscomplex", x, "x")
    if t.dtype.is_complex:
        return wrap(torch.ne(t.imag, 0))
    return wrap(torch.zeros(t.shape, dtype=torch.bool, device=t.device))


def isposinf(x: ArrayLike, out: OutArray = None) -> ndarray:
    """Where the elements are positive infinity.

    Parameters
    ----------
    x : array_like
        Real numbers.
    out : ndarray, optional
        Where the result is written; it is returned.

    Returns
    -------
    ndarray or scalar of bool
        In the shape of ``x``.

    Examples
    --------
    >>> import numpy_shim as np
    >>> np.isposinf(np.array([np.inf, -np.inf, 0.0]))
    array([ True, False, False])
    """
    _check_real("isposinf", x)
    return logical_and(isinf(x), logical_not(signbit(x)), out)


@documented_like(
    isposinf,
    "Where the elements are negative infinity.",
    """
    >>> import numpy_shim as np
    >>> np.isneginf(np.array([np.inf, -np.inf, 0.0]))
    array([False,  True, False])
    """,
)
def isneginf(x: ArrayLike, out: OutArray = None) -> ndarray:
    _check_real("isneginf", x)
    return logical_and(isinf(x), signbit(x), out)


def _check_real(name: str, x: Any) -> None:
    dtype = as_tensor(name, x, "x").dtype
    if dtype.is_complex:
        raise TypeError(
            f"{name}: x has dtype {NUMPY[dtype]}, for which it would be ambiguous; use real or imag"
        )
