"""``scipy.ndimage._rank_filter_1d`` for arrays of ours."""

from __future__ import annotations

from typing import Any

from ..._array.ndarray import ndarray
from . import order
from ._nd_image import _store_parts, _tensor
from .windows import extend


def rank_filter(
    x: Any, rank: int, size: int, output: ndarray, mode: int, cval: Any, origin: int
) -> None:
    """The element of a rank in windows of ``size`` elements of a line."""
    t = _tensor(x)
    before = size // 2 + origin
    extended = extend(t, 0, before, size - 1 - before, mode, cval.item())
    _store_parts(output, order.rank_in(extended, [(i,) for i in range(size)], rank, t.shape))
