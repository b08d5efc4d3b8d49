"""Sets of values of every dtype; NaN may equal itself or not."""

from __future__ import annotations

from functools import partial

import torch
from torch import Tensor
from torch.compiler import is_compiling

from xp_torch._kernels.blocks import is_large, mapped
from xp_torch._kernels.host_reads import possible
from xp_torch._kernels.searching import native_searchsorted
from xp_torch._kernels.unsigned import as_signed, from_signed
from xp_torch._torch.internals import is_certain

from .._base.dtypes import INTEGERS
from .elements import masked, nonzero
from .sorting import argsort, comparable, sort

LARGE = 1000
"""From this size on, sorting and comparing is faster than ``torch.unique``."""
_FLOATS = frozenset({torch.float32, torch.float64})
_PLAIN = INTEGERS | {torch.bool}
"""The dtypes for which ``torch.unique`` is right: it treats every NaN as a different value."""


class Groups:
    """The distinct values of a 1-D tensor, and where they are.

    ``first`` says which of the sorted elements begins a group.
    """

    def __init__(self, flat: Tensor, equal_nan: bool) -> None:
        self.flat = flat
        self.order = argsort(flat, 0)
        self.first = _begins(pick(flat, self.order), equal_nan)
        self.starts = nonzero(self.first)[0]

    def values(self) -> Tensor:
        """The distinct values in ascending order."""
        return pick(self.flat, self.indices())

    def indices(self) -> Tensor:
        """The index of each value's first occurrence."""
        return self.order[self.starts]

    def inverse(self) -> Tensor:
        """For each element, the index of its value among the distinct values."""
        ranks = torch.cumsum(self.first, 0) - 1
        return torch.empty_like(self.order).scatter(0, self.order, ranks)

    def counts(self) -> Tensor:
        """The number of occurrences of each value."""
        ends = torch.cat([self.starts[1:], self.starts.new_full((1,), self.flat.shape[0])])
        return ends[: self.starts.shape[0]] - self.starts


class RowGroups(Groups):
    """The distinct rows of a 2-D tensor; a row with a NaN equals no other."""

    def __init__(self, rows: Tensor) -> None:
        count, width = rows.shape
        self.flat = rows
        if not width:
            ranks = torch.zeros(count, dtype=torch.int64, device=rows.device)
        elif not count:
            ranks = torch.zeros(0, dtype=torch.int64, device=rows.device)
        else:
            # Ranks of elements are integers of every dtype, NaN the largest of them.
            elements = Groups(rows.reshape(-1), True).inverse().reshape(rows.shape)
            ranks = torch.unique(elements, dim=0, return_inverse=True)[1]
        self.order = torch.argsort(ranks, stable=True)
        self.first = changes(ranks[self.order])
        if rows.is_floating_point() or rows.is_complex():
            self.first = self.first | torch.isnan(rows).any(1)[self.order]
        self.starts = nonzero(self.first)[0]


def pick(x: Tensor, indices: Tensor) -> Tensor:
    """``x[indices]``, also for dtypes that torch cannot index on every device."""
    signed = as_signed(x)
    return x[indices] if signed is x else signed[indices].view(x.dtype)


def chosen(x: Tensor, mask: Tensor) -> Tensor:
    """``x[mask]``, for every dtype."""
    return from_signed(masked(as_signed(x), mask), x.dtype)


def changes(ordered: Tensor) -> Tensor:
    """Which elements differ from the one before; the first one does."""
    signed = as_signed(ordered)
    if is_large(signed):
        first = torch.ones(signed.shape, dtype=torch.bool)
        torch.ne(signed[1:], signed[:-1], out=first[1:])
        return first
    start = torch.ones_like(signed[:1], dtype=torch.bool)
    return torch.cat([start, torch.ne(signed[1:], signed[:-1])])


def unique_values(flat: Tensor, equal_nan: bool) -> Tensor:
    """The distinct values of a 1-D tensor in ascending order."""
    few = is_compiling() or flat.numel() < LARGE
    if few and flat.dtype in _PLAIN and comparable(flat) is flat:
        return torch.unique(flat)  # type: ignore[no-any-return]
    if few and flat.dtype in _FLOATS and not flat.requires_grad and not is_compiling():
        values: Tensor = torch.unique(flat)  # each NaN is separate, at the end
        if not equal_nan or not values.shape[0] or not bool(torch.isnan(values[-1])):
            return values
    if flat.dtype.is_complex:
        return Groups(flat, equal_nan).values()
    if (marks := None if few else _marked(flat, 2 * flat.numel())) is not None:
        seen, low = marks
        return torch.add(nonzero(seen)[0], low).to(flat.dtype)
    ordered = sort(flat, 0, True)
    return chosen(ordered, _begins(ordered, equal_nan))


def _marked(x: Tensor, most: int) -> tuple[Tensor, int] | None:
    """Which integers are in ``x``, from its least to its largest, and the least of them.

    ``None`` where there are more than ``most`` between the two, or where their values are not at
    hand; integers of few bits are sorted faster.
    """
    if x.dtype not in (torch.int32, torch.int64) or not possible(x) or not x.is_cpu:
        return None
    try:
        low, high = (int(v) for v in torch.aminmax(x))
    except RuntimeError:  # of no element, or under vmap
        return None
    if high - low >= most:
        return None
    seen = torch.zeros(high - low + 1, dtype=torch.bool)
    return seen.index_fill_(0, torch.sub(x.to(torch.int64), low), True), low


def _begins(ordered: Tensor, equal_nan: bool) -> Tensor:
    """Which elements of a sorted vector begin a group of equal ones."""
    first = changes(ordered)
    if equal_nan and (ordered.is_floating_point() or ordered.is_complex()):
        unknown = torch.isnan(ordered)
        again = torch.cat([unknown[:1] & False, unknown[1:] & unknown[:-1]])
        first = first & ~again
    return first


def isin(a: Tensor, b: Tensor) -> Tensor:
    """Whether each element of ``a`` is among those of the 1-D ``b``; both have one dtype.

    NaN is equal to nothing.
    """
    if is_certain(b.shape[0] == 0):
        return torch.zeros(a.shape, dtype=torch.bool, device=a.device)
    if a.dtype.is_complex:
        # Compare ranks: torch compares complex numbers for equality only.
        flat = a.reshape(-1)
        ranks = Groups(torch.cat([flat, b]), False).inverse()
        return isin(ranks[: flat.shape[0]], ranks[flat.shape[0] :]).reshape(a.shape)
    a, b = comparable(a), comparable(b)
    if a.numel() >= LARGE and (marks := _marked(b, a.numel())) is not None:
        find = partial(_find_marked, *marks)
        return mapped(find, find, a, torch.bool) if is_large(a) else find(a)
    if b.shape[0] < 10 * a.numel() ** 0.145:
        return torch.isin(a, b)
    # Beyond this size torch.isin removes duplicates first, which synchronises.
    b = torch.sort(b)[0]
    found = native_searchsorted(b, a, False).clamp(max=b.shape[0] - 1)
    return torch.eq(torch.take(b, found), a)  # which does not read an index without axes


def _find_marked(seen: Tensor, low: int, a: Tensor) -> Tensor:
    """Whether the integers of ``a`` are among those that ``_marked`` has found."""
    high = low + seen.shape[0] - 1
    places = torch.clamp(a, low, high)
    inside = torch.eq(places, a)
    return inside.logical_and_(seen[places.to(torch.int64).sub_(low)])
