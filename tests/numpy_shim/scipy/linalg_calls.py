"""Calls of ``scipy.linalg`` that have one result, whatever computes it: name, arguments, options.

What is unique but for signs is in ``test_linalg``, with what it is to hold.
"""

from __future__ import annotations

from typing import Any

import numpy

RNG = numpy.random.default_rng(0)
A = RNG.normal(size=(5, 5)) + 3 * numpy.eye(5)
B = RNG.normal(size=(5, 3))
V = RNG.normal(size=5)
Z = A + 1j * RNG.normal(size=(5, 5))
SYM = A + A.T
POS = A @ A.T + numpy.eye(5)
HER = Z @ Z.conj().T + numpy.eye(5)
TALL, WIDE = RNG.normal(size=(6, 4)), RNG.normal(size=(4, 6))
INTS = numpy.array([[4, 1, 2], [1, 5, 3], [2, 3, 9]])
SMALL = A.astype("f")
STACK = RNG.normal(size=(2, 3, 4, 4)) + 3 * numpy.eye(4)
POSITIVE_STACK = STACK @ STACK.mT + numpy.eye(4)
SINGULAR = numpy.ones((3, 3))
NAN = numpy.array([[1.0, numpy.nan], [0.0, 1.0]])
EMPTY = numpy.empty((0, 0))
UPPER, LOWER = numpy.triu(A), numpy.tril(A)
BAND = numpy.array([[0.0, 1, 2, 1, 3], [9, 8, 7, 9, 8], [1, 2, 1, 1, 0]])
WIDER = numpy.vstack([BAND, [0.5, 0.25, 0.5, 0, 0]])
HALF = numpy.array([[0.0, 0, 0.5, 0.25, 0.5], [0, 1, 2, 1, 3], [9, 8, 7, 9, 8]])

Case = tuple[Any, ...]

