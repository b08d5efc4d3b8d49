"""The chapter *Statistical functions*."""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol

import torch
from torch import Tensor

from . import _flags
from ._array import Array
from ._core.axes import plain_axes
from ._core.dtypes import FLOATING, NUMERIC, REAL_FLOATING, REAL_NUMERIC, WIDE_UNSIGNED
from ._core.errors import type_name
from ._core.scalars import truth
from ._dispatch import fill, wrap
from ._kernels import reductions as kernels
from ._reduce import Reduction, check_not_empty, read, result_dtype

__all__ = [
    "max",
    "mean",
    "min",
    "prod",
    "std",
    "sum",
    "var",
]

_ORDERED = REAL_NUMERIC.dtypes - WIDE_UNSIGNED

# The dtypes that sums and products keep, in the standard and in torch.
_KEPT = frozenset({torch.int64, torch.float64, torch.complex128})
_NUMBERS = frozenset({int, float})


def _extremum(
    name: str,
    whole: Callable[[Tensor], Tensor],
    along: Callable[..., Tensor],
    kernel: Callable[..., Tensor],
    **words: str,
) -> Reduction:
    """The function of the largest or the smallest element: torch's functions and a kernel."""

    def function(
        x: Array, /, *, axis: int | tuple[int, ...] | None = None, keepdims: bool = False
    ) -> Array:
        """The {superlative} element along the axes.

        Parameters
        ----------
        x : Array
            Real numeric dtype, any shape.
        axis : int, tuple of ints or None
            The axis or axes to reduce: all by default, none for an empty tuple.
        keepdims : bool
            Whether the reduced axes stay, with size one.

        Returns
        -------
        Array
            The same dtype.

        Raises
        ------
        TypeError
            For any other dtype, anything but an ``xp_torch`` array, or an axis that is not an
            integer.
        AxisError
            For an axis that ``x`` does not have, or one given twice.
        ValueError
            For an axis without elements.

        Notes
        -----
        NaN if any element is NaN. It is not specified which of the two zeros is {comparative}.

        Source: the array API standard, ``{name}``.

        Examples
        --------
        >>> import xp_torch as xp
        >>> xp.{name}(xp.asarray([[1, 5], [7, 2]]), axis=1)
        {example}
        """
        if type(x) is Array and type(keepdims) is bool:
            t = x._tensor
            if t.dtype in _ORDERED and t.numel():
                if axis is None and not keepdims:
                    out = Array()
                    out._tensor = whole(t)
                    return out
                if (
                    -t.ndim <= axis < t.ndim
                    if type(axis) is int
                    else type(axis) is tuple and plain_axes(axis, t.ndim)
                ):
                    out = Array()
                    out._tensor = along(t, axis, keepdims)
                    return out
        t, axes = read(name, x, axis, REAL_NUMERIC)
        check_not_empty(name, t, axes)
        return wrap(kernel(t, axes, truth(name, "keepdims", keepdims)))

    return fill(function, name, **words)


max = _extremum(
    "max",
    torch.max,
    torch.amax,
    kernels.max,
    superlative="largest",
    comparative="larger",
    example="Array([5, 7], dtype=int64)",
)


def mean(
    x: Array, /, *, axis: int | tuple[int, ...] | None = None, keepdims: bool = False
) -> Array:
    """The arithmetic mean of the elements along the axes.

    Parameters
    ----------
    x : Array
        Floating-point dtype, any shape; complex since version 2024.12.
    axis : int, tuple of ints or None
        The axis or axes to reduce: all by default, none for an empty tuple.
    keepdims : bool
        Whether the reduced axes stay, with size one.

    Returns
    -------
    Array
        The same dtype; NaN where there are no elements.

    Raises
    ------
    TypeError
        For any other dtype, anything but an ``xp_torch`` array, or an axis that is not an integer.
    AxisError
        For an axis that ``x`` does not have, or one given twice.

    Notes
    -----
    Source: the array API standard, ``mean``.

    Examples
    --------
    >>> import xp_torch as xp
    >>> xp.mean(xp.asarray([[1.0, 2.0], [3.0, 4.0]]), axis=0)
    Array([2., 3.], dtype=float64)
    """
    if type(x) is Array and type(keepdims) is bool:
        t = x._tensor
        if t.dtype in REAL_FLOATING.dtypes:
            if axis is None and not keepdims:
                out = Array()
                out._tensor = torch.mean(t)
                return out
            if (
                -t.ndim <= axis < t.ndim
                if type(axis) is int
                else type(axis) is tuple and plain_axes(axis, t.ndim)
            ):
                out = Array()
                out._tensor = torch.mean(t, axis, keepdims)
                return out
    category = FLOATING if _flags.api_version >= "2024.12" else REAL_FLOATING
    t, axes = read("mean", x, axis, category)
    return wrap(kernels.mean(t, axes, truth("mean", "keepdims", keepdims)))


min = _extremum(
    "min",
    torch.min,
    torch.amin,
    kernels.min,
    superlative="smallest",
    comparative="smaller",
    example="Array([1, 2], dtype=int64)",
)


class Sum(Protocol):
    """The signature of sums and products."""

    def __call__(
        self,
        x: Array,
        /,
        *,
        axis: int | tuple[int, ...] | None = None,
        dtype: torch.dtype | None = None,
        keepdims: bool = False,
    ) -> Array: ...


