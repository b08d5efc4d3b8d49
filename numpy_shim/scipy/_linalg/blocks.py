"""Systems of bands, block by block of rows: all blocks of a level at once, so in few steps.

A matrix of ``n`` rows with ``kl`` diagonals below and ``ku`` above is cut into blocks of rows. The
unknowns of a block are ``kl + ku`` that it shares with the block before, those of its own, and
as many shared with the next. The factors of a block end in ``kl + ku`` equations of shared unknowns
alone; as many of these make a block of the next level. Each level exchanges rows by size.
"""

from __future__ import annotations

import torch
from torch import Tensor
from torch.compiler import is_compiling

from xp_torch._torch.internals import is_transformed

from .factors import has_derivative

_LEAST = 64
"""Up to so many rows a dense matrix costs less."""

_ROWS = 4
"""How many times the shared unknowns a block has rows."""

_FEWEST = 16
"""The rows that a block has at least."""

_MOST_TIMES = 3
"""How often Cholesky's factors of all blocks are computed; twice where rounding does no harm."""

Level = tuple[Tensor, Tensor]


def is_worth(n: int, *tensors: Tensor) -> bool:
    """Whether a band of ``n`` rows is taken in blocks: these have no derivatives."""
    return n > _LEAST and not (is_compiling() or is_transformed() or has_derivative(*tensors))


