"""The class ``poly1d``: a polynomial of one variable."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any, SupportsInt

import numpy
import torch
from torch import Tensor

from .._array.ndarray import ndarray, wrap
from .._convert.arguments import array_of
from .._convert.host_dtypes import Hosted
from .._core.typing import ArrayLike, DTypeLike
from .._functions.number_kinds import isscalar
from .._functions.reductions import all
from ._polynomials import (
    Polynomial,
    line,
    poly,
    polyadd,
    polyder,
    polydiv,
    polyint,
    polymul,
    polysub,
    polyval,
    roots,
    without_leading_zeros,
)

__all__ = ["poly1d"]


class poly1d(Polynomial, metaclass=Hosted):
    """A polynomial of one variable that supports arithmetic.

    Parameters
    ----------
    c_or_r : array_like or poly1d
        The coefficients, from the highest power down; leading zeros are left out.
    r : bool
        Whether ``c_or_r`` holds the roots instead.
    variable : str, optional
        The printed name of the variable, by default ``x``.

    Raises
    ------
    ValueError
        For coefficients of more than one axis, and for nested lists of different lengths.

    Examples
    --------
    >>> import numpy_shim as np
    >>> p = np.poly1d([1, 2, 3])
    >>> p(2)
    np.int64(11)
    >>> p * [1, 1]
    poly1d([1, 3, 5, 3])
    """

    _variable: str

    __array_ufunc__ = None  # NumPy arrays leave operators to this class
    __hash__ = None  # type: ignore[assignment]

    def __init__(self, c_or_r: ArrayLike, r: bool = False, variable: str | None = None) -> None:
        if isinstance(c_or_r, poly1d):
            self._coeffs = c_or_r._coeffs
            self._variable = c_or_r._variable if variable is None else variable
            return
        t = line("poly1d", poly(c_or_r) if r else c_or_r, "c_or_r")
        self._coeffs = array_of(without_leading_zeros(t))
        self._variable = "x" if variable is None else variable

    @property
    def coeffs(self) -> ndarray:
        """The coefficients, from the highest power down.

        Raises
        ------
        AttributeError
            For new coefficients; the elements of the array can be assigned.

        Examples
        --------
        >>> import numpy_shim as np
        >>> p = np.poly1d([1, 2])
        >>> p.coeffs[0] = 3
        >>> p
        poly1d([3, 2])
        """
        return self._coeffs

    @coeffs.setter
    def coeffs(self, value: Any) -> None:
        if (
            value is not self._coeffs
        ):  # ``p.coeffs *= 2`` assigns the array that it changed in place
            raise AttributeError("poly1d: cannot set coeffs; change their elements")

    @property
    def variable(self) -> str:
        """The name of the variable.

        Examples
        --------
        >>> import numpy_shim as np
        >>> np.poly1d([1, 2], variable="z").variable
        'z'
        """
        return self._variable

    @property
    def order(self) -> int:
        """The degree.

        Examples
        --------
        >>> import numpy_shim as np
        >>> np.poly1d([1, 0, 2]).order
        2
        """
        return self._coeffs._tensor.numel() - 1

    @property
    def roots(self) -> ndarray:
        """The roots.

        Raises
        ------
        LinAlgError
            For coefficients that are not finite.

        Examples
        --------
        >>> import numpy_shim as np
        >>> np.poly1d([1, -3, 2]).roots
        array([2., 1.])
        """
        return roots(self._coeffs)

    r = roots
    c = coef = coefficients = coeffs
    o = order

    def __array__(
        self, dtype: DTypeLike = None, copy: bool | None = None
    ) -> numpy.ndarray[Any, Any]:
        return self._coeffs.__array__(dtype, copy=copy)

    def __dlpack__(self, **options: object) -> Any:
        return self._coeffs.__dlpack__(**options)  # type: ignore[arg-type]

    def __dlpack_device__(self) -> tuple[Any, int]:
        return self._coeffs.__dlpack_device__()

    def __repr__(self) -> str:
        return f"poly1d({repr(self._coeffs)[6:-1]})"

    def __len__(self) -> int:
        return self.order

    def __str__(self) -> str:
        return _raised(_terms(without_leading_zeros(self._coeffs._tensor), self._variable))

    def __call__(self, val: ArrayLike) -> ndarray:
        return polyval(self._coeffs, val)

    def __neg__(self) -> poly1d:
        return poly1d(-self._coeffs)

    def __pos__(self) -> poly1d:
        return self

    def __mul__(self, other: ArrayLike) -> poly1d:
        if isscalar(other):
            return poly1d(self._coeffs * other)
        return poly1d(polymul(self, other))

    __rmul__ = __mul__

    def __add__(self, other: ArrayLike) -> poly1d:
        return poly1d(polyadd(self, poly1d(other)))

    __radd__ = __add__

    def __sub__(self, other: ArrayLike) -> poly1d:
        return poly1d(polysub(self, poly1d(other)))

    def __rsub__(self, other: ArrayLike) -> poly1d:
        return poly1d(polysub(poly1d(other), self))

    def __pow__(self, val: SupportsInt) -> poly1d:
        if not isscalar(val) or int(val) != val or val < 0:
            raise ValueError("poly1d: power to non-negative integers only")
        result = poly1d([1])
        for _ in range(int(val)):
            result = poly1d(polymul(self, result))
        return result

    def __truediv__(self, other: ArrayLike) -> poly1d | tuple[ndarray, ndarray]:
        if isscalar(other):
            return poly1d(self._coeffs / other)
        return polydiv(self, poly1d(other))

    def __rtruediv__(self, other: ArrayLike) -> poly1d | tuple[ndarray, ndarray]:
        if isscalar(other):
            return poly1d(other / self._coeffs)
        return polydiv(poly1d(other), self)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, poly1d):
            return NotImplemented
        if self.order != other.order:
            return False
        return all(self._coeffs == other._coeffs)  # type: ignore[return-value]

    def __ne__(self, other: object) -> bool:
        if not isinstance(other, poly1d):
            return NotImplemented
        return not self == other

    def __getitem__(self, val: int) -> ndarray:
        t = self._coeffs._tensor
        return wrap(t[self.order - val] if 0 <= val <= self.order else t.new_zeros(()))

    def __setitem__(self, key: int, val: ArrayLike) -> None:
        if key < 0:
            raise ValueError("poly1d: negative powers are not supported")
        t = self._coeffs._tensor
        if key > self.order:
            self._coeffs = array_of(torch.cat([t.new_zeros(key - self.order), t]))
        self._coeffs[self.order - key] = val

    def __iter__(self) -> Iterator[ndarray]:
        return iter(self._coeffs)

    def integ(self, m: int = 1, k: ArrayLike = 0) -> poly1d:
        """The antiderivative; see ``polyint``.

        Parameters
        ----------
        m : int
            The order of the antiderivative.
        k : array_like
            The constants of integration, in the order of integration. One number stands for all.

        Returns
        -------
        poly1d
            Its degree is higher by ``m``.

        Raises
        ------
        ValueError
            For a negative order, or a number of constants that does not fit.

        Examples
        --------
        >>> import numpy_shim as np
        >>> np.poly1d([6, 4, 2]).integ()
        poly1d([2., 2., 2., 0.])
        """
        return poly1d(polyint(self._coeffs, m=m, k=k))

    def deriv(self, m: int = 1) -> poly1d:
        """The derivative; see ``polyder``.

        Parameters
        ----------
        m : int
            The order of the derivative.

        Returns
        -------
        poly1d
            Its degree is lower by ``m``.

        Raises
        ------
        ValueError
            For a negative order.

        Examples
        --------
        >>> import numpy_shim as np
        >>> np.poly1d([1, 1, 1, 1]).deriv()
        poly1d([3, 2, 1])
        """
        return poly1d(polyder(self._coeffs, m=m))


Polynomial._class = poly1d


def _number(value: float) -> str:
    return f"{value:.4g}".removesuffix(".0000")


def _coefficient(value: Any) -> str:
    """The printed form of a coefficient."""
    if not isinstance(value, complex) or value.imag == 0:
        return _number(value.real)
    if value.real == 0:
        return f"{_number(value.imag)}j"
    return f"({_number(value.real)} + {_number(value.imag)}j)"


def _terms(t: Tensor, variable: str) -> str:
    """The polynomial on one line, with powers like ``x**2``."""
    values = t.tolist()
    text = ""
    for i, value in enumerate(values):
        power = len(values) - 1 - i
        shown = _coefficient(value)
        if shown == "0":
            term = "0" if power == 0 and i == 0 else ""
        else:
            term = f"{shown} {variable}" if power else shown
            term += f"**{power}" if power > 1 else ""
        if i == 0:
            text = term
        elif term.startswith("-"):
            text += f" - {term[1:]}"
        elif term:
            text += f" + {term}"
    return text


_POWER = re.compile(r"\*\*([0-9]*)")


def _raised(text: str, width: int = 70) -> str:
    """Move the powers to a line above, and wrap lines at ``width`` characters."""
    above = below = ""
    output = " "
    start = 0
    for match in _POWER.finditer(text):
        part, power = text[start : match.start()], match.group(1)
        start = match.end()
        lower = part + " " * (len(power) - 1)
        upper = " " * (len(part) - 1) + power
        if len(below) + len(lower) > width or len(above) + len(upper) > width:
            output += f"{above}\n{below}\n "
            above, below = upper, lower
        else:
            above += upper
            below += lower
    return f"{output}{above}\n{below}{text[start:]}"
