"""Histograms and counts."""

from __future__ import annotations

import math
from collections.abc import Sequence
from contextlib import suppress
from typing import Any

import torch
from torch import Tensor
from torch.compiler import is_dynamo_compiling

from xp_torch._kernels.blocks import LARGE
from xp_torch._kernels.host_reads import possible
from xp_torch._torch.internals import check_in_trace

from .._array.ndarray import ndarray
from .._base.axes import integer_of_64_bits
from .._base.dtypes import INTEGERS, promote
from .._base.release import BINCOUNT_NEEDS_INTEGERS
from .._base.tracing import warn
from .._convert.arguments import ArrayLike, array_of, as_tensor, check_cast, operands
from .._kernels import histograms as kernels
from .._kernels.casting import cast
from .histogram_edges import edges_of, given_edges, is_array, number_of_bins, outer_edges

__all__ = ["bincount", "histogram", "histogram2d", "histogram_bin_edges", "histogramdd"]


def bincount(x: ArrayLike, /, weights: ArrayLike | None = None, minlength: int = 0) -> ndarray:
    """Count the occurrences of each integer from 0.

    It waits for the values: the length of the result depends on them.

    Parameters
    ----------
    x : array_like
        Integers, 1-D and not negative.
    weights : array_like, optional
        The weight of each element instead of 1.
    minlength : int
        The least length of the result.

    Returns
    -------
    ndarray
        int64, or float64 with weights; its length is the largest integer plus 1, or
        ``minlength`` if that is more.

    Examples
    --------
    >>> import numpy_shim as np
    >>> np.bincount(np.array([0, 1, 1, 3]))
    array([1, 2, 0, 1])
    """
    if minlength is None:
        raise TypeError("bincount: use 0 instead of None for minlength")
    least = integer_of_64_bits("bincount", "minlength", minlength)
    if least < 0:
        raise ValueError(f"bincount: minlength must not be negative, not {least}")
    t = as_tensor("bincount", x, "x")
    if isinstance(x, (list, tuple)) and not (BINCOUNT_NEEDS_INTEGERS and t.numel()):
        if t.numel() and (t.is_floating_point() or t.is_complex()):
            warn(
                "Non-integer input passed to bincount. In a future version of NumPy, this will "
                "be an error. (Deprecated NumPy 2.1)",
                DeprecationWarning,
            )
        t = cast(t, torch.int64)
    elif t.dtype is not torch.uint64:
        check_cast("bincount", t.dtype, torch.int64, "safe")
    if t.dim() != 1:
        raise ValueError(f"bincount: x must have one axis, not {t.dim()}")
    t = t.to(torch.int64)
    w = None
    if weights is not None:
        w = as_tensor("bincount", weights, "weights", t.device)
        check_cast("bincount: weights", w.dtype, torch.float64, "safe")
        if w.shape != t.shape:
            raise ValueError(
                f"bincount: the weights and x don't have the same length, {tuple(w.shape)} and "
                f"{tuple(t.shape)}"
            )
        w = w.to(torch.float64)
    if w is None and possible(t) and 0 < t.numel() < LARGE:
        with suppress(RuntimeError):  # a negative number; under vmap there are no values to read
            return array_of(torch.bincount(t, minlength=least))
    if not t.numel():
        return array_of(torch.zeros(least, dtype=torch.int64, device=t.device))
    low, high = torch.stack(torch.aminmax(t)).tolist()
    if is_dynamo_compiling():  # which knows neither; a graph checks them when it runs
        return array_of(kernels.counts(t, _unknown_size(low, high, least), w))
    if low < 0:
        raise ValueError(f"bincount: x must have no negative elements, got {low}")
    return array_of(kernels.counts(t, max(high + 1, least), w))


def _unknown_size(low: int, high: int, least: int) -> int:
    """The number of bins in a trace, and the check of the values."""
    check_in_trace(low >= 0, lambda: "bincount: x must have no negative elements")
    check_in_trace(high >= 0)
    size: int = torch.sym_max(high + 1, least)
    return size


def _values(name: str, a: Any, weights: Any) -> tuple[Tensor, Tensor | None]:
    """The elements and their weights, 1-D."""
    x = as_tensor(name, a, "a")
    if x.dtype is torch.bool:
        warn(
            f"{name}: Converting input from bool to uint8 for compatibility.",
            RuntimeWarning,
        )
        x = x.to(torch.uint8)
    if x.dtype.is_complex:
        raise TypeError(f"{name}: a has a complex dtype, which is not supported")
    if weights is None:
        return x.reshape(-1), None
    w = as_tensor(name, weights, "weights", x.device)
    if w.shape != x.shape:
        raise ValueError(
            f"{name}: weights should have the same shape as a, {tuple(x.shape)}, not "
            f"{tuple(w.shape)}"
        )
    return x.reshape(-1), w.reshape(-1)


