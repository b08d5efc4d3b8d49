"""``numpy_shim.linalg`` against NumPy: decompositions by what they multiply back to."""

from __future__ import annotations

from typing import Any

import numpy
import pytest
import torch

import numpy_shim
from numpy_shim._base.dtypes import TORCH
from tests.differential import Spec
from tests.numpy_shim.differential import compare

DTYPES = [d for d in TORCH if d.name != "bfloat16"]
FLOATS = ["float32", "float64", "complex64", "complex128"]
CONDITION = 18.0
"""No matrix of ``matrix()`` but the singular ones has a larger condition number."""


def close(condition: float = 1.0) -> dict[str, Any]:
    """Tolerances of a backward stable algorithm on a few elements: a few roundings of the norm.

    Where it solves for something, these grow with the condition of the matrix.
    """
    eps = {name: float(numpy.finfo(name).eps) for name in FLOATS}
    return {"of_norm": {n: 16 * condition * e for n, e in eps.items()}, "signed_zeros": False}


CLOSE = close()
SOLVED = close(CONDITION)


def matrix(dtype: Any, *shape: int, kind: str = "") -> Spec:
    """A well-conditioned matrix, or stack of them; ``kind`` is "hermitian" or "singular"."""
    random = numpy.random.RandomState(sum(shape))
    x = random.randint(-4, 5, shape).astype("complex128")
    if numpy.dtype(dtype).kind == "c":
        x = x + 1j * random.randint(-4, 5, shape)
    if len(shape) >= 2 and shape[-1] == shape[-2]:
        x = x + 9 * numpy.eye(shape[-1])
    if kind == "hermitian" and len(shape) >= 2 and shape[-1] == shape[-2]:
        x = x + numpy.conj(numpy.swapaxes(x, -1, -2))
    if kind == "singular":
        x[..., 0, :] = 0
    real = x if numpy.dtype(dtype).kind == "c" else x.real
    return Spec(numpy.abs(real).astype(dtype) if numpy.dtype(dtype).kind in "ub" else
                real.astype(dtype))  # fmt: skip


def test_matrices_are_well_conditioned():
    """The tolerances rely on it."""
    for shape in [(3, 3), (2, 3, 3), (4, 3), (3, 4), (2, 3, 4), (4, 4)]:
        for dtype in (d for d in DTYPES if d.kind != "b"):
            values = matrix(dtype, *shape).values.astype("complex128")
            assert numpy.linalg.cond(values).max() < CONDITION, (shape, dtype)
    for dtype in FLOATS:
        for sides in [(3, 3), (2, 3, 3), (4, 4)]:
            values = matrix(dtype, *sides, kind="hermitian").values.astype("complex128")
            assert numpy.linalg.cond(values).max() < CONDITION, (sides, dtype)


SQUARE = ["inv", "det", "slogdet", "eigvalsh", "cholesky", "pinv", "cond", "matrix_rank", "svdvals"]
SHAPES = [(3, 3), (2, 3, 3), (1, 1), (0, 3, 3), (0, 0), (2, 3), (3,), ()]


@pytest.mark.parametrize("name", SQUARE)
@pytest.mark.parametrize("shape", SHAPES, ids=str)
@pytest.mark.parametrize("dtype", DTYPES, ids=str)
def test_of_one_matrix(name: str, shape: tuple[int, ...], dtype: Any):
    """Every dtype and shape, what NumPy refuses among them."""
    if dtype.kind in "b" and shape[-2:] == (3, 3):
        pytest.skip("a matrix of ones has no inverse, and rounding decides what comes out")
    kind = "hermitian" if name in ("eigvalsh", "cholesky") else ""
    close_to = SOLVED if name in ("inv", "det", "slogdet", "pinv", "cond") else CLOSE
    compare(lambda np, x: getattr(np.linalg, name)(x), matrix(dtype, *shape, kind=kind), **close_to)


@pytest.mark.parametrize("name", ["inv", "solve", "cholesky", "matrix_power"])
def test_singular(name: str):
    """A matrix without the result asked for raises NumPy's own ``LinAlgError``."""
    calls: dict[str, Any] = {
        "inv": lambda np, x: np.linalg.inv(x),
        "solve": lambda np, x: np.linalg.solve(x, x),
        "cholesky": lambda np, x: np.linalg.cholesky(-x),
        "matrix_power": lambda np, x: np.linalg.matrix_power(x, -2),
    }
    x = matrix("float64", 3, 3, kind="singular")
    compare(calls[name], x)
    with pytest.raises(numpy.linalg.LinAlgError):
        calls[name](numpy_shim, numpy_shim.asarray(x.tensor()))
    assert numpy_shim.linalg.LinAlgError is numpy.linalg.LinAlgError


