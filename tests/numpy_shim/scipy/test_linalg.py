"""``scipy.linalg`` where the arrays are, beside SciPy: values, dtypes, shapes and errors."""

from __future__ import annotations

from collections.abc import Callable
from copy import deepcopy
from typing import Any

import numpy
import pytest
import scipy.linalg
import torch

import numpy_shim as np
import xp_backend.npy  # noqa: F401 - the device
from numpy_shim.scipy import linalg
from numpy_shim.scipy._linalg import FUNCTIONS, ON_THE_HOST

from .beside import check_names, compare_calls, moved, outcome
from .linalg_calls import (
    ALL,
    BAND,
    EMPTY,
    HALF,
    HER,
    INTS,
    NAN,
    POS,
    POSITIVE_STACK,
    SMALL,
    STACK,
    SYM,
    TALL,
    WIDE,
    A,
    B,
    V,
    Z,
)  # fmt: skip

CLASSES = {"LinAlgError", "LinAlgWarning"}
BY_STRUCTURE = {"eig", "eig_banded", "eigh", "eigh_tridiagonal", "eigvals", "null_space", "orth",
                "schur", "svd"}  # fmt: skip
"""Functions whose results are unique but for signs, phases or order."""


def test_every_public_name_runs_here_or_says_why_not():
    check_names(scipy.linalg, FUNCTIONS, ON_THE_HOST, CLASSES)
    assert {name for name, *_ in ALL} | BY_STRUCTURE == set(FUNCTIONS)


@pytest.mark.parametrize("name", sorted({name for name, *_ in ALL}))
def test_calls(name: str, where: str):
    """On the device an array that would cross to the host is an error."""
    for other, *args in ALL:
        if other != name:
            continue
        kwargs = args.pop() if args and isinstance(args[-1], dict) else {}
        theirs = outcome(getattr(scipy.linalg, name), deepcopy(args), kwargs)
        if where == "npy" and isinstance(theirs, numpy.linalg.LinAlgError):
            ours = outcome(FUNCTIONS[name], [moved(x, where) for x in args], kwargs)
            assert isinstance(ours, numpy.linalg.LinAlgError)  # the device has its own words
        elif where == "npy" and name in ("lu", "lu_factor") and args[0] is Z:
            continue  # the device compares complex pivots by their size
        else:
            compare_calls(FUNCTIONS[name], getattr(scipy.linalg, name), args, kwargs, where, 4096)


def host(x: Any) -> Any:
    return numpy.asarray(x.tensor.detach().cpu().resolve_conj())


def close(x: Any, y: Any, factor: float = 1) -> None:
    """Equal, but for the last digits of the largest."""
    x, y = numpy.asarray(x), numpy.asarray(y)
    digit = max(numpy.finfo(v.dtype).eps for v in (x, y) if v.dtype.kind in "fc")
    scale = max(float(numpy.abs(y).max(initial=0)), 1)
    y = numpy.broadcast_to(y, numpy.broadcast_shapes(x.shape, y.shape))
    numpy.testing.assert_allclose(x, y, rtol=0, atol=2000 * factor * scale * digit)


def results(name: str, device: str, *args: Any, **kwargs: Any) -> tuple[Any, Any]:
    """Ours on the host and SciPy's, with the same dtypes and shapes."""
    ours = FUNCTIONS[name](
        *[np.asarray(x, device=device) if isinstance(x, numpy.ndarray) else x for x in args],
        **kwargs,
    )
    theirs = getattr(scipy.linalg, name)(*args, **kwargs)
    flat, expected = [v if isinstance(v, (tuple, list)) else (v,) for v in (ours, theirs)]
    assert len(flat) == len(expected)
    for one, other in zip(flat, expected, strict=True):
        if isinstance(other, numpy.ndarray):
            assert (one.dtype, one.shape) == (other.dtype, other.shape), name
            assert one.device.type == device
    found = tuple([host(v) if isinstance(v, np.ndarray) else v for v in flat])
    return (found if isinstance(ours, (tuple, list)) else found[0]), theirs


MATRICES = {"real": A, "complex": Z, "single": SMALL, "integers": INTS, "tall": TALL, "wide": WIDE,
            "stack": STACK, "symmetric": SYM}  # fmt: skip
SQUARE = {key: x for key, x in MATRICES.items() if key not in ("tall", "wide")}


def adjoint(x: Any) -> Any:
    return numpy.conj(numpy.swapaxes(x, -1, -2))


