"""Exponential and trigonometric functions: values, special cases, derivatives, both ways.

Complex functions have two implementations, torch's own on the CPU and the one from real
functions elsewhere; both are held to the same tests here, on the CPU.
"""

from __future__ import annotations

import math

import numpy as np
import pytest
import torch
from hypothesis import assume, given

import xp_torch as xp
from tests.differential import compare
from tests.strategies import arrays
from xp_torch._core.dtypes import ALL
from xp_torch._kernels import transcendental

NAMES = [
    "exp", "expm1", "log", "log1p", "log2", "log10", "sqrt",
    "sin", "cos", "tan", "asin", "acos", "atan",
    "sinh", "cosh", "tanh", "asinh", "acosh", "atanh",
]  # fmt: skip
NUMPY_NAMES = {n: n.replace("a", "arc", 1) for n in NAMES if n[0] == "a"}
REAL = [np.float32, np.float64]
CLOSE = {"float32": 1e-6, "float64": 1e-14, "complex64": 2e-6, "complex128": 1e-14}

# array-api-strict takes log1p of a complex number from log(hypot(1 + x, y)), which has no
# digits left near 0; the standard asks for them there, and test_accuracy holds ours to it.
ATOL = {"complex64": 1e-6, "complex128": 1e-15}


def own(name):
    return transcendental.ELSEWHERE[name]


def public(name):
    return lambda t: xp.to_torch(getattr(xp, name)(xp.asarray(t)))


IMPLEMENTATIONS = [pytest.param(public, id="public"), pytest.param(own, id="own")]


@pytest.mark.parametrize("name", NAMES)
@given(a=arrays(ALL))
def test_like_strict(name, a):
    """Same values in every layout; any dtype that is not floating is refused alike."""
    kind, values = a.values.dtype.name, a.numpy()
    # What is subnormal is known to its last place only.
    atol = float(np.finfo(kind).smallest_subnormal) if kind[0] in "fc" else 0.0
    if kind.startswith("complex"):
        # array-api-strict multiplies an infinity by 0 there; the standard's table of
        # special cases, which it departs from, is in test_special_cases.
        assume(name != "expm1" or (np.isfinite(values) & (values.real < 80)).all())
        atol = ATOL[kind] if name == "log1p" else atol
    if name in ("sinh", "cosh") and kind == "float64":
        # torch's vectorized functions overflow where exp does, a factor of 2 early.
        assume((np.abs(values) <= 709).all())
    compare(lambda ns, x: getattr(ns, name)(x), a, rtol=CLOSE, atol=atol)


def parts(dtype):
    """Numbers of every magnitude, near 1, near multiples of pi/2, and those that are none."""
    info = np.finfo(dtype)
    sizes = [
        0.0, info.smallest_subnormal, info.tiny, math.sqrt(info.tiny), 1e-10, info.eps, 1e-3,
        0.25, 0.5, 0.75, 1 - info.epsneg, 1.0, 1 + info.eps, 1.5, np.pi / 2, 2.0, np.pi, 5.0,
        20.0, 50.0, 89.0, 100.0, 709.5, 711.0, 1000.0, 1e5, 1e10, math.sqrt(info.max),
        info.max / 4, info.max, np.inf,
    ]  # fmt: skip
    return np.array([*sizes, *[-s for s in sizes], np.nan], dtype=dtype)


def grid(dtype):
    """Every pair of ``parts`` as a complex number, and many near the unit circle."""
    re, im = np.meshgrid(parts(dtype), parts(dtype))
    random = np.random.default_rng(0)
    angle, distance = random.uniform(0, 2 * np.pi, 2000), 10 ** random.uniform(-16, 0, 2000)
    near = np.exp(1j * angle) * (1 + distance * random.choice([-1, 1], 2000))
    size = 10 ** random.uniform(-30, 30, (2, 2000)) * random.choice([-1, 1], (2, 2000))
    wide = size[0] + 1j * size[1]
    pairs = np.empty(re.size, dtype=np.complex64 if dtype is np.float32 else np.complex128)
    pairs.real, pairs.imag = re.ravel(), im.ravel()
    return np.concatenate([pairs, near.astype(pairs.dtype), wide.astype(pairs.dtype)])


