"""Derivatives for the solvers of ``scipy.optimize``: of the program's function, and of a solution.

The program's function is called here, for whatever computes the solver, with ``"exact"`` for a
derivative that torch computes. A solution ``x`` of ``r(x, p) = 0`` has the derivative
``-inv(dr/dx) @ dr/dp`` by the theorem of implicit functions, however it was found: that is the
derivative of one step of Newton's from it. For a minimizer ``r`` is the gradient.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable
from functools import cache
from typing import Any, NamedTuple

import numpy
import torch
from torch import Tensor
from torch.autograd.forward_ad import unpack_dual

from xp_torch._torch.internals import in_forward_mode, is_batched, is_transformed, layers_of

from .._array.ndarray import AnyArray, array_of, wrap
from .._convert.from_data import asarray
from .._host.frames import pass_over


class _Solver(NamedTuple):
    """Where a solver has the program's function, its derivatives and its start."""

    function: str
    derivatives: tuple[str, ...]
    start: str
    kind: str


SOLVERS = {
    "optimize.minimize": _Solver("fun", ("jac", "hess", "hessp"), "x0", "least"),
    "optimize.least_squares": _Solver("fun", ("jac",), "x0", "squares"),
    "optimize.leastsq": _Solver("func", ("Dfun",), "x0", "squares"),
    "optimize.curve_fit": _Solver("f", ("jac",), "p0", "squares"),
    "optimize.root": _Solver("fun", ("jac",), "x0", "root"),
    "optimize.fsolve": _Solver("func", ("fprime",), "x0", "root"),
    "optimize.newton": _Solver("func", ("fprime", "fprime2"), "x0", "elements"),
    "optimize.root_scalar": _Solver("f", ("fprime", "fprime2"), "x0", "elements"),
    "optimize.minimize_scalar": _Solver("fun", (), "", "least"),
    "optimize.fmin": _Solver("func", (), "x0", "least"),
    "optimize.fmin_powell": _Solver("func", (), "x0", "least"),
    "optimize.fmin_bfgs": _Solver("f", ("fprime",), "x0", "least"),
    "optimize.fmin_cg": _Solver("f", ("fprime",), "x0", "least"),
    "optimize.fmin_ncg": _Solver("f", ("fprime", "fhess_p", "fhess"), "x0", "least"),
    "optimize.fmin_l_bfgs_b": _Solver("func", ("fprime",), "x0", "least"),
    "optimize.fmin_tnc": _Solver("func", ("fprime",), "x0", "least"),
    "optimize.brent": _Solver("func", (), "", "least"),
    "optimize.golden": _Solver("func", (), "", "least"),
    **{
        f"optimize.{name}": _Solver("f", (), "", "elements")
        for name in ("bisect", "brenth", "brentq", "ridder", "toms748")
    },
    "optimize.elementwise.find_root": _Solver("f", (), "init", "elements"),
    "optimize.elementwise.find_minimum": _Solver("f", (), "init", "lowest"),
}
"""The solvers whose solution has a derivative."""

_DATA = ("xdata", "ydata", "sigma")
_STARTS = ("x0", "p0", "x1", "init")
_PAIRED = ("optimize.fmin_l_bfgs_b", "optimize.fmin_tnc")
_NEVER_EXACT = ("fhess", "fhess_p", "fprime2", "hessp")


@pass_over
def solve(
    call: Callable[..., Any], function: Any, name: str, args: Any, kwargs: Any,
    refuse: Callable[..., None],
) -> Any:  # fmt: skip
    """Call a solver, and give what it finds the derivative by all that has a gradient.

    ``refuse(function, name, values)`` raises for a gradient in the values of other arguments.
    """
    solver = SOLVERS[name]
    try:
        bound = _signature(function).bind(*args, **kwargs)
    except TypeError:  # SciPy has its own words for it
        return call(*args, **kwargs)
    given = bound.arguments
    if not callable(given[solver.function]):
        return call(*args, **kwargs)
    one = _Problem(name, solver, dict(given))
    for key in (*_STARTS, "args", *_DATA):
        if key in given:
            given[key] = one.released(given[key], key)
    others = [v for key, v in given.items() if key not in (*_STARTS, "args", *_DATA)]
    refuse(function, name, others)
    for key in given.keys() & {solver.function, *solver.derivatives}:
        value = given.get(key)
        if isinstance(value, str) and value == "exact" and key not in _NEVER_EXACT:
            value = one.exact(key)
        is_programs = callable(value) and not hasattr(value, "_scipys")
        given[key] = _Watched(one, value) if is_programs else value
    result = call(*bound.args, **bound.kwargs)
    return one.with_gradient(result) if one.needs or one.starts else result


