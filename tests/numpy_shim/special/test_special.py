"""The special functions beside SciPy's: values, dtypes, shapes, gradients and traces."""

from __future__ import annotations

import itertools
import math
import subprocess
import sys
import warnings
from typing import Any

import numpy as np
import pytest
import scipy.special
import torch
from torch.fx.experimental.proxy_tensor import make_fx
from torch.utils._python_dispatch import TorchDispatchMode

import numpy_shim
import xp_backend.npy  # noqa: F401 - the device
from numpy_shim import special
from tests.numpy_shim.special.table import TABLE, WITH_AXES, Row
from tests.slow import one_in

ROWS = pytest.mark.parametrize("row", TABLE, ids=[r.name for r in TABLE])
SINGLE = 3e-6


def ours(name: str, *args: Any) -> Any:
    return getattr(special, name)(*args)


def theirs(name: str, *args: Any) -> Any:
    with warnings.catch_warnings(), np.errstate(all="ignore"):
        warnings.simplefilter("ignore")
        return getattr(scipy.special, name)(*args)


def operands(row: Row, dtype: str = "float64", step: int = 1) -> list[Any]:
    columns = list(zip(*itertools.product(*row.grids), strict=True))
    return [
        np.array(c[::step], "int64" if i in row.integers else dtype) for i, c in enumerate(columns)
    ]


def results(value: Any) -> list[Any]:
    return list(value) if isinstance(value, tuple) else [value]


def compare(
    row: Row, args: list[Any], rtol: float, atol: float, floor: float, exact: bool = False
) -> None:
    """``exact`` takes the values of SciPy's float64 function, whose float32 one is less exact."""
    found = results(ours(row.name, *[numpy_shim.asarray(a) for a in args]))
    expected = results(theirs(row.name, *args))
    assert len(found) == len(expected)
    wide = [a.astype("float64") if a.dtype == np.float32 else a for a in args]
    reference = results(theirs(row.name, *wide)) if exact else expected
    for f, e, r in zip(found, expected, reference, strict=True):
        assert f.dtype == e.dtype, (f.dtype, e.dtype)
        assert f.shape == e.shape
        got, e = np.array(f.tensor.detach()), np.asarray(r).astype(e.dtype)
        small = (np.abs(got) < floor) & (np.abs(e) < floor)
        np.testing.assert_allclose(
            np.where(small, 0, got), np.where(small, 0, e), rtol=rtol, atol=atol, err_msg=row.name
        )


@ROWS
def test_values(row: Row):
    """SciPy's values in float64, at the edges of the domain too."""
    compare(row, operands(row), row.rtol, row.atol, row.floor)


@ROWS
def test_single_precision(row: Row):
    """float32 is computed in float64 and rounded once."""
    args = [np.where(np.abs(a) > 1e30, np.sign(a) * np.inf, a).astype(a.dtype)
            if a.dtype == np.float32 else a for a in operands(row, "float32", 7)]  # fmt: skip
    compare(row, args, SINGLE, 1e-6, 1e-30, exact=True)


@ROWS
def test_shapes_and_integers(row: Row):
    """Broadcasting, empty and 0-D operands, lists, Python numbers, small dtypes: SciPy's dtypes."""
    count = len(row.grids)
    if row.name in ("polygamma", "multigammaln") or row.name.startswith("spherical"):
        count = 0  # their first operand is an integer
    for kind in ("int8", "int64", "bool", "float16", "float32"):
        args = [np.ones((), kind)] * count
        if count and not row.integers:
            try:
                e = results(theirs(row.name, *args))[0]
            except (TypeError, ValueError) as error:
                with pytest.raises(type(error)):
                    ours(row.name, *args)
                continue
            f = results(ours(row.name, *args))[0]
            assert np.asarray(e).dtype == f.dtype, kind
    for shapes in ([(2, 1), (3,), (1, 1), ()], [(0,), (1,), (0,), ()]):
        args = [np.full(s, 0.5) for s in shapes[:count]]
        if count and not row.integers:
            for f, e in zip(results(ours(row.name, *args)), results(theirs(row.name, *args)),
                            strict=True):  # fmt: skip
                assert f.shape == e.shape


