"""A Krylov space where the arrays are: an orthonormal basis, and the small matrix of the operator.

For ``OP`` the operator, ``V`` the basis and ``H`` the matrix, ``OP V = V H + v b``: ``v`` is the
next vector, and ``b`` the last row of ``H``. The basis grows without a question to the device. All
of ``H`` that is new is read once, and computed with on the host. Who has the space computes the
products: each generator yields the code of one, as ARPACK asks for it.
"""

from __future__ import annotations

from collections.abc import Generator
from typing import Any

import numpy
import torch
from torch import Tensor

BY_OP, BY_B, AT_RANDOM, START_BY_OP = 1, 2, 4, 5
"""What is asked for: products by ``OP`` and by ``B``, random numbers, a product of any vector."""

Values = numpy.ndarray[Any, Any]
Asking = Generator[int, None, Any]


def read(x: Tensor) -> Values:
    """The values of a tensor, for which the device is waited for once."""
    return numpy.array(x.tolist()).reshape(x.shape)


def place(x: Values, like: Tensor) -> Tensor:
    """Values of the host on the device of a tensor, in its dtype."""
    return torch.from_numpy(numpy.ascontiguousarray(x)).to(like.device, like.dtype)


class Space:
    """A Krylov space of at most so many vectors; with ``B`` orthonormal in its inner product."""

    def __init__(self, resid: Any, v: Any, places: list[int], work: Any, size: int, with_b: bool):
        self._start, self._places, self._with_b = resid._tensor.reshape(-1), places, with_b
        self._work: Tensor = work._tensor.view(3, -1)
        n = self._work.shape[1]
        if len(self._start) != n:
            raise ValueError(f"v0 must have {n} elements, and has {len(self._start)}")
        self._vectors: Tensor = v._tensor.view(-1)[: size * n].view(size, n)
        self._images = torch.empty_like(self._vectors) if with_b else self._vectors
        self._columns = self._work.new_zeros(size, size + 1)
        self._tiny = torch.finfo(self._work.dtype).tiny
        self.eps = torch.finfo(self._work.dtype).eps
        self._noise = 16 * self.eps  # what is left of a vector in the space
        self.size, self.next = size, self._start
        dtype = complex if self._work.is_complex() else float
        self.h: Values = numpy.zeros((size + 1, size), dtype)

    def begin(self, is_given: bool) -> Asking:
        """Begin with ``OP x`` for the vector that is given, or a random one; how long that is."""
        if not is_given:
            yield AT_RANDOM
        return (yield from self._add(0, True))

    def _draw(self, count: int) -> Asking:
        """Let a random vector be that after the first ones; whether there is one."""
        for attempt in range(3):
            yield AT_RANDOM
            if (yield from self._add(count, attempt == 0)) > self._noise:
                return True
        return False

    def _add(self, count: int, by_op: bool) -> Asking:
        """Let what the start has beside the first vectors be the next one; how much it has."""
        if by_op:  # it is in the range of ``OP`` then, where ``B`` is not zero
            self._work[0] = self._start
            self._places[:2] = 0, len(self._start)
            yield START_BY_OP
        else:
            self._work[1] = self._start
        before = torch.linalg.vector_norm(self._work[1])
        self._orthogonalize(count)
        norm = yield from self._measure()
        self._keep(count, norm)
        length, whole = read(torch.stack([norm, before]))
        return length / whole if whole != 0 else 0.0

    def _orthogonalize(self, count: int) -> Tensor:
        """Subtract from ``work[1]`` its part in the space, twice; the coefficients."""
        w, vectors, images = self._work[1], self._vectors[:count], self._images[:count]
        found = w.new_zeros(count)
        for _ in range(2 if count else 0):
            part = torch.mv(images, w.conj_physical()).conj_physical()
            w -= torch.mv(vectors.T, part)
            found += part
        return found

    def _measure(self) -> Asking:
        """The length of ``work[1]``; with ``B`` its image comes to ``work[0]``."""
        w = self._work[1]
        if not self._with_b:
            return torch.linalg.vector_norm(w)
        self._places[:2] = len(w), 0
        yield BY_B
        return torch.vdot(w, self._work[0]).abs().sqrt()

    def _keep(self, count: int, norm: Tensor) -> None:
        """Let ``work[1]`` be the vector after the first ones, with its length divided out."""
        is_next = count == self.size
        norm = norm.clamp_min(self._tiny)
        if is_next:
            self.next = self._work[1] / norm
        else:
            torch.div(self._work[1], norm, out=self._vectors[count])
        if self._with_b:
            image = self._work[0] / norm
            if is_next:
                self._next_image = image
            else:
                self._images[count] = image

    def extend(self, first: int) -> Asking:
        """Let the space of so many vectors, and the next one, grow to its size; whether it could.

        A product that is in the space is found when ``H`` is read: from there on the space grows
        from a random vector.
        """
        n = len(self._start)
        while first < self.size:
            for j in range(first, self.size):
                self._work[2] = self._vectors[j]
                if self._with_b:
                    self._work[0] = self._images[j]
                self._places[:3] = 2 * n, n, 0 if self._with_b else 2 * n
                yield BY_OP
                column = self._columns[j]
                column[: j + 1] = self._orthogonalize(j + 1)
                norm = yield from self._measure()
                column[-1] = norm
                self._keep(j + 1, norm)
            columns = read(self._columns[first:])
            norms = columns[:, -1].real
            wholes = numpy.linalg.norm(columns, axis=1)
            ends = numpy.flatnonzero(~(norms > self._noise * wholes))
            last = first + ends[0] if len(ends) else self.size - 1
            for j in range(first, last + 1):
                self.h[: j + 1, j] = columns[j - first, : j + 1]
                self.h[j + 1, j] = norms[j - first]
                self.h[j + 2 :, j] = 0
            first = last + 1
            if first < self.size:
                self.h[first, last] = 0
                if not (yield from self._draw(first)):
                    return False
        return True

    def restart(self, basis: Values, matrix: Values, ends: Values) -> None:
        """Keep what the columns of ``basis`` span, in which ``OP`` is ``matrix``.

        ``ends`` is the last row of the basis.
        """
        count = basis.shape[1]
        turned = place(basis.T, self._vectors)
        ends = self.h[-1, -1] * ends
        self._vectors[:count] = turned @ self._vectors
        self._vectors[count] = self.next
        if self._with_b:
            self._images[:count] = turned @ self._images
            self._images[count] = self._next_image
        self.h[:] = 0
        self.h[:count, :count] = matrix
        self.h[count, :count] = ends

    def combine(self, coefficients: Values, ends: Values) -> Tensor:
        """Vectors of the space and the next one, by their coefficients, one after the other."""
        turned = place(coefficients.T, self._vectors) @ self._vectors
        return turned.addr_(place(ends, turned), self.next)
