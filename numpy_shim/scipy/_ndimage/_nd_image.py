"""``scipy.ndimage._nd_image`` for arrays of ours: what SciPy has written in C.

The names and the arguments are those by which SciPy's Python code calls it. What is not here is
an AttributeError there; ``numpy_shim.scipy._ndimage`` lists the functions that need it.
"""

from __future__ import annotations

import math
from typing import Any

import numpy
import torch
from scipy import LowLevelCallable
from torch import Tensor

from ..._array.ndarray import AnyArray, ndarray, wrap
from ..._convert.arguments import as_tensor
from ..._functions.memory import may_share_memory
from . import distances, shapes, spectra, splines
from . import order as _order
from .windows import (
    BLOCK,
    Parts,
    Tap,
    by_blocks,
    extend,
    extend_for,
    in_blocks,
    line_taps,
    offsets,
    shifted,
    weigh,
    weights_of,
)

_READ = frozenset({
    torch.bool, torch.uint8, torch.uint16, torch.uint32, torch.uint64, torch.int8, torch.int16,
    torch.int32, torch.int64, torch.float32, torch.float64,
})  # fmt: skip


def _tensor(x: Any) -> Tensor:
    t = as_tensor("ndimage", x)
    if t.dtype not in _READ:
        raise RuntimeError(f"array type {x.dtype!r} not supported")
    return t


def _truths(x: Any) -> Tensor:
    t = _tensor(x)
    return t if t.dtype is torch.bool else t != 0


def _numbers(x: Any) -> list[Any]:
    return as_tensor("ndimage", x).double().reshape(-1).tolist()


def _store(output: ndarray, values: Tensor) -> None:
    if output.dtype.kind == "c" and not values.is_complex():
        raise RuntimeError(f"array type {output.dtype!r} not supported")
    if output.dtype.kind == "b" and values.dtype is not torch.bool:
        values = values.trunc()  # C has no cast to a Boolean: 0.5 is stored as a byte
    output[...] = wrap(values)


def _store_parts(output: ndarray, parts: Parts) -> None:
    for here, values in parts:
        _store(output[here], values)


def _apart(t: Tensor, output: ndarray) -> Tensor:
    """``t``, or a copy of it where the output, which is filled in parts, is on its memory."""
    return t.clone() if in_blocks(t) and may_share_memory(wrap(t), output) else t


def _store_rounded(output: ndarray, values: Tensor) -> None:
    """To integers the nearest number, within the limits of the dtype."""
    kind = output.dtype.kind
    if kind in "iu":
        limits = torch.iinfo(getattr(torch, output.dtype.name))
        low = values - 0.5 if kind == "i" else torch.zeros_like(values)
        values = torch.where(values > 0, values + 0.5, low).clamp(limits.min, limits.max)
        if limits.max > 2**53:  # float64 has no 2**63 - 1
            values = torch.where(values >= limits.max, math.nextafter(limits.max, 0), values)
    _store(output, values)


# --- filters ---


def correlate1d(
    input: Any, weights: Any, axis: int, output: ndarray, mode: int, cval: float, origin: int
) -> None:
    t, w = _tensor(input).double(), weights_of(as_tensor("ndimage", weights))
    before = len(w) // 2 + origin
    extended = extend(t, axis, before, len(w) - 1 - before, mode, cval)
    _store_parts(output, weigh(extended, line_taps(w, axis, t.dim()), t.shape))


def correlate(
    input: Any, weights: Any, output: ndarray, mode: int, cval: float, origins: list[int]
) -> None:
    t, w = _tensor(input).double(), weights_of(as_tensor("ndimage", weights))
    eps = torch.finfo(torch.float64).eps
    places = offsets([True] * len(w), weights.shape)
    taps = [
        Tap(x, at) for x, at in zip(w, places, strict=True) if isinstance(x, Tensor) or abs(x) > eps
    ]
    extended = extend_for(t, weights.shape, origins, mode, cval)
    _store_parts(output, weigh(extended, taps, t.shape))


def uniform_filter1d(
    input: Any, size: int, axis: int, output: ndarray, mode: int, cval: float, origin: int
) -> None:
    t = _tensor(input).double()
    before = size // 2 + origin
    extended = extend(t, axis, before, size - 1 - before, mode, cval)
    spread: Tensor | None = None
    if not in_blocks(extended) or not torch.isfinite(extended.sum()):
        spread = _spread(extended, axis, t.shape[axis])

    def kernel(part: Tensor, shape: list[int]) -> Tensor:
        return _sum_along(part, axis, size, shape[axis]) / size

    for here, mean in by_blocks(kernel, extended, t.shape, BLOCK):
        _store(output[here], mean if spread is None else mean + spread[here])