@pytest.mark.parametrize("driver", ["gesdd", "gesvd"])
@pytest.mark.parametrize("full", [True, False])
@pytest.mark.parametrize("key", MATRICES)
def test_singular_vectors(key: str, full: bool, driver: str, where: str):
    x = MATRICES[key]
    (u, s, vh), (_, expected, _) = results(
        "svd", where, x, full_matrices=full, lapack_driver=driver
    )
    close(s, expected)
    n = s.shape[-1]
    close((u[..., :n] * s[..., None, :]) @ vh[..., :n, :], x)
    close(adjoint(u) @ u, numpy.eye(u.shape[-1]))
    close(vh @ adjoint(vh), numpy.eye(vh.shape[-2]))


@pytest.mark.parametrize("name", ["svd", "eig", "eigh", "schur", "orth", "null_space", "eigvals"])
def test_errors_and_nothing_to_do(name: str):
    for x in (NAN, V, numpy.empty((2, 0, 0))):
        compare_calls(FUNCTIONS[name], getattr(scipy.linalg, name), (x,), {})
    if name not in ("orth", "null_space"):
        compare_calls(FUNCTIONS[name], getattr(scipy.linalg, name), (EMPTY,), {})
    if name in ("eig", "eigh", "schur"):
        compare_calls(FUNCTIONS[name], getattr(scipy.linalg, name), (TALL,), {})


def test_ranges_and_null_spaces(where: str):
    for x in (TALL, WIDE, TALL @ WIDE, Z, numpy.ones((3, 3))):
        q, expected = results("orth", where, x)
        close(q @ adjoint(q), expected @ adjoint(expected))
        n, expected = results("null_space", where, x)
        close(n @ adjoint(n), expected @ adjoint(expected))


def test_eigenvectors(where: str):
    for x in SQUARE.values():
        (w, left, right), (expected, *_) = results("eig", where, x, left=True)
        close(x @ right, right * w[..., None, :])
        close(adjoint(left) @ x, w[..., :, None] * adjoint(left))
        for v in (left, right):
            close((numpy.abs(v) ** 2).sum(-2), numpy.ones(w.shape))
        close(numpy.sort_complex(w), numpy.sort_complex(expected), 10)
        close(numpy.sort_complex(results("eigvals", where, x)[0]), numpy.sort_complex(w), 10)
    (w, left, right), _ = results("eig", where, A, POS, left=True)
    close(A @ right, POS @ right * w)
    close(adjoint(left) @ A, w[:, None] * adjoint(left) @ POS, 10)
    homogeneous, _ = results("eigvals", where, A, homogeneous_eigvals=True)
    assert (homogeneous[1] == 1).all()


@pytest.mark.parametrize("options", [
    {}, {"lower": False}, {"driver": "ev"}, {"driver": "evd"}, {"driver": "evx"},
    {"subset_by_index": [1, 3]}, {"subset_by_value": [0, 20]},
], ids=str)  # fmt: skip
def test_hermitian_eigenvectors(options: Any, where: str):
    for x in (SYM, HER, INTS, SMALL):
        if "subset_by_index" in options and len(x) < 4:
            continue
        (w, v), (expected, _) = results("eigh", where, x, **options)
        triangle = numpy.triu(x) if options.get("lower") is False else numpy.tril(x)
        whole = triangle + adjoint(triangle) - numpy.diag(numpy.diag(triangle))
        close(w, expected)
        close(whole @ v, v * w)
        close(adjoint(v) @ v, numpy.eye(v.shape[-1]))
    compare_calls(
        FUNCTIONS["eigh"], scipy.linalg.eigh, (SYM,), {**options, "type": 3, "driver": "gv"}
    )


@pytest.mark.parametrize("kind", [1, 2, 3])
@pytest.mark.parametrize("driver", [None, "gv", "gvd", "gvx"])
def test_generalized_eigenvectors(kind: int, driver: str | None, where: str):
    for x, y in ((SYM, POS), (HER, HER + 1)):
        (w, v), (expected, _) = results("eigh", where, x, y, type=kind, driver=driver)
        close(w, expected, 10)
        left, right = {1: (x @ v, y @ v * w), 2: (x @ y @ v, v * w), 3: (y @ x @ v, v * w)}[kind]
        close(left, right, 10)


