"""Whether arrays share memory: by the bytes they span, or exactly.

The exact test solves an equation in integers. Two strided arrays share a byte if

    stride_1 * x_1 + ... + stride_n * x_n = difference of the addresses

has a solution with every x within bounds. (A negative stride is reversed, the strides of the second
array are subtracted, and the bytes within an element form one more axis of stride 1.)
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence
from typing import Any

import torch
from numpy.exceptions import TooHardError

from xp_torch._kernels.manipulation import flip

from .ndarray import AnyArray, ndarray
from .views import forward_of

Term = tuple[int, int]
"""A coefficient and the greatest value of its variable; both are positive."""


def extent(tensor: torch.Tensor) -> tuple[int, int]:
    """The first byte of a tensor's memory and the one after the last; empty for no elements."""
    start = tensor.data_ptr()
    if tensor.numel() == 0:
        return start, start
    reach = sum((n - 1) * s for n, s in zip(tensor.shape, tensor.stride(), strict=True))
    return start, start + (reach + 1) * tensor.itemsize


def apart_in_trace(a: AnyArray, b: AnyArray) -> bool:
    """Whether a trace, which has no addresses, knows that two arrays share no memory.

    Views of one array have one owner. Tensors that torch itself made views have one base.
    """
    if a is b or getattr(a, "_base", a) is getattr(b, "_base", b):
        return False
    if not type(a._tensor) is type(b._tensor) is torch.Tensor:
        return False  # a trace cannot ask a special tensor, as of a reversed view, for its base
    return root(a._tensor) is not root(b._tensor)


def root(t: torch.Tensor) -> torch.Tensor:
    """The tensor whose view a tensor is, or itself."""
    base = t._base
    return t if base is None else base


def overlaps_itself(a: ndarray) -> bool:
    """Whether two elements of an array may share memory."""
    forward = forward_of(a)[0]
    steps, shape = forward.stride(), forward.shape
    if len(steps) == 1:
        return steps[0] == 0 and shape[0] > 1
    reach = 0
    for step, size in sorted(
        [(s, n) for s, n in zip(steps, shape, strict=True) if n > 1], key=lambda axis: axis[0]
    ):
        if step <= reach:
            return True
        reach += step * (size - 1)
    return False


def uncovered(a: ndarray) -> tuple[torch.Tensor, torch.Tensor]:
    """The memory that a non-empty array spans, and the offset of each element in it."""
    forward, flips = forward_of(a)
    reach = sum((n - 1) * s for n, s in zip(forward.shape, forward.stride(), strict=True))
    memory = forward.as_strided((reach + 1,), (1,))
    offsets = torch.arange(reach + 1, device=forward.device)
    return memory, flip(offsets.as_strided(forward.shape, forward.stride()), flips)


def overlap(a: torch.Tensor, b: torch.Tensor, max_work: int) -> bool:
    """Whether two tensors have a byte in common; ``TooHardError`` beyond ``max_work``."""
    if a.device != b.device:
        return False
    (low, high), (start, stop) = extent(a), extent(b)
    if low >= stop or start >= high:
        return False
    if max_work == 0:
        raise TooHardError("Exceeded max_work")
    # a's element x is at low + sum; b's, counted from its last byte, at stop - 1 - sum.
    terms: Counter[int] = Counter()
    for tensor in (a, b):
        for size, step in zip(tensor.shape, tensor.stride(), strict=True):
            terms[step * tensor.itemsize] += size - 1
        terms[1] += tensor.itemsize - 1
    return solvable(terms.items(), stop - 1 - low, max_work)


def solvable(terms: Any, target: int, max_work: int = -1) -> bool:
    """Whether non-negative numbers within bounds, times coefficients, add up to ``target``.

    ``terms`` are pairs of a coefficient and a bound, each coefficient once. At most ``max_work``
    candidates are tried, if that is not negative; ``TooHardError`` beyond.
    """
    useful = sorted([(c, n) for c, n in terms if c and n], reverse=True)
    # For the terms from each index on: the greatest sum, and a divisor of every sum.
    reach, divisor = [0], [0]
    for coefficient, bound in reversed(useful):
        reach.append(reach[-1] + coefficient * bound)
        divisor.append(math.gcd(divisor[-1], coefficient))
    return _Search(useful, reach[::-1], divisor[::-1], max_work).from_term(0, target)


class _Search:
    """A depth-first search: large coefficients first, the last two terms at once."""

    def __init__(
        self, terms: Sequence[Term], reach: Sequence[int], divisor: Sequence[int], max_work: int
    ) -> None:
        self._terms = terms
        self._reach = reach
        self._divisor = divisor
        self._left = max_work if max_work >= 0 else None

    def from_term(self, start: int, target: int) -> bool:
        """Whether the terms from ``start`` on can add up to ``target``."""
        if not 0 <= target <= self._reach[start]:
            return False
        divisor = self._divisor[start]
        if not divisor:
            return target == 0
        if target % divisor:
            return False
        if len(self._terms) - start <= 2:
            return self._last(self._terms[start:], target)
        coefficient, bound = self._terms[start]
        values = _values(coefficient, bound, target, self._reach[start + 1])
        step, first = _congruent(coefficient, target, self._divisor[start + 1])
        candidates = range(values.start + (first - values.start) % step, values.stop, step)
        for x in candidates:
            if len(candidates) > 1:
                self._count()
            if self.from_term(start + 1, target - coefficient * x):
                return True
        return False

    def _count(self) -> None:
        """Count one more candidate: a value where there is a choice, or the end of a branch."""
        if self._left is not None:
            self._left -= 1
            if self._left < 0:
                raise TooHardError("Exceeded max_work")

    def _last(self, terms: Sequence[Term], target: int) -> bool:
        self._count()
        coefficient, bound = terms[0]
        if len(terms) == 1:
            return target // coefficient <= bound
        other, reach = terms[1]
        values = _values(coefficient, bound, target, other * reach)
        step, first = _congruent(coefficient, target, other)
        return values.start + (first - values.start) % step < values.stop


def _values(coefficient: int, bound: int, target: int, rest: int) -> range:
    """The values of a variable that leave 0 to ``rest`` for the other terms."""
    least = max(0, -((rest - target) // coefficient))
    return range(least, min(bound, target // coefficient) + 1)


def _congruent(coefficient: int, target: int, divisor: int) -> tuple[int, int]:
    """The values of a variable that leave a multiple of ``divisor``: their step, and one value."""
    common = math.gcd(coefficient, divisor)
    step = divisor // common
    return step, target // common * pow(coefficient // common, -1, step) % step