def _sum_along(extended: Tensor, axis: int, size: int, n: int) -> Tensor:
    """The sums of ``size`` elements, made of those of 1, 2, 4, ... elements."""
    t, width, begin = extended, 1, 0
    total: Tensor | None = None
    while True:
        if size & width:
            part = t.narrow(axis, begin, n)
            total = part if total is None else total + part
            begin += width
        if 2 * width > size:
            break
        length = t.shape[axis] - width
        t = t.narrow(axis, 0, length) + t.narrow(axis, width, length)
        width *= 2
    assert total is not None
    return total


def _spread(extended: Tensor, axis: int, n: int) -> Tensor:
    """NaN where an infinity or a NaN has left the window, which SciPy subtracts; else 0."""
    t = extended.narrow(axis, 0, n)
    if not t.numel():
        return t
    line = _along(torch.arange(n, device=t.device), axis, t.dim())
    first = torch.where(torch.isfinite(t), n, line).amin(axis, keepdim=True)
    return torch.where(line > first, torch.nan, 0.0)


def min_or_max_filter1d(
    input: Any, size: int, axis: int, output: ndarray, mode: int, cval: float, origin: int,
    minimum: int,
) -> None:  # fmt: skip
    t = _order.comparable(_tensor(input), cval)
    before = size // 2 + origin
    extended = extend(t, axis, before, size - 1 - before, mode, cval)
    choose = torch.minimum if minimum else torch.maximum
    _store(output, _order.choose_along(extended, axis, size, t.shape[axis], choose))


def min_or_max_filter(
    input: Any, footprint: Any, structure: Any, output: ndarray, mode: int, cval: float,
    origins: list[int], minimum: int,
) -> None:  # fmt: skip
    t = _tensor(input)
    places = list(offsets(_numbers(footprint), footprint.shape))
    choose = torch.minimum if minimum else torch.maximum
    cval = _cast(cval, t)
    if structure is None:
        extended = extend_for(_order.comparable(t, cval), footprint.shape, origins, mode, cval)
        _store_parts(output, _order.choose_in(extended, places, t.shape, choose))
        return
    sign = -1.0 if minimum else 1.0
    inside = zip(_numbers(structure), _numbers(footprint), strict=True)
    heights = [sign * height for height, used in inside if used]
    extended = extend_for(_widened(t), footprint.shape, origins, mode, cval)
    _store(output, _order.choose_in_relief(extended, places, heights, t.shape, choose))


def _cast(cval: float, t: Tensor) -> float:
    """``cval`` as C casts it to the dtype of the array."""
    if t.is_floating_point() or not math.isfinite(cval):
        return cval
    return bool(cval) if t.dtype is torch.bool else math.trunc(cval)


def _widened(t: Tensor) -> Tensor:
    """``t`` in a dtype in which torch adds."""
    if t.dtype in (torch.uint16, torch.uint32, torch.uint64, torch.bool):
        raise NotImplementedError(f"a structure with heights for {t.dtype}")
    return t


def rank_filter(
    input: Any, rank: int, footprint: Any, output: ndarray, mode: int, cval: float,
    origins: list[int],
) -> None:  # fmt: skip
    t = _tensor(input)
    cval = _cast(cval, t)
    places = list(offsets(_numbers(footprint), footprint.shape))
    extended = extend_for(_order.comparable(t, cval), footprint.shape, origins, mode, cval)
    _store_parts(output, _order.rank_in(extended, places, rank, t.shape))


def generic_filter(
    input: Any, function: Any, footprint: Any, output: ndarray, mode: int, cval: float,
    origins: list[int], extra: tuple[Any, ...], keywords: dict[str, Any],
) -> None:  # fmt: skip
    """The program's function gets a row with the elements of each window."""
    t = _of_python(function, input)
    places = offsets(_numbers(footprint), footprint.shape)
    extended = extend_for(t, footprint.shape, origins, mode, cval)
    rows = torch.stack([shifted(extended, at, t.shape).reshape(-1) for at in places], 1)
    found = [_number(function(wrap(row), *extra, **keywords), t) for row in rows]
    _store(output, torch.stack(found).reshape(t.shape) if found else t)


