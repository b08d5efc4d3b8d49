"""Special functions and the windows made of them."""

from __future__ import annotations

import math
from typing import Any

import torch
from torch import Tensor

from .._array.ndarray import ndarray, wrap
from .._base.dtypes import COMPLEXES, FLOATS
from .._base.typing import Device
from .._convert.arguments import ArrayLike, array_of, as_tensor
from .._kernels.reductions import HALVES

__all__ = ["bartlett", "blackman", "hamming", "hanning", "i0", "kaiser", "sinc"]


def i0(x: ArrayLike) -> ndarray:
    """The modified Bessel function of the first kind and order 0.

    Parameters
    ----------
    x : array_like
        Real numbers.

    Returns
    -------
    ndarray
        float64 for integers, else in the dtype of ``x``; 0-D for a number.

    Examples
    --------
    >>> import numpy_shim as np
    >>> np.i0(np.array([0.0, 1.0]))
    array([1.        , 1.26606588])
    """
    t = as_tensor("i0", x, "x")
    if t.dtype.is_complex:
        raise TypeError("i0: i0 not supported for complex values")
    return array_of(_i0(t if t.dtype in FLOATS else t.to(torch.float64)))


def sinc(x: ArrayLike) -> ndarray:
    """``sin(pi x) / (pi x)``, which is 1 at 0.

    Parameters
    ----------
    x : array_like
        Any numbers.

    Returns
    -------
    ndarray or scalar
        float64 for integers, else in the dtype of ``x``.

    Examples
    --------
    >>> import numpy_shim as np
    >>> np.sinc(np.array([0.0, 0.5, 1.0])).round(4)
    array([1.    , 0.6366, 0.    ])
    """
    t = as_tensor("sinc", x, "x")
    floating = t.dtype in FLOATS or t.dtype in COMPLEXES
    return wrap(_sinc(t if floating else t.to(torch.float64)))


_WINDOW = """The {name} window: {what}.

    Parameters
    ----------
    M : int
        The number of points; 0 or less gives an empty array.{more}
    device : torch.device or str, optional
        The device of the window.

    Returns
    -------
    ndarray
        float64, symmetric; 1 in the middle if ``M`` is odd.

    Examples
    --------
    >>> import numpy_shim as np
    >>> np.{function}({call}).round(4)
    {example}
    """


def _window(M: Any, device: Any, shape: Any) -> ndarray:
    """A window of ``M`` points from a function of the points and of ``M - 1``.

    ``M`` is a float, as in NumPy: 4.5 gives five points from -3.5 in steps of 2.
    """
    size = float(M)
    if size < 1:
        return array_of(torch.empty(0, dtype=torch.float64, device=device))
    if size == 1:
        return array_of(torch.ones(1, dtype=torch.float64, device=device))
    n = torch.arange(1 - size, size, 2, dtype=torch.float64, device=device)
    return array_of(shape(n, size - 1))


def hanning(M: int, *, device: Device = None) -> ndarray:
    return _window(M, device, lambda n, m: 0.5 + 0.5 * torch.cos(math.pi * n / m))


def hamming(M: int, *, device: Device = None) -> ndarray:
    return _window(M, device, lambda n, m: 0.54 + 0.46 * torch.cos(math.pi * n / m))


def blackman(M: int, *, device: Device = None) -> ndarray:
    def shape(n: Tensor, m: float) -> Tensor:
        once, twice = torch.cos(math.pi * n / m), torch.cos(2.0 * math.pi * n / m)
        return 0.42 + 0.5 * once + 0.08 * twice

    return _window(M, device, shape)


def bartlett(M: int, *, device: Device = None) -> ndarray:
    return _window(M, device, lambda n, m: torch.where(n <= 0, 1 + n / m, 1 - n / m))


def kaiser(M: int, beta: float, *, device: Device = None) -> ndarray:
    size, shape = float(M), float(beta)
    if size == 1:
        return array_of(torch.ones(1, dtype=torch.float64, device=device))
    n = torch.arange(0, max(size, 0), dtype=torch.float64, device=device)
    alpha = (size - 1) / 2.0
    arc = torch.sqrt(1 - ((n - alpha) / alpha) ** 2.0) if size > 1 else n
    return array_of(_i0(shape * arc) / _i0(n.new_full((), shape)))


def _describe(function: Any, what: str, example: str, more: str = "", call: str = "5") -> None:
    function.__doc__ = _WINDOW.format(
        name=function.__name__.capitalize(), function=function.__name__, what=what, more=more,
        call=call, example=example,
    )  # fmt: skip


_describe(hanning, "a raised cosine that ends in zeros", "array([0. , 0.5, 1. , 0.5, 0. ])")
_describe(
    hamming,
    "a raised cosine whose first side lobe is smallest",
    "array([0.08, 0.54, 1.  , 0.54, 0.08])",
)
_describe(blackman, "three terms of cosines", "array([-0.  ,  0.34,  1.  ,  0.34, -0.  ])")
_describe(bartlett, "a triangle that ends in zeros", "array([0. , 0.5, 1. , 0.5, 0. ])")
_describe(
    kaiser,
    "a Bessel function with the shape ``beta``",
    "array([0.2049, 0.7269, 1.    , 0.7269, 0.2049])",
    "\n    beta : float\n        The shape: 0 is a rectangle, 14 ends near 1e-5.",
    "5, 3.0",
)


# --- tensors ---


def _i0(x: Tensor) -> Tensor:
    """The modified Bessel function of order 0; infinite where it overflows."""
    if x.dtype in HALVES:
        return torch.i0(x.float()).to(x.dtype)
    return torch.i0(x)


def _sinc(x: Tensor) -> Tensor:
    """``sin(pi x) / (pi x)`` of floating-point numbers."""
    if x.dtype in HALVES:
        return torch.sinc(x.float()).to(x.dtype)
    if not x.dtype.is_complex:
        return torch.sinc(x)
    scaled = math.pi * torch.where(x == 0, 1e-20, x)
    return torch.sin(scaled) / scaled
