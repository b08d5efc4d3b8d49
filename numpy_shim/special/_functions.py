"""Functions that are no ufuncs in SciPy: with integers, axes or options."""

from __future__ import annotations

import math
import operator
from typing import Any, SupportsIndex

import torch
from torch import Tensor

from xp_torch._core.axes import normalize_axes
from xp_torch._kernels.special import elementary, gamma
from xp_torch._kernels.special import zeta as zetas

from .._array.ndarray import ndarray, wrap
from .._array.typing import OutArray
from .._base.axes import broadcast_shapes
from .._base.typing import ArrayLike, AxisLike
from .._convert.arguments import array_of, as_tensor, finish
from ._calls import Rule, operands

__all__ = [
    "comb", "factorial", "log_softmax", "logsumexp", "multigammaln", "perm", "polygamma", "sinc",
    "softmax", "softplus", "zeta",
]  # fmt: skip

_DOUBLE = Rule("double")


def zeta(x: ArrayLike, q: ArrayLike | None = None, out: OutArray = None) -> ndarray:
    """The zeta function of Riemann, or of Hurwitz if ``q`` is given.

    Parameters
    ----------
    x : array_like
        Real numbers; Hurwitz's function is NaN for those below 1.
    q : array_like, optional
        Real numbers: the first term of the sum is ``q**-x``.
    out : ndarray, optional
        Where to put the result.

    Returns
    -------
    ndarray or scalar
        float32 if all operands are float32 arrays, else float64.

    Raises
    ------
    TypeError
        For elements that are no real numbers.

    Source: ``scipy.special.zeta``.

    Examples
    --------
    >>> import numpy_shim as np
    >>> np.special.zeta([-1.0, 2.0]).round(6)
    array([-0.083333,  1.644934])
    """
    if q is None:
        (t,) = operands("zeta", (x,), ("x",), _DOUBLE)
        return finish("zeta", zetas.riemann_zeta(t), out)
    s, t = operands("zeta", (x, q), ("x", "q"), _DOUBLE)
    broadcast_shapes("zeta", s.shape, t.shape)
    return finish("zeta", zetas.zeta(s, t), out)


def polygamma(n: ArrayLike, x: ArrayLike) -> ndarray:
    """The derivatives of ``digamma``.

    Parameters
    ----------
    n : array_like of int
        The order of the derivative; NaN for negative ones.
    x : array_like
        Real numbers.

    Returns
    -------
    ndarray or scalar
        float32 if ``x`` is a float32 array, else float64.

    Raises
    ------
    TypeError
        For elements that are no real numbers.

    Source: ``scipy.special.polygamma``.

    Examples
    --------
    >>> import numpy_shim as np
    >>> np.special.polygamma(1, [1.0, 2.0]).round(6)
    array([1.644934, 0.644934])
    """
    (t,) = operands("polygamma", (x,), ("x",), _DOUBLE)
    order = as_tensor("polygamma", n, "n", t.device).to(torch.float64)
    broadcast_shapes("polygamma", order.shape, t.shape)
    return wrap(gamma.polygamma(order, t.double()).to(t.dtype))


def multigammaln(a: ArrayLike, d: SupportsIndex) -> ndarray:
    """The logarithm of the multivariate gamma function.

    Parameters
    ----------
    a : array_like
        Real numbers above ``(d - 1) / 2``.
    d : int
        The dimension.

    Returns
    -------
    ndarray or scalar
        float32 if ``a`` is a float32 array, else float64.

    Raises
    ------
    ValueError
        For a dimension that is no positive integer.

    Source: ``scipy.special.multigammaln``.

    Examples
    --------
    >>> import numpy_shim as np
    >>> np.special.multigammaln([3.5, 10.0], 2).round(6)
    array([ 2.466484, 24.275616])
    """
    try:
        count = operator.index(d)
    except TypeError:
        count = 0
    if count < 1:
        raise ValueError(f"multigammaln: d should be a positive integer (dimension), not {d!r}")
    (t,) = operands("multigammaln", (a,), ("a",), _DOUBLE)
    return wrap(gamma.multigammaln(t, count))


def softplus(x: ArrayLike) -> ndarray:
    """``log(1 + exp(x))`` without overflow.

    Parameters
    ----------
    x : array_like
        Real numbers.

    Returns
    -------
    ndarray or scalar
        float64 for integers, else in the dtype of ``x``.

    Raises
    ------
    TypeError
        For elements that are no real numbers.

    Source: ``scipy.special.softplus``.

    Examples
    --------
    >>> import numpy_shim as np
    >>> np.special.softplus([0.0, 1000.0]).round(6)
    array([   0.693147, 1000.      ])
    """
    half = as_tensor("softplus", x, "x")
    (t,) = operands("softplus", (half,), ("x",), _DOUBLE)
    value = elementary.softplus(t)
    return wrap(value.to(half.dtype) if half.dtype is torch.float16 else value)