def reference(name, values):
    """The function in the next precision, by NumPy where that has the digits."""
    wide = {"float32": np.float64, "float64": np.longdouble, "complex64": np.complex128}
    x = values.astype(wide.get(values.dtype.name, np.clongdouble))
    with np.errstate(all="ignore"):
        if name in ("log2", "log10") and x.dtype.kind == "c":
            w, base = np.log(x), np.log(x.real.dtype.type(2 if name == "log2" else 10))
            return join(w.real / base, w.imag / base)
        if name == "log1p" and x.dtype.kind == "c":
            a, b = x.real, x.imag
            near = (np.abs(a) < 0.5) & (np.abs(b) < 1)
            half = np.log1p(2 * a + (a * a + b * b)) / 2
            w = np.log(join(1 + a, b))
            return join(np.where(near, half, w.real), w.imag)
        if name == "expm1" and x.dtype.kind == "c":
            w, a, b = np.exp(x), x.real, x.imag
            near = np.expm1(a) * np.cos(b) - 2 * np.sin(b / 2) ** 2
            finite = np.isfinite(a) & np.isfinite(b) & (a < 30)
            return join(np.where(finite, near, w.real - 1), w.imag)
        return getattr(np, NUMPY_NAMES.get(name, name))(x)


def join(re, im):
    out = np.empty(re.shape, dtype=np.result_type(re.dtype, np.complex64))
    out.real, out.imag = re, im
    return out


def assert_close(name, got, values, ulps):
    """As many digits as the larger part has; the same infinities and NaNs, part by part."""
    exact = reference(name, values)
    with np.errstate(all="ignore"):
        want = exact.astype(got.dtype)
    part = got.real.dtype.type
    error = np.zeros(got.shape)
    scale = np.spacing(np.maximum(np.abs(want.real), np.abs(want.imag)).astype(part))
    for side in ("real", "imag"):
        g, w, e = getattr(got, side), getattr(want, side), getattr(exact, side)
        free = unspecified_sign(name, values)
        for kind in (np.isnan, np.isposinf, np.isneginf):
            g_is, w_is = kind(g), kind(w)
            if kind is not np.isnan:
                g_is, w_is = np.where(free, np.isinf(g), g_is), np.where(free, np.isinf(w), w_is)
            wrong = g_is != w_is
            assert not wrong.any(), (name, values[wrong][:5], got[wrong][:5], want[wrong][:5])
        with np.errstate(all="ignore"):
            off = np.abs(g.astype(e.dtype) - e) / scale
        error = np.maximum(error, np.where(np.isfinite(w) & np.isfinite(scale), off, 0))
    worst = int(np.argmax(error))
    assert error[worst] <= ulps, (name, values[worst], got[worst], want[worst], error[worst])


def unspecified_sign(name, values):
    """Where the standard leaves the sign of an infinite part open."""
    re, im = values.real, values.imag
    turned = name in ("sin", "cos", "tan", "asin", "atan")
    grows, turns = (im, re) if turned else (re, im)
    return np.isinf(grows) & ~np.isfinite(turns) | (np.isnan(grows) & ~np.isfinite(turns))


@pytest.mark.parametrize("dtype", REAL)
@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("implementation", IMPLEMENTATIONS)
def test_accuracy(implementation, name, dtype):
    """A complex function is right to the last digits over the whole range of its parts."""
    values = grid(dtype)
    if name == "log1p" and dtype is np.float64:
        # Close to -1 the reference would need more than twice the digits.
        values = values[~((values.real == -1) & (np.abs(values.imag) < 1e-150))]
    got = implementation(name)(torch.from_numpy(values)).numpy()
    assert_close(name, got, values, ulps=6)


@pytest.mark.parametrize("dtype", REAL)
@pytest.mark.parametrize("name", NAMES)
def test_accuracy_real(name, dtype):
    """A real function is right to the last digits, with the signs of zeros."""
    values = parts(dtype)
    if name in ("sinh", "cosh") and dtype is np.float64:
        values = values[~((np.abs(values) > 709) & (np.abs(values) < 711))]
    got = public(name)(torch.from_numpy(values)).numpy()
    assert_close(name, got, values, ulps=4)
    want = reference(name, values)
    zero = (got == 0) & (want == 0)
    np.testing.assert_array_equal(np.signbit(got)[zero], np.signbit(want)[zero])


@pytest.mark.parametrize("dtype", [np.float32, np.float64, np.complex64, np.complex128])
@pytest.mark.parametrize("name", NAMES)
def test_sizes_and_strides(name, dtype):
    """One element, a vector register's worth, a tail and a strided view give one result."""
    values = np.linspace(0.05, 0.95, 17).astype(dtype)
    if dtype in (np.complex64, np.complex128):
        values = values + (1j * values[::-1]).astype(dtype)
    if name == "acosh":
        values = values + dtype(1)
    t = torch.from_numpy(values)
    whole = public(name)(t)
    tolerance = {"rtol": 8 * torch.finfo(t.dtype).eps, "atol": 0}
    for size in (1, 3, 4, 8):
        torch.testing.assert_close(public(name)(t[:size].clone()), whole[:size], **tolerance)
    strided = torch.stack([t, t], dim=1)[:, 0]
    torch.testing.assert_close(public(name)(strided), whole, **tolerance)
    torch.testing.assert_close(public(name)(t[3]), whole[3], **tolerance)


