"""The parts and the angle of complex numbers."""

from __future__ import annotations

import math
from typing import Any

import numpy
import torch

from xp_torch._kernels.blocks import is_large

from .._array.ndarray import AnyArray, ndarray
from .._base import error_states as errstate
from .._convert.arguments import ArrayLike, array_of, as_array, as_own_array, as_tensor
from .._kernels.in_blocks import angle_of_complex
from .._ufunc.declarations import arctan2, multiply

__all__ = ["angle", "imag", "real", "real_if_close"]


def real(val: ArrayLike) -> ndarray:
    """The real part: a view of a complex array, a real array itself.

    Parameters
    ----------
    val : array_like
        Any numbers; a Python number gives a Python number.

    Returns
    -------
    ndarray or scalar
        In the shape of ``val``, and the dtype of its real part.

    Examples
    --------
    >>> import numpy_shim as np
    >>> np.real(np.array([1 + 2j, 3 + 4j]))
    array([1., 3.])
    """
    return _with_parts("real", val).real  # type: ignore[no-any-return]


def imag(val: ArrayLike) -> ndarray:
    """The imaginary part: a view of a complex array, read-only zeros of a real one.

    Parameters
    ----------
    val : array_like
        Any numbers; a Python number gives a Python number.

    Returns
    -------
    ndarray or scalar
        In the shape of ``val``, and the dtype of its imaginary part.

    Examples
    --------
    >>> import numpy_shim as np
    >>> np.imag(np.array([1 + 2j, 3 + 4j]))
    array([2., 4.])
    """
    return _with_parts("imag", val).imag  # type: ignore[no-any-return]


def _with_parts(name: str, val: Any) -> Any:
    if isinstance(val, (AnyArray, numpy.generic)) or type(val) in (int, float, complex, bool):
        return val
    return as_array(name, val, "val")


def angle(z: ArrayLike, deg: bool = False) -> ndarray:
    """The angle of complex numbers in their plane, counterclockwise from the real axis.

    Parameters
    ----------
    z : array_like
        Any numbers; real ones have the angle 0 or pi.
    deg : bool
        Degrees, not radians.

    Returns
    -------
    ndarray or scalar
        In the shape of ``z``, from -pi to pi; float64 for integers.

    Examples
    --------
    >>> import numpy_shim as np
    >>> np.angle(np.array([1.0, 1j, -1.0]), deg=True)
    array([  0.,  90., 180.])
    """
    t = as_tensor("angle", z, "z")
    if t.dtype.is_complex:
        if is_large(t) and not errstate.active:
            result = array_of(angle_of_complex(t))
        else:
            result = arctan2(array_of(t.imag), array_of(t.real))
    else:
        result = arctan2(0, array_of(t))
    return multiply(result, 180 / math.pi) if deg else result


def real_if_close(a: ArrayLike, tol: float = 100) -> ndarray:
    """The real part of a complex array whose imaginary parts are all next to zero.

    It waits for the values: the dtype of the result depends on them.

    Parameters
    ----------
    a : array_like
        Any numbers.
    tol : float
        The largest distance from zero, counted in steps of the dtype if it is more than 1.

    Returns
    -------
    ndarray
        Real where all imaginary parts are close to zero; otherwise ``a``.

    Examples
    --------
    >>> import numpy_shim as np
    >>> np.real_if_close(np.array([2.1 + 4e-14j, 5.2 + 3e-15j]), tol=1000)
    array([2.1, 5.2])
    """
    array = as_own_array("real_if_close", a)
    t = array._tensor
    if not t.dtype.is_complex:
        return array
    if tol > 1:
        tol = torch.finfo(t.dtype).eps * tol
    if bool(torch.all(torch.abs(t.imag) < tol)):
        return array.real
    return array
