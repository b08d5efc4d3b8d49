"""Tensors from what is no tensor: NumPy's arrays and scalars, buffers, nested sequences."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy
import torch
from torch import Tensor

from xp_torch._kernels import interchange

from ._convert import PYTHON_NUMBERS, cast, default_dtype, full_scalar, promote_kinds
from ._dtypes import TORCH
from ._ndarray import ndarray


def tensor_from(
    name: str, x: Any, argument: str, dtype: torch.dtype | None = None, device: Any = None
) -> Tensor:
    """The tensor of an array-like that holds no tensor of its own."""
    if isinstance(x, (numpy.ndarray, numpy.generic)):
        return from_numpy(name, x, argument, device)
    if hasattr(x, "__dlpack__"):
        return interchange.from_dlpack(x)
    if isinstance(x, Sequence) and not isinstance(x, (str, bytes)):
        return _from_sequence(name, x, argument, dtype, device)
    raise TypeError(f"{name}: {argument} must be array-like, not {type(x).__name__}")


def from_numpy(name: str, x: Any, argument: str, device: Any = None) -> Tensor:
    """A real NumPy array's memory as a tensor; a copy where torch cannot describe it."""
    if x.dtype not in TORCH:
        raise TypeError(f"{name}: {argument} has dtype {x.dtype}, which torch has no storage for")
    if isinstance(x, numpy.generic) or not x.flags.writeable or any(s < 0 for s in x.strides):
        x = numpy.array(x)
    tensor = torch.from_numpy(x)
    return tensor if device is None else tensor.to(device)


def _leaves(x: Any, shape: list[int], depth: int = 0) -> list[Any]:
    """The leaves of nested sequences, level by level; ``shape`` grows with the levels."""
    level = [x]
    while level and isinstance(level[0], (list, tuple)):
        length = len(level[0])
        if any(not isinstance(v, (list, tuple)) or len(v) != length for v in level):
            raise ValueError(
                "setting an array element with a sequence. The requested array has an "
                f"inhomogeneous shape after {len(shape)} dimensions."
            )
        shape.append(length)
        level = [leaf for v in level for leaf in v]
    return level


def _from_sequence(name: str, x: Any, argument: str, dtype: Any, device: Any) -> Tensor:
    shape: list[int] = []
    leaves = _leaves(x, shape)
    kinds = set(map(type, leaves))
    if kinds <= PYTHON_NUMBERS:
        wanted = dtype or promote_kinds(name, leaves, kinds)
        return torch.tensor(leaves, dtype=wanted, device=device).reshape(shape)
    parts = [
        v._tensor if isinstance(v, ndarray)
        else v if isinstance(v, Tensor)
        else full_scalar(name, argument, v, default_dtype(name, v))
        if type(v) in PYTHON_NUMBERS
        else tensor_from(name, v, argument)
        for v in leaves
    ]  # fmt: skip
    from ._dtypes import promote

    wanted = dtype or promote(name, *[p.dtype for p in parts])
    stacked = torch.stack([cast(p, wanted) for p in parts])
    return stacked.reshape(*shape, *stacked.shape[1:])
