"""Functions about dtypes, which ask NumPy, and the default dtype.

Arguments are translated for NumPy: an array to its dtype, a scalar type of ours to NumPy's,
a torch dtype to NumPy's dtype. The answers are constants in a trace.
"""

from __future__ import annotations

import builtins
from collections.abc import Iterable
from typing import Any

import numpy
import torch
from torch.compiler import is_dynamo_compiling

from .._array.ndarray import AnyArray
from .._base import defaults
from .._base.dtypes import FLOATS, NUMPY, promote, torch_dtype
from .._base.scalar_types import HOST
from .._base.settings import Setting
from .._base.tracing import constant
from .._base.typing import ArrayLike, Casting, DTypeLike
from .._convert.arguments import as_tensor

__all__ = [
    "can_cast", "common_type", "finfo", "iinfo", "isdtype", "issubdtype", "min_scalar_type",
    "mintypecode", "promote_types", "result_type", "set_default_dtype", "typename",
]  # fmt: skip


def _known(x: object) -> Any:
    """Translate ``x`` for NumPy: an array to its dtype, a torch dtype to NumPy's dtype."""
    if isinstance(x, AnyArray):
        return NUMPY[x._tensor.dtype]
    if isinstance(x, torch.Tensor):
        return NUMPY[x.dtype]
    if isinstance(x, torch.dtype):
        return NUMPY[torch_dtype("dtype", x)]
    if is_dynamo_compiling() and isinstance(x, (numpy.ndarray, numpy.generic)):
        return NUMPY[torch.as_tensor(x).dtype]  # a trace has a tensor in its place
    return x


@constant
def _can_cast(source: Any, target: Any, casting: Any) -> builtins.bool:
    return numpy.can_cast(source, target, casting)


def can_cast(
    from_: ArrayLike | DTypeLike, to: DTypeLike, casting: Casting = "safe"
) -> builtins.bool:
    """Whether ``casting`` allows a cast from one dtype (or an array's dtype) to another.

    Parameters
    ----------
    from_ : dtype or array
        The dtype to cast from.
    to : dtype
        The dtype to cast to.
    casting : {'no', 'equiv', 'safe', 'same_kind', 'unsafe'}
        The rule.

    Returns
    -------
    bool
        A Python bool.

    Examples
    --------
    >>> import numpy_shim as np
    >>> np.can_cast(np.int32, np.float64)
    True
    """
    return _can_cast(_known(from_), _known(to), casting)


@constant
def _promote_types(type1: Any, type2: Any) -> numpy.dtype[Any]:
    return numpy.promote_types(type1, type2)


def promote_types(type1: DTypeLike, type2: DTypeLike, /) -> numpy.dtype[Any]:
    """The smallest dtype to which both dtypes may safely be cast.

    Parameters
    ----------
    type1, type2 : dtype
        The dtypes.

    Returns
    -------
    numpy.dtype
        The common dtype.

    Examples
    --------
    >>> import numpy_shim as np
    >>> np.promote_types(np.int8, np.uint8)
    dtype('int16')
    """
    return _promote_types(_known(type1), _known(type2))


@constant
def _result_type(*known: Any) -> numpy.dtype[Any]:
    return numpy.result_type(*known)


def result_type(*arrays_and_dtypes: ArrayLike | DTypeLike) -> numpy.dtype[Any]:
    """The dtype of an operation between arrays, dtypes and Python numbers (NEP 50).

    Parameters
    ----------
    *arrays_and_dtypes : array_like or dtype
        The operands; a Python number adapts to the dtype of the others.

    Returns
    -------
    numpy.dtype
        The dtype of the result.

    Examples
    --------
    >>> import numpy_shim as np
    >>> np.result_type(np.zeros(3, np.float32), 2.5)
    dtype('float32')
    """
    return _result_type(*[_known(x) for x in arrays_and_dtypes])


def _as_type(x: object) -> Any:
    """Translate an argument of ``issubdtype`` to a NumPy scalar type, or leave it to NumPy."""
    known = _known(x) if isinstance(x, (type, torch.dtype)) else x
    return known.type if isinstance(known, numpy.dtype) else known


