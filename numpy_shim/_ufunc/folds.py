"""How a ufunc folds along axes: its loop, its start, and the kernel or the fold that does it.

Reductions that torch has go to the kernels that ``sum``, ``prod``, ``max`` and their like
use too; the others are folds of the ufunc's own function.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy
import torch
from torch import Tensor

from xp_torch._core.dtypes import SIGNED_TWIN
from xp_torch._kernels import reductions as shared
from xp_torch._kernels import searching

from .._core.axes import broadcast_shapes
from .._core.dtypes import COMPLEXES, HALVES, NUMPY
from .._core.tracing import constant
from .._kernels import folds, reductions
from .._kernels.numbers import full_scalar
from .spec import Loop, Spec, make_loop, no_loop, stored

Axes = tuple[int, ...]


def _with_dtype(function: Callable[..., Tensor]) -> Callable[..., Tensor]:
    return lambda x, axes, keepdims: function(x, axes, keepdims, x.dtype)


_REDUCERS: dict[str, Callable[[Tensor, Axes, bool], Tensor]] = {
    "add": _with_dtype(reductions.sum),
    "multiply": _with_dtype(reductions.prod),
    "maximum": reductions.max,
    "minimum": reductions.min,
    "logical_and": reductions.all,
    "logical_or": reductions.any,
    "logical_xor": folds.parity,
    "logaddexp": folds.log_sum_exp,
}
"""The reductions that torch has, of tensors in the dtype computed in."""

SCANS: dict[str, Callable[[Tensor, int], Tensor]] = {
    "add": lambda x, axis: shared.cumulative_sum(x, axis, x.dtype, False),
    "multiply": lambda x, axis: shared.cumulative_prod(x, axis, x.dtype, False),
    "maximum": lambda x, axis: folds.running_extremum(torch.cummax, x, axis),
    "minimum": lambda x, axis: folds.running_extremum(torch.cummin, x, axis),
    "logaddexp": torch.logcumsumexp,
}
"""The accumulations that torch has."""

NOT_COMPLEX = frozenset({"maximum", "minimum"})

REORDERABLE = frozenset({
    "add", "multiply", "maximum", "minimum", "fmax", "fmin", "logical_and", "logical_or",
    "logical_xor", "logaddexp", "logaddexp2", "hypot", "gcd", "bitwise_and", "bitwise_or",
    "bitwise_xor",
})  # fmt: skip
"""Ufuncs that reduce over several axes: any order gives the result."""

_FROM_IDENTITY = frozenset({"gcd", "hypot"})
"""Folds that start from 0, which tells for a single element: it loses its sign."""

_ROUNDED_ONCE = frozenset({"subtract", "divide"})
"""Ordered folds of 16-bit floats that NumPy keeps in float32 up to the end of a row."""

_reduction_dtypes: dict[Any, tuple[torch.dtype, ...]] = {}


@constant
def _dtypes_of_reduction(name: str, source: Any, out: Any, dtype: Any) -> tuple[torch.dtype, ...]:
    """The dtypes of a reduction; NumPy is asked once, and answers a trace as a constant."""
    known = (name, source, out, dtype)
    dtypes = _reduction_dtypes.get(known)
    if dtypes is None:
        signature = {} if dtype is None else {"signature": (NUMPY[dtype], None, None)}
        resolved = getattr(numpy, name).resolve_dtypes(
            (None if out is None else NUMPY[out], NUMPY[source], None),
            reduction=True,
            casting="unsafe",
            **signature,
        )
        dtypes = stored(resolved)
        if dtypes is None:
            raise no_loop(name, (source, source))
        _reduction_dtypes[known] = dtypes
    return dtypes


def reduction_loop(spec: Spec, source: Any, out: Any, dtype: Any) -> Loop:
    """The loop of a reduction of ``source``, into ``out`` or in ``dtype`` if they are given."""
    return make_loop(spec.functions, _dtypes_of_reduction(spec.name, source, out, dtype), 2)


def identity_of(name: str, identity: Any, dtype: torch.dtype, device: Any) -> Tensor | None:
    """What a reduction of nothing gives; ``None`` where there is no such value."""
    if identity is None:
        return None
    if name == "bitwise_and":
        zero = torch.zeros((), dtype=SIGNED_TWIN.get(dtype, dtype), device=device)
        return torch.bitwise_not(zero).view(dtype)
    return full_scalar(name, "initial", identity, dtype, device)


def combined(
    spec: Spec, loop: Loop, x: Tensor, axes: Axes, keepdims: bool, mask: Tensor | None = None
) -> Tensor:
    """The reduction of at least one element, over some axes; ``mask`` is for ordered folds."""
    name = spec.name
    reducer = _REDUCERS.get(name)
    if reducer is not None and not (name in NOT_COMPLEX and x.dtype in COMPLEXES):
        return reducer(x, axes, keepdims)
    if not axes:
        result = x.clone()
    elif name in REORDERABLE:
        result = folds.pairwise(loop.function, folds.gathered(x, axes))
    else:
        rows = None if mask is None else folds.gathered(mask, axes)
        dtype = loop.outputs[0]
        kept = torch.float32 if dtype in HALVES and name in _ROUNDED_ONCE else dtype
        result = folds.sequential(loop.function, folds.gathered(x, axes), kept, rows).to(dtype)
    if name in _FROM_IDENTITY:
        result = loop.function(torch.zeros_like(result), result)
    if keepdims:
        result = result.reshape([1 if i in axes else n for i, n in enumerate(x.shape)])
    return result


def masked(name: str, x: Tensor, mask: Tensor, fill: Tensor | None) -> tuple[Tensor, Tensor]:
    """``x`` with what leaves the result alone where the mask is false, and the whole mask.

    What a fold in order has no neutral element for it passes over.
    """
    if fill is None:
        raise ValueError(
            f"reduction operation {name!r} does not have an identity, so to use a where mask one "
            "has to specify 'initial'"
        )
    shape = broadcast_shapes(name, x.shape, mask.shape)
    x, mask = x.expand(shape), mask.expand(shape)
    if name not in REORDERABLE:
        return x, mask
    return searching.where(mask, x, fill.to(x.dtype)), mask


def of_nothing(
    name: str,
    x: Tensor,
    axes: Axes,
    keepdims: bool,
    identity: Tensor | None,
    dtype: torch.dtype,
) -> Tensor:
    """The result of a reduction of no elements."""
    if identity is None:
        raise ValueError(f"zero-size array to reduction operation {name} which has no identity")
    shape = [1 if i in axes else n for i, n in enumerate(x.shape) if keepdims or i not in axes]
    return identity.to(dtype).expand(shape).clone()
