"""The linear algebra of MINPACK: factors on the device, steps from them on the host.

A matrix of as many rows as there are residuals stays where it is. What has the size of the
parameters is read once, and each comparison in a step is then one of the host's numbers.
"""

from __future__ import annotations

from math import hypot, sqrt
from typing import Any, NamedTuple

import numpy
import torch
from scipy.linalg.blas import dtrsv
from torch import Tensor

Values = numpy.ndarray[Any, numpy.dtype[numpy.float64]]

EPSILON = 2.220446049250313e-16
_TINY = 2.2250738585072014e-308
_HUGE = 1.7976931348623157e308
_quietly = numpy.errstate(all="ignore")


def read(*tensors: Tensor) -> list[Values]:
    """The values of tensors, for which the device is waited for once."""
    flat: Values = numpy.array(
        torch.cat([t.detach().reshape(-1).double() for t in tensors]).tolist()
    )
    ends = numpy.cumsum([t.numel() for t in tensors])[:-1]
    return [part.reshape(t.shape) for part, t in zip(numpy.split(flat, ends), tensors, strict=True)]


class Factors(NamedTuple):
    """A Jacobian in factors: MINPACK's ``qrfac``, and the values of the residuals with it."""

    packed: Tensor  # on the device: the reflections, with ``r`` above them
    r: Values  # what is in the first rows of ``packed``, with the diagonal of ``r``
    qtf: Values
    lengths: Values  # of the columns
    order: Any
    norm: float  # of the residuals


def factor(jacobian: Tensor, f: Tensor, pivoting: bool) -> Factors:
    """QR by reflections; with pivoting the column of which most is left comes next."""
    n = jacobian.shape[1]
    t = torch.cat([jacobian, f[:, None]], 1)
    order = torch.arange(n, device=t.device)
    lengths = torch.linalg.vector_norm(jacobian, dim=0)
    left, base, diagonal = lengths.clone(), lengths.clone(), torch.zeros_like(lengths)
    for j in range(n):
        if pivoting:
            both = torch.stack([torch.full_like(order[0], j), j + left[j:].argmax()])
            for x in (order, left, base):
                x[both] = x[both.flip(0)]
            t[:, both] = t[:, both.flip(0)]
        length = torch.linalg.vector_norm(t[j:, j])
        is_zero = length == 0
        signed = torch.where(t[j, j] < 0, -length, length)
        v = t[j:, j] / torch.where(is_zero, 1, signed)
        v[:1] += ~is_zero
        rest = t[j:, j + 1 :]
        rest -= torch.outer(v, (v @ rest) / torch.where(is_zero, 1, v[0]))
        t[j:, j] = v
        diagonal[j] = -signed
        if pivoting and j < n - 1:
            after = left[j + 1 :]
            part = t[j, j + 1 : n] / torch.where(after == 0, 1, after)
            less = after * (1 - part * part).clamp(min=0).sqrt()
            is_lost = 0.05 * (less / base[j + 1 :]) ** 2 <= EPSILON
            again = torch.linalg.vector_norm(t[j + 1 :, j + 1 : n], dim=0)
            base[j + 1 :] = torch.where(is_lost, again, base[j + 1 :])
            left[j + 1 :] = torch.where(is_lost, again, less)
    top = t[:n, :n].clone()
    top.diagonal().copy_(diagonal)
    norm = torch.linalg.vector_norm(f)
    r, qtf, long, places, size = read(top, t[:n, n], lengths, order, norm)
    return Factors(t[:, :n], r, qtf, long, places.astype("int32"), float(size))


def orthogonal(packed: Tensor) -> Tensor:
    """The product of the reflections of a square matrix: ``qform``."""
    q = torch.eye(len(packed), dtype=packed.dtype, device=packed.device)
    for k in reversed(range(len(packed))):
        v, part = packed[k:, k], q[k:, k:]
        part -= torch.outer(v, (v @ part) / torch.where(v[0] == 0, 1, v[0]))
    return q


@_quietly
def damp(
    r: Values, order: Any, diag: Values, qtb: Values, delta: float, par: float
) -> tuple[float, Values]:
    """Levenberg's and Marquardt's parameter, and the step for it, within ``delta``: ``lmpar``.

    Below the diagonal of ``r`` is then the transpose of the damped triangle.
    """
    n = len(qtb)
    zeros = numpy.flatnonzero(r.diagonal() == 0)
    rank = int(zeros[0]) if zeros.size else n
    z = numpy.zeros(n)
    z[:rank] = dtrsv(r[:rank, :rank], qtb[:rank]) if rank else 0
    x = numpy.empty(n)
    x[order] = z
    length = hypot(*(diag * x))
    over = length - delta
    if over <= 0.1 * delta:
        return 0.0, x
    low = 0.0
    if rank == n:
        size = hypot(*dtrsv(r, (diag * (diag * x / length))[order], trans=1))
        low = over / delta / size / size
    slope = hypot(*(numpy.triu(r).T @ qtb / diag[order]))
    high = slope / delta or _TINY / min(delta, 0.1)
    par = float(numpy.fmin(numpy.fmax(par, low), high)) or slope / length
    for turn in range(1, 11):
        par = par or max(_TINY, high * 0.001)
        x, s = _solve_damped(r, order, sqrt(par) * diag, qtb)
        length, before = hypot(*(diag * x)), over
        over = length - delta
        if abs(over) <= 0.1 * delta or (low == 0 and over <= before < 0) or turn == 10:
            break
        size = hypot(*dtrsv(s, (diag * (diag * x / length))[order], lower=1))
        if over > 0:
            low = max(low, par)
        elif over < 0:
            high = min(high, par)
        par = float(numpy.fmax(low, par + over / delta / size / size))
    return par, x


