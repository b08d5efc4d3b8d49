"""Recursive filters by blocks: a state passes from block to block, not from sample to sample.

The state of a filter, that of the transposed direct form II as in SciPy, is a linear function of
the state before and of the sample. So the output of a block of samples is a matrix times the
samples, plus a matrix times the state at its begin; and the states at the begins of the blocks are
such a recursion again, with fewer steps. The matrices are made of powers of the filter's state
matrix, to twice the digits of float64 (``pairs``). Filters in a row are one with all their states.
"""

from __future__ import annotations

from operator import itemgetter

import torch
from torch import Tensor
from torch.nn.functional import pad

from xp_torch._kernels.host_reads import finite, total

from . import pairs
from .convolutions import strided
from .pairs import Pair

LONGEST = 32
"""The highest order whose matrices are made."""

SAMPLES = 64
"""The samples of a block: a power of two."""

STATES = 8
"""The steps of a block of the recursion of states: a power of two."""

SECTIONS = 4
"""So many filters in a row are computed as one."""


def filtered(b: Tensor, a: Tensor, x: Tensor, state: Tensor) -> tuple[Tensor, Tensor]:
    """The output of a filter for the lines of ``x``, and the state after the last sample.

    ``x`` is of shape (lines, samples), ``state`` of shape (lines, order); the longer of ``b`` and
    ``a`` has order + 1 elements, and ``a`` begins with 1.
    """
    order = state.shape[1]
    if x.numel() and order > LONGEST:
        return _filtered_in_rows(b, a, x, state)
    b, a = (pad(t, (0, order + 1 - len(t))).unsqueeze(0) for t in (b, a))
    y, last = in_a_row(b, a, x, state.unsqueeze(1))
    return y, last.squeeze(1)


def in_a_row(b: Tensor, a: Tensor, x: Tensor, states: Tensor) -> tuple[Tensor, Tensor]:
    """The same for filters of one order, each a row of ``b`` and ``a``, one after the other.

    ``states`` is of shape (lines, filters, order).
    """
    if not x.numel() or not len(b):
        return x, states
    if x.is_complex() and not (a.is_complex() or b.is_complex()):
        both = [torch.view_as_real(t.resolve_conj()).movedim(-1, 0) for t in (x, states)]
        y, last = in_a_row(b, a, both[0].flatten(0, 1), both[1].flatten(0, 1))
        return _complex(y), _complex(last)
    lasts = []
    for begin in range(0, len(b), SECTIONS):
        part = slice(begin, begin + SECTIONS)
        x, last = _filtered(b[part], a[part], x, states[:, part].flatten(1))
        lasts.append(torch.unflatten(last, 1, (-1, states.shape[2])))
    return x, torch.cat(lasts, 1)


def _filtered_in_rows(b: Tensor, a: Tensor, x: Tensor, state: Tensor) -> tuple[Tensor, Tensor]:
    """A filter of high order: its state is an input, and so are the sums over the samples."""
    n, order = x.shape[1], state.shape[1]
    kernel = b.to(torch.promote_types(b.dtype, x.dtype)).flip(0)
    inputs = strided(pad(x, (len(b) - 1, order)), kernel, 1)[:, : n + order]
    inputs = inputs + pad(state, (0, n))
    if len(a) - 1 <= LONGEST:
        one = torch.ones_like(a[:1])
        y, _ = filtered(one, a, inputs[:, :n], inputs.new_zeros((len(x), max(len(a) - 1, 1))))
    else:
        y = _substituted(a, inputs[:, :n])
    if len(a) == 1:
        return y, inputs[:, n:]
    past = pad(y, (len(a) - 1, order))[:, n:]
    kernel = pad(a[1:], (1, 0)).to(past.dtype).flip(0)
    return y, inputs[:, n:] - strided(past, kernel, 1)[:, :order]


def _substituted(a: Tensor, inputs: Tensor) -> Tensor:
    """The output of 1 / a by forward substitution, a block of the length of ``a`` at a time."""
    size = len(a)
    a = a.to(inputs.dtype)
    i = torch.arange(size, device=a.device)
    distance = i.unsqueeze(1) - i
    within = torch.where(distance >= 0, a[distance.clamp(min=0)], 0)
    before = torch.where(distance < 0, a[(distance + size).clamp(max=size - 1)], 0)
    before = torch.where(distance == 0, 0, before)
    n = inputs.shape[1]
    blocks = torch.unflatten(pad(inputs, (0, -n % size)), 1, (-1, size))
    last = torch.zeros_like(blocks[:, 0])
    made = []
    for block in blocks.unbind(1):
        right = block - last @ before.mT
        last = torch.linalg.solve_triangular(within, right.mT, upper=False).mT
        made.append(last)
    return torch.cat(made, 1)[:, :n]