SOLVERS: list[Case] = [
    ("solve", A, V), ("solve", A, B), ("solve", Z, B), ("solve", SMALL, V),
    ("solve", INTS, [1, 2, 3]), ("solve", POS, B, {"assume_a": "pos"}),
    ("solve", SYM, B, {"assume_a": "sym"}), ("solve", SYM, B, {"assume_a": "sym", "lower": True}),
    ("solve", HER, B, {"assume_a": "her"}), ("solve", A, B, {"assume_a": "diagonal"}),
    ("solve", A, B, {"assume_a": "tridiagonal"}), ("solve", A, B, {"assume_a": "upper triangular"}),
    ("solve", UPPER, B), ("solve", A, B, {"assume_a": "lower triangular"}),
    ("solve", A, B, {"assume_a": "banded"}),
    ("solve", A, B, {"assume_a": "gen", "transposed": True}), ("solve", Z, B, {"transposed": True}),
    ("solve", A, B, {"assume_a": "no structure"}), ("solve", STACK, V[:4]), ("solve", STACK, STACK),
    ("solve", SINGULAR, V[:3]), ("solve", A, V[:4]), ("solve", TALL, V), ("solve", NAN, [1.0, 2.0]),
    ("solve", EMPTY, numpy.empty(0)), ("solve", SYM, V, {"assume_a": "pos"}), ("solve", 3.0, [6.0]),
    ("solve", A, V, {"overwrite_a": True, "overwrite_b": True, "check_finite": False}), ("inv", A),
    ("inv", Z), ("inv", SMALL), ("inv", INTS), ("inv", STACK), ("inv", EMPTY), ("inv", SINGULAR),
    ("inv", TALL), ("inv", NAN), ("inv", V), ("inv", A, {"overwrite_a": True}),
    ("inv", POS, {"assume_a": "pos"}), ("inv", SYM, {"assume_a": "sym", "lower": True}),
    ("inv", UPPER, {"assume_a": "upper triangular"}), ("inv", SYM, {"assume_a": "pos"}), ("det", A),
    ("det", Z), ("det", INTS), ("det", STACK), ("det", EMPTY), ("det", SINGULAR), ("det", TALL),
    ("det", NAN), ("det", [[3]]), ("det", V), ("solve_triangular", A, B),
    ("solve_triangular", A, V, {"lower": True}), ("solve_triangular", A, V, {"trans": 1}),
    ("solve_triangular", Z, B, {"trans": "C"}),
    ("solve_triangular", Z, B, {"trans": "T", "lower": True}), ("solve_triangular", STACK, V[:4]),
    ("solve_triangular", A, B, {"unit_diagonal": True}), ("solve_triangular", A, V[:3]),
    ("solve_triangular", A - numpy.diag(numpy.diag(A)), V), ("solve_triangular", INTS, [1, 2, 3]),
    ("solve_triangular", EMPTY, numpy.empty(0)), ("solve_triangular", SMALL, V),
    ("solve_banded", (1, 1), BAND, V), ("solve_banded", (2, 1), WIDER, B),
    ("solve_banded", (1, 2), WIDER, B), ("solve_banded", (1, 1), BAND, V[:4]),
    ("solve_banded", (2, 2), BAND, V), ("solve_banded", (1, 1), 0 * BAND, V),
    ("solve_banded", (2, 1), 0 * WIDER, V),
    ("solve_banded", (1, 1), BAND.astype("f"), V.astype("f")),
    ("solve_banded", (0, 0), BAND[:1, :1] + 2, [4.0]), ("solve_banded", (1, 1), BAND + 1j, V),
    ("solve_banded", (1, 1), BAND.astype(int), [1, 2, 3, 4, 5]), ("solveh_banded", BAND[:2], V),
    ("solveh_banded", BAND[1:], V, {"lower": True}), ("solveh_banded", HALF, B),
    ("solveh_banded", HALF[::-1], B, {"lower": True}), ("solveh_banded", -HALF, B),
    ("solveh_banded", -BAND[:2], B), ("solveh_banded", HALF + 0j, V), ("cholesky_banded", HALF),
    ("cholesky_banded", HALF[::-1], {"lower": True}), ("cholesky_banded", -HALF),
    ("cholesky_banded", HALF.astype("F")), ("cho_solve_banded", (HALF, False), V),
    ("cho_solve_banded", (HALF[::-1], True), B), ("solve_toeplitz", V + 5 * numpy.eye(5)[0], V),
    ("solve_toeplitz", ([9.0, 1, 2], [9.0, 3, 1]), B[:3]),
    ("solve_toeplitz", [9, 1, 0.5], [1, 2, 3]), ("solve_toeplitz", [9 + 1j, 1, 2j], [1, 2, 3]),
    ("solve_toeplitz", [0.0, 1.0], [1.0, 1.0]), ("solve_toeplitz", [1.0, 2.0], [1.0, 1.0, 3.0]),
    ("solve_toeplitz", [1.0, 2.0], None),
    ("solve_toeplitz", STACK[0, 0] + 9 * numpy.eye(4)[0], V[:4]), ("matmul_toeplitz", V, V),
    ("matmul_toeplitz", ([1.0, 2, 3], [1.0, 4]), B[:2]),
    ("matmul_toeplitz", ([1.0, 2j, 3], [1.0, 4]), B[:2]), ("matmul_toeplitz", V, V[:3]),
    ("solve_circulant", V, V), ("solve_circulant", V, B, {"outaxis": 1}),
    ("solve_circulant", [1.0, 1, 1], [1.0, 2, 3]),
    ("solve_circulant", [1.0, 1, 1], [1.0, 2, 3], {"singular": "lstsq"}),
    ("solve_circulant", V, V[:3]), ("solve_circulant", Z, V, {"caxis": 0}),
    ("lstsq", TALL, V[[0, 1, 2, 3, 4, 0]]), ("lstsq", WIDE, B[:4]), ("lstsq", A, V),
    ("lstsq", Z, B), ("lstsq", TALL, RNG.normal(size=(6, 2)), {"lapack_driver": "gelsy"}),
    ("lstsq", SINGULAR, V[:3]),
    ("lstsq", TALL, RNG.normal(size=(6, 2)), {"lapack_driver": "gelss"}), ("lstsq", TALL, V),
    ("lstsq", A, V, {"cond": 0.5}), ("lstsq", A, V, {"lapack_driver": "none"}),
    ("lstsq", INTS, [1, 2, 3]), ("lstsq", SMALL, V), ("lstsq", numpy.empty((0, 3)), numpy.empty(0)),
    ("lstsq", STACK, V[:4]), ("pinv", TALL), ("pinv", WIDE, {"return_rank": True}),
    ("pinv", SINGULAR, {"return_rank": True}), ("pinv", A, {"rtol": 0.5}),
    ("pinv", A, {"atol": -1.0}), ("pinv", Z), ("pinv", INTS), ("pinv", STACK), ("pinvh", SYM),
    ("pinvh", HER, {"lower": False}), ("pinvh", SINGULAR, {"return_rank": True}),
    ("solve_sylvester", A, POS, B @ B.T), ("solve_sylvester", Z, POS, A),
    ("solve_sylvester", SMALL, SMALL, SMALL), ("solve_continuous_lyapunov", A, SYM),
    ("solve_continuous_lyapunov", Z, HER), ("solve_discrete_lyapunov", A / 9, SYM),
    ("solve_discrete_lyapunov", A / 9, SYM, {"method": "bilinear"}), ("solve_lyapunov", A, SYM),
    ("solve_discrete_lyapunov", Z / 9, HER), ("solve_continuous_lyapunov", A, TALL),
]  # fmt: skip