def _solve_damped(r: Values, order: Any, d: Values, qtb: Values) -> tuple[Values, Values]:
    """The least squares solution of ``r z = qtb`` and ``d x = 0``, and the triangle: ``qrsolv``."""
    n = len(qtb)
    s, z = numpy.asfortranarray(numpy.triu(r).T), qtb.copy()
    for j in range(n):
        row, rest = numpy.zeros(n), 0.0
        row[j] = d[order[j]]
        for k in range(j, n):
            if row[k] != 0:
                c, sine, _ = _rotation(float(s[k, k]), float(row[k]))
                column = s[k:, k].copy()
                s[k:, k], row[k:] = c * column + sine * row[k:], c * row[k:] - sine * column
                z[k], rest = c * z[k] + sine * rest, c * rest - sine * z[k]
    zeros = numpy.flatnonzero(s.diagonal() == 0)
    rank = int(zeros[0]) if zeros.size else n
    z[rank:] = 0
    if rank:
        z[:rank] = dtrsv(s[:rank, :rank], z[:rank], lower=1, trans=1)
    below = numpy.tril_indices(n, -1)
    r[below] = s[below]
    x = numpy.empty(n)
    x[order] = z
    return x, s


def _rotation(a: float, b: float) -> tuple[float, float, float]:
    """The cosine and the sine that take ``b`` to zero, and one number for both."""
    if abs(a) < abs(b):
        sine = 0.5 / sqrt(0.25 + 0.25 * (a / b) ** 2)
        cosine = sine * (a / b)
        return cosine, sine, 1 / cosine if abs(cosine) * _HUGE > 1 else 1.0
    cosine = 0.5 / sqrt(0.25 + 0.25 * (b / a) ** 2)
    sine = cosine * (b / a)
    return cosine, sine, sine


@_quietly
def bend(r: Values, diag: Values, qtb: Values, delta: float) -> Values:
    """Powell's step, along the gradient and then towards Newton's: ``dogleg``."""
    column = numpy.abs(numpy.triu(r)).max(0) * EPSILON
    safe = r.copy()
    numpy.fill_diagonal(
        safe, numpy.where(r.diagonal() == 0, numpy.where(column, column, EPSILON), r.diagonal())
    )
    x: Values = dtrsv(safe, qtb)
    newton = hypot(*(diag * x))
    if newton <= delta:
        return x
    down = numpy.triu(r).T @ qtb / diag
    slope = hypot(*down)
    best, part = 0.0, delta / newton
    if slope != 0:
        down = down / slope / diag
        size = hypot(*(numpy.triu(r) @ down))
        best, part = float(numpy.divide(numpy.divide(slope, size), size)), 0.0
        if best < delta:
            a, b, size = delta / newton, best / delta, hypot(*qtb)
            t = (size / slope) * (size / newton) * b
            t = t - a * b**2 + sqrt((t - a) ** 2 + (1 - a**2) * (1 - b**2))
            part = a * (1 - b**2) / t
    return (1 - part) * min(best, delta) * down + part * x


def update(low: Values, u: Values, v: Values) -> tuple[Values, Values]:
    """Add ``u v.T`` to a lower triangle, and make it one again: ``r1updt``.

    The result tells ``rotate`` of the rotations.
    """
    n, v = len(v), v.copy()
    w = numpy.zeros(n)
    w[-1] = low[-1, -1]
    for j in reversed(range(n - 1)):
        if v[j] != 0:
            c, s, kept = _rotation(float(v[-1]), float(v[j]))
            v[-1], v[j] = s * v[j] + c * v[-1], kept
            column = low[j:, j].copy()
            low[j:, j], w[j:] = c * column - s * w[j:], s * column + c * w[j:]
    w += v[-1] * u
    for j in range(n - 1):
        if w[j] != 0:
            c, s, kept = _rotation(float(low[j, j]), float(w[j]))
            column = low[j:, j].copy()
            low[j:, j], w[j:] = c * column + s * w[j:], c * w[j:] - s * column
            w[j] = kept
    low[-1, -1] = w[-1]
    return v, w


def rotate(a: Values, v: Values, w: Values) -> None:
    """Turn the columns of ``a`` as ``update`` has turned those of a triangle: ``r1mpyq``."""
    n = len(v)
    turns = [(j, -1.0, v[j]) for j in reversed(range(n - 1))]
    for j, sign, kept in turns + [(j, 1.0, w[j]) for j in range(n - 1)]:
        c = 1 / kept if abs(kept) > 1 else sqrt(1 - kept * kept)
        s = sign * (sqrt(1 - c * c) if abs(kept) > 1 else kept)
        one, last = a[..., j].copy(), a[..., -1].copy()
        a[..., j], a[..., -1] = c * one + s * last, c * last - s * one