@pytest.mark.parametrize("row", one_in(3, TABLE), ids=lambda row: row.name)
def test_gradient(row: Row):
    """The derivatives agree with finite differences, the second ones too."""
    if not row.points:
        pytest.skip("has no gradient")
    by = range(len(row.points)) if row.by is None else row.by

    def function(*moved: torch.Tensor) -> Any:
        given = iter(moved)
        args = [next(given) if i in by else torch.tensor(p, dtype=torch.int64 if i in row.integers
                else torch.float64) for i, p in enumerate(row.points)]  # fmt: skip
        value = ours(row.name, *[numpy_shim.asarray(a) for a in args])
        return tuple(r.tensor for r in results(value))

    xs = [torch.tensor(row.points[i], dtype=torch.float64, requires_grad=True) for i in by]
    assert torch.autograd.gradcheck(function, xs, fast_mode=True, eps=1e-6, atol=1e-5, rtol=1e-4)
    if row.second:
        assert torch.autograd.gradgradcheck(function, xs, fast_mode=True, atol=1e-4, rtol=1e-3)


@pytest.mark.parametrize("name", ["gamma", "beta", "jv", "fresnel", "airy"])
def test_forward_mode_and_vmap(name: str):
    row = next(row for row in TABLE if row.name == name)
    first, *others = [torch.tensor(p, dtype=torch.float64) for p in row.points]

    def function(x: torch.Tensor) -> torch.Tensor:
        found = results(ours(name, *[numpy_shim.asarray(t) for t in (x, *others)]))
        return sum(f.tensor for f in found)

    def of_order_1(x: torch.Tensor) -> torch.Tensor:
        return ours("jv", 1.25, numpy_shim.asarray(x)).tensor

    for f in (function, of_order_1):
        x = first.clone().requires_grad_()
        (slope,) = torch.autograd.grad(f(x).sum(), x)
        forward = torch.func.jvp(f, (first,), (torch.ones_like(first),))[1]
        torch.testing.assert_close(forward, slope, rtol=1e-12, atol=1e-14)
    torch.testing.assert_close(torch.func.vmap(of_order_1)(first), of_order_1(first))


def test_gradient_of_an_operand_that_is_broadcast():
    """Its elements share memory, which torch's forward mode refuses."""
    x = np.array([0.5, 2.0])
    a = numpy_shim.array(3.0)
    slope = numpy_shim.grad(lambda a: special.gammainc(a, numpy_shim.array(x)).sum())(a)
    step = 1e-5
    near = (scipy.special.gammainc(3 + step, x) - scipy.special.gammainc(3 - step, x)) / (2 * step)
    np.testing.assert_allclose(slope.item(), near.sum(), rtol=1e-8)


OF_EACH_FAMILY = {
    "gamma", "gammainc", "betainc", "erfcinv", "fresnel", "sici", "ellipkinc", "stdtr", "j0", "kv",
    "jv", "kolmogorov",
}  # fmt: skip
TRACED = [row for row in TABLE if row.name in OF_EACH_FAMILY]


@pytest.mark.parametrize("row", TRACED, ids=[r.name for r in TRACED])
def test_trace(row: Row):
    """One graph without a break, with the same values; one function of each family."""
    torch._dynamo.reset()
    function = getattr(special, row.name)

    def program(*args: Any) -> Any:
        return function(*args)

    args = [numpy_shim.asarray(p) for p in row.points]
    traced = torch.compile(program, backend="eager", fullgraph=True)(*args)
    for f, e in zip(results(traced), results(function(*args)), strict=True):
        np.testing.assert_allclose(np.asarray(f), np.asarray(e), rtol=1e-13)


