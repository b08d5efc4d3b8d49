"""Element-wise functions beside array-api-strict: arithmetic, comparisons, bits, rounding."""

from __future__ import annotations

import cmath

import numpy as np
import pytest
import torch
from hypothesis import assume, given
from hypothesis import strategies as st

import xp_torch
from tests.differential import compare
from tests.strategies import CLOSE, arrays, pairs, scalars
from xp_torch._core.dtypes import ALL, INTEGER, NUMERIC, REAL_FLOATING, REAL_NUMERIC

EXACT = (
    "bitwise_and", "bitwise_or", "bitwise_xor", "copysign", "equal", "floor_divide", "greater",
    "greater_equal", "less", "less_equal", "logical_and", "logical_or", "logical_xor",
    "nextafter", "not_equal", "remainder", "subtract", "add",
)  # fmt: skip
CLOSE_TO = ("atan2", "divide", "hypot", "logaddexp", "multiply", "pow")
EXTREMA = ("maximum", "minimum")
SHIFTS = ("bitwise_left_shift", "bitwise_right_shift")
UNARY_EXACT = (
    "bitwise_invert", "ceil", "conj", "floor", "imag", "isfinite", "isinf", "isnan",
    "logical_not", "negative", "positive", "real", "round", "signbit", "trunc",
)  # fmt: skip
UNARY_CLOSE = ("abs", "reciprocal", "sign", "square")
SIDES = st.booleans()
REAL_ONLY = (*EXTREMA, "greater", "greater_equal", "less", "less_equal")


def negative_integer_exponent(values):
    """array-api-strict looks at the values and raises; the standard leaves them unspecified."""
    return np.asarray(values).dtype.kind == "i" and bool(np.any(np.asarray(values) < 0))


def has_infinity(values):
    return values.dtype.kind == "f" and bool(np.any(np.isinf(values)))


def special_complex(*specs):
    """Operands whose complex result the standard leaves to the implementation."""
    complex_ones = any(s.values.dtype.kind == "c" for s in specs)
    return complex_ones and not all(np.all(np.isfinite(s.values)) for s in specs)


def rounding(name, a, b):
    """What a rounding error of the largest result comes to, in the precision of the result."""
    if a.size == 0 or b.size == 0 or "b" in (a.dtype.kind, b.dtype.kind):
        return 0.0
    eps = np.finfo(np.float64 if max(a.dtype.itemsize, b.dtype.itemsize) > 8 else np.float32).eps
    smallest = np.min(np.abs(b[b != 0]), initial=1.0)
    largest = np.max(np.abs(b)) if name == "multiply" else 1.0 / smallest
    return 8.0 * float(eps) * float(np.max(np.abs(a))) * float(largest)


@pytest.mark.parametrize("name", EXACT)
@given(pair=pairs(ALL))
def test_exact(name, pair):
    """Same dtypes, values and wrap-around; what does not promote is refused alike."""
    # The standard prefers floor(a / b) for infinities; array-api-strict has Python's result.
    assume(name != "floor_divide" or not any(has_infinity(s.values) for s in pair))
    compare(lambda xp, a, b: getattr(xp, name)(a, b), *pair)


@pytest.mark.parametrize("name", EXTREMA)
@given(pair=pairs(ALL))
def test_extrema(name, pair):
    """Which of two zeros is the greater is unspecified."""
    compare(lambda xp, a, b: getattr(xp, name)(a, b), *pair, signed_zeros=False)