_BINS = """bins : int, sequence of numbers or str
        The number of bins, their edges, or a rule for the number: ``auto``, ``fd``, ``doane``,
        ``scott``, ``stone``, ``rice``, ``sturges`` or ``sqrt``. A rule waits for the values.
    range : (float, float), optional
        The first and the last edge; by default the smallest and the largest element."""


def histogram_bin_edges(
    a: ArrayLike,
    bins: ArrayLike = 10,
    range: Sequence[float] | None = None,
    weights: ArrayLike | None = None,
) -> ndarray:
    x, w = _values("histogram_bin_edges", a, weights)
    return array_of(edges_of("histogram_bin_edges", x, bins, range, w))


histogram_bin_edges.__doc__ = f"""The edges of the bins that ``histogram`` would use.

    Parameters
    ----------
    a : array_like
        The elements.
    {_BINS}
    weights : array_like, optional
        As in ``histogram``; rules do not support them.

    Returns
    -------
    ndarray
        One more edge than bins.

    Examples
    --------
    >>> import numpy_shim as np
    >>> np.histogram_bin_edges(np.array([0.0, 1.0, 4.0]), bins=4)
    array([0., 1., 2., 3., 4.])
    """


def histogram(
    a: ArrayLike,
    bins: ArrayLike = 10,
    range: Sequence[float] | None = None,
    density: bool | None = None,
    weights: ArrayLike | None = None,
) -> tuple[ndarray, ndarray]:
    x, w = _values("histogram", a, weights)
    at = edges_of("histogram", x, bins, range, w)
    dtype = promote("histogram", x.dtype, at.dtype)
    x = x if x.dtype in INTEGERS else cast(x, dtype)  # which would need memory
    counted = kernels.histogram(x, cast(at, dtype), w)
    if w is not None:
        counted = cast(counted, w.dtype)
    if density:
        widths = torch.diff(cast(at, torch.float64))
        counted = counted / widths / torch.sum(counted)
    return array_of(counted), array_of(at)


histogram.__doc__ = f"""Count the elements in each bin.

    Each bin includes its left edge and excludes its right edge; the last bin includes both.

    Parameters
    ----------
    a : array_like
        The elements, real.
    {_BINS}
    density : bool, optional
        Divide by the widths and by the total, so that the integral is 1.
    weights : array_like, optional
        The weight of each element instead of 1.

    Returns
    -------
    hist : ndarray
        int64, or in the dtype of the weights.
    bin_edges : ndarray
        One more edge than bins.

    Examples
    --------
    >>> import numpy_shim as np
    >>> np.histogram(np.array([1, 2, 1]), bins=[0, 1, 2, 3])
    (array([0, 2, 1]), array([0, 1, 2, 3]))
    """


def histogramdd(
    sample: ArrayLike,
    bins: ArrayLike = 10,
    range: Sequence[Sequence[float] | None] | None = None,
    density: bool | None = None,
    weights: ArrayLike | None = None,
) -> tuple[ndarray, list[ndarray]]:
    """Count the points in each cell of a grid.

    Parameters
    ----------
    sample : array_like
        The points: an array of shape (N, D), or a sequence of D sequences of N coordinates.
    bins : int or sequence
        The number of bins along every axis, or for each axis the number or the edges.
    range : sequence, optional
        For each axis a first and a last edge, or ``None``.
    density : bool, optional
        Divide by the volumes and by the total, so that the integral is 1.
    weights : array_like, optional
        The weight of each point instead of 1.

    Returns
    -------
    hist : ndarray
        float64, of D axes.
    edges : list of ndarray
        The edges along each axis.

    Examples
    --------
    >>> import numpy_shim as np
    >>> hist, edges = np.histogramdd(np.array([[1, 2], [3, 4]]), bins=2)
    >>> hist
    array([[1., 0.],
           [0., 1.]])
    """
    return _grid("histogramdd", sample, bins, range, density, weights)


