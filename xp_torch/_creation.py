"""The chapter *Creation functions*."""

from __future__ import annotations

import math
import operator
from itertools import chain
from typing import Any, Literal

import torch
from torch import Tensor

from . import _flags
from ._array import Array, Scalar
from ._core import defaults
from ._core.axes import normalize_shape
from ._core.box import box
from ._core.dtypes import BOUNDS
from ._data_types import check_dtype
from ._dispatch import tensor_of, type_name
from ._kernels import creation as kernels

__all__ = [
    "arange",
    "asarray",
    "empty",
    "empty_like",
    "eye",
    "from_dlpack",
    "full",
    "full_like",
    "linspace",
    "meshgrid",
    "ones",
    "ones_like",
    "tril",
    "triu",
    "zeros",
    "zeros_like",
]


def _infer(kinds: set[type], flat: list[Any]) -> torch.dtype:
    if complex in kinds:
        return defaults.complex_dtype()
    if float in kinds:
        return defaults.float_dtype()
    if int in kinds:
        return torch.uint64 if max(flat) >= 2**63 else torch.int64
    if bool in kinds:
        return torch.bool
    return defaults.float_dtype()


def asarray(
    obj: Any, /, *, dtype: torch.dtype | None = None, device: Any = None, copy: bool | None = None
) -> Array:
    if isinstance(obj, Array):
        obj = obj._tensor
    if isinstance(obj, Tensor):
        t = obj.to(dtype=dtype, device=device)
        if copy and t is obj:
            t = t.clone()
        if copy is False and t is not obj:
            raise ValueError("asarray: copy")
        return box(Array, t)
    flat = [obj]
    shape = []
    while True:
        kinds = set(map(type, flat))
        if not kinds & {list, tuple}:
            break
        n = len(flat[0])
        shape.append(n)
        flat = list(chain.from_iterable(flat))
        if not flat:
            kinds = set()
            break
    dtype = _infer(kinds, flat) if dtype is None else dtype
    return box(Array, torch.tensor(flat, dtype=dtype, device=device).reshape(shape))


def from_dlpack(x: Any, /, *, device: Any = None, copy: bool | None = None) -> Array:
    if isinstance(x, Array):
        x = x._tensor
    return box(Array, torch.from_dlpack(x, device=device, copy=copy))


def arange(
    start: float,
    /,
    stop: float | None = None,
    step: float = 1,
    *,
    dtype: torch.dtype | None = None,
    device: Any = None,
) -> Array:
    if stop is None:
        start, stop = 0, start
    if dtype is None:
        dtype = (
            torch.int64
            if all(isinstance(v, int) for v in (start, stop, step))
            else defaults.float_dtype()
        )
    if not dtype.is_floating_point:
        return box(
            Array, kernels.arange_int(start, step, len(range(start, stop, step)), dtype, device)
        )
    if (stop - start) / step <= 0:
        return box(Array, torch.empty(0, dtype=dtype, device=device))
    return box(Array, torch.arange(start, stop, step, dtype=dtype, device=device))


def empty(shape: int | tuple[int, ...], *, dtype: torch.dtype | None = None, device: Any = None) -> Array:
    return box(Array, torch.empty(shape, dtype=dtype or defaults.float_dtype(), device=device))


def zeros(shape: int | tuple[int, ...], *, dtype: torch.dtype | None = None, device: Any = None) -> Array:
    return box(Array, torch.zeros(shape, dtype=dtype or defaults.float_dtype(), device=device))


def ones(shape: int | tuple[int, ...], *, dtype: torch.dtype | None = None, device: Any = None) -> Array:
    return box(Array, torch.ones(shape, dtype=dtype or defaults.float_dtype(), device=device))


def full(shape: int | tuple[int, ...], fill_value: Scalar, *, dtype: torch.dtype | None = None, device: Any = None) -> Array:
    dtype = dtype or _infer({type(fill_value)}, [fill_value])
    return box(Array, kernels.full(normalize_shape("full", shape), fill_value, dtype, device))


def empty_like(x: Array, /, *, dtype: torch.dtype | None = None, device: Any = None) -> Array:
    return empty(x.shape, dtype=dtype or x.dtype, device=device or x.device)


def zeros_like(x: Array, /, *, dtype: torch.dtype | None = None, device: Any = None) -> Array:
    return zeros(x.shape, dtype=dtype or x.dtype, device=device or x.device)


def ones_like(x: Array, /, *, dtype: torch.dtype | None = None, device: Any = None) -> Array:
    return ones(x.shape, dtype=dtype or x.dtype, device=device or x.device)


def full_like(x: Array, /, fill_value: Scalar, *, dtype: torch.dtype | None = None, device: Any = None) -> Array:
    return full(x.shape, fill_value, dtype=dtype or x.dtype, device=device or x.device)


def eye(
    n_rows: int,
    n_cols: int | None = None,
    /,
    *,
    k: int = 0,
    dtype: torch.dtype | None = None,
    device: Any = None,
) -> Array:
    return box(
        Array,
        kernels.eye(n_rows, n_rows if n_cols is None else n_cols, k, dtype or defaults.float_dtype(), device),
    )


def linspace(
    start: complex,
    stop: complex,
    /,
    num: int,
    *,
    dtype: torch.dtype | None = None,
    device: Any = None,
    endpoint: bool = True,
) -> Array:
    if dtype is None:
        dtype = _infer({type(start), type(stop), float}, [])
    return box(Array, kernels.linspace(start, stop, num, dtype, device, endpoint))


def meshgrid(*arrays: Array, indexing: Literal["xy", "ij"] = "xy") -> Any:
    grids = torch.meshgrid(*[a._tensor for a in arrays], indexing=indexing)
    made = [box(Array, g.clone(memory_format=torch.contiguous_format)) for g in grids]
    return made if _flags.api_version < "2025.12" else tuple(made)


def tril(x: Array, /, *, k: int = 0) -> Array:
    return box(Array, kernels.tril(tensor_of("tril", "x", x), k))


def triu(x: Array, /, *, k: int = 0) -> Array:
    return box(Array, kernels.triu(tensor_of("triu", "x", x), k))