INF, NAN, PI = math.inf, math.nan, math.pi
SPECIAL_CASES = {
    "exp": [
        (INF, 0, INF, 0), (-INF, INF, 0, 0), (INF, INF, INF, NAN), (-INF, NAN, 0, 0),
        (INF, NAN, INF, NAN), (NAN, 0, NAN, 0), (NAN, 1, NAN, NAN), (1, INF, NAN, NAN),
    ],
    "expm1": [
        (0.0, 0, 0, 0), (-0.0, 0, 0, 0), (INF, 0, INF, 0), (-INF, 1, -1, 0), (INF, NAN, INF, NAN),
        (-INF, INF, -1, 0), (INF, INF, INF, NAN), (-INF, NAN, -1, 0), (NAN, 0, NAN, 0),
        (1, INF, NAN, NAN), (1, NAN, NAN, NAN), (1000, 0, INF, 0),
    ],
    "log": [
        (-0.0, 0, -INF, PI), (0, 0, -INF, 0), (1, INF, INF, PI / 2), (-INF, 1, INF, PI),
        (-INF, INF, INF, 3 * PI / 4), (INF, NAN, INF, NAN), (NAN, INF, INF, NAN),
    ],
    "log1p": [
        (-1, 0, -INF, 0), (1, INF, INF, PI / 2), (-INF, 1, INF, PI), (INF, 1, INF, 0),
        (-INF, INF, INF, 3 * PI / 4), (INF, INF, INF, PI / 4), (INF, NAN, INF, NAN),
        (NAN, INF, INF, NAN), (1, NAN, NAN, NAN), (NAN, 1, NAN, NAN),
    ],
    "sqrt": [
        (-0.0, 0, 0, 0), (NAN, INF, INF, INF), (-INF, 1, 0, INF), (INF, 1, INF, 0),
        (-INF, NAN, NAN, INF), (INF, NAN, INF, NAN), (NAN, 1, NAN, NAN),
    ],
    "acos": [
        (0, 0, PI / 2, -0.0), (-0.0, NAN, PI / 2, NAN), (1, INF, PI / 2, -INF), (1, NAN, NAN, NAN),
        (-INF, 1, PI, -INF), (INF, 1, 0, -INF), (-INF, INF, 3 * PI / 4, -INF),
        (INF, INF, PI / 4, -INF), (INF, NAN, NAN, INF), (NAN, 1, NAN, NAN), (NAN, INF, NAN, -INF),
    ],
    "sinh": [
        (0, INF, 0, NAN), (0, NAN, 0, NAN), (1, INF, NAN, NAN), (INF, 0, INF, 0),
        (INF, INF, INF, NAN), (NAN, 0, NAN, 0), (NAN, 1, NAN, NAN),
    ],
    "cosh": [
        (0, INF, NAN, 0), (0, NAN, NAN, 0), (1, NAN, NAN, NAN), (INF, 0, INF, 0),
        (INF, INF, INF, NAN), (INF, NAN, INF, NAN), (NAN, 0, NAN, 0),
    ],
    "tanh": [
        (1, INF, NAN, NAN), (0, INF, 0, NAN), (0, NAN, 0, NAN), (INF, 1, 1, 0), (INF, 2, 1, 0),
        (INF, INF, 1, 0), (INF, NAN, 1, 0), (NAN, 0, NAN, 0), (NAN, 1, NAN, NAN),
    ],
    "asinh": [
        (1, INF, INF, PI / 2), (INF, 1, INF, 0), (INF, INF, INF, PI / 4), (NAN, 0, NAN, 0),
        (NAN, INF, INF, NAN), (1, NAN, NAN, NAN),
    ],
    "acosh": [
        (-0.0, 0, 0, PI / 2), (1, INF, INF, PI / 2), (0, NAN, NAN, PI / 2), (-INF, 1, INF, PI),
        (-INF, INF, INF, 3 * PI / 4), (INF, NAN, INF, NAN), (NAN, INF, INF, NAN),
    ],
    "atanh": [
        (0, NAN, 0, NAN), (1, 0, INF, 0), (1, INF, 0, PI / 2), (INF, 1, 0, PI / 2),
        (INF, INF, 0, PI / 2), (INF, NAN, 0, NAN), (NAN, INF, 0, PI / 2), (NAN, 1, NAN, NAN),
    ],
}  # fmt: skip
"""``(real, imaginary, real of the result, imaginary of the result)``, from the standard."""