@pytest.mark.parametrize("order", [0.0, 0.3, 0.5, 1.0, 2.25, 7.9, -1.7])
def test_one_order_of_many_arguments(order: float):
    """What depends on the order only is computed once; orders that differ go another way."""
    x = np.r_[np.linspace(0.0, 12.0, 900), np.logspace(-30, 2.5, 300), -1.0, np.nan]
    if order < 0:
        x[0] = 1.0  # SciPy's iv has not the sign of its limit at 0
    for name in ("kv", "kve", "jv", "yv", "iv", "ive"):
        found = np.asarray(ours(name, order, numpy_shim.asarray(x)))
        each = ours(name, numpy_shim.asarray(np.where(np.arange(len(x)) % 2, order, 3.5)), x)
        # near their zeros, of the amplitude
        floor = 1e-13 if name in ("jv", "yv") else 1e-15 if order < 0 else 0.0
        np.testing.assert_allclose(found, theirs(name, order, x), rtol=1e-12, atol=floor)
        np.testing.assert_allclose(found[1::2], np.asarray(each)[1::2], rtol=1e-12, atol=floor)


@pytest.mark.parametrize("order", [0.3, 2.0, 7.5])
def test_one_order_is_exact_to_rounding(order: float):
    mpmath = pytest.importorskip("mpmath")
    x = np.r_[np.linspace(0.1, 14, 60), np.linspace(15, 300, 20)]
    amplitude = np.where(x > order, np.hypot(theirs("jv", order, x), theirs("yv", order, x)), 0)
    exact = {"jv": mpmath.besselj, "yv": mpmath.bessely, "kv": mpmath.besselk, "iv": mpmath.besseli}
    for name, function in exact.items():
        with mpmath.workdps(30):
            values = np.array([float(function(mpmath.mpf(order), mpmath.mpf(z))) for z in x])
        found = np.asarray(ours(name, order, numpy_shim.asarray(x)))
        floor = amplitude if name in ("jv", "yv") else 0
        assert (np.abs(found - values) / np.maximum(np.abs(values), floor)).max() < 2e-14, name


@pytest.mark.parametrize("name", ["kv", "iv", "gamma"])
def test_compiled(name: str):
    """Inductor does not write the expressions of long graphs out again and again, for minutes."""
    torch._dynamo.reset()
    order = () if name == "gamma" else (0.5,)
    x = numpy_shim.asarray(np.linspace(0.1, 30, 500))
    compiled = torch.compile(lambda x: getattr(special, name)(*order, x), fullgraph=True)
    np.testing.assert_allclose(np.asarray(compiled(x)), theirs(name, *order, x), rtol=1e-13)


@pytest.mark.parametrize("name", ["j0", "j1", "y0", "y1", "psi", "erfcx", "ellipk"])
def test_large_arrays(name: str):
    """They are computed in blocks."""
    x = np.random.default_rng(0).normal(scale=20, size=(3, 30_000))
    x[0, :4] = 0.0, -0.0, np.inf, np.nan
    found = np.asarray(ours(name, numpy_shim.asarray(x)))
    np.testing.assert_allclose(found, theirs(name, x), rtol=1e-13, atol=2e-14)


def test_large_arrays_of_one_number():
    """It is computed once, and zeros of two signs are two numbers."""
    x = np.full((2, 40_000), 2.5)
    found = ours("poch", numpy_shim.asarray(x), 0.5)
    assert found.shape == x.shape
    np.testing.assert_allclose(np.asarray(found), theirs("poch", x, 0.5), rtol=1e-14)
    zeros = np.zeros(40_000)
    zeros[1:-1] = -0.0
    np.testing.assert_array_equal(
        np.asarray(ours("gamma", numpy_shim.asarray(zeros))), theirs("gamma", zeros)
    )


def test_table_is_complete():
    """Every public function has a row or a test of its own."""
    rows = {r.name for r in TABLE}
    assert set(special.__all__) - rows == WITH_AXES
    assert rows <= set(special.__all__)


def test_wofz_and_other_complex_functions():
    """In all four quadrants, near 0 and far away."""
    parts = [*np.linspace(-5, 5, 21), 1e-9, -1e-9, 40.0]
    z = np.array([complex(a, b) for a in parts for b in [*np.linspace(-4, 5, 19), 1e-9, 0.0, 30.0]])
    for name in ("wofz", "erfcx", "erf", "erfc", "erfi", "dawsn"):
        near = z if name in ("wofz",) else z[(abs(z.imag) < 20) & (abs(z.real) < 20)]
        np.testing.assert_allclose(
            np.array(ours(name, numpy_shim.asarray(near)).tensor), theirs(name, near), rtol=2e-13
        )
        single = ours(name, numpy_shim.asarray(near[::9].astype("complex64")))
        assert single.dtype == np.complex64


