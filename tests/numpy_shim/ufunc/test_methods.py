"""The methods of ufuncs: reduce, accumulate, reduceat, outer, at."""

from __future__ import annotations

from typing import Any

import numpy
import pytest
from hypothesis import given
from hypothesis import strategies as st

import numpy_shim
from tests.differential import Spec
from tests.numpy_shim.differential import ROUNDING, compare, roundings
from tests.numpy_shim.ufunc.test_ufuncs import BINARY
from tests.numpy_shim.ufunc.ufunc_inputs import REAL, operands
from tests.strategies import shapes

EXPRESSIONS = """
np.add.reduce([1, 2], axis=1)
np.add.reduce([[1, 2], [3, 4]], axis=(0, 1), keepdims=True)
np.add.reduce([[1, 2], [3, 4]], axis=-1)
np.add.reduce([[1, 2], [3, 4]], axis=())
np.add.reduce([[1, 2], [3, 4]], axis=(0, 0))
np.add.reduce([[1, 2], [3, 4]], axis=0.5)
np.add.reduce([1, 2], foo=1)
np.add.reduce([1, 2], 0, None, None, True)
np.add.reduce([1, 2], axis=None, keepdims=True)
np.add.reduce(np.array([True, True]))
np.add.reduce(np.array([100, 100], np.int8))
np.add.reduce(np.array([100, 100], np.uint8))
np.add.reduce(np.array([100, 100], np.int8), dtype=np.int8)
np.add.reduce(np.array([100, 100], np.int8), out=np.zeros((), np.int8))
np.add.reduce([1.5, 2.5], out=np.zeros((), int))
np.add.reduce([[1.5, 2.5]], out=np.zeros(3))
np.add.reduce([[1.5, 2.5]], out=(np.zeros(2),))
np.add.reduce([[1.5, 2.5]], out=(np.zeros(2), None))
np.add.reduce([[1.5, 2.5]], out=3)
np.add.reduce([1.0, 2], dtype=int)
np.add.reduce([1, 2], dtype=complex)
np.add.reduce([])
np.add.reduce([], initial=None)
np.add.reduce([1, 2], initial=2.7)
np.add.reduce([1, 2], initial=None)
np.add.reduce([1, 2], where=[True, False])
np.add.reduce([1, 2], where=[True, False], initial=5)
np.add.reduce([1, 2], initial=None, where=[True, False])
np.add.reduce(5)
np.add.reduce(5, axis=0)
np.add.reduce(5, axis=-1)
np.add.reduce(5, axis=1)
np.add.reduce(5, axis=None)
np.add.reduce(np.ones((0, 3)))
np.add.reduce(np.ones((3, 0)))
np.maximum.reduce([])
np.maximum.reduce([[]], axis=1)
np.maximum.reduce(np.ones((3, 0)), axis=0)
np.maximum.reduce(np.ones((3, 0)), axis=1)
np.maximum.reduce(np.ones((3, 0)), axis=1, initial=2.0)
np.maximum.reduce([1, 2], where=[True, False])
np.maximum.reduce([1, np.nan, 3])
np.fmax.reduce([1, np.nan, 3])
np.maximum.reduce([1j, 2, 1 + 1j])
np.maximum.reduce([True, False])
np.minimum.reduce([3, 1, 2], initial=0)
np.minimum.reduce([3, 1, 2], initial=2, where=[True, False, True])
np.minimum.reduce([], initial=3.0)
np.subtract.reduce([])
np.subtract.reduce(5.0)
np.subtract.reduce([[1, 2], [3, 4]], axis=None)
np.subtract.reduce([[1, 2], [3, 4]], axis=(0,))
np.subtract.reduce([[1, 2], [3, 4]], axis=())
np.subtract.reduce([[1, 2], [3, 4]], axis=1, initial=10)
np.subtract.reduce([True, False])
np.divide.reduce([8, 2, 2])
np.power.reduce([2, 3, 2])
np.hypot.reduce([])
np.hypot.reduce([3.0, 4])
np.logaddexp.reduce([])
np.logical_or.reduce([0, 1], dtype=int)
np.logical_and.reduce([1.5, 0], out=np.zeros((), int))
np.logical_xor.reduce([1, 1, 1])
np.bitwise_and.reduce(np.array([], np.uint16))
np.bitwise_and.reduce(np.array([], bool))
np.bitwise_and.reduce([[7, 3], [6, 2]], axis=(0, 1))
np.bitwise_and.reduce([1.5])
np.gcd.reduce([12, 18, 27])
np.lcm.reduce([2, 3, 4])
np.lcm.reduce([[2, 3], [4, 5]], axis=(0, 1))
np.greater.reduce([True, False])
np.equal.reduce([1, 2])
np.divmod.reduce([1, 2])
np.sin.reduce([1, 2])
np.matmul.reduce([[1, 2]])
np.add.accumulate([[1, 2], [3, 4]], axis=1)
np.add.accumulate([1, 2], dtype=np.int8)
np.add.accumulate([1, 2], out=np.zeros(2))
np.add.accumulate([1, 2], out=np.zeros(3))
np.add.accumulate(1)
np.add.accumulate([[1, 2]], axis=None)
np.add.accumulate([[1, 2]], axis=(0, 1))
np.add.accumulate([[1, 2]], axis=(1,))
np.add.accumulate([[1, 2]], axis=2)
np.add.accumulate(np.ones((0, 2)))
np.power.accumulate([2, 3, 2])
np.subtract.accumulate([5, 1, 2])
np.logical_xor.accumulate([1, 1, 1])
np.logical_and.accumulate([1, 1, 0, 1])
np.bitwise_or.accumulate([1, 2, 4])
np.maximum.accumulate([1, np.nan, 3])
np.maximum.accumulate(np.array([1, 5, 3], np.uint32))
np.maximum.accumulate([False, True, False])
np.maximum.accumulate([1j, 2, 1 + 1j])
np.less.accumulate([True, False])
np.sin.accumulate([1])
np.matmul.accumulate([[1]])
np.ldexp.reduce([1, 2])
np.ldexp.reduce([1, 2], initial=1.5)
np.ldexp.reduce([[1, 2], [3, 4]], initial=1.5, axis=1)
np.ldexp.reduce([1, 2], initial=1.5, where=[False, True])
np.ldexp.reduce([1, 2], initial=1.5, dtype="f4", keepdims=True)
np.ldexp.reduce([1, 2], where=[True, False])
np.ldexp.reduce(np.array([], int), initial=1.5)
np.ldexp.accumulate([1, 2])
np.ldexp.reduceat([1, 2, 3], [0, 2])
np.subtract.reduce(np.array([1, 2, 3], "f2"), initial=2049, where=[True, False, True])
np.power.reduce([2, 3], initial=2, where=[False, True])
np.add.reduceat(np.arange(8), [0, 4, 1, 5])
np.add.reduceat(np.arange(8), [0, 4, 1, 5], dtype=float)
np.add.reduceat(np.arange(8), [0, 8])
np.add.reduceat(np.arange(8), [-1])
np.add.reduceat(np.arange(8), [])
np.add.reduceat(np.arange(8), 2)
np.add.reduceat(5, [0])
np.add.reduceat(np.arange(8), [0, 4], out=np.zeros(2))
np.multiply.reduceat(np.arange(8.0).reshape(2, 4), [0, 2], axis=1)
np.subtract.reduceat(np.arange(8), [0, 4, 4, 1])
np.add.outer(2, 3)
np.add.outer([1, 2], 3.5)
np.add.outer(np.ones(2, np.float32), 3.0)
np.add.outer([[1]], [[2, 3]])
np.add.outer([1, 2], [3, 4], dtype=float)
np.add.outer([1, 2], [3, 4], out=np.zeros((2, 2)))
np.divmod.outer([7, 8], [2, 3])
np.sin.outer([1], [2])
np.matmul.outer([[1]], [[2]])
""".strip().splitlines()