FACTORS: list[Case] = [
    *[("lu", x) for x in (A, Z, TALL, WIDE, SMALL, INTS, STACK, SINGULAR, NAN, EMPTY, V, [[3.0]])],
    ("lu", TALL, {"permute_l": True}), ("lu", A, {"p_indices": True}),
    ("lu", STACK, {"permute_l": True}), ("lu", STACK, {"p_indices": True}),
    ("lu", WIDE, {"overwrite_a": True, "check_finite": False}),
    *[("lu_factor", x) for x in (A, Z, SMALL, INTS, STACK, SINGULAR, NAN, EMPTY, TALL)],
    *[("lu_solve", (A, numpy.array([1, 1, 4, 3, 4])), B, {"trans": i}) for i in (0, 1, 2)],
    *[("lu_solve", (Z, numpy.array([1, 1, 4, 3, 4])), V, {"trans": i}) for i in (0, 1, 2)],
    ("lu_solve", (A, numpy.array([0, 1, 2, 3, 4])), V[:3]), ("lu_solve", (A, [0, 1, 2, 3, 4]), V),
    *[("cholesky", x, {"lower": low}) for x in (POS, HER, POSITIVE_STACK, INTS) for low in (0, 1)],
    ("cholesky", SYM), ("cholesky", TALL), ("cholesky", NAN), ("cholesky", EMPTY),
    ("cholesky", POS.astype("f")),
    *[("cho_factor", x, {"lower": low}) for x in (POS, HER, POSITIVE_STACK) for low in (False,
     True)], *[("cho_solve", (x, low), B) for x in (A, Z) for low in (False, True)],
    ("cho_solve", (A, True), V), ("cho_solve", (A, True), V[:3]), ("cho_solve", (TALL, True), V),
    *[("qr", x, {"mode": m}) for x in (A, Z, TALL, WIDE, STACK) for m in ("full", "r", "economic",
     "raw")], ("qr", INTS), ("qr", SMALL), ("qr", EMPTY), ("qr", NAN), ("qr", V),
    ("qr", A, {"mode": "none"}), ("qr", A.astype("f2")), ("qr", numpy.ones((2, 2), "i1")),
    ("qr", TALL, {"lwork": 300}),
    *[("qr", x, {"mode": m, "pivoting": True}) for x in (A, Z, TALL, WIDE) for m in ("full", "r",
     "economic", "raw")],
    *[("rq", x, {"mode": m}) for x in (A, Z, TALL, WIDE, STACK, EMPTY) for m in ("full", "r",
     "economic")], ("rq", A, {"mode": "none"}), ("rq", V),
    *[("qr_multiply", x, y, {"mode": m}) for x, y in ((A, A), (TALL, TALL.T), (A, V))
     for m in ("right",)], ("qr_multiply", A, B, {"mode": "left"}),
    ("qr_multiply", TALL, B[:4], {"mode": "left"}), ("qr_multiply", A, V, {"mode": "left"}),
    ("qr_multiply", Z, Z, {"mode": "left", "conjugate": True}),
    ("qr_multiply", A, A, {"pivoting": True}), ("qr_multiply", A, B, {"mode": "none"}),
    ("qr_multiply", A, B[:4], {"mode": "left"}),
    *[("polar", x, {"side": side}) for x in (A, Z, TALL, WIDE, STACK) for side in ("right",
     "left")], ("polar", A, {"side": ""}), ("orthogonal_procrustes", A, POS),
    ("orthogonal_procrustes", TALL, TALL[::-1]), ("orthogonal_procrustes", A, TALL),
    *[("svdvals", x) for x in (A, Z, TALL, WIDE, SMALL, INTS, STACK, EMPTY, NAN, V)],
    ("svd", A, {"compute_uv": False}), ("svd", A, {"lapack_driver": "none"}),
    ("svd", A, {"lapack_driver": 3}), ("subspace_angles", TALL[:, :2], TALL[::-1, 1:4]),
    ("subspace_angles", TALL, A), ("diagsvd", V[:3], 3, 5), ("diagsvd", V[:3], 5, 3),
    ("diagsvd", V[:3], 4, 5),
    *[("eigvalsh", x) for x in (SYM, HER, INTS, SMALL + SMALL.T, POSITIVE_STACK, EMPTY, NAN,
     TALL)], ("eigvalsh", SYM, {"subset_by_index": [1, 2]}),
    ("eigvalsh", SYM, {"subset_by_value": [0.0, 9.0]}),
    ("eigvalsh", SYM, {"lower": False, "driver": "ev"}),
    ("eigvalsh", SYM, {"subset_by_index": [1, 9]}), ("eigvalsh", SYM, {"driver": "none"}),
    ("eigvalsh", SYM, POS), ("eigvalsh", SYM, -POS),
    *[("eigvalsh", SYM, POS, {"type": i, "lower": low}) for i in (1, 2, 3) for low in (True,
     False)], ("eigvalsh", HER, HER), ("eigvalsh", SYM, POS, {"type": 4}), ("eigvals_banded", HALF),
    ("eigvals_banded", HALF[::-1], {"lower": True}), ("eigvals_banded", HALF + 0j),
    ("eigvals_banded", HALF, {"select": "i", "select_range": (1, 2)}),
    ("eigvals_banded", HALF, {"select": "v", "select_range": (0, 9)}),
    ("eigvals_banded", HALF, {"select": "none"}), ("eigvalsh_tridiagonal", V, V[1:]),
    ("eigvalsh_tridiagonal", V, V[2:]),
    *[("eigvalsh_tridiagonal", V, V[1:], {"lapack_driver": d}) for d in ("stebz", "stemr",
     "sterf", "stev", "none")],
    *[("eigvalsh_tridiagonal", V, V[1:], {"select": "i", "select_range": (1, 2),
     "lapack_driver": d}) for d in ("stebz", "stemr", "stev")],
    ("eigvalsh_tridiagonal", V, V[1:], {"select": "v", "select_range": (-1, 1)}),
    ("eigvalsh_tridiagonal", V[:1], V[:0]),
    ("cdf2rdf", numpy.array([1, 2 + 1j, 2 - 1j]), numpy.array([[1, 2, 2], [1, 1j, -1j], [1, 1,
     1]])), ("cdf2rdf", V, A[:4, :4]), ("rsf2csf", numpy.array([[1.0, 2], [-3, 1]]), numpy.eye(2)),
]  # fmt: skip