@pytest.mark.parametrize("dtype", FLOATS)
@pytest.mark.parametrize("shape", [(3, 3), (2, 3, 4), (2, 4, 3), (0, 3, 2)], ids=str)
@pytest.mark.parametrize("full", [True, False])
def test_svd(dtype: str, shape: tuple[int, ...], full: bool):
    def body(np: Any, x: Any) -> Any:
        u, s, vh = np.linalg.svd(x, full_matrices=full)
        k = min(shape[-2:])
        back = np.matmul(u[..., :, :k] * s[..., None, :], vh[..., :k, :])
        shapes = [u.shape, vh.shape]
        return s, back, shapes, np.linalg.svd(x, compute_uv=False)

    compare(body, matrix(dtype, *shape), **CLOSE)


@pytest.mark.parametrize("dtype", FLOATS)
@pytest.mark.parametrize("hermitian", [True, False])
def test_hermitian(dtype: str, hermitian: bool):
    """``hermitian=`` gives the same, by way of the eigenvalues."""

    def body(np: Any, x: Any) -> Any:
        u, s, vh = np.linalg.svd(x, hermitian=hermitian)
        rank = np.linalg.matrix_rank(x, hermitian=hermitian)
        return s, np.matmul(u * s, vh), rank, np.linalg.pinv(x, hermitian=hermitian)

    compare(body, matrix(dtype, 4, 4, kind="hermitian"), **SOLVED)


@pytest.mark.parametrize("dtype", [*FLOATS, "int64", "uint16"])
@pytest.mark.parametrize("mode", ["reduced", "complete", "r", "raw", "other"])
@pytest.mark.parametrize("shape", [(3, 3), (4, 3), (2, 3, 4)], ids=str)
def test_qr(dtype: str, mode: str, shape: tuple[int, ...]):
    def body(np: Any, x: Any) -> Any:
        result = np.linalg.qr(x, mode)
        if mode in ("r", "raw"):
            return result
        return np.matmul(result.Q, result.R), result.Q.shape, np.abs(result.R)

    compare(body, matrix(dtype, *shape), **CLOSE)


@pytest.mark.parametrize("dtype", FLOATS)
@pytest.mark.parametrize("uplo", ["L", "U", "l", "X"])
def test_eigh(dtype: str, uplo: str):
    def body(np: Any, x: Any) -> Any:
        values, vectors = np.linalg.eigh(x, uplo)
        back = np.matmul(vectors * values, np.conj(np.swapaxes(vectors, -1, -2)))
        return values, back, np.linalg.eigvalsh(x, uplo)

    compare(body, matrix(dtype, 2, 3, 3, kind="hermitian"), **CLOSE)


@pytest.mark.parametrize("values", [
    [[2.0, 1.0], [1.0, 3.0]], [[0.0, -1.0], [1.0, 0.0]], [[1, 2], [3, 4]],
    [[float("nan"), 0.0], [0.0, 1.0]], [[1.0, 2.0]], [],
], ids=str)  # fmt: skip
def test_eig(values: Any):
    """Real results for real eigenvalues, complex else, as NumPy's depend on the values."""

    def body(np: Any) -> Any:
        x = np.array(values)
        found = np.linalg.eig(x)
        order = np.argsort(np.abs(found.eigenvalues) + np.imag(found.eigenvalues))
        rest = np.matmul(x, found.eigenvectors) - found.eigenvectors * found.eigenvalues
        rounding = 16 * np.finfo(float).eps * np.abs(x).max()
        return found.eigenvalues[order], np.abs(rest) <= rounding, np.linalg.eigvals(x)[order]

    compare(body, **CLOSE)


@pytest.mark.parametrize("dtype", [*FLOATS, "int32"])
@pytest.mark.parametrize(
    "shapes",
    [((3, 3), (3,)), ((3, 3), (3, 2)), ((2, 3, 3), (3, 2)), ((2, 3, 3), (2, 3, 1)),
     ((3, 3), (2,)), ((2, 3), (2,)), ((3,), (3,)), ((2, 3, 3), (3,)), ((0, 3, 3), (0, 3, 2))],
    ids=str,
)  # fmt: skip
def test_solve(dtype: str, shapes: Any):
    a, b = (matrix(dtype, *s) for s in shapes)
    compare(lambda np, x, y: np.linalg.solve(x, y), a, b, **SOLVED)


