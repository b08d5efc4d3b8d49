"""What reductions share: a signature, and the checks of their general twins."""

from __future__ import annotations

from typing import Protocol

import torch
from torch import Tensor

from . import _flags
from ._array import Array
from ._core import defaults
from ._core.axes import normalize_axes, normalize_axis
from ._core.dtypes import ALL, FLOATING, SIGNED, UNSIGNED, Category, name_of, promote
from ._core.errors import type_name
from ._dispatch import check_category, tensor_of


class Reduction(Protocol):
    """The signature that most reductions share."""

    def __call__(
        self, x: Array, /, *, axis: int | tuple[int, ...] | None = None, keepdims: bool = False
    ) -> Array: ...


def read(
    name: str,
    x: object,
    axis: int | tuple[int, ...] | None,
    category: Category,
) -> tuple[Tensor, tuple[int, ...]]:
    """The tensor and the axes to reduce: ``None`` is all of them, ``()`` is none.

    Raises ``TypeError`` for anything but an array of the category, or an axis that is not
    ``None``, an integer or a tuple of them; ``AxisError`` for an axis that ``x`` does not
    have, or one given twice.
    """
    t = tensor_of(name, "x", x)
    check_category(name, "x", t.dtype, category)
    if isinstance(axis, list):
        raise TypeError(f"{name}: axis must be an integer, a tuple of integers or None, not list")
    return t, normalize_axes(name, axis, t.ndim)


def read_one(
    name: str, x: object, axis: int | None, category: Category
) -> tuple[Tensor, int | None]:
    """The tensor and the one axis to reduce, or ``None`` for the flattened array."""
    t = tensor_of(name, "x", x)
    check_category(name, "x", t.dtype, category)
    return t, None if axis is None else normalize_axis(name, axis, t.ndim)


def check_not_empty(name: str, t: Tensor, axes: tuple[int, ...]) -> None:
    """Raise ``ValueError`` if there is no element to choose."""
    shape = t.shape
    for axis in axes:
        if shape[axis] == 0:
            raise ValueError(
                f"{name}: x of shape {tuple(shape)} is reduced over a zero-size axis, and there "
                f"is no {name} of no elements"
            )


def result_dtype(name: str, x: Tensor, asked: torch.dtype | None) -> torch.dtype:
    """The dtype of a sum or product: the requested one, else the dtype or the default's width.

    Signed and unsigned integers become the 64-bit ones. Before version 2023.12 of the
    standard the sums and products of floating-point arrays had at least the default
    precision; the cumulative functions are newer than that.
    """
    dtype = x.dtype
    if asked is not None:
        if asked not in ALL.dtypes:
            given: object = asked
            shown = name_of(given) if isinstance(given, torch.dtype) else type_name(given)
            raise TypeError(f"{name}: dtype must be a dtype of the standard or None, not {shown}")
        if dtype.is_complex and not asked.is_complex:
            raise TypeError(
                f"{name}: x of dtype {name_of(dtype)} cannot be cast to dtype {name_of(asked)}, "
                "which has no imaginary part"
            )
        return asked
    if dtype in SIGNED.dtypes:
        return defaults.INT
    if dtype in UNSIGNED.dtypes:
        return torch.uint64
    if _flags.api_version < "2023.12" and dtype in FLOATING.dtypes:
        return promote(name, dtype, defaults.float_dtype_on(x.device))
    return dtype