@pytest.mark.parametrize("expression", EXPRESSIONS)
def test_method(expression: str):
    """A call of each kind, right or wrong, gives what NumPy gives, or raises as it does."""
    compare(lambda np: eval(expression, {"np": np}), rtol=ROUNDING)


# NumPy's own reductions of these read an element twice or not at all on some processors.
UNRELIABLE = {"arctan2", "nextafter"}
EXACT_FOLDS = [
    "bitwise_and", "bitwise_or", "bitwise_xor", "equal", "fmax", "fmin", "gcd", "greater", "lcm",
    "logical_and", "logical_or", "logical_xor", "maximum", "minimum", "not_equal", "less",
    "subtract", "heaviside", "copysign", "left_shift", "right_shift", "fmod",
]  # fmt: skip


def _roundings(x: Spec, axis: int) -> float:
    """What NumPy may lose by rounding a 16-bit difference at each step.

    It keeps differences in float32 along the rows of memory, and rounds each across them.
    """
    values = x.numpy().astype(float)
    sizes = numpy.abs(values[numpy.isfinite(values)]).sum()
    return float(2**-11 * x.values.shape[axis] * sizes)


@pytest.mark.parametrize("name", EXACT_FOLDS)
@given(x=operands(REAL, shapes(min_dims=1)), data=st.data())
def test_fold(name: str, x: Any, data: Any):
    """reduce and accumulate along random axes, where a fold has no roundings to order."""
    axis = data.draw(st.integers(-x.values.ndim, x.values.ndim - 1))
    keepdims = data.draw(st.booleans())
    rounded = name == "subtract" and x.values.dtype == "float16"
    compare(
        lambda np, a: getattr(np, name).reduce(a, axis=axis, keepdims=keepdims), x,
        atol=_roundings(x, axis) if rounded else 0.0, signed_zeros=False,
    )  # fmt: skip
    compare(lambda np, a: getattr(np, name).accumulate(a, axis), x, signed_zeros=False)


