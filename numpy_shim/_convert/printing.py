"""Printing by NumPy's own functions and options, on the values copied to the host."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Literal

import numpy
import torch
from numpy import get_printoptions, printoptions, set_printoptions
from torch import Tensor

from .._array.ndarray import AnyArray, ndarray
from .._array.scalars import TensorScalar
from .._base.dtypes import NUMPY
from .._base.typing import ArrayLike
from .arguments import as_array
from .to_numpy import to_numpy

__all__ = [
    "array2string", "array_repr", "array_str", "format_float_positional",
    "format_float_scientific", "get_printoptions", "printoptions", "set_printoptions",
]  # fmt: skip


def host(a: ndarray) -> numpy.ndarray[Any, Any]:
    """The values as a real NumPy array, without a gradient; a copy from a device."""
    return to_numpy(a._tensor.detach().cpu().resolve_conj().resolve_neg())


def corners(a: ndarray, edge: int) -> numpy.ndarray[Any, Any]:
    """An array of the same shape with the true values only in its corners, which are printed."""
    t = a._tensor.detach()
    indices = []
    for axis, size in enumerate(t.shape):
        kept = [i for i in range(size) if i < edge or i >= size - edge]
        indices.append(kept)
        t = t.index_select(axis, torch.tensor(kept, device=t.device, dtype=torch.int64))
    fetched = to_numpy(t.cpu().resolve_conj().resolve_neg())
    # The other zeros are never touched, so they take no memory.
    whole = numpy.zeros(tuple(a._tensor.shape), fetched.dtype)
    whole[numpy.ix_(*indices)] = fetched
    return whole


def _shown(a: ndarray, threshold: int | None = None, edgeitems: int | None = None) -> Any:
    """The values that printing reads: only the corners of a large array on a device."""
    t = a._tensor
    if t.is_cpu:
        return host(a)
    options = get_printoptions()
    if t.numel() <= (options["threshold"] if threshold is None else threshold):
        return host(a)
    return corners(a, options["edgeitems"] if edgeitems is None else edgeitems)


def _unread(name: str, a: Any) -> str:
    """Shape and dtype, where values cannot be read: of a fake or meta tensor, or under vmap.

    torch also prints a tree of arrays with marks in the place of their tensors.
    """
    t = a._tensor
    if not isinstance(t, Tensor):
        return f"{name}({t!r})"
    return f"{name}(..., shape={tuple(t.shape)}, dtype={NUMPY[t.dtype]}, device={t.device})"


def array2string(
    a: ArrayLike,
    max_line_width: int | None = None,
    precision: int | None = None,
    suppress_small: bool | None = None,
    separator: str = " ",
    prefix: str = "",
    *,
    formatter: dict[str, Callable[[Any], str]] | None = None,
    threshold: int | None = None,
    edgeitems: int | None = None,
    sign: Literal["-", "+", " "] | None = None,
    floatmode: Literal["fixed", "unique", "maxprec", "maxprec_equal"] | None = None,
    suffix: str = "",
    legacy: Literal[False, "1.13", "1.21", "1.25", "2.1", "2.2"] | None = None,
) -> str:
    """The values as a string, as NumPy's function of this name prints them.

    Parameters
    ----------
    a : array_like
        The array; from a device its values are copied to the host.
    max_line_width, precision, suppress_small, separator, prefix, suffix
        The width of a line, the digits of a float, whether to print very small floats as
        zero, what stands between elements, and what is printed before and after.
    formatter : dict of callables, optional
        How to print an element, by the kind of its dtype; gets NumPy's own scalars.
    threshold, edgeitems : int, optional
        From which size on to leave elements out, and how many to show at each end.
    sign, floatmode, legacy
        As in ``set_printoptions``.

    Returns
    -------
    str
        The text.

    Examples
    --------
    >>> import numpy_shim as np
    >>> np.array2string(np.array([1.5, 2]), separator=", ")
    '[1.5, 2. ]'
    """
    return numpy.array2string(
        _shown(as_array("array2string", a), threshold, edgeitems), max_line_width, precision,
        suppress_small, separator, prefix, formatter=formatter, threshold=threshold,  # type: ignore[arg-type]
        edgeitems=edgeitems, sign=sign, floatmode=floatmode, suffix=suffix, legacy=legacy,  # type: ignore[arg-type]
    )  # fmt: skip


def array_repr(
    arr: ArrayLike,
    max_line_width: int | None = None,
    precision: int | None = None,
    suppress_small: bool | None = None,
) -> str:
    """``repr`` of an array, character for character NumPy's.

    Parameters
    ----------
    arr : array_like
        The array; from a device its values are copied to the host.
    max_line_width, precision, suppress_small : optional
        As in ``array2string``.

    Returns
    -------
    str
        The text.

    Examples
    --------
    >>> import numpy_shim as np
    >>> np.array_repr(np.array([1, 2], np.int8))
    'array([1, 2], dtype=int8)'
    """
    array = as_array("array_repr", arr)
    try:
        values = _shown(array)
    except (RuntimeError, AttributeError):
        return _unread("array", array)
    return numpy.array_repr(values, max_line_width, precision, suppress_small)


def array_str(
    a: ArrayLike,
    max_line_width: int | None = None,
    precision: int | None = None,
    suppress_small: bool | None = None,
) -> str:
    """``str`` of an array, character for character NumPy's.

    Parameters
    ----------
    a : array_like
        The array; from a device its values are copied to the host.
    max_line_width, precision, suppress_small : optional
        As in ``array2string``.

    Returns
    -------
    str
        The text.

    Examples
    --------
    >>> import numpy_shim as np
    >>> np.array_str(np.array([1, 2]))
    '[1 2]'
    """
    array = as_array("array_str", a)
    try:
        values = _shown(array)
    except (RuntimeError, AttributeError):
        return _unread("array", array)
    return numpy.array_str(values, max_line_width, precision, suppress_small)


def _number(x: object) -> Any:
    """A number that NumPy formats: an array or scalar of ours as NumPy's scalar."""
    return host(x)[()] if isinstance(x, AnyArray) else x


