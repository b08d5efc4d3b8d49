"""Recursive filters by blocks: a state passes from block to block, not from sample to sample.

The state of a filter, that of the transposed direct form II as in SciPy, is a linear function of
the state before and of the sample. So the output of a block of samples is a matrix times the
samples, plus a matrix times the state at its begin; and the states at the begins of the blocks are
such a recursion again, with fewer steps. The matrices are made of powers of the filter's state
matrix, to twice the digits of float64 (``pairs``).
"""

from __future__ import annotations

import torch
from torch import Tensor
from torch.nn.functional import pad

from . import pairs
from .convolutions import strided
from .pairs import Pair

LONGEST = 32
"""The highest order whose matrices are made."""

SAMPLES = 64
"""The samples of a block: a power of two."""

STATES = 32
"""The steps of a block of the recursion of states: a power of two."""


def filtered(b: Tensor, a: Tensor, x: Tensor, state: Tensor) -> tuple[Tensor, Tensor]:
    """The output of a filter for the lines of ``x``, and the state after the last sample.

    ``x`` is of shape (lines, samples), ``state`` of shape (lines, order); the longer of ``b`` and
    ``a`` has order + 1 elements, and ``a`` begins with 1.
    """
    if not x.shape[1] or not x.shape[0]:
        return x, state
    order = state.shape[1]
    if order > LONGEST:
        return _filtered_in_rows(b, a, x, state)
    b, a = (pad(t, (0, order + 1 - len(t))) for t in (b, a))
    if a.is_complex() or b.is_complex():
        return _filtered(b, a, x, state)
    if x.is_complex():
        both = [torch.view_as_real(t.resolve_conj()).movedim(-1, 0) for t in (x, state)]
        y, last = _filtered(b, a, both[0].flatten(0, 1), both[1].flatten(0, 1))
        return _complex(y), _complex(last)
    return _filtered(b, a, x, state)


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
    bad = ~torch.isfinite(x)
    clean = x.masked_fill(bad, 0)
    matrices = _Matrices(b, a, size)
    count = -(-n // size)
    blocks = torch.unflatten(pad(clean, (0, count * size - n)), 1, (count, size))
    inputs = blocks @ matrices.to_state
    if matrices.is_complex:
        parts = recursion(matrices.step, _both(inputs), _both(state))
        states = torch.complex(*parts.chunk(2, -1))
    else:
        states = recursion(matrices.step, inputs, state)
    y = blocks @ matrices.within + states[:, :count] @ matrices.of_state
    y = y.flatten(1)[:, :n]
    y = torch.where(bad, y + x * b[0], y)
    after = bad.cummax(1).values.roll(1, 1).index_fill(1, torch.zeros(1, device=x.device).long(), 0)
    y = y.masked_fill(after, torch.nan)
    rest = n - (count - 1) * size
    if rest == size:
        last = states[:, count]
    else:
        last = states[:, count - 1] @ matrices.powers[rest]
        last = last + blocks[:, -1, :rest] @ matrices.to_state[size - rest :]
    return y, last.masked_fill(bad.any(1, keepdim=True), torch.nan)


def _both(t: Tensor) -> Tensor:
    """The real parts, and after them the imaginary parts."""
    return torch.cat([t.real, t.imag], -1)


class _Matrices:
    """What a block does, each matrix to be multiplied from the right."""

    def __init__(self, b: Tensor, a: Tensor, size: int) -> None:
        is_complex = a.is_complex() or b.is_complex()
        dtype = torch.promote_types(a.dtype, b.dtype)
        step = pairs.as_pair(_embedded(_companion(a.to(dtype))))
        found, self.step = pairs.powers(step, size)
        if is_complex:
            inputs = _extracted(found[0]) @ (b[1:] - a[1:] * b[0])
        else:
            first = pairs.add(
                pairs.as_pair(b[1:]), pairs.times(pairs.as_pair(-a[1:]), pairs.as_pair(b[:1]))
            )
            column = first[0].unsqueeze(-1), first[1].unsqueeze(-1)
            inputs = pairs.matmul(found, column)[0].squeeze(-1)
        powers = _extracted(found[0]) if is_complex else found[0]
        response = torch.cat([b[:1].to(dtype), inputs[:-1, 0]])
        i = torch.arange(size, device=b.device)
        distance = i - i.unsqueeze(1)
        self.is_complex = is_complex
        self.within = torch.where(distance >= 0, response[distance.clamp(min=0)], 0)
        self.of_state = powers[:, 0, :].mT
        self.to_state = inputs.flip(0)
        self.powers = powers.mT


def _companion(a: Tensor) -> Tensor:
    """The matrix that gives the next state."""
    shift = torch.eye(len(a) - 2, dtype=a.dtype, device=a.device)
    return torch.cat([-a[1:].unsqueeze(1), pad(shift, (0, 0, 0, 1))], 1)


def _embedded(a: Tensor) -> Tensor:
    """A complex matrix as a real one of twice the size."""
    if not a.is_complex():
        return a
    return torch.cat([torch.cat([a.real, -a.imag], 1), torch.cat([a.imag, a.real], 1)])


def _extracted(a: Tensor) -> Tensor:
    """The complex matrix of a real one of twice the size."""
    half = a.shape[-1] // 2
    return torch.complex(a[..., :half, :half], a[..., half:, :half])


def recursion(step: Pair, inputs: Tensor, state: Tensor) -> Tensor:
    """The states before each step and after the last: ``step`` times the state, plus the input.

    All are real. ``inputs`` is of shape (lines, steps, order). Blocks of steps are made side by
    side: from a state of zero to know where they end, and again from where they begin.
    """
    count = inputs.shape[1]
    matrix = Exact(step)
    if count <= STATES:
        return _steps(matrix, inputs, state)
    blocks = -(-count // STATES)
    inside = pad(inputs, (0, 0, 0, blocks * STATES - count)).reshape(-1, STATES, inputs.shape[2])
    _, whole = pairs.powers(step, STATES)
    ends = _steps(matrix, inside, torch.zeros_like(inside[:, 0]))[:, -1]
    begins = recursion(whole, torch.unflatten(ends, 0, (-1, blocks)), state)[:, :blocks]
    states = torch.unflatten(_steps(matrix, inside, begins.flatten(0, 1)), 0, (-1, blocks))
    flat = torch.cat([states[:, :, :-1].flatten(1, 2), states[:, -1, -1:]], 1)
    return flat[:, : count + 1]


def _steps(matrix: Exact, inputs: Tensor, state: Tensor) -> Tensor:
    states = [state]
    for one in inputs.unbind(1):
        states.append(matrix.of(states[-1]) + one)
    return torch.stack(states, 1)


class Exact:
    """A matrix whose products with vectors have an error of the size of the result.

    The state matrix of a narrow filter has large elements, whose products with a state cancel. The
    matrix and the vectors are cut into parts of 24 bits, whose products are exact (Ozaki et al.).
    """

    def __init__(self, matrix: Pair) -> None:
        self.plain = matrix[0].mT
        cut = _parts(matrix[0].detach().mT, 0)
        self.parts = torch.stack([cut[0], cut[1], cut[2] + matrix[1].mT])

    def of(self, vectors: Tensor) -> Tensor:
        plain = vectors @ self.plain
        cut = torch.stack(_parts(vectors.detach(), -1)).unsqueeze(1)
        products = (cut @ self.parts).flatten(0, 1)
        exact = (products[1:].flip(0)).sum(0) + products[0]
        return plain + (exact - plain.detach())


def _parts(x: Tensor, axis: int) -> list[Tensor]:
    """``x`` as a sum of three, of which the first two have 24 bits below the largest number."""
    found = []
    for _ in range(2):
        _, exponent = torch.frexp(x.abs().amax(axis, keepdim=True))
        unit = torch.ldexp(torch.ones_like(x), exponent + 30)
        found.append((x + unit) - unit)
        x = x - found[-1]
    return [*found, x]
