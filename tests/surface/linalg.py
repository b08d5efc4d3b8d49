"""Linear algebra: the functions of the main namespace and the extension.

Vectors that are unique only up to a sign or a phase are used through what does not depend on
it, because the gradient of anything else is not defined.
"""

from __future__ import annotations

import operator
from typing import Any

from tests.surface import Case

PAIR = ([[2.0, 0.5], [0.3, 1.0]], [[1.0, 0.2], [0.7, 3.0]])
SQUARE = ([[2.0, 0.5, 0.1], [0.3, 1.0, 0.2], [0.7, 0.4, 3.0]],)
TALL = ([[2.0, 0.5], [0.3, 1.0], [0.7, 0.4]],)
VECTORS = ([1.0, 2.0, -3.0], [0.5, -1.0, 2.0])
# https://github.com/pytorch/pytorch/pull/189585, which torch 2.13 does not have.
INTEGER_RANK = "the rank is an integer"


def definite(xp: Any, a: Any) -> Any:
    """A positive-definite matrix, differentiable in all of ``a``."""
    return xp.matmul(a, xp.matrix_transpose(a))


def projections(xp: Any, v: Any) -> Any:
    """What the columns of ``v`` project on: free of their signs and phases."""
    return v[:, None, :] * xp.conj(v)[None, :, :]


def eig(xp: Any, a: Any) -> Any:
    values, vectors = xp.linalg.eig(definite(xp, a))
    return xp.real(values), xp.real(projections(xp, vectors))


def eigh(xp: Any, a: Any) -> Any:
    values, vectors = xp.linalg.eigh(definite(xp, a))
    return values, projections(xp, vectors)


def qr(xp: Any, a: Any) -> Any:
    q, r = xp.linalg.qr(a)
    return projections(xp, q), projections(xp, xp.matrix_transpose(r))


def svd(xp: Any, a: Any) -> Any:
    u, s, vh = xp.linalg.svd(a, full_matrices=False)
    return projections(xp, u), s, projections(xp, xp.matrix_transpose(vh))


CASES = [
    Case("matmul", lambda xp, a, b: xp.matmul(a, b), PAIR, nodes=1),
    Case("matmul", lambda xp, a: xp.matmul(a, a[0, :]), TALL),
    Case("Array.__matmul__", lambda xp, a, b: a.__matmul__(b), PAIR, nodes=1),
    Case("Array.__matmul__", lambda xp, a, b: a @ b, PAIR, nodes=1),
    Case("Array.__matmul__", lambda xp, a, b: operator.matmul(a, b), PAIR, nodes=1),
    Case("Array.__rmatmul__", lambda xp, a, b: b.__rmatmul__(a), PAIR, nodes=1),
    Case("Array.__imatmul__", lambda xp, a, b: (a + 0).__imatmul__(b), PAIR),
    Case("Array.__imatmul__", lambda xp, a, b: operator.imatmul(a + 0, b), PAIR),
    Case("matrix_transpose", lambda xp, a: xp.matrix_transpose(a), TALL, nodes=1),
    Case("tensordot", lambda xp, a, b: xp.tensordot(a, b, axes=1), PAIR, nodes=1),
    Case("tensordot", lambda xp, a, b: xp.tensordot(a, b, axes=((0, 1), (1, 0))), PAIR, nodes=1),
    Case("vecdot", lambda xp, a, b: xp.vecdot(a, b), PAIR, nodes=1),
    Case("linalg.matmul", lambda xp, a, b: xp.linalg.matmul(a, b), PAIR, nodes=1),
    Case("linalg.matrix_transpose", lambda xp, a: xp.linalg.matrix_transpose(a), TALL, nodes=1),
    Case("linalg.tensordot", lambda xp, a, b: xp.linalg.tensordot(a, b, axes=0), PAIR, nodes=1),
    Case("linalg.vecdot", lambda xp, a, b: xp.linalg.vecdot(a, b, axis=-2), PAIR, nodes=1),
    Case("linalg.cross", lambda xp, a, b: xp.linalg.cross(a, b), VECTORS, nodes=1),
    Case("linalg.diagonal", lambda xp, a: xp.linalg.diagonal(a, offset=1), SQUARE, nodes=1),
    Case("linalg.outer", lambda xp, a, b: xp.linalg.outer(a, b), VECTORS, nodes=1),
    Case("linalg.trace", lambda xp, a: xp.linalg.trace(a), SQUARE, nodes=2),
    Case("linalg.cholesky", lambda xp, a: xp.linalg.cholesky(definite(xp, a)), SQUARE, nodes=3),
    Case("linalg.cholesky", lambda xp, a: xp.linalg.cholesky(definite(xp, a), upper=True), SQUARE),
    Case("linalg.eig", eig, SQUARE),
    Case("linalg.eigh", eigh, SQUARE),
    Case("linalg.eigvals", lambda xp, a: xp.linalg.eigvals(definite(xp, a)), SQUARE),
    Case("linalg.eigvalsh", lambda xp, a: xp.linalg.eigvalsh(definite(xp, a)), SQUARE, nodes=3),
    Case("linalg.qr", qr, TALL),
    Case("linalg.svd", svd, TALL),
    Case("linalg.svdvals", lambda xp, a: xp.linalg.svdvals(a), TALL, nodes=1),
    Case("linalg.det", lambda xp, a: xp.linalg.det(a), SQUARE, nodes=1),
    Case("linalg.inv", lambda xp, a: xp.linalg.inv(a), SQUARE, nodes=1),
    Case("linalg.matrix_norm", lambda xp, a: xp.linalg.matrix_norm(a), TALL, nodes=1),
    Case("linalg.matrix_norm", lambda xp, a: xp.linalg.matrix_norm(a, ord="nuc"), TALL, nodes=1),
    Case("linalg.matrix_power", lambda xp, a: xp.linalg.matrix_power(a, 3), SQUARE, nodes=2),
    Case("linalg.matrix_power", lambda xp, a: xp.linalg.matrix_power(a, -2), SQUARE, nodes=2),
    Case("linalg.matrix_rank", lambda xp, a: xp.linalg.matrix_rank(a), TALL, grad=INTEGER_RANK),
    Case("linalg.pinv", lambda xp, a: xp.linalg.pinv(a), TALL, nodes=1),
    Case("linalg.slogdet", lambda xp, a: xp.linalg.slogdet(a).logabsdet, SQUARE),
    Case("linalg.solve", lambda xp, a, b: xp.linalg.solve(a, b), PAIR, nodes=1),
    Case("linalg.vector_norm", lambda xp, a: xp.linalg.vector_norm(a), TALL, nodes=1),
    Case(
        "linalg.vector_norm", lambda xp, a: xp.linalg.vector_norm(a, axis=0, ord=3), TALL, nodes=1
    ),
]