def format_float_positional(
    x: ArrayLike,
    precision: int | None = None,
    unique: bool = True,
    fractional: bool = True,
    trim: Literal["k", ".", "0", "-"] = "k",
    sign: bool = False,
    pad_left: int | None = None,
    pad_right: int | None = None,
    min_digits: int | None = None,
) -> str:
    """A number in positional notation, by the shortest digits that give it back.

    Parameters
    ----------
    x : float or scalar
        The number.
    precision, min_digits : int, optional
        The most and the fewest digits.
    unique : bool
        Whether to stop at the digits that tell the number from its neighbours.
    fractional : bool
        Whether ``precision`` and ``min_digits`` count the digits after the point only.
    trim : {'k', '.', '0', '-'}
        How to trim trailing zeros and the point.
    sign : bool
        Whether a positive number has a sign.
    pad_left, pad_right : int, optional
        The width to fill with spaces, before and after the point.

    Returns
    -------
    str
        The text.

    Examples
    --------
    >>> import numpy_shim as np
    >>> np.format_float_positional(np.float32(0.1))
    '0.1'
    """
    return numpy.format_float_positional(
        _number(x), precision, unique, fractional, trim, sign, pad_left, pad_right, min_digits
    )


def format_float_scientific(
    x: ArrayLike,
    precision: int | None = None,
    unique: bool = True,
    trim: Literal["k", ".", "0", "-"] = "k",
    sign: bool = False,
    pad_left: int | None = None,
    exp_digits: int | None = None,
    min_digits: int | None = None,
) -> str:
    """A number in scientific notation, by the shortest digits that give it back.

    Parameters
    ----------
    x : float or scalar
        The number.
    precision, min_digits : int, optional
        The most and the fewest digits after the point.
    unique, trim, sign, pad_left : optional
        As in ``format_float_positional``.
    exp_digits : int, optional
        The fewest digits of the exponent, by default two.

    Returns
    -------
    str
        The text.

    Examples
    --------
    >>> import numpy_shim as np
    >>> np.format_float_scientific(np.float32(1234.5))
    '1.2345e+03'
    """
    return numpy.format_float_scientific(
        _number(x), precision, unique, trim, sign, pad_left, exp_digits, min_digits
    )


def scalar_repr(x: TensorScalar) -> str:
    """As NumPy prints it: ``np.float64(3.5)``."""
    try:
        return repr(host(x)[()])
    except (RuntimeError, AttributeError):
        return _unread("scalar", x)


def scalar_str(x: TensorScalar) -> str:
    """The number alone."""
    try:
        return str(host(x)[()])
    except (RuntimeError, AttributeError):
        return _unread("scalar", x)
