"""``scipy.interpolate`` where the arrays are, beside SciPy."""

from __future__ import annotations

import pickle
from collections.abc import Callable
from types import FunctionType, SimpleNamespace
from typing import Any

import numpy
import pytest
import scipy.interpolate
import torch

import numpy_shim as np
import xp_backend.npy  # noqa: F401 - the device
from numpy_shim.scipy import interpolate
from numpy_shim.scipy._interpolate import CLASSES, FUNCTIONS, ON_THE_HOST

from ...conftest import present_devices
from .beside import check_names, compare_values, moved, outcome

OTHERS = {
    name
    for name in scipy.interpolate.__all__
    if callable(value := getattr(scipy.interpolate, name)) and not isinstance(value, FunctionType)
} - CLASSES.keys()
RNG = numpy.random.default_rng(0)
T = numpy.linspace(0.2, 9.0, 12) + RNG.uniform(-0.2, 0.2, size=12)  # none close to another
Y = numpy.cos(T)
M = RNG.normal(size=(12, 3))
AT = numpy.array([T[0], 1.0, 2.5, 7.25, T[-1], -1.0, 12.0, numpy.nan, T[4]])
GRID = (numpy.linspace(0, 1, 4), numpy.array([0.0, 0.5, 2.0]), numpy.arange(5.0))
TABLE = RNG.normal(size=(4, 3, 5))
POINTS = RNG.uniform(size=(20, 2))

Made = Callable[[Any], Any]
OBJECTS: dict[str, tuple[Made, tuple[Any, ...], tuple[Any, ...]]] = {
    "cubic": (lambda s: s.CubicSpline, (T, Y), ()),
    "cubic, of columns": (lambda s: s.CubicSpline, (T, M), ()),
    "cubic, natural": (lambda s: lambda x, y: s.CubicSpline(x, y, bc_type="natural"), (T, Y), ()),
    "cubic, clamped": (lambda s: lambda x, y: s.CubicSpline(x, y, bc_type="clamped"), (T, M), ()),
    "cubic, periodic": (
        lambda s: lambda x, y: s.CubicSpline(x, y, bc_type="periodic"), (T, Y - Y), (),
    ),
    "cubic, not extrapolated": (
        lambda s: lambda x, y: s.CubicSpline(x, y, extrapolate=False), (T, Y), (),
    ),
    "cubic, of three points": (lambda s: s.CubicSpline, (T[:3], Y[:3]), ()),
    "pchip": (lambda s: s.PchipInterpolator, (T, Y), ()),
    "akima": (lambda s: s.Akima1DInterpolator, (T, M), ()),
    "makima": (lambda s: lambda x, y: s.Akima1DInterpolator(x, y, method="makima"), (T, Y), ()),
    "hermite": (lambda s: s.CubicHermiteSpline, (T, Y, -numpy.sin(T)), ()),
    "ppoly": (lambda s: s.PPoly, (RNG.normal(size=(4, 11)), T), ()),
    "ppoly, falling": (lambda s: s.PPoly, (RNG.normal(size=(4, 11)), T[::-1].copy()), ()),
    "linear": (lambda s: lambda x, y: s.interp1d(x, y, bounds_error=False), (T, Y), ()),
    "nearest": (
        lambda s: lambda x, y: s.interp1d(x, y, kind="nearest", fill_value="extrapolate"),
        (T, M.T), (),
    ),
    "previous": (
        lambda s: lambda x, y: s.interp1d(x, y, kind="previous", bounds_error=False), (T, Y), (),
    ),
    "cubic interp1d": (
        lambda s: lambda x, y: s.interp1d(x, y, kind="cubic", fill_value="extrapolate"), (T, Y), (),
    ),
    "krogh": (lambda s: s.KroghInterpolator, (T[:5], Y[:5]), ()),
    "barycentric": (lambda s: s.BarycentricInterpolator, (T[:5], M[:5]), ()),
    "b-spline": (lambda s: lambda x, y: s.make_interp_spline(x, y), (T, M), ()),
    "b-spline of degree 1": (lambda s: lambda x, y: s.make_interp_spline(x, y, k=1), (T, Y), ()),
    "b-spline of degree 5": (lambda s: lambda x, y: s.make_interp_spline(x, y, k=5), (T, Y), ()),
    "b-spline, natural": (
        lambda s: lambda x, y: s.make_interp_spline(x, y, bc_type="natural"), (T, Y), (),
    ),
    "b-spline, of its knots": (
        lambda s: lambda t, c: s.BSpline(t, c, 2), (numpy.arange(9.0), RNG.normal(size=6)), (),
    ),
}  # fmt: skip


