"""Solutions of linear systems, with their derivatives.

SciPy's text finds a solution ``x`` of ``A x = b`` step by step, without a gradient. Its derivative
is that of the equation: ``b - A x`` is computed once more, and what comes back to ``x`` goes on to
it as the solution of the adjoint system. So it reaches ``b`` and a dense ``A``, to any order, and
what the function of an operator holds, to the first, and is as exact as the solver's tolerance.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable
from contextlib import nullcontext
from functools import wraps
from typing import Any

import numpy
import scipy.sparse.linalg
import torch
from scipy.sparse import issparse
from scipy.sparse.linalg import MatrixRankWarning
from torch import Tensor

from xp_torch._torch.internals import is_batched, is_transformed, layers_of

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
from .operators import adjoint_of, aslinearoperator, refusing

LARGEST = 128
"""``spsolve`` takes the whole matrix up to so many rows; SuperLU is quicker beyond."""

SELF_ADJOINT = frozenset({"cg", "minres"})
"""Solvers of matrices that are their own adjoints."""

_PRECONDITIONERS = frozenset({"M", "M1", "M2"})
_OF_ONE_SYSTEM = frozenset({"callback", "outer_v", "CU"})


def each(function: Any, info: Any, axes: Any, inputs: Any) -> Any:
    """A function of ``torch.autograd`` for each of the mapped values by itself."""
    made = [
        function.apply(*(
            x if axis is None else x.select(axis, i) for x, axis in zip(inputs, axes, strict=True)
        ))
        for i in range(info.batch_size)
    ]  # fmt: skip
    if isinstance(made[0], Tensor):
        return torch.stack(made), 0
    return tuple(map(torch.stack, zip(*made, strict=True))), (0,) * len(made[0])


class Found(torch.autograd.Function):
    """What SciPy's text finds for tensors, without a derivative: ``find(first, second)``.

    The second is a dense matrix, or ``None`` where there is none.
    """

    @staticmethod
    def forward(first: Tensor, second: Tensor | None, find: Any) -> Any:
        return find(first, second)

    @staticmethod
    def setup_context(ctx: Any, inputs: Any, output: Any) -> None:
        many = output if isinstance(output, tuple) else (output,)
        ctx.mark_non_differentiable(*many)
        ctx.of_jvp = (None, None) if isinstance(output, tuple) else None

    @staticmethod
    def backward(ctx: Any, *gradients: Any) -> Any:
        return None, None, None

    @staticmethod
    def jvp(ctx: Any, *tangents: Any) -> Any:
        return ctx.of_jvp

    @staticmethod
    def vmap(info: Any, axes: Any, *inputs: Any) -> Any:
        return each(Found, info, axes, inputs)


class _Step(torch.autograd.Function):
    """``A^-1 r`` for an ``r`` that is nearly zero: its value is zero, its derivatives are not.

    ``matrix`` is a dense ``A``, for derivatives in it; with ``None`` the solvers know theirs.
    """

    @staticmethod
    def forward(residual: Tensor, matrix: Tensor | None, solve: Any, solve_adjoint: Any) -> Tensor:
        return torch.zeros_like(residual)

    @staticmethod
    def setup_context(ctx: Any, inputs: Any, output: Any) -> None:
        _, matrix, ctx.solve, ctx.solve_adjoint = inputs
        ctx.save_for_backward(matrix, output)
        ctx.save_for_forward(matrix, output)

    @staticmethod
    def backward(ctx: Any, *gradients: Any) -> Any:
        matrix, step = ctx.saved_tensors
        found = ctx.solve_adjoint(matrix, gradients[0])
        return found, None if matrix is None else -torch.outer(found, step.conj()), None, None

    @staticmethod
    def jvp(ctx: Any, *tangents: Any) -> Any:
        (matrix, step), (right, change) = ctx.saved_tensors, tangents[:2]
        if change is not None:
            if sum(not is_batched(layer) for layer in layers_of(matrix, in_batches=True)[:-1]) > 1:
                raise NotImplementedError("a derivative in A of a forward derivative; use jacrev")
            right = (0 if right is None else right) - change @ step
        return ctx.solve(matrix, right)

    @staticmethod
    def vmap(info: Any, axes: Any, *inputs: Any) -> Any:
        return each(_Step, info, axes, inputs)


def _moved(x: Tensor, residual: Tensor, matrix: Tensor | None, *solvers: Any) -> Tensor:
    """The solution ``x`` with the derivatives that the residual gives it."""
    step: Any = _Step.apply(residual, matrix, *solvers)  # type: ignore[no-untyped-call]
    return x + step  # type: ignore[no-any-return]


def with_derivative(name: str, solve: Callable[..., Any]) -> Callable[..., Any]:
    """A solver of SciPy's text, ``(A, b, ...) -> (x, info)``, whose ``x`` has a derivative."""

    @wraps(solve)
    def call(A: Any, b: Any, x0: Any = None, *args: Any, **kwargs: Any) -> Any:
        if not (torch.is_grad_enabled() or is_transformed()):
            return solve(A, b, x0, *args, **kwargs)
        b, ended = asarray(b), [0]
        matrix = A._tensor if isinstance(A, AnyArray) else None

        def found(t: Tensor, matrix: Tensor | None) -> Tensor:
            with torch.no_grad():
                one = A if matrix is None else wrap(plain(matrix))
                x, ended[0] = solve(one, wrap(t), plain_array(x0), *args, **kwargs)
            return x._tensor  # type: ignore[no-any-return]

        x: Any = Found.apply(b._tensor, matrix, found)  # type: ignore[no-untyped-call]
        if not (has_derivative(b._tensor) or _may_have_derivative(A)):
            return wrap(x), ended[0]
        operator = aslinearoperator(A)
        residual = b.ravel() - operator.matvec(wrap(x))
        if not has_derivative(residual._tensor):
            return wrap(x), ended[0]
        options = {k: v for k, v in kwargs.items() if k not in _OF_ONE_SYSTEM}
        preconditioners = {k for k in _PRECONDITIONERS if options.get(k) is not None}

        def again(one: Any, right: Tensor, options: Any = options) -> Tensor:
            x, info = call(one, wrap(right), **options)
            if info:
                words = f"{name}: the system of the derivative did not converge: {info}"
                warnings.warn(words, RuntimeWarning, stacklevel=2)
            return x._tensor  # type: ignore[no-any-return]

        def solve_for(matrix: Tensor | None, right: Tensor) -> Tensor:
            return again(A if matrix is None else wrap(matrix), right)

        def solve_adjoint(matrix: Tensor | None, gradient: Tensor) -> Tensor:
            if name in SELF_ADJOINT:
                return again(operator if matrix is None else wrap(matrix), gradient)
            with gradient.device:  # torch may ask in a thread of its own
                other = adjoint_of(operator) if matrix is None else wrap(matrix.mH)
                turned = {k: adjoint_of(aslinearoperator(options[k])) for k in preconditioners}
            if None in turned.values():  # without them the system is the same one
                turned = dict.fromkeys(turned)
            if other is None:
                raise TypeError(f"{name}: its derivative needs the rmatvec of the operator")
            return again(other, gradient, options | turned)

        moved = _moved(x, residual._tensor, matrix, solve_for, solve_adjoint)
        return wrap(moved), ended[0]

    return call


def without_derivative(find: Callable[..., Any]) -> Callable[..., Any]:
    """A function of SciPy's text whose steps have no derivative; a gradient is refused."""

    @wraps(find)
    def call(A: Any, *args: Any, **kwargs: Any) -> Any:
        given = [x for x in (A, *args, *kwargs.values()) if isinstance(x, AnyArray)]
        if any(has_derivative(x._tensor) for x in given):
            raise OnTheHostError("its steps have no derivative")
        others = [refusing(x) for x in (A, *args)]
        named = {key: refusing(value) for key, value in kwargs.items()}
        with torch.no_grad():
            return find(*others, **named)

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

    def found(right: Tensor, _: None) -> Tensor:
        with allow_implicit_host_copy() if again else nullcontext():
            return _on_the_host(real, right, options)

    x: Any = Found.apply(right, None, found)  # type: ignore[no-untyped-call]
    if not has_derivative(right):
        return x  # type: ignore[no-any-return]
    residual = right.reshape(x.shape) - elements_of(real, right.device).dot(wrap(x))._tensor

    def solver(one: Any) -> Any:
        return lambda _, right: _by_superlu(one, options, right, again=True)

    return _moved(x, residual, None, solver(real), solver(real.T.conj()))


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
