"""``numpy.typing`` for arrays of ours."""

from __future__ import annotations

from typing import Any, TypeAlias, TypeVar

import numpy
import numpy.typing

from ._array.ndarray import ndarray
from ._base.typing import ArrayLike, DTypeLike

__all__ = ["ArrayLike", "DTypeLike", "NBitBase", "NDArray"]

NBitBase = numpy.typing.NBitBase

_Scalar = TypeVar("_Scalar")

NDArray: TypeAlias = ndarray[tuple[Any, ...], _Scalar]
"""An array of a dtype: ``NDArray[np.float64]``, as in NumPy. The dtype is not checked."""
