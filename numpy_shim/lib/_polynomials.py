"""NumPy's older polynomials: coefficients from the highest power down.

If an argument is a ``poly1d``, the result is one too. Division and roots read the values,
because the lengths of their results depend on them.
"""

from __future__ import annotations

from typing import Any

import numpy
import torch
from torch import Tensor

from xp_torch._kernels.unsigned import as_signed

from .. import linalg
from .._array.ndarray import ndarray, scalar, wrap
from .._convert.arguments import ArrayLike, array_of, as_tensor
from .._convert.host_dtypes import hosted
from .._core.dtypes import COMPLEXES, FLOATS, promote
from .._core.release import EIGENVALUES_ARE_COMPLEX
from .._functions.convolution import convolve
from .._functions.logic import allclose
from .._functions.sorting import sort
from .._kernels.casting import cast
from .._ufunc.declarations import add, multiply, subtract
from ..linalg._decompositions import real_if_all_real

__all__ = [
    "poly", "polyadd", "polyder", "polydiv", "polyint", "polymul", "polysub", "polyval", "roots",
]  # fmt: skip


class Polynomial:
    """The base class of ``poly1d``, which is defined in a module that imports this one."""

    _coeffs: ndarray
    _class: type  # poly1d; results have this class if an argument has it


def line(name: str, p: Any, argument: str = "p") -> Tensor:
    """Coefficients as a tensor of at least one axis."""
    t = p._coeffs._tensor if isinstance(p, Polynomial) else as_tensor(name, p, argument)
    return t if t.dim() else t.reshape(1)


def _like(result: ndarray, *given: Any) -> Any:
    """The result as a ``poly1d`` if an argument is one."""
    return Polynomial._class(result) if any(isinstance(g, Polynomial) for g in given) else result


def without_leading_zeros(t: Tensor) -> Tensor:
    """Remove leading zeros but keep at least one coefficient; reads the values."""
    if t.dim() > 1:
        raise ValueError(f"poly1d: a polynomial must be 1d only, not of {t.dim()} axes")
    nonzero = torch.nonzero(as_signed(t)).reshape(-1)
    if not nonzero.numel():
        return t.new_zeros(1)
    return t[int(nonzero[0]) :]


def floating(t: Tensor) -> Tensor:
    return t if t.dtype in FLOATS or t.dtype in COMPLEXES else t.to(torch.float64)


@hosted
def poly(seq_of_zeros: ArrayLike) -> ndarray:
    """The polynomial with the given roots, or the characteristic polynomial of a matrix.

    Parameters
    ----------
    seq_of_zeros : array_like
        The roots, or a square matrix.

    Returns
    -------
    ndarray
        The coefficients; the first one is 1. They are real if the complex roots are conjugate
        pairs. For no roots, the number 1.0.

    Raises
    ------
    ValueError
        For more than two axes, or a matrix that is empty or not square.

    Examples
    --------
    >>> import numpy_shim as np
    >>> np.poly(np.array([1.0, 2.0]))
    array([ 1., -3.,  2.])
    """
    zeros = line("poly", seq_of_zeros, "seq_of_zeros")
    if zeros.dim() == 2 and zeros.shape[0] == zeros.shape[1] and zeros.shape[0]:
        zeros = linalg.eigvals(array_of(zeros))._tensor
    elif zeros.dim() != 1:
        raise ValueError("poly: input must be 1d or non-empty square 2d array")
    if not zeros.numel():
        return 1.0  # type: ignore[return-value]
    zeros = zeros.to(torch.float64) if zeros.dtype is torch.float16 else floating(zeros)
    result = array_of(torch.ones(1, dtype=zeros.dtype, device=zeros.device))
    for zero in zeros.unbind():
        result = convolve(result, array_of(torch.stack([torch.ones_like(zero), -zero])))
    if zeros.dtype.is_complex and _conjugates(zeros):
        return array_of(result._tensor.real.clone())
    return result


def _conjugates(zeros: Tensor) -> bool:
    """Whether the complex numbers equal their conjugates, in any order."""

    ordered, turned = sort(array_of(zeros)), sort(array_of(zeros.conj().resolve_conj()))
    return torch.equal(ordered._tensor, turned._tensor)