def generic_filter1d(
    input: Any, function: Any, size: int, axis: int, output: ndarray, mode: int, cval: float,
    origin: int, extra: tuple[Any, ...], keywords: dict[str, Any],
) -> None:  # fmt: skip
    """The program's function gets an extended line, and an array to which it writes."""
    t = _of_python(function, input)
    before = size // 2 + origin
    extended = extend(t, axis, before, size - 1 - before, mode, cval).movedim(axis, -1)
    filled = torch.zeros_like(t.movedim(axis, -1), memory_format=torch.contiguous_format)
    lines = filled.reshape(-1, filled.shape[-1])
    written = []
    for line, place in zip(extended.reshape(-1, extended.shape[-1]), lines, strict=True):
        made = wrap(place.clone())
        function(wrap(line.clone()), made, *extra, **keywords)
        written.append(made._tensor)
    if written:
        filled = torch.stack(written).reshape(filled.shape)
    _store(output, filled.movedim(-1, axis))


def _of_python(function: Any, input: Any) -> Tensor:
    """The elements in float64 that a function of the program is called with."""
    if isinstance(function, LowLevelCallable):
        raise NotImplementedError("a compiled function takes pointers")
    if not callable(function):
        raise ValueError("invalid callable given")
    return _tensor(input).double()


def _number(x: Any, like: Tensor) -> Tensor:
    """What a function of the program returns, as a tensor of no dimensions beside ``like``."""
    if isinstance(x, AnyArray) and x.size == 1:
        return x._tensor.to(like).reshape(())
    return like.new_tensor(math.fsum([x]))  # which is a TypeError for what is no number


# --- Fourier ---


def fourier_filter(input: Any, sizes: Any, n: int, axis: int, output: ndarray, kind: int) -> None:
    t = as_tensor("ndimage", input)
    factors = spectra.filter_factors(t, _numbers(sizes), n, axis, kind)
    if t.is_complex():
        _store(output, torch.view_as_complex(torch.view_as_real(t) * factors.unsqueeze(-1)))
    else:
        _store(output, t * factors)


def fourier_shift(input: Any, shifts: Any, n: int, axis: int, output: ndarray) -> None:
    t = as_tensor("ndimage", input)
    _store(output, t * spectra.shift_factors(t, _numbers(shifts), n, axis))


# --- interpolation ---


def spline_filter1d(input: Any, order: int, axis: int, output: ndarray, mode: int) -> None:
    t = _tensor(input).double()
    t = t if input is output else _apart(t, output)  # a part has whole lines
    _store_parts(output, splines.coefficients(t, order, axis, mode))


def geometric_transform(
    input: Any, mapping: Any, coordinates: Any, matrix: Any, shift: Any, output: ndarray,
    order: int, mode: int, cval: float, padded: int, extra: Any, keywords: Any,
) -> None:  # fmt: skip
    t, shape = _apart(_tensor(input), output), output.shape
    places: list[list[Tensor]] = []
    if matrix is None:
        found = (
            list(_tensor(coordinates).double().unbind(0))
            if mapping is None
            else _mapped(mapping, t, shape, extra, keywords)
        )
        places = [[x.reshape(shape)] for x in found]
    else:
        grid = [torch.arange(n, dtype=torch.float64, device=t.device) for n in shape]
        rows, begin = as_tensor("ndimage", matrix).unbind(0), as_tensor("ndimage", shift).unbind(0)
        for row, first in zip(rows, begin, strict=True):
            steps = [
                _along(x * factor, a, len(grid))
                for a, (x, factor) in enumerate(zip(grid, row.unbind(0), strict=True))
            ]
            places.append([first + steps[0], *steps[1:]])
    for here, values in splines.sample(t, places, shape, order, mode, cval, padded):
        _store_rounded(output[here], values)


def _along(line: Tensor, axis: int, rank: int) -> Tensor:
    return line.reshape([-1 if a == axis else 1 for a in range(rank)])


def _mapped(
    mapping: Any, t: Tensor, shape: tuple[int, ...], extra: Any, keywords: Any
) -> list[Tensor]:
    """Where the program's function says that the elements of the result come from."""
    like = _of_python(mapping, wrap(t.new_empty(0)))
    rows = []
    for place in numpy.ndindex(shape):
        found = mapping(place, *extra, **keywords)
        if type(found) is not tuple or len(found) != t.dim():
            raise TypeError(
                f"geometric_transform: mapping must return a tuple of {t.dim()} numbers; "
                f"got {found!r}"
            )
        rows.append(torch.stack([_number(x, like) for x in found]))
    if not rows:
        return [like.new_empty(shape)] * t.dim()
    return [x.reshape(shape) for x in torch.stack(rows).unbind(1)]


