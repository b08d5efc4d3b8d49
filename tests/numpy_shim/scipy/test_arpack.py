"""Eigenvalues and singular values by ARPACK's iterations where the arrays are, beside SciPy's."""

from __future__ import annotations

from typing import Any

import numpy
import pytest
import scipy.sparse
import scipy.sparse.linalg
import torch

import numpy_shim as np
import xp_backend.npy  # noqa: F401 - the device
from numpy_shim.scipy import sparse
from numpy_shim.scipy._sparse import LINALG, eigen

from ...conftest import present_devices
from .beside import outcome

RNG = numpy.random.default_rng(0)
N = 30
ANY = RNG.normal(size=(N, N))
SYMMETRIC = ANY + ANY.T
DEFINITE = ANY @ ANY.T / N + numpy.eye(N)
COMPLEX = ANY + 1j * ANY.T @ ANY
HERMITIAN = SYMMETRIC + 1j * (ANY - ANY.T)
CHAIN = scipy.sparse.diags_array([-numpy.ones(N - 1), 2 + 0 * ANY[0], -numpy.ones(N - 1)],
                                 offsets=[-1, 0, 1]).tocsr()  # fmt: skip
WEIGHTS = scipy.sparse.diags_array(numpy.linspace(1, 2, N)).tocsr()
START = RNG.normal(size=N)


@pytest.fixture(params=present_devices())
def there(request: pytest.FixtureRequest) -> str:
    return str(request.param)


def placed(x: Any, where: str) -> Any:
    if isinstance(x, numpy.ndarray):
        return np.asarray(x, device=where)
    return sparse.csr_array(x) if scipy.sparse.issparse(x) else x


def on_host(x: Any) -> Any:
    return numpy.asarray(x.tolist())


def matrix_of(x: Any) -> Any:
    return numpy.eye(N) if x is None else x.toarray() if scipy.sparse.issparse(x) else x


def order_of(values: Any, name: str, a: Any) -> Any:
    if name == "eigsh" and not numpy.iscomplexobj(a):
        return numpy.arange(len(values))
    return numpy.lexsort((values.imag.round(3), abs(values.imag).round(3), values.real.round(3)))


def compare(name: str, where: str, a: Any, **options: Any) -> None:
    """The same eigenvalues, in SciPy's order if they are real, and vectors of the same lengths."""
    options.setdefault("v0", START)
    theirs = outcome(getattr(scipy.sparse.linalg, name), (a,), options)
    given = {key: placed(value, where) for key, value in options.items()}
    ours = outcome(LINALG[name], (placed(a, where),), given)
    about = (name, getattr(a, "dtype", ""), options)
    if isinstance(theirs, Exception):
        assert (type(ours), str(ours)) == (type(theirs), str(theirs)), about
        return
    assert not isinstance(ours, Exception), (about, ours)
    assert type(ours).__name__ == type(theirs).__name__
    values, expected = (x[0] if isinstance(x, tuple) else x for x in (ours, theirs))
    assert (values.dtype, values.shape) == (expected.dtype, expected.shape), about
    assert values.device.type == where
    values, eps = on_host(values), numpy.finfo(expected.dtype).eps
    found, order = (order_of(x, name, a) for x in (values, expected))
    size = eps * 2e3 * abs(expected).max()
    ones, others = values[found], expected[order]
    if not numpy.iscomplexobj(a):  # of a pair at the end either one may be left out
        ones, others = (x.real + 1j * abs(x.imag) for x in (ones, others))
    numpy.testing.assert_allclose(ones, others, rtol=0, atol=size, err_msg=about)
    if not isinstance(ours, tuple):
        return
    assert (ours[1].dtype, ours[1].shape) == (theirs[1].dtype, theirs[1].shape), about
    x, m, a = on_host(ours[1]), matrix_of(options.get("M")), matrix_of(a)
    numpy.testing.assert_allclose(a @ x, m @ x * values, rtol=0, atol=100 * size * abs(x).max())
    lengths = [numpy.linalg.norm(v, axis=0) for v in (x[:, found], theirs[1][:, order])]
    numpy.testing.assert_allclose(*lengths, rtol=1e5 * eps)


