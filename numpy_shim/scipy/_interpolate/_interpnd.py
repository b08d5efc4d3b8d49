"""What the text needs of ``scipy.interpolate._interpnd``, which is written in Cython."""

from __future__ import annotations

from typing import Any

import scipy.interpolate._interpnd

from ..._array.ndarray import ndarray
from ..._convert.from_data import asarray
from ..._functions.broadcasting import broadcast_arrays
from ..._functions.stacking import stack


def _ndim_coords_from_arrays(points: Any, ndim: int | None = None) -> ndarray:
    """Coordinates as rows: of a tuple of arrays, which broadcast, or of an array."""
    if isinstance(points, tuple) and len(points) == 1:
        points = points[0]
    if isinstance(points, tuple):
        return stack(broadcast_arrays(*points), axis=-1).astype(float)
    found = asarray(points)
    if found.ndim == 1:
        return found.reshape(-1, 1 if ndim is None else ndim)
    return found


def __getattr__(name: str) -> Any:
    """What is not written here is SciPy's."""
    return getattr(scipy.interpolate._interpnd, name)