def test_every_public_name_runs_here_or_says_why_not():
    check_names(scipy.interpolate, FUNCTIONS, ON_THE_HOST, OTHERS)


CALLS: dict[str, Callable[[Any, Any], Any]] = {
    "values": lambda s, x: s(x),
    "derivative": lambda s, x: s(x, 1),
    "third derivative": lambda s, x: s(x[:7], nu=3),  # of NaN SciPy gives 0 beyond the degree
    "of a table": lambda s, x: s(x.reshape(3, 3)),
    "its derivative": lambda s, x: s.derivative()(x),
    "its antiderivative": lambda s, x: s.antiderivative(2)(x),
    "its integral": lambda s, x: s.integrate(1.0, 7.5),
    "its coefficients": lambda s, x: s.c,
}


class Ours:
    """The classes and functions that compute where the arrays are."""

    def __getattr__(self, name: str) -> Any:
        return FUNCTIONS[name]


@pytest.mark.parametrize("call", CALLS)
@pytest.mark.parametrize("name", OBJECTS)
def test_objects(name: str, call: str, where: str):
    """On the device an array that would cross to the host is an error."""
    maker, args, _ = OBJECTS[name]
    theirs = outcome(lambda: CALLS[call](maker(scipy.interpolate)(*args), AT), (), {})
    with torch.device(where):
        on_device = moved(args, where)
        ours = outcome(lambda: CALLS[call](maker(Ours())(*on_device), moved(AT, where)), (), {})
    if isinstance(theirs, Exception):  # an object without this member
        assert isinstance(ours, Exception), ours
    else:
        compare_values(ours, theirs, (name, call), where, 2.0**14)


METHODS = ("linear", "nearest", "pchip")


@pytest.mark.parametrize("method", METHODS)
def test_grids(method: str, where: str):
    table = RNG.normal(size=(6, 5))
    for grid, values in (
        ((GRID[0], GRID[1], GRID[2]), TABLE),
        ((numpy.arange(6.0), GRID[2]), table),
    ):
        if method == "pchip" and values.ndim == 3:
            continue  # it needs four points along each axis
        size = [axis[-1] for axis in grid]
        xi = RNG.uniform(size=(7, len(grid))) * size
        options: dict[str, Any] = {"method": method, "bounds_error": False, "fill_value": None}
        theirs = scipy.interpolate.RegularGridInterpolator(grid, values, **options)(xi)
        made = FUNCTIONS["RegularGridInterpolator"](*moved((grid, values), where), **options)
        compare_values(made(moved(xi, where)), theirs, method, where, 2.0**16)
        ours = FUNCTIONS["interpn"](*moved((grid, values, xi), where), **options)
        compare_values(ours, theirs, method, where, 2.0**16)


@pytest.mark.parametrize("kernel", ["thin_plate_spline", "cubic", "linear"])
def test_radial_functions(kernel: str, where: str):
    values = numpy.sin(POINTS[:, 0]) * POINTS[:, 1]
    theirs = scipy.interpolate.RBFInterpolator(POINTS, values, kernel=kernel)(POINTS[:5] + 0.01)
    made = FUNCTIONS["RBFInterpolator"](*moved((POINTS, values), where), kernel=kernel)
    compare_values(made(moved(POINTS[:5] + 0.01, where)), theirs, kernel, where, 2.0**24)


def test_objects_of_the_host_take_arrays_of_a_device():
    spline = interpolate.CubicSpline([0.0, 1.0, 2.0], [0.0, 1.0, 4.0])
    found = spline(np.asarray([0.5, 1.5], device="npy"))
    compare_values(found, numpy.array([0.25, 2.25]), "spline", "npy")


def test_roots_are_found_on_the_host():
    spline = interpolate.CubicSpline(np.asarray(T, device="npy"), np.asarray(Y, device="npy"))
    with pytest.raises(TypeError, match="not copied to the host implicitly"):
        spline.roots()
    with np.allow_implicit_host_copy():
        compare_values(spline.roots(), scipy.interpolate.CubicSpline(T, Y).roots(), "roots", "npy")