@pytest.mark.parametrize("dtype", [*FLOATS, "int32"])
@pytest.mark.parametrize(
    "shapes",
    [
        ((4, 3), (4,)),
        ((4, 3), (4, 2)),
        ((3, 4), (3,)),
        ((3, 3), (3, 1)),
        ((4, 3), (3,)),
        ((2, 3, 3), (3,)),
    ],
    ids=str,
)
@pytest.mark.parametrize("rcond", [None, -1, 0.5])
def test_lstsq(dtype: str, shapes: Any, rcond: Any):
    a, b = (matrix(dtype, *s) for s in shapes)

    def body(np: Any, x: Any, y: Any) -> Any:
        solution, residuals, rank, values = np.linalg.lstsq(x, y, rcond)
        return solution, residuals, int(rank), values

    compare(body, a, b, **SOLVED)


@pytest.mark.parametrize("dtype", ["float64", "float32", "complex64", "int64", "uint16", "bool"])
@pytest.mark.parametrize("ord", [None, 2, 1, 0, -1, -2, 3, 0.5, numpy.inf, -numpy.inf, "fro", "nuc",
                                 "other"])  # fmt: skip
@pytest.mark.parametrize("axis", [None, 0, -1, (0, 1), (1, 0), (0, 0), 5])
@pytest.mark.parametrize("shape", [(3,), (3, 4), (2, 3, 4)], ids=str)
def test_norm(dtype: str, ord: Any, axis: Any, shape: tuple[int, ...]):
    x = matrix(dtype, *shape)
    compare(lambda np, a: np.linalg.norm(a, ord, axis), x, **CLOSE)
    compare(lambda np, a: np.linalg.norm(a, ord, axis, keepdims=True), x, **CLOSE)


@pytest.mark.parametrize("ord", [2, 1, 0, 3, numpy.inf, -numpy.inf])
@pytest.mark.parametrize("axis", [None, 0, (0, 1), ()])
def test_vector_norm(ord: Any, axis: Any):
    x = matrix("float64", 3, 4)
    compare(
        lambda np, a: np.linalg.vector_norm(a, ord=ord, axis=axis, keepdims=True), x, **CLOSE,
        kind=False,
    )  # fmt: skip


@pytest.mark.parametrize("p", [None, 2, -2, 1, -1, numpy.inf, "fro", "other"])
@pytest.mark.parametrize("kind", ["", "singular"])
def test_cond(p: Any, kind: str):
    """Infinite, or as large as rounding makes it, for a singular matrix."""

    def body(np: Any, x: Any) -> Any:
        found = np.linalg.cond(x, p)
        return (found > 1e12) | (found < 1e-12) if kind else found

    compare(body, matrix("float64", 2, 3, 3, kind=kind), **SOLVED)


@pytest.mark.parametrize("shape", [(4,), (2, 2)])
@pytest.mark.parametrize("axis", [None, 0, -1, (0, 1)])
@pytest.mark.parametrize("order", [None, 1, 2, 3, -2])
def test_norms_of_half_precision(shape: Any, axis: Any, order: Any):
    """Squares and sums overflow, and lose what is small, as NumPy's in float16 do."""
    for values in ([400, 1, 1, 300], [40, 1, 0.1, 2], [1e-5, 1e-5, 0, 1e-7], [200, 200, 200, 200]):
        x = Spec(numpy.array(values, "f2").reshape(shape))
        compare(lambda np, x: np.linalg.norm(x, order, axis), x, rtol=2e-3)


@pytest.mark.parametrize("dtype", ["float64", "complex64", "int32", "uint64", "bool", "float16"])
@pytest.mark.parametrize("n", [0, 1, 2, 3, 5, -1, -2, 1.5])
def test_matrix_power(dtype: str, n: Any):
    close_to = SOLVED if n < 0 else CLOSE
    compare(lambda np, x: np.linalg.matrix_power(x, n), matrix(dtype, 3, 3), **close_to)


@pytest.mark.parametrize("dtype", ["float64", "int64", "bool"])
@pytest.mark.parametrize("shapes", [
    ((2, 3), (3, 4)), ((3,), (3, 4), (4,)), ((2, 3), (3, 4), (4, 5), (5, 2)), ((2, 3),),
    ((2, 3), (3,), (3, 2)), ((2, 3), (4, 2)),
], ids=str)  # fmt: skip
def test_multi_dot(dtype: str, shapes: Any):
    specs = [matrix(dtype, *s) for s in shapes]
    compare(lambda np, *xs: np.linalg.multi_dot(xs), *specs, **CLOSE)