def test_eigenvectors_of_bands(where: str):
    whole = scipy.linalg.toeplitz(numpy.zeros(5)) + numpy.diag(HALF[2])
    whole += numpy.diag(HALF[1, 1:], 1) + numpy.diag(HALF[1, 1:], -1)
    whole += numpy.diag(HALF[0, 2:], 2) + numpy.diag(HALF[0, 2:], -2)
    for options in (
        {},
        {"select": "i", "select_range": (1, 3)},
        {"select": "v", "select_range": (0, 9)},
    ):
        (w, v), (expected, _) = results("eig_banded", where, HALF, **options)
        close(w, expected)
        close(whole @ v, v * w)
        d, e = HALF[2], HALF[1, 1:]
        three = numpy.diag(d) + numpy.diag(e, 1) + numpy.diag(e, -1)
        for driver in ("auto", "stemr", "stebz"):
            (w, v), (expected, _) = results(
                "eigh_tridiagonal", where, d, e, lapack_driver=driver, **options
            )
            close(w, expected)
            close(three @ v, v * w)


DEFECTIVE = numpy.array([[2.0, 1, 0, 0], [0, 2, 1, 0], [0, 0, 2, 1], [0, 0, 0, 2]])
TURNED = scipy.linalg.qr(numpy.random.default_rng(5).normal(size=(4, 4)))[0]
FORMS = {**SQUARE, "defective": TURNED @ DEFECTIVE @ TURNED.T, "identity": numpy.eye(4),
         "rotation": numpy.array([[0.0, -1, 0], [1, 0, 0], [0, 0, 1]]),
         "large": numpy.random.default_rng(6).normal(size=(40, 40))}  # fmt: skip


@pytest.mark.parametrize("output", ["real", "complex"])
@pytest.mark.parametrize("key", FORMS)
def test_schur_forms(key: str, output: str, where: str):
    x = FORMS[key]
    (t, z), _ = results("schur", where, x, output=output)
    close(z @ t @ adjoint(z), x, 10)
    close(adjoint(z) @ z, numpy.broadcast_to(numpy.eye(x.shape[-1]), x.shape))
    assert (numpy.tril(t, -2) == 0).all()
    below = numpy.diagonal(t, -1, axis1=-2, axis2=-1)
    if t.dtype.kind == "c":
        assert (below == 0).all()
    else:
        assert not ((below[..., 1:] != 0) & (below[..., :-1] != 0)).any()
        above = numpy.diagonal(t, 1, axis1=-2, axis2=-1)
        assert (below * above <= 0).all()
        if t.ndim == 2:
            diagonal = numpy.diagonal(t)
            assert (diagonal[:-1] == diagonal[1:])[below != 0].all()


@pytest.mark.parametrize("sort", ["lhp", "rhp", "iuc", "ouc", lambda x, y=0.0: x.real > 2])
@pytest.mark.parametrize("key", ["real", "complex", "large"])
def test_sorted_schur_forms(key: str, sort: Any, where: str):
    x = FORMS[key]
    (t, z, count), expected = results("schur", where, x, sort=sort)
    assert count == expected[2]
    close(z @ t @ adjoint(z), x, 10)
    first = scipy.linalg.eigvals(t[:count, :count])
    close(
        numpy.sort_complex(first),
        numpy.sort_complex(scipy.linalg.eigvals(expected[0][:count, :count])),
        100,
    )


def test_sizes_of_memory_are_checked():
    for name in ("qr", "rq"):
        for lwork in (0, 2):
            with pytest.raises(ValueError, match=f"{name}|lwork"):
                FUNCTIONS[name](np.asarray(A), lwork=lwork)
        compare_calls(FUNCTIONS[name], getattr(scipy.linalg, name), (A,), {"lwork": 100})


def test_nothing_is_overwritten():
    for name, args in (("solve", (A, V)), ("inv", (A,)), ("det", (A,)), ("lu", (A,)), ("qr", (A,)),
                       ("svd", (A,)), ("eigh", (SYM,)), ("cholesky", (POS,))):  # fmt: skip
        given = [np.asarray(x.copy()) for x in args]
        FUNCTIONS[name](*given, overwrite_a=True)
        assert all((host(x) == y).all() for x, y in zip(given, args, strict=True))


def test_structure_is_told_of_numbers_alone():
    for name in ("bandwidth", "issymmetric", "ishermitian"):
        for letter in "?bBhHiIlLfdFD":
            x = numpy.eye(3).astype(letter)
            assert FUNCTIONS[name](x) == getattr(scipy.linalg, name)(x)
        for letter in "eSUVOMm":
            with pytest.raises(TypeError):
                FUNCTIONS[name](numpy.zeros((2, 2), letter))