@pytest.mark.parametrize("name", CLOSE_TO)
@given(pair=pairs(ALL))
def test_close(name, pair):
    """Same dtypes and errors, values to a few rounding errors."""
    if name == "pow":
        assume(not negative_integer_exponent(pair[1].values))
        # exp(x2 * log(x1)), where NumPy multiplies for small integer exponents: overflow and
        # non-finite parts show the difference, and the standard asks for the former.
        assume(not any(s.values.dtype.kind == "c" for s in pair))
    # NumPy fuses the products of complex64: where one overflows the textbook formula is NaN.
    if name in ("multiply", "divide"):
        assume(not special_complex(*pair))
        huge = any(s.values.dtype.kind == "c" and np.any(np.abs(s.values) > 1e15) for s in pair)
        tiny = any(
            s.values.dtype.kind == "c" and np.any((s.values != 0) & (np.abs(s.values) < 1e-15))
            for s in pair
        )
        assume(not huge and not tiny)
        # The textbook formula cancels: the error is relative to the parts that it is made of.
        complex_ones = any(s.values.dtype.kind == "c" for s in pair)
        atol = rounding(name, *[s.values for s in pair]) if complex_ones else 0.0
        compare(
            lambda xp, a, b: getattr(xp, name)(a, b),
            *pair,
            rtol=CLOSE if complex_ones else 0.0,
            atol=atol,
        )
        return
    compare(lambda xp, a, b: getattr(xp, name)(a, b), *pair, rtol=CLOSE)


@pytest.mark.parametrize("name", SHIFTS)
@given(pair=pairs(INTEGER))
def test_shifts(name, pair):
    """Shifts by the bit width and more; negative ones are unspecified in an array."""
    assume(not negative_integer_exponent(pair[1].values))
    compare(lambda xp, a, b: getattr(xp, name)(a, b), *pair)


@pytest.mark.parametrize("name", EXACT + EXTREMA + SHIFTS + CLOSE_TO)
@given(a=arrays(ALL), scalar=scalars(), left=SIDES)
def test_scalar(name, a, scalar, left):
    """A Python scalar on either side takes the array's dtype or is refused alike."""
    if type(scalar) is complex and name in REAL_ONLY:
        # array-api-strict orders complex numbers; the standard has these for real ones.
        with pytest.raises(TypeError, match=f"{name}: x"):
            getattr(xp_torch, name)(xp_torch.asarray(a.tensor()), scalar)
        return
    natural = name in SHIFTS or name == "pow"
    if natural and left:
        assume(not negative_integer_exponent(a.values))
    if natural and not left:
        # NumPy looks at each element; a negative number is refused beside no elements too.
        assume(a.values.size > 0 or type(scalar) is not int or scalar >= 0)
    if name == "pow":
        assume(a.values.dtype.kind != "c" and type(scalar) is not complex)
    if name in SHIFTS:
        # array-api-strict compares a shift with 0 before it looks at its type.
        assume(type(scalar) is int and a.values.dtype.kind in "iu")
        if not left and scalar < np.iinfo(a.values.dtype).min:
            # Out of range and negative: array-api-strict looks at the sign first.
            with pytest.raises(OverflowError, match="out of range"):
                getattr(xp_torch, name)(xp_torch.asarray(a.tensor()), scalar)
            return
    if a.values.dtype.kind == "c" or type(scalar) is complex:
        assume(name in ("equal", "not_equal", "add", "subtract") or np.all(np.isfinite(a.values)))
        if name in ("multiply", "divide"):
            assume(cmath.isfinite(scalar) and -1000 < complex(scalar).real < 1000)
            assume(not np.any(np.abs(a.values) > 1e15))
            assume(not np.any((a.values != 0) & (np.abs(a.values) < 1e-15)))
    if name == "floor_divide":
        assume(not has_infinity(a.values) and scalar != float("inf"))
    close = name in CLOSE_TO
    # NumPy takes the square root for an exponent of 0.5, which keeps -0 and has NaN for -inf,
    # where the standard has +0 and infinity.
    base, exponent = (scalar, a.values) if left else (a.values, scalar)
    root = name == "pow" and np.any(np.asarray(exponent) == 0.5)
    assume(not root or not np.any(np.asarray(base) == -np.inf))
    parts = name in ("multiply", "divide") and a.values.dtype.kind == "c"
    number = np.asarray(scalar, a.values.dtype) if parts else a.values
    compare(
        lambda xp, a: getattr(xp, name)(scalar, a) if left else getattr(xp, name)(a, scalar),
        a,
        rtol=CLOSE if close else 0.0,
        # The parts of a complex result cancel, as in test_close.
        atol=rounding(name, *((number, a.values) if left else (a.values, number))) if parts else 0,
        signed_zeros=name not in EXTREMA and not root,
    )


