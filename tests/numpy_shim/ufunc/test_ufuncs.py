"""Every ufunc against NumPy: values over dtypes, shapes, layouts and special values."""

from __future__ import annotations

import copy
import inspect
import pickle
from itertools import product
from typing import Any

import numpy
import pytest
from hypothesis import assume, given

import numpy_shim
from numpy_shim._base.release import RELEASE
from tests.differential import Spec
from tests.numpy_shim.calls import compare_call, lines
from tests.numpy_shim.differential import ROUNDING, compare, few_roundings, values_of
from tests.numpy_shim.ufunc.ufunc_inputs import COMPLEXES, REAL, operands, pairs

UFUNCS = {
    u.__name__: u
    for u in vars(numpy_shim).values()
    if isinstance(u, numpy_shim.ufunc) and u.signature is None
}
UNARY = sorted(n for n, u in UFUNCS.items() if u.nin == 1 and n != "isnat")
BINARY = sorted(n for n, u in UFUNCS.items() if u.nin == 2)

EXACT = frozenset({
    "absolute", "add", "bitwise_and", "bitwise_count", "bitwise_or", "bitwise_xor", "ceil",
    "conjugate", "copysign", "equal", "fabs", "floor", "fmax", "fmin", "fmod", "frexp", "gcd",
    "greater", "greater_equal", "heaviside", "invert", "isfinite", "isinf", "isnan", "lcm",
    "ldexp", "left_shift", "less", "less_equal", "logical_and", "logical_not", "logical_or",
    "logical_xor", "maximum", "minimum", "modf", "multiply", "negative", "nextafter",
    "not_equal", "positive", "remainder", "right_shift", "rint", "sign", "signbit", "spacing",
    "square", "subtract", "trunc", "reciprocal", "divide", "divmod", "floor_divide",
})  # fmt: skip
"""Functions of real numbers that give exactly NumPy's bits."""

# Which of two zeros an extremum gives is unspecified; a sum of logarithms rounds to either.
UNSIGNED_ZEROS = frozenset({"fmax", "fmin", "maximum", "minimum", "logaddexp", "logaddexp2"})

# Where the result is the difference of large terms: in units of the largest.
ABSOLUTE = {"logaddexp": 1e-6, "logaddexp2": 1e-6}


def rounding(name: str) -> Any:
    return 0.0 if name in EXACT else ROUNDING


@pytest.mark.parametrize("name", UNARY)
@given(x=operands(REAL))
def test_unary(name: str, x: Any):
    """Functions of one real operand, special values included."""
    if name in ("cosh", "sinh"):  # torch's overflow where exp does: docs/differences.md
        size = numpy.abs(x.values.astype(numpy.float64))
        assume(not ((size > 88.72) & (size < 89.42) | (size > 709.78) & (size < 710.48)).any())
    zeros = name != "expm1" or RELEASE != (2, 3)  # which lost the sign of a 16-bit -0.0
    compare(lambda np, a: getattr(np, name)(a), x, rtol=rounding(name), signed_zeros=zeros)


@pytest.mark.parametrize("name", BINARY)
@given(pair=pairs(REAL))
def test_binary(name: str, pair: Any):
    """Functions of two real operands that broadcast; powers of integers to natural numbers."""
    if name == "power" and pair[1].values.dtype.kind == "i":
        pair[1].values[pair[1].values < 0] = 3
    if name in ("power", "float_power") and pair[1].values.dtype.kind == "f":
        # NumPy takes the square root where one 0.5 is the exponent of all elements.
        pair[1].values[pair[1].values == 0.5] = 0.75
    compare(
        lambda np, a, b: getattr(np, name)(a, b), *pair,
        rtol=rounding(name), atol=ABSOLUTE.get(name, 0.0),
        signed_zeros=name not in UNSIGNED_ZEROS,
    )  # fmt: skip


