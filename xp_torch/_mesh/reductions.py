"""Reductions: each process reduces its own elements, and the results are reduced once more."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import torch
from torch import Tensor

from . import collectives
from .elementwise import common_axes, laid
from .layout import Layout, own, processes
from .schema import bound, mesh_of, mesh_tensors, name
from .tensor import MeshTensor, current

_KINDS = {
    "sum": "sum", "prod": "prod", "amax": "max", "amin": "min", "max": "max", "min": "min",
    "any": "max", "all": "min", "mean": "mean", "var": "var", "std": "std", "nansum": "sum",
    "count_nonzero": "sum", "linalg_vector_norm": "norm", "argmax": "argmax", "argmin": "argmin",
    "aminmax": "aminmax", "logsumexp": "logsumexp",
}  # fmt: skip


def applies(func: object) -> bool:
    return name(func) in _KINDS and not name(func).endswith("_")


def reduction(func: Any, args: Any, kwargs: Any) -> Any:
    """The rule; ``NotImplemented`` for a form that it does not have."""
    spread = mesh_tensors(args, kwargs)
    if len(spread) != 1 or type(args[0]) is not MeshTensor or "out" in kwargs:
        return NotImplemented
    x = current(args[0])
    given = bound(func, args, kwargs)
    if any(isinstance(v, Tensor) for k, v in given.items() if v is not x):
        return NotImplemented  # maximum of two arrays in its old form
    dims = given.get("dim")
    listed = [dims] if isinstance(dims, int) else dims
    every = not listed and not (listed == [] and name(func) in {"any", "all"})
    if listed == [] and not every:
        return NotImplemented
    axes = sorted({d % x.dim() for d in listed}) if listed and x.dim() else list(range(x.dim()))
    keepdim = bool(given.get("keepdim", False))
    kind = _KINDS[name(func)]
    if kind in {"max", "min"} and isinstance(dims, int) and name(func) in {"max", "min"}:
        return NotImplemented  # values and indices
    split = [m for m, a in enumerate(x.axes) if a in axes]
    if not split:
        result = _called(func, x.part, args, kwargs)
        return replaced_results(result, x, axes, keepdim)
    rule = _RULES.get(kind, _simple)
    return rule(func, x, args, kwargs, given, axes, keepdim, kind, split)


def _called(func: Any, part: Tensor, args: Any, kwargs: Any) -> Any:
    return func(part, *args[1:], **kwargs)


def replaced_results(result: Any, x: MeshTensor, axes: list[int], keepdim: bool) -> Any:
    layout = left(x, axes, keepdim)
    shape = [1 if i in axes else k for i, k in enumerate(x.shape) if keepdim or i not in axes]
    if isinstance(result, Tensor):
        return MeshTensor(result, x.mesh, layout, shape)
    return tuple(MeshTensor(r, x.mesh, layout, shape) for r in result)


def left(x: MeshTensor, axes: list[int], keepdim: bool) -> Layout:
    """The layout of ``x`` without the axes that are reduced."""
    return tuple(
        None if a is None or a in axes else a - (0 if keepdim else sum(r < a for r in axes))
        for a in x.axes
    )


def _simple(
    func: Any, x: MeshTensor, args: Any, kwargs: Any, given: Any, axes: Any, keepdim: Any,
    kind: str, split: list[int],
) -> Any:  # fmt: skip
    part = x.part
    if kind in {"max", "min"} and name(func) not in {"any", "all"}:
        if any(x.shape[a] == 0 for a in axes):
            return NotImplemented
        part = _not_empty(part, axes, kind)
    result = _called(func, part, args, kwargs)
    for m in split:
        boolean = result.dtype is torch.bool
        value = result.to(torch.uint8) if boolean else result
        value = collectives.summed(value, x.mesh, m, kind)
        result = value.to(torch.bool) if boolean else value
    return replaced_results(result, x, axes, keepdim)


def _not_empty(part: Tensor, axes: list[int], kind: str) -> Tensor:
    """A part to reduce; for a process without elements, one element that loses to any other."""
    if all(part.shape[a] for a in axes):
        return part
    shape = [1 if i in axes else k for i, k in enumerate(part.shape)]
    dtype = part.dtype
    if dtype is torch.bool:
        return part.new_full(shape, kind == "min")
    if dtype.is_floating_point:
        return part.new_full(shape, -math.inf if kind == "max" else math.inf)
    info = torch.iinfo(dtype)
    return torch.full(
        shape, info.min if kind == "max" else info.max, dtype=dtype, device=part.device
    )


def _total(part: Tensor, x: MeshTensor, axes: list[int], split: list[int], dtype: Any) -> Tensor:
    return _summed(part.sum(axes, keepdim=True, dtype=dtype), x, split)


def _summed(result: Tensor, x: MeshTensor, split: list[int]) -> Tensor:
    for m in split:
        result = collectives.summed(result, x.mesh, m)
    return result


def _accumulator(dtype: torch.dtype) -> torch.dtype:
    return torch.float32 if dtype in (torch.float16, torch.bfloat16) else dtype


def _count(x: MeshTensor, axes: list[int]) -> int:
    return math.prod(x.shape[a] for a in axes)


def _dropped(result: Tensor, axes: list[int], keepdim: bool) -> Tensor:
    if keepdim:
        return result
    for a in reversed(axes):
        result = result.select(a, 0)
    return result


def _mean(
    func: Any, x: MeshTensor, args: Any, kwargs: Any, given: Any, axes: Any, keepdim: Any,
    kind: str, split: list[int],
) -> Any:  # fmt: skip
    dtype = given.get("dtype") or x.dtype
    if not (dtype.is_floating_point or dtype.is_complex) or not _count(x, axes):
        return NotImplemented
    total = _total(x.part, x, axes, split, _accumulator(dtype)) / _count(x, axes)
    return replaced_results(_dropped(total.to(dtype), axes, keepdim), x, axes, keepdim)


def _var(
    func: Any, x: MeshTensor, args: Any, kwargs: Any, given: Any, axes: Any, keepdim: Any,
    kind: str, split: list[int],
) -> Any:  # fmt: skip
    count = _count(x, axes)
    correction = given.get("correction", 1)
    correction = 1 if correction is None else correction
    if "unbiased" in given or not x.dtype.is_floating_point or count <= correction:
        return NotImplemented
    part = x.part.to(_accumulator(x.dtype))
    own = math.prod(part.shape[a] for a in axes)
    # The squares around the mean of each part, and those of the parts' means around that of all:
    # https://en.wikipedia.org/wiki/Algorithms_for_calculating_variance#Parallel_algorithm
    if own:
        spread, mean = torch.var_mean(part, axes, correction=0, keepdim=True)
    else:
        spread = mean = part.sum(axes, keepdim=True)
    whole = _summed(mean * (own / count), x, split)
    squares = _summed((spread + (mean - whole).square()) * own, x, split)
    result = squares / (count - correction)
    result = (result.sqrt() if kind == "std" else result).to(x.dtype)
    return replaced_results(_dropped(result, axes, keepdim), x, axes, keepdim)


def _norm(
    func: Any, x: MeshTensor, args: Any, kwargs: Any, given: Any, axes: Any, keepdim: Any,
    kind: str, split: list[int],
) -> Any:  # fmt: skip
    order = given["ord"]
    if given.get("dtype") is not None or order not in (1, 2, math.inf, 0) or not x.numel():
        return NotImplemented
    size = x.part.abs()
    wide = _accumulator(size.dtype)
    if order == math.inf:
        result = _not_empty(size, axes, "max").amax(axes, keepdim=True)
        for m in split:
            result = collectives.summed(result, x.mesh, m, "max")
    elif order == 0:
        result = _total((size != 0).to(size.dtype), x, axes, split, wide)
    elif order == 1:
        result = _total(size, x, axes, split, wide)
    else:
        result = _total(size.to(wide).square(), x, axes, split, wide).sqrt()
    return replaced_results(_dropped(result.to(size.dtype), axes, keepdim), x, axes, keepdim)


def _arg(
    func: Any, x: MeshTensor, args: Any, kwargs: Any, given: Any, axes: Any, keepdim: Any,
    kind: str, split: list[int],
) -> Any:  # fmt: skip
    if (given.get("dim") is None and x.dim() != 1) or len(split) != 1 or not x.numel():
        return NotImplemented
    (m,), (axis,) = split, axes
    start, _ = own(x.shape[axis], x.mesh, m)
    p = processes(x.mesh, m)
    filled = _not_empty(x.part, axes, kind[3:])
    index = func(filled, axis, True)
    values = collectives.stacked(filled.gather(axis, index), x.mesh, m)
    indices = collectives.stacked(index + start, x.mesh, m)
    some = sum(b < x.shape[axis] for b in (r * -(-x.shape[axis] // p) for r in range(p)))
    best = func(values[:some], 0, True)
    result = indices[:some].gather(0, best)[0]
    return replaced_results(_dropped(result, axes, keepdim), x, axes, keepdim)


def _aminmax(
    func: Any, x: MeshTensor, args: Any, kwargs: Any, given: Any, axes: Any, keepdim: Any,
    kind: str, split: list[int],
) -> Any:  # fmt: skip
    if any(x.shape[a] == 0 for a in axes):
        return NotImplemented
    out = []
    for side in ("min", "max"):
        part = _not_empty(x.part, axes, side)
        result = part.amin(axes, True) if side == "min" else part.amax(axes, True)
        for m in split:
            result = collectives.summed(result, x.mesh, m, side)
        out.append(_dropped(result, axes, keepdim))
    return replaced_results(tuple(out), x, axes, keepdim)


def _logsumexp(
    func: Any, x: MeshTensor, args: Any, kwargs: Any, given: Any, axes: Any, keepdim: Any,
    kind: str, split: list[int],
) -> Any:  # fmt: skip
    if not x.dtype.is_floating_point or any(x.shape[a] == 0 for a in axes):
        return NotImplemented
    wide = _accumulator(x.dtype)
    most = _not_empty(x.part, axes, "max").to(wide).amax(axes, True)
    for m in split:
        most = collectives.summed(most, x.mesh, m, "max")
    most = torch.where(most.isinf(), 0, most)  # inf - inf is NaN
    result = _total((x.part.to(wide) - most).exp(), x, axes, split, wide).log() + most
    return replaced_results(_dropped(result.to(x.dtype), axes, keepdim), x, axes, keepdim)


def close(func: object, args: Any, kwargs: object) -> Any:
    """Whether two tensors are equal to rounding: each process compares its own elements."""
    given = bound(func, args, kwargs)
    options = [given[k] for k in ("rtol", "atol", "equal_nan")]
    return _agreed(args[0], args[1], lambda a, b: torch.allclose(a, b, *options))


def equal(func: object, args: Any, kwargs: object) -> Any:
    """Whether two tensors have the same elements: each process compares its own."""
    return _agreed(args[0], args[1], torch.equal)


def _agreed(a: Tensor, b: Tensor, compare: Callable[[Tensor, Tensor], bool]) -> Any:
    spread = [t for t in (a, b) if type(t) is MeshTensor]
    mesh = mesh_of(compare, spread)
    if a.shape != b.shape or a.dtype != b.dtype:
        return NotImplemented
    axes = common_axes(spread, a.shape)
    same = compare(laid(a, mesh, axes), laid(b, mesh, axes))
    found = torch.tensor([same], dtype=torch.uint8, device=a.device)
    for m, axis in enumerate(axes):
        if axis is not None:
            found = collectives.summed(found, mesh, m, "min")
    return bool(found.item())


_RULES: dict[str, Any] = {
    "mean": _mean, "var": _var, "std": _var, "norm": _norm, "argmax": _arg, "argmin": _arg,
    "aminmax": _aminmax, "logsumexp": _logsumexp,
}  # fmt: skip