@pytest.mark.parametrize("which", ["LM", "SM", "LA", "SA", "BE"])
@pytest.mark.parametrize("with_vectors", [True, False])
def test_symmetric(which: str, with_vectors: bool, there: str):
    options = {"which": which, "return_eigenvectors": with_vectors}
    for k in (1, 4):
        compare("eigsh", there, SYMMETRIC, k=k, **options)
        compare("eigsh", there, CHAIN, k=k, **options)
    compare("eigsh", there, SYMMETRIC, k=5, M=DEFINITE, **options)
    compare("eigsh", there, SYMMETRIC, k=3, sigma=0.3, **options)
    if which not in ("SM", "BE"):
        compare("eigsh", there, SYMMETRIC.astype("f4"), k=3, **options)


@pytest.mark.parametrize("mode", ["normal", "buckling", "cayley"])
def test_shifts(mode: str, there: str):
    for a, m in ((DEFINITE, SYMMETRIC), (CHAIN, WEIGHTS), (DEFINITE, WEIGHTS.toarray())):
        m = m if mode == "buckling" or m is not SYMMETRIC else None
        compare("eigsh", there, a, M=m, sigma=0.7, mode=mode, k=3)
        compare("eigsh", there, a, M=m, sigma=0.7, mode=mode, k=3, return_eigenvectors=False)


@pytest.mark.parametrize("which", ["LM", "LR", "SR", "LI", "SI"])
@pytest.mark.parametrize("with_vectors", [True, False])
def test_general(which: str, with_vectors: bool, there: str):
    options = {"which": which, "return_eigenvectors": with_vectors}
    for a in (ANY, COMPLEX) if which != "SI" else (COMPLEX,):
        compare("eigs", there, a, k=4, **options)
    compare("eigs", there, ANY, k=3, M=DEFINITE, sigma=0.3, **options)
    compare("eigs", there, COMPLEX, k=3, sigma=0.3 + 0.1j, **options)
    if which == "LM" and with_vectors:
        compare("eigs", there, ANY.astype("f4"), k=3, **options)
        compare("eigs", there, COMPLEX.astype("c8"), k=3, **options)
        for part in ("r", "i"):
            compare("eigs", there, ANY, k=3, sigma=0.3 + 0.1j, OPpart=part)
        compare("eigs", there, scipy.sparse.csr_array(ANY), k=3, sigma=0.3)
    if which in ("LM", "LR", "SR"):
        compare("eigsh", there, HERMITIAN, k=3, **options | {"which": which.replace("R", "A")})


@pytest.mark.parametrize(
    ("name", "a", "options"),
    [("eigsh", SYMMETRIC, {"which": "BE", "k": 3}), ("eigsh", CHAIN, {"sigma": 0, "M": WEIGHTS}),
     ("eigsh", DEFINITE, {"M": SYMMETRIC, "sigma": 0.7, "mode": "buckling"}),
     ("eigsh", CHAIN, {"sigma": 0.7, "mode": "cayley"}), ("eigs", ANY, {"which": "LR", "k": 3}),
     ("eigs", ANY, {"M": DEFINITE, "sigma": 0.3 + 0.1j}), ("eigs", COMPLEX, {"sigma": 0.3})],
)  # fmt: skip
def test_on_a_device_alone(name: str, a: Any, options: dict[str, Any]):
    compare(name, "npy", a, **options)


def test_inverses_that_are_given(there: str):
    compare("eigsh", there, SYMMETRIC, k=3, M=DEFINITE, Minv=numpy.linalg.inv(DEFINITE))
    inverse = numpy.linalg.inv(SYMMETRIC - 0.4 * numpy.eye(N))
    compare("eigsh", there, SYMMETRIC, k=3, sigma=0.4, OPinv=inverse)
    compare("eigs", there, ANY, k=3, sigma=0.4, OPinv=numpy.linalg.inv(ANY - 0.4 * numpy.eye(N)))


