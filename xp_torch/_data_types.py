"""The chapter *Data type functions*."""

from __future__ import annotations

from typing import Any, NamedTuple, TypeAlias

import torch

from . import _flags
from ._array import Array, Scalar
from ._core.box import box
from ._core.devices import move, normalize_device
from ._core.dtypes import ALL, BOUNDS, BY_NAME, KINDS, PROMOTION, REAL_OF, name_of, promote
from ._core.errors import type_name
from ._core.scalars import SCALAR_TYPES, plain_number
from ._dispatch import scalar_dtype, tensor_of

__all__ = ["astype", "can_cast", "finfo", "iinfo", "isdtype", "result_type"]

Kind: TypeAlias = "torch.dtype | str"
Device: TypeAlias = "torch.device | str"

DTYPES = ALL.dtypes


class FInfo(NamedTuple):
    """The limits of a real floating-point dtype, as Python numbers."""

    bits: int
    eps: float
    max: float
    min: float
    smallest_normal: float
    dtype: torch.dtype


class IInfo(NamedTuple):
    """The limits of an integer dtype, as Python numbers."""

    bits: int
    max: int
    min: int
    dtype: torch.dtype


def _finfo_of(dtype: torch.dtype) -> FInfo:
    info = torch.finfo(dtype)
    return FInfo(
        int(info.bits),
        float(info.eps),
        float(info.max),
        float(info.min),
        float(info.smallest_normal),
        dtype,
    )


_FINFO = {d: _finfo_of(real) for d, real in REAL_OF.items()}
_IINFO = {d: IInfo(int(torch.iinfo(d).bits), high, low, d) for d, (low, high) in BOUNDS.items()}


def is_dtype(dtype: object) -> bool:
    """Whether an object is a dtype of the current version of the standard."""
    return (
        isinstance(dtype, torch.dtype)
        and dtype in DTYPES
        and not (dtype.is_complex and _flags.api_version < "2022.12")
    )


def check_dtype(
    name: str, dtype: Any, argument: str = "dtype", error: type[Exception] = TypeError
) -> torch.dtype:
    """Return ``dtype`` if it is one of the standard's, else raise an error that lists them."""
    if is_dtype(dtype):
        return dtype  # type: ignore[no-any-return]
    raise error(f"{name}: {argument} must be one of the dtypes {dtype_names()}, not {named(dtype)}")


def dtype_names() -> str:
    """The dtypes of the current version, for an error message."""
    return ", ".join(name for name, dtype in BY_NAME.items() if is_dtype(dtype))


def named(dtype: object) -> str:
    """A wrong dtype as an error message shows it."""
    return name_of(dtype) if isinstance(dtype, torch.dtype) else repr(dtype)


def drops_imaginary(source: torch.dtype, target: torch.dtype) -> bool:
    """Whether a cast would lose the imaginary part, which the standard forbids."""
    return source.is_complex and not target.is_complex and target is not torch.bool


def astype(
    x: Array, dtype: torch.dtype, /, *, copy: bool = True, device: Device | None = None
) -> Array:
    """Convert an array to another dtype, independent of the promotion rules.

    Parameters
    ----------
    x : Array
        Any dtype, any shape.
    dtype : torch.dtype
        The dtype to cast to.
    copy : bool, default True
        Whether to copy an array that has the dtype already. If ``False``, the array itself is
        returned.
    device : torch.device or str, optional
        The device of the result; by default where ``x`` is.

    Returns
    -------
    Array
        The values in ``dtype``, of the shape of ``x``. Booleans become 0 and 1, non-zero
        numbers ``True``; floating-point values are truncated toward zero to integers, and
        integers wrap around.

    Raises
    ------
    TypeError
        For a complex array and a real dtype (take its ``real`` or ``imag`` part), anything
        but a dtype of the namespace, or anything but an array.
    ValueError
        For a device that this machine does not have.

    Notes
    -----
    The integer value of a NaN, an infinity or a value out of range is not defined, and differs
    between devices. The gradient flows through a cast between
    floating-point dtypes.

    Source: the array API standard, ``astype``.

    Examples
    --------
    >>> import xp_torch as xp
    >>> xp.astype(xp.asarray([0.5, -1.5]), xp.int8)
    Array([ 0, -1], dtype=int8)
    """
    if type(x) is Array and device is None and type(dtype) is torch.dtype and dtype in DTYPES:
        t = x._tensor
        if t.dtype is not dtype:
            if not drops_imaginary(t.dtype, dtype):
                out = Array()
                out._tensor = t.to(dtype)
                return out
        elif not copy:
            return x
    return _astype_general(x, dtype, copy, device)


