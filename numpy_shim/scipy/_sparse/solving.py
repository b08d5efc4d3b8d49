"""Solutions of linear systems, with their derivatives.

SciPy's text finds a solution ``x`` of ``A x = b`` step by step, without a gradient. Its derivative
is that of the equation: ``b - A x`` is computed once more, and what comes back to ``x`` goes on to
it as the solution of the adjoint system. So it reaches ``b``, a dense ``A``, and what the function
of an operator holds, to any order, and is as exact as the tolerance of the solver.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable
from contextlib import nullcontext
from functools import partial, wraps
from typing import Any

import numpy
import scipy.sparse.linalg
import torch
from scipy.sparse import issparse
from scipy.sparse.linalg import MatrixRankWarning
from torch import Tensor

from xp_torch._torch.internals import is_transformed

from ..._array.ndarray import AnyArray, ndarray, wrap
from ..._base.dtypes import TORCH
from ..._convert.arguments import as_tensor
from ..._convert.from_data import asarray
from ..._convert.to_numpy import allow_implicit_host_copy
from ..._numpys.names import on_its_device
from .._linalg.factors import columns, number
from .._solutions import has_derivative, plain
from .._standing import Held, OnTheHostError
from .._values import HostCall, to_program, to_scipy
from .matrices import elements_of
from .operators import adjoint_of, aslinearoperator

LARGEST = 128
"""``spsolve`` takes the whole matrix up to so many rows; SuperLU is quicker beyond."""

SELF_ADJOINT = frozenset({"cg", "minres"})
"""Solvers of matrices that are their own adjoints."""

_PRECONDITIONERS = frozenset({"M", "M1", "M2"})
_OF_ONE_SYSTEM = frozenset({"callback", "outer_v", "CU"})


class _Solution(torch.autograd.Function):
    """A solution without a derivative, which SciPy's text finds for one right-hand side."""

    @staticmethod
    def forward(b: Tensor, solve: Callable[[Tensor], Tensor]) -> Tensor:
        return solve(b)

    @staticmethod
    def setup_context(ctx: Any, inputs: Any, output: Any) -> None:
        ctx.mark_non_differentiable(output)

    @staticmethod
    def backward(ctx: Any, *gradients: Any) -> Any:
        return None, None

    @staticmethod
    def jvp(ctx: Any, *tangents: Any) -> Any:
        return None

    @staticmethod
    def vmap(info: Any, axes: Any, b: Tensor, solve: Callable[[Tensor], Tensor]) -> Any:
        return torch.stack([_Solution.apply(part, solve) for part in b.unbind(axes[0])]), 0  # type: ignore[no-untyped-call]


class _Step(torch.autograd.Function):
    """``A^-1 r`` for an ``r`` that is nearly zero: its value is zero, its derivative is not."""

    @staticmethod
    def forward(residual: Tensor, solve: Any, solve_adjoint: Any) -> Tensor:
        return torch.zeros_like(residual)

    @staticmethod
    def setup_context(ctx: Any, inputs: Any, output: Any) -> None:
        _, ctx.solve, ctx.solve_adjoint = inputs

    @staticmethod
    def backward(ctx: Any, *gradients: Any) -> Any:
        return ctx.solve_adjoint(gradients[0]), None, None

    @staticmethod
    def jvp(ctx: Any, *tangents: Any) -> Any:
        return ctx.solve(tangents[0])

    @staticmethod
    def vmap(info: Any, axes: Any, residual: Tensor, *solvers: Any) -> Any:
        return torch.stack([_Step.apply(part, *solvers) for part in residual.unbind(axes[0])]), 0  # type: ignore[no-untyped-call]


def _moved(x: Tensor, residual: Tensor, solve: Any, solve_adjoint: Any) -> Tensor:
    """The solution ``x`` with the derivative that the residual gives it."""
    step: Any = _Step.apply(residual, solve, solve_adjoint)  # type: ignore[no-untyped-call]
    return x + step  # type: ignore[no-any-return]


def with_derivative(name: str, solve: Callable[..., Any]) -> Callable[..., Any]:
    """A solver of SciPy's text, ``(A, b, ...) -> (x, info)``, whose ``x`` has a derivative."""

    @wraps(solve)
    def call(A: Any, b: Any, x0: Any = None, *args: Any, **kwargs: Any) -> Any:
        if not (torch.is_grad_enabled() or is_transformed()):
            return solve(A, b, x0, *args, **kwargs)
        b, ended = asarray(b), [0]

        def found(t: Tensor) -> Tensor:
            with torch.no_grad():
                x, ended[0] = solve(plain_array(A), wrap(t), plain_array(x0), *args, **kwargs)
            return x._tensor  # type: ignore[no-any-return]

        x: Any = _Solution.apply(b._tensor, found)  # type: ignore[no-untyped-call]
        if not (has_derivative(b._tensor) or _may_have_derivative(A)):
            return wrap(x), ended[0]
        operator = aslinearoperator(A)
        residual = b.ravel() - operator.matvec(wrap(x))
        if not has_derivative(residual._tensor):
            return wrap(x), ended[0]
        options = {k: v for k, v in kwargs.items() if k not in _OF_ONE_SYSTEM}
        preconditioners = {k for k in _PRECONDITIONERS if options.get(k) is not None}

        def solve_for(one: Any, right: Tensor, options: Any = options) -> Tensor:
            x, info = call(one, wrap(right), **options)
            if info:
                words = f"{name}: the system of the derivative did not converge: {info}"
                warnings.warn(words, RuntimeWarning, stacklevel=2)
            return x._tensor  # type: ignore[no-any-return]

        def solve_adjoint(gradient: Tensor) -> Tensor:
            if name in SELF_ADJOINT:
                return solve_for(operator, gradient)
            with gradient.device:  # torch may ask in a thread of its own
                other = adjoint_of(operator)
                turned = {k: adjoint_of(aslinearoperator(options[k])) for k in preconditioners}
            if None in turned.values():  # without them the system is the same one
                turned = dict.fromkeys(turned)
            if other is None:
                raise TypeError(f"{name}: its derivative needs the rmatvec of the operator")
            return solve_for(other, gradient, options | turned)

        moved = _moved(x, residual._tensor, partial(solve_for, A), solve_adjoint)
        return wrap(moved), ended[0]

    return call


