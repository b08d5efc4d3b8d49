"""Decompositions beside array-api-strict, by what does not depend on the choice of vectors.

Eigenvectors, singular vectors and ``Q`` are not unique, so the bodies give what is: the values,
the products that make up the matrix again, and how far the vectors are from orthonormal.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
import torch
from hypothesis import assume, given
from hypothesis import strategies as st

import xp_torch
from tests.differential import Spec, compare, outcome
from tests.matrices import exact, hermitian, matrices, tolerances
from tests.strategies import arrays, shapes
from xp_torch._core.dtypes import ALL, FLOATING
from xp_torch._core.errors import LinAlgError

FUNCTIONS = ("cholesky", "eig", "eigh", "eigvals", "eigvalsh", "qr", "svd", "svdvals")
FIELDS = {
    "eig": ("eigenvalues", "eigenvectors"),
    "eigh": ("eigenvalues", "eigenvectors"),
    "qr": ("Q", "R"),
    "svd": ("U", "S", "Vh"),
}


def adjoint(xp: Any, x: Any) -> Any:
    x = xp.matrix_transpose(x)
    return xp.conj(x) if xp.isdtype(x.dtype, "complex floating") else x


def refused(x: Any) -> type[Exception]:
    """Why an argument is refused: by dtype first, by shape after that."""
    return TypeError if x.values.dtype.kind not in "fc" else ValueError


@pytest.mark.parametrize("name", FUNCTIONS)
@given(a=exact(ALL, shapes()))
def test_refusals(name, a):
    """Every dtype but the floating-point ones, and every shape that is no matrix."""
    square = name not in ("qr", "svd", "svdvals")
    v = a.values
    matrix = v.ndim >= 2 and (not square or v.shape[-1] == v.shape[-2])
    assume(v.dtype.kind not in "fc" or not matrix)
    compare(lambda xp, a: getattr(xp.linalg, name)(a), a)
    with pytest.raises(refused(a), match=f"^{name}: "):
        getattr(xp_torch.linalg, name)(xp_torch.asarray(a.tensor()))


@pytest.mark.parametrize("name", FUNCTIONS)
@given(a=matrices(square=True))
def test_shapes_and_dtypes(name, a):
    """Of stacks, of empty matrices, and of each part of a result."""

    def body(xp, a):
        identity = xp.eye(a.shape[-1], dtype=a.dtype)
        result = getattr(xp.linalg, name)(a * 0 + 4 * identity)
        parts = result if isinstance(result, tuple) else (result,)
        return [xp.zeros(p.shape, dtype=p.dtype) for p in parts]

    compare(body, a)


@pytest.mark.parametrize("name", FIELDS)
def test_named_tuples(name):
    result = getattr(xp_torch.linalg, name)(xp_torch.eye(2))
    assert result._fields == FIELDS[name]
    assert result[0] is getattr(result, FIELDS[name][0])


@given(hermitian(definite=True), st.booleans())
def test_cholesky(a, upper):
    compare(lambda xp, a: xp.linalg.cholesky(a, upper=upper), a, **tolerances(a, scale=64))


@given(matrices(square=True, sides=st.integers(1, 4)), st.booleans())
def test_cholesky_reads_the_lower_triangle(a, upper):
    def body(xp, a):
        definite = xp.tril(a, k=-1) + 64 * xp.eye(a.shape[-1], dtype=a.dtype)
        garbage = xp.triu(a, k=1)
        return xp.linalg.cholesky(definite + garbage, upper=upper)

    compare(body, a, **tolerances(a, scale=64))


@pytest.mark.parametrize("values", [[[0.0]], [[1.0, 2.0], [2.0, 1.0]], [[-1.0]]])
def test_cholesky_of_an_indefinite_matrix(values):
    compare(lambda xp, a: xp.linalg.cholesky(a), Spec(np.array(values)))
    with pytest.raises(LinAlgError, match=r"^cholesky: "):
        xp_torch.linalg.cholesky(xp_torch.asarray(torch.tensor(values)))


@given(hermitian())
def test_eigh(a):
    """Ascending eigenvalues, and vectors that are orthonormal and make up the matrix."""

    def body(xp, a):
        w, v = xp.linalg.eigh(a)
        again = xp.matmul(v * xp.astype(w, v.dtype)[..., None, :], adjoint(xp, v))
        return w, again, xp.matmul(adjoint(xp, v), v)

    compare(body, a, **tolerances(a, scale=30))


@given(hermitian())
def test_eigvalsh(a):
    compare(lambda xp, a: xp.linalg.eigvalsh(a), a, **tolerances(a, scale=30))


@given(matrices(square=True))
def test_eigh_reads_the_lower_triangle(a):
    compare(lambda xp, a: xp.linalg.eigvalsh(a), a, **tolerances(a, scale=30))
    compare(lambda xp, a: xp.linalg.eigh(a).eigenvalues, a, **tolerances(a, scale=30))


def powers(xp: Any, w: Any) -> Any:
    """Sums of powers of eigenvalues: they do not depend on the order, nor much on rounding."""
    return xp.sum(w, axis=-1), xp.sum(w * w, axis=-1), xp.sum(w * w * w, axis=-1)


@given(matrices(square=True))
def test_eigvals(a):
    compare(lambda xp, a: powers(xp, xp.linalg.eigvals(a)), a, **tolerances(a, scale=3e4))


@given(matrices(square=True))
def test_eig(a):
    """Complex values and vectors with ``a v = v w``, the vectors of length one."""

    def body(xp, a):
        w, v = xp.linalg.eig(a)
        residual = xp.matmul(xp.astype(a, v.dtype), v) - v * w[..., None, :]
        return *powers(xp, w), residual, xp.linalg.vector_norm(v, axis=-2)

    compare(body, a, **tolerances(a, scale=3e4))


@pytest.mark.parametrize("name", ["eig", "eigvals"])
@pytest.mark.parametrize("value", [float("nan"), float("inf")])
def test_eig_of_a_value_that_is_not_finite(name, value):
    spec = Spec(np.array([[1.0, value], [0.0, 1.0]]))
    compare(lambda xp, a: getattr(xp.linalg, name)(a), spec)
    with pytest.raises(LinAlgError, match=f"^{name}: "):
        getattr(xp_torch.linalg, name)(xp_torch.asarray(spec.tensor()))


MODES = st.sampled_from(["reduced", "complete"])


@given(matrices(), MODES)
def test_qr(a, mode):
    """Orthonormal columns, an upper triangle, and their product."""

    def body(xp, a):
        q, r = xp.linalg.qr(a, mode=mode)
        shape = xp.zeros(q.shape), xp.zeros(r.shape)
        return *shape, xp.matmul(q, r), xp.matmul(adjoint(xp, q), q), xp.tril(r, k=-1)

    compare(body, a, **tolerances(a, scale=30))


@pytest.mark.parametrize("mode", ["r", "raw", "full", "economic", "", None, 1])
def test_qr_has_two_modes(mode):
    """The standard's two; array-api-strict lets NumPy's others through."""
    with pytest.raises(ValueError, match=r"^qr: mode"):
        xp_torch.linalg.qr(xp_torch.ones((2, 2)), mode=mode)


@given(matrices(), st.booleans())
def test_svd(a, full):
    """Descending values, orthonormal vectors, and their product."""

    def body(xp, a):
        u, s, vh = xp.linalg.svd(a, full_matrices=full)
        shapes = xp.zeros(u.shape), xp.zeros(vh.shape)
        k = s.shape[-1]
        again = xp.matmul(u[..., :k] * xp.astype(s, u.dtype)[..., None, :], vh[..., :k, :])
        u, vh = xp.matmul(adjoint(xp, u), u), xp.matmul(vh, adjoint(xp, vh))
        return *shapes, s, again, u, vh

    compare(body, a, **tolerances(a, scale=30))


@given(matrices())
def test_svdvals(a):
    compare(lambda xp, a: xp.linalg.svdvals(a), a, **tolerances(a, scale=30))


@pytest.mark.parametrize("name", FUNCTIONS)
@given(a=arrays(FLOATING, st.integers(1, 3).map(lambda n: (n, n))))
def test_values_that_are_not_finite(name, a):
    """A result, or a LinAlgError: which of them is left to the library."""
    result = outcome(lambda xp, a: getattr(xp.linalg, name)(a), xp_torch, (a,))
    if isinstance(result, Exception):
        assert isinstance(result, LinAlgError)
        assert str(result).startswith(f"{name}: ")
