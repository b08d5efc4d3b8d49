"""``numpy.typing`` for arrays of ours."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, TypeAlias, TypeVar

import numpy
import numpy.typing
import torch

from ._array.ndarray import ndarray
from ._array.scalars import generic

__all__ = ["ArrayLike", "DTypeLike", "NBitBase", "NDArray"]

ArrayLike: TypeAlias = (
    ndarray | torch.Tensor | numpy.typing.ArrayLike | Sequence["ndarray | torch.Tensor"]
)
"""What is taken as an array: ours, tensors, and what NumPy takes."""

DTypeLike: TypeAlias = numpy.typing.DTypeLike | torch.dtype | type[generic] | None
"""What is taken as a dtype: NumPy's, torch's, our scalar types."""

NBitBase = numpy.typing.NBitBase

_Scalar = TypeVar("_Scalar")

NDArray: TypeAlias = ndarray[tuple[Any, ...], _Scalar]
"""An array of a dtype: ``NDArray[np.float64]``, as in NumPy. The dtype is not checked."""