def close(ours: Any, theirs: Any, atol: float = 0.0) -> None:
    """Complex results agree to a rounding of their magnitude, or of ``atol``."""
    if isinstance(theirs, Exception):
        assert isinstance(ours, type(theirs).__mro__[-3]), (ours, theirs)
        return
    o, t = values_of(ours), numpy.asarray(theirs)
    assert o.dtype == t.dtype
    assert o.shape == t.shape
    if o.dtype.kind == "c":
        eps = numpy.finfo(t.dtype).eps
        both = numpy.isfinite(t) & numpy.isfinite(o)
        with numpy.errstate(all="ignore"):
            wrong = both & (abs(o - t) > 16 * eps * (abs(t) + atol) + numpy.finfo(t.dtype).tiny)
        assert not wrong.any(), (o[wrong], t[wrong])
        numpy.testing.assert_array_equal(numpy.isfinite(o), numpy.isfinite(t))
    else:
        numpy.testing.assert_allclose(o, t, rtol=ROUNDING.get(o.dtype.name, 0.0))


def both(name: str, *specs: Any) -> tuple[Any, Any]:
    results = []
    for np in (numpy_shim, numpy):
        built = [np.asarray(s.tensor()) if np is numpy_shim else s.numpy() for s in specs]
        with numpy.errstate(all="ignore"):
            try:
                results.append(getattr(np, name)(*built))
            except TypeError as error:
                results.append(error)
    return results[0], results[1]


@pytest.mark.parametrize("name", [n for n in UNARY if UFUNCS[n].nout == 1])
@given(x=operands(COMPLEXES, finite=True))
def test_unary_complex(name: str, x: Any):
    """Functions of one complex operand, or the TypeError of those that take none."""
    if name == "exp2":  # far from 0 the rounding of the argument shows
        x.values[...] = x.values / 100
    if name == "expm1":  # NumPy multiplies by exp, which overflows where the result does not
        x.values[x.values.real > 80] = 80
    # NumPy adds the one before it takes the logarithm, and has nothing left of a small number.
    close(*both(name, x), atol=float(name == "log1p"))


@pytest.mark.parametrize("name", [n for n in BINARY if UFUNCS[n].nout == 1])
@given(pair=pairs(COMPLEXES, finite=True))
def test_binary_complex(name: str, pair: Any):
    """Functions of two complex operands; powers close to 1, where roundings do not grow."""
    if name in ("power", "float_power"):
        pair[1].values[...] = pair[1].values / 100
        pair[0].values[...] = pair[0].values + 1
    close(*both(name, *pair))


@pytest.mark.parametrize("name", [n for n in (*UNARY, *BINARY) if UFUNCS[n].nout == 2])
@pytest.mark.parametrize("dtype", ["complex64", "complex128"])
def test_two_results_of_complex_numbers(name: str, dtype: str):
    """Refused: none of these functions takes them."""
    x = Spec(numpy.ones(2, dtype))
    compare(lambda np, *a: getattr(np, name)(*a), *[x] * UFUNCS[name].nin)
    with pytest.raises(TypeError, match=name):
        UFUNCS[name](*[numpy_shim.asarray(x.tensor())] * UFUNCS[name].nin)


SPECIAL = [0.0, -0.0, 1.0, -1.0, 0.5, -2.0, numpy.inf, -numpy.inf, numpy.nan, 3.3, -0.1, 1e-5]
EXACT_COMPLEX = [
    "add", "subtract", "negative", "positive", "conjugate", "equal", "not_equal", "less",
    "less_equal", "greater", "greater_equal", "maximum", "minimum", "fmax", "fmin", "logical_and",
    "logical_or", "logical_xor", "logical_not", "isnan", "isinf", "isfinite", "sign", "rint",
]  # fmt: skip


@pytest.mark.parametrize("name", EXACT_COMPLEX)
@pytest.mark.parametrize("dtype", COMPLEXES)
def test_special_complex_values(name: str, dtype: str):
    """Every pair of special parts, where functions of complex numbers are exact."""
    from tests.differential import Spec

    parts = numpy.array(SPECIAL, dtype=f"float{32 if dtype == 'complex64' else 64}")
    grid = numpy.empty((parts.size, parts.size), dtype)
    grid.real, grid.imag = parts[:, None], parts
    grid = grid.ravel()
    if UFUNCS[name].nin == 1:
        specs = [Spec(grid)]
    else:
        specs = [Spec(numpy.repeat(grid, grid.size)), Spec(numpy.tile(grid, grid.size))]
    compare(
        lambda np, *x: getattr(np, name)(*x), *specs, signed_zeros=False,
        rtol=ROUNDING if name == "sign" else 0.0,
    )  # fmt: skip