MATRICES: list[Case] = [
    ("toeplitz", V), ("toeplitz", V, V[:3]), ("toeplitz", [1, 2], [5, 6.0, 7]),
    ("toeplitz", [1, 2j]), ("toeplitz", B), ("toeplitz", 3), ("toeplitz", numpy.empty(0)),
    ("toeplitz", SMALL[0], [1, 2]), ("circulant", V), ("circulant", B), ("circulant", [1, 2, 3]),
    ("circulant", numpy.empty(0)), ("hankel", V), ("hankel", [1, 2, 3], [3, 9]), ("hankel", B),
    ("companion", V), ("companion", B), ("companion", [1]), ("companion", [0, 1]),
    ("companion", [1, 2, 3]), ("leslie", V, V[1:]), ("leslie", [1, 2], [3]), ("leslie", V, V),
    ("leslie", [1.0], []), ("block_diag", A, B, [1, 2]), ("block_diag",), ("block_diag", STACK, A),
    ("convolution_matrix", V, 3), ("convolution_matrix", [1, 2], 4, "same"),
    ("convolution_matrix", V, 3, "valid"), ("convolution_matrix", V, 0),
    ("convolution_matrix", V, 2, "none"), ("convolution_matrix", B, 2), ("fiedler", V),
    ("fiedler", [1, 2, 3]), ("fiedler", []), ("fiedler", [1.0]), ("fiedler", B),
    ("fiedler_companion", V), ("fiedler_companion", B), ("fiedler_companion", [0.0, 1, 2]),
    ("fiedler_companion", [1.0, 2]), ("hadamard", 8), ("hadamard", 3), ("hadamard", 4, "complex64"),
    ("helmert", 4), ("helmert", 4, True), ("hilbert", 5), ("invhilbert", 5),
    ("invhilbert", 5, True),
    *[(f"{i}pascal", 5, k, exact) for i in ("", "inv") for k in ("symmetric", "lower", "upper",
     "none") for exact in (True, False)], ("dft", 5), ("dft", 5, "sqrtn"), ("dft", 5, "n"),
    ("dft", 5, "none"), ("khatri_rao", A, TALL[:, [0, 1, 2, 3, 0]]), ("khatri_rao", A, TALL),
    ("khatri_rao", V, V),
    *[(f, x) for f in ("bandwidth", "issymmetric", "ishermitian") for x in (A, SYM, HER, UPPER,
     INTS, TALL, V, EMPTY, 0 * A)], ("issymmetric", SYM + 1e-9 * A, {"atol": 1e-6}),
    ("ishermitian", HER + 1e-9 * A, {"rtol": 1e-6}),
    ("ishermitian", HER + 1e-9 * A, {"rtol": 1e-16}),
    *[("norm", A, i) for i in (None, "fro", "nuc", 1, -1, 2, -2, numpy.inf, -numpy.inf, 0, 5)],
    *[("norm", V, i) for i in (None, 0, 1, 2, 3, numpy.inf, -numpy.inf, "fro")],
    ("norm", STACK, 1, {"axis": (0, 1), "keepdims": True}), ("norm", Z), ("norm", SMALL),
    ("norm", INTS), ("norm", NAN), ("norm", NAN, {"check_finite": False}), ("norm", A.T, 1),
    ("norm", A.T, numpy.inf), ("norm", STACK, 2),
]  # fmt: skip

