"""Products with SciPy's sparse matrices, and systems of equations, where the arrays are."""

from __future__ import annotations

import gc
from types import FunctionType
from typing import Any

import numpy
import pytest
import scipy.sparse
import scipy.sparse.linalg
import torch

import numpy_shim as np
import xp_backend.npy  # noqa: F401 - the device
from numpy_shim.scipy import sparse
from numpy_shim.scipy._sparse import LINALG, ON_THE_HOST, matrices, solving

from .beside import check_names, compare_values, outcome

RNG = numpy.random.default_rng(0)
FORMATS = ("bsr", "coo", "csc", "csr", "dia", "dok", "lil")
OTHERS = {
    name
    for name in scipy.sparse.linalg.__all__
    if callable(value := getattr(scipy.sparse.linalg, name)) and not isinstance(value, FunctionType)
}
HALF = scipy.sparse.random_array((12, 12), density=0.3, rng=RNG).tocsr()
SYMMETRIC = HALF + HALF.T + 8 * scipy.sparse.eye_array(12)
OTHER = SYMMETRIC + scipy.sparse.diags_array(numpy.ones(11), offsets=1)
RIGHT = RNG.normal(size=12)


def test_every_public_name_runs_here_or_says_why_not():
    check_names(scipy.sparse.linalg, LINALG, ON_THE_HOST, OTHERS)


PRODUCTS = [
    lambda a, x, y: a @ x, lambda a, x, y: a @ x[:, 0], lambda a, x, y: a.dot(x[:, :1]),
    lambda a, x, y: a @ x[:, :0], lambda a, x, y: y @ a, lambda a, x, y: y[0] @ a,
    lambda a, x, y: a @ x[::-1][::-1], lambda a, x, y: a @ y.T, lambda a, x, y: x @ a,
]  # fmt: skip


@pytest.mark.parametrize("kind", ["array", "matrix"])
@pytest.mark.parametrize("letters", FORMATS)
def test_products(letters: str, kind: str):
    """Every format and dtype beside SciPy, on the device alone; shapes that do not fit, too."""
    for dtype in ("f8", "f4", "c16", "i8", "u1", "?"):
        values = (RNG.random((6, 5)) < 0.4) * RNG.normal(size=(6, 5)) * 3
        theirs = getattr(scipy.sparse, f"{letters}_{kind}")(values.astype(dtype))
        ours = getattr(sparse, f"{letters}_{kind}")(values.astype(dtype))
        for other in ("f8", "f4", "c8", "i4", "?"):
            x, y = (abs(RNG.normal(size=n) * 3).astype(other) for n in ((5, 3), (2, 6)))
            for number, product in enumerate(PRODUCTS):
                expected = outcome(product, (theirs, x, y), {})
                on_device = [np.asarray(v, device="npy") for v in (x, y)]
                about = (letters, kind, dtype, other, number)
                if not isinstance(expected, Exception):
                    compare_values(product(ours, *on_device), expected, about, "npy", 64)
                    continue
                with np.allow_implicit_host_copy():
                    compare_values(outcome(product, (ours, *on_device), {}), expected, about, "npy")


def test_asterisks_of_matrices_and_of_arrays(where: str):
    x = np.asarray(RIGHT, device=where)
    old, new = sparse.csr_matrix(OTHER), sparse.csr_array(OTHER)
    compare_values(old * x, OTHER @ RIGHT, "matrix", where)
    compare_values(x * old, RIGHT @ OTHER, "from the right", where)
    with np.allow_implicit_host_copy():
        compare_values((new * x).toarray(), (OTHER * RIGHT).toarray(), "array", where)