def test_scipy_takes_an_object_of_ours():
    """What SciPy computes with it, it computes with a copy on the host."""
    spline = interpolate.make_interp_spline(*moved((T, Y), "npy"))
    theirs = scipy.interpolate.PPoly.from_spline(scipy.interpolate.make_interp_spline(T, Y))
    with np.allow_implicit_host_copy():
        ours = interpolate.PPoly.from_spline(spline)
    numpy.testing.assert_allclose(ours.c.tensor.cpu().numpy(), theirs.c, rtol=1e-12, atol=1e-12)


def test_what_they_are():
    spline = interpolate.CubicSpline(np.asarray(T, device="npy"), np.asarray(Y, device="npy"))
    assert isinstance(spline, interpolate.CubicSpline)
    assert isinstance(spline, interpolate.PPoly)
    assert not isinstance(spline, interpolate.BSpline)
    again = pickle.loads(pickle.dumps(spline))
    assert again(1.5).device.type == "npy"
    assert float(again(1.5)) == float(spline(1.5))


@pytest.mark.parametrize("name", ["CubicSpline", "PchipInterpolator", "make_interp_spline"])
def test_gradients(name: str):
    at = np.asarray([0.9, 2.5, 4.0])

    def of_values(y: torch.Tensor) -> torch.Tensor:
        spline = getattr(interpolate, name)(np.asarray(T), np.asarray(y))
        return (spline(at) + spline(at, 1)).tensor  # type: ignore[no-any-return]

    assert torch.autograd.gradcheck(of_values, torch.tensor(Y, requires_grad=True))


@pytest.mark.parametrize("name", ["CubicSpline", "interp1d", "make_interp_spline"])
def test_a_compiled_function_makes_a_spline(name: str):
    """The graph ends there."""
    torch._dynamo.reset()
    x, at = np.asarray(T), np.asarray([0.9, 2.5, 4.0])
    compiled = torch.compile(lambda y: getattr(interpolate, name)(x, y)(at) * 2, backend="eager")
    expected = getattr(scipy.interpolate, name)(T, Y)(at.tensor.numpy()) * 2
    numpy.testing.assert_allclose(compiled(np.asarray(Y)).tensor.numpy(), expected, rtol=1e-12)


def test_errors():
    for args in ((T, Y[:3]), (T[::-1].copy(), Y), (T[:1], Y[:1])):
        theirs = outcome(scipy.interpolate.CubicSpline, args, {})
        ours = outcome(interpolate.CubicSpline, moved(args, "npy"), {})
        assert type(ours) is type(theirs)
        assert str(theirs) in str(ours)


# --- FITPACK's splines of one variable ---

KNOTS = numpy.r_[[T[0]] * 4, 2.0, 3.5, 5.0, [T[-1]] * 4]
INSIDE = AT[(T[0] <= AT) & (T[-1] >= AT)]


def spline(k: int) -> tuple[Any, Any, int]:
    found: tuple[Any, Any, int] = scipy.interpolate.splrep(T, Y, k=k)
    return found


def of_knots(call: Callable[[Any, Any], Any], where: str) -> None:
    """``call(interpolate, arrays)`` gives SciPy's values or error; ``arrays`` moves arguments."""

    def made(s: Any, move: Callable[[Any], Any]) -> Any:
        return outcome(lambda: call(s, move), (), {})

    expected = made(scipy.interpolate, lambda x: x)
    functions = SimpleNamespace(**FUNCTIONS)
    with torch.device(where):
        found = made(functions, lambda x: moved(x, where))
    compare_values(found, expected, call, where, eps=2**14)