def sinc(x: ArrayLike) -> ndarray:
    """``sin(pi x) / (pi x)``, which is 1 at 0.

    Parameters
    ----------
    x : array_like
        Real or complex numbers.

    Returns
    -------
    ndarray or scalar
        float64 for integers, else in the dtype of ``x``.

    Raises
    ------
    TypeError
        For elements that are not numbers.

    Source: ``scipy.special.sinc``, which is ``numpy.sinc``.

    Examples
    --------
    >>> import numpy_shim as np
    >>> np.special.sinc([0.0, 0.5, 1.0]).round(4)
    array([1.    , 0.6366, 0.    ])
    """
    from .._functions.special import sinc as numpys

    return numpys(x)


def _exact(name: str) -> NotImplementedError:
    return NotImplementedError(
        f"{name}: exact=True gives Python integers of any size, which no dtype of torch holds; "
        f"take exact=False, or scipy.special.{name}"
    )


def comb(
    N: ArrayLike, k: ArrayLike, *, exact: bool = False, repetition: bool = False
) -> ndarray | int:
    """The number of ways to choose ``k`` of ``N`` things.

    Parameters
    ----------
    N, k : array_like
        Real numbers; 0 where one is negative or ``k`` is above ``N``.
    exact : bool
        For two Python integers: a Python integer, exact for any size.
    repetition : bool
        Whether a thing may be chosen several times.

    Returns
    -------
    ndarray or scalar
        float64, or an integer if ``exact``.

    Raises
    ------
    NotImplementedError
        For ``exact`` and anything but integers.

    Source: ``scipy.special.comb``.

    Examples
    --------
    >>> import numpy_shim as np
    >>> np.special.comb([5, 10], 3)
    array([ 10., 120.])
    """
    if exact:
        if not (isinstance(N, int) and isinstance(k, int)):
            raise _exact("comb")
        n = N + k - 1 if repetition else N
        return 0 if k > n or n < 0 or k < 0 else math.comb(n, k)
    n, m = operands("comb", (N, k), ("N", "k"), Rule("single"))
    broadcast_shapes("comb", n.shape, m.shape)
    if repetition:
        first = comb(array_of(n + m - 1), array_of(m))
        same = torch.broadcast_to(n == m, first._tensor.shape)  # type: ignore[union-attr]
        both_zero = same & (n == 0)
        return wrap(torch.where(both_zero, 1.0, first._tensor))  # type: ignore[union-attr]
    outside = (m > n) | (n < 0) | (m < 0)
    return wrap(torch.where(outside, 0.0, gamma.binom(torch.where(outside, 1, n), m)))


def perm(N: ArrayLike, k: ArrayLike, exact: bool = False) -> ndarray | int:
    """The number of arrangements of ``k`` of ``N`` things.

    Parameters
    ----------
    N, k : array_like
        Real numbers; 0 where one is negative or ``k`` is above ``N``.
    exact : bool
        For two Python integers: a Python integer, exact for any size.

    Returns
    -------
    ndarray or scalar
        float64, or an integer if ``exact``.

    Raises
    ------
    NotImplementedError
        For ``exact`` and anything but integers.

    Source: ``scipy.special.perm``.

    Examples
    --------
    >>> import numpy_shim as np
    >>> np.special.perm([5, 10], 2)
    array([20., 90.])
    """
    if exact:
        if not (isinstance(N, int) and isinstance(k, int)):
            raise _exact("perm")
        return 0 if k > N or N < 0 or k < 0 else math.perm(N, k)
    n, m = operands("perm", (N, k), ("N", "k"), Rule("single"))
    broadcast_shapes("perm", n.shape, m.shape)
    outside = (m > n) | (n < 0) | (m < 0)
    start = torch.where(outside, 1, n - m + 1)
    return wrap(torch.where(outside, 0.0, gamma.poch(start, m)))


def factorial(n: ArrayLike, exact: bool = False, extend: str = "zero") -> ndarray | int:
    """The product of the integers up to ``n``, ``gamma(n + 1)``.

    Parameters
    ----------
    n : array_like
        Real numbers; 0 for negative ones.
    exact : bool
        For a Python integer: a Python integer, exact for any size.
    extend : {"zero"}
        What a negative number gives; SciPy's "complex" is not implemented.

    Returns
    -------
    ndarray or scalar
        float32 for float32, float16 for float16, else float64; an integer if ``exact``.

    Raises
    ------
    NotImplementedError
        For ``exact`` and an array, or ``extend="complex"``.
    ValueError
        For another ``extend``.

    Source: ``scipy.special.factorial``.

    Examples
    --------
    >>> import numpy_shim as np
    >>> np.special.factorial([0, 3, 5])
    array([  1.,   6., 120.])
    """
    if extend == "complex":
        raise NotImplementedError("factorial: extend='complex' is not implemented")
    if extend != "zero":
        raise ValueError(f"factorial: extend must be 'zero' or 'complex', not {extend!r}")
    if exact:
        if not isinstance(n, int):
            raise _exact("factorial")
        return 0 if n < 0 else math.factorial(n)
    given = as_tensor("factorial", n, "n")
    (t,) = operands("factorial", (given,), ("n",), _DOUBLE)
    value = torch.where(t < 0, 0.0, gamma.gamma(torch.where(t < 0, 1, t + 1)))
    return wrap(value.to(given.dtype) if given.dtype is torch.float16 else value)


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
        broadcast_shapes("logsumexp", t.shape, factors.shape)
        t, factors = torch.broadcast_tensors(t.to(dtype), factors.to(dtype))
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
