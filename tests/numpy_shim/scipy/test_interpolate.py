"""``scipy.interpolate`` where the arrays are, beside SciPy."""

from __future__ import annotations

import pickle
from collections.abc import Callable
from types import FunctionType
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


@pytest.fixture(params=[*present_devices(), "npy"])
def where(request: pytest.FixtureRequest) -> str:
    return str(request.param)


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
