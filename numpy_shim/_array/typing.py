"""The part of the vocabulary that names the array's class: where results are written."""

from __future__ import annotations

from typing import TypeAlias

from .._base.typing import UfuncOptions
from .ndarray import ndarray

__all__ = ["OutArray", "UfuncOptionsAndOut", "UfuncOut"]

OutArray: TypeAlias = ndarray | None
"""Where a result is written: an array of its shape, or ``None`` for a new one."""

UfuncOut: TypeAlias = ndarray | tuple[ndarray | None, ...] | None
"""Where a ufunc writes its results."""


class UfuncOptionsAndOut(UfuncOptions, total=False):
    """The keywords of a ufunc that takes ``out`` by name only."""

    out: UfuncOut
