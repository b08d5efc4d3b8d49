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


def _compute_outer_prob_inside_method(m: Any, n: Any, g: Any, h: Any) -> Any:
    """The share of paths that leave a band, for two sizes and their divisor.

    The divisor is a number; from SciPy 1.18 on it is a scalar of NumPy's, which is ours here.
    """
    return scipy.stats._stats_pythran._compute_outer_prob_inside_method(m, n, int(g), h)


def _count_paths_outside_method(m: Any, n: Any, g: Any, h: Any) -> Any:
    """The number of paths that cross a line, for two sizes and their divisor."""
    return scipy.stats._stats_pythran._count_paths_outside_method(m, n, int(g), h)


def __getattr__(name: str) -> Any:
    """What is not written here is SciPy's."""
    return getattr(scipy.stats._stats_pythran, name)