def test_a_product_in_blocks_of_columns(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(matrices, "_FEW", 100)
    x = RNG.normal(size=(12, 7))
    ours = sparse.csr_array(OTHER) @ np.asarray(x, device="npy")
    compare_values(ours, OTHER @ x, "blocks", "npy")


def test_what_is_written_to_a_matrix_counts():
    """What it held is kept on the device as long as it holds it, and lives."""
    gc.collect()
    before = len(matrices._kept)
    eye, x = sparse.csr_array(numpy.eye(3)), np.ones(3, device="npy")
    assert (eye @ x).tolist() == [1, 1, 1]
    eye.data[:] = 5
    assert (eye @ x).tolist() == [5, 5, 5]
    eye[0, 0] = 7
    assert (eye @ x).tolist() == [7, 5, 5]
    eye._scipys.data[1] = numpy.nan
    assert numpy.isnan((eye @ x)[1].item())
    assert len(matrices._kept) == before + 1
    del eye
    gc.collect()
    assert len(matrices._kept) == before


def test_gradients_of_products():
    matrix = sparse.csr_array(OTHER.astype("c16") * (1 + 2j))
    x = torch.tensor(RNG.normal(size=(12, 2)) + 0j, requires_grad=True)
    for product in (lambda v: matrix @ v, lambda v: v.T @ matrix):
        function = lambda t, product=product: product(np.asarray(t)).tensor  # noqa: E731
        assert torch.autograd.gradcheck(function, (x,))
        assert torch.autograd.gradgradcheck(function, (x,))


# --- systems of equations ---

SOLVERS = (
    "bicg", "bicgstab", "cg", "cgs", "gcrotmk", "gmres", "lgmres", "minres", "qmr", "tfqmr",
)  # fmt: skip


@pytest.mark.parametrize("name", SOLVERS)
def test_solvers(name: str, where: str):
    matrix = SYMMETRIC if name in solving.SELF_ADJOINT else OTHER
    ours, theirs = LINALG[name], getattr(scipy.sparse.linalg, name)
    b, start = np.asarray(RIGHT, device=where), np.ones(12, device=where)
    for options in ({}, {"rtol": 1e-10}, {"maxiter": 2}):
        expected = theirs(matrix, RIGHT, **options)
        compare_values(ours(sparse.csc_array(matrix), b, **options), expected, name, where, 1e5)
    expected = theirs(matrix, RIGHT, numpy.ones(12))
    compare_values(ours(sparse.csr_array(matrix), b, start), expected, name, where, 1e5)
    seen: list[Any] = []
    whole = np.asarray(matrix.toarray(), device=where)
    options = {"callback_type": "x"} if name == "gmres" else {}
    found = ours(whole, b, callback=seen.append, **options)
    compare_values(found, theirs(matrix.toarray(), RIGHT), name, where, 1e5)
    assert {x.device.type for x in seen} == {where}


def test_complex_systems(where: str):
    matrix = OTHER + 1j * HALF
    b = np.asarray(RIGHT * 1j, device=where)
    for name in ("bicgstab", "gcrotmk", "gmres", "lgmres"):
        found = LINALG[name](sparse.csr_array(matrix), b, rtol=1e-12)
        expected = scipy.sparse.linalg.spsolve(matrix.tocsc(), RIGHT * 1j)
        numpy.testing.assert_allclose(found[0].tensor.cpu().numpy(), expected, rtol=1e-9)


@pytest.mark.parametrize("name", ["gcrotmk", "lgmres"])
def test_restarts_with_kept_vectors(name: str, where: str):
    """Restarts after few steps; what is kept serves a second system."""
    options = {"m": 3, "k": 2} if name == "gcrotmk" else {"inner_m": 3, "outer_k": 2}
    options["truncate"] = "smallest"  # type: ignore[assignment]
    if name == "lgmres":
        del options["truncate"]
    keep, found = "CU" if name == "gcrotmk" else "outer_v", []
    for solve, make in (
        (LINALG[name], lambda v: np.asarray(v, device=where)),
        (getattr(scipy.sparse.linalg, name), numpy.asarray),
    ):
        matrix, kept = scipy.sparse.csr_array(OTHER), []
        matrix = sparse.csr_array(OTHER) if solve is LINALG[name] else matrix
        first = solve(matrix, make(RIGHT), rtol=1e-10, **options, **{keep: kept})
        found.append(
            [*first, *solve(matrix, make(RIGHT[::-1]), rtol=1e-10, **options, **{keep: kept})]
        )
        assert kept
    compare_values(*found, name, where, 1e6)


def test_least_squares_and_eigenvectors(where: str):
    tall = scipy.sparse.random_array((20, 6), density=0.5, rng=numpy.random.default_rng(1)).tocsr()
    b = RNG.normal(size=20)
    for name in ("lsqr", "lsmr"):
        ours = LINALG[name](sparse.csr_array(tall), np.asarray(b, device=where))
        theirs = getattr(scipy.sparse.linalg, name)(tall, b)
        numpy.testing.assert_allclose(ours[0].tensor.cpu().numpy(), theirs[0], rtol=1e-9)
        assert (ours[0].device.type, ours[1:3]) == (where, theirs[1:3])
    start = RNG.normal(size=(12, 2))
    ours = LINALG["lobpcg"](
        sparse.csr_array(SYMMETRIC), np.asarray(start, device=where), tol=1e-9, maxiter=200
    )
    theirs = scipy.sparse.linalg.lobpcg(SYMMETRIC, start, tol=1e-9, maxiter=200)
    numpy.testing.assert_allclose(ours[0].tensor.cpu().numpy(), theirs[0], rtol=1e-10)


@pytest.mark.parametrize("dtype", ["f8", "f4", "c16", "i8"])
def test_spsolve(dtype: str, where: str):
    matrix = (OTHER * 4).astype(dtype)
    for b in (RIGHT, RIGHT.reshape(-1, 1), RNG.normal(size=(12, 3)), RIGHT.astype("f4")):
        ours = LINALG["spsolve"](sparse.csr_array(matrix), np.asarray(b, device=where))
        theirs = scipy.sparse.linalg.spsolve(matrix.tocsc(), b)
        compare_values(ours, theirs, (dtype, b.shape), where)


def test_spsolve_of_a_singular_matrix():
    b = np.ones(3, device="npy")
    with pytest.warns(scipy.sparse.linalg.MatrixRankWarning, match="exactly singular"):
        found = sparse.linalg.spsolve(sparse.csc_array(numpy.zeros((3, 3))), b)
    assert np.isnan(found).all()
    with np.allow_implicit_host_copy(), pytest.raises(ValueError, match="matrix must be square"):
        sparse.linalg.spsolve(sparse.csc_array(numpy.ones((2, 3))), b)


@pytest.mark.parametrize("name", ["bicgstab", "cg", "gcrotmk", "lgmres", "minres", "spsolve"])
def test_gradients_of_solutions(name: str, where: str, monkeypatch: pytest.MonkeyPatch):
    matrix = sparse.csr_array((SYMMETRIC if name in solving.SELF_ADJOINT else OTHER)[:6, :6])
    b = torch.tensor(RIGHT[:6], device=where, requires_grad=True)
    solve = getattr(sparse.linalg, name)

    def solved(t: torch.Tensor) -> torch.Tensor:
        if name == "spsolve":
            return solve(matrix, np.asarray(t)).tensor
        return solve(matrix, np.asarray(t), rtol=1e-13)[0].tensor

    assert torch.autograd.gradcheck(solved, (b,), fast_mode=True)
    assert torch.autograd.gradgradcheck(solved, (b,), fast_mode=True)
    if name == "spsolve":  # a large matrix is factored by SciPy
        monkeypatch.setattr(solving, "LARGEST", 5)
        with np.allow_implicit_host_copy():
            assert torch.autograd.gradcheck(solved, (b,), fast_mode=True)
            assert torch.autograd.gradgradcheck(solved, (b,), fast_mode=True)


@pytest.mark.parametrize("name", ["bicgstab", "gmres", "qmr"])
def test_gradients_beside_a_preconditioner(name: str, where: str):
    """With its adjoint, if it has one; a preconditioner without one is left out."""
    matrix = sparse.csr_array(OTHER[:6, :6])
    diagonal = scipy.sparse.diags_array(1 / OTHER[:6, :6].diagonal())
    one = sparse.csr_array(diagonal)
    alone = sparse.linalg.LinearOperator((6, 6), matvec=lambda v: v / 8, dtype=float)
    both = sparse.linalg.LinearOperator((6, 6), lambda v: v / 8, lambda v: v / 8, dtype=float)
    expected = numpy.linalg.inv(OTHER[:6, :6].toarray()).sum(0)
    options: list[dict[str, Any]] = [{"M": one}, {"M": alone}]
    if name == "qmr":
        options = [{"M1": both, "M2": sparse.linalg.aslinearoperator(one)}]
    for given in options:
        b = torch.tensor(RIGHT[:6], device=where, requires_grad=True)
        found, _ = getattr(sparse.linalg, name)(matrix, np.asarray(b), rtol=1e-12, **given)
        found.sum().tensor.backward()
        assert b.grad is not None
        numpy.testing.assert_allclose(b.grad.cpu().numpy(), expected, rtol=1e-8)


def test_a_derivative_that_was_not_found_is_said():
    b = torch.tensor(RIGHT, requires_grad=True)
    found, _ = sparse.linalg.bicgstab(sparse.csr_array(OTHER), np.asarray(b), maxiter=1)
    with pytest.warns(RuntimeWarning, match="bicgstab: the system of the derivative did not conv"):
        (found**2).sum().tensor.backward()
    plain = sparse.linalg.LinearOperator((12, 12), matvec=lambda v: 2 * v, dtype=float)
    found, _ = sparse.linalg.gmres(plain, np.asarray(b))
    with pytest.raises(TypeError, match="gmres: its derivative needs the rmatvec"):
        found.sum().tensor.backward()


@pytest.mark.parametrize("largest", [128, 1])
def test_derivatives_in_transforms(largest: int, monkeypatch: pytest.MonkeyPatch):
    """``np.grad``, Jacobians both ways, a second derivative, and a batch of right-hand sides."""
    monkeypatch.setattr(solving, "LARGEST", largest)
    values = numpy.asarray([[4.0, 1.0], [1.0, 3.0]])
    matrix, inverse = sparse.csc_array(values), numpy.linalg.inv(values)
    for solve in (
        lambda b: sparse.linalg.cg(matrix, b, rtol=1e-13)[0],
        lambda b: sparse.linalg.spsolve(matrix, b),
    ):
        slope = np.grad(lambda b, solve=solve: (solve(b) ** 2).sum())(np.ones(2))
        numpy.testing.assert_allclose(slope, 2 * inverse @ inverse @ numpy.ones(2), rtol=1e-10)
        numpy.testing.assert_allclose(np.jacobian(solve)(np.ones(2)), inverse, rtol=1e-10)
        one = torch.ones(2, dtype=torch.float64)
        of_tensors = lambda t, solve=solve: solve(np.asarray(t)).tensor  # noqa: E731
        found = torch.func.jacfwd(of_tensors)(one)
        numpy.testing.assert_allclose(found, inverse, rtol=1e-10)
        squared = lambda t, of=of_tensors: (of(t) ** 2).sum()  # noqa: E731
        second = torch.func.hessian(squared)(one)
        numpy.testing.assert_allclose(second, 2 * inverse @ inverse, rtol=1e-10)
        many = np.vmap(solve)(np.asarray([[1.0, 0.0], [0.0, 1.0], [2.0, 2.0]]))
        numpy.testing.assert_allclose(many[:2], inverse, rtol=1e-10)
    whole = np.jacobian(lambda a: sparse.linalg.gmres(a, np.ones(2), rtol=1e-13)[0])(
        np.asarray(values)
    )
    expected = -numpy.einsum("ij,k->ijk", inverse, inverse @ numpy.ones(2))
    numpy.testing.assert_allclose(whole, expected, rtol=1e-10)


def test_a_large_system_does_not_cross_unasked(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(solving, "LARGEST", 1)
    b = torch.ones(12, dtype=torch.float64, device="npy", requires_grad=True)
    with pytest.raises(TypeError, match="an array has a gradient"):
        sparse.linalg.spsolve(sparse.csc_array(OTHER), np.asarray(b))


def test_the_gradient_reaches_a_dense_matrix():
    a = torch.tensor(OTHER[:5, :5].toarray(), requires_grad=True)
    b = torch.tensor(RIGHT[:5], requires_grad=True)

    def solved(a: torch.Tensor, b: torch.Tensor) -> torch.Tensor:
        return sparse.linalg.gmres(np.asarray(a), np.asarray(b), rtol=1e-13, atol=0.0)[0].tensor

    assert torch.autograd.gradcheck(solved, (a, b))
    assert torch.autograd.gradgradcheck(solved, (a, b))


@pytest.mark.parametrize("of", ["a", "b"])
def test_derivatives_of_derivatives(of: str):
    """Transforms in transforms, beside those of ``torch.linalg.solve``."""
    a = torch.tensor([[4.0, 1.0], [0.5, 3.0]], dtype=torch.float64)
    b = torch.tensor([1.0, 2.0], dtype=torch.float64)

    def ours(a: torch.Tensor, b: torch.Tensor) -> torch.Tensor:
        return sparse.linalg.gmres(np.asarray(a), np.asarray(b), rtol=1e-13, atol=0.0)[0].tensor

    def cubes(solve: Any) -> Any:
        return lambda x: (solve(x, b) if of == "a" else solve(a, x)).pow(3).sum()

    x = a if of == "a" else b
    func = torch.func
    for nested in (
        func.hessian,
        lambda f: func.jacrev(func.jacrev(f)),
        lambda f: func.jacrev(func.grad(f)),
        lambda f: func.jacrev(func.jacrev(func.jacrev(f))),
        lambda f: lambda x: func.vmap(func.grad(f))(torch.stack([x, 2 * x])),
    ):
        expected = nested(cubes(torch.linalg.solve))(x)
        numpy.testing.assert_allclose(nested(cubes(ours))(x), expected, rtol=1e-9, atol=1e-14)
    twice = func.jacfwd(func.jacfwd(cubes(ours)))
    if of == "a":
        with pytest.raises(TypeError, match="transform"):
            twice(x)
    else:
        expected = func.hessian(cubes(torch.linalg.solve))(x)
        numpy.testing.assert_allclose(twice(x), expected, rtol=1e-9)


def test_a_gradient_that_nothing_computes_is_refused():
    b = np.asarray(torch.ones(12, dtype=torch.float64, requires_grad=True))
    for name in ("lsqr", "lsmr", "spsolve_triangular"):
        with pytest.raises(TypeError, match="an array has a gradient"):
            getattr(sparse.linalg, name)(sparse.csr_array(OTHER), b)


# --- operators ---


def test_operators(where: str):
    """Their products stay on the device; the program's function gets what is there."""
    b, seen = np.asarray(RIGHT, device=where), []
    first = sparse.linalg.aslinearoperator(sparse.csr_array(OTHER))

    def multiply(v: Any) -> Any:
        seen.append(v)
        return 2 * v

    second = sparse.linalg.LinearOperator((12, 12), matvec=multiply, dtype=float)
    compare_values(first.matvec(b), OTHER @ RIGHT, "matvec", where)
    compare_values(first.rmatvec(b), OTHER.T @ RIGHT, "rmatvec", where)
    compare_values(second @ b, 2 * RIGHT, "function", where)
    both = (first + 3 * second) @ first.T
    compare_values(both @ b, OTHER @ OTHER.T @ RIGHT + 6 * OTHER.T @ RIGHT, "all", where)
    compare_values(first**2 @ b, OTHER @ OTHER @ RIGHT, "power", where)
    factors = sparse.linalg.splu(sparse.csc_array(OTHER))
    inverse = sparse.linalg.LinearOperator((12, 12), matvec=factors.solve, dtype=float)
    with np.allow_implicit_host_copy():  # SciPy's own function
        expected = scipy.sparse.linalg.spsolve(OTHER.tocsc(), RIGHT)
        compare_values(inverse.matvec(b), expected, "SciPy's", where)
        found = sparse.linalg.bicgstab(first, b, M=inverse)
        numpy.testing.assert_allclose(found[0].tensor.cpu().numpy(), expected, rtol=1e-4)
    found, info = sparse.linalg.gmres(first + second, b, rtol=1e-12)
    expected = scipy.sparse.linalg.spsolve((OTHER + 2 * scipy.sparse.eye_array(12)).tocsc(), RIGHT)
    numpy.testing.assert_allclose(found.tensor.cpu().numpy(), expected, rtol=1e-9)
    assert info == 0
    assert {v.device.type for v in seen} == {where}