def solved(ab: Tensor, kl: int, ku: int, b: Tensor) -> Tensor | None:
    """The solution for the columns of ``b``; nothing if the matrix is singular."""
    n, shared = ab.shape[1], kl + ku
    if shared == 0:
        return b / ab.mT if bool((ab != 0).all()) else None
    size = shared * max(_ROWS, -(-_FEWEST // shared))
    rows = -(-n // size) * size
    wide = ab.new_zeros(shared + 1, rows + shared)
    wide[:, kl : kl + n] = ab.flip(0)
    lines = wide.as_strided((rows, shared + 1), (1, rows + shared + 1))
    lines[n:] = 0
    lines[n:, kl] = 1
    a = ab.new_zeros(rows // size, size, size + shared)
    inside = a.as_strided(
        (rows // size, size, shared + 1), (size * (size + shared), size + shared + 1, 1)
    )
    inside.copy_(lines.reshape(inside.shape))
    right = b.new_zeros(rows, b.shape[1])
    right[:n] = b
    levels: list[Level] = []
    right = right.reshape(-1, size, b.shape[1])
    while True:
        level = _factors(a, right, shared)
        own = size - shared
        if bool((level[0].diagonal(dim1=-2, dim2=-1)[:, :own] == 0).any()):
            return None
        levels.append(level)
        left, after = level[0][:, own:, own:].triu(), level[1][:, own:]
        if len(left) * shared <= _LEAST:
            break
        a, right = _joined(left, after, shared, size // shared)
    a, right = _joined(left, after, shared, len(left))
    inner = a[0, :, kl : kl + a.shape[1]]  # beyond the matrix all is 0
    found, info = torch.linalg.solve_ex(inner, right[0])
    if bool(info):
        return None
    x = torch.nn.functional.pad(found, (0, 0, kl, ku))
    for level in reversed(levels):
        x = _filled(*level, x.reshape(-1, shared, b.shape[1])[: len(level[0]) + 1])
    return x[kl : kl + n]


def _factors(a: Tensor, b: Tensor, shared: int) -> Level:
    """LU of the columns of a block but the last shared ones, and what it makes of these and ``b``.

    The columns of its own come first, then those shared with the block before.
    """
    size = a.shape[1]
    first = torch.cat([a[..., shared:size], a[..., :shared]], -1)
    lu, pivots, _ = torch.linalg.lu_factor_ex(first)
    exchange = torch.lu_unpack(lu, pivots, unpack_data=False)[0]
    rest = exchange.mT @ torch.cat([a[..., size:], b], -1)
    return lu, torch.linalg.solve_triangular(lu, rest, upper=False, unitriangular=True)


def _joined(left: Tensor, after: Tensor, shared: int, each: int) -> tuple[Tensor, Tensor]:
    """Blocks of the next level, of the equations that so many blocks leave."""
    count = -(-len(left) // each)
    more = count * each - len(left)
    columns = after.shape[-1] - shared
    if more:  # what is added says that its unknowns are those before
        one = torch.eye(shared, dtype=left.dtype, device=left.device).expand(more, -1, -1)
        left = torch.cat([left, -one])
        after = torch.cat([after, torch.nn.functional.pad(one, (0, columns))])
    size = each * shared
    a = left.new_zeros(count, each, shared, each + 1, shared)
    for part, offset in ((left, 0), (after[..., :shared], 1)):
        places = a[..., offset : offset + each, :].diagonal(dim1=1, dim2=3)
        places.copy_(part.reshape(count, each, shared, shared).permute(0, 2, 3, 1))
    return a.reshape(count, size, size + shared), after[..., shared:].reshape(count, size, columns)


def _filled(lu: Tensor, after: Tensor, x: Tensor) -> Tensor:
    """The unknowns of a level in their order, by those that its blocks share."""
    shared = x.shape[1]
    own = lu.shape[1] - shared
    right = after[:, :own, shared:] - lu[:, :own, own:] @ x[:-1]
    right = right - after[:, :own, :shared] @ x[1:]
    found = torch.linalg.solve_triangular(lu[:, :own, :own], right, upper=True)
    return torch.cat([torch.cat([x[:-1], found], 1).flatten(0, 1), x[-1]])


# --- Cholesky's factor ---


def cholesky(ab: Tensor) -> Tensor | None:
    """The factor of a Hermitian band, both as diagonals from the main one downwards.

    What the blocks before subtract from the first rows of a block is ``c``, and what it subtracts
    from those of the next is ``g + f @ inv(1 - c @ h) @ c @ f.mH``. Such steps are joined in
    pairs. What rounding leaves of the difference is found in the same way again, from the blocks
    less their ``c``. There is nothing if the matrix is not positive definite, or if rounding keeps
    the steps apart, as where its condition number is beyond 1e8.
    """
    below, n = ab.shape[0] - 1, ab.shape[1]
    size = max(_ROWS * below, _FEWEST)
    count = -(-n // size)
    if below == 0:
        return ab.sqrt() if bool((ab.real > 0).all()) else None
    lines = ab.new_zeros(below + 1, count * size)
    lines[:, :n] = _inside(ab)
    lines[0, n:] = 1
    a = ab.new_zeros(count, size + below, size)
    diagonals = ((below + 1, count, size), (size, (size + below) * size, size + 1))
    a.as_strided(*diagonals).copy_(lines.reshape(diagonals[0]))
    blocks, next_rows = a[:, :size], a[:, size:, size - below :]
    c = ab.new_zeros(count, below, below)
    ends = ab.new_zeros(size, 2 * below)
    one = torch.eye(below, dtype=ab.dtype, device=ab.device)
    ends[:below, :below] = ends[size - below :, below:] = one
    rounding = 16 * torch.finfo(ab.dtype).eps * ab.abs().amax()
    for _ in range(_MOST_TIMES):
        factor, info = torch.linalg.cholesky_ex(blocks)
        if bool(info.any()):
            return None
        half = torch.linalg.solve_triangular(factor, ends.expand(count, -1, -1), upper=False)
        inverse = half.mH @ half
        h, last = inverse[:, :below, :below], inverse[:, below:]
        f, g = next_rows @ last[..., :below], next_rows @ last[..., below:] @ next_rows.mH
        more = torch.cat([g[:-1] - c[1:], g[-1:]])  # than the first factors subtract
        if not bool((more[:-1].abs() > rounding).any()):
            break
        step = _subtracted(more, f, h)
        c = c + step
        blocks[:, :below, :below] -= step
    else:
        return None
    corner = factor[:, size - below :, size - below :]
    a[:, size:, size - below :] = torch.linalg.solve_triangular(
        corner, next_rows.mH, upper=False
    ).mH
    a[:, :size] = factor
    return a.as_strided(*diagonals).reshape(below + 1, -1)[:, :n]


def _subtracted(g: Tensor, f: Tensor, h: Tensor) -> Tensor:
    """What is subtracted from each block, by the steps from each block to the next."""
    if len(g) == 1:
        return torch.zeros_like(g)
    pairs = len(g) // 2
    (g1, f1, h1), (g2, f2, h2) = ([t[i : 2 * pairs : 2] for t in (g, f, h)] for i in (0, 1))
    one = torch.eye(g.shape[-1], dtype=g.dtype, device=g.device)
    both = torch.linalg.solve_ex(one - g1 @ h2, torch.cat([f1, g1], -1))[0]
    by_f, by_g = both.tensor_split(2, -1)
    joined = (g2 + f2 @ by_g @ f2.mH, f2 @ by_f, h1 + f1.mH @ h2 @ by_f)
    rest = len(g) - 2 * pairs
    last = [t[2 * pairs :] for t in (g, f, h)]
    even = _subtracted(*[torch.cat(parts) for parts in zip(joined, last, strict=True)])
    before = even[:pairs]
    odd = g1 + f1 @ torch.linalg.solve_ex(one - before @ h1, before @ f1.mH)[0]
    found = torch.stack([before, odd], 1).flatten(0, 1)
    return torch.cat([found, even[pairs:]]) if rest else found


def _inside(ab: Tensor) -> Tensor:
    """Diagonals from the main one downwards, with zeros after their ends."""
    n = ab.shape[1]
    ends = n - torch.arange(len(ab), device=ab.device).unsqueeze(1)
    return torch.where(torch.arange(n, device=ab.device) < ends, ab, 0)


def downwards(ab: Tensor) -> Tensor:
    """The adjoint of a triangular band, whose rows end in the main diagonal, from it downwards."""
    n = ab.shape[1]
    place = torch.arange(len(ab), device=ab.device).unsqueeze(1)
    columns = (torch.arange(n, device=ab.device) + place).clamp(max=n - 1)
    return ab.flip(0).gather(1, columns).conj()


def upwards(ab: Tensor) -> Tensor:
    """The adjoint of what ``downwards`` gives, of the form that it takes."""
    n = ab.shape[1]
    place = torch.arange(len(ab), device=ab.device).unsqueeze(1)
    columns = (torch.arange(n, device=ab.device) - place).clamp(min=0)
    return ab.gather(1, columns).conj().flip(0)
