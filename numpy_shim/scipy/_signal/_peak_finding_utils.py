"""``scipy.signal._peak_finding_utils`` for arrays of ours."""

from __future__ import annotations

import math
import warnings
from typing import Any

import torch
from scipy.signal._peak_finding_utils import PeakPropertyWarning
from torch import Tensor

from ..._array.ndarray import ndarray, wrap
from ..._convert.arguments import as_tensor


def _local_maxima_1d(x: Any) -> tuple[ndarray, ndarray, ndarray]:
    """The middles and the edges of the runs of equal elements between lower ones."""
    t = as_tensor("find_peaks", x).detach()
    n = len(t)
    if n < 3:
        none = wrap(torch.zeros(0, dtype=torch.int64, device=t.device))
        return none, none.copy(), none.copy()
    before, after = t[:-1], t[1:]
    if not bool((before == after).any()):
        alone = wrap(
            ((before[:-1] < after[:-1]) & (before[1:] > after[1:])).nonzero().squeeze(1) + 1
        )
        return alone, alone.copy(), alone.copy()
    begins = torch.cat([torch.zeros_like(t[:1], dtype=torch.bool), t[1:] != t[:-1]])
    left = begins.nonzero().squeeze(1)
    right = torch.cat([left[1:] - 1, left.new_full((1,), n - 1)])[: len(left)]
    inside = right < n - 1
    left, right = left[inside], right[inside]
    peak = (t[left - 1] < t[left]) & (t[right + 1] < t[left])
    left, right = left[peak], right[peak]
    middle = torch.div(left + right, 2, rounding_mode="floor")
    return wrap(middle), wrap(left), wrap(right)


def _select_by_peak_distance(peaks: Any, priority: Any, distance: float) -> ndarray:
    """Which peaks stay where the higher of two that are too near is kept.

    In rounds: a peak that is the highest of the undecided ones around it stays, and the others
    around it go. SciPy goes from peak to peak in the order of their height, with the same result.
    """
    places = as_tensor("find_peaks", peaks)
    heights = as_tensor("find_peaks", priority).detach()
    span = math.ceil(distance)
    count = len(places)
    rank = torch.empty_like(places)
    rank[torch.argsort(heights, stable=True)] = torch.arange(1, count + 1, device=places.device)
    first = torch.searchsorted(places, places - span, right=True)
    after = torch.searchsorted(places, places + span)
    kept = torch.zeros(count, dtype=torch.bool, device=places.device)
    open_rank = rank.clone()  # 0 where it is decided
    while bool(open_rank.any()):
        highest = _range_max(open_rank, first, after)
        chosen = (open_rank > 0) & (highest == open_rank)
        kept |= chosen
        near = _range_max(chosen.to(rank.dtype), first, after) > 0
        open_rank = open_rank.masked_fill(near, 0)
    return wrap(kept)


def _range_max(t: Tensor, first: Tensor, after: Tensor) -> Tensor:
    """The largest of the elements from ``first`` to ``after``, for each pair."""
    width = int((after - first).max())
    found = torch.full_like(t, torch.iinfo(t.dtype).min)
    level, size = t, 1
    while size <= width:
        take = (after - first >= size) & (after - first < 2 * size)
        begin, end = first.clamp(max=len(level) - 1), (after - size).clamp(0, len(level) - 1)
        found = torch.where(take, torch.maximum(level[begin], level[end]), found)
        if 2 * size > len(t):
            break
        level = torch.maximum(level[:-size], level[size:])
        size *= 2
    return found


class _Table:
    """The smallest or the largest of each 1, 2, 4, ... elements that follow one another."""

    def __init__(self, t: Tensor, largest: bool) -> None:
        choose = torch.maximum if largest else torch.minimum
        self.levels = [t]
        while 2 ** len(self.levels) <= len(t):
            size = 2 ** (len(self.levels) - 1)
            last = self.levels[-1]
            self.levels.append(choose(last[:-size], last[size:]))
        self.largest = largest

    def reach(self, begin: Tensor, limit: Tensor, bound: Tensor, step: int) -> Tensor:
        """The place after the last element in a row from ``begin`` that is within the bound.

        Within is at most ``bound`` in a table of the largest, above it in one of the smallest.
        ``limit`` is the last place that may be looked at; ``step`` is 1 or -1.
        """
        at = begin
        for k in reversed(range(len(self.levels))):
            level, size = self.levels[k], 2**k
            low = at if step == 1 else at - size + 1
            inside = (at + size - 1 <= limit) if step == 1 else (low >= limit)
            values = level[low.clamp(0, len(level) - 1)]
            fits = values <= bound if self.largest else values > bound
            at = torch.where(inside & fits, at + step * size, at)
        return at