FUNCTIONS_OF_MATRICES: list[Case] = [
    *[("expm", x) for x in (A / 3, Z / 3, SMALL / 3, INTS / 3.0, numpy.array([[1, 2], [0, 3]]),
     STACK / 3, UPPER / 3, EMPTY, TALL, 2, V, 30 * A / 9, numpy.diag(V), A.astype("f2") / 9)],
    *[(f, x) for f in ("cosm", "sinm", "tanm", "coshm", "sinhm", "tanhm") for x in (A / 5, Z / 5,
     INTS / 9, STACK / 5, TALL)],
    *[(f, x) for f in ("logm", "sqrtm") for x in (POS, A, Z, HER, INTS, numpy.triu(POS),
     numpy.array([[4, 1], [0, 9]]), STACK, [[4.0]])],
    ("sqrtm", numpy.array([[0.0, -4.0], [4.0, 0.0]])),
    ("sqrtm", numpy.array([[1.0, 5], [0, -4.0]])),
    *[(f, STACK - 3 * numpy.eye(4)) for f in ("sqrtm", "logm")],  # some eigenvalues are negative
    ("sqrtm", TALL), ("sqrtm", V), ("sqrtm", EMPTY),
    ("sqrtm", -POS), ("sqrtm", SMALL @ SMALL.T), ("logm", -POS), ("logm", numpy.diag([1.0, -2, 3])),
    ("logm", TALL),
    *[("fractional_matrix_power", x, p) for x in (POS, A, Z, numpy.triu(POS)) for p in (0.5, -0.3,
     2, 1.7)], ("fractional_matrix_power", TALL, 0.5), ("funm", POS / 9, numpy.exp),
    ("funm", Z / 3, numpy.exp), ("signm", POS), ("signm", SYM), ("signm", A),
    ("expm_frechet", A / 3, B @ B.T / 3), ("expm_frechet", A / 3, B @ B.T, {"compute_expm": False}),
    ("expm_frechet", A / 9, POS / 9, {"method": "blockEnlarge"}), ("expm_frechet", A, TALL),
    ("expm_frechet", A * 3, A), ("expm_frechet", A, A, {"method": "none"}),
    ("expm_cond", A[:3, :3] / 3), ("expm_cond", TALL),
]  # fmt: skip

ALL: list[Case] = [*SOLVERS, *FACTORS, *MATRICES, *FUNCTIONS_OF_MATRICES]
