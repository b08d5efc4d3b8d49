"""Axes and shapes, with NumPy's errors: ``AxisError`` is NumPy's own."""

from __future__ import annotations

import operator
from collections.abc import Sequence
from math import prod
from typing import Any

from numpy.exceptions import AxisError
from torch import Tensor

from xp_torch._core.axes import broadcast_shapes as broadcast_shapes
from xp_torch._core.axes import integer
from xp_torch._core.errors import shown

_STRICT = frozenset({
    "all", "any", "append", "argmax", "argmin", "argsort", "compress", "concatenate",
    "count_nonzero", "cumprod", "cumsum", "cumulative_prod", "cumulative_sum", "max", "mean",
    "min", "nanmax", "nanmean", "nanmin", "nanprod", "nanstd", "nansum", "nanvar", "packbits",
    "prod", "ptp", "repeat", "squeeze", "std", "sum", "take", "transpose", "unpackbits",
    "unwrap", "var",
})  # fmt: skip
"""These functions and the methods of ufuncs refuse a bool as an axis; others take it as 0 or 1."""

_WITHOUT_OVERFLOW = frozenset({
    "array_split", "choice", "fft", "fftshift", "hfft", "ifft", "ifftshift", "ihfft", "irfft",
    "rfft", "split", "tensordot", "transpose", "trapezoid",
})  # fmt: skip
"""Functions that raise AxisError for an axis beyond 64 bits; others raise OverflowError."""


def normalize_axis(name: str, axis: object, ndim: int, argument: str = "axis") -> int:
    """One axis, counted from the front."""
    if isinstance(axis, bool) and (name in _STRICT or "." in name):
        raise TypeError(f"{name}: {argument} must be an integer, not bool")
    index = integer(name, argument, axis)
    if not -ndim <= index < ndim:
        if not -(2**63) <= index < 2**63 and name not in _WITHOUT_OVERFLOW:
            raise OverflowError(f"{name}: {argument} {shown(index)} does not fit in 64 bits")
        is_axis = argument in ("axis", "axes")
        raise AxisError(index, ndim, name if is_axis else f"{name}: {argument}")
    return index + ndim if index < 0 else index


def normalize_axes(name: str, axis: object, ndim: int, argument: str = "axis") -> tuple[int, ...]:
    """Distinct axes from ``None`` (all of them), one or several; ``ValueError`` for a repeat."""
    if axis is None:
        return tuple(range(ndim))
    if isinstance(axis, (tuple, list)):
        axes = tuple([normalize_axis(name, a, ndim, argument) for a in axis])
        if len(set(axes)) != len(axes):
            raise ValueError(f"{name}: duplicate value in {argument} {tuple(axis)}")
        return axes
    return (normalize_axis(name, axis, ndim, argument),)


def without_leading_ones(value: Tensor, ndim: int) -> Tensor:
    """``value`` without its leading axes of size 1 beyond ``ndim``, ready to be assigned."""
    extra = value.dim() - ndim
    if extra > 0 and all(n == 1 for n in value.shape[:extra]):
        return value.reshape(value.shape[extra:])
    return value


MAX_DIMS = 64
"""NumPy's limit on axes."""

MAX_DIMS_OF_FLAT = 32
"""The limit of NumPy's older iterator, behind ``flat`` and ``choose``."""


def check_flat(name: str, ndim: int) -> None:
    """Raise ``RuntimeError`` for more axes than NumPy's older iterator has."""
    if ndim > MAX_DIMS_OF_FLAT:
        raise RuntimeError(
            f"{name}: this function only supports up to {MAX_DIMS_OF_FLAT} dimensions but the "
            f"array has {ndim}."
        )


MAX_SIZE = 2**63 - 1
"""The largest size of an axis."""


def integer_of_64_bits(name: str, argument: str, value: Any) -> int:
    """``value`` as a Python int; ``OverflowError`` beyond 64 bits, as for a C integer of NumPy."""
    try:
        number = operator.index(value)
    except TypeError:  # the words of Python's C interface, which callers of NumPy look for
        kind = type(value).__name__
        raise TypeError(
            f"{name}: {argument}: {kind!r} object cannot be interpreted as an integer"
        ) from None
    if not -MAX_SIZE - 1 <= number <= MAX_SIZE:
        raise OverflowError(f"{name}: {argument} {shown(number)} does not fit in 64 bits")
    return number


def check_room(like: Tensor, sizes: Sequence[int]) -> None:
    """Let torch raise its error at once for a large result that does not fit into memory.

    For functions that build their result step by step. The memory is asked for, not touched.
    """
    if prod(sizes) >= _LARGE:
        like.new_empty(tuple(sizes))


_LARGE = 2**28
"""From this number of elements on, a result is checked before it is built."""


def normalize_shape(
    name: str, shape: Any, argument: str = "shape", limit: float = MAX_SIZE
) -> tuple[int, ...]:
    """A shape from one integer or several, none negative or above ``limit``."""
    try:
        one = None if isinstance(shape, bool) else integer_or_none(shape)
        sizes = tuple([size_of(s) for s in shape]) if one is None else (one,)
    except TypeError:
        raise TypeError(
            f"{name}: {argument} must be an integer or a sequence of integers, not {shape!r}"
        ) from None
    for size in sizes:
        if size < 0:
            raise ValueError(f"{name}: negative dimensions are not allowed in {argument} {sizes}")
        if size > limit:
            raise ValueError(f"{name}: Maximum allowed dimension exceeded in {argument} {sizes}")
    return sizes


def integer_or_none(value: Any) -> int | None:
    """``operator.index``, or ``None`` for an object that is not an integer.

    Sequences are recognised by type: Dynamo of torch 2.11 cannot trace past the ``TypeError``.
    """
    if isinstance(value, (tuple, list)):
        return None
    try:
        return operator.index(value)
    except TypeError:
        return None


def size_of(value: Any) -> int:
    """One size of a shape as a Python int; ``TypeError`` for other objects, including bools."""
    if isinstance(value, bool):
        raise TypeError("an integer is required, not a bool")
    return operator.index(value)
