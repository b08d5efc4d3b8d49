"""The median and the quantiles of the elements that are not NaN."""

from __future__ import annotations

from typing import Any

import torch
from torch import Tensor

from xp_torch._kernels.blocks import is_large
from xp_torch._kernels.host_reads import no_nan
from xp_torch._torch.internals import is_certain

from .._array.ndarray import ndarray
from .._array.typing import OutArray
from .._base.axes import normalize_axes
from .._base.dtypes import FLOATS
from .._base.tracing import _NoValue, warn
from .._base.typing import AxisLike
from .._convert.arguments import ArrayLike, array_of, as_tensor, finish
from .._kernels import quantiles
from .._kernels import reductions as kernels
from .._kernels.sorting import sort
from .._kernels.value_checks import holds_somewhere
from .._ufunc.folds import keeps
from .nanfunctions import may_have_nan, nanmean
from .order_statistics import (
    QUANTILE,
    checked_weights,
    floating_probabilities,
    interpolated_dtype,
    median,
    midpoint,
    probabilities,
    quantile_of,
    quantiles_first,
)

__all__ = ["nanmedian", "nanpercentile", "nanquantile"]


def nanmedian(
    a: ArrayLike,
    axis: AxisLike = None,
    out: OutArray = None,
    overwrite_input: bool = False,
    keepdims: bool = _NoValue,
) -> ndarray:
    """The median over axes without NaN.

    Parameters
    ----------
    a : array_like
        The elements.
    axis : int, sequence of ints or None
        The axes to reduce; ``None`` is all of them.
    out : ndarray, optional
        Where the result is written; it is returned.
    overwrite_input : bool
        Permits ``a`` to be changed, as NumPy does to save memory; here it never is.
    keepdims : bool
        Leave the reduced axes in the result, with size one.

    Returns
    -------
    ndarray or scalar
        NaN (with a ``RuntimeWarning``, on the CPU) where all elements are NaN.

    Examples
    --------
    >>> import numpy_shim as np
    >>> np.nanmedian(np.array([[10.0, np.nan, 4.0], [3.0, 2.0, 1.0]]), axis=1)
    array([7., 2.])
    """
    x = as_tensor("nanmedian", a, "a")
    if not x.numel():
        return nanmean(x, axis if axis is None else normalize_axes("nanmedian", axis, x.dim()),
                       out=out, keepdims=keepdims)  # fmt: skip
    keep = keeps("nanmedian", keepdims)
    if not may_have_nan(x) or (no_nan(x) and not x.requires_grad):
        return median(array_of(x), axis, out, overwrite_input, keep)
    axes = normalize_axes("nanmedian", axis, x.dim())
    rows = kernels.last(x, axes)
    n = torch.count_nonzero(~torch.isnan(rows), -1)
    low, high = quantiles.middle(sort(rows, -1, False), n)
    result = midpoint(low, high, torch.remainder(n, 2) == 1)
    result = torch.where(n == 0, result.new_full((), float("nan")), result)
    _warn_of_nothing(n)
    result = result.reshape(kernels.reduced_shape(x, axes, keep))
    return array_of(result) if keep and out is None else finish("nanmedian", result, out, "unsafe")


def _warn_of_nothing(n: Tensor) -> None:
    if holds_somewhere(n == 0):
        for _ in range(int(torch.count_nonzero(n == 0))):  # one warning for each, as in NumPy
            warn("All-NaN slice encountered", RuntimeWarning)


def nanpercentile(
    a: ArrayLike,
    q: ArrayLike,
    axis: AxisLike = None,
    out: OutArray = None,
    overwrite_input: bool = False,
    method: str = "linear",
    keepdims: bool = _NoValue,
    *,
    weights: ArrayLike | None = None,
) -> ndarray:
    return _nanquantile("nanpercentile", a, q, 100, axis, out, method, keepdims, weights)


def nanquantile(
    a: ArrayLike,
    q: ArrayLike,
    axis: AxisLike = None,
    out: OutArray = None,
    overwrite_input: bool = False,
    method: str = "linear",
    keepdims: bool = _NoValue,
    *,
    weights: ArrayLike | None = None,
) -> ndarray:
    return _nanquantile("nanquantile", a, q, 1, axis, out, method, keepdims, weights)


def _nanquantile(
    name: str, a: Any, q: Any, whole: int, axis: Any, out: Any, method: str, keepdims: Any,
    weights: Any,
) -> ndarray:  # fmt: skip
    x = as_tensor(name, a, "a")
    wanted = probabilities(name, q, x, whole)
    weak = type(q) in (int, float)
    axes = normalize_axes(name, axis, x.dim())
    if is_certain(x.numel() == 0):
        return nanmean(x, axes, out=out, keepdims=keepdims)
    keep = keeps(name, keepdims)
    if x.dtype not in FLOATS:
        return quantile_of(name, x, wanted, weak, axis, out, method, keep, weights)
    rows = kernels.last(x, axes)
    if weights is None:
        dtype = interpolated_dtype(name, x, wanted, weak, method)
        at = floating_probabilities(wanted)

        def of(rows: Tensor) -> tuple[Tensor, Tensor]:
            n = torch.count_nonzero(~torch.isnan(rows), -1)
            return quantiles.quantiles(sort(rows, -1, False), at, method, n, dtype), n

        if rows.dim() == 2 and is_large(rows) and not rows.requires_grad and rows.shape[0] > 1:
            parts = [of(part) for part in torch.split(rows, max(_PART // rows.shape[1], 1))]
            result, n = (torch.cat(p) for p in zip(*parts, strict=True))
        else:
            result, n = of(rows)
    else:
        nan = torch.isnan(rows)
        n = torch.count_nonzero(~nan, -1)
        w = checked_weights(name, x, None if axis is None else axes, method, weights)
        mass = torch.where(nan, torch.zeros_like(w[:0].sum()), kernels.last(w, axes))
        result, total = quantiles.weighted(rows, mass, wanted.reshape(-1))
        if holds_somewhere((~torch.isfinite(total) | (total == 0)) & (n != 0).unsqueeze(-1)):
            raise ValueError(f"{name}: Weights included NaN, inf or were all zero.")
        result = torch.where((n == 0).unsqueeze(-1), float("nan"), result)
    _warn_of_nothing(n)
    result = quantiles_first(result, wanted, x, axes, keep)
    return array_of(result) if keep and out is None else finish(name, result, out, "unsafe")


_PART = 1 << 18
"""How many elements of many rows are sorted together, so that they need little memory."""


def _describe() -> None:
    """Set the docstrings: those of the plain functions, without NaN."""
    function: Any
    for function, what, limits, q in (
        (nanpercentile, "percentile", "from 0 to 100", "50"),
        (nanquantile, "quantile", "from 0 to 1", "0.5"),
    ):
        doc = QUANTILE.format(what=what, limits=limits, q=q)
        doc = doc.replace("NaN if an element is NaN", "NaN if all elements are NaN")
        doc = doc.replace("    IndexError\n        If there are no elements.\n", "")
        doc = doc.replace(f"The {what}s over axes:", f"The {what}s over axes without NaN:", 1)
        function.__doc__ = doc.replace(f"np.{what}(", f"np.nan{what}(")


_describe()