def test_warnings():
    near_single = numpy.eye(2, dtype="f") + numpy.ones((2, 2), "f") * numpy.float32(1.5e7)
    for module in (FUNCTIONS, vars(scipy.linalg)):
        with pytest.warns(scipy.linalg.LinAlgWarning):
            module["solve"](near_single, V[:2].astype("f"), assume_a="banded")
    near = numpy.array([[1.0, 1.0], [1.0, 1.0 + 4e-16]])
    ones, root = numpy.ones((2, 2)), numpy.array([[0.0, 1], [0, 0]])
    for name, *args in (
        ("solve", near, V[:2]),
        ("inv", near),
        ("lu_factor", ones),
        ("sqrtm", root),
    ):
        with pytest.warns(scipy.linalg.LinAlgWarning):
            FUNCTIONS[name](*[np.asarray(x) for x in args])
        with pytest.warns(scipy.linalg.LinAlgWarning):
            getattr(scipy.linalg, name)(*args)


def test_bands_of_many_rows_go_to_the_host():
    x = np.asarray(numpy.ones((2, 3000)), device="npy")
    with pytest.raises(NotImplementedError, match="a band of 3000 rows"):
        FUNCTIONS["eigvals_banded"](x)


def test_errors_of_values_are_those_of_the_arrays_on_a_device():
    """A singular matrix is an error where the arrays are, and no reason to try on the host."""
    with np.allow_implicit_host_copy(False), pytest.raises(np.linalg.LinAlgError):
        linalg.inv(np.asarray(numpy.ones((2, 2)), device="npy"))


def test_factors_of_a_stack_are_all_of_one_kind(where: str):
    stack = POSITIVE_STACK
    for lower in (False, True):
        factors, kinds = FUNCTIONS["cho_factor"](np.asarray(stack, device=where), lower)
        found = FUNCTIONS["cho_solve"]((factors, kinds), np.asarray(V[:4], device=where))
        close(host(found), scipy.linalg.solve(stack, V[:4]), 10)


def t(x: Any) -> torch.Tensor:
    return torch.tensor(numpy.ascontiguousarray(x))


PAIR = 1j * numpy.array([[0, 1, -1], [0, 0, 0], [0, 2, -2]])


def signless(u: Any, s: Any, vh: Any) -> Any:
    """What does not change with the signs of the singular vectors."""
    return np.concatenate([(u * s) @ vh, np.abs(u) ** 2 @ np.diag(s) + 0 * vh])


