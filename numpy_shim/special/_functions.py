"""Functions that are no ufuncs in SciPy: with integers or options."""

from __future__ import annotations

import math
import operator
from typing import Any, SupportsIndex

import numpy
import torch

from xp_torch._kernels.special import gamma
from xp_torch._kernels.special import zeta as zetas

from .._array.ndarray import ndarray, wrap
from .._array.typing import OutArray
from .._base.axes import broadcast_shapes
from .._base.typing import ArrayLike
from .._convert.arguments import array_of, as_tensor, finish
from .._functions.manipulation import ndim
from .._functions.special import sinc as numpys_sinc
from .._ufunc.declarations import logaddexp
from ._calls import Rule, operands

__all__ = [
    "comb", "factorial", "multigammaln", "perm", "polygamma", "sinc", "softplus", "zeta",
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
        float32 for float32 (and, beside ``q``, what it holds exactly), else float64.

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
    s, t = operands("zeta", (x, q), ("x", "q"), Rule())
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
        float64.

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
    return wrap(gamma.polygamma(order, t.double()))


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
    array([ 2.466486, 25.063526])
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
        As ``logaddexp(0, x)``.

    Raises
    ------
    TypeError
        For elements that are no real numbers.

    Source: ``scipy.special.softplus``.

    Examples
    --------
    >>> import numpy_shim as np
    >>> np.special.softplus([0.0, 1000.0]).round(6)
    array([6.93147e-01, 1.00000e+03])
    """
    return logaddexp(0, x)


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
    return numpys_sinc(x)


def _integer(name: str, argument: str, value: Any) -> int:
    """An operand of an exact count, as a Python integer."""
    if ndim(value) or int(value) != value:
        raise ValueError(
            f"{name}: {argument} must be one integer with exact=True, not {value!r}; "
            "arrays and other numbers take exact=False"
        )
    return int(value)


def comb(
    N: ArrayLike, k: ArrayLike, *, exact: bool = False, repetition: bool = False
) -> ndarray | int:
    """The number of ways to choose ``k`` of ``N`` things.

    Parameters
    ----------
    N, k : array_like
        Real numbers; 0 where one is negative or ``k`` is above ``N``.
    exact : bool
        For two integers: a Python integer, exact for any size.
    repetition : bool
        Whether a thing may be chosen several times.

    Returns
    -------
    ndarray or scalar
        float64, or an integer if ``exact``.

    Raises
    ------
    ValueError
        For ``exact`` and anything but two integers.

    Source: ``scipy.special.comb``.

    Examples
    --------
    >>> import numpy_shim as np
    >>> np.special.comb([5, 10], 3)
    array([ 10., 120.])
    """
    if exact:
        of, taken = _integer("comb", "N", N), _integer("comb", "k", k)
        of = of + taken - 1 if repetition else of
        return 0 if taken > of or of < 0 or taken < 0 else math.comb(of, taken)
    n, m = operands("comb", (N, k), ("N", "k"), Rule())
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
        For two integers: a Python integer, exact for any size.

    Returns
    -------
    ndarray or scalar
        float64, or an integer if ``exact``.

    Raises
    ------
    ValueError
        For ``exact`` and anything but two integers.

    Source: ``scipy.special.perm``.

    Examples
    --------
    >>> import numpy_shim as np
    >>> np.special.perm([5, 10], 2)
    array([20., 90.])
    """
    if exact:
        of, taken = _integer("perm", "N", N), _integer("perm", "k", k)
        return 0 if taken > of or of < 0 or taken < 0 else math.perm(of, taken)
    for x, argument in ((N, "N"), (k, "k")):
        if as_tensor("perm", x, argument).dtype is torch.bool:
            raise TypeError(f"perm: {argument} must be integers or real numbers, not booleans")
    n, m = operands("perm", (N, k), ("N", "k"), Rule())
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
        float64, but the dtype of a number that is a float; an integer if ``exact``.

    Raises
    ------
    NotImplementedError
        For ``exact`` and an array, or ``extend="complex"``.
    ValueError
        For another ``extend``, and booleans.

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
            raise NotImplementedError(
                "factorial: exact=True gives Python integers of any size, which no dtype of torch "
                "holds; take exact=False, or scipy.special.factorial"
            )
        return 0 if n < 0 else math.factorial(n)
    given = as_tensor("factorial", n, "n")
    if given.dtype is torch.bool:
        raise ValueError("factorial: n must be integers or real numbers, not booleans")
    (t,) = operands("factorial", (given,), ("n",), _DOUBLE)
    value = torch.where(t < 0, 0.0, gamma.gamma(torch.where(t < 0, 1, t.double() + 1)))
    is_number = not isinstance(n, (ndarray, numpy.ndarray)) and given.dim() == 0
    keeps = is_number and given.is_floating_point()
    return wrap(value.to(given.dtype) if keeps else value)