def test_spaces_without_a_next_vector(there: str):
    """A matrix with few eigenvalues; the space goes on from random vectors."""
    few = numpy.diag(numpy.r_[1.0, 2, 3, numpy.zeros(N - 3)])
    for a in (numpy.eye(N), few):
        for name in ("eigsh", "eigs"):
            expected = outcome(getattr(scipy.sparse.linalg, name), (a, 4), {"v0": START})[0]
            w, x = LINALG[name](placed(a, there), 4, v0=placed(START, there))
            w, x = on_host(w), on_host(x)
            numpy.testing.assert_allclose(numpy.sort(w), numpy.sort(expected), atol=1e-13)
            numpy.testing.assert_allclose(a @ x, x * w, atol=1e-12)
            if name == "eigsh":
                numpy.testing.assert_allclose(x.T @ x, numpy.eye(4), atol=1e-12)


def test_what_has_converged(where: str):
    """As many steps as SciPy's, and the same eigenvalues in the error."""
    for name, a in (("eigsh", CHAIN.toarray()), ("eigs", ANY)):
        options = {"k": 5, "which": "LM", "ncv": 8, "maxiter": 8}
        theirs = outcome(getattr(scipy.sparse.linalg, name), (a,), options | {"v0": START})
        given = options | {"v0": placed(START, where)}
        ours = outcome(LINALG[name], (placed(a, where),), given)
        assert isinstance(ours, scipy.sparse.linalg.ArpackNoConvergence)
        assert str(ours) == str(theirs)
        found, expected = on_host(ours.eigenvalues), theirs.eigenvalues
        assert ours.eigenvectors.shape == theirs.eigenvectors.shape
        numpy.testing.assert_allclose(numpy.sort(found), numpy.sort(expected), rtol=1e-12)


BAD: list[tuple[str, Any, dict[str, Any]]] = [
    ("eigsh", SYMMETRIC, {"k": 0}), ("eigsh", SYMMETRIC, {"k": N}), ("eigsh", CHAIN, {"k": N}),
    ("eigsh", SYMMETRIC, {"ncv": 6}), ("eigsh", SYMMETRIC, {"which": "LR"}),
    ("eigsh", SYMMETRIC, {"maxiter": 0}), ("eigsh", SYMMETRIC, {"sigma": 1.0, "mode": "x"}),
    ("eigsh", SYMMETRIC[:4], {}), ("eigsh", SYMMETRIC, {"M": SYMMETRIC[:3]}),
    ("eigsh", SYMMETRIC, {"OPinv": SYMMETRIC}), ("eigsh", SYMMETRIC, {"Minv": SYMMETRIC}),
    ("eigsh", SYMMETRIC, {"v0": numpy.zeros(N)}), ("eigsh", SYMMETRIC, {"which": "BE", "k": 1}),
    ("eigsh", SYMMETRIC * numpy.nan, {}), ("eigsh", SYMMETRIC * 0, {}),
    ("eigsh", CHAIN * 0, {"sigma": 0.0}), ("eigs", ANY, {"k": N - 2}), ("eigs", ANY, {"ncv": 7}),
    ("eigs", ANY, {"which": "LA"}), ("eigs", ANY, {"OPpart": "i"}),
    ("eigs", ANY, {"sigma": 1.0, "OPpart": "i"}), ("eigs", ANY[:3], {}),
]  # fmt: skip


@pytest.mark.parametrize("case", range(len(BAD)))
def test_bad_input(case: int, where: str):
    name, a, options = BAD[case]
    compare(name, where, a, **options)


def test_a_start_of_another_size(where: str):
    with pytest.raises(ValueError, match="v0 must have 30 elements, and has 5"):
        LINALG["eigsh"](placed(SYMMETRIC, where), v0=np.ones(5, device=where))