def _astype_general(x: Array, dtype: torch.dtype, copy: bool, device: object) -> Array:
    t = tensor_of("astype", "x", x)
    check_dtype("astype", dtype)
    if drops_imaginary(t.dtype, dtype):
        raise TypeError(
            f"astype: a {name_of(t.dtype)} array is not cast to {name_of(dtype)}; take its real "
            "or imag part"
        )
    if device is not None:
        if _flags.api_version < "2023.12":
            raise TypeError(
                "astype: device is an argument from version 2023.12 of the standard on, and "
                f"{_flags.api_version} is in force"
            )
        on_device = normalize_device("astype", device)
        if on_device != t.device:
            return box(Array, move("astype", t if t.dtype is dtype else t.to(dtype), on_device))
    if t.dtype is not dtype:
        return box(Array, t.to(dtype))
    return box(Array, t.clone()) if copy else x


def can_cast(from_: torch.dtype | Array, to: torch.dtype, /) -> bool:
    """Whether one dtype promotes to another.

    Parameters
    ----------
    from_ : torch.dtype or Array
        The dtype, or an array that has it.
    to : torch.dtype
        The dtype wanted.

    Returns
    -------
    bool
        ``True`` if ``from_`` and ``to`` promote to ``to``.

    Raises
    ------
    TypeError
        For anything but a dtype of the namespace (or, first, an array).

    Notes
    -----
    Promotion is the same on all devices. It does not mix some kinds (bool and integers, integers
    and floating-point).

    Source: the array API standard, ``can_cast`` and *Type promotion rules*.

    Examples
    --------
    >>> import xp_torch as xp
    >>> xp.can_cast(xp.uint8, xp.int16), xp.can_cast(xp.int64, xp.float64)
    (True, False)
    """
    source = from_._tensor.dtype if isinstance(from_, Array) else from_
    check_dtype("can_cast", source, "from_")
    check_dtype("can_cast", to, "to")
    return PROMOTION.get((source, to)) is to


def finfo(type: torch.dtype | Array, /) -> FInfo:
    """The limits of a floating-point dtype.

    Parameters
    ----------
    type : torch.dtype or Array
        A floating-point dtype, or an array that has one; for a complex one the limits are
        those of its parts.

    Returns
    -------
    FInfo
        A named tuple of ``bits`` (int), ``eps``, ``max``, ``min``, ``smallest_normal``
        (float) and ``dtype``, the real dtype.

    Raises
    ------
    TypeError
        For anything but a dtype of the namespace or an array.
    ValueError
        For an integer or boolean dtype.

    Notes
    -----
    Source: the array API standard, ``finfo``.

    Examples
    --------
    >>> import xp_torch as xp
    >>> xp.finfo(xp.complex64).eps
    1.1920928955078125e-07
    """
    dtype = check_dtype("finfo", type._tensor.dtype if isinstance(type, Array) else type, "type")
    if dtype not in _FINFO:
        raise ValueError(f"finfo: type must be a floating-point dtype, not {name_of(dtype)}")
    return _FINFO[dtype]


def iinfo(type: torch.dtype | Array, /) -> IInfo:
    """The limits of an integer dtype.

    Parameters
    ----------
    type : torch.dtype or Array
        An integer dtype, or an array that has one.

    Returns
    -------
    IInfo
        A named tuple of ``bits``, ``max``, ``min`` (int) and ``dtype``.

    Raises
    ------
    TypeError
        For anything but a dtype of the namespace or an array.
    ValueError
        For a floating-point or boolean dtype.

    Notes
    -----
    Source: the array API standard, ``iinfo``.

    Examples
    --------
    >>> import xp_torch as xp
    >>> xp.iinfo(xp.uint64).max
    18446744073709551615
    """
    dtype = check_dtype("iinfo", type._tensor.dtype if isinstance(type, Array) else type, "type")
    if dtype not in _IINFO:
        raise ValueError(f"iinfo: type must be an integer dtype, not {name_of(dtype)}")
    return _IINFO[dtype]


