"""Medians, percentiles and quantiles."""

from __future__ import annotations

from typing import Any

import torch
from torch import Tensor
from torch.compiler import is_dynamo_compiling

from xp_torch._kernels.reductions import count
from xp_torch._torch.internals import is_certain

from .._array.ndarray import ndarray, scalar
from .._array.typing import OutArray
from .._base.axes import broadcast_shapes, normalize_axes
from .._base.dtypes import COMPLEXES, FLOATS, HALVES, promote
from .._base.promotion import PYTHON_NUMBERS
from .._base.promotion import beside_number as beside
from .._base.typing import AxisLike
from .._convert.arguments import ArrayLike, array_of, as_tensor, finish
from .._convert.outputs import output_of
from .._kernels import quantiles as kernels
from .._kernels import selection
from .._kernels.casting import cast
from .._kernels.reductions import last, reduced_shape
from .._kernels.sorting import sort
from .._kernels.value_checks import holds_somewhere
from .statistics import fitted_weights, general_mean

__all__ = ["median", "percentile", "quantile"]

_NATIVE = frozenset({torch.float32, torch.float64})


def median(
    a: ArrayLike,
    axis: AxisLike = None,
    out: OutArray = None,
    overwrite_input: bool = False,
    keepdims: bool = False,
) -> ndarray:
    """The median over axes: the middle element, or the mean of the two in the middle.

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
        float64 for integers, else in the dtype of ``a``; NaN if an element is NaN.

    Examples
    --------
    >>> import numpy_shim as np
    >>> np.median(np.array([[10, 7, 4], [3, 2, 1]]), axis=1)
    array([7., 2.])
    """
    if type(a) is ndarray and axis is None and out is None and not keepdims:
        t = a._tensor
        if t.dtype in _NATIVE and (
            not is_certain(t.numel() == 0) if is_dynamo_compiling() else t.numel()
        ):
            result = _median(t.reshape(-1), t.numel())
            return scalar(result)
    return _general_median(a, axis, out, overwrite_input, keepdims)


def _general_median(
    a: ArrayLike, axis: AxisLike, out: OutArray, overwrite_input: bool, keepdims: bool
) -> ndarray:
    x = as_tensor("median", a, "a")
    axes = normalize_axes("median", axis, x.dim())
    rows = last(x, axes)
    if is_certain(rows.shape[-1] == 0):
        empty = array_of(rows)
        mean = general_mean("median", empty, -1, None, None, False, True)
        result = as_tensor("median", mean)
    else:
        result = _median(rows, rows.shape[-1])
    if not keepdims:
        return finish("median", result, out, "unsafe")
    result = result.reshape(reduced_shape(x, axes, True))
    return array_of(result) if out is None else finish("median", result, out, "unsafe")


