"""Tensors without values, for the time of a trace by Dynamo.

A traced tensor holds the fake tensor that stands for it. Its operators run on the fake tensors,
which know shapes and dtypes; nothing of the library is called.
"""

from __future__ import annotations

from typing import Any

import torch
from torch import Tensor

from ._torch_internals import correct_aliasing, make_wrapper, tensors_in


def abstract(kind: Any, shadow: Tensor) -> Any:
    """A tensor of the backend that stands for no values."""
    kind.traced = True
    tensor = make_wrapper(
        kind, shadow.shape, strides=shadow.stride(), storage_offset=shadow.storage_offset(),
        dtype=shadow.dtype, device=kind.environment.device, requires_grad=shadow.requires_grad,
    )  # fmt: skip
    tensor._shadow = shadow
    tensor.cell = None
    tensor.whole = False
    return tensor


def dispatch(kind: Any, op: Any, args: tuple[object, ...], kwargs: dict[str, object]) -> Any:
    """The operator on fake tensors; NotImplemented where no argument is traced."""
    if not any(isinstance(t, kind) and t.cell is None for t in tensors_in([args, kwargs])):
        return NotImplemented
    name = kind.environment.device.type

    def down(value: Any) -> Any:
        if isinstance(value, kind):
            return value.shadow
        if isinstance(value, Tensor) and value.device.type == name:
            return torch.empty_strided(
                value.shape, value.stride(), dtype=value.dtype, device="meta"
            )
        if isinstance(value, torch.device) and value.type == name:
            return torch.device("meta")
        if isinstance(value, (list, tuple)):
            return type(value)([down(v) for v in value])
        return value

    def up(value: object) -> Any:
        if isinstance(value, Tensor):
            return abstract(kind, value) if value.is_meta else value
        if isinstance(value, (list, tuple)):
            return type(value)([up(v) for v in value])
        return value

    found = op(*down(args), **{k: down(v) for k, v in kwargs.items()})
    return correct_aliasing(op, args, kwargs, up(found))