@pytest.mark.parametrize("name", ["subtract", "divide"])
def test_folds_of_16_bit_rows(name: str):
    """Rounded once, at the end of a row, as NumPy's; ``accumulate`` rounds what it shows."""
    rows = Spec((1 + numpy.random.default_rng(3).random((20, 50))).astype("e"))
    rows.values[0, :3] = [1e-5, 1, -1]
    compare(lambda np, a: getattr(np, name).reduce(a, axis=1), rows)
    compare(lambda np, a: getattr(np, name).reduce(a, axis=1, initial=3), rows)
    compare(lambda np, a: getattr(np, name).reduceat(a, [0, 30], axis=1), rows)
    compare(lambda np, a: getattr(np, name).accumulate(a, axis=1), rows)


@pytest.mark.parametrize("name", ["add", "multiply"])
@given(x=operands(REAL, shapes(min_dims=1), finite=True), data=st.data())
def test_sum_and_product(name: str, x: Any, data: Any):
    """Sums and products over random axes; floats to a rounding of the sum of magnitudes."""
    axis = data.draw(
        st.one_of(
            st.none(),
            st.lists(st.integers(0, x.values.ndim - 1), unique=True).map(tuple),
        )
    )
    mask = Spec(data.draw(operands(["bool"], x.values.shape)).values)
    if name == "multiply" and x.values.dtype.kind == "f" and x.values.size:
        # Where some factors overflow, others bring the product back or do not, by their order.
        largest = 0.99 * float(numpy.finfo(x.values.dtype).max) ** (1 / x.values.size)
        x.values[...] = x.values.clip(-largest, largest)
    compare(
        lambda np, a, m: getattr(np, name).reduce(a, axis=axis, where=m), x, mask,
        rtol={n: x.values.size * e for n, e in ROUNDING.items()} if name == "multiply" else 0.0,
        atol=roundings(x) if name == "add" else 0.0, signed_zeros=False,
    )  # fmt: skip


@pytest.mark.parametrize("name", BINARY)
def test_every_reduction_has_numpys_dtype(name: str):
    """The dtype of reduce and accumulate for each dtype, or NumPy's error."""
    for dtype in "?bhilBHILefdFD":
        ones = Spec(numpy.ones(2, dtype))
        for method in ("reduce", "accumulate"):
            if name in UNRELIABLE:
                continue
            compare(lambda np, a, m=method: getattr(getattr(np, name), m)(a).dtype, ones)


