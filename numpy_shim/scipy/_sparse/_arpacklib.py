"""``scipy.sparse.linalg._eigen.arpack._arpacklib``: ARPACK's iterations over Krylov spaces.

ARPACK restarts with the space that is left when shifts, the unwanted eigenvalues, have been applied
to it. The same space is kept here in the eigenvectors, or Schur vectors, of the wanted ones. So the
steps agree, and what has converged after each.
"""

from __future__ import annotations

from functools import partial
from typing import Any

import numpy
import scipy.linalg
from scipy.linalg import lapack

from .krylov import Asking, Space, Values, place

DONE = 99
_WHICH = ("LM", "SM", "LR", "SR", "LI", "SI", "LA", "SA", "BE")
_SECOND = {"LM": "LR", "SM": "SR", "LR": "LM", "SR": "SM", "LI": "LM", "SI": "SM"}
_SHIFTED, _BUCKLING, _CAYLEY = 3, 4, 5

_SMALL = 1e-6
_MANY = 1 << 22


def _nearer(old: Values, found: Values) -> Values:
    """Numbers that are found to more digits, where they are nearly the old ones."""
    return numpy.where(abs(found - old) < 1e-12, found, old)


class _Found:
    """What an iteration has found: Ritz values, and their vectors in the space, unwanted first."""

    def __init__(self, h: Values, values: Values, vectors: Values, which: str) -> None:
        self._h, self.values, self.vectors, self.which = h, values, vectors, which
        self.is_real = numpy.isrealobj(vectors)
        self.ends = vectors[-1].copy()
        self.order = numpy.arange(len(values))
        self.bounds = self.is_good = numpy.zeros(len(values))

    def refine(self) -> None:
        """Find the last elements that are small to their own digits.

        Those of what has converged are far below the rounding of the whole vectors.
        """
        places = numpy.flatnonzero(abs(self.ends) < _SMALL)
        size = len(self.ends)
        if not len(places) or len(places) * size**2 > _MANY:
            return
        alone, one = abs(self.vectors[:, places]).argmax(axis=0), numpy.arange(len(places))
        matrix = self._h - self.values[places, None, None] * numpy.eye(size)
        right = -matrix[one, :, alone]
        right[one, alone] = 1
        matrix[one, alone, :] = matrix[one, :, alone] = 0
        matrix[one, alone, alone] = 1
        try:
            found = numpy.linalg.solve(matrix, right[:, :, None])[:, -1, 0]
        except numpy.linalg.LinAlgError:  # a value stands twice
            return
        self.ends[places] = _nearer(self.ends[places], found * self.vectors[alone, places])

    def judge(self, residual: float, tol: float, eps: float) -> None:
        """Which values have converged."""
        self.bounds = residual * abs(self.ends)
        self.is_good = self.bounds <= tol * numpy.maximum(eps ** (2 / 3), abs(self.values))

    def choose(self, count: int) -> int:
        """Order the values, so many wanted ones last; how many are then wanted."""
        raise NotImplementedError

    def converged(self, count: int) -> Values:
        """The places of so many converged values, the most wanted last."""
        good = self.order[self.is_good[self.order]]
        found: Values = good[len(good) - count :]
        return found