@pytest.mark.parametrize("name", UNARY_EXACT)
@given(a=arrays(ALL))
def test_unary_exact(name, a):
    """Same dtypes and values; other dtypes are refused alike."""
    compare(lambda xp, a: getattr(xp, name)(a), a)


@pytest.mark.parametrize("name", UNARY_CLOSE)
@given(a=arrays(ALL))
def test_unary_close(name, a):
    """The same, to a few rounding errors of complex numbers."""
    complex_one = a.values.dtype.kind == "c"
    if name == "reciprocal" and complex_one:
        # NumPy's reciprocal is not its division, which the standard asks for.
        one = np.ones((), a.values.dtype)
        assume(np.all(np.isfinite(a.values)) and np.all(a.values != one * 0))
    if name == "square" and complex_one:
        assume(np.all(np.isfinite(a.values)) and not np.any(np.abs(a.values) > 1e15))
    compare(
        lambda xp, a: getattr(xp, name)(a),
        a,
        rtol=CLOSE if complex_one else 0.0,
        atol=rounding("multiply", a.values, a.values) if complex_one and name == "square" else 0.0,
    )


@given(arrays(REAL_NUMERIC), st.data())
def test_clip(a, data):
    """Bounds of the same dtype, arrays or scalars; min above max is unspecified."""
    dtype = a.values.dtype
    bound = st.one_of(
        st.none(),
        arrays(dtype, st.sampled_from([(), (1,)])),
        st.integers(-4, 4) if dtype.kind != "u" else st.integers(0, 4),
        st.just(float("nan")) if dtype.kind == "f" else st.just(7),
        st.sampled_from([0.5, True, "a"]),
    )
    low, high = data.draw(bound), data.draw(bound)

    def values(b):
        return b.values if hasattr(b, "values") else b

    comparable = not any(b is None or isinstance(b, str | bool) for b in (low, high))
    assume(not comparable or not np.any(values(low) > values(high)))
    compare(lambda xp, a, lo, hi: xp.clip(a, lo, hi), a, low, high, signed_zeros=False)
    compare(lambda xp, a, lo, hi: xp.clip(a, max=hi, min=lo), a, low, high, signed_zeros=False)


def test_clip_beyond_the_dtype():
    """Scalar bounds that no element can pass are no bounds; others are out of range."""
    x = xp_torch.asarray([-5, 5], dtype=xp_torch.int8)
    assert xp_torch.all(xp_torch.clip(x, -1000, 1000) == x)
    with pytest.raises(OverflowError, match="clip: min"):
        xp_torch.clip(x, 1000, None)


@pytest.mark.parametrize("dtype", ["float32", "float64"])
def test_remainder_of_huge_quotients(dtype):
    """Exact where the quotient overflows, in arrays long enough to be vectorised."""
    rng = np.random.default_rng(0)
    kind = np.dtype(dtype)
    bits = np.dtype(f"u{kind.itemsize}")
    a, b = (rng.integers(0, np.iinfo(bits).max, 4096, dtype=bits).view(kind) for _ in "ab")
    with np.errstate(all="ignore"):
        b[::2] *= kind.type(np.finfo(kind).tiny)
        expected = np.remainder(a, b)
    got = xp_torch.remainder(*[xp_torch.asarray(torch.from_numpy(v)) for v in (a, b)])
    np.testing.assert_array_equal(np.asarray(got), expected)