def _total(
    name: str,
    torchs: Callable[..., Tensor],
    kernel: Callable[..., Tensor],
    *,
    several: bool,
    **words: str,
) -> Sum:
    """The function of a sum or product; torch has it along ``several`` axes or along one."""

    def function(
        x: Array,
        /,
        *,
        axis: int | tuple[int, ...] | None = None,
        dtype: torch.dtype | None = None,
        keepdims: bool = False,
    ) -> Array:
        """The {noun} of the elements along the axes.

        Parameters
        ----------
        x : Array
            Numeric dtype, any shape.
        axis : int, tuple of ints or None
            The axis or axes to reduce: all by default, none for an empty tuple.
        dtype : torch.dtype or None
            The dtype to compute in. By default that of ``x``, or int64 and uint64 for narrower
            signed and unsigned integers.
        keepdims : bool
            Whether the reduced axes stay, with size one.

        Returns
        -------
        Array
            {empty} where there are no elements.

        Raises
        ------
        TypeError
            For any other dtype, a complex array with a real ``dtype``, anything but an
            ``xp_torch`` array, or an axis that is not an
            integer.
        AxisError
            For an axis that ``x`` does not have, or one given twice.

        Notes
        -----
        Integers wrap around. Before version 2023.12 the {noun} of a floating-point array had at
        least the default precision.

        Source: the array API standard, ``{name}``.

        Examples
        --------
        >>> import xp_torch as xp
        >>> xp.{name}(xp.asarray([[1, 2], [3, 4]]), axis=0)
        {example}
        """
        if type(x) is Array and dtype is None and type(keepdims) is bool:
            t = x._tensor
            if t.dtype in _KEPT or (t.dtype is torch.float32 and _flags.api_version >= "2023.12"):
                if axis is None and not keepdims:
                    out = Array()
                    out._tensor = torchs(t)
                    return out
                if (
                    -t.ndim <= axis < t.ndim
                    if type(axis) is int
                    else several and type(axis) is tuple and plain_axes(axis, t.ndim)
                ):
                    out = Array()
                    out._tensor = torchs(t, axis, keepdims)
                    return out
        t, axes = read(name, x, axis, NUMERIC)
        result = result_dtype(name, t, dtype)
        return wrap(kernel(t, axes, truth(name, "keepdims", keepdims), result))

    return fill(function, name, **words)


prod = _total(
    "prod",
    torch.prod,
    kernels.prod,
    several=False,
    noun="product",
    empty="One",
    example="Array([3, 8], dtype=int64)",
)
sum = _total(
    "sum",
    torch.sum,
    kernels.sum,
    several=True,
    noun="sum",
    empty="Zero",
    example="Array([4, 6], dtype=int64)",
)


class Spread(Protocol):
    """The signature of variances and standard deviations."""

    def __call__(
        self,
        x: Array,
        /,
        *,
        axis: int | tuple[int, ...] | None = None,
        correction: int | float = 0.0,
        keepdims: bool = False,
    ) -> Array: ...


def _spread(
    name: str, torchs: Callable[..., Tensor], kernel: Callable[..., Tensor], **words: str
) -> Spread:
    """The function of a variance or standard deviation."""

    def function(
        x: Array,
        /,
        *,
        axis: int | tuple[int, ...] | None = None,
        correction: int | float = 0.0,
        keepdims: bool = False,
    ) -> Array:
        """The {noun} of the elements along the axes.

        Parameters
        ----------
        x : Array
            Real floating-point dtype, any shape.
        axis : int, tuple of ints or None
            The axis or axes to reduce: all by default, none for an empty tuple.
        correction : int or float
            What is subtracted from the number of elements to give the divisor: 0 for the
            {noun} of a population, 1 for that of a sample.
        keepdims : bool
            Whether the reduced axes stay, with size one.

        Returns
        -------
        Array
            The same dtype; NaN unless there are more elements than ``correction``.

        Raises
        ------
        TypeError
            For any other dtype, anything but an ``xp_torch`` array, a correction that is no
            number, or an axis that is not an
            integer.
        AxisError
            For an axis that ``x`` does not have, or one given twice.

        Notes
        -----
        Source: the array API standard, ``{name}``.

        Examples
        --------
        >>> import xp_torch as xp
        >>> xp.{name}(xp.asarray([1.0, 2.0, 3.0]), correction=1)
        Array(1., dtype=float64)
        """
        if type(x) is Array and type(correction) in _NUMBERS and type(keepdims) is bool:
            t = x._tensor
            size = t.numel()
            if t.dtype in REAL_FLOATING.dtypes and size:
                if axis is None and not keepdims and size - correction > 0:
                    out = Array()
                    out._tensor = torchs(t, correction=correction)
                    return out
                if (
                    type(axis) is int
                    and -t.ndim <= axis < t.ndim
                    and t.shape[axis] - correction > 0
                ):
                    out = Array()
                    out._tensor = torchs(t, axis, correction=correction, keepdim=keepdims)
                    return out
        t, axes = read(name, x, axis, REAL_FLOATING)
        if not isinstance(correction, (int, float)):
            kind = type_name(correction)
            raise TypeError(f"{name}: correction must be an int or a float, not {kind}")
        return wrap(kernel(t, axes, truth(name, "keepdims", keepdims), correction))

    return fill(function, name, **words)


std = _spread("std", torch.std, kernels.std, noun="standard deviation")
var = _spread("var", torch.var, kernels.var, noun="variance")
