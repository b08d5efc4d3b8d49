"""``scipy.integrate`` where the arrays are: SciPy's own Python code, with our functions in it."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache, wraps
from importlib import import_module
from typing import Any

import numpy
import scipy.special
import torch
from torch import Tensor

from ..._array.ndarray import array_of, ndarray, wrap
from ..._convert.from_data import asarray
from ..._functions.indexing import take_along_axis
from .. import _linalg, _optimize, _sparse
from .._solutions import has_derivative
from .._text import execute, functions, leaving, place_methods, standing_in

_QUADPACK = "QUADPACK integrates, in C, from number to number"

SCIPYS = {
    "_bvp": "its linear systems are sparse",
    "_lebedev": "its table is of the host",
    "_odepack_py": "ODEPACK solves it, in C",
    "_quadpack_py": _QUADPACK,
}
"""The modules that are SciPy's own in this chapter, with what is said of their functions."""

ON_THE_HOST = {
    "newton_cotes": "its weights are numbers of the host",
    "qmc_quad": "its points are those of an object of SciPy's",
}
"""The public functions that SciPy computes on a copy on the host, with the reason."""

_METHODS = ("RK23", "RK45", "DOP853", "Radau", "BDF")
"""The methods of ``solve_ivp`` that compute here."""


def _why_on_the_host(given: dict[str, Any]) -> str:
    """Why ``solve_ivp`` is SciPy's for these arguments."""
    method, options = given.get("method", "RK45"), given.get("options", {})
    if method not in _METHODS:
        return f"method {method!r} is SciPy's compiled code, or the program's"
    is_sparse = options.get("jac_sparsity") is not None or _sparse.INSIDE["issparse"](
        options.get("jac")
    )
    return "its linear systems are sparse" if is_sparse else ""


def _with_constants(init: Callable[..., None]) -> Callable[..., None]:
    """Give a solver its tables of coefficients, on the device of its first values."""

    @wraps(init)
    def __init__(self: Any, fun: Any, t0: Any, y0: Any, *args: Any, **kwargs: Any) -> None:  # noqa: N807
        for name in _TABLES:
            table = getattr(type(self), name, None)
            if isinstance(table, ndarray):
                setattr(self, name, asarray(table, device=_device_of(y0)))
        init(self, fun, t0, y0, *args, **kwargs)

    return __init__


_TABLES = ("A", "B", "C", "E", "P", "E3", "E5", "D", "A_EXTRA", "C_EXTRA")


def _device_of(x: Any) -> torch.device:
    return x.device if isinstance(x, ndarray) else torch.get_default_device()


def _radau(fun: Any, t0: Any, y0: Any, *args: Any, **kwargs: Any) -> Any:
    """A solver by Radau's method, of the module that has its tables on the device of ``y0``."""
    return _radau_on(_device_of(y0)).Radau(fun, t0, y0, *args, **kwargs)


@cache
def _radau_on(device: torch.device) -> Any:
    module: Any = execute(f"{__name__}._ivp", "scipy.integrate._ivp.radau", f"radau_on_{device}")
    for name, value in list(vars(module).items()):
        if isinstance(value, ndarray):
            setattr(module, name, asarray(value, device=device))
    module.RadauDenseOutput = _radaus.RadauDenseOutput  # it has no table, and may be pickled
    return _with_steps(module)


def _with_steps(module: Any) -> Any:
    """Let a module of a method choose steps and Jacobians by values: they have no gradient.

    The solution has one by the equations that a step solves, which hold for any of them.
    """
    for name, made in _BY_VALUES.items():
        if hasattr(module, name):
            setattr(module, name, made)
    return module


def _norm(x: Any) -> Any:
    """The root mean square of a vector, a number of the host."""
    return numpy.float64(_norms(wrap(x.tensor.detach())).item())


def _num_jac(*args: Any, **kwargs: Any) -> Any:
    with torch.no_grad():
        return _num_jacs(*args, **kwargs)


def _lu_factor(a: Any, **kwargs: Any) -> Any:
    return _linalg.FUNCTIONS["lu_factor"](wrap(a.tensor.detach()), **kwargs)


def _solve_bdf_system(fun: Callable[..., Any], *args: Any) -> Any:
    """The step of BDF, which writes to what it has called the program's function with."""
    return _steps(lambda t, y: fun(t, y.copy()), *args)


def _solve_event_equation(event: Callable[..., Any], sol: Any, t_old: Any, t: Any) -> Any:
    """The time of an event, by Brent's method; where the event has a gradient that is an error."""

    def value(at: float, y: Any) -> Any:
        found = event(at, y)
        has_gradient = isinstance(found, ndarray) and found.tensor.requires_grad
        return found if has_gradient else float(found)

    return _solve_event(value, sol, float(t_old), float(t))