def test_operators_of_the_program(where: str):
    """Their functions get arrays that are there; the start says where."""
    seen: list[Any] = []
    a = placed(SYMMETRIC, where)

    def multiply(x: Any) -> Any:
        seen.append(x.device.type)
        return a @ x

    operator = sparse.linalg.LinearOperator((N, N), matvec=multiply, dtype=float)
    found = LINALG["eigsh"](operator, k=2, v0=placed(START, where))
    expected = scipy.sparse.linalg.eigsh(SYMMETRIC, k=2, v0=START)
    numpy.testing.assert_allclose(on_host(found[0]), expected[0], rtol=1e-12)
    assert {*seen} == {where}


def test_a_sparse_matrix_with_a_start_on_a_device():
    start = np.asarray(START, device="npy")
    w, _ = sparse.linalg.eigsh(sparse.csr_array(CHAIN), k=3, v0=start, sigma=0)
    expected, _ = scipy.sparse.linalg.eigsh(CHAIN, k=3, sigma=0)
    assert w.device.type == "npy"
    numpy.testing.assert_allclose(on_host(w), expected, rtol=1e-12)


def test_a_start_from_a_generator():
    """The numbers are those of NumPy's generator, on a device, too."""
    options = {"k": 2, "which": "LM", "ncv": 6, "maxiter": 4}
    theirs = outcome(scipy.sparse.linalg.eigsh, (CHAIN.toarray(),), options | {"rng": 3})
    with pytest.raises(scipy.sparse.linalg.ArpackNoConvergence) as ours:
        sparse.linalg.eigsh(placed(CHAIN.toarray(), "npy"), **options, rng=3)
    assert str(ours.value) == str(theirs)
    for rng in (3, np.random.default_rng(3)):
        u, s, _ = sparse.linalg.svds(placed(ANY, "npy"), 3, rng=rng)
        assert u.device.type == "npy"
        numpy.testing.assert_allclose(on_host(s), scipy.sparse.linalg.svds(ANY, 3)[1], rtol=1e-12)


