"""Operators of torch for which its ONNX converter has no translation, or one that is not exact."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy
import torch
from onnxscript import ir
from onnxscript import opset18 as op


def _scalar_tensor(value: object, dtype: int = 1, **options: object) -> Any:
    """A number as a tensor. torch's own translation rounds Python's floats to float32 first."""
    kind = ir.DataType(int(dtype))
    if isinstance(value, (bool, int, float)):
        return op.Constant(value=ir.tensor(numpy.array(value, kind.numpy())))
    return op.Cast(value, to=kind)


def _sort(
    x: object, *, stable: object = True, dim: int = -1, descending: bool = False
) -> tuple[Any, Any]:
    """Sorted values and where they stood; of equal ones ``TopK`` gives the first one first."""
    size = op.Gather(op.Shape(x), op.Constant(value_ints=[dim]))
    values, indices = op.TopK(x, size, axis=dim, largest=int(descending), sorted=1)
    return values, indices


def _signbit(x: object) -> Any:
    """Whether numbers are negative, or the negative zero, whose reciprocal is."""
    zero = _like(0.0, x)
    return op.Or(op.Less(x, zero), op.Less(op.Reciprocal(x), zero))


def _log10(x: object) -> Any:
    """The decimal logarithm, with the constant in double precision."""
    return op.Div(op.Log(x), _like(math.log(10), x))


def _log2(x: object) -> Any:
    """The binary logarithm, with the constant in double precision."""
    return op.Div(op.Log(x), _like(math.log(2), x))


def _full(size: Any, value: object, dtype: int = 1, **options: object) -> Any:
    """An array of one number, which is rounded once."""
    one = op.Constant(value_ints=[1])
    sizes = [
        op.Constant(value_ints=[n]) if isinstance(n, int) else op.Reshape(n, one) for n in size
    ]
    number = _scalar_tensor(value, dtype)
    return op.Expand(number, op.Concat(*sizes, axis=0)) if sizes else number


def _new_full(x: Any, size: Any, value: Any, dtype: int = 0, **options: object) -> Any:
    """As ``full``, of the dtype of ``x`` unless another is given."""
    return _full(size, value, dtype or x.dtype)


def _pow(base: Any, x: Any) -> Any:
    """A number to the power of an array."""
    if isinstance(base, float) and not x.dtype.is_floating_point():
        x = op.Cast(x, to=ir.DataType.DOUBLE)
    return op.Pow(_like(base, x), x)


def _like(number: float, x: object) -> Any:
    """A constant of the dtype of ``x``, rounded once."""
    return op.CastLike(op.Constant(value=ir.tensor(numpy.array(number, numpy.float64))), x)


TRANSLATIONS: dict[Callable[..., Any], Callable[..., Any]] = {
    torch.ops.aten.scalar_tensor.default: _scalar_tensor,
    torch.ops.aten.full.default: _full,
    torch.ops.aten.log10.default: _log10,
    torch.ops.aten.log2.default: _log2,
    torch.ops.aten.new_full.default: _new_full,
    torch.ops.aten.pow.Scalar: _pow,
    torch.ops.aten.sort.stable: _sort,
    torch.ops.prims.signbit.default: _signbit,
}
"""``torch.onnx.export``'s table of translations by operator."""