def _complex(t: Tensor) -> Tensor:
    real, imaginary = torch.unflatten(t, 0, (2, -1)).unbind(0)
    return torch.complex(real, imaginary)


def _filtered(b: Tensor, a: Tensor, x: Tensor, state: Tensor) -> tuple[Tensor, Tensor]:
    n = x.shape[1]
    size = SAMPLES
    while size > 1 and size >= 2 * n:
        size //= 2
    # what comes after a NaN or an infinity is no number; what comes before must not see it
    bad = None if finite(x) else ~torch.isfinite(x)
    clean = x if bad is None else x.masked_fill(bad, 0)
    matrices = _Matrices(b, a, size)
    count = -(-n // size)
    if count * size > n:
        clean = pad(clean, (0, count * size - n))
    blocks = clean.reshape(-1, size)
    inputs = torch.unflatten(blocks @ matrices.to_state, 0, (-1, count))
    if matrices.is_complex:
        parts = recursion(matrices.step, _both(inputs), _both(state))
        states = torch.complex(*parts.chunk(2, -1))
    else:
        states = recursion(matrices.step, inputs, state)
    y = states[:, :count].flatten(0, 1) @ matrices.of_state
    y = y.addmm_(blocks, matrices.within).reshape(len(x), -1)[:, :n]
    rest = n - (count - 1) * size
    if rest == size:
        last = states[:, count]
    else:
        last = states[:, count - 1] @ matrices.powers[rest]
        last = last + clean[:, (count - 1) * size : n] @ matrices.to_state[size - rest :]
    if bad is None:
        return y, last
    at_once = x
    for gain in b[:, 0]:
        at_once = at_once * gain
    y = torch.where(bad, y + at_once, y)
    after = bad.cummax(1).values.roll(1, 1).index_fill(1, torch.zeros(1, device=x.device).long(), 0)
    return y.masked_fill(after, torch.nan), last.masked_fill(bad.any(1, keepdim=True), torch.nan)


def _both(t: Tensor) -> Tensor:
    """The real parts, and after them the imaginary parts."""
    return torch.cat([t.real, t.imag], -1)


class _Matrices:
    """What a block does, each matrix to be multiplied from the right."""

    def __init__(self, b: Tensor, a: Tensor, size: int) -> None:
        self.is_complex = a.is_complex() or b.is_complex()
        dtype = torch.promote_types(a.dtype, b.dtype)
        step, inputs, outputs, gain = _system(b.to(dtype), a.to(dtype))
        if self.is_complex:
            step, outputs = pairs.each(_embedded, step), pairs.each(_embedded, outputs)
            inputs = pairs.each(lambda t: torch.cat([t.real, t.imag]), inputs)
        found, self.step = pairs.powers(step, size)
        to_state = pairs.matmul(found, inputs)[0].squeeze(-1)
        output = pairs.matmul(outputs, found)
        response = pairs.matmul(output, inputs)[0].squeeze(-1)
        powers, of_state = found[0], output[0]
        if self.is_complex:
            powers, of_state = _extracted(powers), _extracted(of_state)
            to_state, response = (torch.complex(*t.chunk(2, 1)) for t in (to_state, response))
        response = torch.cat([gain, response[:-1, 0]])
        i = torch.arange(size, device=b.device)
        distance = i - i.unsqueeze(1)
        self.within = torch.where(distance >= 0, response[distance.clamp(min=0)], 0)
        self.of_state = of_state[:, 0].mT
        self.to_state = to_state.flip(0)
        self.powers = powers.mT


def _system(b: Tensor, a: Tensor) -> tuple[Pair, Pair, Pair, Tensor]:
    """The matrices of the step, the input and the output, and the gain, of filters in a row."""
    filters, order = len(b), b.shape[1] - 1
    size = filters * order
    gains, rows = pairs.as_pair(b[:, :1]), pairs.as_pair(b[:, 1:])
    inputs = pairs.add(rows, pairs.times(pairs.as_pair(-a[:, 1:]), gains))
    # what goes into a filter, by the states of those before and by the sample
    row = pairs.as_pair(pad(torch.ones_like(b[0, :1]), (size, 0)))
    found = []
    for i in range(filters):
        column, gain = (pairs.each(itemgetter(i), pair) for pair in (inputs, gains))
        before = pairs.times(pairs.each(lambda t: t.unsqueeze(1), column), row)
        own = pad(_companion(a[i]), (i * order, size - (i + 1) * order + 1))
        found.append((before[0] + own, before[1]))
        row = pairs.times(gain, row)
        first = pad(torch.ones_like(a[i, :1]), (i * order, size - i * order))
        row = row[0] + first, row[1]
    whole = pairs.joined(found, 0)
    step, column = (pairs.each(part, whole) for part in (lambda t: t[:, :-1], lambda t: t[:, -1:]))
    return step, column, pairs.each(lambda t: t[:-1].unsqueeze(0), row), row[0][-1:]


def _companion(a: Tensor) -> Tensor:
    """The matrix that gives the next state."""
    shift = torch.eye(len(a) - 2, dtype=a.dtype, device=a.device)
    return torch.cat([-a[1:].unsqueeze(1), pad(shift, (0, 0, 0, 1))], 1)


def _embedded(a: Tensor) -> Tensor:
    """A complex matrix as a real one of twice the size."""
    return torch.cat([torch.cat([a.real, -a.imag], 1), torch.cat([a.imag, a.real], 1)])


def _extracted(a: Tensor) -> Tensor:
    """The complex matrix of a real one of twice the size."""
    rows, columns = (n // 2 for n in a.shape[-2:])
    return torch.complex(a[..., :rows, :columns], a[..., rows:, :columns])


def recursion(step: Pair, inputs: Tensor, state: Tensor) -> Tensor:
    """The states before each step and after the last: ``step`` times the state, plus the input.

    All are real. ``inputs`` is of shape (lines, steps, order).
    """
    return _by_blocks(step, inputs, state, exact=not _cancels_little(step[0]))


def _cancels_little(step: Tensor) -> bool:
    """Whether the values were read, and steps fall even if all their elements are positive.

    Then rounding errors fall with them, and no digits beyond those of float64 are needed.
    """
    size = step.detach().abs()
    for _ in range(6):
        size = size @ size
    return bool(total(~(size.sum(1) <= 1)) == 0)


def _by_blocks(step: Pair, inputs: Tensor, state: Tensor, exact: bool) -> Tensor:
    """The steps of a block are one matrix product, and the states at their begins a recursion."""
    count, order = inputs.shape[1:]
    size = min(STATES, 1 << (count - 1).bit_length())
    found, whole = pairs.powers(step, size, pairs.matmul if exact else pairs.rounded_matmul)
    matrix = pairs.each(_of_steps, pairs.joined([found, pairs.each(lambda t: t[None], whole)], 0))
    blocks = -(-count // size)
    inside = pad(inputs, (0, 0, 0, blocks * size - count)).reshape(-1, size * order)

    def product(vectors: Tensor, rows: slice, columns: slice) -> Tensor:
        part = pairs.each(lambda m: m[rows, columns], matrix)
        return pairs.Cut(part).of(vectors) if exact else vectors @ part[0]

    if blocks == 1:
        states = product(torch.cat([state, inside], 1), slice(None), slice(None))
        return torch.unflatten(torch.cat([state, states], 1), 1, (-1, order))[:, : count + 1]
    ends = product(inside, slice(order, None), slice(-order, None))
    begins = _by_blocks(whole, torch.unflatten(ends, 0, (-1, blocks)), state, exact)
    first = begins[:, :-1].flatten(0, 1)
    states = product(torch.cat([first, inside[:, :-order]], 1), slice(-order), slice(-order))
    states = torch.cat([first, states], 1).reshape(len(state), -1, order)
    return torch.cat([states, begins[:, -1:]], 1)[:, : count + 1]


def _of_steps(powers: Tensor) -> Tensor:
    """From a state and the inputs of the steps to the states after each step, from the right.

    ``powers`` are those from 0 to the number of the steps.
    """
    size = len(powers) - 1
    i = torch.arange(size, device=powers.device)
    distance = i - i.unsqueeze(1)
    within = powers.mT[distance.clamp(min=0)] * (distance >= 0)[..., None, None]
    whole = torch.cat([powers[1:].mT.unsqueeze(0), within])
    return whole.transpose(1, 2).flatten(0, 1).flatten(1)