@hosted
def roots(p: ArrayLike) -> ndarray:
    """The roots of a polynomial, as the eigenvalues of its companion matrix.

    It reads the values, because leading zeros do not count.

    Parameters
    ----------
    p : array_like
        The coefficients, from the highest power down.

    Returns
    -------
    ndarray
        The roots, with zeros last; real if all of them are real.

    Raises
    ------
    LinAlgError
        For coefficients that are NaN or infinite.
    ValueError
        For more than one axis.

    Examples
    --------
    >>> import numpy_shim as np
    >>> np.sort(np.roots(np.array([1.0, -3.0, 2.0]))).round(6)
    array([1., 2.])
    """
    t = line("roots", p)
    if t.dim() != 1:
        raise ValueError(f"roots: p must be a rank-1 array, not of {t.dim()} axes")
    nonzero = torch.nonzero(as_signed(t)).reshape(-1)
    if not nonzero.numel():
        return array_of(torch.empty(0, dtype=torch.float64, device=t.device))
    first, last = int(nonzero[0]), int(nonzero[-1])
    zeros = t.numel() - last - 1
    t = floating(t[first : last + 1])
    if t.numel() < 2:
        return array_of(torch.zeros(zeros, dtype=torch.float64, device=t.device))
    companion = torch.diag(t.new_ones(t.numel() - 2), -1)
    companion = torch.cat([(-t[1:] / t[0]).unsqueeze(0), companion[1:]])
    found_roots = linalg.eigvals(array_of(companion))._tensor
    if EIGENVALUES_ARE_COMPLEX and not companion.is_complex():
        (found_roots,) = real_if_all_real(found_roots)
    return array_of(torch.cat([found_roots, found_roots.new_zeros(zeros)]))


@hosted
def polyval(p: ArrayLike, x: ArrayLike) -> ndarray:
    """The value of a polynomial.

    Parameters
    ----------
    p : array_like
        The coefficients, from the highest power down.
    x : array_like or poly1d
        The points to evaluate at; another polynomial gives the composition.

    Returns
    -------
    ndarray, scalar or poly1d
        In the shape of ``x``.

    Raises
    ------
    ValueError
        For shapes that do not broadcast.
    TypeError
        For coefficients without an axis.

    Examples
    --------
    >>> import numpy_shim as np
    >>> np.polyval([3, 0, 1], np.array([1, 5]))
    array([ 4, 76])
    """
    if not isinstance(p, Polynomial) and not as_tensor("polyval", p, "p").dim():
        raise TypeError("polyval: p must have an axis")
    coefficients = line("polyval", p)
    if isinstance(x, Polynomial):
        result: Any = 0
        for c in coefficients.unbind():
            result = result * x + wrap(c)
        return result
    at = as_tensor("polyval", x, "x", coefficients.device)
    if not coefficients.shape[0]:
        return array_of(torch.zeros_like(at))
    if not at.dim() and at.dtype is torch.float64 and coefficients.dtype is torch.float64:
        number = scalar(at)
        if isinstance(number, numpy.generic) and coefficients.dim() == 1:
            found: Any = numpy.float64(0)
            for c in array_of(coefficients):
                found = found * number + c
            return found
    value = array_of(torch.zeros_like(at))
    for c in coefficients.unbind():
        value = add(multiply(value, array_of(at)), array_of(c))
    return wrap(as_tensor("polyval", value))


def _aligned(name: str, a1: Any, a2: Any) -> tuple[ndarray, ndarray]:
    """Pad the shorter one with leading zeros to the same length."""
    s, t = [line(name, a, argument) for a, argument in ((a1, "a1"), (a2, "a2"))]
    size = max(s.shape[0], t.shape[0])
    s, t = [torch.cat([v.new_zeros(size - v.shape[0], *v.shape[1:]), v]) for v in (s, t)]
    return array_of(s), array_of(t)


@hosted
def polyadd(a1: ArrayLike, a2: ArrayLike) -> ndarray:
    """The sum of two polynomials.

    Parameters
    ----------
    a1, a2 : array_like or poly1d
        The coefficients, from the highest power down.

    Returns
    -------
    ndarray or poly1d
        The coefficients, of the promoted dtype; a poly1d if an argument is one.

    Raises
    ------
    TypeError
        For elements that are not numbers.

    Examples
    --------
    >>> import numpy_shim as np
    >>> np.polyadd([1, 2], [9, 5, 4])
    array([9, 6, 6])
    """
    return _like(add(*_aligned("polyadd", a1, a2)), a1, a2)  # type: ignore[no-any-return]


@hosted
def polysub(a1: ArrayLike, a2: ArrayLike) -> ndarray:
    """The difference of two polynomials.

    Parameters
    ----------
    a1, a2 : array_like or poly1d
        The coefficients, from the highest power down.

    Returns
    -------
    ndarray or poly1d
        The coefficients, of the promoted dtype; a poly1d if an argument is one.

    Raises
    ------
    TypeError
        For booleans, or elements that are not numbers.

    Examples
    --------
    >>> import numpy_shim as np
    >>> np.polysub([2, 10, -2], [3, 10, -4])
    array([-1,  0,  2])
    """
    return _like(subtract(*_aligned("polysub", a1, a2)), a1, a2)  # type: ignore[no-any-return]


@hosted
def polymul(a1: ArrayLike, a2: ArrayLike) -> ndarray:
    """The product of two polynomials; leading zeros of the factors are removed.

    Parameters
    ----------
    a1, a2 : array_like or poly1d
        The coefficients, from the highest power down.

    Returns
    -------
    ndarray or poly1d
        The coefficients, of the promoted dtype; a poly1d if an argument is one.

    Raises
    ------
    ValueError
        For more than one axis.

    Examples
    --------
    >>> import numpy_shim as np
    >>> np.polymul([1, 2, 3], [9, 5, 1])
    array([ 9, 23, 38, 17,  3])
    """
    first, second = [
        array_of(without_leading_zeros(line("polymul", a, n))) for a, n in ((a1, "a1"), (a2, "a2"))
    ]
    return _like(convolve(first, second), a1, a2)  # type: ignore[no-any-return]