def test_tensor_equations():
    a = Spec(numpy.arange(36.0).reshape(2, 3, 6) + 20 * numpy.eye(6).reshape(2, 3, 6))
    b = matrix("float64", 2, 3)
    compare(lambda np, x, y: np.linalg.tensorsolve(x, y), a, b, **SOLVED)
    compare(lambda np, x, y: np.linalg.tensorsolve(x, y[0]), a, b, **SOLVED)
    compare(lambda np, x, y: np.linalg.tensorinv(x, 2), a, b, **SOLVED)
    compare(lambda np, x, y: np.linalg.tensorinv(x, 0), a, b, **CLOSE)


@pytest.mark.parametrize("dtype", ["float64", "int64", "uint16"])
def test_of_the_array_api(dtype: str):
    """The functions of the standard that ``linalg`` has beside NumPy's own."""
    x, v = matrix(dtype, 2, 3, 3), matrix(dtype, 3)
    compare(lambda np, a, b: np.linalg.matmul(a, b), x, v, **CLOSE)
    compare(lambda np, a, b: np.linalg.vecdot(a, b, axis=-1), x, v, **CLOSE)
    compare(lambda np, a, b: np.linalg.outer(b, b), x, v, **CLOSE)
    compare(lambda np, a, b: np.linalg.outer(a, b), x, v)
    compare(lambda np, a, b: np.linalg.cross(a, b), x, v, **CLOSE)
    compare(lambda np, a, b: np.linalg.tensordot(a, b, axes=1), x, v, **CLOSE)
    compare(lambda np, a, b: np.linalg.diagonal(a, offset=1), x, v)
    compare(lambda np, a, b: np.linalg.trace(a, offset=1), x, v)
    compare(lambda np, a, b: np.linalg.matrix_transpose(a), x, v)
    compare(lambda np, a, b: np.linalg.matrix_transpose(b), x, v)
    compare(lambda np, a, b: np.linalg.matrix_norm(a, keepdims=True), x, v, **CLOSE)


@pytest.mark.parametrize("shape", [(0,), (0, 2), (2, 0), (0, 0)])
@pytest.mark.parametrize("ord", [None, 1, 2, numpy.inf, -numpy.inf, "nuc", "fro"])
@pytest.mark.parametrize("dtype", ["float64", "float32", "int32"])
def test_norm_of_nothing(shape: tuple[int, ...], ord: Any, dtype: str):
    compare(lambda np, x: np.linalg.norm(x, ord), matrix(dtype, *shape))


def test_norm_of_an_infinity_with_nan():
    """The absolute value of inf+nanj is infinite; the norm is the root of its square, NaN."""
    rows = Spec(numpy.array([[complex(numpy.inf, numpy.nan), 1], [3, 4j]]))
    compare(lambda np, x: [np.linalg.norm(x), np.linalg.norm(x[0], 1)], rows)
    compare(lambda np, x: np.linalg.norm(x, axis=1, keepdims=True), rows)
    compare(lambda np, x: np.linalg.norm([x, x], axis=(1, 2)), rows)


@pytest.mark.parametrize("mode", ["f", "full", "e", "economic"])
def test_qr_deprecated_modes(mode: str):
    """They warn, and do what they did; "economic" gives what LAPACK leaves of the matrix."""
    x = [[1.0, 2.0], [3.0, 4.0], [5.0, 7.0]]
    with pytest.warns(DeprecationWarning, match="deprecated") as found:
        ours = numpy_shim.linalg.qr(x, mode)
    assert found[0].filename == __file__
    with pytest.warns(DeprecationWarning, match="deprecated"):
        theirs = numpy.linalg.qr(x, mode)
    if mode[0] == "e":
        numpy.testing.assert_allclose(ours, theirs, rtol=1e-12)
    else:
        numpy.testing.assert_allclose(ours.R, theirs.R, rtol=1e-12)


@pytest.mark.parametrize("rcond", [None, -1, 0.5])
def test_lstsq_rank(rcond: Any):
    """A matrix whose least singular value is between LAPACK's epsilon and NumPy's cutoff."""
    rows = [[0, 1, 0, 1, 2, 0], [0, 2, 0, 0, 1, 0], [1, 0, 1, 0, 0, 4], [0, 0, 0, 2, 3, 0.0]]
    x = Spec(numpy.array(rows).T)
    compare(lambda np, a: int(np.linalg.lstsq(a, np.ones(6), rcond)[2]), x)


