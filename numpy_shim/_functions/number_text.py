"""Integers as text in other bases."""

from __future__ import annotations

import operator
from typing import SupportsIndex

import numpy

__all__ = ["base_repr", "binary_repr"]


def base_repr(number: SupportsIndex, base: int = 2, padding: int = 0) -> str:
    """An integer as text in a base from 2 to 36, after ``padding`` zeros; computed by NumPy.

    Parameters
    ----------
    number : int
        The integer, of any sign.
    base : int
        The base, from 2 to 36.
    padding : int
        The number of zeros to put in front.

    Returns
    -------
    str
        The digits; those above 9 are capital letters.

    Examples
    --------
    >>> import numpy_shim as np
    >>> np.base_repr(255, 16)
    'FF'
    """
    return numpy.base_repr(operator.index(number), base, padding)


def binary_repr(num: SupportsIndex, width: int | None = None) -> str:
    """An integer as binary text, in two's complement if ``width`` is given; computed by NumPy.

    Parameters
    ----------
    num : int
        The integer, of any sign.
    width : int, optional
        The number of digits, filled up on the left; a negative number is then written in two's
        complement, by default with a minus sign.

    Returns
    -------
    str
        The binary digits.

    Examples
    --------
    >>> import numpy_shim as np
    >>> np.binary_repr(-3, width=5)
    '11101'
    """
    return numpy.binary_repr(operator.index(num), width)