def test_isnat_takes_no_number():
    """There are no datetimes to look at."""
    with pytest.raises(TypeError, match="isnat"):
        numpy_shim.isnat(numpy_shim.ones(2))


def test_names_are_numpys():
    """Every name of a ufunc that NumPy has, a second name being the same object."""
    for name in dir(numpy):
        theirs = getattr(numpy, name)
        if isinstance(theirs, numpy.ufunc):
            ours = getattr(numpy_shim, name)
            assert ours.__name__ == theirs.__name__
            assert ours is getattr(numpy_shim, theirs.__name__)


PRODUCTS = [n for n in ("matmul", "vecdot", "matvec", "vecmat") if hasattr(numpy, n)]


@pytest.mark.parametrize("name", [*UFUNCS, *PRODUCTS])
def test_attributes(name: str):
    """The attributes are NumPy's, but for loops of dtypes that torch has no storage for."""
    ours, theirs = getattr(numpy_shim, name), getattr(numpy, name)
    for attribute in ("nin", "nout", "nargs", "identity", "signature", "__name__"):
        assert getattr(ours, attribute) == getattr(theirs, attribute)
    assert ours.ntypes == len(ours.types)
    assert set(ours.types) <= set(theirs.types)
    if hasattr(theirs, "__signature__"):  # since NumPy 2.4
        assert inspect.signature(ours) == theirs.__signature__
    assert repr(ours) == repr(theirs)


@pytest.mark.parametrize("name", ["add", "matmul", "frompyfunc"])
@pytest.mark.parametrize(
    "attribute",
    ["nin", "nout", "nargs", "ntypes", "types", "identity", "signature", "__name__"],
)
def test_what_describes_a_ufunc_cannot_be_set(name: str, attribute: str):
    def body(np: Any, change: Any) -> Any:
        made = np.frompyfunc(divmod, 2, 2) if name == "frompyfunc" else getattr(np, name)
        before = getattr(made, attribute)
        try:
            change(made)
        finally:
            assert getattr(made, attribute) == before

    compare(lambda np: body(np, lambda f: setattr(f, attribute, 3)))
    compare(lambda np: body(np, lambda f: delattr(f, attribute)))


@pytest.mark.parametrize("name", ["add", "abs", "divmod", "matmul", "sin"])
def test_copies_are_the_object_itself(name: str):
    """A ufunc is pickled by its name."""
    function = getattr(numpy_shim, name)
    assert pickle.loads(pickle.dumps(function)) is function
    assert copy.copy(function) is copy.deepcopy(function) is function


def test_resolve_dtypes():
    """NumPy's answers, the weak Python numbers among them."""
    dtypes = (numpy.dtype("float32"), float, None)
    assert numpy_shim.add.resolve_dtypes(dtypes) == numpy.add.resolve_dtypes(dtypes)
    with pytest.raises(TypeError):
        numpy_shim.bitwise_and.resolve_dtypes(dtypes)


I4, I8 = numpy.dtype("int32"), numpy.dtype("int64")


@pytest.mark.parametrize(
    ("dtypes", "options"),
    [
        ((I8, int, None), {"signature": (None, None, I4), "casting": "equiv"}),
        ((numpy.dtype("float32"), float, None), {"casting": "equiv"}),
        ((I8, I8, complex), {}),
        ((I4, int, None), {"reduction": True}),
    ],
)
def test_resolve_dtypes_refuses_what_ends_the_process_in_numpy(
    dtypes: tuple[Any, ...], options: dict[str, Any]
):
    """NumPy reads a null pointer where it has to refuse the cast of a Python number."""
    with pytest.raises(TypeError):
        numpy_shim.add.resolve_dtypes(dtypes, **options)