def _median(rows: Tensor, n: int) -> Tensor:
    if (
        is_dynamo_compiling()
        and not rows.is_complex()
        and not (is_certain(n % 2 == 0) or is_certain(n % 2 == 1))
    ):
        return _median_of_unknown(rows)
    if rows.dtype in _NATIVE:
        if not rows.is_contiguous():
            # torch.median reads out of bounds along an axis that repeats one element.
            rows = rows.contiguous()
        if rows.dim() == 1 and selection.is_long(rows):
            middle = torch.tensor([(n - 1) // 2, n // 2])
            low, high = selection.selected(rows, middle).unbind(-1)
            mean = low if n % 2 else (low + high) / 2
            greatest = torch.amax(rows)
            return torch.where(torch.isnan(greatest), greatest, mean)
        # torch.median returns the lower of two middle elements, or NaN if an element is NaN.
        low = torch.median(rows, -1)[0] if rows.dim() > 1 else torch.median(rows)
        if n % 2:
            return low
        return (low + torch.kthvalue(rows, n // 2 + 1, -1)[0]) / 2
    ordered = sort(rows, -1, False)
    low, high = kernels.middle(ordered, n)
    result = midpoint(low, high, n % 2 == 1)
    if not rows.dtype.is_floating_point and not rows.dtype.is_complex:
        return result
    greatest = ordered[..., -1]
    return torch.where(torch.isnan(greatest), greatest, result)


def _median_of_unknown(rows: Tensor) -> Tensor:
    """The median of so many elements as the data says, which no trace knows."""
    x = rows if rows.dtype in _NATIVE else rows.to(torch.float64)
    if x.dim() == 1:  # torch's other function refuses an empty axis
        low, high = torch.median(x), -torch.median(-x)
    else:
        low, high = torch.median(x, -1)[0], -torch.median(-x, -1)[0]
    middle = torch.where(low == high, low, (low + high) / 2)
    return middle.to(rows.dtype) if rows.is_floating_point() else middle


def midpoint(low: Tensor, high: Tensor, same: Tensor | bool) -> Tensor:
    """The mean of the two middle elements, or their value if they are equal.

    Two infinities of the same sign give that infinity. For an odd number of elements the sum
    of equal values could overflow.
    """
    dtype = low.dtype
    if dtype in HALVES:
        low, high = low.float(), high.float()
    elif dtype not in FLOATS and dtype not in COMPLEXES:
        dtype = torch.float64
        low, high = low.to(dtype), high.to(dtype)
    if same is True:
        return low.to(dtype)
    mean = (low + high) / 2
    if same is not False:
        mean = torch.where(same, low, mean)
    return mean.to(dtype)


QUANTILE = """The {what}s over axes: values that a given part of the elements does not exceed.

    Parameters
    ----------
    a : array_like
        Real elements.
    q : array_like
        The requested {what}s, {limits}; a number, 1-D or 2-D.
    axis : int, sequence of ints or None
        The axes to reduce; ``None`` is all of them.
    out : ndarray, optional
        Where the result is written; it is returned.
    overwrite_input : bool
        Permits ``a`` to be changed, as NumPy does to save memory; here it never is.
    method : str
        The method: ``inverted_cdf``, ``averaged_inverted_cdf``, ``closest_observation``,
        ``interpolated_inverted_cdf``, ``hazen``, ``weibull``, ``linear``,
        ``median_unbiased``, ``normal_unbiased`` (Hyndman and Fan's, in their order),
        ``lower``, ``higher``, ``midpoint`` or ``nearest``.
    keepdims : bool
        Leave the reduced axes in the result, with size one.
    weights : array_like, optional
        The weight of each element, in the shape of ``a`` or of its ``axis``; for
        ``inverted_cdf`` only.

    Returns
    -------
    ndarray or scalar
        The axes of ``q``, then the remaining axes of ``a``. Methods that select elements keep
        the dtype of ``a``, the others give at least a float; NaN if an element is NaN.

    Raises
    ------
    ValueError
        For a ``q`` out of its range (on a device, only a ``q`` from Python is checked), an
        unknown method, and weights that are negative, infinite or all zero (on the CPU).
    IndexError
        If there are no elements.
    TypeError
        For complex elements.

    Examples
    --------
    >>> import numpy_shim as np
    >>> np.{what}(np.array([[10, 7, 4], [3, 2, 1]]), {q}, axis=1)
    array([7., 2.])
    """


def percentile(
    a: ArrayLike,
    q: ArrayLike,
    axis: AxisLike = None,
    out: OutArray = None,
    overwrite_input: bool = False,
    method: str = "linear",
    keepdims: bool = False,
    *,
    weights: ArrayLike | None = None,
) -> ndarray:
    x = as_tensor("percentile", a, "a")
    wanted = probabilities("percentile", q, x, 100)
    weak = type(q) in (int, float)
    return quantile_of("percentile", x, wanted, weak, axis, out, method, keepdims, weights)


def quantile(
    a: ArrayLike,
    q: ArrayLike,
    axis: AxisLike = None,
    out: OutArray = None,
    overwrite_input: bool = False,
    method: str = "linear",
    keepdims: bool = False,
    *,
    weights: ArrayLike | None = None,
) -> ndarray:
    x = as_tensor("quantile", a, "a")
    wanted = probabilities("quantile", q, x, 1)
    weak = type(q) in (int, float)
    return quantile_of("quantile", x, wanted, weak, axis, out, method, keepdims, weights)


percentile.__doc__ = QUANTILE.format(what="percentile", limits="from 0 to 100", q="50")
quantile.__doc__ = QUANTILE.format(what="quantile", limits="from 0 to 1", q="0.5")


def probabilities(name: str, q: Any, x: Tensor, whole: int) -> Tensor:
    """Convert ``q`` to probabilities; it keeps a floating-point dtype."""
    if x.dtype.is_complex:
        raise TypeError(f"{name}: a must be an array of real numbers")
    known = type(q) in PYTHON_NUMBERS and type(q) is not complex
    if known and not 0 <= q <= whole:
        raise _out_of_range(name, whole)
    wanted = as_tensor(name, q, "q", x.device)
    if whole != 1:
        wanted = wanted if wanted.dtype in FLOATS else wanted.to(torch.float64)
        dtype = wanted.dtype
        wanted = (wanted.float() if dtype in HALVES else wanted).div(whole).to(dtype)
    if not known and holds_somewhere(~((wanted >= 0) & (wanted <= 1))):
        raise _out_of_range(name, whole)
    if wanted.dim() > 2:
        raise ValueError(f"{name}: q must be a scalar or 1d, not of {wanted.dim()} axes")
    return wanted


def _out_of_range(name: str, whole: int) -> ValueError:
    what = "Percentiles" if whole == 100 else "Quantiles"
    return ValueError(f"{name}: q is out of bounds. {what} must be in the range [0, {whole}]")


def checked_weights(
    name: str, x: Tensor, axes: tuple[int, ...] | None, method: str, weights: Any
) -> Tensor:
    """Check the weights and broadcast them to the shape of ``x``."""
    if method != "inverted_cdf":
        raise ValueError(f"{name}: Only method 'inverted_cdf' supports weights. Got: {method}.")
    w = fitted_weights(name, x, as_tensor(name, weights, "weights", x.device), axes)
    if w.dtype in (torch.uint16, torch.uint32):
        w = w.to(torch.int64)  # torch cannot gather these
    if w.dtype.is_signed and holds_somewhere(w < 0):
        raise ValueError(f"{name}: Weights must be non-negative.")
    return w.expand(x.shape)


def interpolated_dtype(
    name: str, x: Tensor, q: Tensor, weak: bool, method: str
) -> torch.dtype | None:
    """The dtype in which a method interpolates; ``None`` if it selects elements."""
    if method not in kernels.METHODS:
        raise ValueError(
            f"{name}: {method!r} is not a valid method; use one of {', '.join(kernels.METHODS)}"
        )
    if not kernels.interpolates(method):
        return None
    if q.dtype not in FLOATS and method == "linear":
        return None  # the least and the greatest element
    if x.dtype is torch.bool:
        raise TypeError(f"{name}: method {method!r} cannot interpolate booleans")
    if weak:
        return beside(x.dtype, float)
    return promote(name, x.dtype, q.dtype if q.dtype in FLOATS else torch.float64)


def floating_probabilities(q: Tensor) -> Tensor:
    """``q`` as a 1-D tensor of floating-point dtype."""
    q = q.reshape(-1)
    return q if q.dtype in FLOATS else q.to(torch.float64)


def quantiles_first(
    result: Tensor, q: Tensor, x: Tensor, axes: tuple[int, ...], keepdims: object
) -> Tensor:
    """Move the axes of ``q`` to the front, before the remaining axes of ``x``."""
    return result.movedim(-1, 0).reshape([*q.shape, *reduced_shape(x, axes, bool(keepdims))])


def quantile_of(
    name: str,
    x: Tensor,
    q: Tensor,
    weak: bool,
    axis: object,
    out: object,
    method: str,
    keepdims: object,
    weights: object,
) -> ndarray:
    axes = normalize_axes(name, axis, x.dim())
    rows = last(x, axes)
    n = count(x, axes)
    if weights is None:
        dtype = interpolated_dtype(name, x, q, weak, method)
    else:
        w = checked_weights(name, x, None if axis is None else axes, method, weights)
    if is_certain(n == 0):
        raise IndexError(f"{name}: a has no elements along axis {axis}")
    if weights is None:
        parts = floating_probabilities(q)
        if selection.is_quicker(rows, parts.numel() * (2 if kernels.interpolates(method) else 1)):
            result = kernels.quantiles(rows, parts, method, n, dtype, selection.selected)
            greatest = torch.amax(rows, -1, True)
        else:
            ordered = sort(rows, -1, False)
            result = kernels.quantiles(ordered, parts, method, n, dtype)
            greatest = ordered[..., -1, None]  # of size 1 in a trace too
    else:
        result, total = kernels.weighted(rows, last(w, axes), q.reshape(-1))
        if holds_somewhere(~torch.isfinite(total) | (total == 0)):
            raise ValueError(f"{name}: Weights included NaN, inf or were all zero.")
        greatest = _greatest(rows)
    if x.dtype in FLOATS:
        result = torch.where(torch.isnan(greatest), cast(greatest, result.dtype), result)
    result = quantiles_first(result, q, x, axes, keepdims).contiguous()
    if out is None and (keepdims or weights is not None):
        return array_of(result)
    if weights is not None or dtype is None:
        return finish(name, result, out, "unsafe")
    if out is not None and not isinstance(out, tuple):
        # An interpolated result broadcasts to ``out``, as in a ufunc.
        shape = tuple(output_of(name, out)._tensor.shape)
        if broadcast_shapes(name, result.shape, shape) == shape:
            result = result.expand(shape)
    return finish(name, result, out)


def _greatest(rows: Tensor) -> Tensor:
    """NaN where a row has one."""
    if rows.dtype not in FLOATS:
        return rows[..., :1]
    return torch.where(torch.any(torch.isnan(rows), -1, True), float("nan"), rows[..., :1])