class _Symmetric(_Found):
    def __init__(self, h: Values, which: str) -> None:
        h = numpy.tril(h) + numpy.tril(h, -1).T
        super().__init__(h, *numpy.linalg.eigh(h), which)

    def choose(self, count: int) -> int:
        x = self.values
        if self.which == "BE":
            self.order = numpy.roll(numpy.argsort(x, kind="stable"), -(count // 2))
        else:
            key = {"LM": abs(x), "SM": -abs(x), "LA": x, "SA": -x}[self.which]
            self.order = numpy.argsort(key, kind="stable")
        return count

    def kept(self, count: int) -> tuple[Values, Values, Values]:
        places = self.order[-count:]
        return self.vectors[:, places], numpy.diag(self.values[places]), self.ends[places]


class _General(_Found):
    def __init__(self, h: Values, which: str) -> None:
        self._t, self._basis = scipy.linalg.schur(h, check_finite=False)
        values, vectors = scipy.linalg.eig(self._t, check_finite=False)
        super().__init__(h, values, self._basis @ vectors, which)
        self.is_real = numpy.isrealobj(h)

    def choose(self, count: int) -> int:
        pairs = numpy.arange(len(self.values)) - (self.values.imag < 0) * self.is_real
        keys = (pairs, self._key(_SECOND[self.which]), self._key(self.which))
        self.order = numpy.lexsort(keys)
        there, before = self.order[-count], self.order[-count - 1 : -count]
        return count + int(self.is_real and (pairs[before] == pairs[there]).any())

    def _key(self, which: str) -> Values:
        x = self.values
        size = {"M": abs(x), "R": x.real, "I": abs(x.imag) if self.is_real else x.imag}[which[1]]
        return size if which[0] == "L" else -size

    def kept(self, count: int) -> tuple[Values, Values, Values]:
        """The Schur vectors of the wanted values, and the triangle that is theirs."""
        places, select = self.order[-count:], numpy.zeros(len(self.values), "int32")
        select[places] = 1
        name = "dtrsen" if self.is_real else "ztrsen"
        t, basis = getattr(lapack, name)(select, self._t, self._basis, job=b"N")[:2]
        basis, t = basis[:, :count], t[:count, :count]
        ends = basis[-1]
        try:
            inside = basis.T.conj() @ self.vectors[:, places]
            turned = numpy.linalg.solve(inside.T, self.ends[places])
        except numpy.linalg.LinAlgError:  # of parallel eigenvectors
            return basis, t, ends
        return basis, t, _nearer(ends, turned.real if self.is_real else turned)


def _iterate(kind: Any, state: dict[str, Any], space: Space) -> Asking:
    """ARPACK's ``saup2`` and ``naup2``: until all that are wanted have converged."""
    is_given, state["info"] = bool(state["info"]), 0
    which, size, asked = _WHICH[state["which"]], space.size, state["nev"]
    tol = state["tol"] if state["tol"] > 0 else space.eps
    length = yield from space.begin(is_given)
    if not length > 0:
        state["info"] = -9 if length == 0 else -9999
        return
    kept = 0
    while True:
        state["iter"] += 1
        if not (yield from space.extend(kept)):
            state["info"] = -9999
            return
        if not numpy.isfinite(space.h).all():
            state["info"] = -8
            return
        found = state["found"] = kind(space.h[:size], which)
        found.refine()
        found.judge(space.h[size, size - 1].real, tol, space.eps)
        wanted = found.choose(asked)
        converged = int(found.is_good[found.order[-wanted:]].sum())
        unwanted = found.bounds[found.order[:-wanted]]
        left = int((unwanted != 0).sum())  # what is exact cannot be left out
        if converged >= wanted or state["iter"] > state["maxiter"] or left == 0:
            break
        kept = size - left + min(converged, left // 2)
        if kept == 1:
            kept = size // 2 if size >= 6 else min(2, size - 1)
        kept = found.choose(min(kept, size - 1 if kind is _Symmetric else size - 2))
        space.restart(*found.kept(kept))
    state["nconv"] = converged
    if converged < wanted:
        state["info"] = 3 if left == 0 else 1


def _advance(kind: Any, state: dict[str, Any], resid: Any, v: Any, places: Any, *work: Any) -> None:
    """ARPACK's ``saupd`` and ``naupd``: on to the next product that is asked for."""
    if state["ido"] == 0:
        space = state["space"] = Space(resid, v, places, work[0], state["ncv"], bool(state["bmat"]))
        state["steps"] = _iterate(kind, state, space)
        if kind is _Symmetric and state["nev"] == 1 and _WHICH[state["which"]] == "BE":
            state["steps"], state["info"] = iter(()), -13
    state["ido"] = next(state["steps"], DONE)


def _extract_symmetric(
    state: dict[str, Any], with_vectors: bool, howmny: Any, select: Any, d: Any, z: Any,
    sigma: Any, *work: Any,
) -> None:  # fmt: skip
    """ARPACK's ``seupd``: the eigenvalues that have converged, and their vectors."""
    count, mode = state["nconv"], state["mode"]
    if count == 0:
        return
    found = state["found"]
    chosen = found.converged(count)
    theta = found.values[chosen]
    values, nearer = theta, theta * 0
    if mode >= _SHIFTED:
        one = theta - 1 if mode == _BUCKLING else theta
        nearer = 1 / one  # one more step of the inverse iteration, for the vectors
        values = {
            _SHIFTED: nearer + sigma,
            _BUCKLING: sigma * theta * nearer,
            _CAYLEY: sigma * (theta + 1) / (theta - 1),
        }[mode]
    if with_vectors or mode >= _SHIFTED or found.which == "BE":
        turned = numpy.argsort(values, kind="stable")
        chosen, values, nearer = chosen[turned], values[turned], nearer[turned]
    d._tensor[:count] = place(values, d._tensor)
    if with_vectors:
        z._tensor[:, :count] = _vectors(state, chosen, nearer).T


def _vectors(state: dict[str, Any], chosen: Values, nearer: Values) -> Any:
    space, found = state["space"], state["found"]
    coefficients = found.vectors[:, chosen]
    ends = space.h[-1, -1] * found.ends[chosen] * nearer
    if not found.is_real:
        return space.combine(coefficients, ends)
    # Of a pair of complex eigenvectors the real part comes first, and the imaginary part then.
    is_second = found.values[chosen].imag < 0
    turned = numpy.where(is_second, -coefficients.imag, coefficients.real)
    return space.combine(turned, numpy.where(is_second, -ends.imag, ends.real))


def _chosen(state: dict[str, Any], with_vectors: bool, shift: Any) -> tuple[Values, Values, Values]:
    """What has converged, with vectors the most wanted first; of a pair the upper one first."""
    found = state["found"]
    chosen = found.converged(state["nconv"])
    if with_vectors:
        chosen = chosen[::-1]
    if found.is_real:
        for i in range(len(chosen) - 1):
            if chosen[i + 1] == chosen[i] - 1 and found.values[chosen[i]].imag < 0:
                chosen[i : i + 2] = chosen[i + 1], chosen[i]
    theta = found.values[chosen]
    if shift is None:
        return chosen, theta, theta * 0
    return chosen, 1 / theta + shift, 1 / theta


def _extract_real(
    state: dict[str, Any], with_vectors: bool, howmny: Any, select: Any, dr: Any, di: Any, z: Any,
    sigmar: float, sigmai: float, *work: Any,
) -> None:  # fmt: skip
    """ARPACK's ``neupd`` of real numbers."""
    if state["nconv"] == 0:
        state["info"] = -14
        return
    shift = sigmar if state["mode"] == _SHIFTED and sigmai == 0 else None
    chosen, values, nearer = _chosen(state, with_vectors, shift)
    count = len(chosen)
    dr._tensor[:count] = place(values.real, dr._tensor)
    di._tensor[:count] = place(values.imag, di._tensor)
    if with_vectors:
        z._tensor[:, :count] = _vectors(state, chosen, nearer).T


def _extract_complex(
    state: dict[str, Any], with_vectors: bool, howmny: Any, select: Any, d: Any, z: Any,
    sigma: Any, *work: Any,
) -> None:  # fmt: skip
    """ARPACK's ``neupd`` of complex numbers."""
    if state["nconv"] == 0:
        state["info"] = -14
        return
    shift = sigma if state["mode"] == _SHIFTED else None
    chosen, values, nearer = _chosen(state, with_vectors, shift)
    d._tensor[: len(chosen)] = place(values, d._tensor)
    if with_vectors:
        z._tensor[:, : len(chosen)] = _vectors(state, chosen, nearer).T


ssaupd_wrap = dsaupd_wrap = partial(_advance, _Symmetric)
snaupd_wrap = dnaupd_wrap = cnaupd_wrap = znaupd_wrap = partial(_advance, _General)
sseupd_wrap = dseupd_wrap = _extract_symmetric
sneupd_wrap = dneupd_wrap = _extract_real
cneupd_wrap = zneupd_wrap = _extract_complex
