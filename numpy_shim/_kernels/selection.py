"""Find elements of rows by rank, and partition rows around them, without sorting the rows.

Only where values may be read.
"""

from __future__ import annotations

from contextlib import suppress
from math import isqrt

import torch
from torch import Tensor

from xp_torch._core.dtypes import NATIVE_INTEGER, REAL_FLOATING
from xp_torch._kernels.host_reads import possible

_DTYPES = NATIVE_INTEGER | REAL_FLOATING.dtypes
_LEAST = {
    **{d: torch.iinfo(d).min for d in NATIVE_INTEGER},
    **dict.fromkeys(REAL_FLOATING.dtypes, float("-inf")),
}
_LONG = 20_000
"""From this length on, a sample locates an element of a row well enough."""


def is_long(rows: Tensor) -> bool:
    """Whether there is a single row that is long enough to sample."""
    return rows.shape[-1] == rows.numel() >= _LONG and possible(rows)


def is_quicker(rows: Tensor, count: int) -> bool:
    """Whether finding ``count`` elements of each row is faster than sorting the rows.

    Selecting one costs a third (of a thousand elements) to a sixth (of a million) of a sort; in
    a single long row it costs a twentieth.
    """
    if rows.dtype not in _DTYPES or not possible(rows):
        return False
    if is_long(rows):
        return 0 < count <= 16
    return 0 < count <= 2 and rows.shape[-1] >= 1000


def selected(rows: Tensor, index: Tensor) -> Tensor:
    """What ``rows[..., index]`` would be if the rows were sorted; the indices are read."""
    positions: list[int] = index.tolist()
    found: dict[int, Tensor] = {}
    if is_long(rows):
        with suppress(RuntimeError):  # under vmap there are no values to read
            found = _of_row(rows.reshape(-1), positions)
    # torch may read beyond the memory of an axis that repeats one element.
    rows = rows.contiguous()
    for position in positions:
        if position not in found:
            found[position] = torch.kthvalue(rows, position + 1, -1).values
    return torch.stack([found[position].reshape(rows.shape[:-1]) for position in positions], -1)


def _of_row(row: Tensor, positions: list[int]) -> dict[int, Tensor]:
    """The elements of a long row at these ranks, as far as a sample finds them.

    Only the small part of the row between two elements of a sorted sample is
    sorted (R. W. Floyd and R. L. Rivest, "Expected time bounds for selection", Communications
    of the ACM 18(3), 1975). Neighbours are found together.
    """
    size = row.numel()
    values = row.detach()
    sample = _sample(values)
    found: dict[int, Tensor] = {}
    for position in sorted(set(positions)):
        if position in found:
            continue
        last = min(position + 1, size - 1)
        low, high = _bounds(sample, position, last, size)
        inside = torch.ge(values, low)
        below = size - int(torch.count_nonzero(inside))
        if high is not None:
            inside &= torch.le(values, high)
        part = row[inside]  # masked_select is five times slower
        if below <= position and last < below + part.numel():
            if high is None or not bool(torch.eq(low, high)):
                part = torch.sort(part).values
            found[position], found[last] = part[position - below], part[last - below]
    return found


def _sample(values: Tensor) -> Tensor:
    """Some elements of a long row, sorted."""
    return torch.sort(values[:: round(values.numel() ** (1 / 3))]).values


def _bounds(sample: Tensor, position: int, last: int, size: int) -> tuple[Tensor, Tensor | None]:
    """Bounds on the elements of rank ``position`` to ``last`` in a row.

    ``None`` stands for no upper bound.
    """
    count = sample.numel()
    margin = 2 * isqrt(count) + 1  # four standard deviations of a position in the sample
    before, after = position * count // size - margin, last * count // size + margin
    low = sample[before] if before >= 0 else sample.new_full((), _LEAST[sample.dtype])
    return low, sample[after] if after < count else None


def write_partition(row: Tensor, position: int) -> bool:
    """Partition a long contiguous row in its own memory; ``False`` if a sample does not suffice.

    The result is that of ``partition``. The smaller side is kept aside, the larger one moves.
    """
    if not is_long(row) or row.dtype not in _DTYPES:
        return False
    size = row.numel()
    low, high = _bounds(_sample(row), position, position, size)
    less, inside = torch.lt(row, low), torch.ge(row, low)
    if high is not None:
        inside &= torch.le(row, high)
    below, among = int(torch.count_nonzero(less)), int(torch.count_nonzero(inside))
    if not below <= position < below + among:
        return False
    middle = row[inside]
    if high is None or not bool(torch.eq(low, high)):
        middle = torch.sort(middle, stable=True).values
    above = torch.logical_or(less, inside, out=inside).logical_not_()
    if below < size - below - among:
        aside = row[less]
        _move(row, above, size, forwards=False)
        row[:below] = aside
    else:
        aside = row[above]
        _move(row, less, 0, forwards=True)
        row[below + among :] = aside
    row[below : below + among] = middle
    return True


def _move(row: Tensor, chosen: Tensor, at: int, forwards: bool) -> None:
    """Move the chosen elements to the start of the row, or before its end ``at``, in order."""
    parts = list(zip(torch.split(row, _PART), torch.split(chosen, _PART), strict=True))
    for part, mask in parts if forwards else reversed(parts):
        taken = part[mask]
        count = taken.numel()
        row.narrow(0, at if forwards else at - count, count).copy_(taken)
        at += count if forwards else -count


_PART = 1 << 16
"""How many elements of a row are moved together."""


def partition(row: Tensor, positions: list[int]) -> Tensor | None:
    """The indices that partition a long row, or ``None`` if a sample does not suffice.

    The elements below and above the bounds of a position keep their order; only those between
    are sorted.
    """
    values, indices = row.detach(), None
    pieces: list[Tensor] = []
    done = 0
    for position in sorted(set(positions)):
        if position < done:
            continue
        size = values.numel()
        if size < _LONG:
            break
        low, high = _bounds(_sample(values), position - done, position - done, size)
        less = torch.lt(values, low)
        inside = torch.ge(values, low)
        if high is not None:
            inside &= torch.le(values, high)
        below = torch.nonzero(less).squeeze(1)
        among = torch.nonzero(inside).squeeze(1)
        if not below.numel() <= position - done < below.numel() + among.numel():
            return None
        if high is None or not bool(torch.eq(low, high)):
            among = among[torch.argsort(values[among], stable=True)]
        above = torch.nonzero(torch.logical_or(less, inside, out=less).logical_not_()).squeeze(1)
        pieces += [f if indices is None else indices[f] for f in (below, among)]
        indices = above if indices is None else indices[above]
        values = values[above]
        done += below.numel() + among.numel()
    else:
        positions = []
    if indices is None:
        return None
    if any(position >= done for position in positions):
        indices = indices[torch.argsort(values, stable=True)]
    return torch.cat([*pieces, indices])
