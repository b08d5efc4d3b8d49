"""LAPACK's Schur form in torch, and the equations of Sylvester's kind that it solves.

torch has eigenvectors. An orthonormal basis of the first ones, for each number of them, is the
Schur form but for the error of vectors that are nearly parallel; steps of the QR iteration from
there take that error away.
"""

from __future__ import annotations

import math
from typing import Any

import numpy
import scipy.linalg
import torch
from torch import Tensor

from .factors import without_derivative


class UnsortedError(NotImplementedError):
    """The eigenvalues are not in the order that was asked for."""


def schur(a: Tensor, first: Any = None) -> tuple[Tensor, Tensor, int]:
    """``t``, ``z`` and a count with ``a = z t z^H``; the eigenvalues that ``first`` takes first.

    ``t`` is triangular; of a real matrix it has two rows for a conjugate pair. On the CPU it is
    LAPACK's own, on the memory of the tensor.
    """
    if a.device.type == "cpu":
        return _by_lapack(a, first)
    w, v = torch.linalg.eig(a)
    values = w.tolist()
    steps = _groups(values, a.is_complex())
    chosen = [first is not None and any(bool(first(values[i])) for i in group) for group in steps]
    order = [g for g, c in zip(steps, chosen, strict=True) if c]
    order += [g for g, c in zip(steps, chosen, strict=True) if not c]
    if a.is_complex():
        vectors = v[:, [i for group in order for i in group]]
    else:
        vectors = _real_vectors(v, order)
    z, _ = torch.linalg.qr(vectors)
    t, z = _cleaned(z.mT.conj() @ a @ z, z)
    count = sum(len(g) for g, c in zip(steps, chosen, strict=True) if c)
    if first is not None:
        found = [bool(first(x)) for x in eigenvalues(t)]
        if any(found[count:]) or sum(found) < count - found[:count].count(False):
            raise UnsortedError(
                "schur: eigenvalues that are nearly equal do not stay in their order"
            )
    return t, z, count


def _by_lapack(a: Tensor, first: Any) -> tuple[Tensor, Tensor, int]:
    def wanted(x: Any, y: Any = None) -> bool:
        return bool(first(complex(x) if y is None else complex(x, y)))

    form = "complex" if a.is_complex() else "real"
    sort = None if first is None else wanted
    found = scipy.linalg.schur(
        a.detach().resolve_conj().numpy(), form, sort=sort, check_finite=False
    )  # fmt: skip
    t, z = (torch.from_numpy(numpy.ascontiguousarray(x)) for x in found[:2])
    return t, z, 0 if first is None else int(found[2])


def _groups(values: list[complex], single: bool) -> list[tuple[int, ...]]:
    """The places of the eigenvalues, a conjugate pair of a real matrix together."""
    groups: list[tuple[int, ...]] = []
    i = 0
    while i < len(values):
        size = 1 if single or values[i].imag == 0 else 2
        groups.append(tuple(range(i, i + size)))
        i += size
    return groups


def _real_vectors(v: Tensor, order: list[tuple[int, ...]]) -> Tensor:
    """Real vectors that span the same spaces."""
    found = []
    for group in order:
        column = v[:, group[0]]
        found += [column.real] if len(group) == 1 else [column.real, column.imag]
    return torch.stack(found, 1)


def _cleaned(t: Tensor, z: Tensor) -> tuple[Tensor, Tensor]:
    """The QR iteration, until what is below the diagonal or its blocks is rounding."""
    n, left = t.shape[0], 100 + t.shape[0]
    small = n * torch.finfo(t.dtype).eps * float(torch.linalg.matrix_norm(t))
    end = n
    while end > 0:
        size = _settled(t, end, small)
        if size:
            t[end - size : end, : end - size] = 0
            if size == 2:
                t, z = _standard_block(t, z, end - 2)
            end -= size
            continue
        left -= 1
        if left < 0:
            raise NotImplementedError("schur: too many of the eigenvectors are nearly parallel")
        t, z = _step(t, z, end)
    return t, z


def _settled(t: Tensor, end: int, small: float) -> int:
    """How many rows above ``end`` are apart from those before: 1, 2 of a real matrix, or 0."""
    if end == 1 or float(torch.linalg.vector_norm(t[end - 1, : end - 1])) <= small:
        return 1
    if t.is_complex():
        return 0
    if end == 2 or float(torch.linalg.vector_norm(t[end - 2 : end, : end - 2])) <= small:
        return 2
    return 0


def _step(t: Tensor, z: Tensor, end: int) -> tuple[Tensor, Tensor]:
    """A step with the eigenvalues of the last two rows as shifts."""
    active = t[:end, :end]
    eye = torch.eye(end, dtype=t.dtype, device=t.device)
    corner = active[-2:, -2:]
    if t.is_complex():
        values = torch.linalg.eigvals(corner)
        shift = values[(values - corner[1, 1]).abs().argmin()]
        q, _ = torch.linalg.qr(active - shift * eye)
    else:
        determinant = corner[0, 0] * corner[1, 1] - corner[0, 1] * corner[1, 0]
        q, _ = torch.linalg.qr(
            active @ active - (corner[0, 0] + corner[1, 1]) * active + determinant * eye
        )
    return _turned(t, z, q, 0)