def zoom_shift(
    input: Any, zoom: Any, shift: Any, output: ndarray, order: int, mode: int, cval: float,
    padded: int, grid_mode: bool,
) -> None:  # fmt: skip
    t = _apart(_tensor(input), output)
    places = []
    for axis, n in enumerate(output.shape):
        x = torch.arange(n, dtype=torch.float64, device=t.device)
        if shift is not None:
            x = x + as_tensor("ndimage", shift)[axis]
        if zoom is not None:
            factor = as_tensor("ndimage", zoom)[axis]
            x = (x + 0.5) * factor - 0.5 if grid_mode else x * factor
        places.append(x)
    if output.dtype.kind == "f":
        _store_parts(output, splines.sample_grid(t, places, order, mode, cval, padded))
    else:  # to be rounded: in SciPy's order of additions, to which side a half goes
        grid = [[_along(x, axis, len(places))] for axis, x in enumerate(places)]
        for here, values in splines.sample(t, grid, output.shape, order, mode, cval, padded):
            _store_rounded(output[here], values)


# --- shapes ---


def binary_erosion(
    input: Any, structure: Any, mask: Any, output: ndarray, edge: int, origins: list[int],
    invert: int, center_is_true: int, return_coordinates: int,
) -> Any:  # fmt: skip
    """Whether an element has changed, and which have if the list is asked for."""
    before = _truths(input)
    places = list(offsets(_numbers(structure), structure.shape))
    # inverted, what is eroded is the background: a dilation
    t, border = (~before, not edge) if invert else (before, bool(edge))
    eroded = shapes.erode(t, places, structure.shape, origins, border)
    if center_is_true:
        eroded = eroded & t
    after = ~eroded if invert else eroded
    if mask is not None:
        after = torch.where(_truths(mask), after, before)
    _store(output, after)
    changed = after != before
    return (bool(changed.any()), changed) if return_coordinates else bool(changed.any())


def binary_erosion2(
    output: ndarray, structure: Any, mask: Any, iterations: int, origins: list[int], invert: int,
    changed: Tensor,
) -> None:  # fmt: skip
    """Erode again around the elements that have changed; without end if ``iterations`` is < 0."""
    t = _truths(output)
    kept = ~t if invert else t
    places = list(offsets(_numbers(structure), structure.shape))
    allowed = None if mask is None else _truths(mask)
    used = _numbers(structure)
    if iterations < 0 and used == used[::-1] and set(structure.shape) == {3} and not any(origins):
        inside = kept if allowed is None else kept & allowed
        reached = shapes.reach(changed, places, structure.shape, origins)
        kept = kept & ~shapes.flooded(reached, inside, places)
        iterations = 0
    while iterations != 0 and bool(changed.any()):
        changed = shapes.reach(changed, places, structure.shape, origins) & kept
        if allowed is not None:
            changed = changed & allowed
        kept = kept & ~changed
        iterations -= 1
    _store(output, ~kept if invert else kept)


# --- distances ---


def euclidean_feature_transform(input: Any, sampling: Any, features: ndarray) -> None:
    t = _tensor(input)
    steps = [1.0] * t.dim() if sampling is None else _numbers(sampling)
    features[...] = wrap(distances.nearest_background(_truths(input), steps))


def distance_transform_bf(
    marks: Any, metric: int, sampling: Any, steps: ndarray | None, features: ndarray | None
) -> None:
    """From each element that is 1 to the nearest that is -1, of those equally near the last."""
    t = _tensor(marks)
    scale = [1.0] * t.dim() if sampling is None or metric != 1 else _numbers(sampling)
    least, nearest = distances.to_nearest_mark(t, metric, scale)
    if steps is not None:
        _store(steps, least)
    if features is not None:
        _store(features, nearest)


def distance_transform_op(structure: Any, steps: ndarray, features: Any) -> None:
    if features is not None:
        raise NotImplementedError("the nearest elements of a chamfer distance")
    t, used = _tensor(steps), _numbers(structure)
    # SciPy goes over the array a second time, from the other end
    if not t.numel() or int(t.min()) >= 0:
        return
    offsets_used = [sum(i != 1 for i in at) for at in offsets(used, structure.shape)]
    if all(used):
        _store(steps, distances.chessboard(t))
    elif sorted(offsets_used) == [0, *[1] * (2 * t.dim())]:
        _store(steps, distances.city_block(t))
    else:
        raise NotImplementedError("a metric other than the chessboard and the taxicab")


__all__ = [
    "binary_erosion", "binary_erosion2", "correlate", "correlate1d",
    "distance_transform_op", "euclidean_feature_transform", "fourier_filter",
    "fourier_shift", "geometric_transform", "min_or_max_filter", "min_or_max_filter1d",
    "rank_filter", "spline_filter1d", "uniform_filter1d", "zoom_shift",
]  # fmt: skip