@pytest.mark.parametrize("dtype", ["float16", "float32", "float64", "int8", "int64", "bool"])
def test_wofz_of_real_numbers(dtype: str):
    """SciPy has complex loops only, and before 1.18 takes complex128 for them."""
    x = np.array([0, -0.0, 1, -3, 0.25, 40, np.nan, np.inf, -np.inf])
    x = (x if dtype.startswith("float") else x[:4]).astype(dtype)
    found = ours("wofz", numpy_shim.asarray(x))
    expected = theirs("wofz", x)
    assert found.dtype == expected.dtype
    rtol = 1e-14 if expected.dtype == np.complex128 else 4e-7
    np.testing.assert_allclose(np.array(found.tensor), expected, rtol=rtol)


def test_gradient_of_wofz_of_real_numbers():
    """A real gradient through a complex value."""
    x = torch.tensor([0.3, -2.0, 5.0], dtype=torch.float64, requires_grad=True)
    assert torch.autograd.gradcheck(lambda x: ours("wofz", numpy_shim.asarray(x)).tensor, [x])


@pytest.mark.parametrize("axis", [None, 0, -1, (0, 1)])
def test_sums_along_axes(axis: Any):
    """logsumexp with weights and signs, softmax and log_softmax."""
    a = np.array([[1.0, 1000.0, -3.0], [-1000.0, 1000.0, 2.0]])
    b = np.array([[0.5, -2.0, 0.0], [1.0, 3.0, 2.0]])
    x, w = numpy_shim.asarray(a), numpy_shim.asarray(b)
    for name in ("softmax", "log_softmax"):
        np.testing.assert_allclose(
            np.asarray(ours(name, x, axis)), theirs(name, a, axis), rtol=1e-14
        )
    for options in ({}, {"keepdims": True}, {"return_sign": True}):
        for weights, w_ours in ((None, None), (b, w)):
            found = special.logsumexp(x, axis=axis, b=w_ours, **options)
            with np.errstate(all="ignore"):
                expected = scipy.special.logsumexp(a, axis=axis, b=weights, **options)
            for f, e in zip(results(found), results(expected), strict=True):
                np.testing.assert_allclose(np.asarray(f), e, rtol=1e-14)


def test_multigammaln():
    np.testing.assert_allclose(np.asarray(special.multigammaln([3.5, 10.0], 3)),
                               scipy.special.multigammaln([3.5, 10.0], 3), rtol=1e-14)  # fmt: skip
    with pytest.raises(ValueError, match="multigammaln: d should be a positive integer"):
        special.multigammaln(3.5, 0)


def test_out():
    """Results are written to ``out``, by name or by position, one or several."""
    x = numpy_shim.asarray([0.5, 2.0])
    out = numpy_shim.zeros(2)
    assert special.gamma(x, out=out) is out
    assert special.gamma(x, out) is out
    np.testing.assert_allclose(np.asarray(out), scipy.special.gamma([0.5, 2.0]), rtol=1e-14)
    pair = numpy_shim.zeros(2), numpy_shim.zeros(2)
    assert special.fresnel(x, out=pair)[1] is pair[1]
    with pytest.raises(ValueError, match="gamma: output array has shape"):
        special.gamma(x, out=numpy_shim.zeros(3))


@pytest.mark.parametrize(
    ("call", "error"),
    [
        (lambda s: s.gammainc(1j, 2.0), TypeError),
        (lambda s: s.gammainc(1.0), TypeError),
        (lambda s: s.gammainc(1.0, 2.0, 3.0, 4.0), TypeError),
        (lambda s: s.beta(np.ones(2), np.ones(3)), ValueError),
    ],
    ids=["complex", "too few", "too many", "shapes"],
)
def test_refusals(call: Any, error: type[Exception]):
    for namespace in (scipy.special, special):
        with pytest.raises(error):
            call(namespace)


