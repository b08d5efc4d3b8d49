"""Whether an object is a scalar, real or complex, and NumPy's tables of scalar types."""

from __future__ import annotations

import builtins
import numbers
from typing import Any

import numpy

from .._array.ndarray import AnyArray, ndarray
from .._array.scalars import TensorScalar
from .._base.dtypes import TORCH
from .._base.promotion import PYTHON_NUMBERS
from .._base.scalar_types import STORED
from .._base.typing import ArrayLike
from .._convert.arguments import as_tensor

__all__ = ["ScalarType", "iscomplexobj", "isrealobj", "isscalar", "sctypeDict", "typecodes"]


def iscomplexobj(x: ArrayLike) -> builtins.bool:
    """Whether an array or number is of a complex type, whatever its values.

    Parameters
    ----------
    x : array_like
        Any object.

    Returns
    -------
    bool
        A Python bool.

    Examples
    --------
    >>> import numpy_shim as np
    >>> np.iscomplexobj(np.zeros(2, complex))
    True
    """
    return _is_complex("iscomplexobj", x)


def _is_complex(name: str, x: Any) -> builtins.bool:
    if isinstance(x, AnyArray):
        return x._tensor.is_complex()
    kind = getattr(getattr(x, "dtype", None), "type", None)
    if kind is not None:  # the dtype of another library's array
        return issubclass(kind, numpy.complexfloating)
    if isinstance(x, (str, bytes)):
        return False
    return as_tensor(name, x, "x").is_complex()


def isrealobj(x: ArrayLike) -> builtins.bool:
    """Whether an array or number is not of a complex type, whatever its values.

    Parameters
    ----------
    x : array_like
        Any object.

    Returns
    -------
    bool
        A Python bool.

    Examples
    --------
    >>> import numpy_shim as np
    >>> np.isrealobj(np.zeros(2))
    True
    """
    return not _is_complex("isrealobj", x)


def isscalar(element: object) -> builtins.bool:
    """Whether an object is a number, a string or a scalar of ours; ``False`` for a 0-D array.

    Parameters
    ----------
    element : object
        Any object.

    Returns
    -------
    bool
        A Python bool.

    Examples
    --------
    >>> import numpy_shim as np
    >>> np.isscalar(np.float64(3)), np.isscalar(np.array(3))
    (True, False)
    """
    kind = type(element)
    if kind is ndarray or kind in _NUMBERS:
        return kind is not ndarray
    return isinstance(element, (TensorScalar, numpy.generic, numbers.Number)) or kind in ScalarType


_NUMBERS = PYTHON_NUMBERS | frozenset(STORED)
"""Types that need no look at what they derive from."""


_STORED = {dtype.char for dtype in TORCH} | set("qQpPnN")

typecodes: dict[str, str] = {
    group: "".join([c for c in str(codes) if c in _STORED])
    for group, codes in dict(numpy.typecodes).items()
}
"""NumPy's dtype codes by group; only dtypes that torch can store."""

sctypeDict = {  # noqa: N816
    name: kind for name, kind in numpy.sctypeDict.items() if kind in STORED
}
"""The scalar types whose values torch can store, by all of NumPy's names."""

ScalarType = (
    int,
    float,
    complex,
    bool,
    bytes,
    str,
    memoryview,
    *dict.fromkeys(sctypeDict.values()),
)
"""The types of scalars: Python's and NumPy's."""