def _roots_legendre(n: int) -> Any:
    """The points and weights of Gauss, on the device; SciPy's text keeps those of one device."""
    return [asarray(x, device=torch.get_default_device()) for x in _host_roots(n)]


_host_roots = cache(scipy.special.roots_legendre)


def _float64(x: Any) -> Any:
    """``numpy.float64`` of an array: its values in float64."""
    return asarray(x, dtype="float64")


_float64.dtype = numpy.dtype("float64")  # type: ignore[attr-defined]  # it is a data type, too


class _Sample(torch.autograd.Function):
    """A copy, which SciPy's text writes to; what it leaves out of a sum has no gradient."""

    generate_vmap_rule = True

    @staticmethod
    def forward(values: Tensor) -> Tensor:
        return values.clone()

    @staticmethod
    def setup_context(ctx: Any, inputs: Any, output: Any) -> None:
        pass

    @staticmethod
    def backward(ctx: Any, gradient: Tensor) -> Tensor:
        return torch.where(gradient.isnan(), 0, gradient)

    @staticmethod
    def jvp(ctx: Any, tangent: Tensor) -> Tensor:
        return tangent.clone()


_FAR = 1e6


def _sampling(integrate: Callable[..., Any]) -> Callable[..., Any]:
    """``tanhsinh`` or ``nsum`` of a function that may have a gradient.

    Where it is asked at infinity or NaN, or has vanished far out, a derivative may be NaN: that of
    another point is taken there, times 0.
    """

    @wraps(integrate)
    def call(f: Any, *args: Any, **kwargs: Any) -> Any:
        def sampled(x: ndarray, *values: Any) -> ndarray:
            made = asarray(f(x, *values))._tensor
            if not has_derivative(made):
                return array_of(made.clone())
            at = x._tensor
            beyond = ~at.isfinite() | ((at.abs() > _FAR) & (made == 0))
            if bool(beyond.all()):
                made = made.detach()
            elif bool(beyond.any()):
                another = at.detach()[..., :1] if at.dim() > 1 else at.detach()[~beyond][0]
                there = asarray(f(array_of(torch.where(beyond, another, at)), *values))._tensor
                made = torch.where(beyond, made.detach(), there)
            return array_of(_Sample.apply(made))  # type: ignore[no-untyped-call]

        return integrate(sampled if callable(f) else f, *args, **kwargs)

    return call


def _take_along_axis(x: Any, *args: Any, **kwargs: Any) -> Any:
    """``take_along_axis`` of a copy: torch keeps the values, and SciPy's text writes to them."""
    return take_along_axis(x.copy(), *args, **kwargs)


_KEEPING = standing_in(take_along_axis=_take_along_axis)
FUNCTIONS = functions(__name__, ON_THE_HOST)
FUNCTIONS.update({name: _sampling(FUNCTIONS[name]) for name in ("nsum", "tanhsinh")})
_tanhsinh: Any = import_module(f"{__name__}._tanhsinh")
_sum = _tanhsinh._euler_maclaurin_sum
_tanhsinh._euler_maclaurin_sum = lambda fj, work, xp: _sum(fj, work, _KEEPING)
FUNCTIONS["solve_ivp"] = leaving(FUNCTIONS["solve_ivp"], _why_on_the_host)
_common: Any = import_module(f"{__name__}._ivp.common")
_rk: Any = import_module(f"{__name__}._ivp.rk")
_bdf: Any = import_module(f"{__name__}._ivp.bdf")
_radaus: Any = import_module(f"{__name__}._ivp.radau")
_norms, _num_jacs, _steps = _common.norm, _common.num_jac, _bdf.solve_bdf_system
_BY_VALUES = {
    "lu_factor": _lu_factor,
    "norm": _norm,
    "num_jac": _num_jac,
    "solve_bdf_system": _solve_bdf_system,
}
for _module in (_rk, _bdf):
    _with_steps(_module)
_common.norm = _norm
_ivp: Any = import_module(f"{__name__}._ivp.ivp")
_ivp.METHODS["Radau"] = _radau
_solve_event, _ivp.solve_event_equation = _ivp.solve_event_equation, _solve_event_equation
for _solver in (_rk.RungeKutta, _rk.DOP853):
    _solver.__init__ = _with_constants(_solver.__init__)
for _solution in (_rk.DenseOutput, _common.OdeSolution):
    place_methods(_solution)
_quadrature: Any = import_module(f"{__name__}._quadrature")
_quadrature.np = standing_in(float64=_float64)
_quadrature._cached_roots_legendre = _roots_legendre
INSIDE = FUNCTIONS
