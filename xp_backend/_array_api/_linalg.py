"""Products of matrices, and decompositions where the namespace has the linalg extension."""

from __future__ import annotations

from typing import Any

import torch

from ._library import Blob, Library, Table


def table(lib: Library) -> Table:
    """The operators of this chapter."""
    xp = lib.xp
    linalg = getattr(xp, "linalg", None)

    def product(a: Blob, b: Blob) -> Blob:
        if lib.of(a) is torch.bool:
            counted = xp.matmul(lib.astype(a, torch.int64), lib.astype(b, torch.int64))
            return lib.astype(counted, torch.bool)
        return xp.matmul(a, b)

    def dot(a: Blob, b: Blob) -> Blob:
        return xp.sum(xp.multiply(a, b), dtype=a.dtype)

    def vdot(a: Blob, b: Blob) -> Blob:
        return dot(xp.conj(a) if lib.of(a).is_complex else a, b)

    found: Table = {
        "mm.default": product, "bmm.default": product, "mv.default": product,
        "dot.default": dot, "vdot.default": vdot,
    }  # fmt: skip
    if linalg is None:
        return found

    def adjoint(x: Blob) -> Blob:
        x = xp.matrix_transpose(x)
        return xp.conj(x) if lib.of(x).is_complex else x

    def real_of(x: Blob) -> torch.dtype:
        return {torch.complex64: torch.float32, torch.complex128: torch.float64}.get(
            lib.of(x), lib.of(x)
        )

    def info(x: Blob) -> Blob:
        """LAPACK's status: the library raises where LAPACK would tell of a failure."""
        return xp.zeros(tuple(x.shape[:-2]), dtype=lib.dtype(torch.int32))

    def svd(
        a: Blob, full_matrices: bool = False, compute_uv: bool = True, *, driver: Any = None
    ) -> tuple[Blob, Blob, Blob]:
        if not compute_uv:
            nothing = xp.zeros((0,), dtype=a.dtype)
            return nothing, linalg.svdvals(a), nothing
        u, s, vh = linalg.svd(a, full_matrices=full_matrices)
        return u, s, vh

    def triangle(a: Blob, uplo: str) -> Blob:
        """The Hermitian matrix of one triangle: the standard reads any of the two."""
        part = xp.tril(a) if uplo.upper() == "L" else xp.triu(a)
        strict = xp.tril(a, k=-1) if uplo.upper() == "L" else xp.triu(a, k=1)
        return xp.add(part, adjoint(strict))

    def eigh(a: Blob, UPLO: str = "L", compute_v: bool = True) -> tuple[Blob, Blob]:  # noqa: N803
        if 0 in a.shape:
            return xp.zeros(a.shape[:-1], dtype=lib.dtype(real_of(a))), xp.zeros_like(a)
        values, vectors = linalg.eigh(triangle(a, UPLO))
        return values, vectors if compute_v else xp.zeros((0,), dtype=a.dtype)

    def qr(a: Blob, mode: str = "reduced") -> tuple[Blob, Blob]:
        q, r = linalg.qr(a, mode="complete" if mode == "complete" else "reduced")
        return q, r

    def cholesky(a: Blob, *, upper: bool = False, check_errors: bool = False) -> tuple[Blob, Blob]:
        lower = linalg.cholesky(triangle(a, "U" if upper else "L"))
        return adjoint(lower) if upper else lower, info(a)

    def inv(a: Blob, *, check_errors: bool = False) -> tuple[Blob, Blob]:
        return linalg.inv(a), info(a)

    def lu(a: Blob, *, pivot: bool = True, check_errors: bool = False) -> Any:
        """Gauss with partial pivoting, one column at a time, for a whole batch.

        The standard has no such factorisation. The pivots stay on the device.
        """
        rows, columns = a.shape[-2], a.shape[-1]
        batch = tuple(a.shape[:-2])
        steps = min(rows, columns)
        line = lib.arange(rows)
        pivots = []
        status = xp.zeros(batch, dtype=lib.dtype(torch.int32))
        for k in range(steps):
            column = xp.abs(a[..., :, k])
            column = xp.where(line < k, xp.full_like(column, -1.0), column)
            top = lib.astype(xp.argmax(column, axis=-1, keepdims=True), torch.int64)
            if not pivot:
                top = xp.full_like(top, k)
            pivots.append(top + 1)
            here = xp.where(line == top, xp.full_like(line, k), line)
            order = xp.where(line == k, top, here)
            index = lib.expand(xp.expand_dims(order, axis=-1), (*batch, rows, columns))
            a = xp.take_along_axis(a, index, axis=-2)
            head = a[..., k : k + 1, k : k + 1]
            zero = head == 0
            status = xp.where(
                xp.logical_and(status == 0, xp.reshape(zero, batch)),
                xp.full_like(status, k + 1), status,
            )  # fmt: skip
            below = a[..., :, k : k + 1]
            factor = xp.where(
                zero, below, xp.divide(below, xp.where(zero, xp.ones_like(head), head))
            )
            under = xp.expand_dims(line, axis=-1) > k
            factor = xp.where(under, factor, xp.zeros_like(factor))
            update = xp.subtract(a, xp.matmul(factor, a[..., k : k + 1, :]))
            right = line_of(columns) > k
            cell = xp.logical_and(under, right)
            a = xp.where(cell, update, a)
            own = xp.logical_and(under, line_of(columns) == k)
            a = xp.where(own, lib.expand(factor, a.shape), a)
        found = xp.concat(pivots, axis=-1) if pivots else xp.zeros((*batch, 0), dtype=line.dtype)
        return a, lib.astype(found, torch.int32), status

    def line_of(n: int) -> Blob:
        return xp.expand_dims(lib.arange(n), axis=0)

    def solve(
        a: Blob, b: Blob, *, left: bool = True, check_errors: bool = False
    ) -> tuple[Blob, Blob, Blob, Blob]:
        factors, pivots, status = lu(a)
        vector = len(b.shape) == 1 or (
            len(b.shape) == len(a.shape) - 1 and tuple(b.shape) == tuple(a.shape[:-1])
        )
        singular = xp.expand_dims(xp.expand_dims(status, axis=-1), axis=-1) > 0
        a = xp.where(singular, xp.eye(a.shape[-1], dtype=a.dtype), a)  # the status says it
        columns = xp.expand_dims(b, axis=-1) if vector else b
        if left:
            found = linalg.solve(a, columns)
        else:
            found = xp.matrix_transpose(
                linalg.solve(xp.matrix_transpose(a), xp.matrix_transpose(columns))
            )
        return (found[..., 0] if vector else found), factors, pivots, status

    def solve_triangular(
        a: Blob, b: Blob, *, upper: bool, left: bool = True, unitriangular: bool = False
    ) -> Blob:
        a = xp.triu(a) if upper else xp.tril(a)
        if unitriangular:
            eye = xp.eye(a.shape[-1], dtype=a.dtype)
            a = xp.where(eye == 1, eye, a)
        if left:
            return linalg.solve(a, b)
        return xp.matrix_transpose(linalg.solve(xp.matrix_transpose(a), xp.matrix_transpose(b)))

    def permutation(pivots: Blob, rows: int) -> Blob:
        """The order of the rows after LAPACK's exchanges."""
        batch = tuple(pivots.shape[:-1])
        order = lib.expand(lib.arange(rows), (*batch, rows))
        for k in range(pivots.shape[-1]):
            other = lib.astype(pivots[..., k : k + 1], torch.int64) - 1
            line = lib.arange(rows)
            here = xp.where(line == other, xp.full_like(line, k), line)
            swap = xp.where(line == k, other, here)
            order = xp.take_along_axis(order, swap, axis=-1)
        return order

    def lu_unpack(
        factors: Blob, pivots: Blob, unpack_data: bool = True, unpack_pivots: bool = True
    ) -> tuple[Blob, Blob, Blob]:
        rows, columns = factors.shape[-2], factors.shape[-1]
        k = min(rows, columns)
        lower = xp.tril(factors[..., :, :k], k=-1)
        lower = xp.add(lower, xp.eye(rows, k, dtype=factors.dtype))
        upper = xp.triu(factors[..., :k, :])
        order = permutation(pivots, rows)
        matrix = xp.expand_dims(lib.arange(rows), axis=-1) == xp.expand_dims(order, axis=-2)
        return lib.astype(matrix, lib.of(factors)), lower, upper

    def lu_solve(
        factors: Blob, pivots: Blob, b: Blob, *, left: bool = True, adjoint: bool = False
    ) -> Blob:
        p, lower, upper = lu_unpack(factors, pivots)
        a = xp.matmul(p, xp.matmul(lower, upper))
        if adjoint:
            a = xp.matrix_transpose(a)
            a = xp.conj(a) if lib.of(a).is_complex else a
        if left:
            return linalg.solve(a, b)
        return xp.matrix_transpose(linalg.solve(xp.matrix_transpose(a), xp.matrix_transpose(b)))

    def cross(a: Blob, b: Blob, *, dim: int = -1) -> Blob:
        a, b = xp.broadcast_arrays(a, b)
        return linalg.cross(a, b, axis=dim)

    found |= {
        "_linalg_svd.default": svd, "_linalg_eigh.default": eigh, "linalg_qr.default": qr,
        "linalg_cholesky_ex.default": cholesky, "linalg_inv_ex.default": inv,
        "_linalg_solve_ex.default": solve, "linalg_solve_triangular.default": solve_triangular,
        "linalg_lu_factor_ex.default": lu, "lu_unpack.default": lu_unpack,
        "linalg_lu_solve.default": lu_solve, "linalg_cross.default": cross,
    }  # fmt: skip
    if hasattr(linalg, "eig"):

        def eig(a: Blob) -> tuple[Blob, Blob]:
            dtype = (
                torch.complex64
                if lib.of(a) in (torch.float32, torch.complex64)
                else (torch.complex128)
            )
            values, vectors = linalg.eig(a)
            return lib.astype(values, dtype), lib.astype(vectors, dtype)

        found["linalg_eig.default"] = eig
    return found