DOUBLE: dict[str, Any] = {
    "cholesky": lambda np, x: np.linalg.cholesky(x),
    "cond": lambda np, x: (np.linalg.cond(x), np.linalg.cond(x, 1)),
    "det": lambda np, x: np.linalg.det(x),
    "eigh": lambda np, x: (np.linalg.eigh(x)[0], np.linalg.eigvalsh(x)),
    "eigvals": lambda np, x: (np.sort(np.linalg.eig(x)[0]), np.sort(np.linalg.eigvals(x))),
    "inv": lambda np, x: np.linalg.inv(x),
    "lstsq": lambda np, x: [
        *np.linalg.lstsq(x, x[0]), *np.linalg.lstsq(x[:, :4], x)[:2], *np.linalg.lstsq(x[1:], x[1:])
    ],
    "qr": lambda np, x: (np.linalg.qr(x, "raw"), np.linalg.qr(x, "r"), *np.linalg.qr(x)),
    "slogdet": lambda np, x: np.linalg.slogdet(x),
    "solve": lambda np, x: np.linalg.solve(x, x[0]),
    "svd": lambda np, x: (np.linalg.svd(x)[1], np.linalg.svdvals(x)),
    "tensorinv": lambda np, x: np.linalg.tensorinv(x, 1),
}  # fmt: skip


@pytest.mark.parametrize("name", DOUBLE)
@pytest.mark.parametrize("dtype", ["float32", "complex64"])
def test_single_precision_is_computed_in_double(name: str, dtype: str):
    """On the CPU: of an ill-conditioned matrix every digit is NumPy's."""
    n = numpy.arange(6.0)
    hilbert = Spec((1 / (n[:, None] + n + 1)).astype(dtype))
    atol = 1e-8 if name == "lstsq" else 0.0  # its zeros are the rest of a difference
    compare(DOUBLE[name], hilbert, rtol=3e-7, atol=atol, signed_zeros=False)


def test_messages_say_what_numpy_says():
    with pytest.raises(numpy_shim.linalg.LinAlgError, match="Incompatible dimensions"):
        numpy_shim.linalg.lstsq(numpy_shim.ones((4, 2)), numpy_shim.ones(5))
    with pytest.raises(ValueError, match="array must be at least 2-dimensional"):
        numpy_shim.linalg.matrix_transpose([1, 2])


@pytest.mark.parametrize("n", [1, 2, 3, 8, 9])
def test_determinants_and_solutions_of_small_matrices(n: int):
    """Also with swapped rows, for a singular matrix, and for vectors and matrices."""
    rows = numpy.random.default_rng(n).normal(size=(n, n))
    for x in (rows, rows[::-1], rows.T, numpy.zeros((n, n)), numpy.eye(n)[::-1]):
        found = numpy_shim.linalg.det(numpy_shim.array(x.tolist()))
        assert type(found) is numpy.float64
        assert found == pytest.approx(numpy.linalg.det(x), rel=1e-12, abs=1e-12)
    b = rows[:, 0] + 1.0
    for right in (b, b[:, None], rows + 2.0):
        found = numpy_shim.linalg.solve(numpy_shim.array(rows), numpy_shim.array(right))
        assert found.shape == right.shape
        numpy.testing.assert_allclose(found.tolist(), numpy.linalg.solve(rows, right), 1e-9)


def test_determinant_keeps_gradients_and_transforms():
    """It stays a tensor where a derivative or a map has to see it."""
    x = torch.tensor([[2.0, 1.0], [1.0, 3.0]], dtype=torch.float64, requires_grad=True)
    (slope,) = torch.autograd.grad(numpy_shim.linalg.det(numpy_shim.asarray(x)).tensor, x)
    assert slope.reshape(-1).tolist() == pytest.approx([3.0, -1.0, -1.0, 2.0])

    def det(t: torch.Tensor) -> torch.Tensor:
        return numpy_shim.asarray(numpy_shim.linalg.det(numpy_shim.asarray(t))).tensor

    plain = x.detach()
    assert torch.func.vmap(det)(torch.stack([plain, plain.T])).tolist() == pytest.approx([5.0, 5.0])
    _, tangent = torch.func.jvp(det, (plain,), (torch.eye(2, dtype=torch.float64),))
    assert tangent.item() == pytest.approx(5.0)