def isdtype(dtype: torch.dtype, kind: Kind | tuple[Kind, ...]) -> bool:
    """Whether a dtype is of a kind.

    Parameters
    ----------
    dtype : torch.dtype
        The dtype in question.
    kind : torch.dtype, str or tuple of them
        A dtype; ``"bool"``, ``"signed integer"``, ``"unsigned integer"``, ``"integral"``,
        ``"real floating"``, ``"complex floating"`` or ``"numeric"``; or a tuple, of which
        one must hold.

    Returns
    -------
    bool
        Whether ``dtype`` is the dtype, or belongs to the kind.

    Raises
    ------
    TypeError
        If ``dtype`` is not a dtype of the namespace, or ``kind`` (or a part of it) is neither
        a dtype nor a string.
    ValueError
        For a string that is not a kind.

    Notes
    -----
    Source: the array API standard, ``isdtype``.

    Examples
    --------
    >>> import xp_torch as xp
    >>> xp.isdtype(xp.uint8, "integral"), xp.isdtype(xp.uint8, ("bool", xp.float32))
    (True, False)
    """
    check_dtype("isdtype", dtype)
    if isinstance(kind, tuple):
        return any(_is_of_kind(dtype, part) for part in kind)
    return _is_of_kind(dtype, kind)


def _is_of_kind(dtype: torch.dtype, kind: Kind) -> bool:
    if isinstance(kind, str):
        if kind not in KINDS:
            kinds = ", ".join(map(repr, KINDS))
            raise ValueError(f"isdtype: kind must be one of {kinds}, not {kind!r}")
        return dtype in KINDS[kind]
    if not is_dtype(kind):
        raise TypeError(
            f"isdtype: kind must be a dtype, a string or a tuple of them, not {named(kind)}"
        )
    return dtype is kind


def result_type(*arrays_and_dtypes: Array | Scalar | torch.dtype) -> torch.dtype:
    """The dtype that arrays, dtypes and Python scalars promote to together.

    Parameters
    ----------
    *arrays_and_dtypes : Array, torch.dtype or Python scalar
        In any order; at least one is an array or a dtype. A 0-D array counts like any other.

    Returns
    -------
    torch.dtype
        The promoted dtype. A Python scalar changes it only if it is complex and the others are real
        floating-point.

    Raises
    ------
    TypeError
        For dtypes that do not promote to a common one, a scalar of a kind that the dtype
        does not hold, or anything else among the arguments.
    ValueError
        Without an array or a dtype.
    OverflowError
        For a Python int out of the range of the dtype.

    Notes
    -----
    Devices are ignored. Source: the array API standard, ``result_type``, *Type
    promotion rules* and *Mixing arrays with Python scalars*.

    Examples
    --------
    >>> import xp_torch as xp
    >>> xp.result_type(xp.uint8, xp.asarray([1], dtype=xp.int8), 3)
    torch.int16
    """
    found: list[torch.dtype] = []
    scalars: list[Scalar] = []
    for a in arrays_and_dtypes:
        if isinstance(a, Array):
            found.append(a._tensor.dtype)
        elif is_dtype(a):
            found.append(a)  # type: ignore[arg-type]
        elif type(number := plain_number(a)) in SCALAR_TYPES:
            scalars.append(number)
        else:
            what = named(a) if isinstance(a, torch.dtype) else type_name(a)
            raise TypeError(
                "result_type: the arguments must be arrays, dtypes of the namespace or Python "
                f"scalars, not {what}"
            )
    if not found:
        raise ValueError("result_type: at least one argument must be an array or a dtype")
    result = promote("result_type", *found)
    if scalars and _flags.api_version < "2024.12":
        raise TypeError(
            "result_type: Python scalars are arguments from version 2024.12 of the standard on, "
            f"and {_flags.api_version} is in force"
        )
    for scalar in scalars:
        result = scalar_dtype("result_type", "a scalar", scalar, result)
    return result
