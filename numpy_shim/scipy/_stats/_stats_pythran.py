"""What ``scipy.stats._stats_pythran`` computes in C++, in torch."""

from __future__ import annotations

from typing import Any

import scipy.stats._stats_pythran
from numpy import nan

from ..._array.ndarray import ndarray
from ..._functions.nan_order_statistics import nanmedian
from ..._functions.order_statistics import median
from ..._functions.searching import where


def siegelslopes(y: ndarray, x: ndarray, method: str) -> tuple[ndarray, ndarray]:
    """The median of the medians of the slopes from each point, and the intercept."""
    rise, run = y[:, None] - y, x[:, None] - x
    apart = run != 0
    run = where(apart, run, 1)
    slope = nanmedian(nanmedian(where(apart, rise / run, nan), axis=1))
    if method != "separate":
        return slope, median(y - slope * x)
    through = y * x[:, None] - y[:, None] * x
    return slope, nanmedian(nanmedian(where(apart, through / run, nan), axis=1))


def __getattr__(name: str) -> Any:
    """What is not written here is SciPy's."""
    return getattr(scipy.stats._stats_pythran, name)