@hosted
def polydiv(u: ArrayLike, v: ArrayLike) -> tuple[ndarray, ndarray]:
    """The quotient and the remainder of two polynomials.

    It reads the values to remove leading zeros of the remainder.

    Parameters
    ----------
    u, v : array_like or poly1d
        The dividend and the divisor, from the highest power down.

    Returns
    -------
    q, r : ndarray or poly1d
        Of floating-point dtype.

    Raises
    ------
    IndexError
        For a polynomial without coefficients.
    ValueError
        For more than one axis.

    Examples
    --------
    >>> import numpy_shim as np
    >>> np.polydiv([3.0, 5.0, 2.0], [2.0, 1.0])
    (array([1.5 , 1.75]), array([0.25]))
    """
    dividend, divisor = [floating(line("polydiv", a, n)) for a, n in ((u, "u"), (v, "v"))]
    for t, n in ((dividend, "u"), (divisor, "v")):
        if t.dim() > 1:
            raise ValueError(f"polydiv: {n} must have one axis, not {t.dim()}")
        if not t.numel():
            raise IndexError(f"polydiv: {n} has no coefficients")
    dtype = promote("polydiv", dividend.dtype, divisor.dtype)
    scale = 1.0 / divisor[0]
    size = divisor.numel()
    rest = cast(dividend, dtype)
    quotient = []
    for k in range(rest.numel() - size + 1):
        factor = (scale * rest[k]).to(dtype)
        quotient.append(factor)
        step = rest[k : k + size] - factor * divisor
        rest = torch.cat([rest[:k], step.to(dtype), rest[k + size :]])
    q = array_of(torch.stack(quotient) if quotient else rest.new_zeros(1))
    while rest.numel() > 1 and allclose(array_of(rest[0]), 0, rtol=1e-14):
        rest = rest[1:]
    return _like(q, u, v), _like(array_of(rest), u, v)


@hosted
def polyder(p: ArrayLike, m: int = 1) -> ndarray:
    """The derivative of a polynomial.

    Parameters
    ----------
    p : array_like or poly1d
        The coefficients, from the highest power down.
    m : int
        The order of the derivative.

    Returns
    -------
    ndarray or poly1d
        The coefficients, ``m`` fewer; a poly1d if ``p`` is one.

    Raises
    ------
    ValueError
        For a negative order.

    Examples
    --------
    >>> import numpy_shim as np
    >>> np.polyder([1, 1, 1, 1])
    array([3, 2, 1])
    """
    order = int(m)
    if order < 0:
        raise ValueError(f"polyder: order of derivative must be positive, not {order}")
    t = line("polyder", p)
    for _ in range(order):
        powers = torch.arange(max(t.numel() - 1, 0), 0, -1, device=t.device)
        t = multiply(array_of(t[:-1]), array_of(powers))._tensor
    return _like(array_of(t), p)  # type: ignore[no-any-return]


@hosted
def polyint(p: ArrayLike, m: int = 1, k: ArrayLike | None = None) -> ndarray:
    """The antiderivative of a polynomial.

    Parameters
    ----------
    p : array_like or poly1d
        The coefficients, from the highest power down.
    m : int
        The order of the antiderivative.
    k : array_like, optional
        The constants of integration, in the order of integration; zeros by default. One
        number stands for all.

    Returns
    -------
    ndarray or poly1d
        The coefficients, ``m`` more, of floating-point dtype; a poly1d if ``p`` is one.

    Raises
    ------
    ValueError
        For a negative order, or a number of constants that does not fit.

    Examples
    --------
    >>> import numpy_shim as np
    >>> np.polyint([6, 4, 2])
    array([2., 2., 2., 0.])
    """
    order = int(m)
    if order < 0:
        raise ValueError(f"polyint: order of integral must be positive, not {order}")
    t = line("polyint", p)
    constants = torch.zeros(order, dtype=torch.float64, device=t.device)
    if k is not None:
        constants = as_tensor("polyint", k, "k", t.device).reshape(-1)
    if constants.numel() == 1 and order > 1:
        constants = constants.to(promote("polyint", constants.dtype, torch.float64)).expand(order)
    if constants.numel() < order:
        raise ValueError(
            f"polyint: k must be a scalar or a rank-1 array of length 1 or >m, not "
            f"{constants.numel()} for m = {order}"
        )
    for i in range(order):
        powers = torch.arange(t.numel(), 0, -1, device=t.device)
        t = floating(t) if t.dtype not in FLOATS and t.dtype not in COMPLEXES else t
        divided = (array_of(t) / array_of(powers))._tensor
        dtype = promote("polyint", divided.dtype, constants.dtype)
        t = torch.cat([cast(divided, dtype), cast(constants[i : i + 1], dtype)])
    return _like(array_of(t), p)  # type: ignore[no-any-return]