def without_derivative(find: Callable[..., Any]) -> Callable[..., Any]:
    """A function of SciPy's text whose steps have no derivative; a gradient is refused."""

    @wraps(find)
    def call(A: Any, *args: Any, **kwargs: Any) -> Any:
        given = [x for x in (A, *args, *kwargs.values()) if isinstance(x, AnyArray)]
        if any(has_derivative(x._tensor) for x in given):
            raise OnTheHostError("its steps have no derivative")
        with torch.no_grad():
            return find(A, *args, **kwargs)

    return call


def plain_array(x: Any) -> Any:
    return wrap(plain(x._tensor)) if isinstance(x, AnyArray) else x


def _may_have_derivative(A: Any) -> bool:
    """Whether products with ``A`` may have a derivative: with SciPy's elements they have none."""
    return has_derivative(A._tensor) if isinstance(A, AnyArray) else not hasattr(A, "toarray")


def spsolve(A: Any, b: Any, permc_spec: Any = None, use_umfpack: bool = True) -> ndarray:
    """SciPy's ``spsolve`` for a dense ``b``: by the whole matrix if it is small.

    The factors of a large one are SuperLU's, on the host; the derivative is that of the equation.
    """
    real = A._scipys if issubclass(type(A), Held) else A
    is_system = issparse(real) and isinstance(b, AnyArray) and b.ndim in (1, 2)
    if not is_system or real.shape != (b.shape[0],) * 2:
        raise OnTheHostError("SciPy has its own words for what is no system of equations")
    elements = elements_of(real, b.device)
    t = as_tensor("spsolve", b).to(TORCH[numpy.result_type(_in_floats(real.dtype), b.dtype)])
    is_vector = t.dim() == 1 or t.shape[1] == 1
    if len(t) <= LARGEST:
        whole = elements.toarray()._tensor.to(t.dtype)
        lu, pivots, info = torch.linalg.lu_factor_ex(whole)
        if number(info):
            warnings.warn("Matrix is exactly singular", MatrixRankWarning, stacklevel=2)
            x = torch.full_like(columns(t), torch.nan)
        else:
            x = torch.linalg.lu_solve(lu, pivots, columns(t))
        return wrap(x.reshape(-1) if is_vector else x)
    if not (has_derivative(t) or is_transformed()):
        raise OnTheHostError(f"SuperLU factors it, in C, beyond {LARGEST} rows")
    return wrap(_by_superlu(real, (permc_spec, use_umfpack), t))


def _by_superlu(real: Any, options: Any, right: Tensor, again: bool = False) -> Tensor:
    """The solution that SuperLU finds on the host, with its derivative.

    ``again``: copies were allowed at the solution, whose derivative torch may ask for in a thread
    of its own.
    """

    def found(right: Tensor) -> Tensor:
        with allow_implicit_host_copy() if again else nullcontext():
            return _on_the_host(real, right, options)

    x: Any = _Solution.apply(right, found)  # type: ignore[no-untyped-call]
    if not has_derivative(right):
        return x  # type: ignore[no-any-return]
    residual = right.reshape(x.shape) - elements_of(real, right.device).dot(wrap(x))._tensor
    solvers = (
        partial(_by_superlu, matrix, options, again=True) for matrix in (real, real.T.conj())
    )
    return _moved(x, residual, *solvers)


def _on_the_host(real: Any, right: Tensor, options: Any) -> Tensor:
    one = HostCall("sparse.linalg.spsolve", right.device)
    values = to_scipy(wrap(right.detach()), one)
    made = to_program(scipy.sparse.linalg.spsolve(real, values, *options), one)
    return made._tensor  # type: ignore[no-any-return]


def _in_floats(dtype: Any) -> Any:
    return dtype if dtype.char in "fdFD" else numpy.dtype("float64")


_SOLVERS = (
    "bicg", "bicgstab", "cg", "cgs", "gcrotmk", "gmres", "lgmres", "minres", "qmr", "tfqmr",
)  # fmt: skip


def with_derivatives(found: dict[str, Any]) -> dict[str, Any]:
    """By name, the functions of SciPy's text with the derivatives of what they solve."""
    made = {name: with_derivative(name, found[name]) for name in _SOLVERS}
    made |= {name: without_derivative(found[name]) for name in ("lobpcg", "lsmr", "lsqr")}
    return found | {k: on_its_device(v) for k, v in (made | {"spsolve": spsolve}).items()}