@pytest.mark.parametrize("where", present_devices())
@pytest.mark.parametrize("k", [1, 2, 3, 5])
def test_splines_of_fitpack(k: int, where: str):
    tck = spline(k)
    n = len(tck[0]) - k - 1
    for ext in (0, 1, 2, 3, 4):
        for nu in range(k + 2):
            at = AT[:-2] if nu == k else AT  # a constant, at NaN too, in SciPy
            for x in (at, INSIDE, INSIDE[0], at[:0], at[:4].reshape(2, 2)):
                of_knots(lambda s, m, a=(x, nu, ext): s.splev(m(a[0]), m(tck), *a[1:]), where)
    for ends in ((1.0, 5.0), (5.0, 1.0), (-3.0, 4.0), (T[0], T[-1]), (2.0, 90.0)):
        of_knots(lambda s, m, ends=ends: s.splint(*ends, m(tck)), where)
        of_knots(lambda s, m, ends=ends: s.splint(*ends, m(tck), 1)[1][:n], where)
    for x in (T[0], 2.5, T[4], T[-1], -1.0):
        of_knots(lambda s, m, x=x: s.spalde(x, m(tck)), where)
        of_knots(lambda s, m, x=x: s.insert(x, m(tck))[0], where)
        of_knots(lambda s, m, x=x: s.insert(x, m(tck), 2)[1][: n + 2], where)
    short = (tck[0], tck[1][: n - 1], k)
    of_knots(lambda s, m: s.splev(2.0, m(short)), where)
    of_knots(lambda s, m: s.splint(2.0, 3.0, m(short)), where)
    for order in (0, 1, 2, -1):
        of_knots(lambda s, m, order=order: s.splder(m(tck), order)[:2], where)
        of_knots(lambda s, m, order=order: s.splantider(m(tck), order)[:2], where)


@pytest.mark.parametrize("where", present_devices())
def test_several_splines_and_objects(where: str):
    t, c, k = spline(3)
    several = (t, [c, 2 * c], k)
    of_knots(lambda s, m: s.splev(m(AT), (m(t), [m(c) for c in several[1]], k)), where)
    of_knots(lambda s, m: s.splint(1, 2, (m(t), [m(c) for c in several[1]], k)), where)
    for call in (
        lambda s, b: s.splev(b.t, b), lambda s, b: s.splint(1, 2, b), lambda s, b: s.splder(b).c,
        lambda s, b: s.splantider(b).c, lambda s, b: s.insert(2.2, b).c[:13],
        lambda s, b: s.spalde(2.2, b), lambda s, b: s.splev(b.t, b, ext=2),
    ):  # fmt: skip
        of_knots(lambda s, m, call=call: call(s, s.make_interp_spline(m(T), m(Y))), where)


@pytest.mark.parametrize("where", present_devices())
@pytest.mark.parametrize("method", ["qr", "norm-eq", "no method"])
def test_least_squares(method: str, where: str):
    for y in (Y, M, Y + 1j * T, M * 1j):
        of_knots(lambda s, m, y=y: s.make_lsq_spline(m(T), m(y), m(KNOTS), method=method).c, where)
    of_knots(lambda s, m: s.make_lsq_spline(m(T), m(Y), m(KNOTS), w=m(T), method=method).c, where)
    of_knots(lambda s, m: s.make_lsq_spline(m(T), m(Y[1:]), m(KNOTS), method=method).c, where)
    of_knots(lambda s, m: s.make_lsq_spline(m(T + 1), m(Y), m(KNOTS), method=method).c, where)


def test_gradients_of_fitpacks_splines():
    t, c, k = spline(3)
    values = torch.tensor(c[: len(t) - 4], requires_grad=True)
    at = torch.tensor([1.3, 4.4], dtype=torch.float64, requires_grad=True)
    y = torch.tensor(Y, requires_grad=True)
    knots = np.asarray(t)
    for call, args in (
        (lambda c, x: FUNCTIONS["splev"](np.asarray(x), (knots, np.asarray(c), k)), (values, at)),
        (lambda c: FUNCTIONS["splint"](1.0, 5.0, (knots, np.asarray(c), k)), (values,)),
        (lambda c: FUNCTIONS["insert"](2.2, (knots, np.asarray(c), k))[1], (values,)),
        (lambda y: FUNCTIONS["make_lsq_spline"](np.asarray(T), np.asarray(y), KNOTS).c, (y,)),
    ):
        assert torch.autograd.gradcheck(
            lambda *a, call=call: call(*a).tensor, tuple(args), atol=1e-6
        )


def test_taylor_polynomials():
    def f(x: Any) -> Any:
        return x**3 + x

    found = FUNCTIONS["approximate_taylor_polynomial"](f, np.asarray(0.3, device="npy"), 3, 1.0)
    expected = scipy.interpolate.approximate_taylor_polynomial(f, 0.3, 3, 1.0)
    assert found.coeffs.device.type == "npy"
    numpy.testing.assert_allclose(found.coeffs.tolist(), expected.coeffs, atol=1e-12)
