"""The generalized ufuncs: matmul, vecdot, matvec, vecmat."""

from __future__ import annotations

from typing import Any

import numpy
import pytest
from hypothesis import given
from hypothesis import strategies as st

import numpy_shim
from tests.differential import Spec
from tests.numpy_shim.differential import ROUNDING, compare
from tests.numpy_shim.ufunc.ufunc_inputs import ALL

EXPRESSIONS = """
np.matmul(A(2, 3), A(3, 4))
np.matmul(A(3), A(3))
np.matmul(A(2, 3), A(3))
np.matmul(A(3), A(3, 2))
np.matmul(A(5, 2, 3), A(3, 2))
np.matmul(A(2, 3), A(2, 3))
np.matmul(A(5, 2, 3), A(4, 3, 2))
np.matmul(A(), A(2, 3))
np.matmul(2.0, A(2, 3))
np.matmul(A(0, 3), A(3, 0))
np.matmul(A(2, 0), A(0, 3))
np.matmul([[1, 2]], [[3], [4]])
np.matmul(A(2, 3), A(3, 4), np.zeros((2, 4)))
np.matmul(A(2, 3), A(3, 4), out=np.zeros((2, 4), int))
np.matmul(A(2, 3), A(3, 4), out=np.zeros((2, 5)))
np.matmul(A(2, 3), A(3, 4), dtype="f4")
np.matmul(A(2, 3), A(3, 4), casting="no")
np.matmul(A(2, 3), A(3, 4), order="F")
np.matmul(A(2, 3), A(4, 3), axes=[(0, 1), (1, 0), (0, 1)])
np.matmul(A(3, 2, 5), A(5, 4, 3), axes=[(0, 1), (1, 2), (-1, -2)])
np.matmul(A(3, 2), A(3), axes=[(1, 0), 0, 0])
np.matmul(A(3, 2), A(3), axes=[(1, 0), (0,), (0,)])
np.matmul(A(3), A(3), axes=[0, 0])
np.matmul(A(3), A(3), axes=[0, 0, ()])
np.matmul(A(2, 3), A(3, 4), axes=[(0, 1)])
np.matmul(A(2, 3), A(3, 4), axes=(0, 1))
np.matmul(A(2, 3), A(3, 4), axes=[0, 1, 2])
np.matmul(A(2, 3), A(3, 4), axes=[(0, 5), (0, 1), (0, 1)])
np.matmul(A(2, 3), A(3, 4), axis=0)
np.matmul(A(2, 3), A(3, 4), keepdims=True)
np.matmul(A(2, 3), A(3, 4), where=True)
np.matmul(A(2, 3), A(3, 4), foo=1)
np.vecdot(A(2, 3), A(2, 3))
np.vecdot(A(2, 3), A(3))
np.vecdot(A(2, 3), A(2, 3), axis=0)
np.vecdot(A(2, 3), A(2, 3), axis=2)
np.vecdot(A(2, 3), A(2, 3), axis=0, keepdims=True)
np.vecdot(A(2, 3), A(2, 3), keepdims=True)
np.vecdot(A(2, 3), A(3, 2), axes=[0, 1])
np.vecdot(A(2, 3), A(3, 2), axes=[0, 1, ()])
np.vecdot(A(2, 3), A(3, 2), axes=[0, 1, 0], keepdims=True)
np.vecdot(A(2, 3), A(2, 3), axes=[0, 0], axis=0)
np.vecdot(A(2, 3), A(2, 1))
np.vecdot(A(), A(3))
np.vecdot(A(3) * 1j, A(3) * (1 + 2j))
np.matvec(A(2, 3), A(3))
np.matvec(A(4, 2, 3), A(4, 3))
np.matvec(A(2, 3), A(2))
np.matvec(A(3), A(3))
np.matvec(A(2, 3), A(4, 3), axes=[(0, 1), 1, 0])
np.vecmat(A(2) * 1j, A(2, 3) * (1 - 1j))
np.vecmat(A(5, 2), A(2, 3))
""".strip().splitlines()


@pytest.mark.parametrize("expression", EXPRESSIONS)
def test_call(expression: str):
    """A call of each kind, right or wrong, gives what NumPy gives, or raises as it does."""

    def body(np: Any) -> Any:
        def a(*shape: int) -> Any:
            return np.arange(1.0, numpy.prod(shape, dtype=int) + 1).reshape(shape)

        return eval(expression, {"np": np, "A": a})

    compare(body, rtol=ROUNDING)


SHAPES = {
    "matmul": ((2, 1, 3, 2), (4, 2, 3)), "vecdot": ((4, 1, 3), (2, 3)),
    "matvec": ((4, 2, 3), (3,)), "vecmat": ((3,), (4, 3, 2)),
}  # fmt: skip


@pytest.mark.parametrize("name", SHAPES)
@given(dtypes=st.tuples(st.sampled_from(ALL), st.sampled_from(ALL)), seed=st.integers(0, 99))
def test_dtypes(name: str, dtypes: tuple[str, str], seed: int):
    """Products of every pair of dtypes: integers wrap, booleans are logical, 1j conjugates."""
    rng = numpy.random.default_rng(seed)
    specs = [
        Spec((rng.integers(0, 9, shape) - 3 * (rng.random(shape) < 0.3)).astype(dtype))
        for shape, dtype in zip(SHAPES[name], dtypes, strict=True)
    ]
    if dtypes[0].startswith("complex"):
        specs[0].values[...] *= 1 + 2j
    atol = 0.0
    if "uint64" in dtypes and numpy.result_type(*dtypes).kind in "fc":
        # What stands for a negative number is beyond the integers of float64: to a few
        # roundings of the products' sizes, in whatever order they are added.
        sizes = [numpy.abs(s.values.astype("complex128")) for s in specs]
        atol = 8 * 2**-52 * float(getattr(numpy, name)(*sizes).max())
    compare(lambda np, a, b: getattr(np, name)(a, b), *specs, atol=atol, signed_zeros=False)


def test_products_of_vectors_beside_any_numpy():
    """NumPy 2.1 has neither; they are products of matrices."""
    a = numpy_shim.arange(12).reshape(2, 2, 3) + 1j
    v, w = numpy_shim.array([1, 2j, 3]), numpy_shim.array([[1, 2j]])
    expected = numpy_shim.matmul(a, v[:, None])[..., 0]
    numpy_shim.testing.assert_array_equal(numpy_shim.matvec(a, v), expected)
    expected = numpy_shim.matmul(w.conj()[:, None], a)[..., 0, :]
    numpy_shim.testing.assert_array_equal(numpy_shim.vecmat(w, a), expected)
    assert numpy_shim.matvec.signature == "(m,n),(n)->(m)"
    assert (
        numpy_shim.vecmat.resolve_dtypes((numpy.dtype("i1"), numpy.dtype("f4"), None))
        == (numpy.dtype("f4"),) * 3
    )
    with pytest.raises(ValueError, match="mismatch in its core dimension"):
        numpy_shim.matvec(a, w)


def test_result_is_the_output():
    """The output is returned, written in its own layout."""
    a, out = numpy_shim.ones((2, 3)), numpy_shim.zeros((2, 2)).T
    assert numpy_shim.matmul(a, a.T, out=out) is out
    assert numpy_shim.matmul(a, a.T, out=(out,)) is out
    assert out.tolist() == [[3, 3], [3, 3]]