def test_resolve_dtypes_without_casts():
    """``casting="equiv"`` is answered where no cast is needed."""
    dtypes = numpy_shim.add.resolve_dtypes((I8, int, I8), casting="equiv")
    assert dtypes == (I8, I8, I8)


@pytest.mark.parametrize("dtype", ["float16", "float32", "float64"])
def test_nextafter_of_zeros(dtype: str):
    """Of two equal numbers it is the second, as in C; before NumPy 2.5 the first 16-bit one."""
    zeros = Spec(numpy.array([0.0, -0.0], dtype))
    compare(lambda np, a: np.nextafter(a[:, None], a), zeros)


@pytest.mark.parametrize("exponent", [0.5, -0.5, 2.0, -1.0, 2, 1.5])
@pytest.mark.parametrize("dtype", ["float32", "float64", "int16"])
def test_power_by_a_number(dtype: str, exponent: float):
    """NumPy takes the square root for 0.5: of -0.0 it is -0.0, and of -inf NaN."""
    with numpy.errstate(all="ignore"):
        x = Spec(numpy.array([-0.0, -numpy.inf, 0.0, 4.0, 1e30, -2.0]).astype(dtype))
    compare(lambda np, a: np.power(a, exponent), x, rtol=ROUNDING)
    compare(lambda np, a: a**exponent, x, rtol=ROUNDING)


@pytest.mark.parametrize(
    "exponents", [range(64), range(-70, 70), range(-3, 4), [0, 0], [1, 2.5], [-1]]
)
@pytest.mark.parametrize("base", [0.3 + 0.4j, 2j, 0j, -1.0, complex(0, -numpy.inf)])
@pytest.mark.parametrize("dtype", ["complex64", "complex128"])
def test_complex_powers_by_many_numbers(dtype: str, base: complex, exponents: Any):
    """Whole exponents are multiplications, in the order of NumPy's: 2j**2 is real."""
    b = Spec(numpy.array(exponents, dtype))
    a = Spec(numpy.full((2, 1), base, dtype))
    if numpy.isinf(abs(base)):
        b.values[b.values.real < 0] = 1
        b.values[b.values.real > 2] = 2  # further on C leaves open which part is NaN
    compare(lambda np, x, n: np.power(x, n), a, b, rtol=few_roundings(100), signed_zeros=False)
    assert numpy_shim.power(2j, numpy_shim.array([2, 0, 3])).tolist() == [-4, 1, -8j]


NEGATIVE_POWERS = """
2 ** np.array([-1])
2 ** np.array([-1, 2])
2 ** np.array([-1] * 100)
2 ** np.array([1, 2])
True ** np.array([-1])
0 ** np.array([-1])
2.0 ** np.array([-1])
2 ** np.array([-1.0])
2 ** np.array([1, 2], "u1")
2 ** np.int64(-1)
np.power(2, np.array([-1], "i1"))
np.power(2, np.array([], int))
np.power(np.array([2]), np.array([-1]))
np.power(np.array([2]), -1)
np.power.outer(2, np.array([-1]))
np.float_power(2, np.array([-1]))
"""


@pytest.mark.parametrize("call", lines(NEGATIVE_POWERS))
def test_negative_powers(call: str):
    """An integer to a negative integer power is refused, whichever of them is a Python number."""
    compare_call(call)


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("name", [*UNARY, *BINARY])
def test_results_have_memory_of_their_own(name: str):
    """Also where the result equals an operand: zero, one and minus one are neutral to many."""
    function = UFUNCS[name]
    for dtype, *numbers in product("?bBidD", *[(0, 1, -1)] * function.nin):
        given = [numpy.full((2, 3)[i:], number).astype(dtype) for i, number in enumerate(numbers)]
        try:
            getattr(numpy, name)(*given)
        except (TypeError, ValueError):
            continue
        operands = [numpy_shim.array(x) for x in given]
        results = function(*operands)
        for result in results if isinstance(results, tuple) else [results]:
            assert not any(numpy_shim.may_share_memory(result, x) for x in operands)