def test_a_large_inverse_is_scipys(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(eigen, "LARGEST", 10)
    options = {"k": 3, "sigma": 0, "v0": np.asarray(START, device="npy")}
    with pytest.raises(TypeError, match="allow_implicit_host_copy"):
        sparse.linalg.eigsh(sparse.csr_array(CHAIN), **options)
    with np.allow_implicit_host_copy():
        w, x = sparse.linalg.eigsh(sparse.csr_array(CHAIN), **options)
    w, x = on_host(w), on_host(x)
    numpy.testing.assert_allclose(CHAIN @ x, x * w, atol=1e-12)


@pytest.mark.parametrize("solver", ["arpack", "lobpcg"])
def test_singular_values(solver: str, there: str):
    for a in (ANY[:, :20], scipy.sparse.csr_array(ANY[:12]), COMPLEX[:, :20]):
        if solver == "lobpcg":
            start, options = None, {"solver": solver, "tol": 1e-4, "maxiter": 60}
            if scipy.sparse.issparse(a):
                continue
        else:
            start, options = START[: min(a.shape)], {}
        given = {"v0": placed(start, there), **options}
        theirs = scipy.sparse.linalg.svds(a, 3, v0=start, **options)
        u, s, vh = (on_host(x) for x in LINALG["svds"](placed(a, there), 3, **given))
        numpy.testing.assert_allclose(s, theirs[1], rtol=1e-6 if options else 1e-12)
        numpy.testing.assert_allclose(u * s, matrix_of(a) @ vh.T.conj(), atol=1e-10)
        for wanted in (False, "u", "vh"):
            options["return_singular_vectors"] = wanted
            found = LINALG["svds"](placed(a, there), 3, v0=given["v0"], **options)
            expected = scipy.sparse.linalg.svds(a, 3, v0=start, **options)
            if wanted:
                assert [x is None for x in found] == [x is None for x in expected]
            else:
                numpy.testing.assert_allclose(on_host(found), s, rtol=1e-6)
    with np.allow_implicit_host_copy():
        found = sparse.linalg.svds(placed(ANY, there), 2, solver="propack")
    assert found[0].device.type == there


# --- derivatives ---

SMALL = torch.tensor(ANY[:6, :6], requires_grad=True)
FIRST = np.asarray(START[:6])


@pytest.mark.parametrize(
    "options",
    [{}, {"return_eigenvectors": False, "which": "SA"}, {"M": 1}, {"M": 1, "sigma": 0.3},
     {"M": 1, "sigma": 0.5, "mode": "buckling"}, {"sigma": 0.3, "mode": "cayley"}],
)  # fmt: skip
def test_gradients(options: dict[str, Any]):
    m = torch.tensor(ANY[6:12, :6] / 10, requires_grad=True)

    def find(t: torch.Tensor, m: torch.Tensor) -> Any:
        given = dict(options)
        if "M" in given:
            given["M"] = np.asarray(m + m.mT + 3 * torch.eye(6, dtype=m.dtype))
        a = t @ t.mT + torch.eye(6) if "mode" in given else t + t.mT
        found = sparse.linalg.eigsh(np.asarray(a), k=2, v0=FIRST, **given)
        if not isinstance(found, tuple):
            return found.tensor
        return found[0].tensor, found[1].tensor ** 2  # of any sign

    assert torch.autograd.gradcheck(find, (SMALL, m), fast_mode=True)
    assert torch.autograd.gradgradcheck(find, (SMALL, m), fast_mode=True)


def test_gradients_of_complex_matrices():
    a = torch.tensor(COMPLEX[:6, :6], requires_grad=True)

    def find(t: torch.Tensor) -> Any:
        w, x = sparse.linalg.eigsh(np.asarray(t + t.mH), k=2, v0=FIRST)
        return w.tensor, x.tensor @ x.tensor.mH  # of any phase

    assert torch.autograd.gradcheck(find, (a,), fast_mode=True)
    assert torch.autograd.gradgradcheck(find, (a,), fast_mode=True)


def test_derivatives_in_transforms():
    def largest(a: Any) -> Any:
        return sparse.linalg.eigsh(a + a.T, k=2, v0=FIRST)[0]

    a = np.asarray(ANY[:6, :6])
    w, x = numpy.linalg.eigh(ANY[:6, :6] + ANY[:6, :6].T)
    places = numpy.sort(abs(w).argsort()[-2:])
    expected = 2 * numpy.einsum("ik,jk->kij", x[:, places], x[:, places])
    numpy.testing.assert_allclose(np.jacobian(largest)(a), expected, rtol=1e-10)
    numpy.testing.assert_allclose(
        np.grad(lambda a: largest(a).sum())(a), expected.sum(0), rtol=1e-10
    )
    of_tensors = lambda t: largest(np.asarray(t)).tensor  # noqa: E731
    forward = torch.func.jacfwd(of_tensors)(SMALL.detach())
    numpy.testing.assert_allclose(forward, expected, rtol=1e-9)
    squared = lambda t: (of_tensors(t) ** 2).sum()  # noqa: E731
    torch.testing.assert_close(
        torch.func.hessian(squared)(SMALL.detach()),
        torch.autograd.functional.hessian(squared, SMALL.detach()),
    )
    many = np.vmap(largest)(np.stack([a, 2 * a]))
    numpy.testing.assert_allclose(many[1], 2 * many[0], rtol=1e-12)


def test_gradients_that_nothing_computes_are_refused():
    a = np.asarray(SMALL)
    for function in (sparse.linalg.eigs, sparse.linalg.svds):
        with pytest.raises(TypeError, match="an array has a gradient"):
            function(a, k=2)
    plain = sparse.linalg.LinearOperator((6, 6), matvec=lambda v: 2 * v, dtype=float)
    with pytest.raises(TypeError, match="an array has a gradient"):
        sparse.linalg.eigsh(a, k=2, M=plain, Minv=plain)