GRADIENTS: list[tuple[str, Callable[..., Any], tuple[Any, ...]]] = [
    ("solve", lambda f, a, b: f(a, b), (A, B)),
    ("solve", lambda f, a, b: f(a, b, assume_a="pos"), (POS, B)),
    ("solve", lambda f, a, b: f(a, b, assume_a="banded"), (A, B)),
    ("solve", lambda f, a, b: f(a, b), (Z[:3, :3], V[:3] + 0j)),
    ("inv", lambda f, a: f(a), (STACK[0],)), ("det", lambda f, a: f(a), (A,)),
    ("det", lambda f, a: f(a), (numpy.ones((3, 3)),)),
    ("lstsq", lambda f, a, b: f(a, b)[0], (TALL, numpy.arange(6.0))),
    ("lstsq", lambda f, a, b: f(a, b)[1], (TALL, numpy.arange(6.0))),
    ("lstsq", lambda f, a, b: f(a, b)[0], (numpy.eye(3) * 2, V[:3])),
    ("lstsq", lambda f, a, b: f(a, b)[0], (WIDE, V[:4])), ("pinv", lambda f, a: f(a), (TALL,)),
    ("pinv", lambda f, a: f(a), (numpy.eye(3),)), ("pinvh", lambda f, a: f(a + a.T), (A,)),
    ("solve_triangular", lambda f, a, b: f(a, b, lower=True), (A, B)),
    ("solve_banded", lambda f, a, b: f((1, 1), a, b), (BAND, V)),
    ("solve_banded", lambda f, a, b: f((2, 0), a, b), (BAND[[1, 0, 2]], V)),
    ("solveh_banded", lambda f, a, b: f(a, b), (HALF, V)),
    ("solveh_banded", lambda f, a, b: f(a, b), (HALF[1:], V)),
    ("cholesky_banded", lambda f, a: f(a), (HALF,)),
    ("cho_solve_banded", lambda f, a, b: f((a, False), b), (HALF, V)),
    ("solve_toeplitz", lambda f, c, r, b: f((c, r), b), (V + 5 * numpy.eye(5)[0],
     V + 5 * numpy.eye(5)[0], V)), ("matmul_toeplitz", lambda f, c, b: f(c, b), (V, V)),
    ("solve_circulant", lambda f, c, b: f(c, b), (V, V)),
    ("lu", lambda f, a: np.concatenate(f(a)[1:]), (A,)),
    ("lu", lambda f, a: f(a, permute_l=True)[0], (TALL,)),
    ("lu", lambda f, a: np.stack(f(a)[1:]), (STACK,)), ("lu_factor", lambda f, a: f(a)[0], (A,)),
    ("lu_solve", lambda f, a, b: f((a, [0, 1, 2, 3, 4]), b, trans=1), (A, B)),
    ("cholesky", lambda f, a: f(a @ a.T), (A,)),
    ("cho_factor", lambda f, a: f(a @ a.T, lower=True)[0], (A,)),
    ("cho_solve", lambda f, a, b: f((a, True), b), (A, B)),
    ("qr", lambda f, a: np.concatenate(f(a, mode="economic")), (TALL,)),
    ("qr", lambda f, a: f(a, mode="r", pivoting=True)[0], (A,)),
    ("qr", lambda f, a: np.concatenate(f(a)), (Z,)),
    ("rq", lambda f, a: np.concatenate(f(a, mode="economic"), axis=1), (WIDE,)),
    ("polar", lambda f, a: np.concatenate(f(a)), (A,)), ("svd", lambda f, a: signless(*f(a)), (A,)),
    ("svdvals", lambda f, a: f(a), (TALL,)), ("diagsvd", lambda f, s: f(s, 3, 4), (V[:3],)),
    ("orth", lambda f, a: f(a) @ f(a).T, (TALL,)),
    ("subspace_angles", lambda f, a, b: f(a, b), (TALL[:, :2], TALL[::-1, 1:3])),
    ("orthogonal_procrustes", lambda f, a, b: f(a, b)[1], (A, POS)),
    ("eig", lambda f, a: np.abs(f(a)[1]), (A,)), ("eigvals", lambda f, a: f(a), (A,)),
    ("eigvals", lambda f, a, b: f(a, b), (A, POS)),
    ("eigh", lambda f, a: np.abs(f(a + a.T)[1]), (A,)), ("eigvalsh", lambda f, a: f(a + a.T), (A,)),
    ("eigvalsh", lambda f, a, b: f(a + a.T, b @ b.T), (A, A)),
    ("eig_banded", lambda f, a: f(a)[0], (HALF,)), ("eigvals_banded", lambda f, a: f(a), (HALF,)),
    ("eigh_tridiagonal", lambda f, d, e: np.abs(f(d, e)[1]), (V, V[1:])),
    ("eigvalsh_tridiagonal", lambda f, d, e: f(d, e), (V, V[1:])),
    ("norm", lambda f, a: f(a), (A,)), ("norm", lambda f, a: f(a, 1), (A,)),
    ("norm", lambda f, a: f(a), (V,)), ("norm", lambda f, a: f(a, 2), (A,)),
    ("toeplitz", lambda f, c, r: f(c, r), (V, V[:3])), ("circulant", lambda f, c: f(c), (V,)),
    ("hankel", lambda f, c, r: f(c, r), (V, V)), ("companion", lambda f, c: f(c), (V,)),
    ("leslie", lambda f, c, s: f(c, s), (V, V[1:])),
    ("block_diag", lambda f, a, b: f(a, b), (A, B)),
    ("convolution_matrix", lambda f, a: f(a, 3), (V,)), ("fiedler", lambda f, a: f(a), (V,)),
    ("fiedler_companion", lambda f, a: f(a), (V,)),
    ("khatri_rao", lambda f, a, b: f(a, b), (A, TALL[:, [0, 1, 2, 3, 0]])),
    ("expm", lambda f, a: f(a), (A / 3,)), ("expm", lambda f, a: f(a), (Z[:2, :2] / 3,)),
    ("sinm", lambda f, a: f(a), (A / 3,)), ("cosm", lambda f, a: f(a), (A / 3,)),
    ("tanm", lambda f, a: f(a), (A / 5,)), ("sinhm", lambda f, a: f(a), (A / 3,)),
    ("coshm", lambda f, a: f(a), (A / 3,)), ("tanhm", lambda f, a: f(a), (A / 3,)),
    ("expm_frechet", lambda f, a, e: f(a, e)[1], (A / 3, POS / 9)),
    ("expm_cond", lambda f, a: f(a), (POS[:3, :3] / 9,)), ("sqrtm", lambda f, a: f(a), (POS,)),
    ("sqrtm", lambda f, a: f(a), (Z[:3, :3] + 3 * numpy.eye(3),)),
    ("sqrtm", lambda f, a: f(a), (STACK[0],)), ("logm", lambda f, a: f(a), (POS,)),
    ("logm", lambda f, a: f(a).real, (-POS,)),
    ("fractional_matrix_power", lambda f, a: f(a, 0.3).real, (POS,)),
    ("cdf2rdf", lambda f, w, v: np.concatenate(f(w + np.asarray([0, 1j, -1j]),
     v + np.asarray(PAIR))), (numpy.array([1.0, 2, 2]), A[:3, [0, 1, 1]])),
    ("solve_sylvester", lambda f, a, b, q: f(a, b, q), (A[:3, :3], POS[:3, :3], A[1:4, :3])),
    ("solve_continuous_lyapunov", lambda f, a, q: f(a, q), (A[:3, :3], SYM[:3, :3])),
    ("solve_discrete_lyapunov", lambda f, a, q: f(a, q), (A[:3, :3] / 9, SYM[:3, :3])),
]  # fmt: skip