@constant
def _issubdtype(arg1: Any, arg2: Any) -> builtins.bool:
    return numpy.issubdtype(arg1, arg2)


def issubdtype(arg1: DTypeLike, arg2: DTypeLike) -> builtins.bool:
    """Whether a dtype or scalar type is below another in the hierarchy of types.

    Parameters
    ----------
    arg1, arg2 : dtype or scalar type
        Dtypes, or types such as ``np.floating``.

    Returns
    -------
    bool
        A Python bool.

    Examples
    --------
    >>> import numpy_shim as np
    >>> np.issubdtype(np.float32, np.floating)
    True
    """
    if isinstance(arg1, AnyArray) or isinstance(arg2, AnyArray):
        raise TypeError("issubdtype: cannot construct a dtype from an array; give its dtype")
    return _issubdtype(_as_type(arg1), _as_type(arg2))


@constant
def _isdtype(dtype: Any, kind: Any) -> builtins.bool:
    return numpy.isdtype(dtype, kind)


def isdtype(
    dtype: numpy.dtype[Any] | torch.dtype | type, kind: DTypeLike | tuple[DTypeLike, ...]
) -> builtins.bool:
    """Whether a dtype is of a kind, as the array API standard names kinds.

    Parameters
    ----------
    dtype : dtype
        The dtype.
    kind : str, dtype or tuple of those
        A name such as 'bool', 'integral' or 'real floating', a dtype, or several of them.

    Returns
    -------
    bool
        A Python bool.

    Examples
    --------
    >>> import numpy_shim as np
    >>> np.isdtype(np.float32, ("real floating", np.int8))
    True
    """
    kinds = tuple([_as_type(k) for k in kind]) if isinstance(kind, tuple) else _as_type(kind)
    return _isdtype(_as_type(dtype), kinds)


def min_scalar_type(a: ArrayLike, /) -> numpy.dtype[Any]:
    """The smallest dtype that holds a scalar's value; for an array with axes, its dtype.

    Synchronises with the device of a scalar.

    Parameters
    ----------
    a : array_like
        A scalar or an array.

    Returns
    -------
    numpy.dtype
        Of an int the smallest unsigned dtype, or the smallest signed one if it is negative.

    Examples
    --------
    >>> import numpy_shim as np
    >>> np.min_scalar_type(-10)
    dtype('int8')
    """
    if isinstance(a, (AnyArray, torch.Tensor)):
        tensor = as_tensor("min_scalar_type", a)
        dtype = NUMPY[tensor.dtype]
        if tensor.dim():
            return dtype
        a = dtype.type(tensor.item())
    return _min_scalar_type(a)


@constant
def _min_scalar_type(a: Any) -> numpy.dtype[Any]:
    return numpy.min_scalar_type(a)


def common_type(*arrays: ArrayLike) -> type[numpy.generic]:
    """The floating-point scalar type common to all arrays; integers count as float64.

    Parameters
    ----------
    *arrays : ndarray
        Arrays of numbers.

    Returns
    -------
    type
        NumPy's scalar type, such as ``numpy.float64``.

    Examples
    --------
    >>> import numpy_shim as np
    >>> np.common_type(np.zeros(2, np.float32), np.zeros(2, np.complex64)) is np.complex64
    True
    """
    dtypes = [torch_dtype("common_type", x.dtype) for x in arrays]  # type: ignore[union-attr]
    known = [NUMPY[t] for t in dtypes if t is not torch.bfloat16]
    common = [torch.bfloat16] * (len(known) < len(dtypes))  # NumPy does not know this dtype
    if known or not common:
        common.append(torch_dtype("common_type", numpy.dtype(_common_type(*known))))
    return HOST[promote("common_type", *common)]


@constant
def _common_type(*dtypes: object) -> Any:
    return numpy.common_type(*[numpy.empty(0, dtype) for dtype in dtypes])


