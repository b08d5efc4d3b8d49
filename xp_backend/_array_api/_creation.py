"""Operators that make tensors, and the casts."""

from __future__ import annotations

from typing import Any

import torch

from ._library import Blob, Library, Table


def table(lib: Library) -> Table:
    """The operators of this chapter."""
    xp = lib.xp

    def of_value(value: object) -> torch.dtype:
        """The dtype of ``torch.full`` for a number."""
        if isinstance(value, bool):
            return torch.bool
        if isinstance(value, int):
            return torch.int64
        default = torch.get_default_dtype()
        if isinstance(value, float):
            return default
        return torch.complex128 if default is torch.float64 else torch.complex64

    def typed(value: Any, dtype: torch.dtype) -> Any:
        """A number as the standard's ``full`` takes it for a dtype."""
        if dtype is torch.bool:
            return bool(value)
        if dtype.is_complex:
            return complex(value)
        if dtype.is_floating_point:
            return float(value)
        info = torch.iinfo(dtype)
        return (int(value) - info.min) % (info.max - info.min + 1) + info.min

    def full(size: Any, value: Any, *, dtype: torch.dtype | None = None) -> Blob:
        dtype = dtype or of_value(value)
        return xp.full(tuple(size), typed(value, dtype), dtype=lib.dtype(dtype))

    def zeros(size: object, *, dtype: torch.dtype | None = None) -> Blob:
        return full(size, 0, dtype=dtype or torch.get_default_dtype())

    def ones(size: object, *, dtype: torch.dtype | None = None) -> Blob:
        return full(size, 1, dtype=dtype or torch.get_default_dtype())

    def scalar(value: object, *, dtype: torch.dtype | None = None) -> Blob:
        return full((), value, dtype=dtype or torch.get_default_dtype())

    def full_like(x: Blob, value: object, *, dtype: torch.dtype | None = None) -> Blob:
        return full(x.shape, value, dtype=dtype or lib.of(x))

    def fill_tensor(x: Blob, value: Blob) -> Blob:
        return xp.asarray(lib.expand(lib.astype(value, lib.of(x)), x.shape), copy=True)

    def arange_step(start: Any, end: Any, step: Any = 1, *, dtype: Any = None) -> Blob:
        if dtype is None:
            whole = all(isinstance(v, int) for v in (start, end, step))
            dtype = torch.int64 if whole else torch.get_default_dtype()
        if step == 0 or (end - start) * step < 0:
            return NotImplemented  # the CPU has the errors
        if not all(isinstance(v, int) for v in (start, end, step)):
            return NotImplemented  # and the length, for floating-point steps
        count = max(-((start - end) // step), 0)
        # The standard leaves integer bounds with a floating-point dtype to int64.
        line = lib.arange(count) * step + start
        return lib.astype(line, dtype)

    def arange_start(start: object, end: object, *, dtype: object = None) -> Blob:
        return arange_step(start, end, 1, dtype=dtype)

    def arange(end: object, *, dtype: object = None) -> Blob:
        return arange_step(0, end, 1, dtype=dtype)

    def eye(n: int, m: int | None = None, *, dtype: torch.dtype | None = None) -> Blob:
        return xp.eye(n, m, dtype=lib.dtype(dtype or torch.get_default_dtype()))

    def to_copy(x: Blob, *, dtype: torch.dtype | None = None) -> Blob:
        return lib.astype(x, dtype) if dtype is not None else x

    return {
        "full.default": full, "zeros.default": zeros, "ones.default": ones,
        "scalar_tensor.default": scalar, "full_like.default": full_like,
        "zeros_like.default": lambda x, *, dtype=None: full_like(x, 0, dtype=dtype),
        "ones_like.default": lambda x, *, dtype=None: full_like(x, 1, dtype=dtype),
        "fill.Scalar": full_like, "fill.Tensor": fill_tensor,
        "arange.start_step": arange_step, "arange.start": arange_start, "arange.default": arange,
        "eye.default": eye, "eye.m": eye, "_to_copy.default": to_copy,
    }  # fmt: skip
