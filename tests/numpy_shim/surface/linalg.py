"""Linear algebra: products, ``linalg`` and ``einsum``."""

from __future__ import annotations

from tests.surface import INTEGER_RESULT, Case

A = [[4.0, 1.0, 0.5], [1.0, 3.0, 0.2], [0.5, 0.2, 2.0]]
B = [[1.0, 2.0, 0.0], [0.5, -1.0, 1.0], [3.0, 0.1, 0.7]]
V = [1.0, -2.0, 0.5]
W = [0.3, 0.7, 1.1]
TALL = [[1.0, 2.0], [0.5, -1.0], [3.0, 0.1]]


def _symmetric(x):  # type: ignore[no-untyped-def]
    return x + x.T


CASES = [
    Case("dot", lambda np, a, b: np.dot(a, b), (A, B), nodes=1),
    Case("dot", lambda np, a, b: np.dot(a, b), (V, W), nodes=1),
    Case("vdot", lambda np, a, b: np.vdot(a, b), (V, W)),
    Case("inner", lambda np, a, b: np.inner(a, b), (A, V)),
    Case("outer", lambda np, a, b: np.outer(a, b), (V, W)),
    Case("kron", lambda np, a, b: np.kron(a, b), (TALL, B)),
    Case("tensordot", lambda np, a, b: np.tensordot(a, b, axes=1), (A, B)),
    Case("einsum", lambda np, a, b: np.einsum("ij,jk->ik", a, b), (A, B), nodes=1),
    Case("einsum", lambda np, a, b: np.einsum("ij,jk,kl", a, b, a, optimize=True), (A, B)),
    Case("einsum_path", lambda np, a: np.einsum_path("ij,jk", a, a)[1], (A,),
         trace="NumPy writes the report of its path", grad=INTEGER_RESULT),
    Case("linalg.matmul", lambda np, a, b: np.linalg.matmul(a, b), (A, B)),
    Case("linalg.vecdot", lambda np, a, b: np.linalg.vecdot(a, b), (A, V)),
    Case("linalg.outer", lambda np, a, b: np.linalg.outer(a, b), (V, W)),
    Case("linalg.cross", lambda np, a, b: np.linalg.cross(a, b), (V, W)),
    Case("linalg.tensordot", lambda np, a, b: np.linalg.tensordot(a, b, axes=1), (A, B)),
    Case("linalg.diagonal", lambda np, a: np.linalg.diagonal(a), (A,)),
    Case("linalg.trace", lambda np, a: np.linalg.trace(a), (A,)),
    Case("linalg.matrix_transpose", lambda np, a: np.linalg.matrix_transpose(a), (TALL,)),
    Case("linalg.cholesky", lambda np, a: np.linalg.cholesky(_symmetric(a)), (A,)),
    Case("linalg.eigh", lambda np, a: np.linalg.eigh(_symmetric(a)).eigenvalues, (A,)),
    Case("linalg.eigvalsh", lambda np, a: np.linalg.eigvalsh(_symmetric(a)), (A,)),
    Case("linalg.eig", lambda np, a: np.abs(np.linalg.eig(a).eigenvalues), (A,)),
    Case("linalg.eigvals", lambda np, a: np.abs(np.linalg.eigvals(a)), (A,)),
    Case("linalg.qr", lambda np, a: np.linalg.qr(a), (TALL,)),
    Case("linalg.svd", lambda np, a: np.linalg.svd(a, compute_uv=False), (TALL,)),
    Case("linalg.svd", lambda np, a: np.linalg.svd(a, full_matrices=False).S, (TALL,)),
    Case("linalg.svdvals", lambda np, a: np.linalg.svdvals(a), (TALL,)),
    Case("linalg.inv", lambda np, a: np.linalg.inv(a), (A,), nodes=2),
    Case("linalg.pinv", lambda np, a: np.linalg.pinv(a), (TALL,)),
    Case("linalg.solve", lambda np, a, b: np.linalg.solve(a, b), (A, V)),
    Case("linalg.lstsq", lambda np, a, b: np.linalg.lstsq(a, b)[0], (TALL, V)),
    Case("linalg.det", lambda np, a: np.linalg.det(a), (A,), nodes=1),
    Case("linalg.slogdet", lambda np, a: np.linalg.slogdet(a).logabsdet, (A,)),
    Case("linalg.matrix_power", lambda np, a: np.linalg.matrix_power(a, 3), (A,)),
    Case("linalg.matrix_rank", lambda np, a: np.linalg.matrix_rank(a), (A,), grad=INTEGER_RESULT),
    Case("linalg.multi_dot", lambda np, a, b: np.linalg.multi_dot([a, b, a]), (A, B)),
    Case("linalg.tensorsolve", lambda np, a, b: np.linalg.tensorsolve(a, b), (A, V)),
    Case("linalg.tensorinv", lambda np, a: np.linalg.tensorinv(a, ind=1), (A,)),
    Case("linalg.norm", lambda np, a: np.linalg.norm(a), (A,)),
    Case("linalg.norm", lambda np, a: np.linalg.norm(a, 1, axis=0), (A,)),
    Case("linalg.norm", lambda np, a: np.linalg.norm(a, "nuc"), (A,)),
    Case("linalg.vector_norm", lambda np, a: np.linalg.vector_norm(a, axis=0), (A,)),
    Case("linalg.matrix_norm", lambda np, a: np.linalg.matrix_norm(a), (A,)),
    Case("linalg.cond", lambda np, a: np.linalg.cond(a), (A,)),
]  # fmt: skip