def mintypecode(
    typechars: Iterable[str | ArrayLike],
    typeset: str | Iterable[str] = "GDFgdf",
    default: str = "d",
) -> str:
    """The code of the smallest type of ``typeset`` to which all of ``typechars`` may be cast.

    Parameters
    ----------
    typechars : str, or iterable of str and arrays
        The codes, or arrays whose codes count.
    typeset : str or iterable of str
        The codes to choose from.
    default : str
        The result if no code of ``typechars`` is in ``typeset``.

    Returns
    -------
    str
        One character.

    Examples
    --------
    >>> import numpy_shim as np
    >>> np.mintypecode("fD")
    'D'
    """
    if not isinstance(typechars, str):
        typechars = [x.dtype.char if isinstance(x, AnyArray) else x for x in typechars]
    return _mintypecode(typechars, typeset, default)


@constant
def _mintypecode(typechars: Any, typeset: Any, default: str) -> str:
    return numpy.mintypecode(typechars, typeset, default)


def typename(char: str) -> str:
    """The description of a dtype's character code.

    Parameters
    ----------
    char : str
        The code, such as 'd'.

    Returns
    -------
    str
        The description.

    Examples
    --------
    >>> import numpy_shim as np
    >>> np.typename("d")
    'double precision'
    """
    return _typename(char)


@constant
def _typename(char: Any) -> str:
    return str(numpy.typename(char))


def _subject(x: object) -> Any:
    """The dtype that ``finfo`` and ``iinfo`` are asked about."""
    return numpy.dtype(_known(x)) if isinstance(x, type) else _known(x)


def finfo(dtype: ArrayLike | DTypeLike) -> numpy.finfo[Any]:
    """The limits of a floating-point dtype: NumPy's ``finfo`` object.

    Parameters
    ----------
    dtype : dtype, array or float
        An inexact dtype; for a complex one, the limits of its parts.

    Returns
    -------
    numpy.finfo
        NumPy's object.

    Examples
    --------
    >>> import numpy_shim as np
    >>> np.finfo(np.float32).bits
    32
    """
    return numpy.finfo(_subject(dtype))


def iinfo(type: ArrayLike | DTypeLike) -> numpy.iinfo[Any]:
    """The limits of an integer dtype: NumPy's ``iinfo`` object.

    Parameters
    ----------
    type : dtype, array or int
        An integer dtype.

    Returns
    -------
    numpy.iinfo
        NumPy's object.

    Examples
    --------
    >>> import numpy_shim as np
    >>> np.iinfo(np.int8).max
    127
    """
    return numpy.iinfo(_subject(type))


class set_default_dtype(Setting):
    """Set the dtype of arrays made from Python floats; complex numbers get the same precision.

    Parameters
    ----------
    dtype : {'numpy', 'pytorch'} or dtype
        ``'numpy'``: float64, the default. ``'pytorch'``: whatever
        ``torch.get_default_dtype()`` is. Or a floating-point dtype.

    Raises
    ------
    ValueError
        For a dtype that is not a floating-point one.
    TypeError
        For a name that is not a dtype's.

    Notes
    -----
    A call sets the dtype for the current context (thread or asyncio task) alone, as
    ``seterr`` does. A new thread starts with ``'numpy'``. A new task inherits the dtype of
    the context that created it. The end of a ``with`` block restores the previous dtype.

    Source: none of NumPy's; ``torch.set_default_dtype`` is its model.

    Examples
    --------
    >>> import numpy_shim as np
    >>> with np.set_default_dtype(np.float32):
    ...     np.array([1.5]).dtype
    dtype('float32')
    >>> np.array([1.5]).dtype
    dtype('float64')
    """

    _module = defaults.module
    _name = "_float"

    def __init__(self, dtype: DTypeLike) -> None:
        if isinstance(dtype, str) and dtype in ("numpy", "pytorch"):
            found = torch.float64 if dtype == "numpy" else None
        else:
            found = torch_dtype("set_default_dtype", dtype)
            if found not in FLOATS:
                raise ValueError(
                    f"set_default_dtype: dtype must be 'numpy', 'pytorch' or a floating-point "
                    f"dtype, not {dtype!r}"
                )
        super().__init__(found)