def test_exact_integers():
    """Python integers have exact results; arrays say who has them."""
    assert special.factorial(25, exact=True) == math.factorial(25)
    assert special.comb(100, 50, exact=True) == math.comb(100, 50)
    assert special.comb(5, 3, exact=True, repetition=True) == 35
    assert special.perm(20, 10, exact=True) == math.perm(20, 10)
    with pytest.raises(NotImplementedError, match=r"scipy\.special\.factorial"):
        special.factorial(numpy_shim.arange(3), exact=True)


def test_scipy_calls_ours():
    """Under SciPy's array API, its functions of our arrays are these."""
    program = (
        "import numpy_shim, scipy.special, numpy_shim.special as ours\n"
        "seen = []\n"
        "kept = ours.gammainc\n"
        "ours.gammainc = lambda *a: seen.append(a) or kept(*a)\n"
        "x = numpy_shim.asarray([1.0, 2.0])\n"
        "y = scipy.special.gammainc(x, x)\n"
        "assert seen and type(y) is numpy_shim.ndarray\n"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True,
                          env={**__import__("os").environ, "SCIPY_ARRAY_API": "1"})  # fmt: skip
    assert done.returncode == 0, done.stderr


NAN, INF = math.nan, math.inf


@pytest.mark.parametrize(
    ("name", "args"),
    [
        # SciPy's values, which mpmath's confirm
        ("betainc", (2.5, 1e-16, 0.9)), ("betainc", (0.1, 1e-10, 0.6)),
        ("betainc", (5.0, 1e-8, 1 - 1e-6)), ("betainc", (20.0, 1e-100, 1 - 1e-12)),
        ("betainc", (1e8, 0.02, 1 - 1e-12)), ("betainc", (1e-8, 1e-6, 0.3)),
        ("betaincc", (1e-16, 3.0, 0.1)), ("betaincc", (1e-8, 20.0, 1e-8)),
        ("betaincc", (0.02, 1e8, 1e-16)), ("betaincc", (1e-5, 1e-3, 1e-8)),
        ("fdtr", (1.0, 1e-16, 50.0)), ("fdtrc", (1e-16, 100.0, 0.5)),
        ("stdtr", (1e300, -3.0)), ("stdtrit", (1e300, 1e-5)), ("stdtrit", (1e30, 0.975)),
        ("poch", (1e-16, -1.0)), ("poch", (1e-16, -3.0)), ("poch", (1e-10, -50.0)),
        ("poch", (0.25, -7.0)), ("binom", (1e-16, 5.0)), ("binom", (1e-12, 1.0)),
        # Operands that SciPy takes for integers
        ("bdtr", (1.0, 2.7, 0.3)), ("bdtrc", (0.0, 0.5, 0.1)), ("bdtri", (1.5, 3.7, 0.2)),
        ("bdtr", (0.0, -0.5, 0.2)), ("nbdtr", (1.5, 2.7, 0.3)), ("nbdtrc", (-0.5, 3.2, 0.2)),
        ("nbdtri", (1.5, 2.7, 0.3)), ("expn", (1.5, 0.0)), ("expn", (2.5, 0.0)),
        ("expn", (-0.5, 0.75)), ("kn", (1.5, 2.0)), ("kn", (-2.9, 0.5)), ("yn", (-1.5, 2.0)),
        ("yn", (2.9, 2.0)),
        # Orders without end
        ("jv", (INF, 2.0)), ("jv", (-INF, 0.0)), ("iv", (INF, -2.0)), ("iv", (INF, INF)),
        ("yv", (INF, 2.0)), ("yv", (INF, 0.0)), ("kv", (INF, 2.0)), ("kv", (-INF, 0.0)),
        ("kve", (INF, 0.0)), ("kve", (INF, 2.0)),
        # A NaN is never forgotten
        ("pdtr", (NAN, 0.1)), ("pdtrc", (NAN, 0.0)), ("pdtr", (NAN, 0.0)),
        ("agm", (0.0, NAN)), ("agm", (0.0, INF)),
        ("boxcox", (1.0, NAN)), ("boxcox", (1.0, INF)), ("boxcox1p", (0.0, NAN)),
        ("ellipkinc", (0.0, NAN)), ("stdtrit", (NAN, 0.0)), ("stdtrit", (NAN, 0.5)),
    ],
)  # fmt: skip
def test_edges_have_scipys_values(name: str, args: tuple[float, ...]) -> None:
    expected = theirs(name, *args)
    many = [numpy_shim.full((3,), x) for x in args]
    for found in (ours(name, *args), *ours(name, *many)):
        np.testing.assert_allclose(float(found), expected, 2e-12)