@cache
def _signature(function: Any) -> inspect.Signature:
    return inspect.signature(function)


class _Problem:
    """A call of a solver, and whether an array with a gradient takes part in it."""

    def __init__(self, name: str, solver: _Solver, given: dict[str, Any]) -> None:
        self.name, self.solver, self.given = name, solver, given
        self.program = given[solver.function]
        args = given.get("args", ())
        self.args = args if isinstance(args, tuple) else (args,)
        self.needs = False
        self.starts: list[Tensor] = []
        self.keeps_args = False

    # --- what the solver gets ---

    def released(self, x: Any, key: str = "") -> Any:
        """A value without gradients; that there were some is remembered."""
        if isinstance(x, AnyArray):
            tensor = x._tensor
            if not has_derivative(tensor):
                return self.present(x) if is_transformed() else x
            if key in _STARTS:
                self.starts.append(tensor)
            else:
                self.refuse()
                self.needs = True
                is_each = ".elementwise." in self.name  # of elements that are not done yet
                self.keeps_args |= key == "args" and not is_each
            return self.present(x)
        if type(x) in (list, tuple):
            made = [self.released(v, key) for v in x]
            is_same = all(new is old for new, old in zip(made, x, strict=True))
            return x if is_same else type(x)(made)
        return x

    @staticmethod
    def present(x: AnyArray) -> Any:
        """The values alone; a number in a transform, where no array has memory, is NumPy's."""
        values = plain(x._tensor)
        is_number = is_transformed() and not values.dim() and values.is_cpu
        return x.dtype.type(values.tolist()) if is_number else wrap(values)

    def refuse(self) -> None:
        """Raise where the solution has a gradient that is not computed."""
        given = self.given
        method = given.get("method")
        method = method.lower() if isinstance(method, str) else method
        is_bounded = given.get("bounds") is not None and self.name == "optimize.minimize"
        is_fit = self.name == "optimize.curve_fit"
        what = (
            "constraints" if given.get("constraints", ())
            else f"bounds and method {method!r}" if is_bounded and method in _INTERIOR
            else "nan_policy" if given.get("nan_policy") is not None
            else "a loss" if is_fit and self.option("loss", "linear") != "linear"
            else ""
        )  # fmt: skip
        if what:
            raise TypeError(
                f"{self.name}: an array has a gradient, and a solution with {what} has none; "
                "detach the array: x.tensor.detach()"
            )

    def gives_pair(self) -> bool:
        """Whether the program's function gives its derivative beside its value."""
        given = self.given
        if self.name in _PAIRED:
            return given.get("fprime") is None and not given.get("approx_grad")
        return given.get("jac") is True

    def exact(self, key: str) -> Any:
        """The derivative of the program's function, as a function like it."""
        solver = self.solver
        if self.name == "optimize.curve_fit":
            return lambda t, *p: wrap(
                jacobian(lambda x: _tensor(self.program(t, *array_of(x))), _tensor(list(p)))
            )

        options = self.given.get("options") or {}
        is_transposed = self.given.get("col_deriv") or options.get("col_deriv")

        def derivative(x: Any, *args: Any, **kwargs: Any) -> Any:
            def of(t: Tensor) -> Tensor:
                made = self.program(wrap(t), *args, **kwargs)
                return _tensor(made[0] if self.gives_pair() else made)

            t = _tensor(x)
            t = t if t.is_floating_point() else t.double()
            if solver.kind == "elements":
                return wrap(torch.func.grad(lambda v: of(v).sum())(t))
            if solver.kind != "least":
                rows = jacobian(lambda v: of(v).reshape(-1), t.reshape(-1))
                return wrap(rows.T if is_transposed else rows)
            slope = torch.func.grad(lambda v: of(v).reshape(()))
            return wrap(jacobian(slope, t) if key == "hess" else slope(t))

        return derivative

    # --- what the program gets ---

    def with_gradient(self, result: Any) -> Any:
        """The result with the derivative of the solution in it."""
        key = {"optimize.root_scalar": "root"}.get(self.name, "x")
        if isinstance(result, dict) or key == "root":
            x = self.differentiate(_tensor(result[key]))
            result[key] = wrap(x)
            if "fun" in result and self.needs:
                value = self.residuals(x) if self.solver.kind != "least" else self.value(x)
                result["fun"] = wrap(_following(_tensor(result["fun"]), value))
                if "cost" in result:
                    result["cost"] = wrap(_following(_tensor(result["cost"]), self.value(x)))
            if "f_x" in result and self.needs:
                result["f_x"] = wrap(_following(_tensor(result["f_x"]), self.residuals(x)))
            return result
        if not isinstance(result, tuple):
            return wrap(self.differentiate(_tensor(result)))
        x = self.differentiate(_tensor(result[0]))
        made = [wrap(x), *result[1:]]
        if self.name == "optimize.curve_fit" and self.needs:
            made[1] = wrap(self.covariance(x, _tensor(made[1])))
        if self.solver.kind == "elements" and hasattr(made[1], "root"):
            made[1].root = wrap(x)
        has_value = self.given.get("full_output") or self.name == "optimize.fmin_l_bfgs_b"
        if self.solver.kind == "least" and has_value and self.name != "optimize.fmin_tnc":
            made[1] = wrap(_following(_tensor(made[1]), self.value(x)))
        return type(result)(*made) if hasattr(result, "_fields") else tuple(made)

    def differentiate(self, x: Tensor) -> Tensor:
        """A step of Newton's from the solution, which does not move it, and has its derivative."""
        x = x.detach()
        if self.needs:
            kind = self.solver.kind
            is_root = kind in ("root", "elements")
            root: Any = self.residuals if is_root else torch.func.grad(self.total)
            r = root(x)
            if kind in ("elements", "lowest"):
                slope = torch.func.grad(lambda v: root(v).sum())(x).detach()
                step = (r - plain(r)) / plain(slope)
            else:
                flat, off = x.reshape(-1), (r - plain(r)).reshape(-1)
                j = plain(jacobian(lambda v: root(v.reshape(x.shape)).reshape(-1), flat))
                free = self.find_free(flat, plain(r).reshape(-1), j).nonzero().reshape(-1)
                try:
                    part = torch.linalg.solve(j[free][:, free], off[free])
                except RuntimeError as error:
                    words = f"{self.name}: the solution is not alone where it is: no derivative"
                    raise numpy.linalg.LinAlgError(words) from error
                step = torch.zeros_like(flat).index_put((free,), part).reshape(x.shape)
            x = x - step
        for start in self.starts:  # where it began has no influence on a solution
            still = 0 * (start - plain(start))
            x = x + (still.reshape(x.shape) if still.numel() == x.numel() else still.sum())
        return x

    def find_free(self, x: Tensor, slope: Tensor, j: Tensor) -> Tensor:
        """Whether variables can move: not those that a step would take over a bound."""
        bounds = self.given.get("bounds")
        if bounds is None:
            return torch.ones_like(x, dtype=torch.bool)
        if hasattr(bounds, "lb"):
            low, high = bounds.lb, bounds.ub
        elif self.name in ("optimize.minimize", *_PAIRED):
            low = [-torch.inf if v is None else v for v, _ in bounds]
            high = [torch.inf if v is None else v for _, v in bounds]
        else:
            low, high = bounds
        low, high = (_tensor(v).to(x) for v in (low, high))
        scale = j.diagonal().abs()
        there = x - slope / torch.where(scale == 0, 1, scale)
        near = 1e-8 * x.abs().clamp(min=1)
        inside = (x - low > near) & (high - x > near)
        return inside & (there > low) & (there < high)

    def option(self, name: str, default: Any) -> Any:
        is_in_kwargs = self.name == "optimize.curve_fit"
        given: dict[str, Any] = self.given.get("kwargs", {}) if is_in_kwargs else self.given
        return given.get(name, default)

    def residuals(self, x: Tensor) -> Tensor:
        """What the program's function gives there, with all gradients."""
        off: Tensor
        if self.name != "optimize.curve_fit":
            made = self.program(wrap(x), *self.args, **(self.given.get("kwargs") or {}))
            return _tensor(made[0] if self.gives_pair() else made)
        t, y, sigma = (self.given.get(key) for key in _DATA)
        t = asarray(t, dtype="float64") if isinstance(t, (list, tuple, AnyArray)) else t
        off = _tensor(self.program(t, *array_of(x))) - _tensor(y)
        if sigma is None:
            return off
        s = _tensor(sigma)
        if s.dim() < 2:
            off = off / s
        else:
            low = torch.linalg.cholesky(s)
            off = torch.linalg.solve_triangular(low, off[:, None], upper=False)[:, 0]
        return off

    def total(self, x: Tensor) -> Tensor:
        """What has the derivative 0: the value of a minimizer, or the sum of all minima."""
        return self.residuals(x).sum() if self.solver.kind == "lowest" else self.value(x)

    def value(self, x: Tensor) -> Tensor:
        """What a minimizer minimizes."""
        if self.solver.kind == "least":
            return self.residuals(x).reshape(())
        loss, scale = self.option("loss", "linear"), self.option("f_scale", 1.0)
        z = (self.residuals(x) / scale) ** 2
        rho = _tensor(loss(array_of(z)))[0] if callable(loss) else _LOSSES[loss](z)
        cost: Tensor = 0.5 * scale**2 * rho.sum()
        return cost

    def covariance(self, x: Tensor, found: Tensor) -> Tensor:
        """The covariance that SciPy found, with the derivative of its formula."""
        if not bool(torch.isfinite(found).all()):
            return found
        j = jacobian(self.residuals, x)
        made = torch.linalg.pinv(j)
        made = made @ made.T
        if not self.given.get("absolute_sigma", False):
            made = made * (self.residuals(x) ** 2).sum() / (j.shape[0] - j.shape[1])
        return _following(found, made)


