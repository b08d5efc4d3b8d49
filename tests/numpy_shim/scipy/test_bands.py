"""Systems of bands in blocks of rows, beside SciPy's."""

from __future__ import annotations

import numpy
import pytest
import scipy.linalg
import scipy.sparse

import numpy_shim as np
from numpy_shim.scipy._linalg import FUNCTIONS


def half_band(rows: int, below: int, dtype: str) -> numpy.ndarray:
    """The diagonals of a positive definite matrix from the main one downwards."""
    rng = numpy.random.default_rng(rows)
    half = rng.standard_normal((below + 1, rows)) + 1j * rng.standard_normal((below + 1, rows))
    half = half.astype(dtype) if dtype in "FD" else half.real.astype(dtype)
    half[0] = numpy.abs(half[0]) + 8 * below + 1
    return half


def upper_of(half: numpy.ndarray) -> numpy.ndarray:
    """The same matrix by its diagonals up to the main one."""
    upper = numpy.full_like(half, 7)  # what is beyond the matrix is not read
    for i, diagonal in enumerate(half):
        upper[-1 - i, i:] = diagonal[: half.shape[1] - i].conj()
    return upper


@pytest.mark.parametrize("dtype", "fdFD")
@pytest.mark.parametrize("rows", [65, 128, 777, 3001])
def test_bands_of_many_rows_are_solved_in_blocks(rows, dtype):
    tolerance = 200 * float(numpy.finfo(dtype).eps)
    rng = numpy.random.default_rng(rows)
    for below, above in ((1, 1), (0, 0), (2, 0), (0, 3), (1, 2), (9, 6)):
        band = rng.uniform(-1, 1, (below + above + 1, rows)).astype(dtype)
        band[above] += 2 + below + above
        b = rng.standard_normal((rows, 2)).astype(dtype)
        for right in (b, b[:, 0]):
            found = FUNCTIONS["solve_banded"]((below, above), np.asarray(band), np.asarray(right))
            expected = scipy.linalg.solve_banded((below, above), band, right)
            assert found.dtype == expected.dtype
            numpy.testing.assert_allclose(numpy.asarray(found), expected, 0, tolerance)
    for below in (0, 1, 2, 9):
        half = half_band(rows, below, dtype)
        for ab, lower in ((half, True), (upper_of(half), False)):
            x = np.asarray(ab)
            c = FUNCTIONS["cholesky_banded"](x, lower=lower)
            expected = scipy.linalg.cholesky_banded(ab, lower=lower)
            numpy.testing.assert_allclose(numpy.asarray(c), expected, tolerance, tolerance)
            right = rng.standard_normal(rows).astype(dtype)
            for found, theirs in (
                (FUNCTIONS["cho_solve_banded"]((c, lower), np.asarray(right)),
                 scipy.linalg.cho_solve_banded((expected, lower), right)),
                (FUNCTIONS["solveh_banded"](x, np.asarray(right), lower=lower),
                 scipy.linalg.solveh_banded(ab, right, lower=lower)),
            ):  # fmt: skip
                assert found.dtype == theirs.dtype
                numpy.testing.assert_allclose(numpy.asarray(found), theirs, 0, tolerance)


def test_blocks_of_bands_exchange_rows_and_name_what_is_singular():
    rng = numpy.random.default_rng(0)
    band = rng.standard_normal((4, 1000))
    band[1] = 0  # without an exchange of rows each step divides by zero
    x, b = np.asarray(band), rng.standard_normal(1000)
    found = FUNCTIONS["solve_banded"]((2, 1), x, np.asarray(b))
    rest = scipy.sparse.diags_array([band[0, 1:], band[2, :-1], band[3, :-2]], offsets=[1, -1, -2])
    left = rest @ numpy.asarray(found) - b
    assert numpy.abs(left).max() < 1e-12 * numpy.abs(numpy.asarray(found)).max()
    with pytest.raises(numpy.linalg.LinAlgError, match="singular matrix"):
        FUNCTIONS["solve_banded"]((2, 1), 0 * x, np.asarray(b))
    half = half_band(300, 2, "d")
    half[0, 150] = -1
    for name, *args in (("cholesky_banded", half), ("solveh_banded", half, b[:300])):
        with pytest.raises(numpy.linalg.LinAlgError) as theirs:
            getattr(scipy.linalg, name)(*args, lower=True)
        with pytest.raises(numpy.linalg.LinAlgError) as ours:
            FUNCTIONS[name](*[np.asarray(a) for a in args], lower=True)
        assert str(ours.value) == str(theirs.value)


def test_a_band_near_singular_has_the_factor_that_reproduces_it():
    half = numpy.tile([[6.0], [-4.0], [1.0]], 1500)  # fourth differences
    c = numpy.asarray(FUNCTIONS["cholesky_banded"](np.asarray(half), lower=True))
    diagonal = c[0] ** 2
    diagonal[1:] += c[1, :-1] ** 2
    diagonal[2:] += c[2, :-2] ** 2
    numpy.testing.assert_allclose(diagonal, half[0], 1e-14)
