"""Arrays from data, and arrays filled with what is asked for."""

from __future__ import annotations

from typing import Any

import torch

from ._axes import normalize_shape
from ._convert import as_tensor, cast
from ._dtypes import torch_dtype
from ._ndarray import array_of, ndarray

__all__ = ["array", "asarray", "empty", "ones", "zeros"]


def array(object: Any, dtype: Any = None) -> ndarray:
    """An array of the data in ``object``."""
    tensor = as_tensor("array", object, "object")
    if dtype is not None:
        tensor = cast(tensor, torch_dtype("array", dtype))
    return array_of(tensor.clone())


def asarray(a: Any, dtype: Any = None) -> ndarray:
    """An array of the data in ``a``."""
    if dtype is None and isinstance(a, ndarray):
        return a
    tensor = as_tensor("asarray", a)
    return array_of(tensor if dtype is None else cast(tensor, torch_dtype("asarray", dtype)))


def zeros(shape: Any, dtype: Any = float) -> ndarray:
    """Zeros."""
    return array_of(torch.zeros(normalize_shape("zeros", shape), dtype=torch_dtype("zeros", dtype)))


def ones(shape: Any, dtype: Any = None) -> ndarray:
    """Ones."""
    return array_of(torch.ones(normalize_shape("ones", shape), dtype=torch_dtype("ones", dtype)))


def empty(shape: Any, dtype: Any = float) -> ndarray:
    """Uninitialized."""
    return array_of(torch.empty(normalize_shape("empty", shape), dtype=torch_dtype("empty", dtype)))
