"""Solutions of linear systems, with their derivatives.

SciPy's text finds a solution ``x`` of ``A x = b`` step by step, without a gradient. Its derivative
is that of the equation: ``b - A x`` is computed once more, and what comes back to ``x`` goes on to
it as the solution of the adjoint system. So it reaches ``b``, a dense ``A``, and what the function
of an operator holds, to any order, and is as exact as the tolerance of the solver.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable
from functools import wraps
from importlib import import_module
from typing import Any

import numpy
import torch
from scipy.sparse import issparse
from scipy.sparse.linalg import MatrixRankWarning
from torch import Tensor

from ..._array.ndarray import AnyArray, ndarray, wrap
from ..._base.dtypes import TORCH
from ..._convert.arguments import as_tensor
from ..._convert.from_data import asarray
from ..._convert.to_numpy import allow_implicit_host_copy
from ..._numpys.names import on_its_device
from .. import _linalg  # noqa: F401 - SciPy's text asks for it
from .._linalg.factors import columns, has_derivative, number
from .._standing import Held, OnTheHostError
from .matrices import elements_of
from .operators import aslinearoperator

LARGEST = 128
"""``spsolve`` takes the whole matrix up to so many rows; SuperLU is quicker beyond."""

SELF_ADJOINT = frozenset({"cg", "minres"})
"""Solvers of matrices that are their own adjoints."""


class _Solved(torch.autograd.Function):
    """``x`` as a function of the residual: ``x + A^-1 r`` where ``r`` is nearly zero."""

    @staticmethod
    def forward(ctx: Any, residual: Tensor, x: Tensor, solve_adjoint: Any) -> Tensor:
        ctx.solve_adjoint = solve_adjoint
        return x.clone()

    @staticmethod
    def backward(ctx: Any, *gradients: Any) -> Any:
        return ctx.solve_adjoint(gradients[0]), None, None


def with_derivative(name: str, solve: Callable[..., Any]) -> Callable[..., Any]:
    """A solver of SciPy's text, ``(A, b, ...) -> (x, info)``, whose ``x`` has a derivative."""

    @wraps(solve)
    def call(A: Any, b: Any, x0: Any = None, *args: Any, **kwargs: Any) -> Any:
        if not torch.is_grad_enabled():
            return solve(A, b, x0, *args, **kwargs)
        b = asarray(b)
        with torch.no_grad():
            x, info = solve(_detached(A), _detached(b), _detached(x0), *args, **kwargs)
        operator = aslinearoperator(A)
        if not (b._tensor.requires_grad or _may_have_gradient(A)):
            return x, info
        residual = b.ravel() - operator.matvec(x)
        if not residual._tensor.requires_grad:
            return x, info

        def solve_adjoint(gradient: Tensor) -> Tensor:
            other = operator if name in SELF_ADJOINT else operator.H
            options = {k: v for k, v in kwargs.items() if k not in ("callback", "M")}
            if kwargs.get("M") is not None:
                M = aslinearoperator(kwargs["M"])  # noqa: N806
                options["M"] = M if name in SELF_ADJOINT else M.H
            return call(other, asarray(gradient), **options)[0]._tensor  # type: ignore[no-any-return]

        solved: Any = _Solved.apply(residual._tensor, x._tensor, solve_adjoint)  # type: ignore[no-untyped-call]
        return asarray(solved), info

    return call


def without_derivative(find: Callable[..., Any]) -> Callable[..., Any]:
    """A function of SciPy's text whose steps have no derivative; a gradient is refused."""

    @wraps(find)
    def call(A: Any, *args: Any, **kwargs: Any) -> Any:
        given = [x for x in (A, *args, *kwargs.values()) if isinstance(x, AnyArray)]
        if has_derivative(*[x._tensor for x in given]):
            raise OnTheHostError("its steps have no derivative")
        with torch.no_grad():
            return find(A, *args, **kwargs)

    return call


def _detached(x: Any) -> Any:
    return asarray(x._tensor.detach()) if isinstance(x, AnyArray) else x


def _may_have_gradient(A: Any) -> bool:
    """Whether products with ``A`` may have a gradient: of elements of SciPy's they have none."""
    if isinstance(A, AnyArray):
        return A._tensor.requires_grad
    return not hasattr(A, "toarray")


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
        x, info = torch.linalg.solve_ex(whole, columns(t))
        if number(info):
            warnings.warn("Matrix is exactly singular", MatrixRankWarning, stacklevel=2)
            x = torch.full_like(x, torch.nan)
        return wrap(x.reshape(-1) if is_vector else x)
    if not has_derivative(t):
        raise OnTheHostError(f"SuperLU factors it, in C, beyond {LARGEST} rows")
    x = _on_the_host(real, wrap(t.detach()), permc_spec, use_umfpack)._tensor
    residual = t.reshape(x.shape) - elements.dot(wrap(x))._tensor
    adjoint = real.T.conj()

    def solve_adjoint(gradient: Tensor) -> Tensor:
        solve = spsolve if has_derivative(gradient) else _on_the_host
        with allow_implicit_host_copy():  # as at the solution; torch may ask in another thread
            return solve(adjoint, wrap(gradient), permc_spec, use_umfpack)._tensor

    return wrap(_Solved.apply(residual, x, solve_adjoint))  # type: ignore[no-untyped-call]


def _on_the_host(*args: Any) -> ndarray:
    return import_module("numpy_shim.scipy.sparse.linalg").spsolve(*args)  # type: ignore[no-any-return]


def _in_floats(dtype: Any) -> Any:
    return dtype if dtype.char in "fdFD" else numpy.dtype("float64")


_SOLVERS = ("bicg", "bicgstab", "cg", "cgs", "gmres", "minres", "qmr", "tfqmr")


def with_derivatives(found: dict[str, Any]) -> dict[str, Any]:
    """By name, the functions of SciPy's text with the derivatives of what they solve."""
    made = {name: with_derivative(name, found[name]) for name in _SOLVERS}
    made |= {name: without_derivative(found[name]) for name in ("lobpcg", "lsmr", "lsqr")}
    return found | {k: on_its_device(v) for k, v in (made | {"spsolve": spsolve}).items()}
