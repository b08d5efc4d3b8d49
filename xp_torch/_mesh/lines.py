"""Operations along some axes, each line by itself: sorting, cumulative sums, FFTs, matrices.

Where the split axis is none of them, each process works on its own lines. Else the array is split
along another axis for the operation, so that no process receives more than its share; a cumulative
sum only needs the totals of the processes before, and a shift only the rows at the borders.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import torch
from torch import Tensor

from .._kernels.manipulation import flip
from . import collectives
from .elementwise import laid
from .layout import Layout, bounds, leaves_empty, own, position, processes
from .schema import bound, mesh_of, mesh_tensors, name, replaced, tensors_in, written
from .tensor import MeshTensor, current, replicated

aten = torch.ops.aten


def _dim(given: dict[str, Any], ndim: int) -> list[int] | None:
    dim = given.get("dim", -1)
    return None if dim is None or not ndim else [dim % ndim]


def _dims(given: dict[str, Any], ndim: int) -> list[int] | None:
    dims = given.get("dims", given.get("dim"))
    return [d % ndim for d in dims] if dims else None


def _last(count: int) -> Callable[[dict[str, Any], int], list[int] | None]:
    return lambda given, ndim: list(range(ndim - count, ndim)) if ndim >= count else None


def _padded(given: dict[str, Any], ndim: int) -> list[int] | None:
    pad = given["pad"]
    return [ndim - 1 - i // 2 for i, k in enumerate(pad) if k]


_ALONG: dict[str, Callable[[dict[str, Any], int], list[int] | None]] = {
    **dict.fromkeys(
        ("sort", "argsort", "topk", "kthvalue", "cumsum", "cumprod", "cummax", "cummin", "mode",
         "_cummax_helper", "logcumsumexp", "_softmax", "_log_softmax", "median", "nanmedian",
         "gather", "max", "min", "linalg_cross", "cumsum_", "cumprod_", "scatter", "scatter_add",
         "scatter_reduce", "argmax", "argmin"),
        _dim,
    ),
    **dict.fromkeys(
        ("flip", "roll", "_fft_c2c", "_fft_r2c", "_fft_c2r"), _dims
    ),
    **dict.fromkeys(
        ("triu", "tril", "linalg_cholesky_ex", "linalg_inv_ex", "linalg_lu_factor_ex",
         "linalg_qr", "linalg_eig", "_linalg_svd", "_linalg_eigh", "_linalg_det",
         "_linalg_slogdet", "linalg_matrix_exp", "linalg_pinv", "_linalg_eigvals",
         "linalg_eigvals", "_linalg_solve_ex", "linalg_solve_triangular",
         "diag_embed", "linalg_lu", "linalg_ldl_factor_ex"),
        _last(2),
    ),
    "constant_pad_nd": _padded,
}  # fmt: skip
_KEPT = {"sort", "argsort", "cumsum", "cumprod", "cummax", "cummin", "logcumsumexp", "_softmax",
         "_log_softmax", "flip", "roll", "_fft_c2c", "_fft_r2c", "_fft_c2r", "triu", "tril",
         "gather", "linalg_cross", "topk", "scatter", "scatter_add",
         "cumsum_", "cumprod_", "constant_pad_nd", "diag_embed"}  # fmt: skip
"""Operations whose results have every axis of the operand, in its place."""


def applies(func: object) -> bool:
    return name(func) in _ALONG


def lines(func: Any, args: Any, kwargs: Any) -> Any:
    """The rule; ``NotImplemented`` for a form that it does not have."""
    spread = mesh_tensors(args, kwargs)
    x = args[0]
    if name(func) == "scatter_add" and (type(x) is not MeshTensor or replicated(x)):
        return _added(func, x, bound(func, args, kwargs), mesh_of(func, spread))
    if type(x) is not MeshTensor or not x.dim() or kwargs.get("out") is not None:
        return NotImplemented
    if written(func, args, kwargs):
        return NotImplemented
    mesh = mesh_of(func, spread)
    given = bound(func, args, kwargs)
    kind = name(func)
    if kind == "roll" and not given["dims"]:
        flat = aten.view(x, [-1]) if x.is_contiguous() else aten.view(aten.clone(x), [-1])
        return aten.view(aten.roll(flat, given["shifts"], [0]), x.shape)
    if kind in {"gather", "scatter", "scatter_add", "scatter_reduce"} and any(
        t.dim() != x.dim() for t in tensors_in(*args[1:], kwargs)
    ):
        return NotImplemented
    if kind in {"max", "min", "median", "nanmedian"} and "dim" not in given:
        return NotImplemented  # of two arrays, or of all elements
    core = _ALONG[kind](given, x.dim())
    if core is None:
        return NotImplemented
    lead = [t for t in spread if not replicated(t)]
    owner = x if not replicated(x) else lead[0]
    if owner.dim() != x.dim():
        return NotImplemented
    axes = owner.axes
    split = [(m, a) for m, a in enumerate(axes) if a in core]
    if not split:
        return _on_own(func, args, kwargs, mesh, axes, core, given)
    if kind in _BORDERS and len(split) == 1:
        made = _BORDERS[kind](func, current(x), args, kwargs, given, *split[0])
        if made is not NotImplemented:
            return made
    if kind.startswith("_fft") and len(core) > 1 and len(split) == 1:
        return _by_axes(func, x, given, split[0][1])
    free = [a for a in range(x.dim()) if a not in core and a not in axes and x.shape[a] > 1]
    if not free or len(axes) > 1:
        return NotImplemented
    other = max(free, key=lambda a: x.shape[a])
    made = _on_own(func, args, kwargs, mesh, (other,), core, given)
    if made is NotImplemented or kind not in _KEPT:
        return made
    return replaced(made, lambda r: _back(r, mesh, axes))


def _back(r: Tensor, mesh: object, axes: Layout) -> MeshTensor:
    return MeshTensor(laid(r, mesh, axes), mesh, axes, r.shape)


def _on_own(
    func: Any, args: Any, kwargs: Any, mesh: Any, axes: Layout, core: list[int],
    given: dict[str, object],
) -> Any:  # fmt: skip
    """Each process works on its own lines, of operands split along the same axes."""
    x = args[0]
    if leaves_empty(x.shape, mesh, axes) and (len(axes) > 1 or "linalg" in name(func)):
        return NotImplemented  # torch refuses empty tensors in some of these, on one process only
    others = [t for t in tensors_in(*args, kwargs) if t is not x]
    for t in others:
        if t.dim() != x.dim() or any(a is not None and t.shape[a] != x.shape[a] for a in axes):
            return NotImplemented
    parts = {id(t): laid(t, mesh, axes) for t in (x, *others)}
    # A process that has no lines computes one of zeros, and forgets it.
    idle = next((a for a in axes if a is not None and not parts[id(x)].shape[a] and x.shape[a]), -1)
    if idle >= 0:
        parts = {k: _one_line(t, idle) for k, t in parts.items()}

    def part_of(t: Tensor) -> Tensor:
        return parts[id(t)]

    def compute() -> Any:
        return func(*replaced(args, part_of), **replaced(kwargs, part_of))

    may_fail = "linalg" in name(func) or "gather" in name(func) or "scatter" in name(func)
    result = collectives.together(mesh, compute) if may_fail else compute()
    keep = name(func) in _KEPT or given.get("keepdim") is True

    def wrapped(r: Tensor) -> Any:
        new: list[int | None] = []
        for a in axes:
            if a is None or (r.dim() == x.dim()) or keep:
                new.append(a)
            else:
                removed = 0
                if not name(func).strip("_").startswith("linalg"):
                    removed = sum(c < a for c in core)
                new.append(a - removed)
        shape = list(r.shape)
        for a, b in zip(axes, new, strict=True):
            if a is not None and b is not None:
                shape[b] = x.shape[a]
                if idle >= 0:
                    r = r.narrow(b, 0, 0)
        return MeshTensor(r, mesh, tuple(new), shape)

    return replaced(result, wrapped)


def _one_line(t: Tensor, axis: int) -> Tensor:
    return t.new_zeros([1 if i == axis else k for i, k in enumerate(t.shape)])


def _by_axes(func: Any, x: Any, given: dict[str, Any], split: int) -> Any:
    """A Fourier transform along several axes, the split one by itself."""
    dims = [d % x.dim() for d in given["dim"]]
    norm = given["normalization"]
    if name(func) == "_fft_c2c":
        forward = given["forward"]
        made = func(x, [d for d in dims if d != split], norm, forward)
        return func(made, [split], norm, forward)
    if name(func) == "_fft_r2c":
        if not given["onesided"]:
            return NotImplemented
        made = func(x, dims[-1:], norm, True)
        return aten._fft_c2c(made, dims[:-1], norm, True)
    made = aten._fft_c2c(x, dims[:-1], norm, False)
    return func(made, dims[-1:], norm, given["last_dim_size"])


def _added(func: Any, x: Tensor, given: Any, mesh: Any) -> Any:
    """Sums by position, as in a histogram: each process adds up its own elements."""
    index, source = given["index"], given["src"]
    exact = not source.dtype.is_floating_point or source.dtype.itemsize >= 4
    if type(index) is not MeshTensor or replicated(index) or index.dim() != 1 or not exact:
        return NotImplemented
    held = current(x).part if type(x) is MeshTensor else x
    rows = laid(index, mesh, index.axes)
    values = laid(source, mesh, index.axes)[: rows.shape[0]]
    sums = collectives.together(mesh, lambda: func(torch.zeros_like(held), 0, rows, values))
    for m, axis in enumerate(index.axes):
        if axis is not None:
            sums = collectives.summed(sums, mesh, m)
    return MeshTensor(held + sums, mesh, (None,) * len(index.axes), x.shape)


# --- along the split axis ---


def _cumulative(
    func: Any, x: MeshTensor, args: Any, kwargs: Any, given: Any, m: int, axis: int
) -> Any:
    """Sums or products of the own rows, and the totals of the processes before."""
    if given["dtype"] is None and x.dtype in (torch.float16, torch.bfloat16):
        return NotImplemented
    result = func(x.part, *args[1:], **kwargs)
    add = name(func) == "cumsum"
    fold = torch.sum if add else torch.prod
    total = fold(x.part, axis, keepdim=True, dtype=result.dtype)
    before = fold(collectives.stacked(total, x.mesh, m)[: position(x.mesh, m)], 0)
    before = before.to(result.dtype)
    result = result + before if add else result * before
    return MeshTensor(result, x.mesh, x.axes, x.shape)


def _flip(func: Any, x: MeshTensor, args: Any, kwargs: Any, given: Any, m: int, axis: int) -> Any:
    n = x.shape[axis]
    others = [d % x.dim() for d in given["dims"] if d % x.dim() != axis]
    part = flip(x.part, tuple(others)) if others else x.part
    if n:
        part = collectives.sliced(part, axis, n, [(0, n - 1, -1, n)], x.mesh, m)
    return MeshTensor(part, x.mesh, x.axes, x.shape)


def _roll(func: Any, x: MeshTensor, args: Any, kwargs: Any, given: Any, m: int, axis: int) -> Any:
    n, part = x.shape[axis], x.part
    for shift, dim in zip(given["shifts"], given["dims"], strict=True):
        if dim % x.dim() != axis:
            part = part.roll(shift, dim)
        elif n:
            k = shift % n
            rows = [(0, n - k, 1, k), (0, 0, 1, n - k)]
            part = collectives.sliced(part, axis, n, [r for r in rows if r[3]], x.mesh, m)
    return MeshTensor(part, x.mesh, x.axes, x.shape)


def _triangle(
    func: Any, x: MeshTensor, args: Any, kwargs: Any, given: Any, m: int, axis: int
) -> Any:
    """The diagonal of the whole, as seen from the first row or column of the own part."""
    start, _ = own(x.shape[axis], x.mesh, m)
    shift = start if axis == x.dim() - 2 else -start
    return MeshTensor(func(x.part, given["diagonal"] + shift), x.mesh, x.axes, x.shape)


def _pad(func: Any, x: MeshTensor, args: Any, kwargs: Any, given: Any, m: int, axis: int) -> Any:
    pad = list(given["pad"])
    at = 2 * (x.dim() - 1 - axis)
    before, after = pad[at], pad[at + 1]
    if before < 0 or after < 0 or not x.shape[axis]:
        return NotImplemented
    pad[at] = pad[at + 1] = 0
    part = func(x.part, pad, given["value"])
    rows = part.movedim(axis, 0)
    value = rows.new_full([max(before, after), *rows.shape[1:]], given["value"])
    n, p = x.shape[axis], processes(x.mesh, m)
    segments = [(1, 0, 1, before), (0, 0, 1, n), (1, 0, 1, after)]
    made = collectives.assembled(
        [(rows, bounds(n, p)), (value, None)],
        [s for s in segments if s[3]],
        bounds(n + before + after, p),
        x.mesh,
        m,
    ).movedim(0, axis)
    shape = list(x.shape)
    for i in range(len(given["pad"])):
        shape[x.dim() - 1 - i // 2] += given["pad"][i]
    return MeshTensor(made, x.mesh, x.axes, shape)


_BORDERS: dict[str, Any] = {
    "cumsum": _cumulative, "cumprod": _cumulative, "flip": _flip, "roll": _roll,
    "tril": _triangle, "triu": _triangle, "constant_pad_nd": _pad,
}  # fmt: skip