FEW: dict[str, tuple[int, float, tuple[Any, ...]]] = {
    "stdtr": (900, 1e-13, (9.0, [0.7, -3.0, 40.0])),
    "betainc": (900, 1e-12, ([0.3, 2.0, 9.0, 40.0, 1e6], [0.2, 3.0, 0.5, 0.3, 2e6], 0.35)),
    "betaincc": (900, 1e-12, ([0.3, 2.0, 9.0, 40.0, 3.0], [0.2, 3.0, 0.5, 0.3, 1e4], 0.95)),
    "fdtrc": (1800, 1e-13, (3.0, 5.0, [0.1, 2.0, 90.0])),
    "gammainc": (600, 1e-13, ([0.3, 2.0, 9.0, 40.0, 1e4], [0.2, 3.0, 7.0, 41.0, 1e4])),
    "chdtrc": (600, 1e-13, (3.0, [0.0, 1e-9, 2.0, 9.0, 300.0])),
    "bdtr": (1100, 1e-13, ([0.0, 3.0, 8.0], 9, 0.3)),
    "pdtr": (600, 1e-13, ([0.0, 3.0, 80.0], [2.0, 3.0, 75.0])),
    "gamma": (200, 1e-14, [[-2.5, 0.5, 1.0, 6.0, 100.5]]),
    "beta": (320, 1e-13, ([0.3, 40.0], 2.5)),
}  # fmt: skip
"""By name the most calls of torch, the error, and few elements."""


class Counted(TorchDispatchMode):
    """Counts the calls of torch."""

    number = 0

    def __torch_dispatch__(
        self, function: Any, types: Any, args: Any = (), kwargs: Any = None
    ) -> Any:
        self.number += 1
        return function(*args, **kwargs or {})


@pytest.mark.parametrize("name", FEW)
def test_few_elements_of_a_device_take_few_calls(name: str):
    """Such as a p-value: the terms of a sum are computed side by side."""
    most, error, args = FEW[name]
    function = getattr(special, name)
    given = [torch.tensor(x, dtype=torch.float64) for x in args]
    with Counted() as counted:
        found = function(*[numpy_shim.asarray(t.to("npy")) for t in given])
    assert counted.number <= most
    expected = function(*[numpy_shim.asarray(t) for t in given])
    np.testing.assert_allclose(found.tensor.cpu().numpy(), np.asarray(expected), rtol=error)
    slopes = []
    for place in ("npy", "cpu"):
        x = given[-1].to(place).requires_grad_()
        value = function(
            *[numpy_shim.asarray(t.to(place)) for t in given[:-1]], numpy_shim.asarray(x)
        )
        slopes.append(torch.autograd.grad(value.tensor.sum(), x)[0].cpu())
    np.testing.assert_allclose(slopes[0].numpy(), slopes[1].numpy(), rtol=1e-11)


@pytest.mark.parametrize("name", ["betainc", "gammainc"])
def test_derivatives_of_a_parameter_on_a_device(name: str):
    """In forward mode and in a trace the terms of a sum follow each other.

    torch's trigamma on the CPU has nine digits.
    """

    def function(a: torch.Tensor) -> torch.Tensor:
        return getattr(special, name)(
            numpy_shim.asarray(a), *[0.7] * (name == "betainc"), 0.6
        ).tensor

    here = torch.tensor([0.4, 2.5, 30.0], dtype=torch.float64)
    there = here.to("npy")
    slopes = torch.func.vmap(torch.func.grad(torch.func.grad(function)))
    np.testing.assert_allclose(slopes(there).cpu().numpy(), slopes(here).numpy(), rtol=1e-8)
    traced = make_fx(function, tracing_mode="fake")(there)
    np.testing.assert_allclose(traced(there).cpu().numpy(), function(here).numpy(), rtol=1e-12)
    np.testing.assert_allclose(function(there).cpu().numpy(), function(here).numpy(), rtol=1e-12)