_INTERIOR = ("trust-constr", "cobyla", "cobyqa")
"""The methods that end near a bound and not at it."""

_LOSSES: dict[str, Callable[[Tensor], Tensor]] = {
    "linear": lambda z: z,
    "soft_l1": lambda z: 2 * ((1 + z).sqrt() - 1),
    "huber": lambda z: torch.where(z <= 1, z, 2 * z.clamp(min=1).sqrt() - 1),
    "cauchy": torch.log1p,
    "arctan": torch.arctan,
}


class _Watched:
    """The program's function for a solver: its results have no gradients.

    In another process nothing watches: there the program's function is as it is.
    """

    def __init__(self, problem: _Problem, function: Any) -> None:
        self._problem, self.__wrapped__ = problem, function
        self.__name__ = getattr(function, "__name__", type(function).__name__)

    def __call__(self, x: Any, *args: Any, **kwargs: Any) -> Any:
        problem = self._problem
        if problem.keeps_args:
            args = problem.args
        return problem.released(self.__wrapped__(x, *args, **kwargs), "result")

    def __getattr__(self, name: str) -> Any:
        if name in ("__wrapped__", "_problem"):
            raise AttributeError(name)
        return getattr(self.__wrapped__, name)

    def __reduce__(self) -> Any:
        return _itself, (self.__wrapped__,)


