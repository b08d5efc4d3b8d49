"""Rounding to decimals and towards zero."""

from __future__ import annotations

from functools import partial
from typing import Any

import torch
from torch import Tensor

from xp_torch._core.axes import integer
from xp_torch._kernels import blocks

from .._array.ndarray import ndarray, new, scalar
from .._array.typing import OutArray
from .._base import error_checks
from .._base import error_states as errstate
from .._base.dtypes import INTEGERS
from .._base.fast_tables import fast_table
from .._convert.arguments import ArrayLike, as_tensor, check_cast, finish
from .._convert.outputs import output_of
from .._ufunc.declarations import rint, trunc

__all__ = ["around", "fix", "round"]

_NATIVE = fast_table({dtype: dtype for dtype in (torch.float32, torch.float64)})


def round(a: ArrayLike, decimals: int = 0, out: OutArray = None) -> ndarray:
    """Round to a number of decimals, halves to the even digit.

    As in NumPy, the elements are multiplied by a power of ten, rounded, and divided by it. So
    ``round(2.675, 2)`` also depends on the rounding of the product.

    Parameters
    ----------
    a : array_like
        The elements; complex ones are rounded in both parts.
    decimals : int
        The number of decimals to keep; a negative one rounds to a power of ten.
    out : ndarray, optional
        Where the result is written; it is returned.

    Returns
    -------
    ndarray or scalar
        In the dtype of ``a``; float16 for booleans.

    Examples
    --------
    >>> import numpy_shim as np
    >>> np.round(np.array([0.5, 1.5, 2.25]), 1)
    array([0.5, 1.5, 2.2])
    >>> np.round(np.array([15, 25, 31]), -1)
    array([20, 20, 30])
    """
    if type(a) is ndarray and out is None:
        t = a._tensor
        if t.dtype in _NATIVE:
            if decimals == 0:
                result = torch.round(t)
            elif type(decimals) is int and -22 <= decimals <= 22:
                result = _parts(t, decimals)
            else:
                return _general_round(a, decimals, out)
            if result.dim():
                array = new(ndarray)
                array._tensor = result
                array._flat_dtype = result.dtype
                return array
            return scalar(result)
    return _general_round(a, decimals, out)


def around(a: ArrayLike, decimals: int = 0, out: OutArray = None) -> ndarray:
    """Round to a number of decimals: another name of ``round``.

    Parameters
    ----------
    a : array_like
        The elements; complex ones are rounded in both parts.
    decimals : int
        The number of decimals to keep; a negative one rounds to a power of ten.
    out : ndarray, optional
        Where the result is written; it is returned.

    Returns
    -------
    ndarray or scalar
        In the dtype of ``a``; float16 for booleans.

    Examples
    --------
    >>> import numpy_shim as np
    >>> np.around(np.array([1.25, 0.75]), 1)
    array([1.2, 0.8])
    """
    return round(a, decimals, out)


def _general_round(a: Any, decimals: Any, out: Any) -> ndarray:
    x = as_tensor("round", a, "a")
    places = integer("round", "decimals", decimals)
    if x.dtype in INTEGERS and places >= 0:
        return finish("round", x.clone(), out)
    if x.dtype in INTEGERS or (x.dtype is torch.bool and places):
        rounded = _scaled(x.to(torch.float64), places)
        if out is None:
            check_cast("round", torch.float64, x.dtype, _INTO_INTEGERS[x.dtype])
            rounded = rounded.to(x.dtype)
        return finish("round", rounded, out)
    if places == 0 and not x.dtype.is_complex:
        if (
            out is not None and output_of("round", out).size != x.numel()
        ):  # rint would broadcast to out
            raise ValueError("round: invalid output shape")
        return rint(a, out=out)
    return finish("round", _parts(x, places), out)


# NumPy rounds integers in float64 and casts back; it refuses booleans.
def _power_of_ten(n: int) -> float:
    """NumPy's factor; from the tenth power on, each multiplication rounds."""
    if n > 308:
        return float("inf")
    power = 10.0 ** min(n, 9)
    for _ in range(9, n):
        power *= 10.0
    return power


_INTO_INTEGERS = {**dict.fromkeys(INTEGERS, "unsafe"), torch.bool: "same_kind"}


def _parts(x: Tensor, decimals: int) -> Tensor:
    if x.dtype.is_complex:
        return torch.complex(_parts(x.real, decimals), _parts(x.imag, decimals))
    if blocks.is_large(x) and not errstate.active:
        return blocks.filled(
            partial(_write_scaled, decimals=decimals), partial(_scaled, decimals=decimals),
            x.dtype, x,
        )  # fmt: skip
    return _scaled(x, decimals)


def _write_scaled(out: Tensor, x: Tensor, decimals: int) -> None:
    """``_scaled`` of a block."""
    factor = _power_of_ten(abs(decimals))
    if decimals == 0 or factor > torch.finfo(x.dtype).max:
        out.copy_(_scaled(x, decimals))
    elif decimals > 0:
        torch.mul(x, factor, out=out).round_().div_(factor)
    else:
        torch.div(x, factor, out=out).round_().mul_(factor)


def _scaled(x: Tensor, decimals: int) -> Tensor:
    """Multiply, round and divide; for negative decimals, divide first."""
    if decimals == 0:
        return torch.round(x)
    factor = _power_of_ten(abs(decimals))
    given = factor
    if factor > torch.finfo(x.dtype).max:
        factor = float("inf")  # torch refuses to round the factor to infinity
    there, back = (torch.mul, torch.div) if decimals > 0 else (torch.div, torch.mul)
    scaled = there(x, factor)
    rounded = torch.round(scaled)
    result = back(rounded, factor)
    if errstate.active:
        names = ("multiply", "divide") if decimals > 0 else ("divide", "multiply")
        by = torch.full_like(x, factor)
        for name, before, after in zip(names, (x, rounded), (scaled, result), strict=True):
            if given < factor:  # NumPy casts the power for the multiplication and for the division
                errstate.report({"over"}, "cast")
            error_checks.check(name, [before, by], (after,))
    return result


def fix(x: ArrayLike, out: OutArray = None) -> ndarray:
    """Round towards zero; an older name of ``trunc``.

    Parameters
    ----------
    x : array_like
        Real elements.
    out : ndarray, optional
        Where the result is written; it is returned.

    Returns
    -------
    ndarray or scalar
        In the shape and dtype of ``x``.

    Examples
    --------
    >>> import numpy_shim as np
    >>> np.fix(np.array([1.7, -1.7]))
    array([ 1., -1.])
    """
    return trunc(x, out=out)
