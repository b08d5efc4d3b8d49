"""Sums of exponentials along axes, and what is divided by them."""

from __future__ import annotations

import math
from typing import Any

import torch
from torch import Tensor

from .._array.ndarray import ndarray, wrap
from .._base.axes import broadcast_shapes, normalize_axes
from .._base.typing import ArrayLike, AxisLike
from .._convert.arguments import array_of, as_tensor
from ._calls import Rule, operands

__all__ = ["log_softmax", "logsumexp", "softmax"]

_DOUBLE = Rule("double")


def _floating(name: str, x: ArrayLike) -> Tensor:
    t = as_tensor(name, x, "a")
    return t if t.is_floating_point() else operands(name, (t,), ("a",), _DOUBLE)[0]


def _shifted(name: str, x: ArrayLike, axis: Any) -> tuple[Tensor, tuple[int, ...]]:
    """``x`` less its maximum along axes, and the axes."""
    t = _floating(name, x)
    if t.dim() == 0:
        t = t.reshape(1)
    axes = normalize_axes(name, axis, t.dim())
    return t - torch.amax(t, axes, keepdim=True).detach(), axes


def softmax(x: ArrayLike, axis: AxisLike = None) -> ndarray:
    """The exponentials divided by their sum along axes.

    Parameters
    ----------
    x : array_like
        Real numbers.
    axis : int or tuple of int, optional
        The axes; by default all.

    Returns
    -------
    ndarray
        float64 for integers, else in the dtype of ``x``.

    Raises
    ------
    AxisError
        For an axis that ``x`` does not have.

    Source: ``scipy.special.softmax``.

    Examples
    --------
    >>> import numpy_shim as np
    >>> np.special.softmax([0.0, 1000.0])
    array([0., 1.])
    """
    shifted, axes = _shifted("softmax", x, axis)
    powers = torch.exp(shifted)
    return array_of(powers / torch.sum(powers, axes, keepdim=True))


def log_softmax(x: ArrayLike, axis: AxisLike = None) -> ndarray:
    """The logarithm of ``softmax``, without overflow.

    Parameters
    ----------
    x : array_like
        Real numbers.
    axis : int or tuple of int, optional
        The axes; by default all.

    Returns
    -------
    ndarray
        float64 for integers, else in the dtype of ``x``.

    Raises
    ------
    AxisError
        For an axis that ``x`` does not have.

    Source: ``scipy.special.log_softmax``.

    Examples
    --------
    >>> import numpy_shim as np
    >>> np.special.log_softmax([0.0, 1000.0])
    array([-1000.,     0.])
    """
    shifted, axes = _shifted("log_softmax", x, axis)
    return array_of(shifted - torch.log(torch.sum(torch.exp(shifted), axes, keepdim=True)))


def logsumexp(
    a: ArrayLike,
    axis: AxisLike = None,
    b: ArrayLike | None = None,
    keepdims: bool = False,
    return_sign: bool = False,
) -> ndarray | tuple[ndarray, ndarray]:
    """The logarithm of the sum of exponentials along axes, without overflow.

    Parameters
    ----------
    a : array_like
        Real numbers.
    axis : int or tuple of int, optional
        The axes; by default all.
    b : array_like, optional
        Factors of the exponentials; what has the factor 0 adds nothing.
    keepdims : bool
        Whether the axes stay, with one element.
    return_sign : bool
        Whether to return the logarithm of the absolute value of the sum, and its sign.

    Returns
    -------
    ndarray or scalar, or a tuple of two
        float64 for integers, else in the dtype of ``a``. NaN for a negative sum, unless its sign
        is returned.

    Raises
    ------
    TypeError
        For complex numbers.
    AxisError
        For an axis that ``a`` does not have.

    Source: ``scipy.special.logsumexp``.

    Examples
    --------
    >>> import numpy_shim as np
    >>> np.special.logsumexp([1000.0, 1000.0]).round(6)
    np.float64(1000.693147)
    """
    t = _floating("logsumexp", a)
    factors = None if b is None else _floating("logsumexp", b).to(t.device)
    if factors is not None:
        dtype = torch.promote_types(t.dtype, factors.dtype)
        common = broadcast_shapes("logsumexp", t.shape, factors.shape)
        t, factors = t.to(dtype).expand(common), factors.to(dtype).expand(common)
        t = torch.where(factors == 0, -math.inf, t)
    if t.dim() == 0:
        t = t.reshape(1)
        factors = None if factors is None else factors.reshape(1)
    axes = normalize_axes("logsumexp", axis, t.dim())
    if t.numel() == 0:
        shape = [1 if i in axes else n for i, n in enumerate(t.shape)]
        value, sign = t.new_full(shape, -math.inf), t.new_full(shape, -1.0)
    else:
        value, sign = _log_sum(t, factors, axes)
    if not return_sign:
        value = torch.where(sign < 0, math.nan, value)
    if not keepdims:
        value, sign = torch.squeeze(value, axes), torch.squeeze(sign, axes)
    return (wrap(value), wrap(sign)) if return_sign else wrap(value)


def _log_sum(t: Tensor, factors: Tensor | None, axes: tuple[int, ...]) -> tuple[Tensor, Tensor]:
    """The logarithm and the sign: the largest terms apart, which log1p then keeps exact."""
    top = torch.amax(t, axes, keepdim=True).detach()
    shift = torch.where(torch.isfinite(top), top, 0)
    terms = torch.exp(t - shift)
    if factors is not None:
        terms = torch.where(factors == 0, 0, terms * factors)
    largest = (t == top).detach()
    first = torch.sum(torch.where(largest, terms, 0), axes, keepdim=True)
    rest = torch.sum(torch.where(largest, 0, terms), axes, keepdim=True)
    apart = torch.isfinite(first) & (first != 0)
    divisor = torch.where(apart, first, 1)
    ratio = torch.where(apart, rest / divisor, 0)
    total = first + rest
    exact = torch.log(divisor.abs()) + torch.log(torch.abs(1 + ratio))
    near = (ratio.abs() < 0.5) & apart
    exact = torch.where(
        near, torch.log(divisor.abs()) + torch.log1p(torch.where(near, ratio, 0)), exact
    )
    value = torch.where(apart, exact, torch.log(total.abs())) + shift
    return value, torch.sign(total)