def histogram2d(
    x: ArrayLike,
    y: ArrayLike,
    bins: ArrayLike = 10,
    range: ArrayLike | None = None,
    density: bool | None = None,
    weights: ArrayLike | None = None,
) -> tuple[ndarray, ndarray, ndarray]:
    """Count the points of a plane in each cell of a grid.

    Parameters
    ----------
    x, y : array_like
        The coordinates of the points, 1-D.
    bins : int, sequence of two or sequence of edges
        The number of bins along both axes, for each axis the number or the edges, or the edges
        of both axes.
    range : ((float, float), (float, float)), optional
        The first and the last edges.
    density : bool, optional
        Divide by the areas and by the total, so that the integral is 1.
    weights : array_like, optional
        The weight of each point instead of 1.

    Returns
    -------
    H : ndarray
        float64, ``x`` along the first axis.
    xedges, yedges : ndarray
        The edges.

    Examples
    --------
    >>> import numpy_shim as np
    >>> np.histogram2d([1, 2], [3, 4], bins=2)[0]
    array([[1., 0.],
           [0., 1.]])
    """
    points = operands("histogram2d", x, y, arguments=("x", "y"))
    if points[0].shape != points[1].shape:
        raise ValueError("histogram2d: x and y must have the same length.")
    sides = len(bins) if hasattr(bins, "__len__") and not _is_number(bins) else 1  # type: ignore[arg-type]
    if sides not in (1, 2):
        bins = [bins, bins]
    dtype = promote("histogram2d", points[0].dtype, points[1].dtype)
    sample = array_of(torch.stack([cast(p, dtype) for p in points], -1))
    hist, edges = _grid("histogram2d", sample, bins, range, density, weights)
    return hist, edges[0], edges[1]


def _is_number(bins: object) -> bool:
    return getattr(bins, "shape", None) == ()


def _grid(
    name: str, sample: Any, bins: Any, range: Any, density: Any, weights: Any
) -> tuple[ndarray, list[ndarray]]:
    points = as_tensor(name, sample, "sample")
    if not hasattr(sample, "shape") or points.dim() != 2:
        points = points.reshape(1, -1) if points.dim() < 2 else points
        points = points.mT
    if points.dim() != 2:
        raise ValueError(f"{name}: sample must have one axis or two, not {points.dim()}")
    axes = points.shape[1]
    if _is_number(bins) or not hasattr(bins, "__len__"):
        bins = [bins] * axes
    elif len(bins) != axes:
        raise ValueError(
            f"{name}: the dimension of bins {len(bins)} must be equal to the dimension of the "
            f"sample {axes}"
        )
    if range is None:
        range = [None] * axes
    elif len(range) != axes:
        raise ValueError(f"{name}: range must have one entry per dimension, {axes}")
    w = None
    if weights is not None:
        w = as_tensor(name, weights, "weights", points.device).reshape(-1)
        check_cast(f"{name}: weights", w.dtype, torch.float64, "safe")
        if w.shape[0] != points.shape[0]:
            raise ValueError(f"{name}: {w.shape[0]} weights for {points.shape[0]} points")
        w = w.to(torch.float64)
    at = [
        _side(name, f"bins[{i}]", points[:, i], bins[i], range[i])
        for i, _ in enumerate(bins)
    ]  # fmt: skip
    sizes = [side.numel() + 1 for side in at]
    if math.prod(sizes) >= 2**63:
        raise ValueError(f"{name}: a grid of {sizes} cells is too large")
    cell = torch.zeros(points.shape[0], dtype=torch.int64, device=points.device)
    for i, side in enumerate(at):
        dtype = promote(name, points.dtype, side.dtype)
        if dtype.is_complex:
            raise TypeError(f"{name}: complex dtypes are not supported")
        number = kernels.bin_numbers(cast(points[:, i], dtype), cast(side, dtype))
        cell = cell * (side.numel() + 1) + number
    hist = kernels.counts(cell, math.prod(sizes), w).to(torch.float64).reshape(sizes)
    # The first and last cells along each axis count the points outside of the grid.
    for i, size in enumerate(sizes):
        hist = hist.narrow(i, 1, max(size - 2, 0))
    if density:
        total = torch.sum(hist)
        for i, side in enumerate(at):
            shape = [1] * axes
            shape[i] = -1
            hist = hist / torch.diff(cast(side, torch.float64)).reshape(shape)
        hist = hist / total
    return array_of(hist), [array_of(side) for side in at]


def _side(name: str, argument: str, x: Tensor, bins: Any, range: object) -> Tensor:
    """The edges along one axis."""
    if is_array(bins):
        return given_edges(name, argument, bins, x)
    if bins < 1:
        raise ValueError(f"{name}: {argument} must be positive, when an integer, not {bins}")
    number = number_of_bins(name, argument, bins)
    first, last = outer_edges(name, x, range)
    return kernels.edges(first, last, number)
