"""Spherical Bessel functions, of integer order."""

from __future__ import annotations

from xp_torch._core.docs import documented_like
from xp_torch._kernels.special import bessel

from .._array.ndarray import ndarray, wrap
from .._base.axes import broadcast_shapes
from .._base.typing import ArrayLike
from .._convert.arguments import as_tensor
from ._calls import Rule, operands

__all__ = ["spherical_in", "spherical_jn", "spherical_kn", "spherical_yn"]


def _spherical(name: str, kind: str, n: ArrayLike, z: ArrayLike, derivative: bool) -> ndarray:
    (t,) = operands(name, (z,), ("z",), Rule("double"))
    order = as_tensor(name, n, "n", t.device)
    if order.is_floating_point() or order.is_complex():
        raise TypeError(f"{name}: n must be integers, not {order.dtype}")
    broadcast_shapes(name, order.shape, t.shape)
    value = bessel.spherical(kind, order.double(), t.double(), bool(derivative))
    return wrap(value.to(t.dtype) if kind == "k" else value)  # only this one has SciPy in float32


def spherical_jn(n: ArrayLike, z: ArrayLike, derivative: bool = False) -> ndarray:
    """The spherical Bessel function of the first kind.

    Parameters
    ----------
    n : array_like of int
        The order; NaN for negative ones.
    z : array_like
        Real numbers.
    derivative : bool
        Whether to return the derivative in ``z``.

    Returns
    -------
    ndarray or scalar
        float64.

    Raises
    ------
    TypeError
        For orders that are no integers, or complex ``z``.

    Source: ``scipy.special.spherical_jn``.

    Examples
    --------
    >>> import numpy_shim as np
    >>> np.special.spherical_jn(1, [0.5, 2.0]).round(6)
    array([0.162537, 0.435398])
    """
    return _spherical("spherical_jn", "j", n, z, derivative)


@documented_like(
    spherical_jn,
    "The spherical Bessel function of the second kind.",
    """
    >>> import numpy_shim as np
    >>> np.special.spherical_yn(1, [0.5, 2.0]).round(6)
    array([-4.469181, -0.350612])
    """,
)
def spherical_yn(n: ArrayLike, z: ArrayLike, derivative: bool = False) -> ndarray:
    return _spherical("spherical_yn", "y", n, z, derivative)


@documented_like(
    spherical_jn,
    "The modified spherical Bessel function of the first kind.",
    """
    >>> import numpy_shim as np
    >>> np.special.spherical_in(1, [0.5, 2.0]).round(6)
    array([0.170871, 0.974383])
    """,
)
def spherical_in(n: ArrayLike, z: ArrayLike, derivative: bool = False) -> ndarray:
    return _spherical("spherical_in", "i", n, z, derivative)


@documented_like(
    spherical_jn,
    "The modified spherical Bessel function of the second kind.",
    """
    >>> import numpy_shim as np
    >>> np.special.spherical_kn(1, [0.5, 2.0]).round(6)
    array([5.716417, 0.159438])
    """,
    {"float64.": "float32 if ``z`` is a float32 array, else float64."},
)
def spherical_kn(n: ArrayLike, z: ArrayLike, derivative: bool = False) -> ndarray:
    return _spherical("spherical_kn", "k", n, z, derivative)
