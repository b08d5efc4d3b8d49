"""Operators of torch for which its ONNX converter has no translation, or one that is not exact."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy
import torch
from onnxscript import ir
from onnxscript import opset18 as op


def _scalar_tensor(value: Any, dtype: int = 1, **options: object) -> Any:
    """A number as a tensor. torch's own translation rounds Python's floats to float32 first."""
    kind = ir.DataType(int(dtype))
    if isinstance(value, (bool, int, float)):
        return op.Constant(value=ir.tensor(numpy.array(value, kind.numpy())))
    return op.Cast(value, to=kind)


def _sort(
    x: Any, *, stable: object = True, dim: int = -1, descending: bool = False
) -> tuple[Any, Any]:
    """Sorted values and where they stood; of equal ones ``TopK`` gives the first one first."""
    size = op.Gather(op.Shape(x), op.Constant(value_ints=[dim]))
    values, indices = op.TopK(x, size, axis=dim, largest=int(descending), sorted=1)
    return values, indices


def _signbit(x: Any) -> Any:
    """Whether numbers are negative, or the negative zero, whose reciprocal is."""
    zero = op.CastLike(op.Constant(value_float=0.0), x)
    return op.Or(op.Less(x, zero), op.Less(op.Reciprocal(x), zero))


TRANSLATIONS: dict[Callable[..., Any], Callable[..., Any]] = {
    torch.ops.aten.scalar_tensor.default: _scalar_tensor,
    torch.ops.aten.sort.stable: _sort,
    torch.ops.prims.signbit.default: _signbit,
}
"""``torch.onnx.export``'s table of translations by operator."""