def test_uint64_beyond_int64():
    """Division, powers and shifts of values from 2**63 on."""
    rng = np.random.default_rng(0)
    a = rng.integers(0, 2**64, 4096, dtype=np.uint64)
    b = rng.integers(0, 2**64, 4096, dtype=np.uint64) >> rng.integers(0, 63, 4096, dtype=np.uint64)
    b |= np.uint64(1)
    x, y = (xp_torch.asarray(torch.from_numpy(v)) for v in (a, b))
    np.testing.assert_array_equal(np.asarray(x // y), a // b)
    np.testing.assert_array_equal(np.asarray(x % y), a % b)
    np.testing.assert_array_equal(np.asarray(x**y), a**b)
    np.testing.assert_array_equal(np.asarray(x >> (y % 64)), a >> (b % np.uint64(64)))


COMPLEX_PARTS = (0.0, -0.0, 1.0, -2.5, float("inf"), float("-inf"), float("nan"))


@pytest.mark.parametrize("dtype", ["complex64", "complex128"])
@pytest.mark.parametrize("name", ["add", "subtract"])
def test_complex_sums_by_parts(name, dtype):
    """The standard: real special cases apply to the parts independently, signed zeros too."""
    z = np.array([complex(a, b) for a in COMPLEX_PARTS for b in COMPLEX_PARTS], dtype)
    got = np.asarray(
        getattr(xp_torch, name)(
            xp_torch.asarray(torch.from_numpy(z[:, None])), xp_torch.asarray(torch.from_numpy(z))
        )
    )
    with np.errstate(all="ignore"):
        for part in ("real", "imag"):
            a = getattr(z, part)
            expected = getattr(np, name)(a[:, None], a)
            np.testing.assert_array_equal(getattr(got, part), expected)
            numbers = ~np.isnan(expected)
            np.testing.assert_array_equal(
                np.signbit(getattr(got, part))[numbers], np.signbit(expected)[numbers]
            )


@pytest.mark.parametrize("exponent", [1, 2, 3, 7])
def test_complex_pow_of_whole_exponents(exponent: int):
    """By multiplications, as in NumPy: the square of an imaginary number is real."""
    values = [-3.3j, 2.2j, 0j, 1.5 + 0j] * 3
    ours, theirs = xp_torch.asarray(values), np.asarray(values)
    for result in (ours**exponent, ours ** xp_torch.asarray(complex(exponent))):
        np.testing.assert_array_equal(np.asarray(result), theirs**exponent)
        assert not np.shares_memory(np.asarray(result), np.asarray(ours))


def test_complex_pow_of_whole_exponents_has_a_gradient():
    z = torch.tensor([2 + 1j, -3.3j], requires_grad=True)
    (gradient,) = torch.autograd.grad((xp_torch.to_torch(xp_torch.asarray(z) ** 2)).real.sum(), z)
    torch.testing.assert_close(gradient, 2 * z.detach().conj())


def test_complex_pow():
    """exp(x2 * log(x1)), and NumPy's results for a base or an exponent of zero."""
    rng = np.random.default_rng(0)
    a = rng.normal(size=200) + 1j * rng.normal(size=200)
    b = rng.normal(size=200) + 1j * rng.normal(size=200)
    x, y = (xp_torch.asarray(torch.from_numpy(v)) for v in (a, b))
    np.testing.assert_allclose(np.asarray(x**y), a**b, rtol=1e-12)
    np.testing.assert_allclose(np.asarray(x**3), a**3, rtol=1e-12)
    zero = xp_torch.asarray([0j, 0j, 0j, 1 + 1j])
    power = xp_torch.asarray([2 + 1j, 0j, -1 + 0j, 0j])
    expected = [0, 1, complex("nan+nanj"), 1]
    np.testing.assert_array_equal(np.asarray(zero**power), np.array(expected))


def test_negative_number_beside_integers():
    """Unspecified; a Python number is refused, an array is not looked at."""
    x = xp_torch.asarray([1, 2])
    for refused in (lambda: x**-1, lambda: xp_torch.bitwise_left_shift(x, -1)):
        with pytest.raises(ValueError, match="must not be negative"):
            refused()
    assert (x ** xp_torch.asarray([-1, 1])).shape == (2,)


@given(arrays(NUMERIC, layouts=("contiguous",)))
def test_positive_is_a_copy(a):
    x = xp_torch.asarray(a.tensor())
    copied = xp_torch.positive(x)
    assert copied._tensor.data_ptr() != x._tensor.data_ptr() or x.size == 0


@given(arrays(REAL_FLOATING))
def test_sign_has_no_gradient(a):
    t = a.tensor().requires_grad_()
    result = xp_torch.sign(xp_torch.asarray(t))._tensor
    if result.requires_grad:
        (grad,) = torch.autograd.grad(result.sum(), t)
        assert not grad.any()
