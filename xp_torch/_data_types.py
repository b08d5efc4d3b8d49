"""The chapter *Data type functions*."""

from __future__ import annotations

from typing import Any, NamedTuple, TypeAlias

import torch

from . import _flags
from ._array import Array, Scalar
from ._core import devices
from ._core.box import box
from ._core.dtypes import (
    ALL,
    BOUNDS,
    KINDS,
    PROMOTION,
    REAL_OF,
    name_of,
    promote,
)
from ._dispatch import SCALARS, scalar_dtype, tensor_of, type_name
from ._kernels import creation as kernels

__all__ = ["astype", "can_cast", "finfo", "iinfo", "isdtype", "result_type"]

Kind: TypeAlias = "torch.dtype | str"

_DTYPES = ALL.dtypes


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
    return FInfo(info.bits, info.eps, info.max, info.min, info.smallest_normal, dtype)


_FINFO = {d: _finfo_of(real) for d, real in REAL_OF.items()}
_IINFO = {d: IInfo(torch.iinfo(d).bits, high, low, d) for d, (low, high) in BOUNDS.items()}


def check_dtype(name: str, dtype: Any, argument: str = "dtype") -> torch.dtype:
    """``dtype`` if it is one of the standard's; a ``TypeError`` that names them if not."""
    if isinstance(dtype, torch.dtype) and dtype in _DTYPES:
        if _flags.api_version < "2022.12" and dtype.is_complex:
            raise TypeError(
                f"{name}: complex dtypes came with version 2022.12 of the standard, and "
                f"{_flags.api_version} is in force"
            )
        return dtype
    raise TypeError(
        f"{name}: {argument} must be one of the dtypes of the namespace, not {dtype!r}"
    )


def astype(
    x: Array, dtype: torch.dtype, /, *, copy: bool = True, device: Any = None
) -> Array:
    t = tensor_of("astype", "x", x)
    check_dtype("astype", dtype)
    if t.dtype.is_complex and not dtype.is_complex:
        raise TypeError("astype: complex")
    if t.dtype is dtype and not copy:
        return x
    return box(Array, t.to(dtype, copy=True))


def can_cast(from_: torch.dtype | Array, to: torch.dtype, /) -> bool:
    source = from_._tensor.dtype if isinstance(from_, Array) else check_dtype("can_cast", from_)
    return PROMOTION.get((source, check_dtype("can_cast", to))) is to


def finfo(type: torch.dtype | Array, /) -> FInfo:
    return _FINFO[type.dtype if isinstance(type, Array) else type]


def iinfo(type: torch.dtype | Array, /) -> IInfo:
    return _IINFO[type.dtype if isinstance(type, Array) else type]


def isdtype(dtype: torch.dtype, kind: Kind | tuple[Kind, ...]) -> bool:
    check_dtype("isdtype", dtype)
    if isinstance(kind, tuple):
        return any(isdtype(dtype, k) for k in kind)
    if isinstance(kind, str):
        return dtype in KINDS[kind]
    return dtype is kind


def result_type(*arrays_and_dtypes: Array | Scalar | torch.dtype) -> torch.dtype:
    dtypes = []
    scalars = []
    for a in arrays_and_dtypes:
        if isinstance(a, Array):
            dtypes.append(a._tensor.dtype)
        elif type(a) in SCALARS:
            scalars.append(a)
        else:
            dtypes.append(check_dtype("result_type", a))
    result = promote("result_type", *dtypes)
    for s in scalars:
        result = scalar_dtype("result_type", "a scalar", s, result)
    return result