def _peak_prominences(x: Any, peaks: Any, wlen: int) -> tuple[ndarray, ndarray, ndarray]:
    """How far each peak stands above the higher of its two bases, and the bases."""
    values, places = as_tensor("peak_prominences", x), as_tensor("peak_prominences", peaks)
    t = values.detach()
    n = len(t)
    invalid = (places < 0) | (places >= n)
    if bool(invalid.any()):
        wrong = int(places[invalid][0])
        raise ValueError(f"peak {wrong} is not a valid index for `x`")
    first, last = torch.zeros_like(places), torch.full_like(places, n - 1)
    if wlen >= 2:
        half = wlen // 2
        first, last = (places - half).clamp(min=0), (places + half).clamp(max=n - 1)
    height = t[places]
    higher = _Table(torch.where(t.isnan(), math.inf, t), True)
    lower = _Table(t, False)
    bases = []
    for limit, step in ((first, -1), (last, 1)):
        end = higher.reach(places, limit, height, step) - step
        stays = (end - places) * step < 0  # the peak is no number
        end = torch.where(stays, places, end)
        smallest = _smallest_between(lower, torch.minimum(end, places), torch.maximum(end, places))
        base = lower.reach(places, end, smallest, step)
        bases.append(torch.where(stays, places, base))
    left, right = bases
    prominences = values[places] - torch.maximum(values[left], values[right])
    if bool((prominences == 0).any()):
        warnings.warn("some peaks have a prominence of 0", PeakPropertyWarning, stacklevel=2)
    return wrap(prominences), wrap(left), wrap(right)


def _smallest_between(table: _Table, first: Tensor, last: Tensor) -> Tensor:
    width = last - first + 1
    found = table.levels[0][first]
    for k, level in enumerate(table.levels):
        take = (width >= 2**k) & (width < 2 ** (k + 1))
        begin, end = first.clamp(max=len(level) - 1), (last - 2**k + 1).clamp(0, len(level) - 1)
        found = torch.where(take, torch.minimum(level[begin], level[end]), found)
    return found


def _peak_widths(
    x: Any, peaks: Any, rel_height: float, prominences: Any, left_bases: Any, right_bases: Any
) -> tuple[ndarray, ndarray, ndarray, ndarray]:
    """The width of each peak at a height below it, that height, and where the peak is as high."""
    if rel_height < 0:
        raise ValueError("`rel_height` must be greater or equal to 0.0")
    values, places, prominent, left, right = (
        as_tensor("peak_widths", v) for v in (x, peaks, prominences, left_bases, right_bases)
    )
    if not len(places) == len(prominent) == len(left) == len(right):
        raise ValueError("arrays in `prominence_data` must have the same shape as `x`")
    t = values.detach()
    wrong = (left < 0) | (left > places) | (places > right) | (right >= len(t))
    if bool(wrong.any()):
        at = int(places[wrong][0])
        raise ValueError(f"prominence data is invalid for peak {at}")
    height = values[places] - prominent * rel_height
    table = _Table(t, False)
    sides = []
    for limit, step in ((left, -1), (right, 1)):
        end = table.reach(places, limit - step, height.detach(), step)
        end = torch.where(end * step > limit * step, limit, end)
        back = (end - step).clamp(0, len(t) - 1)
        part = (height - values[end]) / (values[back] - values[end])
        side = end.to(values.dtype)
        sides.append(torch.where(t[end] < height.detach(), side - step * part, side))
    widths = sides[1] - sides[0]
    if bool((widths == 0).any()):
        warnings.warn("some peaks have a width of 0", PeakPropertyWarning, stacklevel=2)
    return wrap(widths), wrap(height), wrap(sides[0]), wrap(sides[1])


__all__ = [
    "PeakPropertyWarning", "_local_maxima_1d", "_peak_prominences", "_peak_widths",
    "_select_by_peak_distance",
]  # fmt: skip
