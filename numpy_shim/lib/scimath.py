"""``numpy.emath``: functions whose result is complex where the real one does not exist.

The dtype of a result depends on the values, so each function waits for them.
"""

from __future__ import annotations

from collections.abc import Callable

import torch
from torch import Tensor

from .._array.ndarray import ndarray, wrap
from .._convert.arguments import ArrayLike, as_tensor
from .._ufunc import declarations as ufuncs

__all__ = ["arccos", "arcsin", "arctanh", "log", "log2", "log10", "logn", "power", "sqrt"]

_SMALL = frozenset({torch.int8, torch.int16, torch.uint8, torch.uint16, torch.float32})


def _complex_if(name: str, x: ArrayLike, is_outside: Callable[[Tensor], Tensor]) -> ndarray:
    """The values; if one is outside the domain, as complex numbers: single ones if they fit."""
    tensor = as_tensor(name, x, "x")
    if tensor.is_complex() or not bool(torch.any(is_outside(tensor.double()))):
        return wrap(tensor)
    return wrap(tensor.to(torch.complex64 if tensor.dtype in _SMALL else torch.complex128))


def _where_negative(name: str, x: ArrayLike) -> ndarray:
    return _complex_if(name, x, lambda t: t < 0)


def _where_beyond_one(name: str, x: ArrayLike) -> ndarray:
    return _complex_if(name, x, lambda t: torch.abs(t) > 1)


def sqrt(x: ArrayLike) -> ndarray:
    """The square root; complex where an element is negative.

    Parameters
    ----------
    x : array_like
        Any numbers.

    Returns
    -------
    ndarray or scalar
        In the shape of ``x``; complex if an element is negative, else as ``numpy_shim.sqrt``.

    Examples
    --------
    >>> import numpy_shim as np
    >>> np.emath.sqrt([-1, 4])
    array([0.+1.j, 2.+0.j])
    """
    return ufuncs.sqrt(_where_negative("sqrt", x))


def log(x: ArrayLike) -> ndarray:
    """The natural logarithm; complex where an element is negative.

    Parameters
    ----------
    x : array_like
        Any numbers.

    Returns
    -------
    ndarray or scalar
        In the shape of ``x``; complex if an element is negative, else as ``numpy_shim.log``.

    Examples
    --------
    >>> import numpy_shim as np
    >>> np.emath.log(-1)
    np.complex128(3.141592653589793j)
    """
    return ufuncs.log(_where_negative("log", x))


def log10(x: ArrayLike) -> ndarray:
    """The logarithm to base 10; complex where an element is negative.

    Parameters
    ----------
    x : array_like
        Any numbers.

    Returns
    -------
    ndarray or scalar
        In the shape of ``x``; complex if an element is negative, else as ``numpy_shim.log10``.

    Examples
    --------
    >>> import numpy_shim as np
    >>> np.emath.log10([-10.0, 100.0]).real
    array([1., 2.])
    """
    return ufuncs.log10(_where_negative("log10", x))


def log2(x: ArrayLike) -> ndarray:
    """The logarithm to base 2; complex where an element is negative.

    Parameters
    ----------
    x : array_like
        Any numbers.

    Returns
    -------
    ndarray or scalar
        In the shape of ``x``; complex if an element is negative, else as ``numpy_shim.log2``.

    Examples
    --------
    >>> import numpy_shim as np
    >>> np.emath.log2([-4.0, 8.0]).real
    array([2., 3.])
    """
    return ufuncs.log2(_where_negative("log2", x))


def logn(n: ArrayLike, x: ArrayLike) -> ndarray:
    """The logarithm to base ``n``; complex where an element of either is negative.

    Parameters
    ----------
    n : array_like
        The base.
    x : array_like
        Any numbers; broadcasts with ``n``.

    Returns
    -------
    ndarray or scalar
        The quotient of two logarithms; complex if an element of ``n`` or ``x`` is negative.

    Examples
    --------
    >>> import numpy_shim as np
    >>> np.emath.logn(2, [4, 8])
    array([2., 3.])
    """
    result: ndarray = log(x) / log(n)
    return result


def power(x: ArrayLike, p: ArrayLike) -> ndarray:
    """``x`` to the power of ``p``; complex where an element of ``x`` is negative.

    Integers to a negative power are computed as floats.

    Parameters
    ----------
    x : array_like
        The base.
    p : array_like
        The exponent; broadcasts with ``x``.

    Returns
    -------
    ndarray or scalar
        Complex if an element of ``x`` is negative.

    Examples
    --------
    >>> import numpy_shim as np
    >>> np.emath.power([2, 4], -1)
    array([0.5 , 0.25])
    """
    base = _where_negative("power", x)
    exponent = as_tensor("power", p, "p")
    if not exponent.is_complex() and bool(torch.any(exponent.double() < 0)):
        return ufuncs.power(base, wrap(exponent) * 1.0)
    return ufuncs.power(base, wrap(exponent))


def arccos(x: ArrayLike) -> ndarray:
    """The inverse cosine; complex where an element is outside of [-1, 1].

    Parameters
    ----------
    x : array_like
        Any numbers.

    Returns
    -------
    ndarray or scalar
        In the shape of ``x``; complex if an element is outside of [-1, 1], else real.

    Examples
    --------
    >>> import numpy_shim as np
    >>> np.emath.arccos(1)
    np.float64(0.0)
    """
    return ufuncs.arccos(_where_beyond_one("arccos", x))


def arcsin(x: ArrayLike) -> ndarray:
    """The inverse sine; complex where an element is outside of [-1, 1].

    Parameters
    ----------
    x : array_like
        Any numbers.

    Returns
    -------
    ndarray or scalar
        In the shape of ``x``; complex if an element is outside of [-1, 1], else real.

    Examples
    --------
    >>> import numpy_shim as np
    >>> np.emath.arcsin(2.0).imag > 1
    np.True_
    """
    return ufuncs.arcsin(_where_beyond_one("arcsin", x))


def arctanh(x: ArrayLike) -> ndarray:
    """The inverse hyperbolic tangent; complex where an element is outside of [-1, 1].

    Parameters
    ----------
    x : array_like
        Any numbers.

    Returns
    -------
    ndarray or scalar
        In the shape of ``x``; complex if an element is outside of [-1, 1], else real.

    Examples
    --------
    >>> import numpy_shim as np
    >>> np.emath.arctanh([0.0, 0.5]).round(4)
    array([0.    , 0.5493])
    """
    return ufuncs.arctanh(_where_beyond_one("arctanh", x))