SIGN_IS_OPEN = {
    "exp -inf inf", "exp -inf nan", "exp inf inf", "exp inf nan", "expm1 -inf inf",
    "expm1 -inf nan", "expm1 inf inf", "expm1 inf nan", "sqrt -inf nan", "acos inf nan",
    "sinh 0 inf", "sinh 0 nan", "sinh inf inf", "cosh 0 inf", "cosh 0 nan", "cosh inf inf",
    "cosh nan 0", "tanh inf inf", "tanh inf nan", "asinh nan inf", "acosh 0 nan", "atanh nan inf",
}  # fmt: skip
"""Where the standard leaves the sign of a part of the result open."""


@pytest.mark.parametrize("dtype", [torch.complex64, torch.complex128])
@pytest.mark.parametrize("name", SPECIAL_CASES)
@pytest.mark.parametrize("implementation", IMPLEMENTATIONS)
def test_special_cases(implementation, name, dtype):
    """The standard's special cases, their conjugates, in arrays of one element and of many."""
    function = implementation(name)
    for a, b, re, im in SPECIAL_CASES[name]:
        for sign in (1.0, -1.0):
            for size in (1, 9):
                z = torch.full((size,), complex(a, sign * b), dtype=dtype)
                z.real, z.imag = torch.full((size,), a), torch.full((size,), sign * b)
                w = function(z)[-1].item()
                where = f"{name}({a}, {sign * b}) = {w}"
                is_open = f"{name} {a} {b}" in SIGN_IS_OPEN
                part(w.real, re, is_open, where)
                part(w.imag, sign * im, is_open, where)


def part(got, want, sign_is_open, where):
    if math.isnan(want):
        assert math.isnan(got), where
        return
    assert abs(got) == pytest.approx(abs(want), rel=1e-6), where
    if not sign_is_open:
        assert math.copysign(1, got) == math.copysign(1, want), where


@pytest.mark.parametrize("name", NAMES)
def test_conjugates(name):
    """``f(conj(z))`` is ``conj(f(z))``, signs of zeros included: each side of a branch cut."""
    z = torch.tensor([2 + 0j, -2 + 0j, 0.5 + 0j, -0.5 + 0j, 0.3 + 2j, -0.3 + 0.7j, 3j, 1 + 1e-20j])
    z = z.to(torch.complex128)
    for implementation in (public, own):
        function = implementation(name)
        up, down = function(z), function(z.conj().resolve_conj())
        torch.testing.assert_close(down, up.conj().resolve_conj(), rtol=0, atol=0)
        assert torch.equal(torch.signbit(down.imag), ~torch.signbit(up.imag))


def off_the_cut(name):
    """A point of the real axis with a derivative on both sides."""
    return 1.7 + 0j if name == "acosh" else 0.7 + 0j


@pytest.mark.parametrize("name", NAMES)
def test_gradient_off_the_cpu(name):
    """The derivative beside the implementation from real functions, on the axes too."""
    function = own(name)
    z = torch.tensor(
        [0.3 + 0.2j, -0.4 + 0.6j, 1.5 + 2j, 0.5 - 1e-3j, 2 + 1j, -3 - 0.5j, off_the_cut(name)],
        dtype=torch.complex128,
        requires_grad=True,
    )
    assert torch.autograd.gradcheck(function, z)
    assert torch.autograd.gradgradcheck(function, z)
    torch.testing.assert_close(function(z), function(z.detach()))


@pytest.mark.parametrize("name", ["acos", "expm1", "log1p", "tanh", "tan"])
def test_gradient_of_complex(name):
    """What is made of several steps on the CPU has the derivative of the whole."""
    z = [0.3 + 0.2j, -0.4 + 0.6j, 2 - 1j, off_the_cut(name), 0.1j]
    z = torch.tensor(z, dtype=torch.complex128)
    z.requires_grad_()
    assert torch.autograd.gradcheck(public(name), z)


@pytest.mark.parametrize("name", ["acos", "expm1", "log1p", "tanh", "tan"])
def test_inside_a_transform(name):
    """Where values cannot be looked at, the long way gives the same."""
    z = torch.tensor([0.3 + 0.2j, 2 - 1j, 0.1j, complex(math.inf, 1)], dtype=torch.complex128)
    function = public(name)
    torch.testing.assert_close(torch.func.vmap(function)(z), function(z), equal_nan=True)
    compiled = torch.compile(function, fullgraph=True, backend="eager")
    torch.testing.assert_close(compiled(z), function(z), equal_nan=True)


@pytest.mark.parametrize("name", NAMES)
def test_shapes_without_values(name):
    """A tensor without storage tells the shape and dtype, real and complex."""
    for dtype in (torch.float32, torch.complex128):
        out = getattr(xp, name)(xp.asarray(torch.empty((2, 3), dtype=dtype, device="meta")))
        assert out.shape == (2, 3)
        assert out.dtype is dtype