def _turned(t: Tensor, z: Tensor, q: Tensor, start: int) -> tuple[Tensor, Tensor]:
    """The form in a basis that is changed by ``q`` from ``start`` on."""
    end = start + q.shape[0]
    t, z = t.clone(), z.clone()
    t[start:end] = q.mT.conj() @ t[start:end]
    t[:, start:end] = t[:, start:end] @ q
    z[:, start:end] = z[:, start:end] @ q
    return t, z


def _standard_block(t: Tensor, z: Tensor, i: int) -> tuple[Tensor, Tensor]:
    """Two rows with one number twice on the diagonal, or none below it for real eigenvalues."""
    (a, b), (c, d) = t[i : i + 2, i : i + 2].tolist()
    half = (a - d) / 2
    inside = half * half + b * c
    if inside >= 0:
        root = half + (inside**0.5 if half >= 0 else -(inside**0.5))
        length = math.hypot(root, c)
        cos, sin = (root / length, c / length) if length else (1.0, 0.0)
    else:
        angle = math.atan2(d - a, b + c) / 2
        cos, sin = math.cos(angle), math.sin(angle)
    q = torch.tensor([[cos, -sin], [sin, cos]], dtype=t.dtype, device=t.device)
    t, z = _turned(t, z, q, i)
    if inside >= 0:
        t[i + 1, i] = 0
    else:
        t[i + 1, i + 1] = t[i, i] = (t[i, i] + t[i + 1, i + 1]) / 2
    return t, z


def eigenvalues(t: Tensor) -> list[complex]:
    """The eigenvalues of a Schur form, from above."""
    n = t.shape[0]
    diagonal = t.diagonal().tolist()
    below, above = t.diagonal(-1).tolist(), t.diagonal(1).tolist()
    found: list[complex] = []
    for i in range(n):
        if i and below[i - 1] != 0 and not t.is_complex():
            found.append(found[-1].conjugate())
        elif i + 1 < n and below[i] != 0 and not t.is_complex():
            found.append(complex(diagonal[i], abs(below[i] * above[i]) ** 0.5))
        else:
            found.append(complex(diagonal[i]))
    return found


def gees(
    select: Any, a: Tensor, lwork: int | None = None, overwrite_a: bool = False, sort_t: int = 0
) -> Any:
    """The Schur form; ``select`` is asked about a number, or the parts of one of a real matrix."""
    without_derivative("schur", a)
    if lwork == -1:
        return a, 0, None, a, [a.new_zeros(()).cpu().numpy()], 0

    def wanted(x: complex) -> Any:
        return select(x) if a.is_complex() else select(x.real, x.imag)

    t, z, count = schur(a.detach(), wanted if sort_t else None)
    return t, count, None, z, None, 0


def trsyl(
    a: Tensor, b: Tensor, c: Tensor, trana: str = "N", tranb: str = "N", isgn: int = 1
) -> Any:
    """``op(a) x + isgn x op(b) = scale c`` for Schur forms, the scale being 1."""
    x, perturbed = sylvester(_op(a, trana), isgn * _op(b, tranb), c)
    return x, 1.0, int(perturbed)


def _op(t: Tensor, trans: str) -> Tensor:
    return t if trans == "N" else t.mT if trans == "T" else t.mT.conj()


def sylvester(a: Tensor, b: Tensor, c: Tensor) -> tuple[Tensor, bool]:
    """The solution of ``a x + x b = c``, by the Schur forms of both.

    With it, whether sums of eigenvalues are so close to 0 that they were replaced.
    """
    without_derivative("solve_sylvester", a, b, c)
    if _is_triangular(a) and _is_triangular(b):
        return triangular_sylvester(a, b, c)
    wide = torch.promote_types(c.dtype, torch.complex64)
    ta, za, _ = schur(a.to(wide))
    tb, zb, _ = schur(b.to(wide))
    inside, perturbed = triangular_sylvester(ta, tb, za.mT.conj() @ c.to(wide) @ zb)
    x = za @ inside @ zb.mT.conj()
    return (x if c.is_complex() else x.real.contiguous()), perturbed


def _is_triangular(t: Tensor) -> bool:
    return not bool(t.tril(-1).any())


def triangular_sylvester(a: Tensor, b: Tensor, c: Tensor) -> tuple[Tensor, bool]:
    """The same with upper triangles, column by column."""
    digit = torch.finfo(a.dtype).eps
    largest = torch.maximum(a.abs().amax(), b.abs().amax())
    least = (digit * largest).clamp(min=torch.finfo(a.dtype).tiny)
    sums = a.diagonal().unsqueeze(1) + b.diagonal()
    small = sums.abs() <= least
    sums = torch.where(small, least.to(sums.dtype), sums)
    off = a.triu(1)
    x = torch.zeros_like(c)
    for k in range(b.shape[0]):
        column = c[:, k] - x[:, :k] @ b[:k, k]
        left = off + torch.diag(sums[:, k])
        x[:, k] = torch.linalg.solve_triangular(left, column.unsqueeze(1), upper=True).squeeze(1)
    return x, bool(small.any())


__all__ = ["gees", "trsyl"]