@pytest.mark.parametrize("case", GRADIENTS, ids=lambda case: case[0])
def test_gradients(case: Any):
    name, call, arrays = case

    def of_tensors(*values: torch.Tensor) -> torch.Tensor:
        result: torch.Tensor = call(FUNCTIONS[name], *[np.asarray(v) for v in values]).tensor
        return result

    tensors = [t(x).requires_grad_() for x in arrays]
    assert torch.autograd.gradcheck(of_tensors, tensors)


def test_second_derivatives():
    for name in ("sqrtm", "logm", "expm", "inv", "det"):
        x = t(POS[:3, :3] / 3).requires_grad_()
        assert torch.autograd.gradgradcheck(lambda x: FUNCTIONS[name](np.asarray(x)).tensor, (x,))  # noqa: B023


@pytest.mark.parametrize("name", ["schur", "funm", "signm", "hessenberg"])
def test_a_derivative_that_is_not_there_is_an_error(name: str):
    x = np.asarray(t(POS / 9).requires_grad_())
    more = (np.exp,) if name == "funm" else ()
    with pytest.raises(TypeError, match=f"linalg.{name}: an array has a gradient"):
        getattr(linalg, name)(x, *more)


WHOLE: list[tuple[str, Callable[..., Any], tuple[Any, ...]]] = [
    ("solve", lambda f, a, b: f(a, b, check_finite=False), (A, B)),
    ("inv", lambda f, a: f(a, check_finite=False), (A,)),
    ("det", lambda f, a: f(a, check_finite=False), (A,)),
    ("cho_solve", lambda f, a, b: f((a, True), b, check_finite=False), (A, B)),
    ("cholesky", lambda f, a: f(a, check_finite=False), (POS,)),
    ("lu_factor", lambda f, a: f(a, check_finite=False)[0], (A,)),
    ("solve_triangular", lambda f, a, b: f(a, b, check_finite=False), (A, B)),
    ("qr", lambda f, a: f(a, check_finite=False)[1], (A,)),
    ("svdvals", lambda f, a: f(a, check_finite=False), (A,)),
    ("eigvalsh", lambda f, a: f(a, check_finite=False), (POS,)),
    ("norm", lambda f, a: f(a, check_finite=False), (V,)),
    ("expm", lambda f, a: f(a), (A / 3,)),
    ("toeplitz", lambda f, c: f(c), (V,)),
]


@pytest.mark.parametrize("case", WHOLE, ids=lambda case: case[0])
def test_compiled_in_one_graph(case: Any):
    torch.compiler.reset()
    name, call, arrays = case
    ours, theirs = getattr(linalg, name), getattr(scipy.linalg, name)
    compiled = torch.compile(lambda *xs: call(ours, *xs), backend="eager", fullgraph=True)
    close(host(compiled(*[np.asarray(x) for x in arrays])), call(theirs, *arrays))


def test_compiled_with_a_list_of_numbers_of_two_kinds():
    torch.compiler.reset()
    compiled = torch.compile(lambda b: linalg.solve_toeplitz([9, 1, 0.5], b), backend="eager")
    expected = scipy.linalg.solve_toeplitz([9, 1, 0.5], V[:3])
    close(host(compiled(np.asarray(V[:3]))), expected)