AT = """
np.add.at(a, [0, 0], 0.5)
np.add.at(a, ([0, 1, 0],), [1, 2, 3])
np.add.at(a, slice(None), 1)
np.add.at(a, 0, 1)
np.add.at(a, [True] * 5, 1)
np.add.at(a, [7], 1)
np.add.at(a, [0, 1], [1, 2, 3])
np.add.at(a, [0])
np.add.at(a, [-1, 4], 2)
np.add.at([1, 2], [0], 1)
np.negative.at(a, [0, 0, 1])
np.sin.at(a, [0, 0, 1])
np.sin.at(a, [0], 2)
np.subtract.at(a, [0, 0, 1], [1, 2, 3])
np.multiply.at(a, [0, 0, 1], 3)
np.maximum.at(a, [0, 0, 1], [5, 7, 1])
np.minimum.at(a, [0, 0, 1], [-5, -7, 1])
np.power.at(a, [2, 2], 2)
np.divmod.at(a, [0], 1)
np.frexp.at(a, [0])
np.less.at(a, [0], 1)
np.bitwise_and.at(a, [0], 1)
np.matmul.at(a, [0], 1)
""".strip().splitlines()


@pytest.mark.parametrize("dtype", ["f8", "f4", "i8", "u2", "f2", "c16"])
@pytest.mark.parametrize("expression", AT)
def test_at(expression: str, dtype: str):
    """Elements indexed twice are changed twice."""

    def body(np: Any, a: Any) -> Any:
        eval(expression, {"np": np, "a": a})
        return a

    if ("-5" in expression and dtype == "u2") or ("0.5" in expression and dtype in ("i8", "u2")):
        pytest.skip("the processor decides how a value out of the dtype's range is converted")
    compare(body, Spec(numpy.arange(5).astype(dtype)), rtol={"float16": 2e-3, "float32": 1e-6})


@given(data=st.data())
def test_at_random_indices(data: Any):
    """Sums, extrema and products at random indices of a 2-D array, through a view."""
    name = data.draw(st.sampled_from(["add", "subtract", "maximum", "multiply", "bitwise_xor"]))
    rows = data.draw(st.lists(st.integers(-3, 2), max_size=6))
    values = data.draw(st.lists(st.integers(-4, 4), min_size=len(rows), max_size=len(rows)))

    def body(np: Any, a: Any) -> Any:
        index = (np.array(rows, dtype=int), slice(None, None, 2))
        getattr(np, name).at(a.T, index, np.array(values, dtype=int)[:, None])
        return a

    compare(body, Spec(numpy.arange(12).reshape(4, 3)))


def test_views_are_changed_in_place():
    """``at`` writes through a view to its base."""
    a = numpy_shim.zeros((2, 3))
    numpy_shim.add.at(a[:, ::2], (0, [0, 0, 1]), 1.0)
    assert a.tolist() == [[2, 0, 1], [0, 0, 0]]


@pytest.mark.parametrize("size", [1000, 1024, 1031])
@pytest.mark.parametrize("dtype", ["int8", "uint16", "int64", "uint64"])
def test_sums_of_slices_of_integers(dtype: str, size: int):
    """Sums of long slices wrap around as NumPy's do, in any order of the starts."""
    rng = numpy.random.default_rng(size)
    limits = numpy.iinfo(dtype)
    values = rng.integers(limits.min, limits.max, size, dtype=dtype, endpoint=True)
    starts = rng.integers(0, size, 20)
    for indices in (starts, numpy.sort(starts), numpy.array([0, size - 1, 0, size - 1])):
        for computed in (None, dtype):
            expected = numpy.add.reduceat(values, indices, dtype=computed)
            result = numpy_shim.add.reduceat(numpy_shim.array(values), indices, dtype=computed)
            assert result.dtype == expected.dtype
            assert result.tolist() == expected.tolist()
