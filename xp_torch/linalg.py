"""The extension ``linalg`` of the standard.

Private modules define the functions, one module for each kind. Functions that are also in the main
namespace are the same objects.
"""

from __future__ import annotations

from ._decompositions import cholesky, eig, eigh, eigvals, eigvalsh, qr, svd, svdvals
from ._linear_algebra import matmul, matrix_transpose, tensordot, vecdot
from ._matrix_functions import det, inv, matrix_power, matrix_rank, pinv, slogdet, solve
from ._matrix_products import cross, diagonal, outer, trace
from ._norms import matrix_norm, vector_norm

_NAMES: dict[str, object] = {
    "cholesky": cholesky,
    "cross": cross,
    "det": det,
    "diagonal": diagonal,
    "eig": eig,
    "eigh": eigh,
    "eigvals": eigvals,
    "eigvalsh": eigvalsh,
    "inv": inv,
    "matmul": matmul,
    "matrix_norm": matrix_norm,
    "matrix_power": matrix_power,
    "matrix_rank": matrix_rank,
    "matrix_transpose": matrix_transpose,
    "outer": outer,
    "pinv": pinv,
    "qr": qr,
    "slogdet": slogdet,
    "solve": solve,
    "svd": svd,
    "svdvals": svdvals,
    "tensordot": tensordot,
    "trace": trace,
    "vecdot": vecdot,
    "vector_norm": vector_norm,
}

__all__ = [
    "cholesky",
    "cross",
    "det",
    "diagonal",
    "eig",
    "eigh",
    "eigvals",
    "eigvalsh",
    "inv",
    "matmul",
    "matrix_norm",
    "matrix_power",
    "matrix_rank",
    "matrix_transpose",
    "outer",
    "pinv",
    "qr",
    "slogdet",
    "solve",
    "svd",
    "svdvals",
    "tensordot",
    "trace",
    "vecdot",
    "vector_norm",
]