def _itself(x: Any) -> Any:
    return x


def jacobian(function: Callable[[Tensor], Tensor], x: Tensor) -> Tensor:
    """A row for each element of a vector function's value: by columns where there are less.

    >>> import torch
    >>> from numpy_shim.scipy._solutions import jacobian
    >>> jacobian(lambda x: torch.stack([x[0] * x[1], x[1]]), torch.tensor([2.0, 3.0])).tolist()
    [[3.0, 2.0], [0.0, 1.0]]
    """
    value: Tensor
    value, pull = torch.func.vjp(function, x)  # type: ignore[misc]
    n = x.numel()
    if value.numel() > n:
        units = torch.eye(n, dtype=x.dtype, device=x.device)
        try:
            columns = [torch.func.jvp(function, (x,), (unit,))[1] for unit in units]
            return torch.stack(columns, 1)
        except (NotImplementedError, RuntimeError):  # an operation without a forward derivative
            pass
    units = torch.eye(value.numel(), dtype=value.dtype, device=value.device)
    return torch.stack([pull(unit)[0] for unit in units])


def _tensor(x: Any) -> Tensor:
    return asarray(x)._tensor


def has_derivative(t: Tensor) -> bool:
    """Whether a derivative is taken by a tensor, backward or forward, in any transform."""
    if not is_transformed():
        return t.requires_grad and torch.is_grad_enabled()
    layers = layers_of(t, in_batches=True)
    return any(layer.requires_grad for layer in layers) or (
        in_forward_mode() and (len(layers) > _OF_ONE_TRANSFORM or any(map(_has_tangent, layers)))
    )


_OF_ONE_TRANSFORM = 2
"""The layers of a value in one transform. With more, not all can be asked for a tangent."""


def _has_tangent(t: Tensor) -> bool:
    """Whether a tensor has a derivative in forward mode; what is in a batch cannot be asked."""
    return is_batched(t) or unpack_dual(t).tangent is not None


def plain(t: Tensor) -> Tensor:
    """The values of a tensor, of no derivative and no transform."""
    if not is_transformed():
        return t.detach()
    inside = layers_of(t)[-1]
    return (unpack_dual(inside).primal if in_forward_mode() else inside).data


def _following(found: Tensor, made: Tensor) -> Tensor:
    """The values of one with the derivative of the other."""
    made = made.reshape(found.shape)
    return found.detach() + (made - made.detach())
